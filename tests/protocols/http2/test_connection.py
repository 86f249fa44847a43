"""HTTP/2 as calls: however it is cut, each byte in one item, and what is left after a loss."""

import random
import struct
import zlib

import pytest
from tests.failures import every
from tests.protocols.http2.traffic import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PADDED,
    PATH,
    PREFACE,
    REQUEST,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    TRAILERS,
    Reader,
    Side,
    call,
    connections,
    frame,
    message,
)
from tests.schema.reader_agreement import Vector

from streamshark.framing.carrier import CarriedMessage
from streamshark.protocols.grpc.framing import HEAD, all_frames
from streamshark.protocols.http2.connection import GAP, LATER, MOST_MESSAGE, NO_PREFACE
from streamshark.schema.reference import parse

SCHEMAS = {each.key: each for each in all_frames()}


def values(carried: CarriedMessage) -> dict[str, object]:
    """What the protocol inside reads."""
    found, _ = parse(SCHEMAS[carried.data[0]], HEAD, carried.data)
    return found


def messages(reader: Reader, side: int) -> list[str]:
    """The messages of a side, in hex."""
    kind = 3 if reader.link.client == side else 4
    return [bytes(values(each)["message"]).hex() for each in reader.carried(side)  # type: ignore[call-overload]
            if each.data[0] == kind]  # fmt: skip


@every("step", [0, 1, 7, 100])
@every("sides", connections().values(), ids=connections())
def test_connections_of_grpcio(sides: dict[str, Vector], step: int) -> None:
    """Paths, messages and statuses are those that it was given, however it is cut."""
    reader = Reader()
    for side, sender in ((0, "client"), (1, "server")):
        reader.feed(side, sides[sender].data, step)
    reader.finish()

    asked, answered = sides["client"], sides["server"]
    statuses = [values(each)["status"] for each in reader.carried(1) if each.data[0] == 5]
    paths = [values(each)["path"] for each in reader.carried(0) if each.data[0] == 1]
    assert [reader.told(0), reader.told(1)] == [len(asked.data), len(answered.data)]
    assert set(paths) == {asked.expect["path"]}
    assert messages(reader, 0) == asked.expect["messages"]
    assert messages(reader, 1) == answered.expect.get("messages", [])
    assert statuses[-1] == answered.expect["grpc_status"]
    assert reader.reasons() == []


def test_the_order_of_sides_does_not_matter() -> None:
    """A server's bytes may come first in a capture."""
    asked, answered = call()
    reader = Reader().feed(1, answered).feed(0, asked).finish()

    assert reader.link.client == 0
    assert [each.data[0] for each in reader.carried(1)] == [2, 4, 5]


def test_headers_in_parts_and_padding() -> None:
    """CONTINUATION joins; padding is no data; its bytes are told all the same."""
    side = Side()
    block = side.encoder.encode(REQUEST.items())
    said = PREFACE + frame(SETTINGS, b"", 0) + frame(HEADERS, block[:5])
    said += frame(CONTINUATION, block[5:20]) + frame(CONTINUATION, block[20:], 1, END_HEADERS)
    said += frame(DATA, b"\3" + message(b"hi") + bytes(3), 1, PADDED | END_STREAM)
    reader = Reader().feed(0, said).finish()

    assert [each.data[0] for each in reader.carried(0)] == [1, 3]
    assert values(reader.carried(0)[0])["path"] == PATH
    assert messages(reader, 0) == [b"hi".hex()]
    assert reader.told(0) == len(said)


def test_messages_run_over_frames() -> None:
    """Three in one frame, one in three frames, an empty one, and the end alone."""
    side = Side()
    three = message(b"a") + message(b"") + message(b"ccc")
    one = message(b"longer than a frame")
    said = PREFACE + frame(SETTINGS, b"", 0) + side.headers(REQUEST) + frame(DATA, three)
    said += frame(DATA, one[:3]) + frame(DATA, one[3:9]) + frame(DATA, one[9:])
    said += frame(DATA, b"", 1, END_STREAM)
    reader = Reader().feed(0, said).finish()

    assert messages(reader, 0) == [
        each.hex() for each in (b"a", b"", b"ccc", b"longer than a frame")
    ]
    assert reader.notices() == ["preface", "settings", "end_stream"]
    assert reader.told(0) == len(said)
    offsets = [each.offset for each in reader.carried(0)[1:]]
    assert [said[at : at + 3] for at in offsets] == [
        message(bytes(size))[:3] for size in (1, 0, 3, 19)
    ]


