"""Rules for messages of NATS that are lost or stored twice."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import subject_predicates
from streamshark.protocols.nats.row_names import DELIVERED

LOST_AND_TWICE: Final = (
    Rule(
        id="NATS-B64",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published before the first subscription to their subject",
        on="client:sub",
        when="topic.sent >= MISSED_LIMIT and topic.heard_n is None and "
        "listeners.wide_n is None and conn.cluster is None",
        needs="all",
        of="topic",
        evidence="topic.sent_n, n",
        message="{topic.sent:count message} or more were published to {subject} before the "
        "first subscription to it in these captures: subscribers do not receive them",
        cause="The publisher starts before the subscriber: NATS without JetStream keeps no "
        "messages.",
        source="docs.nats.io, Core NATS, Publish-Subscribe",
        healthy="A stream stores the messages, or a subscriber that is not in the captures "
        "receives them.",
    ),
    Rule(
        id="NATS-B153",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscriptions that come just after the only message on their subject",
        on="repetition:too_early",
        predicate=subject_predicates.is_heard_by_none,
        reads="subject listeners.wide",
        needs="all",
        message="{EARLY_LIMIT} times in a row, the last time for {found}, the only message on a "
        "subject was published at most {EARLY_TIME:time} before the subscription to it: no "
        "subscriber received it",
        cause="A program subscribes on one connection and has the message published on another "
        "one, before the server has read the subscription. Flush after SUB (PING, and wait for "
        "PONG) before the publisher is started.",
        source="docs.nats.io, Client Protocol, PING/PONG; nats.c issue 923",
    ),
    Rule(
        id="NATS-B64b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published before the first subscription, which has a wildcard",
        on="client:sub",
        when="network.sent >= MISSED_LIMIT and network.heard_n is None and not literal(subject) "
        "and conn.cluster is None",
        predicate=subject_predicates.matches_published,
        reads="subject network.subjects",
        needs="",
        of="network",
        evidence="n, network.latest_n",
        message="{network.sent:count message} were published, some to {found}, before the "
        "first subscription in these captures; {subject} matches it: the "
        "subscriber does not receive them",
        cause="The publisher starts before the subscriber: NATS without JetStream keeps no "
        "messages.",
        source="docs.nats.io, Core NATS, Publish-Subscribe",
        healthy="A stream stores the messages, or a subscriber that is not in the captures "
        "receives them.",
    ),
    Rule(
        id="NATS-B127",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published before the stream for their subject was created",
        on=DELIVERED,
        when="asked.state == 'asked' and asked.meaning == 'stream create' and "
        "network.sent >= MISSED_LIMIT and between(payload, '\"did_create\":', 'rue') is not None",
        predicate=subject_predicates.stores_published,
        reads="payload network.subjects",
        needs="",
        of="network",
        evidence="asked.n, n, network.latest_n",
        message="messages were published to {found} before the stream that stores this subject "
        "was created: it does not have them",
        cause="The publisher starts before the program that creates the stream, and does not ask "
        "for acks, so that it does not learn that nothing stores its messages.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
        healthy="The subject was used without a stream before.",
    ),
    Rule(
        id="NATS-B64c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published while no subscription to their subject was left",
        on="client:sub",
        when="topic.away >= MISSED_LIMIT and listeners.wide_n is None and conn.cluster is None",
        needs="all",
        of="topic",
        evidence="n, topic.away_n",
        message="{topic.away:count message} were published to {subject} after its subscriptions "
        "in these captures had ended, and before this one: they are lost",
        cause="The subscriber was away, while it reconnected or was restarted: NATS without "
        "JetStream keeps no messages.",
        source="docs.nats.io, Core NATS, Publish-Subscribe; docs.nats.io, Reconnecting; "
        "nats.net.v1 issue 125",
        healthy="A stream stores the messages, or a subscriber that is not in the captures "
        "receives them.",
        echo_of="NATS-B104",
    ),
    Rule(
        id="NATS-B65",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same message published again under another Nats-Msg-Id",
        on="client:hpub",
        when="copy.message_id != item(headers, 'Nats-Msg-Id') and "
        "t - copy.sent_t <= DUPLICATE_WINDOW",
        needs="",
        of="conn",
        evidence="n, copy.sent_n",
        message="a message to {subject} has the payload of the one in frame {copy.sent_n}, but "
        "another Nats-Msg-Id: the stream stores both",
        cause="A retry makes a new id, so that the stream cannot recognise the message.",
        source="docs.nats.io, JetStream, message deduplication",
        healthy="Two messages that happen to be equal.",
    ),
)
