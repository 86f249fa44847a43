"""The expression language of the tables, parsed by Python's `ast` and restricted to a fixed list.

A condition or value is text, such as `0 < sub.balance <= sub.initial // 2`. It is parsed once, when
the tables are loaded, into the nodes below; anything that is not in the list is an error then.
`PythonPrinter` writes the nodes as Python for the engine, `lua_expressions` as Lua for the plugins.

None is "unknown". It makes every comparison false, also under `not`: a negation is pushed down to
the comparisons (`not a < b` is `a >= b`), as SQL's three-valued logic does in a `where`. Arithmetic
and functions with None give None.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record

# Nodes of an expression


@record
class Scalar:
    """A number, text or truth value; None only where it is assigned or chosen."""

    value: int | str | bool | None


@record
class ColumnRef:
    """A column of the row, by its path; through a list it is the list of the items' values."""

    path: tuple[str, ...]


@record
class SlotRef:
    """A slot of an object."""

    object: str
    name: str


@record
class ObjectRef:
    """An object as the argument of a function."""

    object: str


@record
class NamedConstant:
    """A constant of the tables, by its name in capitals; users may change it."""

    name: str


@record
class Items:
    """A tuple."""

    items: tuple["Expr", ...]


@record
class FunctionCall:
    """A call of one of `FUNCTIONS`, or of `VERBS` in an action."""

    name: str
    arguments: tuple["Expr", ...]


@record
class Arithmetic:
    """`+`, `-`, `*`, `//`."""

    symbol: str
    left: "Expr"
    right: "Expr"


@record
class Compare:
    """`==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not in`."""

    symbol: str
    left: "Expr"
    right: "Expr"


@record
class IsNone:
    """Test whether a value is unknown; `negated`: whether it is known."""

    of: "Expr"
    negated: bool


@record
class Truth:
    """A truth value as a condition of its own; `negated`: known, and false."""

    of: "Expr"
    negated: bool


@record
class Junction:
    """`and`, `or`."""

    symbol: str
    parts: tuple["Expr", ...]


@record
class Choice:
    """`yes if condition else no`; in values only."""

    condition: "Expr"
    yes: "Expr"
    no: "Expr"


Expr = (
    Scalar | ColumnRef | SlotRef | ObjectRef | NamedConstant | Items | FunctionCall | Arithmetic |
    Compare | IsNone | Truth | Junction | Choice
)  # fmt: skip


@record
class Assign:
    """`slot = value`."""

    slot: SlotRef
    value: Expr


Statement = Assign | FunctionCall
"""One step of an action."""

BUILT_IN: Final = {
    "t": "Time of the row, in ns since 1970.",
    "n": "Number of the frame; unknown on events.",
    "size": "Bytes of the frame, its length prefix included.",
    "octets": "The bytes of the frame, its length prefix included; only for `high_bit`.",
    "pieces": "Number of packets that carried the frame.",
    "sender": "`client` or `server`; unknown when it cannot be proved.",
    "side": "Side of the connection, 0 or 1.",
    "name": "Name of the row: `subscribe`, `subscribe_response`, `tcp.close`, ...",
    "version": "What the frame carries, else what the connection agreed.",
    "dialect": "The dialect that the connection is read in; empty for the usual one.",
    "key": "The number on the wire that names the command.",
    "flow": "Number of the connection.",
    "server": "`address:port` of the server; unknown when it cannot be proved.",
    "client": "Address of the client, without the port; unknown when it cannot be proved.",
    "complete": "Whether the row ends a logical frame: true but for fragments before the last.",
    "orphan": "Whether the row is an answer, and no request for it is open.",
    "duplicate": "Whether the row is a request whose key another open request has.",
    "duplicate_of": "Frame of the oldest such request; unknown where there is none.",
    "took": "Time since what the row answers was sent, in ns; only in values derived of a row.",
    "why": "Why something ended: a state, or one of `ENDS`.",
    "found": "What the predicate of a rule gives; only in the message of such a rule.",
    "problem": "Word of the problem's code; only with `problem:...` and `body:...`.",
    "problem_text": "What `read` says of the problem.",
    "problem_field": "Path of the field that the problem is about, without the command's name.",
    "problem_value": "The value of that field, where it is a column of its own.",
    "problem_offset": "Where the problem is, from the frame's first byte.",
    "problem_length": "Bytes concerned.",
    "problem_alone": "Whether the frame has no other problem.",
}
"""Columns that every row has. A field with one of these names is written `fields.<name>`."""

