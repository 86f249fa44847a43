"""The stages of a run: packets by connection, connections, numbers, join.

Packets are put together by group of connections (`packet_task`); each group is read and judged by a
task of its own (`connection_task`), so that every byte is dissected once; what connections leave
for objects that they share is joined (`join_task`), and rows are written with the numbers of one
reading (`numbering`, `write_task`). The driver has a few facts about each task, and no rows.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from streamshark.capture.capture import WINDOW
from streamshark.conversations.bodies import shared_effort
from streamshark.spark.connection_task import (
    JOINT_KEYS,
    ConnectionTask,
    EndTask,
    GroupedPackets,
    end_connections,
    read_connections,
)
from streamshark.spark.domain_run import DomainRun, DomainState
from streamshark.spark.join_task import JoinTask, join
from streamshark.spark.number_task import NumberTask, number, rank_tasks
from streamshark.spark.numbering import RankTask, flow_numbers, rank, write_array
from streamshark.spark.object_task import FactFiles, ObjectTask, UniteTask, evaluate, unite
from streamshark.spark.packet_task import (
    PacketTask,
    inspected,
    put_packets,
    sizes_of,
)
from streamshark.spark.tables import FINDINGS
from streamshark.spark.write_task import WriteTask, write_tables
from streamshark.splits.even_groups import even_groups
from streamshark.splits.input_splits import SIZE, Extent, extent, glance, time_slices
from streamshark.splits.inputs import Input
from streamshark.splits.packet_buckets import CODECS

TIME_SLICES = 2
"""Parts of the captures for each core, if they are large enough."""
LEAST = 8 * WINDOW
"""Fewest bytes of a part; for less, its task would be a large part of it."""
AT_ONCE = 16
"""Files whose first packets are read at the same time."""
GROUP = 40 << 20
"""Most bytes of packets of a group of connections, unless one bucket has more."""
BUCKETS_OF_GROUP = 16
"""Buckets of connections for each group, so that few connections share one."""
FEWEST_BUCKETS, MOST_BUCKETS = 1 << 10, 1 << 16
FACTS = 8 << 20
"""Bytes of facts that one task evaluates."""
MOST_TASKS = 1 << 12
"""Most tasks that evaluate facts."""
JOINT = MOST_BUCKETS
"""Number in the place of that of a group, for connections that are read together."""
MOST_AGAIN = 3
"""How often connections are read again with what others have shown of servers."""


def bucket_count(size: int) -> int:
    """Return the number of buckets of connections for captures of so many bytes."""
    wanted = BUCKETS_OF_GROUP * -(-size // GROUP)
    return min(max(1 << wanted.bit_length(), FEWEST_BUCKETS), MOST_BUCKETS)


@dataclass
class Archive:
    """The domains of a run, read into tables in a staging folder."""

    spark: SparkSession
    folder: str
    tables: tuple[str, ...]
    buckets: int
    """Number of buckets of connections."""
    serial: int
    """Number of the run."""
    shares: int = 0
    """Number of groups of connections; 0 for as many as their bytes need."""
    time_slice: int = 0
    """Bytes of a part of the captures; 0 for a size that fits the number of cores."""
    codec: str = CODECS[0]
    """Compression of packets on their way to the task that reads them."""
    _sources: Iterator[int] = field(default_factory=count)

    def run(self, domains: Sequence[DomainRun]) -> None:
        """Write all tables of the domains, and what the next run needs."""
        self.put_packets(domains)
        self.read_connections(domains)
        shutil.rmtree(Path(self.folder) / "_packets", ignore_errors=True)
        self.end_connections(domains)
        self.number(domains)
        self.evaluate(domains)
        self.write(domains)

    # Packets by connection

    def put_packets(self, domains: Sequence[DomainRun]) -> None:
        """Put the packets of all new captures together by connection.

        Whether captures overlap is certain only when they were read. If they do although their
        first packets did not show it, those are read again, together.
        """
        files = list({each.name: each for domain in domains for _, each in domain.fresh}.values())
        extents = self.extents(files)
        for domain in domains:
            domain.extents = {
                each.name: extents[each.name] for _, each in domain.fresh if each.name in extents
            }
        numbers = count()
        while fresh := [each for domain in domains for each in self._slices(domain, numbers)]:
            done = each_of(self.spark, [task for _, task in fresh], put_packets)
            for (domain, task), report in zip(fresh, done, strict=True):
                domain.read[task.time_slice] = task, report
                domain.extents |= report.extents
        self._find_bad(domains)

    def _slices(
        self, domain: DomainRun, numbers: Iterator[int]
    ) -> Iterator[tuple[DomainRun, PacketTask]]:
        """Yield the tasks for parts of a domain's captures that were not read yet."""
        files = [(number, each, domain.extents.get(each.name)) for number, each in domain.fresh]
        domain.slices = time_slices(files, self.size(sum(each.size for _, each in domain.fresh)))
        for each in domain.slices:
            if each not in domain.read:
                yield (
                    domain,
                    PacketTask(
                        next(numbers), self.folder, each, domain.within, self.buckets, self.codec
                    ),
                )

    def _find_bad(self, domains: Sequence[DomainRun]) -> None:
        """Find the captures that cannot be read, or not to their end."""
        odd = {}
        for domain in domains:
            known = {each.name for part in domain.slices for each in part}
            odd[id(domain)] = [each.name for _, each in domain.fresh if each.name not in known]
        names = sorted({name for found in odd.values() for name in found})
        wrong = dict(zip(names, each_of(self.spark, names, inspected), strict=True))
        for domain in domains:
            domain.bad = [found for name in odd[id(domain)] if (found := wrong[name]) is not None]
            domain.bad += domain.damaged()

    def extents(self, files: Sequence[Input]) -> dict[str, Extent]:
        """Return the time spans of files, and the parts of those that are to be divided."""
        size = self.size(sum(each.size for each in files))
        with ThreadPool(AT_ONCE) as pool:
            found = dict(zip(files, pool.map(partial(glance, size=size), files), strict=True))
        large = [each for each, known in found.items() if known is not None and not known.parts]
        walked = each_of(self.spark, large, partial(extent, size=size))
        found |= zip(large, walked, strict=True)
        return {each.name: known for each, known in found.items() if known is not None}

    def size(self, total: int) -> int:
        """Return the bytes of a part: a few parts for each core, in whole windows."""
        if self.time_slice:
            return self.time_slice
        size = total // (TIME_SLICES * self.spark.sparkContext.defaultParallelism)
        return min(max(-(-size // WINDOW) * WINDOW, LEAST), SIZE)

    # Connections

    def read_connections(self, domains: Sequence[DomainRun]) -> None:
        """Read and judge all connections: by group, then together those that need each other."""
        first = [
            (domain, task)
            for domain in domains
            for task in self._tasks(domain, self._packets(domain))
        ]
        self._read(first)
        self._read([(domain, task) for domain in domains for task in self._joining(domain)])
        for _ in range(MOST_AGAIN):
            joint = [(domain, task) for domain in domains for task in self._joint(domain)]
            self._read(joint)
            again = [
                (domain, replace(task, source=next(self._sources)))
                for domain in domains
                for task in domain.outdated()
            ]
            self._read(again)
            if not again:
                break
        self._read([(domain, task) for domain in domains for task in self._joint(domain)])

    def _joining(self, domain: DomainRun) -> Iterator[ConnectionTask]:
        """Yield the tasks for connections that turn out to depend on others, to be read without."""
        state = domain.state
        if state.joins or not any(report.shares for _, report in domain.sources):
            return
        state.joins = True
        for task, report in domain.sources:
            if report.may_join and not task.whole:
                yield replace(task, source=next(self._sources), joins=True)

    def _read(self, tasks: Sequence[tuple[DomainRun, ConnectionTask]]) -> None:
        done = each_of(self.spark, [task for _, task in tasks], read_connections)
        for (domain, task), report in zip(tasks, done, strict=True):
            share = task.job.share
            domain.sources = [each for each in domain.sources if each[0].job.share != share]
            domain.sources.append((task, report))

    def _packets(self, domain: DomainRun) -> Path:
        """Write what tasks need to know of a domain's packets; return the file."""
        parts = domain.parts()
        epoch, epochs = domain.state.epoch, {}
        for at, (_, report) in enumerate(parts):
            epochs[at] = epoch
            epoch += report.set_back
        domain.state.epoch = epoch
        domain.state.drops |= any(each.drops for _, report in parts for each in report.notes)
        path = domain.work / "packets"
        GroupedPackets(
            tuple(report.part_files(task, at) for at, (task, report) in enumerate(parts)),
            tuple(report.timed(task, at) for at, (task, report) in enumerate(parts)),
            epochs,
            next((report.last for _, report in reversed(parts) if report.last is not None), None),
            epoch,
            tuple(each for _, report in parts for each in report.secrets),
            domain.state.drops,
        ).write(path)
        return path

    def _tasks(self, domain: DomainRun, packets: Path) -> Iterator[ConnectionTask]:
        """Yield the tasks for the groups of a domain's connections; one for all if TLS is read."""
        state = domain.state
        secrets = any(report.secrets for _, report in domain.parts())
        is_one = self.shares == 1 and not state.groups
        is_whole = state.whole = bool(state.whole or secrets or domain.job.known.keylog or is_one)
        sizes = sum((np.load(sizes_of(task)) for task, _ in domain.parts()), np.zeros(self.buckets))
        groups = self.groups(sizes.astype(int).tolist(), state)
        effort = shared_effort(int(sizes.sum()), len(groups))
        for at, each in enumerate(groups):
            yield ConnectionTask(
                replace(domain.job, shares=self.buckets, share=at),
                self.tables,
                self.folder,
                next(self._sources),
                frozenset(each),
                packets,
                domain.state.frames,
                domain.state.flows,
                self.serial,
                whole=is_whole,
                reads_joint=None if is_whole else False,
                effort=1 if is_whole else effort,
                joins=domain.state.joins,
                given=domain.known(),
                earlier=domain.earlier_of(at) if at < state.groups else None,
            )

    def groups(self, sizes: Sequence[int], state: DomainState) -> list[tuple[int, ...]]:
        """Return the buckets of each group of a domain's connections, given the bytes of buckets.

        Connections that earlier captures have begun stay in the group that has their state.
        """
        if state.whole:
            return [tuple(range(len(sizes)))]
        most, count = GROUP, self.shares
        if not count:
            total = sum(sizes)
            count = min(self.spark.sparkContext.defaultParallelism, -(-total // LEAST))
            count = max(count, -(-total // most))
        known = {bucket: group for bucket, group in state.open}  # noqa: C416 - lists
        return even_groups(
            sizes, 0 if self.shares else most, count=max(count, state.groups, 1), known=known
        )

    def _joint(self, domain: DomainRun) -> Iterator[ConnectionTask]:
        """Yield the task for connections that may depend on others, if there are any."""
        state = domain.state
        found = [(task, report) for task, report in domain.sources if report.joint]
        earlier = domain.earlier_of(JOINT) if state.has_joint else None
        files = [] if earlier is None else [(Path(earlier) / JOINT_KEYS, 0)]
        files += ((task.place / JOINT_KEYS, report.joint_digest) for task, report in found)
        state.joint = sorted({*state.joint, *(at for _, report in found for at in report.joint)})
        before = next((task.together for task, _ in domain.sources if task.reads_joint), ())
        if {digest for _, digest in files} == {digest for _, digest in before or ()}:
            return
        task, _ = domain.sources[0]
        yield replace(
            task,
            job=replace(task.job, share=JOINT),
            source=next(self._sources),
            buckets=frozenset(state.joint),
            together=tuple(files),
            reads_joint=True,
            joins=True,
            earlier=earlier,
        )

    def end_connections(self, domains: Sequence[DomainRun]) -> None:
        """Read what the end of the captures completes."""
        tasks = []
        for domain in domains:
            reports = [report for _, report in domain.sources]
            at = max(report.end.end for report in reports)
            domain.state.reached_ns = at[0]
            domain.end_ns = max(at[0], *(report.last_ns for report in reports))
            domain.split = min(
                (
                    (report.end.epoch, report.end.held)
                    for report in reports
                    if report.end.held is not None
                ),
                default=None,
            )
            tasks += [
                EndTask(task, at, domain.end_ns, report.rows)
                for task, report in domain.sources
                if not task.whole
            ]
        each_of(self.spark, tasks, end_connections)

    # Numbers

    def number(self, domains: Sequence[DomainRun]) -> None:
        """Give all frames and connections the numbers of one reading."""
        ranks: list[RankTask] = []
        for domain in domains:
            before = domain.state.flows
            begun = [task.begun() for task, _ in domain.sources]
            numbers = flow_numbers(begun, before)
            for (task, _), found in zip(domain.sources, numbers, strict=True):
                write_array(task.place / "flows.npy", found)
            domain.state.flows = max(
                (int(found.max()) + 1 for found in numbers if len(found)), default=before
            )
            mine = rank_tasks(
                [task for task, _ in domain.sources],
                sum(report.rows for _, report in domain.sources),
                [(report.first_ns, task) for task, report in domain.parts()],
                domain.work / "ranks",
            )
            domain.ranks = [each.place for each in mine]
            ranks += mine
        each_of(self.spark, ranks, rank)
        tasks = [
            NumberTask(task, tuple(domain.ranks), domain.split, domain.keeps_of(task))
            for domain in domains
            for task, _ in domain.sources
        ]
        done = iter(each_of(self.spark, tasks, number))
        for domain in domains:
            domain.state.frames += sum(next(done) for _ in domain.sources)
            domain.state.split = (
                None if domain.split is None else [domain.split[0], *domain.split[1]]
            )

    # Objects that connections share

    def evaluate(self, domains: Sequence[DomainRun]) -> None:
        """Evaluate the facts that connections have left, by the objects that they concern."""
        for domain in domains:
            domain.objects = list(self._object_tasks(domain))
        waiting = [domain for domain in domains if domain.objects]
        for turn in count():
            if not waiting:
                break
            for domain in waiting:
                given = replace(domain.objects[0].given, turn=turn)
                domain.objects = [replace(each, given=given) for each in domain.objects]
            found = each_of(self.spark, [domain.objects[0].given for domain in waiting], unite)
            tasks = [
                domain.objects[at]
                for domain, chosen in zip(waiting, found, strict=True)
                for at in chosen
            ]
            each_of(self.spark, tasks, evaluate)
            waiting = [domain for domain, chosen in zip(waiting, found, strict=True) if chosen]

    def _object_tasks(self, domain: DomainRun) -> Iterator[ObjectTask]:
        """Yield the tasks for the objects of a domain, if there are any."""
        earlier = domain.earlier / "objects" if domain.earlier is not None else None
        known = sorted(earlier.glob("[!_]*")) if earlier is not None else []
        size = sum(report.facts for _, report in domain.sources)
        size += sum(each.stat().st_size for each in known)
        state = domain.state
        before, state.facts = state.facts, domain.split[1][0] if domain.split else state.reached_ns
        if not size:
            return
        count = min(-(-size // FACTS), MOST_TASKS)
        given = UniteTask(
            tuple(FactFiles(task.source, task.place) for task, _ in domain.sources),
            tuple(known), count, domain.work / "objects",
        )  # fmt: skip
        for at in range(count):
            yield ObjectTask(
                domain.job, at, given, domain.split, state.facts, before, domain.end_ns,
                self.serial, FINDINGS in self.tables, domain.keeps / "objects" / f"{at:05}",
            )  # fmt: skip

    # Tables

    def write(self, domains: Sequence[DomainRun]) -> None:
        """Write the tables, and what the next run needs."""
        tasks: list[WriteTask | JoinTask] = []
        for domain in domains:
            label = domain.job.label
            tasks.append(self._join(domain))
            tasks += [
                WriteTask(
                    f"{label}-{task.job.share:05}", self.folder, task.source, domain.job.site,
                    task.place / "numbering", domain.keeps_of(task),
                )
                for task, _ in domain.sources
            ]  # fmt: skip
            state = domain.state
            state.names = list(domain.job.names)
            state.learned = domain.learned()
            state.has_joint = any(task.reads_joint for task, _ in domain.sources)
            groups = [(task, each) for task, each in domain.sources if not task.reads_joint]
            state.groups = len(groups)
            state.open = sorted(
                [bucket, task.job.share] for task, each in groups for bucket in each.open
            )
        each_of(self.spark, tasks, _write)
        for domain in domains:
            domain.state.write(domain.keeps)
        for name in ("_staged", "_sources"):
            shutil.rmtree(Path(self.folder) / name, ignore_errors=True)

    def _join(self, domain: DomainRun) -> JoinTask:
        state, earlier = domain.state, domain.earlier
        before = DomainState.read(earlier) if earlier is not None else DomainState()
        servers = {*before.servers, *(one for _, each in domain.sources for one in each.servers)}
        state.servers = sorted(servers)
        return JoinTask(
            domain.job,
            self.tables,
            self.folder,
            f"{domain.job.label}-join",
            tuple(FactFiles(task.source, task.place) for task, _ in domain.sources),
            tuple(each for each in domain.objects if each.place.exists()),
            tuple(domain.ranks),
            domain.split,
            state.frames,
            domain.end_ns,
            frozenset(servers),
            self.serial,
            None if earlier is None else earlier / "join",
            domain.keeps / "join",
        )  # fmt: skip


def _write(task: WriteTask | JoinTask) -> int:
    return join(task) if isinstance(task, JoinTask) else write_tables(task)


def spread(
    spark: SparkSession,
    jobs: Sequence[Any],
    work: Callable[[Any], Iterator[pa.RecordBatch]],
    schema: pa.Schema,
) -> DataFrame:
    """Run a task for each job, and return the rows of all."""
    jobs = list(jobs)

    def tasks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for at in batch["id"].to_pylist():
                yield from work(jobs[at])

    ids = spark.range(0, len(jobs), 1, len(jobs))
    return ids.mapInArrow(tasks, from_arrow_schema(schema))


def each_of(spark: SparkSession, jobs: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
    """Run a task for each job, and return their results in the order of the jobs."""
    if not jobs:
        return []
    return spark.sparkContext.parallelize(jobs, len(jobs)).map(work).collect()
