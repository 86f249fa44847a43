"""Texts that a program did not mean to send: unset variables, objects as text, double encodings.

Each function says what a text is in words that follow "is"; empty if nothing is wrong with it.
"""

import base64
import json
import re
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 64 * 1024
"""Most bytes of which the content is judged."""
_SHORT: Final = 512
"""Most characters of a text that an object is turned into."""
_UNSET: Final = frozenset({"null", "undefined", "None", "nil", "NaN", "(null)", "<nil>", "<null>"})
_PLACEHOLDER: Final = re.compile(
    r"\$\{[^{}]*\}|\{\{[^{}]*\}\}|\{\w*\}|%\(\w+\)[sd]|%[sdv](?!\w)|<no value>"
)
_OBJECTS: Final = (
    (re.compile(r"\[object [A-Z]\w*\]"), "a JavaScript object"),
    (re.compile(r"(?:[a-z_]\w*\.)+[A-Z][\w$]*(?:\[\])?@[0-9a-f]{3,8}"), "a Java object"),
    (re.compile(r"\[(?:[BCDFIJSZ]|L[\w.$]+;)@[0-9a-f]{3,8}"), "a Java array"),
    (re.compile(r"<[\w. ]+ (?:object )?at 0x[0-9a-fA-F]+>"), "a Python object"),
    (re.compile(r"b'(?:[^'\\]|\\.)*'|b\"(?:[^\"\\]|\\.)*\"", re.DOTALL), "Python's bytes"),
    (re.compile(r"\{'[^']*': .*\}", re.DOTALL), "a Python dictionary"),
    (re.compile(r"#<[A-Z][\w:]*(?::0x[0-9a-f]+.*)?>", re.DOTALL), "a Ruby object"),
    (re.compile(r"System\.(?:\w+\.)*\w+(?:\[\]|`\d\[.*\])", re.DOTALL), ".NET's name of a type"),
    (re.compile(r".*%!\w\((?:MISSING|NOVERB|EXTRA|\w+=).*", re.DOTALL), "a format error of Go"),
)
"""What languages turn an object into that has no text of its own."""
_TWICE: Final = re.compile(
    "[\u00c2\u00c3][\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160"
    "\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153"
    "\u017e\u0178]|\u00e2\u20ac[\u0080-\u00bf\u2122\u0153\u009d\u201c\u201d\u02dc\u00a6]"
)
"""A character of UTF-8 that was read as Windows-1252 or Latin-1, and encoded again."""
_JSON_IN_TEXT: Final = re.compile(rb'\s*"\s*[{\[]')


def mistaken_name(name: str | None) -> str:
    """Return what a name is that no program would choose.

    >>> mistaken_name("undefined"), mistaken_name("orders"), mistaken_name(" orders")
    ('the text of an unset variable', '', 'a name with white space at an end')
    """
    if not name:
        return ""
    if name in _UNSET:
        return "the text of an unset variable"
    if name != name.strip():
        return "a name with white space at an end"
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "'\"":  # noqa: PLR2004
        return "a name in quotation marks"
    if found := _PLACEHOLDER.search(name):
        return f"a name with the placeholder {found[0]}"
    return _object(name)


def first_mistaken_name(names: Iterable[object]) -> str:
    """Return the first text that is a name which no program would choose, and what it is.

    >>> first_mistaken_name(["orders", None, "undefined"])
    "'undefined', the text of an unset variable"
    """
    found = ((each, mistaken_name(each)) for each in names if isinstance(each, str))
    return next((f"{name!r}, {what}" for name, what in found if what), "")


def _object(text: str) -> str:
    """Return which language has turned an object into this text."""
    if len(text) > _SHORT:
        return ""
    found = next((what for pattern, what in _OBJECTS if pattern.fullmatch(text)), "")
    return f"the text of {found}" if found else ""


def mistaken_content(data: bytes) -> str:
    r"""Return what a content is that was converted once too often, or not at all.

    >>> mistaken_content(b"[object Object]"), mistaken_content(b'{"a": 1}')
    ('the text of a JavaScript object', '')
    >>> mistaken_content(b'"{\\"a\\": 1}"')
    'JSON that was encoded as JSON twice'
    """
    if not data or len(data) > LONGEST:
        return ""
    if _JSON_IN_TEXT.match(data) and _is_json_in_json(data):
        return "JSON that was encoded as JSON twice"
    return wide_text(data) or _mistaken_text(data) or _no_json(data)


