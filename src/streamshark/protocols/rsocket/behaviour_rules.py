"""Rules for what peers of RSocket do over time: loops, leaks, waste, shared tokens."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

LOOPS: Final = (
    Rule(
        id="RSK-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated request after the same ERROR",
        on="repetition:refused",
        when="error_code != 513",
        needs="",
        evidence="stream.n, refused.second_n, n",
        message="the same {stream.model} was answered with ERROR {error_code:name} {REFUSED_LIMIT} "
        "times in a row: {error_data}",
        cause="The requester retries without a pause, whatever the reason.",
        source="Protocol.md, Error Codes (REJECTED); rsocket-java issue 1105",
    ),
    Rule(
        id="RSK-B1b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="repeated request after the same APPLICATION_ERROR",
        on="repetition:refused",
        when="error_code == 513",
        needs="",
        evidence="stream.n, refused.second_n, n",
        message="the same {stream.model} was answered with ERROR {error_code:name} {REFUSED_LIMIT} "
        "times in a row: {error_data}",
        cause="The requester retries without a pause, whatever the reason.",
        healthy="The handler fails for a reason that passes.",
        source="Protocol.md, Error Codes (REJECTED); rsocket-java issue 1105",
    ),
    Rule(
        id="RSK-B2",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reconnect after the same refusal of SETUP or RESUME",
        on="repetition:refused_setup",
        needs="",
        message="the server refused {SETUP_LIMIT} connections of {client} in a row with "
        "{error_code:name}: {error_data}",
        cause="The client connects again without a pause and with the same SETUP or RESUME.",
        source="Protocol.md, Error Codes (REJECTED_SETUP, REJECTED_RESUME)",
        echo_of="RSK-R4",
    ),
    Rule(
        id="RSK-B3",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="short-lived RSocket connections in a row",
        on="churn:reconnected",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row, "
        "each with at most 4 frames of the client",
        cause="The client connects for each request; one connection can carry any number of "
        "streams.",
        source="Protocol.md, Connection Establishment; rsocket-java issue 926",
    ),
    Rule(
        id="RSK-B4",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of KEEPALIVE frames",
        on="flood:beaten",
        needs="",
        message="the {sender} sent {BEAT_LIMIT} KEEPALIVEs with the respond flag in a row, each "
        "within a fifth of the interval of {conn.keepalive} ms after the previous one",
        cause="The sender sets the respond flag in its answers, so both sides answer each other "
        "endlessly, or its timer ignores the interval of SETUP.",
        source="Protocol.md, KEEPALIVE Frame; rsocket-java issue 194",
    ),
    Rule(
        id="RSK-B5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short KEEPALIVE interval",
        on="setup",
        when="0 < time_between_keepalive_frames < SHORT_KEEPALIVE",
        needs="",
        per="client, server, time_between_keepalive_frames",
        message="SETUP announces a KEEPALIVE every {time_between_keepalive_frames} ms",
        cause="The interval is in milliseconds; the client may mean seconds. Idle connections "
        "carry many frames, and a short pause of the peer ends them.",
        source="Protocol.md, SETUP Frame (Time Between KEEPALIVE Frames)",
        healthy="A network on which a lost connection must be noticed at once.",
    ),
)

LEAKS: Final = (
    Rule(
        id="RSK-B6",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="idle connections of one client",
        on="leak:idle_connections",
        needs="",
        message="{idle_connections.left} of {idle_connections.all} connections of one client "
        "carried at most one request and stayed open",
        cause="The client opens a connection for each requester and does not close it.",
        source="Protocol.md, Connection Establishment",
        healthy="A connection pool that waits for work.",
    ),
    Rule(
        id="RSK-B7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="requests cancelled immediately",
        on="churn:cancelled_at_once",
        needs="start whole both",
        message="{CANCEL_LIMIT} requests in a row were cancelled within {AT_ONCE:time}, before any "
        "payload",
        cause="The requester sends requests whose result it does not use; each costs the "
        "responder work.",
        source="Protocol.md, CANCEL Frame; rsocket-java issue 328",
    ),
    Rule(
        id="RSK-B8",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests neither answered nor cancelled",
        on="leak:pending",
        needs="",
        message="{conn.pending_left} requests on this connection had neither an answer nor a "
        "CANCEL when it ended, more than {PENDING:time} later",
        cause="The responder does not answer, and the requester gives up without CANCEL, so "
        "both keep the streams.",
        source="Protocol.md, CANCEL Frame; Request Response",
    ),
    Rule(
        id="RSK-B9",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request from the server unanswered by the client",
        on="end:stream",
        when="why in ('closed', 'reset') and stream.owner == S.side and "
        "stream.model == 'request_response' and stream.items == 0 and stream.state == 'open' and "
        "conn.last_t - stream.t > PENDING and C.last_n > stream.n and not conn.resumable",
        needs="start whole both",
        of="conn",
        evidence="stream.n",
        message="the client neither answered nor refused the server's request on stream "
        "{stream.id}",
        cause="The client has no responder for requests of the server; it must answer with ERROR.",
        source="Protocol.md, Request Response; ERROR Frame",
    ),
    Rule(
        id="RSK-B10",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="resume token shared by two sessions",
        on="identity:shared_token",
        needs="start whole both",
        message="two open connections began sessions with the same resume token, that of frame "
        "{shared_token.second_n}",
        cause="The token is not unique: the server keeps one of the sessions, and RESUME "
        "continues the wrong one.",
        source="Protocol.md, Resuming Operation (Resume Identification Token)",
    ),
)

WASTE: Final = (
    Rule(
        id="RSK-B11",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="payloads requested one by one",
        on="ratio:singly",
        needs="object both",
        message="{stream.singly_count} of {stream.items} payloads of stream {stream.id} were "
        "requested one by one, each after the previous one",
        cause="Each payload costs a round trip; a larger REQUEST_N lets the responder send ahead.",
        source="Protocol.md, REQUEST_N Frame",
        healthy="Each payload takes long, and none may wait.",
    ),
    Rule(
        id="RSK-B12",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="REQUEST_N on an ended stream",
        on="forbidden:late_request_n",
        needs="",
        evidence="n, stream.ended_n",
        message="REQUEST_N on stream {fields.stream_id} was sent {t - stream.ended_t:time} after "
        "the stream ended",
        cause="The requester keeps requesting payloads after the stream has completed.",
        source="Protocol.md, REQUEST_N Frame; rsocket-py issue 290",
    ),
)

BEHAVIOURS: Final = (*LOOPS, *LEAKS, *WASTE)
"""Part of the rules of the protocol."""
