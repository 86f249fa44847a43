"""Read task: one task reads captures, or a partition of their connections, into a table.

A `ReadTask` describes it; it is made where the query is planned, and sent to the task. A file that
cannot be read is a row of `bad_inputs`, and fails nothing else.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from streamshark import table_cache
from streamshark.capture import CaptureError
from streamshark.capture.packet import PacketBatch
from streamshark.dissection.row import Row
from streamshark.dissector import Dissector
from streamshark.errors import StreamsharkError
from streamshark.flows.ip import TcpHeader, endpoints, find_tcp
from streamshark.flows.link_layer import UnsupportedLinkType
from streamshark.protocols.catalog import carriers, catalog, formats
from streamshark.retirement import RetiredConnection
from streamshark.session import Session
from streamshark.spark.domains import DomainFilter, narrowed
from streamshark.spark.ring_buffer import missing
from streamshark.spark.table_fillers import (
    BATCH,
    CommandFiller,
    Filler,
    KeptValues,
    MessageFiller,
    RowFiller,
    TrackedFlow,
    bad_filler,
    conversation_filler,
    finding_filler,
    flow_filler,
    followed,
    in_batches,
)
from streamshark.spark.tables import (
    BAD_INPUTS,
    CONVERSATIONS,
    FILES,
    FINDINGS,
    FLOWS,
    FRAMES,
    MESSAGES,
    NUMBERED,
    PACKETS,
    SCHEMAS,
    command_schemas,
    commands,
    frames,
)
from streamshark.splits.input_splits import Split
from streamshark.splits.inputs import UnreadableInput, inputs, opened
from streamshark.splits.partition import PartitionReader

if TYPE_CHECKING:
    from streamshark.analysis import Analysis

_SELDOM = (50_000, 20, 50)
"""Thresholds of Python's garbage collection in tasks."""
LATE = "begins before the end of files that an earlier run has read"


@dataclass(frozen=True)
class ReadOptions:
    """Options of a reading, those of the command `read` too."""

    paths: tuple[str, ...] = ()
    """Folders with more protocols."""
    decode_as: Mapping[int, str] = field(default_factory=dict)
    dialects: Mapping[str, str] = field(default_factory=dict)
    keylog: str | None = None
    kept: KeptValues = field(default_factory=KeptValues)
    where: str = ""
    """Display filter of the rows of `frames`, of messages and of commands; empty for all rows."""

    def options(self, *, judges: bool = False) -> dict[str, Any]:
        """Return the options of a session; `judges` if rules check bodies."""
        return {
            "protocols": catalog(self.paths),
            "carriers": carriers(self.paths),
            "formats": formats(self.paths) if judges or self.kept.bodies == "full" else (),
            "decode_as": self.decode_as,
            "dialects": self.dialects,
            "keylog": self.keylog,
            "puts_together": judges or self.kept.bodies == "full",
        }


@dataclass(frozen=True)
class ReadTask:
    """One task."""

    table: str
    columns: tuple[str, ...]
    """Requested columns of the table."""
    names: tuple[str, ...]
    """Names of the captures."""
    known: ReadOptions = field(default_factory=ReadOptions)
    site: str | None = None
    """Name of the domain, for tables with this column."""
    within: DomainFilter | None = None
    """Filter for its connections; None for all."""
    share: int = 0
    shares: int = 1
    split: Split | None = None
    """For `packets`, the part of the one file."""

    @property
    def label(self) -> str:
        """Domain in names of files."""
        return (self.site or "all").replace(":", "-")


def schema_of(table: str, known: ReadOptions, *, numbered: bool = False) -> pa.Schema:
    """Return the schema of a table; raise StreamsharkError for an unknown name."""
    if table == FRAMES:
        return frames(numbered=numbered)
    if table in SCHEMAS:
        return SCHEMAS[table]
    found = _command_schemas(known.paths, tuple(known.dialects.items()))
    if table not in found:
        tables = ", ".join([FRAMES, *SCHEMAS])
        raise StreamsharkError(f"unknown table {table!r} (known: {tables}, and one per command)")
    return found[table]


@lru_cache
def _command_schemas(
    paths: tuple[str, ...], dialects: tuple[tuple[str, str], ...]
) -> dict[str, pa.Schema]:
    session = Session((), **ReadOptions(paths, dialects=dict(dialects)).options())
    return command_schemas(session.dissector)


