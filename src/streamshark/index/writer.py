"""Writes the rows, conversations and findings of a reading into an index."""

import itertools
import marshal
import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.capture import Capture
from streamshark.capture.capture import Comment
from streamshark.conversations.conversation import Annotation, Conversation, Name, split_start
from streamshark.conversations.tables import Derived
from streamshark.dissection.row import ConnectionRecord, EventRow, FrameRow, Reassembled, Row
from streamshark.findings.finding import Finding
from streamshark.findings.matches import RuleMatch
from streamshark.findings.news import Change, News
from streamshark.framing.wire_format import FrameTable, WireFormat
from streamshark.index.columns import FAST_LEVEL, LEVEL, Column, ColumnWriter, RecordWriter
from streamshark.index.conversation_records import packed_conversation
from streamshark.index.layout import (
    DAMAGED,
    DETAILED,
    DETAILS,
    EVENT,
    EVENTS,
    FAILED,
    FAR,
    LONG_TIME,
    MARK,
    NO_LEAD,
    NO_SEVERITY,
    NO_TIME,
    RECORDS,
    ROWS,
    SEVERITY,
    UNANSWERED,
    Detail,
    IndexProgress,
    RowSetting,
)
from streamshark.index.open_conversations import write_open
from streamshark.index.plain_values import plain
from streamshark.index.windows import WindowWriter
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
_BLOCK: Final = 1024
"""Rows that are put into columns together."""
_NAMELESS: Final = (-1, "0", None)
"""Flow, start and type of no conversation."""
_KINDS: Final = ("request", "response", "command")
"""Kinds of rows that `any` of a table may be limited to."""
_STATES: Final = {"failed": FAILED, "unanswered": UNANSWERED}
"""State of a call to the mark of its rows."""


class _Setting(NamedTuple):
    """What rows have in common, and where it is stored."""

    number: int
    is_quick: bool
    """Whether its rows may do without a detail."""
    has_marks: bool
    """Whether lines may show derived values of its rows."""
    kept: tuple[Any, ...]
    """The objects whose ids are in the key of the setting."""


