"""Messages of carriers, each so written that it needs no earlier one."""

import zlib

import hpack
from tests.failures import every

from streamshark.decoding.codecs import HeaderTable, unmask
from streamshark.protocols.http2.codes import PREFACE
from streamshark.protocols.websocket.head import write_frame
from streamshark.sharing.carrier_parts import spans_of

HEAD = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
ANSWER = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
SETTINGS = bytes.fromhex("000000040000000000")


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2."""
    return (
        len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload
    )


def test_deflated_messages_are_inflated() -> None:
    """Each message of a window that is taken over can be read alone, with its mask."""
    deflater = zlib.compressobj(wbits=-15)
    texts = [b"the same words " * 9, b"the same words " * 9, b"x" * 70_000]
    mask = b"\x01\x02\x03\x04"
    stream = HEAD
    for text in texts:
        data = deflater.compress(text) + deflater.flush(zlib.Z_SYNC_FLUSH)
        made = bytearray(write_frame(2, data[:-4], mask))
        made[0] |= 0x40
        stream += made
    spans = spans_of("websocket", stream, ANSWER)
    assert spans is not None
    assert [each.data for each in spans[1]] == [ANSWER]
    messages = spans[0][1:]
    assert [each.end for each in messages[:-1]] == [each.offset for each in messages[1:]]
    for each, text in zip(messages, texts, strict=True):
        assert each.data[0] == 0x82
        size = {126: 4, 127: 10}.get(each.data[1] & 0x7F, 2)
        assert each.data[size : size + 4] == mask
        assert unmask(each.data[size + 4 :], mask) == text


def test_fragments_are_one_part_and_control_frames_their_own() -> None:
    """A ping between two fragments can be left out alone."""
    first, ping, last = b"\x02\x03abc", b"\x89\x00", b"\x80\x02de"
    spans = spans_of("websocket", HEAD + first + ping + last, b"")
    assert spans is not None
    assert [each.data for each in spans[0]] == [HEAD, ping, first + last]


def test_header_blocks_need_no_table() -> None:
    """Two equal blocks, the second of which refers to the first, are read alone."""
    encoder = hpack.Encoder()
    headers = [(":path", "/a/long/path"), ("x-long", "v" * 300)]
    blocks = [encoder.encode(headers) for _ in range(2)]
    assert len(blocks[1]) < 10
    cut = frame(1, 0, 1, blocks[0][:7]) + frame(9, 4, 1, blocks[0][7:])
    stream = PREFACE + SETTINGS + cut + frame(1, 5, 3, blocks[1])
    spans = spans_of("http2", stream, SETTINGS)
    assert spans is not None
    *_, one, two = spans[0]
    assert (one.group, two.group) == ("stream 1", "stream 3")
    assert one.end - one.offset == len(cut)
    for each, flags in ((one, 4), (two, 5)):
        assert each.data[3:5] == bytes((1, flags))
        assert HeaderTable().block(each.data[9:]).headers == headers


UNTOLD = {
    "an unknown carrier": ("smoke", b"x", b"y"),
    "no end of the handshake": ("websocket", b"GET /", b""),
    "a table that began earlier": ("http2", frame(1, 4, 1, b"\xbe"), b""),
    "headers without their end": ("http2", frame(1, 0, 1, b"\x82"), b""),
    "a push": ("http2", frame(5, 4, 1, b"\0\0\0\2\x82"), b""),
    "a deflated message that refers to an earlier one": (
        "websocket", HEAD + b"\xc2\x03\x02\x13\x00", b""
    ),
}  # fmt: skip


@every("name", UNTOLD)
def test_what_cannot_be_told_apart(name: str) -> None:
    """There are no parts where one could not be read alone."""
    assert spans_of(*UNTOLD[name]) is None


def test_bytes_after_the_last_whole_frame_are_a_part() -> None:
    """Every byte is in one part."""
    for carrier, stream in (
        ("websocket", HEAD + b"\x82\x01a\x82\x09b"),
        ("http2", PREFACE + SETTINGS + b"\0\0\xffx"),
    ):
        spans = spans_of(carrier, stream, b"")
        assert spans is not None
        assert b"".join(each.data for each in spans[0]) == stream
