"""Statistics of rows and conversations: commands, batches, streams, connections.

Nothing here depends on a protocol. The schema defines what a message is: an item of a list with a
slot for bodies, which counts as many as its member of role `counts` says, or a frame with such a
slot. The tables define which frame answers which, which failed and which consumers starved, in
`Annotation` and `Conversation`. Memory is bounded: only the first `MOST` streams, and connections,
have entries of their own.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.histogram import Histogram
from streamshark.dissection.row import FrameRow, Row
from streamshark.flows.segment import ATTEMPTS
from streamshark.schema.nodes import BlobNode, ListNode, Node, Ref, Tree

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder
    from streamshark.dissection.row import ConnectionRecord

MOST = 10_000
"""Most streams, and connections, with entries of their own; later ones share one: the stream
`OTHERS`, the connection `OTHER_FLOWS`."""
MOST_REQUESTS = 65_536
"""Most requests whose command is kept until they are answered, and most refused requests that are
remembered."""
OTHERS = "(others)"
OTHER_FLOWS = -1


@dataclass(slots=True)
class Command:
    """Statistics of one command: its requests and answers, or its one-way frames."""

    count: int = 0
    """Requests, or frames that are not answers."""
    answers: int = 0
    """Responses: frames of kind response."""
    size: int = 0
    """Bytes of all of them."""
    errors: int = 0
    """Requests that were refused: a frame says that they, or what they began, failed. Requests cut
    off by a reset are not counted."""
    unanswered: int = 0
    """Requests that should have been answered but were not."""
    problems: int = 0
    """Frames with problems."""
    times: Histogram = field(default_factory=Histogram)
    """Times in ns until the first answer; for one-way frames that answer others (a confirm), the
    times since those."""


@dataclass(slots=True)
class Batch:
    """Statistics of the messages per frame of one kind."""

    messages: Histogram = field(default_factory=Histogram)
    """Messages per frame."""
    size: int = 0
    """Bytes of the frames."""
    packed: int = 0
    """Bytes of compressed parts."""
    unpacked: int = 0
    """Uncompressed bytes, as the frames state them."""

    @property
    def ratio(self) -> float | None:
        """Uncompressed by compressed bytes; None if nothing is compressed."""
        return self.unpacked / self.packed if self.packed else None


@dataclass(slots=True)
class DirectionTotals:
    """Totals of one sender."""

    frames: int = 0
    size: int = 0
    messages: int = 0


@dataclass(slots=True)
class Traffic:
    """Traffic of a stream or connection in both directions."""

    protocol: str
    first_ns: int
    last_ns: int = 0
    ways: dict[str | None, DirectionTotals] = field(default_factory=dict)
    """By sender: `client`, `server`, None if it is not proved."""
    times: Histogram = field(default_factory=Histogram)
    """Response times in ns."""
    starved_ns: int = 0
    """Time in ns for which consumers had no credit."""
    context: dict[str, Any] = field(default_factory=dict)
    """The latest known context."""
    connection: "ConnectionRecord | None" = None
    """The connection, if this is the traffic of one."""
    lost_before: int = 0
    """Its bytes that were not captured, if the connection is not at hand."""

    @property
    def lost(self) -> int:
        """Bytes of the connection that were not captured."""
        return self.lost_before + (self.connection.lost if self.connection else 0)

    def way(self, sender: str | None) -> DirectionTotals:
        """Return the totals of a sender."""
        return self.ways.get(sender) or DirectionTotals()


@dataclass(slots=True)
class EmbeddedTraffic:
    """Frames of a protocol embedded in another's: their bytes are counted there too."""

    outer: str
    """Id of the outer protocol."""
    flows: set[int] = field(default_factory=set)
    """Flow numbers, at most `MOST`."""
    frames: int = 0
    size: int = 0
    """Bytes."""


@dataclass(slots=True)
class ConversationType:
    """Statistics of all conversations of one type."""

    count: int = 0
    states: Counter[str] = field(default_factory=Counter)
    duration: Histogram = field(default_factory=Histogram)
    measures: dict[str, Histogram] = field(default_factory=dict)
    """By name: every measure that is a number."""


