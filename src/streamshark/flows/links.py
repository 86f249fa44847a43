"""Link layers: where the network layer begins in a packet, and what it is.

One function per link type, in one table; each takes (data, start, end) and returns the EtherType
and the offset of the network layer. The EtherType is `CUT` where the header is not all there.
Link types are the LINKTYPE_ numbers of https://www.tcpdump.org/linktypes.html.
"""

import struct
from collections.abc import Callable

from streamshark.errors import StreamsharkError

IPV4 = 0x0800
IPV6 = 0x86DD
CUT = -1
"""In place of an EtherType: the packet ends before it."""
OTHER = -2
"""In place of an EtherType: something that has none."""

_VLAN_TAGS = frozenset({0x8100, 0x88A8, 0x9100})
"""802.1Q, 802.1ad, and what switches sent for the outer tag before 802.1ad."""

_SNAP = b"\xaa\xaa\x03\x00\x00\x00"
"""LLC and SNAP for an EtherType inside 802.3 (RFC 1042)."""
_LARGEST_LENGTH = 1500
"""Up to here the type field of 802.3 is a length."""

_PPPOE_SESSION = 0x8864
_PPPOE_HEADER = 6
_PPPOE_DATA = b"\x11\0"
"""Version 1, type 1, code 0; other codes find and end sessions."""
_MPLS = frozenset({0x8847, 0x8848})
_PPP_ADDRESS = b"\xff\x03"
"""All stations, unnumbered information: what HDLC puts first, and peers may agree to leave out."""
_PPP_TYPES = {0x0021: IPV4, 0x0057: IPV6, 0x0281: 0x8847, 0x0283: 0x8848}
"""PPP protocol to EtherType (IANA's registry of PPP numbers)."""

_U16 = struct.Struct(">H").unpack_from

_FAMILIES = {2: IPV4, 10: IPV6, 24: IPV6, 28: IPV6, 30: IPV6}
"""AF_INET everywhere; AF_INET6 of Linux, the BSDs (NetBSD and OpenBSD, FreeBSD) and macOS."""


class UnsupportedLinkType(StreamsharkError):  # noqa: N818 - named for what the user meets
    """No packet that was fed has a link type that can be read."""


def _ether_type(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the EtherType at `at` and what follows it, past any VLAN tags."""
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
    """Return what an EtherType holds, past PPPoE and MPLS headers."""
    if kind == _PPPOE_SESSION:
        return _pppoe(data, at, end)
    return _mpls(data, at, end) if kind in _MPLS else (kind, at)


def _pppoe(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return what a PPPoE session packet holds (RFC 2516, section 4)."""
    if at + _PPPOE_HEADER > end:
        return CUT, end
    if data[at : at + 2] != _PPPOE_DATA:
        return OTHER, at
    return _ppp(data, at + _PPPOE_HEADER, end)


def _ppp(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return what a PPP frame holds (RFC 1661, section 2; compressed fields, 6.5 and 6.6)."""
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
    """Return what follows a stack of labels (RFC 3032); only the first nibble tells what it is."""
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
    """Return what follows the address family, which has the capturing host's byte order."""
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
    108: _null,
    113: _linux_cooked,
    228: _raw_ipv4,
    229: _raw_ipv6,
    276: _linux_cooked_2,
}
"""Link type to the function that reads it; a further one is one more line."""

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
    """Return a link type's number with its name where it is known: `127 (IEEE802_11_RADIOTAP)`."""
    name = _NAMES.get(link)
    return f"{link} ({name.partition(' ')[0]})" if name else str(link)
