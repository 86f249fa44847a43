"""`spark.read.format("streamshark")`: captures as tables; the guide is `streamshark.spark`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from time import time_ns
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from streamshark.errors import StreamsharkError
from streamshark.spark.domains import Domain, domains_of
from streamshark.spark.read_task import ReadOptions, ReadTask, is_shared, produce, schema_of
from streamshark.spark.table_fillers import KeptValues
from streamshark.spark.tables import BODIES, FILES, FRAMES, PACKETS
from streamshark.splits.input_splits import SIZE, splits
from streamshark.splits.inputs import Input, inputs

SHARE = 64 << 20
"""Bytes of captures for which one more task is worthwhile."""
MOST_SHARES = 32
"""Most tasks that read the same captures, since each of them skips what the others read."""
_TRUE = ("true", "1", "yes")


def paths_of(options: Mapping[str, str]) -> list[str]:
    """Return the paths given to `load`: one path, or several as Spark passes them."""
    if "paths" in options:
        found: list[str] = json.loads(options["paths"])
        return found
    if "path" not in options:
        raise StreamsharkError('no input: .load("captures/**"), or .option("path", ...)')
    return [options["path"]]


def known_of(options: Mapping[str, str]) -> ReadOptions:
    """Return the options of the reading."""
    bodies = options.get("bodies", BODIES[0])
    if bodies not in BODIES:
        raise StreamsharkError(f"unknown value {bodies!r} of bodies (known: {', '.join(BODIES)})")
    ports = _pairs(options.get("decode_as", ""))
    return ReadOptions(
        paths=tuple(filter(None, options.get("protocol_path", "").split(","))),
        decode_as={int(port): name for port, name in ports.items()},
        dialects=_pairs(options.get("dialects", "")),
        keylog=options.get("keylog"),
        kept=KeptValues(bodies, secrets=options.get("show_secrets", "").lower() in _TRUE),
    )


def _pairs(text: str) -> dict[str, str]:
    """Parse `a=b,c=d` as a dictionary."""
    return dict(each.split("=", 1) for each in filter(None, text.split(",")))


class StreamsharkSource(DataSource):
    """The data source of Spark."""

    @classmethod
    def name(cls) -> str:
        """Return the argument of `format`."""
        return "streamshark"

    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = dict(options)
        self.table = self.options.get("table", FRAMES)

    def schema(self) -> StructType:
        """Return all columns of the table."""
        schema = schema_of(self.table, known_of(self.options), numbered=self._has("numbers"))
        if self.options.get("site"):
            schema = schema.append(pa.field("site", pa.string()))
        return from_arrow_schema(schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return a reader of the requested columns."""
        return TableReader(self.options, self.table, tuple(schema.names))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802 - Spark's name
        """Return a reader that follows a folder."""
        return FollowingReader(self.options, self.table, tuple(schema.names))

    def _has(self, name: str) -> bool:
        return self.options.get(name, "").lower() in _TRUE


SETTLED = 10
"""Seconds without a change after which the newest file is taken as complete."""


class FollowingReader(DataSourceStreamReader):
    """Planner of a query over a folder in which captures rotate: its files, or packets.

    The offset is the modification time and the name of the last file that was read, with the names
    of all new ones, so that a batch that is retried has the same files. The newest file of a folder
    may still be written to; it is left out until another one is newer, or it has not changed for a
    while (`settled`).
    """

    def __init__(self, options: Mapping[str, str], table: str, columns: Sequence[str]) -> None:
        if table not in (FILES, PACKETS):
            raise StreamsharkError(f"{table} cannot be streamed: only files and packets can")
        self.options = dict(options)
        self.table = table
        self.columns = tuple(columns)

    def initialOffset(self) -> dict[str, Any]:  # noqa: N802 - Spark's name
        """Return the offset before every file."""
        return {"changed": 0, "name": "", "files": []}

    def latestOffset(self, start: Any = None, limit: Any = None) -> dict[str, Any]:  # noqa: ANN401, ARG002, N802 - Spark's
        """Return the offset of the last complete file."""
        start = start or self.initialOffset()
        first = (start["changed"], start["name"])
        fresh = [each for each in self._whole() if first < (each.changed_ns, each.name)]
        if not fresh:
            return dict(start)
        files = [[each.changed_ns, each.name] for each in fresh]
        return {"changed": fresh[-1].changed_ns, "name": fresh[-1].name, "files": files}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        """Return a task for each file between two offsets; a deleted file is read as missing."""
        first = (start["changed"], start["name"])
        known = known_of(self.options)
        return [
            InputPartition(ReadTask(self.table, self.columns, (name,), known))
            for changed, name in end["files"]
            if first < (changed, name)  # Spark 4.0 asks for an end without a start
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one task."""
        return produce(partition.value)

    def _whole(self) -> list[Input]:
        """Return the complete files, in the order in which they were written."""
        found = sorted(
            inputs(paths_of(self.options)), key=lambda each: (each.changed_ns, each.name)
        )
        newest = {PurePath(each.name).parent: each for each in found}
        rested = time_ns() - int(float(self.options.get("settled", SETTLED)) * 1e9)
        return [
            each
            for each in found
            if each.changed_ns <= rested or newest[PurePath(each.name).parent] != each
        ]


class TableReader(DataSourceReader):
    """Planner of the tasks of one table, which also runs each."""

    def __init__(self, options: Mapping[str, str], table: str, columns: Sequence[str]) -> None:
        self.options = dict(options)
        self.table = table
        self.columns = tuple(columns)

    def partitions(self) -> Sequence[InputPartition]:
        """Return a task for each split, each partition of connections, or each domain."""
        files = inputs(paths_of(self.options))
        known = {each.name: each for each in files}
        found = domains_of(known, self.options.get("site", ""))
        jobs = [job for each in found for job in self._jobs(each, [known[n] for n in each.files])]
        return [InputPartition(job) for job in jobs]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one task."""
        return produce(partition.value)

    def _jobs(self, of: Domain, files: list[Input]) -> Iterator[ReadTask]:
        known, site = known_of(self.options), of.name
        job = ReadTask(self.table, self.columns, of.files, known, site, within=of.within)
        if self.table == PACKETS:
            if of.within is not None:
                raise StreamsharkError(
                    "site by network is not supported for packets: use folder or none"
                )
            size = int(self.options.get("split_size", SIZE))
            for each in files:
                for split in splits(each, size):
                    yield ReadTask(self.table, self.columns, (each.name,), known, site, split=split)
            return
        shares = self._shares(files)
        for share in range(shares):
            yield ReadTask(**{**vars(job), "share": share, "shares": shares})

    def _shares(self, files: list[Input]) -> int:
        if not is_shared(self.table, self.columns):
            return 1
        wanted = self.options.get("shares")
        if wanted:
            return int(wanted)
        return max(1, min(MOST_SHARES, sum(each.size for each in files) // SHARE))


def register(spark: Any) -> Any:  # noqa: ANN401 - a session of Spark's
    """Register the data source in a session, and return the session."""
    spark.dataSource.register(StreamsharkSource)
    return spark
