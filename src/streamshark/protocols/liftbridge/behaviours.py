"""What clients of Liftbridge do over time: loops, cursors, groups, waste, resumed reading."""

from typing import Final

from streamshark.conversations.behaviours import (
    Alternation,
    Flood,
    Repetition,
    RoundTrips,
    Sequence,
)
from streamshark.conversations.tables import Action, Constant, Lifecycle, Pair, Table, Transition

_PARTITION: Final = "stream, coalesce(partition, 0)"
_CURSOR: Final = f"server, {_PARTITION}, cursor_id"
_WANTS_ACK: Final = "carrier.method == 'PublishAsync' and coalesce(ack_policy, 0) != 2"

CONSTANTS: Final = (
    Constant(name="AGAIN_LIMIT", value=5, doc="Subscriptions in a row that bring nothing."),
    Constant(name="AGAIN_PAUSE", value="2 s", doc="Longest time between two requests of a chain."),
    Constant(name="STEP_LIMIT", value=20, doc="Requests one by one that could be joined."),
    Constant(name="RESUME_LIMIT", value=10, doc="Subscriptions that each go on after the last."),
    Constant(name="CREATE_LIMIT", value=10, doc="Streams created in a row."),
    Constant(name="FETCH_LIMIT", value=20, doc="Fetches of assignments in a row."),
    Constant(name="SAME_ID_LIMIT", value=5, doc="Publishes in a row with one correlation id."),
    Constant(name="NEARLY_LARGEST", value=943_718, doc="Nine tenths of `LARGEST`."),
    Constant(name="BRIEF_RETENTION", value=60_000, doc="Milliseconds, a minute."),
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
        when="start_position == 1 and start_offset == reader.last + 1",
        per=f"client, server, {_PARTITION}",
        limit="RESUME_LIMIT",
        pause="AGAIN_PAUSE",
        may_back_off=False,
    ),
    Action(on="message", when="stream is not None", do="reader.flow = flow"),
    Action(
        on="publish_request",
        do="log.published_t = t; log.published_n = n; log.partition = coalesce(partition, 0)",
    ),
)

CURSORS: Final[tuple[Table, ...]] = (
    Sequence(
        name="set_back",
        on="set_cursor_request",
        per=_CURSOR,
        value="coalesce(offset, 0)",
        expect="never falls",
    ),
    Alternation(name="shared_cursor", on="set_cursor_request", per=_CURSOR),
    Lifecycle(
        name="place",
        scope="capture",
        doc="A partition whose cursors a client sets and fetches.",
        key={
            "set_cursor_request fetch_cursor_request subscribe_request": f"client, server, "
            f"{_PARTITION}",
        },
        most=4096,
    ),
    Action(on="fetch_cursor_request", do="place.fetched_n = n"),
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
    Action(
        on="set_cursor_request",
        do="place.cursor = coalesce(offset, 0); place.set_n = n; place.flow = flow; "
        "place.cursor_id = cursor_id",
    ),
)

PUBLISHING: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="conn",
        scope="connection:one",
        doc="A connection on which Liftbridge is spoken.",
        steps=(Transition("absent unknown", "any", "open"),),
        starts={"pending": 0, "same_id": 0},
    ),
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

STREAMS: Final[tuple[Table, ...]] = (
    Repetition(
        name="created",
        on="create_stream_request",
        per="client, server",
        limit="CREATE_LIMIT",
        pause="AGAIN_PAUSE",
        may_back_off=False,
    ),
    Pair(
        name="deletion",
        request="delete_stream_request",
        answers="delete_stream_response",
        key="carrier.stream_id",
        keep="fields.name as stream",
        type="",
    ),
    Action(on="delete_stream_response", do="log.deleted_n = n"),
    Action(on="create_stream_request", do="log.deleted_n = None"),
)

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
    Action(on="leave_consumer_group_request end:member", do="crew.flow = None; crew.by = None"),
    Flood(
        name="fetched",
        on="fetch_consumer_group_assignments_request",
        per="member",
        every="coalesce(member.timeout, CONSUMER_SILENT)",
        percent=1,
        limit="FETCH_LIMIT",
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *READING, *CURSORS, *PUBLISHING, *STREAMS, *GROUPS,
)  # fmt: skip
"""Part of the tables of the protocol."""
