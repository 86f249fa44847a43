"""The task that joins what the connections of a domain have left: findings, linked conversations.

What connections leave is small, and what facts for shared objects match (`object_task`) is smaller.
It is joined in the order of all rows, with final numbers.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

from streamshark.checkpoint import FinishedCapture, restored_join, saved_join
from streamshark.conversations.engine_state import END
from streamshark.findings.fact_groups import RecordPart
from streamshark.findings.frame_places import REMEMBERED
from streamshark.findings.judge import Judge
from streamshark.framing.splitter import At
from streamshark.judging import joiner_of
from streamshark.spark.left_files import OTHERS, other_records
from streamshark.spark.number_task import order_of
from streamshark.spark.numbering import FramePlacesOnDisk, SourceNumbers
from streamshark.spark.object_task import FactFiles, ObjectTask, Order, in_groups, matched
from streamshark.spark.output_folder import write_whole
from streamshark.spark.read_task import ReadTask, spare
from streamshark.spark.table_fillers import conversation_filler, finding_filler, in_batches
from streamshark.spark.tables import CONVERSATIONS, FINDINGS, SCHEMAS
from streamshark.spark.write_task import DONE, OPEN, ParquetFolder, with_site
from streamshark.splits.partition import dissector_of

AT_ONCE = 1 << 14
"""Groups of records after which settled findings are written."""
OrderedPart = tuple[Order, RecordPart]


@dataclass(frozen=True)
class JoinTask:
    """What the connections of a domain have left, to be joined."""

    job: ReadTask
    """Options, with the names of all captures of the domain."""
    tables: tuple[str, ...]
    folder: str
    """Staging folder of the run."""
    name: str
    sources: tuple[FactFiles, ...]
    matches: tuple[ObjectTask, ...]
    """The tasks that have evaluated facts."""
    places: tuple[Path, ...]
    """Results of `numbering.rank`."""
    split: tuple[int, At] | None
    """Epoch and packet from which on the next run joins again; None for the end of the captures."""
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
    limit = None if task.split is None else order_of(*task.split)
    try:
        done = heapq.merge(*work.parts(DONE), key=itemgetter(0))
        rest: list[OrderedPart] = []
        for parts in in_groups(_before(done, limit, rest)):
            work.add(parts)
        work.write(DONE)
        work.save()
        last = chain(rest, done)
        for parts in in_groups(heapq.merge(last, *work.parts(OPEN), key=itemgetter(0))):
            work.add(parts)
        work.judge.attempts.reach(task.servers)
        work.joiner.finish(task.end_ns)
        work.write(OPEN)
        return work.folder.finish()
    finally:
        work.folder.drop()


def _before(
    parts: Iterator[OrderedPart], limit: tuple[int, tuple[int, ...]] | None, rest: list[OrderedPart]
) -> Iterator[OrderedPart]:
    """Yield records before a limit; put the first other ones into a list."""
    for each in parts:
        if limit is not None and each[0][:2] >= limit:
            rest.append(each)
            return
        yield each


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

    def parts(self, part: str) -> Iterator[Iterator[OrderedPart]]:
        """Yield the records of each source before the end of the captures, or of it, in order."""
        for each in self.task.sources:
            yield self._others(each, part)
        for task in self.task.matches:
            yield matched(task.matches(part))

    def _others(self, files: FactFiles, part: str) -> Iterator[OrderedPart]:
        numbering = SourceNumbers.read(files.numbering)
        path = files.folder / f"{OTHERS}-{part}"
        for epoch, found in other_records(path, numbering.frame, numbering.flow):
            yield (epoch, *found[:3]), found

    def add(self, parts: list[RecordPart]) -> None:
        """Evaluate the records of a group."""
        is_end = parts[0].at[0] == END
        self.places.now_ns = None if is_end else parts[0].at[0]
        if is_end:
            self.joiner.reach(self.task.end_ns)
        self.joiner.join(parts)
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
