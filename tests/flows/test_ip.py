"""From the network layer to TCP: what is found, and what is counted instead."""

import io
import struct
from pathlib import Path

import pytest
from tests.builders import (
    IPV4,
    IPV6,
    START_NS,
    UDP,
    VLAN,
    Packet,
    ethernet,
    gre,
    ipv4,
    ipv4_fragments,
    ipv6,
    ipv6_fragments,
    pcap,
    tcp,
    udp,
    vxlan,
)
from tests.failures import Failures, every
from tests.reading import follow, stream, tshark

from streamshark.flows import Segment
from streamshark.flows.ip import endpoints, key_between, reversed_key
from streamshark.session import Session

SEGMENT = tcp((40_000, 5552), 1, data=b"payload")
FRAME = ethernet(ipv4(SEGMENT))
GRE = 47


def packet(data: bytes) -> Packet:
    """Make a packet of a frame."""
    return Packet(START_NS, data, len(data))


def tunnel(payload: bytes, protocol: int) -> bytes:
    """Make a frame between the ends of a tunnel."""
    return ethernet(ipv4(payload, "192.0.2.1", "192.0.2.2", protocol=protocol))


def tunnel_6(payload: bytes, protocol: int) -> bytes:
    """Make an IPv6 frame between the ends of a tunnel."""
    return ethernet(ipv6(payload, "2001:db8::1", "2001:db8::2", protocol=protocol), IPV6)


def nested(times: int) -> bytes:
    """Make a packet that is in IP so many times, each of other ends."""
    inner = ipv4(SEGMENT)
    for at in range(times):
        inner = ipv4(inner, f"192.0.2.{2 * at + 3}", f"192.0.2.{2 * at + 4}", protocol=4)
    return inner


WHOLE = {
    "plain": ethernet(ipv4(SEGMENT)),
    "padding": ethernet(ipv4(SEGMENT)) + bytes(9),
    "ipv4 options": ethernet(ipv4(SEGMENT, options=b"\x94\x04\0\0")),
    "tcp options": ethernet(ipv4(tcp((40_000, 5552), 1, data=b"payload", options=bytes(12)))),
    "no total length": ethernet(ipv4(SEGMENT, total=0)),
    "do not fragment": ethernet(ipv4(SEGMENT, fragment=0x4000)),
    "ipv6": ethernet(ipv6(SEGMENT), IPV6),
    "ipv6 padding": ethernet(ipv6(SEGMENT), IPV6) + bytes(9),
    "ipv6 extensions": ethernet(
        ipv6(SEGMENT, extensions=[(0, bytes(6)), (60, bytes(14)), (43, bytes(6))]), IPV6
    ),
    "ipv6 atomic fragment": ethernet(ipv6_fragments(SEGMENT)[0], IPV6),
    "vxlan": tunnel(vxlan(FRAME), UDP),
    "vxlan over ipv6": tunnel_6(vxlan(ethernet(ipv6(SEGMENT), IPV6)), UDP),
    "vxlan of vlan": tunnel(vxlan(ethernet(ipv4(SEGMENT), tags=[VLAN])), UDP),
    "gre": tunnel(gre(ipv4(SEGMENT), IPV4), GRE),
    "gre of ipv6": tunnel(gre(ipv6(SEGMENT), IPV6), GRE),
    "gre with all fields": tunnel(gre(ipv4(SEGMENT), IPV4, 0xB000), GRE),
    "gre over ipv6": tunnel_6(gre(ipv4(SEGMENT), IPV4), GRE),
    "gre bridged": tunnel(gre(FRAME, 0x6558), GRE),
    "nvgre": tunnel(gre(FRAME, 0x6558, 0x2000), GRE),
    "ip in ip": tunnel(ipv4(SEGMENT), 4),
    "ipv6 in ip": tunnel(ipv6(SEGMENT), 41),
    "ip in ipv6": tunnel_6(ipv4(SEGMENT), 4),
    "ipv6 in ipv6": tunnel_6(ipv6(SEGMENT), 41),
    "gre in ip": tunnel(ipv4(gre(ipv4(SEGMENT), IPV4), "192.0.2.3", protocol=GRE), 4),
    "ip in gre": tunnel(gre(ipv4(ipv4(SEGMENT), "192.0.2.3", protocol=4), IPV4), GRE),
    "vxlan in vxlan": tunnel(
        vxlan(ethernet(ipv4(vxlan(FRAME), "192.0.2.3", "192.0.2.4", protocol=UDP))), UDP
    ),
    "ip in ip four times": tunnel(nested(3), 4),
}


@pytest.mark.parametrize("host", [b"\x0a\0\0\1", bytes(range(16))])
def test_ends_tell_their_key(host: bytes) -> None:
    """Of both versions, and back."""
    key = host + host[::-1] + b"\x9c\x40\x15\xb0"

    assert key_between(*endpoints(key)[0]) == key


