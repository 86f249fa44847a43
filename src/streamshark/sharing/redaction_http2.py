"""Replace what HTTP/2 carries: header blocks, and messages of gRPC in DATA frames."""

from collections.abc import Callable
from typing import Final, NamedTuple

from streamshark.decoding.codecs import unpack
from streamshark.dissection.row import FrameRow
from streamshark.protocols.http2.codes import PREFACE, Flag, FrameType
from streamshark.protocols.http2.framing import SMALLEST
from streamshark.sharing.redaction_frames import FrameRedaction
from streamshark.sharing.redaction_headers import HeaderBlocks, HeaderRedaction
from streamshark.sharing.redaction_packing import packed
from streamshark.sharing.redaction_text import blanked

Put = Callable[[int, int, bytes], None]
"""Writes bytes over those of a side from an offset on."""
Span = tuple[int, int]
"""Offset of bytes of a side, and how many."""

_SIZES: Final[dict[int, int]] = {
    FrameType.PRIORITY: 5,
    FrameType.RST_STREAM: 4,
    FrameType.WINDOW_UPDATE: 4,
}
"""Types of frames that have numbers alone, to their bytes."""
_SETTING: Final = 6
_MOST_SETTING: Final = 0x20
"""Largest identifier of a setting that may be known."""
_PREFIX: Final = 5
_MOST_MESSAGE: Final = 16 << 20
_MOST_HELD: Final = 32 << 20
"""Bytes of a direction that are held at most until a frame or message is complete."""


class _GrpcMessage(NamedTuple):
    """A whole message of a stream."""

    stream: int
    is_packed: bool
    data: bytes
    spans: list[Span]


