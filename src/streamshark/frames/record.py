"""The record decoder: generated Python per frame, made on first use.

`Decoder.read` tries the fast form and asks the careful one after anything odd; `Decoder.examine`
gives the careful form's ranges for one frame that somebody looks at.
"""

import struct
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from streamshark.frames import dynamic, lines, protobuf
from streamshark.frames.careful import Careful
from streamshark.frames.dynamic import ODD, Range
from streamshark.frames.fast import Fast
from streamshark.frames.printer import Printer
from streamshark.schema.nodes import Tree
from streamshark.schema.problems import Problem

Values = dict[str, Any]


class Examined(NamedTuple):
    """What the careful form says of one frame."""

    values: Values
    ranges: list[Range]
    """(node id, start, end, value) in wire order; they tile the frame."""
    problems: list[Problem]


class Decoder:
    """Both forms of one frame's decoder."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @cached_property
    def correlates(self) -> str | None:
        """Name of the frame's own member that joins requests and responses, if it has one."""
        for node in self.tree.named():
            if node.facts.role == "correlates" and len(node.path) == 1:
                return node.name
        return None

    @cached_property
    def fast(self) -> Callable[[bytes], Values]:
        """Values of a frame without problems; raises one of `ODD` otherwise."""
        return _made(Fast(self.tree), "fast")

    @cached_property
    def careful(self) -> Callable[[bytes], tuple[Values, list[Range], list[Problem]]]:
        """Values, ranges and problems of any bytes; never raises."""
        return _made(Careful(self.tree), "careful")

    def read(self, frame: bytes) -> tuple[Values, list[Problem]]:
        """The values of a frame (head included), and what is wrong with it."""
        try:
            return self.fast(frame), []
        except ODD:
            values, _, problems = self.careful(frame)
            return values, problems

    def examine(self, frame: bytes) -> Examined:
        """The values of a frame with the byte range of every node."""
        return Examined(*self.careful(frame))


_NAMES: dict[str, Any] = {
    each.__name__: each
    for each in (
        dynamic.Stop, dynamic.crc32, dynamic.crc32c, dynamic.decoded, dynamic.measure,
        dynamic.mutf8, dynamic.negative, dynamic.place, dynamic.problem, dynamic.short,
        dynamic.total, dynamic.undecoded, lines.headers, lines.line, protobuf.message,
        protobuf.quick,
    )
}  # fmt: skip
"""What the generated text calls."""


def _made(printer: Printer, name: str) -> Callable[..., Any]:
    """Compile what a printer prints."""
    text = printer.print()
    scope = _NAMES | {"unpack_from": struct.unpack_from, "from_bytes": int.from_bytes}
    for key, value in printer.constants.items():
        scope[key] = struct.Struct(value).unpack_from if isinstance(value, str) else value
    exec(compile(text, f"<{name} decoder of {printer.tree.prefix}>", "exec"), scope)  # noqa: S102 - the point of this module
    made: Callable[..., Any] = scope[name]
    return made
