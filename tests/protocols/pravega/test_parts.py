"""The parts of programs that use Pravega: each failure is named, near misses are not."""

from collections.abc import Iterator

from tests.failures import every
from tests.protocols.pravega import (
    test_behaviour_rules,
    test_controller_behaviour_rules,
    test_controller_rules,
    test_group_state_rules,
    test_leftover_rules,
    test_program_rules,
    test_reading_rules,
    test_reading_stop_rules,
    test_waste_rules,
    test_writing_rules,
)
from tests.protocols.pravega.clients import (
    ALIVE,
    CLIENT,
    SERVER,
    Talk,
    another,
    append,
    stored,
    writing,
)
from tests.protocols.program_probes import Probe, unprobed, wrong

from streamshark.protocols.pravega import PROTOCOL

MODULES = (
    test_behaviour_rules, test_controller_behaviour_rules, test_controller_rules,
    test_group_state_rules, test_leftover_rules, test_program_rules, test_reading_rules,
    test_reading_stop_rules, test_waste_rules, test_writing_rules,
)  # fmt: skip
"""Tests whose traffic plays the failures: each first the fault of a rule, then near misses."""


def ended(*, by_store: bool, wait: int) -> Talk:
    """A connection that its store closes, and the KEEP_ALIVE of its client."""
    talk = writing().say(CLIENT, append(1)).say(SERVER, stored(1))
    if by_store:
        talk.event("close", SERVER)
    return talk.say(CLIENT, ALIVE, wait)


def idle(wait: int) -> Talk:
    """A connection that its store closes after a time."""
    return writing().event("close", SERVER, later=wait).event("close", CLIENT)


def left(*, acked: bool) -> Talk:
    """A connection that ends after an append."""
    talk = writing().say(CLIENT, append(1)).say(SERVER, stored(1)).say(CLIENT, append(2))
    return another(talk.say(SERVER, stored(2)) if acked else talk)


OWN = [
    Probe("Thread that reads a connection", "dead without closing", lambda: (
        ended(by_store=True, wait=9), ended(by_store=False, wait=9))),
    Probe("KEEP_ALIVE timer", "dead", lambda: (idle(90), idle(3))),
    Probe("Thread that shuts down", "does not wait", lambda: (left(acked=False), left(acked=True))),
]  # fmt: skip


def probes() -> Iterator[Probe]:
    """Yield the probes of rows: those above, and those of the rows' rules."""
    yield from OWN
    own = {(each.part, each.failure) for each in OWN}
    cases = [(f"PRV-{rule}", talks) for module in MODULES for rule, talks in module.CASES]
    for part in PROTOCOL.parts:
        for cell in part.cells:
            if (part.object, cell.state) not in own:
                for rule, talks in cases:
                    if rule in cell.rules:
                        yield Probe(part.object, cell.state, talks)


def found(talk: Talk) -> set[str]:
    """Return the rules that have found something when nothing more comes."""
    for row in talk.connection.finish():
        talk.engine.see(row)
    return talk.rules()


@every("probe", probes, ids=lambda probe: probe[:2])
def test_failures_are_named(probe: Probe) -> None:
    """A rule of the row names the failure."""
    fault, *_ = probe.talks()
    assert wrong(PROTOCOL, probe._replace(talks=lambda: (fault,)), found) == []


@every("probe", OWN, ids=lambda probe: probe[:2])
def test_near_misses_are_not_named(probe: Probe) -> None:
    """Those of rules stay silent in the rules' own tests."""
    assert wrong(PROTOCOL, probe, found) == []


def test_every_row_has_a_probe() -> None:
    """No row is named by reasoning alone."""
    assert unprobed(PROTOCOL, probes()) == []
