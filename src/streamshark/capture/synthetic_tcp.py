"""Synthetic TCP: what two programs said, as the IP packets of one connection.

For captures of bytes that came without packets: relayed by a proxy, decrypted, or rewritten.
Sequence numbers, acknowledgements and checksums are right, so that other programs follow the
connection and report nothing. Packets are raw IP (LINKTYPE_RAW). Spec: RFC 9293; RFC 1071.
"""

import struct
from ipaddress import IPv4Address, ip_address
from typing import NamedTuple

LINKTYPE_RAW = 101
"""Link type of the packets: they begin with the IP header."""
LARGEST_PACKET = 65_535
"""Bytes of an IPv4 packet at most; here of an IPv6 packet, too."""
UNACKNOWLEDGED = 1024 * 1024
"""Bytes after which the receiver acknowledges, even if it sends nothing."""

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
_WINDOW_SHIFT = 7
_WINDOW = 0xFFFF
"""The window of every packet, before the shift: 8 MiB, so that it is never full."""
_DONT_FRAGMENT = 0x4000
_TTL = 64
_TCP = 6
_MASK = 0xFFFFFFFF
_IPV4_HEADER, _IPV6_HEADER, _TCP_HEADER = 20, 40, 20
_IPV6_ADDRESSES = 32
_IPV4 = 4
_IPV4_HEADERS = struct.Struct(">HHHHHH8sIIIHHI")
_IPV6_HEADERS = struct.Struct(">IHH32sIIIHHI")
_VERSION_4, _VERSION_6 = 0x4500, 6 << 28
_IPV4_WORDS = _VERSION_4 + _DONT_FRAGMENT + (_TTL << 8)
"""Sum of the words of the header of IPv4 that never change, but for the protocol."""


class SyntheticPacket(NamedTuple):
    """One packet."""

    time_ns: int
    headers: bytes
    """Those of IP and TCP."""
    payload: bytes | memoryview
    side: int
    """The side that sends it: 0 is the client."""

    @property
    def data(self) -> bytes:
        """The whole packet."""
        return b"".join((self.headers, self.payload))