ENDS: Final = {
    "closed": "Both sides of the connection have closed it, or one did before the capture ended.",
    "reset": "The connection was torn down.",
    "end": "The captures ended.",
    "idle": "The connection was forgotten because too many were open.",
    "crowded": "The object was forgotten because the connection has too many.",
    "lost": "Bytes were lost that may have held the end.",
}
"""Why a conversation ended, if its state does not show it."""

SIDES: Final = ("me", "peer", "C", "S")
"""The two sides of the connection: sender of the row, receiver, client, server."""


def owner_of(slot: SlotRef) -> tuple[str, str]:
    """Return owner and name of a slot, with one owner for both sides."""
    return ("side" if slot.object in SIDES else slot.object), slot.name


_BOOLEAN = frozenset(
    (
        "starts",
        "has",
        "fits",
        "any_eq",
        "any_ne",
        "any_above",
        "unordered",
        "non_ascii",
        "multibyte",
        "literal",
        "high_bit",
    )
)
FUNCTIONS: Final = {
    "max": 2, "min": 2, "len": 1, "first": 1, "last": 1, "greatest": 1, "least": 1,
    "coalesce": 2, "min_nonzero": 2,
    "starts": 2, "item": 2, "lookup": 2, "strange": 3, "beside": 3,
    "any_eq": 2, "any_ne": 2, "any_above": 2, "unordered": 1, "number": 1, "release": 1,
    "plain_user": 1, "non_ascii": 1, "multibyte": 1, "matching": 2, "stem": 1, "program": 1,
    "digest": 1,
    "called": 2, "begins": 2, "between": 3, "token": 2, "literal": 1,
    "high_bit": 2,
    "has": 2, "live": 1, "fits": 1,
    "missing": 2, "held": 2, "count": 1, "oldest_t": 1, "oldest_n": 1,
}  # fmt: skip
"""Functions with the number of their arguments."""

OF_SOME: Final = frozenset(("any_eq", "any_ne", "any_above", "greatest", "least"))
"""Functions of a list that ignore unknown values in it."""

VERBS: Final = {
    "put": 2, "drop": 2, "add": 2, "take": 2, "take_upto": 2, "take_oldest": 2, "forget": 1,
    "adopt": 3,
}  # fmt: skip
"""What an action may do besides assigning: to a set (`put`, `drop`), to outstanding ids (`add`,
`take`, `take_upto`, `take_oldest`, `forget`), to the objects of another connection (`adopt`)."""

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//",
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_NEGATED = {
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
    "in": "not in", "not in": "in",
}  # fmt: skip


