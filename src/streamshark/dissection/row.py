"""Rows: frames, and the events of a connection.

`FrameRow` and `EventRow` are plain objects with slots, made for each frame; `Frame` is the
immutable record of a row in the public API.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self

from streamshark.decoding.decoder import ShallowResult
from streamshark.decoding.named_values import name_values
from streamshark.errors import StreamsharkError
from streamshark.framing.splitter import At, PacketRef, RawFrame
from streamshark.schema.problems import Problem

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder
    from streamshark.flows.segment import Flow
    from streamshark.framing.carrier import Carrier
    from streamshark.framing.wire_format import FrameTable, Selector, WireFormat

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MOST_LISTED: Final = 1024
"""Most fragments of one frame that are listed; further ones are counted."""

EVENTS = {
    "open": "A SYN: the connection is being opened.",
    "close": "A FIN: the sender has finished sending.",
    "reset": "A RST: the connection is aborted.",
    "refused": "A RST in response to the SYN: no server listens there.",
    "unanswered": "A SYN that was retransmitted and never answered.",
    "gap": "Bytes of one side that are missing in the capture.",
    "resync": "Bytes skipped until the next frame, or because they are not of this protocol.",
    "partial": "A frame that is incomplete when the capture or the connection ends.",
}
"""Name of an event to its description."""


ATTEMPTED: Final = "attempted"
"""Reason of a connection that was never open."""


class ConnectionRecord:
    """A connection as its rows show it: its TCP flow, protocol, client and negotiated values.

    A protocol embedded in the frames of another one has a record of its own, whose `outer` is the
    connection.
    """

    def __init__(
        self, flow: "Flow", table: "FrameTable", reason: str, carrier: "Carrier | None" = None
    ) -> None:
        self.flow = flow
        self.table = table
        self.wire = table.wire
        self.reason = reason
        """Why the connection is taken for this protocol."""
        self.carrier = carrier
        """Carrier between TCP and the protocol; None if the protocol is directly on TCP."""
        self.may_switch_dialect = self.wire.switch_dialect is not None and not table.dialect
        """Whether frames may switch the dialect."""
        self.client = flow.client
        """The client's side, by its SYN or by frames that only one side sends; None if not
        proved."""
        self.agreed: dict[str, Any] = {}
        """Negotiated values so far, by the name of the `NegotiatedValue`.

        Replaced, never changed: rows keep the values that applied to them.
        """
        self.outer: ConnectionRecord | None = None
        """The connection of the outer protocol; None if this protocol is not embedded."""
        self.inner: dict[WireFormat, ConnectionRecord] = {}
        """The records of embedded protocols."""
        self.embeds = False
        """Whether frames of embedded protocols are looked for."""
        self.lost = 0
        """Number of bytes that are not in the capture."""

    def nested(self, table: "FrameTable") -> "ConnectionRecord":
        """Return the record of an embedded protocol; one for each protocol."""
        found = self.inner.get(table.wire)
        if found is None:
            found = ConnectionRecord(self.flow, table, f"inside {self.wire.id}")
            found.outer = self
            self.inner[table.wire] = found
        found.client = self.client
        return found

    def sender(self, side: int) -> str | None:
        """Return `client` or `server`; None if it is not proved."""
        if self.client is None:
            return None
        return "client" if side == self.client else "server"

    @property
    def spoken(self) -> tuple[str, str | None]:
        """Id of the protocol, and of its carrier or None."""
        return self.wire.id, self.carrier.id if self.carrier else None


class Row:
    """A row: its connection, and the values by which rows are sorted."""

    __slots__ = (
        "annotation",
        "connection",
        "derived",
        "file",
        "lead",
        "offset",
        "packet",
        "packets",
        "problems",
        "sender",
        "side",
        "time_ns",
    )  # fmt: skip

    problems: Sequence[Problem]
    """Problems of the row."""
    derived: tuple[Any, ...]
    """Values derived by the engine (`conversations.conversation.DerivedValue`); only if
    requested."""

    packets: Sequence[int]
    """Numbers of the packets that carried it, in its file."""
    lead: int | None
    """Payload bytes of the first packet before its first byte: its bytes are the payloads of
    `packets` from there on. None if they are not, as of decrypted or unmasked bytes, or bytes of
    which a packet repeats some."""

    def __init__(
        self, connection: ConnectionRecord, side: int, offset: int, place: PacketRef
    ) -> None:
        self.connection = connection
        self.side = side
        """Side of the flow that sent it."""
        self.offset = offset
        """Offset of its first byte in the side's stream."""
        self.packets = place.packets
        self.lead = place.lead
        self.time_ns, self.file, self.packet = place.at
        """Time in ns, file and number of the packet that completed it."""
        self.sender = connection.sender(side)
        """`client` or `server`, or `peer` between servers; None if not proved up to this row."""
        self.annotation: Any = None
        """Annotation by the engine (`conversations.conversation.Annotation`); None without one."""

    def annotate(self, annotation: Any) -> None:  # noqa: ANN401 - of a later stage
        """Set the annotation; None for none."""
        self.annotation = annotation

    def derive(self, derived: tuple[Any, ...]) -> None:
        """Set the derived values."""
        self.derived = derived

    def move_after(self, at: At) -> None:
        """Move the row to the packet `at`, unless its own is later."""
        self.time_ns, self.file, self.packet = max(at, (self.time_ns, self.file, self.packet))

    @property
    def order(self) -> tuple[int, int, int, int, int]:
        """Key by which rows are sorted."""
        return self.time_ns, self.file, self.packet, self.connection.flow.number, self.offset

    @property
    def addresses(self) -> tuple[str, str]:
        """Source and destination, `address:port`."""
        here, there = self.connection.flow.addresses
        return (there, here) if self.side else (here, there)


