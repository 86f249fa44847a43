"""Values as short text: one word per value for lines, a little more for trees.

The arguments shown for a frame are `FrameSchema.shows`; a schema that names none shows its first
plain values.
"""

from collections.abc import Callable
from typing import TypeGuard

from streamshark.conversations.units import counted
from streamshark.decoding.payloads import PayloadReaders, opened, veiled
from streamshark.dissection.row import FrameRow
from streamshark.schema import nodes
from streamshark.schema.secrets import is_hidden
from streamshark.views.display_options import MASK, Value
from streamshark.views.escaping import printable, quoted, readable
from streamshark.views.payload_json import as_bytes
from streamshark.views.values import flags_set, uuid_text

LONGEST_TEXT = 60
"""Most characters of a text in one line."""
LONGEST_BYTES = 8
"""Most bytes that are written in one line; of more, only the number is shown."""
MOST_VALUES = 3
"""Most values shown of a path through a list."""

Words = Callable[[Value], str]
"""Maps the raw value of a node to text."""


def words(node: nodes.Node, *, secrets: bool, longest: int = LONGEST_TEXT) -> Words:
    """Return the function that formats a node's values, each as one argument."""
    if node.facts.secret and not secrets:
        return lambda value: "null" if value is None else MASK
    if isinstance(node, nodes.BlobNode) and node.encoding == "uuid":
        return lambda value: "null" if value is None else uuid_text(value)
    if isinstance(node, nodes.BlobNode) and node.slot and node.slot.veiled and not secrets:
        return lambda value: f"[{counted(len(value), 'byte')}]" if value else plain(value)
    if isinstance(node, nodes.BlobNode) and node.encoding is None:
        return lambda value: MASK if value and is_hidden(value) else plain(value, longest)
    facts = node.facts
    if not facts.is_coded and facts.flags is None and facts.base != "hex":
        return str if isinstance(node, nodes.IntNode) else lambda value: plain(value, longest)
    return lambda value: number(node, value) if isinstance(value, int) else plain(value, longest)


def number(node: nodes.Node, value: int) -> str:
    """Format a number: as its name if it has one, as its flags, else as digits."""
    if node.facts.flags is not None:
        return "|".join(n for n, on in flags_set(value, node.facts.flags).items() if on) or "0"
    facts, text = node.facts, digits(node, value)
    if facts.names is not None and value in facts.names:
        return facts.names[value]
    name = facts.name_of(value)
    return f"{name}({text})" if name else text


def digits(node: nodes.Node, value: int) -> str:
    """Format a number in the base of its field."""
    return f"{value:#x}" if node.facts.base == "hex" else str(value)


def plain(value: Value, longest: int = LONGEST_TEXT) -> str:
    """Format any value as one argument."""
    match value:
        case None:
            return "null"
        case str():
            return quoted(value, longest)
        case bytes():
            return (
                value.hex() or "empty" if len(value) <= LONGEST_BYTES else f"[{len(value)} bytes]"
            )
        case list() | range():
            return str(len(value))
        case dict():
            return f"[{len(value)} members]"
        case _:
            return str(value)


