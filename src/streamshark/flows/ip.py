"""Find the TCP header of a packet, whatever the headers in between.

This is the readable path for any packet; `tracker` has a fast path for the commonest kind. An IP
packet inside another is found up to `MOST_TUNNELS` deep, in IP, GRE or VXLAN: as in Wireshark, the
connection is that of the inner addresses. A fragment is returned for reassembly.
"""

import struct
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from streamshark.flows.ip_fragments import LARGEST_DATAGRAM, Datagram, Fragment
from streamshark.flows.link_layer import CUT, IPV4, IPV6, LINKS, OTHER, read_ethernet

TCP = 6
TCP_FIXED = 20
"""Bytes of a TCP header without options."""
TCP_NEEDED = 16
"""Bytes of a TCP header that are read, up to the window; Wireshark, too, numbers a stream if they
are there."""

MOST_TUNNELS = 4
"""Most nested tunnels in which a connection is searched: a cloud's network, one of containers, a
VPN in them, and one to spare. Each has its own headers, so packets of usual size hold few."""
VXLAN_PORT = 4789

_IPV4_FIXED = 20
_IPV6_FIXED = 40
_U16 = struct.Struct(">H").unpack_from

_MORE = 0x2000
"""More fragments follow."""
_NOT_WHOLE = 0x3FFF
"""More fragments, or a fragment offset."""
_BRIDGED = 0x6558
"""EtherType of an Ethernet frame in GRE."""

_HOP_BY_HOP, _ROUTING, _FRAGMENT, _AUTHENTICATION, _DESTINATION = 0, 43, 44, 51, 60
_MOBILITY, _HIP, _SHIM6 = 135, 139, 140
_EXTENSIONS = frozenset({_HOP_BY_HOP, _ROUTING, _DESTINATION, _MOBILITY, _HIP, _SHIM6})
"""IPv6 headers of the form next header, length in units of 8 bytes after the first (RFC 6564)."""


class NotTcp(Enum):
    """Why a packet is not a TCP segment; the values are the names of fields of `Counters`."""

    LINK = "unsupported"
    NOT_IP = "not_ip"
    NOT_TCP = "not_tcp"
    TOO_DEEP = "too_deep"
    TRUNCATED = "truncated"
    BAD = "bad"


class TcpHeader(NamedTuple):
    """Position of a TCP header."""

    key: bytes
    """Source, destination, source port, destination port, as on the wire: 12 or 36 bytes."""
    header: int
    """Offset of the TCP header in `data`."""
    end: int
    """Offset at which the segment ends on the wire; may be beyond the captured bytes."""
    data: bytes
    """The batch's data, or a reassembled datagram."""
    captured_end: int
    """Offset at which the captured bytes end."""


class HeaderSpan(NamedTuple):
    """Bytes of a packet from one of its headers on."""

    data: bytes
    at: int
    """Offset of the header."""
    end: int
    """Offset at which the captured bytes end."""
    wire_end: int
    """Offset at which the packet ended on the wire, padding included."""

    def after(self, size: int) -> "HeaderSpan":
        """Return the span after so many bytes."""
        return self._replace(at=self.at + size)


Outcome = TcpHeader | Fragment | NotTcp


def find_tcp(link: int, data: bytes, start: int, captured: int, original: int) -> Outcome:
    """Find the TCP header of a packet.

    Args:
        link: Its link type; negative for an entry of the capture that is not a packet.
        data: The buffer that contains it.
        start: Offset of its first byte.
        captured: Number of its bytes that were captured.
        original: Number of its bytes on the wire.
    """
    read_link = LINKS.get(link)
    if read_link is None:
        return NotTcp.NOT_IP if link < 0 else NotTcp.LINK
    end = start + captured
    kind, at = read_link(data, start, end)
    return _in_network(kind, HeaderSpan(data, at, end, start + max(captured, original)), 0)


def ip_headers(link: int, data: bytes) -> list[tuple[int, int, int, int]]:
    """Return the IP headers of a packet, the outermost first.

    Each is its EtherType, its offset, the protocol in it, and the offset of that one's header.
    """
    read_link = LINKS.get(link)
    if read_link is None:
        return []
    kind, at = read_link(data, 0, len(data))
    span = HeaderSpan(data, at, len(data), len(data))
    out: list[tuple[int, int, int, int]] = []
    while len(out) <= MOST_TUNNELS and kind in (IPV4, IPV6):
        if span.at + (_IPV4_FIXED if kind == IPV4 else _IPV6_FIXED) > span.end:
            break
        protocol, inside = _payload_of(kind, span)
        out.append((kind, span.at, protocol, inside.at))
        read_tunnel = _TUNNELS.get(protocol)
        kind, span = read_tunnel(inside) if read_tunnel else (OTHER, inside)
    return out


