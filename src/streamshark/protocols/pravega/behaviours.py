"""What Pravega clients do over time: retry loops, polls, waste, leaks, shared writers."""

from typing import Final

from streamshark.conversations.behaviours import (
    Alternation,
    Backlog,
    Churn,
    Count,
    Leak,
    Ratio,
    Repetition,
    RoundTrips,
    Sequence,
    SharedIdentity,
)
from streamshark.conversations.tables import Action, Constant, Lifecycle, Pair, Table
from streamshark.protocols.pravega.controller_behaviours import (
    CONTROLLER_BEHAVIOURS,
    WITHOUT_SEGMENTS,
)
from streamshark.protocols.pravega.row_names import (
    APPENDS,
    ASKED_FOR,
    CHANGED,
    CONDITIONAL,
    CONDITIONED,
    CONTROLS,
    CREATED,
    GROUP_OF_ROW,
    NOT_INTERNAL,
    OF_TRANSACTION,
    READS_REFUSED,
    REFUSALS,
    SETTLED,
    TRANSACTION_ID,
    not_internal,
)

_CHANGES_GROUP: Final = "create_segment create_table_segment"
GROUP_BIRTHS: Final = (
    (
        "controller_reader_group_configuration",
        "carrier.method == 'createReaderGroup'",
        "reader_group_name",
    ),
    (
        "controller_key_value_table_config",
        "between(kvt_name, '', '_kvtable') is not None",
        "between(kvt_name, '', '_kvtable')",
    ),
    (_CHANGES_GROUP, "", GROUP_OF_ROW),
)
"""Rows that create a reader group, their condition, and the name of the group."""


def new_group(when: str, name: str) -> str:
    """Return the condition that a row creates a reader group that was not seen yet."""
    return f"{f'{when} and ' if when else ''}not has(groups.names, {name})"


_WRITERS_STREAM: Final = "between(writer.segment, '/', '/')"
_WRITERS_PLACE: Final = "between(writer.segment, '/', '.#epoch.')"
"""The stream and the number of a segment, which transactions share."""

