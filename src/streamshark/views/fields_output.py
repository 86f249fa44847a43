"""`-T fields`: chosen fields of every row, one line per row, laid out as by tshark.

A field is given by its full name (`rmqstream.publish.publisher_id`), by a header field that every
protocol has (`rmqstream.command`), by a member of the JSON (`time`, `flow`, `packets`), or by one
of three names that are common with tshark.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from streamshark.decoding.numbering import firsts, named
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, cells, opened, veiled
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.framing.wire_format import FrameTable, WireFormat
from streamshark.light_dataclass import record
from streamshark.schema import Numbering, nodes
from streamshark.schema.secrets import is_hidden
from streamshark.views import reassembly
from streamshark.views.annotations import context_json
from streamshark.views.display_options import MASK, DisplayOptions, Value
from streamshark.views.escaping import printable
from streamshark.views.info_column import digits
from streamshark.views.json import encoded
from streamshark.views.times import NS, Rfc3339
from streamshark.views.values import (
    Shaper,
    uuid_text,
)

if TYPE_CHECKING:
    from streamshark.conversations.tables import Derived

HEADERS = {
    "command": "Name of the command, the same for request and response.",
    "key": "Number on the wire that names the command.",
    "version": "Version that the frame carries, else what the connection agreed.",
    "kind": "request, response or command.",
    "sender": "client, server or peer, where that can be proved.",
    "correlation_id": "What joins a request and its response.",
    "length": "Bytes on the wire, the length prefix included.",
    "problem": "Codes of the frame's problems.",
    "conversation": "Id of the innermost conversation that the frame belongs to.",
    "request_frame": "Number of the frame that this one answers, the first of several.",
    "response_frame": "Number of the frame that answers this one; with -2.",
    "response_time": "Seconds since the frame that this one answers.",
}
"""Description of each header field that every protocol has."""

MEMBERS = {
    "frame": "Running number of the frame, from 1; empty for events.",
    "file": "Name of the capture file.",
    "time": "When the packet that completed it was captured, RFC 3339.",
    "time_ns": "The same in nanoseconds since 1970.",
    "flow": "Number of the connection, from 0: Wireshark's tcp.stream.",
    "src": "Source, address:port.",
    "dst": "Destination, address:port.",
    "packets": "Numbers of the packets that carried it.",
    "protocol": "Id of the protocol; tcp for events.",
    "command": "Name of the command or event.",
    "key": "Number on the wire that names the command.",
    "version": "Version of the command.",
    "kind": "request, response, command or event.",
    "sender": "client, server or peer.",
    "correlation_id": "What joins a request and its response.",
    "length": "Bytes on the wire.",
    "carrier": "Number of the frame that it rode in.",
    "problems": "Codes of the problems.",
    "conversation": "Id of the innermost conversation that it belongs to.",
    "request_frame": "Number of the frame that this one answers.",
    "response_time_ns": "Nanoseconds since that frame.",
    "response_frame": "Number of the frame that answers this one; with -2.",
    "context": "What the connection and the object of the row know, as JSON.",
    "frame.number": "As in tshark: number of the packet that completed it.",
    "frame.time_epoch": "As in tshark: seconds since 1970.",
    "tcp.stream": "As in tshark: the flow.",
}
"""Description of each member of any row."""

_OF_ANNOTATION = {
    "conversation": "row.annotation.conversation if row.annotation else None",
    "request_frame": "row.annotation.request_frame if row.annotation else None",
    "response_time_ns": "row.annotation.response_time_ns if row.annotation else None",
    "response_frame": "row.annotation.response_frame if row.annotation else None",
    "response_time": "_seconds(row.annotation.response_time_ns) if row.annotation else None",
    "context": "context_json(row.annotation.context) if row.annotation else None",
}
_OF_ROW = {
    **_OF_ANNOTATION,
    "time_ns": "row.time_ns",
    "frame.time_epoch": "_seconds(row.time_ns)",
    "flow": "row.connection.flow.number",
    "tcp.stream": "row.connection.flow.number",
    "frame.number": "row.packet",
    "src": "row.addresses[0]",
    "dst": "row.addresses[1]",
    "sender": "row.sender",
}
_OF_FRAME = {
    **_OF_ROW,
    "frame": "row.number",
    "protocol": "row.connection.wire.id",
    "command": "row.command",
    "key": "row.key",
    "version": "row.version",
    "kind": "row.kind",
    "correlation_id": "_safe(row.correlation_id)",
    "length": "len(row.data)",
    "carrier": "row.carrier.number if row.carrier else None",
}
_OF_EVENT = {
    **_OF_ROW,
    "protocol": "row.protocol",
    "command": "row.name",
    "kind": "'event'",
    "length": "0",
}
"""By name, the expression of each member with at most one value; None if it is absent."""

Getter = Callable[[Row], list[str]]
"""The occurrences of a field in a row."""


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

    def __init__(  # noqa: PLR0913, PLR0917 - everything that defines the columns
        self,
        names: Sequence[str],
        tables: Iterable[FrameTable],
        layout: Layout,
        showing: DisplayOptions,
        files: Sequence[str] = (),
        layers: PayloadReaders | None = None,
        derived: "Callable[[], Mapping[str, Derived]]" = dict,
    ) -> None:
        self.shows_annotations = False
        """Whether an annotation is among the fields."""
        self.derived = derived
        """Values that the engine computes for rows, by full name."""
        self.layers = layers or PayloadReaders(())
        """Decodes payloads, for fields inside them."""
        self.malformed_bodies = 0
        """Always 0: payloads are not checked."""
        self.names = list(names)
        self.layout = layout
        self.showing = showing
        self.files = files
        self._tables = tuple(tables)
        self._shaper = Shaper(showing)
        self._time = Rfc3339()
        self._found: dict[tuple[object, str], Getter] = {}
        self._getters = [self._getter(name) for name in self.names]
        self._lines: dict[WireFormat | None, Callable[[Row], str]] = {}
        """By protocol, None for events: the function that writes a row."""

    def header(self) -> str:
        """Return the names of the fields, as `-E header=y` shows them."""
        return self.layout.separator.join(self._quoted(name) for name in self.names)

    def row(self, row: Row) -> str:
        """Return the line of a row."""
        wire = row.connection.wire if isinstance(row, FrameRow) else None
        line = self._lines.get(wire)
        if line is None:
            line = self._lines[wire] = self._line(wire)
        return line(row)

    def _line(self, wire: WireFormat | None) -> Callable[[Row], str]:
        """Compile one function that writes rows of a protocol, or events if it is None."""
        scope: dict[str, Any] = {}
        cells = []
        for place, (name, getter) in enumerate(zip(self.names, self._getters, strict=True)):
            own = wire is not None and name.startswith(f"{wire.short}.")
            member = name.partition(".")[2] if own else ""
            found = (_OF_EVENT if wire is None else _OF_FRAME).get(
                member if member in HEADERS else name
            )
            if found is None or self.layout.quote:
                scope[f"cell{place}"] = partial(self._cell, getter)
                found = f"cell{place}(row)"
            cells.append(f"'' if (value := {found}) is None else value")
        pattern = self.layout.separator.replace("%", "%%").join(["%s"] * len(cells))
        return _function(f"{pattern!r} % ({', '.join(cells)},)", scope)

    def _cell(self, getter: Getter, row: Row) -> str:
        found = getter(row)
        if not found:
            return ""
        if len(found) == 1:
            return self._quoted(found[0])
        match self.layout.occurrence:
            case "f":
                found = found[:1]
            case "l":
                found = found[-1:]
        return self._quoted(self.layout.aggregator.join(found))

    def _quoted(self, text: str) -> str:
        quote = self.layout.quote
        return f"{quote}{text.replace(quote, quote * 2)}{quote}" if quote else text

    # From a name to a function

    def _getter(self, name: str) -> Getter:
        """Return the function that gets a field.

        Raises:
            StreamsharkError: No field has this name; names similar ones.
        """
        if name in MEMBERS:
            return self._member(name)
        for table in self._tables:
            short, _, member = name.partition(".")
            if short == table.wire.short and member in HEADERS:
                return self._header(table, "problems" if member == "problem" else member)
        own = [table for table in self._tables if name.startswith(f"{table.wire.short}.")]
        if any(name in _fields(table) for table in own):
            return lambda row: self._field(name, row)
        embedded_records = [
            each for each in self.layers.readers if isinstance(each, EmbeddedRecord)
        ]
        for embedded in embedded_records:
            if name in embedded.names:
                return self._inside(embedded, embedded.names[name])
        if (derived := self.derived().get(name)) is not None:
            self.shows_annotations = True
            return lambda row: _derived(derived, row)
        known = dict.fromkeys(each for table in self._tables for each in _fields(table))
        known |= dict.fromkeys(self.derived())
        known |= {each: None for embedded in embedded_records for each in embedded.names}
        import difflib  # noqa: PLC0415 - for this error alone

        near = difflib.get_close_matches(name, [*known, *MEMBERS], 3)
        hint = f" (near: {', '.join(near)})" if near else " (`streamshark fields` lists them)"
        raise StreamsharkError(f"unknown field {printable(name)!r}{hint}")

    def _header(self, table: FrameTable, member: str) -> Getter:
        wire, of_member = table.wire.id, self._member(member)

        def get(row: Row) -> list[str]:
            if not isinstance(row, FrameRow) or row.connection.wire.id != wire:
                return []
            return of_member(row)

        return get

    def _member(self, name: str) -> Getter:
        """Return the function that gets a member of any row; no occurrence where JSON has null."""
        self.shows_annotations = self.shows_annotations or name in _OF_ANNOTATION
        match name:
            case "packets":
                return lambda row: [str(each) for each in row.packets]
            case "problems":
                return lambda row: [each.code.word for each in row.problems]
            case "file":
                return lambda row: [printable(self.files[row.file])] if self.files else []
            case "time":
                return lambda row: [text] if (text := self._time(row.time_ns)) else []
        of_frame, of_event = _function(_OF_FRAME[name]), _function(_OF_EVENT.get(name, "None"))

        def get(row: Row) -> list[str]:
            value = of_frame(row) if isinstance(row, FrameRow) else of_event(row)
            return [] if value is None else [str(value)]

        return get

    def _field(self, name: str, row: Row) -> list[str]:
        """Return the occurrences of a schema field in a row."""
        if not isinstance(row, FrameRow) or row.decoder is None:
            return []
        getter = self._found.get((row.decoder, name))
        if getter is None:
            getter = self._of_whole(name, row) or self._of_schema(name, row.decoder.tree)
            self._found[row.decoder, name] = getter
        return getter(row)

    def _of_schema(self, name: str, tree: nodes.Tree) -> Getter:
        """Return the function that gets a field from frames of one schema."""
        if name in (numbers := named(tree)):
            return lambda row: _numbers(numbers[name], row)
        node = next((each for each in tree.named() if tree.name(each) == name), None)
        if node is None:
            return lambda _row: []
        masked = node.id in nodes.secrets(tree) and not self.showing.secrets
        if isinstance(node, nodes.BlobNode) and node.slot and node.slot.veiled:
            return lambda row: self._veiled(node, tree, row)
        given = "values" if _is_listed(node, tree) else "outline"
        return lambda row: [
            MASK if masked else self._text(node, each)
            for each in occurrences(getattr(row, given, {}), node.path)
        ]

    def _of_whole(self, name: str, row: FrameRow) -> Getter | None:
        """Return the function that gets a reassembled member; None for other fields."""
        if row.decoder is None:
            return None
        for each, member, *_ in reassembly.names(row.connection.wire, row.decoder.tree):
            if each == name:
                return lambda row: self._whole(member, row)
        return None

    def _whole(self, member: str, row: Row) -> list[str]:
        """Return the occurrences of a member of what fragments are reassembled to."""
        if not isinstance(row, FrameRow) or row.decoder is None:
            return []
        found = {**reassembly.facts(row), **(row.reassembled or {})}.get(member)
        if isinstance(found, bytes):
            node = row.decoder.tree.find(member)
            if isinstance(node, nodes.BlobNode) and node.slot and not self.showing.secrets:
                declared = opened(node, {member: found}, row.agreed).declared
                return [MASK if found and veiled(node.slot, declared) else found.hex()]
            return [found.hex()]
        many = found if isinstance(found, list) else [found]
        return [str(each) for each in many if each is not None]

    def _inside(self, embedded: EmbeddedRecord, node: nodes.Node) -> Getter:
        """Return the function that gets a field of an embedded record, in reassembled slots too."""
        masked = node.id in nodes.secrets(embedded.decoder.tree) and not self.showing.secrets

        def get(row: Row) -> list[str]:
            if not isinstance(row, FrameRow) or row.decoder is None:
                return []
            values = (row.reassembled or {}) if row.piece else row.values
            records = [
                embedded.record_of(value)
                for cell in cells(row.decoder.tree, values, row.agreed)
                for found, value in self.layers.embedded_records(cell, row.agreed)
                if found is embedded
            ]
            shown = occurrences(records, node.path)
            return [MASK if masked else self._text(node, each) for each in shown]

        return get

    def _veiled(self, node: nodes.BlobNode, tree: nodes.Tree, row: Row) -> list[str]:
        """Return the occurrences of a slot that may contain secrets."""
        if not isinstance(row, FrameRow) or node.slot is None:
            return []
        masked = not self.showing.secrets and any(
            each.node == node.id and veiled(node.slot, each.declared)
            for each in cells(tree, row.values, row.agreed)
        )
        found = occurrences(row.values, node.path)
        return [MASK if masked and each else self._text(node, each) for each in found]

    def _text(self, node: nodes.Node, value: Value) -> str:
        """Return one occurrence as text; records as JSON."""
        if isinstance(value, dict):
            return encoded(_one(self._shaper, node)(value))
        if isinstance(value, bytes) and is_hidden(value):
            return MASK
        if isinstance(value, bytes):
            is_uuid = isinstance(node, nodes.BlobNode) and node.encoding == "uuid"
            return uuid_text(value) if is_uuid else value.hex()
        if isinstance(value, str):
            return printable(value)
        if isinstance(value, int):
            return digits(node, value)
        return "" if value is None else str(value)


@cache
def _fields(table: FrameTable) -> dict[str, None]:
    """Return the full names of all fields of a table's frames, reassembled members included."""
    known = dict.fromkeys(names_of(table))
    for decoder in table.all:
        known |= dict.fromkeys(named(decoder.tree))
        known |= {each: None for each, *_ in reassembly.names(table.wire, decoder.tree)}
    return known


