"""Findings or conversations of captures, by several processes: each its share of the connections.

What connections leave is evaluated by the parent, in the order of their rows.
"""

import pickle
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from typing import Protocol as Interface

from streamshark.capture import Capture
from streamshark.conversations.conversation import Conversation
from streamshark.dissection.row import FrameRow, Row
from streamshark.dissector import KnownProtocols
from streamshark.findings.connection_records import AT, Left, Position, RecordGroup
from streamshark.findings.finding import Finding
from streamshark.findings.judge import Judge
from streamshark.judging import ConnectionJudge, joiner_of
from streamshark.parallel.messages import Key
from streamshark.parallel.packets import BatchUnpacker
from streamshark.parallel.reading import ParallelReading, Plan, Released
from streamshark.parallel.worker import ReleasedRows
from streamshark.splits.connection_share import SharedReport, ShareReader

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

EVERY: Final = 64
"""Number of packets between two collections of findings."""


class ShareResult(NamedTuple):
    """What a process knows once its share is judged."""

    left: Left
    """What the end of the captures made connections leave."""
    problems: int
    """Number of rows with problems."""
    capped: Counter[str]
    """Limits that were reached, to the number of entries that were dropped."""
    incomplete: Counter[str]
    """What was not captured to the number of connections of which it is missing."""
    is_sample: bool
    """Whether message bodies were left out."""
    servers: frozenset[str]
    """Endpoints that connections were made to, of all shares."""
    spoken: Counter[str]
    """Protocol to the number of connections on TCP, of all shares."""
    judged: frozenset[str]
    """Protocols of the rows, embedded ones included."""
    more: Any = None
    """What else the plan makes of its rows."""


def share_result(
    reader: ShareReader,
    judge: ConnectionJudge,
    problems: int = 0,
    more: Any = None,  # noqa: ANN401 - see above
) -> ShareResult:
    """Return what a process knows once its share is judged."""
    spoken = Counter[str]()
    for (protocol, _), count in reader.dissector.spoken.items():
        spoken[protocol] += count
    bodies = judge.engine.bodies
    return ShareResult(
        left=judge.take(),
        problems=problems,
        capped=judge.engine.capped,
        incomplete=judge.engine.incomplete,
        is_sample=bodies is not None and bodies.left_out,
        servers=frozenset(reader.dissector.servers),
        spoken=spoken,
        judged=frozenset(judge.engine.spoken),
        more=more,
    )


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """What each of `count` processes does."""

    count: int
    sources: Sequence[str]
    known: KnownProtocols
    is_damage: Callable[[Row], bool]
    """Returns whether a row has problems."""
    limit: int | None = None
    """Most packets."""
    all_bodies: bool = False
    effort: float = 1
    """Part of the usual effort for message bodies that each process takes."""
    conversations: bool = False
    """Whether conversations are wanted, not findings."""
    puts_together: bool = True
    timed: bool = False

    def work(self, number: int, link: "Connection") -> tuple[SharedReport, ShareResult]:
        """Judge one share of the connections; return its report and result."""
        with closing(BatchUnpacker(self.sources)) as packets:
            return self._judged(number, packets, link)

    def _judged(
        self, number: int, packets: BatchUnpacker, link: "Connection"
    ) -> tuple[SharedReport, ShareResult]:
        reader = ShareReader(self.known, number, self.count, puts_together=self.puts_together)
        made: list[bytes] = []

        def released(time_ns: int) -> None:
            judge.reach(time_ns)
            made.append(_written(judge.take()))

        rows = ReleasedRows(
            reader, packets, link, others=lambda _others: None, shown=made, released=released
        )
        judge = ConnectionJudge(
            rows,
            all_bodies=self.all_bodies,
            effort=self.effort,
            conversations=self.conversations,
        )
        rows.follow(judge)
        problems = 0
        for row in judge.rows():
            if row.problems or row.__class__ is not FrameRow:
                problems += self.is_damage(row)
        return reader.report(), share_result(reader, judge, problems)


class KnownPlan(Plan, Interface):
    """What each process does, and the protocols that it knows."""

    @property
    def known(self) -> KnownProtocols:
        """The protocols."""