CONSTANTS: Final = (
    Constant(name="SEAL_TIME", value="3 s", doc="Time in which a writer goes on after a seal."),
    Constant(name="SPREAD_EVENTS", value=20, doc="Events that go to one of several segments."),
    Constant(name="UNREAD_SEGMENT", value="3 s", doc="Time within which new events are read."),
    Constant(name="LEFT_SEGMENT", value="1 s", doc="Time from the last read to later events."),
    Constant(name="SAME_EVENTS", value=5, doc="Appends of the same event in a row."),
    Constant(name="RETURNED_LIMIT", value=3, doc="Events in a row that are written as read."),
    Constant(name="RETURNED_TIME", value="2 s", doc="Time from the read to the append of them."),
    Constant(name="FIRST_APPENDS", value=16, doc="First appends of a writer, compared to others."),
    Constant(name="MOST_APPENDS", value=128, doc="Appends of a stream that are kept for that."),
    Constant(name="IDLE_LIMIT", value=8, doc="Connections left open after a few commands."),
    Constant(name="MANY_WAITING", value=1000, doc="Appends of a writer without an answer."),
    Constant(name="CHECKPOINT_LIMIT", value=3, doc="Checkpoints in a row that are not completed."),
    Constant(name="CHECKPOINT_PAUSE", value="10 min", doc="Longest time between two of them."),
    Constant(name="EVENT_HEAD", value=8, doc="Bytes before an event in an append."),
    Constant(name="REFUSED_LIMIT", value=3, doc="The same refusals in a row."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="STALE_LIMIT", value=3, doc="Appends in a row that expect the same offset."),
    Constant(name="ALIVE_LIMIT", value=5, doc="KEEP_ALIVE in a row, without anything else."),
    Constant(name="POLL_LIMIT", value=5, doc="The same queries with the same answer in a row."),
    Constant(name="POLL_PAUSE", value="100 ms", doc="Longest time between two of them."),
    Constant(name="PAGE_LIMIT", value=3, doc="First pages of a listing in a row."),
    Constant(name="SAME_LIMIT", value=3, doc="Reads of the same bytes in a row."),
    Constant(name="TINY", value=1024, doc="Bytes below which a read is small."),
    Constant(name="STEP_LIMIT", value=5, doc="Requests one by one that could be joined."),
    Constant(name="ACKED_LIMIT", value=5, doc="Appends one by one that wait for their acks."),
    Constant(name="MEASURED_LIMIT", value=8, doc="Questions for the length of segments."),
    Constant(name="STREAM_LIMIT", value=4, doc="Streams or tables created in a row."),
    Constant(name="SINGLE_LIMIT", value=5, doc="Appends of one event while others wait."),
    Constant(
        name="FLOW_IDS",
        value=1 << 32,
        doc="Request ids of a part of a client; the number of the part is in their upper half.",
    ),
    Constant(name="OPEN_READS", value=3, doc="Reads under way with one request id."),
    Constant(name="CONNECTION_LIMIT", value=4, doc="Connections for one request each."),
    Constant(name="WRITER_LIMIT", value=4, doc="Writers of a segment with one append each."),
    Constant(name="DROPPED_LIMIT", value=4, doc="Connections in a row that the server closes."),
    Constant(name="SEALED_LIMIT", value=2, doc="Connections on which a writer met its end."),
    Constant(name="MISDIRECTED_LIMIT", value=3, doc="Requests in a row to the wrong store."),
    Constant(name="MISPLACED_LIMIT", value=8, doc="Requests in a row that no store takes."),
    Constant(name="SAME_PAGE", value=3, doc="The same pages of a listing in a row."),
    Constant(name="SPLIT_LIMIT", value=5, doc="Small frames that come in several packets."),
    Constant(name="PING_LIMIT", value=5, doc="pingTransaction calls in a row that come too early."),
    Constant(name="PING_PART", value=20, doc="Part of a lease in which one ping is enough."),
    Constant(name="FORGOTTEN", value="5 s", doc="Age of a transaction that seems forgotten."),
    Constant(name="SAMPLE", value=64, doc="Appends of a writer that are compared."),
    Constant(name="PAIR_LIMIT", value=3, doc="Events in a row that are each written twice."),
    Constant(name="UNSTORED", value="5 s", doc="Time within which an append is acknowledged."),
    Constant(name="FEW_FRAMES", value=8, doc="Commands of a connection for one task."),
    Constant(name="STARTS_LIMIT", value=2, doc="Writers in a row that are refused alike."),
    Constant(name="JOINED_LIMIT", value=5, doc="Readers of a group, one after another."),
    Constant(name="BROAD", value=24, doc="Segments of a stream that one client reads."),
    Constant(name="STARVED", value="4 s", doc="Time within which a reader gets a segment."),
    Constant(name="BACK", value="60 s", doc="Time within which a reader comes back."),
    Constant(name="ANSWER_LATE", value="2 s", doc="Time within which a request is answered."),
    Constant(name="LATE_REPLY", value="10 s", doc="Time from which on a reply is late."),
    Constant(name="EXISTING_LIMIT", value=3, doc="Creations in a row of what exists."),
    Constant(name="EXISTING_STARTS", value=3, doc="The same with pauses, such as at each start."),
    Constant(name="OVERLAP_LIMIT", value=3, doc="Reads in a row that return bytes again."),
    Constant(name="ALONE_LIMIT", value=3, doc="Transactions in a row with one event."),
    Constant(name="ALONE_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="GROUP_LIMIT", value=3, doc="Reader groups that are created and not deleted."),
    Constant(name="NOTED_LIMIT", value=3, doc="Times of a writer that are refused."),
    Constant(name="NOTED_PAUSE", value="60 s", doc="Longest time between two of them."),
    Constant(name="CUT_PAUSE", value="3 s", doc="Longest time between two truncations."),
    Constant(name="CLOSED_AFTER", value="1 s", doc="Silence after which a connection is left."),
    Constant(name="CRUMB_LIMIT", value=5, doc="Appends of few bytes."),
    Constant(name="SKIP_LIMIT", value=3, doc="Reads in a row that leave bytes out."),
    Constant(name="SKIP_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="SAME_CHANGES", value=3, doc="The same changes of a table in a row."),
    Constant(name="REMOVED_LIMIT", value=3, doc="Removals of one key in a row."),
    Constant(name="SCAN_LIMIT", value=5, doc="Whole tables that are read in a row."),
    Constant(name="SCAN_PAUSE", value="5 s", doc="Longest time between two of them."),
    Constant(name="RELEASE_LIMIT", value=5, doc="Segments that readers of a client release."),
    Constant(name="RELEASE_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="RESENT", value="60 s", doc="Time within which an event is sent again."),
    Constant(name="LONGEST_KEPT", value=4096, doc="Most bytes of an append that are compared."),
    Constant(name="SHORTEST_KEPT", value=16, doc="Fewest bytes of an append that are compared."),
)

LOOPS: Final[tuple[Table, ...]] = (
    Constant(name="BELOW_LIMIT", value=3, doc="Reads in a row that begin below their segment."),
    Repetition(
        name="begun_below",
        on="segment_is_truncated",
        when="req.asked == 'read_segment' and fields.offset >= 0 and conn.internal_n is None",
        per="client, server, segment",
        same="fields.offset",
        question="req.n",
        limit="BELOW_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Repetition(
        name="refused",
        on=REFUSALS,
        per=f"client, server, {ASKED_FOR}, flow if name == 'segment_is_truncated' else 0",
        same="name",
        question="req.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        success=SETTLED,
    ),
    Action(on=CONDITIONAL, do="writer.expected = expected_offset"),
    Repetition(
        name="stale",
        on="conditional_check_failed",
        when="event_number == writer.sent",
        per="writer",
        same="writer.expected",
        question="writer.sent_n",
        limit="STALE_LIMIT",
        pause="REFUSED_PAUSE",
    ),
    Repetition(
        name="kept_alive",
        on="client:keep_alive",
        per="C",
        limit="ALIVE_LIMIT",
        pause="POLL_PAUSE",
        breaks=f"client:read_segment {' '.join(f'client:{each}' for each in APPENDS.split())}",
        may_back_off=False,
    ),
    Repetition(
        name="unset",
        on="segment_attribute_updated",
        when="success == 0",
        per="client, server, req.segment",
        question="req.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        success="segment_attribute_updated",
        success_when="success == 1",
    ),
    Repetition(
        name="no_changes",
        on="table_entries_delta_read",
        when="len(entries) == 0",
        per="flow, segment",
        same="last_position",
        question="req.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="same_changes",
        on="table_entries_delta_read",
        when="len(entries) > 0 and last_position > req.from_position",
        per="flow, segment",
        same="req.from_position",
        question="req.n",
        limit="SAME_CHANGES",
        pause="REFUSED_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="removed_again",
        on="table_keys_removed",
        when="not starts(segment, '_system/')",
        per="flow, segment, req.wanted_key",
        question="req.n",
        limit="REMOVED_LIMIT",
        pause="REFUSED_PAUSE",
        may_back_off=False,
        breaks="update_table_entries",
        breaks_when="not starts(segment, '_system/')",
        keys={"update_table_entries": "flow, segment, first(entries.key.data)"},
    ),
    Repetition(
        name="polled",
        on="stream_segment_info",
        per="flow, segment",
        same="write_offset",
        question="req.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="attribute_polled",
        on="segment_attribute",
        per="flow, req.segment",
        same="value",
        question="req.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="key_polled",
        on="table_read",
        when="len(entries) == 1 and not starts(segment, '_system/')",
        per="flow, segment, req.wanted_key",
        same="first(entries.key.key_version)",
        question="req.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="tail_polled",
        on="segment_read",
        when="len(data) == 0 and at_tail == 1 and end_of_segment == 0",
        per="flow, segment",
        same="fields.offset",
        question="req.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    *(
        Repetition(
            name=f"first_{items}",
            on=f"table_{items}_read",
            when="req.continued == 0 and len(continuation_token) > 0 and "
            f"len({items}) >= req.wanted",
            per="flow, segment",
            same="digest(continuation_token)",
            question="req.n",
            limit="PAGE_LIMIT",
            pause="REFUSED_PAUSE",
            breaks=f"table_{items}_read",
            breaks_when="req.continued > 0",
        )
        for items in ("keys", "entries")
    ),
    *(
        Repetition(
            name=f"same_{items}",
            on=f"table_{items}_read",
            when="req.continued > 0 and len(continuation_token) > 0",
            per="flow, segment",
            same="digest(continuation_token)",
            question="req.n",
            limit="SAME_PAGE",
            pause="REFUSED_PAUSE",
            breaks=f"table_{items}_read",
            breaks_when="req.continued == 0",
        )
        for items in ("keys", "entries")
    ),
    *(
        Repetition(
            name=f"scanned_{items}",
            on=f"table_{items}_read",
            when=f"req.continued == 0 and len({items}) > 1 and not starts(segment, '_system/') and "
            "conn.internal_n is None",
            per="client, server, segment, digest(req.begins)",
            question="req.n",
            limit="SCAN_LIMIT",
            pause="SCAN_PAUSE",
            may_back_off=False,
        )
        for items in ("keys", "entries")
    ),
    Repetition(
        name="misdirected",
        on="wrong_host",
        when="len(correct_host) > 0",
        per="client, server, segment",
        limit="MISDIRECTED_LIMIT",
        pause="5 s",
    ),
    Repetition(
        name="misplaced",
        on="wrong_host",
        per="client, server, segment",
        limit="MISPLACED_LIMIT",
        pause="2 s",
    ),
    Repetition(
        name="skipped",
        on="read_segment",
        when="fields.offset > reader.reached and reader.under_way_open == 0",
        per="reader",
        limit="SKIP_LIMIT",
        pause="SKIP_PAUSE",
        may_back_off=False,
        breaks="read_segment",
        breaks_when="fields.offset == reader.reached",
    ),
    Repetition(
        name="read_again",
        on="segment_read",
        when="len(data) > 0 and end_of_segment == 0",
        per="reader",
        same="fields.offset",
        question="req.n",
        limit="SAME_LIMIT",
        pause="REFUSED_PAUSE",
    ),
)

WASTE: Final[tuple[Table, ...]] = (
    RoundTrips(
        name="read_in_bits",
        ask="read_segment",
        when="suggested_length < TINY",
        answer="segment_read",
        per="input",
        distinct="fields.offset",
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="entered_singly",
        ask="update_table_entries",
        when="not starts(segment, '_system/') and len(entries) == 1",
        answer="table_entries_updated",
        per="flow, segment",
        keys={"table_entries_updated": "flow, req.segment"},
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="looked_up",
        ask="read_table",
        when="not starts(segment, '_system/') and len(keys) == 1",
        answer="table_read",
        per="flow, segment",
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="removed_singly",
        ask="remove_table_keys",
        when="not starts(segment, '_system/') and len(keys) == 1",
        answer="table_keys_removed",
        per="flow, segment",
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="stored_singly",
        ask="append_block_end",
        when="num_events == 1",
        answer="data_appended",
        per="writer",
        limit="ACKED_LIMIT",
    ),
    RoundTrips(
        name="flushed_singly",
        ask=CONDITIONAL,
        when="size < TINY and not starts(writer.segment, '_system/') "
        "and between(writer.segment, '/_', '/') is None",
        answer="data_appended",
        per="writer",
        limit="ACKED_LIMIT",
        quick="20 ms",
    ),
    *(
        RoundTrips(
            name=f"paged_{items}",
            ask=f"read_table_{items}",
            when=f"{count} == 1 and not starts(segment, '_system/')",
            answer=f"table_{items}_read",
            per="flow, segment",
            limit="STEP_LIMIT",
        )
        for items, count in (("keys", "suggested_key_count"), ("entries", "suggested_entry_count"))
    ),
    Ratio(
        name="split",
        per="conn",
        of=Count("client:any", "pieces > 1 and size < 1400"),
        to="C.frames",
        least="SPLIT_LIMIT",
        percent=50,
    ),
    Ratio(
        name="flushed",
        per="conn",
        of=Count("client:keep_alive", "C.frames - coalesce(conn.alive_frames, 0) in (2, 3)"),
        to="C.frames",
        least="SINGLE_LIMIT",
        percent=20,
    ),
    Action(on="client:keep_alive", do="conn.alive_frames = C.frames"),
    Ratio(
        name="measured",
        per="conn",
        of=Count("client:get_stream_segment_info"),
        to="C.frames",
        least="MEASURED_LIMIT",
        percent=30,
    ),
    Repetition(
        name="trimmed",
        on="segment_truncated",
        per="client, server, coalesce(segment, req.segment)",
        question="req.n",
        limit="STEP_LIMIT",
        may_back_off=False,
    ),
    Ratio(
        name="crumbs",
        per="writer",
        of=Count(
            "append_block_end", "num_events == 1 and size_of_whole_events + len(data) < EVENT_HEAD"
        ),
        to="writer.appends",
        least="CRUMB_LIMIT",
        percent=80,
    ),
    Ratio(
        name="single",
        per="writer",
        of=Count("append_block_end", "num_events == 1 and count(writer.waiting) > 1"),
        to="writer.appends",
        least="SINGLE_LIMIT",
        percent=80,
    ),
)

LEAKS: Final[tuple[Table, ...]] = (
    Action(
        on="client:tcp.close client:tcp.reset",
        do="conn.finished = 1; conn.rested = coalesce(conn.rested, t - C.last_t)",
    ),
    Churn(
        name="reconnected",
        life="conn",
        per="client, server",
        when="C.frames - coalesce(conn.alives, 0) <= 2 and conn.finished == 1",
        limit="CONNECTION_LIMIT",
    ),
    Churn(
        name="reconnected_often",
        life="conn",
        per="client, server",
        when="C.frames - coalesce(conn.alives, 0) <= FEW_FRAMES and conn.finished == 1",
        limit="CONNECTION_LIMIT",
        pause="10 s",
    ),
    Action(
        on="server:tcp.close server:tcp.reset",
        when="conn.finished is None",
        do="conn.dropped = 1",
    ),
    Churn(
        name="dropped",
        life="conn",
        per="client, server",
        when="conn.dropped == 1 and conn.internal_n is None and "
        "C.frames - coalesce(conn.alives, 0) in (2, 3, 4, 5, 6)",
        limit="DROPPED_LIMIT",
        pause="5 s",
    ),
    Leak(
        name="left_open",
        life="conn",
        per="client, server",
        when="C.frames - coalesce(conn.alives, 0) in (1, 2) and conn.finished is None and "
        "t - C.last_t > CLOSED_AFTER",
        frame="C.last_n",
        limit="CONNECTION_LIMIT",
    ),
    Leak(
        name="left_idle",
        life="conn",
        per="client, server",
        when="3 <= C.frames - coalesce(conn.alives, 0) <= FEW_FRAMES and "
        "coalesce(conn.rested, t - C.last_t) > CLOSED_AFTER",
        frame="C.last_n",
        limit="IDLE_LIMIT",
    ),
    Leak(
        name="brief_writers",
        life="writer",
        per="client, server, writer.segment",
        when="writer.appends <= 1 and writer.ready_n is not None and why != 'end' and "
        "not starts(writer.segment, '_system/')",
        frame="writer.setup_n",
        limit="WRITER_LIMIT",
        percent_left=80,
    ),
    Lifecycle(
        name="transaction",
        scope="capture",
        doc="The segment of a transaction, by its writer.",
        key={
            "setup_append": f"(server, segment) if {OF_TRANSACTION} else None",
            "delete_segment": f"(server, segment) if {OF_TRANSACTION} else None",
            "append_block_end": "(server, writer.same_as) if writer.same_as is not None else None",
            "end:writer": "(server, writer.segment) if writer.appends > 0 else None",
            "merge_segments": "server, source",
            "merge_segments_batch": "server, sources",
        },
    ),
    Action(on="setup_append", when=OF_TRANSACTION, do="transaction.setup_n = n"),
    Action(
        on="end:writer",
        when="writer.appends > 0",
        do="transaction.used_n = writer.last_n; transaction.used_t = writer.last_t",
    ),
    Action(on="merge_segments", do="transaction.merged_n = n"),
    Action(on="merge_segments_batch", items="sources", do="transaction.merged_n = n"),
    Action(on="delete_segment", do="transaction.deleted_n = n"),
    Lifecycle(
        name="transient",
        scope="capture",
        doc="A segment for one large event, by its name.",
        key={
            "segment_created": "(server, segment) if between(segment, '#transient.', '') "
            "is not None else None",
            "merge_segments": "server, source",
            "merge_segments_batch": "server, sources",
        },
    ),
    Action(
        on="segment_created",
        do="transient.created_n = n; transient.created_t = t; transient.segment = segment",
    ),
    Action(on="merge_segments", do="transient.merged_n = n"),
    Action(on="merge_segments_batch", items="sources", do="transient.merged_n = n"),
)  # fmt: skip

READING: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="extent",
        scope="capture",
        doc="How far a client has read a segment on connections that have ended.",
        key={
            "read_segment": "(client, server, segment) if coalesce(input.reads, 0) == 0 else None",
            "end:input": "(client, server, input.segment) if why in ('closed', 'reset') and "
            "input.reached > input.began else None",
        },
    ),
    Action(
        on="segment_read",
        when="len(data) > 0",
        do="input.began = coalesce(input.began, fields.offset); input.latest = fields.offset; "
        "input.reached = fields.offset + len(data); input.reached_n = n",
    ),
    Lifecycle(
        name="stated",
        scope="capture",
        doc="A segment to which updates of a state are appended.",
        key={
            "conditional_append": "server, writer.segment",
            "truncate_segment segment_is_truncated": "server, segment",
            "read_segment": "(server, segment) if coalesce(input.reads, 0) == 0 else None",
        },
    ),
    Action(on="conditional_append", do="stated.by_n = n"),
    Action(on="truncate_segment", do="stated.cut_n = n"),
    Action(
        on="end:input",
        do="extent.again = coalesce(extent.again, 0) + 1 if input.began == extent.began and "
        "input.reached > extent.reached else 0; "
        "extent.whole = 1 if conn.start and conn.whole and conn.both else 0",
    ),
    Lifecycle(
        name="clipped",
        scope="capture",
        doc="The last truncation of a stream that a client asked the controller for.",
        key={
            "controller_stream_cut": "stream_info.scope, stream_info.stream",
            "segment_is_truncated": "between(segment, '', '/'), between(segment, '/', '/')",
        },
    ),
    Action(
        on="controller_stream_cut",
        when="carrier.method == 'truncateStream'",
        do="clipped.by_n = n",
    ),
    Action(
        on="end:input",
        do="extent.began = input.began; extent.latest = input.latest; "
        "extent.reached = input.reached; extent.left_t = t; extent.left_n = input.reached_n; "
        "extent.flow = flow",
    ),
)

WRITING: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="barred",
        scope="capture",
        doc="A writer whose appends had the answer that the segment is sealed.",
        key={
            "setup_append": "server, segment, writer_id",
            "end:writer": "(server, writer.segment, writer.id) if writer.sealed_n is not None "
            "else None",
        },
    ),
    Action(
        on="end:writer",
        when="writer.sealed_n is not None",
        do="barred.times = coalesce(barred.times, 0) + 1; barred.sealed_n = writer.sealed_n",
    ),
    Lifecycle(
        name="pen",
        scope="capture",
        doc="The events of a writer over its connections.",
        key={
            "end:writer": "(server, writer.segment, writer.id) if writer.sent_n is not None "
            "else None",
            "append_block_end": "(server, writer.segment, writer_id) if writer.sent_n is None "
            "else None",
        },
    ),
    Action(
        on="append_block_end",
        do="pen.first = coalesce(pen.first, last_event_number - num_events + 1); "
        "pen.first_n = coalesce(pen.first_n, n); pen.first_t = coalesce(pen.first_t, t)",
    ),
    Action(
        on="end:writer",
        do="pen.sent = writer.sent; pen.sent_n = writer.sent_n",
    ),
    Lifecycle(
        name="spread",
        scope="capture",
        doc="The segments of a stream that a client has opened for its events.",
        key={
            "end:writer": f"(client, server, between(writer.segment, '', '/'), {_WRITERS_STREAM}) "
            "if writer.ready_n is not None and not starts(writer.segment, '_system/') and "
            f"not starts({_WRITERS_STREAM}, '_') and {_WRITERS_PLACE} is not None else None"
        },
        most=1024,
    ),
    Action(
        on="end:writer",
        do=f"put(spread.opened, {_WRITERS_PLACE}); "
        "spread.cut = coalesce(spread.cut, None if conn.start and conn.whole and conn.both else 1)",
    ),
    Action(
        on="end:writer",
        when="writer.events > 0",
        do=f"put(spread.filled, {_WRITERS_PLACE}); "
        "spread.events = coalesce(spread.events, 0) + writer.events; "
        "spread.first_n = coalesce(spread.first_n, pen.first_n); spread.latest_n = writer.sent_n; "
        "spread.segment = writer.segment; spread.flow = flow",
    ),
    Action(on="end:writer", when="writer.events == 0", do="spread.empty_n = writer.setup_n"),
    Lifecycle(
        name="unstored",
        scope="capture",
        doc="The oldest append of a client that was not acknowledged when its connection ended.",
        key={
            "end:writer": "(client, server, writer.segment) if writer.sent > writer.acked and "
            "writer.oldest is not None and why in ('closed', 'reset') else None",
            APPENDS: "(client, server, writer.segment) if writer.sent_n is None else None",
        },
    ),
    Action(
        on="end:writer",
        do="unstored.digest = digest(writer.oldest); unstored.writer = writer.id; "
        "unstored.sent_n = writer.sent_n; unstored.left_t = t; "
        "unstored.lowest = writer.oldest_number; unstored.sent = writer.sent",
    ),
)

