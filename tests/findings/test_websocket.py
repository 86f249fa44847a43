"""Findings about WebSocket itself: what HTTP said, close codes."""

from pathlib import Path

import pytest
from tests.builders import Conversation, pcap

from streamshark.findings.finding import Finding
from streamshark.session import Session

CLIENT, SERVER = 0, 1
UPGRADE = (
    b"GET /rsocket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
UPGRADED = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
)
SETUP = bytes.fromhex("00000000 0400 0001 0000 00004e20 00015f90 03612f62 03612f62")


def masked(opcode: int, data: bytes) -> bytes:
    """Return a frame of a client."""
    return bytes([0x80 | opcode, 0x80 | len(data)]) + bytes(4) + data


def closed(code: int, reason: bytes = b"") -> bytes:
    """Return a close of the server."""
    data = code.to_bytes(2, "big") + reason
    return bytes([0x88, len(data)]) + data


def found(path: Path, *sides: tuple[int, bytes], connections: int = 1) -> list[Finding]:
    """Return what is found in connections that begin with an upgrade."""
    packets = []
    for number in range(connections):
        made = Conversation(("10.0.0.1", 40_000 + number), ("10.0.0.2", 8080)).handshake()
        for side, data in ((CLIENT, UPGRADE), *sides):
            made.send(side, data)
        packets += made.finish(CLIENT).finish(SERVER).packets
    (path / "a.pcap").write_bytes(pcap(sorted(packets)))
    analysis = Session([str(path / "a.pcap")]).analysis(rules=True)
    for _ in analysis.rows():
        pass
    return [each for each in analysis.findings() if each.rule.startswith("TCP-W")]


def answer(status: bytes) -> tuple[int, bytes]:
    """Return an answer of HTTP that is no upgrade."""
    return SERVER, b"HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n" % status


@pytest.mark.parametrize(
    ("status", "cause"), [(b"404 Not Found", "path"), (b"418 Teapot", "WebSocket here")]
)
def test_what_http_said(status: bytes, cause: str, tmp_path: Path) -> None:
    """W1: status and path at the packet of the answer; equal answers are one finding."""
    (refused,) = found(tmp_path, answer(status), connections=3)

    assert (refused.rule, refused.severity, refused.count) == ("TCP-W1", "error", 3)
    assert refused.message.endswith(f"WebSocket on /rsocket with {status.decode()}")
    assert cause in refused.cause
    assert len(refused.packets) == 3


def test_close_codes(tmp_path: Path) -> None:
    """W2: with the reason; not a normal end, nor a close without a code."""
    begun = (SERVER, UPGRADED), (CLIENT, masked(2, SETUP))
    (error,) = found(tmp_path, *begun, (SERVER, closed(1002, b"bad frame")))

    assert (error.rule, error.severity) == ("TCP-W2", "warning")
    assert error.message == "the server closed the WebSocket with 1002 (protocol_error): bad frame"
    for code in (1000, 1001):
        assert found(tmp_path, *begun, (SERVER, closed(code))) == []
    assert found(tmp_path, *begun, (SERVER, b"\x88\0")) == []
    own = closed(4001, b"left")
    echo = CLIENT, masked(8, own[2:])
    (note,) = found(tmp_path, *begun, (SERVER, own), echo)
    assert (note.severity, note.count) == ("note", 1)
