"""Rules for what clients publish and ask for twice, and for what never arrives."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.behaviours import SELF
from streamshark.protocols.nats.exchange_behaviours import AT_BOTH, ENDS_CONSUMER, REMOVES, TWICE
from streamshark.protocols.nats.row_names import SENT
from streamshark.protocols.nats.sources import CONSUMER, PROTOCOL

BOTH_OFTEN: Final = 8
"""Messages with contents of their own that cannot come from two publishers by chance."""
_REPLIES: Final = "docs.nats.io, Request-Reply"

DOUBLED: Final = (
    Rule(
        id="NATS-B112",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each NATS message published twice in a row",
        on=SENT,
        when=TWICE,
        needs="whole both",
        of="conn",
        evidence="n, conn.pair_n",
        message="{PAIR_LIMIT} messages in a row were each published twice, with the same subject "
        "and payload; the last one to {subject}",
        cause="Two parts of the program send the message, or a wrapper calls publish again: "
        "subscribers process everything twice.",
        source=f"{PROTOCOL}, PUB",
        healthy="Values that are measured twice.",
    ),
    *(
        Rule(
            id=f"NATS-B113{letter}",
            severity=severity,
            group=Group.SEQUENCE,
            title=f"same NATS messages from two connections of {whose} at once",
            on=SENT,
            when=f"{AT_BOTH} and coalesce(topic.both, 0) + 1 >= BOTH_LIMIT and {which}",
            needs="",
            of="topic",
            evidence="n, topic.latest_n",
            message="{BOTH_LIMIT} messages to {subject} came from two connections with the same "
            "payload, each within {BOTH_TIME:time}: they are processed twice",
            cause="The program publishes on each of its connections, or its instances, such as "
            "replicas with a timer each, do not agree on which of them does the work.",
            source=f"{PROTOCOL}, PUB; nats.java issue 157",
            healthy="Programs that publish equal values, such as a heartbeat.",
            echo_of=echo_of,
            worse_from=BOTH_OFTEN if letter else 0,
        )
        for letter, severity, whose, which, echo_of in (
            (
                "",
                Severity.WARNING,
                "one publisher",
                f"topic.program == ({SELF}) and conn.delivered == 0",
                "",
            ),
            ("b", Severity.NOTE, "several publishers", "topic.flow != flow", "NATS-B113"),
        )
    ),
    Rule(
        id="NATS-B114",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="equal NATS requests open at once",
        on=SENT,
        when="reply_to is not None and twin.open + 1 >= AT_ONCE_LIMIT",
        needs="start whole both",
        of="twin",
        evidence="n, twin.second_n, twin.first_n",
        message="{twin.open + 1} requests to {subject} with one payload have no answer yet",
        cause="The requester asks again while the service still works: its timeout is shorter than "
        "the time that an answer takes, or several parts of it ask for the same.",
        source=_REPLIES,
        healthy="A request whose effect is to be repeated.",
        echo_of="NATS-B37",
    ),
    Rule(
        id="NATS-B124",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="NATS requests sent again before they are answered",
        on="repetition:asked_again",
        needs="whole both",
        evidence="n, twin.asked_n, asked_again.first_n",
        message="{ASKED_AGAIN} times in a row a request to {subject} was sent again, with the same "
        "payload, while the one before had no answer yet",
        cause="The requester's timeout is shorter than the time that the answer takes: the work is "
        "done twice, and what a stream gets without a Nats-Msg-Id is stored twice.",
        source=_REPLIES,
        healthy="A request whose effect is to be repeated.",
        echo_of="NATS-B37 NATS-B114 NATS-B20",
    ),
    Rule(
        id="NATS-B126",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream messages published again by the client that received them",
        on="repetition:requeued",
        needs="",
        message="{REQUEUED_LIMIT} messages to {subject} were published by the client that had "
        "received them on this subject, with the same payload: the stream stores them again",
        cause="The client puts back what it cannot process yet, or passes messages on to the "
        "subject that it reads: messages that always fail go round without end. -NAK with a delay "
        "keeps the message and counts its deliveries.",
        source=f"{CONSUMER}, processNak; ADR-15",
        healthy="A retry whose number is limited.",
    ),
    Rule(
        id="NATS-B118",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests that one client answers twice",
        on=SENT,
        when="served.state == 'answered' and served.size == len(payload) and len(payload) > 0 and "
        "served.again_n is None and served.asked is not None and "
        "not starts(served.asked, '$SRV.') and "
        "coalesce(conn.answered_again, 0) + 1 >= AGAIN_LIMIT",
        needs="",
        of="conn",
        evidence="n, served.answer_n, served.n",
        message="the request to {served.asked} in frame {served.n} is answered a second time, as "
        "{coalesce(conn.answered_again, 0) + 1} requests of this connection were",
        cause="The handler replies, and what calls it replies too: requesters that read several "
        "answers take the second one for that of another request.",
        source=_REPLIES,
        healthy="Answers in several parts of one size, or two subscriptions that both answer.",
    ),
    Rule(
        id="NATS-B117",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many subscriptions that differ in their last token",
        on="client:sub",
        when="siblings.count + 1 == SIBLINGS_LIMIT",
        needs="start whole",
        of="siblings",
        evidence="n, siblings.first_n",
        message="{SIBLINGS_LIMIT} subscriptions of one connection differ in their last token "
        "only, the last one is to {subject}",
        cause="The client subscribes for each item: each subscription costs memory in all servers "
        "of a cluster, and all are sent again with a reconnect. `*` matches any token.",
        source="docs.nats.io, Subject-Based Messaging, Wildcards",
        healthy="A client that is to receive these items only, of very many.",
    ),
)

SILENCES: Final = (
    Rule(
        id="NATS-B115",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pull request without messages or a status although it has expired",
        on="end:sub",
        when="sub.state == 'live' and sub.until > sub.pull_t and t > sub.until + PULL_LATE and "
        "sub.delivered < sub.wanted and conn.cluster is None",
        needs="object both",
        per="client, server, sub.pull_of",
        evidence="sub.pull_n",
        message="the pull request to {sub.pull_of} was to expire after "
        "{sub.until - sub.pull_t:time}, and had neither its messages nor a status "
        "{t - sub.until:time} later",
        cause="Nothing received the request: the consumer does not exist, or has no leader, and "
        "without no_responders in CONNECT the server does not say so.",
        source=f"{CONSUMER}, processNextMsgRequest; ADR-13, Pull Subscribe; ADR-4",
    ),
    Rule(
        id="NATS-B115b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pull request without messages or a status although it does not wait",
        on="end:sub",
        when="sub.state == 'live' and sub.at_once == 1 and sub.until == sub.pull_t and "
        "t > sub.until + PULL_LATE and sub.delivered < sub.wanted and conn.cluster is None",
        needs="object both",
        per="client, server, sub.pull_of",
        evidence="sub.pull_n",
        message="the pull request to {sub.pull_of} was to be answered at once (no_wait), and had "
        "neither its messages nor a status {t - sub.until:time} later",
        cause="Nothing received the request: the consumer does not exist, or has no leader, and "
        "without headers and no_responders in CONNECT the server sends no status.",
        source=f"{CONSUMER}, processNextMsgRequest; ADR-13, Pull Subscribe; ADR-4",
    ),
    Rule(
        id="NATS-B116",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="subscription without messages although its subject was published to",
        on="end:sub",
        when="sub.delivered == 0 and sub.state == 'live' and sub.queue is None and "
        "topic.latest_t > sub.t + UNHEARD_TIME and topic.server == server and "
        "conn.errors == 0 and (conn.echo != False or topic.flow != flow) and "
        "conn.cluster is None",
        needs="start object both",
        evidence="sub.n, topic.latest_n",
        message="nothing came for the subscription to {sub.subject}, which was published to in "
        "frame {topic.latest_n}, {topic.latest_t - sub.t:time} after it",
        cause="The two connections are in different accounts, or the user may not subscribe to the "
        "subject or publish to it.",
        by="1 if coalesce(conn.user, '') != coalesce(topic.user, '') else 0",
        causes={
            1: "The two connections have different users, perhaps of different accounts: messages "
            "of one account do not reach the other without an export and an import.",
        },
        source="docs.nats.io, Accounts; docs.nats.io, Authorization",
        healthy="Accounts that are meant to be apart.",
    ),
    Rule(
        id="NATS-N14c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request without a reply for a long time",
        on="end:asked",
        when="why == 'end' and asked.state == 'asked' and t - asked.t > REPLY_MISSED and "
        "asked.meaning is None and conn.peers is None and conn.cluster is None",
        needs="whole both",
        per="client, server, asked.subject",
        evidence="asked.n",
        message="the request to {asked.subject} has had no reply for {t - asked.t:time}",
        cause="",
        source=_REPLIES,
        healthy="The reply subject may be meant for later, or for several replies.",
        echo_of="NATS-B37",
    ),
)

REMOVED: Final = (
    Rule(
        id="NATS-B119",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream deleted or purged while another connection receives its messages",
        on=SENT,
        when=f"{REMOVES} and used.readers > 0 and used.flow != flow",
        needs="",
        of="used",
        evidence="n, used.taken_n",
        message="{subject} removes the messages of a stream that another connection receives, "
        "since frame {used.taken_n}",
        cause="A program empties or deletes what others use, at its start for example: messages "
        "that they have not received are lost, and their consumers are gone with the stream.",
        source="nats-server v2.12.2, server/jetstream_api.go; docs.nats.io, JetStream, streams",
        healthy="A stream that is removed on purpose.",
    ),
    Rule(
        id="NATS-B119b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="consumer deleted while another connection receives from it",
        on=SENT,
        when=f"{ENDS_CONSUMER} and team.user is not None and team.user != flow",
        needs="",
        of="team",
        evidence="n, team.used_n",
        message="{subject} deletes a consumer from which another connection receives messages, "
        "since frame {team.used_n}",
        cause="An instance deletes the consumer that it shares when it stops, or a program at its "
        "start: the others get nothing more, and the place up to which they had read is lost.",
        source=f"{CONSUMER}, deleteWithoutAdvisory; nats.go issue 810",
        healthy="A consumer that is removed on purpose.",
    ),
)

EXCHANGE_RULES: Final = (*DOUBLED, *SILENCES, *REMOVED)
"""Part of the rules of the protocol."""
