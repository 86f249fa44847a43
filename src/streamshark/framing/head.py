"""Functions that measure a frame: its length and type, generated from a protocol's head.

`measurer` makes, from a `Head` or `LineHead`, a function `(data, at, end)` that returns (total
bytes, key, version, response bit), or None while the head is incomplete. A head is never a problem
here: `FrameSplitter` judges its values. A head without a length (`total` None: each frame comes as
a message) measures all of the bytes. `whole` makes a function for bytes that usually are exactly
one frame.
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
"""A frame without a body."""
Measured = tuple[int, int | str, int | None, bool] | None
Measurer = Callable[[bytes, int, int], Measured]
NO_FRAME = -1
"""Total of a text line that starts no frame: it is too long, or has no known verb."""
CR = 0x0D
LONGEST_VERB = 16
"""Most bytes of an unknown verb that are returned as the key."""


def measurer(head: Head | LineHead) -> Measurer:
    """Return the function that measures frames with this head."""
    return _line_measurer(head) if isinstance(head, LineHead) else _binary_measurer(head)


def _binary_measurer(head: Head) -> Measurer:
    printer = _Printer(_bare(head))
    if head.total is not None:
        printer.want(name for name, _ in e.references(head.total))
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
    head: Head | LineHead, selectors: Mapping[tuple[int | str, int | None, bool], T | None]
) -> Callable[[bytes], T | None]:
    """Return a function `(data)` that looks up, in `said`, a frame that is exactly `data`.

    It returns None if `data` is not exactly one frame, or if `said` has None for the frame's (key,
    version, response bit). Where the bytes that select the schema are separate (`selecting`),
    answers are cached by these bytes, and only the length is decoded.
    """
    measure, place = measurer(head), selecting(head)

    def look(data: bytes) -> T | None:
        measured = measure(data, 0, len(data))
        return (
            selectors[measured[1:]] if measured is not None and measured[0] == len(data) else None
        )

    if place is None or not isinstance(head, Head) or head.total is None:
        return look
    names = tuple(each.name for each in _bare(head).named() if each.name)
    printer = _Printer(_bare(head, names))
    asked = [name for name, _ in e.references(head.total)]
    printer.want(asked)
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
    """Return the tree of the head alone, without its `hidden` members."""
    return walk(_NOTHING, Head(head.members, head.total, head.key, hidden=hidden), "any")


def selecting(head: Head | LineHead) -> slice | None:
    """Return the head's bytes that hold key, version and response bit, and nothing else.

    None if there are no such bytes in one piece, and for a text line.
    """
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
    """Code generator for measuring: it checks nothing; wrong numbers are a frame's problem."""

    def claim(self, node: nodes.ClaimNode) -> None:
        """Skip the check."""

    def made(self, given: str, first: list[str], last: list[str], **scope: object) -> Any:  # noqa: ANN401 - a function
        """Compile the generated lines, between `first` and `last`, as a function of `given`.

        The function returns None for data that is too short.
        """
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
    """Return an expression over the head's members as Python source."""
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
        """Measure a line without its end: None, or `NO_FRAME` if no known verb begins like this."""
        verb = line.replace(b"\t", b" ").partition(b" ")[0].removesuffix(b"\r").upper()
        if len(line) < most and (verb in begun if len(verb) == len(line) else verb in verbs):
            return None
        return NO_FRAME, verb[:LONGEST_VERB].decode("latin-1").lower(), None, False

    return measure
