"""Readers that stop at a cut, and readers of one group that read the same segment."""

from typing import Final

from streamshark.conversations.tables import CAPTURED, Action, Constant, Lifecycle, Table
from streamshark.protocols.pravega.behaviours import SHELVED
from streamshark.protocols.pravega.group_states import OF_GROUP
from streamshark.protocols.pravega.row_names import NOT_INTERNAL, not_internal

_IS_PROGRAMS: Final = not_internal("input.segment")
_READS: Final = f"input.reads >= TURNS_LEAST and input.reached > input.began and {_IS_PROGRAMS}"
_AT_ONCE: Final = (
    "pile.until_t - input.t > AT_ONCE and input.sought_t - pile.since_t > AT_ONCE and "
    "input.latest > pile.began and pile.latest > input.began"
)
"""Another connection reads the segment at the same time, and for some time, and the same bytes."""
STOPPED: Final = (
    "pile.cut_n is not None and pile.lost is None and pile.looked_t - pile.cut_t < AT_ONCE and "
    "pile.wrote_t - pile.cut_t > STOPPED_FOR"
)
"""Nothing read the segment after a read had met its cut, though events were appended."""
READ_BY_TWO: Final = (
    "pile.twice_n is not None and pile.lost is None and count(guild.groups) == 1 and "
    "guild.readers >= 2"
)
"""Two readers have read a segment at the same time, and all readers are in one group."""

_IS_SPENT: Final = (
    "conn.spent_t is not None and C.frames - coalesce(conn.alives, 0) == conn.spent_after and "
    "t - conn.spent_t > SPENT_FOR and conn.internal_n is None"
)
"""Since a segment was read to its end, nothing but KEEP_ALIVE was sent on the connection."""

_BEGINS: Final = "writer.transaction is not None and last_event_number == 1"
"""The row is the first event of a transaction, alone."""
WRITTEN_AGAIN: Final = (
    "writer.same_as is not None and last_event_number >= 3 and transaction.merged_n is not None "
    "and transaction.merged_n < writer.setup_n"
)
"""The transaction begins as another one of the segment, which had been committed before."""

READING_STOPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="draft",
        scope="capture",
        doc="Events of a transaction, as one append has them.",
        key={
            "append_block_end": "(server, between(writer.segment, '', '#transaction'), "
            f"digest(coalesce(C.block, data))) if {_BEGINS} else None"
        },
        most=1024,
    ),
    Action(
        on="append_block_end",
        when=_BEGINS,
        do="writer.same_as = draft.segment; draft.segment = writer.segment; draft.sent_n = n",
    ),
    Constant(name="SPENT_FOR", value="2 s", doc="Time for which a connection is of no use."),
    Constant(name="SPENT_AGAIN", value=3, doc="Connections that are opened beside such ones."),
    Lifecycle(
        name="spent",
        scope="capture",
        doc="The connections of a client that stay open when their segment is read to its end.",
        key={"end:conn": f"(client, server) if {_IS_SPENT} else None"},
        most=1024,
    ),
    Action(
        on="end:conn",
        when="conn.t > spent.since",
        do="spent.beside = coalesce(spent.beside, 0) + 1; spent.beside_n = conn.spent_n",
    ),
    Action(
        on="end:conn",
        do="spent.count = coalesce(spent.count, 0) + 1; "
        "spent.since = max(coalesce(spent.since, 0), conn.spent_t); spent.flow = flow; "
        "spent.first_n = coalesce(spent.first_n, conn.spent_n)",
    ),
    Constant(name="TURNS_LEAST", value=4, doc="Reads of a segment by each of two readers."),
    Constant(name="AT_ONCE", value="2 s", doc="Time in which two readers read one segment."),
    Constant(name="STOPPED_FOR", value="5 s", doc="Time in which a reader goes on after a cut."),
    Lifecycle(
        name="pile",
        scope="capture",
        doc="A segment of a program: who reads it, and where it was cut.",
        key={
            "end:input": f"(server, input.segment) if {_IS_PROGRAMS} else None",
            "end:writer": f"(server, writer.segment) if {SHELVED} else None",
            "segment_is_truncated": f"(server, segment) if {NOT_INTERNAL} else None",
        },
        most=4096,
    ),
    Action(on="read_segment", do="input.sought_t = t"),
    Action(
        on="segment_is_truncated",
        when="req.asked == 'read_segment'",
        do="pile.cut_n = n; pile.cut_t = t; pile.asked_n = req.n; pile.place = req.start; "
        "pile.start = start_offset; pile.flow = flow",
    ),
    Action(
        on="end:input",
        do="pile.looked_t = max(coalesce(pile.looked_t, 0), input.sought_t); "
        "pile.segment = input.segment; pile.host = server; "
        f"pile.lost = coalesce(pile.lost, None if {CAPTURED} else 1)",
    ),
    Action(
        on="end:input",
        when=f"{_READS} and {_AT_ONCE}",
        do="pile.twice_n = coalesce(pile.twice_n, min(input.asked_n, pile.read_n)); "
        "pile.again_n = max(input.asked_n, pile.read_n); "
        "pile.shared = min(input.reached, pile.reached) - max(input.began, pile.began); "
        "pile.flow = flow",
    ),
    Action(
        on="end:input",
        when=_READS,
        do="pile.since_t = input.t; pile.until_t = input.sought_t; pile.began = input.began; "
        "pile.latest = input.latest; pile.reached = input.reached; "
        "pile.read_n = input.asked_n",
    ),
    Action(
        on="end:writer",
        when=SHELVED,
        do="pile.wrote_t = max(coalesce(pile.wrote_t, 0), writer.last_t); "
        "pile.wrote_n = writer.sent_n; "
        f"pile.lost = coalesce(pile.lost, None if {CAPTURED} else 1)",
    ),
    Lifecycle(
        name="guild",
        scope="capture",
        doc="The reader groups whose states a store has, and how many readers joined them.",
        key={
            "conditional_append": f"server if {OF_GROUP} else None",
            "end:pile": "pile.host",
        },
        most=256,
    ),
    Action(
        on="conditional_append",
        when="writer.joins == 1",
        do="put(guild.groups, writer.segment); guild.readers = coalesce(guild.readers, 0) + 1",
    ),
)
"""Part of the tables of the protocol."""
