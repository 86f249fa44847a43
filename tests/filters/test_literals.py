"""Values of literals in the type of a field."""

from dataclasses import replace

import pytest
from tests.failures import every

from streamshark.fields.field import FieldInfo
from streamshark.fields.types import FieldType, integer
from streamshark.filters import kinds
from streamshark.filters.error import Unsuitable
from streamshark.filters.literals import Network, parsed_time, value_of
from streamshark.filters.nodes import BareWord, Relation, WrittenValue
from streamshark.filters.syntax import parse
from streamshark.schema.words import FieldFacts

U16 = integer("u16", 16)
UUID = FieldType("UUID", "uuid")
CODED = FieldInfo("code", "", U16, "", facts=FieldFacts(names={1: "ok", 2: "Not found"}))


def literal(text: str) -> WrittenValue | BareWord:
    """The literal on the right of a comparison."""
    node = parse(f"x == {text}")
    assert isinstance(node, Relation)
    assert isinstance(node.right, WrittenValue | BareWord)
    return node.right


@every(
    ("text", "kind", "value"),
    [
        ("0x1f90", U16, 8080),
        ("'a'", U16, 97),
        ("-1", U16, -1),
        ("tRue", kinds.BOOLEAN, True),
        ('"Not set"', kinds.BOOLEAN, False),
        ("2", kinds.BOOLEAN, True),
        ("5", kinds.DOUBLE, 5.0),
        ("publish", kinds.TEXT, "publish"),
        (":tcp", kinds.TEXT, "tcp"),
        ("'p'", kinds.TEXT, "p"),
        ("aa:b", kinds.BYTES, b"\xaa\x0b"),
        ("aa-bb", kinds.BYTES, b"\xaa\xbb"),
        ("aabb", kinds.BYTES, b"\xaa\xbb"),
        ("aa:", kinds.BYTES, b"\xaa"),
        ("10", kinds.BYTES, b"\x0a"),
        ("0005", kinds.BYTES, b"\x05"),
        (r'"\xff"', kinds.BYTES, b"\xff"),
        ("aa", kinds.PROTOCOL, b"\xaa"),
        ("01020304-0506-0708-090a-0b0c0d0e0f10", UUID, bytes(range(1, 17))),
        ("1.2.3.4", kinds.IPV4, 0x01020304),
        ("10.1.2.3/8", kinds.IPV4, Network(0x0A000000, 0xFF000000)),
        ("::1", kinds.IPV6, 1),
        ("1.5", kinds.DURATION, 1_500_000_000),
        ("5", kinds.TIME, 5_000_000_000),
        ('"1970-01-01 00:00:01.5Z"', kinds.TIME, 1_500_000_000),
    ],
)
def test_values(text: str, kind: FieldType, value: object) -> None:
    """What Wireshark accepts has the same value."""
    found = value_of(literal(text), kind, None)
    assert (type(found), found) == (type(value), value)


@every(
    ("text", "kind", "message"),
    [
        ("70000", U16, "70000 is too large: at most 65535"),
        ("3.5", U16, "3.5 is not an unsigned 16-bit number"),
        ('"80"', U16, '"80" is not an unsigned 16-bit number'),
        ("-1", kinds.BOOLEAN, "-1 is not a boolean"),
        ("5", kinds.TEXT, "5 is not text"),
        ("abc", kinds.BYTES, "abc is not bytes"),
        ("256", kinds.BYTES, "256 is too large for one byte; bytes are written aa:bb"),
        ("5", kinds.PROTOCOL, '5 is not a sequence of bytes, such as 0a:0b or "text"'),
        ("1.2.3", kinds.IPV4, "1.2.3 is not an IPv4 address"),
        ("1.2.3.4/33", kinds.IPV4, "a prefix of an IPv4 address has at most 32 bits"),
        ('"1.2.3.4"', kinds.IPV4, '"1.2.3.4" is not an IPv4 address'),
        ("1::2::3", kinds.IPV6, "1::2::3 is not an IPv6 address"),
        ('"1"', kinds.DURATION, '"1" is not a duration'),
        ('"2020-01"', kinds.TIME, '"2020-01" is not a time'),
        ("5", kinds.NONE, "it is only present or absent, and has no value to compare"),
    ],
)
def test_what_has_no_value(text: str, kind: FieldType, message: str) -> None:
    """What Wireshark rejects is an error that says why."""
    with pytest.raises(Unsuitable) as caught:
        value_of(literal(text), kind, None)
    assert str(caught.value) == message


def test_numbers_by_name() -> None:
    """Whatever the case; a wrong name suggests a similar one."""
    assert value_of(literal("OK"), U16, CODED) == 1
    assert value_of(literal('"not FOUND"'), U16, CODED) == 2
    with pytest.raises(Unsuitable, match='is no value of code; did you mean "Not found"'):
        value_of(literal('"not fond"'), U16, replace(CODED))


@every(
    ("text", "expected"),
    [
        ("2020-01-01Z", 1_577_836_800_000_000_000),
        ("2020-01-01T02:00:00+02:00", 1_577_836_800_000_000_000),
        ("2020-01-01 00:00:00.000000001 UTC", 1_577_836_800_000_000_001),
        ("Jan 1, 2020 00:00:00.5 UTC", 1_577_836_800_500_000_000),
        ("2020-13-01Z", None),
        ("Foo 1, 2020", None),
        ("0000-01-01Z", None),
    ],
)
def test_times(text: str, expected: int | None) -> None:
    """ISO 8601 and the older form."""
    assert parsed_time(text) == expected
