"""The syntax tree of a display filter: plain records with their position in the text."""

from collections.abc import Iterator, Sequence

from streamshark.light_dataclass import record


@record
class Interval:
    """One part of a slice or of layers: offsets may count from the end (negative)."""

    first: int
    length: int | None = None
    """None if `last` ends it, or if it continues to the end."""
    last: int | None = None
    """Offset of the last element, inclusive."""

    def __str__(self) -> str:
        if self.last is not None:
            return f"{self.first}-{self.last}"
        if self.length is None:
            return f"{self.first}:"
        return str(self.first) if self.length == 1 else f"{self.first}:{self.length}"


@record
class WrittenValue:
    """A value as it is written; its type is that of the other operand."""

    kind: str
    """`string`, `character`, `integer`, `float`, or `word`: an address, bytes, a time, a name."""
    text: str
    """As written."""
    value: int | float | str | None
    """A string without escapes (bytes that are no UTF-8 as surrogates), the number, or None."""
    start: int
    end: int


@record
class BareWord:
    """A word that may be a field, a protocol, or a value of the other operand's type."""

    text: str
    start: int
    end: int
    raw: bool = False
    """Whether `@` asks for the field's bytes."""
    layers: tuple[Interval, ...] = ()
    """Layers of the packet, from 1, that `#` asks for; all if empty."""


@record
class FieldReference:
    """A field of the selected packet, `${field}`."""

    name: str
    start: int
    end: int


@record
class Slice:
    """Some bytes, or characters, of an operand."""

    operand: "Node"
    parts: tuple[Interval, ...]
    start: int
    end: int


@record
class Call:
    """A function of operands."""

    function: str
    arguments: tuple["Node", ...]
    start: int
    end: int


@record
class BinaryOperation:
    """Two operands and one of `+ - * / % &`."""

    symbol: str
    left: "Node"
    right: "Node"
    start: int
    end: int


@record
class Negation:
    """Unary minus."""

    operand: "Node"
    start: int
    end: int


@record
class Exists:
    """An operand alone: whether the field is there, or the result is not zero."""

    operand: "Node"
    start: int
    end: int


@record
class Relation:
    """A comparison: `symbol` is one of `RELATIONS`; `quantifier` is `any`, `all` or empty."""

    symbol: str
    left: "Node"
    right: "Node"
    quantifier: str
    start: int
    end: int


@record
class Membership:
    """Whether an operand is in a set of values and of ranges (first, last)."""

    operand: "Node"
    elements: tuple[tuple["Node", "Node | None"], ...]
    negated: bool
    quantifier: str
    start: int
    end: int


@record
class Not:
    """The opposite of a test."""

    operand: "Node"
    start: int
    end: int


@record
class LogicalOperation:
    """Two or more tests joined by `and`, `or` or `xor`."""

    symbol: str
    operands: tuple["Node", ...]
    start: int
    end: int


Node = (
    WrittenValue
    | BareWord
    | FieldReference
    | Slice
    | Call
    | BinaryOperation
    | Negation
    | Exists
    | Relation
    | Membership
    | Not
    | LogicalOperation
)

RELATIONS = {
    "==": "==", "eq": "==", "any_eq": "==",
    "!=": "!=", "ne": "!=", "all_ne": "!=",
    "===": "===", "all_eq": "===",
    "!==": "!==", "any_ne": "!==",
    ">": ">", "gt": ">",
    ">=": ">=", "ge": ">=",
    "<": "<", "lt": "<",
    "<=": "<=", "le": "<=",
}  # fmt: skip
"""Spelling of each comparison, to its symbol."""
SEARCHES = {"contains": "contains", "matches": "matches", "~": "matches"}
"""Spelling of each search, to its name."""
JUNCTIONS = {"and": "and", "&&": "and", "or": "or", "||": "or", "xor": "xor", "^^": "xor"}
"""Spelling of what joins tests, to its name."""
ARITHMETIC = {
    "&": "&", "bitand": "&", "bitwise_and": "&", "+": "+", "-": "-", "*": "*", "/": "/", "%": "%",
}  # fmt: skip
"""Spelling of each arithmetic operator, to its symbol."""
BINDS = {"or": 1, "xor": 2, "and": 3, "&": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}
"""Precedence of what joins tests, and of arithmetic; higher binds more tightly."""


def children(node: Node) -> Sequence[Node]:
    """Return the nodes directly below one."""
    match node:
        case Slice() | Negation() | Exists() | Not():
            return (node.operand,)
        case Call():
            return node.arguments
        case BinaryOperation() | Relation():
            return (node.left, node.right)
        case Membership():
            ends = (each for element in node.elements for each in element if each is not None)
            return (node.operand, *ends)
        case LogicalOperation():
            return node.operands
        case _:
            return ()


def walk(node: Node) -> Iterator[tuple[Node, int]]:
    """Yield a node and all below it, each with its depth from 1; no recursion."""
    stack: list[tuple[Node, int]] = [(node, 1)]
    while stack:
        each, depth = stack.pop()
        yield each, depth
        stack.extend((child, depth + 1) for child in reversed(children(each)))


def written(node: Node) -> str:
    """Return a filter that is parsed to this tree: one spelling, groups where they are needed."""
    match node:
        case Not():
            return f"not {_test(node.operand)}"
        case LogicalOperation():
            return f" {node.symbol} ".join(_test(each) for each in node.operands)
        case Exists():
            return _operand(node.operand)
        case Relation():
            start = f"{node.quantifier} " if node.quantifier else ""
            return f"{start}{_operand(node.left)} {node.symbol} {_operand(node.right)}"
        case Membership():
            start = f"{node.quantifier} " if node.quantifier else ""
            elements = ", ".join(
                _operand(first) if last is None else f"{_operand(first)} .. {_operand(last)}"
                for first, last in node.elements
            )
            operator = "not in" if node.negated else "in"
            return f"{start}{_operand(node.operand)} {operator} {{{elements}}}"
        case _:
            return _operand(node)


def _test(node: Node) -> str:
    """Return a test as an operand of another one."""
    text = written(node)
    return f"({text})" if isinstance(node, LogicalOperation | Not) else text


def _operand(node: Node, *, grouped: bool = False) -> str:  # noqa: PLR0911 - one row a kind
    """Return an operand; arithmetic in another operand is grouped by braces."""
    match node:
        case WrittenValue():
            return _literal(node)
        case BareWord():
            layers = ", ".join(map(str, node.layers))
            return f"{'@' * node.raw}{node.text}{f'#[{layers}]' if layers else ''}"
        case FieldReference():
            return f"${{{node.name}}}"
        case Slice():
            return f"{_operand(node.operand, grouped=True)}[{', '.join(map(str, node.parts))}]"
        case Call():
            return f"{node.function}({', '.join(map(_operand, node.arguments))})"
        case Negation():
            return f"-{_operand(node.operand, grouped=True)}"
        case BinaryOperation():
            left, right = (_operand(each, grouped=True) for each in (node.left, node.right))
            text = f"{left} {node.symbol} {right}"
            return f"{{{text}}}" if grouped else text
        case _:
            raise TypeError(node)


def _literal(node: WrittenValue) -> str:
    if node.kind not in {"string", "character"}:
        return node.text
    quote = '"' if node.kind == "string" else "'"
    inside = "".join(
        each
        if each.isprintable() and each not in (quote, "\\")
        else "".join(f"\\x{byte:02x}" for byte in each.encode(errors="surrogateescape"))
        for each in str(node.value)
    )
    return f"{quote}{inside}{quote}"
