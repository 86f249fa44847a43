"""Dataclasses that are cheap to declare: of what `dataclass` generates, only `__init__`, on demand.

`dataclass(frozen=True)` compiles six methods for each class, a quarter of a millisecond; a command
line that declares a hundred records would spend a tenth of its startup on methods that are never
called. The constructor of a record is compiled when its first instance is made. Modules whose
records are handed to users declare frozen dataclasses all the same.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
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
        declared = dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
        if "__init__" not in vars(cls):
            _construct_later(declared)
        return declared

    return made if cls is None else made(cls)


def _construct_later(cls: Any) -> None:  # noqa: ANN401 - a class
    """Give a class a constructor that is compiled when it is called."""

    def construct(self: object, *args: object, **kwargs: object) -> None:
        cls.__init__ = _constructor(cls)
        cls.__init__(self, *args, **kwargs)

    cls.__init__ = construct


def _constructor(cls: Any) -> Callable[..., None]:  # noqa: ANN401 - a class
    """Return the method that `dataclass` would compile as `__init__`."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    positional: list[str] = []
    keyword: list[str] = []
    body: list[str] = []
    for each in fields(cls):
        value, default = each.name, ""
        if each.default is not MISSING:
            default = f"=default_{each.name}"
            scope[f"default_{each.name}"] = each.default
        elif each.default_factory is not MISSING:
            default = "=MISSING"
            scope[f"make_{each.name}"] = each.default_factory
            value = f"make_{each.name}()"
            if each.init:
                value += f" if {each.name} is MISSING else {each.name}"
        if each.init:
            (keyword if each.kw_only else positional).append(f"{each.name}{default}")
        elif each.default_factory is MISSING:
            continue
        body.append(f"self.{each.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *keyword] if keyword else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), scope)  # noqa: S102 - our own text
    made: Callable[..., None] = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


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
