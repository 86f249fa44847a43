"""What stands in a slot, as JSON shows it: its size, its bytes, or what reads them.

A body that a format reads is `{"format": id, "value": ..., "bytes": n}`, what no format is sure of
is hex. Bytes inside the value of a format are bodies again: text and JSON are shown as what they
are. A rider's record stands in the slot's own place, for it is made of fields of ours. Bytes that
may hold a secret which no reader has told apart are masked.

While values are shown, problems are only noticed (`odd`); `PayloadReaders.problems` says which they
are.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

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
from streamshark.schema import Problem, Slot, nodes
from streamshark.schema.secrets import is_hidden
from streamshark.views.display_options import MASK, DisplayOptions, Shape, Value
from streamshark.views.reassembly import facts, sizes

if TYPE_CHECKING:
    from streamshark.views.values import Shaper

INSIDE: Final = ""
"""The slot of bytes inside the value of a format: only formats that fit everywhere stand there."""
MOST_LAYERS: Final = 4
"""Most formats inside formats that are shown; what is deeper stays hex."""
WIDEST: Final = 1 << 53
"""From here on numbers are not safe in readers that keep them as doubles."""

Beside = Callable[[Value, dict[str, Value]], Value]
"""The same for a value whose showing needs the record that it stands in."""


class PayloadJson:
    """Makes the functions that show what stands in slots; without layers bodies stay bytes."""

    def __init__(self, shaper: "Shaper", layers: PayloadReaders | None) -> None:
        self.layers = layers
        self.odd = False
        """True since something was wrong inside a slot; who has seen it sets it back."""
        self._shaper = shaper
        self._showing: DisplayOptions = shaper.showing
        self._agreed: Agreed = NOTHING
        self._piece = 0
        self._depth = 1
        """One more for each rider around what is shown."""
        self._riders: dict[str, Shape] = {}

    def see(self, row: FrameRow) -> None:
        """The frame whose slots are shown from now on: what its connection had agreed."""
        self._agreed = row.agreed
        self._piece = row.piece

    def whole(self, row: FrameRow) -> dict[str, Value]:
        """What the fragments of a frame are together, at the last one; empty elsewhere."""
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
        """The function for the bytes of a slot."""
        if self._showing.bodies == "size":
            return _size
        if slot.agreed is None and not slot.veiled:
            return self.unsaid(slot)

        def shaped(value: Value) -> Value:
            if value is None:
                return None
            said = self._agreed.get(slot.agreed) if slot.agreed else None
            return self.typed(slot, value, plain_type(said) if isinstance(said, str) else None)

        return shaped

    def unsaid(self, slot: Slot) -> Shape:
        """The function for a slot whose type nothing says, and which has no secrets."""
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

    def typed(self, slot: Slot, value: str | bytes, said: str | None) -> Value:
        """The bytes of a slot that are said to be of a type."""
        found = None
        if self.layers is not None and self._showing.bodies == "decoded" and not self._piece:
            found = self.layers.body(slot.name, as_bytes(value), said=said)
        if found is not None and not too_deep(found, self._depth):
            return self.shown(found, 1)
        if value and veiled(slot, said) and not self._showing.secrets:
            return MASK
        return _raw(value) if self._showing.bodies == "raw" else _kept(value)

    def beside(self, node: nodes.BlobNode) -> Beside:
        """The function for the bytes of a slot that other members say how to read."""
        slot, layers = node.slot, self.layers
        plain = self.shape(slot) if slot else _kept
        if self._showing.bodies == "size" or slot is None:
            return lambda value, _record: plain(value)
        if node.codec is None:
            return lambda value, record: self.typed(
                slot, value, opened(node, record, self._agreed).said
            )
        if self._showing.bodies != "decoded" or layers is None:
            return lambda value, _record: plain(value)
        name = slot.name

        def shaped(value: Value, record: dict[str, Value]) -> Value:
            cell = opened(node, record, self._agreed)
            if cell.problem is not None:
                self.odd = True
                if cell.unpacked is None:
                    return _kept(value)
            found = layers.body(name, cell.data, said=cell.said)
            if found is None or too_deep(found, self._depth):
                return _kept(value)
            held = found.decoded.value
            if cell.holds is not None and isinstance(held, list) and len(held) != cell.holds:
                self.odd = True
            return self.shown(found, 1)

        return shaped

    def shown(self, body: Payload, depth: int) -> Value:
        """A body and what is in it."""
        value, problems = body.decoded
        if problems:
            self.odd = True
        reader = body.reader
        if isinstance(reader, EmbeddedRecord):
            return self.record(reader, value)
        return {"format": reader.id, "value": self.plain(value, depth), "bytes": len(body.data)}

    def record(self, rider: EmbeddedRecord, value: Value) -> Value:
        """The record of a rider, or the list that stands for it."""
        shape = self._riders.get(rider.id)
        if shape is None:
            shape = self._riders[rider.id] = self._shaper.tree(rider.decoder.tree)
        self._depth += 1
        shown = shape(rider.record_of(value))
        self._depth -= 1
        return shown if rider.whole is None else shown[rider.whole]

    def plain(self, value: Value, depth: int) -> Value:
        """A value of a format in what JSON has, bytes in it shown as the bodies they are."""
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
        """Bytes inside a body."""
        found = None
        if self.layers is not None and depth < MOST_LAYERS:
            found = self.layers.body(INSIDE, data)
        return data.hex() if found is None else self.shown(found, depth + 1)


def problems_inside(layers: PayloadReaders, row: FrameRow) -> list[Problem]:
    """What is wrong inside the slots of a frame; of fragments, at the last one, in all together."""
    if row.decoder is None:
        return []
    if isinstance(row, MaskedRow):
        return [row.unsaid(each) for each in problems_inside(layers, row.source)]
    if row.piece:
        return layers.problems_of_whole(row.decoder.tree, row.reassembled or {}, row.agreed)
    return layers.problems(row.decoder, row.data, row.values, row.agreed)


def as_bytes(value: str | bytes) -> bytes:
    """What stands in a slot, text slots included."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value


def finite(value: float) -> float | str:
    """JSON has no word for what is not a finite number."""
    if value != value:  # noqa: PLR0124 - only NaN differs from itself
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _kept(value: Value) -> Value:
    """Hex, or the text of a slot that has text."""
    if isinstance(value, bytes):
        return MASK if is_hidden(value) else value.hex()
    return value


def _raw(value: Value) -> Value:
    if value is None or is_hidden(value):
        return value and MASK
    return as_bytes(value).hex()


def _size(value: Value) -> Value:
    return None if value is None else {"bytes": len(as_bytes(value))}
