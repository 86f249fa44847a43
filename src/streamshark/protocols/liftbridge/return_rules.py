"""Rules for clients that come back, or begin, and leave out what they had or what is stored."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.returns import ASKS_ONLY
from streamshark.protocols.liftbridge.sources import API, CLIENT

RETURN_RULES: Final = (
    Rule(
        id="LFB-B210",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="first subscription to a stream that leaves out the messages before it (NEW_ONLY)",
        on="subscribe_request",
        when="log.posted >= POSTED_LIMIT and coalesce(start_position, 0) == 0 and "
        "stop_position is None and stream is not None",
        needs="",
        per="client, server, stream",
        evidence="n, log.posted_n",
        message="{stream} is subscribed to from new messages on, and {log.posted:count message} "
        "were published to it before, in these captures: this subscription does not deliver them",
        cause="The default start position is NEW_ONLY. A reader that needs all messages has to "
        "give another one, such as the earliest message or an offset.",
        source=f"{API}, Subscribe, StartPosition_NEW_ONLY; go-liftbridge issue 9",
        healthy="A reader that wants only new messages, such as a display.",
        echo_of="LFB-B5 LFB-B49",
    ),
    Rule(
        id="LFB-B211",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher that is connected again and does not publish",
        on="end:conn",
        when=f"coming.published_n is not None and {ASKS_ONLY}",
        needs="start whole both",
        evidence="conn.asked_n, coming.published_n",
        message="{client} published to {coming.out} until the server ended its connection; on this "
        "one, {conn.t - coming.lost_t:time} later, it has asked for metadata {conn.asks} times in "
        "{conn.asked_t - conn.first_asked_t:time}; no connection of {client} has published since",
        cause="The call of PublishAsync ended with its connection and is not made again: the "
        "client fails or times out locally each time.",
        source=f"{CLIENT}, dispatchAcks; go-liftbridge pull request 119",
        healthy="A program that had nothing more to publish.",
    ),
    Rule(
        id="LFB-B212",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription that is not made again though its client is connected again",
        on="end:conn",
        when=f"coming.lost_subs > coalesce(coming.tried, 0) and {ASKS_ONLY}",
        needs="start whole both",
        evidence="conn.asked_n, coming.sub_n",
        message="{client} had {coming.lost_subs:count subscription} when the server ended its "
        "connections, the last one to {coming.stream}, and has subscribed "
        "{coalesce(coming.tried, 0):count time} since; this connection, "
        "{conn.t - coming.lost_t:time} later, has asked for metadata {conn.asks} times in "
        "{conn.asked_t - conn.first_asked_t:time} and subscribes to nothing",
        cause="The client takes the end of the call for the end of the stream, or waits for no "
        "time to subscribe again: messages no longer reach it.",
        source=f"{CLIENT}, dispatchStream, ResubscribeWaitTime; go-liftbridge pull request 8",
        healthy="A reader that was done.",
    ),
    Rule(
        id="LFB-B213",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="fewer subscriptions than before the server ended the connections",
        on="end:coming",
        when="coming.flow >= 0 and coming.renewed > 0 and coming.lost_subs > coming.renewed and "
        "coming.lost_subs > coalesce(coming.tried, 0) and t - coming.renewed_t > BACK_FOR",
        needs="all",
        evidence="coming.renewed_n, coming.sub_n",
        message="a client had {coming.lost_subs:count subscription} when the server ended its "
        "connections, the last one to {coming.stream}, and has made {coming.renewed} again, "
        "{t - coming.renewed_t:time} before the end of the captures",
        cause="One part of the program subscribes again, and another takes the end of the call for "
        "the end of the stream: it gets nothing more.",
        source=f"{API}, Subscribe; {CLIENT}, dispatchStream",
        healthy="A reader that was done.",
        echo_of="LFB-B212",
    ),
)
"""Part of the rules of the protocol."""
