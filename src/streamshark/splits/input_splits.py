"""Input splits: parts of large captures between packets, so that several tasks can read one file.

The borders are found by walking over the record headers; each split has the state of the capture's
reader there (interfaces, byte order, number of the packet), so that it reads only its own range and
numbers its packets as in the file. A compressed file has one split, and so has a small one.
"""

import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from streamshark.capture import Capture, CaptureError
from streamshark.capture.merge import WHOLE, LatestTimes, PartBounds
from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import NO_SOURCE
from streamshark.splits.inputs import Input, opened, part_of

SIZE = 128 << 20
"""Approximate bytes of a split."""
LARGE = 2
"""Splits of a file above which it is divided: finding the borders costs time."""
_GLANCE = 4096
"""Bytes read at a time to find a file's first packet."""
_TAIL = 128 * 1024
"""Bytes read to find its last packet."""
_WALKED = 256 * 1024
"""Bytes read at a time to find borders; they are borders between a session's windows, too."""


class Split(NamedTuple):
    """A part of a file."""

    start: int
    """Offset in the file at which reading continues."""
    packets: int
    """Number of its packets."""
    reader: bytes
    """The pickled state of the capture's reader there."""
    bounds: PartBounds = WHOLE
    """Its place among the packets of the file."""

    def open(self, name: str, file: int = 0) -> Capture:
        """Open the capture, number `file`, at the beginning of this part."""
        reader: Capture = pickle.loads(self.reader)  # noqa: S301 - made by `splits`
        return reader.resumed(part_of(name, self.start), file=file)


class Extent(NamedTuple):
    """Time span of a file, and the parts in which it can be read."""

    first_ns: int
    """Time in ns of the earliest packet."""
    last_ns: int
    """Time in ns of the latest packet."""
    parts: list[tuple[Split | None, int]]
    """Parts with their sizes in bytes; None is a file that is read as a whole."""


def extent(file: Input, size: int = SIZE) -> Extent | None:
    """Return the time span and parts of a file, by walking its records; None without packets."""
    try:
        capture = opened(file.name, 0)
    except CaptureError:
        return None
    parts: list[tuple[Split | None, int]] = [(None, file.size)]
    if file.size > size and not capture.compression:
        parts = list(_parts(capture, size)) or parts
        last, of = parts[-1]
        parts[-1] = (last and last._replace(bounds=PartBounds(last.bounds.before)), of)
    else:
        for _ in capture.batches():
            pass
    if capture.first_ns is None or capture.last_ns is None:
        return None
    return Extent(capture.first_ns, capture.last_ns, parts)


def glance(file: Input, size: int = SIZE) -> Extent | None:
    """Return the times of a file's first and last packets; None without packets.

    Packets in between may be earlier or later. If the last one is not found, as in compressed
    files, the time of the first is used for it. The parts are empty if the file is so large that it
    is to be divided.
    """
    try:
        with opened(file.name, 0) as capture:
            first = next(capture.batches(_GLANCE, 1), None)
            if first is None:
                return None
            start = first.times[0]
            if capture.compression:
                return Extent(start, start, [(None, file.size)])
            if file.size > LARGE * size:
                return Extent(start, start, [])
            end = _last_time(capture, file)
    except CaptureError:
        return None
    return Extent(start, max(start, end or start), [(None, file.size)])


def _last_time(capture: Capture, file: Input) -> int | None:
    """Return the time of the last packet, from the end of a file; None if it is not found.

    Records are read from the first offset from which they follow each other to the very end.
    """
    if file.size < 0:
        return None
    start, data = max(file.size - _TAIL, 0), b""
    with closing(part_of(file.name, start)) as source:
        while len(data) < _TAIL and (more := source.read(_TAIL)):
            data += more
    in_vain: set[int] = set()  # offsets that were tried before
    for at in range(-start % capture.alignment, len(data), capture.alignment):
        walked: list[int] = []
        place: int | None = at
        while place is not None and place < len(data) and place not in in_vain:
            walked.append(place)
            place = capture.record_end(data, place)
        if place == len(data):
            break
        in_vain.update(walked)
    else:
        return None
    tail = capture.resumed(NO_SOURCE, data[at:])
    times: list[int] = [each.times[-1] for each in tail.batches()]
    return times[-1] if times else None


class Range(NamedTuple):
    """A file, or a part of it, to be read."""

    file: int
    """Its number among the files."""
    name: str
    split: Split | None
    size: int
    """Approximate bytes."""

    @property
    def bounds(self) -> PartBounds:
        """Its place among the packets of the file."""
        return WHOLE if self.split is None else self.split.bounds

    @property
    def limit(self) -> int | None:
        """Number of the packets to be read, late ones after the part included; None for all."""
        bounds = self.bounds
        if self.split is None or bounds.last is None:
            return None
        return self.split.packets + bounds.end - bounds.last

    def open(self) -> Capture:
        """Open the capture where it begins; raise CaptureError if it cannot be read any more."""
        if self.split is None:
            return opened(self.name, self.file)
        return self.split.open(self.name, self.file)

    def joined(self, other: "Range") -> "Range":
        """Return this part and the one that follows it in the file as one."""
        if self.split is None or other.split is None:
            raise ValueError(f"{self.name} is one part")
        bounds = other.bounds._replace(before=self.bounds.before)
        packets = self.split.packets + other.split.packets
        split = self.split._replace(packets=packets, bounds=bounds)
        return self._replace(split=split, size=self.size + other.size)


