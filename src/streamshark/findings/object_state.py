"""State of the objects that facts concern, object by object, between two captures.

It consists of plain values, so that the next evaluators may divide the objects otherwise.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from streamshark.conversations.conversation import Name
from streamshark.conversations.cross_links import OLDEST_NS, EndedObject
from streamshark.conversations.object_slots import set_slots, slot_values
from streamshark.conversations.split_code import LINKS
from streamshark.conversations.state import ConnectionState, TrackedObject
from streamshark.findings.fact_groups import ObjectKey
from streamshark.findings.joined_records import RecordJoiner

OBJECT, BURST, LINK, OWN, CONNECTION, SIDE = range(6)
"""Kinds of state: of an object that connections share, what a burst has counted, what leads a link;
of an object of a connection, of the connection itself, and of a side."""


class SavedObject(NamedTuple):
    """State of one object."""

    key: ObjectKey
    """The object, as facts name it."""
    kind: int
    state: tuple[Any, ...]


class LinkedObject:
    """An object of a connection, with what links need of it."""

    def __init__(self, flow: int, protocol: str, of: tuple[Any, ...], name: Name | None) -> None:
        self.flow, self.protocol = flow, protocol
        self.of = of
        """What stands for it in records."""
        self.name = name


def own_object(entity: TrackedObject) -> tuple[Any, ...]:
    """Return what stands in records for an object of a connection, where facts are evaluated."""
    given = entity.id, entity.over, entity.is_gone, entity.name
    return ("object", entity.lifecycle, given, False)


def linked_object(entity: Any) -> LinkedObject | None:  # noqa: ANN401 - what links know
    """Return an object that links know; None if its conversation has ended."""
    if isinstance(entity, LinkedObject):
        return entity
    conn = getattr(entity, "conn", None)
    if conn is None:
        return None
    of = ("conn",) if entity is conn else own_object(entity)
    return LinkedObject(conn.flow, conn.protocol, of, entity.name)


def saved_objects(
    joiner: RecordJoiner, named: Mapping[int, str], now_ns: int, gone: Container[int]
) -> Iterator[SavedObject]:
    """Yield the state of each object of an evaluation of facts.

    Args:
        joiner: The evaluation.
        named: Number of a shared object that records name to its protocol.
        now_ns: The time in ns that it has reached.
        gone: Connections that leave nothing more.
    """
    for protocol, program in joiner.programs.items():
        for name, key, is_recent, slots in program.shared_slots():
            if slots.get("number") not in named:
                slots.pop("number", None)
            yield SavedObject((protocol, name, key), OBJECT, (is_recent, slots))
        for index, key, times in program.bursts(now_ns):
            name = program.model.repeats[index].table.name
            yield SavedObject((protocol, name, key), BURST, (index, times))
    for place, (entity, flow, t) in joiner.links.facts.items():
        if now_ns - t <= OLDEST_NS:
            found = linked_object(entity)
            of = None if found is None else (found.protocol, found.of)
            yield SavedObject(("", LINKS, place), LINK, (flow, t, of, entity.name))
    for flow, protocol, conn in joiner.connections:
        if flow not in gone:
            yield from _of_connection(flow, protocol, conn)


def _of_connection(flow: int, protocol: str, conn: ConnectionState) -> Iterator[SavedObject]:
    """Yield the state that a connection and its objects have got from shared objects."""
    program: Any = conn.program
    fresh = program.meet(flow, conn.t, start=False)
    if slots := slot_values(conn, fresh):
        yield SavedObject((protocol, "conn", flow, 0), CONNECTION, (conn.t, slots))
    for at, (side, other) in enumerate(zip(conn.sides, fresh.sides, strict=True)):
        if slots := slot_values(side, other):
            yield SavedObject((protocol, "side", flow, at), SIDE, (conn.t, slots))
    for number, entity in conn.kept.items():
        new = program.kinds[entity.lifecycle](conn, number, "unknown", 0, None)
        if slots := slot_values(entity, new):
            key = (protocol, entity.lifecycle, flow, number)
            yield SavedObject(key, OWN, (conn.t, slots))


def restore_object(joiner: RecordJoiner, saved: SavedObject) -> Any:  # noqa: ANN401 - an object
    """Put the state of an object into an evaluation; return the object, if it is shared."""
    key, kind, state = saved
    protocol: Any = key[0]
    if kind == LINK:
        _restore_link(joiner, key[2], *state)
    elif kind == OBJECT:
        name: Any = key[1]
        is_recent, slots = state
        program = joiner.program(protocol)
        return program.put_shared(name, key[2], slots, is_recent=is_recent)
    elif kind == BURST:
        index, times = state
        joiner.program(protocol).put_burst(index, key[2], times)
    else:
        _restore_own(joiner, key, kind, *state)
    return None


def _restore_link(
    joiner: RecordJoiner,
    place: Any,  # noqa: ANN401 - any key
    flow: int,
    t: int,
    of: tuple[str, tuple[Any, ...]] | None,
    name: Name | None,
) -> None:
    entity = EndedObject(name) if of is None else LinkedObject(flow, *of, name)
    joiner.links.put(place, entity, flow, t)


def _restore_own(
    joiner: RecordJoiner, key: tuple[Any, ...], kind: int, t: int, slots: Mapping[str, Any]
) -> None:
    protocol, name, flow, number = key
    conn = joiner.met(flow, protocol, t)
    if kind == CONNECTION:
        set_slots(conn, slots)
    elif kind == SIDE:
        set_slots(conn.sides[number], slots)
    else:
        entity = joiner.program(protocol).kept(conn, name, (number, False, False, None))
        set_slots(entity, slots)
