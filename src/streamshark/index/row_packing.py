"""Rows as an index stores them: numbers for its columns, and records that rows share."""

import itertools
import marshal
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from typing import Protocol as Interface

from streamshark.conversations.conversation import Annotation, Name, split_start
from streamshark.conversations.tables import Derived
from streamshark.dissection.row import ConnectionRecord, EventRow, FrameRow, Reassembled, Row
from streamshark.framing.wire_format import FrameTable, WireFormat
from streamshark.index.layout import (
    CARRIES,
    DAMAGED,
    DETAILED,
    EVENT,
    FAR,
    LONG_TIME,
    NO_CONTEXT,
    NO_LEAD,
    NO_TIME,
    Detail,
    RowSetting,
)
from streamshark.index.plain_values import plain
from streamshark.protocols.protocol import Protocol

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder

MOST_SETTINGS: Final = 65_536
"""Most settings that are remembered, so that rows share them."""
_HIGH: Final = 32
_LOW: Final = 0xFFFF_FFFF
_BYTE: Final = 0xFF
_WITHOUT_REFERENCES: Final = 2
"""Version of `marshal` that writes equal values as equal bytes."""
_NAMELESS: Final = (-1, "0", None)
"""Flow, start and type of no conversation."""
_KINDS: Final = ("request", "response", "command")
"""Kinds of rows that `any` of a table may be limited to."""


class RecordSink(Interface):
    """What takes plain values and numbers them."""

    def add(self, record: Any, size: int = 0, /) -> int:  # noqa: ANN401 - any plain value
        """Append a record of about `size` bytes beyond the usual ones; return its number."""


class _Setting(NamedTuple):
    """What rows have in common, and where it is stored."""

    number: int
    is_quick: bool
    """Whether its rows may do without a detail."""
    has_marks: bool
    """Whether lines may show derived values of its rows."""
    kept: tuple[Any, ...]
    """The objects whose ids are in the key of the setting."""


