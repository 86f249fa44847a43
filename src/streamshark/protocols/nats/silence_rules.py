"""Rules for what consumers do not deliver, and what ends reads and connections early."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.harm_behaviours import CUT_SHORT, STANDS_BEYOND
from streamshark.protocols.nats.row_names import DELIVERED, IS_DUPLICATE, SENT, STORED
from streamshark.protocols.nats.silence_behaviours import (
    ADVISORY,
    GIVEN_UP,
    IDLE,
    IDLE_AGAIN,
    PULLING,
    REFUSED_SUB,
    STALLED_STILL,
    UNBEATEN,
    WITHHELD,
)
from streamshark.protocols.nats.sources import ADR_13, CLIENT, CONSUMER, PROTOCOL

_ADVISORIES: Final = "nats-server v2.12.2, server/jetstream_events.go"
_LEFT: Final = "coalesce(conn.left_t, t)"
"""When the connection ended, or a loop of it."""
_LOOP_LEFT: Final = f"coalesce(loop.left_t, {_LEFT})"
"""When the loop gave its subscription up, or its connection ended."""
_GONE: Final = (
    "The consumer is gone, or has no leader; or the account that exports the API of JetStream to "
    "this one lacks response_type stream, so that only the first reply to each request comes."
)


_UNBEATEN: Final = tuple(
    Rule(
        id="NATS-B320",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pull request without the heartbeats that it asks for",
        on=on,
        when=f"{UNBEATEN} and ({until} - loop.heard_t) * 10 > loop.beat * 19 {more}".strip(),
        needs="start whole both",
        per="client, server, loop.id",
        evidence=evidence,
        message="nothing came for {loop.id} in {" + f"{until} - loop.heard_t" + ":time}, neither "
        "messages nor a heartbeat, which the pull request wants every {loop.beat:time}",
        cause=_GONE,
        source=f"{CONSUMER}, sendIdleHeartbeat; ADR-37; nats.go issue 1621",
        guilty="server",
    )
    for on, until, more, evidence in (
        (SENT, "t", f"and {PULLING}", "loop.pull_n, n"),
        ("end:loop", _LEFT, "", "loop.pull_n"),
    )
)

_TLS_NOT_OFFERED: Final = tuple(
    Rule(
        id="NATS-B332",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="TLS that the server does not offer",
        on=on,
        when=when,
        needs="start",
        per="client, server",
        of="conn",
        evidence="coalesce(conn.greeted_n, n)",
        message="the client began TLS, which INFO neither asks for nor offers",
        cause="The client is set to TLS, or to WebSocket over TLS, and the port takes NATS "
        "without it: the server takes the first record for a command.",
        source=f"{PROTOCOL}, INFO; nats.js issue 61",
    )
    for on, when in (
        (
            "client:tcp.resync",
            (
                "starts(reason, 'this is TLS') and conn.greeted_n is not None and "
                "conn.connect_n is None and conn.tls_offered is None"
            ),
        ),
        (
            "server:info",
            (
                "conn.veiled_t is not None and conn.greeted_n is None and "
                "conn.connect_n is None and coalesce(tls_required, 0) == 0 and "
                "coalesce(tls_available, 0) == 0"
            ),
        ),
    )
)

_INBOX_REFUSED: Final = tuple(
    Rule(
        id="NATS-B331",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="request whose reply the client may not receive",
        on=on,
        when=f"{refused} is not None and {reply} is not None and matching({reply}, {refused})",
        needs="",
        per="client, server",
        evidence=evidence,
        message=f"the reply to a request is to come on {{{reply}}}, but the server has refused the "
        f"client's subscription to {{{refused}}}",
        cause="The user lacks the permission to subscribe to its inbox: it needs _INBOX.>, or an "
        "inbox prefix of its own that it may subscribe to.",
        source="docs.nats.io, Authorization; nats-server issue 662",
    )
    for on, refused, reply, evidence in (
        (SENT, "conn.refused_sub", "reply_to", "n, conn.refused_n"),
        ("server:err", REFUSED_SUB, "conn.wants_reply", "conn.wants_reply_n, n"),
    )
)
"""Clients send the first request together with its subscription."""

SILENCE_RULES: Final = (
    *_UNBEATEN,
    Rule(
        id="NATS-B321",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="consumer that delivers nothing although messages are pending and pull requests wait",
        on=DELIVERED,
        when=STALLED_STILL,
        needs="",
        per="server, asked.subject",
        evidence="described.stalled_n, n",
        message="consumer {token(asked.subject, 5)} of stream {token(asked.subject, 4)} has "
        "pending messages, and pull requests wait, but it has delivered nothing for "
        "{t - described.stalled_t:time}",
        cause="The server has lost track of the consumer: its leader has to change, or the server "
        "to be restarted with a newer version.",
        source=f"{CONSUMER}, getNextMsg; nats-server issues 2488, 6017",
        guilty="server",
    ),
    Rule(
        id="NATS-B333",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="pull request that ends empty although a message was stored for it",
        on="server:hmsg",
        when=WITHHELD,
        needs="start whole both",
        per="client, server, loop.id",
        evidence="loop.pull_n, shelf.latest_n, n",
        message="the pull request ended with status 408, although a message to {loop.subject}, as "
        "the client had received before, was stored {t - shelf.latest_t:time} before",
        cause="The consumer delivers nothing: it is paused, or the server has lost track of it; or "
        "another program that was not captured has taken the message, or it was removed.",
        source=f"{CONSUMER}, processNextMsgRequest; nats-server issue 6017",
        healthy="Another program that pulls from the same consumer.",
        echo_of="NATS-B152",
        guilty="server",
    ),
    Rule(
        id="NATS-B322",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="no pull request after the leader of the consumer has changed",
        on="end:loop",
        when="loop.moved_n is not None and loop.pulls > 0 and loop.beat > 0 and "
        f"loop.moved_t + MOVED_TIME < {_LOOP_LEFT} and "
        "conn.peers is None",
        needs="start whole both",
        evidence="loop.moved_n, loop.pull_n",
        message="the pull request to {loop.id} ended with status 409 {loop.moved}, and "
        f"{{{_LOOP_LEFT} - loop.moved_t:time}} later the client "
        "has sent no other one",
        cause="The client takes the status for the end of its work: the new leader knows no open "
        "pull request, and delivers nothing until it receives one.",
        source=f"{ADR_13}; {CONSUMER}, processStreamSignal; nats.go issue 2063",
        echo_of="NATS-B122",
    ),
    Rule(
        id="NATS-B323",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="stream or consumer without a quorum (advisory)",
        on=DELIVERED,
        when=f"{ADVISORY} and token(subject, 4) == 'QUORUM_LOST'",
        needs="",
        per="server, subject",
        message="the server reports that "
        "{'consumer ' + token(subject, 6) + ' of ' if token(subject, 3) == 'CONSUMER' else ''}"
        "stream {token(subject, 5)} has no quorum",
        cause="More than half of its replicas are away: it stores and delivers nothing until they "
        "are back.",
        source=f"{_ADVISORIES}, JSStreamQuorumLostAdvisory, JSConsumerQuorumLostAdvisory",
        guilty="server",
    ),
    Rule(
        id="NATS-B324",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="message that is not delivered any more (advisory)",
        on=DELIVERED,
        when=f"{ADVISORY} and token(subject, 4) == 'MAX_DELIVERIES' and "
        f"not starts(coalesce(sub.subject, '{GIVEN_UP}'), '{GIVEN_UP}')",
        needs="",
        per="server, subject",
        worse_from=3,
        message="the server reports that the message with sequence "
        "{between(payload, SEQUENCE_MEMBER, COMMA)} of stream {token(subject, 5)} was delivered "
        "max_deliver times to consumer {token(subject, 6)}, without an ack",
        cause="The consumer fails at the message: it stays in the stream, and is not delivered to "
        "this consumer again.",
        source=f"{_ADVISORIES}, JSConsumerDeliveryExceededAdvisory",
        healthy="A program that subscribes to these advisories alone sets such messages aside, "
        "and is not accused.",
        echo_of="NATS-B29",
    ),
    Rule(
        id="NATS-B325",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="message deleted before it was acknowledged (advisory)",
        on=DELIVERED,
        when=f"{ADVISORY} and token(subject, 4) == 'MSG_TERMINATED' and "
        "between(payload, '\"reason\":\"Unacknowledged message was deleted', '\"') is not None",
        needs="",
        per="server, subject",
        message="the server reports that the message with sequence "
        "{between(payload, SEQUENCE_MEMBER, COMMA)} of stream {token(subject, 5)} was deleted "
        "before consumer {token(subject, 6)} had acknowledged it",
        cause="A limit of the stream, a purge or another consumer has removed it: the consumer "
        "does not receive it again.",
        source=f"{_ADVISORIES}, JSConsumerDeliveryTerminatedAdvisory; nats-server issue 5638",
        healthy="A message that is deleted on purpose.",
        guilty="server",
    ),
    Rule(
        id="NATS-B326",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="leader of a stream or consumer that changes repeatedly (advisories)",
        on="repetition:leaders",
        needs="since",
        message="the server reports {LEADERS_LIMIT} elections of a leader in a row on {subject}",
        cause="The servers lose each other, or are too busy to answer in time: while there is no "
        "leader, nothing is stored or delivered.",
        source=f"{_ADVISORIES}, JSStreamLeaderElectedAdvisory; nats-server issue 4480",
        healthy="Servers that are restarted one after another.",
        guilty="server",
    ),
    Rule(
        id="NATS-B327",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="no stream for the subject that a client looks up",
        on=DELIVERED,
        when="asked.sought is not None and asked.state == 'asked' and "
        "(between(payload, '\"streams\":nul', '') is not None or "
        "between(payload, '\"streams\":[', ']') == '')",
        needs="",
        per="client, server, asked.sought",
        evidence="asked.n, n",
        message="no stream stores {asked.sought}",
        cause="The stream does not exist yet, or has other subjects; one with sources or a mirror "
        "has no subjects of its own. The client has to name the stream, or to ask again later.",
        source="docs.nats.io, JetStream API, STREAM.NAMES; dapr/components-contrib issue 2145",
        healthy="A program that creates the stream if it does not exist.",
    ),
    Rule(
        id="NATS-B335",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late ack of a message that JetStream has stored",
        on=DELIVERED,
        when=f"{STORED} and t - asked.t > LATE_ACK",
        needs="object",
        per="client, server, asked.subject",
        worse_from=5,
        evidence="asked.n, n",
        message="the ack of the message to {asked.subject} came {t - asked.t:time} later: "
        "libraries wait for {LATE_ACK:time} to 5 s and take the message for lost, though it is "
        "stored",
        cause="The server, its disk or its replicas are too busy, or have just lost their leader: "
        "the client has to wait longer, and to send the message again with its Nats-Msg-Id.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg; nats.java issue 1581",
        healthy="A server that has just started.",
        guilty="server",
    ),
    Rule(
        id="NATS-B336",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that ends its connection at +OK",
        on="client:tcp.close client:tcp.reset",
        when="conn.verbose and conn.oks == 1 and conn.ok_t == S.last_t and "
        "t - conn.ok_t <= ENDS_AT and conn.published == 0 and C.frames <= 2 and "
        "conn.left is None and conn.cut is None and conn.errors == 0",
        needs="start whole both",
        per="client, server",
        evidence="conn.connect_n, S.last_n",
        message="CONNECT asks for +OK (verbose), and the client ended the connection just after "
        "the first one",
        cause="The library expects PONG, and takes +OK for an error: verbose has to be false.",
        source=f"{PROTOCOL}, +OK/ERR; nats.go issue 118",
        healthy="A check whether the server lets a client in.",
    ),
    Rule(
        id="NATS-B337",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="consumer that stands beyond the last message of its stream",
        on=DELIVERED,
        when=STANDS_BEYOND,
        needs="",
        per="server, asked.subject",
        evidence="reach.told_n, n",
        message="consumer {reach.consumer} of stream {token(asked.subject, 4)} has delivered up "
        "to sequence {reach.sequence}, which the stream has not reached",
        cause="The stream has lost its last messages, or was made again: the consumer delivers "
        "nothing until its sequence is reached.",
        source=f"{CONSUMER}, selectStartingSeqNo; nats-server issue 6124",
        healthy="A stream that was deleted and made again in this moment.",
        guilty="server",
    ),
    Rule(
        id="NATS-B338",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="advertised servers with private addresses, at a public one",
        on="server:info",
        when="begins(first(connect_urls), PRIVATE) is not None and "
        "begins(last(connect_urls), PRIVATE) is not None and token(server, 3) is not None and "
        "begins(server, PRIVATE) is None and conn.peers is None",
        needs="",
        per="server",
        message="the client reached the server at {server}, but INFO advertises servers at private "
        "addresses: {connect_urls}",
        cause="The servers advertise the addresses of their network, as of containers: a client "
        "outside cannot reconnect to them. client_advertise is for the addresses that it can "
        "reach, and no_advertise for a load balancer.",
        source="docs.nats.io, Clustering, client_advertise; nats-server issues 542, 952, 1359",
        healthy="A client that is also inside that network.",
        guilty="server",
    ),
    Rule(
        id="NATS-B328",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="message without Nats-Msg-Id that JetStream drops as a duplicate",
        on=DELIVERED,
        when=f"{STORED} and asked.msg_id is None and {IS_DUPLICATE}",
        needs="",
        per="client, server",
        evidence="asked.n, n",
        message="the message to {asked.subject} was not stored as a duplicate, although it has no "
        "header Nats-Msg-Id",
        cause="The server takes a header with a similar name for the id.",
        source="nats-server v2.12.2, server/stream.go, getMsgId; nats-server issue 3645",
        guilty="server",
    ),
    Rule(
        id="NATS-B329",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections that end after the same time without traffic",
        on="server:tcp.close server:tcp.reset",
        when=IDLE_AGAIN,
        needs="start whole both",
        of="quiet",
        per="server",
        evidence="quiet.latest_n, max(C.last_n, S.last_n), S.last_n",
        message="the connection was ended from the side of the server after "
        f"{{{IDLE}:time}} without a line, as the one before was: the server "
        "sends -ERR when it ends a connection",
        cause="A proxy, load balancer or firewall between them ends connections without traffic: "
        "its time has to be longer than the time between PINGs, or the client has to send PING "
        "more often.",
        source=f"{PROTOCOL}, PING/PONG; {CLIENT}, processPingTimer; nats.ws issue 258",
    ),
    Rule(
        id="NATS-B330",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="read of an object that ends before its last chunk",
        on="client:unsub",
        when=CUT_SHORT,
        needs="object both",
        evidence="sub.chunk_n, n",
        message="the client ends the subscription after {sub.chunks} chunks of an object, although "
        "{sub.chunks_left} more were to come",
        cause="The client has given up the read, for example after a time that is too short for "
        "the object.",
        source="ADR-20; nats.go issue 1003",
        healthy="A program that needs the beginning of an object alone, or that resumes the read.",
    ),
    *_INBOX_REFUSED,
    *_TLS_NOT_OFFERED,
    Rule(
        id="NATS-B334",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection that the server ends before CONNECT",
        on="server:tcp.close server:tcp.reset",
        when="conn.greeted_n is not None and conn.connect_n is None and "
        "coalesce(C.frames, 0) == 0 and conn.left is None and conn.errors == 0 and "
        "conn.ldm_n is None and conn.tls_offered is None and conn.peers is None",
        needs="start whole both",
        per="client, server",
        evidence="conn.greeted_n",
        message="the server ended the connection after INFO, before the client had sent anything, "
        "and without -ERR",
        cause="The server was stopped in this moment, or something between ended the connection: "
        "a server that does not let a client in says so by -ERR.",
        source=f"{PROTOCOL}, INFO, +OK/ERR",
        healthy="A server that is stopped in this moment.",
        guilty="server",
    ),
)
"""Judged by `streamshark.findings`."""
