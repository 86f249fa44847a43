"""What filters say of a row by other rows: its request, its answer, its conversation, its findings.

`request.*` is known when the row comes, `conv.id` and `conv.type` as well. All else a first reading
of the captures collects (`OtherRows.learn`).
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from typing import Protocol as Interface

from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import ANNOTATION, FieldInfo
from streamshark.fields.types import FieldType
from streamshark.filters import kinds

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.findings.finding import Finding
    from streamshark.findings.matches import RuleMatches

FIRST_READING: Final = "first reading"
"""Needs `OtherRows.learn`."""
CONVERSATIONS: Final = "conversations"
FINDINGS: Final = "findings"
MATCHES: Final = "matches"
"""Need conversations, findings, or the matches of rules, of the first reading."""
REQUEST, ANSWER = "request", "answer"
COMMENT: Final = "frame.comment"
FINDING: Final = "finding"
EXPERT: Final = "expert"
"""Parts of the names of a protocol's fields: `rmqstream.finding`, `rmqstream.expert.rmq_n6`."""
MOST_REQUESTS: Final = 1 << 16
"""Frames whose values are kept for `request.*` of later ones; the oldest are dropped."""
MOST_VALUES: Final = 64
"""Values of one field that are kept of a request of several frames."""
EVERY: Final = 64
"""Rows between two collections of findings and conversations."""

Values = Callable[[Row], Sequence[Any]]
Comments = Callable[[tuple[int, int]], Sequence[str]]
"""Returns the comments on a packet, by its file and number."""
_FIRST: Final = frozenset({ANNOTATION, FIRST_READING})
_OF_CONVERSATION: Final[Mapping[str, tuple[FieldType, str, str]]] = {
    "state": (kinds.TEXT, "state", "State of a conversation of the row: done, open, failed, ..."),
    "duration": (kinds.DURATION, "duration_ns", "How long a conversation of the row lasted."),
    "frames": (kinds.UNSIGNED, "frame_count", "Frames of a conversation of the row."),
}
_OF_FINDING: Final[Mapping[str, tuple[FieldType, str, str]]] = {
    "rule": (kinds.TEXT, "rule", "Id of a rule that the frame breaks."),
    "severity": (kinds.TEXT, "severity", "Severity of a finding: chat, note, warning, error."),
    "group": (kinds.TEXT, "group", "Group of a finding."),
    "message": (kinds.TEXT, "message", "What a finding says."),
}
FIELDS: Final = {
    each.name: each
    for each in (
        FieldInfo("answer.missing", "", kinds.NONE, "A request without an answer.", needs=_FIRST),
        FieldInfo("finding", "", kinds.NONE, "The frame has a finding.", needs=_FIRST | {FINDINGS}),
        FieldInfo(COMMENT, "", kinds.TEXT, "A comment on the packet that completed it.", True),  # noqa: FBT003 - as declared
        FieldInfo("conv.id", "", kinds.TEXT, "Id of a conversation of the row.", True,  # noqa: FBT003 - as declared
              needs=frozenset({ANNOTATION})),
        FieldInfo("conv.type", "", kinds.TEXT, "Type of a conversation of the row.", True,  # noqa: FBT003
              needs=frozenset({ANNOTATION})),
        *(FieldInfo(f"conv.{name}", "", kind, doc, many=True, needs=_FIRST | {CONVERSATIONS})
          for name, (kind, _, doc) in _OF_CONVERSATION.items()),
        *(FieldInfo(f"finding.{name}", "", kind, doc, many=True, needs=_FIRST | {FINDINGS})
          for name, (kind, _, doc) in _OF_FINDING.items()),
    )
}  # fmt: skip
"""Fields that are no members of the row itself."""


