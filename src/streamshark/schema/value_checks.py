"""Checks values before they are written: names, types, and the limits of their fields.

The first value that does not fit raises `EncodingError`, which names the field, what was given, the
limit and where the limit comes from.
"""

import struct
from collections.abc import Iterator
from typing import Any, Final

from streamshark.errors import StreamsharkError
from streamshark.schema import nodes
from streamshark.schema.bytes_and_text import Blob, Limit
from streamshark.schema.composites import FORM
from streamshark.schema.json_lines import LEAST, MOST
from streamshark.schema.protobuf import FIXED, UNKNOWN
from streamshark.schema.text_lines import MAX_DIGITS, RESTS
from streamshark.schema.words import SPELLING, Values

Path = tuple[str | int, ...]
"""Names and list indices from the frame down to a value."""
SHOWN: Final = 40
"""Most characters of a value that a message quotes."""
WIRE_TYPES: Final = {1: 8, 5: 4}
"""Wire types of a fixed size, with their bytes."""


class EncodingError(StreamsharkError):
    """A value cannot be written: the message names its field and why."""


def check_values(tree: nodes.Tree, values: Values) -> None:
    """Raise `EncodingError` for the first value that its field cannot have."""
    _Checker(tree).record(tree.root.members, values, ())


def named(tree: nodes.Tree, path: Path) -> str:
    """Return the full name of a value, with the indices of list items.

    A path below a frame: `("messages", 2, "body")` is `rmqstream.publish.messages[2].body`.
    """
    return tree.prefix + "".join(
        f"[{each}]" if isinstance(each, int) else f".{each}" for each in path
    )


def quoted(value: object) -> str:
    """Return a value as messages quote it: short, and as hex if it is bytes."""
    text = value.hex() if isinstance(value, bytes) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def members_of(members: list[nodes.Node]) -> dict[str, list[nodes.Node]]:
    """Return the nodes of one record by name: several where arms share a name."""
    found: dict[str, list[nodes.Node]] = {}
    for node in nodes.scope(members):
        if node.name is not None:
            found.setdefault(node.name, []).append(node)
    return found


