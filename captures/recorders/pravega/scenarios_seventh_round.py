"""Faults and near misses of the seventh round of the blind test: see docs/checking.md."""

import struct
import time

from captures.recorders.marks import MOST, Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, RAW, Facts, scenario
from captures.recorders.pravega.wire import WRITER, connected, record, sized, text

JAVA, PY = "SeventhRound.java", "seventh_round.py"
STATE = "shop/inventory/0.#epoch.0"
OLD_SEGMENT = "scope/orders/0.#epoch.0"


def called(method: str, *, skip: int = 0, most: int = MOST) -> Shown:
    """The calls of a method of the controller."""
    shown = f'http2.headers.path matches "/{method}$"'
    return Shown(f"a call of {method}", shown, skip=skip, most=most)


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "SeventhRound", play)


def py(play: str) -> Facts:
    """A play of the Python client."""
    return clients.drive(PYTHON, PY, play)


@scenario(
    "Readers join a group that never makes a checkpoint, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="unanswered and abandoned",
    thread="pravega/pravega#2298, #1213, #4465",
    fault="The group analysts has its automatic checkpoints disabled, and nobody makes one, so "
    "reader-1, which took all four segments, never releases any: reader-2 and reader-3 join and "
    "get no event while some hundred come.",
    shows="A stream of four segments, and three readers that join one after the other.",
    marks=(
        called("createReaderGroup"),
        Mark(None, "client", rb"^\x00\x00\x00[\x05\x59].*reader-[23]"),
    ),
)
def bug_segments_never_released_java() -> Facts:
    return java("segments_never_released")


@scenario(
    "Readers join a group whose segments are released at checkpoints, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2298",
    shows="A stream of four segments, and three readers that join one after the other.",
)
def segments_released_at_checkpoints_java() -> Facts:
    return java("segments_released_at_checkpoints")


@scenario(
    "A transaction is taken over by its id after its lease has run out, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="limits about to be met",
    thread="pravega/pravega#6063",
    fault="importer-1 begins the transaction with a lease of 10 s and ends; importer-2 takes it "
    "over by its id (getTxn) 13 s later. Nobody has pinged it in between, so the controller has "
    "aborted it, and importer-2 can neither write nor commit: all rows are lost.",
    shows="Two programs, one after the other, with one transaction.",
    marks=(called("checkTransactionState"),),
)
def bug_transaction_taken_over_late_java() -> Facts:
    return java("transaction_taken_over_late")


@scenario(
    "A transaction is taken over by its id within its lease, and pinged, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#6063",
    shows="Two programs, one after the other, with one transaction.",
)
def transaction_taken_over_in_time_java() -> Facts:
    return java("transaction_taken_over_in_time")


@scenario(
    "A stream that is sealed is written again and again, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="storms and loops",
    thread="pravega/pravega-client-rust#125",
    fault="Somebody seals the stream day-1, which has no segments to write to then; the program "
    "opens a new writer for the same stream each time, asks the controller for the segments, is "
    "answered by none, and tries again: no event can be stored any more.",
    shows="Events, a seal, and attempts to go on for some seconds.",
    marks=(called("getCurrentSegments", skip=2),),
)
def bug_sealed_stream_written_again_py() -> Facts:
    return py("sealed_stream_written_again")


@scenario(
    "A stream is sealed, and its writer goes on in the next one, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega-client-rust#125",
    shows="Fourteen events, a seal, and sixteen events in another stream.",
)
def next_stream_written_py() -> Facts:
    return py("next_stream_written")


@scenario(
    "Slices are read and never released, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="sequences",
    thread="pravega/pravega#7335",
    fault="No shift releases the slices that it has read, so the table of the group never gets the "
    "offsets, and each shift begins where the first one began: events are read again by every "
    "later reader.",
    shows="Three shifts of a reader and 24 events for each.",
    marks=(
        Mark(
            None,
            "client",
            rb"^\x00\x00\x00\x09.*farm/jobs/\d\.#epoch\.0\x00{8}",
            skip=2,
            across=True,
        ),
    ),
)
def bug_slices_never_released_py() -> Facts:
    return py("slices_never_released")