class RowPacker:
    """Packer of the rows of some connections, in order.

    `records` take settings, contexts, details and bytes; `rows` is the number of rows before.
    """

    def __init__(
        self, records: Mapping[str, RecordSink], protocols: Iterable[Protocol], rows: int = 0
    ) -> None:
        self.rows = rows
        """Number of rows so far, without `pending`."""
        self.pending: list[tuple[Any, ...]] = []
        """Numbers of the last rows, in the order of `layout.ROWS`."""
        self.events = array("I")
        """Place of each event among the rows."""
        self.before = array("I")
        """Number of frames before each event."""
        self.sinks = records
        self.readable: set[int] = set()
        """Files whose packets can be read again."""
        self._marked_commands = {
            each.wire.id: [
                one
                for table in each.conversations
                if isinstance(table, Derived) and table.mark
                for one in table.on.split()
            ]
            for each in protocols
        }
        """Protocol to the rows whose derived values lines show."""
        self._settings: dict[tuple[Any, ...], _Setting] = {}
        """What identifies the objects of a row to the setting."""
        self._numbers: dict[RowSetting, int] = {}
        """Setting to the number of its record."""
        self._decoders: dict[tuple[FrameTable, Decoder], tuple[FrameTable, int]] = {}
        """What `decoder_of` has found."""
        self._starts: dict[str, tuple[int, str]] = {}
        """Start of a conversation to its parts; see `_start`."""
        self._shared: dict[int, tuple[int, Any]] = {}
        """Id of a shared value to the number of its record, and the value."""
        self._contents: dict[bytes, int] = {}
        """Shared value to the number of its record."""

    @property
    def frames(self) -> int:
        """Number of frames so far."""
        return self.rows + len(self.pending) - len(self.events)

    def take(self) -> list[tuple[Any, ...]]:
        """Return the numbers of the rows since the last call."""
        rows, self.pending = self.pending, []
        self.rows += len(rows)
        return rows

    def note_detail(self, row: int) -> None:
        """Note that a row has the detail that was added last."""

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows, with their annotations."""
        pending, settings, starts = self.pending.append, self._settings.get, self._starts
        shared = self._shared.get
        for row in rows:
            annotation = row.annotation
            offset, lead, packet = row.offset, row.lead, row.packet
            form: Any
            if annotation is None:
                part = kind = request = time = None
                context, since, of, form = NO_CONTEXT, 0, -1, ""
            else:
                part = annotation.part_of
                known = shared(id(annotation.context))
                context = self.value(annotation.context) if known is None else known[0]
                request, time = annotation.request_frame, annotation.response_time_ns
                of, start, kind = annotation.name or _NAMELESS
                first, form = starts.get(start) or self._start(start)
                since = packet - first
                if not 0 <= since < FAR:
                    since, form = FAR, start
            if row.__class__ is FrameRow:
                connection = row.connection
                key: tuple[Any, ...] = (
                    connection, row.decoder or connection.table, id(row.selector), id(row.agreed),
                    row.sender, part, of, form, kind, offset >> _HIGH, row.file,
                )  # fmt: skip
                flags = row.side | CARRIES if row.is_carrier else row.side
                length, is_quick = len(row.data), row.whole is None
                asked = row.number - request if request else 0
                if asked and not 0 < asked < FAR:
                    asked, is_quick = FAR, False
            else:
                self.before.append(self.frames)
                self.events.append(self.rows + len(self.pending))
                asked = FAR if request else 0
                key = (
                    row.connection, *_event_names(row), row.sender, part, of, form, kind,
                    offset >> _HIGH, row.file,
                )  # fmt: skip
                flags, length, is_quick = row.side | EVENT, 0, False
            setting = settings(key) or self._setting(key, row)
            took = NO_TIME
            if time is not None:
                took = time if 0 <= time < LONG_TIME else LONG_TIME
            if row.problems:
                flags, is_quick = flags | DAMAGED, False
            packets = row.packets
            if not (
                is_quick
                and setting.is_quick
                and lead is not None
                and lead < NO_LEAD
                and len(packets) == 1
                and packets[0] == packet
                and took != LONG_TIME
                and not (setting.has_marks and getattr(row, "derived", None))
            ):
                flags, lead = flags | DETAILED, self._detail(row)
            pending((
                row.time_ns, packet, row.connection.flow.number, offset & _LOW, length,
                setting.number, context, since, asked, took, lead, flags,
            ))  # fmt: skip

    def _start(self, start: str) -> tuple[int, str]:
        """Return what `split_start` does; the starts of recent rows are remembered."""
        if len(self._starts) >= MOST_SETTINGS:
            self._starts.clear()
        found = self._starts[start] = split_start(start)
        return found

    def _setting(self, key: tuple[Any, ...], row: Row) -> "_Setting":
        """Return a new setting, and remember it."""
        if len(self._settings) >= MOST_SETTINGS:
            self._settings.clear()
        annotation, connection = row.annotation, row.connection
        name = None if annotation is None else annotation.name
        part = None if annotation is None else annotation.part_of
        wire = connection.table.wire
        table, decoder, selector, agreed = connection.table, -1, None, -1
        if isinstance(row, FrameRow):
            command, protocol, kind = row.name, wire.id, row.kind
            if row.decoder is not None:
                table, decoder = self._decoder(connection, row.decoder)
            selector = None if row.selector is None else plain(tuple(row.selector))
            agreed = self.value(row.agreed)
        else:
            (command, protocol), kind = _event_names(row), "event"
        setting = RowSetting(
            file=row.file,
            protocol=protocol,
            wire=wire.id,
            dialect=table.dialect,
            bare=table.bare,
            carrier=connection.carrier.id if connection.carrier else None,
            embedded=connection.outer is not None,
            command=command,
            kind=kind,
            decoder=decoder,
            selector=selector,
            sender=row.sender,
            agreed=agreed,
            conversation=None if name is None else self._conversation_of(row, name),
            part_of=None if part is None else tuple(part),
            high=row.offset >> _HIGH,
        )
        made = _Setting(
            number=self.number(setting),
            is_quick=row.file in self.readable and not setting.embedded,
            has_marks=any(
                _may_be(each.split(":"), command, kind)
                for each in self._marked_commands.get(wire.id, ())
            ),
            kept=(getattr(row, "selector", None), getattr(row, "agreed", None)),
        )
        self._settings[key] = made
        return made

    def number(self, setting: RowSetting) -> int:
        """Return the number of the record of a setting, which rows of many connections share."""
        known = self._numbers.get(setting)
        if known is None:
            if len(self._numbers) >= MOST_SETTINGS:
                self._numbers.clear()
            known = self._numbers[setting] = self.sinks["settings"].add(tuple(setting))
        return known

    def _conversation_of(self, row: Row, name: Name) -> tuple[int | None, str, str, int]:
        """Return `RowSetting.conversation` of a row."""
        flow = None if name.flow == row.connection.flow.number else name.flow
        first, form = self._start(name.start)
        return flow, form, name.type, 0 if 0 <= row.packet - first < FAR else first

    def _decoder(self, connection: ConnectionRecord, decoder: "Decoder") -> tuple[FrameTable, int]:
        """Return what `decoder_of` does; what it found is remembered."""
        key = connection.table, decoder
        known = self._decoders.get(key)
        if known is None:
            known = self._decoders[key] = decoder_of(connection, decoder)
        return known

    def value(self, value: Mapping[str, Any]) -> int:
        """Return the number of the record of a shared value."""
        known = self._shared.get(id(value))
        if known is None:
            if len(self._shared) >= MOST_SETTINGS:
                self._shared.clear()
                self._contents.clear()
            try:
                content = marshal.dumps(dict(value), _WITHOUT_REFERENCES)
            except ValueError:
                content = marshal.dumps(plain(value), _WITHOUT_REFERENCES)
            known = self._shared[id(value)] = self.content(content), value
        return known[0]

    def content(self, content: bytes) -> int:
        """Return the number of the record of a shared value, which `marshal` has written."""
        number = self._contents.get(content)
        if number is None:
            number = self._contents[content] = self.sinks["contexts"].add(content)
        return number

    def _detail(self, row: Row) -> int:
        """Store what is particular to a row; return its lead."""
        out: dict[int, Any] = {}
        lead = NO_LEAD
        if len(row.packets) != 1 or row.packets[0] != row.packet:
            out[Detail.PACKETS] = packed_numbers(row.packets, row.packet)
        if row.problems:
            out[Detail.PROBLEMS] = [(each.code.word, *each[1:]) for each in row.problems]
        if isinstance(row, FrameRow):
            lead = self._place(row, out)
        elif isinstance(row, EventRow):
            out[Detail.FIELDS] = plain(row.fields)
            if row.lead is not None:
                out[Detail.LEAD] = row.lead
        if row.annotation is not None:
            _detail_annotation(row, row.annotation, out)
        if derived := getattr(row, "derived", ()):
            out[Detail.DERIVED] = [
                (each.table.name, plain(each.value), each.doubt) for each in derived
            ]
        self.sinks["details"].add(out)
        self.note_detail(self.rows + len(self.pending))
        return lead

    def _place(self, row: FrameRow, out: dict[int, Any]) -> int:
        """Add where the bytes of a frame are, and what it is a fragment of; return its lead."""
        if row.whole is not None:
            out[Detail.FRAGMENT] = self._fragment(row, row.whole)
        lead, carrier = row.lead, row.carrier
        if carrier is not None:
            start = row.offset - carrier.offset
            held = carrier.data[start : start + len(row.data)] if start >= 0 else b""
            out[Detail.CARRIER] = carrier.number, start if held == row.data else -1
            if held == row.data:
                return NO_LEAD
        elif lead is not None and row.file in self.readable:
            if lead >= NO_LEAD:
                out[Detail.LEAD] = lead
            return min(lead, NO_LEAD)
        elif lead is not None:
            out[Detail.LEAD] = lead
        out[Detail.SPOOL] = self.sinks["spool"].add(bytes(row.data), len(row.data))
        return NO_LEAD

    def _fragment(self, row: FrameRow, whole: Reassembled) -> tuple[Any, ...]:
        """Return what a fragment knows of its frame."""
        parts = row.reassembled or {}
        spooled = {name: self.sinks["spool"].add(part, len(part)) for name, part in parts.items()}
        frames = [each for each in whole.frames if each <= row.number]
        return (
            row.piece, row.complete, whole.command, whole.count, frames, dict(whole.sizes),
            whole.reason, spooled,
        )  # fmt: skip


def is_mark(table: Derived) -> bool:
    """Return whether a derived value is shown in lines."""
    return bool(table.mark)


def _detail_annotation(row: Row, annotation: Annotation, out: dict[int, Any]) -> None:
    """Add what columns cannot say of an annotation."""
    time, request = annotation.response_time_ns, annotation.request_frame
    if time is not None and not 0 <= time < LONG_TIME:
        out[Detail.TOOK] = time
    if annotation.answers:
        out[Detail.ANSWERS] = tuple(annotation.answers)
    if request and not (isinstance(row, FrameRow) and 0 < row.number - request < FAR):
        out[Detail.REQUEST] = request


def _may_be(on: Sequence[str], command: str | None, kind: str | None) -> bool:
    """Return whether the parts of a table's `on` may name rows of a command."""
    if "any" not in on:
        return on[-1] == command
    return on[-1] not in _KINDS or on[-1] == kind


