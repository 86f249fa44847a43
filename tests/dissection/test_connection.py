"""A connection turns bytes, gaps and events into rows, and remembers what it agreed."""

from dataclasses import replace

import pytest
from tests.framing.parcel_protocol import TICKS, WIRE, flow, parcel, segment, segments, send, signed

from streamshark.dissection.connection import Connection, Delivered, straight
from streamshark.dissection.reading_state import ReadingState
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.flows.segment import Flow, FlowEvent, Gap
from streamshark.framing.wire_format import NegotiatedValue, Resumption, Selector, WellFormedCheck
from streamshark.schema import REST, U32, FrameKind, FrameSchema, Sender, field, raw

LIMIT = field("limit", U32, "Largest parcel.")
TOKEN = field("token", raw(REST), "Of the session.")


def connection(client: int | None = 0) -> Connection:
    """A connection of parcels."""
    return Connection(flow(client), WIRE.table(), "test")


def names(rows: list[Row]) -> list[str | None]:
    """Names of rows."""
    return [row.name for row in rows if isinstance(row, (FrameRow, EventRow))]


def test_frames_have_values_and_senders() -> None:
    """The side that opened is the client; request and response share their command."""
    made = connection()
    rows = made.feed(segment(send(5))) + made.feed(segment(signed(5, 1), side=1))
    first, second = rows

    assert isinstance(first, FrameRow)
    assert isinstance(second, FrameRow)
    assert (first.sender, first.kind, first.command, first.correlation_id) == (
        "client", "request", "send", 5,
    )  # fmt: skip
    assert (second.sender, second.kind, second.command, second.key) == (
        "server", "response", "send", 1,
    )  # fmt: skip
    assert second.values == {"correlation_id": 5, "code": 1}
    assert second.addresses == ("10.0.0.2:7777", "10.0.0.1:1000")


def test_a_side_is_proved_by_what_only_it_sends() -> None:
    """Without a SYN the sender is unknown until a frame tells, and stays told."""
    made = connection(None)
    rows = made.feed(segment(TICKS * 4, 0, 1, 1)) + made.feed(segment(signed() * 4, 32, 2, 1))

    assert [row.sender for row in rows] == [None] * 4 + ["server"] * 4
    assert made.feed(segment(send() * 4))[0].sender == "client"


def test_an_answer_without_its_bit_is_read_by_its_sender() -> None:
    """One selector, two frames: the side that sends decides."""
    made = connection()
    asked = made.feed(segment(parcel(4, b"\0\7"), side=1))[0]
    answered = made.feed(segment(parcel(4, b"\0\2no")))[0]

    assert names([asked, answered]) == ["offer", "offer_response"]


def test_agreements_are_remembered() -> None:
    """The last frame that says it counts."""
    made = connection()
    made.feed(segment(parcel(2, bytes([0, 0, 1, 0]))))
    made.feed(segment(parcel(2, bytes([0, 0, 2, 0])), side=1))

    assert made.agreed == {"limit": 512}


def test_a_session_goes_on_where_it_is_resumed() -> None:
    """By its token, with what it keeps; not where another frame names the token, or begins it."""
    kept = NegotiatedValue("limit", "hello", "limit", "Largest parcel.")
    tokens = [
        NegotiatedValue("token", each, "token", "Of the session.") for each in ("open", "again")
    ]
    wire = replace(
        WIRE,
        frames=(*WIRE.frames, *(
            FrameSchema(name, key, FrameKind.COMMAND, Sender.CLIENT, "A frame.", "none", body, 1,
                        negotiates=True)
            for key, name, body in (
                (5, "open", (LIMIT, TOKEN)), (6, "again", (TOKEN,)), (7, "lost", (TOKEN,)),
            )
        )),
        agreements=(kept, NegotiatedValue("limit", "open", "limit", "Largest parcel."), *tokens,
                    NegotiatedValue("token", "lost", "token", "Of no session.")),
        resumption=Resumption("token", "open", "again", frozenset({"limit"})),
    )  # fmt: skip
    shared = ReadingState()

    def agreed(*frames: bytes) -> list[dict[str, object]]:
        made = Connection(flow(), wire.table(), "test", shared)
        rows = made.feed(segment(b"".join(frames)))
        return [dict(row.agreed) for row in rows if isinstance(row, FrameRow)]

    begun = {"limit": 7, "token": b"one"}
    assert agreed(parcel(6, b"one")) == [{"token": b"one"}]
    assert agreed(parcel(5, b"\0\0\0\7one")) == [begun]
    assert agreed(parcel(6, b"one"), parcel(2, b"\0\0\0\5")) == [begun, begun | {"limit": 5}]
    assert agreed(parcel(6, b"two"), parcel(7, b"one")) == [{"token": b"two"}, {"token": b"one"}]
    assert agreed(parcel(5, b"\0\0\0\x09one")) == [begun | {"limit": 9}]
    assert agreed(parcel(6, b"one")) == [begun | {"limit": 9}]


