"""The parts of programs that call by gRPC: each failure is named, near misses are not."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.failures import every
from tests.protocols.grpc.test_behaviour_rules import CASES, Calls, answered, given_up, left_open
from tests.protocols.grpc.test_call_rules import CASES as CALLS
from tests.protocols.grpc.test_call_rules import deaf, play
from tests.protocols.program_probes import Probe, unprobed, wrong

from streamshark.protocols.grpc import PROTOCOL

OWN: Final[dict[tuple[str, str], Callable[[], tuple[Calls, ...]]]] = {
    ("Caller that waits", "without a deadline"): lambda: (left_open(2), left_open(3, begun=True)),
    ("Caller that waits", "gives up early"): lambda: (
        given_up(3, grpc_timeout="1S"), given_up(2, grpc_timeout="1S")),
    ("Caller that waits", "repeats the same failure"): lambda: (
        answered(4, 5), answered(3, 5), answered(8, 0)),
    ("Caller that waits", "asks in a loop"): lambda: (
        answered(5, 0), answered(10, 0, different=True)),
    ("Caller that waits", "waits on a dead connection"): lambda: (deaf(), deaf(8)),
}  # fmt: skip
"""Part and failure, where the cases of one rule show too much or too little."""


def _probes() -> Iterator[Probe]:
    """Yield a probe for each row: that of `OWN`, or the first case of its first rule."""
    cases: dict[str, Callable[[], tuple[Calls, ...]]] = {}
    for rule, talks in CASES:
        cases.setdefault(f"GRPC-{rule}", talks)
    for rule, *words in CALLS:
        cases.setdefault(f"GRPC-{rule}", lambda words=words: tuple(map(play, words)))  # type: ignore[misc]
    for part in PROTOCOL.parts:
        for cell in part.cells:
            if cell.rules:
                found = OWN.get((part.object, cell.state)) or cases[cell.rules[0]]
                yield Probe(part.object, cell.state, found)


PROBES: Final = tuple(_probes())


@every("probe", PROBES, ids=lambda probe: probe[:2])
def test_failures_are_named(probe: Probe) -> None:
    """A rule of the row names the failure; near misses stay silent."""
    assert wrong(PROTOCOL, probe, Calls.rules) == []


def test_every_row_has_a_probe() -> None:
    """No row is named by reasoning alone."""
    assert unprobed(PROTOCOL, PROBES) == []
