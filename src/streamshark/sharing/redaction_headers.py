"""Replace headers of HTTP: in heads of HTTP/1.1, and in header blocks of HTTP/2.

A string in a header block may be Huffman-coded (RFC 7541, 5.2). Its replacement has as many
characters, so that tables keep their sizes, and takes as many bytes, so that the frame keeps its.
"""

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.schema.secrets import is_secret
from streamshark.sharing.redaction_bodies import names_in
from streamshark.sharing.redaction_frames import FrameRedaction
from streamshark.sharing.redaction_text import blanked

if TYPE_CHECKING:
    from collections.abc import Callable

_HTTP1: Final = {
    "upgrade": "keyword", "connection": "keyword", "sec-websocket-key": "keyword",
    "sec-websocket-accept": "keyword", "sec-websocket-version": "keyword",
    "sec-websocket-extensions": "keyword", "content-length": "keyword", "user-agent": "product",
    "server": "product", "date": "keyword", "cache-control": "keyword", "pragma": "keyword",
    "content-type": "keyword", "transfer-encoding": "keyword", "accept-encoding": "keyword",
    "accept-language": "keyword", "accept": "keyword",
    "host": "host", "origin": "host", "sec-websocket-protocol": "name",
}  # fmt: skip
"""Name of a header to the role of its value."""
_SUBPROTOCOLS: Final = frozenset({"rsocket", "nats", "binary", "text", "v0", "v1"})
_START: Final = re.compile(rb"(?P<method>[A-Z]{3,8} )(?P<target>\S+)(?P<version> HTTP/1\.\d\r?\n)")
_LINE: Final = re.compile(rb"(?P<name>[^:\r\n]+)(?P<colon>:[ \t]*)(?P<value>[^\r\n]*)")
_ALNUM: Final = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_INDEXED, _INCREMENTAL, _SIZE = 0x80, 0x40, 0x20


class HeaderRedaction:
    """The replacements of headers."""

    def __init__(self, frames: FrameRedaction) -> None:
        self._frames = frames

    def name(self, name: bytes) -> bytes:
        """Return the name of a header: known ones stay."""
        plain = name.decode("latin-1").strip().lower()
        if plain.startswith(":") or plain in _HTTP1 or is_secret(plain):
            return name
        if self._frames.role_of(plain) is not None:
            return name
        return names_in(name, self._frames.replacements.names)

    def value(self, name: bytes, value: bytes) -> bytes:
        """Return the value of a header."""
        plain = name.decode("latin-1").strip().lower()
        if is_secret(plain):
            return self._frames.opaque(value)
        role = self._frames.role_of(plain) or _HTTP1.get(plain, "")
        if role in ("keyword", "product") or role in self._frames.policy.keep:
            return value
        change: Callable[[str], str] = self._frames.replacements.names
        if role == "text":
            change = self._frames.replacements.sentence
        if role == "name":
            return names_in(
                value, lambda text: self._frames.replacements.names(text, _SUBPROTOCOLS)
            )
        return names_in(value, change) if role else self._frames.opaque(value)

    def head(self, data: bytes) -> bytes:
        """Return a head of HTTP/1.1: its first line, and its headers."""
        first = _START.match(data)
        if first is not None:
            target = names_in(first["target"], self._frames.replacements.names)
            start, at = first["method"] + target + first["version"], first.end()
        else:
            at = data.find(b"\n") + 1
            start = data[:13] + blanked(data[13:at])  # version and status of an answer
        return start + _LINE.sub(self._line, data[at:])

    def _line(self, found: re.Match[bytes]) -> bytes:
        value = self.value(found["name"], found["value"])
        return self.name(found["name"]) + found["colon"] + value


class _HeaderString(NamedTuple):
    """A string in a header block."""

    text: bytes
    start: int
    """Offset of its bytes, after the length."""
    end: int
    is_coded: bool


