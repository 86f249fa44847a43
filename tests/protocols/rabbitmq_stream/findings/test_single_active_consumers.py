"""Rules for single active consumers."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import Talk, accused, number, text


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
