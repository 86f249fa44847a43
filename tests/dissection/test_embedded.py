"""Frames inside frames of another protocol, by the bus of Liftbridge's tests."""

from tests.protocols.liftbridge.traffic import (
    BUS,
    CALLS,
    CLIENT,
    WIRE,
    Talk,
    ack,
    bus,
    publish,
)

from streamshark.dissection.connection import Connection
from streamshark.dissection.embedded import selected, slotted
from streamshark.dissection.reading_state import ReadingState
from streamshark.dissection.row import FrameRow, frame_of
from streamshark.flows.segment import Flow


def pair(payload: bytes, subject: str = "foo") -> tuple[FrameRow, FrameRow]:
    """A frame of the bus and the frame embedded in it."""
    outer, inner = Talk().pub(3, subject, payload).rows
    return outer, inner


def test_a_row_after_the_row_that_carries_it() -> None:
    """It has its own protocol, number, bytes and offset; the carrier's time, packets and sender."""
    outer, inner = pair(publish())

    assert (outer.name, inner.name) == ("pub", "publish")
    assert (inner.connection.wire, inner.carrier) == (WIRE, outer)
    assert (inner.number, frame_of(inner).carrier, frame_of(outer).carrier) == (2, 1, None)
    assert inner.data == publish()
    assert inner.offset == len(outer.data) - len(publish())
    assert (inner.order[:4], inner.packets) == (outer.order[:4], outer.packets)
    assert (inner.sender, inner.connection.flow) == ("client", outer.connection.flow)
    assert inner.order > outer.order


def test_bytes_that_come_twice_are_where_the_slot_is() -> None:
    """Not where the same bytes stand before it: here all of the frame is one letter."""
    talk = Talk().say(5, CLIENT, b"\0\0\0\x09\2\3foo")
    talk.shared.memory["liftbridge"]["subjects"] = {"sss": ""}
    outer, inner = talk.pub(6, "sss", b"s").rows[-2:]

    assert (inner.name, inner.data) == ("plain_publish", b"s")
    assert inner.offset == len(outer.data) - 1


def test_what_is_not_its_own_makes_no_row() -> None:
    """Other payloads, and frames without a slot."""
    assert len(Talk().pub(0, "foo", b"hello").rows) == 1
    assert len(Talk().say(0, CLIENT, b"\0\0\0\x09\2\3foo").rows) == 1


def test_a_head_that_is_not_whole_or_not_known() -> None:
    """A row without a decoder, and why."""
    _, short = pair(b"\xb9\x0e\x43\xb4\0\x08\0")
    _, unknown = pair(b"\xb9\x0e\x43\xb4\0\x08\0\x63")

    assert short.decoder is None
    assert [each.code.word for each in short.problems] == ["length"]
    assert [each.code.word for each in unknown.problems] == ["unknown_key"]


def test_slots_are_known_by_decoder() -> None:
    """The member that is one of them."""
    table = BUS.table()

    assert slotted(table.named("pub"), WIRE.carried_in) == "payload"
    assert slotted(table.named("sub"), WIRE.carried_in) is None
    assert table.slots == {"nats.message"}
    assert selected(WIRE.table(bare=True), ack(), None)[1] is None
    assert selected(WIRE.table("bare", bare=True), b"x", "raft_bytes")[0] is not None


def test_which_protocols_are_embedded() -> None:
    """Only where a slot of the protocol is; the inner view of a connection is one."""
    shared = ReadingState([WIRE.table(), BUS.table()])
    ends = Flow(0, ("a:1", "b:2"), (1, 2), client=0)
    on_bus = Connection(ends, BUS.table(), "made", shared)

    assert [each.wire for each in shared.embedded_tables] == [WIRE]
    assert on_bus.embedded is not None
    assert Connection(ends, CALLS.table(), "made", shared).embedded is None
    inner = on_bus.nested(WIRE.table())
    assert on_bus.nested(WIRE.table()) is inner
    assert inner.outer is on_bus


def test_embedded_rows_come_in_order() -> None:
    """Several messages in one segment each follow the row of their carrier."""
    data = bus(3, "foo", publish()) + bus(3, "in", ack())
    rows = Talk().say(0, CLIENT, data).rows

    assert [row.name for row in rows] == ["pub", "publish", "pub", "ack"]
    assert [row.carrier and row.carrier.number for row in rows] == [None, 1, None, 3]
    assert sorted(rows, key=lambda row: row.order) == rows
