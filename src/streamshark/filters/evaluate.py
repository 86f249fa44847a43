"""Functions of operands: each takes a row and returns the values of an operand, none if absent."""

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from streamshark.fields.types import FieldType
from streamshark.filters import kinds
from streamshark.filters.literals import Network
from streamshark.filters.nodes import Interval
from streamshark.filters.typed import (
    ArithmeticValue,
    CallValue,
    FieldValue,
    NegatedValue,
    Operand,
    SliceValue,
    TypedConstant,
)

if TYPE_CHECKING:
    from streamshark.filters.patterns import Pattern

Value = Any
Values = Callable[[Any], Sequence[Value]]
"""The values of an operand in a row."""
FieldValues = Callable[[FieldValue], Values | None]
"""What gets the values of a field; None where rows of this kind never have it."""

_LEAST: Final = -(1 << 63)
"""The least integer has no opposite in 64 bits, and stays."""
_WIDEST: Final = 1 << 64
"""Results of arithmetic are smaller, or there is no result."""
COMPARES: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
    "contains": lambda one, other: other in getattr(one, "whole", one),
}  # fmt: skip


def values_of(operand: Operand, field: FieldValues) -> Values:
    """Return the function that gets the values of an operand."""
    match operand:
        case TypedConstant():
            known = (operand.value,)
            return lambda _row: known
        case FieldValue():
            return field(operand) or _absent
        case SliceValue():
            return _sliced(operand, values_of(operand.operand, field))
        case NegatedValue():
            negated = values_of(operand.operand, field)
            return lambda row: [each if each == _LEAST else -each for each in negated(row)]
        case ArithmeticValue():
            return _calculated(operand, field)
        case CallValue():
            return _called(operand, field)


def _absent(_row: object) -> Sequence[Value]:
    return ()


