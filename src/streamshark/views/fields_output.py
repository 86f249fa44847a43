"""`-T fields`: chosen fields of every row, one line per row, laid out as by tshark.

A field is given by its name in the registry: its full name (`rmqstream.publish.publisher_id`), a
name that spans commands (`rmqstream.stream`), a header field that every protocol has
(`rmqstream.command`), a member of the JSON (`time`, `flow`, `packets`), or one of three names that
are common with tshark.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import cells, opened, veiled
from streamshark.dissection.row import FrameRow, Row
from streamshark.fields import reassembled
from streamshark.fields.access import occurrences
from streamshark.fields.field import ANNOTATION, DERIVED, ConstantValue, FieldInfo, compiled
from streamshark.fields.registry import Fields
from streamshark.framing.wire_format import WireFormat
from streamshark.light_dataclass import record
from streamshark.schema import nodes
from streamshark.schema.secrets import is_hidden
from streamshark.views.annotations import context_json
from streamshark.views.display_options import MASK, DisplayOptions, Value
from streamshark.views.escaping import printable
from streamshark.views.json import encoded
from streamshark.views.times import NS, Rfc3339
from streamshark.views.values import Shaper, uuid_text

Text = Callable[[Value], str]
"""Formats one raw value of a field."""


@record
class Layout:
    """The layout that `-E` chooses; the defaults are tshark's."""

    header: bool = False
    separator: str = "\t"
    occurrence: str = "a"
    """`f` first, `l` last, `a` all."""
    aggregator: str = ","
    quote: str = ""


