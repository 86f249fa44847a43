"""Rules for publisher references and consumer names: shared, or new each time."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import (
    SINGLE,
    behaviours,
    named,
    query,
    store,
    subscribe,
)
from tests.protocols.rabbitmq_stream.talk import CLIENT, SECOND, Talk, number, text

from streamshark.protocols.rabbitmq_stream.findings.client_names import CLIENT_NAMES, REFERENCES


def under(name: str, *, asked: bool = False) -> list[Talk]:
    """Two runs that ask for the offset of app, of which nothing is stored, but of a name.

    The offset of that name may be asked for as well.
    """
    made = []
    for at in range(2):
        talk = Talk(40_000 + at, at * 10 * SECOND)
        query(talk)
        if asked:
            talk.ask(0x0B, text(name) + text("s"), number(19, 2) + number(0, 8))
        talk.say(CLIENT, 0x0A, text(name) + text("s") + number(9, 8))
        made.append(talk.leave())
    return made


def owners(*, used: bool, reference: str = "billing") -> list[Talk]:
    """Two publishers of one reference; the first one is used once more."""
    one, other = Talk(), Talk(40_001, 1 * SECOND)
    one.declare("s", "billing")
    one.publish(1, 1)
    other.declare("s", reference)
    other.publish(2, 1)
    one.wait(5)
    if used:
        one.publish(3, 1)
    return [one.leave(), other.wait(9).leave()]


def tracked(*turns: int, group: bool = False) -> list[Talk]:
    """Offsets stored by connections in turn."""
    made = [Talk(40_000 + each) for each in range(1 + max(turns))]
    for at, turn in enumerate(turns):
        made[turn].made.time_ns = (1_700_000_001 + at) * SECOND
        if group:
            subscribe(made[turn], 4, 10 + at, sid=at, more=SINGLE)
        store(made[turn], 10 + at)
    return [each.wait(20).leave() for each in made]


def references(*names: str, apart: bool = True) -> list[Talk]:
    """Publishers, each on a connection of its own or all on one."""
    made = [Talk()]
    for at, name in enumerate(names):
        if at and apart:
            made.append(Talk(40_000 + at, at * SECOND))
        made[-1].declare("s", name)
        for each in range(8):
            made[-1].publish(1 + 10 * at + each, 1)
        made[-1].ask(6, b"\1")
    return [each.leave() for each in made]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B33", references("app-1f2e", "app-2a3b", "app-77c0")),
    (
        "RMQ-B33",
        references(*(f"{each}b84c2a-0f11-4d1f-9d57-5b0a9c0d1e2f" for each in (11, 22, 33))),
    ),
    ("", references("app-1", "app-2")),
    ("", references("app", "app", "app")),
    ("", references("orders", "bills", "audit")),
    ("", references("app-1", "app-2", "app-3", apart=False)),
    ("RMQ-B25", under("other")),
    ("", under("app")),
    ("", under("other", asked=True)),
    ("RMQ-B21", named("a", "b", "c")),
    ("", named("a", "a", "a")),
    ("RMQ-I10", owners(used=True)),
    ("", owners(used=False)),
    ("", owners(used=True, reference="orders")),
    ("RMQ-B14", tracked(0, 1, 0)),
    ("", tracked(0, 0, 1, 1)),
    ("", tracked(0, 1, 0, group=True)),
]  # fmt: skip
"""The rules that find a fault, or none, and the connections."""


@every(
    ("number_of_case", "rule", "talks"),
    [(at, *each) for at, each in enumerate(CASES)],
    ids=lambda case: case[:2],
)
def test_behaviours_and_near_misses(
    number_of_case: int, rule: str, talks: list[Talk], tmp_path: Path
) -> None:
    """Each rule names its fault, alone among the rules of behaviours."""
    del number_of_case
    assert behaviours(tmp_path, *talks) == set(rule.split())


def test_every_behaviour_has_a_fault() -> None:
    """No rule is untested."""
    assert {each.id for each in (*REFERENCES, *CLIENT_NAMES)} <= {
        each for rules, _ in CASES for each in rules.split()
    }
