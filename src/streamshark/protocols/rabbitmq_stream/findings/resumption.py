"""Rules for consumers that begin again, and for the offsets that they store for it."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.behaviours import WANTED
from streamshark.protocols.rabbitmq_stream.conversations import SETTLED
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS, READER

_REACHED: Final = "max(coalesce(tail.next, 0), coalesce(received.next, 0))"
"""Offset up to which messages of a stream were delivered."""
_BEYOND: Final = (
    f"tail.next > 0 and fields.offset >= max(coalesce(tail.count, 0), {_REACHED}) and "
    f"({SETTLED} or received.next is not None and tail.late_flow == flow and "
    "(tail.mixed_t is None or t - tail.mixed_t > USED_EVERY))"
)
"""The stored offset is that of no message which was delivered, and all of these are known: they are
noted, or only the connection itself receives some."""

RESUMPTION: Final = (
    Rule(
        id="RMQ-B11",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing stored offset",
        on="sequence:stored_back",
        needs="",
        message="offset {fields.offset} is stored for {fields.reference} of {stream} after "
        "{stored_back.last}: after a restart the messages in between are read again",
        cause="Several threads process messages out of order, and each stores its own offset.",
        healthy="The consumer was set back on purpose.",
        by="'unkept' if tracked.unkept_n is not None else ''",
        causes={
            "unkept": "The broker has not kept the offsets that were stored before, and the "
            "messages are read again."
        },
        source=f"{DOC}, StoreOffset; {READER}, store_offset",
        echo_of="RMQ-A6 RMQ-B245",
    ),
    Rule(
        id="RMQ-B12",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same offset stored repeatedly",
        on="repetition:stored_again",
        needs="",
        message="offset {fields.offset} is stored for {fields.reference} of {stream} "
        "{STILL_LIMIT} times in a row",
        cause="The consumer stores its offset on a timer although it has not advanced; the "
        "broker writes each one to the stream.",
        healthy="There is nothing to consume.",
        worse_from=8,
        source=f"{OSIRIS}, tracking chunks",
    ),
    Rule(
        id="RMQ-B13",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream consumed again from the start after a lost connection",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and resumed.stored is None and {WANTED} <= resumed.began and "
        f"(resumed.reached - resumed.began >= REREAD_LIMIT or {WANTED} < resumed.began)",
        needs="all",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}}: the one before "
        "the lost connection began at {resumed.began} and received messages up to "
        "{resumed.reached - 1}",
        cause="After the connection was lost the client subscribes as at its start, instead of "
        "after the last message that it received.",
        healthy="The program reads the stream from its start each time on purpose.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message at the stored offset consumed again",
        on="resumption:resumed",
        when="sub.offset_type == 4 and sub.wanted == resumed.stored and resumed.stored > 0",
        needs="",
        evidence="req.n, resumed.stored_n",
        message="subscription {sub.id} of {sub.stream} begins at the stored offset "
        "{resumed.stored}, so this message is consumed twice",
        cause="The stored offset is that of the last processed message: resume at the next one.",
        healthy="The client stores the offset of the next message, or expects the repetition.",
        source=f"{DOC}, StoreOffset; rabbitmq-stream-java-client, offset tracking",
    ),
    Rule(
        id="RMQ-B13c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset queried but not used",
        on="resumption:resumed",
        when=f"{WANTED} < resumed.stored and resumed.stored > 0 and "
        f"resumed.asked_n > resumed.stored_n and {WANTED} < resumed.found",
        needs="",
        evidence="req.n, resumed.asked_n, resumed.stored_n",
        message="subscription {sub.id} of {sub.stream} begins before the stored offset "
        "{resumed.found}, which the client has just queried",
        cause="The client queries its stored offset and does not use the answer.",
        healthy="The program reads the stream again on purpose.",
        source=f"{DOC}, QueryOffset",
    ),
    Rule(
        id="RMQ-B42",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages deleted by retention before a consumer received them",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 1 and sub.selects is None and "
        "sub.resumed_after >= 0 and chunk.chunk_id >= sub.resumed_after + SKIPPED",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} asks for the first message and begins at "
        "{chunk.chunk_id}, but the previous one received messages only up to "
        "{sub.resumed_after - 1}: the stream has those in between no more",
        cause="The retention of the stream (max-length-bytes, max-age) deletes messages before "
        "the consumer comes back; an offset that was stored for one of them is deleted too.",
        healthy="Another consumer has received the messages in between.",
        source="rabbitmq-server 4.1, deps/osiris, src/osiris_log.erl, init_offset_reader; "
        f"{OSIRIS}, tracking chunks",
    ),
    Rule(
        id="RMQ-B42b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="first message far after the offset that a consumer resumed at",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 4 and sub.selects is None and "
        "sub.resumed_after >= 0 and "
        "chunk.chunk_id >= max(sub.resumed_after, sub.wanted) + ABSENT",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} asks for offset {sub.wanted} and begins at "
        "{chunk.chunk_id}; the previous one received messages up to {sub.resumed_after - 1}",
        cause="The retention of the stream has deleted what the consumer asks for; the broker then "
        "begins at the oldest chunk, without an error.",
        healthy="The offsets in between belong to stored offsets, which the log holds as well.",
        source="rabbitmq-server 4.1, deps/osiris, src/osiris_log.erl, init_offset_reader",
    ),
    Rule(
        id="RMQ-B13d",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that never stores its offset",
        on="resumption:resumed",
        when="resumed.asked_n is not None and resumed.stored is None and "
        "resumed.former_flow != flow and resumed.asked_n > resumed.former_n and "
        "resumed.reached > resumed.began and "
        f"{WANTED} <= resumed.began",
        needs="all",
        evidence="req.n, resumed.asked_n, resumed.former_n",
        message="the client queries the stored offset of {sub.stream} again, although no offset "
        "was stored for the messages up to {resumed.reached - 1}; subscription {sub.id} reads "
        "them again",
        cause="The client never stores an offset, or fails to store this one (such as 0).",
        healthy="The program stopped before it stored the offset.",
        source="rabbitmq-stream-go-client issue 306",
    ),
    Rule(
        id="RMQ-B97",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscriptions only to query the stored offset",
        on="churn:only_asked",
        needs="start whole both",
        message="{CHURN_LIMIT} subscriptions in a row to {sub.stream} were ended after "
        "QueryOffset, without a StoreOffset: what they were delivered is thrown away; the last "
        "was subscription {sub.id}",
        cause="The client's API asks for the offset by a consumer, so that the program makes one "
        "to ask and another one to read; QueryOffset needs no subscription.",
        source=f"{DOC}, QueryOffset; rabbitmq-stream-js-client issue 206",
        healthy="Consumers that are stopped before they store an offset.",
    ),
    Rule(
        id="RMQ-B13e",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream read from the same offset by each subscription",
        on="resumption:resumed",
        when=f"{WANTED} <= resumed.began and resumed.again + 2 >= REREAD_ROUNDS and "
        "(resumed.reached - resumed.began >= REREAD_LIMIT or sub.offset_type == 4)",
        needs="",
        message="{REREAD_ROUNDS} subscriptions in a row read {sub.stream} from "
        f"{{{WANTED}}}, the previous one up to {{resumed.reached - 1}}; the last is subscription "
        "{sub.id}",
        cause="The client does not keep its position, or fails at the same message each time and "
        "is started again.",
        healthy="The program needs all messages each time.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13f",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages consumed again after a lost connection",
        on="resumption:resumed",
        when=f"resumed.lost == 1 and resumed.began < {WANTED} and "
        f"resumed.reached - {WANTED} >= REREAD_LIMIT",
        needs="",
        message=f"subscription {{sub.id}} of {{sub.stream}} begins at {{{WANTED}}} after a lost "
        "connection, although messages up to {resumed.reached - 1} had been received",
        cause="The client resumes after the last message that it has processed, or miscounts "
        "the messages of a chunk.",
        healthy="The client needs the messages that it received but did not process.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13g",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages skipped between two subscriptions",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 4 and "
        "0 <= sub.resumed_after <= chunk.chunk_id and chunk.chunk_id < sub.wanted",
        needs="all",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} begins at {sub.wanted}, but the previous "
        "one received messages only up to {sub.resumed_after - 1}: the messages in between, which "
        "the chunk at {chunk.chunk_id} has, are skipped",
        cause="The client adds 1 to its offset twice: when it stores it, and when it resumes.",
        healthy="Another consumer has read the messages in between, or they are not needed.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B13h",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription from next or last resumed at offset 0",
        on="resumption:resumed",
        when="resumed.spec in (2, 3) and sub.offset_type == 4 and sub.wanted == 0",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins at 0, although the previous one "
        "asked for {'new messages' if resumed.spec == 3 else 'the last chunk'}",
        cause="The client had not received anything when it reconnected, and mistakes offset 0 "
        "for its position.",
        healthy="A program that wants the whole stream says first, which is no finding.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B35",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages consumed again by a subscription from a time or the last chunk",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type in (2, 5) and "
        "chunk.chunk_id + REREAD_LIMIT <= sub.resumed_after",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} begins at {chunk.chunk_id}, although the "
        "previous one received messages up to {sub.resumed_after - 1}",
        cause="The client subscribes as at its start, by a time for example, instead of after the "
        "last message that it received.",
        source=f"{DOC}, Subscribe, Offset Specification",
        healthy="The client drops what it has received before, or reads it again on purpose.",
    ),
    Rule(
        id="RMQ-B35b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages skipped by a subscription from a time or the last chunk",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type in (2, 5) and sub.resumed_after >= 0 and "
        "chunk.chunk_id >= sub.resumed_after + SKIPPED",
        needs="object",
        evidence="sub.n, n",
        message="subscription {sub.id} of {sub.stream} begins at {chunk.chunk_id}, although the "
        "previous one received messages only up to {sub.resumed_after - 1}",
        cause="The client subscribes as at its start, at the last chunk for example, instead of "
        "after the last message that it received.",
        source=f"{DOC}, Subscribe, Offset Specification",
        healthy="Only the latest messages are of interest.",
    ),
    Rule(
        id="RMQ-B17",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset beyond the last delivered message",
        on="store_offset",
        when=f"{_BEYOND} and fields.offset <= FIRST_OFFSETS and "
        "fields.offset != coalesce(tail.begins, -1)",
        needs="all",
        message="offset {fields.offset} is stored for {reference} of {stream}, but messages were "
        f"delivered only up to offset {{{_REACHED} - 1}}",
        cause="The client stores the offset after the last message, or that of another stream: "
        "a consumer that resumes there skips messages.",
        healthy="The messages were delivered before the capture began.",
        source=f"{DOC}, StoreOffset",
    ),
    Rule(
        id="RMQ-B17b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset at which the subscription begins",
        on="store_offset",
        when=f"{_BEYOND} and fields.offset == tail.begins",
        needs="start whole both",
        evidence="n, tail.begins_n",
        message="offset {fields.offset} is stored for {reference} of {stream}, where its "
        "subscription begins, before a message was delivered there",
        cause="The client takes the offset of Subscribe for one that it has received, and stores "
        "it by a timer.",
        healthy="The message there is mostly the chunk that keeps the stored offset.",
        source="rabbitmq-stream-go-client 1.8.3, automatic commit",
    ),
)

NEW_MESSAGES: Final = (
    Rule(
        id="RMQ-B37",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset never queried, and messages skipped (offset specification next)",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 3 and sub.resumed_unasked is not None and "
        "sub.resumed_after >= 0 and "
        "max(sub.resumed_after, sub.resumed_unasked + 1) + SKIPPED <= chunk.chunk_id",
        needs="object",
        evidence="sub.n, sub.resumed_unasked_n, n",
        message="subscription {sub.id} of {sub.stream} begins with new messages, "
        "although offset {sub.resumed_unasked} was stored and not queried: the messages from "
        "{max(sub.resumed_after, sub.resumed_unasked + 1)} to {chunk.chunk_id - 1} are skipped",
        cause="The client stores its offset, but does not ask for it when it starts: messages "
        "that are published while it is away are never read.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
        echo_of="RMQ-B26",
        healthy="Only the latest messages are of interest, and the offset is stored for others.",
    ),
    Rule(
        id="RMQ-B37b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset overwritten by a consumer of new messages that never queried it",
        on="store_offset",
        when="conn.new_stream == stream and sought.stored_n < conn.new_n and "
        "coalesce(sought.queried_n, -1) < sought.stored_n and sought.unsure_n is None and "
        "sought.stored + 1 + SKIPPED <= conn.new_chunk",
        needs="start whole both",
        of="sought",
        evidence="conn.new_n, sought.stored_n, n",
        message="{fields.reference} had stored offset {sought.stored} of {stream}; its connection "
        "did not query it, began at {conn.new_chunk} with new messages and now stores "
        "{fields.offset}: the messages between are skipped",
        cause="The client stores its offset, but does not ask for it when it starts: messages "
        "that are published while it is away are never read.",
        source=f"{DOC}, QueryOffset; Subscribe, Offset Specification",
        echo_of="RMQ-B26",
        healthy="Only the latest messages are of interest, and the offset is stored for others.",
    ),
    Rule(
        id="RMQ-B26",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages skipped after a lost connection (offset specification next)",
        on="resumption:resumed",
        when="resumed.lost == 1 and sub.offset_type == 3 and "
        "(resumed.stored is not None or resumed.spec != 3) and "
        "sub.waiting >= resumed.reached + SKIPPED",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins with new messages after a lost "
        "connection: those from {resumed.reached} to {sub.waiting - 1}, published since, are "
        "skipped",
        cause="After the connection was lost the client subscribes as at its start, instead of "
        "after the last message that it received.",
        healthy="Only the latest messages are of interest.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
    Rule(
        id="RMQ-B26b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages skipped by a consumer of new messages after a lost connection",
        on="resumption:resumed",
        when="resumed.lost == 1 and sub.offset_type == 3 and "
        "resumed.stored is None and resumed.spec == 3 and "
        "sub.waiting >= resumed.reached + SKIPPED",
        needs="",
        message="subscription {sub.id} of {sub.stream} begins with new messages after a lost "
        "connection: those from {resumed.reached} to {sub.waiting - 1}, published since, are "
        "skipped",
        cause="After the connection was lost the client subscribes as at its start, instead of "
        "after the last message that it received.",
        healthy="Only the latest messages are of interest.",
        source=f"{DOC}, Subscribe, Offset Specification",
    ),
)

CHUNK_OFFSETS: Final = (
    Rule(
        id="RMQ-B41",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offsets of the first message of each chunk",
        on="ratio:stored_first",
        needs="start whole both",
        message="{conn.stored_first_count} of {conn.stored_count} offsets that were stored are "
        "those of the first message of a chunk with several",
        cause="The client stores the chunk's id instead of the offset of the last message that it "
        "has processed: after a restart it reads the rest of the chunk again.",
        healthy="The client stores the offset before it processes the chunk, on purpose.",
        source=f"{DOC}, StoreOffset, Deliver",
    ),
)
