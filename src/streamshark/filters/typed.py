"""Types a syntax tree by the registry of fields: every operand has a type, every literal a value.

What Wireshark rejects is an error here, with the position of the operand.
"""

from typing import TYPE_CHECKING, Any, Final, Protocol

from streamshark.fields.field import FieldInfo
from streamshark.fields.types import FieldType
from streamshark.filters import kinds
from streamshark.filters.error import FilterError, Unsuitable
from streamshark.filters.literals import value_of
from streamshark.filters.nodes import (
    BareWord,
    BinaryOperation,
    Call,
    Exists,
    FieldReference,
    Interval,
    LogicalOperation,
    Membership,
    Negation,
    Node,
    Not,
    Relation,
    Slice,
    WrittenValue,
    walk,
)
from streamshark.light_dataclass import record

if TYPE_CHECKING:
    from streamshark.filters.patterns import Pattern


class KnownFields(Protocol):
    """The fields that a filter may name."""

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name; None if no field has it."""

    def near(self, name: str, most: int = 3) -> list[str]:
        """Return names of fields that are most like a wrong one."""

    def missing(self, name: str) -> str:
        """Return a sentence about a name that no field has; empty if there is nothing to say."""

    def without_bytes(self, name: str) -> str:
        """Return a sentence about a protocol that has bytes elsewhere; empty for other fields."""


# Operands


@record(eq=False)
class FieldValue:
    """The occurrences of a field."""

    field: FieldInfo
    type: FieldType
    raw: bool = False
    """Whether its bytes are meant."""
    layers: tuple[Interval, ...] = ()
    selected: bool = False
    """Whether those of the selected row are meant, `${field}`."""


@record(eq=False)
class TypedConstant:
    """A value of the filter's text."""

    value: Any
    type: FieldType


@record(eq=False)
class SliceValue:
    """Parts of each value of an operand; a part that is not whole is left out."""

    operand: "Operand"
    parts: tuple[Interval, ...]
    type: FieldType


@record(eq=False)
class CallValue:
    """The result of a function; see `functions.FUNCTIONS`."""

    function: str
    arguments: tuple["Operand", ...]
    type: FieldType


@record(eq=False)
class ArithmeticValue:
    """The results of an operator, for each pair of values."""

    symbol: str
    left: "Operand"
    right: "Operand"
    type: FieldType


@record(eq=False)
class NegatedValue:
    """The values of an operand with the other sign."""

    operand: "Operand"
    type: FieldType


Operand = FieldValue | TypedConstant | SliceValue | CallValue | ArithmeticValue | NegatedValue


# Tests


@record(eq=False)
class Present:
    """Whether an operand has a value."""

    operand: Operand


@record(eq=False)
class NonZero:
    """Whether an operand has a value that is not zero."""

    operand: Operand


@record(eq=False)
class Comparison:
    """`symbol` is one of `== != < <= > >= contains`, for any or for all pairs of values."""

    symbol: str
    left: Operand
    right: Operand
    all: bool


@record(eq=False)
class Match:
    """Whether any value, or all, match a regular expression."""

    operand: Operand
    pattern: "Pattern"
    all: bool


@record(eq=False)
class Within:
    """Whether any value, or all, are in a set of values and ranges."""

    operand: Operand
    elements: tuple[tuple[Operand, Operand | None], ...]
    negated: bool
    all: bool


@record(eq=False)
class Opposite:
    """The opposite of a test."""

    test: "Test"


@record(eq=False)
class Joined:
    """Tests joined by `and`, `or` or `xor`."""

    symbol: str
    tests: tuple["Test", ...]


Test = Present | NonZero | Comparison | Match | Within | Opposite | Joined

_STRICT: Final = {"===": "==", "!==": "!="}
"""Symbols whose quantifier is the other one."""
_BY_ALL: Final = frozenset({"!=", "==="})
"""Symbols that all pairs must meet unless `any` is written."""
_SAME: Final = frozenset({"max", "min"})


