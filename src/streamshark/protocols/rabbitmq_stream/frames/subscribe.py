"""Subscribe (0x07): a client asks for a stream's messages from some place on.

The response is the plain one. 2: no such stream; 3: the id is in use; 6: this node has no
replica, or the stream is down; 16: no read permission; 17: a single active consumer without a
name, a name of over 255 bytes (4.0.3), filters while that feature is off, or a 257th subscription
(4.3.5).

The document does not say that the offset is absent for types 1 to 3 (8 bytes there crash the
broker's parser), that the whole list of properties may be absent, nor the properties `name` and
`chunk_selector`; its example of a response bit gives subscribe the key 6. A type that does not
exist makes the broker close the connection without an error (seen on 3.10.8).

Spec: PROTOCOL.adoc, "Subscribe".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OFFSET_SPECIFICATION,
    OUTCOME_OF_STREAM,
    PROPERTIES,
    RESPONSE,
    STREAM,
    SUBSCRIPTION_ID,
)
from streamshark.schema import U16, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="subscribe",
        key=Key.SUBSCRIBE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for a stream's messages.",
        spec="PROTOCOL.adoc, Subscribe",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            SUBSCRIPTION_ID,
            STREAM,
            *OFFSET_SPECIFICATION,
            field(
                "credit",
                U16,
                "Chunks that the server may send before it needs Credit; 0 for none yet.",
                unit="chunks",
            ),
            PROPERTIES,
        ),
        shows=(
            "{stream} from={offset_type} offset={offset} timestamp={timestamp} "
            "name={properties[name]} {properties[single-active-consumer]?sac} "
            "super_stream={properties[super-stream]} filter={properties[filter.0]} "
            "credit={credit} sub={subscription_id}"
        ),
    ),
    FrameSchema(
        name="subscribe",
        key=Key.SUBSCRIBE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether messages will come.",
        spec="PROTOCOL.adoc, Subscribe",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME_OF_STREAM,
    ),
)
