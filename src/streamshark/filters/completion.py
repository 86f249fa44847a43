"""Completion of filters for shells and editors: what may be at the cursor."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from streamshark.fields.field import FieldInfo
from streamshark.filters.error import FilterError
from streamshark.filters.nodes import ARITHMETIC, JUNCTIONS, RELATIONS, SEARCHES
from streamshark.filters.tokens import Token, tokens
from streamshark.filters.typed import FUNCTIONS

MOST: Final = 40
"""Fields listed in full; if there are more, they are listed up to the next dot."""
_OPERATORS: Final = (
    "==", "!=", "===", "!==", ">", ">=", "<", "<=", "contains", "matches", "in", "not in", "and",
    "or", "xor", "&", "+", "-", "*", "/", "%",
)  # fmt: skip
_STARTS: Final = frozenset({*RELATIONS, *SEARCHES, *JUNCTIONS, *ARITHMETIC}) | {
    "(", "{", ",", "..", "not", "!", "any", "all", "@",
}  # fmt: skip
"""Operators before an operand."""
_SETS: Final = frozenset({"{", ",", ".."})


class Completion(NamedTuple):
    """Text that may replace `text[start:end]` of a filter."""

    text: str
    start: int
    end: int
    doc: str


class FieldsByPrefix(Protocol):
    """The fields that a filter may name."""

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name; None if no field has it."""

    def starting(self, prefix: str) -> Iterator[FieldInfo]:
        """Yield the fields whose names begin with a prefix."""


def complete(text: str, cursor: int, fields: FieldsByPrefix) -> list[Completion]:
    """Return what may be at a cursor, an offset in the text."""
    before = text[: max(0, min(cursor, len(text)))]
    known, start = _before(before)
    prefix = before[start:]
    last = known[-1] if known else None
    if last is not None and not (last.kind == "operator" and last.text in _STARTS):
        return [
            Completion(each, start, cursor, "operator")
            for each in _OPERATORS
            if each.startswith(prefix)
        ]
    found = list(_values(known, prefix, fields)) + list(_names(prefix, fields))
    return [Completion(name, start, cursor, doc) for name, doc in dict(found).items()]


def _before(text: str) -> tuple[Sequence[Token], int]:
    """Return the tokens before the word at the end of a text, and where the word begins."""
    known: list[Token] = []
    try:
        known += (each for each in tokens(text) if each.kind != "end")
    except FilterError as error:
        known = [each for each in _whole(text[: error.start]) if each.kind != "end"]
        return known, error.start
    if known and known[-1].end == len(text) and (known[-1].kind == "word" or _is_word(known[-1])):
        return known[:-1], known[-1].start
    return known, len(text)


def _whole(text: str) -> list[Token]:
    try:
        return list(tokens(text))
    except FilterError:
        return []


def _is_word(token: Token) -> bool:
    return token.kind == "operator" and token.text.isidentifier()


def _values(
    known: Sequence[Token], prefix: str, fields: FieldsByPrefix
) -> Iterator[tuple[str, str]]:
    """Yield the names of numbers of the field that a value is compared with."""
    tail = list(known)
    while tail and (tail[-1].text in _SETS or tail[-1].kind not in {"operator", "word"}):
        tail.pop()
    if len(tail) < 2 or tail[-1].text not in {*RELATIONS, *SEARCHES, "in"}:  # noqa: PLR2004 - both
        return
    at = -3 if tail[-2].text == "not" and len(tail) > 2 else -2  # noqa: PLR2004 - `not in`
    field = fields.find(tail[at].text) if tail[at].kind == "word" else None
    if field is None:
        return
    for name in (field.names or {}).values():
        if f'"{name}"'.lower().startswith(prefix.lower()) or name.lower().startswith(
            prefix.lower()
        ):
            yield f'"{name}"', field.name
    if field.type.kind == "bool":
        yield from ((each, field.name) for each in ("true", "false") if each.startswith(prefix))


def _names(prefix: str, fields: FieldsByPrefix) -> Iterator[tuple[str, str]]:
    """Yield fields, up to the next dot if there are many, and functions."""
    if prefix.startswith('"'):
        return
    found = {each.name: each.doc for each in fields.starting(prefix)}
    if len(found) > MOST:
        found = _shortened(prefix, found.items())
    yield from sorted(found.items())
    yield from ((f"{each}(", "function") for each in FUNCTIONS if each.startswith(prefix))


def _shortened(prefix: str, found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return names up to the dot after a prefix."""
    out: dict[str, str] = {}
    for name, doc in found:
        head, dot, _ = name[len(prefix) :].partition(".")
        short = f"{prefix}{head}{dot}"
        out[short] = "" if dot else doc
    return out
