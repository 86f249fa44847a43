"""Rules for what Pravega clients do over time: retry loops, polls, waste, leaks, shared writers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega import predicates
from streamshark.protocols.pravega.behaviours import (
    AGAIN,
    GROUP_BIRTHS,
    KEPT,
    LEFT,
    LOST_UPDATE,
    REPEATED,
    TWICE,
    new_group,
)
from streamshark.protocols.pravega.row_names import (
    CALLS,
    CHANGED,
    CREATED,
    NOT_INTERNAL,
    OF_TRANSACTION,
)

_CLASSES: Final = "pravega/pravega v0.13.0, shared/protocol"
_WIRE: Final = f"{_CLASSES}, WireCommands.java"
_CLIENT: Final = "pravega/pravega v0.13.0, client"
_STORE: Final = "pravega/pravega v0.13.0, segmentstore/server/host"

_EXISTS: Final = (
    "name == 'segment_already_exists' or name == 'table_key_bad_version' and req.versions == -1"
)
"""Whether something was not created because it exists."""

LOOPS: Final = (
    Rule(
        id="PRV-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="refused request repeated unchanged",
        on="repetition:refused",
        when=f"conn.internal_n is None and not ({_EXISTS}) and (name != 'segment_is_truncated' or "
        "coalesce(input.reached, 0) <= coalesce(req.start, 0))",
        needs="",
        message="the segment store answered with {name} for {req.segment} {REFUSED_LIMIT} times "
        "in a row, at most {REFUSED_PAUSE:time} apart",
        cause="The client repeats the request unchanged, without increasing its pause.",
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
        id="PRV-B1b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="refused request repeated by the controller",
        on="repetition:refused",
        when="conn.internal_n is not None",
        needs="",
        message="the segment store answered the controller with {name} for {req.segment} "
        "{REFUSED_LIMIT} times in a row, at most {REFUSED_PAUSE:time} apart",
        cause="The controller looks up what a client asks it for, or works on its own tables.",
        source=f"{_STORE}; pravega/pravega v0.13.0, controller",
        healthy="A controller that looks for something that does not exist yet.",
        guilty="server",
        per="client, server, name",
    ),
    Rule(
        id="PRV-B1c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="creation in the segment store repeated although it exists",
        on="repetition:refused",
        when=f"conn.internal_n is None and ({_EXISTS})",
        needs="",
        message="the segment store answered with {name} for {req.segment} {REFUSED_LIMIT} times "
        "in a row, at most {REFUSED_PAUSE:time} apart",
        cause="The client creates a segment or an entry before each use, instead of once.",
        source=f"{_WIRE}, SegmentAlreadyExists and TableKeyBadVersion",
        healthy="Readers of a group in Rust or Python: each creates the state of the group if it "
        "does not exist.",
    ),
    Rule(
        id="PRV-B2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="conditional append repeated with the same stale offset",
        on="repetition:stale",
        needs="",
        message="{STALE_LIMIT} conditional appends in a row to {writer.segment} were refused, "
        "because the segment does not end at {writer.expected}",
        cause="The client does not handle CONDITIONAL_CHECK_FAILED: it must read what others "
        "have written, and then expect the new length.",
        source="pravega issue 5767",
    ),
    Rule(
        id="PRV-B2b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writers that each expect the same wrong length of a segment",
        on="conditional_check_failed",
        when="outdated.times >= STARTS_LIMIT and outdated.expected == writer.expected and "
        f"{NOT_INTERNAL.replace('segment', 'writer.segment')}",
        needs="",
        of="outdated",
        evidence="writer.sent_n, n, outdated.sent_n",
        message="an append to {writer.segment} is refused, because the segment does not end at "
        "{writer.expected}, as those of {outdated.times:count writer} before it: none of them "
        "has stored anything",
        cause="Each start of the program begins at a fixed place, such as 0, instead of the end of "
        "the segment (GET_STREAM_SEGMENT_INFO): nothing is written.",
        source=f"{_WIRE}, ConditionalAppend; pravega-client-rust issue 198",
    ),
    Rule(
        id="PRV-B3",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of KEEP_ALIVE",
        on="repetition:kept_alive",
        needs="",
        message="{ALIVE_LIMIT} KEEP_ALIVE were sent in a row, at most {POLL_PAUSE:time} apart, "
        "with no append or read in between",
        cause="The client flushes in a loop: each flush sends KEEP_ALIVE, although nothing is "
        "waiting to be stored.",
        source="pravega issue 3878",
    ),
    Rule(
        id="PRV-B46",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="KEEP_ALIVE after each append",
        on="ratio:flushed",
        needs="whole",
        evidence="conn.flushed_latest_n, conn.flushed_second_n",
        message="{conn.flushed_count} of the {C.frames} commands of the client are KEEP_ALIVE, "
        "each after one append",
        cause="The client flushes after each event: each flush sends KEEP_ALIVE and waits for all "
        "acknowledgements.",
        source="pravega issue 3878",
        healthy="A program that must know that each event is stored.",
        echo_of="PRV-B3",
    ),
    Rule(
        id="PRV-B4",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated failure of a conditional attribute update",
        on="repetition:unset",
        needs="",
        message="{REFUSED_LIMIT} updates in a row of an attribute of {req.segment} failed, "
        "because the attribute did not have the expected value",
        cause="The client repeats the update with an old value: it must read the attribute "
        "(GET_SEGMENT_ATTRIBUTE) first.",
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
        "{last_position} of {segment}, at most {POLL_PAUSE:time} apart",
        cause="Each poll costs a round trip and loads the segment store; increase the pause "
        "while nothing changes.",
        by="1 if between(segment, '_kvtable/', '') is not None else 0",
        causes={
            1: "The reader waits for events, or takes and releases a segment slice for each event: "
            "each time it takes one, it asks for the changes of its group. Release a slice when "
            "its events have been read.",
        },
        source="pravega issue 1075; pravega-client-rust issue 165",
        healthy="A reader group of the Rust and Python clients that waits for events.",
    ),
    Rule(
        id="PRV-B59",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same changes of a table read repeatedly",
        on="repetition:same_changes",
        needs="",
        evidence="req.n, n, same_changes.second_n, same_changes.first_n",
        message="{SAME_CHANGES} READ_TABLE_ENTRIES_DELTA in a row of {segment} began at position "
        "{req.from_position}; the answer went on to {last_position}",
        cause="The client does not keep the last position of the answer: it gets all changes "
        "again, and each time more of them.",
        source=f"{_WIRE}, ReadTableEntriesDelta",
        healthy="Several parts of a program follow one table.",
    ),
    Rule(
        id="PRV-B60",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="bytes of a segment left out between reads",
        on="repetition:skipped",
        needs="whole both",
        evidence="n, reader.skipped_second_n, reader.skipped_first_n, reader.reached_n",
        message="{SKIP_LIMIT} reads in a row of {segment} began after the end of the bytes before: "
        "the last one at {fields.offset}, where {reader.reached} was reached",
        cause="The client adds to its offset what it asked for instead of what it got, or counts "
        "the heads of events twice: it does not see the events between.",
        source=f"{_WIRE}, SegmentRead",
        healthy="A program that seeks.",
    ),
    Rule(
        id="PRV-B6",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment length queried repeatedly",
        on="repetition:polled",
        needs="since",
        evidence="req.n, n, polled.second_n, polled.first_n",
        message="{POLL_LIMIT} GET_STREAM_SEGMENT_INFO in a row returned the same length "
        "{write_offset} of {segment}, at most {POLL_PAUSE:time} apart",
        cause="The client polls for changes, or asks for the length before each step; a read at "
        "the tail waits for new data.",
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
        "empty, at most {POLL_PAUSE:time} apart",
        cause="The client reads again at once, although nothing was written.",
        source="pravega issue 1075",
        healthy="A segment store that answers reads at the tail at once.",
    ),
    Rule(
        id="PRV-B6b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment attribute queried repeatedly",
        on="repetition:attribute_polled",
        needs="",
        evidence="req.n, n, attribute_polled.second_n, attribute_polled.first_n",
        message="{POLL_LIMIT} GET_SEGMENT_ATTRIBUTE in a row returned the same value {value} for "
        "{req.segment}, at most {POLL_PAUSE:time} apart",
        cause="The client polls for changes, or asks before each step; each costs a round trip.",
        source=f"{_WIRE}, GetSegmentAttribute",
        healthy="A program that waits for a revision mark.",
    ),
    Rule(
        id="PRV-B6c",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="table entry read repeatedly",
        on="repetition:key_polled",
        needs="",
        evidence="req.n, n, key_polled.second_n, key_polled.first_n",
        message="{POLL_LIMIT} READ_TABLE in a row returned the same version of one entry of "
        "{segment}, at most {POLL_PAUSE:time} apart",
        cause="The client does not keep what it has read, or polls for changes; "
        "READ_TABLE_ENTRIES_DELTA returns what has changed.",
        source=f"{_WIRE}, ReadTable",
        healthy="Several threads of a program need the entry.",
    ),
    Rule(
        id="PRV-B47",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment length queried before each step",
        on="ratio:measured",
        when="conn.internal_n is None",
        needs="",
        message="{conn.measured_count} of {C.frames} commands of the client ask for the length of "
        "a segment",
        cause="Each question costs a round trip: DATA_APPENDED has the length, and a read at the "
        "tail waits for new data.",
        source=f"{_WIRE}, GetStreamSegmentInfo; pravega issue 1892",
        healthy="A monitor.",
        echo_of="PRV-B6",
    ),
    *(
        Rule(
            id="PRV-B8",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="first page of a table read repeatedly (continuation token unused)",
            on=f"repetition:first_{items}",
            needs="",
            message="{PAGE_LIMIT} requests in a row without a continuation token returned the "
            "same first page of {segment}, and none asked for the rest",
            cause="The client does not send the continuation token of the answer back, so it "
            "never reaches the other keys.",
            source="pravega issue 5272",
            healthy="A program that needs only some of the keys.",
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
        cause="The client does not advance its offset after an answer.",
        source=f"{_CLIENT}, AsyncSegmentInputStreamImpl.java",
        healthy="Several readers read a segment at the same time.",
    ),
    *(
        Rule(
            id="PRV-B8b",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="same page of table keys or entries read repeatedly",
            on=f"repetition:same_{items}",
            needs="",
            message="{SAME_PAGE} requests in a row returned the same page of {segment}",
            cause="The client passes on an old continuation token instead of that of the last "
            "answer.",
            source="pravega issue 5272",
        )
        for items in ("keys", "entries")
    ),
    Rule(
        id="PRV-B22",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="requests to the wrong store despite the host in WRONG_HOST",
        on="repetition:misdirected",
        needs="",
        message="{MISDIRECTED_LIMIT} requests in a row for {segment} were answered with "
        "WRONG_HOST, which names {correct_host}",
        cause="The client goes on to use this store instead of the one that the answer names.",
        source=f"{_WIRE}, WrongHost",
    ),
    Rule(
        id="PRV-B22b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="retries without backoff after WRONG_HOST",
        on="repetition:misplaced",
        needs="",
        message="{MISPLACED_LIMIT} requests in a row for {segment} were answered with WRONG_HOST, "
        "without a pause that grows",
        cause="The client does not ask the controller which store has the segment.",
        source=f"{_WIRE}, WrongHost",
        echo_of="PRV-B22",
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
        per="client, server, segment",
        evidence="n, input.read_in_bits_second_n, input.read_in_bits_first_n",
        message="{STEP_LIMIT} reads in a row of {segment} asked for less than {TINY} bytes each "
        "(the last for {suggested_length}), right after the previous answer",
        cause="Each read costs a round trip: the client reads without a buffer.",
        source="pravega-client-rust issue 153",
        healthy="A segment of small entries that are read individually.",
    ),
    Rule(
        id="PRV-B11",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="append of one event at a time, waiting for each acknowledgement",
        on="roundtrips:stored_singly",
        needs="",
        per="client, server, writer.segment",
        message="{ACKED_LIMIT} appends in a row to {writer.segment} had one event each, and each "
        "was sent after DATA_APPENDED for the previous one",
        cause="Each event costs a round trip; a writer may have many outstanding events.",
        source=f"{_CLIENT}, EventStreamWriter.java",
        healthy="A program that must know that an event is stored before it continues.",
    ),
    Rule(
        id="PRV-B11b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="small conditional append at a time, waiting for each acknowledgement",
        on="roundtrips:flushed_singly",
        needs="",
        per="client, server, writer.segment",
        message="{ACKED_LIMIT} conditional appends in a row to {writer.segment} had less than "
        "{TINY} bytes each, and each was sent after DATA_APPENDED for the previous one",
        cause="The client flushes a byte stream, or updates a shared state, after each small "
        "write: each costs a round trip.",
        source=f"{_CLIENT}, ByteStreamWriter.java and RevisionedStreamClient.java",
        healthy="A program that must know that each line is stored before it continues.",
    ),
    Rule(
        id="PRV-B12",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="appends of one event each (no batching)",
        on="ratio:single",
        needs="object both",
        per="client, server, writer.segment",
        message="{writer.single_count} of {writer.appends} appends to {writer.segment} had one "
        "event, while other events of the writer were unacknowledged",
        cause="The writer does not batch: each append costs a frame and an operation of the "
        "segment store.",
        source=f"{_CLASSES}, AppendEncoder.java",
        healthy="A client that sends each event as soon as it is written.",
    ),
    Rule(
        id="PRV-B57",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="appends of a few bytes each",
        on="ratio:crumbs",
        needs="both",
        per="client, server, writer.segment",
        message="{writer.crumbs_count} of {writer.appends} appends to {writer.segment} had less "
        "than {EVENT_HEAD} bytes each",
        cause="A byte stream is written without a buffer: each byte or number costs two commands "
        "and an operation of the segment store.",
        source=f"{_CLIENT}, ByteStreamWriter.java",
        healthy="A program that must know that each byte is stored.",
    ),
    Rule(
        id="PRV-B37",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="small Pravega commands split over several packets",
        on="ratio:split",
        needs="start",
        message="{conn.split_count} of {C.frames} commands of the client came in several packets, "
        "although they would fit into one",
        cause="The client writes the parts of a command one by one: each write costs a system "
        "call and a packet.",
        source=f"{_CLASSES}, CommandEncoder.java",
        healthy="The network splits packets, such as a tunnel with a small MTU.",
    ),
    Rule(
        id="PRV-B23",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="table entries updated one by one",
        on="roundtrips:entered_singly",
        needs="",
        message="{STEP_LIMIT} UPDATE_TABLE_ENTRIES in a row for {segment} had one entry each, and "
        "were sent right after the answer to the one before",
        cause="Each costs a round trip; a request takes any number of entries.",
        source=f"{_WIRE}, UpdateTableEntries",
        healthy="Each entry depends on the one before.",
    ),
    Rule(
        id="PRV-B58",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="table keys removed one by one",
        on="roundtrips:removed_singly",
        needs="",
        message="{STEP_LIMIT} REMOVE_TABLE_KEYS in a row for {segment} had one key each, and were "
        "sent right after the answer to the one before",
        cause="Each costs a round trip; a request takes any number of keys.",
        source=f"{_WIRE}, RemoveTableKeys",
        healthy="Each removal depends on the one before.",
    ),
    Rule(
        id="PRV-B58b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="one key of a table removed repeatedly",
        on="repetition:removed_again",
        needs="",
        evidence="req.n, n, removed_again.second_n, removed_again.first_n",
        message="one key of {segment} was removed {REMOVED_LIMIT} times in a row, and not written "
        "in between",
        cause="The client does not look at the answer, or several parts of it clean up.",
        source=f"{_WIRE}, RemoveTableKeys",
        healthy="A removal that is repeated because its answer is not kept.",
    ),
    Rule(
        id="PRV-B24",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="table keys read one by one",
        on="roundtrips:looked_up",
        needs="",
        message="{STEP_LIMIT} READ_TABLE in a row for {segment} asked for one key each, right "
        "after the answer to the one before",
        cause="Each costs a round trip; a request takes any number of keys.",
        source=f"{_WIRE}, ReadTable",
        healthy="Each key depends on the entry before.",
    ),
    *(
        Rule(
            id="PRV-B24b",
            severity=Severity.NOTE,
            group=Group.REQUEST,
            title="table listed one by one",
            on=f"roundtrips:paged_{items}",
            needs="",
            message="{STEP_LIMIT} {name} in a row for {segment} asked for a page of one, right "
            "after the answer to the one before",
            cause="Each costs a round trip; a page may have many.",
            source=f"{_WIRE}, ReadTableKeys and ReadTableEntries",
            healthy="A program that needs few of them.",
        )
        for items in ("keys", "entries")
    ),
)

SPREAD: Final = (
    Rule(
        id="PRV-B73",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="all events of a stream with several segments in one of them",
        on="end:spread",
        when="spread.cut is None and count(spread.filled) == 1 and count(spread.opened) >= 2 and "
        "spread.events >= SPREAD_EVENTS and spread.flow >= 0",
        needs="",
        of="spread",
        evidence="spread.first_n, spread.latest_n, spread.empty_n",
        message="all {spread.events:count event} went to {spread.segment}, although the writer has "
        "opened {count(spread.opened)} segments of the stream: the others get none",
        cause="All events have the same routing key, or very few keys: the stream is as fast as "
        "one segment, and one reader gets everything.",
        source="pravega-concepts.md, Events; pravega issues 3005 and 5161",
        healthy="Events that have to be in one order.",
    ),
)

LEAKS: Final = (
    Rule(
        id="PRV-B13",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived Pravega connections in a row",
        on="churn:reconnected",
        needs="start whole both",
        message="{client} opened and closed {CONNECTION_LIMIT} connections to {server} in a row, "
        "each with at most one request",
        cause="The client does not reuse its connections: each costs HELLO and another round trip.",
        source=f"{_CLIENT}, ConnectionPoolImpl.java",
        healthy="A tool that does one thing and ends, started in a loop.",
    ),
    Rule(
        id="PRV-B77",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Pravega connections for a few commands each",
        on="churn:reconnected_often",
        needs="start whole both",
        message="{client} opened and closed {CONNECTION_LIMIT} connections to {server} one after "
        "another, each with at most {FEW_FRAMES} commands",
        cause="The client makes a writer, a reader or a client factory for each task: each of its "
        "connections costs HELLO and another round trip.",
        source=f"{_CLIENT}, ConnectionPoolImpl.java",
        healthy="A tool that does one thing and ends, started in a loop.",
        echo_of="PRV-B13",
    ),
    Rule(
        id="PRV-B14",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections left open after one request",
        on="leak:left_open",
        needs="",
        message="{left_open.left} connections of the client were left open after one request and "
        "not used again",
        cause="The client opens a connection for each request and does not close it: connections "
        "and memory of the store grow without bound.",
        source="pravega issue 1373; pravega-client-rust issue 223",
        healthy="A pool that keeps connections in reserve.",
    ),
    Rule(
        id="PRV-B14b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections left open after a few commands",
        on="leak:left_idle",
        needs="",
        message="{left_idle.left} connections of the client to {server} were left open after at "
        "most {FEW_FRAMES} commands and not used again",
        cause="The client makes a writer, a reader or a client factory for each task and does not "
        "close it: connections and memory of the store grow without bound.",
        source="pravega issue 1373; pravega-client-rust issue 223",
        healthy="A pool that keeps connections in reserve.",
        echo_of="PRV-B14",
    ),
    Rule(
        id="PRV-B15",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new writer for each event",
        on="leak:brief_writers",
        needs="",
        message="{brief_writers.left} of {brief_writers.all} writers of one segment appended at "
        "most once",
        cause="The client creates a writer for each event or attempt: each set-up costs a round "
        "trip, and the segment store keeps an attribute for each writer id.",
        source=f"{_STORE}, AppendProcessor.java",
        healthy="Many programs that write one event each.",
    ),
    Rule(
        id="PRV-B16",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="aborted transaction with appended events",
        on="delete_segment",
        when=f"{OF_TRANSACTION} and transaction.used_n is not None and "
        "transaction.merged_n is None",
        needs="all",
        of="transaction",
        evidence="transaction.setup_n, transaction.used_n, n",
        message="{segment} is deleted with the events that its writer appended: the transaction "
        "was not committed",
        cause="The client aborted the transaction, or let its lease expire without a commit or "
        "a ping: the events are lost.",
        source="pravega issues 4147 and 6117",
        healthy="A program that aborts on purpose.",
    ),
    Rule(
        id="PRV-B25",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated connections closed by the store after a few commands",
        on="churn:dropped",
        needs="start whole both",
        message="the store closed {DROPPED_LIMIT} connections of {client} in a row after a few "
        "commands each",
        cause="The store closes a connection over a command that it cannot process, and the client "
        "sends the same again.",
        source=f"{_STORE}, AppendProcessor.java",
        echo_of="error",
    ),
    Rule(
        id="PRV-B26",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="transaction neither committed nor aborted",
        on="end:transaction",
        when="transaction.setup_n is not None and transaction.used_n is not None and "
        "transaction.merged_n is None and "
        "transaction.deleted_n is None and "
        "t - transaction.used_t > FORGOTTEN",
        needs="all",
        of="transaction",
        evidence="transaction.used_n, transaction.setup_n",
        message="events were appended to a transaction that was neither committed nor aborted",
        cause="The client forgets the transaction: its events are lost when the lease ends.",
        source="pravega issues 4147 and 6117",
        healthy="The capture ends before the transaction does.",
    ),
)

LARGE: Final = (
    Rule(
        id="PRV-B68",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="transient segment never merged",
        on="end:transient",
        when="transient.created_n is not None and transient.merged_n is None and "
        "t - transient.created_t > FORGOTTEN",
        needs="",
        of="transient",
        evidence="transient.created_n",
        message="{transient.segment} was created for a large event, and not merged into its "
        "segment",
        cause="The client gave up in the middle of a large event, or forgets to merge: the event "
        "is not in the stream.",
        source=f"{_CLIENT}, LargeEventWriter.java",
        healthy="The capture ends before the event does.",
    ),
)

READING: Final = (
    Rule(
        id="PRV-B61",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="events truncated that a reader had not read",
        on="segment_is_truncated",
        when="req.asked == 'read_segment' and start_offset > reader.reached",
        needs="object",
        of="reader",
        evidence="req.n, n, reader.reached_n",
        message="{segment} begins at {start_offset} now, and the client had read up to "
        "{reader.reached}: {start_offset - reader.reached:count byte} are lost to it",
        cause="The stream is truncated, by its retention policy or by a program, before this "
        "reader has read it.",
        source=f"{_WIRE}, SegmentIsTruncated; pravega issues 2664 and 3965",
    ),
    Rule(
        id="PRV-B27",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment reread from an old offset after a reconnect",
        on="read_segment",
        when="input.state == 'absent' and extent.flow != flow and "
        "(fields.offset <= extent.began or fields.offset < extent.latest) and "
        f"t - extent.left_t <= BACK and stated.by_n is None and {NOT_INTERNAL}",
        needs="start",
        of="extent",
        evidence="n, extent.left_n",
        message="{segment} was read from {extent.began} to {extent.reached} on a connection that "
        "ended, and is read from {fields.offset} again: one reader group gets these events twice",
        cause="The reader does not keep its position when it connects again.",
        source=f"{_CLIENT}, AsyncSegmentInputStreamImpl.java; pravega issue 3638",
        healthy="Another reader group reads the segment.",
    ),
)

SHELVES: Final = (
    Rule(
        id="PRV-B27b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="bytes of a segment skipped between two connections",
        on="read_segment",
        when="input.state == 'absent' and extent.flow != flow and extent.whole == 1 and "
        "fields.offset > extent.reached and t - extent.left_t <= BACK and "
        f"stated.by_n is None and stated.cut_n is None and {NOT_INTERNAL}",
        needs="start",
        of="extent",
        evidence="n, extent.left_n",
        message="{segment} was read up to {extent.reached} on a connection that ended, and is read "
        "from {fields.offset} on: the {fields.offset - extent.reached:count byte} between are not "
        "read",
        cause="The reader begins at the end of the segment when it connects again, or at a "
        "position that is too late: it does not see these events.",
        source=f"{_CLIENT}, AsyncSegmentInputStreamImpl.java; pravega issue 3638",
        healthy="Another reader group reads the segment, or another reader has read these bytes.",
    ),
    Rule(
        id="PRV-B81",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment with events that is not read, unlike others of its stream",
        on="end:shelf",
        when="store.cut is None and shelf.first_n is not None and shelf.read_n is None and "
        "readership.read_n is not None and (readership.until_t - shelf.first_t > UNREAD_SEGMENT or "
        "readership.over_n is not None and t - shelf.first_t > UNREAD_SEGMENT)",
        needs="",
        of="shelf",
        evidence="coalesce(readership.over_n, readership.read_n), shelf.first_n",
        message="{shelf.events:count event} were appended to {shelf.segment}, and in these "
        "captures only other segments of {shelf.scope}/{shelf.stream} are read, such as "
        "{readership.read}",
        cause="The reader does not read all segments of the stream.",
        by="0 if readership.over_n is None else 1",
        causes={
            1: "The reader takes the end of a segment for that of the stream: it has to ask the "
            "controller for the segments that follow, and read them.",
        },
        source=f"{_CLIENT}, ReaderGroupStateManager.java; pravega issue 568",
        healthy="A reader that is not in the captures reads the segment.",
    ),
    Rule(
        id="PRV-B81b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment with events that is no longer read, unlike others of its stream",
        on="end:shelf",
        when="store.cut is None and shelf.wrote_t - shelf.looked_t > LEFT_SEGMENT and "
        "readership.looked_t > shelf.wrote_t and t - shelf.wrote_t > UNREAD_SEGMENT",
        needs="",
        of="shelf",
        evidence="shelf.wrote_n, shelf.read_n",
        message="events were appended to {shelf.segment} up to "
        "{shelf.wrote_t - shelf.looked_t:time} after it was read last; other segments of "
        "{shelf.scope}/{shelf.stream} were read after that",
        cause="The reader of the segment has ended or is idle, and no other reader takes the "
        "segment over: a reader that ends without leaving its group keeps its segments.",
        source=f"{_CLIENT}, ReaderGroupStateManager.java; pravega issue 568",
        healthy="A reader that is not in the captures reads the segment.",
    ),
)

STREAMS_BEFORE: Final = (
    Rule(
        id="PRV-B78",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="segment of a stream before it was deleted and created again",
        on="no_such_segment",
        when="fate.made_n > fate.deleted_n",
        needs="",
        per="client, server, segment",
        evidence="req.n, n, fate.made_n, fate.deleted_n",
        message="{coalesce(req.asked, 'a request')} is for {segment}; its stream was deleted in "
        "frame {fate.deleted_n} and created again in frame {fate.made_n}, with other segments",
        cause="A reader group, a stream cut or a writer still has the segments of the former "
        "stream: it gets nothing of the new one until it is reset.",
        source="pravega issue 3960",
    ),
    Rule(
        id="PRV-B80",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="many segments of a stream that return hardly anything",
        on="end:breadth",
        when="count(breadth.segments) >= BROAD and breadth.broad_n is not None and "
        "coalesce(breadth.bytes, 0) < count(breadth.segments) * TINY",
        needs="",
        of="breadth",
        evidence="breadth.broad_n, breadth.first_n",
        message="a client reads {count(breadth.segments)} segments of "
        "{breadth.scope}/{breadth.stream}, which "
        "brought {coalesce(breadth.bytes, 0):count byte} in all",
        cause="The stream has far more segments than its events need: each costs a read that waits "
        "at the tail, and memory of writers, readers and segment stores.",
        source="pravega issues 3897 and 3788",
        healthy="A stream that is busy at other times.",
    ),
)

STATES: Final = (
    Rule(
        id="PRV-B69",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="state of a program that grows and is never compacted",
        on="read_segment",
        when="input.state == 'absent' and stated.by_n is not None and stated.cut_n is None and "
        f"fields.offset == extent.began and extent.again >= 1 and {NOT_INTERNAL}",
        needs="start",
        of="extent",
        evidence="n, extent.left_n, stated.by_n",
        message="the updates of a state in {segment} are read from {fields.offset} again: "
        "{extent.again + 1} connections have read them before, the last one up to "
        "{extent.reached}, and nothing was truncated",
        cause="The client never compacts its state synchronizer or revisioned stream: each start "
        "reads all updates of all runs, most of which are out of date.",
        source=f"{_CLIENT}, StateSynchronizer.java, compact; pravega issue 3297",
        healthy="A state with few updates.",
    ),
    Rule(
        id="PRV-B61b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream truncated beyond the position of a reader",
        on="segment_is_truncated",
        when="req.asked == 'read_segment' and reader.reached is None and "
        "0 < req.start < start_offset and stated.by_n is None",
        needs="",
        of="reader",
        per="client, server, segment",
        evidence="coalesce(clipped.by_n, req.n), req.n, n",
        message="a reader continues at {req.start} in {segment}, which begins at {start_offset} "
        "now: {start_offset - req.start:count byte} were truncated before it had read them",
        cause="The program truncates at the tail, or at a position of its own, or the retention "
        "policy keeps too little: the slowest reader group loses events.",
        source=f"{_WIRE}, SegmentIsTruncated; pravega issues 2664, 4272 and 2644",
        healthy="What was not read is not needed.",
    ),
)

WRITING: Final = (
    Rule(
        id="PRV-B28",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="repeated SETUP_APPEND for a sealed segment on new connections",
        on="setup_append",
        when="barred.times >= SEALED_LIMIT",
        needs="",
        of="barred",
        evidence="n, barred.sealed_n",
        message="the writer is set up for {segment} again, although its appends had the answer "
        "SEGMENT_IS_SEALED on {barred.times} connections",
        cause="The client takes SEGMENT_IS_SEALED for a failed connection: it has to ask the "
        "controller for the segments that follow.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 4324",
    ),
    Rule(
        id="PRV-B28b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="SETUP_APPEND again for a segment that is sealed",
        on="setup_append",
        when="writer.state == 'sealed' and writer.segment == segment",
        needs="object",
        of="writer",
        evidence="n, writer.sealed_n",
        message="the writer is set up for {segment} again, on the connection on which its appends "
        "had the answer SEGMENT_IS_SEALED",
        cause="The client begins anew instead of asking the controller for the segments that "
        "follow.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 4324",
    ),
    Rule(
        id="PRV-B28c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="SETUP_APPEND for a sealed segment on a new connection",
        on="setup_append",
        when="barred.times == 1",
        needs="",
        of="barred",
        evidence="n, barred.sealed_n",
        message="the writer is set up for {segment} again, although its appends had the answer "
        "SEGMENT_IS_SEALED on another connection",
        cause="The client may take SEGMENT_IS_SEALED for a failed connection: it has to ask the "
        "controller for the segments that follow.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 4324",
        healthy="The connection was lost before the client had read the answer.",
    ),
    Rule(
        id="PRV-B66",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="unacknowledged events sent again under a new writer id",
        on="append_block_end",
        when="writer.sent_n is None and unstored.writer != writer_id and "
        "t - unstored.left_t <= RESENT and "
        "size_of_whole_events + len(data) >= SHORTEST_KEPT and "
        "unstored.digest == digest(coalesce(C.block, data))",
        needs="",
        of="unstored",
        evidence="n, unstored.sent_n, writer.setup_n",
        message="the append to {writer.segment} has the same bytes as one that a former writer of "
        "the client had sent and that was not acknowledged",
        cause="The client writes again what may be stored: with a new writer id the segment store "
        "cannot drop duplicates, so readers may get these events twice.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 6100",
        healthy="A program that prefers duplicates to losses.",
    ),
    *(
        Rule(
            id=f"PRV-B66{letter}",
            severity=severity,
            group=Group.SEQUENCE,
            title=title,
            on=on,
            when=f"{when} and {again}",
            needs="",
            of="unstored",
            evidence=f"n, unstored.sent_n, writer.ready_n{more}",
            message="the append to {writer.segment} has the same bytes as event {unstored.lowest} "
            "of this writer on a former connection, and APPEND_SETUP in frame {writer.ready_n} "
            "says that this one is stored",
            cause="The client takes an answer that was lost for a failure and appends again "
            f"with another event number, which is no duplicate to the segment store: {cause}.",
            source=f"{_WIRE}, AppendSetup; pravega issues 5712 and 5713",
            healthy=healthy,
        )
        for letter, severity, title, again, more, cause, healthy in (
            (
                "b",
                Severity.NOTE,
                "stored event appended again under another number",
                "(unstored.again is None or unstored.again == unstored.digest)",
                "",
                "it is stored twice",
                "A program that writes a value that has not changed.",
            ),
            (
                "c",
                Severity.WARNING,
                "stored events appended again under other numbers",
                "unstored.again != unstored.digest",
                ", unstored.again_n",
                "each is stored twice",
                "",
            ),
        )
        for on, when in REPEATED
    ),
    Rule(
        id="PRV-B29",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="unacknowledged events not resent after a reconnect",
        on="append_block_end",
        when="writer.sent_n is None and pen.sent > writer.acked and "
        "last_event_number - num_events + 1 > "
        "(writer.acked + 1 if writer.acked > NONE else pen.first)",
        needs="object both",
        of="writer",
        evidence="n, pen.sent_n, writer.setup_n",
        message="the writer of {writer.segment} had sent events up to {pen.sent}, of which "
        "{writer.acked if writer.acked > NONE else 'none'} was stored last, and goes on with "
        "event {last_event_number - num_events + 1}: those between are lost",
        cause="The client drops the events that were not acknowledged when it connects again.",
        source=f"{_WIRE}, AppendSetup; pravega issue 3638",
    ),
    Rule(
        id="PRV-B30",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="transaction merged into a segment other than its own",
        on="merge_segments",
        when="between(source, 'epoch.', '#transaction.') is not None and "
        "not starts(source, target)",
        needs="",
        message="{source} is merged into {target}, which is not the segment that it was begun for",
        cause="The client mixes up the segments of its transactions.",
        source=f"{_WIRE}, MergeSegments",
    ),
)

_PROGRAMS: Final = (
    "writer.appends < SAMPLE and not starts(coalesce(writer.segment, '_system/'), '_system/') and "
    "between(writer.segment, '/_', '/') is None"
)
"""The append is one of the first of a program's writer."""
_APPEND: Final = "C.block data size_of_whole_events num_events"

