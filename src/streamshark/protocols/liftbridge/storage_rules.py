"""Rules for messages that are stored for each try, sent to many subscriptions, or never read."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.sources import API, SERVER
from streamshark.protocols.liftbridge.storage import COMES_OFTEN, DELETED_UNREAD, STORED_AGAIN

STORAGE_RULES: Final = (
    Rule(
        id="LFB-B190",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages deleted before a reader that resumes has read them",
        on="message",
        when=DELETED_UNREAD,
        per="client, server, stream",
        needs="whole both",
        evidence="n, sub.asked_n",
        message="the subscription to {stream} was to begin at offset {sub.start}, and the first "
        "message has offset {coalesce(offset, 0)}: the "
        "{coalesce(offset, 0) - sub.start:count message} before it were deleted unread",
        cause="The stream keeps less than comes while the reader is away (retention.max.messages, "
        ".bytes or .age); the server begins at the oldest message that it still has, without an "
        "error.",
        source=f"{SERVER}/commitlog/reader.go; {API}, Subscribe, StartOffset",
        healthy="A reader that only needs recent messages.",
    ),
    Rule(
        id="LFB-B191",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message stored for each try that was sent before its ack",
        on="publish_response",
        when=STORED_AGAIN,
        per="client, server, ack.stream",
        needs="whole both",
        evidence="attempt.again_n, attempt.first_n, n",
        message="a message for {ack.stream} was sent {attempt.resent + 1} times before its first "
        "ack, and is stored more than once: at offset {attempt.stored_at}, and at "
        "{coalesce(ack.offset, 0)}",
        cause="The publisher waits for the ack for a shorter time than replication may take: while "
        "a replica is away, an ack of all replicas comes after replica.max.lag.time. The ack of "
        "the first try was under way.",
        source=f"{API}, PublishAsync, AckPolicy; liftbridge-io/liftbridge issue 390",
        healthy="Values that repeat, and are measured while acks are late.",
    ),
    Rule(
        id="LFB-B192",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="many subscriptions of a connection that receive the same messages",
        on="message",
        when=COMES_OFTEN,
        of="reader",
        needs="",
        evidence="sub.asked_n, n, reader.copy_first",
        message="message {coalesce(offset, 0)} of partition {coalesce(partition, 0)} of {stream} "
        "is sent {reader.copies + 1} times on this connection, once for each subscription that is "
        "open",
        cause="The program subscribes for each page, request or task, and never cancels the call: "
        "the server keeps each subscription, and sends every message as often.",
        source=f"{API}, Subscribe",
        healthy="Several tasks of a program that each need all messages.",
    ),
)
"""Part of the rules of the protocol."""
