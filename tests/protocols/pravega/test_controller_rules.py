"""Rules for what clients ask the controller: each names its fault and leaves near misses alone."""

import struct

from tests.failures import every
from tests.protocols.pravega.clients import Talks, names_the_fault_alone
from tests.protocols.pravega.traffic import WRITER, Talk, framed, proto, record, text

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.controller_rules import CONTROLLER_RULES

CLIENT, SERVER = 0, 1
STREAM = proto(_1="scope", _2="stream")
FIXED, BY_BYTES, BY_EVENTS = 0, 1, 2
UNSAID, BY_TIME, BY_SIZE = 0, 1, 2
HOUR, DAY = 3_600_000, 86_400_000
MILLISECONDS = 1_700_000_000_000
"""A time of 2023."""
FOREVER = (1 << 63) - 1
PAGE, END = proto(_1="next"), b""


def policy(kind: int, *values: int) -> bytes:
    """A scaling or a retention policy; what is 0 is left out."""
    members = {f"_{number}": each for number, each in enumerate((kind, *values), 1) if each}
    return proto(**members)


def configured(
    *, scaling: bytes = policy(FIXED, 0, 0, 1), retention: bytes = b"", update: bytes | None = None
) -> Talk:
    """A stream that is created, and perhaps updated by another configuration."""
    talk = Talk().call("createStream", config(scaling, retention))
    return talk if update is None else talk.call("updateStream", update)


def config(scaling: bytes, retention: bytes) -> bytes:
    """A configuration of a stream."""
    return proto(_1=STREAM, _2=scaling, **({"_3": retention} if retention else {}))


def scaled_by(*values: int) -> Talk:
    """A stream with a scaling policy."""
    return configured(scaling=policy(*values))


def kept(*values: int) -> Talk:
    """A stream with a retention policy."""
    return configured(retention=policy(*values))


def restated(*segments: int, method: str = "updateStream") -> Talk:
    """Configurations that are stated one after the other."""
    talk = Talk()
    for each in segments:
        talk.call(method, config(policy(FIXED, 0, 0, each), b""), later=2)
    return talk


def leased(lease: int, *, ping: bool = False) -> Talk:
    """A transaction that asks for a lease."""
    if ping:
        return Talk().call("pingTransaction", proto(_1=STREAM, _2=proto(_1=7, _2=9), _3=lease))
    return Talk().call("createTransaction", proto(_1=STREAM, _2=lease), proto(_1=proto(_1=7)))


def scale(*ranges: tuple[float, float], sealed: bytes = b"\0", status: int = 0) -> Talk:
    """A scale into ranges of keys, and its outcome."""
    members = {
        f"_3{letter}": proto(_1=low, _2=high)
        for letter, (low, high) in zip("abcdef", ranges, strict=False)
    }
    message = proto(_1=STREAM, **({"_2": sealed} if sealed else {}), **members)
    return Talk().call("scale", message, proto(_1=status) if status else b"")


def scaled(*ways: str, wait: float = 1) -> Talk:
    """Scales that split segments (+), or merge them (-)."""
    talk = Talk()
    for way in ways:
        sealed, made = (b"\0", 2) if way == "+" else (b"\1\2", 1)
        ranges = {f"_3{'ab'[e]}": proto(_1=e / made, _2=(e + 1) / made) for e in range(made)}
        talk.call("scale", proto(_1=STREAM, _2=sealed, **ranges), later=wait)
    return talk


def segments(*ranges: tuple[float, float], method: str = "getCurrentSegments") -> Talk:
    """The segments of a stream, as the controller says them; keys of 0 are left out."""
    members = {}
    for letter, (low, high) in zip("abcdef", ranges, strict=False):
        keys = ({"_2": float(low)} if low else {}) | {"_3": float(high)}
        members[f"_1{letter}"] = proto(_1=proto(_1=STREAM), **keys)
    return Talk().call(method, STREAM, proto(**members))


def cut(segment: int, offset: int) -> bytes:
    """A segment and an offset of a stream cut."""
    return proto(_1=segment, _2=offset)


def group(*cuts: bytes, refresh: int = 3000, checkpoint: int = 30_000) -> Talk:
    """A reader group, which may begin and end at stream cuts."""
    ends = {
        number: proto(_1=STREAM, **({"_2": each} if each else {}))
        for number, each in zip(("_9", "_10"), cuts, strict=False)
    }
    message = proto(_1="scope", _2="group", _3=refresh, _4=checkpoint, **ends)
    return Talk().call("createReaderGroup", message)


