"""Fields that span the rows of a call: its method, and how it ended."""

from typing import Final

from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable
from streamshark.protocols.grpc.codes import Status

FIELDS: Final[tuple[CommonTable, ...]] = (
    CommonField(
        name="method",
        doc="Method of the call: the last part of its path.",
        members=("method",),
    ),
    CommonField(
        name="status",
        doc="Status with which the call ended; -1 if it is unknown.",
        members=("status",),
    ),
    CommonFlag(
        name="failed",
        doc="The call ended with a status other than ok, or was reset.",
        commands=("reset",),
        members=("status",),
        unless=(Status.OK, -1),
    ),
)
