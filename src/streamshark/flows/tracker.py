"""Packets in, segments out: which connection each belongs to, and the short way for the usual one.

Connections are numbered as Wireshark numbers tcp.stream: by first appearance of the two endpoints,
and anew for a SYN (without ACK) whose sequence number is not the one the stream began with.
"""

import struct
from collections import OrderedDict
from dataclasses import dataclass, field

from streamshark.capture.packet import PacketBatch
from streamshark.flows.direction import Direction, distance
from streamshark.flows.duplicates import Duplicates
from streamshark.flows.flow_table import FlowTable
from streamshark.flows.ip import (
    NotTcp,
    TcpHeader,
    endpoints,
    find_in_datagram,
    find_tcp,
    key_between,
    reversed_key,
)
from streamshark.flows.ip_fragments import Fragment, IncompleteDatagrams
from streamshark.flows.link_layer import UnsupportedLinkType, link_name
from streamshark.flows.segment import Flow, Segment
from streamshark.flows.tcp import ACK, SYN, TcpConnection
from streamshark.flows.timers import Arrival, Records, Timers

_ETHERNET = 1
_ETHERNET_HEADER = 14
_IPV4_TYPE = 0x0800
_PLAIN_IPV4 = 0x45
"""Version 4, five words of header: no options."""
_TCP = 6
_NOT_WHOLE = 0x3FFF
"""More fragments, or a fragment offset."""

_USUAL = struct.Struct(">12xHBxH2xHxB2x12sIIBBH").unpack_from
"""Ethernet, IPv4 without options and TCP up to the window: EtherType, version and header length,
total length, fragment, protocol, addresses and ports, then TCP from the sequence number on."""
_UNUSUAL = (0, 0, 0, 0, 0, b"", 0, 0, 0, 0, 0)
_USUAL_SIZE = 50
_USUAL_TCP = 34
_USUAL_LEAST = 40
"""Total length of an IPv4 and a TCP header without options."""

_HEADER = struct.Struct(">4xIIBBH").unpack_from
"""A TCP header from its first byte up to the window."""
_SMALLEST_OFFSET = 0x50
"""A data offset of five words, in the upper half of its byte."""

_SYN_FIN_RST = 7
_MASK = 0xFFFFFFFF

MOST_FOLLOWED = 65_536
"""Connections that are followed at a time; more, and one that was silent for long is over."""
LOOKED_AT = 64
"""Of how many, the oldest, one is chosen."""


@dataclass(slots=True)
class Counters:
    """Where packets went that are no part of a flow; what is left is in the flows."""

    packets: int = 0
    """All packets fed."""
    not_ip: int = 0
    not_tcp: int = 0
    too_deep: int = 0
    """In more than `MOST_TUNNELS` tunnels, one in the other."""
    fragments: int = 0
    """IP fragments that were not put together."""
    joined: int = 0
    """IP fragments that were, but for the one that completed each datagram."""
    differing: int = 0
    """Datagrams of which fragments overlap with other bytes; the first ones count."""
    truncated: int = 0
    """Cut by the snap length before the TCP header's sixteenth byte."""
    bad: int = 0
    """Headers that contradict themselves: lengths too small, or larger than the packet."""
    unsupported: int = 0
    """Packets of link types that cannot be read."""
    links: dict[int, int] = field(default_factory=dict)
    """Of those, how many of each link type."""


