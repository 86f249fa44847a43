"""A filter as a function of rows: plain Python, compiled for each kind of row when it first comes.

Header fields and constants of a decoder fold: where a relation cannot hold, it is not computed, and
where the whole filter cannot, rows of that decoder cost one look-up.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from streamshark.decoding.decoder import Decoder
from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import ConstantValue as FieldConstant
from streamshark.fields.field import Getter
from streamshark.fields.types import FieldType
from streamshark.filters.evaluate import (
    Values,
    as_bytes,
    comparing,
    matching,
    values_of,
)
from streamshark.filters.literals import Network
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
)
from streamshark.framing.wire_format import WireFormat

DEEPEST: Final = 24
"""Tests nested in one compiled expression; those below are functions of their own."""
Code = str | bool
"""A Python expression over `row`, or its value if that is known."""


class RowKind(NamedTuple):
    """A kind of row; events have neither."""

    decoder: Decoder | None
    wire: WireFormat | None


EVENTS: Final = RowKind(None, None)
"""The kind of events, and of packets."""


def key_of(row: object) -> Decoder | WireFormat | None:
    """Return what rows of one kind have in common: the decoder, the protocol, or nothing."""
    return (row.decoder or row.connection.wire) if isinstance(row, FrameRow) else None


def kind_of(row: object) -> RowKind:
    """Return the kind of a row."""
    return RowKind(row.decoder, row.connection.wire) if isinstance(row, FrameRow) else EVENTS


class FieldGetters(Protocol):
    """What gets fields from rows."""

    def getter(self, field: FieldValue, kind: RowKind) -> Getter | FieldConstant | None:
        """Return what gets a field from rows of a kind; None where they never have it."""


class Predicate:
    """Whether rows satisfy a filter."""

    def __init__(self, test: Test, fields: FieldGetters) -> None:
        self.test, self.fields = test, fields
        self._known: dict[Any, Callable[[Any], Any]] = {}

    def __call__(self, row: Any) -> bool:  # noqa: ANN401 - a row or packet
        """Return whether a row satisfies the filter."""
        # As `key_of`, without its call, which is a third of what a simple filter costs.
        key = (row.decoder or row.connection.wire) if isinstance(row, FrameRow) else None
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _Compiler(self.fields, kind_of(row)).function(self.test)
        try:
            return True if found(row) else False  # noqa: SIM210 - cheaper than a call of `bool`
        except (TypeError, AttributeError):  # a field whose versions have other types of values
            return False

    def take(self, rows: Iterable[Row]) -> list[Row]:
        """Return the rows that satisfy the filter."""
        return [row for row in rows if self(row)]

    def never(self, kind: RowKind) -> bool:
        """Return whether no row of a kind can satisfy the filter."""
        return _Compiler(self.fields, kind).code(self.test) is False


class _Compiler:
    """Compiles a test for one kind of row."""

    def __init__(self, fields: FieldGetters, kind: RowKind) -> None:
        self.fields, self.kind = fields, kind
        self.scope: dict[str, Any] = {}
        self.count = 0

    def function(self, test: Test) -> Callable[[Any], Any]:
        """Return a test as a function of a row."""
        code = self.code(test)
        made: Callable[[Any], Any] = eval(f"lambda row: {code}", self.scope)  # noqa: S307 - our own text
        return made

    def named(self, value: Any) -> str:  # noqa: ANN401 - any object
        """Return a name that stands for an object in the code."""
        self.count += 1
        name = f"k_{self.count}"
        self.scope[name] = value
        return name

    def temporary(self) -> str:
        """Return a name for a value of the expression itself."""
        self.count += 1
        return f"v_{self.count}"

    # Tests

    def code(self, test: Test, depth: int = 0) -> Code:  # noqa: PLR0911 - one row a kind
        """Return the code of a test."""
        if depth > DEEPEST:
            return f"{self.named(self.function(test))}(row)"
        match test:
            case Opposite():
                code = self.code(test.test, depth + 1)
                return (not code) if isinstance(code, bool) else f"(not {code})"
            case Joined():
                return self.joined(test, depth)
            case Present():
                return self.present(test.operand)
            case NonZero():
                if not self.may_have(test.operand):
                    return False
                return f"{self.named(_any_nonzero(self.values(test.operand)))}(row)"
            case Comparison():
                return self.comparison(test)
            case Match():
                return self.tested(test.operand, matching(test.pattern), is_all=test.all)
            case Within():
                return self.within(test)

    def joined(self, test: Joined, depth: int) -> Code:
        """Return the code of tests that are joined."""
        codes = [self.code(each, depth + 1) for each in test.tests]
        if test.symbol == "xor":
            return f"({' ^ '.join(f'bool({each})' for each in codes)})"
        ends = test.symbol == "or"
        if ends in [each for each in codes if isinstance(each, bool)]:
            return ends
        texts = [each for each in codes if not isinstance(each, bool)]
        return f"({f' {test.symbol} '.join(texts)})" if texts else not ends

    def present(self, operand: Operand) -> Code:
        """Return the code of whether an operand has a value."""
        if isinstance(operand, FieldValue):
            getter = self.getter(operand)
            if getter is None or isinstance(getter, FieldConstant):
                return getter is not None
            return self.has(getter)
        if not self.may_have(operand):
            return False
        return f"bool({self.named(self.values(operand))}(row))"

    def has(self, getter: Getter) -> str:
        """Return the code of whether a getter finds a value."""
        self.scope.update(getter.scope)
        if not getter.many:
            return f"({getter.expression} is not None)"
        return f"{self.named(_has_value)}({getter.expression})"

    def comparison(self, test: Comparison) -> Code:
        """Return the code of a comparison."""
        left, right = test.left, test.right
        if not (self.may_have(left) and self.may_have(right)):
            return False
        quick = self.quick(test)
        if quick is not None:
            return quick
        if isinstance(right, TypedConstant):
            compare, value = comparing(test.symbol, right.value, left.type), right.value
            return self.tested(left, lambda one: compare(one, value), is_all=test.all)
        if isinstance(left, TypedConstant) and isinstance(left.value, Network):
            flipped = comparing(_FLIPPED[test.symbol], left.value)
            network = left.value
            return self.tested(right, lambda one: flipped(one, network), is_all=test.all)
        compare = comparing(test.symbol, None, left.type)
        found = _pairs(self.values(left), self.values(right), compare, is_all=test.all)
        code = f"{self.named(found)}(row)"
        return self.provided((left, right), code) if test.all else code

    def quick(self, test: Comparison) -> Code | None:
        """Return the code of a field compared with a constant; None for other comparisons."""
        left, right = test.left, test.right
        if not isinstance(left, FieldValue) or not isinstance(right, TypedConstant):
            return None
        getter = self.getter(left)
        is_plain = not left.raw and left.type.kind != "protocol"
        if getter is None or not is_plain or isinstance(right.value, Network):
            return None
        if isinstance(getter, FieldConstant):
            return bool(comparing(test.symbol, None)(getter.value, right.value))
        constant = self.named(right.value)
        self.scope.update(getter.scope)
        if getter.many:
            is_any = test.symbol == "==" and not test.all
            return f"({constant} in {getter.expression})" if is_any else None
        value = self.temporary()
        known = f"({value} := {getter.expression}) is not None"
        if test.symbol == "contains":
            return f"({known} and {constant} in {value})"
        return f"({known} and {value} {test.symbol} {constant})"

    def within(self, test: Within) -> Code:
        """Return the code of a membership."""
        if not self.may_have(test.operand):
            return False
        exact = frozenset(
            first.value
            for first, last in test.elements
            if last is None
            and isinstance(first, TypedConstant)
            and not isinstance(first.value, Network)
        )
        others = [
            (first, last)
            for first, last in test.elements
            if not (last is None and isinstance(first, TypedConstant))
            or isinstance(first.value, Network)
        ]
        kind = test.operand.type
        tests = [self.element(first, last, kind) for first, last in others]

        def is_in(value: Any, row: Any) -> bool:  # noqa: ANN401 - of any type
            if value in exact:
                return True
            for each in tests:  # noqa: SIM110 - without a generator for each value
                if each(value, row):
                    return True
            return False

        quantify = all if test.all else any
        values = self.values(test.operand)
        negated = test.negated

        def found(row: Any) -> bool:  # noqa: ANN401 - a row
            known = values(row)
            return bool(known) and quantify(is_in(each, row) for each in known) != negated

        return f"{self.named(found)}(row)"

    def element(
        self, first: Operand, last: Operand | None, kind: FieldType
    ) -> Callable[[Any, Any], bool]:
        """Return whether a value is in an element of a set of values of a kind."""
        if last is None and isinstance(first, TypedConstant):
            compare, constant = comparing("==", first.value), first.value
            return lambda value, _row: compare(value, constant)
        lows = self.values(first)
        if last is None:
            return lambda value, row: value in lows(row)
        above, below = comparing(">=", None, kind), comparing("<=", None, kind)
        if isinstance(first, TypedConstant) and isinstance(last, TypedConstant):
            low, high = first.value, last.value
            return lambda value, _row: above(value, low) and below(value, high)
        highs = self.values(last)
        return lambda value, row: (
            any(above(value, each) for each in lows(row))
            and any(below(value, each) for each in highs(row))
        )

    def tested(self, operand: Operand, test: Callable[[Any], bool], *, is_all: bool) -> Code:
        """Return the code of whether any value, or all, pass a test."""
        if not self.may_have(operand):
            return False
        values = self.values(operand)
        if not is_all:
            return f"{self.named(lambda row: any(map(test, values(row))))}(row)"
        code = f"{self.named(lambda row: all(map(test, values(row))))}(row)"
        return self.provided((operand,), code)

    def provided(self, operands: Sequence[Operand], code: str) -> str:
        """Return the code of a test of all values, which needs the fields to be there."""
        needed = [
            self.present(each)
            for operand in operands
            for each in needed_fields(operand)
            if not each.selected
        ]
        texts = [each for each in needed if isinstance(each, str)]
        return f"({' and '.join([*texts, code])})"

    # Operands

    def getter(self, operand: FieldValue) -> Getter | FieldConstant | None:
        """Return what gets a field from rows of this kind."""
        return self.fields.getter(operand, self.kind)

    def values(self, operand: Operand) -> Values:
        """Return the function that gets the values of an operand."""
        return values_of(operand, self.field)

    def field(self, operand: FieldValue) -> Values | None:
        """Return the function that gets the values of a field."""
        getter = self.getter(operand)
        if getter is None:
            return None
        kind = operand.field.type
        if isinstance(getter, FieldConstant):
            value = as_bytes(getter.value, kind) if operand.raw else getter.value
            return lambda _row: (value,)
        get = getter.values
        if operand.raw:
            return lambda row: [as_bytes(each, kind) for each in get(row) if each is not None]
        if getter.many:
            return lambda row: [each for each in get(row) if each is not None]
        return get

    def may_have(self, operand: Operand) -> bool:
        """Return whether an operand can have a value in rows of this kind."""
        return all(self.getter(each) is not None for each in needed_fields(operand))


_FLIPPED: Final = {
    "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "contains": "contains",
}  # fmt: skip


def needed_fields(operand: Operand) -> list[FieldValue]:
    """Return the fields that must be there for an operand to have values."""
    match operand:
        case FieldValue():
            return [operand]
        case SliceValue() | NegatedValue():
            return needed_fields(operand.operand)
        case ArithmeticValue():
            return [*needed_fields(operand.left), *needed_fields(operand.right)]
        case CallValue() if operand.function not in {"count", "max", "min"}:
            return needed_fields(operand.arguments[0])
        case _:
            return []


def _has_value(values: Iterable[Any]) -> bool:
    return any(each is not None for each in values)


def _any_nonzero(values: Values) -> Callable[[Any], bool]:
    def found(row: Any) -> bool:  # noqa: ANN401 - a row
        return any(any(each) if isinstance(each, bytes) else each for each in values(row))

    return found


def _pairs(
    left: Values, right: Values, compare: Callable[[Any, Any], bool], *, is_all: bool
) -> Callable[[Any], bool]:
    quantify = all if is_all else any

    def found(row: Any) -> bool:  # noqa: ANN401 - a row
        others = right(row)
        return quantify(compare(one, other) for one in left(row) for other in others)

    return found
