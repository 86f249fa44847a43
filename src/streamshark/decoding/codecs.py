"""What carriers and compressed fields do to bytes: unpack, inflate, unmask, header compression.

All of it is bounded: nothing here makes more bytes than a cap, whatever the input says, and bad
input is a problem's text, never an exception. Codecs without a native streaming bound write into a
buffer of fixed size, so that a bomb fails when the buffer is full.
"""

import copy
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

from streamshark.schema.bytes_and_text import RAW

FIRST = 64 * 1024
"""Bytes of the first buffer where the unpacked size is not known; later ones are 8 times larger."""
RATIO = 40_000
"""An announced size over so many times the packed bytes is not believed: zstd's limit is 32 768."""
END = b"\x00\x00\xff\xff"
"""What the sender of a permessage-deflate message leaves out (RFC 7692, 7.2.1)."""
WINDOW = 1 << zlib.MAX_WBITS
"""Bytes that a message may refer back to."""
LAST_BLOCKS = 16
"""Most blocks of one message that say that they are the last; senders write one at most."""


UNPACKED_AT_ONCE = 48 * 1024 * 1024
"""Bytes that the messages of a reading may be unpacked to at once."""
UNPACKED_PER_BYTE = 16
"""Bytes more for each byte of packed messages: text is packed to a tenth, records to a fifth."""


class Unpacked(NamedTuple):
    """What became of packed bytes."""

    data: bytes | None
    """None where nothing could be unpacked."""
    problem: str | None = None
    """One clause that says what is wrong."""


class Allowance:
    """To how many bytes the messages of a reading may be unpacked, all connections together.

    Each message has a cap of its own; many small ones may still be unpacked to far more than a
    window of the capture, and their rows are held at once.
    """

    def __init__(self) -> None:
        self.left = self.least = UNPACKED_AT_ONCE
        """Bytes that may be unpacked now, and the fewest so far."""

    def unpacked(self, packed: int, cap: int, unpack: Callable[[int], Unpacked]) -> Unpacked:
        """Unpack so many packed bytes by `unpack`, within a cap and the allowance left."""
        self.left = min(UNPACKED_AT_ONCE, self.left + UNPACKED_PER_BYTE * packed)
        made = unpack(min(cap, self.left))
        if made.data is not None:
            self.left -= len(made.data)
            self.least = min(self.least, self.left)
        elif self.left < cap and made.problem == over(self.left):
            message = "so many messages are packed so much that they would take too much memory"
            return made._replace(problem=f"{made.problem}: {message}")
        return made


def over(size: int) -> str:
    """Return the message about packed bytes that unpack to more than a cap."""
    return f"over {size} bytes are packed here"


_PACKED = frozenset({"gzip", "snappy", "lz4", "zstd", "zlib", "deflate"})
"""Codecs (snappy and lz4 in their framed formats), named as cramjam names its modules."""
CODECS = _PACKED | {RAW}
"""Names that the number of a slot's codec may have; any other is kept packed."""


def unpack(codec: str, data: bytes, *, size: int | None, cap: int) -> Unpacked:
    """Unpack at most `cap` bytes; `size` is how many are announced, None if unknown."""
    if codec not in CODECS:
        return Unpacked(None, f"no codec {codec} is known")
    if codec == RAW:
        return _compared(data, size)
    if size is not None and not 0 <= size <= min(cap, max(1, len(data)) * RATIO):
        return Unpacked(
            None, f"{size} unpacked bytes announced for {len(data)} compressed bytes, too many"
        )
    return _filled(codec, data, size, cap)


def _filled(codec: str, data: bytes, size: int | None, cap: int) -> Unpacked:
    """Unpack into a buffer of the announced size, or into ever larger ones up to the cap."""
    import cramjam  # noqa: PLC0415 - most readings unpack nothing

    fill = getattr(cramjam, codec).decompress_into
    room = min(cap, FIRST) if size is None else size
    while True:
        buffer = bytearray(room)
        try:
            made = fill(data, buffer)
        except cramjam.DecompressionError as error:
            if str(error) != _FULL:
                return Unpacked(None, f"not valid {codec}")
            if size is not None or room == cap:
                return Unpacked(None, over(room))
            room = min(cap, room * 8)
        else:
            return _compared(bytes(memoryview(buffer)[:made]), size)


_FULL = "failed to write whole buffer"
"""What cramjam says when the buffer is full."""


def _compared(data: bytes, size: int | None) -> Unpacked:
    if size is not None and len(data) != size:
        return Unpacked(data, f"{size} unpacked bytes announced, {len(data)} present")
    return Unpacked(data)


