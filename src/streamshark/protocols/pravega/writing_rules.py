"""Rules for what writers of Pravega do over time, and for their events and ids."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega import predicates
from streamshark.protocols.pravega.behaviours import AGAIN, KEPT, REPEATED, TWICE
from streamshark.protocols.pravega.row_names import NOT_INTERNAL
from streamshark.protocols.pravega.sources import CLIENT, STORE, WIRE

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
        source=f"{STORE}, AppendProcessor.java; pravega issue 4324",
    ),
    Rule(
        id="PRV-B190",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writer that does not go on after SEGMENT_IS_SEALED",
        on="end:writer",
        when="writer.sealed_t is not None and writer.sent > writer.acked and "
        "writer.transaction is None and coalesce(output.set_up_t, 0) <= writer.sealed_t and "
        "t - writer.sealed_t > SEAL_TIME and lineage.made_t > writer.t",
        needs="start whole object both all",
        of="writer",
        evidence="writer.sent_n, writer.sealed_n, lineage.made_n",
        message="the append of event {writer.sent} to {writer.segment} had the answer "
        "SEGMENT_IS_SEALED, and {client} wrote to no other segment of the stream for "
        "{t - writer.sealed_t:time}: what is not acknowledged is lost",
        cause="The writer waits for ever, or gives up: it has to ask the controller for the "
        "successors, and to write there what has no acknowledgement.",
        source=f"{STORE}, AppendProcessor.java; pravega issue 1059",
        healthy="The whole stream is sealed, and another one has its name.",
        echo_of="PRV-B28",
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
        source=f"{STORE}, AppendProcessor.java; pravega issue 4324",
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
        source=f"{STORE}, AppendProcessor.java; pravega issue 4324",
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
        source=f"{STORE}, AppendProcessor.java; pravega issue 6100",
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
            source=f"{WIRE}, AppendSetup; pravega issues 5712 and 5713",
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
        source=f"{WIRE}, AppendSetup; pravega issue 3638",
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
        source=f"{WIRE}, MergeSegments",
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
            source=f"{CLIENT}, EventStreamWriter.java",
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
        source=f"{CLIENT}, Serializer.java",
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
        source=f"{CLIENT}, Serializer.java",
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
        source=f"{CLIENT}, EventStreamWriter.java",
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
        source=f"{STORE}, AppendProcessor.java; pravega issue 6100",
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
        source=f"{CLIENT}, EventStreamWriter.java and EventStreamReader.java",
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
        source=f"{CLIENT}, Serializer.java",
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
        source=f"{CLIENT}, SegmentOutputStreamImpl.java; pravega issues 4158 and 3479",
        healthy="A load that is over soon.",
    ),
    Rule(
        id="PRV-B76",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="append without an acknowledgement for a long time",
        on="end:writer",
        when="count(writer.waiting) > 0 and t - oldest_t(writer.waiting) > UNSTORED and "
        "writer.sealed_t is None and writer.state == 'set_up'",
        needs="object both",
        of="writer",
        evidence="oldest_n(writer.waiting), writer.sent_n",
        message="{count(writer.waiting):count append} to {writer.segment} had no answer, the "
        "oldest one for {t - oldest_t(writer.waiting):time}",
        cause="The segment store does not store it: its container is moving or its storage is "
        "away; the writer waits.",
        source=f"{WIRE}, DataAppended",
        guilty="server",
    ),
    Rule(
        id="PRV-B181",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late acknowledgement of an append",
        on="data_appended",
        when="t - oldest_t(writer.waiting) > LATE_REPLY",
        needs="object both",
        of="writer",
        evidence="n, oldest_n(writer.waiting)",
        message="an append to {writer.segment} was acknowledged after "
        "{t - oldest_t(writer.waiting):time}",
        cause="The segment store is overloaded, its container is moving, or its storage is slow.",
        source=f"{WIRE}, DataAppended",
        healthy="A segment store that was starting.",
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
        source=f"{STORE}, AppendProcessor.java; pravega issue 3909",
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
        source=f"{STORE}, AppendProcessor.java",
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
        source=f"{WIRE}, ReadSegment; pravega issue 3909",
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
        source=f"{WIRE}, ReadSegment; pravega issues 4525 and 4540",
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
        source=f"{WIRE}, TruncateSegment",
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
        source=f"{WIRE}, TruncateSegment",
        healthy="A stream that keeps very little.",
    ),
)