def _no_json(data: bytes) -> str:
    r"""Return what of a text that looks like JSON is not in JSON.

    >>> _no_json(b'{"price": NaN}'), _no_json(b'{"name": "NaN, Infinity"}')
    ('JSON with NaN, which is no value of JSON', '')
    """
    if data.startswith(_MARK) and data[len(_MARK) :].lstrip()[:1] in (b"{", b"["):
        return "JSON after a byte order mark, which JSON does not have"
    if data[:1] not in (b"{", b"[") or not (b"NaN" in data or b"Infinity" in data):
        return ""
    found = _NO_NUMBER.search(_QUOTED.sub(b'""', data))
    return f"JSON with {found[1].decode()}, which is no value of JSON" if found else ""


_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark in UTF-8."""
_NO_NUMBER: Final = re.compile(rb"[:\[,]\s*(NaN|-?Infinity)\s*[,\]}]")
_QUOTED: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')


def _mistaken_text(data: bytes) -> str:
    """Return what a text is that was converted once too often, or not at all."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    if text in _UNSET and text not in ("null", "None"):
        return "the text of an unset variable"
    if not text.isascii() and len(_TWICE.findall(text)) > 1:
        return "text that was encoded as UTF-8 twice"
    return _object(text.strip())


def wide_text(data: bytes) -> str:
    """Return the encoding of text that is not UTF-8: each other byte of it is zero.

    >>> wide_text("order 7".encode("utf-16-le")), wide_text(b"order 7")
    ('text in UTF-16', '')
    """
    bare = data.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")[:_WIDE]
    if len(bare) < _FEWEST or len(data) % 2 or b"\0" not in bare[:2]:
        return ""
    letters, zeros = (bare[::2], bare[1::2]) if bare[1] == 0 else (bare[1::2], bare[::2])
    plain = [letter for letter, zero in zip(letters, zeros, strict=False) if zero == 0]
    is_text = all(chr(each).isprintable() or chr(each).isspace() for each in plain)
    return "text in UTF-16" if is_text and len(plain) * 4 >= len(letters) * 3 else ""


_WIDE: Final = 64
"""Bytes that are enough to recognise an encoding."""
_FEWEST: Final = 8
"""Fewest bytes of such a text: numbers of two bytes may look like less."""


def text_of_bytes(data: bytes) -> str:
    """Return what a text is that stands for bytes which could have been sent as they are.

    Only if these bytes are JSON, or begin as a compressed format does: other texts may be ids.

    >>> text_of_bytes(b"eyJvcmRlciI6IDd9"), text_of_bytes(b"7b226964223a377d")
    ('JSON in Base64', 'JSON in hexadecimal digits')
    >>> text_of_bytes(b"orders"), text_of_bytes(b"0123456789abcdef")
    ('', '')
    """
    bare = data.strip()
    if not _SHORTEST <= len(bare) <= LONGEST:
        return ""
    if len(bare) % 2 == 0 and _HEX.fullmatch(bare):
        found = _format(bytes.fromhex(bare.decode()))
        return f"{found} in hexadecimal digits" if found else ""
    if len(bare) % 4 == 0 and _BASE64.fullmatch(bare):
        found = _format(base64.b64decode(bare))
        return f"{found} in Base64" if found else ""
    return ""


_SHORTEST: Final = 12
"""Fewest characters of a text that stands for bytes."""
_HEX: Final = re.compile(rb"[0-9a-f]+|[0-9A-F]+")
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_FORMATS: Final = {
    b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "Zstandard", b"\x04\x22\x4d\x18": "LZ4",
    b"\x89PNG\r\n": "PNG", b"%PDF-": "PDF", b"Obj\x01": "Avro",
}  # fmt: skip
"""What formats begin with."""


def _format(data: bytes) -> str:
    """Return the format of bytes, if it is certain."""
    if data[:1] in (b"{", b"["):
        try:
            return "JSON" if isinstance(json.loads(data), (dict, list)) else ""
        except (ValueError, RecursionError):
            return ""
    return next((name for mark, name in _FORMATS.items() if data.startswith(mark)), "")


def _is_json_in_json(data: bytes) -> bool:
    """Return whether data is a JSON string that holds a JSON object or list."""
    try:
        inner = json.loads(data)
        return isinstance(inner, str) and isinstance(json.loads(inner), (dict, list))
    except (ValueError, RecursionError):
        return False
