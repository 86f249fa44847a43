r"""Escapes text from the wire, so that it is safe to show.

Text from a peer may contain control characters, terminal sequences and marks that change the
writing direction. None of them reaches an output: text shows them as `\n`, `\x1b` or `\u202e`,
JSON as `\u` escapes. Letters of any script stay as they are.
"""

import re

SHORTEST = 16
"""Least number of characters to which a text is cut."""

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_BARE = re.compile(r"[^\s\"'\\=,\[\]]+")
"""Text that needs no quotes as an argument of a line."""
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters that do not occur in plain text."""
_UNSAFE_IN_JSON = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Characters that JSON encoders do not escape: C1 controls, invisible marks, tags, surrogates."""


def _escaped(character: str) -> str:
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    if code < 0x100:  # noqa: PLR2004 - two hex digits
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 - four


def printable(text: str) -> str:
    r"""Escape all characters that are not printable; the result is always one line.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def quoted(text: str, most: int = 0) -> str:
    r"""Return the text as one argument of a line, in double quotes if it needs them.

    Texts longer than `most` are cut, and followed by their length; 0 never cuts.

    >>> quoted("orders"), quoted("two words"), quoted("")
    ('orders', '"two words"', '""')
    """
    cut = ""
    if most and len(text) > most:
        cut = f"[{len(text)} characters]"
        text = text[: max(most - len(cut), SHORTEST)]
    if text.isprintable() and _BARE.fullmatch(text):
        return text + cut
    return f'"{_inside(text)}"{cut}'


def readable(data: bytes, most: int) -> str | None:
    r"""Return the start of bytes that are plain text, in quotes; None for other bytes.

    Text with double quotes, such as JSON, is put in single ones. Text is UTF-8 without control
    characters other than tabs and line ends. Only as many bytes as can be shown are inspected; text
    longer than `most` characters is cut, and followed by the number of bytes.

    >>> print(readable(b'{"id": 5}', 60), readable(b"a\nb", 60), readable(b"\xca\xfe", 60))
    '{"id": 5}' "a\nb" None
    """
    head = data[: 4 * most]
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if len(head) == len(data) or error.start < len(head) - 3:
            return None
        text = head[: error.start].decode()
    if not text or _CONTROLS.search(text):
        return None
    cut = "" if len(text) <= most and len(head) == len(data) else f"[{len(data)} bytes]"
    text = text[: max(most - len(cut), SHORTEST)] if cut else text
    quote = "'" if '"' in text and "'" not in text else '"'
    return f"{quote}{_inside(text, quote)}{quote}{cut}"


def _inside(text: str, quote: str = '"') -> str:
    """Escape text for use between these quotes."""
    return "".join(
        each if each.isprintable() and each not in f"{quote}\\" else _in_quotes(each)
        for each in text
    )


def _in_quotes(character: str) -> str:
    return '\\"' if character == '"' else _escaped(character)


def json_safe(text: str) -> str:
    r"""Escape control characters in JSON text as `\u` sequences; the value stays the same."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE_IN_JSON.sub(lambda match: _in_json(match[0]), text)


def _in_json(character: str) -> str:
    """Return the escape of a character: one sequence, or two surrogates beyond four digits."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
