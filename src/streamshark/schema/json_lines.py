"""The word for a text line that holds a JSON object, such as INFO and CONNECT of NATS.

Source: RFC 8259; how leniently objects are read is as Go's `encoding/json` does, which nats-server
uses: letter case of names does not matter, `null` is as good as absent, the last of several members
of one name counts, unknown ones are left alone, one of another type than declared is an error.
"""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from streamshark.errors import SchemaError
from streamshark.schema.problems import ProblemCode
from streamshark.schema.text_lines import Argument, line_of
from streamshark.schema.words import (
    DecodingError,
    FieldFacts,
    Member,
    ParsedValue,
    Values,
    Window,
    facts_of,
    spelling_of,
)

KINDS: Final = ("text", "integer", "boolean", "tokens", "json")
"""Kinds of member: text, a whole number of 64 bits, a truth value, a list of text, or any value,
which is kept as the text that it is written in."""
OTHER: Final = "other"
"""The member that keeps what is not declared: a list of key and value, which is JSON as written."""
MAX_DEPTH: Final = 64
"""Most values inside values; no source sets a limit."""
LEAST, MOST = -(1 << 63), (1 << 63) - 1
"""What a whole number may be."""
MARK: Final = "\ufffd"
"""Replacement of half a surrogate pair, as in Go."""
JsonMember = tuple[str, Any, tuple[int, int, int]]
"""Name, value, and the characters at which the member begins, its value begins, and both end."""


def member(name: str, kind: str, sentence: str, **facts: Any) -> Argument:
    """Declare a member of the object: name, kind (one of `KINDS`), sentence."""
    if kind not in KINDS:
        raise SchemaError(f"{name}: unknown kind of JSON member {kind!r}")
    return Argument(name, sentence, kind, optional=True, slot=None, facts=facts_of(name, **facts))


class JsonLine(Member):
    """Verb (any letter case) and one JSON object, up to CRLF; a bare LF is read too.

    The declared members are in the record around the line, absent ones are absent;
    others are kept in `other`, which is secret with `hides_other`.
    """

    def __init__(self, verb: str, *members: Argument, hides_other: bool = False) -> None:
        super().__init__()
        self.verb = verb
        self.members = members
        self.other_facts = FieldFacts(secret=hides_other)
        self.least = len(verb) + 3

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the line; whatever is malformed in it is a `DecodingError`."""
        start, size = stream.at, len(self.verb)
        line, after = line_of(self.verb, stream, path)
        text = line[size:].decode("utf-8", "replace")
        members = list(_members(text, start + size, path))
        if text.encode() != line[size:]:
            raise DecodingError(ProblemCode.TEXT, start + size, path)
        known = {each.name: each for each in self.members}
        values: Values = {}
        found: list[ParsedValue] = []
        for key, value, (_, first, last) in members:
            at = start + size + len(text[:first].encode())
            written = text[first:last]
            each = known.get(_declared(known, key) or "")
            if each is None:
                values.setdefault(OTHER, []).append({"key": key, "value": written})
                place = (*stream.path, OTHER)
                end = at + len(written.encode())
                found.append(ParsedValue((*place, "value"), at, end, written))
            elif value is not None:
                values[each.name] = _checked(each, value, written, at, path)
                found += _found((*stream.path, each.name), each, value, written, at)
        stream.found += found
        scope.update(values)
        out.update(values)
        stream.at = after
        stream.keep(out, self, stream.data[start:after])

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:  # noqa: ARG002
        """Write the object without blanks, the members in the order of their declaration.

        One that was read keeps its order and spelling; members that it lacks are added at its end.
        """
        known = [each for each in self.members if each.name in values]
        parts = [f"{json.dumps(each.name)}:{_written(each, values[each.name])}" for each in known]
        parts += [f"{_text(each['key'])}:{each['value']}" for each in values.get(OTHER, ())]
        spelt = spelling_of(values, self)
        if spelt is None:
            stream.write(f"{self.verb} {{{','.join(parts)}}}\r\n".encode())
        else:
            stream.write(self._respelt(spelt, values))

    def _respelt(self, spelt: bytes, values: Values) -> bytes:
        """Return a line that was read with the members that differ replaced, removed or added."""
        old: Values = {}
        self.into(Window(spelt), {}, "", old)
        size = len(self.verb)
        line, _ = line_of(self.verb, Window(spelt), "")
        text = line[size:].decode()
        members = list(_members(text, size, ""))
        first = members[0][2][0] if members else text.index("{") + 1
        end = members[-1][2][2] if members else first
        between, out = ",", [text[:first]]
        for index, written in self._members_respelt(text, members, old, values):
            if index:
                between = text[members[index - 1][2][2] : members[index][2][0]]
            if written is not None:
                out += [between, written] if len(out) > 1 else [written]
        out.append(text[end:])
        return spelt[:size] + "".join(out).encode() + spelt[len(line) :]

    def _members_respelt(
        self, text: str, members: list[JsonMember], old: Values, values: Values
    ) -> Iterator[tuple[int | None, str | None]]:
        """Yield each member's index (None for a new one) and text (None for one removed)."""
        known = {each.name: each for each in self.members}
        names = [_declared(known, key) for key, _, _ in members]
        last = {name: index for index, name in enumerate(names)}
        others: dict[str, deque[str]] = {}
        for each in values.get(OTHER, ()):
            others.setdefault(each["key"], deque()).append(each["value"])
        for index, (key, _, (begin, start, end)) in enumerate(members):
            name = names[index]
            if name is None:
                own = others.get(key)
                yield index, text[begin:start] + own.popleft() if own else None
            elif old.get(name) == values.get(name) or index != last[name]:
                yield index, text[begin:end]
            elif name in values:
                yield index, text[begin:start] + _written(known[name], values[name])
            else:
                yield index, None
        for name, argument in known.items():
            if name in values and name not in last:
                yield None, f"{json.dumps(name)}:{_written(argument, values[name])}"
        for key, left in others.items():
            for value in left:
                yield None, f"{_text(key)}:{value}"


