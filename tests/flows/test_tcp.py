"""Any order of packets gives the same streams, once each byte; what is lost is a gap."""

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ACK, FIN, RST, STEP_NS, SYN, Conversation, pcap
from tests.reading import ALONE, batch, events, follow, gaps, handed_on, stream, tshark

from streamshark.capture import open_capture
from streamshark.flows import FlowEvent, FlowTracker, Gap, Segment
from streamshark.flows.segment import ATTEMPTS
from streamshark.flows.tcp import (
    FIN_NS,
    HOLE_NS,
    HOLE_PACKETS,
    ONE_SIDED_PACKETS,
    START_NS,
    START_SEGMENTS,
    STRAY_SEGMENTS,
    TcpConnection,
)
from streamshark.flows.timers import Arrival, Records

SECOND = 1_000_000_000
HEX = set("0123456789abcdef")
TEXT = bytes(byte for byte in range(256) if byte != ord("?")) * 8


def open_conversation(first: int = 1_000) -> Conversation:
    """Begin a conversation whose client's first sequence number is given."""
    return Conversation(sequences=(first, 9_000)).handshake()


def segments(records: list[Segment | Gap | FlowEvent]) -> list[Segment]:
    """Keep the segments."""
    return [record for record in records if isinstance(record, Segment)]


# Order


@given(
    sizes=st.lists(st.integers(1, 60), min_size=1, max_size=40),
    first=st.one_of(st.integers(0, 2**32 - 1), st.integers(2**32 - 900, 2**32 - 1)),
    choice=st.randoms(use_true_random=False),
    repeats=st.integers(0, 20),
)
def test_order_repeats_and_sizes_do_not_matter(
    sizes: list[int], first: int, choice: random.Random, repeats: int
) -> None:
    """Shuffled, repeated, overlapping, at any place of the sequence space: the same bytes."""
    conversation = open_conversation(first)
    start, total = conversation.next[0], sum(sizes)
    text, at = TEXT[:total], 0
    head = list(conversation.packets)
    for size in sizes:
        conversation.raw(0, start + at, text[at : at + size])
        at += size
    for _ in range(repeats):
        low, high = sorted(choice.choices(range(total + 1), k=2))
        conversation.raw(0, start + low, text[low:high])
    rest = conversation.packets[len(head) :]
    choice.shuffle(rest)

    tracker, records = follow(head + rest)

    assert stream(records, 0) == text
    assert gaps(records) == []
    flow = tracker.flows[0]
    assert flow.payload == total + flow.repeated


@given(
    kept=st.lists(st.booleans(), min_size=2, max_size=120),
    choice=st.randoms(use_true_random=False),
    with_syn=st.booleans(),
    acknowledge=st.booleans(),
)
def test_what_is_lost_is_a_gap(
    *, kept: list[bool], choice: random.Random, with_syn: bool, acknowledge: bool
) -> None:
    """Segments and gaps tile the stream, gaps where packets were dropped and nowhere else."""
    conversation = Conversation()
    head = list((conversation.handshake() if with_syn else conversation.acknowledge(0)).packets)
    expected, parts = b"", []
    for keep in kept:
        size = choice.randrange(1, 20)
        sent = TEXT[choice.randrange(200) :][:size]
        conversation.send(0, sent)
        if keep:
            parts.append(conversation.packets[-1])
        expected += sent if keep else b"?" * size
        if acknowledge:
            parts.append(conversation.acknowledge(1).packets[-1])

    tracker, records = follow(head + parts)

    if not with_syn:
        expected = expected.lstrip(b"?")
    seen = expected.rstrip(b"?")
    # What is lost at the end shows where it was acknowledged; one byte may have been a FIN.
    shown = expected if acknowledge and len(expected) > len(seen) + 1 else seen
    assert stream(records, 0) == shown
    flow = tracker.flows[0] if parts else None
    assert flow is None or flow.repeated == flow.ignored == 0


