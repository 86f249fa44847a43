"""Makes findings of what the engine's watches see.

One finding for each rule and object: the message is of the first time, later times are counted and
bring their frames. It is handed out when the connection ends, since bytes that turn out to be
lost can still explain it; for rules that count by value (`per`) at the end of the captures. An
echo is attached to the finding whose fault it repeats.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.state import NOBODY, ConnectionState
from streamshark.conversations.summary import told
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import MOST_FRAMES, Finding, Severity
from streamshark.findings.rule import Rule
from streamshark.findings.tcp import FailedAttempts

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Name

MOST_KEYED: Final = 10_000
"""Most findings of rules that count by value; more are counted as capped."""
MOST_DOUBTFUL: Final = 256
"""Most findings of ended objects that wait for the end of their connection."""
MOST_APART_NS: Final = 60_000_000_000
"""Time after an error within which something may be its consequence although no rule names it: the
longest that peers wait before they give up, the heartbeat that RabbitMQ offers."""
_LOSSLESS: Final = frozenset(("whole", "object", "since"))
REPEATED: Final = 10
"""Times within `REPEATED_NS` from which what a rule calls worse when it is repeated is so."""
REPEATED_NS: Final = 10_000_000_000
MOST_FLOWS: Final = 4096
"""Connections that are remembered of a finding over many of them."""
REMEMBERED: Final = 1 << 16
"""Frames back from the latest whose packets are known."""


_Key = tuple[str, int, Any]
"""Protocol, number of a rule, and the value by which it counts over all connections."""


class Draft:
    """A finding that may still grow."""

    __slots__ = ("cause", "conn", "count", "echoes", "file", "flow", "flows", "frames", "is_echo",
                 "last_ns", "message", "packets", "protocol", "rule", "severity", "subject",
                 "time_ns", "times", "waits")  # fmt: skip

    def __init__(self, rule: Rule, conn: ConnectionState, time_ns: int) -> None:
        self.rule = rule
        self.severity = rule.severity
        self.protocol = conn.protocol
        self.file = conn.file
        self.flow = conn.flow
        self.flows: dict[int, None] = {}
        """Connections on which it was noticed, where it counts by value."""
        self.time_ns = time_ns
        self.last_ns = time_ns
        """When it was noticed last."""
        self.conn = conn
        self.subject: Any = None
        """The object that it is about, which may get its conversation's name later."""
        self.message = ""
        self.cause = rule.cause
        self.packets: tuple[int, ...] = ()
        self.frames: dict[int, None] = {}
        self.count = 0
        self.echoes: list[Draft] = []
        self.times: deque[int] = deque(maxlen=REPEATED)
        """When it was noticed, the last times."""
        self.is_echo = False
        """Whether it is attached to another one."""
        self.waits = False
        """Whether its object has ended, so that it waits for the end of the connection."""

    def again(self, time_ns: int) -> None:
        """Count one more time, and be more severe where there were many in short time."""
        self.count += 1
        self.last_ns = time_ns
        if self.rule.worsens and self.severity is self.rule.severity:
            self.times.append(time_ns)
            if len(self.times) == REPEATED and time_ns - self.times[0] <= REPEATED_NS:
                self.severity = self.severity.worse

    def is_doubtful(self, since: int) -> bool:
        """Whether it is proved only where nothing was lost since some time."""
        return self.time_ns >= since and self.is_lossless

    @property
    def is_lossless(self) -> bool:
        """Whether it is proved only where nothing was lost."""
        return not _LOSSLESS.isdisjoint(self.rule.needs.split())

    @property
    def conversation(self) -> str | None:
        """Id of the object's conversation, else of the connection's."""
        name: Name | None = getattr(self.subject, "name", None) or self.conn.name
        return str(name) if name else None

    def finding(self) -> Finding:
        """The frozen record."""
        return Finding(
            rule=self.rule.id, severity=self.severity.value, group=self.rule.group.value,
            protocol=self.protocol, file=self.file, flow=self.flow, frames=tuple(self.frames),
            packets=self.packets,
            conversation=self.conversation,
            message=self.message, cause=self.cause, source=self.rule.source,
            time_ns=self.time_ns, count=self.count,
            echoes=tuple(each.finding() for each in self.echoes),
        )  # fmt: skip


