"""Synthetic traffic: captures built from bytes, layer by layer.

Real traffic is recorded into `captures/`; what no recording shows is built here and never kept.
Each layer is one function from bytes to bytes; `Conversation` makes TCP packets; `pcap` and
`pcapng` make files of packets.
"""

import itertools
import struct
from collections.abc import Callable, Iterable
from functools import cache
from ipaddress import ip_address
from typing import NamedTuple

IPV4, IPV6, VLAN, QINQ = 0x0800, 0x86DD, 0x8100, 0x88A8
TCP, UDP = 6, 17
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16

ETHERNET = 1
MICROSECOND, NANOSECOND, MODIFIED = 0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34

START_NS = 1_700_000_000_000_000_000
"""Time of the first packet of built traffic."""
STEP_NS = 1_000_000
"""Time between built packets: a millisecond."""

_MASK = 0xFFFFFFFF


class Packet(NamedTuple):
    """One captured packet."""

    time_ns: int
    data: bytes
    original: int
    """Bytes on the wire."""

    def cut(self, snap_length: int) -> "Packet":
        """Return the packet as it is in a capture with a snap length."""
        return self._replace(data=self.data[:snap_length])


# Layers


def ethernet(payload: bytes, kind: int = IPV4, tags: Iterable[int] = ()) -> bytes:
    """Wrap in an Ethernet header; `tags` are the EtherTypes of VLAN tags, outermost first."""
    middle = b"".join(struct.pack(">HH", tag, 7) for tag in tags)
    return b"\2\0\0\0\0\1\2\0\0\0\0\2" + middle + struct.pack(">H", kind) + payload


@cache
def _packed(address: str) -> bytes:
    """Return the bytes of an address in a packet."""
    return ip_address(address).packed


def ipv4(  # noqa: PLR0913 - the header's fields
    payload: bytes,
    source: str = "10.0.0.1",
    destination: str = "10.0.0.2",
    *,
    protocol: int = TCP,
    options: bytes = b"",
    total: int | None = None,
    fragment: int = 0,
    ident: int = 1,
    ttl: int = 64,
) -> bytes:
    """Wrap in an IPv4 header with a right checksum; `total` overrides the length field."""
    words = 5 + len(options) // 4
    length = words * 4 + len(payload) if total is None else total
    head = struct.pack(
        ">BBHHHBBH", 0x40 | words, 0, length, ident & 0xFFFF, fragment, ttl, protocol, 0
    )
    head += _packed(source) + _packed(destination) + options
    return head[:10] + struct.pack(">H", _checksum(head)) + head[12:] + payload


