"""Rules for what changes from one run or connection of a client to the next: names, properties."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import message_predicates
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS, READER

_NOW: Final = "coalesce(item(properties, 'filter.0'), '')"
_AGAIN: Final = (
    "t - kept.lost_t <= RESTORED_AFTER and kept.flow != flow and count(kept.filters) > 0"
)
"""A subscription of the same program to this stream was lost on another connection."""

SETTINGS: Final = (
    Rule(
        id="RMQ-B53",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="filter of a subscription lost with its connection",
        on="subscribe",
        when=f"{_AGAIN} and not has(kept.filters, '') and {_NOW} == ''",
        needs="start both",
        evidence="n, kept.lost_n",
        message="subscription {subscription_id} of {stream} has no filter, unlike the one that was "
        "lost with the connection before, which filtered for '{first(kept.filters)}'",
        cause="The client subscribes again with its defaults instead of the properties of the "
        "lost subscription: all messages are delivered.",
        source="rabbitmq.com, Stream Filtering; rstream issue 229",
        healthy="Another consumer of the program.",
    ),
    Rule(
        id="RMQ-B53b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="filter of a subscription changed with its connection",
        on="subscribe",
        when=f"{_AGAIN} and {_NOW} != '' and not has(kept.filters, {_NOW})",
        needs="start both",
        evidence="n, kept.lost_n",
        message="subscription {subscription_id} of {stream} filters for "
        f"'{{{_NOW}}}', unlike the one that was lost with the connection before",
        cause="The client subscribes again with other properties than those of the lost "
        "subscription.",
        source="rabbitmq.com, Stream Filtering",
        healthy="The program has changed what it needs.",
    ),
    Rule(
        id="RMQ-B53c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="single-active-consumer of a subscription lost with its connection",
        on="subscribe",
        when=f"{_AGAIN} and kept.shared is None and "
        "coalesce(item(properties, 'single-active-consumer'), '') != 'true'",
        needs="start both",
        evidence="n, kept.lost_n",
        message="subscription {subscription_id} of {stream} is no single active consumer, unlike "
        "the one that was lost with the connection before",
        cause="The client subscribes again without the properties of the lost subscription: it "
        "receives all messages, whichever member of its group is active.",
        source=f"{READER}, single_active_consumer",
        healthy="Another consumer of the program.",
    ),
)

NAMES: Final = (
    Rule(
        id="RMQ-B21b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream consumed from the start under a new name by each run",
        on="subscribe",
        when="t - asking.t_of <= RESUBSCRIBED and count(asking.names) >= NAMES_LIMIT and "
        "tracked.stored_n < asking.latest_n and "
        "(offset_type == 1 or offset_type == 4 and fields.offset == 0)",
        predicate=message_predicates.are_of_one_program,
        reads="asking.names",
        needs="",
        of="asking",
        evidence="n, asking.latest_n, asking.former_n",
        message="subscription {subscription_id} of {stream} begins at the start: nothing is stored "
        "for the consumer's new name, and each run has another one ({found})",
        cause="The name has something that changes with each start, such as the name of a "
        "container, so that the stored offset is never found.",
        source=f"{DOC}, QueryOffset, StoreOffset; rabbitmq-stream-java-client issue 6",
        healthy="Different consumers that happen to have similar names.",
    ),
    Rule(
        id="RMQ-B33b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages stored again under another publisher reference",
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.kept, 0) < SENT_MOST and "
        "coalesce(pub.noted_before, 0) < OUTBOX_MOST and "
        "count(outbox.again) >= OUTBOX_LIMIT and outbox.again_flow == flow and "
        "outbox.reference != pub.reference and "
        "program(outbox.reference) == program(pub.reference)",
        needs="start whole both",
        of="outbox",
        evidence="outbox.again_n, n, pub.n, outbox.over_n",
        message="publisher '{pub.reference}' sends messages to {pub.stream} with the publishing "
        "ids and contents that '{outbox.reference}' had sent: they are stored once more",
        cause="The reference changes with each start: the broker recognises repeated messages by "
        "reference and publishing id.",
        source=f"{DOC}, DeclarePublisher; {OSIRIS}, writer sequences",
        healthy="Two producers that happen to send the same.",
    ),
    Rule(
        id="RMQ-B54",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="sub-batches sent again with other messages",
        on="publish",
        when="len(pub.reference) > 0 and series.lost_n is not None and "
        "coalesce(pub.kept, 0) < SENT_MOST and any_eq(published_messages.entry_type, 1)",
        predicate=message_predicates.is_divided_otherwise,
        reads="published_messages series.batches pub.n",
        needs="object both",
        of="pub",
        evidence="n, series.sent_n",
        message="publisher '{pub.reference}' divides the messages that it sends again otherwise: "
        "{found}",
        cause="A sub-batch has one publishing id: the broker drops it or stores it as a whole, so "
        "that messages of it are lost or stored twice. It has to be sent again as it was.",
        source="rabbitmq-stream-java-client, Sub-Entry Batching and Deduplication; "
        f"{OSIRIS}, writer sequences",
    ),
    Rule(
        id="RMQ-B55",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="streams made for one use each and never deleted",
        on="create_response",
        when="response_code == 1 and maker.used_n is not None and maker.stem is not None and "
        "program(req.stream) == maker.stem and req.stream != maker.stream and "
        "maker.stem != maker.stream and maker.times + 1 >= ANSWER_LIMIT",
        needs="start both",
        of="maker",
        evidence="req.n, maker.latest_n, maker.first_n",
        message="{req.stream} is one of {maker.times + 1} streams in a row whose names differ in a "
        "generated part; each was used before the next one was created, and none was deleted",
        cause="A stream is made for each task, answer or customer: they grow without bound, and "
        "each costs files and processes on several nodes.",
        source=f"{DOC}, Create, Delete",
        healthy="Few streams of a program that begins to use them one by one.",
        worse_from=5,
    ),
    Rule(
        id="RMQ-B56",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each message published twice in a row",
        on="end:pub",
        when="pub.sampled >= 6",
        predicate=message_predicates.is_doubled,
        reads="pub.samples",
        needs="object both",
        evidence="pub.sample_n, pub.first_sample_n",
        message="publisher {pub.id} sent each message to {pub.stream} twice in a row, with a "
        "publishing id each: {found}",
        cause="Two parts of the program send the message, or a retry does although the first one "
        "was confirmed: consumers receive it twice.",
        source=f"{DOC}, Publish",
        healthy="Values that are measured twice.",
    ),
    Rule(
        id="RMQ-B56",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each message published twice in a row",
        on="publish",
        when="coalesce(pub.sampled, 0) < SAMPLE and len(published_messages) >= 6",
        predicate=message_predicates.is_doubled_within,
        reads="published_messages",
        needs="",
        message="publisher {pub.id} sent each message to {pub.stream} twice in a row, with a "
        "publishing id each: {found}",
        cause="Two parts of the program send the message, or a retry does although the first one "
        "was confirmed: consumers receive it twice.",
        source=f"{DOC}, Publish",
        healthy="Values that are measured twice.",
    ),
)

REPEATED_NAMES: Final = (*SETTINGS, *NAMES)
"""Rules about runs and connections of one client."""
