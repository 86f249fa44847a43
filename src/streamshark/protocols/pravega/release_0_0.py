"""Dialect `0.0`: the layouts of 0.0-prerelease (January 2017), before HELLO and request ids.

Bytes do not say that they are of it: where an id of eight bytes is later, a segment's name
begins here. So it is chosen by the user. Most frames are the later ones without their request id
and without what came at the end since; what did not change is read as it is now.

Source: `WireCommands` of tag 0.0-prerelease.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import OLDEST, REQUEST_ID, SEGMENT, WRITER_ID
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Sender, Tail, field, raw

SPEC: Final = "WireCommands of tag 0.0-prerelease"
WITHOUT_REQUEST_ID: Final = frozenset(
    {
        TypeCode.SETUP_APPEND,
        TypeCode.APPEND_SETUP,
        *range(TypeCode.GET_STREAM_SEGMENT_INFO, TypeCode.TRANSACTION_INFO + 1),
        *range(TypeCode.SEGMENT_CREATED, TypeCode.SEGMENT_DELETED + 1),
        *range(TypeCode.WRONG_HOST, TypeCode.NO_SUCH_TRANSACTION + 1),
    }
)
"""Frames that differ in the request id alone."""
OTHERS: Final = (
    FrameSchema(
        name="append_block_end",
        key=TypeCode.APPEND_BLOCK_END,
        dialect=OLDEST,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Ends an append block.",
        spec=SPEC,
        body=(
            WRITER_ID,
            field("last_event_number", I64, "Number of the last event.", role="identifies"),
            field("size_of_whole_events", I32, "Bytes of whole events.", unit="bytes"),
            field("data", raw(I32, slot="pravega.block"), "The rest of the last event."),
        ),
        shows="{@segment} events={num_events} last={last_event_number} writer={writer_id}",
    ),
    FrameSchema(
        name="create_segment",
        key=TypeCode.CREATE_SEGMENT,
        dialect=OLDEST,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for a new segment.",
        spec=SPEC,
        body=(SEGMENT,),
        shows="{segment}",
    ),
)
"""Frames that differ in more."""


def oldest(frames: Iterable[FrameSchema]) -> tuple[FrameSchema, ...]:
    """Return the frames of the dialect that are not those of later releases."""
    derived = [
        replace(
            each,
            dialect=OLDEST,
            spec=SPEC,
            body=tuple(
                member
                for member in each.body
                if member is not REQUEST_ID and not isinstance(member, Tail)
            ),
        )
        for each in frames
        if each.key in WITHOUT_REQUEST_ID
    ]
    return (*derived, *OTHERS)
