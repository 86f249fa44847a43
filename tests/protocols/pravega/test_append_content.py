"""What blocks hold: records where they line up, bytes where not."""

import pytest
from tests.failures import every
from tests.protocols.pravega.traffic import RECORDS, encoders_vectors, record
from tests.schema.reader_agreement import Layout, Vector, agree, broken

from streamshark.decoding.payloads import CERTAIN
from streamshark.protocols.pravega.append_content import APPEND_BLOCK, sure

LAYOUT = Layout.of_record(APPEND_BLOCK.record, APPEND_BLOCK.id)
WRITTEN = [each for each in encoders_vectors() if "content" in each.facts]


@every("vector", WRITTEN, ids=lambda each: each.name)
def test_blocks_hold_what_the_encoder_was_given(vector: Vector) -> None:
    """Events, PADDING, PARTIAL_EVENT."""
    data = bytes.fromhex(vector.expect["data"])
    given = [next(iter(each.items())) for each in vector.facts["content"]]
    expected = [
        {"type_code": RECORDS[kind], "data": bytes.fromhex(value)}
        for kind, value in given
        if kind in RECORDS
    ]

    if data and len(expected) == len(given):
        assert sure(data) == CERTAIN
        assert agree(LAYOUT, data) == {"records": expected}
    broken(LAYOUT, data, most=40)


def test_two_events_and_padding() -> None:
    """The whole value is the list."""
    data = record(0, b"a") + record(0, b"") + record(-1, bytes(3))
    decoded = APPEND_BLOCK.decode(data)

    assert not decoded.problems
    assert [each["data"] for each in decoded.value] == [b"a", b"", bytes(3)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello, world",
        record(0, b"abc")[:-1],
        record(0, b"abc") + b"\0",
        record(1, b"abc"),
        record(-3, b"abc"),
        b"\0\0\0\0\xff\xff\xff\xff",
        bytes(16),
    ],
)
def test_what_does_not_line_up_is_bytes(data: bytes) -> None:
    """Byte streams, of zeros too, and reads that begin or end inside an event."""
    assert sure(data) == 0


def test_an_empty_event_is_one() -> None:
    """Though it is all zeros."""
    assert sure(bytes(8)) == CERTAIN
