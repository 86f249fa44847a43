"""Statistics of parts of the connections add up to those of all."""

from tests.recorded.index import ROOT

from streamshark.conversations.partial_statistics import PartialStatistics, total
from streamshark.conversations.statistics import MOST, Statistics, Traffic
from streamshark.session import Session

CAPTURE = str(next((ROOT / "captures/rabbitmq_stream/load_four_streams").glob("traffic.*")))
WANTED = {"conversations": True, "links": False}
TABLES = ("commands", "batches", "streams", "kinds", "attempts", "events", "first_ns", "last_ns")


def whole() -> Statistics:
    """The statistics of a capture."""
    statistics = Statistics()
    analysis = Session([CAPTURE]).analysis(conversations=True, links=False)
    for row in analysis.rows():
        statistics.take(row)
        statistics.end(analysis.ended())
    statistics.end(analysis.ended())
    return statistics


def parts(count: int) -> list[PartialStatistics]:
    """The same in parts by flow number."""
    out = [PartialStatistics() for _ in range(count)]
    analysis = Session([CAPTURE]).analysis(conversations=True, links=False)
    for row in analysis.rows():
        part = out[row.connection.flow.number % count]
        part.take(row)
        part.end_at(row, analysis.ended())
    for each in analysis.ended():
        out[each.flows[0] % count].end_last([each])
    return [each.packed() for each in out]


def shown(statistics: Statistics) -> list[object]:
    """All that is shown, in order."""
    return [
        repr(getattr(statistics, name)) if isinstance(getattr(statistics, name), int)
        else [(key, _values(value)) for key, value in dict(getattr(statistics, name)).items()]
        for name in TABLES
    ]  # fmt: skip


def _values(value: object) -> object:
    if hasattr(value, "percentile"):
        return value.count, value.total, value.least, value.greatest, value.percentile(50)
    if isinstance(value, dict):
        return [(key, _values(each)) for key, each in value.items()]
    if hasattr(value, "__slots__"):
        names = [name for name in value.__slots__ if name not in ("connection", "context")]
        return [(name, _values(getattr(value, name))) for name in names]
    return value


def test_parts_are_the_whole() -> None:
    """Sums, percentiles, and the order of entries."""
    assert shown(total(parts(3))) == shown(whole())
    assert list(total(parts(3)).connections) == list(whole().connections)


def test_limits_are_noticed_before_they_are_reached() -> None:
    """A part may have as many entries as all parts can have together."""
    part = PartialStatistics()
    for number in range(MOST // 4 + 1):
        part.connections[number] = Traffic("parrot_talk", 0)
    assert not part.is_near_limits(3)
    assert part.is_near_limits(4)
