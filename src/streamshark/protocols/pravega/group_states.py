"""The state of reader groups and of keys of tables, and what contradicts it.

| object | state | what contradicts it |
|---|---|---|
| reader group | reset | its readers stay, and none joins it again |
| reader group | has readers whose connections have ended | its state is read again and again |
| key of a table | does not exist | it is to be removed on this condition |
| key of a table | has another version | updates and removals on condition, refused in a row |
"""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.pravega.row_names import NOT_INTERNAL, not_internal

OF_GROUP: Final = "writer.group is not None and not starts(writer.segment, '_system/')"
_UPDATE: Final = "between(event, '\\x00\\x{:02x}\\x00\\x0{}\\x00\\x00\\x00\\x00', '')"
"""What an update of a reader group's state says, by its type and version; None for others."""
_JOINED, _LEFT, _TO_BE_RESET = (_UPDATE.format(kind, 1) for kind in (2, 3, 12))
_RESET: Final = f"council.resetting == 1 and {_UPDATE.format(0, 3)} is not None"
READS_STATE: Final = (
    "offset == 0 and between(segment, '/_RG', '/') is not None and council.gone > 0 and "
    "coalesce(council.looks, 0) + 1 == LOOKS_LIMIT"
)
"""The row reads the state of a group with readers that have gone, as rows before it did."""
NOT_THERE: Final = "any_eq(keys.key_version, -1)"
"""The row removes a key of a table on the condition that it does not exist."""

GROUP_STATES: Final[tuple[Table, ...]] = (
    Constant(name="LOOKS_LIMIT", value=6, doc="Times that the state of a group is read."),
    Constant(name="STAYED", value="5 s", doc="Time in which a reader joins a reset group again."),
    Constant(name="ABSENT_LIMIT", value=3, doc="Keys that are removed if they do not exist."),
    Constant(name="ABSENT_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="RACE_LIMIT", value=12, doc="Refused conditional appends to a segment."),
    Constant(name="CONFLICT_LIMIT", value=5, doc="Changes of keys that are refused in a row."),
    Constant(name="CONFLICT_PAUSE", value="10 s", doc="Longest time between two of them."),
    Lifecycle(
        name="council",
        scope="capture",
        doc="The readers of a reader group, by the segment of its state.",
        key={
            "conditional_append conditional_check_failed end:writer": (
                f"(server, writer.segment) if {OF_GROUP} else None"
            ),
            "read_segment": "(server, segment) if offset == 0 and "
            "between(segment, '/_RG', '/') is not None and not starts(segment, '_system/') "
            "else None",
        },
        most=1024,
    ),
    Action(
        on="conditional_append",
        when=OF_GROUP,
        do="council.looks = 0; council.group = writer.group; "
        f"writer.joins = 1 if {_JOINED} is not None else -1 if {_LEFT} is not None else 0; "
        "council.readers = coalesce(council.readers, 0) + writer.joins; "
        "writer.member = coalesce(writer.member, 0) + (1 if writer.joins == 1 else 0); "
        "council.back_n = n if writer.joins == 1 else council.back_n",
    ),
    Action(
        on="conditional_append",
        when=f"{OF_GROUP} and writer.joins == -1",
        do="writer.member = writer.member - 1 if writer.member > 0 else 0; "
        "council.gone = council.gone - 1 if council.gone > 0 and writer.member == 0 else "
        "council.gone",
    ),
    Action(
        on="conditional_check_failed",
        when=OF_GROUP,
        do="council.readers = council.readers - writer.joins; "
        "writer.member = writer.member - (1 if writer.joins == 1 else 0)",
    ),
    Action(on="conditional_append", when=f"{OF_GROUP} and {_RESET}",
           do="council.reset_n = n; council.reset_t = t; council.expelled = council.readers; "
           "council.readers = 0; council.gone = 0; council.back_n = None; "
           "council.resetting = None; roster.readers = 0"),
    Action(on="conditional_append", when=f"{OF_GROUP} and {_TO_BE_RESET} is not None",
           do="council.resetting = 1"),
    Action(
        on="end:writer",
        when=f"{OF_GROUP} and writer.member > 0 and why in ('closed', 'reset') and "
        "council.reset_n is None",
        do="council.gone = coalesce(council.gone, 0) + writer.member",
    ),
    Action(
        on="end:writer",
        when=f"{OF_GROUP} and writer.member > 0 and t - council.reset_t >= STAYED",
        do="council.stayed = coalesce(council.stayed, 0) + 1",
    ),
    Action(on="read_segment", when="council.gone > 0 and offset == 0",
           do="council.looks = coalesce(council.looks, 0) + 1"),
    Repetition(
        name="removed_absent",
        on="remove_table_keys",
        when=f"{NOT_INTERNAL} and {NOT_THERE}",
        per="client, server, segment",
        limit="ABSENT_LIMIT",
        pause="ABSENT_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="conflicting",
        on="table_key_bad_version",
        when=not_internal("req.segment"),
        per="client, server, req.segment",
        question="req.n",
        limit="CONFLICT_LIMIT",
        pause="CONFLICT_PAUSE",
        may_back_off=False,
        breaks="table_entries_updated table_keys_removed",
    ),
    Lifecycle(
        name="race",
        scope="capture",
        doc="A segment to which writers append on the condition of its length.",
        key={
            "conditional_check_failed": "server, writer.segment",
            "data_appended": "(server, writer.segment) if writer.expected is not None else None",
        },
        most=1024,
    ),
    Action(on="conditional_check_failed",
           do="race.refused = coalesce(race.refused, 0) + 1; put(race.writers, writer_id); "
           "race.refused_n = coalesce(race.refused_n, n)"),
    Action(on="data_appended", when="writer.expected is not None",
           do="race.agreed = coalesce(race.agreed, 0) + 1"),
)  # fmt: skip
"""Part of the tables of the protocol."""
