"""Input over a limit is reported, and the frames after it are read; limits are lowered here."""

import importlib
import io
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.session import Session

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import bulky
from generator import Connection


class Over(NamedTuple):
    """A cap, and a capture that is over it."""

    place: str
    """The module, and the name in it."""
    lowered: int
    make: Callable[[], bytes]
    told: str
    """Part of the message that reports it."""


def websocket(*frames: bytes) -> bytes:
    """A client that says something over WebSocket, then a frame as it should be."""
    connection, packets = bulky.websocket()
    data = b"".join((*frames, bulky.webframe(0x82, bulky.FIRE)))
    return bulky.pcap(packets + connection.send(0, data))


def rsocket(*frames: bytes) -> bytes:
    """The same over TCP."""
    connection = Connection(0)
    told = b"".join(len(each).to_bytes(3) + each for each in (bulky.SETUP, *frames, bulky.FIRE))
    return bulky.pcap(connection.open() + connection.send(0, told))


def begun(stream: int, size: int = 1, *, follows: bool = False) -> bytes:
    """A request of RSocket, or what follows it; more is to come."""
    kind = (10 << 10 | 1 << 7 | 1 << 5) if follows else (4 << 10 | 1 << 7)
    return struct.pack(">IH", stream, kind) + bytes(size)


def message(stream: int, size: int, *, of: int | None = None) -> bytes:
    """DATA of HTTP/2 with a message of gRPC, or the first bytes of a longer one."""
    return bulky.http2(0, struct.pack(">BI", 0, of or size) + bytes(size), stream)


def calls(*frames: bytes) -> bytes:
    """A client of HTTP/2 that says something, then a call as it should be."""
    ended = bulky.http2(1, bulky.HEADERS, 99_997, 4) + bulky.http2(0, bytes(5), 99_997, 1)
    return bulky.call(*frames, ended)


_LINK = "protocols.websocket.connection"
_HTTP2 = "protocols.http2.connection"
CAPS = (
    Over(f"{_LINK}.MOST_FRAMES", 9, lambda: websocket(
        bulky.webframe(2, b""), bulky.webframe(0, b"") * 20, bulky.webframe(0x80, b"")),
        "a message of over 9 frames"),
    Over(f"{_LINK}.MOST_MESSAGE", 50, lambda: websocket(
        bulky.webframe(2, bytes(40)), bulky.webframe(0, bytes(40)), bulky.webframe(0x80, b"")),
        "a message of over 50 bytes"),
    Over("protocols.websocket.frame.MOST_CONTROL", 20, lambda: websocket(
        bulky.webframe(0x89, bytes(30))), "a control frame of 30 bytes; 20 are possible"),
    Over("dissection.reassembly.MOST_BYTES", 50, lambda: rsocket(
        begun(1, 40), begun(1, 40, follows=True)), "its fragments exceed 50 bytes"),
    Over("dissection.reassembly.MOST_OPEN", 5, lambda: rsocket(
        *(begun(at) for at in range(1, 21, 2))), "too many frames are incomplete"),
    Over(f"{_HTTP2}.MOST_BLOCK", 50, lambda: calls(
        bulky.http2(1, bulky.HEADERS), bulky.http2(9) * 20), "too many headers"),
    Over(f"{_HTTP2}.MOST_MESSAGE", 50, lambda: calls(
        bulky.http2(1, bulky.HEADERS, flags=4), message(1, 60)),
        "a body that is no message of a call"),
    Over(f"{_HTTP2}.MOST_BODIES", 5, lambda: calls(*(
        bulky.http2(1, bulky.HEADERS, at, 4) + message(at, 3, of=40) for at in range(1, 21, 2))),
        "too many streams are unfinished"),
    Over(f"{_HTTP2}.MOST_HELD", 50, lambda: calls(*(
        bulky.http2(1, bulky.HEADERS, at, 4) + message(at, 30, of=40)
        for at in (1, 3, 5))), "too many messages are unfinished"),
)  # fmt: skip


def reasons(row: Row) -> list[str]:
    """Return the reasons why a row is malformed."""
    told = [each.message for each in row.problems]
    if isinstance(row, EventRow):
        told.append(str(row.fields.get("reason", "")))
    elif isinstance(row, FrameRow) and row.whole is not None:
        told.append(row.whole.reason or "")
    return told


def test_what_is_over_a_cap_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message reports the limit, and the frames after it are read."""
    wrong = []
    for each in CAPS:
        module, _, name = f"streamshark.{each.place}".rpartition(".")
        data = each.make()
        for is_lowered in (False, True):
            with monkeypatch.context() as patch:
                if is_lowered:
                    patch.setattr(importlib.import_module(module), name, each.lowered)
                session = Session([io.BytesIO(data)])  # type: ignore[list-item]
                rows = list(session.rows())
            named = [at for at, row in enumerate(rows) if each.told in " ".join(reasons(row))]
            frames = [at for at, row in enumerate(rows) if isinstance(row, FrameRow)]
            sound = [at for at in frames if not rows[at].problems]
            if bool(named) is not is_lowered or not sound:
                wrong.append(
                    (each.place, is_lowered, [r for row in rows for r in reasons(row) if r])
                )
            elif is_lowered and not sound[-1] > named[0]:
                wrong.append((each.place, "no frame after it"))

    assert not wrong, "\n".join(map(str, wrong))
