"""Faults and near misses of the ninth round of the blind test: see docs/checking.md."""

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.scenarios_seventh_round import called
from captures.recorders.pravega.setup import NEW, Facts, scenario

JAVA = "NinthRound.java"


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "NinthRound", play)


def started_again(play: str) -> Facts:
    """A worker whose program is halted, and the one that is started after it."""
    first = java("halts")
    return {**{f"{name}_first": number for name, number in first.items()}, **java(play)}


@scenario(
    "A reader is added again under a name that is still in its group, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="reader groups and ownership",
    thread="pravega/flink-connectors#89, pravega/pravega#694",
    fault="The program of handler-0 was halted, so handler-0 is still in the group handlers and "
    "owns its segments; the new program asks for a reader of that name twelve times, is refused "
    "by the state of the group each time, and never calls readerOffline: the claims wait.",
    shows="A worker that is halted and started again, 40 events, and 30 further events.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x09.*_RGhandlers", skip=3, across=True),),
)
def bug_reader_added_again_java() -> Facts:
    return started_again("joins_again")


@scenario(
    "A reader that was halted is declared offline before it is added again, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/flink-connectors#89",
    shows="A worker that is halted and started again, 40 events, and 30 further events.",
)
def reader_offline_before_it_is_added_java() -> Facts:
    return started_again("joins_after_offline")


@scenario(
    "Events are fetched by pointers into what was truncated, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="retention and truncation",
    thread="pravega/pravega#2441, #2017",
    fault="The program keeps pointers to letters, truncates the stream at its tail, and fetches "
    "the letters after that: the store answers each READ_SEGMENT by SEGMENT_IS_TRUNCATED, and the "
    "program goes on with the next pointer, nine times.",
    shows="36 events, a truncation, and nine events that are fetched by their pointers.",
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x38"),),
)
def bug_pointers_to_truncated_events_java() -> Facts:
    return java("pointers_to_truncated_events")


@scenario(
    "Events are fetched by pointers before the stream is truncated, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2441",
    shows="36 events, nine events that are fetched by their pointers, and a truncation.",
)
def pointers_before_truncation_java() -> Facts:
    return java("pointers_before_truncation")


@scenario(
    "A program looks whether keys exist by removing them, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="keys and versions of a table",
    thread="pravega/pravega#6195",
    fault="To see whether a coupon exists the program removes its key on the condition that it "
    "does not exist, and takes the refusal (TABLE_KEY_BAD_VERSION) for yes: each look is a write "
    "on condition that fails twenty times, where READ_TABLE would answer.",
    shows="A table of 20 keys, and 26 keys that are looked for.",
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x52"),),
)
def bug_existence_by_removal_java() -> Facts:
    return java("existence_by_removal")


@scenario(
    "A program looks whether keys exist by reading them, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#6195",
    shows="A table of 20 keys, and 26 keys that are looked for.",
)
def existence_by_reading_java() -> Facts:
    return java("existence_by_reading")


@scenario(
    "A stream is deleted and made again under its writer, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="sequences across restarts",
    thread="pravega/pravega#3057",
    fault="scores is sealed, deleted and made again while a writer is open. The writer goes on "
    "with the segments of the old stream, which are sealed or gone, asks for their successors, "
    "and stores nothing any more; a new writer would.",
    shows="30 events, a stream that is deleted and made again, and further events.",
    marks=(called("getSegmentsImmediatelyFollowing"),),
)
def bug_writer_stays_over_a_new_stream_java() -> Facts:
    return java("writer_stays_over_a_new_stream")


@scenario(
    "A writer is closed before its stream is deleted and made again, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#3057",
    shows="30 events, a stream that is deleted and made again, and further events.",
)
def writer_closed_before_a_new_stream_java() -> Facts:
    return java("writer_closed_before_a_new_stream")


