"""The payload of a slot as JSON shows it: its size, its bytes, or the decoded value.

A body that a format decodes is `{"format": id, "value": ..., "bytes": n}`; a body that no format
recognises is hex. Bytes inside a decoded value are payloads again: nested text and JSON are decoded
too. An embedded record replaces the slot's bytes, for it consists of fields of its own. Bytes that
may hold a secret, and that no reader has decoded, are masked.

While values are shown, problems are only noted (`malformed`); `PayloadReaders.problems` returns
them.
"""

from collections.abc import Callable
from typing import Final

from streamshark.decoding.payloads import (
    NOTHING,
    Agreed,
    EmbeddedRecord,
    Payload,
    PayloadReaders,
    opened,
    plain_type,
    too_deep,
    veiled,
)
from streamshark.dissection.masking import MaskedRow
from streamshark.dissection.row import FrameRow
from streamshark.fields.reassembled import facts
from streamshark.schema import Problem, Slot, nodes
from streamshark.schema.secrets import is_hidden
from streamshark.views.display_options import MASK, DisplayOptions, Shape, Value
from streamshark.views.reassembly import sizes

INSIDE: Final = ""
"""The slot of bytes inside a decoded value: only formats that fit any slot are tried there."""
MOST_LAYERS: Final = 4
"""Most nested payloads that are decoded; deeper ones stay hex."""
WIDEST: Final = 1 << 53
"""The first integer that is not exact in readers that store numbers as doubles."""

Beside = Callable[[Value, dict[str, Value]], Value]
"""Maps a raw value and its record to the shown value."""