EVENTS: Final = (
    *(
        Rule(
            id="PRV-B75",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="each event written twice in a row",
            on="append_block_end",
            when=when,
            predicate=predicate,
            reads=reads,
            needs="",
            of="writer",
            evidence=evidence,
            message="each event for {writer.segment} is written twice in a row, with an event "
            "number each",
            cause="Two parts of the program write the event, or a retry does although the first "
            "one was acknowledged: readers get it twice.",
            source=f"{_CLIENT}, EventStreamWriter.java",
            healthy="Values that are measured twice.",
        )
        for when, predicate, reads, evidence in (
            (f"{_PROGRAMS} and {TWICE}", None, "", "n, writer.pair_n"),
            (f"{_PROGRAMS} and num_events >= 6", predicates.is_doubled, _APPEND, "n"),
        )
    ),
    Rule(
        id="PRV-P81",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="event that was converted wrongly",
        on="append_block_end",
        when=f"{_PROGRAMS} and num_events > 0",
        predicate=predicates.is_mistaken,
        reads=_APPEND,
        needs="",
        of="writer",
        message="an event for {writer.segment} is {found}",
        cause="The program passes a value that it has not encoded, or that was encoded before: "
        "readers cannot use it.",
        source=f"{_CLIENT}, Serializer.java",
    ),
    Rule(
        id="PRV-P82",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="event as encoded text",
        on="append_block_end",
        when=f"{_PROGRAMS} and num_events > 0",
        predicate=predicates.is_text_of_bytes,
        reads=_APPEND,
        needs="",
        of="writer",
        message="an event for {writer.segment} is {found}",
        cause="The program encodes bytes as text, although an event is bytes: it is a third "
        "larger, or twice as large.",
        source=f"{_CLIENT}, Serializer.java",
        healthy="The data comes from a system that passes on text only.",
    ),
    Rule(
        id="PRV-B82",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same event written over and over",
        on="append_block_end",
        when=f"{_PROGRAMS} and {AGAIN}",
        needs="",
        of="writer",
        evidence="n, writer.pair_n",
        message="{SAME_EVENTS} appends in a row to {writer.segment} have the same event",
        cause="A retry does not see that the event was acknowledged, or the program writes a value "
        "that does not change.",
        source=f"{_CLIENT}, EventStreamWriter.java",
        healthy="A sign of life, or a test.",
        echo_of="PRV-B84",
    ),
    Rule(
        id="PRV-B83",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="events that another writer has appended before",
        on="append_block_end",
        when=f"{_PROGRAMS} and {KEPT} and 2 <= writer.appends < FIRST_APPENDS and "
        "count(archive.sent) >= 5",
        predicate=predicates.has_another_written,
        reads="archive.sent writer_id t digest(coalesce(C.block,data))",
        needs="",
        of="writer",
        message="three events in a row for {writer.segment} are those that another writer of the "
        "stream appended {found}",
        cause="The program begins its work again and writes what is stored, with a new writer id; "
        "or several instances of it each write the same: readers get these events twice.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 6100",
        healthy="Values that happen to be equal.",
        echo_of="PRV-B66",
    ),
    Rule(
        id="PRV-B84",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="events written to the stream that they were read from",
        on="append_block_end",
        when=f"{_PROGRAMS} and {KEPT} and archive.back + 1 >= RETURNED_LIMIT and "
        "t - archive.got_t <= RETURNED_TIME and archive.by == client and "
        "archive.got != archive.former and archive.got == digest(coalesce(C.block, data))",
        needs="",
        of="archive",
        evidence="n, archive.got_n",
        message="{RETURNED_LIMIT} events in a row that are appended to {writer.segment} had just "
        "been read from its stream",
        cause="The program writes what it reads to the stream that it reads, for instance to try "
        "an event again: each event comes back and is written once more.",
        source=f"{_CLIENT}, EventStreamWriter.java and EventStreamReader.java",
        healthy="Events that happen to have the same content.",
    ),
    Rule(
        id="PRV-B85",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="events of a stream in different formats",
        on="append_block_end",
        when=f"{_PROGRAMS} and {KEPT} and writer.appends < FIRST_APPENDS",
        predicate=predicates.has_another_format,
        reads=f"archive.sample {_APPEND}",
        needs="",
        of="archive",
        evidence="n, archive.sample_n",
        message="an event for {writer.segment} is {found}",
        cause="Writers of the stream have different serializers: readers fail at the events of "
        "one of them.",
        source=f"{_CLIENT}, Serializer.java",
        healthy="Readers that know the formats apart.",
    ),
    Rule(
        id="PRV-B86",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="many appends without an acknowledgement",
        on="append_block_end",
        when="count(writer.waiting) >= MANY_WAITING",
        needs="object both",
        of="writer",
        evidence="n, oldest_n(writer.waiting)",
        message="{count(writer.waiting):count append} to {writer.segment} wait for their "
        "acknowledgement, the oldest one for {t - oldest_t(writer.waiting):time}",
        cause="The client writes without waiting, however slow the segment store is: its memory "
        "grows, and all of these are sent again when the connection is lost.",
        source=f"{_CLIENT}, SegmentOutputStreamImpl.java; pravega issues 4158 and 3479",
        healthy="A load that is over soon.",
    ),
    Rule(
        id="PRV-B76",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="append without an acknowledgement for a long time",
        on="end:writer",
        when="why == 'end' and count(writer.waiting) > 0 and "
        "t - oldest_t(writer.waiting) > UNSTORED",
        needs="object both",
        of="writer",
        evidence="oldest_n(writer.waiting), writer.sent_n",
        message="{count(writer.waiting):count append} to {writer.segment} had no answer, the "
        "oldest one for {t - oldest_t(writer.waiting):time}",
        cause="The segment store does not store it: its container is moving or its storage is "
        "away; the writer waits.",
        source=f"{_WIRE}, DataAppended",
        guilty="server",
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
        "connection, although another connection has set up its id since",
        cause="Two programs, or two threads, append with one writer id: their event numbers "
        "collide, so the segment store drops events as duplicates.",
        source=f"{_STORE}, AppendProcessor.java; pravega issue 3909",
    ),
    Rule(
        id="PRV-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writer id taken over by two connections in turn",
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
        title="request id reused for concurrent reads",
        on="backlog:under_way",
        when="conn.token_refused_n is None and request_id >= 0",
        needs="",
        message="{OPEN_READS} reads of {segment} with request id {request_id} are outstanding, "
        "the last for offset {fields.offset}",
        cause="The client does not use a new id for each request: an answer may be matched to "
        "the wrong read.",
        source=f"{_WIRE}, ReadSegment; pravega issue 3909",
    ),
    Rule(
        id="PRV-B45",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="read sent again while the first one waits",
        on="backlog:asked_again",
        when=f"conn.token_refused_n is None and {NOT_INTERNAL}",
        needs="",
        message="{OPEN_READS} reads of {segment} at {fields.offset} are outstanding on one "
        "connection",
        cause="A read at the tail waits for new events; the client takes the wait for a loss, and "
        "reads again: the store answers each of them.",
        source=f"{_WIRE}, ReadSegment; pravega issues 4525 and 4540",
        echo_of="PRV-B19",
    ),
    Rule(
        id="PRV-B20",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="decreasing truncation offset",
        on="sequence:truncated_back",
        needs="",
        message="{segment} is to be truncated at {truncation_offset}, after an earlier truncation "
        "at {truncated_back.last}",
        cause="Two programs truncate the stream, or one uses an old stream cut; truncated data "
        "does not come back.",
        source=f"{_WIRE}, TruncateSegment",
        healthy="A program that truncates at the oldest position of several readers.",
    ),
    Rule(
        id="PRV-B20b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment truncated in many small steps",
        on="repetition:trimmed",
        needs="",
        message="{STEP_LIMIT} TRUNCATE_SEGMENT in a row for {coalesce(segment, req.segment)}, at "
        "most 2 s apart",
        cause="The client truncates after each event or few of them: each costs a round trip and "
        "an operation of the segment store.",
        source=f"{_WIRE}, TruncateSegment",
        healthy="A stream that keeps very little.",
    ),
)

