"""gRPC through the proxy: answers are complete and changed, streams equal, windows in balance."""

import gzip
import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest
from hpack import Decoder, Encoder
from tests.proxy.test_steering import cuts

from streamshark.protocols.http2.codes import PREFACE
from streamshark.proxy import Proxy, http2, steering
from streamshark.proxy.faults import Fault
from streamshark.proxy.hosts import Replace
from streamshark.proxy.http2 import Calls, frame
from streamshark.proxy.link import CLIENT, SERVER, Notice, Send
from streamshark.proxy.listeners import data_folder
from streamshark.proxy.proxy import REMEMBERED

FETCH, STREAM = "/proto.API/FetchMetadata", "/proto.API/Subscribe"
CHUNK = bytes(range(256)) * 8
NEVER = ('grpc.method == "none" -> drop',)
STREAMED = 60
"""Chunks of a stream."""


def broker(number: int, host: str, port: int) -> bytes:
    """A broker in the response of FetchMetadata."""
    inner = b"\x0a\x04b%03d" % number + b"\x12" + bytes([len(host)]) + host.encode()
    digits = [port & 0x7F | 0x80, port >> 7 & 0x7F | (0x80 if port >> 14 else 0)]
    inner += b"\x18" + bytes(digits + ([port >> 14] if port >> 14 else []))
    return b"\x0a" + bytes([len(inner)]) + inner


def answer(brokers: int, host: str = "lift", port: int = 9292) -> bytes:
    """A response of FetchMetadata."""
    return b"".join(broker(at % 1000, host, port) for at in range(brokers)) + b"\x12\x02xy"


class Server(grpc.GenericRpcHandler):
    """Answers FetchMetadata with as many brokers as asked for, Subscribe with so many chunks."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """Return what answers a method."""
        if details.method == FETCH:
            return grpc.unary_unary_rpc_method_handler(lambda asked, _: answer(int(asked)))
        return grpc.unary_stream_rpc_method_handler(lambda asked, _: iter([CHUNK] * int(asked)))


@contextmanager
def proxied(
    links: list[Calls], monkeypatch: pytest.MonkeyPatch, faults: Sequence[str] | None = None
) -> Iterator[Proxy]:
    """A proxy of such a server; its steering is appended to `links`."""

    def make(replace: Replace, faults: steering.Faults | None) -> Calls:
        links.append(Calls(replace, faults))
        return links[-1]

    monkeypatch.setattr(steering, "_calls", make)
    with ThreadPoolExecutor(8) as threads:
        server = grpc.server(threads, compression=grpc.Compression.Gzip)
        server.add_generic_rpc_handlers((Server(),))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            with Proxy(
                f"127.0.0.1:{port}",
                ports=range(25_200, 25_300),
                notice=lambda _text: None,
                faults=faults,
            ) as proxy:
                yield proxy
        finally:
            server.stop(None).wait()


def node_port() -> int:
    """The port at which the proxy listens for the node of the answers."""
    ports = json.loads((data_folder() / REMEMBERED).read_text())
    (port,) = {port for name, port in ports.items() if name.endswith(" lift:9292")}
    return int(port)


def fetched(fetch: grpc.UnaryUnaryMultiCallable, host: str) -> list[str]:
    """What is wrong with answers of different sizes."""
    wrong = []
    for brokers in (1, 3, 100, 1500, 1, 400):
        got = fetch(b"%d" % brokers, timeout=20)
        expected = answer(brokers, host, node_port())
        if got != expected:
            wrong.append(f"{brokers} brokers: {len(got)}, not {len(expected)} bytes")
    return wrong


def streamed(stream: grpc.UnaryStreamMultiCallable, most: int) -> list[str]:
    """What is wrong with streams, cancelled after so many chunks."""
    wrong = []
    for _ in range(4):
        call, got = stream(b"%d" % STREAMED, timeout=20), 0
        for chunk in call:
            got += chunk == CHUNK
            if got == most < STREAMED:
                call.cancel()
                break
        if got != most:
            wrong.append(f"{got} chunks, not {most}")
    return wrong


@pytest.mark.process
@pytest.mark.parametrize(("window", "faults"), [(1024, None), (0, None), (1024, NEVER)])
def test_answers_beside_cancelled_streams(
    window: int, faults: Sequence[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a client whose window is 1 KiB, and with the usual one; all messages may be tested."""
    links: list[Calls] = []
    options = [("grpc.http2.lookahead_bytes", window), ("grpc.http2.bdp_probe", 0)]
    options += [("grpc.max_receive_message_length", -1)]
    with proxied(links, monkeypatch, faults) as proxy:
        address = f"{proxy.host}:{proxy.port}"
        with grpc.insecure_channel(address, options=options if window else options[2:]) as channel:
            fetch, stream = channel.unary_unary(FETCH), channel.unary_stream(STREAM)
            with ThreadPoolExecutor(4) as pool:
                runs = [pool.submit(fetched, fetch, proxy.host)]
                runs += [pool.submit(streamed, stream, most) for most in (STREAMED, 20, 20)]
                assert [each.result() for each in runs] == [[], [], [], []]
            threading.Event().wait(0.2)
            (link,) = links
            if faults is None:
                assert link.balance < 1100  # the client gives small amounts back later
            else:
                assert link.balance + link._receivers[CLIENT].window == 65_535


