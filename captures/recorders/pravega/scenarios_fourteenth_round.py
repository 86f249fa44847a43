"""Faults and healthy programs of the fourteenth round of the blind test: see docs/checking.md."""

from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, Facts, scenario

JAVA = "FourteenthRound.java"
MAIN = "FourteenthRound"

SHOWS = "28 pictures in a byte stream, by two recorders, a log, and a reader of all bytes."
THREAD = "pravega/pravega#6331"


@scenario(
    "Two recorders write to one byte stream at a time",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="ordering",
    thread=THREAD,
    fault="The standby opens a writer on studio/video while the first recorder still writes: the "
    "parts of their pictures are appended in turns, and whoever reads the bytes gets pictures with "
    "pieces of others in them. A byte stream has one writer at a time: the first one has to be "
    "closed, or fenced by a conditional append.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"standby picture \d+ begins"),),
)
def bug_both_write_bytes_java() -> Facts:
    return clients.drive(NEW, MAIN, "both_write_bytes")


@scenario(
    "A recorder goes on with a byte stream after the first one has closed it",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread=THREAD,
    shows=SHOWS,
)
def bytes_handed_over_java() -> Facts:
    return clients.drive(NEW, MAIN, "bytes_handed_over")


SHOWS = "Six bookings in a transaction each, and a program that pings them by itself."
THREAD = "pravega/pravega#3463"


@scenario(
    "Transactions are pinged for ever after their commit",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="leaks",
    thread=THREAD,
    fault="The pinger never forgets a transaction: each is pinged every 0.8 s long after it was "
    "committed, and the controller answers COMMITTED each time. The list, and the load of the "
    "controller, grow with each booking. A transaction has to leave the list when it ends.",
    shows=SHOWS,
    marks=(
        Shown("a ping of a transaction", 'http2.headers.path matches "/pingTransaction$"', skip=8),
    ),
)
def bug_committed_and_pinged_java() -> Facts:
    return clients.drive(NEW, MAIN, "committed_and_pinged")


@scenario(
    "Transactions are pinged until they are committed",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread=THREAD,
    shows=SHOWS,
)
def pinged_until_committed_java() -> Facts:
    return clients.drive(NEW, MAIN, "pinged_until_committed")


SHOWS = "40 orders and five workers, one after another."
THREAD = "pravega/pravega-client-rust#370"


@scenario(
    "A worker that is alive is taken offline without a position",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="positions",
    thread=THREAD,
    fault="The watchdog declares each worker offline while it works, and gives no position "
    "(readerOffline(id, null)): its segment goes back to where the group last had a checkpoint, "
    "the beginning, and the next worker reads and handles every order again. The watchdog has to "
    "wait for the worker to stop, and to hand over its last position.",
    shows=SHOWS,
    marks=(
        Mark(
            None,
            "client",
            rb"^\x00\x00\x00\x05.*\x00\x03\x00\x01\x00\x00\x00\x00\x0b\x00\x08worker-\d\x00",
        ),
    ),
)
def bug_alive_and_offline_java() -> Facts:
    return clients.drive(NEW, MAIN, "alive_and_offline")


@scenario(
    "Workers close one after another, and the next goes on",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread=THREAD,
    shows=SHOWS,
)
def closed_one_after_another_java() -> Facts:
    return clients.drive(NEW, MAIN, "closed_one_after_another")


SHOWS = "Nine deliveries, a transaction each, begun by calls of the controller."
THREAD = "pravega/pravega#4403"


@scenario(
    "Calls of the controller are given up before it can answer",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="timeouts",
    thread=THREAD,
    fault="Each createTransaction has a deadline of 3 ms and is cancelled when that is over; the "
    "program calls again at once. The controller has begun the transaction all the same: each "
    "cancelled call leaves one open that nobody knows of, until its lease is over. The deadline "
    "has to be as long as the controller may take.",
    shows=SHOWS,
    marks=(
        Shown(
            "a call that begins a transaction", 'http2.headers.path matches "/createTransaction$"'
        ),
    ),
)
def bug_begun_with_little_patience_java() -> Facts:
    return clients.drive(NEW, MAIN, "begun_with_little_patience")


@scenario(
    "Calls of the controller have time enough",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread=THREAD,
    shows=SHOWS,
)
def begun_with_patience_java() -> Facts:
    return clients.drive(NEW, MAIN, "begun_with_patience")


@scenario(
    "A harvest of three runs, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver="fourteenth_round.py",
    thread="a healthy program of several runs",
    shows="Events by key, transactions that are committed or aborted, and a reader group whose "
    "readers go offline at the end of each run.",
)
def harvest_py() -> Facts:
    return clients.drive(PYTHON, "fourteenth_round.py", "harvest")


SHOWS = "24 pictures, by two programs that write bytes."
THREAD = "pravega/pravega#6331"


@scenario(
    "Bytes are refused to a writer since another one appends, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver="fourteenth_round.py",
    category="ordering",
    thread=THREAD,
    fault="Standby writes to studio/video while the first program does, at the offset 0 where it "
    "began: the store refuses its bytes, and the client fails for good. None of its pictures is "
    "stored. It has to begin at the tail, or to write to a stream of its own.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"standby picture \d+ begins"),),
)
def bug_bytes_refused_py() -> Facts:
    return clients.drive(PYTHON, "fourteenth_round.py", "bytes_refused")


@scenario(
    "Two programs write to a byte stream each, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver="fourteenth_round.py",
    thread=THREAD,
    shows=SHOWS,
)
def bytes_in_two_streams_py() -> Facts:
    return clients.drive(PYTHON, "fourteenth_round.py", "bytes_in_two_streams")
