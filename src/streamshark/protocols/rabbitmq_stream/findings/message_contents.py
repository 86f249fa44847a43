"""Rules about what messages contain: times, bodies, properties, compression."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import message_predicates as predicates
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS

_PROPERTIES: Final = "AMQP 1.0 part 3, 3.2.4, Properties"
_YOUNG: Final = "coalesce(pub.sampled, 0) < SAMPLE and size < SAMPLED_SIZE"
"""The publisher has sent few messages so far."""
_OF_STREAM: Final = "client, conn.vhost, pub.stream"


def _of_samples(life: str) -> tuple[Rule, ...]:
    """Return rules about the samples of publishers, or of subscriptions.

    The latter are to streams whose publishers were not captured.
    """
    return (
        Rule(
            id="RMQ-U11b",
            severity=Severity.NOTE,
            group=Group.ASSUMPTION,
            title="creation time of a message in the future",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_future_time,
            reads=f"{life}.samples {life}.sample_t",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"the creation-time of messages for {{{life}.stream}} is {{found}} ahead of "
            "the capture",
            cause="The program takes its local time for UTC, or its clock is wrong.",
            healthy="The clock of the host that captured is behind.",
            source=_PROPERTIES,
        ),
        Rule(
            id="RMQ-U13",
            severity=Severity.NOTE,
            group=Group.PROTOCOL,
            title="misspelt or malformed content-type",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_odd_content_type,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"the content-type of messages for {{{life}.stream}} is {{found}}",
            cause="The name is misspelt, or a setting of another kind.",
            healthy="A type that the programs have agreed on.",
            source=f"{_PROPERTIES}; RFC 9110, 8.3.1, Media Type",
        ),
        Rule(
            id="RMQ-U14",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="one message-id for different messages",
            on=f"end:{life}",
            when=f"count({life}.samples) >= 5",
            predicate=predicates.has_constant_id,
            reads=f"{life}.samples",
            needs="object",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"messages with different bodies for {{{life}.stream}} have one message-id, "
            f"{{found}}",
            cause="The id is made once, for instance with the producer or a template of the "
            "message: consumers that recognise repeated messages by it drop all but the first.",
            healthy="The programs use message-id for something that messages share.",
            source=_PROPERTIES,
        ),
        Rule(
            id="RMQ-U15",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="one trace context for all messages, or an invalid one",
            on=f"end:{life}",
            when=f"count({life}.samples) >= 5",
            predicate=predicates.has_constant_trace,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"the trace contexts of messages for {{{life}.stream}} do not tell them "
            f"apart: {{found}}",
            cause="The context is made once and never renewed, or there is no active span: traces "
            "join what does not belong together.",
            healthy="All messages belong to one task, which is one span.",
            source="AMQP 1.0 part 3, 3.2.5; W3C Trace Context, traceparent Header",
        ),
        Rule(
            id="RMQ-U17",
            severity=Severity.NOTE,
            group=Group.PROTOCOL,
            title="time to live of messages, which streams do not honour",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_time_to_live,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"messages for {{{life}.stream}} have {{found}}, but messages of a stream do "
            "not expire",
            cause="Streams drop segments by max-age and max-length-bytes only.",
            healthy="Consumers go by the value themselves.",
            source=f"{OSIRIS}, evaluate_retention; rabbitmq.com, Streams, Feature Comparison",
        ),
        Rule(
            id="RMQ-U17b",
            severity=Severity.NOTE,
            group=Group.PROTOCOL,
            title="priority of messages, which streams do not honour",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_priority,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"messages for {{{life}.stream}} have {{found}}, but a stream keeps their "
            "order",
            cause="Priorities are those of queues; streams deliver messages as they were "
            "published.",
            healthy="Consumers go by the value themselves.",
            source="AMQP 1.0 part 3, 3.2.1, Header; rabbitmq.com, Streams, Feature Comparison",
        ),
        Rule(
            id="RMQ-U19",
            severity=Severity.NOTE,
            group=Group.PROTOCOL,
            title="annotation or property that streams do not honour",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_foreign_mark,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"messages for {{{life}.stream}} have the key {{found}}",
            cause="The program was written for another protocol or another kind of queue; a stream "
            "keeps the key and does nothing.",
            healthy="The message was forwarded from a queue.",
            source="rabbitmq.com, Streams, Feature Comparison; Stream Filtering",
        ),
        Rule(
            id="RMQ-B88",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="key twice in a map of a message",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_repeated_key,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"messages for {{{life}.stream}} have the key {{found}} twice in one map",
            cause="The program and a library both set it: consumers use one of the values, or "
            "refuse the message.",
            source="AMQP 1.0 part 1, 1.6.23, map",
        ),
        Rule(
            id="RMQ-U20",
            severity=Severity.NOTE,
            group=Group.MALFORMED,
            title="message of AMQP 1.0 without a body",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_no_body,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"a message for {{{life}.stream}} has {{found}}, and no body section",
            cause="The client leaves the body out when it is empty: a message of AMQP 1.0 has "
            "one, and strict decoders refuse it.",
            healthy="A message that is nothing but its properties; rabbitmq-stream-rust-client "
            "sends such.",
            source="AMQP 1.0 part 3, 3.2, Message Format",
        ),
        Rule(
            id="RMQ-U21",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="bodies of messages as encoded text",
            on=f"end:{life}",
            when=f"{life}.sampled > 0",
            predicate=predicates.has_text_of_bytes,
            reads=f"{life}.samples",
            needs="",
            per=f"client, conn.vhost, {life}.stream",
            evidence=f"{life}.sample_n, {life}.first_sample_n",
            message=f"the bodies of messages for {{{life}.stream}} are {{found}}",
            cause="The program encodes its bodies as text, although bodies are bytes: each "
            "message is a third larger, or twice as large.",
            healthy="The messages come from a system that passes on text only.",
            source="AMQP 1.0 part 3, 3.2.6, Data",
        ),
    )


MESSAGE_CONTENTS: Final = (
    Rule(
        id="RMQ-U10",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="compression that does not pay",
        on="ratio:unpaid",
        needs="",
        message="{pub.unpaid_count} of the first {pub.unpaid_among} Publish frames of publisher "
        "{pub.id} to {pub.stream} have a compressed sub-batch that is no smaller, or hardly "
        "smaller, than its messages",
        cause="The messages are few, short, random, or compressed already: compression costs time "
        "on both sides and saves nothing.",
        healthy="Other messages of the publisher compress well.",
        source=f"{DOC}, Publish (sub-batches); rabbitmq-stream-java-client, Sub-Entry Batching",
    ),
    Rule(
        id="RMQ-U11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="message time that is not in milliseconds",
        on="publish",
        when=_YOUNG,
        predicate=predicates.has_wrong_time,
        reads="published_messages t",
        needs="",
        per=_OF_STREAM,
        message="the times of messages for {pub.stream} are wrong: {found}",
        cause="AMQP 1.0 counts milliseconds since 1970; the program uses another unit, so that "
        "consumers see dates in 1970 or in a far future.",
        source=f"{_PROPERTIES}; part 1, 1.6.17, timestamp",
    ),
    Rule(
        id="RMQ-U11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="message time that is not in milliseconds",
        on="end:sub",
        when="sub.sampled > 0",
        predicate=predicates.has_wrong_time,
        reads="sub.samples sub.sample_t",
        needs="",
        per="client, conn.vhost, sub.stream",
        evidence="sub.sample_n, sub.first_sample_n",
        message="the times of messages for {sub.stream} are wrong: {found}",
        cause="AMQP 1.0 counts milliseconds since 1970; the program uses another unit, so that "
        "consumers see dates in 1970 or in a far future.",
        source=f"{_PROPERTIES}; part 1, 1.6.17, timestamp",
    ),
    Rule(
        id="RMQ-U12",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="message body that was converted wrongly",
        on="publish",
        when=_YOUNG,
        predicate=predicates.has_mistaken_body,
        reads="published_messages",
        needs="",
        per=_OF_STREAM,
        message="the body of a message for {pub.stream} is {found}",
        cause="The program passes a value to the client that it has not encoded, or that was "
        "encoded before: consumers cannot use the body.",
        source="AMQP 1.0 part 3, 3.2.6, Data",
    ),
    Rule(
        id="RMQ-U12",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="message body that was converted wrongly",
        on="end:sub",
        when="sub.sampled > 0",
        predicate=predicates.has_mistaken_delivery,
        reads="sub.samples conn.broker_version",
        needs="",
        per="client, conn.vhost, sub.stream",
        evidence="sub.sample_n, sub.first_sample_n",
        message="the body of a message for {sub.stream} is {found}",
        cause="The program passes a value to the client that it has not encoded, or that was "
        "encoded before: consumers cannot use the body.",
        source="AMQP 1.0 part 3, 3.2.6, Data",
    ),
    Rule(
        id="RMQ-U16",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="user-id of messages that is not the user of the connection",
        on="end:pub",
        when="pub.sampled > 0 and conn.user is not None",
        predicate=predicates.has_another_user,
        reads="pub.samples conn.user",
        needs="",
        per=_OF_STREAM,
        evidence="pub.sample_n, pub.first_sample_n",
        message="messages for {pub.stream} have the user-id {found}; the connection is that of "
        "{conn.user}",
        cause="The property is to say who has sent the message; the stream protocol does not "
        "verify it.",
        healthy="A gateway that publishes for others.",
        source=_PROPERTIES,
    ),
    Rule(
        id="RMQ-U18",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="sub-batches of a named publisher",
        on="publish",
        when="pub.publish_n is None and len(pub.reference) > 0 and "
        "any_eq(published_messages.entry_type, 1)",
        needs="",
        message="publisher '{pub.reference}' sends sub-batches: the broker recognises repetitions "
        "of a whole sub-batch by its publishing id, not of its messages",
        cause="A sub-batch that has other messages when it is sent again is stored as another "
        "one, so that some messages are stored twice.",
        healthy="The client repeats sub-batches as they were.",
        source="rabbitmq-stream-java-client, Sub-Entry Batching and Deduplication",
    ),
    Rule(
        id="RMQ-S9c",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="filter value of messages that was not meant",
        on="end:pub",
        when="count(pub.filters) > 0",
        predicate=predicates.has_mistaken_filter,
        reads="pub.filters",
        needs="",
        evidence="pub.filter_n, pub.first_filter_n",
        message="messages of publisher {pub.id} to {pub.stream} have the filter value {found}",
        cause="The program makes the value of an unset or an unexpected value.",
        source="rabbitmq.com, Stream Filtering",
    ),
    Rule(
        id="RMQ-B52",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="bodies of messages of one stream in different sections or formats",
        on="end:pub",
        when="pub.sampled > 0 and coalesce(content.format, pub.format) == pub.format",
        predicate=predicates.has_another_body,
        reads="pub.samples content.sample",
        needs="",
        of="content",
        evidence="pub.format_n, content.first_n",
        message="one publisher of {pub.stream} sends bodies as {found}",
        cause="The publishers use different clients or settings: consumers that read one kind of "
        "section, or one format, cannot use the other.",
        healthy="Consumers that read all kinds, by a property that says which it is.",
        source="AMQP 1.0 part 3, 3.2.6 to 3.2.8",
    ),
    Rule(
        id="RMQ-B52b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="application property of several types in one stream",
        on="end:pub",
        when="pub.sampled > 0",
        predicate=predicates.has_other_types,
        reads="pub.samples content.sample",
        needs="",
        of="content",
        evidence="pub.sample_n, pub.first_sample_n, content.first_n",
        message="in messages for {pub.stream} the application property {found}",
        cause="The programs, or two places of one, set it from values of different types: filters "
        "and consumers that compare it miss some of the messages.",
        healthy="Consumers that convert it.",
        source="AMQP 1.0 part 3, 3.2.5, Application Properties",
    ),
    *_of_samples("pub"),
    *_of_samples("sub"),
)
"""Rules about what messages contain."""

FORMATS: Final = (
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
)
