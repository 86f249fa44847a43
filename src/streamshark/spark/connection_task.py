"""Tasks that read some connections: their rows as tables, and what they leave for the join.

Rows are staged by *source* (one such task) under numbers of that source alone; `number_task` writes
the final ones once the numbers of all sources are known. What only the end of the captures shows is
made by a second task, when the last row of all sources is known, and is read again by the next run.
"""

import pickle
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from streamshark.capture.capture import Secrets
from streamshark.checkpoint import FinishedCapture, SharedObjects, restored, saved
from streamshark.conversations.program import Program
from streamshark.conversations.split_code import number_objects_from
from streamshark.dissection.row import ATTEMPTED, ConnectionRecord, Row
from streamshark.findings.connection_records import CONVERSES, Left, RecordGroup
from streamshark.flows.ip import endpoints, key_between, reversed_key
from streamshark.flows.segment import Flow
from streamshark.flows.timers import Arrival
from streamshark.framing.splitter import At
from streamshark.framing.wire_format import WireFormat
from streamshark.judging import ConnectionJudge
from streamshark.retirement import RetiredConnection
from streamshark.spark.left_files import CARRIED, LeftWriter, carried_again
from streamshark.spark.numbering import FLOW, SourceNumbers, carried_rows, read_rows, write_rows
from streamshark.spark.output_folder import write_whole
from streamshark.spark.read_task import ReadTask, spare
from streamshark.spark.table_fillers import followed
from streamshark.spark.tables import CONVERSATIONS, FINDINGS, FRAMES
from streamshark.spark.write_task import DONE, KEPT, OPEN, RowTables, StagedTables, staged
from streamshark.splits.connection_reader import (
    COLUMNS,
    ConnectionReader,
    OtherPackets,
    ReadState,
)
from streamshark.splits.packet_buckets import PartFiles, group_packets
from streamshark.splits.packet_times import PacketClock, TimedPart
from streamshark.splits.partition import remembers, share_of
from streamshark.splits.shared_servers import Asked, Learned

POSITIONS, BEGUN = "positions", "begun"
"""Files of a source: what orders its rows, and the first packets of its connections."""
JOINT_KEYS = "joint"
"""File of a source: addresses and ports of connections that are read together."""
OF_CARRIED, OF_DONE, OF_OPEN = range(3)
"""Numbers of a source in records: those carried over, those found, and those of the end."""
_OBJECTS = 1 << 40
"""Most numbers of objects in one run."""


class GroupedPackets(NamedTuple):
    """The packets of a domain's new captures, by bucket of connections."""

    parts: tuple[PartFiles, ...] = ()
    times: tuple[TimedPart, ...] = ()
    epochs: Mapping[int, int] = MappingProxyType({})
    """Part to how often the clock was set back before it."""
    last: Arrival | None = None
    """The last packet; None without one."""
    epoch: int = 0
    """How often the clock was set back before it."""
    secrets: tuple[Secrets, ...] = ()
    """Keys of TLS in the captures."""
    drops: bool = False
    """Whether the captures say that packets were dropped."""

    @classmethod
    def read(cls, path: Path) -> "GroupedPackets":
        """Return what `write` has written."""
        members: dict[str, Any] = pickle.loads(path.read_bytes())  # noqa: S301 - our own
        return cls(**members)

    def write(self, path: Path) -> None:
        """Write it for tasks."""
        write_whole(path, pickle.dumps({**self._asdict(), "epochs": dict(self.epochs)}, 5))


