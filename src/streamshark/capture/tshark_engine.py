"""Captures as tshark reads them, through pyshark: its file formats, link types and decryption.

tshark dissects each packet down to TCP. A packet is then written again as raw IP with the same
addresses, sequence numbers, flags and payload, so that the stages after this read it as any other
capture and make the same rows. A packet that is not TCP becomes an empty one: numbers stay.

pyshark runs in a thread with an event loop of its own, since it waits for tshark.
"""

import asyncio
import logging
import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from streamshark.capture.detect_format import open_capture
from streamshark.capture.pcapng_writer import PcapngWriter
from streamshark.capture.source import (
    CaptureError,
    Source,
    SourceOfFiles,
    open_source,
)
from streamshark.capture.synthetic_tcp import (
    LARGEST_PACKET,
    LINKTYPE_RAW,
    Ends,
    SyntheticSegment,
    ip_headers,
)
from streamshark.capture.tls_records import TLS_KEY_LOG
from streamshark.capture.tshark import find_tshark

MOST_WAITING: Final = 4096
"""Most packets that wait to be read."""
_DISSECTED: Final = "frame ip ipv6 tcp"
"""Protocols whose fields tshark prints."""
_QUOTING: Final = frozenset({"icmp", "icmpv6"})
"""Protocols that quote headers of other packets."""
_HEADERS: Final = 100
"""Bytes of the headers of IP and TCP at most."""
_BLOCK: Final = 1 << 16
_PUT_SECONDS: Final = 0.1
_STOP_SECONDS: Final = 5.0


class TsharkEngine:
    """A source of packets as tshark reads them.

    Args:
        where: Path of a capture in any format of tshark, `-` for standard input, or a source of a
            capture that is being written.
        preferences: Preferences of tshark, as `-o` takes them.

    Raises:
        CaptureError: pyshark or tshark is not installed, or tshark cannot read the file.
    """

    def __init__(self, where: str | Source, preferences: Sequence[str] = ()) -> None:
        _require()
        self._feed: _Feed | None = None
        self._damage: str | None = None
        self._writer = writer = PcapngWriter()
        self._buffer = bytearray(writer.section() + writer.interface(LINKTYPE_RAW))
        self._path = ""
        if isinstance(where, str) and where != "-":
            self._path = self.name = where
            self._damage = _examined(where, preferences)
            self._buffer += b"".join(map(writer.secrets, _secrets(where)))
        else:
            source, self.name = open_source(where)
            self._feed = _Feed(source)
        self._preferences = preferences
        self._packets: queue.Queue[bytes | None] = queue.Queue(MOST_WAITING)
        self._has_ended = False
        self._is_closed = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="pyshark", daemon=True)
        self._thread.start()

    @property
    def damage(self) -> str | None:
        """What ended the packets early; None for a proper end."""
        return self._damage or (self._feed.source.damage if self._feed else None)

    @property
    def is_stopped(self) -> bool:
        """Whether reading was stopped while there may be more."""
        return bool(self._feed and getattr(self._feed.source, "is_stopped", False))

    def wait(self, seconds: float) -> bool:
        """Return whether there are bytes, or the end, in time."""
        if self._buffer or self._has_ended:
            return True
        with suppress(queue.Empty):
            self._take(self._packets.get(timeout=seconds))
            return True
        return False

    def read(self, most: int) -> bytes:
        """Return the bytes that there are; wait for the first."""
        if not self._buffer and not self._has_ended:
            self._take(self._packets.get())
        while len(self._buffer) < most and not self._has_ended:
            try:
                self._take(self._packets.get_nowait())
            except queue.Empty:
                break
        given = bytes(self._buffer[:most])
        del self._buffer[:most]
        return given

    def close(self) -> None:
        """End tshark."""
        self._is_closed.set()
        if self._task is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(_STOP_SECONDS)
        if self._feed is not None:
            self._feed.source.close()

    def _take(self, packet: bytes | None) -> None:
        """Take what the thread has put: a packet, or None at the end."""
        if packet is None:
            self._has_ended = True
        else:
            self._buffer += packet

    def _run(self) -> None:
        """Read with pyshark: the thread."""
        from pyshark.capture.capture import TSharkCrashException  # noqa: PLC0415 - slow

        asyncio.set_event_loop(self._loop)
        logging.getLogger("asyncio").addFilter(_is_news)
        try:
            self._loop.run_until_complete(self._read())
        except asyncio.CancelledError:
            pass
        except TSharkCrashException as error:
            if not self._path:  # it was examined before
                self._damage = _reason(str(error))
        except OSError as error:
            self._damage = f"tshark could not be started: {error.strerror or error}"
        finally:
            self._put(None)
            self._loop.close()
            logging.getLogger("asyncio").removeFilter(_is_news)

    async def _read(self) -> None:
        """Pass packets on until the end, or until this is cancelled."""
        from pyshark.capture.file_capture import FileCapture  # noqa: PLC0415 - slow
        from pyshark.capture.pipe_capture import PipeCapture  # noqa: PLC0415 - slow

        self._task = asyncio.current_task()
        if self._is_closed.is_set():
            return
        words = [word for each in self._preferences for word in ("-o", each)]
        options = {"custom_parameters": ["-J", _DISSECTED, *words], "eventloop": self._loop}
        if self._feed is None:
            capture = FileCapture(self._path, keep_packets=False, **options)
            await capture.packets_from_tshark(self._packet)
            return
        with self._feed as descriptor:
            capture = PipeCapture(descriptor, **options)
            await capture.packets_from_tshark(self._packet)

    def _packet(self, packet: Any) -> None:  # noqa: ANN401 - pyshark has no types
        """Put a packet into the queue; wait while it is full."""
        try:
            time_ns = _nanoseconds(packet.sniff_timestamp)
            data, original = raw_ip(packet.layers)
            block = self._writer.packet(time_ns, data, original=original)
        except (ValueError, AttributeError) as error:
            self._damage = self._damage or f"tshark's packet {packet.number}: {error}"
            block = self._writer.packet(0, b"")
        self._put(block)

    def _put(self, block: bytes | None) -> None:
        while not self._is_closed.is_set():
            with suppress(queue.Full):
                self._packets.put(block, timeout=_PUT_SECONDS)
                return


