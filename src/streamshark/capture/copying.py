"""Copy records of captures into one pcapng or pcap.

Blocks are copied as they are, but for the numbers of interfaces: every section of every capture
begins a section of the copy, in its byte order, and an interface is described again if packets of
it follow a section of another capture. So nothing has to be converted, and times keep their units.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from streamshark.capture.capture import MOST_INTERFACES, STANDARD_RECORD, record_limit
from streamshark.capture.key_log import lines_of, random_of
from streamshark.capture.pcapng import (
    COUNTED,
    DECRYPTION_SECRETS,
    ENHANCED_PACKET,
    INTERFACE_DESCRIPTION,
    INTERFACE_STATISTICS,
    NO_LINK,
    PACKET,
    SECTION_HEADER,
    SIMPLE_PACKET,
    Options,
    options_of,
)
from streamshark.capture.pcapng_writer import block, option, section_header
from streamshark.capture.records import CaptureRecord
from streamshark.capture.source import CaptureError
from streamshark.capture.tls_records import TLS_KEY_LOG

ETHERNET = 1
"""Link type of a pcap without packets or interfaces."""
LONGEST_NAME = 256
"""Bytes of an interface's name beyond which it is not described again."""

_SECTION_LENGTH = slice(8, 16)
_UNKNOWN_LENGTH = b"\xff" * 8
_MOST_U16 = 0xFFFF
_REFERENCES = {ENHANCED_PACKET: "I", PACKET: "H", INTERFACE_STATISTICS: "I"}
"""Types of blocks that begin with the number of an interface, and the format of that."""
_AGAIN = frozenset({Options.IF_TSRESOL, Options.IF_TSOFFSET, Options.IF_FCSLEN, Options.IF_NAME})
"""Options of an interface that is described again: the essential ones, as there may be many."""


class Copier(Protocol):
    """The copy in one format."""

    secrets: "SecretsCopied"

    def copy(self, record: CaptureRecord) -> bytes:
        """Return the bytes of the copy that represent the next wanted record."""

    def end(self) -> bytes:
        """Return the bytes that end the copy."""


class SecretsCopied:
    """The TLS secrets of a copy: which are wanted, and how many there are.

    Args:
        randoms: Client randoms of the connections whose secrets are wanted; None for all secrets.
    """

    def __init__(self, randoms: frozenset[bytes] | None = None) -> None:
        self._randoms = randoms
        self.connections: set[bytes] = set()
        """Client randoms of secrets in the copy."""
        self.others = 0
        """Secrets of other kinds in the copy."""

    def of(self, kind: int, data: bytes) -> bytes:
        """Return the wanted part of secrets, and count it."""
        if kind != TLS_KEY_LOG:
            self.others += self._randoms is None
            return data if self._randoms is None else b""
        lines = data.splitlines()
        if self._randoms is not None:
            lines = lines_of(data, self._randoms) if self._randoms else []
            data = b"".join(line + b"\n" for line in lines)
        for line in lines:
            if random := random_of(line):
                self.connections.add(random)
        return data


class _Section(NamedTuple):
    """The current section of a source."""

    order: str
    interfaces: list[bytes]
    """What describes each interface, in few bytes."""


