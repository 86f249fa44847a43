"""What `check` says when one message of a healthy capture is altered.

    python -m tests.recorded.mutants nats/pub_sub_go ... [--kind lost --kind twice]

Every kind of message of each side is altered in each capture, at its first, its middle and its
last occurrence: its sender does not send it, sends it twice, late or before the one that came
before it, falls silent or closes the connection after it; one value of it is another, also a token
of a subject or a member of JSON; or a value is that of another message of its kind, such as the id
of another request. Messages inside another protocol's are altered with those around them, and with
their copies on other connections; of messages of gRPC each field of protobuf is altered. TCP is
written anew, so that nothing looks lost. Prints the mutants of which `check` says nothing that it
does not say of the healthy capture. Some of them are healthy, too: whether one shows a fault that a
maintainer would name is for a reader to judge.
"""

import argparse
import json
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
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


GRPC_HEAD: Final = 14
"""Bytes before a message of gRPC: the head of DATA, and flag and length of the message."""


class Message(NamedTuple):
    """A frame of a protocol, directly on TCP or inside others."""

    place: Position
    name: str
    sender: str
    row: FrameRow
    at: int
    """Index of the part that carries it."""
    copies: tuple[tuple[int, FrameRow], ...] = ()
    """Later parts with the same message on other connections, and the frames around it."""


