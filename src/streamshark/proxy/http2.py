"""gRPC inside HTTP/2: messages that name nodes are changed, and flow control stays in balance.

Header blocks pass as they are and are decoded beside it. The DATA of streams whose messages are
changed is acknowledged to the server here, and its flow control with the client is the proxy's own:
what the client gives back for it on the connection is kept (`_swallow`), since the server has had
it. DATA that does not fit the windows of the client waits. Spec: RFC 9113, sections 5.2 and 6.
"""

import zlib
from collections.abc import Callable, Iterable
from struct import Struct
from typing import Final

from hpack import Decoder, HPACKError

from streamshark.errors import StreamsharkError
from streamshark.proxy.hosts import Replace
from streamshark.proxy.link import CLIENT, SERVER, Command, Notice, Send, Steering
from streamshark.proxy.protobuf_nodes import METHODS, NodeFields, with_replaced_nodes

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
LARGEST_MESSAGE: Final = 4 << 20
"""Most bytes of a message that is changed, packed or not; larger ones pass."""
MOST_QUEUED: Final = 4 << 20
"""Bytes of a stream that may wait for the client before the server gets no more window."""
MOST_STREAMS: Final = 100_000
"""Most streams of a connection at once."""
LONGEST_BLOCK: Final = 1 << 20
"""Most bytes of a header block."""

