"""Protocols carried in boxes, as messages and as a stream, with their position on the wire."""

import dataclasses

import pytest
from tests.framing.box_carrier import BOXES, Boxes, box
from tests.framing.parcel_protocol import HEAD, TICKS, WIRE, flow, segment, segments, send, signed

from streamshark.dissection.connection import Connection
from streamshark.dissection.detection import Undecided
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.flows.segment import Gap
from streamshark.framing.carried import CarriedMessages, CarriedStream, Route, joined, routes
from streamshark.framing.carrier import CarrierEvent
from streamshark.framing.splitter import PacketRef, RawFrame, SkippedBytes
from streamshark.schema import Head

BARE = Head(
    members=HEAD.members[1:],
    total=None,
    key="key",
    version="version",
    response="response",
    least=4,
    most=1 << 20,
)
IN_MESSAGES = dataclasses.replace(WIRE, carried_in=frozenset({"boxes.message"}), bare={"": BARE})
IN_BYTES = dataclasses.replace(WIRE, carried_in=frozenset({"boxes.bytes"}))
MESSAGES, STREAM = (routes([each.table()], [BOXES])[1] for each in (IN_MESSAGES, IN_BYTES))


def bare(frame: bytes) -> bytes:
    """A parcel without its length."""
    return frame[4:]


def reader(route: Route) -> CarriedMessages | CarriedStream:
    """A side that is in step."""
    made = route.reader(BOXES.link(), 0, start=True)
    assert isinstance(made, (CarriedMessages, CarriedStream))
    return made


def accounted(made: CarriedMessages | CarriedStream, length: int) -> bool:
    """Whether every byte was framed or skipped."""
    return made.framed + sum(made.skipped.values()) == length and made.framed >= 0


