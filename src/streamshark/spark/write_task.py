"""Tasks that read splits apart, join them by partition, and write tables as Parquet.

Rows are staged by *source* (a split or a partition) under the connections' numbers there, while
boundary states go to the partitions; these decide which connection of the domain each one is (the
verdicts), and then the final rows are written, by date and protocol.

Files are made in a folder of the attempt, and renamed when all of them are complete, to names that
depend only on the task. So a task that is killed leaves nothing, and one that runs twice, or in
parallel with itself, leaves the same files once.
"""

import contextlib
import pickle
import shutil
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from streamshark.capture import Capture, CaptureError
from streamshark.capture.merge import merged, steady
from streamshark.checkpoint import Checkpoint, FinishedCapture, restored
from streamshark.dissection.row import FrameRow, Row
from streamshark.dissector import Dissector
from streamshark.spark.domains import DomainFilter, DomainPackets, narrowed
from streamshark.spark.read_task import ReadTask, leave, schema_of, spare
from streamshark.spark.row_filter import row_filter
from streamshark.spark.tables import (
    BATCH,
    FRAMES,
    MESSAGES,
    CommandFiller,
    MessageFiller,
    RowFiller,
    commands,
)
from streamshark.splits.input_splits import Extent, Range, TimeSlice
from streamshark.splits.inputs import opened
from streamshark.splits.partition import share_of
from streamshark.splits.split_merge import SplitMerger, SplitResult
from streamshark.splits.split_reader import ORIGINS, SplitReader

ROWS = "_rows"
"""The table of frames without the columns of a complete reading."""
OPEN = "open"
"""Folder of rows of the end of the captures, which later captures may replace."""
DONE = "done"
MOST_WRITERS = 64
"""Most files that a task has open at a time."""


@dataclass(frozen=True)
class SplitWrite:
    """One split, to be read without the packets before it."""

    job: ReadTask
    """Options of the task, without names of captures: those of the split are in it."""
    tables: tuple[str, ...]
    folder: str
    """Staging folder of the tables."""
    time_slice: TimeSlice
    source: int
    """Number of the source of its rows."""
    owners: tuple[int, ...]
    """Sources of the partitions that receive its boundary states, by number of the partition."""
    assumes: bool
    """Whether packets of its connections may precede it."""


@dataclass(frozen=True)
class PartitionWrite:
    """One partition of a domain's connections, to be joined from all splits."""

    job: ReadTask
    tables: tuple[str, ...]
    folder: str
    time_slices: tuple[tuple[int, TimeSlice], ...]
    """The splits in order, each with its `source`; empty if each partition reads everything
    itself."""
    source: int


@dataclass(frozen=True)
class RowSource:
    """The rows of a split or partition, to be written as tables."""

    name: str
    folder: str
    source: int
    site: str | None


BOUNDARIES = "_boundaries"
VERDICTS = "_verdicts"
NUMBERS = "_numbers"
STAGED = "_staged"

VERDICT_SCHEMA = pa.schema(
    [
        ("source", pa.int32()),
        ("number", pa.int64()),
        ("site", pa.string()),
        ("one", pa.string()),
        ("other", pa.string()),
        ("ordinal", pa.int64()),
        ("shift_0", pa.int64()),
        ("shift_1", pa.int64()),
        ("swapped", pa.bool_()),
    ]
)
"""The connection of a source's rows: two addresses, and its ordinal among those between them."""


class SplitReport(NamedTuple):
    """Facts about a split that was read, for the driver."""

    extents: dict[str, Extent]
    """Time spans of the files that were read as a whole."""
    refused: str
    """Why all partitions have to read everything themselves; empty if they need not."""


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
        if table == ROWS:
            self._write(Path(ROWS) / f"part={part}", batch)
            return
        days = pc.cast(batch["time"], pa.date32()) if len(batch) else None
        for day in sorted(set(days.to_pylist())) if days is not None else ():
            chosen = batch.filter(pc.equal(days, pa.scalar(day, pa.date32())))
            for protocol in pc.unique(chosen["protocol"]).to_pylist():
                rows = chosen.filter(pc.equal(chosen["protocol"], protocol))
                place = Path(table) / f"part={part}" / f"date={day}" / f"protocol={protocol}"
                self._write(place, rows.drop_columns(["protocol"]))

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
    """Arrow files of the rows of one source: part (`open` or `done`) and table."""

    def __init__(self, folder: str, source: int) -> None:
        self.place = Path(folder) / STAGED / str(source)
        self.attempt = self.place.with_name(f"_attempt-{source}-{uuid4().hex}")
        self._writers: dict[Path, pa.ipc.RecordBatchFileWriter] = {}

    def write(self, table: str, batch: pa.RecordBatch, part: str) -> None:
        """Write rows of a table."""
        path = self.attempt / part / f"{table}.arrow"
        writer = self._writers.get(path)
        if writer is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            writer = pa.ipc.new_file(path, batch.schema, options=options)
            self._writers[path] = writer
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


