"""The plan of a run: its tasks, their bytes, and the connections, before anything is written.

Packets are counted by tasks of Spark, which read the captures once without dissecting them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from streamshark.capture import CaptureError
from streamshark.flows.ip import endpoints
from streamshark.spark.domains import DomainFilter, domains_of
from streamshark.spark.read_task import ReadOptions
from streamshark.spark.stages import Archive, spread
from streamshark.splits.input_splits import Range, TimeSlice, time_slices
from streamshark.splits.inputs import Input, opened
from streamshark.splits.partition import direction

_COUNTS = pa.schema(
    [("one", pa.string()), ("other", pa.string()), ("packets", pa.int64()), ("bytes", pa.int64())]
)
MOST_COUNTED = 1 << 16
"""Most directions that a task counts before it passes their sums on."""


class PlannedStage(NamedTuple):
    """The tasks of one stage."""

    name: str
    tasks: int
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
        return max(self.stages, key=lambda each: each.longest)


class CountTask(NamedTuple):
    """The files of a domain whose packets one task counts."""

    names: tuple[str, ...]
    within: DomainFilter | None


def plan(
    spark: SparkSession,
    files: Sequence[Input],
    site: str,
    known: ReadOptions,
    archive: Archive,
) -> RunPlan:
    """Return the plan of a run over new files."""
    if not files:
        return RunPlan(0, 0)
    sizes = {each.name: max(each.size, 0) for each in files}
    out = RunPlan(len(files), sum(sizes.values()))
    domains = domains_of(sizes, site)
    counts = [CountTask((name,), each.within) for each in domains for name in each.files]
    counted = spread(spark, counts, counted_packets, _COUNTS).groupBy("one", "other")
    found = counted.agg(F.sum("packets").alias("packets"), F.sum("bytes").alias("bytes"))
    found.persist()
    out.connections = found.count()
    for row in found.orderBy(F.desc("bytes"), "one", "other").limit(1).collect():
        out.largest = LargestConnection(*row)
    found.unpersist()

    slices = [] if known.keylog else _slices(files, [each.files for each in domains], archive)
    whole = [
        (sum(sizes[name] for name in each.files), f"site {each.name}" if site else "all files")
        for each in domains
    ]
    shares = archive.shares
    out.stages = [
        _stage("read", [(sum(each.size for each in part), _named(part)) for part in slices]),
        _stage("join", (whole if known.keylog else [(0, "")] * len(domains)) * shares),
        _stage("judge", whole),
        PlannedStage("write", len(slices) + shares * len(domains), 0, 0, ""),
    ]
    return out


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
            for at in range(len(batch)):
                found = direction(batch, at)
                if found is not None and (within is None or within.takes(found[0])):
                    packets[found[0]] += 1
                    sizes[found[0]] += batch.original[at]
            if len(packets) > MOST_COUNTED:
                yield _counts(packets, sizes)
                packets.clear()
                sizes.clear()
    yield _counts(packets, sizes)


def _counts(packets: Counter[bytes], sizes: Counter[bytes]) -> pa.RecordBatch:
    rows = []
    for key, count in packets.items():
        one, other = sorted(endpoints(key)[0])
        rows.append((one, other, count, sizes[key]))
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
