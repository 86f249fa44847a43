"""Synthetic TCP is a connection that nothing is wrong with, for our reader and for tshark."""

import io
import subprocess
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.reading import ALONE, events, follow_file, stream

from streamshark.capture import open_capture
from streamshark.capture.pcapng_writer import PcapngWriter
from streamshark.capture.synthetic_tcp import (
    LARGEST_PACKET,
    LINKTYPE_RAW,
    UNACKNOWLEDGED,
    SyntheticPacket,
    SyntheticTcp,
    checksum,
    largest_mss,
)

START = 1_700_000_000_000_000_000
STEP = 1_000_000
IPV4 = (("10.0.0.1", 40_000), ("10.0.0.2", 5552))
IPV6 = (("fd00::1", 40_000), ("fd00::2", 5552))
WRITES = [
    (0, b"hello"),
    (1, bytes(range(256)) * 256),
    (0, b"x" * 100_001),
    (1, b"y"),
    (1, bytes(UNACKNOWLEDGED * 3)),
]


def talk(connection: SyntheticTcp) -> list[SyntheticPacket]:
    """A connection that is opened, used, closed by the client and then by the server."""
    times = iter(range(START, START + 100 * STEP, STEP))
    packets = connection.open(next(times))
    for side, data in WRITES:
        packets += connection.send(side, data, next(times))
    packets += connection.close(0, next(times))
    packets += connection.send(1, b"after the client's end" * 9_000, next(times))
    return packets + connection.close(1, next(times))


def capture(packets: list[SyntheticPacket]) -> bytes:
    """Packets as a capture."""
    writer = PcapngWriter()
    head = writer.section() + writer.interface(LINKTYPE_RAW)
    return head + b"".join(writer.packet(each.time_ns, each.data) for each in packets)


CASES = {
    "IPv4": SyntheticTcp(*IPV4),
    "IPv6": SyntheticTcp(*IPV6, sequences=(0xFFFFFFF0, 0x80000000)),
    "64 KiB, IPv4": SyntheticTcp(*IPV4, mss=65_495, sequences=(0xFFFFFFFF, 7)),
    "64 KiB, IPv6": SyntheticTcp(*IPV6, mss=65_475),
    "a byte": SyntheticTcp(*IPV4, mss=997),
}


@pytest.mark.process
def test_tshark_finds_nothing_wrong(tmp_path: Path) -> None:
    """No checksum is bad, no analysis flag is set, no warning given."""
    wrong = "tcp.analysis.flags || ip.checksum.status == 0 || tcp.checksum.status != 1"
    with Failures() as failures:
        for name, connection in CASES.items():
            path = tmp_path / "talk.pcapng"
            path.write_bytes(capture(talk(connection)))
            command = ["tshark", "-r", path, "-o", "tcp.check_checksum:TRUE"]
            command += ["-o", "ip.check_checksum:TRUE"]
            command += ["-Y", f"{wrong} || _ws.expert.severity > 4194304"]
            done = subprocess.run(command, capture_output=True, check=True, text=True, env=ALONE)
            with failures.of(name):
                assert done.stdout == ""


def test_we_read_what_was_sent() -> None:
    """All bytes, in order, and the events; packets have at most the MSS."""
    connection = SyntheticTcp(*IPV6, sequences=(0xFFFFFFF0, 0))
    packets = talk(connection)
    records = follow_file(capture(packets), 1 << 16)

    sent = [b"".join(data for side, data in WRITES if side == each) for each in (0, 1)]
    assert stream(records, 0) == sent[0]
    assert stream(records, 1) == sent[1] + b"after the client's end" * 9_000
    assert [name for name, _, _ in events(records)] == ["open", "close", "close"]
    assert max(len(each.data) for each in packets) == 1500


def test_a_reset() -> None:
    """What was sent before is acknowledged first."""
    connection = SyntheticTcp(*IPV4)
    packets = connection.open(START) + connection.send(0, b"abc", START)
    packets += connection.reset(1, START)

    records = follow_file(capture(packets), 1 << 16)
    assert [name for name, _, _ in events(records)] == ["open", "reset"]
    (batch,) = open_capture(io.BytesIO(capture(packets))).batches()
    assert len(batch) == 3 + 1 + 2


def test_a_refusal() -> None:
    """SYN, answered by a reset."""
    records = follow_file(capture(SyntheticTcp(*IPV4).refuse(START)), 1 << 16)

    assert [name for name, _, _ in events(records)] == ["open", "refused"]


def test_the_largest_packets_and_their_checksums() -> None:
    """Those above a size have the sum that a network card completes: that of the pseudo-header."""
    for ends in (IPV4, IPV6):
        connection = SyntheticTcp(*ends, mss=largest_mss(ends[0][0]), summed=100)
        small, large = (connection.send(0, bytes(size), START)[0].data for size in (100, 65_000))
        at = len(large) - 65_000 - 20
        pseudo = large[12:20] if ends is IPV4 else large[8:40]
        pseudo += (6).to_bytes(2) + (65_020).to_bytes(2)
        assert int.from_bytes(large[at + 16 : at + 18]) == 0xFFFF - checksum(pseudo)
        again = SyntheticTcp(*ends, mss=largest_mss(ends[0][0]))
        assert again.send(0, bytes(100), START)[0].data == small
        assert len(again.send(0, bytes(LARGEST_PACKET), START)[0].data) == LARGEST_PACKET


def test_what_is_impossible() -> None:
    """Ends of different versions of IP, and packets that IP cannot hold."""
    with pytest.raises(ValueError, match="same version"):
        SyntheticTcp(IPV4[0], IPV6[1])
    with pytest.raises(ValueError, match="1 to 65495"):
        SyntheticTcp(*IPV4, mss=65_496)


def test_checksums() -> None:
    """Those of RFC 1071 and of the edges."""
    assert checksum(bytes.fromhex("0001f203f4f5f6f7")) == 0x220D
    assert checksum(b"") == 0xFFFF
    assert checksum(b"\xff\xff") == 0
    assert checksum(b"\x01") == 0xFEFF
