"""Connections are numbered as Wireshark numbers them; how packets are fed changes nothing."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import (
    ACK,
    FIN,
    PSH,
    RST,
    SYN,
    Conversation,
    Packet,
    ethernet,
    ipv4,
    ipv4_fragments,
    pcap,
    pcapng,
    tcp,
    udp,
)
from tests.reading import (
    batch,
    events,
    follow,
    follow_file,
    handed_on,
    stream,
    tshark,
    tshark_streams,
)

from streamshark.capture import PacketBatch
from streamshark.flows import FlowTracker, Segment, UnsupportedLinkType


def streams(packets: list[Packet]) -> list[str]:
    """Return the number of the flow that each packet went to, as text."""
    tracker, numbers = FlowTracker(), []
    for packet in packets:
        before = {flow.number: flow.packets for flow in tracker.flows}
        tracker.feed(batch([packet]))
        (number,) = [f.number for f in tracker.flows if f.packets != before.get(f.number)]
        numbers.append(str(number))
    return numbers


@pytest.mark.process
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.integers(0, 1),
            st.sampled_from([SYN, SYN | ACK, ACK, FIN | ACK, RST]),
            st.sampled_from([100, 101, 200, 201, 300]),
            st.sampled_from([100, 101, 200, 201, 300]),
        ),
        min_size=60,
        max_size=120,
    )
)
def test_flows_are_numbered_as_wireshark_numbers_streams(
    tmp_path: Path, packets: list[tuple[int, int, int, int]]
) -> None:
    """Ports used again in every way that flags and numbers allow: the same as tshark."""
    conversation = Conversation()
    for side, flags, seq, ack in packets:
        conversation.raw(side, seq, b"", flags, ack)

    assert streams(conversation.packets) == tshark_streams(conversation.packets, tmp_path)


def test_ports_used_again_are_a_new_flow() -> None:
    """A SYN with another number begins anew, one with the same is a retransmission."""
    first = Conversation().handshake().send(0, b"first").send(1, b"lost")
    first.packets.pop()
    first.send(1, b"held")
    first.packets.insert(1, first.packets[0])
    second = Conversation(sequences=(77_000, 99_000), start_ns=first.time_ns)
    second.handshake().send(0, b"second")

    tracker, records = follow(first.packets + second.packets)

    assert [flow.number for flow in tracker.flows] == [0, 1]
    assert stream(records, 0, 0) == b"first"
    assert stream(records, 1, 0) == b"????held"
    assert stream(records, 0, 1) == b"second"
    assert events(records) == [("open", 0, 1), ("open", 0, 7)]
    assert tracker.flows[1].first_packet == 7


def test_a_flow_is_described() -> None:
    """Addresses, ports, client and counters; side 0 is whose packet came first."""
    conversation = Conversation(("fd00::1", 40_000), ("fd00::2", 5552)).handshake()
    conversation.send(0, b"abc")
    conversation.packets.append(conversation.packets[-1])

    flow = follow(conversation.packets)[0].flows[0]

    assert flow.addresses == ("[fd00::1]:40000", "[fd00::2]:5552")
    assert flow.ports == (40_000, 5552)
    assert (flow.client, flow.first_packet, flow.packets) == (0, 1, 5)
    assert (flow.payload, flow.repeated, flow.ignored) == (6, 3, 0)


def test_a_segment_says_where_it_comes_from() -> None:
    """The usual packet's segment: packet, time, file, window, flags."""
    conversation = Conversation().handshake()
    sent = conversation.raw(0, conversation.next[0], b"abc", ACK | PSH, window=0)
    one = batch(conversation.packets)
    one.file, one.first = 3, 11

    segment = FlowTracker().feed(one)[-1]

    expected = Segment(0, 0, 0, b"abc", 14, 14, sent.time_ns, 3, 3, 0, ACK | PSH, is_payload=True)
    assert segment == expected


def test_a_flow_goes_on_in_the_next_file() -> None:
    """What was held in one file is handed on by a packet of the next."""
    conversation = Conversation().handshake()
    start = conversation.next[0]
    conversation.raw(0, start + 3, b"def")
    later = batch([Conversation().raw(0, start, b"abc")])
    later.file = 1
    tracker = FlowTracker()

    records = tracker.feed(batch(conversation.packets)) + tracker.feed(later)

    segments = [record for record in records if isinstance(record, Segment)]
    assert [(s.data, s.file, s.packet, s.origin_file, s.origin) for s in segments] == [
        (b"abc", 1, 1, 1, 1),
        (b"def", 1, 1, 0, 4),
    ]


