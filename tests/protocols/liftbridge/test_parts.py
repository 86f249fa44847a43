"""The parts of programs that use Liftbridge: each failure is named, near misses are not."""

from collections.abc import Iterator
from typing import Final

from tests.failures import every
from tests.protocols.liftbridge import (
    test_cursor_rules,
    test_group_rules,
    test_message_path_rules,
    test_object_state_rules,
    test_partition_rules,
    test_program_rules,
    test_publishing_rules,
    test_request_rules,
    test_return_rules,
    test_stream_rules,
    test_subscription_rules,
)
from tests.protocols.liftbridge.clients import Talks
from tests.protocols.liftbridge.test_program_rules import Reader, assigned
from tests.protocols.program_probes import Probe, unprobed, wrong

from streamshark.protocols.liftbridge import PROTOCOL

MODULES: Final = (
    test_cursor_rules, test_group_rules, test_message_path_rules, test_object_state_rules,
    test_partition_rules, test_program_rules, test_publishing_rules, test_request_rules,
    test_return_rules, test_stream_rules, test_subscription_rules,
)  # fmt: skip


def member(fetches: int, *, messages: int = 30) -> Reader:
    """A member that fetches its assignments for a while, and reads on."""
    talk = Reader()
    talk.join()
    talk.answer("JoinConsumerGroup")
    assigned(talk, [0])
    talk.open("in")
    for offset in range(messages):
        talk.wait(1)
        talk.bring("in", offset)
        if offset < fetches:
            assigned(talk, [0])
    return talk


OWN: Final[dict[tuple[str, str], Talks]] = {
    ("Member of a consumer group", "dead timer"): lambda: (member(3), member(30)),
}
"""Part and failure, for those that the tests of one rule do not show."""


def _probes() -> Iterator[Probe]:
    """Yield a probe for each row: that of `OWN`, or the first case of its first rule."""
    cases: dict[str, Talks] = {}
    for module in MODULES:
        for rule, talks in module.CASES:
            cases.setdefault(f"LFB-{rule}", talks)
    for part in PROTOCOL.parts:
        for cell in part.cells:
            if cell.rules:
                found = OWN.get((part.object, cell.state)) or cases[cell.rules[0]]
                yield Probe(part.object, cell.state, found)


PROBES: Final = tuple(_probes())


@every("probe", PROBES, ids=lambda probe: probe[:2])
def test_failures_are_named(probe: Probe) -> None:
    """A rule of the row names the failure; near misses stay silent."""
    assert wrong(PROTOCOL, probe, Reader.rules) == []


def test_every_row_has_a_probe() -> None:
    """No row is named by reasoning alone."""
    assert unprobed(PROTOCOL, PROBES) == []
