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
        title="repeated subscription that brings no message",
        on="repetition:subscribed_again",
        needs="",
        message="{stream} was subscribed to {AGAIN_LIMIT} times in a row from the same position, "
        "with no message in between",
        cause="The client does not read the reason of a refusal, takes the empty first message for "
        "an error, or forgets its subscription.",
        source=f"{_API}, Subscribe; {_CLIENT}, Subscribe",
    ),
    Rule(
        id="LFB-B2",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="new subscription for each few messages",
        on="repetition:read_singly",
        needs="",
        message="{stream} was subscribed to {RESUME_LIMIT} times in a row, each time from the "
        "message after the last one",
        cause="Each subscription costs a round trip; one that is left open brings all messages.",
        source=f"{_API}, Subscribe",
        healthy="A program that reads in batches.",
    ),
    Rule(
        id="LFB-B3",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription that begins with the last message read",
        on="subscribe_request",
        when="start_position == 1 and start_offset == reader.last and reader.last > 0",
        of="reader",
        needs="",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} and is read again from "
        "{start_offset}: that message comes twice",
        cause="The start offset is the first message that is delivered: add 1 to the last offset.",
        source=f"{_API}, Subscribe, StartOffset",
        healthy="A client that drops the message which it has had.",
    ),
    Rule(
        id="LFB-B5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription to new messages only after an interruption",
        on="subscribe_request",
        when="coalesce(start_position, 0) == 0 and reader.flow != flow and "
        "log.published_t > reader.last_t and log.partition == coalesce(partition, 0)",
        of="reader",
        needs="",
        evidence="n, reader.last_at, log.published_n",
        message="{stream} was read up to offset {reader.last} on another connection; messages were "
        "published since, and this subscription does not bring them",
        cause="The default start position is new messages only: resume at the last offset plus 1.",
        source=f"{_API}, Subscribe, StartPosition_NEW_ONLY",
        healthy="A client that wants only what is new.",
    ),
)

CURSORS: Final = (
    Rule(
        id="LFB-B6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="cursor set back",
        on="sequence:set_back",
        needs="",
        message="cursor {cursor_id} of {stream} is set back from {set_back.last} to "
        "{coalesce(offset, 0)}",
        cause="Two consumers share the cursor, or messages are finished out of order: the messages "
        "between are read again after a restart.",
        source=f"{_SERVER}/cursors.go, SetCursor",
    ),
    Rule(
        id="LFB-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="one cursor set by two connections in turn",
        on="alternation:shared_cursor",
        needs="",
        message="cursor {cursor_id} of {stream} is set by two connections in turn",
        cause="Two consumers share the cursor: each overwrites the position of the other.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="A client that has several connections to a server.",
    ),
    Rule(
        id="LFB-B8",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="cursor that is set and never fetched",
        on="subscribe_request",
        when="start_position == 2 and place.fetched_n is None and place.flow != flow and "
        "place.restarts >= 1",
        of="place",
        needs="whole",
        evidence="n, place.restart_n, place.set_n",
        message="{stream} is read from the earliest message once more, although cursor "
        "{place.cursor_id} was set to {place.cursor} and never fetched",
        cause="The client does not call FetchCursor when it starts: it processes every message "
        "again.",
        source=f"{_SERVER}/cursors.go, GetCursor",
    ),
    Rule(
        id="LFB-B9",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="cursor set after each message",
        on="repetition:set_singly",
        when="offset == place.cursor + 1",
        needs="",
        message="cursor {cursor_id} of {stream} was moved by one message {STEP_LIMIT} times in a "
        "row",
        cause="Each call stores a replicated message in the stream of cursors; set it after a "
        "batch.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="Messages that are slow to process.",
    ),
)

