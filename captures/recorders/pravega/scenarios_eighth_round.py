"""Faults, near misses and programs of the eighth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders import lab
from captures.recorders.pravega import clients
from captures.recorders.pravega.scenarios_seventh_round import called
from captures.recorders.pravega.setup import NEW, STORE, Facts, scenario

JAVA = "EighthRound.java"


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "EighthRound", play)


@scenario(
    "A subscriber of a stream never releases what it has read, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="unanswered and abandoned",
    thread="pravega/pravega#5304, #5280",
    fault="The group workers is a subscriber with MANUAL_RELEASE_AT_USER_STREAMCUT, and it never "
    "publishes a stream cut (updateSubscriberStreamCut): the stream jobs, whose retention waits "
    "for its subscribers, keeps all events that are read long ago.",
    shows="A stream with retention by size, its only subscriber, and 110 events.",
    marks=(called("createReaderGroup"),),
)
def bug_retention_cut_never_published_java() -> Facts:
    return java("retention_cut_never_published")


@scenario(
    "A subscriber of a stream releases what it has read, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#5304",
    shows="A stream with retention by size, its only subscriber, and 110 events.",
)
def retention_cut_published_java() -> Facts:
    return java("retention_cut_published")


@scenario(
    "One of two writers ceases to note times, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="mismatch between sides",
    thread="pravega/pravega#4081, #3344",
    fault="thermometer-2 notes the time once and then goes on to write without it; the watermark "
    "of the stream waits for the slowest writer (the timeout is ten minutes), so the time window "
    "of all readers stands still while thermometer-1 notes on.",
    shows="Two writers, and a reader that asks for its time window.",
    marks=(called("noteTimestampFromWriter"),),
)
def bug_one_writer_ceases_to_note_times_java() -> Facts:
    return java("one_writer_ceases_to_note_times")


@scenario(
    "Two writers note times, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#4081",
    shows="Two writers, and a reader that asks for its time window.",
)
def both_writers_note_times_java() -> Facts:
    return java("both_writers_note_times")


@scenario(
    "The cuts of a group are asked for each thirty events, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    shows="Ninety events and a reader group of one.",
)
def cuts_for_thirty_events_java() -> Facts:
    return java("cuts_for_thirty_events")


@scenario(
    "A batch job reads segments between two cuts, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    shows="Three runs of a job (BatchClientFactory) over a stream of three segments.",
)
def batch_job_java() -> Facts:
    return java("batch_job")


@scenario(
    "Connections are lost twice, and writer and reader go on, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    shows="The kernel ends all connections of the store twice (ss -K) under a writer and a reader.",
)
def connections_lost_java() -> Facts:
    facts: dict[str, object] = {}
    thread = threading.Thread(target=lambda: facts.update(java("connections_lost")))
    thread.start()
    time.sleep(9)
    for _ in range(2):
        lab.run(f"ss -K state established dport = {STORE}")
        time.sleep(4)
    thread.join()
    return facts
