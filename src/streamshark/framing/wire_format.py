"""What the frame stage needs to know of one protocol: heads, frames, how to recognise it.

Everything here is data that a protocol folder declares; `FrameTable` is what is made of it for one
dialect: which schema a head selects.
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
"""A number that a user gives a command."""


@record
class NegotiatedValue:
    """Something that a connection agrees, remembered for all its later frames."""

    name: str
    """`frame_max`, `heartbeat`, ..."""
    command: str
    """The frame (name without `_response`) that says it."""
    path: str
    """The field that holds it; a list path gives the list, `flags.name` one flag of the head."""
    sentence: str
    responses: tuple[bool, ...] = (False, True)
    """Which of request and response say it; a later one replaces an earlier one."""
    least: bool = False
    """True where the least of what both sides say holds: what comes later never raises it."""

    def said(self, schema: FrameSchema, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any field
        """What a frame says; None where it does not."""
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
        """What holds when a frame says `value`, `before` being agreed."""
        return min(value, before.get(self.name, value)) if self.least else value


@record
class Fragmentation:
    """How frames say that they are pieces of one that was cut."""

    by: str
    """Member that joins the pieces of one side: a stream's id."""
    flags: str
    """The head's flag member; empty where no flag says it."""
    more: str
    """Flag that says that another piece follows."""
    continued: frozenset[str]
    """Commands that bring the pieces behind the first one."""
    ended: frozenset[str]
    """Commands of either side after which no more pieces come."""
    parts: tuple[str, ...] = ()
    """Members that are cut, in the order in which they stand when put together."""
    begun: frozenset[str] = frozenset()
    """Commands that always are first pieces, and are read by themselves too; without a flag, what
    continues them is the last one."""
    place: str = ""
    """Member that says which piece it is: 0 the first, 1 one in the middle, 2 the last; empty where
    none does. What such pieces bring stands one behind the other."""
    joins: Callable[[Mapping[str, bytes], Mapping[str, Any]], Mapping[str, bytes] | str] | None = (
        None
    )
    """How the last piece, by its values, is put to the parts before it; a reason where it does not
    fit. By default the parts stand one after the other."""
    reads: frozenset[str] = frozenset()
    """Members of the last piece that `joins` reads, besides the parts."""


@record
class SpanningItem:
    """How items run on over frames, each of which brings the bytes behind those of the last one."""

    command: str
    """The frames that bring them."""
    by: str
    """Member that names the run."""
    position: str
    """Member that says where the frame's bytes stand in it."""
    part: str
    """Member that holds them: items, the first and last perhaps in part."""
    begins: bytes
    """What every item begins with; a signed length of 32 bits follows, then as many bytes."""
    most: int
    """Bytes of an item beyond which it is none."""

    @property
    def least(self) -> int:
        """Bytes in front of those of an item."""
        return len(self.begins) + 4

    def items(self, data: bytes | bytearray) -> int | None:
        """How many of the bytes are whole items, where one begins with the first.

        None for bytes that are no items.
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
    """How a connection goes on with what another one has agreed."""

    name: str
    """The agreement that names the session: bytes."""
    begins: str
    """Command that begins a session."""
    resumes: str
    """Command that goes on with one."""
    keeps: frozenset[str]
    """Agreements that go on to hold."""


@record
class Parity:
    """How the number of a stream tells which side opens it, where no frame of one side alone does.

    As the document demands it; a peer that breaks this rule is seen where the SYN was.
    """

    by: str
    """Member of the head that numbers streams; 0 is the connection and tells nothing."""
    opens: frozenset[str]
    """Commands that open a stream."""
    odd: Mapping[str, Sender]
    """Dialect to the side whose streams have odd numbers; the other's are even."""

    def opener(self, dialect: str, command: str, number: object) -> Sender | None:
        """Who opens this stream; None for a frame that does not tell."""
        if command not in self.opens or not isinstance(number, int) or not number:
            return None
        odd = self.odd[dialect]
        if number % 2:
            return odd
        return Sender.SERVER if odd is Sender.CLIENT else Sender.CLIENT


