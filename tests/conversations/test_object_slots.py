"""State of objects as plain values."""

from streamshark.conversations.object_slots import every_slot, set_slots, slot_values


class Base:
    """A class with slots."""

    __slots__ = ("name", "times")

    def __init__(self) -> None:
        self.name, self.times = "", 0


class Thing(Base):
    """A class with one more."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        super().__init__()
        self.state: str | None = None


def test_values_that_differ_are_set_again() -> None:
    """Of the class alone, or of all its bases."""
    thing = Thing()
    thing.name, thing.state = "a", "open"
    assert slot_values(thing, Thing()) == {"state": "open"}
    assert every_slot(Thing) == ["state", "name", "times"]

    found = slot_values(thing, Thing(), every_slot(Thing))
    assert found == {"state": "open", "name": "a"}
    other = Thing()
    set_slots(other, found)
    assert not slot_values(other, thing, every_slot(Thing))
