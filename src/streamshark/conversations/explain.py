"""Explanations: the course of a connection in plain sentences, from a protocol's tables.

`protocols/<p>/explain.py` exports `SENTENCES`, a tuple of `Sentence`. The engine evaluates their
conditions like those of rules; `ExplanationBuilder` collects the sentences by connection.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from streamshark.conversations.summary import names_of, worded
from streamshark.conversations.tables import Watch
from streamshark.dissection.row import Row
from streamshark.errors import SchemaError
from streamshark.light_dataclass import record

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Name
    from streamshark.conversations.engine_state import MatchHandler
    from streamshark.conversations.resolve import MessageTemplate
    from streamshark.conversations.state import ConnectionState

PARTS: Final = ("who", "began", "agreed", "did", "ended")
"""Parts of an explanation."""
TOTALS: Final = ("sum", "most", "least", "each")
"""Ways to combine several values."""
MOST_LINES: Final = 40
"""Most sentences in one part of a connection's explanation; further ones are counted."""
MOST_VALUES: Final = 12
"""Most different values that `each` counts."""


@record(kw_only=True)
class Sentence(Watch):
    """A sentence of an explanation, with its condition.

    With `per`, all rows of one connection with the same value make one sentence, and values of
    `message` are combined: `{stream.items:sum count item}`, `most`, `least`; `{stream.state:each}`
    counts different ones. Without `per` each match makes a sentence.
    """

    adds_up: ClassVar[bool] = True
    part: str
    """One of `PARTS`."""
    message: str
    """As of a rule; text in brackets is left out if a value in it is unknown, empty or 0."""
    advice: str = ""
    """Next steps for the user, if something went wrong."""
    needs: str = ""

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise SchemaError(f"{self.message!r}: no part {self.part} (known: {', '.join(PARTS)})")


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """One sentence of an explanation."""

    text: str
    frame: int | None
    """Number of the first frame that shows it; None without one."""
    advice: str
    times: int = 1
    """Number of matches."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one connection, once it has ended."""

    flow: int
    file: int
    protocols: tuple[str, ...]
    """Id of its protocol, and those of protocols embedded in its frames."""
    conversation: str | None
    """Id of the connection's conversation; None if there was no frame."""
    start: bool
    """Whether its first bytes were captured."""
    whole: bool
    """Whether no bytes were lost."""
    both: bool
    """Whether both sides were captured."""
    parts: Mapping[str, tuple[ExplainedLine, ...]] = field(default_factory=dict)
    """By part; parts without sentences are absent."""
    more: Mapping[str, int] = field(default_factory=dict)
    """Part to the number of sentences that were left out."""


class _Draft:
    """A sentence that is not final yet."""

    __slots__ = ("frame", "message", "names", "table", "times", "totals")

    def __init__(self, table: Sentence, message: "MessageTemplate", frame: int | None) -> None:
        self.table = table
        self.message = message
        self.frame = frame
        self.times = 0
        self.totals: list[Any] = [None] * len(message.holes)
        """Of each value in the message: the first value, a running number, or counts of different
        texts."""
        self.names: list[Mapping[int, str] | None] = [None] * len(message.holes)
        """Names of the first values, if the message asks for them."""

    def add(self, values: tuple[Any, ...], row: Row | None) -> None:
        """Add the values of one match."""
        self.times += 1
        for at, (hole, value) in enumerate(zip(self.message.holes, values, strict=True)):
            if value is None:
                continue
            total, _, form = hole.form.partition(" ")
            before = self.totals[at]
            match total:
                case "sum":
                    self.totals[at] = (before or 0) + value
                case "most":
                    self.totals[at] = value if before is None else max(before, value)
                case "least":
                    self.totals[at] = value if before is None else min(before, value)
                case "each":
                    counts = self.totals[at] = before or Counter()
                    text = worded(value, form, names_of(hole, row))
                    known = text in counts or len(counts) < MOST_VALUES
                    counts[text if known else "more"] += 1
                case _ if before is None:
                    self.totals[at], self.names[at] = value, names_of(hole, row)

    def line(self) -> ExplainedLine:
        """Return the sentence with the values so far."""
        out, group, is_open, is_known = "", "", False, True
        for number, text in enumerate(self.message.texts):
            if number:
                is_known &= bool(self.totals[number - 1]) or not is_open
                group += self._text(number - 1)
            for each in text:
                if each in "[]":
                    out += group if is_known else ""
                    group, is_open, is_known = "", each == "[", True
                else:
                    group += each
        return ExplainedLine(out + group, self.frame, self.table.advice, self.times)

    def _text(self, at: int) -> str:
        """Return the text of a value."""
        total, form = self.totals[at], self.message.holes[at].form
        if isinstance(total, Counter):
            return ", ".join(f"{count:,} {text}" for text, count in total.items())
        first, _, rest = form.partition(" ")
        return worded(total, rest if first in TOTALS else form, self.names[at])


