"""Faults and healthy programs of the fifteenth round of the blind test: see docs/checking.md."""

import os
import signal
import socket
import struct
import threading
import time

from captures.recorders import lab
from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, RAW, STORE, Facts, scenario
from captures.recorders.pravega.wire import KEEP_ALIVE, WRITER, Peer, connected, record, text

JAVA, MAIN, PY = "FifteenthRound.java", "FifteenthRound", "fifteenth_round.py"

SHOWS = "24 books in two runs of 12, and a reader of the same name in each run."
THREAD = "pravega/pravega-client-rust#257"


def two_runs(how: str) -> Facts:
    """A program that is started again."""
    first = clients.drive(PYTHON, PY, f"first:{how}")
    again = clients.drive(PYTHON, PY, f"again:{how}")
    return {**{f"{name}_first": number for name, number in first.items()}, **again}


@scenario(
    "A program ends without taking its reader offline, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="reader groups and ownership",
    thread=THREAD,
    fault="The first run ends and leaves reader-1 online in the group desk, with its segment. The "
    "second run may not add reader-1 again, four times, and has no way to take it offline: "
    "no reader reads books any more. A program has to take its reader offline before it ends.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x58.*desk_kvtable", skip=5, across=True),),
)
def bug_reader_left_online_py() -> Facts:
    return two_runs("stays")


@scenario(
    "A program takes its reader offline before it ends, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread=THREAD,
    shows=SHOWS,
)
def reader_taken_offline_py() -> Facts:
    return two_runs("leaves")


SHOWS = "30 pallets, and an inspector that asks for the length of a segment after each."
THREAD = "pravega/pravega#872"


@scenario(
    "A connection is opened for each question, and none is closed, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="leaks",
    thread=THREAD,
    fault="The inspector opens a connection to the store for each GET_STREAM_SEGMENT_INFO and "
    "closes none: 30 are open after 30 questions, each with a HELLO and one request. It has to "
    "close the connection, or to share one from the pool.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x0b.*depot/pallets", across=True, skip=1),),
)
def bug_connection_for_each_question_java() -> Facts:
    return clients.drive(NEW, MAIN, "connection_for_each_question")


@scenario(
    "Questions share a connection of the pool, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread=THREAD,
    shows=SHOWS,
)
def one_connection_for_questions_java() -> Facts:
    return clients.drive(NEW, MAIN, "one_connection_for_questions")


@scenario(
    "A day of trams: keys, transactions, two readers and a checkpoint, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="a healthy program of many parts",
    shows="76 events by key to four segments, four transactions of which one is aborted, two "
    "readers of which one is closed earlier, a checkpoint, and a reader group that is deleted.",
)
def trams_day_java() -> Facts:
    return clients.drive(NEW, MAIN, "trams_day")


@scenario(
    "An event that was lost with its connection is not sent again, by hand",
    peer=RAW,
    healthy=False,
    category="reconnecting",
    thread="pravega/pravega#3313",
    fault="Event 6 was sent just before the connection was lost. On the new one the store answers "
    "SETUP_APPEND by the number 5: event 6 is not stored, the writer has to send it again. It "
    "does not, sends only KEEP_ALIVE, and waits for an acknowledgement that cannot come.",
    shows="A writer whose connection is reset while an event is on its way, and who sets up again; "
    "another writer goes on.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x01.*hand/stream", skip=2, across=True),),
)
def bug_event_not_sent_again() -> Facts:
    segment = "hand/stream/0.#epoch.0"
    for _ in range(8):
        peer = Peer()
        peer.greet()
        peer.create(segment)
        with connected() as other:
            other.set_up(segment, bytes(16))
            peer.set_up(segment)
            for number in range(1, 6):
                peer.append(number, record(0, b"event %d" % number))
                peer.hear(7)
            peer.append(6, record(0, b"event 6"))
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.socket.close()
            time.sleep(0.8)
            again = Peer()
            again.greet()
            answer = again.ask(1, WRITER + text(segment) + text(""), 2)
            last = struct.unpack(">q", answer[-8:])[0]
            for number in range(1, 7):
                other.append(number, record(0, b"other %d" % number), bytes(16))
                other.hear(7)
                time.sleep(3)
                again.say(KEEP_ALIVE)
                again.hear(KEEP_ALIVE)
            again.socket.close()
            return {"last_event_number": last}
    raise SystemExit("the store had event 6 each time")


def listener(port: int) -> int:
    """The process that listens on a port."""
    line = next(x for x in lab.run("ss -Hltnp").splitlines() if f":{port} " in x)
    return int(line.partition("pid=")[2].partition(",")[0])


@scenario(
    "A reader is halted for good when its retries are exhausted, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="reconnecting",
    thread="pravega/pravega#3674",
    fault="The store is away; sorter-1 tries to reconnect a few times and ends with "
    "RetriesExhaustedException. The store is back, sorter-1 never comes again and parcels wait. "
    "The program has to make the reader again.",
    shows="20 parcels, a reader, and servers that are killed and started again much later.",
    marks=(Shown("a try to connect", "tcp.flags == 0x2", skip=4),),
)
def bug_reader_halted_java() -> Facts:
    facts: dict[str, object] = {}
    playing = threading.Thread(target=lambda: facts.update(clients.drive(NEW, MAIN, "halted")))
    playing.start()
    time.sleep(12)
    os.kill(listener(STORE), signal.SIGKILL)
    time.sleep(150)
    with clients.server(NEW, auth=False):
        playing.join()
    return facts
