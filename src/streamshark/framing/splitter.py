"""Split one direction of a connection into frames.

A splitter takes segments in order, and gaps, and buffers bytes that do not make a frame yet. It is
either *in sync* (the next byte is the first of a frame) or *searching*. Every byte that it is given
ends up framed or skipped with a reason, exactly once.

In sync, the head gives the frame's length. An unknown key or version is accepted only if a
plausible head follows. A length is accepted unless the frame ends out of sync and other frames line
up inside it, so that one wrong length cannot swallow good frames. Out of sync, the search advances
byte by byte (or by the protocol's `marks`) to the first offset at which well-formed frames line up.
A gap inside a frame of known length costs only that frame: splitting resumes at its end.
"""

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from operator import itemgetter
from typing import Any, NamedTuple

from streamshark.flows.segment import Gap, Segment
from streamshark.framing import proxy_protocol
from streamshark.framing.head import NO_FRAME, Measured
from streamshark.framing.wire_format import FrameTable, Selector
from streamshark.schema import Head, Problem, ProblemCode
from streamshark.schema.secrets import is_likely

BELIEVED = 64 * 1024
"""Most bytes of a frame with an unknown key: a larger one is taken as loss of sync."""
REACH = 4 * 1024 * 1024
"""Most bytes of the frames that end a search, so that a false head does not delay it."""
TRIES = 4
"""Factor that limits the bytes that a search decodes to this multiple of the bytes it has
passed."""
FOREIGN_BYTES = 4096
"""Most bytes of another protocol that are shown; the row comes with the last of them."""
BEGINS_INSIDE = "the capture begins inside a frame"
"""Reason of bytes that are skipped before the first frame of a side."""
TAIL = 15
"""Bytes at the end of a search in which a head may have begun."""

_new = tuple.__new__
"""Constructor of named tuples that skips their own `__new__`: for objects made per frame."""

Selection = tuple[int | str, int | None, bool]
"""Key, version and response bit of a head."""
At = tuple[int, int, int]
"""Time (ns), file and number of a packet."""


class ResyncEffort(NamedTuple):
    """Limits of a resynchronisation."""

    everywhere: int
    """Bytes without a frame after which only the starts of segments are tried."""
    reach: int
    """Most bytes of the frames that end it."""


FULL = ResyncEffort(1 << 62, REACH)
"""For a connection that is known to speak the protocol."""
NEAR = ResyncEffort(16 * 1024, REACH)
"""For a connection that only the server's port, or others to it, suggest."""
FAR = ResyncEffort(1024, BELIEVED)
"""For a connection of which nothing is known."""


class PacketRef(NamedTuple):
    """Reference to the packets that brought some bytes."""

    packets: Sequence[int]
    """Packet numbers, in the file of the last packet."""
    at: At
    """The packet that completed the bytes."""
    lead: int | None = None
    """Payload bytes of the first packet before these; None unless these bytes are the payloads of
    `packets` from there on, as captured, one after another."""


class RawFrame(NamedTuple):
    """The bytes of a frame, their position, and the selector from the head."""

    offset: int
    data: bytes
    place: PacketRef
    selector: Selector | None
    """None if the bytes have no head of this protocol."""
    problem: Problem | None
    """What is wrong with the head; None if nothing."""


class SkippedBytes(NamedTuple):
    """Bytes that belong to no frame."""

    offset: int
    length: int
    place: PacketRef
    reason: str
    total: int = 0
    """Length of the frame that these bytes begin; 0 if unknown."""
    selector: Selector | None = None
    """Selector of that frame."""
    stray: bool = False
    """True if a search has found no frame in them."""
    since: At = (0, 0, 0)
    """The packet of the first byte, if `stray`."""
    begins: bool = False
    """True if all after them is skipped as well: they begin what is not read, such as TLS."""


NO_MARKS: deque[Segment] = deque()
"""Shared empty deque of splitters that buffer nothing, as most do: one of its own takes 0.5 KiB."""


