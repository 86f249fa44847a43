"""Rules for NATS clients that repeat: refused requests, queries, pings, connections."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.row_names import OF_STREAM
from streamshark.protocols.nats.sources import ADR_13, CLIENT, CONSUMER

LOOPS: Final = (
    Rule(
        id="NATS-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream request repeated after the same error",
        on="repetition:refused",
        needs="",
        message="the request to {asked.subject} was refused {REFUSED_LIMIT} times in a row: "
        "{between(payload, DESCRIPTION, QUOTE)}",
        cause="The client retries without a pause, or does not read the error in the answer.",
        source="nats-server v2.12.2, server/errors.json; nats.net issue 420",
        echo_of="NATS-N24d NATS-B270c NATS-B271",
    ),
    Rule(
        id="NATS-B2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request repeated despite no responders (503)",
        on="repetition:unheard",
        # Servers of Liftbridge ask each other so while one of them is away.
        when="conn.connect_n is not None and conn.cluster is None and "
        "not starts(coalesce(conn.client_name, ''), 'LIFT.')",
        needs="",
        message="{REFUSED_LIMIT} requests in a row to {asked.subject} were answered with status "
        "503: no subscriber and no stream receives them",
        cause="The client ignores the status or takes it for an ack; its messages are lost.",
        source="ADR-4; nats.rs issue 218",
        healthy="A client that waits for a service to start.",
        echo_of="NATS-B200",
    ),
    Rule(
        id="NATS-B3",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="same -ERR sent repeatedly by the server",
        on="repetition:erred",
        needs="",
        message="the server sent -ERR {message} to {client}, {ERR_LIMIT} in a row of this kind",
        cause="The client does not read -ERR: it repeats the refused command, or reconnects "
        "with the same mistake.",
        source=f"{CLIENT}, sendErr; nats.net issue 376",
        echo_of="NATS-N5 NATS-B332 NATS-N9",
    ),
    Rule(
        id="NATS-B4",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="empty JetStream pulls in a loop (no_wait)",
        on="repetition:empty_pulls",
        needs="",
        evidence="pull.n, empty_pulls.second_n, n",
        message="{POLL_LIMIT} pull requests in a row were answered with status 404 at once, at "
        "most {POLL_PAUSE:time} apart",
        cause="The client pulls with no_wait; with `expires` the server waits for messages "
        "instead.",
        source=f"{ADR_13}; nats.go issue 809",
        echo_of="NATS-N27",
    ),
    Rule(
        id="NATS-B5",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="JetStream API query repeated without a pause",
        on="repetition:polled",
        needs="",
        message="{called(subject, JETSTREAM)} was requested {POLL_LIMIT} times in a row, at most "
        "{POLL_PAUSE:time} apart",
        cause="The client asks before each step instead of keeping the answer: each query costs "
        "a round trip and loads the stream's leader.",
        healthy="A program that watches a consumer or a stream.",
        source="docs.nats.io, JetStream, consumer info",
    ),
    Rule(
        id="NATS-B6",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="message redelivered in a loop",
        on="repetition:redelivered",
        needs="",
        message="consumer {token(reply_to, 3)} has delivered the message with sequence "
        "{token(reply_to, 5)} of stream {token(reply_to, 2)} {token(reply_to, 4)} times",
        cause="The client cannot process the message, or never acknowledges it in time: limit "
        "max_deliver, set backoff, reject it with a delay (-NAK), or end it with +TERM.",
        source=f"{CONSUMER}, didNotDeliver, checkPending",
        echo_of="NATS-B14",
        healthy="The consumer rejects the message until something else has happened.",
    ),
    Rule(
        id="NATS-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream consumers created in a loop and not deleted",
        on="repetition:created",
        needs="",
        worsens=True,
        message=f"{{CREATE_LIMIT}} consumers in a row were created on stream {{{OF_STREAM}}}, "
        "none of which the client deleted",
        cause="The client creates a consumer for each read or retry; each is kept by the "
        "server until inactive_threshold, a durable one for ever.",
        source="docs.nats.io, JetStream, consumers; ADR-15",
        healthy="A program that sets up several consumers when it starts.",
    ),
    Rule(
        id="NATS-B7b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream consumer made for each read",
        on="repetition:consumers_remade",
        needs="",
        message=f"{{REMADE_CONSUMERS}} consumers in a row were created on stream {{{OF_STREAM}}}, "
        "at most {REFUSED_PAUSE:time} apart",
        cause="The client creates a consumer for each message or listing, and deletes it: each "
        "costs several round trips, and in a cluster a Raft group. One consumer reads on.",
        source="docs.nats.io, JetStream, consumers; ADR-15",
        healthy="A program that sets up several consumers when it starts, or lists keys.",
        echo_of="NATS-B7",
    ),
    Rule(
        id="NATS-B8",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publish loop on a subject that the client itself subscribes to",
        on="repetition:echoed",
        needs="",
        message="{ECHO_LIMIT} times in a row the client received its own message on {subject} and "
        "published to that subject again at once",
        cause="The client subscribes to the subject that it publishes to, so each message "
        "causes the next one. With echo:false in CONNECT it does not receive its own messages.",
        source="docs.nats.io, Client Protocol, CONNECT",
        healthy="The client measures round trips through the server.",
    ),
    Rule(
        id="NATS-B62",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many JetStream streams created in a row",
        on="repetition:streams_created",
        needs="",
        message="{STREAM_LIMIT} streams in a row were created; the last request is {subject}",
        cause="The client creates a stream, or a bucket, for each task or user: each of them costs "
        "files and, in a cluster, a Raft group. One stream can have many subjects.",
        source="docs.nats.io, JetStream, streams",
        healthy="A program that sets up its streams when it starts.",
    ),
    Rule(
        id="NATS-B62b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same JetStream stream created or updated repeatedly",
        on="repetition:ensured",
        needs="",
        message="the same request was sent {ENSURED_LIMIT} times in a row ({subject})",
        cause="The client makes sure before each task that the stream exists: each request goes "
        "through the leader of the cluster.",
        source="docs.nats.io, JetStream, streams",
        healthy="Several instances of a program that start one after the other.",
    ),
    Rule(
        id="NATS-B63",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="frequent PINGs of an idle client",
        on="repetition:pinged",
        needs="",
        message="the client sent {BEAT_LIMIT} PINGs in a row and nothing else, at most "
        "{REFUSED_PAUSE:time} apart",
        cause="The client's ping interval is too short, or has another unit than meant: libraries "
        "use two minutes.",
        source="docs.nats.io, Client Protocol, PING",
        healthy="A program that measures round trips.",
        echo_of="NATS-B23",
    ),
    Rule(
        id="NATS-B9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived NATS connections in a row",
        on="churn:reconnected",
        evidence="conn.connect_n",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row, "
        "each with at most two messages",
        cause="The client connects for each task: the handshake alone costs two round trips.",
        source="docs.nats.io, Connecting",
        healthy="A command that is run for each message.",
        echo_of="NATS-B329",
    ),
    Rule(
        id="NATS-B9b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS connections for a few messages each",
        on="churn:reconnected_often",
        evidence="conn.connect_n",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} one after "
        "another, each with at most {FEW_MESSAGES} messages",
        cause="The client connects for each task: the handshake alone costs two round trips.",
        source="docs.nats.io, Connecting",
        healthy="A command that is run for each task.",
        echo_of="NATS-B9 NATS-B329",
    ),
    Rule(
        id="NATS-B9c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS connections with TLS that are closed at once, in a row",
        on="churn:veiled",
        evidence="conn.n",
        needs="",
        worsens=True,
        message="{client} opened {RECONNECT_LIMIT} connections to {server} one after another, "
        "began TLS on each, and closed it within {REPLY_TIME:time}",
        cause="The handshake of TLS fails: the client does not trust the certificate of the "
        "server, or the name in it is another one, or the server refuses that of the client.",
        source="docs.nats.io, TLS",
        healthy="A command that is run for each task.",
        echo_of="NATS-B332",
    ),
)
