"""Dissection in three stages, each a job of Spark: only boundary states are shuffled.

Splits are read apart from each other, their rows staged, with the boundary state of each connection
(`splits.split_reader`); partitions of the connections are joined from these states, and decide to
which connections the staged rows belong (`splits.split_merge`); the final rows are written as
tables. Each byte is read once, unless a split has to be read again.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from streamshark.capture.capture import WINDOW
from streamshark.spark import write_task
from streamshark.spark.output_folder import local
from streamshark.spark.read_task import ReadTask
from streamshark.splits.input_splits import SIZE, Extent, TimeSlice, extent, glance, time_slices
from streamshark.splits.inputs import Input

TIME_SLICES = 2
"""Splits for each core, if captures are large enough."""
LEAST = 8 * WINDOW
"""Fewest bytes of a split; for less, its boundary state and task would be a large part of it."""
AT_ONCE = 16
"""Files whose first packets are read at the same time."""


@dataclass
class DomainOptions:
    """State of one domain."""

    job: ReadTask
    before: int
    """Number of captures that earlier runs have read."""
    files: list[tuple[int, Input]]
    """The captures, with their numbers."""
    owners: tuple[int, ...]
    """Numbers of the sources of rows that partitions stage themselves."""
    extents: dict[str, Extent] = field(default_factory=dict)
    """Time spans of files; before a file was read, perhaps only of its first packet."""
    sources: dict[tuple[TimeSlice, bool], int] = field(default_factory=dict)
    """Sources of the splits that were read, by whether packets may precede the split."""
    time_slices: tuple[tuple[int, TimeSlice], ...] = ()
    """The final splits in order, each with its source."""
    refused: str = ""
    """Why every partition has to read everything itself; empty if it need not."""


class Dissection:
    """Dissection of captures into tables in a staging folder; `shares` partitions join connections.

    `time_slice` is the bytes of a split, 0 for a size that fits the number of cores.
    """

    def __init__(
        self,
        spark: SparkSession,
        folder: str,
        tables: tuple[str, ...],
        shares: int,
        *,
        time_slice: int = 0,
    ) -> None:
        self.spark = spark
        self.folder = folder
        self.tables = tables
        self.shares = shares
        self.time_slice = time_slice
        self.domains: list[DomainOptions] = []

    def read_apart(
        self, jobs: Sequence[ReadTask], files: Sequence[Input], earlier: Mapping[str | None, int]
    ) -> None:
        """Read every split of the captures of each domain; `earlier` counts captures read before.

        Whether files overlap is certain only when they have been read. If they do although their
        first packets did not show it, those splits are read again, together.
        """
        numbers = count()
        known = {each.name: each for each in files}
        for job in jobs:
            before = earlier.get(job.site, 0)
            found = [(before + at, known[name]) for at, name in enumerate(job.names)]
            owners = tuple(next(numbers) for _ in range(self.shares))
            self.domains.append(
                DomainOptions(replace(job, shares=self.shares), before, found, owners)
            )
        whole = self._size(sum(each.size for each in files))
        extents = self._extents(files, whole)
        for domain in self.domains:
            domain.extents = {
                each.name: extents[each.name] for _, each in domain.files if each.name in extents
            }
        fresh = [task for domain in self.domains for task in self._tasks(domain, numbers)]
        while fresh:
            by_owner = {domain.owners: domain for domain in self.domains}
            done = each_of(self.spark, fresh, write_task.read_apart)
            for task, result in zip(fresh, done, strict=True):
                domain = by_owner[task.owners]
                domain.refused = domain.refused or result.refused
                domain.extents |= result.extents
            fresh = [task for domain in self.domains for task in self._tasks(domain, numbers)]

    def _tasks(
        self, domain: DomainOptions, numbers: Iterator[int]
    ) -> Iterator[write_task.SplitWrite]:
        """Yield the tasks for splits of a domain that were not read yet."""
        if domain.job.known.keylog is not None:
            domain.refused = "keys of TLS"
            return
        files = [(number, each, domain.extents.get(each.name)) for number, each in domain.files]
        size = self._size(sum(each.size for _, each in domain.files))
        held = []
        for at, time_slice in enumerate(time_slices(files, size)):
            assumes = domain.before > 0 or at > 0
            source = domain.sources.get((time_slice, assumes))
            if source is None:
                source = domain.sources[time_slice, assumes] = next(numbers)
                yield write_task.SplitWrite(
                    replace(domain.job, names=()), self.tables, self.folder, time_slice, source,
                    domain.owners, assumes=assumes,
                )  # fmt: skip
            held.append((source, time_slice))
        domain.time_slices = tuple(held)

    def put_together(self, share: Callable[[ReadTask], ReadTask] = lambda job: job) -> int:
        """Join the splits, in a task for each partition that `share` may change.

        Returns the number of splits that had to be read again.
        """
        tasks = [
            write_task.PartitionWrite(
                share(replace(domain.job, share=number)), self.tables, self.folder,
                () if domain.refused else domain.time_slices, source,
            )
            for domain in self.domains
            for number, source in enumerate(domain.owners)
        ]  # fmt: skip
        return sum(each_of(self.spark, tasks, write_task.put_together))

    def verdicts(self) -> DataFrame:
        """Return the connections of the staged rows, in `write_task.VERDICT_SCHEMA`."""
        place = Path(self.folder) / write_task.VERDICTS
        return self.spark.read.parquet(*map(local, sorted(place.glob("[0-9]*.parquet"))))

    def settle(self) -> None:
        """Write the final rows, once `write_task.NUMBERS` has the numbers of their connections."""
        sources = [
            write_task.RowSource(
                f"{domain.job.label}-{source:05}", self.folder, source, domain.job.site
            )
            for domain in self.domains
            for source in [*(each for each, _ in domain.time_slices), *domain.owners]
        ]
        each_of(self.spark, sources, write_task.settle)
        for name in (
            write_task.STAGED,
            write_task.BOUNDARIES,
            write_task.VERDICTS,
            write_task.NUMBERS,
        ):
            shutil.rmtree(Path(self.folder) / name, ignore_errors=True)

    def _extents(self, files: Sequence[Input], size: int) -> dict[str, Extent]:
        """Return the time spans of files, and the parts of those that are to be divided."""
        with ThreadPool(AT_ONCE) as pool:
            found = dict(zip(files, pool.map(partial(glance, size=size), files), strict=True))
        large = [each for each, known in found.items() if known is not None and not known.parts]
        walked = each_of(self.spark, large, partial(extent, size=size))
        found |= zip(large, walked, strict=True)
        return {each.name: known for each, known in found.items() if known is not None}

    def _size(self, total: int) -> int:
        """Return the bytes of a split: a few splits for each core, in whole windows."""
        if self.time_slice:
            return self.time_slice
        size = total // (TIME_SLICES * self.spark.sparkContext.defaultParallelism)
        return min(max(-(-size // WINDOW) * WINDOW, LEAST), SIZE)


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
            for number in batch["id"].to_pylist():
                yield from work(jobs[number])

    ids = spark.range(0, len(jobs), 1, len(jobs))
    return ids.mapInArrow(tasks, from_arrow_schema(schema))


def each_of(spark: SparkSession, jobs: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
    """Run a task for each job, and return their results in the order of the jobs."""
    if not jobs:
        return []
    return spark.sparkContext.parallelize(jobs, len(jobs)).map(work).collect()