PUBLISHING: Final = (
    Rule(
        id="LFB-B10",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="connection closed before the acks of PublishAsync",
        on="end:conn",
        when="conn.pending > 0 and why in ('closed', 'reset')",
        of="conn",
        needs="start whole both",
        evidence="conn.pending_n",
        message="the connection was closed while {conn.pending:count publish publishes} had no ack",
        cause="The client does not wait for its acks: whether the messages were stored is unknown.",
        source=f"{_API}, PublishAsync",
        healthy="A program that is stopped, or whose messages may be lost.",
    ),
    Rule(
        id="LFB-B11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="one correlation id for many publishes",
        on="publish_request",
        when="correlation_id == conn.latest_id and conn.same_id == SAME_ID_LIMIT - 2 and "
        "digest(value) != conn.latest_value",
        of="conn",
        needs="",
        message="{SAME_ID_LIMIT} different messages in a row have the correlation id "
        "{correlation_id}",
        cause="Acks are matched by this id: a new one is needed for each message.",
        source=f"{_CLIENT}, PublishAsync; {_API}, publishAsyncSession",
    ),
    Rule(
        id="LFB-B12",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="each publish waits for its ack",
        on="roundtrips:published_singly",
        needs="",
        message="{STEP_LIMIT} messages in a row were published by Publish, each after the answer "
        "to the one before",
        cause="Each message costs a round trip; PublishAsync has many acks outstanding.",
        source=f"{_API}, PublishAsync",
        healthy="The order of messages matters more than their rate.",
    ),
    Rule(
        id="LFB-B13",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="message nearly too large to be replicated",
        on="publish_request publish_to_subject_request client:publish",
        when="size > NEARLY_LARGEST and size <= LARGEST",
        of="log",
        needs="",
        message="a message has {size:count byte} of the {LARGEST:count byte} that replication can "
        "carry",
        cause="A little more, and no follower receives it.",
        source="liftbridge-io/liftbridge issue 305; clustering.replication.max.bytes",
        healthy="The limit may be set higher.",
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
        cause="Each stream is a log and a Raft entry on every server; subjects with wildcards, or "
        "keys, divide one stream.",
        source=f"{_SERVER}/metadata.go, CreateStream",
        healthy="An installation that is set up.",
    ),
    Rule(
        id="LFB-B15",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream used after it was deleted",
        on="publish_request subscribe_request",
        when="log.deleted_n is not None",
        of="log",
        needs="whole",
        evidence="n, log.deleted_n",
        message="{stream} is used although it was deleted",
        cause="One client deletes the stream while another one uses it, or in the wrong order.",
        source=f"{_API}, DeleteStream",
    ),
    Rule(
        id="LFB-B16",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="messages are kept less than a minute",
        on="create_stream_request",
        when="0 < retention_max_age.value < BRIEF_RETENTION",
        needs="",
        message="{fields.name} keeps messages for {retention_max_age.value} ms",
        cause="The age is in milliseconds; seconds were perhaps meant.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.RetentionMaxAge",
        healthy="Messages that are of no use later.",
    ),
)

GROUPS: Final = (
    Rule(
        id="LFB-B17",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="one consumer id on two connections",
        on="join_consumer_group_request",
        when="crew.flow != flow and t - crew.last_t < CONSUMER_SILENT",
        of="crew",
        needs="whole",
        evidence="n, crew.by",
        message="{consumer_id} joins group {group_id}, of which another connection is a member by "
        "this id",
        cause="Two programs use one consumer id; each member needs its own.",
        source=f"{_SERVER}/groups.go, AddMember",
    ),
    Rule(
        id="LFB-B18",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="consumer that fetches its assignments all the time",
        on="flood:fetched",
        needs="",
        message="{FETCH_LIMIT} fetches of the assignments of {consumer_id} in a row, each within "
        "1 % of the time that a member may be silent",
        cause="One fetch in a third of that time keeps the membership.",
        source=f"{_SERVER}/groups.go, GetAssignments",
        healthy="A program that wants to learn of changes at once.",
    ),
    Rule(
        id="LFB-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that acts after it left its group",
        on="fetch_consumer_group_assignments_request subscribe_request",
        when="member.state == 'left'",
        of="member",
        needs="whole",
        evidence="n, member.ended_n",
        message="{member.consumer} has left group {member.group} and still acts as its member",
        cause="A part of the program goes on after the consumer was closed.",
        source=f"{_SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B4",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="consumer that does not leave its group",
        on="end:member",
        when="member.state == 'joined' and why == 'closed'",
        of="member",
        needs="start whole both",
        evidence="member.asked_at",
        message="the connection of {member.consumer} was closed, and it is still a member of group "
        "{member.group}",
        cause="Its partitions are not read until the consumer timeout has passed.",
        source=f"{_SERVER}/groups.go",
        healthy="A program that was stopped at once, or that has another connection.",
    ),
)

BEHAVIOURS: Final = (*READING, *CURSORS, *PUBLISHING, *STREAMS, *GROUPS)
"""Part of the rules of the protocol."""
