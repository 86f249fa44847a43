"""Text of the columns of a row in the code of a handler."""

import re
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable, Mapping
from types import CodeType
from typing import Any, ClassVar, Protocol

from streamshark.conversations.resolve import lists_on, mask_of
from streamshark.decoding.columns import SOME, Path, columns, scattered
from streamshark.decoding.decoder import gathering
from streamshark.decoding.shallow import always_inside
from streamshark.schema.nodes import Tree

_SHALLOW_VALUE = re.compile(r"row\.shallow(\.get\('(\w+)'\)|\['(\w+)'\])")
_GATHERED = re.compile(
    r"\(row\.decoder\.columns\[(.+?)\]\(row\.data\)"
    r" if \(x := (.+?)\)\.__class__ is range else (.+)\)"
)
"""A column of list items: its path, the list in the shallow values, the column of decoded items."""


class RowAccess(Protocol):
    """Text of the columns of a row in a handler; `row` is what the engine processes."""

    bound: dict[str, Any]
    """Objects that the texts use, by name."""

    def built_in(self, name: str) -> str:
        """Return the text of a column of every row: `t`, `n`, `size`, `side`, `version`, ..."""

    def column(self, tree: Tree | None, path: tuple[str, ...], part: str) -> str:
        """Return the text of a field; `part` is `len`, `first`, `last`, `some` or empty.

        With `some`, a list holds only the values of those items that have one.
        """

    def lines(self, tree: Tree | None, read: Mapping[str, str]) -> Iterable[str]:
        """Yield lines that assign columns, given by their texts, to names."""

    def common(self, body: str) -> Iterable[tuple[str, str]]:
        """Yield texts that occur often in a handler, each with a name for its value.

        Texts inside matches are not counted, since these are rare.
        """

    def around(self, path: tuple[str, ...]) -> str:
        """Return the text of a field of the outer frame of another protocol."""

    def agreed(self, name: str) -> str:
        """Return the text of a value that the connection had negotiated up to this frame."""


class SessionRowAccess:
    """Columns of the session's rows. The shallow values of a frame need no decoding."""

    _BUILT_IN: ClassVar = {
        "t": "row.time_ns", "n": "row.number", "size": "len(row.data)", "octets": "row.data",
        "pieces": "len(row.packets)",
        "side": "row.side", "version": "row.version", "dialect": "row.connection.table.dialect",
        "complete": "row.complete",
    }  # fmt: skip

    def __init__(self) -> None:
        self.bound: dict[str, Any] = {}
        self._gathering: dict[tuple[int, tuple[Path, ...]], str] = {}
        self.gathered: dict[str, tuple[Path, ...]] = {}
        """Name of a function that reads columns of a list, to their paths."""
        self._always_inside: dict[int, frozenset[Path]] = {}
        """By the id of a tree, the paths at which well-formed frames and their items have a
        value."""

    def built_in(self, name: str) -> str:
        """See `RowAccess`."""
        return self._BUILT_IN[name]

    def around(self, path: tuple[str, ...]) -> str:
        """See `RowAccess`."""
        text = f"(row.carrier.shallow.get({path[0]!r}) if row.carrier is not None else None)"
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
        if len(path) == 2 and path[0] == flags and path not in tree.at:  # noqa: PLR2004
            return f"(row.shallow.get({flags!r}, 0) & {mask_of(tree, path[1])} != 0)"
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
        """Yield lines as `RowAccess` says; columns of a list are read at once, their parts last."""
        lists: dict[str, list[tuple[str, Path, str]]] = {}
        of_lists = {each: found for each in read if (found := _GATHERED.fullmatch(each))}
        parts = []
        for text, name in read.items():
            if found := of_lists.get(text):
                lists.setdefault(found[2], []).append((name, literal_eval(found[1]), found[3]))
            elif whole := next((each for each in of_lists if each in text), None):
                parts.append(f"{name} = {text.replace(whole, read[whole])}")
            else:
                yield f"{name} = {text}"
        for inside, members in lists.items():
            paths = tuple(path for _, path, _ in members)
            gather = "" if tree is None else self._gather(tree, paths)
            names = ", ".join(name for name, _, _ in members)
            yield f"if (x := {inside}).__class__ is range: {names} = {gather}(row.data)"
            yield f"else: {'; '.join(f'{name} = {text}' for name, _, text in members)}"
        yield from parts

    def _gather(self, tree: Tree, paths: tuple[Path, ...]) -> str:
        """Return the name of the function that reads columns of a list."""
        key = id(tree), paths
        if key not in self._gathering:
            name = self._gathering[key] = f"gather_{len(self.gathered)}"
            self.gathered[name] = paths
            self.bound[name] = gathering(tree, *paths)
        return self._gathering[key]

    def bind(self, tree: Tree | None, code: CodeType) -> None:
        """Make the functions that read columns in code that another process has generated."""
        functions = [each for each in code.co_consts if isinstance(each, CodeType)]
        for name in {name for each in functions for name in each.co_names}:
            if tree is not None and name in self.gathered and name not in self.bound:
                paths = self.gathered[name]
                self.bound[name] = gathering(tree, *paths)
                self._gathering[id(tree), paths] = name

    def common(self, body: str) -> Iterable[tuple[str, str]]:
        """See `RowAccess`."""
        often = "\n".join(line for line in body.split("\n") if "    notice(" not in line)
        counts = Counter(found.groups() for found in _SHALLOW_VALUE.finditer(often))
        for (way, maybe, sure), count in counts.items():
            if count > 1:
                yield f"row.shallow{way}", f"o_{maybe}" if maybe else f"a_{sure}"
        if counts.total() > 1:
            yield "row.shallow", "shallow"


def _of(part: str, text: str) -> str:
    """Return the text of a part of a column."""
    if part == "len":
        return f"(len(x) if (x := {text}) is not None else None)"
    return text if part in ("", "some") else f"f_{part}({text})"


def _inside(path: Path) -> str:
    """Return the text of a path without lists, except for its last part, in the shallow values."""
    text = f"row.shallow.get({path[0]!r})"
    for name in path[1:]:
        text = f"(x.get({name!r}) if (x := {text}) is not None else None)"
    return text


def _around(listed: list[bool], path: Path) -> Path:
    """Return the path of the first list on a path."""
    return path[: listed.index(True) + 1]


def _gathered(
    inside: str, path: Path, column: Path, listed: list[bool], reader: str = "f_path"
) -> str:
    """Return the text of a column of list items, also if the shallow values only count them."""
    first = listed.index(True) + 1
    rest = "".join(f", {each!r}" for each in path[first:])
    read = f"{reader}(x{rest})" if rest else "x"
    counted = f"(x := {inside}).__class__ is range"
    return f"(row.decoder.columns[{column!r}](row.data) if {counted} else {read})"