_SAME: Final = "writer.pair == digest(coalesce(C.block, data))"
_PAIRED: Final = (
    "num_events == 1 and writer.appends <= SAMPLE and "
    "size_of_whole_events + len(data) >= SHORTEST_KEPT and "
    "size_of_whole_events + len(data) <= LONGEST_KEPT"
)
TWICE: Final = (
    f"{_PAIRED} and {_SAME} and writer.run == 1 and coalesce(writer.pairs, 0) + 1 >= PAIR_LIMIT"
)
"""The row is the second of two equal events, after other such pairs."""
AGAIN: Final = f"{_PAIRED} and {_SAME} and writer.run + 1 >= SAME_EVENTS"
"""The row has the event of those before it."""

COUNTS_PAIRS: Final = Action(
    on="append_block_end",
    when=_PAIRED,
    do=f"writer.same = 1 if {_SAME} else 0; "
    "writer.pairs = (coalesce(writer.pairs, 0) + 1 if writer.run == 1 else 0) "
    "if writer.same == 1 else coalesce(writer.pairs, 0) if writer.run == 2 else 0; "
    "writer.run = coalesce(writer.run, 0) + 1 if writer.same == 1 else 1; "
    "writer.pair = digest(coalesce(C.block, data)); writer.pair_n = n; "
    "writer.sample = coalesce(writer.sample, coalesce(C.block, data))",
)
"""Counts events that are written twice; a block is known until its end."""

