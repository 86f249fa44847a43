"""Rows of an index, packed by several processes: each those of its share of the connections.

Each process reads its share as for `check -j`, and packs its rows with numbers of records of its
own; the parent gives these the numbers of the index, and writes the rows in order.
"""

import marshal
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from streamshark.dissection.row import Row
from streamshark.dissector import KnownProtocols
from streamshark.index.connection_records import connection_record
from streamshark.index.layout import DETAILED, NO_CONTEXT, ROWS, Detail, RowSetting
from streamshark.index.row_packing import RowPacker, is_mark
from streamshark.judging import ConnectionJudge
from streamshark.parallel.judging import ShareResult, share_result
from streamshark.parallel.packets import BatchUnpacker
from streamshark.parallel.worker import ReleasedRows
from streamshark.splits.connection_share import SharedReport, ShareReader

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from streamshark.index.writer import IndexWriter
    from streamshark.protocols.protocol import Protocol

_SHARED = ("contexts", "settings", "spool", "details")
"""Records that a process numbers itself."""
_AFTER_CONTEXT = list(ROWS).index("context") + 1
"""Numbers of a row up to those of its setting and its context, which others follow."""


class _Collected:
    """Records that another process writes, with numbers of their own."""

    def __init__(self) -> None:
        self._count = 0
        self._records: list[Any] = []

    def add(self, record: Any, _size: int = 0) -> int:  # noqa: ANN401 - any plain value
        """Append a record; return its number."""
        self._records.append(record)
        self._count += 1
        return self._count - 1

    def take(self) -> list[Any]:
        """Return the records since the last call."""
        records, self._records = self._records, []
        return records


class SharePacker:
    """Packer of the rows of one share of the connections."""

    def __init__(self, protocols: "Sequence[Protocol]", readable: Sequence[int]) -> None:
        self._sinks = {name: _Collected() for name in _SHARED}
        self._packer = RowPacker(self._sinks, protocols)
        self._packer.readable.update(readable)

    def packed(self, rows: Sequence[Row], connections: list[tuple[Any, ...]]) -> bytes:
        """Return rows, records and connections, for `ShareUnpacker`."""
        self._packer.add(rows)
        records = [each.take() for each in self._sinks.values()]
        return marshal.dumps((self._packer.take(), records, connections))


class ShareUnpacker:
    """Unpacker of the rows that one process has packed, into a `writer`."""

    def __init__(self, writer: "IndexWriter") -> None:
        self._writer = writer
        self._contexts: list[int] = []
        """Number of a context there to that of the index."""
        self._settings: list[int] = []
        self._spool: list[int] = []
        self._rows: Iterator[tuple[Any, ...]] = iter(())
        self._details: Iterator[dict[int, Any]] = iter(())
        self.connections: list[tuple[Any, ...]] = []
        """Connections of the last rows."""

    def take(self, packed: bytes) -> None:
        """Take packed rows, whose records have their numbers in the index then."""
        rows, records, self.connections = marshal.loads(packed)  # noqa: S302 - from our own process
        contexts, settings, spool, details = records
        writer = self._writer
        self._contexts += map(writer.content, contexts)
        self._settings += (self._setting(RowSetting(*each)) for each in settings)
        self._spool += (writer.sinks["spool"].add(each, len(each)) for each in spool)
        self._rows, self._details = iter(rows), map(self._detail, details)

    def put(self) -> None:
        """Write the next row."""
        row = next(self._rows)
        detail = next(self._details) if row[-1] & DETAILED else None
        *before, setting, context = row[:_AFTER_CONTEXT]
        if context != NO_CONTEXT:
            context = self._contexts[context]
        numbers = *before, self._settings[setting], context, *row[_AFTER_CONTEXT:]
        self._writer.put(numbers, detail)

    def _setting(self, setting: RowSetting) -> int:
        agreed = setting.agreed if setting.agreed < 0 else self._contexts[setting.agreed]
        return self._writer.number(setting._replace(agreed=agreed))

    def _detail(self, detail: dict[int, Any]) -> dict[int, Any]:
        if Detail.SPOOL in detail:
            detail[Detail.SPOOL] = self._spool[detail[Detail.SPOOL]]
        if Detail.FRAGMENT in detail:
            *others, spooled = detail[Detail.FRAGMENT]
            numbers = {name: self._spool[each] for name, each in spooled.items()}
            detail[Detail.FRAGMENT] = (*others, numbers)
        return detail


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What each of `count` processes does; `readable` are the files that can be read again."""

    count: int
    sources: Sequence[str]
    known: KnownProtocols
    readable: Sequence[int]
    limit: int | None = None
    timed: bool = False

    def work(self, number: int, link: "Connection") -> tuple[SharedReport, ShareResult]:
        """Pack the rows of one share of the connections; return its report and result."""
        with closing(BatchUnpacker(self.sources)) as packets:
            return self._packed(number, packets, link)

    def _packed(
        self, number: int, packets: BatchUnpacker, link: "Connection"
    ) -> tuple[SharedReport, ShareResult]:
        reader = ShareReader(self.known, number, self.count)
        packer = SharePacker(self.known.protocols, self.readable)
        made: list[bytes] = []
        rows: list[Row] = []
        connections = _ShareConnections(reader)

        def released(time_ns: int) -> None:
            judge.reach(time_ns)
            made.append(pickle.dumps(judge.take(), pickle.HIGHEST_PROTOCOL))
            made.append(packer.packed(rows, connections.new()))
            rows.clear()

        released_rows = ReleasedRows(
            reader, packets, link, others=lambda _others: None, shown=made, released=released
        )
        judge = ConnectionJudge(
            released_rows, conversations=True, rules=True, derives=is_mark, summaries=False
        )
        released_rows.follow(judge)
        for row in judge.rows():
            rows.append(row)  # noqa: PERF402 - the list is emptied meanwhile
        return reader.report(), share_result(reader, judge, more=connections.all())


class _ShareConnections:
    """The connections of a share, as an index stores them."""

    def __init__(self, reader: ShareReader) -> None:
        self._reader = reader
        self._count = 0

    def new(self) -> list[tuple[Any, ...]]:
        """Return the connections that have begun since the last call."""
        first, self._count = self._count, len(self._reader.tracker.flows)
        return list(self._records(first))

    def all(self) -> list[tuple[Any, ...]]:
        """Return all connections."""
        return list(self._records(0))

    def _records(self, first: int) -> Iterator[tuple[Any, ...]]:
        reader = self._reader
        known: Mapping[int, Any] = reader.dissector.connections
        for flow in reader.tracker.flows[first:]:
            if flow.number % reader.shares == reader.share:
                yield connection_record(flow, known.get(flow.number))
