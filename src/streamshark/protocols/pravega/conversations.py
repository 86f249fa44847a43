"""What the frames mean to each other: writers and their appends, reads, control and table calls.

A writer is set up for a segment on a connection; its appends are numbered, and DATA_APPENDED
acknowledges all up to a number. Its request id is the same in all of them, so appends are joined by
writer and number. Reads of one stream of input share an id too: an answer belongs to the read of
its segment and offset. All other requests have an id of their own. Before there were ids, a set-up
and its answer named the writer (dialect `0.0`), or the appender, its ConnectionId (dialect `draft`,
where acknowledgements count bytes of the connection).

Source: `WireCommands`, `AppendEncoder`, `AppendDecoder` and `AppendProcessor` of pravega/pravega
0.13.0; what real servers do where these leave it open.
"""

from typing import Final

from streamshark.conversations.tables import (
    Action,
    Burst,
    Constant,
    Context,
    Lifecycle,
    Pair,
    Table,
    Timer,
    Transition,
)
from streamshark.protocols.pravega.behaviours import BEHAVIOURS, COUNTS_PAIRS, COUNTS_REPEATED
from streamshark.protocols.pravega.group_states import GROUP_STATES
from streamshark.protocols.pravega.leftovers import LEFTOVERS
from streamshark.protocols.pravega.programs import PROGRAMS
from streamshark.protocols.pravega.reading_stops import READING_STOPS
from streamshark.protocols.pravega.row_names import (
    BLOCKS,
    CALLS,
    CONDITIONED,
    DRAFTED,
    ERRORS,
    IS_SIGNED,
    NOT_INTERNAL,
    READS_REFUSED,
    REPLIES,
    SHOWING,
)
from streamshark.protocols.pravega.shared_use import SHARED_USE

OF_WRITER: Final = "(writer.request == request_id or has(writer.requests, request_id))"
"""A reply is for a writer: Java's client has one request id for a writer, Rust's one for each
append."""
LOWEST: Final = -(1 << 63)
"""The last event number of a writer that has none."""
SINCE: Final = {
    -127: 1, -6: 15, -4: 14, -2: 1, 38: 2, 40: 15, 41: 17, 50: 1, 56: 2, 57: 4, 58: 5, 61: 11,
    62: 1, 68: 12, 70: 7, 87: 10, 89: 11, 90: 15, 92: 1,
}  # fmt: skip
"""Type codes at which a newer wire version is needed than for those before, to that version."""
RELEASES: Final = {
    0: "no release", 1: "clients of 0.1", 2: "builds before 0.2", 4: "clients of 0.2",
    5: "clients of 0.3", 6: "clients of 0.4", 7: "builds before 0.5", 8: "clients of 0.5",
    9: "clients of 0.6 and 0.7", 10: "clients of 0.8", 11: "clients of 0.9",
    12: "builds before 0.10", 14: "clients of 0.10",
    15: "clients of 0.11, 0.12 and Rust (Python, Node, Go)",
    16: "clients of 0.13", 17: "clients after 0.13",
}  # fmt: skip
"""Newest wire version to what speaks it."""
STORES: Final = {
    version: text.partition(" and Rust")[0].replace("clients", "stores")
    for version, text in RELEASES.items()
}
MEMBERS: Final = {
    "read_segment": {"request_id": 8},
    "conditional_append": {"request_id": 8},
    "create_segment": {"rollover_size_bytes": 14},
    "create_table_segment": {"sorted": 10},
    "merge_segments": {"attribute_updates": 13},
    "update_table_entries": {"table_segment_offset": 10},
    "remove_table_keys": {"table_segment_offset": 10},
    "read_table_keys": {"prefix_filter": 10},
    "read_table_entries": {"prefix_filter": 10},
}
"""Requests and their later members, to the wire version that brought them."""
WRITING: Final = (
    "setup_append append_setup append_block append_block_end conditional_append "
    "conditional_block_end data_appended conditional_check_failed invalid_event_number"
)

BLOCKS_OF_DRAFT: Final[tuple[Table, ...]] = (
    # Bytes of a block, counted in each way that the page allows: whole messages of the block, all
    # messages, and data without heads.
    Action(
        on="client:begin_append_block",
        do="C.draft_n = n; C.draft_writer = connection_id; C.announced = fields.length; "
        "C.block_bytes = len(data); C.block_bare = len(data); C.block_all = len(data)",
    ),
    Action(
        on="client:event client:partial_message",
        when="C.draft_n is not None",
        do="C.block_bytes = C.block_bytes + size; C.block_bare = C.block_bare + len(data); "
        "C.block_all = C.block_all + size",
    ),
    Action(
        on="client:keep_alive",
        when="C.draft_n is not None",
        do="C.block_all = C.block_all + size",
    ),
    Action(on="client:end_append_block", do="C.draft_n = None"),
    Action(
        on="partial_message",
        do="me.partial_n = None if position == 2 else n if position == 0 else me.partial_n",
    ),
)
"""Blocks and parts of messages in dialect `draft`."""