def table(count: int) -> Talk:
    """A key-value table."""
    config = {"_3": count} if count else {}
    return Talk().call("createKeyValueTable", proto(_1="scope", _2="table", **config, _4=4))


def listed(
    *pages: tuple[bytes, bytes], names: int = 2, method: str = "listStreamsInScope", wait: float = 2
) -> Talk:
    """Pages of a list: the token that is sent, and the one that comes back."""
    talk = Talk()
    for asked, rest in pages:
        token = {"_2": asked} if asked else {}
        found = {f"_1{letter}": STREAM for letter in "abcdef"[:names]}
        message = proto(_1="scope", **token)
        if method == "listScopes":
            message = proto(**{"_1": asked} if asked else {})
            found = {f"_1{letter}": "scope" for letter in "abcdef"[:names]}
        talk.call(method, message, proto(**found, **({"_2": rest} if rest else {})), wait)
    talk.now += 5_000_000_000
    return talk.event("close")


def positions(*offsets: int, truncates: bool = False, key: int = 1) -> Talk:
    """Positions of a subscriber, or truncations of its stream."""
    talk = Talk()
    for number, each in enumerate(offsets):
        where = proto(_1=STREAM, _2=cut(key * number if key > 1 else 0, each))
        if truncates:
            talk.call("truncateStream", where)
        else:
            talk.call("updateSubscriberStreamCut", proto(_1="group", _2=1, _3="id", _4=where))
    return talk


def refused(
    count: int, *, status: int = 3, last: int = 3, wait: float = 1, method: str = "deleteStream"
) -> Talk:
    """A change that the controller refuses."""
    talk = Talk()
    message = STREAM if method == "deleteStream" else proto(_1=STREAM)
    for each in range(count):
        outcome = last if each == count - 1 else status
        talk.call(method, message, proto(_1=outcome) if outcome else b"", wait)
    return talk


def listed_segments(
    count: int, *, ranges: int = 0, wait: float = 1, method: str = "getCurrentSegments"
) -> Talk:
    """Current segments of a stream that are asked for."""
    talk = Talk()
    answer = proto(_1=proto(_1=proto(_1=STREAM, _2=4), _3=1.0)) * ranges
    for _ in range(count):
        talk.call(method, STREAM, answer, wait)
    return talk


def tokens(count: int, *, known: bool = True, streams: int = 1, wait: float = 1) -> Talk:
    """Delegation tokens that are asked for."""
    talk = Talk()
    for each in range(count):
        info = proto(_1="scope", _2=f"stream{each % streams}")
        talk.call("getDelegationToken", info, proto(_1="abc") if known else b"", wait)
    return talk


def groups(count: int, *, status: int = 0, names: int = 1) -> Talk:
    """A reader group that is created again and again."""
    talk = Talk()
    for each in range(count):
        message = proto(_1="scope", _2=f"group{each % names}", _8=f"id{each}")
        talk.call("createReaderGroup", message, proto(_1=status) if status else b"", 2)
    return talk


def noted(count: int, *, wait: float = 0.05, writers: int = 1) -> Talk:
    """Times of writers."""
    talk = Talk()
    for each in range(count):
        message = proto(_1=f"writer{each % writers}", _2=proto(_1=STREAM), _3=each + 1)
        talk.call("noteTimestampFromWriter", message, b"", wait)
    return talk


def times(*noted: tuple[str, int], streams: int = 1) -> Talk:
    """Times of writers: who, and which."""
    talk = Talk()
    for number, (writer, time) in enumerate(noted):
        stream = proto(_1="scope", _2=f"stream{number % streams}")
        message = proto(_1=writer, _2=proto(_1=stream), _3=time)
        talk.call("noteTimestampFromWriter", message, b"")
    return talk


def in_turn(*writers: str, wait: float = 4) -> Talk:
    """Times that these writers note, or where one is removed (a minus before its name)."""
    talk = Talk()
    for number, writer in enumerate(writers):
        if writer.startswith("-"):
            talk.call("removeWriter", proto(_1=writer[1:], _2=STREAM), b"", wait)
        else:
            message = proto(_1=writer, _2=proto(_1=STREAM), _3=MILLISECONDS + number)
            talk.call("noteTimestampFromWriter", message, b"", wait)
    return talk


