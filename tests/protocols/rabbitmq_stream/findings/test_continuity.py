"""Rules for how clients go on: faults, and near misses that stay silent."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.continuity import CONTINUITY

NAMES = {each.id for each in CONTINUITY}
BODIES = [b"order %02d of the day" % each for each in range(40)]


def entries(ids: list[int], bodies: list[bytes] = BODIES) -> bytes:
    """Messages with these publishing ids; the id chooses the body."""
    made = (number(each, 8) + number(len(b := bodies[each])) + b for each in ids)
    return number(len(ids)) + b"".join(made)


def publish(talk: Talk, *ids: int, confirmed: bool = True, bodies: list[bytes] = BODIES) -> None:
    """One frame of publisher 1, and its confirm."""
    talk.say(CLIENT, 2, b"\1" + entries(list(ids), bodies))
    if confirmed:
        own = b"".join(number(each, 8) for each in ids)
        talk.say(SERVER, 3, b"\1" + number(len(ids)) + own)


def lost(
    first: tuple[int, ...], then: tuple[int, ...], *, name: str = "app", stored: int | None = None
) -> list[Talk]:
    """Messages without a confirm when the connection is lost, and what is sent afterwards."""
    one, other = Talk(), Talk(40_001, 5 * SECOND)
    one.declare("s", name)
    publish(one, 0, 1)
    publish(one, *first, confirmed=False)
    one.made.reset(SERVER)
    if stored is not None:
        other.ask(5, text(name) + text("s"), number(1, 2) + number(stored, 8))
    other.declare("s", name)
    for each in then:
        publish(other, each)
    return [one, other.leave()]


def sent(*frames: tuple[int, ...], name: str = "app") -> list[Talk]:
    """Frames of a publisher with these ids."""
    talk = Talk()
    talk.declare("s", name)
    for each in frames:
        publish(talk, *each)
    return [talk.leave()]


def restarted(*ids: int, shift: int = 0, asked: bool = True) -> list[Talk]:
    """Five messages, and those that the next run begins with; their contents may be others."""
    one, other = Talk(), Talk(40_001, 5 * SECOND)
    one.declare("s", "app")
    publish(one, 0, 1, 2, 3, 4)
    if asked:
        other.ask(5, text("app") + text("s"), number(1, 2) + number(4, 8))
    other.declare("s", "app")
    publish(other, *ids, bodies=BODIES[shift:])
    return [one.leave(), other.wait(1).leave()]


def outbox(first: int, then: int, *, name: str = "", start: int = 0) -> list[Talk]:
    """So many messages of a run, and those of the next one."""
    one, other = Talk(), Talk(40_001, 5 * SECOND)
    for talk, begin, count in ((one, 0, first), (other, start, then)):
        talk.declare("s", name)
        for each in range(count):
            body = BODIES[begin + each]
            talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(len(body)) + body)
            talk.say(SERVER, 3, b"\1" + number(1) + number(each, 8))
        talk.leave()
    return [one, other]


def loop(count: int, *, again: bool = True, wait: float = 0) -> list[Talk]:
    """Messages that are delivered, and published to their stream again."""
    talk = Talk()
    talk.declare("s")
    talk.subscribe("s", 10)
    for each in range(count):
        talk.deliver(each, bodies=(BODIES[each],))
        talk.wait(wait)
        body = BODIES[each if again else each + 20]
        talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(len(body)) + body)
        talk.say(SERVER, 3, b"\1" + number(1) + number(each, 8))
    return [talk.leave()]


def cycle(*numbers: int) -> list[Talk]:
    """Messages by their numbers, each in a frame of its own."""
    talk = Talk()
    talk.declare("s")
    for at, each in enumerate(numbers):
        talk.say(CLIENT, 2, b"\1" + number(1) + number(at, 8) + number(len(b := BODIES[each])) + b)
        talk.say(SERVER, 3, b"\1" + number(1) + number(at, 8))
    return [talk.leave()]


def spread(*numbers: int, partitions: int = 2, copies: bool = True) -> list[Talk]:
    """Messages in each partition of a super stream, or in one each."""
    talk = Talk()
    names = b"".join(text(f"all-{each}") for each in range(partitions))
    talk.ask(0x19, text("all"), number(1, 2) + number(partitions) + names)
    for own in range(partitions):
        talk.ask(1, number(own, 1) + text("") + text(f"all-{own}"))
    for at, each in enumerate(numbers):
        for own in range(partitions) if copies else [at % partitions]:
            body = BODIES[each]
            made = number(1) + number(at, 8) + number(len(body)) + body
            talk.say(CLIENT, 2, number(own, 1) + made)
            talk.say(SERVER, 3, number(own, 1) + number(1) + number(at, 8))
    return [talk.leave()]


def replicas(count: int, *, apart: float = 0.1, same: bool = True) -> list[Talk]:
    """Two connections that publish the same, or something else, a moment apart."""
    talks = [Talk(), Talk(40_001, int(apart * SECOND))]
    for own, talk in enumerate(talks):
        talk.declare("s")
        for at in range(count):
            talk.wait(2)
            publish(talk, at, bodies=BODIES[0 if same or not own else 20 :])
        talk.leave()
    return talks


def brief(count: int, uses: int, *, publishers: bool) -> list[Talk]:
    """Publishers or subscriptions one after the other, each for so many messages or chunks."""
    talk, at = Talk(), 0
    for _ in range(count):
        if publishers:
            talk.declare("s")
            talk.publish(at, uses)
            talk.ask(6, b"\1")
            at += uses
            continue
        talk.subscribe("s", 10)
        for _ in range(uses):
            talk.deliver(at)
            at += 1
        talk.ask(0x0C, b"\1")
    return [talk.leave()]


def gone(
    count: int,
    *,
    closes: bool = False,
    wait: float = 0,
    beat: bool = False,
    times: int = 1,
    every: int = 5,
) -> list[Talk]:
    """Connections that end when MetadataUpdate has come, or so many Heartbeats."""
    made = [Talk(40_000 + at, at * every * SECOND) for at in range(count)]
    for talk in made:
        talk.declare("s")
        if beat:
            for _ in range(times):
                talk.publish(1, 2)
                talk.wait(1).say(SERVER, 23, b"")
        else:
            talk.say(SERVER, 0x10, number(6, 2) + text("s"))
        talk.wait(wait)
        if closes:
            talk.leave()
        else:
            talk.made.reset(CLIENT)
    return made


def dies(
    count: int, *, step: int = 0, wait: float = 0, credits_: bool = True, side: int = SERVER
) -> list[Talk]:
    """Connections that end when messages up to some place have come and Credit was given."""
    made = [Talk(40_000 + at, at * 5 * SECOND) for at in range(count)]
    for at, talk in enumerate(made):
        talk.subscribe("s", 2)
        talk.deliver(0, 10 + at * step)
        if credits_:
            talk.say(CLIENT, 9, b"\1" + number(1, 2))
        talk.wait(wait).made.finish(side).finish(1 - side)
    return made


def refused(*, closes: bool = False) -> list[Talk]:
    """A client that ends when it is told that no offset is stored."""
    talk = Talk()
    talk.ask(0x0B, text("app") + text("s"), number(19, 2) + number(0, 8))
    if closes:
        talk.leave()
    else:
        talk.made.finish(CLIENT)
    return [talk]


def noted(value: bytes, body: bytes = b"\0\x53\x75\xa0\1m") -> bytes:
    """A message of AMQP 1.0 with one annotation."""
    pairs = b"\2\xa3\3x-a" + value
    return b"\0\x53\x72\xc1" + number(len(pairs), 1) + pairs + body


USUAL = noted(b"\xa1\1b")
LONGER = noted(b"\xb1\0\0\0\1b")
LISTED = noted(b"\xc0\4\1\xa1\1b")
VALUE = noted(b"\xa1\1b", b"\0\x53\x77\xa1\1m")
WITHOUT = b"\0\x53\x73\xc0\2\1\x40\0\x53\x75\xa0\1m"
PLAIN = b"no message of AMQP"


def stops(other: bytes, end: str, *, burst: bool = False, first: bool = False) -> list[Talk]:
    """Chunks one by one or at once, of which one has another message, and what the client does."""
    talk = Talk()
    talk.subscribe("s", 10)
    bodies = [other, USUAL, other] if first else [USUAL, USUAL, other, *[USUAL] * (3 * burst)]
    for at, body in enumerate(bodies):
        talk.deliver(at, bodies=(body,))
        if not burst and at < 2:
            talk.wait(0.1).say(CLIENT, 9, b"\1" + number(1, 2))
    for _ in range(2 * burst):
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
    if end == "goes on":
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
        talk.deliver(len(bodies), bodies=(USUAL,))
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
        talk.wait(5)
    if end == "drops":
        talk.made.reset(CLIENT)
        return [talk]
    return [talk.wait(5 * (end == "waits")).leave()]


def never_back(
    wait: float = 12,
    *,
    closes: bool = False,
    returns: bool = False,
    publishes: bool = True,
    leaves: bool = False,
) -> list[Talk]:
    """A subscription that the broker ends, and a publisher that goes on later."""
    one, other = Talk(), Talk(40_001, 3 * SECOND)
    one.subscribe("s", 10)
    one.deliver(0, 5)
    if leaves:
        one.leave()
    elif closes:
        one.say(SERVER, 0x16, number(1) + number(1, 2) + text("maintenance"))
        one.say(CLIENT, 0x8016, number(1) + number(1, 2))
        one.made.finish(CLIENT).finish(SERVER)
    else:
        one.made.finish(SERVER).finish(CLIENT)
    other.declare("s")
    if publishes:
        publish(other, 0)
    if returns:
        other.ask(7, b"\1" + text("s") + number(4, 2) + number(5, 8) + number(10, 2) + number(0))
    return [one, other.wait(wait).leave()]


def left_open(
    count: int, *, wait: float = 2, closes: bool = False, ends: bool = True
) -> list[Talk]:
    """Connections whose subscription has ended, or has not, and which may be closed."""
    made = [Talk(40_000 + at, at * SECOND // 10) for at in range(count)]
    for talk in made:
        talk.subscribe("s", 10)
        talk.deliver(0)
        if ends:
            talk.ask(0x0C, b"\1")
        talk.wait(wait)
        if closes:
            talk.leave()
        else:
            talk.say(CLIENT, 23, b"")
    return made


def unnoticed(wait: float, *, closes: bool = False, publishes: bool = False) -> list[Talk]:
    """A connection that the broker ends, while another one goes on."""
    talk, other = Talk(), Talk(40_001)
    if publishes:
        talk.declare("s")
        publish(talk, 0)
    else:
        talk.subscribe("s", 10)
        talk.deliver(0)
    talk.made.finish(SERVER)
    if closes:
        talk.made.finish(CLIENT)
    return [talk, other.wait(wait).leave()]


def read(body: bytes, *, reads: bool = True, later: bool = False) -> list[Talk]:
    """A message, and a subscription during the publisher's life or later."""
    talk, other = Talk(), Talk(40_001, SECOND if later else 0)
    talk.declare("s")
    talk.message(body)
    talk.wait(0 if later else 2)
    if reads:
        other.subscribe("s", 10)
        other.deliver(0, bodies=(body,))
    return [talk.leave(), other.leave()]