@pytest.mark.process
def test_payload_is_found(tmp_path: Path) -> None:
    """Exactly the payload: no option, no padding; tshark agrees."""
    packets = [packet(frame) for frame in WHOLE.values()]
    judged = tshark(pcap(packets), tmp_path, "tcp.payload")
    assert len(judged) == len(WHOLE)
    with Failures() as failures:
        for name, each, told in zip(WHOLE, packets, judged, strict=True):
            with failures.of(name):
                tracker, records = follow([each])
                assert stream(records, 0) == b"payload"
                assert tracker.flows[0].addresses[0] in {"10.0.0.1:40000", "[fd00::1]:40000"}
                assert told == [b"payload".hex()]


def test_ipv6_authentication_header_is_passed() -> None:
    """Its length counts words of four bytes."""
    header = struct.pack(">BBHIII", 6, 4, 0, 1, 1, 0) + bytes(8)
    frame = ethernet(ipv6(header + SEGMENT, protocol=51), IPV6)

    assert stream(follow([packet(frame)])[1], 0) == b"payload"


def test_ipv6_without_a_length_is_taken_whole() -> None:
    """Segmentation offload leaves the length 0."""
    frame = ethernet(ipv6(SEGMENT, length=0), IPV6)

    assert stream(follow([packet(frame)])[1], 0) == b"payload"


COUNTED = {
    "arp": ("not_ip", ethernet(bytes(28), 0x0806)),
    "udp": ("not_tcp", ethernet(ipv4(SEGMENT, protocol=UDP))),
    "ipv6 udp": ("not_tcp", ethernet(ipv6(SEGMENT, protocol=UDP), IPV6)),
    "fragment": ("fragments", ethernet(ipv4_fragments(SEGMENT, 16)[0])),
    "later fragment": ("fragments", ethernet(ipv4_fragments(SEGMENT, 16)[1])),
    "ipv6 fragment": ("fragments", ethernet(ipv6_fragments(SEGMENT, 16)[1], IPV6)),
    "odd fragment": ("bad", ethernet(ipv4(SEGMENT, fragment=0x2000))),
    "fragment beyond the end": ("bad", ethernet(ipv4(SEGMENT, fragment=0x1FFF))),
    "vxlan flags": ("not_tcp", tunnel(udp(bytes(8) + FRAME, (1, 4789)), UDP)),
    "vxlan of arp": ("not_ip", tunnel(vxlan(ethernet(bytes(28), 0x0806)), UDP)),
    "udp without data": ("not_tcp", tunnel(udp(b"", (1, 4789)), UDP)),
    "gre with routes": ("not_tcp", tunnel(gre(ipv4(SEGMENT), IPV4, 0x4000), GRE)),
    "gre of another version": ("not_tcp", tunnel(gre(ipv4(SEGMENT), IPV4, 1), GRE)),
    "five tunnels": ("too_deep", tunnel(nested(4), 4)),
    "version": ("bad", ethernet(b"\x55" + ipv4(SEGMENT)[1:])),
    "ipv6 version": ("bad", ethernet(ipv4(SEGMENT) + bytes(20), IPV6)),
    "header length": ("bad", ethernet(b"\x44" + ipv4(SEGMENT)[1:])),
    "total length": ("bad", ethernet(ipv4(SEGMENT, total=19))),
    "total without tcp": ("bad", ethernet(ipv4(SEGMENT, total=30))),
    "no tcp": ("bad", ethernet(ipv4(b""))),
}


@every(("counter", "frame"), COUNTED.values(), ids=COUNTED.keys())
def test_what_is_no_segment_is_counted(counter: str, frame: bytes) -> None:
    """Each under its own name, and no flow begins."""
    tracker, records = follow([packet(frame)])

    assert getattr(tracker.counters, counter) == 1
    assert (records, list(tracker.flows)) == ([], [])


@pytest.mark.process
@pytest.mark.parametrize("words", [4, 15])
def test_a_bad_data_offset_is_counted(words: int, tmp_path: Path) -> None:
    """The packet has a flow's number, as in tshark, but brings nothing."""
    bad = packet(ethernet(ipv4(tcp((1, 2), 1, words=words))))

    tracker, records = follow([bad])

    assert (tracker.counters.bad, tracker.flows[0].packets, records) == (1, 1, [])
    assert tshark(pcap([bad]), tmp_path, "tcp.stream") == [["0"]]


def over_6(*parts: tuple[int, int]) -> list[bytes]:
    """Make IPv6 fragments of these places, whether they overlap or not."""
    return [
        ipv6(SEGMENT[start:end], "fd00::1",
             extensions=[(44, struct.pack(">HI", start | (end < len(SEGMENT)), 77))])
        for start, end in parts
    ]  # fmt: skip