def command_tables(known: ReadOptions) -> tuple[str, ...]:
    """Return the names of the tables of commands."""
    return tuple(_command_schemas(known.paths, tuple(known.dialects.items())))


def is_shared(table: str, columns: Sequence[str]) -> bool:
    """Return whether several tasks may each make a part of a table."""
    if table in (CONVERSATIONS, FINDINGS, FLOWS, BAD_INPUTS):
        return False
    return table != FRAMES or not set(columns) & set(NUMBERED)


def spare() -> None:
    """Spare tasks what slows them: collections of garbage, which rows make none of, compiling."""
    table_cache.use()
    if gc.get_threshold() != _SELDOM:  # freezing later would keep garbage of earlier tasks
        gc.freeze()
        gc.set_threshold(*_SELDOM)


def produce(job: ReadTask) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a task's table."""
    spare()
    whole = schema_of(job.table, job.known, numbered=True)
    schema = pa.schema([whole.field(name) for name in job.columns if name in whole.names])
    for batch in _PRODUCERS.get(job.table, _rows)(job, schema):
        if job.site is not None and "site" in job.columns:
            column = pa.array([job.site] * len(batch), pa.string())
            yield batch.append_column("site", column).select(list(job.columns))
        else:
            yield batch


# One task, one table


class Reading:
    """The captures of a task, being read."""

    def __init__(self, job: ReadTask, *, whole: bool = False) -> None:
        options = job.known.options(judges=whole)
        self.bad: list[UnreadableInput] = []
        self.session: Session | PartitionReader
        self._gone: list[TrackedFlow] = []
        """Flows that were retired since they were last returned."""
        self.analysis: Analysis | None = None
        if whole:
            self.session = Session((), **options)
            self.session.dissector.on_retired(self._retire)
            self.analysis = self.session.analysis(rules=True, conversations=True)
        else:
            self.session = PartitionReader((), job.share, job.shares, **options)
        for name in job.names:
            try:
                capture = opened(name, len(self.session.captures))
                self.session.captures.append(narrowed(capture, job.within))
            except CaptureError as error:
                self.bad.append(UnreadableInput(name, str(error).removeprefix(f"{name}: "), 0))
        self.fresh = frozenset(job.names)

    def rows(self) -> Iterator[Row]:
        """Yield the rows before the end of the captures."""
        rows = self.session.read()
        yield from rows if self.analysis is None else self.analysis.seen(rows)

    def rest(self) -> Iterator[Row]:
        """Yield the rows that the end of the captures completes."""
        try:
            if isinstance(self.session, PartitionReader):
                yield from self.session.finish()
            elif self.analysis is not None:
                yield from self.analysis.seen(self.session.finish())
                self.analysis.finish()
        except UnsupportedLinkType as error:
            self.bad += (UnreadableInput(name, str(error), 0) for name in sorted(self.fresh))

    def ended(self, table: str, *, is_last: bool = False) -> Iterable[Any]:
        """Return rows of a table that were completed since the last call; with `is_last` all."""
        match table:
            case "conversations" if self.analysis is not None:
                return self.analysis.ended()
            case "findings" if self.analysis is not None:
                return self.analysis.findings()
            case "flows":
                return self._flows(all_of_them=is_last)
        return self.failures() if is_last else ()

    def _retire(self, retired: RetiredConnection) -> None:
        self._gone.append(followed(retired.flow, retired.connection))

    def _flows(self, *, all_of_them: bool) -> Iterator[TrackedFlow]:
        """Return flows that were retired since the last call, or all others."""
        gone, self._gone = self._gone, []
        yield from gone
        if all_of_them:
            dissector = self.session.dissector
            flows, connections = dissector.tracker.flows, dissector.connections
            for number in flows.followed:
                yield followed(flows[number], connections.get(number))

    def failures(self) -> list[UnreadableInput]:
        """Return the files that could not be read, or not to their end."""
        fresh = [each for each in self.session.captures if each.name in self.fresh]
        damaged = [
            UnreadableInput(each.name, each.damage, each.packets) for each in fresh if each.damage
        ]
        known = (each.name for each in self.session.captures)
        return [*self.bad, *damaged, *missing(self.fresh, known)]


