"""Values that know their names, for the records of the public API.

They are numbers and bytes as before: equal to them, encoded as they are, and accepted wherever they
are. Only what they print is meant for people.
"""

from collections.abc import Callable, Mapping
from typing import Any, Self
from uuid import UUID

from streamshark.schema.nodes import BlobNode, Node, Tree


class NamedNumber(int):
    """A number with its name, printed as `8 (authentication_failure)`."""

    name: str | None
    """The name; None if the protocol does not define the number."""

    def __new__(cls, value: int, name: str | None) -> Self:
        """Make the number with its name."""
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __repr__(self) -> str:
        """Return the number, and its name in brackets."""
        return int.__repr__(self) if self.name is None else f"{int(self)} ({self.name})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the same number again, for copies and other processes."""
        return NamedNumber, (int(self), self.name)


class FlagSet(int):
    """A number whose bits are flags, printed as `0x60 (complete|next)`."""

    names: tuple[str, ...]
    """The flags that are set, in the order of their declaration."""

    def __new__(cls, value: int, flags: Mapping[int, str]) -> Self:
        """Make the number; `flags` are names by mask."""
        made = super().__new__(cls, value)
        made.names = tuple(name for mask, name in flags.items() if value & mask)
        return made

    def __contains__(self, name: object) -> bool:
        """Return whether a flag is set: `"complete" in flags`."""
        return name in self.names

    def __repr__(self) -> str:
        """Return the number in hex, and the flags in brackets."""
        return f"{int(self):#x} ({'|'.join(self.names)})" if self.names else f"{int(self):#x}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the same number again, for copies and other processes."""
        return _flags, (int(self), self.names)


def _flags(value: int, names: tuple[str, ...]) -> FlagSet:
    made = FlagSet(value, {})
    made.names = names
    return made


class UuidBytes(bytes):
    """The 16 bytes of a UUID, printed in its canonical form."""

    def __repr__(self) -> str:
        """Return the canonical form."""
        return str(UUID(bytes=bytes(self)))

    __str__ = __repr__


Convert = Callable[[Any], Any]


def name_values(tree: Tree, values: dict[str, Any]) -> dict[str, Any]:
    """Replace, in the values of a frame, numbers and bytes that have a name; return the values."""
    for path, convert in _conversions(tree):
        _replace(values, path, convert)
    return values


_Conversions = tuple[tuple[tuple[str, ...], Convert], ...]
_made: dict[int, tuple[Tree, _Conversions]] = {}
"""Identity of a tree to the tree and its conversions; as many as there are kinds of frames."""


def _conversions(tree: Tree) -> _Conversions:
    """Return the paths of values that have names, with what converts a value."""
    known = _made.get(id(tree))
    if known is None:
        known = _made[id(tree)] = tree, _made_conversions(tree)
    return known[1]


def _made_conversions(tree: Tree) -> _Conversions:
    found: dict[tuple[str, ...], Convert] = {}
    for node in tree.named():
        convert = _conversion(node)
        if convert is not None:
            found.setdefault(node.path, convert)
    return tuple(found.items())


def _conversion(node: Node) -> Convert | None:
    facts = node.facts
    if facts.secret:
        return None
    if facts.is_coded:
        return lambda value: _if(int, value, lambda one: NamedNumber(one, facts.name_of(one)))
    if (flags := facts.flags) is not None:
        return lambda value: _if(int, value, lambda one: FlagSet(one, flags))
    if facts.boolean:
        return lambda value: bool(value) if value in (0, 1) else value
    if isinstance(node, BlobNode) and node.encoding == "uuid":
        return lambda value: _if(bytes, value, UuidBytes)
    return None


def _if(kind: type, value: Any, convert: Convert) -> Any:  # noqa: ANN401 - any value
    return convert(value) if isinstance(value, kind) else value


def _replace(values: Any, path: tuple[str, ...], convert: Convert) -> None:  # noqa: ANN401 - values
    """Convert the values at a path, in every item of lists on the way."""
    if isinstance(values, list):
        for each in values:
            _replace(each, path, convert)
        return
    name, *rest = path
    if not isinstance(values, dict) or name not in values:
        return
    value = values[name]
    if rest:
        _replace(value, tuple(rest), convert)
    elif isinstance(value, list):
        values[name] = [convert(each) for each in value]
    else:
        values[name] = convert(value)
