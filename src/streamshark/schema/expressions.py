"""Conditions and lengths that depend on earlier fields, as small objects that can be walked.

construct's own `this` is silently wrong with `in`, `and` and chained comparisons (it has no way to
notice them), so we have our own: every operator below builds an object, everything else raises.
An expression is callable with a construct context, so the reference decoder evaluates it as it
is; `walk` resolves its names to nodes, and every other reader prints those.

The language is closed: constants, a field (`this.name`, `this._.name` one record up), its length
(`len_`), `& | + - == != < <= > >=`, `*` by a constant, and `any_of`. Values stay within 53 bits,
because Wireshark's Lua has doubles.
"""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from streamshark.errors import SchemaError

OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
"""Symbol to meaning; a comparison gives 0 or 1, so `&` and `|` also join conditions."""


class Expression:
    """Base of all expressions; comparisons build `Binary`, truth is refused."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __call__(self, context: Any) -> Any:
        """Evaluate it in a construct context (nested mappings joined by `_`)."""
        raise NotImplementedError

    def __bool__(self) -> NoReturn:
        raise SchemaError(
            "an expression has no truth value: use &, |, any_of(), not and/or/in/chains"
        )

    def __contains__(self, _item: object) -> NoReturn:
        raise SchemaError("'in' cannot be walked: use any_of(value, ...)")

    def __and__(self, other: "Expression | int") -> "Binary":
        return Binary("&", self, other)

    def __or__(self, other: "Expression | int") -> "Binary":
        return Binary("|", self, other)

    def __add__(self, other: "Expression | int") -> "Binary":
        return Binary("+", self, other)

    def __sub__(self, other: "Expression | int") -> "Binary":
        return Binary("-", self, other)

    def __mul__(self, other: int) -> "Binary":
        if not isinstance(other, int):
            raise SchemaError("an expression is multiplied by a constant only")
        return Binary("*", self, other)

    def __eq__(self, other: object) -> "Binary":  # type: ignore[override]
        return Binary("==", self, other)

    def __ne__(self, other: object) -> "Binary":  # type: ignore[override]
        return Binary("!=", self, other)

    def __lt__(self, other: "Expression | int") -> "Binary":
        return Binary("<", self, other)

    def __le__(self, other: "Expression | int") -> "Binary":
        return Binary("<=", self, other)

    def __gt__(self, other: "Expression | int") -> "Binary":
        return Binary(">", self, other)

    def __ge__(self, other: "Expression | int") -> "Binary":
        return Binary(">=", self, other)


class IntegerConstant(Expression):
    """An integer."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value

    def __call__(self, _context: Any) -> int:
        """Evaluate it in a construct context."""
        return self.value

    def __repr__(self) -> str:
        return str(self.value)


class Reference(Expression):
    """An earlier field of this record (`up` 0) or of a record around it.

    An absent one counts as 0, and so does a null one.
    """

    __slots__ = ("_name", "_up")

    def __init__(self, name: str, up: int = 0) -> None:
        self._name = name
        self._up = up

    @property
    def target(self) -> tuple[str, int]:
        """Name of the field, and how many records up it is."""
        return self._name, self._up

    def __call__(self, context: Any) -> Any:
        """Evaluate it in a construct context."""
        for _ in range(self._up):
            context = context["_"]
        value = context.get(self._name)
        return 0 if value is None else value

    def __repr__(self) -> str:
        return "this" + "._" * self._up + "." + self._name


class Length(Expression):
    """Bytes or items of an earlier field; an absent or null one has length 0."""

    __slots__ = ("of",)

    def __init__(self, of: Reference) -> None:
        self.of = of

    def __call__(self, context: Any) -> int:
        """Evaluate it in a construct context."""
        value = self.of(context) or b""
        return len(value.encode()) if isinstance(value, str) else len(value)

    def __repr__(self) -> str:
        return f"len_({self.of!r})"


class SumOf(Expression):
    """One member of an earlier list's items, added up; an item without it counts `absent`."""

    __slots__ = ("absent", "member", "of")

    def __init__(self, of: Reference, member: str, absent: int) -> None:
        self.of = of
        self.member = member
        self.absent = absent

    def __call__(self, context: Any) -> int:
        """Evaluate it in a construct context."""
        items = self.of(context) or ()
        return sum(int(item.get(self.member, self.absent)) for item in items)

    def __repr__(self) -> str:
        return f"sum_({self.of!r}, {self.member!r}, absent={self.absent})"


class Binary(Expression):
    """Two expressions and an operator of `OPERATORS`."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, operator: str, left: object, right: object) -> None:
        self.operator = operator
        self.left = expression(left)
        self.right = expression(right)

    def __call__(self, context: Any) -> int:
        """Evaluate it in a construct context."""
        return int(OPERATORS[self.operator](self.left(context), self.right(context)))

    def __repr__(self) -> str:
        return f"({self.left!r} {self.operator} {self.right!r})"


class AnyOf(Expression):
    """True when a field equals one of some integers."""

    __slots__ = ("of", "values")

    def __init__(self, of: Expression, values: tuple[int, ...]) -> None:
        self.of = of
        self.values = values

    def __call__(self, context: Any) -> int:
        """Evaluate it in a construct context."""
        return int(self.of(context) in self.values)

    def __repr__(self) -> str:
        return f"any_of({self.of!r}, {', '.join(map(str, self.values))})"


class _This:
    """`this.name` is a field of the same record, `this._.name` one of the record around it."""

    __slots__ = ("_up",)

    def __init__(self, up: int = 0) -> None:
        self._up = up

    def __getattr__(self, name: str) -> Any:
        if name == "_":
            return _This(self._up + 1)
        if name.startswith("_"):
            raise AttributeError(name)
        return Reference(name, self._up)


this = _This()
"""Where every reference starts."""


def expression(value: object) -> Expression:
    """Return an expression as it is, an integer as `IntegerConstant`; else raise SchemaError."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, int):
        return IntegerConstant(int(value))
    raise SchemaError(f"{value!r} cannot be used in an expression")


def len_(of: Reference) -> Length:
    """Length of an earlier field in bytes (text, bytes) or items (list)."""
    return Length(of)


def sum_(of: Reference, member: str, *, absent: int = 0) -> SumOf:
    """Return the sum of the numbers with one name in the items of an earlier list."""
    return SumOf(of, member, absent)


def any_of(of: Expression, *values: int) -> AnyOf:
    """`of` is one of `values`: what `in` would say if it could be walked."""
    return AnyOf(of, tuple(int(value) for value in values))


def references(given: Expression) -> list[tuple[str, int]]:
    """Name and distance of every field that an expression refers to."""
    match given:
        case Reference():
            return [given.target]
        case Length() | AnyOf() | SumOf():
            return references(given.of)
        case Binary():
            return references(given.left) + references(given.right)
        case _:
            return []