class HeaderBlocks:
    """The header blocks of one direction."""

    def __init__(self, headers: HeaderRedaction) -> None:
        import hpack  # noqa: PLC0415 - only captures with HTTP/2 need it

        self._headers = headers
        self._table: Any = hpack.table.HeaderTable()
        self._table.maxsize = 64 * 1024

    def replaced(self, data: bytes) -> bytes:
        """Return a header block with other values; what cannot be read is blanked."""
        out = bytearray(data)
        at = 0
        while at < len(data):
            try:
                at = self._field(data, at, out)
            except (ValueError, IndexError):
                out[at:] = blanked(data[at:])
                break
        return bytes(out)

    def _field(self, data: bytes, at: int, out: bytearray) -> int:
        """Replace one field; return where the next one begins."""
        first = data[at]
        if first & _INDEXED:
            return _integer(data, at, 7)[1]
        if first & (_INDEXED | _INCREMENTAL | _SIZE) == _SIZE:
            return _integer(data, at, 5)[1]
        is_added = bool(first & _INCREMENTAL)
        index, at = _integer(data, at, 6 if is_added else 4)
        if index:
            name = self._name_of(index)
        else:
            part = _string(data, at)
            name, at = part.text, part.end
            _put(out, part, self._headers.name(name))
        part = _string(data, at)
        _put(out, part, self._headers.value(name, part.text))
        if is_added:
            self._table.add(name, part.text)
        return part.end

    def _name_of(self, index: int) -> bytes:
        """Return the name at an index; that of a secret if it is not known."""
        import hpack  # noqa: PLC0415 - as above

        try:
            return bytes(self._table.get_by_index(index)[0])
        except hpack.HPACKError:
            return b"authorization"


def _integer(data: bytes, at: int, bits: int) -> tuple[int, int]:
    """Read an integer; return it and where it ends (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    value = data[at] & most
    at += 1
    if value < most:
        return value, at
    for shift in range(0, 35, 7):
        value += (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:  # noqa: PLR2004 - the last byte
            return value, at
    raise ValueError(value)


def _string(data: bytes, at: int) -> _HeaderString:
    is_coded = bool(data[at] & 0x80)
    size, start = _integer(data, at, 7)
    if start + size > len(data):
        raise ValueError(size)
    text = data[start : start + size]
    return _HeaderString(_decoded(text) if is_coded else text, start, start + size, is_coded)


def _put(out: bytearray, part: _HeaderString, made: bytes) -> None:
    """Write another string of as many characters over one."""
    if not part.is_coded:
        out[part.start : part.end] = made
        return
    size = part.end - part.start
    coded = _Coding.known().fitted(made, size) if made != part.text else None
    if coded is not None:
        out[part.start : part.end] = coded
    elif made != part.text:
        out[part.start : part.end] = _Coding.known().filled(len(part.text), size)


def _decoded(data: bytes) -> bytes:
    from hpack import HPACKError  # noqa: PLC0415 - as above
    from hpack.huffman_table import decode_huffman  # noqa: PLC0415

    try:
        return bytes(decode_huffman(data))
    except HPACKError as error:
        raise ValueError(error) from None


class _Coding:
    """The Huffman code of HPACK."""

    @staticmethod
    @cache
    def known() -> "_Coding":
        """Return the code."""
        return _Coding()

    @cached_property
    def widths(self) -> list[int]:
        """Bits of each character."""
        from hpack.huffman_constants import REQUEST_CODES_LENGTH  # noqa: PLC0415

        return list(REQUEST_CODES_LENGTH)

    def coded(self, text: bytes) -> bytes:
        """Return a coded string."""
        from hpack.huffman import HuffmanEncoder  # noqa: PLC0415
        from hpack.huffman_constants import REQUEST_CODES  # noqa: PLC0415

        return bytes(HuffmanEncoder(REQUEST_CODES, self.widths).encode(text))

    def fitted(self, text: bytes, size: int) -> bytes | None:
        """Return a string coded in so many bytes, with other letters and digits where needed."""
        made = bytearray(text)
        bits = sum(self.widths[each] for each in made)
        for at in range(len(made) - 1, -1, -1):
            off = self._off(bits, size)
            if not off:
                break
            old = made[at]
            if old in _ALNUM:
                made[at] = self._nearest(old, self.widths[old] - off)
                bits += self.widths[made[at]] - self.widths[old]
        return None if self._off(bits, size) else self.coded(bytes(made))

    def filled(self, count: int, size: int) -> bytes:
        """Return so many characters coded in so many bytes, or bytes that are no code."""
        made = self.fitted(b"a" * count, size)
        return made if made is not None else b"\xff" * size

    @staticmethod
    def _off(bits: int, size: int) -> int:
        """Return how many bits are too many (or too few, negative) for so many bytes."""
        if bits > 8 * size:
            return bits - 8 * size
        return min(0, bits - 8 * (size - 1) - 1)

    def _nearest(self, old: int, width: int) -> int:
        """Return the character of the same class whose code is nearest to a width."""
        classes = (b"0123456789", b"abcdefghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        own = next(each for each in classes if old in each)
        own = own[own.index(old) :] + own[: own.index(old)]
        return min(own, key=lambda each: abs(self.widths[each] - width))
