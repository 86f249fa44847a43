"""Rules for streams: metadata, creation and deletion, routing to partitions."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import predicates
from streamshark.protocols.rabbitmq_stream.conversations import UNDER_WAY
from streamshark.protocols.rabbitmq_stream.findings.requests import (
    BEFORE,
    FORBIDDEN,
    REASON,
    REFUSALS,
)
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

_MISSING: Final = (
    "coalesce(beside(streams.response_code, 1, streams.stream_name), first(streams.stream_name))"
)
"""The first stream of an answer that has no leader."""

STREAMS: Final = (
    Rule(
        id="RMQ-M1",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="stream leader or replica missing in the broker list",
        on="metadata_response",
        predicate=predicates.refers_to_no_broker,
        reads="brokers.reference streams.leader streams.replicas",
        needs="",
        of="conn",
        message="Metadata names broker {found} as leader or replica, but lists only the brokers "
        "{brokers.reference}",
        cause="",
        source=f"{CORE}, response_body metadata",
        guilty="server",
    ),
    Rule(
        id="RMQ-M2",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream without a leader in Metadata",
        on="metadata_response",
        when="any_ne(streams.response_code, 1) or any_eq(streams.leader, 65535)",
        needs="",
        evidence="req.n, n",
        per=f"client, server, {_MISSING}",
        of="conn",
        message=f"Metadata has no leader for {{{_MISSING}}}: "
        "{coalesce(beside(streams.response_code, 1, streams.response_code), 1):name}",
        cause="",
        healthy="Programs often ask to find out whether a stream exists.",
        source=f"{READER}, metadata",
    ),
    Rule(
        id="RMQ-M2b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated Metadata queries for a missing stream",
        on="repeat:missing",
        needs="",
        evidence="req.n, n",
        of="conn",
        message="{beside(streams.response_code, 1, streams.stream_name)} was queried at least "
        "{METADATA_LIMIT} times in 2 s: {beside(streams.response_code, 1, "
        "streams.response_code):name}",
        cause="The client hardly waits between attempts.",
        source=f"{READER}, metadata",
    ),
    Rule(
        id="RMQ-M3",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="advertised host that the client did not connect to",
        on="client:tcp.close client:tcp.reset",
        when="conn.used_n is None and conn.state in ('open', 'closing', 'closed') and "
        "machine.opened == 1 and t - conn.metadata_t > REACHING",
        predicate=predicates.is_another_host,
        reads="conn.advertised_host server",
        needs="start whole both",
        of="conn",
        evidence="conn.opened_n",
        message="the broker advertises host {conn.advertised_host}; the client queried Metadata, "
        "did nothing else and left",
        cause="The client may be unable to reach this host (`advertised_host`).",
        healthy="A program that only asks where a stream is.",
        source=f"{READER}, advertised_host; rstream issue 10",
    ),
    Rule(
        id="RMQ-B243",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="connections that only ask where a stream is",
        on="repetition:looked_up",
        when="machine.at_work is None",
        needs="start whole both all",
        per="client, server",
        evidence="conn.found_n, looked_up.second_n, looked_up.first_n",
        message="{LOOKED_UP_LIMIT} connections in a row asked where a stream is, were given host "
        "{conn.leads_to}, did nothing else and left; the client publishes and subscribes nowhere",
        cause="The client may be unable to resolve or to reach this host, such as the name of a "
        "container or of a pod, or a node behind a load balancer.",
        healthy="A monitor that only asks where streams are.",
        source=f"{READER}, advertised_host; rstream issues 6, 17 and 236, "
        "rabbitmq-stream-dotnet-client issue 147",
    ),
    Rule(
        id="RMQ-M4",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections opened and closed without use",
        on="repeat:idle",
        when="coalesce(machine.worked, 0) * 3 < IDLE_CONNECTIONS",
        needs="",
        per="client",
        evidence="C.first_n",
        message="at least {IDLE_CONNECTIONS} connections in 10 s were opened and closed without "
        "use",
        cause="",
        by="'asked' if conn.metadata_t is not None else 'not'",
        causes={
            "asked": "The client looks for a node from Metadata behind a load balancer, or cannot "
            "use the one it reaches.",
        },
        source="rabbitmq-server, pull request 9425; rabbitmq-stream-dotnet-client issue 44",
    ),
    Rule(
        id="RMQ-M4b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="some connections opened and closed without use",
        on="repeat:few_idle",
        needs="",
        per="client",
        evidence="C.first_n",
        message="{FEW_IDLE} connections in 10 s were opened and closed without use",
        cause="The client opens a connection for each question, or cannot use the node that it "
        "reaches.",
        source="rabbitmq-server, pull request 9425; rabbitmq-stream-dotnet-client issue 44",
        healthy="Each environment of a program looks up its streams on a connection of its own.",
        echo_of="RMQ-M4",
    ),
    Rule(
        id="RMQ-M5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="broker port that Metadata does not advertise",
        on="subscribe declare_publisher",
        when="conn.strange_n is not None",
        predicate=predicates.is_port_dialled,
        reads="conn.advertised_port server",
        needs="",
        of="conn",
        evidence="conn.strange_n, n",
        message="the client uses the broker on port {conn.advertised_port}, but Metadata lists "
        "other ports",
        cause="",
        by="conn.advertised_port",
        causes=dict.fromkeys(
            (5551, 5552), "The client uses the default port instead of one that Metadata names."
        ),
        source="rabbitmq-stream-js-client issue 267; rabbitmq-stream-rust-client issue 218",
    ),
    Rule(
        id="RMQ-M6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher used after MetadataUpdate",
        on="publish",
        when=f"pub.state == 'lost' and t - pub.ended_t > {UNDER_WAY}",
        needs="since",
        evidence="n, pub.ended_n",
        message="{name} for publisher {publisher_id}, whose stream {pub.stream} became unavailable "
        "in frame {pub.ended_n}",
        cause="The broker has removed the publisher; the client must look up the stream again.",
        source=f"{READER}, clean_state_after_stream_deletion_or_failure; "
        "rabbitmq-stream-js-client issue 185",
    ),
    Rule(
        id="RMQ-M6b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publisher frame in flight, or its deletion, after MetadataUpdate",
        on="publish delete_publisher",
        when=f"pub.state == 'lost' and (t - pub.ended_t <= {UNDER_WAY} or "
        "name == 'delete_publisher')",
        needs="since",
        evidence="n, pub.ended_n",
        message="{name} for publisher {publisher_id}, after its stream became unavailable",
        cause="",
        healthy="The frame was already in flight, or the program closes what it had.",
        source=f"{READER}, clean_state_after_stream_deletion_or_failure",
    ),
    Rule(
        id="RMQ-M6c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription used after MetadataUpdate",
        on="credit",
        when=f"sub.state == 'lost' and t - sub.ended_t > {UNDER_WAY}",
        needs="since",
        evidence="n, sub.ended_n",
        message="{name} for subscription {subscription_id}, whose stream {sub.stream} became "
        "unavailable in frame {sub.ended_n}",
        cause="The broker has removed the subscription; the client must look up the stream again.",
        source=f"{READER}, clean_state_after_stream_deletion_or_failure; "
        "rabbitmq-stream-js-client issue 185",
    ),
    Rule(
        id="RMQ-M6d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription frame in flight, or Unsubscribe, after MetadataUpdate",
        on="credit unsubscribe",
        when=f"sub.state == 'lost' and (t - sub.ended_t <= {UNDER_WAY} or name == 'unsubscribe')",
        needs="since",
        evidence="n, sub.ended_n",
        message="{name} for subscription {subscription_id}, just after its stream became "
        "unavailable",
        cause="",
        healthy="The frame was already in flight, or the program closes what it had.",
        source=f"{READER}, clean_state_after_stream_deletion_or_failure",
    ),
    Rule(
        id="RMQ-M7",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="Subscribe on a node where the stream is not available",
        on="subscribe_response",
        when="response_code == 6",
        needs="",
        evidence="req.n, n",
        of="conn",
        message="this node cannot deliver {req.stream}: {response_code:name}",
        cause="This node has no replica of the stream, or the replica does not run, as without a "
        "leader; Metadata lists the nodes that have one.",
        source=f"{READER}, lookup_local_member; rabbitmq-stream elixir client issue 12",
        echo_of="RMQ-M2",
    ),
    Rule(
        id="RMQ-M8",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="Create or Delete refused",
        on="create_response delete_response create_super_stream_response "
        "delete_super_stream_response",
        when="response_code not in (1, 16, 17)",
        needs="",
        evidence=f"req.n, n, {BEFORE}",
        of="conn",
        message="the broker refused with {response_code:name} in {name} for {req.stream}",
        cause="",
        by=REASON,
        causes=REFUSALS,
        healthy="Programs create streams at every start to make sure that they exist.",
        source=f"{READER}, create, delete",
    ),
    Rule(
        id="RMQ-M8b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="Create or Delete refused with access_refused or precondition_failed",
        on="create_response delete_response create_super_stream_response "
        "delete_super_stream_response",
        when="response_code in (16, 17)",
        needs="",
        worsens=True,
        healthy="A program that makes sure that the stream exists, with other arguments.",
        evidence=f"req.n, n, {BEFORE}",
        of="conn",
        message="the broker refused with {response_code:name} in {name} for {req.stream}",
        cause="",
        by="response_code",
        causes=FORBIDDEN,
        source=f"{READER}, create, delete",
        echo_of="RMQ-S3 RMQ-S4",
    ),
    Rule(
        id="RMQ-M9",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="routing key matches no partition",
        on="route_response",
        when="response_code == 1 and len(streams) == 0",
        needs="",
        evidence="req.n, n",
        of="conn",
        message="routing key '{req.routing_key}' is bound to no partition of {req.super_stream}",
        cause="A binding is missing, so a message with this key cannot be published.",
        source=f"{READER}, route",
    ),
    Rule(
        id="RMQ-B246",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="stream that stays unavailable",
        on="declare_publisher_response subscribe_response",
        when="response_code == 6 and outage.times + 1 >= OUTAGE_LIMIT and t - outage.since > "
        "OUTAGE",
        needs="",
        of="outage",
        evidence="n, req.n, outage.first_n",
        message="{req.stream} has been unavailable for {t - outage.since:time}: "
        "{outage.times + 1:count request} to publish or to subscribe were refused since, and none "
        "was granted",
        cause="The stream has no leader: too few of its nodes run, or its leader could not be "
        "elected or started again.",
        source=f"{READER}, declare_publisher; rabbitmq-server issues 5889 and 16822",
        guilty="server",
    ),
    Rule(
        id="RMQ-M11",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publishers and subscriptions ended by MetadataUpdate",
        on="metadata_update",
        when="seen.deleted_n is None",
        needs="start whole both all",
        of="fallen",
        message="MetadataUpdate ended the publishers and subscriptions of {stream} on this "
        "connection: {code:name}",
        cause="",
        source=f"{READER}, clean_state_after_stream_deletion_or_failure",
        healthy="The leader has moved, the node stops, or a program that was not captured has "
        "deleted the stream; clients look the stream up and begin again.",
        guilty="server",
    ),
)

IN_USE: Final = (
    Rule(
        id="RMQ-B40",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream deleted while it is used",
        on="delete",
        when="used_by.live > 0",
        needs="start whole both all",
        evidence="n, used_by.latest_n",
        message="{stream} is deleted although it has {used_by.live:count user} in these captures: "
        "publishers and subscriptions",
        cause="The stream is made anew by a program or an operator while others use it: they lose "
        "their publishers and subscriptions.",
        healthy="A test that cleans up.",
        source=f"{DOC}, Delete, MetadataUpdate",
    ),
)