def _rows(job: ReadTask, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield `frames`, `messages`, or the table of a command."""
    reading = Reading(job, whole=not is_shared(job.table, job.columns))
    filler = _filler(job, schema, reading.session.dissector)
    yield from in_batches(filler, reading.rows())
    yield from in_batches(filler, reading.rest())


def _filler(job: ReadTask, schema: pa.Schema, dissector: Dissector) -> Any:  # noqa: ANN401 - of some kind
    if job.table == FRAMES:
        return RowFiller(schema, dissector, job.known.kept)
    if job.table == MESSAGES:
        return MessageFiller(schema, dissector, job.known.kept)
    return CommandFiller(schema, dissector, commands(dissector)[job.table], job.known.kept)


def _ordered(job: ReadTask, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield `conversations`, `findings`, `flows` or `bad_inputs`."""
    reading = Reading(job, whole=True)
    filler = _ordered_filler(job.table, schema, reading.session.dissector)
    for rows in (reading.rows(), reading.rest()):
        for at, _ in enumerate(rows):
            if at % BATCH == 0:
                yield from in_batches(filler, reading.ended(job.table))
    yield from in_batches(filler, reading.ended(job.table, is_last=True))


def _ordered_filler(table: str, schema: pa.Schema, dissector: Dissector) -> Filler:
    if table == CONVERSATIONS:
        return conversation_filler(schema)
    if table == FINDINGS:
        return finding_filler(schema, dissector)
    return flow_filler(schema) if table == FLOWS else bad_filler(schema)


# Packets


def _packets(job: ReadTask, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield `packets`: of one file, or of a part of it."""
    name = job.names[0]
    try:
        capture = job.split.open(name) if job.split else opened(name, 0)
    except CaptureError:
        return
    limit = job.split.packets if job.split else None
    filler = Filler(schema, _packet_getters(name))
    for batch in capture.batches(limit=limit):
        needs = not set(schema.names) <= {"file", "packet", "time", "time_ns", "link", "captured",
                                          "length", "data"}  # fmt: skip
        yield from in_batches(filler, _each(batch, parse=needs))


def _each(batch: PacketBatch, *, parse: bool) -> Iterator[tuple[PacketBatch, int, Any]]:
    for at in range(len(batch)):
        found: Any = None
        if parse:
            found = find_tcp(batch.links[at], batch.data, batch.starts[at], batch.captured[at],
                             batch.original[at])  # fmt: skip
        yield batch, at, found if isinstance(found, TcpHeader) else None


def _packet_getters(name: str) -> dict[str, Any]:
    def tcp(start: int, size: int) -> Any:  # noqa: ANN401 - a getter
        def get(one: tuple[PacketBatch, int, TcpHeader | None]) -> int | None:
            found = one[2]
            if found is None:
                return None
            at = found.header + start
            return int.from_bytes(found.data[at : at + size], "big")

        return get

    def end(which: int) -> Any:  # noqa: ANN401 - a getter
        return lambda one: endpoints(one[2].key)[0][which] if one[2] else None

    def payload(one: tuple[PacketBatch, int, TcpHeader | None]) -> int | None:
        found = one[2]
        if found is None:
            return None
        return max(found.end - found.header - (found.data[found.header + 12] >> 4) * 4, 0)

    def data(one: tuple[PacketBatch, int, TcpHeader | None]) -> bytes:
        batch, at, _ = one
        return batch.data[batch.starts[at] : batch.starts[at] + batch.captured[at]]

    return {
        "file": lambda _: name,
        "packet": lambda one: one[0].first + one[1],
        "time": lambda one: one[0].times[one[1]] // 1000,
        "time_ns": lambda one: one[0].times[one[1]],
        "link": lambda one: one[0].links[one[1]],
        "captured": lambda one: one[0].captured[one[1]],
        "length": lambda one: one[0].original[one[1]],
        "src": end(0),
        "dst": end(1),
        "seq": tcp(4, 4),
        "ack": tcp(8, 4),
        "flags": tcp(13, 1),
        "window": tcp(14, 2),
        "payload": payload,
        "data": data,
    }


def _files(job: ReadTask, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield `files`: names, sizes and modification times."""
    found = [each for name in job.names for each in inputs([name])]
    getters = {
        "file": lambda one: one.name,
        "size": lambda one: one.size,
        "changed_ns": lambda one: one.changed_ns,
    }
    yield from in_batches(Filler(schema, getters), found)


_PRODUCERS = {
    FILES: _files,
    PACKETS: _packets,
    CONVERSATIONS: _ordered,
    FINDINGS: _ordered,
    FLOWS: _ordered,
    BAD_INPUTS: _ordered,
}