class Reassembled:
    """A fragmented frame, shared by its fragments and updated by each."""

    __slots__ = ("command", "count", "frames", "next", "parts", "reason", "sizes")

    def __init__(self, command: str | None) -> None:
        self.command = command
        """Command of the first fragment; None if that one was not captured."""
        self.count = 0
        """Number of fragments so far, without those that were not captured."""
        self.frames: list[int] = []
        """Numbers of the frames that are its fragments, the first ones."""
        self.sizes: dict[str, int] = {}
        """Bytes of each part, by the name of its member; a part that no fragment has is absent."""
        self.parts: dict[str, bytes | bytearray] = {}
        """The parts, by the name of the member; bytes once complete. Empty if they are not
        needed."""
        self.next: Reassembled | None = None
        """The next one, which begins in the frame that this one ends in; else None."""
        self.reason: str | None = None
        """Why it cannot be reassembled; None if it can, so far."""

    @classmethod
    def restored(
        cls,
        command: str | None,
        *,
        count: int,
        frames: Iterable[int],
        sizes: Mapping[str, int],
        parts: Mapping[str, bytes],
        reason: str | None,
    ) -> Self:
        """Return a fragmented frame as it was at one of its fragments."""
        made = cls(command)
        made.count, made.frames, made.reason = count, list(frames), reason
        made.sizes, made.parts = dict(sizes), dict(parts)
        return made

    def fail(self, reason: str) -> None:
        """Note that it cannot be reassembled; the first reason is kept."""
        self.reason = self.reason or reason
        self.parts = {}