def unmask(data: bytes, key: bytes) -> bytes:
    """Remove or apply the mask of a WebSocket payload (RFC 6455, 5.3)."""
    if not data:
        return b""
    repeated = (key * (len(data) // 4 + 1))[: len(data)]
    whole = int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")
    return whole.to_bytes(len(data), "big")


class Inflater:
    """One side's compressed messages of a WebSocket, with the window that they share.

    `takeover` is False where the upgrade said `..._no_context_takeover`: each message has a window
    of its own. Whatever size of window was agreed, the largest reads it.
    """

    def __init__(self, *, takeover: bool = True) -> None:
        self.takeover = takeover
        self.whole = True
        """False once bytes that a later message may refer to are not known.

        Such a message is a problem; others are read all the same.
        """
        self._begin()

    def __getstate__(self) -> tuple[bool, bool, bytes]:
        """Return the state between two messages."""
        return self.takeover, self.whole, self._window

    def __setstate__(self, state: tuple[bool, bool, bytes]) -> None:
        """Continue from a state between two messages."""
        self.takeover, self.whole, window = state
        self._begin(window)

    def lose(self) -> None:
        """Messages are missing here."""
        self.whole = not self.takeover
        self._begin()

    def message(self, data: bytes, cap: int) -> Unpacked:
        """Inflate one whole message, at most `cap` bytes of it."""
        if not self.takeover:
            self._begin()
        try:
            made = self._inflated(data + END, cap + 1)
        except zlib.error:
            self.lose()
            return Unpacked(None, "not valid deflate")
        if len(made) > cap:
            self.lose()
            return Unpacked(None, over(cap))
        return Unpacked(made)

    def _begin(self, window: bytes = b"") -> None:
        self._window = window
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS, zdict=window)

    def _inflated(self, data: bytes, most: int) -> bytes:
        """Inflate one message; it may contain a last block (RFC 7692, 7.2.3.4)."""
        out = b""
        for _ in range(LAST_BLOCKS):
            made = self._stream.decompress(data, most - len(out))
            out += made
            window = (self._window + made)[-WINDOW:]
            if not self._stream.eof:
                self._window = window
                return out
            data = self._stream.unused_data
            self._begin(window)
            if len(data) <= len(END) or len(out) >= most:
                return out
        raise zlib.error


def may_be_deflate(data: bytes) -> bool:
    """Whether the start of a message may be deflated, perhaps referring to what is not there.

    >>> may_be_deflate(bytes.fromhex("f200110000")), may_be_deflate(b"plain text")
    (True, False)
    """
    try:
        zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, FIRST)
    except zlib.error as error:
        return "too far back" in str(error)
    return True


class HeaderBlock(NamedTuple):
    """The headers of one HPACK block."""

    headers: list[tuple[str, str]]
    """In their order, names in lower case; text that is not UTF-8 is read as Latin-1."""
    problem: str | None = None
    whole: bool = True
    """False where some headers refer to what is not known; they are left out."""


class HeaderTable:
    """One direction's header compression (HPACK, RFC 7541), watched from outside.

    Where a capture begins in the middle of a connection, or lost bytes, entries of the table are
    not known (`lose`): headers that refer to them are left out. Entries are counted from the newest
    one, so all that is sent later is read as it is meant.
    """

    def __init__(self, most: int = 64 * 1024) -> None:
        import hpack  # noqa: PLC0415 - only captures with HTTP/2 need it

        self._decoder: Any = hpack.Decoder(max_header_list_size=most)
        self._decoder.max_allowed_table_size = most
        self._error: type[Exception] = hpack.HPACKError
        self._most = most

    def __getstate__(self) -> tuple[int, bool, Any]:
        """Return the state between two header blocks."""
        decoder = copy.copy(self._decoder)
        decoder.header_table = copy.copy(decoder.header_table)
        is_lost = vars(decoder.header_table).pop("get_by_index", None) is not None
        return self._most, is_lost, decoder

    def __setstate__(self, state: tuple[int, bool, Any]) -> None:
        """Continue from a state between two header blocks."""
        most, is_lost, decoder = state
        HeaderTable.__init__(self, most)
        self._decoder = decoder
        if is_lost:
            self.lose()

    def lose(self) -> None:
        """Entries may be missing from here on: the base of older indexes is unknown."""
        table = self._decoder.header_table
        table.maxsize, most_size = 0, table.maxsize  # lets go of all that it has
        table.maxsize = most_size
        known, most = type(table).get_by_index, self._most // 32
        error = self._error

        def get_by_index(index: int) -> tuple[bytes, bytes]:
            try:
                return known(table, index)  # type: ignore[no-any-return]
            except error:
                if not 0 < index <= most:
                    raise
                return _MISSING

        table.get_by_index = get_by_index

    def block(self, data: bytes) -> HeaderBlock:
        """Decode a whole block: HEADERS or PUSH_PROMISE and their CONTINUATIONs."""
        try:
            found = self._decoder.decode(data, raw=True)
        except (self._error, IndexError) as error:
            return HeaderBlock([], f"header block: {error}")
        known = [(_latin(name), _latin(value)) for name, value in found if name != _MISSING[0]]
        return HeaderBlock(known, whole=len(known) == len(found))


_MISSING = b"", b""
"""An entry that is not known; no header has an empty name."""


def _latin(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