def test_packed_messages() -> None:
    """Unpacked by the codec that headers name; one that is not known is told."""
    side = Side()
    packer = zlib.compressobj(wbits=31)
    packed = packer.compress(b"x" * 1000) + packer.flush()
    said = PREFACE + frame(SETTINGS, b"", 0) + side.headers(REQUEST | {"grpc-encoding": "gzip"})
    said += frame(DATA, message(packed, packed=True)) + frame(DATA, message(b"?", packed=True))
    reader = Reader().feed(0, said).finish()

    good, bad = reader.carried(0)[1:]
    assert values(good)["message"] == b"x" * 1000
    assert values(good)["flags"] == 2
    assert good.problem is None
    assert bad.problem is not None
    assert bad.problem.message == "gzip: not valid gzip"


def test_a_reset_ends_a_message() -> None:
    """What was under way is skipped, and the reset is told with its path."""
    side = Side()
    said = PREFACE + frame(SETTINGS, b"", 0) + side.headers(REQUEST)
    said += frame(DATA, message(b"never")[:7]) + frame(RST_STREAM, struct.pack(">I", 8))
    reader = Reader().feed(0, said).finish()

    assert reader.reasons() == ["the stream was reset"]
    assert values(reader.carried(0)[-1])["path"] == PATH
    assert values(reader.carried(0)[-1])["error_code"] == 8
    assert reader.told(0) == len(said)


def test_trailers_alone() -> None:
    """A call that fails at once."""
    answered = frame(SETTINGS, b"", 0) + Side().headers(
        RESPONSE | {"grpc-status": "12", "grpc-message": "no such method"},
        flags=END_HEADERS | END_STREAM,
    )
    reader = Reader().feed(0, call()[0]).feed(1, answered).finish()

    assert [each.data[0] for each in reader.carried(1)] == [5]
    told = values(reader.carried(1)[0])
    assert (told["status"], told["http_status"], told["path"]) == (12, 200, PATH)


def test_a_body_that_is_no_call() -> None:
    """Plain HTTP/2 is skipped with its reason."""
    side = Side()
    said = PREFACE + frame(SETTINGS, b"", 0) + side.headers(REQUEST | {"content-type": "text/html"})
    said += frame(DATA, b"<html>") + frame(DATA, b"</html>", 1, END_STREAM)
    reader = Reader().feed(0, said).finish()

    assert reader.reasons() == ["a body that is no message of a call"] * 2
    assert reader.told(0) == len(said)


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\n\r\n", bytes(64), b"PRI * HTTP/2.0\r\n\r\nXX"]
)
def test_what_is_not_http_2(data: bytes) -> None:
    """All of it is skipped."""
    reader = Reader().feed(0, data).finish()

    assert set(reader.reasons()) == {NO_PREFACE}
    assert reader.told(0) == len(data)
    assert not reader.sides[0].in_step


def test_a_proxy_may_tell_who_talks() -> None:
    """Its line is skipped by name."""
    line = b"PROXY TCP4 10.0.0.1 10.0.0.2 5 9090\r\n"
    asked, _ = call()
    reader = Reader().feed(0, line + asked, 10).finish()

    assert reader.sides[0].preamble == len(line)
    assert [each.data[0] for each in reader.carried(0)] == [1, 3]


