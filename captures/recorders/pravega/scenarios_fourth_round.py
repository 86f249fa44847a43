"""Faults and near misses of the fourth round of the blind test: see docs/checking.md."""

from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, Facts, scenario

JAVA, PY = "FourthRound.java", "fourth_round.py"
UPDATE = rb"^\x00\x00\x00\x4a.*bolts"
"""UPDATE_TABLE_ENTRIES of one key."""


def called(method: str, *, skip: int = 0, step: int = 1, more: str = "") -> Shown:
    """The calls of a method of the controller."""
    shown = f'http2.headers.path matches "/{method}$"{more}'
    return Shown(f"a call of {method}", shown, skip=skip, step=step)


def java(play: str) -> Facts:
    """A play of the Java client."""
    return clients.drive(NEW, "FourthRound", play)


@scenario(
    "Two programs read a key, count it down and put it without its version, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="sequence",
    thread="pravega/pravega#4588 (unconditional and conditional updates); the lost update is a "
    "variant of this repository",
    fault="Two clients read bolts, subtract one and write the result with UPDATE_TABLE_ENTRIES "
    "without a version (unconditionally): where both read the same value the later write undoes "
    "the earlier, and of 40 sales only some are counted.",
    shows="Two programs that count a key down 20 times each.",
    marks=(Mark(None, "client", UPDATE, again=rb"bolts.*?\d{3,4}", across=True),),
)
def bug_stock_put_without_version_java() -> Facts:
    return java("stock_put_without_version")


@scenario(
    "Two programs count a key down by its version and try again after a conflict, by Java",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#4588",
    shows="Two programs that count a key down 20 times each.",
)
def stock_put_by_version_java() -> Facts:
    return java("stock_put_by_version")


@scenario(
    "The stream is truncated after each event that was read, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/pravega#1988 (truncation is a workflow of the controller); the ratio is a "
    "variant of this repository",
    fault="After each of 30 events of 18 bytes the reader calls truncateStream at its position: "
    "each is a workflow of the controller with several calls to the store, where one after many "
    "events would do.",
    shows="A reader of 30 events, and 30 calls of truncateStream.",
    marks=(called("truncateStream"),),
)
def bug_cut_after_each_event_java() -> Facts:
    return java("cut_after_each_event")


@scenario(
    "The stream is truncated twice, after fifteen events each, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#1988",
    shows="A reader of 30 events, and two calls of truncateStream.",
)
def cut_after_fifteen_events_java() -> Facts:
    return java("cut_after_fifteen_events")


@scenario(
    "checkScale is called until the scaling is done, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#1605",
    shows="A stream is scaled three times; checkScale every 700 ms.",
)
def scale_awaited_java() -> Facts:
    return java("scale_awaited")


@scenario(
    "All streams of the scope are listed to see whether one exists, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="waste",
    thread="pravega/pravega#3312, #4012 (listing, and a call that checks one stream)",
    fault="Twenty times listStreamsInScope fetches all 24 streams of the scope fleet, page by "
    "page, to look for one name in them; checkStreamExists would answer by one small call.",
    shows="24 streams, listed twenty times.",
    marks=(called("listStreamsInScope", skip=1),),
)
def bug_streams_listed_to_find_one_py() -> Facts:
    return clients.drive(PYTHON, PY, "streams_listed_to_find_one")


@scenario(
    "A byte stream is written and flushed line by line, by the Python client",
    peer=PYTHON,
    healthy=False,
    driver=PY,
    category="waste",
    thread="pravega/pravega-client-rust#198 (byte stream writes); the ratio is a variant of this "
    "repository",
    fault="Each of 120 lines of some 24 bytes is written to the byte stream and flushed: a "
    "conditional append of its own, whose answer is awaited before the next line.",
    shows="120 lines, flushed one by one.",
    marks=(Mark(None, "client", rb"GET /index", skip=1),),
)
def bug_bytes_flushed_per_line_py() -> Facts:
    return clients.drive(PYTHON, PY, "bytes_flushed_per_line")


@scenario(
    "A byte stream is written and flushed in blocks of forty lines, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver=PY,
    thread="pravega/pravega-client-rust#198",
    shows="120 lines, flushed three times.",
)
def bytes_flushed_in_blocks_py() -> Facts:
    return clients.drive(PYTHON, PY, "bytes_flushed_in_blocks")


@scenario(
    "A client without credentials tries again and again, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    auth=True,
    category="storm",
    thread="pravega/pravega#3884, #2414, #2460",
    fault="createScope is called without the authorization header; the controller refuses it as "
    "unauthenticated, and the client repeats the same call 18 times, which cannot succeed.",
    shows="createScope, refused 18 times.",
    marks=(called("createScope", skip=1, more=' && !http2.header.name == "authorization"'),),
)
def bug_calls_without_credentials_java() -> Facts:
    return java("calls_without_credentials")


@scenario(
    "A call without credentials is refused, and the next one has them, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    auth=True,
    thread="pravega/pravega#3884",
    shows="createScope without credentials, and once more with them.",
)
def credentials_at_second_attempt_java() -> Facts:
    return java("credentials_at_second_attempt")


@scenario(
    "A transaction is pinged every 60 ms, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="pravega/pravega#3767, #971",
    fault="The lease of the transaction is 30 s, and pingTransaction is called every 60 ms for "
    "nine seconds: some 115 calls, each of which is written to the controller's store, where one "
    "would do.",
    shows="A transaction of nine seconds.",
    marks=(called("pingTransaction", skip=1),),
)
def bug_pings_every_moment_java() -> Facts:
    return java("pings_every_moment")


@scenario(
    "A writer notes times that go back, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="sequence",
    thread="pravega/pravega#6678, #3761, pravega/flink-connectors#277",
    fault="The writer notes the time of each event, and every fourth event is late: "
    "noteTimestampFromWriter with a time before the last one is refused (INVALID_TIME), and what "
    "was promised about the stream's time does not hold for these events.",
    shows="24 events with a time each.",
    marks=(called("noteTimestampFromWriter", skip=3, step=4),),
)
def bug_time_goes_back_java() -> Facts:
    return java("time_goes_back")


@scenario(
    "A writer notes the newest time it has seen, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega#6678, #3761, pravega/flink-connectors#277",
    shows="24 events, 18 of which have the newest time.",
)
def time_never_goes_back_java() -> Facts:
    return java("time_never_goes_back")
