"""Messages of Pravega: events in appends, and in segments that are read."""

from streamshark.conversations.messages import DELIVERED, PUBLISHED, MessageSource

_EVENT = (("type_code", "event"),)

MESSAGES = (
    MessageSource(
        command="append_block_end",
        way=PUBLISHED,
        items=("data",),
        only_items=_EVENT,
        stream=("segment",),
        body=("data",),
    ),
    MessageSource(
        command="conditional_append",
        way=PUBLISHED,
        stream=("segment",),
        number="event_number",
        body=("event",),
    ),
    MessageSource(
        command="segment_read",
        way=DELIVERED,
        items=("data",),
        only_items=_EVENT,
        stream=("segment",),
        body=("data",),
    ),
)