class _Feed:
    """A pipe into which a thread writes the bytes of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._ends: tuple[int, int] = (-1, -1)

    def __enter__(self) -> int:
        """Start; return the end from which to read."""
        self._ends = os.pipe()
        threading.Thread(target=self._write, name="to tshark", daemon=True).start()
        return self._ends[0]

    def __exit__(self, *_error: object) -> None:
        """Close the end from which was read, which ends the thread at its next byte."""
        os.close(self._ends[0])

    def _write(self) -> None:
        source, end = self.source, self._ends[1]
        of_files = source if isinstance(source, SourceOfFiles) else None
        try:
            while True:
                data = source.read(_BLOCK)
                if not data:
                    if of_files is None or of_files.is_over:
                        return
                    of_files.leave_file()
                _write_all(end, data)
        except BrokenPipeError:
            pass
        finally:
            os.close(end)


def _write_all(end: int, data: bytes) -> None:
    """Write all bytes to a pipe."""
    view = memoryview(data)
    while view:
        view = view[os.write(end, view) :]


def raw_ip(layers: Sequence[Any]) -> tuple[bytes, int]:
    """Return a packet as raw IP, and its length on the wire; empty if it is not TCP.

    Args:
        layers: Its layers by pyshark; of tunnels, the innermost addresses and TCP are taken.
    """
    network = tcp = None
    for each in layers:
        name = each.layer_name.lower()
        if name in _QUOTING:
            return b"", 0
        if name in ("ip", "ipv6"):
            network, tcp = each, None
        elif name == "tcp" and tcp is None:
            tcp = each
    if network is None or tcp is None:
        return b"", 0
    data = _bytes(tcp, "tcp.payload")
    missing = max(_number(tcp, "tcp.len") - len(data), 0)
    segment = SyntheticSegment(
        _number(tcp, "tcp.seq_raw"),
        _number(tcp, "tcp.ack_raw"),
        _number(tcp, "tcp.flags") & 0xFF,
        data + bytes(missing) if missing else data,
        _bytes(tcp, "tcp.options"),
        _number(tcp, "tcp.window_size_value"),
    )
    return _packed(network, tcp, segment, missing)


def _packed(
    network: Any,  # noqa: ANN401 - pyshark has no types
    tcp: Any,  # noqa: ANN401
    segment: SyntheticSegment,
    missing: int,
) -> tuple[bytes, int]:
    """Return a segment in IP, without the bytes that were not captured, and its whole length."""
    name = network.layer_name.lower()
    sender, receiver = (
        ip_address(_text(network, f"{name}.{end}")).packed + _number(tcp, f"tcp.{port}").to_bytes(2)
        for end, port in (("src", "srcport"), ("dst", "dstport"))
    )
    ident = _number(network, "ip.id") if name == "ip" else 0
    ends, length = Ends.of(sender, receiver), slice(2, 4) if name == "ip" else slice(4, 6)
    if len(segment.data) < LARGEST_PACKET - _HEADERS:
        headers = ip_headers(ends, segment, ident, summed=False)
    else:  # of segmentation offload, whose packets have no length
        changed = bytearray(ip_headers(ends, segment._replace(data=b""), ident, summed=False))
        changed[length] = b"\0\0"
        headers = bytes(changed)
    whole = headers + segment.data
    return whole[: len(whole) - missing], len(whole)


def _text(layer: Any, name: str) -> str:  # noqa: ANN401 - pyshark has no types
    """Return how tshark shows a field; raise ValueError without it."""
    field = layer.get_field(name)
    if field is None:
        raise ValueError(f"no {name}")
    return str(field.show)


def _number(layer: Any, name: str) -> int:  # noqa: ANN401 - pyshark has no types
    """Return the number that a field shows; 0 without it."""
    field = layer.get_field(name)
    return int(field.show, 0) if field is not None and field.show else 0


def _bytes(layer: Any, name: str) -> bytes:  # noqa: ANN401 - pyshark has no types
    """Return the bytes of a field; none without it."""
    field = layer.get_field(name)
    return bytes.fromhex(field.raw_value) if field is not None and field.raw_value else b""


def _nanoseconds(time: str) -> int:
    """Return a time in ns, which tshark writes as seconds with nine digits after the point."""
    seconds, _, rest = time.partition(".")
    nanoseconds = int(f"{rest:0<9}"[:9])
    return int(seconds) * 1_000_000_000 + (-nanoseconds if seconds.startswith("-") else nanoseconds)


def _require() -> None:
    """Raise an error if pyshark or tshark is not installed."""
    if find_tshark() is None:
        raise CaptureError("--engine tshark needs tshark, which is not installed")
    try:
        import pyshark  # noqa: F401, PLC0415 - slow
    except ImportError:
        hint = "pip install 'streamshark[tshark]'"
        raise CaptureError(f"--engine tshark needs pyshark: {hint}") from None


def _examined(path: str, preferences: Sequence[str]) -> str | None:
    """Let tshark read a file without dissecting it; return what is wrong at its end.

    pyshark does not say for sure how tshark has ended.

    Raises:
        CaptureError: tshark cannot read it, or does not know a preference.
    """
    if not Path(path).exists():
        raise CaptureError(f"{path}: no such file")
    words = [word for each in preferences for word in ("-o", each)]
    done = subprocess.run(  # noqa: S603 - a list, no shell
        [find_tshark() or "tshark", "-n", "-Q", "-q", "-r", path, *words],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if not done.returncode:
        return None
    reason = _reason(done.stderr)
    if "cut short" in reason or "damaged" in reason:
        return reason
    raise CaptureError(f"{path}: tshark cannot read it: {reason}")


def _secrets(path: str) -> list[bytes]:
    """Return the key logs of TLS in a file, which tshark does not print."""
    try:
        with open_capture(path) as capture:
            for _ in capture.batches():
                pass
    except CaptureError:  # of a format that is not read here
        return []
    return [each.data for each in capture.secrets if each.type == TLS_KEY_LOG]


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for the message that a process has ended that pyshark has killed."""
    return "Unknown child process" not in str(record.msg)


def _reason(text: str) -> str:
    """Return the last sentence of tshark in what it has written."""
    lines = [line.removeprefix("tshark: ").strip() for line in text.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "tshark has failed"
