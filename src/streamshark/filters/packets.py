"""Packets with their headers and rows, as filters of packets see them.

A row belongs to the packet that completed it, as in Wireshark. Packets are yielded in the order of
the captures, once all rows of their time are known.
"""

import struct
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple, Self

from streamshark.capture.packet import PacketBatch
from streamshark.dissection.row import Row
from streamshark.flows.ip import TcpHeader, find_tcp
from streamshark.flows.link_layer import IPV4, IPV6, LINKS

FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
_MASK: Final = 0xFFFF_FFFF
_HALF: Final = 0x8000_0000
_TCP: Final = struct.Struct(">HHIIHH").unpack_from
_IPV4_FIXED, _IPV6_FIXED = 20, 40
UDP: Final = 17


class Span(bytes):
    """The bytes of a protocol; `whole` continues to the end of what it carries.

    As in Wireshark, `contains` and `matches` search what a protocol carries as well.
    """

    whole: bytes

    @classmethod
    def of(cls, data: bytes, whole: bytes) -> Self:
        """Return the span of some bytes."""
        made = cls(data)
        made.whole = whole
        return made


class IpHeader(NamedTuple):
    """An IP header of a packet."""

    version: int
    src: int
    dst: int
    protocol: int
    ttl: int
    data: bytes
    """The header."""


class TcpSegment(NamedTuple):
    """The TCP header of a packet, and what the packets before it show about it."""

    srcport: int
    dstport: int
    seq: int
    """Relative to the first sequence number of its side."""
    ack: int
    flags: int
    window: int
    header: bytes
    payload: bytes
    """Its captured payload."""
    length: int
    """Length of its payload on the wire."""
    stream: int
    is_repeated: bool
    """Whether it begins with bytes that its side has sent before."""
    keeps_alive: bool
    """Whether it is a keep-alive probe."""

    @property
    def flags_text(self) -> str:
        """The flags as `tcp.flags.str` shows them."""
        return "".join(
            name if self.flags >> (11 - at) & 1 else "·" for at, name in enumerate("RRRACEUAPRSF")
        )


class Packet:
    """One packet of a capture, with the rows that it completed."""

    def __init__(self, batch: PacketBatch, at: int, streams: "Streams") -> None:
        start = batch.starts[at]
        self.file, self.number = batch.file, batch.first + at
        self.time_ns = batch.times[at]
        self.data = batch.data[start : start + batch.captured[at]]
        self.length = batch.original[at]
        """Its length on the wire."""
        self.link = batch.links[at]
        self.rows: list[Row] = []
        self.started_ns = self.time_ns
        """Time of the first packet of all captures."""
        self.before_ns: int | None = None
        """Time of the packet before it; None of the first one."""
        self.tcp = streams.segment(self)
        """Its TCP header; None if it has none."""

    @cached_property
    def ip(self) -> list[IpHeader]:
        """Its IP headers: the first one, and the one that TCP is in if that is another."""
        read = LINKS.get(self.link)
        if read is None:
            return []
        kind, at = read(self.data, 0, len(self.data))
        found = _ip_header(kind, self.data, at)
        return [] if found is None else [found]


def _ip_header(kind: int, data: bytes, at: int) -> IpHeader | None:
    if kind == IPV4 and at + _IPV4_FIXED <= len(data):
        size = max((data[at] & 0x0F) * 4, _IPV4_FIXED)
        src, dst = (int.from_bytes(data[at + each : at + each + 4]) for each in (12, 16))
        header = Span.of(data[at : at + size], data[at:])
        return IpHeader(4, src, dst, data[at + 9], data[at + 8], header)
    if kind == IPV6 and at + _IPV6_FIXED <= len(data):
        src, dst = (int.from_bytes(data[at + each : at + each + 16]) for each in (8, 24))
        header = Span.of(data[at : at + _IPV6_FIXED], data[at:])
        return IpHeader(6, src, dst, data[at + 6], data[at + 7], header)
    return None


class _SequenceState:
    """One direction of a connection."""

    def __init__(self, stream: int, base: int) -> None:
        self.stream, self.base = stream, base
        self.next: int | None = None
        """Sequence number after the last byte sent."""


