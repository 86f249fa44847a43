"""Holds the readers of one layout to each other and to what a vector says.

`Layout` is a frame schema or a record that stands alone, with everything that reads it. `agree`
takes any bytes: the reference raises exactly when careful has problems, its code is among theirs,
careful's ranges tile the bytes, fast gives the same values or raises, shallow accepts what fast
accepts and gives its values with lists counted. `whole` takes a vector: no
problems, the values it says, the same bytes built again. `broken` takes a vector apart: cut at
every length, one byte more, bits flipped.
"""

import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from streamshark.decoding.code_printer import UNDECODED
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.runtime import ODD
from streamshark.framing.wire_format import WireFormat
from streamshark.schema import FrameSchema, Head, LineHead, Record, Slot
from streamshark.schema import nodes as n
from streamshark.schema.reference import build, build_members, parse, parse_members
from streamshark.schema.walk import walk, walk_word
from streamshark.schema.words import DecodingError, ParsedValue, Values

VECTORS = Path("tests/vectors")
NULL = "<null>"
"""What a vector writes for null, which TOML lacks."""


_LAYOUTS: dict[tuple[int, int, str], "Layout"] = {}
"""Layouts of frames that were asked for, by schema and head."""


@dataclass(frozen=True)
class Layout:
    """One layout, and what reads and writes it."""

    tree: n.Tree
    parse: Callable[[bytes], tuple[Values, list[ParsedValue]]]
    build: Callable[[Values], bytes]

    @classmethod
    def of_frame(cls, schema: FrameSchema, head: Head | LineHead, short: str) -> "Layout":
        """Return the layout of a frame, head included: the same each time, as it is compiled."""
        known = _LAYOUTS.get((id(schema), id(head), short))
        if known is None:
            known = cls(
                walk(schema, head, short),
                lambda data: parse(schema, head, data),
                lambda values: build(schema, head, values),
            )
            _LAYOUTS[id(schema), id(head), short] = known  # which keeps both of them alive
        return known

    @classmethod
    def of_record(cls, record: Record, name: str) -> "Layout":
        """Return the layout of a record that takes up all bytes."""
        return cls(
            walk_word(record, name),
            lambda data: parse_members(record.members, data),
            lambda values: build_members(record.members, values),
        )

    @cached_property
    def decoder(self) -> Decoder:
        """Return the record decoder."""
        return Decoder(self.tree)

    @cached_property
    def leaves(self) -> dict[int, tuple[str, ...]]:
        """Return the path of every node whose values the reference notes."""
        items = {each.item.id for each in self.tree.nodes if isinstance(each, n.ListNode)}
        return {
            each.id: each.path
            for each in self.tree.nodes
            if (each.name or each.id in items) and each.path
        }

    @cached_property
    def has_trial(self) -> bool:
        """Return whether fast leaves some frames of this layout to careful."""
        return any(isinstance(each, n.FitsNode) for each in self.tree.nodes)


def agree(layout: Layout, data: bytes) -> Values | None:
    """All readers say the same of any bytes; return the values if these are sound."""
    values: Values | None = None
    found: list[ParsedValue] = []
    code = None
    try:
        values, found = layout.parse(data)
    except DecodingError as bad:
        code = bad.code
    seen, ranges, problems = layout.decoder.careful(data)
    tiles(layout, ranges, len(data))
    assert layout.decoder.is_sound(data) == (not problems)
    fast = accepted(layout.decoder.fast, data)
    shallow = accepted(layout.decoder.shallow, data)
    assert same(shallow, None if fast is None else shallow_of(layout.tree, fast))
    if values is None:
        assert code in {each.code for each in problems}, (code, problems)
        assert fast is None
        for each in problems:
            assert 0 <= each.offset <= each.offset + each.length <= len(data), each
            assert -1 <= each.node < len(layout.tree.nodes)
        return None
    shown = {name: value for name, value in values.items() if name not in layout.tree.hidden}
    assert problems == []
    assert same(shown, seen)
    told = [(layout.leaves[i], start, end, value) for i, start, end, value in ranges
            if i in layout.leaves]  # fmt: skip
    assert same([tuple(each) for each in found], told)
    assert (fast is None and layout.has_trial) or same(shown, fast)
    return values


def accepted(form: Callable[[bytes], Values], data: bytes) -> Values | None:
    """Return what a fast form says; None where it leaves the bytes to careful."""
    try:
        return form(data)
    except ODD:
        return None


