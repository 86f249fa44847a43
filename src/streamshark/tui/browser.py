"""An index as the screens show it: rows without secrets, their lines, fields and neighbours."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final
from typing import Protocol as Interface

from streamshark.conversations.units import counted
from streamshark.decoding.payloads import EmbeddedRecord, Format, PayloadReaders
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.filters.completion import Completion, complete
from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter
from streamshark.filters.other_rows import COMMENT
from streamshark.filters.predicate import EVENTS, RowKind
from streamshark.filters.row_fields import RowFields
from streamshark.findings.rule import family
from streamshark.index.columns import IndexDamageError
from streamshark.index.layout import UNANSWERED
from streamshark.index.reader import Index
from streamshark.tui.comments import PacketComments, Place
from streamshark.tui.derived import FEW_ROWS, DerivedValues
from streamshark.tui.derived import MOST_ROWS as MOST_DERIVED
from streamshark.tui.details import Details
from streamshark.tui.entry import Verdict
from streamshark.tui.pieces import PiecePalette
from streamshark.views.display_options import BODIES, DisplayOptions
from streamshark.views.escaping import printable
from streamshark.views.fields_output import FieldRows, Layout
from streamshark.views.findings import MARKS
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.text import TextRows
from streamshark.views.times import STYLES, Clock
from streamshark.views.tree_nodes import Subtrees

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation, DerivedValue
    from streamshark.findings.finding import Finding
    from streamshark.findings.matches import RuleMatches
    from streamshark.framing.wire_format import WireFormat

MOST_ROWS: Final = 2048
"""Most rows that are kept decoded."""
CHAT: Final = "chat"
EVENT: Final = "event"
TIME_STYLES: Final = tuple(each for each in STYLES if each not in ("d", "dd"))
"""Formats of times, by their names in `-t`: those that do not depend on the row before."""
ANSWER_FIELDS: Final = "answer."
ANSWER_MISSING: Final = "answer.missing"
SENT: Final = {"client": "→", "server": "←", "peer": "↔", "": "·"}
"""Sender of a row to the mark of its direction, seen from the client."""
MADE_AGAIN: Final = "this row is gone: the index is made again"
NO_PLACE: Final = (-1, 0)
"""Place of a row that is gone."""
NOTHING: Final = "no row can satisfy this filter: a row is one frame, of one command"


class Captures(Interface):
    """The index of captures: `IndexedCaptures`."""

    @property
    def index(self) -> Index:
        """The index."""

    @property
    def reason(self) -> str:
        """Why the index is not complete although no process builds it; empty if it is."""


class Browser:
    """The rows of an index, as panes show them.

    `formats` are those of bodies whose fields filters may name; `macros` replaces macros in a
    filter; secrets are masked unless `show_secrets`.
    """

    def __init__(
        self,
        captures: Captures,
        formats: tuple[Format, ...],
        *,
        show_secrets: bool = False,
        macros: Callable[[str], str] = str,
    ) -> None:
        self.captures = captures
        self.index = index = captures.index
        self._damage = ""
        """Why the index cannot be read any further; empty if it can."""
        self.show_secrets = show_secrets
        self.known = index.known
        self.layers = index.known.layers
        self.files = [printable(each) for each in index.names]
        self.time_style = "r"
        """One of `times.STYLES`."""
        self._macros = macros
        self._mask = SecretMask(self.layers)
        self._bodies = PayloadTree(self.layers, BODIES[0])
        self._subtrees = Subtrees()
        self._rows: OrderedDict[int, Row] = OrderedDict()
        records = (each for each in self.layers.readers if isinstance(each, EmbeddedRecord))
        embedded = PayloadReaders(records)
        palette = PiecePalette()
        self._paint = palette.paint
        self._lines = TextRows(Clock("r"), palette, secrets=show_secrets, layers=embedded)
        self.fields = Fields(
            self.known.protocols, self.layers, index.names, formats, self._plain_info(embedded)
        )
        self.comments = PacketComments(index)
        self._derived = DerivedValues(index)
        self._found: tuple[int, dict[int, list[tuple[str, str]]]] = (-1, {})
        """Number of findings, and severity and rule of those of each row."""
        self._filter: Filter | None = None
        self._learned: tuple[object, ...] = ()
        """What was known of other rows when the filter was chosen."""
        self._possible: dict[int, bool] = {}
        """Setting of rows to whether one of them can satisfy the filter."""
        self._columns: dict[str, FieldRows] = {}
        self._clocks: dict[int | None, Clock] = {}
        self._conversation: tuple[str, int, list[int]] = ("", 0, [])
        """Id of the conversation that was last asked for, rows of the index then, and its rows."""

    def _plain_info(self, layers: PayloadReaders) -> Callable[[Row], str]:
        from streamshark.views.colour import Palette  # noqa: PLC0415 - for one field

        lines = TextRows(Clock("r"), Palette(enabled=False), layers=layers)

        def info(row: Row) -> str:
            return (
                lines.frame(row, annotated=False) if isinstance(row, FrameRow) else lines.event(row)
            )

        return info

    # The index

    @property
    def title(self) -> str:
        """The names of the captures."""
        first = self.files[0] if self.files else ""
        return first if len(self.files) < 2 else f"{first} and {len(self.files) - 1} more"  # noqa: PLR2004 - several

    @cached_property
    def short_names(self) -> Mapping[str, str]:
        """Short names of protocols, by id."""
        return {each.wire.id: each.wire.short for each in self.known.protocols}

    @property
    def total(self) -> int:
        """Number of rows so far."""
        return len(self.index)

    @property
    def is_complete(self) -> bool:
        """Whether the captures were read to their end."""
        return self.index.is_complete

    def refresh(self) -> bool:
        """Take what was written into the index; return whether that is anything."""
        try:
            return self.index.grew()
        except IndexDamageError as error:
            self._damage = str(error)
            return False

    def progress(self) -> str:
        """Return how far the index is, or what could not be read."""
        progress = self.index.progress
        if self._damage or self.captures.reason:
            return self._damage or self.captures.reason
        if not self.is_complete:
            size = progress.size
            if progress.is_live:
                return ", ".join(["live", *self.index.problems[-1:]])
            share = f" {min(100 * progress.read // size, 99)} %" if size else ""
            return f"indexing{share}"
        return self.index.problems[0] if self.index.problems else ""

    def nothing(self) -> str:
        """Return why there are no rows, and what to do."""
        index, progress = self.index, self.index.progress
        if not self.is_complete:
            read = f"{counted(progress.packets, 'packet')} read, without a frame so far."
            return f"Waiting for frames: {read}" if progress.is_live else read
        if not progress.packets:
            return "The captures have no packets."
        found = [each for each in index.connections() if each.payload]
        if not found:
            return f"No TCP payload in {counted(progress.packets, 'packet')}."
        size = sum(each.payload for each in found)
        several = counted(len(found), "connection")
        names = ", ".join(sorted(each.wire.id for each in self.known.protocols))
        return (
            f"No frame of a known protocol in {several} with {size:,} bytes; the Connections screen"
            " lists them, and the Findings screen says more.\n\n"
            "If a server listens at another port, start with -d tcp.port==PORT,PROTOCOL; PROTOCOL"
            f" is one of {names}.\nIf connections are encrypted, -o tls.keylog_file:FILE decrypts"
            " TLS."
        )

    @property
    def is_live(self) -> bool:
        """Whether the captures were still being written when they were read."""
        return self.index.progress.is_live

    # Rows

    def original(self, at: int) -> Row:
        """Return a row with its secrets.

        Raises:
            StreamsharkError: Its bytes cannot be read any more.
        """
        try:
            row: Row = self.index[at]
        except IndexError:
            raise StreamsharkError(MADE_AGAIN) from None
        return row

    def row(self, at: int) -> Row:
        """Return a row as it may be shown.

        Raises:
            StreamsharkError: As `original`.
        """
        row = self._rows.get(at)
        if row is None:
            row = self.original(at)
            if not self.show_secrets:
                row = self._mask.row(row)
            self._rows[at] = row
            if len(self._rows) > MOST_ROWS:
                self._rows.popitem(last=False)
        return row

    def info(self, row: Row) -> str:
        """Return command and arguments of a row, painted for `pieces`."""
        return self._lines.frame(row) if isinstance(row, FrameRow) else self._lines.event(row)

    def plain(self, row: Row) -> str:
        """Return command and arguments of a row alone, painted for `pieces`."""
        if isinstance(row, FrameRow):
            return self._lines.frame(row, annotated=False)
        return self._lines.event(row)

    def derived(self, at: int, row: Row, *, most: int = MOST_DERIVED) -> "tuple[DerivedValue, ...]":
        """Return the derived values of a row; none beyond the first `most` of its connection."""
        return self._derived.of(at, row.connection.flow.number, most=most)

    def time(self, row: Row, reference: int | None) -> str:
        """Return the time of a row, relative to a reference row if there is one."""
        clock = self._clocks.get(reference)
        if clock is None:
            start = self.index.started_ns
            if reference is not None:
                start = self.index.columns["time"][reference]
            clock = Clock("r" if reference is not None else self.time_style, lambda: start)
            self._clocks = {reference: clock}
        return clock(row.time_ns)

    def next_time_style(self) -> str:
        """Choose the next style of times; return what it is."""
        styles = TIME_STYLES
        return self.use_time_style(styles[(styles.index(self.time_style) + 1) % len(styles)])

    def use_time_style(self, style: str) -> str:
        """Choose a style of times, as `-t` does; return what it is.

        Raises:
            StreamsharkError: There is no such style.
        """
        if style not in TIME_STYLES:
            known = ", ".join(TIME_STYLES)
            raise StreamsharkError(f"no time format {style!r} (known: {known})")
        self.time_style = style
        self._clocks.clear()
        return STYLES[style]

    def details(self, at: int) -> Details | None:
        """Return the fields and bytes of a row; None if it cannot be read any more."""
        try:
            row = self.row(at)
            if isinstance(row, FrameRow) and (found := self.derived(at, row, most=FEW_ROWS)):
                row.derive(found)
        except StreamsharkError:
            return None
        files = self.files if len(self.files) > 1 else []
        comments = self.comments.of((row.file, row.packet))
        return Details(row, self._bodies, self._subtrees, files, comments)

    def place(self, at: int) -> Place:
        """Return file and packet to which comments on a row belong."""
        if at >= len(self.index):
            return NO_PLACE
        head = self.index.head(at)
        return head.file, head.packet

    def row_with_comment(self, at: int, step: int) -> int | None:
        """Return the next or previous row whose packet has comments; None without one."""
        places = self.comments.places()
        rows = (row for file, packet in places for row in self.index.rows_of_packet(file, packet))
        found = [each for each in rows if (each - at) * step > 0]
        return (min(found) if step > 0 else max(found)) if found else None

    def severity(self, at: int) -> tuple[str, str]:
        """Return the letter and the style of the worst that is wrong with a row."""
        if at >= len(self.index):
            return "", ""
        head = self.index.head(at)
        if head.severity not in (None, CHAT):
            return MARKS[head.severity or ""], head.severity or ""
        if head.is_damaged:
            return "!", "error"
        return ("?", "warning") if head.is_unanswered else ("", "")

    def line(self, at: int) -> str:
        """Return number, direction and content of a row, painted for `pieces`."""
        try:
            row = self.row(at)
        except StreamsharkError as error:
            return str(error)
        number = f"{row.number} " if isinstance(row, FrameRow) else ""
        return f"{number}{self._paint(row.sender, SENT[row.sender or ''])} {self.info(row)}"

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of rules, by id."""
        from streamshark.views.rule_reference import TCP  # noqa: PLC0415 - loads all rules

        protocols = (*self.known.protocols, TCP)
        return {rule.id: rule.title for each in protocols for rule in each.rules}

    def fix(self, finding: "Finding") -> str:
        """Return what to change because of a finding; empty if that depends on the case."""
        for each in self.known.protocols:
            if each.wire.id == finding.protocol:
                fixes = dict(each.fixes)
                return fixes.get(finding.rule) or fixes.get(family(finding.rule), "")
        return ""

    def is_troubled(self, at: int) -> bool:
        """Return whether a row has a problem or a finding."""
        return bool(self.severity(at)[0])

    def field(self, name: str, row: Row) -> str:
        """Return the values of a field in a row, as a column shows them."""
        found = self._columns.get(name)
        if found is None:
            showing = DisplayOptions(self.show_secrets, bodies=BODIES[0])
            found = self._columns[name] = FieldRows([name], self.fields, Layout(), showing)
        return printable(found.row(row))

    # Neighbours

    def row_of_frame(self, number: int) -> int | None:
        """Return the row of a frame; None if there is none."""
        return self.index.row_of_frame(number)

    def row_of_packet(self, number: int) -> int | None:
        """Return the first row of a packet; None if there is none."""
        for file in range(len(self.files)):
            if found := self.index.rows_of_packet(file, number):
                return found[0]
        return None

    def row_at(self, ns: int) -> int | None:
        """Return the first row from a time since the first packet on; None without one."""
        at = self.index.row_at((self.index.started_ns or 0) + ns)
        return at if at < len(self.index) else None

    def pair(self, at: int) -> int | None:
        """Return the request of a response, or the response of a request; None without one."""
        head = self.index.head(at)
        if head.request is not None:
            return self.index.row_of_frame(head.request)
        if head.frame is None:
            return None
        return self.index.answer(head.frame)

    def in_conversation(self, at: int, step: int) -> Iterator[int]:
        """Yield the rows after or before one in its conversation, then in what contains that."""
        annotation = self.original(at).annotation
        if annotation is None:
            return
        seen = {at}
        for name in (annotation.name, annotation.part_of):
            rows = [] if name is None else self.rows_of_conversation(str(name))
            for each in rows if step > 0 else rows[::-1]:
                if (each - at) * step > 0 and each not in seen:
                    seen.add(each)
                    yield each

    def rows_of_conversation(self, name: str) -> list[int]:
        """Return the rows of a conversation, by its id."""
        if self._conversation[:2] != (name, self.total):
            rows = list(self.index.rows_of_conversation(name))
            self._conversation = name, self.total, rows
        return self._conversation[2]

    def conversation_of(self, at: int) -> str | None:
        """Return the conversation that shows most around a row: of its object, else its own."""
        annotation = self.original(at).annotation
        if annotation is None:
            return None
        found = annotation.part_of or annotation.name
        return None if found is None else str(found)

    def links(self, name: str) -> tuple[str, ...]:
        """Return the conversations of other connections to which one is linked."""
        return next((each.links for each in self.index.conversations() if each.id == name), ())

    def ends(self, flow: int) -> str:
        """Return the addresses of a connection as text, the client's first."""
        found = self.index.connection(flow)
        here, there = found.addresses
        return f"{there} -> {here}" if found.client == 1 else f"{here} -> {there}"

    def findings_by_row(self) -> Mapping[int, list[tuple[str, str]]]:
        """Return severity and rule of the findings that each row proves."""
        count = self.index.finding_count
        if self._found[0] != count:
            by_row: dict[int, list[tuple[str, str]]] = {}
            for each in self.index.findings():
                if each.finding.severity != CHAT:
                    for row in each.rows[:1]:
                        found = by_row.setdefault(row, [])
                        found.append((each.finding.severity, each.finding.rule))
            self._found = count, by_row
        return self._found[1]

    # Filters

    def complete(self, text: str, cursor: int) -> list[Completion]:
        """Return what may be at a cursor in a filter."""
        return complete(text, cursor, RowFields(self.fields))

    def judge(self, text: str) -> Verdict:
        """Return whether a text is a filter, and one that a row can satisfy."""
        if not text.strip():
            return Verdict("")
        try:
            made = self._compiled(text)
        except FilterError as error:
            return Verdict("invalid", str(error))
        except StreamsharkError as error:
            return Verdict("invalid", str(error))
        return Verdict("valid") if self._is_satisfiable(made) else Verdict("odd", NOTHING)

    def _is_satisfiable(self, made: Filter) -> bool:
        """Return whether a row of any kind can satisfy a filter."""
        predicate = made.predicate
        if predicate is None or not predicate.never(EVENTS):
            return True
        named = {each.field.name.partition(".")[0] for each in made.used}
        wires = sorted(self._kinds, key=lambda wire: wire.short not in named)
        return not all(predicate.never(each) for wire in wires for each in self._kinds[wire])

    @cached_property
    def _kinds(self) -> "Mapping[WireFormat, Sequence[RowKind]]":
        """The kinds of frames of each protocol, those of all dialects included."""
        found = {}
        for each in self.known.protocols:
            wire = each.wire
            tables = [
                *(table for table in self.known.tables if table.wire is wire),
                *(wire.table(dialect) for dialect in wire.dialects),
                *(wire.table(dialect, bare=True) for dialect in wire.bare),
            ]
            decoders = dict.fromkeys(decoder for table in tables for decoder in table.all)
            found[wire] = [RowKind(decoder, wire) for decoder in (None, *decoders)]
        return found

    def use_filter(self, text: str) -> None:
        """Choose the filter of `is_selected`; empty text for none.

        Raises:
            StreamsharkError: The text is no filter.
        """
        made = self._compiled(text) if text.strip() else None
        self._learned = self._learnable
        if made is not None and made.needs_first_reading:
            names = {each.field.name for each in made.used}
            reads = any(each.startswith(ANSWER_FIELDS) and each != ANSWER_MISSING for each in names)
            made.learn(_IndexedReading(self.index, reads=reads), _unanswered(self.index))
        self._filter = made
        self._possible.clear()

    @property
    def _learnable(self) -> tuple[object, ...]:
        """What changes when there is more that filters may ask of other rows."""
        index = self.index
        judged = index.is_complete, index.finding_changes, index.conversation_count
        return *judged, self.comments.changes

    @property
    def is_filter_outdated(self) -> bool:
        """Whether the filter may judge rows otherwise by what has become known of others since."""
        if self._filter is None or self._learned == self._learnable:
            return False
        names_comment = any(each.field.name == COMMENT for each in self._filter.used)
        return names_comment or self._filter.needs_first_reading

    def is_selected(self, at: int) -> bool:
        """Return whether the filter selects a row; most are judged without being read."""
        if self._filter is None:
            return True
        setting = self.index.columns["setting"][at]
        possible = self._possible.get(setting)
        if possible is None:
            possible = self._possible[setting] = self._is_possible(self._filter, setting)
        return possible and self._filter(self.original(at))

    def _is_possible(self, chosen: Filter, setting: int) -> bool:
        """Return whether a row of a setting can satisfy a filter, or must be seen by it."""
        predicate, known = chosen.predicate, self.index.setting(setting)
        if predicate is None or chosen.fields.others.is_needed:
            return True
        if known.kind == EVENT:
            return not predicate.never(EVENTS)
        for table in self.known.tables:
            if (table.wire.id, table.dialect, table.bare) == (
                known.wire,
                known.dialect,
                known.bare,
            ):
                decoder = table.all[known.decoder] if known.decoder >= 0 else None
                return not predicate.never(RowKind(decoder, table.wire))
        return True

    def _compiled(self, text: str) -> Filter:
        made = Filter(self._macros(text), RowFields(self.fields))
        made.fields.others.use_comments(self.comments.of)
        return made


class _IndexedReading:
    """What a filter learns of the whole captures, from an index of them."""

    def __init__(self, index: Index, *, reads: bool) -> None:
        self.index, self.reads = index, reads

    def rows(self) -> Iterator[Row]:
        """Return the rows, if the filter asks for what is in them."""
        return iter(self.index) if self.reads else iter(())

    @cached_property
    def matches(self) -> "RuleMatches":
        """The frames at which rules match."""
        return self.index.matches()

    def ended(self) -> "list[Conversation]":
        """Return the conversations."""
        return list(self.index.conversations())

    def findings(self) -> "list[Finding]":
        """Return the findings."""
        return [each.finding for each in self.index.findings()]


def _unanswered(index: Index) -> Mapping[int, str]:
    """Return the frames without an answer, with the state of their calls."""
    found = (at for at, mark in enumerate(index.marks) if mark & UNANSWERED)
    return {index.head(at).frame or 0: "unanswered" for at in found}
