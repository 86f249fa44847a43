"""Parrot traffic for the tests of views and commands: frames as bytes, captures, rows."""

import io
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.builders import Conversation, pcap

from streamshark.cli.raw_bytes import rows_of
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.catalog import catalog, find
from streamshark.schema import U8, U16, field
from streamshark.session import Session

FOLDER = Path(__file__).parent
"""What `--protocol-path` takes."""
PROTOCOL = find("parrot_talk", catalog([str(FOLDER)]))
TABLE = PROTOCOL.wire.table()


def frame(key: int, body: bytes) -> bytes:
    """A frame: length, key, body."""
    return (len(body) + 1).to_bytes(2, "big") + bytes([key]) + body


def short(text: str | bytes) -> bytes:
    """Text with its length in one byte."""
    data = text if isinstance(text, bytes) else text.encode()
    return bytes([len(data)]) + data


def say(
    phrase: str | bytes = "hello",
    number: int = 7,
    volume: int = 2,
    manner: int = 1,
    tags: Iterable[str] = ("a", "b"),
) -> bytes:
    """A request."""
    tags = list(tags)
    body = number.to_bytes(2, "big") + short(phrase) + bytes([volume, manner, len(tags)])
    return frame(1, body + b"".join(map(short, tags)))


def said(number: int = 7, code: int = 0) -> bytes:
    """The answer."""
    return frame(0x81, number.to_bytes(2, "big") + bytes([code]))


def login(user: str = "ara", password: str = "pieces of eight", token: bytes = b"") -> bytes:  # noqa: S107 - made up
    """A frame with secrets."""
    return frame(2, short(user) + short(password) + (short(token) if token else b""))


def feed(weight: int = -5, shell: bytes = b"\x01\xff", claim: int = 1) -> bytes:
    """A frame with bytes, a UUID, bits and pairs."""
    body = bytes(range(16)) + weight.to_bytes(8, "big", signed=True) + b"\x3f"
    body += len(shell).to_bytes(2, "big") + shell
    return frame(3, body + bytes([claim]) + short("oil") + short("much"))


def squawk(noise: bytes = b"kraa", pitch: int = 1 << 60) -> bytes:
    """A frame that shows nothing of its own choice."""
    return frame(4, pitch.to_bytes(8, "big") + noise)


def perch(name: str = "low") -> bytes:
    """A frame with records in a list, a record in a record, a list in a list."""
    return frame(5, b"\x01" + short(name) + b"\x00\x09" + b"\x02\x03\x04")


def talk() -> Conversation:
    """A connection that opens, talks and closes."""
    talk = Conversation(server=("10.0.0.2", 7777)).handshake()
    talk.send(0, login()).send(0, say()).send(1, said()).send(1, feed())
    return talk.send(0, squawk()).finish(0).finish(1)


def write(folder: Path, *conversations: Conversation, name: str = "talk.pcap") -> str:
    """A capture file of conversations; gives its path."""
    packets = sorted((each for one in conversations for each in one.packets), key=lambda p: p[0])
    path = folder / name
    path.write_bytes(pcap(packets))
    return str(path)


def session(*paths: str, **options: Any) -> Session:  # noqa: ANN401 - a session's
    """A session that knows Parrot alone."""
    return Session(list(paths), protocols=(PROTOCOL,), **options)


def rows(data: bytes, sender: str | None = "client") -> list[Row]:
    """The rows of loose bytes."""
    return list(rows_of(data, TABLE, sender))


def row(data: bytes, sender: str | None = "client") -> FrameRow:
    """The first frame of loose bytes."""
    return next(each for each in rows(data, sender) if isinstance(each, FrameRow))


def event(data: bytes) -> EventRow:
    """The first event of loose bytes."""
    return next(each for each in rows(data) if isinstance(each, EventRow))


def feeding(monkeypatch: Any, data: bytes) -> None:  # noqa: ANN401 - pytest's
    """Let standard input hold some bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def joined() -> WireFormat:
    """Parrot with a dialect in which two fields are wider."""
    wire = PROTOCOL.wire
    first = wire.frames[0]
    body = (
        field("volume", U16, "How loud.", names={3: "highest"}),
        field("manner", U8, "How else.", flags={4: "thrice"}),
    )
    return replace(wire, frames=(*wire.frames, replace(first, dialect="macaw", body=body)))
