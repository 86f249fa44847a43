"""Faults and near misses of the fifth round of the blind test: see docs/checking.md."""

from captures.recorders.marks import MOST, Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, Facts, scenario

JAVA, PY = "FifthRound.java", "fifth_round.py"
TABLES = rb"^\x00\x00\x00[\x51-\x58].*scope/users"
"""Requests that read the table."""
READ_FROM_0 = rb"^\x00\x00\x00\x09.*scope/leases.*#epoch\.0\x00{8}"
DELTA = rb"^\x00\x00\x00\x58.*farm/workers"
"""READ_TABLE_ENTRIES_DELTA of the reader group's table."""
TRUNCATED = rb"^\x00\x00\x00\x38"
"""SEGMENT_IS_TRUNCATED."""


def called(method: str, *, skip: int = 0, most: int = MOST) -> Shown:
    """The calls of a method of the controller."""
    shown = f'http2.headers.path matches "/{method}$"'
    return Shown(f"a call of {method}", shown, skip=skip, most=most)


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "FifthRound", play)


def runs(play: str) -> Facts:
    """Five runs of a worker by the Python client."""
    counted = [clients.drive(PYTHON, PY, f"{play}:{run}")["read"] for run in range(5)]
    return {"read": sum(int(str(each)) for each in counted)}


@scenario(
    "All events of a stream with four segments have the same routing key, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/pravega#3005, #5161 (routing keys and segments); the key is a variant of this "
    "repository",
    fault="The stream calls has four segments, and the writer gives each of its 90 events, which "
    "are of thirteen lines, the routing key calls: all go to one segment, and the three others "
    "stay empty.",
    shows="90 events of thirteen lines.",
    marks=(Mark(None, "client", rb"call \d+ of line"),),
)
def bug_routing_key_constant_java() -> Facts:
    return java("routing_key_constant")


@scenario(
    "Events of a stream with four segments have the routing keys of thirteen lines, by Java",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#3005",
    shows="90 events of thirteen lines.",
)
def routing_key_per_line_java() -> Facts:
    return java("routing_key_per_line")


@scenario(
    "A transaction is committed at each checkpoint, with or without events, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/flink-connectors#30, pravega/pravega#1160 (a transaction for each checkpoint); "
    "the waste is a variant of this repository",
    fault="The sink begins and commits a transaction at each of 16 checkpoints, and events came "
    "for three only: 13 transactions are created, sealed and merged with nothing in them, each by "
    "several calls.",
    shows="16 transactions, three of which have events.",
    marks=(
        called("commitTransaction", most=1),
        called("commitTransaction", skip=2, most=6),
        called("commitTransaction", skip=9, most=6),
    ),
)
def bug_empty_transactions_java() -> Facts:
    return java("empty_transactions")


@scenario(
    "A transaction is begun when there are events for it, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/flink-connectors#30",
    shows="Three transactions of six events.",
)
def transactions_with_events_java() -> Facts:
    return java("transactions_with_events")


@scenario(
    "A program splits and merges the segments of a stream again and again, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="churn",
    thread="pravega/pravega#2887 (scaling by programs); the loop is a variant of this repository",
    fault="Four times within some seconds the only segment is split into two, and both are merged "
    "again, though the stream gets no events: each time segments are sealed and created, and a new "
    "epoch begins.",
    shows="Eight scales of a stream without events.",
    marks=(called("scale", skip=2),),
)
def bug_scaled_to_and_fro_java() -> Facts:
    return java("scaled_to_and_fro")


@scenario(
    "A stream is split, and merged some seconds later, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2887",
    shows="Two scales of a stream.",
)
def scaled_twice_java() -> Facts:
    return java("scaled_twice")


@scenario(
    "A table is read whole to find one key, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/pravega#4935 (gets of tables); the scan is a variant of this repository",
    fault="For each of 15 users all 80 entries of the table are read by an iterator, and all but "
    "one are thrown away; the key is known, and one READ_TABLE with it would do.",
    shows="80 entries, and 15 searches.",
    marks=(Mark(None, "client", TABLES, skip=2, across=True),),
)
def bug_table_scanned_for_one_key_java() -> Facts:
    return java("table_scanned_for_one_key")


@scenario(
    "A table is asked for one key now and then, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#4935",
    shows="80 entries, and 15 gets.",
)
def table_key_asked_java() -> Facts:
    return java("table_key_asked")


