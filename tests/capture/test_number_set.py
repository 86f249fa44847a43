"""Sets of numbers, in a bit each."""

from hypothesis import given
from hypothesis import strategies as st

from streamshark.capture.number_set import NumberSet


@given(st.sets(st.integers(0, 5_000), max_size=40))
def test_it_has_what_was_added(numbers: set[int]) -> None:
    """A set contains the numbers that were added and no others."""
    found = NumberSet()
    for each in numbers:
        found.add(each)
    assert {each for each in range(6_000) if each in found} == numbers
