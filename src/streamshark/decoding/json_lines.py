"""Text lines with a JSON object, for the record decoder: tokens by one expression, ranges kept."""

import json
import re
from typing import Any, Final, NamedTuple

from streamshark.decoding.code_printer import UNDECODED
from streamshark.decoding.runtime import Ranges, Sink, Stop, Values, decoded, fail, filled, problem
from streamshark.schema import nodes
from streamshark.schema.json_lines import LEAST, MARK, MAX_DEPTH, MOST

_TOKEN: Final = re.compile(
    rb"[ \t\r\n]*(?:"
    rb"(?P<mark>[{}\[\]:,])"
    rb'|(?P<text>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")'
    rb"|(?P<integer>-?(?:0|[1-9][0-9]*)(?![0-9.eE]))"
    rb"|(?P<real>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    rb"|(?P<boolean>true|false)|(?P<null>null))"
)
"""One token of RFC 8259."""
_HALF: Final = re.compile("[\ud800-\udfff]")
MOST_DIGITS: Final = 20
"""Characters of a whole number of 64 bits with its sign."""


class _Broken(Exception):  # noqa: N818 - ends the reading of one object
    """The bytes are not JSON."""


class _Item(NamedTuple):
    """One value, and where it is."""

    kind: str
    start: int
    end: int
    items: "list[_Item]"
    """Of an array: its values. Of an object: names and values in turn."""


def jsonline(b: bytes, p: int, e: int, node: nodes.JsonLineNode, out: Values, sink: Sink) -> int:
    """Verb and object up to the line's end; returns the byte after it."""
    end = b.find(b"\n", p, e)
    if end < 0:
        fail(sink, "SHORT", node.id, p, e - p, e - p + 1)
    last = end - 1 if end > p and b[end - 1] == 13 else end  # noqa: PLR2004 - CR
    after = p + len(node.verb)
    verb = node.verb.upper().encode()
    if b[p:after].upper() != verb or b[after : min(after + 1, last)] not in (b"", b" ", b"\t"):
        fail(sink, "VERB", node.id, p, last - p, node.verb)
    own: Ranges = []
    try:
        whole = _whole(b, min(after, last), last)
    except _Broken:
        if sink is None:
            raise Stop from None
        problem(sink[1], "VALUE", node.id, after, max(0, last - after), "no JSON object")
        whole = _Item("{", last, last, [])
        if after < last:
            own.append((UNDECODED, after, last, None))
    reader = _MemberReader(b, node, out, own, sink)
    for key, value in zip(whole.items[::2], whole.items[1::2], strict=True):
        reader.member(key, value)
    if sink is not None:
        filled(sink[0], own, p, end + 1, node.id)
    return end + 1


