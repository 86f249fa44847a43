"""Rules for publishers: their ids, publishing ids, confirms, and what they publish."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import message_predicates, predicates
from streamshark.protocols.rabbitmq_stream.behaviours import CLIENT_LEAVES
from streamshark.protocols.rabbitmq_stream.conversations import UNDER_WAY
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS, READER, UTILS

PUBLISHING: Final = (
    Rule(
        id="RMQ-I1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="Publish for an undeclared publisher",
        on="publish",
        when="pub.state in ('absent', 'removed', 'refused')",
        needs="since",
        message="Publish for publisher {publisher_id}, which is not declared ({pub.state})",
        cause="",
        by="pub.state",
        causes={
            "absent": "The client publishes before it declares the publisher.",
            "removed": "The client publishes after it has deleted the publisher.",
            "refused": "The client publishes although the broker has refused the publisher.",
        },
        source=f"{READER}, publish: PublishError 18",
        echo_of="RMQ-V5 RMQ-N4",
    ),
    Rule(
        id="RMQ-I1b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="Publish in flight when the stream was removed",
        on="publish",
        when="pub.state == 'lost'",
        needs="since",
        message="Publish for publisher {publisher_id}, which was removed with its stream in frame "
        "{pub.ended_n}",
        cause="",
        healthy="The messages were already in flight.",
        source=f"{READER}, publish: PublishError 18",
        echo_of="RMQ-M6",
    ),
    Rule(
        id="RMQ-I2",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="publisher id already in use",
        on="declare_publisher",
        when="pub.state in ('live', 'asked')",
        needs="object both",
        evidence="n, pub.n",
        message="publisher {publisher_id} is declared again; it has been {pub.state} since frame "
        "{pub.n}",
        cause="The client reuses an id, or its counter has wrapped.",
        source=f"{READER}, declare_publisher: code 17",
    ),
    Rule(
        id="RMQ-I2b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="publisher reference already in use",
        on="repetition:taken_reference",
        needs="",
        evidence="req.n, n",
        message="publisher '{req.publisher_reference}' of {req.stream} was refused",
        cause="A publisher with this id, or with this reference for the stream, already exists: it "
        "was not deleted before. It is a note if it is declared later.",
        source=f"{READER}, declare_publisher: code 17",
        healthy="A client that is back before the broker has noticed the end of its connection.",
    ),
    Rule(
        id="RMQ-I3",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="no free publisher id",
        on="declare_publisher",
        when="live(pub) >= 256",
        needs="start whole",
        of="conn",
        message="another publisher is declared, although this connection already has 256",
        cause="The id counter exceeds 255; open another connection.",
        source=f"{READER}, max publishers per connection; rstream issue 153",
    ),
    Rule(
        id="RMQ-I11",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reused publishing id of a named publisher",
        on="publish",
        when="len(pub.reference) > 0 and pub.repeats > 0 and "
        "greatest(published_messages.publishing_id) == pub.top and "
        "missing(pub.waiting, published_messages.publishing_id) == len(published_messages)",
        needs="object both",
        evidence="n, pub.n",
        message="publisher '{pub.reference}' publishes again with id {pub.top}, which was "
        "confirmed to it before: the broker confirms the message but drops it",
        cause="The publishing ids do not grow from message to message: they are constant, come "
        "from a clock that is too coarse, or the counter has started again.",
        healthy="The program publishes a message again on purpose.",
        source=f"{OSIRIS}, writer sequences; rabbitmq-stream-java-client issue 986",
    ),
    Rule(
        id="RMQ-I6",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="decreasing publishing ids",
        on="publish",
        when="len(pub.reference) > 0 and (least(published_messages.publishing_id) <= pub.top or "
        "pub.top is None and pub.stored > 0 and "
        "least(published_messages.publishing_id) <= pub.stored)",
        needs="object",
        message="publisher '{pub.reference}' starts again at publishing id "
        "{least(published_messages.publishing_id)}: brokers confirm these messages but drop them",
        cause="Deduplication is at work, or the id counter has started again.",
        healthy="A restarted program publishes again what it is not sure of; duplicates are "
        "dropped.",
        source=f"{OSIRIS}, writer sequences; rabbitmq-stream-java-client issue 986",
        echo_of="RMQ-I11 RMQ-I6c",
    ),
    Rule(
        id="RMQ-I6b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="all published messages dropped as duplicates",
        on="end:pub",
        when="len(pub.reference) > 0 and pub.top <= pub.stored and (pub.unsure_to is None or "
        "pub.low <= pub.unsure_from or pub.top > pub.unsure_to)",
        needs="object",
        evidence="pub.publish_n, pub.n, conn.unsequenced_n",
        message="all publishing ids of publisher '{pub.reference}' are at most {pub.stored}, which "
        "was already stored: brokers confirm these messages but drop them",
        cause="The counter of publishing ids starts again; it must continue from the broker's "
        "answer to QueryPublisherSequence.",
        by="'refused' if conn.unsequenced_n is not None else 'again'",
        causes={
            "refused": "QueryPublisherSequence was refused, and the client counted from the start "
            "all the same: it must not publish before it knows its last id."
        },
        source=f"{OSIRIS}, writer sequences; rabbitmq-stream-java-client issue 986",
    ),
    Rule(
        id="RMQ-B221",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="messages that are not in AMQP 1.0, in a stream that is not read here",
        on="end:pub",
        when="pub.format == 'other' and consumed.read_n is None",
        needs="start all",
        per="server, conn.vhost, pub.stream",
        evidence="pub.format_n, pub.n",
        message="messages for {pub.stream} are bytes that are no message of AMQP 1.0: only "
        "consumers of the stream protocol can read them",
        cause="The program gives the library bytes instead of a message: a consumer by AMQP, MQTT "
        "or STOMP fails at them.",
        source=f"{DOC}, Publish; rstream issue 15",
        healthy="All consumers use the stream protocol and read the bytes as they are.",
        echo_of="RMQ-B28 RMQ-U22",
    ),
    Rule(
        id="RMQ-I12",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publishing id of an unnamed publisher in use",
        on="publish",
        when="len(pub.reference) == 0 and coalesce(pub.sampled, 0) < SAMPLE and "
        "first(published_messages.publishing_id) <= pub.top and "
        "held(pub.waiting, published_messages.publishing_id) > 0",
        needs="object both",
        evidence="n, oldest_n(pub.waiting)",
        message="publishing id {first(published_messages.publishing_id)} of publisher "
        "{publisher_id} is used again while a message with it waits for its confirm",
        cause="The publishing ids do not grow from message to message: a confirm does not say "
        "which message is stored.",
        source=f"{DOC}, Publish, PublishConfirm",
    ),
    Rule(
        id="RMQ-I7",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="messages without a confirm",
        on="end:pub",
        when="count(pub.waiting) > 0 and pub.error_n is None and (why in ('closed', 'reset') and "
        f"({CLIENT_LEAVES}) or why == 'removed' and "
        f"t - oldest_t(pub.waiting) > {UNDER_WAY})",
        needs="object both",
        evidence="oldest_n(pub.waiting), pub.publish_n",
        message="publisher {pub.id} to {pub.stream} ended with "
        "{count(pub.waiting):count message} unconfirmed",
        cause="The client closes the connection before the confirms arrive.",
        by="'silent' if conn.silent > GAVE_UP or conn.heartbeat > 0 and "
        "conn.silent > conn.heartbeat * SILENT_INTERVALS * 1000000000 else why",
        causes={
            "removed": "The client deletes the publisher before the confirms arrive.",
            "silent": "The broker has sent nothing for a long time, and the client gives it up: "
            "whether the messages are stored is unknown, and they have to be published again.",
        },
        source=f"{DOC}, PublishConfirm",
        echo_of="error RMQ-K4",
    ),
    Rule(
        id="RMQ-I7b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="publisher deleted just after its last messages",
        on="end:pub",
        when="count(pub.waiting) > 0 and pub.error_n is None and "
        f"why == 'removed' and t - oldest_t(pub.waiting) <= {UNDER_WAY}",
        needs="object both",
        evidence="oldest_n(pub.waiting), pub.publish_n",
        message="publisher {pub.id} to {pub.stream} was deleted with "
        "{count(pub.waiting):count message} unconfirmed",
        cause="The client does not wait for the confirms, so it cannot know whether the messages "
        "are stored.",
        source=f"{DOC}, PublishConfirm",
        healthy="The broker stores what it received before DeletePublisher.",
        echo_of="error RMQ-K4",
    ),
    Rule(
        id="RMQ-I7c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="messages not confirmed yet when the captures end",
        on="end:pub",
        when="count(pub.waiting) > 0 and pub.error_n is None and why == 'end' and "
        "t - oldest_t(pub.waiting) > SLOW_ANSWER",
        needs="object both",
        evidence="oldest_n(pub.waiting), pub.publish_n",
        message="{count(pub.waiting):count message} of publisher {pub.id} to {pub.stream} had no "
        "confirm when the captures ended, the oldest one for {t - oldest_t(pub.waiting):time}",
        cause="The broker is blocked, for instance by an alarm, or too few replicas of the stream "
        "are running.",
        source=f"{DOC}, PublishConfirm",
        healthy="The confirms come after the end of the captures.",
        echo_of="error",
    ),
    Rule(
        id="RMQ-I7d",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="messages without a confirm when the broker ended the connection",
        on="end:pub",
        when="count(pub.waiting) > 0 and pub.error_n is None and why in ('closed', 'reset') and "
        "C.close_n is None and conn.first_fin != C.side",
        needs="object both",
        evidence="oldest_n(pub.waiting), pub.publish_n",
        message="publisher {pub.id} to {pub.stream} ended with "
        "{count(pub.waiting):count message} unconfirmed, as the broker ended the connection",
        cause="Whether these messages are stored is unknown: the client has to publish them again, "
        "with the same publishing ids.",
        source=f"{DOC}, PublishConfirm",
        healthy="A broker is restarted, or has failed; the client publishes the messages again.",
        echo_of="error RMQ-K4",
    ),
    Rule(
        id="RMQ-I8",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="confirm for unknown publishing ids",
        on="server:publish_confirm",
        when="missing(pub.waiting, publishing_ids) > 0 or pub.state == 'absent'",
        needs="since",
        message="publishing ids {publishing_ids} were confirmed to publisher {publisher_id}, which "
        "has no such unconfirmed messages",
        cause="",
        source=f"{READER}, confirms",
        guilty="server",
    ),
    *(
        Rule(
            id=f"RMQ-B142{letter}",
            severity=Severity.ERROR,
            group=Group.RESPONSE,
            title=f"{title} for a publisher that has published nothing",
            on=f"server:{on}",
            when=f"pub.state in ('asked', 'live') and pub.publish_n is None{more}",
            needs="object both",
            evidence="n, pub.n",
            message="the broker sent {name} to publisher {publisher_id} of {pub.stream}, which has "
            "published nothing since it was declared",
            cause="It is for an earlier publisher of this id, which was deleted before its "
            "messages were confirmed; the client takes it for the new one.",
            source=f"{READER}, confirms; rabbitmq-server pull request 10158",
            guilty="server",
        )
        for letter, title, on, more in (
            ("", "confirm", "publish_confirm", ""),
            ("b", "error", "publish_error", " and first(publishing_errors.code) != 18"),
        )
    ),
    Rule(
        id="RMQ-I9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="TCP zero window of the broker while clients publish",
        on="server:tcp.zero_window",
        when="live(pub) > 0",
        needs="",
        of="conn",
        evidence="C.last_n",
        message="the broker closed its TCP window while publishers are active",
        cause="Brokers stop reading at 50 000 unconfirmed messages, or when disk or memory is "
        "short.",
        healthy="A short pause under load.",
        source="rabbitmq-server v4.3.5, rabbit_stream.hrl, DEFAULT_INITIAL_CREDITS; "
        "rabbit_stream_reader.erl, maybe_unblock",
    ),
    Rule(
        id="RMQ-I9b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="late confirm",
        on="publish_confirm",
        when="t - oldest_t(pub.waiting) > BLOCKED and (count(pub.waiting) < FLOOD or "
        "t - coalesce(pub.confirmed_t, t) > BLOCKED)",
        needs="object",
        worsens=True,
        evidence="oldest_n(pub.waiting), n",
        message="a message of publisher {publisher_id} to {pub.stream} was confirmed only after {t "
        "- oldest_t(pub.waiting):time}",
        cause="",
        healthy="A short pause under load. While confirms keep coming to a publisher "
        "with 1000 or more unconfirmed messages, each only waits for those before it.",
        source="rabbitmq-server v4.3.5, rabbit_stream_reader.erl, maybe_unblock",
    ),
    Rule(
        id="RMQ-I9c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="many unconfirmed messages",
        on="publish",
        when="count(pub.waiting) >= FLOOD and (count(pub.waiting) >= 45000 or "
        "count(pub.waiting) * size > UNCONFIRMED_SIZE * len(published_messages))",
        needs="object",
        message="{count(pub.waiting)} messages of publisher {publisher_id} are unconfirmed, of "
        "{size // len(published_messages)} bytes each in this frame; at 50 000 the broker stops "
        "reading",
        cause="The client publishes faster than the broker confirms, and does not wait.",
        healthy="A fast publisher on a slow network.",
        source="rabbitmq-server v4.3.5, rabbit_stream.hrl, DEFAULT_INITIAL_CREDITS; "
        "rabbitmq-stream-java-client issue 226, rstream issue 46",
    ),
    Rule(
        id="RMQ-U1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="missing filter value in Publish version 2",
        on="problem:short problem:negative",
        when="name == 'publish' and version == 2 and "
        "not (2147483648 <= coalesce(problem_value, 0) < 3489660928)",
        needs="",
        message="the messages of Publish version 2 cannot be separated; each must begin with a "
        "filter value",
        cause="The filter value is missing, or null is written in four bytes; it takes two.",
        source=f"{DOC}, Publish; {UTILS}, write_messages",
    ),
    Rule(
        id="RMQ-U2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="sub-batch in Publish version 2",
        on="problem:negative",
        when="name == 'publish' and version == 2 and "
        "2147483648 <= coalesce(problem_value, 0) < 3489660928",
        needs="",
        message="Publish version 2 contains a sub-batch, which only version 1 can",
        cause="Filter values cannot be combined with sub-batches and their compression.",
        source=f"{UTILS}, write_messages",
    ),
    Rule(
        id="RMQ-U3",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="published sub-batch that does not match its header",
        on="publish",
        when="any_eq(published_messages.entry_type, 1)",
        predicate=predicates.has_bad_sub_batch,
        reads="published_messages",
        needs="",
        message="a sub-batch of publisher {publisher_id} does not match its header: {found}",
        cause="The client writes the wrong codec, size or count; brokers before 4.3.5 store the "
        "sub-batch all the same, and consumers fail.",
        source=f"{UTILS}, validate_compressed_sub_batch",
    ),
    Rule(
        id="RMQ-U4",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="published messages that do not end at the end of the frame",
        on="problem:short problem:negative problem:nofit problem:trailing",
        when="name == 'publish' and "
        "not (version == 2 and 2147483648 <= coalesce(problem_value, 0) < 3489660928)",
        needs="",
        message="the messages of Publish do not end where the frame ends: {problem_text}",
        cause="A length or the number of messages is wrong; the broker's parser crashes on it.",
        source=f"{UTILS}, write_messages",
        echo_of="RMQ-U1",
    ),
    Rule(
        id="RMQ-U5",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="Publish without messages",
        on="publish",
        when="len(published_messages) == 0",
        needs="",
        message="Publish contains no message: the broker confirms nothing",
        cause="The batch is sent although it is empty; a program that waits for its confirm waits "
        "for ever.",
        healthy="It does no harm; some clients flush on a timer.",
        source=f"{DOC}, Publish",
    ),
    Rule(
        id="RMQ-U6",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="AMQP 1.0 sections out of order",
        on="publish",
        when="pub.publish_n is None and len(published_messages) > 0",
        predicate=predicates.has_sections_out_of_order,
        reads="published_messages",
        needs="",
        message="the AMQP 1.0 sections of the first message of publisher {publisher_id} are out of "
        "order: {found}",
        cause="",
        healthy="The broker stores any message; consumers of other protocols may not be able to "
        "read it.",
        source="AMQP 1.0 part 3, 3.2 Message Format",
    ),
    Rule(
        id="RMQ-U9",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="body that is not what content-type or content-encoding announces",
        on="publish",
        when="coalesce(pub.single_among, 0) < 16",
        predicate=predicates.is_not_announced,
        reads="published_messages",
        needs="",
        per="client, conn.vhost, pub.stream",
        message="a message for {pub.stream} is {found}, although its properties announce it",
        cause="The property is a default or a copy, or the body was encoded in another way: "
        "consumers that go by it cannot read the message.",
        source="AMQP 1.0 part 3, 3.2.4, Properties; RFC 9110, 8.3 and 8.4",
    ),
    Rule(
        id="RMQ-U8",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="AMQP 1.0 application property that is null in some messages only",
        on="publish",
        when="coalesce(pub.single_among, 0) < 4 and len(published_messages) > 1",
        predicate=predicates.has_null_property,
        reads="published_messages",
        needs="",
        message="the application property {found} of messages of publisher {publisher_id} is null, "
        "although other messages have a value for it",
        cause="The client writes a value such as 0, false or an empty text as null; consumers may "
        "not be able to read it.",
        healthy="Null means that there is no value.",
        source="AMQP 1.0 part 3, 3.2.5 Application Properties",
        is_general=True,
    ),
    Rule(
        id="RMQ-U7",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="publishing errors (PublishError)",
        on="publish_error",
        when="pub.state != 'lost'",
        needs="",
        evidence="pub.publish_n, n",
        message="the broker refused {len(publishing_errors):count message} of publisher "
        "{publisher_id}: "
        "{first(publishing_errors.code):name}",
        cause="The messages are not stored.",
        by="first(publishing_errors.code)",
        causes={
            2: "The messages are not stored: the stream does not exist.",
            6: "The messages are not stored: the stream is not available, for example without a "
            "leader.",
            16: "The messages are not stored: the user has no write permission for the stream.",
            17: "The messages are not stored: they are invalid, such as a sub-batch that cannot be "
            "stored.",
            18: "The messages are not stored: no publisher with this id is declared.",
        },
        source=f"{DOC}, PublishError; {READER}, publish",
        echo_of="error RMQ-M6",
    ),
    Rule(
        id="RMQ-U7b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="publishing errors after MetadataUpdate",
        on="publish_error",
        when="pub.state == 'lost'",
        needs="",
        evidence="pub.publish_n, n",
        message="the broker refused {len(publishing_errors):count message} of publisher "
        "{publisher_id} after "
        "its stream {pub.stream} became unavailable: {first(publishing_errors.code):name}",
        cause="The messages are not stored; the client must publish them again to the new leader.",
        source=f"{READER}, publish: code 18",
        healthy="Messages that were under way when the stream moved; the client publishes them "
        "again.",
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