def read_apart(task: SplitWrite) -> SplitReport:
    """Read a split, stage its rows, and write its boundary states for the partitions."""
    spare()
    job = task.job
    midway = SplitReader(assumes=task.assumes, **_options(job))
    names = {each.file: each.name for each in task.time_slice}
    midway.dissector.captures.extend(
        FinishedCapture(names.get(at, ""), at) for at in range(max(names) + 1)
    )
    staged = StagedTables(task.folder, task.source)
    captures = _open(task.time_slice, job.within)
    try:
        tables = TableWriter(task.tables, job, midway.dissector, staged)
        for batch, _ in steady(merged([each for each, _ in captures], None)):
            tables.add(midway.feed(batch), DONE)
        tables.add(midway.finish_rows(), DONE)
        tables.flush(DONE)
        staged.finish()
    finally:
        staged.drop()
    if midway.first is not None:
        boundaries = midway.boundaries(Checkpoint(midway.dissector))
        for share, owner in enumerate(task.owners):
            given = [
                each
                for each in boundaries
                if not share or share_of(each.addresses, job.shares) == share
            ]
            _leave(task, owner, SplitResult(midway.first, midway.last, given))
    refused = "" if midway.tracker.is_whole else "datagrams in fragments"
    if any(each.secrets for each, _ in captures):
        refused = "keys of TLS"
    extents = {
        of.name: Extent(each.first_ns, each.last_ns, [(None, of.size)])
        for each, of in captures
        if of.split is None and each.first_ns is not None and each.last_ns is not None
    }
    return SplitReport(extents, refused)


def _leave(task: SplitWrite, owner: int, read: SplitResult) -> None:
    """Write the boundary states of a split for one partition."""
    place = _boundaries(task.folder, owner, task.source)
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_name(f"_{place.name}.{uuid4().hex}")
    fresh.write_bytes(zlib.compress(pickle.dumps(read, protocol=5)))
    fresh.replace(place)


def _boundaries(folder: str, owner: int, source: int) -> Path:
    return Path(folder) / BOUNDARIES / str(owner) / str(source)


def put_together(task: PartitionWrite) -> int:
    """Join the splits for one partition, stage rows that they lack, and write the verdicts.

    Returns the number of splits that were read again.
    """
    spare()
    job = task.job
    stitcher = SplitMerger(Checkpoint, job.share, job.shares, **job.known.options())
    if job.resumes:
        restored(Path(job.resumes).read_bytes(), stitcher)
    base = len(stitcher.captures)
    staged = StagedTables(task.folder, task.source)
    try:
        reads_all = not task.time_slices
        stitcher.captures.extend(_sources(job, base) if reads_all else named(job, base))
        tables = TableWriter(task.tables, job, stitcher.dissector, staged)
        if reads_all:
            captures = stitcher.captures[base:]
            rows = stitcher.read_through(
                [each for each in captures if not isinstance(each, FinishedCapture)]
            )
            for row in rows:
                tables.add([row], DONE)
        for at, (source, time_slice) in enumerate(task.time_slices):
            place = _boundaries(task.folder, task.source, source)
            if place.exists():  # else the split has no packets
                read: SplitResult = pickle.loads(zlib.decompress(place.read_bytes()))  # noqa: S301 - made above
                for row in stitcher.join(at, time_slice, read):
                    tables.add([row], DONE)
        if job.saves is not None:
            tables.add(stitcher.let_old_go(), DONE)
        tables.flush(DONE)
        leave(job, stitcher)
        for row in stitcher.finish(job.ending):
            tables.add([row], OPEN)
        tables.flush(OPEN)
        staged.finish()
        _write_verdicts(task, stitcher)
    finally:
        staged.drop()
    return stitcher.read_again


def _write_verdicts(task: PartitionWrite, stitcher: SplitMerger) -> None:
    """Write the verdicts on all sources that the partition knows, itself included."""
    seen: dict[tuple[str, ...], int] = {}
    names = []
    for flow in stitcher.tracker.flows:
        pair = tuple(sorted(flow.addresses))
        ordinal = seen[pair] = seen.get(pair, 0) + 1
        names.append((*pair, ordinal))
    site = task.job.site
    rows = [(task.source, number, site, *name, 0, 0, False) for number, name in enumerate(names)]
    rows += [
        (task.time_slices[each.time_slice][0], each.number, site, *names[each.flow], *each.shifts,
         each.swapped)
        for each in stitcher.verdicts
    ]  # fmt: skip
    columns = zip(*rows, strict=True) if rows else ([] for _ in VERDICT_SCHEMA)
    arrays = [
        pa.array(list(column), each.type)
        for column, each in zip(columns, VERDICT_SCHEMA, strict=True)
    ]
    place = Path(task.folder) / VERDICTS / f"{task.source}.parquet"
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_name(f"_{place.name}.{uuid4().hex}")
    parquet.write_table(pa.Table.from_arrays(arrays, schema=VERDICT_SCHEMA), fresh)
    fresh.replace(place)


