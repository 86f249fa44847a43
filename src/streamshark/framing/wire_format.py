"""Declaration of a protocol's wire format: heads, frames, and how to recognise it.

A protocol folder declares it as data; `FrameTable` is what follows from it for one dialect: which
schema a head selects.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import IntEnum
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.lazy import LazyPart
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.errors import SchemaError, StreamsharkError
from streamshark.framing.head import Measurer, measurer, whole
from streamshark.light_dataclass import record
from streamshark.schema import (
    Blob,
    FrameKind,
    FrameSchema,
    Head,
    LineHead,
    Problem,
    ProblemCode,
    Sender,
)
from streamshark.schema.walk import walk
from streamshark.schema.words import Field

_NUMBER: Final = re.compile(r"-?(?:0x[0-9a-fA-F]{1,8}|[0-9]{1,10})")
"""A command number as the user writes it."""


@record
class NegotiatedValue:
    """A value that a connection negotiates; it is kept for all later frames."""

    name: str
    """Name: `frame_max`, `heartbeat`, ..."""
    command: str
    """Command of the frame (without `_response`) that announces it."""
    path: str
    """Path of the field that holds it; a list path gives the list, `flags.name` one flag of the
    head."""
    sentence: str
    responses: tuple[bool, ...] = (False, True)
    """Which of request and response announce it; a later one replaces an earlier one."""
    least: bool = False
    """True if the minimum of what both sides announce is used: later frames never raise it."""

    def value_in(self, schema: FrameSchema, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any field
        """Return the value that a frame announces; None if it does not."""
        value: Any = values
        for name in self.path.split("."):
            if isinstance(value, dict):
                value = value.get(name)
            elif isinstance(value, int):
                mask = next((mask for mask, flag in schema.flags.items() if flag == name), None)
                value = None if mask is None else value & mask != 0
            else:
                return None
        return value

    def joined(self, before: Mapping[str, Any], value: Any) -> Any:  # noqa: ANN401 - any field
        """Combine a newly announced value with the one before (their minimum if `least`)."""
        return min(value, before.get(self.name, value)) if self.least else value


@record
class Fragmentation:
    """How frames are marked as fragments of a larger frame."""

    by: str
    """Member with the same value in all fragments of one side, such as a stream's id."""
    flags: str
    """Name of the head's flag member; empty if no flag marks fragments."""
    more: str
    """Name of the flag that says that another fragment follows."""
    continued: frozenset[str]
    """Commands of the fragments after the first."""
    ended: frozenset[str]
    """Commands, from either side, after which no more fragments come."""
    parts: tuple[str, ...] = ()
    """Members that are split, in their order in the reassembled frame."""
    begun: frozenset[str] = frozenset()
    """Commands that are always first fragments, and are decoded on their own too; without a flag,
    the fragment that continues them is the last."""
    place: str = ""
    """Member with the position of the fragment: 0 first, 1 middle, 2 last; empty if there is none.
    The data of such fragments is concatenated."""
    joins: Callable[[Mapping[str, bytes], Mapping[str, Any]], Mapping[str, bytes] | str] | None = (
        None
    )
    """Returns the reassembled parts from those before the last fragment and the last fragment's
    values, or the reason why they do not fit. By default the parts are concatenated."""
    reads: frozenset[str] = frozenset()
    """Members of the last fragment that `joins` reads, besides the parts."""


@record
class SpanningItem:
    """Items that span frames: each frame brings the bytes after those of the frame before."""

    command: str
    """Command of the frames that bring them."""
    by: str
    """Member that identifies the sequence of bytes."""
    position: str
    """Member with the position of the frame's bytes in that sequence."""
    part: str
    """Member that holds the bytes: items, of which the first and last may be incomplete."""
    begins: bytes
    """First bytes of every item; a signed 32-bit length follows, then as many bytes."""
    most: int
    """Most bytes of an item: a larger length is not an item's."""

    @property
    def least(self) -> int:
        """Bytes before the content of an item: `begins` and the length."""
        return len(self.begins) + 4

    def items(self, data: bytes | bytearray) -> int | None:
        """Return how many of the bytes are complete items, if the first byte begins an item.

        None if the bytes are not items.
        """
        at, end, size = 0, len(data), len(self.begins)
        while at + self.least <= end:
            length = int.from_bytes(data[at + size : at + self.least], "big", signed=True)
            if data[at : at + size] != self.begins or not 0 <= length <= self.most:
                return None
            if at + self.least + length > end:
                return at
            at += self.least + length
        left = data[at : at + size]
        return at if left == self.begins[: len(left)] else None


