"""Rules for what clients of Liftbridge do over time: loops, cursors, groups, waste, reading."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.behaviours import BEGINS_AGAIN, FORMAT, TWICE
from streamshark.protocols.liftbridge.value_predicates import (
    is_mistaken,
    is_mistaken_name,
    is_nearly_published,
    is_nearly_subscribed,
    is_not_announced,
    is_text_of_bytes,
)

_ELSEWHERE: Final = 3
"""Cursors that are set for partitions which the client does not read."""

_SERVER: Final = "liftbridge-io/liftbridge v1.9.0, server"
_API: Final = f"{_SERVER}/api.go"
_PARTITION_GO: Final = f"{_SERVER}/partition.go"
_CLIENT: Final = "liftbridge-io/go-liftbridge v2.3.0"

_ODD_AGE: Final = "({0}.value in DAYS_IN_SECONDS or CENTURIES < {0}.value < ENDLESS)"

READING: Final = (
    Rule(
        id="LFB-B1",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="repeated subscription without any message",
        on="repetition:subscribed_again",
        needs="both whole",
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
        "message after the one that it was read up to",
        cause="The client subscribes for a message or a few, and cancels: each subscription costs "
        "a round trip; a subscription that stays open delivers all messages.",
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
        title="messages missed by a subscription resuming with NEW_ONLY or LATEST",
        on="subscribe_request",
        when="coalesce(start_position, 0) in (0, 3) and reader.flow != flow and "
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
    Rule(
        id="LFB-B49",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="repeated subscription for new messages only (NEW_ONLY)",
        on="repetition:from_new",
        when="log.published_t > reader.asked_t and log.partition == coalesce(partition, 0)",
        needs="",
        message="{stream} was subscribed to {RESUME_LIMIT} times in a row from new messages on, at "
        "most 10 s apart: those published between two subscriptions are not read",
        cause="Each subscription ends, by the deadline of its call for example, and the next one "
        "begins with new messages instead of at the last offset plus 1.",
        source=f"{_API}, Subscribe, StartPosition_NEW_ONLY; go-liftbridge issue 62",
        healthy="Several readers that begin one after the other.",
    ),
    Rule(
        id="LFB-B3b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="startOffset below the last offset already read",
        on="subscribe_request",
        when="start_position == 1 and start_offset < reader.last and "
        "(start_offset <= reader.start or reader.flow != flow) and "
        "(reader.kind != 1 or start_offset != reader.start + 1) and "
        "start_offset - coalesce(place.stored, -2) not in (0, 1)",
        of="reader",
        needs="",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} and is read again from "
        "{start_offset}: the messages between are delivered twice",
        cause="The client resumes at an old position, such as that of its start.",
        source=f"{_API}, Subscribe, StartOffset",
        healthy="A program that reads messages again on purpose.",
    ),
    Rule(
        id="LFB-B20",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream reread from EARLIEST on a new connection",
        on="subscribe_request",
        when="start_position == 2 and reader.flow != flow and reader.last >= READ_BEFORE and "
        "consumer.group_id is None",
        of="reader",
        needs="",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} on another connection and is read "
        "again from the earliest message",
        cause="The client keeps no position: resume at the last offset plus 1, or use a cursor.",
        source=f"{_API}, Subscribe, StartPosition_EARLIEST",
        healthy="A client that builds its state from the whole stream.",
    ),
    Rule(
        id="LFB-B20b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream read again from the same time on a new connection",
        on="subscribe_request",
        when="start_position == 4 and reader.flow != flow and reader.last >= READ_BEFORE and "
        "start_timestamp <= reader.time and consumer.group_id is None",
        of="reader",
        needs="",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} on another connection and is read "
        "again from the same time",
        cause="The client keeps no position: resume at the last offset plus 1, or use a cursor.",
        source=f"{_API}, Subscribe, StartPosition_TIMESTAMP; liftbridge-io/liftbridge issue 323",
        healthy="A client that builds its state from a day, for example.",
    ),
    Rule(
        id="LFB-B21",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="startTimestamp or stopTimestamp not in nanoseconds",
        on="subscribe_request",
        when="start_position == 4 and 0 < start_timestamp < NANOSECONDS or "
        "stop_position == 3 and 0 < stop_timestamp < NANOSECONDS",
        needs="",
        message="the subscription to {stream} has the time {start_timestamp if start_position == 4 "
        "else stop_timestamp}, which is in 1970 or soon after",
        cause="Times are nanoseconds since 1970; the client writes seconds, milliseconds or "
        "microseconds.",
        source="liftbridge-api v1.9.0, api.proto, SubscribeRequest.StartTimestamp",
    ),
    Rule(
        id="LFB-B22",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="subscription stop position before its start position",
        on="subscribe_request",
        when="stop_position == 1 and start_position == 1 and coalesce(stop_offset, 0) < "
        "start_offset or stop_position == 3 and start_position == 4 and "
        "stop_timestamp < start_timestamp",
        needs="",
        message="the subscription to {stream} is to stop before its start",
        cause="Start and stop are mixed up, or the stop is an old position.",
        source="liftbridge-api v1.9.0, api.proto, SubscribeRequest.StopPosition",
        healthy="The server refuses it, and the client reports that.",
    ),
)

PLACES: Final = (
    Rule(
        id="LFB-B70",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="startTimestamp in the future",
        on="subscribe_request",
        when="start_position == 4 and start_timestamp > t + SKEW",
        needs="",
        message="the subscription to {stream} begins {start_timestamp - t:time} after it was sent",
        cause="The client adds to the time instead of taking from it, or its clock or time zone is "
        "wrong: nothing is delivered until then.",
        source="liftbridge-api v1.9.0, api.proto, SubscribeRequest.StartTimestamp",
    ),
    *(
        Rule(
            id="LFB-B63",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="offset that looks like a time",
            on=on,
            when=f"{when}{offset} > LIKE_A_TIME",
            needs="",
            message=f"{{name}} for {{stream}} has the offset {{{offset}}}",
            cause="The client takes a time, such as that of a message, for its offset: offsets "
            "count the messages of a partition from 0.",
            source=source,
            healthy="A stream of that many messages.",
        )
        for on, when, offset, source in (
            ("subscribe_request", "start_position == 1 and ", "start_offset", f"{_API}, Subscribe"),
            ("set_cursor_request", "", "offset", f"{_SERVER}/cursors.go, SetCursor"),
        )
    ),
    Rule(
        id="LFB-B62",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription at an offset beyond the newest message",
        on="end:sub",
        when="sub.count == 1 and sub.start > log.newest + 1",
        needs="object both",
        evidence="sub.asked_n, log.newest_n",
        message="the subscription to {sub.stream} began at offset {sub.start} and brought nothing; "
        "the newest message in these captures has offset {log.newest}",
        cause="The position is that of another stream or partition, or of a stream that was "
        "deleted, or counts something else: the server waits until there is such an offset.",
        source=f"{_API}, Subscribe, StartOffset",
        healthy="Publishers that are not in the captures.",
    ),
)

RECONNECTS: Final = (
    Rule(
        id="LFB-B37",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="partition not subscribed to again after a reconnect",
        on="end:taken",
        when="count(taken.partitions) > 0 and taken.back_t > taken.lost_t and "
        "t - taken.back_t > RESTORED",
        needs="",
        evidence="taken.back_n, taken.lost_n",
        message="the client read partition {first(taken.partitions)} of {taken.stream} when its "
        "connection was lost, and subscribed only to other partitions since",
        cause="The client restores its subscriptions without their partition, or only some of "
        "them: 0 is the default partition.",
        source="liftbridge-io/go-liftbridge pull request 110",
        healthy="The program was restarted and no longer needs the partition.",
    ),
    Rule(
        id="LFB-B38",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Liftbridge subscription not restored after a reconnect",
        on="end:returned",
        when="count(returned.streams) > 0 and returned.latest_t - returned.back_t > RESTORED",
        needs="",
        evidence="returned.back_n, returned.lost_n",
        message="the client read {first(returned.streams)} when its connection was lost, and has "
        "not subscribed to it again since it is back",
        cause="The client reconnects and does not restore its subscriptions.",
        source="liftbridge-io/go-liftbridge pull requests 8 and 117",
        healthy="The program was restarted and no longer needs the stream.",
    ),
    Rule(
        id="LFB-B39",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription repeated at offset 1 although no message was received",
        on="subscribe_request",
        when="start_position == 1 and start_offset == 1 and reader.last is None and "
        "reader.asked_n is not None and (reader.kind != 1 or reader.start != 1)",
        of="reader",
        needs="both whole",
        evidence="n, reader.asked_n",
        message="the subscription to {stream} in frame {reader.asked_n} brought no message, and "
        "the next one begins at offset 1",
        cause="The client counts from a last offset of 0 that it never received: it misses "
        "messages, or reads old ones.",
        source="liftbridge-io/go-liftbridge issues 51 and 69",
    ),
)

CURSORS: Final = (
    Rule(
        id="LFB-B40",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="cursor fetched under another cursorId than it was set",
        on="fetch_cursor_response",
        when="offset < 0 and place.flow != flow and req.cursor_id != place.cursor_id and "
        "place.misses >= 1",
        of="place",
        needs="",
        evidence="req.n, place.set_n, place.missed_n",
        message="cursor {req.cursor_id} of {req.stream} does not exist; the client has set cursor "
        "{place.cursor_id}, on another connection",
        cause="The cursorId contains something that changes with each start, so that the position "
        "is never found.",
        source=f"{_SERVER}/cursors.go, GetCursor",
        healthy="Several programs on one host.",
    ),
    Rule(
        id="LFB-B72",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="FetchCursor answered with an older offset than SetCursor has stored",
        on="fetch_cursor_response",
        when="coalesce(offset, 0) < mark.confirmed and req.n > mark.confirmed_n and "
        "mark.set_n < mark.confirmed_n and mark.mixed is None",
        of="mark",
        needs="whole both",
        evidence="n, req.n, mark.set_n",
        message="cursor {req.cursor_id} of {req.stream} is at {coalesce(offset, 0)}, although it "
        "was set to {mark.confirmed} before, in frame {mark.set_n}",
        cause="The server answers from an old cache, or lost what it had confirmed, after a change "
        "of the leader of the cursors stream: messages are processed again.",
        source=f"{_SERVER}/cursors.go, GetCursor; liftbridge-io/liftbridge issue 319",
        guilty="server",
    ),
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
        id="LFB-B8b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="partition read from the beginning at each start, since its cursor is never set",
        on="subscribe_request",
        when=f"{BEGINS_AGAIN} and place.begun >= BEGUN_LIMIT and reader.most is not None",
        of="place",
        needs="since",
        evidence="n, place.begun_n, place.stored_n",
        message="partition {coalesce(partition, 0)} of {stream} is read from its first message "
        "again: cursor {place.absent}, which was fetched in frame {place.stored_n}, has never been "
        "set",
        cause="The consumer makes no checkpoints, so that each start of it processes every message "
        "again.",
        source=f"{_SERVER}/cursors.go, GetCursor; liftbridge issues 46 and 307",
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
    Rule(
        id="LFB-B64",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="cursor set to the same offset repeatedly",
        on="repetition:set_again",
        needs="",
        message="cursor {cursor_id} of {stream} was set to {coalesce(offset, 0)} "
        "{SET_AGAIN_LIMIT} times in a row",
        cause="A timer sets the cursor whether the consumer got on or not: each SetCursor stores "
        "a replicated message.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="Few of them, by a timer of minutes.",
    ),
    Rule(
        id="LFB-B65",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor of a stream that the client does not read",
        on="set_cursor_request",
        when="duty.read_n is None and coalesce(place.sets, 0) + 1 >= UNREAD_SETS",
        of="place",
        needs="start whole",
        message="cursor {cursor_id} of {stream} was set {place.sets + 1} times, and the client has "
        "not subscribed to the stream in these captures",
        cause="The client mixes up its streams, or stores the position of another one.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="A program that resets cursors, or reads on another host.",
    ),
    Rule(
        id="LFB-B23",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="fetched cursor not used as the start of the subscription",
        on="subscribe_request",
        when="place.stored is not None and (coalesce(start_position, 0) in (0, 2, 3) or "
        "start_position == 1 and (start_offset < place.stored or start_offset > place.stored + 1))",
        of="place",
        needs="",
        evidence="n, place.stored_n",
        message="the cursor of {stream} is at {place.stored}, but the subscription begins at "
        "{coalesce(start_position, 0):name} {coalesce(start_offset, '')}",
        cause="The client fetches its cursor and does not pass it on: messages are read twice, or "
        "never.",
        source=f"{_SERVER}/cursors.go, GetCursor; {_API}, Subscribe, StartOffset",
    ),
    Rule(
        id="LFB-B24",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="SetCursor offset beyond the last delivered message",
        on="set_cursor_request",
        when="offset > reader.most + 1",
        of="reader",
        needs="both whole",
        evidence="n, reader.last_at",
        message="cursor {cursor_id} of {stream} is set to {offset}, but the client has received "
        "messages up to offset {reader.most}",
        cause="The client counts messages otherwise than the server: after a restart those between "
        "are skipped.",
        source=f"{_SERVER}/cursors.go, SetCursor",
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
        id="LFB-B11b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="open calls of Publish with one ack inbox and no correlation id",
        on="publish_request",
        when="box.open + 1 >= SAME_ID_LIMIT and t - box.asked_t <= ACK_LATE",
        of="box",
        needs="whole both",
        evidence="n, box.first_n",
        message="{box.open + 1} calls of Publish have the ack inbox {ack_inbox} and no correlation "
        "id, and none of them is answered yet: each takes whichever ack comes first",
        cause="An ack names its message by the correlation id, or by an inbox of its own: a "
        "message may be taken for stored although its ack is missing.",
        source=f"{_API}, Publish",
    ),
    Rule(
        id="LFB-B69",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each message of a stream published twice in a row",
        on="publish_request",
        when=TWICE,
        of="conn",
        needs="",
        evidence="n, conn.pair_n",
        message="{PAIR_LIMIT} messages in a row were each published twice to {stream}, with the "
        "same value",
        cause="Two parts of the program send the message, or a retry does although the first one "
        "was stored: consumers get it twice.",
        source=f"{_API}, Publish",
        healthy="Values that are measured twice.",
    ),
    Rule(
        id="LFB-B10b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="PublishAsync message that is not acknowledged in time",
        on="timer:async_ack",
        when="conn.pending > 0 and conn.pending_n is not None",
        of="conn",
        needs="both whole",
        evidence="conn.pending_n",
        message="{conn.pending:count message} of PublishAsync had no ack within {ACK_LATE:time}",
        cause="The messages are not committed: replicas are missing, or the leader is away; or the "
        "stream has no leader that sends acks.",
        source=f"{_API}, PublishAsync",
        echo_of="GRPC-B9",
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
    Rule(
        id="LFB-B25",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="separate PublishAsync call for each message",
        on="repetition:called_singly",
        needs="",
        message="{CALL_LIMIT} messages in a row were published by PublishAsync, each in a call of "
        "its own",
        cause="One call of PublishAsync carries any number of messages; each call costs an HTTP/2 "
        "stream and a round trip.",
        source=f"{_API}, PublishAsync",
        healthy="Messages that are rare.",
    ),
    Rule(
        id="LFB-B26",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="PublishAsync message refused (asyncError)",
        on="publish_response",
        when="len(async_error.message) > 0",
        needs="",
        per="client, server, async_error.code",
        message="a message was not stored: {async_error.message}",
        cause="The publisher has to look at the errors among the acks; the message is lost unless "
        "it is sent again.",
        source=f"{_API}, PublishAsync, publishAsyncSession",
        healthy="The publisher sends it again.",
        echo_of="LFB-B26b",
    ),
    Rule(
        id="LFB-B26b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="consecutive PublishAsync messages refused (asyncError)",
        on="repetition:async_refused",
        needs="",
        message="{ASYNC_LIMIT} messages in a row were not stored: {async_error.message}",
        cause="The publisher does not look at the errors among the acks and goes on.",
        source=f"{_API}, PublishAsync, publishAsyncSession",
    ),
    Rule(
        id="LFB-B27",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="repeated publishes to a read-only stream (SetStreamReadonly)",
        on="publish_request",
        when="log.tries + 1 >= TRIES and log.readonly_n is not None and "
        "(coalesce(len(log.readonly), 0) == 0 or "
        "any_eq(log.readonly, coalesce(partition, 0)))",
        of="log",
        needs="",
        evidence="n, log.readonly_n",
        message="{log.tries + 1} messages were published to {stream} since SetStreamReadonly has "
        "made it read-only",
        cause="The publisher is not stopped when the stream is closed for publishes, and ignores "
        "the errors.",
        source=f"{_API}, SetStreamReadonly",
    ),
    Rule(
        id="LFB-B28",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="messages without a key in a compacted stream",
        on="publish_request",
        when="log.compacted and log.keyless + 1 == KEYLESS_LIMIT and "
        "coalesce(len(fields.key), 0) == 0",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="{stream} keeps only the last message of each key, and {KEYLESS_LIMIT} messages "
        "without a key were published to it",
        cause="Compaction needs keys: messages without one are kept for ever.",
        source=f"{_SERVER}/commitlog/compact_cleaner.go",
    ),
    Rule(
        id="LFB-B28b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="compacted stream whose messages all have different keys",
        on="publish_request",
        when="log.compacted and log.fresh + 1 == FRESH_LIMIT and keyed.latest_n is None and "
        "len(fields.key) > 0",
        of="log",
        needs="since",
        evidence="n, log.made_n",
        message="{stream} keeps only the last message of each key, and its first {FRESH_LIMIT} "
        "messages all have different keys: compaction removes none of them",
        cause="The key contains a time, a number or a random part; make it that of the thing whose "
        "last state is to be kept.",
        source=f"{_SERVER}/commitlog/compact_cleaner.go",
        healthy="A table with many keys that is filled for the first time.",
    ),
    Rule(
        id="LFB-B29",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="all messages published to partition 0 of several",
        on="publish_request",
        when="log.partitions > 1 and log.first + 1 == FIRST_LIMIT and coalesce(partition, 0) == 0",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="{FIRST_LIMIT} messages were published to partition 0 of {stream}, and none to its "
        "other {log.partitions - 1:count partition}",
        cause="The client does not choose a partition, by a key for example: 0 is the default.",
        source=f"{_API}, Publish, Partition",
        healthy="A partition for each kind of message.",
    ),
    Rule(
        id="LFB-B30",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="expected offset on a stream without concurrency control",
        on="publish_request",
        when="expected_offset > 0 and log.made_n is not None and log.optimistic is None",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="a publish expects offset {expected_offset} of {stream}, which was created without "
        "optimistic concurrency control: the server ignores it",
        cause="The stream needs optimistic concurrency control when it is created.",
        source=f"{_PARTITION_GO}, processPendingMessage",
        healthy="The configuration of the server may enable it for all streams.",
    ),
)

PARTITIONS: Final = (
    Rule(
        id="LFB-B41",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="partition number beyond the partitions of the stream",
        on="publish_request subscribe_request",
        when="coalesce(partition, 0) >= log.partitions",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="{name} is for partition {coalesce(partition, 0)} of {stream}, which was created "
        "with {log.partitions:count partition}",
        cause="Partitions are numbered from 0, or the client has old metadata.",
        source=f"{_API}, Publish and Subscribe; liftbridge-io/liftbridge issue 91",
    ),
    Rule(
        id="LFB-B45",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="partition subscribed to at the offset of another partition",
        on="subscribe_request",
        when="start_position == 1 and start_offset > 1 and has(left.ends, start_offset) and "
        "conn.t > left.t_of and reader.last is not None and start_offset != reader.last + 1 and "
        "start_offset != reader.last",
        of="left",
        needs="",
        evidence="n, left.last_at, reader.last_at",
        message="partition {coalesce(partition, 0)} of {stream} was read up to offset "
        "{reader.last}; after the reconnect it is subscribed to at {start_offset}, where another "
        "partition was left",
        cause="The client mixes up the positions of its partitions, or keeps one for all.",
        source=f"{_API}, Subscribe, Partition, StartOffset",
    ),
    Rule(
        id="LFB-B45b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new partition subscribed to at the offset of another partition",
        on="subscribe_request",
        when="start_position == 1 and start_offset > 1 and (has(left.ends, start_offset) or "
        "coalesce(partition, 0) == 0 and left.first < start_offset <= left.last) and "
        "conn.t > left.t_of and reader.last is None and left.partition != coalesce(partition, 0) "
        "and consumer.group_id is None and place.fetched_n is None",
        of="left",
        needs="",
        evidence="n, left.last_at",
        message="the client read partition {left.partition} of {stream} before the reconnect, and "
        "subscribes to partition {coalesce(partition, 0)} at {start_offset}, an offset that it had "
        "reached there",
        cause="The client restores its subscription with another partition, or without one: 0 is "
        "the default.",
        source=f"{_API}, Subscribe, Partition, StartOffset",
        healthy="Partitions with as many messages, which instances share out anew.",
    ),
    Rule(
        id="LFB-B46",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages of one key in several partitions of a stream",
        on="publish_request",
        when="keyed.partition != coalesce(partition, 0) and "
        "coalesce(log.spread, 0) + 1 >= KEYED_LIMIT",
        of="log",
        needs="",
        evidence="n, keyed.latest_n",
        message="a message for partition {coalesce(partition, 0)} of {stream} has the key of "
        "one in partition {keyed.partition}: the order of the key is lost",
        cause="The client chooses the partition without the key, or two producers hash it "
        "differently; compaction keeps a value of the key in each partition.",
        healthy="A program that needs no order of its messages.",
        source=f"{_API}, Publish, Key, Partition",
    ),
    Rule(
        id="LFB-B42",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="partition with messages but without a reader",
        on="end:part",
        when="part.published >= UNREAD_LIMIT and part.read_n is None and log.read_n is not None "
        "and log.partitions > 1",
        needs="all",
        evidence="part.published_n, log.read_n, log.made_n",
        message="{part.published} messages were published to partition {part.partition} of "
        "{part.stream}, but in these captures only other partitions are read",
        cause="The consumer subscribes to partition 0, the default, and not to the others.",
        source=f"{_API}, Subscribe, Partition",
        healthy="A program that is not in the captures reads the partition.",
    ),
)

CONTENTS: Final = (
    *(
        Rule(
            id="LFB-B66",
            severity=Severity.WARNING,
            group=Group.ASSUMPTION,
            title="name of a stream, cursor or group that was not meant",
            on=on,
            when=when,
            predicate=is_mistaken_name,
            reads=reads,
            needs="",
            per="client, server, found",
            message="{name} has {found}",
            cause="A variable of the program was not set, or a template not filled in: all "
            "programs with the same mistake share the name.",
            source=_API,
        )
        for on, when, reads in (
            ("create_stream_request", "", "fields.name subject"),
            ("subscribe_request", "", "stream"),
            ("set_cursor_request fetch_cursor_request", "", "stream cursor_id"),
            ("join_consumer_group_request", "", "group_id consumer_id"),
            (
                "publish_request",
                "stream is not None and stream != coalesce(conn.known_stream, '')",
                "stream",
            ),
        )
    ),
    Rule(
        id="LFB-B67",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="value that was converted wrongly",
        on="publish_request",
        when="conn.published <= FORMAT_SAMPLE and len(value) > 2",
        predicate=is_mistaken,
        reads="value",
        needs="",
        of="conn",
        message="the value of a message for {stream} is {found}",
        cause="The program passes a value that it has not encoded, or that was encoded before: "
        "consumers cannot use it.",
        source=f"{_API}, Publish, Value",
    ),
    Rule(
        id="LFB-B68",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="value as encoded text",
        on="publish_request",
        when="conn.published <= FORMAT_SAMPLE and len(value) >= 12",
        predicate=is_text_of_bytes,
        reads="value",
        needs="",
        of="conn",
        message="the value of a message for {stream} is {found}",
        cause="The program encodes bytes as text, although a value is bytes: it is a third larger, "
        "or twice as large.",
        source=f"{_API}, Publish, Value",
        healthy="The data comes from a system that passes on text only.",
    ),
)

FORMATS: Final = (
    Rule(
        id="LFB-B47",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="messages of one Liftbridge stream in different formats",
        on="mixture:content",
        needs="",
        message=f"messages of {{stream}} are in {{content.first}} from one client and in "
        f"{{{FORMAT}}} from another one",
        cause="The publishers encode their messages differently: consumers of one format cannot "
        "read the other.",
        source=f"{_API}, Publish, Value",
        healthy="Consumers that recognise both formats.",
    ),
    Rule(
        id="LFB-B47b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="messages of one client to one Liftbridge stream in different formats",
        on="mixture:mixed",
        needs="",
        message=f"messages of {{stream}} are first in {{mixed.first}}, then in {{{FORMAT}}}, from "
        "one client",
        cause="Two parts of the program encode messages differently, or a value was not encoded.",
        source=f"{_API}, Publish, Value",
        healthy="Consumers that recognise both formats.",
    ),
    Rule(
        id="LFB-B48",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="value that is not what its headers announce",
        on="publish_request",
        when="len(fields.headers) > 0",
        predicate=is_not_announced,
        reads="fields.headers value",
        needs="",
        per="client, stream",
        message="a message of {stream} is {found}, although its headers announce it",
        cause="The header is a default or a copy, or the value was encoded in another way: "
        "consumers that go by the header cannot read it.",
        source="liftbridge-api v1.9.0, api.proto, PublishRequest.Headers; RFC 9110, 8.3 and 8.4",
    ),
)

STREAMS: Final = (
    Rule(
        id="LFB-B50",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="message published to the name of a stream instead of its subject",
        on="publish_to_subject_request client:publish",
        when="len(log.subject) > 0 and log.subject != coalesce(carrier.subject, subject)",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="a message is published to the subject {coalesce(carrier.subject, subject)}, which "
        "is the name of a stream whose subject is {log.subject}",
        cause="The stream stores what comes on its subject: this message is lost, and without an "
        "ack nothing shows it.",
        source=f"{_API}, PublishToSubject; python-liftbridge issue 5",
        healthy="Another stream has this subject.",
    ),
    Rule(
        id="LFB-B43",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="FetchMetadata called repeatedly",
        on="repetition:looked_up",
        needs="",
        message="FetchMetadata was called {METADATA_LIMIT} times in a row, at most "
        "{AGAIN_PAUSE:time} apart",
        cause="The client asks for metadata before each step: it changes only when partitions get "
        "another leader.",
        source=f"{_API}, FetchMetadata",
        healthy="A program that waits until a stream exists.",
    ),
    Rule(
        id="LFB-B14",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many streams created in a row",
        on="repetition:created",
        needs="",
        message="the client created {CREATE_LIMIT} streams in a row",
        cause="Every server keeps a log and a Raft entry for each stream; one stream with a "
        "wildcard subject, keys or partitions may be enough.",
        source=f"{_SERVER}/metadata.go, CreateStream",
        healthy="An installation that is being set up.",
        echo_of="LFB-B14b",
    ),
    Rule(
        id="LFB-B14b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="streams with similar names created repeatedly for one subject",
        on="create_stream_request",
        when="feed.alike == program(fields.name) and feed.latest != fields.name and "
        "feed.streams + 1 >= FED_LIMIT",
        of="feed",
        needs="",
        evidence="n, feed.latest_n, feed.former_n",
        message="{fields.name} is stream number {feed.streams + 1} that is created for the subject "
        "{subject} and not deleted: each of them stores every message of it",
        cause="The name of the stream has a time or a random part, so that each start of the "
        "program makes another stream instead of finding its own.",
        source=f"{_SERVER}/metadata.go, CreateStream; go-liftbridge issue 83",
        healthy="Streams that keep the messages of a subject for different times.",
    ),
    Rule(
        id="LFB-B15",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="use of a deleted stream",
        on="publish_request subscribe_request",
        when="log.deleted_n is not None",
        of="log",
        needs="whole all",
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
    Rule(
        id="LFB-B31",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="minIsr above the replication factor",
        on="create_stream_request",
        when="min_isr.value > coalesce(replication_factor, 1) and "
        "coalesce(replication_factor, 1) > 0",
        needs="",
        message="{fields.name} has {coalesce(replication_factor, 1):count replica}, but requires "
        "{min_isr.value} in sync: no message is ever committed",
        cause="The minimum of in-sync replicas is at most the replication factor.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.MinIsr",
    ),
    Rule(
        id="LFB-B32",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="retention below the size or age of a segment",
        on="create_stream_request",
        when="0 < retention_max_bytes.value < segment_max_bytes.value or "
        "0 < retention_max_age.value < segment_max_age.value",
        needs="",
        message="{fields.name} is to keep less than one segment: only whole segments are removed",
        cause="Retention works on segments: choose smaller segments.",
        source=f"{_SERVER}/commitlog/delete_cleaner.go",
        healthy="The limits need not be exact.",
    ),
    Rule(
        id="LFB-B33",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated PauseStream for one stream",
        on="repetition:paused",
        needs="",
        message="{fields.name} was paused {PAUSE_LIMIT} times in a row",
        cause="Each publish wakes a paused stream: it is in use.",
        source=f"{_API}, PauseStream",
        healthy="A stream with few messages.",
    ),
    Rule(
        id="LFB-B51",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="dummy message published to resume a paused stream before Subscribe",
        on="repetition:woken",
        needs="",
        message="{WOKEN_LIMIT} times in a row the client published the same message to {stream}, "
        "which was paused, and then subscribed to it without `resume`",
        cause="The client wakes the stream with a message of no meaning, which stays in the stream "
        "and which every reader gets. Subscribe with `resume` wakes a paused partition.",
        source=f"{_API}, Subscribe, Resume; liftbridge issues 250 and 323",
        healthy="A program that publishes the same message each time and reads it back.",
    ),
)

NAMES: Final = (
    Rule(
        id="LFB-B60",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream subscribed to at an offset of the stream before it was deleted",
        on="subscribe_request",
        when="start_position == 1 and log.remade_n is not None and start_offset > 0 and "
        "(place.set_n < log.remade_n and start_offset - place.cursor in (0, 1) or "
        "reader.last_at < log.remade_n and start_offset - reader.last in (0, 1))",
        of="reader",
        needs="",
        evidence="n, log.remade_n, reader.last_at",
        message="{stream} was created again in frame {log.remade_n} and begins at offset 0; the "
        "subscription begins at {start_offset}, where the client had come in the former stream",
        cause="The position is kept although the stream was deleted: messages below it are never "
        "read. Reset cursors when a stream is created.",
        source=f"{_API}, Subscribe, StartOffset; {_SERVER}/cursors.go",
    ),
    Rule(
        id="LFB-B61",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="program that publishes into the stream it reads (loop)",
        on="repetition:echoed",
        needs="",
        message="{ECHO_LIMIT} times in a row the client published the value that it had just read "
        "from {stream} to {stream} again, and received it",
        cause="Messages that are passed on need another stream, or a mark by which the program "
        "leaves out its own.",
        source=f"{_API}, Publish, Subscribe",
        healthy="A program that publishes equal values and reads them itself.",
    ),
    Rule(
        id="LFB-B52",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="subscription to a stream whose name is similar to one that exists (typo)",
        on="end:sub",
        when="sub.state == 'asked' and count(catalogue.names) >= 1 and "
        "not has(catalogue.names, sub.stream)",
        predicate=is_nearly_subscribed,
        reads="sub.stream catalogue.names",
        needs="start whole both",
        evidence="sub.asked_n",
        message="the subscription to {sub.stream} never began; there is a stream {found}",
        cause="The name is misspelt, in another case, or has another separator.",
        source=f"{_API}, Subscribe",
    ),
    Rule(
        id="LFB-B52b",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="publish to a stream whose name is similar to one that exists (typo)",
        on="publish_request",
        when="catalogue.listed_n is not None and not has(catalogue.names, stream)",
        predicate=is_nearly_published,
        reads="stream catalogue.names",
        needs="",
        of="log",
        evidence="n, catalogue.listed_n",
        message="a message is published to {stream}, which the metadata in frame "
        "{catalogue.listed_n} do not have; there is a stream {found}",
        cause="The name is misspelt, in another case, or has another separator.",
        source=f"{_API}, Publish",
        healthy="A stream that was created since, by a program that is not in the captures.",
    ),
    Rule(
        id="LFB-B53",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="plain subscription to a stream that a consumer group reads",
        on="subscribe_request",
        when="log.grouped_n is not None and consumer.group_id is None",
        of="log",
        needs="",
        evidence="n, log.grouped_n",
        message="{stream} is read by consumer group {log.group}, and here without a group: its "
        "messages are also processed by this reader",
        cause="The client subscribes without stating its group and consumer id.",
        source=f"{_API}, Subscribe; {_SERVER}/groups.go",
        healthy="A reader with another task.",
    ),
    Rule(
        id="LFB-B53b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer group of a subscription lost with its connection",
        on="subscribe_request",
        when="consumer.group_id is None and len(reader.group) > 0 and reader.asked_by != flow and "
        "conn.t > taken.lost_t",
        of="reader",
        needs="",
        evidence="n, reader.asked_n",
        message="partition {coalesce(partition, 0)} of {stream} is subscribed to without a group; "
        "before the connection of this client was lost it was in {reader.group}",
        cause="The client restores its subscriptions without their group: members of the group "
        "get the same messages.",
        source=f"{_API}, Subscribe; {_SERVER}/groups.go",
        healthy="Another program of the host.",
    ),
    Rule(
        id="LFB-B54",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor set for a partition that the client does not read",
        on="set_cursor_request",
        when="duty.read_n is not None and reader.asked_n is None and "
        "coalesce(duty.born_n, 0) == coalesce(log.born_n, 0)",
        of="reader",
        worse_from=_ELSEWHERE,
        needs="start whole",
        evidence="n, duty.read_n",
        message="cursor {cursor_id} of {stream} is set for partition {coalesce(partition, 0)}, but "
        "the client subscribed to other partitions only",
        cause="The client leaves the partition out, which is then 0, or takes that of another "
        "message: after a restart the place is not found.",
        source=f"{_SERVER}/cursors.go, SetCursor",
        healthy="A tool that sets a cursor, or a partition that was read in other captures.",
    ),
    Rule(
        id="LFB-B55",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="PublishAsync messages that want acks without a correlation id",
        on="publish_request",
        when="carrier.method == 'PublishAsync' and coalesce(ack_policy, 0) != 2 and "
        "coalesce(len(correlation_id), 0) == 0 and conn.pending >= 1",
        of="conn",
        needs="",
        evidence="n, conn.pending_n",
        message="a message for {stream} asks for an ack and has no correlation id, while "
        "{conn.pending:count ack} of earlier messages did not come yet",
        cause="Acks are matched by correlation id: the client cannot tell which message was stored "
        "or refused.",
        source=f"{_API}, PublishAsync; {_CLIENT}, PublishAsync",
        healthy="A client that only counts its acks.",
    ),
    Rule(
        id="LFB-B56",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="subscription to a paused stream without resume",
        on="subscribe_request",
        when="log.paused_n is not None and not coalesce(resume, False)",
        of="log",
        needs="",
        evidence="n, log.paused_n",
        message="{stream} was paused in frame {log.paused_n} and nothing was published since; the "
        "subscription does not ask to resume it, so that it is refused",
        cause="A paused partition is woken by a publish, or by Subscribe with `resume`.",
        source=f"{_API}, Subscribe, Resume",
        healthy="The client only wants to read while others use the stream.",
    ),
    Rule(
        id="LFB-B57",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="PublishToSubject to a subject with a wildcard or an empty token",
        on="publish_to_subject_request",
        when="not literal(subject)",
        of="conn",
        needs="",
        message="a message is published to {subject}, which has a wildcard or an empty token: no "
        "stream stores it",
        cause="The client names the pattern of a stream instead of a subject.",
        source=f"{_API}, PublishToSubject; docs.nats.io, Subject-Based Messaging",
    ),
    Rule(
        id="LFB-B58",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="age of a stream not in milliseconds",
        on="create_stream_request",
        when=f"{_ODD_AGE.format('retention_max_age')} or {_ODD_AGE.format('segment_max_age')}",
        needs="",
        message="{fields.name} has retentionMaxAge {coalesce(retention_max_age.value, 'unset')} "
        "and segmentMaxAge {coalesce(segment_max_age.value, 'unset')}, which are milliseconds: one "
        "is a number of days in seconds, or more than 300 years",
        cause="The client writes seconds, or nanoseconds: messages are removed after minutes, or "
        "never.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.RetentionMaxAge",
        healthy="An age of exactly so many milliseconds.",
    ),
    Rule(
        id="LFB-B59",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="autoPauseTime of less than a second",
        on="create_stream_request",
        when="0 < auto_pause_time.value < BRIEF_PAUSE",
        needs="",
        message="{fields.name} is paused after {auto_pause_time.value} ms without a message: its "
        "subscribers are cut off each time",
        cause="AutoPauseTime is in milliseconds; the client may mean seconds.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.AutoPauseTime",
        healthy="A test of pausing.",
    ),
)

GROUPS: Final = (
    Rule(
        id="LFB-B44",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new consumer id for each start, the previous ones still in the group",
        on="join_consumer_group_request",
        when="not has(crowd.names, consumer_id) and count(crowd.names) + 1 >= NAMES_LIMIT and "
        "crowd.live <= 0 and crowd.left is None",
        of="crowd",
        needs="",
        evidence="n, crowd.latest_n, crowd.former_n",
        message="this client has joined group {group_id} under {count(crowd.names) + 1} consumer "
        "ids, one after another, and left it with none of them",
        cause="The consumer id changes with each start: until the consumer timeout, partitions "
        "stay assigned to consumers that no longer exist.",
        source=f"{_SERVER}/groups.go, AddMember",
        healthy="Several programs that are run one after another.",
    ),
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
        "a row, each within 5 % of the consumer timeout after the previous one",
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
    Rule(
        id="LFB-B34",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="group member subscribed to a partition not assigned to it",
        on="subscribe_request",
        when="consumer.group_id is None and len(claim.partitions) > 0 and "
        "not any_eq(claim.partitions, coalesce(partition, 0))",
        of="claim",
        needs="",
        evidence="n, claim.got_n",
        message="{claim.consumer} reads partition {coalesce(partition, 0)} of {stream} outside of "
        "its group, which has not assigned it: two consumers read its messages",
        cause="The client subscribes to all partitions itself, whatever the group assigns.",
        source=f"{_SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B35",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="assigned partitions without any subscription",
        on="end:claim",
        when="len(claim.partitions) > 0 and duty.read_n is None and t - claim.got_t > UNREAD and "
        "why in ('closed', 'reset')",
        of="claim",
        needs="start whole both",
        evidence="claim.got_n",
        message="{claim.consumer} was assigned {len(claim.partitions):count partition} of "
        "{claim.stream} and did not subscribe in {t - claim.got_t:time}",
        cause="The consumer asks for its assignments and does not act on them: the messages of "
        "these partitions are not processed.",
        source=f"{_SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B71",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="members that join a consumer group and leave it, one after another",
        on="repetition:joined_anew",
        needs="",
        message="{ANEW_LIMIT} members of this client in a row joined group {group_id} after the "
        "one before had left it",
        cause="The client makes a consumer for each message or batch: each join begins a new "
        "epoch, and all partitions are assigned anew.",
        source=f"{_SERVER}/groups.go, AddMember",
        healthy="A program that is run for each batch.",
    ),
    Rule(
        id="LFB-B36",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated JoinConsumerGroup by one consumer",
        on="repetition:joined_again",
        needs="",
        message="{consumer_id} joined group {group_id} {JOIN_LIMIT} times in a row",
        cause="Each join begins a new epoch, and the partitions are assigned anew; fetching the "
        "assignments keeps a membership.",
        source=f"{_SERVER}/groups.go, AddMember",
        healthy="A coordinator that changes often.",
    ),
)

BEHAVIOURS: Final = (
    *READING, *PLACES, *CONTENTS, *RECONNECTS, *CURSORS, *PUBLISHING, *PARTITIONS, *FORMATS,
    *STREAMS, *NAMES,
    *GROUPS,
)  # fmt: skip
"""Part of the rules of the protocol."""
