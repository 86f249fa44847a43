"""Types that streams say of their data, as RSocket's metadata says them."""

import pytest
from tests.protocols.rsocket.traffic import entry, framed, payload, rows, setup

from streamshark.dissection import stream_types as module
from streamshark.dissection.reading_state import ReadingState

RESPONSE, STREAM, CHANNEL, PAYLOAD = 0x04, 0x06, 0x07, 0x0A
METADATA, FOLLOWS, NEXT = 0x100, 0x80, 0x20
CBOR, JSON = b"\x81", b"\x85"
"""MIME types by number."""


def ask(*entries: bytes, stream: int = 1, kind: int = RESPONSE, flags: int = 0) -> bytes:
    """A request with composite metadata."""
    return framed(stream, kind, METADATA | flags, payload(b"".join(entries), b"x"))


def answer(*entries: bytes, stream: int = 1) -> bytes:
    """A payload, with composite metadata where there are entries."""
    metadata = b"".join(entries) if entries else None
    return framed(stream, PAYLOAD, NEXT | (METADATA if entries else 0), payload(metadata, b"y"))


def types(*sides: tuple[int, bytes]) -> list[str | None]:
    """Return the data type of each frame after SETUP."""
    return [each.agreed["data_mime_type"] for each in rows((0, setup()), *sides)[1:]]


def test_a_sender_says_its_own_type() -> None:
    """Of its data on that stream, from that frame on."""
    assert types(
        (0, ask(entry(0x7A, CBOR))),
        (1, answer()),
        (0, answer()),
        (1, answer(entry(0x7A, JSON))),
        (1, answer()),
        (0, answer()),
        (0, ask(stream=3)),
    ) == [
        "application/cbor", "text/plain", "application/cbor", "application/json",
        "application/json", "application/cbor", "text/plain",
    ]  # fmt: skip


def test_a_type_in_full() -> None:
    """Lower case, without parameters."""
    said = b"Application/X;q=1"

    assert types((0, ask(entry(0x7A, bytes([len(said) - 1]) + said)))) == ["application/x"]


def test_one_accepted_type_is_that_of_the_answer() -> None:
    """Of several it may be any, until the answer says."""
    assert types((0, ask(entry(0x7B, CBOR))), (1, answer())) == ["text/plain", "application/cbor"]
    several = (0, ask(entry(0x7B, CBOR + JSON)))
    assert types(several, (1, answer())) == ["text/plain", None]
    assert types(several, (1, answer(entry(0x7A, JSON)))) == ["text/plain", "application/json"]


def test_a_new_stream_of_the_same_number_begins_anew() -> None:
    """Numbers come again after a long time."""
    assert types((0, ask(entry(0x7A, CBOR))), (0, ask(entry(0x7E, b"\1a")))) == [
        "application/cbor", "text/plain",
    ]  # fmt: skip


def test_metadata_in_fragments() -> None:
    """Read when it is whole; the fragments themselves are of no type of their own."""
    whole = entry(0x7A, CBOR) + entry(0x7B, JSON)
    first = framed(1, STREAM, METADATA | FOLLOWS, b"\0\0\0\1" + payload(whole[:6], b""))
    last = framed(1, PAYLOAD, METADATA | NEXT, payload(whole[6:], b"x"))

    assert types((0, first), (0, last), (1, answer())) == [
        "text/plain", "application/cbor", "application/json",
    ]  # fmt: skip


def test_bytes_that_only_look_like_it() -> None:
    """In other entries, in data, in metadata that is broken or of another kind."""
    look = entry(0x7A, CBOR)
    for metadata in (
        entry(0x7E, bytes([len(look)]) + look),
        b"\xfa",
        b"\xfa\0\0\5\x81",
        b"\xfa" * 9,
    ):
        assert types((0, ask(metadata))) == ["text/plain"]
    plain = rows((0, setup(metadata="text/plain")), (0, ask(look)))
    assert plain[1].agreed["data_mime_type"] == "text/plain"


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest stream is forgotten first."""
    monkeypatch.setattr(module, "MOST_STREAMS", 1)

    said = (0, ask(entry(0x7A, CBOR))), (0, ask(entry(0x7A, JSON), stream=3))
    assert types(*said, (0, answer()), (0, answer(stream=3)))[2:] == [
        "text/plain",
        "application/json",
    ]


def test_nothing_is_read_for_nobody() -> None:
    """Types are not looked up if bodies are not shown."""
    found = rows(
        (0, setup()), (0, ask(entry(0x7A, CBOR))), shared=ReadingState(puts_together=False)
    )

    assert found[1].agreed["data_mime_type"] == "text/plain"