class PcapngCopier:
    """A copy as pcapng."""

    def __init__(self, secrets: SecretsCopied, *, is_whole: bool) -> None:
        self.secrets = secrets
        self._is_whole = is_whole
        """Whether all packets are copied: then blocks without a packet of a flow are copied too."""
        self._sections: dict[int, _Section] = {}
        """By number of the source."""
        self._order = ""
        """Byte order of the copy's section; empty before the first."""
        self._numbers: dict[tuple[int, int], int] = {}
        """Source and its interface to the number in the copy's section."""
        self._described = 0
        """Interfaces of the copy's section."""

    def copy(self, record: CaptureRecord) -> bytes:
        """Return the bytes of the copy that represent the next wanted record."""
        file, kind = record.file, record.kind
        if kind == SECTION_HEADER:
            return self._begin(file, record.order, _without_length(record.body))
        if kind in _REFERENCES:
            return self._referring(file, kind, record.body)
        if kind in COUNTED and not self._is_whole:
            return b""
        if kind == DECRYPTION_SECRETS:
            return self._switched(file) + self._secrets(record)
        make = {INTERFACE_DESCRIPTION: self._interface, SIMPLE_PACKET: self._simple}.get(kind)
        if make is not None:
            return make(file, record.body)
        return self._switched(file) + block(kind, record.body, record.order)

    def end(self) -> bytes:
        """Return what ends the copy: nothing."""
        return b""

    def _begin(self, file: int, order: str, body: bytes) -> bytes:
        """Begin a section of a source."""
        self._sections[file] = _Section(order, [])
        return self._new_section(order, block(SECTION_HEADER, body, order))

    def _new_section(self, order: str, header: bytes) -> bytes:
        self._order = order
        self._numbers.clear()
        self._described = 0
        return header

    def _switched(self, file: int) -> bytes:
        """Return a section header, if the section has another byte order than a source."""
        order = self._sections[file].order
        return self._new_section(order, section_header(order)) if order != self._order else b""

    def _interface(self, file: int, body: bytes) -> bytes:
        """Describe the next interface of a source."""
        header = self._switched(file)
        section = self._sections[file]
        if len(section.interfaces) < MOST_INTERFACES:
            self._numbers[file, len(section.interfaces)] = self._described
            section.interfaces.append(_shortened(body, section.order))
        self._described += 1
        return header + block(INTERFACE_DESCRIPTION, body, section.order)

    def _referred(self, file: int, number: int) -> bytes:
        """Return what must come before a reference to an interface: its description, if any."""
        header = self._switched(file)
        if (file, number) not in self._numbers:
            section = self._sections[file]
            self._numbers[file, number] = self._described
            self._described += 1
            body = section.interfaces[number]
            header += block(INTERFACE_DESCRIPTION, body, section.order)
        return header

    def _referring(self, file: int, kind: int, body: bytes) -> bytes:
        """Copy a block that begins with the number of an interface."""
        section = self._sections[file]
        form = f"{section.order}{_REFERENCES[kind]}"
        (number,) = struct.unpack_from(form, body)
        if number >= len(section.interfaces):
            return b""  # statistics of an interface that is not described
        header = self._referred(file, number)
        if kind == PACKET and self._numbers[file, number] > _MOST_U16:
            header += self._new_section(section.order, section_header(section.order))
            header += self._referred(file, number)
        known = self._numbers[file, number]
        if known != number:
            body = struct.pack(form, known) + body[struct.calcsize(form) :]
        return header + block(kind, body, section.order)

    def _simple(self, file: int, body: bytes) -> bytes:
        """Copy a Simple Packet Block, which is of the section's first interface."""
        section = self._sections[file]
        header = self._referred(file, 0)
        if self._numbers[file, 0]:
            header = self._new_section(section.order, section_header(section.order))
            header += self._referred(file, 0)
        return header + block(SIMPLE_PACKET, body, section.order)

    def _secrets(self, record: CaptureRecord) -> bytes:
        """Return the wanted part of secrets."""
        order, body = record.order, record.body
        kind, size = struct.unpack_from(f"{order}II", body)
        data = body[8 : 8 + size]
        wanted = self.secrets.of(kind, data)
        if wanted == data:
            return block(DECRYPTION_SECRETS, body, order)
        if not wanted:
            return b""
        head = struct.pack(f"{order}II", kind, len(wanted))
        return block(DECRYPTION_SECRETS, head + wanted, order)


class PcapCopier:
    """A copy as pcap: packets of one link type, and nothing else."""

    def __init__(self, *, nanoseconds: bool) -> None:
        self.secrets = SecretsCopied()
        self._unit = 1 if nanoseconds else 1_000
        self._magic = 0xA1B23C4D if nanoseconds else 0xA1B2C3D4
        self._link: int | None = None
        """Link type of the packets; None before the first."""
        self._first = (ETHERNET, STANDARD_RECORD)
        """Link type and snap length of the first interface."""
        self._described = False

    def copy(self, record: CaptureRecord) -> bytes:
        """Return the bytes of the copy that represent the next wanted record.

        Raises:
            CaptureError: A pcap cannot hold it.
        """
        if record.kind == INTERFACE_DESCRIPTION and not self._described:
            link, snap_length = struct.unpack_from(f"{record.order}HxxI", record.body)
            self._first, self._described = (link, record_limit(snap_length)), True
        if not record.packet or record.batch.links[record.at] == NO_LINK:
            return b""
        batch, at = record.batch, record.at
        link, start, captured = batch.links[at], batch.starts[at], batch.captured[at]
        header = self._header(link) if self._link is None else b""
        if link != self._link:
            raise CaptureError(
                f"pcap holds packets of one link type, and there are {self._link} and {link};"
                " -F pcapng holds both"
            )
        seconds, rest = divmod(record.time_ns, 1_000_000_000)
        if not 0 <= seconds <= 0xFFFFFFFF:  # noqa: PLR2004 - 32 bits
            raise CaptureError(
                f"pcap cannot hold the time of packet {record.packet}; -F pcapng does"
            )
        sizes = captured, min(batch.original[at], 0xFFFFFFFF)
        head = struct.pack("<IIII", seconds, rest // self._unit, *sizes)
        return b"".join((header, head, batch.data[start : start + captured]))

    def end(self) -> bytes:
        """Return the header of a file without packets."""
        return self._header(self._first[0]) if self._link is None else b""

    def _header(self, link: int) -> bytes:
        self._link = link
        return struct.pack("<IHHiIII", self._magic, 2, 4, 0, 0, self._first[1], link)


def _without_length(body: bytes) -> bytes:
    """Return a section header that does not state the section's length, which changes."""
    return body[: _SECTION_LENGTH.start] + _UNKNOWN_LENGTH + body[_SECTION_LENGTH.stop :]


def _shortened(body: bytes, order: str) -> bytes:
    """Return the description of an interface with its essential options."""
    kept = _essential(body, order)
    return body[:8] + b"".join(option(code, value, order) for code, value in kept)


def _essential(body: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    for code, value in options_of(body, 8, len(body), order):
        if code in _AGAIN and len(value) <= LONGEST_NAME:
            yield code, value