class FrameSplitter:
    """Splitter of one direction: `feed`, `gap` and `finish` return frames and skipped bytes."""

    __slots__ = (
        "base",
        "chain",
        "chunks",
        "doubt",
        "effort",
        "foreign",
        "framed",
        "held",
        "in_step",
        "late",
        "least",
        "left",
        "marks",
        "measure",
        "most",
        "named",
        "need",
        "preamble",
        "proves",
        "reason",
        "resume",
        "scanned",
        "selection",
        "skipped",
        "sound",
        "strayed",
        "table",
        "total",
        "tried",
        "upgraded",
    )  # fmt: skip

    def __init__(
        self,
        table: FrameTable,
        *,
        in_step: bool,
        sound: Callable[[bytes, Selector], bool],
        effort: ResyncEffort = FULL,
        proves: Callable[[bytes], bool] | None = None,
    ) -> None:
        self.table = table
        self.in_step = in_step
        """True if the next byte is taken as the first of a frame."""
        self.sound = sound
        """Returns whether a frame decodes without problems."""
        self.effort = effort
        self.proves = proves
        """Returns whether one well-formed frame is enough to end a search; None if one never is."""
        self.strayed = 0
        """Bytes in which searches have found no frame."""
        self.measure = table.measure
        self.most = table.head.most
        self.chain = table.wire.chain
        self.least = table.head.least if isinstance(table.head, Head) else 1
        self.base = 0
        """Offset in the stream of the first buffered byte."""
        self.chunks: list[bytes] = []
        self.held = 0
        self.need = 0
        """Fewest buffered bytes for which another look is worthwhile."""
        self.total = 0
        """Length of the frame at `base` if its head is known, else 0."""
        self.selection: Selection | None = None
        """Selector of that head, set by `begin`; None if `feed` has looked at the buffer."""
        self.marks = NO_MARKS
        """Segments of the buffered bytes, and of at least the last bytes before them."""
        self.resume = 0
        """Offset before which bytes are the rest of a frame interrupted by a gap."""
        self.reason = BEGINS_INSIDE
        """Why bytes are skipped while searching."""
        self.scanned = 0
        """Offset up to which the search has rejected every position."""
        self.tried = 0
        """Bytes that searches have decoded without success."""
        self.doubt = False
        """True while an unknown frame waits for the head after it."""
        self.late = False
        """True if the last frame was found inside another and became readable only now."""
        self.foreign: str | None = None
        """Name of another protocol that these bytes are; None if unknown."""
        self.upgraded: str | None = None
        """Name of the protocol that this direction is upgraded to, which is not read; else None."""
        self.named = False
        """True once a frame without a selector has shown the foreign bytes."""
        self.left = False
        """True once bytes of another protocol were skipped."""
        self.preamble: int | None = None
        """Bytes of a PROXY protocol header before the first frame; None before that is known."""
        self.framed = 0
        self.skipped: Counter[str] = Counter()

    @property
    def unsettled(self) -> At | None:
        """The packet of the first buffered byte if it may not be a frame's; else None."""
        if not self.held or (self.in_step and not self.doubt):
            return None
        return _at(self.marks[0])

    # Input

    def start(self, *, in_step: bool) -> None:
        """Set whether the next byte is the first of a frame: no byte before it is of one."""
        self.in_step = in_step

    def hold(self, segment: Segment, held: int) -> None:
        """Buffer a segment that does not end the frame; `held` bytes are buffered with it."""
        self.chunks.append(segment.data)
        self.held = held
        self.marks.append(segment)

    def pass_frame(self, end: int, length: int) -> None:
        """Count a frame that was read from its segment and that ends at offset `end`."""
        self.base = end
        self.framed += length
        self.late = False

    def feed(self, segment: Segment) -> list[RawFrame | SkippedBytes]:
        """Buffer a segment and return the frames that it completes."""
        data = segment.data
        if not self.held:
            self.base = segment.offset
        self.chunks.append(data)
        self.held = held = self.held + len(data)
        if self.marks is NO_MARKS:
            self.marks = deque()
        self.marks.append(segment)
        self.selection = None
        return self._work(final=False) if held >= self.need else []

    def may_measure(self, length: int, start: int) -> bool:
        """Return whether `length` bytes from an offset may be decoded without another look."""
        return self.tried + length <= REACH + TRIES * start

    def measured(self, data: bytes, start: int) -> Measured:
        """Return the head of bytes at an offset; None if incomplete or of an impossible length."""
        measured = self.measure(data, 0, len(data))
        if measured is None or not self.least <= measured[0] <= self.most:
            return None
        return measured if self.may_measure(len(data), start) else None

    def begin(self, segment: Segment, total: int, selection: Selection) -> bool:
        """Buffer a segment with which a frame begins; return False for an unknown frame."""
        self.base = segment.offset
        if selection not in self.table.selectors or not self._may_try(0, total):
            return False
        self.chunks = [segment.data]
        self.marks = deque((segment,))
        self.held = len(segment.data)
        self.need = self.total = total
        self.selection = selection
        self.doubt = self.late = False
        return True

    def take(self, segment: Segment, data: bytes, selector: Selector) -> RawFrame:
        """Return a well-formed frame made of the buffered bytes and the segment up to its end."""
        if self.held:
            start = self.base
            self.marks.append(segment)
            place = (
                self._place(start, len(data)) if self.selection is None else self._whole(segment)
            )
            self.chunks = []
            self.marks = NO_MARKS
            self.held = self.need = self.total = 0
        else:
            start = segment.offset
            lead = 0 if segment.is_payload else None
            place = _new(PacketRef, ([segment.origin], _at(segment), lead))
        self.doubt = self.late = False
        self.base = start + len(data)
        self.framed += len(data)
        return _new(RawFrame, (start, data, place, selector, None))

    def gap(self, gap: Gap) -> list[RawFrame | SkippedBytes]:
        """Skip bytes that were not captured; the stream continues after them."""
        out = self._work(final=True) if self.held else []
        whole = self.base + self.total if self.held and self.total else 0
        if self.held:
            is_frame = whole or self.in_step
            out.append(self._rest("a gap interrupts this frame" if is_frame else self.reason))
        end = gap.offset + gap.length
        self.resume = max(self.resume, whole)
        self.in_step = self.resume >= end
        self.base = self.scanned = end
        self.marks = NO_MARKS
        self.need = self.total = 0
        self.reason = "out of sync after a gap"
        return out

    def finish(self) -> list[RawFrame | SkippedBytes]:
        """Return what is left at the end: an incomplete frame, or unidentified bytes."""
        out = self._work(final=True) if self.held else []
        if self.held:
            out.append(
                self._rest("the connection or capture ended first" if self.in_step else self.reason)
            )
        return out

    # Splitting

    def _work(self, *, final: bool) -> list[RawFrame | SkippedBytes]:
        data = self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)
        out: list[RawFrame | SkippedBytes] = []
        at = 0
        if self.resume > self.base:
            at = min(self.resume - self.base, len(data))
            out.append(self._skip(0, at, "the rest of a frame interrupted by a gap"))
        self.need = self.total = 0
        self.doubt = self.late = False
        if self.preamble is None:
            at = self._begin(data, out, final=final)
            if self.preamble is None:
                return out
        while at < len(data) and self.foreign is None and self.upgraded is None:
            if self.in_step:
                at = self._step(data, at, out, final=final)
                if self.in_step:
                    break
            else:
                at = self._search(data, at, out, final=final)
                if not self.in_step:
                    break
        if self.foreign is not None:
            at = self._take_foreign(data, at, out, final=final)
        elif self.upgraded is not None and at < len(data):
            out.append(self._unread(at, len(data) - at, self.upgraded))
            at = len(data)
        self._keep(data, at)
        return out

    def _begin(self, data: bytes, out: list[RawFrame | SkippedBytes], *, final: bool) -> int:
        """Skip a PROXY protocol header before the first frame; return its length."""
        found = proxy_protocol.read(data, final=final) if not self.base else proxy_protocol.NONE
        if found is None:
            self.need = len(data) + 1
            return 0
        self.preamble = found.length
        if found.length:
            out.append(
                self._skip(0, found.length, proxy_protocol.REASON)._replace(reason=found.text)
            )
            self.in_step = True
        return found.length

    def _take_foreign(
        self, data: bytes, at: int, out: list[RawFrame | SkippedBytes], *, final: bool
    ) -> int:
        """Return one frame for the first bytes of another protocol, and skip the rest."""
        if not self.named:
            size = min(len(data) - at, FOREIGN_BYTES)
            if size < FOREIGN_BYTES and not final:
                self.need = FOREIGN_BYTES
                return at
            first = data[at : at + size]
            self.foreign = self.table.wire.foreign_name(first)
            message = f"these bytes are {self.foreign}"
            out.append(
                self._cut(at, first, None, Problem(ProblemCode.FOREIGN, -1, 0, size, message))
            )
            self.named = True
            at += size
        if at < len(data):
            out.append(self._unread(at, len(data) - at, self.foreign))
        return len(data)

    def _keep(self, data: bytes, at: int) -> None:
        """Keep the bytes from `at`, and their segments."""
        self.base += at
        self.held = len(data) - at
        marks = self.marks
        if not self.held:
            self.chunks = []
            self.marks = NO_MARKS
            return
        self.chunks = [data[at:]]
        while marks and marks[0].offset + len(marks[0].data) <= self.base:
            marks.popleft()

    def _step(
        self, data: bytes, at: int, out: list[RawFrame | SkippedBytes], *, final: bool
    ) -> int:
        """Split frame after frame; at an implausible head, leave sync."""
        end, measure = len(data), self.measure
        measured, selector = measure(data, at, end), None
        while at < end:
            if measured is None and final:
                measured = self._cut_head(data, at)
            if measured is None:
                self.need = end - at + 1
                self.doubt = self._cut_head(data, at) is not None
                break
            total = measured[0]
            selector = selector or self._selector(measured)
            following = measure(data, at + total, end) if total > 0 else None
            problem, upcoming = None, self._selector(following) if following else None
            if selector is None:
                selector = Selector(*measured[1:])
                length = self._believed(data, at, total, final=final)
                problem = self.table.oddity(total, selector)
            elif upcoming is not None:
                length = total
            else:
                length = self._length(data, at, total, selector, final=final)
            if not length:
                self._wait_or_search(data, at, total, selector, length)
                break
            if length > end - at:
                self.need = self.total = total
                break
            if length < total:
                problem, following, upcoming = _swallowing(total, length), None, None
                self.late = True
            out.append(self._cut(at, data[at : at + length], selector, problem))
            at += length
            measured, selector = following or measure(data, at, end), upcoming
        return at

    def _selector(self, measured: tuple[int, int | str, int | None, bool]) -> Selector | None:
        """Return the selector of a known frame with a possible length; else None."""
        if self.least <= measured[0] <= self.most:
            return self.table.selectors.get(measured[1:])
        return None

    def _wait_or_search(
        self, data: bytes, at: int, total: int, selector: Selector, length: int | None
    ) -> None:
        """Wait for the next head (`length` None), or start a search (0: no frame begins here)."""
        if length is None:
            self.doubt = True
            self.need = max(total, len(data) - at + 1)
        else:
            self._lost(data, at, total, selector)

    def _length(
        self, data: bytes, at: int, total: int, selector: Selector, *, final: bool
    ) -> int | None:
        """Return the length of a known frame that no known head follows.

        It is the one in the head, unless the frame is malformed or its end never comes, and other
        frames line up inside it: then the offset of the first of them. None while bytes are missing
        to decide.
        """
        after, end = at + total, len(data)
        if after > end and not final:
            return total
        if after <= end and (not self._may_try(at, total) or self.sound(data[at:after], selector)):
            return total
        inner = self._inner(data[:after], at)
        if inner is None:
            return total
        if not final and self.measure(data, after, end) is None:
            return None
        return inner - at

    def _inner(self, data: bytes, at: int) -> int | None:
        """Return the first offset inside the frame at `at` from which frames line up to its end."""
        if isinstance(self.table.head, Head) and not self.table.wire.lengths_hold:
            for place in self._places(data, at + self.least):
                if self._lines_up(data, place, final=True):
                    return place
            self._in_vain(len(data) - at)
        return None

    def _cut_head(self, data: bytes, at: int) -> Measured:
        """Return an incomplete head at the end of the data whose length is complete; else None."""
        rest = data[at:]
        measured = self.measure(rest + bytes(TAIL), 0, len(rest) + TAIL)
        return measured if measured and 0 < measured[0] <= len(rest) else None

    def _believed(self, data: bytes, at: int, total: int, *, final: bool) -> int | None:
        """Return the length of an unknown frame if it is small and a good head follows.

        0 if no frame begins here, None while bytes are missing to decide.
        """
        if total == NO_FRAME or not 0 < total <= BELIEVED:
            return 0
        after = at + total
        if after > len(data):
            return 0 if final else None
        if self.measure(data, after, len(data)) is None:
            return total if final else None
        return total if self._known(data, after) else 0

    def _known(self, data: bytes, at: int) -> bool:
        """Return whether a head of a known frame is at this offset."""
        measured = self.measure(data, at, len(data))
        return measured is not None and self._selector(measured) is not None

    def _lost(self, data: bytes, at: int, total: int, selector: Selector) -> None:
        """Leave sync: another protocol begins here, or unknown bytes."""
        self.in_step = False
        self.upgraded = self.table.wire.upgrade_name(data[at : at + FOREIGN_BYTES])
        self.foreign = self.table.wire.foreign_name(data[at : at + FOREIGN_BYTES])
        key, version, _ = selector
        head = f"length {total}, key {key}" + ("" if version is None else f", version {version}")
        if total == NO_FRAME:
            first = data[at : at + TAIL]
            head = "***" if is_likely(first) else ascii(first.decode("latin-1"))
        self.reason = f"no frame begins here ({head})"
        self.scanned = self.base + at

    # Searching

    def _search(
        self, data: bytes, at: int, out: list[RawFrame | SkippedBytes], *, final: bool
    ) -> int:
        """Find the first offset at which frames line up, and skip the bytes before it.

        Offsets are decided in order, so that the result does not depend on how the bytes are
        segmented.
        """
        keep = max(at, len(data) - TAIL)
        self.need = 0
        for place in self._places(data, max(self.scanned - self.base, at)):
            found = self._lines_up(data, place, final=final)
            if found:
                self.in_step = True
                self.need = 0
                if place > at:
                    out.append(self._stray(at, place - at))
                return place
            if found is None:
                keep = place
                break
        if final:
            return at
        self.scanned = self.base + keep
        if keep > at:
            out.append(self._stray(at, keep - at))
        self.need = max(self.need - keep, len(data) - keep + 1)
        return keep

    def _places(self, data: bytes, at: int) -> Iterator[int]:
        """Yield the offsets at which a head may begin.

        Peers send whole frames, so that after `effort.everywhere` bytes only the starts of segments
        are tried.
        """
        end = min(len(data), at + max(0, self.effort.everywhere - self.strayed))
        marks = self.table.wire.marks
        if marks is None:
            yield from range(at, end)
        else:
            for match in marks.finditer(data, at, end):
                yield match.start()
        if end < len(data):
            starts = [each.offset - self.base for each in self.marks]
            yield from starts[bisect_left(starts, end) :]

    def _lines_up(self, data: bytes, at: int, *, final: bool) -> bool | None:
        """Return whether well-formed frames follow each other from here.

        `chain` of them are required; one that `proves` is enough, and so are those that an upgrade
        follows. Malformed frames among them are tolerated if they are not more than the well-formed
        ones before: a client with a fault repeats it. At the end of the bytes, one frame less is
        enough. None while bytes are missing to decide; `need` is then where they end.
        """
        place, sound, odd, end = at, 0, 0, len(data)
        while sound < self.chain:
            measured = self.measure(data, place, end)
            if measured is None:
                return sound > odd and sound >= self.chain - 1 if final else None
            total, key, version, response = measured
            known = self._selector(measured) is not None
            reach = place + total - at
            if not known and sound > odd and self._is_upgrade(data, place):
                break
            believed = known or (odd < sound and 0 < total <= BELIEVED)
            if not believed or reach > self.effort.reach or not self._may_try(at, reach):
                return self._in_vain(place - at)
            if total > end - place:
                self.need = place + total
                return sound > odd and sound >= self.chain - 1 if final else None
            if not sound and self.effort is not FULL and self._is_odd(data, place + total):
                return self._in_vain(0)
            frame = data[place : place + total]
            if known and self.sound(frame, Selector(key, version, response)):
                sound += 1
                if self._is_proof(data, place, total):
                    break
            elif odd < sound:
                odd += 1
            else:
                return self._in_vain(reach)
            place += total
        return True

    def _is_upgrade(self, data: bytes, at: int) -> bool:
        """Return whether a known upgrade begins here."""
        return self.table.wire.upgrade_name(data[at : at + FOREIGN_BYTES]) is not None

    def _is_proof(self, data: bytes, at: int, length: int) -> bool:
        """Return whether one well-formed frame ends a search, and nothing unknown follows it."""
        is_proved = self.proves is not None and self.proves(data[at : at + length])
        return is_proved and not self._is_odd(data, at + length)

    def _is_odd(self, data: bytes, at: int) -> bool:
        """Return whether these bytes are not the head of a known frame."""
        measured = self.measure(data, at, len(data))
        if measured is None or self._selector(measured) is not None:
            return False
        return not self._is_upgrade(data, at)

    def _may_try(self, at: int, length: int) -> bool:
        """Return whether so many bytes may be decoded although they may not be frames."""
        return self.may_measure(length, self.base + at)

    def _in_vain(self, length: int) -> bool:
        """Count bytes that were decoded without success, and return False."""
        self.tried += length
        return False

    # Accounting

    def _cut(
        self, at: int, data: bytes, selector: Selector | None, problem: Problem | None
    ) -> RawFrame:
        self.framed += len(data)
        offset = self.base + at
        place = self._place(offset, len(data))
        return _new(RawFrame, (offset, data, place, selector, problem))

    def _skip(self, at: int, length: int, reason: str) -> SkippedBytes:
        self.skipped[reason] += length
        offset = self.base + at
        return SkippedBytes(offset, length, self._place(offset, length), reason)

    def _unread(self, at: int, length: int, what: str | None) -> SkippedBytes:
        """Skip bytes of another protocol, which has all that comes from here on."""
        skip = self._skip(at, length, f"this is {what}")._replace(begins=not self.left)
        self.left = True
        return skip

    def _stray(self, at: int, length: int) -> SkippedBytes:
        self.strayed += length
        skip = self._skip(at, length, self.reason)
        return skip._replace(stray=True, since=_at(self.marks[0]))

    def _rest(self, reason: str) -> SkippedBytes:
        """Skip all that is buffered."""
        data = b"".join(self.chunks)
        selector = None
        if self.total:
            measured = self.measure(data, 0, len(data))
            selector = Selector(*measured[1:]) if measured else None
        skip = self._skip(0, self.held, reason)
        since = _at(self.marks[0])
        stray = not self.in_step
        skip = skip._replace(total=self.total, selector=selector, stray=stray, since=since)
        self.base += self.held
        self.held = 0
        self.chunks = []
        return skip

    def _place(self, offset: int, length: int) -> PacketRef:
        """Return the packets of `[offset, offset + length)`; ranges come in order."""
        marks, end = self.marks, offset + length
        first = marks[0]
        last = first.offset + len(first.data)
        while last <= offset and len(marks) > 1:
            marks.popleft()
            first = marks[0]
            last = first.offset + len(first.data)
        lead = offset - first.offset if first.is_payload else None
        if last >= end:
            at = (first.time_ns, first.file, first.packet)
            return _new(PacketRef, ([first.origin], at, lead))
        whole = marks[-1].offset < end
        used = marks if whole else list(takewhile(lambda mark: mark.offset < end, marks))
        at = max(map(_at, used))
        return _new(PacketRef, _joined(used, at, lead))

    def _whole(self, last: Segment) -> PacketRef:
        """Return the packets of all buffered bytes, in order of time; `last` is the last one."""
        return _new(PacketRef, _joined(self.marks, _at(last), 0))


def _members(*names: str) -> Callable[[Segment], Any]:
    """Return a function that takes members of a segment as a tuple."""
    return itemgetter(*map(Segment._fields.index, names))


_at: Callable[[Segment], At] = _members("time_ns", "file", "packet")


def _joined(
    segments: Sequence[Segment], at: At, lead: int | None
) -> tuple[list[int], At, int | None]:
    """Return the members of a `PacketRef` to segments, the first of which has `lead` bytes before.

    Packets of other files than the last one's are left out.
    """
    packets = [each.origin for each in segments if each.is_payload and each.origin_file == at[1]]
    if len(packets) == len(segments):
        return packets, at, lead
    packets = [each.origin for each in segments if each.origin_file == at[1]]
    return list(dict.fromkeys(packets)), at, None


def _swallowing(total: int, length: int) -> Problem:
    message = f"the length says {total} bytes, but the next frame begins after {length}"
    return Problem(ProblemCode.CLAIM, -1, 0, length, message)
