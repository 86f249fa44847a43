"""TLS connections as plaintext.

This stage follows the tracker: it splits the segments of a TLS connection into records, passes them
to a decryptor, and emits segments of plaintext instead, with offsets counted in plaintext and the
numbers and times of the packets that carried the ciphertext. Events are kept. TLS starts at a
segment that begins with a ClientHello, which may be later than the connection's first byte.

The invariant: from there on a connection is passed on either unchanged or as plaintext, never
mixed. Until the first record is decrypted its segments are buffered, up to a limit; if none can be
decrypted they are passed on unchanged. After lost bytes nothing can be decrypted: the rest of that
side is a gap. Spec: RFC 8446, section 5; RFC 5246, section 6.2.
"""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from streamshark.capture.tls_records import Opened, TlsRecord
from streamshark.flows.segment import TORN, Flow, FlowEvent, Gap, Segment
from streamshark.flows.timers import Records

HEADER = 5
LARGEST = 16_384 + 2_048
"""Bytes of a record's body at most (RFC 5246, section 6.2.3)."""
MOST_CLOSED = 16
"""Undecrypted records of application data after which a connection is passed on unchanged. Several
are allowed: early data, whose keys most key logs lack, precedes records that can be decrypted."""
MOST_HELD = 1 << 20
"""Most bytes of a connection that are buffered until its first record is decrypted."""

_APPLICATION_DATA = 23
_TYPES = range(20, 25)
_VERSION = 3
_MINORS = range(5)
_HELLO = 6
"""Bytes that identify a ClientHello: the record's header, and the message's type."""
_HIDING = 17
"""Fewest bytes that a TLS 1.3 record adds to its content: a type and a tag."""
_EMPTY = 64
"""Most further bytes that ciphers of TLS 1.2 add: a record of this size may have no content."""

Delivered = Segment | Gap | FlowEvent
Open = Callable[[Sequence[TlsRecord]], Sequence[Opened]]
"""Decrypts records, given in order for each side; returns one answer for each."""


def could_begin(data: bytes) -> bool:
    """Return whether bytes are the beginning of a ClientHello, as far as they go."""
    if not data or data[0] != 0x16:  # noqa: PLR2004 - handshake; decides most segments
        return False
    known = (
        data[1:2] in (b"", b"\3"),
        data[2:3] < bytes([_MINORS.stop]),
        data[5:6] in (b"", b"\1"),
    )
    return all(known)


class _Record(NamedTuple):
    """A complete record, and the segments that brought it."""

    data: bytes
    offset: int
    """Offset of its first byte in the stream of its side, before decryption."""
    segments: list[Segment]
    last: Segment
    """The segment that completed it."""


class _Side:
    """One direction: the incomplete record, and the position in the plaintext."""

    def __init__(self, offset: int) -> None:
        self.at = offset
        """Offset of the first buffered byte, before decryption."""
        self.plain = offset
        """Offset of the next byte of plaintext; bytes before TLS count unchanged."""
        self.held = b""
        self.segments: deque[Segment] = deque()
        self.lost = False
        """True after lost bytes, or after bytes that are not a record."""
        self.closed = 0
        """Bytes after that, which no gap has covered yet."""

    def feed(self, segment: Segment) -> list[_Record]:
        """Buffer a segment; return the records that it completes."""
        if self.lost:
            self.closed += len(segment.data)
            return []
        self.held += segment.data
        self.segments.append(segment)
        records: list[_Record] = []
        at = 0
        while len(self.held) - at >= HEADER:
            kind, major, minor, high, low = self.held[at : at + HEADER]
            size = high << 8 | low
            if kind not in _TYPES or major != _VERSION or minor not in _MINORS or size > LARGEST:
                self.held = self.held[at:]
                self.lose()
                return records
            end = at + HEADER + size
            if end > len(self.held):
                break
            records.append(self._record(self.held[at:end]))
            at = end
        self.held = self.held[at:]
        return records

    def lose(self) -> None:
        """Give up: no later record of this side can be decrypted."""
        self.lost = True
        self.closed += len(self.held)
        self.held = b""
        self.segments.clear()

    def gap(self, at: Delivered, length: int, reason: str) -> Gap:
        """Return a gap in the plaintext, with the packet of `at`, and continue after it."""
        place = self.plain
        self.plain += length
        return Gap(at.flow, at.side, place, length, at.packet, at.time_ns, at.file, reason)

    def _record(self, data: bytes) -> _Record:
        end = self.at + len(data)
        used = []
        for segment in self.segments:
            used.append(segment)
            if segment.offset + len(segment.data) >= end:
                break
        record = _Record(data, self.at, used, used[-1])
        while self.segments and self.segments[0].offset + len(self.segments[0].data) <= end:
            self.segments.popleft()
        self.at = end
        return record


