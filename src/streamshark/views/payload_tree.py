"""The payload of a slot as items of a tree: sections, maps and lists, one below another.

A format decodes its values without their positions, so that each item has the range of the payload.
"""

from typing import Final, NamedTuple

from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, SlotBytes
from streamshark.views.display_options import Value
from streamshark.views.escaping import printable, quoted
from streamshark.views.payload_json import INSIDE, MOST_LAYERS, finite
from streamshark.views.tree_items import DataSource, TreeItem
from streamshark.views.tree_nodes import counted

LONGEST: Final = 1024
"""Most characters of a text, and hex digits of bytes."""
HEADS: Final = ("section", "key", "descriptor")
"""Members that name a pair, whose other member is `value`."""


class ByteRange(NamedTuple):
    """Where a payload is."""

    source: DataSource
    start: int
    end: int


class ShownSlot(NamedTuple):
    """What shows a slot."""

    text: str | None
    """Text after the slot's name; None if there is none."""
    note: str
    """Generated text after it."""
    items: list[TreeItem]
    """Items below it."""


class PayloadTree:
    """A writer of decoded payloads; `mode` is one of `display_options.BODIES`."""

    def __init__(self, layers: PayloadReaders, mode: str) -> None:
        self.layers = layers
        self.mode = mode

    def summary(self, cell: SlotBytes, size: int) -> str:
        """Return the size of a slot on the wire, and its compression."""
        packed = "" if cell.packed == "none" else f", {len(cell.data)} unpacked by {cell.packed}"
        return counted(size, "byte") + packed

    def shown(self, cell: SlotBytes, size: int, place: ByteRange) -> ShownSlot | None:
        """Return what shows the payload in a slot; None if it is shown as bytes."""
        if self.mode == "size":
            return ShownSlot(None, self.summary(cell, size), [])
        body = None
        if self.mode == "decoded":
            body = self.layers.body(cell.slot, cell.data, declared=cell.declared)
        if body is None or isinstance(body.reader, EmbeddedRecord):
            return None
        return self._body(body.decoded.value, body.reader.id, size, 1, place)

    def _body(self, value: Value, name: str, size: int, depth: int, place: ByteRange) -> ShownSlot:
        note = f"{name}, {counted(size, 'byte')}"
        if isinstance(value, dict | list):
            text = None if value else _empty(value)
            return ShownSlot(text, note, self._inside(value, depth, place))
        return ShownSlot(self._scalar(value), note, [])

    def _inside(self, value: Value, depth: int, place: ByteRange) -> list[TreeItem]:
        """Return the items of the members or items of a value."""
        if isinstance(value, dict):
            return [self._named(name, each, depth, place) for name, each in value.items()]
        out = []
        for index, each in enumerate(value):
            head = _head(each)
            name = f"[{index}]" if head is None else self._scalar(each[head])
            out.append(self._named(name, each if head is None else each["value"], depth, place))
        return out

    def _named(self, name: str, value: Value, depth: int, place: ByteRange) -> TreeItem:
        """Return the item of a named value, with nested values below it."""
        if isinstance(value, bytes):
            text, note, below = self._bytes(value, depth, place)
        elif isinstance(value, dict | list):
            text, note = None if value else _empty(value), ""
            below = self._inside(value, depth, place)
        else:
            text, note, below = self._scalar(value), "", []
        return TreeItem(
            *place, printable(name), text, note, value=None if below else value, children=below
        )

    def _bytes(self, data: bytes, depth: int, place: ByteRange) -> ShownSlot:
        """Return bytes inside a payload: a nested payload, or hex."""
        body = self.layers.body(INSIDE, data) if depth < MOST_LAYERS else None
        if body is not None:
            return self._body(body.decoded.value, body.reader.id, len(data), depth + 1, place)
        if not data:
            return ShownSlot(None, "empty", [])
        more = "..." if len(data) > LONGEST // 4 else ""
        return ShownSlot(f"{data[: LONGEST // 4].hex()}{more}", counted(len(data), "byte"), [])

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
