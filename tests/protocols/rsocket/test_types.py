"""Types: reserved bits are passed over, metadata is there by its flag, types come in two forms."""

import pytest
from tests.schema.reader_agreement import Layout, agree, broken

from streamshark.protocols.rsocket.types import (
    LAST_METADATA,
    METADATA_SLOT,
    MIME_TYPE,
    OLD_PAYLOAD,
    PAYLOAD,
    VEILED,
    u31,
    u63,
)
from streamshark.schema import U16, Member, Record, field

FLAGS = field("flags", U16, "Flags.")


def read(data: str, *members: Member) -> object:
    """The values that all readers give, or the words of the problems."""
    layout = Layout.of_record(Record(*members), "test.record")
    values = agree(layout, bytes.fromhex(data))
    broken(layout, bytes.fromhex(data))
    if values is None:
        return [each.code.word for each in layout.decoder.careful(bytes.fromhex(data))[2]]
    return values


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("0000", {"flags": 0, "data": b""}),
        ("00006d", {"flags": 0, "data": b"m"}),
        ("0100000000", {"flags": 0x100, "metadata": b"", "data": b""}),
        ("01000000016d64", {"flags": 0x100, "metadata": b"m", "data": b"d"}),
        ("01000000036d64", ["short"]),
        ("01000000", ["short"]),
    ],
)
def test_metadata_is_there_by_its_flag(data: str, expected: object) -> None:
    """None and a length of 0 differ; a length past the end is a problem."""
    assert read(data, FLAGS, *PAYLOAD) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("000064", {"flags": 0, "data": b"d"}),
        ("4000000000056d64", {"flags": 0x4000, "metadata_length": 5, "metadata": b"m",
                              "data": b"d"}),
        ("400000000003", ["negative"]),
        ("4000000000ff", ["short"]),
    ],
)  # fmt: skip
def test_old_metadata_counts_its_length(data: str, expected: object) -> None:
    """Four bytes are the least that it can say."""
    assert read(data, FLAGS, *OLD_PAYLOAD) == expected


def test_last_metadata_needs_no_flag() -> None:
    """All that is left, if anything is."""
    assert read("", LAST_METADATA) == {}
    assert read("6d", LAST_METADATA) == {"metadata": b"m"}


def test_reserved_bits_are_not_part_of_numbers() -> None:
    """31 and 63 bits, whatever stands above them."""
    assert read("80000005", u31("n", "A number.")) == {"n": 5}
    assert read("7fffffff", u31("n", "A number.")) == {"n": 0x7FFFFFFF}
    assert read("ff" * 8, u63("n", "A number.")) == {"n": (1 << 63) - 1}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("85", {"mime_id": 5}),
        ("0061", {"type_length": 0, "mime_type": "a"}),
        ("02782f79", {"type_length": 2, "mime_type": "x/y"}),
        ("0278", ["short"]),
        ("00e9", ["text"]),
        ("", ["short"]),
    ],
)
def test_a_type_is_a_number_or_a_text(data: str, expected: object) -> None:
    """The length of the text is one more than what is written."""
    assert read(data, MIME_TYPE) == expected


def test_secrets_may_stand_in_metadata() -> None:
    """In that which may hold authentication."""
    assert METADATA_SLOT.veiled == VEILED
    assert {each.rpartition(".rsocket.")[2] for each in VEILED} == {
        "composite-metadata.v0", "authentication.v0", "authentication.basic.v0",
        "authentication.bearer.v0",
    }  # fmt: skip
