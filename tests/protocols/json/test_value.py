"""JSON in bodies: objects and arrays that can be shown again as they are."""

from typing import Any

from tests.failures import every
from tests.schema.reader_agreement import NULL, vectors

from streamshark.decoding.payloads import MAX_DEPTH
from streamshark.protocols.json import FORMAT
from streamshark.protocols.json.value import LONGEST, SURE, decode, sure
from streamshark.schema import ProblemCode


def plain(expect: dict[str, Any]) -> object:
    """Return a `{type, value}` of a vector as JSON has it."""
    kind, value = expect["type"], expect["value"]
    if kind == "array":
        return [plain(each) for each in value]
    if kind == "map":
        return {plain(each["key"]): plain(each["value"]) for each in value}
    return None if value == NULL else value


def test_what_other_encoders_wrote() -> None:
    """Objects and arrays; what has one name twice is no JSON that could be shown."""
    for vector in vectors("json"):
        kind = vector.expect["type"]
        keys = [each["key"]["value"] for each in vector.expect["value"]] if kind == "map" else []
        if kind in ("array", "map") and len(keys) == len(set(keys)):
            assert sure(vector.data) == SURE
            assert decode(vector.data) == (plain(vector.expect), [])
        else:
            assert sure(vector.data) == 0


@every(
    "data",
    [
        b"",
        b" ",
        b"{",
        b"[",
        b"{}x",
        b"[1,]",
        b"{'a':1}",
        b"[NaN]",
        b"[-Infinity]",
        b"[1e999]",
        b"]",
        b'{"a":1,"a":2}',
        b"\xff",
        b"[\xff]",
        b"true",
        b"1",
        b'"text"',
        b"{hello}",
        b"{} {}",
        b"[1}",
        b"[" + b"1" * 5000 + b"]",
        b"[" * 100_000 + b"]" * 100_000,
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
        b"[" + b" " * LONGEST + b"]",
    ],
)
def test_other_bytes_are_not_taken(data: bytes) -> None:
    """Nothing raises, and who asks all the same is told."""
    assert sure(data) == 0
    value, problems = decode(data)
    assert value is None
    assert [each.code for each in problems] == [ProblemCode.VALUE]


def test_blanks_and_depth() -> None:
    """Around it, and as deep as formats may be."""
    assert decode(b' \r\n{"a": [1, 2.5, null]}\t') == ({"a": [1, 2.5, None]}, [])
    assert FORMAT.sure(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) == SURE
