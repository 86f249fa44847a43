"""Packets read again, from captures of any form."""

import struct
from pathlib import Path

from tests.packets import packets, recorded

from streamshark.capture import detect_format, merge
from streamshark.index.build import IndexBuilder
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.index.windows import StoredPacket


def test_packets(tmp_path: Path) -> None:
    """Those of captures with several sections and interfaces, in windows of a few packets."""
    sources = recorded("rabbitmq_stream/cluster_leader_stops", "rsocket/bug_lease_expired")
    joined = tmp_path / "joined.pcapng"
    joined.write_bytes(b"".join(Path(each).read_bytes() for each in sources))
    wanted = packets(str(joined))
    assert len(wanted) > len(packets(sources[0]))
    for window in (512, 5000, merge.WINDOW):
        was = merge.WINDOW, detect_format._FIRST_READ
        merge.WINDOW, detect_format._FIRST_READ = window, 64
        try:
            IndexBuilder([str(joined)], tmp_path / str(window), IndexOptions()).run()
        finally:
            merge.WINDOW, detect_format._FIRST_READ = was
        with Index(tmp_path / str(window), IndexOptions().known()) as index:
            for number, packet in reversed(list(enumerate(wanted, 1))):
                found = index.packet(0, number)
                assert found is not None
                assert (found.time_ns, found.data, found.link, found.length) == packet
                assert found.number == number
            assert index.packet(0, 0) is None


def test_payload() -> None:
    """The bytes of TCP, whatever is around them; none of other packets."""
    tcp = struct.pack(">HHIIBBHHH", 1, 2, 0, 0, 0x50, 0, 0, 0, 0) + b"payload"
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0, b"\1" * 4, b"\2" * 4)
    packet = b"\0" * 12 + b"\x08\x00" + ip + tcp
    for data, payload in ((packet + b"pad", b"payload"), (packet[:-3], b"payl"), (b"\0" * 40, b"")):
        assert StoredPacket(0, 1, 0, 1, data, len(packet)).payload == payload
