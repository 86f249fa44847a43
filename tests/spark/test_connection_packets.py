"""Packets by connection are the packets of the capture."""

from pathlib import Path

from tests.builders import ethernet, ipv4, ipv4_fragments, tcp
from tests.packets import Packet, packets, recorded, write

from streamshark.spark.connection_packets import (
    NEAR,
    SLIP,
    CaptureNote,
    PacketBundle,
    bundles,
    captures,
    unpacked,
)

STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]


def numbered(found: list[PacketBundle]) -> list[tuple[int, int, bytes, int, int]]:
    """Number, time, bytes, length on the wire and link type of the packets."""
    return [
        (batch.first + at, batch.times[at],
         batch.data[batch.starts[at] : batch.starts[at] + batch.captured[at]],
         batch.original[at], batch.links[at])
        for each in found if each.connection != SLIP
        for batch in unpacked(each.packets, 0)
        for at in range(len(batch)) if batch.links[at] >= 0
    ]  # fmt: skip


def test_every_packet_of_a_connection_is_in_its_bundle() -> None:
    """Once, with its number; the slip says when the capture was."""
    found = list(bundles(STORM))
    known = packets(STORM)
    assert sorted(numbered(found)) == [
        (at, each.time_ns, each.data, each.original, each.link) for at, each in enumerate(known, 1)
    ]
    assert len({each.connection for each in found}) == len(found)
    slip = CaptureNote.of(found[-1].packets)
    assert slip == CaptureNote(STORM, known[0].time_ns, known[-1].time_ns, len(known), None)


def test_packets_far_apart(tmp_path: Path) -> None:
    """A few packets of others are passed over within a batch; more begin another one."""
    one, two = (ethernet(ipv4(tcp(ports, 1))) for ports in ((1, 2), (3, 4)))
    frames = [one, two, one, *([two] * NEAR), two, one]
    path = write(tmp_path / "a.pcap", [Packet(at, each, 1, len(each)) for at, each in
                                       enumerate(frames)])  # fmt: skip
    (mine, *_) = bundles(path)
    batches = list(unpacked(mine.packets, 0))
    assert [(each.first, each.links) for each in batches] == [(1, [1, -1, 1]), (len(frames), [1])]


def test_fragments_go_where_their_datagram_belongs(tmp_path: Path) -> None:
    """In any order; those of no TCP, and those that never become whole, go nowhere."""
    pieces = [ethernet(each) for each in ipv4_fragments(tcp((1, 2), 1, data=bytes(64)), 24, 48)]
    frames = [pieces[1], ethernet(ipv4(tcp((1, 2), 1))), pieces[2], pieces[0], pieces[0]]
    path = write(tmp_path / "a.pcap", [Packet(at, each, 1, len(each)) for at, each in
                                       enumerate(frames)])  # fmt: skip
    assert [each[0] for each in numbered(list(bundles(path)))] == [1, 2, 3, 4]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """Its slip says why; what stands before damage is there."""
    foreign, cut = tmp_path / "notes.txt", tmp_path / "cut.pcapng"
    foreign.write_text("words")
    cut.write_bytes(Path(STORM).read_bytes()[:-10])
    for path in (foreign, cut, tmp_path / "gone.pcap"):
        *found, last = bundles(str(path))
        slip = CaptureNote.of(last.packets)
        assert slip.reason
        assert (slip.packets > 0) == bool(found) == (path == cut)


def test_captures_are_in_the_order_of_time() -> None:
    """Whatever order bundles come in; each file is one capture."""
    (mine, *_) = bundles(STORM)
    early = mine._replace(file="z", time_ns=mine.time_ns - 1)
    found = captures([mine, early, early], 7)
    assert [(each.file, each.name) for each in found] == [(7, "z"), (8, STORM)]
    assert sum(len(batch) for batch in found[0].batches()) == 2 * sum(
        len(batch) for batch in found[1].batches()
    )