CONTROLLER: Final = (
    Rule(
        id="PRV-B32",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="creation repeated although the controller answered that it exists",
        on="repetition:existing",
        needs="",
        message="the client called {req.method} {EXISTING_LIMIT} times in a row for "
        "{req.scope}{'/' if req.named is not None else ''}{coalesce(req.named, '')}, at most 2 s "
        "apart, and the controller answered each time that it exists",
        cause="The client does not accept the answer that it exists, or creates before each use.",
        source="pravega/pravega v0.13.0, shared/controller-api, Controller.proto",
    ),
    Rule(
        id="PRV-B36",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="creation of what exists, repeated with pauses",
        on="repetition:existing_still",
        needs="",
        message="the client called {req.method} {EXISTING_STARTS} times for "
        "{req.scope}{'/' if req.named is not None else ''}{coalesce(req.named, '')}, although the "
        "controller answered that it exists",
        cause="The client creates before each use, instead of once.",
        source="pravega/pravega v0.13.0, shared/controller-api, Controller.proto",
        healthy="A program that creates what it needs at each start.",
        echo_of="PRV-B32",
    ),
    Rule(
        id="PRV-B42",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new streams or tables one after another",
        on="repetition:created_anew",
        needs="",
        message="{STREAM_LIMIT} {req.method} in a row created something in scope {req.scope}, the "
        "last one {coalesce(req.named, '')}",
        cause="The client creates a stream for each run, user or message: the controller keeps "
        "each with its segments until it is deleted.",
        source="pravega/pravega v0.13.0, shared/controller-api, Controller.proto",
        healthy="A program that sets up all its streams.",
    ),
    *(
        Rule(
            id="PRV-B33",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="new reader groups that are never deleted",
            on=on,
            when=f"{new_group(when, name)} and count(groups.names) + 1 >= GROUP_LIMIT and "
            "groups.deleted is None",
            of="groups",
            needs="",
            evidence="n, groups.latest_n, groups.former_n",
            message=f"reader group {{{name}}} is number {{count(groups.names) + 1}} that is "
            "created, and none was deleted",
            cause="The client makes a name for a new reader group at each start, and does not "
            "delete the former one: the controller keeps each with its stream or table, and "
            "streams are not truncated beyond it.",
            source="pravega/pravega v0.13.0, client, ReaderGroupManager.java",
            healthy="A program that needs as many reader groups.",
        )
        for on, when, name in GROUP_BIRTHS
    ),
    Rule(
        id="PRV-B34",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="transactions with one event each",
        on="append_block_end",
        when="writer.transaction is not None and writer.transaction != spree.latest and "
        "not has(spree.seen, writer.transaction) and spree.events == 1 and num_events == 1 and "
        "coalesce(spree.alone, 0) + 2 >= ALONE_LIMIT and t - spree.latest_t <= ALONE_PAUSE",
        of="spree",
        needs="",
        evidence="n, author.asked_n, spree.latest_n, spree.former_n",
        message="the client wrote {coalesce(spree.alone, 0) + 1} transactions in a row with one "
        "event each, and begins another one",
        cause="Each transaction costs calls to the controller, and segments that are created, "
        "sealed and merged; an event alone is stored whole without one.",
        source=f"{_CLIENT}, TransactionalEventStreamWriter.java",
        healthy="An event that must become visible together with something else.",
    ),
    Rule(
        id="PRV-B35",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="overlapping reads of a segment",
        on="segment_read",
        when="len(data) > 0 and input.start < fields.offset < input.reached and "
        "coalesce(input.again, 0) + 1 >= OVERLAP_LIMIT and "
        "(input.reached - fields.offset) * 2 >= len(data)",
        of="input",
        needs="",
        evidence="coalesce(req.n, n), n, input.reached_n",
        message="{OVERLAP_LIMIT} reads in a row of {segment} began inside the bytes of the one "
        "before: the read at {fields.offset} brings {input.reached - fields.offset} bytes again",
        cause="The client asks for far more than it uses of an answer, and drops the rest.",
        source=f"{_WIRE}, ReadSegment",
        healthy="Several readers of a segment on one connection.",
    ),
)

