"""Rules for heartbeats and for the end of a connection."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.conversations import HANDSHAKE, UNDER_WAY
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

_ENDED_BY: Final = (
    "'login' if conn.refused_n is not None else "
    f"'step' if conn.state in {HANDSHAKE} and t - coalesce(C.last_t, conn.t) >= HANDSHAKE_STEP "
    "else 'heartbeat' if conn.heartbeat > 0 and "
    "t - C.last_t >= conn.heartbeat * SILENT_INTERVALS * 1000000000 else "
    "'update' if conn.updates > 0 and t - conn.update_t >= ENDED_BY_UPDATE else 'unknown'"
)
"""Why a broker may have ended a connection."""

_STRANGE: Final = "C.last_n != coalesce(C.routine_n, -1) and C.last_n != coalesce(C.beat_n, -1)"
"""The last frame of the client is none that the broker took before, such as one more Credit."""

_OPEN: Final = (
    "conn.state == 'open' and conn.fin_t is None and "
    "coalesce(C.zero_windows, 0) + coalesce(S.zero_windows, 0) == 0"
)
"""Neither side has ended the connection, or is too busy to read it."""

CONNECTION: Final = (
    *(
        Rule(
            id="RMQ-H1",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="missing heartbeats",
            on="any tcp.close tcp.reset",
            when=f"{side}.silent_t is not None and {_OPEN}",
            needs="since both",
            of=side,
            evidence=f"{side}.silent_n",
            message=f"the {who} has sent nothing since frame {{{side}.silent_n}}, for "
            "{SILENT_INTERVALS} times the negotiated heartbeat of {conn.heartbeat} s",
            cause="The peer has stopped or is blocked, or its packets do not arrive.",
            by=f"'never' if {side}.beat_n is None and conn.start else 'stopped'",
            causes={
                "never": "It has sent no Heartbeat on this connection: it has no heartbeat task, "
                "or ignores the negotiated interval.",
            },
            source=f"{DOC}, Tune; rabbit_heartbeat.erl",
        )
        for side, who in (("C", "client"), ("S", "broker"))
    ),
    Rule(
        id="RMQ-H2",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="missing heartbeats ignored by the client",
        on="any tcp.close tcp.reset",
        when=f"S.deaf_t is not None and {_OPEN}",
        needs="since both",
        of="S",
        evidence="S.silent_n",
        message="the broker has been silent for more than three heartbeats of {conn.heartbeat} s, "
        "and the client keeps the connection open",
        cause="The client does not monitor what it receives, or uses a longer timeout of its own.",
        source="rabbit_heartbeat.erl; rstream issue 201",
    ),
    Rule(
        id="RMQ-H3",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="Heartbeat although heartbeats are disabled",
        on="heartbeat",
        when="conn.heartbeat == 0",
        needs="",
        message="Heartbeat was sent, although an interval of 0 was negotiated",
        cause="The heartbeat timer ignores the negotiated interval.",
        healthy="Brokers accept it silently.",
        source=f"{DOC}, Tune",
    ),
    Rule(
        id="RMQ-H4",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="too frequent heartbeats",
        on="heartbeat",
        when="t - me.beat_t < conn.heartbeat * 200000000",
        needs="since",
        of="conn",
        evidence="n, me.beat_n",
        message="Heartbeat was sent again after {t - me.beat_t:time}; the negotiated interval is "
        "{conn.heartbeat} s",
        cause="",
        by="'back' if t - peer.beat_t < RACE else "
        "'ms' if t - me.beat_t < conn.heartbeat * 10000000 else 'often'",
        causes={
            "back": "The client returns the heartbeats of the broker.",
            "ms": "The client treats the negotiated seconds as milliseconds.",
        },
        healthy="A cautious client; the cost is low.",
        source="rabbit_heartbeat.erl",
    ),
    Rule(
        id="RMQ-K1",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="Close sent by the broker with an error",
        on="server:close",
        when="closing_code != 1",
        needs="",
        of="conn",
        evidence="C.last_n, n",
        message="the broker closed the connection with {closing_code:name}: {closing_reason}",
        cause="",
        by="closing_code",
        causes={
            13: "The broker does not know a frame that the client sent.",
            14: "A frame of the client is larger than negotiated.",
        },
        source=f"{READER}, unknown frame; frame too large",
        echo_of="error",
    ),
    Rule(
        id="RMQ-K2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="TCP connection closed by the broker right after a frame",
        on="server:tcp.close server:tcp.reset",
        when="conn.close_n is None and conn.fin_t is None and conn.state == 'open' and "
        f"C.last_t > coalesce(S.last_t, 0) and t - C.last_t <= DROPPED and {_STRANGE}",
        needs="start whole both",
        of="conn",
        evidence="C.last_n",
        message="the broker closed the TCP connection right after frame {C.last_n} without sending "
        "Close",
        cause="Brokers close a connection this way when their parser fails on a frame.",
        source=f"{READER}, close_immediately",
        echo_of="error RMQ-S4",
    ),
    Rule(
        id="RMQ-K2b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="TCP connection closed by the broker without Close",
        on="server:tcp.close server:tcp.reset",
        when="conn.close_n is None and conn.fin_t is None and "
        "not (conn.state == 'open' and C.last_t > coalesce(S.last_t, 0) and "
        f"t - C.last_t <= DROPPED and {_STRANGE})",
        needs="start whole both",
        per=f"server, {_ENDED_BY}",
        evidence="coalesce(C.last_n, S.last_n)",
        message="the broker closed the TCP connection without sending Close",
        cause="",
        by=_ENDED_BY,
        causes={
            "login": "The broker had refused the authentication.",
            "step": "The client's next handshake step did not arrive in time.",
            "heartbeat": "The client was silent for longer than the negotiated heartbeat allows.",
            "update": "ConsumerUpdate was not answered.",
        },
        healthy="Operators and nodes that stop close connections this way.",
        source=f"{READER}, close_immediately",
        echo_of="error RMQ-N6 RMQ-H1 RMQ-N5",
    ),
    Rule(
        id="RMQ-K3",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="TCP connection closed by the client without Close",
        on="client:tcp.close client:tcp.reset",
        when="conn.fin_t is None and (C.close_n is None and S.close_n is None or "
        "C.close_n is not None and conn.state == 'closing')",
        needs="start whole both",
        per="client, server, 'early' if C.close_n is None else 'late'",
        evidence="coalesce(C.last_n, S.last_n)",
        message="the client closed the TCP connection {'without sending Close' if C.close_n is "
        "None else 'before its Close was answered'}",
        cause="",
        healthy="Some clients always do this; the broker cleans up.",
        source=f"{DOC}, Close",
    ),
    Rule(
        id="RMQ-K4",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="frame after Close",
        on="any",
        when="me.close_n is not None and name not in ('heartbeat', 'close', 'close_response') and "
        f"t - me.close_t > {UNDER_WAY}",
        needs="since",
        of="conn",
        evidence="n, me.close_n",
        message="the {sender} sent {name} after its Close in frame {me.close_n}",
        cause="Another thread writes while the connection is being closed.",
        source=f"{READER}, handle_frame_post_close",
    ),
    Rule(
        id="RMQ-K4b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="frame in flight with Close",
        on="any",
        when="name not in ('heartbeat', 'close', 'close_response') and "
        f"t - me.close_t <= {UNDER_WAY}",
        needs="since",
        of="conn",
        evidence="n, me.close_n",
        message="the {sender} sent {name} just after its Close in frame {me.close_n}",
        cause="Another thread writes while the connection is being closed.",
        healthy="The frame was already in flight.",
        source=f"{READER}, handle_frame_post_close",
    ),
    Rule(
        id="RMQ-K4c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="second Close",
        on="close",
        when="me.close_n is not None",
        needs="since",
        of="conn",
        evidence="n, me.close_n",
        message="the {sender} sent Close again",
        cause="",
        healthy="Two clients do this; the broker does not mind.",
        source=f"{DOC}, Close",
    ),
    Rule(
        id="RMQ-K5",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="Close sent by the client with an error",
        on="client:close",
        when="closing_code != 1",
        needs="",
        per="client, server, closing_code, closing_reason",
        message="the client closed the connection with {closing_code:name}: {closing_reason}",
        cause="",
        healthy="The client states why it leaves.",
        source=f"{DOC}, Close, Response Codes",
    ),
    Rule(
        id="RMQ-K6",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unanswered Close from the broker",
        on="unanswered:close",
        when="req.side == S.side and t - req.t > UNANSWERED",
        needs="since both",
        evidence="req.n",
        message="the broker's Close was not answered; the broker waits 10 s and closes the "
        "connection",
        cause="",
        source=f"{DOC}, Close; {READER}, close_sent",
        echo_of="error",
    ),
)

FORBIDDEN: Final = (
    Rule(
        id="RMQ-H6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Heartbeat during the handshake",
        on="forbidden:early_heartbeat",
        needs="",
        message="the client sent Heartbeat in the middle of the handshake (state '{conn.state}')",
        cause="The client starts its heartbeat timer with the connection, before the interval is "
        "negotiated; brokers may end the connection.",
        source=f"{READER}, handle_frame_pre_auth; rabbitmq-stream-rust-client issue 212",
    ),
    Rule(
        id="RMQ-K7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client frame after the broker closed the TCP connection",
        on="forbidden:after_end",
        needs="",
        message="the client sent {name} {t - conn.fin_t:time} after the broker had closed the "
        "connection",
        cause="The client does not notice that the connection was closed; nothing that it sends "
        "reaches the broker.",
        source=f"{CORE}, close; rabbitmq-stream-rust-client issue 286",
    ),
    Rule(
        id="RMQ-K7b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client frame just after the broker closed the TCP connection",
        on="forbidden:near_end",
        needs="",
        message="the client sent {name} {t - conn.fin_t:time} after the broker had closed the "
        "connection",
        cause="The client does not notice at once that the connection was closed; nothing that it "
        "sends reaches the broker.",
        source=f"{CORE}, close; rabbitmq-stream-rust-client issue 286",
        healthy="The frame was already in flight on a slow network.",
        echo_of="RMQ-K7",
    ),
)