class Altered(NamedTuple):
    """A capture in which something is altered."""

    kind: str
    what: str
    """What is altered, in words."""
    flows: list[RecordedFlow]
    parts: list[Part]


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
        starts: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for n, part in sorted(enumerate(self.parts), key=lambda each: each[1].offset):
            starts.setdefault((part.flow, part.side), []).append((part.offset, n))
        calls: dict[tuple[int, object], str] = {}
        """The method of each call of gRPC, by connection and stream."""
        every: list[Message] = []
        for place, row in rows:
            flow, side, offset = place
            if not isinstance(row, FrameRow) or not row.decoder or (flow, side) not in starts:
                continue
            own = starts[flow, side]
            at = own[bisect_right(own, (offset, len(self.parts))) - 1][1]
            if _is_grpc(row) and row.name == "call":
                calls[flow, row.correlation_id] = row.values["method"]
            method = calls.get((flow, row.correlation_id)) if _is_grpc(row) else None
            name = f"{row.name}:{method}" if method else row.name
            every.append(Message(place, name, row.sender or f"side {row.side}", row, at))
        self.messages = [each for each in every if each.place in self.at]
        """Those that are parts."""
        self.inner = [self._with_copies(each, every) for each in every if each.place not in self.at]
        """Those inside others."""

    @staticmethod
    def _with_copies(message: Message, every: list[Message]) -> Message:
        """Return a message with its copies on other connections."""
        row = message.row
        if row.carrier is None:
            return message
        found = (
            (each.at, each.row.carrier)
            for each in every
            if each.at > message.at and each.row.carrier and each.row.data == row.data
        )
        return message._replace(copies=tuple(found))

    def chosen(self) -> list[Message]:
        """Return the first, the middle and the last of each kind of message of each side."""
        groups: dict[tuple[str, str], list[Message]] = {}
        for each in (*self.messages, *self.inner):
            groups.setdefault((each.name, each.sender), []).append(each)
        return [
            group[at]
            for group in groups.values()
            for at in sorted({0, len(group) // 2, len(group) - 1})
        ]

    def mutants(self, kinds: tuple[str, ...]) -> Iterator[Mutant]:
        """Yield the capture with each alteration."""
        seen: set[tuple[str, ...]] = set()
        whole: set[tuple[str, int]] = set()
        for message in self.chosen():
            for kind in kinds:
                if kind in ("value", "other"):
                    yield from self._valued(kind, message, seen)
                    continue
                made = self._altered(kind, message)
                if made is not None and (kind, message.at) not in whole:
                    whole.add((kind, message.at))
                    yield Mutant(kind, message, "", *made)

    def _altered(self, kind: str, message: Message) -> tuple[list[RecordedFlow], list[Part]] | None:
        """Return connections and parts; None if it alters nothing."""
        at = message.at
        parts, part = list(self.parts), self.parts[at]
        same = [n for n, each in enumerate(parts) if each.flow == part.flow]
        own = [n for n in same if parts[n].side == part.side]
        later = {n for n in own if n > at}
        if kind in ("lost", "twice"):
            for each in sorted({at, *(copy for copy, _ in message.copies)}, reverse=True):
                parts[each : each + 1] = [] if kind == "lost" else [parts[each], parts[each]]
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
            return [self._closed(each, part) for each in self.flows], placed(parts)
        return self.flows, placed(parts)

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

    def _valued(self, kind: str, message: Message, seen: set[tuple[str, ...]]) -> Iterator[Mutant]:
        """Yield the capture with another value in a message, once for each path of its kind."""
        before = frozenset(seen)
        for shown, write in self._changes(kind, message):
            path = (kind, message.name, message.sender, shown.partition(":")[0])
            if path in before:
                continue
            seen.add(path)
            parts = list(self.parts)
            try:
                for at, data in write():
                    parts[at] = parts[at]._replace(data=data)
            except (StreamsharkError, ValueError, TypeError, KeyError):
                continue
            yield Mutant(kind, message, shown, self.flows, placed(parts))

    def _changes(
        self, kind: str, message: Message
    ) -> Iterator[tuple[str, Callable[[], list[tuple[int, bytes]]]]]:
        """Yield what may be changed in a message, and a function that returns the parts anew."""
        row, data = message.row, self.parts[message.at].data
        if row.decoder is None or row.problems:
            return
        if _is_grpc(row) and data[3:4] == b"\0" and kind == "value":
            for shown, body in _other_fields(data[GRPC_HEAD:]):
                made = (len(body) + 5).to_bytes(3, "big") + data[3:10]
                made += len(body).to_bytes(4, "big") + body
                yield shown, lambda made=made: [(message.at, made)]
            return
        if row.carrier is None and row.data != data:
            return
        for path, value in list(_leaves(row.values, ()))[:MOST_PATHS]:
            others = _others(value) if kind == "value" else self._elsewhere(message, path)
            for other in dict.fromkeys(others):
                shown = f"{'.'.join(map(str, path))}: {_change(value, other)}"
                yield shown, lambda path=path, other=other: self._written(message, path, other)

    def _written(
        self,
        message: Message,
        path: tuple[Any, ...],
        value: Any,  # noqa: ANN401 - any value
    ) -> list[tuple[int, bytes]]:
        """Return the parts of a message with another value in it, and of its copies."""
        row = message.row
        data = amended(row.decoder, row.data, {path: value})
        if row.carrier is None:
            return [(message.at, data)]
        made = []
        for at, outer in ((message.at, row.carrier), *message.copies):
            inside = next(way for way, each in _leaves(outer.values, ()) if each == row.data)
            made.append((at, amended(outer.decoder, outer.data, {inside: data})))
        return made

    def _elsewhere(self, message: Message, path: tuple[Any, ...]) -> list[Any]:
        """Return the values that messages of the same kind just before and after have here."""
        own = dict(_leaves(message.row.values, ())).get(path)
        earlier: list[Any] = []
        later: list[Any] = []
        for each in (*self.messages, *self.inner):
            if (each.name, each.sender) == (message.name, message.sender):
                value = dict(_leaves(each.row.values, ())).get(path)
                if value is not None and value != own:
                    (earlier if each.row.number < message.row.number else later).append(value)
        return [*earlier[-1:], *later[:1]]


def placed(parts: list[Part]) -> list[Part]:
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


def _is_grpc(row: FrameRow) -> bool:
    """Return whether a row is of a call of gRPC."""
    return row.connection.wire.id == "grpc"


def _other_fields(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a message of protobuf with another number or text, or without it, for each field."""
    at = 0
    while at < len(data):
        begins = at
        tag, at = _varint(data, at)
        number, at = _varint(data, at)
        kind, shown = tag & 7, f"{number}"
        if kind == 0:
            others = [_as_varint(each) for each in (number + 1, max(number - 1, 0), LARGE)]
        elif kind == 2:  # a length comes before the bytes
            text, at = data[at : at + number], at + number
            others = [_as_varint(len(each)) + each for each in (text + b"x", b"")]
            shown = f"{text!r:.40}"
        else:
            return
        yield f"field {tag >> 3}: {shown} -> none", data[:begins] + data[at:]
        for each in others:
            made = data[:begins] + _as_varint(tag) + each + data[at:]
            yield f"field {tag >> 3}: {shown} -> {each!r:.40}", made


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at an index, and the index after it."""
    value = shift = 0
    while at < len(data):
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            break
    return value, at


def _as_varint(value: int) -> bytes:
    """Return a number as protobuf writes it."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


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
    analysis = session.analysis(rules=True, annotates=False, summaries=False)
    for _ in analysis.rows():
        pass
    return Counter(
        (each.rule, each.severity)
        for each in flat(analysis.findings())
        if each.severity != Severity.CHAT.value
    )


def run(
    program: str,
    kinds: tuple[str, ...],
    mutants: Callable[[Original, tuple[str, ...]], Iterator[Altered]],
) -> None:
    """Print the mutants of which nothing is said, and how many there were of each kind.

    Args:
        program: Name of the module that is run.
        kinds: Those that it knows.
        mutants: Returns the mutants of a capture, of some kinds.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tests.recorded.{program}")
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--kind", action="append", choices=kinds, dest="kinds")
    parser.add_argument("--all", action="store_true", help="print named mutants, too")
    arguments = parser.parse_args()
    made: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for capture in arguments.captures:
        original = Original(capture)
        before = said(original.flows, original.parts)
        for mutant in mutants(original, tuple(arguments.kinds or kinds)):
            made[mutant.kind] += 1
            new = said(mutant.flows, mutant.parts) - before
            named[mutant.kind] += bool(new)
            rules = " ".join(f"{rule}({severity})" for rule, severity in sorted(new))
            if not new or arguments.all:
                sys.stdout.write(f"{capture} {mutant.what} {rules or 'nothing'}\n")
    for kind in made:
        sys.stdout.write(f"{kind}: {named[kind]} of {made[kind]} named\n")


def _described(original: Original, kinds: tuple[str, ...]) -> Iterator[Altered]:
    """Yield the mutants of a capture, with their messages in words."""
    for kind, message, what, flows, parts in original.mutants(kinds):
        shown = f"#{message.row.number} {message.sender} {message.name} {kind} {what}"
        yield Altered(kind, shown, flows, parts)


if __name__ == "__main__":
    run("mutants", KINDS, _described)
