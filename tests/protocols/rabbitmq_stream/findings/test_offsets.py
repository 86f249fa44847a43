"""Rules for offsets and timestamps."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import CLIENT, Talk, accused, number, text


@pytest.mark.parametrize(
    ("milliseconds", "expected"),
    [
        (1_700_000_000_000, []),
        (1_700_000_300_000, [("RMQ-D14b", "note")]),
        (1_700_000_000, [("RMQ-D14", "warning")]),
        (1_700_000_000_000_000, [("RMQ-D14", "warning")]),
    ],
)
def test_times_in_other_units(
    tmp_path: Path, milliseconds: int, expected: list[tuple[str, str]]
) -> None:
    """D14: seconds and microseconds; a time a little ahead may be a clock's fault."""
    talk = Talk()
    talk.ask(7, b"\1" + text("s") + number(5, 2) + number(milliseconds, 8) + number(1, 2))
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(
    ("offset", "expected"), [(1_746_500_000_000, [("RMQ-D13b", "warning")]), (5_000_000, [])]
)
def test_a_time_is_stored(tmp_path: Path, offset: int, expected: list[tuple[str, str]]) -> None:
    """D13: in milliseconds since 1970; not an offset."""
    talk = Talk()
    talk.say(CLIENT, 0x0A, text("reader") + text("s") + number(offset, 8))
    talk.leave()

    assert accused(tmp_path, talk) == expected
