"""The fields of packets."""

from tests.filters.reading import PUBLISH, read

from streamshark.filters.packet_fields import PacketFields


def test_headers_are_found_by_their_beginning() -> None:
    """Once each, also those that rows have."""
    names = [each.name for each in PacketFields(read(PUBLISH).fields).starting("tcp.s")]

    assert sorted(names) == ["tcp.seq", "tcp.srcport", "tcp.stream"]
