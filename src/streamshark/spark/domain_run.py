"""A domain while its captures are read: what the driver knows of it."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from streamshark.framing.splitter import At
from streamshark.spark.connection_task import ConnectionReport, ConnectionTask
from streamshark.spark.domains import DomainFilter
from streamshark.spark.object_task import ObjectTask
from streamshark.spark.output_folder import write_whole
from streamshark.spark.packet_task import PacketReport, PacketTask, unsupported
from streamshark.spark.read_task import LATE, ReadTask
from streamshark.spark.ring_buffer import missing
from streamshark.splits.input_splits import Extent, TimeSlice
from streamshark.splits.inputs import Input, UnreadableInput
from streamshark.splits.shared_servers import START, Learned

STATE = "domain.json"
"""File with what the driver keeps of a domain."""


@dataclass
class DomainState:
    """What the driver knows of a domain after a run."""

    names: list[str] = field(default_factory=list)
    """Its captures."""
    frames: int = 0
    """Number of frames that are not numbered again."""
    flows: int = 0
    """Number of connections."""
    epoch: int = 0
    """How often the clock was set back."""
    reached_ns: int = 0
    """Time in ns of the last row."""
    split: list[int] | None = None
    """Epoch, time in ns, file and packet from which on frames are numbered again; None for none."""
    joint: list[int] = field(default_factory=list)
    """Buckets of connections that are read together."""
    has_joint: bool = False
    """Whether connections were read together."""
    joins: bool = False
    """Whether all connections are, whose protocol may carry what others answer."""
    servers: list[str] = field(default_factory=list)
    """Endpoints at which a connection was recognised."""
    learned: list[list[Any]] = field(default_factory=list)
    """What connections have shown of servers: kind, server and value."""
    drops: bool = False
    groups: int = 0
    """Number of groups of connections, each with a state."""
    whole: bool = False
    """Whether one task reads all connections."""
    open: list[list[int]] = field(default_factory=list)
    """Buckets with connections that later captures may continue, each with its group."""
    facts: int = 0
    """Time in ns that the facts of its objects have reached."""

    @classmethod
    def read(cls, folder: Path) -> "DomainState":
        """Return the state that a run has kept in a folder."""
        return cls(**json.loads((folder / STATE).read_text("utf-8")))

    def write(self, folder: Path) -> None:
        """Keep it in a folder."""
        write_whole(folder / STATE, json.dumps(asdict(self)).encode())


@dataclass
class DomainRun:
    """One domain, being read."""

    job: ReadTask
    """Its task, with the names of all captures."""
    within: DomainFilter | None
    fresh: list[tuple[int, Input]]
    """The new captures, with their numbers."""
    state: DomainState
    """State before the run, then after it."""
    earlier: Path | None
    """Folder of what the last run has kept; None without one."""
    keeps: Path
    """Folder for the next run."""
    work: Path
    """Staging folder for files of its own."""
    extents: dict[str, Extent] = field(default_factory=dict)
    read: dict[TimeSlice, tuple[PacketTask, PacketReport]] = field(default_factory=dict)
    slices: list[TimeSlice] = field(default_factory=list)
    """The final parts of the captures, in order."""
    sources: list[tuple[ConnectionTask, ConnectionReport]] = field(default_factory=list)
    ranks: list[Path] = field(default_factory=list)
    bad: list[UnreadableInput] = field(default_factory=list)
    split: tuple[int, At] | None = None
    end_ns: int = 0
    objects: list[ObjectTask] = field(default_factory=list)

    def parts(self) -> list[tuple[PacketTask, PacketReport]]:
        """Return the parts of the new captures, in order."""
        return [self.read[each] for each in self.slices]

    def outdated(self) -> Iterator[ConnectionTask]:
        """Yield the tasks that would read otherwise given what others have shown since."""
        for task, report in self.sources:
            others = [
                each for other, of in self.sources if other is not task for each in of.learned
            ]
            others += self.known()
            known = set(task.given)
            fresh = [each for each in others if each not in known]
            if any(each.is_answered(fresh) for each in report.asked):
                yield replace(task, given=tuple(others))

    def known(self) -> tuple[Learned, ...]:
        """Return what connections of earlier captures have shown of servers."""
        return tuple(Learned(START, *each) for each in self.state.learned)

    def learned(self) -> list[list[Any]]:
        """Return what connections have shown of servers so far: the last of each kind, in order."""
        fresh = sorted(each for _, report in self.sources for each in report.learned)
        found = {(each.kind, each.server): each for each in (*self.known(), *fresh)}
        return [[each.kind, each.server, each.value] for each in found.values()]

    def earlier_of(self, share: int) -> str | None:
        """Return the folder of what the last run has kept of a source; None without one."""
        return None if self.earlier is None else str(self.earlier / f"{share:05}")

    def damaged(self) -> list[UnreadableInput]:
        """Return captures that could not be read to their end, or come late, and missing ones."""
        found: dict[str, list[Any]] = {each.name: [] for _, each in self.fresh}
        links: dict[int, int] = {}
        for _, report in self.parts():
            for note in report.notes:
                found[note.name].append(note)
            for link, packets in report.links.items():
                links[link] = links.get(link, 0) + packets
        bad: list[UnreadableInput] = []
        if why := unsupported(links):
            bad += (UnreadableInput(name, why, 0) for name in sorted(found))
        for name, notes in found.items():
            packets = max((each.packets for each in notes), default=0)
            bad += (UnreadableInput(name, each.damage, packets) for each in notes if each.damage)
            first = min(
                (each.first_ns for each in notes if each.first_ns is not None), default=None
            )
            if first is not None and first < self.state.reached_ns:
                bad.append(UnreadableInput(name, LATE, packets))
        known = (*self.state.names, *self.job.names)
        return [*bad, *missing(frozenset(found), known)]

    def keeps_of(self, task: ConnectionTask) -> Path:
        """Return the folder of what is kept of a source for the next run."""
        return self.keeps / f"{task.job.share:05}"
