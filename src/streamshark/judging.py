"""Judging in two steps: each connection by itself, then what they have left.

The findings are those of one `Analysis` of all rows. The first step can be done for some
connections by each of several processes; its records go to the second.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from streamshark.analysis import OrderedRows, derives_nothing, forget_retired, tables_of
from streamshark.conversations.engine import Engine
from streamshark.dissection.row import Row
from streamshark.findings.connection_records import ConnectionRecords, Left
from streamshark.findings.fact_evaluator import FactEvaluator
from streamshark.findings.fact_groups import ObjectKey
from streamshark.findings.joined_records import RecordJoiner

if TYPE_CHECKING:
    from streamshark.conversations.tables import Derived
    from streamshark.findings.judge import Judge
    from streamshark.protocols.protocol import Protocol
    from streamshark.retirement import RetiredConnection


class ConnectionJudge:
    """Judge of connections one by one: rows in, records out.

    Rows come in order of time and with the numbers that they have in the whole reading. With
    `all_bodies`, rules judge all message bodies of large captures, and not only a sample; `effort`
    is the part of the usual effort that the sample takes, if several judges share it. With
    `conversations`, records are of conversations and of what links them, and rows get annotations;
    without `rules`, records are not of findings. `derives` selects the derived values of rows;
    without `summaries`, turns of conversations have no text.
    """

    def __init__(  # noqa: PLR0913 - what may be wanted
        self,
        source: OrderedRows,
        *,
        all_bodies: bool = False,
        effort: float = 1,
        conversations: bool = False,
        rules: bool | None = None,
        derives: "Callable[[Derived], bool]" = derives_nothing,
        summaries: bool = True,
    ) -> None:
        rules = not conversations if rules is None else rules
        self.source = source
        self._records = ConnectionRecords()
        self._over: deque[RetiredConnection] = deque()
        source.dissector.on_retired(self._over.append)
        self.engine = Engine(
            tables_of(source.protocols, judges=rules),
            conversations=conversations,
            judge=self._records if rules else None,
            derives=derives,
            summaries=summaries,
            facts=self._records,
            annotates=conversations,
            layers=source.layers,
            all_bodies=all_bodies,
            effort=effort,
        )
        self._records.follows(partial(getattr, self.engine, "moment"))

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the source, each once it is judged."""
        for rows in self.source.batches():
            self.feed(rows)
            yield from rows
        self.finish()

    def feed(self, rows: Iterable[Row], taken: Callable[[Row], object] | None = None) -> None:
        """Judge rows between which no packets are read; call `taken` with each when judged."""
        self.engine.feed(self._begun(rows, taken), (), _ignore)

    def _begun(self, rows: Iterable[Row], taken: Callable[[Row], object] | None) -> Iterator[Row]:
        """Yield rows to the engine, which has processed one when it asks for the next."""
        begin, over = self._records.begin, self._over
        for row in rows:
            begin(row)
            yield row
            if over:
                forget_retired(self.engine, over, row.time_ns)
            if taken is not None:
                taken(row)

    def reach(self, time_ns: int) -> None:
        """Fire the timers that are due by a time in ns: no earlier rows follow."""
        self.engine.reach(time_ns)

    @property
    def shares(self) -> bool:
        """Whether the connections must be judged together with others: see `reasons`."""
        programs = self.engine.programs.values()
        return self.engine.shares or any(each.chosen.dependence.is_joint for each in programs)

    @property
    def gathered(self) -> set[ObjectKey]:
        """What the connections share that must be judged with it: no two judges may have it.

        It is known as soon as their first frames are judged, and until `finish`. For requests that
        are answered on other connections it is one object for each protocol.
        """
        found: set[ObjectKey] = set()
        for protocol, program in self.engine.programs.items():
            if program.chosen.dependence.is_joint:
                found.add((protocol, "", 0))
                continue
            found |= {(protocol, *each) for each in program.shared}
        return found

    @property
    def reasons(self) -> list[str]:
        """Why the connections must be judged together with others, as sentences."""
        if not self.shares:
            return []
        found = [each.chosen.dependence for each in self.engine.programs.values()]
        return sorted({reason for each in found for reason in each.reasons})

    def finish(self, end_ns: int | None = None) -> None:
        """End everything that is open: there are no more rows.

        Args:
            end_ns: Time in ns of the last row of all connections; by default that of these.
        """
        if end_ns is not None:
            self.reach(end_ns)
        self._records.end()
        self.engine.finish()
        self.engine.free()

    # State between two captures

    @property
    def judge(self) -> ConnectionRecords:
        """The collector of what connections leave."""
        return self._records

    @property
    def retired(self) -> "list[RetiredConnection]":
        """Connections that the source has retired and that the engine may still follow."""
        return list(self._over)

    def resume(self, retired: "Iterable[RetiredConnection]") -> None:
        """Continue from the `retired` of an earlier judge."""
        self._over.clear()
        self._over.extend(retired)

    def take(self) -> Left:
        """Return what was left since the last call, in order."""
        return self._records.take()


def _ignore(_row: Row) -> None:
    """Do nothing once findings are ready: there are none before the records are joined."""


def joiner_of(protocols: "Iterable[Protocol]", judge: "Judge | None" = None) -> RecordJoiner:
    """Return the evaluation of what judges of connections leave.

    Args:
        protocols: The protocols of the rows.
        judge: Judge of the findings; None if the records are of conversations.
    """
    return RecordJoiner(tables_of(protocols, judges=judge is not None), judge)


def evaluator_of(
    protocols: "Iterable[Protocol]", number: int = 0, *, rules: bool = True
) -> FactEvaluator:
    """Return the evaluation of the facts of some objects, for findings and linked conversations.

    Args:
        protocols: The protocols of the rows.
        number: A number of the evaluator, which no other one has.
        rules: Whether the records are of findings.
    """
    return FactEvaluator(tables_of(protocols, judges=rules), number)