class FieldRows:
    """A view of rows as lines of chosen fields, without line ends."""

    def __init__(
        self, names: Sequence[str], fields: Fields, layout: Layout, showing: DisplayOptions
    ) -> None:
        self.malformed_bodies = 0
        """Always 0: payloads are not checked."""
        self.layout = layout
        self.showing = showing
        self.fields = fields
        self.chosen = [fields.get(name) for name in names]
        needs = frozenset[str]().union(*(each.needs for each in self.chosen))
        self.shows_annotations = not needs.isdisjoint({ANNOTATION, DERIVED})
        """Whether what the conversation engine knows is among the fields."""
        self._shaper = Shaper(showing)
        self._time = Rfc3339()
        self._lines: dict[Decoder | WireFormat | None, Callable[[Row], str]] = {}
        """The function that writes a row: by decoder, by protocol for frames without one, None for
        events."""

    def header(self) -> str:
        """Return the names of the fields, as `-E header=y` shows them."""
        return self.layout.separator.join(self._quoted(each.name) for each in self.chosen)

    def row(self, row: Row) -> str:
        """Return the line of a row."""
        kind = (row.decoder or row.connection.wire) if isinstance(row, FrameRow) else None
        line = self._lines.get(kind)
        if line is None:
            line = self._lines[kind] = self._line(row)
        return line(row)

    def _line(self, row: Row) -> Callable[[Row], str]:
        """Compile the function that writes rows such as this one."""
        decoder, wire = None, None
        if isinstance(row, FrameRow):
            decoder, wire = row.decoder, row.connection.wire
        scope: dict[str, Any] = {}
        found = [
            self._cell(field, decoder, wire, scope, f"cell_{place}")
            for place, field in enumerate(self.chosen)
        ]
        pattern = self.layout.separator.replace("%", "%%").join(["%s"] * len(found))
        return compiled(f"{pattern!r} % ({', '.join(found)},)", scope)

    def _cell(
        self,
        field: FieldInfo,
        decoder: Decoder | None,
        wire: WireFormat | None,
        scope: dict[str, Any],
        name: str,
    ) -> str:
        """Return the expression of a field's text in a row; what it calls is put into `scope`."""
        getter = self.fields.getter(field.name, decoder, wire)
        if decoder is not None and (veil := self._veil(field, decoder)) is not None:
            scope[name] = veil
            return f"{name}(row)"
        if getter is None:
            return "''"
        text = self._text(field, decoder)
        if isinstance(getter, ConstantValue):
            return repr(self._quoted(text(getter.value)))
        scope |= getter.scope
        if not getter.many and text is str and not self.layout.quote:
            return f"('' if (value := {getter.expression}) is None else value)"
        scope[name] = partial(self._several if getter.many else self._one, text)
        return f"{name}({getter.expression})"

    def _one(self, text: Text, value: Value) -> str:
        """Format the one value of a field; empty if it is absent."""
        return "" if value is None else self._quoted(text(value))

    def _several(self, text: Text, values: Iterable[Value]) -> str:
        """Format the occurrences of a field; null ones are empty."""
        return self._joined(["" if each is None else text(each) for each in values])

    def _joined(self, found: list[str]) -> str:
        if not found:
            return ""
        match self.layout.occurrence:
            case "f":
                found = found[:1]
            case "l":
                found = found[-1:]
        return self._quoted(self.layout.aggregator.join(found))

    def _quoted(self, text: str) -> str:
        quote = self.layout.quote
        return f"{quote}{text.replace(quote, quote * 2)}{quote}" if quote else text

    # From a field to its text

    def _text(self, field: FieldInfo, decoder: Decoder | None) -> Text:  # noqa: PLR0911 - one line a kind
        """Return the function that formats one value of a field."""
        if field.secret and not self.showing.secrets:
            return lambda _value: MASK
        match field.type.kind:
            case "int" if field.facts.base == "hex":
                return lambda value: f"{value:#x}"
            case "text":
                return lambda value: printable(value) if isinstance(value, str) else str(value)
            case "bytes":
                return _hex
            case "uuid":
                return _uuid
            case "time" if field.name.rpartition(".")[2] == "time":
                return lambda value: self._time(value) or ""
            case "time" | "duration":
                return _seconds
            case "record" if field.name == "context":
                return context_json
            case "record" | "unknown":
                return self._record(field, decoder)
            case _:
                return str

    def _record(self, field: FieldInfo, decoder: Decoder | None) -> Text:
        """Return the function that formats a record as JSON."""
        node = self.fields.node(field.name, decoder)
        shape = None if node is None else _one_of(self._shaper, node)
        return lambda value: encoded(value if shape is None else shape(value))

    def _veil(self, field: FieldInfo, decoder: Decoder) -> Callable[[Row], str] | None:
        """Return the function that writes a slot that may contain secrets; None for others."""
        if self.showing.secrets:
            return None
        tree = decoder.tree
        prefix, _, name = field.name.rpartition(".")
        if prefix == f"{tree.prefix}.{reassembled.REASSEMBLED}":
            node = next((each for each in tree.named() if each.path == (name,)), None)
            if isinstance(node, nodes.BlobNode) and node.slot is not None:
                return partial(self._veiled_whole, node)
        for node in tree.named():
            if tree.name(node) == field.name and isinstance(node, nodes.BlobNode):
                slot = node.slot
                return partial(self._veiled, node, tree) if slot and slot.veiled else None
        return None

    def _veiled_whole(self, node: nodes.BlobNode, row: Row) -> str:
        """Write what a slot that may contain secrets is reassembled to."""
        name = str(node.name)
        found = reassembled.values(row, name)
        if not found or node.slot is None or not isinstance(row, FrameRow):
            return ""
        masked = veiled(node.slot, opened(node, {name: found[0]}, row.agreed).declared)
        return self._joined([MASK if masked and each else each.hex() for each in found])

    def _veiled(self, node: nodes.BlobNode, tree: nodes.Tree, row: Row) -> str:
        """Write the occurrences of a slot that may contain secrets."""
        if not isinstance(row, FrameRow) or node.slot is None:
            return ""
        masked = any(
            each.node == node.id and veiled(node.slot, each.declared)
            for each in cells(tree, row.values, row.agreed)
        )
        found = occurrences(row.values, node.path)
        text = _hex if node.encoding is None else printable
        return self._joined(
            [MASK if masked and each else "" if each is None else text(each) for each in found]
        )


def _hex(value: bytes) -> str:
    """Format bytes as hex; masked ones as the mask."""
    return MASK if is_hidden(value) else value.hex()


def _uuid(value: bytes | str) -> str:
    """Format a UUID in its canonical form; one command may have it as text."""
    return uuid_text(value) if isinstance(value, bytes) else printable(value)


def _seconds(ns: int) -> str:
    """Format nanoseconds as seconds with nine decimals, as tshark does."""
    return f"{ns // NS}.{ns % NS:09}"


def _one_of(shaper: Shaper, node: nodes.Node) -> Callable[[Value], Value] | None:
    """Return the function that shapes one item of a node, if it is a list; None if unchanged."""
    if isinstance(node, nodes.ListNode):
        node = node.item
    shape = shaper.node(node)
    if isinstance(node, nodes.ProtoNode) and node.repeated and shape is not None:
        return lambda value: shape([value])[0]
    return shape