def shallow_of(tree: n.Tree, values: Values) -> Values:
    """Return the values with the number of items in place of each list that tables do not fill."""
    filled = {each.headers for each in tree.nodes if isinstance(each, n.HeadersNode)}
    filled |= {each.other for each in tree.nodes if isinstance(each, n.JsonLineNode)}

    def record(members: list[n.Node], values: Values) -> Values:
        own = {str(node.name): node for node in _names(members)}
        return {name: told(own.get(name), value) for name, value in values.items()}

    def told(node: n.Node | None, value: Any) -> Any:  # noqa: ANN401 - any value
        if isinstance(node, n.ListNode) and node not in filled:
            return range(len(value))
        return record(node.members, value) if isinstance(node, n.RecordNode) else value

    return record(tree.root.members, values)


def same(one: object, other: object) -> bool:
    """Return whether two values are equal, NaN being equal to itself."""
    return one == other or repr(one) == repr(other)


def tiles(layout: Layout, ranges: list[tuple[int, int, int, Any]], size: int) -> None:
    """Every byte stands in exactly one range; parts of a group share the group's bytes."""
    at = 0
    group = 0, 0
    for node, start, end, _ in ranges:
        assert node == UNDECODED or 0 <= node < len(layout.tree.nodes)
        if node != UNDECODED and isinstance(layout.tree.nodes[node], n.PartNode):
            assert (start, end) == group
            continue
        assert start == at
        assert end >= start
        at = end
        group = start, end
    assert at == size


def whole(layout: Layout, data: bytes, expect: object = None, *, canonical: bool = True) -> Values:
    """A vector: no problems, the values that it says, the same bytes again; return the values.

    Where bytes are not `canonical` (blanks, letter case, the order of fields), or no byte says
    which layout they have, building them gives others that say the same.
    """
    values = agree(layout, data)
    assert values is not None, layout.decoder.careful(data)[2]
    if expect is not None:
        covers(expect, shown(layout.tree, values))
    visible = {name: value for name, value in values.items() if name not in layout.tree.hidden}
    if canonical and not layout.has_trial:
        assert layout.build(values) == data
        assert layout.build(visible) == data
    else:
        again = agree(layout, layout.build(visible))
        assert again is not None
        assert same(visible, {name: again.get(name) for name in visible})
    return values


def broken(layout: Layout, data: bytes, *, most: int = 400) -> None:
    """A vector taken apart: cut, made longer, bits flipped; at most about `most` places of each."""
    step = max(1, len(data) // most)
    for end in range(0, len(data), step):
        agree(layout, data[:end])
    for more in (b"\0", b"\xff", b"\r\n"):
        agree(layout, data + more)
    for at in range(0, len(data), step):
        for mask in (0x01, 0x80, 0xFF):
            agree(layout, data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])


# What a vector expects


def shown(tree: n.Tree, values: Values) -> Values:
    """Values as a vector writes them: bytes in hex, flags by name, UUIDs as text."""
    return _record(tree.root.members, values)


def _names(members: list[n.Node]) -> Iterator[n.Node]:
    for node in members:
        if node.name:
            yield node
        if not node.name and not isinstance(node, (n.RecordNode, n.ListNode)):
            yield from _names(n.children(node))


def _record(members: list[n.Node], values: Values) -> Values:
    own = {str(node.name): node for node in _names(members)}
    return {name: _value(own[name], value) for name, value in values.items() if name in own}


