"""Rules for subscriptions of Liftbridge: where they start, and what a reconnect restores."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.sources import API, CLIENT, SERVER

_AT_LAST: Final = "start_position == 1 and start_offset == reader.last and reader.last > 0"
"""The subscription starts at the last message that was read."""

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
        source=f"{API}, Subscribe; {CLIENT}, Subscribe",
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
        source=f"{API}, Subscribe",
        healthy="A program that reads in batches.",
    ),
    Rule(
        id="LFB-B250",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages that are handled twice, as subscriptions start at their cursor",
        on="subscribe_request",
        when=f"{_AT_LAST} and place.cursor == start_offset and place.at_cursor >= 1",
        of="reader",
        needs="",
        evidence="n, place.set_n, reader.last_at",
        message="{stream} is read again from {start_offset}, the offset of the cursor that the "
        "client has set after it had handled that message, as at its start before: the message is "
        "handled twice each time",
        cause="The start offset is the first offset to be delivered: add 1 to the cursor of the "
        "last message that was handled.",
        source=f"{API}, Subscribe, StartOffset, SetCursor",
        healthy="A cursor that names the next message, or a client that drops what it has handled.",
    ),
    Rule(
        id="LFB-B3",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription starting at the last message already read",
        on="subscribe_request",
        when=_AT_LAST,
        of="reader",
        needs="",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} and is read again from "
        "{start_offset}: that message is delivered twice",
        cause="The start offset is the first offset to be delivered: add 1 to the last one.",
        source=f"{API}, Subscribe, StartOffset",
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
        source=f"{API}, Subscribe, StartPosition_NEW_ONLY",
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
        source=f"{API}, Subscribe, StartPosition_NEW_ONLY; go-liftbridge issue 62",
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
        source=f"{API}, Subscribe, StartOffset",
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
        source=f"{API}, Subscribe, StartPosition_EARLIEST",
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
        source=f"{API}, Subscribe, StartPosition_TIMESTAMP; liftbridge-io/liftbridge issue 323",
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

POSITIONS: Final = (
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
            ("subscribe_request", "start_position == 1 and ", "start_offset", f"{API}, Subscribe"),
            ("set_cursor_request", "", "offset", f"{SERVER}/cursors.go, SetCursor"),
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
        source=f"{API}, Subscribe, StartOffset",
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

DELETED_STREAMS: Final = (
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
        source=f"{API}, Subscribe, StartOffset; {SERVER}/cursors.go",
    ),
)

PAUSED_STREAMS: Final = (
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
        source=f"{API}, Subscribe, Resume",
        healthy="The client only wants to read while others use the stream.",
    ),
)
