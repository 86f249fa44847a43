"""Containers of rows that return the earliest first."""

import random

from tests.framing.parcel_protocol import TICKS, WIRE, flow, segment

from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow, Row
from streamshark.row_order import LONGEST_HELD_NS, SLACK, HeldRows, HoldingFlows, RowOrder


def test_the_earliest_is_first() -> None:
    """The order of insertion does not matter; a new time replaces the old one."""
    holders = HoldingFlows()
    assert holders.first is None
    holders.hold(1, (5, 0, 5))
    holders.hold(2, (3, 0, 3))
    holders.hold(2, (9, 0, 9))
    holders.hold(2, (9, 0, 9))

    assert holders.first == ((5, 0, 5), 1)
    holders.release(1)
    holders.release(1)
    assert holders.first == ((9, 0, 9), 2)
    assert (len(holders), 1 in holders, 2 in holders) == (1, False, True)
    holders.clear()
    assert holders.first is None


def test_those_released_take_no_room() -> None:
    """The model is a dict; the heap does not grow with removed entries."""
    source = random.Random(7)  # noqa: S311 - not for secrets
    holders, model = HoldingFlows(), {0: (0, 0, 0)}
    holders.hold(0, (0, 0, 0))
    for packet in range(1, 5000):
        flow = source.randrange(1, 9)
        if source.random() < 0.5:
            holders.release(flow)
            model.pop(flow, None)
        else:
            holders.hold(flow, (packet, 0, packet))
            model[flow] = (packet, 0, packet)
        assert holders.first == min((since, flow) for flow, since in model.items())

    assert len(holders) == len(model)
    assert len(holders._heap) <= 2 * 9 + SLACK + 1


def test_rows_are_taken_in_their_order() -> None:
    """The rows before a packet or all are returned; the bytes of the others are known."""
    held = HeldRows()
    for number in (3, 1, 2):
        connection = Connection(flow(0), WIRE.table(), "known")
        held.add(connection.feed(segment(TICKS * number, 0, number)))

    assert held.size == 6 * len(TICKS)
    assert {row.packet for row in held.before((3000, 0, 3))} == {1, 2}
    assert held.size == 3 * len(TICKS)
    assert [row.packet for row in held.all() if isinstance(row, FrameRow)] == [3, 3, 3]
    assert (held.rows, held.size) == ([], 0)


def test_rows_wait_for_a_flow_that_may_have_earlier_ones() -> None:
    """Rows after a waiting flow's packet wait with it; in a live reading for a second at most."""
    connection = Connection(flow(0), WIRE.table(), "known")
    early, late = (connection.feed(segment(TICKS, 0, number)) for number in (2, 4))
    for live, most in ((False, 3_000), (True, 3_000 + LONGEST_HELD_NS + 1)):
        order = RowOrder(live=live)
        order.hold(7, (3000, 0, 3))
        order.disturb()

        assert {row.packet for row in order.ready([*late, *early], 4000, no_rows, None)} == {2}
        assert order.first_held == (3000, 0, 3)
        assert {row.packet for row in order.ready([], most, no_rows, None)} == (
            {4} if live else set()
        )
        order.release(7)
        assert {row.packet for row in order.ready([], most, no_rows, None)} == (
            set() if live else {4}
        )


def test_the_last_packet_waits_for_the_end_of_the_captures() -> None:
    """Rows of the last packet wait, since the end of the captures may add earlier ones."""
    connection = Connection(flow(0), WIRE.table(), "known")
    first, second = (connection.feed(segment(TICKS, 0, number)) for number in (1, 2))
    order = RowOrder()

    assert order.add([*first, *second], 2000, no_rows, None) == first
    assert (order.last, order.end) == ((2000, 0, 2), (2000, 0, 2))
    assert order.latest_ns == 2000
    assert order.finish([]) == second


def no_rows(_flow: int) -> list[Row]:
    """Return no rows, for flows of which nothing was held back."""
    return []
