"""Text and bytes: how long they are, what may stand in them."""

import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, agree, broken, whole

from streamshark.errors import SchemaError
from streamshark.schema import (
    I16,
    I32,
    REST,
    U8,
    UUID,
    Blob,
    Literal,
    ProblemCode,
    Record,
    Slot,
    field,
    nodes,
    raw,
    text,
    this,
)
from streamshark.schema.walk import walk_word


def of(word: Blob, *before: object) -> Layout:
    """Return the layout of one blob."""
    return Layout.of_record(Record(*before, field("x", word, "It.")), "any.blob")  # type: ignore[arg-type]


@every(
    ("word", "data", "value"),
    [
        (raw(U8), "02 6869", "6869"), (raw(U8), "00", ""), (text(I16), "0002 6869", "hi"),
        (text(I16, null=True), "ffff", "<null>"), (raw(I32, null=True), "ffffffff", "<null>"),
        (raw(I32, null=True), "00000000", ""), (raw(REST), "010203", "010203"), (raw(REST), "", ""),
        (raw(3), "010203", "010203"), (text(2), "c3bc", "ü"),
        (text(U8, encoding="ascii"), "0141", "A"),
        (UUID, "01020304050607080900010203040506", "01020304-0506-0708-0900-010203040506"),
        (text(U8, encoding="mutf-8"), "02 c080", "\0"),
        (text(U8, encoding="mutf-8"), "06 eda0beedb688", "\U0001f988"),
    ],
)  # fmt: skip
def test_every_measure_and_encoding(word: Blob, data: str, value: str) -> None:
    """All readers, whole and broken."""
    layout = of(word)
    whole(layout, bytes.fromhex(data), {"x": value})
    broken(layout, bytes.fromhex(data))


def test_a_length_that_stands_elsewhere() -> None:
    """Another field gives it."""
    layout = of(raw(this.size - 1), field("size", U8, "One more."))
    whole(layout, b"\3ab", {"x": "6162"})
    broken(layout, b"\3ab")

    assert layout.decoder.careful(b"\0")[2][0].code is ProblemCode.NEGATIVE


def test_plain_utf_8_is_read_with_a_problem_where_modified_is_meant() -> None:
    """Pravega's Rust client writes it, and Java cannot read it."""
    values, _, problems = of(text(U8, encoding="mutf-8")).decoder.careful(b"\4\xf0\x9f\xa6\x88")

    assert values == {"x": "\U0001f988"}
    assert [each.code for each in problems] == [ProblemCode.TEXT]


@every(
    ("word", "data", "code"),
    [
        (text(U8), "01 ff", ProblemCode.TEXT), (text(U8), "03 eda080", ProblemCode.TEXT),
        (text(U8), "02 c080", ProblemCode.TEXT),
        (text(U8, encoding="ascii"), "01 80", ProblemCode.TEXT),
        (text(U8, encoding="mutf-8"), "01 80", ProblemCode.TEXT),
        (text(U8, encoding="mutf-8"), "03 eda080", ProblemCode.TEXT),
        (text(U8, encoding="mutf-8"), "02 e4bd", ProblemCode.TEXT),
        (raw(I16), "ffff", ProblemCode.NEGATIVE),
        (raw(I16, refuses_null=True), "ffff", ProblemCode.NULL),
        (text(I16, refuses_null=True), "ffff", ProblemCode.NULL),
        (raw(I16, refuses_null=True), "fffe", ProblemCode.NEGATIVE),
        (raw(I16, null=True), "fffe", ProblemCode.NEGATIVE),
        (raw(U8), "03 6869", ProblemCode.SHORT), (raw(U8), "", ProblemCode.SHORT),
        (UUID, "00", ProblemCode.SHORT),
        (raw(U8, limit=2), "03 616263", ProblemCode.LIMIT),
        (raw(REST, limit=2), "616263", ProblemCode.LIMIT),
        (raw(U8, limit=2), "ff 616263", ProblemCode.LIMIT),
    ],
)  # fmt: skip
def test_what_is_wrong_with_it(word: Blob, data: str, code: ProblemCode) -> None:
    """The same code in all readers."""
    layout = of(word)
    assert agree(layout, bytes.fromhex(data)) is None

    assert layout.decoder.careful(bytes.fromhex(data))[2][0].code is code


def test_text_that_is_not_valid_is_shown_as_far_as_it_goes() -> None:
    """U+FFFD replaces the invalid bytes, and the next field is read."""
    layout = Layout.of_record(
        Record(field("x", text(U8), "It."), field("y", U8, "After.")), "any.blob"
    )

    assert layout.decoder.careful(b"\2a\xff\7")[0] == {"x": "a�", "y": 7}


def test_a_literal_has_no_value() -> None:
    """Other bytes stop the decoding."""
    layout = Layout.of_record(Record(Literal(b"AB", "Magic."), field("x", U8, "It.")), "any.magic")
    whole(layout, b"AB\1", {"x": 1})
    broken(layout, b"AB\1")

    assert layout.decoder.careful(b"AC\1")[2][0].code is ProblemCode.LITERAL


def test_a_slot_is_a_name_or_more() -> None:
    """A string is short for a slot without a codec."""
    assert raw(U8, slot="body").slot == Slot("body")
    assert repr(REST) == "REST"


def test_a_type_stands_in_an_earlier_text_or_number() -> None:
    """The type is in the same record or one around it, never after the slot."""
    slot = Slot("body", types=(this.kind,))
    body = field("body", raw(REST, slot=slot), "The bytes.")

    tree = walk_word(Record(field("kind", text(U8), "Its type."), body), "typed")
    node = tree.find("body")
    assert isinstance(node, nodes.BlobNode)
    assert [each.name for each in node.types] == ["kind"]

    with pytest.raises(SchemaError, match="not an earlier field"):
        walk_word(Record(body, field("kind", text(U8), "Its type.")), "typed")
    with pytest.raises(SchemaError, match="neither text nor a number"):
        walk_word(Record(field("kind", raw(U8), "Its type."), body), "typed")
    with pytest.raises(SchemaError, match="a type must be in a member"):
        Slot("body", types=("kind",))  # type: ignore[arg-type]