class Level(IntEnum):
    """How sure it is that a connection speaks a protocol; one meaning for all protocols."""

    NONE = 0
    """Nothing speaks for it, or what speaks against it outweighs that."""
    WEAK = 1
    """What chance may bring about: one frame. Never enough by itself."""
    LIKELY = 2
    """Frames in a row, or one on the protocol's port: enough in the end, if nothing contradicts."""
    SURE = 3
    """Many frames in a row, or some on the protocol's port: enough at once."""
    CERTAIN = 4
    """The known start of a connection, or what no other protocol says: enough at once."""


MANY: Final = 12
"""Frames in a row that are enough at once on any port."""
COVERED: Final = 4
"""Bytes of frames for each byte that speaks against them, at least."""


@record
class Evidence:
    """What the bytes of one side look like when read as this protocol."""

    data: bytes
    """The bytes, from the start of the connection or from where the capture begins."""
    start: bool
    """True when they are the side's first bytes (a SYN was seen)."""
    commands: tuple[str, ...]
    """Names of the whole frames without problems, in their order."""
    lined_up: bool
    """True when they end with the data or before the head of another known frame."""
    open_head: bool
    """True when a known head stands where the frames end, its frame not yet whole."""
    port: bool
    """True when the port that was connected to is one of the protocol's, or other connections to
    the same address and port speak it."""
    bare: bool = False
    """True when each frame came as a message, without the length that it has on a stream."""
    client: bool | None = None
    """Whether these are bytes of the client, as far as a SYN or the carrier proves it."""
    framed: int = 0
    """Bytes of those frames, and of the carrier's own."""
    certain: bool = False
    """True when one of them is of no other protocol (`WireFormat.certain`)."""
    against: int = 0
    """Bytes that are no such frames although nothing is missing: skipped, of frames with problems,
    or with values that no peer sends."""

    @property
    def contradicted(self) -> bool:
        """Whether too many bytes speak against the protocol."""
        return self.against * COVERED > self.framed

    @property
    def where(self) -> str:
        """What the port says, for a reason."""
        return " on its port" if self.port else ""

    def in_a_row(self, count: int, telling: int) -> "Guess":
        """How sure so many frames in a row are, of which `telling` do not come about by chance."""
        if not (self.lined_up or self.open_head) or (not count and not self.port):
            return Guess(Level.NONE, "no frame that lines up")
        if self.contradicted:
            return Guess(Level.NONE, "more speaks against its frames than for them")
        if not count:
            level = Level.WEAK if self.open_head else Level.NONE
            return Guess(level, "the head of a known frame on its port")
        level = Level.WEAK
        if count >= telling:
            level = Level.SURE if self.port or count >= MANY else Level.LIKELY
        elif self.port:
            level = Level.LIKELY
        return Guess(level, f"{count} frame{'s' if count > 1 else ''} in a row{self.where}")


class Guess(NamedTuple):
    """How sure a protocol is."""

    level: Level
    reason: str
    """One clause for the user."""


class OuterFrame(NamedTuple):
    """A frame of the outer protocol, as the inner one sees it."""

    command: str | None
    values: Mapping[str, Any]
    """Its fields."""
    frame: bytes
    """All of its bytes."""
    data: bytes | None
    """Those that stand in the slot; None for a frame that has none."""
    sender: str | None
    here: dict[str, Any]
    """What the inner protocol remembers of this connection: its own."""
    everywhere: dict[str, Any]
    """What it remembers of all connections: its own, and bounded by it."""
    wire: "WireFormat"
    """The inner protocol."""


class EmbeddedBytes(NamedTuple):
    """Bytes that are the inner protocol's."""

    dialect: str = ""
    """The dialect that reads them; empty: the one that the user chose."""
    key: str | None = None
    """Key of the frame, where no head says it."""
    problems: tuple[Problem, ...] = ()
    """What is wrong with them besides what reading them shows."""
    agreed: Mapping[str, Any] = MappingProxyType({})
    """What was seen around them before, for the inner protocol's tables: `agreed.NAME`."""


Ask = Callable[[OuterFrame], EmbeddedBytes | None]


def carried(_evidence: Evidence) -> Guess:
    """A carrier is recognised with its rider."""
    return Guess(Level.NONE, "a carrier")