_TRANSACTIONS: Final = "pravega/pravega v0.13.0, shared/controller-api, Controller.proto"

LEASES: Final = (
    Rule(
        id="PRV-B38",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="commitTransaction or abortTransaction failed",
        on="controller_txn_status",
        when="fields.status > 0",
        needs="",
        per="client, server, req.method, req.scope, req.stream, fields.status",
        evidence="req.n, n",
        message="{coalesce(req.method, 'the call')} for a transaction of {req.scope}/{req.stream} "
        "failed with {fields.status:name}",
        cause="The controller failed, or the transaction is over.",
        by="0 if t - lease.alive_t > lease.time * 1000000 else fields.status",
        causes={
            0: "The lease of the transaction has expired without a ping: the controller has "
            "aborted it, and its events are lost.",
            2: "The stream does not exist.",
            3: "The transaction is over: its lease has expired, or it was committed or aborted "
            "before.",
        },
        source=_TRANSACTIONS,
    ),
    Rule(
        id="PRV-B38b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="transaction aborted, because no ping came within its lease",
        on="controller_txn_state",
        when="state in (4, 5) and lease.over_n is None and "
        "t - lease.alive_t > lease.time * 1000000",
        needs="",
        per="server, req.high, req.low",
        evidence="req.n, n, lease.opened_n",
        message="a transaction of {req.scope}/{req.stream} is {state:name}: its lease of "
        "{lease.time} ms began {t - lease.alive_t:time} ago, and no ping has renewed it",
        cause="The program that goes on with the transaction, such as another one that has its id, "
        "is too late: its events are lost.",
        source=f"{_TRANSACTIONS}; pravega issue 6063",
        echo_of="PRV-B38",
    ),
    Rule(
        id="PRV-B39",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pingTransaction failed",
        on="controller_ping_txn_status",
        when="fields.status in (1, 2, 3, 4, 7)",
        needs="",
        per="client, server, req.scope, req.stream, fields.status",
        evidence="req.n, n",
        message="pingTransaction for a transaction of {req.scope}/{req.stream} with a lease of "
        "{req.lease} ms failed with {fields.status:name}",
        cause="The transaction does not continue.",
        by="fields.status",
        causes={
            1: "The lease is longer than the controller allows.",
            2: "The transaction has existed for longer than the controller allows.",
            4: "The client pings after its lease has expired.",
            7: "The controller does not know the transaction.",
        },
        source=_TRANSACTIONS,
    ),
    Rule(
        id="PRV-B40",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="pingTransaction after the end of the transaction",
        on="controller_ping_txn_request",
        when="t - lease.over_t > GRACE",
        needs="",
        of="lease",
        evidence="n, lease.over_n, lease.opened_n",
        message="pingTransaction for a transaction of {stream_info.scope}/{stream_info.stream} "
        "was sent {t - lease.over_t:time} after {lease.how}",
        cause="The client does not stop its pings when the transaction ends.",
        source=f"{_TRANSACTIONS}; pravega/pravega v0.13.0, client, Pinger.java",
        healthy="A last ping that crosses with the end.",
    ),
    Rule(
        id="PRV-B41",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="transaction opened at the controller and never ended",
        on="end:lease",
        when="lease.opened_n is not None and lease.over_n is None and "
        "t - lease.opened_t > max(FORGOTTEN, lease.time * 1000000)",
        needs="",
        of="lease",
        evidence="lease.opened_n",
        message="a transaction of {lease.scope}/{lease.stream} was created and neither committed "
        "nor aborted within its lease of {lease.time} ms",
        cause="The client forgets its transaction: the controller keeps it until the lease ends, "
        "and its segments until they are cleaned up.",
        source=f"{_TRANSACTIONS}; pravega issue 4147",
        healthy="A program that pings the transaction and is still at work.",
        echo_of="PRV-B26",
    ),
    Rule(
        id="PRV-B43",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="transaction pinged far more often than its lease needs",
        on="repetition:pinged",
        needs="",
        message="{PING_LIMIT} pingTransaction in a row for one transaction, each within a "
        "{PING_PART}th of its lease of {fields.lease} ms after the one before",
        cause="The client pings by a timer that ignores the lease, or before each event.",
        source=f"{_TRANSACTIONS}; pravega/pravega v0.13.0, client, Pinger.java",
        healthy="Programs that call ping by themselves.",
    ),
    Rule(
        id="PRV-B44",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="scope, stream or table not created",
        on=CREATED,
        when="fields.status not in (0, 2) and "
        "(fields.status != 3 or name == 'controller_create_scope_status')",
        needs="",
        per="client, server, req.method, fields.status",
        evidence="req.n, n",
        message="{req.method} for {req.scope}{'/' if req.named is not None else ''}"
        "{coalesce(req.named, '')} failed with {fields.status:name}",
        cause="The name is not allowed, or the controller failed.",
        source=_TRANSACTIONS,
    ),
    Rule(
        id="PRV-B44b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="change refused by the controller",
        on=CHANGED,
        when="fields.status > 0",
        needs="",
        per="client, server, carrier.method, fields.status",
        evidence="req.n, n",
        message="{carrier.method}{' of ' if req.scope is not None else ''}"
        "{coalesce(req.scope, '')}{'/' if req.named is not None else ''}"
        "{coalesce(req.named, '')} failed with {fields.status:name}",
        cause="The object does not exist, or is not in the state that the call needs: a stream "
        "must be sealed before it is deleted, a scope empty.",
        source=_TRANSACTIONS,
        healthy="A program that removes what may not exist.",
    ),
)

