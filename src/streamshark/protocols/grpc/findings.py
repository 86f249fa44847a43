"""What is said of calls that fail.

A status is the service's own answer, so most are notes: the service knows what they mean. A call
that is not authorised stops the client, so it is an error, but a note if the same call succeeds
later, with credentials.
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general_rules import general
from streamshark.findings.rule import Rule
from streamshark.protocols.grpc.behaviour_rules import BEHAVIOURS
from streamshark.protocols.grpc.call_rules import CALL_RULES

_SPEC: Final = "PROTOCOL-HTTP2.md"
_TOO_LARGE: Final = " or ".join(
    f"between(status_message, {begin!r}, {end!r}) is not None"
    for begin, end in (
        ("larger than max", ""),
        ("exceeds maximum size", ""),
        ("message length too large", ""),
    )
)
"""Texts of grpc-go and grpc-core, of grpc-java, and of tonic."""
REFUSED: Final = 3
"""Calls that a server resets unprocessed, which are more than its end."""

RULES: Final = (
    Rule(
        id="GRPC-G1",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call failed",
        on="status",
        when="status > 0 and status not in (4, 7, 16)",
        needs="",
        per="client, server, method, status",
        worsens=True,
        evidence="req.n, n",
        message="{method} failed with {status:name}: {status_message}",
        cause="",
        by="'packed' if status == 12 and between(status_message, 'ompress', '') is not None "
        "else status",
        causes={
            "packed": "The message is compressed in a way that the service does not have "
            "(grpc-encoding): each compressed call fails.",
            1: "The caller cancelled the call.",
            3: "The service rejects the arguments.",
            5: "The requested object does not exist.",
            6: "The object to be created already exists.",
            8: "A limit is reached, or a stream of messages has ended.",
            9: "The service is not in a state to handle the call: another server may hold the "
            "object, or another step is required first.",
            10: "A concurrent call was faster.",
            12: "The service does not implement the method.",
            14: "The service is temporarily unavailable.",
        },
        source="PROTOCOL-HTTP2.md, Responses; liftbridge-io/liftbridge issues 91 and 323",
        healthy="Programs often ask to find out what exists.",
    ),
    *(
        Rule(
            id=f"GRPC-G1{letter}",
            severity=severity,
            group=Group.SECURITY,
            title=f"gRPC call unauthenticated or permission denied{again}",
            on=on,
            when=when,
            of="conn",
            needs="",
            per="client, server, method",
            evidence=evidence,
            message=f"{{method}} failed{again} with {{status:name}}: {{status_message}}",
            cause="",
            by="status",
            causes={
                7: "The caller is known but lacks the permission.",
                16: "The credentials are missing or wrong.",
            },
            source="PROTOCOL-HTTP2.md, Responses; statuscodes.md",
            echo_of=echo_of,
        )
        for letter, severity, again, on, when, evidence, echo_of in (
            ("b", Severity.ERROR, "", "repetition:denied", "", "req.n, n", ""),
            (
                "c",
                Severity.WARNING,
                " again",
                "status",
                "status in (7, 16) and callee.denied_times >= 1",
                "req.n, n, callee.denied_first_n",
                "GRPC-G1b",
            ),
        )
    ),
    Rule(
        id="GRPC-G2",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC deadline exceeded",
        on="status",
        when="status == 4",
        needs="",
        per="client, server, method",
        worsens=True,
        evidence="req.n, n",
        message="{method} did not end within its deadline; it took {t - req.t:time}: "
        "{status_message}",
        cause="The deadline (grpc-timeout) is too short, or the service waits for something.",
        source="PROTOCOL-HTTP2.md, Requests (Timeout); statuscodes.md",
        healthy="The service was changing its leader, and the caller tries again.",
    ),
    Rule(
        id="GRPC-G3",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call cancelled by the client",
        on="client:reset",
        when="error_code == 8",
        needs="",
        per="client, server, method",
        message="{method} was cancelled by the client",
        cause="The client's deadline has passed, or the caller gave up.",
        source="PROTOCOL-HTTP2.md, Errors",
        healthy="A subscription ends this way.",
    ),
    Rule(
        id="GRPC-G4",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC call reset by the server",
        on="server:reset",
        when="error_code not in (0, 7, 8) and req.path is not None and "
        "coalesce(ask.state, '') != 'ended'",
        needs="",
        per="client, server, req.path, error_code",
        evidence="n, req.n",
        message="{req.path} was reset by the server with {error_code:name} after {t - req.t:time}",
        cause="",
        by="error_code",
        causes={
            11: "The client sends more frames without content than the server accepts.",
        },
        source="PROTOCOL-HTTP2.md, Errors; RFC 9113, 7",
    ),
    Rule(
        id="GRPC-G4b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call that the server did not process (REFUSED_STREAM)",
        on="server:reset",
        when="error_code == 7 and req.path is not None",
        needs="",
        per="client, server",
        worse_from=REFUSED,
        evidence="n, req.n",
        message="{req.path} was reset by the server with {error_code:name} after {t - req.t:time}",
        cause="The server did not process the call, so it may be sent again.",
        source="PROTOCOL-HTTP2.md, Errors; RFC 9113, 8.7",
        healthy="A server that is about to stop, or has as many calls as it takes.",
    ),
    Rule(
        id="GRPC-G5",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="connection closed with an HTTP/2 error (GOAWAY)",
        on="http2.goaway",
        when="error != 'no_error'",
        needs="",
        per="client, server, sender, error, debug_data",
        message="the {sender} closed the connection with GOAWAY {error}: {debug_data}",
        cause="",
        by="'pings' if debug_data == 'too_many_pings' else error",
        causes={
            "pings": "The client sends PING more often than the server allows (keepalive time): "
            "by default once in 5 minutes.",
            "enhance_your_calm": "The client sends more than the server accepts.",
            "protocol_error": "The peer sent a frame that HTTP/2 does not allow.",
            "flow_control_error": "The peer sent more than the window allowed.",
            "frame_size_error": "The peer sent a frame that is too large.",
            "compression_error": "The peer's headers cannot be decompressed.",
            "internal_error": "The sender failed.",
        },
        source=f"{_SPEC}, Connections (GOAWAY Frame); RFC 9113, 6.8 and 7; gRPC, keepalive.md",
    ),
    Rule(
        id="GRPC-G6",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="gRPC call answered by HTTP, not by a service",
        on="server:headers server:status",
        when="http_status not in (0, 200, 429, 502, 503, 504)",
        needs="",
        per="client, server, path, http_status",
        evidence="req.n, n",
        message="{path} was answered with HTTP {http_status} ({content_type})",
        cause="A proxy or a web server answers in place of the service.",
        by="http_status",
        causes={
            401: "The call lacks credentials, or they are wrong.",
            403: "The call is not allowed.",
            404: "Nothing is served at this path: the address is that of another server.",
            415: "The content type of the call is not that of gRPC.",
        },
        source=f"{_SPEC}, Responses; gRPC, http-grpc-status-mapping.md",
    ),
    Rule(
        id="GRPC-G6b",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="gRPC call that a proxy could not pass on",
        on="repetition:not_passed_on",
        needs="",
        evidence="req.n, n",
        message="{path} was answered with HTTP {http_status} ({content_type})",
        cause="It is a note if a later call of the method is answered.",
        by="http_status",
        causes={
            429: "A proxy limits the rate of calls.",
            502: "A proxy cannot reach the service.",
            503: "A proxy has no server for the service.",
            504: "A proxy had no answer from the service in time.",
        },
        source=f"{_SPEC}, Responses; gRPC, http-grpc-status-mapping.md",
    ),
    Rule(
        id="GRPC-G7",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC call ended without a status",
        on="server:status",
        when="status == -1 and http_status in (0, 200) and not flags.incomplete",
        needs="since",
        evidence="n, req.n",
        per="client, server, path",
        message="{path} was ended without grpc-status",
        cause="A proxy drops trailers, or the server is not one of gRPC.",
        source=f"{_SPEC}, Responses (Trailers)",
        guilty="server",
    ),
    Rule(
        id="GRPC-G8",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC message larger than its receiver allows",
        on="status",
        when=f"status in (8, 11, 13) and ({_TOO_LARGE})",
        needs="",
        per="client, server, method",
        evidence="req.n, n",
        message="a message of {method} is too large: {status_message}",
        cause="The call fails each time: send less at once, or raise the limit of the receiver "
        "(4 MiB by default).",
        source=f"{_SPEC}, Responses; grpc-go v1.65, rpc_util.go, recvMsg",
    ),
    Rule(
        id="GRPC-G9",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="gRPC call without te: trailers",
        on="call",
        when="coalesce(item(metadata, 'te'), '') != 'trailers' and not flags.incomplete",
        needs="start whole",
        per="client, server",
        message="{path} has no te: trailers",
        cause="The header shows that proxies pass trailers, in which the status is; some servers "
        "refuse calls without it.",
        source=f"{_SPEC}, Requests (TE)",
        healthy="Most servers do not look at it.",
    ),
    *BEHAVIOURS,
    *CALL_RULES,
    *general("GRPC", "PROTOCOL-HTTP2.md; RFC 9113, 6", "gRPC"),
)
"""Judged by `streamshark.findings`."""