@scenario(
    "Slices are read and released, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega#7335",
    shows="Three shifts of a reader and 24 events for each.",
)
def slices_released_py() -> Facts:
    return py("slices_released")


@scenario(
    "Streams are to be created in a scope that is not there, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="storms and loops",
    thread="pravega/pravega#593",
    fault="The program creates a stream in the scope plant, which nobody has created: the "
    "controller answers SCOPE_NOT_FOUND, and the program repeats the call fourteen times "
    "instead of creating the scope.",
    shows="Fourteen attempts to create a stream, and events of another one.",
    marks=(called("createStream", skip=2),),
)
def bug_stream_in_no_scope_py() -> Facts:
    return py("stream_in_no_scope")


@scenario(
    "A scope is created when it is missing, and three streams in it, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega#593",
    shows="Four attempts to create a stream, and events of another one.",
)
def scope_made_first_py() -> Facts:
    return py("scope_made_first")


def updates(*, trusts: bool) -> Facts:
    """Updates on condition; the connection is lost before each second answer.

    With `trusts` the last event number of APPEND_SETUP says whether the update was stored.
    """
    again = 0
    with connected() as peer:
        peer.create(STATE)
    for number in range(1, 13):
        data = record(0, b"update %d of the inventory" % number)
        for attempt in range(2):
            with connected() as peer:
                last = peer.ask(1, WRITER + text(STATE) + text(""), 2)[-8:]
                if attempt and trusts and struct.unpack(">q", last)[0] >= number:
                    break
                again += attempt
                info = peer.ask(11, text(STATE) + text(""), 12)
                place = WRITER + struct.pack(">q", number * 2 + attempt) + info[-16:-8]
                if trusts:
                    place = WRITER + struct.pack(">q", number) + info[-16:-8]
                peer.say(89, place + sized(data) + struct.pack(">q", peer.ids))
                if attempt or number % 2:
                    peer.hear(7)
                    break
                peer.socket.close()
        time.sleep(0.1)
    return {"updates": 12, "again": again}


@scenario(
    "An update whose answer was lost is appended again as a new one, by hand",
    peer=RAW,
    healthy=False,
    category="sequences",
    thread="pravega/pravega#5712, #5713",
    fault="After a lost connection the writer sets up again; APPEND_SETUP has the number of the "
    "update that was on its way, so it was stored, but the writer appends it once more with the "
    "next number and the new length: six updates are applied twice.",
    shows="Twelve updates on condition, six of which lose their connection.",
    marks=(
        Mark(None, "client", rb"^\x00\x00\x00\x59.*update", again=rb"update \d+ of", across=True),
    ),
)
def bug_update_applied_twice_by_hand() -> Facts:
    return updates(trusts=False)


@scenario(
    "An update whose answer was lost is known by its number, by hand",
    peer=RAW,
    healthy=True,
    thread="pravega/pravega#5712",
    shows="Twelve updates on condition, six of which lose their connection.",
)
def update_known_by_its_number_by_hand() -> Facts:
    return updates(trusts=True)


@scenario(
    "A stream was created again, and a writer sets up its old segment, by hand",
    peer=RAW,
    healthy=False,
    driver=JAVA,
    category="storms and loops",
    thread="pravega/pravega#2898",
    fault="The stream orders was deleted and created again, and its segments have new names; the "
    "writer sets up 0.#epoch.0 of before, is answered by NO_SUCH_SEGMENT, and repeats that on "
    "a new connection twelve times instead of asking the controller for the segments.",
    shows="The Java client makes a stream, writes, deletes it and makes it again; the writer is "
    "made by hand.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x01.*orders/0\.#epoch", skip=2, across=True),),
)
def bug_old_segment_set_up_by_hand() -> Facts:
    facts = dict(java("stream_made_again"))
    for _ in range(12):
        with connected() as peer:
            peer.ask(1, WRITER + text(OLD_SEGMENT) + text(""), 53)
        time.sleep(0.25)
    return facts | {"refused": 12}


@scenario(
    "A stream is created again and written by a new writer, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#2898",
    shows="A stream is made, written, deleted, made again and written.",
)
def stream_made_again_and_written_java() -> Facts:
    return java("stream_made_again_and_written")
