"""What `check` says when one message of a healthy capture is altered.

    python -m tests.recorded.mutants nats/pub_sub_go ... [--kind lost --kind twice]

Every kind of message of each side is altered in each capture, at its first, its middle and its
last occurrence: its sender does not send it, sends it twice, late or before the one that came
before it, falls silent or closes the connection after it; and one value of it is another. TCP is
written anew, so that nothing looks lost. Prints the mutants of which `check` says nothing that it
does not say of the healthy capture. Some of them are healthy, too: whether one shows a fault that a
maintainer would name is for a reader to judge.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import chain
from typing import Any, Final, NamedTuple

from tests.recorded.index import ROOT
from tests.recorded.reading import flat

from streamshark.capture import open_capture
from streamshark.decoding.amending import amended
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Severity
from streamshark.flows import FlowEvent
from streamshark.session import Session
from streamshark.sharing.recorded_streams import Part, Position, RecordedFlow, StreamRecorder
from streamshark.sharing.rewritten_capture import rewritten

LARGE: Final = 2**31 - 1
"""A number that is far too large."""
MOST_PATHS: Final = 40
"""Most values of a message that are changed."""
KINDS = ("lost", "twice", "early", "late", "silent", "closes", "value")
"""How a message is altered."""


class Message(NamedTuple):
    """A frame of a protocol that is directly on TCP, or in a message of WebSocket."""

    place: Position
    name: str
    sender: str
    row: FrameRow


class Mutant(NamedTuple):
    """A capture with one altered message."""

    kind: str
    message: Message
    what: str
    """Path and new value, for the kind `value`; else empty."""
    flows: list[RecordedFlow]
    parts: list[Part]


class Original:
    """A healthy capture: its connections and messages."""

    def __init__(self, capture: str) -> None:
        folder = ROOT / "captures" / capture
        path = next(each for each in sorted(folder.iterdir()) if ".pcap" in each.name)
        session = Session([str(path)])
        recorder = StreamRecorder(session.dissector)
        rows = [(recorder.row(row), row) for row in session.analysis(rules=True).rows()]
        self.flows = recorder.flows()
        self.parts = sorted(
            chain.from_iterable(each.parts for each in self.flows), key=lambda part: part.order
        )
        self.at = {(part.flow, part.side, part.offset): n for n, part in enumerate(self.parts)}
        self.messages = [
            Message(place, row.name, row.sender or f"side {row.side}", row)
            for place, row in rows
            if isinstance(row, FrameRow) and row.decoder and place in self.at
        ]

    def chosen(self) -> list[Message]:
        """Return the first, the middle and the last of each kind of message of each side."""
        groups: dict[tuple[str, str], list[Message]] = {}
        for each in self.messages:
            groups.setdefault((each.name, each.sender), []).append(each)
        return [
            group[at]
            for group in groups.values()
            for at in sorted({0, len(group) // 2, len(group) - 1})
        ]

    def mutants(self, kinds: tuple[str, ...]) -> Iterator[Mutant]:
        """Yield the capture with each alteration."""
        seen: set[tuple[str, str, str]] = set()
        for message in self.chosen():
            at = self.at[message.place]
            for kind in kinds:
                if kind == "value":
                    yield from self._valued(message, at, seen)
                    continue
                made = self._altered(kind, at)
                if made is not None:
                    yield Mutant(kind, message, "", *made)

    def _altered(self, kind: str, at: int) -> tuple[list[RecordedFlow], list[Part]] | None:
        """Return connections and parts; None if it alters nothing."""
        parts, part = list(self.parts), self.parts[at]
        same = [n for n, each in enumerate(parts) if each.flow == part.flow]
        own = [n for n in same if parts[n].side == part.side]
        later = {n for n in own if n > at}
        if kind == "lost":
            del parts[at]
        elif kind == "twice":
            parts.insert(at, part)
        elif kind == "early":
            before = [n for n in own if n < at]
            if not before or parts[before[-1]].data == part.data:
                return None
            parts[at], parts[before[-1]] = (
                part._replace(data=parts[before[-1]].data),
                parts[before[-1]]._replace(data=part.data),
            )
        elif kind == "late":
            if not later:
                return None
            moved = part._replace(at=parts[max(same)].at)
            parts = [*parts[:at], *parts[at + 1 : max(same) + 1], moved, *parts[max(same) + 1 :]]
        elif kind == "silent":
            if len(later) < 2:  # else the message is one of the last
                return None
            parts = [each for n, each in enumerate(parts) if n not in later]
        else:
            if not later:
                return None
            parts = [each for n, each in enumerate(parts) if n not in same or n <= at]
            return [self._closed(each, part) for each in self.flows], _placed(parts)
        return self.flows, _placed(parts)

    def _closed(self, flow: RecordedFlow, part: Part) -> RecordedFlow:
        """Return a connection that the sender of a part closes after it."""
        if flow.flow.number != part.flow:
            return flow
        time_ns, file, packet = part.at
        ends = (
            FlowEvent(part.flow, part.side, "close", packet, time_ns + 1000, file, 0),
            FlowEvent(part.flow, 1 - part.side, "close", packet, time_ns + 2000, file, 0),
        )
        return flow._replace(ends=ends)

    def _valued(
        self, message: Message, at: int, seen: set[tuple[str, str, str]]
    ) -> Iterator[Mutant]:
        """Yield the capture with another value in a message, once for each path of its kind."""
        row = message.row
        if row.decoder is None or row.problems or row.data != self.parts[at].data:
            return
        for path, value in list(_leaves(row.values, ()))[:MOST_PATHS]:
            shown = ".".join(map(str, path))
            if (message.name, message.sender, shown) in seen:
                continue
            seen.add((message.name, message.sender, shown))
            for other in _others(value):
                try:
                    data = amended(row.decoder, row.data, {path: other})
                except (StreamsharkError, ValueError, TypeError, KeyError):
                    continue
                parts = list(self.parts)
                parts[at] = parts[at]._replace(data=data)
                what = f"{shown}: {value!r:.40} -> {other!r:.40}"
                yield Mutant("value", message, what, self.flows, _placed(parts))


def _placed(parts: list[Part]) -> list[Part]:
    """Return parts with the offsets that they have now."""
    ends: dict[tuple[int, int], int] = {}
    out = []
    for each in parts:
        offset = ends.get((each.flow, each.side), 0)
        ends[each.flow, each.side] = offset + each.size
        out.append(each._replace(offset=offset))
    return out


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:  # noqa: ANN401 - any value
    """Yield path and value of what a message holds: of a list its first item."""
    items = value.items() if isinstance(value, Mapping) else list(enumerate(value))[:1]
    for name, each in items:
        if isinstance(each, Mapping | list | tuple):
            yield from _leaves(each, (*path, name))
        else:
            yield (*path, name), each


def _others(value: Any) -> Iterator[Any]:  # noqa: ANN401 - as above
    """Yield other values in place of one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (each for each in (0, value + 1, value - 1, LARGE) if each != value)
    elif isinstance(value, str):
        yield from (value + "x", "")
    elif isinstance(value, bytes) and value:
        yield from (b"", bytes([value[0] ^ 1]) + value[1:])


