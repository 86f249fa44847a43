"""Dataclasses that are cheap to declare: of what `dataclass` generates, only `__init__`.

`dataclass(frozen=True)` compiles six methods for each class, a quarter of a millisecond; a command
line that declares a hundred records would spend a tenth of its startup on methods that are never
called. Modules whose records are handed to users declare frozen dataclasses all the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T]) -> type[T]: ...
@overload
def record(
    *, slots: bool = True, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, *, slots: bool = True, eq: bool = True, kw_only: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a dataclass that is compared by its members, or with `eq=False` by identity.

    Type checkers treat it as frozen; nothing enforces that at run time. Without `slots` it may have
    cached properties and attributes that are set later.
    """

    def made(cls: type[T]) -> type[T]:
        cls.__repr__ = _shown  # type: ignore[method-assign]
        if eq:
            cls.__eq__ = _is_equal  # type: ignore[method-assign]
            cls.__hash__ = _hashed  # type: ignore[method-assign, assignment]
        return dataclass(cls, repr=False, eq=False, slots=slots, kw_only=kw_only)

    return made if cls is None else made(cls)


def _values(one: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a record
    return tuple(getattr(one, each.name) for each in fields(one))


def _is_equal(one: object, other: object) -> bool:
    return other.__class__ is one.__class__ and (one is other or _values(one) == _values(other))


def _hashed(one: object) -> int:
    kept = (getattr(one, each.name) for each in fields(one) if each.hash is not False)  # type: ignore[arg-type]
    return hash(tuple(kept))


@recursive_repr()
def _shown(one: object) -> str:
    members = (f"{each.name}={getattr(one, each.name)!r}" for each in fields(one))  # type: ignore[arg-type]
    return f"{type(one).__qualname__}({', '.join(members)})"
