"""What clients of Liftbridge do over time: loops, cursors, groups, waste, resumed reading."""

from typing import Final

from streamshark.conversations.behaviours import (
    Alternation,
    Flood,
    Mixture,
    Repetition,
    RoundTrips,
    Sequence,
)
from streamshark.conversations.payload_formats import FORMATS, format_of
from streamshark.conversations.tables import (
    Action,
    Constant,
    Lifecycle,
    Pair,
    Table,
    Timer,
    Transition,
)

_PARTITION: Final = "stream, coalesce(partition, 0)"
_CURSOR: Final = f"server, {_PARTITION}, cursor_id"
_WANTS_ACK: Final = "carrier.method == 'PublishAsync' and coalesce(ack_policy, 0) != 2"

FORMAT: Final = format_of("value")

BEGINS_AGAIN: Final = (
    "place.absent_flow == flow and coalesce(place.begun_flow, -1) != flow and "
    "(start_position == 2 or start_position == 1 and coalesce(start_offset, 0) == 0)"
)
"""A partition is read from its first message, since the cursor that was fetched is not there."""

CONSTANTS: Final = (
    Constant(name="FORMATS", value=FORMATS, doc="First bytes of a message to its format."),
    Constant(name="FORMAT_SAMPLE", value=64, doc="Messages of a connection that are compared."),
    Constant(name="OTHERS_LIMIT", value=2, doc="Messages of a stream in another format."),
    Constant(name="AGAIN_LIMIT", value=4, doc="Subscriptions in a row that bring nothing."),
    Constant(name="AGAIN_PAUSE", value="2 s", doc="Longest time between two requests of a chain."),
    Constant(name="STEP_LIMIT", value=8, doc="Requests one by one that could be joined."),
    Constant(name="RESUME_LIMIT", value=3, doc="Subscriptions that each go on after the last."),
    Constant(name="CREATE_LIMIT", value=6, doc="Streams created in a row."),
    Constant(name="FETCH_LIMIT", value=8, doc="Fetches of assignments in a row."),
    Constant(name="SAME_ID_LIMIT", value=3, doc="Publishes in a row with one correlation id."),
    Constant(name="CALL_LIMIT", value=8, doc="Calls of PublishAsync in a row with one message."),
    Constant(name="ASYNC_LIMIT", value=3, doc="Messages in a row that are refused alike."),
    Constant(name="TRIES", value=3, doc="Publishes to a stream that takes none."),
    Constant(name="JOIN_LIMIT", value=3, doc="Joins of a group in a row by one consumer."),
    Constant(name="BUSY_TIME", value="1 s", doc="Time since the last message of a stream in use."),
    Constant(name="PAUSE_LIMIT", value=3, doc="Pauses of a stream in a row."),
    Constant(name="WOKEN_LIMIT", value=3, doc="Messages in a row that only wake a stream."),
    Constant(name="KEYLESS_LIMIT", value=3, doc="Messages without a key in a compacted stream."),
    Constant(name="FIRST_LIMIT", value=10, doc="Messages for the first partition alone."),
    Constant(name="MOST_SKIPPED", value=5, doc="Messages that are skipped by mistake at most."),
    Constant(name="READ_BEFORE", value=5, doc="Messages whose second reading is worth a note."),
    Constant(name="UNREAD", value="3 s", doc="Time within which an assigned partition is read."),
    Constant(name="NANOSECONDS", value=10**17, doc="Times below it are not ns since 1970."),
    Constant(name="NEARLY_LARGEST", value=943_718, doc="Nine tenths of `LARGEST`."),
    Constant(name="UNREAD_LIMIT", value=3, doc="Messages of a partition without a reader."),
    Constant(name="FRESH_LIMIT", value=50, doc="Messages whose keys all differ."),
    Constant(name="BEGUN_LIMIT", value=2, doc="Connections that read all messages before."),
    Constant(name="FED_LIMIT", value=4, doc="Streams of one subject whose names are alike."),
    Constant(name="SET_AGAIN_LIMIT", value=5, doc="Times that a cursor is set to one offset."),
    Constant(name="UNREAD_SETS", value=3, doc="Cursors that are set without any reading."),
    Constant(name="PAIR_LIMIT", value=3, doc="Messages in a row that are each published twice."),
    Constant(name="SKEW", value="60 s", doc="Time by which clocks may differ."),
    Constant(name="LIKE_A_TIME", value=10**9, doc="Offsets above it are rather times."),
    Constant(name="ANEW_LIMIT", value=5, doc="Members of a group, one after another."),
    Constant(name="KEYED_LIMIT", value=2, doc="Messages of a key in another partition."),
    Constant(name="METADATA_LIMIT", value=6, doc="Calls of FetchMetadata in a row."),
    Constant(name="NAMES_LIMIT", value=3, doc="Names that a client has used one after another."),
    Constant(
        name="RESTORED",
        value="2 s",
        doc="Time in which a client that has reconnected subscribes again.",
    ),
    Constant(name="BRIEF_RETENTION", value=60_000, doc="Milliseconds, a minute."),
    Constant(name="ECHO_LIMIT", value=5, doc="Messages in a row that a client passes on."),
    Constant(name="ECHO_WAIT", value="300 ms", doc="Time in which a read message is passed on."),
    Constant(name="ECHO_TIME", value="1 s", doc="Time in which a published message comes back."),
    Constant(name="ECHO_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="BRIEF_PAUSE", value=1000, doc="Milliseconds, a second."),
    Constant(
        name="DAYS_IN_SECONDS",
        value=(86_400, 172_800, 259_200, 604_800, 1_209_600, 2_592_000, 31_536_000),
        doc="Seconds of 1, 2, 3, 7, 14, 30 and 365 days.",
    ),
    Constant(name="CENTURIES", value=10**13, doc="Milliseconds, three hundred years."),
    Constant(name="ENDLESS", value=9 * 10**18, doc="Times above it mean no limit."),
)

READING: Final[tuple[Table, ...]] = (
    Repetition(
        name="subscribed_again",
        on="subscribe_request",
        per=f"flow, {_PARTITION}",
        same="coalesce(start_position, 0), coalesce(start_offset, 0), coalesce(reader.last_at, 0)",
        limit="AGAIN_LIMIT",
        pause="AGAIN_PAUSE",
    ),
    Repetition(
        name="read_singly",
        on="subscribe_request",
        when="start_position == 1 and (start_offset == reader.last + 1 or "
        "start_offset == reader.start + 1 and reader.kind == 1)",
        per=f"client, server, {_PARTITION}",
        limit="RESUME_LIMIT",
        pause="AGAIN_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="from_new",
        on="subscribe_request",
        when="coalesce(start_position, 0) == 0 and stop_position is None",
        per=f"client, server, {_PARTITION}, coalesce(log.born_n, 0)",
        limit="RESUME_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Action(
        on="subscribe_request",
        do="reader.missed_n = log.published_n if coalesce(start_position, 0) == 0 and "
        "log.published_t > reader.asked_t and log.partition == coalesce(partition, 0) else None; "
        "reader.asked_t = t",
    ),
    Action(
        on="message",
        when="stream is not None",
        do="reader.flow = flow; reader.most = max(coalesce(reader.most, 0), coalesce(offset, 0)); "
        "reader.first = coalesce(reader.first, coalesce(offset, 0))",
    ),
    Action(
        on="publish_request",
        do="log.published_t = t; log.published_n = n; log.partition = coalesce(partition, 0)",
    ),
)

RECONNECTS: Final[tuple[Table, ...]] = (
    Action(
        on="client:tcp.close client:tcp.reset",
        when="conn.cut is None",
        do="conn.left = 1",
    ),
    Action(on="server:tcp.close server:tcp.reset", when="conn.left is None", do="conn.cut = 1"),
    Action(
        on="subscribe_request",
        do="sub.partition = coalesce(partition, 0); sub.asked_n = n; sub.stops = stop_position; "
        "sub.start = start_offset if start_position == 1 else None",
    ),
    Action(
        on="message",
        when="stream is not None",
        do="sub.first = coalesce(sub.first, coalesce(offset, 0))",
    ),
    Lifecycle(
        name="taken",
        scope="capture",
        doc="The partitions of a stream that a client read when its connection was lost.",
        key={
            "subscribe_request": "client, stream",
            "create_stream_response": "client, req.stream",
            "end:sub": "(client, sub.stream) if sub.stops is None else None",
        },
    ),
    Action(on="create_stream_response", do="taken.lost_t = None"),
    Action(
        on="subscribe_request",
        when="conn.t > taken.lost_t",
        do="drop(taken.partitions, coalesce(partition, 0)); taken.back_t = t; taken.back_n = n",
    ),
    Action(
        on="end:sub",
        when="why in ('closed', 'reset') and conn.cut == 1 and sub.count > 1",
        do="put(taken.partitions, sub.partition); taken.lost_n = sub.last_at; "
        "taken.stream = sub.stream; taken.lost_t = t; taken.back_t = None; taken.back_n = None",
    ),
    Lifecycle(
        name="returned",
        scope="capture",
        doc="The streams that a client read when its connection was lost.",
        key={
            "subscribe_request publish_request fetch_metadata_request "
            "create_stream_response": "client",
            "end:sub": "client if sub.stops is None else None",
        },
    ),
    Action(
        on="end:sub",
        when="why in ('closed', 'reset') and conn.cut == 1 and sub.count > 1",
        do="put(returned.streams, sub.stream); returned.lost_n = sub.last_at; "
        "returned.lost_t = t; returned.back_n = None; returned.back_t = None",
    ),
    Action(
        on="subscribe_request publish_request fetch_metadata_request",
        when="conn.t > returned.lost_t",
        do="returned.back_n = coalesce(returned.back_n, n); "
        "returned.back_t = coalesce(returned.back_t, t); returned.latest_t = t",
    ),
    Action(on="subscribe_request", do="drop(returned.streams, stream)"),
    Action(on="create_stream_response", do="drop(returned.streams, req.stream)"),
    Action(
        on="subscribe_request",
        do="reader.kind = coalesce(start_position, 0); reader.start = coalesce(start_offset, 0); "
        "reader.asked_n = n; reader.time = start_timestamp if start_position == 4 else None; "
        "reader.group = consumer.group_id; reader.asked_by = flow",
    ),
)

PARTITIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="left",
        scope="capture",
        doc="Where a client stopped reading the partitions of a stream.",
        key={
            "subscribe_request": "client, stream",
            "end:sub": "(client, sub.stream) if sub.count > 1 else None",
        },
    ),
    Action(
        on="end:sub",
        when="why in ('closed', 'reset')",
        do="put(left.ends, sub.last + 1); left.partition = sub.partition; left.last_at = "
        "sub.last_at; left.t_of = t; left.first = sub.first; left.last = sub.last",
    ),
    Lifecycle(
        name="keyed",
        scope="capture",
        doc="A key of messages in a stream, and the partition that it is published to.",
        key={
            "publish_request": "(stream, fields.key) if len(fields.key) > 0 and stream is not None "
            "else None"
        },
    ),
    Action(
        on="publish_request",
        when="keyed.partition != coalesce(partition, 0)",
        do="log.spread = coalesce(log.spread, 0) + 1",
    ),
    Action(
        on="publish_request",
        when="log.compacted and log.fresh is not None",
        do="log.fresh = log.fresh + 1 if len(fields.key) > 0 and keyed.latest_n is None else None",
    ),
    Action(
        on="publish_request",
        when="len(fields.key) > 0",
        do="keyed.partition = coalesce(partition, 0); keyed.latest_n = n",
    ),
    Lifecycle(
        name="part",
        scope="capture",
        doc="A partition of a stream that the captures create.",
        key={
            "publish_request subscribe_request": f"({_PARTITION}) if stream is not None else None",
        },
    ),
    Action(
        on="publish_response",
        when="coalesce(ack.ack_error, 0) == 0",
        do="log.newest = max(coalesce(log.newest, 0), coalesce(ack.offset, 0)); log.newest_n = n",
    ),
    Action(
        on="publish_request",
        when="log.made_n is not None",
        do="part.published = coalesce(part.published, 0) + 1; part.published_n = n; "
        "part.stream = stream; part.partition = coalesce(partition, 0)",
    ),
    Action(on="subscribe_request", do="part.read_n = n; log.read_n = n"),
)

