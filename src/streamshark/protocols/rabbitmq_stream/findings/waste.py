"""Rules for clients that waste: what is left open or unused, small frames, round trips."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS, READER

LEFT_OPEN: Final = (
    Rule(
        id="RMQ-B2",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publishers deleted after at most one message",
        on="churn:brief_publishers",
        needs="start whole both",
        message="{CHURN_LIMIT} publishers in a row were deleted after at most one confirmed "
        "message; the last was publisher {pub.id} of {pub.stream}",
        cause="The client declares a publisher for each message, which costs three round trips "
        "instead of one frame; one publisher can send all messages to its stream.",
        source=f"{DOC}, DeclarePublisher; rabbitmq-stream-dotnet-client issue 388",
        healthy="A program of short sessions, each with a publisher of its own.",
    ),
    Rule(
        id="RMQ-B98",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publisher ids used up",
        on="client:declare_publisher",
        when="publisher_id == 255 and conn.greatest_id == 254 and conn.freed_ids >= 128 and "
        "conn.reused_n is None",
        needs="start whole both",
        of="conn",
        evidence="n, conn.id_freed_n",
        message="DeclarePublisher has the last publisher id, 255, and {conn.freed_ids} publishers "
        "of this connection have been deleted, whose ids were not used again",
        cause="The client counts its publishers instead of taking a free id: after 255 it can "
        "declare none on this connection.",
        source=f"{DOC}, DeclarePublisher (uint8 PublisherId); rabbitmq-stream-js-client issue 291",
        healthy="A client that begins at 0 again.",
        echo_of="RMQ-B2",
    ),
    Rule(
        id="RMQ-B3",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscriptions ended after at most one chunk",
        on="churn:brief_subscriptions",
        needs="start whole both",
        message="{CHURN_LIMIT} subscriptions in a row were ended after at most one chunk; the "
        "last was subscription {sub.id} of {sub.stream}",
        cause="The client polls: it subscribes for each chunk, which costs two more round trips "
        "than Credit. A subscription continues as long as it receives credit.",
        source=f"{DOC}, Subscribe, Credit",
    ),
    Rule(
        id="RMQ-B4",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="unused publishers",
        on="leak:unused_publishers",
        needs="",
        message="{conn.unused_publishers_left} of {conn.unused_publishers_all} publishers of this "
        "connection were declared and never used",
        cause="The client declares publishers in advance or forgets them; a connection has 256 at "
        "most.",
        healthy="A program that is ready to publish, but has had nothing to publish yet.",
        source=f"{READER}, max publishers per connection; rabbitmq-stream-js-client issue 194",
    ),
    Rule(
        id="RMQ-B5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections left idle",
        on="leak:idle_connections",
        when="idle_connections.left < idle_connections.all",
        needs="",
        message="{idle_connections.left} of {idle_connections.all} connections of one client were "
        "not used to publish, consume or manage anything",
        cause="The client opens connections to look up streams, and does not close them.",
        healthy="Each environment of a program keeps one connection for look-ups.",
        source="rabbitmq-stream-rust-client issue 235",
    ),
    Rule(
        id="RMQ-B5b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="unused connections kept until the program ends",
        on="repetition:kept_unused",
        needs="start whole both",
        message="{KEPT_LIMIT} connections of one client ended together, without Close, that had "
        "been kept open and were used for nothing but Metadata; the last one for "
        "{t - conn.t:time}",
        cause="The client opens connections to look for a node or a stream, and does not close "
        "those that it does not use.",
        healthy="Each environment of a program keeps one connection for look-ups.",
        source="rabbitmq-stream-dotnet-client issue 304",
        echo_of="RMQ-B5",
    ),
    Rule(
        id="RMQ-B6",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="duplicate subscription to a stream on one connection",
        on="identity:doubled",
        when="coalesce(sub.replaced_n, 0) == 0",
        needs="start whole both",
        message="two subscriptions of this connection receive {sub.stream}, so each message "
        "arrives twice; subscription {sub.id} is the earlier one",
        cause="The consumer was started again without ending its earlier subscription.",
        healthy="Two consumers of a program each need the messages.",
        source="rabbitmq-stream-dotnet-client issue 205",
    ),
    Rule(
        id="RMQ-B6b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="replaced subscription without Unsubscribe, still receiving messages",
        on="end:sub",
        when="sub.deliver_n > sub.replaced_n",
        needs="object both",
        evidence="sub.replaced_n, sub.deliver_n, sub.n",
        message="subscription {sub.id} of {sub.stream} still received messages after the client "
        "had subscribed again from where it stopped: each message arrives twice",
        cause="The consumer is started again with another subscription id, and its former "
        "subscription is not ended with Unsubscribe.",
        source="rabbitmq-stream-dotnet-client issues 205 and 273",
    ),
    Rule(
        id="RMQ-B19",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publishers left open after one message",
        on="leak:left_publishers",
        needs="",
        evidence="left_publishers.first_n, left_publishers.latest_n",
        message="{left_publishers.left} of {left_publishers.all} publishers of one client sent one "
        "message each and were left open, without further use",
        cause="A publisher, or a connection with one, is made for each message or task and is not "
        "closed: they grow without bound. One publisher can send all messages to its stream.",
        healthy="Programs that seldom publish.",
        source="rabbitmq-stream-rust-client issue 287",
    ),
    Rule(
        id="RMQ-B20",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="many subscriptions of one client to one stream",
        on="leak:left_subscriptions",
        needs="",
        message="{left_subscriptions.left} subscriptions of one client to one stream were open at "
        "the end: each of them receives every message",
        cause="A consumer is started for each task or after each error, and the former ones are "
        "not closed.",
        healthy="As many programs read the stream for themselves.",
        source="rabbitmq-stream-dotnet-client issue 273",
    ),
    Rule(
        id="RMQ-B38",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="one consumer name on several connections of a program",
        on="identity:read_twice",
        when="read_twice.second_flow != flow",
        needs="start whole both",
        message="consumer {sub.reference} reads {sub.stream} on several connections of one program "
        "at once: the program receives each message as often",
        cause="The client subscribes again, for instance with each retry of a connection, and the "
        "former consumers stay. Instances that are to share the messages need "
        "single-active-consumer.",
        healthy="Instances of a program on one host that each need all messages.",
        source="rabbitmq-stream-dotnet-client issue 273",
    ),
)

WASTE: Final = (
    Rule(
        id="RMQ-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Publish with one message each (no batching)",
        on="ratio:single",
        needs="object both",
        message="{pub.single_count} of {pub.single_among} Publish frames of publisher {pub.id} "
        "had one message, although others waited for their confirms",
        cause="The client does not batch: one Publish can hold many messages, and costs the "
        "broker about as much as one with a single message.",
        healthy="The client sends each message without delay on purpose.",
        source=f"{DOC}, Publish; rabbitmq-stream-js-client issue 101",
    ),
    Rule(
        id="RMQ-B7b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="sub-batches of one message",
        on="ratio:alone",
        needs="",
        message="{pub.alone_count} of {pub.single_among} Publish frames of publisher {pub.id} had "
        "sub-batches of one message",
        cause="A sub-batch costs a header, and compression makes a single message larger: the "
        "client must collect messages before it makes a sub-batch of them.",
        healthy="Messages that come one by one.",
        source=f"{DOC}, Publish",
    ),
    Rule(
        id="RMQ-B23",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Publish after each confirm (one message per round trip)",
        on="ratio:waited",
        needs="object both",
        message="{pub.waited_count} of {pub.single_among} Publish frames of publisher {pub.id} "
        "had one message and were sent right after the previous confirm",
        cause="The client waits for each confirm before it publishes the next message: each "
        "message costs a round trip. Confirms come by publishing id, so that many messages can "
        "wait for theirs.",
        healthy="The program needs to know that a message is stored before it sends the next.",
        source=f"{DOC}, Publish, PublishConfirm",
    ),
    Rule(
        id="RMQ-B22",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="small frames split over several packets",
        on="ratio:split",
        needs="start",
        per="client, server",
        evidence="conn.split_latest_n, conn.split_second_n",
        message="{conn.split_count} of {C.frames} frames of the client came in several packets, "
        "although they would fit into one",
        cause="The client writes the size, the header and the body one by one: each write costs a "
        "system call and a packet.",
        healthy="The network splits packets, such as a tunnel with a small MTU.",
        source="RFC 9293, 3.7.4, Nagle Algorithm",
    ),
    Rule(
        id="RMQ-B8",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offset stored for nearly every message",
        on="ratio:stored",
        needs="",
        message="{conn.stored_count} offsets were stored for {conn.stored_among} messages",
        cause="The client stores the offset after each message, and the broker writes each one "
        "to the stream, between the messages. Storing it every few hundred messages or seconds is "
        "enough.",
        healthy="Few messages, none of which may be read twice.",
        source=f"{OSIRIS}, tracking chunks; rabbitmq-stream-go-client issue 337",
    ),
    Rule(
        id="RMQ-B8b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offsets stored one by one",
        on="store_offset",
        when="sought.singles == EACH_LIMIT - 1 and sought.stores * 4 <= sought.singles * 5 and "
        "0 < fields.offset - sought.stored <= 2",
        needs="",
        of="conn",
        evidence="n, sought.stored_n",
        message="{EACH_LIMIT} offsets in a row were stored for {fields.reference} of {stream}, "
        "each for the next message",
        cause="The client stores the offset after each message, and the broker writes each one "
        "to the stream, between the messages. Storing it every few hundred messages or seconds is "
        "enough.",
        healthy="Few messages, none of which may be read twice.",
        source=f"{OSIRIS}, tracking chunks; rstream issue 220",
        echo_of="RMQ-B8",
    ),
    Rule(
        id="RMQ-B9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="credit for one chunk at a time",
        on="ratio:credited",
        needs="object",
        per="client, server, sub.stream",
        message="subscription {sub.id} of {sub.stream} had credit for one chunk at a time: "
        "{sub.credited_count} of {sub.chunks} chunks waited for a Credit",
        cause="The subscription begins with credit 1, so the broker waits a round trip for each "
        "chunk; with a credit of 2 or more it sends ahead.",
        healthy="The consumer must not have more than one chunk in memory.",
        source=f"{DOC}, Credit",
    ),
    Rule(
        id="RMQ-B10",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="Metadata queries for one stream each",
        on="roundtrips:looked_up",
        needs="",
        message="{LOOKUP_LIMIT} Metadata requests in a row asked for one stream each, right after "
        "the previous answer",
        cause="Metadata takes a list: one request can ask for all streams.",
        healthy="The program learns of its streams one after the other.",
        source=f"{DOC}, Metadata; rstream issue 73",
    ),
)