def test_the_tracker_says_what_still_waits() -> None:
    """The first packet that will come with its own time, until its beginning is decided."""
    conversation = Conversation().send(0, b"abc")
    packet = conversation.packets[0]
    later = Conversation(("10.0.0.9", 1), start_ns=packet.time_ns + (1 << 30)).acknowledge(0)
    tracker = FlowTracker()

    assert tracker.waiting_since is None
    tracker.feed(batch([packet]))
    assert tracker.waiting_since == (packet.time_ns, 0, 1)
    tracker.feed(batch(later.packets))
    assert tracker.waiting_since is None


def test_an_endpoint_may_talk_to_itself() -> None:
    """Both directions have one key; nothing raises, and bytes are accounted for."""
    conversation = Conversation(("10.0.0.1", 7), ("10.0.0.1", 7), sequences=(1, 1))
    conversation.handshake().send(0, b"abc").send(1, b"abc").finish(0)

    tracker, records = follow(conversation.packets)

    flow = tracker.flows[0]
    assert flow.payload == handed_on(records, 0) + flow.repeated + flow.ignored


def test_unsupported_link_types_are_named() -> None:
    """Alone they are an error at the end; among others they are counted."""
    packets = Conversation().handshake().packets
    tracker = FlowTracker()
    tracker.feed(batch(packets, link=100))

    with pytest.raises(UnsupportedLinkType, match=r"100 \(ATM_RFC1483\)"):
        tracker.finish()

    tracker.feed(batch(packets))
    tracker.finish()
    assert (tracker.counters.unsupported, tracker.counters.links) == (3, {100: 3})


def test_what_a_capture_only_counts_is_no_packet() -> None:
    """A pcapng block that only takes a number does not count as an unsupported link type."""
    tracker = FlowTracker()
    tracker.feed(PacketBatch(0, 1, b"entry", [0], [0], [5], [5], [-1]))
    tracker.finish()

    assert (tracker.counters.not_ip, tracker.counters.unsupported) == (1, 0)


def mixed() -> list[Packet]:
    """Several connections with disorder, loss, repeats, cuts and other packets among them."""
    packets = []
    for port in range(4):
        one = Conversation(("10.0.0.1", 1_000 + port), start_ns=port * 300_000)
        if port % 2:
            one.handshake()
        for turn in range(40):
            one.send(turn % 2, bytes([turn]) * (turn * 5 % 23 + 1)).acknowledge(1 - turn % 2)
        one.finish(0).finish(1)
        del one.packets[9 + port]
        one.packets[20:26] = reversed(one.packets[20:26])
        one.packets[40] = one.packets[40].cut(58)
        packets += one.packets
    packets.append(Packet(5, ethernet(b"arp", 0x0806), 17))
    return sorted(packets)


@given(
    window=st.integers(1, 5_000),
    make=st.sampled_from([pcap, pcapng]),
)
@settings(max_examples=25)
def test_windows_change_nothing(window: int, make: object) -> None:
    """Files read in windows of any size give the same records."""
    data = pcap(mixed()) if make is pcap else pcapng(mixed())

    assert follow_file(data, window) == follow_file(data, 1 << 20)


