"""The fields of JSON."""

from streamshark.protocols.json.fields import fields

VALUE = {"a": [1, 2.5, True, {"b": None}], "c": "text", "d": False}
VALUES = {
    "object": [True, True],
    "array": [True],
    "member": ["a", "c", "d", "b"],
    "key": ["a", "c", "d", "b"],
    "value.string": ["text"],
    "value.number": ["1", "2.5"],
    "value.true": [True],
    "value.false": [True],
    "value.null": [True],
}


def test_values() -> None:
    """At every depth; numbers are text."""
    assert {each.name: list(each.values(VALUE)) for each in fields()} == VALUES