class FrameRow(Row):
    """A frame of a protocol: its bytes, its decoder, values and problems."""

    __slots__ = ("_shallow", "_values", "agreed", "carrier", "columns", "complete", "data",
                 "decoder", "is_carrier", "number", "piece", "selector", "whole")  # fmt: skip

    data: bytes
    """The frame's bytes, its length prefix included."""
    selector: "Selector | None"
    """Key, version and response bit of the head; None without a readable head."""
    decoder: "Decoder | None"
    """None if no schema is known for the selector."""

    def __init__(  # noqa: PLR0913, PLR0917 - one call for each frame of a capture
        self,
        connection: ConnectionRecord,
        side: int,
        offset: int,
        data: bytes,
        packets: Sequence[int],
        time_ns: int,
        file: int,
        packet: int,
        lead: int | None,
        selector: "Selector | None",
        decoder: "Decoder | None",
        shallow: dict[str, Any] | None,
        values: dict[str, Any] | None,
        problems: Sequence[Problem],
    ) -> None:
        # As `Row` does, in place: one call less for each frame.
        self.connection = connection
        self.side = side
        self.offset, self.data, self.packets, self.lead = offset, data, packets, lead
        self.time_ns, self.file, self.packet = time_ns, file, packet
        client = connection.client
        self.sender = None if client is None else "client" if side == client else "server"
        self.annotation = self.carrier = self.whole = None
        self.selector, self.decoder = selector, decoder
        self._shallow, self._values = shallow, values
        self.problems = problems
        self.agreed = connection.agreed
        """The connection's negotiated values up to this frame, the frame included."""
        self.number = self.piece = 0
        self.complete = True
        self.is_carrier = False

    carrier: "FrameRow | None"
    """The row of the outer frame that contains it; None if it is not embedded."""
    is_carrier: bool
    """Whether a frame of another protocol is embedded in it."""
    number: int
    """Number of the frame in one output, 1-based; 0 until the row is yielded."""
    piece: int
    """Position of a fragment among those captured, from 1: its slots hold only part of the data. 0
    for a frame that is not a fragment."""
    whole: Reassembled | None
    """The fragmented frame to which it belongs, shared by its fragments; None without one."""
    complete: bool
    """False for a fragment that is not the last: a logical frame ends with this row."""

    @property
    def version(self) -> int | None:
        """Version in the frame, else the negotiated one; None if unknown."""
        version = self.selector.version if self.selector else None
        return self.agreed.get("version") if version is None else version

    @property
    def shallow(self) -> dict[str, Any]:
        """The values, possibly with `range(n)` for a list of n items: cheap for one line."""
        if self._shallow is None:
            self._shallow = self.decoder.shallow(self.data) if self.decoder else {}
        return self._shallow

    def give(self, number: int) -> None:
        """Set the number of the row."""
        self.number = number
        whole = self.whole
        if whole is None:
            return
        for each in (whole, whole.next if self.complete else None):
            if each is not None and len(each.frames) < MOST_LISTED:
                each.frames.append(number)

    @property
    def values(self) -> dict[str, Any]:
        """The fields by name, raw: numbers, text, bytes, lists, dicts; decoded on first access."""
        if self._values is None:
            self._values = self.decoder.read(self.data)[0] if self.decoder else {}
        return self._values

    @property
    def is_read(self) -> bool:
        """Whether the items of lists are decoded, or there are none."""
        return self._values is not None

    @property
    def command(self) -> str | None:
        """Name of the command, the same for request and response; None if unknown."""
        return self.decoder.schema.name if self.decoder else None

    @property
    def reassembled(self) -> dict[str, bytes] | None:
        """At the last fragment, the reassembled parts by name; None if there are none."""
        whole = self.whole
        if whole is None or not self.complete or whole.reason is not None:
            return None
        return {name: bytes(part) for name, part in whole.parts.items()}

    @property
    def name(self) -> str | None:
        """Name of the command, followed by `_response` for a response; None if unknown."""
        return self.decoder.tree.prefix.partition(".")[2] if self.decoder else None

    @property
    def kind(self) -> str | None:
        """`request`, `response` or `command`; None if the frame is unknown."""
        return self.decoder.schema.kind.value if self.decoder else None

    @property
    def key(self) -> int | None:
        """Number of the command on the wire; None if it is text."""
        key = self.selector.key if self.selector else None
        return key if isinstance(key, int) else None

    @property
    def correlation_id(self) -> int | str | None:
        """Value of the field with the role `correlates`; None if the frame has none."""
        decoder = self.decoder or (self.connection.table.beginning if self._values else None)
        name = decoder.correlates if decoder else None
        return self.shallow.get(name) if name else None


