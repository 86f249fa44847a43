"""Faults and healthy programs of the seventeenth round of the blind test: see docs/checking.md."""

import struct
import time

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, RAW, Facts, scenario
from captures.recorders.pravega.wire import KEEP_ALIVE, Peer, record

JAVA, MAIN, PY = "SeventeenthRound.java", "SeventeenthRound", "seventeenth_round.py"


@scenario(
    "A client factory and a writer for each event, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="efficiency",
    thread="pravega/pravega#6652",
    fault="For each event the program makes a factory and a writer, with connections of its own to "
    "the controller and the store, sets the writer up, appends one event and closes all: dozens of "
    "frames for one. It has to keep one factory and one writer.",
    shows="14 events.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x01.*test/write/0", across=True, skip=1),),
)
def bug_writer_for_each_event_java() -> Facts:
    return clients.drive(NEW, MAIN, "each")


@scenario(
    "A committed transaction is committed again and written again, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="transactions",
    thread="pravega/pravega#1159",
    fault="The transaction was committed; the program does not know, commits it a second time, and "
    "writes the same events in a new transaction, which is committed too: the stream has the "
    "invoice twice. It has to ask for the status of the first transaction.",
    shows="Four invoices of five lines, two of which are written twice.",
    marks=(
        Mark(None, "client", rb"^\x00\x00\x00[\x03\x04].*invoice [02] line", across=True, skip=2),
    ),
)
def bug_committed_and_written_again_java() -> Facts:
    return clients.drive(NEW, MAIN, "twice")


@scenario(
    "A mill with one writer, two readers and transactions, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="a healthy program of many parts",
    shows="28 events by key to two segments, three transactions whose status is asked for, and two "
    "readers of a group; all is closed in order.",
)
def mill_day_java() -> Facts:
    return clients.drive(NEW, MAIN, "mill")


@scenario(
    "Connections to segments that are read to their end stay open",
    peer=RAW,
    healthy=False,
    category="leaks",
    thread="pravega/pravega#2243",
    fault="The reader opens a connection for each segment, and keeps it when it has read the "
    "sealed segment to its end: KEEP_ALIVE is all that is sent on it. Each scale leaves one more. "
    "It has to close the connection, or to read the next segment on it.",
    shows="Eight segments of six events, one after the other, each of which is sealed.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x64"),),
)
def bug_connections_of_ended_segments() -> Facts:
    writer, left = Peer(), []
    writer.greet()
    for number in range(8):
        segment = f"plant/line/{number}.#epoch.{number}"
        writer.create(segment)
        reader, place = Peer(), 0
        reader.greet()
        left.append(reader)
        name = struct.pack(">QQ", 7, number + 1)
        writer.set_up(segment, name)
        for event in range(6):
            data = record(0, b"part %d of run %d" % (event, number))
            writer.append(event + 1, data, name)
            writer.hear(7)
            reader.read(segment, place)
            reader.hear(10)
            place += len(data)
            time.sleep(0.15)
        writer.seal(segment)
        reader.read(segment, place)
        reader.hear()
        for each in left[:-1]:
            each.say(KEEP_ALIVE)
        time.sleep(0.6)
    for _ in range(5):
        time.sleep(2)
        for each in left:
            each.say(KEEP_ALIVE)
    for each in (writer, *left):
        each.socket.close()
    return {"events": 48, "connections_left": len(left)}


SHOWS = "Five orders of four lines, two of which are in doubt."


@scenario(
    "A committed transaction is committed again and written again, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="transactions",
    thread="pravega/pravega#1159",
    fault="The transaction was committed; the program commits it a second time, which is refused, "
    "and writes the same lines in a new transaction: the stream has two orders twice.",
    shows=SHOWS,
    marks=(
        Mark(None, "client", rb"^\x00\x00\x00[\x03\x04].*order [13] line", across=True, skip=4),
    ),
)
def bug_committed_and_written_again_py() -> Facts:
    return clients.drive(PYTHON, PY, "again")


@scenario(
    "The status of a transaction is asked for, and nothing is written again, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega#1159",
    shows=SHOWS,
)
def status_asked_for_py() -> Facts:
    return clients.drive(PYTHON, PY, "asks")
