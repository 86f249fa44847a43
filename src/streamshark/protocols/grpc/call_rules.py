"""Rules for the frames of one call: their order, what is missing, and how its connection ends."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.grpc.behaviours import DEAF

_SPEC: Final = "PROTOCOL-HTTP2.md"
_HTTP2: Final = "RFC 9113"

CALL_RULES: Final = (
    Rule(
        id="GRPC-B90",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="gRPC call on a dead connection",
        on="end:plea",
        when=DEAF,
        needs="all",
        evidence="plea.deaf_n, plea.good_n",
        message="{plea.path} had no answer in {plea.deaf_for:time}, and nothing else came on this "
        "connection; a later call with the same content was answered within {plea.took:time} on "
        "another one",
        cause="The connection is dead, though it is open: something between has lost it, or "
        "carries nothing to the server. The client has neither a deadline (grpc-timeout) nor "
        "keepalive, by which it would notice and connect again.",
        source=f"{_SPEC}, Requests (Timeout); grpc.io, Keepalive; aegis-hass pull request 238",
        healthy="A stream whose headers come with its first event, and that has none.",
        echo_of="GRPC-B9",
    ),
    Rule(
        id="GRPC-B40",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call without an answer when its connection ended",
        on="end:ask",
        when="why in ('closed', 'reset') and ask.begun is None and ask.state == 'open' and "
        "(ask.whole_n is not None or callee.singles >= 1 or ask.kind == 'single') and "
        "t - ask.t <= PENDING",
        needs="start whole both",
        of="conn",
        evidence="ask.n",
        message="{ask.path} had no answer when the connection ended, "
        "{t - ask.t:time} after the call",
        cause="The connection was closed while a call was open: its caller gets UNAVAILABLE or "
        "CANCELLED, and cannot know whether the call was executed.",
        by="'passed' if conn.answered_of_n > ask.n else 'open'",
        causes={
            "passed": "Later calls of this connection were answered: the service has lost this "
            "one, or needs longer for it.",
        },
        source=f"{_SPEC}, Responses; gRPC, statuscodes.md",
        healthy="A program that ends while a call takes long.",
    ),
    Rule(
        id="GRPC-B40b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call without a status, unlike others of the method",
        on="end:ask",
        when="why in ('closed', 'reset') and ask.begun is not None and ask.replies <= 1 and "
        "ask.state == 'open' and callee.singles >= 1 and coalesce(ask.kind, 'single') == 'single'",
        needs="start whole both",
        of="conn",
        evidence="coalesce(ask.reply_n, ask.n), ask.n, callee.single_n",
        message="{ask.path} had {ask.replies:count message}, but no status, until the connection "
        "ended; other calls of the method have ended with one message and a status",
        cause="The server, or a proxy, does not end the stream: the client waits with the answer "
        "until its deadline.",
        source=f"{_SPEC}, Responses (Trailers)",
        healthy="A connection that ends between the message and the status.",
        guilty="server",
    ),
    Rule(
        id="GRPC-B41",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="frames of a gRPC call after its status",
        on="server:headers server:reply server:status",
        when="ask.status_n is not None",
        needs="object",
        of="ask",
        evidence="n, ask.status_n, ask.n",
        message="the server sent {name} for {ask.path} after the status in frame {ask.status_n}",
        cause="The status ends the stream: the client ends the connection over what follows, or "
        "ignores it.",
        source=f"{_SPEC}, Responses; {_HTTP2}, 5.1",
        guilty="server",
    ),
    Rule(
        id="GRPC-B41b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message of a gRPC call after the client has ended its half",
        on="client:message",
        when="ask.whole_n is not None",
        needs="object",
        of="ask",
        evidence="n, ask.whole_n, ask.n",
        message="the client sent a message for {ask.path} after END_STREAM in frame {ask.whole_n}",
        cause="END_STREAM ends the half of the client: the server ends the stream, or the "
        "connection, over what follows.",
        source=f"{_HTTP2}, 5.1",
        guilty="client",
    ),
    Rule(
        id="GRPC-B42",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="gRPC answer without headers",
        on="server:reply",
        when="ask.begun is None and ask.state == 'open'",
        needs="object both whole",
        of="ask",
        evidence="n, ask.n",
        message="the answer to {ask.path} begins with a message, without headers before it",
        cause="HTTP status and content type of an answer come before its messages: clients refuse "
        "it.",
        source=f"{_SPEC}, Responses; {_HTTP2}, 8.1",
        guilty="server",
    ),
    Rule(
        id="GRPC-B42b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="headers of a gRPC answer twice",
        on="server:headers",
        when="ask.begun is not None and ask.state == 'open'",
        needs="object",
        of="ask",
        evidence="n, ask.n",
        message="the answer to {ask.path} has headers again, without a status in them",
        cause="After its first headers an answer has messages and one status: clients end the call "
        "over others.",
        source=f"{_SPEC}, Responses; {_HTTP2}, 8.1",
        guilty="server",
    ),
    Rule(
        id="GRPC-B43",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="frames of a gRPC call that was not made",
        on="client:message server:headers server:reply server:status",
        when="ask.state == 'absent' and stream_id > 0",
        needs="start whole both",
        of="ask",
        message="the {sender} sent {name} on stream {stream_id}, on which no call was made",
        cause="A stream begins with the headers of its call: the receiver ends the connection with "
        "PROTOCOL_ERROR.",
        source=f"{_HTTP2}, 5.1",
    ),
    Rule(
        id="GRPC-B44",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call that ended well without a message",
        on="server:status",
        when="status == 0 and http_status in (0, 200) and ask.replies == 0 and "
        "ask.state == 'open' and not flags.incomplete",
        needs="object both whole",
        per="client, server, path",
        evidence="n, ask.n",
        message="{path} ended with OK, but without a message",
        cause="A call with a single answer has one message: its client reports INTERNAL "
        "or UNIMPLEMENTED without it.",
        source=f"{_SPEC}, Responses; gRPC, statuscodes.md",
        healthy="A call with several answers, of which there were none.",
        guilty="server",
    ),
    Rule(
        id="GRPC-B44b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="gRPC call without a message that was answered well",
        on="server:status",
        when="status == 0 and ask.messages == 0 and ask.state == 'open'",
        needs="object both whole",
        per="client, server, path",
        evidence="ask.n, n",
        message="{path} ended with OK, although the client has sent no message",
        cause="The server answers before it has the request, or the client sends none: a call with "
        "a single request has one message.",
        source=f"{_SPEC}, Requests",
        echo_of="GRPC-B71",
        healthy="A call with several requests, of which there were none.",
    ),
    *(
        Rule(
            id=rule_id,
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title=f"gRPC call with several {what}, unlike others of the method",
            on="server:status",
            when=f"status == 0 and {count} > 1 and callee.singles >= 1 and ask.state == 'open' "
            "and ask.kind is None",
            needs="object both whole",
            of="conn",
            evidence="n, ask.n, callee.single_n",
            message=f"{{path}} ended with {{{count}}} {what}; other calls of the method had one "
            "message each way",
            cause=cause,
            source=f"{_SPEC}, {section}; gRPC, statuscodes.md",
            healthy="A method with any number of messages.",
            guilty=guilty,
        )
        for rule_id, what, count, section, guilty, cause in (
            (
                "GRPC-B47",
                "answers",
                "ask.replies",
                "Responses",
                "server",
                "A client of a call with a single answer reports INTERNAL or UNIMPLEMENTED.",
            ),
            (
                "GRPC-B47b",
                "requests",
                "ask.messages",
                "Requests",
                "client",
                "A server of a call with a single request refuses it, or takes the first.",
            ),
        )
    ),
    Rule(
        id="GRPC-B45",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="gRPC call on a stream that is not above the last one",
        on="client:call",
        when="0 < stream_id <= C.last_stream",
        needs="",
        of="conn",
        evidence="n, C.last_stream_n",
        message="the call {path} is on stream {stream_id}, after one on stream {C.last_stream}",
        cause="Each call takes the next odd number: the server ends the connection with "
        "PROTOCOL_ERROR, or takes the frame for one of the earlier call.",
        source=f"{_HTTP2}, 5.1.1",
        guilty="client",
    ),
    Rule(
        id="GRPC-B45b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="gRPC call on a stream with an even number",
        on="client:call",
        when="stream_id == stream_id // 2 * 2",
        needs="both",
        of="conn",
        message="the call {path} is on stream {stream_id}; streams of clients have odd numbers",
        cause="Even numbers are those of streams that servers push: the server ends the connection "
        "with PROTOCOL_ERROR.",
        source=f"{_HTTP2}, 5.1.1",
        guilty="client",
    ),
    Rule(
        id="GRPC-B46",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="gRPC connection closed by the server without GOAWAY",
        on="server:tcp.close",
        when="conn.calls > 0 and conn.client_left is None and conn.goaway is None",
        needs="start whole both",
        of="conn",
        evidence="S.last_n",
        message="the server closed the connection {t - S.last_t:time} after its last frame, "
        "without GOAWAY",
        cause="The server ends, or something between closes the connection: without GOAWAY a "
        "client cannot know which calls were executed.",
        source=f"{_SPEC}, Connections (GOAWAY Frame); {_HTTP2}, 6.8",
        healthy="A server that is killed, or a proxy that closes idle connections.",
        guilty="server",
    ),
    *(
        Rule(
            id=rule_id,
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title=f"second {what} of a gRPC call that has one",
            on=on,
            when=when,
            needs="object",
            of="ask",
            evidence=evidence,
            message=f"{{path}} has one {what}, and the {{sender}} sent another one",
            cause=cause,
            source=f"{_SPEC}, {section}; gRPC, Core concepts, RPC life cycle",
            guilty=guilty,
        )
        for rule_id, what, on, when, evidence, section, guilty, cause in (
            (
                "GRPC-B70",
                "reply",
                "server:reply",
                "ask.kind == 'single' and ask.replies >= 1",
                "n, ask.reply_n, ask.n",
                "Responses",
                "server",
                "The client reports INTERNAL or UNIMPLEMENTED, although the call was executed.",
            ),
            (
                "GRPC-B70b",
                "request",
                "client:message",
                "ask.kind in ('single', 'replies') and ask.messages >= 1 and ask.whole_n is None",
                "n, ask.first_n, ask.n",
                "Requests",
                "client",
                "The server refuses the call, or takes the first request.",
            ),
        )
    ),
    Rule(
        id="GRPC-B71",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="gRPC reply before the request",
        on="server:reply",
        when="ask.kind in ('single', 'replies') and ask.messages == 0 and ask.replies == 0 and "
        "ask.state == 'open'",
        needs="object both whole",
        of="ask",
        evidence="n, ask.n",
        message="the server answered {path}, although the client has not sent the request",
        cause="The server takes a call without a message for one with an empty message, or mixes "
        "up two streams.",
        source=f"{_SPEC}, Requests; gRPC, Core concepts, RPC life cycle",
        guilty="server",
    ),
    Rule(
        id="GRPC-B72",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC call with its only reply, but without a status",
        on="end:ask",
        when="why in ('closed', 'reset') and ask.kind == 'single' and ask.begun is not None and "
        "ask.replies <= 1 and ask.state == 'open' and coalesce(callee.singles, 0) == 0",
        needs="start whole both",
        of="conn",
        evidence="coalesce(ask.reply_n, ask.n), ask.n",
        message="{ask.path} had {ask.replies:count reply}, but no status, until the connection "
        "ended",
        cause="The server, or a proxy, does not end the stream: the client waits with the answer "
        "until its deadline.",
        source=f"{_SPEC}, Responses (Trailers)",
        healthy="A connection that ends between the reply and the status.",
        guilty="server",
    ),
    Rule(
        id="GRPC-B73",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="gRPC status long after the only reply",
        on="server:status",
        when="ask.replies == 1 and ask.kind == 'single' and "
        "ask.state == 'open' and (conn.done_of_n > ask.reply_n or t - ask.reply_t > STATUS_LATE)",
        needs="object both whole",
        of="conn",
        evidence="n, ask.reply_n, ask.n",
        message="{path} had its reply in frame {ask.reply_n}, and its status only "
        "{t - ask.reply_t:time} later",
        cause="The service sends its reply and works on before it ends the call: the client waits "
        "with the reply until the status.",
        by="'passed' if conn.done_of_n > ask.reply_n else 'late'",
        causes={"passed": "A later call was made and ended between them."},
        source=f"{_SPEC}, Responses (Trailers)",
        healthy="A service that stores something between its reply and the status.",
        guilty="server",
    ),
    Rule(
        id="GRPC-B74",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="gRPC call cancelled twice",
        on="client:reset",
        when="ask.given_up_n is not None",
        needs="object",
        of="ask",
        evidence="n, ask.given_up_n, ask.n",
        message="the client reset {path} again, after the reset in frame {ask.given_up_n}",
        cause="Two parts of the client end the call.",
        source=f"{_HTTP2}, 5.1 (closed) and 5.4.2",
        healthy="Servers ignore what comes soon after a reset.",
        guilty="client",
    ),
)
"""Part of `findings`."""
