"""Recording of what passes, as the packets of a capture (pcapng), while it passes.

Each connection is recorded as its client sees it, with real addresses and times, and with FIN and
RST as they came; the server's side as well if wanted. A block is written whole or not at all. If
that fails (a full disk), recording ends and the proxy goes on.

What is written in small parts costs most of the time of a recording. Large packets wait for a few
milliseconds, and are written together; small ones, and all before them, are written at once. The
file system reserves room for large ones ahead, where it can.
"""

import ctypes
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from streamshark import __version__
from streamshark.capture.pcapng_writer import PcapngWriter
from streamshark.capture.synthetic_tcp import (
    LINKTYPE_RAW,
    SyntheticPacket,
    SyntheticTcp,
    largest_mss,
)
from streamshark.errors import StreamsharkError

INTERFACES: Final = ("client", "server")
"""Names of the interfaces: what passes between the proxy and clients, and servers."""
SUMMED: Final = 2048
"""Most payload bytes of a packet whose checksum is computed."""
MODE: Final = 0o600
"""Mode of the files: recordings hold passwords, and keys of TLS."""
MOST_SECRETS: Final = 4 << 20
"""Most bytes of TLS secrets that are repeated at the start of each file; the oldest are dropped."""
LARGE: Final = 32 * 1024
"""Fewest payload bytes that wait to be written with others."""
MOST_WAITING: Final = 256 * 1024
"""Payload bytes that are written, however short they have waited."""
LONGEST_WAIT: Final = 0.005
"""Seconds after which packets are written, however few they are."""
RESERVED: Final = 16 << 20
"""Bytes that are reserved after the end of a file; what is not needed is given back."""
MOST_PARTS: Final = 1024
"""Most parts of blocks that are written at once (IOV_MAX); a packet has four."""
Address = tuple[str, int]
Later = Callable[[float, Callable[[], object]], object]
"""Calls a function after so many seconds."""


@dataclass(frozen=True, slots=True)
class Ring:
    """When a recording continues in another file, and how many files are kept."""

    bytes: int = 0
    """Bytes of a file at most; 0 for no limit."""
    seconds: float = 0
    """Seconds of a file at most; 0 for no limit."""
    files: int = 0
    """Files kept, of which the oldest is deleted; 0 for all."""

    @property
    def is_single(self) -> bool:
        """Whether there is only one file."""
        return not (self.bytes or self.seconds)


