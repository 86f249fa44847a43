"""Rules for metadata."""

from pathlib import Path

import pytest
from tests.failures import Failures, every
from tests.protocols.rabbitmq_stream.clients import behaviours, subscribe
from tests.protocols.rabbitmq_stream.talk import SECOND, SERVER, Talk, accused, number, text

from streamshark.protocols.rabbitmq_stream.findings.streams import IN_USE


@pytest.mark.parametrize(("streams", "expected"), [(1, [("RMQ-M2b", "warning")]), (12, [])])
def test_metadata_of_different_streams_is_no_loop(
    tmp_path: Path, streams: int, expected: list[tuple[str, str]]
) -> None:
    """M2: the same missing stream again and again; not one after the other."""
    talk = Talk()
    for each in range(12):
        name = text(f"s{each % streams}")
        missing = number(0) + number(1) + name + number(2, 2) + number(65535, 2) + number(0)
        talk.ask(0x0F, number(1) + name, missing)
    talk.leave()

    assert [each for each in accused(tmp_path, talk) if each[1] == "warning"] == expected


def test_a_broker_ends_publishers(tmp_path: Path) -> None:
    """M11: at the MetadataUpdate; not where a client deletes the stream."""
    update = (0x10, number(6, 2) + text("orders"))
    cases = {"moved": (None, True), "deleted": (b"\0\1", False), "kept": (b"\0\x10", True)}
    with Failures() as failures:
        for name, (answer, expected) in cases.items():
            talk, other = Talk(), Talk(40_001)
            talk.declare("orders")
            if answer is not None:
                other.wait(1).ask(0x0E, text("orders"), answer)
            talk.wait(2).say(SERVER, *update)
            rules = [each for each, _ in accused(tmp_path, talk.leave(), other.wait(2).leave())]
            with failures.of(name):
                assert ("RMQ-M11" in rules) == expected


def deleted(*, used: bool) -> list[Talk]:
    """A stream that is deleted by another client than the one that reads it."""
    one, other = Talk(), Talk(40_001, SECOND)
    subscribe(one)
    one.deliver(0)
    if not used:
        one.ask(0x0C, b"\1")
    other.wait(1).ask(0x0E, text("s"))
    return [one.wait(3).leave(), other.leave()]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B40", deleted(used=True)),
    ("", deleted(used=False)),
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
    assert {each.id for each in IN_USE} <= {each for rules, _ in CASES for each in rules.split()}
