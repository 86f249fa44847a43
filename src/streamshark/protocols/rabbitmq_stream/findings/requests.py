"""Rules for requests and their answers: missing, late, refused, repeated."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.conversations import AFTER_OPEN
from streamshark.protocols.rabbitmq_stream.findings.framing import WRONG
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC

_ABOUT: Final = (
    " for {coalesce(coalesce(req.stream, req.super_stream), "
    "coalesce(req.publisher_id, req.subscription_id))}"
)
REFUSALS: Final = {
    2: "The stream does not exist.",
    3: "A subscription with this id already exists.",
    4: "No subscription with this id exists.",
    5: "The stream already exists.",
    6: "The stream is not available on this node.",
    18: "No publisher with this id exists.",
    "deleted": "The stream does not exist: it was deleted before, in the last frame named.",
    "made": "The stream already exists: it was created in the last frame named.",
}
"""Response code to its cause, where nothing is forbidden."""
BEFORE: Final = (
    "seen.deleted_n if response_code == 2 else seen.made_n if response_code in (5, 17) else None"
)
"""The frame that made a request fail, if it was captured."""
REASON: Final = (
    "'deleted' if response_code == 2 and seen.deleted_n is not None else "
    "'made' if response_code == 5 and seen.made_n is not None else response_code"
)
"""Why a request was refused."""
FORBIDDEN: Final = {
    16: "The user lacks the permission.",
    17: "The arguments are invalid, or differ from those of the existing object.",
}
_UNANSWERED: Final = " ".join(
    f"unanswered:{name}"
    for name in f"{AFTER_OPEN} exchange_command_versions".split()
    if name not in ("publish", "credit", "store_offset")
)
"""Requests of an open connection, but Close and ConsumerUpdate, which have rules of their own."""

REQUESTS: Final = (
    Rule(
        id="RMQ-X1",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="response without an open request",
        on="any:response",
        when="orphan and name not in ('close_response', 'credit_response', 'tune_response') and "
        f"not ({WRONG})",
        needs="start whole both",
        message="{name} with correlation id {correlation_id} answers no open request",
        cause="The correlation id is not that of the request, or the request has already been "
        "answered.",
        source=f"{DOC}, Correlation; {CORE}, request; rabbitmq-stream-dotnet-client issue 10",
    ),
    Rule(
        id="RMQ-X1b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="CloseResponse without Close",
        on="close_response",
        when="orphan",
        needs="start whole both",
        message="CloseResponse answers a Close that was not sent, or was already answered",
        cause="",
        healthy="Both peers close at the same time, or a client answers the answer.",
        source=f"{DOC}, Close",
    ),
    Rule(
        id="RMQ-X2",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="unanswered request",
        on=_UNANSWERED,
        when="t - req.t > UNANSWERED or why in ('closed', 'reset') and conn.close_n is None and "
        "conn.first_fin == C.side and t > req.t or conn.start and conn.replied_n > req.n",
        needs="since both",
        evidence="req.n",
        message="{req.asked} was not answered within {t - req.t:time}",
        cause="",
        by="'orphan' if conn.orphans > 0 else 'later' if conn.replied_n > req.n else 'none'",
        causes={
            "orphan": "A response has a correlation id that no request has: it may be the missing "
            "one.",
            "later": "The broker has answered a later request of this connection, and brokers "
            "answer in order.",
        },
        source=f"{DOC}, Commands; rabbitmq-stream-dotnet-client issue 10",
        echo_of="error",
    ),
    Rule(
        id="RMQ-X2b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="unanswered request when the broker closed the connection",
        on=_UNANSWERED,
        when="why in ('closed', 'reset') and conn.close_n is None and conn.first_fin == S.side and "
        "coalesce(conn.replied_n, 0) < req.n and req.t < conn.fin_t",
        needs="since both",
        evidence="req.n",
        message="{req.asked} was not answered: the broker closed the connection",
        cause="",
        healthy="The broker stops, or has refused something before.",
        source=f"{DOC}, Commands",
        echo_of="error",
    ),
    Rule(
        id="RMQ-X2c",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="request not answered yet when the captures end",
        on=f"{_UNANSWERED} unanswered:consumer_update",
        when="why == 'end' and SLOW_ANSWER < t - req.t <= UNANSWERED and "
        "(coalesce(conn.replied_n, 0) < req.n or req.side == S.side)",
        needs="since both",
        evidence="req.n",
        message="{req.asked} had no answer for {t - req.t:time} when the captures ended",
        cause="The peer is busy or blocked, or does not handle the request.",
        source=f"{DOC}, Commands",
        healthy="The answer comes after the end of the captures.",
        echo_of="error",
    ),
    Rule(
        id="RMQ-B160",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="request not answered when the client closed the connection",
        on=_UNANSWERED,
        when="why in ('closed', 'reset') and C.close_n > req.n and t - req.t <= UNANSWERED and "
        "coalesce(conn.replied_n, 0) < req.n",
        needs="start whole both",
        evidence="req.n, C.close_n",
        message="{req.asked} had no answer when the client sent Close, and neither has Close",
        cause="The client does not wait for its answer, or has given the broker up.",
        source=f"{DOC}, Commands, Close",
        healthy="A program that ends while it still asks.",
        echo_of="error",
    ),
    Rule(
        id="RMQ-X3",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="correlation id already in use",
        on="any:request",
        when="duplicate and name != 'tune'",
        needs="since both",
        evidence="n, duplicate_of",
        message="{name} has correlation id {correlation_id}, which an open request uses",
        cause="The counter of correlation ids does not advance, or threads share it without a "
        "lock.",
        source="rabbitmq-stream-java-client issue 689",
    ),
    Rule(
        id="RMQ-X3b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="correlation id in use by a request of another command",
        on="client:any:request",
        when="ticket.state == 'open' and ticket.command != name",
        needs="since both",
        of="conn",
        evidence="n, ticket.asked_n",
        message="{name} has correlation id {correlation_id}, which the open request "
        "{ticket.command} in frame {ticket.asked_n} uses",
        cause="Threads of the client number their requests apart: an answer may go to the wrong "
        "one.",
        source="PROTOCOL.adoc, Frame Structure; rabbitmq-stream-dotnet-client issue 10",
    ),
    Rule(
        id="RMQ-X4",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late response",
        on="any:response",
        when="t - req.t > LATE",
        needs="",
        evidence="n, req.n",
        message="{name} was sent {t - req.t:time} after its request; most clients have timed out "
        "by then",
        cause="",
        healthy="The broker was busy, and the client waited.",
        source="rabbitmq-stream-java-client issue 862",
    ),
    Rule(
        id="RMQ-X4b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="late response at which the client ends the connection",
        on="client:tcp.close client:tcp.reset",
        when="conn.late_n == S.last_n and t - S.last_t < GONE and conn.close_n is None and "
        "coalesce(conn.first_fin, C.side) == C.side",
        needs="whole both",
        of="conn",
        evidence="conn.late_n, C.last_n",
        message="{conn.late_of} was sent {conn.late_by:time} after its request, and the client "
        "ended the connection {t - S.last_t:time} after it, without Close",
        cause="The client has given the request up, and fails at an answer that nothing waits for: "
        "it has to drop it.",
        source="rabbitmq-stream-go-client issue 396",
    ),
    Rule(
        id="RMQ-X6",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request refused",
        on="any:coded",
        when="response_code not in (1, 10, 16, 17, 19) and "
        "name not in ('sasl_authenticate_response', 'credit_response', 'open_response')",
        needs="",
        evidence=f"req.n, n, {BEFORE}",
        message=f"the broker refused with {{response_code:name}} in {{name}}{_ABOUT}",
        cause="",
        by=REASON,
        causes=REFUSALS,
        healthy="Programs often ask to find out what exists.",
        source=f"{DOC}, Response Codes",
        echo_of="RMQ-M8 RMQ-M7",
    ),
    Rule(
        id="RMQ-X6b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request refused with access_refused or precondition_failed",
        on="any:coded",
        when="response_code in (16, 17) and "
        "name not in ('sasl_authenticate_response', 'credit_response', 'open_response')",
        needs="",
        worsens=True,
        evidence="req.n, n",
        message=f"the broker refused with {{response_code:name}} in {{name}}{_ABOUT}",
        cause="",
        by="response_code",
        causes=FORBIDDEN,
        source=f"{DOC}, Response Codes",
        healthy="A program that tries what it may do.",
        echo_of="RMQ-A2 RMQ-A4 RMQ-A15 RMQ-I2 RMQ-I3 RMQ-M8 RMQ-S3 RMQ-S4",
    ),
)