def test_a_hole_is_filled_by_the_retransmission() -> None:
    """Held bytes name the packet that filled the hole, and the one that carried them."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.raw(0, start + 3, b"def")
    conversation.raw(0, start, b"abc")

    _, records = follow(conversation.packets)

    assert [(s.data, s.origin, s.packet, s.is_payload) for s in segments(records)] == [
        (b"abc", 5, 5, True),
        (b"def", 4, 5, True),
    ]


def test_the_first_copy_of_a_byte_stays() -> None:
    """An overlap gives only what is new, marked as part of a payload."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.raw(0, start, b"abc")
    conversation.raw(0, start + 1, b"XXde")

    tracker, records = follow(conversation.packets)

    assert [(s.data, s.is_payload) for s in segments(records)] == [
        (b"abc", True),
        (b"de", False),
    ]
    assert tracker.flows[0].repeated == 2


def judged(conversation: Conversation, folder: Path, side: int) -> bytes:
    """Return one side's bytes as tshark follows them."""
    path = folder / "followed.pcap"
    path.write_bytes(pcap(conversation.packets))
    command = ["tshark", "-n", "-r", str(path), "-q", "-z", "follow,tcp,raw,0"]
    told = subprocess.run(command, capture_output=True, check=True, text=True, env=ALONE).stdout
    lines = [line for line in told.splitlines() if line.strip() and set(line.strip()) <= HEX]
    return b"".join(bytes.fromhex(line) for line in lines if line.startswith("\t") == bool(side))


@pytest.mark.process
def test_a_zero_window_probe_is_payload_once(tmp_path: Path) -> None:
    """Some stacks probe with the next byte, which comes again when the window opens."""
    conversation = open_conversation().send(0, b"abc")
    conversation.raw(1, conversation.next[1], window=0)
    for _ in range(3):
        conversation.raw(0, conversation.next[0], b"d")
        conversation.raw(1, conversation.next[1], window=0, ack=conversation.next[0])
    conversation.raw(1, conversation.next[1], window=9_000, ack=conversation.next[0] + 1)
    conversation.send(0, b"defgh").acknowledge(1)

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == judged(conversation, tmp_path, 0) == b"abcdefgh"
    assert tracker.flows[0].repeated == 3
    assert [(s.data, s.is_payload) for s in segments(records)] == [
        (b"abc", True),
        (b"d", True),
        (b"efgh", False),
    ]


@pytest.mark.parametrize("with_syn", [True, False])
def test_keep_alive_probes_before_any_data(*, with_syn: bool) -> None:
    """The place before the first byte is the SYN's, or a byte that the capture missed."""
    conversation = open_conversation() if with_syn else Conversation().acknowledge(0)
    for _ in range(2):
        conversation.raw(0, conversation.next[0] - 1, b"\0")
        conversation.acknowledge(1)
    conversation.send(0, b"abc").acknowledge(1)

    _, records = follow(conversation.packets)

    assert stream(records, 0) == (b"abc" if with_syn else b"\0abc")


def test_an_old_duplicate_after_a_wrap_is_the_first_copy_or_none() -> None:
    """Timestamps (RFC 7323, PAWS) are not looked at: a segment is old by its place alone.

    One that is 4 GiB old and falls within what is awaited would be taken; it has outlived every
    segment's lifetime at any speed that a capture can follow.
    """
    conversation = open_conversation(2**32 - 2_000).send(0, bytes(1_000))
    old = conversation.packets[-1]
    conversation.send(0, b"x" * 3_000).acknowledge(1)
    conversation.packets.append(old._replace(time_ns=old.time_ns + 1_000_000_000))

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == bytes(1_000) + b"x" * 3_000
    assert tracker.flows[0].repeated == 1_000


def test_packets_are_taken_in_the_order_of_the_file() -> None:
    """Times that go backwards change nothing but the times: a clock was set, files were joined."""
    conversation = open_conversation().send(0, b"abc").send(1, b"xyz").send(0, b"def")
    times = [packet.time_ns for packet in conversation.packets]
    shifted = [
        packet._replace(time_ns=packet.time_ns - (3_600_000_000_000 if at > 3 else 0))
        for at, packet in enumerate(conversation.packets)
    ]

    plain, moved = (segments(follow(packets)[1]) for packets in (conversation.packets, shifted))

    assert [each._replace(time_ns=0) for each in moved] == [
        each._replace(time_ns=0) for each in plain
    ]
    assert [each.time_ns for each in moved] == [
        times[3], times[4] - 3_600_000_000_000, times[5] - 3_600_000_000_000
    ]  # fmt: skip


