"""Faults on frames of a connection: the bytes that are forwarded instead, however reads are cut."""

import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.proxy.ends import ends, received
from tests.proxy.test_steering import cuts

from streamshark.api import encode
from streamshark.capture import open_capture
from streamshark.protocols.catalog import catalog, find
from streamshark.proxy.fault_steering import FaultSteering
from streamshark.proxy.faults import Fault
from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Close,
    Command,
    End,
    Link,
    Notice,
    PassThrough,
    Pause,
    Remark,
    Reset,
    Resume,
    Send,
    Wake,
)

INFO = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576}\r\n'
A, B = b"MSG a 1 5\r\nhello\r\n", b"MSG b 2 9\r\nPING\r\nMSG\r\n"
STREAM = INFO + A + B + b"PING\r\n" + A


def steering(*faults: str, protocol: str = "nats") -> tuple[FaultSteering, list[Fault]]:
    """Steering with faults."""
    made = [Fault(each) for each in faults]
    table = find(protocol, catalog()).wire.table()
    return FaultSteering(PassThrough(), table, lambda: made), made


def sent(commands: Iterable[Command], side: int = CLIENT) -> bytes:
    """The bytes that go to a side."""
    return b"".join(each.data for each in commands if isinstance(each, Send) and each.side == side)


def done(stream: bytes, *faults: str, side: int = SERVER, protocol: str = "nats") -> bytes:
    """Return the bytes of a stream that are forwarded in one read."""
    made, _ = steering(*faults, protocol=protocol)
    return sent(made.feed(side, stream), 1 - side)


def test_frames_are_chosen_by_filter_and_trigger() -> None:
    """Also of what is only in the payload of another; however bytes are cut."""
    for parts in cuts(STREAM, 60):
        made, (fault,) = steering('nats.msg.subject == "a" -> drop on call 2')
        out = b"".join(sent(made.feed(SERVER, each)) for each in parts)
        assert out == INFO + A + B + b"PING\r\n"
        assert (fault.matched, fault.used) == (2, 1)
    assert done(STREAM, 'nats.command == "msg" -> drop') == INFO + b"PING\r\n"
    assert (
        done(STREAM, 'nats.command == "msg" -> duplicate once')
        == INFO + A + A + STREAM[len(INFO + A) :]
    )
    first = ('nats.msg.subject == "b" -> drop', 'nats.command == "msg" -> duplicate once')
    assert done(STREAM, *first) == INFO + A * 2 + b"PING\r\n" + A


def test_values_are_changed() -> None:
    """`set` mends what follows from it, `corrupt` nothing."""
    out = done(STREAM, 'nats.msg.sid == "1" -> set nats.msg.subject = longer once')
    assert out == STREAM.replace(b"MSG a", b"MSG longer", 1)
    out = done(STREAM, 'nats.msg.subject == "b" -> set payload = x')
    assert out == STREAM.replace(B, b"MSG b 2 1\r\nx\r\n")
    out = done(STREAM, 'nats.msg.subject == "b" -> corrupt nats.msg.subject')
    assert out == STREAM.replace(b"MSG b", b"MSG c")
    confirm = encode(
        "rabbitmq_stream", "publish_confirm", {"publisher_id": 1, "publishing_ids": [5, 6]}
    )
    changed = done(
        confirm, "rmqstream.publisher_id == 1 -> set publishing_ids = 9", protocol="rabbitmq_stream"
    )
    assert changed == confirm  # a list, which one number is not


def test_errors() -> None:
    """In a response, in the place of one, and as lines and frames of other protocols."""
    fields = {"correlation_id": 7, "stream": "s", "arguments": []}
    request = encode("rabbitmq_stream", "create", fields, kind="request")
    made, _ = steering('rmqstream.command == "create" -> error 17', protocol="rabbitmq_stream")
    commands = [*made.feed(CLIENT, request)]
    answer = encode(
        "rabbitmq_stream", "create", {"correlation_id": 7, "response_code": 17}, kind="response"
    )
    assert sent(commands) == answer
    assert sent(commands, SERVER) == b""
    good = answer[:-2] + b"\0\1"
    assert (
        done(good, "rmqstream.response_code == 1 -> error 17", protocol="rabbitmq_stream") == answer
    )
    made, _ = steering('nats.command == "pub" -> error Permissions Violation')
    commands = [*made.feed(CLIENT, b"PUB a 1\r\nx\r\nPING\r\n")]
    assert sent(commands) == b"-ERR 'Permissions Violation'\r\n"
    assert sent(commands, SERVER) == b"PING\r\n"
    request = bytes.fromhex("000008 00000005 1100 6161")
    made, _ = steering("rsocket.stream_id == 5 -> error 0x201", protocol="rsocket")
    answer = sent(made.feed(CLIENT, request))
    assert answer[3:13] == bytes.fromhex("00000005 2c00 00000201")
    assert int.from_bytes(answer[:3]) == len(answer) - 3


