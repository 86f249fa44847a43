"""The payload of a slot as lines of a tree: sections, maps and lists, one below another.

Generated text, such as the name of the format and the size, is in brackets.
"""

from typing import Final, NamedTuple

from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, SlotBytes
from streamshark.views.colour import Palette
from streamshark.views.display_options import Value
from streamshark.views.escaping import printable, quoted
from streamshark.views.payload_json import INSIDE, MOST_LAYERS, finite

STEP: Final = "    "
LONGEST: Final = 1024
"""Most characters of a text, and hex digits of bytes."""
HEADS: Final = ("section", "key", "descriptor")
"""Members that name a pair, whose other member is `value`."""


class ShownSlot(NamedTuple):
    """The lines that show a slot."""

    text: str
    """Text after the slot's name."""
    lines: list[str]
    """Lines below it, not yet indented."""


class PayloadTree:
    """A writer of decoded payloads; `mode` is one of `display_options.BODIES`."""

    def __init__(self, layers: PayloadReaders, palette: Palette, mode: str) -> None:
        self.layers = layers
        self.mode = mode
        self._palette = palette

    def summary(self, cell: SlotBytes, size: int) -> str:
        """Return the size of a slot on the wire, and its compression."""
        number = "1 byte" if size == 1 else f"{size} bytes"
        packed = "" if cell.packed == "none" else f", {len(cell.data)} unpacked by {cell.packed}"
        return self._generated(number + packed)

    def shown(self, cell: SlotBytes, size: int) -> ShownSlot | None:
        """Return the lines of the payload in a slot; None if it is shown as bytes."""
        if self.mode == "size":
            return ShownSlot(self.summary(cell, size), [])
        body = None
        if self.mode == "decoded":
            body = self.layers.body(cell.slot, cell.data, said=cell.said)
        if body is None or isinstance(body.reader, EmbeddedRecord):
            return None
        return self._body(body.decoded.value, body.reader.id, size, 1)

    def _body(self, value: Value, name: str, size: int, depth: int) -> ShownSlot:
        number = "1 byte" if size == 1 else f"{size} bytes"
        note = self._generated(f"{name}, {number}")
        if isinstance(value, dict | list):
            return ShownSlot(
                note if value else f"{_empty(value)} {note}", self._inside(value, depth)
            )
        return ShownSlot(f"{self._scalar(value)} {note}", [])

    def _inside(self, value: Value, depth: int) -> list[str]:
        """Return the lines of the members or items of a value."""
        if isinstance(value, dict):
            return [line for name, each in value.items() for line in self._named(name, each, depth)]
        out = []
        for index, each in enumerate(value):
            head = _head(each)
            name = f"[{index}]" if head is None else self._scalar(each[head])
            out += self._named(name, each if head is None else each["value"], depth)
        return out

    def _named(self, name: str, value: Value, depth: int) -> list[str]:
        """Return `name: value`, and the lines of nested values below it."""
        painted = self._palette.paint("name", printable(name))
        if isinstance(value, bytes):
            text, below = self._bytes(value, depth)
        elif isinstance(value, dict | list):
            text = "" if value else _empty(value)
            below = self._inside(value, depth)
        else:
            text, below = self._scalar(value), []
        return [f"{painted}: {text}".rstrip(), *(STEP + line for line in below)]

    def _bytes(self, data: bytes, depth: int) -> ShownSlot:
        """Return bytes inside a payload: a nested payload, or hex."""
        body = self.layers.body(INSIDE, data) if depth < MOST_LAYERS else None
        if body is not None:
            return self._body(body.decoded.value, body.reader.id, len(data), depth + 1)
        if not data:
            return ShownSlot(self._generated("empty"), [])
        more = "..." if len(data) > LONGEST // 4 else ""
        number = "1 byte" if len(data) == 1 else f"{len(data)} bytes"
        return ShownSlot(f"{data[: LONGEST // 4].hex()}{more} {self._generated(number)}", [])

    def _scalar(self, value: Value) -> str:
        match value:
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case str():
                return printable(value) if value and value.isprintable() else quoted(value, LONGEST)
            case float():
                return str(finite(value))
            case _:
                return str(value)

    def _generated(self, text: str) -> str:
        return self._palette.paint("generated", f"[{text}]")


def _empty(value: Value) -> str:
    """Return the text of an empty map or list."""
    return "{}" if isinstance(value, dict) else "[]"


def _head(value: Value) -> str | None:
    """Return the member that names a pair; None if the value is not a pair."""
    if isinstance(value, dict) and len(value) == len(("head", "value")) and "value" in value:
        for name in HEADS:
            if name in value and not isinstance(value[name], dict | list | bytes):
                return name
    return None