def row_of(
    connection: ConnectionRecord,
    side: int,
    cut: RawFrame,
    decoder: "Decoder | None",
    skimmed: ShallowResult,
    *,
    carrier: FrameRow | None = None,
) -> FrameRow:
    """Return the row of a split frame with its shallow result.

    `carrier` is the row of the outer frame that contains it; None if it is not embedded.
    """
    offset, data, (packets, at, lead), selector, _ = cut
    if connection.carrier is not None:
        lead = None  # the bytes of a message, as the carrier restores them
    shallow, problems, is_whole = skimmed
    if decoder is None and selector is not None and not shallow:
        if len(data) < connection.table.least:
            selector = None  # it was read from the bytes of the next frame
        else:
            shallow = connection.table.values_of_head(data)
    row = FrameRow(
        connection, side, offset, data, packets, *at, lead, selector, decoder,
        shallow, shallow if is_whole else None, problems,
    )  # fmt: skip
    row.carrier = carrier
    return row


class FragmentState(NamedTuple):
    """What a fragment of a frame knows of it."""

    piece: int
    """See `FrameRow.piece`."""
    complete: bool
    whole: Reassembled


def restored_frame(  # noqa: PLR0913 - what a row has
    connection: ConnectionRecord,
    side: int,
    cut: RawFrame,
    decoder: "Decoder | None",
    problems: Sequence[Problem],
    *,
    number: int,
    sender: str | None,
    agreed: dict[str, Any],
    carrier: FrameRow | None = None,
    is_carrier: bool = False,
    fragment: FragmentState | None = None,
) -> FrameRow:
    """Return the row of a frame that was read before, from its bytes and what is known of it."""
    found = ShallowResult({}, [], is_whole=True) if decoder is None else decoder.skim(cut.data)
    row = row_of(connection, side, cut, decoder, found, carrier=carrier)
    row.lead, row.problems = cut.place.lead, problems
    row.number, row.sender, row.agreed = number, sender, agreed
    row.is_carrier = is_carrier
    if fragment is not None:
        row.piece, row.complete, row.whole = fragment
    return row


