"""Fragments: the first announces more, later ones are found by their stream; then reassembled."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from streamshark.dissection import reassembly as module
from streamshark.dissection.reassembly import MOST_OPEN, Reassembly, ReassemblyPool
from streamshark.framing.wire_format import Fragmentation
from streamshark.schema import FrameKind, FrameSchema, Problem, ProblemCode, Sender

if TYPE_CHECKING:
    from streamshark.dissection.row import Reassembled

FOLLOWS = 0x80
FRAGMENTS = Fragmentation(
    "stream", "flags", "follows", frozenset({"more"}), frozenset({"stop"}), ("head", "tail")
)


def seen(
    pieces: Reassembly,
    name: str,
    stream: int,
    *,
    follows: bool = False,
    side: int = 0,
    problem: bool = False,
    **parts: bytes,
) -> Any:  # noqa: ANN401 - stands for a row
    """The row of the next frame, as it is marked."""
    flags = {} if name in ("stop", "grant") else {FOLLOWS: "follows", 0x40: "other"}
    schema = FrameSchema(name, 1, FrameKind.COMMAND, Sender.BOTH, "A frame.", "Here", flags=flags)
    row = SimpleNamespace(
        side=side, piece=0, whole=None, complete=True, values={
            "stream": stream, "flags": FOLLOWS if follows else 0x40, **parts},
        problems=[Problem(ProblemCode.SHORT, 1, 0, 0, "cut")] if problem else [],
    )  # fmt: skip
    pieces.see(row, schema)  # type: ignore[arg-type]
    return row


def test_all_frames_from_the_first_to_the_last_piece() -> None:
    """The last fragment ends the frame; the next frame is complete by itself."""
    pieces = Reassembly(FRAGMENTS)

    rows = [
        seen(pieces, "ask", 1, follows=True, head=b"a"),
        seen(pieces, "more", 1, follows=True, head=b"b", tail=b""),
        seen(pieces, "more", 1, tail=b"c"),
        seen(pieces, "more", 1, tail=b"d"),
    ]

    assert [each.piece for each in rows] == [1, 2, 3, 0]
    assert [each.complete for each in rows] == [False, False, True, True]
    assert rows[0].whole is rows[1].whole is rows[2].whole
    whole = rows[2].whole
    assert (whole.command, whole.count, whole.reason) == ("ask", 3, None)
    assert whole.parts == {"head": b"ab", "tail": b"c"}
    assert whole.sizes == {"head": 2, "tail": 1}
    assert pieces.pool.size == 0


def test_a_part_that_no_piece_has_is_left_out() -> None:
    """Of one that is there and empty something is left: nothing is not the same."""
    pieces = Reassembly(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True, tail=b"a")
    seen(pieces, "ask", 2, follows=True, head=b"", tail=b"a")

    assert seen(pieces, "more", 1, tail=b"b").whole.parts == {"tail": b"ab"}
    assert seen(pieces, "more", 2, tail=b"b").whole.parts == {"head": b"", "tail": b"ab"}


def test_streams_and_sides_are_apart() -> None:
    """As are commands that bring no pieces."""
    pieces = Reassembly(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True, tail=b"a")

    assert not seen(pieces, "more", 2).piece
    assert not seen(pieces, "more", 1, side=1).piece
    assert not seen(pieces, "grant", 1).piece
    assert seen(pieces, "more", 1, tail=b"b").whole.parts == {"tail": b"ab"}


def test_another_frame_on_the_stream_takes_its_place() -> None:
    """Later pieces may be of either, so neither becomes whole."""
    pieces = Reassembly(FRAGMENTS)
    old = seen(pieces, "ask", 1, follows=True, tail=b"a").whole
    new = seen(pieces, "ask", 1, follows=True, tail=b"b")

    assert old.reason == "another frame began on its stream"
    assert new.piece == 1
    assert new.whole.reason == "it began inside another frame"
    assert seen(pieces, "more", 1, tail=b"c").whole is new.whole
    assert not seen(pieces, "ask", 1).piece


def test_a_number_that_is_used_again() -> None:
    """Where the frame before is over, the new one becomes whole."""
    pieces = Reassembly(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True, tail=b"a")
    seen(pieces, "stop", 1)
    seen(pieces, "ask", 1, follows=True, tail=b"b")

    assert seen(pieces, "more", 1, tail=b"c").whole.parts == {"tail": b"bc"}


def test_an_end_by_either_side_is_an_end() -> None:
    """Pieces that were under way still come, and are no more than pieces."""
    for side in (0, 1):
        pieces = Reassembly(FRAGMENTS)
        seen(pieces, "ask", 1, follows=True, tail=b"a")
        seen(pieces, "stop", 1, side=side)

        assert pieces.pool.size == 0
        assert seen(pieces, "more", 1, follows=True, tail=b"b").piece == 2
        last = seen(pieces, "more", 1, tail=b"c")
        assert last.complete
        assert last.whole.reason == "stop arrived before its last fragment"
        assert last.whole.parts == {}
        assert not seen(pieces, "more", 1).piece


def test_lost_bytes_spoil_what_is_open_on_their_side() -> None:
    """A continuation after lost bytes has no beginning; the next first fragment starts anew."""
    pieces = Reassembly(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True)
    seen(pieces, "ask", 2, follows=True, side=1)
    pieces.lose(0)

    last = seen(pieces, "more", 1)
    assert last.whole.reason == "bytes between its fragments are missing"
    assert seen(pieces, "more", 2, side=1).whole.reason is None
    unknown = seen(pieces, "more", 3, follows=True)
    assert (unknown.piece, unknown.whole.command) == (1, None)
    assert unknown.whole.reason == "its first fragment is not in the capture"
    assert seen(pieces, "more", 3).whole is unknown.whole
    assert seen(pieces, "more", 3, follows=True).whole.reason is None, "its beginning was seen"
    seen(pieces, "ask", 4)
    assert seen(pieces, "more", 4, follows=True).whole.reason is None, "as a request was"
    pieces.lose(1)
    seen(pieces, "ask", 5)
    assert seen(pieces, "more", 5, follows=True, side=1).whole.reason is None, "of either side"
    assert seen(pieces, "more", 6, follows=True, side=1).whole.reason


def test_a_piece_that_is_not_sound_spoils_the_whole() -> None:
    """Its parts are not what was sent."""
    pieces = Reassembly(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True, tail=b"a", problem=True)

    assert seen(pieces, "more", 1).whole.reason == "one of its fragments is malformed"


@pytest.mark.slow
def test_what_is_waited_for_is_bounded() -> None:
    """The oldest stream is forgotten first; its later pieces have no beginning then."""
    pieces = Reassembly(FRAGMENTS)
    first = seen(pieces, "ask", 0, follows=True, tail=b"a")
    for stream in range(1, MOST_OPEN + 1):
        seen(pieces, "ask", stream, follows=True)

    assert first.whole.reason == "too many frames are incomplete"
    assert pieces.pool.size == 0
    assert seen(pieces, "more", 0, follows=True).whole.command is None
    assert seen(pieces, "more", 2).whole.reason is None


def test_one_frame_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes over the limit are counted and dropped."""
    monkeypatch.setattr(module, "MOST_BYTES", 3)
    pieces = Reassembly(FRAGMENTS)
    seen(pieces, "ask", 1, follows=True, tail=b"ab")
    over = seen(pieces, "more", 1, follows=True, tail=b"cd").whole
    last = seen(pieces, "more", 1, tail=b"e")

    assert over.reason == "its fragments exceed 3 bytes"
    assert last.whole.sizes == {"tail": 5}
    assert last.complete
    assert pieces.pool.size == 0


def test_all_together_are_bounded() -> None:
    """The oldest unfinished frame makes room, of whichever connection it is."""
    pool = ReassemblyPool(most=5)
    one, other = Reassembly(FRAGMENTS, pool), Reassembly(FRAGMENTS, pool)
    old = seen(one, "ask", 1, follows=True, tail=b"abc").whole
    seen(other, "ask", 1, follows=True, tail=b"def")

    assert old.reason == "more than 5 bytes of fragments are pending"
    assert pool.size == 3
    assert seen(other, "more", 1, tail=b"g").whole.parts == {"tail": b"defg"}
    assert pool.size == 0


def test_nothing_is_kept_for_nobody() -> None:
    """Only counted."""
    pieces = Reassembly(FRAGMENTS, ReassemblyPool(keeps=False))
    seen(pieces, "ask", 1, follows=True, tail=b"abc")
    whole: Reassembled = seen(pieces, "more", 1, tail=b"d").whole

    assert (whole.parts, whole.sizes, whole.reason) == ({}, {"tail": 4}, None)
