"""Rules for streams of Liftbridge: creation, settings, deletion, pauses, typos."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    OFFSET,
    Script,
    Talks,
    created,
    made,
    names_the_fault_alone,
)
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.stream_rules import AGES, STREAMS, TYPOS


def fed(*streams: str, subject: str = "pay", deletes: bool = False) -> Script:
    """Streams that are created for a subject."""
    talk = Script(9)
    for each in streams:
        talk.ask("CreateStream", members(_1=subject or each, _2=each))
        if deletes:
            talk.ask("DeleteStream", members(_1=each))
    return talk


def deleted(*, deletes: bool = True, creates: bool = False, answered: bool = True) -> Script:
    """A stream published to after it was deleted."""
    talk = Script()
    if deletes:
        talk.ask("DeleteStream", members(_1="s"), 1)
    if deletes and answered:
        talk.answer("DeleteStream", flow=1)
    if creates:
        talk.ask("CreateStream", members(_1="s", _2="s"), 1)
    talk.publish()
    return talk


def retained(age: int | None) -> Script:
    """A stream that keeps messages so long."""
    talk = Script()
    more = b"" if age is None else member(8, member(1, age))
    talk.ask("CreateStream", members(_1="s", _2="s") + more)
    return talk


def paused(count: int, *names: str) -> Script:
    """A stream that is paused."""
    talk = Script()
    for each in range(count):
        talk.ask("PauseStream", member(1, names[each % len(names)]))
    return talk


def interrupted(count: int, *, messages: int = 1, wait: float = 0.1, other: str = "s") -> Script:
    """A stream that is paused, and published to after each pause."""
    talk = Script(wait)
    for _ in range(count):
        talk.ask("PauseStream", member(1, other))
        for _ in range(messages):
            talk.publish()
    return talk


def woken(
    count: int, value: bytes = b"", *, pauses: bool = True, resumes: bool = False, reader: int = 0
) -> Script:
    """A paused stream that is published to, then read; a value of its own each time if none."""
    talk = Script()
    for each in range(count):
        if pauses:
            talk.ask("PauseStream", member(1, "s"), 1)
        talk.publish(value=value or b"%d" % each)
        more = member(7, 1) if resumes else b""
        talk.ask("Subscribe", member(1, "s") + member(3, OFFSET) + more, reader)
        talk.answer("Subscribe", b"", reader)
    return talk


def looked_up(count: int, wait: float = 0.1) -> Script:
    """FetchMetadata, several times."""
    talk = Script(wait)
    for each in range(count):
        talk.ask("FetchMetadata", member(1, f"s{each}"))
    return talk


def named(
    wanted: str, *exist: str, ready: bool = False, error: int = 0, method: str = "Subscribe"
) -> Script:
    """A stream that is subscribed to, after metadata, and whether the subscription begins."""
    talk = Script()
    talk.ask("FetchMetadata", b"")
    known = (member(2, member(1, each) + (member(3, error) if error else b"")) for each in exist)
    talk.answer("FetchMetadata", b"".join(known))
    talk.ask(method, member(1, wanted) if method == "Subscribe" else member(3, wanted))
    if ready:
        talk.answer(method)
    talk.close(0)
    return talk


def listed(*streams: str) -> Script:
    """A publish to a stream, after metadata of some streams."""
    talk = Script()
    talk.ask("FetchMetadata", b"".join(member(1, each) for each in streams))
    talk.answer("FetchMetadata", member(2, member(1, "payments")))
    talk.ask("Publish", member(3, "payment"))
    return talk


def setting(number: int, value: int) -> Script:
    """A stream with a setting."""
    return made(0, member(number, member(1, value)))


CASES: list[tuple[str, Talks]] = [
    ("B14", lambda: (created(6), created(5), created(6, 3))),
    ("B14b", lambda: (fed("p-1", "p-2", "p-3", "p-4"),
        fed("p-1", "p-2", "p-3"), fed("p-1", "p-1", "p-1", "p-1", "p-1"),
        fed("p-1", "p-2", "p-3", "p-4", "p-5", subject=""), fed("a", "b", "c", "d", "e"),
        fed("p-1", "p-2", "p-3", "p-4", "p-5", deletes=True))),
    ("B14b", lambda: (fed(*(f"p-17641500{each}" for each in range(30, 70, 9))),)),
    ("B15", lambda: (deleted(),
        deleted(creates=True), deleted(deletes=False), deleted(answered=False))),
    ("B16", lambda: (retained(3600), retained(3_600_000), retained(None), retained(0))),
    ("B31", lambda: (made(0, member(4, 1) + member(16, member(1, 2))),
        made(0, member(4, 3) + member(16, member(1, 2))), made(0))),
    ("B32", lambda: (made(0, member(6, member(1, 100)) + member(10, member(1, 1000))),
        made(0, member(6, member(1, 1000)) + member(10, member(1, 100))), made(0))),
    ("B33", lambda: (paused(3, "s"), paused(2, "s"), paused(4, "s", "t"))),
    ("B33b", lambda: (interrupted(4),
        interrupted(3), interrupted(9, messages=0), interrupted(9, wait=1.5),
        interrupted(9, other="t"))),
    ("B33b", lambda: (interrupted(9, messages=4),)),
    ("B51", lambda: (woken(3, b"wake"),
        woken(2, b"wake"), woken(5), woken(5, b"wake", pauses=False),
        woken(5, b"wake", resumes=True), woken(5, b"wake", reader=2))),
    ("B43", lambda: (looked_up(6), looked_up(5), looked_up(6, 3))),
    ("B52", lambda: (named("payment", "payments"),
        named("payment", "payments", ready=True), named("invoices", "payments"),
        named("payment", "payments", error=1), named("payment", "payment", "payments"))),
    ("B52", lambda: (named("Order-Events", "order_events"),)),
    ("B52b", lambda: (named("payment", "payments", method="Publish"),
        named("payments", "payments", method="Publish"), named("bills", "payments"),
        listed("payments"))),
    ("B52b", lambda: (listed(),)),
    ("B58", lambda: (setting(8, 604_800),
        setting(8, 604_800_000), setting(8, 60_000), setting(8, (1 << 63) - 1))),
    ("B58", lambda: (setting(11, 604_800 * 10**9), setting(6, 604_800))),
    ("B59", lambda: (setting(14, 30), setting(14, 30_000), made(0))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*STREAMS, *TYPOS, *AGES)} == {f"LFB-{rule}" for rule, *_ in CASES}