class FlowTracker:
    """Follows every TCP connection of one or several captures, fed in order of time."""

    def __init__(self) -> None:
        self.flows = FlowTable()
        """Every connection; the index is its number."""
        self.over: list[int] = []
        """Connections whose ports were used again, or that are too many, since last asked."""
        self._followed: OrderedDict[int, int] = OrderedDict()
        """Those that are followed, by how long it is that somebody looked, to the packets that
        they had then."""
        self.counters = Counters()
        self._sides: dict[bytes, Direction] = {}
        """The direction that a packet of these addresses and ports belongs to."""
        self.alarms = Timers()
        self._fragments = IncompleteDatagrams()
        self._copies = Duplicates()
        self._holding: dict[int, TcpConnection] = {}
        """Connections, by number, that may hold bytes."""
        self._last = Arrival(0, 0, 0)

    def feed(self, batch: PacketBatch) -> Records:  # noqa: C901, PLR0912, PLR0915 - one hot loop
        """Return what the packets of a batch bring, in the order in which a reader must see it.

        Every record of a flow is in order. Between flows the order is that of packets, but for the
        first 50 ms of a connection whose SYN was not seen: they come once it is known where the
        streams begin, with their own packets' numbers and times.
        """
        out: Records = []
        add, new_segment = out.append, tuple.__new__
        data, file, packet = batch.data, batch.file, batch.first - 1
        sides, alarms, time_ns, rang = self._sides, self.alarms, self._last.time_ns, False
        columns = zip(
            batch.times, batch.starts, batch.captured, batch.original, batch.links, strict=True
        )
        # One loop without calls for the packet that is Ethernet, plain IPv4, and next in order:
        # about 1.5 microseconds. Every other kind leaves it for a function that may take its time.
        for time_ns, start, captured, original, link in columns:
            packet += 1
            if time_ns >= alarms.deadline:
                alarms.ring(Arrival(packet, time_ns, file), out)
                rang = True
            usual = link == _ETHERNET and captured >= _USUAL_SIZE
            kind, version, total, fragment, protocol, key, seq, ack, words, flags, window = (
                _USUAL(data, start) if usual else _UNUSUAL
            )
            if (
                version == _PLAIN_IPV4
                and kind == _IPV4_TYPE
                and protocol == _TCP
                and not fragment & _NOT_WHOLE
                and _USUAL_LEAST <= total <= captured - _ETHERNET_HEADER
            ):
                header = start + _USUAL_TCP
                end = start + _ETHERNET_HEADER + total
                content, captured_end = data, start + captured
            elif link < 0:
                self.counters.not_ip += 1  # what nobody is to look at, or no packet
                continue
            else:
                found = self._find(link, data, start, captured, original, time_ns)
                if found is None:
                    continue
                key, header, end, content, captured_end = found
                seq, ack, words, flags, window = _HEADER(content, header)
            side = sides.get(key)
            if side is None or flags & SYN:
                side = self._meet(key, Arrival(packet, time_ns, file, seq, ack, flags), out)
            flow = side.flow
            flow.packets += 1
            if not window and not flags & _SYN_FIN_RST:
                side.trouble.zero_windows += 1
                side.trouble.zero_window = file, packet
            payload = header + (words >> 4) * 4
            length = end - payload
            if length < 0 or words < _SMALLEST_OFFSET:
                self.counters.bad += 1
            elif (
                not side.plain
                or flags & _SYN_FIN_RST
                or end > captured_end
                or (length and seq != side.next)
            ):
                repeated = flow.repeated
                bytes_there = content[payload : min(end, captured_end)]
                arrival = Arrival(
                    packet, time_ns, file, seq, ack, flags, window, bytes_there, length
                )
                self._receive(side, arrival, out)
                if bytes_there and flow.repeated > repeated:
                    found = TcpHeader(key, header, end, content, captured_end)
                    if flow.repeated - repeated >= len(bytes_there) and self._copies.has(
                        batch, packet - batch.first, found
                    ):
                        flow.repeated -= len(bytes_there)
                        flow.copied += len(bytes_there)
                        flow.copies += 1
                    elif length > 1 or distance(seq, side.next) != 1:
                        side.trouble.retransmissions += 1
            elif not length:
                side.acked = ack
            else:
                add(
                    new_segment(
                        Segment,
                        (
                            side.number,
                            side.side,
                            side.offset,
                            content[payload:end],
                            packet,
                            packet,
                            time_ns,
                            file,
                            file,
                            window,
                            flags,
                            False,
                        ),
                    )
                )
                side.next = seq + length & _MASK
                side.offset += length
                side.acked = ack
                flow.payload += length
        if rang:
            held = self._holding.items()
            self._holding = {number: one for number, one in held if one.is_holding}
        self.counters.packets += len(batch)
        self._copies.add(batch)
        self._last = Arrival(packet, time_ns, file)
        return out

    @property
    def last(self) -> tuple[int, int, int]:
        """Time, file and number of the last packet so far."""
        return self._last.time_ns, self._last.file, self._last.packet

    def forget_copies(self) -> None:
        """Forget the packets that later copies would be recognised by."""
        self._copies = Duplicates()

    @property
    def waiting_since(self) -> tuple[int, int, int] | None:
        """Time, file and number of the earliest packet that is to come with its own time."""
        waiting = (connection.waiting_since for connection in self._holding.values())
        return min((since for since in waiting if since is not None), default=None)

    def finish_one(self, number: int) -> Records:
        """Return what is held of a connection that is over; later packets begin another one."""
        out: Records = []
        key = key_between(*self.flows[number].addresses)
        for each in (key, reversed_key(key)):
            side = self._sides.get(each)
            if side is not None and side.number == number:
                del self._sides[each]
                side.connection.finish(self._last, out)
                side.peer = None  # no ring is left, so memory is given back at once
                side.connection.sides = []
        self._followed.pop(number, None)
        self._holding.pop(number, None)
        return out

    def finish(self) -> Records:
        """Return what is still held, once all captures are at their end.

        Raises:
            UnsupportedLinkType: There were packets, and all of link types that cannot be read.
        """
        counters = self.counters
        if counters.packets and counters.unsupported == counters.packets:
            names = ", ".join(link_name(link) for link in sorted(counters.links))
            raise UnsupportedLinkType(
                f"link type {names} is not supported: no packet of the capture can be read"
            )
        out: Records = []
        connections = {side.number: side.connection for side in self._sides.values()}
        for number in sorted(connections):
            connections[number].finish(self._last, out)
        self._holding.clear()
        return out

    def _receive(self, side: Direction, arrival: Arrival, out: Records) -> None:
        """Have a connection take a packet, and remember whether it holds bytes afterwards."""
        connection = side.connection
        connection.receive(side, arrival, out)
        if connection.is_holding:
            self._holding[side.number] = connection
        else:
            self._holding.pop(side.number, None)

    def _meet(self, key: bytes, arrival: Arrival, out: Records) -> Direction:
        """Return the side of a packet that is a direction's first, or has a SYN."""
        side = self._sides.get(key)
        is_syn = arrival.flags & SYN
        if side is None:
            other = self._sides.get(reversed_key(key))
            base = arrival.seq if is_syn else arrival.seq - 1 & _MASK
            if other is None:
                return self._begin(key, base, arrival)
            if other.first_acked >= 0:
                base = other.first_acked - 1 & _MASK
            side = self._sides[key] = other.connection.add_side(base)
        if is_syn and arrival.flags & ACK:
            side.base = arrival.seq  # as Wireshark has it since its issue 16944
        elif is_syn and side.base != arrival.seq:
            # The ports are used again: the old connection is over.
            side.connection.finish(arrival, out)
            self.over.append(side.number)
            self._holding.pop(side.number, None)
            self._sides.pop(reversed_key(key), None)
            return self._begin(key, arrival.seq, arrival)
        return side

    def _begin(self, key: bytes, base: int, arrival: Arrival) -> Direction:
        addresses, ports = endpoints(key)
        flow = Flow(
            len(self.flows), addresses, ports, first_packet=arrival.packet, first_file=arrival.file
        )
        self.flows.append(flow)
        self._followed[flow.number] = 1
        if len(self._followed) > MOST_FOLLOWED:
            self._tire()
        side = self._sides[key] = TcpConnection(flow, self.alarms).add_side(base)
        return side

    def _tire(self) -> None:
        """Say that a connection is over that has had no packet since it was looked at."""
        for _ in range(LOOKED_AT):
            number, packets = self._followed.popitem(last=False)
            now = self.flows[number].packets
            if now == packets:
                break
            self._followed[number] = now
        else:
            number, _ = self._followed.popitem(last=False)
        self.over.append(number)

    def _find(
        self, link: int, data: bytes, start: int, captured: int, original: int, time_ns: int
    ) -> TcpHeader | None:
        """Return where any packet's TCP header is; count it where there is none."""
        outcome = find_tcp(link, data, start, captured, original)
        # A datagram put together may be part of a tunnel in which it was another's fragment.
        while isinstance(outcome, Fragment):
            self.counters.fragments += 1
            whole = self._fragments.add(outcome, time_ns)
            self.counters.differing = self._fragments.differing
            if whole is None:
                return None
            self.counters.fragments -= whole.parts
            self.counters.joined += whole.parts - 1
            outcome = find_in_datagram(outcome, whole)
        if isinstance(outcome, TcpHeader):
            return outcome
        self._count(outcome, link)
        return None

    def _count(self, miss: NotTcp, link: int) -> None:
        counters = self.counters
        setattr(counters, miss.value, getattr(counters, miss.value) + 1)
        if miss is NotTcp.LINK:
            counters.links[link] = counters.links.get(link, 0) + 1
