"""Rules for offsets and timestamps."""

from pathlib import Path

import pytest
from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    Talk,
    accused,
    findings,
    number,
    text,
)


@pytest.mark.parametrize(
    ("milliseconds", "expected"),
    [
        (1_700_000_000_000, []),
        (1_700_000_300_000, [("RMQ-D14b", "note")]),
        (1_700_000_000, [("RMQ-D14", "warning")]),
        (1_700_000_000_000_000, [("RMQ-D14", "warning")]),
        (2**64 - 62_135_596_800_000, [("RMQ-D14", "warning")]),
        (0, []),
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
    ("offset", "expected"),
    [
        (1_746_500_000_000, [("RMQ-D13b", "warning")]),
        (2**64 - 1, [("RMQ-D13b", "warning")]),
        (5_000_000, []),
    ],
)
def test_a_time_is_stored(tmp_path: Path, offset: int, expected: list[tuple[str, str]]) -> None:
    """D13: in milliseconds since 1970; not an offset."""
    talk = Talk()
    talk.say(CLIENT, 0x0A, text("reader") + text("s") + number(offset, 8))
    talk.leave()

    assert accused(tmp_path, talk) == expected


@every(
    ("wanted", "chunk", "rule"),
    [
        (50, 5, "RMQ-D12b"),
        (8, 5, "RMQ-D12b"),
        (7, 5, "RMQ-D12"),
        (5, 5, ""),
        (3, 5, ""),
        (50, None, "RMQ-D13c"),
        (7, None, "RMQ-D13c"),
        (5000, None, "RMQ-D13"),
        (6, None, ""),
    ],
)
def test_offsets_beyond_the_end(wanted: int, chunk: int | None, rule: str, tmp_path: Path) -> None:
    """D12b, D13c: of a stream with five messages; the next one may be waited for."""
    one, other = Talk(), Talk(40_001, SECOND)
    one.ask(0x0D, text("s") + number(0))
    one.declare("s")
    one.publish(0, 5)
    other.ask(7, b"\1" + text("s") + number(4, 2) + number(wanted, 8) + number(10, 2) + number(0))
    if chunk is None:
        other.wait(5)
    else:
        other.deliver(chunk, 3)

    found = [each.rule for each in findings(tmp_path, one.leave(), other.leave())]
    assert [each for each in found if each.startswith("RMQ-D")] == [rule] * bool(rule)
