"""Reading an index: any row, packet, conversation or finding at once.

An index may still grow while it is read: `Index.grew` makes visible what was written since.
"""

import marshal
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, cast

from streamshark.conversations.conversation import (
    NOTHING,
    Annotation,
    Conversation,
    DerivedValue,
    Name,
    split_start,
)
from streamshark.conversations.follow import parsed
from streamshark.conversations.summary import turn_of
from streamshark.conversations.tables import Derived
from streamshark.dissection.row import (
    ConnectionRecord,
    EventRow,
    FragmentState,
    FrameRow,
    Reassembled,
    Row,
    restored_frame,
)
from streamshark.dissector import KnownProtocols
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding
from streamshark.findings.matches import RuleMatch, RuleMatches
from streamshark.flows.segment import Flow
from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.framing.wire_format import FrameTable, Selector
from streamshark.index.columns import Column, IndexDamageError, Records
from streamshark.index.conversation_records import unpacked_conversation
from streamshark.index.layout import (
    CARRIES,
    DAMAGED,
    DETAILED,
    DETAILS,
    EVENT,
    EVENTS,
    FAILED,
    FAR,
    FORMAT,
    LONG_TIME,
    MARK,
    NO_CONTEXT,
    NO_LEAD,
    RECORDS,
    ROWS,
    SEVERITY,
    SIDE,
    UNANSWERED,
    Detail,
    IndexProgress,
    RowSetting,
    read_json,
    read_progress,
)
from streamshark.index.open_conversations import read_open
from streamshark.index.row_packing import unpacked_numbers
from streamshark.index.windows import CaptureChangedError, StoredPacket, Windows
from streamshark.index.writer import row_of_frame
from streamshark.schema.problems import Problem, ProblemCode

_CODES: Final = {each.word: each for each in ProblemCode}
MOST_CACHED: Final = 16_384
"""Most settings, and connections, that are kept in memory."""
_SEVERITIES: Final = (None, "chat", "note", "warning", "error")


class RowHead(NamedTuple):
    """What the columns say of a row, without its bytes."""

    row: int
    """Place among all rows, 0-based."""
    frame: int | None
    """Number of the frame, 1-based; None for an event."""
    time_ns: int
    file: int
    packet: int
    """Number of the packet that completed it."""
    flow: int
    side: int
    """Side of the flow that sent it, 0 or 1."""
    sender: str | None
    """`client`, `server` or `peer`; None if it is not proved."""
    protocol: str
    """Id of the protocol, or source of the event."""
    command: str | None
    """Name of the command, `_response` after that of a response, or of the event."""
    kind: str | None
    """`request`, `response`, `command` or `event`; None if unknown."""
    length: int
    conversation: str | None
    """Id of its conversation."""
    request: int | None
    """Number of the frame that it answers."""
    is_damaged: bool
    """Whether it has problems."""
    is_failed: bool
    """Whether it belongs to a call that failed."""
    is_unanswered: bool
    """Whether it is a request that was never answered."""
    severity: str | None
    """The worst severity of the findings that it proves."""


class IndexedConnection(NamedTuple):
    """A TCP connection of the captures."""

    flow: int
    addresses: tuple[str, str]
    """`address:port` of side 0 and side 1."""
    ports: tuple[int, int]
    client: int | None
    """Side of the client; None if it is not proved."""
    first_file: int
    first_packet: int
    """Number of its first packet, in that file."""
    packets: int
    payload: int
    """Captured bytes of payload, both sides."""
    repeated: int
    """Bytes of payload that were there before."""
    protocol: str | None
    """Id of its protocol; None if it was not recognised."""
    carrier: str | None
    """Id of the carrier between TCP and the protocol."""
    reason: str
    """Why it is taken for that protocol."""
    agreed: Mapping[str, Any]
    """Negotiated values, by name."""
    lost: int
    """Bytes that are not in the capture."""


class IndexedFinding(NamedTuple):
    """A finding, and where its evidence is."""

    number: int
    """Place among the findings of the index."""
    finding: Finding
    rows: tuple[int, ...]
    """Rows of its frames, the guilty one first."""


