"""What `check` says when one message of a healthy capture is altered.

    python -m tests.recorded.mutants nats/pub_sub_go ... [--kind lost --kind twice]

Every kind of message of each side is altered in each capture, at its first, its middle and its
last occurrence: its sender does not send it, sends it twice, late or before the one that came
before it, falls silent or closes the connection after it; one value of it is another, also a token
of a subject or a member of JSON; or a value is that of another message of its kind, such as the id
of another request. TCP is written anew, so that nothing looks lost. Prints the mutants of which
`check` says nothing that it does not say of the healthy capture. Some of them are healthy, too:
whether one shows a fault that a maintainer would name is for a reader to judge.
"""

import argparse
import json
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
KINDS = ("lost", "twice", "early", "late", "silent", "closes", "value", "other")
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
    """Path and new value, for the kinds `value` and `other`; else empty."""
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
        seen: set[tuple[str, ...]] = set()
        for message in self.chosen():
            at = self.at[message.place]
            for kind in kinds:
                if kind in ("value", "other"):
                    yield from self._valued(kind, message, at, seen)
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
        self, kind: str, message: Message, at: int, seen: set[tuple[str, ...]]
    ) -> Iterator[Mutant]:
        """Yield the capture with another value in a message, once for each path of its kind."""
        row = message.row
        if row.decoder is None or row.problems or row.data != self.parts[at].data:
            return
        for path, value in list(_leaves(row.values, ()))[:MOST_PATHS]:
            shown = ".".join(map(str, path))
            if (kind, message.name, message.sender, shown) in seen:
                continue
            seen.add((kind, message.name, message.sender, shown))
            for other in _others(value) if kind == "value" else self._elsewhere(message, path):
                try:
                    data = amended(row.decoder, row.data, {path: other})
                except (StreamsharkError, ValueError, TypeError, KeyError):
                    continue
                parts = list(self.parts)
                parts[at] = parts[at]._replace(data=data)
                what = f"{shown}: {_change(value, other)}"
                yield Mutant(kind, message, what, self.flows, _placed(parts))

    def _elsewhere(self, message: Message, path: tuple[Any, ...]) -> list[Any]:
        """Return the values that messages of the same kind just before and after have here."""
        own = dict(_leaves(message.row.values, ())).get(path)
        earlier: list[Any] = []
        later: list[Any] = []
        for each in self.messages:
            if (each.name, each.sender) == (message.name, message.sender):
                value = dict(_leaves(each.row.values, ())).get(path)
                if value is not None and value != own:
                    (earlier if each.row.number < message.row.number else later).append(value)
        return list(dict.fromkeys([*earlier[-1:], *later[:1]]))


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


def _change(value: Any, other: Any) -> str:  # noqa: ANN401 - as above
    """Return what differs between two values, with a little of what is before it."""
    old, new = f"{value!r}", f"{other!r}"
    same = next((n for n, pair in enumerate(zip(old, new, strict=False)) if len({*pair}) > 1), 0)
    start = max(0, same - 24)
    return f"{old[start : start + 48]} -> {new[start : start + 48]}"


def _others(value: Any) -> Iterator[Any]:  # noqa: ANN401 - as above
    """Yield other values in place of one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (each for each in (0, value + 1, value - 1, LARGE) if each != value)
    elif isinstance(value, str):
        yield from (value + "x", "")
        yield from _other_tokens(value)
    elif isinstance(value, bytes) and value:
        yield from (b"", bytes([value[0] ^ 1]) + value[1:])
        yield from _other_members(value)


def _other_tokens(subject: str) -> Iterator[str]:
    """Yield a subject with another token, for each token but the last."""
    tokens = subject.split(".")
    for at, each in enumerate(tokens if " " not in subject else ()):
        new = str(int(each) + 1) if each.isdecimal() else each + "x"
        if at < len(tokens) - 1 or each.isdecimal():
            yield ".".join((*tokens[:at], new, *tokens[at + 1 :]))


def _other_members(payload: bytes) -> Iterator[bytes]:
    """Yield an object of JSON with another member, or without it, for each member."""
    if not payload.startswith(b"{"):
        return
    try:
        document = json.loads(payload)
    except ValueError:
        return
    for path, value in list(_leaves(document, ()))[:MOST_PATHS]:
        for other in (None, *(_others(value) if not isinstance(value, str) else (value + "x",))):
            changed = json.loads(payload)
            holder = changed
            for each in path[:-1]:
                holder = holder[each]
            if other is not None:
                holder[path[-1]] = other
            else:
                del holder[path[-1]]
            yield json.dumps(changed, separators=(",", ":")).encode()


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