def said(flows: list[RecordedFlow], parts: list[Part]) -> Counter[tuple[str, str]]:
    """Count the findings of a capture above chat, by rule and severity."""
    session = Session((), puts_together=True)
    session.captures.append(open_capture(BytesIO(rewritten(flows, parts).data)))
    analysis = session.analysis(rules=True)
    for _ in analysis.rows():
        pass
    return Counter(
        (each.rule, each.severity)
        for each in flat(analysis.findings())
        if each.severity != Severity.CHAT.value
    )


def main() -> None:
    """Print the mutants of which nothing is said, and how many there were of each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded.mutants")
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--kind", action="append", choices=KINDS, dest="kinds")
    parser.add_argument("--all", action="store_true", help="print named mutants, too")
    arguments = parser.parse_args()
    made: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for capture in arguments.captures:
        original = Original(capture)
        before = said(original.flows, original.parts)
        for mutant in original.mutants(tuple(arguments.kinds or KINDS)):
            made[mutant.kind] += 1
            new = said(mutant.flows, mutant.parts) - before
            named[mutant.kind] += bool(new)
            message = mutant.message
            line = f"{capture} #{message.row.number} {message.sender} {message.name} {mutant.kind}"
            rules = " ".join(f"{rule}({severity})" for rule, severity in sorted(new))
            if not new or arguments.all:
                sys.stdout.write(f"{line} {mutant.what} {rules or 'nothing'}\n")
    for kind in made:
        sys.stdout.write(f"{kind}: {named[kind]} of {made[kind]} named\n")


if __name__ == "__main__":
    main()
