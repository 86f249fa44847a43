"""Rules for what gRPC clients do over time: retry loops, polls, connections, calls left open."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.grpc import predicates

_SPEC: Final = "PROTOCOL-HTTP2.md"

BEHAVIOURS: Final = (
    Rule(
        id="GRPC-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC call repeated after the same error status",
        on="repetition:refused",
        when="status != 13",
        needs="",
        message="{method} failed {REFUSED_LIMIT} times in a row with {status:name}: "
        "{status_message}",
        cause="The client repeats a call that cannot succeed, or does not wait before it does.",
        by="status",
        causes={
            3: "The service rejects the arguments: the same call fails again.",
            4: "The deadline is shorter than the call takes.",
            5: "The object does not exist: the client does not look it up again, or create it.",
            6: "The object exists already, or another client uses its name.",
            9: "The state of the service has to change first: another step is missing, or another "
            "client uses the name.",
            14: "The service is unavailable, and the client does not wait longer each time.",
        },
        source=f"{_SPEC}, Responses; gRPC, connection-backoff.md and statuscodes.md",
    ),
    Rule(
        id="GRPC-B1b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call repeated after INTERNAL",
        on="repetition:refused",
        when="status == 13",
        needs="",
        message="{method} failed {REFUSED_LIMIT} times in a row with {status:name}: "
        "{status_message}",
        cause="The client repeats the call at once, although the service has failed unexpectedly.",
        source=f"{_SPEC}, Responses; gRPC, statuscodes.md",
        healthy="A service that is still starting, such as a controller of Pravega.",
    ),
    Rule(
        id="GRPC-B8",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="consecutive failures of one gRPC method",
        on="repetition:failing",
        needs="",
        message="{method} failed {FAILING_LIMIT} times in a row with {status:name}: "
        "{status_message}",
        cause="The client does not look at the result of its calls.",
        by="status",
        causes={
            3: "The service rejects an argument of all calls.",
            8: "A limit is reached, and the client does not wait until it is no longer.",
            9: "The service is not in a state to handle the calls, and the client goes on as if "
            "they had succeeded.",
        },
        source=f"{_SPEC}, Responses; gRPC, statuscodes.md",
        echo_of="GRPC-B1",
    ),
    Rule(
        id="GRPC-B2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC deadline of a few milliseconds",
        on="repetition:expired",
        needs="",
        message="{DEADLINE_LIMIT} calls of {method} in a row ended with {status:name}, each less "
        "than {SHORT_DEADLINE:time} after it began",
        cause="The deadline (grpc-timeout) is too short or in the wrong unit. The service may "
        "still carry out the call, so a retry may carry it out twice.",
        source=f"{_SPEC}, Requests, Timeout",
    ),
    Rule(
        id="GRPC-B3",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="gRPC call polled without a pause",
        on="repetition:polled",
        needs="",
        per="client, server, path",
        message="{POLL_LIMIT} identical calls of {method} were answered in a row, at most "
        "{POLL_PAUSE:time} apart",
        cause="Each poll costs a round trip: wait longer between polls, or use a call that "
        "streams changes.",
        source=f"{_SPEC}, Requests",
        healthy="A program that waits for a state to be reached.",
    ),
    Rule(
        id="GRPC-B3b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same gRPC call with the same answer repeated",
        on="repetition:answered_alike",
        needs="",
        per="client, server, path",
        message="{ALIKE_LIMIT} identical calls of {method} had the same answer in a row, at most "
        "{ALIKE_PAUSE:time} apart",
        cause="The client does not look at the answer, or asks again for what has not changed.",
        source=f"{_SPEC}, Requests; pravega issue 3463",
        healthy="A program that waits for a state to be reached.",
        echo_of="GRPC-B3",
    ),
    Rule(
        id="GRPC-B4",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same gRPC call cancelled repeatedly by the client",
        on="repetition:cancelled",
        needs="",
        message="{CANCEL_LIMIT} identical calls of {method} in a row were cancelled by the "
        "client, each less than 2 s after it began",
        cause="The client treats an answer as a failure, or opens a stream for each message.",
        source=f"{_SPEC}, Errors; RFC 9113, 7",
        healthy="A client that reads a few messages from a stream each time.",
    ),
    Rule(
        id="GRPC-B5",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="short-lived gRPC connections in a row",
        on="churn:reconnected",
        needs="",
        message="{RECONNECT_LIMIT} connections in a row were opened for at most 4 calls each",
        cause="Each connection costs handshakes and memory; one connection can carry all calls.",
        source=f"{_SPEC}; RFC 9113, 9.1; grpc.io, Performance Best Practices",
        healthy="A command that is run repeatedly.",
    ),
    Rule(
        id="GRPC-B6",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="identical gRPC calls open at the same time",
        on="message",
        when="ask.first_n is None and same.open + 1 == SAME_LIMIT",
        of="same",
        needs="start whole both",
        evidence="n, same.second_n, same.latest_n",
        message="{SAME_LIMIT} identical calls of {method} are open at the same time on one "
        "connection",
        cause="The client calls again without cancelling its earlier call.",
        source=f"{_SPEC}; RFC 9113, 5.1.2",
        healthy="Several parts of a program follow the same stream.",
    ),
    Rule(
        id="GRPC-B9",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC calls neither answered nor cancelled",
        on="leak:pending",
        needs="",
        message="{conn.pending_left} calls on this connection had neither an answer nor a "
        "cancellation when it ended, more than {PENDING:time} later",
        cause="The service does not answer, and the client has no deadline (grpc-timeout) for its "
        "calls.",
        source=f"{_SPEC}, Requests (Timeout); grpc.io, Deadlines",
    ),
    Rule(
        id="GRPC-B9b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="unanswered gRPC call",
        on="end:ask",
        when="why in ('closed', 'reset') and ask.begun is None and ask.state == 'open' and "
        "conn.last_t - ask.t > PENDING",
        needs="start whole both",
        of="conn",
        evidence="ask.n",
        message="a call had neither an answer nor a cancellation for {conn.last_t - ask.t:time}, "
        "until the connection ended",
        cause="The service does not answer, and the client has no deadline (grpc-timeout) for the "
        "call.",
        source=f"{_SPEC}, Requests (Timeout); grpc.io, Deadlines",
        healthy="The answer takes longer than the connection lasted.",
        echo_of="GRPC-B9",
    ),
    Rule(
        id="GRPC-B10",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="gRPC call without authorization on a connection that has it",
        on="call",
        when="len(authorization) == 0 and conn.signed_n is not None",
        of="conn",
        needs="",
        evidence="n, conn.signed_n",
        message="{method} has no authorization in its metadata, unlike the call in frame "
        "{conn.signed_n}",
        cause="The credentials are added to some calls only.",
        source=f"{_SPEC}, Requests (Custom-Metadata)",
        healthy="A method that needs no credentials.",
    ),
    Rule(
        id="GRPC-B11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unusable grpc-timeout",
        on="call",
        when="item(metadata, 'grpc-timeout') is not None",
        predicate=predicates.has_bad_timeout,
        reads="metadata",
        needs="",
        per="client, server, path",
        message="the deadline of {method} cannot be kept: {found}",
        cause="The deadline is at most eight digits and a unit: H, M, S, m, u or n; clients that "
        "take milliseconds for seconds, or write none of these, set one that has passed.",
        source=f"{_SPEC}, Requests (Timeout)",
        healthy="A call whose time is nearly over when it is sent.",
    ),
    Rule(
        id="GRPC-B11b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="gRPC deadline of more than a day",
        on="call",
        when="item(metadata, 'grpc-timeout') is not None",
        predicate=predicates.has_long_timeout,
        reads="metadata",
        needs="",
        per="client, server, path",
        message="the deadline of {method} is too long to end the call: {found}",
        cause="The client takes another unit for that of the deadline, or sets one because it has "
        "to: a call that hangs is not ended.",
        source=f"{_SPEC}, Requests (Timeout); grpc.io, Deadlines",
        healthy="A subscription that is to last for days.",
    ),
    Rule(
        id="GRPC-B17",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="malformed credentials of a gRPC call",
        on="call",
        when="len(authorization) > 0",
        predicate=predicates.has_bad_credentials,
        reads="authorization",
        needs="",
        per="client, server, found",
        message="the authorization of {method} is malformed: {found}",
        cause="The client puts the header together wrongly, or has no token when it calls: a "
        "server cannot accept it.",
        source=f"{_SPEC}, Requests (Custom-Metadata); RFC 6750, 2.1; RFC 7617, 2",
    ),
    *(
        Rule(
            id=f"GRPC-B12{letter}",
            severity=severity,
            group=Group.RESPONSE,
            title=f"gRPC calls {title} before any answer",
            on="repetition:given_up",
            when=f"ask.limit {limit}",
            needs="both",
            evidence="ask.n, given_up.second_n, n",
            message="the client gave up {GIVEN_UP_LIMIT} calls of {method} in a row before the "
            "server had sent anything, the last one after {t - ask.t:time}",
            cause=f"{cause} the service does not answer; it may still carry the calls out.",
            source=f"{_SPEC}, Requests (Timeout); grpc.io, Deadlines",
            healthy=healthy,
            echo_of="GRPC-B4",
        )
        for letter, severity, title, limit, cause, healthy in (
            (
                "",
                Severity.WARNING,
                "past their deadline",
                "is not None",
                "The deadline is shorter than the call takes, or",
                "",
            ),
            (
                "b",
                Severity.NOTE,
                "cancelled",
                "is None",
                "The caller does not wait for as long as the call takes, or",
                "A subscription that has nothing to deliver yet.",
            ),
        )
    ),
    Rule(
        id="GRPC-B13",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="HTTP/2 PING sent repeatedly without traffic",
        on="repetition:pinged",
        needs="start whole both",
        message="the client sent {PING_LIMIT} PINGs in a row, at most {PING_PAUSE:time} apart, "
        "while the server sent nothing",
        cause="The keepalive time is too short: by default a gRPC server allows one PING in 5 "
        "minutes, then closes the connection with ENHANCE_YOUR_CALM (too_many_pings).",
        source=f"{_SPEC}, Connections (PING Frame); gRPC, keepalive.md; RFC 9113, 6.7",
        healthy="A server that is set to allow it.",
    ),
    Rule(
        id="GRPC-B14",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unanswered HTTP/2 PINGs",
        on="backlog:pings",
        needs="",
        message="{LOST_PINGS} PINGs of the client are unanswered",
        cause="The server is stopped or overloaded, or the connection is dead; a client should "
        "give a connection up after one PING that is not answered in time.",
        source=f"{_SPEC}, Connections (PING Frame); gRPC, keepalive.md; RFC 9113, 6.7",
    ),
    Rule(
        id="GRPC-B15",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="gRPC call on a connection that the server has ended with GOAWAY",
        on="forbidden:after_goaway",
        needs="",
        message="{method} was called {t - conn.away_t:time} after the server had sent GOAWAY",
        cause="The client has to make a new connection for its calls: the server ignores calls "
        "after GOAWAY.",
        source=f"{_SPEC}, Connections (GOAWAY Frame); RFC 9113, 6.8",
    ),
    Rule(
        id="GRPC-B16",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client of a gRPC call does not read: flow-control window used up",
        on="timer:unread",
        when="conn.gapless",
        needs="start both",
        of="ask",
        evidence="ask.n, ask.full_n",
        message="the server has used up the window of the call for {STALLED:time}, and the client "
        "has sent no WINDOW_UPDATE for its stream",
        cause="The client does not take messages from the call: it has stopped reading, or handles "
        "a message for long. The server can send nothing more until it does.",
        source=f"{_SPEC}, Requests; RFC 9113, 5.2 and 6.9",
        echo_of="GRPC-B16b",
    ),
    Rule(
        id="GRPC-B16b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client of a gRPC connection does not read: flow-control window used up",
        on="timer:nothing_read",
        when="conn.gapless",
        needs="start both",
        of="conn",
        evidence="conn.full_n",
        message="the server has used up the window of the connection for {STALLED:time}, and the "
        "client has sent no WINDOW_UPDATE for it",
        cause="One call whose messages are not read can use the window of all calls of the "
        "connection: none of them gets anything until the client reads.",
        source=f"{_SPEC}, Requests; RFC 9113, 5.2 and 6.9",
    ),
    Rule(
        id="GRPC-B7",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="open gRPC calls near the usual limit of 100 (MAX_CONCURRENT_STREAMS)",
        on="call",
        when="conn.open + 1 == OPEN_LIMIT",
        of="conn",
        needs="start whole both",
        message="{OPEN_LIMIT} calls are open at the same time on one connection",
        cause="Many servers allow 100 concurrent streams; further calls wait in the client. The "
        "client may leave calls open.",
        source=f"{_SPEC}; RFC 9113, 6.5.2, SETTINGS_MAX_CONCURRENT_STREAMS",
        healthy="A busy client of a server that allows more.",
    ),
)
"""Part of the rules of the protocol."""
