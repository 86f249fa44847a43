"""Replace names and text by others of the same length, the key deciding which.

A name is cut into words: runs of letters and digits. A word is replaced by one of the same
characters' classes, always by the same one, wherever it is: in a name, an address, a subject, a
sentence. What is between words stays, and so does what the protocols' syntax names. A text that is
no name (a body, a secret) is replaced as a whole: equal texts by equal ones.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

from streamshark.schema.syntax import Syntax
from streamshark.sharing.redaction_addresses import IPV4_TEXT, IPV6_TEXT, Addresses
from streamshark.sharing.redaction_ciphers import Permutations

KEPT_DIGITS: Final = 3
"""Most digits of a number that stays in a name: of a partition, a port's end, a version."""
LONGEST_WORD: Final = 64
"""Most characters of a word that is replaced by one that no other word has."""
SHORT: Final = 16
"""Most characters of a body whose words are replaced one by one, so that different ones differ."""
FILL: Final = 0x58
"""Byte in place of one that nothing decodes: X."""
_WORD: Final = r"[0-9A-Za-z\u0080-\ud7ff\ue000-\U0010ffff]+"
_PIECE: Final = re.compile(
    rf"(?P<percent>%[0-9A-Fa-f]{{2}})|(?P<four>{IPV4_TEXT.pattern})|(?P<six>{IPV6_TEXT.pattern})"
    rf"|(?P<word>{_WORD})|(?P<broken>[\ud800-\udfff])"
)
_HEX: Final = re.compile("[0-9a-f]+")
_LEAST_HEX: Final = 4
"""Digits of a number in hexadecimal that stays one, as of a UUID."""
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|“[^”]*”")
_STAY: Final = frozenset({"localhost"})
_PORT: Final = re.compile(r"(?<=[\w\]]):(\d{1,5})(?![\w@.:])")
_SCHEME: Final = re.compile(
    r"(?<![\w-])(?:https?|wss?|tcp|tls|amqps?|nats|rsocket|pravega|rabbitmq-stream(?:\+tls)?)(?=://)"
)
_RANGES: Final = (
    ("a", "z"), ("0", "9"), ("\u0080", "\u07ff"), ("\u0800", "\ud7ff"), ("\ue000", "\uffff"),
    ("\U00010000", "\U0010ffff"),
)  # fmt: skip
_CLASSES: Final = tuple((ord(first), ord(last) - ord(first) + 1) for first, last in _RANGES)
_MOST_KNOWN: Final = 65_536
_BLANKS: Final = bytes(each if each in b" \t\r\n" else FILL for each in range(256))


