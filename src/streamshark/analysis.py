"""Conversations, annotations and findings of the rows of a reading, as the rows come."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING
from typing import Protocol as Interface

from streamshark.answers import KnownAnswers
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import FrameRow, Row
from streamshark.dissector import Dissector
from streamshark.protocols.protocol import Protocol
from streamshark.retirement import RetiredConnection
from streamshark.table_cache import store_of

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.conversations.engine import Engine
    from streamshark.conversations.engine_state import ProtocolTables
    from streamshark.conversations.explain import Explanation
    from streamshark.conversations.tables import Derived, Watch
    from streamshark.findings.finding import Finding
    from streamshark.findings.judge import Judge
    from streamshark.findings.matches import RuleMatches
    from streamshark.findings.news import News

AT_ONCE = 4096
"""Most rows that are processed at once."""


class OrderedRows(Interface):
    """Source of rows: a session."""

    @property
    def protocols(self) -> tuple[Protocol, ...]:
        """The protocols of the rows."""

    @property
    def layers(self) -> PayloadReaders:
        """Readers of the payload slots of frames."""

    @property
    def dissector(self) -> Dissector:
        """The dissector that makes the rows, and knows their connections."""

    @property
    def yielded_ns(self) -> int:
        """Time in ns before which all rows have been yielded."""

    def rows(self) -> Iterator[Row]:
        """Return all rows in order, numbered."""

    def batches(self) -> Iterator[list[Row]]:
        """Return the rows of `rows`, many at once."""


def derives_nothing(_table: "Derived") -> bool:
    """Return False: no derived value is needed."""
    return False


def _watches(
    protocol: Protocol,
    judges: bool,  # noqa: FBT001 - of `partial`
    explains: bool,  # noqa: FBT001 - as above
) -> "tuple[Watch, ...]":
    """Return the conditions to evaluate: rules for the judge, sentences for explanations."""
    rules = protocol.rules if judges else ()
    return (*rules, *(protocol.sentences if explains else ()))


def tables_of(
    protocols: Iterable[Protocol], *, judges: bool = False, explains: bool = False
) -> "list[ProtocolTables]":
    """Return the tables of protocols for an engine, with rules and sentences if wanted."""
    from streamshark.conversations.engine_state import ProtocolTables  # noqa: PLC0415 - as below

    return [
        ProtocolTables(
            each.wire,
            partial(getattr, each, "conversations"),
            partial(_watches, each, judges, explains),
            partial(getattr, each, "embedded_records"),
            each.embedded_slots,
            store_of(each, judges=judges, explains=explains),
        )
        for each in protocols
    ]


def forget_retired(engine: "Engine", over: deque[RetiredConnection], now_ns: int) -> None:
    """Drop the state of connections in `over` that were retired before a time in ns."""
    while over and over[0].at_ns < now_ns:
        retired = over.popleft()
        if retired.connection is not None and not retired.had_event:
            engine.forget(retired.connection, retired.at_ns)


class Analysis:
    """One streaming reading: rows with annotations, conversations and findings as they end.

    `conversations`, a `judge` and, with it, `stories` enable these results; without them only
    annotations are made; without `summaries` turns of conversations have no text
    (`TurnWithoutText`), and without `links` conversations are not linked to those of other
    connections. `derives` selects the derived values (`row.derived`). With `in_full`, the
    annotation of a row lists all requests that it answers; without `annotates` there are no
    annotations. `answers` is the result of `answers_of` in an earlier reading. With `all_bodies`,
    rules judge all message bodies of large captures too, and not only a sample.
    """

    def __init__(  # noqa: PLR0913 - what may be wanted of a reading
        self,
        session: "OrderedRows",
        judge: "Judge | None" = None,
        *,
        conversations: bool = False,
        explanations: bool = False,
        answers: KnownAnswers | None = None,
        derives: "Callable[[Derived], bool]" = derives_nothing,
        in_full: bool = False,
        annotates: bool = True,
        links: bool = True,
        summaries: bool = True,
        all_bodies: bool = False,
    ) -> None:
        from streamshark.conversations.engine import Engine  # noqa: PLC0415 - few commands judge

        self.session = session
        self.judge = judge
        self.explainer = None
        if explanations and judge is not None:
            from streamshark.conversations.explain import ExplanationBuilder  # noqa: PLC0415 - as above

            self.explainer = ExplanationBuilder(judge)
        self.answers = answers
        self._finished = False
        self._has_drops = False
        self._over: deque[RetiredConnection] = deque()
        """Retired connections whose retirement is later than the rows processed so far."""
        # A method of the analysis would be a reference cycle.
        session.dissector.on_retired(self._over.append)
        self.engine = Engine(
            tables_of(
                session.protocols,
                judges=judge is not None,
                explains=self.explainer is not None,
            ),
            conversations=conversations,
            judge=self.explainer or judge,
            derives=derives,
            in_full=in_full,
            annotates=annotates,
            links=links,
            summaries=summaries,
            layers=session.layers,
            all_bodies=all_bodies,
        )

    def rows(self) -> Iterator[Row]:
        """Yield the session's rows, each with its annotation."""
        yield from self.seen(self.session.rows())
        self.finish()

    def seen(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield rows of the session, each with its annotation; more of them may follow."""
        see, judge, answers = self.engine.see, self.judge, self.answers
        for row in rows:
            if judge is not None:
                if row.__class__ is FrameRow:
                    judge.frame(row.number, row.file, row.packet)
                else:
                    judge.event(row)
            see(row)
            if answers is not None and isinstance(row, FrameRow):
                answers.note(row)
            yield row
            if self._over:
                self._forget(row.time_ns)

    def batches(
        self, taken: Callable[[Row], object], *, first: int = AT_ONCE
    ) -> Iterator[list[Row]]:
        """Yield the rows of `rows`, many at once; a list may be empty.

        Args:
            taken: Called with a row after which findings are ready.
            first: Most rows of the first list.
        """
        ready = () if self.judge is None else self.judge.ready
        most = first
        for rows in self.session.batches():
            for part in _parts(rows, most):
                if self.judge is not None:
                    self.judge.frames(part)
                self.engine.feed(part, ready, taken)
                yield part
                if part:
                    most = AT_ONCE
                    self._forget(part[-1].time_ns)
        self.finish()

    def _forget(self, now_ns: int) -> None:
        """Drop the state of connections that were retired before a row that was processed."""
        forget_retired(self.engine, self._over, now_ns)

    def note_drops(self) -> None:
        """Note that packets are missing in the captures, because they were dropped.

        What the captures state themselves is known. Most drops are noticed by the packets after
        them; those that are not are at the ends of connections that are open.
        """
        self._has_drops = True

    def finish(self) -> None:
        """End everything that is open, as at the end of the captures.

        For callers that stop early.
        """
        if not self._finished:
            self._finished = True
            stated = (
                each for one in self.session.dissector.captures for each in one.statistics.values()
            )
            if self._has_drops or any(each.dropped or each.dropped_by_system for each in stated):
                self.engine.lose_ends()
            self.engine.finish()
            self.engine.free()
            if self.judge is not None:
                self.judge.attempts.reach(self.session.dissector.servers)
                self.judge.finish()

    def ended(self) -> "list[Conversation]":
        """Return conversations that ended since the last call.

        All others once the rows are read.
        """
        return self.engine.take_ended()

    def findings(self) -> "list[Finding]":
        """Return the findings that were settled since the last call."""
        return [] if self.judge is None else self.judge.findings()

    @property
    def matches(self) -> "RuleMatches | None":
        """The frames at which rules match; None if they are not noted."""
        return None if self.judge is None else self.judge.matches

    def news(self) -> "list[News]":
        """Return the changes of findings since the last call; needs `follow`."""
        return [] if self.judge is None else self.judge.news()

    def settled(self, findings: "Iterable[Finding]") -> "list[News]":
        """Return findings that were made outside the engine, at the end, as changes."""
        return [] if self.judge is None else self.judge.settled(findings)

    def tick(self, now_ns: int | None = None) -> None:
        """Fire the timers that are due, although no row has come.

        Args:
            now_ns: Time in ns on the capture's clock; by default that before which all rows have
                come.
        """
        self.engine.tick(self.session.yielded_ns if now_ns is None else now_ns)

    def open(self) -> "list[Conversation]":
        """Return the conversations that have not ended, in their present state."""
        return self.engine.opened()

    def pending(self, flow: int) -> list[str]:
        """Return rules with findings on a connection that are reported only at the end."""
        return [] if self.judge is None else self.judge.pending(flow)

    def explanations(self) -> "list[Explanation]":
        """Return the explanations of connections that ended since the last call."""
        return [] if self.explainer is None else self.explainer.explanations()

    @property
    def capped(self) -> Mapping[str, int]:
        """Limits that were reached, to the number of entries that were dropped."""
        judged = {} if self.judge is None else self.judge.capped
        return {**self.engine.capped, **judged}

    # State between two captures

    @property
    def retired(self) -> list[RetiredConnection]:
        """Connections that the session has retired and that the engine may still follow."""
        return list(self._over)

    def resume(self, retired: Iterable[RetiredConnection]) -> None:
        """Continue from the `retired` of an earlier analysis."""
        self._over.clear()
        self._over.extend(retired)


def _parts(rows: list[Row], first: int) -> Iterator[list[Row]]:
    """Yield the rows in parts, the first of which has at most `first`; one if there are none."""
    yield rows[:first]
    for start in range(first, len(rows), AT_ONCE):
        yield rows[start : start + AT_ONCE]