@pytest.mark.parametrize("probe", [b"", b"\0"])
def test_keep_alive_probes_are_no_payload(probe: bytes) -> None:
    """A probe repeats the last byte's place; its byte is no stream's."""
    conversation = open_conversation().send(0, b"abc")
    conversation.raw(0, conversation.next[0] - 1, probe)
    conversation.acknowledge(1).send(0, b"def")

    _, records = follow(conversation.packets)

    assert [s.data for s in segments(records)] == [b"abc", b"def"]


# Beginnings


def test_syn_with_data_is_read() -> None:
    """Fast open: the first bytes come in the SYN."""
    conversation = Conversation()
    conversation.raw(0, 1_000, b"early", SYN)
    conversation.raw(1, 9_000, flags=SYN | ACK, ack=1_006)
    conversation.raw(0, 1_006, b"later")

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == b"earlylater"
    assert events(records) == [("open", 0, 1)]
    assert tracker.flows[0].client == 0


@pytest.mark.parametrize("swap", [False, True])
def test_a_capture_may_start_amid_a_connection(*, swap: bool) -> None:
    """Disorder in the first segments loses nothing, and times and order stay the packets' own."""
    conversation = Conversation().send(0, b"abcdef", 3).send(1, b"xyz").send(0, b"ghi")
    packets = conversation.packets
    if swap:
        packets[0], packets[1] = packets[1], packets[0]

    tracker, records = follow(packets)

    assert stream(records, 0) == b"abcdefghi"
    assert stream(records, 1) == b"xyz"
    assert [s.packet for s in segments(records)] == ([2, 2, 3, 4] if swap else [1, 2, 3, 4])
    assert tracker.flows[0].client is None


def test_a_start_amid_a_connection_waits_for_few_segments() -> None:
    """The eighth segment ends the wait, without time having passed."""
    conversation = Conversation().send(0, b"a" * START_SEGMENTS, 1)
    packets = [packet._replace(time_ns=0) for packet in conversation.packets]
    tracker = FlowTracker()

    assert tracker.feed(batch(packets[:-1])) == []
    assert len(tracker.feed(batch(packets[-1:]))) == START_SEGMENTS


def test_a_start_amid_a_connection_waits_for_a_short_time() -> None:
    """Any packet 50 ms later ends the wait, of whatever connection."""
    conversation = Conversation().send(0, b"abc")
    other = Conversation(("10.0.0.9", 1), start_ns=conversation.packets[0].time_ns + START_NS)
    other.acknowledge(0)

    records = FlowTracker().feed(batch(conversation.packets + other.packets))

    assert stream(records, 0) == b"abc"


def test_a_side_without_syn_starts_where_the_other_side_acknowledged() -> None:
    """The server's SYN is not captured, and neither is its first segment: a gap, from 0."""
    conversation = open_conversation()
    del conversation.packets[1]
    conversation.send(1, b"lost")
    conversation.packets.pop()
    conversation.send(1, b"seen")

    _, records = follow(conversation.packets)

    assert stream(records, 1) == b"????seen"


def test_a_side_whose_first_bytes_are_missing_begins_with_a_gap() -> None:
    """The answer to its SYN says where it began, though later ones acknowledge more."""
    made = Conversation()
    made.raw(1, made.next[1], flags=SYN | ACK, ack=made.next[0] + 1)
    made.next = [made.next[0] + 1, made.next[1] + 1]
    missing = made.send(0, b"hello").packets.pop()
    made.acknowledge(1).send(0, b"there").finish(0)
    _, records = follow(made.packets)

    assert missing not in made.packets
    assert gaps(records) == [(1, 0, 5, "lost")]
    assert stream(records, 1) == b"?????there"


