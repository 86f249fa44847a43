"""Rules for subscriptions of Liftbridge: where they start, and what a reconnect restores."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    AT_TIME,
    EARLIEST,
    OFFSET,
    Script,
    Talks,
    cursors_at,
    names_the_fault_alone,
)
from tests.protocols.liftbridge.traffic import CLIENT, SERVER, member, members

from streamshark.protocols.liftbridge.subscription_rules import (
    DELETED_STREAMS,
    PAUSED_STREAMS,
    POSITIONS,
    READING,
    RECONNECTS,
)

DAY = 24 * 3600 * 10**9


def subscribed(count: int, wait: float = 0.01, *, reads: bool = False) -> Script:
    """Subscriptions from the earliest message."""
    talk = Script(wait)
    for each in range(count):
        talk.subscribe()
        if reads:
            talk.message(each)
    return talk


def resumed(count: int, beyond: int = 1, wait: float = 0.01, first: int = 1) -> Script:
    """A message by each subscription, which begins so far beyond the last one."""
    talk = Script(wait)
    offset = first
    talk.subscribe()
    talk.message(offset)
    for _ in range(count):
        offset += beyond
        talk.subscribe(OFFSET, offset)
        talk.message(offset)
    return talk


def at_cursor(runs: int, beyond: int = 0, *, sets: bool = True) -> Script:
    """Runs that read some messages, set the cursor to the last one, and start beside it."""
    talk = Script()
    last = 5
    for number in range(runs):
        talk.subscribe(OFFSET, last + beyond if number else 1, flow=number)
        for offset in range(last + beyond if number else 1, last + 6):
            talk.message(offset, flow=number)
        last += 5
        if sets:
            talk.ask("SetCursor", members(_1="s", _3="c", _4=last), number)
            talk.answer("SetCursor", b"", number)
    return talk


def interrupted(*, published: bool, position: int = 0, flow: int = 1) -> Script:
    """A subscription after another one."""
    talk = Script()
    talk.subscribe()
    talk.message(1)
    if published:
        talk.publish(flow=2)
    talk.subscribe(position, flow=flow)
    return talk


def subscription(**fields: int | str) -> Script:
    """A subscription with these members."""
    talk = Script()
    talk.ask("Subscribe", members(_1="s", **fields))
    return talk


def reread(position: int, offset: int, *, last: int = 20, flow: int = 1) -> Script:
    """A stream that is read up to a message, then subscribed to again."""
    talk = Script()
    talk.subscribe()
    talk.message(1)
    talk.message(last)
    talk.subscribe(position, offset, flow)
    return talk


def after_loss(
    *partitions: int,
    wait: float = 3,
    side: int = SERVER,
    publishes: bool = False,
    created: bool = False,
) -> Script:
    """A connection with three subscriptions that is lost, and what the next one subscribes to.

    With `created` the client creates the stream again, which was lost with the server's data.
    """
    talk = Script()
    for each in range(3):
        talk.subscribe(partition=each)
        talk.message(0)
        talk.message(1)
    talk.lose(0, side)
    if created:
        talk.create(1)
    if publishes:
        talk.publish(flow=1)
    for each in partitions:
        talk.subscribe(OFFSET, 2, 1, each)
    talk.pause = wait
    talk.publish(flow=1)
    return talk


def begun_at_one(position: int, offset: int = 0, *, received: bool = False) -> Script:
    """A subscription, and the next one at offset 1."""
    talk = Script()
    talk.subscribe(position, offset)
    if received:
        talk.message(0)
    talk.subscribe(OFFSET, 1)
    return talk


def stepped(count: int, *, by: int = 1, sent: int = 5, flow: int = 0) -> Script:
    """Subscriptions that are each cancelled after a message, though several were on their way."""
    talk = Script()
    for each in range(count):
        talk.subscribe(OFFSET, 1 + each * by, flow if each else 0)
        for offset in range(sent):
            talk.message(1 + each * by + offset)
    return talk


def from_new(
    count: int,
    wait: float = 0.1,
    *,
    published: bool = True,
    kind: int = 0,
    created: bool = False,
) -> Script:
    """Subscriptions from new messages on, with messages between; `created`: the stream anew."""
    talk = Script(wait)
    for _ in range(count):
        if created:
            talk.create()
        talk.subscribe(kind)
        if published:
            talk.publish(flow=1)
    return talk


def since(first: int, second: int, *, last: int = 9, flow: int = 1) -> Script:
    """A stream read from one time, and then from another one."""
    talk = Script()
    talk.ask("Subscribe", members(_1="s", _3=4, _5=first))
    talk.answer("Subscribe")
    talk.message(1)
    talk.message(last)
    talk.ask("Subscribe", members(_1="s", _3=4, _5=second), flow)
    return talk


def after_pause(*, resume: bool = False, published: bool = False, stream: str = "s") -> Script:
    """A subscription to a stream that was paused."""
    talk = Script()
    talk.ask("PauseStream", member(1, stream))
    if published:
        talk.publish()
    talk.ask("Subscribe", member(1, "s") + (member(7, 1) if resume else b""))
    return talk


def renewed(offset: int, *, cursor: bool = True, deletes: bool = True, position: int = OFFSET
            ) -> Script:  # fmt: skip
    """A stream that is read, perhaps deleted and created again, and read further."""
    talk = Script()
    talk.subscribe()
    talk.message(9)
    if cursor:
        talk.cursor(9)
    if deletes:
        talk.ask("DeleteStream", member(1, "s"), 2)
        talk.answer("DeleteStream", flow=2)
    talk.ask("CreateStream", members(_1="s", _2="s"), 2)
    talk.subscribe(position, offset, 1)
    return talk


def begins_at(
    position: int, offset: int = 0, *, newest: int = 7, arrives: bool = False, ready: bool = True
) -> Script:
    """A subscription, and a message that was published before."""
    talk = Script()
    talk.publish(flow=1)
    talk.answer("Publish", member(1, member(1, "s") + member(4, newest)), 1)
    time = offset if position == AT_TIME else 0
    fields = {"_1": "s", "_3": position, "_4": offset - time, "_5": time}
    talk.ask("Subscribe", members(**{k: v for k, v in fields.items() if v}))
    if ready:
        talk.answer("Subscribe", b"")
    if arrives:
        talk.message(offset)
    talk.lose(0, CLIENT)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B1", lambda: (subscribed(4),
        subscribed(3), subscribed(5, 3), subscribed(8, reads=True))),
    ("B2", lambda: (resumed(5), resumed(2), resumed(5, wait=3))),
    ("B250", lambda: (at_cursor(3),
        at_cursor(2), at_cursor(3, 1), at_cursor(3, sets=False))),
    ("B250", lambda: (at_cursor(9),)),
    ("B3", lambda: (resumed(1, 0), resumed(1, 1), resumed(1, 0, first=0))),
    ("B5", lambda: (interrupted(published=True),
        interrupted(published=False), interrupted(published=True, position=EARLIEST),
        interrupted(published=True, flow=0))),
    ("B3b", lambda: (reread(OFFSET, 5),
        stepped(3), stepped(3, flow=1), reread(OFFSET, 21), reread(EARLIEST, 0))),
    ("B20", lambda: (reread(EARLIEST, 0),
        reread(EARLIEST, 0, flow=0), reread(EARLIEST, 0, last=4), reread(OFFSET, 21))),
    ("B21", lambda: (subscription(_3=4, _5=1_790_000_000_000),
        subscription(_3=4, _5=1_790_000_000_000_000_000), subscription(_3=1, _5=5))),
    ("B22", lambda: (subscription(_3=1, _4=5, _8=1, _9=2),
        subscription(_3=1, _4=5, _8=1, _9=9), subscription(_3=1, _4=5, _9=2))),
    ("B37", lambda: (after_loss(0, 1),
        after_loss(0, 1, 2), after_loss(0, 1, wait=0.1), after_loss(0, 1, side=CLIENT),
        after_loss(), after_loss(0, 1, created=True))),
    ("B38", lambda: (after_loss(publishes=True),
        after_loss(0, publishes=True), after_loss(publishes=True, wait=0.1), after_loss(),
        after_loss(publishes=True, created=True))),
    ("B39", lambda: (begun_at_one(0),
        begun_at_one(OFFSET, 1), begun_at_one(0, received=True))),
    ("B2", lambda: (stepped(4), stepped(3), stepped(6, by=9))),
    ("B20b", lambda: (since(10**18, 10**18),
        since(10**18, 10**18 + 1), since(10**18, 10**18, last=4), since(10**18, 10**18, flow=0))),
    ("B49", lambda: (from_new(3),
        from_new(2), from_new(3, published=False), from_new(3, 11), from_new(3, kind=EARLIEST),
        from_new(3, created=True))),
    ("B56", lambda: (after_pause(),
        after_pause(resume=True), after_pause(published=True), after_pause(stream="t"))),
    ("B60", lambda: (renewed(10),
        renewed(10, deletes=False), renewed(4), renewed(0, position=EARLIEST))),
    ("B60", lambda: (renewed(10, cursor=False), renewed(0, cursor=False, position=EARLIEST))),
    ("B70", lambda: (begins_at(AT_TIME, DAY),
        begins_at(AT_TIME, 30 * 10**9), begins_at(OFFSET, DAY))),
    ("B63", lambda: (begins_at(OFFSET, 1_764_150_111),
        begins_at(OFFSET, 10**8), begins_at(AT_TIME, DAY))),
    ("B63", lambda: (cursors_at(1_764_150_111), cursors_at(10**8))),
    ("B62", lambda: (begins_at(OFFSET, 50),
        begins_at(OFFSET, 50, arrives=True), begins_at(OFFSET, 8), begins_at(OFFSET, 50, newest=60),
        begins_at(OFFSET, 50, ready=False), begins_at(EARLIEST))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {
        each.id for each in (*READING, *POSITIONS, *RECONNECTS, *DELETED_STREAMS, *PAUSED_STREAMS)
    } == {f"LFB-{rule}" for rule, *_ in CASES}
