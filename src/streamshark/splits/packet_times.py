"""Times of all packets of the captures, on disk: timers of connections read apart fire by them.

A timer fires at the first packet, of any connection, at or after its time. A task that reads some
connections looks that packet up here.
"""

import marshal
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from uuid import uuid4

from streamshark.capture.packet import PacketBatch
from streamshark.flows.timers import Arrival
from streamshark.splits.packet_buckets import PacketPlace

_SIZE: Final = array("q").itemsize


class _Block(NamedTuple):
    """Consecutive packets of one file."""

    place: int
    """Place of the first one in its part."""
    file: int
    packet: int
    """Number of the first one."""
    latest_ns: int
    """Largest time in ns."""


class PacketTimes:
    """Writer of the times of the packets of one part of the captures."""

    def __init__(self) -> None:
        self._times = array("q")
        self._blocks: list[_Block] = []
        self.latest_ns = 0
        """Largest time in ns."""

    def add(self, batch: PacketBatch) -> None:
        """Add packets."""
        latest_ns = max(batch.times)
        self._blocks.append(_Block(len(self._times), batch.file, batch.packets[0], latest_ns))
        self._times.extend(batch.times)
        self.latest_ns = max(self.latest_ns, latest_ns)

    def write(self, path: Path) -> None:
        """Write a file; one that exists is replaced."""
        path.parent.mkdir(parents=True, exist_ok=True)
        blocks = marshal.dumps([tuple(each) for each in self._blocks])
        fresh = path.with_name(f"_{path.name}.{uuid4().hex}")
        with fresh.open("wb") as file:
            file.write(len(blocks).to_bytes(8, "little"))
            file.write(blocks)
            self._times.tofile(file)
        fresh.replace(path)


class TimedPart(NamedTuple):
    """A part of the captures whose times were written."""

    part: int
    path: Path
    latest_ns: int
    """Largest time in ns of its packets."""


class PacketClock:
    """Look-up of packets by time, over consecutive parts of the captures."""

    def __init__(self, parts: Sequence[TimedPart]) -> None:
        self._parts = parts
        self._numbers = {each.part: at for at, each in enumerate(parts)}

    def first(
        self, time_ns: int, after: PacketPlace | None, until: PacketPlace | None
    ) -> tuple[PacketPlace, Arrival] | None:
        """Return the first packet at or after a time in ns; None without one.

        Args:
            time_ns: The time.
            after: Only packets after this one are looked at; None for all.
            until: Only packets before this one are looked at; None for all.
        """
        begin = 0 if after is None else self._numbers[after.part]
        end = len(self._parts) if until is None else self._numbers[until.part] + 1
        for each in self._parts[begin:end]:
            if each.latest_ns < time_ns:
                continue
            start = after.place + 1 if after is not None and after.part == each.part else 0
            stop = until.place if until is not None and until.part == each.part else None
            found = _first(each, time_ns, start, stop)
            if found is not None:
                return found
        return None


@lru_cache(maxsize=8)
def _blocks(path: Path) -> tuple[list[_Block], int]:
    """Return the blocks of a file, and the offset of the times."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        return [_Block(*each) for each in marshal.loads(file.read(size))], 8 + size  # noqa: S302 - our own


def _first(
    part: TimedPart, time_ns: int, start: int, stop: int | None
) -> tuple[PacketPlace, Arrival] | None:
    blocks, offset = _blocks(part.path)
    at = max(bisect_right(blocks, start, key=lambda each: each.place) - 1, 0)
    while at < len(blocks) and (stop is None or blocks[at].place < stop):
        block = blocks[at]
        if block.latest_ns >= time_ns:
            end = blocks[at + 1].place if at + 1 < len(blocks) else None
            times = _times(part.path, offset, block.place, end)
            for which, each in enumerate(times, block.place):
                if which >= start and each >= time_ns and (stop is None or which < stop):
                    packet = block.packet + which - block.place
                    return PacketPlace(part.part, which), Arrival(packet, each, block.file)
        at += 1
    return None


def _times(path: Path, offset: int, start: int, end: int | None) -> "array[int]":
    times = array("q")
    with path.open("rb") as file:
        file.seek(offset + start * _SIZE)
        times.frombytes(file.read(-1 if end is None else (end - start) * _SIZE))
    return times
