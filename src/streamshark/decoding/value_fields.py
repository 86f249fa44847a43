"""The fields of formats whose values are trees of objects and arrays: JSON, CBOR, MessagePack.

They are named as Wireshark names those of JSON.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from streamshark.decoding.payloads import FormatField

Value = Any
"""A decoded value."""
Members = Iterable[tuple[str, Value]]
Children = Callable[[Value], Members | None]
"""Returns the members of an object, by name; None of other values."""
Plain = Callable[[Value], Value]

ITEM: Final = "[]"
"""Name of an item of an array in paths."""
_WORDS: Final = {"true": True, "false": False, "null": None}


class Placed(NamedTuple):
    """A value inside another one."""

    path: str
    """Names of the objects around it, each after a slash; empty for the value as a whole."""
    name: str | None
    """Its own name in the object around it; None for items, and for the value as a whole."""
    value: Value

    @property
    def last(self) -> str:
        """The last name of the path."""
        return ITEM if self.name is None else self.name


def fields(members: Children, plain: Plain = lambda value: value) -> tuple[FormatField, ...]:
    """Return the fields of a format whose objects have these members.

    `plain` returns the value below a tag.
    """

    def walk(value: Value) -> Iterator[Placed]:
        return _walk(value, members, plain)

    def strings(value: Value) -> Iterator[str]:
        return (each.value for each in walk(value) if isinstance(each.value, str))

    def present(test: Callable[[Value], bool]) -> Callable[[Value], Iterator[bool]]:
        return lambda value: (True for each in walk(value) if test(each.value))

    def names(value: Value) -> Iterator[str]:
        return (each.name for each in walk(value) if each.name is not None)

    def paths(value: Value) -> Iterator[str]:
        return (each.path for each in walk(value) if each.name is not None)

    def shown(part: str) -> Callable[[Value], Iterator[str]]:
        return lambda value: (
            f"{getattr(each, part)}:{text}"
            for each in walk(value)
            if each.path and (text := _text(each.value)) is not None
        )

    def is_object(value: Value) -> bool:
        return members(value) is not None

    return (
        FormatField("object", "none", "An object.", present(is_object)),
        FormatField(
            "array", "none", "An array.",
            present(lambda value: isinstance(value, list) and not is_object(value)),
        ),
        FormatField("member", "text", "Name of a member.", names),
        FormatField("key", "text", "Name of a member.", names),
        FormatField("path", "text", "Path of a member, such as /config/name.", paths),
        FormatField("path_with_value", "text", "Path and value: /config/name:A.", shown("path")),
        FormatField("member_with_value", "text", "Name and value: name:A.", shown("last")),
        FormatField("value.string", "text", "A string.", strings),
        FormatField("value.number", "double", "A number.", _numbers(walk)),
        *(
            FormatField(f"value.{name}", "none", f"The value {name}.", present(_same(word)))
            for name, word in _WORDS.items()
        ),
    )  # fmt: skip


def fields_of_pairs() -> tuple[FormatField, ...]:
    """Return the fields of a format whose objects are lists of `{"key", "value"}`, or `{}`."""

    def byte_strings(value: Value) -> Iterator[bytes]:
        found = (each.value for each in _walk(value, _pairs, _untagged))
        return (each for each in found if isinstance(each, bytes))

    bytes_field = FormatField("value.bytes", "bytes", "A byte string.", byte_strings)
    return (*fields(_pairs, _untagged), bytes_field)


def _pairs(value: Value) -> Members | None:
    if isinstance(value, dict):
        return None if value else ()
    if isinstance(value, list) and value and all(map(_is_pair, value)):
        return ((_text(each["key"]) or "", each["value"]) for each in value)
    return None


def _untagged(value: Value) -> Value:
    """Return the value below tags, or below the number of an extension."""
    while isinstance(value, dict) and value.keys() in _TAGGED:
        value = value["value"]
    return value


_TAGGED: Final = ({"tag", "value"}, {"ext", "value"})


def _is_pair(value: Value) -> bool:
    return isinstance(value, dict) and value.keys() == {"key", "value"}


def _walk(value: Value, members: Children, plain: Plain) -> Iterator[Placed]:
    """Yield a value and all that are inside, in their order."""
    stack = [Placed("", None, value)]
    while stack:
        path, name, tagged = stack.pop()
        each = Placed(path, name, plain(tagged))
        yield each
        found = members(each.value)
        if found is not None:
            inner = [Placed(f"{each.path}/{name}", name, one) for name, one in found]
        elif isinstance(each.value, list):
            inner = [Placed(f"{each.path}/{ITEM}", None, one) for one in each.value]
        else:
            continue
        stack += reversed(inner)


def _same(word: Value) -> Callable[[Value], bool]:
    return lambda value: value is word


def _numbers(walk: Callable[[Value], Iterator[Placed]]) -> Callable[[Value], Iterator[float]]:
    def numbers(value: Value) -> Iterator[float]:
        for each in walk(value):
            if type(each.value) in (int, float):
                try:
                    yield float(each.value)
                except OverflowError:  # more digits than a double has
                    continue

    return numbers


def _text(value: Value) -> str | None:  # noqa: PLR0911 - one row a type
    """Return a value that is no object and no array as text."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return value
        case int():
            return str(value) if value.bit_length() <= _MOST_BITS else None
        case float():
            return repr(value)
        case bytes():
            return value.hex(":")
        case _:
            return None


_MOST_BITS: Final = 1024
"""Longer integers have no text, which Python would refuse to make, or take long for."""
