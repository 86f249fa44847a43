"""Rules for what clients of Liftbridge do over time: loops, cursors, groups, waste, reading."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

_SERVER: Final = "liftbridge-io/liftbridge v1.9.0, server"
_API: Final = f"{_SERVER}/api.go"
_CLIENT: Final = "liftbridge-io/go-liftbridge v2.3.0"

READING: Final = (
    Rule(
        id="LFB-B1",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="repeated subscription without any message",
        on="repetition:subscribed_again",
        needs="",
        message="{stream} was subscribed to {AGAIN_LIMIT} times in a row from the same position, "
        "and no message arrived in between",
        cause="The client ignores the reason of a refusal, mistakes the empty first message for "
        "an error, or loses track of its subscription.",
        source=f"{_API}, Subscribe; {_CLIENT}, Subscribe",
    ),
    Rule(
        id="LFB-B2",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated subscription for a few messages each",
        on="repetition:read_singly",
        needs="",
        message="{stream} was subscribed to {RESUME_LIMIT} times in a row, each time from the "
        "message after the last one",
        cause="Each subscription costs a round trip; a subscription that stays open delivers "
        "all messages.",
        source=f"{_API}, Subscribe",
        healthy="A program that reads in batches.",
    ),
    Rule(
        id="LFB-B3",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription starting at the last message already read",
        on="subscribe_request",
        when="start_position == 1 and start_offset == reader.last and reader.last > 0",
        of="reader",
        needs="",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} and is read again from "
        "{start_offset}: that message is delivered twice",
        cause="The start offset is the first offset to be delivered: add 1 to the last one.",
        source=f"{_API}, Subscribe, StartOffset",
        healthy="A client that drops messages it has already received.",
    ),
    Rule(
        id="LFB-B5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages missed by a subscription resuming with NEW_ONLY",
        on="subscribe_request",
        when="coalesce(start_position, 0) == 0 and reader.flow != flow and "
        "log.published_t > reader.last_t and log.partition == coalesce(partition, 0)",
        of="reader",
        needs="",
        evidence="n, reader.last_at, log.published_n",
        message="{stream} was read up to offset {reader.last} on another connection; messages "
        "were published since, and this subscription does not deliver them",
        cause="The default start position is NEW_ONLY: resume at the last offset plus 1 instead.",
        source=f"{_API}, Subscribe, StartPosition_NEW_ONLY",
        healthy="A client that wants only new messages.",
    ),
)

CURSORS: Final = (
    Rule(
        id="LFB-B6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing cursor offset",
        on="sequence:set_back",
        needs="",
        message="cursor {cursor_id} of {stream} is set back from {set_back.last} to "
        "{coalesce(offset, 0)}",
        cause="Two consumers share the cursor, or messages are finished out of order: after a "
        "restart the messages in between are read again.",
        source=f"{_SERVER}/cursors.go, SetCursor",
    ),
    Rule(
        id="LFB-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor shared by two connections",
        on="alternation:shared_cursor",
        needs="",
        message="two connections take turns setting cursor {cursor_id} of {stream}",
        cause="Two consumers share the cursor: each overwrites the position of the other.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="A client that has several connections to a server.",
    ),
    Rule(
        id="LFB-B8",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored cursor ignored on restart (no FetchCursor)",
        on="subscribe_request",
        when="start_position == 2 and place.fetched_n is None and place.flow != flow and "
        "place.restarts >= 1",
        of="place",
        needs="whole",
        evidence="n, place.restart_n, place.set_n",
        message="{stream} is read from the earliest message again, although cursor "
        "{place.cursor_id} was set to {place.cursor} and never fetched",
        cause="The client does not call FetchCursor when it starts, so it processes every "
        "message again.",
        source=f"{_SERVER}/cursors.go, GetCursor",
    ),
    Rule(
        id="LFB-B9",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="cursor stored after each message",
        on="repetition:set_singly",
        when="offset == place.cursor + 1",
        needs="",
        message="cursor {cursor_id} of {stream} was advanced by one message {STEP_LIMIT} times in "
        "a row",
        cause="Each SetCursor stores a replicated message in the cursors stream; set the cursor "
        "after a batch.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="Messages that take long to process.",
    ),
)

PUBLISHING: Final = (
    Rule(
        id="LFB-B10",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="connection closed with unacknowledged messages (PublishAsync)",
        on="end:conn",
        when="conn.pending > 0 and why in ('closed', 'reset')",
        of="conn",
        needs="start whole both",
        evidence="conn.pending_n",
        message="the connection was closed while {conn.pending:count publish publishes} had no ack",
        cause="The client does not wait for its acks, so it does not know whether the messages "
        "were stored.",
        source=f"{_API}, PublishAsync",
        healthy="A program that is stopped, or whose messages may be lost.",
    ),
    Rule(
        id="LFB-B11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="correlation id reused for several messages",
        on="publish_request",
        when="correlation_id == conn.latest_id and conn.same_id == SAME_ID_LIMIT - 2 and "
        "digest(value) != conn.latest_value",
        of="conn",
        needs="",
        message="{SAME_ID_LIMIT} different messages in a row have the correlation id "
        "{correlation_id}",
        cause="Acks are matched by correlation id: each message needs a new one.",
        source=f"{_CLIENT}, PublishAsync; {_API}, publishAsyncSession",
    ),
    Rule(
        id="LFB-B12",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="Publish of one message at a time, waiting for each ack",
        on="roundtrips:published_singly",
        needs="",
        message="{STEP_LIMIT} messages in a row were sent with Publish, each after the answer to "
        "the previous one",
        cause="Each message costs a round trip; PublishAsync allows many outstanding acks.",
        source=f"{_API}, PublishAsync",
        healthy="The order of messages matters more than their rate.",
    ),
    Rule(
        id="LFB-B13",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="message close to the replication size limit",
        on="publish_request publish_to_subject_request client:publish",
        when="size > NEARLY_LARGEST and size <= LARGEST",
        of="log",
        needs="",
        message="a message has {size:count byte}, close to the limit of {LARGEST:count byte} for "
        "replication",
        cause="A slightly larger message does not reach the followers.",
        source="liftbridge-io/liftbridge issue 305; clustering.replication.max.bytes",
        healthy="The limit (clustering.replication.max.bytes) may be set higher.",
    ),
)

STREAMS: Final = (
    Rule(
        id="LFB-B14",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many streams created in a row",
        on="repetition:created",
        needs="",
        message="{CREATE_LIMIT} streams were created in a row",
        cause="Each stream is a log and a Raft entry on every server; wildcard subjects or keys "
        "can divide one stream instead.",
        source=f"{_SERVER}/metadata.go, CreateStream",
        healthy="An installation that is being set up.",
    ),
    Rule(
        id="LFB-B15",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="use of a deleted stream",
        on="publish_request subscribe_request",
        when="log.deleted_n is not None",
        of="log",
        needs="whole",
        evidence="n, log.deleted_n",
        message="{stream} is used after it was deleted",
        cause="One client deletes the stream while another one uses it, or the calls are in the "
        "wrong order.",
        source=f"{_API}, DeleteStream",
    ),
    Rule(
        id="LFB-B16",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="retention of less than a minute",
        on="create_stream_request",
        when="0 < retention_max_age.value < BRIEF_RETENTION",
        needs="",
        message="{fields.name} keeps messages for only {retention_max_age.value} ms",
        cause="RetentionMaxAge is in milliseconds; the client may mean seconds.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.RetentionMaxAge",
        healthy="Messages that are useless after a few seconds.",
    ),
)

GROUPS: Final = (
    Rule(
        id="LFB-B17",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="consumer id used by two connections",
        on="join_consumer_group_request",
        when="crew.flow != flow and t - crew.last_t < CONSUMER_SILENT",
        of="crew",
        needs="whole",
        evidence="n, crew.by",
        message="{consumer_id} joins group {group_id}, in which another connection is already a "
        "member with this id",
        cause="Two programs use the same consumer id; each member needs its own.",
        source=f"{_SERVER}/groups.go, AddMember",
    ),
    Rule(
        id="LFB-B18",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="flood of FetchConsumerGroupAssignments",
        on="flood:fetched",
        needs="",
        message="FetchConsumerGroupAssignments was sent for {consumer_id} {FETCH_LIMIT} times in "
        "a row, each within 1 % of the consumer timeout after the previous one",
        cause="One fetch per third of the consumer timeout keeps the membership.",
        source=f"{_SERVER}/groups.go, GetAssignments",
        healthy="A program that wants to learn of changes at once.",
    ),
    Rule(
        id="LFB-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer active after LeaveConsumerGroup",
        on="fetch_consumer_group_assignments_request subscribe_request",
        when="member.state == 'left'",
        of="member",
        needs="whole",
        evidence="n, member.ended_n",
        message="{member.consumer} has left group {member.group} and still acts as a member",
        cause="A part of the program keeps running after the consumer was closed.",
        source=f"{_SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B4",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed without LeaveConsumerGroup",
        on="end:member",
        when="member.state == 'joined' and why == 'closed'",
        of="member",
        needs="start whole both",
        evidence="member.asked_at",
        message="the connection of {member.consumer} was closed while it was still a member of "
        "group {member.group}",
        cause="Its partitions are not read until the consumer timeout has passed.",
        source=f"{_SERVER}/groups.go",
        healthy="A program that was killed, or that has another connection.",
    ),
)

BEHAVIOURS: Final = (*READING, *CURSORS, *PUBLISHING, *STREAMS, *GROUPS)
"""Part of the rules of the protocol."""
