"""The parser of display filters: operator precedence, by hand, one function a level.

Recursion is bounded by `MOST_DEPTH`, text by `MOST_BYTES`: a filter that is longer or deeper is an
error.
"""

from typing import Final

from streamshark.filters.error import FilterError
from streamshark.filters.nodes import (
    ARITHMETIC,
    BINDS,
    JUNCTIONS,
    RELATIONS,
    SEARCHES,
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
from streamshark.filters.tokens import Token, tokens

MOST_BYTES: Final = 64 * 1024
"""Longest filter."""
MOST_DEPTH: Final = 256
"""Deepest tree of a filter."""


def parse(text: str) -> Node | None:
    """Return the syntax tree of a filter; None for an empty one, which selects everything.

    Raises:
        FilterError: The text is no filter, too long, or too deep.
    """
    if len(text) > MOST_BYTES or len(text.encode(errors="surrogateescape")) > MOST_BYTES:
        raise FilterError(f"a filter has at most {MOST_BYTES} bytes", text[:WIDEST_SHOWN], 0, 1)
    if not text.strip():
        return None
    node = _Parser(text).filter()
    if any(depth > MOST_DEPTH for _, depth in walk(node)):
        raise FilterError(f"nested more than {MOST_DEPTH} deep", text, 0, len(text))
    return node


CALLS: Final = 4
"""Levels that an operand in an operand counts: as many functions call each other."""
WIDEST_SHOWN: Final = 80
"""Characters that the error about a filter that is too long keeps of it."""


class _Parser:
    """Reads one filter, one token ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.token = next(self.tokens)
        self.depth = 0
        self.end = 0
        """Where the token before the next one ends."""

    # Tokens

    def take(self) -> Token:
        """Return the next token and continue to the one after it."""
        token, self.end = self.token, self.token.end
        if token.kind != "end":
            self.token = next(self.tokens)
        return token

    def is_operator(self, *texts: str) -> bool:
        """Return whether the next token is one of these operators."""
        return self.token.kind == "operator" and self.token.text in texts

    def expect(self, text: str) -> None:
        """Take an operator; anything else is an error."""
        if not self.is_operator(text):
            raise self.unexpected(f'expected "{text}"')
        self.take()

    def unexpected(self, why: str = "") -> FilterError:
        """Return the error of the next token."""
        token = self.token
        if token.kind == "end":
            message = "the filter ends too early"
        else:
            message = f'unexpected "{token.text[:WIDEST_SHOWN]}"'
        message = f"{message}: {why}" if why else message
        lower = token.text.lower()
        is_keyword = token.kind == "word" and lower in {*JUNCTIONS, "not", "in"}
        return FilterError(
            message, self.text, token.start, token.end, suggestion=lower if is_keyword else ""
        )

    def deeper(self, levels: int = 1) -> None:
        """Count levels of recursion."""
        self.depth += levels
        if self.depth > MOST_DEPTH:
            raise FilterError(
                f"nested more than {MOST_DEPTH} deep", self.text, self.token.start, self.token.end
            )

    # Tests

    def filter(self) -> Node:
        """Parse all of the text."""
        node = self.tests(0)
        if self.token.kind != "end":
            raise self.unexpected()
        return node

    def tests(self, binds: int) -> Node:
        """Parse tests joined by operators that bind more tightly than `binds`."""
        self.deeper()
        node = self.prefixed()
        while self.token.kind == "operator" and self.token.text in JUNCTIONS:
            symbol = JUNCTIONS[self.token.text]
            if BINDS[symbol] <= binds:
                break
            operands = [node]
            while self.token.kind == "operator" and JUNCTIONS.get(self.token.text) == symbol:
                self.take()
                operands.append(self.tests(BINDS[symbol]))
            node = LogicalOperation(symbol, tuple(operands), node.start, self.end)
        self.depth -= 1
        return node

    def prefixed(self) -> Node:
        """Parse a test with the `not` and the parenthesis before it."""
        starts = []
        while self.is_operator("not", "!"):
            starts.append(self.take().start)
        if len(starts) > MOST_DEPTH:
            raise FilterError(f"nested more than {MOST_DEPTH} deep", self.text, starts[0], self.end)
        if self.is_operator("("):
            self.take()
            node = self.tests(0)
            self.expect(")")
        else:
            node = self.test()
        for start in reversed(starts):
            node = Not(node, start, self.end)
        return node

    def test(self) -> Node:
        """Parse a comparison, a chain of them, a search, a membership, or an operand alone."""
        start = self.token.start
        quantifier = self.take().text if self.is_operator("any", "all") else ""
        left = self.operand(0)
        found: list[Node] = []
        while self.token.kind == "operator" and self.token.text in RELATIONS:
            symbol = RELATIONS[self.take().text]
            right = self.operand(0)
            found.append(Relation(symbol, left, right, quantifier, left.start, self.end))
            left = right
        if found:
            return (
                found[0]
                if len(found) == 1
                else LogicalOperation("and", tuple(found), start, self.end)
            )
        if self.token.kind == "operator" and self.token.text in SEARCHES:
            symbol = SEARCHES[self.take().text]
            right = self.operand(0)
            return Relation(symbol, left, right, quantifier, start, self.end)
        if self.is_operator("in", "not"):
            return self.membership(left, quantifier, start)
        if quantifier:
            raise self.unexpected(f'"{quantifier}" needs a comparison')
        return Exists(left, start, self.end)

    def membership(self, left: Node, quantifier: str, start: int) -> Membership:
        """Parse `in {...}` or `not in {...}`."""
        negated = self.take().text == "not"
        if negated:
            self.expect("in")
        self.expect("{")
        elements = [self.element()]
        while self.is_operator(","):
            self.take()
            elements.append(self.element())
        self.expect("}")
        return Membership(left, tuple(elements), negated, quantifier, start, self.end)

    def element(self) -> tuple[Node, Node | None]:
        """Parse a value of a set, or a range."""
        first = self.operand(0)
        if not self.is_operator(".."):
            return first, None
        self.take()
        return first, self.operand(0)

    # Operands

    def operand(self, binds: int) -> Node:
        """Parse arithmetic of operators that bind more tightly than `binds`."""
        self.deeper(CALLS)
        node = self.signed()
        while self.token.kind == "operator" and self.token.text in ARITHMETIC:
            symbol = ARITHMETIC[self.token.text]
            if BINDS[symbol] <= binds:
                break
            self.take()
            right = self.operand(BINDS[symbol])
            node = BinaryOperation(symbol, node, right, node.start, self.end)
        self.depth -= CALLS
        return node

    def signed(self) -> Node:
        """Parse an operand with the signs before it."""
        starts = []
        while self.is_operator("-", "+"):
            token = self.take()
            starts += [token.start] if token.text == "-" else []
        node = self.entity()
        for start in reversed(starts):
            if isinstance(node, WrittenValue) and isinstance(node.value, int | float):
                text = node.text[1:] if node.text[0] == "-" else f"-{node.text}"
                node = WrittenValue(node.kind, text, -node.value, start, node.end)
            else:
                node = Negation(node, start, self.end)
        return node

    def entity(self) -> Node:
        """Parse a field, a function, a literal or a group, with the slices after it."""
        start = self.token.start
        if self.is_operator("{"):
            self.take()
            node = self.operand(0)
            self.expect("}")
            return node
        if self.is_operator("@"):
            self.take()
            node = self.name(start, raw=True)
        elif self.token.kind == "word":
            node = self.name(start)
        elif self.token.kind == "reference":
            token = self.take()
            node = FieldReference(token.value, start, token.end)
        elif self.token.kind in {"integer", "float", "string", "character"}:
            token = self.take()
            node = WrittenValue(token.kind, token.text, token.value, start, token.end)
        else:
            raise self.unexpected("a field, a value or a function goes here")
        while self.token.kind == "range":
            parts: tuple[Interval, ...] = self.take().value
            node = Slice(node, parts, start, self.end)
        return node

    def name(self, start: int, *, raw: bool = False) -> Node:
        """Parse a name, with its layers, or a call."""
        if self.token.kind != "word":
            raise self.unexpected("@ goes before a field")
        token = self.take()
        if self.is_operator("(") and not raw:
            return self.call(token)
        layers: tuple[Interval, ...] = ()
        if self.token.kind == "layers" and self.token.start == token.end:
            layers = self.take().value
        return BareWord(token.text, start, self.end, raw, layers)

    def call(self, name: Token) -> Call:
        """Parse the arguments of a function."""
        self.take()
        arguments = []
        if not self.is_operator(")"):
            arguments.append(self.operand(0))
            while self.is_operator(","):
                self.take()
                arguments.append(self.operand(0))
        self.expect(")")
        return Call(name.text, tuple(arguments), name.start, self.end)
