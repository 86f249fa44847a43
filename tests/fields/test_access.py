"""Getters of values in frames; `tests.recorded.traffic` checks them on all recorded frames."""

from tests.madeup import parrot_traffic, vault

from streamshark.decoding.decoder import Decoder
from streamshark.dissection.row import FrameRow
from streamshark.fields.access import Accessor, occurrences
from streamshark.fields.field import Getter

SAY = parrot_traffic.row(parrot_traffic.say("hello"))


def decoder_of(row: FrameRow) -> Decoder:
    """The decoder of a row that has one."""
    assert row.decoder is not None
    return row.decoder


def test_occurrences() -> None:
    """Through lists and records; a list at the end yields its items."""
    value = {"a": [{"b": 1}, {"c": 2}, {"b": [3, None]}]}

    assert occurrences(value, ("a", "b")) == [1, 3, None]
    assert occurrences(value, ("x", "b")) == []


def test_a_value_is_read_from_the_shallow_values() -> None:
    """The items of lists are not decoded for it."""
    getter = Accessor().path(decoder_of(SAY), ("phrase",))

    assert getter.get(SAY) == "hello"
    assert getter.expression == "row.shallow.get('phrase')"


def test_a_member_of_items_is_gathered() -> None:
    """From the bytes where the shallow values count the items, else from the values."""
    row = parrot_traffic.row(parrot_traffic.say("hello"))
    getter = Accessor().path(decoder_of(row), ("tags",))

    assert getter.many
    assert list(getter.get(row)) == row.values["tags"]
    assert not parrot_traffic.row(parrot_traffic.say("hello")).is_read


def test_flags() -> None:
    """True or false; absent with its number."""
    row = parrot_traffic.row(parrot_traffic.say())
    make = Accessor()
    slowly, twice = (make.flag(decoder_of(row), ("manner",), mask) for mask in (1, 2))

    number = row.shallow["manner"]
    assert (slowly.get(row), twice.get(row)) == (number & 1 != 0, number & 2 != 0)
    del row.shallow["manner"]
    assert slowly.get(row) is None


def test_members_inside_slots() -> None:
    """Of the records that stand in a frame's slots, and of reassembled ones."""
    getter = Accessor().inside({"vault.key": [("name",), ("key",)]}, vault.LAYERS)
    cut = vault.put(vault.BODY[:2], more=True), vault.put(vault.BODY[2:])
    rows = list(vault.rows(vault.hello(vault.KEY), vault.put(), *cut))

    assert [getter.get(row) for row in rows] == [[], ["a", "key"], [], ["a", "key"]]


def test_several_members_are_one_field() -> None:
    """In their order; one alone stays what it is."""
    make, decoder = Accessor(), decoder_of(SAY)
    phrase, tags = make.path(decoder, ("phrase",)), make.path(decoder, ("tags",))

    assert make.joined([phrase]) is phrase
    joined = make.joined([phrase, tags])
    assert joined.get(SAY) == ["hello", *SAY.values["tags"]]


def test_conditions() -> None:
    """True where a value is not among some; else absent."""
    make = Accessor()
    number = Getter("row.shallow.get('volume')")
    volume = SAY.shallow["volume"]

    assert make.holds(number, (volume,)).get(SAY) is None
    assert make.holds(number, (volume + 1,)).get(SAY) is True
    assert make.holds(Getter("[1, None, 5]", many=True), (1,)).get(SAY) is True


def test_names_of_scopes_do_not_collide() -> None:
    """Names do not collide, so expressions may be parts of one."""
    make, decoder = Accessor(), decoder_of(SAY)
    scopes = [make.path(decoder, ("tags",)).scope, make.flag(decoder, ("manner",), 1).scope]

    own = [{name for name in scope if name[2:].isdigit()} for scope in scopes]
    assert own[0].isdisjoint(own[1])


def test_context() -> None:
    """Absent without an annotation."""
    assert Accessor().context("stream").get(SAY) is None
