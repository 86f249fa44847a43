"""The same bytes are forwarded however reads are cut; only frames with node names change."""

import random
from collections.abc import Iterable, Iterator

import pytest
from tests.failures import Failures
from tests.packets import recorded

import streamshark
from streamshark.errors import StreamsharkError
from streamshark.proxy.link import CLIENT, SERVER, Command, Notice, Send, Steering
from streamshark.proxy.steering import LARGEST, LONGEST_LINE, prepare, steering_for

INFO = b'INFO {"host":"0.0.0.0","port":4222,"x":1.50,"connect_urls":["10.0.0.1:4222"]} \r\n'
CHANGED = b'INFO {"host":"proxy","port":4223,"x":1.50,"connect_urls":["proxy:4223"]} \r\n'
NATS = (
    INFO
    + b'PING\r\n+OK\r\nMSG a 1 14\r\nINFO {"port":1}\r\n'
    + b"msg  a.b 1 r.1\t5\r\nMSG a\r\n" * 40
    + b"HMSG a 1 12 20\r\nNATS/1.0\r\n\r\nINFO {}\n\r\n"
    + b"info " + INFO[5:]
    + b"MSG a 1 0\r\n\r\n-ERR 'x'\r\n"
)  # fmt: skip
OPEN = bytes.fromhex(
    "0000003e801500010000000400010000000200"
    "0f616476657274697365645f706f727400043535353200"
    "0f616476657274697365645f686f7374000662726f6b6572"
)
DELIVER = (1006).to_bytes(4) + b"\0\x08\0\1" + OPEN * 15 + bytes(1002 - 66 * 15)


def replaced(host: str, port: int) -> tuple[str, int]:
    """The address of a proxy for each node."""
    assert host
    return "proxy", port + 1


