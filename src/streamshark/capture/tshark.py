"""TLS decryption by tshark: records and key logs in, their contents out.

tshark reads a capture that is written for it while it runs: each packet is one whole TLS record, in
order, between made-up addresses. So it answers with one line per record, whatever the real packets
were like: no answers have to be matched, and nothing grows here. It is started at the first record,
without a shell and without the user's preferences and plugins. If it does not answer in time it is
stopped, and it ends with its input, however this program ends.

tshark's limits apply too: it keeps what it has decrypted in its own memory.
"""

import contextlib
import os
import queue
import shutil
import struct
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from streamshark.capture.pcapng_writer import PcapngWriter
from streamshark.capture.source import CaptureError
from streamshark.capture.synthetic_tcp import (
    ACK,
    LINKTYPE_RAW,
    PSH,
    Ends,
    SyntheticSegment,
    ip_packet,
)
from streamshark.capture.tls_records import CLOSED, Opened, TlsRecord

ANSWER_SECONDS = 60.0
"""Most seconds until one answer: tshark starts within 5 s on a slow machine."""

EXCHANGE = 256 * 1024
"""Bytes of records that are written before their answers are read."""

_ERRORS = "errors"
_CLIENT_PORT, _SERVER_PORT = 40_000, 443
_SERVER = struct.pack(">IH", 0xC0000201, _SERVER_PORT)
_MASK = 0xFFFFFFFF
_STOP_SECONDS = 2.0

_PROTOCOLS = ("frame", "raw", "ip", "tcp", "tls", "data")
"""All protocols that are dissected, so that no other dissector takes the decrypted bytes."""

_ARGUMENTS = (
    *("-n", "-l", "-Q", "-r", "-"),
    *("-d", f"tcp.port=={_SERVER_PORT},tls", "-d", f"tls.port=={_SERVER_PORT},data"),
    # ALPN would choose these before the port does, and from 4.4 on heuristics would, of any kind;
    # Wireshark 4.0 does not know ALL, and ignores it.
    *("--disable-protocol", "http", "--disable-protocol", "http2", "--disable-protocol", "ALL"),
    *(word for name in _PROTOCOLS for word in ("--enable-protocol", name)),
    *("-o", "tcp.check_checksum:FALSE", "-o", "tls.desegment_ssl_records:TRUE"),
    *("-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"),
    *("-e", "tls.record.content_type", "-e", "tls.record.opaque_type", "-e", "data.data"),
)


def find_tshark() -> str | None:
    """Return the path of the program; None if it is not installed."""
    return shutil.which("tshark")


def alone(folder: str) -> dict[str, str]:
    """Return an environment in which tshark finds no preferences and no plugins of the user.

    `folder` replaces the user's home and configuration folders; it may be empty or not exist.
    """
    names = ("HOME", "WIRESHARK_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA")
    known = {name: value for name, value in os.environ.items() if name != "WIRESHARK_PLUGIN_DIR"}
    return known | dict.fromkeys(names, folder) | {"LC_ALL": "C"}