CONTENT: Final[tuple[Table, ...]] = tuple(
    Mixture(
        name=name,
        on="publish_request",
        when="conn.published <= FORMAT_SAMPLE and stream is not None and len(value) > 1",
        per="stream",
        value=FORMAT,
        alone=alone,
        limit="OTHERS_LIMIT",
    )
    for name, alone in (("content", False), ("mixed", True))
)
"""In which formats the messages of a stream are."""

CURSORS: Final[tuple[Table, ...]] = (
    Sequence(
        name="set_back",
        on="set_cursor_request",
        per=f"{_CURSOR}, coalesce(log.born_n, 0)",
        value="coalesce(offset, 0)",
        expect="never falls",
        when="coalesce(offset, 0) >= 0",
    ),
    Alternation(name="shared_cursor", on="set_cursor_request", per=_CURSOR),
    Lifecycle(
        name="place",
        scope="capture",
        doc="A partition whose cursors a client sets and fetches.",
        key={
            "set_cursor_request fetch_cursor_request subscribe_request": f"client, server, "
            f"{_PARTITION}",
            "fetch_cursor_response": "client, server, req.stream, coalesce(req.partition, 0)",
        },
    ),
    Pair(
        name="cursor",
        request="fetch_cursor_request",
        answers="fetch_cursor_response",
        key="carrier.stream_id",
        keep="stream partition cursor_id",
        type="",
    ),
    Action(on="fetch_cursor_request", do="place.fetched_n = n"),
    Pair(
        name="checkpoint",
        request="set_cursor_request",
        answers="set_cursor_response",
        key="carrier.stream_id",
        keep="stream partition cursor_id offset",
        type="",
    ),
    Lifecycle(
        name="mark",
        scope="capture",
        doc="A cursor, and the offset that a server has confirmed for it.",
        key={
            "set_cursor_request": f"{_PARTITION}, cursor_id",
            "set_cursor_response fetch_cursor_response": "req.stream, coalesce(req.partition, 0), "
            "req.cursor_id",
        },
    ),
    Action(
        on="set_cursor_request",
        do="mark.mixed = coalesce(mark.mixed, n if mark.setter != flow else None); "
        "mark.setter = flow; mark.set_n = n",
    ),
    Action(
        on="set_cursor_response",
        do="mark.confirmed = coalesce(req.offset, 0); mark.confirmed_n = n",
    ),
    Action(
        on="fetch_cursor_response",
        when="offset < 0 and place.flow != flow and req.cursor_id != place.cursor_id",
        do="place.misses = coalesce(place.misses, 0) + 1; place.missed_n = coalesce("
        "place.missed_n, req.n)",
    ),
    Action(
        on="fetch_cursor_response",
        do="place.stored = coalesce(offset, 0) if coalesce(offset, 0) >= 0 else None; "
        "place.stored_n = n",
    ),
    Action(on="subscribe_request", do="place.stored = None"),
    Action(
        on="subscribe_request",
        when="start_position == 1 and start_offset == place.cursor and start_offset > 0",
        do="place.at_cursor = coalesce(place.at_cursor, 0) + 1",
    ),
    Action(
        on="fetch_cursor_response",
        when="offset < 0",
        do="place.begun = place.begun if place.absent == req.cursor_id else 0; "
        "place.absent = req.cursor_id; place.absent_flow = flow",
    ),
    Action(on="set_cursor_request", do="place.absent_flow = None; place.begun = 0"),
    Action(
        on="subscribe_request",
        when=BEGINS_AGAIN,
        do="place.begun = place.begun + 1; place.begun_n = n; place.begun_flow = flow",
    ),
    Action(
        on="subscribe_request",
        when="start_position == 2 and place.flow != flow",
        do="place.restarts = coalesce(place.restarts, 0) + 1; place.restart_n = n",
    ),
    Repetition(
        name="set_singly",
        on="set_cursor_request",
        per=_CURSOR,
        same="offset - place.cursor",
        limit="STEP_LIMIT",
        pause="AGAIN_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="set_again",
        on="set_cursor_request",
        when="coalesce(offset, 0) >= 0",
        per=_CURSOR,
        same="coalesce(offset, 0)",
        limit="SET_AGAIN_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    Action(
        on="set_cursor_request",
        do="place.cursor = coalesce(offset, 0); place.set_n = n; place.flow = flow; "
        "place.cursor_id = cursor_id; place.sets = coalesce(place.sets, 0) + 1",
    ),
)

