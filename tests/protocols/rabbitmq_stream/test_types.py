"""Types: text counts bytes, null is read where brokers read it, counts of last lists are claims."""

import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, agree, broken

from streamshark.protocols.rabbitmq_stream.types import (
    BYTES,
    MAP,
    MAX_REFERENCE,
    NULLABLE_BYTES,
    NULLABLE_STRING,
    OFFSET_OR_NONE,
    OFFSET_SPECIFICATION,
    PROPERTIES,
    REFERENCE,
    STRING,
    SUB_BATCH,
    array,
    last_array,
)
from streamshark.schema import U16, Member, ProblemCode, Record, Word, field

MAP_FIELD = field("map", MAP, "Pairs.")


def layout(*members: Member) -> Layout:
    """A record that stands alone."""
    return Layout.of_record(Record(*members), "test.record")


def read(word: Word, data: str) -> object:
    """The value that all readers give, or the words of the problems."""
    one = layout(field("value", word, "Under test."))
    values = agree(one, bytes.fromhex(data))
    if values is None:
        return [each.code.word for each in one.decoder.careful(bytes.fromhex(data))[2]]
    broken(one, bytes.fromhex(data))
    return values["value"]


@every(
    ("word", "data", "expected"),
    [
        (STRING, "00056772c3b662", "gr\u00f6b"),
        (STRING, "0000", ""),
        (STRING, "ffff", ["null"]),
        (STRING, "fffe", ["negative"]),
        (STRING, "0002c3", ["short"]),
        (STRING, "0001c3", ["text"]),
        (NULLABLE_STRING, "ffff", None),
        (BYTES, "0000000200ff", b"\x00\xff"),
        (BYTES, "ffffffff", ["null"]),
        (NULLABLE_BYTES, "ffffffff", None),
        (array(U16), "0000000200010002", [1, 2]),
        (array(U16), "000000010001ffff", ["trailing"]),
        (array(U16), "000000020001", ["short"]),
        (last_array(U16), "0000000200010002", [1, 2]),
        (last_array(U16), "0000000100010002", ["count"]),
        (last_array(U16), "ffffffff0001", ["count"]),
        (MAP, "00000001000161000162", [{"key": "a", "value": "b"}]),
        (MAP, "00000000", []),
    ],
)
def test_types(word: Word, data: str, expected: object) -> None:
    """Each type gives its values and sees what is wrong."""
    result = read(word, data)

    assert expected == (result[: len("gr\u00f6b")] if isinstance(result, str) else result)


def test_references_have_a_limit() -> None:
    """One byte counts the bytes of a reference in the log: 255 fit, 256 are told."""
    assert read(REFERENCE, f"{MAX_REFERENCE:04x}" + "61" * MAX_REFERENCE) == "a" * MAX_REFERENCE
    assert read(REFERENCE, f"{MAX_REFERENCE + 1:04x}" + "61" * (MAX_REFERENCE + 1)) == ["limit"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("0001", {"offset_type": 1}),
        ("0004ffffffffffffffff", {"offset_type": 4, "offset": 2**64 - 1}),
        ("0005ffffffffffffffff", {"offset_type": 5, "timestamp": -1}),
        ("0000", None),
        ("0009", None),
        ("00010000000000000000", None),
    ],
)
def test_offset_specifications(data: str, expected: dict[str, int] | None) -> None:
    """Only two types have a value, and it has a name of its own each."""
    assert expected == agree(layout(*OFFSET_SPECIFICATION), bytes.fromhex(data))


def test_offset_types_that_do_not_exist_are_kept() -> None:
    """The value stays, a problem says so; the answer to ConsumerUpdate may name no place."""
    spec, answer = layout(*OFFSET_SPECIFICATION), layout(*OFFSET_OR_NONE)

    values, _, problems = spec.decoder.careful(bytes.fromhex("0009"))

    assert values == {"offset_type": 9}
    assert [(each.code, each.offset, each.length, each.message) for each in problems] == [
        (ProblemCode.VALUE, 0, 2, "no offset_type 9")
    ]
    assert agree(answer, bytes.fromhex("0000")) == {"offset_type": 0}
    assert agree(answer, bytes.fromhex("0006")) is None


def test_null_that_brokers_refuse() -> None:
    """The fields after it are read, and null is shown."""
    one = layout(field("one", STRING, "One."), field("two", BYTES, "Two."), MAP_FIELD)

    values, ranges, problems = one.decoder.careful(
        bytes.fromhex("ffff ffffffff 00000001 000161 ffff")
    )

    assert values == {"one": None, "two": None, "map": [{"key": "a", "value": None}]}
    assert [(each.code, each.offset, each.length) for each in problems] == [
        (ProblemCode.NULL, 0, 2), (ProblemCode.NULL, 2, 4), (ProblemCode.NULL, 13, 2),
    ]  # fmt: skip
    assert [each[3] for each in ranges] == [None, None, 1, "a", None]


def test_properties_may_be_absent() -> None:
    """No bytes: no properties. A count of 0: an empty list. Stray bytes: a problem."""
    one = layout(PROPERTIES)

    assert agree(one, b"") == {}
    assert agree(one, bytes(4)) == {"properties": []}
    assert agree(one, bytes(3)) is None


def test_sub_batches() -> None:
    """Header and packed bytes; reserved bits are passed over."""
    expected = {
        "entry_type": 1,
        "compression": 1,
        "record_count": 2,
        "uncompressed_size": 11,
        "records": b"ab",
    }

    assert agree(layout(*SUB_BATCH), bytes.fromhex("9000020000000b000000026162")) == expected
    assert agree(layout(*SUB_BATCH), bytes.fromhex("9f00020000000b000000026162")) == expected
