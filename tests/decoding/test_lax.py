"""The careful form: ranges that cover the frame, and problems with their place."""

from streamshark.decoding.decoder import Decoder
from streamshark.schema import (
    REST,
    U8,
    U16,
    U24,
    Bits,
    Literal,
    Many,
    ProblemCode,
    Record,
    Region,
    When,
    crc32,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)
from streamshark.schema.walk import walk_word


def decoder(*members: object) -> Decoder:
    """Return the decoder of members."""
    return Decoder(walk_word(Record(*members), "any.x"))  # type: ignore[arg-type]


def test_ranges_name_what_stands_where() -> None:
    """Groups before their parts, prefixes with their texts, counts, literals."""
    made = decoder(
        Literal(b"AB", "Magic."),
        Bits(1, reserved(4), part("kind", 4, "Kind.")),
        field("names", Many(text(U8), count=U8), "Names."),
        field("rest", raw(REST), "Rest."),
    )
    told = [
        (type(made.tree.nodes[each[0]]).__name__, *each[1:])
        for each in made.careful(b"AB\x25\1\1xyz")[1]
    ]

    assert told == [
        ("LiteralNode", 0, 2, None),
        ("BitsNode", 2, 3, 0x25),
        ("PartNode", 2, 3, 2),
        ("PartNode", 2, 3, 5),
        ("IntNode", 3, 4, 1),
        ("BlobNode", 4, 6, "x"),
        ("BlobNode", 6, 8, b"yz"),
    ]


def test_problems_have_a_place_and_a_sentence() -> None:
    """With the values seen."""
    made = decoder(
        field("sum", U16, "Sum."),
        field("total", U8, "Total.", claims=this.size + 1),
        field("size", U8, "Size."),
        Region(U8, field("x", text(U8, limit=2), "X."), checksum=crc32(this.sum)),
    )
    problems = made.careful(bytes.fromhex("0000 05 01 04 03616263 ff"))[2]

    assert [(each.code, each.offset, each.length, each.message) for each in problems] == [
        (
            ProblemCode.CHECKSUM,
            5,
            4,
            "checksum mismatch: 0x00000000 in the frame, 0xf994e822 computed",
        ),
        (ProblemCode.LIMIT, 5, 4, "3 exceeds the limit of 2"),
        (ProblemCode.CLAIM, 2, 1, "5 written, but the bytes give 2"),
        (ProblemCode.TRAILING, 9, 1, "1 trailing bytes after the last field"),
    ]


def test_the_message_of_a_claim_names_the_nearest_place() -> None:
    """In a list, the item at hand."""
    item = Record(field("n", U8, "N.", claims=this.m + 1), field("m", U8, "M."))
    problems = decoder(field("l", Many(item), "L.")).careful(bytes.fromhex("0201 0301"))[2]

    assert [(each.offset, each.length) for each in problems] == [(2, 1)]


def test_a_number_of_any_width_may_be_cut() -> None:
    """The bytes that are present are undecoded."""
    values, ranges, problems = decoder(field("n", U24, "N.")).careful(b"\1\2")

    assert values == {}
    assert ranges == [(-1, 0, 2, None)]
    assert problems[0].message == "3 bytes needed, 2 left"


def test_values_of_an_earlier_item_do_not_linger() -> None:
    """A member that is absent in this item counts as 0, whatever the last one had."""
    item = Record(
        field("kind", U8, "Kind."),
        When(this.kind == 1, field("size", U8, "Size.")),
        field("data", raw(this.size), "Data."),
    )
    values, _, problems = decoder(field("l", Many(item), "L.")).careful(b"\1\2ab\0\1\0")

    assert problems == []
    assert [each["data"] for each in values["l"]] == [b"ab", b"", b""]
