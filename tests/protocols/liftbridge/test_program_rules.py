"""Rules for the parts of programs: each names its failure, and leaves alone what looks like it."""

from collections.abc import Iterable

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    EARLIEST,
    OFFSET,
    Script,
    Talks,
    names_the_fault_alone,
)
from tests.protocols.liftbridge.traffic import CALLS, CLIENT, SERVER, call, member, members, varint

from streamshark.protocols.liftbridge.program_rules import PROGRAM_RULES

STORED = member(1, member(1, "s"))
REFUSED = member(1, member(1, "s") + member(10, 3))
ASYNC_REFUSED = member(2, member(1, 2) + member(2, "no such partition"))


class Reader(Script):
    """A client with several subscriptions, of which each brings messages."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[str, int] = {}

    def open(self, name: str, position: int = EARLIEST, offset: int = 0, flow: int = 0,
             partition: int = 0) -> None:  # fmt: skip
        """Subscribe to a partition of s."""
        self.subscribe(position, offset, flow, partition)
        self.calls[name] = self.stream

    def bring(self, name: str, offset: int, flow: int = 0, partition: int = 0) -> None:
        """Deliver a message on a subscription."""
        body = (member(1, offset) if offset else b"") + member(3, b"v") + member(5, "s")
        body += member(6, partition) if partition else b""
        data = call("Subscribe", body, self.calls[name], reply=True)
        self.say(flow, SERVER, data, 0.001, CALLS)


def begun(*offsets: int, side: int = CLIENT, messages: int = 2, position: int = OFFSET) -> Script:
    """Connections that each subscribe at an offset, and end after some messages."""
    talk = Script()
    for flow, offset in enumerate(offsets):
        talk.subscribe(position, offset, flow)
        for each in range(messages):
            talk.message(offset + each, flow)
        talk.lose(flow, side)
        talk.wait(1)
    return talk


def stopped(
    sets: int, more: int, *, step: int = 5, seconds: float = 20, every_: float = 0.01, flow: int = 0
) -> Script:
    """Messages with a cursor each few of them, then messages without one."""
    talk = Reader()
    talk.pause = every_
    talk.open("in")
    for offset in range(sets * step + more):
        talk.bring("in", offset)
        if offset < sets * step and offset % step == step - 1:
            talk.cursor(offset, flow=flow)
    talk.wait(seconds)
    talk.close(0)
    return talk


def passed_on(answer: bytes, *, reads: bool = True, again: bool = False, method: str = "Publish",
              sets: bool = True) -> Script:  # fmt: skip
    """Messages that are read, what is published of them, and cursors."""
    talk = Reader()
    if reads:
        talk.open("in")
    for each in range(2):
        if reads:
            talk.bring("in", each)
        talk.publish(method=method, correlation=str(each))
        talk.answer(method, answer)
        if again:
            talk.publish(method=method, correlation=f"again-{each}")
            talk.answer(method, STORED)
        if sets:
            talk.cursor(each)
    return talk


def assigned(talk: Script, partitions: Iterable[int], flow: int = 0) -> None:
    """Fetch assignments."""
    talk.fetch(flow=flow)
    packed = b"".join(map(varint, partitions))
    talk.answer(
        "FetchConsumerGroupAssignments", member(2, member(1, "s") + member(2, packed)), flow
    )


def fetched(*pauses: float, timeout: int = 5, leaves: bool = False) -> Script:
    """A member that fetches its assignments after pauses."""
    talk = Script()
    talk.join()
    talk.answer("JoinConsumerGroup", members(_1="a", _2=1, _3=timeout * 1_000_000_000))
    for pause in pauses:
        if leaves:
            talk.leave()
            talk.join()
        talk.wait(pause)
        assigned(talk, [0])
    return talk


def revoked(after: Iterable[int], *, seconds: float = 2, before: Iterable[int] = (0, 1),
            messages: int = 4) -> Script:  # fmt: skip
    """A member that reads two partitions, and new assignments."""
    talk = Reader()
    talk.join()
    assigned(talk, before)
    for each in (0, 1):
        talk.open(str(each), partition=each)
        talk.bring(str(each), 0, partition=each)
    assigned(talk, after)
    for offset in range(messages):
        for each in (0, 1):
            talk.bring(str(each), offset + 1, partition=each)
        talk.wait(seconds if offset == 0 else 0.01)
    return talk


def twice(
    *order: str, partitions: tuple[int, int] = (0, 0), flows: tuple[int, int] = (0, 0)
) -> Script:
    """Two subscriptions a and b; `a3` is message 3 on the first one."""
    talk = Reader()
    at = {"a": 0, "b": 1}
    for name, number in at.items():
        talk.open(name, flow=flows[number], partition=partitions[number])
    for name, *offset in order:
        number = at[name]
        talk.bring(name, int("".join(offset)), flows[number], partitions[number])
    return talk


BOTH = ("a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3")

CASES: list[tuple[str, Talks]] = [
    ("B100", lambda: (begun(7, 7, 7),
        begun(7, 7), begun(7, 8, 9), begun(7, 7, 7, side=SERVER), begun(7, 7, 7, messages=0),
        begun(0, 0, 0, position=EARLIEST))),
    ("B100", lambda: (begun(1, 1, 1, messages=9),)),
    ("B101", lambda: (stopped(4, 20),
        stopped(4, 9), stopped(2, 20), stopped(4, 20, seconds=1),
        stopped(4, 20, every_=1, seconds=5), stopped(4, 20, flow=1))),
    ("B101", lambda: (stopped(3, 90, step=1, seconds=3),)),
    ("B104", lambda: (passed_on(REFUSED),
        passed_on(STORED), passed_on(REFUSED, again=True), passed_on(REFUSED, reads=False),
        passed_on(REFUSED, sets=False))),
    ("B104", lambda: (passed_on(ASYNC_REFUSED, method="PublishAsync"),)),
    ("B105", lambda: (fetched(1, 1, 1, 8, 1),
        fetched(1, 1, 1, 4, 1), fetched(1, 1, 1, 8, 1, timeout=10))),
    ("B105", lambda: (fetched(2, 60, timeout=30),)),
    ("B106", lambda: (revoked([0]),
        revoked([0, 1]), revoked([0], seconds=0.1), revoked([0], messages=1),
        revoked([0], before=[0]))),
    ("B106", lambda: (revoked([1], seconds=9),)),
    ("B107", lambda: (twice(*BOTH),
        twice(*BOTH, partitions=(0, 1)), twice(*BOTH, flows=(0, 1)), twice(*sorted(BOTH), "b4"),
        twice("a0", "b0", "a1", "b1"), twice("a0", "b1", "a2", "b3", "a4", "b5"))),
    ("B107", lambda: (twice(*BOTH, "a4", "a5", "b4", "b5", flows=(1, 1)),)),
]  # fmt: skip
"""Rule, the failure, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_failure_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The failure is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in PROGRAM_RULES} == {f"LFB-{rule}" for rule, *_ in CASES}
