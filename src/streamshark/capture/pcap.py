"""Classic pcap: a header of 24 bytes, then records of a header of 16 bytes and the packet.

Spec: draft-ietf-opsawg-pcap, sections 4 and 5. Either byte order, micro- or nanoseconds, and
Kuznetzov's "modified" form, whose record headers have 8 bytes more (interface, protocol and packet
type; not read here). Source for that form: Wireshark's wiretap/libpcap.h, pcaprec_modified_hdr.
"""

import struct

from streamshark.capture.capture import Capture, Interface, record_limit
from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import CaptureError, Source

FILE_HEADER = 24
RECORD_HEADER = 16
MODIFIED_RECORD_HEADER = 24

_MAGICS = {
    0xA1B2C3D4: ("pcap", 1_000_000, RECORD_HEADER),
    0xA1B23C4D: ("pcap (nanosecond)", 1_000_000_000, RECORD_HEADER),
    0xA1B2CD34: ("pcap", 1_000_000, MODIFIED_RECORD_HEADER),
}

_VERSION = 2
"""Major version; the only one in use since 1998."""

_LINK = 0xFFFF
"""The link type is in the lower half of the header's last word; the upper half describes FCS
bytes."""


_HAS_FCS = 0x04000000
"""Bit of that word: the packets end with a frame check sequence, whose length in units of 16 bits
is in the upper four bits."""


def byte_order(head: bytes) -> str | None:
    """Return `<` or `>` if the first four bytes are a pcap magic, else None."""
    for order in "<>":
        if struct.unpack_from(f"{order}I", head)[0] in _MAGICS:
            return order
    return None


class PcapCapture(Capture):
    """A pcap file."""

    def __init__(
        self, source: Source, name: str, file: int, compression: str | None, head: bytes
    ) -> None:
        super().__init__(source, name, file, compression)
        order = byte_order(head) or "<"
        while len(head) < FILE_HEADER:
            part = source.read(FILE_HEADER - len(head))
            if not part:
                raise CaptureError(
                    f"{name}: the file ends inside the pcap header, after {len(head)} bytes"
                )
            head += part
        magic, major, minor, _, _, snap_length, network = struct.unpack_from(
            f"{order}IHHiIII", head
        )
        if major != _VERSION:
            self._damaged(
                f"the pcap header has version {major}.{minor} instead of 2.4; the file is read as"
                " 2.4"
            )
        self.format, resolution, self._header = _MAGICS[magic]
        self._link = network & _LINK
        self.fcs_bits = 16 * (network >> 28) if network & _HAS_FCS else None
        """Bits of the frame check sequence of its packets; None if the header does not say."""
        self._unit = 1_000_000_000 // resolution
        self._limit = record_limit(snap_length)
        self._unpack = struct.Struct(f"{order}IIII").unpack_from
        self.interfaces.append(Interface(self._link, snap_length, resolution))
        self._data, self._at = head, FILE_HEADER

    def _walk(self, batch: PacketBatch, left: int) -> None:
        data, at, end = self._data, self._at, len(self._data)
        unpack, header, unit, limit = self._unpack, self._header, self._unit, self._limit
        add_time, add_start = batch.times.append, batch.starts.append
        add_captured, add_original = batch.captured.append, batch.original.append
        need = header
        # About half a microsecond per packet; a call or an object per packet would double it.
        while at + header <= end:
            seconds, fraction, captured, original = unpack(data, at)
            if captured > limit:
                self._refuse(at, captured, self.packets + len(batch) + 1)
                break
            start = at + header
            after = start + captured
            if after > end:
                need = header + captured
                break
            add_time(seconds * 1_000_000_000 + fraction * unit)
            add_start(start)
            add_captured(captured)
            add_original(original)
            at = after
            left -= 1
            if not left:
                break
        batch.links = [self._link] * len(batch)
        self._at, self._need = at, need

    def record_end(self, data: bytes, at: int) -> int | None:
        """Return where a record ends that has bytes, no more of them than the packet had."""
        after = at + self._header
        if after > len(data):
            return None
        _, _, captured, original = self._unpack(data, at)
        end: int = after + captured
        return end if captured and end <= len(data) and captured <= original else None

    def _refuse(self, at: int, captured: int, number: int) -> None:
        self._damaged(
            f"the record at byte {self._base + at} (packet {number}) claims {captured} captured"
            f" bytes, but at most {self._limit} are possible; the rest cannot be read"
        )