def test_a_capture_that_begins_later() -> None:
    """Frames are found again; headers that refer to what is not known are left out."""
    asked, answered = Side(), Side()
    first = asked.headers(REQUEST, 1), answered.headers(RESPONSE, 1)
    later = b"".join(
        asked.headers(REQUEST | {"new": str(stream)}, stream) + frame(DATA, message(b"hi"), stream)
        for stream in (3, 5, 7)
    )
    back = b"".join(
        answered.headers(RESPONSE, stream)
        + frame(DATA, message(b"ho"), stream)
        + answered.headers(TRAILERS, stream, END_HEADERS | END_STREAM)
        for stream in (3, 5, 7)
    )
    assert all(first)
    reader = Reader(start=False).feed(0, later).feed(1, back).finish()

    told = [values(each) for each in reader.carried(0) if each.data[0] == 1]
    assert [each["path"] for each in told] == ["", "", ""]
    assert all(int(str(each["flags"])) & 4 for each in told)
    assert [each["metadata"][-1]["value"] for each in told] == ["3", "5", "7"]  # type: ignore[index]
    assert messages(reader, 0) == [b"hi".hex()] * 3
    assert [reader.told(0), reader.told(1)] == [len(later), len(back)]


@every("seed", range(20))
def test_after_a_gap_it_goes_on(seed: int) -> None:
    """Each byte is reported once, and calls after the gap are read."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    side = Side()
    said = (
        PREFACE
        + frame(SETTINGS, b"", 0)
        + b"".join(
            side.headers(REQUEST, stream)
            + frame(DATA, message(b"m" * 50), stream)
            + frame(DATA, b"", stream, END_STREAM)
            for stream in range(1, 41, 2)
        )
    )
    start = chance.randrange(60, 600)
    length = chance.randrange(1, 300)
    reader = Reader().feed(0, said[:start]).lose(0, length)
    reader.feed(0, said[start + length :], 50).finish()

    assert reader.told(0) == len(said) - length
    assert messages(reader, 0)[-1] == (b"m" * 50).hex()
    assert set(reader.reasons()) <= {
        GAP,
        LATER,
        "a gap interrupts this frame",
        "frames out of step",
    } | {each for each in reader.reasons() if "gap" in each or "frame" in each or "headers" in each}


@every("seed", range(30))
def test_any_bytes_give_items(seed: int) -> None:
    """Flipped, nothing raises, and nothing is told twice or lost."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    asked, answered = (bytearray(each) for each in call(b"x" * 200))
    for data in (asked, answered):
        for _ in range(5):
            data[chance.randrange(24, len(data))] ^= chance.randrange(1, 256)
    reader = Reader().feed(0, bytes(asked), 33).feed(1, bytes(answered), 33).finish()

    assert [reader.told(0), reader.told(1)] == [len(asked), len(answered)]


def test_what_is_held_is_bounded() -> None:
    """A message that says it is larger than any is not waited for."""
    side = Side()
    said = PREFACE + frame(SETTINGS, b"", 0) + side.headers(REQUEST)
    said += frame(DATA, struct.pack(">BI", 0, MOST_MESSAGE + 1) + bytes(1000))
    reader = Reader().feed(0, said)

    assert reader.sides[0].kept == 0
    assert reader.told(0) == len(said)


def test_an_unknown_type_is_an_event() -> None:
    """As RFC 9113, 5.5 wants it: passed over."""
    side = Side()
    said = PREFACE + frame(SETTINGS, b"", 0) + frame(0x0A, b"altsvc", 0) + side.headers(REQUEST)
    reader = Reader().feed(0, said + frame(DATA, message(b"hi")) * 3).finish()

    assert "unknown" in reader.notices()
    assert len(messages(reader, 0)) == 3


def test_a_known_call_goes_on_after_a_gap() -> None:
    """One whole frame of its stream is enough, or four of other streams."""
    begins = PREFACE + frame(SETTINGS, b"", 0) + Side().headers(REQUEST, 5)
    for stream, found in ((5, 1), (7, 0)):
        reader = Reader().feed(0, begins).lose(0, 500)
        reader.feed(0, b"\xff" * 40 + frame(DATA, message(b"hi"), stream))
        assert len(messages(reader, 0)) == found
