"""Columns of a command: one type for each name, and which names may be absent."""

import pytest

from streamshark.arrow.columns import ArrowColumn, columns
from streamshark.errors import SchemaError
from streamshark.schema import (
    I8,
    I64,
    U8,
    U16,
    U64,
    UUID,
    Bits,
    Either,
    Fits,
    Headers,
    Many,
    Member,
    ProtoMessage,
    Record,
    Switch,
    Tail,
    TextLine,
    When,
    decimal,
    field,
    part,
    proto,
    raw,
    remainder,
    reserved,
    text,
    this,
    token,
)
from streamshark.schema.nodes import Tree
from streamshark.schema.walk import walk_word


def tree(*members: Member, prefix: str = "made.thing") -> Tree:
    """Return the tree of a command of these members."""
    return walk_word(Record(*members), prefix)


def kinds(*trees: Tree) -> dict[str, str]:
    """Return type by name, `?` after those that may be absent."""
    return {each.name: each.type_name + "?" * (not each.always) for each in columns(trees)}


def test_words_give_their_types() -> None:
    """Whole numbers keep width and sign, groups of bits take the narrowest that holds them."""
    found = kinds(
        tree(
            field("small", U8, "One."),
            field("large", I64, "Two."),
            Bits(2, part("high", 3, "Three."), reserved(1), part("low", 12, "Four.")),
            field("name", text(U16), "Five."),
            field("content", raw(U16), "Six."),
            field("id", UUID, "Seven."),
            field("numbers", Many(U64, count=U8), "Eight."),
            field("pairs", Many(Record(field("key", U8, "Nine.")), count=U8), "Ten."),
        )
    )

    assert found == {
        "small": "u8",
        "large": "i64",
        "high": "u8",
        "low": "u16",
        "name": "text",
        "content": "bytes",
        "id": "uuid",
        "numbers": "list of u64",
        "pairs": "list of record",
    }


def test_a_record_inside_is_flattened() -> None:
    """Names of a record inside follow its own, in the order of the bytes."""
    inner = Record(field("least", U8, "A."), field("most", U8, "B."))
    found = columns([tree(field("config", inner, "C."))])

    assert [each.name for each in found] == ["config.least", "config.most"]
    assert [each.doc for each in found] == ["A.", "B."]


def test_conditions_and_arms_are_not_always_there() -> None:
    """A name is always present if it is outside of conditions, or in every arm of a choice."""
    shared = field("shared", U8, "In both.")
    found = kinds(
        tree(
            field("flags", U8, "Always."),
            When(this.flags & 1, field("extra", U8, "Sometimes.")),
            Either(clear=(shared,), set=(shared, field("own", U8, "In one."))),
            Switch(this.flags, {1: (field("one", U8, "In a case."),)}, default=()),
            Tail(field("late", U8, "While bytes remain.")),
        )
    )

    assert found == {
        "flags": "u8",
        "extra": "u8?",
        "shared": "u8",
        "own": "u8?",
        "one": "u8?",
        "late": "u8?",
    }


def test_layouts_told_by_what_fits_share_columns() -> None:
    """Layouts that are chosen by their size share columns; no column says which one was used."""
    arms = {"short": (field("data", raw(U8), "A."),), "long": (field("data", raw(U16), "B."),)}

    assert kinds(tree(Fits(**arms))) == {"data": "bytes"}


def test_versions_stand_side_by_side() -> None:
    """Names that one version lacks may be absent; columns of later versions follow."""
    one = tree(field("a", U8, "A."), field("gone", U8, "Gone."))
    two = tree(field("a", U8, "A."), field("new", U8, "New."))

    assert kinds(one, two) == {"a": "u8", "gone": "u8?", "new": "u8?"}


def test_items_of_lists_are_joined_too() -> None:
    """Members of items are side by side as those of frames."""
    one = tree(field("items", Many(Record(field("a", U8, "A."))), "All."))
    two = tree(field("items", Many(Record(field("a", U16, "A."), field("b", U8, "B."))), "All."))
    [found] = columns([one, two])

    assert found.item is not None
    assert [(each.name, each.type_name, each.always) for each in found.item.members] == [
        ("a", "u16", True),
        ("b", "u8", False),
    ]


def test_whole_numbers_widen() -> None:
    """Two widths take the wider, a sign one step more, and u64 with a sign is refused."""
    assert kinds(tree(field("n", U8, "N.")), tree(field("n", U16, "N."))) == {"n": "u16"}
    assert kinds(tree(field("n", U8, "N.")), tree(field("n", I8, "N."))) == {"n": "i16"}
    with pytest.raises(SchemaError, match=r"made.thing.n: u64 here, i8 there"):
        columns([tree(field("n", U64, "N.")), tree(field("n", I8, "N."))])


def test_two_types_of_a_name_are_refused() -> None:
    """Between versions as between arms."""
    with pytest.raises(SchemaError, match=r"made.thing.n: u8 here, text there"):
        columns([tree(field("n", U8, "N.")), tree(field("n", text(U8), "N."))])


def test_a_table_is_of_one_command() -> None:
    """Frames of two commands have no columns in common."""
    with pytest.raises(SchemaError, match="of one command"):
        columns([tree(field("n", U8, "N.")), tree(field("n", U8, "N."), prefix="made.other")])


def test_facts_of_versions_are_joined() -> None:
    """Names of both versions are known, and a secret of one is a secret."""
    one = tree(field("n", U8, "N.", names={1: "ok"}))
    two = tree(field("n", U8, "N.", names={2: "failed"}, secret=True))
    [found] = columns([one, two])

    assert found.facts.names == {1: "ok", 2: "failed"}
    assert found.facts.secret


def test_protobuf_messages_are_records() -> None:
    """A message may be present and empty, so it is not flattened; all its fields may be absent."""
    inner = ProtoMessage({1: proto("value", "sint32", "V.")})
    found = columns(
        [
            tree(
                ProtoMessage(
                    {
                        1: proto("id", "uint64", "I."),
                        2: proto("inner", "message", "N.", message=inner),
                        3: proto("on", "bool", "B.", repeated=True),
                        4: proto("ratio", "float", "F."),
                    }
                )
            )
        ]
    )
    by_name = {each.name: each for each in found}

    assert kinds_of(found) == {
        "id": "u64?",
        "inner": "record?",
        "on": "list of bool?",
        "ratio": "float?",
        "unknown_fields": "list of unknown?",
    }
    assert kinds_of(by_name["inner"].members) == {
        "value": "i32?",
        "unknown_fields": "list of unknown?",
    }


def test_lines_and_headers() -> None:
    """Arguments of a line are text or numbers; the parts of a header block are known."""
    line = TextLine("PUB", token("subject", "S."), token("reply", "R.", optional=True), decimal("size", "B."))  # fmt: skip  # noqa: E501
    rest = TextLine("ERR", remainder("message", "M."))

    assert kinds(tree(line, Headers("NATS/1.0", "H."))) == {
        "subject": "text",
        "reply": "text?",
        "size": "u32",
        "status": "u32?",
        "description": "text?",
        "headers": "list of record?",
    }
    assert kinds(tree(rest)) == {"message": "text"}


def kinds_of(found: tuple[ArrowColumn, ...]) -> dict[str, str]:
    """Return type by name of columns at hand."""
    return {each.name: each.type_name + "?" * (not each.always) for each in found}
