"""A display filter: its text, trees, needs, and whether rows satisfy it."""

from collections.abc import Iterator, Mapping
from typing import Any

from streamshark.fields.field import ANNOTATION, DERIVED
from streamshark.fields.registry import Fields
from streamshark.filters.other_rows import FIRST_READING, AnalysedRows
from streamshark.filters.predicate import Predicate
from streamshark.filters.row_fields import RowFields
from streamshark.filters.syntax import parse
from streamshark.filters.typed import (
    ArithmeticValue,
    CallValue,
    Comparison,
    FieldValue,
    Joined,
    Match,
    NegatedValue,
    NonZero,
    Opposite,
    Present,
    SliceValue,
    Within,
    typed,
)
from streamshark.protocols.catalog import catalog, formats


class Filter:
    """A display filter, compiled; call it with a row."""

    def __init__(self, text: str, fields: RowFields) -> None:
        self.text = text
        self.fields = fields
        self.node = parse(text)
        """The syntax tree; None if the text is empty, which every row satisfies."""
        self.test = None if self.node is None else typed(self.node, text, fields)
        self.predicate = None if self.test is None else Predicate(self.test, fields)
        self.used = () if self.test is None else tuple(fields_of(self.test))
        """The fields that it names."""
        fields.prepare(self.used)
        self._notes = fields.others.is_needed
        self.count = 0
        """How many rows have satisfied it."""

    def __call__(self, row: Any) -> bool:  # noqa: ANN401 - a row, or a packet
        """Return whether a row satisfies the filter."""
        if self._notes:
            self.fields.others.note(row)
        if self.predicate is None or self.predicate(row):
            self.count += 1
            return True
        return False

    @property
    def needs(self) -> frozenset[str]:
        """What a reading must provide beside frames; see `Field.needs`."""
        return frozenset(need for each in self.used for need in each.field.needs)

    @property
    def needs_first_reading(self) -> bool:
        """Whether it needs values that only the whole capture has; see `learn`."""
        return FIRST_READING in self.needs

    def learn(self, analysis: AnalysedRows, unanswered: Mapping[int, str]) -> None:
        """Read the captures a first time, for a filter that needs it."""
        self.fields.others.learn(analysis, unanswered)

    @property
    def needs_analysis(self) -> bool:
        """Whether rows need annotations, or values that the engine derives."""
        return not self.needs.isdisjoint((ANNOTATION, DERIVED))


def compile(  # noqa: A001 - as of `re`
    text: str, fields: Fields | None = None, macros: Mapping[str, str] | None = None
) -> Filter:
    """Return a compiled filter of rows.

    Args:
        text: The filter, in the language of Wireshark 4.4.
        fields: The fields that it may name; by default those of all protocols.
        macros: Texts of macros that it may use, by name; by default those of Wireshark.

    Raises:
        FilterError: The text is no filter.
    """
    known = Fields(catalog(), formats=formats()) if fields is None else fields
    if "$" in text:
        from streamshark.filters.macros import BUILT_IN, expanded  # noqa: PLC0415 - few use any

        text = expanded(text, BUILT_IN if macros is None else macros)
    return Filter(text, RowFields(known))


def both(one: Filter, other: Filter) -> Filter:
    """Return the filter that needs two to be satisfied."""
    return Filter(f"({one.text}) and ({other.text})", one.fields)


def compile_for_packets(text: str, fields: Fields) -> Filter:
    """Return a compiled filter of packets, each with all its rows and headers."""
    from streamshark.filters.packet_fields import PacketFields  # noqa: PLC0415 - packets alone

    return Filter(text, PacketFields(fields))


def fields_of(node: Any) -> Iterator[FieldValue]:  # noqa: ANN401 - a test or an operand
    """Yield the fields below a test or operand, each time they are named."""
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, FieldValue):
            yield each
        stack.extend(reversed(_below(each)))


def protocol_bytes(test: Any) -> Iterator[FieldValue]:  # noqa: ANN401 - a test
    """Yield the protocols whose bytes a test needs, and not their presence alone."""
    stack = [test]
    while stack:
        each = stack.pop()
        if isinstance(each, FieldValue) and each.type.kind == "protocol":
            yield each
        if not isinstance(each, Present):
            stack.extend(_below(each))


def _below(node: Any) -> list[Any]:  # noqa: ANN401, PLR0911 - as above
    match node:
        case Joined():
            return list(node.tests)
        case Opposite():
            return [node.test]
        case Comparison() | ArithmeticValue():
            return [node.left, node.right]
        case Within():
            ends = [each for element in node.elements for each in element if each is not None]
            return [node.operand, *ends]
        case Present() | NonZero() | Match() | SliceValue() | NegatedValue():
            return [node.operand]
        case CallValue():
            return list(node.arguments)
        case _:
            return []