def _derived(table: "Derived", row: Row) -> list[str]:
    """Return the values that the engine computed; empty if unknown."""
    values = (each for each in getattr(row, "derived", ()) if each.table is table)
    shown = [each.value for each in values if not each.doubt]
    return [str(_seconds(each) if table.is_time else each) for each in shown]


def _function(expression: str, scope: Mapping[str, Any] | None = None) -> Callable[[Any], Any]:
    """Compile an expression into a function of a row."""
    known = {"_seconds": _seconds, "_safe": _safe, "context_json": context_json, **(scope or {})}
    made: Callable[[Any], Any] = eval(f"lambda row: {expression}", known)  # noqa: S307 - our own text, above
    return made


def _is_listed(node: nodes.Node, tree: nodes.Tree) -> bool:
    """Return whether a field is a list or is in one, so that the outline lacks it."""
    lists = {each.path for each in tree.nodes if isinstance(each, nodes.ListNode)}
    return any(node.path[:count] in lists for count in range(1, len(node.path) + 1))


def _seconds(ns: int | None) -> str | None:
    """Format nanoseconds as seconds with nine decimals, as tshark does."""
    return None if ns is None else f"{ns // NS}.{ns % NS:09}"


def _safe(value: Value) -> Value:
    """Make text from the wire printable; other values stay the same."""
    return printable(value) if isinstance(value, str) else value


def _numbers(numbering: Numbering, row: Row) -> list[str]:
    """Return the computed numbers of the items of a list."""
    *path, _ = numbering.items.split(".")
    records = occurrences(getattr(row, "values", {}), path)
    return [str(each) for record in records for each in firsts(numbering, record)]


def _one(shaper: Shaper, node: nodes.Node) -> Callable[[Value], Value]:
    """Return the function that shapes one item of a node, if it is a list."""
    if isinstance(node, nodes.ListNode):
        node = node.item
    shape = shaper.node(node)
    if isinstance(node, nodes.ProtoNode) and node.repeated and shape is not None:
        return lambda value: shape([value])[0]
    return shape or (lambda value: value)


def occurrences(value: Value, path: Sequence[str]) -> list[Value]:
    """Return all values at a path, through lists; a list at its end yields its items."""
    if isinstance(value, list):
        return [found for item in value for found in occurrences(item, path)]
    if not path:
        return [value]
    if not isinstance(value, dict) or path[0] not in value:
        return []
    return occurrences(value[path[0]], path[1:])


def names_of(table: FrameTable) -> Mapping[str, nodes.Node]:
    """Return the full names of a table's fields, with a node of each."""
    return {each.tree.name(node): node for each in table.all for node in each.tree.named()}
