"""The record decoder: generated Python per frame, made on first use.

`Decoder.read` tries the fast form and asks the careful one after anything malformed; `Decoder.skim`
is for those who need no items of lists, most of the time. `Decoder.examine` gives the careful
form's ranges for one frame that somebody looks at.
"""

import struct
import zlib
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from streamshark.decoding import json_lines, protobuf, runtime, text_lines
from streamshark.decoding.code_printer import CodePrinter
from streamshark.decoding.columns import SOME, ColumnReaderPrinter, members_at
from streamshark.decoding.lax import LaxPrinter
from streamshark.decoding.runtime import ODD, Range
from streamshark.decoding.shallow import ShallowPrinter
from streamshark.decoding.strict import StrictPrinter
from streamshark.schema.frame import FrameSchema
from streamshark.schema.nodes import FitsNode, ListNode, Tree
from streamshark.schema.problems import Problem

Values = dict[str, Any]

_new = tuple.__new__
"""Makes a named tuple without the call of its own `__new__`: for what is made per frame."""


class LaxResult(NamedTuple):
    """What the careful form says of one frame."""

    values: Values
    ranges: list[Range]
    """(node id, start, end, value) in wire order; they tile the frame."""
    problems: list[Problem]


class ShallowResult(NamedTuple):
    """What is known of a frame without reading the items of its lists."""

    values: Values
    """As `Decoder.read` gives them, with `range(n)` for a list of n items unless they are whole."""
    problems: list[Problem]
    """All of them."""
    is_whole: bool
    """Whether the values are those that `Decoder.read` gives."""


class Decoder:
    """The forms of one frame's decoder; of a schema that is walked when it is first needed."""

    def __init__(self, tree: Tree | Callable[[], Tree], schema: FrameSchema | None = None) -> None:
        self._tree = tree
        self._schema = schema
        self._known: tuple[bytes, ShallowResult] | None = None
        """The frame that was asked about last, and what is known of it."""
        self.columns = ColumnReaders(self)

    @cached_property
    def tree(self) -> Tree:
        """What is read."""
        return self._tree if isinstance(self._tree, Tree) else self._tree()

    @property
    def schema(self) -> FrameSchema:
        """The schema of `tree`."""
        return self._schema or self.tree.schema

    @cached_property
    def correlates(self) -> str | None:
        """Name of the frame's own member that joins requests and responses, if it has one."""
        for node in self.tree.named():
            if node.facts.has_role("correlates") and len(node.path) == 1:
                return node.name
        return None

    @cached_property
    def fast(self) -> Callable[[bytes], Values]:
        """Values of a frame without problems; raises one of `ODD` otherwise."""
        return _made(StrictPrinter(self.tree))

    @cached_property
    def shallow(self) -> Callable[[bytes], Values]:
        """The same with `range(n)` for lists; the same function where a frame has no lists."""
        return _made(ShallowPrinter(self.tree)) if self.has_lists else self.fast

    @cached_property
    def has_lists(self) -> bool:
        """Whether a frame has lists, so that its shallow values are fewer than its values."""
        return any(isinstance(each, ListNode) for each in self.tree.nodes)

    @cached_property
    def careful(self) -> Callable[[bytes], tuple[Values, list[Range], list[Problem]]]:
        """Values, ranges and problems of any bytes; never raises."""
        return _made(LaxPrinter(self.tree))

    def has_column(self, *path: str, some: bool = False) -> bool:
        """Whether what is at a path can be read alone, of all items of a list.

        `some`: of those items that have it.
        """
        return bool(members_at(self.tree, (SOME, *path) if some else path))

    def read(self, frame: bytes) -> tuple[Values, list[Problem]]:
        """Return the values of a frame, head included, and its problems."""
        try:
            return self.fast(frame), []
        except ODD:
            values, _, problems = self.careful(frame)
            return values, problems

    def skim(self, frame: bytes) -> ShallowResult:
        """Return the problems of a frame, and those of its values that cost little."""
        known, self._known = self._known, None
        if known is not None and known[0] == frame:
            return known[1]
        try:
            return _new(ShallowResult, (self.shallow(frame), [], not self.has_lists))
        except ODD:
            values, _, problems = self.careful(frame)
            return ShallowResult(values, problems, is_whole=True)

    @cached_property
    def is_exact(self) -> bool:
        """Whether `shallow` accepts every frame without problems: it leaves `Fits` to careful."""
        return not any(isinstance(each, FitsNode) for each in self.tree.nodes)

    def is_sound(self, frame: bytes) -> bool:
        """Whether a frame has no problems; if it is skimmed next, it is not read again."""
        if self.is_exact:
            try:
                skimmed = _new(ShallowResult, (self.shallow(frame), [], not self.has_lists))
            except ODD:
                return False
            self._known = frame, skimmed
            return True
        skimmed = self.skim(frame)
        self._known = frame, skimmed
        return not skimmed.problems

    def examine(self, frame: bytes) -> LaxResult:
        """Return the values of a frame with the byte range of every node."""
        return LaxResult(*self.careful(frame))


class ColumnReaders(dict[tuple[str, ...], Callable[[bytes], list[Any] | None]]):
    """By path, what gathers a column of a frame that `shallow` accepts; made on first use.

    The path is one that `has_column`; with `SOME` before it, one that some items have.
    """

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder

    def __missing__(self, path: tuple[str, ...]) -> Callable[[bytes], list[Any] | None]:
        made = self[path] = gathering(self.decoder.tree, path)
        return made


def gathering(tree: Tree, *paths: tuple[str, ...]) -> Callable[[bytes], Any]:
    """Return the function that reads columns of one list at once; paths as in `ColumnReaders`."""
    return _made(ColumnReaderPrinter(tree, *paths))


_NAMES: dict[str, Any] = {
    each.__name__: each
    for each in (
        runtime.Stop, zlib.crc32, runtime.crc32c, runtime.decoded, runtime.measure,
        runtime.mutf8, runtime.negative, runtime.place, runtime.problem, runtime.short,
        runtime.total, runtime.undecoded, json_lines.jsonline, text_lines.headers, text_lines.line,
        protobuf.message, protobuf.quick,
    )
}  # fmt: skip
"""What the generated text calls."""


def _made(printer: CodePrinter) -> Callable[..., Any]:
    """Compile what a printer prints."""
    text = printer.print()
    scope = _NAMES | {"unpack_from": struct.unpack_from, "from_bytes": int.from_bytes}
    for key, value in printer.constants.items():
        scope[key] = struct.Struct(value).unpack_from if isinstance(value, str) else value
    exec(compile(text, f"<{printer.name} decoder of {printer.tree.prefix}>", "exec"), scope)  # noqa: S102 - the point of this module
    made: Callable[..., Any] = scope[printer.name]
    return made
