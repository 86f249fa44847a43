"""pcapng: blocks of type, length, body, length; sections of either byte order; many interfaces.

Spec: draft-ietf-opsawg-pcapng-03, section 4. Read are Section Header, Interface Description,
Enhanced, Simple and the obsolete Packet Blocks, Interface Statistics Blocks, comments, and
Decryption Secrets Blocks; every other block is kept unchanged.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from streamshark.capture.capture import (
    LARGEST_RECORD,
    MOST_INTERFACES,
    Capture,
    Comment,
    Interface,
    InterfaceStatistics,
    OtherBlock,
    Secrets,
    record_limit,
)
from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import CaptureError, Source

SECTION_HEADER = 0x0A0D0D0A
"""The same in either byte order."""
INTERFACE_DESCRIPTION = 1
PACKET = 2
"""Obsolete since 2004 (appendix A of the draft), still in use."""
SIMPLE_PACKET = 3
INTERFACE_STATISTICS = 5
ENHANCED_PACKET = 6
DECRYPTION_SECRETS = 10

COUNTED = frozenset({9, 0xBAD, 0x40000BAD})
"""Types that Wireshark shows as frames although they are not packets: systemd journal entries and
custom blocks. They take a number here too, so that packet numbers are Wireshark's."""
NO_LINK = -1
"""Link type of a counted block."""

MAGIC = SECTION_HEADER.to_bytes(4, "big")

BYTE_ORDER_MAGIC = 0x1A2B3C4D

_SMALLEST_BLOCK = 12
_SMALLEST = {
    SECTION_HEADER: 28,
    INTERFACE_DESCRIPTION: 20,
    PACKET: 32,
    SIMPLE_PACKET: 16,
    INTERFACE_STATISTICS: 24,
    ENHANCED_PACKET: 32,
    DECRYPTION_SECRETS: 20,
}
"""Fewest bytes of a block of each type."""

LARGEST_BLOCK = LARGEST_RECORD + (1 << 20)
"""Most bytes of a block: the largest packet and a mebibyte of options."""


class Options:
    """Codes of options; each kind of block has its own, but for comments."""

    COMMENT = 1
    SECTION_PROGRAM = 4
    IF_NAME = 2
    IF_DESCRIPTION = 3
    IF_TSRESOL = 9
    IF_FCSLEN = 13
    IF_TSOFFSET = 14
    ISB_IFRECV = 4
    ISB_IFDROP = 5
    ISB_OSDROP = 7


_NANOSECONDS = 1_000_000_000


class _Clock(NamedTuple):
    """Clock and limits of one interface: ns = units * multiplier // divisor + offset."""

    link: int
    multiplier: int
    divisor: int
    offset: int
    limit: int
    snap_length: int