class InfoColumn:
    """A formatter of the arguments that one line shows, for the frames of one schema.

    With `layers`, payloads are inspected: text is shown as text, in quotes, followed by the members
    that embedded records show. Nothing else is decoded for a line.
    """

    def __init__(
        self, tree: nodes.Tree, *, secrets: bool, layers: PayloadReaders | None = None
    ) -> None:
        shows = tree.schema.shows or {name: name for name in nodes.telling(tree)}
        self._secrets, self._layers = secrets, layers
        self._shown = [
            (f" {label}=", *_parted(tree, path), words(tree.find(path), secrets=secrets))
            for label, path in shows.items()
        ]
        self._bodies = {
            name: node
            for _, name, path, after, _ in self._shown
            if layers and not (path or after) and _is_body(node := tree.find(name))
        }

    def __call__(self, row: FrameRow) -> str:
        """Return `label=value` for each argument that is present, each after a blank."""
        out = ""
        for label, name, path, after, text in self._shown:
            value: Value = row.values if after else row.shallow
            if name not in value:
                continue
            value = value[name]
            for each in path:
                if each not in value:
                    break
                value = value[each]
            else:
                if not after:
                    out += label
                    out += self._body(name, row, text) if name in self._bodies else text(value)
                elif found := _through(value, after, text):
                    out += label + found
        return out

    def _body(self, name: str, row: FrameRow, text: Words) -> str:
        """Return the payload of a slot, and the members that embedded records show."""
        node, value, layers = self._bodies[name], row.shallow[name], self._layers
        if not value or node.slot is None or layers is None:
            return text(value)
        cell = opened(node, row.shallow, row.agreed)
        out = text(value)
        if self._secrets or not veiled(node.slot, cell.declared):
            out = readable(value, LONGEST_TEXT) or plain(value)
            out = MASK if is_hidden(value) and not self._secrets else out
        if row.piece:
            return out
        for embedded, found in layers.embedded_records(cell, row.agreed):
            record = embedded.record_of(found)
            for label, member in embedded.shows.items():
                if record.get(member):
                    items = record[member]
                    items = items if isinstance(items, list) else [items]
                    out += f" {label}={','.join(map(plain, items[:MOST_VALUES]))}"
        return out


def _is_body(node: nodes.Node) -> TypeGuard[nodes.BlobNode]:
    """Return whether a node is a payload that is inspected for a line."""
    return (
        isinstance(node, nodes.BlobNode)
        and node.slot is not None
        and node.encoding is None
        and node.codec is None
        and not node.facts.secret
    )


def _parted(tree: nodes.Tree, path: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Split a path: first name, the names up to the first list, the names below it."""
    names = tuple(path.split("."))
    for count in range(1, len(names)):
        node = tree.find(".".join(names[:count]))
        if isinstance(node, nodes.ListNode) or getattr(node, "repeated", False):
            return names[0], names[1:count], names[count:]
    return names[0], names[1:], ()


def _through(items: list[Value], path: tuple[str, ...], text: Words) -> str:
    """Return the first values below a list, separated by commas."""
    found = list(_values(items, path))
    more = ",..." if len(found) > MOST_VALUES else ""
    return ",".join(map(text, found[:MOST_VALUES])) + more


def _values(value: Value, path: tuple[str, ...]) -> list[Value]:
    """Return all values at a path below a value, through lists."""
    if isinstance(value, list):
        return [found for item in value for found in _values(item, path)]
    if not path:
        return [value]
    if not isinstance(value, dict) or path[0] not in value:
        return []
    return _values(value[path[0]], path[1:])


def long_text(node: nodes.Node, value: Value, *, most: int) -> str:
    """Format a value for a tree: number and name, unit, the whole text, the start of bytes."""
    match value:
        case None:
            return "null"
        case bool() | int():
            return _long_number(node, int(value))
        case str():
            return quoted(value, most) if not value or not value.isprintable() else printable(value)
        case bytes() if isinstance(node, nodes.BlobNode) and node.encoding == "uuid":
            return uuid_text(value)
        case bytes():
            return MASK if is_hidden(value) and value else _long_bytes(value, most)
        case _:
            return str(value)


def _long_number(node: nodes.Node, value: int) -> str:
    facts = node.facts
    text = digits(node, value)
    if facts.flags is not None:
        return f"{value:#x} ({number(node, value)})"
    if facts.is_coded:
        return f"{facts.name_of(value) or 'unknown'} ({text})"
    return f"{text} {facts.unit}" if facts.unit else text


def _long_bytes(value: bytes, most: int) -> str:
    shown = as_bytes(value)[: most // 4].hex()
    size = "1 byte" if len(value) == 1 else f"{len(value)} bytes"
    if not value:
        return "[empty]"
    return f"{shown} [{size}]" if len(value) <= most // 4 else f"{shown}... [{size}]"