class _Delivery(NamedTuple):
    """A delivered item, and the records that it completes."""

    delivered: Delivered
    connection: "_Connection | None"
    """None if it belongs to no TLS connection."""
    records: list[_Record]
    is_lost: bool
    """Whether its side cannot be decrypted from here on."""


class _Connection:
    """One TLS connection."""

    def __init__(self, flow: Flow, hello: Segment) -> None:
        self.flow = flow
        self.client = hello.side
        self.sides: dict[int, _Side] = {}
        self.is_open = False
        """True once a record has been decrypted: the connection is passed on as plaintext."""
        self.held: Records = []
        """Items as they came, until that is known."""
        self.ready: Records = []
        """Items that replace them once it is."""
        self.size = 0
        """Bytes of the buffered segments."""
        self.closed = 0
        """Number of records of application data that were not decrypted."""

    def cut(self, delivered: Delivered) -> _Delivery:
        """Split an item into records; they are decrypted later, many at once."""
        if isinstance(delivered, FlowEvent):
            return _Delivery(delivered, self, [], is_lost=False)
        side = self.sides.setdefault(delivered.side, _Side(delivered.offset))
        records: list[_Record] = []
        if isinstance(delivered, Segment):
            records = side.feed(delivered)
        else:
            side.lose()
        return _Delivery(delivered, self, records, side.lost)

    def take(self, step: _Delivery, answers: Sequence[Opened]) -> Records | None:
        """Return what replaces an item; None to pass the connection on unchanged from now on."""
        delivered = step.delivered
        records = list(zip(step.records, answers, strict=True))
        made = self._made(delivered, records)
        if self.is_open:
            return made
        self.held.append(delivered)
        self.ready += made
        if isinstance(delivered, Segment):
            self.size += len(delivered.data)
        if any(opened.is_open for _, opened in records):
            self.is_open = True
            self.flow.encrypted += self.size
            self.held = []
            made, self.ready = self.ready, []
            return made
        if step.is_lost or self.closed >= MOST_CLOSED or self.size > MOST_HELD:
            return None
        return None if isinstance(delivered, FlowEvent) and delivered.name in TORN else []

    def finish(self, now: Delivered) -> Records:
        """Return what is left at the end."""
        if not self.is_open:
            return self.held
        return [gap for number in sorted(self.sides) for gap in self._rest(number, now)]

    def _made(self, delivered: Delivered, records: list[tuple[_Record, Opened]]) -> Records:
        if isinstance(delivered, Segment):
            if self.is_open:
                self.flow.encrypted += len(delivered.data)
            return [each for one, opened in records for each in self._content(one, opened)]
        if isinstance(delivered, Gap):
            side = self.sides[delivered.side]
            return [side.gap(delivered, delivered.length, delivered.reason)]
        out: Records = []
        for number in (0, 1) if delivered.name in TORN else (delivered.side,):
            if delivered.name != "open" and number in self.sides:
                out += self._rest(number, delivered)
        known = self.sides.get(delivered.side)
        return [*out, delivered._replace(offset=known.plain) if known else delivered]

    def _content(self, record: _Record, opened: Opened) -> Records:
        """Return the segments of a record's content, one for each packet that brought some."""
        last = record.last
        side = self.sides[last.side]
        if not opened.content:
            if record.data[0] != _APPLICATION_DATA or opened.is_open:
                return []
            self.closed += 1
            size = len(record.data) - HEADER - _HIDING
            return [side.gap(last, size, "encrypted")] if size > _EMPTY else []
        self.flow.decrypted += len(opened.content)
        out: Records = []
        begin = record.offset + HEADER
        done, size = 0, len(opened.content)
        for segment in record.segments:
            # The content's offset in the body depends on the cipher: a few bytes at most are
            # attributed to the packet before theirs.
            reached = segment.offset + len(segment.data) - begin
            end = size if segment is last else min(max(reached, done), size)
            if end > done:
                data = opened.content[done:end]
                out.append(
                    segment._replace(
                        offset=side.plain, data=data, packet=last.packet,
                        time_ns=last.time_ns, file=last.file, is_payload=False,
                    )
                )  # fmt: skip
                side.plain += len(data)
                done = end
        return out

    def _rest(self, number: int, now: Delivered) -> Records:
        """Return a gap for the undecrypted bytes of one side; its later bytes are lost too."""
        side = self.sides[number]
        side.lose()
        size, side.closed = side.closed, 0
        return [side.gap(now._replace(side=number), size, "encrypted")] if size else []


