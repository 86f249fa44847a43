"""What RFC 9113 forbids has a problem on its frame, and the frames after it are read."""

import struct

from tests.protocols.http2.traffic import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    GOAWAY,
    HEADERS,
    PADDED,
    PING,
    PREFACE,
    REQUEST,
    RST_STREAM,
    SETTINGS,
    Reader,
    Side,
    call,
    frame,
)

from streamshark.framing.carrier import CarriedMessage, CarrierEvent

PRIORITY, PUSH_PROMISE, WINDOW_UPDATE = 2, 5, 8
REFUSES_PUSH = frame(SETTINGS, struct.pack(">HI", 2, 0), 0)


def setting(number: int, value: int, flags: int = 0) -> bytes:
    """SETTINGS of one value."""
    return frame(SETTINGS, struct.pack(">HI", number, value), 0, flags)


FORBIDDEN = {
    (0, setting(4, 9, 1)): "SETTINGS with ACK and a payload of 6 bytes",
    (0, setting(2, 2)): "ENABLE_PUSH is 2",
    (1, setting(2, 1)): "ENABLE_PUSH of a server",
    (0, setting(4, 1 << 31)): "INITIAL_WINDOW_SIZE is 2147483648",
    (0, setting(5, 100)): "MAX_FRAME_SIZE is 100",
    (0, frame(SETTINGS, b"", 1)): "SETTINGS on stream 1",
    (0, frame(SETTINGS, bytes(5), 0)): "SETTINGS with a payload of 5 bytes; it has a multiple of 6",
    (0, frame(WINDOW_UPDATE, bytes(4), 0)): "WINDOW_UPDATE of 0",
    (0, frame(WINDOW_UPDATE, bytes(4), 1)): "WINDOW_UPDATE of 0",
    (0, frame(WINDOW_UPDATE, bytes(5), 0)): "WINDOW_UPDATE with a payload of 5 bytes; it has 4",
    (0, frame(PING, bytes(7), 0)): "PING with a payload of 7 bytes; it has 8",
    (0, frame(PING, bytes(8), 1)): "PING on stream 1",
    (0, frame(GOAWAY, bytes(8), 1)): "GOAWAY on stream 1",
    (0, frame(GOAWAY, bytes(7), 0)): "GOAWAY with a payload of 7 bytes; less than it takes",
    (0, frame(RST_STREAM, bytes(3), 1)): "RST_STREAM with a payload of 3 bytes; it has 4",
    (0, frame(RST_STREAM, bytes(4), 0)): "RST_STREAM on stream 0",
    (0, frame(PRIORITY, bytes(4), 1)): "PRIORITY with a payload of 4 bytes; it has 5",
    (0, frame(PRIORITY, bytes(5), 0)): "PRIORITY on stream 0",
    (0, frame(PRIORITY, struct.pack(">IB", 3, 0), 3)): "stream 3 depend on itself",
    (0, frame(DATA, b"abc", 0)): "DATA on stream 0",
    (0, frame(DATA, b"\x09abc", 3, PADDED)): "DATA with a payload of 4 bytes; less than its pad",
    (0, frame(HEADERS, b"\x82", 0, END_HEADERS)): "HEADERS on stream 0",
    (0, frame(CONTINUATION, b"\x82", 3, END_HEADERS)): "CONTINUATION on stream 3, where",
    (0, frame(HEADERS, b"\x82", 3) + frame(CONTINUATION, b"\x82", 5, 4)): "ATION on stream 5",
    (0, frame(PUSH_PROMISE, struct.pack(">I", 2), 1, 4)): "PUSH_PROMISE of a client",
    (1, frame(PUSH_PROMISE, struct.pack(">I", 2), 2, 4)): "PUSH_PROMISE on stream 2",
    (1, frame(PUSH_PROMISE, struct.pack(">I", 2), 0, 4)): "PUSH_PROMISE on stream 0",
    (1, frame(PUSH_PROMISE, struct.pack(">I", 3), 1, 4)): "PUSH_PROMISE of stream 3",
}  # fmt: skip


def problems(reader: Reader) -> list[str]:
    """What is wrong with the items of both sides."""
    out = []
    for _, each in reader.items:
        if isinstance(each, CarrierEvent):
            out += [problem.message for problem in each.problems]
        elif isinstance(each, CarriedMessage) and each.problem is not None:
            out.append(each.problem.message)
    return out


def test_what_is_forbidden_is_named_where_it_stands() -> None:
    """By what comes with it, not what comes later; each byte is in one item."""
    for (side, data), told in FORBIDDEN.items():
        asked, answered = call()
        reader = Reader().feed(0, asked).feed(1, answered)
        assert problems(reader) == []

        reader.feed(side, data)
        found = problems(reader)
        before = len(reader.notices())
        reader.feed(side, frame(PING, bytes(8), 0)).finish()

        assert len(found) == 1, (told, found)
        assert told in found[0]
        assert reader.notices()[before:] == ["ping"], told
        assert reader.told(side) == len((asked, answered)[side] + data) + 17, told


def test_a_promise_is_forbidden_once_its_refusal_was_read() -> None:
    """A server may have promised before it read the client's settings."""
    promise = frame(PUSH_PROMISE, struct.pack(">I", 2) + b"\x82", 1, END_HEADERS)
    asked = PREFACE + REFUSES_PUSH + Side().headers(REQUEST)
    early = Reader().feed(0, asked).feed(1, frame(SETTINGS, b"", 0) + promise)
    late = Reader().feed(0, asked).feed(1, frame(SETTINGS, b"", 0, 1) + promise)

    assert problems(early) == []
    assert [each.partition(" (")[0] for each in problems(late)] == [
        "PUSH_PROMISE although the client has set ENABLE_PUSH to 0"
    ]


def test_headers_after_a_loss_accuse_no_continuation() -> None:
    """Their beginning may have been in what is missing."""
    reader = Reader().feed(0, PREFACE + frame(SETTINGS, b"", 0) * 4).lose(0, 100)
    reader.feed(0, frame(CONTINUATION, b"\x82", 3, 4) + frame(PING, bytes(8), 0) * 9).finish()

    assert problems(reader) == []
