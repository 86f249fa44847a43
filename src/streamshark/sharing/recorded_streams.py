"""The bytes of every connection of a reading, in parts that can be left out one by one.

A part is a frame where the protocol is directly on TCP, a message of WebSocket or a frame of
HTTP/2 where one of them carries it, and else the bytes between such parts. Together the parts of a
side are its stream. TLS that was decrypted is there as its plaintext.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from streamshark.dissection.row import FrameRow, Row
from streamshark.dissector import Dissector
from streamshark.errors import StreamsharkError
from streamshark.flows import FlowEvent, Gap
from streamshark.flows.segment import Flow, Segment
from streamshark.framing.splitter import At
from streamshark.sharing import carrier_parts
from streamshark.sharing.carrier_parts import CarrierPart

MOST_BYTES: Final = 256 << 20
"""Most bytes of connections that are kept: a capture is minimised in memory."""
ZERO_WINDOW: Final = "zero_window"
"""Name of the event of a side that closes its window."""
Delivered = Segment | Gap | FlowEvent
Position = tuple[int, int, int]
"""Number of a connection, side, and offset in the side's stream."""


class Part(NamedTuple):
    """A part of one side's stream."""

    at: At
    """The packet that completed it."""
    flow: int
    side: int
    offset: int
    """Offset in the side's stream of the capture."""
    data: bytes
    """Its bytes; those of a carrier may be written anew, so that they need no earlier part."""
    lost: int = 0
    """Bytes that the capture does not have, in the place of `data`."""
    group: str = ""
    """The conversation, or the stream of a carrier, that it belongs to; empty without one."""
    is_frame: bool = True
    """Whether it is a frame or a message; False for bytes that are neither."""

    @property
    def order(self) -> tuple[At, int, int, int]:
        """Key by which parts are sorted."""
        return self.at, self.flow, self.side, self.offset

    @property
    def size(self) -> int:
        """Bytes that it takes of the stream."""
        return len(self.data) + self.lost


class RecordedFlow(NamedTuple):
    """One connection: when it began and ended, and its parts."""

    flow: Flow
    opened: FlowEvent | None
    """Its SYN; None if it was not captured."""
    ends: tuple[FlowEvent, ...]
    """What ended it or a side of it (FIN, RST, a failed attempt), and closed windows."""
    parts: tuple[Part, ...]
    """In the order in which they were complete."""
    is_whole: bool = True
    """False if its carrier's messages could not be told apart: its parts are kept together."""


class SideBytes:
    """One side's bytes, as they came."""

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.chunks: list[Segment | Gap] = []
        self.frames: list[tuple[int, int, str]] = []
        """Offset, end, and conversation of each frame that is directly on TCP."""

    def add(self, chunk: Segment | Gap) -> None:
        """Add bytes, or a gap."""
        self.offsets.append(chunk.offset)
        self.chunks.append(chunk)

    def at(self, offset: int) -> At:
        """Return the packet that brought the byte at an offset."""
        chunk = self.chunks[max(0, bisect_right(self.offsets, offset) - 1)]
        return chunk.time_ns, chunk.file, chunk.packet

    def stretches(self) -> Iterator[tuple[int, bytes, int]]:
        """Yield offset and bytes of each stretch without a gap, or offset and size of a gap."""
        start, data = 0, bytearray()
        for each in self.chunks:
            if isinstance(each, Gap):
                if data:
                    yield start, bytes(data), 0
                yield each.offset, b"", each.length
                data = bytearray()
            else:
                start = start if data else each.offset
                data += each.data
        if data:
            yield start, bytes(data), 0