CHECKPOINTS: Final = (
    Rule(
        id="PRV-B48",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="checkpoints of a reader group initiated and never completed",
        on="repetition:initiated",
        needs="",
        worsens=True,
        message="{CHECKPOINT_LIMIT} checkpoints in a row were initiated in the state of the reader "
        "group {writer.group}, and none was completed or reached by a reader of this client",
        cause="A reader of the group does not read any more, or has ended without leaving the "
        "group: all checkpoints stay in the group's state, which grows. By default the client "
        "rejects the fourth.",
        source="pravega issue 2828; pravega/pravega v0.13.0, client, ReaderGroupState.java",
        healthy="Checkpoints that overlap, because readers are slow.",
    ),
)

READERS: Final = (
    Rule(
        id="PRV-B64",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reader that joined a reader group and never left it",
        on="end:roster",
        when="roster.readers > 0 and roster.closed_t is not None",
        needs="all",
        of="roster",
        evidence="roster.joined_n",
        message="the client's connections ended, and {roster.readers:count reader} that it had "
        "added to reader group {roster.group} {'is' if roster.readers == 1 else 'are'} still in "
        "the state of the group",
        cause="The client ends without closing its readers, and nothing calls readerOffline for "
        "them: their segments are read by no other reader.",
        source=f"{_CLIENT}, ReaderGroupState.java; pravega issue 718 and flink-connectors issue 89",
        healthy="Another program calls readerOffline, after this capture or on another host.",
    ),
    *(
        Rule(
            id="PRV-B79",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="readers that join a reader group and leave it, one after another",
            on=f"repetition:{name}",
            needs="",
            message="a reader joined reader group {roster.group} {JOINED_LIMIT} times in a row, at "
            "most 10 s apart, each time when no other reader of the client was in it",
            cause="The client makes a reader for each event or batch: each joins the group, takes "
            "its segments, releases them and leaves, by several updates of the group's state.",
            source=f"{_CLIENT}, EventStreamReader.java; pravega issues 7016 and 7018",
            healthy="A program that is run for each batch.",
        )
        for name in ("joined", "entered")
    ),
    *(
        Rule(
            id="PRV-B89",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="reader that gets no segment, because the others release none",
            on=on,
            when="holding.manual_n is not None and holding.cut is None and "
            f"t - holding.joined_t > STARVED{more}",
            needs=needs,
            of="holding",
            evidence=f"holding.joined_n, holding.manual_n, holding.taken_n{leaving}",
            message="a reader joined reader group {holding.group} {t - holding.joined_t:time} ago "
            "and got no segment, although others hold several; the group has no automatic "
            "checkpoints, and nobody has made one",
            cause="Readers release segments to others at checkpoints: with automatic checkpoints "
            "disabled, the program has to make some itself (initiateCheckpoint).",
            source=f"{_CLIENT}, ReaderGroupStateManager.java; pravega issues 2298 and 4465",
            healthy="The first checkpoint of the program comes later.",
        )
        for on, more, needs, leaving in (
            ("conditional_append", f" and {LEFT} is not None", "whole", ", n"),
            ("end:holding", "", "", ""),
        )
    ),
    *(
        Rule(
            id=f"PRV-B90{letter}",
            severity=severity,
            group=Group.SEQUENCE,
            title=title,
            on="read_segment",
            when="course.by_n != entrance.latest_n and fields.offset <= course.start and "
            f"fields.offset < course.top and entrance.several is None and {again}",
            needs="",
            of="course",
            evidence="n, entrance.latest_n, course.top_n",
            message="the reader that joined in frame {entrance.latest_n} reads {segment} from "
            "{fields.offset} on: the one before it in the group had begun at {course.start} and "
            f"read up to {{course.top}}{more}",
            cause="The reader does not release the slices that it has read, so that the table of "
            "the group keeps the former offset: these events are read again.",
            source="pravega-client-rust, SegmentReader; pravega issue 7335",
            healthy=healthy,
        )
        for letter, severity, title, again, more, healthy in (
            (
                "",
                Severity.NOTE,
                "segment that the next reader of the group begins again",
                "(coalesce(course.times, 0) == 0 or course.moved_n is not None)",
                "",
                "The reader before ended before it had handled the events.",
            ),
            (
                "b",
                Severity.WARNING,
                "segment that each reader of the group begins again",
                "course.times > 0 and course.moved_n is None",
                ", as others before",
                "",
            ),
        )
    ),
    Rule(
        id="PRV-B65",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segments of a reader group released repeatedly",
        on="repetition:released",
        needs="",
        message="readers of the client released a segment of reader group {writer.group} "
        "{RELEASE_LIMIT} times in a row, at most {RELEASE_PAUSE:time} apart",
        cause="Readers pass segments back and forth, because readers come and go or their number "
        "does not fit that of the segments: each move is a checkpoint and some round trips.",
        source=f"{_CLIENT}, ReaderGroupStateManager.java",
        healthy="A group that is being scaled.",
    ),
)

