"""Faults and near misses of the eleventh round of the blind test: see docs/checking.md."""

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.scenarios_seventh_round import called
from captures.recorders.pravega.setup import NEW, Facts, scenario

JAVA = "EleventhRound.java"


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "EleventhRound", play)


SHOWS = "A stream that is deleted and made again, its readers, and 75 events."


@scenario(
    "Readers of a stream that is made again stay in the group of the stream before",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="life of a stream",
    thread="pravega/pravega#3960",
    fault="The job deletes nightly and makes it again, and keeps the reader group reporters, whose "
    "state has the segments of the stream before. Each reader asks for them, is told that there "
    "is no such segment, and none reads an event of the new stream. The group has to be reset or "
    "made again with the stream.",
    shows=SHOWS,
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x35.*nightly"),),
)
def bug_group_of_the_stream_before_java() -> Facts:
    return java("group_of_the_stream_before")


@scenario(
    "The reader group of a stream is made again with it",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#3960",
    shows=SHOWS,
)
def group_made_again_with_its_stream_java() -> Facts:
    return java("group_made_again_with_its_stream")


SHOWS = "A stream of sixteen segments, 170 events, and another stream beside it."


@scenario(
    "A writer has three routing keys for sixteen segments",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="keys and partitions",
    thread="pravega/pravega#1097",
    fault="telemetry has sixteen segments, and the routing keys of its events are line-0, line-1 "
    "and line-2: the writer sets up an append on each segment, and thirteen of them never get an "
    "event. The key has to be finer (the machine), or the stream needs three segments.",
    shows=SHOWS,
    marks=(called("createStream", skip=1, most=1),),
)
def bug_three_keys_for_sixteen_segments_java() -> Facts:
    return java("three_keys_for_sixteen_segments")


@scenario(
    "A writer has a routing key for each of many machines",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#1097",
    shows=SHOWS,
)
def keys_of_all_machines_java() -> Facts:
    return java("keys_of_all_machines")


SHOWS = "60 events of one segment, and four runs of a reader, of which three fail at an event."


@scenario(
    "A reader is closed after it failed at an event, and the event is not read again",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="positions",
    thread="pravega/pravega#3429",
    fault="teller fails at an event and is closed: close() leaves the group at the position after "
    "that event, so that the next teller goes on with the one after it and the payment is never "
    "made. readerOffline has to be called with the position of the last event that was handled, "
    "before the reader is closed.",
    shows=SHOWS,
    marks=(Mark(None, "client", rb"^\x00\x00\x00\x09.*payments", most=1),),
)
def bug_closed_after_a_failure_java() -> Facts:
    return java("closed_after_a_failure")


@scenario(
    "A reader that failed at an event is taken offline at the position before it",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#3429",
    shows=SHOWS,
)
def taken_offline_before_the_failure_java() -> Facts:
    return java("taken_offline_before_the_failure")