class PcapngCapture(Capture):
    """A pcapng file."""

    alignment = 4

    format = "pcapng"

    def __init__(
        self, source: Source, name: str, file: int, compression: str | None, head: bytes
    ) -> None:
        super().__init__(source, name, file, compression)
        while len(head) < _SMALLEST[SECTION_HEADER]:
            part = source.read(_SMALLEST[SECTION_HEADER] - len(head))
            if not part:
                raise CaptureError(
                    f"{name}: the file ends inside the pcapng header, after {len(head)} bytes"
                )
            head += part
        self._data = head
        self._section = -1
        self._time = 0
        """Time of the last packet, for those without one; 0 before the first."""
        self._clocks: list[_Clock] = []
        """The interfaces of the current section, the first `MOST_INTERFACES` of them."""
        self._first = 0
        """Number of interfaces that the sections before it describe."""
        self._described = 0
        """Number of interfaces that this section describes."""
        if not self._set_order(0):
            raise CaptureError(f"{name}: starts like pcapng, but has no byte-order magic")

    def _set_order(self, at: int) -> bool:
        """Set the byte order of the Section Header Block at `at`; return False if it has none."""
        magic = self._data[at + 8 : at + 12]
        for order, name in (("<", "little"), (">", "big")):
            if magic == BYTE_ORDER_MAGIC.to_bytes(4, name):  # type: ignore[arg-type]
                self._order = order
                self._head = struct.Struct(f"{order}II").unpack_from
                self._enhanced = struct.Struct(f"{order}IIIII").unpack_from
                return True
        return False

    def _walk(self, batch: PacketBatch, left: int) -> None:  # noqa: C901, PLR0915 - one hot loop
        data, at, end = self._data, self._at, len(self._data)
        numbered, smallest = self.packets, _SMALLEST.get
        head, enhanced, clocks = self._head, self._enhanced, self._clocks
        add_time, add_start, add_link = batch.times.append, batch.starts.append, batch.links.append
        add_captured, add_original = batch.captured.append, batch.original.append
        self._need = _SMALLEST_BLOCK
        # Enhanced Packet Blocks are read here, about a microsecond each; others by `_read_block`.
        while left and end - at >= _SMALLEST_BLOCK:
            kind, length = head(data, at)
            if kind == SECTION_HEADER:
                if not self._set_order(at):
                    self._corrupt(at, len(batch), "a section without a byte-order magic")
                    break
                head, enhanced = self._head, self._enhanced
                kind, length = head(data, at)
            if length < smallest(kind, _SMALLEST_BLOCK) or length > LARGEST_BLOCK or length & 3:
                self._corrupt(at, len(batch), f"a block of type {kind:#x} and length {length}")
                break
            after = at + length
            if after > end:
                self._need = length
                break
            if data[at + 4 : at + 8] != data[after - 4 : after]:
                self._corrupt(at, len(batch), "a block whose two lengths differ")
                break
            if kind == ENHANCED_PACKET:
                interface, high, low, captured, original = enhanced(data, at + 8)
                if interface >= len(clocks) or captured > length - 32:
                    self._corrupt_packet(at, len(batch), interface, captured)
                    break
                link, multiplier, divisor, offset, limit, _ = clocks[interface]
                if captured > limit:
                    self._corrupt_packet(at, len(batch), interface, captured)
                    break
                add_time((high << 32 | low) * multiplier // divisor + offset)
                add_start(at + 28)
                add_captured(captured)
                add_original(original)
                add_link(link)
                left -= 1
                if length > 35 + captured:  # 32 of the block, up to 3 of padding
                    options = at + 28 + (captured + 3 & ~3)
                    self._comments(
                        "packet", numbered + len(batch), self._base + at, options, after - 4
                    )
            else:
                packets = len(batch)
                if not self._read_block(batch, kind, at, length):
                    break
                left -= len(batch) - packets
                clocks = self._clocks
            at = after
        self._at = at
        self._time = self._last_time(batch)

    @property
    def layout(self) -> tuple[object, ...]:
        """What decides how later records are read: byte order, section and its interfaces."""
        return self._order, self._section, self._described

    def record_end(self, data: bytes, at: int) -> int | None:
        """Return where a block ends whose two lengths agree."""
        if at + _SMALLEST_BLOCK > len(data):
            return None
        length: int = self._head(data, at)[1]
        end = at + length
        is_one = length >= _SMALLEST_BLOCK and not length & 3 and end <= len(data)
        return end if is_one and data[at + 4 : at + 8] == data[end - 4 : end] else None

    def _read_block(self, batch: PacketBatch, kind: int, at: int, length: int) -> bool:
        """Read a complete block other than an Enhanced Packet Block.

        Return False if it is corrupt.
        """
        data, offset, end = self._data, self._base + at, at + length - 4
        match kind:
            case 0x0A0D0D0A:
                self._section += 1
                self._first += self._described
                self._clocks, self._described = [], 0
                self._comments("section", self._section, offset, at + 24, end)
            case 1:
                self._describe_interface(at, end)
            case 2 | 3:
                return self._read_old_packet(batch, kind, at, length)
            case 5:
                self._count_dropped(at, end)
            case 10:
                secrets_type, size = self._head(data, at + 8)
                secrets = data[at + 16 : min(at + 16 + size, end)]
                self._keep(Secrets(secrets_type, offset, secrets), len(secrets))
            case _:
                self._keep(OtherBlock(kind, offset, data[at + 8 : end]), length)
                if kind in COUNTED:
                    batch.times.append(self._last_time(batch))
                    batch.starts.append(at + 8)
                    batch.captured.append(length - 12)
                    batch.original.append(length - 12)
                    batch.links.append(NO_LINK)
        return True

    def _last_time(self, batch: PacketBatch) -> int:
        """Return the time of the packet before; a block without a time keeps its position by it."""
        return batch.times[-1] if batch.times else self._time

    def _read_old_packet(self, batch: PacketBatch, kind: int, at: int, length: int) -> bool:
        """Read a Simple Packet Block or obsolete Packet Block; return False if it is corrupt."""
        order, data, end = self._order, self._data, at + length - 4
        if kind == SIMPLE_PACKET:
            (original,) = struct.unpack_from(f"{order}I", data, at + 8)
            interface, units, start = 0, 0, at + 12
            snap_length = self._clocks[0].snap_length if self._clocks else 0
            captured = min(original, snap_length or original, end - start)
        else:
            interface, _, high, low, captured, original = struct.unpack_from(
                f"{order}HHIIII", data, at + 8
            )
            units, start = high << 32 | low, at + 28
        if interface >= len(self._clocks) or captured > end - start:
            self._corrupt_packet(at, len(batch), interface, captured)
            return False
        clock = self._clocks[interface]
        if captured > clock.limit:
            self._corrupt_packet(at, len(batch), interface, captured)
            return False
        time = units * clock.multiplier // clock.divisor + clock.offset
        batch.times.append(self._last_time(batch) if kind == SIMPLE_PACKET else time)
        batch.starts.append(start)
        batch.captured.append(captured)
        batch.original.append(original)
        batch.links.append(clock.link)
        if kind == PACKET:
            options = start + (captured + 3 & ~3)
            number = self.packets + len(batch)
            self._comments("packet", number, self._base + at, options, end)
        return True

    def _describe_interface(self, at: int, end: int) -> None:
        """Read an Interface Description Block (draft, section 4.2)."""
        link, snap_length = struct.unpack_from(f"{self._order}HxxI", self._data, at + 8)
        name = description = ""
        resolution, seconds = 1_000_000, 0
        for code, value in self._options(at + 16, end):
            if code == Options.IF_NAME:
                name = _text(value)
            elif code == Options.IF_DESCRIPTION:
                description = _text(value)
            elif code == Options.IF_TSRESOL and value:
                # The top bit says power of two, else power of ten.
                resolution = 1 << (value[0] & 0x7F) if value[0] & 0x80 else 10 ** value[0]
            elif code == Options.IF_TSOFFSET and len(value) == 8:  # noqa: PLR2004 - a signed 64-bit count
                (seconds,) = struct.unpack(f"{self._order}q", value)
        multiplier, divisor = _NANOSECONDS, resolution
        if _NANOSECONDS % resolution == 0:
            multiplier, divisor = _NANOSECONDS // resolution, 1
        number = self._first + self._described
        self._described += 1
        self._comments("interface", number, self._base + at, at + 16, end)
        if len(self.interfaces) == number:  # known by their numbers, so the first ones are kept
            found = Interface(link, snap_length, resolution, name, description, self._section)
            self._keep(found, len(name) + len(description))
        else:
            self.dropped += 1
        if len(self._clocks) < MOST_INTERFACES:
            limit = record_limit(snap_length)
            self._clocks.append(
                _Clock(link, multiplier, divisor, seconds * _NANOSECONDS, limit, snap_length)
            )

    def _count_dropped(self, at: int, end: int) -> None:
        """Read an Interface Statistics Block (draft, section 4.6)."""
        (number,) = struct.unpack_from(f"{self._order}I", self._data, at + 8)
        if number >= len(self._clocks):
            return
        interface = self._first + number
        if interface >= len(self.interfaces):
            return
        counts: dict[int, int] = {
            code: struct.unpack(f"{self._order}Q", value)[0]
            for code, value in self._options(at + 20, end)
            if len(value) == 8  # noqa: PLR2004 - unsigned 64-bit counts
        }
        self.statistics[interface] = InterfaceStatistics(
            interface,
            counts.get(Options.ISB_IFRECV),
            counts.get(Options.ISB_IFDROP),
            counts.get(Options.ISB_OSDROP),
        )

    def _options(self, at: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Return the options in the bytes `[at, end)` of the window."""
        return options_of(self._data, at, end, self._order)

    def _comments(self, kind: str, number: int, offset: int, at: int, end: int) -> None:
        for code, value in self._options(at, end):
            if code == Options.COMMENT:
                self._keep(Comment(kind, number, _text(value), offset), len(value))

    def _corrupt(self, at: int, packets: int, what: str) -> None:
        self._damaged(
            f"at byte {self._base + at} (after packet {self.packets + packets}) there is {what};"
            " the rest cannot be read"
        )

    def _corrupt_packet(self, at: int, packets: int, interface: int, captured: int) -> None:
        what = f"a packet block that claims {captured} captured bytes on interface {interface}"
        self._corrupt(at, packets, f"{what} of {len(self._clocks)}")


def options_of(data: bytes, at: int, end: int, order: str) -> Iterator[tuple[int, bytes]]:
    """Yield (code, value) of the options in `[at, end)`, up to the end of options.

    Malformed ones end them without an error.
    """
    unpack = struct.Struct(f"{order}HH").unpack_from
    while at + 4 <= end:
        code, length = unpack(data, at)
        at += 4
        if not code or at + length > end:
            return
        yield code, data[at : at + length]
        at += length + 3 & ~3


def _text(value: bytes) -> str:
    return value.rstrip(b"\0").decode(errors="replace")
