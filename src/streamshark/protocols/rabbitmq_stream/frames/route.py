"""Route (0x18): a client asks which partitions of a super stream a routing key leads to.

An empty list with code 1 means that nothing is bound to the key; with 2 or 16 it is empty too.
The first 3.9 patches answer with one string in place of the list, and so does the codec of later
brokers' own tests: the form that uses up the frame is taken. Broker 3.10.8 answers with the
response bit clear. Dialect `2020`: the older document's response, one string and no response
code.

Spec: PROTOCOL.adoc, "Route".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME,
    RESPONSE,
    STRING,
    last_array,
)
from streamshark.schema import Fits, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="route",
        key=Key.ROUTE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks which partitions of a super stream a routing key leads to.",
        spec="PROTOCOL.adoc, Route",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field("routing_key", STRING, "Key of the message to be published."),
            field("super_stream", STRING, "Name of the super stream.", role="stream"),
        ),
        shows="{super_stream} key={routing_key}",
    ),
    FrameSchema(
        name="route",
        key=Key.ROUTE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Names the partitions.",
        spec="PROTOCOL.adoc, Route",
        since="3.9.0",
        body=(
            *RESPONSE,
            Fits(
                list=(
                    field("streams", last_array(STRING), "Names of the partitions.", role="stream"),
                ),
                single=(field("stream", STRING, "Name of the partition.", role="stream"),),
            ),
        ),
        shows=f"{{streams}} {{stream}} {OUTCOME}",
        responses=(True, False),
    ),
    FrameSchema(
        name="route",
        key=Key.ROUTE,
        version=1,
        dialect="2020",
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Names the partition.",
        spec="PROTOCOL.adoc of 2021, Route",
        body=(CORRELATION_ID, field("stream", STRING, "Name of the partition.", role="stream")),
        shows=f"{{streams}} {{stream}} {OUTCOME}",
        responses=(True, False),
    ),
)