def _payload_of(kind: int, span: HeaderSpan) -> tuple[int, HeaderSpan]:
    """Return protocol and position of the payload of an IP packet, past extension headers."""
    data, at, end, _ = span
    if kind == IPV4:
        return data[at + 9], span.after(max((data[at] & 0x0F) * 4, _IPV4_FIXED))
    protocol, at = data[at + 6], at + _IPV6_FIXED
    while (protocol in _EXTENSIONS or protocol == _AUTHENTICATION) and at + 8 <= end:
        protocol, at = data[at], at + _extension_length(protocol, data[at + 1])
    return protocol, span._replace(at=at)


def find_in_datagram(fragment: Fragment, whole: Datagram) -> Outcome:
    """Find the TCP header in a reassembled datagram; `fragment` is any of its fragments."""
    span = HeaderSpan(whole.data, 0, len(whole.data), whole.length)
    return _in_payload(whole.protocol, fragment.addresses, span, fragment.depth)


def _in_network(kind: int, span: HeaderSpan, depth: int) -> Outcome:
    """Find the TCP header in a packet of an EtherType."""
    if kind == IPV4:
        return _ipv4(span, depth)
    if kind == IPV6:
        return _ipv6(span, depth)
    return NotTcp.TRUNCATED if kind == CUT else NotTcp.NOT_IP


def _ipv4(span: HeaderSpan, depth: int) -> Outcome:
    """Read an IPv4 header (RFC 791, section 3.1)."""
    data, at, end, wire_end = span
    if at + _IPV4_FIXED > end:
        return NotTcp.TRUNCATED
    header = (data[at] & 0x0F) * 4
    if data[at] >> 4 != 4 or header < _IPV4_FIXED:  # noqa: PLR2004 - the version
        return NotTcp.BAD
    total, fragment = _U16(data, at + 2)[0], _U16(data, at + 6)[0]
    if not total:
        # Segmentation offload: the capture saw the packet before its length was filled in.
        total = wire_end - at
    if total < header:
        return NotTcp.BAD
    addresses, protocol = data[at + 12 : at + 20], data[at + 9]
    inside = span._replace(at=at + header, wire_end=min(at + total, wire_end))
    if not fragment & _NOT_WHOLE:
        return _in_payload(protocol, addresses, inside, depth)
    key = addresses + data[at + 4 : at + 6] + data[at + 9 : at + 10]
    is_last = not fragment & _MORE
    place = (fragment & 0x1FFF) * 8
    return _fragment(Fragment(key, protocol, place, 0, is_last, b"", addresses, depth), inside)


def _ipv6(span: HeaderSpan, depth: int) -> Outcome:
    """Read an IPv6 header (RFC 8200, section 3)."""
    data, at, end, wire_end = span
    if at + _IPV6_FIXED > end:
        return NotTcp.TRUNCATED
    if data[at] >> 4 != 6:  # noqa: PLR2004 - the version
        return NotTcp.BAD
    (length,) = _U16(data, at + 4)
    # Length 0: segmentation offload, or a jumbogram (RFC 2675); the packet's own length is used.
    packet_end = min(at + _IPV6_FIXED + length, wire_end) if length else wire_end
    inside = span._replace(at=at + _IPV6_FIXED, wire_end=packet_end)
    return _in_payload(data[at + 6], data[at + 8 : at + 40], inside, depth)


def _in_payload(kind: int, addresses: bytes, span: HeaderSpan, depth: int) -> Outcome:
    """Find the TCP header in an IP payload, past IPv6 extension headers (RFC 8200, section 4)."""
    data, at, end, _ = span
    # Each extension is at least 8 bytes long, so the packet bounds the walk.
    while kind in _EXTENSIONS or kind == _AUTHENTICATION:
        if at + 8 > end:
            return NotTcp.TRUNCATED
        kind, at = data[at], at + _extension_length(kind, data[at + 1])
    span = span._replace(at=at)
    if kind == TCP:
        return _tcp(addresses, span)
    if kind == _FRAGMENT:
        return _ipv6_fragment(addresses, span, depth)
    read_tunnel = _TUNNELS.get(kind)
    inner, inside = read_tunnel(span) if read_tunnel else (OTHER, span)
    if inner == OTHER:
        return NotTcp.NOT_TCP
    return NotTcp.TOO_DEEP if depth == MOST_TUNNELS else _in_network(inner, inside, depth + 1)


def _extension_length(kind: int, length: int) -> int:
    if kind == _AUTHENTICATION:
        return (length + 2) * 4  # RFC 4302, section 2.2
    return (length + 1) * 8