def retaining(kind: int, *, releases: bool = False, wait: float = 11, every: int = 1000) -> Talk:
    """A reader group of this kind of retention, and what it releases."""
    message = proto(_1="scope", _2="group", _4=every & ((1 << 64) - 1), _6=kind, _8="id-7")
    talk = Talk().call("createReaderGroup", message)
    if releases:
        cut = proto(_1="scope/group", _3="id-7", _4=proto(_1=STREAM))
        talk.call("updateSubscriberStreamCut", cut, b"")
    return talk.call("checkScopeExists", proto(_1="scope"), b"", wait)


def placed(endpoint: str, server: str = "192.0.2.3:9090") -> Talk:
    """Where the controller says that a segment is."""
    talk = Talk(controller=server)
    return talk.call("getURI", proto(_1=STREAM, _2=1), proto(_1=endpoint, _2=6000))


def ended(*methods: str) -> Talk:
    """A transaction that is created, then ended."""
    talk = Talk().call("createTransaction", proto(_1=STREAM, _2=20_000), proto(_1=proto(_1=7)))
    for each in methods:
        talk.call(each, proto(_1=STREAM, _2=proto(_1=7)))
    return talk


def committed(*events: int) -> Talk:
    """Transactions that are committed, with so many events each."""
    talk = Talk()
    segment = text("scope/stream/0.#epoch.0#transaction.1")
    number = struct.pack(">q", 7)
    talk.say(CLIENT, framed(Code.SETUP_APPEND, number + WRITER + segment + text("")))
    talk.say(SERVER, framed(Code.APPEND_SETUP, number + segment + WRITER + struct.pack(">q", -1)))
    written = 0
    for each, count in enumerate(events, 1):
        txn = proto(_1=each)
        talk.call("createTransaction", proto(_1=STREAM, _2=20_000), proto(_1=txn))
        for _ in range(count):
            written += 1
            event = record(0, b"event")
            body = struct.pack(">iiiqq", len(event), 0, 1, written, 7)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + event), 0)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + body), 0)
        talk.call("commitTransaction", proto(_1=STREAM, _2=txn))
    return talk


RETAINED = policy(BY_TIME, 7 * DAY, FOREVER)
BY_RATE = policy(BY_EVENTS, 100, 2, 1)
ONE = policy(FIXED, 0, 0, 1)


def named(method: str, message: bytes) -> Talk:
    """A call about a name."""
    return Talk().call(method, message)


