"""Rules for Pravega clients that waste: small steps, short connections, what is never ended."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.row_names import OF_TRANSACTION
from streamshark.protocols.pravega.sources import CLASSES, CLIENT, STORE, WIRE

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
        source=f"{CLIENT}, EventStreamWriter.java",
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
        source=f"{CLIENT}, ByteStreamWriter.java and RevisionedStreamClient.java",
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
        source=f"{CLASSES}, AppendEncoder.java",
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
        source=f"{CLIENT}, ByteStreamWriter.java",
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
        source=f"{CLASSES}, CommandEncoder.java",
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
        source=f"{WIRE}, UpdateTableEntries",
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
        source=f"{WIRE}, RemoveTableKeys",
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
        source=f"{WIRE}, RemoveTableKeys",
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
        source=f"{WIRE}, ReadTable",
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
            source=f"{WIRE}, ReadTableKeys and ReadTableEntries",
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
        title="all events of a stream with several segments in one or a few of them",
        on="end:spread",
        when="spread.cut is None and count(spread.opened) >= 2 and "
        "(count(spread.filled) == 1 or count(spread.opened) >= 3 * count(spread.filled)) and "
        "spread.events >= SPREAD_EVENTS and spread.flow >= 0",
        needs="",
        of="spread",
        evidence="spread.first_n, spread.latest_n, spread.empty_n",
        message="all {spread.events:count event} went to {count(spread.filled):count segment} of "
        "the stream, {spread.segment} last, although the writer has opened "
        "{count(spread.opened)}: the others get none",
        cause="All events have the same routing key, or very few keys: the stream is as fast as "
        "the segments that are used, and so few readers get everything.",
        source="pravega-concepts.md, Events; pravega issues 1097, 3005 and 5161",
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
        source=f"{CLIENT}, ConnectionPoolImpl.java",
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
        source=f"{CLIENT}, ConnectionPoolImpl.java",
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
        source=f"{STORE}, AppendProcessor.java",
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
        source=f"{STORE}, AppendProcessor.java",
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
        source=f"{CLIENT}, LargeEventWriter.java",
        healthy="The capture ends before the event does.",
    ),
)