_HEAD: Final = Struct(">HBBBI")
_HEAD_SIZE: Final = 9
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PUSH_PROMISE = 0, 1, 3, 4, 5
_WINDOW_UPDATE, _CONTINUATION = 8, 9
_END_STREAM, _ACK, _END_HEADERS, _PADDED, _PRIORITY = 1, 1, 4, 8, 0x20
_TABLE_SIZE, _INITIAL_WINDOW, _MAX_FRAME = 1, 4, 5
_DEFAULT_WINDOW: Final = 65_535
_DEFAULT_FRAME: Final = 16_384
_STREAM_ID: Final = 0x7FFFFFFF
_PREFIX: Final = 5
"""Bytes before each message of gRPC: whether it is packed, and its size."""
_PACKED: Final = 1
_GZIP: Final = 31
"""The `wbits` of gzip."""
_Handler = Callable[[int, int, bytes], bool]


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame."""
    size = len(payload)
    return _HEAD.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


class _CallStream:
    """What the server sends on one stream."""

    __slots__ = ("buffer", "encoding", "fields", "number", "owed", "queue", "queued", "window")

    def __init__(self, number: int, window: int, fields: NodeFields | None) -> None:
        self.number = number
        self.window = window
        """Bytes of DATA that the client takes."""
        self.fields = fields
        """Where messages name nodes; None if the stream passes as it is."""
        self.encoding = "identity"
        self.buffer: bytearray | None = bytearray() if fields is not None else None
        """The beginning of a message; None if messages are not changed (any more)."""
        self.queue: list[tuple[bool, bytes, bool]] = []
        """What waits: whether it is DATA, the payload or the whole frames, whether it is last."""
        self.queued = 0
        """Bytes of DATA in the queue."""
        self.owed = 0
        """Bytes for which the server gets window once the queue is shorter."""


class Calls(Steering):
    """Steering of one connection of HTTP/2.

    Args:
        replace: Returns the address of the proxy for a node.
    """

    def __init__(self, replace: Replace) -> None:
        self._replace = replace
        self._held = [b"", b""]
        self._preface = len(PREFACE)
        """Bytes of the client's preface that have not come."""
        self._is_foreign = False
        self._decoders = (Decoder(LONGEST_BLOCK), Decoder(LONGEST_BLOCK))
        self._streams: dict[int, _CallStream] = {}
        self._waiting: dict[int, _CallStream] = {}
        """Streams with a queue."""
        self._window = _DEFAULT_WINDOW
        """Bytes of DATA that the client takes on the connection."""
        self._initial = _DEFAULT_WINDOW
        self._largest = _DEFAULT_FRAME
        self._swallow = 0
        """Bytes that the client will give back and the server has had already."""
        self._out: tuple[list[bytes], list[bytes]] = ([], [])
        """Bytes for the client, and for the server."""
        self._notices: list[str] = []
        self._handlers: tuple[dict[int, _Handler], dict[int, _Handler]] = (
            {
                _HEADERS: self._request,
                _RST_STREAM: self._reset_by_client,
                _SETTINGS: self._settings_of_client,
                _WINDOW_UPDATE: self._given,
            },
            {
                _DATA: self._data,
                _HEADERS: self._response,
                _PUSH_PROMISE: self._promise,
                _RST_STREAM: self._reset_by_server,
                _SETTINGS: self._settings_of_server,
            },
        )

    @property
    def balance(self) -> int:
        """Bytes that the client has not given back yet of what the server had from the proxy."""
        return self._swallow

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._is_foreign:
            return (Send(1 - side, data),)
        self._held[side], data = b"", self._held[side] + data
        try:
            self._take(side, data)
        except (HPACKError, StreamsharkError, ValueError, IndexError) as error:
            self._is_foreign = True
            self._notices.append(f"HTTP/2 is malformed ({error}); hosts pass unchanged from here")
            for each in (SERVER, CLIENT):
                self._release(each)
        return self._commands()

    def end(self, side: int) -> Iterable[Command]:
        """Return the bytes that are held."""
        if not self._is_foreign:
            self._release(side)
        return self._commands()

    def _commands(self) -> list[Command]:
        out, self._out = self._out, ([], [])
        notices, self._notices = self._notices, []
        commands: list[Command] = [
            Send(side, parts[0] if len(parts) == 1 else b"".join(parts))
            for side, parts in enumerate(out)
            if parts
        ]
        return [*commands, *map(Notice, notices)]

    def _release(self, side: int) -> None:
        """Pass on what is held of a side, whatever the windows are: there is nothing after it."""
        if side == SERVER:
            for stream in list(self._waiting.values()):
                stream.window = self._window = 1 << 62
                self._drain(stream)
        if held := self._held[side]:
            self._out[1 - side].append(held)
            self._held[side] = b""

    def _take(self, side: int, data: bytes) -> None:  # noqa: C901 - a call for each frame costs more
        """Pass frames on in runs, and handle those that matter."""
        at = start = 0
        if side == CLIENT and self._preface:
            at = min(self._preface, len(data))
            self._preface -= at
        end, out, handlers = len(data), self._out[1 - side], self._handlers[side]
        streams, unpack = self._streams, _HEAD.unpack_from
        self._held[side] = data
        while end - at >= _HEAD_SIZE:
            high, low, kind, flags, number = unpack(data, at)
            size = high << 8 | low
            total = _HEAD_SIZE + size
            if at + total > end:
                break
            handler = handlers.get(kind)
            if handler is None:
                at += total
                continue
            if not kind:  # DATA of the server: most of all frames
                stream = streams.get(number)
                if (
                    stream is not None
                    and stream.fields is None
                    and not stream.queue
                    and not flags & _END_STREAM
                    and size <= stream.window
                    and size <= self._window
                ):
                    stream.window -= size
                    self._window -= size
                    at += total
                    continue
            elif kind in (_HEADERS, _PUSH_PROMISE):
                total = _block_end(data, at) - at
                if total <= 0:
                    break
            if at > start:
                out.append(data[start:at])
                self._held[side] = data[at:]
            start = at
            at += total
            if not handler(flags, number & _STREAM_ID, data[start:at]):
                start = at
                self._held[side] = data[at:]
        if at > start:
            out.append(data[start:at])
        self._held[side] = data[at:]

    # Frames of the client; each method returns whether the frame passes

    def _request(self, _flags: int, number: int, unit: bytes) -> bool:
        headers = self._decoders[CLIENT].decode(_block(unit), raw=True)
        if len(self._streams) >= MOST_STREAMS:
            raise StreamsharkError("too many streams")
        if number not in self._streams:
            path = next((value for name, value in headers if name == b":path"), b"")
            self._streams[number] = _CallStream(number, self._initial, METHODS.get(bytes(path)))
        return True

    def _reset_by_client(self, _flags: int, number: int, _frame: bytes) -> bool:
        self._drop(number)
        return True

    def _settings_of_client(self, flags: int, _number: int, settings: bytes) -> bool:
        if flags & _ACK:
            return True
        for name, value in _settings(settings):
            if name == _TABLE_SIZE:
                self._decoders[SERVER].max_allowed_table_size = value
            elif name == _MAX_FRAME:
                self._largest = value
            elif name == _INITIAL_WINDOW:
                for each in self._streams.values():
                    each.window += value - self._initial
                self._initial = value
        self._drain_all()
        return True

    def _given(self, _flags: int, number: int, update: bytes) -> bool:
        """Take WINDOW_UPDATE."""
        size = int.from_bytes(update[_HEAD_SIZE : _HEAD_SIZE + 4]) & _STREAM_ID
        passes = True
        if number:
            stream = self._streams.get(number)
            if stream is not None:
                stream.window += size
                passes = stream.fields is None
        else:
            self._window += size
            kept = min(size, self._swallow)
            self._swallow -= kept
            passes = not kept
            if 0 < kept < size:
                self._give_window(0, size - kept)
        self._drain_all()
        return passes

    # Frames of the server

    def _response(self, flags: int, number: int, unit: bytes) -> bool:
        headers = dict(self._decoders[SERVER].decode(_block(unit), raw=True))
        stream = self._streams.get(number)
        if stream is None:
            return True
        if encoding := headers.get(b"grpc-encoding"):
            stream.encoding = bytes(encoding).decode("latin-1")
        if b"content-length" in headers and stream.buffer is not None:
            self._leave(stream, "a response with content-length")
        is_last = bool(flags & _END_STREAM)
        if is_last and stream.buffer:
            self._leave(stream, "a response that ends inside a message")
        if stream.queue:
            self._queue(stream, is_data=False, content=unit, is_last=is_last)
            return False
        if is_last:
            self._ended(stream)
        return True

    def _promise(self, _flags: int, _number: int, unit: bytes) -> bool:
        self._decoders[SERVER].decode(_block(unit), raw=True)
        at = _HEAD_SIZE + bool(unit[4] & _PADDED)
        promised = int.from_bytes(unit[at : at + 4]) & _STREAM_ID
        self._streams[promised] = _CallStream(promised, self._initial, None)
        return True

    def _reset_by_server(self, _flags: int, number: int, _frame: bytes) -> bool:
        self._drop(number)
        return True

    def _settings_of_server(self, flags: int, _number: int, settings: bytes) -> bool:
        if not flags & _ACK:
            for name, value in _settings(settings):
                if name == _TABLE_SIZE:
                    self._decoders[CLIENT].max_allowed_table_size = value
        return True

    def _data(self, flags: int, number: int, data: bytes) -> bool:
        """Take DATA that does not simply pass."""
        stream, size = self._streams.get(number), len(data) - _HEAD_SIZE
        if stream is None:  # the client has reset it, and has no window for it
            self._give_window(0, size)
            return False
        is_last = bool(flags & _END_STREAM)
        if stream.fields is None:
            if not stream.queue and size <= min(stream.window, self._window):
                stream.window -= size
                self._window -= size
                if is_last:
                    self._ended(stream)
                return True
            content = _payload(flags, data)
            if padding := size - len(content):
                self._give_window(0, padding)
                self._give_window(number, padding)
            self._queue(stream, is_data=True, content=content, is_last=is_last)
            return False
        content = _payload(flags, data)
        self._credit(stream, size)
        out = self._changed(stream, content)
        if is_last and stream.buffer:
            out += bytes(stream.buffer)
            stream.buffer = None
        if out or is_last:
            self._queue(stream, is_data=True, content=out, is_last=is_last)
        return False

    # Messages

    def _changed(self, stream: _CallStream, content: bytes) -> bytes:
        """Return the bytes that go on: whole messages, with replaced nodes."""
        buffer = stream.buffer
        if buffer is None:
            return content
        buffer += content
        out = []
        while len(buffer) >= _PREFIX:
            size = int.from_bytes(buffer[1:_PREFIX])
            if size > LARGEST_MESSAGE:
                self._notices.append(f"a message of {size:,} bytes is too large to be changed")
                out.append(bytes(buffer))
                stream.buffer = None
                break
            if len(buffer) < _PREFIX + size:
                break
            message = bytes(buffer[: _PREFIX + size])
            del buffer[: _PREFIX + size]
            out.append(self._message(stream, message))
        return b"".join(out)

    def _message(self, stream: _CallStream, message: bytes) -> bytes:
        """Return one message, with its prefix, with replaced nodes."""
        fields = stream.fields
        if fields is None:
            return message
        try:
            flag, content = message[0], message[_PREFIX:]
            if flag == _PACKED:
                content = _unpacked(content, stream.encoding)
            changed = with_replaced_nodes(content, fields, self._replace)
        except StreamsharkError as error:
            self._notices.append(f"{error}; the hosts in a message of gRPC pass unchanged")
            return message
        if changed == content:
            return message
        if flag == _PACKED:
            changed = _packed(changed)
        return bytes([flag]) + len(changed).to_bytes(4) + changed

    def _leave(self, stream: _CallStream, what: str) -> None:
        """Change no more messages of a stream."""
        held, stream.buffer = stream.buffer, None
        self._notices.append(f"{what} passes unchanged, with the hosts in it")
        if held:
            self._queue(stream, is_data=True, content=bytes(held), is_last=False)

    # Windows and queues

    def _credit(self, stream: _CallStream, size: int) -> None:
        """Give the server window for bytes that were taken, unless too many wait."""
        stream.owed += size
        if stream.owed and stream.queued <= MOST_QUEUED:
            owed, stream.owed = stream.owed, 0
            self._give_window(0, owed)
            self._give_window(stream.number, owed)

    def _give_window(self, number: int, size: int) -> None:
        """Send WINDOW_UPDATE to the server; an increment of 0 would be an error."""
        if size:
            self._out[SERVER].append(frame(_WINDOW_UPDATE, 0, number, size.to_bytes(4)))

    def _queue(self, stream: _CallStream, *, is_data: bool, content: bytes, is_last: bool) -> None:
        """Append to what waits, and send what fits."""
        stream.queue.append((is_data, content, is_last))
        stream.queued += len(content) if is_data else 0
        self._waiting[stream.number] = stream
        self._drain(stream)

    def _drain_all(self) -> None:
        for stream in list(self._waiting.values()):
            self._drain(stream)

    def _drain(self, stream: _CallStream) -> None:
        """Send what fits the windows of the client, DATA in parts if need be."""
        out, queue = self._out[CLIENT], stream.queue
        while queue:
            is_data, content, is_last = queue[0]
            if is_data:
                size = min(len(content), stream.window, self._window, self._largest)
                if size <= 0 < len(content):
                    break
                part, rest = content[:size], content[size:]
                ends = is_last and not rest
                out.append(frame(_DATA, _END_STREAM if ends else 0, stream.number, part))
                stream.window -= len(part)
                self._window -= len(part)
                stream.queued -= len(part)
                if stream.fields is not None:
                    self._swallow += len(part)
                if rest:
                    queue[0] = (True, rest, is_last)
                    continue
            else:
                out.append(content)
            queue.pop(0)
            if is_last:
                self._ended(stream)
        if not queue:
            self._waiting.pop(stream.number, None)
        self._credit(stream, 0)

    def _ended(self, stream: _CallStream) -> None:
        """Forget a stream on which the server sends no more."""
        self._waiting.pop(stream.number, None)
        self._streams.pop(stream.number, None)

    def _drop(self, number: int) -> None:
        """Forget a stream that was reset; the connection gets back the window of what waited."""
        stream = self._streams.pop(number, None)
        self._waiting.pop(number, None)
        if stream is None:
            return
        self._give_window(0, stream.queued if stream.fields is None else stream.owed)
        self._drain_all()


