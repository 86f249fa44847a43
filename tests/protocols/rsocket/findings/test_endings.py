"""Rules for how connections and streams end: faults, and near misses."""

from tests.failures import every
from tests.protocols.rsocket.script import (
    CANCEL,
    CHANNEL,
    CLIENT,
    DONE,
    ERROR,
    FAILED,
    FNF,
    FOLLOWS,
    KEEPALIVE,
    MS,
    NEXT,
    PAYLOAD,
    PUSH,
    REQUEST_N,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    Scripts,
    names_the_fault_alone,
    number,
)
from tests.protocols.rsocket.traffic import framed, resume, setup

from streamshark.protocols.rsocket.findings.endings import ENDINGS

COMPLETE, METADATA = 0x40, 0x100
BEAT = (SERVER, framed(0, KEEPALIVE, 0x80, bytes(8)))
ASK = (CLIENT, framed(1, RESPONSE, 0, b"poison"))
ANSWER = (SERVER, framed(1, PAYLOAD, DONE, b"a"))
SUBSCRIBE = (CLIENT, framed(1, STREAM, 0, number(99) + b"prices"))
ANOTHER = (CLIENT, framed(3, STREAM, 0, number(99) + b"rooms"))
FAILS = (SERVER, framed(3, ERROR, 0, number(FAILED) + b"no"))
ITEM = (SERVER, framed(1, PAYLOAD, NEXT, b"a"))
LATER = (CLIENT, framed(3, RESPONSE, 0, b"later"))
LATER_ANSWER = (SERVER, framed(3, PAYLOAD, DONE, b"a"))
GIVE_UP = (CLIENT, framed(1, CANCEL, 0))
PUSHED = (CLIENT, framed(0, PUSH, METADATA, b"temperature"))
Said = tuple[int, bytes]


def begin(talk: Script, first: bytes = b"") -> None:
    """A connection of which everything is captured, and its first frame."""
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, first or setup())


def over(code: int = 0x101, side: int = CLIENT) -> Said:
    """ERROR on stream 0."""
    return side, framed(0, ERROR, 0, number(code) + b"Disposed")


def ends(
    *frames: Said,
    by: int | None = SERVER,
    wait: int = MS,
    times: int = 1,
    first: bytes = b"",
    how: str = "close",
) -> Script:
    """Connections with some frames, which one side ends, or neither."""
    talk = Script()
    for at in range(times):
        if at:
            talk.connect()
        begin(talk, first)
        for side, data in frames:
            talk.say(side, data)
        talk.now += wait
        if by is not None:
            talk.event(by, how)
            talk.now += MS
            talk.event(1 - by, "close")
            for row in talk.connection.finish():
                talk.engine.see(row)
    return talk


def lives_on(*frames: Said, wait: int = 2 * SECOND) -> Script:
    """Frames after the ERROR of the client, and no end for some time."""
    talk = ends(BEAT, ASK, ANSWER, over(), by=None, wait=0)
    talk.now += wait
    for side, data in frames:
        talk.say(side, data)
    talk.close()
    return talk


def paced(
    count: int, *, wait: int = 5 * SECOND, pace: int = 100 * MS, then: bytes = b"", n: int = 99
) -> Script:
    """A stream of items, and silence until the connection ends."""
    talk = ends(BEAT, (CLIENT, framed(1, STREAM, 0, number(n) + b"prices")), by=None, wait=0)
    for _ in range(count):
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"), pace)
    if then:
        talk.say(SERVER, then)
    talk.say(CLIENT, framed(0, KEEPALIVE, 0x80, bytes(8)), wait)
    talk.close()
    return talk


def in_bursts(size: int) -> Script:
    """METADATA_PUSH frames with a pause of 100 ms after some."""
    talk = Script()
    begin(talk, b"")
    for at in range(400):
        talk.say(*PUSHED)
        if at % size == size - 1:
            talk.now += 100 * MS
    talk.close()
    return talk


