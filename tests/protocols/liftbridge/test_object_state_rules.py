"""Rules for the state of streams, cursors and groups: each names its fault, and nothing else."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.liftbridge.clients import EARLIEST, OFFSET, Script
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.object_state_rules import OBJECT_STATE_RULES


def starts(
    position: int,
    offset: int,
    *,
    cursor: int | None = None,
    reads: bool = False,
    partition: int = 0,
    of: int | None = None,
) -> Script:
    """A subscription, perhaps after a cursor was fetched, or the partition was read.

    Args:
        position: Where it begins.
        offset: The offset at which it begins.
        cursor: The answer to FetchCursor.
        reads: Whether the partition was read before.
        partition: The partition that is read.
        of: The partition of the cursor, if it is another one.
    """
    asked_for = partition if of is None else of
    talk = Script()
    if reads:
        talk.subscribe()
        talk.message(0)
    if cursor is not None:
        place = {"_2": asked_for} if asked_for else {}
        talk.ask("FetchCursor", members(_1="s", **place, _3="c"))
        talk.answer("FetchCursor", member(1, cursor) if cursor else b"")
    talk.subscribe(position, offset, partition=partition)
    return talk


def epochs(answered: int, asked: int | None, *, wait: float = 0.01) -> Script:
    """Assignments that are fetched with an epoch after an answer with one."""
    talk = Script(wait)
    talk.join()
    talk.answer("JoinConsumerGroup", members(_1="a", _2=1))
    talk.fetch()
    talk.answer("FetchConsumerGroupAssignments", member(1, answered) if answered else b"")
    more = {} if asked is None else {"_3": asked}
    talk.ask("FetchConsumerGroupAssignments", members(_1="g", _2="a", **more))
    return talk


def deleted(*, wait: float = 0.01, flow: int = 1, reads: bool = True, name: str = "s") -> Script:
    """A stream that is read and deleted."""
    talk = Script()
    talk.subscribe()
    if reads:
        talk.message(0)
    talk.pause = wait
    talk.ask("DeleteStream", members(_1=name), flow)
    return talk


def asked(method: str, message: bytes, *, servers: int = 0) -> Script:
    """One call, perhaps after the servers of the cluster were listed."""
    talk = Script()
    if servers:
        talk.ask("FetchMetadata", b"")
        talk.answer("FetchMetadata", b"".join(member(1, members(_1="x")) for _ in range(servers)))
    talk.ask(method, message)
    return talk


def consumer(group: str, name: str) -> Script:
    """A subscription of a member of a group."""
    one = (member(1, group) if group else b"") + (member(3, name) if name else b"")
    return asked("Subscribe", members(_1="s", _11=one) if one else members(_1="s"))


def joined_again(stream: str) -> Script:
    """A member that joins its group, leaves it, and joins it with another list of streams."""
    talk = Script()
    talk.join()
    talk.answer("JoinConsumerGroup", members(_1="a", _2=1))
    talk.leave()
    talk.answer("LeaveConsumerGroup")
    talk.ask("JoinConsumerGroup", members(_1="g", _2="a") + (member(3, stream) if stream else b""))
    return talk


def expects(offset: int, policy: int, method: str = "Publish") -> Script:
    """A message that is to have an offset."""
    more = (member(8, policy) if policy else b"") + member(9, offset)
    return asked(method, members(_2="v", _3="s") + more)


def replicas(factor: int, servers: int) -> Script:
    """A stream with so many replicas."""
    return asked("CreateStream", members(_1="s", _2="s", _4=factor), servers=servers)


def coordinated(
    coordinator: str, port: int = 9293, *, lists: bool = True, first: str = "x"
) -> Script:
    """A member that joins, learns its coordinator, and fetches its assignments at port 4222."""
    talk = Script()
    if lists:
        brokers = ((first, 4222), ("b", port))
        listed = [members(_1=name, _2="h", _3=at) for name, at in brokers]
        talk.ask("FetchMetadata", b"")
        talk.answer("FetchMetadata", b"".join(member(1, each) for each in listed))
    talk.join()
    talk.answer("JoinConsumerGroup", members(_1=coordinator, _2=1) if coordinator else b"")
    talk.fetch()
    return talk


def raced(
    refusals: int, stored: int, *, clients: int = 3, method: str = "PublishAsync", expects: int = 7
) -> Script:
    """Messages with an expected offset from several connections, most of which are refused."""
    talk = Script()
    taken = members(_1=1, _2="incorrect expected offset")
    for number in range(stored + refusals):
        flow = number % clients
        more = member(7, f"{number}") + (member(9, expects) if expects else b"")
        talk.ask(method, members(_2=f"v{number}", _3="s") + more, flow)
        kept = member(1, members(_1="s", _4=number + 1))
        talk.answer(method, kept if number < stored else member(2, taken), flow)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B73", lambda: (starts(OFFSET, -1, cursor=-1),
        starts(EARLIEST, 0, cursor=-1), starts(OFFSET, 1, cursor=0))),
    ("B73", lambda: (starts(OFFSET, -2),)),
    ("B73b", lambda: (starts(OFFSET, 1, cursor=-1),
        starts(OFFSET, 1, cursor=0), starts(OFFSET, 1), starts(OFFSET, 1, cursor=-1, reads=True))),
    ("B73b", lambda: (starts(OFFSET, 1, cursor=-1, partition=2),
        starts(OFFSET, 1, cursor=-1, partition=2, of=1))),
    ("B74", lambda: (epochs(3, 2), epochs(3, 3), epochs(2, 3), epochs(0, None))),
    ("B74", lambda: (epochs(3, None, wait=2),)),
    ("B75", lambda: (deleted(),
        deleted(wait=3), deleted(flow=0), deleted(reads=False), deleted(name="t"))),
    ("B75", lambda: (deleted(wait=1, flow=2),)),
    ("B76", lambda: (asked("SetCursor", members(_1="s", _3="c", _4=-1)),
        asked("SetCursor", members(_1="s", _3="c", _4=1)),
        asked("SetCursor", members(_1="s", _3="c")))),
    ("B76", lambda: (asked("SetCursor", members(_1="s", _2=2, _3="c", _4=-1 << 40)),
        asked("SetCursor", members(_1="s", _2=2, _3="c", _4=1 << 40)))),
    ("B77", lambda: (consumer("g", ""), consumer("g", "a"), consumer("", ""))),
    ("B77", lambda: (consumer("", "a"),)),
    ("B78", lambda: (asked("JoinConsumerGroup", members(_1="g", _2="a")),
        asked("JoinConsumerGroup", members(_1="g", _2="a", _3="s")))),
    ("B78", lambda: (joined_again(""), joined_again("s"))),
    ("B79", lambda: (expects(7, 2), expects(7, 0), expects(7, 1), expects(-1, 2))),
    ("B79", lambda: (expects(1, 2, "PublishAsync"),)),
    ("B80", lambda: (replicas(3, 1), replicas(3, 3), replicas(-1, 1), replicas(3, 0))),
    ("B80", lambda: (replicas(5, 3),)),
    ("B82", lambda: (raced(12, 3),
        raced(11, 3), raced(12, 9), raced(14, 0, clients=2), raced(12, 3, expects=0))),
    ("B82", lambda: (raced(20, 1, expects=1),)),
    ("B81", lambda: (coordinated("b"),
        coordinated("x"), coordinated("b", 4222), coordinated("b", lists=False),
        coordinated("c"), coordinated(""))),
    ("B81", lambda: (coordinated("b", 19293, first="a"), coordinated("a", first="a"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert any(each.rule.id == f"LFB-{rule}" for each in fault.judge.open())
    for number, each in enumerate(kept):
        assert not any(own.rule.id == f"LFB-{rule}" for own in each.judge.open()), number


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in OBJECT_STATE_RULES} == {f"LFB-{rule}" for rule, *_ in CASES}