class Statistics:
    """Statistics, updated with rows and conversations."""

    def __init__(self) -> None:
        self.first_ns: int | None = None
        """Time in ns of the first row; None before it."""
        self.last_ns = 0
        self.commands: dict[tuple[str, str], Command] = {}
        """By protocol and command; unknown frames as `unknown`."""
        self.batches: dict[tuple[str, str], Batch] = {}
        """By protocol and frame: frames with a list of messages, of any length."""
        self.streams: dict[tuple[str, str], Traffic] = {}
        """By protocol and name of the stream."""
        self.connections: dict[int, Traffic] = {}
        """By flow number."""
        self.carried: dict[str, EmbeddedTraffic] = {}
        """By protocol."""
        self.kinds: dict[tuple[str, str], ConversationType] = {}
        """By protocol and type of the conversation."""
        self.events: Counter[str] = Counter()
        """By name."""
        self.attempts: dict[str, Counter[str]] = {}
        """Failed attempts to connect: endpoint to their number by event."""
        self._counters: dict[Decoder, MessageCounts] = {}
        self._requests: dict[int, str] = {}
        """Frame to command of the latest requests; the command is empty once the request is
        answered."""
        self._refused: dict[tuple[int, int], None] = {}
        """Flow and frame of the latest requests that were refused."""

    @property
    def duration_ns(self) -> int:
        """Time in ns from the first row to the last."""
        return 0 if self.first_ns is None else max(self.last_ns - self.first_ns, 0)

    @property
    def capped(self) -> list[str]:
        """Sentences about entries that are shared."""
        tables = (("streams", self.streams), ("connections", self.connections))
        return [
            f"more than {MOST:,} {name}: those after them are summed as {OTHERS}"
            for name, table in tables
            if len(table) > MOST
        ]

    def take(self, row: Row) -> None:
        """Add a row."""
        if self.first_ns is None:
            self.first_ns = row.time_ns
        self.last_ns = max(self.last_ns, row.time_ns)
        if isinstance(row, FrameRow):
            self._frame(row)
        else:
            self._event(row)

    def end(self, conversations: Iterable[Conversation]) -> None:
        """Add conversations that have ended."""
        for each in conversations:
            protocol = each.protocols[-1]
            kind = self.kinds.setdefault((protocol, each.type), ConversationType())
            kind.count += 1
            kind.states[each.state] += 1
            kind.duration.add(each.duration_ns)
            for name, value in each.measures.items():
                if isinstance(value, int) and not isinstance(value, bool):
                    kind.measures.setdefault(name, Histogram()).add(value)
            if each.request is not None and each.state in ("failed", "unanswered"):
                command = self._command(protocol, each.request.command)
                if each.state == "failed" and each.outcome is not None:
                    command.errors += self._is_new((each.flows[0], each.request.frame))
                command.unanswered += each.state == "unanswered"
            starved = each.measures.get("starved_ns")
            if starved and each.flows[0] in self.connections:
                self.connections[each.flows[0]].starved_ns += starved

    def _event(self, row: Row) -> None:
        name = row.name  # type: ignore[attr-defined]
        self.events[name] += 1
        flow = row.connection.flow
        if name in ATTEMPTS and flow.client is not None:
            endpoint = flow.addresses[1 - flow.client]
            if endpoint not in self.attempts and len(self.attempts) >= MOST:
                endpoint = OTHERS
            self.attempts.setdefault(endpoint, Counter())[name] += 1

    def _frame(self, row: FrameRow) -> None:
        protocol, size = row.connection.wire.id, len(row.data)
        command = self._command(protocol, row.command or "unknown")
        command.size += size
        command.problems += bool(row.problems)
        if row.kind == "response":
            command.answers += 1
        else:
            command.count += 1
        messages = self._messages(protocol, row, size)
        annotation, outer = row.annotation, row.connection.outer
        if outer is None:
            lines = [self._traffic(self.connections, row.connection.flow.number, row)]
            lines[0].connection = lines[0].connection or row.connection
            if annotation is not None:
                lines[0].context = annotation.context
        else:
            lines = []
            self._carried(protocol, outer.wire.id, row)
        if annotation is not None:
            stream = annotation.context.get("stream")
            if stream is not None:
                lines.append(self._traffic(self.streams, (protocol, str(stream)), row))
        for traffic in lines:
            way = traffic.ways.setdefault(row.sender, DirectionTotals())
            way.frames += 1
            way.size += size
            way.messages += messages
            traffic.last_ns = row.time_ns
        if row.kind == "request":
            self._remember(row)
        if annotation is not None and annotation.response_time_ns is not None:
            self._answered(protocol, row, lines)

    def _carried(self, protocol: str, outer: str, row: FrameRow) -> None:
        """Count an embedded frame."""
        carried = self.carried.setdefault(protocol, EmbeddedTraffic(outer))
        carried.frames += 1
        carried.size += len(row.data)
        if len(carried.flows) < MOST:
            carried.flows.add(row.connection.flow.number)

    def _remember(self, row: FrameRow) -> None:
        """Keep a request's command until it is answered."""
        if len(self._requests) >= MOST_REQUESTS:
            del self._requests[next(iter(self._requests))]
        self._requests[row.number] = row.command or "unknown"

    def _answered(self, protocol: str, row: FrameRow, lines: Iterable[Traffic]) -> None:
        """Add the time of a first answer to the statistics of the request's command."""
        annotation = row.annotation
        asked = self._requests.get(annotation.request_frame)
        if asked is not None:
            self._requests[annotation.request_frame] = ""
        elif row.kind == "command":
            asked = row.command
        if not asked:
            return
        self._command(protocol, asked).times.add(annotation.response_time_ns)
        for traffic in lines:
            traffic.times.add(annotation.response_time_ns)

    def _is_new(self, request: tuple[int, int]) -> bool:
        """Return whether a request is refused for the first time.

        A call and the object that it began both report the refusal.
        """
        if request in self._refused:
            return False
        if len(self._refused) >= MOST_REQUESTS:
            del self._refused[next(iter(self._refused))]
        self._refused[request] = None
        return True

    def _command(self, protocol: str, name: str) -> Command:
        return self.commands.setdefault((protocol, name), Command())

    def _messages(self, protocol: str, row: FrameRow, size: int) -> int:
        """Return the number of messages in a frame, and add the frame to the batches."""
        decoder = row.decoder
        if decoder is None or not row.complete:
            return 0
        counter = self._counters.get(decoder)
        if counter is None:
            counter = self._counters[decoder] = MessageCounts(decoder.tree)
        if counter.items is None:
            return counter.single
        number, packed, unpacked = counter.count(row)
        batch = self.batches.setdefault((protocol, decoder.tree.schema.name), Batch())
        batch.messages.add(number)
        batch.size += size
        batch.packed += packed
        batch.unpacked += unpacked
        return number

    def _traffic(self, table: dict[Any, Traffic], key: Any, row: FrameRow) -> Traffic:  # noqa: ANN401 - of either table
        """Return the traffic of a stream or connection.

        That of all others if there are too many.
        """
        found = table.get(key)
        if found is None:
            if len(table) >= MOST:
                key = (key[0], OTHERS) if isinstance(key, tuple) else OTHER_FLOWS
            found = table.setdefault(key, Traffic(row.connection.wire.id, row.time_ns))
        return found


