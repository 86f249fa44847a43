"""Rules for what clients subscribe to, and for PONG and echo."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import subject_predicates
from streamshark.protocols.nats.row_names import SENT
from streamshark.protocols.nats.sources import PROTOCOL
from streamshark.protocols.nats.subscription_behaviours import FEWER, LEFT, NUMBER, OVERHEARD

_PLAIN: Final = "queue_group is None and not starts(subject, '_') and not starts(subject, '$')"

SUBSCRIPTION_RULES: Final = (
    Rule(
        id="NATS-N58",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request of a client without echo to a subject that it serves itself",
        on="server:hmsg",
        when="not conn.echo and fields.status == 503 and asked.state == 'asked' and "
        "has(conn.subjects, asked.subject)",
        needs="",
        of="conn",
        evidence="asked.n, n, conn.connect_n",
        message="no responder for {asked.subject}: this connection subscribes to it, but echo is "
        "false in CONNECT, so that it does not get its own requests",
        cause="Client and service share a connection that was opened with the option no echo.",
        source=f"{PROTOCOL}, CONNECT, echo",
    ),
    Rule(
        id="NATS-B201",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="inboxes that wait for more replies than come",
        on="client:unsub",
        when=f"{FEWER} and coalesce(conn.fewer, 0) + 1 >= FEWER_LIMIT",
        needs="whole both",
        of="conn",
        evidence="n, sub.awaited_n",
        message="{FEWER_LIMIT} inboxes in a row got fewer replies than they waited for: this one "
        "waited {t - sub.awaited_t:time} for {sub.awaited}, and got {sub.delivered}",
        cause="The client expects more responders than there are, and waits for the missing ones "
        "until its time is up. Some of them are down, or are not asked.",
        source=f"{PROTOCOL}, UNSUB, max_msgs; nats-surveyor issue 37",
        healthy="A client that takes all replies that come within some time, up to a number.",
    ),
    Rule(
        id="NATS-N59",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="PONG without a PING",
        on="client:pong server:pong",
        when="orphan",
        needs="start whole both",
        of="conn",
        message="PONG is sent although no PING is open",
        cause="The client answers another line by PONG, or answers twice: the other side may take "
        "it as the answer to a later PING.",
        source=f"{PROTOCOL}, PING/PONG",
        healthy="Some clients send it as a heartbeat.",
    ),
    Rule(
        id="NATS-B101",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="more equal subscriptions after each reconnect",
        on="end:conn",
        when="conn.copies > coalesce(before.copies, 0) and coalesce(before.grown, 0) + 1 >= 2",
        needs="start whole",
        of="before",
        evidence="conn.copy_n, before.copy_n",
        message="{conn.copies:count subscription} of this connection repeat an earlier one, "
        "{before.copies} on the connection before, and fewer on the one before that",
        cause="Both the library and the program subscribe again after a reconnect: each message "
        "is delivered more often each time.",
        source="docs.nats.io, Reconnecting; nats.js issue 302",
    ),
    Rule(
        id="NATS-B101b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription restored twice after a reconnect",
        on="client:sub",
        when=f"{_PLAIN} and has(conn.plain, subject) and has(conn.restored, subject) and "
        "before.clean == 1",
        needs="",
        of="conn",
        evidence="n, conn.restored_n, before.lost_n",
        message="{coalesce(conn.client_name, client)} subscribes to {subject} a second time since "
        "its reconnect; before its connection was lost it had one subscription: each message is "
        "now delivered twice",
        cause="Both the library and the program subscribe again after a reconnect.",
        source="docs.nats.io, Reconnecting; nats.js issue 302",
        healthy="A part of the program that begins only then.",
        echo_of="NATS-B101",
    ),
    Rule(
        id="NATS-B102",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription within another one of the connection",
        on="client:sub",
        when=f"{_PLAIN} and (matching(subject, conn.wide) if literal(subject) else "
        "matching(conn.literal, subject))",
        needs="",
        of="conn",
        evidence="n, conn.wide_n if literal(subject) else conn.literal_n",
        message="the client subscribes to {subject} and to "
        "{conn.wide if literal(subject) else conn.literal}: it gets a message twice if both match",
        cause="One part of the program subscribes to all, another one to a part of it.",
        source="docs.nats.io, Subject-Based Messaging, Wildcards",
        healthy="Two handlers for different tasks.",
    ),
    Rule(
        id="NATS-B134",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests whose inbox the client has unsubscribed",
        on=SENT,
        when=f"conn.left_inbox is not None and {LEFT} and conn.left_asked + 1 >= INBOX_LEFT_LIMIT",
        needs="",
        of="conn",
        evidence="conn.left_n, n",
        message="{conn.left_asked + 1} requests want their answers on {conn.left_inbox}, which the "
        "client unsubscribed in frame {conn.left_n}: no answer reaches it",
        cause="The end of one request, such as its timeout, ends the subscription that all "
        "requests of the client share.",
        source="docs.nats.io, Request-Reply; nats.net issue 167",
    ),
    Rule(
        id="NATS-B135",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="inbox of requests within another subscription of the client",
        on=SENT,
        when=f"conn.broad is not None and {OVERHEARD} and conn.overheard + 1 >= OVERHEARD_LIMIT",
        needs="",
        of="conn",
        evidence="conn.broad_n, n",
        message="the answers of {conn.overheard + 1} requests go to {conn.inbox}, and the client "
        "subscribes to {conn.broad} too: it gets each answer twice",
        cause="The prefix of the inboxes lies under subjects that the client subscribes to for "
        "another purpose, whose handler gets the answers.",
        source="docs.nats.io, Request-Reply; docs.nats.io, Subject-Based Messaging, Wildcards",
        healthy="A client that is to see its answers in a log of all messages.",
    ),
    Rule(
        id="NATS-B103",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="two programs in one queue group",
        on="client:sub",
        when="workers.live > 0 and workers.program != program(conn.client_name)",
        needs="",
        of="workers",
        evidence="n, workers.latest_n",
        message="{conn.client_name} joins queue group {queue_group} of {subject}, in which "
        "{workers.client_name} is: each message goes to one of the two programs",
        cause="Programs for different tasks need different queue groups, even if their subject is "
        "the same.",
        source="docs.nats.io, Queue Groups",
        healthy="Two versions of a program, or programs that share their work.",
    ),
    Rule(
        id="NATS-B108",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="message to a number beyond those that are subscribed to",
        on=SENT,
        when=f"series.count >= 2 and series.most <= series.count and network.wide_n is None and "
        f"{NUMBER} > series.most",
        needs="start whole",
        of="series",
        evidence="n, series.latest_n",
        message="a message is published to {subject}, but subscriptions in these captures end with "
        "number {series.most}: no subscription receives it",
        cause="The publisher counts more partitions or shards than there are.",
        source="docs.nats.io, Core NATS, Publish-Subscribe; liftbridge-io/liftbridge v1.9.0, "
        "server/partition.go",
        healthy="A subscriber that is not in the captures, or a number that is not needed yet.",
    ),
    Rule(
        id="NATS-B117b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many subscriptions that differ in a token between the first and the last",
        on="client:sub",
        when="family.count + 1 == SIBLINGS_LIMIT",
        needs="start whole",
        of="family",
        evidence="n, family.first_n",
        message="{SIBLINGS_LIMIT} subscriptions of one connection have the same first and last "
        "token, the last one is to {subject}",
        cause="The client subscribes for each item, or never ends what it has subscribed to for "
        "one: each subscription costs memory in all servers of a cluster, and all are sent again "
        "with a reconnect. `*` matches any token.",
        source="docs.nats.io, Subject-Based Messaging, Wildcards",
        healthy="A client that is to receive these items only, of very many.",
        echo_of="NATS-B117",
    ),
    Rule(
        id="NATS-B104",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subject subscribed to and unsubscribed for a message at most, repeatedly",
        on="churn:resubscribed",
        needs="",
        message="{sub.subject} was subscribed to {RESUBSCRIBED_LIMIT} times in a row, for one "
        "message at most each time",
        cause="The client reads by subscribing for each message: what is published in between is "
        "lost. A subscription that stays gets all.",
        source=f"{PROTOCOL}, SUB, UNSUB",
        healthy="A client that waits for single events.",
    ),
)
"""Part of the rules of the protocol."""

QUEUE_GROUPS: Final = (
    Rule(
        id="NATS-B43",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="similar but different queue groups of one program on a subject",
        on="client:sub",
        when="queue_group is not None and queue.live > 0 and queue.flow != flow and "
        "len(queue.latest) > 0 and not has(queue.names, queue_group)",
        predicate=subject_predicates.are_alike,
        reads="queue_group queue.latest",
        needs="",
        of="queue",
        evidence="n, queue.latest_n",
        message="{conn.client_name} subscribes to {subject} in queue group {queue_group}, and on "
        "another connection in {queue.latest}: each group receives every message",
        cause="The name of the group is misspelt, or contains something of the instance, such as "
        "its number.",
        source="docs.nats.io, Queue Groups",
    ),
    Rule(
        id="NATS-B43b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="several queue groups of one program on a subject",
        on="client:sub",
        when="queue_group is not None and queue.live > 0 and queue.flow != flow and "
        "len(queue.latest) > 0 and not has(queue.names, queue_group)",
        needs="",
        of="queue",
        evidence="n, queue.latest_n",
        message="{conn.client_name} subscribes to {subject} in queue group {queue_group}, and on "
        "another connection in {queue.latest}: each group receives every message",
        cause="Instances of one program need the same group to share the messages.",
        source="docs.nats.io, Queue Groups",
        healthy="The program processes each message in two ways.",
        echo_of="NATS-B43",
    ),
    Rule(
        id="NATS-B44",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscriptions of one program with and without a queue group",
        on="client:sub",
        when="queue.live > 0 and queue.flow != flow and "
        "(queue_group is None and len(queue.latest) > 0 or "
        "queue_group is not None and queue.latest == '' and not has(queue.names, queue_group))",
        needs="",
        of="queue",
        evidence="n, queue.latest_n",
        message="{conn.client_name} subscribes to {subject} "
        "{'without a' if queue_group is None else 'in a'} queue group, and on another connection "
        "{'in one' if queue_group is None else 'without'}: each message is processed twice",
        cause="One instance of the program lacks the queue group.",
        source="docs.nats.io, Queue Groups",
        healthy="The second subscription only watches.",
    ),
    Rule(
        id="NATS-B55",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="instances of one program subscribed to a subject without a queue group",
        on="end:replica",
        when="replica.second_n is not None and count(replica.served) >= 2",
        needs="all",
        evidence="replica.second_n, replica.first_n",
        message="{count(replica.served)} connections of {replica.client_name} subscribe to "
        "{replica.subject} without a queue group, and each received up to "
        "{replica.most:count message}: every message is processed by all of them",
        cause="The instances share no queue group.",
        source="docs.nats.io, Queue Groups",
        healthy="Each instance needs all messages, such as for a cache.",
    ),
)
