"""What a time slice leaves of its connections."""

from tests.packets import Packet, packets, recorded

from streamshark.capture.packet import PacketBatch
from streamshark.checkpoint import Checkpoint
from streamshark.splits.split_reader import ORIGINS, BoundaryState, ConnectionEnd, SplitReader

PUBLISHES, ANSWERS = recorded("rabbitmq_stream/publish_confirm", "rsocket/bug_answer_twice")


def batch(found: list[Packet]) -> PacketBatch:
    """Packets as one window."""
    out = PacketBatch(0, 1, b"".join(each.data for each in found))
    at = 0
    for each in found:
        out.times.append(each.time_ns)
        out.starts.append(at)
        out.captured.append(len(each.data))
        out.original.append(each.original)
        out.links.append(each.link)
        at += len(each.data)
    return out


def left(midway: SplitReader) -> list[BoundaryState]:
    """Its boundaries."""
    return midway.boundaries(Checkpoint(midway.dissector))


def test_a_connection_that_begins() -> None:
    """It is read as anywhere, and its state is left."""
    midway = SplitReader(assumes=True)
    rows = midway.feed(batch(packets(PUBLISHES)))
    begun = [each for each in left(midway) if not each.under_way]
    assert begun
    assert rows
    assert min(row.offset for row in rows) < ORIGINS[0]
    ended = Checkpoint(midway.dissector).opened(begun[0].end)
    assert isinstance(ended, ConnectionEnd)
    assert ended.tcp.flow.addresses == begun[0].addresses


def test_a_small_one_that_was_under_way() -> None:
    """Its packets are what is left, and it has no rows."""
    midway = SplitReader(assumes=True)
    found = packets(PUBLISHES)[12:]
    assert midway.feed(batch(found)) + midway.finish_rows() == []
    boundaries = left(midway)
    assert all(each.arrivals for each in boundaries if each.under_way)
    assert sum(len(each.arrivals or ()) for each in boundaries) == len(found)


def test_what_must_be_read_from_the_beginning() -> None:
    """Fragments and types of streams hang on what was before: such rows are not made."""
    midway = SplitReader(assumes=False)
    assert midway.feed(batch(packets(ANSWERS))) == []
    assert {each.refused for each in left(midway)} == {"rsocket is read from the beginning"}