class SyntheticTcp:
    """One TCP connection between a client (side 0) and a server (side 1).

    Args:
        client: Address and port of the client.
        server: Address and port of the server, of the same version of IP.
        mss: Most payload bytes of a packet; by default what fits Ethernet.
        sequences: Initial sequence numbers of both sides.
        summed: Most payload bytes of a packet whose checksum is computed. Others have the sum that
            a network card completes: captures on the sending machine show it, and programs that
            read captures know it. It saves most of the time that a large packet takes.
    """

    def __init__(
        self,
        client: tuple[str, int],
        server: tuple[str, int],
        *,
        mss: int | None = None,
        sequences: tuple[int, int] = (0, 0),
        summed: int = LARGEST_PACKET,
    ) -> None:
        ends = [(ip_address(address), port) for address, port in (client, server)]
        if ends[0][0].version != ends[1][0].version:
            raise ValueError(f"{client[0]} and {server[0]} are not of the same version of IP")
        self._is_ipv4 = isinstance(ends[0][0], IPv4Address)
        headers = (_IPV4_HEADER if self._is_ipv4 else _IPV6_HEADER) + _TCP_HEADER
        self.mss = 1500 - headers if mss is None else mss
        if not 0 < self.mss <= LARGEST_PACKET - headers:
            raise ValueError(f"an MSS of {mss}, where 1 to {LARGEST_PACKET - headers} are possible")
        sides = [address.packed + port.to_bytes(2) for address, port in ends]
        self._ends = (Ends.of(*sides), Ends.of(*reversed(sides)))
        """Sender and receiver of the packets of each side."""
        self._next = [each & _MASK for each in sequences]
        """Sequence number of each side's next byte."""
        self._pending = [0, 0]
        """Payload bytes of each side that the other has not acknowledged."""
        self._idents = [0, 0]
        self._summed = summed

    def refuse(self, time_ns: int) -> list[SyntheticPacket]:
        """Refuse the connection: SYN, answered by a reset."""
        options = self._options()
        return [self._control(0, SYN, time_ns, options), self._packet(1, RST | ACK, time_ns)]

    def ask(self, time_ns: int) -> list[SyntheticPacket]:
        """Return a SYN that is not answered; the next one repeats it."""
        return [self._packet(0, SYN, time_ns, options=self._options())]

    def open(self, time_ns: int, after_ns: tuple[int, int] = (0, 0)) -> list[SyntheticPacket]:
        """Open the connection: SYN, SYN and ACK, ACK.

        Args:
            time_ns: Time of the SYN.
            after_ns: Time from there to the SYN and ACK, and from there to the ACK.
        """
        options = self._options()
        answered_ns = time_ns + after_ns[0]
        return [
            self._control(0, SYN, time_ns, options),
            self._control(1, SYN | ACK, answered_ns, options),
            self._packet(0, ACK, answered_ns + after_ns[1]),
        ]

    def skip(self, side: int, length: int) -> None:
        """Leave out bytes of one side, as if their packets were not captured."""
        self._next[side] = self._next[side] + length & _MASK

    def send(self, side: int, data: bytes, time_ns: int) -> list[SyntheticPacket]:
        """Send bytes of one side, in packets of at most `mss` bytes.

        The other side acknowledges them with its own next packet, or after `UNACKNOWLEDGED` bytes.
        """
        packets = []
        view = memoryview(data) if len(data) > self.mss else data
        for at in range(0, len(data), self.mss):
            part = view[at : at + self.mss]
            flags = ACK | PSH if at + self.mss >= len(data) else ACK
            packets.append(self._packet(side, flags, time_ns, part))
            if self._pending[side] >= UNACKNOWLEDGED:
                packets.append(self._packet(1 - side, ACK, time_ns))
        return packets

    def close(self, side: int, time_ns: int) -> list[SyntheticPacket]:
        """Close the direction of one side, FIN and its ACK; the other may continue sending."""
        packets = self._acknowledged(side, time_ns)
        packets.append(self._control(side, FIN | ACK, time_ns))
        packets.append(self._packet(1 - side, ACK, time_ns))
        return packets

    def reset(self, side: int, time_ns: int) -> list[SyntheticPacket]:
        """Reset the connection."""
        packets = self._acknowledged(1 - side, time_ns)
        packets.append(self._packet(side, RST | ACK, time_ns))
        return packets

    def stall(self, side: int, time_ns: int) -> list[SyntheticPacket]:
        """Close the window of one side, whose program does not read; its next packet opens it."""
        return [self._packet(side, ACK, time_ns, window=0)]

    def _options(self) -> bytes:
        """Return the options of a SYN: the MSS, and the shift of the window."""
        return struct.pack(">BBHBBBB", 2, 4, self.mss, 1, 3, 3, _WINDOW_SHIFT)

    def _acknowledged(self, side: int, time_ns: int) -> list[SyntheticPacket]:
        """Return an ACK of what a side has sent, if one is missing."""
        return [self._packet(1 - side, ACK, time_ns)] if self._pending[side] else []

    def _control(
        self, side: int, flags: int, time_ns: int, options: bytes = b""
    ) -> SyntheticPacket:
        """Return a packet whose flag takes a sequence number: SYN or FIN."""
        packet = self._packet(side, flags, time_ns, options=options)
        self._next[side] = self._next[side] + 1 & _MASK
        return packet

    def _packet(
        self,
        side: int,
        flags: int,
        time_ns: int,
        data: bytes | memoryview = b"",
        *,
        options: bytes = b"",
        window: int = _WINDOW,
    ) -> SyntheticPacket:
        """Return the next packet of a side."""
        seq = self._next[side]
        ack = self._next[1 - side] if flags & ACK else 0
        self._next[side] = seq + len(data) & _MASK
        self._pending[side] += len(data)
        if flags & ACK:
            self._pending[1 - side] = 0
        self._idents[side] = ident = self._idents[side] + 1 & 0xFFFF
        segment = SyntheticSegment(seq, ack, flags, data, options, window)
        summed = len(data) <= self._summed
        headers = ip_headers(self._ends[side], segment, ident, summed=summed)
        return SyntheticPacket(time_ns, headers, data, side)