def test_events_become_rows() -> None:
    """Opening, a cut frame, its end: each with the sender."""
    made = connection()
    at = (10, 10_000, 0)
    rows = made.feed(FlowEvent(0, 0, "open", 1, 1000, 0, 0))
    rows += made.feed(segment(TICKS + send()[:12]))
    rows += made.feed(FlowEvent(0, 0, "close", *at, 20))

    assert names(rows) == ["open", "tick", "partial", "close"]
    partial = rows[2]
    assert isinstance(partial, EventRow)
    assert partial.fields == {
        "sender": "client", "offset": 8, "length": 12, "expected": 20,
        "reason": "the connection or capture ended first", "command": "send",
    }  # fmt: skip
    assert partial.order <= rows[3].order


def test_a_gap_is_a_row_and_the_skipped_bytes_are_one() -> None:
    """Many skipped pieces of one reason make one row."""
    made = connection()
    rows = made.feed(segment(TICKS))
    rows += made.feed(Gap(0, 0, 8, 100, 2, 2000, 0, "lost"))
    for each in segments(b"\x55" * 500 + TICKS * 3, 50, offset=108):
        rows += made.feed(each)

    assert names(rows) == ["tick", "gap", "resync", "tick", "tick", "tick"]
    assert isinstance(rows[2], EventRow)
    assert rows[2].fields == {
        "sender": "client", "offset": 108, "skipped": 500, "reason": "out of sync after a gap",
    }  # fmt: skip
    assert made.lost == 100


def test_unknown_frames_keep_their_bytes() -> None:
    """No schema, no values, but bytes and a problem."""
    made = connection()
    row = made.feed(segment(parcel(99, b"??") + TICKS))[0]

    assert isinstance(row, FrameRow)
    assert (row.command, row.kind, row.values, row.key) == (None, None, {}, 99)
    assert [problem.code.word for problem in row.problems] == ["unknown_key"]
    assert row.data == parcel(99, b"??")


def test_sound_means_without_problems() -> None:
    """The search believes only frames that decode."""
    sound = WellFormedCheck(WIRE.table())

    assert sound(send(), Selector(1, 1, False))  # noqa: FBT003
    assert not sound(send()[:-1], Selector(1, 1, False))  # noqa: FBT003


def test_a_frame_that_both_sides_may_send_proves_no_side() -> None:
    """An answer without its bit looks like the request: the port says which is likely."""
    made = connection(None)
    rows = made.feed(segment(parcel(4, b"\0\0") + send() * 2))

    assert names(rows) == ["offer_response", "send", "send"]
    assert [row.sender for row in rows] == [None, "client", "client"]
    elsewhere = Flow(0, ("10.0.0.1:1000", "10.0.0.2:2000"), (1000, 2000), None)
    unlikely = Connection(elsewhere, WIRE.table(), "test")
    rows = unlikely.feed(segment(parcel(4, b"\0\0") + send() * 2))
    assert names(rows) == ["offer", "send", "send"]
    assert [row.sender for row in rows] == [None, "client", "client"]