def run(steering: Steering, reads: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """What goes to each side."""
    out = [b"", b""]
    commands: list[Command] = []
    for side, data in reads:
        commands += steering.feed(side, data)
    for side in (CLIENT, SERVER):
        commands += steering.end(side)
    for each in commands:
        if isinstance(each, Send):
            out[each.side] += each.data
    return out


def cuts(data: bytes, many: int) -> Iterator[list[bytes]]:
    """The bytes in one, each by itself, and at random."""
    yield [data]
    yield [data[at : at + 1] for at in range(len(data))]
    chance = random.Random(1)  # noqa: S311 - the same each time
    for _ in range(many):
        places = sorted(chance.sample(range(1, len(data)), min(len(data) - 1, 9)))
        yield [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


def test_nats() -> None:
    """INFO is found where it is a line, never in payloads; its other bytes stay."""
    expected = NATS.replace(INFO, CHANGED).replace(INFO[5:], CHANGED[5:])
    assert expected.count(CHANGED[5:]) == 2
    for parts in cuts(NATS, 200):
        steering = steering_for("nats", replaced)
        client = [(CLIENT, b'CONNECT {"port":4222}\r\n')]
        reads = [(SERVER, each) for each in parts]
        assert run(steering, reads + client) == [expected, b'CONNECT {"port":4222}\r\n']


def test_rabbitmq_streams() -> None:
    """Open's response changes; what only looks like it, in a chunk, does not."""
    changed = OPEN.replace(b"\0\0\0\x3e", b"\0\0\0\x3d")
    changed = changed.replace(b"5552", b"5553").replace(b"\0\6broker", b"\0\5proxy")
    data = DELIVER + OPEN + DELIVER * 2 + OPEN
    for parts in cuts(data, 200):
        steering = steering_for("rabbitmq_stream", replaced)
        out = run(steering, [(SERVER, each) for each in parts])
        assert out[CLIENT] == DELIVER + changed + DELIVER * 2 + changed


def test_recorded_frames_with_nodes() -> None:
    """Metadata, Open and INFO of real servers decode as before, but for the nodes."""
    for name, protocol in (
        ("rabbitmq_stream/publish_confirm", "rabbitmq_stream"),
        ("nats/interactions_go", "nats"),
    ):
        frames = list(streamshark.open(*recorded(name)))
        sent = b"".join(each.data for each in frames if each.flow == 0 and each.sender == "server")
        nodes: list[tuple[str, int]] = []

        def replace(host: str, port: int, nodes: list[tuple[str, int]] = nodes) -> tuple[str, int]:
            nodes.append((host, port))
            return host, port

        assert run(steering_for(protocol, replace), [(SERVER, sent)])[CLIENT] == sent
        assert nodes


def test_other_bytes_pass_as_they_came() -> None:
    """Unknown protocols, TLS after INFO, lines and frames that are too long or malformed."""
    long = b"INFO " + bytes(LONGEST_LINE + 10)
    large = (LARGEST * 2).to_bytes(4) + b"\x80\x0f\0\1" + bytes(LARGEST * 2 - 4)
    with Failures() as failures:
        for protocol, data in (
            (None, b"SSH-2.0-x\r\n"), (None, b"IN"), (None, b"I"), (None, b"INFX"),
            ("nats", b"MSG a 1 x\r\n" + INFO), ("nats", b"MSG\r\n" + INFO),
            ("nats", b"\x16\x03\x01" + INFO), ("nats", long), ("nats", long),
            ("rabbitmq_stream", large + DELIVER), ("rabbitmq_stream", b"AMQP\0\1\0\0" + bytes(99)),
            ("rabbitmq_stream", bytes(9)), ("rsocket", INFO),
        ):  # fmt: skip
            for parts in ([data], [data[:3], data[3:4], data[4:]]):
                steering = steering_for(protocol, replaced)
                with failures.of(data[:20]):
                    reads = [(SERVER, each) for each in parts if each]
                    assert run(steering, reads)[CLIENT] == data


def test_tls_after_info_passes() -> None:
    """INFO is changed, and what follows is not looked at."""
    steering = steering_for(None, replaced)
    tail = b"\x16\x03\x03\0\x7a" + INFO

    assert run(steering, [(SERVER, INFO + tail)])[CLIENT] == CHANGED + tail
    assert list(steering.feed(SERVER, INFO)) == [Send(CLIENT, INFO)]


def test_what_cannot_be_changed_passes_with_a_line() -> None:
    """A frame that is malformed, or a node for which there is no address."""

    def full(host: str, port: int) -> tuple[str, int]:
        raise StreamsharkError(f"{host}:{port}: more than 256 nodes")

    steering = steering_for("nats", full)
    sent, line = steering.feed(SERVER, INFO)
    assert sent == Send(CLIENT, INFO)
    assert line == Notice("0.0.0.0:4222: more than 256 nodes; the hosts in it pass unchanged")
    malformed = (8).to_bytes(4) + b"\x80\x0f\0\1\0\0\0\1"
    sent, line = steering_for("rabbitmq_stream", replaced).feed(SERVER, malformed)
    assert sent == Send(CLIENT, malformed)
    assert isinstance(line, Notice)


def test_few_bytes_are_held() -> None:
    """Only those that may begin a known protocol; a client's bytes never wait for the server."""
    steering = steering_for(None, replaced)
    assert list(steering.feed(CLIENT, b"CONNECT {}\r\n")) == [Send(SERVER, b"CONNECT {}\r\n")]
    for data in (b"+", b"hello", b"\0\0\0\x05"):
        assert list(steering_for(None, replaced).feed(SERVER, data)) == [Send(CLIENT, data)]
    held = steering_for("nats", replaced)
    assert list(held.feed(SERVER, INFO[:40])) == []
    assert list(held.feed(SERVER, INFO[40:] + b"PIN")) == [Send(CLIENT, CHANGED)]
    assert list(held.end(SERVER)) == [Send(CLIENT, b"PIN")]


def test_a_large_payload_is_the_same_object() -> None:
    """What needs no change is not copied."""
    steering = steering_for("nats", replaced)
    list(steering.feed(SERVER, INFO))
    data = b"MSG a 1 100000\r\n" + bytes(90_000)
    (command,) = steering.feed(SERVER, data)
    assert isinstance(command, Send)
    assert command.data is data


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    """Decoders are loaded once."""
    prepare()
