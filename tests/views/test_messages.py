"""Messages: paths, text and bytes of bodies, and what is remembered."""

from collections import OrderedDict

from tests.failures import every

from streamshark.views import messages
from streamshark.views.messages import bytes_of, member, plain_text, text_of

FIELDS = {
    "code": {"value": 3, "name": "ok"},
    "inner": {"list": [{"kind": {"value": 1, "name": "a/b"}, "x": 1}, {"kind": "c", "x": 2}]},
}


@every(
    ("path", "found"),
    [
        ("", None),
        ("code", "ok"),
        ("absent", None),
        ("absent.more", None),
        ("inner.list[kind=a/b].x", 1),
        ("inner.list[kind=c].x", 2),
        ("inner.list[kind=d].x", None),
        ("code[kind=c]", None),
    ],
)
def test_paths(path: str, found: object) -> None:
    """Lead to members, through lists by a member of the item; coded values are their names."""
    assert member(FIELDS, path) == found


AMQP = {
    "format": "amqp1",
    "value": [
        {"section": "properties", "value": {"subject": "s"}},
        {"section": "data", "value": {"format": "text", "value": "one ", "bytes": 4}},
        {"section": "data", "value": {"format": "text", "value": "two", "bytes": 3}},
    ],
}


@every(
    ("value", "text"),
    [
        (None, ""),
        ("00ff", "00ff"),
        ({"format": "text", "value": "hi", "bytes": 2}, "hi"),
        ({"format": "json", "value": {"a": [1]}, "bytes": 9}, '{"a":[1]}'),
        (AMQP, "one two"),
        ({"format": "amqp1", "value": [{"section": "header", "value": {}}], "bytes": 3},
         '[{"section":"header","value":{}}]'),
        (["find", "all"], "find,all"),
    ],
)  # fmt: skip
def test_bodies_as_text(value: object, text: str) -> None:
    """The content without its format; of AMQP 1.0 the body without its sections."""
    assert text_of(value) == text


def test_bodies_as_bytes() -> None:
    """Hex is bytes, text is UTF-8, masked bodies have none."""
    assert [bytes_of(each) for each in ("00ff", "", "größe", "***")] == [
        b"\x00\xff",
        b"",
        "größe".encode(),
        None,
    ]
    assert [plain_text(each) for each in (b"a\r\n\tb", b"\x1b[31m", b"\xff")] == [
        "a\r\n\tb",
        None,
        None,
    ]


def test_what_is_remembered_is_bounded() -> None:
    """The oldest is dropped."""
    kept: OrderedDict[object, object] = OrderedDict()
    for number in range(5):
        messages._remember(kept, number, number, 3)

    assert list(kept) == [2, 3, 4]
