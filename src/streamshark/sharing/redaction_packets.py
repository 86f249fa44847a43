"""Write packets with other addresses and payloads, their sums mended.

The bytes of TCP come from `StreamPieces`, by their position in the stream; what is not there is
blanked. So every packet that carries a byte, also a retransmission, has the same one in its place.
"""

import struct
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from streamshark.capture.packet_column import NONE
from streamshark.capture.synthetic_tcp import checksum
from streamshark.flows.direction import distance
from streamshark.flows.ip import TcpHeader, find_tcp, ip_headers
from streamshark.flows.ip_fragments import Fragment
from streamshark.flows.link_layer import IPV4
from streamshark.sharing.redaction_addresses import Addresses
from streamshark.sharing.redaction_link_layers import (
    ethernet_addresses,
    frame_start,
    header_size,
    redact_extensions,
    redact_link_layer,
)
from streamshark.sharing.redaction_streams import StreamPieces
from streamshark.sharing.redaction_text import FILL

_TCP, _UDP, _ICMP, _GRE, _ICMPV6 = 6, 17, 1, 47, 58
_SYN, _RST = 2, 4
_IPV4_HEADER, _IPV6_HEADER = 20, 40
_KEPT_HEADS: Final = {_UDP: 8, _ICMP: 4, _ICMPV6: 4}
"""Bytes of headers of other protocols that stay."""
_FCS = 4
_FRAGMENTED, _FRAGMENT_HEADER = 44, 8
"""IPv6's header of fragments, and its bytes."""
_LEAST_TCP = 19
_MOST_DATAGRAMS = 4096


