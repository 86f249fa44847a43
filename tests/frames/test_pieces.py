"""Pieces: the first says that more follow, later ones are known by their stream."""

from streamshark.frames.pieces import MOST_OPEN, Pieces
from streamshark.frames.wire import Fragments
from streamshark.schema import FrameSchema, Kind, Side

FOLLOWS = 0x80
FRAGMENTS = Fragments("stream", "flags", "follows", frozenset({"more"}), frozenset({"stop"}))


def seen(pieces: Pieces, name: str, stream: int, *, follows: bool = False, side: int = 0) -> bool:
    """Whether the next frame is a piece."""
    flags = {FOLLOWS: "follows", 0x40: "other"}
    schema = FrameSchema(name, 1, Kind.COMMAND, Side.BOTH, "A frame.", "Here", flags=flags)
    return pieces.see(side, schema, {"stream": stream, "flags": FOLLOWS if follows else 0x40})


def test_all_frames_from_the_first_to_the_last_piece() -> None:
    """The last one says that none follows; a frame behind it is whole again."""
    pieces = Pieces(FRAGMENTS)

    assert seen(pieces, "ask", 1, follows=True)
    assert seen(pieces, "more", 1, follows=True)
    assert seen(pieces, "more", 1)
    assert not seen(pieces, "more", 1)


def test_streams_and_sides_are_apart() -> None:
    """As are commands that bring no pieces."""
    pieces = Pieces(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True)

    assert not seen(pieces, "more", 2)
    assert not seen(pieces, "more", 1, side=1)
    assert not seen(pieces, "grant", 1)
    assert seen(pieces, "more", 1)


def test_an_end_by_either_side_is_an_end() -> None:
    """What comes behind it is no piece."""
    for side in (0, 1):
        pieces = Pieces(FRAGMENTS)
        seen(pieces, "ask", 1, follows=True)

        assert not seen(pieces, "stop", 1, side=side)
        assert not seen(pieces, "more", 1)


def test_lost_bytes_leave_nothing_known_of_their_side() -> None:
    """The last piece may have been among them."""
    pieces = Pieces(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True)
    seen(pieces, "ask", 2, follows=True, side=1)
    pieces.lose(0)

    assert not seen(pieces, "more", 1)
    assert seen(pieces, "more", 2, side=1)


def test_what_is_waited_for_is_bounded() -> None:
    """The oldest stream is forgotten first."""
    pieces = Pieces(FRAGMENTS)
    for stream in range(MOST_OPEN + 1):
        seen(pieces, "ask", stream, follows=True)

    assert not seen(pieces, "more", 0)
    assert seen(pieces, "more", 1)
