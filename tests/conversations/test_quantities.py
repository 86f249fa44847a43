"""Numbers as people read them."""

import doctest

import pytest

from streamshark.conversations import quantities
from streamshark.conversations.quantities import digits, duration, rate, size


def test_examples() -> None:
    """What the docstrings promise."""
    assert doctest.testmod(quantities).failed == 0


@pytest.mark.parametrize(
    ("ns", "told"),
    [
        (1, "1.00 ns"),
        (1_500, "1.50 us"),
        (123_456_789, "123 ms"),
        (3_725_000_000_000, "1 h 2 min"),
        (-5_000_000, "-5.00 ms"),
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
