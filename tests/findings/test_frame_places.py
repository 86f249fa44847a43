"""Packets of the latest frames."""

import pytest

from streamshark.findings.frame_places import FramePlaces


def test_the_latest_frames_have_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier ones have none, also where frames are added across the end of the ring."""
    monkeypatch.setattr("streamshark.findings.frame_places.REMEMBERED", 8)
    places = FramePlaces()
    places.add(1, [0] * 6, [10, 20, 30, 40, 50, 60])
    assert [places.of(1), places.of(6)] == [(0, 10), (0, 60)]

    places.add(7, [1] * 4, [1, 2, 3, 4])
    found = [places.of(number) for number in range(1, 11)]
    assert found == [None, None, (0, 30), (0, 40), (0, 50), (0, 60), (1, 1), (1, 2), (1, 3), (1, 4)]