def test_one_direction_alone_is_read() -> None:
    """The other direction was never captured."""
    conversation = open_conversation().send(0, TEXT, 100)
    packets = [packet for packet in conversation.packets if packet.data[34:36] == b"\x9c\x40"]

    _, records = follow(packets)

    assert stream(records, 0) == TEXT


def test_a_syn_answer_names_the_client() -> None:
    """The receiver of the SYN+ACK is the client, also if the SYN was not captured."""
    tracker, records = follow(open_conversation().packets[1:])

    assert tracker.flows[0].client == 1
    assert events(records) == [("open", 0, 1)]


# Holes


def test_an_acknowledged_hole_is_given_up_after_some_packets() -> None:
    """The gap names the packet at which it was given up."""
    conversation = open_conversation()
    conversation.send(0, b"lost")
    conversation.packets.pop()
    conversation.send(0, b"seen")
    for _ in range(HOLE_PACKETS):
        conversation.acknowledge(1)

    records = FlowTracker().feed(batch(conversation.packets))

    (gap,) = [record for record in records if isinstance(record, Gap)]
    assert (gap.offset, gap.length, gap.packet, gap.reason) == (0, 4, 4 + HOLE_PACKETS, "lost")
    assert stream(records, 0) == b"????seen"


@pytest.mark.parametrize("wait", [HOLE_NS - 2_000_000, HOLE_NS])
def test_an_acknowledged_hole_is_given_up_in_time(wait: int) -> None:
    """By the clock, where the connection says little; a packet of another connection will do."""
    talk = open_conversation()
    talk.raw(0, talk.next[0] + 4, b"beyond")
    talk.next[0] += 10
    talk.send(1, b"ok")
    other = Conversation(("10.0.0.9", 1), start_ns=talk.time_ns + wait).send(0, b"y")
    tracker = FlowTracker()
    records = tracker.feed(batch([*talk.packets, *other.packets]))

    assert [each.reason for each in records if isinstance(each, Gap)] == ["lost"] * (
        wait == HOLE_NS
    )


def test_a_hole_after_one_that_was_filled_has_its_own_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first hole was acknowledged and filled; the second is not, so no timer is set for it."""
    talk = open_conversation()
    start = talk.next[0]
    talk.raw(0, start + 2, b"cd")
    talk.raw(1, talk.next[1], b"ok", ack=start + 4)
    talk.next[1] += 2
    talk.raw(0, start + 6, b"gh")
    talk.raw(0, start, b"ab")
    other = Conversation(("10.0.0.9", 1), start_ns=talk.time_ns + HOLE_NS)
    other.handshake().send(0, b"y")
    woken = []

    def wake(self: TcpConnection, now: Arrival, out: Records) -> None:
        woken.append(now.packet)
        assert len(woken) < 9, "it is woken for what stands in the past"
        wakes(self, now, out)

    wakes = TcpConnection.wake
    monkeypatch.setattr(TcpConnection, "wake", wake)
    tracker = FlowTracker()
    records = tracker.feed(batch([*talk.packets, *other.packets]))

    assert stream(records, 0) == b"abcd"
    assert len(woken) == 1
    assert stream(records + tracker.finish(), 0) == b"abcd??gh"


def test_a_hole_stays_open_while_nobody_acknowledges_it() -> None:
    """A retransmission may come however many packets later."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.raw(0, start + 4, b"seen")
    for _ in range(4 * HOLE_PACKETS):
        conversation.acknowledge(1)
    conversation.raw(0, start, b"late")

    _, records = follow(conversation.packets)

    assert stream(records, 0) == b"lateseen"


def test_a_hole_of_a_lone_direction_is_given_up() -> None:
    """No acknowledgement can come, so packets alone decide."""
    conversation = Conversation()
    conversation.raw(0, 999, flags=SYN)
    conversation.raw(0, 1_004, b"seen")
    for _ in range(ONE_SIDED_PACKETS):
        conversation.raw(0, 1_008)

    records = FlowTracker().feed(batch(conversation.packets))

    assert gaps(records) == [(0, 0, 4, "lost")]


