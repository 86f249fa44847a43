"""Rules for subscriptions: their ids and their credit."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.conversations import UNDER_WAY
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

WAITING: Final = "max(coalesce(tail.count, 0), coalesce(tail.next, 0))"
"""Offset up to which the captures show that the stream of a subscription has messages."""
_HALF: Final = (
    "Once a subscription has used up half of its initial credit, brokers from 3.11.8 on wait until "
    "it has more than half again."
)

SUBSCRIPTIONS: Final = (
    Rule(
        id="RMQ-I3b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="no free subscription id",
        on="subscribe",
        when="live(sub) >= 256",
        needs="start whole",
        of="conn",
        message="another subscription is requested, although this connection already has 256",
        cause="The id counter exceeds 255; open another connection.",
        source=f"{READER}, max subscriptions per connection; rabbitmq-stream-js-client issue 194",
    ),
    Rule(
        id="RMQ-I4",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="subscription id already in use",
        on="subscribe",
        when="sub.state in ('live', 'asked') and sub.leaving_n is None",
        needs="object both",
        evidence="n, sub.n",
        message="subscription {subscription_id} is requested again; it has been {sub.state} since "
        "frame {sub.n}",
        cause="The client reuses an id, or its counter has wrapped.",
        source=f"{READER}, subscribe: code 3",
    ),
    Rule(
        id="RMQ-I5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Credit or Unsubscribe for an unknown subscription",
        on="credit unsubscribe",
        when="sub.state in ('absent', 'refused') or "
        f"sub.state == 'removed' and t - sub.ended_t > {UNDER_WAY}",
        needs="since",
        message="{name} for subscription {subscription_id}, which is {sub.state}",
        cause="",
        by="name if sub.state == 'removed' else sub.state",
        causes={
            "absent": "The client never subscribed with this id.",
            "refused": "The broker refused the subscription.",
            "credit": "The client continues to give credit after Unsubscribe, for chunks that it "
            "still processes, for example.",
            "unsubscribe": "The client unsubscribes twice.",
        },
        source=f"{READER}, credit: code 4; rabbitmq-stream-dotnet-client issue 205",
    ),
    Rule(
        id="RMQ-I5b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Credit or Unsubscribe in flight when the subscription ended",
        on="credit unsubscribe",
        when=f"sub.state == 'removed' and t - sub.ended_t <= {UNDER_WAY} or "
        "sub.state == 'lost' or "
        "name == 'credit' and sub.state == 'live' and sub.leaving_n is not None",
        needs="since",
        message="{name} for subscription {subscription_id}, which is ending or has just ended",
        cause="",
        healthy="The frame was already in flight.",
        source=f"{READER}, credit: code 4",
    ),
    Rule(
        id="RMQ-C1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="delivery without credit",
        on="deliver",
        when="sub.balance <= 0 or sub.state in ('removed', 'refused')",
        needs="object both",
        evidence="n, sub.n",
        message="Deliver to subscription {subscription_id}, whose credit is {sub.balance} "
        "({sub.state})",
        cause="",
        source=f"{READER}, send_chunks",
        guilty="server",
        echo_of="RMQ-C6",
    ),
    Rule(
        id="RMQ-C2",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription without credit while messages wait",
        on="end:sub",
        when="sub.balance <= 0 and sub.empty_t is not None and "
        "t - sub.empty_t >= max(STARVING, coalesce(sub.delay_most, 0) * MUCH_LONGER) and "
        f"(sub.committed >= sub.next or {WAITING} > sub.next)",
        needs="object both",
        evidence="sub.deliver_n, sub.credit_n",
        message="subscription {sub.id} has had no credit for {t - sub.empty_t:time} while messages "
        "from offset {sub.next} wait",
        cause="The client has not given credit for the chunks that it received: it forgets to, or "
        "still processes them.",
        source=f"{DOC}, Credit; rabbitmq-stream-dotnet-client issue 12",
    ),
    Rule(
        id="RMQ-C2b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription without credit",
        on="timer:starve",
        when="sub.balance <= 0 and not (sub.committed >= sub.next) and "
        f"not ({WAITING} > sub.next) or sub.balance <= 0 and sub.committed is None and "
        f"{WAITING} <= sub.next",
        needs="object both",
        evidence="sub.deliver_n, sub.credit_n",
        message="subscription {sub.id} has had no credit for {STARVING:time}; whether messages "
        "wait is unknown",
        cause="",
        healthy="There is nothing to read, or the consumer pauses on purpose.",
        source=f"{DOC}, Credit",
    ),
    Rule(
        id="RMQ-C2c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription without credit for a time",
        on="credit",
        when="sub.committed >= sub.next and sub.empty_t is not None and "
        "t - sub.empty_t >= STARVING",
        needs="object both",
        evidence="sub.deliver_n, n",
        message="subscription {subscription_id} had no credit for {t - sub.empty_t:time} while "
        "messages from offset {sub.next} waited",
        cause="The client gives credit when it has processed a chunk, and that takes long.",
        healthy="The program is slow, or pauses on purpose.",
        source=f"{DOC}, Credit",
    ),
    Rule(
        id="RMQ-C3",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription with at most half of its initial credit while messages wait",
        on="timer:hold timer:held",
        when="0 < sub.balance <= sub.initial // 2 and release(conn.broker_version) >= 3011008 and "
        f"(sub.committed >= sub.next or {WAITING} > sub.next)",
        needs="object both",
        evidence="coalesce(sub.credit_n, sub.deliver_n)",
        message="subscription {sub.id} has credit {sub.balance} of its initial {sub.initial}; at "
        "half of it or less brokers wait for more",
        cause=_HALF,
        healthy="The program still processes the chunks that it received.",
        source=f"{READER}, send_chunks, send_limit",
    ),
    Rule(
        id="RMQ-C3b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription with at most half of its initial credit",
        on="timer:held",
        when="0 < sub.balance <= sub.initial // 2 and release(conn.broker_version) >= 3011008 and "
        f"not (coalesce(sub.committed, -1) >= sub.next or {WAITING} > sub.next)",
        needs="object both",
        evidence="coalesce(sub.credit_n, sub.deliver_n)",
        message="subscription {sub.id} has had credit {sub.balance} of its initial {sub.initial} "
        "for {STARVING:time}; whether messages wait is unknown",
        cause=_HALF,
        healthy="There is nothing to read.",
        source=f"{READER}, send_chunks, send_limit",
    ),
    Rule(
        id="RMQ-C3c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="delivery delayed by a credit of at most half the initial one",
        on="deliver",
        when="coalesce(sub.raised_t, t) - sub.low_t > HELD_BACK and "
        "t - coalesce(sub.raised_t, t) <= RACE and chunk.timestamp * 1000000 < sub.low_t",
        needs="object both",
        evidence="sub.low_n, sub.raised_n, n",
        message="chunk {chunk.chunk_id} was available and waited {t - sub.low_t:time} for more "
        "credit; subscription {subscription_id} began with {sub.initial}",
        cause=_HALF,
        healthy="The program has not yet processed the chunks that it received.",
        source=f"{READER}, send_chunks, send_limit",
    ),
    Rule(
        id="RMQ-C3d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that only sends heartbeats after Unsubscribe",
        on="timer:held timer:starve",
        when="conn.latest == 'unsubscribe' and sub.deliver_n > conn.latest_n and "
        "C.beat_n > conn.latest_n and t - conn.latest_t > STARVING and sub.granted > sub.initial",
        needs="object both",
        of="conn",
        evidence="conn.latest_n, sub.deliver_n",
        message="since its Unsubscribe {t - conn.latest_t:time} ago the client has sent nothing "
        "but Heartbeat, and no Credit for the chunks of subscription {sub.id}",
        cause="The handler of a consumer waits for the answer to Unsubscribe, which its own thread "
        "has to read: the client reads nothing any more.",
        healthy="A consumer that is slow at this moment.",
        source=f"{DOC}, Unsubscribe, Credit; rabbitmq-stream-go-client issue 57",
    ),
    Rule(
        id="RMQ-C4",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="Credit refused",
        on="credit_response",
        when="response_code != 17 and (sub.state not in ('removed', 'lost') or "
        "t - sub.ended_t > 1000000000)",
        needs="start whole both",
        evidence="sub.credit_n, n",
        message="Credit for subscription {subscription_id} was refused: {response_code:name}",
        cause="",
        by="response_code",
        causes={4: "The subscription does not exist."},
        source=f"{READER}, credit",
        echo_of="error RMQ-I5 RMQ-M6",
    ),
    Rule(
        id="RMQ-C4b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="Credit refused without harm",
        on="credit_response",
        when="response_code == 17 or sub.state in ('removed', 'lost') and "
        "t - sub.ended_t <= 1000000000 or not (conn.start and conn.whole and conn.both)",
        needs="",
        evidence="sub.credit_n, n",
        message="Credit for subscription {subscription_id} was refused: {response_code:name}",
        cause="",
        by="response_code",
        causes={
            4: "The subscription does not exist.",
            17: "A consumer that is not the active one of its group gives credit.",
        },
        healthy="The credit of a standby consumer counts all the same; other credit was already in "
        "flight.",
        source=f"{READER}, credit",
    ),
    Rule(
        id="RMQ-C5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="far more credit than deliveries",
        on="credit",
        when="credit > 0 and sub.balance + credit > 4 * sub.initial + 20 and "
        "sub.balance + credit > sub.most and sub.raises >= CREDIT_RAISES",
        needs="object both",
        evidence="n, sub.n",
        message="subscription {subscription_id} has credit {sub.balance} and receives {credit} "
        "more; it began with {sub.initial}",
        cause="The client gives more credit than chunks arrive.",
        by="'messages' if sub.messages > sub.chunks and "
        "sub.granted + credit - sub.initial <= sub.messages else 'chunks'",
        causes={"messages": "The client gives credit for each message; credit counts chunks."},
        source=f"{DOC}, Credit; rabbitmq-stream-dotnet-client, pull request 265",
    ),
    Rule(
        id="RMQ-C6",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="credit of zero or less",
        on="credit",
        when="credit <= 0",
        needs="",
        of="conn",
        message="Credit with {credit} {'grants nothing' if credit == 0 else 'takes credit away'}",
        cause="",
        by="'none' if credit == 0 else 'negative'",
        causes={"negative": "The number is above 32,767 or below 0: brokers read it as signed."},
        source=f"rabbitmq-server issue 17293; {CORE}, parse_request",
    ),
    Rule(
        id="RMQ-C8",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="very large credit",
        on="subscribe credit",
        when="credit >= LARGE_CREDIT",
        needs="",
        of="sub",
        message="{name} grants a credit of {credit} chunks: each of them may hold thousands of "
        "messages",
        cause="The client counts messages instead of chunks, or wants no limit: there is no "
        "back-pressure, and what it has not processed yet waits in its memory.",
        source=f"{DOC}, Credit",
        healthy="A consumer that is faster than its broker.",
    ),
    Rule(
        id="RMQ-C9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="consumer that falls behind",
        on="deliver",
        when="sub.selects is None and sub.first_age is not None and "
        "t - chunk.timestamp * 1000000 > max(sub.first_age, 0) + LAGGING",
        needs="since both",
        evidence="n, sub.n",
        message="subscription {subscription_id} of {sub.stream} receives a chunk "
        "{t - chunk.timestamp * 1000000:time} after it was written, "
        "{t - chunk.timestamp * 1000000 - max(sub.first_age, 0):time} later than its first one",
        cause="The consumer processes messages more slowly than they are published, and gives "
        "credit late.",
        source=f"{DOC}, Credit, Deliver",
        healthy="A consumer that was stopped for a while, and catches up.",
        echo_of="RMQ-B240 RMQ-B240b",
    ),
    Rule(
        id="RMQ-C7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription that never had credit",
        on="timer:never",
        when="sub.granted == 0",
        needs="object both",
        evidence="sub.n",
        message="subscription {sub.id} began with credit 0 and has received none for "
        "{STARVING:time}",
        cause="Nothing is delivered until the client gives credit.",
        source=f"{READER}, handle_subscription",
    ),
)
