"""The task that joins what the connections of a domain have left: findings, linked conversations.

What connections leave is small: matches of rules and facts for objects that connections share. It
is evaluated in the order of all rows, with final numbers.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from streamshark.checkpoint import FinishedCapture, restored_join, saved_join
from streamshark.conversations.engine_state import END
from streamshark.findings.connection_records import AT, CONVERSES, Left, RecordGroup
from streamshark.findings.frame_places import REMEMBERED
from streamshark.findings.judge import Judge
from streamshark.framing.splitter import At
from streamshark.judging import joiner_of
from streamshark.spark.connection_task import LEFT, left_of
from streamshark.spark.numbering import FramePlacesOnDisk, SourceNumbers
from streamshark.spark.output_folder import write_whole
from streamshark.spark.read_task import ReadTask, spare
from streamshark.spark.tables import (
    CONVERSATIONS,
    FINDINGS,
    SCHEMAS,
    conversation_filler,
    finding_filler,
    in_batches,
)
from streamshark.spark.write_task import DONE, OPEN, ParquetFolder, with_site
from streamshark.splits.local_numbers import Replacing, renumbered
from streamshark.splits.partition import dissector_of

AT_ONCE = 1 << 14
"""Groups of records after which settled findings are written."""
Order = tuple[int, Any]
"""How often the clock was set back before, and a position."""


class LeftFiles(NamedTuple):
    """What the connections of a source have left."""

    source: int
    folder: Path
    numbering: Path
    """File with the numbers of its rows."""
    earlier: Path | None
    """Folder with what the last run has kept of it; None without one."""
    is_whole: bool
    """Whether one task has read it to the end."""


@dataclass(frozen=True)
class JoinTask:
    """What the connections of a domain have left, to be joined."""

    job: ReadTask
    """Options, with the names of all captures of the domain."""
    tables: tuple[str, ...]
    folder: str
    """Staging folder of the run."""
    name: str
    sources: tuple[LeftFiles, ...]
    places: tuple[Path, ...]
    """Results of `numbering.rank`."""
    split: tuple[int, At] | None
    """Epoch and packet from which on the next run joins again; None for the end of the captures."""
    earlier_split: tuple[int, At] | None
    """That of the last run."""
    numbered: int
    """Number of frames that the next run does not number again."""
    end_ns: int
    """Time in ns of the last row."""
    servers: frozenset[str]
    """Endpoints at which a connection was recognised."""
    serial: int
    earlier: Path | None
    """File with the state after earlier captures; None without one."""
    keeps: Path
    """File for the state for later captures."""


def join(task: JoinTask) -> int:
    """Write the findings and the linked conversations of a domain; return the number of files."""
    spare()
    work = _Join(task)
    try:
        done = heapq.merge(*work.done(), key=itemgetter(0))
        rest: list[tuple[Order, Any]] = []
        for each in done:
            if task.split is not None and each[0] >= _order(*task.split):
                rest.append(each)
                break
            work.add(each)
        work.write(DONE)
        work.save()
        last = chain(rest, done)
        for each in heapq.merge(last, *work.opened(), key=itemgetter(0)):
            work.add(each)
        work.judge.attempts.reach(task.servers)
        work.joiner.finish(task.end_ns)
        work.write(OPEN)
        return work.folder.finish()
    finally:
        work.folder.drop()


class _Join:
    """The evaluation of what the connections of a domain have left."""

    def __init__(self, task: JoinTask) -> None:
        self.task = task
        self.places = FramePlacesOnDisk(task.places)
        self.judge = Judge(places=self.places)
        self.folder = ParquetFolder(task.name, task.folder)
        self._part = DONE
        self._count = 0
        self._dissector = dissector_of(task.job.known.options(judges=True))
        names = enumerate(task.job.names)
        self._dissector.captures.extend(FinishedCapture(name, at) for at, name in names)
        judge = self.judge if FINDINGS in task.tables else None
        self.joiner = joiner_of(self._dissector.known.protocols, judge)
        if task.earlier is not None:
            state = task.earlier.read_bytes()
            self.places.earlier |= restored_join(state, self.joiner, self.judge, self._dissector)
        self._fillers = {
            CONVERSATIONS: conversation_filler(SCHEMAS[CONVERSATIONS]),
            FINDINGS: finding_filler(SCHEMAS[FINDINGS], self._dissector),
        }

    def done(self) -> Iterator[Iterator[tuple[Order, Any]]]:
        """Yield the groups of each source before the end of the captures, in order."""
        for each in self.task.sources:
            numbering = SourceNumbers.read(each.numbering)
            if each.earlier is not None:
                yield self._earlier(each.source, each.earlier, numbering)
            path = each.folder / f"{LEFT}-{DONE}"
            key = self.task.serial, each.source, DONE
            yield self._groups(key, path, numbering.frame, numbering.flow)

    def opened(self) -> Iterator[Iterator[tuple[Order, Any]]]:
        """Yield the groups of each source of the end of the captures, in order."""
        for each in self.task.sources:
            numbering = SourceNumbers.read(each.numbering)
            path = each.folder / f"{LEFT}-{OPEN}"
            key = self.task.serial, each.source, DONE if each.is_whole else OPEN
            yield self._groups(key, path, numbering.frame, numbering.flow)

    def add(self, one: tuple[Order, Any]) -> None:
        """Evaluate a group."""
        _, (key, group) = one
        if group.at[0] == END:
            self.joiner.reach(self.task.end_ns)
        self.joiner.add(key, group)
        self._count += 1
        if self._count % AT_ONCE == 0:
            self._write()

    def write(self, part: str) -> None:
        """Write what is settled, and what follows, as rows of a part."""
        self._part = part
        self._write()

    def save(self) -> None:
        """Save the state for later captures."""
        self._part = OPEN
        latest = self.places.latest(REMEMBERED, self.task.numbered + 1)
        write_whole(self.task.keeps, saved_join(self.joiner, self.judge, self._dissector, latest))

    def _write(self) -> None:
        found: dict[str, Iterable[Any]] = {
            CONVERSATIONS: self.joiner.conversations(),
            FINDINGS: self.judge.findings(),
        }
        site = self.task.job.site
        for table, rows in found.items():
            if table not in self.task.tables:
                continue
            for batch in in_batches(self._fillers[table], rows):
                self.folder.write(table, with_site(batch, site), self._part)

    def _earlier(
        self, source: int, folder: Path, numbering: SourceNumbers
    ) -> Iterator[tuple[Order, Any]]:
        """Yield the groups that the last run has joined only until its end."""
        if self.task.earlier_split is None:
            return
        again = SourceNumbers.read(folder / "numbering").again(numbering.before)
        since = _order(*self.task.earlier_split)
        key = self.task.serial - 1, source, DONE
        groups = self._groups(
            key, folder / f"{LEFT}-{DONE}", lambda n: numbering.frame(again.frame(n)), again.flow
        )
        yield from (each for each in groups if each[0] >= since)

    def _groups(
        self, key: tuple[Any, ...], path: Path, frames: Replacing, flows: Replacing
    ) -> Iterator[tuple[Order, tuple[Any, RecordGroup]]]:
        for data in left_of(path):
            epoch, left = renumbered(data, frames, flows)
            left = _with_ids(left, flows)
            self.joiner.learn(key, left)
            for group in left.groups:
                yield (epoch, group.at), (key, group)


def _with_ids(left: Left, flows: Replacing) -> Left:
    """Return records whose conversations have ids with the final numbers of connections."""

    def named(text: str) -> str:
        number, dash, rest = text.partition("-")
        return f"{flows(int(number))}{dash}{rest}"

    for group in left.groups:
        for at, record in enumerate(group.records):
            if record[0] == CONVERSES:
                kind, flow, protocol, of, found = record
                conversation = replace(
                    found,
                    id=named(found.id),
                    parent=found.parent and named(found.parent),
                    links=tuple(map(named, found.links)),
                )
                group.records[at] = kind, flow, protocol, of, conversation
    return left


def _order(epoch: int, at: At) -> Order:
    """Return the order of the first row of a packet."""
    time_ns, file, packet = at
    return epoch, (time_ns, AT, file, packet)