def test_what_was_acknowledged_and_never_seen_is_a_gap() -> None:
    """The gap is at the end, also without bytes after it; one byte may have been a FIN."""
    conversation = open_conversation().send(0, b"ask")
    conversation.send(1, b"answer")
    conversation.packets.pop()
    conversation.acknowledge(0)

    _, records = follow(conversation.packets)
    assert gaps(records) == [(1, 0, 6, "lost")]

    conversation.raw(0, conversation.next[0], flags=RST)
    assert gaps(FlowTracker().feed(batch(conversation.packets))) == [(1, 0, 6, "lost")]

    finished = open_conversation()
    finished.raw(0, finished.next[0], flags=ACK, ack=finished.next[1] + 1)
    assert gaps(follow(finished.packets)[1]) == []


@pytest.mark.parametrize("flag", [0, RST])
def test_a_side_without_packets_has_lost_what_the_other_side_acknowledges(flag: int) -> None:
    """From its first acknowledgement on: a capture of one direction would look complete."""
    conversation = open_conversation().send(0, b"ask")
    sender = conversation.packets[-1].data[34:36]
    conversation.send(1, b"answer").send(0, b"more")
    conversation.raw(0, conversation.next[0], flags=flag | ACK, ack=conversation.next[1])
    seen = [each for each in conversation.packets if each.data[34:36] == sender]

    assert gaps(follow(seen)[1]) == [(1, 0, 6, "lost")]


def test_the_snap_length_leaves_gaps() -> None:
    """The tails that were cut off are gaps, in order and out of it."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.raw(0, start + 6, b"ghijkl")
    conversation.raw(0, start, b"abcdef")
    conversation.raw(0, start + 12, b"m")
    packets = [packet.cut(58) for packet in conversation.packets]

    tracker, records = follow(packets)

    assert stream(records, 0) == b"abcd??ghij??m"
    assert gaps(records) == [(0, 4, 2, "snapped"), (0, 10, 2, "snapped")]
    assert tracker.flows[0].payload == 9


def test_far_sequence_numbers_are_ignored() -> None:
    """One packet that cannot belong costs nothing and is counted."""
    conversation = open_conversation().send(0, b"abc")
    conversation.raw(0, conversation.next[0] + (1 << 30) + 1, b"far")
    conversation.send(0, b"def")

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == b"abcdef"
    assert tracker.flows[0].ignored == 3


def test_a_stream_goes_on_after_a_huge_loss() -> None:
    """Many in a row that follow each other are the stream, further on."""
    conversation = open_conversation().send(0, b"abc")
    conversation.next[0] += 3 << 30
    conversation.send(0, b"x" * STRAY_SEGMENTS + b"yz", 1)

    tracker, records = follow(conversation.packets)

    (gap,) = [record for record in records if isinstance(record, Gap)]
    assert gap.length == (3 << 30) + STRAY_SEGMENTS - 1
    assert [s.data for s in segments(records)] == [b"abc", b"x", b"y", b"z"]
    assert tracker.flows[0].ignored == STRAY_SEGMENTS - 1


# Ends


def test_close_comes_after_all_bytes_before_it() -> None:
    """A FIN that overtakes data waits for it; a repeated one is no second close."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.raw(0, start + 3, b"def", FIN | ACK)
    conversation.raw(0, start, b"abc")
    conversation.raw(0, start + 3, b"def", FIN | ACK)
    conversation.raw(1, conversation.next[1], flags=FIN | ACK)

    _, records = follow(conversation.packets)

    assert [record.offset for record in records if isinstance(record, FlowEvent)] == [0, 6, 0]
    assert events(records) == [("open", 0, 1), ("close", 0, 5), ("close", 1, 7)]
    assert stream(records, 0) == b"abcdef"


@pytest.mark.parametrize("flag", [FIN, RST])
def test_a_fin_that_nobody_saw_comes_before_the_end_that_acknowledges_it(flag: int) -> None:
    """Or it would look as if the other side had been the first to end the connection."""
    conversation = open_conversation().send(0, b"abc")
    conversation.finish(0)
    late = conversation.packets.pop()
    conversation.raw(1, conversation.next[1], flags=flag | ACK)
    end = "close" if flag == FIN else "reset"

    _, records = follow([*conversation.packets, late])

    assert events(records)[1:] == [("close", 0, 5), (end, 1, 5)]


