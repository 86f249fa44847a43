"""Tracker of TCP connections: packets in, segments out, with a fast path for the usual packet.

Connections are numbered as Wireshark numbers tcp.stream: by first appearance of the two endpoints,
and anew for a SYN (without ACK) whose sequence number differs from that of the stream's first.
"""

import struct
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from streamshark.capture.packet import NO_FLOW, PacketBatch
from streamshark.flows.direction import distance
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
from streamshark.flows.ip_fragments import (
    Fragment,
    IncompleteDatagrams,
    JoinedDatagram,
    PacketNumber,
)
from streamshark.flows.link_layer import UnsupportedLinkType, link_name
from streamshark.flows.segment import Flow, Segment
from streamshark.flows.tcp import ACK, SYN, TcpConnection, TcpDirection
from streamshark.flows.timers import Arrival, Records, Timers
from streamshark.flows.trouble import RecentSigns

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
"""Most connections that are followed at a time; beyond that, one that was silent for long is
closed."""
LOOKED_AT = 64
"""Number of the oldest connections among which the silent one is searched."""


@dataclass(slots=True)
class Counters:
    """Counts of packets that belong to no flow; the others are counted in the flows."""

    packets: int = 0
    """All packets fed."""
    not_ip: int = 0
    not_tcp: int = 0
    too_deep: int = 0
    """Packets in more than `MOST_TUNNELS` nested tunnels."""
    fragments: int = 0
    """IP fragments that were not reassembled."""
    joined: int = 0
    """IP fragments that were reassembled, without the one that completed each datagram."""
    differing: int = 0
    """Datagrams whose overlapping fragments differ; the first bytes to arrive are used."""
    truncated: int = 0
    """Packets cut by the snap length before the TCP header's sixteenth byte."""
    bad: int = 0
    """Packets with inconsistent headers: lengths too small, or larger than the packet."""
    unsupported: int = 0
    """Packets of unsupported link types."""
    links: dict[int, int] = field(default_factory=dict)
    """Link type to the number of unsupported packets."""