_STORED: Final = (
    "writer.sent_n is None and unstored.writer == writer_id and "
    "unstored.lowest <= writer.acked and writer.acked <= unstored.sent and "
    "t - unstored.left_t <= RESENT and "
)
REPEATED: Final = (
    (
        "append_block_end",
        (
            f"{_STORED} size_of_whole_events + len(data) >= SHORTEST_KEPT and "
            "unstored.digest == digest(coalesce(C.block, data))"
        ),
    ),
    *(
        (on, f"{_STORED} len({what}) >= SHORTEST_KEPT and unstored.digest == digest({what})")
        for on, what in CONDITIONED.items()
    ),
)
"""Rows, and when they append again what the answer to SETUP_APPEND has said is stored."""
COUNTS_REPEATED: Final = tuple(
    Action(
        on=on,
        when=when,
        do="unstored.again_n = n; unstored.again = unstored.digest",
    )
    for on, when in REPEATED
)
"""Keeps what was appended again; a block is known until its end."""

SHELVED: Final = (
    "writer.events > 0 and writer.acked_n is not None and writer.transaction is None and "
    "between(writer.segment, '/', '.#epoch.') is not None and "
    "between(writer.segment, '#transient.', '') is None and "
    f"{not_internal('writer.segment')}"
)
_FIRST_READ: Final = f"coalesce(input.reads, 0) == 0 and {NOT_INTERNAL}"

