"""Segments that several writers append to in turns, and readers that others take offline."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.pravega.row_names import not_internal

_RAW: Final = (
    "writer.transaction is None and size_of_whole_events + len(data) > 0 and "
    "not starts(coalesce(C.block, data), EVENT_BEGINS) and "
    f"{not_internal('writer.segment')}"
)
"""The append has bytes without the head of an event."""
_RETURNS: Final = "tape.writer != writer_id and has(tape.writers, writer_id)"
TAKES_TURNS: Final = f"{_RETURNS} and coalesce(tape.returns, 0) + 1 >= RETURNS_LIMIT"
"""A writer of a byte stream appends again after another one has, as writers before it did."""

_LEAVES: Final = "between(event, '\\x00\\x03\\x00\\x01\\x00\\x00\\x00\\x00', '')"
EXPELS: Final = (
    "writer.group is not None and not starts(writer.segment, '_system/') and "
    "coalesce(writer.member, 0) == 0 and coalesce(council.gone, 0) == 0 and "
    f"council.readers > 0 and {_LEAVES} is not None and "
    "between(event, '#epoch', '') is None"
)
"""The row takes a connected reader out of its group, for another one, and without a position."""

GIVES_UP: Final = (
    "writer.rival == 1 and writer.block_n < writer.turned_n and "
    "(why in ('closed', 'reset') or t - writer.turned_t > GIVEN_UP)"
)
"""A writer of bytes appends nothing more, after another one was faster."""

SHARED_USE: Final[tuple[Table, ...]] = (
    Constant(name="GIVEN_UP", value="5 s", doc="Time in which a writer appends again."),
    Constant(name="EVENT_BEGINS", value=b"\0\0\0\0", doc="First bytes of an event."),
    Constant(name="RETURNS_LIMIT", value=2, doc="Times that a writer appends after another one."),
    Lifecycle(
        name="tape",
        scope="capture",
        doc="A segment that has bytes instead of events, and who appends to it.",
        key={"append_block_end": f"(server, writer.segment) if {_RAW} else None"},
        most=1024,
    ),
    Action(
        on="append_block_end",
        when=_RAW,
        do=f"tape.returns = coalesce(tape.returns, 0) + (1 if {_RETURNS} else 0); "
        "tape.other_n = tape.latest_n if tape.writer != writer_id else tape.other_n; "
        "tape.writer = writer_id; tape.latest_n = n; put(tape.writers, writer_id)",
    ),
    Lifecycle(
        name="quay",
        scope="capture",
        doc="A segment to which bytes are appended on a condition, and who tried to last.",
        key={"conditional_block_end": "server, writer.segment"},
        most=1024,
    ),
    Action(
        on="conditional_block_end",
        do="writer.block_n = n; "
        "writer.other = 1 if quay.writer != writer_id else writer.other; quay.writer = writer_id",
    ),
    Action(
        on="conditional_check_failed",
        when="writer.block_n is not None",
        do="writer.turned_n = n; writer.turned_t = t; writer.rival = writer.other",
    ),
)
"""Part of the tables of the protocol."""