class ParallelJudging:
    """One judgement of captures by several processes.

    For each `RELEASE`, a process of `plan` makes what its connections have left, pickled, and then
    anything else. Without `findings` only conversations are wanted; with `matches`, the judge notes
    the matches of rules. `opened` is that of `ParallelReading`.
    """

    def __init__(
        self,
        plan: KnownPlan,
        *,
        findings: bool = True,
        matches: bool = False,
        opened: Callable[[Capture], object] = lambda _capture: None,
    ) -> None:
        self.reading = ParallelReading(plan, opened)
        self.judge = Judge(matches=matches)
        """The judge of the findings, if these are wanted."""
        self._joiner = joiner_of(plan.known.protocols, self.judge if findings else None)
        self._frames = self._end_ns = 0

    def findings(self) -> Iterator[tuple[list[Finding], int]]:
        """Yield findings as they are settled, with the number of rows since the last ones.

        Raises:
            DependentError: One process must judge the captures; what was yielded so far is right.
            StreamsharkError: A process has ended early.
        """
        for each in self.reading.released():
            for found in self._joined(each):
                yield found, 0
            yield [], len(each.rows.keys)
        self._finish()
        yield self.judge.findings(), 0

    def conversations(self) -> Iterator[tuple[list[Conversation], int]]:
        """Yield conversations as they end, with the number of rows since the last ones.

        Raises:
            DependentError: One process must read the captures; what was yielded so far is right.
            StreamsharkError: A process has ended early.
        """
        for each in self.released():
            yield self.ended(), len(each.rows.keys)
        yield self.ended(), 0

    def released(self) -> Iterator[Released]:
        """Yield rows as they are released, once what is left for them is evaluated.

        Raises:
            DependentError: One process must read the captures; what was yielded so far is right.
            StreamsharkError: A process has ended early.
        """
        for each in self.reading.released():
            self._place(each.rows.keys)
            for source, group in self._groups(_lefts(each)):
                self._joiner.add(source, group)
            yield each
        self._finish()

    def ended(self) -> list[Conversation]:
        """Return the conversations that have ended since the last call."""
        return self._joiner.conversations()

    @property
    def clients(self) -> dict[int, int]:
        """Number of a connection to the side of its client, if it is known."""
        return self._joiner.clients

    @property
    def addresses(self) -> dict[int, tuple[str, str]]:
        """Number of a connection to the addresses of its sides."""
        return self._joiner.addresses

    @property
    def results(self) -> list[ShareResult]:
        """Results of the processes, once all rows are judged."""
        return self.reading.results

    @property
    def problems(self) -> int:
        """Number of rows with problems."""
        return sum(each.problems for each in self.results)

    @property
    def capped(self) -> Counter[str]:
        """Limits that were reached, to the number of entries that were dropped."""
        sums = Counter(self._joiner.capped) + self.judge.capped
        return sum((each.capped for each in self.results), sums)

    @property
    def incomplete(self) -> Counter[str]:
        """What was not captured to the number of connections of which it is missing."""
        return sum((each.incomplete for each in self.results), Counter())

    def _joined(self, released: Released) -> Iterator[list[Finding]]:
        """Evaluate what was left for rows that were released together; yield findings."""
        keys, judge = released.rows.keys, self.judge
        self._place(keys)
        at = 0
        for source, group in self._groups(_lefts(released)):
            while judge.ready and at < len(keys) and _position(keys[at]) < group.at[:5]:
                if not keys[at][2] % EVERY:
                    yield judge.findings()
                at += 1
            self._joiner.add(source, group)
            if judge.ready:
                at = bisect_left(keys, group.at[:5], at, key=_position)
        for key in keys[at:]:
            if judge.ready and not key[2] % EVERY:
                yield judge.findings()

    def _place(self, keys: Sequence[Key]) -> None:
        """Note which packets completed frames."""
        frames = [key for key in keys if key[7] >= 0]
        if frames:
            files, packets = [key[1] for key in frames], [key[2] for key in frames]
            self.judge.places.add(self._frames + 1, files, packets)
            self._frames += len(frames)
        self._note_end(keys)

    def _note_end(self, keys: Sequence[Key]) -> None:
        """Note the time of the last row."""
        if keys:
            self._end_ns = keys[-1][0]

    def _groups(self, lefts: Sequence[Left]) -> Iterable[tuple[int, RecordGroup]]:
        """Return the groups of all processes in order, each with its source."""
        for source, left in enumerate(lefts):
            self._joiner.learn(source, left)
        found = [
            (group.at, source, group) for source, left in enumerate(lefts) for group in left.groups
        ]
        found.sort(key=itemgetter(0))
        return ((source, group) for _, source, group in found)

    def _finish(self) -> None:
        """Evaluate what the end of the captures made connections leave."""
        self._joiner.reach(self._end_ns)
        for source, group in self._groups([each.left for each in self.results]):
            self._joiner.add(source, group)
        servers = frozenset[str]().union(*(each.servers for each in self.results))
        self.judge.attempts.reach(servers)
        self._joiner.finish(self._end_ns)


def _lefts(released: Released) -> list[Left]:
    """Return what each process has left for rows that were released together."""
    return [_read(left) for left, *_ in released.made]


def _written(left: Left) -> bytes:
    """Return what connections have left as bytes; plain tuples are quicker to write."""
    return pickle.dumps((list(map(tuple, left.groups)), left.texts), pickle.HIGHEST_PROTOCOL)


def _read(left: bytes) -> Left:
    """Return what `_written` has written."""
    groups, texts = pickle.loads(left)  # noqa: S301 - from our own processes
    return Left(list(map(RecordGroup._make, groups)), texts)


def _position(key: Key) -> Position:
    """Return the position of a row, without its turn."""
    return key[0], AT, *key[1:4]
