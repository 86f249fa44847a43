"""The words that protocols declare."""

from streamshark.protocols.catalog import catalog
from streamshark.schema.syntax import word_set
from streamshark.schema.words import ROLES


def test_words() -> None:
    """However they are spaced."""
    assert word_set("a  b\n c") == {"a", "b", "c"}


def test_what_protocols_declare_is_in_its_form() -> None:
    """Words of sentences are in lower case; values of keys have roles, or are bodies or names."""
    for protocol in catalog():
        syntax = protocol.syntax
        if syntax is not None:
            assert all(each == each.lower() for each in syntax.words), protocol.wire.id
            assert set(syntax.keys.values()) <= {*ROLES, "name"}, protocol.wire.id
            assert all(each == each.lower() for each in syntax.keys), protocol.wire.id
