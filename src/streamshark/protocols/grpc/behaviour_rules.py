"""Rules for what gRPC clients do over time: retry loops, polls, connections, calls left open."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

_SPEC: Final = "PROTOCOL-HTTP2.md"

BEHAVIOURS: Final = (
    Rule(
        id="GRPC-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated call after the same failure",
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
        title="repeated call after an internal error",
        on="repetition:refused",
        when="status == 13",
        needs="",
        message="{method} failed {REFUSED_LIMIT} times in a row with {status:name}: "
        "{status_message}",
        cause="The client repeats the call at once; the service did not expect its state.",
        source=f"{_SPEC}, Responses; gRPC, statuscodes.md",
        healthy="A service that is still starting, such as a controller of Pravega.",
    ),
    Rule(
        id="GRPC-B2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="deadline of a few milliseconds",
        on="repetition:expired",
        needs="",
        message="{DEADLINE_LIMIT} calls of {method} in a row ended with {status:name}, each less "
        "than {SHORT_DEADLINE:time} after it began",
        cause="The deadline (grpc-timeout) is too short, or has another unit than intended; the "
        "service may carry out the call even so, and a repeated call is carried out twice.",
        source=f"{_SPEC}, Requests, Timeout",
    ),
    Rule(
        id="GRPC-B3",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="polling by the same call",
        on="repetition:polled",
        needs="",
        message="{POLL_LIMIT} calls of {method} with the same content were answered in a row, "
        "{POLL_PAUSE:time} apart at most",
        cause="Each poll costs a round trip; wait longer, or use a call that streams changes.",
        source=f"{_SPEC}, Requests",
        healthy="A program that waits for a state to be reached.",
    ),
    Rule(
        id="GRPC-B4",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated call that the client cancels",
        on="repetition:cancelled",
        needs="",
        message="{CANCEL_LIMIT} calls of {method} with the same content were cancelled in a row, "
        "each less than 2 s after it began",
        cause="The client takes an answer for a failure, or opens a stream for each message.",
        source=f"{_SPEC}, Errors; RFC 9113, 7",
        healthy="A client that reads a few messages by a stream each time.",
    ),
    Rule(
        id="GRPC-B5",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="brief connections one after the other",
        on="churn:reconnected",
        needs="",
        message="{RECONNECT_LIMIT} connections in a row were opened for at most 4 calls each",
        cause="Each connection costs handshakes and memory; one client may serve all calls.",
        source=f"{_SPEC}; RFC 9113, 9.1; grpc.io, Performance Best Practices",
        healthy="A command that is run repeatedly.",
    ),
    Rule(
        id="GRPC-B6",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="calls with the same content open at once",
        on="message",
        when="ask.first_n is None and same.open + 1 == SAME_LIMIT",
        of="same",
        needs="start whole both",
        evidence="n, same.second_n, same.latest_n",
        message="{SAME_LIMIT} calls of {method} with the same content are open at once on one "
        "connection",
        cause="Calls are left open when the client calls again: cancel the one before.",
        source=f"{_SPEC}; RFC 9113, 5.1.2",
        healthy="Several parts of a program that follow the same stream.",
    ),
    Rule(
        id="GRPC-B7",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="nearly as many open calls as servers permit",
        on="call",
        when="conn.open + 1 == OPEN_LIMIT",
        of="conn",
        needs="start whole both",
        message="{OPEN_LIMIT} calls are open at once on one connection",
        cause="Many servers permit 100: further calls wait in the client. Calls may be left open.",
        source=f"{_SPEC}; RFC 9113, 6.5.2, SETTINGS_MAX_CONCURRENT_STREAMS",
        healthy="A busy client with a server that permits more.",
    ),
)
"""Part of the rules of the protocol."""
