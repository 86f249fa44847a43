"""Packets with their headers and rows."""

from tests.builders import Conversation
from tests.filters.reading import LOGIN, read
from tests.reading import batch

from streamshark.dissection.row import FrameRow
from streamshark.filters.packets import Packet, PacketRows, Span


def test_every_packet_has_its_rows() -> None:
    """Those that it completed; packets without rows are there as well."""
    found = read(LOGIN)

    assert [each.number for each in found.packets] == list(range(1, len(found.packets) + 1))
    for row in found.rows:
        assert row in found.packets[row.packet - 1].rows
    frames = [row for each in found.packets for row in each.rows if isinstance(row, FrameRow)]
    assert [row.number for row in frames] == [1, 2, 3, 4, 5, 6]


def test_sequence_numbers_are_relative() -> None:
    """To the first of each side; repeated bytes are noticed, another connection gets a number."""
    talk = Conversation(("10.0.0.1", 1000), ("10.0.0.2", 2000)).handshake()
    talk.send(0, b"abc").send(1, b"de")
    packets = [*talk.packets, talk.packets[3]]
    taken: list[Packet] = []
    joined = PacketRows(taken.append)
    joined.batch(batch(packets), 0)
    assert not taken
    joined.finish()
    found = [each.tcp for each in taken if each.tcp is not None]

    assert [(each.seq, each.length, bool(each.analysed.flags)) for each in found[3:]] == [
        (1, 3, False), (1, 2, False), (1, 3, True),
    ]  # fmt: skip
    assert {each.stream for each in found} == {0}


def test_a_span_goes_on_to_what_it_carries() -> None:
    """For searches."""
    span = Span.of(b"ab", b"abcd")
    assert (span, span.whole) == (b"ab", b"abcd")
