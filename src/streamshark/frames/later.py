"""Parts of protocols that are imported when somebody asks for them: most readings need few."""

import importlib
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Later = Callable[[], tuple[T, ...]]


def later(package: str, path: str) -> Later[Any]:
    """A part of a protocol that is imported when somebody asks for it: `module.NAME`."""
    module, _, name = path.rpartition(".")

    def found() -> tuple[Any, ...]:
        part: tuple[Any, ...] = getattr(importlib.import_module(f"{package}.{module}"), name)
        return part

    return found


class Part(Generic[T]):
    """A member that may be given `later`."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name

    def __get__(self, holder: object, _owner: type) -> tuple[T, ...]:
        if holder is None:
            return ()
        given: tuple[T, ...] | Later[T] = vars(holder)[self.name]
        if callable(given):
            given = vars(holder)[self.name] = given()
        return given

    def __set__(self, holder: object, given: tuple[T, ...] | Later[T]) -> None:
        vars(holder)[self.name] = given