@record
class Resumption:
    """How a connection resumes a session with the values that another one negotiated."""

    name: str
    """Name of the negotiated value that identifies the session: bytes."""
    begins: str
    """Command that begins a session."""
    resumes: str
    """Command that resumes one."""
    keeps: frozenset[str]
    """Names of negotiated values that remain valid."""


@record
class Parity:
    """How the number of a stream shows which side opens it, if no frame has a fixed sender.

    The protocol's document demands it; a peer that breaks it is noticed if a SYN was captured.
    """

    by: str
    """Member of the head with the stream's number; 0 is the connection and shows nothing."""
    opens: frozenset[str]
    """Commands that open a stream."""
    odd: Mapping[str, Sender]
    """Dialect to the side whose streams have odd numbers; those of the other side are even."""

    def opener(self, dialect: str, command: str, number: object) -> Sender | None:
        """Return the side that opens this stream; None if the frame does not show it."""
        if command not in self.opens or not isinstance(number, int) or not number:
            return None
        odd = self.odd[dialect]
        if number % 2:
            return odd
        return Sender.SERVER if odd is Sender.CLIENT else Sender.CLIENT


class Level(IntEnum):
    """Confidence that a connection speaks a protocol; the same scale for all protocols."""

    NONE = 0
    """No evidence for it, or stronger evidence against it."""
    WEAK = 1
    """One frame, which may be chance: never enough alone."""
    LIKELY = 2
    """Frames in a row, or one on the protocol's port: enough in the end if nothing contradicts."""
    SURE = 3
    """Many frames in a row, or several on the protocol's port: enough at once."""
    CERTAIN = 4
    """The known start of a connection, or bytes that no other protocol has: enough at once."""


MANY: Final = 12
"""Frames in a row that are enough at once on any port."""
COVERED: Final = 4
"""Fewest bytes of frames for each byte of evidence against them."""


@record
class Evidence:
    """Evidence that the bytes of one side are this protocol's."""

    data: bytes
    """The bytes, from the start of the connection or of the capture."""
    start: bool
    """True if they are the side's first bytes (a SYN was captured)."""
    commands: tuple[str, ...]
    """Commands of the complete frames without problems, in order."""
    lined_up: bool
    """True if they end with the data, or before the head of another known frame."""
    open_head: bool
    """True if a known head of an incomplete frame follows them."""
    port: bool
    """True if the server's port is one of the protocol's, or if other connections to the same
    address and port speak it."""
    bare: bool = False
    """True if each frame came as a message, without the length prefix of a stream."""
    client: bool | None = None
    """True for bytes of the client, False for the server's, None if neither a SYN nor the carrier
    proves it."""
    framed: int = 0
    """Bytes of those frames, and of the carrier's own."""
    certain: bool = False
    """True if one of them is of no other protocol (`WireFormat.certain`)."""
    against: int = 0
    """Bytes of evidence against the protocol, with no gap as excuse: skipped bytes, frames with
    problems, and frames with values that no peer sends."""

    @property
    def contradicted(self) -> bool:
        """Whether there are too many bytes against the protocol."""
        return self.against * COVERED > self.framed

    @property
    def where(self) -> str:
        """Text on the port, for a reason: ` on its port`, or empty."""
        return " on its port" if self.port else ""

    def in_a_row(self, count: int, distinctive: int) -> "Guess":
        """Return the confidence of so many frames in a row; chance does not form `distinctive`."""
        if not (self.lined_up or self.open_head) or (not count and not self.port):
            return Guess(Level.NONE, "no frame that lines up")
        if self.contradicted:
            return Guess(Level.NONE, "more speaks against its frames than for them")
        if not count:
            level = Level.WEAK if self.open_head else Level.NONE
            return Guess(level, "the head of a known frame on its port")
        level = Level.WEAK
        if count >= distinctive:
            level = Level.SURE if self.port or count >= MANY else Level.LIKELY
        elif self.port:
            level = Level.LIKELY
        return Guess(level, f"{count} frame{'s' if count > 1 else ''} in a row{self.where}")


