"""Position in a stream whose sequence numbers wrap."""

import pytest

from streamshark.flows.direction import distance
from streamshark.flows.segment import Flow
from streamshark.flows.tcp import TcpConnection, TcpDirection
from streamshark.flows.timers import Timers

TOP = 2**32


def sides() -> tuple[TcpDirection, TcpDirection]:
    """Make the two sides of a connection."""
    connection = TcpConnection(Flow(0, ("a:1", "b:2"), (1, 2)), Timers())
    return connection.add_side(0), connection.add_side(0)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 5, 5),
        (5, 0, -5),
        (TOP - 1, 1, 2),
        (1, TOP - 1, -2),
        (0, TOP // 2 - 1, TOP // 2 - 1),
        (0, TOP // 2, -TOP // 2),
    ],
)
def test_distance_wraps(start: int, end: int, expected: int) -> None:
    """The shorter way round, forwards or back."""
    assert distance(start, end) == expected


def test_a_side_advances_over_the_wrap() -> None:
    """Offsets grow on, sequence numbers begin again."""
    side, _ = sides()
    side.next = TOP - 2
    side.advance(5)

    assert (side.offset, side.next) == (5, 3)


def test_a_hole_before_a_fin_is_acknowledged_by_the_other_side() -> None:
    """Only an acknowledgement of all its bytes counts."""
    side, peer = sides()
    side.next, side.fin = TOP - 2, 4

    assert side.hole_end == 4
    assert not side.is_acknowledged()
    peer.acked = 1
    assert not side.is_acknowledged()
    peer.acked = 2
    assert side.is_acknowledged()
