"""Parts of trees."""

from tests.madeup import parrot_traffic

from streamshark.views.tree_nodes import Subtrees, below, bits_of, counted, is_pair

FEED = parrot_traffic.TABLE.named("feed").tree


def test_bits_of() -> None:
    """Groups of four, dots for what belongs to others."""
    assert bits_of(16, 0x8000, 0x8001) == "1... .... .... ...."
    assert bits_of(8, 0xFF, 5) == "0000 0101"


def test_counted() -> None:
    """One thing, several things."""
    assert [counted(each, "byte") for each in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]


def test_what_stands_below_a_node() -> None:
    """The node itself, and all inside; remembered."""
    seeds = FEED.find("seeds")
    ids = frozenset(each.id for each in below(seeds))
    subtrees = Subtrees()

    assert {each.name for each in below(seeds) if each.name} == {"seeds", "key", "value"}
    assert subtrees(seeds) == ids
    assert subtrees(seeds) is subtrees(seeds)


def test_pairs() -> None:
    """A key and a value, nothing else."""
    records = [each for each in FEED.nodes if type(each).__name__ == "RecordNode"]

    assert [is_pair(each) for each in records] == [False, True]
