"""Rules for filters of messages."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import behaviours, subscribe
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, number, text

from streamshark.protocols.rabbitmq_stream.findings.filters import FILTERS


def filtered(value: str, *, more: str = "", version: int = 2) -> list[Talk]:
    """A consumer with a filter, and messages with a filter value."""
    talk = Talk()
    talk.declare("s")
    entry = number(1, 8) + (text(value) if version == 2 else b"") + number(1) + b"m"
    head = number(9 + len(entry)) + number(2, 2) + number(version, 2)
    talk.made.send(CLIENT, head + b"\1" + number(1) + entry)
    pairs = [("filter.0", "job"), *([(more, "true")] if more else [])]
    properties = number(len(pairs)) + b"".join(text(name) + text(said) for name, said in pairs)
    subscribe(talk, more=properties)
    return [talk.wait(5).leave()]


def valued(*values: str) -> list[Talk]:
    """Messages with filter values, each in a Publish of its own; empty for none."""
    talk = Talk()
    talk.declare("s")
    for at, value in enumerate(values):
        body = b"\1" + number(1) + number(at, 8) + text(value) + number(1) + b"m"
        talk.made.send(CLIENT, number(len(body) + 4) + number(2, 2) + number(2, 2) + body)
        talk.say(SERVER, 3, b"\1" + number(1) + number(at, 8))
        talk.wait(0.1)
    return [talk.leave()]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B36", valued(*(f"order-{each}" for each in range(20)))),
    ("", valued(*(f"order-{each}" for each in range(15)))),
    ("", valued(*(f"region-{each % 10}" for each in range(20)))),
    ("", valued(*[""] * 20)),
    ("RMQ-B15", filtered("order")),
    ("RMQ-B15", filtered("", version=1)),
    ("", filtered("job")),
    ("", filtered("order", more="match-unfiltered")),
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
    assert {each.id for each in FILTERS} <= {each for rules, _ in CASES for each in rules.split()}