class Recorder:
    """Writes packets to a file, or to one file after the other.

    Args:
        path: The file; with a ring, its name gets a number and a time.
        ring: When to continue in another file.
        begun: Called with the path of each file that is begun.
        failed: Called once, with a sentence, if recording ends early.
        later: Calls what writes the packets that wait; None if no packets are to wait.

    Raises:
        StreamsharkError: The file cannot be written.
    """

    def __init__(
        self,
        path: Path,
        *,
        ring: Ring | None = None,
        begun: Callable[[Path], object] | None = None,
        failed: Callable[[str], object] | None = None,
        later: Later | None = None,
    ) -> None:
        self.path = path
        """The file that is written."""
        self.failure: str | None = None
        """Why recording ended early; None if it did not."""
        self._base, self._ring = path, ring or Ring()
        self._begun, self._failed = begun or _ignored, failed or _ignored
        self._later = later
        self._writer = PcapngWriter()
        self._waiting: list[bytes | memoryview] = []
        """Parts of the blocks that are not written yet."""
        self._waiting_bytes = 0
        """Their payload bytes."""
        self._is_due = False
        """Whether `later` will write what waits."""
        self._secrets: list[bytes] = []
        self._kept: list[Path] = []
        self._number = 0
        self._file = -1
        self._size = 0
        """Bytes of the whole blocks in the file."""
        self._reserved = 0
        """Where the room ends that is reserved for the file."""
        self._until = 0.0
        self._last_ns = 0
        try:
            self._begin()
        except OSError as error:
            raise StreamsharkError(f"{path}: cannot be written: {error.strerror}") from None
        if self.failure is not None:
            raise StreamsharkError(f"{path}: cannot be written: {self.failure}")

    def now_ns(self) -> int:
        """Return the time in ns since 1970; it never goes back."""
        self._last_ns = now = max(time.time_ns(), self._last_ns)
        return now

    def packets(
        self, interface: int, packets: Iterable[SyntheticPacket], comments: Iterable[str] = ()
    ) -> None:
        """Write packets, at once or soon; the comments are on the first one."""
        if self.failure is not None:
            return
        writer, remarks, size = self._writer, tuple(comments), 0
        for time_ns, headers, payload, _ in packets:
            self._waiting += writer.packet_parts(
                time_ns, (headers, payload), interface=interface, comments=remarks
            )
            size += len(payload)
            remarks = ()
        self._waiting_bytes += size
        if self._later is None or size < LARGE or self._is_much():
            self._write()
        elif not self._is_due:
            self._is_due = True
            self._later(LONGEST_WAIT, self._write_late)

    def secrets(self, lines: bytes) -> None:
        """Write lines of a TLS key log, for the packets that follow."""
        self._secrets.append(lines)
        while sum(map(len, self._secrets)) > MOST_SECRETS and len(self._secrets) > 1:
            del self._secrets[0]
        if self.failure is None:
            self._waiting.append(self._writer.secrets(lines))
            self._write()

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._write()
        self._shut()

    def _shut(self) -> None:
        if self._file < 0:
            return
        if self._reserved > self._size:
            with suppress(OSError):
                os.ftruncate(self._file, os.fstat(self._file).st_size)
        os.close(self._file)
        self._file = -1

    def _begin(self) -> None:
        """Begin the next file."""
        self._number += 1
        self.path = path = self._base if self._ring.is_single else self._numbered()
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, MODE)
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            self._shut()
            raise StreamsharkError(f"{path}: cannot be written: not a regular file")
        os.fchmod(self._file, MODE)
        self._size = self._reserved = 0
        self._until = time.monotonic() + self._ring.seconds
        writer = self._writer
        head = [writer.section(program=f"streamshark proxy {__version__}")]
        head += [writer.interface(LINKTYPE_RAW, name=each) for each in INTERFACES]
        head += map(writer.secrets, self._secrets)
        self._put(head)
        self._kept.append(path)
        self._begun(path)

    def _numbered(self) -> Path:
        """Return the name of a file of a ring, as dumpcap makes it."""
        moment = time.strftime("%Y%m%d%H%M%S")
        base = self._base
        return base.with_name(f"{base.stem}_{self._number:05}_{moment}{base.suffix}")

    def _is_much(self) -> bool:
        """Return whether what waits is enough to be written, or fills the file of a ring."""
        most, waiting = self._ring.bytes, self._waiting_bytes
        return waiting >= MOST_WAITING or bool(most and self._size + waiting >= most)

    def _write_late(self) -> None:
        """Write what has waited."""
        self._is_due = False
        self._write()

    def _write(self) -> None:
        """Write what waits; continue in another file when it is time."""
        blocks, self._waiting = self._waiting, []
        size, self._waiting_bytes = self._waiting_bytes, 0
        if not blocks:
            return
        if size >= LARGE and self._size + size > self._reserved and self.failure is None:
            self._reserved = self._size + size + RESERVED
            _reserve(self._file, self._size, size + RESERVED)
        for start in range(0, len(blocks), MOST_PARTS):
            self._put(blocks[start : start + MOST_PARTS])
        if not self._ring.is_single and self.failure is None and self._is_full():
            self._rotate()

    def _is_full(self) -> bool:
        ring = self._ring
        return bool(ring.bytes and self._size >= ring.bytes) or bool(
            ring.seconds and time.monotonic() >= self._until
        )

    def _rotate(self) -> None:
        self._shut()
        try:
            self._begin()
        except (OSError, StreamsharkError) as error:
            self._fail(getattr(error, "strerror", None) or str(error))
            return
        while self._ring.files and len(self._kept) > self._ring.files:
            self._kept.pop(0).unlink(missing_ok=True)

    def _put(self, blocks: Sequence[bytes | memoryview]) -> None:
        """Write whole blocks, or none of them and end the recording."""
        if self.failure is not None:
            return
        size = sum(map(len, blocks))
        try:
            written = os.writev(self._file, blocks)
            if written < size:
                rest = b"".join(blocks)[written:]
                while rest:
                    rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            self._fail(error.strerror or str(error))
        else:
            self._size += size

    def _fail(self, reason: str) -> None:
        """End the recording after its last whole block, with a comment if there is room."""
        self.failure = reason
        if self._file >= 0:
            sentence = f"the recording ends here: {reason}"
            comment = PcapngWriter().section(comments=[sentence])
            try:
                os.ftruncate(self._file, self._size)
                os.lseek(self._file, self._size, os.SEEK_SET)
                if os.write(self._file, comment) < len(comment):
                    os.ftruncate(self._file, self._size)
            except OSError:
                pass
            self._shut()
        self._failed(
            f"{self.path}: recording ended: {reason}; connections are relayed all the same"
        )


class LegRecord:
    """The record of one connection between the proxy and a client or server.

    Its sides are those of `Link`: what the client has sent is of side 0, also on the way from the
    proxy to the server.
    """

    def __init__(
        self, recorder: Recorder, interface: int, client: Address, server: Address
    ) -> None:
        self._recorder = recorder
        self._interface = interface
        self._comments: list[str] = []
        self._is_open = False
        first = int.from_bytes(secrets.token_bytes(8))
        self._tcp = SyntheticTcp(
            client,
            server,
            mss=largest_mss(client[0]),
            sequences=(first >> 32, first & 0xFFFFFFFF),
            summed=SUMMED,
        )

    def comment(self, text: str) -> None:
        """Put a comment on the next packet."""
        self._comments.append(text)

    def opened(self) -> None:
        """Record that the connection was opened."""
        self._is_open = True
        self._write(self._tcp.open(self._recorder.now_ns()))

    def refused(self) -> None:
        """Record that the connection was refused."""
        self._write(self._tcp.refuse(self._recorder.now_ns()))

    def sent(self, side: int, data: bytes) -> None:
        """Record bytes of a side."""
        self._write(self._tcp.send(side, data, self._recorder.now_ns()))

    def ended(self, side: int) -> None:
        """Record that a side sends no more."""
        self._write(self._tcp.close(side, self._recorder.now_ns()))

    def reset(self, side: int) -> None:
        """Record that a side has reset the connection."""
        if not self._is_open:
            self.opened()
        self._write(self._tcp.reset(side, self._recorder.now_ns()))

    def _write(self, packets: list[SyntheticPacket]) -> None:
        comments, self._comments = self._comments, []
        self._recorder.packets(self._interface, packets, comments)


def _reserve(file: int, start: int, size: int) -> None:
    """Reserve room for bytes of a file, whose size stays as it is; do nothing if that fails."""
    if _fallocate is not None:
        _fallocate(file, FALLOC_FL_KEEP_SIZE, ctypes.c_int64(start), ctypes.c_int64(size))


_fallocate: Final = getattr(ctypes.CDLL(None), "fallocate64", None)
"""The function of Linux; Python has only the one that changes the size."""
FALLOC_FL_KEEP_SIZE: Final = 1


def _ignored(_what: object) -> None:
    """Do nothing."""
