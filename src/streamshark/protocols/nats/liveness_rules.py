"""Rules for connections, handlers and reads that come to a stop while others go on."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.liveness_behaviours import CUT_READ, STANDS_STILL, UNNOTICED
from streamshark.protocols.nats.sources import PROTOCOL

LIVENESS_RULES: Final = (
    Rule(
        id="NATS-B339",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="dead connection that its client does not notice",
        on="end:hush",
        when=UNNOTICED,
        needs="all",
        evidence="hush.silent_n, hush.connect_n, hush.latest_n",
        message="nothing has come to {hush.client_name} on this connection for the last "
        "{hush.end_t - hush.silent_t:time}, though it is subscribed to {hush.subject} and others "
        "received messages there up to {hush.latest_t - hush.silent_t:time} later; it has sent "
        "{'lines that were not answered' if hush.pinged == 1 else 'no PING'} meanwhile",
        cause="The connection is dead, and neither end has closed it: a NAT, a firewall or a host "
        "has lost it. Only a PING without PONG shows that: the client has to ping more often, to "
        "end the connection after a few that are not answered, and to reconnect.",
        source=f"{PROTOCOL}, PING/PONG; nats.node issue 174",
        healthy="A subscriber in another account, or one that may not receive these messages.",
    ),
    Rule(
        id="NATS-B340",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client that receives messages and does not react to them any more",
        on="end:sub",
        when=STANDS_STILL,
        needs="start whole both",
        per="client, server, sub.subject",
        evidence="sub.still_n, C.command_n, sub.last_n",
        message="{coalesce(conn.client_name, client)} published something after each of "
        "{sub.reactions} messages of its subscription to {sub.subject}; since this message it has "
        "published nothing in {sub.last_t - C.command_t:time}, though {sub.dry} more were "
        "delivered and it keeps the connection open",
        cause="Its handler does not return: it waits for a lock, a reply or another call, or the "
        "thread that runs it has ended. Messages pile up in the client. Handlers need a time "
        "limit, and long work a thread of its own.",
        source="docs.nats.io, Asynchronous Subscriptions; nats.java issue 319",
        healthy="A program that has done what it had to, and goes on listening.",
    ),
    Rule(
        id="NATS-B341",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connection that its client ends within a message that comes slowly",
        on="server:tcp.partial",
        when=CUT_READ,
        needs="start whole",
        per="client, server",
        evidence="C.last_n, S.last_n",
        message="the client ended the connection {conn.left_t - S.last_t:time} after the last "
        "whole line of the server, in a message of which {length:size} of {expected:size} had come",
        cause="A time limit for the whole read is too short for the size and the line, as the 5 s "
        "of an object read are: it has to begin again while bytes come, or to be set by the size.",
        source="ADR-20; natscli issue 1351",
        healthy="A user who ends the program.",
    ),
)
"""Judged by `streamshark.findings`."""
