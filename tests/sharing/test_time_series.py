"""Traffic over time, in bounded memory."""

from types import SimpleNamespace
from typing import Any

from streamshark.sharing.time_series import TimeSeries


def row(time_ns: int, sender: str | None = "client", response_ns: int | None = None) -> Any:  # noqa: ANN401
    """A frame as far as it is counted."""
    annotation = None if response_ns is None else SimpleNamespace(response_time_ns=response_ns)
    return SimpleNamespace(time_ns=time_ns, sender=sender, annotation=annotation)


def test_bins_widen() -> None:
    """However long a capture is, no frame is lost and there are few bins of equal width."""
    series = TimeSeries(most=8)
    for number in range(5000):
        series.take(row(7 + number**2 * 10_000, response_ns=number if number % 2 else None))
    assert series.count <= 8
    assert sum(each.frames["client"] for each in series.bins.values()) == 5000
    assert sum(each.times.count for each in series.bins.values()) == 2500
    assert series.width * 8 > 4999**2 * 10_000
    assert series.bins[0].frames["client"] == sum(
        number**2 * 10_000 < series.width for number in range(5000)
    )


def test_frames_before_the_first() -> None:
    """A clock that is set back puts frames into the first interval."""
    series = TimeSeries()
    for time_ns in (10**9, 5, 10**9 + 1):
        series.take(row(time_ns, None))
    assert series.count == 1
    assert series.bins[0].frames == {"": 3}
