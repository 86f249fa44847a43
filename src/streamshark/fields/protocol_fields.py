"""The fields of one protocol, by name: of heads, of frames, computed, derived, embedded."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, Protocol

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.numbering import named
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.errors import SchemaError
from streamshark.fields import reassembled, times
from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable, sources
from streamshark.fields.field import ANNOTATION, BODIES, DERIVED, FieldInfo
from streamshark.fields.rows import HEADER_UNITS, HEADERS, MEMBERS
from streamshark.fields.types import (
    FieldType,
    groups,
    integer,
    is_listed,
    is_many,
    listed,
    value_type,
)
from streamshark.framing.wire_format import WireFormat
from streamshark.schema import nodes
from streamshark.schema.walk import name_of
from streamshark.schema.words import FieldFacts

COMPUTED: Final = "Computed, not in the bytes."
"""Added to the description of values that are not on the wire."""
FLAG: Final = FieldType("flag", "bool")


class DerivedTable(Protocol):
    """The declaration of a value that the engine derives: `conversations.tables.Derived`."""

    @property
    def name(self) -> str:
        """Last part of the field's name."""

    @property
    def doc(self) -> str:
        """One sentence."""

    @property
    def is_time(self) -> bool:
        """Whether the value is a time in ns."""

    @property
    def is_text(self) -> bool:
        """Whether the value is text."""


class RuleTable(Protocol):
    """The declaration of a rule: `findings.rule.Rule`."""

    @property
    def id(self) -> str:
        """Its id, such as `RMQ-C3`."""

    @property
    def title(self) -> str:
        """A short noun phrase."""


class FieldSource(Protocol):
    """The parts of a protocol that have fields; `protocols.protocol.Protocol` is one."""

    @property
    def wire(self) -> WireFormat:
        """Its frames."""

    @property
    def embedded_records(self) -> tuple[EmbeddedRecord, ...]:
        """Records in its own slots, or in those of other protocols."""

    @property
    def derived(self) -> Sequence[DerivedTable]:
        """Values that the engine derives."""

    @property
    def fields(self) -> tuple[CommonTable, ...]:
        """Fields that span commands."""

    @property
    def rules(self) -> Sequence[RuleTable]:
        """Rules about mistakes of peers."""