@record
class StreamTypes:
    """How a stream's metadata says which type its data is of; a protocol declares it."""

    by: str
    """Member of the head that names the stream."""
    agreement: str
    """The agreement of the connection that the stream's own type stands in for."""
    metadata: str
    """Member that holds the metadata."""
    hint: re.Pattern[bytes]
    """Found in all metadata that says a type."""
    own: EmbeddedRecord
    """Says the type of its sender's data: the first one in it."""
    accepted: EmbeddedRecord
    """Says which types its sender takes."""
    around: tuple[EmbeddedRecord, ...]
    """What these may stand in."""
    opens: frozenset[str]
    """Commands that open a stream: what was said of an earlier one with its number is over."""


@record(slots=False, eq=False)
class WireFormat:
    """One protocol as the frame stage sees it."""

    id: str
    """Protocol id, snake_case: `rabbitmq_stream`."""
    short: str
    """What every name starts with: `rmqstream`."""
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
    """Matches at the first byte of every plausible head; without it every byte is tried."""
    foreign: Mapping[bytes, str] = field(default_factory=dict)
    """First bytes of other protocols that are met on this one's ports, to their names."""
    alone: LazyPart[frozenset[str]] = LazyPart(frozenset())
    """Dialects that have no frames but their own."""
    chain: int = 3
    """Sound frames that must line up where step was lost; few where heads have many fixed bits."""
    lengths_hold: bool = False
    """True where no frames are looked for inside one that never ends: carriers do not miscount,
    and anything may stand in their payloads."""
    own_ports: tuple[int, ...] = ()
    """Those of `ports` on which others are met by mistake alone."""
    tls_ports: tuple[int, ...] = ()
    """Those of `ports` on which TLS is no mistake."""
    credible: Callable[[str, Mapping[str, Any]], bool] | None = None
    """Whether a peer sends these values in a command: what frames without problems are judged by
    while it is open whether the connection speaks this protocol."""
    certain: Callable[[str, Mapping[str, Any]], bool] | None = None
    """Whether no other protocol has a command with these values."""
    shared_ports: tuple[int, ...] = ()
    """Ports of other protocols on which this one is often met: Wireshark is told to look there."""
    rides: frozenset[str] = frozenset()
    """Slots of carriers that it may stand in: `websocket.message`, `websocket.bytes`, ..."""
    bare: LazyPart[Mapping[str, Head]] = LazyPart(dict)
    """Dialect to the head of frames that come as messages: without a length, `total` None."""
    turned: Callable[[str, bytes], str] | None = None
    """The dialect of a connection from a frame on, itself included, by the dialect before it and
    the frame's bytes. Asked for frames that `turns`, and those between servers, where the user
    names no dialect; heads must not differ."""
    between_servers: LazyPart[frozenset[str]] = LazyPart(frozenset())
    """Dialects in which both sides are servers: the sender of every frame is a peer."""
    upgrades: LazyPart[Mapping[bytes, str]] = LazyPart(dict)
    """What a side may go on as, by its first bytes: what is not read any more, and is no fault."""
    within: Ask | None = None
    """Whether what stands in a frame of a protocol whose slots it rides in is its own."""
    around: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What `within` reads: command of the frame around to members; under `""` those of frames in
    whose slots it rides. Others are not asked for by readers that print what they need."""

    @cached_property
    def dialects(self) -> tuple[str, ...]:
        """Names of the dialects, the default one (empty) first."""
        return tuple(self.heads)

    @cached_property
    def all_decoders(self) -> "dict[Selector, list[Decoder]]":
        """The decoders of all dialects, those of the default one first."""
        out: dict[Selector, list[Decoder]] = {}
        for dialect in self.dialects:
            for selector, found in self.table(dialect).decoders.items():
                out.setdefault(selector, []).extend(found)
        return out

    def upgrade_name(self, data: bytes) -> str | None:
        """What bytes begin that are not this protocol any more; None for nothing known."""
        return next((name for start, name in self.upgrades.items() if data.startswith(start)), None)

    def foreign_name(self, data: bytes) -> str | None:
        """The other protocol that bytes begin like, by the longest match; None for none."""
        found = [prefix for prefix in self.foreign if data.startswith(prefix)]
        return self.foreign[max(found, key=len)] if found else None

    def table(self, dialect: str = "", *, bare: bool = False) -> "FrameTable":
        """The frames of one dialect; StreamsharkError for an unknown one.

        `bare` for frames that come as messages. A dialect of its own may be given other numbers for
        its commands: `draft:event=0,keep_alive=100`.
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

    @cache  # noqa: B019 - a wire lives as long as the program
    def _numbered(self, dialect: str, numbers: str) -> "WireFormat":
        """The same with other numbers for commands of a dialect of its own."""
        own = {each.name for each in self.frames if each.dialect == dialect in self.alone}
        given: dict[str, int] = {}
        for each in numbers.split(","):
            name, _, number = each.partition("=")
            if name not in own or not _NUMBER.fullmatch(number):
                known = ", ".join(sorted(own)) or "none"
                told = f"{self.id}.dialect:{dialect}:{each}: not COMMAND=NUMBER (known: {known})"
                raise StreamsharkError(told)
            given[name] = int(number, 0)
        frames = tuple(
            replace(each, key=given[each.name])
            if each.dialect == dialect and each.name in given
            else each
            for each in self.frames
        )
        keys = Counter(each.key for each in frames if each.dialect == dialect)
        if twice := [str(int(key)) for key, count in keys.items() if count > 1]:
            told = f"{self.id}.dialect:{dialect}: two commands have number {', '.join(twice)}"
            raise StreamsharkError(told)
        return replace(self, frames=frames, marks=None)

    @cache  # noqa: B019 - a wire lives as long as the program
    def _table(self, dialect: str, bare: bool) -> "FrameTable":  # noqa: FBT001 - the key of a cache
        return FrameTable(self, dialect, bare=bare)