@dataclass(frozen=True)
class ConnectionTask:
    """Some connections of a domain, to be read."""

    job: ReadTask
    """Options, with the names of all captures of the domain, earlier ones included."""
    tables: tuple[str, ...]
    folder: str
    """Staging folder of the run."""
    source: int
    buckets: frozenset[int]
    """Buckets of packets in which they are."""
    packets: Path
    """File with the `GroupedPackets`."""
    before: int
    """Frames that earlier runs have numbered."""
    flows_before: int
    """Connections that earlier runs have numbered."""
    serial: int
    """Number of the run."""
    together: tuple[tuple[Path, int], ...] | None = None
    """For connections that are read together: files with their addresses and ports, each with a
    digest of these; None for all connections of the buckets."""
    reads_joint: bool | None = None
    """Whether only connections are read that may depend on others, or only those that do not; None
    for all."""
    effort: float = 1
    """Part of the usual effort for message bodies."""
    joins: bool = False
    """Whether connections whose protocol may carry what others answer depend on each other."""
    given: tuple[Learned, ...] = ()
    """What connections of other sources show of servers."""
    whole: bool = False
    """Whether it is the only source, so that it ends its connections itself."""
    earlier: str | None = None
    """Folder of what the last run kept of this source; None without one."""

    @property
    def place(self) -> Path:
        """Folder of the files of the source."""
        return Path(self.folder) / "_sources" / f"{self.source:05}"

    def positions(self) -> tuple[Path, Path]:
        """Return the files with what orders its rows: before the end of the captures, and of it."""
        return self.place / f"{POSITIONS}-{DONE}", self.place / f"{POSITIONS}-{OPEN}"

    def begun(self) -> list[tuple[int, int]]:
        """Return the first packet of each connection that has begun, once they were read."""
        found: list[tuple[int, int]] = pickle.loads((self.place / BEGUN).read_bytes())  # noqa: S301 - our own
        return found

    @cached_property
    def wanted(self) -> frozenset[bytes] | None:
        """Addresses and ports of connections that are read together; None for all."""
        if self.together is None:
            return None
        files = (pickle.loads(path.read_bytes()) for path, _ in self.together)  # noqa: S301 - our own
        return frozenset(chain.from_iterable(files))

    def open(self, directions: Iterable[bytes]) -> frozenset[int]:
        """Return the buckets of connections, given addresses and ports."""
        return frozenset(share_of(endpoints(key)[0], self.job.shares) for key in directions)

    def wants(self, key: bytes) -> bool:
        """Return whether packets with these addresses and ports are read."""
        if self.wanted is not None:
            return key in self.wanted
        return share_of(endpoints(key)[0], self.job.shares) in self.buckets


class ConnectionReport(NamedTuple):
    """Facts about connections that were read, for the driver."""

    end: ReadState
    last_ns: int
    """Time in ns of the last row that the end of the captures completes."""
    rows: int
    frames: int
    flows: int
    """Number of connections that have begun."""
    joint: frozenset[int]
    """Buckets of connections that may depend on others, and were not read."""
    joint_digest: int
    """Digest of their addresses and ports."""
    servers: frozenset[str]
    """Endpoints at which a connection was recognised."""
    learned: tuple[Learned, ...]
    """What the connections have shown of servers."""
    asked: tuple[Asked, ...]
    """What would have been of use to know of servers."""
    facts: int
    """Bytes of the facts that the connections leave."""
    may_join: bool
    """Whether there are connections whose protocol may carry what others answer."""
    shares: bool
    """Whether some of them do."""
    open: frozenset[int]
    """Buckets with connections that later captures may continue."""


@dataclass(frozen=True)
class EndTask:
    """Connections that were read, to be ended."""

    task: ConnectionTask
    at: At
    """Last row of all sources."""
    end_ns: int
    """Time in ns of the last row, those that the end completes included."""
    rows: int
    """Rows of the source so far."""


