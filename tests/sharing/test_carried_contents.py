"""Messages of carriers with other contents."""

import gzip
import struct

from tests.failures import every
from tests.sharing.test_carrier_parts import frame

from streamshark.decoding.codecs import unmask
from streamshark.protocols.websocket.head import write_frame
from streamshark.sharing.carried_contents import with_contents

MASK = b"\1\2\3\4"


def test_rows_of_a_websocket_message() -> None:
    """Its mask stays, and so does what is between the rows."""
    part = write_frame(2, b"one two one", MASK)
    made = with_contents("websocket", [part], [(b"one", b"1"), (b"one", b"")])
    assert made is not None
    assert made[0][:6] == b"\x82\x86" + MASK
    assert unmask(made[0][6:], MASK) == b"1 two "
    assert with_contents("websocket", [b"\2\3abc\x80\2de"], [(b"cd", b"C")]) == [b"\x82\4abCe"]


def grpc(message: bytes, flag: int = 0) -> bytes:
    """Return a message with its prefix."""
    return struct.pack(">BI", flag, len(message)) + message


def test_messages_in_frames_of_http2() -> None:
    """Wherever they are cut; other frames and other messages stay, padding does not."""
    whole = grpc(b"first") + grpc(b"second message") + grpc(b"third")
    parts = [
        frame(1, 4, 1, b"\x88"),
        frame(0, 0, 1, whole[:12]),
        frame(0, 8, 1, b"\2" + whole[12:20] + b"\0\0"),
        frame(0, 1, 1, whole[20:]),
    ]
    made = with_contents("http2", parts, [(b"second message", b"2")])
    assert made is not None
    assert [len(each) - 9 for each in made] == [1, 12, 4, len(whole) - 29]
    assert made[0] == parts[0]
    assert [each[4] for each in made] == [4, 0, 0, 1]
    data = b"".join(each[9:] for each in made[1:])
    assert data == grpc(b"first") + grpc(b"2") + grpc(b"third")
    for each in made:
        assert int.from_bytes(each[:3], "big") == len(each) - 9


def test_a_packed_message_is_written_unpacked() -> None:
    """If that takes no more bytes."""
    plain = b"letters " * 20
    parts = [frame(0, 1, 1, grpc(gzip.compress(plain), 1))]
    made = with_contents("http2", parts, [(plain, b"x")])
    assert made == [frame(0, 1, 1, grpc(b"x"))]
    assert with_contents("http2", parts, [(plain, plain[:-1])]) is None


IMPOSSIBLE = {
    "another carrier": ("smoke", [b"x"], [(b"x", b"")]),
    "no frame": ("websocket", [b"GET / HTTP/1.1\r\n\r\n"], [(b"GET", b"")]),
    "a control frame": ("websocket", [b"\x89\1x"], [(b"x", b"")]),
    "a deflated message": ("websocket", [b"\xc2\1x"], [(b"x", b"")]),
    "a row that goes on in the next message": ("websocket", [b"\x82\1x"], [(b"xy", b"")]),
    "a message that is not whole": ("http2", [frame(0, 0, 1, grpc(b"abc")[:6])], [(b"abc", b"")]),
    "headers alone": ("http2", [frame(1, 4, 1, b"\x88")], [(b"abc", b"")]),
}


@every("name", IMPOSSIBLE)
def test_what_cannot_have_other_contents(name: str) -> None:
    """There is no part then."""
    assert with_contents(*IMPOSSIBLE[name]) is None
