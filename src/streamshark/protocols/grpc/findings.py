"""What is said of calls that fail.

A status is the service's own answer, so most are notes: the service knows what they mean. A call
that is not authorised stops the client, so it is an error.
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general_rules import general
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
        per="client, server, method, status",
        worsens=True,
        evidence="req.n, n",
        message="{method} fails with {status:name}: {status_message}",
        cause="",
        by="status",
        causes={
            1: "The caller gave the call up.",
            3: "The service does not take the arguments.",
            4: "The call took longer than its deadline.",
            5: "What is asked for is not there.",
            6: "What is to be made is there already.",
            8: "A limit is reached, or a stream of messages is at its end.",
            9: "The service is in no state for it: another server may have what is asked for, or "
            "something has to be done first.",
            10: "Another call was faster.",
            12: "The service has no such method.",
            14: "The service is not available just now.",
        },
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
        cause="",
        by="status",
        causes={
            7: "The caller is known, and lacks the permission.",
            16: "The credentials are missing or wrong.",
        },
        source="PROTOCOL-HTTP2.md, Responses; statuscodes.md",
    ),
    *general("GRPC", "PROTOCOL-HTTP2.md; RFC 9113, 6"),
)
"""Judged by `streamshark.findings`."""
