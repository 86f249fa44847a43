"""Values of AMQP 1.0: what reference encoders wrote is read, whatever else comes is told."""

import random
import tracemalloc
from decimal import Decimal
from typing import Any

import pytest
from tests.failures import every
from tests.schema.reader_agreement import NULL, Vector, vectors
from tests.timing import is_within

from streamshark.decoding.payloads import MAX_DEPTH
from streamshark.protocols.amqp1.types import MOST_PROBLEMS, MOST_VALUES, Reader
from streamshark.schema import ProblemCode

WRITTEN = [each for each in vectors("amqp1") if each.file == "value"]
MEMORY = 40_000_000
"""Bytes that any value of a megabyte may take."""


def read(data: bytes) -> tuple[Any, list[str]]:
    """Return the value and the sentences of its problems."""
    reader = Reader(data)
    value = reader.value(len(data))
    assert reader.at <= len(data)
    for each in reader.problems:
        assert each.code is ProblemCode.VALUE
        assert 0 <= each.offset <= each.offset + each.length <= len(data)
    return value, [each.message for each in reader.problems]


def shown(expect: dict[str, Any]) -> object:
    """Return what a vector expects, in the shape of our values."""
    if "descriptor" in expect:
        return {name: shown(each) for name, each in expect.items()}
    kind, value = expect["type"], expect["value"]
    match kind:
        case "list" | "array":
            return [shown(each) for each in value]
        case "map":
            return [{name: shown(each) for name, each in pair.items()} for pair in value] or {}
        case "binary":
            return bytes.fromhex(value)
        case "char":
            return chr(value)
        case _:
            return None if value == NULL else value


@every("vector", WRITTEN, ids=lambda each: each.name)
def test_what_a_reference_encoder_wrote(vector: Vector) -> None:
    """Every encoding of every type, without a problem."""
    value, problems = read(vector.data)

    assert problems == []
    if vector.expect.get("type", "").startswith("decimal"):
        assert Decimal(value).is_finite()
    else:
        assert value == shown(vector.expect)
        assert type(value) is type(shown(vector.expect))


@every(
    ("data", "value"),
    [
        ("74 32800001", "1"), ("74 b2800001", "-1"), ("74 32000001", "0.1"),
        ("74 32ffffff", "8388607"), ("74 6cb8967f", "9999999"), ("74 6cbfffff", "0"),
        ("74 78000000", "Infinity"), ("74 f8000000", "-Infinity"), ("74 7c000000", "NaN"),
        ("84 31c000000000000a", "10"), ("84 5fe38d7ea4c68000", "1.000000000000000E+384"),
        ("94 3040000000000000000000000000000a", "10"),
        ("94 303e0000000000000000000000000001", "0.1"),
    ],
)  # fmt: skip
def test_decimals(data: str, value: str) -> None:
    """Binary integer coefficients (IEEE 754-2008), as the specification of AMQP wants them."""
    assert read(bytes.fromhex(data))[0] == value


@every(
    ("data", "value"),
    [
        ("72 3dcccccd", 0.1),
        ("72 00000001", 1.4013e-45),
        ("72 7f7fffff", 3.4028235e38),
        ("72 7fc00000", "NaN"),
        ("72 7f800000", "Infinity"),
        ("72 ff800000", "-Infinity"),
        ("82 7ff8000000000000", "NaN"),
        ("82 fff0000000000000", "-Infinity"),
        ("56 00", False),
        ("56 01", True),
        ("70 00000000", 0),
        ("80 0000000000000000", 0),
        ("60 0102", 258),
        ("61 fffe", -2),
        ("b0 00000002 0102", b"\1\2"),
        ("d0 00000004 00000000", []),
        ("b3 00000001 61", "a"),
        ("d1 00000008 00000002 54015402", [{"key": 1, "value": 2}]),
        ("f0 00000007 00000002 5401 02", [1, 2]),
        ("e0 02 03 44", [0, 0, 0]),
        ("e0 06 01 00 5305 54 01", [{"descriptor": 5, "value": 1}]),
        (
            "e0 08 01 00 5305 00 5306 40",
            [{"descriptor": 5, "value": {"descriptor": 6, "value": None}}],
        ),
    ],
)
def test_encodings_that_the_encoder_does_not_choose(data: str, value: object) -> None:
    """Wide forms of small values, arrays of described ones, numbers that are not finite."""
    assert read(bytes.fromhex(data)) == (value, [])


