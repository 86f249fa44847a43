"""What handlers do to tables of requests, outstanding ids and objects."""

from types import SimpleNamespace
from typing import Any

from streamshark.conversations import runtime
from streamshark.conversations.outstanding import OutstandingIds
from streamshark.conversations.state import NO_OBJECT, RequestQueue


def waiting(n: int, key: object = 7, later: Any = None) -> Any:  # noqa: ANN401 - a stand-in
    """Return a request of frame `n`, and the next one with the same key."""
    tail = later.tail if later is not None else None
    own = SimpleNamespace(n=n, key=key, later=later, tail=tail, waiting=1 + bool(later))
    own.tail = own.tail or own
    return own


def test_requests_of_one_key_are_settled_in_turn() -> None:
    """The next request takes the place, with its own facts."""
    second = waiting(5)
    first = waiting(2, later=second)
    table: dict[object, Any] = {7: first, 8: waiting(3, key=8)}
    assert [each.n for each in runtime.requests_of(table)] == [2, 3, 5]

    runtime.settle(table, first)
    assert table[7] is second
    assert (second.tail, second.waiting) == (second, 1)
    runtime.settle(table, second)
    assert list(table) == [8]


def test_requests_without_a_key_are_settled_in_order() -> None:
    """A queue of them."""
    table = RequestQueue()
    table.extend((waiting(2), waiting(5)))

    runtime.settle(table, table[0])
    assert [each.n for each in runtime.requests_of(table)] == [5]


def test_the_oldest_go_some_at_once() -> None:
    """One of 64, and at least one."""
    assert runtime.oldest({1: "a", 2: "b"}, 2) == ["a"]
    table = {each: each for each in range(129)}
    assert runtime.oldest(table, 128) == [0, 1]
    assert min(table) == 2


def test_ids_that_are_not_known_do_nothing() -> None:
    """Neither do ids of no object."""
    outstanding = OutstandingIds(whole=True)
    runtime.add(outstanding, None, 1, 1)
    runtime.add(outstanding, [3, 4, 5], 10, 2)

    assert runtime.take(None, 3) is None
    assert runtime.take(outstanding, None) is None
    assert runtime.take(outstanding, 9) is None
    assert runtime.take(outstanding, 3) == (2, 10)
    assert runtime.take_upto(outstanding, 4) == (2, 10)
    assert runtime.take_oldest(outstanding, 2) == (2, 10)
    assert runtime.take_oldest(outstanding, 2) is None


def test_connections_of_a_shared_object_are_named_once_each() -> None:
    """Up to a cap."""
    entity = SimpleNamespace(flows=None)
    for flow in (3, 3, *range(100)):
        runtime.come_on(entity, flow)
    runtime.come_on(NO_OBJECT, 1)

    assert entity.flows[:2] == [3, 0]
    assert len(entity.flows) == runtime.MOST_FLOWS


def test_why_something_cannot_be_known() -> None:
    """In the order in which it is asked."""
    said = [
        runtime.doubt(SimpleNamespace(start=start, whole=whole, both=both))  # type: ignore[arg-type]
        for start, whole, both in ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1))
    ]
    assert said == [
        "the capture begins later", "bytes were lost", "only one side was captured", "",
    ]  # fmt: skip


def test_nothing_was_lost_since_the_first_of_some_frames() -> None:
    """An unknown frame is None, and is ignored."""
    assert runtime.since(5, (None, 6, 9))
    assert not runtime.since(5, (9, 5))


def test_members_that_are_empty_are_not_told() -> None:
    """False and 0 are."""
    context = {"stream": "orders"}
    assert runtime.with_members(context, (("a", None), ("b", ""))) is context
    assert runtime.with_members(context, (("a", 0),)) == {"stream": "orders", "a": 0}
