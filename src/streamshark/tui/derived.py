"""Derived values of rows, such as credit balances: the engine runs over the rows of an index."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from streamshark.analysis import Analysis
from streamshark.conversations.conversation import DerivedValue
from streamshark.index.reader import Index

if TYPE_CHECKING:
    from streamshark.decoding.payloads import PayloadReaders
    from streamshark.dissection.row import Row
    from streamshark.protocols.protocol import Protocol

MOST_ROWS: Final = 20_000
"""Rows of a connection, from its first, whose derived values are computed in a ladder."""
FEW_ROWS: Final = 2_000
"""Those for which they are computed when one row is shown."""
MOST_FLOWS: Final = 16
"""Most connections whose derived values are kept."""


class _NoDissector:
    """Stands for the dissector of a session: no connection is retired."""

    def on_retired(self, _take: Callable[[Any], object]) -> None:
        """Call nothing."""


class _RestoredSession:
    """Stands for the session of an analysis: the rows are those of an index."""

    def __init__(self, index: Index) -> None:
        self.index = index
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
        """Return no rows: the analysis is given those of a connection."""
        return iter(())

    def batches(self) -> "Iterator[list[Row]]":
        """Return no rows."""
        return iter(())


class _ConnectionValues:
    """The derived values of a connection, computed from its first row on."""

    def __init__(self, index: Index, flow: int) -> None:
        self.index, self.flow = index, flow
        self._analysis = Analysis(
            _RestoredSession(index), derives=lambda _table: True, annotates=False, links=False
        )
        self._values: dict[int, tuple[DerivedValue, ...]] = {}
        self._rows = 0
        """Number of rows of the connection that were read."""
        self._next = 0
        """Row from which none was read."""
        self._ends: dict[int, int] = {}
        """Limit of rows to the first row of the connection beyond it, once that is known."""

    def of(self, row: int, most: int) -> tuple[DerivedValue, ...]:
        """Return the values of a row if it is one of the first `most`, else none."""
        if self._next <= row < self._ends.get(most, row + 1):
            self._read(row, most)
        return self._values.get(row, ())

    def _read(self, last: int, most: int) -> None:
        """Read the rows of the connection to the last one, unless it is beyond the first `most`."""
        unread: list[int] = []
        for at in self.index.columns["flow"].places(self.flow, self._next, last + 1):
            if self._rows + len(unread) >= most:
                self._ends[most] = at
                return
            unread.append(at)
        seen = self._analysis.seen(map(self.index.__getitem__, unread))
        for at, row in zip(unread, seen, strict=True):
            if derived := getattr(row, "derived", ()):
                self._values[at] = derived
            self._rows += 1
            self._next = at + 1


class DerivedValues:
    """Derived values by row.

    A connection is read from its first row to the one that is asked, once.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._flows: dict[int, _ConnectionValues] = {}

    def of(self, row: int, flow: int, *, most: int = MOST_ROWS) -> tuple[DerivedValue, ...]:
        """Return the derived values of a row.

        None are known beyond the first `most` rows of its connection.
        """
        values = self._flows.get(flow)
        if values is None:
            if len(self._flows) >= MOST_FLOWS:
                self._flows.pop(next(iter(self._flows)))
            values = self._flows[flow] = _ConnectionValues(self.index, flow)
        return values.of(row, most)
