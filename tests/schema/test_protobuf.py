"""Protobuf in the schema and the reference; vectors of every scalar are with the shapes."""

import pytest
from tests.schema.reader_agreement import Layout, broken, whole

from streamshark.errors import SchemaError
from streamshark.schema import ProtoMessage, Record, proto

INNER = ProtoMessage(
    {
        1: proto("n", "int32", "A number."),
        2: proto("many", "int32", "Numbers.", repeated=True),
        3: proto(
            "deep", "message", "Inside.", message=ProtoMessage({1: proto("x", "string", "X.")})
        ),
    }
)
LAYOUT = Layout.of_record(
    Record(
        ProtoMessage(
            {
                1: proto("inner", "message", "Inside.", message=INNER),
                2: proto("several", "message", "Several.", message=INNER, repeated=True),
                3: proto("last", "string", "The last counts."),
                4: proto("numbers", "sint32", "Numbers.", repeated=True),
            }
        )
    ),
    "any.message",
)


@pytest.mark.parametrize(
    ("data", "expect"),
    [
        ("0a020801 0a041001 1002", {"inner": {"n": 1, "many": [1, 2]}}),
        ("0a020801 0a020807", {"inner": {"n": 7}}),
        ("0a051a030a0161 0a021a00 0a051a030a0162", {"inner": {"deep": {"x": "b"}}}),
        ("0a0430011001 0a0230 02",
         {"inner": {"unknown_fields": [{"number": 6, "wire_type": 0, "value": 1},
                                       {"number": 6, "wire_type": 0, "value": 2}], "many": [1]}}),
        ("12020801 12020807", {"several": [{"n": 1}, {"n": 7}]}),
        ("1a0161 1a0162", {"last": "b"}),
        ("2203020103 2001", {"numbers": [1, -1, -2, -1]}),
        ("2200", {}),
        ("0d00000001", {"unknown_fields": [{"number": 1, "wire_type": 5, "value": "00000001"}]}),
        ("22020801 1807", {"numbers": [4, -1],
                           "unknown_fields": [{"number": 3, "wire_type": 0, "value": 7}]}),
    ],
)  # fmt: skip
def test_merging_and_keeping(data: str, expect: dict[str, object]) -> None:
    """Messages merge, lists grow, the last scalar counts; another wire type is unknown."""
    raw = bytes.fromhex(data)
    whole(LAYOUT, raw, expect, canonical=False)
    broken(LAYOUT, raw)


def test_an_empty_packed_list_is_absent() -> None:
    """As an empty repeated field always is, and none is written."""
    assert LAYOUT.decoder.fast(bytes.fromhex("2200")) == {}
    assert LAYOUT.build({"numbers": []}) == b""


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: proto("a", "int31", "A."),
        lambda: proto("a", "message", "A."),
        lambda: proto("a", "int32", "A.", message=INNER),
    ],
)
def test_a_field_that_makes_no_sense_is_refused(wrong: object) -> None:
    """Unknown types, nested ones without their message."""
    with pytest.raises(SchemaError):
        wrong()  # type: ignore[operator]
