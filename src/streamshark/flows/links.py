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
            return kind, at
        at += 2
    return CUT, end


def _ethernet(data: bytes, start: int, end: int) -> tuple[int, int]:
    return _ether_type(data, start + 12, end)


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
    1: _ethernet,
    12: _raw,
    14: _raw,
    101: _raw,
    108: _null,
    113: _linux_cooked,
    228: _raw_ipv4,
    229: _raw_ipv6,
    276: _linux_cooked_2,
}
"""Link type to the function that reads it; a further one is one more line."""

_NAMES = {
    3: "AX25",
    6: "IEEE802_5 (token ring)",
    7: "ARCNET",
    8: "SLIP",
    9: "PPP",
    10: "FDDI",
    50: "PPP_HDLC",
    51: "PPP_ETHER",
    100: "ATM_RFC1483",
    104: "C_HDLC",
    105: "IEEE802_11 (Wi-Fi)",
    107: "FRELAY",
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
    287: "DSA_TAG_DSA",
}
"""The registry's names, for messages."""


def link_name(link: int) -> str:
    """Return a link type's number with its name where it is known: `127 (IEEE802_11_RADIOTAP)`."""
    name = _NAMES.get(link)
    return f"{link} ({name.partition(' ')[0]})" if name else str(link)
