"""Signs of trouble: how many are remembered, and that none is lost from the counts."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.builders import ACK, Conversation
from tests.reading import batch

from streamshark.conversations.state import PeerState
from streamshark.flows import FlowTracker, trouble

END = (1 << 62, 0, 0)
"""A packet after all others."""


def test_signs_of_all_connections_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many connections show them; what is forgotten by packet is counted all the same."""
    monkeypatch.setattr(trouble, "MOST_SIGNS", 8)
    tracker, times, connections = FlowTracker(), 7, 40
    for number in range(connections):
        one = Conversation(("10.0.0.1", 2000 + number))
        for _ in range(times):
            one.raw(0, 100, b"", ACK, 1, window=0)
        tracker.feed(batch(one.packets))
    sides = [flow.trouble[0] for flow in tracker.flows]

    assert sum(len(each.signs) for each in sides) < 2 * 8
    assert [each.total for each in sides] == [each.zero_windows for each in sides]
    assert [counted(each) for each in sides] == [times] * connections


def counted(source: Any) -> int:  # noqa: ANN401 - of a side
    """Return how many zero windows a side has that a row after all packets reaches."""
    side = PeerState(SimpleNamespace(), 0)  # type: ignore[arg-type]
    side.source = source
    side.reach(END)
    return side.trouble.zero_windows


def test_counts_of_parts_add_up() -> None:
    """A later record is added as if its packets had followed, forgotten ones included."""
    first, later, whole = trouble.Trouble(), trouble.Trouble(), trouble.Trouble()
    for packet in range(6):
        for each in (whole, first if packet < 3 else later):
            each.see_zero_window((packet, 0, packet))
    later.drop(2)
    first.add(later)

    assert (first, first.total, counted(first)) == (whole, whole.total, 6)
    assert first.signs == whole.signs[5:]
