"""How a RabbitMQ Streams connection is recognised: by whole frames that line up, on any port.

A connection begins with PeerProperties from both sides. One that is joined later is recognised by
frames whose size, key and version line up and whose bodies decode without problems; one small
frame alone proves little, so there the port counts too.

A PROXY protocol preamble is not foreign: a listener may expect one (see `framing.proxy_protocol`).
"""

from collections.abc import Mapping
from typing import Final

from streamshark.framing.wire_format import Evidence, Guess, Level

PORTS: Final = (5552, 5551)
"""Plain and TLS (`rabbitmq_stream` plugin, listeners `tcp` and `ssl`)."""
TLS_PORTS: Final = (5551,)

FOREIGN: Final[Mapping[bytes, str]] = {
    b"AMQP\0\0\x09\x01": "AMQP 0-9-1",
    b"AMQP\0\1\0\0": "AMQP 1.0",
    b"AMQP\3\1\0\0": "AMQP 1.0 (SASL)",
    b"AMQP\2\1\0\0": "AMQP 1.0 (TLS)",
    b"AMQP": "AMQP",
    b"\x16\x03": "TLS",
    b"GET ": "HTTP",
    b"POST ": "HTTP",
    b"PUT ": "HTTP",
    b"HEAD ": "HTTP",
    b"OPTIONS ": "HTTP",
    b"DELETE ": "HTTP",
    b"CONNECT {": "NATS",
    b"CONNECT ": "HTTP",
    b"INFO {": "NATS",
    b"HTTP/": "HTTP",
}
"""First bytes of what occurs on these ports by mistake (an AMQP broker answers with its header)."""

FIRST: Final = "peer_properties"
"""What both sides send first."""
TELLING: Final = 2
"""Frames in a row that chance does not bring about: each has some 30 bits fixed."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are RabbitMQ Streams."""
    for prefix, name in FOREIGN.items():
        if evidence.data.startswith(prefix):
            return Guess(Level.NONE, f"the first bytes are {name}")
    if evidence.start and evidence.commands and (evidence.lined_up or evidence.open_head):
        if evidence.commands[0].removesuffix("_response") == FIRST:
            return Guess(Level.CERTAIN, f"begins with PeerProperties{evidence.where}")
        if not evidence.port:
            return Guess(Level.NONE, "begins without PeerProperties")
    return evidence.in_a_row(len(evidence.commands), TELLING)