def _ipv6_fragment(addresses: bytes, span: HeaderSpan, depth: int) -> Outcome:
    """Read a fragment header (RFC 8200, section 4.5)."""
    data, at, end, _ = span
    if at + 8 > end:
        return NotTcp.TRUNCATED
    (place,) = _U16(data, at + 2)
    key = addresses + data[at + 4 : at + 8]
    part = Fragment(key, data[at], place & ~7, 0, not place & 1, b"", addresses, depth)
    return _fragment(part, span.after(8))


def _fragment(part: Fragment, span: HeaderSpan) -> Outcome:
    """Return a fragment with its bytes; `BAD` if its length is impossible."""
    length = span.wire_end - span.at
    if length <= 0 or part.start + length > LARGEST_DATAGRAM or (length & 7 and not part.is_last):
        return NotTcp.BAD
    return part._replace(length=length, data=span.data[span.at : min(span.end, span.wire_end)])


def _tcp(addresses: bytes, span: HeaderSpan) -> TcpHeader | NotTcp:
    data, at, end, packet_end = span
    if packet_end - at < TCP_NEEDED:
        return NotTcp.BAD
    if end - at < TCP_NEEDED:
        return NotTcp.TRUNCATED
    return TcpHeader(addresses + data[at : at + 4], at, packet_end, data, end)


# Tunnels: each function takes the bytes after the outer IP header, and returns the EtherType of the
# inner packet, or `CUT` or `OTHER`, and its position.


def _udp(span: HeaderSpan) -> tuple[int, HeaderSpan]:
    """Skip VXLAN: UDP, 8 bytes of its own, and an Ethernet header (RFC 7348, section 5)."""
    data, at, end, wire_end = span
    if at + 4 <= end and (_U16(data, at + 2)[0] != VXLAN_PORT or at + 16 > wire_end):
        return OTHER, span
    if at + 16 > end:
        return CUT, span
    return _ethernet(span.after(16)) if data[at + 8] & 0x08 else (OTHER, span)


def _gre(span: HeaderSpan) -> tuple[int, HeaderSpan]:
    """Skip GRE with its optional fields (RFC 2784, RFC 2890); NVGRE is an Ethernet frame in it."""
    data, at, end, _ = span
    if at + 4 > end:
        return CUT, span
    flags, kind = _U16(data, at)[0], _U16(data, at + 2)[0]
    if flags & 0x4007:  # source routes (RFC 1701), or another version
        return OTHER, span
    optional = (flags & 0xB000).bit_count()  # checksum, key, sequence number: 4 bytes each
    inside = span.after(4 + 4 * optional)
    return _ethernet(inside) if kind == _BRIDGED else (kind, inside)


def _ethernet(span: HeaderSpan) -> tuple[int, HeaderSpan]:
    kind, at = read_ethernet(span.data, span.at, span.end)
    return kind, span._replace(at=at)


_TUNNELS: dict[int, Callable[[HeaderSpan], tuple[int, HeaderSpan]]] = {
    4: lambda span: (IPV4, span),  # RFC 2003
    17: _udp,
    41: lambda span: (IPV6, span),  # RFC 2473, RFC 4213
    47: _gre,
}
"""IP protocol to the function that reads it."""


def reversed_key(key: bytes) -> bytes:
    """Return the key of the opposite direction."""
    half = (len(key) - 4) // 2
    return key[half:-4] + key[:half] + key[-2:] + key[-4:-2]


def endpoints(key: bytes) -> tuple[tuple[str, str], tuple[int, int]]:
    """Return the addresses (`1.2.3.4:5552`, `[::1]:5552`) and ports of a key's two endpoints."""
    ports = _U16(key, len(key) - 4)[0], _U16(key, len(key) - 2)[0]
    if len(key) == 12:  # noqa: PLR2004 - IPv4
        source, destination = ".".join(map(str, key[:4])), ".".join(map(str, key[4:8]))
    else:
        from ipaddress import IPv6Address  # noqa: PLC0415 - many captures have none

        source, destination = f"[{IPv6Address(key[:16])}]", f"[{IPv6Address(key[16:32])}]"
    return (f"{source}:{ports[0]}", f"{destination}:{ports[1]}"), ports


def key_between(source: str, destination: str) -> bytes:
    """Return the key of two endpoints, as `endpoints` writes them."""
    (here, port), (there, other) = (each.rsplit(":", 1) for each in (source, destination))
    return _packed(here) + _packed(there) + int(port).to_bytes(2) + int(other).to_bytes(2)


def _packed(address: str) -> bytes:
    if address.startswith("["):
        from ipaddress import IPv6Address  # noqa: PLC0415 - as above

        return IPv6Address(address[1:-1]).packed
    return bytes(map(int, address.split(".")))