_SAME: Final = "conn.pair_stream == stream and conn.pair_value == digest(value)"
_PAIRED: Final = "conn.published <= FORMAT_SAMPLE and stream is not None and len(value) >= 8"
TWICE: Final = (
    f"{_PAIRED} and {_SAME} and conn.run == 1 and coalesce(conn.pairs, 0) + 1 >= PAIR_LIMIT"
)
"""The row is the second of two equal messages, after other such pairs."""

PUBLISHING: Final[tuple[Table, ...]] = (
    Timer(
        name="async_ack",
        of="conn",
        on="publish_request",
        when=_WANTS_ACK,
        limit="ACK_LATE",
        clear="publish_response tcp.close tcp.reset",
        mode="first",
    ),
    Action(
        on="publish_request",
        when=_PAIRED,
        do=f"conn.same = 1 if {_SAME} else 0; "
        "conn.pairs = (coalesce(conn.pairs, 0) + 1 if conn.run == 1 else 0) if conn.same == 1 "
        "else coalesce(conn.pairs, 0) if conn.run == 2 else 0; "
        "conn.run = coalesce(conn.run, 0) + 1 if conn.same == 1 else 1; "
        "conn.pair_stream = stream; conn.pair_value = digest(value); conn.pair_n = n",
    ),
    Lifecycle(
        name="conn",
        scope="connection:one",
        doc="A connection on which Liftbridge is spoken.",
        steps=(Transition("absent unknown", "any", "open"),),
        starts={"pending": 0, "same_id": 0, "published": 0},
    ),
    Action(on="publish_request", do="conn.published = conn.published + 1"),
    Action(
        on="publish_request",
        when=_WANTS_ACK,
        do="conn.pending = conn.pending + 1; conn.pending_n = coalesce(conn.pending_n, n)",
    ),
    Action(
        on="publish_response",
        when="carrier.method == 'PublishAsync'",
        do="conn.pending = conn.pending - 1; conn.pending_n = None",
    ),
    Action(
        on="publish_request",
        when="correlation_id == conn.latest_id",
        do="conn.same_id = conn.same_id + (0 if digest(value) == conn.latest_value else 1); "
        "conn.latest_value = digest(value)",
    ),
    Action(
        on="publish_request",
        when="correlation_id is not None and correlation_id != coalesce(conn.latest_id, '')",
        do="conn.same_id = 0; conn.latest_id = correlation_id; conn.latest_value = None",
    ),
    Action(
        on="publish_response",
        when="len(async_error.message) > 0 or coalesce(ack.ack_error, 0) > 0",
        do="conn.run = 0",
    ),
    Repetition(
        name="called_singly",
        on="publish_request",
        when="carrier.method == 'PublishAsync' and "
        "carrier.stream_id != coalesce(conn.async_call, -1)",
        per="conn",
        limit="CALL_LIMIT",
        pause="AGAIN_PAUSE",
        breaks="publish_request",
        breaks_when="carrier.method == 'PublishAsync' and carrier.stream_id == conn.async_call",
        may_back_off=False,
    ),
    Action(
        on="publish_request",
        when="carrier.method == 'PublishAsync'",
        do="conn.async_call = carrier.stream_id",
    ),
    Repetition(
        name="async_refused",
        on="publish_response",
        when="len(async_error.message) > 0",
        per="conn",
        same="coalesce(async_error.code, 0)",
        limit="ASYNC_LIMIT",
        pause="AGAIN_PAUSE",
        breaks="publish_response",
        breaks_when="ack.stream is not None and coalesce(ack.ack_error, 0) == 0",
    ),
    RoundTrips(
        name="published_singly",
        ask="publish_request",
        when="carrier.method == 'Publish'",
        answer="publish_response",
        answer_when="carrier.method == 'Publish'",
        per="conn",
        limit="STEP_LIMIT",
    ),
)

LOOPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="looper",
        scope="capture",
        doc="A client that publishes to a stream, and what it has read of it last.",
        key={"publish_request message": "(client, stream) if stream is not None else None"},
        most=4096,
    ),
    Action(
        on="publish_request",
        when="stream is not None",
        do="looper.passed = 1 if t - looper.read_t <= ECHO_WAIT and "
        "digest(value) == looper.value else None; looper.passed_n = n; looper.sent_t = t",
    ),
    Repetition(
        name="echoed",
        on="message",
        when="looper.passed == 1 and t - looper.sent_t <= ECHO_TIME",
        per="looper",
        question="looper.passed_n",
        limit="ECHO_LIMIT",
        pause="ECHO_PAUSE",
        may_back_off=False,
    ),
    Action(
        on="message",
        when="looper.sent_t is not None",
        do="looper.value = digest(value); looper.passed = None; looper.read_t = t",
    ),
)
"""Messages that a client publishes again into the stream that it reads."""

STREAMS: Final[tuple[Table, ...]] = (
    Repetition(
        name="looked_up",
        on="fetch_metadata_request",
        per="client, server",
        limit="METADATA_LIMIT",
        pause="AGAIN_PAUSE",
        may_back_off=False,
    ),
    Lifecycle(
        name="feed",
        scope="capture",
        doc="A subject of NATS, and the streams that are created for it.",
        key={
            "create_stream_request": "server, subject",
            "delete_stream_request": "(server, log.subject) if log.subject is not None else None",
        },
        most=1024,
    ),
    Action(
        on="create_stream_request",
        when="feed.latest != fields.name or feed.latest is None",
        do="feed.streams = coalesce(feed.streams, 0) + 1 "
        "if feed.alike == program(fields.name) else 1; feed.alike = program(fields.name); "
        "feed.latest = fields.name; feed.former_n = feed.latest_n; feed.latest_n = n",
    ),
    Action(on="delete_stream_request", do="feed.streams = feed.streams - 1"),
    Repetition(
        name="created",
        on="create_stream_request",
        per="client, server",
        limit="CREATE_LIMIT",
        pause="AGAIN_PAUSE",
        may_back_off=False,
    ),
    Pair(
        name="creation",
        request="create_stream_request",
        answers="create_stream_response",
        key="carrier.stream_id",
        keep="fields.name as stream",
        type="",
    ),
    Action(
        on="create_stream_response",
        do="log.born_n = n; log.readonly_n = None; log.paused_n = None; log.woken_n = None",
    ),
    Pair(
        name="deletion",
        request="delete_stream_request",
        answers="delete_stream_response",
        key="carrier.stream_id",
        keep="fields.name as stream",
        type="",
    ),
    Action(
        on="delete_stream_response",
        do="log.deleted_n = n; log.compacted = None; log.partitions = None; log.made_n = None; "
        "log.readonly_n = None",
    ),
    Action(
        on="create_stream_request",
        when="log.deleted_n is not None",
        do="log.remade_n = n",
    ),
    Action(
        on="create_stream_request",
        do="log.deleted_n = None; log.made_n = n; log.subject = subject; log.site = server; "
        "log.compacted = compact_enabled.value; "
        "log.partitions = log.partitions if log.partitions is not None and log.born_n is not None "
        "else coalesce(partitions, 1); "
        "log.keyless = 0; log.first = 0; log.fresh = 0",
    ),
    Action(
        on="set_stream_readonly_request",
        do="log.readonly_n = n if readonly else None; log.readonly = partitions; log.tries = 0",
    ),
    Action(on="publish_request", when="log.readonly_n is not None", do="log.tries = log.tries + 1"),
    Action(
        on="publish_request",
        when="log.made_n is not None",
        do="log.keyless = log.keyless + 1 if coalesce(len(fields.key), 0) == 0 else None; "
        "log.first = log.first + 1 if coalesce(partition, 0) == 0 else None",
    ),
    Repetition(
        name="paused_in_use",
        on="pause_stream_request",
        when="log.resumed_n is not None and t - log.woken_t <= BUSY_TIME",
        per="client, server, fields.name",
        limit="PAUSE_LIMIT",
        pause="10 s",
        may_back_off=False,
        breaks="pause_stream_request",
        breaks_when="log.resumed_n is None or t - log.woken_t > BUSY_TIME",
    ),
    Action(on="publish_request", when="log.paused_n is not None", do="log.resumed_n = n"),
    Action(
        on="pause_stream_request",
        when="coalesce(len(partitions), 0) == 0",
        do="log.paused_n = n; log.woken_n = None; log.resumed_n = None",
    ),
    Action(
        on="publish_request",
        do="log.woken_n = n if log.paused_n is not None else None; log.waker = flow; "
        "log.woken_by = digest(value); log.woken_t = t; log.paused_n = None",
    ),
    Repetition(
        name="woken",
        on="subscribe_request",
        when="log.woken_n is not None and log.waker == flow and not coalesce(resume, False) and "
        "t - log.woken_t <= AGAIN_PAUSE",
        per="client, server, stream",
        same="log.woken_by",
        question="log.woken_n",
        limit="WOKEN_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    Repetition(
        name="paused",
        on="pause_stream_request",
        per="client, server, fields.name",
        limit="PAUSE_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
)

NAMES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="catalogue",
        scope="capture",
        doc="The streams that are known to exist.",
        key={
            "create_stream_request fetch_metadata_response": "0 * size",
            "publish_request": "0 * size if stream != coalesce(conn.known_stream, '') else None",
            "end:sub": "0 if sub.state == 'asked' else None",
        },
    ),
    Action(
        on="create_stream_request",
        when="has(catalogue.subjects, subject) and not has(catalogue.names, fields.name)",
        do="put(catalogue.shared, subject)",
    ),
    Action(on="create_stream_request", do="put(catalogue.names, fields.name)"),
    Action(
        on="create_stream_request",
        when="subject is not None",
        do="put(catalogue.subjects, subject)",
    ),
    Action(
        on="create_stream_request",
        when="subject is not None and not literal(subject)",
        do="catalogue.wild_n = n",
    ),
    Action(on="publish_request", do="conn.known_stream = stream"),
    Action(
        on="fetch_metadata_request",
        do="conn.lists_all = 1 if coalesce(len(streams), 0) == 0 else None",
    ),
    Action(
        on="fetch_metadata_response",
        when="conn.lists_all == 1",
        do="catalogue.listed_n = n",
    ),
    Action(
        on="fetch_metadata_response",
        items="stream_metadata",
        when="coalesce(stream_metadata.error, 0) == 0",
        do="put(catalogue.names, stream_metadata.name)",
    ),
    Action(
        on="subscribe_request",
        when="len(consumer.group_id) > 0",
        do="log.group = consumer.group_id; log.grouped_n = n",
    ),
)
"""Streams that exist, and by whom they are read."""

