"""Rules for single active consumers."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, accused, number, text


@pytest.mark.parametrize(
    ("value", "expected"), [("True", [("RMQ-A2b", "warning")]), ("true", []), ("false", [])]
)
def test_a_truth_value_as_its_language_prints_it(
    tmp_path: Path, value: str, expected: list[tuple[str, str]]
) -> None:
    """A2: what is not true is none; rstream issue 228."""
    talk = Talk()
    pairs = (("single-active-consumer", value), ("name", "group"))
    properties = number(2) + b"".join(text(name) + text(said) for name, said in pairs)
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2) + properties)
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(("value", "found"), [("True", True), ("true", False)])
def test_match_unfiltered_as_a_language_prints_it(
    tmp_path: Path, value: str, *, found: bool
) -> None:
    """A2c: messages without a filter value are not delivered."""
    talk = Talk()
    properties = number(2) + text("filter.0") + text("a") + text("match-unfiltered") + text(value)
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2) + properties)

    assert (("RMQ-A2c", "warning") in accused(tmp_path, talk.leave())) is found


@pytest.mark.parametrize("code", [1, 3])
def test_consumer_updates_that_are_answered_with_an_error(tmp_path: Path, code: int) -> None:
    """A10: the client's own listener fails."""
    talk = Talk()
    talk.subscribe("s", 1)
    talk.say(SERVER, 0x1A, number(99) + b"\1\1")
    talk.say(CLIENT, 0x801A, number(99) + number(code, 2) + number(1, 2))

    assert (("RMQ-A10", "warning") in accused(tmp_path, talk.leave())) is (code != 1)
