"""Pieces after a hole: sorted, never overlapping; the first copy of a byte stays."""

from hypothesis import given
from hypothesis import strategies as st

from streamshark.flows.out_of_order import HELD_BYTES, HELD_PIECES, PIECE_COST, OutOfOrder, Piece


def piece(start: int, data: bytes, end: int | None = None) -> Piece:
    """Make a piece; with an end and no data, one that the snap length cut off."""
    return Piece(start, end or start + len(data), data, 1, 0, 1, 0, 16, is_payload=True)


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 20), st.booleans()), max_size=40))
def test_each_byte_is_held_once(pieces: list[tuple[int, int, bool]]) -> None:
    """Against a dictionary of bytes: the first copy stays, repeats are counted."""
    backlog, expected, repeated = OutOfOrder(), dict[int, int | None](), 0
    for number, (start, size, cut) in enumerate(pieces):
        data = b"" if cut else bytes([number]) * size
        counted = 0
        for at in range(start, start + size):
            counted += at in expected and not cut
            expected.setdefault(at, None if cut else number)
        repeated += counted

        assert backlog.insert(piece(start, data, start + size)) == counted

    held = dict[int, int | None]()
    while len(backlog):
        for part in backlog.take(backlog.first.start):
            for index, at in enumerate(range(part.start, part.end)):
                assert at not in held
                held[at] = part.data[index] if part.data else None

    assert held == expected
    assert backlog.size == 0


def test_take_stops_at_the_next_hole() -> None:
    """Only what follows without a break is taken."""
    backlog = OutOfOrder()
    for start in (9, 3, 5):
        backlog.insert(piece(start, b"ab"))

    assert [part.start for part in backlog.take(3)] == [3, 5]
    assert backlog.take(7) == []
    assert backlog.first.start == 9


def test_a_split_piece_is_marked() -> None:
    """The rest of a packet whose other bytes were present is marked as a retransmission's."""
    backlog = OutOfOrder()
    backlog.insert(piece(5, b"x"))
    backlog.insert(piece(3, b"abcde"))

    assert [(part.data, part.is_payload) for part in backlog.take(3)] == [
        (b"ab", False),
        (b"x", True),
        (b"de", False),
    ]


def test_a_backlog_has_an_end() -> None:
    """Too many bytes, or too many pieces, are full."""
    few = OutOfOrder()
    few.insert(piece(1, bytes(HELD_BYTES)))

    assert not few.full
    few.insert(piece(HELD_BYTES + 5, b"x"))
    assert few.full

    many = OutOfOrder()
    for start in range(HELD_PIECES + 1):
        assert not many.full
        many.insert(piece(2 * start, b"x"))

    assert many.full
    assert many.size == (HELD_PIECES + 1) * (1 + PIECE_COST)
