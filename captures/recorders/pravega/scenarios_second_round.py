"""Faults and near misses of the second round of the blind test: see docs/checking.md."""

import time

from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, RAW, Facts, scenario
from captures.recorders.pravega.wire import connected, record

SEGMENT = "hand/stream/0.#epoch.0"
JAVA = "SecondRound.java"


def called(method: str) -> Shown:
    """The calls of a method of the controller, but for the first."""
    return Shown(f"a call of {method}", f'http2.headers.path matches "/{method}$"', skip=1)


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "SecondRound", play)


@scenario(
    "Each run makes a reader group of its own and never deletes it, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver="reader_groups.py",
    category="leak",
    thread="pravega/flink-connectors#325",
    fault="Each of seven runs creates a reader group with a random name, reads the stream and "
    "goes: no group is ever deleted, and each leaves a table segment of its own "
    "(scope/job-..._kvtable) behind.",
    shows="Seven reader groups for one stream of four events.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x46.*scope/job-"),),
)
def bug_reader_groups_left_py() -> Facts:
    return clients.drive(PYTHON, "reader_groups.py")


@scenario(
    "A transaction for each event, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/pravega#2201 (events per transaction); the ratio is a variant of this "
    "repository",
    fault="Twelve transactions are created and committed, one after the other, with one event "
    "each: each event costs a segment made, sealed and merged, and several calls.",
    shows="createTransaction, one event, commitTransaction, twelve times.",
    marks=(
        called("createTransaction"),
        Shown(
            "the event of a transaction",
            'tcp.payload matches "order [0-9]+-0" && tcp.dstport == 6000',
            skip=1,
        ),
    ),
)
def bug_transaction_per_event_java() -> Facts:
    return java("transaction_per_event")


@scenario(
    "A megabyte is asked for where one event of 100 bytes is wanted, by hand",
    peer=RAW,
    healthy=False,
    category="waste",
    thread="pravega/pravega#6884, #6908 (reading by event pointer)",
    fault="Thirty events of 100 bytes are fetched by their offsets, and each READ_SEGMENT asks for "
    "1 MiB: the store sends up to 24,000 bytes each time, and most bytes of the segment more than "
    "once.",
    shows="240 events of 100 bytes, and 30 reads of 1 MiB, each 700 bytes after the last.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x09.*hand/stream/", skip=1),),
)
def bug_large_reads_for_small_events() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        events = record(0, b"x" * 92) * 20
        for number in range(1, 13):
            peer.append(number, events, count=20)
            peer.hear(7)
    with connected() as peer:
        for place in range(30):
            peer.read(SEGMENT, place * 700, 1024 * 1024)
            peer.hear(10)
            time.sleep(0.01)
    return {"reads": 30}


@scenario(
    "The segments of a stream that does not exist, again and again, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="storm",
    thread="pravega/pravega#1149",
    fault="getCurrentSegments of scope/gone fails each time, and the client asks again at once, 60 "
    "times and more, without a pause.",
    shows="getCurrentSegments of one stream, refused each time.",
    marks=(called("getCurrentSegments"),),
)
def bug_controller_asked_in_a_loop_java() -> Facts:
    return java("controller_asked_in_a_loop")


@scenario(
    "Each key of a table is read by a request of its own, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/pravega#4935 (gets are sent in batches); the loop is a variant of this "
    "repository",
    fault="Fifty keys of one table are read one after the other, each by a READ_TABLE of one key "
    "that waits for the one before; getAll asks for them together.",
    shows="READ_TABLE of one key, 50 times.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x4e.*table_kvtable", skip=1),),
)
def bug_keys_one_by_one_java() -> Facts:
    return java("keys_one_by_one")


@scenario(
    "Three transactions of 25 events, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2201",
    shows="Three transactions, one after the other.",
)
def transactions_of_many_events_java() -> Facts:
    return java("transactions_of_many_events")


@scenario(
    "Keys of a table are read together, and one by one now and then, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#4935",
    shows="READ_TABLE of 50 keys, of one key, and the same again.",
)
def keys_all_at_once_java() -> Facts:
    return java("keys_all_at_once")