@every(
    ("data", "value", "told"),
    [
        ("", None, ["1 bytes needed, 0 left"]),
        ("71 0000", None, ["4 bytes needed, 2 left"]),
        ("a1 05 6162", None, ["5 bytes needed, 2 left"]),
        ("b1 0000", None, ["4 bytes needed, 2 left"]),
        ("b0 00", None, ["4 bytes needed, 1 left"]),
        ("56", None, ["1 bytes needed, 0 left"]),
        ("73 00", None, ["4 bytes needed, 1 left"]),
        ("c0 01", None, ["2 bytes needed, 1 left"]),
        ("c1 01", None, ["2 bytes needed, 1 left"]),
        ("e0 01", None, ["2 bytes needed, 1 left"]),
        ("00", None, ["1 bytes needed, 0 left"]),
        ("00 5301", {"descriptor": 1, "value": None}, ["1 bytes needed, 0 left"]),
        ("56 02", True, ["a boolean of 2"]),
        ("73 00110000", "\ufffd", ["0x110000 is not a character"]),
        ("73 0000d800", "\ufffd", ["0xd800 is not a character"]),
        ("a1 01 ff", "\ufffd", ["not valid utf-8"]),
        ("a3 02 c3bc", "ü", ["not valid ascii"]),
        ("3f", None, ["no type has the constructor 0x3f"]),
        ("c0 05 02 5f61 5401", [b"a", 1], ["no type has the constructor 0x5f"]),
        ("c0 06 02 af0161 5401", [b"a", 1], ["no type has the constructor 0xaf"]),
        ("c0 03 03 4041", [None, True], ["3 items announced, 2 present"]),
        ("c0 04 01 4041 42", [None], ["2 bytes left in a value"]),
        ("c0 09 02 4041", [None, True], ["8 bytes needed, 2 left"]),
        ("c0 00 01", [], ["a size of 0 has no room for the count",
                          "1 items announced, 0 present"]),
        ("c1 02 01 40", {}, ["a map of 1 values: one key has no value",
                             "1 bytes left in a value"]),
        ("c1 05 04 4041 4243", [{"key": None, "value": True}, {"key": False, "value": 0}], []),
        ("c1 03 04 4041", [{"key": None, "value": True}], ["4 items announced, 2 present"]),
        ("c1 03 02 40 71", [{"key": None, "value": None}], ["4 bytes needed, 0 left"]),
        ("c1 03 02 71 40", {}, ["4 bytes needed, 1 left"]),
        ("c0 07 02 c0 03 01 71 00 41", [[], True], ["4 bytes needed, 1 left"]),
        ("e0 01 02", [], ["1 bytes needed, 0 left"]),
        ("e0 02 02 54", [], ["2 items announced, 0 present"]),
        ("e0 03 02 5401", [1], ["2 items announced, 1 present"]),
        ("e0 03 02 7100", [], ["4 bytes needed, 1 left"]),
        ("e0 03 01 00 71", [], ["4 bytes needed, 0 left"]),
        ("e0 04 01 54 0102", [1], ["1 bytes left in a value"]),
    ],
)  # fmt: skip
def test_what_breaks_the_rules(data: str, value: object, told: list[str]) -> None:
    """A problem has its place; earlier values stay, and lists continue after the wrong item."""
    assert read(bytes.fromhex(data)) == (value, told)