def _settings(data: bytes) -> Iterable[tuple[int, int]]:
    """Return names and values of a SETTINGS frame."""
    return Struct(">HI").iter_unpack(data[_HEAD_SIZE : len(data) - (len(data) - _HEAD_SIZE) % 6])


def _payload(flags: int, data: bytes) -> bytes:
    """Return the content of DATA, without padding."""
    if not flags & _PADDED:
        return data[_HEAD_SIZE:]
    return data[_HEAD_SIZE + 1 : max(len(data) - data[_HEAD_SIZE], _HEAD_SIZE + 1)]


def _block_end(data: bytes, at: int) -> int:
    """Return where a header block with its CONTINUATION frames ends; 0 if it is not complete."""
    start, end = at, len(data)
    while end - at >= _HEAD_SIZE:
        high, low, kind, flags, _ = _HEAD.unpack_from(data, at)
        if at > start and kind != _CONTINUATION:
            raise StreamsharkError("a header block is interrupted")
        at += _HEAD_SIZE + (high << 8 | low)
        if at - start > LONGEST_BLOCK:
            raise StreamsharkError("a header block is too long")
        if flags & _END_HEADERS:
            return at if at <= end else 0
    return 0


def _block(unit: bytes) -> bytes:
    """Return the header block of frames, without padding and priority."""
    parts, at = [], 0
    while at < len(unit):
        high, low, kind, flags, _ = _HEAD.unpack_from(unit, at)
        content = unit[at + _HEAD_SIZE : at + _HEAD_SIZE + (high << 8 | low)]
        at += _HEAD_SIZE + len(content)
        if kind != _CONTINUATION:
            if flags & _PADDED:
                content = content[1 : len(content) - content[0]]
            if kind == _PUSH_PROMISE:
                content = content[4:]
            elif flags & _PRIORITY:
                content = content[5:]
        parts.append(content)
    return b"".join(parts)


def _unpacked(content: bytes, encoding: str) -> bytes:
    """Return a packed message; raise `StreamsharkError` if it cannot be unpacked."""
    if encoding != "gzip":
        raise StreamsharkError(f"encoding {encoding!r}")
    unpacker = zlib.decompressobj(_GZIP)
    try:
        out = unpacker.decompress(content, LARGEST_MESSAGE)
    except zlib.error as error:
        raise StreamsharkError(f"gzip: {error}") from None
    if not unpacker.eof or unpacker.unconsumed_tail:
        raise StreamsharkError("gzip: truncated or too large")
    return out


def _packed(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=_GZIP)
    return packer.compress(content) + packer.flush()
