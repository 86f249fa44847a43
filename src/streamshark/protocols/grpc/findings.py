"""What is said of calls that fail.

A status is the service's own answer, so most are notes: the service knows what they mean. A call
that is not authorised stops the client, so it is an error.
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general import general
from streamshark.findings.rule import Rule

RULES: Final = (
    Rule(
        id="GRPC-G1",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="a call fails",
        on="status",
        when="status > 0 and status not in (7, 16)",
        needs="",
        per="flow, method, status",
        evidence="req.n, n",
        message="{method} fails with {status:name}: {status_message}",
        cause="The text says why: what is asked for is not there or not allowed, or another server "
        "has it, whom the client must find by the metadata of its service.",
        source="PROTOCOL-HTTP2.md, Responses; liftbridge-io/liftbridge issues 91 and 323",
        healthy="Asking is how programs find out what is there.",
    ),
    Rule(
        id="GRPC-G1",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="a call is not authorised",
        on="status",
        when="status in (7, 16)",
        needs="",
        per="server, method, status",
        evidence="req.n, n",
        message="{method} fails with {status:name}: {status_message}",
        cause="The credentials are missing or wrong (unauthenticated), or lack the permission "
        "(permission_denied).",
        source="PROTOCOL-HTTP2.md, Responses; statuscodes.md",
    ),
    *general("GRPC", "PROTOCOL-HTTP2.md; RFC 9113, 6"),
)
"""Judged by `streamshark.findings`."""