def typed(node: Node, text: str, fields: KnownFields) -> Test:
    """Return the typed tree of a filter.

    Raises:
        FilterError: A name is unknown, or operands do not go together.
    """
    return _Typer(text, fields).test(node)


class _Typer:
    """Types the nodes of one filter."""

    def __init__(self, text: str, fields: KnownFields) -> None:
        self.text, self.fields = text, fields

    def error(self, message: str, node: Node, suggestion: str = "") -> FilterError:
        """Return the error of a node."""
        return FilterError(message, self.text, node.start, node.end, suggestion=suggestion)

    def unsuitable(self, operand: Operand, message: str, node: Node) -> FilterError:
        """Return the error of an operand whose type does not fit."""
        name = operand.field.name if isinstance(operand, FieldValue) else ""
        return self.error(self.fields.without_bytes(name) or message, node)

    # Tests

    def test(self, node: Node) -> Test:
        """Return a typed test."""
        match node:
            case Not():
                return Opposite(self.test(node.operand))
            case LogicalOperation():
                return Joined(node.symbol, tuple(map(self.test, node.operands)))
            case Exists():
                return self.exists(node.operand)
            case Relation(symbol="matches"):
                return self.match(node)
            case Relation():
                return self.comparison(node)
            case Membership():
                return self.within(node)
            case _:
                raise TypeError(node)

    def exists(self, node: Node) -> Test:
        """Return the test of an operand alone."""
        if isinstance(node, WrittenValue):
            raise self.error(f"{node.text} is neither a field nor a test", node)
        operand = self.operand(node, None)
        is_number = isinstance(node, BinaryOperation | Negation)
        return NonZero(operand) if is_number else Present(operand)

    def comparison(self, node: Relation) -> Comparison:
        """Return a typed comparison."""
        if node.symbol == "contains":
            return self.contains(node)
        left, right = self.pair(node.left, node.right, node)
        is_all = node.quantifier == "all" or (not node.quantifier and node.symbol in _BY_ALL)
        return Comparison(_STRICT.get(node.symbol, node.symbol), left, right, is_all)

    def contains(self, node: Relation) -> Comparison:
        """Return a typed search for text or bytes."""
        left = self.searched(node.left, "contains")
        right = self.operand(node.right, left)
        self.agree(left, right, node)
        return Comparison("contains", left, right, node.quantifier == "all")

    def match(self, node: Relation) -> Match:
        """Return a typed regular expression."""
        operand = self.searched(node.left, "matches")
        right = node.right
        if not isinstance(right, WrittenValue) or right.kind != "string":
            raise self.error("matches needs a string on its right", right)
        from streamshark.filters.patterns import pattern  # noqa: PLC0415 - few filters match

        try:
            made = pattern(str(right.value))
        except Unsuitable as why:
            raise self.error(str(why), right) from None
        return Match(operand, made, node.quantifier == "all")

    def searched(self, node: Node, what: str) -> Operand:
        """Return the left operand of a search; numbers with names as these names."""
        if isinstance(node, WrittenValue):
            raise self.error(f"the left side of {what} is a field or a function", node)
        operand = self.operand(node, None)
        if isinstance(operand, FieldValue) and operand.type.kind in kinds.NUMBERS:
            if operand.field.names:
                return CallValue("vals", (operand,), kinds.TEXT)
            raise self.error(
                f"{what} is for text and bytes, and {operand.field.name} is "
                f"{kinds.named(operand.type)}",
                node,
                f"string({operand.field.name})",
            )
        if operand.type.kind not in kinds.SEARCHED:
            message = f"{what} is for text and bytes, not for {kinds.named(operand.type)}"
            raise self.unsuitable(operand, message, node)
        return operand

    def within(self, node: Membership) -> Within:
        """Return a typed membership."""
        if not isinstance(node.operand, BareWord):
            raise self.error("only a field may be in a set", node.operand)
        operand = self.operand(node.operand, None)
        elements = []
        for first, last in node.elements:
            one = self.operand(first, operand)
            other = None if last is None else self.operand(last, operand)
            for each, where in ((one, first), (other, last)):
                if each is not None and where is not None:
                    self.agree(operand, each, where)
            elements.append((one, other))
        return Within(operand, tuple(elements), node.negated, node.quantifier == "all")

    # Operands

    def pair(self, left: Node, right: Node, where: Node) -> tuple[Operand, Operand]:
        """Return two operands of one type; a literal gets that of the other one."""
        if self.is_constant(left) and self.is_constant(right):
            self.unknown(left)
            raise self.error("neither side is a field", where)
        if self.is_constant(left):
            self.unknown(left)
            second = self.operand(right, None)
            first = self.operand(left, second)
        else:
            first = self.operand(left, None)
            second = self.operand(right, first)
        self.agree(first, second, where)
        return first, second

    def unknown(self, node: Node) -> None:
        """Raise the error of a name in a left operand that is no field."""
        for each, _ in walk(node):
            if isinstance(each, BareWord) and _is_field_like(each.text):
                raise self.no_field(each)

    def agree(self, one: Operand, other: Operand, where: Node) -> None:
        """Raise an error for operands that cannot be compared."""
        if isinstance(one, TypedConstant) or isinstance(other, TypedConstant):
            return
        if not kinds.comparable(one.type, other.type):
            raise self.error(
                f"{kinds.named(one.type)} and {kinds.named(other.type)} cannot be compared", where
            )

    def is_constant(self, node: Node) -> bool:
        """Return whether a node holds no field and no function."""
        match node:
            case WrittenValue() | FieldReference():
                return True
            case BareWord():
                return self.field(node) is None
            case Negation() | Slice():
                return self.is_constant(node.operand)
            case BinaryOperation():
                return self.is_constant(node.left) and self.is_constant(node.right)
            case Call():
                return all(map(self.is_constant, node.arguments))
            case _:
                return False

    def field(self, node: BareWord) -> FieldInfo | None:
        """Return the field that a word names; None if it is a value."""
        if node.text[0] == ":":
            return None
        return self.fields.find(node.text.removeprefix("."))

    def no_field(self, node: BareWord) -> FilterError:
        """Return the error of a name that is no field."""
        name = node.text.removeprefix(".")
        if sentence := self.fields.missing(name):
            return self.error(sentence, node)
        near = self.fields.near(name, 1)
        return self.error(
            f'"{name}" is neither a field nor a protocol', node, near[0] if near else ""
        )

    def operand(self, node: Node, like: Operand | None) -> Operand:  # noqa: PLR0911 - one row a kind
        """Return a typed operand; `like` is the other one, whose type a literal gets."""
        match node:
            case WrittenValue():
                return self.literal(node, like)
            case BareWord():
                return self.name(node, like)
            case FieldReference():
                field = self.fields.find(node.name)
                if field is None:
                    raise self.no_field(BareWord(node.name, node.start, node.end))
                return FieldValue(field, field.type, selected=True)
            case Slice():
                return self.slice(node)
            case Call():
                return self.call(node, like)
            case Negation():
                operand = self.operand(node.operand, like)
                if operand.type.kind not in kinds.ADDED or operand.type.kind == "time":
                    raise self.error(f"{kinds.named(operand.type)} has no sign", node)
                is_number = operand.type.kind in kinds.NUMBERS
                return NegatedValue(operand, kinds.SIGNED if is_number else operand.type)
            case BinaryOperation():
                return self.arithmetic(node, like)
            case _:
                raise self.error("a test is no operand", node)

    def literal(self, node: WrittenValue | BareWord, like: Operand | None) -> TypedConstant:
        """Return a literal in the type of the other operand."""
        if like is None:
            raise self.error(f"{node.text} needs a field beside it", node)
        if isinstance(node, BareWord) and self.is_near(node.text):
            raise self.no_field(node)
        field = like.field if isinstance(like, FieldValue) and not like.raw else None
        try:
            return TypedConstant(value_of(node, like.type, field), like.type)
        except Unsuitable as why:
            raise self.unsuitable(like, str(why), node) from None

    def is_near(self, word: str) -> bool:
        """Return whether a word begins as fields do: with the name of a protocol."""
        protocol, dot, _ = word.partition(".")
        return bool(dot) and self.fields.find(protocol) is not None

    def name(self, node: BareWord, like: Operand | None) -> Operand:
        """Return a field, or a word as a value."""
        field = self.field(node)
        if field is not None:
            kind = kinds.BYTES if node.raw else field.type
            return FieldValue(field, kind, node.raw, node.layers)
        if like is None or node.raw or node.layers or node.text[0] == ".":
            raise self.no_field(node)
        return self.literal(node, like)

    def slice(self, node: Slice) -> SliceValue:
        """Return a typed slice."""
        operand = self.operand(node.operand, None)
        if operand.type.kind not in kinds.SLICED:
            raise self.unsuitable(operand, f"{kinds.named(operand.type)} has no slices", node)
        is_text = operand.type.kind == "text"
        return SliceValue(operand, node.parts, kinds.TEXT if is_text else kinds.BYTES)

    def arithmetic(self, node: BinaryOperation, like: Operand | None) -> Operand:
        """Return typed arithmetic."""
        if self.is_constant(node.left) and self.is_constant(node.right):
            left, right = self.operand(node.left, like), self.operand(node.right, like)
        elif self.is_constant(node.left):
            right = self.operand(node.right, None)
            left = self.part(node.left, right, node.symbol)
        else:
            left = self.operand(node.left, None)
            right = self.part(node.right, left, node.symbol)
        self.calculable(node, left, right)
        return ArithmeticValue(node.symbol, left, right, _result(node.symbol, left, right))

    def part(self, node: Node, like: Operand, symbol: str) -> Operand:
        """Return the other operand of arithmetic: of times it is a duration or a factor."""
        if isinstance(node, BareWord) and self.field(node) is None and _is_field_like(node.text):
            raise self.no_field(node)
        if not self.is_constant(node) or like.type.kind not in {"time", "duration"}:
            bare = like if not isinstance(like, FieldValue) else TypedConstant(None, like.type)
            return self.operand(node, bare)
        if symbol in "*/":
            return self.operand(node, TypedConstant(None, kinds.DOUBLE))
        is_moment = isinstance(node, WrittenValue) and node.kind == "string"
        return self.operand(node, TypedConstant(None, kinds.TIME if is_moment else kinds.DURATION))

    def calculable(self, node: BinaryOperation, left: Operand, right: Operand) -> None:
        """Raise an error for arithmetic that has no result."""
        one, other = left.type.kind, right.type.kind
        if node.symbol == "&":
            is_known = (
                (one in kinds.NUMBERS and other in kinds.NUMBERS)
                or (one in kinds.RAW and other in kinds.RAW)
                or (one == other and one in kinds.ADDRESSES)
            )
        elif node.symbol == "%":
            is_known = one in kinds.NUMBERS and other in kinds.NUMBERS
        else:
            is_known = (one, other) in _TIMES.get(node.symbol, ()) or (
                kinds.comparable(left.type, right.type) and one in kinds.NUMBERS | kinds.FLOATS
            )
        if not is_known:
            raise self.error(
                f'"{node.symbol}" is not for {kinds.named(left.type)}'
                + ("" if one == other else f" and {kinds.named(right.type)}"),
                node,
            )

    def call(self, node: Call, like: Operand | None) -> Operand:
        """Return a typed call."""
        name, arguments = node.function, node.arguments
        if name not in FUNCTIONS:
            import difflib  # noqa: PLC0415 - for errors alone

            near = difflib.get_close_matches(name, FUNCTIONS, 1)
            raise self.error(f'there is no function "{name}"', node, near[0] if near else "")
        if not arguments or (len(arguments) > 1 and name not in _SAME):
            count = "one argument" if name not in _SAME else "arguments"
            raise self.error(f"{name}() has {count}", node)
        if self.is_constant(node) and like is not None and name in {"upper", "lower"}:
            return CallValue(name, (self.operand(arguments[0], _TEXT),), kinds.TEXT)
        if self.is_constant(node):
            for each in arguments:
                self.unknown(each)
            raise self.error(f"{name}() needs a field", node)
        if name in _SAME:
            return self.extreme(node)
        operand = self.operand(arguments[0], like if isinstance(arguments[0], Call) else None)
        is_field = isinstance(operand, FieldValue)
        takes, only_fields, result = FUNCTIONS[name]
        if only_fields and not is_field:
            raise self.error(f"{name}() takes a field", node)
        if takes is not None and operand.type.kind not in takes:
            message = f"{name}() is not for {kinds.named(operand.type)}"
            raise self.unsuitable(operand, message, node)
        if name == "vals" and not (isinstance(operand, FieldValue) and operand.field.names):
            raise self.error("vals() takes a field whose numbers have names", node)
        return CallValue(name, (operand,), result or operand.type)

    def extreme(self, node: Call) -> CallValue:
        """Return a typed `max` or `min`."""
        like = next(
            self.operand(each, None) for each in node.arguments if not self.is_constant(each)
        )
        operands = tuple(self.operand(each, like) for each in node.arguments)
        for each, where in zip(operands, node.arguments, strict=True):
            self.agree(like, each, where)
        if like.type.kind in kinds.ABSENT:
            raise self.error(f"{node.function}() is not for {kinds.named(like.type)}", node)
        return CallValue(node.function, operands, like.type)


