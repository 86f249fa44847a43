"""Bytes without a capture."""

import pytest
from tests.failures import every
from tests.madeup import aviary

from streamshark.cli.loose import hint, rows_of, surest, with_prefix
from streamshark.errors import StreamsharkError
from streamshark.frames.frame import EventRow, FrameRow
from streamshark.frames.riding import Route
from streamshark.protocols.catalog import catalog

ROUTES = [Route(each.wire.table()) for each in catalog([str(aviary.FOLDER)])]
RABBITMQ = next(each.table for each in ROUTES if each.table.wire.id == "rabbitmq_stream")
HEARTBEAT = bytes.fromhex("0000000400170001")


def names(data: bytes, sender: str | None = "client") -> list[str | None]:
    """What the rows are called."""
    return [each.name for each in rows_of(data, aviary.TABLE, sender)]  # type: ignore[attr-defined]


def test_several_frames() -> None:
    """Numbered, in their order."""
    rows = aviary.rows(aviary.login() + aviary.say())

    assert [row.number for row in rows if isinstance(row, FrameRow)] == [1, 2]
    assert names(aviary.login() + aviary.say()) == ["login", "say"]


def test_the_sender() -> None:
    """As told, else as the frames prove."""
    assert aviary.row(aviary.squawk(), "server").sender == "server"
    assert aviary.row(aviary.squawk(), None).sender is None
    assert aviary.row(aviary.feed(), None).sender == "server"


def test_a_frame_that_is_cut_off() -> None:
    """Its beginning is decoded, then the cut is told."""
    frame, cut = aviary.rows(aviary.say()[:-7])

    assert isinstance(frame, FrameRow)
    assert isinstance(cut, EventRow)
    assert (frame.values, frame.number) == ({"correlation_id": 7, "phrase": "hello"}, 1)
    assert [each.code.word for each in frame.problems] == ["short"]
    assert cut.name == "partial"


def test_a_head_that_is_cut_off() -> None:
    """There is nothing to decode."""
    assert names(b"\x00") == ["resync"] or names(b"\x00") == ["partial"]


@every("size", range(1, 43))
def test_any_cut_gives_rows(size: int) -> None:
    """At every length."""
    assert aviary.rows(aviary.feed()[:size], None)


def test_garbage() -> None:
    """Bytes that are no frames are told, not raised."""
    assert "resync" in names(b"\xff" * 40)


def test_the_surest_protocol() -> None:
    """By what the bytes are."""
    assert surest(HEARTBEAT, ROUTES).table.wire.id == "rabbitmq_stream"
    assert surest(aviary.say(), ROUTES).table.wire.id == "parrot_talk"


def test_no_protocol_is_sure() -> None:
    """The error lists them."""
    with pytest.raises(StreamsharkError, match=r"--protocol \(known: .*parrot_talk"):
        surest(b"\xff\xff\xff\xff", ROUTES)
    with pytest.raises(StreamsharkError, match="known: none"):
        surest(HEARTBEAT, [])


def test_two_protocols_are_alike() -> None:
    """The user chooses."""
    with pytest.raises(StreamsharkError, match="may be parrot_talk or parrot_talk"):
        surest(aviary.say(), [Route(aviary.TABLE), Route(aviary.TABLE)])


def test_frames_without_their_length() -> None:
    """It is put before them."""
    assert with_prefix(aviary.say()[2:], aviary.TABLE) == aviary.say()
    assert with_prefix(HEARTBEAT[4:], RABBITMQ) == HEARTBEAT


def test_lengths_that_cannot_be() -> None:
    """More than the number before a frame can say."""
    with pytest.raises(StreamsharkError, match="do not begin with a length"):
        with_prefix(b"\x04" + bytes(70_000), aviary.TABLE)


def test_a_hint_where_nothing_was_recognised() -> None:
    """A length that is missing, or one too many, is the likely reason."""
    nothing = "no frame of rabbitmq_stream was recognised in these {} bytes"

    assert hint(HEARTBEAT[4:], RABBITMQ, bare=False) == (
        nothing.format(4) + ": with a length before them they are heartbeat, so try --no-prefix"
    )
    assert hint(HEARTBEAT, RABBITMQ, bare=True) == (
        nothing.format(8) + ": they begin with a length (heartbeat), so leave --no-prefix out"
    )
    assert hint(b"\xff" * 9, RABBITMQ, bare=False) == nothing.format(9)
    assert hint(bytes(70_000), aviary.TABLE, bare=False).endswith("in these 70000 bytes")
