"""MessagePack in bodies: every vector, and bytes that mean harm."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.failures import every
from tests.schema.reader_agreement import NULL, Vector, vectors

from streamshark.decoding.payloads import MAX_DEPTH, ONLY_IF_DECLARED, PayloadReaders
from streamshark.protocols.messagepack import FORMAT
from streamshark.protocols.messagepack.value import MOST_VALUES, SURE, decode, sure
from streamshark.protocols.text import FORMAT as TEXT
from streamshark.schema import ProblemCode


def plain(expect: dict[str, Any]) -> Any:  # noqa: ANN401 - any value
    """What a `{type, value}` of a vector is decoded to."""
    kind, value = expect["type"], expect["value"]
    match kind:
        case "array":
            return [plain(each) for each in value]
        case "map":
            pairs = [{"key": plain(each["key"]), "value": plain(each["value"])} for each in value]
            return pairs or {}
        case "bytes":
            return bytes.fromhex(value)
        case "float":
            return float(value)
    return None if value == NULL else value


@every("vector", vectors("messagepack"), ids=lambda each: each.name)
def test_what_other_encoders_wrote(vector: Vector) -> None:
    """The bytes of other encoders give their values; if cut at any byte they give none."""
    found, problems = decode(vector.data)

    assert problems == []
    assert sure(vector.data)
    if vector.expect["type"] in ("ext", "timestamp"):
        assert found["ext"] == vector.expect.get("code", -1)
        assert vector.data.endswith(found["value"])
    else:
        assert repr(found) == repr(plain(vector.expect))
    for end in range(min(len(vector.data), 300)):
        assert decode(vector.data[:end]).problems
        assert sure(vector.data[:end]) == 0
    assert decode(vector.data + b"\0").problems


@pytest.mark.parametrize(
    ("data", "at"),
    [
        ("", 0), ("c1", 1), ("92", 1), ("9201", 1), ("ddffffffff", 5),
        ("dfffffffff00", 5), ("c6ffffffff", 5), ("dbffffffff00", 5), ("c9ffffffff01", 6),
        ("0001", 1),
    ],
)  # fmt: skip
def test_bytes_that_are_none(data: str, at: int) -> None:
    """A problem at the place where it shows; nothing is made room for."""
    value, problems = decode(bytes.fromhex(data))

    assert value is None
    assert [(each.code, each.offset) for each in problems] == [(ProblemCode.VALUE, at)]


def test_bombs() -> None:
    """Deep, and many: bounded."""
    assert decode(b"\x91" * MAX_DEPTH + b"\0").problems == []
    assert decode(b"\x91" * (MAX_DEPTH + 1) + b"\0").problems
    assert decode(b"\x91" * 1_000_000).problems
    assert decode(b"\xdd" + MOST_VALUES.to_bytes(4, "big") + bytes(MOST_VALUES)).problems


def test_lengths_of_four_bytes() -> None:
    """No encoder at hand writes them for what is short."""
    assert decode(b"\xdb\0\0\0\1a").value == "a"
    assert decode(b"\xc6\0\0\0\1a").value == b"a"
    assert decode(b"\xdd\0\0\0\1a").value == [0x61]
    assert decode(b"\xdf\0\0\0\1aa").value == [{"key": 0x61, "value": 0x61}]
    assert decode(b"\xc9\0\0\0\1\xffa").value == {"ext": -1, "value": b"a"}


def test_how_sure_it_is() -> None:
    """Maps with keys of text may be told; the rest only if it is said."""
    assert sure(b"\x81\xa1a\1") == SURE
    assert sure(b"\0") == sure(b"\x80") == sure(b"\x91\1") == ONLY_IF_DECLARED
    layers = PayloadReaders([FORMAT, TEXT])
    assert layers.body("*", b"\0") is None
    body = layers.body("*", b"\0", declared="application/msgpack")
    assert body is not None
    assert body.reader is FORMAT
    assert sure(b"hello") == 0


@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    """Never raises; a value takes all of the bytes."""
    value, problems = decode(data)

    assert not problems or value is None
    assert bool(problems) is (sure(data) == 0)


def test_a_str_that_is_not_utf8_is_bytes() -> None:
    """As before 2013, when one type was for both, and as hashicorp/raft still writes."""
    assert decode(bytes.fromhex("a1ff")).value == b"\xff"
    assert decode(bytes.fromhex("81a144a2c3a9")).value == [{"key": "D", "value": "é"}]