class ProtocolFields:
    """The fields of one protocol, over all its versions and dialects."""

    def __init__(self, source: FieldSource) -> None:
        self.source = source
        self.wire = source.wire
        self._commands: dict[str, dict[str, FieldInfo]] = {}
        """Fields by command, `<short>.<command>`; see `command`."""

    @cached_property
    def prefixes(self) -> dict[str, list[Decoder]]:
        """Decoders of each command, in all versions and dialects, by `<short>.<command>`."""
        out: dict[str, list[Decoder]] = {}
        for dialect in self.wire.dialects:
            table = self.wire.table(dialect)
            for decoder in table.all:
                prefix = name_of(self.wire.short, decoder.schema, table.head)
                out.setdefault(prefix, []).append(decoder)
        return out

    @cached_property
    def headers(self) -> dict[str, FieldInfo]:
        """The header fields, which are the same in every protocol but for types of numbers."""
        return {
            f"{self.wire.short}.{name}": self._header(name, kind, doc)
            for name, (kind, doc) in HEADERS.items()
        }

    @cached_property
    def derived(self) -> dict[str, tuple[FieldInfo, DerivedTable]]:
        """The derived values, with the table of each."""
        return {
            f"{self.wire.short}.{table.name}": (self._derived(table), table)
            for table in self.source.derived
        }

    @cached_property
    def embedded(self) -> dict[str, tuple[FieldInfo, EmbeddedRecord, nodes.Node]]:
        """The fields of embedded records, with record and node of each."""
        out: dict[str, tuple[FieldInfo, EmbeddedRecord, nodes.Node]] = {}
        for embedded in self.source.embedded_records:
            tree = embedded.decoder.tree
            secret, sizes = nodes.secrets(tree), groups(tree)
            for name, node in embedded.names.items():
                field = _of_node(self.wire.id, name, node, sizes, secret=node.id in secret)
                for each in (field, *_time_of(field, node)):
                    found = replace(each, many=True, needs=frozenset({BODIES}))
                    out.setdefault(each.name, (found, embedded, node))
        return out

    @cached_property
    def common(self) -> dict[str, tuple[FieldInfo, CommonTable, str]]:
        """The fields that span commands, with the table of each, and the flag that it means."""
        out: dict[str, tuple[FieldInfo, CommonTable, str]] = {}
        for table in self.source.fields:
            name = f"{self.wire.short}.{table.name}"
            field = self._common(name, table)
            out[name] = field, table, ""
            if isinstance(table, CommonField) and table.by_flag:
                for flag in self._flags(table):
                    own = FieldInfo(f"{name}.{flag}", self.wire.id, FLAG, f"Flag of {table.name}.")
                    out[own.name] = own, table, flag
        return out

    def command(self, prefix: str) -> Mapping[str, FieldInfo]:
        """Return the fields of one command in all its versions; empty for an unknown one."""
        if prefix not in self._commands and prefix in self.prefixes:
            found: dict[str, FieldInfo] = {}
            for decoder in self.prefixes[prefix]:
                for field in fields_of(self.wire, decoder.tree):
                    known = found.get(field.name)
                    found[field.name] = known.joined(field) if known else field
            self._commands[prefix] = found
        return self._commands.get(prefix, {})

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name that begins with the protocol's short name."""
        if name in self.headers:
            return self.headers[name]
        if self.is_common(name):
            return self.common[name][0]
        if (found := self.command(_prefix(name)).get(name)) is not None:
            return found
        if name.count(".") == 1 and name in self.derived:
            return self.derived[name][0]
        return self.embedded[name][0] if name in self.embedded else None

    def all(self) -> Iterator[FieldInfo]:
        """Yield all fields: of heads, derived, of frames, of embedded records."""
        yield from self.headers.values()
        yield from (field for field, *_ in self.common.values())
        yield from (field for field, _ in self.derived.values())
        for prefix in self.prefixes:
            yield from self.command(prefix).values()
        for name, (field, *_) in self.embedded.items():
            if name not in self.command(_prefix(name)):
                yield field

    def is_common(self, name: str) -> bool:
        """Return whether a name is that of a field that spans commands."""
        tables = self.source.fields
        named = any(each.name == name.split(".", 2)[1] for each in tables)
        return named and name in self.common

    def _common(self, name: str, table: CommonTable) -> FieldInfo:
        """Return a field that spans commands; its type is that of all members together."""
        if isinstance(table, CommonFlag):
            return FieldInfo(name, self.wire.id, FLAG, table.doc)
        found: FieldInfo | None = None
        trees = [(each.tree, False) for group in self.prefixes.values() for each in group]
        trees += [(each.decoder.tree, True) for each in self.source.embedded_records]
        for tree, inside in trees:
            own, many = sources(table, tree), listed(tree)
            for each in own:
                field = _of_node(self.wire.id, name, each, groups(tree), secret=False)
                field = replace(field, many=inside or len(own) > 1 or is_listed(each, many))
                if found and found.type.kind != field.type.kind:
                    raise SchemaError(f"{name}: {field.type.words} in {tree.name(each)}")
                found = found.joined(field) if found else field
        if found is None:
            raise SchemaError(f"{name}: no command has such a member")
        words = " or ".join(dict.fromkeys(map(_plain_words, found.type.words.split(" or "))))
        flags = None if table.by_flag else found.flags
        return replace(
            found,
            type=found.type._replace(words=words),
            doc=table.doc,
            facts=replace(found.facts, flags=flags, role=None),
            since="",
            needs=frozenset({ANNOTATION} if table.context else ()),
        )

    def _flags(self, table: CommonField) -> list[str]:
        """Return the names of the flags of a common field, over all commands."""
        decoders = [each for group in self.prefixes.values() for each in group]
        found = (node.facts for each in decoders for node in sources(table, each.tree))
        return list(dict.fromkeys(flag for facts in found for flag in (facts.flags or {}).values()))

    def _header(self, name: str, kind: FieldType, doc: str) -> FieldInfo:
        member = MEMBERS.get("problems" if name == "problem" else name)
        facts = FieldFacts(unit=HEADER_UNITS.get(name))
        needs = MEMBERS["response_time_ns"].needs if member is None else member.needs
        if name in ("key", "version", "correlation_id"):
            kind = self._number(name)._replace(words=kind.words)
        full = f"{self.wire.short}.{name}"
        return FieldInfo(full, self.wire.id, kind, doc, name == "problem", facts, needs=needs)

    def _number(self, name: str) -> FieldType:
        """Return the type of a header field that is a member of the head or of the body."""
        for decoders in self.prefixes.values():
            for decoder in decoders:
                head = decoder.tree.head
                wanted = (
                    decoder.correlates if name == "correlation_id" else getattr(head, name, None)
                )
                if wanted:
                    sizes = groups(decoder.tree)
                    node = decoder.tree.find(wanted)
                    return value_type(node, sizes.get(node.id, 0))
        return integer("", 32)

    def _derived(self, table: DerivedTable) -> FieldInfo:
        kind = (
            FieldType("number", "duration") if table.is_time else integer("number", 64, signed=True)
        )
        kind = FieldType("text", "text") if table.is_text else kind
        doc = f"{table.doc} {COMPUTED} Shown by -V, and by -T fields."
        facts = FieldFacts(unit="s" if table.is_time else None)
        name = f"{self.wire.short}.{table.name}"
        return FieldInfo(name, self.wire.id, kind, doc, False, facts, needs=frozenset({DERIVED}))  # noqa: FBT003


