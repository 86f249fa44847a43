"""Replace what headers of link layers say of machines: addresses, and names of interfaces.

What only describes the packet stays, so that it is found at the same offset.
"""

import struct
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from streamshark.flows.link_layer import IPV6, LINKS
from streamshark.sharing.redaction_addresses import Addresses

ETHERNET: Final = 1
RADIOTAP: Final = 127


class PartKind(Enum):
    """What takes the place of bytes of a header."""

    ETHERNET = auto()
    """Another address of Ethernet."""
    IPV4 = auto()
    """Another address of IPv4."""
    IPV6 = auto()
    """Another address of IPv6; perhaps only its first bytes are there."""
    ZERO = auto()
    """Zeros."""


class HeaderPart(NamedTuple):
    """Bytes of a header that are replaced."""

    start: int
    size: int
    kind: PartKind = PartKind.ETHERNET


def redact_link_layer(out: bytearray, link: int, addresses: Addresses | None) -> None:
    """Replace what the header of a link layer says; `addresses` is None if addresses stay."""
    find = _PARTS.get(link)
    for part in find(bytes(out)) if find is not None else ():
        end = part.start + part.size
        old = bytes(out[part.start : end])
        kind = part.kind if len(old) == part.size else PartKind.ZERO
        if (made := _replaced(old, kind, addresses)) is not None:
            out[part.start : end] = made


def header_size(link: int, data: bytes) -> int:
    """Return the bytes of a packet's link-layer header, where no IP follows."""
    size = _SIZES.get(link, 0)
    return size if isinstance(size, int) else min(size(data), len(data))


def frame_start(link: int, data: bytes) -> int:
    """Return the offset of the frame that a check sequence at its end covers."""
    return int.from_bytes(data[2:4], "little") if link == RADIOTAP else 0


def ethernet_addresses(at: int) -> Iterator[HeaderPart]:
    """Yield the addresses of an Ethernet header at an offset."""
    yield HeaderPart(at, 6)
    yield HeaderPart(at + 6, 6)


def _replaced(old: bytes, kind: PartKind, addresses: Addresses | None) -> bytes | None:
    """Return what takes the place of a part; None if it stays."""
    if kind is PartKind.ZERO:
        return bytes(len(old))
    if addresses is None:
        return None
    if kind is PartKind.ETHERNET:
        return addresses.ethernet(old)
    if kind is PartKind.IPV4:
        return addresses.ipv4(old)
    return addresses.ipv6(old.ljust(16, b"\0"))[: len(old)]


def _ethernet(_data: bytes) -> Iterator[HeaderPart]:
    return ethernet_addresses(0)


# Linux cooked captures: an address of the sender, of eight bytes at most


def _cooked(data: bytes) -> Iterator[HeaderPart]:
    return _cooked_address(6, int.from_bytes(data[4:6], "big"))


def _cooked_2(data: bytes) -> Iterator[HeaderPart]:
    return _cooked_address(12, data[11] if len(data) > 11 else 0)  # noqa: PLR2004 - the length's place


def _cooked_address(at: int, size: int) -> Iterator[HeaderPart]:
    """Yield an address: of Ethernet, or the outer one of a tunnel."""
    whole = 8
    known = {4: PartKind.IPV4, 6: PartKind.ETHERNET, 16: PartKind.IPV6}.get(size)
    taken = min(size, whole) if known is not None else 0
    if known is not None:
        yield HeaderPart(at, taken, known)
    yield HeaderPart(at + taken, whole - taken, PartKind.ZERO)


# Wi-Fi


_MANAGEMENT, _CONTROL = 0x00, 0x04
_TYPE: Final = 0x0C
_RECEIVER_ALONE: Final = frozenset({0xC4, 0xD4})
"""First bytes of control frames with one address: clear to send, acknowledgement."""


def _radiotap(data: bytes) -> Iterator[HeaderPart]:
    return _wifi(data, frame_start(RADIOTAP, data))


def _wifi(data: bytes, at: int = 0) -> Iterator[HeaderPart]:
    """Yield the addresses of a frame (IEEE 802.11, section 9.3)."""
    if at + 2 > len(data):
        return
    kind, flags = data[at], data[at + 1]
    yield HeaderPart(at + 4, 6)
    if kind not in _RECEIVER_ALONE:
        yield HeaderPart(at + 10, 6)
    if kind & _TYPE != _CONTROL:
        yield HeaderPart(at + 16, 6)
    has_fourth = kind & _TYPE not in (_MANAGEMENT, _CONTROL) and flags & 3 == 3  # noqa: PLR2004
    if has_fourth:
        yield HeaderPart(at + 24, 6)
    size = 24 + 6 * has_fourth
    if kind & 0x88 == 0x88 and data[at + size : at + size + 1] >= b"\x80":  # noqa: PLR2004 - QoS
        link = 105 if not at else RADIOTAP
        ip = LINKS[link](data, 0, len(data))[1]
        yield from ethernet_addresses(ip - 22)  # of the first of several frames in one


def _wifi_size(data: bytes, at: int = 0) -> int:
    found = [each.start + each.size for each in _wifi(data, at)]
    return max(found, default=at)


# Netfilter's log: attributes


_NFLOG_HEAD: Final = 4
_ATTRIBUTE: Final = 4
_PACKET_HEADER, _TIMESTAMP, _HARDWARE_ADDRESS, _PAYLOAD = 1, 3, 8, 9
"""NFULA_ attributes of linux/netfilter/nfnetlink_log.h."""


