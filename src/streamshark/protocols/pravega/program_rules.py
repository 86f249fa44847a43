"""Rules for the parts of programs: timers that run twice, slow acknowledgements, lost writers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.programs import ACKNOWLEDGED
from streamshark.protocols.pravega.row_names import NOT_INTERNAL
from streamshark.protocols.pravega.sources import CLIENT, WIRE

PROGRAM_RULES: Final = (
    Rule(
        id="PRV-B100",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="two KEEP_ALIVEs in each interval",
        on="repetition:paired_alive",
        needs="since",
        evidence="n, C.paired_alive_second_n",
        message="{PAIRS_LIMIT} times in a row two KEEP_ALIVEs came together, the last ones "
        "{t - C.ticked_t:time} apart, {C.tick_gap:time} after those before",
        cause="Two timers run for one connection: one was started again, such as after a "
        "reconnect, and the former one was not stopped.",
        source=f"{WIRE}, KeepAlive",
        healthy="A timer that was held up.",
    ),
    Rule(
        id="PRV-B101",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="acknowledgements that take longer and longer",
        on="data_appended",
        when=f"writer.climb >= ACK_CLIMB and {ACKNOWLEDGED} > writer.ack_took and "
        f"{ACKNOWLEDGED} > ACK_SLOW and {ACKNOWLEDGED} >= writer.climb_from * 10",
        needs="object both",
        evidence="n, writer.sent_n, writer.climb_n",
        message="{writer.climb + 1} acknowledgements in a row for the writer of {writer.segment} "
        "each took longer than the one before, from {writer.climb_from:time} on; the last one "
        f"took {{{ACKNOWLEDGED}:time}}",
        cause="The segment store gets more than it can store, or its storage is slow: events wait "
        "in a queue.",
        source=f"{WIRE}, DataAppended",
        healthy="A burst that is worked off.",
        guilty="server",
    ),
    Rule(
        id="PRV-B102",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="writer with unacknowledged events that is not set up again",
        on="end:holder",
        when="dweller.wrote_t - holder.left_t > SET_UP_AGAIN and "
        + NOT_INTERNAL.replace("segment", "holder.segment"),
        needs="all",
        of="holder",
        evidence="holder.left_n, dweller.wrote_n",
        message="the connection of a writer of {holder.segment} ended with unacknowledged events, "
        "and the writer was not set up again, while its client went on writing elsewhere for "
        "{dweller.wrote_t - holder.left_t:time}",
        cause="The client does not connect this writer again after it lost its connection: its "
        "events are lost, and what waits for them waits forever.",
        source=f"{CLIENT}, SegmentOutputStreamImpl.java, reconnect",
        healthy="A program that gives the writer up and reports it.",
    ),
)
"""Part of `findings`."""