def read_connections(task: ConnectionTask) -> ConnectionReport:
    """Read the packets of some connections, stage their rows, and save their state."""
    spare()
    number_objects_from(2 * task.serial * _OBJECTS)
    work = _Work(task, DONE)
    reader = work.reader
    try:
        work.resume(task.earlier)
        given = work.packets
        packets = group_packets(
            given.parts, task.buckets, None if task.wanted is None else task.wants
        )
        for read in reader.read(packets, given.epochs, given.last, given.epoch):
            work.add(read)
        end = reader.at_end()
        rows = reader.count
        frames = int(sum(reader.positions.columns[-1]))
        work.finish()
        work.join_undecided()
        known = frozenset(reader.tracker.directions)
        shares, is_open = work.shares, task.open(known)
        flows = [*reader.others.begun]
        joint = work.joint if task.wanted is None else task.wanted & known
        write_whole(task.place / JOINT_KEYS, pickle.dumps(sorted(joint)))
        write_whole(task.place / BEGUN, pickle.dumps([tuple(each) for each in flows]))
        news = tuple(reader.dissector.news.learned), tuple(reader.dissector.news.asked)
        work.save(task.place / "state")
        if task.whole:
            work.begin_end(rows)
            work.end(end.end, None)
            last_ns = work.judge.engine.now
        else:
            last_ns = reader.last_ns()
        return ConnectionReport(
            end, last_ns, rows, frames, len(flows), task.open(work.joint),
            _digest(work.joint),
            frozenset(reader.dissector.servers), *news, work.facts, work.may_join, shares,
            is_open,
        )  # fmt: skip
    finally:
        work.drop()


def _digest(keys: Iterable[bytes]) -> int:
    """Return a digest of a set of addresses and ports."""
    return int.from_bytes(blake2b(b"".join(sorted(keys)), digest_size=8).digest(), "little")


def end_connections(task: EndTask) -> int:
    """Stage the rows that the end of the captures completes; return their number."""
    spare()
    given = task.task
    number_objects_from((2 * given.serial + 1) * _OBJECTS)
    work = _Work(given, OPEN)
    try:
        work.restore((given.place / "state").read_bytes(), {})
        work.begin_end(task.rows)
        work.end(task.at, task.end_ns)
        return len(work.reader.positions)
    finally:
        work.drop()