STREAMS: Final = (
    *(
        Rule(
            id=f"PRV-B49{letter}",
            severity=severity,
            group=Group.RESPONSE,
            title=title,
            on=on,
            when=when,
            needs="",
            per="client, server, req.scope, req.stream, result",
            evidence="req.n, n",
            message=f"noteTimestampFromWriter of {{req.noter}} for {{req.scope}}/{{req.stream}} "
            f"{times} with {{result:name}}",
            cause="",
            by="result",
            causes={
                1: "The time is before one that the writer has noted: events that are late have "
                "to be noted with the latest time so far, or not at all.",
                2: "The position is before one that the writer has noted, or of other segments.",
                3: "The controller failed.",
            },
            source=_TRANSACTIONS,
            healthy=healthy,
        )
        for letter, severity, title, on, when, times, healthy in (
            (
                "",
                Severity.NOTE,
                "time of a writer refused by the controller",
                "controller_timestamp_response",
                "result > 0",
                "failed",
                "A single event that is late.",
            ),
            (
                "b",
                Severity.WARNING,
                "times of a writer that go back repeatedly",
                "repetition:noted_back",
                "",
                "failed {NOTED_LIMIT} times",
                "",
            ),
        )
    ),
    Rule(
        id="PRV-B20c",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="stream truncated in many small steps",
        on="repetition:cut",
        needs="",
        message="truncateStream was called {STEP_LIMIT} times in a row for "
        "{stream_info.scope}/{stream_info.stream}, at most {CUT_PAUSE:time} apart",
        cause="The client truncates after each event or few of them: each call is a workflow of "
        "the controller, with several requests to the segment store.",
        source=_TRANSACTIONS,
        healthy="A stream that keeps very little.",
    ),
)

