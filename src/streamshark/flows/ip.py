"""From a packet to its TCP header, whatever stands between.

This is the readable way for any packet; `tracker` reads the commonest kind by itself. An IP packet
inside another is found up to `MOST_TUNNELS` deep, in IP, GRE or VXLAN: as in Wireshark, the
connection is that of the inner addresses. A fragment is handed back to be put together.
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
"""Bytes of a TCP header that are read, up to the window; so many number a stream in Wireshark."""

MOST_TUNNELS = 4
"""How many tunnels deep a connection is looked for: one of a cloud's network, one of containers, a
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
"""EtherType of an Ethernet frame inside of GRE."""

_HOP_BY_HOP, _ROUTING, _FRAGMENT, _AUTHENTICATION, _DESTINATION = 0, 43, 44, 51, 60
_MOBILITY, _HIP, _SHIM6 = 135, 139, 140
_EXTENSIONS = frozenset({_HOP_BY_HOP, _ROUTING, _DESTINATION, _MOBILITY, _HIP, _SHIM6})
"""IPv6 headers of the form next header, length in 8 bytes without the first (RFC 6564)."""


class NotTcp(Enum):
    """Why a packet is no TCP segment to us; the values are the names of `Counters`' fields."""

    LINK = "unsupported"
    NOT_IP = "not_ip"
    NOT_TCP = "not_tcp"
    TOO_DEEP = "too_deep"
    TRUNCATED = "truncated"
    BAD = "bad"


class TcpHeader(NamedTuple):
    """Where the TCP header is."""

    key: bytes
    """Source, destination, source port, destination port, as on the wire: 12 or 36 bytes."""
    header: int
    """Offset of the TCP header in `data`."""
    end: int
    """Offset at which the segment ends on the wire; may lie beyond what was captured."""
    data: bytes
    """The window, or a datagram put together from fragments."""
    captured_end: int
    """Offset at which the captured bytes end."""


class HeaderSpan(NamedTuple):
    """Bytes of a packet from some header on."""

    data: bytes
    at: int
    """Where the header begins."""
    end: int
    """Where the captured bytes end."""
    wire_end: int
    """Where the packet ended on the wire, padding included."""

    def behind(self, size: int) -> "HeaderSpan":
        """Return what follows so many bytes."""
        return self._replace(at=self.at + size)


Outcome = TcpHeader | Fragment | NotTcp


def find_tcp(link: int, data: bytes, start: int, captured: int, original: int) -> Outcome:
    """Find the TCP header of a packet.

    Args:
        link: Its link type; negative for what a capture counts although it is no packet.
        data: The window it lies in.
        start: Offset of its first byte.
        captured: How many of its bytes are there.
        original: How many it had on the wire.
    """
    read_link = LINKS.get(link)
    if read_link is None:
        return NotTcp.NOT_IP if link < 0 else NotTcp.LINK
    end = start + captured
    kind, at = read_link(data, start, end)
    return _in_network(kind, HeaderSpan(data, at, end, start + max(captured, original)), 0)


def find_in_datagram(fragment: Fragment, whole: Datagram) -> Outcome:
    """Find the TCP header in what fragments were put together to; `fragment` is any of them."""
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
    # Length 0: segmentation offload, or a jumbogram (RFC 2675); the packet's own length tells.
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
    return _fragment(part, span.behind(8))


def _fragment(part: Fragment, span: HeaderSpan) -> Outcome:
    """Return a fragment with its bytes, where it can be one."""
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


# Tunnels: each takes what follows the outer IP header, and returns the EtherType of the packet
# inside, or `CUT` or `OTHER`, and where that is.


def _udp(span: HeaderSpan) -> tuple[int, HeaderSpan]:
    """VXLAN: UDP, 8 bytes of its own, and an Ethernet frame (RFC 7348, section 5)."""
    data, at, end, wire_end = span
    if at + 4 <= end and (_U16(data, at + 2)[0] != VXLAN_PORT or at + 16 > wire_end):
        return OTHER, span
    if at + 16 > end:
        return CUT, span
    return _ethernet(span.behind(16)) if data[at + 8] & 0x08 else (OTHER, span)


def _gre(span: HeaderSpan) -> tuple[int, HeaderSpan]:
    """GRE with its optional fields (RFC 2784, RFC 2890); NVGRE is an Ethernet frame in it."""
    data, at, end, _ = span
    if at + 4 > end:
        return CUT, span
    flags, kind = _U16(data, at)[0], _U16(data, at + 2)[0]
    if flags & 0x4007:  # source routes (RFC 1701), or another version
        return OTHER, span
    optional = (flags & 0xB000).bit_count()  # checksum, key, sequence number: 4 bytes each
    inside = span.behind(4 + 4 * optional)
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
    """Return the key of the other direction."""
    half = (len(key) - 4) // 2
    return key[half:-4] + key[:half] + key[-2:] + key[-4:-2]


def endpoints(key: bytes) -> tuple[tuple[str, str], tuple[int, int]]:
    """Return the addresses (`1.2.3.4:5552`, `[::1]:5552`) and ports of a key's two ends."""
    ports = _U16(key, len(key) - 4)[0], _U16(key, len(key) - 2)[0]
    if len(key) == 12:  # noqa: PLR2004 - IPv4
        source, destination = ".".join(map(str, key[:4])), ".".join(map(str, key[4:8]))
    else:
        from ipaddress import IPv6Address  # noqa: PLC0415 - many captures have none

        source, destination = f"[{IPv6Address(key[:16])}]", f"[{IPv6Address(key[16:32])}]"
    return (f"{source}:{ports[0]}", f"{destination}:{ports[1]}"), ports


def key_between(source: str, destination: str) -> bytes:
    """Return the key of two ends, as `endpoints` writes them."""
    (here, port), (there, other) = (each.rsplit(":", 1) for each in (source, destination))
    return _packed(here) + _packed(there) + int(port).to_bytes(2) + int(other).to_bytes(2)


def _packed(address: str) -> bytes:
    if address.startswith("["):
        from ipaddress import IPv6Address  # noqa: PLC0415 - as above

        return IPv6Address(address[1:-1]).packed
    return bytes(map(int, address.split(".")))
