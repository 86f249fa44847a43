"""QueryPublisherSequence (0x05): a client asks for the last publishing id stored for a reference.

The sequence is always there: 0 when nothing is stored, and on an error (2, 16). So code 1 with 0
may mean that nothing is stored, or that the last id was 0.

Spec: PROTOCOL.adoc, "QueryPublisherSequence".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME_OF_STREAM,
    REFERENCE,
    RESPONSE,
    STREAM,
)
from streamshark.schema import U64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="query_publisher_sequence",
        key=Key.QUERY_PUBLISHER_SEQUENCE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for the last publishing id stored for a publisher reference.",
        spec="PROTOCOL.adoc, QueryPublisherSequence",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field(
                "publisher_reference",
                REFERENCE,
                "Name that the publisher declared.",
                role="reference",
            ),
            STREAM,
        ),
        shows="{stream} reference={publisher_reference}",
    ),
    FrameSchema(
        name="query_publisher_sequence",
        key=Key.QUERY_PUBLISHER_SEQUENCE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Gives the last publishing id stored.",
        spec="PROTOCOL.adoc, QueryPublisherSequence",
        since="3.9.0",
        body=(
            *RESPONSE,
            field(
                "sequence",
                U64,
                "Highest publishing id stored; 0 when there is none or on an error.",
            ),
        ),
        shows=f"{OUTCOME_OF_STREAM} sequence={{sequence}}",
    ),
)
