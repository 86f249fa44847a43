"""Tables of rows: staged by a task under its own numbers, then written with the final ones.

Files are made in a folder of the attempt, and renamed when all of them are complete, to names that
depend only on the task. So a task that is killed leaves nothing, and one that runs twice, or in
parallel with itself, leaves the same files once.
"""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from streamshark.conversations.conversation import Conversation
from streamshark.decoding.decoder import Decoder
from streamshark.dissection.row import FrameRow, Row
from streamshark.dissector import Dissector
from streamshark.spark.numbering import ROW, SourceNumbers
from streamshark.spark.read_task import ReadOptions, ReadTask, schema_of
from streamshark.spark.row_filter import row_filter
from streamshark.spark.table_fillers import (
    BATCH,
    CommandFiller,
    Filler,
    MessageFiller,
    RowFiller,
    TrackedFlow,
    conversation_filler,
    flow_filler,
)
from streamshark.spark.tables import (
    CONVERSATIONS,
    FLOWS,
    FRAMES,
    MESSAGES,
    SCHEMAS,
    commands,
    frames,
)

OPEN = "open"
"""Folder of rows of the end of the captures, which later captures may replace."""
DONE = "done"
MOST_WRITERS = 64
"""Most files that a task has open at a time."""
STAGED = "_staged"
KEPT = "rows"
"""Folder of the rows that the next run numbers again: it may give the source another number."""
_TIMES = ("time", "start")
"""Columns by whose date tables are divided."""


class ParquetFolder:
    """Parquet files of one attempt: table, part (`open` or `done`), date, protocol."""

    def __init__(self, name: str, folder: str) -> None:
        self.name = name
        self.root = Path(folder)
        self.attempt = self.root / f"_attempt-{name}-{uuid4().hex}"
        self._writers: dict[Path, parquet.ParquetWriter] = {}
        self._parts: dict[Path, int] = {}

    def write(self, table: str, batch: pa.RecordBatch, part: str) -> None:
        """Write rows of a table."""
        place = Path(table) / f"part={part}"
        time = next((name for name in _TIMES if name in batch.schema.names), None)
        if time is None:
            if len(batch):
                self._write(place, batch)
            return
        days = pc.cast(batch[time], pa.date32()) if len(batch) else None
        for day in sorted(set(days.to_pylist())) if days is not None else ():
            chosen = batch.filter(pc.equal(days, pa.scalar(day, pa.date32())))
            for protocol in pc.unique(chosen["protocol"]).to_pylist():
                rows = chosen.filter(pc.equal(chosen["protocol"], protocol))
                within = place / f"date={day}" / f"protocol={protocol}"
                self._write(within, rows.drop_columns(["protocol"]))

    def _write(self, place: Path, batch: pa.RecordBatch) -> None:
        writer = self._writers.get(place)
        if writer is None:
            if len(self._writers) >= MOST_WRITERS:
                self._writers.pop(next(iter(self._writers))).close()
            number = self._parts.get(place, 0)
            self._parts[place] = number + 1
            path = self.attempt / place / f"{self.name}-{number:04}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = self._writers[place] = parquet.ParquetWriter(
                path, batch.schema, compression="zstd"
            )
        writer.write_batch(batch)

    def finish(self) -> int:
        """Move all files to their places; return their number."""
        for writer in self._writers.values():
            writer.close()
        count = 0
        for path in sorted(self.attempt.rglob("*.parquet")):
            place = self.root / path.relative_to(self.attempt)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
            count += 1
        self.drop()
        return count

    def drop(self) -> None:
        """Remove files that were not moved."""
        shutil.rmtree(self.attempt, ignore_errors=True)


