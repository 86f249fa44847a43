"""Rules for answers of servers that contradict what they answer, or what came before."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.answers import STARTED
from streamshark.protocols.liftbridge.sources import API, PARTITION, SERVER

_OTHER_NAMES: Final = "strange({0}, {1}, ()) is not None or strange({1}, {0}, ()) is not None"

ACKS: Final = (
    Rule(
        id="LFB-B150",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="ack for another subject than the message was published to",
        on="client:ack",
        when="correlation_id is not None and msg_subject is not None and "
        "msg_subject != pub.subject",
        needs="",
        of="pub",
        evidence="n, pub.n",
        message="the message that was published to {pub.subject} is acknowledged as one of "
        "{msg_subject}",
        cause="Two messages have one correlation id, or the server has mixed them up.",
        source=f"{PARTITION}, sendAck",
        guilty="server",
    ),
    Rule(
        id="LFB-B151",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="ack sent to another subject than its ack inbox",
        on="client:ack",
        when="ack_inbox is not None and ack_inbox != carrier.subject",
        needs="",
        of="pub",
        message="the ack for {ack_inbox} is sent to {carrier.subject}: its publisher does not get "
        "it",
        cause="",
        source=f"{PARTITION}, sendAck",
        guilty="server",
    ),
    Rule(
        id="LFB-B152",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="ack with another ack policy than the message",
        on="client:ack",
        when="correlation_id is not None and coalesce(ack_policy, 0) != pub.policy",
        needs="",
        of="pub",
        evidence="n, pub.n",
        message="a message with ack policy {pub.policy} on {msg_subject} is acknowledged with "
        "policy {coalesce(ack_policy, 0)}: the ack comes from the leader alone, or from all "
        "replicas, and not as was wanted",
        cause="Two messages have one correlation id, or the server has mixed them up.",
        source=f"{PARTITION}, sendAck",
        guilty="server",
    ),
    *(
        Rule(
            id=f"LFB-B153{letter}",
            severity=Severity.NOTE,
            group=Group.RESPONSE,
            title=f"{name} with a commit time before the time of reception",
            on=on,
            when=f"0 < {path}commit_timestamp < {path}reception_timestamp",
            needs="",
            of="pub",
            message=f"a message of {{{path}stream}} was received at {{{path}reception_timestamp}} "
            f"and committed at {{{path}commit_timestamp}}, before that",
            cause="The clock of the server was set back.",
            source=f"{PARTITION}, sendAck",
            healthy="A clock that is corrected at this moment.",
            guilty="server",
        )
        for letter, name, on, path in (
            ("", "ack", "client:ack", ""),
            ("b", "answer to Publish", "publish_response", "ack."),
        )
    ),
    Rule(
        id="LFB-B154",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="answer to PublishAsync with two correlation ids",
        on="publish_response",
        when="correlation_id != ack.correlation_id",
        needs="",
        of="posted",
        message="PublishAsync was answered for {correlation_id} with the ack of "
        "{ack.correlation_id}: the client takes one message for another",
        cause="The server has mixed up two messages.",
        source=f"{API}, PublishAsync",
        guilty="server",
    ),
    Rule(
        id="LFB-B155",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer to PublishAsync for a correlation id that was not published",
        on="publish_response",
        when="posted.state == 'absent'",
        needs="",
        message="PublishAsync was answered for {coalesce(correlation_id, ack.correlation_id)}, "
        "which this connection has not published",
        cause="The answer is for another connection, or the server changes ids.",
        source=f"{API}, PublishAsync",
        guilty="server",
    ),
    Rule(
        id="LFB-B156",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="second answer to a message of PublishAsync",
        on="publish_response",
        when="posted.state == 'answered' and posted.answers >= posted.asked and "
        "coalesce(posted.stored_in, '') == coalesce(ack.stream, '')",
        needs="object",
        evidence="n, posted.answer_n, posted.n",
        message="the message {coalesce(correlation_id, ack.correlation_id)} was answered again: "
        "the client counts one message twice",
        cause="Two servers act as the leader of the partition, or the message was stored twice.",
        source=f"{API}, PublishAsync",
        healthy="If several streams share a subject, each acknowledges once.",
        guilty="server",
    ),
    Rule(
        id="LFB-B157",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer to PublishAsync with neither ack nor error",
        on="publish_response",
        when="carrier.method == 'PublishAsync' and ack.stream is None and ack.ack_inbox is None "
        "and ack.correlation_id is None and async_error.code is None and "
        "async_error.message is None",
        needs="",
        of="conn",
        message="PublishAsync was answered for {correlation_id} with neither an ack nor an error: "
        "whether the message is stored is unknown",
        cause="",
        source=f"{API}, PublishAsync",
        guilty="server",
    ),
)

CURSORS: Final = (
    Rule(
        id="LFB-B159",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="FetchCursor answered with a newer offset than was set",
        on="fetch_cursor_response",
        when="offset > mark.confirmed and req.n > mark.confirmed_n and "
        "mark.set_n < mark.confirmed_n and mark.mixed is None",
        needs="whole both all",
        of="mark",
        evidence="n, req.n, mark.set_n",
        message="cursor {req.cursor_id} of {req.stream} is at {offset}, although it was set to "
        "{mark.confirmed} in frame {mark.set_n}: the messages in between are skipped",
        cause="The answer is for another cursor, or another program sets this one.",
        source=f"{SERVER}/cursors.go, GetCursor",
        healthy="A program that was not captured has set it.",
        guilty="server",
    ),
)

DELIVERIES: Final = (
    Rule(
        id="LFB-B160",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="message of another stream or partition than was subscribed to",
        on="message",
        when="conn.named_n is not None and (stream != sub.stream or stream is not None and "
        "coalesce(partition, 0) != sub.partition)",
        needs="object",
        evidence="n, sub.n",
        message="the subscription to partition {sub.partition} of {sub.stream} received a message "
        "of partition {coalesce(partition, 0)} of {stream}",
        cause="",
        source=f"{API}, Subscribe",
        guilty="server",
    ),
    Rule(
        id="LFB-B161",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offsets missing in a subscription",
        on="message",
        when=f"{STARTED} and offset > sub.last + 1",
        needs="object",
        evidence="n, sub.last_at",
        message="offset {offset} of {stream} was delivered right after {sub.last}: those in "
        "between were not",
        cause="The server has left messages out, or has deleted them while they were read.",
        source=f"{API}, Subscribe",
        healthy="A compacted stream keeps the last message of each key.",
        guilty="server",
    ),
    Rule(
        id="LFB-B162",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message before the offset that was asked for",
        on="message",
        when="stream is not None and coalesce(offset, 0) < sub.start",
        needs="object",
        evidence="n, sub.n",
        message="the subscription to {stream} begins at offset {sub.start}, and received "
        "{coalesce(offset, 0)}: a message that the client has processed comes again",
        cause="The stream ends before the offset that was asked for, or was truncated.",
        source=f"{API}, Subscribe",
        guilty="server",
        echo_of="LFB-B62 LFB-B60",
    ),
    Rule(
        id="LFB-B163",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message with an earlier time than the one before",
        on="message",
        when=f"{STARTED} and 0 < timestamp < sub.stamp and offset > sub.last",
        needs="object",
        evidence="n, sub.last_at",
        message="offset {offset} of {stream} has time {timestamp}, and offset {sub.last} before it "
        "{sub.stamp}: subscriptions that begin at a time skip or repeat messages here",
        cause="The clock of the leader was set back, or differs from that of the one before.",
        source=f"{SERVER}/commitlog/message_set.go",
        healthy="A new leader, whose clock is a little behind.",
        guilty="server",
    ),
    Rule(
        id="LFB-B164",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message after the offset at which the subscription ends",
        on="message",
        when="offset > sub.stops_at",
        needs="object",
        evidence="n, sub.n",
        message="the subscription to {stream} ends at offset {sub.stops_at}, and received {offset}",
        cause="",
        source=f"{API}, Subscribe",
        guilty="server",
    ),
)

CLUSTER: Final = (
    Rule(
        id="LFB-B165",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="FetchMetadata answered about other streams than were asked for",
        on="fetch_metadata_response",
        when="len(req.names) > 0 and len(stream_metadata) > 0 and "
        f"({_OTHER_NAMES.format('stream_metadata.name', 'req.names')})",
        needs="",
        of="conn",
        evidence="n, req.n",
        message="the client asked for {req.names}, and the server answered about "
        "{stream_metadata.name}",
        cause="",
        source=f"{API}, FetchMetadata",
        guilty="server",
    ),
    Rule(
        id="LFB-B166",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="listed server that cannot be connected to",
        on="fetch_metadata_response",
        when="any_eq(brokers.host, '') or any_eq(brokers.port, 0) or any_above(brokers.port, "
        "65535)",
        needs="",
        of="conn",
        message="FetchMetadata lists servers at {brokers.host}, port {brokers.port}: one of them "
        "has no host, or no port that exists",
        cause="The setting host or port of a server is not as it should be.",
        source=f"{API}, FetchMetadata",
        guilty="server",
    ),
    Rule(
        id="LFB-B169",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="assigned partitions of a stream that the consumer has not joined for",
        on="fetch_consumer_group_assignments_response",
        when="len(member.names) > 0 and strange(assignments.stream, member.names, ()) is not None",
        needs="object",
        of="member",
        evidence="n, member.asked_at, member.n",
        message="{member.consumer} of group {member.group} joined for {member.names}, and is "
        "assigned partitions of {assignments.stream}",
        cause="",
        source=f"{SERVER}/groups.go",
        guilty="server",
    ),
    Rule(
        id="LFB-B170",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="decreasing epoch of a consumer group",
        on="fetch_consumer_group_assignments_response",
        when="coalesce(epoch, 0) < member.group_epoch",
        needs="object",
        of="member",
        evidence="n, member.answered_at",
        message="group {member.group} had epoch {member.group_epoch}, and now has "
        "{coalesce(epoch, 0)}",
        cause="The server that answers does not know the latest change of the group.",
        source=f"{SERVER}/groups.go",
        healthy="The group was left by all its members and is made anew.",
        guilty="server",
    ),
)

ANSWER_RULES: Final = (*ACKS, *CURSORS, *DELIVERIES, *CLUSTER)
"""Part of the rules of the protocol."""
