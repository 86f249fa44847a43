"""Replace what WebSocket carries: the handshake, and messages, whose masks stay."""

import zlib
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from streamshark.decoding.codecs import END, WINDOW, Inflater, unmask
from streamshark.dissection.row import FrameRow
from streamshark.sharing.redaction_frames import FrameRedaction
from streamshark.sharing.redaction_headers import HeaderRedaction
from streamshark.sharing.redaction_text import blanked

Put = Callable[[int, int, bytes], None]
_STARTS: Final = (b"GET ", b"HTTP/1.")
_END_OF_HEAD: Final = b"\r\n\r\n"
_MOST_HEAD: Final = 64 * 1024
_CONTROL, _CLOSE = 8, 8
_MOST_MESSAGE: Final = 16 << 20
_PREFIXES: Final = range(1, 5)
"""Bytes of a length before a frame."""


class _Fragment:
    """The payload of one frame on the wire."""

    def __init__(self, offset: int, size: int, mask: bytes) -> None:
        self.offset, self.size, self.mask = offset, size, mask


class _WebSocketMessage:
    """A whole message, and what takes its place."""

    def __init__(self, parts: list[_Fragment], data: bytes, *, is_packed: bool) -> None:
        self.parts, self.data, self.is_packed = parts, data, is_packed
        self.made = bytearray(blanked(data))
        self.blank = bytearray(blanked(data))
        """The same with bodies of X alone."""


class WebSocketSide:
    """One direction of a connection."""

    def __init__(self, side: int, put: Put, frames: FrameRedaction) -> None:
        self._side, self._write, self._frames = side, put, frames
        self._headers = HeaderRedaction(frames)
        self._held = bytearray()
        self._at = 0
        self._lost = self._begun = False
        self._parts: list[_Fragment] = []
        self._payload = bytearray()
        self._is_packed = False
        self._inflater = Inflater()
        self._window = b""
        """The last bytes of what messages contain that were written deflated."""
        self._messages: deque[_WebSocketMessage] = deque()
        """Messages of which rows may still come."""
        self._found = self._end = 0
        """Where the row that was found last begins and ends, from the first message on."""

    def feed(self, offset: int, data: bytes) -> None:
        """Read the next bytes."""
        if self._lost:
            return
        if not self._held:
            self._at = offset
        self._held += data
        if not self._begun and not self._begin():
            return
        while (size := self._size()) and len(self._held) >= size:
            self._frame(self._at, bytes(self._held[:size]))
            del self._held[:size]
            self._at += size

    def lose(self) -> None:
        """Note that bytes are missing: what follows is blanked."""
        self._lost = True
        self._held.clear()

    def message(self, row: FrameRow, made: bytes) -> None:
        """Put the new bytes of a row in place of its own."""
        place = self._place(row.data, embedded=row.carrier is not None)
        if place is None:
            return
        index, at = place
        is_packed = self._messages[index].is_packed
        blank = self._frames.frame(row, is_blank=True) if is_packed else made
        done = 0
        while done < len(made) and index < len(self._messages):
            message = self._messages[index]
            size = min(len(message.data) - at, len(made) - done)
            message.made[at : at + size] = made[done : done + size]
            message.blank[at : at + size] = blank[done : done + size]
            done, at, index = done + size, 0, index + 1

    def finish(self) -> None:
        """Write the messages that are left."""
        while self._messages:
            self._written(self._messages.popleft())
        if not self._lost and self._held:
            size = min(len(self._held), self._head_size())
            self._write(self._side, self._at, bytes(self._held[:size]))

    def _place(self, data: bytes, *, embedded: bool) -> tuple[int, int] | None:
        """Return in which message, and where in it, a row begins; write those before it."""
        start = self._found if embedded else self._end
        whole = b"".join(each.data for each in self._some(start + len(data)))
        at = whole.find(data, start)
        while at < 0 and len(self._messages) > 1:
            self._written(self._messages.popleft())
            self._found = self._end = 0
            whole = b"".join(each.data for each in self._some(len(data)))
            at = whole.find(data)
        if at < 0:
            return None
        index = 0
        while index < len(self._messages) and at >= len(self._messages[index].data):
            at -= len(self._messages[index].data)
            index += 1
        if not embedded:
            for _ in range(index):
                self._written(self._messages.popleft())
                self._end = 0
            if at - self._end in _PREFIXES:  # a length before a frame that needs none
                first = self._messages[0]
                first.made[self._end : at] = first.data[self._end : at]
            index, self._found, self._end = 0, at, at + len(data)
        return index, at

    def _some(self, size: int) -> list[_WebSocketMessage]:
        """Return the first messages that have so many bytes together, and one more."""
        out: list[_WebSocketMessage] = []
        for each in self._messages:
            out.append(each)
            if size < 0:
                break
            size -= len(each.data)
        return out

    def _begin(self) -> bool:
        """Replace the head of the handshake; return whether frames follow."""
        start = bytes(self._held[:8])
        if not any(start.startswith(each) or each.startswith(start) for each in _STARTS):
            self._begun = True
            return True
        end = self._held.find(_END_OF_HEAD)
        if end < 0:
            if len(self._held) > _MOST_HEAD:
                self.lose()
            return False
        end += len(_END_OF_HEAD)
        head = bytes(self._held[:end])
        self._write(self._side, self._at, self._headers.head(head))
        if b"no_context_takeover" in head.lower():
            self._inflater = Inflater(takeover=False)
        del self._held[:end]
        self._at += end
        self._begun = head.startswith(b"GET ") or head[9:12] == b"101"
        return self._begun or self._begin()

    def _head_size(self) -> int:
        if len(self._held) < 2:  # noqa: PLR2004 - flags and length
            return 2
        short = self._held[1] & 0x7F
        wide = {126: 2, 127: 8}.get(short, 0)
        return 2 + wide + 4 * (self._held[1] >> 7)

    def _size(self) -> int:
        """Return the bytes of the frame that is held; 0 if that is not known."""
        head = self._head_size()
        if len(self._held) < max(head, 2):
            return 0
        short = self._held[1] & 0x7F
        wide = {126: 2, 127: 8}.get(short, 0)
        length = int.from_bytes(self._held[2 : 2 + wide], "big") if wide else short
        if length > _MOST_MESSAGE:
            self.lose()
            return 0
        return head + length

    def _frame(self, offset: int, frame: bytes) -> None:
        head = self._head_size()
        mask = frame[head - 4 : head] if frame[1] >> 7 else b""
        self._write(self._side, offset, frame[:head])
        payload = unmask(frame[head:], mask) if mask else frame[head:]
        opcode = frame[0] & 15
        if opcode >= _CONTROL:
            kept = 2 if opcode == _CLOSE else 0
            change = self._frames.sentence if opcode == _CLOSE else self._frames.opaque
            made = payload[:kept] + change(payload[kept:])
            self._write(self._side, offset + head, unmask(made, mask) if mask else made)
            return
        if opcode:
            self._parts, self._payload = [], bytearray()
            self._is_packed = bool(frame[0] & 0x40)
        self._parts.append(_Fragment(offset + head, len(payload), mask))
        self._payload += payload
        if frame[0] & 0x80:
            self._complete()

    def _complete(self) -> None:
        """Note a whole message."""
        data, is_packed = bytes(self._payload), self._is_packed
        if is_packed:
            made = self._inflater.message(data, _MOST_MESSAGE)
            if made.data is None:
                data, is_packed = blanked(data), False
            else:
                data = made.data
        self._messages.append(_WebSocketMessage(self._parts, data, is_packed=is_packed))
        self._parts, self._payload = [], bytearray()

    def _written(self, message: _WebSocketMessage) -> None:
        """Write what takes the place of a message."""
        made: bytes | None = bytes(message.made)
        size = sum(each.size for each in message.parts)
        if message.is_packed:
            made = self._deflated(message, size)
        at = 0
        for each in message.parts:
            part = (made or b"")[at : at + each.size]
            if each.mask:
                part = unmask(part, each.mask)
            self._write(self._side, each.offset, part)
            at += each.size

    def _deflated(self, message: _WebSocketMessage, size: int) -> bytes:
        """Return a message deflated to its size; an empty one where that is not possible."""
        window = self._window if self._inflater.takeover else b""
        for blank in (message.blank, blanked(bytes(message.data))):
            found = deflated(bytes(message.made), bytes(blank), size, window)
            if found is not None:
                self._window = (window + found.plain)[-WINDOW:]
                return found.data
        counts = self._frames.blanked
        counts["deflate"] = counts.get("deflate", 0) + 1
        return b"\0" * size