class Selector(NamedTuple):
    """What a head says of the frame behind it."""

    key: int | str
    version: int | None
    response: bool


class FrameTable:
    """Which decoder reads which frame, in one dialect of one protocol.

    Frames are imported when they are first asked for: few protocols are met in one reading.
    """

    def __init__(self, wire: WireFormat, dialect: str, *, bare: bool = False) -> None:
        self.wire = wire
        self.dialect = dialect
        self.bare = bare
        """True when each frame comes as a message."""
        self.plain = OnlySelector(self)

    @cached_property
    def between_servers(self) -> bool:
        """Whether both sides are servers."""
        return self.dialect in self.wire.between_servers

    @cached_property
    def head(self) -> Head | LineHead:
        """How long a frame is, and which one."""
        return (self.wire.bare if self.bare else self.wire.heads)[self.dialect]

    @cached_property
    def cuts(self) -> bool:
        """Whether frames say how long they are, so that a stream can be cut into them."""
        return not isinstance(self.head, Head) or self.head.total is not None

    @cached_property
    def least(self) -> int:
        """Fewest bytes of a frame."""
        return self.head.least if isinstance(self.head, Head) else 1

    @cached_property
    def measure(self) -> Measurer:
        """What reads heads."""
        return measurer(self.head)

    @cached_property
    def whole(self) -> Callable[[bytes], tuple[Selector, Decoder] | None]:
        """What tells of bytes that are one plain frame which it is; see `OnlySelector`."""
        return whole(self.head, self.plain)

    @cached_property
    def all(self) -> "list[Decoder]":
        """The decoder of every frame, in the order of the frames."""
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
        """What reads the head of a frame whose command is not known; None for lines."""
        if not isinstance(self.head, Head):
            return None
        schema = FrameSchema(
            "unknown", 0, FrameKind.COMMAND, Sender.BOTH, "A frame of an unknown command.", "", ()
        )
        return Decoder(walk(schema, self.head, self.wire.short), schema)

    def told_by_head(self, data: bytes) -> dict[str, Any]:
        """The members of a frame's head that are shown, for a frame that no decoder reads."""
        if self.beginning is None or len(data) < self.least:
            return {}
        found, _ = self.beginning.read(data[: self.least])
        hidden = self.head.hidden if isinstance(self.head, Head) else ()
        return {name: value for name, value in found.items() if name not in hidden}

    @cached_property
    def decoders(self) -> "dict[Selector, list[Decoder]]":
        """What a head selects: the decoders that may read the frame, one for each sender."""
        out: dict[Selector, list[Decoder]] = {}
        for decoder in self.all:
            frame = decoder.schema
            for selector, _ in self._selecting(frame):
                others = out.setdefault(selector, [])
                if any(each.schema.sender is frame.sender for each in others):
                    told = f"{self.wire.short}.{frame.name}: another frame has its selector"
                    raise SchemaError(told)
                others.append(decoder)
        return out

    @cached_property
    def selectors(self) -> "dict[tuple[int | str, int | None, bool], Selector]":
        """The keys of `decoders`, by equal tuples: a frame takes the one that is there."""
        return {selector: selector for selector in self.decoders}

    @cached_property
    def keys(self) -> set[tuple[int | str, bool]]:
        """Key and response bit of every frame, whatever its version."""
        return {(selector.key, selector.response) for selector in self.decoders}

    @cached_property
    def turning(self) -> set[int | str]:
        """Keys of frames that may tell another dialect."""
        if not self.wire.turned:
            return set()
        frames = (each.schema for each in self.all)
        return {each.key for each in frames if each.turns or each.sender is Sender.PEER}

    @cached_property
    def agreements(self) -> dict[tuple[str, bool], list[NegotiatedValue]]:
        """By command, and whether it is a response, what frames of it agree."""
        wire = self.wire
        turning = {frame.name for frame in wire.frames if frame.turns}
        for agreement in wire.agreements:
            if agreement.command not in turning and self.dialect not in wire.alone:
                told = f"{wire.short}.{agreement.command}: a frame that agrees something turns"
                raise SchemaError(told)
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
        """The selectors that mean a frame, with who sends it."""
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
        """What is wrong with a head that selects no frame, or says an impossible length."""
        key, version, response = selector
        if not self.least <= total <= self.head.most:
            told = f"a frame of {total} bytes; {self.least} to {self.head.most} are possible"
            return Problem(ProblemCode.LENGTH, -1, 0, total, told)
        if (key, response) in self.keys:
            return Problem(
                ProblemCode.UNKNOWN_VERSION, -1, 0, total, f"version {version} of key {key}"
            )
        told = f"{'response ' if response else ''}key {key}"
        told += "" if version is None else f", version {version}"
        return Problem(ProblemCode.UNKNOWN_KEY, -1, 0, total, told)

    def named(self, name: str) -> Decoder:
        """The decoder of `<command>` or `<command>_response` (the newest version); for tests."""
        found = [each for each in self.all if each.tree.prefix == f"{self.wire.short}.{name}"]
        return found[-1]