def over_4(*parts: tuple[int, int]) -> list[bytes]:
    """Make IPv4 fragments of these places."""
    return [
        ipv4(SEGMENT[start:end], ident=77, fragment=start // 8 | 0x2000 * (end < len(SEGMENT)))
        for start, end in parts
    ]


OVERLAPPING = (0, 16), (8, 24), (16, len(SEGMENT))
FRAGMENTED = {
    "ipv4": [ethernet(part) for part in ipv4_fragments(SEGMENT, 8, 24)],
    "ipv4 in disorder": [ethernet(part) for part in ipv4_fragments(SEGMENT, 8, 24)[::-1]],
    "ipv4 twice": [ethernet(part) for part in ipv4_fragments(SEGMENT, 8) for _ in range(2)],
    "ipv4 over each other": [ethernet(part) for part in over_4(*OVERLAPPING)],
    "ipv6 over each other": [ethernet(part, IPV6) for part in over_6(*OVERLAPPING)],
    "over each other in two tunnels": [
        tunnel(vxlan(ethernet(ipv4(gre(part, IPV4), "1.1.1.1", protocol=GRE))), UDP)
        for part in over_4(*OVERLAPPING)
    ],
    "ipv6": [ethernet(part, IPV6) for part in ipv6_fragments(SEGMENT, 8, 24)],
    "vxlan": [
        ethernet(part)
        for part in ipv4_fragments(vxlan(FRAME), 24, 48, protocol=UDP, source="192.0.2.1")
    ],
    "in vxlan": [tunnel(vxlan(ethernet(part)), UDP) for part in ipv4_fragments(SEGMENT, 16)],
    "both": [
        ethernet(outer)
        for ident, inner in enumerate(ipv4_fragments(SEGMENT, 16))
        for outer in ipv4_fragments(
            gre(inner, IPV4), 16, protocol=GRE, ident=ident, source="1.1.1.1"
        )
    ],
}


@pytest.mark.process
@pytest.mark.parametrize("frames", FRAGMENTED.values(), ids=FRAGMENTED.keys())
def test_fragments_are_put_together(frames: list[bytes], tmp_path: Path) -> None:
    """The packet that completes a datagram has its payload, as in tshark."""
    packets = [packet(frame) for frame in frames]

    tracker, records = follow(packets)
    judged = tshark(pcap(packets), tmp_path, "tcp.stream", "tcp.payload")

    assert stream(records, 0) == b"payload"
    (number,) = [record.origin for record in records if isinstance(record, Segment)]
    assert [at for at, row in enumerate(judged, 1) if row[0]] == [number]
    assert judged[number - 1] == ["0", b"payload".hex()]
    counters = tracker.counters
    assert counters.fragments + counters.joined + tracker.flows[0].packets == len(packets)


def test_fragments_that_overlap_with_other_bytes_are_named() -> None:
    """In IPv4, IPv6, and in tunnels; overlaps with equal bytes are not named."""
    four, six = over_4(*OVERLAPPING), over_6(*OVERLAPPING)
    found = {}
    for name, frames in {
        "ipv4": [ethernet(part) for part in four],
        "ipv6": [ethernet(part, IPV6) for part in six],
        "ipv4 in vxlan": [tunnel(vxlan(ethernet(part)), UDP) for part in four],
        "ipv6 in gre in vxlan": [
            tunnel(vxlan(ethernet(ipv4(gre(part, IPV6), "1.1.1.1", protocol=GRE))), UDP)
            for part in six
        ],
    }.items():
        other = [frames[0], frames[1][:-1] + bytes([frames[1][-1] ^ 1]), frames[2]]
        for given in (frames, other):
            session = Session([io.BytesIO(pcap(map(packet, given)))])  # type: ignore[list-item]
            list(session.rows())
            notes = sum("overlap with other bytes" in each for each in session.dissector.notes)
            found[name, given is other] = notes, session.dissector.tracker.flows[0].payload

    assert found == {each: (int(each[1]), len(b"payload")) for each in found}


@pytest.mark.parametrize(
    "name", ["ipv4 options", "ipv6 extensions", "ipv6", "vxlan", "gre with all fields", "nvgre"]
)
def test_headers_cut_anywhere_are_counted(name: str) -> None:
    """Up to the sixteenth byte of TCP the packet is truncated, from there on its flow is known."""
    frame = packet(WHOLE[name])

    for size in range(14, len(frame.data)):
        tracker, _ = follow([frame.cut(size)])

        assert tracker.counters.truncated + len(tracker.flows) == 1


def test_keys_turn_round() -> None:
    """The other direction's key, and the names of both ends, of either version."""
    key = bytes([1, 2, 3, 4, 10, 0, 0, 2]) + struct.pack(">HH", 1234, 5552)
    key_6 = bytes(15) + b"\1" + bytes(15) + b"\2" + struct.pack(">HH", 1234, 5552)

    assert endpoints(key) == (("1.2.3.4:1234", "10.0.0.2:5552"), (1234, 5552))
    assert endpoints(key_6) == (("[::1]:1234", "[::2]:5552"), (1234, 5552))
    for either in (key, key_6):
        assert endpoints(reversed_key(either))[0] == endpoints(either)[0][::-1]
        assert reversed_key(reversed_key(either)) == either