CONNECTION: Final[tuple[Table, ...]] = (
    Constant(
        name="ECHO",
        value="5 s",
        doc="Time within which servers of 0.13 echo KEEP_ALIVE; 0.5 and 0.4 do not.",
    ),
    Constant(
        name="IDLE",
        value="60 s",
        doc="Silence of a client after which a server may take it for dead.",
    ),
    Constant(name="NONE", value=LOWEST, doc="The last event number of a writer that has none."),
    Constant(
        name="LARGEST_BEFORE", value=0x7FFFFF, doc="Most bytes of a payload before release 0.6."
    ),
    Constant(name="RELEASES", value=RELEASES, doc="Newest wire version to the clients of it."),
    Constant(name="STORES", value=STORES, doc="Newest wire version to the stores of it."),
    Constant(
        name="KEPT",
        value=1 << 20,
        doc="Most bytes of a block that is kept for its end; clients fill blocks of half as many.",
    ),
    Constant(
        name="SINCE",
        value=SINCE,
        doc="Type code to the wire version that brought it; each number holds up to the next one.",
    ),
    Constant(name="LARGEST_READ", value=1 << 24, doc="Bytes that no read returns."),
    Constant(name="LARGE_ENTRY", value=8192, doc="Bytes of an update that may be too large."),
    Constant(
        name="GRACE", value="2 s", doc="Time in which appends still cross with SEGMENT_IS_SEALED."
    ),
    Constant(
        name="CROSSING",
        value="200 ms",
        doc="The same, where each append is sent after the answer to the one before.",
    ),
    Constant(name="SEALS_LIMIT", value=3, doc="SEGMENT_IS_SEALED for appends of a writer."),
    Lifecycle(
        name="conn",
        scope="connection:one",
        type="connection",
        steps=(Transition("absent unknown", "any", "open"),),
    ),
    Action(
        on="client:hello",
        do="C.high = high_version; C.low = low_version; C.hello_n = n; C.hello_t = t; "
        "conn.client_version = high_version",
    ),
    Action(
        on="server:hello",
        do="S.high = high_version; S.low = low_version; S.hello_n = n; "
        "conn.server_version = high_version",
    ),
    Action(
        on="client:append_block",
        do="C.block_n = n; C.block_writer = writer_id; "
        "C.block = data if len(data) <= KEPT else None",
    ),
    Action(
        on="client:append_block_end",
        when="writer.sent <= writer.acked and size_of_whole_events + len(data) <= LONGEST_KEPT",
        do="writer.oldest = coalesce(C.block, data); writer.oldest_number = last_event_number",
    ),
    *(
        Action(
            on=on,
            when=f"writer.sent <= writer.acked and len({what}) <= LONGEST_KEPT",
            do=f"writer.oldest = {what}; writer.oldest_number = event_number",
        )
        for on, what in CONDITIONED.items()
    ),
    Action(
        on="client:append_block_end",
        do="writer.bytes = coalesce(writer.bytes, 0) + len(data) + "
        "(0 if C.block_n is None else size_of_whole_events)",
    ),
    *COUNTS_REPEATED,
    COUNTS_PAIRS,
    Action(on="client:append_block_end", do="C.block_n = None; C.block = None"),
    *BLOCKS_OF_DRAFT,
    Constant(
        name="HALF_OPEN",
        value="1 s",
        doc="Time in which a client notices that the server has closed the connection.",
    ),
    Action(on="server:tcp.close", do="S.closed_t = t"),
    Action(
        on=SHOWING,
        do="me.token_n = n if len(delegation_token) > 0 else me.token_n; "
        "me.bare_n = n if len(delegation_token) == 0 else me.bare_n",
    ),
    Action(
        on="setup_append",
        when=IS_SIGNED,
        do="conn.bearer = delegation_token; conn.bearer_n = n",
    ),
    Timer(
        name="echo",
        of="conn",
        on="client:keep_alive",
        when="S.high >= 16",
        clear="server:keep_alive tcp.close tcp.reset",
        limit="ECHO",
    ),
    Action(
        on="client:keep_alive",
        do="conn.alive_n = n; conn.alives = coalesce(conn.alives, 0) + 1",
    ),
)
CALL: Final[tuple[Table, ...]] = (
    Pair(
        name="call",
        request=CALLS,
        answers=f"{REPLIES} {ERRORS}",
        key="request_id",
        keep="name as asked segment len(continuation_token) as continued "
        "greatest(entries.key.key_version) as versions first(keys.data) as wanted_key "
        "coalesce(suggested_key_count,suggested_entry_count) as wanted from_position "
        "from_key as begins",
        failed=" or ".join(f"name == '{each}'" for each in ERRORS.split()),
    ),
    Pair(
        name="read",
        request="read_segment",
        answers="segment_read segment_is_sealed segment_is_truncated no_such_segment",
        key="segment, fields.offset",
        keep="name as asked segment fields.offset as start suggested_length",
        failed="name == 'segment_is_truncated' or name == 'no_such_segment'",
        type="read",
    ),
    Pair(
        name="set_up",
        request="setup_append",
        answers=f"append_setup {ERRORS}",
        key="coalesce(request_id, writer_id)",
        failed="name != 'append_setup'",
        keep="name as asked writer_id segment t as asked_t",
        type="",
    ),
    Pair(
        name="drafted",
        request="setup_append",
        answers="append_setup",
        key="connection_id",
        keep="segment t as asked_t",
        type="",
    ),
    Lifecycle(
        name="input",
        scope="connection",
        doc="The reads of a segment.",
        key={"read_segment segment_read segment_is_truncated": "segment"},
        steps=(Transition("absent unknown", "read_segment segment_read", "read"),),
        starts={"reads": 0, "bytes": 0},
    ),
    Action(on="read_segment", do="input.reads = input.reads + 1; input.segment = segment"),
    Action(on="segment_read", do="input.bytes = input.bytes + len(data)"),
    Action(
        on="segment_read",
        when="end_of_segment == 1",
        do="input.ended_at_n = n; input.end = fields.offset + len(data); conn.spent_t = t; "
        "conn.spent_n = n; conn.spent_after = C.frames - coalesce(conn.alives, 0)",
    ),
    Lifecycle(
        name="reader",
        scope="connection",
        doc="The reads of one stream of input: they share a request id.",
        key={f"read_segment segment_read {READS_REFUSED}": "segment, request_id"},
        steps=(Transition("absent unknown", "read_segment segment_read", "read"),),
    ),
    Action(
        on="segment_read", do="reader.reached = fields.offset + len(data); reader.reached_n = n"
    ),
    Lifecycle(
        name="table",
        scope="connection",
        doc="A table segment, as its requests and replies show it.",
        key={
            "update_table_entries create_table_segment delete_table_segment": "segment",
            "table_entries_updated": "req.segment",
        },
        steps=(Transition("absent unknown", "update_table_entries table_entries_updated", "used"),),
    ),
    Action(on="create_table_segment delete_table_segment", do="table.version = None"),
    Action(
        on="table_entries_updated",
        do="table.version = max(coalesce(table.version, greatest(updated_versions)), "
        "greatest(updated_versions)); table.version_n = n",
    ),
    Burst(name="refused_token", on="auth_token_check_failed", key="flow", window="10 s", limit=5),
    Burst(name="wrong_host", on="wrong_host", key="flow, segment", window="10 s", limit=5),
    Burst(
        name="end_again",
        on="segment_read",
        when="end_of_segment == 1 and len(data) > 0",
        key="flow, segment, fields.offset",
        window="10 s",
        limit=5,
    ),
)
WRITERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="writer",
        scope="connection",
        type="writer",
        doc="A writer on a connection, from its set-up on.",
        key={
            "append_block append_block_end conditional_append conditional_block_end "
            "conditional_check_failed invalid_event_number": "writer_id",
            "setup_append append_setup data_appended": "coalesce(writer_id, connection_id)",
            DRAFTED: "connection_id",
            ERRORS: "req.writer_id",
        },
        steps=(
            Transition("absent unknown set_up sealed denied", "setup_append", "asked"),
            Transition("asked", "append_setup", "set_up"),
            Transition("asked", ERRORS, "denied", "name != 'segment_is_sealed'"),
            Transition("unknown", f"append_setup {BLOCKS} {DRAFTED} data_appended", "set_up"),
            Transition("asked set_up", "invalid_event_number", "refused"),
        ),
        each=(
            Transition("asked set_up", "segment_is_sealed", "sealed",
                 f"writer.segment == segment and {OF_WRITER}"),
        ),
        final="denied refused",
        failed="denied refused",
        starts={"appends": 0, "events": 0},
        measures={
            "acknowledged": "writer.acked if writer.acked > NONE else None",
            "sent": "writer.sent if writer.sent > NONE else None",
            "appends": "writer.appends",
            "events": "writer.events if writer.request is not None else None",
        },
    ),
    Action(on="setup_append",
         do="writer.again = 1 if writer.state == 'set_up' and writer.segment == segment "
         "and writer.acked_n is not None else 0"),
    Action(on="setup_append", do="writer.segment = segment; writer.request = request_id; "
         "writer.setup_n = n; writer.sent = None; writer.sent_n = None; writer.sealed_n = None; "
         "writer.sealed_t = None; writer.seals = 0; "
         "writer.acked = None; writer.acked_n = None; writer.stored_at = None; "
         "writer.expecting = None"),
    Action(on="append_setup",
        do="writer.acked = last_event_number; writer.sent = last_event_number; "
         "writer.ready_n = n"),
    Action(on="end_append_block",
         do="writer.offset = connection_offset; writer.offset_n = n; "
         "writer.reach = max(coalesce(writer.reach, 0), connection_offset + block_length)"),
    Action(on="append_setup", when="connection_offset_ack_level is not None",
         do="writer.reach = connection_offset_ack_level"),
    Action(on="end_append_block",
         do="writer.appends = writer.appends + 1; add(writer.waiting, connection_offset)"),
    Action(on="data_appended", do="take_upto(writer.waiting, connection_offset_ack_level)"),
    Action(on="append_block_end", do="writer.sent = last_event_number; writer.sent_n = n"),
    Action(on="append_block_end", when="request_id != writer.request",
         do="put(writer.requests, request_id)"),
    Action(on="conditional_append conditional_block_end",
         do="writer.sent = event_number; writer.sent_n = n; "
         "put(writer.requests, request_id); writer.expecting = event_number"),
    # An event gets a head of eight bytes in the segment, a block none.
    Action(on="conditional_append", do="writer.expected_end = expected_offset + len(event) + 8"),
    Action(on="conditional_block_end", do="writer.expected_end = expected_offset + len(data)"),
    Action(on="append_block_end",
         do="writer.appends = writer.appends + 1; writer.events = writer.events + num_events; "
         "add(writer.waiting, last_event_number)"),
    Action(on="conditional_append conditional_block_end",
         do="writer.appends = writer.appends + 1; writer.events = writer.events + 1; "
         "add(writer.waiting, event_number)"),
    Action(on="setup_append", do="forget(writer.waiting); writer.bytes = 0"),
    Action(on="client:tcp.close client:tcp.reset", do="conn.client_left = 1"),
    Action(on="setup_append read_segment", when=NOT_INTERNAL, do="conn.outside = 1"),
    Action(on="data_appended",
         do="writer.slowest = max(coalesce(writer.slowest, 0), t - oldest_t(writer.waiting))"),
    Action(on="data_appended", do="take_upto(writer.waiting, event_number)"),
    Action(on="conditional_check_failed",
         do="take(writer.waiting, event_number); writer.refused = event_number"),
    Action(on="data_appended", do="writer.acked = event_number; writer.acked_n = n; "
         "writer.stored_at = max(coalesce(writer.stored_at, 0), current_segment_write_offset)"),
    Action(on=f"{REPLIES} append_setup", when="not orphan",
         do="conn.answered_of_n = max(coalesce(conn.answered_of_n, 0), req.n)"),
    Action(on="segment_is_sealed", each="writer",
         when=f"writer.segment == segment and {OF_WRITER}",
         do="writer.sealed_n = n; writer.sealed_t = coalesce(writer.sealed_t, t); "
         "writer.seals = coalesce(writer.seals, 0) + 1; writer.failing = fields.offset"),
    Burst(name="again", on="setup_append", when="writer.again == 1", key="flow, writer_id",
           window="60 s", limit=3),
    Burst(name="in_vain", on="end:writer",
           when="writer.ready_n is not None and writer.appends == 0 and why == 'closed' and "
           "conn.finished == 1 and conn.dropped is None",
           key="writer.id, writer.segment, writer.acked", window="60 s", limit=3),
    Context(name="segment", value="writer.segment req.segment"),
    Context(name="client_version", value="conn.client_version"),
    Context(name="server_version", value="conn.server_version"),
)  # fmt: skip

CONVERSATIONS: Final[tuple[Table, ...]] = (
    *CONNECTION,
    *CALL,
    *PROGRAMS,  # before what takes acknowledged events from those that wait
    *WRITERS,
    *BEHAVIOURS,
    *SHARED_USE,
    *LEFTOVERS,
    *GROUP_STATES,
    *READING_STOPS,
)
