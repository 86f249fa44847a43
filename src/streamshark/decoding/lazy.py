"""Parts of protocols that are imported when somebody asks for them: most readings need few."""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
Later = Callable[[], T]


def later(package: str, path: str) -> Later[Any]:
    """Return a part of a protocol, `module.NAME`, that is imported on first use."""
    module, _, name = path.rpartition(".")

    def found() -> Any:  # noqa: ANN401 - whatever it is
        return getattr(importlib.import_module(f"{package}.{module}"), name)

    return found


def function(package: str, path: str) -> Callable[..., Any]:
    """Return a function of a protocol, `module.name`, that is imported on its first call."""
    find = cache(later(package, path))

    def called(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the function has it
        return find()(*given, **named)

    called.__module__, _, called.__name__ = f"{package}.{path}".rpartition(".")
    return called


class LazyPart(Generic[T]):
    """A member that may be given `later`; without a default it must be given."""

    def __init__(self, *default: T | Later[T]) -> None:
        self.default = default

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, holder: None, _owner: type) -> T | Later[T]: ...
    @overload
    def __get__(self, holder: object, _owner: type) -> T: ...
    def __get__(self, holder: object, _owner: type) -> T | Later[T]:
        if holder is None:
            if not self.default:
                raise AttributeError(self.name)
            return self.default[0]
        given: T | Later[T] = vars(holder)[self.name]
        if callable(given):
            while callable(given):
                given = given()
            vars(holder)[self.name] = given
        return given

    def __set__(self, holder: object, given: T | Later[T]) -> None:
        vars(holder)[self.name] = given
