"""JSON lines in the schema: members by name, what is odd, what is built again."""

import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, agree, broken, whole

from streamshark.errors import SchemaError
from streamshark.schema import JsonLine, Record, member
from streamshark.schema.json_lines import KINDS, MAX_DEPTH
from streamshark.schema.random_frames import samples

INFO = Layout.of_record(
    Record(
        JsonLine(
            "INFO",
            member("name", "text", "A text."),
            member("proto", "integer", "A number."),
            member("headers", "boolean", "Whether."),
            member("urls", "tokens", "A list."),
            member("more", "json", "Anything."),
        )
    ),
    "test.info",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"name":"a","proto":1}', {"name": "a", "proto": 1}),
        (' { "proto" : -7 , "name" : "" } ', {"proto": -7, "name": ""}),
        ('{"Name":"a","HEADERS":true}', {"name": "a", "headers": True}),
        ('{"name":null,"urls":null}', {}),
        ('{"name":"a","name":"b"}', {"name": "b"}),
        ('{"urls":["a","b\\n"],"headers":false}', {"urls": ["a", "b\n"], "headers": False}),
        ('{"urls":[]}', {"urls": []}),
        ('{"name":"\\u00e4\\ud83d\\ude00\\ud800"}', {"name": "ä\U0001f600\ufffd"}),
        ('{"more":{"a":[1,null]}}', {"more": '{"a":[1,null]}'}),
        ('{"new":[1.5e3]}', {"other": [{"key": "new", "value": "[1.5e3]"}]}),
        ("{}", {}),
    ],
)
def test_members(text: str, expected: dict[str, object]) -> None:
    """As Go's decoder takes them."""
    data = f"INFO {text}\r\n".encode()

    assert whole(INFO, data, canonical=False) == expected
    broken(INFO, data)


@every(
    ("line", "code"),
    [
        (b"INFO\r\n", "value"),
        (b"INFO {\r\n", "value"),
        (b"INFO []\r\n", "value"),
        (b'INFO {"a":1,}\r\n', "value"),
        (b'INFO {"a":01}\r\n', "value"),
        (b'INFO {"a":NaN}\r\n', "value"),
        (b'INFO {"a":1} x\r\n', "value"),
        (b'INFO {"proto":"1"}\r\n', "value"),
        (b'INFO {"proto":1.5}\r\n', "value"),
        (b'INFO {"proto":9223372036854775808}\r\n', "value"),
        (b'INFO {"headers":1}\r\n', "value"),
        (b'INFO {"urls":[1]}\r\n', "value"),
        (b'INFO {"name":"\xff"}\r\n', "text"),
        (b"CONNECT {}\r\n", "verb"),
        (b"INFOX {}\r\n", "verb"),
        (b"INFO {}", "short"),
    ],
)
def test_what_is_wrong(line: bytes, code: str) -> None:
    """The same code in all readers."""
    assert agree(INFO, line) is None
    assert [each.code.word for each in INFO.decoder.careful(line)[2]] == [code]


def test_depth_is_bounded() -> None:
    """However deep, nothing raises."""
    for depth in (MAX_DEPTH - 2, MAX_DEPTH, 30_000):
        data = b'INFO {"more":' + b"[" * depth + b"]" * depth + b"}\r\n"
        assert (agree(INFO, data) is None) is (depth >= MAX_DEPTH)


def test_what_is_not_declared_may_be_secret() -> None:
    """A misspelt name may hold a password."""
    line = JsonLine("CONNECT", member("pass", "text", "A password.", secret=True), hides_other=True)
    tree = Layout.of_record(Record(line), "test.connect").tree

    assert tree.find("other").facts.secret
    assert tree.find("pass").facts.secret


def test_values_drawn_come_back() -> None:
    """Built and read again."""
    for drawn in samples(INFO.tree, 200):
        assert agree(INFO, INFO.build(drawn)) == drawn


def test_unknown_kinds_are_refused() -> None:
    """At once."""
    assert "text" in KINDS
    with pytest.raises(SchemaError, match="unknown kind"):
        member("a", "number", "A number.")