GROUPS: Final[tuple[Table, ...]] = (
    Pair(
        name="join",
        request="join_consumer_group_request",
        answers="join_consumer_group_response",
        key="carrier.stream_id",
        keep="group_id consumer_id",
        type="",
    ),
    Action(
        on="join_consumer_group_request",
        do="member.asked_at = n; member.group = group_id; member.consumer = consumer_id",
    ),
    Action(on="join_consumer_group_response", do="member.timeout = consumer_timeout"),
    Lifecycle(
        name="crew",
        scope="capture",
        doc="A consumer of a group, by its name.",
        key={
            "join_consumer_group_request leave_consumer_group_request "
            "fetch_consumer_group_assignments_request": "server, group_id, consumer_id",
            "end:member": "server, member.group, member.consumer",
        },
    ),
    Action(
        on="join_consumer_group_request fetch_consumer_group_assignments_request",
        do="crew.flow = coalesce(crew.flow, flow); crew.by = coalesce(crew.by, n)",
    ),
    Action(
        on="join_consumer_group_request",
        do="crew.joined_n = n; conn.joined_n = n; conn.joined_group = group_id; "
        "conn.joined_as = consumer_id",
    ),
    Action(on="leave_consumer_group_request end:member", do="crew.flow = None; crew.by = None"),
    Lifecycle(
        name="crowd",
        scope="capture",
        doc="The names under which a client joins a group.",
        key={
            "join_consumer_group_request leave_consumer_group_request": "client, group_id",
            "end:member": "client, member.group",
        },
    ),
    Repetition(
        name="joined_anew",
        on="join_consumer_group_request",
        when="coalesce(crowd.live, 0) <= 0 and crowd.left is not None",
        per="client, server, group_id",
        limit="ANEW_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Action(
        on="join_consumer_group_request",
        when="not has(crowd.names, consumer_id)",
        do="put(crowd.names, consumer_id); crowd.former_n = crowd.latest_n; crowd.latest_n = n; "
        "crowd.live = coalesce(crowd.live, 0) + 1",
    ),
    Action(on="leave_consumer_group_request", do="crowd.live = crowd.live - 1; crowd.left = 1"),
    Action(on="end:member", when="why != 'left'", do="crowd.live = crowd.live - 1"),
    Repetition(
        name="joined_again",
        on="join_consumer_group_request",
        per="server, group_id, consumer_id",
        limit="JOIN_LIMIT",
        pause="10 s",
        breaks="leave_consumer_group_request",
        may_back_off=False,
    ),
    Lifecycle(
        name="claim",
        scope="connection",
        doc="The partitions of a stream that the server has assigned to a consumer.",
        key={
            "fetch_consumer_group_assignments_response": "assignments.stream",
            "subscribe_request": "stream",
            "message": "stream if conn.assigned == 1 else None",
        },
    ),
    Action(
        on="fetch_consumer_group_assignments_response",
        items="assignments",
        do="claim.partitions = assignments.partitions; claim.got_n = n; claim.got_t = t; "
        "claim.stream = assignments.stream; claim.consumer = req.consumer_id",
    ),
    Lifecycle(
        name="duty",
        scope="capture",
        doc="A stream that a client reads.",
        key={
            "subscribe_request set_cursor_request": "client, stream",
            "end:claim": "client, claim.stream",
        },
    ),
    Action(on="subscribe_request", do="duty.read_n = n; duty.born_n = log.born_n"),
    Flood(
        name="fetched",
        on="fetch_consumer_group_assignments_request",
        per="member",
        every="member.timeout",
        percent=5,
        limit="FETCH_LIMIT",
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *READING, *RECONNECTS, *CURSORS, *PUBLISHING, *STREAMS, *PARTITIONS, *CONTENT,
    *NAMES, *GROUPS, *LOOPS,
)  # fmt: skip
"""Part of the tables of the protocol."""
