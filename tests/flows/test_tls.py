"""TLS becomes plaintext with the packets that carried it, or stays as it came.

The cipher is made up: a record can be opened if its body ends with a mark, and has the rest as
content.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ACK, Conversation
from tests.reading import events, follow, gaps, stream

from streamshark.capture.tls_records import CLOSED, Opened, TlsRecord
from streamshark.flows import FlowEvent, FlowTracker, Gap, Segment, TlsFlows
from streamshark.flows.tls import LARGEST, MOST_CLOSED, MOST_HELD, could_begin

MARK = b"0123456789abcdef-"
Records = list[Segment | Gap | FlowEvent]


def record(body: bytes, kind: int = 23) -> bytes:
    """Make a record."""
    return bytes([kind, 3, 3]) + len(body).to_bytes(2, "big") + body


def sealed(content: bytes) -> bytes:
    """Make a record that can be opened."""
    return record(content + MARK)


HELLO = record(b"\1" + bytes(60), 22)
ANSWER = record(b"\2" + bytes(60), 22)
SECRET = sealed(b"")
"""A record that holds no application data, as TLS 1.3 hides its handshake."""
CLOSED_RECORD = record(b"x" * 100)


def opened(records: Sequence[TlsRecord]) -> list[Opened]:
    """Open records of the made-up cipher."""
    out = []
    for each in records:
        body = each.data[5:]
        if each.data[0] == 23 and body.endswith(MARK):
            out.append(Opened(body[: -len(MARK)], is_open=True))
        else:
            out.append(CLOSED)
    return out


def read(made: Conversation, step: int = 1 << 30) -> tuple[FlowTracker, TlsFlows, Records]:
    """Follow packets and open them, so many records of flows at a time."""
    tracker, came = follow(made.packets)
    flows = TlsFlows(tracker.flows, opened)
    out: Records = []
    for at in range(0, len(came), step):
        out += flows.feed(came[at : at + step])
    return tracker, flows, out + flows.finish()


def begun(size: int = 1448) -> Conversation:
    """Make a connection up to its first open record."""
    made = Conversation().handshake().send(0, HELLO, size).send(1, ANSWER, size)
    return made.send(1, SECRET, size)


@given(
    texts=st.lists(st.tuples(st.integers(0, 1), st.binary(max_size=300)), max_size=12),
    size=st.integers(1, 700),
    step=st.integers(1, 50),
)
def test_plaintext_takes_the_place_of_records(
    texts: list[tuple[int, bytes]], size: int, step: int
) -> None:
    """However records and segments are cut: both sides' bytes, in order, and every byte counted."""
    made = begun(size)
    for side, text in texts:
        made.send(side, sealed(text), size)
    tracker, flows, records = read(made.finish(0).finish(1), step)
    flow = tracker.flows[0]

    expected = [b"".join(text for side, text in texts if side == each) for each in (0, 1)]
    assert [stream(records, 0), stream(records, 1)] == expected
    assert (flow.encrypted, flow.decrypted) == (flow.payload, sum(map(len, expected)))
    assert [name for name, _, _ in events(records)] == ["open", "close", "close"]
    assert flows.unopened == []
    for event in records:
        if isinstance(event, FlowEvent) and event.name == "close":
            assert event.offset == len(expected[event.side])


def test_plaintext_keeps_its_packets() -> None:
    """Each part names the packet that carried it, and the one that completed the record."""
    made = begun()
    text = bytes(range(200)) * 15
    first = len(made.packets) + 1
    made.send(0, sealed(text))
    _, _, records = read(made)
    segments = [each for each in records if isinstance(each, Segment)]

    assert [(each.origin, each.packet) for each in segments] == [
        (first, first + 2),
        (first + 1, first + 2),
        (first + 2, first + 2),
    ]
    assert {each.time_ns for each in segments} == {made.packets[first + 1].time_ns}
    assert [each.offset for each in segments] == [0, 1443, 2891]
    assert b"".join(each.data for each in segments) == text


@pytest.mark.parametrize("last", [CLOSED_RECORD, CLOSED_RECORD[:9]])
def test_one_connection_may_end_before_all(last: bytes) -> None:
    """What it holds comes as at the end of the captures, once."""
    made = Conversation().handshake().send(0, HELLO).send(1, ANSWER).send(0, last)
    tracker, came = follow(made.packets)
    flows = TlsFlows(tracker.flows, opened)

    assert flows.feed(came) + flows.finish_one(0) == came
    assert flows.finish_one(0) == flows.finish() == []
    assert flows.unopened == ([0] if last == CLOSED_RECORD else [])


@pytest.mark.parametrize("records", [[], [CLOSED_RECORD], [CLOSED_RECORD] * MOST_CLOSED])
def test_what_cannot_be_opened_passes_as_it_came(records: list[bytes]) -> None:
    """No record opened: the same records as without any of this, and a note if data was sent."""
    made = Conversation().handshake().send(0, HELLO).send(1, ANSWER).send(0, b"".join(records))
    made.finish(0).finish(1).acknowledge(0)
    tracker, flows, out = read(made, 2)

    assert out == follow(made.packets)[1]
    assert flows.unopened == ([0] if records else [])
    assert tracker.flows[0].encrypted == 0


