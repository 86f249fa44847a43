"""Raw values become the values of the JSON."""

from typing import Any

import pytest
from tests.madeup import parrot_traffic

from streamshark.decoding.payloads import DecodedPayload, Format, PayloadReaders
from streamshark.schema import (
    I64,
    REST,
    U8,
    U32,
    U64,
    Bits,
    Fits,
    Many,
    ProtoMessage,
    Record,
    TextLine,
    Word,
    decimal,
    field,
    nodes,
    part,
    proto,
    raw,
    remainder,
    text,
    token,
)
from streamshark.schema.walk import walk_word
from streamshark.views.display_options import DisplayOptions
from streamshark.views.values import Shaper, flags_set, uuid_text


def shaped(word: Record, values: dict[str, Any], **showing: object) -> dict[str, Any]:
    """The values of a record, as JSON shows them."""
    tree = walk_word(word, "any.thing")
    result: dict[str, Any] = Shaper(DisplayOptions(**showing)).tree(tree)(values)
    return result


def test_what_needs_no_change_stays() -> None:
    """Numbers and text are handed on as they are."""
    values = {"a": 1, "b": "text"}

    assert shaped(Record(field("a", U8, "A."), field("b", text(U8), "B.")), values) is values


@pytest.mark.parametrize(
    ("word", "raw_value", "shown"),
    [
        (raw(U8), b"\x00\xff", "00ff"),
        (raw(U8), b"", ""),
        (raw(I64, null=True), None, None),
        (text(I64, null=True), None, None),
        (Many(raw(U8), count=U8), [b"a", b"b"], ["61", "62"]),
        (Many(U8, count=U8), [1, 2], [1, 2]),
        (Record(field("b", raw(U8), "B.")), {"b": b"a"}, {"b": "61"}),
    ],
)
def test_bytes_are_hex(word: Word, raw_value: object, shown: object) -> None:
    """Anywhere in the frame; null is null."""
    assert shaped(Record(field("a", word, "A.")), {"a": raw_value}) == {"a": shown}


def test_absent_members_are_absent() -> None:
    """What the wire does not have, the JSON has not."""
    assert shaped(Record(field("a", raw(U8), "A."), field("b", U8, "B.")), {"b": 1}) == {"b": 1}


def test_enumerated_values_have_names() -> None:
    """Null for a value that has none."""
    word = Record(field("a", U8, "A.", names={1: "ok"}))

    assert shaped(word, {"a": 1}) == {"a": {"value": 1, "name": "ok"}}
    assert shaped(word, {"a": 2}) == {"a": {"value": 2, "name": None}}


def test_ranges_have_names() -> None:
    """Where the number has none of its own."""
    word = Record(field("a", U8, "A.", names={1: "ok"}, ranges={(0, 9): "reserved"}))

    assert [shaped(word, {"a": each})["a"]["name"] for each in (1, 2, 10)] == [
        "ok",
        "reserved",
        None,
    ]


def test_flags_are_booleans() -> None:
    """Bits that are set and have no name get one."""
    word = Record(field("a", U8, "A.", flags={1: "loud", 6: "odd"}))

    assert shaped(word, {"a": 3}) == {"a": {"loud": True, "odd": True}}
    assert flags_set(0x81, {1: "loud", 6: "odd"}) == {"loud": True, "odd": False, "bit_7": True}


def test_wide_numbers_as_text() -> None:
    """Every number of 64 bits, whatever its value; no narrower one."""
    word = Record(
        field("a", U64, "A."),
        field("b", U32, "B."),
        field("c", U64, "C.", names={1: "one"}),
        field("d", Many(I64, count=U8), "D."),
        Bits(8, part("e", 1, "E."), part("f", 63, "F.")),
    )
    values = {"a": 1, "b": 2, "c": 1, "d": [-1], "e": 1, "f": 3}

    assert shaped(word, values, int_strings=True) == {
        "a": "1", "b": 2, "c": {"value": "1", "name": "one"}, "d": ["-1"], "e": 1, "f": "3",
    }  # fmt: skip
    assert shaped(word, values)["a"] == 1


def test_secrets_are_masked() -> None:
    """Unless they are asked for; an absent one, null, is no secret."""
    word = Record(
        field("a", text(U8), "A.", secret=True),
        field("b", raw(I64, null=True), "B.", secret=True),
        field("c", Many(text(U8), count=U8), "C.", secret=True),
        field("d", Record(field("e", U8, "E.")), "D.", secret=True),
    )
    values = {"a": "x", "b": None, "c": ["y"], "d": {"e": 1}}

    assert shaped(word, values) == {"a": "***", "b": None, "c": "***", "d": "***"}
    assert shaped(word, values, secrets=True) == values


def test_secret_nodes_are_those_inside_too() -> None:
    """What stands in a secret is one."""
    tree = walk_word(
        Record(field("a", U8, "A."), field("d", Record(field("e", U8, "E.")), "D.", secret=True)),
        "any.thing",
    )

    assert {tree.nodes[each].name for each in nodes.secrets(tree)} == {"d", "e"}


@pytest.mark.parametrize(
    ("bodies", "shown"),
    [("decoded", "0102"), ("raw", "0102"), ("size", {"bytes": 2})],
)
def test_bodies(bodies: str, shown: object) -> None:
    """What stands in a slot, as the user wants it."""
    word = Record(field("a", raw(REST, slot="message"), "A."))

    assert shaped(word, {"a": b"\x01\x02"}, bodies=bodies) == {"a": shown}


