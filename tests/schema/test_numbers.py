"""Numbers: big-endian, of every width, signed and not; groups of bits."""

import construct
import pytest

from streamshark.errors import SchemaError
from streamshark.schema import I8, I16, I32, I64, U8, U16, U24, U32, U64, Bits, Int, part, reserved
from streamshark.schema.reference import build_members, parse_members
from streamshark.schema.words import DecodingError, field

WIDTHS = {U8: "ff", U16: "ff00", U24: "ff0001", U32: "ff000001", U64: "ff00000000000001",
          I8: "ff", I16: "ff00", I32: "ff000001", I64: "ff00000000000001",
          Int(3, signed=True): "ff0001"}  # fmt: skip


@pytest.mark.parametrize("word", WIDTHS, ids=repr)
def test_every_width(word: Int) -> None:
    """As Python itself reads it."""
    data = bytes.fromhex(WIDTHS[word])
    members = (field("n", word, "A number."),)
    value = int.from_bytes(data, "big", signed=word.signed)

    assert parse_members(members, data)[0] == {"n": value}
    assert build_members(members, {"n": value}) == data
    with pytest.raises(DecodingError, match="short at byte 0"):
        parse_members(members, data[:-1])


@pytest.mark.parametrize(("word", "value"), [(U8, 256), (U8, -1), (I8, 128), (U24, 1 << 24)])
def test_what_does_not_fit_is_refused(word: Int, value: int) -> None:
    """When it is built."""
    with pytest.raises(construct.ConstructError):
        build_members((field("n", word, "A number."),), {"n": value})


def test_widths_are_a_closed_list() -> None:
    """As the protocols have them."""
    for size in (0, 5, 6, 7, 9):
        with pytest.raises(SchemaError):
            Int(size)


@pytest.mark.parametrize(
    ("sizes", "data", "values"),
    [
        ((4, 4), "5a", (5, 10)), ((6, 10), "fc01", (63, 1)), ((1, 31), "80000001", (1, 1)),
        ((1, 63), "8000000000000001", (1, 1)), ((1, 3, 4), "ff", (1, 7, 15)),
        ((1, 7), "81", (1, 1)), ((4, 20), "f00001", (15, 1)),
    ],
)  # fmt: skip
def test_groups_of_bits(sizes: tuple[int, ...], data: str, values: tuple[int, ...]) -> None:
    """Highest bits first."""
    parts = [part(f"p{index}", width, "A part.") for index, width in enumerate(sizes)]
    members = (Bits(sum(sizes) // 8, *parts),)
    named = {f"p{index}": value for index, value in enumerate(values)}

    assert parse_members(members, bytes.fromhex(data))[0] == named
    assert build_members(members, named) == bytes.fromhex(data)


def test_reserved_bits_are_read_over_and_written_as_told() -> None:
    """As 0, or as the bit that chose the arm."""
    members = (Bits(1, reserved(1, written=1), part("a", 3, "A."), reserved(4)),)

    assert parse_members(members, b"\x7f")[0] == {"a": 7}
    assert build_members(members, {"a": 7}) == b"\xf0"


def test_a_part_that_does_not_fit_is_refused() -> None:
    """Nothing spills into its neighbour."""
    with pytest.raises(construct.ConstructError, match="3 bits"):
        build_members((Bits(1, part("a", 3, "A."), reserved(5)),), {"a": 8})
