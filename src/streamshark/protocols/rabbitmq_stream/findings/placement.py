"""Rules for where clients publish and read: nodes, connections, and offsets of which stream."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import predicates
from streamshark.protocols.rabbitmq_stream.behaviours import WANTED
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, READER

_CONNECTING: Final = "rabbitmq.com, Connecting to Streams, Well-behaved Clients"
_UNASKED: Final = (
    "resumed.stored >= resumed.began + REREAD_LIMIT - 1 and resumed.unsure_n is None and "
    f"coalesce(resumed.asked_n, -1) < resumed.stored_n and {WANTED} <= resumed.began"
)
"""A subscription reads again what the one before it had received and stored an offset for."""
_FOREIGN: Final = (
    "finder.of is not None and 1 < finder.offset <= {0} and {0} <= finder.offset + 1 and "
    "finder.of != {1} and not has(finder.asked, {1})"
)
"""An offset that was stored for another stream than this one, whose offset was not asked for."""

NODES: Final = (
    Rule(
        id="RMQ-B49",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription on the node of the leader although the stream has replicas",
        on="subscribe_response",
        when="response_code == 1 and placed.replicas > 0",
        predicate=predicates.is_on_leader,
        reads="placed.brokers placed.leader conn.advertised_host conn.advertised_port",
        needs="",
        of="placed",
        evidence="req.n, placed.listed_n",
        message="the subscription to {req.stream} is on {conn.advertised_host}, the node of its "
        "leader, although Metadata names {placed.replicas:count replica}",
        cause="The client does not choose among the replicas: reading from the leader takes from "
        "what it has for publishers.",
        healthy="The replicas are too far away, or could not be reached.",
        source=_CONNECTING,
    ),
    Rule(
        id="RMQ-B49b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publisher on another node than the leader",
        on="declare_publisher_response",
        when="response_code == 1 and placed.leader is not None",
        predicate=predicates.is_beside_leader,
        reads="placed.brokers placed.leader conn.advertised_host conn.advertised_port",
        needs="",
        of="placed",
        evidence="req.n, placed.listed_n",
        message="the publisher of {req.stream} is on {conn.advertised_host}, but the leader is on "
        "{found}: each message crosses the cluster once more",
        cause="The client ignores the leader in Metadata, or a load balancer has chosen another "
        "node and the client does not try again.",
        healthy="The leader has moved since, or the client publishes to replicas on purpose.",
        source=f"{_CONNECTING}; rabbitmq-stream-java-client issue 565",
    ),
    Rule(
        id="RMQ-B50",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection for each publisher or subscription",
        on="declare_publisher_response subscribe_response",
        when="response_code == 1 and conn.uses is None and "
        "coalesce(host.single, 0) + 1 >= SINGLE_USES",
        needs="",
        of="host",
        evidence="req.n, host.latest_n, host.first_n",
        message="{client} has {SINGLE_USES} connections to {server} at once, each with one "
        "publisher or subscription",
        cause="The client connects for each of them; one connection can have 256 publishers and "
        "256 subscriptions, and each costs processes and memory of the broker.",
        healthy="Programs of one host, or publishers that must not wait for each other.",
        source=f"{READER}, max publishers per connection; {_CONNECTING}",
    ),
    Rule(
        id="RMQ-A12",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="property super-stream that is not the super stream of the partition",
        on="subscribe",
        when="section.of is not None and item(properties, 'super-stream') is not None and "
        "item(properties, 'super-stream') != section.of",
        needs="",
        message="subscription {subscription_id} to {stream} has the property super-stream "
        "{item(properties, 'super-stream')}, but it is a partition of {section.of}",
        cause="The name of the partition or of another super stream is used: the broker does not "
        "spread the partitions over the consumers, or refuses the subscription.",
        source=f"{READER}, single_active_consumer; rabbitmq-stream-js-client issue 217",
    ),
)

RESTARTS: Final = (
    Rule(
        id="RMQ-B44",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset never queried, and messages consumed again",
        on="resumption:resumed",
        when=f"resumed.lost == 0 and {_UNASKED}",
        needs="",
        evidence="req.n, resumed.stored_n, resumed.former_n",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}}, although "
        "offset {resumed.stored} was stored: the messages in between are consumed again",
        cause="The client stores its offset, but does not ask for it when it starts.",
        healthy="The program reads the stream again on purpose, and stores its offset for others.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B44",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset never queried, and messages consumed again",
        on="store_offset",
        when="conn.begun_stream == stream and sought.stored_n < conn.begun_n and "
        "coalesce(sought.queried_n, -1) < sought.stored_n and sought.unsure_n is None and "
        "sought.stored >= conn.begun_at + REREAD_LIMIT - 1",
        needs="start whole both",
        of="sought",
        evidence="conn.begun_n, sought.stored_n, n",
        message="{fields.reference} had stored offset {sought.stored} of {stream}; its connection "
        "did not query it, began at {conn.begun_at} and now stores {fields.offset}: the messages "
        "in between are consumed again",
        cause="The client stores its offset, but does not ask for it when it starts.",
        healthy="The program reads the stream again on purpose, and stores its offset for others.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B44b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset never queried after a lost connection, and messages consumed again",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and {_UNASKED}",
        needs="",
        evidence="req.n, resumed.stored_n, resumed.former_n",
        message=f"after its connection was lost, subscription {{sub.id}} of {{sub.stream}} begins "
        f"at {{{WANTED}}}, although offset {{resumed.stored}} was stored: the messages in between "
        "are consumed again",
        cause="After the connection was lost the client subscribes as at its start, and does not "
        "ask for the offset that it had stored.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
        healthy="The program reads the stream from its start each time on purpose.",
    ),
    Rule(
        id="RMQ-B45",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages consumed again that came after the last stored offset",
        on="resumption:resumed",
        when="resumed.lost == 0 and sub.offset_type == 4 and "
        "resumed.stored <= sub.wanted <= resumed.stored + 1 and resumed.began < sub.wanted and "
        "resumed.reached - sub.wanted >= REREAD_LIMIT",
        needs="",
        evidence="req.n, resumed.stored_n, resumed.former_n",
        message="subscription {sub.id} of {sub.stream} begins at {sub.wanted}, after the stored "
        "offset {resumed.stored}: the previous one had received messages up to "
        "{resumed.reached - 1}, without storing their offset when it ended",
        cause="The client stores its offset every so many messages or seconds, and not when the "
        "consumer is closed.",
        healthy="The last messages were received, but not processed.",
        source=f"{DOC}, StoreOffset; rabbitmq-stream-java-client, offset tracking",
    ),
    Rule(
        id="RMQ-B46",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="consumer that queries its stored offset and stores none",
        on="end:sub",
        when="conn.reader_stream == sub.stream and tracked.stored_n is None and "
        "sub.messages >= REREAD_LIMIT and (why == 'removed' or C.close_n is not None)",
        needs="start whole object both all",
        evidence="coalesce(sub.deliver_n, sub.n), sub.n",
        message="subscription {sub.id} of {sub.stream} received {sub.messages:count message}; the "
        "client had queried the stored offset of {conn.reader}, but stored none until it ended",
        cause="Tracking is manual and the program never stores, or it stores only every so many "
        "messages: the next start reads the same messages.",
        healthy="The offset is kept elsewhere.",
        source=f"{DOC}, StoreOffset, QueryOffset",
    ),
    *(
        Rule(
            id="RMQ-B47",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="stored offset of another stream used",
            on=on,
            when=f"offset_type == 4{also} and " + _FOREIGN.format("fields.offset", stream),
            needs="",
            of="conn",
            evidence="n, finder.n_of",
            message=f"the client begins with {{{stream}}} at {{fields.offset}}, which follows the "
            "offset {finder.offset} that is stored for {finder.of}; that of "
            f"{{{stream}}} was not asked for",
            cause="One offset is used for several streams, such as the partitions of a super "
            "stream: messages are skipped or consumed again.",
            source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
            healthy="The offset of this stream is the same by chance, and is kept elsewhere.",
        )
        for on, stream, also in (
            ("subscribe", "stream", ""),
            ("consumer_update_response", "sub.stream", " and req.active == 1"),
        )
    ),
    Rule(
        id="RMQ-B48",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offset stored for a stream without a subscription",
        on="store_offset",
        when="consumed.read_n is None and conn.reads_n is not None",
        needs="start whole both",
        of="consumed",
        message="offset {fields.offset} is stored for {fields.reference} of {stream}, which has no "
        "subscription in these captures; the connection reads another stream",
        cause="The name is not that of the stream that is consumed: brokers silently ignore "
        "StoreOffset for a stream that does not exist, and the offset of the right stream is "
        "never stored.",
        healthy="A tool that sets offsets, or a subscription that was not captured.",
        source=f"{READER}, store_offset; {DOC}, StoreOffset",
        echo_of="RMQ-B16",
    ),
    Rule(
        id="RMQ-A6e",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new active consumer repeating messages after the stored offset",
        on="resumption:taken_over",
        when="offset_type == 4 and taken_over.stored <= fields.offset <= taken_over.stored + 1 and "
        "taken_over.began < fields.offset and taken_over.reached - fields.offset >= REREAD_LIMIT",
        needs="",
        evidence="n, taken_over.stored_n, taken_over.former_n",
        message="the consumer that becomes active for {sub.stream} begins at {fields.offset}; the "
        "previous one had received messages up to {taken_over.reached - 1}, and had stored offset "
        "{taken_over.stored}",
        cause="The previous consumer did not store its offset when it stopped being active.",
        healthy="It had received the last messages, but not processed them.",
        source=f"{DOC}, ConsumerUpdate, StoreOffset",
    ),
)

STUCK: Final = tuple(
    Rule(
        id=f"RMQ-B51{letter}",
        severity=severity,
        group=Group.SEQUENCE,
        title=title,
        on="subscribe_response",
        when=f"response_code == 1 and req.offset_type == 4 and retried.place == req.offset and "
        f"retried.advanced == 1 and retried.times + 1 >= REREAD_ROUNDS and {ended}",
        needs="",
        of="retried",
        evidence="req.n, retried.latest_n, retried.first_n",
        message="{REREAD_ROUNDS} subscriptions in a row to {req.stream} began at {req.offset}, "
        "although messages from there on were delivered to each of them" + how,
        cause=cause,
        source=f"{DOC}, Subscribe, Offset Specification; rabbitmq-stream-go-client issue 439",
        healthy=healthy,
    )
    for letter, severity, title, ended, how, cause, healthy in (
        (
            "",
            Severity.WARNING,
            "consumer that fails at the same offset each time",
            "retried.failed >= REREAD_ROUNDS - 1",
            "; the client dropped each of them without Close",
            "The program fails at one of these messages and is started again: it does not get on.",
            "A program that is stopped without closing, and has had nothing to do.",
        ),
        (
            "b",
            Severity.NOTE,
            "consumer that begins at the same offset each time",
            "coalesce(retried.failed, 0) < REREAD_ROUNDS - 1",
            "",
            "The client does not store how far it has come, or does not use what it stored.",
            "The program reads the same messages each time on purpose.",
        ),
    )
)

PLACEMENT: Final = (*NODES, *RESTARTS, *STUCK)
"""Rules about nodes, connections and restarts."""