class _Work:
    """The reading and judging of one source, and the tables of its rows."""

    def __init__(self, task: ConnectionTask, part: str) -> None:
        self.task, self.part = task, part
        self.joint: set[bytes] = set()
        self.may_join = False
        """Whether there are connections whose protocol may carry what others answer."""
        self._joint: dict[WireFormat, bool] = {}
        self.packets = GroupedPackets.read(task.packets)
        others = OtherPackets(PacketClock(self.packets.times), task.wants)
        options = task.job.known.options(judges=True)
        self.reader = ConnectionReader(
            options, others, before=task.before, flows_before=task.flows_before,
            follows=None if task.reads_joint is None else self._follows, given=task.given,
        )  # fmt: skip
        names = task.job.names
        self.reader.captures.extend(
            _NamedCapture(name, at, () if at else self.packets.secrets)
            for at, name in enumerate(names)
        )
        self.judge = ConnectionJudge(
            self.reader,
            conversations=bool({FRAMES, CONVERSATIONS} & set(task.tables)),
            rules=FINDINGS in task.tables,
            effort=task.effort,
        )
        self.reader.dissector.on_retired(self._retire)
        self.staged = StagedTables(staged(task.folder, task.source, part))
        self.tables = RowTables(task.tables, task.job, self.reader.dissector, self.staged)
        self._left = self._writer(OF_DONE if part == DONE else OF_OPEN)
        self.facts = 0
        """Bytes of the facts so far."""
        self._epoch = 0
        """How often the clock was set back before the last row."""
        self._since = 0
        """Rows that the judge had seen before."""
        self._before = 0
        """Rows that were carried over from the last run."""

    def add(self, rows: Iterable[Row]) -> None:
        """Judge rows between which no packets are read, and add them to the tables."""
        if self.reader.epoch != self._epoch:
            self._flush()
            self._epoch = self.reader.epoch
        before = self.reader.count
        self.judge.feed(rows, self._write if self.tables.has_rows else None)
        self.tables.count(self.reader.count - before)
        if self.tables.is_full:
            self._flush()

    def _write(self, row: Row) -> None:
        """Add a row to the tables."""
        self.tables.add(row, self.reader.count - 1)

    def begin_end(self, rows: int) -> None:
        """Begin what the end of the captures completes, after so many rows."""
        if self.part == DONE:
            place = staged(self.task.folder, self.task.source, OPEN)
            self.part, self.staged = OPEN, StagedTables(place)
            self.tables.place = self.staged
            before, self._left = self._left, self._writer(OF_OPEN)
            self._left.follow(before)
        self._before = rows
        self.reader.begin_end(rows)
        self._since = self.judge.judge.state()["count"]

    def end(self, at: At, end_ns: int | None) -> None:
        """Add the rows that the end completes; `at` is the last row of all sources before it."""
        self.add(self.reader.finish(at))
        if self.packets.drops:
            self.judge.engine.lose_ends()
        self.judge.finish(end_ns)
        self.end_flows()
        self.finish()

    def finish(self) -> None:
        """Write the last rows, and what the join needs."""
        self._flush()
        place = self.task.place
        columns = [np.frombuffer(each, np.int64) for each in self.reader.positions.columns]
        found = (
            np.stack(columns) if len(self.reader.positions) else np.zeros((len(COLUMNS), 0), int)
        )
        write_rows(place / f"{POSITIONS}-{self.part}", found)
        self._left.finish()
        self.facts += self._left.size
        self.staged.finish()

    def drop(self) -> None:
        """Remove files that were not moved."""
        self.staged.drop()
        self._left.drop()

    def _writer(self, kind: int) -> LeftWriter:
        """Return the writer of what the connections leave."""
        task = self.task
        return LeftWriter(task.place, self.part, task.source, kind)

    # State

    def save(self, path: Path) -> None:
        """Save the state of the connections."""
        write_whole(path, saved(self.reader, self.judge, self._named()))

    def restore(self, state: bytes, replaced: Mapping[str, Any]) -> None:
        """Continue from a state."""
        captures = list(self.reader.captures)
        restored(state, self.reader, self.judge, self._named(), replaced)
        self.reader.captures[:] = captures
        self.reader.number_flows(self.task.flows_before)
        self._since = self.judge.judge.state()["count"]
        self._epoch = self.reader.epoch
        self._left.met.update(self.judge.judge.met)

    def resume(self, earlier: str | None) -> None:
        """Continue from what the last run kept, with the rows that it could not number finally."""
        if earlier is None:
            return
        folder = Path(earlier)
        numbering = SourceNumbers.read(folder / "numbering")
        again = numbering.again(self.task.before)
        self.restore((folder / "state").read_bytes(), again.replaced())
        again.remap_closed(self.judge.engine)
        positions = read_rows(folder / f"{POSITIONS}-{DONE}")[:, numbering.start :]
        for column, values in zip(self.reader.positions.columns, positions, strict=True):
            column.frombytes(values.astype(np.int64).tobytes())
        flows = self.reader.positions.columns[FLOW]
        self.reader.positions.columns[FLOW] = array("q", map(again.flow, flows))
        self._before = len(self.reader.positions)
        for path in sorted((folder / KEPT).glob("*.arrow")):
            for batch in carried_rows(path, again):
                self.staged.write(path.stem, batch)
        left = (folder / CARRIED).read_bytes()
        self._left.carry(carried_again(left, self.task.source, again.frame, again.flow))

    def _named(self) -> SharedObjects:
        named = SharedObjects(self.reader.dissector, judged=True)
        named.add("others", self.reader.others)
        return named

    @property
    def shares(self) -> bool:
        """Whether connections of this source must be read or judged together with others."""
        if any(self.reader.dissector.shared.memory.values()):
            return True
        return any(map(self._is_joint, self.judge.engine.spoken))

    # Rows

    def _follows(self, connection: ConnectionRecord) -> bool:
        """Return whether a connection is read here; note those that are read with others."""
        if self._depends(connection) == self.task.reads_joint:
            return True
        self.reader.left_out.add(connection.flow.number)
        if not self.task.reads_joint:
            self._join(connection.flow)
        return False

    def join_undecided(self) -> None:
        """Note connections whose protocol is not known yet, to be read with others as well.

        If later captures show that they depend on others, their first bytes are needed there.
        """
        if self.task.reads_joint is False:
            for number in self.reader.dissector.undecided:
                self._join(self.reader.tracker.flows[number])

    def _join(self, flow: Flow) -> None:
        """Note that a connection is read with others."""
        key = key_between(*flow.addresses)
        self.joint |= {key, reversed_key(key)}

    def _depends(self, connection: ConnectionRecord) -> bool:
        """Return whether the rows of a connection may depend on other connections."""
        if connection.reason == ATTEMPTED:  # it has no frames
            return False
        wire = connection.wire
        resumption = wire.resumption
        if resumption is not None:  # before its first frame, it is not known what it agrees
            agreed = connection.agreed
            return not agreed or isinstance(agreed.get(resumption.name), bytes)
        found = self._joint.get(wire)
        if found is None:
            found = self._joint[wire] = any(self._joint_protocols(wire)) or remembers(connection)
        self.may_join |= found
        return found and self.task.joins

    def _joint_protocols(self, wire: WireFormat) -> Iterator[bool]:
        """Yield whether connections are judged together, for each protocol that a wire carries."""
        engine = self.judge.engine
        for protocol, tables in engine.tables.items():
            slots = {each.partition(".")[0] for each in tables.embedded_slots}
            if protocol == wire.id or wire.short in slots:
                yield self._is_joint(protocol)

    def _is_joint(self, protocol: str) -> bool:
        """Return whether connections with rows of a protocol are judged together."""
        engine = self.judge.engine  # where a program is made for the first row of its protocol
        program = engine.programs.get(protocol) or Program(engine.tables[protocol], engine)
        return program.chosen.dependence.is_joint

    def _retire(self, retired: RetiredConnection) -> None:
        number = retired.flow.number
        if self._has(number, retired.connection):
            self.tables.add_flow(followed(retired.flow, retired.connection), self.reader.count)
        self.reader.left_out.discard(number)

    def _has(self, number: int, connection: ConnectionRecord | None) -> bool:
        """Return whether the row of a connection in `flows` is this source's."""
        if self.task.reads_joint:
            return connection is not None
        return number not in self.reader.left_out

    def end_flows(self) -> None:
        """Add the connections that are followed until the end."""
        dissector = self.reader.dissector
        flows, connections = dissector.tracker.flows, dissector.connections
        for number in flows.followed:
            if self._has(number, connections.get(number)):
                self.tables.add_flow(
                    followed(flows[number], connections.get(number)), self.reader.count
                )

    def _flush(self) -> None:
        """Stage the rows so far, and write what the connections have left."""
        left = self.judge.take()
        kept = []
        index = self.reader.count
        for group in reversed(left.groups):
            if len(group.at) == _OF_ROW:
                index = self._before + group.at[-1] - self._since - 1
            rest = self._without_calls(group, index)
            if rest.records:
                kept.append(rest)
        kept.reverse()
        if kept or left.texts:
            self._left.add(self._epoch, Left(kept, left.texts))
        self.tables.stage()

    def _without_calls(self, group: RecordGroup, index: int) -> RecordGroup:
        """Return a group without conversations of calls, which are linked to no others."""
        if not any(map(_is_call, group.records)):
            return group
        for each in filter(_is_call, group.records):
            self.tables.add_call(each[4], index)
        return group._replace(records=[each for each in group.records if not _is_call(each)])


def _is_call(record: tuple[Any, ...]) -> bool:
    """Return whether a record is a conversation that is linked to no others."""
    return record[0] == CONVERSES and record[3] is None


_OF_ROW = 6
"""Members of the position of what happens on a row."""


class _NamedCapture(FinishedCapture):
    """A capture whose packets come from elsewhere, with its keys of TLS."""

    def __init__(self, name: str, file: int, secrets: Iterable[Secrets]) -> None:
        super().__init__(name, file)
        self.secrets = list(secrets)
