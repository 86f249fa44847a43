"""Columns: the values of one member of every item, read alone as the fast form reads them."""

import itertools

import pytest
from tests.decoding.test_shallow import BYTES, ITEMS, LISTS
from tests.failures import every
from tests.schema.reader_agreement import accepted

from streamshark.decoding.columns import SOME, ColumnReaderPrinter
from streamshark.decoding.decoder import Decoder, gathering
from streamshark.schema import U8, Headers, Many, Record, Region, Tail, Word, field, raw
from streamshark.schema.walk import walk_word

PATHS = (("l",), ("l", "one"), ("l", "two"), ("l", "x"), ("l", "y"), ("l", "n"), ("l", "s"))


@pytest.mark.slow
@every("shape", LISTS)
@every("name", ITEMS)
def test_a_column_is_what_fast_gives(name: str, shape: str) -> None:
    """All strings of a few bytes, alone and in a region with bytes after it."""
    own = field("l", LISTS[shape](ITEMS[name]), "L.")
    alone = Decoder(walk_word(Record(own), "any.x"))
    inside = Decoder(walk_word(Record(Region(U8, own), field("end", U8, "E.")), "any.x"))
    for size in range(4):
        for each in itertools.product(BYTES, repeat=size):
            alike(alone, bytes(each))
            alike(inside, bytes((size, *each, 0)))


def alike(decoder: Decoder, data: bytes) -> None:
    """Every column that there is says what the values say."""
    values = accepted(decoder.fast, data)
    for path in PATHS:
        if values is not None and decoder.has_column(*path):
            items = values["l"]
            expected = [each[path[1]] for each in items] if path[1:] else items
            assert decoder.columns[path](data) == expected, (path, data)
        if values is not None and decoder.has_column(*path, some=True):
            have = [each[path[1]] for each in values["l"] if path[1] in each]
            assert decoder.columns[SOME, *path](data) == have, (path, data)


@pytest.mark.slow
def test_columns_of_one_list_are_read_at_once() -> None:
    """In the order in which they are asked for."""
    tree = walk_word(Record(field("l", Many(ITEMS["top bit"]), "L.")), "any.x")
    paths = ("l", "one"), (SOME, "l", "x"), (SOME, "l", "y")
    decoder = Decoder(tree)
    for size in range(6):
        for each in itertools.product(BYTES, repeat=size):
            if accepted(decoder.fast, bytes(each)) is not None:
                alone = tuple(decoder.columns[path](bytes(each)) for path in paths)
                assert gathering(tree, *paths)(bytes(each)) == alone


def columns_of(item: Word, *, some: bool = False) -> list[str]:
    """The paths below a list of these items that can be read alone."""
    decoder = Decoder(walk_word(Record(field("l", Many(item), "L.")), "any.x"))
    return [".".join(path) for path in PATHS if decoder.has_column(*path, some=some)]


def test_what_can_be_read_alone() -> None:
    """What every item has; no records, nothing that only some have."""
    assert columns_of(ITEMS["wide number"]) == ["l"]
    assert columns_of(ITEMS["record"]) == ["l.one", "l.x", "l.y"]
    assert columns_of(ITEMS["top bit"]) == ["l.one"]
    assert columns_of(ITEMS["condition"]) == ["l.one"]
    assert columns_of(ITEMS["region"]) == []
    assert columns_of(ITEMS["counted list"]) == []


def test_what_some_items_have() -> None:
    """Columns exist in an arm, after a condition or in a group of bits, but not in a region."""
    assert columns_of(ITEMS["top bit"], some=True) == ["l.one", "l.x", "l.y"]
    assert columns_of(ITEMS["top bit of a group"], some=True) == ["l.one", "l.two", "l.x", "l.y"]
    assert columns_of(ITEMS["condition"], some=True) == ["l.one", "l.x"]
    assert columns_of(ITEMS["region"], some=True) == []


def test_what_a_table_reads_is_not_read_alone() -> None:
    """A block of headers."""
    tree = walk_word(Record(Headers("H/1", "Headers.")), "any.x")

    assert not Decoder(tree).has_column("headers", "key")


def test_a_list_that_is_absent_has_no_column() -> None:
    """As its value is absent, too."""
    tree = walk_word(Record(Tail(field("l", Many(raw(U8)), "L."), need=1)), "any.x")

    assert Decoder(tree).columns["l",](b"") is None
    assert Decoder(tree).columns["l",](b"\1a") == [b"a"]


def test_plain_numbers_are_read_in_one_go() -> None:
    """No loop."""
    tree = walk_word(Record(field("l", Many(ITEMS["number"]), "L.")), "any.x")

    assert "for " not in ColumnReaderPrinter(tree, ("l",)).print()