SHELVES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="shelf",
        scope="capture",
        doc="A segment of a program: whether its events are read.",
        key={
            "end:writer": f"(server, writer.segment) if {SHELVED} else None",
            "read_segment": f"(server, segment) if {_FIRST_READ} else None",
            "end:input": "server, input.segment",
        },
        most=4096,
    ),
    Action(on="read_segment", do="shelf.read_n = n"),
    Action(on="end:input", do="shelf.looked_t = max(coalesce(shelf.looked_t, 0), input.last_t)"),
    Action(
        on="end:writer",
        when=SHELVED,
        do="shelf.first_n = coalesce(shelf.first_n, coalesce(pen.first_n, writer.sent_n)); "
        "shelf.first_t = coalesce(shelf.first_t, coalesce(pen.first_t, writer.last_t)); "
        "shelf.wrote_t = max(coalesce(shelf.wrote_t, 0), writer.last_t); "
        "shelf.wrote_n = writer.sent_n; shelf.host = server; shelf.segment = writer.segment; "
        "shelf.events = coalesce(shelf.events, 0) + writer.events; "
        "shelf.scope = between(writer.segment, '', '/'); "
        "shelf.stream = between(writer.segment, '/', '/')",
    ),
    Lifecycle(
        name="store",
        scope="capture",
        doc="A segment store, and whether something of a connection to it was not captured.",
        key={"end:conn": "server", "end:shelf": "shelf.host"},
        most=1024,
    ),
    Action(
        on="end:conn",
        do="store.cut = coalesce(store.cut, "
        "None if conn.start and conn.whole and conn.both else 1)",
    ),
    Lifecycle(
        name="readership",
        scope="capture",
        doc="The readers of a stream.",
        key={
            "read_segment": "(server, between(segment, '', '/'), between(segment, '/', '/')) "
            f"if {_FIRST_READ} else None",
            "end:input": "server, between(input.segment, '', '/'), "
            "between(input.segment, '/', '/')",
            "end:shelf": "shelf.host, shelf.scope, shelf.stream",
        },
        most=4096,
    ),
    Action(on="keep_alive", do="conn.alive_t = t"),
    Action(on="read_segment", do="readership.read_n = n; readership.read = segment"),
    Action(
        on="end:input",
        do="readership.until_t = max(coalesce(readership.until_t, 0), "
        "max(input.last_t, coalesce(conn.alive_t, 0)) if why == 'end' else t); "
        "readership.looked_t = max(coalesce(readership.looked_t, 0), input.last_t); "
        "readership.over_n = coalesce(input.ended_at_n, readership.over_n)",
    ),
)
"""Which segments of streams are written, and which are read."""

KEPT: Final = f"writer.transaction is None and {_PAIRED}"
"""The append has one event, which is compared to others, and is in no transaction."""

_EARLY: Final = f"writer.appends <= FIRST_APPENDS and {KEPT}"

COPIES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="archive",
        scope="capture",
        doc="A stream: the first events that each writer appends, and the last ones that are read.",
        key={
            "append_block_end": "(server, between(writer.segment, '', '/'), "
            f"between(writer.segment, '/', '/')) if {_EARLY} and "
            f"{not_internal('writer.segment')} else None",
            "segment_read": "(server, between(segment, '', '/'), between(segment, '/', '/')) "
            f"if input.reads <= SAMPLE and SHORTEST_KEPT <= len(data) <= LONGEST_KEPT and "
            f"{NOT_INTERNAL} else None",
        },
        most=1024,
    ),
    Action(
        on="segment_read",
        do="archive.got = digest(data); archive.got_t = t; archive.got_n = n; archive.by = client",
    ),
    Action(
        on="append_block_end",
        when=_EARLY,
        do="put(archive.sent, (n, t, writer_id, writer.pair) "
        "if coalesce(count(archive.sent), 0) < MOST_APPENDS else None); "
        "archive.sample_n = n if archive.sample is None else archive.sample_n; "
        "archive.sample = coalesce(archive.sample, writer.sample); "
        "archive.back = coalesce(archive.back, 0) + 1 if t - archive.got_t <= RETURNED_TIME and "
        "archive.by == client and archive.got == writer.pair and "
        "archive.got != coalesce(archive.former, 0) else 0; "
        "archive.former = archive.got",
    ),
)
"""Events that come again: from another writer, in another format, or just as they were read."""

FATES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="outdated",
        scope="capture",
        doc="Writers of a segment that expected a length which it did not have.",
        key={
            "conditional_check_failed": "client, server, writer.segment",
            "end:writer": "(client, server, writer.segment) if writer.failed_n is not None and "
            "coalesce(writer.acked, NONE) == NONE else None",
        },
        most=1024,
    ),
    Action(on="conditional_check_failed", do="writer.failed_n = n"),
    Action(
        on="end:writer",
        when="writer.failed_n is not None",
        do="outdated.times = coalesce(outdated.times, 0) + 1 "
        "if outdated.expected == writer.expected else 1; "
        "outdated.expected = writer.expected; outdated.sent_n = writer.sent_n",
    ),
    Lifecycle(
        name="breadth",
        scope="capture",
        doc="The segments of a stream that a client reads.",
        key={
            "read_segment": "(client, server, between(segment, '', '/'), "
            "between(segment, '/', '/')) if coalesce(input.reads, 0) == 0 and "
            "not starts(segment, '_system/') else None",
            "end:input": "(client, server, between(input.segment, '', '/'), "
            "between(input.segment, '/', '/')) if not starts(input.segment, '_system/') else None",
        },
        most=1024,
    ),
    Action(
        on="read_segment",
        when="coalesce(input.reads, 0) <= 1",
        do="put(breadth.segments, segment); breadth.first_n = coalesce(breadth.first_n, n); "
        "breadth.broad_n = coalesce(breadth.broad_n, n) if count(breadth.segments) >= BROAD "
        "else None; breadth.scope = between(segment, '', '/'); "
        "breadth.stream = between(segment, '/', '/')",
    ),
    Action(on="end:input", do="breadth.bytes = coalesce(breadth.bytes, 0) + input.bytes"),
    Lifecycle(
        name="fate",
        scope="capture",
        doc="What was done to a stream, by the controller or its segments.",
        key={
            "no_such_segment segment_is_sealed seal_segment delete_segment": (
                "between(segment, '', '/'), between(segment, '/', '/')"
            ),
            "controller_stream_info": "scope, stream",
            "controller_stream_config": "stream_info.scope, stream_info.stream",
            "controller_scale_request": "stream_info.scope, stream_info.stream",
            "controller_segment_ranges": f"(req.scope, req.named) if {WITHOUT_SEGMENTS} else None",
        },
        most=4096,
    ),
    Action(on="seal_segment", do="fate.sealed_n = n"),
    Action(on="delete_segment", do="fate.deleted_n = n"),
    Action(
        on="controller_stream_info", when="carrier.method == 'sealStream'", do="fate.sealed_n = n"
    ),
    Action(
        on="controller_stream_info", when="carrier.method == 'deleteStream'",
        do="fate.deleted_n = n",
    ),
    Action(on="controller_scale_request", do="fate.sealed_n = n"),
    Action(
        on="controller_stream_config",
        when="carrier.method == 'createStream' and fate.deleted_n is not None",
        do="fate.made_n = n",
    ),
)  # fmt: skip
"""What became of streams."""

