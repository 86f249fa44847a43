"""Raw values from those that JSON shows: the reverse of `values` and `payload_json`.

What JSON shows of a body may not say how it was written. Where the frame's own values are known
(`old`), a body that is shown unchanged keeps its bytes; else only formats with an encoder are read.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from streamshark.decoding.amending import amended
from streamshark.decoding.packing import pack
from streamshark.decoding.payloads import EmbeddedRecord, Format, PayloadReaders, opened
from streamshark.schema import Slot, nodes
from streamshark.schema.bytes_and_text import RAW
from streamshark.schema.encoding import changes_between, encoded
from streamshark.schema.protobuf import UNKNOWN
from streamshark.schema.value_checks import EncodingError, Path, members_of, named, quoted
from streamshark.schema.words import same
from streamshark.views.display_options import MASK, DisplayOptions, Value
from streamshark.views.payload_json import as_bytes
from streamshark.views.values import Shaper

ABSENT: Final = object()
"""The old value of what the frame did not have, or of a frame that is not known."""
MASKED: Final = "masked; decode with --show-secrets to have it"
_SHOWN: Final = (
    DisplayOptions(secrets=True),
    DisplayOptions(secrets=True, int_strings=True),
)
"""Ways in which a decoded body may have been shown."""
_BIT: Final = "bit_"


class ValueReader:
    """Reads the values of one frame or embedded record from JSON."""

    def __init__(self, tree: nodes.Tree, layers: PayloadReaders) -> None:
        self.tree = tree
        self.layers = layers
        self.numbers = {each.name for each in tree.schema.numbers}
        """Numbers that are shown with list items, though they are not in the bytes."""

    def values(self, shown: object, old: object = ABSENT) -> dict[str, Any]:
        """Return the values of all members."""
        return self.record(self.tree.root.members, shown, old, ())

    def record(
        self, members: list[nodes.Node], shown: object, old: object, path: Path
    ) -> dict[str, Any]:
        """Return the values of one record; of its slots last, since other members describe them."""
        if not isinstance(shown, dict):
            raise self.error(path, f"{quoted(shown)} is not an object")
        known = members_of(members)
        before = old if isinstance(old, dict) else {}
        out: dict[str, Any] = dict.fromkeys(shown)
        slots = []
        for name, value in shown.items():
            if name not in known:
                if name not in self.numbers:
                    raise self.error((*path, name), "there is no such field")
                del out[name]
                continue
            own = before.get(name, ABSENT)
            if any(getattr(node, "slot", None) is not None for node in known[name]):
                slots.append((name, value, own))
            else:
                out[name] = self.first(known[name], value, own, (*path, name))
        for name, value, own in slots:
            reader = _SlotReader(self, known[name], out, before, (*path, name))
            out[name] = reader.items(value, own)
        return out

    def first(self, candidates: list[nodes.Node], shown: Value, old: Value, path: Path) -> Value:
        """Return a value whose node may be one of several: of the first that it fits."""
        error: EncodingError | None = None
        for node in candidates:
            try:
                return self.value(node, shown, old, path)
            except EncodingError as wrong:
                error = error or wrong
        raise error or self.error(path, "there is no such field")

    def value(  # noqa: PLR0911 - one row a kind
        self, node: nodes.Node, shown: Value, old: Value, path: Path
    ) -> Value:
        """Return one value."""
        if shown == MASK and (node.facts.secret or not _is_text(node)):
            raise self.error(path, MASKED)
        match node:
            case nodes.RecordNode():
                return self.record(node.members, shown, old, path)
            case nodes.ListNode():
                return self.many([node.item], shown, old, path)
            case nodes.ProtoNode() if node.repeated:
                items = self.items(shown, old, path)
                return [self.proto(node, *each) for each in items]
            case nodes.ProtoNode():
                return self.proto(node, shown, old, path)
            case nodes.BlobNode():
                return self.blob(node, shown, path)
            case nodes.IntNode() | nodes.PartNode():
                return self.number(node, shown, path)
            case nodes.ArgumentNode() if node.kind in ("number", "integer"):
                return self.number(node, shown, path)
            case _ if node.name == UNKNOWN:
                return [self.unknown(*each) for each in self.items(shown, old, path)]
        return shown

    def items(self, shown: Value, old: Value, path: Path) -> Iterator[tuple[Value, Value, Path]]:
        """Yield the items of a list, with what they were and their paths."""
        if not isinstance(shown, list):
            raise self.error(path, f"{quoted(shown)} is not a list")
        before = old if isinstance(old, list) else []
        for index, item in enumerate(shown):
            yield item, before[index] if index < len(before) else ABSENT, (*path, index)

    def many(self, candidates: list[nodes.Node], shown: Value, old: Value, path: Path) -> Value:
        """Return the items of a list."""
        return [self.first(candidates, *each) for each in self.items(shown, old, path)]

    def proto(self, node: nodes.ProtoNode, shown: Value, old: Value, path: Path) -> Value:
        """Return one protobuf value."""
        if node.message is not None:
            return self.record([node.message], shown, old, path)
        match node.kind:
            case "string":
                return shown
            case "bytes":
                return self.hex(shown, path)
            case "float" | "double":
                return self.float(shown, path)
            case "bool":
                return int(shown) if isinstance(shown, bool) else shown
        return self.number(node, shown, path)

    def blob(self, node: nodes.BlobNode, shown: Value, path: Path) -> Value:
        """Return text or bytes."""
        if shown is None or node.encoding not in (None, "uuid"):
            return shown
        if node.encoding == "uuid" and isinstance(shown, str):
            shown = shown.replace("-", "")
        return self.hex(shown, path)

    def number(self, node: nodes.Node, shown: Value, path: Path) -> Value:
        """Return a number from itself, its text, its name, or its flags."""
        facts = node.facts
        if facts.flags is not None and isinstance(shown, dict):
            return self.flags(facts.flags, shown, path)
        name = None
        if isinstance(shown, dict):
            name, shown = shown.get("name"), shown.get("value")
        if isinstance(shown, str):
            text = shown
            try:
                shown = int(text)
            except ValueError:
                name, shown = text, None
        if shown is None and name is not None:
            shown = next((at for at, one in (facts.names or {}).items() if one == name), None)
            if shown is None:
                raise self.error(path, f"{quoted(name)} is neither a number nor a known name")
        if not isinstance(shown, int) or (isinstance(shown, bool) and not facts.boolean):
            raise self.error(path, f"{quoted(shown)} is not a whole number")
        if name is not None and facts.is_coded and facts.name_of(shown) != name:
            own = quoted(facts.name_of(shown))
            raise self.error(path, f"{shown} is called {own}, not {quoted(name)}")
        return shown

    def flags(self, names: Mapping[int, str], shown: dict[str, Value], path: Path) -> int:
        """Return the number whose flags these are."""
        masks = {name: mask for mask, name in names.items()}
        out = 0
        for name, is_set in shown.items():
            bit = name.removeprefix(_BIT)
            if name not in masks and not (name.startswith(_BIT) and bit.isdigit() and len(bit) < 3):  # noqa: PLR2004 - 64 bits
                raise self.error((*path, name), "there is no such flag")
            if not isinstance(is_set, bool):
                raise self.error((*path, name), f"{quoted(is_set)} is not true or false")
            out |= (masks[name] if name in masks else 1 << int(bit)) if is_set else 0
        return out

    def float(self, shown: Value, path: Path) -> Value:
        """Return a number that need not be whole."""
        if shown in ("NaN", "Infinity", "-Infinity"):
            return float(shown)
        if isinstance(shown, bool) or not isinstance(shown, int | float):
            raise self.error(path, f"{quoted(shown)} is not a number")
        return shown

    def hex(self, shown: Value, path: Path) -> bytes:
        """Return bytes from hex."""
        if shown == MASK:
            raise self.error(path, MASKED)
        try:
            return bytes.fromhex(shown)
        except (TypeError, ValueError):
            raise self.error(path, f"{quoted(shown)} is not hex") from None

    def unknown(self, shown: Value, _old: Value, path: Path) -> Value:
        """Return a protobuf field that no schema declares."""
        if not isinstance(shown, dict) or "value" not in shown:
            raise self.error(path, "an unknown field has a number, a wire_type and a value")
        value = shown["value"]
        if shown.get("wire_type") != 0:
            return {**shown, "value": self.hex(value, (*path, "value"))}
        is_number = isinstance(value, str) and value.isdigit()
        return {**shown, "value": int(value) if is_number else value}

    def error(self, path: Path, message: str) -> EncodingError:
        """Return an error that names the field."""
        return EncodingError(f"{named(self.tree, path)}: {message}")


class _SlotReader:
    """Reads the bytes of one slot from what JSON shows of them."""

    def __init__(
        self,
        reader: ValueReader,
        candidates: list[nodes.Node],
        record: dict[str, Any],
        before: dict[str, Any],
        path: Path,
    ) -> None:
        self.reader = reader
        self.layers = reader.layers
        self.node = next(each for each in candidates if getattr(each, "slot", None) is not None)
        slot: Slot | None = getattr(self.node, "slot", None)
        self.slot = slot.name if slot else ""
        self.record = record
        self.before = before
        self.path = path
        self.is_text = _is_text(self.node)

    def items(self, shown: Value, old: Value) -> Value:
        """Return the value of the member: a list where it is one of several."""
        if isinstance(self.node, nodes.ProtoNode) and self.node.repeated:
            items = self.reader.items(shown, old, self.path)
            return [self.value(one, before, path) for one, before, path in items]
        return self.value(shown, old, self.path)

    def value(self, shown: Value, old: Value, path: Path) -> Value:
        """Return the bytes (of a slot with text, the text) of one slot."""
        if shown is None:
            return None
        if self.node.facts.secret and shown == MASK:
            raise self.reader.error(path, MASKED)
        if isinstance(old, str | bytes) and isinstance(shown, str) and shown == as_bytes(old).hex():
            return old
        if isinstance(shown, str) and self.is_text:
            return shown
        if isinstance(shown, str):
            return self.reader.hex(shown, path)
        known = as_bytes(old) if isinstance(old, str | bytes) else None
        data = self.packed(shown, known, path)
        return data.decode("utf-8", "surrogatepass") if self.is_text else data

    def packed(self, shown: Value, old: bytes | None, path: Path) -> bytes:
        """Return bytes as they are in the frame, packed anew only if what is packed differs."""
        if shown == {"bytes": None if old is None else len(old)}:
            return old or b""
        node = self.node
        if not isinstance(node, nodes.BlobNode) or node.codec is None:
            return self.inner(shown, old, path)
        cell = None if old is None else opened(node, self.before)
        data = self.inner(shown, None if cell is None else cell.data, path)
        if cell is not None and data == cell.data:
            return old or b""
        record = {**self.record, str(node.name): data}
        codec = opened(node, record).packed
        made = pack(codec, data)
        if made is None:
            raise self.reader.error(path, f"it is packed by codec {codec}, which cannot be written")
        self.measure(node.unpacked, len(data))
        self.measure(node.holds, len(shown) if isinstance(shown, list) else None)
        return made if codec != RAW else data

    def measure(self, expr: nodes.Expr | None, size: int | None) -> None:
        """Set the member that says how much is unpacked, unless another value is given for it."""
        name = expr.node.name if isinstance(expr, nodes.Ref) else None
        if name is None or size is None:
            return
        if name not in self.record or same(self.record[name], self.before.get(name, ABSENT)):
            self.record[name] = size

    def inner(self, shown: Value, old: bytes | None, path: Path) -> bytes:
        """Return unpacked bytes from a decoded body or from embedded records."""
        if isinstance(shown, dict) and {"format", "value"} <= shown.keys():
            return self.body(shown, old, path)
        error: EncodingError | None = None
        for embedded in self.embedded(old):
            try:
                return self.embedded_record(embedded, shown, old)
            except EncodingError as wrong:
                error = error or wrong
        raise error or self.reader.error(path, f"{quoted(shown)} is not hex")

    def embedded(self, old: bytes | None) -> list[EmbeddedRecord]:
        """Return the embedded records that may be here, the most likely first."""
        node = self.node
        declared = None
        if isinstance(node, nodes.BlobNode) and node.types:
            declared = opened(node, {**self.record, str(node.name): b""}).declared
        found = self.layers.embedded_records_of(self.slot)
        body = None if old is None else self.layers.body(self.slot, old, declared=declared)
        if body is not None and isinstance(body.reader, EmbeddedRecord):
            return [body.reader, *(each for each in found if each is not body.reader)]
        return sorted(found, key=lambda each: declared not in {one.lower() for one in each.types})

    def embedded_record(self, embedded: EmbeddedRecord, shown: Value, old: bytes | None) -> bytes:
        """Return the bytes of an embedded record; what is unchanged in it stays as it was."""
        tree = embedded.decoder.tree
        reader = ValueReader(tree, self.layers)
        reader.numbers |= self.reader.numbers
        given = shown if embedded.whole is None else {embedded.whole: shown}
        if old is None:
            return encoded(tree, reader.values(given))
        before = embedded.record_of(embedded.decode(old).value)
        changes = changes_between(before, reader.values(given, before))
        return amended(embedded.decoder, old, changes)

    def body(self, shown: dict[str, Value], old: bytes | None, path: Path) -> bytes:
        """Return the bytes of a decoded body."""
        name = shown["format"]
        found = None if old is None else self.layers.body(self.slot, old, wanted=name)
        if found is not None and old is not None:
            for showing in _SHOWN:
                now = Shaper(showing, self.layers).bodies.shown(found, 1)
                if json.loads(json.dumps(now)) == shown:
                    return old
        for each in self.layers.readers:
            if isinstance(each, Format) and each.id == name and each.encode is not None:
                data = each.encode(shown["value"])
                if data is not None and same(each.decode(data).value, shown["value"]):
                    return data
        raise self.reader.error(
            path, f"a body of format {quoted(name)} is not encoded; give its bytes as hex"
        )


def _is_text(node: nodes.Node) -> bool:
    """Return whether values of a node are text."""
    match node:
        case nodes.BlobNode():
            return node.encoding not in (None, "uuid")
        case nodes.ProtoNode():
            return node.kind == "string"
        case nodes.ArgumentNode():
            return node.kind not in ("number", "integer", "boolean")
        case _:
            return False