def test_an_end_that_acknowledges_no_more_than_was_seen_shows_no_other() -> None:
    """One more byte may be the FIN; of several it is not known."""
    for unseen in (0, 2):
        conversation = open_conversation().send(0, b"abc")
        end = conversation.next[0] + unseen
        conversation.raw(1, conversation.next[1], flags=FIN | ACK, ack=end)
        _, records = follow(conversation.packets)
        assert [name for name, _, _ in events(records)] == ["open", "close"]


@pytest.mark.parametrize(
    ("acknowledged", "after"), [(True, START_NS + STEP_NS), (False, FIN_NS + STEP_NS)]
)
def test_a_hole_before_a_fin_is_given_up_in_time(*, acknowledged: bool, after: int) -> None:
    """Soon where the other side has the bytes, later where they could still come."""
    conversation = open_conversation().send(0, b"lost")
    conversation.packets.pop()
    conversation.finish(0)
    conversation.raw(1, conversation.next[1], ack=None if acknowledged else 1_001)
    conversation.time_ns += after
    other = Conversation(("10.0.0.9", 1), start_ns=conversation.time_ns).acknowledge(0)

    tracker = FlowTracker()

    assert gaps(tracker.feed(batch(conversation.packets))) == []
    records = tracker.feed(batch(other.packets))
    assert gaps(records) == [(0, 0, 4, "lost")]
    assert [name for name, _, _ in events(records)] == ["close"]


def test_a_hole_before_a_fin_waits_for_retransmissions() -> None:
    """Shortly after an unacknowledged FIN the hole stays open, so that a retransmission fits."""
    conversation = open_conversation().send(0, b"lost")
    filler = conversation.packets.pop()
    conversation.finish(0)
    at = conversation.time_ns + START_NS + STEP_NS
    other = Conversation(("10.0.0.9", 1), start_ns=at).acknowledge(0)
    late = filler._replace(time_ns=at + FIN_NS - 2 * START_NS)

    tracker = FlowTracker()
    records = tracker.feed(batch(conversation.packets + other.packets))
    assert [name for name, _, _ in events(records)] == ["open"]
    records += tracker.feed(batch([late]))

    assert stream(records, 0) == b"lost"
    assert [name for name, _, _ in events(records)] == ["open", "close"]


def test_a_reset_ends_the_wait() -> None:
    """Nothing is sent again after an RST; its own payload is no stream's."""
    conversation = open_conversation()
    conversation.raw(0, conversation.next[0] + 4, b"seen")
    conversation.raw(1, conversation.next[1], b"reason", RST | ACK)
    conversation.raw(1, conversation.next[1], flags=RST)

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == b"????seen"
    assert stream(records, 1) == b""
    assert events(records) == [("open", 0, 1), ("reset", 1, 5)]
    assert tracker.flows[0].payload == 4


def test_what_comes_after_the_end_is_not_held_for_ever() -> None:
    """A hole after an RST is given up by the clock."""
    conversation = open_conversation().reset(1)
    conversation.raw(0, conversation.next[0] + 4, b"seen")
    other = Conversation(("10.0.0.9", 1), start_ns=conversation.time_ns + FIN_NS).acknowledge(0)

    records = FlowTracker().feed(batch(conversation.packets + other.packets))

    assert stream(records, 0) == b"????seen"


# Hostile traffic


def test_all_that_is_held_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over it, a hole is given up and a beginning is taken as it is, at once."""
    monkeypatch.setattr("streamshark.flows.tcp.HELD_TOTAL", 1_000)
    holed = open_conversation()
    holed.raw(0, holed.next[0] + 1, b"x" * 900)
    begun = Conversation(("10.0.0.9", 1), start_ns=holed.time_ns).send(0, b"y" * 900)

    records = FlowTracker().feed(batch(holed.packets + begun.packets))

    assert stream(records, 0) == b"?" + b"x" * 900
    assert stream(records, 0, 1) == b"y" * 900


def test_a_full_backlog_gives_up_its_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes late for it is counted as repeated."""
    monkeypatch.setattr("streamshark.flows.out_of_order.HELD_PIECES", 3)
    conversation = open_conversation()
    start = conversation.next[0]
    for at in (8, 6, 4, 2, 0):
        conversation.raw(0, start + at, b"x")

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == b"??x?x?x?x"
    assert tracker.flows[0].repeated == 1


