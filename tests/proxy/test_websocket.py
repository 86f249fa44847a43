"""Faults on messages inside WebSocket: however bytes are cut, in fragments, with masks."""

from tests.failures import Failures
from tests.proxy.test_fault_steering import sent
from tests.proxy.test_steering import cuts

from streamshark.api import encode
from streamshark.decoding.codecs import unmask
from streamshark.protocols.websocket.head import FrameHead, read_head, write_frame
from streamshark.proxy.faults import Fault
from streamshark.proxy.link import CLIENT, SERVER, Command, Notice, Pause, Resume, Send, Steering
from streamshark.proxy.steering import steering_for
from streamshark.proxy.websocket import LARGEST

REQUEST = b"GET /x HTTP/1.1\r\nUpgrade: websocket\r\n"
OFFER = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"
ACCEPTED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"


def rsocket(command: str, **fields: object) -> bytes:
    """A frame of RSocket without its length."""
    return encode("rsocket", command, {"flags": 0, **fields})[3:]


SETUP = rsocket(
    "setup",
    stream_id=0,
    major_version=1,
    minor_version=0,
    time_between_keepalive_frames=1000,
    max_lifetime=9000,
    metadata_mime_type="a/b",
    data_mime_type="a/b",
    data=b"",
)
ASKS = rsocket("request_response", stream_id=1, data=b"one")
ANSWER = rsocket("payload", stream_id=1, flags=0x60, data=b"two")
MASK = b"\x11\x22\x33\x44"
PING = write_frame(9, b"")


def messages(data: bytes) -> list[tuple[int, bytes, bool]]:
    """Opcode, payload, and whether it is masked, of frames."""
    found, at = [], 0
    while at < len(data):
        head = read_head(data, at)
        assert isinstance(head, FrameHead)
        begin = at + head.size
        payload = data[begin : begin + head.length]
        found.append(
            (data[at], unmask(payload, head.mask) if head.mask else payload, bool(head.mask))
        )
        at = begin + head.length
    return found


def opened(*faults: Fault) -> Steering:
    """A connection on which both sides have agreed on WebSocket."""
    made = steering_for(None, None, lambda: faults)
    assert sent(made.feed(CLIENT, REQUEST + OFFER + b"\r\n"), SERVER) == REQUEST + b"\r\n"
    assert sent(made.feed(SERVER, ACCEPTED)) == ACCEPTED
    return made


def test_nodes_of_nats_are_replaced() -> None:
    """Without faults all else passes as it came, also RSocket, and an offer to compress."""
    info = b'INFO {"host":"a","port":4222,"connect_urls":["b:443"]}\r\n'
    message = write_frame(2, b"MSG x 1 1\r\ny\r\n")
    expected = info.replace(b'"a","port":4222', b'"p","port":1').replace(b"b:443", b"p:1")
    asks = write_frame(2, b"CONNECT {}\r\n", MASK) + write_frame(2, SETUP, MASK)
    for first, out in ((write_frame(2, info), write_frame(2, expected)), (message, message)):
        for parts in cuts(ACCEPTED + first + PING + message * 2, 40):
            made = steering_for(None, lambda _host, _port: ("p", 1))
            request = REQUEST + OFFER + b"\r\n"
            assert sent(made.feed(CLIENT, request), SERVER) == request
            got = b"".join(sent(made.feed(SERVER, each)) for each in parts)
            assert got == ACCEPTED + out + PING + message * 2
            assert sent(made.feed(CLIENT, asks), SERVER) == asks


