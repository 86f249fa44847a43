"""Fields that span commands: what most filters ask for, whichever command carries it."""

from typing import Final

from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable
from streamshark.protocols.rabbitmq_stream.codes import ResponseCode

_CODES: Final = ("response_code", "code", "closing_code")

FIELDS: Final[tuple[CommonTable, ...]] = (
    CommonField(
        name="response_code",
        doc="How a request ended; also of each stream in Metadata, of a message that was not "
        "stored, of a Close.",
        members=_CODES,
    ),
    CommonFlag(
        name="failed",
        doc="A response code is neither ok nor sasl_challenge.",
        members=_CODES,
        unless=(ResponseCode.OK, ResponseCode.SASL_CHALLENGE),
    ),
    CommonField(
        name="stream",
        is_stream=True,
        doc="Name of the stream; where the frame has only the id of a publisher or of a "
        "subscription, or answers a request, the one that the connection knows.",
        members=("stream", "stream_name"),
        paths=(
            "metadata.streams",
            "route_response.streams",
            "partitions_response.streams",
            "create_super_stream.partitions",
        ),
        context="stream",
    ),
    CommonField(
        name="publisher_id",
        doc="Publisher, a number that the client chose.",
        members=("publisher_id",),
    ),
    CommonField(
        name="subscription_id",
        doc="Subscription, a number that the client chose.",
        members=("subscription_id",),
    ),
    CommonField(
        name="offset",
        doc="Offset in the stream; of a Deliver, that of the first message of its chunk.",
        members=("offset",),
        paths=("deliver.chunk.chunk_id",),
        but=("deliver.chunk.entries.tracking.offset", "deliver.chunk.trailer.tracking.offset"),
    ),
)