def test_time() -> None:
    """What comes after a frame waits with it; `stall` waits until it is cleared."""
    made, _ = steering('nats.msg.subject == "b" -> delay 2s')
    commands = [*made.feed(SERVER, STREAM)]
    assert sent(commands) == INFO + A
    assert commands[-2:] == [Pause(SERVER), Wake(2.0, SERVER)]
    assert sent(made.feed(SERVER, b"PING\r\n")) == b""
    assert sent(made.feed(CLIENT, b"PING\r\n"), SERVER) == b"PING\r\n"
    commands = [*made.woken(SERVER)]
    assert sent(commands) == B + b"PING\r\n" + A + b"PING\r\n"
    assert commands[-1] == Resume(SERVER)

    made, (fault,) = steering('nats.msg.subject == "b" -> stall')
    assert sent(made.feed(SERVER, STREAM)) == INFO + A
    assert [*made.woken(SERVER)] == [Wake(0.1, SERVER)]
    fault.clear()
    assert sent(made.woken(SERVER)) == STREAM[len(INFO + A) :]
    made, _ = steering('nats.msg.subject == "b" -> stall')
    made.feed(SERVER, STREAM)
    assert sent(made.end(SERVER)) == STREAM[len(INFO + A) :]


def test_ends() -> None:
    """The frame and all after it are not forwarded; a line and a comment name the fault."""
    for name, expected in (
        ("close", [End(CLIENT), End(SERVER), Close()]),
        ("reset", [Reset(CLIENT), Reset(SERVER)]),
    ):
        text = f'nats.msg.subject == "b" -> {name}'
        made, _ = steering(text)
        commands = [*made.feed(SERVER, STREAM)]
        assert sent(commands) == INFO + A
        line = f"fault on msg of the server: {text}"
        assert commands[1:] == [Notice(line), Remark(line), *expected]
        assert [*made.feed(SERVER, A)] == []


def test_what_is_not_of_the_protocol_passes() -> None:
    """From the start, or from where frames end; large frames untested; all without faults."""
    drops = 'nats.command == "msg" -> drop'
    for data in (b"PRI * HTTP/2.0\r\n" + A, b"\x16\x03\x01" + A):
        assert done(data, drops) == data
    assert done(INFO + b"\x16\x03\x01" + A, drops) == INFO + b"\x16\x03\x01" + A
    large = b"MSG a 1 %d\r\n%s\r\n" % (5 << 20, bytes(5 << 20))
    assert done(INFO + large + A, drops) == INFO + large
    made, faults = steering()
    for at in range(len(STREAM)):
        assert sent(made.feed(SERVER, STREAM[at : at + 1])) == STREAM[at : at + 1]
    made, faults = steering()
    assert sent(made.feed(SERVER, INFO + A + b"MSG a 1 5\r\nhe")) == INFO + A + b"MSG a 1 5\r\nhe"
    faults.append(Fault(drops))
    assert sent(made.feed(SERVER, b"llo\r\n" + A + b"PING\r\n")) == b"llo\r\nPING\r\n"


@pytest.mark.process
def test_a_fault_on_a_real_connection(tmp_path: Path) -> None:
    """A test adds it, waits for it, and finds it in the recording."""
    path = tmp_path / "out.pcapng"
    with ends(path, scheme="nats") as both:
        both.server.sendall(INFO)
        assert len(received(both.client, len(INFO))) == len(INFO)
        fault = both.proxy.fault('nats.msg.subject == "b" -> delay 300ms once')
        dropped = both.proxy.fault('nats.command == "ping" -> drop')
        begun = time.monotonic()
        both.server.sendall(A + B + A)
        assert received(both.client, len(A)) == A
        assert received(both.client, len(B + A)) == B + A
        assert 0.29 < time.monotonic() - begun < 3
        both.client.sendall(b"PING\r\nPONG\r\n")
        assert received(both.server, 6) == b"PONG\r\n"
        fault.wait(1)
        dropped.wait(1)
    capture = open_capture(path)
    assert sum(map(len, capture.batches())) > 5
    texts = [each.text for each in capture.comments]
    assert 'fault on msg of the server: nats.msg.subject == "b" -> delay 300ms once' in texts
    assert len(texts) == 2


def test_the_end_waits_for_what_is_delayed() -> None:
    """A server that closes after a frame loses none of it."""
    made, _ = steering('nats.msg.subject == "b" -> delay 2s')
    link = Link(made)
    link.connected()
    assert sent(link.received(SERVER, INFO + B)) == INFO
    assert [*link.ended(SERVER)] == []
    commands = [*link.woken(SERVER)]
    assert sent(commands) == B
    assert commands[-1] == End(CLIENT)
    assert [*link.ended(CLIENT)] == [End(SERVER), Close()]
