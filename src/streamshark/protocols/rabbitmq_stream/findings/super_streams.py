"""Rules for super streams: their names, partitions and routing keys."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import message_keys, predicates
from streamshark.protocols.rabbitmq_stream.behaviours import SENT
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, READER

SUPER_STREAMS: Final = (
    Rule(
        id="RMQ-B16",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="super stream used as a stream",
        on="store_offset query_offset subscribe declare_publisher delete stream_stats",
        when="has(conn.super_streams, stream)",
        needs="",
        message="{name} uses the super stream {stream} as a stream; only its partitions are "
        "streams",
        cause="The client uses the name of the super stream instead of that of a partition; "
        "brokers silently ignore StoreOffset and refuse the other commands.",
        source=f"{READER}, store_offset; rabbitmq-stream-go-client issue 303",
    ),
    Rule(
        id="RMQ-B27",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="partition of a super stream with messages but without a consumer",
        on="end:section",
        when="section.published >= UNREAD_LIMIT and section.of is not None and "
        "section.read_n is None and super.read_n is not None and t - super.read_t > QUIET",
        needs="all",
        evidence="section.published_n, super.read_n",
        message="{section.published} messages were published to {section.stream}, but in these "
        "captures only other partitions of {section.of} have a consumer",
        cause="The consumer does not subscribe to all partitions that the broker has named, or "
        "keeps an old list of them.",
        source=f"{DOC}, Partitions",
        healthy="A consumer that is not in the captures reads the partition.",
    ),
    Rule(
        id="RMQ-B34",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="all messages of a super stream in one of its partitions",
        on="end:super",
        when="count(super.used) == 1 and super.parts >= 2 and super.sent >= SKEWED_LIMIT",
        needs="",
        evidence="super.sent_n",
        message="all {super.sent} messages that were published to {super.stream} in these captures "
        "are in {super.only}, one of its {super.parts} partitions",
        cause="All messages have the same routing key, or the client always uses the same "
        "partition: the others stay empty.",
        source=f"{DOC}, Route, Partitions",
        healthy="Few keys, which happen to have one partition.",
        echo_of="RMQ-B31",
    ),
)

ROUTING: Final = (
    Rule(
        id="RMQ-B31",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message of another routing key in the partition of the only key asked for",
        on="publish",
        when="pub.routed is not None and coalesce(pub.shown, 0) < KEYED_MOST and "
        "count(router.keys) == 1 and coalesce(count(router.streams), 0) <= 1",
        needs="start both",
        of="router",
        predicate=predicates.has_another_key,
        reads="published_messages router.key router.sample",
        evidence="n, router.asked_n",
        message="Route was sent for the key '{router.key}' only, but {found} is published to its "
        "partition {pub.stream} as well",
        cause="The client asks for a partition once and uses it for all messages, whatever their "
        "keys: the other partitions get none, and messages of a key are not where consumers "
        "expect them.",
        source=f"{DOC}, Route",
    ),
    *(
        Rule(
            id=rule_id,
            severity=severity,
            group=Group.SEQUENCE,
            title=title,
            on="publish",
            when="pub.part_of is not None and coalesce(pub.shown, 0) < KEYED_MOST and "
            "3 <= count(spread.messages) < SPREAD_MOST",
            needs="",
            of="spread",
            predicate=predicate,
            reads="spread.messages n flow client conn.client_version conn.client_name "
            "pub.reference pub.stream published_messages",
            evidence="n, spread.other_n",
            message="{pub.stream} gets messages with {found}: one key is in several partitions of "
            "{pub.part_of}",
            cause="Two producers choose the partition of a key differently (another hash function "
            "or seed, another key, another order or number of partitions): the order of its "
            "messages is lost.",
            source="rabbitmq.com, Super Streams; rabbitmq-stream-go-client, HashRoutingStrategy",
            healthy=healthy,
            echo_of=echo_of,
        )
        for rule_id, severity, title, predicate, healthy, echo_of in (
            (
                "RMQ-B32",
                Severity.WARNING,
                "one key in several partitions of a super stream",
                message_keys.has_key_elsewhere,
                "",
                "",
            ),
            (
                "RMQ-B32b",
                Severity.NOTE,
                "one message id in several partitions of a super stream",
                message_keys.has_id_elsewhere,
                "Ids that producers count each by themselves.",
                "RMQ-B32",
            ),
        )
    ),
    Rule(
        id="RMQ-B31b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="all messages for a super stream in the partition of one routing key",
        on="end:pub",
        when="pub.routed is not None and count(router.keys) == 1 and count(router.streams) == 1 "
        f"and {SENT} >= ROUTED_LIMIT",
        needs="start both",
        of="router",
        evidence="pub.publish_n, router.asked_n",
        message="Route was sent for the key '{router.key}' only, and all messages for {pub.routed} "
        "were published to {pub.stream}",
        cause="The client asks for the partition of one message and uses it for all.",
        source=f"{DOC}, Route",
        healthy="All messages have this key.",
        echo_of="RMQ-B31",
    ),
)