def constant(count: int, body: bytes = b"the same order, sent again") -> list[Talk]:
    """One message several times."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(len(body)) + body)
        talk.say(SERVER, 3, b"\1" + number(1) + number(each, 8))
    return [talk.leave()]


def stores(*offsets: int, begins: int | None = None, twins: bool = False) -> list[Talk]:
    """Offsets that are stored after twenty messages from 100 on, read from an offset perhaps."""
    talk = Talk()
    place = number(1, 2) if begins is None else number(4, 2) + number(begins, 8)
    for sid in (2, 1) if twins else (1,):
        talk.ask(7, number(sid, 1) + text("s") + place + number(10, 2) + number(0))
    talk.deliver(100, 20)
    for each in offsets:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(each, 8))
    return [talk.leave()]


def takes_over(stored: int, begins: int) -> list[Talk]:
    """A consumer that becomes active where an offset is stored."""
    talks = [Talk(), Talk(40_001, 5 * SECOND)]
    for at, talk in enumerate(talks):
        pairs = {"name": "app", "single-active-consumer": "true"}
        given = number(2) + b"".join(text(k) + text(v) for k, v in pairs.items())
        talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2) + given)
        update(talk, begins if at else 0)
        talk.deliver(begins if at else 0, 10)
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(stored, 8))
        talk.leave()
    return talks


def update(talk: Talk, offset: int, wait: float = 0) -> None:
    """ConsumerUpdate that makes subscription 1 active, and its answer."""
    talk.say(SERVER, 0x1A, number(1) + b"\1\1")
    talk.wait(wait)
    talk.say(CLIENT, 0x801A, number(1) + number(1, 2) + number(4, 2) + number(offset, 8))


def turns(count: int, wait: float = 1, *, slow: float = 0) -> list[Talk]:
    """Members of a group that become active one after another."""
    made = [Talk(40_000 + at, int(at * wait * SECOND)) for at in range(count)]
    for talk in made:
        pairs = {"name": "app", "single-active-consumer": "true"}
        given = number(2) + b"".join(text(k) + text(v) for k, v in pairs.items())
        talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2) + given)
        update(talk, 0, slow)
        talk.leave()
    return made


def credits_(initial: int, gives: int, *, late: bool = True) -> list[Talk]:
    """A subscription that renews its credit when nothing is left, or earlier."""
    talk, at = Talk(), 0
    talk.subscribe("s", initial)
    for _ in range(5):
        for _ in range(gives):
            talk.deliver(at)
            at += 1
            if not late:
                talk.say(CLIENT, 9, b"\1" + number(1, 2))
        if late:
            talk.say(CLIENT, 9, b"\1" + number(gives, 2))
    return [talk.leave()]


def silent(seconds: float, *, messages: int = 5, reads: str = "s", credit: int = 10) -> list[Talk]:
    """A subscription that receives nothing, beside a publisher of a stream."""
    one, other = Talk(), Talk(40_001, 2 * SECOND)
    one.ask(0x0D, text("orders") + number(0))
    one.declare("orders")
    for each in range(messages):
        publish(one, each)
    other.subscribe(reads, credit)
    return [one.leave(), other.wait(seconds).leave()]


def filtered(values: str, chunks: list[int]) -> list[Talk]:
    """A subscription with a filter, and messages with filter values."""
    one, other = Talk(), Talk(40_001, 2 * SECOND)
    one.declare("s")
    for at, value in enumerate(values):
        own = number(at, 8) + text(value) + number(1) + b"m"
        one.made.send(
            CLIENT, number(len(own) + 9) + number(2, 2) + number(2, 2) + b"\1" + number(1) + own
        )
    pairs = number(1) + text("filter.0") + text("a")
    other.ask(7, b"\1" + text("s") + number(1, 2) + number(20, 2) + pairs)
    for each in chunks:
        other.deliver(each)
    return [one.leave(), other.leave()]


def closed(frames: int, wait: float) -> list[Talk]:
    """Frames of a client after the broker's Close."""
    talk = Talk()
    talk.declare("s")
    talk.say(SERVER, 0x16, number(1) + number(1, 2) + text("maintenance"))
    talk.wait(wait)
    for each in range(frames):
        talk.say(CLIENT, 2, b"\1" + entries([each]))
    return [talk]


