"""The fields of JSON, named as Wireshark names them."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from streamshark.decoding.payloads import FormatField

_WORDS: Final = {"true": True, "false": False, "null": None}


def fields() -> tuple[FormatField, ...]:
    """Return all fields."""
    return (
        FormatField("object", "none", "An object.", _any_of(dict)),
        FormatField("array", "none", "An array.", _any_of(list)),
        FormatField("member", "text", "Name of a member.", _keys),
        FormatField("key", "text", "Name of a member.", _keys),
        FormatField("value.string", "text", "A string.", _strings),
        FormatField("value.number", "text", "A number, as text.", _numbers),
        *(
            FormatField(f"value.{name}", "none", f"The value {name}.", _word(value))
            for name, value in _WORDS.items()
        ),
    )


def _walk(value: Any) -> Iterator[Any]:  # noqa: ANN401 - a decoded value
    """Yield a value and all that are inside."""
    stack = [value]
    while stack:
        each = stack.pop()
        yield each
        if isinstance(each, dict | list):
            stack += reversed(list(each.values() if isinstance(each, dict) else each))


def _any_of(kind: type) -> Callable[[Any], Iterator[bool]]:
    return lambda value: (True for each in _walk(value) if isinstance(each, kind))


def _word(word: bool | None) -> Callable[[Any], Iterator[bool]]:  # noqa: FBT001 - a value of JSON
    return lambda value: (True for each in _walk(value) if each is word)


def _keys(value: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded value
    return (key for each in _walk(value) if isinstance(each, dict) for key in each)


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded value
    return (each for each in _walk(value) if isinstance(each, str))


def _numbers(value: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded value
    return (repr(each) for each in _walk(value) if type(each) in (int, float))
