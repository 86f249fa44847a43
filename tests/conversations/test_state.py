"""What the engine remembers."""

from streamshark.conversations.state import (
    NOBODY,
    QUIET,
    PendingRequest,
    RequestQueue,
    TrackedObject,
    kind_of,
)


def test_slots_are_unknown_at_first() -> None:
    """Some are known from a birth on."""
    kind = kind_of(TrackedObject, "box", {"tries", "state", "address"}, {"tries": 0})
    box = kind(None, 4, "absent", 1, 2)

    assert (box.state, box.id, box.tries, box.address) == ("absent", 4, None, None)
    box.begin_with()
    assert box.tries == 0
    assert not hasattr(box, "__dict__")


def test_a_queue_in_doubt_keeps_nothing_until_it_is_quiet() -> None:
    """What is asked or answered says that it is not."""
    queue = RequestQueue()
    first, later, last = (
        PendingRequest(NOBODY, None, t, n, 0)  # type: ignore[arg-type]
        for n, t in enumerate((0, QUIET, 3 * QUIET))
    )
    assert queue.oldest(0) is NOBODY
    assert queue.ask(first)
    assert queue.oldest(1) is first
    assert queue.doubt(2) == [first]
    assert not queue.ask(later)
    assert queue.oldest(2 * QUIET + 1) is NOBODY
    assert not queue.ask(last)
    assert queue.ask(PendingRequest(NOBODY, None, 4 * QUIET, 4, 0))  # type: ignore[arg-type]
    assert queue.unsure_t is None


def test_nobody_knows_nothing() -> None:
    """And cannot be told anything."""
    NOBODY.balance = 5
    NOBODY.frames += 1

    assert NOBODY.balance is None
    assert (NOBODY.frames, NOBODY.over) == (0, False)
