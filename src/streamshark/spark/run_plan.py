"""The plan of a run: its tasks, their bytes, and the connections, before anything is written.

Packets are counted by tasks of Spark, which read the captures once without dissecting them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from streamshark.capture import CaptureError
from streamshark.flows.ip import endpoints
from streamshark.spark.domain_run import DomainState
from streamshark.spark.domains import DomainFilter, domains_of
from streamshark.spark.read_task import ReadOptions, ReadTask
from streamshark.spark.stages import Archive, spread
from streamshark.splits.input_splits import Range, TimeSlice, time_slices
from streamshark.splits.inputs import Input, opened
from streamshark.splits.partition import share_of, tcp_keys

_COUNTS = pa.schema(
    [
        ("site", pa.string()),
        ("bucket", pa.int32()),
        ("one", pa.string()),
        ("other", pa.string()),
        ("packets", pa.int64()),
        ("bytes", pa.int64()),
    ]
)
MOST_COUNTED = 1 << 16
"""Most directions that a task counts before it passes their sums on."""


_COSTS = {"connections": 4}
"""How many times as long a byte takes in a stage as it takes to be walked over."""


class PlannedStage(NamedTuple):
    """The tasks of one stage."""

    name: str
    tasks: int | None
    """None if it depends on what the captures contain."""
    bytes: int
    """Bytes of captures that all of them read; 0 for a stage that reads none."""
    longest: int
    """Bytes that the task with most of them reads."""
    what: str
    """What that task reads; empty if it reads no captures."""


class LargestConnection(NamedTuple):
    """The pair of endpoints with most bytes."""

    one: str
    other: str
    packets: int
    bytes: int


@dataclass
class RunPlan:
    """What a run will do."""

    files: int
    """New files."""
    bytes: int
    stages: list[PlannedStage] = field(default_factory=list)
    connections: int = 0
    """Pairs of endpoints between which TCP packets go."""
    largest: LargestConnection | None = None
    """None without TCP packets."""

    @property
    def longest(self) -> PlannedStage:
        """The stage with the longest task."""
        return max(self.stages, key=lambda each: each.longest * _COSTS.get(each.name, 1))


class CountTask(NamedTuple):
    """The files of a domain whose packets one task counts."""

    names: tuple[str, ...]
    within: DomainFilter | None
    site: str = ""
    buckets: int = 1
    """Number of buckets of connections."""


def plan(
    spark: SparkSession,
    files: Sequence[Input],
    site: str,
    known: ReadOptions,
    archive: Archive,
    earlier: Path | None = None,
) -> RunPlan:
    """Return the plan of a run over new files; `earlier` has the state of the last run, if any."""
    if not files:
        return RunPlan(0, 0)
    sizes = {each.name: max(each.size, 0) for each in files}
    out = RunPlan(len(files), sum(sizes.values()))
    domains = domains_of(sizes, site)
    counts = [
        CountTask((name,), each.within, each.name or "", archive.buckets)
        for each in domains
        for name in each.files
    ]
    counted = spread(spark, counts, counted_packets, _COUNTS)
    by_connection = counted.groupBy("site", "bucket", "one", "other")
    found = by_connection.agg(F.sum("packets").alias("packets"), F.sum("bytes").alias("bytes"))
    found.persist()
    out.connections = found.count()
    out.largest = _largest(found)
    slices = _slices(files, [each.files for each in domains], archive)
    groups = _groups(found, [each.name for each in domains], known, archive, earlier)
    connections = _connections(found, groups)
    tasks = connections.tasks
    out.stages = [
        _stage("packets", [(sum(each.size for each in part), _named(part)) for part in slices]),
        connections,
        PlannedStage("ends", 0 if known.keylog else tasks, 0, 0, ""),
        PlannedStage("numbers", None, 0, 0, ""),
        PlannedStage("objects", None, 0, 0, ""),
        PlannedStage("join", len(domains), 0, 0, ""),
        PlannedStage("write", tasks, 0, 0, ""),
    ]
    found.unpersist()
    return out


def _largest(found: DataFrame) -> LargestConnection | None:
    """Return the connection with most bytes; None without any."""
    ordered = found.select("one", "other", "packets", "bytes")
    rows = ordered.orderBy(F.desc("bytes"), "one", "other").limit(1).collect()
    return LargestConnection(*rows[0]) if rows else None


class _PlannedGroup(NamedTuple):
    """A group of connections that one task reads."""

    site: str
    buckets: list[int]
    """Those that have bytes."""
    bytes: int


def _groups(
    found: DataFrame,
    sites: Sequence[str | None],
    known: ReadOptions,
    archive: Archive,
    earlier: Path | None,
) -> list[_PlannedGroup]:
    """Return the groups of connections of all sites."""
    sizes = {each or "": [0] * archive.buckets for each in sites}
    for row in found.groupBy("site", "bucket").agg(F.sum("bytes").alias("bytes")).collect():
        sizes[row["site"]][row["bucket"]] = row["bytes"]
    out = []
    for site, of in sizes.items():
        folder = (
            None if earlier is None else earlier / ReadTask("", (), (), site=site or None).label
        )
        is_known = folder is not None and folder.exists()
        state = DomainState.read(folder) if folder is not None and is_known else DomainState()
        state.whole |= known.keylog is not None
        for buckets in archive.groups(of, state):
            read = [each for each in buckets if of[each]]
            out.append(_PlannedGroup(site, read, sum(of[each] for each in read)))
    return out


def _connections(found: DataFrame, groups: Sequence[_PlannedGroup]) -> PlannedStage:
    """Return the stage that reads connections, with the keys of its longest task."""
    total, first = sum(each.bytes for each in groups), max(groups, key=lambda each: each.bytes)
    mine = found.where((F.col("site") == first.site) & F.col("bucket").isin(first.buckets))
    count, largest = mine.count(), _largest(mine)
    if largest is None:
        return PlannedStage("connections", len(groups), 0, 0, "")
    what = "1 connection" if count == 1 else f"{count:,} connections"
    link = ", " if count == 1 else ", the largest "
    what += f"{link}{largest.one} - {largest.other}"
    return PlannedStage("connections", len(groups), total, first.bytes, what)


def counted_packets(task: CountTask) -> Iterator[pa.RecordBatch]:
    """Yield the packets and bytes of a capture's connections; of a damaged one those before it."""
    packets: Counter[bytes] = Counter()
    sizes: Counter[bytes] = Counter()
    within = task.within
    for name in task.names:
        try:
            capture = opened(name, 0)
        except CaptureError:
            continue
        for batch in capture.batches():
            for found, size in zip(tcp_keys(batch), batch.original, strict=True):
                if isinstance(found, bytes) and (within is None or within.takes(found)):
                    packets[found] += 1
                    sizes[found] += size
            if len(packets) > MOST_COUNTED:
                yield _counts(task, packets, sizes)
                packets.clear()
                sizes.clear()
    yield _counts(task, packets, sizes)


