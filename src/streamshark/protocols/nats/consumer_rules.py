"""Rules about streams and consumers: configurations that do not fit, and how they are used."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.consumer_behaviours import (
    BATCH_PLACE,
    BEGUN_EARLY,
    DONE_TWICE,
    PULLS,
    PULLS_STALE,
)
from streamshark.protocols.nats.consumer_predicates import (
    drops_limit,
    drops_setting,
    forgets_settings,
    is_outside,
    starts_later,
)
from streamshark.protocols.nats.harm_behaviours import NEVER_PULLED
from streamshark.protocols.nats.row_names import ACKING, CREATES, IS_ACK, SENT, member
from streamshark.protocols.nats.sources import CONSUMER, STREAM

_REPLICAS: Final = member("num_replicas")
_MAKES: Final = (
    f"reply_to is not None and ({CREATES} or starts(subject, '$JS.API.STREAM.CREATE.') or "
    "starts(subject, '$JS.API.STREAM.UPDATE.'))"
)

STREAMS: Final = (
    Rule(
        id="NATS-B90",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream with alternating configurations",
        on="alternation:stream_configured",
        needs="",
        message="stream {token(subject, 4)} is given two configurations in turn",
        cause="Two programs, or two versions of one, each update the stream to their own "
        "configuration when they start: limits and subjects change back and forth.",
        source=f"{STREAM}, update",
    ),
    Rule(
        id="NATS-B106",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="update of a stream that leaves out a setting which is on",
        on=SENT,
        when="catalogue.config is not None and starts(subject, '$JS.API.STREAM.UPDATE.')",
        predicate=drops_setting,
        reads="payload catalogue.config",
        needs="",
        per="client, server, subject, found",
        evidence="n, catalogue.told_n",
        message="{subject} has no {found}, which is true in the configuration of frame "
        "{catalogue.told_n}: it becomes false",
        cause="The client reads the configuration and writes back only the members that it knows: "
        "what is left out gets its default.",
        source=f"{STREAM}, update; nats-server v2.12.2, server/jetstream_api.go",
    ),
    Rule(
        id="NATS-B91",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="filter of a consumer outside the subjects of its stream",
        on=SENT,
        when=f"reply_to is not None and {CREATES} and catalogue.subjects is not None",
        predicate=is_outside,
        reads="payload catalogue.subjects",
        needs="",
        of="conn",
        evidence="n, catalogue.told_n",
        message="the consumer is to filter {found}, but its stream stores "
        "{catalogue.subjects}: no message can match",
        cause="The filter is misspelt, or belongs to another stream: the consumer never gets a "
        "message, and servers since 2.10 accept it.",
        source=f"{CONSUMER}, addConsumerWithAssignment; nats-server issue 6099",
    ),
    Rule(
        id="NATS-B92",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="publish that waits for an ack of a stream without acks (no_ack)",
        on="end:asked",
        when="asked.state == 'asked' and asked.meaning is None and t - asked.t > REPLY_TIME and "
        "asked.t >= 0 and matching(asked.subject, mute.subject)",
        needs="",
        per="client, server, asked.subject",
        evidence="asked.n, mute.made_n",
        message="the publish to {asked.subject} in frame {asked.n} asks for an ack, but its stream "
        "was created with no_ack: none comes",
        cause="The stream stores the message and says nothing: the client times out, and stores it "
        "again when it retries.",
        source=f"{STREAM}, processJetStreamMsg; nats.node issue 628",
    ),
    Rule(
        id="NATS-B93",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="stream or consumer with an even number of replicas",
        on=SENT,
        when=f"{_MAKES} and {_REPLICAS} in (2, 4)",
        needs="",
        per="client, server, subject",
        message="the request to {subject} asks for an even number of replicas",
        cause="A majority of two is two, of four three: one server more is lost no more often "
        "than with one or three replicas.",
        source="docs.nats.io, JetStream Clustering",
        healthy="A migration between sets of servers.",
    ),
    Rule(
        id="NATS-B94",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same stream or consumer deleted and created repeatedly",
        on=SENT,
        when=f"remade.deleted_n is not None and {_MAKES} and "
        "coalesce(remade.times, 0) + 1 >= REMADE_LIMIT",
        needs="",
        of="remade",
        evidence="n, remade.deleted_n, remade.first_n",
        message="{subject} creates what was deleted in frame {remade.deleted_n}, and before that "
        "in frame {remade.first_n}",
        cause="The program begins by deleting what it uses: stored messages, or the place up to "
        "which a consumer has read, are lost with each start.",
        source="nats-server v2.12.2, server/jetstream_api.go",
        healthy="Tests and tools that begin anew on purpose.",
    ),
)

CONSUMERS: Final = (
    Rule(
        id="NATS-B107",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="update of a consumer that leaves out what it has",
        on=SENT,
        when=f"described.config is not None and {CREATES}",
        predicate=drops_limit,
        reads="payload described.config",
        needs="",
        per="client, server, subject, found",
        evidence="n, described.told_n",
        message="{subject} has no {found} in the configuration of frame {described.told_n}: it "
        "gets its default",
        cause="The program creates or updates the consumer with the members that it knows, and "
        "undoes what an operator or another program has set.",
        source=f"{CONSUMER}, setConsumerConfigDefaults, updateConfig",
    ),
    Rule(
        id="NATS-B301",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="deleted consumer that is created again without its settings",
        on=SENT,
        when=f"described.former is not None and {CREATES}",
        predicate=forgets_settings,
        reads="payload described.former",
        needs="",
        of="conn",
        evidence="n, described.told_n",
        message="{subject} has none of the settings that the consumer had in frame "
        "{described.told_n} before it was deleted: {found}",
        cause="The program reads the settings from the wrong place, such as one level too high in "
        "a saved description: all of them get their defaults.",
        source=f"{CONSUMER}, setConsumerConfigDefaults; natscli issue 692",
        healthy="A new consumer under an old name.",
    ),
    Rule(
        id="NATS-B95",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="one JetStream consumer pulled from by two programs",
        on="alternation:shared_durable",
        needs="",
        message="{conn.client_name} pulls from the consumer of {subject} in turn with another "
        "program: each message goes to one of the two",
        cause="Two programs use one name for their durable consumers: each needs its own to get "
        "all messages.",
        source=f"{CONSUMER}, processNextMsgRequest",
        healthy="Two programs that share the work on purpose.",
    ),
    Rule(
        id="NATS-B110",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pull requests with a pin id that was refused",
        on=SENT,
        when=PULLS_STALE,
        needs="",
        of="conn",
        evidence="n, conn.unpinned_n",
        message="{subject} is asked again with a pin id that status 423 has refused, last in frame "
        "{conn.unpinned_n}",
        cause="The consumer is pinned to another client by now. The id has to be cleared after "
        "423: a pull request with the old one is always refused.",
        source="ADR-42, Pull Consumer Priority Groups; nats.net issues 1098 and 1099",
    ),
    Rule(
        id="NATS-B96",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="messages rejected (-NAK) without a delay although the consumer has a backoff",
        on=SENT,
        when=f"conn.backoff is not None and len(payload) == 4 and {ACKING} and "
        "starts(payload, NAK) and coalesce(conn.naks, 0) + 1 >= NAK_LIMIT",
        needs="",
        of="conn",
        evidence="n, conn.backoff_n",
        message="-NAK without a delay is sent for the {coalesce(conn.naks, 0) + 1}. time, and the "
        "consumer has backoff [{conn.backoff}]: it is for messages without an answer alone",
        cause="A rejected message is delivered again at once; state the delay in -NAK, or let "
        "ack_wait pass.",
        source=f"{CONSUMER}, processNak; nats-server issues 4726 and 5856",
        healthy="Another instance may process the message at once.",
    ),
    Rule(
        id="NATS-B97",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="each message acknowledged although the consumer has ack_policy all",
        on="repetition:acked_singly",
        when="number(token(subject, 6)) == conn.acked_place + 1",
        needs="",
        message="{SINGLY_LIMIT} messages in a row were acknowledged one by one; with ack_policy "
        "all one ack is for all messages before it",
        cause="Acknowledge the last message of a batch, or use ack_policy explicit.",
        source=f"{CONSUMER}, processAckMsg",
        healthy="Messages that take long to process.",
    ),
    Rule(
        id="NATS-B98",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="messages redelivered although later ones were acknowledged (ack_policy explicit)",
        on="server:msg server:hmsg",
        when="conn.policy == 'explicit' and conn.acks >= 2 and conn.unacked >= 2 * conn.acks and "
        f"{IS_ACK} and number(token(reply_to, 4)) == 2 and "
        "number(token(reply_to, 5)) < number(token(conn.acked_subject, 5))",
        needs="start whole both",
        of="conn",
        evidence="n, conn.acked_subject_n, conn.described_n",
        message="message {token(reply_to, 5)} of stream {token(reply_to, 2)} is delivered again, "
        "although the client acknowledged message {token(conn.acked_subject, 5)}: with ack_policy "
        "explicit an ack is for one message, and the client has sent {conn.acks}",
        cause="The client acknowledges the last message of each batch, as for ack_policy all.",
        source=f"{CONSUMER}, processAckMsg",
        healthy="Several messages in work, of which later ones are finished first.",
    ),
    Rule(
        id="NATS-B300",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="fetch begun while a pull request of an earlier fetch is open",
        on=SENT,
        when=f"{BEGUN_EARLY} and coalesce(conn.early, 0) + 1 >= OVERLAP_LIMIT",
        needs="start whole both",
        of="conn",
        evidence="n, fetch.asked_n, conn.early_n",
        message="a fetch of {coalesce(conn.client_name, client)} sent this pull request "
        "(no_wait) while that of frame {fetch.asked_n} was open on the same inbox for another "
        "{fetch.until - t:time}, {conn.early + 1} times so far: the messages and the status of the "
        "earlier request are taken for those of the later one",
        cause="The client takes the timeout (408) of one pull request for the answer to the next, "
        "sends another one when a fetch is over, or fetches from one inbox in two tasks: fetches "
        "end at once without messages, or wait for messages that the earlier request received.",
        source="ADR-13, Pull Subscribe; nats.c issue 631; nats.py issue 933",
    ),
    Rule(
        id="NATS-B99",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="pull requests given up before they expire",
        on=SENT,
        when=f"{PULLS} and has(conn.left_pulls, subject) and "
        "coalesce(conn.gave_up, 0) + 1 >= GAVE_UP_LIMIT",
        needs="start whole both",
        of="conn",
        evidence="conn.left_pull_n, n, conn.gave_up_n",
        message="{subject} is asked again after the inbox of the pull request in frame "
        "{conn.left_pull_n} was unsubscribed before it expired, {conn.gave_up + 1} times so far",
        cause="The client's own timeout is shorter than `expires`: a message that comes for the "
        "old request is lost until ack_wait is over.",
        source=f"{CONSUMER}, processNextMsgRequest; nats.js issue 149",
    ),
)

BATCHES: Final = (
    Rule(
        id="NATS-B100",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="gap or repetition in an atomic batch (Nats-Batch-Sequence)",
        on="client:hpub",
        when=f"bundle.next is not None and {BATCH_PLACE} != bundle.next and "
        f"(bundle.committed is None or {BATCH_PLACE} != 1)",
        needs="since",
        of="bundle",
        evidence="n, bundle.latest_n",
        message="message {item(fields.headers, 'Nats-Batch-Sequence')} of batch {bundle.batch} "
        "follows message {bundle.next - 1}",
        cause="Numbers of a batch begin with 1 and rise by 1: the stream drops the whole batch.",
        source="ADR-50, JetStream Batch Publishing",
    ),
    Rule(
        id="NATS-B100b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="atomic batch that is never committed",
        on="end:bundle",
        when="bundle.next is not None and bundle.committed is None and "
        "(why in ('closed', 'reset') or t - bundle.latest_t > ABANDONED)",
        needs="whole",
        of="bundle",
        evidence="bundle.latest_n, bundle.n",
        message="batch {bundle.batch} to {bundle.of} has {bundle.count:count message} and no "
        "Nats-Batch-Commit: none of them is stored",
        cause="The last message of a batch needs the header Nats-Batch-Commit.",
        source="ADR-50, JetStream Batch Publishing",
    ),
    Rule(
        id="NATS-N57",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="client publishes to a subject of advisories",
        on=SENT,
        when="starts(subject, '$JS.EVENT.')",
        needs="",
        per="client, server, subject",
        message="a client publishes to {subject}, where the server announces events of JetStream",
        cause="The program writes advisories of its own, or answers to the wrong subject: "
        "subscribers take them for those of the server.",
        source="nats-server v2.12.2, server/jetstream_events.go",
        healthy="A test of a program that reads advisories.",
    ),
)

GONE: Final = (
    Rule(
        id="NATS-B122",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="client that does nothing after its consumer is gone",
        on="end:conn",
        when="conn.gone_n is not None and coalesce(conn.vain_pulls, 0) == 0 and "
        "conn.deletes_n is None and conn.peers is None and "
        "coalesce(conn.left_t, t) - conn.gone_t > GONE_FOR",
        needs="start whole both",
        evidence="conn.gone_n, conn.gone_pull_n",
        message="a pull request learned that its consumer does not exist any more; for "
        "{coalesce(conn.left_t, t) - conn.gone_t:time} the client has neither pulled again nor "
        "created a consumer",
        cause="The consumer was deleted, or removed after its inactive_threshold or with a restart "
        "of the server, and the client takes the status for the end of its messages.",
        source=f"{CONSUMER}, deleteWithoutAdvisory; ADR-37; nats.go issue 1972",
        healthy="The program is to stop when its consumer is removed.",
    ),
    Rule(
        id="NATS-B122b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pull requests from a consumer that was reported as deleted",
        on="end:conn",
        when="conn.deleted is not None and conn.vain_pulls >= VAIN_PULLS and "
        "conn.peers is None and coalesce(conn.left_t, t) - conn.gone_t > GONE_FOR",
        needs="start whole both",
        evidence="conn.vain_n, conn.gone_n, conn.gone_pull_n",
        message="a status said that the consumer was deleted; the client has sent "
        "{conn.vain_pulls} pull requests to {conn.deleted} since, and received no message in "
        "{coalesce(conn.left_t, t) - conn.gone_t:time}",
        cause="The client takes the status for one that passes: it has to create the consumer "
        "again.",
        source=f"{CONSUMER}, deleteWithoutAdvisory; ADR-37",
        echo_of="NATS-N25b",
    ),
    Rule(
        id="NATS-B48c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="deliver subject of a push consumer subscribed to again, and no consumer delivers",
        on="end:conn",
        when="conn.fed_n is not None and conn.create_n is None and conn.ack_to is None and "
        "stock.latest_t > conn.fed_t + REPLY_TIME + MISSED_BEATS * coalesce(conn.fed_beat, 0) and "
        "(conn.fed_filter is None or matching(stock.latest, conn.fed_filter))",
        needs="start whole both",
        evidence="conn.fed_n, stock.latest_n, conn.fed_before_n",
        message="{coalesce(conn.client_name, client)} subscribed to the deliver subject of its "
        "consumer of stream {conn.fed_stream} again after its connection was lost, and received "
        "nothing, although messages were stored {stock.latest_t - conn.fed_t:time} later",
        cause="The library restores the subscription, but the consumer is gone: an ephemeral one "
        "is removed while nothing subscribes to its deliver subject. It has to be created again.",
        source="ADR-17, Ordered Consumer; nats.net.v1 issue 551; nats.rs issue 224",
    ),
    Rule(
        id="NATS-B132",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages lost to pull requests that the client has given up",
        on="end:conn",
        when="conn.abandoned >= GAVE_UP_LIMIT and conn.peers is None and "
        "coalesce(conn.left_t, t) - conn.abandoned_t > REPLY_TIME",
        needs="start whole both",
        evidence="conn.abandoned_n, conn.abandoned_to_n",
        message="{conn.abandoned:count message} came for pull requests that were not the latest "
        "ones, and the client never acknowledged them: it no longer reads their inboxes",
        cause="A pull request without `expires` and `no_wait` stays open after the client has "
        "given it up, and the next messages are delivered to it: they are lost until ack_wait is "
        "over. `expires` has to be shorter than the timeout of the client.",
        source=f"{CONSUMER}, processNextMsgRequest; ADR-13, Pull Subscribe",
    ),
    Rule(
        id="NATS-B131",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="pull consumer created, and no pull request sent",
        on="end:conn",
        when=f"{NEVER_PULLED} and stock.count < UNPULLED_LEAST",
        needs="start whole both",
        evidence="conn.create_n, conn.idle_inbox_n, stock.latest_n",
        message="{coalesce(conn.client_name, client)} created a consumer of stream "
        "{conn.create_stream} without a deliver subject and subscribed to an inbox, which received "
        "nothing: it sent no pull request, although messages were stored "
        "{stock.latest_t - conn.create_t:time} later",
        cause="The server delivers the messages of a pull consumer only in answer to "
        "$JS.API.CONSUMER.MSG.NEXT: subscribing is not enough.",
        source=f"{CONSUMER}, processNextMsgRequest; ADR-13, Pull Subscribe",
        healthy="A program that only creates the consumer, for others.",
    ),
    Rule(
        id="NATS-N66",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream ack that no consumer receives (503)",
        on="server:hmsg",
        when="fields.status == 503 and starts(req.subject, '$JS.ACK.')",
        needs="",
        per="client, server, token(req.subject, 2), token(req.subject, 3)",
        worsens=True,
        evidence="n, req.n",
        message="the ack to {req.subject} was answered with status 503: the consumer does not "
        "exist",
        cause="The consumer was deleted, or removed after its inactive_threshold, while the "
        "message was in work: the ack is lost.",
        source=f"{CONSUMER}, processInboundAcks",
        healthy="A consumer that is removed on purpose.",
    ),
    Rule(
        id="NATS-N67",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="consumer that is to start in the future (opt_start_time)",
        on=SENT,
        when=f"{CREATES} and between(payload, 'opt_start_time', '') is not None",
        predicate=starts_later,
        reads="payload t",
        needs="",
        of="conn",
        message="the consumer of {subject} starts at {found}, which is later than this request: "
        "it delivers nothing until messages are stored after that time",
        cause="The client writes its local time as UTC, or adds to the time instead of taking from "
        "it.",
        source=f"{CONSUMER}, selectStartingSeqNo; docs.nats.io, JetStream, consumers, OptStartTime",
    ),
    Rule(
        id="NATS-B4b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="JetStream pull requests that expire within a second, one after another",
        on="repetition:brief_pulls",
        needs="",
        message="{BRIEF_PULLS} pull requests in a row expired without a message, each in less than "
        "{BRIEF_PULL:time}",
        cause="The client polls with a short timeout: an idle consumer costs requests and statuses "
        "all the time. A pull request may wait for 30 seconds, with a heartbeat.",
        source="ADR-13, Pull Subscribe; ADR-37",
        healthy="A program that has other things to do between its pulls.",
        echo_of="NATS-B4",
    ),
    Rule(
        id="NATS-B123",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages of a stream handled by a program once for each of two consumers",
        on=SENT,
        when=f"{DONE_TWICE} and coalesce(conn.twice_done, 0) + 1 >= DONE_LIMIT",
        needs="",
        per="client, server, token(subject, 2)",
        of="conn",
        evidence="n, job.acked_n, served.n, conn.create_n",
        message="{DONE_LIMIT} messages of stream {token(subject, 2)} were acknowledged as messages "
        "of consumer {token(subject, 3)} and of another one, both by "
        "{coalesce(conn.client_name, client)}: each is handled twice",
        cause="Instances of the program, or two of its parts, make a consumer each, and each "
        "consumer gets all messages. To share the work they need one durable consumer, or filters.",
        source=f"{CONSUMER}, addConsumerWithAssignment; docs.nats.io, JetStream, consumers",
        healthy="The consumers are for two tasks, each of which needs all messages.",
        echo_of="NATS-B13",
    ),
)

CONSUMER_RULES: Final = (*STREAMS, *CONSUMERS, *BATCHES, *GONE)
"""Part of the rules of the protocol."""
