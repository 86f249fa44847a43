"""Open (0x15): a client chooses a virtual host; with the response the connection can be used.

The properties of the response are absent, not empty, when the code is not 1 and when the broker
has none; the document shows them as always there. 12: no such virtual host, no access to it, or
its limit is reached; from 4.0.0 on that response is held back for 3 seconds.

Spec: PROTOCOL.adoc, "Open".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    MAP,
    OUTCOME,
    RESPONSE,
    STRING,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="open",
        key=Key.OPEN,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Chooses a virtual host.",
        spec="PROTOCOL.adoc, Open",
        since="3.9.0",
        negotiates=True,
        body=(
            CORRELATION_ID,
            field("virtual_host", STRING, "Name of the virtual host; `/` is the default one."),
        ),
        shows="vhost={virtual_host}",
    ),
    FrameSchema(
        name="open",
        key=Key.OPEN,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the virtual host may be used.",
        spec="PROTOCOL.adoc, Open",
        since="3.9.0",
        negotiates=True,
        body=(
            *RESPONSE,
            Tail(
                field(
                    "connection_properties",
                    MAP,
                    "Where this node is reached: `advertised_host`, and `advertised_port` as text.",
                    role="server_host",
                    entries={"advertised_host": "server_host", "advertised_port": "port"},
                ),
                need=4,
            ),
        ),
        shows=(
            "{connection_properties[advertised_host]}:{connection_properties[advertised_port]} "
            f"{OUTCOME}"
        ),
    ),
)
