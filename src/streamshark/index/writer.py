"""Writes the rows, conversations and findings of a reading into an index."""

import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from streamshark.capture import Capture
from streamshark.capture.capture import Comment
from streamshark.conversations.conversation import Conversation
from streamshark.dissection.row import Row
from streamshark.findings.finding import Finding
from streamshark.findings.matches import RuleMatch
from streamshark.findings.news import Change, News
from streamshark.index.columns import FAST_LEVEL, LEVEL, Column, ColumnWriter, RecordWriter
from streamshark.index.conversation_records import packed_conversation
from streamshark.index.layout import (
    DETAILS,
    EVENT,
    EVENTS,
    FAILED,
    MARK,
    NO_SEVERITY,
    RECORDS,
    ROWS,
    SEVERITY,
    UNANSWERED,
    IndexProgress,
)
from streamshark.index.open_conversations import write_open
from streamshark.index.plain_values import plain
from streamshark.index.row_packing import RowPacker
from streamshark.index.windows import WindowWriter
from streamshark.protocols.protocol import Protocol

_BLOCK: Final = 1024
"""Rows that are put into columns together."""
_STATES: Final = {"failed": FAILED, "unanswered": UNANSWERED}
"""State of a call to the mark of its rows."""


class IndexWriter(RowPacker):
    """Writer of the files of one index, from where `progress` says that they end."""

    def __init__(
        self, folder: Path, progress: IndexProgress, protocols: Iterable[Protocol] = ()
    ) -> None:
        self._folder = folder
        self._open_version = progress.open_version
        count = progress.rows
        self._records = {
            name: RecordWriter(
                folder / name,
                *progress.records.get(name, ()),
                level=FAST_LEVEL if name == "spool" else LEVEL,
            )
            for name in RECORDS
        }
        super().__init__(self._records, protocols, count)
        self.is_ordered = progress.is_ordered
        """Whether the times of rows have never decreased."""
        self._columns = [
            ColumnWriter(folder / f"rows.{name}", code, count) for name, code in ROWS.items()
        ]
        self.windows = WindowWriter(folder, progress.windows, self._records["readers"])
        self._mark_column = ColumnWriter(folder / f"rows.{MARK}", "B", count)
        self._marks = os.open(folder / "rows.mark", os.O_RDWR | os.O_CLOEXEC)
        self.events = array("I", known_events(folder, progress.events))
        self.before = array("I", (place - at for at, place in enumerate(self.events)))
        self._events_column = ColumnWriter(folder / f"rows.{EVENTS}", "I", progress.events)
        self._details_column = ColumnWriter(
            folder / f"rows.{DETAILS}", "I", self._records["details"].count
        )
        self._marked: dict[int, int] = {}
        """Row to the mark that it gets with the next commit."""
        self._last_ns = 0

    def follow(self, capture: Capture) -> None:
        """Take the packets of a capture, which is about to be read."""
        self.windows.follow(capture)
        if capture.is_file:
            self.readable.add(capture.file)

    # Rows

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows, with their annotations."""
        super().add(rows)
        if len(self.pending) >= _BLOCK:
            self._pack()

    def put(self, numbers: tuple[Any, ...], detail: Mapping[int, Any] | None) -> None:
        """Append a row that was packed elsewhere, with numbers of records of this index."""
        if numbers[-1] & EVENT:
            self.before.append(self.frames)
            self.events.append(self.rows + len(self.pending))
        if detail is not None:
            self._records["details"].add(detail)
            self.note_detail(self.rows + len(self.pending))
        self.pending.append(numbers)
        if len(self.pending) >= _BLOCK:
            self._pack()

    def note_detail(self, row: int) -> None:
        """Note that a row has the detail that was added last."""
        self._details_column.add((row,))

    def _pack(self) -> None:
        """Put the rows that wait into columns."""
        if not self.pending:
            return
        columns = list(zip(*self.pending, strict=True))
        for column, numbers in zip(self._columns, columns, strict=True):
            column.add(numbers)
        self.rows += len(self.pending)
        self.pending.clear()
        if self.is_ordered:
            self._check_order(columns[0])

    def _check_order(self, times: Sequence[int]) -> None:
        """Note whether times decrease."""
        if times[0] < self._last_ns or list(times) != sorted(times):
            self.is_ordered = False
        self._last_ns = times[-1]

    # Conversations, findings and connections

    def add_conversations(self, conversations: Iterable[Conversation]) -> None:
        """Append conversations, and mark the rows of those that failed."""
        for each in conversations:
            self._records["conversations"].add(packed_conversation(each, self._time, self.value))
            mark = _STATES.get(each.state)
            if mark:
                for turn in (each.request, each.outcome):
                    if turn is not None:
                        self._mark(turn.frame, mark)

    def put_open_conversations(self, conversations: Iterable[Conversation]) -> None:
        """Store the conversations that have not ended, in place of those stored before."""
        found = [packed_conversation(each, self._time, self.value) for each in conversations]
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
        return frame - 1 + bisect_left(self.before, frame)

    def _time(self, frame: int) -> int:
        """Return the time in ns of a frame; 0 of one that there is not."""
        if not 1 <= frame <= self.frames:
            return 0
        row = self._row(frame)
        if row >= self.rows:
            time: int = self.pending[row - self.rows][0]
            return time
        return self._columns[0].number(row)

    # Commits

    def commit(self) -> dict[str, Any]:
        """Write everything so far; return the members of `Progress` that say how much it is."""
        for record in self._records.values():
            record.flush()
        self.windows.flush()
        self._pack()
        self._events_column.add(self.events[self._events_column.count :])
        for column in (*self._columns, self._events_column, self._details_column):
            column.flush()
        self._mark_column.add_zeros(self.rows - self._mark_column.count)
        self._write_marks()
        return {
            "rows": self.rows,
            "open_version": self._open_version,
            "frames": self.frames,
            "events": len(self.events),
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


def known_events(folder: Path, count: int) -> list[int]:
    """Return the first so many places of events."""
    column = Column(folder / f"rows.{EVENTS}", "I")
    column.reach(count)
    return list(column.numbers)


def row_of_frame(events: Sequence[int], frame: int) -> int:
    """Return the row of a frame, by its number, given the rows that are events."""
    before = bisect_left(range(len(events)), frame, key=lambda at: events[at] - at)
    return frame - 1 + before


def finding_record(finding: Finding) -> tuple[Any, ...]:
    """Return the members of a finding as plain values, those that it also caused included."""
    members = (getattr(finding, each.name) for each in fields(Finding) if each.name != "echoes")
    return *map(plain, members), tuple(map(finding_record, finding.echoes))
