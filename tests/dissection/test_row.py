"""Rows know where they stand."""

from tests.framing.parcel_protocol import WIRE, flow, segment, send, signed

from streamshark.dissection.connection import Connection
from streamshark.dissection.row import EVENTS, Frame, FrameRow, frame_of
from streamshark.flows.segment import FlowEvent


def test_rows_are_ordered_by_time_then_place() -> None:
    """Two frames of one packet keep the order of their bytes."""
    made = Connection(flow(), WIRE.table(), "test")
    first, second = made.feed(segment(send() + signed()))

    assert first.order < second.order
    assert first.order[:4] == (1000, 0, 1, 0)


def test_a_reset_comes_after_what_it_cuts_off() -> None:
    """The reset comes after its side's bytes, although the other side's have higher offsets."""
    made = Connection(flow(), WIRE.table(), "test")
    made.feed(segment(send() + send()[:9]))
    partial, reset = made.feed(FlowEvent(0, 1, "reset", 1, 1000, 0, 0))

    assert (partial.order[:4], partial.offset > reset.offset) == (reset.order[:4], True)
    assert partial.order < reset.order


def test_a_row_becomes_a_frozen_record() -> None:
    """The record of the API has the members of the JSON."""
    made = Connection(flow(), WIRE.table(), "test")
    (row,) = made.feed(segment(send(3, b"here")))
    assert isinstance(row, FrameRow)
    row.number = 12
    frame = frame_of(row)

    assert isinstance(frame, Frame)
    assert (frame.frame, frame.protocol, frame.command, frame.length) == (12, "parcels", "send", 20)
    assert frame.fields == {"correlation_id": 3, "address": "here", "goods": []}


def test_the_items_of_lists_are_read_when_asked_for() -> None:
    """The shallow values have their number, and stay as they are."""
    made = Connection(flow(), WIRE.table(), "test")
    (row,) = made.feed(segment(send(3, b"here")))
    assert isinstance(row, FrameRow)

    assert row.shallow == {"correlation_id": 3, "address": "here", "goods": range(0)}
    assert row.values == {"correlation_id": 3, "address": "here", "goods": []}
    assert row.values is row.values
    assert row.shallow["goods"] == range(0)


def test_every_event_has_a_sentence() -> None:
    """What `fields` and the docs print."""
    assert all(sentence.endswith(".") for sentence in EVENTS.values())
