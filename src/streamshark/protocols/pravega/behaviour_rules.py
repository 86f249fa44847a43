"""Rules for what Pravega clients do over time: loops, streams, tables; and those of all kinds."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.behaviours import LOST_UPDATE
from streamshark.protocols.pravega.controller_behaviour_rules import CONTROLLER, LEASES
from streamshark.protocols.pravega.reading_rules import (
    CHECKPOINTS,
    READERS,
    READING,
    SHELVES,
    STATES,
    STREAMS_BEFORE,
)
from streamshark.protocols.pravega.row_names import CALLS, ERRORS, REPLIES, not_internal
from streamshark.protocols.pravega.sources import CLIENT, CONTROLLER_API, STORE, WIRE
from streamshark.protocols.pravega.waste_rules import LARGE, LEAKS, SPREAD, WASTE
from streamshark.protocols.pravega.writing_rules import EVENTS, IDENTITY, WRITING

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
        "conn.whole and coalesce(input.reached, 0) <= coalesce(req.start, 0))",
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
        source=f"{STORE}; pravega/pravega v0.13.0, controller",
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
        source=f"{WIRE}, SegmentAlreadyExists and TableKeyBadVersion",
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
        f"{not_internal('writer.segment')}",
        needs="",
        of="outdated",
        evidence="writer.sent_n, n, outdated.sent_n",
        message="an append to {writer.segment} is refused, because the segment does not end at "
        "{writer.expected}, as those of {outdated.times:count writer} before it: none of them "
        "has stored anything",
        cause="Each start of the program begins at a fixed place, such as 0, instead of the end of "
        "the segment (GET_STREAM_SEGMENT_INFO): nothing is written.",
        source=f"{WIRE}, ConditionalAppend; pravega-client-rust issue 198",
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
        source=f"{WIRE}, UpdateSegmentAttribute",
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
        source=f"{WIRE}, ReadTableEntriesDelta",
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
        source=f"{WIRE}, SegmentRead",
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
        source=f"{WIRE}, GetSegmentAttribute",
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
        source=f"{WIRE}, ReadTable",
        healthy="Several threads of a program need the entry.",
    ),
    Rule(
        id="PRV-B47",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="segment length queried before each step",
        on="ratio:measured",
        when="conn.internal_n is None",
        needs="start whole",
        message="{conn.measured_count} of {C.frames} commands of the client ask for the length of "
        "a segment",
        cause="Each question costs a round trip: DATA_APPENDED has the length, and a read at the "
        "tail waits for new data.",
        source=f"{WIRE}, GetStreamSegmentInfo; pravega issue 1892",
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
        source=f"{CLIENT}, AsyncSegmentInputStreamImpl.java",
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
        source=f"{WIRE}, WrongHost",
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
        source=f"{WIRE}, WrongHost",
        echo_of="PRV-B22",
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
            source=CONTROLLER_API,
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
        source=CONTROLLER_API,
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
            source=f"{WIRE}, CreateTableSegment; pravega issue 5939",
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
        source=f"{WIRE}, UpdateTableEntries; pravega issue 4588",
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
        source=f"{WIRE}, ReadTable and ReadTableEntries; pravega issue 4935",
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
        source=WIRE,
    ),
    Rule(
        id="PRV-B180",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late reply of the segment store",
        on=" ".join(f"server:{each}" for each in f"{REPLIES} {ERRORS} append_setup".split()),
        when="t - req.t > LATE_REPLY",
        needs="whole both",
        evidence="req.n, n",
        message="{name} was sent {t - req.t:time} after its request",
        cause="The segment store is overloaded, its container is moving, or its storage is slow.",
        source=f"{WIRE}, Reply",
        healthy="A segment store that was starting.",
        guilty="server",
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
        source=f"{WIRE}, Request; pravega issue 3909",
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
"""All rules about what clients do over time."""