class Judge:
    """Takes what watches see, gives findings. `silenced` are ids of rules not to hear of."""

    def __init__(self, silenced: frozenset[str] = frozenset()) -> None:
        self.capped: Counter[str] = Counter()
        self.silenced = silenced
        self.ready: list[Draft] = []
        self.attempts = FailedAttempts(silenced)
        """Attempts to connect that failed."""
        self._over: list[Finding] = []
        """What is known at the end alone."""
        self._keyed: dict[_Key, Draft] = {}
        self._ended: list[Draft] = []
        """Those over many connections, once the captures have ended."""
        self._noticed: dict[ConnectionState, deque[tuple[_Key, int, list[int]]]] = {}
        """Connection to what was noticed on it last of those: of which, when, in which frames."""
        self._of_conn: dict[ConnectionState, list[_Key]] = {}
        """Connection to those that can only be about itself, for their values begin with it."""
        self.packets = [0] * REMEMBERED
        """Which packet completed a frame, at its number modulo; whoever feeds rows says so."""
        self.latest = 0
        """Number of the latest of them."""
        self._row: Row | None = None
        """The row of which something was noticed last."""
        self._is_named = False
        """Whether a rule that is not general has found a fault in it."""
        self._general: list[tuple[Any, ...]] = []
        """What general rules say of it."""

    def frame(self, number: int, packet: int) -> None:
        """Remember which packet completed a frame."""
        self.latest = number
        self.packets[number % REMEMBERED] = packet

    def frames(self, rows: Iterable[Row]) -> None:
        """The same for many rows, numbered one after the other."""
        rows = list(rows)
        frames = [row for row in rows if row.__class__ is FrameRow]
        if len(frames) < len(rows):
            for row in rows:
                self.attempts.take(row)
        if not frames:
            return
        self.latest = frames[-1].number
        packets = [row.packet for row in frames]
        start = frames[0].number % REMEMBERED
        if start + len(packets) <= REMEMBERED:
            self.packets[start : start + len(packets)] = packets
        else:
            for at, packet in enumerate(packets, start):
                self.packets[at % REMEMBERED] = packet

    def notice(  # noqa: PLR0913, PLR0917 - what the engine says
        self,
        program: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: ConnectionState,
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """A watch has seen what it waits for."""
        if row is not self._row:
            self._next(row)
        read = program.watches[index]
        rule = read.table
        if not isinstance(rule, Rule):
            return
        if rule.is_general:
            self._general.append((read, index, subject, conn, t, row, frames, values))
            return
        self._is_named = True
        drafts = getattr(subject, "drafts", None)
        known = None if drafts is None else drafts.get(index)
        if known is not None and known.packets and len(known.frames) == MOST_FRAMES:
            known.again(t)  # nothing more is told of it
            return
        self._take(read, index, subject, conn, t, row, frames, values)

    def _next(self, row: Row | None) -> None:
        """Another row: what general rules said of the last one counts where no other named it."""
        said = () if self._is_named else tuple(self._general)
        self._row, self._is_named = row, False
        self._general.clear()
        for each in said:
            self._take(*each)

    def _take(  # noqa: PLR0913, PLR0917 - as `notice`
        self,
        read: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: ConnectionState,
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """Add to the finding of a rule and an object."""
        rule = read.table
        if rule.id in self.silenced:
            return
        draft = self._draft(rule, index, subject, conn, t)
        if draft is None:
            return
        if not draft.count:
            message = read.values["message"]
            holes = len(message.holes)
            draft.message = told(message, values[:holes], row)
            if rule.by:
                draft.cause = rule.causes.get(values[holes], rule.cause)
            draft.subject = subject
        draft.again(t)
        fresh = [each for each in frames if each is not None and each not in draft.frames]
        del fresh[MOST_FRAMES - len(draft.frames) :]
        draft.frames.update(dict.fromkeys(fresh))
        if isinstance(subject, tuple) and not draft.is_echo:
            noticed = self._noticed.setdefault(conn, deque(maxlen=MOST_FRAMES))
            noticed.append(((conn.protocol, index, subject[1]), t, fresh))
        if not draft.packets:
            draft.packets = self._of(row, frames, draft)
        if 0 < len(draft.packets) < MOST_FRAMES:
            shown = [*map(self._packet, fresh), *_of_event(row, draft.file)]
            draft.packets = tuple(dict.fromkeys((*draft.packets, *filter(None, shown))))

    def let_go(self, thing: Any, conn: ConnectionState | None) -> None:  # noqa: ANN401 - any object
        """An object has ended: its findings are ready."""
        ended = _own(thing)
        if conn is None:
            self.ready += ended
        elif thing is conn:
            self.ready += conn.findings or ()
            conn.findings = None
            keys = self._of_conn.pop(conn, ())
            self.ready += (self._keyed.pop(key) for key in keys if key in self._keyed)
            self._noticed.pop(conn, None)
            for side in conn.sides:
                ended += _own(side)
            self.ready += ended
        elif ended:
            self._wait(conn, ended)

    def _wait(self, conn: ConnectionState, drafts: list[Draft]) -> None:
        """Keep findings of ended objects until their connection ends, or there are too many."""
        for each in drafts:
            each.waits = True
        if conn.findings is None:
            conn.findings = drafts
        else:
            conn.findings += drafts
        if len(conn.findings) > MOST_DOUBTFUL:
            self.ready += conn.findings
            conn.findings = None

    def doubt(self, conn: ConnectionState, side: Any, things: Iterable[Any]) -> None:  # noqa: ANN401 - a side
        """Bytes of a side are missing: what was noticed since its last frame may be no fault.

        A hole in the capture is known for what it is only some time after what its bytes brought.
        """
        since = side.last_t if side.last_t is not None else 0
        for thing in (conn, *conn.sides, *things):
            for index, draft in list((thing.drafts or {}).items()):
                if draft.is_doubtful(since):
                    del thing.drafts[index]
        if conn.findings:
            conn.findings = [each for each in conn.findings if not each.is_doubtful(since)]
        if conn.faults:
            conn.faults = {
                name: each for name, each in conn.faults.items() if not each.is_doubtful(since)
            }
        noticed = self._noticed.get(conn)
        while noticed and noticed[-1][1] >= since:
            key, _, frames = noticed.pop()
            draft = self._keyed.get(key)
            if draft is not None and draft.is_lossless:
                self._withdraw(key, draft, frames)

    def _withdraw(self, key: _Key, draft: Draft, frames: list[int]) -> None:
        """Take back what was noticed once of a finding over many connections."""
        draft.count -= 1
        if not draft.count:
            del self._keyed[key]
            return
        for each in frames:
            draft.frames.pop(each, None)
        draft.packets = tuple(filter(None, map(self._packet, draft.frames))) or draft.packets

    def finish(self) -> None:
        """The captures have ended."""
        self._next(None)
        self._ended += self._keyed.values()
        self.ready += self._ended
        self._keyed.clear()
        self._noticed.clear()
        self._of_conn.clear()
        self._over = self.attempts.findings()
        if self.attempts.capped:
            self.capped["endpoints"] += self.attempts.capped

    def pending(self, flow: int) -> list[str]:
        """Rules whose findings began on a connection and are handed out at the end alone."""
        over = (*self._keyed.values(), *self._ended)
        found = (each.rule.id for each in over if flow in each.flows)
        return list(dict.fromkeys(found))

    def findings(self) -> list[Finding]:
        """What is ready since last asked, by the first guilty frame."""
        self._next(None)
        ready = sorted(self.ready, key=lambda each: (each.time_ns, next(iter(each.frames), 0)))
        self.ready.clear()
        over, self._over = self._over, []
        return [*(each.finding() for each in ready), *over]

    def _draft(
        self,
        rule: Rule,
        index: int,
        subject: Any,  # noqa: ANN401 - see notice
        conn: ConnectionState,
        t: int,
    ) -> Draft | None:
        if isinstance(subject, tuple):
            return self._of_value(rule, (conn.protocol, index, subject[1]), conn, t)
        thing = conn if subject is NOBODY or not hasattr(subject, "drafts") else subject
        drafts = thing.drafts
        if drafts is None:
            drafts = thing.drafts = {}
        found = drafts.get(index)
        if found is None:
            found = drafts[index] = self._consequence(rule, conn, t) or Draft(rule, conn, t)
            if found.is_echo:
                return found
            if getattr(thing, "over", False) and thing is not conn:
                self._wait(conn, [found])  # nobody will ask it any more
            _blame(found, conn)
        return found

    def _of_value(self, rule: Rule, key: _Key, conn: ConnectionState, t: int) -> Draft | None:
        """Return the finding of a value over all connections, None where there are too many."""
        found = self._keyed.get(key)
        if found is None:
            if len(self._keyed) >= MOST_KEYED:
                self.capped["findings"] += 1
                return None
            found = self._consequence(rule, conn, t)
            if found is not None:
                return found
            found = self._keyed[key] = Draft(rule, conn, t)
            if rule.per.split(",")[0].strip() == "flow":
                self._of_conn.setdefault(conn, []).append(key)
        _blame(found, conn)
        if len(found.flows) < MOST_FLOWS:
            found.flows[conn.flow] = None
        return found

    def _consequence(self, rule: Rule, conn: ConnectionState, t: int) -> Draft | None:
        """Return a finding as the consequence of an earlier one, None where it has no such cause.

        A cause on many connections has one consequence of a rule, which is counted.
        """
        cause = self._cause(rule, conn, t)
        if cause is None:
            return None
        for each in cause.echoes:
            if each.rule is rule and each.conn is not conn:
                return each
        draft = Draft(rule, conn, t)
        draft.is_echo = True
        cause.echoes.append(draft)
        return draft

    def _cause(self, rule: Rule, conn: ConnectionState, t: int) -> Draft | None:
        """Return the finding of which one at a time is a consequence, None without one.

        A finding that the rule names may be of any time, an unnamed error must be a recent one.
        """
        for name in rule.echo_of.split():
            found: Draft | None = (conn.faults or {}).get(name)
            if found is None or found.rule is rule or len(found.echoes) >= MOST_FRAMES:
                continue
            if name != "error" or t - found.last_ns <= MOST_APART_NS:
                return found
        return None

    def _of(self, row: Row | None, frames: tuple[int | None, ...], draft: Draft) -> tuple[int, ...]:
        """Packets of the guilty frame, or of the event."""
        guilty = next((each for each in frames if each is not None), None)
        if row is not None and (guilty is None or guilty == getattr(row, "number", 0)):
            draft.file = row.file
            return tuple(row.packets)
        packet = 0 if guilty is None else self._packet(guilty)
        return (packet,) if packet else ()

    def _packet(self, number: int) -> int:
        """Return the packet that completed a frame, 0 where it is no longer known."""
        if number <= self.latest - REMEMBERED:
            return 0  # a later frame stands in its place
        return self.packets[number % REMEMBERED]


def _blame(draft: Draft, conn: ConnectionState) -> None:
    """Let what follows on a connection be a consequence of a finding."""
    if conn.faults is None:
        conn.faults = {}
    conn.faults[draft.rule.id] = draft
    if draft.rule.severity is Severity.ERROR:
        conn.faults["error"] = draft


def _of_event(row: Row | None, file: int) -> Sequence[int]:
    """Return the packets of a row of a file that is an event, none of a frame."""
    if row is None or row.__class__ is FrameRow or row.file != file:
        return ()
    return row.packets


def _own(thing: Any) -> list[Draft]:  # noqa: ANN401 - an object or a side
    """The findings of an object that has ended, but those that are handed out otherwise."""
    drafts, thing.drafts = thing.drafts, None
    return [each for each in (drafts or {}).values() if not each.is_echo and not each.waits]
