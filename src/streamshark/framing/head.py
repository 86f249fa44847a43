"""How long the next frame is and which one it is: the head of a protocol as functions.

`measurer` makes, from a `Head` or `LineHead`, a function `(data, at, end)` that gives (total
bytes, key, version, response bit), or None when the head is not all there yet. A head never is a
problem: what its numbers mean is the cutter's to judge. A frame that comes as a message is all of
its bytes. `whole` is the same for bytes that most often are one frame.
"""

import itertools
import struct
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from streamshark.decoding.runtime import Stop
from streamshark.decoding.strict import StrictPrinter
from streamshark.schema import FrameKind, FrameSchema, Head, LineHead, Sender, nodes
from streamshark.schema import expressions as e
from streamshark.schema.text_lines import MAX_DIGITS
from streamshark.schema.walk import walk

T = TypeVar("T")
_NOTHING: Final = FrameSchema("head", 0, FrameKind.COMMAND, Sender.BOTH, "", "")
"""A frame that is its head."""
Measured = tuple[int, int | str, int | None, bool] | None
Measurer = Callable[[bytes, int, int], Measured]
NO_FRAME = -1
"""Total of a text line that no frame starts with: too long, or without a verb."""
CR = 0x0D
LONGEST_TOLD = 16
"""Bytes that are told of a line without a verb."""


def measurer(head: Head | LineHead) -> Measurer:
    """The function that measures frames with this head."""
    return _line_measurer(head) if isinstance(head, LineHead) else _binary_measurer(head)


def _binary_measurer(head: Head) -> Measurer:
    printer = _Printer(_bare(head))
    if head.total is not None:
        printer.wanted |= {printer.tree.find(name).value for name, _ in e.references(head.total)}
    printer.members(printer.tree.root.members)
    printer.flush()
    values = {name: printer.value[printer.tree.find(name).id] for name in _names(printer)}
    version = values[head.version] if head.version else "None"
    response = f"{values[head.response]} == 1" if head.response else "False"
    total = "e - start" if head.total is None else _printed(head.total, values)
    key = values[head.key] if head.key else "''"
    first = ["start = p"] if head.total is None else []
    last = [f"return {total}, {key}, {version}, {response}"]
    made: Measurer = printer.made("b, p, e", first, last)
    return made


def whole(
    head: Head | LineHead, said: Mapping[tuple[int | str, int | None, bool], T | None]
) -> Callable[[bytes], T | None]:
    """A function `(data)` that gives what is `said` of the frame that takes up all of the data.

    None where none does, and where nothing is said. It measures no more than the length where some
    bytes of the head alone say which frame it is.
    """
    measure, place = measurer(head), selecting(head)

    def look(data: bytes) -> T | None:
        measured = measure(data, 0, len(data))
        return said[measured[1:]] if measured is not None and measured[0] == len(data) else None

    if place is None or not isinstance(head, Head) or head.total is None:
        return look
    names = tuple(each.name for each in _bare(head).named() if each.name)
    printer = _Printer(_bare(head, names))
    asked = [name for name, _ in e.references(head.total)]
    printer.wanted |= {printer.tree.find(name).value for name in asked}
    printer.members(printer.tree.root.members)
    printer.flush()
    values = {name: printer.value[printer.tree.find(name).id] for name in asked}
    known: dict[bytes, T] = {}

    def remember(data: bytes) -> T | None:
        if (found := look(data)) is not None:
            known[data[place.start : place.stop]] = found
        return found

    last = [
        f"if {_printed(head.total, values)} != e: return None",
        f"return known.get(b[{place.start}:{place.stop}]) or look(b)",
    ]
    made: Callable[[bytes], T | None] = printer.made(
        "b", ["p, e = 0, len(b)"], last, known=known, look=remember
    )
    return made