class FlowTracker:
    """Tracker of every TCP connection of one or several captures, fed in order of time.

    If it is fed only some of the packets, `flows` and `alarms` say how its connections are
    numbered, and at which packets its timers fire.
    """

    def __init__(self, flows: FlowTable | None = None, alarms: Timers | None = None) -> None:
        self.flows = FlowTable() if flows is None else flows
        """Every connection, by number."""
        self.over: list[int] = []
        """Numbers of connections that ended because their ports were reused, or because there are
        too many, since the caller last took them."""
        self._followed: OrderedDict[int, int] = OrderedDict()
        """Followed connections, the longest unchecked first, to their packet count at that
        check."""
        self.counters = Counters()
        self._sides: dict[bytes, TcpDirection] = {}
        """Key of addresses and ports to the direction."""
        self.alarms = Timers() if alarms is None else alarms
        self._fragments = IncompleteDatagrams()
        self._copies = Duplicates()
        self._signs = RecentSigns()
        self._holding: dict[int, TcpConnection] = {}
        """Connections, by number, that may buffer bytes."""
        self._last = Arrival(0, 0, 0)
        self._numbers: list[int] | None = None
        """Flow of each packet of the batch, -1 for none; None if they are not needed."""
        self._earlier: Sequence[PacketNumber] = ()
        """Packets that brought the first fragments of the datagram that was last completed."""
        self._fragmented: list[tuple[PacketNumber, int, int]] = []
        self._joined: list[JoinedDatagram] = []

    def reset_counters(self) -> None:
        """Count packets from zero again."""
        self.counters = Counters()

    def feed(self, batch: PacketBatch) -> Records:  # noqa: C901, PLR0912, PLR0915 - one hot loop
        """Return the records of a batch, in the order in which they must be processed.

        All records of a flow are in order. Between flows the order is that of packets, except for
        the first 50 ms of a connection without a captured SYN: its records come once the starts of
        the streams are known, with the numbers and times of their own packets.
        """
        out: Records = []
        add, new_segment = out.append, tuple.__new__
        data, file, packet = batch.data, batch.file, batch.first - 1
        sides, alarms, time_ns, rang = self._sides, self.alarms, self._last.time_ns, False
        numbers = self._numbered(batch)
        columns = zip(
            batch.packets,
            batch.times,
            batch.starts,
            batch.captured,
            batch.original,
            batch.links,
            strict=True,
        )
        # One loop without calls for the packet that is Ethernet, plain IPv4, and next in order:
        # about 1.5 microseconds. Every other kind is passed to a function, which is slower.
        for packet, time_ns, start, captured, original, link in columns:
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
                self.counters.not_ip += 1  # filtered out, or no packet
                continue
            else:
                at = (time_ns, file, packet)
                found = self._find(link, data, start, captured, original, at)
                if found is None:
                    continue
                key, header, end, content, captured_end = found
                seq, ack, words, flags, window = _HEADER(content, header)
            side = sides.get(key)
            if side is None or flags & SYN:
                side = self._meet(key, Arrival(packet, time_ns, file, seq, ack, flags), out)
            flow = side.flow
            flow.packets += 1
            if numbers is not None:
                self._number(flow, batch.place(packet), is_captured=content is data)
            if not window and not flags & _SYN_FIN_RST:
                side.trouble.see_zero_window((time_ns, file, packet))
                self._signs.add(side.trouble)
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
                    packet, time_ns, file, seq, ack, flags, window, bytes_there, length,
                    content is data,
                )  # fmt: skip
                self._receive(side, arrival, out)
                if bytes_there and flow.repeated > repeated:
                    found = TcpHeader(key, header, end, content, captured_end)
                    if flow.repeated - repeated >= len(bytes_there) and self._copies.has(
                        batch, batch.place(packet), found
                    ):
                        flow.repeated -= len(bytes_there)
                        flow.copied += len(bytes_there)
                        flow.copies += 1
                    elif length > 1 or distance(seq, side.next) != 1:
                        side.trouble.see_retransmission((time_ns, file, packet))
                        self._signs.add(side.trouble)
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
                            content is data,
                        ),
                    )
                )
                side.next = seq + length & _MASK
                side.offset += length
                side.acked = ack
                flow.payload += length
        self._drop_settled(rang=rang)
        self.counters.packets += len(batch)
        self._copies.add(batch)
        self._last = Arrival(packet, time_ns, file)
        return out

    def reach(self, arrival: Arrival) -> Records:
        """Return the records of timers that are due by a packet that is not for this tracker."""
        out: Records = []
        if arrival.time_ns >= self.alarms.deadline:
            self.alarms.ring(arrival, out)
            self._drop_settled(rang=True)
        self._last = arrival
        return out

    def number_packets(self) -> None:
        """Note the flow of each packet from now on, for `packet_flows`."""
        self._numbers = []

    def _drop_settled(self, *, rang: bool) -> None:
        """After a timer, drop connections that buffer nothing any more from those that may."""
        if rang:
            held = self._holding.items()
            self._holding = {number: one for number, one in held if one.is_holding}

    def _numbered(self, batch: PacketBatch) -> list[int] | None:
        """Begin to note the flows of a batch's packets; return None if they are not needed."""
        if self._numbers is not None:
            self._numbers = [NO_FLOW] * len(batch)
            self._joined = []
        return self._numbers

    def _number(self, flow: Flow, at: int, *, is_captured: bool) -> None:
        """Note the flow of a packet, and of the fragments that it completes."""
        if self._numbers is not None:
            self._numbers[at] = flow.number
        if not is_captured:
            self._fragmented += ((each, at, flow.number) for each in self._earlier)

    def packet_flows(self) -> tuple[Sequence[int], Sequence[tuple[PacketNumber, int, int]]]:
        """Return the flow of each packet of the last batch, -1 for those of none.

        Then (file and number, position, flow) of earlier packets: fragments of a datagram that the
        packet at this position of the batch has completed.
        """
        fragmented, self._fragmented = self._fragmented, []
        return self._numbers or (), fragmented

    def joined_datagrams(self) -> Sequence[JoinedDatagram]:
        """Return the datagrams in fragments that packets of the last batch have completed."""
        return self._joined

    @property
    def last(self) -> tuple[int, int, int]:
        """Time (ns), file and number of the last packet so far."""
        return self._last.time_ns, self._last.file, self._last.packet

    @property
    def waiting_since(self) -> tuple[int, int, int] | None:
        """Time (ns), file and number of the earliest packet whose records are still to come."""
        waiting = (connection.waiting_since for connection in self._holding.values())
        return min((since for since in waiting if since is not None), default=None)

    @property
    def directions(self) -> Collection[bytes]:
        """Addresses and ports of the directions of connections that later packets may continue."""
        return self._sides.keys()

    def finish_one(self, number: int) -> Records:
        """Return the buffered records of a connection and end it: later packets begin a new one."""
        out: Records = []
        key = key_between(*self.flows[number].addresses)
        for each in (key, reversed_key(key)):
            side = self._sides.get(each)
            if side is not None and side.number == number:
                del self._sides[each]
                side.connection.finish(self._last, out)
                side.peer = None  # breaks the reference cycle, so memory is freed at once
                side.connection.sides = []
        self._followed.pop(number, None)
        self._holding.pop(number, None)
        return out

    def finish(self) -> Records:
        """Return the buffered records of all connections, at the end of all captures.

        Raises:
            UnsupportedLinkType: There were packets, all of unsupported link types.
        """
        counters = self.counters
        if counters.packets and counters.unsupported == counters.packets:
            names = ", ".join(link_name(link) for link in sorted(counters.links))
            raise UnsupportedLinkType(
                f"link type {names} is not supported: no packet of the capture can be decoded"
            )
        out: Records = []
        connections = {side.number: side.connection for side in self._sides.values()}
        for number in sorted(connections):
            connections[number].finish(self._last, out)
        self._holding.clear()
        return out

    def _receive(self, side: TcpDirection, arrival: Arrival, out: Records) -> None:
        """Pass a packet to its connection, and note whether it buffers bytes afterwards."""
        connection = side.connection
        connection.receive(side, arrival, out)
        if connection.is_holding:
            self._holding[side.number] = connection
        else:
            self._holding.pop(side.number, None)

    def _meet(self, key: bytes, arrival: Arrival, out: Records) -> TcpDirection:
        """Return the side of a packet that is the first of its direction, or has a SYN."""
        side = self._sides.get(key)
        is_syn = arrival.flags & SYN
        if side is None:
            other = self._sides.get(reversed_key(key))
            base = arrival.seq if is_syn else arrival.seq - 1 & _MASK
            if other is None:
                return self._begin(key, base, arrival)
            if other.first_acked >= 0:
                base = other.first_acked - 1 & _MASK
            side = self._sides[key] = other.peer or other.connection.add_side(base)
        if is_syn and arrival.flags & ACK:
            side.base = arrival.seq  # as Wireshark has it since its issue 16944
        elif is_syn and side.base != arrival.seq:
            # The ports are reused: the old connection has ended.
            side.connection.finish(arrival, out)
            self.over.append(side.number)
            self._holding.pop(side.number, None)
            self._sides.pop(reversed_key(key), None)
            return self._begin(key, arrival.seq, arrival)
        return side

    def _begin(self, key: bytes, base: int, arrival: Arrival) -> TcpDirection:
        addresses, ports = endpoints(key)
        flow = Flow(
            self.flows.following,
            addresses,
            ports,
            first_packet=arrival.packet,
            first_file=arrival.file,
        )
        self.flows.append(flow)
        self._followed[flow.number] = 1
        if len(self._followed) > MOST_FOLLOWED:
            self._tire()
        side = self._sides[key] = TcpConnection(flow, self.alarms).add_side(base)
        return side

    def _tire(self) -> None:
        """End a connection without a packet since it was last checked."""
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
        self,
        link: int,
        data: bytes,
        start: int,
        captured: int,
        original: int,
        at: tuple[int, int, int],
    ) -> TcpHeader | None:
        """Return the TCP header of any packet; count the packet and return None without one.

        `at` is its time in ns, file and number.
        """
        outcome = find_tcp(link, data, start, captured, original)
        packets: Sequence[PacketNumber] = (at[1:],)
        # A reassembled datagram may be in a tunnel whose packets are fragments of another datagram.
        while isinstance(outcome, Fragment):
            self.counters.fragments += 1
            whole = self._fragments.add(outcome, at[0], packets)
            self.counters.differing = self._fragments.differing
            if whole is None:
                return None
            self.counters.fragments -= whole.parts
            self.counters.joined += whole.parts - 1
            if self._numbers is not None:
                self._joined.append(JoinedDatagram(outcome.addresses, whole))
            outcome = find_in_datagram(outcome, whole)
            self._earlier = packets = whole.packets
        if isinstance(outcome, TcpHeader):
            return outcome
        self._count(outcome, link)
        return None

    def _count(self, miss: NotTcp, link: int) -> None:
        counters = self.counters
        setattr(counters, miss.value, getattr(counters, miss.value) + 1)
        if miss is NotTcp.LINK:
            counters.links[link] = counters.links.get(link, 0) + 1