def settle(task: RowSource) -> int:
    """Write the tables of a source with its final rows; return the number of files."""
    numbers = _numbers(task)
    folder = ParquetFolder(task.name, task.folder)
    try:
        for part in (DONE, OPEN):
            for path in sorted((Path(task.folder) / STAGED / str(task.source) / part).glob("*")):
                with pa.ipc.open_file(path) as file:
                    for at in range(file.num_record_batches):
                        batch = numbers.settled(file.get_batch(at))
                        if task.site is not None:
                            site = pa.array([task.site] * len(batch), pa.string())
                            batch = batch.append_column("site", site)
                        if len(batch):
                            folder.write(path.stem, batch, part)
        return folder.finish()
    finally:
        folder.drop()


class _Numbers:
    """Final numbers of the connections of a source."""

    def __init__(self, table: pa.Table) -> None:
        order = table.sort_by("number")
        self.number = order["number"].combine_chunks()
        self.flow = order["flow"].combine_chunks()
        self.shifts = [order[name].combine_chunks() for name in ("shift_0", "shift_1")]
        self.swapped = order["swapped"].combine_chunks()

    def settled(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the final rows of a batch, with the numbers and offsets of their connections."""
        at = pc.index_in(batch["flow"], value_set=self.number)
        holds = pc.is_valid(at)
        if not pc.all(holds).as_py():
            batch, at = batch.filter(holds), at.filter(holds)
        other = pc.greater_equal(batch["offset"], ORIGINS[1])
        shift = pc.if_else(other, self.shifts[1].take(at), self.shifts[0].take(at))
        changed = {"flow": self.flow.take(at), "offset": pc.add(batch["offset"], shift)}
        if "side" in batch.schema.names:
            swapped = self.swapped.take(at)
            turned = pc.subtract(pa.scalar(1, pa.int8()), batch["side"])
            changed["side"] = pc.if_else(swapped, turned, batch["side"])
        arrays = [
            changed[each.name].cast(each.type) if each.name in changed else batch[each.name]
            for each in batch.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=batch.schema)


def _numbers(task: RowSource) -> _Numbers:
    place = Path(task.folder) / NUMBERS / f"source={task.source}"
    schema = pa.schema(
        [("number", pa.int64()), ("flow", pa.int64()), ("shift_0", pa.int64()),
         ("shift_1", pa.int64()), ("swapped", pa.bool_())]
    )  # fmt: skip
    found = [parquet.ParquetFile(path).read(schema.names) for path in place.glob("*.parquet")]
    return _Numbers(pa.concat_tables([schema.empty_table(), *found]))


def named(job: ReadTask, first: int) -> list[Capture]:
    """Return placeholders for the captures of a task."""
    return [FinishedCapture(name, first + at) for at, name in enumerate(job.names)]


def _sources(job: ReadTask, first: int) -> list[Capture]:
    """Return the captures of a task, opened; placeholders for those that cannot be."""
    out: list[Capture] = []
    for at, name in enumerate(job.names, first):
        try:
            out.append(narrowed(opened(name, at), job.within))
        except CaptureError:
            out.append(FinishedCapture(name, at))
    return out


def _open(
    time_slice: TimeSlice, within: DomainFilter | DomainPackets | None
) -> list[tuple[Capture, Range]]:
    """Return the captures of a split; the ordered pass reports those that cannot be read."""
    out = []
    for each in time_slice:
        with contextlib.suppress(CaptureError):
            out.append((narrowed(each.open(), within), each))
    return out


def _options(job: ReadTask) -> dict[str, Any]:
    options = job.known.options()
    del options["keylog"]
    return options


class TableWriter:
    """Writer of rows into the tables of a task."""

    def __init__(
        self, tables: Sequence[str], job: ReadTask, dissector: Dissector, staged: StagedTables
    ) -> None:
        self._staged = staged
        self._fillers: dict[str, Any] = {}
        known = job.known
        self._where = row_filter(known.where, known.paths) if known.where else None
        decoders = commands(dissector)
        for table in tables:
            schema = schema_of(table, known)
            if table == FRAMES:
                names = [each for each in schema.names if each in job.columns]
                chosen = pa.schema([schema.field(each) for each in names])
                self._fillers[ROWS] = RowFiller(chosen, dissector, known.kept)
            elif table == MESSAGES:
                self._fillers[table] = MessageFiller(schema, dissector, known.kept)
            elif table in decoders:
                filler = CommandFiller(schema, dissector, decoders[table], known.kept)
                self._fillers[table] = DatedTable(filler)
        self._by_command = {
            name: each for name, each in self._fillers.items() if isinstance(each, DatedTable)
        }
        self._others = [
            each for name, each in self._fillers.items() if name not in self._by_command
        ]
        self._count = 0

    def add(self, rows: Iterable[Row], part: str) -> None:
        """Add rows."""
        by_command, others = self._by_command, self._others
        for row in rows if self._where is None else filter(self._where, rows):
            self._count += 1
            for each in others:
                each.add(row)
            if by_command and isinstance(row, FrameRow) and row.decoder is not None:
                found = by_command.get(row.decoder.tree.prefix)
                if found is not None:
                    found.add(row)
            if self._count >= BATCH:
                self.flush(part)

    def flush(self, part: str) -> None:
        """Stage the rows that were added."""
        self._count = 0
        for table, filler in self._fillers.items():
            if len(filler):
                self._staged.write(table, filler.batch(), part)


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