def test_rows_keep_what_held_for_them() -> None:
    """A row knows what was agreed up to it, its own frame included, not what came later."""
    made = connection()
    (before,) = made.feed(segment(send()))
    (first,) = made.feed(segment(parcel(2, bytes([0, 0, 1, 0])), len(send()), 2))
    (last,) = made.feed(segment(parcel(2, bytes([0, 0, 2, 0])), side=1))
    rows = [each for each in (before, first, last) if isinstance(each, FrameRow)]

    assert [each.agreed for each in rows] == [{}, {"limit": 256}, {"limit": 512}]
    assert not any(each.piece for each in rows)


def test_a_frame_with_a_wrong_length_keeps_its_fields() -> None:
    """What it hid comes with the packet that showed it, in order."""
    made = connection()
    bad = (5000).to_bytes(4, "big") + send(7)[4:]
    assert made.feed(segment(bad + TICKS, 0, 3)) == []
    rows = made.feed(FlowEvent(0, 0, "close", 9, 9000, 0, 28))
    first = rows[0]

    assert names(rows) == ["send", "tick", "close"]
    assert isinstance(first, FrameRow)
    assert first.values["correlation_id"] == 7
    assert [each.code.word for each in first.problems] == ["claim"]
    assert first.packets == [3]
    assert [row.packet for row in rows] == [9, 9, 9]


def test_a_frame_in_one_segment_is_taken_straight() -> None:
    """As it is otherwise: row, bytes counted, what was agreed; anything odd is left alone."""
    plain = [send(1), TICKS, send(2, b"there", b"a", b"b"), parcel(2, bytes(4)), TICKS]
    begun = send(4)[:9]
    odd = [send(3)[:-1] + b"\1", begun, TICKS + TICKS, parcel(9)]
    for client in (0, None):
        one, other = connection(client), connection(client)
        for made in (one, other):
            made.feed(segment(TICKS))
        offset = len(TICKS)
        for packet, data in enumerate([*plain, *odd], 2):
            given = segment(data, offset, packet)
            rows: list[Row] = []
            is_taken = straight({0: one}, [given], 0, 0, rows) == 1
            if not is_taken:
                rows = one.feed(given)
            expected = other.feed(given)
            offset += len(data)
            assert is_taken <= (data in (*plain, begun))
            assert is_taken or client is None or data not in plain
            assert [told(each) for each in rows] == [told(each) for each in expected]
        for each, alike in zip(one.splitters, other.splitters, strict=True):
            assert each is None or alike is None or each.framed == alike.framed


@pytest.mark.parametrize("size", [5, 9, 14, 40])
def test_segments_in_a_row_are_taken_straight(size: int) -> None:
    """Up to what is not the same side, has another time, or is no frame."""
    stream = b"".join([send(1), send(2, b"there", b"a" * 30), *[send(3)] * 3, parcel(9), send(4)])
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    given: list[Delivered] = [segment(TICKS), segment(TICKS, side=1)]
    given += [segment(data, len(TICKS) + at * size, at + 2) for at, data in enumerate(pieces)]
    given.insert(5, segment(TICKS, len(TICKS), 6, side=1))
    one, other = connection(0), connection(0)
    rows: list[Row] = []
    expected = [row for each in given for row in other.feed(each)]

    at = taken = now = 0
    while at < len(given):
        after = straight({0: one}, given, at, now, rows)
        taken += after - at
        if after == at:
            rows += one.feed(given[at])
            after += 1
        at, now = after, given[after - 1].time_ns

    assert [told(each) for each in rows] == [told(each) for each in expected]
    assert len(pieces) // 3 < taken < len(given)


def told(row: Row) -> tuple[object, ...]:
    """What a row says."""
    seen = (*row.order, row.side, row.sender, row.packets, [str(each) for each in row.problems])
    if not isinstance(row, FrameRow):
        return seen
    more = (row.name, row.selector, row.version, row.agreed, row.shallow, row.values, row.data)
    return (*seen, *more, row.is_read, row.complete)