def is_expert(name: str) -> bool:
    """Return whether a name is that of a field of expert items, if such a field exists."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] in {FINDING, EXPERT} and first != FINDING


class AnalysedRows(Interface):
    """A reading with annotations: `analysis.Analysis`."""

    def rows(self) -> Iterator[Row]:
        """Return the rows with annotations."""

    def ended(self) -> "list[Conversation]":
        """Return the conversations that ended since the last call."""

    def findings(self) -> "list[Finding]":
        """Return the findings since the last call."""

    @property
    def matches(self) -> "RuleMatches | None":
        """The frames at which rules match, if they are noted."""


class OtherRows:
    """Values of other rows that a filter names, by the number of the frame that it judges."""

    def __init__(self) -> None:
        self._requests: dict[str, Values] = {}
        self._answers: dict[str, Values] = {}
        self._seen: OrderedDict[int, dict[str, Sequence[Any]]] = OrderedDict()
        self._calls: OrderedDict[tuple[int, int, int | str | None], int] = OrderedDict()
        """Flow, side and correlation id to the number of the last request."""
        self._parts: dict[int, list[int]] = {}
        """Number of the first frame of a request to those of its further ones."""
        self._answered: dict[int, dict[str, Sequence[Any]]] = {}
        self._unanswered: Mapping[int, str] = {}
        self._conversations: dict[str, Conversation] = {}
        self._findings: dict[int, list[Finding]] = {}
        self._comments: Comments = lambda _place: ()
        self.numbers_packets = False
        """Whether `completed` is filled."""
        self.completed: OrderedDict[int, int] = OrderedDict()
        """Number of a frame to that of the packet that completed it; the latest frames."""
        self.matches: RuleMatches | None = None
        """The frames at which rules match; None before the first reading."""

    @property
    def is_needed(self) -> bool:
        """Whether values of rows must be noted."""
        return bool(self._requests) or self.numbers_packets

    def use_comments(self, comments: Comments) -> None:
        """Give what returns the comments on a packet; without it no packet has any."""
        self._comments = comments

    def comments_of(self, file: int, packet: int) -> Sequence[str]:
        """Return the comments on a packet."""
        return self._comments((file, packet))

    def of_side(self, side: str, name: str, values: Values) -> Values:
        """Return what gets the values of a field of the request or of the answer."""
        if side == ANSWER:
            self._answers[name] = values
            return lambda row: self._answered.get(getattr(row, "number", 0), {}).get(name, ())
        self._requests[name] = values

        def get(row: Row) -> Sequence[Any]:
            frame = row.annotation.request_frame if row.annotation else None
            return () if frame is None else self._seen.get(frame, {}).get(name, ())

        return get

    def of_row(self, name: str) -> Values:
        """Return what gets one of `FIELDS`."""
        head, _, rest = name.partition(".")
        if head == ANSWER:
            return lambda row: [True] if getattr(row, "number", 0) in self._unanswered else ()
        if head == "finding":
            return self._of_findings(rest or "rule")
        if name == COMMENT:
            return lambda row: self.comments_of(row.file, row.packet)
        if rest == "id":
            return lambda row: [str(each) for each in _names(row)]
        if rest == "type":
            return lambda row: [each.type for each in _names(row)]
        of_conversation = _OF_CONVERSATION[rest][1]

        def get(row: Row) -> Sequence[Any]:
            found = (self._conversations.get(str(each)) for each in _names(row))
            return [getattr(each, of_conversation) for each in found if each is not None]

        return get

    def _of_findings(self, name: str) -> Values:
        """Return what gets a member of the findings of a frame."""
        attribute = _OF_FINDING[name][1]

        def get(row: Row) -> Sequence[Any]:
            found = self._findings.get(getattr(row, "number", None) or 0, ())
            return [getattr(each, attribute) for each in found]

        return get

    def note(self, row: Row) -> None:
        """Keep the values of a row, and where a packet comes its numbers, for later rows."""
        if self.numbers_packets:
            self._note_packet(getattr(row, "rows", (row,)))
        if not self._requests or not isinstance(row, FrameRow):
            return
        number = self._asking(row)
        found = {name: got for name, get in self._requests.items() if (got := get(row))}
        if not found:
            return
        known = self._seen.setdefault(number, found)
        if known is not found:
            for name, got in found.items():
                known[name] = [*known.get(name, ()), *got][:MOST_VALUES]
        elif len(self._seen) > MOST_REQUESTS:
            self._seen.popitem(last=False)

    def _note_packet(self, rows: Iterable[Row]) -> None:
        for each in rows:
            if isinstance(each, FrameRow):
                self.completed[each.number] = each.packet
        while len(self.completed) > MOST_REQUESTS:
            self.completed.popitem(last=False)

    def _asking(self, row: FrameRow) -> int:
        """Return the number of the frame that begins the request to which a row belongs.

        It is that of the call for a message of gRPC, and its own for other frames.
        """
        key = row.connection.flow.number, row.side, row.correlation_id
        if row.kind == "request":
            self._calls[key] = row.number
            if len(self._calls) > MOST_REQUESTS:
                self._calls.popitem(last=False)
        elif row.kind == "command" and row.correlation_id is not None:
            return self._calls.get(key, row.number)
        return row.number

    def _note_part(self, row: Row) -> None:
        """Note the request to which a frame belongs that is not its first one."""
        if isinstance(row, FrameRow) and (first := self._asking(row)) != row.number:
            parts = self._parts.setdefault(first, [])
            if len(parts) < MOST_VALUES:
                parts.append(row.number)

    def learn(
        self,
        analysis: AnalysedRows,
        unanswered: Mapping[int, str],
    ) -> None:
        """Collect from a first reading what a second one asks for.

        Args:
            analysis: The reading, with the conversations or findings that the filter needs.
            unanswered: Number of a frame without an answer to its state; filled by the reading.
        """
        for count, row in enumerate(analysis.rows()):
            self._note_part(row)
            self._note_answer(row)
            if count % EVERY == 0:
                self._collect(analysis)
        self._collect(analysis)
        self._unanswered = unanswered

    def _note_answer(self, row: Row) -> None:
        annotation = row.annotation
        if annotation is None or annotation.request_frame is None or not self._answers:
            return
        found = {name: got for name, get in self._answers.items() if (got := get(row))}
        for frame in annotation.answers or (annotation.request_frame,):
            for each in (frame, *self._parts.get(frame, ())):
                self._answered.setdefault(each, found)

    def _collect(self, analysis: AnalysedRows) -> None:
        for conversation in analysis.ended():
            self._conversations[conversation.id] = conversation
        self.matches = analysis.matches
        for finding in analysis.findings():
            if self.matches is not None:
                self.matches.settle(finding)
            for frame in finding.frames:
                self._findings.setdefault(frame, []).append(finding)


def _names(row: Row) -> list[Any]:
    """Return the conversations of a row, the innermost first."""
    annotation = row.annotation
    if annotation is None:
        return []
    return [each for each in (annotation.name, annotation.part_of) if each is not None]