class _Body:
    """The bytes of one stream that are no whole message yet."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.spans: list[Span] = []


class Http2Side:
    """One direction of a connection."""

    def __init__(self, side: int, put: Put, frames: FrameRedaction) -> None:
        self._side, self._write, self._frames = side, put, frames
        self._blocks = HeaderBlocks(HeaderRedaction(frames))
        self._held = bytearray()
        self._at = 0
        """Offset of the first held byte."""
        self._lost = False
        self._begun = False
        self._block: list[Span] | None = None
        self._block_data = bytearray()
        self._bodies: dict[int, _Body] = {}
        self.messages: list[_GrpcMessage] = []
        """Messages whose rows are still to come."""

    def feed(self, offset: int, data: bytes) -> None:
        """Read the next bytes."""
        if self._lost:
            return
        if not self._held:
            self._at = offset
        self._held += data
        if not self._begun and not self._begin():
            return
        while len(self._held) >= SMALLEST:
            size = SMALLEST + int.from_bytes(self._held[:3], "big")
            if size > _MOST_HELD:
                self.lose()
                return
            if len(self._held) < size:
                return
            frame = bytes(self._held[:size])
            self._frame(self._at, frame)
            del self._held[:size]
            self._at += size

    def lose(self) -> None:
        """Note that bytes are missing: what follows is blanked."""
        self._lost = True
        self._held.clear()

    def message(self, row: FrameRow, made: bytes) -> None:
        """Write a message whose row has other bytes."""
        body = row.values.get("message")
        if not isinstance(body, bytes):
            return
        new = made[len(made) - len(body) :] if body else b""
        stream = row.values.get("stream_id")
        for index, each in enumerate(self.messages):
            if each.stream == stream and self._plain(each) == body:
                del self.messages[index]
                self._put_message(each, body, new)
                return

    @staticmethod
    def _plain(message: _GrpcMessage) -> bytes:
        if not message.is_packed:
            return message.data
        for codec in ("gzip", "zlib", "snappy", "zstd", "deflate"):
            made = unpack(codec, message.data, size=None, cap=_MOST_MESSAGE)
            if made.data is not None:
                return made.data
        return message.data

    def _put_message(self, message: _GrpcMessage, body: bytes, new: bytes) -> None:
        size = len(message.data)
        made: bytes | None = new
        if message.is_packed and body != message.data:
            made = packed("gzip", new, size)
            if made is None:
                self._frames.blanked["gzip"] = self._frames.blanked.get("gzip", 0) + 1
        if made is not None and len(made) == size:
            self._put(message.spans, made)

    def _put(self, spans: list[Span], data: bytes) -> None:
        """Write bytes over several places, one after the other."""
        at = 0
        for offset, size in spans:
            self._write(self._side, offset, data[at : at + size])
            at += size

    def _begin(self) -> bool:
        """Pass the preface; return whether frames follow."""
        start = bytes(self._held[: len(PREFACE)])
        if start != PREFACE[: len(start)]:
            self._begun = True
            return True
        if len(start) < len(PREFACE):
            return False
        self._write(self._side, self._at, start)
        del self._held[: len(PREFACE)]
        self._at += len(PREFACE)
        self._begun = True
        return True

    def _frame(self, offset: int, frame: bytes) -> None:
        kind, flags = frame[3], frame[4]
        stream = int.from_bytes(frame[5:9], "big") & 0x7FFFFFFF
        made = frame[:SMALLEST] + blanked(frame[SMALLEST:])
        if _SIZES.get(kind) == len(frame) - SMALLEST or (
            kind == FrameType.SETTINGS and _are_settings(frame)
        ):
            made = frame
        elif kind == FrameType.PING:
            made = frame[:SMALLEST] + self._frames.opaque(frame[SMALLEST:])
        elif kind == FrameType.GOAWAY:
            text = self._frames.sentence(frame[SMALLEST + 8 :])
            made = frame[: SMALLEST + 8] + text
        self._write(self._side, offset, made)
        if kind == FrameType.DATA:
            start, end = self._inside(frame, flags)
            self._copy(offset, frame, start, end)
            self._data(stream, offset + start, frame[start:end], ends=bool(flags & Flag.END_STREAM))
        elif kind in (FrameType.HEADERS, FrameType.PUSH_PROMISE, FrameType.CONTINUATION):
            self._headers(offset, frame, flags)

    def _inside(self, frame: bytes, flags: int) -> Span:
        """Return where the content of a padded frame begins and ends."""
        start, end = SMALLEST, len(frame)
        if flags & Flag.PADDED and end > start:
            pad = frame[start]
            start, end = start + 1, max(start + 1, end - pad)
        return start, end

    def _copy(self, offset: int, frame: bytes, start: int, end: int) -> None:
        """Keep what is before the content of a frame, and blank its padding with zeros."""
        self._write(self._side, offset + SMALLEST, frame[SMALLEST:start])
        self._write(self._side, offset + end, bytes(len(frame) - end))

    def _headers(self, offset: int, frame: bytes, flags: int) -> None:
        """Add a piece of a header block, and replace a whole one."""
        start, end = SMALLEST, len(frame)
        if frame[3] != FrameType.CONTINUATION:
            start, end = self._inside(frame, flags)
            if frame[3] == FrameType.PUSH_PROMISE:
                start += 4
            elif flags & Flag.PRIORITY:
                start += 5
            start = min(start, end)
            self._copy(offset, frame, start, end)
            self._block, self._block_data = [], bytearray()
        if self._block is None or len(self._block_data) > _MOST_MESSAGE:
            return
        self._block.append((offset + start, end - start))
        self._block_data += frame[start:end]
        if flags & Flag.END_HEADERS:
            self._put(self._block, self._blocks.replaced(bytes(self._block_data)))
            self._block = None

    def _data(self, stream: int, offset: int, data: bytes, *, ends: bool) -> None:
        """Add bytes of a stream, and note the messages that they complete."""
        body = self._bodies.setdefault(stream, _Body())
        body.data += data
        body.spans.append((offset, len(data)))
        while len(body.data) >= _PREFIX:
            size = int.from_bytes(body.data[1:_PREFIX], "big")
            if body.data[0] > 1 or size > _MOST_MESSAGE:
                body.data.clear()
                body.spans.clear()
                break
            if len(body.data) < _PREFIX + size:
                break
            head, spans = _cut(body.spans, _PREFIX)
            self._put(head, bytes(body.data[:_PREFIX]))
            message, body.spans = _cut(spans, size)
            content = bytes(body.data[_PREFIX : _PREFIX + size])
            self.messages.append(_GrpcMessage(stream, bool(body.data[0]), content, message))
            del body.data[: _PREFIX + size]
        if ends:
            self._end(stream)

    def _end(self, stream: int) -> None:
        """Keep the length of a message that its stream cuts."""
        body = self._bodies.pop(stream, None)
        if body is not None and len(body.data) >= _PREFIX:
            head, _ = _cut(body.spans, _PREFIX)
            self._put(head, bytes(body.data[:_PREFIX]))

    def finish(self) -> None:
        """Keep the lengths of messages that the end cuts."""
        for stream in list(self._bodies):
            self._end(stream)
        if not self._lost and len(self._held) >= SMALLEST:
            self._write(self._side, self._at, bytes(self._held[:SMALLEST]))


def _are_settings(frame: bytes) -> bool:
    """Return whether a frame has settings alone."""
    found = range(SMALLEST, len(frame), _SETTING)
    return not (len(frame) - SMALLEST) % _SETTING and all(
        int.from_bytes(frame[at : at + 2], "big") <= _MOST_SETTING for at in found
    )


def _cut(spans: list[Span], size: int) -> tuple[list[Span], list[Span]]:
    """Return the first so many bytes of places, and the others."""
    first: list[Span] = []
    rest = list(spans)
    while size and rest:
        offset, length = rest.pop(0)
        taken = min(size, length)
        first.append((offset, taken))
        size -= taken
        if taken < length:
            rest.insert(0, (offset + taken, length - taken))
    return first, [each for each in rest if each[1]]
