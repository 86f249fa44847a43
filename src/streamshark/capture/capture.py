"""One capture: what the file states about itself, and its packets in batches.

The invariant: packets are numbered from 1 in file order; every packet before damage is passed on;
memory is one window, the largest record, and the kept notes, each with a limit. Nothing here reads
the contents of a packet.
"""

import copy
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from struct import Struct
from types import TracebackType
from typing import Any, NamedTuple, Self

from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import NO_SOURCE, Source, SourceOfFiles, StreamSource
from streamshark.light_dataclass import record

WINDOW = 4 << 20
"""Bytes per window: larger ones leave the processor's cache (docs: three times slower at 64 MB)."""

STANDARD_RECORD = 262_144
"""Captured bytes that any packet may have, whatever the snap length.

Source: Wireshark's WTAP_MAX_PACKET_SIZE_STANDARD (wiretap/wtap.h) and libpcap's MAXIMUM_SNAPLEN.
"""

LARGEST_RECORD = 64 << 20
"""Most captured bytes of a packet, even if the snap length allows more.

Wireshark goes to 128 MiB (WTAP_MAX_PACKET_SIZE_USBPCAP, _DBUS) for links that carry no TCP.
"""

KEPT_BYTES = 16 << 20
"""Most bytes of notes (comments, blocks, secrets, interfaces; each kind separately) kept per
capture."""
NOTE_COST = 256
"""Approximate memory of a note besides its text, in bytes, so that empty ones are limited too."""
MOST_INTERFACES = 65_536
"""Most interfaces of a section that packets can refer to: Packet Blocks number them in 16 bits."""


def record_limit(snap_length: int) -> int:
    """Return the most captured bytes of one packet; a snap length of 0 is "unlimited"."""
    return max(STANDARD_RECORD, min(snap_length, LARGEST_RECORD))


@record
class Interface:
    """An interface on which packets were captured."""

    link: int
    """Link type (LINKTYPE_ number of the pcap registry)."""
    snap_length: int
    """The most bytes that were captured of a packet; 0 is no limit."""
    resolution: int
    """Time units per second."""
    name: str = ""
    description: str = ""
    section: int = 0
    """Section of the file that describes it, 0-based."""


@record
class InterfaceStatistics:
    """Statistics of one interface by the capturing program; None for what it does not state."""

    interface: int
    """0-based in the file."""
    received: int | None
    """Packets received by the interface (isb_ifrecv)."""
    dropped: int | None
    """Packets that the interface dropped for lack of buffers (isb_ifdrop)."""
    dropped_by_system: int | None
    """Packets that the operating system dropped (isb_osdrop)."""


class Comment(NamedTuple):
    """A comment on a section, an interface or a packet."""

    kind: str
    """`section`, `interface` or `packet`."""
    number: int
    """Section and interface 0-based in the file, packet 1-based."""
    text: str
    offset: int
    """Offset of its block in the (uncompressed) file."""


class OtherBlock(NamedTuple):
    """A pcapng block that is neither a packet nor interpreted otherwise."""

    type: int
    offset: int
    """Offset of the block in the (uncompressed) file."""
    data: bytes
    """The body, without type and lengths."""


class Secrets(NamedTuple):
    """A pcapng Decryption Secrets Block."""

    type: int
    """0x544c534b is a TLS key log; pcapng draft, section 4.7 lists the others."""
    offset: int
    data: bytes


class RecordWindow(NamedTuple):
    """Complete records of a capture: the bytes `[begin, end)` of `data`."""

    data: bytes
    begin: int
    end: int
    batch: PacketBatch
    """The packets among them; none if the window holds other records only."""


