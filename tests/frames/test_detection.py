"""A connection is recognised by its content, and left alone when it is not ours."""

from tests.frames.parcels import SPOKEN, TICKS, WIRE, flow, segment, segments, send, signed

from streamshark.flows.segment import FlowEvent, Gap
from streamshark.frames.detection import MOST_BYTES, Undecided

TABLES = (WIRE.table(), SPOKEN.table())


def undecided(client: int | None = 0) -> Undecided:
    """A connection nothing is known of."""
    return Undecided(flow(client), TABLES)


def test_whole_frames_decide() -> None:
    """The first frame that ends the bytes is enough from the start of a connection."""
    verdict = undecided().feed(segment(send()))

    assert verdict is not None
    assert verdict.connection is not None
    assert verdict.connection.wire is WIRE
    assert verdict.connection.reason == "parcels line up"


def test_the_surest_wire_is_taken() -> None:
    """Text lines are not parcels."""
    verdict = undecided().feed(segment(b"SAY 2\r\nhi\r\n"))

    assert verdict is not None
    assert verdict.connection is not None
    assert verdict.connection.wire is SPOKEN


def test_byte_by_byte_is_decided_as_in_one_piece() -> None:
    """What was held is handed on whole."""
    made = undecided()
    for each in segments(send() + TICKS, 1):
        verdict = made.feed(each)
        if verdict:
            break

    assert verdict is not None
    assert verdict.connection is not None
    assert len(verdict.held) == len(send())


def test_a_foreign_start_is_left_alone_once_both_sides_have_spoken() -> None:
    """One odd side may still be answered in our protocol."""
    made = undecided()

    assert made.feed(segment(b"\xff" * 100)) is None
    verdict = made.feed(segment(b"\xff" * 100, side=1))
    assert verdict is not None
    assert verdict.connection is None


def test_the_other_side_may_tell() -> None:
    """A client of another protocol on our server's port."""
    made = undecided()
    made.feed(segment(b"\xff" * 100))
    verdict = made.feed(segment(signed() * 2, side=1))

    assert verdict is not None
    assert verdict.connection is not None


def test_a_capture_that_begins_inside_a_frame_is_searched() -> None:
    """Frames behind the rest of another one decide."""
    made = undecided(None)

    assert made.feed(segment(send()[7:])) is None
    verdict = made.feed(segment(TICKS * 3, 13, 2))
    assert verdict is not None
    assert verdict.connection is not None


def test_the_search_has_an_end() -> None:
    """So many bytes without a frame are not ours."""
    verdict = undecided(None).feed(segment(b"\x55" * MOST_BYTES))

    assert verdict is not None
    assert verdict.connection is None


def test_frames_behind_a_gap_count() -> None:
    """A short snap length cuts the first frame, not the second."""
    made = undecided()
    made.feed(segment(send(1, b"x" * 90)[:40]))
    made.feed(Gap(0, 0, 40, 66, 1, 1, 0, "snapped"))
    verdict = made.feed(segment(TICKS, 106, 2)) or made.finish()

    assert verdict.connection is not None


def test_a_reset_decides() -> None:
    """Nothing more will come."""
    made = undecided()
    made.feed(segment(b"\0\0"))
    verdict = made.feed(FlowEvent(0, 1, "reset", 2, 2, 0, 0))

    assert verdict is not None
    assert verdict.connection is None
    assert len(verdict.held) == 2