class Parser:
    """Parser of expressions; names before a dot that are in `objects` are not columns."""

    def __init__(self, objects: frozenset[str]) -> None:
        self.objects = objects
        self._conditions: dict[str, Expr] = {}
        self._values: dict[str, Expr] = {}
        """Texts that were parsed: many are in several tables."""

    def condition(self, text: str) -> Expr | None:
        """Parse a condition, with its negations pushed down; return None for empty text."""
        if not text.strip():
            return None
        found = self._conditions.get(text)
        if found is None:
            found = self._conditions[text] = self._condition(self._tree(text), negated=False)
        return found

    def value(self, text: str) -> Expr:
        """Parse a value; several parts with commas are a tuple."""
        found = self._values.get(text)
        if found is None:
            found = self._values[text] = self._value(self._tree(text))
        return found

    def statements(self, text: str) -> tuple[Statement, ...]:
        """Parse the steps of an action: assignments and verbs, separated by `;`."""
        try:
            tree = ast.parse(text.strip(), mode="exec")
        except SyntaxError as error:
            raise SchemaError(f"{text!r}: {error.msg}") from None
        out: list[Statement] = []
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[target], value=value):
                    slot = self._value(target)
                    if not isinstance(slot, SlotRef):
                        raise SchemaError(f"{text!r}: only slots of objects can be assigned")
                    out.append(Assign(slot, self._value(value, assigned=True)))
                case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call) if name in VERBS:
                    out.append(self._call(call, VERBS))
                case _:
                    raise SchemaError(
                        f"{text!r}: an action assigns, or is one of {', '.join(VERBS)}"
                    )
        return tuple(out)

    def _tree(self, text: str) -> ast.expr:
        try:
            return ast.parse(" ".join(text.split()), mode="eval").body
        except SyntaxError as error:
            raise SchemaError(f"{text!r}: {error.msg}") from None

    def _condition(self, tree: ast.expr, *, negated: bool) -> Expr:
        match tree:
            case ast.BoolOp(op=op, values=values):
                joined = "and" if isinstance(op, ast.And) is not negated else "or"
                return Junction(
                    joined, tuple(self._condition(each, negated=negated) for each in values)
                )
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._condition(operand, negated=not negated)
            case ast.Compare():
                return self._comparison(tree, negated=negated)
            case ast.Constant(value=bool(value)):
                return Scalar(value is not negated)
            case _:
                return Truth(self._value(tree), negated)

    def _comparison(self, tree: ast.Compare, *, negated: bool) -> Expr:
        parts: list[Expr] = []
        left = tree.left
        for op, right in zip(tree.ops, tree.comparators, strict=True):
            none = isinstance(right, ast.Constant) and right.value is None
            if isinstance(op, (ast.Is, ast.IsNot)) and none:
                parts.append(IsNone(self._value(left), isinstance(op, ast.IsNot) is not negated))
            elif type(op) in _COMPARISONS and not none:
                symbol = _COMPARISONS[type(op)]
                symbol = _NEGATED[symbol] if negated else symbol
                parts.append(Compare(symbol, self._value(left), self._value(right)))
            else:
                raise SchemaError(f"{ast.unparse(tree)}: compare with None by `is`, else not by it")
            left = right
        if len(parts) == 1:
            return parts[0]
        return Junction("or" if negated else "and", tuple(parts))

    def _value(self, tree: ast.expr, *, assigned: bool = False) -> Expr:  # noqa: C901, PLR0911 - one row a kind
        match tree:
            case ast.Constant(value=value) if isinstance(value, (int, str)) or (
                value is None and assigned
            ):
                return Scalar(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return Scalar(-value)
            case ast.Name(id=name):
                if name in self.objects:
                    return ObjectRef(name)
                return NamedConstant(name) if _is_constant(name) else ColumnRef((name,))
            case ast.Attribute():
                return self._path(tree)
            case ast.Tuple(elts=items):
                return Items(tuple(self._value(each) for each in items))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return Arithmetic(_ARITHMETIC[type(op)], self._value(left), self._value(right))
            case ast.IfExp(test=test, body=yes, orelse=no):
                return Choice(
                    self._condition(test, negated=False),
                    self._value(yes, assigned=True),
                    self._value(no, assigned=True),
                )
            case ast.Call():
                return self._call(tree, FUNCTIONS)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) if assigned:
                return self._condition(tree, negated=False)
            case _:
                raise SchemaError(f"{ast.unparse(tree)}: not in the language of the tables")

    def _call(self, tree: ast.Call, known: dict[str, int]) -> FunctionCall:
        if not isinstance(tree.func, ast.Name) or tree.keywords or tree.func.id not in known:
            raise SchemaError(f"{ast.unparse(tree)}: known here are {', '.join(known)}")
        name = tree.func.id
        if len(tree.args) != known[name]:
            raise SchemaError(f"{ast.unparse(tree)}: {name} takes {known[name]}")
        return FunctionCall(name, tuple(self._value(each) for each in tree.args))

    def _path(self, tree: ast.expr) -> Expr:
        names: list[str] = []
        while isinstance(tree, ast.Attribute):
            names.append(tree.attr)
            tree = tree.value
        if not isinstance(tree, ast.Name):
            raise SchemaError(f"{ast.unparse(tree)}: a path is made of names")
        names.append(tree.id)
        names.reverse()
        if tree.id not in self.objects:
            return ColumnRef(tuple(names))
        if len(names) != 2:  # noqa: PLR2004 - object and slot
            raise SchemaError(f"{'.'.join(names)}: an object has slots, and these have no parts")
        return SlotRef(*names)


def _is_constant(name: str) -> bool:
    return name.isupper() and len(name) > 1


_LEAVES: Final = frozenset((Scalar, ColumnRef, SlotRef, ObjectRef, NamedConstant))
"""Nodes without operands."""


def parts_of(node: Expr | Assign) -> tuple[Expr, ...]:
    """Return the operands of a node."""
    match node:
        case Assign(slot, value):
            return slot, value
        case Items(parts) | Junction(_, parts) | FunctionCall(_, parts):
            inner: tuple[Expr, ...] = parts
            return inner
        case Arithmetic(_, left, right) | Compare(_, left, right):
            return left, right
        case IsNone(of, _) | Truth(of, _):
            return (of,)
        case Choice(condition, yes, no):
            return condition, yes, no
    return ()


