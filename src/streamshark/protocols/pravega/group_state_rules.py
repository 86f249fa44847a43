"""Rules about reader groups and keys of tables: what a client does against their state."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.group_states import READS_STATE
from streamshark.protocols.pravega.row_names import not_internal
from streamshark.protocols.pravega.sources import CLIENT, WIRE

GROUP_STATE_RULES: Final = (
    Rule(
        id="PRV-B93",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reader group that was reset, and that none of its readers joined again",
        on="end:council",
        when="council.reset_n is not None and council.expelled > 0 and council.back_n is None and "
        "council.stayed > 0",
        needs="all",
        of="council",
        evidence="council.reset_n",
        message="reader group {council.group} was reset, which removes its "
        "{council.expelled:count reader}: the connection of one stayed for {STAYED:time} or more, "
        "and none joined the group again",
        cause="After a reset each read of a reader fails (ReinitializationRequiredException): it "
        "has to be closed, and another one created.",
        source=f"{CLIENT}, EventStreamReaderImpl.java; pravega issue 1894",
        healthy="A group that is reset when its readers are to stop.",
    ),
    Rule(
        id="PRV-B94",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reader group opened repeatedly, while readers that have gone are still in it",
        on="read_segment",
        when=READS_STATE,
        needs="all",
        of="council",
        evidence="n, council.back_n",
        message="the state of reader group {council.group} was read from its beginning "
        "{LOOKS_LIMIT} times and not changed, while {council.gone:count reader} whose connection "
        "has ended {'is' if council.gone == 1 else 'are'} still in it",
        cause="A reader cannot be added under a name that is still in the group, and the segments "
        "of one that has gone wait: call readerOffline for it first.",
        source=f"{CLIENT}, ReaderGroupStateManager.java, initializeReader; flink-connectors issue "
        "89",
        healthy="A program that watches the group.",
    ),
    Rule(
        id="PRV-B95",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="table keys removed on the condition that they do not exist",
        on="repetition:removed_absent",
        needs="",
        message="{ABSENT_LIMIT} keys of {segment} were to be removed with the version -1, which "
        "is that of a key that does not exist: it is refused, or removes nothing",
        cause="The client looks in this way whether a key exists, or passes the wrong version: "
        "READ_TABLE shows whether it does, and no version removes it in any case.",
        source=f"{WIRE}, RemoveTableKeys; pravega issue 6195",
        healthy="Client libraries before 0.11 look in this way.",
    ),
    Rule(
        id="PRV-B96",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="changes of table keys refused in a row, because of their versions",
        on="repetition:conflicting",
        needs="",
        worse_from=5,
        message="{CONFLICT_LIMIT} changes of keys of {req.segment} in a row were refused with "
        "table_key_bad_version",
        cause="The client keeps versions that are out of date, or does not read the key again "
        "before it repeats the change.",
        source=f"{WIRE}, TableKeyBadVersion",
        healthy="Many clients that write one key.",
    ),
    Rule(
        id="PRV-B97",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="most conditional appends to a segment refused, from several writers",
        on="conditional_check_failed",
        when="race.refused + 1 >= RACE_LIMIT and "
        "race.refused >= 2 * coalesce(race.agreed, 0) and count(race.writers) > 2 and "
        f"{not_internal('writer.segment')}",
        needs="",
        of="race",
        evidence="n, writer.sent_n, race.refused_n",
        message="{race.refused + 1} conditional appends of {count(race.writers)} writers to "
        "{writer.segment} were refused, and {coalesce(race.agreed, 0)} stored: each makes the "
        "others read and try again",
        cause="Many clients write to one segment in this way. Give each a segment of its own, or "
        "let one program write for all.",
        source=f"{WIRE}, ConditionalAppend, ConditionalCheckFailed",
        healthy="A burst of changes by many clients.",
    ),
)
"""Part of the rules of the protocol."""
