"""Frames are cut and read as RFC 9113 has them and hyperframe writes them."""

import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, Vector, broken, vectors, whole

from streamshark.protocols.http2.codes import Flag, FrameType
from streamshark.protocols.http2.framing import FRAMES, HEAD, LARGEST, MARKS, SMALLEST, TABLE

VECTORS = [
    each for each in vectors("http2") if each.file == "frame" and "type" in each.expect
    and each.expect["type"] in list(FrameType)
]  # fmt: skip


def layout_of(vector: Vector) -> Layout:
    """The layout that a vector is about."""
    schema = next(each for each in FRAMES if each.key == vector.expect["type"])
    return Layout.of_frame(schema, HEAD, "http2")


@every("vector", VECTORS, ids=lambda each: each.name)
def test_what_a_library_writes(vector: Vector) -> None:
    """Every reader agrees, and the mark stands at its head."""
    expect = {**vector.expect, "flags": dict.fromkeys(vector.expect["flags"], True)}
    layout = layout_of(vector)

    read = whole(layout, vector.data)
    broken(layout, vector.data, most=40)
    for name, value in expect.items():
        if isinstance(value, int):
            assert read[name] == value
    mask = {flag.name: int(flag) for flag in Flag} | {"ACK": 1}
    assert read["flags"] == sum(mask[name.upper()] for name in expect["flags"])
    assert MARKS.match(vector.data)


def test_every_type_has_a_vector() -> None:
    """Ten of them."""
    assert {each.expect["type"] for each in VECTORS} == {int(each) for each in FrameType}
    assert {each.name: int(each.key) for each in FRAMES} == {
        each.name.lower(): int(each) for each in FrameType
    }


@pytest.mark.parametrize("head", ["000000000200000001", "0000000a0000000001", "000000010080000001",
                                  "000008060400000000"])  # fmt: skip
def test_what_is_no_head(head: str) -> None:
    """A flag that DATA has not, an unknown type, a reserved bit, PING with a strange flag."""
    assert not MARKS.match(bytes.fromhex(head))


def test_limits() -> None:
    """A head is the smallest frame; the largest is what 24 bits count."""
    assert (SMALLEST, LARGEST) == (9, 0xFFFFFF + 9)
    assert TABLE.measure(bytes.fromhex("000005000000000001") + bytes(9), 0, 18) == (
        14, 0, None, False,
    )  # fmt: skip