def _attributes(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield kind, offset and size of the values of attributes, the payload last."""
    order = "<" if data[_NFLOG_HEAD : _NFLOG_HEAD + 1] > b"\0" else ">"
    at = _NFLOG_HEAD
    while at + _ATTRIBUTE <= len(data):
        size, kind = struct.unpack_from(f"{order}HH", data, at)
        is_last = kind & 0x3FFF == _PAYLOAD
        if size < _ATTRIBUTE or (at + size > len(data) and not is_last):
            return
        yield kind & 0x3FFF, at + _ATTRIBUTE, size - _ATTRIBUTE
        if is_last:
            return
        at += size + -size % 4


def _nflog(data: bytes) -> Iterator[HeaderPart]:
    for kind, at, size in _attributes(data):
        if kind == _HARDWARE_ADDRESS and size >= 10:  # noqa: PLR2004 - its length, and six bytes
            yield HeaderPart(at + 4, 6)
            yield HeaderPart(at + 10, size - 10, PartKind.ZERO)
        elif kind not in (_PACKET_HEADER, _TIMESTAMP, _PAYLOAD):
            yield HeaderPart(at, size, PartKind.ZERO)


def _nflog_size(data: bytes) -> int:
    """Return the offset of the payload; without one the end of the last attribute."""
    end = _NFLOG_HEAD
    for kind, at, size in _attributes(data):
        end = at if kind == _PAYLOAD else at + size
    return end


# Juniper


_JUNIPER_HEAD: Final = 4
_EXTENDED, _NO_ETHERNET = 0x80, 2


def _juniper_start(data: bytes) -> int:
    """Return the offset after Juniper's header and its extensions."""
    flags = data[3] if len(data) >= _JUNIPER_HEAD else 0
    size = 2 + int.from_bytes(data[4:6], "big") if flags & _EXTENDED else 0
    return _JUNIPER_HEAD + size


def _juniper(data: bytes) -> Iterator[HeaderPart]:
    """Yield the values of extensions, such as names of interfaces, and addresses."""
    start = _juniper_start(data)
    at = _JUNIPER_HEAD + 2
    while at + 2 <= start <= len(data):
        yield HeaderPart(at + 2, min(data[at + 1], start - at - 2), PartKind.ZERO)
        at += 2 + data[at + 1]
    if len(data) >= _JUNIPER_HEAD and not data[3] & _NO_ETHERNET:
        yield from ethernet_addresses(start)


def _juniper_size(data: bytes) -> int:
    has_ethernet = len(data) >= _JUNIPER_HEAD and not data[3] & _NO_ETHERNET
    return _juniper_start(data) + (14 if has_ethernet else 4)


# InfiniBand


def _infiniband(data: bytes) -> Iterator[HeaderPart]:
    """Yield the identifiers of both ports in the route header, which are as addresses of IPv6."""
    if len(data) >= 40:  # noqa: PLR2004 - the header
        yield HeaderPart(8, 16, PartKind.IPV6)
        yield HeaderPart(24, 16, PartKind.IPV6)


_PARTS: Final[dict[int, Callable[[bytes], Iterator[HeaderPart]]]] = {
    ETHERNET: _ethernet, 105: _wifi, 113: _cooked, RADIOTAP: _radiotap, 178: _juniper,
    239: _nflog, 242: _infiniband, 276: _cooked_2,
}  # fmt: skip
"""Link type to the function that finds what is replaced; others have no addresses."""
_SIZES: Final[dict[int, int | Callable[[bytes], int]]] = {
    0: 4, ETHERNET: 14, 105: _wifi_size, 108: 4, 113: 16,
    RADIOTAP: lambda data: _wifi_size(data, frame_start(RADIOTAP, data)),
    178: _juniper_size, 239: _nflog_size, 242: 44, 276: 20,
}  # fmt: skip
"""Link type to the bytes of its header."""


# Extension headers of IPv6


_ROUTING, _AUTHENTICATION = 43, 51
_WITH_OPTIONS: Final = frozenset({0, 60})
"""Hop-by-hop and destination options."""
_IPV6_FIXED: Final = 40


def redact_extensions(
    out: bytearray, header: tuple[int, int, int, int], addresses: Addresses
) -> None:
    """Replace what headers between that of IPv6 and its payload say (RFC 8200, section 4)."""
    kind, at, _, inside = header
    if kind != IPV6:
        return
    protocol, at = out[at + 6], at + _IPV6_FIXED
    while at + 8 <= inside:
        following, count = out[at], out[at + 1]
        size = (count + 2) * 4 if protocol == _AUTHENTICATION else (count + 1) * 8
        end = min(at + size, inside)
        if protocol == _ROUTING:
            _redact_route(out, at + 8, end, addresses)
        elif protocol in _WITH_OPTIONS:
            _pad(out, at + 2, end)
        else:
            out[at + 8 : end] = bytes(max(0, end - at - 8))
        protocol, at = following, at + size


def _redact_route(out: bytearray, at: int, end: int, addresses: Addresses) -> None:
    """Replace the addresses of a route, and what follows them by zeros."""
    while at + 16 <= end:
        out[at : at + 16] = addresses.ipv6(bytes(out[at : at + 16]))
        at += 16
    out[at:end] = bytes(end - at)


def _pad(out: bytearray, at: int, end: int) -> None:
    """Replace options by padding (RFC 8200, 4.2); an option has 255 bytes at most."""
    while at < end:
        size = min(end - at, 257)
        size -= end - at - size == 1
        out[at : at + size] = b"\0" if size == 1 else bytes([1, size - 2]) + bytes(size - 2)
        at += size