_WRITTEN: Final = "between(writer.segment, '', '/'), between(writer.segment, '/', '/')"
SUCCESSORS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="lineage",
        scope="capture",
        doc="A stream of which segments are made, and its writers.",
        key={
            "create_segment": "(between(segment, '', '/'), between(segment, '/', '/')) "
            "if not starts(segment, '_system/') else None",
            "end:writer": f"({_WRITTEN}) if writer.sealed_t is not None else None",
        },
        most=1024,
    ),
    Action(on="create_segment", do="lineage.made_t = t; lineage.made_n = n"),
    Lifecycle(
        name="output",
        scope="capture",
        doc="What a client writes to the segments of a stream.",
        key={
            "setup_append": "(client, server, between(segment, '', '/'), "
            "between(segment, '/', '/')) if not starts(segment, '_system/') else None",
            "end:writer": f"(client, server, {_WRITTEN}) if writer.sealed_t is not None else None",
        },
        most=1024,
    ),
    Action(on="setup_append", do="output.set_up_t = t"),
)
"""Segments that follow a sealed one, and who writes to them."""

IDENTITY: Final[tuple[Table, ...]] = (
    SharedIdentity(
        name="shared_writer",
        life="writer",
        on="append_setup",
        key="server, segment, writer_id",
        end_key="server, writer.segment, writer.id",
        used="writer.sent_n",
    ),
    Alternation(
        name="writer_in_turn",
        on="append_setup",
        per="server, segment, writer_id",
        limit=2,
    ),
    Backlog(
        name="under_way",
        ask="read_segment",
        answer=f"segment_read {READS_REFUSED}",
        per="reader",
        limit="OPEN_READS",
    ),
    Backlog(
        name="asked_again",
        ask="read_segment",
        when="request_id >= 0",
        answer="segment_read",
        per="flow, segment, fields.offset, request_id // FLOW_IDS",
        limit="OPEN_READS",
    ),
    Action(on="auth_token_check_failed", do="conn.token_refused_n = n"),
    Sequence(
        name="truncated_back",
        on="truncate_segment",
        per="server, segment",
        value="truncation_offset",
        expect="never falls",
    ),
)

CONTROLLER: Final[tuple[Table, ...]] = (
    Pair(
        name="controlled",
        request=CONTROLS,
        answers=f"{CREATED} {CHANGED}",
        key="carrier.stream_id",
        keep="carrier.method as method coalesce(scope,stream_info.scope) as scope "
        "coalesce(stream_info.stream,coalesce(kvt_name,reader_group_name)) as named",
        failed="coalesce(fields.status, 0) != 0",
        type="",
    ),
    *(
        Repetition(
            name=name,
            on=CREATED,
            when="fields.status == 2",
            per="client, server, req.method, req.scope, coalesce(req.named, '')",
            question="req.n",
            limit=limit,
            pause=pause,
            may_back_off=False,
        )
        for name, limit, pause in (
            ("existing", "EXISTING_LIMIT", "2 s"),
            ("existing_still", "EXISTING_STARTS", "60 s"),
        )
    ),
    Repetition(
        name="created_anew",
        on="controller_create_stream_status controller_create_key_value_table_status",
        when="coalesce(fields.status, 0) == 0",
        per="client, server, req.method, req.scope",
        question="req.n",
        limit="STREAM_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Action(
        on="create_table_segment update_table_entries read_table create_segment setup_append "
        "read_segment",
        when="conn.internal_n is None and starts(segment, '_system/')",
        do="conn.internal_n = n",
    ),
)
"""What clients ask the controller for, and what it asks the segment stores for."""

GROUPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="groups",
        scope="capture",
        doc="The reader groups of a scope.",
        key={
            "controller_reader_group_configuration controller_reader_group_info "
            "controller_key_value_table_config": "scope",
            "create_segment create_table_segment delete_segment delete_table_segment": (
                f"between(segment, '', '/') if {GROUP_OF_ROW} is not None and "
                "not starts(segment, '_system/') else None"
            ),
        },
    ),
    *(
        Action(
            on=on,
            when=new_group(when, name),
            do=f"put(groups.names, {name}); groups.former_n = groups.latest_n; groups.latest_n = n",
        )
        for on, when, name in GROUP_BIRTHS
    ),
    Action(
        on="controller_reader_group_info",
        when="carrier.method == 'deleteReaderGroup'",
        do="groups.deleted = n",
    ),
    Action(
        on="delete_segment delete_table_segment",
        do="groups.deleted = n",
    ),
)

OVERLAPS: Final[tuple[Table, ...]] = (
    Action(
        on="segment_read",
        do="input.again = coalesce(input.again, 0) + 1 "
        "if input.start < fields.offset < input.reached else 0; input.start = fields.offset",
    ),
)
"""Reads that begin inside the bytes of the one before."""

LEASES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="lease",
        scope="capture",
        doc="A transaction, as the controller knows it.",
        key={
            "controller_create_txn_response controller_txn_request controller_ping_txn_request": (
                f"server, {TRANSACTION_ID}"
            ),
            "controller_txn_status controller_ping_txn_status controller_txn_state": (
                "server, req.high, req.low"
            ),
        },
    ),
    Pair(
        name="transacted",
        request="controller_create_txn_request controller_txn_request controller_ping_txn_request",
        answers="controller_create_txn_response controller_txn_status controller_ping_txn_status "
        "controller_txn_state",
        key="carrier.stream_id",
        keep="fields.lease as lease carrier.method as method stream_info.scope as scope "
        "stream_info.stream as stream coalesce(txn_id.high_bits,0) as high "
        "coalesce(txn_id.low_bits,0) as low",
        type="",
    ),
    Action(
        on="controller_create_txn_response",
        do="lease.opened_n = coalesce(req.n, n); lease.opened_t = t; lease.time = req.lease; "
        "lease.alive_t = t; "
        "lease.scope = req.scope; lease.stream = req.stream",
    ),
    Action(
        on="controller_txn_request",
        when="carrier.method in ('commitTransaction', 'abortTransaction')",
        do="lease.over_n = coalesce(lease.over_n, n); lease.over_t = coalesce(lease.over_t, t); "
        "lease.how = carrier.method",
    ),
    Action(
        on="controller_txn_status",
        when="coalesce(fields.status, 0) == 0 and req.method == 'commitTransaction'",
        do="lease.taken_n = n; lease.taken_t = t",
    ),
    Action(
        on="controller_ping_txn_status",
        when="coalesce(fields.status, 0) == 0",
        do="lease.alive_t = t; lease.time = req.lease",
    ),
    Repetition(
        name="pinged",
        on="controller_ping_txn_request",
        per=f"server, {TRANSACTION_ID}",
        limit="PING_LIMIT",
        pause="fields.lease * 1000000 // PING_PART",
        may_back_off=False,
    ),
    Lifecycle(
        name="author",
        scope="capture",
        doc="A client that begins transactions.",
        key={
            "controller_create_txn_request controller_txn_request": "client",
            "append_block_end": "client if writer.transaction is not None else None",
        },
    ),
    Action(on="controller_create_txn_request", do="author.asked_n = n"),
)
"""Transactions at the controller."""

