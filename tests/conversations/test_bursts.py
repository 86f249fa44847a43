"""The same entity several times within a window."""

from collections import Counter

import pytest

from streamshark.conversations import bursts
from streamshark.conversations.bursts import BurstCounts


def test_from_the_limit_on() -> None:
    """The frames from the second on; old ones do not count."""
    made = BurstCounts(10, 3)

    assert [made.see("a", t, t, None) for t in (1, 2, 3, 4, 20, 21, 22)] == [
        None, None, (2, 3), (3, 4), None, None, (21, 22),
    ]  # fmt: skip
    assert made.see(("a", None), 23, 23, None) is None


def test_distinct_values_alone() -> None:
    """The same value again is not counted."""
    made = BurstCounts(10, 2)

    assert [made.see("a", t, t, value) for t, value in enumerate("xxyy")] == [
        None, None, (2,), None,
    ]  # fmt: skip


def test_keys_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one seen goes."""
    monkeypatch.setattr(bursts, "MOST_KEYS", 2)
    capped = Counter[str]()
    made = BurstCounts(10, 2, capped)
    for key in "abc":
        made.see(key, 1, 1, None)

    assert list(made.seen) == ["b", "c"]
    assert capped.total() == 1


def test_keys_are_dropped_when_their_window_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many come one after the other, none is dropped that still counts."""
    monkeypatch.setattr(bursts, "LEAST_KEYS", 4)
    capped = Counter[str]()
    made = BurstCounts(10, 2, capped)
    for t in range(100):
        made.see(t, 3 * t, t, None)
        assert len(made.seen) <= 8
    assert made.see(97, 300, 200, None) == (200,)
    assert not capped