class _ConnectionSentences:
    """The sentences of one connection so far."""

    __slots__ = ("counts", "drafts", "more")

    def __init__(self) -> None:
        self.drafts: dict[Any, _Draft] = {}
        self.counts: Counter[str] = Counter()
        """Part to the number of its sentences."""
        self.more: Counter[str] = Counter()


class ExplanationBuilder:
    """Receiver of matches that makes explanations of sentences and passes the rest to a judge."""

    def __init__(self, judge: "MatchHandler") -> None:
        self.judge = judge
        self.ready: list[Explanation] = []
        """Explanations of connections that have ended."""
        self._tales: dict[ConnectionState, _ConnectionSentences] = {}

    def notice(  # noqa: PLR0913, PLR0917 - what the engine says
        self,
        program: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: "ConnectionState",
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """Process a match: of a sentence here, of a rule in the judge."""
        read = program.watches[index]
        table = read.table
        if not isinstance(table, Sentence):
            self.judge.notice(program, index, subject, conn, t, row, frames, values)
            return
        tale = self._tales.get(conn)
        if tale is None:
            tale = self._tales[conn] = _ConnectionSentences()
        key = (index, subject[1]) if isinstance(subject, tuple) else len(tale.drafts)
        draft = tale.drafts.get(key)
        if draft is None:
            if tale.counts[table.part] >= MOST_LINES:
                tale.more[table.part] += 1
                return
            tale.counts[table.part] += 1
            draft = tale.drafts[key] = _Draft(table, read.values["message"], frames[0])
        draft.add(values, row)

    def let_go(self, entity: Any, conn: "ConnectionState | None") -> None:  # noqa: ANN401 - any object
        """Note that an object has ended; make the explanation of an ended connection."""
        self.judge.let_go(entity, conn)
        if conn is not None and entity is conn:
            self.ready.append(self._explanation(conn))

    def doubt(self, conn: "ConnectionState", since: int, entities: Iterable[Any]) -> None:
        """Note that bytes of a side are missing."""
        self.judge.doubt(conn, since, entities)

    def forget(self, conn: "ConnectionState") -> None:
        """Drop the judge's state of a connection."""
        self.judge.forget(conn)

    def explanations(self) -> list[Explanation]:
        """Return the explanations of connections that ended since the last call."""
        ready, self.ready = self.ready, []
        return ready

    def _explanation(self, conn: "ConnectionState") -> Explanation:
        parts: dict[str, list[ExplainedLine]] = {}
        tale = self._tales.pop(conn, None) or _ConnectionSentences()
        for draft in tale.drafts.values():
            parts.setdefault(draft.table.part, []).append(draft.line())
        name: Name | None = conn.name
        return Explanation(
            flow=conn.flow, file=conn.file, protocols=(conn.protocol,),
            conversation=str(name) if name else None,
            start=conn.start, whole=conn.whole, both=conn.both,
            parts={part: tuple(parts[part]) for part in PARTS if part in parts},
            more=tale.more,
        )  # fmt: skip


def together(explanations: Iterable[Explanation]) -> list[Explanation]:
    """Join explanations of one connection that ended at once.

    Sentences on embedded frames follow those on the outer ones.
    """
    found: dict[int, Explanation] = {}
    for each in explanations:
        outer = found.get(each.flow)
        if outer is None:
            found[each.flow] = each
        elif outer.protocols[0] != each.protocols[0]:  # not left by an earlier connection
            found[each.flow] = _joined(outer, each)
    return list(found.values())


def _joined(outer: Explanation, inner: Explanation) -> Explanation:
    parts = {
        part: (*outer.parts.get(part, ()), *inner.parts.get(part, ()))
        for part in PARTS
        if part in outer.parts or part in inner.parts
    }
    more = Counter(outer.more)
    more.update(inner.more)
    return replace(outer, protocols=(*outer.protocols, *inner.protocols), parts=parts, more=more)
