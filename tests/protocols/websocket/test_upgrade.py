"""Heads of HTTP, in any order and case."""

import pytest
from tests.protocols.websocket.traffic import ACCEPT, KEY, answer, refusal, request
from tests.schema.reader_agreement import Vector, vectors

from streamshark.protocols.websocket.upgrade import (
    END,
    Answer,
    Request,
    accept,
    begins,
    extensions,
    names,
    read,
)

VECTORS = [each for each in vectors("websocket") if each.file == "upgrade"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each.name)
def test_what_a_library_writes(vector: Vector) -> None:
    """Target or status, and its headers."""
    head = read(vector.data)

    assert head is not None
    assert begins(vector.data)
    assert END.search(vector.data).end() == len(vector.data)  # type: ignore[union-attr]
    if isinstance(head, Request):
        assert head.target == vector.expect["target"]
        assert head.is_upgrade
        assert head.faults == []
    else:
        assert head.status == vector.expect["status"]
        assert head.faults(None) == []
    for each in vector.expect["headers_include"]:
        assert head.headers[each["key"].lower()].lower() == each["value"].lower()


def test_a_request_and_its_answer() -> None:
    """The key of RFC 6455 is answered as there."""
    asked, answered = read(request()), read(answer())

    assert isinstance(asked, Request)
    assert isinstance(answered, Answer)
    assert accept(KEY) == ACCEPT
    assert answered.faults(asked) == []
    assert read(refusal("503 Service Unavailable"))[:2] == (503, "Service Unavailable")  # type: ignore[index]


def test_any_order_any_case_folded_lines() -> None:
    """As RFC 9112 lets a recipient read them."""
    text = (
        "GET /a?b=c HTTP/1.1\n"
        "sec-websocket-version:13\n"
        "CONNECTION:  upgrade \n"
        "host: x\n"
        "Sec-WebSocket-Extensions: a;\n\tb=1\n"
        "Sec-WebSocket-Extensions: c\n"
        "UPGRADE: foo, WebSocket\n"
        "no header at all\n"
        f"Sec-WebSocket-Key: {KEY}\n\n"
    )
    head = read(text.encode())

    assert isinstance(head, Request)
    assert head.is_upgrade
    assert head.faults == []
    assert head.path == "/a?***"
    assert [each.name for each in extensions(head.headers["sec-websocket-extensions"])] == [
        "a",
        "c",
    ]
    assert extensions(head.headers["sec-websocket-extensions"])[0].parameters == {"b": "1"}


@pytest.mark.parametrize("data", [b"", b"\r\n\r\n", b"PUT / HTTP/1.1\r\n\r\n", b"\xff" * 99])
def test_what_is_no_head(data: bytes) -> None:
    """None, whatever it is."""
    assert read(data) is None


def test_the_first_bytes_tell() -> None:
    """As far as they are there."""
    assert begins(b"")
    assert begins(b"G")
    assert begins(b"HTTP/1.1")
    assert not begins(b"\x82\x85")
    assert not begins(b"GOT ")


def test_tokens_are_not_shown() -> None:
    """Neither in the query nor as a protocol."""
    head = read(request(target="/a/b?access_token=secret"))

    assert isinstance(head, Request)
    assert head.path == "/a/b?***"
    assert names("rsocket, " + "x" * 33) == "rsocket, ***"
    assert names(None) is None


def test_what_is_missing_is_told() -> None:
    """Of a request and of an answer."""
    bare = read(b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n")
    agreed = read(b"HTTP/1.1 101\r\nSec-WebSocket-Extensions: x\r\n\r\n")

    assert isinstance(bare, Request)
    assert isinstance(agreed, Answer)
    assert len(bare.faults) == 4
    assert len(agreed.faults(bare)) == 3
