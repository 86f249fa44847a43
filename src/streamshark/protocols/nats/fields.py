"""Fields that span verbs: what most filters ask for, whichever verb carries it."""

from typing import Final

from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable

FIELDS: Final[tuple[CommonTable, ...]] = (
    CommonField(
        name="subject",
        is_stream=True,
        doc="Subject of a message, or of interest.",
        members=("subject",),
    ),
    CommonField(
        name="sid",
        doc="Id of the subscription, chosen by the client.",
        members=("sid",),
    ),
    CommonField(
        name="queue",
        doc="Queue group of a subscription, or queue groups that are to get the message.",
        members=("queue_group", "queue_groups"),
    ),
    CommonFlag(name="failed", doc="The server reports an error: -ERR.", commands=("err",)),
)