@pytest.mark.process
def test_a_retransmission_fills_what_the_snap_length_cut(tmp_path: Path) -> None:
    """Only the bytes after the given-up tail are new."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.raw(0, start, b"abcdef")
    conversation.packets[-1] = conversation.packets[-1].cut(56)
    conversation.raw(0, start, b"abcdefgh")
    conversation.packets[-1] = conversation.packets[-1].cut(61)
    judged = tshark(pcap(conversation.packets), tmp_path, "tcp.len")

    tracker, records = follow(conversation.packets)

    assert stream(records, 0) == b"ab????g?"
    assert tracker.flows[0].payload == 2 + 7
    assert judged[-2:] == [["6"], ["8"]]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 1),
            st.sampled_from([0, 1, 2, 3, 7, 40, 1 << 20, 1 << 29, 1 << 31, (1 << 32) - 5]),
            st.integers(0, 5),
            st.integers(0, 255),
            st.sampled_from([0, 1, 5, 1 << 31]),
            st.booleans(),
        ),
        max_size=60,
    )
)
def test_any_packets_tile(
    packets: list[tuple[int, int, int, int, int, bool]],
) -> None:
    """Whatever comes, nothing raises, sides tile, and captured bytes are accounted for."""
    conversation = Conversation()
    for side, seq, size, flags, ack, cut in packets:
        packet = conversation.raw(side, seq, b"x" * size, flags, ack)
        if cut and size:
            conversation.packets[-1] = packet.cut(55)

    tracker, records = follow(conversation.packets)

    for flow in tracker.flows:
        handed = handed_on(records, flow.number)

        assert flow.payload == handed + flow.repeated + flow.ignored


# What says who is slow


@pytest.mark.process
def test_trouble_of_each_side(tmp_path: Path) -> None:
    """Sent again, overtaken, and no room: each counts where it belongs, as in Wireshark."""
    conversation = open_conversation()
    start = conversation.next[0]
    conversation.send(0, b"abcdef").acknowledge(1)
    conversation.raw(0, start, b"abcdef")  # sent again
    conversation.raw(0, start + 9, b"jkl")
    conversation.raw(0, start + 6, b"ghi")  # overtaken
    conversation.raw(1, conversation.next[1], window=0)
    conversation.raw(1, conversation.next[1], flags=RST, window=0)  # says nothing

    tracker, records = follow(conversation.packets)
    client, server = tracker.flows[0].trouble

    assert stream(records, 0) == b"abcdefghijkl"
    assert (client.retransmissions, client.out_of_order, client.zero_windows) == (1, 1, 0)
    assert (server.retransmissions, server.out_of_order, server.zero_windows) == (0, 0, 1)
    kinds = ("retransmission", "out_of_order", "zero_window")
    fields = [f"tcp.analysis.{kind}" for kind in kinds]
    judged = tshark(pcap(conversation.packets), tmp_path, *fields)
    counts = [sum(bool(row[at]) for row in judged) for at in range(3)]
    assert counts[0] + counts[1] == 2  # which of the two it calls them depends on the times
    assert counts[2] == 1


def test_probes_are_no_retransmissions() -> None:
    """A keep-alive probe sends the last byte again, only to be acknowledged."""
    conversation = open_conversation().send(0, b"abcdef").acknowledge(1)
    conversation.raw(0, conversation.next[0] - 1, b"f")

    tracker, _ = follow(conversation.packets)

    assert tracker.flows[0].repeated == 1
    assert tracker.flows[0].trouble[0].retransmissions == 0


def test_time_of_the_handshake() -> None:
    """From SYN to SYN+ACK and on to ACK; nothing where the beginning was not seen."""
    conversation = open_conversation()
    tracker, _ = follow(conversation.packets)
    assert tracker.flows[0].handshake_ns == (STEP_NS, STEP_NS)

    again = Conversation()
    again.raw(0, again.next[0], flags=SYN)
    tracker, _ = follow(again.packets + again.handshake().packets[1:])
    assert tracker.flows[0].handshake_ns == (STEP_NS, STEP_NS)

    tracker, _ = follow(conversation.packets[1:])
    assert tracker.flows[0].handshake_ns is None

    # The ACK stands before the SYN+ACK: the handshake ends with the next packet of the client.
    syn, syn_ack, ack, *rest = open_conversation().send(0, b"abc").packets
    tracker, _ = follow([syn, ack, syn_ack, *rest])
    assert tracker.flows[0].handshake_ns is not None


@pytest.mark.process
@pytest.mark.parametrize("scenario", ["client_frozen_java", "retransmitted", "publish_confirm"])
def test_trouble_as_wireshark_counts_it(scenario: str, tmp_path: Path) -> None:
    """Zero windows and the time of the handshake."""
    folder = Path(__file__).parents[2] / "captures/rabbitmq_stream"
    (path,) = (folder / scenario).glob("traffic.*")
    tracker = FlowTracker()
    with open_capture(str(path)) as capture:
        for part in capture.batches():
            tracker.feed(part)
    tracker.finish()
    fields = ("tcp.stream", "tcp.analysis.zero_window", "tcp.analysis.initial_rtt")
    judged = [row for row in tshark(path.read_bytes(), tmp_path, *fields) if row[0]]

    zeros = sum(bool(row[1]) for row in judged)
    rtts = {int(row[0]): round(float(row[2]) * 1e9) for row in judged if row[2]}
    assert zeros == sum(side.zero_windows for flow in tracker.flows for side in flow.trouble)
    assert rtts == {
        flow.number: sum(flow.handshake_ns) for flow in tracker.flows if flow.handshake_ns
    }


def test_an_attempt_that_fails_is_told() -> None:
    """A SYN that is refused, or repeated without an answer, is reported with its packet."""
    refused = Conversation().refused()
    assert events(follow(refused.packets)[1]) == [("open", 0, 1), ("refused", 1, 2)]
    again = Conversation().unanswered(SECOND, 2 * SECOND)
    assert events(follow(again.packets)[1]) == [("open", 0, 1), ("unanswered", 0, 3)]

    given_up = Conversation().unanswered(SECOND)
    later = Conversation(("10.0.0.1", 40_001), start_ns=given_up.time_ns + 4 * SECOND).handshake()
    _, records = follow([*given_up.packets, *later.packets])
    assert events(records)[1] == ("unanswered", 0, 3)
    refused_late = Conversation().unanswered(SECOND)
    refused_late.raw(1, 0, flags=RST | ACK, ack=refused_late.next[0] + 1)
    assert events(follow(refused_late.packets)[1]) == [("open", 0, 1), ("refused", 1, 3)]


def test_an_attempt_that_may_have_succeeded_is_not_told() -> None:
    """Late accepts, duplicates, cuts, a single direction and later resets are not reported."""
    late = Conversation().unanswered(SECOND)
    late.handshake().packets.pop(2)  # the third SYN
    one_way = Conversation().unanswered(SECOND)
    one_way.next[0] += 1
    one_way.acknowledge(0).send(0, b"abc")
    halves = Conversation().unanswered()
    halves.next[0] += 1
    halves.acknowledge(0).reset(1)  # its SYN+ACK is not captured
    probe = Conversation().unanswered()  # of a load balancer: it resets what was accepted
    probe.raw(1, probe.next[1], flags=SYN | ACK, ack=probe.next[0] + 1)
    probe.next[0] += 1
    probe.reset(0)
    made = {
        "probe": probe,
        "late": late,
        "one way": one_way,
        "twice": Conversation().unanswered(1_000),
        "ends": Conversation().unanswered(),
        "torn": Conversation().handshake().reset(1),
        "halves": halves,
    }
    found = {
        name: {event for event, _, _ in events(follow(each.packets)[1])} & ATTEMPTS
        for name, each in made.items()
    }
    assert found == {name: set() for name in made}