def walk(*roots: Expr | Assign | None) -> Iterator[Expr]:
    """Yield the nodes of expressions and assignments, each before its operands."""
    stack = [root for root in reversed(roots) if root is not None]
    while stack:
        node = stack.pop()
        if node.__class__ in _LEAVES:
            yield node  # type: ignore[misc]
        else:
            if not isinstance(node, Assign):
                yield node
            stack += reversed(parts_of(node))


def is_condition(node: Expr) -> bool:
    """Return whether a node is true or false, never unknown."""
    return isinstance(node, (Compare, IsNone, Truth, Junction)) or (
        isinstance(node, FunctionCall) and node.name in _BOOLEAN
    )


def type_of(node: Expr) -> str:
    """Return `number`, `text` or `truth value` if a value is always one or None; empty if not."""
    match node:
        case Scalar(value):
            return _TYPES.get(type(value), "")
        case Arithmetic(_, left, right):
            return type_of(left) or type_of(right) or "number"
        case FunctionCall("coalesce", (first, other)) | Choice(_, first, other):
            return type_of(other) or type_of(first)
        case FunctionCall("len"):
            return "number"
    return "truth value" if is_condition(node) else ""


_TYPES: Final = {bool: "truth value", int: "number", str: "text"}


# Python


@dataclass(slots=True)
class Printed:
    """Python text of a value, and whether the value may be None."""

    text: str
    optional: bool


Look = Callable[[Expr], Printed]
"""Returns the text of a `ColumnRef`, `SlotRef`, `ObjectRef` or `NamedConstant`; also of `first`,
`last` and `len` of a column, of the column that is the first argument of `OF_SOME`, and of `live`
and `fits`."""
Kind = Callable[[Expr], str]
"""Returns the type of a value, if it is known: `outstanding` ids, a `list`; empty if it is not."""


