"""Rules for messages stored for each try, sent often, or deleted unread: faults and near misses."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    COMPACTED,
    EARLIEST,
    OFFSET,
    Script,
    Talks,
    names_the_fault_alone,
)
from tests.protocols.liftbridge.test_program_rules import Reader
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.storage_rules import STORAGE_RULES


def resumed(start: int, first: int, *, position: int = OFFSET, settings: bytes = b"",
            key: bytes = b"") -> Script:  # fmt: skip
    """A subscription to a stream, and its first message."""
    talk = Script()
    talk.ask("CreateStream", members(_1="s", _2="s") + settings)
    talk.answer("CreateStream")
    talk.subscribe(position, start)
    body = member(1, first) if first else b""
    talk.answer("Subscribe", body + key + member(3, b"v") + member(5, "s"))
    return talk


def tried(  # noqa: PLR0913 - what may look like tries
    times: int, *, pause: float = 0.5, value: bytes = b"pay", acks: str = "end",
    before: bool = False, errors: bool = False, policy: int = 0,
) -> Script:  # fmt: skip
    """A value that is published several times, and its acks, at the end or one by one."""
    talk = Script(pause)
    sent = list(range(times + before))

    def ack(number: int) -> None:
        refused = member(10, 3) if errors else b""
        body = member(1, "s") + member(4, number + 1) + member(6, str(number)) + refused
        talk.answer("PublishAsync", member(1, body))

    for number in sent:
        each = value if value or number == 0 else str(number).encode()
        more = member(7, str(number)) + (member(8, policy) if policy else b"")
        talk.ask("PublishAsync", member(2, each or b"0") + member(3, "s") + more)
        if acks == "each" or (before and number == 0):
            ack(number)
    if acks == "end":
        for number in sent[1 if before else 0 :]:
            ack(number)
    return talk


def opened(count: int, *, positions: bool = False, partitions: bool = False,
           flows: int = 1) -> Script:  # fmt: skip
    """Subscriptions that are open, and two messages that each of them gets."""
    talk = Reader()
    for each in range(count):
        part = each if partitions else 0
        talk.open(str(each), EARLIEST, flow=each % flows, partition=part)
    for offset in (0, 1):
        for each in range(count):
            part = each if partitions else 0
            talk.bring(str(each), offset + (each if positions else 0), each % flows, part)
    return talk


CASES = [
    ("B190", lambda: (resumed(5, 9), resumed(5, 5), resumed(5, 9, position=EARLIEST),
        resumed(0, 9), resumed(5, 9, settings=COMPACTED), resumed(5, 9, key=member(2, b"k")))),
    ("B191", lambda: (tried(3), tried(3, acks="each"), tried(3, value=b""), tried(3, acks=""),
        tried(3, before=True), tried(3, errors=True), tried(3, pause=0.05), tried(3, policy=2),
        tried(1))),
    ("B192", lambda: (opened(6), opened(4), opened(6, positions=True),
        opened(6, partitions=True), opened(6, flows=3))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in STORAGE_RULES} == {f"LFB-{rule}" for rule, _ in CASES}
