"""Words for text protocols: a control line of verb and arguments, and a block of headers.

Source of both: nats-server, `server/parser.go` and, of marks, `server/route.go`
(`processRoutedMsgArgs`).
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Any

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.problems import ProblemCode
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

BLANKS = b" \t"
"""What separates arguments: NATS knows space and tab, nothing else."""
MAX_DIGITS = 9
"""Most digits of a decimal argument (nats-server's parser, `parseSize`)."""
RESTS = ("rest", "quoted")
"""Kinds of argument that take what is left of the line."""

Token = tuple[int, bytes]
"""Offset in the line, bytes."""
SpeltChange = tuple[int, int, bytes]
"""Start and end of a range, and the bytes that replace it."""


@record
class Argument:
    """One argument of a line."""

    name: str
    sentence: str
    kind: str
    """`text` (a token), `number` (decimal digits), `tokens` (a list of them), `rest` (all that is
    left of the line) or `quoted` (the same between single quotes)."""
    optional: bool
    slot: str | None
    facts: FieldFacts
    mark: str | None = None
    """The token that must be before the arguments with this mark for them to be there."""


def token(
    name: str, sentence: str, *, optional: bool = False, mark: str | None = None, **facts: Any
) -> Argument:
    """Declare a run of characters without blanks."""
    return Argument(name, sentence, "text", optional, None, facts_of(name, **facts), mark)


def tokens(name: str, sentence: str, *, mark: str, **facts: Any) -> Argument:
    """All tokens after a mark, up to the arguments that are always at the end."""
    return Argument(name, sentence, "tokens", False, None, facts_of(name, **facts), mark)  # noqa: FBT003


def decimal(name: str, sentence: str, *, optional: bool = False, **facts: Any) -> Argument:
    """Declare a decimal number of at most nine digits."""
    return Argument(name, sentence, "number", optional, None, facts_of(name, **facts))


def remainder(
    name: str, sentence: str, *, optional: bool = False, slot: str | None = None, **facts: Any
) -> Argument:
    """All that is left of the line, blanks inside included; when empty, absent if optional."""
    return Argument(name, sentence, "rest", optional, slot, facts_of(name, **facts))


def quoted(name: str, sentence: str, **facts: Any) -> Argument:
    """All that is left of the line; single quotes around it are not part of the value."""
    return Argument(name, sentence, "quoted", False, None, facts_of(name, **facts))  # noqa: FBT003


class TextLine(Member):
    """Verb (any letter case) and arguments up to CRLF; a bare LF is read too.

    Arguments are separated by runs of space and tab. Optional ones may be in the middle: with
    k tokens more than the required ones, the first k optional ones are there. Arguments with a
    `mark` are there, and the optional ones are not, if the mark is a token in their place.
    """

    def __init__(self, verb: str, *arguments: Argument) -> None:
        super().__init__()
        self.verb = verb
        self.arguments = arguments
        required = [
            each
            for each in arguments
            if not each.optional and not each.mark and each.kind not in RESTS
        ]
        self.least = len(verb) + 2 * len(required) + 1
        if any(each.kind in RESTS for each in arguments[:-1]):
            raise SchemaError(f"{verb}: only the last argument takes the rest of the line")
        self.rest = bool(arguments) and arguments[-1].kind in RESTS
        if self.rest and any(each.optional or each.mark for each in arguments[:-1]):
            raise SchemaError(f"{verb}: the rest of the line may only follow required arguments")
        marked = [index for index, each in enumerate(arguments) if each.mark]
        if marked and any(each.optional for each in arguments[: marked[0]]):
            raise SchemaError(f"{verb}: a mark may only follow required arguments")

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Cut the line into tokens and read them."""
        start, size = stream.at, len(self.verb)
        line, after = line_of(self.verb, stream, path)
        given = list(_split(line, size, len(self.arguments) if self.rest else 0))
        if self.rest and len(given) == len(self.arguments) - 1:
            given.append((len(line), b""))
        assigned = self.assign(given)
        if assigned is None:
            raise DecodingError(ProblemCode.ARGS, start, path)
        for each, own in assigned:
            values = []
            for at, data in own:
                value, inset = _read(each, data, start + at, path)
                place = start + at + inset
                length = len(data) - 2 * inset
                values.append(value)
                if value != "" or not each.optional:
                    found = ParsedValue((*stream.path, each.name), place, place + length, value)
                    stream.found.append(found)
            if each.kind == "tokens":
                scope[each.name] = out[each.name] = values
            elif values[0] != "" or not each.optional:
                scope[each.name] = out[each.name] = values[0]
        stream.at = after
        stream.keep(out, self, stream.data[start:after])

    def assign(self, given: list[Token]) -> list[tuple[Argument, list[Token]]] | None:
        """Which argument takes which tokens; None when they are too few or too many."""
        marked = [index for index, each in enumerate(self.arguments) if each.mark]
        if marked and len(given) > marked[0]:
            mark = given[marked[0]][1].decode("latin-1")
            group = [each for each in self.arguments if each.mark == mark]
            if group:
                del given[marked[0]]
                return self._marked(group, marked[0], given)
        plain = [each for each in self.arguments if not each.mark]
        spare = len(given) - sum(not each.optional or each.kind in RESTS for each in plain)
        out: list[tuple[Argument, list[Token]]] = []
        for each in plain:
            if each.optional and each.kind not in RESTS:
                if spare <= 0:
                    continue
                spare -= 1
            if not given:
                return None
            out.append((each, [given.pop(0)]))
        return out if not given else None

    def _marked(
        self, group: list[Argument], front: int, given: list[Token]
    ) -> list[tuple[Argument, list[Token]]] | None:
        back = [each for each in self.arguments[front:] if not each.mark and not each.optional]
        out: list[tuple[Argument, list[Token]]] = []
        for each in [*self.arguments[:front], *group, *back]:
            if each.kind == "tokens":
                count = len(given) - len(back)
                if count < 0:
                    return None
                out.append((each, given[:count]))
                del given[:count]
            elif given:
                out.append((each, [given.pop(0)]))
            else:
                return None
        return out if not given else None

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:  # noqa: ARG002
        """Write verb and arguments as spelt, else with one blank between them and CRLF."""
        spelt = spelling_of(values, self)
        line = None if spelt is None else self._respelt(spelt, values)
        stream.write(self._canonical(values) if line is None else line)

    def _canonical(self, values: Values) -> bytes:
        words = [self.verb]
        marked = False
        for each in self._given(values):
            if each.mark and not marked:
                words.append(each.mark)
                marked = True
            value = values[each.name]
            if each.kind == "tokens":
                words += value
            else:
                words.append(f"'{value}'" if each.kind == "quoted" else str(value))
        return " ".join(words).encode() + b"\r\n"

    def _given(self, values: Values) -> list[Argument]:
        """Return the arguments that values have."""
        mark = self._mark(values)
        return [
            each
            for each in self.arguments
            if each.name in values
            and not (each.mark != mark if each.mark else mark and each.optional)
        ]

    def _respelt(self, spelt: bytes, values: Values) -> bytes | None:
        """Return a line with the values that differ replaced; None where it has other arguments."""
        stream, read = Window(spelt), dict[str, Any]()
        self.into(stream, {}, "", read)
        line, _ = line_of(self.verb, Window(spelt), "")
        given = list(_split(line, len(self.verb), len(self.arguments) if self.rest else 0))
        assigned = self.assign(given) or []
        if [each for each, _ in assigned] != self._given(values):
            return None
        changes: list[SpeltChange] = []
        for each, own in assigned:
            old, new = read[each.name], values[each.name]
            items = [(old, new)] if each.kind != "tokens" else list(zip(old, new, strict=False))
            if each.kind == "tokens" and len(old) != len(new):
                return None
            for (at, data), (before, after) in zip(own, items, strict=True):
                inset = _read(each, data, at, "")[1]
                if before != after:
                    end = at + len(data) - inset
                    changes.append((at + inset, end, str(after).encode()))
        return replaced(spelt, changes)

    def _mark(self, values: Values) -> str | None:
        """Return the mark whose arguments are all in `values`, the one with most arguments."""
        names: dict[str, set[str]] = {}
        for each in self.arguments:
            if each.mark:
                names.setdefault(each.mark, set()).add(each.name)
        plain = {each.name for each in self.arguments if not each.mark}
        fitting = [
            (len(own), mark)
            for mark, own in names.items()
            if own <= values.keys() and own & values.keys() - plain
        ]
        return max(fitting)[1] if fitting else None


def replaced(data: bytes, changes: Iterable[SpeltChange]) -> bytes:
    """Return bytes with some ranges replaced.

    >>> replaced(b"PUB  a 5", [(5, 6, b"bc")])
    b'PUB  bc 5'
    """
    out, at = [], 0
    for start, end, new in sorted(changes):
        out += [data[at:start], new]
        at = end
    return b"".join((*out, data[at:]))


def line_of(verb: str, stream: Window, path: str) -> tuple[bytes, int]:
    """Return the line that begins with a verb, without its end, and where the next one begins.

    Raises:
        Bad: `SHORT` where no line ends, `VERB` where it is another's.
    """
    start = stream.at
    end = stream.data.find(b"\n", start, stream.end)
    if end < 0:
        raise DecodingError(ProblemCode.SHORT, start, path)
    line = stream.data[start : end - 1 if stream.data[start:end].endswith(b"\r") else end]
    size = len(verb)
    if line[:size].upper() != verb.upper().encode() or line[size : size + 1].strip(BLANKS):
        raise DecodingError(ProblemCode.VERB, start, path)
    return line, end + 1


def _split(line: bytes, at: int, most: int) -> Iterator[Token]:
    """Tokens with their place; with `most`, the last one takes the rest of the line."""
    count = 0
    while at < len(line):
        while at < len(line) and line[at] in BLANKS:
            at += 1
        start = at
        if most and count == most - 1:
            at = len(line)
        while at < len(line) and line[at] not in BLANKS:
            at += 1
        if at > start:
            count += 1
            yield start, line[start:at]


def _read(each: Argument, data: bytes, at: int, path: str) -> tuple[Any, int]:
    """Return the value of a token, and how many bytes at both of its ends are quotes."""
    if each.kind == "number":
        if not data.isdigit() or len(data) > MAX_DIGITS:
            raise DecodingError(ProblemCode.NUMBER, at, path)
        return int(data), 0
    inset = 0
    if each.kind == "quoted" and len(data) > 1 and data[:1] == data[-1:] == b"'":
        inset = 1
    try:
        return data[inset : len(data) - inset].decode(), inset
    except UnicodeDecodeError:
        raise DecodingError(ProblemCode.TEXT, at, path) from None


class Headers(Member):
    """A header block up to the end of the region: version line, `name: value` lines, a blank line.

    No bytes at all are no block. Gives `status` (a number) and `description` of the version line,
    where it has them, and `headers`, a list of key and value with duplicates and order kept;
    `names` are those of statuses. Source: nats-server, header format of HPUB and HMSG (ADR-4).
    """

    def __init__(
        self, version: str, sentence: str, names: type[IntEnum] | Mapping[int, str] | None = None
    ) -> None:
        super().__init__()
        self.version = version
        self.facts = facts_of("status", names=names)
        self.sentence = sentence

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Split the block; anything that is not of this form is `DecodingError(ARGS)`."""
        if not stream.left:
            return
        start = stream.at
        data = stream.take(stream.left, path)
        first, *lines = data.split(b"\r\n")
        version = self.version.encode()
        if lines[-2:] != [b"", b""] or first[: len(version)] != version:
            raise DecodingError(ProblemCode.ARGS, start, path)
        if first[len(version) : len(version) + 1].strip(BLANKS):
            raise DecodingError(ProblemCode.ARGS, start, path)
        values: Values = {}
        for name, at, value in self._first_line(first, start, path):
            self._put(stream, (name,), at, value, path)
            values[name] = int(value) if name == "status" else value.decode()
        pairs = values["headers"] = []
        at = start + len(first) + 2
        for line in lines[:-2]:
            key, colon, value = line.partition(b":")
            if not colon or not key:
                raise DecodingError(ProblemCode.ARGS, at, path)
            inner = value.strip(BLANKS)
            value_at = at + len(key) + 1 + len(value) - len(value.lstrip(BLANKS))
            pairs.append({
                "key": self._put(stream, ("headers", "key"), at, key, path),
                "value": self._put(stream, ("headers", "value"), value_at, inner, path),
            })  # fmt: skip
            at += len(line) + 2
        scope.update(values)
        out.update(values)
        stream.keep(out, self, data)

    def _put(self, stream: Window, names: tuple[str, ...], at: int, data: bytes, path: str) -> str:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise DecodingError(ProblemCode.TEXT, at, path) from None
        value = int(data) if names == ("status",) else text
        stream.found.append(ParsedValue((*stream.path, *names), at, at + len(data), value))
        return text

    def _first_line(self, line: bytes, start: int, path: str) -> Iterator[tuple[str, int, bytes]]:
        """Name, offset and bytes of what follows the version."""
        parts = list(_split(line, len(self.version), 2))
        for name, (at, data) in zip(("status", "description"), parts, strict=False):
            if name == "status" and (not data.isdigit() or len(data) > MAX_DIGITS):
                raise DecodingError(ProblemCode.NUMBER, start + at, path)
            yield name, start + at, data.rstrip(BLANKS)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:  # noqa: ARG002
        """Write the block, lines that are unchanged as they were spelt."""
        if "headers" not in values:
            return
        first = " ".join(
            [self.version]
            + [str(values[name]) for name in ("status", "description") if name in values]
        ).encode()
        lines = [f"{each['key']}: {each['value']}".encode() for each in values["headers"]]
        spelt = spelling_of(values, self)
        if spelt is not None:
            old: Values = {}
            self.into(Window(spelt), {}, "", old)
            before = spelt.split(b"\r\n")[:-2]
            if all(old.get(name) == values.get(name) for name in ("status", "description")):
                first = before[0]
            lines = _lines_respelt(before[1:], lines, old["headers"], values["headers"])
        stream.write(b"\r\n".join([first, *lines, b"", b""]))


def _lines_respelt(
    spelt: list[bytes], lines: list[bytes], before: list[Values], after: list[Values]
) -> list[bytes]:
    """Return header lines; those at both ends whose key and value are unchanged as spelt.

    Where there are as many as before, a changed value is replaced in its line.
    """
    if len(before) == len(after):
        return [
            _line_respelt(line, old, new)
            for line, old, new in zip(spelt, before, after, strict=True)
        ]
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    tail = next(
        (i for i in range(shorter - head) if before[-1 - i] != after[-1 - i]), shorter - head
    )
    return [*spelt[:head], *lines[head : len(lines) - tail], *spelt[len(spelt) - tail :]]


def _line_respelt(line: bytes, old: Values, new: Values) -> bytes:
    """Return a header line with its key or value replaced where they differ."""
    key, _, rest = line.partition(b":")
    start = len(key) + 1 + len(rest) - len(rest.lstrip(BLANKS))
    changes = []
    if old["key"] != new["key"]:
        changes.append((0, len(key), str(new["key"]).encode()))
    if old["value"] != new["value"]:
        changes.append((start, start + len(rest.strip(BLANKS)), str(new["value"]).encode()))
    return replaced(line, changes)