def test_routes() -> None:
    """On TCP itself, then on each carrier that has a slot; messages have a table of their own."""
    found = routes([IN_MESSAGES.table(), WIRE.table()], [BOXES])

    assert [each.carrier for each in found] == [None, None, BOXES]
    assert found[2].table is IN_MESSAGES.table(bare=True)
    assert found[2].table.bare
    assert STREAM.table is IN_BYTES.table()


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_each_message_is_a_frame(size: int) -> None:
    """At the offset of its first byte, however it comes."""
    data = box(bare(send())) + box(b"") + box(bare(signed()))
    made = reader(MESSAGES)
    pieces = [piece for each in segments(data, size) for piece in made.feed(each)]
    first, notice, second = pieces

    assert isinstance(first, RawFrame)
    assert isinstance(notice, CarrierEvent)
    assert isinstance(second, RawFrame)
    assert (first.offset, first.data) == (2, bare(send()))
    assert (second.offset, second.data) == (len(box(bare(send()))) + 4, bare(signed()))
    assert second.place.packets == list(range(1 + (second.offset - 2) // size,
                                              2 + (len(data) - 1) // size))  # fmt: skip
    assert accounted(made, len(data))


def test_a_length_that_does_not_belong_there() -> None:
    """Named on each frame, which is read at its own offset."""
    made = reader(MESSAGES)
    first, second = made.feed(segment(box(send() + signed())))

    assert isinstance(first, RawFrame)
    assert isinstance(second, RawFrame)
    assert (first.offset, first.data) == (6, bare(send()))
    assert (second.offset, second.data) == (6 + len(send()), bare(signed()))
    assert first.problem == second.problem
    assert first.problem is not None
    assert first.problem.code.word == "carrier"
    assert made.fits(send() + signed())
    assert not made.fits(send() + signed()[:-1])


def test_messages_that_are_no_frames() -> None:
    """Too short, unknown, not restored: each is one piece with a problem."""
    made = reader(MESSAGES)
    pieces = made.feed(segment(box(b"ab") + box(b"\0\x63\0\1") + box(b"?abc")))

    problems = [each.problem for each in pieces if isinstance(each, RawFrame)]
    assert [each and each.code.word for each in problems] == ["length", "unknown_key", "codec"]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_frames_may_begin_anywhere_in_a_stream(size: int) -> None:
    """Cut over boxes, at the offsets on the wire."""
    data = send(1) + signed(2) + TICKS
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    made = reader(STREAM)
    pieces = [
        piece for each in segments(b"".join(map(box, parts)), size + 2) for piece in made.feed(each)
    ]
    cuts = [each for each in pieces if isinstance(each, RawFrame)]
    wire = sum(len(box(each)) for each in parts)

    assert b"".join(each.data for each in cuts) == data
    at = 0
    for each in cuts:
        assert each.offset == at + 2 * (at // size + 1)
        first, last = at // size, (at + len(each.data) - 1) // size
        assert each.place.packets == list(range(first + 1, last + 2))
        at += len(each.data)
    assert accounted(made, wire)


def test_frames_in_a_box_that_was_compressed() -> None:
    """As far in as in what came out, each at a place of its own."""
    made = reader(STREAM)
    data = box(b"!" + send())
    first, second = made.feed(segment(data))

    assert isinstance(first, RawFrame)
    assert isinstance(second, RawFrame)
    assert first.data == second.data == send()
    assert (first.offset, second.offset) == (2, 2 + (1 + len(send())) // 2)
    assert accounted(made, len(data))


def test_skipped_bytes_of_a_box_that_was_compressed() -> None:
    """They are bytes on the wire, of which the box has fewer."""
    made = reader(STREAM)
    data = box(send()) + box(b"!" + b"\xff" * 40)
    pieces = made.feed(segment(data)) + made.finish()

    assert sum(each.length for each in pieces if isinstance(each, SkippedBytes)) == 41
    assert made.framed == len(data) - 41


def test_a_hole_in_a_stream() -> None:
    """The frame with the hole is skipped; framing resumes after it."""
    made = reader(STREAM)
    pieces = made.feed(segment(box(send() + send()[:5])))
    after = len(box(send() + send()[:5])) + 100
    pieces += made.gap(Gap(0, 0, after - 100, 100, 2, 2000, 0, "lost"))
    pieces += made.feed(segment(box(TICKS * 5), after, 3))

    assert [type(each) for each in pieces][:2] == [RawFrame, SkippedBytes]
    cuts = [each for each in pieces if isinstance(each, RawFrame)]
    assert [each.offset for each in cuts[1:]] == [after + 2 + 8 * n for n in range(5)]
    assert accounted(made, after - 100 + len(box(TICKS * 5)))


def test_a_box_that_is_lost_is_a_hole() -> None:
    """A box that was not restored is reported, and the stream continues after it."""
    made = reader(STREAM)
    data = box(send()) + box(b"?abc") + box(TICKS * 5)
    pieces = made.feed(segment(data)) + made.finish()

    assert sum(isinstance(each, RawFrame) and each.selector is None for each in pieces) == 1
    assert sum(isinstance(each, RawFrame) and each.selector is not None for each in pieces) == 6
    assert accounted(made, len(data))


def test_what_the_end_cuts() -> None:
    """The start of a frame in a stream, the start of a box."""
    made = reader(STREAM)
    data = box(send()[:10]) + b"\0"
    made.feed(segment(data))
    pieces = made.finish()

    skips = [each for each in pieces if isinstance(each, SkippedBytes)]
    assert [(each.offset, each.length, each.reason) for each in skips] == [
        (2, 10, "a gap interrupts this frame"), (12, 1, "no box"),
    ]  # fmt: skip
    assert skips[0].total == len(send())
    assert accounted(made, len(data))


def test_a_connection_that_is_carried() -> None:
    """Rows of the protocol, events of the carrier."""
    made = Connection(flow(), MESSAGES.table, "test", carrier=BOXES)
    frame, event = made.feed(segment(box(bare(send(5))) + box(b"")))

    assert isinstance(frame, FrameRow)
    assert isinstance(event, EventRow)
    assert (frame.command, frame.correlation_id, frame.offset) == ("send", 5, 2)
    assert (event.protocol, event.name, event.fields["size"]) == ("boxes", "empty", 0)


def test_a_carried_protocol_is_recognised() -> None:
    """Beside the same one on TCP itself; the first frame is shown to it without the box."""
    seen = []

    def detect(evidence):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        seen.append((evidence.bare, evidence.data))
        return IN_MESSAGES.detect(evidence)

    wire = dataclasses.replace(IN_MESSAGES, detect=detect)
    verdict = Undecided(flow(), routes([wire.table()], [BOXES])).feed(segment(box(bare(send()))))

    assert verdict is not None
    assert verdict.connection is not None
    assert verdict.connection.link is not None
    assert (True, bare(send())[:64]) in seen


def test_boxes_are_boxes() -> None:
    """Bytes that the made-up carrier holds back are reported."""
    made = Boxes()
    made.feed(segment(b"\0\5ab"))

    assert made.pending == 4


def test_places_are_joined() -> None:
    """As of the last one; packets of another file are left out."""
    places = [
        PacketRef([1, 2], (10, 0, 2)),
        PacketRef([2, 3], (30, 0, 3)),
        PacketRef([9], (20, 1, 9)),
    ]

    assert joined(places) == PacketRef([1, 2, 3], (30, 0, 3))
    assert joined(places[:1]) is places[0]
