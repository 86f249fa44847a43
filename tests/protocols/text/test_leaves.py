"""A text is one value."""

from streamshark.decoding.payloads import Leaf, LeafKind
from streamshark.protocols.text.leaves import leaves


def test_a_text_is_one_leaf() -> None:
    """An empty text is no leaf."""
    assert leaves(b"some text") == [Leaf(LeafKind.TEXT, 0, 9)]
    assert leaves(b"") == []
