"""Rules for cursors of Liftbridge."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    EARLIEST,
    OFFSET,
    Script,
    Talks,
    cursors_at,
    names_the_fault_alone,
)
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.cursor_rules import CURSORS, UNREAD_PARTITIONS


def fetched_after(
    *offsets: int, cursor: str = "c", answer: int = 5, flows: int = 1, confirmed: bool = True
) -> Script:
    """A cursor that is set to offsets, and what a server says of it later."""
    talk = Script()
    for number, each in enumerate(offsets):
        flow = number % flows
        talk.ask("SetCursor", members(_1="s", _3="c", _4=each), flow)
        if confirmed:
            talk.answer("SetCursor", b"", flow)
    talk.ask("FetchCursor", members(_1="s", _3=cursor), 2)
    talk.answer("FetchCursor", members(_1=answer), 2)
    return talk


def cursors(
    *offsets: int,
    flows: tuple[int, ...] = (0,),
    names: str = "c",
    wait: float = 1,
    created: bool = False,
) -> Script:
    """Cursors that are set; with `created` in a new stream of the same name each."""
    talk = Script(wait)
    for each, offset in enumerate(offsets):
        if created:
            talk.create()
        talk.cursor(offset, names[each % len(names)], flows[each % len(flows)])
    return talk


def starts(count: int, *, fetches: bool) -> Script:
    """Starts of a consumer that reads from the earliest message and sets a cursor."""
    talk = Script()
    for flow in range(count):
        if fetches:
            talk.ask("FetchCursor", members(_1="s", _3="c"), flow)
        talk.subscribe(flow=flow)
        talk.cursor(5, flow=flow)
    return talk


def begun_again(
    count: int,
    *,
    sets: bool = False,
    reads: bool = True,
    position: int = EARLIEST,
    names: str = "c",
) -> Script:
    """Starts of a consumer whose cursor is not there."""
    talk = Script()
    for flow in range(count):
        talk.ask("FetchCursor", members(_1="s", _3=names[flow % len(names)]), flow)
        talk.answer("FetchCursor", member(1, (1 << 64) - 1), flow)
        talk.subscribe(position, flow=flow)
        if reads:
            talk.message(flow, flow)
        if sets:
            talk.cursor(5, flow=flow)
    return talk


def fetched_cursor(told: int, position: int, offset: int) -> Script:
    """A cursor that is fetched before a subscription."""
    talk = Script()
    talk.ask("FetchCursor", members(_1="s", _3="c"))
    talk.answer("FetchCursor", member(1, told) if told else b"")
    talk.subscribe(position, offset)
    return talk


def ahead(delivered: int, cursor: int) -> Script:
    """A cursor after a message."""
    talk = Script()
    talk.subscribe()
    talk.message(delivered)
    talk.cursor(cursor)
    return talk


def cursor_names(*names: str, sets: bool = True) -> Script:
    """Cursors that are fetched, and are not there, then set, on a connection each."""
    talk = Script()
    for flow, each in enumerate(names):
        talk.ask("FetchCursor", members(_1="s", _3=each), flow)
        talk.answer("FetchCursor", member(1, (1 << 64) - 1), flow)
        if sets:
            talk.cursor(5, each, flow)
    return talk


def elsewhere(reads: int | None, sets: int, stream: str = "s", *, created: bool = False) -> Script:
    """A cursor of a partition, after a subscription to one; `created`: the stream between them."""
    talk = Script()
    if reads is not None:
        talk.ask("Subscribe", member(1, "s") + (member(2, reads) if reads else b""))
    if created:
        talk.create()
    place = member(2, sets) if sets else b""
    talk.ask("SetCursor", member(1, stream) + place + members(_3="c", _4=5))
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B72", lambda: (fetched_after(3, 7),
        fetched_after(3, 7, answer=7), fetched_after(3, 7, answer=9), fetched_after(7, 3),
        fetched_after(3, 7, cursor="d"), fetched_after(3, 7, flows=2),
        fetched_after(3, 7, confirmed=False))),
    ("B72", lambda: (fetched_after(9, answer=2**64 - 1),)),
    ("B6", lambda: (cursors(7, 3), cursors(3, 7), cursors(7, 3, names="cd"), cursors(7, 7),
        cursors(7, -1), cursors(7, 3, created=True))),
    ("B7", lambda: (cursors(1, 2, 3, flows=(0, 1)), cursors(1, 2, flows=(0, 1)), cursors(1, 2, 3))),
    ("B8", lambda: (starts(3, fetches=False), starts(2, fetches=False), starts(3, fetches=True))),
    ("B9", lambda: (cursors(*range(10)),
        cursors(*range(7)), cursors(*range(0, 60, 2)), cursors(*range(25), wait=3))),
    ("B8b", lambda: (begun_again(3),
        begun_again(2), begun_again(3, sets=True), begun_again(3, reads=False),
        begun_again(3, position=0), begun_again(3, names="cde"))),
    ("B8b", lambda: (begun_again(3, position=OFFSET),)),
    ("B23", lambda: (fetched_cursor(9, EARLIEST, 0),
        fetched_cursor(9, OFFSET, 9), fetched_cursor(9, OFFSET, 10),
        fetched_cursor((1 << 64) - 1, EARLIEST, 0))),
    ("B24", lambda: (ahead(5, 9), ahead(5, 5), ahead(5, 6), ahead(5, 2))),
    ("B40", lambda: (cursor_names("a", "b", "c"),
        cursor_names("a", "b"), cursor_names("a", "a", "a"),
        cursor_names("a", "b", "c", sets=False))),
    ("B54", lambda: (elsewhere(2, 0),
        elsewhere(0, 0), elsewhere(2, 2), elsewhere(None, 0), elsewhere(2, 0, "t"),
        elsewhere(2, 0, created=True))),
    ("B54", lambda: (elsewhere(0, 1),)),
    ("B64", lambda: (cursors_at(*[7] * 5), cursors_at(*[7] * 4), cursors_at(1, 2, 3, 4, 5, 6))),
    ("B65", lambda: (cursors_at(1, 2, 3, reads=False),
        cursors_at(1, 2, 3), cursors_at(1, 2, reads=False))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*CURSORS, *UNREAD_PARTITIONS)} == {
        f"LFB-{rule}" for rule, *_ in CASES
    }
