"""Faults and near misses of the thirteenth round of the blind test: see docs/checking.md."""

import time

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.scenarios_threads import unnamed
from captures.recorders.pravega.setup import NEW, RAW, Blame, Facts, scenario
from captures.recorders.pravega.wire import KEEP_ALIVE, WRITER, Peer, connected, record

JAVA = "ThirteenthRound.java"
METER = "press/meter/0.#epoch.0"
APPENDED, IS_SEALED = 7, 51

SHOWS = "Nine bookings in a transaction each, and visitors."


@scenario(
    "Events are written to transactions that another writer has aborted",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="transactions",
    thread="pravega/pravega#1796",
    fault="The overseer aborts six of nine transactions that the clerk has just begun, and the "
    "clerk does not look: it writes five more events to each and commits it. All of that is lost, "
    "and the commit fails. The clerk has to check the transaction (it is ABORTING), and to begin "
    "another one.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x01.*bookings.*transaction"),),
)
def bug_written_after_the_abort_java() -> Facts:
    return clients.drive(NEW, "ThirteenthRound", "written_after_the_abort")


@scenario(
    "Events are written to transactions that are committed",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#1796",
    shows=SHOWS,
)
def written_before_the_commit_java() -> Facts:
    return clients.drive(NEW, "ThirteenthRound", "written_before_the_commit")


SHOWS = "20 members of a team in a state synchronizer, whose log is cut once, and those who look."


@scenario(
    "The log of a state synchronizer is cut without a beginning",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="positions",
    thread="pravega/pravega#6232",
    fault="The coordinator truncates the segment of team to its latest revision without writing an "
    "initial state there: whoever looks at the team afterwards reads updates that have no "
    "beginning, and knows no member. The log has to be cut by compact, which writes the state "
    "first.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x26.*team"),),
)
def bug_cut_without_a_beginning_java() -> Facts:
    return clients.drive(NEW, "ThirteenthRound", "cut_without_a_beginning")


@scenario(
    "The log of a state synchronizer is cut by a compaction",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#6232",
    shows=SHOWS,
)
def cut_by_a_compaction_java() -> Facts:
    return clients.drive(NEW, "ThirteenthRound", "cut_by_a_compaction")


def writes(peer: Peer, segment: str, writer: bytes, first: int) -> None:
    """Appends five blocks of two events to a segment, and waits for what the store says to each."""
    peer.set_up(segment, writer)
    for number in range(first, first + 5):
        data = record(0, b"part %d" % number) + record(0, b"weight of part %d" % number)
        peer.append(2 * number, data, writer, count=2)
        peer.hear(APPENDED)
        time.sleep(0.12)


def scaled(*, goes_on: bool) -> Facts:
    """Three presses whose segment is sealed; they go on with its successor, or they do not."""
    guilty: list[Blame] = []
    with connected() as owner, connected() as meter:
        owner.create(METER)
        meter.set_up(METER, WRITER)
        reading = 0
        for press in range(3):
            before, after = (f"press/parts-{press}/{n}.#epoch.{n}" for n in range(2))
            writer = b"press-%d-98765432" % press
            owner.create(before)
            with connected() as peer:
                writes(peer, before, writer, 1)
                owner.create(after)
                owner.seal(before)
                peer.append(11, record(0, b"part 6"), writer)
                guilty.append(unnamed(peer))
                peer.hear(IS_SEALED)
                if goes_on:
                    writes(peer, after, writer, 6)
                for _ in range(7):
                    peer.say(KEEP_ALIVE)
                    peer.hear(KEEP_ALIVE)
                    reading += 1
                    meter.append(reading, record(0, b"%d parts" % reading))
                    meter.hear(APPENDED)
                    time.sleep(0.5)
    return {"readings": reading} if goes_on else {"readings": reading, "guilty": guilty}


SHOWS = "Three presses that write parts, whose segment is sealed each, and a meter; by hand."


@scenario(
    "A writer stalls when its segment is sealed, by hand",
    peer=RAW,
    healthy=False,
    category="stalls",
    thread="pravega/pravega#1059",
    fault="The store answers the append with SEGMENT_IS_SEALED, and the writer sends nothing but "
    "KEEP_ALIVE after that, three times: the event that was refused is never written, nor any "
    "later one. It has to ask for the successors and to write there what is not acknowledged.",
    shows=SHOWS,
)
def bug_stalls_at_a_seal() -> Facts:
    return scaled(goes_on=False)


@scenario(
    "A writer goes on with the successor of a segment that is sealed, by hand",
    peer=RAW,
    healthy=True,
    thread="pravega/pravega#1059",
    shows=SHOWS,
)
def goes_on_after_a_seal() -> Facts:
    return scaled(goes_on=True)