def ipv6(
    payload: bytes,
    source: str = "fd00::1",
    destination: str = "fd00::2",
    *,
    protocol: int = TCP,
    extensions: Iterable[tuple[int, bytes]] = (),
    length: int | None = None,
) -> bytes:
    """Wrap in an IPv6 header; each extension is its number and its bytes without the first two."""
    chain = list(extensions)
    kinds = [kind for kind, _ in chain] + [protocol]
    body = b"".join(
        bytes([following, (len(data) + 2) // 8 - 1]) + data
        for following, (_, data) in zip(kinds[1:], chain, strict=True)
    )
    body += payload
    size = len(body) if length is None else length
    head = struct.pack(">IHBB", 6 << 28, size, kinds[0], 64)
    return head + _packed(source) + _packed(destination) + body


def ipv4_fragments(
    payload: bytes,
    *places: int,
    ident: int = 77,
    protocol: int = TCP,
    source: str = "10.0.0.1",
    destination: str = "10.0.0.2",
) -> list[bytes]:
    """Cut a payload at places (multiples of 8) into IPv4 fragments."""
    edges = [0, *places, len(payload)]
    return [
        ipv4(
            payload[start:end],
            source,
            destination,
            protocol=protocol,
            ident=ident,
            fragment=start // 8 | (0x2000 if end < len(payload) else 0),
        )
        for start, end in itertools.pairwise(edges)
    ]


def ipv6_fragments(
    payload: bytes, *places: int, ident: int = 77, protocol: int = TCP, source: str = "fd00::1"
) -> list[bytes]:
    """Cut a payload at places (multiples of 8) into IPv6 fragments."""
    edges = [0, *places, len(payload)]
    return [
        ipv6(
            payload[start:end],
            source,
            protocol=protocol,
            extensions=[(44, struct.pack(">HI", start | (end < len(payload)), ident))],
        )
        for start, end in itertools.pairwise(edges)
    ]


def udp(payload: bytes, ports: tuple[int, int]) -> bytes:
    """Wrap in a UDP header (checksum 0: none)."""
    return struct.pack(">HHHH", *ports, len(payload) + 8, 0) + payload


def vxlan(frame: bytes) -> bytes:
    """Wrap an Ethernet frame in VXLAN and its UDP header."""
    return udp(b"\x08\0\0\0\0\0\x2a\0" + frame, (50_000, 4789))


def gre(packet: bytes, kind: int, flags: int = 0) -> bytes:
    """Wrap in GRE; the optional fields that the flags announce are zeros but for the checksum."""
    size = 4 * (flags & 0xB000).bit_count()
    head, body = struct.pack(">HH", flags, kind), bytes(size) + packet
    if flags & 0x8000:
        even = head + body + bytes(len(body) % 2)
        body = struct.pack(">H", _checksum(even)) + body[2:]
    return head + body


def pppoe(payload: bytes, kind: int = 0x0021) -> bytes:
    """Wrap in PPP of a session and its PPPoE header; `kind` is the PPP protocol."""
    return struct.pack(">BBHHH", 0x11, 0, 9, len(payload) + 2, kind) + payload


def mpls(payload: bytes, labels: int = 2) -> bytes:
    """Add a stack of MPLS labels."""
    entries = [(100 + at) << 12 | (at == labels - 1) << 8 | 64 for at in range(labels)]
    return struct.pack(f">{labels}I", *entries) + payload


def tcp(  # noqa: PLR0913 - the header's fields
    ports: tuple[int, int],
    seq: int,
    ack: int = 0,
    flags: int = ACK,
    data: bytes = b"",
    *,
    window: int = 64_000,
    options: bytes = b"",
    words: int | None = None,
) -> bytes:
    """Make a TCP segment (checksum 0); `words` overrides the data offset."""
    size = 5 + len(options) // 4 if words is None else words
    head = struct.pack(
        ">HHIIBBHHH", *ports, seq & _MASK, ack & _MASK, size << 4, flags, window, 0, 0
    )
    return head + options + data


def _checksum(header: bytes) -> int:
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


# A connection


class Conversation:
    """One TCP connection between a client (side 0) and a server (side 1), as packets.

    Every call appends a packet (or several) and moves the clock and the sender's sequence number as
    a real stack does; `raw` sends anything. Reorder, repeat or drop by changing `packets`.
    """

    def __init__(
        self,
        client: tuple[str, int] = ("10.0.0.1", 40_000),
        server: tuple[str, int] = ("10.0.0.2", 5552),
        *,
        sequences: tuple[int, int] = (1_000, 9_000),
        start_ns: int = START_NS,
        link: Callable[[bytes, int], bytes] = ethernet,
    ) -> None:
        self.ends = (client, server)
        self.next = list(sequences)
        """Sequence number that each side sends next."""
        self.time_ns = start_ns
        self.packets: list[Packet] = []
        self.ident = 1
        """Identification of the next IPv4 packet; each has its own, as Linux numbers them."""
        self._link = link
        self._is_ipv6 = ":" in client[0]

    def raw(
        self,
        side: int,
        seq: int,
        data: bytes = b"",
        flags: int = ACK,
        ack: int | None = None,
        **fields: int | bytes,
    ) -> Packet:
        """Send one segment with any sequence number; the sender's next one does not change."""
        (source, from_port), (destination, to_port) = self.ends[side], self.ends[1 - side]
        if ack is None:
            ack = self.next[1 - side] if flags & ACK else 0
        segment = tcp((from_port, to_port), seq, ack, flags, data, **fields)  # type: ignore[arg-type]
        if self._is_ipv6:
            network = ipv6(segment, source, destination)
        else:
            network = ipv4(segment, source, destination, ident=self.ident)
        self.ident += 1
        frame = self._link(network, IPV6 if self._is_ipv6 else IPV4)
        packet = Packet(self.time_ns, frame, len(frame))
        self.packets.append(packet)
        self.time_ns += STEP_NS
        return packet

    def handshake(self) -> "Conversation":
        """Open the connection."""
        for side, flags in ((0, SYN), (1, SYN | ACK)):
            self.raw(side, self.next[side], flags=flags)
            self.next[side] = self.next[side] + 1 & _MASK
        return self.acknowledge(0)

    def refused(self) -> "Conversation":
        """Try to open the connection; the server refuses it."""
        self.raw(0, self.next[0], flags=SYN)
        self.raw(1, 0, flags=RST | ACK, ack=self.next[0] + 1 & _MASK)
        return self

    def unanswered(self, *pauses_ns: int) -> "Conversation":
        """Send a SYN, and repeat it after each of some pauses; no packet answers it."""
        self.raw(0, self.next[0], flags=SYN)
        for each in pauses_ns:
            self.time_ns += each
            self.raw(0, self.next[0], flags=SYN)
        return self

    def send(self, side: int, data: bytes, size: int = 1448) -> "Conversation":
        """Send bytes in segments of at most `size`."""
        for at in range(0, len(data), size):
            part = data[at : at + size]
            self.raw(side, self.next[side], part, ACK | PSH)
            self.next[side] = self.next[side] + len(part) & _MASK
        return self

    def acknowledge(self, side: int) -> "Conversation":
        """Send an empty segment that acknowledges all the other side has sent."""
        self.raw(side, self.next[side])
        return self

    def finish(self, side: int) -> "Conversation":
        """Send a FIN."""
        self.raw(side, self.next[side], flags=FIN | ACK)
        self.next[side] = self.next[side] + 1 & _MASK
        return self

    def reset(self, side: int) -> "Conversation":
        """Send an RST."""
        self.raw(side, self.next[side], flags=RST | ACK)
        return self


def raw_ip(network: bytes, _kind: int) -> bytes:
    """Return the packet as it is: LINKTYPE_RAW has no header."""
    return network


# Files


def pcap(
    packets: Iterable[Packet],
    *,
    link: int = ETHERNET,
    order: str = "<",
    magic: int = MICROSECOND,
    snap_length: int = 262_144,
    version: tuple[int, int] = (2, 4),
) -> bytes:
    """Make a pcap file."""
    unit = 1 if magic == NANOSECOND else 1_000
    extra = bytes(8) if magic == MODIFIED else b""
    parts = [struct.pack(f"{order}IHHiIII", magic, *version, 0, 0, snap_length, link)]
    for packet in packets:
        seconds, fraction = divmod(packet.time_ns, 1_000_000_000)
        sizes = len(packet.data), packet.original
        parts += (
            struct.pack(f"{order}IIII", seconds, fraction // unit, *sizes),
            extra,
            packet.data,
        )
    return b"".join(parts)


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """Make a pcapng block; the body is padded."""
    body += bytes(-len(body) % 4)
    size = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + size + body + size


def option(code: int, value: bytes, order: str = "<") -> bytes:
    """Make a pcapng option."""
    return struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) % 4)


def section(order: str = "<", options: bytes = b"") -> bytes:
    """Make a Section Header Block."""
    return block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1) + options, order)


