"""What Wireshark's expert information says of a TCP segment, beside the options that repeat bytes.

The severities, groups and sentences are Wireshark's.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from streamshark.filters.packets import TcpSegment
from streamshark.filters.tcp_analysis import ACK, FIN, RST, SYN, AnalysisFlag

SEQUENCE: Final = "sequence"
"""The group of all items."""
CHAT, NOTE, WARNING = "chat", "note", "warning"


class TcpItem(NamedTuple):
    """An item."""

    severity: str
    message: str


_SUSPECTED: Final = "This frame is a (suspected) {}"
_ANALYSED: Final = {
    AnalysisFlag.RETRANSMISSION: TcpItem(NOTE, _SUSPECTED.format("retransmission")),
    AnalysisFlag.FAST_RETRANSMISSION: TcpItem(NOTE, _SUSPECTED.format("fast retransmission")),
    AnalysisFlag.SPURIOUS_RETRANSMISSION: TcpItem(
        NOTE, _SUSPECTED.format("spurious retransmission")
    ),
    AnalysisFlag.OUT_OF_ORDER: TcpItem(WARNING, _SUSPECTED.format("out-of-order segment")),
    AnalysisFlag.LOST_SEGMENT: TcpItem(
        WARNING, "Previous segment(s) not captured (common at capture start)"
    ),
    AnalysisFlag.ACK_LOST_SEGMENT: TcpItem(
        WARNING, "ACKed segment that wasn't captured (common at capture start)"
    ),
    AnalysisFlag.KEEP_ALIVE: TcpItem(NOTE, "TCP keep-alive segment"),
    AnalysisFlag.KEEP_ALIVE_ACK: TcpItem(NOTE, "ACK to a TCP keep-alive segment"),
    AnalysisFlag.ZERO_WINDOW: TcpItem(WARNING, "TCP Zero Window segment"),
    AnalysisFlag.ZERO_WINDOW_PROBE: TcpItem(NOTE, "TCP Zero Window Probe"),
    AnalysisFlag.ZERO_WINDOW_PROBE_ACK: TcpItem(NOTE, "ACK to a TCP Zero Window Probe"),
    AnalysisFlag.WINDOW_UPDATE: TcpItem(CHAT, "TCP window update"),
    AnalysisFlag.WINDOW_FULL: TcpItem(
        WARNING, "TCP window specified by the receiver is now completely full"
    ),
}
_REPEATED: Final = AnalysisFlag.FAST_RETRANSMISSION | AnalysisFlag.SPURIOUS_RETRANSMISSION
"""Retransmissions of which Wireshark says that they are some as well."""


def tcp_items(segment: TcpSegment) -> Iterator[TcpItem]:
    """Yield the items of a segment."""
    flags, found = segment.flags, segment.analysed
    if flags & SYN:
        what, port = ("acknowledge (SYN+ACK)", segment.srcport)
        if not flags & ACK:
            what, port = ("request (SYN)", segment.dstport)
        yield TcpItem(CHAT, f"Connection establish {what}: server port {port}")
    if flags & FIN:
        yield TcpItem(CHAT, "Connection finish (FIN)")
        what = "initiates" if found.initiates_close else "undergoes"
        yield TcpItem(NOTE, f"This frame {what} the connection closing")
    if flags & RST:
        yield TcpItem(WARNING, "Connection reset (RST)")
    if found.flags & AnalysisFlag.DUPLICATE_ACK:
        yield TcpItem(NOTE, f"Duplicate ACK (#{found.duplicates})")
    if found.flags & _REPEATED:
        yield _ANALYSED[AnalysisFlag.RETRANSMISSION]
    yield from (item for flag, item in _ANALYSED.items() if found.flags & flag)
