"""The fields of JSON."""

from streamshark.protocols.json.fields import fields

VALUE = {"a": [1, 2.5, True, {"b": None}], "c": "text", "d": False}
VALUES = {
    "object": [True, True],
    "array": [True],
    "member": ["a", "b", "c", "d"],
    "key": ["a", "b", "c", "d"],
    "path": ["/a", "/a/[]/b", "/c", "/d"],
    "path_with_value": [
        "/a/[]:1",
        "/a/[]:2.5",
        "/a/[]:true",
        "/a/[]/b:null",
        "/c:text",
        "/d:false",
    ],
    "member_with_value": ["[]:1", "[]:2.5", "[]:true", "b:null", "c:text", "d:false"],
    "value.string": ["text"],
    "value.number": [1.0, 2.5],
    "value.true": [True],
    "value.false": [True],
    "value.null": [True],
}


def test_values() -> None:
    """At every depth, with their paths."""
    assert {each.name: list(each.values(VALUE)) for each in fields()} == VALUES
