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
        id="RMQ-U11b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="creation time of a message in the future",
        on="end:pub",
        when="pub.sampled > 0",
        predicate=predicates.has_future_time,
        reads="pub.samples pub.sample_t",
        needs="",
        per=_OF_STREAM,
        evidence="pub.sample_n, pub.first_sample_n",
        message="the creation-time of messages for {pub.stream} is {found} ahead of the capture",
        cause="The program takes its local time for UTC, or its clock is wrong.",
        healthy="The clock of the host that captured is behind.",
        source=_PROPERTIES,
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
        id="RMQ-U13",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="misspelt or malformed content-type",
        on="end:pub",
        when="pub.sampled > 0",
        predicate=predicates.has_odd_content_type,
        reads="pub.samples",
        needs="",
        per=_OF_STREAM,
        evidence="pub.sample_n, pub.first_sample_n",
        message="the content-type of messages for {pub.stream} is {found}",
        cause="The name is misspelt, or a setting of another kind.",
        healthy="A type that the programs have agreed on.",
        source=f"{_PROPERTIES}; RFC 9110, 8.3.1, Media Type",
    ),
    Rule(
        id="RMQ-U14",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="one message-id for different messages",
        on="end:pub",
        when="pub.sampled >= 5",
        predicate=predicates.has_constant_id,
        reads="pub.samples",
        needs="",
        per=_OF_STREAM,
        evidence="pub.sample_n, pub.first_sample_n",
        message="messages with different bodies for {pub.stream} have one message-id, {found}",
        cause="The id is made once, for instance with the producer or a template of the message: "
        "consumers that recognise repeated messages by it drop all but the first.",
        healthy="The programs use message-id for something that messages share.",
        source=_PROPERTIES,
    ),
    Rule(
        id="RMQ-U15",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="one trace context for all messages, or an invalid one",
        on="end:pub",
        when="pub.sampled >= 5",
        predicate=predicates.has_constant_trace,
        reads="pub.samples",
        needs="",
        per=_OF_STREAM,
        evidence="pub.sample_n, pub.first_sample_n",
        message="the trace contexts of messages for {pub.stream} do not tell them apart: {found}",
        cause="The context is made once and never renewed, or there is no active span: traces "
        "join what does not belong together.",
        healthy="All messages belong to one task, which is one span.",
        source="AMQP 1.0 part 3, 3.2.5; W3C Trace Context, traceparent Header",
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
        id="RMQ-U17",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="time to live of messages, which streams do not honour",
        on="end:pub",
        when="pub.sampled > 0",
        predicate=predicates.has_time_to_live,
        reads="pub.samples",
        needs="",
        per=_OF_STREAM,
        evidence="pub.sample_n, pub.first_sample_n",
        message="messages for {pub.stream} have {found}, but messages of a stream do not expire",
        cause="Streams drop segments by max-age and max-length-bytes only.",
        healthy="Consumers go by the value themselves.",
        source=f"{OSIRIS}, evaluate_retention; rabbitmq.com, Streams, Feature Comparison",
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
)
"""Rules about what messages contain."""