TABLES: Final = (
    *(
        Rule(
            id="PRV-B62",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="key of another length than the table has",
            on=on,
            when=f"sheet.length > 0 and len(first({keys})) != sheet.length",
            of="sheet",
            needs="",
            evidence="n, sheet.length_n",
            message=f"{{name}} for {{segment}} has a key of {{len(first({keys})):count byte}}; the "
            "keys of this table have {sheet.length}",
            cause="The primary and the secondary key of a table have fixed lengths, and are padded "
            "to them: the segment store refuses others.",
            source=f"{_WIRE}, CreateTableSegment; pravega issue 5939",
        )
        for on, keys in (
            ("update_table_entries", "entries.key.data"),
            ("remove_table_keys read_table", "keys.data"),
        )
    ),
    Rule(
        id="PRV-B50",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="unconditional updates of one key that undo each other",
        on="update_table_entries",
        when=LOST_UPDATE,
        of="cell",
        needs="",
        evidence="n, cell.writer_n",
        message="a key of {segment} was written without its version, right after a write that "
        "the client has not read: the later value replaces the earlier one",
        cause="If the new value depends on the one that was read, the earlier update is lost: "
        "update with the version that was read, and repeat after BadKeyVersion.",
        source=f"{_WIRE}, UpdateTableEntries; pravega issue 4588",
        healthy="A value that does not depend on the previous one, such as that of a cache.",
    ),
)