def largest_mss(address: str) -> int:
    """Return the most payload bytes of a packet from an address, by its version of IP."""
    header = _IPV4_HEADER if ip_address(address).version == _IPV4 else _IPV6_HEADER
    return LARGEST_PACKET - header - _TCP_HEADER


class Ends(NamedTuple):
    """Sender and receiver of packets."""

    addresses: bytes
    """The address of the sender, then that of the receiver."""
    ports: int
    """The port of the sender in 16 bits, then that of the receiver."""
    total: int
    """The sum of the 16-bit words of the addresses, modulo 2^16 - 1, for checksums."""

    @classmethod
    def of(cls, sender: bytes, receiver: bytes) -> "Ends":
        """Return the two ends, given as address and port."""
        addresses = sender[:-2] + receiver[:-2]
        return cls(addresses, int.from_bytes(sender[-2:] + receiver[-2:]), _total(addresses))


class SyntheticSegment(NamedTuple):
    """The content of a packet."""

    seq: int
    ack: int
    flags: int
    data: bytes | memoryview
    options: bytes = b""
    """TCP options, a multiple of 4 bytes."""
    window: int = _WINDOW
    """The window before the shift."""


def ip_packet(ends: Ends, segment: SyntheticSegment, ident: int = 0) -> bytes:
    """Return an IP packet with right checksums; `ident` is the identification of IPv4."""
    return b"".join((ip_headers(ends, segment, ident), segment.data))


def ip_headers(
    ends: Ends, segment: SyntheticSegment, ident: int = 0, *, summed: bool = True
) -> bytes:
    """Return the headers of an IP packet with right checksums.

    Without `summed`, the checksum of TCP is that of the pseudo-header, as before a network card.
    """
    seq, ack, flags, data, options, window = segment
    addresses, ports, total = ends
    length = _TCP_HEADER + len(options) + len(data)
    total += _TCP + length
    kind = _TCP_HEADER + len(options) << 10 | flags
    if summed:  # numbers of 32 bits have the remainder of their two words
        words = ports + seq + ack + kind + window + _total(b"".join((options, data)))
        right = _complement(total + words)
    else:
        right = _folded(total)
    tcp = (ports, seq, ack, kind, window, right << 16)
    if len(addresses) == _IPV6_ADDRESSES:
        return _IPV6_HEADERS.pack(_VERSION_6, length, _TCP << 8 | _TTL, addresses, *tcp) + options
    right = _complement(total + _IPV4_HEADER + _IPV4_WORDS + ident)
    first = (_VERSION_4, length + _IPV4_HEADER, ident, _DONT_FRAGMENT, _TTL << 8 | _TCP, right)
    return _IPV4_HEADERS.pack(*first, addresses, *tcp) + options


def checksum(data: bytes) -> int:
    """Return the Internet checksum of bytes (RFC 1071)."""
    return 0xFFFF - _total(data)


def _total(data: bytes) -> int:
    """Return the sum of 16-bit words modulo 2^16 - 1; 0 for zeros alone, otherwise not 0."""
    # It is the remainder of the number that the words are, as 2^16 is 1 modulo 2^16 - 1.
    number = int.from_bytes(data, "big") << (len(data) & 1) * 8
    return _folded(number)


def _complement(total: int) -> int:
    """Return the ones' complement of a sum of words, some of which are not 0."""
    return -total % 0xFFFF


def _folded(number: int) -> int:
    """Return a number modulo 2^16 - 1; 2^16 - 1 instead of 0, except for 0."""
    return number and (number % 0xFFFF or 0xFFFF)