class Streams:
    """Numbers the connections of packets as `flows.tracker` does, and follows their sequence."""

    def __init__(self) -> None:
        self._sides: dict[bytes, _SequenceState] = {}
        self._count = 0

    def segment(self, packet: Packet) -> TcpSegment | None:
        """Return the TCP header of a packet; None if it has none."""
        size = len(packet.data)
        found = find_tcp(packet.link, packet.data, 0, size, packet.length)
        if not isinstance(found, TcpHeader):
            return None
        srcport, dstport, seq, ack, words, window = _TCP(found.data, found.header)
        flags, header = words & 0xFFF, (words >> 12) * 4
        side = self._side(found.key, seq, flags)
        peer = self._sides.get(_reversed(found.key))
        length = max(found.end - found.header - header, 0)
        start = found.header + header
        payload = found.data[start : min(found.end, found.captured_end)]
        whole = found.data[found.header : min(found.end, found.captured_end)]
        behind = 0 if side.next is None else (side.next - seq) & _MASK
        is_behind = side.next is not None and 0 < behind < _HALF
        keeps_alive = is_behind and behind == 1 and length <= 1 and not flags & (SYN | FIN | RST)
        sent = length + bool(flags & (SYN | FIN))
        after = seq + sent & _MASK
        if side.next is None or (after - side.next) & _MASK < _HALF:
            side.next = after
        base = peer.base if peer is not None else (ack - 1 & _MASK)
        if peer is None and flags & ACK:
            self._expect(_reversed(found.key), side.stream, base)
        return TcpSegment(
            srcport, dstport, seq - side.base & _MASK, ack - base & _MASK if flags & ACK else 0,
            flags, window, Span.of(found.data[found.header : start], whole), payload, length,
            side.stream,
            is_behind and sent > 0 and not keeps_alive, keeps_alive,
        )  # fmt: skip

    def _side(self, key: bytes, seq: int, flags: int) -> _SequenceState:
        """Return the direction of a packet; a SYN with another number begins a connection."""
        side, is_syn = self._sides.get(key), flags & SYN
        base = seq if is_syn else seq - 1 & _MASK
        if side is None:
            other = self._sides.get(_reversed(key))
            if other is None:
                return self._begin(key, base)
            side = self._sides[key] = _SequenceState(other.stream, base)
        elif is_syn and flags & ACK:
            side.base = seq
        elif is_syn and side.base != seq:
            self._sides.pop(_reversed(key), None)
            return self._begin(key, seq)
        return side

    def _begin(self, key: bytes, base: int) -> _SequenceState:
        side = self._sides[key] = _SequenceState(self._count, base)
        self._count += 1
        return side

    def _expect(self, key: bytes, stream: int, base: int) -> None:
        """Note where the other direction begins, from the first acknowledgement of it."""
        self._sides[key] = _SequenceState(stream, base)


def _reversed(key: bytes) -> bytes:
    half = (len(key) - 4) // 2
    return key[half:-4] + key[:half] + key[-2:] + key[-4:-2]


class PacketRows:
    """Joins packets with the rows that they complete, as both come; `take` is called with each."""

    def __init__(self, take: Callable[[Packet], object]) -> None:
        self._take = take
        self._streams = Streams()
        self._waiting: deque[Packet] = deque()
        self._rows: dict[tuple[int, int], list[Row]] = {}
        self._first_ns: int | None = None
        self._last_ns: int | None = None

    def row(self, row: Row) -> None:
        """Add a row."""
        self._rows.setdefault((row.file, row.packet), []).append(row)

    def batch(self, batch: PacketBatch, reached_ns: int) -> None:
        """Add packets; pass on those before them whose time is before that of all later rows."""
        self._pass_on(reached_ns)
        for at, link in enumerate(batch.links):
            if link < 0:
                continue
            packet = Packet(batch, at, self._streams)
            if self._first_ns is None:
                self._first_ns = packet.time_ns
            packet.started_ns, packet.before_ns = self._first_ns, self._last_ns
            self._last_ns = packet.time_ns
            self._waiting.append(packet)

    def finish(self) -> None:
        """Pass on all packets: there are no more rows."""
        self._pass_on(None)

    def _pass_on(self, reached_ns: int | None) -> None:
        waiting = self._waiting
        while waiting and (reached_ns is None or waiting[0].time_ns < reached_ns):
            packet = waiting.popleft()
            packet.rows = self._rows.pop((packet.file, packet.number), [])
            self._take(packet)
