"""Getters of the fields that are in the bytes of frames, by the cheapest form of a row.

A value outside of lists is read from the shallow values; a member of list items is gathered by the
column decoder where that can read it; all else is read from the decoded values.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.numbering import firsts
from streamshark.decoding.payloads import PayloadReaders, cells
from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import Getter
from streamshark.fields.times import time_ns
from streamshark.fields.types import listed
from streamshark.schema import Numbering

Path = tuple[str, ...]
NOTHING: Final[dict[str, Any]] = {}


def occurrences(value: Any, path: Sequence[str]) -> list[Any]:  # noqa: ANN401 - a decoded value
    """Return all values at a path, through lists; a list at its end yields its items."""
    if isinstance(value, list):
        return [found for item in value for found in occurrences(item, path)]
    if not path:
        return [value]
    if not isinstance(value, dict) or path[0] not in value:
        return []
    return occurrences(value[path[0]], path[1:])


class Accessor:
    """Makes getters whose expressions may be parts of one expression: names do not collide."""

    def __init__(self) -> None:
        self._count = 0

    def call(self, function: Any, *, many: bool = True) -> Getter:  # noqa: ANN401 - of a row
        """Return a getter that calls a function of the row."""
        name = self._name()
        return Getter(f"{name}(row)", {name: function}, many)

    def path(self, decoder: Decoder, path: Path) -> Getter:
        """Return the getter of the value, or values, at a path."""
        many = listed(decoder.tree)
        lengths = [length for length in range(1, len(path) + 1) if path[:length] in many]
        if not lengths and not any(each[: len(path)] == path for each in many):
            return Getter(_shallow_value(path), {"f_nothing": NOTHING})
        scope: dict[str, Any] = {"f_occurrences": occurrences}
        text = f"f_occurrences(row.values, {path!r})"
        some = not decoder.has_column(*path)
        if lengths and (not some or decoder.has_column(*path, some=True)):
            name = self._name()
            scope |= {name: decoder.columns[("*", *path) if some else path]}
            scope |= {"f_nothing": NOTHING}
            counted = f"{_shallow_value(path[: lengths[0]])}.__class__ is range"
            text = f"({name}(row.data) if {counted} else {text})"
        return Getter(text, scope, many=True)

    def flag(self, decoder: Decoder, path: Path, mask: int) -> Getter:
        """Return the getter of one flag of a number."""
        number = self.path(decoder, path)
        if number.many:
            text = f"[value & {mask} != 0 for value in {number.expression} if value is not None]"
            return Getter(text, number.scope, many=True)
        name = self._name()
        scope = {**number.scope, name: _flag}
        return Getter(f"{name}({number.expression}, {mask})", scope)

    def time(self, number: Getter, factor: int) -> Getter:
        """Return the getter of the times that numbers are, each so many times `factor` ns."""
        name = self._name()
        if number.many:
            scope = {**number.scope, name: partial(_times, factor)}
            return Getter(f"{name}({number.expression})", scope, many=True)
        return Getter(f"{name}({number.expression}, {factor})", {**number.scope, name: time_ns})

    def numbers(self, numbering: Numbering) -> Getter:
        """Return the getter of the computed numbers of the items of a list."""
        path = numbering.items.split(".")[:-1]

        def get(row: Row) -> list[Any]:
            records = occurrences(getattr(row, "values", NOTHING), path)
            return [each for record in records for each in firsts(numbering, record)]

        return self.call(get)

    def inside(self, paths: Mapping[str, Sequence[Path]], layers: PayloadReaders) -> Getter:
        """Return the getter of members of embedded records, in reassembled slots too.

        `paths` has the paths of the members by the id of the embedded record.
        """

        def get(row: Row) -> list[Any]:
            if not isinstance(row, FrameRow) or row.decoder is None:
                return []
            values = (row.reassembled or {}) if row.piece else row.values
            return [
                value
                for cell in cells(row.decoder.tree, values, row.agreed)
                for embedded, found in layers.embedded_records(cell, row.agreed)
                for path in paths.get(embedded.id, ())
                for value in occurrences(embedded.record_of(found), path)
            ]

        return self.call(get)

    def context(self, name: str) -> Getter:
        """Return the getter of a member of a row's context."""
        return Getter(f"(row.annotation.context.get({name!r}) if row.annotation else None)")

    def holds(self, value: Getter, unless: Iterable[Any]) -> Getter:
        """Return the getter of True where a value, or one of several, is not in `unless`."""
        many = value.expression if value.many else f"({value.expression},)"
        name = self._name()
        return Getter(f"{name}({many})", {**value.scope, name: partial(_holds, frozenset(unless))})

    def joined(self, getters: Sequence[Getter]) -> Getter:
        """Return the getter of the occurrences of several fields, in their order."""
        if len(getters) == 1:
            return getters[0]
        parts = [
            f"*{each.expression}" if each.many else f"*f_one({each.expression})" for each in getters
        ]
        scope = {name: value for each in getters for name, value in each.scope.items()}
        return Getter(f"[{', '.join(parts)}]", {**scope, "f_one": _one}, many=True)

    def _name(self) -> str:
        self._count += 1
        return f"f_{self._count}"


def _shallow_value(path: Path) -> str:
    """Return the expression of the value at a path without lists, in the shallow values."""
    *around, last = path
    text = "row.shallow"
    for name in around:
        text = f"({text}.get({name!r}) or f_nothing)"
    return f"{text}.get({last!r})"


def _flag(value: int | None, mask: int) -> bool | None:
    return None if value is None else value & mask != 0


def _times(factor: int, values: Iterable[int | None]) -> list[int]:
    found = (time_ns(each, factor) for each in values)
    return [each for each in found if each is not None]


def _one(value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a decoded value
    return () if value is None else (value,)


def _holds(unless: frozenset[Any], values: Iterable[Any]) -> bool | None:
    return True if any(each is not None and each not in unless for each in values) else None
