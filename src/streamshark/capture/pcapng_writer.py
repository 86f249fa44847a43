"""Writer of pcapng: blocks as bytes, which the caller writes.

Spec: draft-ietf-opsawg-pcapng-03, sections 3 and 4.
"""

import struct
from collections.abc import Iterable, Sequence

from streamshark.capture.pcapng import (
    BYTE_ORDER_MAGIC,
    DECRYPTION_SECRETS,
    ENHANCED_PACKET,
    INTERFACE_DESCRIPTION,
    SECTION_HEADER,
    Options,
)
from streamshark.capture.tls_records import TLS_KEY_LOG

MICROSECONDS = 1_000_000
NANOSECONDS = 1_000_000_000
_PACKET = struct.Struct("<IIIIIII")
"""Type and size of a block, interface, time in two halves, captured and original size."""
LONGEST_OPTION = 0xFFFF
"""Bytes that the value of an option can have: its length has 16 bits."""


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """Return a block, its body padded to a multiple of 4 bytes.

    Args:
        kind: Type of the block.
        body: Everything between its two lengths.
        order: `<` or `>`: the byte order of the section.
    """
    padding = bytes(-len(body) & 3)
    size = 12 + len(body) + len(padding)
    head = struct.pack(f"{order}II", kind, size)
    return b"".join((head, body, padding, head[4:]))


def option(code: int, value: bytes, order: str = "<") -> bytes:
    """Return an option, padded; a value that is too long is cut."""
    value = value[:LONGEST_OPTION]
    return struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) & 3)


def section_header(order: str = "<", options: bytes = b"") -> bytes:
    """Return a Section Header Block of a section whose length is not stated."""
    head = struct.pack(f"{order}IHHq", BYTE_ORDER_MAGIC, 1, 0, -1)
    return block(SECTION_HEADER, head + options, order)


def time_resolution(units: int) -> bytes:
    """Return the value of if_tsresol for so many units per second, a power of ten or of two."""
    power = len(str(units)) - 1
    if 10**power == units:
        return bytes([power])
    power = units.bit_length() - 1
    if 1 << power == units:
        return bytes([0x80 | power])
    raise ValueError(f"{units} units per second are neither a power of ten nor of two")


class PcapngWriter:
    """Writer of little-endian sections: each method returns the bytes of one block.

    A section comes first, then its interfaces, then packets, which refer to them by number.
    """

    def __init__(self) -> None:
        self._units: list[int] = []
        """Time units per second of each interface of the section."""

    def section(self, *, comments: Iterable[str] = (), program: str = "") -> bytes:
        """Begin a section; `program` names the program that writes it (shb_userappl)."""
        self._units = []
        texts = [(Options.COMMENT, each) for each in comments]
        if program:
            texts.append((Options.SECTION_PROGRAM, program))
        return section_header(options=_texts(texts))

    def interface(
        self,
        link: int,
        snap_length: int = 0,
        units: int = NANOSECONDS,
        *,
        name: str = "",
        description: str = "",
        fcs_bits: int | None = None,
    ) -> bytes:
        """Describe the next interface of the section; the first is number 0.

        Args:
            link: Link type (LINKTYPE_ number of the pcap registry).
            snap_length: Most bytes captured of a packet; 0 for no limit.
            units: Time units per second.
            name: Its name in the operating system.
            description: Its description.
            fcs_bits: Bits of the frame check sequence of its packets; None if unknown.
        """
        texts = [(Options.IF_NAME, name), (Options.IF_DESCRIPTION, description)]
        options = _texts((code, text) for code, text in texts if text)
        if units != MICROSECONDS:
            options += option(Options.IF_TSRESOL, time_resolution(units))
        if fcs_bits is not None:
            options += option(Options.IF_FCSLEN, bytes([fcs_bits & 0xFF]))
        self._units.append(units)
        return block(INTERFACE_DESCRIPTION, struct.pack("<HHI", link, 0, snap_length) + options)

    def packet(
        self,
        time_ns: int,
        data: bytes,
        *,
        interface: int = 0,
        original: int | None = None,
        comments: Iterable[str] = (),
    ) -> bytes:
        """Return a packet (Enhanced Packet Block).

        Args:
            time_ns: Its time in ns since 1970.
            data: The captured bytes.
            interface: Number of the interface that captured it.
            original: Its bytes on the wire; None if all were captured.
            comments: Comments on it.
        """
        parts = (data,)
        return b"".join(
            self.packet_parts(
                time_ns, parts, interface=interface, original=original, comments=comments
            )
        )

    def packet_parts(
        self,
        time_ns: int,
        parts: Sequence[bytes | memoryview],
        *,
        interface: int = 0,
        original: int | None = None,
        comments: Iterable[str] = (),
    ) -> list[bytes | memoryview]:
        """Return a packet as `packet` does, its data in parts that are not copied."""
        time = time_ns * self._units[interface] // NANOSECONDS
        size = sum(map(len, parts))
        options = _texts((Options.COMMENT, each) for each in comments) if comments else b""
        total = 32 + size + (-size & 3) + len(options)
        head = _PACKET.pack(
            *(ENHANCED_PACKET, total, interface, time >> 32, time & 0xFFFFFFFF),
            *(size, size if original is None else original),
        )
        return [head, *parts, bytes(-size & 3) + options + head[4:8]]

    def secrets(self, data: bytes, kind: int = TLS_KEY_LOG) -> bytes:
        """Return secrets for the packets after them; by default lines of a TLS key log."""
        return block(DECRYPTION_SECRETS, struct.pack("<II", kind, len(data)) + data)


def _texts(options: Iterable[tuple[int, str]]) -> bytes:
    """Return options whose values are text."""
    return b"".join(option(code, _cut(text)) for code, text in options)


def _cut(text: str) -> bytes:
    """Return text as an option can have it, without part of a character at its end."""
    return text.encode()[:LONGEST_OPTION].decode(errors="ignore").encode()
