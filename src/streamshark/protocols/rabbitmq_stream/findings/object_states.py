"""Rules for the state of offsets, publishing ids, names and super streams."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS, READER, UTILS
from streamshark.protocols.rabbitmq_stream.object_states import ANSWERED

_BEGINS: Final = (
    ("subscribe", "coalesce(item(properties, 'single-active-consumer'), '') != 'true'", "stream",
     "n, place.asked_n"),
    ("consumer_update_response", "req.active == 1 and place.asked_n > sub.update_n", "sub.stream",
     "n, place.asked_n, sub.n"),
)  # fmt: skip
"""Rows on which a consumer begins, when they count, the stream, and what shows it."""

PLACES: Final = tuple(
    rule
    for on, counts, stream, evidence in _BEGINS
    for rule in (
        Rule(
            id="RMQ-B57",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="start before the stored offset that was just queried",
            on=on,
            when=f"{counts} and {ANSWERED} and place.found > 0 and (offset_type == 1 or "
            "offset_type == 4 and fields.offset < place.found)",
            needs="",
            of="place",
            evidence=evidence,
            message=f"the consumer of {{{stream}}} begins at "
            "{'the first message' if offset_type == 1 else fields.offset}, although the broker "
            "has just answered that {place.found} is stored for {place.reference}: what was "
            "processed comes again",
            cause="The answer to QueryOffset is not used, arrives after the subscription, or is "
            "read as if nothing were stored.",
            healthy="The program reads the stream again on purpose.",
            source=f"{DOC}, QueryOffset, Subscribe",
            echo_of="RMQ-B13c RMQ-A6",
        ),
        Rule(
            id="RMQ-B57b",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="start after messages that follow the stored offset just queried",
            on=on,
            when=f"{counts} and {ANSWERED} and place.found >= 0 and offset_type == 4 and "
            "fields.offset > place.found + 1",
            needs="",
            of="place",
            evidence=evidence,
            message=f"the consumer of {{{stream}}} begins at {{fields.offset}}, although the "
            "broker has just answered that {place.found} is stored for {place.reference}: the "
            "messages between them are skipped",
            cause="The client adds more than 1 to the stored offset, for example once when it "
            "stores it and once more when it begins, or uses the offset of another stream.",
            healthy="The program keeps its place elsewhere too, or a time has passed the messages.",
            source=f"{DOC}, QueryOffset, Subscribe",
        ),
        Rule(
            id="RMQ-B57c",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="start with new messages although a stored offset was just queried",
            on=on,
            when=f"{counts} and {ANSWERED} and place.found >= 0 and offset_type in (2, 3)",
            needs="",
            of="place",
            evidence=evidence,
            message=f"the consumer of {{{stream}}} begins with new messages, although the broker "
            "has just answered that {place.found} is stored for {place.reference}: what came "
            "between them is skipped",
            cause="The answer to QueryOffset is not used.",
            healthy="A program that is interested in new messages alone.",
            source=f"{DOC}, QueryOffset, Subscribe",
        ),
        Rule(
            id="RMQ-B59",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="start at offset 1 although no offset is stored",
            on=on,
            when=f"{counts} and {ANSWERED} and place.found == -1 and offset_type == 4 and "
            "fields.offset == 1",
            needs="",
            of="place",
            evidence=evidence,
            message=f"the consumer of {{{stream}}} begins at offset 1, although nothing is stored "
            "for {place.reference}: the first message of the stream is skipped",
            cause="The client reads the refusal of QueryOffset (no_offset) as offset 0, and begins "
            "after it.",
            source=f"{DOC}, QueryOffset, response code 19",
        ),
    )
)  # fmt: skip

PUBLISHERS: Final = (
    Rule(
        id="RMQ-I13",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publishing ids that continue the sequence of another publisher reference",
        on="publish",
        when="pub.publish_n is None and pub.reference is not None and numbering.sequence > 0 and "
        "first(published_messages.publishing_id) == numbering.sequence + 1 and "
        "not has(numbering.asked, pub.reference)",
        needs="object",
        evidence="n, pub.n, numbering.asked_n",
        message="the first publishing id is {numbering.sequence} + 1, which is the last one of "
        "reference '{numbering.reference}'; the publisher has "
        "{'no reference' if len(pub.reference) == 0 else 'another reference'}",
        by="'unnamed' if len(pub.reference) == 0 else 'other'",
        causes={
            "unnamed": "The publisher is declared without its reference: the broker does not "
            "recognise what is sent again.",
            "other": "QueryPublisherSequence and DeclarePublisher have different references: the "
            "broker compares ids with those of the declared one.",
        },
        cause="",
        source=f"{DOC}, DeclarePublisher, QueryPublisherSequence; {OSIRIS}, writer sequences",
    ),
    Rule(
        id="RMQ-I6c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publishing that begins at the last stored publishing id",
        on="publish",
        when="pub.publish_n is None and len(pub.reference) > 0 and "
        "pub.reference == numbering.reference and numbering.sequence > 0 and "
        "first(published_messages.publishing_id) == numbering.sequence and "
        "t - numbering.answered_t <= ANSWER_USED",
        needs="object",
        evidence="n, numbering.asked_n, pub.n",
        message="the first publishing id of '{pub.reference}' is {numbering.sequence}, which the "
        "broker has just answered as the last one stored: it confirms this message but drops it",
        cause="The client begins at the answer to QueryPublisherSequence, not after it.",
        healthy="The program sends its last message again on purpose.",
        source=f"{DOC}, QueryPublisherSequence; {OSIRIS}, writer sequences",
        echo_of="RMQ-B73",
    ),
    Rule(
        id="RMQ-I1c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Publish before the answer to DeclarePublisher",
        on="publish",
        when="pub.state == 'asked'",
        needs="object",
        evidence="n, pub.n",
        message="publisher {publisher_id} sends messages before the broker has answered "
        "DeclarePublisher: if it refuses, they are lost",
        cause="The client does not wait for the answer, or handles it on another thread.",
        healthy="A client that saves a round trip and handles PublishError.",
        source=f"{READER}, publish: PublishError 18",
    ),
    Rule(
        id="RMQ-I5c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Credit before the answer to Subscribe",
        on="credit",
        when="sub.state == 'asked'",
        needs="object",
        evidence="n, sub.n",
        message="subscription {subscription_id} is given credit before the broker has answered "
        "Subscribe: if it refuses, the credit belongs to no subscription",
        cause="The client gives credit when it subscribes, beside what Subscribe has.",
        healthy="A client that saves a round trip.",
        source=f"{DOC}, Subscribe, Credit",
    ),
)

NAMES: Final = (
    Rule(
        id="RMQ-A16",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer name of single active consumers used by another subscription",
        on="subscribe_response",
        when="response_code == 1 and (sub.single == 'true' and members.plain > 0 or "
        "coalesce(sub.single, '') != 'true' and members.single > 0)",
        needs="start whole both all",
        of="members",
        evidence="req.n, members.latest_n",
        message="{sub.reference} has single active consumers of {sub.stream} and a subscription "
        "without this property: it receives all messages beside the active one",
        cause="Only some of the programs set single-active-consumer; both store offsets under one "
        "name.",
        source=f"{DOC}, Subscribe, properties",
    ),
    Rule(
        id="RMQ-B60",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offsets stored under another name than that of the subscription",
        on="end:sub",
        when="sub.misnamed_n is not None and sub.own_n is None",
        needs="object",
        evidence="sub.misnamed_n, sub.n",
        message="subscription {sub.id} of {sub.stream} has the name {sub.reference}, but its "
        "offset is stored under {sub.misnamed}",
        cause="The name of the subscription and that of StoreOffset come from different settings: "
        "the next consumer of the name does not find the offset.",
        healthy="A program that stores the offset of another consumer.",
        source=f"{DOC}, Subscribe, StoreOffset",
        echo_of="RMQ-B25",
    ),
)

SUPER_STREAMS: Final = (
    Rule(
        id="RMQ-B40b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="super stream deleted while its partitions are used",
        on="delete_super_stream",
        when="whole.live > 0",
        needs="start whole both all",
        of="whole",
        evidence="n, whole.latest_n",
        message="{fields.name} is deleted although its partitions have {whole.live:count user} in "
        "these captures: publishers and subscriptions",
        cause="A program cleans up while others use the super stream: they lose the publishers and "
        "subscriptions of all partitions.",
        healthy="A test that cleans up.",
        source=f"{DOC}, DeleteSuperStream, MetadataUpdate",
    ),
)

FILTERS: Final = (
    Rule(
        id="RMQ-B58",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages without a filter value in a stream that is read with a filter",
        on="end:sifted",
        when="sifted.read_n is not None and sifted.filtered > 0 and "
        "sifted.bare >= UNFILTERED_LIMIT",
        needs="all",
        of="sifted",
        evidence="sifted.bare_n, sifted.read_n",
        message="{sifted.bare} messages in {sifted.stream} have no filter value, though others "
        "have: subscriptions that filter for {sifted.filter} do not ask for them",
        cause="One of the publishers sets no filter value; with match-unfiltered the subscription "
        "would receive such messages too.",
        healthy="Messages that no consumer with a filter needs.",
        source=f"{DOC}, Publish version 2; Subscribe, match-unfiltered",
    ),
)

_LISTED: Final = {
    "route": 24,
    "partitions": 25,
    "stream_stats": 28,
    "create_super_stream": 29,
    "delete_super_stream": 30,
    "resolve_offset_spec": 31,
}
"""Commands of later releases, and their keys."""
LISTED: Final = (
    Rule(
        id="RMQ-V8",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="command that the broker did not list",
        on=f"publish {' '.join(_LISTED)}",
        when="count(conn.listed) > 0 and ("
        + " or ".join(
            f"name == '{name}' and not has(conn.listed, {key})" for name, key in _LISTED.items()
        )
        + " or name == 'publish' and version > S.publish_max)",
        needs="",
        of="conn",
        evidence="n, conn.exchanged_n",
        message="{name} version {version} is used, which the broker has not listed in its answer "
        "to ExchangeCommandVersions",
        cause="The client exchanges versions but does not look at the answer.",
        source=f"{DOC}, ExchangeCommandVersions; {UTILS}, command_versions",
        echo_of="RMQ-V5",
    ),
)

OBJECT_STATES: Final = (*PLACES, *PUBLISHERS, *NAMES, *SUPER_STREAMS, *FILTERS, *LISTED)
"""Part of `all_rules`."""