@scenario(
    "A stream is truncated at its tail while its reader has not read that far, by Java",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="sequence",
    thread="pravega/pravega#2664, #4272, #2644",
    fault="After each shift of the reader, which has read nine of twenty events, the program "
    "truncates the stream at its tail: the events between are gone before the group billing has "
    "read them, and its next reader is answered by SEGMENT_IS_TRUNCATED.",
    shows="Seven shifts of a reader of nine events, and 20 events for each.",
    marks=(called("truncateStream"), Mark(None, "server", TRUNCATED)),
)
def bug_truncates_unread_events_java() -> Facts:
    return java("truncates_unread_events")


@scenario(
    "A stream is truncated where its reader is, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2664",
    shows="Seven shifts of a reader of nine events, and 20 events for each.",
)
def truncates_read_events_java() -> Facts:
    return java("truncates_read_events")


@scenario(
    "Two programs state different numbers of segments for one stream, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="churn",
    thread="pravega/pravega#2887, #6018 (an update scales the stream), #557",
    fault="Two programs call updateStream at each start, one with three segments and the other "
    "with one: each start seals the segments of the other and creates its own, eight times.",
    shows="Eight starts of two programs.",
    marks=(called("updateStream", skip=1),),
)
def bug_segments_flip_java() -> Facts:
    return java("segments_flip")


@scenario(
    "Two programs state the same configuration at each start, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2883",
    shows="Three starts of two programs.",
)
def configuration_stated_again_java() -> Facts:
    return java("configuration_stated_again")


@scenario(
    "A state is never compacted, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="leak",
    thread="pravega/pravega#3297 (compact), #4122",
    fault="Eight runs append 18 updates each to the state of three workers and never compact it: "
    "each run reads all updates of all runs from offset 0, of which all but the last three are out "
    "of date.",
    shows="Eight runs of a StateSynchronizer with 18 updates.",
    marks=(Mark(None, "client", READ_FROM_0, skip=1, across=True),),
)
def bug_state_never_compacted_java() -> Facts:
    return java("state_never_compacted")


@scenario(
    "A state is compacted at the end of each run, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#3297",
    shows="Eight runs of a StateSynchronizer with 18 updates.",
)
def state_compacted_java() -> Facts:
    return java("state_compacted")


@scenario(
    "Readers end without going offline, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="abandoned",
    thread="pravega/pravega-client-rust#332, #257",
    fault="Each of five runs joins the group workers under a new name and ends without "
    "reader_offline: both segments stay with worker-0, which took them, and the four later workers "
    "never get any event, though 52 jobs are left.",
    shows="60 jobs, and five runs of a worker.",
    marks=(Mark(None, "client", rb"assigned_segments/worker-[1234]-"),),
)
def bug_readers_die_without_offline_py() -> Facts:
    return runs("readers_die_without_offline")


@scenario(
    "Readers release their segments and go offline, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega-client-rust#332",
    shows="60 jobs, and five runs of a worker.",
)
def readers_leave_py() -> Facts:
    return runs("readers_leave")


@scenario(
    "A segment is taken and released for each event, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="waste",
    thread="pravega/pravega-client-rust#165 (a slice that is released goes on)",
    fault="For each of 45 events the reader takes the segment slice, reads one event and releases "
    "the slice: each take asks the table of the group for its changes "
    "(READ_TABLE_ENTRIES_DELTA) and waits for the answer: some fifty round trips for events that "
    "came in four reads.",
    shows="45 events, and a slice for each.",
    marks=(Mark(None, "client", DELTA, skip=5, across=True),),
)
def bug_slice_per_event_py() -> Facts:
    return clients.drive(PYTHON, PY, "slice_per_event")


@scenario(
    "A segment is released after the events of its slice, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega-client-rust#165",
    shows="45 events in some slices.",
)
def slices_of_many_events_py() -> Facts:
    return clients.drive(PYTHON, PY, "slices_of_many_events")


@scenario(
    "Half a minute of a stream that is scaled twice, whose readers come and go, by Java",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega-samples",
    shows="Four readers at different times, transactions, a table, and a writer that is started "
    "again.",
)
def long_day_java() -> Facts:
    return java("long_day_java")


@scenario(
    "Writer and reader are restarted four times, with transactions, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega-client-rust",
    shows="Five runs of a writer, a reader, a transaction and a byte stream.",
)
def long_day_py() -> Facts:
    return clients.drive(PYTHON, PY, "long_day_py")
