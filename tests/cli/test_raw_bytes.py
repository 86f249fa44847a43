"""Bytes without a capture."""

import pytest
from tests.failures import every
from tests.madeup import parrot_traffic

from streamshark.cli.raw_bytes import hint, rows_of, surest, with_prefix
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.errors import StreamsharkError
from streamshark.framing.carried import Route
from streamshark.protocols.catalog import catalog

ROUTES = [Route(each.wire.table()) for each in catalog([str(parrot_traffic.FOLDER)])]
RABBITMQ = next(each.table for each in ROUTES if each.table.wire.id == "rabbitmq_stream")
HEARTBEAT = bytes.fromhex("0000000400170001")


def names(data: bytes, sender: str | None = "client") -> list[str | None]:
    """What the rows are called."""
    return [each.name for each in rows_of(data, parrot_traffic.TABLE, sender)]  # type: ignore[attr-defined]


def test_several_frames() -> None:
    """Numbered, in their order."""
    rows = parrot_traffic.rows(parrot_traffic.login() + parrot_traffic.say())

    assert [row.number for row in rows if isinstance(row, FrameRow)] == [1, 2]
    assert names(parrot_traffic.login() + parrot_traffic.say()) == ["login", "say"]


def test_the_sender() -> None:
    """As told, else as the frames prove."""
    assert parrot_traffic.row(parrot_traffic.squawk(), "server").sender == "server"
    assert parrot_traffic.row(parrot_traffic.squawk(), None).sender is None
    assert parrot_traffic.row(parrot_traffic.feed(), None).sender == "server"


def test_a_frame_that_is_cut_off() -> None:
    """Its beginning is decoded, then the cut is told."""
    frame, cut = parrot_traffic.rows(parrot_traffic.say()[:-7])

    assert isinstance(frame, FrameRow)
    assert isinstance(cut, EventRow)
    assert (frame.values, frame.number) == ({"correlation_id": 7, "phrase": "hello"}, 1)
    assert [each.code.word for each in frame.problems] == ["short"]
    assert cut.name == "partial"


def test_a_head_that_is_cut_off() -> None:
    """There is no input: give hex."""
    assert names(b"\x00") == ["resync"] or names(b"\x00") == ["partial"]


@every("size", range(1, 43))
def test_any_cut_gives_rows(size: int) -> None:
    """At every length."""
    assert parrot_traffic.rows(parrot_traffic.feed()[:size], None)


def test_garbage() -> None:
    """Bytes that are no frames are told, not raised."""
    assert "resync" in names(b"\xff" * 40)


def test_the_surest_protocol() -> None:
    """By what the bytes are."""
    assert surest(HEARTBEAT, ROUTES).table.wire.id == "rabbitmq_stream"
    assert surest(parrot_traffic.say(), ROUTES).table.wire.id == "parrot_talk"


def test_no_protocol_is_sure() -> None:
    """The error lists them."""
    with pytest.raises(StreamsharkError, match=r"--protocol \(known: .*parrot_talk"):
        surest(b"\xff\xff\xff\xff", ROUTES)
    with pytest.raises(StreamsharkError, match="known: none"):
        surest(HEARTBEAT, [])


def test_two_protocols_are_alike() -> None:
    """The user chooses."""
    with pytest.raises(StreamsharkError, match="could be parrot_talk or parrot_talk"):
        surest(parrot_traffic.say(), [Route(parrot_traffic.TABLE), Route(parrot_traffic.TABLE)])


def test_frames_without_their_length() -> None:
    """It is put before them."""
    assert with_prefix(parrot_traffic.say()[2:], parrot_traffic.TABLE) == parrot_traffic.say()
    assert with_prefix(HEARTBEAT[4:], RABBITMQ) == HEARTBEAT


def test_lengths_that_cannot_be() -> None:
    """More than the number before a frame can say."""
    with pytest.raises(StreamsharkError, match="have no length prefix"):
        with_prefix(b"\x04" + bytes(70_000), parrot_traffic.TABLE)


def test_a_hint_where_nothing_was_recognised() -> None:
    """A length that is missing, or one too many, is the likely reason."""
    nothing = "no rabbitmq_stream frame recognised in these {} bytes"

    assert hint(HEARTBEAT[4:], RABBITMQ, bare=False) == (
        nothing.format(4) + ": with a length prefix they would be heartbeat: try --no-prefix"
    )
    assert hint(HEARTBEAT, RABBITMQ, bare=True) == (
        nothing.format(8) + ": they begin with a length prefix (heartbeat): omit --no-prefix"
    )
    assert hint(b"\xff" * 9, RABBITMQ, bare=False) == nothing.format(9)
    assert hint(bytes(70_000), parrot_traffic.TABLE, bare=False).endswith("in these 70000 bytes")
