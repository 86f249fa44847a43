"""Faults and near misses of the twelfth round of the blind test: see docs/checking.md."""

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, Facts, scenario

JAVA, PY = "TwelfthRound.java", "twelfth_round.py"


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "TwelfthRound", play)


SHOWS = "A job with two readers, four checkpoints, and 90 events."


@scenario(
    "A reader of a group does not read, and no checkpoint completes",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="unanswered and abandoned",
    thread="pravega/pravega#1152, pravega/flink-connectors#380",
    fault="source-1 has stopped calling readNextEvent, but is still a member of the group job: a "
    "checkpoint completes when each reader has reached it, so job-0 to job-3 never do. The reader "
    "has to go on reading, or to be closed or taken offline.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00[\x05\x59].*job-[0-3]"),),
)
def bug_checkpoints_never_complete_java() -> Facts:
    return java("checkpoints_never_complete")


@scenario(
    "Checkpoints of a group whose two readers read",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#1152",
    shows=SHOWS,
)
def checkpoints_of_two_readers_java() -> Facts:
    return java("checkpoints_of_two_readers")


SHOWS = "90 frames of a byte stream that is truncated now and then, and a player that looks at it."


@scenario(
    "A player reads a byte stream from offset 0, which is truncated",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="positions",
    thread="pravega/pravega#5629",
    fault="The player seeks to offset 0 each time, but the recorder has truncated camera: the "
    "store answers each read with SEGMENT_IS_TRUNCATED, and nothing is played. It has to begin at "
    "the head (fetchHeadOffset), as a new reader does by itself.",
    shows=SHOWS,
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x38.*camera"),),
)
def bug_played_from_offset_zero_java() -> Facts:
    return java("played_from_offset_zero")


@scenario(
    "A player reads a byte stream from its head",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#5629",
    shows=SHOWS,
)
def played_from_the_head_java() -> Facts:
    return java("played_from_the_head")


SHOWS = "Thirteen batches of ten entries of a table, and some gets after each."


@scenario(
    "One condition that fails refuses a whole batch, again and again",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="keys and versions",
    thread="pravega/pravega#5960",
    fault="Each batch has an insert of the key stamp, which has been there since the first: the "
    "condition fails with TABLE_KEY_BAD_VERSION and the store refuses the nine prices of the batch "
    "too, twelve times. The stamp has to be put without a condition, or in an update of its own.",
    shows=SHOWS,
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x52.*prices"),),
)
def bug_batch_with_one_condition_java() -> Facts:
    return java("batch_with_one_condition")


@scenario(
    "Batches of a table without a condition",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#5960",
    shows=SHOWS,
)
def batches_without_a_condition_java() -> Facts:
    return java("batches_without_a_condition")


SHOWS = "Four runs of a report, and thirty events before each."


@scenario(
    "Each run of a program makes a reader group and reads the whole stream again",
    peer=PYTHON,
    healthy=False,
    category="positions",
    thread="pravega/pravega-client-rust#410",
    fault="Each run makes a reader group of its own (report-0 to report-3), which begins at the "
    "head of milk: the second run reads the events of the first again, the fourth those of all "
    "three. It has to keep one group, or to begin a new one at the tail.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x46.*report-[1-3]"),),
)
def bug_history_read_at_each_run_py() -> Facts:
    return clients.drive(PYTHON, PY, "history_read_at_each_run")


@scenario(
    "Each run of a program reads on by its reader group",
    peer=PYTHON,
    healthy=True,
    thread="pravega/pravega-client-rust#410",
    shows=SHOWS,
)
def runs_of_one_group_py() -> Facts:
    return clients.drive(PYTHON, PY, "runs_of_one_group")