def given_up(  # noqa: PLR0913
    silent: int,
    after: int,
    *,
    asked: int = 3,
    again: bool = False,
    answered: bool = False,
    beaten: int = 0,
    by: int = CLIENT,
) -> Script:
    """A client that ends its connection when its server was silent, and what comes then.

    Times are in seconds; the lifetime is 90 s. `beaten` is the time from KEEPALIVE to the requests.
    """
    talk = ends(BEAT, (SERVER, framed(0, KEEPALIVE, 0, bytes(8))), by=None, wait=beaten * SECOND)
    for at in range(asked):
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, 0, b"price"))
        talk.say(SERVER, framed(2 * at + 1, PAYLOAD, DONE, b"a"))
    talk.say(CLIENT, framed(0, KEEPALIVE, 0x80, bytes(8)), silent * SECOND // 2)
    if answered:
        talk.say(SERVER, framed(0, KEEPALIVE, 0, bytes(8)), silent * SECOND // 4)
    talk.now += silent * SECOND // 2
    talk.event(by, "close")
    talk.now += MS
    talk.event(1 - by, "close")
    for row in talk.connection.finish():
        talk.engine.see(row)
    talk.now += after * SECOND
    talk.connect("" if again else "10.0.0.9:40000")
    begin(talk)
    talk.say(SERVER, BEAT[1])
    talk.close()
    return talk


def cancelled(count: int, *, wait: int = 8 * SECOND, pace: int = 10 * MS, n: int = 99) -> Script:
    """A stream of items, and silence until the client cancels it."""
    talk = ends(BEAT, (CLIENT, framed(1, STREAM, 0, number(n) + b"prices")), by=None, wait=0)
    for _ in range(count):
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"), pace)
    talk.say(CLIENT, framed(1, CANCEL, 0), wait)
    talk.close()
    return talk


def beside(
    done: int,
    *,
    items: int = 1,
    wait: int = 2 * SECOND,
    kind: int = STREAM,
    more: int = 1,
    cancels: bool = False,
) -> Script:
    """Streams of one route that complete, of more items, and one that does not."""
    talk = ends(BEAT, by=None, wait=0)
    flags = COMPLETE if kind == CHANNEL else 0
    for at in range(done + 1):
        talk.say(CLIENT, framed(2 * at + 1, kind, flags, number(9) + b"rooms"))
        for _ in range(items):
            talk.say(SERVER, framed(2 * at + 1, PAYLOAD, NEXT, b"a"))
        if at < done:
            last = DONE if more else COMPLETE
            talk.say(SERVER, framed(2 * at + 1, PAYLOAD, last, b"a" * more))
    if cancels:
        talk.say(CLIENT, framed(2 * done + 1, CANCEL, 0), wait)
    talk.say(*BEAT, wait)
    talk.close()
    return talk


def side_by_side(*requests: int, wait: int = 2 * SECOND) -> Script:
    """Connections of one client with so many requests each."""
    talk = Script()
    for at, count in enumerate(requests):
        if at:
            talk.connect()
        begin(talk)
        for each in range(count):
            talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, b"q%d" % each))
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.now += wait
        talk.say(*BEAT)
        talk.close()
        for row in talk.connection.finish():
            talk.engine.see(row)
    return talk


def repeats(*, answered: bool = False, other: bytes = b"", wait: int = SECOND) -> Script:
    """A request on a connection that is lost, and one on the next."""
    talk = ends(ASK, *([ANSWER] if answered else []))
    talk.now += wait
    talk.connect()
    begin(talk)
    talk.say(CLIENT, framed(1, RESPONSE, 0, other or b"poison"))
    return talk


FAILS_ITSELF = (CLIENT, framed(3, ERROR, 0, number(FAILED) + b"disk"))
LEAVES = (CLIENT, framed(3, CANCEL, 0))


def poisoned(times: int, *before: Said, by: int = SERVER, wait: int = MS) -> Script:
    """A request with which so many connections end, and which is sent once more."""
    asked = (CLIENT, framed(5, RESPONSE, 0, b"year"))
    talk = ends(BEAT, *before, asked, times=times, by=by, wait=wait)
    talk.now += SECOND
    talk.connect()
    begin(talk)
    talk.say(CLIENT, framed(1, RESPONSE, 0, b"year"))
    return talk


def left(
    *beats: int, asked: int = 3, again: bool = False, served: bool = True, by: int = SERVER
) -> Script:
    """A client whose server ends the connection, and what comes then: seconds up to KEEPALIVE.

    The client has another connection to another server; later the first one serves others.
    """
    talk = Script()
    talk.connection.flow.addresses = ("", "10.0.0.8:7000")
    begin(talk)
    talk.say(*BEAT)
    other = talk.flow, talk.connection, talk.offsets
    talk.connect()
    begin(talk)
    for at in range(asked):
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, 0, b"price"))
        talk.say(SERVER, framed(2 * at + 1, PAYLOAD, DONE, b"a"))
    talk.event(by, "close")
    talk.now += MS
    talk.event(1 - by, "close")
    for row in talk.connection.finish():
        talk.engine.see(row)
    if again:
        talk.connect()
        begin(talk)
    talk.now += SECOND
    talk.connect("10.0.0.9:40000")
    begin(talk)
    if served:
        talk.say(CLIENT, framed(1, RESPONSE, 0, b"price"))
        talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.flow, talk.connection, talk.offsets = other
    for each in beats:
        talk.say(CLIENT, framed(0, KEEPALIVE, 0x80, bytes(8)), each * SECOND)
    return talk


