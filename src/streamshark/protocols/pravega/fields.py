"""Fields that span commands: what most filters ask for, whichever command carries it."""

from typing import Final

from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable
from streamshark.protocols.pravega.codes import ERRORS

FIELDS: Final[tuple[CommonTable, ...]] = (
    CommonField(
        name="segment",
        is_stream=True,
        doc="Name of the segment; of a merge, of target and sources; where the frame has only the "
        "writer or answers a request, the one that the connection knows.",
        members=("segment", "target", "source", "parent_segment"),
        paths=("merge_segments_batch.sources",),
        context="segment",
    ),
    CommonField(
        name="request_id",
        doc="Number that joins a request and its reply, or a writer's set-up and its appends.",
        members=("request_id",),
    ),
    CommonField(
        name="writer_id",
        doc="Writer, chosen by the client.",
        members=("writer_id",),
        but=("controller_txn_request.writer_id",),
    ),
    CommonFlag(
        name="failed",
        doc="The reply says why something was not done.",
        commands=(*ERRORS, "invalid_event_number", "conditional_check_failed"),
    ),
)