class StagedTables:
    """Arrow files of the rows of one source: those before the end of the captures, or of it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.attempt = place.with_name(f"_attempt-{place.name}-{uuid4().hex}")
        self._writers: dict[str, pa.ipc.RecordBatchFileWriter] = {}

    def write(self, table: str, batch: pa.RecordBatch) -> None:
        """Write rows of a table."""
        writer = self._writers.get(table)
        if writer is None:
            self.attempt.mkdir(parents=True, exist_ok=True)
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            path = self.attempt / f"{table}.arrow"
            writer = self._writers[table] = pa.ipc.new_file(path, batch.schema, options=options)
        writer.write_batch(batch)

    def finish(self) -> None:
        """Rename the folder to its place, unless another attempt was faster."""
        self.attempt.mkdir(parents=True, exist_ok=True)
        self._close()
        with contextlib.suppress(OSError):
            self.attempt.rename(self.place)
        self.drop()

    def drop(self) -> None:
        """Remove files that were not moved."""
        self._close()
        shutil.rmtree(self.attempt, ignore_errors=True)

    def _close(self) -> None:
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()


def staged(folder: str, source: int, part: str) -> Path:
    """Return the folder of the staged rows of a source."""
    return Path(folder) / STAGED / f"{source:05}" / part


class RowTables:
    """The tables of a task's rows, connections and calls, to be staged.

    Each row has the number of the row of the source at which it was made.
    """

    def __init__(
        self, tables: tuple[str, ...], job: ReadTask, dissector: Dissector, place: StagedTables
    ) -> None:
        self.place = place
        known = job.known
        self._where = row_filter(known.where, known.paths) if known.where else None
        self._others: dict[str, _IndexedTable] = {}
        self._by_command: dict[str, _IndexedTable | None] = {}
        """Tables of commands that had a row; None for those that are not written."""
        self._commands: dict[str, Callable[[], _IndexedTable]] = {}
        """Makers of the tables of commands."""
        decoders = commands(dissector)
        for table in tables:
            if table == FRAMES:
                whole = frames(numbered=True)
                chosen = pa.schema([each for each in whole if each.name in job.columns])
                self._others[table] = _IndexedTable(RowFiller(chosen, dissector, known.kept))
            elif table == MESSAGES:
                schema = schema_of(table, known)
                self._others[table] = _IndexedTable(MessageFiller(schema, dissector, known.kept))
            elif table in decoders:
                self._commands[table] = partial(_of_command, table, known, dissector, decoders)
        self._flows = _IndexedTable(flow_filler(SCHEMAS[FLOWS]))
        self._calls = _IndexedTable(conversation_filler(SCHEMAS[CONVERSATIONS]))
        chosen_ones = {FLOWS: self._flows, CONVERSATIONS: self._calls}
        self._every = dict(self._others)
        self._every |= {name: each for name, each in chosen_ones.items() if name in tables}
        self._count = 0

    @property
    def has_rows(self) -> bool:
        """Whether rows are wanted in some table."""
        return bool(self._others or self._commands)

    @property
    def is_full(self) -> bool:
        """Whether there are enough rows to be staged."""
        return self._count >= BATCH

    def count(self, rows: int) -> None:
        """Count rows, whether they are in a table or not."""
        self._count += rows

    def add(self, row: Row, index: int) -> None:
        """Add a row, given its number in the source."""
        if self._where is not None and not self._where(row):
            return
        for each in self._others.values():
            each.add(row, index)
        if self._commands and isinstance(row, FrameRow) and row.decoder is not None:
            name = row.decoder.tree.prefix
            found = self._by_command.get(name, self)
            if found is self:
                found = self._begin(name)
            if isinstance(found, _IndexedTable):
                found.add(row, index)

    def _begin(self, name: str) -> "_IndexedTable | None":
        """Return the table of a command, made at its first row; None if it is not written."""
        make = self._commands.get(name)
        found = self._by_command[name] = None if make is None else make()
        if found is not None:
            self._every[name] = found
        return found

    def add_flow(self, flow: TrackedFlow, index: int) -> None:
        """Add a connection that is not followed any more."""
        self._flows.add(flow, index)

    def add_call(self, call: Conversation, index: int) -> None:
        """Add a conversation that no other one is linked to."""
        self._calls.add(call, index)

    def stage(self) -> None:
        """Stage the rows that were added."""
        self._count = 0
        for table, filler in self._every.items():
            if len(filler):
                self.place.write(table, filler.batch())


def _of_command(
    table: str, known: ReadOptions, dissector: Dissector, decoders: dict[str, list[Decoder]]
) -> "_IndexedTable":
    """Return the table of a command."""
    filler = CommandFiller(schema_of(table, known), dissector, decoders[table], known.kept)
    return _IndexedTable(DatedTable(filler))


class _IndexedTable:
    """A table whose rows have the number of the row of the source at which they were made."""

    def __init__(self, filler: "Filler | CommandFiller | DatedTable") -> None:
        self._filler: Any = filler
        self._indices: list[int] = []

    def __len__(self) -> int:
        return len(self._indices)

    def add(self, one: object, index: int) -> None:
        """Add what the table has rows of."""
        self._filler.add(one)
        more = len(self._filler) - len(self._indices)
        if more:
            self._indices += [index] * more

    def batch(self) -> pa.RecordBatch:
        """Return the rows since the last batch."""
        batch = self._filler.batch().append_column(ROW, pa.array(self._indices, pa.int64()))
        self._indices = []
        return batch


@dataclass(frozen=True)
class WriteTask:
    """The staged rows of one source, to be written as tables."""

    name: str
    folder: str
    source: int
    site: str | None
    numbering: Path
    """File with the numbers of its rows."""
    keeps: Path | None
    """Folder for the rows that the next run numbers again; None if there is none."""


def write_tables(task: WriteTask) -> int:
    """Write the tables of a source with final numbers; return the number of files."""
    numbering = SourceNumbers.read(task.numbering)
    folder = ParquetFolder(task.name, task.folder)
    try:
        for part in (DONE, OPEN):
            for path in sorted(staged(task.folder, task.source, part).glob("*.arrow")):
                for batch in _batches(path):
                    rows = numbering.table(path.stem, batch)
                    is_done = pc.less(rows[ROW], numbering.start if part == DONE else 0)
                    for name, chosen in ((DONE, is_done), (OPEN, pc.invert(is_done))):
                        found = rows.filter(chosen).drop_columns([ROW])
                        if len(found):
                            folder.write(path.stem, with_site(found, task.site), name)
        if task.keeps is not None:
            _keep(task, task.keeps, numbering)
        return folder.finish()
    finally:
        folder.drop()


def with_site(batch: pa.RecordBatch, site: str | None) -> pa.RecordBatch:
    """Return rows with the column `site`, if there are several."""
    if site is None:
        return batch
    return batch.append_column("site", pa.array([site] * len(batch), pa.string()))


def _keep(task: WriteTask, folder: Path, numbering: SourceNumbers) -> None:
    """Keep the rows that the next run numbers again."""
    kept = StagedTables(folder / KEPT)
    try:
        for path in sorted(staged(task.folder, task.source, DONE).glob("*.arrow")):
            for batch in _batches(path):
                found = batch.filter(pc.greater_equal(batch[ROW], numbering.start))
                if len(found):
                    kept.write(path.stem, found)
        kept.finish()
    finally:
        kept.drop()


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.ipc.open_file(path) as file:
        for at in range(file.num_record_batches):
            yield file.get_batch(at)


class DatedTable:
    """The table of a command, with the columns by which its rows are divided."""

    def __init__(self, filler: CommandFiller) -> None:
        self._filler = filler
        self._times: list[int] = []
        self._protocols: list[str] = []

    def __len__(self) -> int:
        return len(self._filler)

    def add(self, row: FrameRow) -> None:
        """Add a row."""
        before = len(self._filler)
        self._filler.add(row)
        if len(self._filler) > before:
            self._times.append(row.time_ns // 1000)
            self._protocols.append(row.connection.wire.id)

    def batch(self) -> pa.RecordBatch:
        """Return the rows since the last batch."""
        batch = self._filler.batch()
        times = pa.array(self._times, pa.timestamp("us", tz="UTC"))
        batch = batch.append_column("time", times)
        batch = batch.append_column("protocol", pa.array(self._protocols, pa.string()))
        self._times, self._protocols = [], []
        return batch
