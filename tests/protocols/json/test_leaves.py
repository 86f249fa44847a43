"""Where values of JSON are."""

from streamshark.protocols.json.leaves import leaves


def test_strings_and_numbers_are_found() -> None:
    """Constants are no leaves; a string that is cut is one."""
    data = rb'{"a\"b": -1.5e3, "c": [true, null, 7, "", "cut'
    found = [(each.kind.name, data[each.start : each.end]) for each in leaves(data)]
    assert found == [
        ("QUOTED", rb"a\"b"), ("DECIMAL", b"-1.5"), ("QUOTED", b"c"), ("DECIMAL", b"7"),
        ("QUOTED", b"cut"),
    ]  # fmt: skip


def test_what_is_no_json_is_a_leaf() -> None:
    """Words without quotes."""
    assert [each.kind.name for each in leaves(b"{secret: 1}")] == ["REST", "DECIMAL"]