class EventRow(Row):
    """An event of a connection; `fields` are its facts (see `EVENTS`)."""

    __slots__ = ("fields", "keeps_time", "name", "protocol")

    number: ClassVar[None] = None
    """Events are not numbered."""
    data: ClassVar[bytes] = b""

    def __init__(
        self,
        connection: ConnectionRecord,
        side: int,
        offset: int,
        place: PacketRef,
        name: str,
        fields: dict[str, Any],
    ) -> None:
        super().__init__(connection, side, offset, place)
        self.name = name
        self.fields = fields
        self.protocol = "tcp"
        """Source of the event: `tcp`, or the id of the connection's carrier."""
        self.keeps_time = False
        """Whether it keeps the time of its first byte if the end of the capture shows it."""
        self.problems = []

    @classmethod
    def restored(  # noqa: PLR0913 - what a row has
        cls,
        connection: ConnectionRecord,
        side: int,
        offset: int,
        place: PacketRef,
        name: str,
        fields: dict[str, Any],
        *,
        protocol: str,
        sender: str | None,
        problems: Sequence[Problem],
    ) -> Self:
        """Return the row of an event that was read before."""
        row = cls(connection, side, offset, place, name, fields)
        row.protocol, row.sender, row.problems = protocol, sender, problems
        return row

    @property
    def event(self) -> str:
        """Its name, after the id of its carrier and a dot if it is no event of TCP."""
        return self.name if self.protocol == "tcp" else f"{self.protocol}.{self.name}"

    @property
    def order(self) -> tuple[int, int, int, int, int]:
        """Key by which rows are sorted; a reset is the last of its packet: it ends both sides."""
        time_ns, file, packet, flow, offset = super().order
        return time_ns, file, packet, flow, sys.maxsize if self.name == "reset" else offset


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One row: a frame of a protocol, or an event of its connection. It prints as `read` does."""

    frame: int | None
    """Number of the frame, 1-based; None for events."""
    file: int
    """0-based index of the capture file."""
    time_ns: int
    """Time in ns since 1970 of the packet that completed it."""
    flow: int
    """0-based number of the connection, Wireshark's `tcp.stream`."""
    src: str
    """Source, `address:port`."""
    dst: str
    """Destination, `address:port`."""
    packets: tuple[int, ...]
    """Numbers of the packets that carried it."""
    protocol: str
    """Id of the protocol, such as `rabbitmq_stream`; `tcp` for most events."""
    command: str | None
    """Name of the command, the same for request and response, or of the event; None if unknown."""
    key: int | None
    """Number on the wire that names the command; None where it is text."""
    version: int | None
    """Version in the frame, else the negotiated one; None if unknown."""
    kind: str | None
    """`request`, `response`, `command` or `event`; None if unknown."""
    sender: str | None
    """`client`, `server` or `peer`; None if it is not proved."""
    correlation_id: int | str | None
    """Id that joins request and response; None if the frame has none."""
    length: int
    """Bytes on the wire, the length prefix included; 0 for events."""
    fields: dict[str, Any]
    """Values by name, in wire order. A coded value is a `NamedNumber`, flags are a `FlagSet`."""
    problems: tuple[Problem, ...]
    """What is malformed."""
    data: bytes = field(repr=False)
    """The frame's bytes; empty for events."""
    complete: bool = True
    """False for a fragment that is not the last."""
    reassembled: dict[str, bytes] | None = None
    """At the last fragment of a frame, its reassembled parts by name; else None."""
    carrier: int | None = None
    """Number of the outer frame that contains it; None if it is not embedded."""
    _describe: Callable[[], str] | None = field(default=None, repr=False, compare=False)
    """Returns its line; None if nothing knows how it is shown."""

    @property
    def is_event(self) -> bool:
        """Whether it is an event of the connection, such as its opening, and no frame."""
        return self.kind == "event"

    @property
    def time(self) -> datetime:
        """Time in UTC, to the microsecond."""
        return EPOCH + timedelta(microseconds=self.time_ns // 1000)

    def __str__(self) -> str:
        """Return its line, as `read` prints it."""
        return repr(self) if self._describe is None else self._describe()


def frame_of(
    row: Row,
    hide: Callable[[Row], Row] | None = None,
    describe: Callable[[Row], str] | None = None,
) -> Frame:
    """Return the immutable record of a row.

    `hide` removes its secrets; `describe` returns the line of a row.
    """
    if hide is not None:
        row = hide(row)
    line = None if describe is None else partial(describe, row)
    src, dst = row.addresses
    if isinstance(row, FrameRow):
        values = row.values
        if row.decoder is not None:
            values = name_values(row.decoder.tree, values)
        return Frame(
            frame=row.number, file=row.file, time_ns=row.time_ns,
            flow=row.connection.flow.number, src=src, dst=dst, packets=tuple(row.packets),
            protocol=row.connection.wire.id, command=row.command,
            key=None if row.key is None else int(row.key),
            version=row.version, kind=row.kind, sender=row.sender,
            correlation_id=row.correlation_id, length=len(row.data), fields=values,
            problems=tuple(row.problems), data=row.data, complete=row.complete,
            reassembled=row.reassembled,
            carrier=row.carrier.number if row.carrier else None, _describe=line,
        )  # fmt: skip
    if not isinstance(row, EventRow):
        raise StreamsharkError("a row is a frame or an event")
    return Frame(
        frame=None, file=row.file, time_ns=row.time_ns, flow=row.connection.flow.number,
        src=src, dst=dst, packets=tuple(row.packets), protocol=row.protocol, command=row.name,
        key=None, version=None, kind="event", sender=row.sender, correlation_id=None,
        length=0, fields=row.fields, problems=tuple(row.problems), data=b"", _describe=line,
    )  # fmt: skip