class MessageCounts:
    """How the messages of one frame schema are counted."""

    def __init__(self, tree: Tree) -> None:
        slots = [each for each in tree.nodes if isinstance(each, BlobNode) and each.slot]
        lists = [each for each in tree.nodes if isinstance(each, ListNode) and each.name]
        holding = [
            (each, slot)
            for each in lists
            for slot in slots
            if slot.path[: len(each.path)] == each.path
        ]
        self.items: tuple[str, ...] | None = holding[0][0].path if holding else None
        """Path of the list of messages; None without one."""
        self.single = int(bool(slots) and not holding)
        """Messages of a frame without a list."""
        inside = [each for each in tree.named() if self.items == each.path[:-1]]
        self._weight = _name(each for each in inside if each.facts.has_role("counts"))
        packed = [each for each in inside if isinstance(each, BlobNode) and each.codec]
        self._packed = _name(packed)
        unpacked = packed[0].unpacked if packed else None
        self._unpacked = unpacked.node.name if isinstance(unpacked, Ref) else None

    def count(self, row: FrameRow) -> tuple[int, int, int]:
        """Return a frame's messages, their compressed bytes, and the stated uncompressed size."""
        plain = self._weight is None
        items: Any = row.shallow if plain else row.values
        for name in self.items or ():
            items = items.get(name) if isinstance(items, dict) else None
        if items is None:
            return 0, 0, 0
        if plain:
            return len(items), 0, 0
        number = packed = unpacked = 0
        for item in items:
            number += item.get(self._weight, 1)
            if self._packed in item:
                packed += len(item[self._packed] or b"")
                unpacked += item.get(self._unpacked) or 0
        return number, packed, unpacked


def _name(nodes: Iterable[Node]) -> str | None:
    """Return the name of the first of some nodes; None without any."""
    return next((each.name for each in nodes), None)
