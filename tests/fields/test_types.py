"""Types of fields: in words, as raw values, and as Wireshark has them."""

from tests.failures import every

from streamshark.fields.types import (
    FieldType,
    groups,
    integer,
    is_listed,
    listed,
    type_words,
    value_type,
    width,
)
from streamshark.schema import (
    I16,
    I64,
    U8,
    U24,
    UUID,
    Bits,
    Many,
    Member,
    Record,
    field,
    nodes,
    part,
    raw,
    text,
)
from streamshark.schema.walk import walk_word


def tree(*members: Member) -> nodes.Tree:
    """Return the tree of these members."""
    return walk_word(Record(*members), "made.x")


MADE = tree(
    field("a", I16, "A."),
    field("b", text(U8, encoding="ascii"), "B."),
    field("c", UUID, "C."),
    field("d", Many(Record(field("e", U8, "E.")), count=U8), "D."),
    Bits(4, part("f", 31, "F."), part("g", 1, "G.")),
    field("h", U24, "H."),
    field("i", raw(U8), "I."),
    field("j", Many(I64, count=U8), "J."),
)


@every(
    ("name", "words", "kind", "ft"),
    [
        ("a", "i16", "int", "FT_INT16"),
        ("b", "text (ASCII)", "text", "FT_STRING"),
        ("c", "UUID", "uuid", "FT_GUID"),
        ("d", "list of record", "record", "FT_NONE"),
        ("f", "31 bits", "int", "FT_UINT32"),
        ("g", "1 bit", "int", "FT_UINT32"),
        ("h", "u24", "int", "FT_UINT24"),
        ("i", "bytes", "bytes", "FT_BYTES"),
        ("j", "list of i64", "int", "FT_INT64"),
    ],
)
def test_types(name: str, words: str, kind: str, ft: str) -> None:
    """Of a list, the type of its items."""
    node = MADE.find(name)
    found = value_type(node, groups(MADE).get(node.id, 0))

    assert (found.words, found.kind, found.ft) == (words, kind, ft)
    assert type_words(node) == words


def test_widths() -> None:
    """The narrowest of 8, 16, 32 and 64 bits; a field in groups of bits has the width of both."""
    assert [width(each) for each in (1, 8, 9, 24, 33, 64)] == [8, 8, 16, 32, 64, 64]
    node = MADE.find("g")
    assert value_type(node, 4).bits == 8


def test_types_over_versions() -> None:
    """The type holds the values of all."""
    joined = integer("u8", 8).joined(integer("i16", 16, signed=True))

    assert (joined.words, joined.bits, joined.signed) == ("u8 or i16", 16, True)
    assert integer("u16", 16).joined(integer("i16", 16, signed=True)).bits == 32
    assert FieldType("text", "text").joined(FieldType("text", "text")).words == "text"


def test_members_that_occur_several_times() -> None:
    """Lists, and what stands in their items."""
    many = listed(MADE)

    found = {".".join(node.path): is_listed(node, many) for node in MADE.named()}
    assert {name for name, several in found.items() if several} == {"d", "d.e", "j"}
