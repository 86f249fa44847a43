"""Rules for what Pravega clients do over time: retry loops, polls, waste, leaks, shared writers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.row_names import OF_TRANSACTION

_CLASSES: Final = "pravega/pravega v0.13.0, shared/protocol"
_WIRE: Final = f"{_CLASSES}, WireCommands.java"
_CLIENT: Final = "pravega/pravega v0.13.0, client"
_STORE: Final = "pravega/pravega v0.13.0, segmentstore/server/host"

LOOPS: Final = (
    Rule(
        id="PRV-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="refused request repeated unchanged",
        on="repetition:refused",
        needs="",
        message="{name} for {req.segment}, {REFUSED_LIMIT} times in a row, {REFUSED_PAUSE:time} "
        "apart at most",
        cause="The client repeats the request as it was, without a pause that grows.",
        by="name",
        causes={
            "no_such_segment": "The segment was deleted, or never existed: the client has to ask "
            "the controller for the current segments.",
            "segment_is_truncated": "The client has to continue at the start offset in the answer.",
            "segment_is_sealed": "The client has to ask the controller for the segments that "
            "follow.",
            "table_key_bad_version": "The entry has changed: the client has to read it again, and "
            "update its new version.",
            "table_key_does_not_exist": "The entry was removed: the client has to read the table "
            "again.",
        },
        source="pravega issues 2512, 2644 and 6195",
    ),
    Rule(
        id="PRV-B2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="conditional append repeated with the same stale offset",
        on="repetition:stale",
        needs="",
        message="{STALE_LIMIT} conditional appends in a row to {writer.segment} expected it to end "
        "at {writer.expected}, which it does not",
        cause="The client does not handle CONDITIONAL_CHECK_FAILED: it has to read what others "
        "have written, and then expect the new length.",
        source="pravega issue 5767",
    ),
    Rule(
        id="PRV-B3",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of KEEP_ALIVE",
        on="repetition:kept_alive",
        needs="",
        message="{ALIVE_LIMIT} KEEP_ALIVE in a row, {POLL_PAUSE:time} apart at most, and no "
        "append or read between them",
        cause="The client flushes in a loop: each flush sends KEEP_ALIVE, although nothing has to "
        "be stored.",
        source="pravega issue 3878",
    ),
    Rule(
        id="PRV-B4",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="conditional attribute update fails repeatedly",
        on="repetition:unset",
        needs="",
        message="{REFUSED_LIMIT} updates in a row of an attribute of {req.segment} did not find "
        "the expected value",
        cause="The client repeats the update with an old value: it has to read the attribute "
        "(GET_SEGMENT_ATTRIBUTE) before.",
        source=f"{_WIRE}, UpdateSegmentAttribute",
    ),
    Rule(
        id="PRV-B5",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="table polled for changes without a pause",
        on="repetition:no_changes",
        needs="",
        evidence="req.n, n, no_changes.second_n, no_changes.first_n",
        message="{POLL_LIMIT} READ_TABLE_ENTRIES_DELTA in a row found nothing after position "
        "{last_position} of {segment}, {POLL_PAUSE:time} apart at most",
        cause="Each poll costs a round trip and work of the store; a pause that grows while "
        "nothing changes saves both.",
        source="pravega issue 1075",
        healthy="A reader group of the Rust and Python clients that waits for events.",
    ),
    Rule(
        id="PRV-B6",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment length queried repeatedly",
        on="repetition:polled",
        needs="",
        evidence="req.n, n, polled.second_n, polled.first_n",
        message="{POLL_LIMIT} GET_STREAM_SEGMENT_INFO in a row said that {segment} ends at "
        "{write_offset}, {POLL_PAUSE:time} apart at most",
        cause="The client polls for changes, or asks for the length before each step; a read at "
        "the tail waits until something is written.",
        source="pravega issue 1892",
        healthy="A program that waits for updates of a revisioned stream.",
    ),
    Rule(
        id="PRV-B7",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment tail polled without a pause",
        on="repetition:tail_polled",
        needs="",
        evidence="req.n, n, tail_polled.second_n, tail_polled.first_n",
        message="{POLL_LIMIT} reads in a row at {fields.offset}, the tail of {segment}, were "
        "empty, {POLL_PAUSE:time} apart at most",
        cause="The client reads again at once although nothing was written.",
        source="pravega issue 1075",
        healthy="A store that answers reads at the tail at once.",
    ),
    *(
        Rule(
            id="PRV-B8",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="first page of a table read repeatedly",
            on=f"repetition:first_{items}",
            needs="",
            message="{PAGE_LIMIT} requests in a row without a continuation token returned the same "
            "first page of {segment}, and none asked for the rest",
            cause="The client does not pass on the continuation token of the answer, so that it "
            "never reaches the other keys.",
            source="pravega issue 5272",
            healthy="A program that wants any few of the keys.",
        )
        for items in ("keys", "entries")
    ),
    Rule(
        id="PRV-B9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same bytes of a segment read repeatedly",
        on="repetition:read_again",
        needs="",
        message="{SAME_LIMIT} reads in a row returned the bytes at {fields.offset} of {segment}",
        cause="The client does not move its offset on after an answer.",
        source=f"{_CLIENT}, AsyncSegmentInputStreamImpl.java",
        healthy="Several readers that read a segment at the same time.",
    ),
)

WASTE: Final = (
    Rule(
        id="PRV-B10",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment read in small pieces",
        on="roundtrips:read_in_bits",
        needs="",
        evidence="n, input.read_in_bits_second_n, input.read_in_bits_first_n",
        message="{STEP_LIMIT} reads in a row of {segment} asked for less than {TINY} bytes each, "
        "{suggested_length} last, right after the answer before",
        cause="Each read costs a round trip: the client reads without a buffer.",
        source="pravega-client-rust issue 153",
        healthy="A segment of small entries, of which each is read for itself.",
    ),
    Rule(
        id="PRV-B11",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="each event waits for its acknowledgement",
        on="roundtrips:stored_singly",
        needs="",
        message="{ACKED_LIMIT} appends in a row to {writer.segment} had one event each, and were "
        "sent after DATA_APPENDED for the one before",
        cause="Each event costs a round trip; a writer may have many events outstanding.",
        source=f"{_CLIENT}, EventStreamWriter.java",
        healthy="A program that must know that an event is stored before it goes on.",
    ),
    Rule(
        id="PRV-B12",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="one event per append at full speed",
        on="ratio:single",
        needs="",
        message="{writer.single_count} of {writer.appends} appends to {writer.segment} had one "
        "event, while others of the writer waited for their acknowledgement",
        cause="The writer does not batch: each append costs a frame and an operation of the store.",
        source=f"{_CLASSES}, AppendEncoder.java",
        healthy="A client that sends each event as soon as it is written.",
    ),
)

LEAKS: Final = (
    Rule(
        id="PRV-B13",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new connection for each request",
        on="churn:reconnected",
        needs="start whole both",
        message="connection {CONNECTION_LIMIT} in a row of {client} to {server}, each with at most "
        "one request, is closed again",
        cause="The client does not keep its connections: each costs HELLO and a round trip more.",
        source=f"{_CLIENT}, ConnectionPoolImpl.java",
        healthy="A tool that does one thing and ends, started in a loop.",
    ),
    Rule(
        id="PRV-B14",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections left open after one request",
        on="leak:left_open",
        needs="",
        message="{left_open.left} connections of the client were left open after one request, and "
        "not used again",
        cause="The client opens a connection for each request and does not close it: connections "
        "and memory of the store grow without bound.",
        source="pravega issue 1373; pravega-client-rust issue 223",
        healthy="A pool that has connections in reserve.",
    ),
    Rule(
        id="PRV-B15",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new writer for each event",
        on="leak:brief_writers",
        needs="",
        message="{brief_writers.left} of {brief_writers.all} writers of one segment appended once "
        "at most",
        cause="The client creates a writer for each event, or for each attempt: each set-up costs "
        "a round trip, and the store keeps an attribute for each writer id.",
        source=f"{_STORE}, AppendProcessor.java",
        healthy="Many programs that write one event each.",
    ),
    Rule(
        id="PRV-B16",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="transaction with events aborted",
        on="delete_segment",
        when=f"{OF_TRANSACTION} and transaction.used_n is not None and "
        "transaction.merged_n is None",
        needs="",
        of="transaction",
        evidence="transaction.setup_n, transaction.used_n, n",
        message="{segment} is deleted with the events that its writer appended: the transaction is "
        "not committed",
        cause="The client aborted the transaction, or let its lease end without a commit or a "
        "ping: the events are lost.",
        source="pravega issues 4147 and 6117",
        healthy="A program that aborts on purpose.",
    ),
)

IDENTITY: Final = (
    Rule(
        id="PRV-B17",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writer id used by two connections at once",
        on="identity:shared_writer",
        needs="",
        message="the writer of {writer.segment} appends up to event {writer.sent} on this "
        "connection although another one has set it up since",
        cause="Two programs, or two threads, append with one writer id: their event numbers "
        "collide, so that events are taken for duplicates and dropped.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 3909",
    ),
    Rule(
        id="PRV-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writer id set up by two connections in turn",
        on="alternation:writer_in_turn",
        needs="",
        message="a writer of {segment} is set up again on a connection from which another one had "
        "taken it over",
        cause="Two programs use one writer id: each takes the writer from the other.",
        source=f"{_STORE}, AppendProcessor.java",
    ),
    Rule(
        id="PRV-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="several reads under way with one request id",
        on="backlog:under_way",
        when="conn.token_refused_n is None and request_id >= 0",
        needs="",
        message="{OPEN_READS} reads of {segment} with request id {request_id} are under way, for "
        "{fields.offset} last",
        cause="The client does not give each request an id of its own: an answer may be taken for "
        "that of another read.",
        source=f"{_WIRE}, ReadSegment; pravega issue 3909",
    ),
    Rule(
        id="PRV-B20",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="truncation offset goes back",
        on="sequence:truncated_back",
        needs="",
        message="{segment} is to be truncated at {truncation_offset}, after it was at "
        "{truncated_back.last}",
        cause="Two programs truncate the stream, or one uses an old stream cut: what was "
        "truncated does not come back.",
        source=f"{_WIRE}, TruncateSegment",
        healthy="A program that keeps the oldest position of several readers.",
    ),
)

UNANSWERED: Final = (
    Rule(
        id="PRV-B21",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request without an answer",
        on="unanswered:call",
        when="why in ('closed', 'reset') and t > req.t + PATIENCE",
        needs="start whole both",
        evidence="req.n",
        message="{req.asked} was not answered in {t - req.t:time}, until the connection ended",
        cause="The store is overloaded, or its container is about to move; the client gave up.",
        source=_WIRE,
    ),
)

BEHAVIOURS: Final = (*LOOPS, *WASTE, *LEAKS, *IDENTITY, *UNANSWERED)
"""Part of the rules of the protocol."""