@pytest.mark.parametrize(
    ("bodies", "shown"),
    [("decoded", "{}"), ("raw", "7b7d"), ("size", {"bytes": 2})],
)
def test_bodies_of_text(bodies: str, shown: object) -> None:
    """A slot in a text line."""
    word = Record(TextLine("INFO", remainder("a", "A.", slot="json")))

    assert shaped(word, {"a": "{}"}, bodies=bodies) == {"a": shown}


@pytest.mark.parametrize("bodies", ["decoded", "raw", "size"])
def test_a_body_that_is_null(bodies: str) -> None:
    """Null stays null."""
    word = Record(field("a", raw(I64, null=True, slot="message"), "A."))

    assert shaped(word, {"a": None}, bodies=bodies) == {"a": None}


def test_uuid() -> None:
    """Canonical; what was cut short is hex."""
    assert uuid_text(bytes(range(16))) == "00010203-0405-0607-0809-0a0b0c0d0e0f"
    assert uuid_text(b"\x01") == "01"


def test_arguments_of_text_lines() -> None:
    """Numbers and text stay."""
    word = Record(TextLine("SUB", token("subject", "S."), decimal("size", "Z.")))

    assert shaped(word, {"subject": "a", "size": 3}) == {"subject": "a", "size": 3}


def test_protobuf() -> None:
    """Every kind of field, nested ones, unknown ones."""
    word = Record(
        ProtoMessage({
            1: proto("a", "bytes", "A."),
            2: proto("b", "bool", "B."),
            3: proto("c", "double", "C.", repeated=True),
            4: proto("d", "uint64", "D."),
            5: proto("e", "message", "E.", message=ProtoMessage({1: proto("f", "bytes", "F.")})),
            6: proto("g", "enum", "G.", names={1: "one"}),
            7: proto("h", "string", "H."),
            8: proto("i", "bytes", "I.", slot="payload"),
        })
    )  # fmt: skip
    values = {
        "a": b"\x01", "b": 1, "c": [1.5, float("nan"), float("inf"), float("-inf")], "d": 4,
        "e": {"f": b"\x02"}, "g": 1, "h": "text", "i": b"\x03",
        "unknown_fields": [
            {"number": 9, "wire_type": 2, "value": b"\x04"},
            {"number": 9, "wire_type": 0, "value": 5},
        ],
    }  # fmt: skip

    assert shaped(word, values, int_strings=True) == {
        "a": "01", "b": True, "c": [1.5, "NaN", "Infinity", "-Infinity"], "d": "4",
        "e": {"f": "02"}, "g": {"value": 1, "name": "one"}, "h": "text", "i": "03",
        "unknown_fields": [
            {"number": 9, "wire_type": 2, "value": "04"},
            {"number": 9, "wire_type": 0, "value": "5"},
        ],
    }  # fmt: skip
    assert shaped(word, values)["unknown_fields"][1]["value"] == 5


def test_layouts_told_by_what_fits() -> None:
    """The members of every arm are shaped."""
    word = Record(Fits(wide=(field("a", raw(U32), "A."),), none=()))

    assert shaped(word, {"a": b"\x01"}) == {"a": "01"}


def test_a_whole_frame() -> None:
    """Bytes, a UUID, bits with names, a body and pairs."""
    row = parrot_traffic.row(parrot_traffic.feed(), "server")
    assert row.decoder is not None

    assert Shaper(DisplayOptions()).tree(row.decoder.tree)(row.values) == {
        "nut": "00010203-0405-0607-0809-0a0b0c0d0e0f",
        "weight": -5,
        "kind": {"value": 1, "name": "walnut"},
        "shell": "01ff",
        "seeds": [{"key": "oil", "value": "much"}],
    }


def test_bodies_in_a_format() -> None:
    """Its name, its value, and how many bytes it takes; bytes that no format knows are hex."""
    layers = PayloadReaders([Format("even", frozenset({"message"}), _even, _is_even)])
    tree = walk_word(Record(field("a", raw(REST, slot="message"), "A.")), "any.thing")
    shape = Shaper(DisplayOptions(), layers).tree(tree)

    assert shape({"a": b"abcd"}) == {
        "a": {
            "format": "even",
            "value": [{"key": "n", "value": ["61", "Infinity", None]}],
            "bytes": 4,
        }
    }
    assert shape({"a": b"abc"}) == {"a": "616263"}
    assert Shaper(DisplayOptions(bodies="raw"), layers).tree(tree)({"a": b"ab"}) == {"a": "6162"}


def test_text_bodies_in_a_format() -> None:
    """A slot in a text line; null stays null."""
    layers = PayloadReaders([Format("even", frozenset({"json"}), _even, _is_even)])
    line = walk_word(Record(TextLine("INFO", remainder("a", "A.", slot="json"))), "any.thing")
    null = walk_word(Record(field("a", raw(I64, null=True, slot="json"), "A.")), "any.thing")

    assert Shaper(DisplayOptions(), layers).tree(line)({"a": "{}"})["a"]["bytes"] == 2
    assert Shaper(DisplayOptions(), layers).tree(line)({"a": "{"})["a"] == "{"
    assert Shaper(DisplayOptions(), layers).tree(null)({"a": None}) == {"a": None}


def _is_even(data: bytes) -> int:
    return 0 if len(data) % 2 else 90


def _even(data: bytes) -> DecodedPayload:
    return DecodedPayload([{"key": "n", "value": [data[:1], float("inf"), None]}], [])
