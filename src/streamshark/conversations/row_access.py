"""How the columns of a row are written in the code of a handler."""

import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol

from streamshark.conversations.resolve import lists_on, mask_of, node_at
from streamshark.decoding.columns import SOME, Path, columns, scattered
from streamshark.decoding.decoder import gathering
from streamshark.decoding.shallow import always_inside
from streamshark.schema.nodes import Tree

_OUTLINED = re.compile(r"row\.outline(\.get\('(\w+)'\)|\['(\w+)'\])")
_GATHERED = re.compile(
    r"\(row\.decoder\.columns\[(.+?)\]\(row\.data\)"
    r" if \(x := (.+?)\)\.__class__ is range else (.+)\)"
)
"""A column that is gathered: its path, the list in the outline, and the column of items read."""


class RowAccess(Protocol):
    """How the columns of a row are written in a handler, where `row` is what the engine is fed."""

    bound: dict[str, Any]
    """What the texts call, by name."""

    def built_in(self, name: str) -> str:
        """A column that every row has: `t`, `n`, `size`, `side`, `version`, `complete`."""

    def column(self, tree: Tree | None, path: tuple[str, ...], part: str) -> str:
        """A field; `part` is `len`, `first`, `last` or empty.

        With `some` a list needs to hold the values of those items only that have one.
        """

    def lines(self, tree: Tree | None, read: Mapping[str, str]) -> Iterable[str]:
        """Lines that read columns, given by their texts, into names."""

    def common(self, body: str) -> Iterable[tuple[str, str]]:
        """Texts that a handler says often, each with a name that it may get first of all.

        What is only told of a finding is seldom said.
        """

    def around(self, path: tuple[str, ...]) -> str:
        """A field of the frame of another protocol that this one rode in."""

    def agreed(self, name: str) -> str:
        """What the connection had agreed up to this frame."""


class SessionRowAccess:
    """Columns of the session's rows. What the outline of a frame says needs no decoding."""

    _BUILT_IN: ClassVar = {
        "t": "row.time_ns", "n": "row.number", "size": "len(row.data)", "side": "row.side",
        "version": "row.version", "dialect": "row.connection.table.dialect",
        "complete": "row.complete",
    }  # fmt: skip

    def __init__(self) -> None:
        self.bound: dict[str, Any] = {}
        self._gathering: dict[tuple[int, tuple[Path, ...]], str] = {}
        self._always_inside: dict[int, frozenset[Path]] = {}
        """By the id of a tree, the paths at which sound frames and their items have a value."""

    def built_in(self, name: str) -> str:
        """See `RowAccess`."""
        return self._BUILT_IN[name]

    def around(self, path: tuple[str, ...]) -> str:
        """See `RowAccess`."""
        text = f"(row.carrier.outline.get({path[0]!r}) if row.carrier is not None else None)"
        for name in path[1:]:
            text = f"(x.get({name!r}) if (x := {text}) is not None else None)"
        return text

    def agreed(self, name: str) -> str:
        """See `RowAccess`."""
        return f"row.agreed.get({name!r})"

    def column(self, tree: Tree | None, path: tuple[str, ...], part: str) -> str:  # noqa: PLR0911
        """See `RowAccess`."""
        if tree is None:
            return f"row.fields.get({path[0]!r})"
        flags = getattr(tree.head, "flags", None)
        if len(path) == 2 and path[0] == flags and node_at(tree, path) is None:  # noqa: PLR2004
            return f"(row.outline.get({flags!r}, 0) & {mask_of(tree, path[1])} != 0)"
        listed = lists_on(tree, path)
        if not any(listed) or (part == "len" and not any(listed[:-1])):
            return _of(part, _inside(path))
        reader = "f_always" if path in self._inside(tree) else "f_path"
        if columns(tree, path):
            inside = _inside(_around(listed, path))
            return _of(part, _gathered(inside, path, path, listed, reader))
        if part == "some" and scattered(tree, path):
            return _gathered(_inside(_around(listed, path)), path, (SOME, *path), listed)
        if part in ("first", "last") and listed[0] and sum(listed) == 1:
            rest = "".join(f", {each!r}" for each in path[1:])
            return f"f_end(row.values.get({path[0]!r}), {-1 if part == 'last' else 0}{rest})"
        text = f"{reader}(row.values, {', '.join(map(repr, path))})"
        return _of(part, text)

    def _inside(self, tree: Tree) -> frozenset[Path]:
        if id(tree) not in self._always_inside:
            self._always_inside[id(tree)] = always_inside(tree)
        return self._always_inside[id(tree)]

    def lines(self, tree: Tree | None, read: Mapping[str, str]) -> Iterable[str]:
        """See `RowAccess`. Columns of one list are read in one go."""
        lists: dict[str, list[tuple[str, Path, str]]] = {}
        for text, name in read.items():
            found = _GATHERED.fullmatch(text)
            if found is None:
                yield f"{name} = {text}"
            else:
                lists.setdefault(found[2], []).append((name, literal_eval(found[1]), found[3]))
        for inside, members in lists.items():
            paths = tuple(path for _, path, _ in members)
            gather = "" if tree is None else self._gather(tree, paths)
            names = ", ".join(name for name, _, _ in members)
            yield f"if (x := {inside}).__class__ is range: {names} = {gather}(row.data)"
            yield f"else: {'; '.join(f'{name} = {text}' for name, _, text in members)}"

    def _gather(self, tree: Tree, paths: tuple[Path, ...]) -> str:
        """Name of what gathers columns of a list."""
        key = id(tree), paths
        if key not in self._gathering:
            name = self._gathering[key] = f"gather_{len(self.bound)}"
            self.bound[name] = gathering(tree, *paths)
        return self._gathering[key]

    def common(self, body: str) -> Iterable[tuple[str, str]]:
        """See `RowAccess`."""
        often = "\n".join(line for line in body.split("\n") if "    notice(" not in line)
        said = Counter(found.groups() for found in _OUTLINED.finditer(often))
        for (way, maybe, sure), count in said.items():
            if count > 1:
                yield f"row.outline{way}", f"o_{maybe}" if maybe else f"a_{sure}"
        if said.total() > 1:
            yield "row.outline", "outline"


def _of(part: str, text: str) -> str:
    """A part of a column."""
    if part == "len":
        return f"(len(x) if (x := {text}) is not None else None)"
    return text if part in ("", "some") else f"f_{part}({text})"


def _inside(path: Path) -> str:
    """What the outline says at a path without lists, but for its last part."""
    text = f"row.outline.get({path[0]!r})"
    for name in path[1:]:
        text = f"(x.get({name!r}) if (x := {text}) is not None else None)"
    return text


def _around(listed: list[bool], path: Path) -> Path:
    """Path of the first list on a path."""
    return path[: listed.index(True) + 1]


def _gathered(
    inside: str, path: Path, column: Path, listed: list[bool], reader: str = "f_path"
) -> str:
    """A column that is gathered where the outline has only counted the items of its list."""
    first = listed.index(True) + 1
    rest = "".join(f", {each!r}" for each in path[first:])
    read = f"{reader}(x{rest})" if rest else "x"
    counted = f"(x := {inside}).__class__ is range"
    return f"(row.decoder.columns[{column!r}](row.data) if {counted} else {read})"
