"""Rules for readers that stop at a cut, and for readers that read what another one reads."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.reading_stops import READ_BY_TWO, STOPPED, WRITTEN_AGAIN
from streamshark.protocols.pravega.sources import CLIENT, WIRE

READING_STOP_RULES: Final = (
    Rule(
        id="PRV-B236",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reader that ends at a truncated segment",
        on="end:pile",
        when=f"pile.flow >= 0 and {STOPPED}",
        needs="all",
        evidence="pile.cut_n, pile.asked_n, pile.wrote_n",
        message="the read of {pile.segment} at {pile.place} was refused, since the segment begins "
        "at {pile.start} now, and nothing has read it since, though events were appended up to "
        "{pile.wrote_t - pile.cut_t:time} later",
        cause="The reader takes TruncatedDataException for the end of its work: the next call goes "
        "on at the start of what is left. Retention that waits for the positions of the reader "
        "group loses nothing.",
        source=f"{WIRE}, SegmentIsTruncated; {CLIENT}, EventStreamReader.java; pravega issue 3965",
        healthy="A reader that is not in the captures goes on.",
        echo_of="PRV-B61b",
    ),
    Rule(
        id="PRV-B239",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections of segments that are read to their end, which pile up",
        on="end:spent",
        when="spent.flow >= 0 and spent.beside >= SPENT_AGAIN",
        needs="",
        evidence="spent.first_n, spent.beside_n",
        message="{spent.count} connections stayed open when the sealed segment that they were for "
        "was read to its end, with nothing but KEEP_ALIVE; {spent.beside} times the client opened "
        "another one beside them: each scale of the stream leaves more",
        cause="The client keeps a connection for each segment: it has to close it at the end of "
        "the segment, or to read several segments on one.",
        source=f"{CLIENT}, SegmentInputStreamFactoryImpl.java; pravega issue 2243",
        healthy="A pool that keeps connections in reserve.",
        guilty="client",
    ),
    Rule(
        id="PRV-B240",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="events of a committed transaction written again in another one",
        on="append_block_end",
        when=WRITTEN_AGAIN,
        needs="",
        of="writer",
        evidence="n, transaction.merged_n",
        message="{last_event_number} events or more for {writer.segment} begin with the one that "
        "{writer.same_as} began with, which had been committed: readers get them twice",
        cause="The answer to the commit was lost, or the second commit was refused, and the "
        "program takes that for a failure: it has to ask for the state of the transaction, which "
        "is COMMITTED, and to go on.",
        source=f"{CLIENT}, Transaction.java, checkStatus; pravega issue 1159",
        healthy="Events that happen to be equal.",
    ),
    Rule(
        id="PRV-B237",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="segment that two readers of a group read at the same time",
        on="end:pile",
        when=f"pile.flow >= 0 and {READ_BY_TWO}",
        needs="all",
        evidence="pile.twice_n, pile.again_n",
        message="two connections read {pile.segment} at the same time, and both received "
        "{pile.shared:count byte} of it, though all readers in these captures are in one group: "
        "its events are handled twice",
        cause="A reader has taken a segment that another one of its group owns: its state of the "
        "group is out of date, or it reads beside the group.",
        source=f"{CLIENT}, ReaderGroupStateManager.java; pravega issue 567",
        healthy="A batch job or a byte stream that reads beside the group.",
    ),
)
"""Part of the rules of the protocol."""
