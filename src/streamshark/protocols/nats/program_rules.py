"""Rules for the parts of programs: handlers that block or stop, loops that end, what ends them."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.behaviours import NO_NODE
from streamshark.protocols.nats.harm_behaviours import (
    MANY_SILENT,
    STOPPED,
    STOPPED_FOR_LONG,
)
from streamshark.protocols.nats.programs import (
    ACKS,
    FLUSHED_LATE,
    HELD_UP,
    IS_REPLY,
    QUEUED,
    STUCK,
)
from streamshark.protocols.nats.row_names import SENT
from streamshark.protocols.nats.sources import ADR_13, CLIENT, CONSUMER, PROTOCOL

_REPLIES: Final = "docs.nats.io, Request-Reply"
_SILENT: Final = (
    f"handler.silent >= DEAD_LIMIT and handler.left_n is None and {NO_NODE} and "
    "t - handler.silent_t > DEAD_TIME"
)
"""The last requests have no reply, although the connection stays open."""
_STOPPED: Final = (
    f"{_SILENT} and handler.replies >= DEAD_LIMIT and handler.open == handler.silent and "
    "t - handler.silent_t > 10 * handler.longest"
)
"""The handler replied to the first requests, and replies to none any more."""
_HANDLED: Final = (
    "conn.worked_from_t <= peer.ping_t and conn.worked_t > peer.ping_t and "
    "t - conn.worked_t <= JUST_BEFORE"
)
"""A handler has just replied to a message that came before the PING."""
_WAIT: Final = (
    "(loop.waiting > 0 or stock.latest == loop.subject and "
    "stock.latest_t > loop.pull_t + LOOP_STOPS and stock.latest_t <= coalesce(loop.left_t, t))"
)
"""The consumer has messages for the loop."""

_ENDED: Final = (
    f"loop.pulls >= LOOP_PULLS and {_WAIT} and {STOPPED} > LOOP_STOPS and {STOPPED} > 10 * loop.gap"
)
"""The loop pulls no more, although messages wait."""

PROGRAM_RULES: Final = (
    Rule(
        id="NATS-B160",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late PONG of a client",
        on="client:pong",
        when="peer.pings > 0 and t - peer.ping_t > LATE_PONG",
        needs="start whole both",
        of="conn",
        evidence=f"peer.ping_n, n, conn.worked_from_n if {_HANDLED} else None",
        message="the client answered PING {t - peer.ping_t:time} later",
        cause="The client did not read for this time: its thread was busy with a handler, or "
        "stopped.",
        by=f"'handler' if {_HANDLED} else 'writer' if "
        "C.frames - conn.frames_at_ping >= DEAD_LIMIT else ''",
        causes={
            "handler": "A handler runs on the thread that reads: while it works, the client "
            "answers no PING and receives nothing else.",
            "writer": "PONG waits behind the client's own messages, or the thread that sends them "
            "does not read.",
        },
        source=f"{PROTOCOL}, PING/PONG; {CLIENT}, processPingTimer",
        healthy="A program that is stopped for a moment.",
        echo_of="NATS-N7 NATS-N7b",
    ),
    Rule(
        id="NATS-B346",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests without a reply, as their handler has stopped",
        on="end:handler",
        when=f"{MANY_SILENT} and {_STOPPED} and audience.several is None",
        needs="start whole both",
        evidence="handler.silent_n",
        message="the first {handler.replies:count request} to {handler.subject} had a reply after "
        "{handler.longest:time} at most; this one and those that came for "
        "{handler.taken_t - handler.silent_t:time} after it, {handler.silent} in all, have none",
        cause="The handler waits for something that does not come, or its thread ended at this "
        "request, while the rest of the program runs: its requesters wait in vain.",
        source=_REPLIES,
        healthy="A handler that takes very long for this request.",
    ),
    Rule(
        id="NATS-B161",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="handler that has stopped to reply",
        on="end:handler",
        when=f"{_STOPPED} and not ({MANY_SILENT} and audience.several is None)",
        needs="start whole both",
        evidence="handler.silent_n",
        message="the first {handler.replies:count request} to {handler.subject} had a reply after "
        "{handler.longest:time} at most; this one and those after it, {handler.silent} in all, had "
        "none, although the connection stayed open for {t - handler.silent_t:time}",
        cause="The handler waits for something that does not come, or its thread ended at this "
        "request, while the rest of the program runs.",
        source=_REPLIES,
        healthy="A handler that takes very long for this request.",
    ),
    Rule(
        id="NATS-B161b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="handler that never replies, beside others that do",
        on="end:handler",
        when=f"{_SILENT} and handler.replies is None and conn.handler_replies >= DEAD_LIMIT and "
        "t - handler.silent_t > 10 * conn.handler_longest",
        needs="start whole both",
        evidence="handler.silent_n",
        message="none of {handler.silent:count request} to {handler.subject} had a reply; other "
        "requests to this client had one after {conn.handler_longest:time} at most",
        cause="The handler ends without a reply, such as by an exception, or waits for something "
        "that does not come.",
        source=_REPLIES,
        healthy="Messages that need no reply, although they have a reply subject.",
    ),
    Rule(
        id="NATS-B162",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests handled one after the other",
        on=SENT,
        when=f"{IS_REPLY} and handler.work >= SERIAL_TIME and {QUEUED} and "
        "handler.serial + 1 >= SERIAL_LIMIT",
        needs="whole both",
        of="handler",
        evidence="served.n, n",
        message="the request waited for those before it: its reply came {t - served.t:time} after "
        "it and {t - handler.reply_t:time} after the reply before, and a request alone takes "
        "{handler.work:time}",
        cause="The handler works on one request at a time, as libraries call the handlers of a "
        "subscription: work that takes long belongs to other threads, or to more instances in a "
        "queue group.",
        source="docs.nats.io, Receiving Messages, Asynchronous Subscriptions",
        healthy="A service whose requests may wait.",
    ),
    Rule(
        id="NATS-B163",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="handler that falls behind",
        on=SENT,
        when=f"{IS_REPLY} and handler.open >= BEHIND_LIMIT and t - served.t >= BEHIND_TIME and "
        "t - served.t >= 10 * handler.least",
        needs="whole both",
        of="handler",
        evidence="served.n, n",
        message="{handler.open} requests to {handler.subject} wait, and this one had its reply "
        "after {t - served.t:time}; others had it after {handler.least:time}",
        cause="Requests come faster than the handler works: add instances in a queue group, or "
        "handle several at a time.",
        source="docs.nats.io, Slow Consumers",
        healthy="Many requests at once.",
        echo_of="NATS-B162",
    ),
    Rule(
        id="NATS-B164",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections of a program that end at the same message",
        on="end:conn",
        when="poison.times >= 1",
        needs="start whole both",
        of="poison",
        evidence="conn.latest_n, poison.first_n",
        message="{coalesce(conn.client_name, client)} ended its connection just after this message "
        "to {conn.latest_subject}, as it did after an equal one before; it had received others",
        cause="The program fails at this message, and at each one like it.",
        source="docs.nats.io, Receiving Messages",
        healthy="A message at which the program is to stop.",
    ),
    Rule(
        id="NATS-B347",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="stored messages that are not delivered, as the loop of pull requests has stopped",
        on="end:loop",
        when=f"{STOPPED_FOR_LONG} and {_ENDED}",
        needs="start whole both",
        evidence="loop.latest_n, loop.pull_n, stock.latest_n",
        message=f"after {{loop.pulls}} pull requests ({{loop.id}}) the client sent none for "
        f"{{{STOPPED}:time}}, so that messages stored up to "
        "{stock.latest_t - loop.pull_t:time} after the last one are not delivered",
        cause="The loop has ended, or waits for something that does not come, while the rest of "
        "the program runs.",
        by="'status' if loop.status is not None else ''",
        causes={
            "status": "The loop ends at a status that is no reason to stop: after it a client "
            "sends the next pull request.",
        },
        source=f"{ADR_13}; ADR-37",
        healthy="A program that wants no more messages.",
        echo_of="NATS-B30 NATS-B32 NATS-B122 NATS-B322",
    ),
    Rule(
        id="NATS-B165",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="loop of pull requests that has stopped while messages wait",
        on="end:loop",
        when=f"{_ENDED} and not ({STOPPED_FOR_LONG})",
        needs="start whole both",
        evidence="loop.latest_n, loop.pull_n, stock.latest_n",
        message="after {loop.pulls} pull requests ({loop.id}), at most {loop.gap:time} apart, the "
        "client sent none for {coalesce(loop.left_t, t) - loop.pull_t:time}, although "
        "{'messages waited' if loop.waiting > 0 else 'a message was stored then'}",
        cause="The loop has ended, or waits for something that does not come, while the rest of "
        "the program runs.",
        by="'status' if loop.status is not None else 'open' if conn.unacked > 0 else ''",
        causes={
            "status": "The loop ends at a status that is no reason to stop: after it a client "
            "sends the next pull request.",
            "open": "The handler is busy with the last message, which is not acknowledged.",
        },
        source=f"{ADR_13}; ADR-37",
        healthy="A program that wants no more messages.",
        echo_of="NATS-B30 NATS-B32 NATS-B122 NATS-B322",
    ),
    Rule(
        id="NATS-B166",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message acknowledged although its result was refused",
        on=SENT,
        when=f"{ACKS} and conn.failed_n is not None and conn.unacked == 1",
        needs="since",
        of="conn",
        evidence="n, conn.failed_n, conn.failed_asked_n",
        message="the message with sequence {token(subject, 5)} of stream {token(subject, 2)} is "
        "acknowledged, although what the client published meanwhile, to {conn.failed_subject}, "
        "was refused in frame {conn.failed_n}",
        cause="The client ignores the error: the message counts as processed, and its result is "
        "lost. -NAK has it delivered again.",
        source=f"{CONSUMER}, processAck; docs.nats.io, JetStream, Publishing",
        healthy="A result that is not needed.",
    ),
    Rule(
        id="NATS-B167",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections of a program that end at the same line of the server",
        on="churn:endings",
        evidence="conn.final_n",
        needs="start whole both",
        message="{coalesce(conn.client_name, client)} ended {ENDINGS_LIMIT} connections in a row, "
        "each just after the same line of the server: {conn.final}",
        cause="The program takes the line for the end of its connection, or fails at it. After an "
        "error of one request the connection is still of use.",
        by="conn.final",
        causes={
            "PING": "The program fails at PING, which it has to answer by PONG.",
            "INFO": "The program fails at INFO, which the server sends again when its cluster "
            "changes.",
        },
        source=PROTOCOL,
        healthy="A command that is run again after an error.",
    ),
    Rule(
        id="NATS-B168",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message that holds up those after it",
        on=SENT,
        when=HELD_UP,
        needs="whole both",
        of="conn",
        evidence="served.n, n",
        message="the message with sequence {token(subject, 5)} of stream {token(subject, 2)} was "
        "acknowledged {t - conn.acked_t:time} after the one before it, where others took "
        "{conn.usual_ack:time} at most: {conn.unacked - 1} delivered messages waited",
        cause="The handler works on one message at a time, and this one took long.",
        source=f"{CONSUMER}, max_ack_pending",
        healthy="Messages that have to be handled in their order.",
    ),
    Rule(
        id="NATS-B169",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="consumer that has stopped to acknowledge",
        on="end:conn",
        when="conn.usual_acks >= DEAD_LIMIT and conn.since_ack >= DEAD_LIMIT and "
        "conn.unacked >= conn.since_ack and t - conn.since_ack_t > DEAD_TIME and "
        "t - conn.since_ack_t > 10 * conn.ack_longest",
        needs="start whole both",
        evidence="conn.since_ack_n",
        message="{conn.usual_acks:count message} had an ack after {conn.ack_longest:time} at most; "
        "this one and those after it, {conn.since_ack} in all, have none, although the connection "
        "stayed open for {t - conn.since_ack_t:time}",
        cause="The handler waits for something that does not come, or its thread ended at this "
        "message: the messages are delivered again after ack_wait.",
        source="docs.nats.io, JetStream, acknowledgement",
        healthy="A handler that takes very long for this message.",
        echo_of="NATS-B30 NATS-B32",
    ),
    Rule(
        id="NATS-B170",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="handler that misses the answer to its own request",
        on=SENT,
        when=f"conn.nested_answer_t is not None and conn.stuck >= 1 and {STUCK}",
        needs="since",
        of="conn",
        evidence="conn.nested_n, conn.nested_answer_n, n",
        message="the answer in frame {conn.nested_answer_n} came at once, but the client went on "
        "{t - conn.nested_t:time} after its request, as long as the times before",
        cause="The handler waits for an answer that its own thread has to read, until its timeout: "
        "send such a request from another thread.",
        source=_REPLIES,
        healthy="Work that takes the same time for each message.",
    ),
    Rule(
        id="NATS-B171",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="replies that come just after the next request",
        on=SENT,
        when=f"{IS_REPLY} and {FLUSHED_LATE} and handler.unflushed + 1 >= SERIAL_LIMIT",
        needs="whole both",
        of="handler",
        evidence="n, served.n",
        message="the reply comes {t - served.t:time} after its request, and "
        "{t - handler.taken_t:time} after the next one, as the replies before it",
        cause="A reply stays in the client's buffer until it sends something else, or the handler "
        "answers the request before the one that it was called for.",
        source=_REPLIES,
        healthy="A requester that sends the next request when its answer is due.",
    ),
    Rule(
        id="NATS-B172",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reply to a client whose connection has ended",
        on=SENT,
        when=f"{IS_REPLY} and desk.gone_n is not None",
        needs="",
        per="server, conn.client_name",
        evidence="n, served.n, desk.gone_n",
        message="the reply to {subject} comes {t - served.t:time} after its request, and "
        "{t - desk.gone_t:time} after the end of the connection that waited for it",
        cause="The service works on requests whose clients have given up: a deadline in the "
        "request lets it leave them out.",
        source=_REPLIES,
        healthy="A client that was stopped while it waited.",
        echo_of="NATS-B20",
    ),
    Rule(
        id="NATS-B173",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages to an inbox that its client has unsubscribed",
        on=SENT,
        when="t - inbox.left_t > JUST_BEFORE and inbox.after + 1 >= GONE_ON_LIMIT",
        needs="",
        of="inbox",
        evidence="n, inbox.left_n",
        message="{inbox.after + 1} messages were published to {subject} since its client "
        "unsubscribed in frame {inbox.left_n}: nothing receives them",
        cause="The service does not learn that its client wants no more: it has to ask for flow "
        "control or a sign of life, or to request an answer and stop at 503.",
        source=f"{_REPLIES}; {PROTOCOL}, UNSUB",
        healthy="Replies of several services, of which the client takes the first.",
        echo_of="NATS-B20",
    ),
)
"""Part of the rules of the protocol."""
