"""Objects that connections share: how long they are known."""

import pytest
from tests.conversations.dialogue import CLIENT, Talk, rule
from tests.framing.parcel_protocol import send

from streamshark.conversations import shared_tables
from streamshark.conversations.shared_tables import HOUR_NS, SharedTables, next_hour
from streamshark.conversations.state import TrackedObject
from streamshark.conversations.tables import Action, Lifecycle

HOUSE = Lifecycle(name="house", scope="capture", key={"send": "server, address"})
SEEN = Action(on="send", do="house.seen = coalesce(house.seen, 0) + 1")


def entity(key: str, t: int = 0) -> TrackedObject:
    """An object that was born at a time in ns."""
    return TrackedObject(None, key, "unknown", t, None)


def test_silent_objects_are_forgotten_at_full_hours() -> None:
    """Not those that rows named since the full hour before; each is given once, eldest first."""
    tables = SharedTables(["house"])
    for key in "acb":
        assert not tables.add("house", key, entity(key, "abc".index(key)))
    tables.tables["house"]["also c"] = tables.tables["house"]["c"]

    assert not tables.turn(HOUR_NS)
    assert tables.find("house", "a") is tables.tables["house"]["a"]
    assert tables.find("house", "a") is None  # it is in the table
    assert [(name, each.id) for name, each in tables.turn(2 * HOUR_NS)] == [
        ("house", "b"), ("house", "c"),
    ]  # fmt: skip
    assert not tables.turn(2 * HOUR_NS)
    again = SharedTables(["house"])
    again.resume(tables.state())
    assert list(again) == list(tables) == [("house", "a")]
    assert [each.id for each in again.of("house")] == ["a"]
    assert [each.id for _, each in again.turn(3 * HOUR_NS)] == ["a"]
    assert not again
    assert next_hour(HOUR_NS) == 2 * HOUR_NS


def test_objects_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those go first that were silent for long, then the oldest of the largest table."""
    monkeypatch.setattr(shared_tables, "MOST_SHARED", 3)
    tables = SharedTables(["few", "many"])
    tables.add("few", "a", entity("a"))
    tables.turn(HOUR_NS)
    for key in "bc":
        assert not tables.add("many", key, entity(key))
    assert [each.id for each in tables.add("many", "d", entity("d"))] == ["a"]
    assert [each.id for each in tables.add("many", "e", entity("e"))] == ["b"]
    tables.clear()
    assert not tables


def test_an_engine_forgets_and_ends_silent_objects() -> None:
    """The end of an object is that of the captures, or an hour of silence; then it begins anew."""
    talk = Talk(
        (HOUSE, SEEN),
        rule("send", "house.seen == 2", message="{house.seen}"),
        rule("end:house", "house.seen > 1", id="T-2", message="{house.seen}"),
    )
    hour = HOUR_NS // 1_000_000_000
    for wait in (0, 1, 1, 3 * hour, 1, 1):
        talk.say(CLIENT, send(1, b"same"), wait=wait)
    found = [(each.rule, each.count, each.message) for each in talk.findings()]

    assert sorted(found) == sorted(2 * [("T-1", 1, "2"), ("T-2", 1, "3")])