def _value(node: n.Node, value: Any) -> Any:  # noqa: ANN401, PLR0911 - one line a kind
    match node, value:
        case _, None:
            return NULL
        case n.ListNode(), _:
            return [_value(node.item, each) for each in value]
        case n.RecordNode(), _:
            return _record(node.members, value)
        case n.ProtoNode(), list() if node.message:
            return [_entry(node, each) for each in value]
        case n.ProtoNode(), dict() if node.message:
            return _record([node.message], value)
        case n.ArgumentNode(slot=Slot(name="json")), str():
            return json.loads(value)
        case n.BlobNode(encoding="uuid"), bytes():
            return str(UUID(bytes=value))
        case _, bytes() | float() | list():
            return _plain(value)
        case _ if node.facts.flags is not None:
            return {name: bool(value & mask) for mask, name in node.facts.flags.items()}
        case _:
            return value


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Bytes in hex, floats that TOML and JSON lack as text."""
    match value:
        case bytes():
            return value.hex()
        case list():
            return [_plain(each) for each in value]
        case dict():
            return {name: _plain(each) for name, each in value.items()}
        case float() if not math.isfinite(value):
            return str(value)
        case _:
            return value


_DEFAULTS = {"string": "", "bytes": "", "message": {}}


def _entry(node: n.ProtoNode, value: Values) -> Values:
    """One of several messages; of a map with the defaults that encoders leave out."""
    assert node.message
    own = _record([node.message], value)
    if node.kind != "map":
        return own
    fields = node.message.fields.values()
    return {str(each.name): _DEFAULTS.get(each.kind, 0) for each in fields} | own


def without_names(expected: object, pairs: Mapping[str, tuple[str, Mapping[int, str]]]) -> object:
    """Drop the name that stands beside a coded number, if it is the number's own.

    `pairs` gives for a number's member the member of its name, and the names.
    """
    if isinstance(expected, list):
        return [without_names(each, pairs) for each in expected]
    if not isinstance(expected, Mapping):
        return expected
    out = {name: without_names(value, pairs) for name, value in expected.items()}
    for number, (name, names) in pairs.items():
        if number in out:
            assert names[out[number]] == out.pop(name)
    return out


def covers(expected: object, actual: object, path: str = "") -> None:
    """Everything expected is there, in its place; more members may be."""
    if isinstance(expected, Mapping):
        assert isinstance(actual, Mapping), f"{path}: {actual!r}"
        for name, value in expected.items():
            assert name in actual, f"{path}.{name} is missing in {actual!r}"
            covers(value, actual[name], f"{path}.{name}")
    elif isinstance(expected, list):
        assert isinstance(actual, list), f"{path}: {actual!r}"
        assert len(expected) == len(actual), path
        for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
            covers(one, other, f"{path}[{index}]")
    else:
        assert expected == actual, f"{path}: {expected!r} is expected, {actual!r} is there"


# Vectors


class Vector(NamedTuple):
    """One vector of a file in `tests/vectors`."""

    file: str
    facts: dict[str, Any]

    @property
    def name(self) -> str:
        """Return `<file>/<name>`."""
        return f"{self.file}/{self.facts['name']}"

    @property
    def data(self) -> bytes:
        """Return the bytes."""
        return bytes.fromhex(self.facts.get("hex", ""))

    @property
    def expect(self) -> Values:
        """Return the values that it says."""
        found: Values = self.facts["expect"]
        return found

    @property
    def command(self) -> str:
        """Return the command, or the name of a file without one."""
        return str(self.facts.get("command", self.file))


@cache
def vectors_in(folder: Path) -> tuple[Vector, ...]:
    """Return all vectors of a folder, read once."""
    return tuple(
        Vector(path.stem, facts)
        for path in sorted(folder.glob("*.toml"))
        for facts in tomllib.loads(path.read_text("utf-8"))["vector"]
    )


def vectors(protocol: str) -> tuple[Vector, ...]:
    """Return the vectors of a protocol that reference implementations wrote."""
    return vectors_in(VECTORS / protocol)


def vectors_by_hand(protocol: str) -> tuple[Vector, ...]:
    """Return its other vectors: laid out from a document, or recorded."""
    return vectors_in(VECTORS / protocol / "by_hand")


def frame_layout(wire: WireFormat, vector: Vector) -> Layout | None:
    """Return the layout of the frame that a vector is about.

    The vector names the command, and where they matter the dialect, the kind and the version. None
    for parts of frames (records, message bodies) and for whole directions of a connection.
    """
    if "sender" in vector.facts:
        return None
    table = wire.table(vector.facts.get("dialect", ""))
    measured = table.measure(vector.data, 0, len(vector.data))
    answers = vector.facts.get("kind") == "response" or (measured is not None and measured[3])
    name = f"{wire.short}.{vector.command}" + ("_response" if answers else "")
    found = [each.tree.schema for each in table.all if each.tree.prefix == name]
    if len(found) > 1:
        version = vector.facts.get("version", 1)
        found = [each for each in found if each.version == version]
    assert len(found) <= 1, f"{vector.name} may be of {len(found)} frames"
    return Layout.of_frame(found[0], table.head, wire.short) if found else None