class TsharkTls:
    """A running tshark that decrypts.

    Ended by `close`, at exit, or when it is garbage-collected.
    """

    def __init__(self, keylog: str | None, preferences: Sequence[str] = ()) -> None:
        """Prepare to decrypt.

        Args:
            keylog: Path of a key log; None if there are only `add_secrets` or `preferences`.
            preferences: Preferences of tshark with other keys, as its `-o` takes them.

        Raises:
            CaptureError: tshark is not installed, or the key log cannot be read.
        """
        program = find_tshark()
        if program is None:
            raise CaptureError("decrypting TLS needs tshark, which is not installed")
        self._command = [program, *_ARGUMENTS]
        if keylog is not None:
            _check(keylog)
            self._command += ["-o", f"tls.keylog_file:{Path(keylog).absolute()}"]
        self._command += [word for each in preferences for word in ("-o", each)]
        self.failure: str | None = None
        """Why nothing more is decrypted; None if there was no failure."""
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """Folder without preferences, for tshark's messages."""
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._next: dict[tuple[int, bool], int] = {}
        """Sequence number of each side's next made-up packet."""
        self._writer = PcapngWriter()
        self._unsent = [self._writer.section(), self._writer.interface(LINKTYPE_RAW)]

    def add_secrets(self, data: bytes) -> None:
        """Add lines of a key log from the capture itself."""
        self._unsent.append(self._writer.secrets(data))

    def decrypt(self, records: Sequence[TlsRecord]) -> list[Opened]:
        """Return the contents of records, in their order; each side's records must be in order.

        Nothing raises: after a failure, which sets `failure`, all records stay undecrypted.
        """
        opened: list[Opened] = []
        for part in _parts(records):
            try:
                opened += self._exchange(part)
            except (OSError, queue.Empty):
                self._fail()
            if self.failure:
                break
        return opened + [CLOSED] * (len(records) - len(opened))

    def close(self) -> None:
        """End the program and delete its files."""
        if self._process is not None:
            self._finalizer()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _exchange(self, records: Sequence[TlsRecord]) -> list[Opened]:
        if self.failure:
            return []
        stream = self._stdin()
        content = b"".join([*self._unsent, *map(self._packet, records)])
        self._unsent.clear()
        stream.write(content)
        stream.flush()
        return [self._answer() for _ in records]

    def _answer(self) -> Opened:
        line = self._answers.get(timeout=ANSWER_SECONDS)
        if not line:
            raise BrokenPipeError
        shown, opaque, content = line.decode().rstrip("\n").split("\t")
        data = bytes.fromhex(content.replace(",", ""))
        # TLS 1.3 hides the type of a record's content; a type that is shown proves that the keys
        # fit.
        return Opened(data, is_open=bool(data or (opaque and shown and shown != opaque)))

    def _stdin(self) -> IO[bytes]:
        """Return the program's input; start the program the first time."""
        if self._process is None:
            self._folder = tempfile.TemporaryDirectory(prefix="streamshark-")
            with (Path(self._folder.name) / _ERRORS).open("wb") as errors:
                self._process = process = subprocess.Popen(  # noqa: S603 - a list, no shell
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=alone(self._folder.name),
                    start_new_session=True,
                )
            self._finalizer = weakref.finalize(self, _stop, process)
            reader = threading.Thread(
                target=_read, args=(process, self._answers), name="tshark", daemon=True
            )
            reader.start()
        if self._process.stdin is None:
            raise BrokenPipeError
        return self._process.stdin

    def _fail(self) -> None:
        errors = ""
        if self._process is not None and self._folder is not None:
            self._finalizer()
            errors = (Path(self._folder.name) / _ERRORS).read_text(errors="replace")
        lines = [line for line in errors.splitlines() if line.startswith("tshark: ")]
        self.failure = (
            f"tshark stopped: {lines[-1][8:].strip()}" if lines else "tshark does not respond"
        )
        self.close()

    def _packet(self, record: TlsRecord) -> bytes:
        """Wrap a record in a packet between an address made of the flow's number and a server."""
        flow, from_client, data = record
        client = struct.pack(">IH", 0x0A000000 | flow & 0xFFFFFF, _CLIENT_PORT + (flow >> 24))
        ends = Ends.of(client, _SERVER) if from_client else Ends.of(_SERVER, client)
        seq = self._next.get((flow, from_client), 1)
        ack = self._next.get((flow, not from_client), 1)
        self._next[flow, from_client] = seq + len(data) & _MASK
        segment = SyntheticSegment(seq, ack, PSH | ACK, data)
        return self._writer.packet(0, ip_packet(ends, segment))


def _check(keylog: str) -> None:
    try:
        with Path(keylog).open("rb"):
            pass
    except OSError as error:
        raise CaptureError(f"key log {keylog}: {error.strerror}") from None


def _parts(records: Sequence[TlsRecord]) -> Iterable[Sequence[TlsRecord]]:
    start = size = 0
    for at, record in enumerate(records):
        size += len(record.data)
        if size >= EXCHANGE:
            yield records[start : at + 1]
            start, size = at + 1, 0
    if start < len(records):
        yield records[start:]


def _read(process: subprocess.Popen[bytes], answers: "queue.SimpleQueue[bytes]") -> None:
    """Pass on the program's lines, then an empty one at its end."""
    output = process.stdout
    if output is not None:
        with output, open(output.fileno(), "rb", closefd=False) as lines:
            for line in lines:
                answers.put(line)
    answers.put(b"")


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
