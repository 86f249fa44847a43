"""Numbers as people read them."""

import doctest

import pytest

from streamshark.conversations import units
from streamshark.conversations.units import digits, duration, rate, size


def test_examples() -> None:
    """What the docstrings promise."""
    assert doctest.testmod(units).failed == 0


@pytest.mark.parametrize(
    ("ns", "told"),
    [
        (1, "1 ns"),
        (1_500, "1.5 us"),
        (45_000_000, "45 ms"),
        (100_000, "100 us"),
        (999_999, "1 ms"),
        (59_999_900_000, "60 s"),
        (90_000_000_000, "1 min 30 s"),
        (123_456_789, "123 ms"),
        (3_725_000_000_000, "1 h 2 min"),
        (-5_000_000, "-5 ms"),
        (None, "-"),
    ],
)
def test_times(ns: int | None, told: str) -> None:
    """A unit that leaves three digits."""
    assert duration(ns) == told


def test_rates_and_what_is_not_known() -> None:
    """No time, no rate; a dash."""
    assert rate(10, 2_000_000_000) == 5
    assert rate(10, 0) is None
    assert (digits(None), size(None)) == ("-", "-")
    assert digits(-0.5) == "-0.500"