def _plain_words(words: str) -> str:
    """Return the type in words of one value of a list."""
    return words.removeprefix("list of ")


def _prefix(name: str) -> str:
    """Return the part of a name that names the command: `<short>.<command>`."""
    return ".".join(name.split(".", 2)[:2])


def fields_of(wire: WireFormat, tree: nodes.Tree) -> Iterator[FieldInfo]:
    """Yield the fields of one frame schema: members, flags, computed numbers, reassembled."""
    secret, sizes, many = nodes.secrets(tree), groups(tree), listed(tree)
    since = tree.schema.since
    for node in tree.named():
        field = _of_node(wire.id, tree.name(node), node, sizes, secret=node.id in secret)
        several = is_listed(node, many)
        yield (field := replace(field, many=several, since=field.since or since))
        for flag in (node.facts.flags or {}).values():
            doc = f"Flag of {node.name}."
            yield FieldInfo(f"{field.name}.{flag}", wire.id, FLAG, doc, several, since=field.since)
        yield from _time_of(field, node)
    for name, each in named(tree).items():
        doc = f"{each.doc} {COMPUTED}"
        yield FieldInfo(name, wire.id, integer("number", 64), doc, many=True, since=since)
    for name, _, kind, doc in reassembled.names(wire, tree):
        several = name.endswith(".fragments")
        yield FieldInfo(
            name, wire.id, kind, f"{doc} {COMPUTED}", several, needs=frozenset({BODIES})
        )


def _time_of(field: FieldInfo, node: nodes.Node) -> Iterator[FieldInfo]:
    """Yield the field of the time that a number is."""
    if times.scale_of(node) is not None:
        name, doc = f"{field.name}.{times.SUFFIX}", f"{field.name.rpartition('.')[2]} as a time."
        yield FieldInfo(name, field.protocol, times.TIME, doc, field.many, since=field.since)


def _of_node(
    protocol: str, name: str, node: nodes.Node, sizes: Mapping[int, int], *, secret: bool
) -> FieldInfo:
    facts = replace(node.facts, secret=True) if secret else node.facts
    kind = value_type(node, sizes.get(node.id, 0))
    return FieldInfo(name, protocol, kind, node.doc, is_many(node), facts, facts.since or "")
