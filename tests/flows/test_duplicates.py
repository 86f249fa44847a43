"""A packet that was captured twice is distinguished from a retransmission if that can be proved."""

import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ACK, Conversation, Packet, ethernet, ipv4_fragments, tcp
from tests.reading import batch, follow, stream

from streamshark.flows import FlowTracker
from streamshark.flows.duplicates import COPY_NS, LOOKBACK, LOOKBACK_BYTES

IPV4_ENDS = (("10.0.0.1", 40_000), ("10.0.0.2", 5552))
IPV6_ENDS = (("fd00::1", 40_000), ("fd00::2", 5552))


def counted(packets: list[Packet], link: int = 1) -> tuple[int, int, int]:
    """Return copies, their bytes and repeated bytes of the only flow; its sides still tile."""
    tracker, records = follow(packets, link)
    (flow,) = tracker.flows

    brought = len(stream(records, 0)) + len(stream(records, 1))
    assert flow.payload == brought + flow.repeated + flow.copied + flow.ignored
    return flow.copies, flow.copied, flow.repeated


def later(packet: Packet, time_ns: int, change: Callable[[bytearray], None]) -> Packet:
    """Return a packet as seen again."""
    data = bytearray(packet.data)
    change(data)
    return Packet(packet.time_ns + time_ns, bytes(data), packet.original)


def other_hop(data: bytearray) -> None:
    """Change what a router changes: both MAC addresses, hops left, the IPv4 checksum."""
    data[0:12] = bytes(range(12))
    if data[12] == 0x08:
        data[22] -= 1
        data[24:26] = b"\0\0"
    else:
        data[21] -= 1


def same(_data: bytearray) -> None:
    """Change nothing."""


def talk(ends: tuple[tuple[str, int], tuple[str, int]]) -> list[Packet]:
    """Make a conversation of five packets with 20 bytes of payload."""
    return Conversation(*ends).handshake().send(0, b"question").send(1, b"long  answer").packets


@pytest.mark.parametrize("ends", [IPV4_ENDS, IPV6_ENDS])
def test_two_taps_bring_each_packet_once(ends: tuple[tuple[str, int], tuple[str, int]]) -> None:
    """Other MAC addresses, one hop less: the same packets, whichever version."""
    packets = [copy for each in talk(ends) for copy in (each, later(each, 1_000, other_hop))]

    assert counted(packets) == (2, 20, 0)


def test_a_mirrored_port_brings_identical_packets() -> None:
    """The identification proves it; without one, nothing does and they count as repeated."""
    for ends, expected in ((IPV4_ENDS, (2, 20, 0)), (IPV6_ENDS, (0, 0, 20))):
        packets = [copy for each in talk(ends) for copy in (each, later(each, 1_000, same))]

        assert counted(packets) == expected


def test_a_capture_on_any_sees_packets_go_out_and_come_in() -> None:
    """Linux cooked: the packet's type and the interface differ, the packet is one."""

    def cooked(kind: int) -> Callable[[bytes, int], bytes]:
        return lambda network, ether: (
            struct.pack(">HHIHBB8s", ether, 0, 2 + kind, 1, kind, 6, bytes(8)) + network
        )

    for ends in (IPV4_ENDS, IPV6_ENDS):
        sights = []
        for kind in (4, 0):
            made = Conversation(*ends, link=cooked(kind)).handshake()
            sights.append(made.send(0, b"question").send(1, b"answer").packets)
        packets = [copy for pair in zip(*sights, strict=True) for copy in pair]

        assert counted(packets, 276) == (2, 14, 0)


def test_a_checksum_filled_in_between_changes_nothing() -> None:
    """A network card writes it after the sender's tap."""

    def filled(data: bytearray) -> None:
        data[50:52] = b"\x12\x34"

    packets = talk(IPV4_ENDS)

    assert counted([*packets, later(packets[-1], 5_000, filled)]) == (1, 12, 0)


DIFFERENT: dict[str, Callable[[bytearray], None]] = {
    "identification": lambda data: data.__setitem__(19, 99),
    "acknowledgement": lambda data: data.__setitem__(45, data[45] ^ 1),
    "window": lambda data: data.__setitem__(48, 1),
    "payload": lambda data: data.__setitem__(-1, 1),
}


@pytest.mark.parametrize("change", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_a_retransmission_is_none(change: Callable[[bytearray], None]) -> None:
    """A retransmission is another packet, or has other bytes, and is not a duplicate."""
    packets = talk(IPV4_ENDS)

    assert counted([*packets, later(packets[-1], 1_000, change)]) == (0, 0, 12)


def test_without_identification_the_same_place_proves_nothing() -> None:
    """Identification 0, as some senders always have it: only another place proves a copy."""

    def nameless(data: bytearray) -> None:
        data[18:20] = b"\0\0"

    packets = talk(IPV4_ENDS)
    packets[-1] = later(packets[-1], 0, nameless)

    assert counted([*packets, later(packets[-1], 1_000, same)]) == (0, 0, 12)
    assert counted([*packets, later(packets[-1], 1_000, other_hop)]) == (1, 12, 0)


def test_what_comes_late_is_none() -> None:
    """A repeat after half a retransmission timeout, or many packets later, is no duplicate."""
    packets = talk(IPV4_ENDS)
    last = packets[-1]
    small = [later(Conversation(("10.9.9.9", 7)).raw(0, 1), 0, same)] * (LOOKBACK - 1)
    large = Packet(last.time_ns, bytes(LOOKBACK_BYTES), LOOKBACK_BYTES)
    again = later(last, COPY_NS, same)

    for between, expected in (
        (small, 1),
        ([*small, small[0]], 0),
        ([large], 0),
    ):
        tracker, _ = follow([*packets, *between, again])
        assert tracker.flows[0].copies == expected
    tracker, _ = follow([*packets, later(last, COPY_NS + 1, same)])
    assert tracker.flows[0].copies == 0


@given(st.lists(st.integers(1, 4), min_size=1, max_size=9))
def test_copies_are_found_across_batches(sizes: list[int]) -> None:
    """However the packets are fed, from whichever of two files."""
    packets = [copy for each in talk(IPV6_ENDS) for copy in (each, later(each, 1_000, same))]
    tracker = FlowTracker()
    for at, packet in enumerate(packets):
        one = batch([packet])
        one.file, one.first = at % 2, at // 2 + 1
        tracker.feed(one)
    other, at = FlowTracker(), 0
    moved = [copy for each in talk(IPV4_ENDS) for copy in (each, later(each, 1_000, other_hop))]
    for size in [*sizes, len(moved)]:
        part = batch(moved[at : at + size])
        part.first = at + 1
        other.feed(part)
        at += size

    assert (tracker.flows[0].copies, other.flows[0].copies) == (2, 2)


def test_options_between_ip_and_tcp_prove_nothing() -> None:
    """Without a plain header before TCP there is nothing to compare."""
    made = Conversation().handshake()
    segment = tcp((40_000, 5552), made.next[0], made.next[1], ACK, b"abcdefgh")
    for part in ipv4_fragments(segment, 16) * 2:
        made.packets.append(Packet(made.time_ns, ethernet(part), 99))

    assert counted(made.packets) == (0, 0, 8)
