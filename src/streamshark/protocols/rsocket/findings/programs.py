"""Rules for the parts of programs: threads that wait, handlers that answer no more."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.programs import FIRST_ANSWER, ITEMS_BEGIN

_KEEPALIVE: Final = "Protocol.md, KEEPALIVE Frame (0x03)"
_RESPONSES: Final = "Protocol.md, Request Response"
_BLOCKED_TITLE: Final = "KEEPALIVE answered only together with a slow request"
_BLOCKED_CAUSE: Final = (
    "The handler of the request ran in the thread that reads the connection: whatever else came "
    "had to wait for it, and a longer request would have ended the connection."
)
_WAITING_CAUSE: Final = (
    "The handler of a request sends a request on the same connection, and blocks until the answer "
    "comes: the thread that would read it is its own."
)

THREADS: Final = (
    Rule(
        id="RSK-B100",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title=_BLOCKED_TITLE,
        on="keepalive",
        when="not flags.respond and t - req.t > KEEPALIVE_ANSWER and me.freed_n > req.n and "
        "(t - me.freed_t) * 10 <= t - req.t and me.freed_of_t <= req.t and "
        "me.freed_after_t <= req.t and me.quickest * 10 <= t - req.t",
        needs="start whole both",
        of="conn",
        evidence="n, req.n, me.freed_n, me.freed_of",
        message="a KEEPALIVE was answered after {t - req.t:time}, right after the answer to a "
        "request that was under way; earlier ones took {me.quickest:time}",
        cause=_BLOCKED_CAUSE,
        source=_KEEPALIVE,
        echo_of="RSK-K9",
    ),
    Rule(
        id="RSK-B100",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title=_BLOCKED_TITLE,
        on="payload",
        when=f"{FIRST_ANSWER} and complete and me.answered_t - me.answered_of_t > "
        "KEEPALIVE_ANSWER and stream.t <= me.answered_of_t and me.sent_t == me.answered_t and "
        "(t - me.answered_t) * 10 <= t - me.answered_of_t and "
        "me.waited_t <= me.answered_of_t and me.quickest * 10 <= t - me.answered_of_t",
        needs="start whole both",
        of="conn",
        evidence="me.sent_n, stream.n, n",
        message="a KEEPALIVE was answered after {me.answered_t - me.answered_of_t:time}, together "
        "with a request that was under way; earlier ones took {me.quickest:time}",
        cause=_BLOCKED_CAUSE,
        source=_KEEPALIVE,
        echo_of="RSK-K9",
    ),
    Rule(
        id="RSK-B101",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="handler that waits for an answer which its thread does not read",
        on="cancel",
        when="stream.model == 'request_response' and side == stream.owner and "
        "stream.state == 'done' and live(stream) > 0 and stream.t > me.served_from_t and "
        "me.sent_t <= stream.ended_t and t - stream.ended_t > PATIENCE and "
        "t - stream.ended_t > (stream.ended_t - stream.t) * 10",
        needs="start whole both",
        of="conn",
        evidence="n, stream.n, stream.ended_n",
        message="the request on stream {stream.id} was cancelled {t - stream.ended_t:time} after "
        "its answer had come; its sender sent nothing between, and handles a request itself",
        cause=_WAITING_CAUSE,
        source=_RESPONSES,
        echo_of="RSK-S22",
    ),
    Rule(
        id="RSK-B101b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request that fails long after the answer that its handler waited for",
        on="error",
        when=f"{FIRST_ANSWER} and stream.t < me.asked_back_t and me.heard_of >= me.asked_back_n "
        "and me.sent_n < me.heard_n and t - me.heard_t > PATIENCE and "
        "t - me.heard_t > me.heard_took * 10",
        needs="start whole both",
        of="conn",
        evidence="n, stream.n, me.heard_of, me.heard_n",
        message="the request on stream {stream.id} failed {t - me.heard_t:time} after its "
        "responder had received the answer to a request of its own, and it sent nothing between",
        cause=_WAITING_CAUSE,
        source=_RESPONSES,
        healthy="A handler that fails at something else after it.",
    ),
)

CONNECTIONS: Final = (
    Rule(
        id="RSK-B107",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections that the server ends at SETUP, without ERROR",
        on="repetition:gone_at_setup",
        needs="start whole",
        evidence="C.act_n, gone_at_setup.second_n",
        message="{GONE_LIMIT} connections in a row were ended by the server right after SETUP, "
        "without an ERROR that says why",
        cause="The server fails at this SETUP, such as at its payload or MIME types, or what "
        "listens on this port does not speak RSocket.",
        source="Protocol.md, SETUP Frame; Error Codes (INVALID_SETUP, REJECTED_SETUP)",
        guilty="server",
    ),
    Rule(
        id="RSK-B109",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="end of the RSocket connection that its client notices late",
        on="client:tcp.close client:tcp.reset",
        when="conn.left_t is None and t - S.closed_t > UNNOTICED and conn.setup_n is not None",
        needs="start whole both",
        of="conn",
        evidence="C.last_n, conn.setup_n",
        message="the client closed its side {t - S.closed_t:time} after the server had closed the "
        "connection",
        cause="The thread that reads the connection is blocked or has died, or the client closes "
        "lost connections with the program only.",
        source="Protocol.md, Transport Protocol",
        healthy="A client whose connections are closed by the garbage collector.",
        echo_of="RSK-C32",
    ),
    Rule(
        id="RSK-B108",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection kept alive after CONNECTION_CLOSE, without streams",
        on="keepalive",
        when="conn.closing_n is not None and live(stream) == 0 and "
        "t - coalesce(conn.stream_t, conn.setup_t) > UNNOTICED",
        needs="start whole both",
        of="conn",
        evidence="n, conn.closing_n",
        message="KEEPALIVE goes on {t - conn.stream_t:time} after CONNECTION_CLOSE and the last "
        "frame of a stream",
        cause="The sender of CONNECTION_CLOSE waits for streams that have ended, and does not "
        "close the connection; timers of both sides run on.",
        source="Protocol.md, Error Codes (CONNECTION_CLOSE)",
        healthy="A peer that closes a little later.",
    ),
)

HANDLERS: Final = (
    Rule(
        id="RSK-B102",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="handler that has stopped answering, on a connection that lives",
        on="end:desk",
        when="desk.answers >= ANSWERED_BEFORE and desk.waits >= NOT_ANSWERED and "
        "t - desk.waits_t > max(desk.slowest * 10, STALLED) and "
        "(S.sent_t if desk.asker == C.side else C.sent_t) > desk.waits_t",
        needs="start whole both",
        of="desk",
        evidence="desk.waits_n, desk.answers_n",
        message="after {desk.answers} answers of at most {desk.slowest:time} the next "
        "{desk.waits} requests with the same metadata have none, while their responder went on "
        "sending other frames",
        cause="The handler, or the thread or subscriber behind it, has died or is blocked at this "
        "request; the rest of the program lives.",
        source=_RESPONSES,
    ),
    Rule(
        id="RSK-B103",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests sent together and answered one after the other",
        on="payload",
        when=f"{FIRST_ANSWER} and complete and me.turns >= SERIAL_LIMIT",
        needs="start whole both",
        of="conn",
        evidence="n, stream.n, me.turn_n",
        message="requests that were sent together are answered one after the other, "
        "{me.turn:time} apart",
        cause="The handler blocks the thread that reads the connection, or takes requests from a "
        "queue one by one: each waits for all before it.",
        source=_RESPONSES,
        healthy="A responder that limits how much it does at once.",
        echo_of="RSK-B54d",
    ),
    Rule(
        id="RSK-B104",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="answers that take longer and longer",
        on="payload",
        when=f"{FIRST_ANSWER} and complete and me.climb >= CLIMB_LIMIT and "
        "t - stream.t > me.climb_took and t - stream.t > PATIENCE and "
        "t - stream.t >= me.climb_from * 10",
        needs="start whole both",
        of="conn",
        evidence="n, stream.n, me.climb_n",
        message="{me.climb + 1} answers in a row each took longer than the one before, from "
        "{me.climb_from:time} to {t - stream.t:time}",
        cause="The responder gets more than it can handle, so that requests wait in a queue, or "
        "something in it grows with each request.",
        source=_RESPONSES,
        healthy="A burst that is worked off.",
    ),
    Rule(
        id="RSK-B105",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="connection whose requests are never answered, unlike those of others",
        on="end:conn",
        when="C.questions >= NOT_ANSWERED and S.gave_n is None and bank.answers >= "
        "ANSWERED_BEFORE and bank.of_t > C.question_t and S.refusal_n is None and "
        "conn.refused_n is None and t - C.question_t > max(bank.slowest * 10, STALLED)",
        needs="start whole both",
        of="conn",
        evidence="C.question_n, bank.of_n",
        message="{C.questions} requests on this connection got no answer in "
        "{t - C.question_t:time}, while the server answered on others in at most "
        "{bank.slowest:time}",
        cause="The server accepts the connection and does not serve it: the thread or event loop "
        "to which it was given is blocked or dead.",
        source=_RESPONSES,
        guilty="server",
    ),
    Rule(
        id="RSK-B106",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="streams that each begin when the one before ends",
        on="payload",
        when=f"{ITEMS_BEGIN} and me.serial >= SERIAL_STREAMS - 1 and stream.t < me.run_over_t and "
        "(t - me.run_over_t) * 4 <= me.run_over_t - stream.t",
        needs="start whole both",
        of="conn",
        evidence="n, stream.n, me.run_over_n",
        message="the first item of stream {stream.id} came {t - stream.t:time} after the request, "
        "right after the end of another stream: streams are served one after the other",
        cause="The responder joins its streams one after the other, or has one thread for all: a "
        "long stream holds back all others.",
        source="Protocol.md, Request Stream",
        healthy="A responder that limits how much it does at once.",
    ),
)

PROGRAMS: Final = (*THREADS, *CONNECTIONS, *HANDLERS)
"""Part of `all_rules`."""
