"""Derived values of rows, such as credit balances: the engine runs over the rows of an index."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from streamshark.analysis import Analysis
from streamshark.conversations.conversation import DerivedValue
from streamshark.index.reader import Index

if TYPE_CHECKING:
    from streamshark.decoding.payloads import PayloadReaders
    from streamshark.dissection.row import Row
    from streamshark.protocols.protocol import Protocol

MOST_ROWS: Final = 20_000
"""Most rows of a connection, from its first, whose derived values are computed."""
FEW_ROWS: Final = 2_000
"""Most rows of a connection for which they are computed when one row is shown."""
MOST_FLOWS: Final = 16
"""Most connections whose derived values are kept."""

_Values = dict[int, tuple[DerivedValue, ...]]


class _NoDissector:
    """Stands for the dissector of a session: no connection is retired."""

    def on_retired(self, _take: Callable[[Any], object]) -> None:
        """Call nothing."""


class _ConnectionRows:
    """Rows of an index as an analysis takes them."""

    def __init__(self, index: Index, rows: Iterable[int]) -> None:
        self.index, self._rows = index, rows
        self.dissector: Any = _NoDissector()
        self.yielded_ns = 0

    @property
    def protocols(self) -> "tuple[Protocol, ...]":
        """The protocols of the rows."""
        return self.index.known.protocols

    @property
    def layers(self) -> "PayloadReaders":
        """Readers of the payload slots of frames."""
        return self.index.known.layers

    def rows(self) -> "Iterator[Row]":
        """Return the rows."""
        return (self.index[each] for each in self._rows)

    def batches(self) -> "Iterator[list[Row]]":
        """Return the rows one by one."""
        return ([each] for each in self.rows())


class DerivedValues:
    """Derived values by row, computed for whole connections."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._flows: dict[int, tuple[int, _Values]] = {}
        """Flow to the number of its rows that were read, and their values."""

    def of(self, row: int, flow: int, *, most: int = MOST_ROWS) -> tuple[DerivedValue, ...]:
        """Return the derived values of a row.

        None are known beyond the first `MOST_ROWS` rows of its connection, or if that has more than
        `most` rows.
        """
        count, values = self._flows.get(flow, (0, {}))
        if not count or (row not in values and not self.index.is_complete):
            count, values = self._read(flow, count, most)
        return values.get(row, ())

    def _read(self, flow: int, known: int, most: int) -> tuple[int, _Values]:
        rows = []
        for at in self.index.rows_of_flow(flow):
            rows.append(at)
            if len(rows) > min(most, MOST_ROWS):
                break
        if len(rows) > most or len(rows) == known:
            return self._flows.get(flow, (0, {}))
        analysis = Analysis(
            _ConnectionRows(self.index, rows),
            derives=lambda _table: True,
            annotates=False,
            links=False,
        )
        values: _Values = {}
        for at, row in zip(rows, analysis.seen(map(self.index.__getitem__, rows)), strict=True):
            if derived := getattr(row, "derived", ()):
                values[at] = derived
        if len(self._flows) >= MOST_FLOWS:
            self._flows.pop(next(iter(self._flows)))
        self._flows[flow] = len(rows), values
        return self._flows[flow]