class Guess(NamedTuple):
    """A confidence with its reason."""

    level: Level
    reason: str
    """One clause for the user."""


class OuterFrame(NamedTuple):
    """A frame of the outer protocol, as passed to the embedded one."""

    command: str | None
    values: Mapping[str, Any]
    """The frame's fields."""
    frame: bytes
    """All bytes of the frame."""
    data: bytes | None
    """The bytes in the slot; None for a frame without one."""
    sender: str | None
    here: dict[str, Any]
    """State of the embedded protocol for this connection."""
    everywhere: dict[str, Any]
    """State of the embedded protocol for all connections; the protocol bounds its size."""
    wire: "WireFormat"
    """The embedded protocol."""


class EmbeddedBytes(NamedTuple):
    """Bytes of an embedded protocol."""

    dialect: str = ""
    """Dialect to decode them with; empty: the one that the user chose."""
    key: str | None = None
    """Key of the frame, if no head has it."""
    problems: tuple[Problem, ...] = ()
    """Problems of the bytes besides those of decoding."""
    agreed: Mapping[str, Any] = MappingProxyType({})
    """Values known from earlier outer frames, for the conversation tables of the embedded protocol:
    `agreed.NAME`."""


Ask = Callable[[OuterFrame], EmbeddedBytes | None]


def carried(_evidence: Evidence) -> Guess:
    """Return no confidence: a carrier is recognised together with the protocol that it carries."""
    return Guess(Level.NONE, "a carrier")


@record
class StreamTypes:
    """How the metadata of a stream states the type of its data; a protocol declares it."""

    by: str
    """Member of the head that identifies the stream."""
    agreement: str
    """Name of the connection's negotiated value that the stream's own type replaces."""
    metadata: str
    """Member that holds the metadata."""
    hint: re.Pattern[bytes]
    """Matches somewhere in all metadata that states a type."""
    own: EmbeddedRecord
    """States the type of its sender's data; the first one counts."""
    accepted: EmbeddedRecord
    """States which types its sender accepts."""
    around: tuple[EmbeddedRecord, ...]
    """Records that may contain these."""
    opens: frozenset[str]
    """Commands that open a stream: the types of an earlier stream with its number are dropped."""


