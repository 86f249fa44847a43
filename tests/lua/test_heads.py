"""Heads as they are printed."""

import re

import pytest

from streamshark.errors import SchemaError
from streamshark.lua.heads import head_text, line_head_text
from streamshark.protocols.rsocket.framing import HEAD
from streamshark.schema import U8, Bits, Head, LineHead, When, field, part, this


def test_length_and_selectors_of_a_head() -> None:
    """Length and selectors of a head."""
    text = head_text(HEAD)
    assert "return u24(from) + 3" in text
    assert "math.floor(u16(from + 7) / 1024)" in text
    assert "prefix = 3" in text


def test_parts_of_a_number_are_cut_out_of_it() -> None:
    """Whichever bits they are: no others count, wherever they stand."""
    widths = (1, 3, 11, 1)
    names = [f"p{at}" for at in range(len(widths))]
    bits = Bits(2, *(part(name, width, "P.") for name, width in zip(names, widths, strict=True)))
    shift = 16
    for name, width in zip(names, widths, strict=True):
        shift -= width
        text = head_text(Head((bits,), None, name, least=2))
        said = re.search(r"return (.*?),? *(?:nil.*)?$", text, re.MULTILINE)
        assert said, text
        lua = said[1].replace("math.floor", "int").replace("u16(from)", "{}")
        for number in (0, 0xFFFF, 0x8000, 0x0001, 0x5A5A, 0xA5A5):
            assert eval(lua.format(number)) == number >> shift & (1 << width) - 1, lua  # noqa: S307


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
