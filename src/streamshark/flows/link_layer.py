"""Link layers: EtherType and offset of the network layer in a packet.

One function per link type, in one table; each takes (data, start, end) and returns the EtherType
and the offset of the network layer. The EtherType is `CUT` if the header is incomplete. Link types
are the LINKTYPE_ numbers of https://www.tcpdump.org/linktypes.html.
"""

import struct
from collections.abc import Callable

from streamshark.errors import StreamsharkError

IPV4 = 0x0800
IPV6 = 0x86DD
CUT = -1
"""Instead of an EtherType: the packet ends before it."""
OTHER = -2
"""Instead of an EtherType: the packet has none."""

_VLAN_TAGS = frozenset({0x8100, 0x88A8, 0x9100})
"""802.1Q, 802.1ad, and what switches sent for the outer tag before 802.1ad."""

_SNAP = b"\xaa\xaa\x03\x00\x00\x00"
"""LLC and SNAP for an EtherType inside 802.3 (RFC 1042)."""
_LARGEST_LENGTH = 1500
"""Largest value of the 802.3 type field that is a length."""

_PPPOE_SESSION = 0x8864
_PPPOE_HEADER = 6
_PPPOE_DATA = b"\x11\0"
"""Version 1, type 1, code 0; other codes discover and terminate sessions."""
_MPLS = frozenset({0x8847, 0x8848})
_PPP_ADDRESS = b"\xff\x03"
"""All stations, unnumbered information: first bytes of HDLC, which peers may negotiate to omit."""
_PPP_TYPES = {0x0021: IPV4, 0x0057: IPV6, 0x0281: 0x8847, 0x0283: 0x8848}
"""PPP protocol to EtherType (IANA's registry of PPP numbers)."""

_U16 = struct.Struct(">H").unpack_from

_FAMILIES = {2: IPV4, 10: IPV6, 24: IPV6, 28: IPV6, 30: IPV6}
"""AF_INET everywhere; AF_INET6 of Linux, the BSDs (NetBSD and OpenBSD, FreeBSD) and macOS."""


class UnsupportedLinkType(StreamsharkError):  # noqa: N818 - named for what the user meets
    """No packet that was fed has a link type that can be read."""