def test_early_data_that_stays_closed_is_a_gap() -> None:
    """The gap is before and after records that can be opened; later records are still opened."""
    made = Conversation().handshake().send(0, HELLO + CLOSED_RECORD).send(1, ANSWER + SECRET)
    made.send(0, sealed(b"abc") + CLOSED_RECORD + sealed(b"def"))
    _, _, out = read(made)

    assert stream(out, 0) == b"?" * 83 + b"abc" + b"?" * 83 + b"def"
    assert {reason for *_, reason in gaps(out)} == {"encrypted"}


def test_after_lost_bytes_a_side_stays_closed() -> None:
    """The lost bytes and the rest of that side are gaps; the other side continues."""
    made = begun().send(0, sealed(b"before")).send(0, sealed(b"lost"))
    lost = made.packets.pop()
    made.send(0, sealed(b"second")).send(0, sealed(b"more")).send(1, sealed(b"answer"))
    made.finish(0).acknowledge(1).finish(1).acknowledge(0)
    _, _, out = read(made)
    rest = len(sealed(b"second")) + len(sealed(b"more"))

    assert gaps(out) == [(0, 6, len(lost.data) - 54, "lost"), (0, 32, rest, "encrypted")]
    assert stream(out, 0).startswith(b"before?")
    assert stream(out, 1) == b"answer"


def test_what_is_no_record_ends_a_side() -> None:
    """Before anything was opened all passes as it came; later it is a gap."""
    early = Conversation().handshake().send(0, HELLO).send(1, b"HTTP/1.1 400 Bad Request\r\n")
    late = begun().send(0, sealed(b"abc") + b"\x99" * 20).send(0, b"more")
    huge = begun().send(0, b"\x17\3\3" + (LARGEST + 1).to_bytes(2, "big") + bytes(10))

    assert read(early)[2] == follow(early.packets)[1]
    assert gaps(read(late)[2]) == [(0, 3, 24, "encrypted")]
    assert gaps(read(huge)[2]) == [(0, 0, 15, "encrypted")]


def test_a_reset_ends_both_sides() -> None:
    """Half a record is a gap; before anything was opened, all passes as it came."""
    late = begun().send(0, sealed(b"abc")[:-1]).reset(1)
    early = Conversation().handshake().send(0, HELLO).reset(1)

    out = read(late)[2]
    assert gaps(out) == [(0, 0, 24, "encrypted")]
    assert events(out)[-1][:2] == ("reset", 1)
    assert read(early)[2] == follow(early.packets)[1]


def test_a_connection_may_begin_in_the_clear() -> None:
    """As NATS does: what came before the ClientHello is handed on, and offsets go on from there."""
    made = Conversation().handshake().send(1, b"INFO {}\r\n").send(0, b"UP\r\n")
    made.send(0, HELLO).send(1, ANSWER + SECRET).send(0, sealed(b"PING\r\n")).send(1, sealed(b"OK"))
    _, _, out = read(made)

    assert stream(out, 0) == b"UP\r\nPING\r\n"
    assert stream(out, 1) == b"INFO {}\r\nOK"


def test_what_only_begins_like_tls_passes() -> None:
    """A few bytes that could be a ClientHello wait for more, and are handed on in order."""
    made = Conversation().handshake().send(0, b"\x16\3").send(1, b"?").send(0, b"\4\0\0\2 no")
    short = Conversation().handshake().send(0, b"\x16\3\1")

    for each in (made, short):
        tracker, came = follow(each.packets)
        flows = TlsFlows(tracker.flows, opened)
        flows.feed(came[:2])
        assert flows.waiting_since == (each.packets[3].time_ns, 0, 4)
        assert read(each, 1)[2] == came


def test_what_is_held_is_told_and_bounded() -> None:
    """The first held packet is named; above the limit the connection is passed on unread."""
    made = Conversation().handshake().send(0, HELLO)
    handshake = record(bytes(16_000), 22)
    for _ in range(MOST_HELD // 16_000 + 1):
        made.send(1, handshake)
    tracker, came = follow(made.packets)
    flows = TlsFlows(tracker.flows, opened)

    assert flows.feed([]) == []
    assert flows.feed(came[:3]) == came[:1]
    assert flows.waiting_since == (made.packets[3].time_ns, 0, 4)
    assert flows.feed(came[3:]) == came[1:]
    assert flows.waiting_since is None


def test_beginnings_are_told_by_what_is_there() -> None:
    """Type, version and message decide; a record of another type is not a ClientHello."""
    for end in range(1, 7):
        assert could_begin(HELLO[:end])
    for other in (b"", b"\x17\3\3", b"\x16\2", b"\x16\3\5", b"\x16\3\1\0\x20\2", b"GET /"):
        assert not could_begin(other)


def test_retransmissions_and_disorder_are_the_trackers_work() -> None:
    """Segments swapped and sent again give the same plaintext."""
    made = begun()
    for text in (b"one", b"two", b"three"):
        made.send(0, sealed(text))
    made.packets[-3:] = made.packets[-1:] + made.packets[-3:]
    made.raw(0, made.next[0] - 5, b"-----", ACK)

    assert stream(read(made)[2], 0) == b"onetwothree"