@record(slots=False, eq=False)
class WireFormat:
    """The wire format of one protocol."""

    id: str
    """Protocol id, snake_case: `rabbitmq_stream`."""
    short: str
    """Prefix of every name: `rmqstream`."""
    heads: LazyPart[Mapping[str, Head | LineHead]] = LazyPart()
    """Dialect to head; `""` is what real peers send."""
    frames: LazyPart[tuple[FrameSchema, ...]] = LazyPart(())
    detect: Callable[[Evidence], Guess] = carried
    ports: tuple[int, ...] = ()
    agreements: LazyPart[tuple[NegotiatedValue, ...]] = LazyPart(())
    fragments: LazyPart[Fragmentation | None] = LazyPart(None)
    run: LazyPart[SpanningItem | None] = LazyPart(None)
    resumption: LazyPart[Resumption | None] = LazyPart(None)
    stream_types: LazyPart[StreamTypes | None] = LazyPart(None)
    parity: LazyPart[Parity | None] = LazyPart(None)
    marks: LazyPart[re.Pattern[bytes] | None] = LazyPart(None)
    """Matches at the first byte of every plausible head; None to try every byte."""
    foreign: Mapping[bytes, str] = field(default_factory=dict)
    """First bytes of other protocols that are seen on this one's ports, to their names."""
    alone: LazyPart[frozenset[str]] = LazyPart(frozenset())
    """Dialects without the frames of the default dialect."""
    chain: int = 3
    """Well-formed frames in a row that end a resynchronisation; few if heads have many fixed
    bits."""
    lengths_hold: bool = False
    """True if no frames are searched for inside one that does not end: carriers count correctly,
    and their payloads may hold anything."""
    own_ports: tuple[int, ...] = ()
    """Those of `ports` on which other protocols occur only by mistake."""
    tls_ports: tuple[int, ...] = ()
    """Those of `ports` on which TLS is expected."""
    credible: Callable[[str, Mapping[str, Any]], bool] | None = None
    """Returns whether a peer sends these values in a command; judges frames without problems while
    the protocol of the connection is uncertain."""
    certain: Callable[[str, Mapping[str, Any]], bool] | None = None
    """Returns whether no other protocol has a command with these values."""
    shared_ports: tuple[int, ...] = ()
    """Ports of other protocols on which this one is often seen; the Wireshark plugin tries it
    there."""
    carried_in: frozenset[str] = frozenset()
    """Slots of carriers in which it may be carried: `websocket.message`, `websocket.bytes`, ..."""
    bare: LazyPart[Mapping[str, Head]] = LazyPart(dict)
    """Dialect to the head of frames that come as messages: without a length, `total` None."""
    binary: bool = False
    """Whether a carrier's messages have to be binary: in text, bytes above 0x7f are changed."""
    switch_dialect: Callable[[str, bytes], str] | None = None
    """Returns the dialect from a frame on (the frame included), from the dialect before and the
    frame's bytes. Called for frames with `negotiates`, and for those between servers, unless the
    user names a dialect; the heads of the dialects must not differ."""
    between_servers: LazyPart[frozenset[str]] = LazyPart(frozenset())
    """Dialects in which both sides are servers: the sender of every frame is a peer."""
    upgrades: LazyPart[Mapping[bytes, str]] = LazyPart(dict)
    """First bytes to the name of the protocol that a side switches to; it is not read, and not a
    fault."""
    within: Ask | None = None
    """Returns the bytes of this protocol in a slot of an outer frame; None if they are not its
    own."""
    around: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Members that `within` reads: command of the outer frame to members; under `""` those of
    frames in whose slots it may be. Generated readers provide no others."""

    @cached_property
    def dialects(self) -> tuple[str, ...]:
        """Names of the dialects, the default one (empty) first."""
        return tuple(self.heads)

    @cached_property
    def all_decoders(self) -> "dict[Selector, list[Decoder]]":
        """Decoders of all dialects by selector, those of the default dialect first."""
        out: dict[Selector, list[Decoder]] = {}
        for dialect in self.dialects:
            for selector, found in self.table(dialect).decoders.items():
                out.setdefault(selector, []).extend(found)
        return out

    def upgrade_name(self, data: bytes) -> str | None:
        """Return the name of the protocol to which these bytes switch; None if unknown."""
        return next((name for start, name in self.upgrades.items() if data.startswith(start)), None)

    def foreign_name(self, data: bytes) -> str | None:
        """Return the other protocol whose first bytes match longest; None if no one matches."""
        found = [prefix for prefix in self.foreign if data.startswith(prefix)]
        return self.foreign[max(found, key=len)] if found else None

    def table(self, dialect: str = "", *, bare: bool = False) -> "FrameTable":
        """Return the frame table of a dialect.

        `bare` for frames that come as messages. Commands of a dialect in `alone` may get other
        numbers: `draft:event=0,keep_alive=100`.

        Raises:
            StreamsharkError: The dialect, or a command after the colon, is unknown.
        """
        name, colon, numbers = dialect.partition(":")
        if name and name not in self.heads:
            known = ", ".join(name for name in self.heads if name) or "none"
            raise StreamsharkError(f"{self.id} has no dialect {name!r} (known: {known})")
        return (
            self._numbered(name, numbers).table(name, bare=bare)
            if colon
            else self._table(name, bare)
        )

    @cache  # noqa: B019 - lives as long as the program
    def _numbered(self, dialect: str, numbers: str) -> "WireFormat":
        """Return a copy with other numbers for commands of a dialect in `alone`."""
        own = {each.name for each in self.frames if each.dialect == dialect in self.alone}
        given: dict[str, int] = {}
        for each in numbers.split(","):
            name, _, number = each.partition("=")
            if name not in own or not _NUMBER.fullmatch(number):
                known = ", ".join(sorted(own)) or "none"
                message = (
                    f"{self.id}.dialect:{dialect}:{each}: expected COMMAND=NUMBER (known: {known})"
                )
                raise StreamsharkError(message)
            given[name] = int(number, 0)
        frames = tuple(
            replace(each, key=given[each.name])
            if each.dialect == dialect and each.name in given
            else each
            for each in self.frames
        )
        keys = Counter(each.key for each in frames if each.dialect == dialect)
        if twice := [str(int(key)) for key, count in keys.items() if count > 1]:
            message = (
                f"{self.id}.dialect:{dialect}: two commands have the number {', '.join(twice)}"
            )
            raise StreamsharkError(message)
        return replace(self, frames=frames, marks=None)

    @cache  # noqa: B019 - lives as long as the program
    def _table(self, dialect: str, bare: bool) -> "FrameTable":  # noqa: FBT001 - the key of a cache
        return FrameTable(self, dialect, bare=bare)


class Selector(NamedTuple):
    """The values of a head that select the frame's schema."""

    key: int | str
    version: int | None
    response: bool


