"""Rules for NATS clients that reconnect: what they do not restore, read again or skip."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.harm_behaviours import BEGUN_AGAIN, CREATED, REACHED, SKIPS_AHEAD
from streamshark.protocols.nats.row_names import DELIVERED, member
from streamshark.protocols.nats.sources import CONSUMER

RECONNECTS: Final = (
    Rule(
        id="NATS-B33",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="NATS subscription not restored after a reconnect",
        on="end:conn",
        when="count(before.subjects) > 0 and conn.connect_n > before.lost_n and "
        "conn.t - before.lost_t < LOST_LATELY and conn.cluster is None and "
        "(t - conn.restored_t > RESTORED or "
        "conn.subs_n is None and t - conn.t > RESTORED) and "
        "(why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.connect_n, C.last_n, before.lost_n",
        message="{coalesce(conn.client_name, client)} reconnected {t - conn.t:time} ago and has "
        "not subscribed to {first(before.subjects)} again, to which it was subscribed before its "
        "connection was lost",
        cause="The client reconnects and does not restore its subscriptions: messages no longer "
        "reach it.",
        source="docs.nats.io, Reconnecting; jedisct1/rust-nats issue 4",
        healthy="The program was restarted and no longer needs the subject.",
    ),
    Rule(
        id="NATS-B34",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="UNSUB max_msgs repeated in full after a reconnect",
        on="client:unsub",
        when="0 < limited.left and limited.left < max_msgs",
        needs="",
        of="sub",
        evidence="n, limited.lost_n",
        message="UNSUB {sid} {max_msgs} limits {sub.subject} again, although only {limited.left} "
        "messages of the limit were left when the connection was lost",
        cause="After a reconnect the client repeats UNSUB with the whole number: more messages "
        "arrive than were wanted.",
        source="docs.nats.io, Client Protocol, UNSUB; nats.go issue 152",
    ),
    Rule(
        id="NATS-B120",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="queue group of a subscription lost with its connection",
        on="client:sub",
        when="queue_group is None and conn.t - grouped.lost_t < LOST_LATELY and "
        "conn.connect_n > grouped.lost_n",
        needs="",
        of="grouped",
        evidence="n, grouped.lost_n",
        message="{coalesce(conn.client_name, client)} subscribes to {subject} without a queue "
        "group; before its connection was lost it was in {grouped.queue}",
        cause="The client restores its subscriptions without their queue groups: each instance "
        "gets every message, and all of them process it.",
        source="docs.nats.io, Queue Groups; nats.php issue 141",
        healthy="The program was changed and started again.",
    ),
    Rule(
        id="NATS-B121",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="filter of a JetStream consumer lost with its connection",
        on=DELIVERED,
        when=f"{CREATED} and len(place.filter) > 0 and conn.filter is None and "
        "conn.create_stream is not None and place.flow != flow",
        needs="",
        of="conn",
        evidence="conn.create_n, n, place.create_n",
        message="the consumer of stream {conn.create_stream} is created again without a filter; "
        "before the connection was lost it had {place.filter}",
        cause="The client makes its consumer again with other options: it gets messages of all "
        "subjects.",
        source="ADR-17, Ordered Consumer",
        healthy="The program was changed and started again.",
    ),
    Rule(
        id="NATS-B35",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new JetStream consumer starting after messages not yet received",
        on=DELIVERED,
        when=f"{CREATED} and conn.begin_at > {REACHED} + 1 and {REACHED} > 0",
        needs="whole all",
        of="conn",
        evidence="conn.create_n, n",
        message="a consumer of stream {conn.create_stream} begins at sequence {conn.begin_at}, but "
        f"the program had received the messages up to {{{REACHED}}}: those between them are "
        "skipped",
        cause="The client adds one to its place twice, or has counted messages of another stream.",
        source="ADR-17, Ordered Consumer",
        healthy="The messages between do not match the filter, or are not wanted.",
    ),
    Rule(
        id="NATS-B35b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new JetStream consumer starting before messages already received",
        on=DELIVERED,
        when=BEGUN_AGAIN,
        needs="",
        per="client, conn.create_stream",
        of="conn",
        evidence="conn.create_n, n",
        message="a consumer of stream {conn.create_stream} begins before messages that the program "
        f"has received already, up to {{{REACHED}}}: it receives them again",
        cause="The client takes the last message for the next one, or does not keep its place.",
        source="ADR-17, Ordered Consumer",
        healthy="The program reads the stream again on purpose.",
    ),
    Rule(
        id="NATS-B35c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new JetStream consumer that skips what was stored while the program was away",
        on=DELIVERED,
        when=SKIPS_AHEAD,
        needs="",
        of="conn",
        evidence="conn.create_n, n",
        message="the program had received messages of stream {conn.create_stream} up to "
        "{place.reached} on another connection; its new consumer has deliver_policy {conn.skips} "
        "and skips those stored since",
        cause="After a reconnect the client creates its consumer as at its start, instead of "
        "after the last message that it received, or without a durable name.",
        source="docs.nats.io, JetStream, consumers, DeliverPolicy",
        healthy="Only the latest messages are of interest.",
    ),
    Rule(
        id="NATS-B35d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="durable JetStream consumer created again, from the beginning of its stream",
        on=DELIVERED,
        when=f"{CREATED} and conn.durable is not None and team.top > 0 and "
        "between(payload, '\"deliver_policy\":\"', '\"') == 'all' and "
        "number(between(payload, '\"delivered\":{\"consumer_seq\":', ',')) == 0 and "
        f"{member('num_pending')} > 0 and coalesce(emptied.removed_n, -1) < team.top_n",
        needs="whole all",
        of="conn",
        evidence="asked.n, n, team.top_n",
        message="a durable consumer of stream {conn.create_stream} is created anew with "
        "deliver_policy all, although its messages up to {team.top} were acknowledged: all are "
        "delivered again",
        cause="The consumer was deleted, or removed after its inactive_threshold, and the new one "
        "knows nothing of the acks. opt_start_seq after the last message that was acknowledged "
        "lets it go on there.",
        source=f"{CONSUMER}, selectStartingSeqNo; docs.nats.io, JetStream, consumers, "
        "DeliverPolicy",
        healthy="The messages are to be processed again, on purpose.",
    ),
    Rule(
        id="NATS-B36",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="unsubscribed deliver inbox of a push consumer",
        on="end:conn",
        when="starts(conn.push_to, '_INBOX') and t - conn.create_t > REPLY_TIME and "
        "not has(conn.subjects, conn.push_to) and "
        "not matching(conn.push_to, coalesce(conn.wide_subject, '')) and "
        "(network.inboxes is None or not has(network.inboxes, conn.push_to)) and "
        "not matching(conn.push_to, coalesce(network.wide_inbox, ''))",
        needs="start whole both",
        evidence="conn.create_n",
        message="the consumer delivers to {conn.push_to}, to which no connection in these captures "
        "subscribed",
        cause="The deliver subject is misspelt, or the subscription is missing: nothing is "
        "delivered.",
        source="docs.nats.io, JetStream, push consumers",
        healthy="A connection that is not in the captures has the subscription.",
    ),
    Rule(
        id="NATS-B36b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="deliver_subject not subscribed by the push consumer's creator",
        on="end:conn",
        when="len(conn.push_to) > 0 and not starts(conn.push_to, '_INBOX') and "
        "t - conn.create_t > REPLY_TIME and "
        "not has(conn.subjects, conn.push_to) and "
        "not matching(conn.push_to, coalesce(conn.wide_subject, ''))",
        needs="start whole both",
        evidence="conn.create_n",
        message="the consumer delivers to {conn.push_to}, to which this connection never "
        "subscribed",
        cause="The deliver subject is misspelt, or the subscription is missing: nothing is "
        "delivered.",
        source="docs.nats.io, JetStream, push consumers",
        healthy="Another connection of the program has the subscription.",
    ),
)

ENDED_BY_SERVERS: Final = (
    Rule(
        id="NATS-B42",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that stays until a server in lame duck mode closes its connection",
        on="server:tcp.close server:tcp.reset",
        when="conn.left is None and C.command_t > conn.ldm_t and conn.peers is None",
        needs="start whole both",
        evidence="conn.ldm_n, C.command_n",
        message="INFO said that the server leaves (lame duck mode); the client went on for "
        "{t - conn.ldm_t:time}, until its connection was closed",
        cause="The client ignores ldm in INFO: it should drain the connection and reconnect to "
        "another server while it can.",
        source="docs.nats.io, Lame Duck Mode; nats.py issue 868",
        healthy="A library that leaves it to the program, as most do.",
    ),
    Rule(
        id="NATS-B48",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="push consumer neither resubscribed nor created again after a reconnect",
        on="end:conn",
        when="before.push is not None and conn.connect_n > before.push_n and "
        "conn.t - before.push_t < LOST_LATELY and t - conn.t > RESTORED and "
        "conn.cluster is None and conn.create_n is None and (why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.connect_n, C.last_n, before.push_n",
        message="{coalesce(conn.client_name, client)} had a consumer of stream "
        "{before.push_stream} that delivered to {before.push}; since its reconnect "
        "{t - conn.t:time} ago it neither subscribed to that subject nor created a consumer",
        cause="The client does not restore the consumer, that of a watcher for example: nothing "
        "is delivered any more.",
        source="ADR-17, Ordered Consumer; nats.rs issue 1596",
        healthy="The program was restarted and no longer needs the consumer.",
    ),
    Rule(
        id="NATS-B48b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="pull requests not sent again after a reconnect",
        on="end:conn",
        when="before.pulls is not None and conn.connect_n > before.pull_n and "
        "conn.t - before.pull_t < LOST_LATELY and "
        "t - conn.t > max(RESTORED, NOTICED * coalesce(before.pull_beat, 0)) and "
        "conn.cluster is None and conn.pulls is None and conn.subs_n is not None and "
        "(why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.connect_n, C.last_n, before.pull_n",
        message="{coalesce(conn.client_name, client)} pulled messages ({before.pulls}) until its "
        "connection was lost; since its reconnect {t - conn.t:time} ago it has subscribed, but "
        "sent no pull request",
        cause="The client restores its subscriptions and not its open pull request: nothing is "
        "delivered any more.",
        source="ADR-13, Pull Subscribe; nats.net pull request 114",
        healthy="The program was restarted and no longer needs the consumer.",
    ),
    Rule(
        id="NATS-B302",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="requests to a program that has not come back since it lost its connection",
        on="end:post",
        when="post.flow >= 0 and post.missed >= UNMET_LIMIT and post.missed_t - post.lost_t > AWAY",
        needs="",
        evidence="post.sent_n, post.missed_n, post.lost_n",
        message="the server ended the connection of {post.client_name}, which was subscribed to "
        "{post.subject}; {post.client_name} has not subscribed again, and {post.missed} requests "
        "up to {post.missed_t - post.lost_t:time} later found no responder (503)",
        cause="The client does not reconnect, or not for as long as the server was away: it has "
        "used up its attempts, or takes the error for a final one. It has to reconnect without a "
        "limit, or to end so that it is started again.",
        source="docs.nats.io, Reconnecting; ocis issue 7056",
        healthy="A program that is stopped with the server.",
    ),
    Rule(
        id="NATS-B128",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="program that does not come back after the server ended its connection",
        on="end:resident",
        when="resident.flow >= 0 and t - resident.lost_t > AWAY and (t - home.back_t > AWAY or "
        "resident.refused_n is not None)",
        needs="",
        evidence="resident.last_sent_n, resident.lost_n",
        message="the server ended the connection of {resident.client_name} "
        "{t - resident.lost_t:time} before the end of the captures; it has made no other one"
        "{'' if home.back_t is None else ', although others of this host are back'}",
        cause="The client does not reconnect: it takes the error for a final one, has used up its "
        "attempts, or does not notice that the connection has ended.",
        source="docs.nats.io, Reconnecting; nats.go issue 1552",
        healthy="A program that is stopped with the server, or whose user is locked out.",
    ),
)
