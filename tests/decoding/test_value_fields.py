"""The fields of values that are trees of objects and arrays."""

from collections.abc import Iterable
from typing import Any

import cbor2
from tests.failures import every

from streamshark.decoding import value_fields
from streamshark.decoding.payloads import FormatField
from streamshark.protocols.cbor.value import decode

OF_JSON = value_fields.fields(lambda value: value.items() if isinstance(value, dict) else None)
OF_PAIRS = value_fields.fields_of_pairs()


def found(fields: Iterable[FormatField], value: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - of any type
    """The fields that have values."""
    known = {each.name: list(each.values(value)) for each in fields}
    return {name: values for name, values in known.items() if values}


def test_paths() -> None:
    """As Wireshark's JSON dissector has them."""
    value = {"a": [{"b": 1}, 2, ["z"]], "d": {}, "f": None, "g": True}
    fields = found(OF_JSON, value)

    assert fields["path"] == ["/a", "/a/[]/b", "/d", "/f", "/g"]
    assert fields["path_with_value"] == ["/a/[]/b:1", "/a/[]:2", "/a/[]/[]:z", "/f:null", "/g:true"]
    assert fields["member_with_value"] == ["b:1", "[]:2", "[]:z", "f:null", "g:true"]
    assert (fields["object"], fields["array"]) == ([True] * 3, [True] * 2)
    assert fields["value.number"] == [1.0, 2.0]


VALUES = {
    "keys that are no text": (
        {1: "x", b"\1\2": -5},
        {"key": ["1", "01:02"], "path_with_value": ["/1:x", "/01:02:-5"], "value.number": [-5.0]},
    ),
    "tags": (
        {"k": cbor2.CBORTag(4711, cbor2.CBORTag(4712, {"x": b"\xff"}))},
        {"path": ["/k", "/k/x"], "value.bytes": [b"\xff"], "object": [True, True]},
    ),
    "others": (
        {"u": cbor2.undefined, "n": None, "e": {}, "l": [], "big": 10**400},
        {"value.null": [True], "object": [True, True], "array": [True], "value.number": []},
    ),
}


@every("name", VALUES)
def test_pairs(name: str) -> None:
    """Objects that are lists of pairs, as CBOR and MessagePack give them."""
    given, expected = VALUES[name]
    value = decode(cbor2.dumps(given)).value
    fields = found(OF_PAIRS, value)

    assert {each: fields.get(each, []) for each in expected} == expected
