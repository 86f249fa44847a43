"""Types: keys that lie about their length, texts of Java, tails."""

import pytest
from tests.schema.reader_agreement import Layout, agree, broken

from streamshark.protocols.pravega.types import ENTRY, FILTERS, KEY, LARGEST_KEY, STRING, VALUE
from streamshark.schema import Record, field


def read(data: str, record: Record) -> object:
    """The values that all readers give, or the words of the problems."""
    layout = Layout.of_record(record, "test.record")
    values = agree(layout, bytes.fromhex(data))
    broken(layout, bytes.fromhex(data))
    if values is None:
        return [each.code.word for each in layout.decoder.careful(bytes.fromhex(data))[2]]
    return values


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("0000000e000000026b31ffffffffffffffff", {"total": 14, "data": b"k1", "key_version": -1}),
        ("0000000c00000000", {"total": 12, "data": b""}),
        ("0000000d000000026b31ffffffffffffffff", ["claim"]),
        ("0000000c000000008000000000000000", ["trailing"]),  # the Rust client's empty key
        ("0000000e000000026b31", ["short"]),
    ],
)
def test_an_empty_key_says_twelve(data: str, expected: object) -> None:
    """Though only four bytes follow."""
    assert read(data, KEY) == expected


def test_a_key_has_a_limit() -> None:
    """Of 8 KiB."""
    told = LARGEST_KEY + 1
    data = (told + 12).to_bytes(4, "big") + told.to_bytes(4, "big") + bytes(told + 8)
    found = Layout.of_record(KEY, "test.record").decoder.careful(data)[2]

    assert [each.code.word for each in found] == ["limit"]


def test_an_entry_is_a_key_and_a_value() -> None:
    """The value follows the key."""
    assert read("0000000c0000000000000005000000016a", ENTRY) == {
        "key": {"total": 12, "data": b""},
        "value": {"total": 5, "data": b"j"},
    }
    assert read("0000000400000001", VALUE) == ["short"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("0002c080", "\0"),
        ("0006eda0bdedb880", "\U0001f600"),
        ("0003e282ac", "\u20ac"),
    ],
)
def test_text_is_java_s(data: str, expected: str) -> None:
    """U+0000 in two bytes, what is above U+FFFF in two surrogates."""
    assert read(data, Record(field("text", STRING, "Text."))) == {"text": expected}


def test_plain_utf_8_is_a_problem() -> None:
    """As the Rust client writes it; the text is there all the same."""
    assert read("0004f09f9880", Record(field("text", STRING, "Text."))) == ["text"]


def test_filters_are_there_while_bytes_remain() -> None:
    """None, one or three."""
    record = Record(*FILTERS)

    assert read("", record) == {}
    assert read("00000000", record) == {"prefix_filter": b""}
    assert read("00000000" "0000000161" "00000000", record) == {
        "prefix_filter": b"", "from_key": b"a", "to_key": b"",
    }  # fmt: skip
