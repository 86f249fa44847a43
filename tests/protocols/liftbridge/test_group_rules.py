"""Rules for consumer groups of Liftbridge."""

from tests.failures import every
from tests.protocols.liftbridge.clients import Script, Talks, joined, names_the_fault_alone
from tests.protocols.liftbridge.traffic import CLIENT, SERVER, member, members

from streamshark.protocols.liftbridge.group_rules import GROUP_READERS, GROUPS


def fetched(count: int, wait: float, *, answered: bool = True) -> Script:
    """Fetches of a consumer."""
    talk = Script(wait)
    talk.join()
    if answered:
        talk.answer("JoinConsumerGroup", members(_3=15_000_000_000))
    for _ in range(count):
        talk.fetch()
    return talk


def acted(*, left: bool, again: bool = False) -> Script:
    """A fetch after a consumer left, or joined again."""
    talk = Script()
    talk.join()
    if left:
        talk.leave()
    if again:
        talk.join()
    talk.fetch()
    return talk


def stopped(*, leaves: bool) -> Script:
    """A member whose connection is closed."""
    talk = Script()
    talk.join()
    talk.answer("JoinConsumerGroup")
    if leaves:
        talk.leave()
    talk.close(0)
    return talk


def assigned(
    partitions: bytes, *reads: int, group: bool = False, wait: float = 5, closes: bool = True
) -> Script:
    """A consumer that is assigned partitions of s, and what it subscribes to."""
    talk = Script()
    talk.join()
    talk.fetch()
    talk.answer("FetchConsumerGroupAssignments", member(2, member(1, "s") + member(2, partitions)))
    member_of = member(11, members(_1="g", _3="a")) if group else b""
    for each in reads:
        talk.ask("Subscribe", member(1, "s") + (member(2, each) if each else b"") + member_of)
    talk.pause = wait
    talk.leave()
    if closes:
        talk.close(0)
    return talk


def joined_again(count: int, *, leaves: bool = False) -> Script:
    """Joins of one consumer."""
    talk = Script()
    for _ in range(count):
        talk.join()
        if leaves:
            talk.leave()
    return talk


def started(*names: str, leaves: bool = False, closes: bool = True) -> Script:
    """A consumer that joins a group under some names, on a connection each."""
    talk = Script()
    for flow, each in enumerate(names):
        talk.join(each, flow)
        talk.answer("JoinConsumerGroup", flow=flow)
        if leaves:
            talk.leave(each, flow)
        if closes:
            talk.lose(flow, CLIENT)
    return talk


def one_by_one(count: int, *, leaves: bool = True, wait: float = 0.01) -> Script:
    """Consumers that join a group and leave it."""
    talk = Script(wait)
    for each in range(count):
        talk.join(f"c{each}")
        talk.answer("JoinConsumerGroup")
        if leaves:
            talk.leave(f"c{each}")
    return talk


def grouped(first: str, second: str, stream: str = "s") -> Script:
    """Two subscriptions, each of a group or of none."""
    talk = Script()
    for each, group in enumerate((first, second)):
        more = member(11, members(_1=group, _3="a")) if group else b""
        talk.ask("Subscribe", member(1, stream if each else "s") + more, each)
    return talk


def restored(group: str, *, side: int = SERVER, messages: int = 2) -> Script:
    """A subscription of a group, and one after its connection was lost."""
    talk = Script()
    for each, name in enumerate(("g", group)):
        more = member(11, members(_1=name, _3="a")) if name else b""
        talk.ask("Subscribe", member(1, "s") + more, each)
        talk.answer("Subscribe", b"", each)
        for offset in range(messages):
            talk.message(offset, each)
        talk.lose(each, side)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B17", lambda: (joined(("a", 0), ("a", 1)),
        joined(("a", 0), ("b", 1)), joined(("a", 0), ("a", 0)),
        joined(("a", 0), ("a", 1), leaves=True), joined(("a", 0), ("a", 1), wait=20))),
    ("B18", lambda: (fetched(10, 0.01), fetched(6, 0.01), fetched(12, 1),
        fetched(12, 0.01, answered=False))),
    ("B19", lambda: (acted(left=True), acted(left=False), acted(left=True, again=True))),
    ("B4", lambda: (stopped(leaves=False), stopped(leaves=True))),
    ("B34", lambda: (assigned(b"\1", 1, 2),
        assigned(b"\1", 1), assigned(b"\1\2", 1, 2), assigned(b"\1", 1, 2, group=True))),
    ("B35", lambda: (assigned(b"\1"),
        assigned(b"\1", 1), assigned(b"\1", wait=0.1), assigned(b"\1", closes=False))),
    ("B44", lambda: (started("a", "b", "c"),
        started("a", "b"), started("a", "a", "a"), started("a", "b", "c", leaves=True),
        started("a", "b", "c", closes=False))),
    ("B53", lambda: (grouped("g", ""), grouped("g", "g"), grouped("", "g"), grouped("g", "", "t"))),
    ("B53b", lambda: (restored(""),
        restored("g"), restored("", side=CLIENT), restored("", messages=0))),
    ("B71", lambda: (one_by_one(6),
        one_by_one(5), one_by_one(9, leaves=False), one_by_one(9, wait=11))),
    ("B36", lambda: (joined_again(3), joined_again(2), joined_again(5, leaves=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*GROUP_READERS, *GROUPS)} == {f"LFB-{rule}" for rule, *_ in CASES}