class PayloadJson:
    """A factory of the functions that show slots; without layers payloads stay bytes.

    `shape_of` returns the function that shows the values of a tree: embedded records have one.
    """

    def __init__(
        self,
        showing: DisplayOptions,
        shape_of: Callable[[nodes.Tree], Shape],
        layers: PayloadReaders | None,
    ) -> None:
        self.layers = layers
        self.malformed = False
        """Set when a payload is malformed; callers reset it."""
        self._shape_of = shape_of
        self._showing = showing
        self._agreed: Agreed = NOTHING
        self._piece = 0
        self._depth = 1
        """1, plus the number of enclosing embedded records."""
        self._embedded: dict[str, Shape] = {}

    def see(self, row: FrameRow) -> None:
        """Set the frame whose slots are shown next, for what its connection had negotiated."""
        self._agreed = row.agreed
        self._piece = row.piece

    def whole(self, row: FrameRow) -> dict[str, Value]:
        """Return what the fragments of a frame are reassembled to, at the last one; else empty."""
        out: dict[str, Value] = facts(row)
        if row.whole is None or row.decoder is None:
            return out
        self._piece = 0
        for name, size in sizes(row).items():
            node, part = row.decoder.tree.find(name), row.whole.parts.get(name)
            slot = node.slot if isinstance(node, nodes.BlobNode) else None
            if part is None:
                out[name] = {"bytes": size}
            else:
                out[name] = _kept(part) if slot is None else self.shape(slot)(part)
        return out

    def shape(self, slot: Slot) -> Shape:
        """Return the function that shows the bytes of a slot."""
        if self._showing.bodies == "size":
            return _size
        if slot.agreed is None and not slot.veiled:
            return self.untyped(slot)

        def shaped(value: Value) -> Value:
            if value is None:
                return None
            declared = self._agreed.get(slot.agreed) if slot.agreed else None
            return self.typed(
                slot, value, plain_type(declared) if isinstance(declared, str) else None
            )

        return shaped

    def untyped(self, slot: Slot) -> Shape:
        """Return the function for a slot without secrets whose type is not declared."""
        if self._showing.bodies == "raw":
            return _raw
        if self.layers is None:
            return _kept
        body, name = self.layers.body, slot.name

        def shaped(value: Value) -> Value:
            if value is None:
                return None
            found = None if self._piece else body(name, as_bytes(value))
            if found is None or too_deep(found, self._depth):
                return _kept(value)
            return self.shown(found, 1)

        return shaped

    def typed(self, slot: Slot, value: str | bytes, declared: str | None) -> Value:
        """Show the bytes of a slot; `declared` is their declared type, None if unknown."""
        found = None
        if self.layers is not None and self._showing.bodies == "decoded" and not self._piece:
            found = self.layers.body(slot.name, as_bytes(value), declared=declared)
        if found is not None and not too_deep(found, self._depth):
            return self.shown(found, 1)
        if value and veiled(slot, declared) and not self._showing.secrets:
            return MASK
        return _raw(value) if self._showing.bodies == "raw" else _kept(value)

    def beside(self, node: nodes.BlobNode) -> Beside:
        """Return the function for a slot whose type or compression is in other members."""
        slot, layers = node.slot, self.layers
        plain = self.shape(slot) if slot else _kept
        if self._showing.bodies == "size" or slot is None:
            return lambda value, _record: plain(value)
        if node.codec is None:
            return lambda value, record: self.typed(
                slot, value, opened(node, record, self._agreed).declared
            )
        if self._showing.bodies != "decoded" or layers is None:
            return lambda value, _record: plain(value)
        name = slot.name

        def shaped(value: Value, record: dict[str, Value]) -> Value:
            cell = opened(node, record, self._agreed)
            if cell.problem is not None:
                self.malformed = True
                if cell.unpacked is None:
                    return _kept(value)
            found = layers.body(name, cell.data, declared=cell.declared)
            if found is None or too_deep(found, self._depth):
                return _kept(value)
            held = found.decoded.value
            if cell.holds is not None and isinstance(held, list) and len(held) != cell.holds:
                self.malformed = True
            return self.shown(found, 1)

        return shaped

    def shown(self, body: Payload, depth: int) -> Value:
        """Return a decoded payload and what is in it."""
        value, problems = body.decoded
        if problems:
            self.malformed = True
        reader = body.reader
        if isinstance(reader, EmbeddedRecord):
            return self.record(reader, value)
        return {"format": reader.id, "value": self.plain(value, depth), "bytes": len(body.data)}

    def record(self, embedded: EmbeddedRecord, value: Value) -> Value:
        """Return an embedded record, or the list that represents it."""
        shape = self._embedded.get(embedded.id)
        if shape is None:
            shape = self._embedded[embedded.id] = self._shape_of(embedded.decoder.tree)
        self._depth += 1
        shown = shape(embedded.record_of(value))
        self._depth -= 1
        return shown if embedded.whole is None else shown[embedded.whole]

    def plain(self, value: Value, depth: int) -> Value:
        """Convert a decoded value to JSON; bytes in it are shown as nested payloads."""
        match value:
            case dict():
                return {name: self.plain(each, depth) for name, each in value.items()}
            case list():
                return [self.plain(each, depth) for each in value]
            case bytes():
                return self.inner(value, depth)
            case float():
                return finite(value)
            case int() if self._showing.int_strings and abs(value) >= WIDEST:
                return str(value)
        return value

    def inner(self, data: bytes, depth: int) -> Value:
        """Show bytes inside a payload."""
        found = None
        if self.layers is not None and depth < MOST_LAYERS:
            found = self.layers.body(INSIDE, data)
        return data.hex() if found is None else self.shown(found, depth + 1)


def problems_inside(layers: PayloadReaders, row: FrameRow) -> list[Problem]:
    """Return the problems in a frame's payloads; at the last fragment, in the reassembled ones."""
    if row.decoder is None:
        return []
    if isinstance(row, MaskedRow):
        return [row.unsaid(each) for each in problems_inside(layers, row.source)]
    if row.piece:
        return layers.problems_of_whole(row.decoder.tree, row.reassembled or {}, row.agreed)
    return layers.problems(row.decoder, row.data, row.values, row.agreed)


def as_bytes(value: str | bytes) -> bytes:
    """Return the bytes of a slot, also of a text slot."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value


def finite(value: float) -> float | str:
    """Return a float as JSON can represent it: numbers that are not finite as text."""
    if value != value:  # noqa: PLR0124 - only NaN differs from itself
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _kept(value: Value) -> Value:
    """Return hex, or the text of a text slot."""
    if isinstance(value, bytes):
        return MASK if is_hidden(value) else value.hex()
    return value


def _raw(value: Value) -> Value:
    if value is None or is_hidden(value):
        return value and MASK
    return as_bytes(value).hex()


def _size(value: Value) -> Value:
    return None if value is None else {"bytes": len(as_bytes(value))}
