"""Analysis of sequence numbers; Wireshark checks whole captures in tests/judge."""

from tests.failures import every

from streamshark.filters.tcp_analysis import ACK, FIN, RST, SYN, ConnectionHistory, SegmentHead

MS = 1_000_000
SYNS = [(0, 100, 0, 0, SYN, 1000), (1, 500, 101, 0, SYN | ACK, 1000), (0, 101, 501, 0, ACK, 1000)]
"""A handshake: side, sequence number, acknowledgement, length, flags, window."""
A, B, C = ((0, 101 + 100 * at, 501, 100, ACK, 1000) for at in range(3))
OF_A = (1, 501, 201, 0, ACK, 1000)
CASES = {
    "a hole, filled at once": ([A, C, B], ["", "LOST_SEGMENT", "OUT_OF_ORDER"]),
    "a hole, filled late": ([A, C, (50, *B)], ["", "LOST_SEGMENT", "RETRANSMISSION"]),
    "sent again": ([A, A], ["", "RETRANSMISSION"]),
    "sent again, acknowledged": ([A, OF_A, A], ["", "", "SPURIOUS_RETRANSMISSION"]),
    "asked for": (
        [A, C, OF_A, OF_A, OF_A, (5, *B)],
        ["", "LOST_SEGMENT", "", "DUPLICATE_ACK", "DUPLICATE_ACK", "FAST_RETRANSMISSION"],
    ),
    "acknowledged, not seen": ([A, (1, 501, 301, 0, ACK, 1000)], ["", "ACK_LOST_SEGMENT"]),
    "kept alive": (
        [A, OF_A, (0, 200, 501, 0, ACK, 1000), OF_A],
        ["", "", "KEEP_ALIVE", "KEEP_ALIVE_ACK"],
    ),
    "windows": (
        [
            A,
            (1, 501, 201, 0, ACK, 100),
            B,
            (1, 501, 301, 0, ACK, 0),
            (0, 301, 501, 1, ACK, 1000),
            (1, 501, 301, 0, ACK, 0),
            (1, 501, 301, 0, ACK, 500),
        ],
        [
            "", "", "WINDOW_FULL", "ZERO_WINDOW", "ZERO_WINDOW_PROBE",
            "ZERO_WINDOW|ZERO_WINDOW_PROBE_ACK", "WINDOW_UPDATE",
        ],
    ),
    "closed": (
        [(0, 101, 501, 0, FIN | ACK, 1000), (1, 501, 102, 0, ACK, 1000), (0, 900, 0, 0, RST, 0)],
        ["", "", ""],
    ),
}  # fmt: skip
"""Segments after the handshake, with milliseconds before them if six numbers are not all."""


@every("name", CASES)
def test_segments(name: str) -> None:
    """Return the analysis of each segment."""
    segments, expected = CASES[name]
    history, time, told = ConnectionHistory(), 0, []
    for number, each in enumerate([*SYNS, *segments], 1):
        pause, (side, seq, ack, length, flags, window) = (
            (each[0], each[1:]) if len(each) > len(SYNS[0]) else (1, each)
        )
        time += pause * MS
        head = SegmentHead(seq, ack, length, flags, window, number, time)
        flags = history.analyse(side, head).flags
        told.append(flags.name if flags else "")

    assert told[3:] == expected


def test_numbers_wrap() -> None:
    """At 2^32; a capture may begin anywhere."""
    history = ConnectionHistory()
    first = SegmentHead(0xFFFF_FFF0, 5, 16, ACK, 1000, 1, 0)
    second = SegmentHead(0, 5, 10, ACK, 1000, 2, 0)

    assert not history.analyse(0, first).flags
    assert not history.analyse(0, second).flags
    assert history.analyse(0, first).flags.name == "RETRANSMISSION"
