"""Rules for messages on their way: requested, published, acknowledged and delivered."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.message_paths import STORED
from streamshark.protocols.liftbridge.sources import API, PARTITION
from streamshark.protocols.liftbridge.storage import ANSWERED

_MIXED: Final = "Two messages have one correlation id, or the server has mixed them up."

ORDER: Final = (
    Rule(
        id="LFB-B220",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="ack of a message without the ack of the one before it",
        on="server:ack",
        when="wait.state == 'waiting' and wait.turn > coalesce(lane.acked, 0) + 1 and "
        f"lane.mixed is None and {STORED}",
        needs="both whole",
        of="lane",
        evidence="n, wait.n",
        message="{stream} acknowledged a message to {msg_subject}, but not the "
        "{wait.turn - coalesce(lane.acked, 0) - 1:count message} that this connection published "
        "there before it",
        cause="The message before was not stored, or its ack was lost: acks of one subject and "
        "policy come in the order of the messages.",
        source=f"{PARTITION}, processPendingMessage and sendAck",
        guilty="server",
    ),
    Rule(
        id="LFB-B220b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="answer to PublishAsync without the answer to the message before it",
        on="publish_response",
        when="posted.state == 'open' and posted.turn > coalesce(queue.acked, 0) + 1 and "
        f"queue.mixed is None and {ANSWERED}",
        needs="both whole",
        of="queue",
        evidence="n, posted.n",
        message="PublishAsync answered a message for partition {posted.to_partition} of "
        "{posted.to}, but not the {posted.turn - coalesce(queue.acked, 0) - 1:count message} "
        "before it",
        cause="The message before was not stored, or the server has lost its ack: the client "
        "waits for it until its own timeout.",
        source=f"{API}, PublishAsync; {PARTITION}, sendAck",
        guilty="server",
    ),
    Rule(
        id="LFB-B221",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed while an ack was awaited",
        on="end:wait",
        when="wait.state == 'waiting' and wait.turn is not None and why in ('closed', 'reset') and "
        "conn.acks >= 1 and "
        "ACK_SOON < t - wait.t < ACK_LATE",
        needs="start whole both",
        of="conn",
        evidence="wait.n",
        message="the message to {wait.subject} was not acknowledged until the connection ended, "
        "{t - wait.t:time} after it",
        cause="The server has not stored the message, or the program ends without waiting for its "
        "acks.",
        source=f"{PARTITION}, sendAck",
        healthy="A program that is stopped.",
    ),
    Rule(
        id="LFB-B223",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same message published again before its ack",
        on="client:publish",
        when="wait.state == 'waiting' and wait.content == digest(value)",
        needs="object",
        of="wait",
        evidence="n, wait.n",
        message="the same message was published to {carrier.subject} again {t - wait.t:time} "
        "later, before the ack for it",
        cause="A retry that does not wait long enough, or two parts of the program that send the "
        "same: the message is stored twice.",
        source=f"{PARTITION}, sendAck",
        healthy="A retry after the ack was lost.",
        guilty="client",
    ),
    Rule(
        id="LFB-B224",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="ack of a message that was not published",
        on="server:ack",
        when="wait.state == 'absent' and conn.wanted == 1 and "
        "(correlation_id is None and pub.state == 'unknown' or pub.state == 'asked')",
        needs="start whole both",
        message="{stream} acknowledged a message of {msg_subject} to {ack_inbox}, which no message "
        "of this connection has named",
        cause="Two publishers share an ack inbox, or the message was changed on its way.",
        source=f"{PARTITION}, sendAck",
    ),
)

CONTRADICTIONS: Final = (
    Rule(
        id="LFB-B225",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="acks of one message with different offsets",
        on="ack",
        when=f"sole.times == 1 and {STORED} and sole.acked_stream == stream and "
        "sole.acked_subject == partition_subject and coalesce(offset, 0) != sole.offset",
        needs="",
        of="sole",
        evidence="n, sole.acked_n, sole.sent_n",
        message="{stream} acknowledged a message at offset {coalesce(offset, 0)}, after an ack for "
        "it at {sole.offset}",
        cause="The message was stored twice, or two servers act as the leader of the partition.",
        source=f"{PARTITION}, sendAck",
        guilty="server",
    ),
    Rule(
        id="LFB-B225b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer with another offset than the ack on NATS",
        on="publish_response publish_to_subject_response",
        when="sole.times == 1 and sole.acked_stream == ack.stream and "
        "coalesce(ack.ack_error, 0) == 0 and sole.acked_subject == ack.partition_subject and "
        "coalesce(ack.offset, 0) != sole.offset",
        needs="",
        of="sole",
        evidence="n, sole.acked_n",
        message="the client received offset {coalesce(ack.offset, 0)} of {ack.stream} for a "
        "message that was acknowledged at {sole.offset}",
        cause="The server answers with the ack of another message.",
        source=f"{API}, Publish",
        guilty="server",
    ),
    Rule(
        id="LFB-B226",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="delivered message that differs from what was acknowledged",
        on="message",
        when="kept.mixed is None and (kept.value != digest(value) or "
        "kept.offset != coalesce(offset, 0))",
        needs="",
        of="kept",
        evidence="n, kept.acked_n",
        message="offset {coalesce(offset, 0)} of {stream} was delivered with time {timestamp}; the "
        "message of this time was acknowledged at offset {kept.offset}, or with another content",
        cause="The ack was for another message, or the log was truncated and written again after "
        "a change of the leader: the message is lost.",
        source=f"{PARTITION}, sendAck; {API}, Subscribe",
        guilty="server",
    ),
    Rule(
        id="LFB-B227",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="message published otherwise than it was requested",
        on="client:publish",
        when="sole.requests == 1 and sole.times is None and (sole.asked_value != digest(value) or "
        "sole.asked_stream != stream or sole.asked_policy != coalesce(ack_policy, 0))",
        needs="",
        of="sole",
        evidence="n, sole.asked_n",
        message="the server published to {carrier.subject} another content, stream or ack policy "
        "than the client requested for {sole.asked_stream}",
        cause=_MIXED,
        source=f"{API}, Publish",
    ),
    *(
        Rule(
            id=f"LFB-B232{letter}",
            severity=Severity.WARNING,
            group=Group.RESPONSE,
            title=f"ack of a message to a stream of the servers, with another {what}",
            on="client:ack",
            when=f"correlation_id is None and sole.times == 1 and {when}",
            needs="",
            of="sole",
            evidence="n, sole.sent_n",
            message=message,
            cause="The server has mixed up two messages.",
            source=f"{PARTITION}, sendAck",
            guilty="server",
        )
        for letter, what, when, message in (
            (
                "",
                "subject",
                "msg_subject is not None and msg_subject != sole.subject",
                (
                    "the message that was published to {sole.subject} is acknowledged as one of "
                    "{msg_subject}"
                ),
            ),
            (
                "b",
                "policy",
                "coalesce(ack_policy, 0) != sole.policy",
                (
                    "a message with ack policy {sole.policy} on {msg_subject} is acknowledged with "
                    "policy {coalesce(ack_policy, 0)}"
                ),
            ),
            (
                "c",
                "stream",
                "stream is not None and stream != sole.stream",
                "the message for {sole.stream} is acknowledged by {stream}",
            ),
        )
    ),
)

DELIVERIES: Final = (
    Rule(
        id="LFB-B222",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="empty message within a subscription",
        on="message",
        when="sub.count >= 1 and stream is None and subject is None and timestamp is None",
        needs="object",
        of="sub",
        evidence="n, sub.last_at, sub.n",
        message="the subscription to {sub.stream} received an empty message, which says that it "
        "begins, again",
        cause="",
        source=f"{API}, Subscribe",
        guilty="server",
    ),
    Rule(
        id="LFB-B222b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription without the empty message that it begins with",
        on="message",
        when="sub.count == 0 and sub.state == 'asked' and timestamp is not None",
        needs="object both whole",
        of="sub",
        evidence="n, sub.n",
        message="the subscription to {sub.stream} began with a message, instead of the empty one "
        "that says that it is ready",
        cause="Clients take the first message for the empty one, and pass over this one.",
        source=f"{API}, Subscribe",
        healthy="A server of another implementation.",
        guilty="server",
    ),
    *(
        Rule(
            id=f"LFB-B228{letter}",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title=title,
            on="message",
            when=when,
            needs="object",
            of="sub",
            evidence="n, sub.n, kept.acked_n",
            message="the subscription to {stream} is for " + what + ", and received offset "
            "{coalesce(offset, 0)}, which was acknowledged before the subscription",
            cause="",
            source=f"{API}, Subscribe, getStartOffset",
            guilty="server",
        )
        for letter, title, what, when in (
            (
                "",
                "older message in a subscription to new messages only",
                "new messages",
                "sub.kind == 0 and kept.acked_t < sub.t",
            ),
            (
                "b",
                "second older message in a subscription from the latest one",
                "the latest message and those after it",
                "sub.kind == 3 and sub.count >= 2 and kept.acked_t < sub.t",
            ),
        )
    ),
    *(
        Rule(
            id=f"LFB-B228{letter}",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title=title,
            on="message",
            when=when,
            needs="object",
            of="sub",
            evidence="n, sub.n",
            message="the subscription to {stream} " + what + ", and received offset "
            "{coalesce(offset, 0)} with time {timestamp}",
            cause="The clock of a leader was set back, or differs from that of the one before.",
            source=f"{API}, Subscribe, getStartOffset",
            healthy="A new leader, whose clock is a little different.",
            guilty="server",
        )
        for letter, title, what, when in (
            (
                "c",
                "message of an earlier time than the subscription begins at",
                "begins at time {sub.since}",
                "0 < timestamp < sub.since",
            ),
            (
                "d",
                "message of a later time than the subscription ends at",
                "ends at time {sub.until}",
                "timestamp > sub.until and sub.until > 0",
            ),
        )
    ),
)

MESSAGE_PATH_RULES: Final = (*ORDER, *CONTRADICTIONS, *DELIVERIES)
"""Part of the rules of the protocol."""
