"""A filter as SQL of Spark, over the tables of an archive.

A field of a row is NULL where it is absent, or an array where it may have several values. Each
relation is TRUE or FALSE and never NULL, so that NOT means in SQL what it means in a filter.
"""

from collections.abc import Callable
from itertools import count
from typing import Any, Final

from streamshark.fields.registry import Fields
from streamshark.fields.types import FieldType
from streamshark.filters import kinds
from streamshark.filters.error import FilterError
from streamshark.filters.filter import fields_of, protocol_bytes
from streamshark.filters.literals import Network
from streamshark.filters.nodes import Interval
from streamshark.filters.predicate import needed_fields
from streamshark.filters.row_fields import RowFields, is_in
from streamshark.filters.sql_columns import FRAMES, KeptColumns, SqlColumns, SqlValue
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
    Operand,
    Opposite,
    Present,
    SliceValue,
    Test,
    TypedConstant,
    Within,
    typed,
)

_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./: ")
"""Characters of text that need no escape."""
_LEAST, _WIDEST = -(1 << 63), 1 << 64
"""As in `evaluate`: results of arithmetic are between these, or there is no result."""
_MOST_BITS: Final = 32
"""Widest numbers of which SQL has the bits, whatever their sign."""
_FLIPPED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPERATORS: Final = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_RAW: Final = kinds.RAW | {"protocol"}


def statement(text: str, fields: Fields, kept: KeptColumns | None = None) -> str:
    """Return the SELECT of the rows of `frames` that satisfy a filter.

    `kept` is what the archive has beside the columns that all have.

    Raises:
        FilterError: The text is not a valid filter, or names something that no table has.
    """
    columns = SqlColumns(fields, kept)
    test = condition(text, columns)
    return f"SELECT {FRAMES}.*\nFROM frames {FRAMES}{columns.joins()}\nWHERE {test}"


def condition(text: str, columns: SqlColumns) -> str:
    """Return a filter as a condition over `frames` and the tables that `columns` notes.

    Raises:
        FilterError: As of `statement`.
    """
    node = parse(text)
    if node is None:
        return "TRUE"
    test = typed(node, text, RowFields(columns.fields))
    printer = _SqlPrinter(text, columns)
    for each in protocol_bytes(test):
        raise printer.error(f"no table has the bytes of {each.field.name}")
    for each in fields_of(test):
        printer.value(each)  # what has no column is said first
    return printer.test(test)


