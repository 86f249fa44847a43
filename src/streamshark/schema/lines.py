"""Words for text protocols: a control line of verb and arguments, and a block of headers."""

from dataclasses import dataclass
from typing import Any

from streamshark.errors import SchemaError
from streamshark.schema.problems import Code
from streamshark.schema.words import Bad, Facts, Found, Member, Values, Window, facts_of

BLANKS = b" \t"
"""What separates arguments: NATS knows space and tab, nothing else."""
MAX_DIGITS = 9
"""Most digits of a decimal argument (nats-server's parser, `parseSize`)."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a line."""

    name: str
    sentence: str
    kind: str
    """`text` (a token), `number` (decimal digits) or `rest` (all that is left of the line)."""
    optional: bool
    slot: str | None
    facts: Facts


def token(name: str, sentence: str, *, optional: bool = False, **facts: Any) -> Argument:
    """A run of characters without blanks."""
    return Argument(name, sentence, "text", optional, None, facts_of(name, **facts))


def decimal(name: str, sentence: str, *, optional: bool = False, **facts: Any) -> Argument:
    """A decimal number of at most nine digits."""
    return Argument(name, sentence, "number", optional, None, facts_of(name, **facts))


def remainder(name: str, sentence: str, *, slot: str | None = None, **facts: Any) -> Argument:
    """All that is left of the line, blanks inside included; may be empty."""
    return Argument(
        name, sentence, "rest", optional=False, slot=slot, facts=facts_of(name, **facts)
    )


class Line(Member):
    """Verb (any letter case) and arguments up to CRLF; a bare LF is read too.

    Arguments are separated by runs of space and tab. Optional ones may stand in the middle: with
    k tokens more than the required ones, the first k optional ones are there. Source: nats-server,
    `server/parser.go`.
    """

    def __init__(self, verb: str, *arguments: Argument) -> None:
        super().__init__()
        self.verb = verb
        self.arguments = arguments
        if any(each.kind == "rest" for each in arguments[:-1]):
            raise SchemaError(f"{verb}: only the last argument takes the rest of the line")

    def present(self, count: int) -> list[Argument] | None:
        """The arguments that `count` tokens are; None when they are too few or too many."""
        spare = count - sum(not each.optional for each in self.arguments)
        out = []
        for each in self.arguments:
            if each.optional:
                if spare <= 0:
                    continue
                spare -= 1
            out.append(each)
        return out if spare == 0 else None

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Cut the line into tokens and read them."""
        start = stream.at
        end = stream.data.find(b"\n", start, stream.end)
        if end < 0:
            raise Bad(Code.SHORT, start, path)
        line = stream.data[start : end - 1 if stream.data[end - 1 : end] == b"\r" else end]
        size = len(self.verb)
        if line[:size].upper() != self.verb.upper().encode() or line[size : size + 1].strip(BLANKS):
            raise Bad(Code.VERB, start, path)
        rest = bool(self.arguments) and self.arguments[-1].kind == "rest"
        tokens = _tokens(line, size, len(self.arguments) if rest else 0)
        if rest and len(tokens) < len(self.arguments):
            tokens.append((len(line), b""))
        present = self.present(len(tokens))
        if present is None:
            raise Bad(Code.ARGS, start, path)
        for each, (at, data) in zip(present, tokens, strict=True):
            value: Any = data
            try:
                if each.kind == "number":
                    if not data.isdigit() or len(data) > MAX_DIGITS:
                        raise Bad(Code.NUMBER, start + at, path)
                    value = int(data)
                else:
                    value = data.decode()
            except UnicodeDecodeError:
                raise Bad(Code.TEXT, start + at, path) from None
            scope[each.name] = out[each.name] = value
            place = start + at
            stream.found.append(Found((*stream.path, each.name), place, place + len(data), value))
        stream.at = end + 1

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:  # noqa: ARG002
        """Write verb and arguments with one blank between them, then CRLF."""
        words = [self.verb]
        words += [str(values[each.name]) for each in self.arguments if each.name in values]
        stream.write(" ".join(words).encode() + b"\r\n")


def _tokens(line: bytes, at: int, most: int) -> list[tuple[int, bytes]]:
    """Tokens with their place; with `most`, the last one takes the rest of the line."""
    out = []
    while at < len(line):
        while at < len(line) and line[at] in BLANKS:
            at += 1
        start = at
        if most and len(out) == most - 1:
            at = len(line)
        while at < len(line) and line[at] not in BLANKS:
            at += 1
        if at > start:
            out.append((start, line[start:at]))
    return out


class Headers(Member):
    """A header block up to the end of the region: version line, `name: value` lines, a blank line.

    Gives `status` and `description` (of the version line, where it has them) and `headers`, a list
    of key and value with duplicates and order kept. Source: nats-server, header format of HPUB and
    HMSG (ADR-4).
    """

    def __init__(self, version: str, sentence: str) -> None:
        super().__init__()
        self.version = version
        self.sentence = sentence

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Split the block; anything that is not of this form is `Bad(ARGS)`."""
        start = stream.at
        data = stream.take(stream.left, path)
        first, *lines = data.split(b"\r\n")
        if lines[-2:] != [b"", b""] or not first.startswith(self.version.encode()):
            raise Bad(Code.ARGS, start, path)
        try:
            values = _inline_status(first[len(self.version) :].decode())
            pairs = []
            for line in lines[:-2]:
                key, colon, value = line.decode().partition(":")
                if not colon or not key:
                    raise Bad(Code.ARGS, start, path)
                pairs.append({"key": key, "value": value.strip(" \t")})
        except UnicodeDecodeError:
            raise Bad(Code.TEXT, start, path) from None
        values["headers"] = pairs
        scope.update(values)
        out.update(values)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:  # noqa: ARG002
        """Write the canonical block."""
        first = " ".join(
            [self.version, *(values[name] for name in ("status", "description") if name in values)]
        )
        lines = [first, *(f"{each['key']}: {each['value']}" for each in values["headers"])]
        stream.write("\r\n".join([*lines, "", ""]).encode())


def _inline_status(text: str) -> Values:
    status, _, description = text.strip(" \t").partition(" ")
    out: Values = {}
    if status:
        out["status"] = status
    if description.strip():
        out["description"] = description.strip()
    return out
