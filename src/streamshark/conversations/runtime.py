"""Functions that the generated code of handlers calls, by name."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

from streamshark.conversations import expression_functions
from streamshark.conversations.conversation import Annotation, Name
from streamshark.conversations.outstanding import Frames, OutstandingIds
from streamshark.conversations.state import NO_OBJECT, ConnectionState, PendingRequest, RequestQueue

MOST_FLOWS: Final = 64
"""Most connections that are listed for one shared object."""


def since(lost: int, frames: Iterable[int | None]) -> bool:
    """Return whether some frames come after the last one after the latest hole."""
    return all(each is None or each > lost for each in frames)


def doubt(conn: ConnectionState) -> str:
    """Return why a fact about a connection cannot be known; empty if everything was captured."""
    if not conn.start:
        return "the capture begins later"
    if not conn.both:
        return "only one side was captured"
    return "" if conn.whole else "bytes were lost"


def begin(conn: ConnectionState, me: Any, n: int, t: int) -> None:  # noqa: ANN401 - a side
    """Process the first frame of a side."""
    me.first_n, me.first_t = n, t
    conn.both = conn.both or bool(conn.sides[1 - me.side].frames)
    conn.see_both()
    if conn.name is None:
        conn.n = n
        type_ = conn.program.model.lifecycles["conn"].type or "connection"
        conn.name = Name(conn.flow, conn.position, type_)
        conn.base = None


def come_on(entity: Any, flow: int) -> None:  # noqa: ANN401 - an object that connections share
    """Add a connection to those of an object that connections share."""
    if entity is NO_OBJECT or flow in (entity.flows or ()):
        return
    if entity.flows is None:
        entity.flows = []
    if len(entity.flows) < MOST_FLOWS:
        entity.flows.append(flow)


def name_it(entity: Any, conn: ConnectionState, n: int, type_: str) -> None:  # noqa: ANN401 - an object
    """Begin a conversation of an object."""
    if entity is not NO_OBJECT:
        entity.name = Name(conn.flow, conn.position, type_)
        entity.n = n
        entity.base = None


def with_members(
    context: Mapping[str, Any], members: Iterable[tuple[str, Any]]
) -> Mapping[str, Any]:
    """Return a context with members of one row, without empty ones."""
    more = {name: value for name, value in members if value not in (None, "")}
    return {**context, **more} if more else context


def took(
    entity: Any,  # noqa: ANN401 - an object
    conn: ConnectionState,
    first: tuple[int, int],
    t: int,
    frames: Frames = None,
) -> Annotation:
    """Return the annotation of a row that acknowledges `first`, or all `frames`."""
    owner = conn if entity is NO_OBJECT or entity.name is None else entity
    if owner.base is not conn.context:
        conn.program.retell(owner, conn)
    annotation: Any = owner.annotation
    answers = tuple(frames) if frames and len(frames) > 1 else ()
    return Annotation(annotation.name, annotation.context, first[0], t - first[1], answers=answers)


def live(objects: Mapping[Any, Any], states: set[str]) -> int:
    """Return how many objects are in one of some states."""
    return sum(each.state in states for each in objects.values())


def requests_of(table: Any) -> list[PendingRequest]:  # noqa: ANN401 - two kinds of table
    """Return all requests of a table, in the order of their frames."""
    if isinstance(table, RequestQueue):
        return list(table)
    out: list[PendingRequest] = []
    for first in table.values():
        each: PendingRequest | None = first
        while each is not None:
            out.append(each)
            each = each.later
    return sorted(out, key=lambda request: request.n)


def oldest(table: dict[Any, Any], most: int) -> list[Any]:
    """Remove and return the oldest entries of a table that is too large.

    Several at once, since finding the first key of a dict passes all deleted entries before it.
    """
    keys = list(islice(table, max(1, most // 64)))
    return [table.pop(key) for key in keys]


def settle(table: Any, request: PendingRequest) -> None:  # noqa: ANN401 - two kinds of table
    """Remove a request that has had its last answer."""
    if isinstance(table, RequestQueue):
        table.popleft()
        return
    later = request.later
    if later is None:
        table.pop(request.key, None)
    else:
        later.tail, later.waiting = request.tail, request.waiting - 1
        table[request.key] = later


def add(outstanding: OutstandingIds, ids: Any, t: int, n: int) -> None:  # noqa: ANN401 - one id or many
    """Make ids outstanding."""
    if ids is not None:
        outstanding.add(expression_functions.several(ids), t, n)


def take(
    outstanding: OutstandingIds | None,
    ids: Any,  # noqa: ANN401 - one id or many
    frames: Frames = None,
) -> tuple[int, int] | None:
    """Remove ids; return frame and time of the first of them."""
    return (
        None
        if outstanding is None or ids is None
        else outstanding.take(expression_functions.several(ids), frames)
    )


def take_upto(
    outstanding: OutstandingIds | None, last: int | None, frames: Frames = None
) -> tuple[int, int] | None:
    """Remove all ids up to one; return as `take`."""
    return None if outstanding is None or last is None else outstanding.take_upto(last, frames)


def take_oldest(
    outstanding: OutstandingIds | None, number: int | None, frames: Frames = None
) -> tuple[int, int] | None:
    """Remove a number of the oldest ids; return as `take`."""
    return (
        None if outstanding is None or number is None else outstanding.take_oldest(number, frames)
    )


ACTS: Final[dict[str, Callable[..., Any]]] = {
    "f_add": add, "f_begin": begin, "f_live": live, "f_name": name_it, "f_on": come_on,
    "f_settle": settle, "f_since": since, "f_take": take, "f_take_oldest": take_oldest,
    "f_take_upto": take_upto, "f_took": took, "f_with": with_members,
}  # fmt: skip
"""Functions by the name in the code of handlers."""
