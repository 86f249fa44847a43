"""RabbitMQ Streams: the binary protocol of RabbitMQ's append-only logs.

Document: `deps/rabbitmq_stream/docs/PROTOCOL.adoc` of rabbitmq/rabbitmq-server, main of August
2026 (keys 0x01 to 0x1f); where it differs from the bytes of real brokers the bytes are followed,
and the frame's docstring states it. Its revision of July to September 2021 is dialect `2020` (`-o
rabbitmq_stream.dialect:2020`), for what it alone says; no released broker sends that.
Reference implementation: `rabbit_stream_core.erl` of rabbitmq_stream_common (brokers 3.10.8,
4.0.5, 4.3.5) and, inside Deliver, `osiris_log.erl` of rabbitmq/osiris (1.3.1 to 1.13.1).
Versions: every command in version 1, Publish and Deliver also in version 2; brokers 3.9.0 to 4.3.
Transport: TCP, port 5552, or TLS from the first byte on, port 5551. A PROXY protocol preamble may
come first.
The document lets every string and all bytes be null (length -1); brokers take null for the filter
value of Publish 2 and the data of SaslAuthenticate alone, and end the connection elsewhere.
Left out on purpose: osiris replication between nodes and its segment files, which are other
formats; revisions of the document before February 2021, which number the commands from 0 and of
which no release exists. Formats of message bodies are layers of their own.
"""

from streamshark.decoding.lazy import later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.protocol import Protocol
from streamshark.protocols.rabbitmq_stream.detect import FOREIGN, PORTS, TLS_PORTS, detect

PROTOCOL = Protocol(
    title="RabbitMQ Streams",
    card=__doc__,
    wire=WireFormat(
        id="rabbitmq_stream",
        short="rmqstream",
        heads=later(__name__, "framing.HEADS"),
        frames=later(__name__, "framing.all_frames"),
        detect=detect,
        ports=PORTS,
        own_ports=PORTS,
        tls_ports=TLS_PORTS,
        agreements=later(__name__, "negotiated.AGREEMENTS"),
        marks=later(__name__, "framing.MARKS"),
        chain=2,
        foreign=FOREIGN,
    ),
    embedded_records=later(__name__, "sub_batch.EMBEDDED_RECORDS"),
    fields=later(__name__, "fields.FIELDS"),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.all_rules.RULES"),
    fixes=later(__name__, "fixes.FIXES"),
    requirements=later(__name__, "requirements.REQUIREMENTS"),
    states=later(__name__, "states.STATES"),
    parts=later(__name__, "parts.PARTS"),
    sentences=later(__name__, "explain.SENTENCES"),
    housekeeping=frozenset(
        {
            "peer_properties",
            "sasl_handshake",
            "sasl_authenticate",
            "tune",
            "open",
            "exchange_command_versions",
            "heartbeat",
            "close",
        }
    ),
    messages=later(__name__, "message_sources.MESSAGES"),
    syntax=later(__name__, "syntax.SYNTAX"),
)