CASES: list[tuple[str, Talks]] = [
    ("P80", lambda: (named("createScope", proto(_1="undefined")),
        named("createScope", proto(_1="scope")))),
    ("P80", lambda: (named("sealStream", proto(_1="scope", _2="orders-${env}")),
        named("sealStream", STREAM))),
    ("P28c", lambda: (scaled_by(BY_BYTES, 0, 2, 1), scaled_by(BY_BYTES, 10, 2, 1), configured())),
    ("P28c", lambda: (scaled_by(BY_EVENTS, 0, 2, 1),)),
    ("P28d", lambda: (scaled_by(BY_BYTES, 1_048_576, 2, 1), scaled_by(BY_BYTES, 20_000, 2, 1))),
    ("P28d", lambda: (scaled_by(BY_EVENTS, 86_400_000, 2, 1),
        scaled_by(BY_EVENTS, 1_048_576, 2, 1))),
    ("P28e", lambda: (scaled_by(BY_EVENTS, 100, 1, 1),
        scaled_by(BY_EVENTS, 100, 2, 1), configured())),
    ("P28e", lambda: (scaled_by(BY_BYTES, 100, 0, 1),)),
    ("P28f", lambda: (scaled_by(FIXED),
        configured(), configured(update=config(policy(FIXED), b"")), scaled_by(BY_BYTES, 9, 2, 1))),
    ("P28g", lambda: (scaled_by(FIXED, 0, 0, 1000), scaled_by(FIXED, 0, 0, 100))),
    ("P70", lambda: (kept(UNSAID, 7 * DAY, FOREVER), kept(UNSAID, 0, FOREVER), kept(BY_TIME, DAY))),
    ("P70b", lambda: (kept(BY_TIME, 0, FOREVER), kept(UNSAID, 0, FOREVER), kept(BY_SIZE, 1 << 30))),
    ("P70b", lambda: (kept(BY_SIZE),)),
    ("P70c", lambda: (kept(BY_TIME, 3600, FOREVER),
        kept(BY_TIME, HOUR, FOREVER), kept(BY_SIZE, 99_999), kept(BY_TIME, 60_000, DAY))),
    ("P70d", lambda: (kept(BY_SIZE, 1024, FOREVER),
        kept(BY_SIZE, 10 << 20), kept(BY_TIME, 65_000), kept(BY_SIZE, 400, 4 << 20))),
    ("P70d", lambda: (kept(BY_SIZE, 400, 900),)),
    ("P70e", lambda: (kept(BY_TIME, 7 * DAY * 1_000_000),
        kept(BY_TIME, 365 * DAY), kept(BY_SIZE, 1 << 50))),
    ("P70f", lambda: (kept(BY_TIME, 2 * DAY, DAY),
        kept(BY_TIME, DAY, 2 * DAY), kept(BY_TIME, DAY), kept(UNSAID, 0, FOREVER))),
    ("P70f", lambda: (kept(BY_SIZE, 1 << 30, 1 << 20),)),
    ("P75", lambda: (configured(retention=RETAINED, update=config(ONE, b"")),
        configured(retention=RETAINED, update=config(ONE, RETAINED)),
        configured(update=config(ONE, b"")))),
    ("P75", lambda: (configured(retention=RETAINED, update=config(ONE, policy(0, 0, FOREVER))),)),
    ("P75b", lambda: (configured(scaling=BY_RATE, update=config(ONE, b"")),
        configured(scaling=BY_RATE, update=config(BY_RATE, b"")),
        configured(update=config(BY_RATE, b"")))),
    ("B71", lambda: (restated(3, 1, 3, 1),
        restated(3, 1, 3), restated(3, 3, 3, 3, 3), restated(1, 2, 3, 4),
        restated(3, 1, 3, 1, method="createStream"))),
    ("P71", lambda: (leased(30), leased(10_000), leased(90_000), leased(120_000, ping=True))),
    ("P71", lambda: (leased(90, ping=True),)),
    ("P71b", lambda: (leased(90_000_000), leased(HOUR))),
    ("P71b", lambda: (leased(90_000_000_000, ping=True),)),
    ("P72", lambda: (scale((0.0, 0.6), (0.5, 1.0)),
        scale((0.5, 1.0), (0.0, 0.5)), scale((0.2, 0.4)))),
    ("P72", lambda: (scale((0.5, 0.5)), scale((0.0, 1 / 3), (0.33333333, 1.0)))),
    ("P72", lambda: (scale((0.0, 100.0)),)),
    ("P72b", lambda: (scale((0.0, 1.0), sealed=b""), scale((0.0, 1.0)))),
    ("P72b", lambda: (scale(),)),
    ("P72c", lambda: (segments((0, 0.4), (0.5, 1)),
        segments((0, 0.5), (0.5, 1)), segments((0.5, 1), (0, 0.5)), segments(),
        segments((0, 0.4), method="getCurrentSegmentsKeyValueTable"))),
    ("P72c", lambda: (segments((0, 0.6), (0.5, 1), method="getEpochSegments"),)),
    ("P72c", lambda: (segments((0, 0.9)),)),
    ("P73", lambda: (group(cut(0, 90), cut(0, 40)),
        group(cut(0, 40), cut(0, 90)), group(cut(0, 40), b""), group(cut(0, 90), cut(1, 40)),
        group(cut(0, 90), cut(0, -1)))),
    ("P74", lambda: (group(refresh=3), group(), group(checkpoint=-1))),
    ("P74", lambda: (group(checkpoint=30),)),
    ("P76", lambda: (table(0), table(1))),
    ("B51", lambda: (listed(*[(END, PAGE)] * 3),
        listed(*[(END, PAGE)] * 2), listed(*[(END, PAGE), (PAGE, END)] * 4),
        listed(*[(END, PAGE)] * 4, names=0), listed(*[(END, END)] * 4))),
    ("B51", lambda: (listed(*[(END, PAGE)] * 3, method="listScopes"),)),
    ("B51b", lambda: (listed((END, PAGE)),
        listed((END, PAGE), (PAGE, END)), listed((END, END)), listed((END, PAGE), names=0))),
    ("B51b", lambda: (listed((END, PAGE), method="listKeyValueTablesInScope"),)),
    ("B51c", lambda: (listed(*[(PAGE, PAGE)] * 3),
        listed(*[(PAGE, PAGE)] * 2), listed(*[(PAGE, PAGE)] * 4, names=0),
        listed((END, proto(_1="a")), (proto(_1="a"), proto(_1="b")), (proto(_1="b"), END)))),
    ("B52", lambda: (positions(900, 300), positions(300, 900), positions(900, 300, key=2))),
    ("B20d", lambda: (positions(900, 300, truncates=True), positions(300, 900, truncates=True))),
    ("B44c", lambda: (refused(3), refused(2), refused(3, wait=9), refused(3, status=0))),
    ("B44c", lambda: (refused(3, method="createStream"),
        refused(2, method="createStream"), refused(3, wait=9, method="createStream"),
        refused(9, status=2, last=2, method="createStream"),
        refused(3, last=0, method="createStream"))),
    ("B44d", lambda: (refused(1, method="createStream"),
        refused(1, last=2, method="createStream"), refused(1, last=4, method="createStream"),
        refused(1, last=3, method="createScope"))),
    ("B44d", lambda: (Talk().call("createKeyValueTable", proto(_1="scope", _2="t"), proto(_1=3)),)),
    ("B88", lambda: (listed_segments(1),
        listed_segments(1, ranges=1), listed_segments(1, method="getEpochSegments"))),
    ("B88b", lambda: (listed_segments(3),
        listed_segments(2), listed_segments(9, ranges=1), listed_segments(9, wait=9))),
    ("B72", lambda: (scaled(*"+-+-"),
        scaled(*"+-+"), scaled(*"++++++"), scaled(*"++--++--"), scaled(*"+-+-+-", wait=60))),
    ("B72", lambda: (scaled(*"-+-+-"),)),
    ("B53", lambda: (scale((0.0, 1.0), status=2), scale((0.0, 1.0)))),
    ("B53b", lambda: (Talk().call("checkScale", proto(_1=STREAM), proto(_1=2)),
        Talk().call("checkScale", proto(_1=STREAM), proto(_1=1)),
        Talk().call("checkScale", proto(_1=STREAM)))),
    ("B55", lambda: (tokens(5),
        tokens(4), tokens(9, known=False), tokens(9, streams=9), tokens(9, wait=20))),
    ("B36b", lambda: (groups(3), groups(2), groups(6, names=6), groups(3, status=1))),
    ("B54", lambda: (noted(5), noted(4), noted(9, wait=1), noted(9, writers=9))),
    ("B91", lambda: (in_turn(*"babaaaa"),
        in_turn(*"babaaa"), in_turn(*"babaaaa", wait=1), in_turn(*"ababababab"),
        in_turn(*"aaaaaaaa"), in_turn(*"bab", "-b", *"aaaaa"), in_turn(*"baaa", "-a", *"aaa"))),
    ("B91", lambda: (in_turn(*"bcaaaaaaaa"),)),
    ("B92", lambda: (retaining(1),
        retaining(0), retaining(2), retaining(1, releases=True), retaining(1, wait=9))),
    ("B92", lambda: (retaining(2, every=-1),)),
    ("B87", lambda: (times(("a", MILLISECONDS), ("b", MILLISECONDS // 1000)),
        times(("a", MILLISECONDS), ("b", MILLISECONDS - HOUR)),
        times(("a", MILLISECONDS), ("a", MILLISECONDS // 1000)),
        times(("a", MILLISECONDS), ("b", MILLISECONDS // 1000), streams=2),
        times(("a", MILLISECONDS), ("b", 0)))),
    ("B87", lambda: (times(("a", 5), ("b", MILLISECONDS)), times(("a", 5), ("b", 900)))),
    ("P83", lambda: (placed("127.0.1.1"),
        placed("192.0.2.7"), placed("127.0.1.1", "127.0.0.1:9090"), placed("store-1"),
        placed("localhost", "[::1]:9090"))),
    ("P83", lambda: (placed("0.0.0.0"),)),  # noqa: S104 - what a store publishes
    ("B56", lambda: (ended("commitTransaction", "abortTransaction"),
        ended("commitTransaction"), ended("checkTransactionState", "commitTransaction"))),
    ("B56", lambda: (ended("commitTransaction", "commitTransaction"),)),
    ("B63", lambda: (committed(1, 0, 0, 0), committed(1, 0, 0), committed(1, 1, 0, 1, 0, 1, 0))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in CONTROLLER_RULES} == {f"PRV-{rule}" for rule, *_ in CASES}