def _ether_type(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the EtherType at `at` and the offset after it, past any VLAN tags."""
    while at + 2 <= end:
        (kind,) = _U16(data, at)
        at += 2
        if kind not in _VLAN_TAGS:
            if kind <= _LARGEST_LENGTH and data[at : at + 6] == _SNAP and at + 8 <= end:
                return _U16(data, at + 6)[0], at + 8
            return _inside(kind, data, at, end)
        at += 2
    return CUT, end


def _inside(kind: int, data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return EtherType and offset, past PPPoE and MPLS headers."""
    if kind == _PPPOE_SESSION:
        return _pppoe(data, at, end)
    return _mpls(data, at, end) if kind in _MPLS else (kind, at)


def _pppoe(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Skip the header of a PPPoE session packet (RFC 2516, section 4)."""
    if at + _PPPOE_HEADER > end:
        return CUT, end
    if data[at : at + 2] != _PPPOE_DATA:
        return OTHER, at
    return _ppp(data, at + _PPPOE_HEADER, end)


def _ppp(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Skip the header of a PPP frame (RFC 1661, section 2; compressed fields, 6.5 and 6.6)."""
    if data[at : min(at + 2, end)] == _PPP_ADDRESS:
        at += 2
    if at + 2 > end:
        return CUT, end
    if data[at] & 1:
        kind, at = data[at], at + 1
    else:
        kind, at = _U16(data, at)[0], at + 2
    return _inside(_PPP_TYPES.get(kind, OTHER), data, at, end)


def _mpls(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Skip a stack of MPLS labels (RFC 3032); the first nibble after it gives the IP version."""
    while at + 4 < end:
        at += 4
        if data[at - 2] & 1:
            return _raw(data, at, end)
    return CUT, end


def read_ethernet(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Read an Ethernet header."""
    return _ether_type(data, start + 12, end)


def _cisco_hdlc(data: bytes, start: int, end: int) -> tuple[int, int]:
    return _ether_type(data, start + 2, end)


def _linux_cooked(data: bytes, start: int, end: int) -> tuple[int, int]:
    return _ether_type(data, start + 14, end)


def _linux_cooked_2(data: bytes, start: int, end: int) -> tuple[int, int]:
    if start + 20 > end:
        return CUT, end
    (kind,) = _U16(data, start)
    if kind in _VLAN_TAGS:
        # The tag itself follows the header: two bytes of it, then the inner EtherType.
        return _ether_type(data, start + 22, end)
    return kind, start + 20


def _null(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Skip the address family, which has the capturing host's byte order."""
    if start + 4 > end:
        return CUT, end
    family = data[start : start + 4]
    value = min(int.from_bytes(family, "big"), int.from_bytes(family, "little"))
    return _FAMILIES.get(value, OTHER), start + 4


def _raw(data: bytes, start: int, end: int) -> tuple[int, int]:
    if start >= end:
        return CUT, end
    return {4: IPV4, 6: IPV6}.get(data[start] >> 4, OTHER), start


def _raw_ipv4(_data: bytes, start: int, _end: int) -> tuple[int, int]:
    return IPV4, start


def _raw_ipv6(_data: bytes, start: int, _end: int) -> tuple[int, int]:
    return IPV6, start


_WIFI_DATA = 0x08
"""First byte of a data frame with payload, whatever else its subtype says."""


def _ieee_802_11(data: bytes, start: int, end: int, pad: int = 0) -> tuple[int, int]:
    """Skip the header of a Wi-Fi data frame (IEEE 802.11, section 9.3.2), padded to `pad`.

    Other frames, encrypted ones and fragments have no readable payload.
    """
    if start + 24 > end:
        return CUT, end
    kind, flags = data[start], data[start + 1]
    if kind & 0x4F != _WIFI_DATA or flags & 0x44 or data[start + 22] & 0x0F:
        return OTHER, start
    size = 24 + 6 * (flags & 3 == 3)  # noqa: PLR2004 - from one access point to another
    at = start + size
    if kind & 0x80:
        if at + 2 > end:
            return CUT, end
        many = data[at] & 0x80
        size += 6 if flags & 0x80 else 2
        at = start + size + (-size % pad if pad else 0) + (14 if many else 0)
    elif pad:
        at += -size % pad
    if at + 8 > end:
        return CUT, end
    return (_U16(data, at + 6)[0], at + 8) if data[at : at + 6] == _SNAP else (OTHER, at)


def _radiotap(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Skip the header of radiotap.org; a flag in it says that the Wi-Fi header is padded."""
    if start + 8 > end:
        return CUT, end
    size, present = struct.unpack_from("<HI", data, start + 2)
    after = start + size
    if data[start] or size < 8 or after > end:  # noqa: PLR2004 - the least
        return (CUT, end) if after > end else (OTHER, start)
    at, more = 8, present
    while more >> 31 and at + 4 <= size:
        (more,) = struct.unpack_from("<I", data, start + at)
        at += 4
    if present & 1:
        at += -at % 8 + 8
    padded = present & 2 and at < size and data[start + at] & 0x20
    return _ieee_802_11(data, after, end, 4 if padded else 0)


_NFLOG_PAYLOAD = 9
"""NFULA_PAYLOAD of linux/netfilter/nfnetlink_log.h."""


def _nflog(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Find the packet among attributes, whose numbers have the capturing host's byte order."""
    if start + 8 > end:
        return CUT, end
    if data[start + 1]:
        return OTHER, start
    order = "<" if data[start + 4] else ">"
    if data[start + 4] and data[start + 5]:
        return OTHER, start
    at = start + 4
    while at + 4 <= end:
        size, kind = struct.unpack_from(f"{order}HH", data, at)
        if kind & 0x3FFF == _NFLOG_PAYLOAD:
            return _raw(data, at + 4, end)
        if size < 4:  # noqa: PLR2004 - its own header
            return OTHER, at
        at += size + -size % 4
    return CUT, end


_JUNIPER_MAGIC = b"MGC"
_JUNIPER_TYPES = {2: IPV4, 6: IPV6}


def _juniper_ethernet(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Skip Juniper's header, its extensions and, mostly, Ethernet."""
    if start + 4 > end:
        return CUT, end
    if data[start : start + 3] != _JUNIPER_MAGIC:
        return OTHER, start
    flags, at = data[start + 3], start + 4
    if flags & 0x80:
        if at + 2 > end:
            return CUT, end
        at += 2 + _U16(data, at)[0]
    if not flags & 2:
        return read_ethernet(data, at, end)
    if at + 4 > end:
        return CUT, end
    return _JUNIPER_TYPES.get(data[at], OTHER), at + 4


_INFINIBAND_ROUTE = 40
"""Bytes of the global route header; RFC 4391, section 6, has four bytes after it."""


def _ip_over_infiniband(data: bytes, start: int, end: int) -> tuple[int, int]:
    at = start + _INFINIBAND_ROUTE
    if at + 4 > end:
        return CUT, end
    return _U16(data, at)[0], at + 4


LINKS: dict[int, Callable[[bytes, int, int], tuple[int, int]]] = {
    0: _null,
    1: read_ethernet,
    9: _ppp,
    12: _raw,
    14: _raw,
    50: _ppp,
    51: _pppoe,
    101: _raw,
    104: _cisco_hdlc,
    105: _ieee_802_11,
    108: _null,
    113: _linux_cooked,
    127: _radiotap,
    178: _juniper_ethernet,
    228: _raw_ipv4,
    229: _raw_ipv6,
    239: _nflog,
    242: _ip_over_infiniband,
    276: _linux_cooked_2,
}
"""Link type to the function that reads it."""

_NAMES = {
    0: "NULL",
    1: "ETHERNET",
    3: "AX25",
    6: "IEEE802_5 (token ring)",
    7: "ARCNET",
    8: "SLIP",
    9: "PPP",
    10: "FDDI",
    100: "ATM_RFC1483",
    101: "RAW",
    105: "IEEE802_11 (Wi-Fi)",
    107: "FRELAY",
    108: "LOOP",
    113: "LINUX_SLL",
    117: "PFLOG",
    119: "PRISM_HEADER (Wi-Fi)",
    122: "IP_OVER_FC",
    127: "IEEE802_11_RADIOTAP (Wi-Fi)",
    143: "DOCSIS",
    147: "USER0",
    178: "JUNIPER_ETHER",
    163: "IEEE802_11_AVS (Wi-Fi)",
    187: "BLUETOOTH_HCI_H4",
    189: "USB_LINUX",
    192: "PPI",
    195: "IEEE802_15_4_WITHFCS",
    197: "ERF",
    201: "BLUETOOTH_HCI_H4_WITH_PHDR",
    203: "LAPD",
    220: "USB_LINUX_MMAPPED",
    227: "CAN_SOCKETCAN",
    239: "NFLOG",
    240: "NETANALYZER",
    242: "IPOIB",
    249: "USBPCAP",
    253: "NETLINK",
    271: "VSOCK",
    272: "NORDIC_BLE",
    274: "ETHERNET_MPACKET",
    228: "IPV4",
    229: "IPV6",
    276: "LINUX_SLL2",
    287: "DSA_TAG_DSA",
}
"""The registry's names, for messages."""


def link_name(link: int) -> str:
    """Return a link type's number, with its name if known: `127 (IEEE802_11_RADIOTAP)`."""
    name = _NAMES.get(link)
    return f"{link} ({name.partition(' ')[0]})" if name else str(link)
