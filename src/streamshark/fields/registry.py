"""The registry: finds fields by name, and the getter of a field from the rows of a decoder.

It serves every list of names: columns (`-T fields`), `streamshark fields`, the manual, Arrow,
plugins and display filters. A protocol's frames are walked when one of its names is first asked
for, and of those only the ones that have the command in the name.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.numbering import named
from streamshark.decoding.payloads import Format, PayloadReaders
from streamshark.dissection.row import Row
from streamshark.errors import StreamsharkError
from streamshark.fields import reassembled, times
from streamshark.fields.access import Accessor
from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable, sources
from streamshark.fields.field import ConstantValue, FieldInfo, Getter
from streamshark.fields.protocol_fields import DerivedTable, FieldSource, ProtocolFields
from streamshark.fields.rows import HEADERS, MEMBERS, member_getter
from streamshark.framing.wire_format import WireFormat
from streamshark.schema import nodes


class Fields:
    """All fields of some protocols.

    `layers` decode payloads, for getters of fields inside them; `files` are the names of the
    captures, for the getter of `file`; `formats` those of bodies whose fields filters may name;
    `info` makes the text of the Info column of a row.
    """

    def __init__(
        self,
        sources: Iterable[FieldSource],
        layers: PayloadReaders | None = None,
        files: Sequence[str] = (),
        formats: Sequence[Format] = (),
        info: Callable[[Row], str] | None = None,
    ) -> None:
        self.protocols = {each.wire.short: ProtocolFields(each) for each in sources}
        """By short name."""
        self.layers = layers or PayloadReaders(())
        self.files = files
        self.formats = formats
        self.info = info
        self._accessor = Accessor()
        self._getters: dict[tuple[str, object, str], Getter | ConstantValue | None] = {}

    # Fields

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name; None if no field has it."""
        if name in MEMBERS:
            return MEMBERS[name]
        own = self.protocols.get(name.partition(".")[0])
        return own.find(name) if own is not None else None

    def get(self, name: str) -> FieldInfo:
        """Return the field of a name.

        Raises:
            StreamsharkError: No field has this name; names similar ones.
        """
        found = self.find(name)
        if found is not None:
            return found
        near = self.near(name)
        hint = f" (near: {', '.join(near)})" if near else " (`streamshark fields` lists them)"
        raise StreamsharkError(f"unknown field {name!r}{hint}")

    def near(self, name: str, most: int = 3) -> list[str]:
        """Return the names of fields that are most like a wrong name, the most similar first."""
        import difflib  # noqa: PLC0415 - for errors alone

        return difflib.get_close_matches(name, [each.name for each in self.all()], most)

    def starting(self, prefix: str) -> Iterator[FieldInfo]:
        """Yield all fields whose names begin with a prefix, in the order of `all`."""
        short, dot, _ = prefix.partition(".")
        if dot and short in self.protocols:
            yield from (
                each for each in self.protocols[short].all() if each.name.startswith(prefix)
            )
        yield from (
            each
            for each in (MEMBERS.values() if dot else self.all())
            if each.name.startswith(prefix)
        )

    def all(self) -> Iterator[FieldInfo]:
        """Yield all fields: the members of every row, then protocol by protocol."""
        yield from MEMBERS.values()
        for each in self.protocols.values():
            yield from each.all()

    def node(self, name: str, decoder: Decoder | None) -> nodes.Node | None:
        """Return the node of a field in frames of a decoder, or in an embedded record."""
        tree = None if decoder is None else decoder.tree
        for each in tree.named() if tree is not None else ():
            if tree is not None and tree.name(each) == name:
                return each
        own = self.protocols.get(name.partition(".")[0])
        return own.embedded[name][2] if own is not None and name in own.embedded else None

    def carried(self, decoder: Decoder, wire: WireFormat) -> list[FieldInfo]:
        """Return the fields that span commands and have a value in frames of a decoder.

        What only the connection knows does not count.
        """
        known = self.protocols.get(wire.short)
        return [
            field
            for field, table, _ in (known.common.values() if known is not None else ())
            if sources(table, decoder.tree)
            or (
                isinstance(table, CommonFlag)
                and decoder.tree.prefix.partition(".")[2] in table.commands
            )
        ]

    # Getters

    def getter(
        self, name: str, decoder: Decoder | None, wire: WireFormat | None = None
    ) -> Getter | ConstantValue | None:
        """Return what gets a field from frames of a decoder; None where they never have it.

        `decoder` is `FrameRow.decoder`, and `wire` the frame's `connection.wire`, from which a
        frame has its header fields even where no schema is known for it (`decoder` None). With
        neither, it gets the field from events.
        """
        key = name, decoder, wire.short if wire else ""
        if key not in self._getters:
            self._getters[key] = self._getter(name, decoder, wire)
        return self._getters[key]

    def _getter(
        self, name: str, decoder: Decoder | None, wire: WireFormat | None
    ) -> Getter | ConstantValue | None:
        short, _, rest = name.partition(".")
        if name in MEMBERS:
            return self._member(name, decoder, wire)
        if wire is None or short not in self.protocols:
            return None
        if rest in HEADERS:
            return self._member(rest, decoder, wire) if wire.short == short else None
        known = self.protocols[short]
        if known.is_common(name):
            return self._common(known, name, decoder, wire)
        found = self._of_tree(name, decoder, wire) if decoder is not None else None
        return found or self._beside(known, name, decoder, wire)

    def _common(
        self, known: ProtocolFields, name: str, decoder: Decoder | None, wire: WireFormat
    ) -> Getter | ConstantValue | None:
        """Return the getter of a field that spans commands."""
        _, table, flag = known.common[name]
        own = decoder if decoder is not None and wire.short == known.wire.short else None
        if isinstance(table, CommonField):
            return self._common_values(known, table, flag, decoder, own)
        if own is not None and own.tree.prefix.partition(".")[2] in table.commands:
            return ConstantValue(value=True)
        value = self._common_values(known, table, "", decoder, own)
        return None if value is None else self._accessor.holds(value, table.unless)

    def _common_values(
        self,
        known: ProtocolFields,
        table: CommonTable,
        flag: str,
        decoder: Decoder | None,
        own: Decoder | None,
    ) -> Getter | None:
        """Return the getter of the members of a frame, and of records inside it, or of context."""
        make, found = self._accessor, list[Getter]()
        if own is not None:
            found += self._own_values(table, flag, own)
        if decoder is not None and not flag:
            paths = {
                each.id: [node.path for node in sources(table, each.decoder.tree)]
                for each in known.source.embedded_records
                if each.slots & _slots(decoder)
            }
            if any(paths.values()):
                found.append(make.inside(paths, self.layers))
        if found:
            return make.joined(found)
        context = table.context if isinstance(table, CommonField) else ""
        return make.context(context) if own is not None and context else None

    def _own_values(self, table: CommonTable, flag: str, decoder: Decoder) -> Iterator[Getter]:
        """Yield the getters of the members of a frame that have a common field's value."""
        for node in sources(table, decoder.tree):
            if not flag:
                yield self._accessor.path(decoder, node.path)
            for mask, name in (node.facts.flags or {}).items():
                if flag and name == flag:
                    yield self._accessor.flag(decoder, node.path, mask)

    def _beside(
        self, known: ProtocolFields, name: str, decoder: Decoder | None, wire: WireFormat
    ) -> Getter | None:
        """Return the getter of a value that is derived, or inside a slot."""
        if name.count(".") == 1 and wire.short == known.wire.short and name in known.derived:
            return self._derived(known.derived[name][1])
        if decoder is not None and _slots(decoder) and name in known.embedded:
            field, embedded, node = known.embedded[name]
            value = self._accessor.inside({embedded.id: [node.path]}, self.layers)
            factor = times.scale_of(node) if field.type.kind == "time" else None
            return value if factor is None else self._accessor.time(value, factor)
        return None

    def _member(
        self, name: str, decoder: Decoder | None, wire: WireFormat | None
    ) -> Getter | ConstantValue | None:
        if name == "file":
            return Getter("f_files[row.file]", {"f_files": self.files}) if self.files else None
        if decoder is not None and name in ("command", "kind"):
            schema = decoder.schema
            return ConstantValue(schema.name if name == "command" else schema.kind.value)
        if wire is not None and name == "protocol":
            return ConstantValue(wire.id)
        return member_getter(name, event=wire is None)

    def _of_tree(self, name: str, decoder: Decoder, wire: WireFormat) -> Getter | None:
        tree = decoder.tree
        if not name.startswith(f"{tree.prefix}."):
            return None
        if name in (numbers := named(tree)):
            return self._accessor.numbers(numbers[name])
        for each, member, *_ in reassembled.names(wire, tree):
            if each == name:
                return self._accessor.call(partial(reassembled.values, member=member))
        around, _, last = name.rpartition(".")
        for node in tree.named():
            if tree.name(node) == name:
                return self._accessor.path(decoder, node.path)
            if tree.name(node) == around and (below := self._below(decoder, node, last)):
                return below
        return None

    def _below(self, decoder: Decoder, node: nodes.Node, last: str) -> Getter | None:
        """Return the getter of what is known of a number: of one of its flags, of its time."""
        for mask, flag in (node.facts.flags or {}).items():
            if flag == last:
                return self._accessor.flag(decoder, node.path, mask)
        factor = times.scale_of(node) if last == times.SUFFIX else None
        value = self._accessor.path(decoder, node.path)
        return None if factor is None else self._accessor.time(value, factor)

    def _derived(self, table: DerivedTable) -> Getter:
        def get(row: Row) -> list[Any]:
            values = (each for each in getattr(row, "derived", ()) if each.table is table)
            return [each.value for each in values if not each.doubt]

        return self._accessor.call(get)


def _slots(decoder: Decoder) -> set[str]:
    """Return the names of the slots of a frame."""
    slots = (getattr(each, "slot", None) for each in decoder.tree.nodes)
    return {each.name for each in slots if each is not None}