class _MemberReader:
    """Puts members of one object into a record, and their ranges beside it."""

    def __init__(
        self, b: bytes, node: nodes.JsonLineNode, out: Values, own: Ranges, sink: Sink
    ) -> None:
        self.b = b
        self.node = node
        self.out = out
        self.own = own
        self.sink = sink

    def member(self, key: _Item, value: _Item) -> None:
        """One member of the object."""
        name = self.text(self.node.other.item.id, key)
        each = self.node.fields.get(name) or self.node.fields.get(name.lower())
        if each is None:
            self.other(name, value)
        elif value.kind != "null":
            self.known(each, name, value)

    def known(self, each: nodes.ArgumentNode, name: str, value: _Item) -> None:
        """Add a declared member."""
        match each.kind, value.kind:
            case "json", _:
                made: Any = self.written(each.id, value)
                self.add(each.id, value, made)
            case "text", "text":
                made = self.text(each.id, value)
                self.add(each.id, value, made, inset=1)
            case "boolean", "boolean":
                made = self.b[value.start : value.end] == b"true"
                self.add(each.id, value, made)
            case "integer", "integer" if (made := self.number(value)) is not None:
                self.add(each.id, value, made)
            case "tokens", "[" if all(one.kind == "text" for one in value.items):
                made = [self.text(each.id, one) for one in value.items]
                for one, text in zip(value.items, made, strict=True):
                    self.add(each.id, one, text, inset=1)
            case _:
                if self.sink is None:
                    raise Stop
                message = f"{name} should be {_WANTED[each.kind]}"
                size = value.end - value.start
                problem(self.sink[1], "VALUE", each.id, value.start, size, message)
                self.other(name, value)
                return
        self.out[str(each.name)] = made

    def other(self, name: str, value: _Item) -> None:
        """Add a member that is not declared, or not of its declared kind."""
        item = nodes.children(self.node.other.item)[1]
        written = self.written(item.id, value)
        self.add(item.id, value, written)
        self.out.setdefault(str(self.node.other.name), []).append({"key": name, "value": written})

    def add(self, node: int, value: _Item, made: Any, inset: int = 0) -> None:  # noqa: ANN401
        """Keep the range of a value."""
        if self.sink is not None:
            self.own.append((node, value.start + inset, value.end - inset, made))

    def written(self, node: int, value: _Item) -> str:
        """Return the source text of a value."""
        return self.decoded(node, value.start, self.b[value.start : value.end])

    def text(self, node: int, value: _Item) -> str:
        """Return a text without its quotes and escapes."""
        inner = self.b[value.start + 1 : value.end - 1]
        made = self.decoded(node, value.start + 1, inner)
        return _HALF.sub(MARK, json.loads(f'"{made}"')) if "\\" in made else made

    def decoded(self, node: int, at: int, data: bytes) -> str:
        """Text, with a problem where it is not valid."""
        return (
            data.decode() if self.sink is None else decoded(self.sink[1], node, at, data, "utf-8")
        )

    def number(self, value: _Item) -> int | None:
        """Return a whole number of 64 bits; None for a larger one."""
        if value.end - value.start > MOST_DIGITS:
            return None
        number = int(self.b[value.start : value.end])
        return number if LEAST <= number <= MOST else None


_WANTED: Final = {
    "text": "text", "integer": "a whole number", "boolean": "true or false",
    "tokens": "a list of text",
}  # fmt: skip


def _whole(b: bytes, p: int, e: int) -> _Item:
    """Parse the one object between two offsets; raise `_Broken` for anything else."""
    found, at = _value(b, p, e, 0)
    if found.kind != "{" or b[at:e].strip(b" \t\r\n"):
        raise _Broken
    return found


def _value(b: bytes, p: int, e: int, depth: int) -> tuple[_Item, int]:
    """Parse the next value; return it and the offset after it."""
    kind, start, at = _token(b, p, e)
    if kind not in ("{", "["):
        if kind in ("}", "]", ":", ","):
            raise _Broken
        return _Item(kind, start, at, []), at
    if depth == MAX_DEPTH:
        raise _Broken
    items: list[_Item] = []
    close = "}" if kind == "{" else "]"
    following, _, after = _token(b, at, e)
    while following != close:
        if kind == "{":
            name, first, last = _token(b, at, e)
            colon, _, at = _token(b, last, e)
            if name != "text" or colon != ":":
                raise _Broken
            items.append(_Item(name, first, last, []))
        value, at = _value(b, at, e, depth + 1)
        items.append(value)
        following, _, after = _token(b, at, e)
        if following == ",":
            at = after
            if _token(b, at, e)[0] == close:
                raise _Broken
        elif following != close:
            raise _Broken
    return _Item(kind, start, after, items), after


def _token(b: bytes, p: int, e: int) -> tuple[str, int, int]:
    """Kind of the next token (punctuation is its own kind), its first byte, the byte after it."""
    match = _TOKEN.match(b, p, e)
    if match is None or match.lastgroup is None:
        raise _Broken
    start, end = match.span(match.lastgroup)
    return match["mark"].decode() if match["mark"] else match.lastgroup, start, end
