"""How a NATS connection is recognised: by lines that are NATS and nothing else, on any port.

A connection begins with INFO and its JSON, from the server; a client answers with CONNECT. One that
is joined later is recognised by lines with subjects and sizes. PING, PONG, +OK and -ERR alone prove
little: Redis, IRC and others have them too.

Source: docs.nats.io, Client Protocol; ports are those of the configuration's documentation.
"""

from collections.abc import Mapping
from typing import Final

from streamshark.framing.wire_format import Evidence, Guess, Level

PORTS: Final = (4222, 6222, 7222, 7422)
"""Clients, routes, gateways, leaf nodes."""
SHARED_PORTS: Final = (4223,)
"""A second server beside the first; Wireshark gives the port to Tinkerforge's protocol."""

FOREIGN: Final[Mapping[bytes, str]] = {
    b"GET /": "HTTP",
    b"POST /": "HTTP",
    b"HEAD /": "HTTP",
    b"HTTP/1.": "HTTP",
    b"PRI * HTTP/2": "HTTP/2",
    b"\x10\x00\x00\x00": "MQTT",
    b"AMQP\x00": "AMQP",
}
"""First bytes of what occurs on these ports by mistake."""

VAGUE: Final = frozenset({"ping", "pong", "ok", "err"})
"""Commands that other protocols have too."""
OPENING: Final = frozenset({"info", "connect"})
"""Verbs that a side begins with."""
FIRST: Final = (b"INFO {", b"CONNECT {")
"""What a side begins with, whatever is wrong with the rest of the line."""
TELLING: Final = 2
"""Lines that chance does not bring about."""
VAGUE_LINES: Final = Guess(Level.NONE, "lines that other protocols have too")


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are NATS."""
    found = evidence.commands
    first = evidence.data.upper()
    if evidence.port and evidence.start and first.startswith(FIRST):
        found = (first.split(maxsplit=1)[0].decode().lower(), *found)
    elif not found or not (evidence.lined_up or evidence.open_head):
        return Guess(Level.NONE, "no line that is followed by another one")
    if found[0] in OPENING:
        return Guess(Level.CERTAIN, f"begins with {found[0].upper()}")
    clear = sum(each not in VAGUE for each in found)
    if clear:
        return evidence.in_a_row(clear, TELLING)
    return evidence.in_a_row(len(found), TELLING) if evidence.port else VAGUE_LINES