def _counts(task: CountTask, packets: Counter[bytes], sizes: Counter[bytes]) -> pa.RecordBatch:
    rows = []
    for key, count in packets.items():
        addresses = endpoints(key)[0]
        one, other = sorted(addresses)
        bucket = share_of(addresses, task.buckets)
        rows.append((task.site, bucket, one, other, count, sizes[key]))
    columns = list(zip(*rows, strict=True)) or [()] * len(_COUNTS)
    return pa.record_batch(
        [pa.array(each, kind.type) for each, kind in zip(columns, _COUNTS, strict=True)],
        schema=_COUNTS,
    )


def _slices(
    files: Sequence[Input], domains: Sequence[Sequence[str]], archive: Archive
) -> list[TimeSlice]:
    """Return the splits of all domains."""
    extents = archive.extents(files)
    known = {each.name: each for each in files}
    out: list[TimeSlice] = []
    for names in domains:
        chosen = [(at, known[name], extents.get(name)) for at, name in enumerate(names)]
        out += time_slices(chosen, archive.size(sum(known[name].size for name in names)))
    return out


def _stage(name: str, tasks: Sequence[tuple[int, str]]) -> PlannedStage:
    size, what = max(tasks, default=(0, ""))
    return PlannedStage(name, len(tasks), sum(each for each, _ in tasks), size, what)


def _named(part: TimeSlice) -> str:
    first: Range = part[0]
    text = PurePath(first.name).name
    if first.split is not None:
        text += f" from byte {first.split.start:,}"
    return text if len(part) == 1 else f"{text} and {len(part) - 1} more"
