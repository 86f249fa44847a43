"""The functions of the tables' expressions, in Python.

With None (unknown) as an argument they return None; those that are conditions return False.
"""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from streamshark.conversations.outstanding import OutstandingIds
from streamshark.schema.problems import Problem

MOST_IN_SET: Final = 4096
"""Most values of one set of an object; beyond that, the first is dropped."""
_NUMBER = re.compile(r"\d{1,18}")
_RELEASE = re.compile(r"(\d{1,5})\.(\d{1,3})(?:\.(\d{1,3}))?")

Number = int | None


_INSTANCE: Final = re.compile(r"(?:[-_.#/ ][^-_.#/ ]*\d[^-_.#/ ]*)+$|\d+$")
"""What tells instances of one program apart at the end of its name."""


def f_max(one: Number, other: Number) -> Number:
    """Return the maximum of two numbers."""
    return None if one is None or other is None else max(one, other)


def f_min(one: Number, other: Number) -> Number:
    """Return the minimum of two numbers."""
    return None if one is None or other is None else min(one, other)


def f_greatest(values: Iterable[Number] | None) -> Number:
    """Return the maximum of a list, without unknown items; None for an empty one."""
    known = values if isinstance(values, list) and None not in values else _known(values)
    return known[0] if len(known) == 1 else max(known, default=None)


def f_least(values: Iterable[Number] | None) -> Number:
    """Return the minimum of a list, without unknown items; None for an empty one."""
    known = values if isinstance(values, list) and None not in values else _known(values)
    return known[0] if len(known) == 1 else min(known, default=None)


def _known(values: Iterable[Number] | None) -> list[int]:
    return [each for each in values or () if each is not None]


def f_len(value: Any) -> Number:  # noqa: ANN401 - anything with a length
    """Return the length: items of a list, characters of text, bytes."""
    return None if value is None else len(value)


def f_first(values: Any) -> Any:  # noqa: ANN401 - any items
    """Return the first item of a list, or of a set."""
    return next(iter(values)) if values else None


def f_last(values: Any) -> Any:  # noqa: ANN401 - any items
    """Return the last item of a list."""
    return values[-1] if values else None


def f_coalesce(one: Any, other: Any) -> Any:  # noqa: ANN401 - any values
    """Return the first value, or the second if the first is unknown."""
    return other if one is None else one


def f_min_nonzero(one: Number, other: Number) -> Number:
    """Return the smaller of two limits, where 0 means no limit."""
    if one is None or other is None:
        return None
    return min(one, other) or max(one, other)


def f_starts(text: Any, prefix: Any) -> bool:  # noqa: ANN401 - text or bytes
    """Return whether text or bytes begin with a prefix."""
    return text is not None and prefix is not None and text.startswith(prefix)


def f_item(pairs: Iterable[Mapping[str, Any]] | None, key: str) -> Any:  # noqa: ANN401 - any value
    """Return the value of a key in a map, given as a list of pairs."""
    return next((each.get("value") for each in pairs or () if each.get("key") == key), None)


def f_lookup(value: Number, steps: Mapping[int, Any] | None) -> Any:  # noqa: ANN401 - any value
    """Return the value of the greatest key in `steps` that is not above a value."""
    if value is None or steps is None:
        return None
    below = [step for step in steps if step <= value]
    return steps[max(below)] if below else None


def f_strange(
    values: Iterable[str | None] | None, known: Iterable[str], prefixes: Iterable[str]
) -> str | None:
    """Return the first item of a list that is neither known nor begins with one of the prefixes."""
    known, prefixes = tuple(known), tuple(prefixes)
    given = (each for each in values or () if each is not None)
    return next((e for e in given if e not in known and not e.startswith(prefixes)), None)


