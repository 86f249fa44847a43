"""Faults and healthy programs of the sixteenth round of the blind test: see docs/checking.md."""

import os
import signal
import time

from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.scenarios_fifteenth_round import listener
from captures.recorders.pravega.setup import CONTROLLER, NEW, PYTHON, Facts, scenario

JAVA, MAIN, PY = "SixteenthRound.java", "SixteenthRound", "sixteenth_round.py"

SHOWS = "60 entries, a ledger that reads in two runs, and a cut before its second one."
THREAD = "pravega/pravega#3965"


@scenario(
    "A reader ends at a truncated segment and reads no more, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="reading",
    thread=THREAD,
    fault="The segment has been cut beyond the position of the ledger: READ_SEGMENT is answered "
    "by SEGMENT_IS_TRUNCATED. The reader ends at that, and reads nothing of what is written "
    "afterwards. It has to go on at the start of what is left, or the cut has to wait for it.",
    shows=SHOWS,
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x38", across=True),),
)
def bug_reader_ends_at_truncation_java() -> Facts:
    return clients.drive(NEW, MAIN, "ends_at_truncation")


@scenario(
    "A reader goes on after a truncated segment, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread=THREAD,
    shows=SHOWS,
)
def reader_goes_on_after_truncation_java() -> Facts:
    return clients.drive(NEW, MAIN, "goes_on_after_truncation")


@scenario(
    "A stream is deleted and made again, and its reader group stays, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="reading",
    thread="pravega/pravega#3960",
    fault="The group doors has the positions of the deleted stream tickets: its readers ask for a "
    "segment that does not exist any more, fail, and get none of the 20 tickets of the new "
    "stream. The group has to be reset, or deleted and made again, when its stream is.",
    shows="Two streams of one name one after the other, 20 events each, and a reader group.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x09.*tickets/0\.#epoch\.0", across=True, skip=1),),
)
def bug_group_of_a_deleted_stream_java() -> Facts:
    return clients.drive(NEW, MAIN, "stream_made_again")


@scenario(
    "Two readers of a group read the same segment, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="reader groups and ownership",
    thread="pravega/pravega#567",
    fault="robot-1 and robot-2 are in one group, and both read segment 0 of parts: each event is "
    "read twice. A segment has to have one reader of a group at a time.",
    shows="56 events, and two readers of a group of one segment.",
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x09.*plant/parts/0\.#epoch\.0", across=True),),
)
def bug_segment_read_by_two_java() -> Facts:
    return clients.drive(NEW, MAIN, "read_by_two")


@scenario(
    "A program waits for a controller that does not listen, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="reconnecting",
    thread="pravega/pravega-client-rust#336",
    fault="Nothing listens on the port of the controller: each connection is refused. The program "
    "tries again and again, reports nothing and hangs. It has to have a limit.",
    shows="Servers that are ended, and a program that makes a scope afterwards.",
    marks=(Shown("an attempt to connect", "tcp.flags == 0x2 && tcp.dstport == 9090", skip=8),),
)
def bug_controller_absent_py() -> Facts:
    os.kill(listener(CONTROLLER), signal.SIGKILL)
    time.sleep(1)
    return clients.drive(PYTHON, PY, "absent")


@scenario(
    "A day of ferries: keys, transactions, bytes and two readers in turn, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="a healthy program of many parts",
    shows="60 events by key to two segments, two transactions, a byte stream that is sealed, and "
    "two readers, each of which goes offline.",
)
def ferries_day_py() -> Facts:
    return clients.drive(PYTHON, PY, "ferries")
