"""Numbers that are not in the bytes: counted from item to item."""

from tests.protocols.rabbitmq_stream.traffic import WIRE

from streamshark.decoding.numbering import firsts, inside, named
from streamshark.schema import Numbering

OFFSETS = Numbering("a.items", "offset", "Offset.", start="first", weight="count", inside="records")
SHARED = Numbering("items", "id", "Id.", inside="records")


def test_items_follow_one_another() -> None:
    """One that holds several takes up as many numbers."""
    record = {"first": 7, "items": [{}, {"count": 3}, {"count": 0}, {}]}

    assert firsts(OFFSETS, record) == [7, 8, 11, 11]
    assert list(inside(OFFSETS, 8, 3)) == [8, 9, 10]


def test_items_may_bring_their_numbers() -> None:
    """What is inside repeats them."""
    assert firsts(SHARED, {"items": [{"id": 4}, {"id": 9}, {}]}) == [4, 9]
    assert list(inside(SHARED, 9, 2)) == [9, 9]


def test_what_is_missing_has_no_number() -> None:
    """Frames that are cut short."""
    assert firsts(OFFSETS, {}) == []
    assert firsts(OFFSETS, {"items": [{}]}) == []
    assert firsts(OFFSETS, {"first": 7}) == []


def test_names() -> None:
    """Only of those that the items do not have anyhow."""
    found = {name for each in WIRE.table().all for name in named(each.tree)}

    assert found == {"rmqstream.deliver.chunk.entries.offset"}
