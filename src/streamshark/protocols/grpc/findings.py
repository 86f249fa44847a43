"""What is said of calls that fail.

A status is the service's own answer, so most are notes: the service knows what they mean. A call
that is not authorised stops the client, so it is an error.
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general_rules import general
from streamshark.findings.rule import Rule
from streamshark.protocols.grpc.behaviour_rules import BEHAVIOURS

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
        by="status",
        causes={
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
    Rule(
        id="GRPC-G1b",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="gRPC call unauthenticated or permission denied",
        on="status",
        when="status in (7, 16)",
        needs="",
        per="server, method, status",
        evidence="req.n, n",
        message="{method} failed with {status:name}: {status_message}",
        cause="",
        by="status",
        causes={
            7: "The caller is known but lacks the permission.",
            16: "The credentials are missing or wrong.",
        },
        source="PROTOCOL-HTTP2.md, Responses; statuscodes.md",
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
        when="error_code not in (0, 8) and req.path is not None",
        needs="",
        per="client, server, req.path, error_code",
        evidence="n, req.n",
        message="{req.path} was reset by the server with {error_code:name} after {t - req.t:time}",
        cause="",
        by="error_code",
        causes={
            7: "The server did not process the call, so it may be sent again.",
            11: "The client sends more frames without content than the server accepts.",
        },
        source="PROTOCOL-HTTP2.md, Errors; RFC 9113, 7",
    ),
    *BEHAVIOURS,
    *general("GRPC", "PROTOCOL-HTTP2.md; RFC 9113, 6", "gRPC"),
)
"""Judged by `streamshark.findings`."""