_TEXT: Final = TypedConstant("", kinds.TEXT)
_TIMES: Final = {
    "+": {("time", "duration"), ("duration", "duration"), ("duration", "time")},
    "-": {("time", "time"), ("time", "duration"), ("duration", "duration")},
    "*": {
        ("duration", "double"),
        ("duration", "int"),
        ("double", "duration"),
        ("duration", "float"),
    },
    "/": {("duration", "double"), ("duration", "int"), ("duration", "float")},
}
"""By operator, the kinds of operands with times that it takes."""

FUNCTIONS: Final[dict[str, tuple[frozenset[str] | None, bool, FieldType | None]]] = {
    "len": (kinds.SLICED, False, kinds.UNSIGNED),
    "count": (None, True, kinds.UNSIGNED),
    "upper": (frozenset({"text"}), False, kinds.TEXT),
    "lower": (frozenset({"text"}), False, kinds.TEXT),
    "string": (kinds.SHOWN, True, kinds.TEXT),
    "vals": (kinds.NUMBERS, True, kinds.TEXT),
    "dec": (kinds.NUMBERS, True, kinds.TEXT),
    "hex": (kinds.NUMBERS, True, kinds.TEXT),
    "abs": (kinds.NUMBERS | kinds.FLOATS | {"duration"}, False, None),
    "float": (kinds.NUMBERS | kinds.FLOATS, False, kinds.FLOAT),
    "double": (kinds.NUMBERS | kinds.FLOATS, False, kinds.DOUBLE),
    "max": (None, False, None),
    "min": (None, False, None),
}
"""Name to the kinds that a function takes, whether it takes fields alone, and its type."""


def _is_field_like(word: str) -> bool:
    """Return whether a word could be a field, so that it is none if the registry has none."""
    return ":" not in word and (word[0].isalpha() or word[0] in "_.")


def _result(symbol: str, left: Operand, right: Operand) -> FieldType:
    """Return the type of arithmetic."""
    one, other = left.type, right.type
    if one.kind == "time":
        return kinds.DURATION if other.kind == "time" and symbol == "-" else one
    if "time" in (one.kind, other.kind) or "duration" in (one.kind, other.kind):
        return kinds.TIME if other.kind == "time" else kinds.DURATION
    if one.kind in kinds.NUMBERS:
        return kinds.SIGNED._replace(bits=64)
    return kinds.BYTES if one.kind in kinds.RAW else one
