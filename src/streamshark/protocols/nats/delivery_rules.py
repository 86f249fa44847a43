"""Rules for deliveries of JetStream: late acks, redeliveries, consumers that stop or are shared."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import subject_predicates
from streamshark.protocols.nats.row_names import (
    ACKING,
    CLIENT_OF_NATS,
    IS_ACK,
    OF_NAME,
    OF_STREAM,
    OVER_LIMIT,
    PROCESSED,
    SENT,
)
from streamshark.protocols.nats.sources import CONSUMER

LATE_ACKS: Final = 3
"""Late acks for a consumer that are more than one slow message."""
_STALLS: Final = (
    "conn.unacked >= conn.max_pending and (number(token(conn.ack_to, 8)) > 0 or "
    "origin.wanted > number(token(conn.ack_to, 5))) and "
    "conn.policy != 'none' and count(conn.consumers) == 1 and conn.left is None and "
    "t - coalesce(conn.acked_t, conn.taken_t) >= STALLED"
)
"""As many messages are open as may be, and others wait."""

REDELIVERIES: Final = (
    Rule(
        id="NATS-B14",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream ack after the redelivery of its message",
        on=SENT,
        when=f"{ACKING} and handed.delivery > number(token(subject, 4))",
        needs="all",
        per="server, token(subject, 2), token(subject, 3)",
        worse_from=LATE_ACKS,
        evidence="n, handed.delivered_n",
        message="the message with sequence {token(subject, 5)} of stream {token(subject, 2)} was "
        "acknowledged after it had been redelivered in frame {handed.delivered_n}"
        "{'' if handed.to == flow else ', to another connection'}",
        cause="Processing takes longer than ack_wait, or messages wait in the client's buffer: "
        "fetch fewer at once, raise ack_wait, or report progress with +WPI.",
        source=f"{CONSUMER}, checkPending; nats.go issue 1929",
        healthy="A consumer for which one message takes long: it is delivered twice.",
    ),
    Rule(
        id="NATS-B14b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream ack after ack_wait",
        on=SENT,
        when=f"{ACKING} and served.state == 'waiting' and t - served.t > conn.ack_wait and "
        f"{PROCESSED} and count(conn.consumers) == 1 and "
        "conn.policy in ('explicit', 'all')",
        needs="",
        per="server, token(subject, 2), token(subject, 3)",
        worse_from=LATE_ACKS,
        evidence="n, served.n, conn.described_n",
        message="the message with sequence {token(subject, 5)} of stream {token(subject, 2)} was "
        "acknowledged {t - served.t:time} after its delivery, but ack_wait of the consumer is "
        "{conn.ack_wait:time}: it is delivered again",
        cause="Processing takes longer than ack_wait, or messages wait in the client's buffer: "
        "fetch fewer at once, raise ack_wait, or report progress with +WPI.",
        source=f"{CONSUMER}, checkPending; nats.go issue 1929",
        echo_of="NATS-B14",
        healthy="A consumer for which one message takes long: it is delivered twice.",
    ),
    Rule(
        id="NATS-B14c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream message delivered again after its ack",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1 and again.acked_n is not None",
        needs="since",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        evidence="n, again.acked_n",
        message="the message with sequence {token(reply_to, 5)} of stream {token(reply_to, 2)} is "
        "delivered again, although it was acknowledged in frame {again.acked_n}",
        cause="The ack came after ack_wait, as the message took long to process, or it did not "
        "reach the consumer.",
        source=f"{CONSUMER}, checkPending, processAckMsg; nats.net issue 860",
        healthy="An ack that crosses the redelivery of its message.",
        echo_of="NATS-B14 NATS-B14b",
    ),
    Rule(
        id="NATS-B14d",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream progress (+WPI) reported after ack_wait",
        on=SENT,
        when=f"{ACKING} and begins(payload, ACKS) == 'in progress' and "
        "served.state in ('waiting', 'in_progress') and conn.ack_wait > 0 and "
        "t - coalesce(served.beat_t, served.t) > conn.ack_wait and "
        "count(conn.consumers) == 1 and conn.policy in ('explicit', 'all')",
        needs="whole both",
        per="server, token(subject, 2), token(subject, 3)",
        worse_from=LATE_ACKS,
        evidence="n, served.n, conn.described_n",
        message="+WPI for the message with sequence {token(subject, 5)} of stream "
        "{token(subject, 2)} comes {t - coalesce(served.beat_t, served.t):time} after its delivery "
        "or the +WPI before, but ack_wait of the consumer is {conn.ack_wait:time}: the message is "
        "delivered again",
        cause="The client reports progress less often than ack_wait asks for: twice within "
        "ack_wait is safe.",
        source=f"{CONSUMER}, checkPending, progressUpdate; ADR-15",
        echo_of="NATS-B14",
        healthy="A consumer that is stopped for a moment.",
    ),
    Rule(
        id="NATS-B129",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream message delivered again after a later one was acknowledged (order)",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1 and "
        "number(token(reply_to, 5)) < team.top",
        needs="",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        evidence="n, team.top_n",
        message="the message with sequence {token(reply_to, 5)} of stream {token(reply_to, 2)} is "
        "delivered again after message {team.top} was acknowledged: they are processed in another "
        "order than they were stored",
        cause="Other messages are delivered while a rejected or late one waits for its next "
        "delivery. max_ack_pending of 1 keeps the order, and an ordered consumer does.",
        source=f"{CONSUMER}, processNak, checkPending",
        healthy="Messages that do not depend on each other.",
        echo_of="NATS-B14 NATS-B14b NATS-B14c NATS-B98",
    ),
    Rule(
        id="NATS-B15",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream pull requests expiring at max_ack_pending",
        on="server:hmsg",
        when="fields.status == 408 and pull.state == 'asked' and conn.stalls >= 1 and "
        "conn.unacked > 0 and number(token(conn.ack_to, 8)) > 0",
        needs="start whole both",
        of="conn",
        evidence="n, conn.unacked_n, pull.n, conn.limit_n",
        message="pull requests expire although messages wait in the stream; {conn.unacked} "
        "delivered messages are not acknowledged",
        cause="The consumer has reached max_ack_pending: the client does not acknowledge "
        "messages, or drops them.",
        source=f"{CONSUMER}, max_ack_pending; nats.net.v1 issue 812",
    ),
    Rule(
        id="NATS-B16",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="gap in the sequence of a JetStream consumer",
        on="sequence:consumed",
        needs="start whole both",
        message="delivery {token(reply_to, 6)} of consumer {token(reply_to, 3)} on sid {sid} "
        "follows delivery {consumed.last}: the messages in between did not arrive here",
        cause="A message was dropped on the way, or another subscriber received it; an ordered "
        "consumer must be created again at the missing message.",
        source="ADR-17, Ordered Consumer; nats.net issue 980",
    ),
    Rule(
        id="NATS-B17",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="push consumer stalled by unanswered flow control",
        on="server:hmsg",
        when="fields.status == 100 and item(headers, 'Nats-Consumer-Stalled') is not None",
        needs="",
        of="conn",
        message="the consumer is stalled: the client did not answer the flow control request "
        "{item(headers, 'Nats-Consumer-Stalled')}",
        cause="The client must publish an empty message to the subject in "
        "Nats-Consumer-Stalled, or to the reply subject of the flow control request.",
        source=f"{CONSUMER}, sendIdleHeartbeat; ADR-9; nats.py issue 244",
    ),
)

CONSUMERS: Final = (
    Rule(
        id="NATS-B69",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="JetStream list of which only the first page is read",
        on="end:listing",
        when="listing.times > 0 and (conn.left is not None or t - listing.page_t > REPLY_TIME)",
        needs="start whole both",
        of="listing",
        evidence="listing.asked_n, listing.page_n",
        message="the answer to {listing.subject} ends at item {listing.end} of {listing.total}, "
        "and the client never asked for the next page: it does not see the others",
        cause="JetStream answers lists in pages: as long as offset + limit is below total, the "
        "client has to ask again, with the next `offset` in the request.",
        source="nats-server v2.12.2, server/jetstream_api.go, ApiPaged; dart-nats issue 45",
        healthy="A program that shows the first page, or has found on it what it looked for.",
    ),
    Rule(
        id="NATS-B70",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer with ack_policy all shared by several connections",
        on="end:conn",
        when="has(team.losers, flow)",
        needs="start whole both",
        of="team",
        evidence="team.taken_n, team.lost_n",
        message="delivery {team.lost} of consumer {token(conn.ack_to, 3)}, which was sent to "
        "{client}, was not acknowledged by it, but by the ack of delivery {team.taken} on another "
        "connection: with ack_policy all an ack is for all messages up to its own",
        cause="Several workers share the consumer, and each one's ack is for the messages of the "
        "others too: those that a worker fails to process are not delivered again. Workers need "
        "ack_policy explicit.",
        source=f"{CONSUMER}, processAckMsg; nats.ex issue 230",
    ),
    Rule(
        id="NATS-N37",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="JetStream ack word in place of the reply subject",
        on=SENT,
        when=f"{ACKING} and reply_to is not None and (starts(reply_to, '+') or "
        "starts(reply_to, '-'))",
        needs="",
        per="flow, reply_to",
        evidence="n, served.n",
        message="{reply_to} is written before the length, where it is a reply subject: the server "
        "reads a payload of {len(payload)} bytes as the ack",
        cause="The word of an ack is its payload, after the line of PUB. Without a payload the "
        "server takes any of them for +ACK; with another one it ignores the ack.",
        source=f"{CONSUMER}, processAck; nats.php issue 89",
    ),
    Rule(
        id="NATS-B28",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="missing heartbeats of a JetStream consumer",
        on="timer:beat",
        when="sub.state == 'live' and conn.left is None and conn.dropped is None",
        needs="object both",
        evidence="sub.beat_n, sub.create_n",
        message="sid {sub.id} ({sub.subject}) received nothing for {MISSED_BEATS} times "
        "{sub.every:time}, the interval of the consumer's earlier heartbeats",
        cause="The consumer is gone, deleted or removed for inactivity, and the client does not "
        "notice: it has to create it again when two heartbeats are missing.",
        source="ADR-15; ADR-17; nats.py issue 510",
    ),
    Rule(
        id="NATS-B59",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="JetStream consumer filter similar to the published subjects (typo)",
        on="end:conn",
        when="conn.filter is not None and conn.taken_t is None and "
        f"count(network.subjects) <= 256 and {CLIENT_OF_NATS} and t - conn.create_t > REPLY_TIME",
        predicate=subject_predicates.is_filter_nearly_published,
        reads="conn.filter network.subjects",
        needs="start whole both",
        evidence="conn.create_n, network.latest_n",
        message="a consumer with the filter {conn.filter} received nothing; messages were "
        "published to {found}",
        cause="The filter or the subject of the messages is misspelt, or has another number of "
        "tokens: `*` matches one token, `>` one or more at the end, and upper and lower case "
        "differ.",
        source="docs.nats.io, JetStream, consumers, FilterSubject",
        healthy="Both subjects are in use, and nothing was published to the first one yet.",
    ),
    Rule(
        id="NATS-B60",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="push consumer with a deliver group, subscribed to in another one",
        on="end:conn",
        when="len(conn.group) > 0 and conn.taken_t is None and has(conn.subjects, conn.push_to) "
        "and not has(conn.queued, (conn.push_to, conn.group)) and t - conn.create_t > REPLY_TIME",
        needs="start whole both",
        evidence="conn.create_n",
        message="the consumer delivers to {conn.push_to} in queue group {conn.group}, but this "
        "connection subscribed to that subject without this group, and received nothing",
        cause="The queue group in SUB and deliver_group of the consumer must be the same.",
        source=f"{CONSUMER}, hasDeliveryInterest; ADR-15",
        healthy="Another connection of the program has the subscription.",
    ),
    Rule(
        id="NATS-B210",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="deliver subject of a push consumer, subscribed to outside its deliver group",
        on="end:sub",
        when="len(outlet.group) > 0 and not has(outlet.groups, outlet.group) and "
        "sub.delivered == 0 and t - max(outlet.create_t, sub.t) > REPLY_TIME",
        needs="start whole object both all",
        per="outlet.group, sub.subject",
        evidence="sub.n, outlet.create_n",
        message="the consumer delivers to {sub.subject} in queue group {outlet.group}, but all "
        "subscriptions to that subject are without this group, and receive nothing",
        cause="The queue group in SUB and deliver_group of the consumer must be the same.",
        source=f"{CONSUMER}, hasDeliveryInterest; ADR-15; nats-server issue 4611",
        healthy="Nothing has been published to the stream yet.",
        echo_of="NATS-B60 NATS-B36b",
    ),
    Rule(
        id="NATS-N25b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated pulls from a missing consumer",
        on="repetition:pulled_in_vain",
        needs="",
        message="{GONE_LIMIT} pull requests in a row ({pull.subject}) find no consumer: status "
        "{fields.status} {coalesce(description, '')}",
        cause="The consumer was deleted, or removed after its inactive_threshold because pulls are "
        "too seldom; the client has to create it again.",
        source=f"{CONSUMER}, processNextMsgRequest, deleteNotActive",
    ),
    Rule(
        id="NATS-N25c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream pull request refused (invalid, over a limit, or push)",
        on="server:hmsg",
        when="pull.state == 'asked' and (fields.status == 400 or fields.status == 409 and "
        f"{OVER_LIMIT} and not starts(description, 'Exceeded MaxWaiting') and "
        "not (starts(description, 'Message Size') and "
        "coalesce(sub.taken_n, 0) > pull.n))",
        needs="",
        per="client, server, fields.status, description",
        evidence="pull.n, n",
        message="the pull request was refused with status {fields.status} {description}",
        cause="The batch, time or size of the request, or the number of open requests, is above "
        "what the consumer permits.",
        source=f"{CONSUMER}, processNextMsgRequest",
        healthy="A pull of at most max_bytes ends with Message Size Exceeds MaxBytes when the next "
        "message no longer fits; that is no finding if messages came before.",
    ),
    Rule(
        id="NATS-B29",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unacknowledged JetStream message delivered max_deliver times",
        on="end:again",
        when="again.delivery >= conn.max_deliver and conn.max_deliver > 0 and "
        "count(conn.consumers) == 1 and again.acked_n is None and conn.policy == 'explicit' and "
        "aside.taken_n is None and "
        "t - again.delivered_t > (conn.ack_wait if conn.max_deliver == 1 else "
        "min(coalesce(conn.ack_wait, REPLY_TIME), REPLY_TIME))",
        needs="start whole both",
        of="conn",
        evidence="again.delivered_n",
        message="a message was delivered {again.delivery:count time}, the max_deliver of its "
        "consumer, and never acknowledged: it is not delivered again",
        cause="The message cannot be processed: it stays in the stream and is skipped. A "
        "max_deliver of 1 permits no second attempt.",
        source=f"{CONSUMER}, hasMaxDeliveries",
        healthy="Messages that cannot be processed are meant to be skipped, or set aside by a "
        "program that subscribes to the advisory.",
    ),
    Rule(
        id="NATS-B30",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream consumer without any acknowledged message",
        on="end:conn",
        when="conn.acked_n is None and conn.unacked >= NEVER_ACKED and "
        "conn.policy in ('explicit', 'all') and count(conn.consumers) == 1 and "
        "t - conn.taken_t > WITHOUT_ACK",
        needs="start whole both",
        evidence="conn.unacked_n, conn.pulled_n",
        message="none of {conn.unacked} messages of a consumer was acknowledged in "
        "{t - conn.taken_t:time}, although its ack_policy is {conn.policy}",
        cause="The client does not acknowledge: the messages are delivered again after ack_wait, "
        "and the consumer stops at max_ack_pending.",
        source="docs.nats.io, JetStream, acknowledgement",
    ),
    Rule(
        id="NATS-B31",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="acks for a consumer with ack_policy none",
        on=SENT,
        when=f"{ACKING} and conn.policy == 'none' and count(conn.consumers) == 1 and "
        "has(conn.consumers, token(subject, 3))",
        needs="",
        of="conn",
        evidence="n, conn.described_n",
        message="messages of consumer {token(subject, 3)} are acknowledged, although its "
        "ack_policy is none",
        cause="Each ack costs a message that the server ignores.",
        healthy="A program that handles messages of several consumers alike.",
        source="docs.nats.io, JetStream, acknowledgement",
    ),
    Rule(
        id="NATS-B32",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream consumer stopped at max_ack_pending",
        on="timer:stalled",
        when=f"{_STALLS} and conn.max_pending > 1",
        needs="start whole both",
        of="conn",
        evidence="conn.pulled_n, conn.unacked_n",
        message="{conn.unacked} messages are not acknowledged, which is max_ack_pending of the "
        "consumer: nothing was acknowledged for {STALLED:time}, while further messages wait",
        cause="The client does not acknowledge, such as after an error, or takes longer for a "
        "message than others can wait.",
        source=f"{CONSUMER}, max_ack_pending; nats-server issue 4112",
    ),
    Rule(
        id="NATS-B32b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream consumer waits for the one message that may be open",
        on="timer:stalled",
        when=f"{_STALLS} and conn.max_pending == 1",
        needs="start whole both",
        of="conn",
        evidence="conn.pulled_n",
        message="max_ack_pending of the consumer is 1, and the message that is open was not "
        "acknowledged for {STALLED:time}, while further messages wait",
        cause="The client takes long for a message, or does not acknowledge it.",
        source=f"{CONSUMER}, max_ack_pending",
        healthy="A worker that handles one message after the other, as is wanted.",
        echo_of="NATS-B32",
    ),
)

SHARED_CONSUMERS: Final = (
    Rule(
        id="NATS-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="durable consumer with alternating configurations",
        on="alternation:configured",
        needs="",
        message=f"the durable consumer {{{OF_NAME}}} of stream {{{OF_STREAM}}} is set back to a "
        "configuration that another request had replaced",
        cause="Two programs use one durable name with different settings: each undoes the "
        "settings of the other, such as its filter.",
        source="docs.nats.io, JetStream, consumers; nats.net issue 791",
    ),
    Rule(
        id="NATS-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="push consumer with two subscribers and no queue group",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and consumer.sequence == number(token(reply_to, 6)) and "
        "consumer.flow != flow",
        needs="",
        of="consumer",
        evidence="n, consumer.delivered_n",
        message="delivery {token(reply_to, 6)} of consumer {token(reply_to, 3)} on stream "
        "{token(reply_to, 2)} reaches two connections, and both process it",
        cause="Two programs subscribe to the deliver subject of one push consumer without a queue "
        "group.",
        source="docs.nats.io, JetStream, push consumers",
    ),
)
