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
from streamshark.filters.tcp_analysis import (
    ACK,
    MOST_SHIFT,
    SYN,
    Analysed,
    ConnectionHistory,
    SegmentHead,
)
from streamshark.flows.ip import TCP_FIXED, TcpHeader, find_tcp, ip_headers
from streamshark.flows.link_layer import IPV4

_MASK: Final = 0xFFFF_FFFF
_TCP: Final = struct.Struct(">HHIIHH").unpack_from
_IPV6_FIXED = 40
_PORTS: Final = struct.Struct(">HH").unpack_from
UDP: Final = 17
UDP_FIXED: Final = 8
_NO_OPERATION, _WINDOW_SCALE, _SACK = 1, 3, 5


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

    @property
    def payload(self) -> bytes:
        """What the protocol carries."""
        return self.whole[len(self) :]


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
    analysed: Analysed
    """What its numbers tell, after those of the packets before it."""
    window_size: int
    """Its window, scaled if the shift is known."""
    since_first_ns: int
    """Time in ns since the first packet of the connection."""
    since_last_ns: int
    """Time in ns since the packet before it of the connection."""

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
        """Its IP headers, the outermost first: several where one packet is in another."""
        found = ip_headers(self.link, self.data)
        return [_ip_header(self.data, kind, at, end) for kind, at, _, end in found]

    @cached_property
    def datagrams(self) -> list[Span]:
        """Its UDP headers, each with the datagram."""
        starts = (at for at in self.carried(UDP) if at + 4 <= len(self.data))
        return [self._datagram(at) for at in starts]

    def _datagram(self, at: int) -> Span:
        """Return the UDP header at an offset, with its datagram and without padding."""
        header = self.data[at : at + UDP_FIXED]
        size = max(int.from_bytes(header[4:6]), UDP_FIXED)
        return Span.of(header, self.data[at : at + size])

    @cached_property
    def udp(self) -> list[tuple[int, int]]:
        """Source and destination ports of its UDP headers."""
        return [_PORTS(each) for each in self.datagrams]

    def carried(self, protocol: int) -> list[int]:
        """Return where what IP carries begins in the packet, of a protocol."""
        return [at for *_, kind, at in ip_headers(self.link, self.data) if kind == protocol]


def _ip_header(data: bytes, kind: int, at: int, end: int) -> IpHeader:
    """Return the IP header of an EtherType at an offset; what it carries begins at `end`."""
    if kind == IPV4:
        src, dst = (int.from_bytes(data[at + each : at + each + 4]) for each in (12, 16))
        header = Span.of(data[at:end], data[at:])
        return IpHeader(4, src, dst, data[at + 9], data[at + 8], header)
    src, dst = (int.from_bytes(data[at + each : at + each + 16]) for each in (8, 24))
    header = Span.of(data[at : at + _IPV6_FIXED], data[at:])
    return IpHeader(6, src, dst, data[at + 6], data[at + 7], header)


class _SequenceState:
    """One direction of a connection."""

    def __init__(self, stream: int, base: int, history: ConnectionHistory, side: int) -> None:
        self.stream, self.base = stream, base
        self.history, self.side = history, side

    def peer(self, base: int) -> "_SequenceState":
        """Return the other direction."""
        return _SequenceState(self.stream, base, self.history, 1 - self.side)


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
        base = peer.base if peer is not None else (ack - 1 & _MASK)
        if peer is None and flags & ACK:
            self._expect(_reversed(found.key), side, base)
        options = found.data[found.header + TCP_FIXED : start]
        scale = option(options, _WINDOW_SCALE) if flags & SYN else None
        head = SegmentHead(
            seq, ack, length, flags, window, packet.number, packet.time_ns,
            scale=scale[0] if scale else None, sacks=not length and bool(option(options, _SACK)),
        )  # fmt: skip
        analysed = side.history.analyse(side.side, head)
        shift = 0 if flags & SYN else side.history.sides[side.side].scale or 0
        return TcpSegment(
            srcport, dstport, seq - side.base & _MASK, ack - base & _MASK if flags & ACK else 0,
            flags, window, Span.of(found.data[found.header : start], whole), payload, length,
            side.stream, analysed, window << min(shift, MOST_SHIFT),
            *side.history.since(packet.time_ns),
        )  # fmt: skip

    def _side(self, key: bytes, seq: int, flags: int) -> _SequenceState:
        """Return the direction of a packet; a SYN with another number begins a connection."""
        side, is_syn = self._sides.get(key), flags & SYN
        base = seq if is_syn else seq - 1 & _MASK
        if side is None:
            other = self._sides.get(_reversed(key))
            if other is None:
                return self._begin(key, base)
            side = self._sides[key] = other.peer(base)
        elif is_syn and flags & ACK:
            side.base = seq
        elif is_syn and side.base != seq:
            self._sides.pop(_reversed(key), None)
            return self._begin(key, seq)
        return side

    def _begin(self, key: bytes, base: int) -> _SequenceState:
        side = self._sides[key] = _SequenceState(self._count, base, ConnectionHistory(), 0)
        self._count += 1
        return side

    def _expect(self, key: bytes, side: _SequenceState, base: int) -> None:
        """Note where the other direction begins, from the first acknowledgement of it."""
        self._sides[key] = side.peer(base)


def option(options: bytes, kind: int) -> bytes | None:
    """Return the value of a TCP option (RFC 9293, section 3.1); None if it is not there."""
    at = 0
    while at + 1 < len(options) and options[at]:
        size = 1 if options[at] == _NO_OPERATION else max(options[at + 1], 2)
        if options[at] == kind:
            return options[at + 2 : at + size]
        at += size
    return None


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
