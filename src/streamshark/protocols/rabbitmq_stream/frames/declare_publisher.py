"""DeclarePublisher (0x01): a client announces a publisher for a stream.

The response is the plain one. 2: no such stream; 6: no leader; 16: no write permission; 17: the
publisher id, or the pair of stream and reference, is taken on this connection, the reference is
too long, 256 publishers are there already (4.3.5), or a resource alarm is on.

The document writes PublisherReference in the brackets of an array; it is one string. Dialect
`2020`: the older document's production ends the response with a PublisherId, which no broker
sends.

Spec: PROTOCOL.adoc, "DeclarePublisher".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME_OF_STREAM,
    PUBLISHER_ID,
    REFERENCE,
    RESPONSE,
    STREAM,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="declare_publisher",
        key=Key.DECLARE_PUBLISHER,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Announces a publisher for a stream.",
        spec="PROTOCOL.adoc, DeclarePublisher",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            PUBLISHER_ID,
            field(
                "publisher_reference",
                REFERENCE,
                "Name under which the broker remembers publishing ids; empty for no deduplication.",
                role="reference",
            ),
            STREAM,
        ),
        shows="{stream} reference={publisher_reference?} pub={publisher_id}",
    ),
    FrameSchema(
        name="declare_publisher",
        key=Key.DECLARE_PUBLISHER,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the publisher may publish.",
        spec="PROTOCOL.adoc, DeclarePublisher",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME_OF_STREAM,
    ),
    FrameSchema(
        name="declare_publisher",
        key=Key.DECLARE_PUBLISHER,
        version=1,
        dialect="2020",
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the publisher may publish, and names it again.",
        spec="PROTOCOL.adoc of 2021, DeclarePublisher",
        body=(*RESPONSE, Tail(PUBLISHER_ID)),
        shows=OUTCOME_OF_STREAM,
    ),
)
