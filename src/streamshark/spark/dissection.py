"""Dissection by many tasks: each byte is read once, and the residues alone are shuffled.

Three stages, each a job of Spark: stretches are read apart and their rows staged, with what is left
of each connection (`midway`); shares of the connections are put together from that, and tell whose
the staged rows are (`stitch`); the rows that hold are written as tables.
"""

import pickle
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.pandas.types import from_arrow_schema

from streamshark.capture.capture import WINDOW
from streamshark.spark import writing
from streamshark.spark.inputs import Input
from streamshark.spark.reading import Job
from streamshark.spark.splits import SIZE, Extent, Stretch, extent, stretches

STRETCHES = 2
"""Stretches for each core, where captures are large enough."""


class Site(NamedTuple):
    """How a site is read."""

    job: Job
    stretches: tuple[tuple[int, Stretch], ...]
    """In their order, each with its source: what tells its rows from others'."""
    owners: tuple[int, ...]
    """The sources of the shares' own rows."""


class Dissection:
    """Dissects captures into tables, in a staging folder; `shares` put connections together.

    `stretch` is the bytes of a stretch, 0 for what suits the cores.
    """

    def __init__(
        self,
        spark: SparkSession,
        folder: str,
        tables: tuple[str, ...],
        shares: int,
        *,
        stretch: int = 0,
    ) -> None:
        self.spark = spark
        self.folder = folder
        self.tables = tables
        self.shares = shares
        self.stretch = stretch
        self.sites: list[Site] = []

    def read_apart(
        self, jobs: Sequence[Job], files: Sequence[Input], earlier: Mapping[str | None, int]
    ) -> None:
        """Read every stretch of the captures of each site, of which there were earlier ones."""
        extents = self._extents(files)
        known = {each.name: each for each in files}
        tasks: list[writing.Apart] = []
        source = 0
        for site in jobs:
            before, job = earlier.get(site.site, 0), replace(site, shares=self.shares)
            found = [
                (before + at, known[name], extents.get(name)) for at, name in enumerate(job.names)
            ]
            size = self._size(sum(each.size for _, each, _ in found))
            told = stretches(found, size) if job.known.keylog is None else []
            first = source + len(told)
            owners = tuple(range(first, first + self.shares))
            self.sites.append(Site(job, tuple(enumerate(told, source)), owners))
            tasks += [
                writing.Apart(
                    job, self.tables, self.folder, at, stretch, source + at, owners, before
                )
                for at, stretch in enumerate(told)
            ]
            source = first + self.shares
        left = spread(self.spark, tasks, writing.read_apart, writing.RESIDUE_SCHEMA)
        place = f"{self.folder}/{writing.RESIDUES}"
        left.write.partitionBy("owner").option("compression", "zstd").parquet(place)

    def put_together(self, share: Callable[[Job], Job] = lambda job: job) -> int:
        """Join the stretches, by the job that is made of each share's.

        Gives how many stretches had to be read again.
        """
        tasks = [
            writing.Joined(
                share(replace(site.job, share=number)), self.tables, self.folder, site.stretches,
                source,
            )
            for site in self.sites
            for number, source in enumerate(site.owners)
        ]  # fmt: skip

        def joined(task: writing.Joined) -> Iterator[pa.RecordBatch]:
            yield pa.RecordBatch.from_pydict({"again": [writing.put_together(task)]})

        again = pa.schema([("again", pa.int64())])
        found = spread(self.spark, tasks, joined, again).agg(F.sum("again")).first()
        return int(found[0] or 0) if found is not None else 0

    def verdicts(self) -> DataFrame:
        """Whose the staged rows are, as `writing.VERDICT_SCHEMA` says it."""
        place = Path(self.folder) / writing.VERDICTS
        return self.spark.read.parquet(*map(str, sorted(place.glob("[0-9]*.parquet"))))

    def settle(self) -> None:
        """Write the rows that hold, once `writing.NUMBERS` says what their connections are."""
        sources = [
            writing.Source(
                f"{site.job.site or 'all'}-{source:05}", self.folder, source, site.job.site
            )
            for site in self.sites
            for source in [*(each for each, _ in site.stretches), *site.owners]
        ]

        def settled(source: writing.Source) -> Iterator[pa.RecordBatch]:
            yield pa.RecordBatch.from_pydict({"files": [writing.settle(source)]})

        count = pa.schema([("files", pa.int64())])
        spread(self.spark, sources, settled, count).agg(F.sum("files")).collect()
        for name in (writing.STAGED, writing.RESIDUES, writing.VERDICTS, writing.NUMBERS):
            shutil.rmtree(Path(self.folder) / name, ignore_errors=True)

    def _extents(self, files: Sequence[Input]) -> dict[str, Extent]:
        """Which times files span, and where they can be divided."""
        size = self._size(sum(each.size for each in files))

        def walked(file: Input) -> Iterator[pa.RecordBatch]:
            found = pickle.dumps(extent(file, size))
            yield pa.RecordBatch.from_pydict({"name": [file.name], "found": [found]})

        schema = pa.schema([("name", pa.string()), ("found", pa.binary())])
        rows = spread(self.spark, files, walked, schema).collect()
        return {row[0]: pickle.loads(row[1]) for row in rows}  # noqa: S301 - made by our tasks

    def _size(self, total: int) -> int:
        """Bytes of a stretch: a few for each core, and whole windows of them."""
        if self.stretch:
            return self.stretch
        size = total // (STRETCHES * self.spark.sparkContext.defaultParallelism)
        return min(max(-(-size // WINDOW), 2), SIZE // WINDOW) * WINDOW


def spread(
    spark: SparkSession,
    jobs: Sequence[Any],
    work: Callable[[Any], Iterator[pa.RecordBatch]],
    schema: pa.Schema,
) -> DataFrame:
    """A task for each job."""
    jobs = list(jobs)

    def tasks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch["id"].to_pylist():
                yield from work(jobs[number])

    ids = spark.range(0, len(jobs), 1, len(jobs))
    return ids.mapInArrow(tasks, from_arrow_schema(schema))
