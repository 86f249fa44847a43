"""Numbers of packets, kept on disk."""

from streamshark.capture.packet_column import PacketColumn


def test_numbers_come_back() -> None:
    """By file and packet, also those that were added late or never."""
    flows = PacketColumn("i")
    flows.add(0, 1, [0, -1, 1 << 20])
    flows.add(0, 6, [4])
    flows.add(1, 3, [9])
    flows.add(0, 2, [7])

    assert list(flows.of(0, 1, 8)) == [0, 7, 1 << 20, -1, -1, 4, -1, -1]
    assert list(flows.of(0, 3, 1)) == [1 << 20]
    assert list(flows.of(1, 1, 3)) == [-1, -1, 9]
    assert list(flows.of(2, 1, 2)) == [-1, -1]
    blocks = [(file, first, list(numbers)) for file, first, numbers in flows.blocks()]
    assert blocks == [(0, 1, [0, 7, 1 << 20, -1, -1, 4]), (1, 1, [-1, -1, 9])]
    flows.close()
    assert list(flows.of(0, 1, 1)) == [-1]