def _event_names(row: Row) -> tuple[str, str]:
    """Return the name of an event, and the protocol that it comes from."""
    return (row.name, row.protocol) if isinstance(row, EventRow) else ("", "")


def packed_numbers(packets: Sequence[int], last: int) -> bytes | tuple[int, ...]:
    """Return numbers of packets in few bytes: how far each is from the next one, if that fits."""
    steps = [after - before for before, after in itertools.pairwise((*packets, last))]
    if all(0 <= each <= _BYTE for each in steps):
        return bytes(steps)
    return tuple(packets)


def unpacked_numbers(packed: bytes | tuple[int, ...], last: int) -> list[int]:
    """Return the numbers that `packed_numbers` has packed."""
    if not isinstance(packed, bytes):
        return list(packed)
    return [last - each for each in itertools.accumulate(reversed(packed))][::-1]


def decoder_of(connection: ConnectionRecord, decoder: "Decoder") -> tuple[FrameTable, int]:
    """Return the table of a decoder, and its place there; the present one of the connection first.

    A frame may have been read before the connection switched to its present dialect.
    """
    table = connection.table
    for each in (table, *tables_of(table.wire)):
        for place, other in enumerate(each.all):
            if other is decoder:
                return each, place
    return table, -1


def tables_of(wire: WireFormat) -> list[FrameTable]:
    """Return the tables of all dialects of a protocol."""
    out = [wire.table(each) for each in wire.dialects]
    return [*out, *(wire.table(each, bare=True) for each in wire.bare)]