@pytest.mark.process
def test_faults_on_the_calls_of_a_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client sees each fault, and its other calls on the connection continue."""
    with proxied([], monkeypatch, ()) as proxy, proxy_channel(proxy) as channel:
        fetch, stream = channel.unary_unary(FETCH), channel.unary_stream(STREAM)
        for of, act, code in (
            ("message", "error unavailable", grpc.StatusCode.UNAVAILABLE),
            ("reply", "error 8", grpc.StatusCode.RESOURCE_EXHAUSTED),
            ("reply", "reset", grpc.StatusCode.INTERNAL),
            ("reply", "stall", grpc.StatusCode.DEADLINE_EXCEEDED),
        ):
            fault = proxy.fault(f'grpc.command == "{of}" -> {act} once')
            with pytest.raises(grpc.RpcError) as raised:
                fetch(b"1", timeout=1 if act == "stall" else 10)
            assert raised.value.code() is code, act  # type: ignore[attr-defined]
            assert fault.used == 1
            proxy.remove(fault)
            assert fetch(b"2", timeout=10) == answer(2, proxy.host, node_port())
        late = proxy.fault('grpc.command == "reply" -> delay 300ms on call 2')
        begun = time.monotonic()
        assert list(stream(b"3", timeout=10)) == [CHUNK] * 3
        assert 0.29 < time.monotonic() - begun < 3
        proxy.remove(late)
        for act, many in (("duplicate", 4), ("drop", 2)):
            fault = proxy.fault(f'grpc.command == "reply" -> {act} on call 2')
            assert list(stream(b"3", timeout=10)) == [CHUNK] * many
            proxy.remove(fault)
        proxy.fault(
            'liftbridge.fetch_metadata_response.brokers.host == "lift" -> set brokers.id = x'
        )
        assert fetch(b"1", timeout=10).startswith(b"\x0a\x12\x0a\x01x\x12\x09127.0.0.1")
        proxy.fault('grpc.method == "FetchMetadata" -> close once')
        with pytest.raises(grpc.RpcError):
            fetch(b"1", timeout=10)


def proxy_channel(proxy: Proxy) -> grpc.Channel:
    """A channel to the proxy."""
    return grpc.insecure_channel(f"{proxy.host}:{proxy.port}")


def headers(stream: int, *pairs: tuple[str, str], flags: int = 4, encoder: Encoder) -> bytes:
    """A frame of HEADERS."""
    return frame(1, flags, stream, encoder.encode(list(pairs)))


def talk(message: bytes, *, encoding: str = "identity", more: bytes = b"") -> list[bytes]:
    """What both sides of one call send."""
    ours, theirs = Encoder(), Encoder()
    asks = PREFACE + frame(4, 0, 0, b"") + frame(4, 1, 0, b"")
    asks += headers(1, (":method", "POST"), (":path", FETCH), encoder=ours)
    asks += frame(0, 1, 1, b"\0\0\0\0\0")
    answers = frame(4, 0, 0, b"") + frame(4, 1, 0, b"")
    given = [(":status", "200"), ("grpc-encoding", encoding)]
    answers += headers(1, *given, flags=0, encoder=theirs)
    answers += frame(9, 4, 1, theirs.encode([("x", "y")]))
    answers += frame(0, 8, 1, b"\x05" + message[:7] + bytes(5)) + frame(0, 0, 1, message[7:])
    answers += more + headers(1, ("grpc-status", "0"), flags=5, encoder=theirs)
    return [asks, answers]


def passed(calls: Calls, data: list[tuple[int, bytes]]) -> tuple[list[bytes], list[str]]:
    """What goes to each side, and the lines for the user."""
    out, lines = [b"", b""], []
    for side, part in data:
        for each in calls.feed(side, part):
            match each:
                case Send(to, sent):
                    out[to] += sent
                case Notice(text):
                    lines.append(text)
    return out, lines


def frames(data: bytes) -> list[tuple[int, int, int, bytes]]:
    """Kind, flags, stream and payload of frames."""
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 3])
        found.append((data[at + 3], data[at + 4], int.from_bytes(data[at + 5 : at + 9]), size))
        found[-1] = (*found[-1][:3], data[at + 9 : at + 9 + size])  # type: ignore[assignment]
        at += 9 + size
    return found  # type: ignore[return-value]


def prefixed(message: bytes, flag: int = 0) -> bytes:
    """A message of gRPC."""
    return bytes([flag]) + len(message).to_bytes(4) + message


def to_proxy(_host: str, _port: int) -> tuple[str, int]:
    """The address of a proxy."""
    return "proxy.example", 300


def test_however_bytes_are_cut() -> None:
    """The message changes, the server gets window for its DATA, all other frames pass."""
    asks, answers = talk(prefixed(answer(3)))
    for parts in cuts(answers, 50):
        calls = Calls(to_proxy)
        out, lines = passed(calls, [(CLIENT, asks), *((SERVER, each) for each in parts)])
        assert lines == []
        found = frames(out[CLIENT])
        data = b"".join(each[3] for each in found if each[0] == 0)
        assert data == prefixed(answer(3, "proxy.example", 300))
        assert [each for each in found if each[0]] == [each for each in frames(answers) if each[0]]
        updates = frames(out[SERVER][len(asks) :])
        assert {each[0] for each in updates} == {8}
        sent = sum(len(each[3]) for each in frames(answers) if each[0] == 0)
        for stream in (0, 1):
            given = sum(int.from_bytes(each[3]) for each in updates if each[2] == stream)
            assert given == sent
        assert calls.balance == len(data)
        back = frame(8, 0, 0, (len(data) + 10).to_bytes(4)) + frame(8, 0, 1, b"\0\0\0\x05")
        out, _ = passed(calls, [(CLIENT, back)])
        assert frames(out[SERVER]) == [(8, 0, 0, b"\0\0\0\x0a"), (8, 0, 1, b"\0\0\0\x05")]
        assert calls.balance == 0


def test_packed_messages_and_those_that_cannot_be_changed() -> None:
    """Gzip is unpacked and packed again; other encodings, malformed and large ones pass."""
    asks, answers = talk(prefixed(gzip.compress(answer(9)), 1), encoding="gzip")
    out, lines = passed(Calls(to_proxy), [(CLIENT, asks), (SERVER, answers)])
    data = b"".join(each[3] for each in frames(out[CLIENT]) if each[0] == 0)
    assert gzip.decompress(data[5:]) == answer(9, "proxy.example", 300)
    assert lines == []
    for message, encoding, line in (
        (prefixed(answer(1), 1), "snappy", "encoding 'snappy'"),
        (prefixed(b"\0\0\0\0\0\0", 1), "gzip", "gzip: "),
        (prefixed(b"\x0a\x55\0\0\0"), "identity", "malformed Protobuf message"),
        (b"\0\x7f\0\0\0" + bytes(40), "identity", "too large to be changed"),
    ):
        asks, answers = talk(message, encoding=encoding)
        out, lines = passed(Calls(to_proxy), [(CLIENT, asks), (SERVER, answers)])
        data = b"".join(each[3] for each in frames(out[CLIENT]) if each[0] == 0)
        assert data == message
        assert len(lines) == 1
        assert line in lines[0]


def test_data_waits_for_the_windows_of_the_client() -> None:
    """Of a changed stream and of others; trailers wait, too; what a reset drops is given back."""
    asks, answers = talk(prefixed(answer(3000)))
    calls = Calls(to_proxy)
    asks = asks.replace(frame(4, 0, 0, b""), frame(4, 0, 0, b"\0\x04\0\0\x04\0"))  # 1,024
    out, _ = passed(calls, [(CLIENT, asks), (SERVER, answers)])
    found = frames(out[CLIENT])
    assert sum(len(each[3]) for each in found if each[0] == 0) == 1024
    assert [each[0] for each in found][-1] == 0
    whole = prefixed(answer(3000, "proxy.example", 300))
    rounds, passed_on = len(whole) // 1000 + 1, 0
    for _ in range(rounds):
        back = frame(8, 0, 1, (1000).to_bytes(4)) + frame(8, 0, 0, (1000).to_bytes(4))
        more, _ = passed(calls, [(CLIENT, back)])
        passed_on += sum(int.from_bytes(each[3]) for each in frames(more[SERVER]) if not each[2])
        out[CLIENT] += more[CLIENT]
    found = frames(out[CLIENT])
    assert b"".join(each[3] for each in found if each[0] == 0) == whole
    assert found[-1][:3] == (1, 5, 1)
    assert passed_on == rounds * 1000 - len(whole)
    assert calls.balance == 0


def test_a_reset_stream() -> None:
    """DATA that the server sends before it knows goes back to its window."""
    calls = Calls(to_proxy)
    opening = headers(3, (":path", STREAM), encoder=Encoder())
    start = PREFACE + frame(4, 0, 0, b"") + opening + frame(3, 0, 3, bytes(4))
    out, _ = passed(calls, [(CLIENT, start), (SERVER, frame(0, 0, 3, bytes(100)))])
    assert out[CLIENT] == b""
    assert frames(out[SERVER][len(start) :]) == [(8, 0, 0, b"\0\0\0\x64")]


def test_a_server_may_speak_first() -> None:
    """Its SETTINGS show the protocol, and wait for no byte of the client."""
    for parts in ([b"\0\0\0\x04\0\0\0\0\0"], [b"\0", b"\0\0\x04", b"\0\0\0\0\0"]):
        detecting = steering.steering_for("liftbridge", to_proxy)
        sent = [command for part in parts for command in detecting.feed(SERVER, part)]
        assert sent == [Send(CLIENT, b"".join(parts))]
        asks, answers = talk(prefixed(answer(3)))
        out = [*detecting.feed(CLIENT, asks), *detecting.feed(SERVER, answers[9:])]
        data = b"".join(each.data for each in out if isinstance(each, Send) and each.side == CLIENT)
        assert b"proxy.example" in data


def test_malformed_bytes_pass() -> None:
    """They are reported by a line, and all bytes that were held are forwarded."""
    calls = Calls(to_proxy)
    wrong = PREFACE + frame(1, 4, 1, b"\xff\xff\xff\xff\xff\xff\xff")
    out, lines = passed(calls, [(CLIENT, wrong), (CLIENT, b"more"), (SERVER, b"answer")])
    assert out == [b"answer", wrong + b"more"]
    assert len(lines) == 1
    held = Calls(to_proxy)
    assert passed(held, [(CLIENT, PREFACE + b"\0\0\x09\0")])[0][SERVER] == PREFACE
    assert list(held.end(CLIENT)) == [Send(SERVER, b"\0\0\x09\0")]


def test_header_blocks_that_wait_or_are_dropped() -> None:
    """What follows them on other streams is read as it was sent."""
    asks, answers = Encoder(), Encoder()
    calls = Calls(None, lambda: [stalls, Fault("grpc.correlation_id == 3 -> error unavailable")])
    stalls = Fault("grpc.correlation_id == 1 -> stall")
    ours = PREFACE + frame(4, 0, 0, b"")
    named = [(":method", "POST"), ("content-type", "application/grpc"), (":path", STREAM)]
    theirs = frame(4, 0, 0, b"")
    for number in (1, 3, 5):
        ours += headers(number, *named, encoder=asks)
        theirs += headers(number, (":status", "200"), ("x-id", f"{number}"), encoder=answers)
        theirs += frame(0, 0, number, prefixed(b"reply"))
        trailers = (("grpc-status", "0"), ("x-last", f"{number}"))
        theirs += headers(number, *trailers, flags=5, encoder=answers)
    out, lines = passed(calls, [(CLIENT, ours), (SERVER, theirs)])
    assert len(lines) == 2
    stalls.clear()
    for each in calls.woken(1 << 1 | SERVER):
        if isinstance(each, Send):
            out[each.side] += each.data
    decoder, seen = Decoder(), []
    for kind, flags, number, payload in frames(out[CLIENT]):
        if kind == 1:
            fields = dict(decoder.decode(payload))
            seen.append((number, flags & 1, fields.get("x-id"), fields.get("x-last")))
            if number == 3 and flags & 1:
                assert fields["grpc-status"] == "14"
    assert seen == [
        *((1, 0, "1", None), (3, 0, "3", None), (3, 1, None, None)),
        *((5, 0, "5", None), (5, 1, None, "5"), (1, 1, None, "1")),
    ]
    ends = [each for each in frames(out[SERVER][len(PREFACE) :]) if each[0] == 3]
    assert ends == [(3, 0, 3, (8).to_bytes(4))]
    assert (3, 0, 3, bytes(4)) in frames(out[CLIENT])
    late, _ = passed(calls, [(SERVER, frame(0, 0, 3, bytes(9)) + frame(8, 0, 3, b"\0\0\0\x09"))])
    assert late[CLIENT] == b""
    assert frames(late[SERVER]) == [(8, 0, 0, b"\0\0\0\x09")]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that ignores windows, or never ends a message, passes as it is, in order."""
    monkeypatch.setattr(http2, "MOST_HELD", 1 << 20)
    message, theirs = prefixed(bytes(3 << 20)), Encoder()
    begin = frame(4, 0, 0, b"") + headers(1, (":status", "200"), encoder=theirs)
    data = [frame(0, 0, 1, message[at : at + 16_000]) for at in range(0, len(message), 16_000)]
    for path in (FETCH, STREAM):
        asks = PREFACE + headers(1, (":path", path), encoder=Encoder())
        given = [(CLIENT, asks), *((SERVER, each) for each in (begin, *data))]
        out, lines = passed(Calls(to_proxy), given)
        assert any("bytes wait" in each for each in lines)
        assert b"".join(each[3] for each in frames(out[CLIENT]) if not each[0]) == message
    _, lines = passed(Calls(to_proxy), [(SERVER, begin + b"\x10\0\0\0\0\0\0\0\1")])
    assert "a frame of 1,048,576 bytes" in lines[0]