class FrameTable:
    """Decoders of one dialect of a protocol, by selector.

    Frames are imported on first use: one reading meets few protocols.
    """

    def __init__(self, wire: WireFormat, dialect: str, *, bare: bool = False) -> None:
        self.wire = wire
        self.dialect = dialect
        self.bare = bare
        """True if each frame comes as a message."""
        self.plain = OnlySelector(self)

    @cached_property
    def between_servers(self) -> bool:
        """Whether both sides are servers."""
        return self.dialect in self.wire.between_servers

    @cached_property
    def head(self) -> Head | LineHead:
        """Head of the dialect: the length of a frame, and its selector."""
        return (self.wire.bare if self.bare else self.wire.heads)[self.dialect]

    @cached_property
    def cuts(self) -> bool:
        """Whether frames have a length, so that a stream can be split into them."""
        return not isinstance(self.head, Head) or self.head.total is not None

    @cached_property
    def least(self) -> int:
        """Fewest bytes of a frame."""
        return self.head.least if isinstance(self.head, Head) else 1

    @cached_property
    def measure(self) -> Measurer:
        """Function that measures a frame by its head."""
        return measurer(self.head)

    @cached_property
    def whole(self) -> Callable[[bytes], tuple[Selector, Decoder] | None]:
        """Function that returns selector and decoder of bytes that are exactly one plain frame.

        See `OnlySelector` for plain.
        """
        return whole(self.head, self.plain)

    @cached_property
    def all(self) -> "list[Decoder]":
        """Decoder of every frame, in the order of the declaration."""
        frames, dialect = self.wire.frames, self.dialect
        own = [frame for frame in frames if frame.dialect == dialect]
        replaced = {place for frame in own for place in (_place(frame), *self._selecting(frame))}
        return [
            Decoder(partial(walk, frame, self.head, self.wire.short), frame)
            for frame in frames
            if frame.dialect == dialect
            or (
                dialect not in self.wire.alone
                and not frame.dialect
                and replaced.isdisjoint({_place(frame), *self._selecting(frame)})
            )
        ]

    @cached_property
    def beginning(self) -> "Decoder | None":
        """Decoder of the head of a frame with an unknown command; None for text lines."""
        if not isinstance(self.head, Head):
            return None
        schema = FrameSchema(
            "unknown", 0, FrameKind.COMMAND, Sender.BOTH, "A frame of an unknown command.", "", ()
        )
        return Decoder(walk(schema, self.head, self.wire.short), schema)

    def values_of_head(self, data: bytes) -> dict[str, Any]:
        """Return the visible members of a frame's head, for a frame without a decoder."""
        if self.beginning is None or len(data) < self.least:
            return {}
        found, _ = self.beginning.read(data[: self.least])
        hidden = self.head.hidden if isinstance(self.head, Head) else ()
        return {name: value for name, value in found.items() if name not in hidden}

    @cached_property
    def decoders(self) -> "dict[Selector, list[Decoder]]":
        """Selector to the decoders that may read the frame, one for each sender."""
        out: dict[Selector, list[Decoder]] = {}
        for decoder in self.all:
            frame = decoder.schema
            for selector, _ in self._selecting(frame):
                others = out.setdefault(selector, [])
                if any(each.schema.sender is frame.sender for each in others):
                    message = f"{self.wire.short}.{frame.name}: another frame has its selector"
                    raise SchemaError(message)
                others.append(decoder)
        return out

    @cached_property
    def selectors(self) -> "dict[tuple[int | str, int | None, bool], Selector]":
        """The keys of `decoders`, by equal tuples: frames share these objects."""
        return {selector: selector for selector in self.decoders}

    @cached_property
    def keys(self) -> set[tuple[int | str, bool]]:
        """Key and response bit of every frame, whatever its version."""
        return {(selector.key, selector.response) for selector in self.decoders}

    @cached_property
    def switching_keys(self) -> set[int | str]:
        """Keys of frames that may switch the dialect."""
        if not self.wire.switch_dialect:
            return set()
        frames = (each.schema for each in self.all)
        return {each.key for each in frames if each.negotiates or each.sender is Sender.PEER}

    @cached_property
    def agreements(self) -> dict[tuple[str, bool], list[NegotiatedValue]]:
        """Values that frames negotiate, by command and whether it is a response."""
        wire = self.wire
        negotiating = {frame.name for frame in wire.frames if frame.negotiates}
        for agreement in wire.agreements:
            if agreement.command not in negotiating and self.dialect not in wire.alone:
                message = f"{wire.short}.{agreement.command}: its frame needs negotiates=True"
                raise SchemaError(message)
        return {
            (each.command, response): [
                other
                for other in wire.agreements
                if other.command == each.command and response in other.responses
            ]
            for each in wire.agreements
            for response in each.responses
        }

    def _selecting(self, frame: FrameSchema) -> list[tuple[Selector, Sender]]:
        """Return the selectors of a frame, with its sender."""
        selects = isinstance(self.head, Head) and self.head.response is not None
        bits = frame.response_bits if selects else (False,)
        return [(Selector(frame.key, frame.version, bit), frame.sender) for bit in bits]

    @cached_property
    def slots(self) -> frozenset[str]:
        """Names of the slots that are members of its frames."""
        fields = (one for each in self.all for one in each.schema.body if isinstance(one, Field))
        words = (each.word for each in fields if isinstance(each.word, Blob))
        return frozenset(each.slot.name for each in words if each.slot is not None)

    def oddity(self, total: int, selector: Selector) -> Problem:
        """Return the problem of a head with an unknown selector or an impossible length."""
        key, version, response = selector
        if not self.least <= total <= self.head.most:
            message = f"a frame of {total} bytes; {self.least} to {self.head.most} are possible"
            return Problem(ProblemCode.LENGTH, -1, 0, total, message)
        if (key, response) in self.keys:
            return Problem(
                ProblemCode.UNKNOWN_VERSION, -1, 0, total, f"version {version} of key {key}"
            )
        message = f"{'response ' if response else ''}key {key}"
        message += "" if version is None else f", version {version}"
        return Problem(ProblemCode.UNKNOWN_KEY, -1, 0, total, message)

    def named(self, name: str) -> Decoder:
        """Return the decoder of `<command>` or `<command>_response` (newest version); for tests."""
        found = [each for each in self.all if each.tree.prefix == f"{self.wire.short}.{name}"]
        return found[-1]


