"""Numbers of the frames and connections of all sources: those of one reading in order of time.

Sources number their rows by themselves. Connections are numbered by their first packets, frames by
the order of all rows, which tasks find for parts of the time, so that no task has all rows.
"""

import io
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streamshark.conversations.engine import Engine
from streamshark.findings.frame_places import REMEMBERED
from streamshark.spark.output_folder import write_whole
from streamshark.spark.tables import CONVERSATIONS, FLOWS, FRAMES
from streamshark.splits import local_numbers
from streamshark.splits.connection_reader import COLUMNS
from streamshark.splits.local_numbers import FrameNumber
from streamshark.views.json import encoded

Numbers = NDArray[np.int64]
EPOCH, TIME, FILE, PACKET, FLOW, OFFSET, IS_FRAME = range(len(COLUMNS))
FRAMES_SO_FAR = len(COLUMNS)
"""Column in files: number of frames so far in the file."""
ROW = "_row"
"""Column of staged tables: number of the row in its source."""
_BEFORE = "before"
"""In the result of `rank`: number of frames before; beside it are the numbers by source."""
_FRAGMENTS = '"fragments":'
AT_ONCE = 1 << 22
"""Rows that one task puts in order."""


@dataclass(frozen=True)
class SourceNumbers:
    """The numbers of one source's frames and connections in the whole reading.

    Rows from `start` on are numbered again by the next run, since rows of other sources may still
    come before them.
    """

    before: int
    """Frames that earlier runs have numbered."""
    ranks: Numbers
    """By row of the source: the number of the frame."""
    start: int
    flows_before: int
    """Connections that earlier runs have numbered."""
    flows: Numbers
    """By connection of the source: its number."""
    carried: bool = False
    """Whether numbers from `start` on are again those of a source."""

    @classmethod
    def read(cls, path: Path) -> "SourceNumbers":
        """Return what `write` has written."""
        found: SourceNumbers = pickle.loads(path.read_bytes())  # noqa: S301 - our own
        return replace(found, ranks=np.asarray(np.load(_beside(path), mmap_mode="r")))

    def write(self, path: Path) -> None:
        """Write it for other tasks, in two files."""
        write_array(_beside(path), self.ranks)
        write_whole(path, pickle.dumps(replace(self, ranks=self.ranks[:0].copy()), 5))

    @cached_property
    def _ranks(self) -> memoryview:
        """The ranks, of which single ones are quicker to take."""
        return self.ranks.data

    def frame(self, number: int) -> int:
        """Return the number of a frame, given that in the source."""
        at = number - self.before - 1
        if at < 0:
            return number
        found = self._ranks[at]
        return FrameNumber(found) if self.carried and at >= self.start else found

    def flow(self, number: int) -> int:
        """Return the number of a connection, given that in the source."""
        at = number - self.flows_before
        return number if at < 0 else int(self.flows[at])

    def again(self, before: int) -> "SourceNumbers":
        """Return what the next run makes of these numbers, after `before` final ones."""
        ranks = self.ranks.copy()
        ranks[self.start :] = np.arange(before + 1, before + 1 + len(ranks) - self.start)
        return SourceNumbers(
            self.before, ranks, self.start, self.flows_before, self.flows, carried=True
        )

    def replaced(self) -> dict[str, Callable[[int], int]]:
        """Return functions by the names of those that are called when numbers are unpickled."""
        module = local_numbers.__name__
        return {f"{module}.frame_number": self.frame, f"{module}.flow_number": self.flow}

    def remap_closed(self, engine: Engine) -> None:
        """Note under their final numbers which connections have ended."""
        ended = [self.flow(number) for number, over in enumerate(engine.closed) if over]
        engine.closed[:] = bytes(max(ended, default=-1) + 1)
        for number in ended:
            engine.closed[number] = True

    def renumbered(self, data: bytes) -> Any:  # noqa: ANN401 - what was pickled
        """Return what the source has pickled, with final numbers."""
        return local_numbers.renumbered(data, self.frame, self.flow)

    # Columns

    def table(self, name: str, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return rows of a staged table with final numbers."""
        columns = {each: batch[each] for each in batch.schema.names}
        if "flow" in columns:
            columns["flow"] = self._flows(columns["flow"])
        if name == FRAMES:
            for each in ("frame", "request_frame", "carrier"):
                if each in columns:
                    columns[each] = self._frames(columns[each])
            for each in ("conversation", "part_of"):
                if each in columns:
                    columns[each] = self._ids(columns[each])
            if "fields" in columns:
                columns["fields"] = self._fields(columns["fields"])
        elif name == CONVERSATIONS:
            self._conversations(columns)
        arrays = [
            columns[each.name].cast(each.type) if name != FLOWS else columns[each.name]
            for each in batch.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=batch.schema)

    def _conversations(self, columns: dict[str, pa.Array]) -> None:
        for each in ("first_frame", "last_frame"):
            columns[each] = self._frames(columns[each])
        for each in ("id", "parent"):
            columns[each] = self._ids(columns[each])
        flows, links = columns["flows"], columns["links"]
        columns["flows"] = pa.ListArray.from_arrays(flows.offsets, self._flows(flows.values))
        columns["links"] = pa.ListArray.from_arrays(links.offsets, self._ids(links.values))
        for name in ("request", "outcome"):
            turn = columns[name]
            parts = [turn.field(at) for at in range(turn.type.num_fields)]
            parts[0] = self._frames(parts[0])
            columns[name] = pa.StructArray.from_arrays(
                parts, fields=list(turn.type), mask=turn.is_null()
            )

    def _frames(self, column: pa.Array) -> pa.Array:
        return _mapped(column, self.before + 1, self.ranks)

    def _fields(self, column: pa.Array) -> pa.Array:
        """Return fields as JSON with the final numbers of the fragments that they name."""
        named = pc.match_substring(column, _FRAGMENTS)
        if not pc.any(named).as_py():
            return column
        texts: list[str] = column.to_pylist()
        for (at,) in np.argwhere(named.to_numpy(zero_copy_only=False)):
            fields = json.loads(texts[at])
            whole = fields.get("reassembled")
            if isinstance(whole, dict) and isinstance(whole.get("fragments"), list):
                whole["fragments"] = [self.frame(each) for each in whole["fragments"]]
                texts[at] = encoded(fields)
        return pa.array(texts, column.type)

    def _flows(self, column: pa.Array) -> pa.Array:
        return _mapped(column, self.flows_before, self.flows)

    def _ids(self, column: pa.Array) -> pa.Array:
        """Return ids of conversations with the final numbers of their connections."""
        known = column.dictionary_encode()
        values = known.dictionary
        if not len(values):
            return column
        parts = pc.split_pattern(values, "-", max_splits=1)
        flows = pc.list_element(parts, 0).cast(pa.int64())
        ids = pc.binary_join_element_wise(
            self._flows(flows).cast(pa.string()), pc.list_element(parts, 1), "-"
        )
        return ids.take(known.indices)


def _mapped(column: pa.Array, first: int, values: Numbers) -> pa.Array:
    """Return numbers, those from `first` on replaced by `values`."""
    if not len(values) or not len(column):
        return column
    found = pc.fill_null(column, 0).to_numpy(zero_copy_only=False).astype(np.int64)
    at = found - first
    is_local = at >= 0
    out = np.where(is_local, values[np.clip(at, 0, len(values) - 1)], found)
    return pa.array(out, mask=column.is_null().to_numpy(zero_copy_only=False))


def carried_rows(path: Path, again: SourceNumbers) -> Iterator[pa.RecordBatch]:
    """Yield staged rows that the last run has kept, with the numbers of this one."""
    with pa.ipc.open_file(path) as file:
        for at in range(file.num_record_batches):
            batch = again.table(path.stem, file.get_batch(at))
            rows = pc.subtract(batch[ROW], again.start)
            yield batch.set_column(batch.schema.get_field_index(ROW), ROW, rows)


# All sources


class SourceRows(NamedTuple):
    """What orders the rows of one source: files of columns, one after the other."""

    source: int
    paths: tuple[Path, ...]

    def between(self, bounds: "Bounds") -> tuple[Numbers, Numbers, int]:
        """Return the columns of some rows, their numbers, and how many frames come before them."""
        columns, rows, before, first = [], [], 0, 0
        for path in self.paths:
            found = np.load(path, mmap_mode="r")
            count = found.shape[1]
            start = 0 if bounds.since is None else _place(found, bounds.since)
            end = count if bounds.until is None else _place(found, bounds.until)
            before += int(found[FRAMES_SO_FAR, start - 1]) if start else 0
            columns.append(np.array(found[:FRAMES_SO_FAR, start:end]))
            rows.append(np.arange(first + start, first + end))
            first += count
        return np.concatenate(columns, 1), np.concatenate(rows), before


def write_rows(path: Path, columns: Numbers) -> None:
    """Write what orders the rows of one source, for `SourceRows`."""
    write_array(path, np.vstack([columns, np.cumsum(columns[IS_FRAME])[None]]))


def read_rows(path: Path) -> Numbers:
    """Return what `write_rows` has written."""
    found: Numbers = np.load(path)[:FRAMES_SO_FAR]
    return found


def _place(rows: Numbers, at: tuple[int, int]) -> int:
    """Return the number of rows before an epoch and time in ns."""
    epoch, time_ns = at
    begin, end = (int(np.searchsorted(rows[EPOCH], epoch, side)) for side in ("left", "right"))
    return begin + int(np.searchsorted(rows[TIME, begin:end], time_ns))


class Bounds(NamedTuple):
    """Rows from one epoch and time on, and before another; None without a limit."""

    since: tuple[int, int] | None
    until: tuple[int, int] | None


@dataclass(frozen=True)
class RankTask:
    """Rows of a part of the time, to be put in order."""

    sources: tuple[SourceRows, ...]
    flows: dict[int, tuple[int, Path]]
    """Source to the connections numbered before its own, and to the file with the numbers of
    these."""
    bounds: Bounds
    before: int
    """Frames that earlier runs have numbered."""
    place: Path
    """File for the result."""


def rank(task: RankTask) -> int:
    """Write, for each source, which rows are of this part of the time, and their numbers.

    Returns the number of frames. The file has the places of frames, too.
    """
    count = task.before
    chosen: list[tuple[int, Numbers, Numbers]] = []
    for source in task.sources:
        found, rows, earlier = source.between(task.bounds)
        count += earlier
        before, path = task.flows[source.source]
        numbers = np.load(path)
        found[FLOW] = _final(found[FLOW], before, numbers)
        chosen.append((source.source, rows, found))
    every = np.concatenate([each for _, _, each in chosen], 1)
    order = np.lexsort((every[OFFSET], every[FLOW], every[PACKET], every[FILE], every[TIME],
                        every[EPOCH]))  # fmt: skip
    is_frame = every[IS_FRAME][order]
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(is_frame) + count
    frames = order[is_frame == 1]
    places = every[[FILE, PACKET, TIME]][:, frames]
    places[2] = np.maximum.accumulate(places[2])  # sorted also where the clock was set back
    ranks: dict[str, Any] = {_BEFORE: np.array(count)}
    start = 0
    for number, rows, _ in chosen:
        ranks[str(number)] = np.stack([rows, numbers[start : start + len(rows)]])
        start += len(rows)
    write_array(_beside(task.place), places)
    data = io.BytesIO()
    np.savez(data, **ranks)
    write_whole(task.place, data.getvalue())
    return int(is_frame.sum())


def write_array(path: Path, values: NDArray[Any]) -> None:
    """Write an array to a file."""
    data = io.BytesIO()
    np.save(data, values)
    write_whole(path, data.getvalue())


def _beside(path: Path) -> Path:
    """Return the file with the large array beside another one."""
    return path.with_name(f"{path.name}.npy")


def _final(flows: Numbers, before: int, numbers: Numbers) -> Numbers:
    if not len(numbers):
        return flows
    at = flows - before
    return np.where(at >= 0, numbers[np.clip(at, 0, len(numbers) - 1)], flows)


def ranks_of(source: int, rows: int, paths: Sequence[Path]) -> Numbers:
    """Return the numbers of a source's rows from the results of `rank`."""
    out = np.zeros(rows, np.int64)
    for path in paths:
        with np.load(path) as ranks:
            at, numbers = ranks[str(source)]
        out[at] = numbers
    return out


def flow_numbers(begun: Sequence[list[tuple[int, int]]], before: int) -> list[Numbers]:
    """Return the numbers of the connections of sources, by their first packets.

    Connections that several sources have seen have one number.
    """
    every = sorted({each for found in begun for each in found})
    numbers = {each: before + at for at, each in enumerate(every)}
    return [np.array([numbers[each] for each in found], np.int64) for found in begun]


class FramePlacesOnDisk:
    """File and packet of frames by number: those of this run, and the last ones of earlier runs.

    As in one reading, the last `REMEMBERED` frames before the time at hand are known.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.earlier: dict[int, tuple[int, int]] = {}
        self.now_ns: int | None = None
        """Time in ns that one reading has reached; None at the end of the captures."""
        self._found: list[tuple[int, Any]] = []
        for path in paths:
            with np.load(path) as ranks:
                before = int(ranks[_BEFORE])
            self._found.append((before, np.load(_beside(path), mmap_mode="r")))

    def add(self, first: int, files: Sequence[int], packets: Sequence[int]) -> None:
        """Add frames that are numbered in sequence, with the file and packet of each."""
        places = zip(files, packets, strict=True)
        self.earlier.update(enumerate(places, first))

    def of(self, frame: int) -> tuple[int, int] | None:
        """Return file and packet of a frame; None if one reading would not know them any more."""
        if frame <= self._reached() - REMEMBERED:
            return None
        for before, places in self._found:
            at = frame - before - 1
            if 0 <= at < places.shape[1]:
                return int(places[0][at]), int(places[1][at])
        return self.earlier.get(frame)

    def _reached(self) -> int:
        """Return the number of the last frame that one reading has read by now."""
        reached = 0
        for before, places in self._found:
            count = places.shape[1]
            if self.now_ns is not None:
                count = int(np.searchsorted(places[2], self.now_ns, "right"))
            reached = before + count
            if count < places.shape[1]:
                break
        return reached

    def latest(self, most: int, until: int) -> dict[int, tuple[int, int]]:
        """Return the places of the last frames before number `until`, at most so many."""
        found = dict(self.earlier)
        for before, places in self._found:
            first = max(until - most - before - 1, 0)
            files, packets, _ = places[:, first : max(until - before - 1, first)].tolist()
            found.update(enumerate(zip(files, packets, strict=True), before + first + 1))
        return dict(list(found.items())[-most:])