class Replacements:
    """The replacements of one key.

    Args:
        key: The key.
        syntax: The words of the known protocols.
        keeps_addresses: Whether addresses in text stay.
    """

    def __init__(
        self, key: bytes, syntax: Iterable[Syntax] = (), *, keeps_addresses: bool = False
    ) -> None:
        self._permutations = Permutations(key)
        self.addresses = Addresses(self._permutations)
        self._keeps_addresses = keeps_addresses
        syntaxes = tuple(syntax)
        own = [each.names for each in syntaxes if each.names is not None]
        self._patterns = [_PORT, _SCHEME, *own]
        self._sentences = frozenset().union(*(each.words for each in syntaxes))
        self.word: Callable[[str], str] = lru_cache(_MOST_KNOWN)(self._word)
        """Returns the replacement of a word."""
        self.seen: set[str] = set()
        """Words of names that were replaced, in lower case; bounded."""

    # Names

    def names(self, text: str, stays: frozenset[str] = frozenset()) -> str:
        """Return a text with every word replaced, but for short numbers and the syntax."""
        return self._replaced(text, lambda word: self._named(word, stays))

    def values(self, text: str) -> str:
        """Return a text with every word replaced, short numbers too."""
        return self._replaced(text, self.word)

    def sentence(self, text: str) -> str:
        """Return a text for people: known words stay, if they are not quoted and no names."""
        quoted = [each.span() for each in _QUOTED.finditer(text)]

        def replaced(word: str, at: int) -> str:
            plain = word.lower()
            if any(start < at < end for start, end in quoted):
                return self._named(word, frozenset())
            is_plain = plain in self._sentences and plain not in self.seen
            return word if is_plain or _is_short_number(word) else self.word(word)

        return self._placed(text, replaced)

    def _named(self, word: str, stays: frozenset[str]) -> str:
        plain = word.lower()
        if plain in _STAY or plain in stays or _is_short_number(word):
            return word
        if len(self.seen) < _MOST_KNOWN:
            self.seen.add(plain)
        return self.word(word)

    def _replaced(self, text: str, replace: Callable[[str], str]) -> str:
        return self._placed(text, lambda word, _at: replace(word))

    def _placed(self, text: str, replace: Callable[[str, int], str]) -> str:
        """Return a text with its words and addresses replaced; `replace` is given their places."""
        kept = sorted(self._kept(text))
        out: list[str] = []
        at = 0
        for start, end in [*kept, (len(text), len(text))]:
            if start >= at:
                out += self._pieces(text, at, start, replace)
                out.append(text[start:end])
            at = max(at, end)
        return "".join(out)

    def _pieces(
        self, text: str, start: int, end: int, replace: Callable[[str, int], str]
    ) -> Iterator[str]:
        at = start
        for found in _PIECE.finditer(text, start, end):
            yield text[at : found.start()]
            yield self._piece(found, replace)
            at = found.end()
        yield text[at:end]

    def _piece(self, found: re.Match[str], replace: Callable[[str, int], str]) -> str:
        piece = found[0]
        match found.lastgroup:
            case "percent":
                return _percent(piece)
            case "broken":
                return "\udcff"
            case "four" | "six":
                made = self.address(piece)
                return made if made is not None else self._words(piece, found.start(), replace)
        return replace(piece, found.start())

    def address(self, text: str) -> str | None:
        """Return the replacement of an address in text; None for what is none."""
        if self._keeps_addresses:
            return text
        return self.addresses.ipv4_text(text) or self.addresses.ipv6_text(text)

    @staticmethod
    def _words(text: str, at: int, replace: Callable[[str, int], str]) -> str:
        return re.sub(_WORD, lambda found: replace(found[0], at + found.start()), text)

    def _kept(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the places of what the protocols' syntax keeps."""
        for pattern in self._patterns:
            for found in pattern.finditer(text):
                if not pattern.groups:
                    yield found.span()
                for group in range(1, pattern.groups + 1):
                    if found[group] is not None:
                        yield found.span(group)

    def _word(self, word: str) -> str:
        """Return the replacement of a word: its letters in lower case decide, their case stays."""
        plain = word.lower()
        if len(plain) != len(word) or not all(map(_same_case, word, plain)):
            plain = word  # letters beyond ASCII whose lower case is of another size
        if len(word) > LONGEST_WORD:
            return self._hashed(word, plain.encode("utf-8", "surrogatepass"))
        is_hex = _is_hexadecimal(plain)
        made = plain
        while True:
            made = self._permuted_hex(made) if is_hex else self._permuted(made)
            if _is_hexadecimal(made) == is_hex:
                return "".join(
                    new.upper() if "A" <= old <= "Z" else new
                    for old, new in zip(word, made, strict=True)
                )

    def _permuted(self, plain: str) -> str:
        """Return another word of the same classes of characters."""
        classes = [_class_of(each) for each in plain]
        number, total = 0, 1
        for each, (first, size) in zip(plain, classes, strict=True):
            number = number * size + ord(each) - first
            total *= size
        purpose = b"word " + bytes(size % 251 for _, size in classes)
        number = self._permutations.of(number, total, purpose)
        out = []
        for first, size in reversed(classes):
            number, digit = divmod(number, size)
            out.append(chr(first + digit))
        return "".join(reversed(out))

    def _permuted_hex(self, plain: str) -> str:
        """Return another number in hexadecimal of as many digits."""
        number = self._permutations.of(int(plain, 16), 16 ** len(plain), b"hex")
        return f"{number:x}".rjust(len(plain), "0")

    # Texts and bytes that are no names

    def opaque(self, data: bytes) -> bytes:
        """Return bytes of the same length and the same classes of characters."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return self._bytes(data)
        if len(text) <= SHORT:
            return re.sub(_WORD, lambda found: self.word(found[0]), text).encode()
        return self._hashed(text, data).encode()

    def letters(self, data: bytes) -> bytes:
        """Return as many letters as bytes; equal bytes give equal ones."""
        stream = self._permutations.stream(data, len(data), b"letters")
        return bytes(0x61 + each % 26 for each in stream)

    def numbers(self, data: bytes) -> bytes:
        """Return a binary number of the same size and magnitude."""
        front = len(data) - len(data.lstrip(data[:1])) if data[:1] in (b"\0", b"\xff") else 0
        rest = data[front:]
        if not rest:
            return data
        stream = self._permutations.stream(data, len(rest), b"number")
        made = bytearray((old + 1 + new % 254) % 256 for old, new in zip(rest, stream, strict=True))
        if front or rest[0] & 0x80 != made[0] & 0x80:
            made[0] = made[0] & 0x7F | rest[0] & 0x80
        if made[0] in (0, 0xFF):
            made[0] ^= 1
        return data[:front] + bytes(made)

    def varint(self, data: bytes) -> bytes:
        """Return another number in base 128 of as many bytes."""
        stream = self._permutations.stream(data, len(data), b"varint")
        made = bytearray(
            old & 0x80 | (old + 1 + new % 127) & 0x7F for old, new in zip(data, stream, strict=True)
        )
        if len(made) > 1 and not made[-1]:
            made[-1] = 1
        return bytes(made)

    def digits(self, text: str) -> str:
        """Return a decimal number of as many digits."""
        stream = self._permutations.stream(text.encode(), len(text), b"digits")
        out, leads = [], True
        for old, new in zip(text, stream, strict=True):
            if old.isdigit():
                least = 1 if leads and old != "0" else 0
                out.append(str(least + (int(old) - least + 1 + new % (9 - least)) % (10 - least)))
                if leads and old == "0":
                    out[-1] = old
                leads = False
            else:
                out.append(old)
        return "".join(out)

    def _hashed(self, text: str, data: bytes) -> str:
        """Return a text whose characters follow from all of it."""
        stream = self._permutations.stream(data, 4 * len(text), b"text")
        out = []
        for at, old in enumerate(text):
            plain = _lower(old)
            if not (plain.isascii() and plain.isalnum()) and plain < "\u0080":
                out.append(old)
                continue
            first, size = _class_of(plain)
            step = int.from_bytes(stream[4 * at : 4 * at + 4], "big") % (size - 1) + 1
            new = chr(first + (ord(plain) - first + step) % size)
            out.append(new.upper() if "A" <= old <= "Z" else new)
        return "".join(out)

    def _bytes(self, data: bytes) -> bytes:
        stream = self._permutations.stream(data, len(data), b"bytes")
        return bytes((old + 1 + new % 255) % 256 for old, new in zip(data, stream, strict=True))


def blanked(data: bytes) -> bytes:
    r"""Return bytes that say nothing; blanks and ends of lines stay.

    >>> blanked(b"ab\r\n")
    b'XX\r\n'
    """
    return data.translate(_BLANKS)


def _lower(character: str) -> str:
    return character.lower() if "A" <= character <= "Z" else character


def _same_case(one: str, lower: str) -> bool:
    return lower == _lower(one)


def _class_of(character: str) -> tuple[int, int]:
    """Return the first character of the class of one, and how many the class has."""
    code = ord(character)
    for first, size in _CLASSES:
        if first <= code < first + size:
            return first, size
    return code, 1


def _is_hexadecimal(word: str) -> bool:
    """Return whether a word in lower case looks like a number in hexadecimal."""
    return (
        len(word) >= _LEAST_HEX
        and _HEX.fullmatch(word) is not None
        and not (word.isdigit() or word.isalpha())
    )


def _is_short_number(word: str) -> bool:
    return len(word) <= KEPT_DIGITS and word.isascii() and word.isdigit()


def _percent(piece: str) -> str:
    """Return an escape of a URL: punctuation stays, other characters become X."""
    code = int(piece[1:], 16)
    return piece if code < 0x80 and not chr(code).isalnum() else "%58"  # noqa: PLR2004 - ASCII