class Capture(ABC):
    """A capture file or stream, open for one pass; the end of the pass, or of `with`, closes it."""

    format: str
    """`pcap`, `pcap (nanosecond)` or `pcapng`."""
    alignment = 1
    """Bytes that the offset of every record is a multiple of."""

    def __init__(self, source: Source, name: str, file: int, compression: str | None) -> None:
        self.name = name
        self.file = file
        self.compression = compression
        """`gzip`, `zstd`, `lz4`, or None."""
        self.interfaces: list[Interface] = []
        """In file order; a pcapng adds interfaces while its batches are read."""
        self.statistics: dict[int, InterfaceStatistics] = {}
        """Latest statistics by interface; pcapng only."""
        self.comments: list[Comment] = []
        self.blocks: list[OtherBlock] = []
        """Blocks that are not interpreted, unchanged."""
        self.secrets: list[Secrets] = []
        self.dropped = 0
        """Number of comments, blocks, secrets and interfaces left out because of `KEPT_BYTES`."""
        self.packets = 0
        """Packets yielded so far."""
        self.first_ns: int | None = None
        """Time in ns of the earliest packet yielded; None before the first."""
        self.last_ns: int | None = None
        """Time in ns of the latest; None before the first."""
        self.damage: str | None = None
        """What is wrong with the file and where, in one sentence; None if nothing."""
        self.is_file = compression is None and isinstance(source, StreamSource) and source.is_file
        """Whether it is an uncompressed file, from which bytes can be read again by offset."""
        self._take: Callable[[RecordWindow], object] | None = None
        self._source = source
        self._data = b""
        """The buffered bytes."""
        self._at = 0
        """Offset in `_data` of the first byte not yet read as a record."""
        self._base = 0
        """Offset of `_data` in the uncompressed file."""
        self._need = 1
        """Bytes of the record at `_at`, as far as known."""
        self._kept = dict.fromkeys(("comments", "blocks", "secrets", "interfaces"), 0)

    def batches(
        self, window: int = WINDOW, limit: int | None = None, idle: float | None = None
    ) -> Iterator[PacketBatch]:
        """Yield the packets, a window of bytes at a time; once, then the source is closed.

        A batch holds what one read returned, so a live source yields packets as they come. Damage
        ends the batches and sets `damage`; it never raises.

        Args:
            window: Bytes per read. The packets do not depend on it.
            limit: Most packets in all (tshark's -c); None for all.
            idle: Seconds of silence after which a live source yields an empty batch; None for
                never.
        """
        for each in self.windows(window, limit, idle):
            if each is None:
                yield PacketBatch(self.file, self.packets + 1, b"")
                continue
            if self._take is not None:
                self._take(each)
            if each.batch.times:
                yield each.batch

    def windows(
        self, window: int = WINDOW, limit: int | None = None, idle: float | None = None
    ) -> Iterator[RecordWindow | None]:
        """Yield the records of the file as they are, as `batches` yields its packets.

        Yields None instead of an empty batch.
        """
        left, before = sys.maxsize if limit is None else limit, self.damage
        try:
            while left > 0:
                batch, begin = PacketBatch(self.file, self.packets + 1, self._data), self._at
                batch.base = self._base if self.is_file else None
                self._walk(batch, left)
                if batch.times:
                    self.packets += len(batch)
                    self._span(batch.times)
                    left -= len(batch)
                yield RecordWindow(self._data, begin, self._at, batch)
                if left <= 0 or (self.damage != before and not self._leave_file()):
                    break
                before = self.damage
                while idle is not None and not self._source.wait(idle):
                    yield None
                if not self._refill(window, waits=idle is None) and not self._leave_file():
                    break
                before = self.damage
        finally:
            self.close()

    def on_window(self, take: Callable[[RecordWindow], object]) -> None:
        """Call `take` with the records of each window before `batches` yields its packets."""
        self._take = take

    def _span(self, times: list[int]) -> None:
        """Extend the time span of the capture by the times of packets."""
        first, last = min(times), max(times)
        self.first_ns = first if self.first_ns is None else min(first, self.first_ns)
        self.last_ns = last if self.last_ns is None else max(last, self.last_ns)

    @property
    def reached(self) -> int:
        """Offset in the uncompressed file up to which its bytes were read."""
        return self._base + len(self._data)

    def bookmark(self) -> "Capture":
        """Return this reader as it is here; `resumed` reads on.

        It is without its source, its notes, the function of `on_window`, and damage, which is
        found again unless the file has grown. It shares what it knows with this one: pickle it
        before this one reads on.
        """
        mark = self.resumed(NO_SOURCE)
        mark.comments, mark.blocks, mark.damage = [], [], None
        mark._take = None  # noqa: SLF001 - a reader like this one
        return mark

    def resumed(
        self, source: Source, data: bytes | None = None, file: int | None = None
    ) -> "Capture":
        """Return a reader that continues from here.

        Args:
            source: What follows `data`, from byte `reached` of the file on.
            data: The bytes of the next records; by default those that are at hand.
            file: Number of the file; by default that of this reader.
        """
        reader = copy.copy(self)
        reader._source = source  # noqa: SLF001 - a reader like this one
        reader._data = self._data[self._at :] if data is None else data  # noqa: SLF001
        reader._base, reader._at = self._base + self._at, 0  # noqa: SLF001
        reader.file = self.file if file is None else file
        return reader

    @property
    def layout(self) -> tuple[object, ...]:
        """What decides how later records are read; it changes with interfaces and sections."""
        return (len(self.interfaces),)

    def template(self) -> "Capture":
        """Return a reader of records without any; `placed` gives it some of the file's bytes."""
        reader = self.resumed(NO_SOURCE, b"")
        reader._keep_nothing()  # noqa: SLF001 - a reader like this one
        return reader

    def take_comments(self) -> list[Comment]:
        """Return the comments since the last call, and forget them."""
        taken, self.comments = self.comments, []
        self._kept["comments"] = 0
        return taken

    def _keep_nothing(self) -> None:
        """Drop what was noted so far, and whatever depends on where the reader is."""
        self.comments, self.blocks, self.secrets, self.statistics = [], [], [], {}
        self.packets = self._base = self._at = self.dropped = 0
        self.first_ns = self.last_ns = self.damage = self._take = None
        self._kept = dict.fromkeys(self._kept, KEPT_BYTES)

    def placed(self, data: bytes, base: int, packets: int) -> "Capture":
        """Return a reader of records of the file, from which bytes can be read again.

        Args:
            data: The records, complete.
            base: Their offset in the file.
            packets: Number of the packets before them.
        """
        reader = self.resumed(NO_SOURCE, data)
        reader._base, reader.packets = base, packets  # noqa: SLF001 - a reader like this one
        return reader

    def __getstate__(self) -> dict[str, Any]:
        """Return all members; methods of structs, which cannot be pickled, as their formats."""
        members = vars(self)
        owners = {name: getattr(each, "__self__", None) for name, each in members.items()}
        formats = {name: of.format for name, of in owners.items() if isinstance(of, Struct)}
        return {**members, **dict.fromkeys(formats), "formats": formats}

    def __setstate__(self, state: dict[str, Any]) -> None:
        formats = state.pop("formats")
        vars(self).update(state)
        for name, form in formats.items():
            setattr(self, name, Struct(form).unpack_from)

    def close(self) -> None:
        """Close what was opened for this capture."""
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def _walk(self, batch: PacketBatch, left: int) -> None:
        """Read complete records from `_at` on into the batch, at most `left` packets.

        Moves `_at` after the last complete record and sets `_need` to the size of the next one, or
        calls `_damaged` if there can be no next one.
        """

    def record_end(self, data: bytes, at: int) -> int | None:  # noqa: ARG002 - for formats of files
        """Return where the record that begins at an offset of `data` ends; None without one.

        Args:
            data: Any bytes of the file.
            at: Where a record may begin.
        """
        return None

    def _damaged(self, sentence: str) -> None:
        """Append a sentence to `damage`; while packets are read, it is the last."""
        self.damage = f"{self.damage}; {sentence}" if self.damage else sentence

    def _refill(self, window: int, *, waits: bool) -> bool:
        """Read until the pending record is complete; False, with `damage` set, if it never is.

        Without `waits`, return what there is if the rest of the record is not there yet.
        """
        rest = self._data[self._at :]
        self._base += self._at
        self._at = 0
        parts, have = [rest], len(rest)
        while True:
            part = self._source.read(max(window, 1))
            if not part:
                break
            parts.append(part)
            have += len(part)
            if have >= self._need or not (waits or self._source.wait(0)):
                break
        self._data = b"".join(parts)
        if have > len(rest):
            return True
        self._end(have)
        return False

    def _leave_file(self) -> bool:
        """Continue with the next of several files; False if this is the last one.

        The rest of a record that the file cuts off is left out.
        """
        source = self._source
        if not isinstance(source, SourceOfFiles) or source.is_over:
            return False
        source.leave_file()
        self._base += len(self._data)
        self._data, self._at, self._need = b"", 0, 1
        return True

    @property
    def is_followed(self) -> bool:
        """Whether files are read one after the other while they are written."""
        return isinstance(self._source, SourceOfFiles)

    def _end(self, rest: int) -> None:
        """Set `damage` if the capture, or one of its files, does not end properly.

        `rest` is the number of bytes left over.
        """
        source = self._source
        if isinstance(source, SourceOfFiles) and not source.is_over:
            if rest:
                self._damaged(
                    f"a file ends inside the record of packet {self.packets + 1}, which is lost"
                )
            return
        if isinstance(source, SourceOfFiles) and source.is_stopped:
            rest = 0
        where = f"packet {self.packets + 1}" if rest else f"the end of packet {self.packets}"
        if self._source.damage:
            self._damaged(f"{self._source.damage} (read up to {where}, byte {self._base + rest})")
        elif rest:
            self._damaged(
                f"the file ends inside the record at byte {self._base} (packet"
                f" {self.packets + 1}): {rest} of at least {self._need} bytes are present;"
                " it may still be growing"
            )

    def _keep(self, note: Comment | OtherBlock | Secrets | Interface, size: int) -> None:
        """Keep a note within the limit of its kind, or count it as dropped."""
        kind = _KINDS[type(note)]
        if self._kept[kind] + size + NOTE_COST > KEPT_BYTES:
            self.dropped += 1
            return
        self._kept[kind] += size + NOTE_COST
        getattr(self, kind).append(note)


def damage_of(captures: Iterable[Capture]) -> list[tuple[str, str]]:
    """Return (file, sentence) for each capture of which not everything could be read."""
    return [(each.name, each.damage) for each in captures if each.damage]


def notes_of(captures: Iterable[Capture]) -> list[str]:
    """Return what a user must know of captures besides damage, a sentence each."""
    return [
        f"{each.name}: {each.dropped:,} more notes are not shown"
        for each in captures
        if each.dropped
    ]


_KINDS = {Comment: "comments", OtherBlock: "blocks", Secrets: "secrets", Interface: "interfaces"}
