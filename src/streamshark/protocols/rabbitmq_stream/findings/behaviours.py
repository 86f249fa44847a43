"""Rules for what clients do over time: loops, leaks, waste, offsets, shared names."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import request_predicates
from streamshark.protocols.rabbitmq_stream.behaviours import WANTED
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, OSIRIS, READER

_LEFT: Final = "(why == 'end' or C.close_n is not None or conn.first_fin == C.side)"
"""The broker has not ended the connection."""
_NAME: Final = "coalesce(conn.client_name, '')"
_FORMER: Final = "coalesce(before.name, '')"
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
        message=f"the broker refused with {{response_code:name}} in {{name}} {_ABOUT} "
        "{REFUSED_LIMIT} times in a row, {REFUSED_PAUSE:time} apart at most",
        cause="The client retries at once or after a short pause, whatever the reason.",
        source="rabbitmq-stream-java-client, its recovery's back-off",
        echo_of="RMQ-N6",
    ),
    Rule(
        id="RMQ-X8",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="repeated identical query",
        on="repetition:polled",
        needs="",
        evidence="n, polled.second_n, polled.first_n",
        message="{name} asks for the same {POLL_LIMIT} times in a row, {POLL_PAUSE:time} apart at "
        "most",
        cause="The client asks each time instead of keeping the answer: each costs a round trip.",
        source=f"{DOC}, QueryOffset, QueryPublisherSequence",
    ),
    Rule(
        id="RMQ-X8b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="last publishing id queried again and again",
        on="repetition:asked_sequence",
        needs="",
        message="QueryPublisherSequence asks {ASKED_LIMIT} times on one connection for the last "
        "publishing id of {publisher_reference} in {stream}",
        cause="The client asks before each message instead of counting on itself: each query costs "
        "a round trip.",
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
        message="Metadata asks {POLL_LIMIT} times on one connection for {first(streams)}, a minute "
        "apart at most",
        cause="The client does not keep the answer: a broker reports changes of a stream by "
        "MetadataUpdate.",
        healthy="Each producer or consumer of a program looks its stream up once.",
        source=f"{DOC}, Metadata, MetadataUpdate",
        echo_of="RMQ-X8 RMQ-M2b",
    ),
    Rule(
        id="RMQ-B1",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived connections in a row",
        on="churn:reconnected",
        needs="",
        worsens=True,
        evidence="conn.used_n, coalesce(reconnected.second_n, conn.n), reconnected.first_n",
        message="connection {RECONNECT_LIMIT} in a row of {client} to {server}, each with "
        "{C.frames} frames of the client at most, is closed again",
        cause="The client connects for each task and does not keep the connection: the handshake "
        "alone costs five round trips.",
        healthy="A program that is run for each task.",
        source=f"{DOC}, Authentication; rabbitmq-stream-rust-client issue 235",
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
        "quarter of the negotiated {conn.heartbeat} s after the one before",
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
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publishers deleted after at most one message",
        on="churn:brief_publishers",
        needs="start whole both",
        message="publisher {pub.id} of {pub.stream} is deleted after {pub.confirmed} confirmed "
        "messages, the {CHURN_LIMIT}th in a row with one at most",
        cause="A publisher is declared for each message, which costs three round trips instead of "
        "one frame; one publisher can send all messages to its stream.",
        source=f"{DOC}, DeclarePublisher; rabbitmq-stream-dotnet-client issue 388",
    ),
    Rule(
        id="RMQ-B3",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscriptions ended after at most one chunk",
        on="churn:brief_subscriptions",
        needs="start whole both",
        message="subscription {sub.id} of {sub.stream} is ended after {sub.chunks} chunks, the "
        "{CHURN_LIMIT}th in a row with one at most",
        cause="The client polls: it subscribes for each chunk, which costs two round trips more "
        "than Credit; a subscription continues as long as it receives credit.",
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
        healthy="A program that is ready to publish, and had nothing to publish yet.",
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
        message="{idle_connections.left} of {idle_connections.all} connections of one client "
        "neither published nor consumed nor managed anything",
        cause="The client opens connections to look streams up, and does not close them.",
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
        cause="The consumer was started again and its former subscription was not ended.",
        healthy="Two consumers of a program read the stream for themselves.",
        source="rabbitmq-stream-dotnet-client issue 205",
    ),
)

LEFT: Final = (
    Rule(
        id="RMQ-B6b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="replaced subscription that still receives messages",
        on="end:sub",
        when="sub.deliver_n > sub.replaced_n",
        needs="object both",
        evidence="sub.replaced_n, sub.deliver_n, sub.n",
        message="subscription {sub.id} of {sub.stream} still received messages after the client "
        "had subscribed again where it had got to: each message arrives twice",
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
)

WASTE: Final = (
    Rule(
        id="RMQ-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Publish with one message each (no batching)",
        on="ratio:single",
        needs="",
        message="{pub.single_count} of {pub.single_among} Publish frames of publisher {pub.id} had "
        "one message, although others waited for their confirms",
        cause="The client does not batch: a Publish may hold many messages, and costs the broker "
        "about as much as one.",
        healthy="Each message is sent without delay on purpose.",
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
        id="RMQ-B8",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offset stored for nearly every message",
        on="ratio:stored",
        needs="",
        message="{conn.stored_count} offsets were stored for {conn.stored_among} messages",
        cause="The client stores the offset after each message; each one is written to the stream "
        "itself, beside its messages. Storing it every few hundred messages or seconds is enough.",
        healthy="Few messages, of which none may be read twice.",
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
        cause="The subscription begins with credit 1, so that the broker waits a round trip for "
        "each chunk; with a credit of 2 and more it sends ahead.",
        healthy="The consumer is meant to have no more than one chunk in memory.",
        source=f"{DOC}, Credit",
    ),
    Rule(
        id="RMQ-B10",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="Metadata queries for one stream each",
        on="roundtrips:looked_up",
        needs="",
        message="Metadata asks for one stream, {LOOKUP_LIMIT} times in a row, each right after the "
        "answer to the one before",
        cause="Metadata takes a list: one request could ask for all of them.",
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
        "{stored_back.last}: a restart reads the messages between them again",
        cause="Messages are processed out of order, by several threads, and each stores its own "
        "offset.",
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
        cause="The consumer stores on a timer although it has not moved: each one is written to "
        "the stream.",
        healthy="There is nothing to consume.",
        source=f"{OSIRIS}, tracking chunks",
    ),
    Rule(
        id="RMQ-B13",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream consumed again from the start of an earlier subscription",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and resumed.stored is None and {WANTED} <= resumed.began and "
        f"(resumed.reached - resumed.began >= REREAD_LIMIT or {WANTED} < resumed.began)",
        needs="",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}}: the one before "
        "the lost connection began at {resumed.began} and had received the messages up to "
        "{resumed.reached - 1}",
        cause="After the connection was lost the client subscribes as at its start, and not after "
        "the last message that it received.",
        healthy="The program begins anew at each start on purpose.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset consumed again",
        on="resumption:resumed",
        when="sub.offset_type == 4 and sub.wanted == resumed.stored and resumed.stored > 0",
        needs="",
        evidence="req.n, resumed.stored_n",
        message="subscription {sub.id} of {sub.stream} begins at the stored offset "
        "{resumed.stored}, so that this message is consumed twice",
        cause="The stored offset is that of the last processed message: the next one is one "
        "higher.",
        healthy="The client stores the offset of the next message, or expects the repetition.",
        source=f"{DOC}, StoreOffset; rabbitmq-stream-java-client, offset tracking",
    ),
    Rule(
        id="RMQ-B13c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset queried but not used",
        on="resumption:resumed",
        when=f"{WANTED} < resumed.stored and resumed.stored > 0 and "
        "resumed.asked_n > resumed.stored_n",
        needs="",
        evidence="req.n, resumed.asked_n, resumed.stored_n",
        message="subscription {sub.id} of {sub.stream} begins before the stored offset "
        "{resumed.stored}, which the client has just asked for",
        cause="The client asks for its stored offset and does not use the answer.",
        healthy="The program reads the stream again on purpose.",
        source=f"{DOC}, QueryOffset",
    ),
    Rule(
        id="RMQ-B13d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="consumer that never stores its offset",
        on="resumption:resumed",
        when="resumed.asked_n is not None and resumed.stored is None and "
        "resumed.asked_n > resumed.former_n and resumed.reached > resumed.began and "
        f"{WANTED} <= resumed.began",
        needs="",
        evidence="req.n, resumed.asked_n, resumed.former_n",
        message="the client asks for the stored offset of {sub.stream} again, although nothing was "
        "stored for the messages up to {resumed.reached - 1}; subscription {sub.id} reads them "
        "again",
        cause="The client never stores an offset, or not this one (such as 0).",
        healthy="The program stopped before it stored the offset.",
        source="rabbitmq-stream-go-client issue 306",
    ),
    Rule(
        id="RMQ-B13e",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream read from the same place each time",
        on="resumption:resumed",
        when=f"{WANTED} <= resumed.began and resumed.again + 2 >= REREAD_ROUNDS and "
        "resumed.reached - resumed.began >= REREAD_LIMIT",
        needs="",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}}, the "
        "{REREAD_ROUNDS}rd one in a row that reads the messages from there: up to "
        "{resumed.reached - 1} each time",
        cause="Each run reads the whole stream: the client does not keep where it was.",
        healthy="The program needs all messages each time.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13f",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages received again after a lost connection",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and resumed.began < {WANTED} and "
        f"resumed.reached - {WANTED} >= REREAD_LIMIT",
        needs="",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}} after a lost "
        "connection, although messages up to {resumed.reached - 1} had been received",
        cause="The client resumes after the last message that it has processed, or miscounts the "
        "messages of a chunk.",
        healthy="What was received and not yet processed is wanted again.",
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
        message="subscription {sub.id} of {sub.stream} began at {sub.wanted}, but the one before "
        "it had only received the messages before {sub.resumed_after}: those between them are "
        "skipped, although the chunk at {chunk.chunk_id} has them",
        cause="The client adds one to its offset twice: to the stored one, and when it resumes.",
        healthy="Another consumer has read the messages between, or they are not wanted.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13h",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer of new messages that restarts at the first one",
        on="resumption:resumed",
        when=f"resumed.spec in (2, 3) and {WANTED} == 0",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins at 0, although the one before it "
        "was to begin with {'new messages' if resumed.spec == 3 else 'the last chunk'}",
        cause="The client has received nothing yet when it reconnects, and takes offset 0 for the "
        "place that it has reached.",
        healthy="Another consumer of the program reads the whole stream.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B17",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset of a message that was not delivered",
        on="store_offset",
        when="fields.offset >= max(coalesce(tail.next, 0), coalesce(tail.count, 0)) and "
        "tail.next > 0 and fields.offset <= FIRST_OFFSETS",
        needs="start whole both",
        message="offset {fields.offset} is stored for {reference} of {stream}, which was delivered "
        "up to offset {tail.next - 1}",
        cause="The client stores the offset after the last message, or that of another stream: a "
        "consumer that begins after it skips messages.",
        healthy="The messages were delivered before the capture began.",
        source=f"{DOC}, StoreOffset",
    ),
    Rule(
        id="RMQ-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="missing subscription after a reconnect",
        on="end:conn",
        when=f"conn.opened_n > before.read_n and count(before.read) > 0 and "
        f"({_UNUSED} and {_NAME} == {_FORMER} or t - conn.reread_t > RESTORED and "
        f"{_LEFT})",
        needs="start whole both",
        evidence="coalesce(C.beat_n, C.last_n), conn.opened_n, conn.used_n, before.read_n",
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
        title="missing publisher after a reconnect",
        on="end:conn",
        when=f"conn.opened_n > before.written_n and count(before.written) > 0 and "
        f"({_UNUSED} and {_NAME} == {_FORMER} or t - conn.rewritten_t > RESTORED and "
        f"{_LEFT})",
        needs="start whole both",
        evidence="coalesce(conn.used_n, C.last_n), conn.opened_n, C.last_n, before.written_n",
        message="the client is connected again for {t - conn.t:time} and has no publisher for "
        "{first(before.written)} again, to which it published before its connection was lost",
        cause="The client reconnects and does not restore all of its publishers, such as those of "
        "some partitions of a super stream.",
        healthy="The publisher was meant to end.",
        source="rabbitmq-stream-go-client issue 453",
    ),
    Rule(
        id="RMQ-B13i",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages skipped after a lost connection (offset specification next)",
        on="resumption:resumed",
        when="resumed.lost == 1 and sub.offset_type == 3 and sub.waiting > resumed.reached",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins with new messages after a lost "
        "connection: those from {resumed.reached} to {sub.waiting - 1}, published since, are "
        "skipped",
        cause="After the connection was lost the client subscribes as at its start, and not after "
        "the last message that it received.",
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
        "{taken_over.stored}, which was stored by the one before",
        cause="The client answers ConsumerUpdate with the offset specification of its start, and "
        "does not ask for the stored offset.",
        healthy="The consumer reads the stream again on purpose.",
        source="rabbitmq-stream-js-client issue 239",
    ),
    Rule(
        id="RMQ-A6c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new active consumer that skips messages",
        on="resumption:taken_over",
        when="offset_type == 3 and max(coalesce(tail.next, 0), coalesce(tail.count, 0)) > "
        "max(coalesce(taken_over.stored, -1) + 1, coalesce(taken_over.reached, 0)) or "
        "offset_type == 4 and fields.offset > max(taken_over.reached, "
        "coalesce(taken_over.stored, -1) + 1)",
        needs="",
        evidence="n, taken_over.stored_n, taken_over.former_n",
        message="the consumer that becomes active for {sub.stream} begins after messages that the "
        "one before had not received: {taken_over.reached} and later",
        cause="The client answers ConsumerUpdate with the offset specification of its start, such "
        "as next, or with an offset that is too high.",
        healthy="Only the latest messages are of interest.",
        source="PROTOCOL.adoc, ConsumerUpdate; rstream issue 178",
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
        message="the consumer that becomes active for {sub.stream} begins where the one before "
        "began, although that had received the messages up to {taken_over.reached - 1}",
        cause="No offset is stored, so that each new active consumer consumes the stream from its "
        "start.",
        healthy="The consumers are meant to read the stream from its start.",
        source="rabbitmq-stream-js-client issue 239",
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
        cause="Brokers keep one publishing id for each reference: what one of them publishes with "
        "an id below the other's is confirmed and dropped.",
        source=f"{OSIRIS}, writer sequences; rabbitmq-stream-java-client issue 986",
    ),
    Rule(
        id="RMQ-A7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="single active consumers under different generated names",
        on="subscribe",
        when="item(properties, 'single-active-consumer') == 'true' and groups.live >= 1 and "
        "groups.live == count(groups.names) and not has(groups.names, item(properties, 'name'))",
        predicate=request_predicates.has_generated_name,
        reads="properties groups.latest",
        needs="",
        of="groups",
        evidence="n, groups.latest_n, groups.former_n",
        message="single active consumers of {stream} have the names {found}: each is alone in its "
        "group, so that all are active and receive every message",
        cause="The name has something that differs for each instance, such as a UUID; members of "
        "a group have one name.",
        source=f"{READER}, single_active_consumer; rabbitmq-stream-js-client issue 216",
    ),
    Rule(
        id="RMQ-A8",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="single active consumer of a partition without super-stream",
        on="subscribe",
        when="item(properties, 'single-active-consumer') == 'true' and "
        "item(properties, 'super-stream') is None and has(machine.partitions, stream)",
        needs="",
        per="client, conn.vhost",
        message="subscription {subscription_id} to the partition {stream} has no property "
        "super-stream: the broker does not spread the partitions over the consumers",
        cause="Without it one consumer becomes active for all partitions, and the others wait.",
        source=f"{READER}, single_active_consumer; rabbitmq-stream-js-client issue 217",
    ),
    Rule(
        id="RMQ-A9",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="offset stored by a consumer that is no longer active",
        on="store_offset",
        when="t - standby.since > RACE",
        needs="",
        of="standby",
        evidence="n, standby.left_n",
        message="offset {fields.offset} is stored for {fields.reference} of {stream}, although the "
        "consumer of this connection has not been active since frame {standby.left_n}",
        cause="The client goes on with what it had received: the offset of the new active consumer "
        "is overwritten.",
        source=f"{DOC}, ConsumerUpdate, StoreOffset",
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
        message="the client asks for the offset of {req.reference} in {req.stream}, the "
        "{count(asking.names) + 1}th name for which nothing is stored, each on another connection",
        cause="The name changes with each start, so that the stored offset is never found.",
        healthy="As many different consumers of one stream begin for the first time.",
        source=f"{DOC}, QueryOffset",
    ),
    Rule(
        id="RMQ-B14",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer name shared by two consumers that store offsets",
        on="alternation:shared_tracking",
        needs="",
        message="two connections store offsets for {fields.reference} of {stream} in turn: here "
        "{fields.offset}",
        cause="Two consumers have the same name and are not single active consumers: the offset of "
        "one overwrites the other's.",
        source=f"{DOC}, StoreOffset; {READER}, store_offset",
    ),
    Rule(
        id="RMQ-B16",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="super stream used as a stream",
        on="store_offset query_offset subscribe declare_publisher",
        when="has(conn.super_streams, stream)",
        needs="",
        message="{name} names the super stream {stream}, which is no stream: its partitions are",
        cause="The client uses the name of the super stream where that of a partition belongs; "
        "brokers ignore StoreOffset silently and refuse the others.",
        source=f"{READER}, store_offset; rabbitmq-stream-go-client issue 303",
    ),
)

SIDES: Final = (
    Rule(
        id="RMQ-B15",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="filter that no published message matches",
        on="mismatch:filtered",
        needs="",
        message="subscription {sub.id} of {sub.stream} filters for '{sub.filter}' and received "
        "nothing; no message published in these captures has this filter value",
        cause="The publisher sets no filter value, or another one; messages without one are only "
        "delivered with match-unfiltered.",
        healthy="Messages with this value are published by programs that were not captured.",
        source=f"{DOC}, Subscribe; rabbitmq-stream-js-client issue 235",
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
        "arrives.",
        source=f"{CORE}, close; rabbitmq-stream-rust-client issue 286",
    ),
)

BEHAVIOURS: Final = (
    *LOOPS, *CHURN_AND_LEAKS, *LEFT, *WASTE, *OFFSETS, *NAMES, *SIDES, *ALLOWED,
)  # fmt: skip
