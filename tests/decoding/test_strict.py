"""The fast form: values only, one `unpack_from` for neighbours; a malformed frame raises."""

import pytest
from tests.schema.reader_agreement import Layout, agree

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.runtime import ODD
from streamshark.decoding.strict import StrictPrinter
from streamshark.schema import (
    I32,
    REST,
    U8,
    U16,
    U24,
    U32,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    LineHead,
    Many,
    Record,
    Sender,
    TextLine,
    decimal,
    field,
    part,
    quoted,
    raw,
    text,
    this,
    token,
)
from streamshark.schema.walk import walk, walk_word

HEAD = Head(
    (field("size", U24, "Bytes."), Bits(2, part("key", 15, "Key."), part("bit", 1, "Bit."))),
    this.size + 3,
    "key",
    hidden=("size", "key", "bit"),
)


def test_neighbours_are_read_in_one_go() -> None:
    """Hidden numbers are skipped, the next length included."""
    schema = FrameSchema(
        "a", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x",
        (field("one", U32, "One."), field("two", U8, "Two."), field("name", text(U16), "Name.")),
    )  # fmt: skip
    text_of = StrictPrinter(walk(schema, HEAD, "any")).print()

    assert (text_of.count("(b, 0)"), text_of.count("(b, p)")) == (1, 0)
    assert "p = 12" in text_of


def test_a_number_of_three_bytes_is_two_numbers() -> None:
    """Struct lacks that width."""
    layout = Layout.of_record(
        Record(field("n", U24, "N."), field("data", raw(this.n), "Data.")), "any.u24"
    )

    assert agree(layout, b"\0\0\2ab") == {"n": 2, "data": b"ab"}
    assert agree(layout, b"\1\0\2ab") is None


def test_lists_of_numbers_are_read_in_one_go() -> None:
    """Counted and to the end."""
    for word in (Many(I32, count=U8), Many(I32), Many(I32, claim=U8)):
        assert (
            "list(unpack_from("
            in StrictPrinter(walk_word(Record(field("l", word, "L.")), "any")).print()
        )


@pytest.mark.parametrize("data", ["", "01", "0102", "0201", "01610062"])
def test_anything_odd_raises(data: str) -> None:
    """A malformed frame never gives a wrong value."""
    decoder = Decoder(walk_word(Record(field("name", text(U8), "N."), field("l", Many(U8, claim=U8), "L.")), "any"))  # noqa: E501  # fmt: skip
    with pytest.raises(ODD):
        decoder.fast(bytes.fromhex(data))


def test_a_rest_is_never_odd() -> None:
    """A rest accepts any bytes."""
    decoder = Decoder(walk_word(Record(field("x", raw(REST), "X.")), "any"))

    assert decoder.fast(b"") == {"x": b""}
    assert decoder.fast(b"abc") == {"x": b"abc"}


def test_lines_without_marks_are_cut_in_place() -> None:
    """Lines without marks are cut without tables."""
    plain = Record(TextLine("GO", token("a", "A."), token("o", "O.", optional=True)))
    marked = Record(TextLine("GO", token("a", "A.", mark="+")))

    assert "line(" not in StrictPrinter(walk_word(plain, "any.x")).print()
    assert "line(" in StrictPrinter(walk_word(marked, "any.x")).print()


def test_arguments_of_a_head_are_hidden_in_both_ways() -> None:
    """They can be referred to and are not among the values."""
    head = LineHead({"GO": "go"}, frozenset(), 99, hidden=("size",))
    for argument in (decimal("size", "Bytes."), quoted("size", "Bytes.")):
        schema = FrameSchema(
            "go", "go", FrameKind.COMMAND, Sender.BOTH, "A.", "x", (TextLine("GO", argument),)
        )
        assert Decoder(walk(schema, head, "any")).fast(b"GO 1\r\n") == {}
