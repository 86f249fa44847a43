"""What a task writes by itself: the tables of one share as Parquet, by date and protocol.

Files are made in a folder of the attempt, and moved to their places, under names that depend on
the job alone, when all of them are whole. So a task that is killed leaves nothing, and one that
runs twice, or beside itself, leaves the same files once.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from streamshark.frames.frame import FrameRow, Row
from streamshark.spark.reading import Job, Reading, leave, schema_of
from streamshark.spark.tables import (
    BATCH,
    FRAMES,
    MESSAGES,
    CommandFiller,
    MessageFiller,
    RowFiller,
    commands,
)

ROWS = "_rows"
"""The table of frames before it has what only a reading of everything tells."""
OPEN = "open"
"""Folder of what the end of the captures has told, which later captures may tell otherwise."""
DONE = "done"
MOST_WRITERS = 64
"""Files that a task has open at a time."""


@dataclass(frozen=True)
class Share:
    """What a task is to write."""

    job: Job
    tables: tuple[str, ...]
    folder: str
    """Where tables are gathered before they are shown to anybody."""

    @property
    def name(self) -> str:
        """What tells its files from those of others."""
        return f"{self.job.site or 'all'}-{self.job.share:03}"


class Folder:
    """Parquet files of one attempt: table, part (`open` or `done`), date, protocol."""

    def __init__(self, share: Share) -> None:
        self.share = share
        self.root = Path(share.folder)
        self.attempt = self.root / f"_attempt-{share.name}-{uuid4().hex}"
        self._writers: dict[Path, parquet.ParquetWriter] = {}
        self._parts: dict[Path, int] = {}

    def write(self, table: str, batch: pa.RecordBatch, part: str) -> None:
        """Rows of a table."""
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
            path = self.attempt / place / f"{self.share.name}-{number:04}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = self._writers[place] = parquet.ParquetWriter(
                path, batch.schema, compression="zstd"
            )
        writer.write_batch(batch)

    def finish(self) -> int:
        """Move everything to its place; gives the number of files."""
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
        """Remove what was not moved."""
        shutil.rmtree(self.attempt, ignore_errors=True)


def write(share: Share) -> tuple[int, int]:
    """Read a share and write its tables; gives how many rows and files."""
    reading = Reading(share.job)
    folder = Folder(share)
    try:
        fillers = _fillers(share, reading)
        rows = _gather(reading.rows(), fillers, folder, DONE)
        leave(share.job, reading.session)
        rows += _gather(reading.rest(share.job.ending), fillers, folder, OPEN)
        return rows, folder.finish()
    finally:
        folder.drop()


def _fillers(share: Share, reading: Reading) -> dict[str, Any]:
    """What gathers the rows of each table."""
    known, session = share.job.known, reading.session
    out: dict[str, Any] = {}
    decoders = commands(session)
    for table in share.tables:
        schema = schema_of(table, known)
        if table == FRAMES:
            names = [each for each in schema.names if each in share.job.columns]
            chosen = pa.schema([schema.field(each) for each in names])
            out[ROWS] = RowFiller(chosen, session, known.kept)
        elif table == MESSAGES:
            out[table] = MessageFiller(schema, session, known.kept)
        elif table in decoders:
            out[table] = Dated(CommandFiller(schema, session, decoders[table], known.kept))
    return out


class Dated:
    """The table of a command with what its rows are parted by."""

    def __init__(self, filler: CommandFiller) -> None:
        self._filler = filler
        self._times: list[int] = []
        self._protocols: list[str] = []

    def __len__(self) -> int:
        return len(self._filler)

    def add(self, row: FrameRow) -> None:
        """One more row."""
        before = len(self._filler)
        self._filler.add(row)
        if len(self._filler) > before:
            self._times.append(row.time_ns // 1000)
            self._protocols.append(row.connection.wire.id)

    def batch(self) -> pa.RecordBatch:
        """The rows since the last batch."""
        batch = self._filler.batch()
        times = pa.array(self._times, pa.timestamp("us", tz="UTC"))
        batch = batch.append_column("time", times)
        batch = batch.append_column("protocol", pa.array(self._protocols, pa.string()))
        self._times, self._protocols = [], []
        return batch


def _gather(rows: Iterator[Row], fillers: dict[str, Any], folder: Folder, part: str) -> int:
    count = 0
    by_command = {name: each for name, each in fillers.items() if isinstance(each, Dated)}
    others = [each for name, each in fillers.items() if name not in by_command]
    for row in rows:
        count += 1
        for each in others:
            each.add(row)
        if by_command and isinstance(row, FrameRow) and row.decoder is not None:
            found = by_command.get(row.decoder.tree.prefix)
            if found is not None:
                found.add(row)
        if count % BATCH == 0:
            _flush(fillers, folder, part)
    _flush(fillers, folder, part)
    return count


def _flush(fillers: dict[str, Any], folder: Folder, part: str) -> None:
    for table, filler in fillers.items():
        if len(filler):
            folder.write(table, filler.batch(), part)
