"""Rules for partitions of Liftbridge."""

from tests.failures import every
from tests.protocols.liftbridge.clients import OFFSET, Script, Talks, beyond, names_the_fault_alone
from tests.protocols.liftbridge.traffic import CALLS, CLIENT, ELSEWHERE, SERVER, member, members

from streamshark.dissection.connection import Connection
from streamshark.flows.segment import Flow, FlowEvent
from streamshark.protocols.liftbridge.partition_rules import PARTITIONS


def spread(count: int, *reads: int, partitions: int = 3, creates: bool = True) -> Script:
    """A stream with messages in several partitions, and what is subscribed to."""
    talk = Script()
    if creates:
        talk.ask("CreateStream", members(_1="s", _2="s", _5=partitions))
    for each in range(count):
        place = member(4, each % 2) if each % 2 else b""
        talk.ask("Publish", member(2, b"v") + member(3, "s") + place)
    for each in reads:
        talk.subscribe(partition=each)
    return talk


def archives(*subjects: str, partitions: int = 3, name: str = "orders") -> Script:
    """A stream with partitions, streams that are attached to other subjects, and a message."""
    talk = Script()
    talk.ask("CreateStream", members(_1=name, _2="s", _5=partitions))
    for number, each in enumerate(subjects):
        talk.ask("CreateStream", members(_1=each, _2=f"archive-{number}"))
    talk.publish()
    return talk


def moved(
    partition: int, offset: int, *, ends: tuple[int, ...] = (9, 4), lost: bool = True
) -> Script:
    """Partitions that are read to their ends, then a subscription on another connection."""
    talk = Script()
    for each, end in enumerate(ends):
        talk.subscribe(partition=each)
        for at in (1, end):
            talk.answer("Subscribe", members(_1=at, _3="v", _5="s", _6=each))
    if lost:
        talk.lose(0, SERVER)
    talk.subscribe(OFFSET, offset, 1, partition)
    return talk


def keyed(*places: tuple[str, int]) -> Script:
    """Messages with keys, each in a partition."""
    talk = Script()
    for key, partition in places:
        start = member(1, key) if key else b""
        talk.ask("Publish", start + member(2, b"v") + member(3, "s") + member(4, partition))
    return talk


def gone_on(partition: int, offset: int, *, reads: bool = False) -> Script:
    """Partition 2 read from 0 to 7, then another one on another connection."""
    talk = Script()
    if reads:
        talk.subscribe(OFFSET, 1, 2, partition)
        talk.message(1, 2)
    talk.subscribe(partition=2)
    for each in range(8):
        body = member(1, each) if each else b""
        talk.answer("Subscribe", body + member(3, b"v") + member(5, "s") + member(6, 2))
    talk.lose(0, CLIENT)
    ends = Flow(1, ("10.0.0.1:1003", "10.0.0.99:4222"), (1003, 4222), client=0)
    talk.connections[1] = Connection(ends, CALLS.table(), "made", talk.shared)
    for row in talk.connections[1].feed(FlowEvent(1, 0, "open", 1, talk.now, 0, 0)):
        talk.engine.see(row)
    talk.subscribe(OFFSET, offset, 1, partition)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B41", lambda: (beyond(2), beyond(1), beyond(0, 1), beyond(2, flow=ELSEWHERE))),
    ("B42", lambda: (spread(6, 0),
        spread(4, 0), spread(6, 0, 1), spread(6), spread(6, 0, creates=False))),
    ("B45", lambda: (moved(1, 10),
        moved(0, 10), moved(1, 5), moved(1, 7), moved(1, 10, lost=False),
        moved(1, 10, ends=(9, 9)))),
    ("B45b", lambda: (moved(1, 10, ends=(9,)), moved(0, 10, ends=(9,)), moved(1, 3, ends=(9,)))),
    ("B83", lambda: (archives("orders.*"),
        archives("orders.*", "orders"), archives("bills.*"), archives("orders.*", partitions=1),
        archives("orders.*", ">"), archives("orders"), archives(name="orders.*"))),
    ("B83", lambda: (archives("bills", "orders.>"), archives("orders.>", ">"))),
    ("B46", lambda: (keyed(("a", 0), ("a", 1), ("a", 2)),
        keyed(("a", 0), ("b", 1), ("a", 0), ("b", 1)), keyed(("", 0), ("", 1), ("", 2)),
        keyed(("a", 0), ("a", 1)))),
    ("B45b", lambda: (gone_on(0, 4),
        gone_on(0, 9), gone_on(1, 4), gone_on(2, 4), gone_on(0, 4, reads=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in PARTITIONS} == {f"LFB-{rule}" for rule, *_ in CASES}