class OnlySelector(dict[tuple[int | str, int | None, bool], tuple[Selector, Decoder] | None]):
    """What a head says to the only decoder it may mean, where its frames agree nothing; or None."""

    def __init__(self, table: FrameTable) -> None:
        self.table = table

    def __missing__(
        self, key: tuple[int | str, int | None, bool]
    ) -> tuple[Selector, Decoder] | None:
        selector = self.table.selectors.get(key)
        found = self.table.decoders[selector] if selector is not None else []
        is_plain = len(found) == 1 and not found[0].schema.turns
        is_plain = is_plain and found[0].schema.sender is not Sender.PEER
        if selector is None or not is_plain:
            return None  # and not kept: a head may say anything
        self[key] = selector, found[0]
        return self[key]


class WellFormedCheck:
    """Whether a frame decodes without problems, as one of the schemas that its head may mean."""

    def __init__(self, table: FrameTable) -> None:
        self.table = table

    @cached_property
    def decoders(self) -> dict[Selector, list[Decoder]]:
        """What may read a frame."""
        table = self.table
        is_open = table.wire.turned and not table.dialect
        return table.wire.all_decoders if is_open else table.decoders

    def __call__(self, data: bytes, selector: Selector) -> bool:
        """True when some schema reads it without problems."""
        return self.decoder(data, selector) is not None

    def decoder(self, data: bytes, selector: Selector) -> Decoder | None:
        """What reads it without problems."""
        for each in self.decoders[selector]:
            if each.is_sound(data):
                return each
        return None


def _place(frame: FrameSchema) -> tuple[str, str, int | None]:
    """What a dialect's own frame replaces."""
    return frame.name, frame.kind.value, frame.version
