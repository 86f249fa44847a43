"""Percentiles against those of the sorted values."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from streamshark.conversations.histogram import RELATIVE_ERROR, Histogram


def of(values: list[int]) -> Histogram:
    """A histogram of values."""
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    return histogram


@given(
    st.lists(st.integers(0, 10**14) | st.integers(0, 20), min_size=1, max_size=300),
    st.sampled_from([0, 1, 50, 95, 99, 99.9, 100]),
)
@example([1], 50)
@example([0, 0, 7], 50)
def test_percentiles_are_near_the_exact_ones(values: list[int], percent: float) -> None:
    """Within the error that is stated, whatever the values."""
    exact = sorted(values)[max(math.ceil(percent / 100 * len(values)), 1) - 1]

    found = of(values).percentile(percent)

    assert found is not None
    assert abs(found - exact) <= exact * RELATIVE_ERROR * (1 + 1e-9)


@given(st.lists(st.integers(-5, 10**12), min_size=1, max_size=50))
def test_the_rest_is_exact(values: list[int]) -> None:
    """Count, sum, mean, least and greatest; below zero is zero."""
    histogram, values = of(values), [max(value, 0) for value in values]

    assert (histogram.count, histogram.total) == (len(values), sum(values))
    assert (histogram.least, histogram.greatest) == (min(values), max(values))
    assert histogram.mean == sum(values) / len(values)


def test_nothing() -> None:
    """Without values there is no percentile."""
    empty = Histogram()

    assert (empty.mean, empty.percentile(50), empty.least, empty.greatest) == (None,) * 4


@pytest.mark.slow
def test_memory_is_bounded() -> None:
    """A million different values from a nanosecond to a day take some buckets."""
    histogram = of([int(1.0000325**exponent) for exponent in range(1_000_000)])

    assert histogram.greatest > 86_400 * 10**9
    assert len(histogram._buckets) < 1_800
