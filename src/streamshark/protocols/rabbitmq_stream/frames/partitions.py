"""Partitions (0x19): a client asks for the partitions of a super stream.

Codes 1, 2, 16; the list is empty with the last two. Broker 3.10.8 answers with the response bit
clear. Dialect `2020`: the older document's response has no response code.

Spec: PROTOCOL.adoc, "Partitions".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME,
    RESPONSE,
    STRING,
    last_array,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, field

_STREAMS = field(
    "streams", last_array(STRING), "Names of the partitions, in their order.", role="stream"
)

FRAMES = (
    FrameSchema(
        name="partitions",
        key=Key.PARTITIONS,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for the partitions of a super stream.",
        spec="PROTOCOL.adoc, Partitions",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field("super_stream", STRING, "Name of the super stream.", role="stream"),
        ),
        shows="{super_stream}",
    ),
    FrameSchema(
        name="partitions",
        key=Key.PARTITIONS,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Names the partitions.",
        spec="PROTOCOL.adoc, Partitions",
        since="3.9.0",
        body=(
            *RESPONSE,
            _STREAMS,
        ),
        shows=f"{{streams}} {OUTCOME}",
        responses=(True, False),
    ),
    FrameSchema(
        name="partitions",
        key=Key.PARTITIONS,
        version=1,
        dialect="2020",
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Names the partitions.",
        spec="PROTOCOL.adoc of 2021, Partitions",
        body=(CORRELATION_ID, _STREAMS),
        shows=f"{{streams}} {OUTCOME}",
        responses=(True, False),
    ),
)
