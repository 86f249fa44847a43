"""Rules for single active consumers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import request_predicates
from streamshark.protocols.rabbitmq_stream.behaviours import CLIENT_LEAVES
from streamshark.protocols.rabbitmq_stream.conversations import SETTLED, UNDER_WAY
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

_VACANT: Final = (
    "sub.single == 'true' and "
    "not (coalesce(group.leader_flow, -1) == flow and group.leader_sid == sub.id) and "
    "t - max(group.vacant_t, sub.t) > VACANT and "
    f"(why in ('end', 'removed') or {CLIENT_LEAVES})"
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
        f"coalesce(tail.next, 0)) and (tail.count > 0 or tail.next > 0) and {SETTLED}",
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
            needs="start whole object both all",
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
    Rule(
        id="RMQ-B150",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that receives nothing once it is active again",
        on="end:sub",
        when="sub.back_n is not None and sub.active == 1 and sub.balance > 0 and "
        "topic.fed_on_t > sub.back_t and t - topic.fed_on_t > VACANT and "
        f"(why in ('end', 'removed') or {CLIENT_LEAVES})",
        needs="start whole object both all",
        evidence="sub.back_n, sub.deliver_n",
        message="subscription {sub.id} of {sub.stream} became active again with a credit of "
        "{sub.balance}, and received nothing for {t - sub.back_t:time}, although messages have "
        "been published for {t - topic.fed_on_t:time}",
        cause="The broker has used up the credit while the consumer was inactive, or does not "
        "resume its dispatch.",
        source="rabbitmq-server pull request 7638; rabbit_stream_reader.erl",
        healthy="The consumer asked for an offset that is not reached yet.",
        guilty="server",
    ),
)

TAKEOVERS: Final = (
    Rule(
        id="RMQ-A6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new active consumer starting before the stored offset",
        on="resumption:taken_over",
        when="taken_over.stored > 0 and (offset_type == 1 or offset_type == 4 and "
        "fields.offset < taken_over.stored)",
        needs="",
        evidence="n, taken_over.stored_n, taken_over.former_n",
        message="the consumer that becomes active for {sub.stream} begins before offset "
        "{taken_over.stored}, which the previous active consumer stored",
        cause="The client answers ConsumerUpdate with the offset specification of its start, "
        "and does not query the stored offset.",
        healthy="The consumer reads the stream again on purpose.",
        source="rabbitmq-stream-js-client issue 239",
    ),
    Rule(
        id="RMQ-A6b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new active consumer starting where the previous one started",
        on="resumption:taken_over",
        when="taken_over.stored is None and (offset_type == 1 or offset_type == 4 and "
        "fields.offset <= taken_over.began) and "
        "taken_over.reached - taken_over.began >= REREAD_LIMIT",
        needs="",
        message="the consumer that becomes active for {sub.stream} begins where the previous one "
        "began, although that one received messages up to {taken_over.reached - 1}",
        cause="No offset is stored, so each new active consumer reads the stream from its start.",
        healthy="The consumers are meant to read the stream from its start.",
        source="rabbitmq-stream-js-client issue 239",
    ),
    Rule(
        id="RMQ-A6c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new active consumer starting after messages not yet received",
        on="resumption:taken_over",
        when="offset_type == 3 and taken_over.stored is not None and "
        "max(coalesce(tail.next, 0), coalesce(tail.count, 0)) >= "
        "SKIPPED + max(coalesce(taken_over.stored, -1) + 1, coalesce(taken_over.reached, 0)) or "
        "offset_type == 4 and fields.offset > max(taken_over.reached, "
        "coalesce(taken_over.stored, -1) + 1)",
        needs="",
        evidence="n, taken_over.stored_n, taken_over.former_n",
        message="the consumer that becomes active for {sub.stream} begins after messages that the "
        "previous one had not received, from offset {taken_over.reached} on",
        cause="The client answers ConsumerUpdate with the offset specification of its start, such "
        "as next, or with an offset that is too high.",
        healthy="Only the latest messages are of interest.",
        source="PROTOCOL.adoc, ConsumerUpdate; rstream issue 178",
    ),
    Rule(
        id="RMQ-A6d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new active consumer starting with new messages, without any stored offset",
        on="resumption:taken_over",
        when="offset_type == 3 and taken_over.stored is None and "
        "max(coalesce(tail.next, 0), coalesce(tail.count, 0)) >= "
        "SKIPPED + coalesce(taken_over.reached, 0)",
        needs="",
        evidence="n, taken_over.former_n",
        message="the consumer that becomes active for {sub.stream} begins after messages that the "
        "previous one had not received, from offset {taken_over.reached} on",
        cause="The client answers ConsumerUpdate with the offset specification of its start, and "
        "stores no offset that it could continue after.",
        healthy="Only the latest messages are of interest.",
        source="PROTOCOL.adoc, ConsumerUpdate; rstream issue 178",
    ),
)

MEMBERS: Final = (
    Rule(
        id="RMQ-A7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="single active consumers with a generated name each",
        on="subscribe",
        when="item(properties, 'single-active-consumer') == 'true' and groups.live >= 1 and "
        "groups.live == count(groups.names) and not has(groups.names, item(properties, 'name'))",
        predicate=request_predicates.has_generated_name,
        reads="properties groups.latest",
        needs="",
        of="groups",
        evidence="n, groups.latest_n, groups.former_n",
        message="each single active consumer of {stream} is alone in its group, and active: "
        "{found}",
        cause="The name has something that differs for each instance, such as a UUID, so that all "
        "receive every message; members of a group have one name.",
        source=f"{READER}, single_active_consumer; rabbitmq-stream-js-client issue 216",
    ),
    Rule(
        id="RMQ-A8",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="partition's single active consumer without property super-stream",
        on="subscribe",
        when="item(properties, 'single-active-consumer') == 'true' and "
        "item(properties, 'super-stream') is None and has(machine.partitions, stream) and "
        "count(machine.bare) >= 1 and not has(machine.bare, stream)",
        needs="",
        per="client, conn.vhost",
        message="subscription {subscription_id} to the partition {stream}, like one to the "
        "partition {first(machine.bare)}, has no property super-stream: the broker does not spread "
        "the partitions over the consumers",
        cause="Without it one consumer becomes active for all partitions, and the others wait.",
        source=f"{READER}, single_active_consumer; rabbitmq-stream-js-client issue 217",
    ),
    Rule(
        id="RMQ-A9",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="offset stored by a consumer that is no longer active",
        on="store_offset",
        when=f"t - standby.since > {UNDER_WAY}",
        needs="",
        of="standby",
        evidence="n, standby.left_n",
        message="offset {fields.offset} is stored for {fields.reference} of {stream}, although the "
        "consumer of this connection has not been active since frame {standby.left_n}",
        cause="The client continues with the messages that it had received, and overwrites the "
        "offset of the new active consumer.",
        source=f"{DOC}, ConsumerUpdate, StoreOffset",
    ),
)

MEMBERS_FILTERS: Final = (
    Rule(
        id="RMQ-A11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="members of a group of single active consumers with different filters",
        on="mixture:group_filter",
        needs="",
        message="subscription {subscription_id} of {stream} joins the group "
        "{item(properties, 'name')} with another filter than its first member: what is delivered "
        "depends on which of them is active",
        cause="The instances have different settings; members of a group take each other's place "
        "and need the same filter.",
        source="rabbitmq.com, Stream Filtering; Single Active Consumer",
    ),
)
