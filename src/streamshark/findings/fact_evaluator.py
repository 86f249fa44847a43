"""Matches of the facts of some objects: what the evaluation of all records finds for these."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, Final

from streamshark.conversations.conversation import Name
from streamshark.conversations.engine_state import END, ProtocolTables
from streamshark.conversations.split_code import shared_reference
from streamshark.conversations.state import ConnectionState, TrackedObject
from streamshark.dissection.row import Row
from streamshark.findings.connection_records import (
    AFTER,
    BEFORE,
    ENDS,
    FORGETS,
    LINKS,
    MATCHES,
    NO_ROW,
    SETTLES,
    Left,
    unshared,
)
from streamshark.findings.fact_groups import ObjectKey, RecordPart
from streamshark.findings.joined_records import RecordJoiner
from streamshark.findings.object_state import (
    OBJECT,
    SavedObject,
    linked_object,
    own_object,
    restore_object,
    saved_objects,
)

OWN: Final = -1
"""Source of what the end of the captures makes objects match."""


class FactEvaluator:
    """Evaluation of facts of some groups: parts with facts in, parts with matches out.

    `tables` are those of the engines that have left the facts; `number` is one of its own.
    """

    def __init__(self, tables: Iterable[ProtocolTables], number: int = 0) -> None:
        self.number = number
        self.met: dict[ObjectKey, ObjectKey] = {}
        """Objects that connections share and that facts have met, each with the group of the first
        of these facts."""
        self._group: ObjectKey = ()
        self._matches = _Matches(lambda: self._joiner.rows)
        self._joiner = RecordJoiner(tables, self._matches, self._meet, self._matches.link)
        self._parts: list[RecordPart] = []

    def learn(self, source: int, left: Left) -> None:
        """Learn the code of facts that one source has left."""
        self._joiner.learn(source, left)

    def add(self, part: RecordPart, group: ObjectKey) -> None:
        """Evaluate facts of a group; parts of all groups must come in their order.

        With them may be records of how connections are met, and that they are forgotten.
        """
        if part.at[0] != END:
            self.reach(part.at[0])
        self._group = group
        self._joiner.take_rows(part.rows)
        for place, record in part.records:
            if record[0] == FORGETS:
                self._joiner.forget(*record[1:])
            else:
                self._joiner.evaluate(part.source, record)
                self._put(part, place)

    def reach(self, time_ns: int) -> None:
        """Advance to a time in ns, as `RecordJoiner.reach` does."""
        self._matches.ends = True
        for hour_ns, place in self._joiner.hours(time_ns):
            self._put(RecordPart((hour_ns, BEFORE, -1, *place), OWN, self.number, [], []), 0)
        self._matches.ends = False

    def finish(self, end_ns: int) -> None:
        """End the objects: all facts were added, and the captures end at `end_ns`."""
        self._matches.ends = True
        for place in self._joiner.ends(end_ns):
            self._put(RecordPart((END, AFTER, 1, *place), OWN, self.number, [], []), 0)
        self._put(RecordPart((END, AFTER, 2), OWN, self.number, [], []), 0)

    # State between two captures

    def objects(self, now_ns: int, gone: Container[int] = ()) -> Iterator[SavedObject]:
        """Yield the state of each object after all facts until a time in ns.

        Args:
            now_ns: The time, which was reached.
            gone: Connections that leave nothing more.
        """
        yield from saved_objects(self._joiner, self._matches.named, now_ns, gone)

    def restore(self, saved: SavedObject, group: ObjectKey) -> None:
        """Continue with the state of an object that an earlier evaluator had; it is of a group."""
        entity = restore_object(self._joiner, saved)
        if saved.kind == OBJECT:
            self.met[saved.key] = group
            if entity.number:
                self._matches.named[entity.number] = str(saved.key[0])

    def continue_at(self, time_ns: int) -> None:
        """Continue at the time in ns that the earlier evaluators had reached."""
        for program in self._joiner.programs.values():
            program.continue_at(time_ns)

    def take(self) -> list[RecordPart]:
        """Return what was found since the last call, in order: it is joined with the others."""
        parts, self._parts = self._parts, []
        return parts

    def _meet(self, protocol: str, name: str, key: Any) -> None:  # noqa: ANN401 - any key
        group = self.met.setdefault((protocol, name, key), self._group)
        if self._matches.ends:  # it ends, and what it meets is of its group
            self._group = group

    def _put(self, part: RecordPart, place: int) -> None:
        """Add what one fact has made match."""
        if not self._matches.records:
            return
        found = [(place, each) for each in self._matches.take()]
        if self._parts and self._parts[-1][:3] == part[:3]:
            self._parts[-1].records.extend(found)
        else:
            self._parts.append(part._replace(records=found))


class _Matches:
    """Records of what matches, in the place of a judge.

    `rows` returns the rows that records may name.
    """

    def __init__(self, rows: Callable[[], Sequence[Row]]) -> None:
        self._rows = rows
        self.records: list[tuple[Any, ...]] = []
        """Those since they were taken last."""
        self.named: dict[int, str] = {}
        """Number of a shared object that records name to its protocol."""
        self.ends = False
        """Whether matches are of objects that have ended."""
        self._ending: ConnectionState | None = None
        """The connection that stands for that of the object that ends."""
        self._endings = 0

    def take(self) -> list[tuple[Any, ...]]:
        """Return the records since the last call."""
        records, self.records = self.records, []
        return records

    def notice(  # noqa: PLR0913, PLR0917 - what the engine says
        self,
        _program: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: ConnectionState,
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """Record that a condition held."""
        kind, place = MATCHES, NO_ROW
        if self.ends:
            self._endings += conn is not self._ending
            self._ending = conn
            kind, place = SETTLES, self._endings
        elif row is not None:
            place = next(at for at, each in enumerate(self._rows()) if each is row)
        of = self._subject(subject, conn)
        record = kind, conn.flow, conn.protocol, index, of, t, place, frames, values
        self.records.append(record)

    def link(self, entity: Any, name: Name) -> None:  # noqa: ANN401 - an object
        """Record that the conversation of an object of a connection is linked with another one."""
        found = linked_object(entity)
        if found is not None:
            self.records.append((LINKS, found.flow, found.protocol, found.of, name))

    def let_go(self, entity: Any, conn: ConnectionState | None) -> None:  # noqa: ANN401 - any object
        """Record that a shared object has ended, if records have named it."""
        if entity.number in self.named:
            flow = None if conn is None else conn.flow
            of = ("object", entity.lifecycle, shared_reference(entity), True)
            self.records.append((ENDS, flow, self.named[entity.number], of))

    def doubt(self, conn: ConnectionState, since: int, entities: Iterable[Any]) -> None:
        """Ignore bytes that are missing: the connection says so itself."""

    def forget(self, conn: ConnectionState) -> None:
        """Ignore the end of a connection, likewise."""

    def event(self, row: Row) -> None:
        """Ignore an event, likewise."""

    def finish(self) -> None:
        """Ignore the end of the captures, likewise."""

    def _subject(self, subject: Any, conn: ConnectionState) -> tuple[Any, ...]:  # noqa: ANN401 - as `notice`
        """Return what stands for the object of a match."""
        if isinstance(subject, TrackedObject) and subject is not conn:
            if subject.conn is None:
                given: Any = shared_reference(subject)
                self.named[subject.number] = conn.protocol
                return ("object", subject.lifecycle, given, True)
            return own_object(subject)
        return unshared(subject, conn)
