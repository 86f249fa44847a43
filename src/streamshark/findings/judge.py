"""Make findings of the matches of rules.

There is one finding for each rule and object: the message is that of the first match; later matches
are counted and add their frames. A finding is returned when the connection ends, since bytes that
turn out to be lost can still explain it; findings of rules that count by value (`per`) are returned
at the end of the captures. A consequence is attached to the finding that caused it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.state import ConnectionState, PeerState, TrackedObject
from streamshark.conversations.summary import rendered
from streamshark.conversations.tables import Relief
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.findings.connection_findings import ConnectionFindings, NoticedMatches, ValueKey
from streamshark.findings.draft import Draft
from streamshark.findings.finding import MOST_FRAMES, Finding, Severity
from streamshark.findings.frame_places import FramePlaces, KnownPlaces
from streamshark.findings.news import Changes, News
from streamshark.findings.rule import Rule
from streamshark.findings.tcp import FailedAttempts
from streamshark.findings.websocket import WebSocketEvents

if TYPE_CHECKING:
    from streamshark.findings.matches import RuleMatches

MOST_KEYED: Final = 10_000
"""Most findings of rules that count by value, further ones are counted as capped; and most of
shared objects that each of their connections names."""
MOST_DOUBTFUL: Final = 256
"""Most findings of ended objects that wait for the end of their connection."""
MOST_APART_NS: Final = 60_000_000_000
"""Most time in ns between an error and a finding that may be its consequence although no rule names
it: the longest that peers wait before they give up, the heartbeat that RabbitMQ offers."""
OBJECTS: Final = (TrackedObject, PeerState)
"""Classes of objects that have findings of their own; other findings belong to the connection."""
MOST_FLOWS: Final = 4096
"""Most connections that a finding over many of them remembers."""


class Judge:
    """Collector of findings from the matches of rules.

    `silenced` are ids of rules to leave out. With `follow`, `news` returns findings as they change,
    and not only once they are settled. With `matches`, the frames of all matches are noted.
    `places` knows the packets of frames; by default they are those that the caller adds.
    """

    def __init__(
        self,
        silenced: frozenset[str] = frozenset(),
        *,
        follow: bool = False,
        matches: bool = False,
        places: KnownPlaces | None = None,
    ) -> None:
        self.matches = _matches() if matches else None
        """The matches of rules by frame; None if they are not noted."""
        self.changes = Changes() if follow else None
        self.capped: Counter[str] = Counter()
        self.silenced = silenced
        self.ready: list[Draft] = []
        self.attempts = FailedAttempts(silenced)
        """Attempts to connect that failed."""
        self.websocket = WebSocketEvents(silenced)
        """Refused upgrades, and closes with an error."""
        self._over: list[tuple[Any, Finding]] = []
        """Findings, with their keys, that are settled only at the end of the captures."""
        self._keyed: dict[ValueKey, Draft] = {}
        self._ended: list[Draft] = []
        """Findings over many connections, once the captures have ended."""
        self._held: dict[Draft, None] = {}
        """Findings that are ready but for consequences that later connections may change."""
        self._joint: dict[Draft, None] = {}
        """Findings of shared objects that belong to more than one connection."""
        self._noticed: dict[ConnectionState, NoticedMatches] = {}
        """Connection to its matches of rules that count by value."""
        self._drafts: dict[Any, dict[int, Draft]] = {}
        """Object to its findings by rule: a connection, a side, or another open object."""
        self._connections: dict[ConnectionState, ConnectionFindings] = {}
        self._of_conn: dict[ConnectionState, list[ValueKey]] = {}
        """Connection to keys that begin with its flow, so that no other connection can match
        them."""
        self.places: KnownPlaces = FramePlaces() if places is None else places
        """Which packets completed the latest frames; set by the caller."""
        self._row: Row | None = None
        """The row of the last match."""
        self._is_named = False
        """Whether a rule that is not general has matched this row."""
        self._general: list[tuple[Any, ...]] = []
        """Matches of general rules on this row."""

    def state(self) -> dict[str, Any]:
        """Return the state so far, by name, without the silenced rules."""
        return {name: value for name, value in vars(self).items() if name != "silenced"}

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of an equal judge."""
        vars(self).update(state)

    def frame(self, number: int, file: int, packet: int) -> None:
        """Remember which packet of which file completed a frame."""
        self.places.add(number, [file], [packet])

    def event(self, row: Row) -> None:
        """Process an event of a connection that may have no frames."""
        self.attempts.take(row)
        self.websocket.take(row)

    def frames(self, rows: Iterable[Row]) -> None:
        """Remember the packets of many rows, numbered in sequence."""
        rows = list(rows)
        frames = [row for row in rows if row.__class__ is FrameRow]
        if len(frames) < len(rows):
            for row in rows:
                self.event(row)
        if not frames:
            return
        files, packets = [row.file for row in frames], [row.packet for row in frames]
        self.places.add(frames[0].number, files, packets)

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
        """Record that a rule's condition held on this row."""
        if row is not self._row:
            self._next(row)
        read = program.watches[index]
        rule = read.table
        if isinstance(rule, Relief):
            self._ease(subject, rule.eases, conn)
        if not isinstance(rule, Rule):
            return
        if rule.is_general:
            self._match(program, index, subject, conn, row, frames, values, None)
            self._general.append((read, index, subject, conn, t, row, frames, values))
            return
        self._is_named = True
        drafts = self._drafts.get(subject) if isinstance(subject, OBJECTS) else None
        known = None if drafts is None else drafts.get(index)
        if (
            known is not None and known.conn is conn
            and known.packets and len(known.frames) == MOST_FRAMES
        ):  # fmt: skip
            known.again(t)  # its frames and packets are full
            if self.changes is not None:
                self.changes.note(known)
        else:
            known = self._take(read, index, subject, conn, t, row, frames, values)
        self._match(program, index, subject, conn, row, frames, values, known)

    def _match(  # noqa: PLR0913, PLR0917 - as `notice`
        self,
        program: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: ConnectionState,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
        draft: Draft | None,
    ) -> None:
        """Note a match, if matches are noted, with the severity that it has raised, if any."""
        if self.matches is None:
            return
        own: Severity = program.watches[index].table.severity
        severity = own if draft is None else max(own, draft.severity, key=lambda each: each.rank)
        self.matches.note(program, index, subject, conn, row, frames, values, severity)

    def _next(self, row: Row | None) -> None:
        """Finish the last row: matches of general rules count if no other rule matched it."""
        matches = () if self._is_named else tuple(self._general)
        self._row, self._is_named = row, False
        self._general.clear()
        for each in matches:
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
    ) -> Draft | None:
        """Add a match to the finding of a rule and an object, and return that, if it is kept."""
        rule = read.table
        if rule.id in self.silenced:
            return None
        draft = self._draft(rule, index, subject, conn, t)
        if draft is None:
            return None
        if not draft.count:
            message = read.values["message"]
            holes = len(message.holes)
            draft.message = rendered(message, values[:holes], row)
            if rule.by:
                draft.cause = rule.causes.get(values[holes], rule.cause)
            draft.subject = subject
        draft.again(t)
        if self.changes is not None:
            self.changes.note(draft)
        fresh = [each for each in frames if each is not None and each not in draft.frames]
        del fresh[MOST_FRAMES - len(draft.frames) :]
        draft.frames.update(dict.fromkeys(fresh))
        if isinstance(subject, tuple) and draft.primary is None:
            noticed = self._noticed.get(conn)
            if noticed is None:
                noticed = self._noticed[conn] = NoticedMatches()
            noticed.add((conn.protocol, index, subject[1]), t, fresh)
        if not draft.packets:
            draft.packets = self._packets(row, frames, draft)
        if 0 < len(draft.packets) < MOST_FRAMES:
            shown = [*self._packets_of(fresh, draft.file), *_of_event(row, draft.file)]
            draft.packets = tuple(dict.fromkeys((*draft.packets, *filter(None, shown))))
        return draft

    def _ease(self, subject: Any, index: int, conn: ConnectionState) -> None:  # noqa: ANN401 - as `notice`
        """Make a note of the finding of a rule and an object: it ended well."""
        if isinstance(subject, tuple):
            draft = self._keyed.get((conn.protocol, index, subject[1]))
        else:
            draft = self._drafts.get(subject, {}).get(index)
        if draft is not None and draft.ease() and self.changes is not None:
            self.changes.note(draft)

    def let_go(self, entity: Any, conn: ConnectionState | None) -> None:  # noqa: ANN401 - any object
        """Take the findings of an object that has ended; those of a connection become ready."""
        ended = self._own(entity)
        if conn is None:
            self._make_ready(ended)
        elif entity is conn:
            self._make_ready(self._of(conn).take_ended())
            keys = self._of_conn.pop(conn, ())
            self._make_ready(self._keyed.pop(key) for key in keys if key in self._keyed)
            self._noticed.pop(conn, None)
            for side in conn.sides:
                ended += self._own(side)
            self._make_ready(ended)
        elif ended:
            self._wait(conn, ended)

    def forget(self, conn: ConnectionState) -> None:
        """Drop the state of a connection that cannot match any more."""
        known = self._connections.pop(conn, None)
        for entity in () if known is None else known.late:
            self._drafts.pop(entity, None)

    def _own(self, entity: Any) -> list[Draft]:  # noqa: ANN401 - an object or a side
        """Remove and return an object's findings, except those that become ready otherwise."""
        drafts = self._drafts.pop(entity, {})
        for each in drafts.values():
            self._close_echo(each, entity)
        return [each for each in drafts.values() if each.primary is None and not each.waits]

    def _open_echo(self, draft: Draft, entity: Any) -> None:  # noqa: ANN401 - an object
        """Note that a consequence may change: later connections may match its object."""
        if draft.primary is not None and _is_shared(entity) and not entity.is_gone:
            draft.open_echoes += 1
            draft.primary.open_echoes += 1

    def _close_echo(self, draft: Draft, entity: Any) -> None:  # noqa: ANN401 - an object
        """Note that a finding of an object does not change any more, if it is a consequence."""
        cause = draft.primary
        if cause is not None and draft.open_echoes and _is_shared(entity):
            draft.open_echoes -= 1
            cause.open_echoes -= 1
            if not cause.open_echoes and cause in self._held:
                del self._held[cause]
                self.ready.append(cause)

    def _make_ready(self, drafts: Iterable[Draft]) -> None:
        """Make findings ready, once later connections cannot change their consequences."""
        for each in drafts:
            if each.open_echoes:
                self._held[each] = None
            else:
                self.ready.append(each)

    def _of(self, conn: ConnectionState) -> ConnectionFindings:
        """Return the state of a connection, made on first use."""
        found = self._connections.get(conn)
        if found is None:
            found = self._connections[conn] = ConnectionFindings()
        return found

    def _wait(self, conn: ConnectionState, drafts: list[Draft]) -> None:
        """Keep findings of ended objects until their connection ends, or there are too many."""
        for each in drafts:
            each.waits = True
        waiting = self._of(conn)
        waiting.ended += drafts
        if len(waiting.ended) > MOST_DOUBTFUL:
            self._make_ready(waiting.take_ended())

    def doubt(self, conn: ConnectionState, since: int, entities: Iterable[Any]) -> None:
        """Withdraw matches since a time, that of the last frame before bytes that are missing.

        A hole in the capture is recognised only some time after the frames around it were
        processed.
        """
        known = self._connections.get(conn)
        shared = () if known is None else known.shared
        for entity in (conn, *conn.sides, *entities, *shared):
            drafts = self._drafts.get(entity, {})
            for index, draft in list(drafts.items()):
                if draft.conn is conn and draft.is_doubtful(since):
                    self._close_echo(draft, entity)
                    self._withdraw(drafts.pop(index))
        if known is not None:
            for draft in known.doubt(since):
                self._withdraw(draft)
        noticed = self._noticed.get(conn)
        for key, count, frames in () if noticed is None else noticed.take_since(since):
            keyed = self._keyed.get(key)
            if keyed is not None and keyed.is_lossless:
                self._take_back(key, keyed, count, frames)

    def _withdraw(self, draft: Draft) -> None:
        """Note that a finding was withdrawn."""
        self._joint.pop(draft, None)
        if self.changes is not None:
            self.changes.withdraw(draft)

    def _take_back(self, key: ValueKey, draft: Draft, count: int, frames: list[int]) -> None:
        """Remove matches from a finding over many connections."""
        draft.count -= count
        if not draft.count:
            self._withdraw(self._keyed.pop(key))
            return
        for each in frames:
            draft.frames.pop(each, None)
        draft.packets = tuple(self._packets_of(draft.frames, draft.file)) or draft.packets
        if self.changes is not None:
            self.changes.note(draft)

    def finish(self) -> None:
        """Make all findings ready: the captures have ended."""
        self._next(None)
        self._ended += self._keyed.values()
        self.ready += [*self._held, *self._ended]
        self._held.clear()
        self._keyed.clear()
        self._noticed.clear()
        self._of_conn.clear()
        self._over = [*self.attempts.findings(), *self.websocket.findings()]
        if self.attempts.capped:
            self.capped["endpoints"] += self.attempts.capped
        if self.websocket.capped:
            self.capped["findings"] += self.websocket.capped

    def pending(self, flow: int) -> list[str]:
        """Return rules, sorted, with findings of a connection that belong to others as well."""
        over = (*self._keyed.values(), *self._joint, *self._ended)
        return sorted({each.rule.id for each in over if flow in each.flows})

    def findings(self) -> list[Finding]:
        """Return the findings that were settled since the last call, by the first guilty frame."""
        return [finding for _, finding in self._settled()]

    def news(self) -> list[News]:
        """Return the changes of findings since the last call; needs `follow`.

        Raises:
            StreamsharkError: The judge was made without `follow`.
        """
        changes = self._followed()
        self._next(None)
        settled = self._settled()
        news = changes.take()
        fresh = (*self.attempts.changed(), *self.websocket.changed())
        news += [changes.of(*each) for each in fresh]
        return news + changes.settle(settled)

    def settled(self, findings: Iterable[Finding]) -> list[News]:
        """Return the changes of findings that were made outside the engine; needs `follow`."""
        return self._followed().settle((each, each) for each in findings)

    def _followed(self) -> Changes:
        if self.changes is None:
            raise StreamsharkError("following findings needs follow=True")
        return self.changes

    def open(self) -> list[Draft]:
        """Return the findings that are not settled."""
        drafts = {each: None for found in self._drafts.values() for each in found.values()}
        for known in self._connections.values():
            drafts |= dict.fromkeys(known.ended)
        return list(drafts | self._held | dict.fromkeys(self._keyed.values()))

    def _settled(self) -> list[tuple[Any, Finding]]:
        """Return and remove the findings that are ready, with their keys."""
        self._next(None)
        ready = sorted(self.ready, key=lambda each: (each.time_ns, next(iter(each.frames), 0)))
        self.ready.clear()
        for each in ready:
            each.is_settled = True
        over, self._over = self._over, []
        return [*((each, each.finding()) for each in ready), *over]

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
        entity = subject if isinstance(subject, OBJECTS) else conn
        drafts = self._drafts.setdefault(entity, {})
        found = drafts.get(index)
        if found is None:
            found = drafts[index] = self._consequence(rule, conn, t) or Draft(rule, conn, t)
            if entity is not conn and isinstance(entity, TrackedObject):
                if entity.is_gone:
                    self._of(conn).late.append(entity)
                elif entity.conn is None:
                    self._of(conn).shared[entity] = None
            if found.primary is not None:
                self._open_echo(found, entity)
                return found
            if getattr(entity, "over", False) and entity is not conn:
                self._wait(conn, [found])  # it has ended: `let_go` was called before
            self._of(conn).blame(found)
        elif found.conn is not conn and found.primary is None:
            self._share(found, conn)  # it began on another connection
            if len(self._joint) < MOST_KEYED:
                self._joint[found] = None
        return found

    def _of_value(self, rule: Rule, key: ValueKey, conn: ConnectionState, t: int) -> Draft | None:
        """Return the finding of a value over all connections; None if there are too many."""
        found = self._keyed.get(key)
        if found is None:
            if len(self._keyed) >= MOST_KEYED:
                self.capped["findings"] += 1
                return None
            found = self._consequence(rule, conn, t, key)
            if found is not None:
                return found
            found = self._keyed[key] = Draft(rule, conn, t)
            if rule.per.split(",")[0].strip() == "flow":
                self._of_conn.setdefault(conn, []).append(key)
        self._share(found, conn)
        return found

    def _share(self, found: Draft, conn: ConnectionState) -> None:
        """Note that a finding belongs to a connection, besides others."""
        self._of(conn).blame(found)
        if len(found.flows) < MOST_FLOWS:
            found.flows[conn.flow] = None

    def _consequence(
        self, rule: Rule, conn: ConnectionState, t: int, value: ValueKey | None = None
    ) -> Draft | None:
        """Return a finding as the consequence of an earlier one; None if it has no such cause.

        A cause on many connections has one consequence for each rule, which is counted; so has a
        cause with several consequences of one value, if the rule counts by value.
        """
        cause = self._cause(rule, conn, t)
        if cause is None:
            return None
        for each in cause.echoes:
            if each.rule.id != rule.id:  # a restored state has rules of its own
                continue
            if each.conn is not conn or (value is not None and each.value == value):
                return each
        draft = Draft(rule, conn, t)
        draft.primary = cause
        draft.value = value
        cause.echoes.append(draft)
        return draft

    def _cause(self, rule: Rule, conn: ConnectionState, t: int) -> Draft | None:
        """Return the finding that caused a finding of `rule` at `t`; None without one.

        A cause that the rule names may be of any time; an `error` must be recent.
        """
        known = self._connections.get(conn)
        faults = {} if known is None else known.faults
        for name in rule.echo_of.split():
            found = faults.get(name)
            if found is None or found.rule.id == rule.id or len(found.echoes) >= MOST_FRAMES:
                continue
            if name != "error" or t - found.last_ns <= MOST_APART_NS:
                return found
        return None

    def _packets(
        self, row: Row | None, frames: tuple[int | None, ...], draft: Draft
    ) -> tuple[int, ...]:
        """Return the packets of the guilty frame, or of the event."""
        guilty = next((each for each in frames if each is not None), None)
        if row is not None and (guilty is None or guilty == getattr(row, "number", 0)):
            draft.file = row.file
            return tuple(row.packets)
        found = None if guilty is None else self.places.of(guilty)
        if found is None:
            return ()
        draft.file, packet = found
        return (packet,)

    def _packets_of(self, frames: Iterable[int], file: int) -> Iterator[int]:
        """Yield the packets of a file that completed frames, as far as they are known."""
        for found in map(self.places.of, frames):
            if found is not None and found[0] == file:
                yield found[1]


def _is_shared(entity: Any) -> bool:  # noqa: ANN401 - an object or a side
    """Return whether connections share an object."""
    return isinstance(entity, TrackedObject) and entity.conn is None


def _of_event(row: Row | None, file: int) -> Sequence[int]:
    """Return the packets of an event row of a file; none for a frame."""
    if row is None or row.__class__ is FrameRow or row.file != file:
        return ()
    return row.packets


def _matches() -> "RuleMatches":
    from streamshark.findings.matches import RuleMatches  # noqa: PLC0415 - few ask for it

    return RuleMatches()
