"""Replace addresses, so that what shares a prefix still does, and text keeps its length.

Each octet of IPv4, group of IPv6 and byte of an Ethernet address is replaced by another one that
has as many digits; which one follows from the key and from what precedes it. Ranges that say what
an address is for stay: loopback, private, link-local, multicast, unspecified, broadcast.
"""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from typing import TYPE_CHECKING, Final

from streamshark.sharing.redaction_ciphers import Permutations

if TYPE_CHECKING:
    from collections.abc import Callable

Range = tuple[int, ...]
_SPECIAL: Final = frozenset({10, 127, 169, 172, 192})
_DIGITS: Final = tuple(
    tuple(range(*each)) for each in ((0, 10), (10, 100), (100, 256))
)  # by number of digits
_FIRST: Final = tuple(
    tuple(each for each in span if 0 < each < 224 and each not in _SPECIAL)  # noqa: PLR2004 - multicast
    for span in _DIGITS
)
_PRIVATE_172: Final = tuple(range(16, 32))
_OTHER_172: Final = tuple(
    tuple(each for each in span if each not in _PRIVATE_172) for span in _DIGITS
)
_OTHER_192: Final = tuple(tuple(each for each in span if each != 168) for span in _DIGITS)  # noqa: PLR2004
_IPV4: Final = 4
_GROUPS: Final = 8
_MAPPED: Final = bytes(10) + b"\xff\xff"
_KEPT_GROUPS: Final = ((0xFE80, 0xFFC0), (0xFF00, 0xFF00), (0xFC00, 0xFE00), (0x2001, 0xFFFF))
"""First groups that stay, as number and mask: link-local, multicast, unique local, and 2001."""
IPV4_TEXT: Final = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\w)")
IPV6_TEXT: Final = re.compile(
    r"(?<![\w:.])(?=[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:)[0-9A-Fa-f:.]{2,45}(?![\w:])"
)
_MOST_KNOWN: Final = 65_536


class Addresses:
    """The replacements of addresses by one key."""

    def __init__(self, permutations: Permutations) -> None:
        self._permutations = permutations
        self.ipv4: Callable[[bytes], bytes] = lru_cache(_MOST_KNOWN)(self._ipv4)
        """Returns the replacement of 4 bytes."""
        self.ipv6: Callable[[bytes], bytes] = lru_cache(_MOST_KNOWN)(self._ipv6)
        """Returns the replacement of 16 bytes."""
        self.ethernet: Callable[[bytes], bytes] = lru_cache(_MOST_KNOWN)(self._ethernet)
        """Returns the replacement of 6 bytes."""

    def ipv4_text(self, text: str) -> str | None:
        """Return the replacement of an address in text; None for what is none."""
        octets = text.split(".")
        if len(octets) != _IPV4 or not all(each.isdigit() and int(each) < 256 for each in octets):  # noqa: PLR2004
            return None
        made = self.ipv4(bytes(map(int, octets)))
        return ".".join(
            str(new).rjust(len(old), "0") for old, new in zip(octets, made, strict=True)
        )

    def ipv6_text(self, text: str) -> str | None:
        """Return the replacement of an address in text, written alike; None for others."""
        try:
            packed = IPv6Address(text).packed
        except AddressValueError:
            return None
        made = self.ipv6(packed)
        head, colon, tail = text.rpartition(":")
        if "." in tail:
            tail_made = ".".join(map(str, made[12:]))
            return self._groups(head + colon, made, _GROUPS - 2) + tail_made
        return self._groups(text, made, _GROUPS)

    @staticmethod
    def _groups(text: str, made: bytes, count: int) -> str:
        """Return groups in text, `count` of them where no double colon leaves some out."""
        before, _, after = text.partition("::")
        first = [each for each in before.split(":") if each]
        last = [each for each in after.split(":") if each]
        places = [*range(len(first)), *range(count - len(last), count)]
        out, at = "", 0
        for piece in re.split(r"(:+)", text):
            if not piece or piece[0] == ":":
                out += piece
                continue
            place = 2 * places[at]
            group = f"{int.from_bytes(made[place : place + 2], 'big'):x}".rjust(len(piece), "0")
            out += group.upper() if text != text.lower() else group
            at += 1
        return out

    def _ipv4(self, address: bytes) -> bytes:
        first = address[0]
        if first in (0, 127) or first >= 224:  # noqa: PLR2004 - unspecified, loopback, multicast
            return address
        out = bytearray()
        for place, octet in enumerate(address):
            out.append(self._octet(octet, _ranges(place, address), b"4" + address[:place]))
        return bytes(out)

    def _octet(self, octet: int, ranges: tuple[Range, ...], purpose: bytes) -> int:
        for span in ranges:
            if octet in span:
                return span[self._permutations.of(span.index(octet), len(span), purpose)]
        return octet

    def _ipv6(self, address: bytes) -> bytes:
        if address[:12] == _MAPPED:
            return _MAPPED + self.ipv4(address[12:])
        if address[0] == 0xFF or (address[:15] == bytes(15) and address[15] <= 1):  # noqa: PLR2004
            return address
        groups = [int.from_bytes(address[at : at + 2], "big") for at in range(0, 16, 2)]
        out = bytearray()
        for place, group in enumerate(groups):
            made = (
                group if not place and _stays(group) else self._group(group, address[: 2 * place])
            )
            out += made.to_bytes(2, "big")
        return bytes(out)

    def _group(self, group: int, before: bytes) -> int:
        if not group:
            return 0
        if not before and group >> 12 in (2, 3):
            least, size = 0x2002, 0x1FFE  # global unicast but 2000 and 2001
            if group < least:
                return group
        else:
            least = 16 ** ((group.bit_length() - 1) // 4)
            size = 15 * least
        return least + self._permutations.of(group - least, size, b"6" + before)

    def _ethernet(self, address: bytes) -> bytes:
        if address[0] & 1 or not any(address):
            return address
        out = bytearray()
        first = self._permutations.of(address[0] >> 2, 64, b"E%d" % (address[0] & 3))
        out.append(first << 2 | address[0] & 3)
        for place, byte in enumerate(address[1:], 1):
            out.append(self._permutations.of(byte, 256, b"E" + address[:place]))
        return bytes(out)


def _ranges(place: int, address: bytes) -> tuple[Range, ...]:
    """Return the ranges within which an octet of IPv4 is replaced."""
    first = address[0]
    if not place:
        return _FIRST
    if place == 1 and first in (169, 172, 192):
        known: dict[int, tuple[Range, ...]] = {
            169: tuple(tuple(each for each in span if each != 254) for span in _DIGITS),  # noqa: PLR2004
            172: (_PRIVATE_172, *_OTHER_172),
            192: _OTHER_192,
        }
        return known[first]
    return _DIGITS


def _stays(group: int) -> bool:
    return any(group & mask == number for number, mask in _KEPT_GROUPS)
