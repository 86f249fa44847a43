"""Derived values of a row of an index: the rows of its connection before it are analysed again."""

from collections.abc import Callable, Iterable, Iterator

from streamshark.conversations.tables import Derived
from streamshark.dissection.row import Row
from streamshark.index.reader import Index
from streamshark.session import Session


def with_derived(
    index: Index, row: int, derives: Callable[[Derived], bool], *, in_full: bool = False
) -> Row:
    """Return a row with derived values and, with `in_full`, all frames that it answers.

    Values that depend on other connections may be unknown.
    """
    found: Row = index[row]
    protocols = {each.wire.id: each for each in index.known.protocols}
    own = protocols.get(found.connection.wire.id)
    if not in_full and (own is None or not any(_wanted(own.conversations, derives))):
        return found
    flow, replay = index.columns["flow"][row], found
    for each in replayed(index, flow, derives, in_full=in_full, last=row):
        replay = each
    if found.annotation is not None and replay.annotation is not None:
        found.annotate(found.annotation.but(answers=replay.annotation.answers))
    found.derive(getattr(replay, "derived", ()))
    return found


def replayed(
    index: Index,
    flow: int,
    derives: Callable[[Derived], bool],
    *,
    in_full: bool = False,
    last: int | None = None,
) -> Iterator[Row]:
    """Yield the rows of a connection up to a row, with derived values."""
    session = Session((), protocols=index.known.protocols)
    analysis = session.analysis(derives=derives, in_full=in_full)
    for at in index.rows_of_flow(flow):
        if last is not None and at > last:
            return
        yield from analysis.seen([index[at]])


def _wanted(tables: Iterable[object], derives: Callable[[Derived], bool]) -> Iterator[Derived]:
    """Yield the derived values that are wanted."""
    for each in tables:
        if isinstance(each, Derived) and derives(each):
            yield each