class TlsFlows:
    """All TLS connections of a session; `open_records` decrypts their records.

    `unopened` lists the numbers of connections of which no record could be decrypted although they
    sent application data.
    """

    def __init__(self, flows: Sequence[Flow], open_records: Open) -> None:
        self.unopened: list[int] = []
        self._flows = flows
        self._open = open_records
        self._connections: dict[int, _Connection] = {}
        self._short: dict[int, list[Delivered]] = {}
        """Items since a segment that is too short to decide whether it begins a ClientHello."""
        self._last: Delivered | None = None

    @property
    def waiting_since(self) -> tuple[int, int, int] | None:
        """Time (ns), file and number of the earliest buffered packet; None without one."""
        held = [each.held[0] for each in self._connections.values() if each.held]
        held += [each[0] for each in self._short.values()]
        return min(((each.time_ns, each.file, each.packet) for each in held), default=None)

    def feed(self, delivered: Records) -> Records:
        """Return the items that replace those of the tracker, in the same order."""
        if not delivered:
            return delivered
        self._last = delivered[-1]
        steps: list[_Delivery] = []
        for whole in delivered:
            for each in self._begun(whole):
                connection = self._connections.get(each.flow)
                none = _Delivery(each, None, [], is_lost=False)
                steps.append(connection.cut(each) if connection else none)
        return self._handed_on(steps)

    def finish(self) -> Records:
        """Return what is buffered, and gaps for what was not decrypted."""
        out: Records = []
        for held in self._short.values():
            out += held
        self._short.clear()
        for number in list(self._connections):
            out += self.finish_one(number)
        return out

    def finish_one(self, number: int) -> Records:
        """Return what is left of one connection, which has ended, as `finish` does."""
        out = self._short.pop(number, [])
        connection = self._connections.pop(number, None)
        if connection is not None and not connection.is_open and connection.closed:
            self.unopened.append(number)
        if connection is not None and self._last is not None:
            out += connection.finish(self._last._replace(flow=number))
        return out

    def _begun(self, delivered: Delivered) -> list[Delivered]:
        """Detect where TLS begins; return the items to process, none while that is undecided."""
        number = delivered.flow
        if number in self._connections:
            return [delivered]
        short = self._short.pop(number, None)
        if short is not None:
            first = next(each for each in short if isinstance(each, Segment))
            held = [*short, delivered]
            known = first.data + b"".join(
                each.data
                for each in held
                if isinstance(each, Segment) and each.side == first.side and each is not first
            )
            if isinstance(delivered, Segment) and could_begin(known):
                if len(known) < _HELLO:
                    self._short[number] = held
                    return []
                self._connections[number] = _Connection(self._flows[number], first)
            return held
        if isinstance(delivered, Segment) and could_begin(delivered.data):
            if len(delivered.data) < _HELLO:
                self._short[number] = [delivered]
                return []
            self._connections[number] = _Connection(self._flows[number], delivered)
        return [delivered]

    def _handed_on(self, steps: list[_Delivery]) -> Records:
        records = [
            TlsRecord(each.delivered.flow, record.last.side == each.connection.client, record.data)
            for each in steps
            if each.connection
            for record in each.records
        ]
        answers = iter(self._open(records) if records else ())
        out: Records = []
        for each in steps:
            delivered, connection = each.delivered, each.connection
            opened = list(islice(answers, len(each.records)))
            if connection is None or self._connections.get(delivered.flow) is not connection:
                out.append(delivered)  # not TLS, or passed on unchanged
                continue
            made = connection.take(each, opened)
            if made is None:
                if connection.closed:
                    self.unopened.append(delivered.flow)
                del self._connections[delivered.flow]
                made = connection.held
            out += made
        return out