@pytest.mark.parametrize("code", [0xC0, 0xC1, 0xE0, 0x00])
def test_depth_is_limited(code: int) -> None:
    """Values inside values: so many, then a problem."""
    data = b"\x40"
    for around in range(MAX_DEPTH + 5):
        _, problems = read(data)
        wanted = [f"over {MAX_DEPTH} values inside values"] if around > MAX_DEPTH else []
        assert problems == wanted, around
        head = bytes([code]) if code == 0 else b""
        wrapped = {
            0xC0: bytes([0xD0]) + (len(data) + 4).to_bytes(4) + (1).to_bytes(4) + data,
            0xC1: bytes([0xD1]) + (len(data) + 5).to_bytes(4) + (2).to_bytes(4) + b"\x40" + data,
            0xE0: bytes([0xF0]) + (len(data) + 4).to_bytes(4) + (1).to_bytes(4) + data,
            0x00: head + b"\x40" + data,
        }
        data = wrapped[code]


def test_descriptors_of_arrays_are_limited() -> None:
    """As values inside values are."""
    _, problems = read(b"\xf0\0\0\1\4\0\0\0\1" + b"\0\x40" * 128)

    assert f"over {MAX_DEPTH} values inside values" in problems


def hostile() -> dict[str, bytes]:
    """Return values that a few bytes, or a megabyte, make large."""
    many = (1 << 32) - 1
    return {
        "nulls in an array": b"\xf0" + (5).to_bytes(4) + many.to_bytes(4) + b"\x40",
        "lists in an array": b"\xf0" + (5).to_bytes(4) + many.to_bytes(4) + b"\x45",
        "count of a list": b"\xd0" + (5).to_bytes(4) + many.to_bytes(4) + b"\x40",
        "size of a list": b"\xd0" + many.to_bytes(4) + many.to_bytes(4) + b"\x40",
        "length of a string": b"\xb1" + many.to_bytes(4) + b"a",
        "nulls in a list": b"\xd0"
        + (1_000_004).to_bytes(4)
        + many.to_bytes(4)
        + b"\x40" * 1_000_000,
        "pairs": b"\xd1" + (1_000_004).to_bytes(4) + many.to_bytes(4) + b"\x40" * 1_000_000,
        "wrong booleans": b"\xd0"
        + (1_000_004).to_bytes(4)
        + many.to_bytes(4)
        + b"\x56\x07" * 500_000,
        "arrays of nulls": b"\xd0"
        + (900_004).to_bytes(4)
        + (150_000).to_bytes(4)
        + b"\xe0\x02\xff\x40\x45\x45" * 150_000,
    }


@pytest.mark.slow
@pytest.mark.parametrize("data", hostile().values(), ids=hostile())
def test_memory_is_bounded(data: bytes) -> None:
    """Whatever counts and sizes say."""
    tracemalloc.start()
    try:
        reader = Reader(data)
        reader.value(len(data))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert reader.problems
    assert len(reader.problems) <= MOST_PROBLEMS
    assert peak < MEMORY


def test_values_are_limited() -> None:
    """By number, zero-width ones too."""
    value, problems = read(hostile()["nulls in an array"])

    assert len(value) == MOST_VALUES
    assert problems == [f"over {MOST_VALUES} values in one message"]


def test_time_is_linear() -> None:
    """Eight times the bytes take no more than some eight times as long."""

    def read_all(count: int) -> None:
        inner = b"\xc0\x04\x03\x40\x54\x01"
        data = b"\xd0" + (len(inner) * count + 4).to_bytes(4) + count.to_bytes(4) + inner * count
        Reader(data).value(len(data))

    assert is_within(8 * 4, lambda: read_all(16_000), lambda: read_all(2_000))


@every("vector", WRITTEN, ids=lambda each: each.name)
def test_cut_and_mutated_values(vector: Vector) -> None:
    """At every length, and with bytes changed: values and problems, never an exception."""
    data = vector.data
    for end in range(min(len(data), 400)):
        assert read(data[:end])[1]
    source = random.Random(vector.name)  # noqa: S311 - a seed
    for _ in range(300):
        spoilt = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            spoilt[source.randrange(len(spoilt))] = source.randrange(256)
        read(bytes(spoilt))