class PythonPrinter:
    """Code generator for Python; `look` returns the text of names, functions are `f_<name>`."""

    def __init__(
        self,
        look: Look,
        kind: Kind = lambda _node: "",
    ) -> None:
        self.look = look
        self.kind = kind
        self._bound = 0

    def condition(self, node: Expr) -> str:  # noqa: PLR0911 - one row a kind
        """Return text that is true exactly if the condition is known to hold."""
        match node:
            case Scalar(value):
                return str(bool(value))
            case Junction(symbol, parts):
                return "(" + f" {symbol} ".join(self.condition(each) for each in parts) + ")"
            case IsNone(of, negated):
                return f"({self.value(of).text} is {'not ' if negated else ''}None)"
            case Truth(of, negated):
                if not negated:
                    return self.value(of).text
                guards: list[str] = []
                text = self._operand(of, guards)
                return "(" + " and ".join([*guards, f"not {text}"]) + ")"
            case Compare():
                return self._compare(node)
            case _:
                return self.value(node).text

    def value(self, node: Expr) -> Printed:  # noqa: PLR0911 - one row a kind
        """Return the text of a value."""
        match node:
            case Scalar(value):
                return Printed(repr(value), optional=value is None)
            case ColumnRef() | SlotRef() | ObjectRef() | NamedConstant():
                return self.look(node)
            case Items(items):
                inner = "".join(f"{self.value(each).text}, " for each in items)
                return Printed(f"({inner.rstrip()})", optional=False)
            case Arithmetic():
                guards: list[str] = []
                return _guarded(self._operand(node, guards), guards)
            case Choice(condition, yes, no):
                first, second = self.value(yes), self.value(no)
                text = f"({first.text} if {self.condition(condition)} else {second.text})"
                return Printed(text, optional=first.optional or second.optional)
            case FunctionCall("first" | "last" | "len", (ColumnRef(),)) | FunctionCall(
                "live" | "fits"
            ):
                return self.look(node)
            case FunctionCall():
                return self._called(node)
            case _:
                return Printed(f"bool({self.condition(node)})", optional=False)

    def _called(self, node: FunctionCall) -> Printed:
        """Return the text of a function's value, without a call for the simplest functions."""
        guards: list[str] = []
        if (text := self._guarded_value(node, guards)) is not None:
            return _guarded(text, guards)
        match node:
            case FunctionCall("coalesce", (first, second)):
                return self._coalesced(first, self.value(second))
            case FunctionCall("len", (of,)):
                return _guarded(f"len({self._operand(of, guards)})", guards)
        printed = [self._first(node)]
        if node.name == "any_eq" and self.kind(node.arguments[0]):
            match node.arguments[1]:
                case Scalar(value) if value is not None and not printed[0].optional:
                    return Printed(f"({value!r} in {printed[0].text})", optional=False)
        printed += [self.value(each) for each in node.arguments[1:]]
        optional = node.name not in _BOOLEAN and node.name != "live"
        return Printed(f"f_{node.name}({', '.join(each.text for each in printed)})", optional)

    def _compare(self, node: Compare) -> str:
        guards: list[str] = []
        if node.symbol == "==":
            # None is equal only to None, so one guard is enough.
            left, right = self.value(node.left), self.value(node.right)
            if not (left.optional and right.optional):
                return f"({left.text} == {right.text})"
            text = self._operand(node.left, guards)
            return f"({' and '.join(guards)} and {text} == {right.text})"
        if node.symbol == "in":
            left, right = self.value(node.left), self.value(node.right)
            match node.left, node.right:
                case SlotRef(_, "state"), Items([_, _, _, _, *_]):
                    return f"({left.text} in {{{right.text[1:-1]}}})"
            if not right.optional:
                return f"({left.text} in {right.text})"
        left_text = self._operand(node.left, guards)
        right_text = self._operand(node.right, guards)
        return "(" + " and ".join([*guards, f"{left_text} {node.symbol} {right_text}"]) + ")"

    def _coalesced(self, first: Expr, second: Printed) -> Printed:
        printed = self.value(first)
        if not printed.optional:
            return printed
        guards: list[str] = []
        text = self._operand(first, guards)
        known = " and ".join(guards)
        return Printed(f"({text} if {known} else {second.text})", optional=second.optional)

    def _first(self, node: FunctionCall) -> Printed:
        """Return the first argument of a function."""
        of_some = node.name in OF_SOME and isinstance(node.arguments[0], ColumnRef)
        return self.look(node) if of_some else self.value(node.arguments[0])

    def _quick(self, node: FunctionCall, guards: list[str]) -> str | None:
        """Return the text of a function of outstanding ids, after its guards.

        None for other functions.
        """
        kinds = [self.kind(each) for each in node.arguments]
        match node.name, kinds:
            case "count", ["outstanding"]:
                ids = self._operand(node.arguments[0], guards)
                guards.append(f"{ids}.whole")
                return f"{ids}.count"
            case "oldest_t" | "oldest_n", ["outstanding"]:
                ids, run = self._operand(node.arguments[0], guards), self._name()
                head = f"{ids}.runs[0] if {ids}.disorder is None and {ids}.runs"
                guards.append(f"({run} := {head} else {ids}.oldest()) is not None")
                return f"{run}[{2 if node.name == 'oldest_t' else 3}]"
            case "missing", ["outstanding", "list"]:
                ids = self._operand(node.arguments[0], guards)
                guards.append(f"{ids}.whole")
                return f"{ids}.missing({self._operand(node.arguments[1], guards)})"
        return None

    def _operand(self, node: Expr, guards: list[str]) -> str:
        """Return the text of a value that is known after its guards, which are tested before it."""
        if (text := self._guarded_value(node, guards)) is not None:
            return text
        printed = self.value(node)
        if not printed.optional:
            return printed.text
        if printed.text.isidentifier():
            guards.append(f"{printed.text} is not None")
            return printed.text
        name = self._name()
        guards.append(f"({name} := {printed.text}) is not None")
        return name

    def _guarded_value(self, node: Expr, guards: list[str]) -> str | None:
        """Return the text of a value computed from guarded operands; None for other nodes."""
        match node:
            case Arithmetic(symbol, left, right):
                return f"({self._operand(left, guards)} {symbol} {self._operand(right, guards)})"
            case FunctionCall("max" | "min" as name, (one, other)):
                first, text = self._twice(one, guards)
                second, other_text = self._twice(other, guards)
                than = ">=" if name == "max" else "<="
                return f"({first} if {text} {than} {other_text} else {second})"
            case FunctionCall():
                return self._quick(node, guards)
        return None

    def _twice(self, node: Expr, guards: list[str]) -> tuple[str, str]:
        """Return a name for a value that is used twice, and the text that assigns this name."""
        text = self._operand(node, guards)
        if text.isidentifier() or text.isdecimal():
            return text, text
        name = self._name()
        return name, f"({name} := {text})"

    def _name(self) -> str:
        self._bound += 1
        return f"v{self._bound}"


def _guarded(text: str, guards: list[str]) -> Printed:
    """Return the text of a value that is known if all of its guards hold."""
    if not guards:
        return Printed(text, optional=False)
    return Printed(f"({text} if {' and '.join(guards)} else None)", optional=True)