class _SqlPrinter:
    """Prints one filter."""

    def __init__(self, text: str, columns: SqlColumns) -> None:
        self.text, self.columns = text, columns
        self._names = count()

    def error(self, message: str) -> FilterError:
        """Return the error of something that SQL lacks."""
        return FilterError(message, self.text, 0, len(self.text))

    def name(self) -> str:
        """Return a name for the item of an array."""
        return f"x{next(self._names)}"

    # Tests

    def test(self, test: Test) -> str:  # noqa: PLR0911 - one row a kind
        """Return a test: TRUE or FALSE."""
        match test:
            case Opposite():
                return f"NOT ({self.test(test.test)})"
            case Joined(symbol="xor"):
                return f"({' <> '.join(f'({self.test(each)})' for each in test.tests)})"
            case Joined():
                return f"({f' {test.symbol.upper()} '.join(map(self.test, test.tests))})"
            case Present():
                return self.present(test.operand)
            case NonZero():
                return self.quantified(test.operand, self.nonzero(test.operand), is_all=False)
            case Comparison():
                return self.comparison(test)
            case Match():
                return self.quantified(test.operand, self.matches(test), is_all=test.all)
            case Within():
                return self.within(test)

    def present(self, operand: Operand) -> str:
        """Return whether an operand has a value."""
        found = self.value(operand) if isinstance(operand, FieldValue) else None
        if found is not None and not found.many:
            return f"({found.text} IS NOT NULL)"
        return f"(size({self.array(operand)}) > 0)"

    def quantified(self, operand: Operand, test: Callable[[str], str], *, is_all: bool) -> str:
        """Return whether any value, or all of at least one, pass a test."""
        found = self.value(operand) if isinstance(operand, FieldValue) else None
        if found is not None and not found.many:
            return f"coalesce({test(found.text)}, FALSE)"
        item, values = self.name(), self.array(operand)
        if not is_all:
            return f"coalesce(exists({values}, {item} -> {test(item)}), FALSE)"
        passed = f"coalesce(forall({values}, {item} -> {test(item)}), FALSE)"
        return f"({self.present_fields(operand)}{passed})"

    def present_fields(self, *operands: Operand) -> str:
        """Return the condition, with AND, that the fields of operands are there."""
        fields = dict.fromkeys(each for operand in operands for each in needed_fields(operand))
        return "".join(f"{self.present(each)} AND " for each in fields)

    def nonzero(self, operand: Operand) -> Callable[[str], str]:
        """Return the test of a value that is not zero."""
        if operand.type.kind in _RAW:
            raise self.error("SQL has no bytes that are tested for zero")
        return lambda value: f"{value} <> 0"

    def comparison(self, test: Comparison) -> str:
        """Return a comparison."""
        left, right, symbol = test.left, test.right, test.symbol
        if isinstance(left, TypedConstant):
            if isinstance(right, TypedConstant) or symbol not in _FLIPPED:
                raise self.error("SQL compares a field")
            left, right, symbol = right, left, _FLIPPED[symbol]
        compare = comparing(symbol)
        if isinstance(right, TypedConstant):
            constant = right.value
            if isinstance(constant, Network):
                mask, first = constant.mask, str(constant.first)
                return self.quantified(
                    left, lambda value: compare(f"({value} & {mask})", first), is_all=test.all
                )
            written = self.literal(constant, right.type)
            return self.quantified(left, lambda value: compare(value, written), is_all=test.all)
        one, other = self.name(), self.name()
        quantify = "forall" if test.all else "exists"
        inner = f"{quantify}({self.array(right)}, {other} -> {compare(one, other)})"
        found = f"coalesce({quantify}({self.array(left)}, {one} -> {inner}), FALSE)"
        return f"({self.present_fields(left, right)}{found})" if test.all else found

    def matches(self, test: Match) -> Callable[[str], str]:
        """Return the test of a regular expression, which reads bytes."""
        pattern = test.pattern.code.pattern.decode("latin-1").replace(r"\Z", r"\z")
        written = self.literal(f"(?i){pattern}", kinds.TEXT)
        is_text = test.operand.type.kind == "text"
        most = test.pattern.most

        def match(value: str) -> str:
            data = f"encode({value}, 'UTF-8')" if is_text else value
            return f"decode(substring({data}, 1, {most}), 'ISO-8859-1') RLIKE {written}"

        return match

    def within(self, test: Within) -> str:
        """Return a membership."""

        def is_in(value: str) -> str:
            found = (self.element(value, first, last) for first, last in test.elements)
            return f"({' OR '.join(found)})"

        if not test.negated:
            return self.quantified(test.operand, is_in, is_all=test.all)
        found = self.quantified(test.operand, is_in, is_all=test.all)
        return f"({self.present(test.operand)} AND NOT {found})"

    def element(self, value: str, first: Operand, last: Operand | None) -> str:
        """Return whether a value is in an element of a set."""
        if last is not None:
            above, below = comparing(">="), comparing("<=")
            return f"({self.any(first, value, above)} AND {self.any(last, value, below)})"
        if isinstance(first, TypedConstant) and isinstance(first.value, Network):
            return f"coalesce(({value} & {first.value.mask}) = {first.value.first}, FALSE)"
        return self.any(first, value, comparing("=="))

    def any(self, operand: Operand, value: str, compare: Callable[[str, str], str]) -> str:
        """Return whether a value compares with any of an operand."""
        if isinstance(operand, TypedConstant):
            constant = self.literal(operand.value, operand.type)
            return f"coalesce({compare(value, constant)}, FALSE)"
        item = self.name()
        return f"coalesce(exists({self.array(operand)}, {item} -> {compare(value, item)}), FALSE)"

    # Operands

    def value(self, field: FieldValue) -> SqlValue:
        """Return the expression of a field."""
        if field.raw or field.selected:
            raise self.error(f"SQL has no bytes of fields and no references: {field.field.name}")
        found = self.columns.value(field.field)
        if found is None:
            raise self.error(f"{field.field.name}: {self.columns.instead(field.field)}")
        if field.layers and not is_in(1, field.layers):  # rows are the first layer
            return SqlValue("NULL")
        return found

    def array(self, operand: Operand) -> str:
        """Return the values of an operand as an array without NULL."""
        item = self.name()
        return f"coalesce(filter({self.values(operand)}, {item} -> {item} IS NOT NULL), array())"

    def values(self, operand: Operand) -> str:
        """Return the values of an operand as an array."""
        match operand:
            case FieldValue():
                found = self.value(operand)
                return found.text if found.many else f"array({found.text})"
            case TypedConstant():
                return f"array({self.literal(operand.value, operand.type)})"
            case SliceValue():
                return self.mapped(operand.operand, self.slice(operand))
            case NegatedValue():
                return self.mapped(operand.operand, lambda value: f"-{self.signed(operand, value)}")
            case CallValue():
                return self.call(operand)
            case ArithmeticValue():
                return self.arithmetic(operand)

    def mapped(self, operand: Operand, convert: Callable[[str], str]) -> str:
        """Return the results of a function of each value."""
        item = self.name()
        return f"transform({self.array(operand)}, {item} -> {convert(item)})"

    def signed(self, operand: Operand, value: str) -> str:
        """Return a number with room for its sign."""
        return f"CAST({value} AS DECIMAL(20, 0))" if operand.type.kind in kinds.NUMBERS else value

    def slice(self, operand: SliceValue) -> Callable[[str], str]:
        """Return the parts of a value; NULL where none is whole."""
        if operand.operand.type.kind not in {"text", "bytes", "uuid"}:
            raise self.error("SQL has slices of text and bytes alone")
        empty = "''" if operand.type.kind == "text" else "X''"

        def sliced(value: str) -> str:
            size = f"length({value})"
            parts = [self.part(value, size, each) for each in operand.parts]
            whole = f"concat({', '.join(f'coalesce({each}, {empty})' for each in parts)})"
            return f"CASE WHEN coalesce({', '.join(parts)}) IS NOT NULL THEN {whole} END"

        return sliced

    def part(self, value: str, size: str, interval: Interval) -> str:
        """Return one part of a value; NULL where it goes beyond the value."""
        first = f"({size} + {interval.first})" if interval.first < 0 else str(interval.first)
        if interval.last is not None:
            last = f"{size} + {interval.last}" if interval.last < 0 else str(interval.last)
            end = f"({last} + 1)"
        else:
            end = size if interval.length is None else f"({first} + {interval.length})"
        is_whole = f"{first} >= 0 AND {first} < {end} AND {end} <= {size}"
        part = f"substring({value}, {first} + 1, {end} - {first})"
        return f"CASE WHEN {is_whole} THEN {part} END"

    def call(self, operand: CallValue) -> str:
        """Return the results of a function."""
        name, first = operand.function, operand.arguments[0]
        if name in {"max", "min"}:
            values = ", ".join(map(self.array, operand.arguments))
            return f"array(array_{name}(concat({values})))"
        if name == "count":
            return f"array(size({self.array(first)}))"
        kind = first.type
        if name == "vals" and isinstance(first, FieldValue):
            return self.mapped(first, self.named(first))
        if name == "string" and kind.kind in kinds.FLOATS | kinds.ADDRESSES | {"uuid"}:
            raise self.error(f"SQL has no string() of {kinds.named(kind)}")
        known = {
            "len": "length({})", "upper": "upper({})", "lower": "lower({})", "abs": "abs({})",
            "string": "CAST({} AS STRING)", "dec": "CAST({} AS STRING)",
            "float": "CAST({} AS DOUBLE)", "double": "CAST({} AS DOUBLE)",
        }  # fmt: skip
        if name not in known or (name == "len" and kind.kind not in {"text", "bytes", "uuid"}):
            raise self.error(f"SQL has no {name}() of {kinds.named(kind)}")
        return self.mapped(first, known[name].format)

    def named(self, field: FieldValue) -> Callable[[str], str]:
        """Return the name of a number."""
        names = sorted((field.field.names or {}).items())
        arms = " ".join(
            f"WHEN {number} THEN {self.literal(name, kinds.TEXT)}" for number, name in names
        )
        return lambda value: f"CASE {value} {arms} END"

    def arithmetic(self, operand: ArithmeticValue) -> str:
        """Return the results of an operator, for each pair of values."""
        one, other = self.name(), self.name()
        inner = (
            f"transform({self.array(operand.right)}, {other} -> {self.result(operand, one, other)})"
        )
        return f"flatten(transform({self.array(operand.left)}, {one} -> {inner}))"

    def result(self, operand: ArithmeticValue, one: str, other: str) -> str:
        """Return the result of an operator."""
        symbol, left, right = operand.symbol, operand.left.type, operand.right.type
        is_wide = symbol == "&" and max(left.bits, right.bits) > _MOST_BITS
        if is_wide or not {left.kind, right.kind} <= kinds.NUMBERS:
            what = f"{kinds.named(left)} and {kinds.named(right)}"
            raise self.error(f'SQL has no "{symbol}" of {what}')
        one, other = (f"CAST({each} AS DECIMAL(19, 0))" for each in (one, other))
        whole, by = (f"CAST({each} AS BIGINT)" for each in (one, other))
        match symbol:
            case "&":
                return f"{whole} & {by}"
            case "/":
                return f"CASE WHEN {other} <> 0 THEN {whole} DIV {by} END"
            case "%":
                return f"CASE WHEN {other} <> 0 THEN {one} % {other} END"
        found = f"{one} {symbol} {other}"
        signless = symbol == "*" and not left.signed and not right.signed
        more = f" AND {one} >= 0 AND {other} >= 0" if signless else ""
        return f"CASE WHEN {found} >= {_LEAST} AND {found} < {_WIDEST}{more} THEN {found} END"

    def literal(self, value: Any, kind: FieldType) -> str:  # noqa: ANN401 - of any type
        """Return a constant."""
        match value:
            case bool():
                return str(value).upper()
            case int():
                return str(value)
            case float():
                return f"CAST('{value!r}' AS DOUBLE)"
            case bytes():
                return f"X'{value.hex()}'"
            case str() if set(value) <= _PLAIN:
                return f"'{value}'"
            case str():
                data = value.encode(errors="surrogateescape").hex()
                return f"decode(X'{data}', 'UTF-8')"
            case _:
                raise self.error(f"SQL has no value of {kinds.named(kind)}")


def comparing(symbol: str) -> Callable[[str, str], str]:
    """Return the comparison of two values."""
    if symbol == "contains":
        return lambda one, other: f"contains({one}, {other})"
    return lambda one, other: f"{one} {_OPERATORS[symbol]} {other}"
