"""Replace the values in bodies: types, lengths and punctuation stay, so readers read them alike."""

import json
import re
from collections.abc import Callable
from typing import Final

from streamshark.decoding.payloads import Format, Leaf, LeafKind
from streamshark.sharing.redaction_text import Replacements

_UNIT: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]|\\",
    re.DOTALL,
)
"""One character of a string of JSON as it is written."""
_CONSTANTS: Final = frozenset({"true", "false", "null"})


class BodyRedaction:
    """The replacements of values in bodies.

    Args:
        replacements: Those of the key.
        members: Names and values of the protocols' own JSON that stay.
        is_blank: Whether values become letters X: what is packed then stays small.
    """

    def __init__(
        self, replacements: Replacements, members: frozenset[str], *, is_blank: bool = False
    ) -> None:
        self._replacements = replacements
        self._members = members
        self._is_blank = is_blank

    def opaque(self, data: bytes) -> bytes:
        """Return other bytes for some of which the parts have no meaning."""
        if self._is_blank:
            return re.sub(rb"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]", b"X", data)
        return self._replacements.opaque(data)

    def of_format(self, reader: Format, data: bytes, *, is_control: bool) -> bytes:
        """Return a body of a format with other values.

        `is_control`: a protocol's own, whose numbers and words stay, and whose texts are names.
        """
        leaves = reader.leaves(data) if reader.leaves is not None else None
        if leaves is None:
            return self.opaque(data)
        out = bytearray(data)
        for leaf in leaves:
            out[leaf.start : leaf.end] = self._leaf(leaf, data, is_control=is_control)
        return bytes(out)

    def _leaf(self, leaf: Leaf, data: bytes, *, is_control: bool) -> bytes:
        part = data[leaf.start : leaf.end]
        match leaf.kind:
            case LeafKind.QUOTED:
                change = self.control_text if is_control else self._quoted
                return respelled(part, change)
            case LeafKind.NUMBER:
                return part if is_control else self._replacements.numbers(part)
            case LeafKind.DECIMAL:
                return part if is_control else self._replacements.digits(part.decode()).encode()
        if leaf.kind is LeafKind.TEXT and is_control:
            return names_in(part, self.control_text)
        return self.opaque(part)

    def control_text(self, text: str) -> str:
        """Return a text of a protocol's own JSON: its words stay, names are replaced."""
        if text in self._members:
            return text
        if " " in text.strip():
            return self._replacements.sentence(text)
        return self._replacements.names(text)

    def _quoted(self, text: str) -> str:
        return self.opaque(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def names_in(data: bytes, change: Callable[[str], str]) -> bytes:
    """Return text in UTF-8 changed; bytes that are none stay as many."""
    made = change(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    return made if len(made) == len(data) else b"X" * len(data)


def respelled(data: bytes, change: Callable[[str], str]) -> bytes:
    r"""Return the inside of a string of JSON changed, each character written in as many bytes.

    >>> respelled(rb"a\\u00e9\\n", lambda text: text.replace("a", "b"))
    b'b\\\\u00e9\\\\n'
    """
    written = data.decode("utf-8", "surrogateescape")
    if "\\" not in written:
        return names_in(data, change)
    units = _UNIT.findall(written)
    plain = [_plain(each) for each in units]
    made = change("".join(plain))
    if len(made) != len(plain):
        return b"X" * len(data)
    out = (
        unit if old == new else _spelled(unit, new)
        for unit, old, new in zip(units, plain, made, strict=True)
    )
    found = "".join(out).encode("utf-8", "surrogateescape")
    return found if len(found) == len(data) else b"X" * len(data)


def _plain(unit: str) -> str:
    """Return the character that is written so."""
    if len(unit) == 1:
        return unit
    try:
        plain: str = json.loads(f'"{unit}"')
    except ValueError:
        return "\\"
    return plain if len(plain) == 1 else "\\"


def _spelled(unit: str, character: str) -> str:
    """Write a character in the way another was written."""
    if len(unit) == 1:
        return character
    if len(unit) == 2:  # noqa: PLR2004 - a backslash and a letter
        return unit
    code = ord(character)
    if len(unit) == 6:  # noqa: PLR2004 - \uXXXX
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