@scenario(
    "A scope with a stream and a group is deleted again and again, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="scopes",
    thread="pravega/pravega#2237, #5002",
    fault="The scope tests has the stream run-17 and the group asserts, so deleteScope is answered "
    "by SCOPE_NOT_EMPTY; the program repeats the call eleven times and deletes neither.",
    shows="A scope with a stream, its reader group, and deleteScope eleven times.",
    marks=(called("deleteScope"),),
)
def bug_scope_that_is_not_empty_java() -> Facts:
    return java("scope_that_is_not_empty")


@scenario(
    "Group and stream are deleted before their scope, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2237",
    shows="A scope with a stream and its reader group; all are deleted.",
)
def scope_emptied_in_order_java() -> Facts:
    return java("scope_emptied_in_order")


@scenario(
    "Transactions are begun with a lease that the controller does not allow, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="transactions and leases",
    thread="pravega/pravega#5542, #5468",
    fault="transactionTimeoutTime is twenty minutes, and the controller allows ten: it refuses "
    "createTransaction each time, and the client repeats the call again and again: the program "
    "begins two transactions and writes nothing.",
    shows="Two transactions that are to begin.",
    marks=(called("createTransaction"),),
)
def bug_lease_of_twenty_minutes_java() -> Facts:
    return java("lease_of_twenty_minutes")


@scenario(
    "Transactions are begun with a lease of a minute, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#5542",
    shows="Ten transactions.",
)
def lease_of_a_minute_java() -> Facts:
    return java("lease_of_a_minute")


@scenario(
    "A stream is scaled by a list of segments that is out of date, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="scaling",
    thread="pravega/pravega#3676, #3965",
    fault="The program reads the segments of rides once and asks to seal segment 0 in each of its "
    "nine calls of scale. The first call has sealed it, so the eight others are refused "
    "(PRECONDITION_FAILED); it has to read the segments of the present epoch.",
    shows="60 events, and a stream that is to be scaled nine times.",
    marks=(called("scale", skip=1),),
)
def bug_scaled_by_an_old_list_java() -> Facts:
    return java("scaled_by_an_old_list")


@scenario(
    "A stream is scaled by the list of its present segments, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#3676",
    shows="60 events, and a stream that is scaled three times.",
)
def scaled_by_a_new_list_java() -> Facts:
    return java("scaled_by_a_new_list")


@scenario(
    "A reader of a group that was reset goes on as it is, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="reader groups and ownership",
    thread="pravega/pravega#1894, #2200",
    fault="The group auditors is reset, which puts its readers out of it, and auditor goes on to "
    "read with the same object, which fails each time (reinitialization is required): no segment "
    "is read after the reset. The reader has to be closed and made again.",
    shows="60 events, a reader, and a reset of its group.",
    marks=(called("updateReaderGroup"),),
)
def bug_reader_of_a_reset_group_goes_on_java() -> Facts:
    return java("reader_of_a_reset_group_goes_on")


@scenario(
    "A reader of a group that was reset is made again, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#1894",
    shows="60 events, a reader, and a reset of its group.",
)
def reader_of_a_reset_group_made_again_java() -> Facts:
    return java("reader_of_a_reset_group_made_again")


@scenario(
    "Two transactions of each checkpoint are forgotten, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="transactions and leases",
    thread="pravega/flink-connectors#376",
    fault="Three transactions are written and flushed for each checkpoint, and only the last one "
    "is committed: the two others are pinged until the program ends, are neither committed nor "
    "aborted, and their rows are lost when the lease runs out.",
    shows="Four checkpoints of three transactions each.",
    marks=(called("createTransaction"),),
)
def bug_transactions_forgotten_at_checkpoints_java() -> Facts:
    return java("transactions_forgotten_at_checkpoints")


@scenario(
    "The transactions of each checkpoint are committed, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/flink-connectors#376",
    shows="Four checkpoints of three transactions each.",
)
def transactions_committed_at_checkpoints_java() -> Facts:
    return java("transactions_committed_at_checkpoints")