@given(data=st.data())
@settings(max_examples=40)
def test_mutated_captures_never_raise(data: st.DataObject) -> None:
    """Bytes after the headers are changed, cut and spliced: records still cover the payload."""
    content = bytearray(data.draw(st.sampled_from([pcap(mixed()), pcapng(mixed())])))
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(48, len(content) - 1))
        match data.draw(st.integers(0, 2)):
            case 0:
                content[at] = data.draw(st.integers(0, 255))
            case 1:
                del content[at : at + data.draw(st.integers(1, 40))]
            case _:
                content[at:at] = content[at // 2 : at // 2 + data.draw(st.integers(1, 200))]

    try:
        records = follow_file(bytes(content), 4_096)
    except UnsupportedLinkType:
        return

    for flow in {record.flow for record in records}:
        handed_on(records, flow)


@pytest.mark.process
def test_payload_is_what_tshark_counts(tmp_path: Path) -> None:
    """Every flow's payload, before order matters."""
    packets = mixed()
    tracker, _ = follow(packets)

    counted = [0] * 4
    for number, size, captured in tshark(
        pcap(packets), tmp_path, "tcp.stream", "tcp.len", "frame.cap_len"
    ):
        if number:
            counted[int(number)] += min(int(size), int(captured) - 54)

    assert [flow.payload for flow in tracker.flows] == counted


def test_a_connection_that_is_over_is_not_followed_on() -> None:
    """What it held is handed on, and the next packet of its ends begins another one."""
    made = Conversation().handshake()
    start = made.next[0]
    made.raw(0, start + 4, b"held")
    tracker = FlowTracker()
    records = tracker.feed(batch(made.packets))
    records += tracker.finish_one(0)
    made.packets.clear()
    late = made.send(0, b"late").packets
    more = tracker.feed(batch(late)) + tracker.finish()

    assert stream(records, 0) == b"????held"
    assert stream(more, 0, 1) == b"late"
    assert tracker.last == (late[0].time_ns, 0, 1)


def test_too_many_connections_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the oldest, one that has been silent is over; one that speaks goes on."""
    monkeypatch.setattr("streamshark.flows.tracker.MOST_FOLLOWED", 8)
    tracker = FlowTracker()
    speaker = Conversation().handshake()
    tracker.feed(batch(speaker.packets))
    for number in range(50):
        speaker.packets.clear()
        other = Conversation(("10.0.0.3", number + 1)).send(0, b"x")
        tracker.feed(batch([*other.packets, *speaker.send(0, b"x").packets]))
        if number % 20 == 19:
            assert 0 not in tracker.over

    assert tracker.over == list(range(1, len(tracker.over) + 1))
    assert len(tracker.over) == 51 - 8


def test_ports_used_again_tell_that_a_connection_is_over() -> None:
    """Nothing else does, where its FIN was not captured."""
    again = Conversation().handshake().packets
    again += Conversation(sequences=(77_000, 99_000)).handshake().packets
    tracker, _ = follow(again)

    assert tracker.over == [0]


@pytest.mark.slow
def test_hostile_traffic_takes_linear_time() -> None:
    """Bytes in reverse order one by one, overlaps without end, and many SYNs end soon."""
    reverse = Conversation().handshake()
    start = reverse.next[0]
    for at in range(20_000, 0, -1):
        reverse.raw(0, start + at, b"x")
    overlaps = Conversation(("10.0.0.3", 1)).handshake()
    start = overlaps.next[0]
    for at in range(20_000):
        overlaps.raw(0, start + 2 + at % 97 * 2, b"y" * (at % 300 + 1))
    syns = Conversation(("10.0.0.4", 1))
    for seq in range(20_000):
        syns.raw(0, seq, flags=SYN)

    tracker, records = follow(reverse.packets + overlaps.packets + syns.packets)

    assert len(tracker.flows) == 20_002
    for number in (0, 1):
        flow = tracker.flows[number]
        assert flow.payload == handed_on(records, number) + flow.repeated + flow.ignored


def test_the_flow_of_each_packet() -> None:
    """Also of what brings no bytes, of fragments once they are whole, and of tunnels."""
    one = Conversation().handshake().send(0, b"abc").acknowledge(1)
    other = Conversation(("10.0.0.7", 7)).handshake()
    segment = tcp((40_000, 5552), one.next[0], one.next[1], ACK, bytes(64))
    first, last = (ethernet(each) for each in ipv4_fragments(segment, 48))
    whole = [Packet(one.time_ns, each, len(each)) for each in (first, last)]
    lost = Packet(one.time_ns, ethernet(ipv4_fragments(segment, 48, ident=9)[0]), 99)
    stray = Packet(one.time_ns, ethernet(ipv4(udp(b"x", (1, 2)), protocol=17)), 99)
    packets = [*one.packets, *other.packets, stray, lost, whole[0], one.packets[3], whole[1]]
    tracker = FlowTracker()
    tracker.number_packets()

    tracker.feed(batch(packets))

    flows, earlier = tracker.packet_flows()
    assert list(flows) == [0] * 5 + [1] * 3 + [-1, -1, -1, 0, 0]
    assert ((0, 11), 12, 0) in earlier
    assert tracker.packet_flows()[1] == []