STREAMS: Final[tuple[Table, ...]] = (
    Pair(
        name="noted",
        request="controller_timestamp_from_writer",
        answers="controller_timestamp_response",
        key="carrier.stream_id",
        keep="fields.writer as noter position.stream_info.scope as scope "
        "position.stream_info.stream as stream",
        failed="coalesce(result, 0) != 0",
        type="",
    ),
    Repetition(
        name="noted_back",
        on="controller_timestamp_response",
        when="result == 1",
        per="client, server, req.scope, req.stream, req.noter",
        question="req.n",
        limit="NOTED_LIMIT",
        pause="NOTED_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="cut",
        on="controller_stream_cut",
        when="carrier.method == 'truncateStream'",
        per="client, server, stream_info.scope, stream_info.stream",
        limit="STEP_LIMIT",
        pause="CUT_PAUSE",
        may_back_off=False,
    ),
)
"""Times and truncations of streams at the controller."""

_PROGRAMS_KEY: Final = (
    f"({{}}segment, first(entries.key.data)) if {NOT_INTERNAL} and len(entries) > 0 else None"
)

LOST_UPDATE: Final = (
    "first(entries.key.key_version) == NONE and (view.seen < cell.writes or "
    "cell.pending >= 2 and cell.reads == 0 and cell.writer != flow)"
)
"""Whether a key is written without its version after a write that its writer has not read: on a
connection that read it before, or without any read since, where it was read twice before."""

TABLES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="cell",
        scope="capture",
        doc="A key of a table, as clients read and write it.",
        key={"table_read update_table_entries": _PROGRAMS_KEY.format("server, ")},
    ),
    Lifecycle(
        name="view",
        scope="connection",
        doc="A key of a table, as one connection knows it.",
        key={"table_read update_table_entries": _PROGRAMS_KEY.format("")},
    ),
    Action(
        on="table_read",
        when="len(entries) > 0",
        do="cell.reads = coalesce(cell.reads, 0) + 1; view.seen = coalesce(cell.writes, 0)",
    ),
    Lifecycle(
        name="sheet",
        scope="capture",
        doc="A table segment of a program, with the length of its keys.",
        key={
            "create_table_segment table_segment_info": f"(server, segment) if {NOT_INTERNAL} "
            "else None",
            "update_table_entries remove_table_keys read_table": (
                f"(server, segment) if {NOT_INTERNAL} else None"
            ),
        },
    ),
    Action(
        on="create_table_segment table_segment_info",
        do="sheet.length = key_length; sheet.length_n = n",
    ),
    Action(
        on="update_table_entries",
        do="cell.pending = cell.reads if first(entries.key.key_version) == NONE else 0; "
        "cell.reads = 0; cell.writes = coalesce(cell.writes, 0) + 1; cell.writer = flow; "
        "cell.writer_n = n; "
        "view.seen = cell.writes if view.seen is not None else None",
    ),
)
"""Values that clients read, change and write."""

_UPDATE: Final = "between(event, '\\x00\\x{:02x}\\x00\\x01\\x00\\x00\\x00\\x00', '')"
"""What an update of a reader group's state says, by its type; None for other updates."""
_CREATED: Final = _UPDATE.format(9)
_REACHED: Final = _UPDATE.format(8)
_TAKES_PART: Final = " or ".join(f"{_UPDATE.format(each)} is not None" for each in (2, 5, 8))
"""The row is the update of a reader: it joins the group, takes a segment or reaches a checkpoint.
Each reader has a writer of its own."""
_LEAVES: Final = f"{_UPDATE.format(3)} is not None"

CHECKPOINTS: Final[tuple[Table, ...]] = (
    Action(on="setup_append", do="writer.group = between(segment, '/_RG', '/')"),
    Lifecycle(
        name="progress",
        scope="capture",
        doc="The checkpoints of a reader group that a client has initiated.",
        key={
            "conditional_append append_block_end": "(client, server, writer.segment) "
            "if writer.group is not None else None"
        },
    ),
    Action(on="conditional_append", when=_TAKES_PART, do="put(progress.members, writer_id)"),
    Action(
        on="conditional_append",
        when=f"{_LEAVES} and not has(progress.members, writer_id)",
        do="progress.members = None",
    ),
    Action(on="conditional_append", when=_LEAVES, do="drop(progress.members, writer_id)"),
    Action(
        on="conditional_append",
        when=f"{_REACHED} is not None",
        do="put(progress.reached, writer_id)",
    ),
    Action(
        on="conditional_append",
        when=f"{_REACHED} is not None and count(progress.reached) >= count(progress.members)",
        do="progress.moved_n = n",
    ),
    Action(
        on="append_block_end",
        when="size_of_whole_events == progress.size",
        do="progress.moved_n = n",
    ),
    Repetition(
        name="initiated",
        on="conditional_append",
        when=f"{_CREATED} is not None and {_CREATED} != coalesce(progress.checkpoint, '')",
        per="progress",
        limit="CHECKPOINT_LIMIT",
        pause="CHECKPOINT_PAUSE",
        may_back_off=False,
        breaks="conditional_append append_block_end",
        breaks_when="progress.moved_n == n",
    ),
    Action(
        on="conditional_append",
        when=f"{_CREATED} is not None",
        do=f"progress.reached = None; progress.checkpoint = {_CREATED}; "
        f"progress.size = len(event) + EVENT_HEAD",
    ),
)
"""Checkpoints of reader groups: their state says which are initiated, reached by a reader and
removed. What removes a checkpoint is as long as what initiates it, and not conditional."""

_GROUP_STATE: Final = (
    "(client, server, writer.segment) if writer.group is not None and "
    "not starts(writer.segment, '_system/') else None"
)
_JOINED, LEFT, RELEASED = (_UPDATE.format(kind) for kind in (2, 3, 4))

_GROUP_TABLE: Final = (
    "(client, server, {0}) if not starts({0}, '_system/') and "
    "between({0}, '_kvtable/', '') is not None{1} else None"
)
"""The state of a reader group in a table of entries: that of clients in Rust and Python."""

_OF_GROUP: Final = (
    "len(entries) > 2 and not starts(segment, '_system/') and "
    "between(last(entries.key.data), '16distance_to_tail', '') is not None"
)
"""The row adds a reader to the table of a group, or removes one."""
_ENTERED: Final = (
    "first(entries.key.key_version) == -1 and "
    "between(first(entries.key.data), '17assigned_segments/', '') is not None"
)

_HOLDER: Final = (
    "(between(writer.segment, '', '/'), writer.group) if writer.group is not None and "
    "not starts(writer.segment, '_system/') else None"
)
_ACQUIRED: Final = _UPDATE.format(5)

