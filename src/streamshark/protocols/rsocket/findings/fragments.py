"""Rules about fragments of requests and payloads."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.conversations import ANSWER, PAYLOAD

FRAGMENTS: Final = (
    Rule(
        id="RSK-F1",
        severity=Severity.WARNING,
        group=Group.REASSEMBLE,
        title="fragmented frame without its last fragment",
        on="end:stream",
        when="stream.asking == 1 and why in ('closed', 'reset') or "
        "(stream.cut_n is not None or stream.own_cut_n is not None) and why == 'closed'",
        needs="object both",
        evidence="stream.n",
        message="stream {stream.id} has a frame with the FOLLOWS flag, but no last fragment",
        cause="The connection ended between two fragments, or FOLLOWS is set on a frame that is "
        "complete.",
        source="Protocol.md, Fragmentation and Reassembly",
    ),
    Rule(
        id="RSK-F2",
        severity=Severity.WARNING,
        group=Group.REASSEMBLE,
        title="metadata after data in fragments",
        on=PAYLOAD,
        when="len(metadata) > 0 and "
        f"({ANSWER} and stream.answer_data == 1 or side == stream.owner and stream.own_data == 1)",
        needs="object",
        message="a fragment on stream {stream.id} has metadata after a fragment with data",
        cause="All metadata is sent before data.",
        source="Protocol.md, Fragmentation and Reassembly",
    ),
    Rule(
        id="RSK-F3",
        severity=Severity.WARNING,
        group=Group.REASSEMBLE,
        title="fragment with neither NEXT nor COMPLETE",
        on="payload",
        when=f"not flags.next and not flags.complete and ({ANSWER} and stream.answer_cut == 1 or "
        "side == stream.owner and (stream.asking == 1 or stream.own_cut == 1))",
        needs="object",
        message="a fragment on stream {stream.id} has neither NEXT nor COMPLETE set",
        cause="The protocol does not require it, but rsocket-java closes the connection.",
        source="Protocol.md, PAYLOAD Frame (0x0A); rsocket-java 1.1.5; rsocket-cpp issue 902",
    ),
    Rule(
        id="RSK-F4",
        severity=Severity.WARNING,
        group=Group.REASSEMBLE,
        title="fragment below the minimum size",
        on="payload",
        when="flags.follows and size < SMALL_FRAGMENT and "
        f"({ANSWER} and stream.answer_cut == 1 or "
        "side == stream.owner and (stream.asking == 1 or stream.own_cut == 1))",
        needs="object",
        message="a fragment of {size} bytes is not the last one",
        cause="All fragments but the last must have at least 64 bytes; rsocket-java refuses "
        "smaller ones.",
        source="Protocol.md, Fragmentation and Reassembly; rsocket-java 1.1.5, ReassemblyUtils",
    ),
)
