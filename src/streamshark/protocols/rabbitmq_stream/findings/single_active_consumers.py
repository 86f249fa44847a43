"""Rules for single active consumers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

_VACANT: Final = (
    "sub.single == 'true' and "
    "not (coalesce(group.leader_flow, -1) == flow and group.leader_sid == sub.id) and "
    "t - max(group.vacant_t, sub.t) > VACANT and "
    "(why in ('end', 'removed') or C.close_n is not None or conn.first_fin == C.side)"
)
"""A consumer waits, and no member of its group is active."""
_MISSED: Final = (
    "(group.led_n is not None or coalesce(tail.made_t, t) <= sub.t) and "
    "coalesce(topic.fed_t, 0) > max(group.vacant_t, sub.t)"
)
"""Messages wait for the group, of which the captures have shown the beginning or the active one."""

SINGLE_ACTIVE_CONSUMERS: Final = (
    Rule(
        id="RMQ-A1",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="unanswered ConsumerUpdate",
        on="unanswered:consumer_update",
        when="t - req.t > UNANSWERED",
        needs="since both",
        evidence="req.n",
        message="ConsumerUpdate for subscription {req.subscription_id} was not answered; the "
        "broker closes the connection after 60 s",
        cause="",
        by="'orphan' if conn.orphans > 0 else 'none'",
        causes={
            "orphan": "A response has a correlation id that no request has: it may be the missing "
            "one."
        },
        source=f"{READER}, ensure_outstanding_requests_timer; "
        "rabbitmq-stream-dotnet-client issue 246",
    ),
    Rule(
        id="RMQ-A2",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="single active consumer without a name",
        on="subscribe",
        when="item(properties, 'single-active-consumer') == 'true' and "
        "item(properties, 'name') is None",
        needs="",
        of="conn",
        message="subscription {subscription_id} requests single-active-consumer but has no name",
        cause="The group is identified by the name.",
        source=f"{READER}, subscribe: code 17",
    ),
    Rule(
        id="RMQ-A2b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="invalid value of single-active-consumer",
        on="subscribe",
        when="item(properties, 'single-active-consumer') is not None and "
        "item(properties, 'single-active-consumer') not in ('true', 'false')",
        needs="",
        message="single-active-consumer is {item(properties, 'single-active-consumer')}: only true "
        "enables it, so every consumer receives all messages",
        cause="",
        by="item(properties, 'single-active-consumer')",
        causes=dict.fromkeys(
            ("True", "TRUE"), "The client writes a boolean as its language prints it."
        ),
        source="rabbitmq-server v4.3.5, rabbit_stream_reader.erl, single_active_consumer; rstream "
        "issue 228",
    ),
    Rule(
        id="RMQ-A2c",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="invalid value of match-unfiltered",
        on="subscribe",
        when="item(properties, 'match-unfiltered') is not None and "
        "item(properties, 'match-unfiltered') not in ('true', 'false')",
        needs="",
        message="match-unfiltered is {item(properties, 'match-unfiltered')}: only true enables it, "
        "so that messages without a filter value are not delivered",
        cause="",
        by="item(properties, 'match-unfiltered')",
        causes=dict.fromkeys(
            ("True", "TRUE"), "The client writes a boolean as its language prints it."
        ),
        source=f"{READER}, filter_spec",
    ),
    Rule(
        id="RMQ-A10",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="ConsumerUpdate answered with an error",
        on="client:consumer_update_response",
        when="response_code != 1",
        needs="",
        evidence="n, req.n",
        message="the client answered ConsumerUpdate for subscription {req.subscription_id} with "
        "{response_code:name}",
        cause="The client cannot say where the consumer is to begin, such as when its listener "
        "fails; the broker then begins where Subscribe said.",
        source=f"{READER}, consumer_update response",
    ),
    Rule(
        id="RMQ-A14",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="group of single active consumers left on reconnect",
        on="client:subscribe",
        when="item(properties, 'single-active-consumer') is None and "
        "torn.members > 0 and coalesce(torn.others, 0) == 0 and t - torn.member_t <= RECOVERY",
        needs="all",
        of="torn",
        evidence="n, torn.member_n",
        message="subscription {subscription_id} of {stream} has no single-active-consumer, though "
        "it follows a lost subscription of the group {torn.member}: it is delivered what the "
        "active member of the group is delivered too",
        cause="The client keeps the properties of a consumer for its first connection only.",
        source=f"{DOC}, Subscribe; rstream issue 248",
        healthy="Another consumer of the same program that begins at that moment.",
    ),
    Rule(
        id="RMQ-A15",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="group with members of a super stream and of a stream alone",
        on="subscribe_response",
        when="response_code == 17 and band.whole is not None and "
        "band.whole != coalesce(sub.super_stream, '')",
        needs="both",
        of="band",
        evidence="req.n, n, band.member_n",
        message="the broker refused a member of group {sub.reference} of {sub.stream} with "
        "{response_code:name}: its super-stream is {coalesce(sub.super_stream, 'none')}, and that "
        "of another member is {'none' if band.whole == '' else band.whole}",
        cause="All members of a group subscribe with the same super-stream, or all without one: "
        "some consume the partition as a stream of its own.",
        source=f"{READER}, single active consumer; rabbitmq-server issue 13835",
    ),
    Rule(
        id="RMQ-A3",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="delivery to an inactive consumer",
        on="deliver",
        when="sub.single == 'true' and coalesce(sub.active, 0) == 0 and "
        "not (release(conn.broker_version) < 3011000)",
        needs="object both",
        evidence="n, sub.update_n",
        message="Deliver to subscription {subscription_id}, which is not the active consumer",
        cause="",
        source=f"{READER}, sac_activate_consumer",
        guilty="server",
    ),
    Rule(
        id="RMQ-A4",
        severity=Severity.NOTE,
        group=Group.MALFORMED,
        title="offset in ConsumerUpdateResponse where none belongs",
        on="problem:trailing",
        when="name == 'consumer_update_response'",
        needs="",
        message="ConsumerUpdateResponse has {problem_length:count byte} after offset type "
        "{offset_type}",
        cause="The client writes an offset for every type; brokers tolerate it.",
        healthy="Brokers skip it.",
        source=f"{CORE}, offset_spec",
    ),
    Rule(
        id="RMQ-A4b",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="missing offset in ConsumerUpdateResponse",
        on="problem:short",
        when="name == 'consumer_update_response'",
        needs="",
        message="ConsumerUpdateResponse lacks the value for offset type {offset_type}",
        cause="",
        source=f"{CORE}, offset_spec",
    ),
    Rule(
        id="RMQ-A5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="active consumer starting beyond the end of the stream",
        on="consumer_update_response",
        when="offset_type == 4 and fields.offset > max(coalesce(tail.count, 0), "
        "coalesce(tail.next, 0)) and (tail.count > 0 or tail.next > 0)",
        needs="",
        of="conn",
        message="subscription {req.subscription_id} starts at {fields.offset}, beyond the end of "
        "the stream as far as it is known",
        cause="",
        healthy="More has been stored than the capture shows.",
        source=f"{READER}, consumer_update response",
    ),
    *(
        Rule(
            id=rule_id,
            severity=severity,
            group=Group.SEQUENCE,
            title=title,
            on="end:sub",
            when=f"{_VACANT} and {'' if severity is Severity.WARNING else 'not '}({_MISSED})",
            needs="start whole object both",
            per="conn.vhost, sub.stream, sub.reference",
            evidence="group.vacant_n, sub.n",
            message="no consumer of the group {sub.reference} of {sub.stream} has been active "
            "for {t - max(group.vacant_t, sub.t):time}, although subscription {sub.id} waits for "
            f"its turn{more}",
            cause="",
            by="'never' if group.led_n is None else 'stuck'",
            causes={
                "never": "The broker has not sent ConsumerUpdate to any member.",
                "stuck": "The broker waits for the consumer that was active before, which has "
                "gone or does not answer ConsumerUpdate, or has lost track of the group.",
            },
            source="rabbitmq-server issues 7743, 9159 and 14070; rabbit_stream_sac_coordinator.erl",
            healthy=healthy,
            echo_of="RMQ-A1",
        )
        for rule_id, severity, title, more, healthy in (
            (
                "RMQ-A13",
                Severity.WARNING,
                "group without an active consumer while messages are published",
                "; messages have been published since",
                "The active consumer is not in the captures.",
            ),
            (
                "RMQ-A13b",
                Severity.NOTE,
                "group without an active consumer",
                "",
                "The active consumer is not in the captures, or nothing is published.",
            ),
        )
    ),
)