class PacketRedaction:
    """The redaction of packets.

    Args:
        pieces: What takes the place of payloads.
        origins: Sequence number of the first byte of each known stream.
        addresses: The replacements of addresses; None if they stay.
        fill: Returns what takes the place of payload that nothing replaces.
    """

    def __init__(
        self,
        pieces: StreamPieces,
        origins: dict[int, int],
        addresses: Addresses | None,
        fill: Callable[[bytes], bytes],
    ) -> None:
        self._pieces = pieces
        self._origins = origins
        self._addresses = addresses
        self._fill = fill
        self._keys: dict[int, bytes] = {}
        """Flow to the key of its first packet, which is of side 0."""
        self._datagrams: dict[bytes, tuple[int, int, int]] = {}
        """Datagram in fragments to its stream, the offset of its header there, and its size."""
        self._latest: dict[int, int] = {}
        """Stream to the offset after the latest byte, by which sequence numbers are unwrapped."""

    def packet(self, link: int, data: bytes, original: int, flow: int, joined: int = NONE) -> bytes:
        """Return a packet with other addresses and payload.

        Args:
            link: Its link type.
            data: Its captured bytes.
            original: Number of its bytes on the wire.
            flow: Number of its connection, negative for none.
            joined: Of a fragment, the bytes of the segment of TCP that it is part of, if the sum
                of that is right.
        """
        found = find_tcp(link, data, 0, len(data), original)
        headers = ip_headers(link, data)
        out = bytearray(data)
        wire_end = _end_of_ip(data, headers, original)
        if isinstance(found, TcpHeader) and flow >= 0:
            self._tcp(out, found, flow)
        elif isinstance(found, Fragment) and headers:
            self._fragment(out, found, headers[-1], flow)
        else:
            self._others(out, headers, link)
        out[wire_end:] = bytes(max(0, len(out) - wire_end))
        redact_link_layer(out, link, self._addresses)
        if self._addresses is not None:
            _readdress(out, headers, self._addresses)
        if isinstance(found, Fragment) and joined != NONE and not found.start:
            self._mend_joined(out, found, headers[-1], joined)
        _mend(data, out, headers, original)
        start = frame_start(link, data)
        if len(data) - wire_end >= _FCS and _is_fcs(data[start:]):
            out[-_FCS:] = zlib.crc32(out[start:-_FCS]).to_bytes(_FCS, "little")
        return bytes(out)

    # Payloads

    def _tcp(self, out: bytearray, found: TcpHeader, flow: int) -> None:
        """Replace the payload of a TCP segment."""
        header = found.header
        start = header + (out[header + 12] >> 4) * 4
        end = min(found.end, found.captured_end)
        first = self._keys.setdefault(flow, found.key)
        stream = 2 * flow + (found.key != first)
        flags = out[header + 13] if header + 13 < len(out) else 0
        (seq,) = struct.unpack_from(">I", out, header + 4)
        if flags & _SYN:
            self._origins.setdefault(stream, seq + 1 & 0xFFFFFFFF)
            seq += 1
        if start >= end:
            return
        made = bytearray(self._fill(bytes(out[start:end])))
        if not flags & _RST and stream in self._origins:
            offset = self._offset(stream, seq)
            self._pieces.put(stream, offset, made)
            self._latest[stream] = offset + end - start
        out[start:end] = made

    def _fragment(
        self, out: bytearray, found: Fragment, header: tuple[int, int, int, int], flow: int
    ) -> None:
        """Replace the payload in a fragment; the first one of a datagram has the header of TCP."""
        _, _, protocol, start = header
        start += _FRAGMENT_HEADER if protocol == _FRAGMENTED else 0
        end = start + len(found.data)
        made = bytearray([FILL]) * (end - start)
        size = (found.data[12] >> 4) * 4 if len(found.data) > _LEAST_TCP else 0
        if not found.start and found.protocol == _TCP and size and flow >= 0:
            key = found.addresses + found.data[:4]
            stream = 2 * flow + (key != self._keys.setdefault(flow, key))
            (seq,) = struct.unpack_from(">I", found.data, 4)
            made[:size] = found.data[:size]
            if stream in self._origins:
                offset = self._offset(stream, seq) - size
                self._datagrams[found.key] = stream, offset, size
        if (known := self._datagrams.get(found.key)) is not None:
            stream, offset, size = known
            skipped = min(max(0, size - found.start), len(made))
            part = made[skipped:]
            self._pieces.put(stream, offset + found.start + skipped, part)
            made[skipped:] = part
            if found.is_last or len(self._datagrams) > _MOST_DATAGRAMS:
                del self._datagrams[found.key]
        out[start:end] = made
        out[end:] = bytes(len(out) - end)

    def _mend_joined(
        self, out: bytearray, found: Fragment, header: tuple[int, int, int, int], joined: int
    ) -> None:
        """Compute the sum of a segment in fragments again, the first of which this is."""
        known = self._datagrams.get(found.key)
        if known is None:
            return
        stream, offset, _ = known
        kind, at, protocol, start = header
        start += _FRAGMENT_HEADER if protocol == _FRAGMENTED else 0
        rest = bytearray([FILL]) * (joined - len(found.data))
        self._pieces.put(stream, offset + len(found.data), rest)
        out[start + 16 : start + 18] = b"\0\0"
        pseudo = _pseudo(bytes(out), kind, at, _TCP, joined)
        made = checksum(pseudo + bytes(out[start : start + len(found.data)]) + rest)
        out[start + 16 : start + 18] = made.to_bytes(2, "big")

    def _offset(self, stream: int, seq: int) -> int:
        """Return the position of a sequence number, next to the latest one."""
        latest = self._latest.get(stream, 0)
        expected = self._origins[stream] + latest & 0xFFFFFFFF
        return latest + distance(expected, seq & 0xFFFFFFFF)

    def _others(self, out: bytearray, headers: list[tuple[int, int, int, int]], link: int) -> None:
        """Blank all after the headers of a packet without a known connection."""
        if not headers:
            start = header_size(link, bytes(out))
        else:
            _, _, protocol, start = headers[-1]
            if protocol == _TCP and start + 13 <= len(out):
                start += (out[start + 12] >> 4) * 4
            start += _KEPT_HEADS.get(protocol, 0)
        out[start:] = self._fill(bytes(out[start:]))


# Addresses


def _readdress(
    out: bytearray, headers: list[tuple[int, int, int, int]], addresses: Addresses
) -> None:
    """Replace the addresses in headers of IP, and in headers of Ethernet in tunnels."""
    for at in _ethernet_in_tunnels(out, headers):
        for part in ethernet_addresses(at):
            end = part.start + part.size
            out[part.start : end] = addresses.ethernet(bytes(out[part.start : end]))
    for header in headers:
        kind, at, _, inside = header
        size, change = (4, addresses.ipv4) if kind == IPV4 else (16, addresses.ipv6)
        start = at + (12 if kind == IPV4 else 8)
        for place in (start, start + size):
            out[place : place + size] = change(bytes(out[place : place + size]))
        if kind == IPV4 and inside > at + _IPV4_HEADER:
            out[at + _IPV4_HEADER : inside] = b"\1" * (inside - at - _IPV4_HEADER)
        redact_extensions(out, header, addresses)


