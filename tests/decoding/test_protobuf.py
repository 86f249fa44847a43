"""Protobuf messages in the record decoder; their values are tested with the vocabulary."""

import pytest
from tests.failures import every

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.protobuf import quick, table_of, varint
from streamshark.decoding.runtime import Stop
from streamshark.schema import Problem, ProblemCode, ProtoMessage, Record, proto
from streamshark.schema.nodes import MessageNode, Node, ProtoNode
from streamshark.schema.walk import walk_word
from streamshark.schema.words import FieldFacts

INNER = ProtoMessage({1: proto("n", "uint64", "N.")})
DECODER = Decoder(
    walk_word(
        Record(
            ProtoMessage(
                {
                    1: proto("inner", "message", "Inside.", message=INNER),
                    2: proto("text", "string", "Text."),
                    3: proto("many", "fixed32", "Many.", repeated=True),
                }
            )
        ),
        "any.message",
    )
)


def test_every_byte_of_a_message_has_a_node() -> None:
    """Tags belong to the message, lengths to what they measure."""
    data = bytes.fromhex("12026869 0a020805 1a0801000000ffffffff 3801")
    nodes = DECODER.tree.nodes
    told = [(nodes[i].name, data[s:e].hex()) for i, s, e, _ in DECODER.careful(data)[1]]

    assert told == [
        (None, "12"), ("text", "026869"), (None, "0a02"), (None, "08"), ("n", "05"),
        (None, "1a08"), ("many", "01000000"), ("many", "ffffffff"), (None, "38"),
        ("unknown_fields", "01"),
    ]  # fmt: skip


@every(
    ("data", "values", "code"),
    [
        ("0a0208ff 120161", {"inner": {}, "text": "a"}, ProblemCode.SHORT),
        ("0a0108 120161", {"inner": {}, "text": "a"}, ProblemCode.SHORT),
        ("0a03ffffff 120161", {"inner": {}, "text": "a"}, ProblemCode.SHORT),
        ("1a0601000000ffff 120161", {"many": [1], "text": "a"}, ProblemCode.SHORT),
        ("120561", {}, ProblemCode.SHORT), ("1201ff", {"text": "\ufffd"}, ProblemCode.TEXT),
        ("0b", {}, ProblemCode.WIRE_TYPE), ("02", {}, ProblemCode.WIRE_TYPE),
        ("00", {}, ProblemCode.WIRE_TYPE),
        ("38ffffffffffffffffffff", {}, ProblemCode.VARINT), ("1d0000", {}, ProblemCode.SHORT),
        ("3d0000", {}, ProblemCode.SHORT), ("3a05", {}, ProblemCode.SHORT),
        ("ff", {}, ProblemCode.SHORT),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_message(
    data: str, values: dict[str, object], code: ProblemCode
) -> None:
    """A stop inside a message or a packed list ends only that."""
    read, _, problems = DECODER.careful(bytes.fromhex(data))

    assert read == values
    assert [each.code for each in problems] == [code]
    with pytest.raises((Stop, UnicodeDecodeError)):
        DECODER.fast(bytes.fromhex(data))


def test_a_varint_has_at_most_ten_bytes_and_64_bits() -> None:
    """Further bits are cut off, as other decoders do."""
    problems: list[Problem] = []

    assert varint(b"\xff" * 9 + b"\x7f", 0, 10, 1, None) == (0xFFFF_FFFF_FFFF_FFFF, 10)
    with pytest.raises(Stop):
        varint(b"\xff" * 11, 0, 11, 1, ([], problems))
    assert problems[0][:4] == (ProblemCode.VARINT, 1, 0, 10)


@pytest.mark.parametrize(
    "data",
    ["", "1200", "0a00", "0a020805 0a020806", "1d01000000 1d02000000", "1a0401000000 1d02000000",
     "12820168692e" + "61" * 127, "3801 120161", "f8ffffff0f01 120161"],
)  # fmt: skip
def test_the_quick_way_says_the_same(data: str) -> None:
    """Tags of one byte use a table; the values are those of the careful form."""
    raw = bytes.fromhex(data)

    assert DECODER.fast(raw) == DECODER.careful(raw)[0]


def test_a_table_has_tags_of_one_and_two_bytes() -> None:
    """The table has tags of one and two bytes; longer ones are decoded step by step."""
    node = MessageNode(0, None, (), "", FieldFacts(), 0, {}, Node(1, None, (), "", FieldFacts(), 0))
    for number in (1, 16, 3000):
        own = number, "int32", False, None, None
        node.fields[number] = ProtoNode(number, "f", ("f",), "F.", FieldFacts(), 0, *own)

    table = table_of(node).fields

    assert {key: each.size for key, each in table.items()} == {0x08: 1, 0x0180: 2}
    out: dict[str, object] = {}
    assert quick(bytes.fromhex("0805 800107 c0bb0109"), 0, 9, table_of(node), out) == 9
    assert out == {"f": 9}
