"""Slots of objects as plain values, by which their state is kept."""

from collections.abc import Iterable, Mapping
from typing import Any


def slot_values(entity: Any, fresh: Any, names: Iterable[str] | None = None) -> dict[str, Any]:  # noqa: ANN401 - objects
    """Return the values of slots that differ from those of a new object, by name.

    Args:
        entity: The object.
        fresh: A new object of its class.
        names: The slots; by default those that only its class has.
    """
    found = {}
    for name in type(entity).__slots__ if names is None else names:
        value, other = getattr(entity, name), getattr(fresh, name)
        if value is not other and value != other:
            found[name] = value
    return found


def set_slots(entity: Any, values: Mapping[str, Any]) -> None:  # noqa: ANN401 - an object
    """Set slots to values."""
    for name, value in values.items():
        setattr(entity, name, value)


def every_slot(kind: type) -> list[str]:
    """Return the names of all slots of a class."""
    return [slot for each in kind.__mro__ for slot in getattr(each, "__slots__", ())]