def _ethernet_in_tunnels(out: bytearray, headers: list[tuple[int, int, int, int]]) -> Iterator[int]:
    """Yield where headers of Ethernet are in VXLAN and GRE."""
    for (_, _, protocol, inside), (_, inner, _, _) in pairwise(headers):
        if protocol == _UDP:
            yield inside + 16
        elif protocol == _GRE and out[inside + 2 : inside + 4] == b"\x65\x58":
            start = inside + 4 + 4 * (out[inside] & 0xB0).bit_count()
            if start + 14 <= inner:
                yield start


def _end_of_ip(data: bytes, headers: list[tuple[int, int, int, int]], original: int) -> int:
    """Return the offset after the outermost IP packet: what follows is padding."""
    if not headers:
        return len(data)
    kind, at, _, _ = headers[0]
    if kind == IPV4:
        total = int.from_bytes(data[at + 2 : at + 4], "big")
    else:
        total = int.from_bytes(data[at + 4 : at + 6], "big")
        total += _IPV6_HEADER if total else 0
    return min(len(data), at + total if total else original)


# Sums


def _mend(
    before: bytes, out: bytearray, headers: list[tuple[int, int, int, int]], original: int
) -> None:
    """Compute sums again that were right, the innermost ones first."""
    for header in reversed(headers):
        kind, at, protocol, inside = header
        end = _end_of_ip(before, [header], original)
        place = _sum_place(before, protocol, inside)
        is_whole = end <= len(before) and len(before) >= original
        is_fragment = kind == IPV4 and int.from_bytes(before[at + 6 : at + 8], "big") & 0x3FFF
        if place is not None and is_whole and not is_fragment and place + 2 <= end:
            _mend_payload(before, out, header, (place, end))
        if kind == IPV4 and checksum(before[at:inside]) in (0, 0xFFFF):
            out[at + 10 : at + 12] = b"\0\0"
            out[at + 10 : at + 12] = checksum(bytes(out[at:inside])).to_bytes(2, "big")


def _sum_place(data: bytes, protocol: int, inside: int) -> int | None:
    if protocol == _GRE:
        return inside + 4 if data[inside : inside + 1] >= b"\x80" else None
    offset = {_TCP: 16, _UDP: 6, _ICMP: 2, _ICMPV6: 2}.get(protocol)
    return None if offset is None else inside + offset


def _mend_payload(
    before: bytes, out: bytearray, header: tuple[int, int, int, int], span: tuple[int, int]
) -> None:
    """Compute a sum again, or that of its pseudo-header alone."""
    kind, at, protocol, inside = header
    place, end = span
    old = before[place : place + 2]
    if protocol == _UDP and old == b"\0\0":
        return
    was, now = (
        b"" if protocol in (_ICMP, _GRE) else _pseudo(each, kind, at, protocol, end - inside)
        for each in (before, bytes(out))
    )
    if checksum(was + before[inside:end]) in (0, 0xFFFF):
        out[place : place + 2] = b"\0\0"
        made = checksum(now + bytes(out[inside:end]))
        out[place : place + 2] = (made or 0xFFFF).to_bytes(2, "big")
    elif old == (0xFFFF - checksum(was)).to_bytes(2, "big"):
        out[place : place + 2] = (0xFFFF - checksum(now)).to_bytes(2, "big")


def _pseudo(data: bytes, kind: int, at: int, protocol: int, length: int) -> bytes:
    addresses = data[at + 12 : at + 20] if kind == IPV4 else data[at + 8 : at + 40]
    return pseudo_header(addresses, protocol, length)


def pseudo_header(addresses: bytes, protocol: int, length: int) -> bytes:
    """Return what a sum covers besides the packet (RFC 9293, 3.1; RFC 8200, 8.1)."""
    return addresses + struct.pack(">HH", protocol, length)


def _is_fcs(data: bytes) -> bool:
    """Return whether a frame of Ethernet ends with its check sequence."""
    return zlib.crc32(data[:-_FCS]).to_bytes(_FCS, "little") == data[-_FCS:]
