"""Values of any type as plain ones, which `marshal` writes."""

from collections.abc import Mapping
from typing import Any, Final

_PLAIN: Final = frozenset({type(None), bool, int, float, str, bytes})


def plain(value: Any) -> Any:  # noqa: ANN401, PLR0911 - any value
    """Return a value as one that `marshal` writes; what it cannot write as its text."""
    if type(value) in _PLAIN:
        return value
    match value:
        case int():
            return int(value)
        case bytearray() | memoryview():
            return bytes(value)
        case Mapping():
            return {plain(name): plain(each) for name, each in value.items()}
        case range():
            return list(value)
        case list():
            return [plain(each) for each in value]
        case tuple():
            return tuple(map(plain, value))
        case set() | frozenset():
            return frozenset(map(plain, value))
    return str(value)
