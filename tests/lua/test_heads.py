"""Heads as they are printed."""

import pytest

from streamshark.errors import SchemaError
from streamshark.lua.heads import head_text, line_head_text
from streamshark.protocols.rsocket.framing import HEAD
from streamshark.schema import U8, Head, LineHead, When, field, this


def test_length_and_selectors_of_a_head() -> None:
    """Length and selectors of a head."""
    text = head_text(HEAD)
    assert "return u24(from) + 3" in text
    assert "math.floor(u16(from + 7) / 1024)" in text
    assert "prefix = 3" in text


def test_a_text_protocol_measures_lines() -> None:
    """A text protocol measures lines."""
    text = line_head_text(LineHead({"PUB": "pub"}, frozenset({"PUB"}), 4096))
    assert 'measure = line_measure({ PUB = "pub" }, { PUB = true }, 4096)' in text


def test_a_selector_that_may_not_be_there_is_refused() -> None:
    """A selector that may not be there is refused."""
    members = (
        field("flags", U8, "F."),
        When(this.flags == 1, field("key", U8, "K.")),
    )
    with pytest.raises(SchemaError, match="fixed place"):
        head_text(Head(members, None, "key"))
