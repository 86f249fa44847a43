"""Rules for what clients leave: events that were lost with a connection, and connections."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.sources import CLIENT, WIRE

LEFTOVER_RULES: Final = (
    Rule(
        id="PRV-B220",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections for one request each, open until the program ends",
        on="end:conn",
        when="crowd.count + 1 == CROWD_LIMIT and t - crowd.begun_t <= CROWD_TIME and "
        "conn.finished == 1 and C.frames - coalesce(conn.alives, 0) == 2 and "
        "t - crowd.oldest_t > CLOSED_AFTER",
        needs="start whole both",
        per="client, server",
        evidence="C.last_n, crowd.first_n",
        message="{client} closed {CROWD_LIMIT} connections to {server} within {CROWD_TIME:time}, "
        "each of which had one request; the oldest was open for {t - crowd.oldest_t:time} after "
        "that and not used again",
        cause="The client opens a connection for each request and closes it only when the program "
        "ends: connections and memory of the store grow as long as it runs.",
        source=f"{CLIENT}, ConnectionPoolImpl.java; pravega pull request 872",
        healthy="A program that asks much at its start, over more connections than a pool has.",
    ),
    Rule(
        id="PRV-B221",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="events that were lost with a connection and are not sent again",
        on="end:writer",
        when="writer.owed is not None and writer.appends == 0 and t - writer.owed_t > SENT_AGAIN",
        needs="whole both",
        evidence="writer.ready_n, writer.owed_n",
        message="the writer of {writer.segment} had sent event {writer.owed} when its connection "
        "was lost; APPEND_SETUP says that {writer.owed_after if writer.owed_after > NONE else "
        "'none'} was stored last, and in {t - writer.owed_t:time} the writer sent no event again",
        cause="The client does not send again what was not acknowledged: the events are lost, and "
        "a flush of the writer waits for ever.",
        source=f"{WIRE}, AppendSetup; pravega issue 3313",
        healthy="A program that gives the events up.",
        echo_of="PRV-B160",
    ),
)
"""Part of the rules of the protocol."""
