"""From a packet to its TCP header, whatever stands between.

This is the readable way for any packet; `tracker` reads the commonest kind by itself. A layer that
carries another (a tunnel, a fragment put together) goes into `_ipv4`'s and `_ipv6`'s ends: whatever
finds an IP header inside goes on with `find_in_network`.
"""

import struct
from enum import Enum
from ipaddress import IPv6Address
from typing import NamedTuple

from streamshark.flows.links import CUT, IPV4, IPV6, LINKS

TCP = 6
TCP_FIXED = 20
"""Bytes of a TCP header without options."""
TCP_NEEDED = 16
"""Bytes of a TCP header that are read, up to the window; so many number a stream in Wireshark."""

_IPV4_FIXED = 20
_IPV6_FIXED = 40
_U16 = struct.Struct(">H").unpack_from

_HOP_BY_HOP, _ROUTING, _FRAGMENT, _AUTHENTICATION, _DESTINATION = 0, 43, 44, 51, 60
_MOBILITY, _HIP, _SHIM6 = 135, 139, 140
_EXTENSIONS = frozenset({_HOP_BY_HOP, _ROUTING, _DESTINATION, _MOBILITY, _HIP, _SHIM6})
"""IPv6 headers of the form next header, length in 8 bytes without the first (RFC 6564)."""


class Miss(Enum):
    """Why a packet is no TCP segment to us; the values are the names of `Counters`' fields."""

    LINK = "unsupported"
    NOT_IP = "not_ip"
    NOT_TCP = "not_tcp"
    FRAGMENT = "fragments"
    TRUNCATED = "truncated"
    BAD = "bad"


class Found(NamedTuple):
    """Where the TCP header is."""

    key: bytes
    """Source, destination, source port, destination port, as on the wire: 12 or 36 bytes."""
    header: int
    """Offset of the TCP header."""
    end: int
    """Offset at which the segment ends on the wire; may lie beyond what was captured."""


def find_tcp(link: int, data: bytes, start: int, captured: int, original: int) -> Found | Miss:
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
        return Miss.NOT_IP if link < 0 else Miss.LINK
    end = start + captured
    kind, at = read_link(data, start, end)
    if kind == CUT:
        return Miss.TRUNCATED
    return find_in_network(kind, data, at, end, start + max(captured, original))


def find_in_network(kind: int, data: bytes, at: int, end: int, wire_end: int) -> Found | Miss:
    """Find the TCP header in a network-layer packet of an EtherType at `at`.

    Args:
        kind: Its EtherType.
        data: The window.
        at: Where it begins.
        end: Where the captured bytes end.
        wire_end: Where the packet ended on the wire, padding included.
    """
    if kind == IPV4:
        return _ipv4(data, at, end, wire_end)
    if kind == IPV6:
        return _ipv6(data, at, end, wire_end)
    return Miss.NOT_IP


def _ipv4(data: bytes, at: int, end: int, wire_end: int) -> Found | Miss:
    """Read an IPv4 header (RFC 791, section 3.1)."""
    if at + _IPV4_FIXED > end:
        return Miss.TRUNCATED
    header = (data[at] & 0x0F) * 4
    if data[at] >> 4 != 4 or header < _IPV4_FIXED:  # noqa: PLR2004 - the version
        return Miss.BAD
    (total,) = _U16(data, at + 2)
    if not total:
        # Segmentation offload: the capture saw the packet before its length was filled in.
        total = wire_end - at
    if total < header:
        return Miss.BAD
    if _U16(data, at + 6)[0] & 0x3FFF:
        return Miss.FRAGMENT
    if data[at + 9] != TCP:
        return Miss.NOT_TCP
    return _tcp(data, data[at + 12 : at + 20], at + header, end, min(at + total, wire_end))


def _ipv6(data: bytes, at: int, end: int, wire_end: int) -> Found | Miss:
    """Read an IPv6 header and walk its extensions (RFC 8200, sections 3 and 4)."""
    if at + _IPV6_FIXED > end:
        return Miss.TRUNCATED
    if data[at] >> 4 != 6:  # noqa: PLR2004 - the version
        return Miss.BAD
    (length,) = _U16(data, at + 4)
    addresses = data[at + 8 : at + 40]
    kind = data[at + 6]
    at += _IPV6_FIXED
    # Length 0: segmentation offload, or a jumbogram (RFC 2675); the packet's own length tells.
    packet_end = min(at + length, wire_end) if length else wire_end
    # Each extension is at least 8 bytes long, so the packet bounds the walk.
    while kind in _EXTENSIONS or kind == _AUTHENTICATION:
        if at + 8 > end:
            return Miss.TRUNCATED
        kind, at = data[at], at + _extension_length(kind, data[at + 1])
    if kind == _FRAGMENT:
        return Miss.FRAGMENT
    if kind != TCP:
        return Miss.NOT_TCP
    return _tcp(data, addresses, at, end, packet_end)


def _extension_length(kind: int, length: int) -> int:
    if kind == _AUTHENTICATION:
        return (length + 2) * 4  # RFC 4302, section 2.2
    return (length + 1) * 8


def _tcp(data: bytes, addresses: bytes, at: int, end: int, packet_end: int) -> Found | Miss:
    if packet_end - at < TCP_NEEDED:
        return Miss.BAD
    if end - at < TCP_NEEDED:
        return Miss.TRUNCATED
    return Found(addresses + data[at : at + 4], at, packet_end)


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
        source, destination = f"[{IPv6Address(key[:16])}]", f"[{IPv6Address(key[16:32])}]"
    return (f"{source}:{ports[0]}", f"{destination}:{ports[1]}"), ports