def interface(
    link: int = ETHERNET, snap_length: int = 262_144, options: bytes = b"", order: str = "<"
) -> bytes:
    """Make an Interface Description Block."""
    return block(1, struct.pack(f"{order}HHI", link, 0, snap_length) + options, order)


def enhanced(
    packet: Packet,
    interface: int = 0,
    *,
    units: int | None = None,
    options: bytes = b"",
    order: str = "<",
) -> bytes:
    """Make an Enhanced Packet Block; its time is `units`, else the packet's in microseconds."""
    time = packet.time_ns // 1_000 if units is None else units
    size = len(packet.data)
    head = struct.pack(f"{order}IIIII", interface, time >> 32, time & _MASK, size, packet.original)
    return block(6, head + packet.data + bytes(-size % 4) + options, order)


def simple(packet: Packet, order: str = "<") -> bytes:
    """Make a Simple Packet Block."""
    return block(3, struct.pack(f"{order}I", packet.original) + packet.data, order)


def obsolete(packet: Packet, interface: int = 0, options: bytes = b"", order: str = "<") -> bytes:
    """Make a Packet Block as written before 2004."""
    time, size = packet.time_ns // 1_000, len(packet.data)
    head = struct.pack(
        f"{order}HHIIII", interface, 0, time >> 32, time & _MASK, size, packet.original
    )
    return block(2, head + packet.data + bytes(-size % 4) + options, order)


def pcapng(packets: Iterable[Packet], *, link: int = ETHERNET, order: str = "<") -> bytes:
    """Make a pcapng file of one section and one interface."""
    parts = [section(order), interface(link, order=order)]
    parts += (enhanced(packet, order=order) for packet in packets)
    return b"".join(parts)