SCANS: Final = tuple(
    Rule(
        id="PRV-B70",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="whole table read repeatedly",
        on=f"repetition:scanned_{items}",
        needs="",
        evidence=f"req.n, n, scanned_{items}.second_n, scanned_{items}.first_n",
        message=f"{{SCAN_LIMIT}} lists of {{segment}} in a row began at the same key, the last one "
        f"with {{len({items}):count entry entries}}, at most {{SCAN_PAUSE:time}} apart",
        cause="The client reads the table to find one key or what has changed: READ_TABLE reads "
        "single keys, READ_TABLE_ENTRIES_DELTA returns changes.",
        source=f"{_WIRE}, ReadTable and ReadTableEntries; pravega issue 4935",
        healthy="A report that needs all entries.",
        echo_of="PRV-B8 PRV-B8b",
    )
    for items in ("keys", "entries")
)

UNANSWERED: Final = (
    Rule(
        id="PRV-B21",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unanswered segment store request",
        on="unanswered:call",
        when="t > req.t + (UNSTORED if why == 'end' else ANSWER_LATE)",
        needs="start whole both",
        evidence="req.n",
        message="{req.asked} was not answered within {t - req.t:time}, before the connection ended",
        cause="The segment store is overloaded, or its container is about to move; the client "
        "gave up.",
        source=_WIRE,
    ),
    Rule(
        id="PRV-B31",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="request id already in use by an unanswered request",
        on=CALLS,
        when="duplicate and request_id >= 0",
        needs="since both",
        evidence="n, duplicate_of",
        message="{name} has request id {request_id}, which belongs to a request without an answer",
        cause="The client does not give each request an id of its own: an answer may be taken for "
        "that of the other request.",
        source=f"{_WIRE}, Request; pravega issue 3909",
    ),
)

BEHAVIOURS: Final = (
    *LOOPS,
    *WASTE,
    *SPREAD,
    *LEAKS,
    *LARGE,
    *READING,
    *SHELVES,
    *STREAMS_BEFORE,
    *STATES,
    *WRITING,
    *EVENTS,
    *IDENTITY,
    *CONTROLLER,
    *LEASES,
    *CHECKPOINTS,
    *READERS,
    *STREAMS,
    *TABLES,
    *SCANS,
    *UNANSWERED,
)
"""Part of the rules of the protocol."""
