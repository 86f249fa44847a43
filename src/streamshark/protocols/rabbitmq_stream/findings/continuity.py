"""Rules for how clients go on: after a lost connection, a close, a stored offset, used credit."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import (
    message_keys,
    message_predicates,
    request_predicates,
)
from streamshark.protocols.rabbitmq_stream.behaviours import CLIENT_LEAVES, WANTED
from streamshark.protocols.rabbitmq_stream.continuity import YOUNG
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, OSIRIS, READER
from streamshark.protocols.rabbitmq_stream.findings.subscriptions import WAITING

_NAMED: Final = "len(pub.reference) > 0"
_FIRST_ID: Final = "first(published_messages.publishing_id)"
_ALIVE: Final = f"(why in ('end', 'removed') or {CLIENT_LEAVES})"
"""The broker has not ended the subscription."""

_DROPPED: Final = (
    "why in ('closed', 'reset') and C.close_n is None and conn.first_fin == C.side and "
    "conn.fin_t - sub.head_t < STOPPED"
)
"""The client has dropped the connection just after a chunk."""
_STALLED: Final = (
    "sub.initial < sub.granted < sub.initial + sub.chunks and t - sub.last_t > STARVING and "
    f"(why == 'end' or {CLIENT_LEAVES})"
)
"""The client has given credit for some chunks, but not for the last ones."""

PUBLISHED: Final = (
    *(
        Rule(
            id=f"RMQ-B71{letter}",
            severity=severity,
            group=Group.SEQUENCE,
            title=f"unconfirmed messages of {whose} publisher never sent again",
            on="end:pub",
            when=f"cut.open > 0 and cut.flow != flow and cut.over_n < pub.n and {condition}",
            needs="object both",
            evidence="pub.low_n, cut.open_n, cut.sent_n",
            message="{cut.open:count message} for {pub.stream} had no confirm when the connection "
            "was lost (up to publishing id {cut.top}); the next publisher begins with id "
            "{pub.begins} and sends none of them again",
            cause="The client drops unconfirmed messages when its connection is lost: those that "
            "the broker had not stored are lost.",
            source=f"{DOC}, Publish, PublishConfirm; {OSIRIS}, writer sequences",
            healthy=healthy,
        )
        for letter, severity, whose, condition, healthy in (
            (
                "",
                Severity.WARNING,
                "a named",
                f"{_NAMED} and pub.low > cut.top and coalesce(pub.stored, -1) < cut.top",
                "",
            ),
            (
                "b",
                Severity.NOTE,
                "an unnamed",
                f"not ({_NAMED}) and pub.begins == cut.top + 1 and pub.low > cut.top",
                "The program learns of each message without a confirm, and needs it no more.",
            ),
        )
    ),
    Rule(
        id="RMQ-B72",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publishing ids of a named publisher out of order",
        on="publish",
        when=f"{_NAMED} and (pub.gap_from <= {_FIRST_ID} <= pub.gap_to or "
        "coalesce(pub.kept, 0) < SENT_MOST and unordered(published_messages.publishing_id))",
        needs="object both",
        evidence="n, pub.gap_n",
        message="publisher '{pub.reference}' sends publishing id "
        "{least(published_messages.publishing_id)} after a higher one, for the first time: the "
        "broker confirms the message but drops it",
        cause="Threads take an id each and send in another order, or several messages have one "
        "id: the broker stores a message only if its id is above all before it.",
        source=f"{OSIRIS}, writer sequences; {DOC}, Publish",
    ),
    Rule(
        id="RMQ-B73",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publishing id of a stored message used for another message",
        on="publish",
        when=f"{_NAMED} and coalesce(pub.kept, 0) < SENT_MOST and ({_FIRST_ID} <= pub.top or "
        f"coalesce(pub.kept, 0) < STORED_MOST and {_FIRST_ID} <= pub.stored)",
        predicate=message_predicates.is_other_content,
        reads="published_messages outbox.sent pub.stored pub.top",
        needs="object both",
        evidence="n, pub.n",
        message="publisher '{pub.reference}' of {pub.stream} sends another message under "
        "{found}: the broker confirms it but drops it",
        cause="The counter begins too low: at the stored id itself instead of the next one, or "
        "from the start again.",
        source=f"{DOC}, QueryPublisherSequence; {OSIRIS}, writer sequences",
        echo_of="RMQ-I6b RMQ-I11",
    ),
    Rule(
        id="RMQ-B75",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages of an ended publisher published again without a name",
        on="end:pub",
        when=f"not ({_NAMED}) and pub.sampled >= 3 and cut.confirmed >= 3 and cut.flow != flow "
        "and cut.over_n < pub.n",
        predicate=message_predicates.are_sent_before,
        reads="pub.samples cut.samples",
        needs="object both",
        evidence="pub.first_sample_n, cut.sample_n, pub.sample_n",
        message="publisher {pub.id} of {pub.stream} sends {found} that an earlier connection of "
        "the program had sent, and that were confirmed: they are stored twice",
        cause="The program begins anew with all messages. With a publisher reference and "
        "publishing ids that belong to the messages the broker drops those that it has.",
        source=f"{DOC}, DeclarePublisher, Publish; {OSIRIS}, writer sequences",
        healthy="A program whose messages are the same in each run.",
    ),
    Rule(
        id="RMQ-B76",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published to the stream that they were delivered from",
        on="publish",
        when=f"topic.returned + 1 >= LOOP_LIMIT and {YOUNG} and "
        "t - topic.delivered_t <= LOOP_TIME and topic.delivered != topic.former and "
        "digest(first(published_messages.message)) == topic.delivered",
        needs="",
        of="topic",
        evidence="n, topic.delivered_n",
        message="{LOOP_LIMIT} messages in a row that are published to {pub.stream} had just been "
        "delivered from it",
        cause="The program publishes what it reads to the stream that it reads, for instance to "
        "try a message again: each message comes back and is published once more.",
        source=f"{DOC}, Publish, Deliver",
        healthy="Messages that happen to have the same content.",
    ),
    Rule(
        id="RMQ-B85",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published again in the same order",
        on="end:pub",
        when="pub.sampled >= 6",
        predicate=message_predicates.is_periodic,
        reads="pub.samples",
        needs="",
        evidence="pub.sample_n, pub.first_sample_n",
        message="publisher {pub.id} sent its first messages to {pub.stream} once more: {found}",
        cause="The program begins its work again, or sends everything again because one message "
        "was not confirmed in time: consumers receive it twice.",
        source=f"{DOC}, Publish, PublishConfirm",
        healthy="A cycle of values, such as those of a test.",
    ),
    Rule(
        id="RMQ-B91",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same messages published on two connections at once",
        on="publish",
        when=f"{YOUNG} and topic.sent_flow != flow and "
        "topic.sent_flow >= 0 and coalesce(topic.both, 0) + 1 >= BOTH_LIMIT and "
        "t - topic.sent_t <= AT_BOTH and t - topic.hit_t <= BOTH_PAUSE and "
        "digest(first(published_messages.message)) == topic.sent",
        needs="",
        of="topic",
        evidence="n, topic.sent_n",
        message="{BOTH_LIMIT} messages for {pub.stream} were published with the same content on "
        "two connections, each within {AT_BOTH:time}: they are stored twice",
        cause="Instances of a program, such as replicas with a timer each, do not agree on which "
        "of them publishes.",
        source=f"{DOC}, Publish",
        healthy="Programs whose messages happen to be equal, or publishers of one name.",
        echo_of="RMQ-I10",
    ),
    *(
        Rule(
            id="RMQ-U22",
            severity=Severity.NOTE,
            group=Group.ASSUMPTION,
            title="messages that are not in AMQP 1.0, in a stream that is read",
            on=f"end:{life}",
            when=condition,
            needs="",
            per=f"conn.vhost, {life}.stream",
            evidence=evidence,
            message=f"the messages for {{{life}.stream}} are bare bytes and no messages of AMQP "
            "1.0, which clients of streams decode by default",
            cause="The program publishes what it has not encoded: consumers that decode AMQP 1.0 "
            "fail at each message.",
            source="AMQP 1.0 part 3, 3.2; rstream, raw messages and amqp_decoder",
            healthy="The consumers read bare bytes as well.",
            echo_of="RMQ-B28",
        )
        for life, condition, evidence in (
            (
                "pub",
                "pub.format == 'other' and consumed.read_n is not None",
                "pub.format_n, pub.sample_n",
            ),
            ("sub", "content.format == 'other'", "content.first_n, sub.n"),
        )
    ),
    Rule(
        id="RMQ-B87",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="one message published over and over",
        on="end:pub",
        when="pub.sampled >= 5",
        predicate=message_predicates.is_constant,
        reads="pub.samples",
        needs="",
        evidence="pub.sample_n, pub.first_sample_n",
        message="the messages of publisher {pub.id} to {pub.stream} are all the same: {found}",
        cause="A retry does not see that the message was confirmed, or the program sends a value "
        "that does not change.",
        source=f"{DOC}, Publish, PublishConfirm",
        healthy="A sign of life, or a test.",
        echo_of="RMQ-B76",
    ),
)

SPREAD: Final = (
    Rule(
        id="RMQ-B90",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same messages in several partitions",
        on="publish",
        when="pub.part_of is not None and coalesce(pub.shown, 0) < KEYED_MOST and "
        "3 <= count(spread.messages) < SPREAD_MOST",
        needs="",
        of="spread",
        predicate=message_keys.has_copies,
        reads="spread.messages client pub.stream published_messages",
        evidence="n, spread.other_n",
        message="{found} that are published to {pub.stream} are in another partition of "
        "{pub.part_of} as well",
        cause="The client sends each message to all partitions, or to another one when it sends it "
        "again: consumers of the super stream receive it several times.",
        source="rabbitmq.com, Super Streams",
        healthy="Messages for all consumers, such as settings.",
        echo_of="RMQ-B32 RMQ-B32b",
    ),
)

OFFSETS: Final = (
    Rule(
        id="RMQ-B77",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset that the subscription has not reached",
        on="end:sub",
        when="sub.beyond_n is not None and conn.twin_n is None",
        needs="object both",
        evidence="sub.beyond_n, sub.n",
        message="offset {sub.beyond} of {sub.stream} was stored when messages only up to "
        "{sub.beyond_next - 1} had been delivered to subscription {sub.id}",
        cause="The client stores the end of the stream, an offset of another stream, or a number "
        "that is no offset: a consumer that resumes there skips messages.",
        source=f"{DOC}, StoreOffset",
        healthy="The offset of another consumer, or one that is set on purpose.",
        echo_of="RMQ-B17 RMQ-D13b",
    ),
    Rule(
        id="RMQ-B77b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset before the subscription's first message",
        on="end:sub",
        when="sub.below >= BELOW_LIMIT and conn.twin_n is None",
        needs="object both",
        evidence="sub.below_n, sub.n",
        message=f"offset {{sub.below_at}} of {{sub.stream}} was stored, although subscription "
        f"{{sub.id}} began at {{max(sub.first_chunk, coalesce({WANTED}, 0))}}: its messages are "
        "read again after a restart",
        cause="The client stores how many messages it has processed, or handles the messages "
        "before the requested offset that the first chunk has as well.",
        source=f"{DOC}, StoreOffset; Subscribe, Offset Specification",
        healthy="The consumer is set back on purpose.",
        echo_of="RMQ-B11",
    ),
    Rule(
        id="RMQ-A6f",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new active consumer repeating the message at the stored offset",
        on="resumption:taken_over",
        when="offset_type == 4 and fields.offset == taken_over.stored and taken_over.stored > 0",
        needs="",
        evidence="n, taken_over.stored_n",
        message="the consumer that becomes active for {sub.stream} begins at the stored offset "
        "{taken_over.stored}, so this message is consumed twice",
        cause="The stored offset is that of the last processed message: begin at the next one.",
        source=f"{DOC}, ConsumerUpdate, StoreOffset",
        healthy="The client stores the offset of the next message, or expects the repetition.",
    ),
)

CONSUMERS: Final = (
    Rule(
        id="RMQ-B74",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="credit renewed only when it is used up",
        on="ratio:drained",
        needs="object both",
        message="{sub.drained_count} of {sub.drained_among} Credit frames for subscription "
        "{sub.id} of {sub.stream} came when no credit was left, although it began with "
        "{sub.initial}",
        cause="The broker waits a round trip each time: give credit for each chunk, or at half of "
        "the initial credit.",
        source=f"{DOC}, Credit",
        healthy="All chunks are processed before the next ones may come.",
    ),
    Rule(
        id="RMQ-B78",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription without a delivery although messages wait",
        on="end:sub",
        when="sub.chunks == 0 and sub.balance > 0 and sub.selects is None and "
        "coalesce(sub.single, '') != 'true' and t - sub.t > STARVING and "
        f"{_ALIVE} and (sub.offset_type in (1, 2) and {WAITING} > coalesce(tail.begun, 0) or "
        f"sub.offset_type == 4 and {WAITING} > sub.wanted or "
        f"sub.offset_type == 3 and {WAITING} > sub.waiting and "
        "max(coalesce(tail.fed_t, 0), coalesce(tail.next_t, 0)) > sub.t)",
        needs="object both",
        evidence="sub.n",
        message="subscription {sub.id} of {sub.stream} has credit and received nothing for "
        "{t - sub.t:time}, although messages were published",
        cause="The node has no running replica of the stream, or its replica is far behind.",
        source=f"{READER}, send_chunks",
        healthy="The messages were published just before the subscription ended.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B79",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="stream that is read, and one with nearly its name that is published to",
        on="end:sub",
        when="sub.chunks == 0 and sub.used_by_n is not None and count(there.written) > 0 and "
        "not has(there.written, sub.stream)",
        predicate=request_predicates.is_nearly_written,
        reads="sub.stream there.written there.read",
        needs="",
        evidence="sub.n, there.written_n",
        message="subscription {sub.id} of {sub.stream} received nothing; in these captures {found} "
        "is published to, and has no subscription",
        cause="The name of one of the two is misspelt, and both streams exist.",
        source=f"{DOC}, Subscribe, DeclarePublisher",
        healthy="Two streams with similar names.",
    ),
    Rule(
        id="RMQ-B89",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="filter that leaves out no chunk although messages have several values",
        on="end:sub",
        when="sub.selects == 1 and sub.chunks >= FILTERED_LIMIT and "
        "sub.messages == sub.next - sub.first_chunk and count(topic.values) >= FILTERED_VALUES",
        needs="object both",
        evidence="sub.n, sub.deliver_n",
        message="subscription {sub.id} of {sub.stream} has a filter, but received all "
        "{sub.chunks} chunks from {sub.first_chunk} to {sub.next - 1}; the messages that were "
        "published have {count(topic.values)} filter values or more",
        cause="Filters leave out whole chunks, and each chunk has messages of all values: publish "
        "those of one value together, or to streams of their own.",
        source="rabbitmq.com, Stream Filtering; rabbitmq-stream-dotnet-client issue 451",
        healthy="Few messages, or a filter for nearly all values.",
    ),
    Rule(
        id="RMQ-B81",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="TCP zero window of a client with subscriptions",
        on="client:tcp.zero_window",
        when="live(sub) > 0",
        needs="",
        of="conn",
        evidence="S.last_n",
        message="the client has closed its TCP window while it has {live(sub):count subscription}",
        cause="The client does not read what it has given credit for: its handler blocks the "
        "connection, or the credit is too large.",
        source="RFC 9293, 3.8.6, Managing the Window",
        healthy="A short pause under load.",
    ),
    Rule(
        id="RMQ-B82",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="slow answer to ConsumerUpdate",
        on="client:consumer_update_response",
        when="t - req.t > SLOW_UPDATE",
        needs="",
        of="sub",
        evidence="n, req.n",
        message="ConsumerUpdate for subscription {req.subscription_id} of {sub.stream} was "
        "answered after {t - req.t:time}: until then no consumer of the group is active",
        cause="The client finishes its work, or looks up its offset, before it answers.",
        source=f"{DOC}, ConsumerUpdate",
        healthy="The former consumer stores its offset before another one takes over.",
    ),
    Rule(
        id="RMQ-B83",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="active consumer of a group that changes often",
        on="repetition:turns",
        needs="",
        message="for the {TURNS_LIMIT}th time in a row, at most {TURNS_PAUSE:time} apart, another "
        "consumer of the group {sub.reference} becomes active for {sub.stream}",
        cause="Members of the group come and go, for instance because they fail or connect again "
        "for each task: with each change messages are read again, or wait.",
        source=f"{DOC}, ConsumerUpdate; rabbitmq.com, Single Active Consumer",
        healthy="A program that is updated instance by instance.",
    ),
)

BRIEF: Final = (
    Rule(
        id="RMQ-B2b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publishers deleted after a few messages",
        on="churn:few_messages",
        needs="start whole both",
        message="{BRIEF_LIMIT} publishers in a row were deleted after at most {FEW_MESSAGES} "
        "messages; the last was publisher {pub.id} of {pub.stream}",
        cause="The client declares a publisher for each task, which costs two round trips; one "
        "publisher can send all messages to its stream.",
        source=f"{DOC}, DeclarePublisher; rabbitmq-stream-dotnet-client issue 388",
        healthy="Tasks that seldom come.",
    ),
    Rule(
        id="RMQ-B3b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscriptions ended after a few chunks",
        on="churn:few_chunks",
        needs="start whole both",
        message="{BRIEF_LIMIT} subscriptions in a row were ended after at most {FEW_CHUNKS} "
        "chunks; the last was subscription {sub.id} of {sub.stream}",
        cause="The client subscribes for each task or page, which costs two round trips; a "
        "subscription continues as long as it receives credit.",
        source=f"{DOC}, Subscribe, Credit",
        healthy="Tasks that seldom come.",
    ),
    Rule(
        id="RMQ-B93",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections left open after their use",
        on="leak:freed",
        needs="",
        message="{freed.left} of {freed.all} connections of one client were left open, without "
        "Close, after their last publisher or subscription had ended",
        cause="The client ends its consumers and producers, and not the connection that it made "
        "for them: connections pile up.",
        source=f"{DOC}, Close; rabbitmq-stream-rust-client issue 235",
        healthy="A pool of connections that waits for the next use.",
        echo_of="RMQ-B254",
    ),
    Rule(
        id="RMQ-B94",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="end of a stream connection that its client does not notice",
        on="end:sub",
        when="why in ('closed', 'end') and conn.first_fin == S.side and conn.gone is None and "
        "C.close_n is None and t - conn.fin_t > HALF_OPEN",
        needs="object both",
        of="conn",
        evidence="sub.n, coalesce(C.last_n, sub.n)",
        message="the broker closed the connection {t - conn.fin_t:time} before the captures end, "
        "and the client has not closed its side: subscription {sub.id} of {sub.stream} is lost",
        cause="The client does not watch its connection, or its error handler does nothing: it "
        "has to close its side and connect again.",
        source=f"{CORE}, close; rabbitmq-server issue 10550",
    ),
    Rule(
        id="RMQ-B94",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="end of a stream connection that its client does not notice",
        on="end:pub",
        when="why in ('closed', 'end') and conn.first_fin == S.side and conn.gone is None and "
        "C.close_n is None and t - conn.fin_t > HALF_OPEN",
        needs="object both",
        of="conn",
        evidence="pub.n, coalesce(C.last_n, pub.n)",
        message="the broker closed the connection {t - conn.fin_t:time} before the captures end, "
        "and the client has not closed its side: publisher {pub.id} of {pub.stream} is lost",
        cause="The client does not watch its connection, or its error handler does nothing: it "
        "has to close its side and connect again.",
        source=f"{CORE}, close; rabbitmq-server issue 10550",
    ),
    *(
        Rule(
            id=f"RMQ-B95{letter}",
            severity=severity,
            group=Group.SEQUENCE,
            title=f"consumer that {title} at a message of another form",
            on="end:sub",
            when=f"count(sub.heads) > 1 and {condition}",
            predicate=message_predicates.stops_at_another_form,
            reads="sub.heads sub.granted sub.initial sub.chunks",
            needs="object both",
            evidence="coalesce(sub.odd_n, sub.deliver_n), sub.deliver_n",
            message="subscription {sub.id} of {sub.stream} ends or waits at the first chunk that "
            "begins with {found}, unlike the chunks before",
            cause="The consumer cannot read what another program has published: it has to decode "
            "such a message, or to skip it.",
            source="AMQP 1.0 part 3, 3.2; rabbitmq-stream-dotnet-client issue 371",
            healthy=healthy,
        )
        for letter, severity, title, condition, healthy in (
            (
                "",
                Severity.WARNING,
                "fails or waits",
                f"({_DROPPED} or {_STALLED})",
                "A program that is stopped just then.",
            ),
            (
                "b",
                Severity.NOTE,
                "ends",
                (
                    "(why == 'removed' or C.close_n is not None) and t - sub.head_t < STOPPED and "
                    f"({WAITING} > sub.next or sub.granted < sub.initial + sub.chunks - 1)"
                ),
                "A program that has read all that it needs.",
            ),
        )
    ),
    Rule(
        id="RMQ-B96",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription ended by the broker and never made again",
        on="end:lapsed",
        when="t - lapsed.since_t > RECOVERY and topic.fed_t > lapsed.since_t + RETURNED",
        needs="",
        evidence="lapsed.sub_n, lapsed.got_n",
        message="the broker ended the connection of the subscription to {lapsed.stream}, which "
        "had received messages up to {lapsed.next - 1}; its client has not subscribed again for "
        "{t - lapsed.since_t:time}, although messages are published again",
        cause="The consumer does not reconnect: it has to watch its connection, and to subscribe "
        "again from where it stopped.",
        source=f"{CORE}, close; rabbitmq-server issue 10550",
        healthy="The consumer's program was stopped as well.",
        echo_of="RMQ-B18 RMQ-B94",
    ),
    Rule(
        id="RMQ-B92",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client connections that end at the same frame of the broker",
        on="repetition:gone",
        when="S.sign not in ('heartbeat', 'credit_response')",
        needs="whole both",
        evidence="S.sign_n, gone.second_n, gone.first_n",
        message="{GONE_LIMIT} connections in a row were ended by the client, without Close, within "
        "{GONE:time} after the broker's {S.sign}",
        cause="The client fails when it handles the frame, and is started again.",
        source=f"{DOC}, ConsumerUpdate, MetadataUpdate, PublishError",
        healthy="A client that connects anew on purpose when its stream has moved.",
    ),
    Rule(
        id="RMQ-B92b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client connection that ends at a frame of the broker",
        on="client:tcp.close client:tcp.reset",
        when="S.sign_n == S.last_n and t - S.last_t < GONE and conn.close_n is None and "
        "coalesce(conn.first_fin, C.side) == C.side and S.sign != 'heartbeat'",
        needs="whole both",
        evidence="S.sign_n",
        message="the client ended the connection, without Close, within {GONE:time} after the "
        "broker's {S.sign}",
        cause="The client fails when it handles the frame.",
        source=f"{DOC}, ConsumerUpdate, MetadataUpdate, PublishError; rabbitmq-stream-js-client "
        "issue 242",
        healthy="A client that connects anew on purpose when its stream has moved.",
        echo_of="RMQ-B92 RMQ-X4b",
    ),
    Rule(
        id="RMQ-B92c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client connections that end at Heartbeat or CreditResponse of the broker",
        on="repetition:gone",
        when="S.sign in ('heartbeat', 'credit_response')",
        needs="whole both",
        evidence="S.sign_n, gone.second_n, gone.first_n",
        message="{GONE_LIMIT} connections in a row were ended by the client, without Close, within "
        "{GONE:time} after the broker's {S.sign}",
        cause="The client does not expect the frame, or reads it wrongly, and fails when it comes.",
        by="S.sign",
        causes={
            "heartbeat": "The client does not expect Heartbeat and fails when it comes: both sides "
            "send it at any time.",
            "credit_response": "The client fails to read CreditResponse, which has a code and the "
            "id of the subscription, and no correlation id.",
        },
        source=f"{DOC}, Heartbeat, Credit; rabbitmq-stream-elixir-client pull request 22",
    ),
    Rule(
        id="RMQ-B140",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="connections that the broker ends at the same place of a stream",
        on="repetition:dies_at",
        needs="whole both",
        per="client, server, conn.vhost",
        evidence="sub.credit_n, dies_at.second_n, dies_at.first_n",
        message="{GONE_LIMIT} connections in a row were ended by the broker, without Close, within "
        "{GONE:time} after Credit; the subscription to {sub.stream}, for one, had received "
        "messages up to {sub.next - 1} each time",
        cause="The broker fails when it reads what follows in a stream of the connection: all that "
        "the connection carries is lost, and the client comes back to the same place.",
        source=f"{READER}, send_chunks; rabbitmq-server pull request 16502",
        guilty="server",
    ),
)

CONNECTIONS: Final = (
    Rule(
        id="RMQ-B70",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client continuing after the broker's Close",
        on="forbidden:after_close",
        needs="",
        evidence="n, S.close_n",
        message="the client sent {name} {t - S.close_t:time} after the broker's Close in frame "
        "{S.close_n}",
        cause="The client does not process Close: it has to answer it and stop; the broker ignores "
        "what it sends, and ends the connection.",
        source=f"{DOC}, Close; {READER}, close_sent",
    ),
    Rule(
        id="RMQ-B80",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="heartbeats disabled by the client",
        on="tune_response",
        when="heartbeat == 0 and S.heartbeat > 0",
        needs="",
        per="client, server",
        message="the client disables heartbeats; the broker offers an interval of {S.heartbeat} s",
        cause="Neither side notices that the other one is gone, as long as it sends nothing.",
        source=f"{DOC}, Tune; {CORE}, parse_request",
        healthy="A short-lived program, or one that watches TCP.",
    ),
    Rule(
        id="RMQ-B86",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="authentication renewed with the same token",
        on="sasl_authenticate",
        when="conn.state == 'open' and sasl_opaque_data == conn.token",
        needs="",
        of="conn",
        evidence="n, conn.token_n",
        message="SaslAuthenticate has the token of frame {conn.token_n} once more",
        cause="The client renews its authentication without a new token: the old one expires all "
        "the same.",
        source=f"{READER}, handle_frame_post_auth; rabbitmq.com, OAuth 2",
        healthy="The provider of tokens keeps giving the same one.",
    ),
)

CONTINUITY: Final = (*BRIEF, *CONNECTIONS, *PUBLISHED, *SPREAD, *OFFSETS, *CONSUMERS)
"""Rules about what clients go on with."""