class _Checker:
    """Walks values along the nodes of one tree."""

    def __init__(self, tree: nodes.Tree) -> None:
        self.tree = tree
        lines = (each for each in tree.nodes if isinstance(each, nodes.LineNode))
        self.arguments = {argument.id for line in lines for argument in line.arguments}
        """Arguments of text lines."""
        self.source = f" ({tree.schema.spec})" if tree.schema.spec else ""
        """Where limits come from that the layout gives."""
        self.internal = {SPELLING}
        """Names under which values have what is no member."""
        if any(isinstance(each, nodes.FitsNode) for each in tree.nodes):
            self.internal.add(FORM)

    def record(self, members: list[nodes.Node], values: object, path: Path) -> None:
        """Check the members of one record."""
        if not isinstance(values, dict):
            raise self.error(path, f"{quoted(values)} is not a record")
        known = members_of(members)
        for name, value in values.items():
            if name in self.internal and name not in known:
                continue
            if name not in known:
                raise self.error((*path, name), "there is no such field")
            self.any_of(known[name], value, (*path, name))

    def any_of(self, candidates: list[nodes.Node], value: object, path: Path) -> None:
        """Check a value whose node may be one of several: one that fits is enough."""
        first: EncodingError | None = None
        for node in candidates:
            try:
                return self.value(node, value, path)
            except EncodingError as error:
                first = first or error
        if first is not None:
            raise first
        return None

    def value(self, node: nodes.Node, value: Any, path: Path) -> None:
        """Check one value."""
        match node:
            case nodes.RecordNode():
                self.record(node.members, value, path)
            case nodes.ListNode():
                self.many(node, value, path)
            case nodes.IntNode():
                bits = 8 * node.size
                least = -(1 << bits - 1) if node.signed else 0
                self.number(value, least, least + (1 << bits) - 1, path, _count(node.size, "byte"))
            case nodes.PartNode():
                self.number(value, 0, (1 << node.width) - 1, path, _count(node.width, "bit"))
            case nodes.BlobNode():
                self.blob(node, value, path)
            case nodes.ProtoNode():
                self.proto(node, value, path)
            case nodes.ArgumentNode():
                self.argument(node, value, path)
            case _ if node.name == UNKNOWN:
                self.unknown(value, path)

    def number(self, value: object, least: int, most: int, path: Path, size: str) -> None:
        """Check a whole number."""
        if not isinstance(value, int):
            raise self.error(path, f"{quoted(value)} is not a whole number")
        if not least <= value <= most:
            raise self.error(
                path, f"{quoted(value)} does not fit: {size}, {least} to {most}{self.source}"
            )

    def items(self, value: object, path: Path) -> list[Any]:
        """Return a value that must be a list."""
        if not isinstance(value, list):
            raise self.error(path, f"{quoted(value)} is not a list")
        return value

    def many(self, node: nodes.ListNode, value: object, path: Path) -> None:
        """Check a list and its items."""
        items = self.items(value, path)
        self.count(len(items), "item", node.prefix, node.limit, path)
        for index, item in enumerate(items):
            self.value(node.item, item, (*path, index))

    def count(
        self, size: int, what: str, prefix: nodes.IntNode | None, limit: int | None, path: Path
    ) -> None:
        """Check a number of bytes or items against its limits."""
        given = _count(size, what)
        if limit is not None and size > limit:
            source = f" ({limit.source})" if isinstance(limit, Limit) else self.source
            raise self.error(path, f"{given}; at most {limit} are allowed{source}")
        most = (1 << 8 * prefix.size - prefix.signed) - 1 if prefix else size
        if prefix and size > most:
            reason = f"at most {most}, whose number has {_count(prefix.size, 'byte')}"
            raise self.error(path, f"{given}; {reason}{self.source}")

    def blob(self, node: nodes.BlobNode, value: object, path: Path) -> None:
        """Check text or bytes."""
        if value is None and node.null:
            return
        wanted: type = str if node.encoding not in (None, "uuid") else bytes
        if not isinstance(value, wanted):
            what = "text" if wanted is str else "bytes"
            raise self.error(path, f"{quoted(value)} is not {what}")
        try:
            size = len(Blob(0, encoding=node.encoding).encode(value))
        except UnicodeEncodeError:
            raise self.error(path, f"{quoted(value)} is not {node.encoding} text") from None
        if isinstance(node.length, nodes.Const) and size != node.length.value:
            wanted_size = _count(node.length.value, "byte")
            raise self.error(path, f"{_count(size, 'byte')}; it has {wanted_size}{self.source}")
        self.count(size, "byte", node.prefix, node.limit, path)

    def proto(self, node: nodes.ProtoNode, value: object, path: Path) -> None:
        """Check a protobuf field."""
        if not node.repeated:
            self.proto_item(node, value, path)
            return
        for index, item in enumerate(self.items(value, path)):
            self.proto_item(node, item, (*path, index))

    def proto_item(self, node: nodes.ProtoNode, value: object, path: Path) -> None:
        """Check one protobuf value."""
        kind = node.kind
        if node.message is not None:
            self.record([node.message], value, path)
        elif kind in ("string", "bytes"):
            self.text(value, str if kind == "string" else bytes, path)
        elif kind in ("float", "double"):
            if not isinstance(value, int | float):
                raise self.error(path, f"{quoted(value)} is not a number")
            try:
                struct.pack(FIXED[kind], value)
            except (OverflowError, struct.error):
                raise self.error(path, f"{value} does not fit into a {kind}{self.source}") from None
        else:
            bits = 1 if kind == "bool" else 64 if kind.endswith("64") else 32
            signed = not kind.startswith(("u", "fixed", "bool"))
            least = -(1 << bits - 1) if signed else 0
            self.number(value, least, least + (1 << bits) - 1, path, kind)

    def text(self, value: object, wanted: type, path: Path) -> None:
        """Check text (UTF-8) or bytes without a limit."""
        if not isinstance(value, wanted):
            raise self.error(path, f"{quoted(value)} is not {'text' if wanted is str else 'bytes'}")
        try:
            str(value).encode()
        except UnicodeEncodeError:
            raise self.error(path, f"{quoted(value)} is not utf-8 text") from None

    def unknown(self, value: object, path: Path) -> None:
        """Check protobuf fields that no schema declares."""
        for index, kept in enumerate(self.items(value, path)):
            here = (*path, index)
            if not isinstance(kept, dict) or kept.keys() != {"number", "wire_type", "value"}:
                raise self.error(here, "an unknown field has a number, a wire_type and a value")
            self.number(kept["number"], 1, (1 << 29) - 1, (*here, "number"), "a field number")
            wire_type, data = kept["wire_type"], kept["value"]
            if wire_type == 0:
                self.number(data, 0, (1 << 64) - 1, (*here, "value"), "a varint")
                continue
            if wire_type not in (1, 2, 5):
                raise self.error((*here, "wire_type"), f"{quoted(wire_type)} does not exist")
            self.text(data, bytes, (*here, "value"))
            size = WIRE_TYPES.get(wire_type, len(data))
            if len(data) != size:
                raise self.error((*here, "value"), f"{len(data)} bytes; it has {size}")

    def argument(self, node: nodes.ArgumentNode, value: object, path: Path) -> None:
        """Check an argument of a text line, a header, or a member of a JSON object."""
        match node.kind:
            case "number":
                size = f"at most {MAX_DIGITS} digits"
                self.number(value, 0, 10**MAX_DIGITS - 1, path, size)
            case "integer":
                self.number(value, LEAST, MOST, path, "8 bytes")
            case "boolean":
                if not isinstance(value, bool):
                    raise self.error(path, f"{quoted(value)} is not true or false")
            case "tokens":
                for index, item in enumerate(self.items(value, path)):
                    self.token(node, item, (*path, index))
            case _:
                self.token(node, value, path)

    def token(self, node: nodes.ArgumentNode, value: object, path: Path) -> None:
        """Check text; what is in a line without quotes has no blanks."""
        self.text(value, str, path)
        if node.id not in self.arguments:
            return
        text = str(value)
        if node.kind in RESTS:
            wrong = "\n" in text or "\r" in text
        else:
            wrong = not text or any(each in " \t\r\n" for each in text)
        if wrong:
            kind = "the rest of a line" if node.kind in RESTS else "a token without blanks"
            raise self.error(path, f"{quoted(value)} is not {kind}")

    def error(self, path: Path, message: str) -> EncodingError:
        """Return an error that names the field."""
        return EncodingError(f"{named(self.tree, path)}: {message}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def walked(
    members: list[nodes.Node], values: Values, path: Path = ()
) -> Iterator[tuple[nodes.Node, Values, Path]]:
    """Yield the nodes of values, each with the record that it is in and its path."""
    known = members_of(members)
    for name in [each for each in values if each in known]:
        node, value, here = known[name][0], values[name], (*path, name)
        yield node, values, here
        inner = inside(known[name])
        if inner is None:
            continue
        for index, item in enumerate(value if isinstance(value, list) else [value]):
            place = (*here, index) if isinstance(value, list) else here
            if isinstance(item, dict):
                yield from walked(inner, item, place)


def inside(candidates: list[nodes.Node]) -> list[nodes.Node] | None:
    """Return the members of the record that a name stands for, or of its items; None if none."""
    for node in candidates:
        one = node.item if isinstance(node, nodes.ListNode) else node
        if isinstance(one, nodes.RecordNode):
            return one.members
        if isinstance(one, nodes.ProtoNode) and one.message is not None:
            return [one.message]
    return None
