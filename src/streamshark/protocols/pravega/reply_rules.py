"""Rules for what replies repeat of their requests, and for what is left without a reply."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega import predicates
from streamshark.protocols.pravega.conversations import OF_WRITER
from streamshark.protocols.pravega.row_names import (
    CONDITIONAL,
    NOT_INTERNAL,
    REPEATING,
    not_internal,
)
from streamshark.protocols.pravega.sources import CLIENT, DECODER, SERVER, STORE, WIRE

HELLOS: Final = (
    Rule(
        id="PRV-B150",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="first command of the segment store is not HELLO",
        on="server:any",
        when="S.last_n is None and name not in ('hello', 'unknown') and dialect == '' and "
        "not starts(name, 'controller_')",
        needs="start whole both",
        message="the first command of the segment store is {name}, not HELLO",
        cause="The store answers HELLO first: a client that waits for it does not go on, and one "
        "that does not wait cannot know the version.",
        source=f"{WIRE}, Hello; {STORE}, handler/ServerConnectionInboundHandler.java",
        guilty="server",
    ),
    Rule(
        id="PRV-B150b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="second HELLO of the segment store",
        on="server:hello",
        when="S.hello_n is not None",
        needs="",
        evidence="n, S.hello_n",
        message="the segment store sent HELLO again, after the one in frame {S.hello_n}",
        cause="The store answers HELLO twice, or two parts of it answer.",
        source=f"{WIRE}, Hello",
        healthy="Clients take the newest version that it states.",
        guilty="server",
    ),
    Rule(
        id="PRV-B150c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="HELLO without an answer",
        on="end:conn",
        when="C.hello_n is not None and S.frames == 0 and t - C.hello_t > ANSWER_LATE",
        needs="start whole both",
        evidence="C.hello_n",
        message="HELLO had no answer for {t - C.hello_t:time}, until the connection ended",
        cause="The store does not answer, or what listens at this address is not one.",
        source=f"{WIRE}, Hello",
        guilty="server",
    ),
)

WRITERS: Final = (
    Rule(
        id="PRV-B151",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="acknowledgement with the request id of no append",
        on="data_appended",
        when=f"request_id is not None and writer.request is not None and not {OF_WRITER}",
        needs="object both whole",
        of="writer",
        evidence="n, writer.sent_n",
        message="DATA_APPENDED for the writer of {writer.segment} has request id {request_id}, "
        "which neither its set-up nor an append of it has",
        cause="The store answers with another id than that of the request: clients that find their "
        "request by it drop the acknowledgement.",
        source=f"{WIRE}, DataAppended; {SERVER}",
        guilty="server",
    ),
    Rule(
        id="PRV-B151b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="event number acknowledged twice",
        on="data_appended",
        when="event_number == writer.acked and writer.acked_n is not None",
        needs="object both whole",
        of="writer",
        evidence="n, writer.acked_n",
        message="DATA_APPENDED acknowledges event {event_number} of the writer of "
        "{writer.segment}, which frame {writer.acked_n} has acknowledged",
        cause="The store acknowledges an append twice, or the writer has sent it twice.",
        source=f"{WIRE}, DataAppended; {SERVER}",
        healthy="A writer that sends an append again.",
        guilty="server",
    ),
    Rule(
        id="PRV-B151c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="acknowledgement that does not follow the one before",
        on="data_appended",
        when="previous_event_number < writer.acked and event_number > writer.acked",
        needs="object both whole",
        of="writer",
        evidence="n, coalesce(writer.acked_n, writer.ready_n)",
        message="DATA_APPENDED states {previous_event_number} as the last number that was "
        "acknowledged for the writer of {writer.segment}; that was {writer.acked}",
        cause="The store has lost count of what it has acknowledged.",
        source=f"{WIRE}, DataAppended; {SERVER}",
        guilty="server",
    ),
    Rule(
        id="PRV-B152",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="length of a segment that falls while events are stored",
        on="data_appended",
        when="event_number > writer.acked and 0 <= current_segment_write_offset and "
        "current_segment_write_offset < writer.stored_at",
        needs="object both whole",
        of="writer",
        evidence="n, writer.acked_n",
        message="DATA_APPENDED states a length of {current_segment_write_offset} bytes for "
        "{writer.segment}, although frame {writer.acked_n} stated {writer.stored_at} for fewer "
        "events",
        cause="The store states the length of another time or another segment: a client that "
        "takes it for its position reads or writes at the wrong place.",
        source=f"{WIRE}, DataAppended (currentSegmentWriteOffset); {SERVER}",
        guilty="server",
    ),
    Rule(
        id="PRV-B152b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="length of a segment below the bytes that its writer has stored",
        on="data_appended",
        when="event_number == writer.sent and writer.reach is None and "
        "0 <= current_segment_write_offset < writer.bytes",
        needs="object both whole",
        of="writer",
        evidence="n, writer.sent_n",
        message="DATA_APPENDED states a length of {current_segment_write_offset} bytes for "
        "{writer.segment}, but the events that it acknowledges have {writer.bytes}",
        cause="The store states the length of another time or another segment, or it has not "
        "stored all events.",
        source=f"{WIRE}, DataAppended (currentSegmentWriteOffset); {SERVER}",
        guilty="server",
        echo_of="PRV-B152",
    ),
    Rule(
        id="PRV-B153",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="conditional append stored at another offset than expected",
        on="data_appended",
        when="event_number == writer.expecting and current_segment_write_offset >= 0 and "
        "current_segment_write_offset != writer.expected_end",
        needs="object both whole",
        of="writer",
        evidence="n, writer.sent_n",
        message="the conditional append of event {event_number} was acknowledged with a length of "
        "{current_segment_write_offset} bytes, but its condition and its size make "
        "{writer.expected_end}",
        cause="The store has not checked the condition: an update of another writer is "
        "overwritten or missed.",
        source=f"{WIRE}, ConditionalAppend; ConditionalBlockEnd; {SERVER}",
        guilty="server",
    ),
    Rule(
        id="PRV-B154",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="conditional append with a number that does not increase",
        on=CONDITIONAL,
        when="event_number <= writer.sent and writer.sent_n is not None and "
        "event_number != coalesce(writer.refused, NONE)",
        needs="object",
        of="writer",
        evidence="n, writer.sent_n",
        message="the conditional append has event number {event_number}, after {writer.sent} in "
        "frame {writer.sent_n}",
        cause="The store takes the append for one that it has stored, and drops it.",
        source=f"{WIRE}, ConditionalAppend; {CLIENT}, ConditionalOutputStreamImpl.java",
    ),
    Rule(
        id="PRV-B155",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="SETUP_APPEND again before its answer",
        on="setup_append",
        when="writer.state == 'asked' and writer.segment == segment",
        needs="object both whole",
        of="writer",
        evidence="n, writer.setup_n",
        message="SETUP_APPEND for {segment} was sent again, before the answer to the one in frame "
        "{writer.setup_n}",
        cause="Two threads set the writer up, or it does not wait for the answer.",
        source=f"{WIRE}, SetupAppend; {CLIENT}, SegmentOutputStreamImpl.java",
        healthy="The store answers both.",
    ),
)

REPLIED: Final = (
    *(
        Rule(
            id="PRV-B156",
            severity=Severity.WARNING,
            group=Group.RESPONSE,
            title="reply about another segment than its request",
            on=on,
            when=f"segment != {of}{also}",
            needs="object both whole" if of == "writer.segment" else "start both whole",
            of="conn",
            evidence=f"n, {asked}",
            message=f"{{name}} is about {{segment}}, but its request about {{{of}}}",
            cause="The store answers another request, or two requests have one id.",
            source=f"{WIRE}, Reply",
            guilty="server",
        )
        for on, of, asked, also in (
            ("append_setup", "writer.segment", "writer.setup_n", ""),
            (
                REPEATING,
                "req.segment",
                "req.n",
                " and req.asked != 'create_transient_segment'",
            ),
        )
    ),
    Rule(
        id="PRV-B156b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="SEGMENT_READ with the request id of no READ_SEGMENT",
        on="segment_read",
        when="reader.state == 'absent' and request_id is not None and not orphan",
        needs="start both whole",
        of="conn",
        evidence="n, req.n",
        message="SEGMENT_READ for {segment} at {fields.offset} has request id {request_id}, which "
        "no READ_SEGMENT for this segment has",
        cause="The store answers with another id than that of the request: clients that find their "
        "request by it wait for the answer.",
        source=f"{WIRE}, SegmentRead; ReadSegment",
        guilty="server",
    ),
    Rule(
        id="PRV-B156c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="TABLE_READ for another key than the request",
        on="table_read",
        when="len(req.wanted_key) > 0 and len(first(entries.key.data)) > 0 and "
        "first(entries.key.key_version) >= 0 and first(entries.key.data) != req.wanted_key",
        needs="start both whole",
        of="conn",
        evidence="n, req.n",
        message="TABLE_READ for {segment} begins with the entry of another key than READ_TABLE "
        "asked for",
        cause="The store answers another request, or keys are compared wrongly.",
        source=f"{WIRE}, TableRead; ReadTable",
        guilty="server",
    ),
    Rule(
        id="PRV-B160",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="append block without its end when the connection ended",
        on="end:conn",
        when="C.block_n is not None and why in ('closed', 'reset')",
        needs="start both whole",
        evidence="C.block_n",
        message="the connection ended between APPEND_BLOCK and its APPEND_BLOCK_END",
        cause="The client was stopped while it wrote: the store drops the block, and its events "
        "have to be sent again.",
        source=f"{WIRE}, AppendBlockEnd",
        healthy="A program that is stopped, and sends the events on its next connection.",
    ),
    Rule(
        id="PRV-B161",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed by the segment store",
        on="server:tcp.close",
        when="conn.client_left is None and conn.outside == 1 and S.frames > 0 and "
        "t - C.last_t < IDLE",
        needs="start both whole",
        of="conn",
        evidence="max(S.last_n, C.last_n)",
        message="the segment store closed the connection {t - max(S.last_t, C.last_t):time} after "
        "its last command",
        cause="The store ends or fails, or does not accept what the client sent last: its log says "
        "which.",
        source=f"{STORE}, handler/ServerConnectionInboundHandler.java, exceptionCaught",
        healthy="A store that is stopped.",
        guilty="server",
        echo_of="PRV-B25",
    ),
    Rule(
        id="PRV-B162",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="size of an append that is not that of its events",
        on="append_block_end",
        when="C.block_n is None and len(data) > 0 and size_of_whole_events not in (0, len(data))",
        needs="start both whole",
        of="writer",
        message="APPEND_BLOCK_END without a block has {len(data):count byte}, but states "
        "{size_of_whole_events}",
        cause="The size counts what belongs to an APPEND_BLOCK before it: the store takes the "
        "bytes at the wrong place.",
        source=f"{WIRE}, AppendBlockEnd; {DECODER}",
        guilty="client",
    ),
    Rule(
        id="PRV-B163",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="fewer events in an append than declared",
        on="append_block_end",
        when="num_events > 0",
        predicate=predicates.is_overstated,
        reads="num_events size_of_whole_events data C.block C.block_n",
        needs="whole start",
        of="writer",
        message="APPEND_BLOCK_END declares {num_events:count event}, but the append has {found}",
        cause="The store counts events that do not exist: numbers of events and statistics are "
        "wrong.",
        source=f"{WIRE}, AppendBlockEnd (numEvents); {DECODER}",
        healthy="Java's client states one more now and then.",
        guilty="client",
    ),
    Rule(
        id="PRV-B157",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="segment that begins after its end",
        on="stream_segment_info",
        when="start_offset > write_offset",
        needs="",
        of="conn",
        evidence="n, req.n",
        message="{name} for {segment} states a start of {start_offset} and a length of "
        "{write_offset} bytes",
        cause="The store states the start or the length of another segment.",
        source=f"{WIRE}, StreamSegmentInfo",
        guilty="server",
    ),
    Rule(
        id="PRV-B158",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same bytes of a segment asked for before the answer",
        on="read_segment",
        when=f"duplicate and {NOT_INTERNAL}",
        needs="start both whole",
        of="conn",
        evidence="n, duplicate_of",
        message="READ_SEGMENT for {segment} at {fields.offset} was sent again, before the answer "
        "to the one in frame {duplicate_of}",
        cause="Two readers of a program share a connection, or a timeout of the client is shorter "
        "than the store waits for data.",
        source=f"{WIRE}, ReadSegment; {CLIENT}, AsyncSegmentInputStreamImpl.java",
        healthy="Two readers of one segment.",
    ),
)

UNANSWERED: Final = (
    Rule(
        id="PRV-B159",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request without an answer when its connection ended",
        on="unanswered:call unanswered:set_up",
        when="why in ('closed', 'reset') and t <= req.t + ANSWER_LATE and "
        + not_internal("req.segment"),
        needs="start whole both",
        of="conn",
        evidence="req.n",
        message="{req.asked} for {req.segment} had no answer when the connection ended, "
        "{t - req.t:time} after it",
        cause="The connection was closed while a request was open: the client cannot know whether "
        "it was executed.",
        by="'passed' if conn.answered_of_n > req.n else 'open'",
        causes={
            "passed": "Later requests of this connection were answered: the store has lost this "
            "one, or needs longer for it.",
        },
        source=f"{WIRE}, Request; {CLIENT}, connection/impl/RawClient.java",
        healthy="A program that ends while a request takes long.",
    ),
)

REPLY_RULES: Final = (*HELLOS, *WRITERS, *REPLIED, *UNANSWERED)
"""Part of `findings`."""
