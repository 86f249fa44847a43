"""Tables of numbers in each of their forms."""

import csv
import io
from dataclasses import replace

from streamshark.conversations.histogram import Histogram
from streamshark.views.colour import Palette
from streamshark.views.statistics_tables import (
    MOST_SHOWN,
    SPREAD,
    StatisticsTable,
    TableColumn,
    Time,
    as_csv,
    as_json,
    shown,
    spread,
    text,
)

PLAIN = Palette(enabled=False)
SHEET = StatisticsTable(
    "birds",
    "Birds",
    (
        TableColumn("name", "name"),
        TableColumn("seen", "seen", "count"),
        TableColumn("eaten", "eaten", "bytes", 1),
        TableColumn("slept_ns", "slept", "ns", 2),
        TableColumn("rate", "/s", "number", 3),
    ),
    [["ara\x1b", 1_200, 83_000, 1_500_000, None], ["kea", 0, None, None, None]],
    "As they were seen.",
)


def test_text() -> None:
    """Title, note and table; empty columns are left out, and an unknown value is a dash."""
    assert text(SHEET, PLAIN).splitlines() == [
        "Birds",
        "As they were seen.",
        "name      seen    eaten   slept",
        "ara\\x1b  1,200  83.0 kB  1.5 ms",
        "kea          0        -       -",
    ]


def test_very_many_rows() -> None:
    """The first, and where the others are."""
    many = replace(SHEET, rows=SHEET.rows * 1000)
    lines = text(many, PLAIN).splitlines()

    assert len(lines) == MOST_SHOWN + 4
    assert lines[-1] == "... and 1,950 more; -T csv --table birds has all"
    assert len(as_csv(many).splitlines()) == 2001


def test_narrow_terminals() -> None:
    """What can be spared goes first."""
    narrow = text(SHEET, PLAIN, 24).splitlines()
    assert narrow[2] == "name      seen    eaten"
    assert text(SHEET, PLAIN, 18).splitlines()[2] == "name      seen"
    assert text(SHEET, Palette(enabled=True)).startswith("\x1b[1mBirds\x1b[0m\n")


def test_csv_and_json_have_raw_values() -> None:
    """All columns; what is not known is empty, or null."""
    rows = list(csv.DictReader(io.StringIO(as_csv(SHEET))))
    objects = as_json(SHEET)

    assert rows[0] == {
        "name": "ara\\x1b", "seen": "1200", "eaten": "83000", "slept_ns": "1500000", "rate": "",
    }  # fmt: skip
    assert objects[1] == {
        "name": "kea", "seen": 0, "eaten": None, "slept_ns": None, "rate": None,
    }  # fmt: skip


def test_spread() -> None:
    """A histogram's values, one for each column; nothing without values."""
    times = Histogram()
    for value in (100, 200, 300):
        times.add(value)

    values = spread(times)
    assert len(values) == len(SPREAD)
    assert (values[0], values[1], values[-1]) == (100, 200, 300)
    assert abs(values[2] - 200) <= 2
    assert spread(Histogram()) == [None] * len(SPREAD)


def test_measures() -> None:
    """Times among other numbers."""
    column = TableColumn("p50", "p50", "measure")
    values = (Time(3_000_000), 12, 1.5, None)
    assert [shown(column, each) for each in values] == ["3 ms", "12", "1.50", "-"]
