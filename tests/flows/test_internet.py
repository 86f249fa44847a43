"""From the network layer to TCP: what is found, and what is counted instead."""

import struct
from pathlib import Path

import pytest
from tests.builders import IPV6, START_NS, UDP, Packet, ethernet, ipv4, ipv6, pcap, tcp
from tests.reading import follow, stream, tshark

from streamshark.flows.internet import endpoints, reversed_key

SEGMENT = tcp((40_000, 5552), 1, data=b"payload")
FRAGMENT_HEADER = (44, b"\0\0\0\0\0\0")


def packet(data: bytes) -> Packet:
    """Make a packet of a frame."""
    return Packet(START_NS, data, len(data))


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
}


@pytest.mark.parametrize("frame", WHOLE.values(), ids=WHOLE.keys())
def test_payload_is_found(frame: bytes, tmp_path: Path) -> None:
    """Exactly the payload: no option, no padding; tshark agrees."""
    _, records = follow([packet(frame)])

    assert stream(records, 0) == b"payload"
    assert tshark(pcap([packet(frame)]), tmp_path, "tcp.payload") == [[b"payload".hex()]]


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
    "fragment": ("fragments", ethernet(ipv4(SEGMENT, fragment=0x2000))),
    "later fragment": ("fragments", ethernet(ipv4(SEGMENT, fragment=3))),
    "ipv6 fragment": ("fragments", ethernet(ipv6(SEGMENT, extensions=[FRAGMENT_HEADER]), IPV6)),
    "version": ("bad", ethernet(b"\x55" + ipv4(SEGMENT)[1:])),
    "ipv6 version": ("bad", ethernet(ipv4(SEGMENT) + bytes(20), IPV6)),
    "header length": ("bad", ethernet(b"\x44" + ipv4(SEGMENT)[1:])),
    "total length": ("bad", ethernet(ipv4(SEGMENT, total=19))),
    "total without tcp": ("bad", ethernet(ipv4(SEGMENT, total=30))),
    "no tcp": ("bad", ethernet(ipv4(b""))),
}


@pytest.mark.parametrize(("counter", "frame"), COUNTED.values(), ids=COUNTED.keys())
def test_what_is_no_segment_is_counted(counter: str, frame: bytes) -> None:
    """Each under its own name, and no flow begins."""
    tracker, records = follow([packet(frame)])

    assert getattr(tracker.counters, counter) == 1
    assert (records, tracker.flows) == ([], [])


@pytest.mark.parametrize("words", [4, 15])
def test_a_bad_data_offset_is_counted(words: int, tmp_path: Path) -> None:
    """The packet has a flow's number, as in tshark, but brings nothing."""
    bad = packet(ethernet(ipv4(tcp((1, 2), 1, words=words))))

    tracker, records = follow([bad])

    assert (tracker.counters.bad, tracker.flows[0].packets, records) == (1, 1, [])
    assert tshark(pcap([bad]), tmp_path, "tcp.stream") == [["0"]]


@pytest.mark.parametrize("name", ["ipv4 options", "ipv6 extensions", "ipv6"])
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