def idle(*seconds: float, beats: int = 0, by: int = SERVER, first: bytes = b"") -> Script:
    """Connections that one side ends so many seconds after their last frame.

    The interval of KEEPALIVE is 20 s.
    """
    talk = Script()
    for at, each in enumerate(seconds):
        if at:
            talk.connect()
        begin(talk, first)
        for said in (ASK, ANSWER, *[BEAT] * beats):
            talk.say(*said)
        talk.now += int(each * SECOND)
        talk.event(by, "close")
        talk.now += MS
        talk.event(1 - by, "close")
        for row in talk.connection.finish():
            talk.engine.see(row)
    return talk


def in_fragments(count: int, *, whole: int = 3, answered: int = 0, wait: int = SECOND) -> Script:
    """Requests in fragments without an answer, and some in one frame that have one."""
    talk = ends(BEAT, by=None, wait=0)
    for at in range(count + whole):
        stream = 2 * at + 1
        if at < count:
            talk.say(CLIENT, framed(stream, RESPONSE, FOLLOWS, b"a" * 80))
            talk.say(CLIENT, framed(stream, PAYLOAD, NEXT, b"b" * 80))
        else:
            talk.say(CLIENT, framed(stream, RESPONSE, 0, b"a"))
        if at >= count or at < answered:
            talk.say(SERVER, framed(stream, PAYLOAD, DONE, b"a"))
    talk.say(CLIENT, framed(0, KEEPALIVE, 0x80, bytes(8)), 2 * wait)
    talk.close()
    return talk


