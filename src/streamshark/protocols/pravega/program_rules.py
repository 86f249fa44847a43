"""Rules for the parts of programs: timers that run twice, slow acknowledgements, lost writers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.programs import ACKNOWLEDGED
from streamshark.protocols.pravega.row_names import SHOWING, not_internal
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
        when="dweller.wrote_t - holder.left_t > SET_UP_AGAIN and " + not_internal("holder.segment"),
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
    Rule(
        id="PRV-B230",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="delegation token shown again after its refusal",
        on=SHOWING,
        when="t - purse.refused_t > TOKEN_TIME and purse.refused == delegation_token",
        needs="",
        of="purse",
        per="client, server",
        evidence="n, purse.refused_n",
        message="{name} has the token that the segment store refused {t - purse.refused_t:time} "
        "before",
        cause="The client keeps its token: each request with it is refused, and each attempt "
        "costs a connection or a round trip.",
        source=f"{WIRE}, AuthTokenCheckFailed; pravega issues 4463 and 7188",
    ),
    Rule(
        id="PRV-B231",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="segment that its store does not get",
        on="repetition:astray",
        when="t - astray.first_t > ASTRAY_TIME and conn.internal_n is None",
        needs="",
        evidence="coalesce(req.n, n), n, astray.second_n, astray.first_n",
        message="for {t - astray.first_t:time} the segment store has answered requests for "
        "{segment} with WRONG_HOST, and names no other one",
        cause="The controller goes on naming a store that does not have the container: its map of "
        "hosts is that of an earlier cluster, or the container does not start.",
        source=f"{WIRE}, WrongHost; pravega-operator issue 91",
        guilty="server",
    ),
    Rule(
        id="PRV-B232",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that stays and writes nothing after SEGMENT_IS_SEALED",
        on="end:writer",
        when="C.last_t - writer.sealed_t > SEAL_AWAY and writer.sent > writer.acked and "
        "writer.transaction is None and coalesce(output.set_up_t, 0) <= writer.sealed_t",
        needs="start whole object both",
        of="writer",
        evidence="writer.sent_n, writer.sealed_n",
        message="the append of event {writer.sent} to {writer.segment} had the answer "
        "SEGMENT_IS_SEALED; {client} kept the connection for {C.last_t - writer.sealed_t:time} "
        "and wrote to no other segment of the stream",
        cause="The writer waits for ever: it has to ask the controller for the successors, and to "
        "write there what has no acknowledgement.",
        source=f"{CLIENT}, EventStreamWriterImpl.java; pravega issues 2528 and 4411",
        healthy="The whole stream is sealed, and the program knows it.",
        echo_of="PRV-B190 PRV-B28",
    ),
    Rule(
        id="PRV-B234",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="read without an answer although there are more bytes",
        on="end:input",
        when="t - input.asked_t > UNSTORED and input.more == 1 and "
        "input.asked == input.reached and coalesce(S.refused_read_t, 0) < input.asked_t and "
        f"conn.token_refused_n is None and {not_internal('input.segment')}",
        needs="object both whole",
        of="input",
        evidence="input.asked_n, input.reached_n",
        message="the read of {input.segment} at {input.asked} had no answer for "
        "{t - input.asked_t:time}, although the one before was not at the tail: there are more "
        "bytes",
        cause="The segment store has lost the read, or its storage does not answer; a reader "
        "without a timeout waits for ever.",
        source=f"{WIRE}, ReadSegment, SegmentRead; pravega issue 4766",
        guilty="server",
    ),
)
"""Part of `findings`."""