_STEPS: Final = 16
_EMPTY_BITS: Final = 10
"""Bits of a block of fixed codes without content: 0, 01, and the end of the block."""
_STORED: Final = b"\0\0\0\xff\xff"
"""A stored block without content, from the beginning of a byte on."""
_NEXT: Final = b"\0\1\0\xfe\xffn"
"""A stored block with one byte."""


class Deflated(NamedTuple):
    """A deflated message."""

    data: bytes
    plain: bytes
    """What it contains."""


def deflated(data: bytes, blank: bytes, size: int, window: bytes = b"") -> Deflated | None:
    """Return a message deflated to so many bytes, as much of it blanked as is needed.

    `window` is what earlier messages contain. None if none fits.
    """
    for step in range(_STEPS, -1, -1):
        at = len(data) * step // _STEPS
        plain = data[:at] + blank[at:]
        for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED):
            coder = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, strategy, zdict=window)
            made = coder.compress(plain) + coder.flush(zlib.Z_SYNC_FLUSH)
            found = _filled(made[: -len(END)], size, plain, window)
            if found is not None:
                return Deflated(found, plain)
    return None


def _filled(made: bytes, size: int, plain: bytes, window: bytes) -> bytes | None:
    """Return a deflated message with blocks without content before it, in so many bytes.

    None if it is too long.
    """
    for stored in range(max(0, size - len(made)) // len(_STORED), -1, -1):
        rest = size - stored * len(_STORED)
        for count in range(max(0, rest - len(made) + 1) * 8 // _EMPTY_BITS + 1):
            found = _shifted(made, count, rest, plain, window)
            if found is not None:
                return _STORED * stored + found
    return None


def _shifted(made: bytes, count: int, size: int, plain: bytes, window: bytes) -> bytes | None:
    """Return a message after so many blocks of fixed codes; None if the size is another.

    How many of the last bits only fill the last byte is found by trying.
    """
    shift = count * _EMPTY_BITS
    front = sum(2 << _EMPTY_BITS * each for each in range(count))
    for unused in range(8):
        bits = 8 * len(made) - unused
        if -(-(shift + bits) // 8) != size:
            continue
        number = int.from_bytes(made, "little") & (1 << bits) - 1
        found = (front | number << shift).to_bytes(size, "little")
        reader = zlib.decompressobj(-zlib.MAX_WBITS, zdict=window)
        try:
            if reader.decompress(found + END + _NEXT) == plain + _NEXT[-1:]:
                return found
        except zlib.error:
            continue
    return None
