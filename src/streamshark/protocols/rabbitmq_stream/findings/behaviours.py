"""Rules for what clients do over time: loops, leaks, waste, offsets, shared names."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import (
    message_keys,
    message_predicates,
    predicates,
    request_predicates,
)
from streamshark.protocols.rabbitmq_stream.behaviours import SENT, WANTED
from streamshark.protocols.rabbitmq_stream.conversations import UNDER_WAY
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, OSIRIS, READER

_LEFT: Final = "(why == 'end' or C.close_n is not None or conn.first_fin == C.side)"
"""The broker has not ended the connection."""
_NAME: Final = "coalesce(conn.client_name, '')"
_FORMER: Final = "coalesce(before.client_name, '')"
_UNUSED: Final = f"conn.used_n is None and t - conn.t > RESUBSCRIBED and {_LEFT}"
"""The connection lasted long enough for the client to restore what it had, but it did nothing."""
_ABOUT: Final = (
    "{coalesce(coalesce(req.stream, req.super_stream), coalesce(req.publisher_reference, ''))}"
)

LOOPS: Final = (
    Rule(
        id="RMQ-X7",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated request after the same refusal",
        on="repetition:refused",
        needs="",
        message="the broker refused {REFUSED_LIMIT} times in a row, at most {REFUSED_PAUSE:time} "
        f"apart, with {{response_code:name}} in {{name}} {_ABOUT}",
        cause="The client retries at once or after a short pause, whatever the reason.",
        source="rabbitmq-stream-java-client, its recovery's back-off",
        echo_of="RMQ-N6",
    ),
    Rule(
        id="RMQ-X7b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request repeated after the same refusal, a few times or slowly",
        on="repetition:refused_slowly",
        needs="",
        message="the broker refused {FEW_REFUSED} times in a row with {response_code:name} in "
        f"{{name}} {_ABOUT}",
        cause="The client sends the same request again, whatever the reason.",
        source="rabbitmq-stream-java-client, its recovery's back-off",
        healthy="A client that waits until a stream is there.",
        echo_of="RMQ-X7 RMQ-N6 RMQ-M2",
    ),
    Rule(
        id="RMQ-X8",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="repeated identical query",
        on="repetition:polled",
        needs="",
        evidence="n, polled.second_n, polled.first_n",
        message="the same {name} was sent {POLL_LIMIT} times in a row, at most {POLL_PAUSE:time} "
        "apart",
        cause="The client asks each time instead of keeping the answer: each request costs a "
        "round trip.",
        source=f"{DOC}, QueryOffset, QueryPublisherSequence",
    ),
    Rule(
        id="RMQ-X8b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated QueryPublisherSequence on a connection",
        on="repetition:asked_sequence",
        needs="",
        message="QueryPublisherSequence was sent {ASKED_LIMIT} times on one connection for "
        "{publisher_reference} in {stream}",
        cause="The client asks before each message instead of counting by itself: each query "
        "costs a round trip.",
        healthy="Several producers of a program begin one after the other.",
        source=f"{DOC}, QueryPublisherSequence",
    ),
    Rule(
        id="RMQ-X8c",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated Metadata query on a connection",
        on="repetition:asked_again",
        needs="",
        message="Metadata was sent {LOOKED_UP} times on one connection for {first(streams)}, at "
        "most a minute apart",
        cause="The client does not keep the answer: a broker reports changes of a stream by "
        "MetadataUpdate.",
        healthy="Each producer or consumer of a program looks its stream up once.",
        source=f"{DOC}, Metadata, MetadataUpdate",
        echo_of="RMQ-X8 RMQ-M2b",
    ),
    Rule(
        id="RMQ-X8d",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated identical query, a few times or slowly",
        on="repetition:polled_slowly",
        when="coalesce(polled.times, 0) < POLL_LIMIT - 1",
        needs="",
        evidence="n, polled_slowly.second_n, polled_slowly.first_n",
        message="the same {name} was sent {FEW_POLLS} times in a row, at most "
        "{REFUSED_PAUSE:time} apart",
        cause="The client asks each time instead of keeping the answer: each request costs a "
        "round trip.",
        source=f"{DOC}, QueryOffset, QueryPublisherSequence",
        healthy="A program that shows statistics, or several parts of which begin one after the "
        "other.",
    ),
    Rule(
        id="RMQ-B24",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="streams deleted soon after their creation",
        on="repetition:deleted",
        when="t - tail.made_t < 10000000000",
        needs="",
        message="{STREAM_LIMIT} streams in a row were deleted, {req.stream} only {t - "
        "tail.made_t:time} after it was created",
        cause="The client creates a stream for each task; a stream costs files and, in a cluster, "
        "processes on several nodes.",
        healthy="A test that cleans up.",
        source=f"{DOC}, Create, Delete",
    ),
    Rule(
        id="RMQ-B43",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream with unread messages deleted and created again",
        on="create_response",
        when="response_code == 1 and tail.dropped > 0 and "
        "coalesce(tail.remade, 0) + 1 >= REMADE_LIMIT",
        needs="start whole both",
        per="server, conn.vhost, req.stream",
        evidence="tail.dropped_n, req.n",
        message="{req.stream} is created again {REMADE_LIMIT} times, each time after it was "
        "deleted with messages that had been confirmed and delivered to no captured subscription "
        "({tail.dropped} this time)",
        cause="A program deletes its stream at each start; Create with the same arguments of a "
        "stream that exists needs no Delete.",
        healthy="The messages of a former run are not needed.",
        source=f"{DOC}, Create, Delete",
    ),
    Rule(
        id="RMQ-B1",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived connections in a row",
        on="churn:reconnected",
        needs="",
        evidence="conn.used_n, coalesce(reconnected.second_n, conn.n), reconnected.first_n",
        healthy="A program that is run for each task.",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row; "
        "the last one carried {C.frames:count frame} of the client",
        cause="The client connects for each task and does not keep the connection: the "
        "handshake alone costs five round trips.",
        source=f"{DOC}, Authentication; rabbitmq-stream-rust-client issue 235",
        echo_of="RMQ-N6 RMQ-X7 RMQ-M4",
    ),
    Rule(
        id="RMQ-H5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of heartbeats",
        on="flood:beaten",
        needs="",
        evidence="n, me.beaten_second_n, me.beaten_first_n",
        message="the {sender} sent {BEAT_LIMIT} heartbeats in a row, on average less than a "
        "quarter of the negotiated interval of {conn.heartbeat} s apart",
        cause="",
        by="'back' if t - peer.beat_t < RACE else 'often'",
        causes={
            "back": "The sender returns each heartbeat of its peer: both do so without end.",
            "often": "The timer ignores the negotiated interval, or takes its seconds for another "
            "unit.",
        },
        source=f"{DOC}, Heartbeat; rabbit_heartbeat.erl",
    ),
)

CHURN_AND_LEAKS: Final = (
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
)

LEFT: Final = (
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
        id="RMQ-B9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="credit for one chunk at a time",
        on="ratio:credited",
        needs="object",
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

OFFSETS: Final = (
    Rule(
        id="RMQ-B11",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing stored offset",
        on="sequence:stored_back",
        needs="",
        message="offset {fields.offset} is stored for {fields.reference} of {stream} after "
        "{stored_back.last}: after a restart the messages in between are read again",
        cause="Several threads process messages out of order, and each stores its own offset.",
        healthy="The consumer was set back on purpose.",
        source=f"{DOC}, StoreOffset; {READER}, store_offset",
    ),
    Rule(
        id="RMQ-B12",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same offset stored repeatedly",
        on="repetition:stored_again",
        needs="",
        message="offset {fields.offset} is stored for {fields.reference} of {stream} "
        "{STILL_LIMIT} times in a row",
        cause="The consumer stores its offset on a timer although it has not advanced; the "
        "broker writes each one to the stream.",
        healthy="There is nothing to consume.",
        source=f"{OSIRIS}, tracking chunks",
    ),
    Rule(
        id="RMQ-B13",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream consumed again from the start after a lost connection",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and resumed.stored is None and {WANTED} <= resumed.began and "
        f"(resumed.reached - resumed.began >= REREAD_LIMIT or {WANTED} < resumed.began)",
        needs="all",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}}: the one before "
        "the lost connection began at {resumed.began} and received messages up to "
        "{resumed.reached - 1}",
        cause="After the connection was lost the client subscribes as at its start, instead of "
        "after the last message that it received.",
        healthy="The program reads the stream from its start each time on purpose.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message at the stored offset consumed again",
        on="resumption:resumed",
        when="sub.offset_type == 4 and sub.wanted == resumed.stored and resumed.stored > 0",
        needs="",
        evidence="req.n, resumed.stored_n",
        message="subscription {sub.id} of {sub.stream} begins at the stored offset "
        "{resumed.stored}, so this message is consumed twice",
        cause="The stored offset is that of the last processed message: resume at the next one.",
        healthy="The client stores the offset of the next message, or expects the repetition.",
        source=f"{DOC}, StoreOffset; rabbitmq-stream-java-client, offset tracking",
    ),
    Rule(
        id="RMQ-B13c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset queried but not used",
        on="resumption:resumed",
        when=f"{WANTED} < resumed.stored and resumed.stored > 0 and "
        f"resumed.asked_n > resumed.stored_n and {WANTED} < resumed.found",
        needs="",
        evidence="req.n, resumed.asked_n, resumed.stored_n",
        message="subscription {sub.id} of {sub.stream} begins before the stored offset "
        "{resumed.found}, which the client has just queried",
        cause="The client queries its stored offset and does not use the answer.",
        healthy="The program reads the stream again on purpose.",
        source=f"{DOC}, QueryOffset",
    ),
    Rule(
        id="RMQ-B42",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages deleted by retention before a consumer received them",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 1 and sub.selects is None and "
        "sub.resumed_after >= 0 and chunk.chunk_id >= sub.resumed_after + SKIPPED",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} asks for the first message and begins at "
        "{chunk.chunk_id}, but the previous one received messages only up to "
        "{sub.resumed_after - 1}: the stream has those in between no more",
        cause="The retention of the stream (max-length-bytes, max-age) deletes messages before "
        "the consumer comes back; an offset that was stored for one of them is deleted too.",
        healthy="Another consumer has received the messages in between.",
        source="rabbitmq-server 4.1, deps/osiris, src/osiris_log.erl, init_offset_reader; "
        f"{OSIRIS}, tracking chunks",
    ),
    Rule(
        id="RMQ-B42b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="first message far after the offset that a consumer resumed at",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 4 and sub.selects is None and "
        "sub.resumed_after >= 0 and "
        "chunk.chunk_id >= max(sub.resumed_after, sub.wanted) + ABSENT",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} asks for offset {sub.wanted} and begins at "
        "{chunk.chunk_id}; the previous one received messages up to {sub.resumed_after - 1}",
        cause="The retention of the stream has deleted what the consumer asks for; the broker then "
        "begins at the oldest chunk, without an error.",
        healthy="The offsets in between belong to stored offsets, which the log holds as well.",
        source="rabbitmq-server 4.1, deps/osiris, src/osiris_log.erl, init_offset_reader",
    ),
    Rule(
        id="RMQ-B13d",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that never stores its offset",
        on="resumption:resumed",
        when="resumed.asked_n is not None and resumed.stored is None and "
        "resumed.former_flow != flow and resumed.asked_n > resumed.former_n and "
        "resumed.reached > resumed.began and "
        f"{WANTED} <= resumed.began",
        needs="all",
        evidence="req.n, resumed.asked_n, resumed.former_n",
        message="the client queries the stored offset of {sub.stream} again, although no offset "
        "was stored for the messages up to {resumed.reached - 1}; subscription {sub.id} reads "
        "them again",
        cause="The client never stores an offset, or fails to store this one (such as 0).",
        healthy="The program stopped before it stored the offset.",
        source="rabbitmq-stream-go-client issue 306",
    ),
    Rule(
        id="RMQ-B97",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscriptions only to query the stored offset",
        on="churn:only_asked",
        needs="start whole both",
        message="{CHURN_LIMIT} subscriptions in a row to {sub.stream} were ended after "
        "QueryOffset, without a StoreOffset: what they were delivered is thrown away; the last "
        "was subscription {sub.id}",
        cause="The client's API asks for the offset by a consumer, so that the program makes one "
        "to ask and another one to read; QueryOffset needs no subscription.",
        source=f"{DOC}, QueryOffset; rabbitmq-stream-js-client issue 206",
        healthy="Consumers that are stopped before they store an offset.",
    ),
    Rule(
        id="RMQ-B13e",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream read from the same offset by each subscription",
        on="resumption:resumed",
        when=f"{WANTED} <= resumed.began and resumed.again + 2 >= REREAD_ROUNDS and "
        "(resumed.reached - resumed.began >= REREAD_LIMIT or sub.offset_type == 4)",
        needs="",
        message="{REREAD_ROUNDS} subscriptions in a row read {sub.stream} from "
        f"{{{WANTED}}}, the previous one up to {{resumed.reached - 1}}; the last is subscription "
        "{sub.id}",
        cause="The client does not keep its position, or fails at the same message each time and "
        "is started again.",
        healthy="The program needs all messages each time.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13f",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages consumed again after a lost connection",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and resumed.began < {WANTED} and "
        f"resumed.reached - {WANTED} >= REREAD_LIMIT",
        needs="",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}} after a lost "
        "connection, although messages up to {resumed.reached - 1} had been received",
        cause="The client resumes after the last message that it has processed, or miscounts "
        "the messages of a chunk.",
        healthy="The client needs the messages that it received but did not process.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13g",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages skipped between two subscriptions",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 4 and "
        "0 <= sub.resumed_after <= chunk.chunk_id and chunk.chunk_id < sub.wanted",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} begins at {sub.wanted}, but the previous "
        "one received messages only up to {sub.resumed_after - 1}: the messages in between, which "
        "the chunk at {chunk.chunk_id} has, are skipped",
        cause="The client adds 1 to its offset twice: when it stores it, and when it resumes.",
        healthy="Another consumer has read the messages in between, or they are not needed.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13h",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription from next or last resumed at offset 0",
        on="resumption:resumed",
        when="resumed.spec in (2, 3) and sub.offset_type == 4 and sub.wanted == 0",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins at 0, although the previous one "
        "asked for {'new messages' if resumed.spec == 3 else 'the last chunk'}",
        cause="The client had not received anything when it reconnected, and mistakes offset 0 "
        "for its position.",
        healthy="A program that wants the whole stream says first, which is no finding.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B35",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages consumed again by a subscription from a time or the last chunk",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type in (2, 5) and "
        "chunk.chunk_id + REREAD_LIMIT <= sub.resumed_after",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} begins at {chunk.chunk_id}, although the "
        "previous one received messages up to {sub.resumed_after - 1}",
        cause="The client subscribes as at its start, by a time for example, instead of after the "
        "last message that it received.",
        source=f"{DOC}, Subscribe, Offset Specification",
        healthy="The client drops what it has received before, or reads it again on purpose.",
    ),
    Rule(
        id="RMQ-B35b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages skipped by a subscription from a time or the last chunk",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type in (2, 5) and sub.resumed_after >= 0 and "
        "chunk.chunk_id >= sub.resumed_after + SKIPPED",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} begins at {chunk.chunk_id}, although the "
        "previous one received messages only up to {sub.resumed_after - 1}",
        cause="The client subscribes as at its start, at the last chunk for example, instead of "
        "after the last message that it received.",
        source=f"{DOC}, Subscribe, Offset Specification",
        healthy="Only the latest messages are of interest.",
    ),
    Rule(
        id="RMQ-B17",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset beyond the last delivered message",
        on="store_offset",
        when="fields.offset >= max(coalesce(tail.next, 0), coalesce(tail.count, 0)) and "
        "tail.next > 0 and fields.offset <= FIRST_OFFSETS and "
        "fields.offset != coalesce(tail.begins, -1)",
        needs="start whole both",
        message="offset {fields.offset} is stored for {reference} of {stream}, but messages were "
        "delivered only up to offset {tail.next - 1}",
        cause="The client stores the offset after the last message, or that of another stream: "
        "a consumer that resumes there skips messages.",
        healthy="The messages were delivered before the capture began.",
        source=f"{DOC}, StoreOffset",
    ),
    Rule(
        id="RMQ-B17b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset at which the subscription begins",
        on="store_offset",
        when="fields.offset >= max(coalesce(tail.next, 0), coalesce(tail.count, 0)) and "
        "tail.next > 0 and fields.offset == tail.begins",
        needs="start whole both",
        evidence="n, tail.begins_n",
        message="offset {fields.offset} is stored for {reference} of {stream}, where its "
        "subscription begins, before a message was delivered there",
        cause="The client takes the offset of Subscribe for one that it has received, and stores "
        "it by a timer.",
        healthy="The message there is mostly the chunk that keeps the stored offset.",
        source="rabbitmq-stream-go-client 1.8.3, automatic commit",
    ),
    Rule(
        id="RMQ-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription not restored after a reconnect",
        on="end:conn",
        when=f"conn.opened_n > before.read_n and count(before.read) > 0 and "
        f"({_UNUSED} and {_NAME} == {_FORMER} or t - conn.reread_t > RESTORED and "
        f"{_LEFT})",
        needs="start whole both",
        evidence="coalesce(C.beat_n, C.last_n), before.sub_n, conn.opened_n, conn.used_n, "
        "before.read_n",
        message="the client is connected again for {t - conn.t:time} and has not subscribed to "
        "{first(before.read)} again, which it received from before its connection was lost",
        cause="The client reconnects and does not restore all of its subscriptions.",
        healthy="The consumer was meant to end.",
        source="rabbitmq-stream-java-client, recovery of consumers; rabbitmq-server issue 10550",
    ),
    Rule(
        id="RMQ-B18b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher not restored after a reconnect",
        on="end:conn",
        when=f"conn.opened_n > before.written_n and count(before.written) > 0 and "
        f"({_UNUSED} and {_NAME} == {_FORMER} or t - conn.rewritten_t > RESTORED and "
        f"{_LEFT})",
        needs="start whole both",
        evidence="coalesce(conn.used_n, C.last_n), conn.opened_n, C.last_n, before.written_n",
        message="the client reconnected {t - conn.t:time} ago and has not declared a publisher "
        "for {first(before.written)} again, to which it published before its connection was lost",
        cause="The client reconnects and does not restore all of its publishers, such as those of "
        "some partitions of a super stream.",
        healthy="The publisher was meant to end.",
        source="rabbitmq-stream-go-client issue 453",
    ),
    Rule(
        id="RMQ-B37",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset never queried, and messages skipped (offset specification next)",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 3 and sub.resumed_unasked is not None and "
        "sub.resumed_after >= 0 and "
        "max(sub.resumed_after, sub.resumed_unasked + 1) + SKIPPED <= chunk.chunk_id",
        needs="object",
        evidence="sub.n, sub.resumed_unasked_n, n",
        message="subscription {sub.id} of {sub.stream} begins with new messages, "
        "although offset {sub.resumed_unasked} was stored and not queried: the messages from "
        "{max(sub.resumed_after, sub.resumed_unasked + 1)} to {chunk.chunk_id - 1} are skipped",
        cause="The client stores its offset, but does not ask for it when it starts: messages "
        "that are published while it is away are never read.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
        echo_of="RMQ-B26",
        healthy="Only the latest messages are of interest, and the offset is stored for others.",
    ),
    Rule(
        id="RMQ-B37b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset overwritten by a consumer of new messages that never queried it",
        on="store_offset",
        when="conn.new_stream == stream and sought.stored_n < conn.new_n and "
        "coalesce(sought.queried_n, -1) < sought.stored_n and sought.unsure_n is None and "
        "sought.stored + 1 + SKIPPED <= conn.new_chunk",
        needs="start whole both",
        of="sought",
        evidence="conn.new_n, sought.stored_n, n",
        message="{fields.reference} had stored offset {sought.stored} of {stream}; its connection "
        "did not query it, began at {conn.new_chunk} with new messages and now stores "
        "{fields.offset}: the messages between are skipped",
        cause="The client stores its offset, but does not ask for it when it starts: messages "
        "that are published while it is away are never read.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
        echo_of="RMQ-B26",
        healthy="Only the latest messages are of interest, and the offset is stored for others.",
    ),
    Rule(
        id="RMQ-B26",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages skipped after a lost connection (offset specification next)",
        on="resumption:resumed",
        when="resumed.lost == 1 and sub.offset_type == 3 and "
        "(resumed.stored is not None or resumed.spec != 3) and "
        "sub.waiting >= resumed.reached + SKIPPED",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins with new messages after a lost "
        "connection: those from {resumed.reached} to {sub.waiting - 1}, published since, are "
        "skipped",
        cause="After the connection was lost the client subscribes as at its start, instead of "
        "after the last message that it received.",
        healthy="Only the latest messages are of interest.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B26b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages skipped by a consumer of new messages after a lost connection",
        on="resumption:resumed",
        when="resumed.lost == 1 and sub.offset_type == 3 and "
        "resumed.stored is None and resumed.spec == 3 and "
        "sub.waiting >= resumed.reached + SKIPPED",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins with new messages after a lost "
        "connection: those from {resumed.reached} to {sub.waiting - 1}, published since, are "
        "skipped",
        cause="After the connection was lost the client subscribes as at its start, instead of "
        "after the last message that it received.",
        healthy="Only the latest messages are of interest.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
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

NAMES: Final = (
    Rule(
        id="RMQ-I10",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher reference shared by two publishers",
        on="identity:shared_reference",
        needs="",
        message="two publishers use reference '{pub.reference}' on {pub.stream} at once; the one "
        "of frame {pub.n} published after the other was declared",
        cause="Brokers keep one publishing id for each reference: a message of one publisher "
        "with a lower id than the other's last one is confirmed and dropped.",
        source=f"{OSIRIS}, writer sequences; rabbitmq-stream-java-client issue 986",
    ),
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
    Rule(
        id="RMQ-B25",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="different consumer names in StoreOffset and QueryOffset",
        on="query_offset_response",
        when="response_code == 19 and sought.flow != flow and sought.stored_n is None and "
        "tracked.stored_n > sought.asked_n and tracked.reference != req.reference",
        needs="",
        of="sought",
        evidence="req.n, tracked.stored_n, sought.asked_n",
        message="the client asks again for the offset of {req.reference} in {req.stream}, of which "
        "nothing is stored; it stored its offset under {tracked.reference}",
        cause="Two settings name the consumer: one is used to store its offset, the other one to "
        "ask for it, so that each start begins anew.",
        healthy="Two consumers of the program, one of which does not store its offset.",
        source=f"{DOC}, StoreOffset, QueryOffset",
    ),
    Rule(
        id="RMQ-B21",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new consumer name for each connection",
        on="query_offset_response",
        when="response_code == 19 and flow != coalesce(asking.flow, -1) and "
        "count(asking.names) + 1 >= NAMES_LIMIT and not has(asking.names, req.reference)",
        needs="",
        of="asking",
        evidence="req.n, asking.latest_n, asking.former_n",
        message="the client has queried the offset of {count(asking.names) + 1} names in "
        "{req.stream} for which nothing is stored, each on a new connection; the last is "
        "{req.reference}",
        cause="The name changes with each start, so that the stored offset is never found.",
        healthy="As many different consumers of one stream begin for the first time.",
        source=f"{DOC}, QueryOffset",
    ),
    Rule(
        id="RMQ-B33",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new publisher reference for each connection",
        on="declare_publisher",
        when="len(publisher_reference) > 0 and flow != coalesce(referring.flow, -1) and "
        "count(referring.names) + 1 >= NAMES_LIMIT and "
        "not has(referring.names, publisher_reference)",
        predicate=request_predicates.has_generated_reference,
        reads="publisher_reference referring.latest",
        needs="",
        of="referring",
        evidence="n, referring.latest_n, referring.former_n",
        message="this client has published to {stream} under {count(referring.names) + 1} "
        "references, each on a new connection; the last ones are {found}",
        cause="The reference changes with each start, so that the broker cannot recognise messages "
        "that are published again.",
        source=f"{DOC}, DeclarePublisher; {OSIRIS}, writer sequences",
        healthy="As many different producers.",
    ),
    Rule(
        id="RMQ-B14",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer name shared by two consumers that store offsets",
        on="alternation:shared_tracking",
        needs="",
        message="two connections take turns storing the offset of {fields.reference} on {stream}; "
        "this one stored {fields.offset}",
        cause="Two consumers have the same name and are not single active consumers: each "
        "overwrites the offset of the other.",
        source=f"{DOC}, StoreOffset; {READER}, store_offset",
    ),
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
)

SIDES: Final = (
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
    Rule(
        id="RMQ-B28",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="messages of one stream partly in AMQP 1.0",
        on="end:pub",
        when="content.format != pub.format",
        needs="",
        of="content",
        evidence="pub.format_n, content.first_n",
        message="one publisher of {pub.stream} encodes its messages in AMQP 1.0, another one does "
        "not",
        cause="The publishers use different clients or settings: consumers of one format cannot "
        "read the other.",
        source=f"{DOC}, Publish; rstream, amqp_encoder",
        healthy="Consumers that recognise both formats.",
    ),
    Rule(
        id="RMQ-B36",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="filter value of its own for each message",
        on="end:pub",
        when="count(pub.filters) >= FILTER_LIMIT and count(pub.filters) * 10 >= pub.filtered * 9",
        needs="",
        evidence="pub.filter_n, pub.first_filter_n",
        message="the first {pub.filtered} messages of publisher {pub.id} to {pub.stream} have "
        "{count(pub.filters)} different filter values",
        cause="The value is an id of the message: filters work on chunks, so that a value has to "
        "be shared by many messages, such as a region or a customer.",
        source="rabbitmq.com, Stream Filtering; rabbitmq/osiris, osiris_bloom.erl",
        healthy="Values that come back later.",
    ),
    Rule(
        id="RMQ-B15",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="filter that no published message matches",
        on="mismatch:filtered",
        needs="",
        message="subscription {sub.id} of {sub.stream} filters for '{sub.filter}' and received "
        "nothing; no message published in these captures has this filter value",
        cause="The publisher sets no filter value or a different one; messages without a filter "
        "value are delivered only with match-unfiltered.",
        healthy="Messages with this value are published by programs that were not captured.",
        source=f"{DOC}, Subscribe; rabbitmq-stream-js-client issue 235",
    ),
)

_LEFT_OUT: Final = (
    "(fallen.read == 1 and owed.read > 0 or fallen.written == 1 and owed.written > 0) and "
    "coalesce(conn.asked_metadata_t, 0) < fallen.update_t and C.close_n is None"
)
"""Neither Metadata nor a new beginning has followed MetadataUpdate."""
_BACK_T: Final = "max(coalesce(seen.there_t, 0), coalesce(topic.used_t, 0))"
"""When the stream was last known to be there."""
_LEFT_OUT_TEXT: Final = (
    "MetadataUpdate ended {'the subscription to' if fallen.read == 1 else 'the publisher of'} "
    "{fallen.stream}; the client stayed connected for another {C.last_t - fallen.update_t:time}, "
    "but neither asked for Metadata nor {'subscribed' if fallen.read == 1 else 'declared a "
    "publisher'} again, although the stream was in use again"
)
_LEFT_OUT_CAUSE: Final = (
    "The client ignores MetadataUpdate: it believes that its publisher or subscription still "
    "exists."
)

UPDATES: Final = (
    Rule(
        id="RMQ-B30",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher or subscription not restored after MetadataUpdate",
        on="end:fallen",
        when=f"{_LEFT_OUT} and {_BACK_T} > fallen.update_t + RETURNED and "
        f"C.last_t > fallen.update_t + RECOVERY and C.last_t > {_BACK_T} + RETURNED",
        needs="since",
        evidence="fallen.update_n, C.last_n",
        message=_LEFT_OUT_TEXT,
        cause=_LEFT_OUT_CAUSE,
        source=f"{DOC}, MetadataUpdate",
        healthy="Another program has taken over on purpose.",
    ),
    Rule(
        id="RMQ-B30b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publisher or subscription not yet restored after MetadataUpdate",
        on="end:fallen",
        when=f"{_LEFT_OUT} and {_BACK_T} > fallen.update_t and "
        "C.last_t > fallen.update_t + RETURNED and "
        f"not (C.last_t > fallen.update_t + RECOVERY and {_BACK_T} > fallen.update_t + RETURNED "
        f"and C.last_t > {_BACK_T} + RETURNED)",
        needs="since",
        evidence="fallen.update_n, C.last_n",
        message=_LEFT_OUT_TEXT,
        cause=_LEFT_OUT_CAUSE,
        source=f"{DOC}, MetadataUpdate",
        healthy="A client that waits before it begins again: that in Java waits 5 s.",
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

ALLOWED: Final = (
    Rule(
        id="RMQ-H6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Heartbeat during the handshake",
        on="forbidden:early_heartbeat",
        needs="",
        message="the client sent Heartbeat in the middle of the handshake (state '{conn.state}')",
        cause="The client starts its heartbeat timer with the connection, before the interval is "
        "negotiated; brokers may end the connection.",
        source=f"{READER}, handle_frame_pre_auth; rabbitmq-stream-rust-client issue 212",
    ),
    Rule(
        id="RMQ-K7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client frame after the broker closed the TCP connection",
        on="forbidden:after_end",
        needs="",
        message="the client sent {name} {t - conn.fin_t:time} after the broker had closed the "
        "connection",
        cause="The client does not notice that the connection was closed; nothing that it sends "
        "reaches the broker.",
        source=f"{CORE}, close; rabbitmq-stream-rust-client issue 286",
    ),
    Rule(
        id="RMQ-K7b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client frame just after the broker closed the TCP connection",
        on="forbidden:near_end",
        needs="",
        message="the client sent {name} {t - conn.fin_t:time} after the broker had closed the "
        "connection",
        cause="The client does not notice at once that the connection was closed; nothing that it "
        "sends reaches the broker.",
        source=f"{CORE}, close; rabbitmq-stream-rust-client issue 286",
        healthy="The frame was already in flight on a slow network.",
        echo_of="RMQ-K7",
    ),
)

RESENDING: Final = tuple(
    Rule(
        id=f"RMQ-B39{letter}",
        severity=severity,
        group=Group.SEQUENCE,
        title=title,
        on="publish",
        when="len(pub.reference) > 0 and series.lost_n is not None and "
        "coalesce(pub.kept, 0) < SENT_MOST",
        predicate=predicate,
        reads="first(published_messages.publishing_id) digest(first(published_messages.message)) "
        "series.sent series.lost_n pub.n pub.stored",
        needs="object both",
        of="pub",
        evidence="n, series.sent_n",
        message="publisher '{pub.reference}' sends messages again, with other ids, that it had "
        f"sent before its connection was lost: {{found}}{told}",
        cause="The client numbers unconfirmed messages anew, after the last id that the broker "
        "knows: messages keep their publishing id, so that the broker drops those that it has.",
        source=f"{OSIRIS}, writer sequences; rstream issue 276",
        healthy=healthy,
    )
    for letter, severity, title, predicate, told, healthy in (
        (
            "",
            Severity.WARNING,
            "stored messages sent again under new publishing ids",
            message_predicates.is_sent_again,
            ", which was stored: it is stored twice",
            "",
        ),
        (
            "b",
            Severity.NOTE,
            "messages sent again under new publishing ids",
            message_predicates.is_renumbered,
            "",
            "The broker has not stored them, or messages with the same content.",
        ),
    )
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
    Rule(
        id="RMQ-B41",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offsets of the first message of each chunk",
        on="ratio:stored_first",
        needs="start whole both",
        message="{conn.stored_first_count} of {conn.stored_count} offsets that were stored are "
        "those of the first message of a chunk with several",
        cause="The client stores the chunk's id instead of the offset of the last message that it "
        "has processed: after a restart it reads the rest of the chunk again.",
        healthy="The client stores the offset before it processes the chunk, on purpose.",
        source=f"{DOC}, StoreOffset, Deliver",
    ),
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

BEHAVIOURS: Final = (
    *LOOPS, *CHURN_AND_LEAKS, *LEFT, *WASTE, *OFFSETS, *NAMES, *SIDES, *UPDATES, *ROUTING,
    *ALLOWED, *RESENDING, *IN_USE,
)  # fmt: skip
