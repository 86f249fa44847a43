"""What the engine remembers."""

from streamshark.conversations.things import NOBODY, Thing, kind_of


def test_slots_are_unknown_at_first() -> None:
    """Some are known from a birth on."""
    kind = kind_of(Thing, "box", {"tries", "state", "address"}, {"tries": 0})
    box = kind(None, 4, "absent", 1, 2)

    assert (box.state, box.id, box.tries, box.address) == ("absent", 4, None, None)
    box.begin_with()
    assert box.tries == 0
    assert not hasattr(box, "__dict__")


def test_nobody_knows_nothing() -> None:
    """And cannot be told anything."""
    NOBODY.balance = 5
    NOBODY.frames += 1

    assert NOBODY.balance is None
    assert (NOBODY.frames, NOBODY.over) == (0, False)