class IndexWriter:
    """Writer of the files of one index, from where `progress` says that they end."""

    def __init__(
        self, folder: Path, progress: IndexProgress, protocols: Iterable[Protocol] = ()
    ) -> None:
        self._folder = folder
        self._open_version = progress.open_version
        count = progress.rows
        self.rows = count
        """Number of rows so far."""
        self.is_ordered = progress.is_ordered
        """Whether the times of rows have never decreased."""
        self._columns = [
            ColumnWriter(folder / f"rows.{name}", code, count) for name, code in ROWS.items()
        ]
        self._records = {
            name: RecordWriter(
                folder / name,
                *progress.records.get(name, ()),
                level=FAST_LEVEL if name == "spool" else LEVEL,
            )
            for name in RECORDS
        }
        self.windows = WindowWriter(folder, progress.windows, self._records["readers"])
        self._mark_column = ColumnWriter(folder / f"rows.{MARK}", "B", count)
        self._marks = os.open(folder / "rows.mark", os.O_RDWR | os.O_CLOEXEC)
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
        self._readable: set[int] = set()
        """Files whose packets can be read again."""
        self._pending: list[tuple[Any, ...]] = []
        """Numbers of the rows that are not in the columns yet."""
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
        self._events = array("I", known_events(folder, progress.events))
        """Place of each event among the rows."""
        self._before = array("I", (place - at for at, place in enumerate(self._events)))
        """Number of frames before each event."""
        self._events_column = ColumnWriter(folder / f"rows.{EVENTS}", "I", progress.events)
        self._details_column = ColumnWriter(
            folder / f"rows.{DETAILS}", "I", self._records["details"].count
        )
        self._marked: dict[int, int] = {}
        """Row to the mark that it gets with the next commit."""
        self._last_ns = 0

    @property
    def frames(self) -> int:
        """Number of frames so far."""
        return self.rows + len(self._pending) - len(self._events)

    def follow(self, capture: Capture) -> None:
        """Take the packets of a capture, which is about to be read."""
        self.windows.follow(capture)
        if capture.is_file:
            self._readable.add(capture.file)

    # Rows

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows, with their annotations."""
        pending, settings, starts = self._pending.append, self._settings.get, self._starts
        shared = self._shared.get
        for row in rows:
            annotation = row.annotation
            offset, lead, packet = row.offset, row.lead, row.packet
            form: Any
            if annotation is None:
                part = kind = request = time = None
                context, since, of, form = -1, 0, -1, ""
            else:
                part = annotation.part_of
                known = shared(id(annotation.context))
                context = self._value(annotation.context) if known is None else known[0]
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
                    row.sender, context, part, of, form, kind, offset >> _HIGH, row.file,
                )  # fmt: skip
                flags, length, is_quick = row.side, len(row.data), row.whole is None
                asked = row.number - request if request else 0
                if asked and not 0 < asked < FAR:
                    asked, is_quick = FAR, False
            else:
                self._before.append(self.frames)
                self._events.append(self.rows + len(self._pending))
                asked = FAR if request else 0
                key = (
                    row.connection, *_event_names(row), row.sender, context, part, of, form, kind,
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
                setting.number, since, asked, took, lead, flags,
            ))  # fmt: skip
        if len(self._pending) >= _BLOCK:
            self._pack()

    def _start(self, start: str) -> tuple[int, str]:
        """Return what `split_start` does; the starts of recent rows are remembered."""
        if len(self._starts) >= MOST_SETTINGS:
            self._starts.clear()
        found = self._starts[start] = split_start(start)
        return found

    def _pack(self) -> None:
        """Put the rows that wait into columns."""
        if not self._pending:
            return
        columns = list(zip(*self._pending, strict=True))
        for column, numbers in zip(self._columns, columns, strict=True):
            column.add(numbers)
        self.rows += len(self._pending)
        self._pending.clear()
        if self.is_ordered:
            self._check_order(columns[0])

    def _check_order(self, times: Sequence[int]) -> None:
        """Note whether times decrease."""
        if times[0] < self._last_ns or list(times) != sorted(times):
            self.is_ordered = False
        self._last_ns = times[-1]

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
            agreed = self._value(row.agreed)
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
            context=-1 if annotation is None else self._value(annotation.context),
            conversation=None if name is None else self._conversation_of(row, name),
            part_of=None if part is None else tuple(part),
            high=row.offset >> _HIGH,
        )
        made = _Setting(
            number=self._number(setting),
            is_quick=row.file in self._readable and not setting.embedded,
            has_marks=any(
                _may_be(each.split(":"), command, kind)
                for each in self._marked_commands.get(wire.id, ())
            ),
            kept=(getattr(row, "selector", None), getattr(row, "agreed", None)),
        )
        self._settings[key] = made
        return made

    def _number(self, setting: RowSetting) -> int:
        """Return the number of the record of a setting, which rows of many connections share."""
        known = self._numbers.get(setting)
        if known is None:
            if len(self._numbers) >= MOST_SETTINGS:
                self._numbers.clear()
            known = self._numbers[setting] = self._records["settings"].add(tuple(setting))
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

    def _value(self, value: Mapping[str, Any]) -> int:
        """Return the number of the record of a shared value."""
        known = self._shared.get(id(value))
        if known is None:
            if len(self._shared) >= MOST_SETTINGS:
                self._shared.clear()
                self._contents.clear()
            known = self._shared[id(value)] = self._content(value), value
        return known[0]

    def _content(self, value: Mapping[str, Any]) -> int:
        """Return the number of the record of a value that equals this one."""
        try:
            content = marshal.dumps(dict(value), _WITHOUT_REFERENCES)
        except ValueError:
            content = marshal.dumps(plain(value), _WITHOUT_REFERENCES)
        number = self._contents.get(content)
        if number is None:
            number = self._contents[content] = self._records["contexts"].add(plain(value))
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
        self._records["details"].add(out)
        self._details_column.add((self.rows + len(self._pending),))
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
        elif lead is not None and row.file in self._readable:
            if lead >= NO_LEAD:
                out[Detail.LEAD] = lead
            return min(lead, NO_LEAD)
        elif lead is not None:
            out[Detail.LEAD] = lead
        out[Detail.SPOOL] = self._records["spool"].add(bytes(row.data), len(row.data))
        return NO_LEAD

    def _fragment(self, row: FrameRow, whole: Reassembled) -> tuple[Any, ...]:
        """Return what a fragment knows of its frame."""
        parts = row.reassembled or {}
        spooled = {
            name: self._records["spool"].add(part, len(part)) for name, part in parts.items()
        }
        frames = [each for each in whole.frames if each <= row.number]
        return (
            row.piece, row.complete, whole.command, whole.count, frames, dict(whole.sizes),
            whole.reason, spooled,
        )  # fmt: skip

    # Conversations, findings and connections

    def add_conversations(self, conversations: Iterable[Conversation]) -> None:
        """Append conversations, and mark the rows of those that failed."""
        for each in conversations:
            self._records["conversations"].add(packed_conversation(each, self._time, self._value))
            mark = _STATES.get(each.state)
            if mark:
                for turn in (each.request, each.outcome):
                    if turn is not None:
                        self._mark(turn.frame, mark)

    def put_open_conversations(self, conversations: Iterable[Conversation]) -> None:
        """Store the conversations that have not ended, in place of those stored before."""
        found = [packed_conversation(each, self._time, self._value) for each in conversations]
        self._open_version += write_open(self._folder, found)

    def add_findings(self, findings: Iterable[Finding]) -> None:
        """Append findings, and mark the frames that prove them."""
        for each in findings:
            self._records["findings"].add(finding_record(each))
            rank = each.worst.rank + 1
            for frame in each.frames:
                self._mark(frame, rank)

    def add_matches(self, matches: Iterable[tuple[int, RuleMatch]]) -> None:
        """Append matches of rules, each with its frame."""
        for frame, match in matches:
            self._records["matches"].add((frame, *match))

    def add_comments(self, file: int, comments: Iterable[Comment]) -> None:
        """Append comments of a capture."""
        for each in comments:
            self._records["comments"].add((file, each.kind, each.number, each.text))

    def add_news(self, news: Iterable[News]) -> None:
        """Append changes of findings, and mark the frames that prove them.

        A frame of a finding that is withdrawn loses its severity, those of others included.
        """
        for each in news:
            is_withdrawn = each.change is Change.WITHDRAWN
            record = each.number, is_withdrawn, finding_record(each.finding)
            self._records["findings"].add(record)
            for frame in each.finding.frames:
                self._mark(frame, NO_SEVERITY if is_withdrawn else each.finding.worst.rank + 1)

    def add_connections(self, connections: Iterable[tuple[Any, ...]]) -> None:
        """Append connections, as plain values."""
        for each in connections:
            self._records["connections"].add(each)

    def _mark(self, frame: int, mark: int) -> None:
        """Mark the row of a frame with a rank of severity, or a bit."""
        row = self._row(frame)
        known = self._marked.get(row, 0)
        if mark == NO_SEVERITY:
            known &= ~SEVERITY
        elif mark <= SEVERITY:
            mark = max(mark, known & SEVERITY)
            known &= ~SEVERITY
        self._marked[row] = known | mark

    def _row(self, frame: int) -> int:
        """Return the row of a frame, as `row_of_frame` does."""
        return frame - 1 + bisect_left(self._before, frame)

    def _time(self, frame: int) -> int:
        """Return the time in ns of a frame; 0 of one that there is not."""
        if not 1 <= frame <= self.frames:
            return 0
        row = self._row(frame)
        if row >= self.rows:
            time: int = self._pending[row - self.rows][0]
            return time
        return self._columns[0].number(row)

    # Commits

    def commit(self) -> dict[str, Any]:
        """Write everything so far; return the members of `Progress` that say how much it is."""
        for record in self._records.values():
            record.flush()
        self.windows.flush()
        self._pack()
        self._events_column.add(self._events[self._events_column.count :])
        for column in (*self._columns, self._events_column, self._details_column):
            column.flush()
        self._mark_column.add_zeros(self.rows - self._mark_column.count)
        self._write_marks()
        return {
            "rows": self.rows,
            "open_version": self._open_version,
            "frames": self.frames,
            "events": len(self._events),
            "is_ordered": self.is_ordered,
            "windows": self.windows.count,
            "records": {
                name: (each.count, each.blocks, each.size) for name, each in self._records.items()
            },
        }

    def _write_marks(self) -> None:
        for row, mark in sorted(self._marked.items()):
            found = os.pread(self._marks, 1, row)
            known = found[0] if found else 0
            severity = 0 if mark & NO_SEVERITY else max(known & SEVERITY, mark & SEVERITY)
            others = (known | mark) & (FAILED | UNANSWERED)
            os.pwrite(self._marks, bytes([others | severity]), row)
        self._marked.clear()

    def close(self) -> None:
        """Close the files."""
        os.close(self._marks)
        self.windows.close()
        for column in (
            *self._columns, self._events_column, self._details_column, self._mark_column,
        ):  # fmt: skip
            column.close()
        for record in self._records.values():
            record.close()


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


def known_events(folder: Path, count: int) -> list[int]:
    """Return the first so many places of events."""
    column = Column(folder / f"rows.{EVENTS}", "I")
    column.reach(count)
    return list(column.numbers)


def row_of_frame(events: Sequence[int], frame: int) -> int:
    """Return the row of a frame, by its number, given the rows that are events."""
    before = bisect_left(range(len(events)), frame, key=lambda at: events[at] - at)
    return frame - 1 + before


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


def finding_record(finding: Finding) -> tuple[Any, ...]:
    """Return the members of a finding as plain values, those that it also caused included."""
    members = (getattr(finding, each.name) for each in fields(Finding) if each.name != "echoes")
    return *map(plain, members), tuple(map(finding_record, finding.echoes))
