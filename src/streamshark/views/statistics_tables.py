"""Tables of numbers: as text, as CSV, as JSON.

A table holds raw values (counts, bytes, nanoseconds); the kind of a column determines how its
values are shown in text. CSV and JSON have the raw values.
"""

import csv
import io
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from streamshark.conversations.histogram import Histogram
from streamshark.conversations.units import digits, duration, size
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable
from streamshark.views.text_table import grid


class Time(float):
    """Nanoseconds in a column of other numbers."""


class TableColumn(NamedTuple):
    """A column of a table."""

    name: str
    """Name in CSV and JSON; values of names in `_ns` are nanoseconds."""
    head: str
    """Head in text."""
    kind: str = "text"
    """`text`, `count`, `bytes`, `ns`, `number`; `measure`: a `Time`, or another number; `name`: the
    name of a measure, in text without its unit."""
    spare: int = 0
    """If above 0, the column is optional in text: omitted if no row has a value, and if lines are
    too long, the greatest first, equal ones together."""


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """A table of statistics."""

    name: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: list[list[Any]]
    note: str = ""
    """A sentence on how to read the table."""


SPREAD = (
    TableColumn("least_ns", "min", "ns", 2),
    TableColumn("mean_ns", "mean", "ns", 1),
    TableColumn("p50_ns", "p50", "ns"),
    TableColumn("p95_ns", "p95", "ns"),
    TableColumn("p99_ns", "p99", "ns", 3),
    TableColumn("greatest_ns", "max", "ns"),
)
"""Columns of a histogram of times."""


def spread(times: Histogram) -> list[Any]:
    """Return the values of `SPREAD`."""
    middle = [times.percentile(percent) for percent in (50, 95, 99)]
    return [
        times.least,
        *(None if each is None else round(each) for each in (times.mean, *middle)),
        times.greatest,
    ]


_SHOWN: dict[str, Callable[[Any], str]] = {
    "count": "{:,}".format,
    "bytes": size,
    "ns": duration,
    "number": digits,
    "name": lambda value: printable(str(value).removesuffix("_ns")),
}


def shown(column: TableColumn, value: Any) -> str:  # noqa: ANN401 - any cell
    """Return a cell as text."""
    if value is None:
        return "-"
    if column.kind == "measure":
        kind = "ns" if isinstance(value, Time) else "count" if isinstance(value, int) else "number"
        return _SHOWN[kind](value)
    show = _SHOWN.get(column.kind)
    return show(value) if show else printable(str(value))


MOST_SHOWN = 50
"""Most rows of a table that are shown in text."""


def text(sheet: StatisticsTable, palette: Palette, width: int = 0) -> str:
    """Return a table as text: title, note, rows. Lines are cut at `width`, 0 for never.

    Optional columns without a value are omitted. If lines are too long, so is the protocol if it is
    that of all rows, and further optional columns; at most `MOST_SHOWN` rows are shown.
    """
    kept = [
        at
        for at, column in enumerate(sheet.columns)
        if not column.spare or any(row[at] not in (None, 0) for row in sheet.rows)
    ]
    lines = _table(sheet, kept, width)
    if width and sheet.rows and _table_width(sheet, kept) > width:
        kept = [at for at in kept if not _says_nothing(sheet, at)]
        lines = _table(sheet, kept, width)
    while width and max(map(len, lines)) > width:
        spare = max(sheet.columns[at].spare for at in kept)
        if not spare:
            break
        kept = [at for at in kept if sheet.columns[at].spare != spare]
        lines = _table(sheet, kept, width)
    notes = textwrap.wrap(sheet.note, width or len(sheet.note) or 1)
    note = "".join(f"{palette.paint('generated', each)}\n" for each in notes)
    heads, *rows = lines
    return (
        f"{palette.paint('command', sheet.title)}\n{note}{palette.paint('name', heads)}\n"
        + "".join(f"{line}\n" for line in rows)
        + _more(sheet)
    )


def _table_width(sheet: StatisticsTable, kept: Sequence[int]) -> int:
    """Return the width of a table of which nothing is cut."""
    return max(map(len, _table(sheet, kept, 0)))


def _says_nothing(sheet: StatisticsTable, at: int) -> bool:
    """Return whether a column is that of the protocol, which is the same in all rows."""
    return sheet.columns[at].name == "protocol" and len({row[at] for row in sheet.rows}) == 1


def _more(sheet: StatisticsTable) -> str:
    """Return how many rows are not shown, and how to get them."""
    more = len(sheet.rows) - MOST_SHOWN
    return f"... and {more:,} more; -T csv --table {sheet.name} has all\n" if more > 0 else ""


def _table(sheet: StatisticsTable, kept: Sequence[int], width: int) -> list[str]:
    # Cells are cut only once no optional column is left.
    spare = any(sheet.columns[at].spare for at in kept)
    cells = [[shown(sheet.columns[at], row[at]) for at in kept] for row in sheet.rows[:MOST_SHOWN]]
    return grid([sheet.columns[at].head for at in kept], cells, width=0 if spare else width)


def as_csv(sheet: StatisticsTable) -> str:
    """Return a table as CSV (RFC 4180), names first; unknown values are empty."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(column.name for column in sheet.columns)
    for row in sheet.rows:
        writer.writerow(printable(each) if isinstance(each, str) else each for each in row)
    return out.getvalue()


def as_json(sheet: StatisticsTable) -> list[dict[str, Any]]:
    """Return a table as objects."""
    names = [column.name for column in sheet.columns]
    return [dict(zip(names, row, strict=True)) for row in sheet.rows]
