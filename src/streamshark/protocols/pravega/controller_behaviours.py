"""What clients ask the controller over time: listings, truncations, changes, times, tokens."""

from typing import Final

from streamshark.conversations.behaviours import Alternation, Repetition, Sequence
from streamshark.conversations.tables import Action, Constant, Lifecycle, Pair, Table
from streamshark.protocols.pravega.row_names import (
    ANSWERED_CHANGES,
    CHANGES,
    CREATED,
    LISTED,
    LISTINGS,
    REFUSABLE,
)

PAGES: Final = (
    ("scopes", "controller_scopes_response", "len(scopes)"),
    ("streams", "controller_streams_in_scope_response", "len(streams)"),
    ("tables", "controller_kv_tables_in_scope_response", "len(kvtables)"),
)
"""What is listed, a page of it, and how many names the page has."""
_TOKEN: Final = "coalesce(continuation_token.token, '')"  # noqa: S105 - the name of a column
_STREAM: Final = "stream_info.scope, stream_info.stream"
_NAMED: Final = "req.method, coalesce(req.scope, ''), coalesce(req.named, '')"
_DONE: Final = "coalesce(fields.status, 0) == 0"
WITHOUT_SEGMENTS: Final = (
    "carrier.method == 'getCurrentSegments' and coalesce(len(segment_ranges), 0) == 0"
)
"""Whether an answer of the controller says that a stream has no segments to write to."""

CONSTANTS: Final = (
    Constant(name="LISTED_LIMIT", value=3, doc="First pages of a list of names in a row."),
    Constant(name="LISTED_PAUSE", value="60 s", doc="Longest time between two of them."),
    Constant(name="UNREAD", value="1 s", doc="Time within which the next page is asked for."),
    Constant(name="CHANGE_LIMIT", value=3, doc="Changes in a row that are refused."),
    Constant(name="CHANGE_PAUSE", value="5 s", doc="Longest time between two of them."),
    Constant(name="TURNED_LIMIT", value=3, doc="Scales in a row that undo the one before."),
    Constant(name="TURNED_PAUSE", value="30 s", doc="Longest time between two of them."),
    Constant(name="TIMES_LIMIT", value=5, doc="Times of a writer in a row."),
    Constant(name="TIMES_PAUSE", value="100 ms", doc="Longest time between two of them."),
    Constant(name="ONE_NOTES_LIMIT", value=4, doc="Times that one of several writers notes alone."),
    Constant(name="ONE_NOTES_TIME", value="10 s", doc="Time in which another one notes none."),
    Constant(name="UNRELEASED", value="10 s", doc="Time after which a subscriber releases events."),
    Constant(name="OTHER_UNIT", value=500, doc="By how much times of other units differ."),
    Constant(name="TOKEN_LIMIT", value=5, doc="Tokens for one stream in a row."),
    Constant(name="TOKEN_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="EMPTY_LIMIT", value=3, doc="Transactions in a row without an event."),
    Constant(name="EMPTY_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="MOST_KBYTES", value=1_000_000, doc="Kilobytes a second no segment takes."),
    Constant(name="MOST_EVENTS", value=10_000_000, doc="Events a second no segment takes."),
    Constant(name="MANY_SEGMENTS", value=500, doc="Segments of a stream that are very many."),
    Constant(name="SHORT_RETENTION", value=60_000, doc="Milliseconds that are no retention."),
    Constant(name="SMALL_RETENTION", value=65_536, doc="Bytes that are no retention."),
    Constant(name="LONG_RETENTION", value=315_360_000_000, doc="Milliseconds of ten years."),
    Constant(name="SHORTEST_LEASE", value=1000, doc="Milliseconds that no lease is below."),
    Constant(name="LONGEST_LEASE", value=86_400_000, doc="Milliseconds that no lease is above."),
    Constant(name="SHORT_REFRESH", value=100, doc="Milliseconds between refreshes, too few."),
    Constant(name="SHORT_CHECKPOINT", value=1000, doc="Milliseconds of checkpoints, too few."),
)

LISTS: Final[tuple[Table, ...]] = (
    Pair(
        name="listed",
        request=LISTINGS,
        answers=LISTED,
        key="carrier.stream_id",
        keep="carrier.method as method scope tag coalesce(continuation_token.token,'') as token",
        type="",
    ),
    Lifecycle(
        name="listing",
        scope="capture",
        doc="A list of names, as a client reads it page by page.",
        key={
            "controller_scopes_request": "client, server, carrier.method, '', ''",
            "controller_streams_in_scope_request controller_kv_tables_in_scope_request": (
                "client, server, carrier.method, scope, ''"
            ),
            "controller_streams_in_scope_with_tag_request": (
                "client, server, carrier.method, scope, coalesce(tag, '')"
            ),
            LISTED: "client, server, req.method, coalesce(req.scope, ''), coalesce(req.tag, '')",
        },
    ),
    Action(on=LISTINGS, do="listing.rest_n = None"),
    *(
        Action(
            on=page,
            when=f"{names} > 0 and len({_TOKEN}) > 0",
            do="listing.rest_n = n; listing.rest_t = t; listing.asked_n = req.n; "
            f"listing.method = req.method; listing.names = {names}",
        )
        for _, page, names in PAGES
    ),
    *(
        Repetition(
            name=f"first_{what}",
            on=page,
            when=f"req.token == '' and {names} > 0 and len({_TOKEN}) > 0",
            per="listing",
            same=_TOKEN,
            question="req.n",
            limit="LISTED_LIMIT",
            pause="LISTED_PAUSE",
            may_back_off=False,
            breaks=page,
            breaks_when="req.token != ''",
        )
        for what, page, names in PAGES
    ),
    *(
        Repetition(
            name=f"same_{what}",
            on=page,
            when=f"req.token != '' and {names} > 0",
            per="listing",
            same="req.token",
            question="req.n",
            limit="LISTED_LIMIT",
            pause="LISTED_PAUSE",
            may_back_off=False,
        )
        for what, page, names in PAGES
    ),
)
"""Lists of scopes, streams and tables: each page has a token with which the next one is asked."""

POSITIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="retainer",
        scope="capture",
        doc="A reader group for which a stream keeps its events, until it releases them.",
        key={
            "controller_reader_group_configuration controller_subscriber_stream_cut": (
                "server, reader_group_id"
            ),
        },
        most=1024,
    ),
    Action(
        on="controller_reader_group_configuration",
        do="retainer.group = reader_group_name; retainer.made_n = n; retainer.made_t = t; "
        "retainer.manual = 1 if retention_type == 1 or "
        "retention_type == 2 and automatic_checkpoint_interval_millis < 0 else None",
    ),
    Action(on="controller_subscriber_stream_cut", do="retainer.released_n = n"),
    Sequence(
        name="subscribed_back",
        on="controller_subscriber_stream_cut",
        per="server, stream_cut.stream_info.scope, stream_cut.stream_info.stream, subscriber, "
        "coalesce(first(stream_cut.cut.key), 0)",
        value="coalesce(first(stream_cut.cut.value), 0)",
        expect="never falls",
    ),
    Sequence(
        name="cut_back",
        on="controller_stream_cut",
        when="carrier.method == 'truncateStream'",
        per=f"server, {_STREAM}, coalesce(first(fields.cut.key), 0)",
        value="coalesce(first(fields.cut.value), 0)",
        expect="never falls",
    ),
)
"""Positions in streams, of which each may only be followed by a later one."""

CONFIGURATIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="configured",
        scope="capture",
        doc="The policies of a stream, as clients have set them.",
        key={"controller_stream_config": f"server, {_STREAM}"},
    ),
    Action(
        on="controller_stream_config",
        do="configured.retention = coalesce(retention_policy.retention_type, 0); "
        "configured.scaling = coalesce(scaling_policy.scale_type, 0); configured.by_n = n",
    ),
    Alternation(
        name="restated",
        on="controller_stream_config",
        when="carrier.method == 'updateStream'",
        per=f"server, {_STREAM}",
        by="digest(carrier.message)",
        limit=2,
    ),
)

CHANGED: Final[tuple[Table, ...]] = (
    Pair(
        name="changed",
        request=CHANGES,
        answers=ANSWERED_CHANGES,
        key="carrier.stream_id",
        keep="carrier.method as method coalesce(scope,stream_info.scope) as scope "
        "coalesce(stream,coalesce(stream_info.stream,coalesce(kvt_name,reader_group))) as named",
        failed="coalesce(fields.status, 0) != 0",
        type="",
    ),
    Repetition(
        name="lapsed_txn",
        on="controller_txn_status",
        when="fields.status > 0",
        per="client, server, coalesce(req.method, ''), req.scope, req.stream",
        question="req.n",
        limit=1,
        may_back_off=False,
        success="controller_txn_status",
        success_when="fields.status == 0 and req.method == 'commitTransaction'",
    ),
    Repetition(
        name="unchanged",
        on=REFUSABLE,
        when="fields.status > 0",
        per=f"client, server, {_NAMED}",
        same="fields.status",
        question="req.n",
        limit="CHANGE_LIMIT",
        pause="CHANGE_PAUSE",
        success=REFUSABLE,
        success_when=_DONE,
    ),
    Repetition(
        name="not_created",
        on=CREATED,
        when="fields.status > 0 and fields.status != 2",
        per=f"client, server, {_NAMED}",
        same="fields.status",
        question="req.n",
        limit="CHANGE_LIMIT",
        pause="CHANGE_PAUSE",
        success=CREATED,
        success_when=_DONE,
    ),
    Repetition(
        name="without_segments",
        on="controller_segment_ranges",
        when=WITHOUT_SEGMENTS,
        per=f"client, server, {_NAMED}",
        question="req.n",
        limit="CHANGE_LIMIT",
        pause="CHANGE_PAUSE",
    ),
    Repetition(
        name="tokens",
        on="controller_delegation_token",
        when="len(delegation_token) > 0",
        per=f"client, server, {_NAMED}",
        question="req.n",
        limit="TOKEN_LIMIT",
        pause="TOKEN_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="grouped",
        on="controller_create_reader_group_response",
        when=_DONE,
        per=f"client, server, {_NAMED}",
        question="req.n",
        limit="EXISTING_STARTS",
        pause="60 s",
        may_back_off=False,
        breaks="controller_delete_reader_group_status",
    ),
)