def test_messages_are_dropped_changed_and_answered() -> None:
    """What is not changed keeps its mask and its fragments; control frames do not wait."""
    asks = [write_frame(2, each, MASK) for each in (SETUP, ASKS, ASKS)]
    first = write_frame(2, ANSWER[:5])
    last = bytes([0x80, *write_frame(2, ANSWER[5:])[1:]])
    first = bytes([2]) + first[1:]
    stream = first + PING + last + write_frame(2, ANSWER)
    for parts in cuts(stream, 40):
        fault = Fault("rsocket.payload.data == 74:77:6f -> drop on call 2")
        made = opened(fault)
        assert sent(made.feed(CLIENT, b"".join(asks)), SERVER) == b"".join(asks)
        assert b"".join(sent(made.feed(SERVER, each)) for each in parts) == PING + first + last
        assert fault.used == 1
    with Failures() as failures:
        for text, expected in (
            ("duplicate", [(0x82, ANSWER, False)] * 2),
            ("set data = three", [(0x82, ANSWER[:-3] + b"three", False)]),
            ("error 0x201", [(0x82, ANSWER, False)]),
        ):
            made = opened(Fault(f'rsocket.command == "payload" -> {text}'))
            made.feed(CLIENT, asks[0])
            out = messages(sent(made.feed(SERVER, write_frame(2, ANSWER))))
            with failures.of(text):
                if text.startswith("error"):
                    assert out[0][1][4] == 0x2C
                else:
                    assert out == expected
    made = opened(Fault('rsocket.command == "request_response" -> set data = other once'))
    out = messages(sent(made.feed(CLIENT, b"".join(asks)), SERVER))
    assert out == [(0x82, SETUP, True), (0x82, ASKS[:-3] + b"other", True), (0x82, ASKS, True)]


def test_what_follows_a_delay_waits() -> None:
    """Control frames wait as well; the other direction continues."""
    made = opened(Fault('rsocket.command == "payload" -> delay 1s once'))
    made.feed(CLIENT, write_frame(2, SETUP, MASK))
    answer = write_frame(2, ANSWER)
    commands = [*made.feed(SERVER, answer + PING + answer)]
    assert sent(commands) == b""
    assert Pause(SERVER) in commands
    assert sent(made.feed(CLIENT, PING), SERVER) == PING
    commands = [*made.woken(SERVER)]
    assert sent(commands) == answer + PING + answer
    assert Resume(SERVER) in commands


def test_nats_is_a_stream_in_messages() -> None:
    """A line may be in two of them."""
    info = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576}\r\n'
    made = opened(Fault('nats.command == "msg" -> drop once'))
    parts = [info + b"MSG a 1 ", b"1\r\nx\r\nPI", b"NG\r\nMSG b 1 1\r\ny\r\n"]
    stream = b"".join(write_frame(2, each) for each in parts)
    out = b"".join(each[1] for each in messages(sent(made.feed(SERVER, stream))))
    assert out == info + b"PING\r\nMSG b 1 1\r\ny\r\n"


def test_other_connections_pass() -> None:
    """A refusal, an extension, large messages, bytes that are no frames of RSocket."""
    drops = 'rsocket.command == "payload" -> drop'

    def passed(answer: bytes, then: bytes) -> tuple[bytes, list[Command]]:
        made = steering_for(None, None, lambda: [Fault(drops)])
        made.feed(CLIENT, REQUEST + b"\r\n")
        commands = [*made.feed(SERVER, answer), *made.feed(SERVER, then)]
        return sent(commands), [each for each in commands if isinstance(each, Notice)]

    large = write_frame(2, bytes(LARGEST + 1))
    parts = bytes([2, *write_frame(2, bytes(60_000))[1:]])
    fragments = parts + bytes([0, *parts[1:]]) * 80
    accepted = ACCEPTED[:-2] + OFFER + b"\r\n"
    with Failures() as failures:
        for name, answer, then, lines in (
            ("refused", b"HTTP/1.1 401 Unauthorized\r\n\r\n", b"body", 0),
            ("extension", accepted, write_frame(2, ANSWER), 1),
            ("large", ACCEPTED, large, 1),
            ("fragments", ACCEPTED, fragments, 1),
            ("foreign", ACCEPTED, write_frame(1, b"hello, world"), 0),
        ):
            out, notices = passed(answer, then)
            with failures.of(name):
                assert out == answer + then
                assert len(notices) == lines
    made = opened(Fault(drops))
    held = write_frame(2, ANSWER)[:-1]
    assert sent(made.feed(SERVER, held)) == b""
    assert [*made.end(SERVER)] == [Send(CLIENT, held)]