TimeSlice = tuple[Range, ...]
"""Consecutive packets of all captures: none of an earlier split comes after one of a later
split. A part with which its file does not end is one by itself."""


def bounds_of(time_slice: TimeSlice) -> PartBounds:
    """Return the place of consecutive packets among those of their files."""
    return time_slice[-1].bounds._replace(before=time_slice[0].bounds.before)


def time_slices(
    files: Sequence[tuple[int, Input, Extent | None]], size: int = SIZE
) -> list[TimeSlice]:
    """Divide captures, each with its number, into splits of about `size` bytes.

    Files whose times overlap are read together, since their packets are merged by time.
    """
    known = sorted(
        ((found, number, file) for number, file, found in files if found is not None),
        key=lambda each: (each[0].first_ns, each[1]),
    )
    pieces: list[tuple[list[Range], int]] = []
    together: list[tuple[Extent, int, Input]] = []
    for each in [*known, None]:
        if together and (each is None or _is_behind(each, together)):
            if len(together) == 1:
                found, number, file = together[0]
                pieces += [([Range(number, file.name, split, of)], of) for split, of in found.parts]
            else:
                whole = [Range(number, file.name, None, file.size) for _, number, file in together]
                whole.sort()
                pieces.append((whole, sum(file.size for _, _, file in together)))
            together = []
        if each is not None:
            together.append(each)
    out: list[TimeSlice] = []
    ranges: list[Range] = []
    gathered = 0
    for more, of in pieces:
        follows = bool(ranges) and ranges[-1].file == more[0].file
        is_cut = more[0].bounds.last is not None
        if ranges and (gathered + of > size or (is_cut and not follows)):
            out.append(tuple(ranges))
            ranges, gathered, follows = [], 0, False
        if follows:
            ranges[-1] = ranges[-1].joined(more[0])
        else:
            ranges += more
        gathered += of
    return [*out, tuple(ranges)] if ranges else out


def _is_behind(
    file: tuple[Extent, int, Input], others: Sequence[tuple[Extent, int, Input]]
) -> bool:
    """Return whether all packets of a file come after those of others.

    If at one time, by number.
    """
    last = max((found.last_ns, number) for found, number, _ in others)
    return last < (file[0].first_ns, file[1])


def splits(file: Input, size: int = SIZE) -> Iterator[Split | None]:
    """Yield the parts of a file; None is a file that is read as a whole."""
    if file.size <= size:
        yield None
        return
    try:
        capture = opened(file.name, 0)
    except CaptureError:
        return
    if capture.compression:
        capture.close()
        yield None
        return
    for split, _ in _parts(capture, size):
        yield split


def _parts(capture: Capture, size: int) -> Iterator[tuple[Split, int]]:
    """Yield the parts of a capture, each with its size in bytes."""
    start, reader, first = capture.reached, pickle.dumps(capture.bookmark()), 0
    latest, before = LatestTimes(), tuple[int, ...]()
    waiting: deque[tuple[Split, int]] = deque()
    """Parts that late packets may follow."""
    for batch in capture.batches(min(size, _WALKED)):
        starts = latest.add(batch.times)
        end = starts[0] if starts else len(batch)
        waiting = deque((_with_late(split, batch, end), of) for split, of in waiting)
        while waiting and (starts or waiting[0][0].bounds.until_ns <= latest.earliest_ns):
            yield waiting.popleft()
        if capture.reached - start >= size:
            bounds = PartBounds(before, capture.packets, latest.latest_ns, capture.packets)
            split = Split(start, capture.packets - first, reader, bounds)
            waiting.append((split, capture.reached - start))
            start, reader, first, before = (
                capture.reached,
                pickle.dumps(capture.bookmark()),
                capture.packets,
                tuple(latest.values),
            )
    yield from waiting
    if capture.packets > first:
        split = Split(start, capture.packets - first, reader, PartBounds(before))
        yield split, capture.reached - start


def _with_late(split: Split, batch: PacketBatch, end: int) -> Split:
    """Return a split with those of the next packets, up to a place, that belong to it."""
    until_ns = split.bounds.until_ns
    late = [at for at, time_ns in enumerate(batch.times[:end]) if time_ns < until_ns]
    if not late:
        return split
    return split._replace(bounds=split.bounds._replace(end=batch.packets[late[-1]]))