_WAY: Final = "len(new_key_ranges) - len(sealed_segments)"
SCALES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="scaling",
        scope="capture",
        doc="A stream whose segments a client splits and merges.",
        key={"controller_scale_request": f"server, {_STREAM}"},
        most=1024,
    ),
    Repetition(
        name="to_and_fro",
        on="controller_scale_request",
        when=f"scaling.way > 0 and {_WAY} < 0 or scaling.way < 0 and {_WAY} > 0",
        per="scaling",
        limit="TURNED_LIMIT",
        pause="TURNED_PAUSE",
        breaks="controller_scale_request",
        breaks_when=f"scaling.way > 0 and {_WAY} > 0 or scaling.way < 0 and {_WAY} < 0",
        may_back_off=False,
    ),
    Action(on="controller_scale_request", do=f"scaling.way = {_WAY}"),
)
"""Segments that clients split and merge."""

TIMES: Final[tuple[Table, ...]] = (
    Repetition(
        name="times_noted",
        on="controller_timestamp_from_writer",
        per="client, server, fields.writer, position.stream_info.scope, "
        "position.stream_info.stream",
        limit="TIMES_LIMIT",
        pause="TIMES_PAUSE",
        may_back_off=False,
    ),
    Lifecycle(
        name="timed",
        scope="capture",
        doc="The latest time that writers of a stream have noted.",
        key={
            "controller_timestamp_from_writer": "server, position.stream_info.scope, "
            "position.stream_info.stream",
            "controller_remove_writer_request": "server, stream.scope, stream.stream",
        },
        most=1024,
    ),
    Action(
        on="controller_timestamp_from_writer",
        when="coalesce(timed.by, '') != fields.writer",
        do="timed.other = timed.by; timed.other_n = timed.by_n; timed.other_t = timed.by_t; "
        "timed.alone = 0",
    ),
    Action(
        on="controller_timestamp_from_writer",
        do="timed.by = fields.writer; timed.by_n = n; timed.by_t = t; "
        "timed.alone = coalesce(timed.alone, 0) + 1",
    ),
    Action(
        on="controller_remove_writer_request",
        when="fields.writer == timed.other",
        do="timed.other = None",
    ),
    Action(
        on="controller_remove_writer_request",
        when="fields.writer == timed.by",
        do="timed.by = None; timed.alone = 0",
    ),
    Action(
        on="controller_timestamp_from_writer",
        when="timestamp > coalesce(timed.top, 0)",
        do="timed.top = timestamp; timed.top_n = n; timed.writer = fields.writer",
    ),
)

EMPTY: Final[tuple[Table, ...]] = (
    Action(on="append_block_end", when="writer.transaction is not None",
           do="author.wrote_n = n; author.seen_n = n"),
    Action(on="controller_create_txn_request", do="author.wrote_n = None"),
    Repetition(
        name="empty",
        on="controller_txn_request",
        when="carrier.method == 'commitTransaction' and author.asked_n == lease.opened_n and "
        "author.wrote_n is None and author.seen_n is not None",
        per="author",
        limit="EMPTY_LIMIT",
        pause="EMPTY_PAUSE",
        may_back_off=False,
        breaks="append_block_end",
        breaks_when="writer.transaction is not None",
    ),
)  # fmt: skip
"""Transactions that are committed without an event."""

CONTROLLER_BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *LISTS, *POSITIONS, *CONFIGURATIONS, *CHANGED, *SCALES, *TIMES, *EMPTY,
)  # fmt: skip
"""Part of the tables of the protocol."""
