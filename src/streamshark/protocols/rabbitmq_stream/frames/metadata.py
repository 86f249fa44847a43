"""Metadata (0x0f): a client asks where streams are.

The response has no response code of its own, which the document's general form of responses
hides. References are to be taken as opaque. Streams come in any order; the replicas leave the
leader out. `ffff` as leader means that none is known: with a code that is not 1, and with 1 while
the leader's node does not answer. Codes of a stream: 1, 2, 6, and 16 for one that the user may
not see (4.2.9 and 4.3.3 on). LeaderReference and ReplicasReferences are called `leader` and
`replicas` here.

The older document's production of StreamMetadata lacks the response code, its field list has it.

Spec: PROTOCOL.adoc, "Metadata".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key, ResponseCode
from streamshark.protocols.rabbitmq_stream.types import CORRELATION_ID, STRING, array, last_array
from streamshark.schema import U16, U32, FrameKind, FrameSchema, Record, Sender, field

_BROKER = Record(
    field("reference", U16, "Number of this node in this response."),
    field("host", STRING, "Host name that the node advertises.", role="host"),
    field("port", U32, "Port that the node advertises.", role="port"),
)
_STREAM_METADATA = Record(
    field("stream_name", STRING, "Name of the stream.", role="stream"),
    field("response_code", U16, "Whether the stream is there; 1 if so.", names=ResponseCode),
    field("leader", U16, "Reference of the leader's node; 65535 when none is known."),
    field("replicas", array(U16), "References of the other nodes that hold the stream."),
)

FRAMES = (
    FrameSchema(
        name="metadata",
        key=Key.METADATA,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks where streams are.",
        spec="PROTOCOL.adoc, Metadata",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field(
                "streams", last_array(STRING), "Names of the streams asked about.", role="stream"
            ),
        ),
        shows="{streams}",
    ),
    FrameSchema(
        name="metadata",
        key=Key.METADATA,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Lists the leader and replicas of streams.",
        spec="PROTOCOL.adoc, Metadata",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field("brokers", array(_BROKER), "Nodes that hold one of the streams."),
            field("streams", last_array(_STREAM_METADATA), "The streams asked about."),
        ),
        shows=(
            "{streams.stream_name}@{brokers.host|streams.leader=brokers.reference}"
            ":{brokers.port|streams.leader=brokers.reference} "
            "code={streams.response_code:ok ok?}"
        ),
    ),
)