def as_bytes(value: Value, kind: FieldType) -> bytes:
    """Return a value as its bytes."""
    match value:
        case bytes():
            return value
        case str():
            return value.encode(errors="surrogateescape")
        case bool():
            return bytes([value])
        case int():
            size = max((kind.wire_bits or kind.bits or 64) // 8, 1)
            return (value & ((1 << 8 * size) - 1)).to_bytes(size, "big")
        case _:
            return b""


def _sliced(operand: SliceValue, inner: Values) -> Values:
    kind, parts = operand.operand.type, operand.parts
    is_text = kind.kind == "text"

    def get(row: object) -> Sequence[Value]:
        out = []
        for value in inner(row):
            whole = value if is_text else as_bytes(value, kind)
            found = [part for each in parts if (part := _part(whole, each))]
            if found:
                out.append(("" if is_text else b"").join(found))
        return out

    return get


def _part(value: Value, interval: Interval) -> Value | None:
    """Return a part of text or bytes; None if it goes beyond them."""
    size = len(value)
    first = interval.first + size if interval.first < 0 else interval.first
    if interval.last is not None:
        end = (interval.last + size if interval.last < 0 else interval.last) + 1
    else:
        end = size if interval.length is None else first + interval.length
    return value[first:end] if 0 <= first < end <= size else None


def _calculated(operand: ArithmeticValue, field: FieldValues) -> Values:
    left, right = values_of(operand.left, field), values_of(operand.right, field)
    calculate: Callable[[Value, Value], Value] = _ARITHMETIC[operand.symbol]
    if operand.symbol in "*/" and _is_unsigned(operand.left) and _is_unsigned(operand.right):
        calculate = _without_sign(calculate)

    def get(row: object) -> Sequence[Value]:
        others = right(row)
        found = (calculate(one, other) for one in left(row) for other in others)
        return [each for each in found if each is not None]

    return get


def _is_unsigned(operand: Operand) -> bool:
    return operand.type.kind in kinds.NUMBERS and not operand.type.signed


def _without_sign(calculate: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """Return a calculation of unsigned numbers: with a negative one there is no result."""
    return lambda one, other: None if one < 0 or other < 0 else calculate(one, other)


def _bounded(value: Value) -> Value | None:
    return value if not isinstance(value, int) or _LEAST <= value < _WIDEST else None


def _add(one: Value, other: Value) -> Value | None:
    return _bounded(one + other)


def _subtract(one: Value, other: Value) -> Value | None:
    return _bounded(one - other)


def _multiply(one: Value, other: Value) -> Value | None:
    product = one * other
    try:
        return _bounded(int(product) if int in (type(one), type(other)) else product)
    except (OverflowError, ValueError):
        return None


def _divide(one: Value, other: Value) -> Value | None:
    if not other:
        return None
    if isinstance(one, int) and isinstance(other, int):
        quotient = abs(one) // abs(other)
        return quotient if (one < 0) == (other < 0) else -quotient
    try:
        return int(one / other) if isinstance(one, int) else one / other
    except OverflowError:
        return None


def _remainder(one: Value, other: Value) -> Value | None:
    if not other:
        return None
    rest = abs(one) % abs(other)
    return -rest if one < 0 else rest


def _both(one: Value, other: Value) -> Value | None:
    if isinstance(one, int):
        return one & other
    return bytes(map(operator.and_, one, other)) if len(one) == len(other) else None


_ARITHMETIC: Final = {
    "+": _add, "-": _subtract, "*": _multiply, "/": _divide, "%": _remainder, "&": _both,
}  # fmt: skip


def _called(operand: CallValue, field: FieldValues) -> Values:
    name, first = operand.function, operand.arguments[0]
    if name in {"max", "min"}:
        chosen = max if name == "max" else min
        arguments = [values_of(each, field) for each in operand.arguments]

        def extreme(row: object) -> Sequence[Value]:
            found = [value for each in arguments for value in each(row)]
            return (chosen(found),) if found else ()

        return extreme
    inner = values_of(first, field)
    if name == "count":
        return lambda row: (len(inner(row)),)
    convert = _converter(name, first)
    return lambda row: [each for value in inner(row) if (each := convert(value)) is not None]


def _converter(name: str, operand: Operand) -> Callable[[Value], Value]:
    """Return the function of one value; it returns None if there is no result."""
    kind = operand.type
    match name:
        case "len" if kind.kind != "text":
            return lambda value: len(as_bytes(value, kind))
        case "vals":
            names = (operand.field.names or {}) if isinstance(operand, FieldValue) else {}
            return names.get
        case "string":
            return lambda value: shown(value, kind)
        case "hex":
            digits = max((kind.wire_bits or kind.bits) // 4, 1)
            return lambda value: f"0x{value & ((1 << 4 * digits) - 1):0{digits}x}"
        case _:
            return _FUNCTIONS[name]


_FUNCTIONS: Final[dict[str, Callable[[Value], Value]]] = {
    "len": len, "upper": str.upper, "lower": str.lower, "dec": str, "abs": abs, "float": float,
    "double": float,
}  # fmt: skip


def shown(value: Value, kind: FieldType) -> str:
    """Return a value as `string` shows it."""
    from ipaddress import IPv4Address, IPv6Address  # noqa: PLC0415 - 2 ms of every start

    match kind.kind:
        case "ipv4":
            return str(IPv4Address(value))
        case "ipv6":
            return str(IPv6Address(value))
        case "uuid":
            text = value.hex()
            return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        case _:
            return str(value)


def comparing(
    symbol: str, constant: Value, kind: FieldType | None = None
) -> Callable[[Value, Value], bool]:
    """Return the comparison of values of a kind.

    With a network it is of the masked address. Of two protocols the longer one is greater.
    """
    compare = COMPARES[symbol]
    if kind is not None and kind.kind == "protocol" and symbol != "contains":
        return lambda one, other: compare((len(one), one), (len(other), other))
    if isinstance(constant, Network):
        return lambda one, other: compare(one & other.mask, other.first)
    return compare


def matching(pattern: "Pattern") -> Callable[[Value], bool]:
    """Return whether a value matches a pattern."""
    search, most = pattern.code.search, pattern.most

    def match(value: Value) -> bool:
        data = value.encode(errors="surrogateescape") if isinstance(value, str) else value
        whole: bytes = getattr(data, "whole", data)
        return search(whole[:most]) is not None

    return match
