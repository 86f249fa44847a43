"""Values are refused with the field, what was given, the limit, and its source."""

from typing import Any

import pytest
from tests.failures import every

from streamshark.schema import (
    I16,
    U8,
    U16,
    UUID,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    Limit,
    Many,
    Member,
    ProtoMessage,
    Record,
    Region,
    Sender,
    TextLine,
    decimal,
    field,
    part,
    proto,
    raw,
    reserved,
    text,
    token,
)
from streamshark.schema.nodes import Tree
from streamshark.schema.value_checks import EncodingError, check_values, named, walked
from streamshark.schema.walk import walk

BODY = (
    field("number", U8, "A number."),
    Bits(1, part("half", 4, "Four bits."), reserved(4)),
    field("word", text(U8, limit=Limit(3, "words.erl, MAX")), "A word."),
    field("short", text(I16, null=True), "Text or null."),
    field("pair", raw(2), "Two bytes."),
    field("id", UUID, "An id."),
    field("items", Many(Record(field("flag", U8, "A flag.")), count=U8), "Items."),
    Region(
        U16,
        ProtoMessage({
            1: proto("count", "int32", "A count."),
            2: proto("names", "string", "Names.", repeated=True),
        }),
    ),
)  # fmt: skip
LINE = (
    TextLine("SUB", token("subject", "A subject."), decimal("most", "How many.", optional=True)),
)


def tree(*body: Member) -> Tree:
    """Walk a frame."""
    schema = FrameSchema("f", 0, FrameKind.COMMAND, Sender.BOTH, "A frame.", "spec, 3", body)
    return walk(schema, Head((), None, ""), "x")


@every(
    ("values", "message"),
    [
        ({"number": 256}, "number: 256 does not fit: 1 byte, 0 to 255 (spec, 3)"),
        ({"number": "1"}, "number: '1' is not a whole number"),
        ({"half": 16}, "half: 16 does not fit: 4 bits, 0 to 15 (spec, 3)"),
        ({"word": "four"}, "word: 4 bytes; at most 3 are allowed (words.erl, MAX)"),
        ({"word": b"abc"}, "word: 616263 is not text"),
        ({"word": "\ud800"}, "word: '\\ud800' is not utf-8 text"),
        ({"word": None}, "word: None is not text"),
        (
            {"short": "x" * 40_000},
            "short: 40000 bytes; at most 32767, whose number has 2 bytes (spec, 3)",
        ),
        ({"pair": b"abc"}, "pair: 3 bytes; it has 2 bytes (spec, 3)"),
        ({"id": bytes(19)}, "id: 19 bytes; it has 16 bytes (spec, 3)"),
        ({"items": {}}, "items: {} is not a list"),
        ({"items": [{}] * 256}, "items: 256 items; at most 255, whose number has 1 byte (spec, 3)"),
        ({"items": [{"flag": -1}]}, "items[0].flag: -1 does not fit: 1 byte, 0 to 255 (spec, 3)"),
        ({"items": [7]}, "items[0]: 7 is not a record"),
        (
            {"count": 1 << 31},
            "count: 2147483648 does not fit: int32, -2147483648 to 2147483647 (spec, 3)",
        ),
        ({"names": ["a", b"b"]}, "names[1]: 62 is not text"),
        ({"unknown_fields": [{"number": 9}]}, None),
        (
            {"unknown_fields": [{"number": 9, "wire_type": 5, "value": b"abc"}]},
            "unknown_fields[0].value: 3 bytes; it has 4",
        ),
        ({"nothing": 1}, "nothing: there is no such field"),
    ],
)
def test_values_that_do_not_fit(values: dict[str, Any], message: str | None) -> None:
    """The first one is named."""
    with pytest.raises(EncodingError) as error:
        check_values(tree(*BODY), values)
    if message is not None:
        assert str(error.value) == f"x.f.{message}"


@every(
    ("values", "message"),
    [
        ({"subject": "a b"}, "subject: 'a b' is not a token without blanks"),
        ({"subject": ""}, "subject: '' is not a token without blanks"),
        ({"subject": "a\r\nPING"}, "subject: 'a\\r\\nPING' is not a token without blanks"),
        (
            {"most": 10**9},
            "most: 1000000000 does not fit: at most 9 digits, 0 to 999999999 (spec, 3)",
        ),
    ],
)
def test_arguments_that_do_not_fit(values: dict[str, Any], message: str) -> None:
    """A value of a text line cannot begin another line."""
    with pytest.raises(EncodingError) as error:
        check_values(tree(*LINE), values)
    assert str(error.value) == f"x.f.{message}"


def test_values_that_fit() -> None:
    """At their limits; what is left out is not looked for."""
    values = {"number": 255, "half": 15, "word": "abc", "short": None, "pair": b"ab", "items": []}
    check_values(tree(*BODY), values)
    check_values(tree(*LINE), {"subject": "a.>", "most": 999_999_999})


def test_paths() -> None:
    """Every value of a frame has its node, its record and its path."""
    values = {"number": 1, "items": [{"flag": 1}, {"flag": 2}]}
    own = tree(*BODY)

    found = {named(own, path): record for _, record, path in walked(own.root.members, values)}
    assert list(found) == ["x.f.number", "x.f.items", "x.f.items[0].flag", "x.f.items[1].flag"]
    assert found["x.f.items[1].flag"] == {"flag": 2}
