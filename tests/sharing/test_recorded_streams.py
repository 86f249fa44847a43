"""The bytes of connections in parts."""

from itertools import chain

from tests.failures import Failures
from tests.recorded.index import lines

from streamshark.flows import Gap
from streamshark.flows.segment import Segment
from streamshark.session import Session
from streamshark.sharing.recorded_streams import Part, StreamRecorder

CAPTURES = (
    "rabbitmq_stream/lost_segment",
    "nats/websocket_deflate_go",
    "liftbridge/bug_no_deadline_go",
    "rabbitmq_stream/http_on_stream_port",
)
"""A gap, each carrier, and a connection of another protocol."""
REWRITTEN = CAPTURES[1:3]
"""Those whose messages are written otherwise, so that they need no earlier ones."""


def test_parts_tile_each_stream() -> None:
    """Every byte of a connection is in one part, and a gap is a part of its own."""
    with Failures() as failures:
        for capture in CAPTURES:
            with failures.of(capture):
                tiles(capture, str(lines()[capture].path))


def tiles(capture: str, path: str) -> None:
    """Read a capture and compare parts with what TCP delivered."""
    with Session([path]) as session:
        recorder = StreamRecorder(session.dissector)
        take, delivered = recorder.take, []

        def both(records: list[object]) -> None:
            delivered.extend(records)
            take(records)  # type: ignore[arg-type]

        session.dissector.on_delivered(both)  # type: ignore[arg-type]
        frames = 0
        for row in session.rows():
            recorder.row(row)
            frames += row.number is not None
    flows = recorder.flows()
    sizes: dict[tuple[int, int], int] = {}
    for each in delivered:
        if isinstance(each, Segment | Gap):
            size = len(each.data) if isinstance(each, Segment) else each.length
            sizes[each.flow, each.side] = sizes.get((each.flow, each.side), 0) + size
    parts = list(chain.from_iterable(each.parts for each in flows))
    for key, size in sizes.items():
        own = sorted((each for each in parts if (each.flow, each.side) == key), key=_offset)
        ends = [each.offset for each in own[1:]] + [size]
        assert own[0].offset == 0
        for each, end in zip(own, ends, strict=True):
            assert each.offset < end
            is_as_it_was = capture not in REWRITTEN
            assert not is_as_it_was or each.size == end - each.offset
    assert sum(each.lost for each in parts) == sum(each.length for each in recorder.gaps)
    assert all(each.is_whole for each in flows)
    assert any(each.is_frame for each in parts) == bool(frames)


def _offset(part: Part) -> int:
    return part.offset
