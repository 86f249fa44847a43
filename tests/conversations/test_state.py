"""What the engine remembers."""

from streamshark.conversations.state import (
    NO_OBJECT,
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
        PendingRequest(NO_OBJECT, None, t, n, 0)  # type: ignore[arg-type]
        for n, t in enumerate((0, QUIET, 3 * QUIET))
    )
    assert queue.oldest(0) is NO_OBJECT
    assert queue.ask(first)
    assert queue.oldest(1) is first
    assert queue.doubt(2) == [first]
    assert not queue.ask(later)
    assert queue.oldest(2 * QUIET + 1) is NO_OBJECT
    assert not queue.ask(last)
    assert queue.ask(PendingRequest(NO_OBJECT, None, 4 * QUIET, 4, 0))  # type: ignore[arg-type]
    assert queue.unsure_t is None


def test_nobody_knows_nothing() -> None:
    """And cannot be told anything."""
    NO_OBJECT.balance = 5
    NO_OBJECT.frames += 1

    assert NO_OBJECT.balance is None
    assert (NO_OBJECT.frames, NO_OBJECT.over) == (0, False)
