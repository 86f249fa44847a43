"""Rules for behaviours that harm their program, as the same capture proves."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.harm_behaviours import (
    CUT_SHORT,
    DONE_AGAIN,
    NEVER_PULLED,
    NOT_REACHED,
    PONG_BEHIND,
    SKIPPED,
    WRITES_ON,
)
from streamshark.protocols.nats.row_names import DELIVERED, PROGRAM, SENT
from streamshark.protocols.nats.sources import CONSUMER

HARM_RULES: Final = (
    Rule(
        id="NATS-B342",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages of a stream that a program handles again each time",
        on=SENT,
        when=DONE_AGAIN,
        needs="",
        per="client, server, conn.create_stream",
        evidence="n, conn.create_n",
        message="message {token(subject, 5)} of stream {conn.create_stream} is acknowledged again: "
        "the program had acknowledged those up to {conn.again_to}, and {conn.again} times now it "
        "has begun before that, so that they are handled once more",
        cause="The program keeps its place nowhere, or takes the last message for the next one: a "
        "durable consumer keeps it, or opt_start_seq after the last message acknowledged.",
        source="ADR-17, Ordered Consumer; docs.nats.io, JetStream, consumers",
        healthy="A program that is to handle the messages again.",
    ),
    Rule(
        id="NATS-B343",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="messages that a consumer does not deliver, as it has passed their sequences",
        on=DELIVERED,
        when=NOT_REACHED,
        needs="",
        of="shelf",
        evidence="asked.n, shelf.beyond_n, n",
        message="consumer {shelf.consumer} is at sequence {shelf.beyond}, and the stream has "
        "given the message to {asked.subject} a lower one, so that the consumer does not deliver "
        "it",
        cause="The stream has lost its last messages, or was made again, and the consumer was not: "
        "delete it, and create it anew.",
        source=f"{CONSUMER}, selectStartingSeqNo; nats-server issue 6124",
        guilty="server",
    ),
    Rule(
        id="NATS-B344",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="objects that a client repeatedly does not read to their end",
        on="client:unsub",
        when=f"conn.cut_reads >= 1 and {CUT_SHORT}",
        needs="object both",
        of="conn",
        evidence="sub.chunk_n, n, conn.cut_read_n",
        message="the client ends the subscription after {sub.chunks} chunks of an object, although "
        "{sub.chunks_left} more were to come, as the read before: it gets no object whole",
        cause="The time limit of the read is too short for the size and the line: it has to begin "
        "anew with each chunk, or to be set by the size.",
        source="ADR-20; nats.go issue 1003",
        healthy="A program that needs the beginning of objects alone.",
    ),
    Rule(
        id="NATS-B345",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages of a stream that wait for a pull request that never comes",
        on="end:conn",
        when=f"{NEVER_PULLED} and stock.count >= UNPULLED_LEAST",
        needs="start whole both",
        evidence="conn.create_n, conn.idle_inbox_n, stock.latest_n",
        message="{coalesce(conn.client_name, client)} created a consumer of stream "
        "{conn.create_stream} without a deliver subject, subscribed to an inbox, and sent no pull "
        "request, so that it received none of the {stock.count} messages of the stream, the last "
        "of which was stored {stock.latest_t - conn.create_t:time} later",
        cause="The server delivers the messages of a pull consumer only in answer to "
        "$JS.API.CONSUMER.MSG.NEXT: subscribing is not enough.",
        source=f"{CONSUMER}, processNextMsgRequest; ADR-13, Pull Subscribe",
        healthy="A program that creates the consumer for others, and waits for something else.",
    ),
    Rule(
        id="NATS-B348",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections of a program that pile up",
        on="end:pile",
        when="pile.flow >= 0 and pile.beside >= LEFT_AGAIN",
        needs="",
        evidence="pile.beside_n, pile.first_n",
        message="{pile.beside} times {pile.client_name} opened a connection beside others that it "
        "did not use any more and had left open, in the end beside {pile.most}: they pile up",
        cause="The program opens a connection at each start of a part of it, and does not close "
        "the former one, until the server accepts no more.",
        source="docs.nats.io, Connecting; nats-server issue 1114",
        healthy="Programs of one name that are started one after the other, and wait.",
        guilty="client",
    ),
    Rule(
        id="NATS-B349",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages that a program misses, as its new consumer begins at new ones",
        on=DELIVERED,
        when=SKIPPED,
        needs="",
        of="conn",
        evidence="conn.create_n, n",
        message="the program had received stream {conn.create_stream} up to {conn.left_at}; its "
        "consumer of this connection was created with deliver_policy {conn.skips}, and the first "
        "message that it gets is {token(reply_to, 5)}: it misses those between, which were stored "
        "while it was away",
        cause="The client creates its consumer anew after a reconnect: a durable consumer keeps "
        "its place, and so does opt_start_seq after the last message received.",
        source="docs.nats.io, JetStream, consumers, DeliverPolicy; quarkus-reactive-messaging-"
        "nats-jetstream issue 343",
        healthy="Only the latest messages are of interest.",
    ),
    Rule(
        id="NATS-B350",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="client that sends messages and reads none",
        on="server:ping",
        when=WRITES_ON,
        needs="start whole both",
        of="conn",
        evidence="C.command_n, me.ping_n, n",
        message="the server sends PING again, as the one before has no PONG, although the client "
        "has gone on to send for {C.command_t - me.ping_t:time} since: it does not read",
        cause="What reads the connection has ended, or blocks, such as an event loop of an earlier "
        "run: acks and replies do not reach the program, and the server will end the connection.",
        source="docs.nats.io, Client Protocol, PING/PONG; nats.py issue 724",
    ),
    Rule(
        id="NATS-B351",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections that a client gives up before it has read the PONG",
        on="end:conn",
        when=f"{PONG_BEHIND} and flooded.times + 1 >= GIVES_UP_LIMIT",
        needs="start whole both",
        per=PROGRAM,
        evidence="C.ping_n, flooded.first_n",
        message="the client ends connection {flooded.times + 1} of this kind "
        "{conn.left_t - C.ping_t:time} after its PING: it has no room for what has come "
        "before the PONG (its receive window is 0), so that no reconnect succeeds",
        cause="The client waits for PONG with a time limit, and subscribes before: the messages "
        "come first, and it reads them too slowly. It has to wait for PONG before it subscribes, "
        "or longer.",
        source="docs.nats.io, Client Protocol, PING/PONG; nats.java issue 191",
        guilty="client",
    ),
)
"""Judged by `streamshark.findings`."""
