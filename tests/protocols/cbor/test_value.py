"""CBOR in bodies: every vector, and bytes that mean harm."""

import io
import math
from typing import Any

import cbor2
from hypothesis import given
from hypothesis import strategies as st
from tests.failures import every
from tests.schema.reader_agreement import NULL, Vector, vectors

from streamshark.decoding.payloads import MAX_DEPTH, ONLY_IF_DECLARED, PayloadReaders
from streamshark.protocols.cbor import FORMAT
from streamshark.protocols.cbor.value import MARK, MARKED, MOST_VALUES, SURE, decode, sure
from streamshark.protocols.json import FORMAT as JSON
from streamshark.protocols.text import FORMAT as TEXT
from streamshark.schema import ProblemCode

VECTORS = vectors("cbor")


def plain(expect: dict[str, Any]) -> Any:  # noqa: ANN401, PLR0911 - one line a type
    """What a `{type, value}` of a vector is decoded to."""
    kind, value = expect["type"], expect["value"]
    match kind:
        case "array":
            return [plain(each) for each in value]
        case "map":
            pairs = [{"key": plain(each["key"]), "value": plain(each["value"])} for each in value]
            return pairs or {}
        case "tag":
            return {"tag": expect["tag"], "value": plain(value)}
        case "bytes":
            return bytes.fromhex(value)
        case "float":
            return float(value)
        case "undefined":
            return {"simple": 23}
        case "simple":
            return {"simple": value}
    return None if value == NULL else value


def same(one: object, other: object) -> bool:
    """Equal, the sign of zero and NaN included."""
    return repr(one) == repr(other)


@every("vector", VECTORS, ids=lambda each: each.name)
def test_what_other_encoders_wrote(vector: Vector) -> None:
    """The bytes of other encoders give their values; if cut at any byte they give none."""
    found, problems = decode(vector.data)

    assert same(found, plain(vector.expect))
    assert problems == []
    assert sure(vector.data)
    for end in range(min(len(vector.data), 300)):
        assert decode(vector.data[:end]).problems
        assert sure(vector.data[:end]) == 0
    assert decode(vector.data + b"\0").problems


@every(
    ("data", "at"),
    [
        ("", 0),
        ("1c", 1),
        ("1f", 1),
        ("df00", 1),
        ("ff", 1),
        ("f800", 2),
        ("61ff", 2),
        ("5f6100ff", 2),
        ("5f5f4100ffff", 2),
        ("7f61", 2),
        ("8201", 1),
        ("9bffffffffffffffff", 9),
        ("bbffffffffffffffff00", 9),
        ("5bffffffffffffffff", 9),
        ("9f", 1),
        ("bf01ff", 3),
        ("0001", 1),
    ],
)
def test_bytes_that_are_none(data: str, at: int) -> None:
    """A problem at the place where it shows; nothing is made room for."""
    value, problems = decode(bytes.fromhex(data))

    assert value is None
    assert [(each.code, each.offset) for each in problems] == [(ProblemCode.VALUE, at)]


def test_bombs() -> None:
    """Deep, many, and both: bounded."""
    assert decode(b"\x81" * MAX_DEPTH + b"\0").problems == []
    assert decode(b"\x81" * (MAX_DEPTH + 1) + b"\0").problems
    assert decode(b"\x9f" * 1_000_000).problems
    assert decode(b"\xd8\x20" * 1_000_000).problems
    assert decode(b"\x9a" + MOST_VALUES.to_bytes(4, "big") + bytes(MOST_VALUES)).problems
    assert decode(b"\x5f" + b"\x40" * (MOST_VALUES + 1) + b"\xff").problems


def test_tags_that_others_follow() -> None:
    """Shared values that hold themselves, patterns, huge numbers: shown, not built."""
    assert decode(bytes.fromhex("d81c81d81d00")).value == {
        "tag": 28, "value": [{"tag": 29, "value": 0}],
    }  # fmt: skip
    assert decode(bytes.fromhex("c4821b7fffffffffffffff01")).value["tag"] == 4


def test_keys_are_kept_as_they_come() -> None:
    """Twice, and of any type."""
    assert decode(bytes.fromhex("a30001000280f6")).value == [
        {"key": 0, "value": 1}, {"key": 0, "value": 2}, {"key": [], "value": None},
    ]  # fmt: skip


def test_how_sure_it_is() -> None:
    """A mark tells; maps with keys of text may be told; the rest only if it is said."""
    assert sure(MARK + b"\0") == MARKED
    assert sure(bytes.fromhex("a1616101")) == SURE
    assert sure(b"\0") == sure(b"ab") == sure(b"\x81\1") == ONLY_IF_DECLARED
    layers = PayloadReaders([FORMAT, JSON, TEXT])
    assert layers.body("*", b"\0") is None
    for said in ("application/cbor", "application/x.reactivesocket.meta+cbor"):
        body = layers.body("*", b"\0", declared=said)
        assert body is not None
        assert body.reader is FORMAT
    text = layers.body("*", b"hello")
    assert text is not None
    assert text.reader is TEXT
    assert sure(b"hello") == 0


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**64), 2**64 - 1) | st.floats() | st.text()
        | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(0, 9), inner),
    )
)  # fmt: skip
def test_the_reference_wrote_it(value: object) -> None:
    """Whatever cbor2 writes is read as the same."""

    def shown(each: object) -> object:
        if isinstance(each, dict):
            return [{"key": key, "value": shown(item)} for key, item in each.items()] or {}
        return [shown(item) for item in each] if isinstance(each, list) else each

    assert same(decode(cbor2.dumps(value)).value, shown(value))


@given(st.binary(max_size=40))
def test_any_bytes(data: bytes) -> None:
    """Where we read a value, so does cbor2, of the same length; a tag may mislead it."""
    value, problems = decode(data)
    if problems or b'"tag"' in repr(value).encode() or "tag" in repr(value):
        return
    stream = io.BytesIO(data)
    try:
        found = cbor2.load(stream)
    except (cbor2.CBORDecodeError, TypeError, ValueError):
        return  # keys that Python cannot have in a dict
    if isinstance(value, int | str | bytes) or (isinstance(value, float) and not math.isnan(value)):
        assert found == value
