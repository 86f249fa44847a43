"""Rows as numbers, and records that they share."""

from streamshark.index.row_packing import packed_numbers, unpacked_numbers


def test_numbers_of_packets() -> None:
    """They are the same after packing, in any order."""
    for packets, last in (([7], 9), ([1, 2, 5], 5), ([3, 1000], 1000), ([5, 4], 5), ([], 3)):
        assert unpacked_numbers(packed_numbers(packets, last), last) == packets
    assert packed_numbers([1, 2, 5], 5) == bytes([1, 3, 0])