class StreamRecorder:
    """Keeps the bytes of all connections of a reading, and where the frames in them are."""

    def __init__(self, dissector: Dissector) -> None:
        self._dissector = dissector
        self._sides: dict[tuple[int, int], SideBytes] = {}
        self._events: dict[int, list[FlowEvent]] = {}
        self._flows: dict[int, Flow] = {}
        self._carriers: dict[int, str | None] = {}
        self._kept = 0
        self.gaps: list[Gap] = []
        dissector.on_delivered(self.take)

    def take(self, delivered: Iterable[Delivered]) -> None:
        """Keep records of TCP."""
        for each in delivered:
            if each.flow not in self._flows:
                self._flows[each.flow] = self._dissector.tracker.flows[each.flow]
            if isinstance(each, FlowEvent):
                self._events.setdefault(each.flow, []).append(each)
                continue
            if isinstance(each, Gap):
                self.gaps.append(each)
            else:
                self._kept += len(each.data)
            self._sides.setdefault((each.flow, each.side), SideBytes()).add(each)
        if self._kept > MOST_BYTES:
            raise StreamsharkError(
                f"more than {MOST_BYTES >> 20} MiB of connections: choose those that matter first, "
                "with streamshark read --flow N -w OUT"
            )

    def row(self, row: Row) -> Position:
        """Note where a row is; return that."""
        connection, number = row.connection, row.connection.flow.number
        if connection.outer is None:
            carrier = connection.carrier
            self._carriers[number] = carrier.id if carrier else None
            if isinstance(row, FrameRow) and carrier is None:
                name = None if row.annotation is None else row.annotation.name
                group = "" if name is None or name.type == "connection" else str(name)
                side = self._sides.get((number, row.side))
                if side is not None:
                    side.frames.append((row.offset, row.offset + len(row.data), group))
        return number, row.side, row.offset

    def flows(self) -> list[RecordedFlow]:
        """Return all connections, in the order of their numbers."""
        return [self._recorded(number) for number in sorted(self._flows)]

    def _recorded(self, number: int) -> RecordedFlow:
        events = self._events.get(number, [])
        opened = next((each for each in events if each.name == "open"), None)
        ends = [each for each in events if each.name != "open"]
        ends += filter(None, (self._stall(number, side) for side in (0, 1)))
        carrier = self._carriers.get(number)
        spans = self._spans(number, carrier)
        parts: list[Part] = []
        for side in (0, 1):
            if (kept := self._sides.get((number, side))) is not None:
                parts += _parts(number, side, kept, spans[side] if spans else None)
        parts.sort(key=lambda each: each.order)
        is_whole = carrier is None or spans is not None
        return RecordedFlow(self._flows[number], opened, tuple(ends), tuple(parts), is_whole)

    def _stall(self, number: int, side: int) -> FlowEvent | None:
        """Return when a side's window was last closed, as near as its bytes say; None if never."""
        trouble = self._flows[number].trouble[side]
        if not trouble.zero_windows:
            return None
        file, packet = trouble.zero_window
        kept = (self._sides.get((number, other)) for other in (0, 1))
        chunks = chain.from_iterable(each.chunks for each in kept if each is not None)
        before = [each.time_ns for each in chunks if (each.file, each.packet) <= (file, packet)]
        if not before:
            return None
        return FlowEvent(number, side, ZERO_WINDOW, packet, max(before), file, 0)

    def _spans(
        self, number: int, carrier: str | None
    ) -> tuple[list[CarrierPart], list[CarrierPart]] | None:
        """Return the messages of a carrier on both sides; None if they cannot be told apart."""
        if carrier is None:
            return None
        streams = []
        for side in (0, 1):
            kept = self._sides.get((number, side))
            stretches = list(kept.stretches()) if kept else [(0, b"", 0)]
            if len(stretches) != 1 or stretches[0][0]:
                return None
            streams.append(stretches[0][1])
        return carrier_parts.spans_of(carrier, streams[0], streams[1])


def _parts(
    flow: int, side: int, kept: SideBytes, spans: list[CarrierPart] | None
) -> Iterator[Part]:
    """Yield the parts of one side."""
    if spans is not None:
        for each in spans:
            yield Part(
                kept.at(each.end - 1), flow, side, each.offset, each.data, 0, each.group,
                each.is_message,
            )  # fmt: skip
        return
    for start, data, lost in kept.stretches():
        if lost:
            yield Part(kept.at(start), flow, side, start, b"", lost, is_frame=False)
            continue
        for begins, ends, group, is_frame in _cuts(kept, start, start + len(data)):
            yield Part(
                kept.at(ends - 1), flow, side, begins, data[begins - start : ends - start], 0,
                group, is_frame,
            )  # fmt: skip


def _cuts(kept: SideBytes, start: int, end: int) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the frames of a stretch, and the bytes between them as their packets had them."""
    position = start
    for begins, ends, group in [*sorted(kept.frames), (end, end, "")]:
        if begins < position or ends > end:
            continue
        for at in kept.offsets[bisect_right(kept.offsets, position) :]:
            if at >= begins:
                break
            yield position, at, "", False
            position = at
        if begins > position:
            yield position, begins, "", False
        if ends > begins:
            yield begins, ends, group, True
        position = ends