HOLDINGS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="holding",
        scope="capture",
        doc="A reader group without automatic checkpoints: who waits for segments.",
        key={
            "controller_reader_group_configuration": "scope, reader_group_name",
            "conditional_append conditional_check_failed end:writer": _HOLDER,
        },
        most=1024,
    ),
    Action(
        on="controller_reader_group_configuration",
        do="holding.manual_n = n if automatic_checkpoint_interval_millis < 0 else None; "
        "holding.group = reader_group_name",
    ),
    Action(
        on="conditional_append",
        when=f"{_JOINED} is not None",
        do="holding.joined_n = n if holding.taken_n is not None else None; "
        "holding.joined_t = coalesce(holding.joined_t, t) if holding.taken_n is not None else None",
    ),
    Action(
        on="conditional_append",
        when=f"{_ACQUIRED} is not None",
        do="holding.taken_n = n "
        f"if between({_ACQUIRED}, '\\x00\\x05\\x00\\x01', '') is not None "
        "else holding.taken_n; holding.joined_t = None",
    ),
    Action(
        on="conditional_append",
        when=f"{_CREATED} is not None or {LEFT} is not None or {RELEASED} is not None",
        do="holding.joined_t = None",
    ),
    Action(
        on="end:writer",
        do="holding.cut = coalesce(holding.cut, "
        "None if conn.start and conn.whole and conn.both else 1)",
    ),
)
"""Readers that wait for a segment of others, which release theirs at checkpoints."""

_TAKES: Final = f"{_OF_GROUP} and {_ENTERED}"
ENTRANCES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="entrance",
        scope="capture",
        doc="The reader that joined a reader group of a table last, by its client.",
        key={
            "update_table_entries": f"client if {_OF_GROUP} else None",
            "read_segment": f"client if 0 <= request_id < FLOW_IDS and {NOT_INTERNAL} else None",
        },
        most=1024,
    ),
    Constant(name="TURNS_LIMIT", value=2, doc="Reader groups that take the place of another."),
    Action(
        on="update_table_entries",
        when=f"{_TAKES} and entrance.table != segment",
        do="entrance.turns = coalesce(entrance.turns, 0) + 1 if entrance.present == 0 else 0",
    ),
    Action(
        on="update_table_entries",
        when=_OF_GROUP,
        do=f"entrance.present = max(coalesce(entrance.present, 0) + (1 if {_ENTERED} else -1), 0)",
    ),
    Action(
        on="update_table_entries",
        when=_TAKES,
        do="entrance.several = 1 if entrance.table is not None and entrance.table != segment "
        "else entrance.several; entrance.table = segment; entrance.latest_n = n",
    ),
    Lifecycle(
        name="course",
        scope="capture",
        doc="A segment, as the reader that joined last reads it.",
        key={"read_segment": "(client, segment) if entrance.latest_n is not None else None"},
        most=4096,
    ),
    Action(
        on="read_segment",
        when="course.by_n == entrance.latest_n and fields.offset > course.top",
        do="course.top = fields.offset; course.top_n = n",
    ),
    Action(
        on="read_segment",
        when="course.by_n is None or course.by_n != entrance.latest_n",
        do="course.times = coalesce(course.times, 0) + 1 if fields.offset <= course.start and "
        "fields.offset < course.top else 0; "
        "course.moved_n = n if fields.offset > course.start else course.moved_n; "
        "course.start = fields.offset; "
        "course.top = fields.offset; course.top_n = n; course.by_n = entrance.latest_n",
    ),
)
"""Where readers of a group begin that keeps its state in a table: the clients in Rust and Python,
whose request ids are small."""

READERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="roster",
        scope="capture",
        doc="The readers that a client has added to the state of a reader group.",
        key={
            "conditional_append conditional_check_failed": _GROUP_STATE,
            "end:writer": _GROUP_STATE.replace(
                " else None", " and why in ('closed', 'reset') else None"
            ),
            "update_table_entries read_table_entries_delta": _GROUP_TABLE.format("segment", ""),
            "setup_append": "(client, server, segment) if between(segment, '/_RG', '/') is not "
            "None and not starts(segment, '_system/') else None",
            "table_entries_updated": _GROUP_TABLE.format("req.segment", ""),
            "end:table": _GROUP_TABLE.format("table.id", " and why in ('closed', 'reset')"),
        },
        starts={"readers": 0},
    ),
    *(
        Repetition(
            name=name,
            on=on,
            when=f"{when} and coalesce(roster.readers, 0) == 0",
            per="roster",
            limit="JOINED_LIMIT",
            pause="10 s",
            may_back_off=False,
        )
        for name, on, when in (
            ("joined", "conditional_append", f"writer.group is not None and {_JOINED} is not None"),
            ("entered", "update_table_entries", f"{_OF_GROUP} and {_ENTERED}"),
        )
    ),
    Action(
        on="conditional_append",
        when="writer.group is not None",
        do=f"writer.change = 1 if {_JOINED} is not None else -1 if {LEFT} is not None else 0; "
        "roster.readers = coalesce(roster.readers, 0) + writer.change; roster.closed_t = None; "
        "roster.joined_n = n if writer.change == 1 else roster.joined_n; "
        "roster.group = writer.group",
    ),
    Action(
        on="conditional_check_failed",
        when="writer.group is not None",
        do="roster.readers = roster.readers - writer.change",
    ),
    Action(
        on="update_table_entries",
        when=_OF_GROUP,
        do=f"roster.change = 1 if {_ENTERED} else -1; "
        "roster.joined_n = n if roster.change == 1 else roster.joined_n; "
        "roster.group = between(segment, '/', '_kvtable/'); roster.changed_n = n; "
        "roster.closed_t = None",
    ),
    Action(
        on="table_entries_updated",
        when="req.n == roster.changed_n",
        do="roster.readers = coalesce(roster.readers, 0) + roster.change",
    ),
    Action(
        on="setup_append read_table_entries_delta",
        when="conn.t >= roster.closed_t",
        do="roster.looked_n = coalesce(roster.looked_n, n)",
    ),
    Action(
        on="end:writer end:table",
        do="roster.closed_t = t; roster.flow = coalesce(roster.flow, flow)",
    ),
    Repetition(
        name="released",
        on="conditional_append",
        when=f"writer.group is not None and {RELEASED} is not None",
        per="roster",
        limit="RELEASE_LIMIT",
        pause="RELEASE_PAUSE",
        may_back_off=False,
    ),
)
"""Readers that are added to the state of a group and removed, and segments that they release; an
update that was refused is written again."""

ALONE: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="spree",
        scope="capture",
        doc="The transactions of a client, by their appends.",
        key={"append_block_end": "(client, server) if writer.transaction is not None else None"},
    ),
    Action(
        on="setup_append",
        do="writer.transaction = between(segment, '#transaction.', '')",
    ),
    Action(
        on="append_block_end",
        when="writer.transaction is not None and writer.transaction != coalesce(spree.latest, '')",
        do="spree.alone = coalesce(spree.alone, 0) + 1 if spree.events == 1 and "
        "t - spree.latest_t <= ALONE_PAUSE and not has(spree.seen, writer.transaction) else 0; "
        "spree.former_n = spree.latest_n; spree.events = 0",
    ),
    Action(
        on="append_block_end",
        when="writer.transaction is not None",
        do="spree.events = spree.events + num_events; spree.latest = writer.transaction; "
        "spree.latest_t = t; spree.latest_n = n; put(spree.seen, writer.transaction)",
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *LOOPS, *WASTE, *LEAKS, *OVERLAPS, *READING, *WRITING, *SHELVES, *COPIES, *FATES,
    *SUCCESSORS, *IDENTITY,
    *CONTROLLER, *GROUPS, *LEASES, *STREAMS, *TABLES, *CHECKPOINTS, *HOLDINGS, *ENTRANCES,
    *READERS, *ALONE,
    *CONTROLLER_BEHAVIOURS,
)  # fmt: skip
"""Part of the tables of the protocol."""