class IndexedComment(NamedTuple):
    """A comment in a capture."""

    file: int
    kind: str
    """`section`, `interface` or `packet`."""
    number: int
    """Number of the packet, 1-based; of section and interface 0-based."""
    text: str


class CommandStatistics(NamedTuple):
    """Counts and response times of the frames of one command."""

    protocol: str
    command: str | None
    kind: str | None
    frames: int
    size: int
    """Bytes of the frames."""
    failed: int
    """Frames of calls that failed."""
    times_ns: Sequence[int]
    """Response times in ns, sorted."""


class Index(Sequence[Row]):
    """The rows of captures, by place: `index[n]` is read without reading others.

    A row is as a session makes it, with bytes, decoder, negotiated values and annotation; views
    mask its secrets as ever. It has no derived values but those that lines show. Reading one raises
    `CaptureChangedError` if its capture has changed since, and `IndexDamageError` if the index is
    damaged.
    """

    def __init__(self, folder: Path, known: KnownProtocols) -> None:
        """Open the index in a folder; `known` are the protocols with which it was made.

        Raises:
            IndexDamageError: There is no index, or one of another version.
        """
        self.folder = folder
        self.known = known
        about = read_json(folder / "index.json")
        if about.get("streamshark index") != FORMAT:
            raise IndexDamageError(f"{folder}: not an index of this version")
        self.names: list[str] = list(about["names"])
        """Names of the captures, by file number."""
        self.progress = IndexProgress()
        """How far the index is: what of it is used."""
        self.columns = {name: Column(folder / f"rows.{name}", code) for name, code in ROWS.items()}
        """The columns of the rows, by name (`index.layout.ROWS`): sequences of numbers."""
        self._marks = Column(folder / f"rows.{MARK}", "B")
        self._events = Column(folder / f"rows.{EVENTS}", "I")
        self._detailed = Column(folder / f"rows.{DETAILS}", "I")
        self._records = {name: Records(folder / name) for name in RECORDS}
        self._windows = Windows(folder, self.names, self._records["readers"])
        self._settings: dict[int, RowSetting] = {}
        self._announced: dict[int, int] = {}
        """Number under which a live finding was announced, to the number of its last record."""
        self._news_read = 0
        self._restorer = _Restorer(self, known)
        self.grew()

    # How far it is

    def grew(self) -> bool:
        """Make visible what was written since; return whether there are more rows, or other news.

        Raises:
            IndexDamageError: The index is damaged, or was removed.
        """
        while True:
            progress = read_progress(self.folder)
            if progress == self.progress:
                return False
            try:
                self._reach(progress)
            except IndexDamageError:
                if progress == read_progress(self.folder):
                    raise
                continue  # another process continues it from an earlier place
            self.progress = progress
            return True

    def _reach(self, progress: IndexProgress) -> None:
        """Use what was written up to here."""
        known = self.progress
        if (progress.builder, progress.beginnings) != (known.builder, known.beginnings):
            self._reopen()
        for column in self.columns.values():
            column.reach(progress.rows)
        self._marks.reach(progress.rows)
        self._events.reach(progress.events)
        self._detailed.reach(progress.records.get("details", (0,))[0])
        for name, record in self._records.items():
            record.reach(*progress.records.get(name, (0, 0, 0)))
        self._windows.reach(progress.windows)

    def _reopen(self) -> None:
        """Forget what was read: another process continues the index, or has made it again."""
        for record in self._records.values():
            record.reopen()
        for column in (*self.columns.values(), self._marks, self._events, self._detailed):
            column.reach(0)
        self._windows.reopen()
        self._settings.clear()
        self._announced.clear()
        self._news_read = 0
        self._restorer = _Restorer(self, self.known)

    @property
    def is_complete(self) -> bool:
        """Whether the captures were read to their end."""
        return self.progress.state == "complete"

    @property
    def frames(self) -> int:
        """Number of frames: rows that are no events."""
        return self.progress.frames

    @property
    def started_ns(self) -> int | None:
        """Time in ns of the first packet; None if there is none."""
        return self.progress.started_ns

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read of the captures, or why the building stopped, a sentence each."""
        stopped = (self.progress.reason,) if self.progress.state == "stopped" else ()
        return *stopped, *self.progress.problems

    # Rows

    def __len__(self) -> int:
        return self.progress.rows

    def __getitem__(self, row: Any) -> Any:  # noqa: ANN401 - as of any sequence
        """Return a row, or a list of rows for a slice."""
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self._restorer.row(row)

    def head(self, row: int) -> RowHead:
        """Return what the columns say of a row, without reading its bytes."""
        columns, setting = self.columns, self.setting(self.columns["setting"][row])
        flags, mark = columns["flags"][row], self._marks[row]
        name = self.name(row, setting)
        return RowHead(
            row=row,
            frame=None if flags & EVENT else self.frame_of_row(row),
            time_ns=columns["time"][row],
            file=setting.file,
            packet=columns["packet"][row],
            flow=columns["flow"][row],
            side=flags & SIDE,
            sender=setting.sender,
            protocol=setting.protocol,
            command=setting.command,
            kind=setting.kind,
            length=columns["length"][row],
            conversation=None if name is None else str(name),
            request=self.request(row),
            is_damaged=bool(flags & DAMAGED),
            is_failed=bool(mark & FAILED),
            is_unanswered=bool(mark & UNANSWERED),
            severity=_SEVERITIES[min(mark & SEVERITY, 4)],
        )

    def name(self, row: int, setting: RowSetting) -> Name | None:
        """Return the name of the conversation of a row; None without one."""
        if setting.conversation is None:
            return None
        flow, start, kind, first = setting.conversation
        columns = self.columns
        if flow is None:
            flow = columns["flow"][row]
        return Name(
            flow, start.format(first or columns["packet"][row] - columns["since"][row]), kind
        )

    def request(self, row: int) -> int | None:
        """Return the number of the frame that a row answers; None if it answers none."""
        since = self.columns["asked"][row]
        if since == FAR:
            number: int | None = self.detail(row).get(Detail.REQUEST)
            return number
        return self.frame_of_row(row) - since if since else None

    def answer(self, frame: int) -> int | None:
        """Return the first row that answers a frame; None without one."""
        row = self.row_of_frame(frame)
        if row is None:
            return None
        asked, flags = self.columns["asked"].numbers, self.columns["flags"].numbers
        number = frame
        for at in range(row + 1, len(self)):
            number += not flags[at] & EVENT
            since = number - frame
            if since >= FAR:
                break
            if asked[at] == since and since:
                return at
        far = self.columns["asked"].places(FAR, row)
        return next((at for at in far if self.detail(at).get(Detail.REQUEST) == frame), None)

    def setting(self, number: int) -> RowSetting:
        """Return what the rows with a number in the column `setting` have in common."""
        found = self._settings.get(number)
        if found is None:
            if len(self._settings) >= MOST_CACHED:
                self._settings.clear()
            found = self._settings[number] = RowSetting(*self._records["settings"][number])
        return found

    def settings(self, wanted: Callable[[RowSetting], bool]) -> frozenset[int]:
        """Return the numbers of the settings that are wanted, to look for in the column."""
        count = len(self._records["settings"])
        return frozenset(each for each in range(count) if wanted(self.setting(each)))

    def row_of_frame(self, frame: int) -> int | None:
        """Return the place of a frame, by its number; None if there is none yet."""
        if not 1 <= frame <= self.frames:
            return None
        return row_of_frame(self._events.numbers, frame)

    def frame_of_row(self, row: int) -> int:
        """Return the number of the frame at a place; at an event, of the last frame before it."""
        return row + 1 - bisect_right(self._events.numbers, row)

    def row_at(self, time_ns: int) -> int:
        """Return the first row that is not before a time; the number of rows if all are."""
        times = self.columns["time"].numbers
        if self.progress.is_ordered:
            return bisect_left(times, time_ns)
        return next((at for at, each in enumerate(times) if each >= time_ns), len(self))

    def rows_of_packet(self, file: int, packet: int) -> list[int]:
        """Return the rows that a packet completed."""
        return [at for at in self.columns["packet"].places(packet) if self.file(at) == file]

    def file(self, row: int) -> int:
        """Return the number of the file with the packet that completed a row."""
        return self.setting(self.columns["setting"][row]).file

    @property
    def marks(self) -> Sequence[int]:
        """What became known of rows later: bits of `index.layout` (`SEVERITY`, `FAILED`, ...)."""
        return self._marks.numbers

    def rows_of_flow(self, flow: int) -> Iterator[int]:
        """Yield the rows of a connection, in order."""
        return self.columns["flow"].places(flow)

    def rows_of_conversation(self, name: str) -> Iterator[int]:
        """Yield the rows of a conversation, by its id, in order.

        Those of a connection are all rows of it; those of an object include those of its calls.
        """
        known = parsed(name)
        if known is None:
            return iter(())
        if known.type in self._connection_types:
            return self.rows_of_flow(known.flow)
        return self._rows_of_conversation(known)

    def _rows_of_conversation(self, name: Name) -> Iterator[int]:
        first, form = split_start(name.start)
        own = self.settings(lambda each: _may_name(each, name, form, first))
        parts = self.settings(lambda each: each.part_of == tuple(name))
        settings = self.columns["setting"].numbers
        for at in range(next(self.columns["packet"].places(first), 0), len(self)):
            number = settings[at]
            if (number in own and self.name(at, self.setting(number)) == name) or number in parts:
                yield at

    @cached_property
    def _connection_types(self) -> frozenset[str]:
        from streamshark.conversations.follow import types_of_connections  # noqa: PLC0415 - late

        return types_of_connections(each.conversations for each in self.known.protocols)

    # Packets

    def packet(self, file: int, number: int) -> StoredPacket | None:
        """Return a packet by its number; None if its capture cannot be read again (compressed)."""
        return self._windows.packet(file, number)

    def packets(self, row: int) -> list[StoredPacket]:
        """Return the packets that carried a row, as far as they can be read again."""
        file = self.file(row)
        found = (self.packet(file, each) for each in self.packet_numbers(row))
        return [each for each in found if each is not None]

    def packet_numbers(self, row: int) -> Sequence[int]:
        """Return the numbers of the packets that carried a row."""
        last: int = self.columns["packet"][row]
        packed = self.detail(row).get(Detail.PACKETS)
        return [last] if packed is None else unpacked_numbers(packed, last)

    def detail(self, row: int) -> Mapping[int, Any]:
        """Return what is particular to a row, by the keys of `Detail`."""
        if not self.columns["flags"][row] & DETAILED:
            return {}
        number = bisect_left(self._detailed.numbers, row)
        found: Mapping[int, Any] = self._records["details"][number]
        return found

    def spooled(self, number: int) -> bytes:
        """Return bytes that no capture has as they are."""
        data: bytes = self._records["spool"][number]
        return data

    def context(self, number: int) -> Mapping[str, Any]:
        """Return a record of negotiated values, or of facts of a conversation.

        Raises:
            IndexDamageError: It cannot be read.
        """
        try:
            found = marshal.loads(self._records["contexts"][number])  # noqa: S302 - a file of the user's own
        except (ValueError, EOFError, TypeError) as error:
            raise IndexDamageError(f"{self.folder}: context {number} is damaged: {error}") from None
        return cast("Mapping[str, Any]", found)

    # Conversations, findings and connections

    @property
    def conversation_count(self) -> int:
        """Number of the conversations that have ended so far."""
        return len(self._records["conversations"])

    def conversation(self, number: int) -> Conversation:
        """Return a conversation by its place, in the order in which they ended."""
        return self._conversation(self._records["conversations"][number])

    def conversations(self) -> Iterator[Conversation]:
        """Yield the conversations that have ended so far, in that order."""
        return map(self._conversation, self._records["conversations"])

    def open_conversations(self) -> list[Conversation]:
        """Return the conversations of a live capture that have not ended, as far as it was read."""
        if not self.progress.is_live or self.is_complete:
            return []
        found = map(self._conversation, read_open(self.folder))
        return [each for each in found if each.last_frame <= self.frames]

    def _conversation(self, record: Sequence[Any]) -> Conversation:
        return unpacked_conversation(record, self._time, self._text)

    def _text(self, frame: int, context: int) -> str:
        """Return the summary of a frame; empty if its bytes are gone."""
        row = self.row_of_frame(frame)
        try:
            turn = None if row is None else turn_of(self[row], self.context(context))
        except (StreamsharkError, OSError):
            return ""
        return "" if turn is None else turn.text

    def _time(self, frame: int) -> int:
        """Return the time in ns of a frame; 0 of one that there is not."""
        row = self.row_of_frame(frame)
        time: int = 0 if row is None else self.columns["time"][row]
        return time

    @property
    def finding_count(self) -> int:
        """Number of the findings so far; a live index may withdraw some."""
        return len(self._findings())

    @property
    def finding_changes(self) -> int:
        """Number of the findings so far, and of their changes in a live index."""
        return len(self._records["findings"])

    def finding(self, number: int) -> IndexedFinding:
        """Return a finding by its place among the findings so far."""
        record = self._records["findings"][self._findings()[number]]
        finding = _finding(record[2] if self.progress.is_live else record)
        rows = (self.row_of_frame(each) for each in finding.frames)
        return IndexedFinding(number, finding, tuple(each for each in rows if each is not None))

    def _findings(self) -> Sequence[int]:
        """Return the numbers of the records of the findings so far."""
        records = self._records["findings"]
        if not self.progress.is_live:
            return range(len(records))
        for at in range(self._news_read, len(records)):
            number, is_withdrawn, _ = records[at]
            if is_withdrawn:
                self._announced.pop(number, None)
            else:
                self._announced[number] = at
        self._news_read = len(records)
        return list(self._announced.values())

    def findings(self) -> Iterator[IndexedFinding]:
        """Yield the findings so far."""
        return map(self.finding, range(self.finding_count))

    def matches(self) -> RuleMatches:
        """Return the matches of rules so far, of findings that are yet to be added."""
        found = RuleMatches()
        for frame, *match in self._records["matches"]:
            found.add(frame, RuleMatch(*match))
        return found

    def comments(self) -> Iterator[IndexedComment]:
        """Yield the comments of the captures so far."""
        return (IndexedComment(*each) for each in self._records["comments"])

    @property
    def comment_count(self) -> int:
        """Number of the comments so far."""
        return len(self._records["comments"])

    def connections(self) -> list[IndexedConnection]:
        """Return the connections so far, recognised or not, by flow number."""
        return list(map(self.connection, range(self.progress.flows)))

    def connection(self, flow: int) -> IndexedConnection:
        """Return a connection by its flow number."""
        records, flows = self._records["connections"], self.progress.flows
        # Once all was read, they are there a second time, with what became known of them later.
        first = len(records) - flows if len(records) >= 2 * flows else 0
        return IndexedConnection(*records[first + flow])

    def statistics(self) -> list[CommandStatistics]:
        """Return counts and response times by protocol and command; reads the columns once."""
        counts: dict[tuple[str, str | None, str | None], list[Any]] = {}
        of: dict[int, list[Any]] = {}
        columns = self.columns
        for setting, length, took, mark in zip(
            columns["setting"].numbers, columns["length"].numbers, columns["took"].numbers,
            self._marks.numbers, strict=True,
        ):  # fmt: skip
            found = of.get(setting)
            if found is None:
                known = self.setting(setting)
                key = known.protocol, known.command, known.kind
                found = of[setting] = counts.setdefault(key, [0, 0, 0, array("I")])
            found[0] += 1
            found[1] += length
            found[2] += mark & FAILED != 0
            if took < LONG_TIME:
                found[3].append(took)
        self.release()
        return [
            CommandStatistics(*key, frames, size, failed, array("I", sorted(times)))
            for key, (frames, size, failed, times) in counts.items()
        ]

    # Resources

    def release(self) -> None:
        """Give back memory after a search through columns."""
        for each in (*self.columns.values(), self._marks):
            each.release()

    def close(self) -> None:
        """Close the files."""
        self._windows.close()
        for each in self._records.values():
            each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class _Restorer:
    """Makes rows of what an index has of them."""

    def __init__(self, index: Index, known: KnownProtocols) -> None:
        self.index = index
        self._tables = {each.wire.id: each for each in known.tables}
        self._carriers = {each.id: each for each in known.carriers}
        self._derived = {
            each.wire.id: {one.name: one for one in each.conversations if isinstance(one, Derived)}
            for each in known.protocols
        }
        self._connections: dict[tuple[Any, ...], ConnectionRecord] = {}
        self._flows: dict[int, Flow] = {}

    def row(self, at: int) -> Row:
        """Return a row."""
        index, columns = self.index, self.index.columns
        setting = index.setting(columns["setting"][at])
        detail = index.detail(at)
        flags = columns["flags"][at]
        offset = setting.high << 32 | columns["offset"][at]
        packets = index.packet_numbers(at)
        place = columns["time"][at], setting.file, columns["packet"][at]
        problems = [Problem(_CODES[word], *rest) for word, *rest in detail.get(Detail.PROBLEMS, ())]
        connection = self._connection(setting, columns["flow"][at])
        side = flags & SIDE
        row: Row
        if flags & EVENT:
            row = EventRow.restored(
                connection, side, offset,
                PacketRef(packets, place, detail.get(Detail.LEAD)), setting.command or "",
                dict(detail.get(Detail.FIELDS, {})), protocol=setting.protocol,
                sender=setting.sender, problems=problems,
            )  # fmt: skip
        else:
            row = self._frame(
                at, setting, detail, connection, side, offset, packets, place, problems
            )
        self._annotate(row, at, setting, detail)
        return row

    def _frame(  # noqa: PLR0913, PLR0917 - what a row has
        self,
        at: int,
        setting: RowSetting,
        detail: Mapping[int, Any],
        connection: ConnectionRecord,
        side: int,
        offset: int,
        packets: Sequence[int],
        place: tuple[int, int, int],
        problems: Sequence[Problem],
    ) -> FrameRow:
        index = self.index
        table = connection.table
        decoder = table.all[setting.decoder] if setting.decoder >= 0 else None
        selector = None if setting.selector is None else Selector(*setting.selector)
        carrier = None
        if Detail.CARRIER in detail:
            outer = index.row_of_frame(detail[Detail.CARRIER][0])
            found = None if outer is None else index[outer]
            carrier = found if isinstance(found, FrameRow) else None
        stored: int | None = index.columns["lead"][at]
        lead = (
            detail.get(Detail.LEAD, stored) if stored != NO_LEAD or Detail.LEAD in detail else None
        )
        data = self._data(at, detail, carrier, packets, lead)
        cut = RawFrame(offset, data, PacketRef(packets, place, lead), selector, None)
        return restored_frame(
            connection, side, cut, decoder, problems,
            number=index.frame_of_row(at),
            sender=setting.sender,
            agreed=dict(index.context(setting.agreed)) if setting.agreed >= 0 else {},
            carrier=carrier,
            is_carrier=bool(index.columns["flags"][at] & CARRIES),
            fragment=self._fragment(detail),
        )  # fmt: skip

    def _data(
        self,
        at: int,
        detail: Mapping[int, Any],
        carrier: FrameRow | None,
        packets: Sequence[int],
        lead: int | None,
    ) -> bytes:
        """Return the bytes of a frame.

        Raises:
            CaptureChangedError: They are no longer in the capture.
        """
        index, length = self.index, self.index.columns["length"][at]
        if Detail.SPOOL in detail:
            return index.spooled(detail[Detail.SPOOL])
        if carrier is not None:
            start = detail[Detail.CARRIER][1]
            return carrier.data[start : start + length]
        found = [index.packet(index.file(at), each) for each in packets]
        payload = b"".join([each.payload for each in found if each is not None])
        data = payload[lead or 0 : (lead or 0) + length]
        if len(data) != length:
            name = index.names[index.file(at)]
            raise CaptureChangedError(f"{name}: packet {packets[0]} is not as it was")
        return data

    def _fragment(self, detail: Mapping[int, Any]) -> FragmentState | None:
        found = detail.get(Detail.FRAGMENT)
        if found is None:
            return None
        piece, complete, command, count, frames, sizes, reason, spooled = found
        parts = {name: self.index.spooled(number) for name, number in spooled.items()}
        whole = Reassembled.restored(
            command, count=count, frames=frames, sizes=sizes, parts=parts, reason=reason
        )
        return FragmentState(piece, complete, whole)

    def _annotate(self, row: Row, at: int, setting: RowSetting, detail: Mapping[int, Any]) -> None:
        """Add what the analysis has found out about a row."""
        columns = self.index.columns
        context = columns["context"][at]
        if context == NO_CONTEXT:
            return
        name = self.index.name(at, setting)
        took: int | None = columns["took"][at]
        if took is not None and took >= LONG_TIME:
            took = detail.get(Detail.TOOK) if took == LONG_TIME else None
        row.annotate(
            Annotation(
                name,
                self.index.context(context) or NOTHING,
                self.index.request(at),
                took,
                part_of=None if setting.part_of is None else Name(*setting.part_of),
                answers=detail.get(Detail.ANSWERS, ()),
            )
        )
        tables = self._derived.get(setting.wire, {})
        derived = detail.get(Detail.DERIVED, ())
        row.derive(tuple(DerivedValue(tables[each], *rest) for each, *rest in derived))

    def _connection(self, setting: RowSetting, number: int) -> ConnectionRecord:
        """Return the connection of a row, by its flow number."""
        key = (
            number,
            setting.wire,
            setting.dialect,
            setting.bare,
            setting.carrier,
            setting.embedded,
        )
        found = self._connections.get(key)
        if found is None:
            if len(self._connections) >= MOST_CACHED:
                self._connections.clear()
                self._flows.clear()
            flow, table = self._flow(number), self._table(setting)
            known = self.index.connection(number)
            if setting.embedded:
                outer = self._tables[known.protocol or setting.wire]
                found = ConnectionRecord(flow, outer, known.reason).nested(table)
            else:
                carrier = self._carriers.get(setting.carrier or "")
                found = ConnectionRecord(flow, table, known.reason, carrier)
            self._connections[key] = found
        return found

    def _flow(self, number: int) -> Flow:
        found = self._flows.get(number)
        if found is None:
            known = self.index.connection(number)
            found = self._flows[number] = Flow(
                number, known.addresses, known.ports, known.client, known.first_packet,
                known.first_file, known.packets, known.payload, known.repeated,
            )  # fmt: skip
        return found

    def _table(self, setting: RowSetting) -> FrameTable:
        """Return the frame table with which a row was read.

        Raises:
            IndexDamageError: The protocol is not known any more.
        """
        own = self._tables.get(setting.wire)
        if own is None:
            raise IndexDamageError(f"{self.index.folder}: protocol {setting.wire} is not known")
        if (own.dialect, own.bare) == (setting.dialect, setting.bare):
            return own
        return own.wire.table(setting.dialect, bare=setting.bare)


def _may_name(setting: RowSetting, name: Name, form: str, first: int) -> bool:
    """Return whether rows of a setting may be of a conversation."""
    if setting.conversation is None:
        return False
    flow, start, kind, packet = setting.conversation
    return (start, kind) == (form, name.type) and flow in (None, name.flow) and packet in (0, first)


def _finding(record: Sequence[Any]) -> Finding:
    names = [each.name for each in fields(Finding) if each.name != "echoes"]
    *members, echoes = record
    return Finding(**dict(zip(names, members, strict=True)), echoes=tuple(map(_finding, echoes)))
