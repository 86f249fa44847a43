"""Faults and near misses of the third round of the blind test: see docs/checking.md."""

import time

from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, RAW, Facts, scenario
from captures.recorders.pravega.wire import connected, record

SEGMENT = "hand/stream/0.#epoch.0"
OLD_SEGMENT = "scope/stream/0.#epoch.0"
JAVA, PY = "ThirdRound.java", "third_round.py"


def called(method: str) -> Shown:
    """The calls of a method of the controller."""
    return Shown(f"a call of {method}", f'http2.headers.path matches "/{method}$"')


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "ThirdRound", play)


@scenario(
    "The read at the tail is sent again while the first one waits, by hand",
    peer=RAW,
    healthy=False,
    category="storm",
    thread="pravega/pravega#4525, #4540 (a read without an answer is sent again)",
    fault="A READ_SEGMENT at the tail waits until an event comes; the client takes the wait for a "
    "loss and sends the same read every 200 ms, twelve at a time: the store keeps all twelve and "
    "sends the event twelve times.",
    shows="Two events; each is waited for by twelve reads of one offset.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x09.*hand/stream/", again=rb"#epoch\.0.{8}"),),
)
def bug_tail_read_repeated() -> Facts:
    with connected() as writer, connected() as reader:
        writer.create(SEGMENT)
        writer.set_up(SEGMENT)
        offset = 0
        for number in (1, 2):
            for _ in range(12):
                reader.read(SEGMENT, offset, 65536)
                time.sleep(0.2)
            event = record(0, b"event %d" % number)
            writer.append(number, event)
            writer.hear(7)
            for _ in range(12):
                reader.hear(10)
            offset += len(event)
    return {"reads": 24}


@scenario(
    "Two readers wait at the same tail, with one read each, by hand",
    peer=RAW,
    healthy=True,
    thread="pravega/pravega#4540",
    shows="Eight events, each waited for by one read of two connections.",
)
def two_tail_readers() -> Facts:
    with connected() as writer, connected() as one, connected() as two:
        writer.create(SEGMENT)
        writer.set_up(SEGMENT)
        offset = 0
        for number in range(8):
            for reader in (one, two):
                reader.read(SEGMENT, offset, 65536)
            time.sleep(0.35)
            event = record(0, b"event %d" % number)
            writer.append(number + 1, event)
            writer.hear(7)
            for reader in (one, two):
                reader.hear(10)
            offset += len(event)
    return {"reads": 16}


@scenario(
    "A stream was deleted and created again, and its old segment is read, by hand",
    peer=RAW,
    healthy=False,
    driver=JAVA,
    category="storm",
    thread="pravega/pravega#5171",
    fault="scope/stream was deleted and created again, so that its segment is number 1 now; the "
    "reader asks for segment 0 of the deleted one, twelve times, and gets NO_SUCH_SEGMENT each "
    "time.",
    shows="The Java client deletes a stream and creates it again; then READ_SEGMENT of its first "
    "segment, twelve times.",
    marks=(
        Mark(
            None,
            "client",
            rb"^\x00\x00\x00\x09.{4}\x00.scope/stream/0\.#epoch\.0\x00{8}\x00\x01",
        ),
    ),
)
def bug_reads_segment_of_deleted_stream() -> Facts:
    counted = java("recreated")
    with connected() as peer:
        for _ in range(12):
            peer.read(OLD_SEGMENT, 0, 65536)
            peer.hear()
            time.sleep(0.2)
    return counted


@scenario(
    "A stream is sealed, deleted, created again, written and read, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#5171, #1681",
    shows="Six events before and six after; a reader group reads those after.",
)
def stream_recreated_java() -> Facts:
    return java("recreated")


@scenario(
    "A connection to the controller for each call, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="churn",
    thread="pravega/pravega#696, #872",
    fault="Each of fifteen checks of a stream makes a StreamManager, hence a connection to the "
    "controller with a preface and SETTINGS, and closes it after the one call.",
    shows="checkStreamExists, fifteen times.",
    marks=(called("checkStreamExists"),),
)
def bug_manager_per_call_java() -> Facts:
    return java("manager_per_call")


@scenario(
    "Three programs with a connection to the controller each, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#696",
    shows="Three StreamManagers that check streams eight times each.",
)
def manager_per_program_java() -> Facts:
    return java("manager_per_program")


@scenario(
    "A stream is to be deleted that is not sealed, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="storm",
    thread="pravega/pravega#710, #1012",
    fault="deleteStream is called for a stream that was never sealed; the controller answers "
    "STREAM_NOT_SEALED, and the client repeats the call, twelve times.",
    shows="deleteStream of one stream, refused twelve times.",
    marks=(called("deleteStream"),),
)
def bug_deletes_unsealed_stream_py() -> Facts:
    return clients.drive(PYTHON, PY, "deletes_unsealed_stream")


@scenario(
    "Streams are sealed, deleted, and one is created again, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega#710",
    shows="sealStream and deleteStream of three streams.",
)
def sealed_then_deleted_py() -> Facts:
    return clients.drive(PYTHON, PY, "sealed_then_deleted")


@scenario(
    "Transactions are committed after their lease, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="limit",
    thread="pravega/pravega#6117, #2805",
    fault="Three transactions with a lease of 10 s are pinged at their start and never again, as "
    "their writers were closed; after 16 s the controller has aborted them, and each commit fails, "
    "again and again.",
    shows="Three transactions, and nine calls of commitTransaction.",
    marks=(called("commitTransaction"),),
)
def bug_commits_after_lease_java() -> Facts:
    return java("commits_after_lease")


@scenario(
    "A transaction of 14 s with a lease of 10 s is pinged in time, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#6117",
    shows="Seven events, one every two seconds, in one transaction.",
)
def pinged_in_time_java() -> Facts:
    return java("pinged_in_time")


@scenario(
    "A transaction is pinged with a lease above the limit, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="limit",
    thread="pravega/pravega#6117, #6120, #3463",
    fault="pingTransaction asks for a lease of a day; the controller answers LEASE_TOO_LARGE and "
    "extends nothing, and the client pings the same twelve times.",
    shows="createTransaction, and pingTransaction twelve times.",
    marks=(called("pingTransaction"),),
)
def bug_lease_too_large_java() -> Facts:
    return java("lease_too_large")


@scenario(
    "Checkpoints are initiated while the reader reads nothing, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="leak",
    thread="pravega/pravega#2828",
    fault="The only reader of the group does not read any more, so that no checkpoint completes; a "
    "timer initiates fifteen of them, and all stay in the state of the group.",
    shows="A reader group with one reader, and fifteen checkpoints.",
    marks=(Mark(None, "client", rb"checkpoint-\d", skip=1),),
)
def bug_checkpoints_pile_up_java() -> Facts:
    return java("checkpoints_pile_up")


@scenario(
    "Five checkpoints, each initiated when the one before is complete, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2828",
    shows="A reader group with a reader that reads, and five checkpoints.",
)
def checkpoints_completed_java() -> Facts:
    return java("checkpoints_completed")