def _declared(known: Mapping[str, Argument], key: str) -> str | None:
    """Return the name of the declared member that a key means, in any letter case."""
    return next((name for name in (key, key.lower()) if name in known), None)


def _constant(_name: str) -> NoReturn:
    raise ValueError


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= len(str(LEAST)) else float(text)


_READER: Final = json.JSONDecoder(parse_constant=_constant, parse_int=_integer)


def _members(text: str, at: int, path: str) -> Iterator[JsonMember]:
    """Yield the members of the one object."""
    try:
        whole, end = _READER.raw_decode(text, _blanks(text, 0))
        if (
            not isinstance(whole, dict)
            or _blanks(text, end) != len(text)
            or deeper_than(whole, MAX_DEPTH)
        ):
            raise ValueError  # noqa: TRY301 - the same outcome as of the decoder's own
    except (ValueError, RecursionError):
        raise DecodingError(ProblemCode.VALUE, at, path) from None
    place = _blanks(text, _blanks(text, 0) + 1)
    while text[place] == '"':
        begin = place
        key, place = _READER.raw_decode(text, place)
        first = _blanks(text, _blanks(text, place) + 1)
        value, place = _READER.raw_decode(text, first)
        yield _whole(key), value, (begin, first, place)
        place = _blanks(text, place)
        if text[place] == "}":
            return
        place = _blanks(text, place + 1)


def _blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def deeper_than(value: Any, most: int) -> bool:
    """Whether JSON values are nested more than `most` deep; level by level."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(most):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _whole(text: str) -> str:
    return "".join(MARK if "\ud800" <= each <= "\udfff" else each for each in text)


def _checked(each: Argument, value: Any, written: str, at: int, path: str) -> Any:
    """Return the value if it is of the declared kind."""
    match each.kind, value:
        case "json", _:
            return written
        case "text", str():
            return _whole(value)
        case "boolean", bool():
            return value
        case "integer", int() if not isinstance(value, bool) and LEAST <= value <= MOST:
            return value
        case "tokens", list() if all(isinstance(one, str) for one in value):
            return [_whole(one) for one in value]
        case _:
            raise DecodingError(ProblemCode.VALUE, at, path)


def _found(
    place: tuple[str, ...], each: Argument, value: Any, written: str, at: int
) -> Iterator[ParsedValue]:
    """Yield the ranges of a member: text without its quotes, lists item by item."""
    end = at + len(written.encode())
    match each.kind:
        case "text":
            yield ParsedValue(place, at + 1, end - 1, _whole(value))
        case "tokens":
            inside = _blanks(written, 1)
            for one in value:
                _, end = _READER.raw_decode(written, inside)
                first = at + len(written[: inside + 1].encode())
                yield ParsedValue(place, first, at + len(written[: end - 1].encode()), _whole(one))
                inside = _blanks(written, _blanks(written, end) + 1)
        case "json":
            yield ParsedValue(place, at, end, written)
        case _:
            yield ParsedValue(place, at, end, value)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _written(each: Argument, value: Any) -> str:
    if each.kind == "json":
        return str(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