def _bare(head: Head, hidden: tuple[str, ...] = ()) -> nodes.Tree:
    """The head alone, of which all that is not hidden is read."""
    return walk(_NOTHING, Head(head.members, head.total, head.key, hidden=hidden), "any")


def selecting(head: Head | LineHead) -> slice | None:
    """The bytes of the head of which each bit selects the schema, if no others do; None else."""
    if isinstance(head, LineHead):
        return None
    names = {name for name in (head.key, head.version, head.response) if name}
    found: list[tuple[int, int]] = []
    at, left = 0, set(names)
    for node in _bare(head).root.members:
        if isinstance(node, nodes.ClaimNode):
            continue
        if not isinstance(node, nodes.IntNode | nodes.BitsNode):
            return None
        parts = node.parts if isinstance(node, nodes.BitsNode) else [node]
        mine = {each.name for each in parts if each.name in names}
        if mine and len(mine) < len(parts):
            return None
        if mine:
            found.append((at, at + node.size))
        left -= mine
        at += node.size
    if left or not found or any(one[1] != two[0] for one, two in itertools.pairwise(found)):
        return None
    return slice(found[0][0], found[-1][1])


class _Printer(StrictPrinter):
    """What measures does not judge: a number that lies is a problem of the frame."""

    def claim(self, node: nodes.ClaimNode) -> None:
        """Nothing."""

    def made(self, given: str, first: list[str], last: list[str], **scope: object) -> Any:  # noqa: ANN401 - a function
        """A function of these arguments, with lines around what was printed; None, cut short."""
        read = (
            line.removeprefix("    ").replace("raise Stop", "return None") for line in self.lines
        )
        text = "\n    ".join([f"def made({given}):", *first, *read, *last])
        for name, value in self.constants.items():
            scope[name] = struct.Struct(value).unpack_from
        exec(text, scope)  # noqa: S102 - generated from a schema
        return scope["made"]


def _names(printer: StrictPrinter) -> list[str]:
    return [node.path[0] for node in printer.tree.nodes if node.name and len(node.path) == 1]


def _printed(expression: e.Expression, values: dict[str, str]) -> str:
    """An expression over the head's members as Python."""
    match expression:
        case e.IntegerConstant():
            return str(expression.value)
        case e.Reference():
            return values[expression.target[0]]
        case e.Binary():
            left, right = _printed(expression.left, values), _printed(expression.right, values)
            return f"({left} {expression.operator} {right})"
        case _:
            raise Stop


def _line_measurer(head: LineHead) -> Measurer:
    verbs = {verb.encode(): key for verb, key in head.verbs.items()}
    sized = {verb.encode() for verb in head.sized}
    begun = {verb[:size] for verb in verbs for size in range(len(verb) + 1)}
    most = head.most_line

    def measure(b: bytes, p: int, e: int) -> Measured:
        end = b.find(b"\n", p, min(e, p + most))
        if end < 0:
            return _open_line(b[p : min(e, p + most)])
        line = b[p : end - 1 if end > p and b[end - 1] == CR else end]
        tokens = line.replace(b"\t", b" ").split(b" ")
        verb = tokens[0].upper()
        key = verbs.get(verb)
        if key is None:
            return NO_FRAME, verb.decode("latin-1").lower(), None, False
        total = end + 1 - p
        if verb in sized:
            size = tokens[-1] or next(filter(None, reversed(tokens)))
            if not size.isdigit() or len(size) > MAX_DIGITS:
                return NO_FRAME, key, None, False
            total += int(size) + 2
        return total, key, None, False

    def _open_line(line: bytes) -> Measured:
        """A line whose end is not there: nothing yet, or no frame where no verb begins so."""
        verb = line.replace(b"\t", b" ").partition(b" ")[0].removesuffix(b"\r").upper()
        if len(line) < most and (verb in begun if len(verb) == len(line) else verb in verbs):
            return None
        return NO_FRAME, verb[:LONGEST_TOLD].decode("latin-1").lower(), None, False

    return measure
