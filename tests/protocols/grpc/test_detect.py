"""Detection: headers of calls, or messages in a row; plain HTTP/2 is left alone."""

import io
from dataclasses import replace

import pytest
from tests.builders import pcap
from tests.protocols.http2.traffic import (
    DATA,
    END_HEADERS,
    PREFACE,
    REQUEST,
    SETTINGS,
    Side,
    call,
    frame,
    message,
    talk,
)

from streamshark.dissection.row import FrameRow
from streamshark.framing.wire_format import MANY, Evidence, Level
from streamshark.protocols.grpc.detect import PORTS, certain, credible, detect
from streamshark.session import Session


def evidence(
    *commands: str, data: bytes = b"\3\0\0\0\0\1\0\0\0\0", start: bool = True, port: bool = False,
    bare: bool = True, certain: bool = False,
) -> Evidence:  # fmt: skip
    """What messages look like."""
    return Evidence(data, start, commands, bool(commands), open_head=False, port=port, bare=bare,
                    certain=certain, framed=99)  # fmt: skip


@pytest.mark.parametrize(
    ("seen", "level"),
    [
        (evidence("call", certain=True), Level.CERTAIN),
        (evidence("call", "message", certain=True, start=False), Level.CERTAIN),
        (evidence("call"), Level.NONE),
        (evidence("message", "message", start=False), Level.LIKELY),
        (replace(evidence("message", "message", start=False), against=30), Level.NONE),
        (evidence(*["message"] * MANY, start=False), Level.SURE),
        (evidence("message", port=True), Level.LIKELY),
        (evidence("message"), Level.WEAK),
        (evidence("call", certain=True, bare=False), Level.NONE),
        (evidence(), Level.NONE),
    ],
)
def test_levels(seen: Evidence, level: Level) -> None:
    """A content type is sure on any port; messages in a row nearly so."""
    guess = detect(seen)

    assert guess.level is level
    assert guess.reason


def read(*sides: tuple[int, bytes]) -> Session:
    """A capture of them, read to its end."""
    session = Session([io.BytesIO(pcap(talk(*sides).packets))])
    session.seen = list(session.rows())  # type: ignore[attr-defined]
    return session


def test_a_connection_from_its_start() -> None:
    """Every frame of a call is a row, every byte is framed."""
    asked, answered = call()
    session = read((0, asked), (1, answered))

    rows = [each for each in session.seen if isinstance(each, FrameRow)]  # type: ignore[attr-defined]
    assert [each.command for each in rows] == ["call", "message", "headers", "reply", "status"]
    assert [each.sender for each in rows] == ["client", "client", "server", "server", "server"]
    assert {each.correlation_id for each in rows} == {1}
    assert session.dissector.totals().framed == len(asked) + len(answered)
    assert PORTS


def test_plain_http_2_is_left_alone() -> None:
    """It carries no protocol."""
    said = PREFACE + frame(SETTINGS, b"", 0)
    said += Side().headers(REQUEST | {"content-type": "text/html"}, 1, END_HEADERS)
    session = read((0, said + frame(DATA, b"<html>", 1, 1)))

    assert session.seen == []  # type: ignore[attr-defined]
    assert len(session.dissector.unrecognised) == 1


def test_messages_alone() -> None:
    """A connection that was joined later shows its messages."""
    asked, answered = Side(), Side()
    asked.headers(REQUEST)
    answered.headers(REQUEST)
    packets = talk(
        *((0, asked.headers(REQUEST, stream) + frame(DATA, message(b"hi"), stream))
          for stream in (3, 5, 7))
    ).packets  # fmt: skip
    session = Session([io.BytesIO(pcap(packets[3:]))])
    rows = [each for each in session.rows() if isinstance(each, FrameRow)]

    assert [each.command for each in rows].count("message") == 3


def test_a_connection_behind_http_connect() -> None:
    """A proxy's tunnel is skipped like its preamble; a tunnel of another protocol is not read."""
    asked, answered = call()
    opens = b"CONNECT 192.0.2.1:50051 HTTP/1.1\r\nHost: a\r\n\r\n"
    opened = b"HTTP/1.1 200 Connection established\r\n\r\n"
    session = read((0, opens), (1, opened), (0, asked), (1, answered))

    rows = [each for each in session.seen if isinstance(each, FrameRow)]  # type: ignore[attr-defined]
    assert [each.command for each in rows] == ["call", "message", "headers", "reply", "status"]
    assert sum(session.dissector.totals().skipped.values()) == len(opens) + len(opened)
    assert read((0, opens), (1, opened), (0, b"\x16\3\1" * 90), (1, b"\x16\3\3" * 90)).seen == []  # type: ignore[attr-defined]


def test_messages_among_other_bytes() -> None:
    """What looks like messages is outweighed by what is skipped around it."""
    other = b"\xaa\x55" * 400
    messages = b"".join(frame(DATA, message(b"hi"), stream) for stream in (1, 3, 5, 7))
    for said in (other + messages + other, other + messages):
        packets = talk((0, said), (1, other)).packets[3:]
        session = Session([io.BytesIO(pcap(packets))])
        assert list(session.rows()) == []


def test_what_no_call_has_is_no_evidence() -> None:
    """Streams of a server, and messages of unknown format that are not protobuf, prove nothing."""
    said = {"stream_id": 1, "content_type": "", "message": b"\x0a\x02hi\x10\x07"}
    for more, is_credible in (
        ({}, True),
        ({"stream_id": 16_777_216}, False),
        ({"message": b""}, False),
        ({"message": b"\0\0\0\0\xf5\xb1"}, False),
        ({"message": b'{"a": 1}'}, False),
        ({"message": b'{"a": 1}', "content_type": "application/grpc+json"}, True),
    ):
        assert credible("message", said | more) is is_credible, more
    for command, values, is_certain in (
        ("call", {"content_type": "application/grpc+proto"}, True),
        ("call", {"content_type": "text/html"}, False),
        ("status", {"content_type": "", "status": 0}, True),
        ("status", {"content_type": "", "status": -1}, False),
    ):
        assert certain(command, values) is is_certain, values
