"""The syntax tree."""

from streamshark.filters.nodes import WrittenValue, children, walk, written
from streamshark.filters.syntax import parse


def test_walking_gives_every_node_with_its_depth() -> None:
    """From the top, in the order of the text."""
    node = parse("not a[0] == 01 and b in {1, 2 .. 3}")
    assert node is not None
    found = [(type(each).__name__, depth) for each, depth in walk(node)]

    assert found == [
        ("LogicalOperation", 1), ("Not", 2), ("Relation", 3), ("Slice", 4), ("BareWord", 5),
        ("WrittenValue", 4), ("Membership", 2), ("BareWord", 3), ("WrittenValue", 3),
        ("WrittenValue", 3), ("WrittenValue", 3),
    ]  # fmt: skip
    assert len(children(node)) == 2


def test_text_is_escaped() -> None:
    """What is not printable, quotes, and bytes that are no UTF-8."""
    assert written(WrittenValue("string", "", 'a"\\\n\udcffé', 0, 0)) == '"a\\x22\\x5c\\x0a\\xffé"'
