"""Types: what stands in the middle of a line is found from both ends."""

import pytest
from tests.schema.reader_agreement import Layout, agree, broken

from streamshark.protocols.nats.types import (
    ACCOUNT,
    REPLIES,
    REPLY_TO,
    SUBJECT,
    headed,
    message,
)
from streamshark.schema import Member, Record


def read(data: bytes, *members: Member) -> object:
    """The values that all readers give, or the words of the problems."""
    layout = Layout.of_record(Record(*members), "test.record")
    values = agree(layout, data)
    broken(layout, data)
    if values is None:
        return [each.code.word for each in layout.decoder.careful(data)[2]]
    return values


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"PUB a 2\r\nhi\r\n", {"subject": "a", "size": 2, "payload": b"hi"}),
        (b"PUB a r 0\r\n\r\n", {"subject": "a", "reply_to": "r", "size": 0, "payload": b""}),
        (b"PUB a  \t2\nhi\r\n", {"subject": "a", "size": 2, "payload": b"hi"}),
        (b"PUB a 2\r\nhi!\n", ["literal"]),
        (b"PUB a x\r\n\r\n", ["number"]),
        (b"PUB a\r\n\r\n", ["args"]),
        (b"PUB a b c 1\r\nx\r\n", ["args"]),
    ],
)
def test_a_message(data: bytes, expected: object) -> None:
    """A line, as many bytes, CRLF."""
    assert read(data, *message("PUB", SUBJECT, REPLY_TO)) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"H a 12 12\r\nNATS/1.0\r\n\r\n\r\n", []),
        (b"H a 13 12\r\nNATS/1.0\r\n\r\n\r\n", ["args"]),
        (b"H a 12 12\r\nHTTP/1.0\r\n\r\n\r\n", ["args", "literal"]),
        (b"H a 0 2\r\nhi\r\n", []),
        (b"H a 20 20\r\nNATS/1.0 503 x y\r\n\r\n\r\n", []),
    ],
)
def test_headers(data: bytes, expected: list[str]) -> None:
    """Two sizes; the first may be 0."""
    found = read(data, *headed("H", SUBJECT))

    assert (found[:1] if isinstance(found, list) else []) == expected[:1]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("$G s", {}),
        ("$G s r", {"reply_to": "r"}),
        ("$G s | q", {"queue_groups": ["q"]}),
        ("$G s + r q p", {"reply_to": "r", "queue_groups": ["q", "p"]}),
        ("$G s + r", {"reply_to": "r", "queue_groups": []}),
    ],
)
def test_replies_between_servers(arguments: str, expected: dict[str, object]) -> None:
    """Marks tell reply and queue groups apart."""
    found = read(f"R {arguments} 1\r\nx\r\n".encode(), *message("R", ACCOUNT, SUBJECT, *REPLIES))

    always = {"account": "$G", "subject": "s", "size": 1, "payload": b"x"}
    assert found == {**always, **expected}
