"""Options of an index."""

from streamshark.index.options import IndexOptions


def test_options() -> None:
    """They are written and read again."""
    options = IndexOptions(decode_as={5553: "rsocket"}, dialects={"pravega": "draft"}, limit=7)

    assert IndexOptions.of(options.plain()) == options