class OnlySelector(dict[tuple[int | str, int | None, bool], tuple[Selector, Decoder] | None]):
    """Cache of (selector, decoder) by head, for plain frames; None for others.

    A frame is plain if its selector has one decoder, it cannot switch the dialect, and its sender
    is not a peer.
    """

    def __init__(self, table: FrameTable) -> None:
        self.table = table

    def __missing__(
        self, key: tuple[int | str, int | None, bool]
    ) -> tuple[Selector, Decoder] | None:
        selector = self.table.selectors.get(key)
        found = self.table.decoders[selector] if selector is not None else []
        is_plain = len(found) == 1 and not found[0].schema.negotiates
        is_plain = is_plain and found[0].schema.sender is not Sender.PEER
        if selector is None or not is_plain:
            return None  # and not cached: a head may have any values
        self[key] = selector, found[0]
        return self[key]


class WellFormedCheck:
    """Check whether a frame decodes without problems, with a schema that its head may select."""

    def __init__(self, table: FrameTable) -> None:
        self.table = table

    @cached_property
    def decoders(self) -> dict[Selector, list[Decoder]]:
        """Decoders by selector: of all dialects while the dialect may still change."""
        table = self.table
        is_open = table.wire.switch_dialect and not table.dialect
        return table.wire.all_decoders if is_open else table.decoders

    def __call__(self, data: bytes, selector: Selector) -> bool:
        """Return whether a schema decodes the frame without problems."""
        return self.decoder(data, selector) is not None

    def decoder(self, data: bytes, selector: Selector) -> Decoder | None:
        """Return the first decoder without problems; None if there is none."""
        for each in self.decoders[selector]:
            if each.is_sound(data):
                return each
        return None


def _place(frame: FrameSchema) -> tuple[str, str, int | None]:
    """Return the key by which a dialect's own frame replaces another."""
    return frame.name, frame.kind.value, frame.version