def f_beside(values: Iterable[Any] | None, value: Any, others: Iterable[Any] | None) -> Any:  # noqa: ANN401 - any values
    """Return the item of another list at the index of the first item that differs from a value.

    >>> f_beside([1, 2], 1, ["orders", "invoices"])
    'invoices'
    """
    pairs = zip(values or (), others or (), strict=False)
    return next((other for each, other in pairs if each is not None and each != value), None)


def f_any_eq(values: Iterable[Any] | None, value: Any) -> bool:  # noqa: ANN401 - any value
    """Return whether an item of a list is equal to a value."""
    return value is not None and bool(values) and value in (values or ())


def f_any_ne(values: Iterable[Any] | None, value: Any) -> bool:  # noqa: ANN401 - any value
    """Return whether an item of a list differs from a value."""
    return value is not None and any(each != value for each in values or () if each is not None)


def f_any_above(values: Iterable[Number] | None, value: Number) -> bool:
    """Return whether an item of a list is above a value."""
    return value is not None and any(each > value for each in values or () if each is not None)


def f_unordered(values: Iterable[int] | None) -> bool:
    """Return whether some item of a list is not above the one before it."""
    return any(later <= each for each, later in pairwise(values or ()))


def f_number(text: str | None) -> Number:
    """Return decimal text of up to 18 digits as a number."""
    return int(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else None


def f_release(text: str | None) -> Number:
    """Return a version such as 3.11.2 as a number that grows with it.

    >>> f_release("3.11.2+rc.1")
    3011002
    """
    match = _RELEASE.match(text) if isinstance(text, str) else None
    if match is None:
        return None
    return int(match[1]) * 1_000_000 + int(match[2]) * 1000 + int(match[3] or 0)


def f_plain_user(data: bytes | None) -> str | None:
    """Return the user in a message of SASL PLAIN (RFC 4616): the text between two zero bytes."""
    parts = data.split(b"\0") if isinstance(data, bytes) else []
    return parts[1].decode("utf-8", "replace") if len(parts) == 3 else None  # noqa: PLR2004


def f_non_ascii(value: Any) -> bool:  # noqa: ANN401 - text, or a list of it
    """Return whether text, or any text in a list or record, has a character beyond ASCII."""
    if isinstance(value, str):
        return not value.isascii()
    if isinstance(value, dict):
        return any(map(f_non_ascii, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(f_non_ascii, value))
    return False


def f_high_bit(data: bytes | None, at: Number) -> bool:
    r"""Return whether the top bit of a byte is set; False beyond the end.

    >>> f_high_bit(b"\x80\x01", 0), f_high_bit(b"\x80\x01", 1), f_high_bit(b"\x80\x01", 2)
    (True, False, False)
    """
    return data is not None and at is not None and at < len(data) and data[at] > 0x7F  # noqa: PLR2004


def f_multibyte(data: Any) -> bool:  # noqa: ANN401 - bytes
    """Return whether bytes are UTF-8 with a character beyond ASCII; the last one may be cut off.

    >>> f_multibyte("h\u00f4tel".encode()), f_multibyte("h\u00f4tel".encode("latin-1"))
    (True, False)
    """
    if not isinstance(data, bytes) or data.isascii():
        return False
    try:
        return not codecs.getincrementaldecoder("utf-8")().decode(data).isascii()
    except UnicodeDecodeError:
        return False


def f_matching(subject: str | None, pattern: str | None) -> bool:
    """Return whether a NATS subject matches a pattern with `*` and `>`."""
    if subject is None or pattern is None:
        return False
    tokens, wanted = subject.split("."), pattern.split(".")
    for at, each in enumerate(wanted):
        if each == ">":
            return len(tokens) > at
        if at >= len(tokens) or each not in ("*", tokens[at]):
            return False
    return len(tokens) == len(wanted)


def f_stem(subject: str | None) -> str | None:
    """Return a NATS subject without its last token.

    >>> f_stem("a.b.c")
    'a.b'
    """
    return None if subject is None else subject.rpartition(".")[0]


@lru_cache(maxsize=1024)
def f_program(name: str | None) -> str | None:
    """Return the name of a program without the numbers and random parts of its instances.

    >>> f_program("approval-7d9f-x2x4k"), f_program("prices-1"), f_program("events-worker")
    ('approval', 'prices', 'events-worker')
    """
    if name is None:
        return None
    left = _INSTANCE.sub("", name)
    return left or name


def f_digest(data: Any) -> bytes | None:  # noqa: ANN401 - any value
    """Return a digest of 16 bytes for bytes of any length; None for other values."""
    if not isinstance(data, bytes):
        return None
    from hashlib import blake2b  # noqa: PLC0415 - few tables ask for it

    return blake2b(data, digest_size=16).digest()


def f_called(subject: str | None, patterns: Mapping[str, str] | None) -> str | None:
    """Return the name of the first pattern that a NATS subject matches; None without a match.

    >>> f_called("a.b", {"a.*": "first", ">": "second"})
    'first'
    """
    if subject is None or not patterns:
        return None
    matcher = _MATCHERS.get(id(patterns))
    if matcher is None or matcher[0] is not patterns:
        matcher = _matcher(patterns)
    found = matcher[1].fullmatch(subject)
    return None if found is None else matcher[2][(found.lastindex or 0) - 1]


_MATCHERS: Final[dict[int, tuple[Mapping[str, str], re.Pattern[str], tuple[str, ...]]]] = {}
"""Constants with patterns by their ids, each with an expression and the names."""
_MOST_MATCHERS: Final = 64


def _matcher(
    patterns: Mapping[str, str],
) -> tuple[Mapping[str, str], re.Pattern[str], tuple[str, ...]]:
    """Return patterns, an expression with a group for each, and their names.

    Trying the patterns one by one took longer than all else that rules do about JetStream. The
    first that matches is the last index.
    """
    if len(_MATCHERS) >= _MOST_MATCHERS:
        _MATCHERS.clear()
    expression = re.compile("|".join(f"({_expression(each)})" for each in patterns), re.DOTALL)
    made = _MATCHERS[id(patterns)] = (patterns, expression, tuple(patterns.values()))
    return made


def _expression(pattern: str) -> str:
    """Return the regular expression of what `f_matching` accepts for a pattern."""
    tokens = []
    for each in pattern.split("."):
        tokens.append({"*": "[^.]*", ">": ".*"}.get(each) or re.escape(each))
        if each == ">":
            break
    return r"\.".join(tokens)


def f_begins(data: Any, names: Mapping[str, str] | None) -> str | None:  # noqa: ANN401 - text or bytes
    """Return the name of the longest key that is a prefix of text or bytes; None without a match.

    >>> f_begins(b"+ACK", {"+A": "a", "+ACK": "ack"})
    'ack'
    """
    text = data.decode("latin-1") if isinstance(data, bytes) else data
    found = [each for each in names or () if isinstance(text, str) and text.startswith(each)]
    return (names or {})[max(found, key=len)] if found else None


def f_between(data: Any, before: str, after: str) -> str | None:  # noqa: ANN401 - text or bytes
    """Return the text between the first two marks in text or bytes; None without both.

    An empty mark is the beginning, or the end.

    >>> f_between(b'{"error":{"code":400}}', '"code":', "}")
    '400'
    >>> f_between("scope/stream", "", "/"), f_between("scope/stream", "/", "")
    ('scope', 'stream')
    """
    if not isinstance(data, (str, bytes)):
        return None
    text = data.encode() if isinstance(data, str) else data
    start = text.find(before.encode())
    if start < 0:
        return None
    start += len(before.encode())
    end = text.find(after.encode(), start) if after else len(text)
    return text[start:end].decode("utf-8", "replace") if end >= 0 else None


def f_token(subject: str | None, at: int | None) -> str | None:
    """Return a token of a NATS subject, the first being 0; None if it has fewer.

    >>> f_token("a.b.c", 1)
    'b'
    """
    tokens = [] if subject is None else subject.split(".")
    return tokens[at] if at is not None and at < len(tokens) else None


def f_literal(subject: str | None) -> bool:
    """Return whether a NATS subject can be published to: it has no wildcard and no empty token."""
    return subject is not None and all(each not in ("", "*", ">") for each in subject.split("."))


def f_has(values: Mapping[Any, None] | None, value: Any) -> bool:  # noqa: ANN401 - any value
    """Return whether a set contains a value."""
    return values is not None and value is not None and value in values


def f_put(
    values: dict[Any, None] | None,
    value: Any,  # noqa: ANN401 - any value
    capped: Counter[str] | None = None,
) -> dict[Any, None]:
    """Add a value to a set and return it; a value dropped for it is counted in `capped`."""
    values = {} if values is None else values
    if value is not None:
        values[value] = None
        if len(values) > MOST_IN_SET:
            del values[next(iter(values))]
            if capped is not None:
                capped["values of a set"] += 1
    return values


def f_drop(values: dict[Any, None] | None, value: Any) -> dict[Any, None] | None:  # noqa: ANN401
    """Remove a value from a set and return it."""
    if values is not None:
        values.pop(value, None)
    return values


def f_missing(outstanding: OutstandingIds | None, ids: Any) -> Number:  # noqa: ANN401 - one id or many
    """Return how many of these ids are not outstanding; None if ids were missed."""
    return None if outstanding is None or ids is None else outstanding.missing(several(ids))


def f_held(outstanding: OutstandingIds | None, ids: Any) -> Number:  # noqa: ANN401 - one id or many
    """Return how many of these ids are outstanding already."""
    return None if outstanding is None or ids is None else outstanding.held(several(ids))


def f_count(outstanding: Any) -> Number:  # noqa: ANN401 - ids or a set
    """Return the number of outstanding ids, or of values of a set; None if ids were missed."""
    if isinstance(outstanding, OutstandingIds):
        return outstanding.count if outstanding.whole else None
    return None if outstanding is None else len(outstanding)


def f_oldest_t(outstanding: OutstandingIds | None) -> Number:
    """Return the time in ns at which the oldest outstanding id was added."""
    run = outstanding.oldest() if outstanding is not None else None
    return None if run is None else run[2]


def f_oldest_n(outstanding: OutstandingIds | None) -> Number:
    """Return the number of the frame that added the oldest outstanding id."""
    run = outstanding.oldest() if outstanding is not None else None
    return None if run is None else run[3]


def several(ids: Any) -> Any:  # noqa: ANN401 - one id or many
    """Return one id as a list of one, a list unchanged."""
    return [ids] if isinstance(ids, int) else ids


# Functions for generated code


def f_path(value: Any, *path: str) -> Any:  # noqa: ANN401 - any value
    """Return the value at a path; through lists, the values of all items in one list."""
    for at, name in enumerate(path):
        if value is None:
            return None
        if isinstance(value, list):
            out = [f_path(each, *path[at:]) for each in value]
            nested = any(isinstance(each, list) for each in out)
            return [one for each in out if each is not None for one in each] if nested else out
        value = value.get(name) if isinstance(value, dict) else None
    return value


def f_always(value: Any, *path: str) -> Any:  # noqa: ANN401 - any value
    """Return the value at a path.

    Items of lists without a value, which were cut off, are left out.
    """
    found = f_path(value, *path)
    return [each for each in found if each is not None] if isinstance(found, list) else found


def f_cut(problems: Iterable[Problem]) -> bool:
    """Return whether a frame was not decoded to its end: it may lack members that it always has."""
    return any(each.code.stops for each in problems)


def f_end(values: Any, at: int, *path: str) -> Any:  # noqa: ANN401 - a list of records
    """Return the value at a path in the first or last item of a list."""
    return f_path(values[at], *path) if values else None


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    name: value for name, value in list(globals().items()) if name.startswith("f_")
}
"""Functions by the name that generated code calls."""
