"""Tasks of the first stage: packets put together by bucket of connections.

A task walks over consecutive packets of the captures. Besides the packets it writes their times,
and returns what only a reading of all packets knows of the captures.
"""

import contextlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from streamshark.capture import Capture, CaptureError
from streamshark.capture.capture import Secrets
from streamshark.capture.merge import TimeOrder, merged, steady
from streamshark.flows.link_layer import LINKS, link_name
from streamshark.flows.timers import Arrival
from streamshark.spark.domains import DomainFilter, narrowed
from streamshark.spark.numbering import write_array
from streamshark.spark.read_task import spare
from streamshark.splits.input_splits import Extent, Range, TimeSlice, bounds_of
from streamshark.splits.inputs import UnreadableInput, opened
from streamshark.splits.packet_buckets import PacketBuckets, PartFiles
from streamshark.splits.packet_times import PacketTimes, TimedPart


@dataclass(frozen=True)
class PacketTask:
    """Consecutive packets of a domain's captures."""

    part: int
    """Number of the part, unique in the run: parts of overlapping files may come later than their
    place among all parts says."""
    folder: str
    """Staging folder of the run."""
    time_slice: TimeSlice
    within: DomainFilter | None
    buckets: int
    """Number of buckets of connections."""
    codec: str

    @property
    def place(self) -> Path:
        """Folder of the packets."""
        return Path(self.folder) / "_packets"


class CaptureNotes(NamedTuple):
    """What a task has found out about a capture, or about a part of one."""

    name: str
    packets: int
    """Number of its last packet so far."""
    first_ns: int | None
    damage: str | None
    is_whole: bool
    """Whether it was read from its beginning to its end."""
    drops: bool
    """Whether it says that packets were dropped."""


@dataclass
class PacketReport:
    """Facts about the packets of a part, for the driver."""

    files: int
    """Number of files with packets."""
    latest_ns: int
    last: Arrival | None
    """The last packet; None without one."""
    set_back: int
    """How often the clock was set back."""
    notes: list[CaptureNotes]
    extents: dict[str, Extent]
    """Time spans of the files that were read as a whole."""
    secrets: list[Secrets] = field(default_factory=list)
    links: dict[int, int] = field(default_factory=dict)
    """Link type to the number of packets."""
    first_ns: int = 0

    def part_files(self, task: PacketTask, part: int) -> PartFiles:
        """Return the files of the part, given its place among all parts."""
        paths = tuple(task.place / f"{task.part:05}-{at:03}" for at in range(self.files))
        return PartFiles(part, paths)

    def timed(self, task: PacketTask, part: int) -> TimedPart:
        """Return the times of the part, given its place among all parts."""
        return TimedPart(part, times_of(task), self.latest_ns)


def sizes_of(task: PacketTask) -> Path:
    """Return the file with the bytes of each bucket."""
    return task.place / f"{task.part:05}.sizes.npy"


def times_of(task: PacketTask) -> Path:
    """Return the file with the times of a task's packets."""
    return task.place / f"{task.part:05}.times"


def put_packets(task: PacketTask) -> PacketReport:
    """Write the packets of a part by bucket, their times, and the bytes of each bucket."""
    spare()
    captures = _open(task)
    buckets = PacketBuckets(task.place, f"{task.part:05}", task.buckets, task.codec)
    times = PacketTimes()
    last: Arrival | None = None
    epoch, links = 0, Counter[int]()
    first_ns = 0
    try:
        read = merged([each for each, _ in captures], task.time_slice[0].limit)
        for batch, is_set_back in steady(read, TimeOrder(bounds_of(task.time_slice))):
            if not batch.times:
                continue
            if last is None:
                first_ns = batch.times[0]
            epoch += is_set_back
            buckets.add(batch, epoch)
            times.add(batch)
            last = Arrival(batch.packets[-1], batch.times[-1], batch.file)
            links.update(batch.links)
        times.write(times_of(task))
        files = buckets.finish()
        write_array(sizes_of(task), buckets.sizes)
    finally:
        buckets.drop()
    return PacketReport(
        files, times.latest_ns, last, epoch,
        [_notes(capture, of) for capture, of in captures],
        {
            of.name: Extent(each.first_ns, each.last_ns, [(None, of.size)])
            for each, of in captures
            if of.split is None and each.first_ns is not None and each.last_ns is not None
        },
        [secret for each, _ in captures for secret in each.secrets], dict(links), first_ns,
    )  # fmt: skip


def unsupported(links: dict[int, int]) -> str:
    """Return why no packet can be decoded, given link types; empty if some can, or without any."""
    if not links or any(each in LINKS or each < 0 for each in links):
        return ""
    names = ", ".join(link_name(link) for link in sorted(links))
    return f"link type {names} is not supported: no packet of the capture can be decoded"


def inspected(name: str) -> UnreadableInput | None:
    """Return what is wrong with a capture without packets; None if nothing is."""
    try:
        with opened(name, 0) as capture:
            for _ in capture.batches():
                pass
            return UnreadableInput(name, capture.damage, 0) if capture.damage else None
    except CaptureError as error:
        return UnreadableInput(name, str(error).removeprefix(f"{name}: "), 0)


def _notes(capture: Capture, of: Range) -> CaptureNotes:
    drops = any(each.dropped or each.dropped_by_system for each in capture.statistics.values())
    last = of.bounds.last
    packets, damage = (capture.packets, capture.damage) if last is None else (last, None)
    return CaptureNotes(of.name, packets, capture.first_ns, damage, of.split is None, drops)


def _open(task: PacketTask) -> list[tuple[Capture, Range]]:
    """Return the captures of a part; the driver reports those that cannot be read."""
    out = []
    for each in task.time_slice:
        with contextlib.suppress(CaptureError):
            out.append((narrowed(each.open(), task.within), each))
    return out