CASES: list[tuple[str, Scripts]] = [
    ("B83", lambda: (ends(BEAT, ASK),
        ends(BEAT, ASK, ANSWER),
        ends(BEAT, ASK, wait=SECOND),
        ends(BEAT, ASK, over(side=SERVER)),
        ends(BEAT, ASK, by=CLIENT),
    )),
    ("B83", lambda: (ends(BEAT, SUBSCRIBE, GIVE_UP, how="reset"),)),
    ("B83", lambda: (ends(first=resume(b"token")),)),
    ("B83", lambda: (ends(BEAT, (CLIENT, framed(1, CHANNEL, 0, number(9) + b"up")),
                 (CLIENT, framed(1, PAYLOAD, NEXT, b"item"))),)),
    ("B83b", lambda: (ends(BEAT, ASK, times=3),
        ends(BEAT, ASK, times=2),
        ends(BEAT, ASK, ANSWER, times=3),
        ends(ASK, times=3),
        ends(BEAT, ASK, times=3, wait=SECOND),
        ends(BEAT, ASK, times=3, by=CLIENT),
    )),
    ("B83b", lambda: (ends(BEAT, SUBSCRIBE, GIVE_UP, times=4, how="reset"),)),
    ("B83c", lambda: (ends(BEAT, SUBSCRIBE, ANOTHER, FAILS_ITSELF, times=3),
        ends(BEAT, SUBSCRIBE, ANOTHER, FAILS_ITSELF, times=2),
        ends(BEAT, SUBSCRIBE, ANOTHER, FAILS_ITSELF, times=3, wait=SECOND),
        ends(BEAT, SUBSCRIBE, ANOTHER, FAILS_ITSELF, times=3, by=CLIENT),
        ends(BEAT, SUBSCRIBE, ANOTHER, GIVE_UP, FAILS_ITSELF, times=3),
        ends(BEAT, SUBSCRIBE, ANOTHER, FAILS_ITSELF, over(side=SERVER), times=3),
        ends(BEAT, ANOTHER, FAILS_ITSELF, times=3),
    )),
    ("B83c", lambda: (ends(BEAT, SUBSCRIBE, ANOTHER, LEAVES, ASK, times=4, how="reset"),)),
    ("B84", lambda: (ends((SERVER, framed(2, RESPONSE, 0, b"who")), by=CLIENT),
        ends((SERVER, framed(2, RESPONSE, 0, b"who")), by=CLIENT, wait=SECOND),
        ends((SERVER, framed(2, RESPONSE, 0, b"who")), over(), by=CLIENT),
        ends((SERVER, framed(2, RESPONSE, 0, b"who")),
             (CLIENT, framed(2, PAYLOAD, DONE, b"me")), by=CLIENT),
        ends((SERVER, framed(2, RESPONSE, 0, b"who"))),
        ends(ASK, ANSWER, by=CLIENT),
    )),
    ("B84",
        lambda: (ends((SERVER, framed(0, PUSH, METADATA, b"exposed")), by=CLIENT, how="reset"),)),
    ("B84b", lambda: (ends(SUBSCRIBE, ANOTHER, FAILS, by=CLIENT),
        ends(SUBSCRIBE, ANOTHER, FAILS, by=CLIENT, wait=SECOND),
        ends(SUBSCRIBE, ANOTHER, FAILS),
        ends(ASK, (SERVER, framed(1, ERROR, 0, number(FAILED) + b"no")), by=CLIENT),
        ends(SUBSCRIBE, ANOTHER, FAILS, over(), by=CLIENT),
        ends(SUBSCRIBE, over(side=SERVER), by=CLIENT),
    )),
    ("B84b", lambda: (ends(SUBSCRIBE, (CLIENT, framed(3, CHANNEL, 0, number(9) + b"up")),
                  (SERVER, framed(3, CANCEL, 0)), by=CLIENT, how="reset"),)),
    ("C36", lambda: (lives_on(ASK), lives_on(ASK, wait=10 * MS), lives_on(BEAT), lives_on())),
    ("C36", lambda: (lives_on((CLIENT, framed(0, KEEPALIVE, 0x80, bytes(8)))),)),
    ("C36b", lambda: (lives_on(),
        lives_on(wait=SECOND // 2), ends(BEAT, over(), by=CLIENT, wait=0))),
    ("C36b", lambda: (ends(BEAT, ASK, over(side=SERVER), wait=2 * SECOND),
        ends(BEAT, over(0x102), wait=2 * SECOND),
    )),
    ("B222", lambda: (given_up(90, 12),
        given_up(90, 5),
        given_up(90, 12, again=True),
        given_up(90, 12, answered=True),
        given_up(90, 12, by=SERVER),
        given_up(40, 12),
        given_up(90, 12, asked=2),
    )),
    ("B222", lambda: (given_up(60, 12, beaten=32),
        given_up(60, 12, beaten=5),
    )),
    ("B240", lambda: (left(4, 8), left(4, 4), left(4, 8, again=True), left(4, 8, served=False),
        left(4, 8, by=CLIENT), left(4, 8, asked=2),
    )),
    ("B240b", lambda: (left(12), left(5), left(12, again=True), left(12, served=False),
        left(12, by=CLIENT),
    )),
    ("B241", lambda: (idle(6, 6.1, 6), idle(6, 6.1), idle(6, 9, 6), idle(3, 3, 3),
        idle(25, 25, 25), idle(6, 6, 6, by=CLIENT), idle(6, 9, 12),
    )),
    ("B241", lambda: (idle(15, 15, 15.2, 15, beats=2),)),
    ("B243", lambda: (in_fragments(4), in_fragments(3), in_fragments(4, whole=2),
        in_fragments(4, answered=1), in_fragments(4, wait=MS),
    )),
    ("B244", lambda: (ends(*[PUSHED] * 200), ends(*[PUSHED] * 199),
        ends(*[PUSHED] * 150, *[ASK, ANSWER] * 15, *[PUSHED] * 49),
    )),
    ("B244", lambda: (in_bursts(50), in_bursts(3))),
    ("B245", lambda: (ends(by=CLIENT, times=3), ends(by=CLIENT, times=2),
        ends(ASK, by=CLIENT, times=3), ends(BEAT, by=CLIENT, times=3), ends(times=3),
    )),
    ("B251", lambda: (beside(1, items=5, more=0, wait=6 * SECOND, cancels=True),
        beside(1, items=5, wait=6 * SECOND, cancels=True),
        beside(0, items=5, more=0, wait=6 * SECOND, cancels=True),
        beside(3, items=2, more=0, wait=6 * SECOND, cancels=True),
        beside(1, items=5, more=0, wait=4 * SECOND, cancels=True),
    )),
    ("B224", lambda: (cancelled(8),
        cancelled(7),
        cancelled(8, wait=4 * SECOND),
        cancelled(8, pace=SECOND),
        cancelled(8, n=8),
    )),
    ("B86", lambda: (paced(8),
        paced(7),
        paced(8, wait=SECOND),
        paced(8, pace=SECOND),
        paced(8, then=framed(1, PAYLOAD, COMPLETE)),
        paced(8, then=framed(1, ERROR, 0, number(FAILED) + b"no")),
        paced(8, n=8),
    )),
    ("B86", lambda: (paced(40, pace=MS, wait=2 * SECOND),)),
    ("B87", lambda: (beside(2), beside(1), beside(2, wait=SECOND), beside(2, items=9))),
    ("B87", lambda: (beside(3, kind=CHANNEL, items=0),)),
    ("B89", lambda: (side_by_side(3, 0),
        side_by_side(0, 0), side_by_side(3, 1), side_by_side(3, 0, wait=0),
    )),
    ("B89", lambda: (side_by_side(0, 5, 0),)),
    ("B90", lambda: (repeats(),
        repeats(answered=True), repeats(other=b"another"), repeats(wait=40 * SECOND),
    )),
    ("B90b", lambda: (poisoned(3),
        poisoned(2), poisoned(3, by=CLIENT), poisoned(3, wait=3 * SECOND),
        poisoned(3, over(side=SERVER)), poisoned(3, over(3, side=SERVER)),
    )),
    ("B90b", lambda: (poisoned(3, SUBSCRIBE, (SERVER, framed(1, PAYLOAD, NEXT, b"tick"))),)),
    ("B160", lambda: (ends(BEAT, ASK, LATER, LATER_ANSWER, by=CLIENT),
        ends(BEAT, ASK, ANSWER, LATER, LATER_ANSWER, by=CLIENT), ends(BEAT, ASK, LATER, by=CLIENT),
        ends(BEAT, ASK, LATER, GIVE_UP, LATER_ANSWER, by=CLIENT),
        ends(BEAT, LATER, ASK, LATER_ANSWER, by=CLIENT, first=setup(token=b"token")),
        ends(BEAT, (CLIENT, framed(1, FNF, 0, b"x")), LATER, LATER_ANSWER, by=CLIENT),
    )),
    ("B160", lambda: (ends(BEAT, SUBSCRIBE, ANOTHER, FAILS, by=SERVER),)),
    ("B160", lambda: (ends(BEAT, (CLIENT, framed(1, CHANNEL, 0, number(9) + b"x")), ANOTHER, FAILS),
        ends(BEAT, (CLIENT, framed(1, CHANNEL, 0, number(9) + b"x")),
             (SERVER, framed(1, REQUEST_N, 0, number(9))), ANOTHER, FAILS),
    )),
    ("B160b", lambda: (ends(BEAT, SUBSCRIBE, ITEM, by=CLIENT),
        ends(BEAT, SUBSCRIBE, ITEM, GIVE_UP, by=CLIENT), ends(BEAT, SUBSCRIBE, ITEM, by=SERVER),
        ends(BEAT, SUBSCRIBE, ITEM, over(), by=CLIENT), ends(BEAT, ASK, by=CLIENT),
        ends(BEAT, SUBSCRIBE, ITEM, by=CLIENT, first=setup(token=b"token")),
        ends(BEAT, SUBSCRIBE, (SERVER, framed(1, PAYLOAD, COMPLETE)), by=CLIENT),
    )),
    ("B160b", lambda: (
        ends(BEAT, (CLIENT, framed(1, CHANNEL, COMPLETE, number(9) + b"x")), by=CLIENT),
    )),
    ("B161", lambda: (ends(BEAT, over(), ASK, by=CLIENT), ends(BEAT, ASK, over(), by=CLIENT),
        ends(BEAT, over(), BEAT, by=CLIENT), lives_on(ASK))),
    ("B161", lambda: (ends(BEAT, over(side=SERVER), over(side=SERVER)),
        ends(BEAT, over(side=SERVER), over()))),
    ("B166", lambda: (ends(BEAT, ASK, ANSWER), ends(BEAT, ASK, ANSWER, by=CLIENT),
        ends(BEAT, ASK, ANSWER, over(side=SERVER)), ends(BEAT, SUBSCRIBE, ITEM),
        ends(ASK, ANSWER, (CLIENT, framed(0, KEEPALIVE, 0x80, bytes(8)))), ends(),
    )),
    ("B166", lambda: (ends(BEAT, wait=60 * SECOND),)),
]  # fmt: skip
"""Rule, a fault that it names, and near misses."""


@every(("at", "rule", "talks"), [(at, *each) for at, each in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: Scripts) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    names_the_fault_alone(rule, talks)


def test_the_first_frame_of_a_finding_is_the_guilty_one() -> None:
    """It is the last frame before the end, or the last item before the silence."""
    for rule, talk, first in (
        ("B83", ends(BEAT, ASK), 3),
        ("B84", ends(BEAT, (SERVER, framed(2, STREAM, 0, number(9) + b"who")), by=CLIENT), 3),
        ("B86", paced(8), 11),
        ("C36", lives_on(ASK), 6),
    ):
        assert [frames[0] for frames in talk.ends(f"RSK-{rule}")] == [first], rule


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {f"RSK-{rule}" for rule, *_ in CASES} == {each.id for each in ENDINGS}