def tuned(beats: int) -> list[Talk]:
    """A client that answers Tune with an interval of heartbeats, after one with another."""
    talk = Talk()
    talk.say(CLIENT, 0x8014, number(1 << 20) + number(beats))
    return [talk.leave()]


def renewed(second: bytes, *, first: bytes = b"t" * 64) -> list[Talk]:
    """A token, and the one that renews it."""
    talk = Talk(password=first)
    secret = b"\0a\0" + second
    talk.ask(0x13, text("PLAIN") + number(len(secret)) + secret, number(1, 2))
    return [talk.leave()]


def full(*, subscribes: bool) -> list[Talk]:
    """A client that has no room for more."""
    talk = Talk()
    if subscribes:
        talk.subscribe("s", 10)
        talk.deliver(0)
    talk.made.raw(CLIENT, talk.made.next[CLIENT], window=0)
    return [talk.wait(1).leave()]


CASES = [
    ("RMQ-B70", closed(2, 1)),
    ("", closed(1, 1)),
    ("", closed(3, 0.1)),
    ("RMQ-B71", lost((2, 3, 4), (5, 6))),
    ("RMQ-B71", lost((2, 3, 4), (9,), stored=3)),
    ("RMQ-B71b", lost((2, 3, 4), (5, 6), name="")),
    ("", lost((2, 3, 4), (2, 3, 4, 5))),
    ("", lost((2, 3, 4), (5, 6), stored=4)),
    ("", lost((2, 3, 4), (0, 1), name="")),
    ("", lost((2, 3, 4), (5, 2, 3, 4), name="")),
    ("RMQ-B72", sent((0,), (2,), (1,))),
    ("RMQ-B72", sent((0, 2, 1), (3,))),
    ("RMQ-B72", sent((0, 5), (9,), (7,))),
    ("", sent((0,), (2,), (1,), name="")),
    ("", sent((0,), (2,), (5, 6))),
    ("", sent((0, 1), (2,), (1,))),
    ("RMQ-B73", restarted(4, 5, shift=1)),
    ("RMQ-B73", restarted(0, 1, shift=1)),
    ("RMQ-B73", restarted(4, shift=1, asked=False)),
    ("", restarted(4, 5)),
    ("", restarted(5, 6, shift=1)),
    ("RMQ-B75", outbox(5, 5)),
    ("RMQ-B75", outbox(5, 9)),
    ("", outbox(5, 5, start=5)),
    ("", outbox(2, 2)),
    ("", outbox(5, 5, name="app")),
    ("RMQ-B76", loop(4)),
    ("", loop(2)),
    ("", loop(4, again=False)),
    ("", loop(4, wait=3)),
    ("RMQ-B85", cycle(0, 1, 2, 0, 1, 2)),
    ("RMQ-B85", cycle(0, 1, 2, 3, 0, 1, 2)),
    ("", cycle(0, 1, 2, 3, 4, 5)),
    ("", cycle(0, 1, 2, 0, 1, 3)),
    ("", cycle(0, 1, 0, 1, 0, 1)),
    ("", cycle(0, 1, 2, 3, 0, 1)),
    ("RMQ-B90", spread(0, 1, 2)),
    ("", spread(0, 1)),
    ("", spread(0, 1, 2, 3, copies=False)),
    ("RMQ-B91", replicas(3)),
    ("", replicas(2)),
    ("", replicas(3, apart=1.5)),
    ("", replicas(3, same=False)),
    ("RMQ-B2b", brief(5, 3, publishers=True)),
    ("", brief(4, 3, publishers=True)),
    ("", brief(5, 20, publishers=True)),
    ("RMQ-B3b", brief(5, 3, publishers=False)),
    ("", brief(4, 3, publishers=False)),
    ("RMQ-B92 RMQ-B92b", gone(3)),
    ("RMQ-B92b", gone(2)),
    ("RMQ-B92c", gone(3, beat=True)),
    ("RMQ-B92c", gone(5, beat=True, times=3)),
    ("RMQ-B92c", gone(3, beat=True, every=90)),
    ("RMQ-B92b", gone(3, every=90)),
    ("", gone(2, beat=True)),
    ("", gone(3, beat=True, wait=1)),
    ("", gone(3, beat=True, closes=True)),
    ("RMQ-B92b", refused()),
    ("", refused(closes=True)),
    ("", gone(3, closes=True)),
    ("", gone(3, wait=1)),
    ("RMQ-B140", dies(3)),
    ("RMQ-B140", dies(5)),
    ("", dies(2)),
    ("", dies(3, step=1)),
    ("", dies(3, wait=0.1)),
    ("", dies(3, credits_=False)),
    ("", dies(3, side=CLIENT)),
    ("RMQ-B93", left_open(2)),
    ("", left_open(1)),
    ("", left_open(4, wait=0.5)),
    ("", left_open(4, closes=True)),
    ("", left_open(4, ends=False)),
    ("RMQ-B94", unnoticed(6)),
    ("RMQ-B94", unnoticed(6, publishes=True)),
    ("", unnoticed(4)),
    ("", unnoticed(6, closes=True)),
    *(
        ("RMQ-B95", stops(other, end, burst=burst))
        for other in (LISTED, VALUE, PLAIN, WITHOUT)
        for end in ("drops", "waits")
        for burst in (False, True)
    ),
    ("RMQ-B95b", stops(LISTED, "closes", burst=True)),
    ("", stops(LISTED, "closes")),
    ("", stops(LISTED, "goes on")),
    ("", stops(LISTED, "drops", first=True)),
    ("", stops(USUAL, "drops")),
    ("", stops(LONGER, "waits")),
    ("RMQ-B96", never_back()),
    ("RMQ-B96", never_back(closes=True)),
    ("", never_back(returns=True)),
    ("", never_back(publishes=False)),
    ("", never_back(wait=3)),
    ("", never_back(leaves=True)),
    ("RMQ-U22", read(b"hello")),
    ("RMQ-U22", read(b"hello", later=True)),
    ("RMQ-B87", constant(5)),
    ("", constant(4)),
    ("", constant(6, b"m")),
    ("RMQ-B77", stores(140)),
    ("", stores(119, 120)),
    ("", stores(140, twins=True)),
    ("RMQ-B77b", stores(10, 20)),
    ("RMQ-B77b", stores(103, 104, begins=110)),
    ("", stores(99, 99)),
    ("", stores(10)),
    ("", stores(109, 110, begins=110)),
    ("RMQ-A6f", takes_over(9, 9)),
    ("", takes_over(9, 10)),
    ("RMQ-B74", credits_(3, 3)),
    ("RMQ-B74", credits_(4, 4)),
    ("", credits_(1, 1)),
    ("", credits_(3, 2)),
    ("", credits_(3, 3, late=False)),
    ("RMQ-B78", silent(4, reads="orders")),
    ("", silent(1, reads="orders")),
    ("", silent(4, reads="orders", messages=0)),
    ("", silent(4, reads="orders", credit=0)),
    ("RMQ-B79", silent(1, reads="ordres")),
    ("", silent(1, reads="bills")),
    ("RMQ-B89", filtered("abcabc", [0, 1, 2, 3, 4])),
    ("", filtered("abcabc", [0, 1, 3, 4, 5])),
    ("", filtered("ababab", [0, 1, 2, 3, 4])),
    ("", filtered("abcabc", [0, 1, 2])),
    ("RMQ-B80", tuned(0)),
    ("", tuned(30)),
    ("RMQ-B81", full(subscribes=True)),
    ("", full(subscribes=False)),
    ("RMQ-B82", turns(1, slow=2)),
    ("", turns(1, slow=0.5)),
    ("RMQ-B83", turns(4)),
    ("", turns(3)),
    ("", turns(4, 11)),
    ("RMQ-B86", renewed(b"t" * 64)),
    ("", renewed(b"u" * 64)),
]
"""The rules that find a fault, or none, and the connections."""


@every(
    ("at", "rules", "talks"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2]
)
def test_faults_and_near_misses(at: int, rules: str, talks: list[Talk], tmp_path: Path) -> None:
    """Each rule names its fault, alone among these rules."""
    del at
    found = {
        each.rule
        for own in findings(tmp_path, *talks)
        for each in (own, *own.echoes)
        if each.rule in NAMES
    }

    expected = set(rules.split())
    assert found - ({"RMQ-U22"} - expected) == expected


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES


def test_bodies_of_a_stream_that_is_read(tmp_path: Path) -> None:
    """U22: not where nobody reads it, nor for messages of AMQP 1.0."""
    for talks in (read(b"hello", reads=False), read(b"\0\x53\x75\xa0\5hello")):
        assert "RMQ-U22" not in {each.rule for each in findings(tmp_path, *talks)}
