"""Fields that span frame types: stream and flags of every frame."""

from typing import Final

from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable

FIELDS: Final[tuple[CommonTable, ...]] = (
    CommonField(
        name="stream_id",
        doc="Stream of the frame; 0 is the connection.",
        members=("stream_id",),
    ),
    CommonField(
        name="route",
        is_stream=True,
        doc="Route of the request: the tags of its routing metadata, of which the first is usually "
        "the route.",
        members=("tags",),
    ),
    CommonField(
        name="flags",
        doc="Flags of the frame; what a bit means depends on the frame type.",
        members=("flags",),
        but=("tracing.flags",),
        by_flag=True,
    ),
    CommonFlag(name="failed", doc="The frame is an ERROR.", commands=("error",)),
)
