"""Rules about the bodies of JetStream: requests of its API, acks, and answers to publishes.

Source: ADR-1 (durations), ADR-15 (acks); nats-server v2.12.2, `server/consumer.go` (`processAck`)
and `server/stream.go` (`processJetStreamMsg`).
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import jetstream_predicates as predicates
from streamshark.protocols.nats.jetstream_headers import has_odd_header
from streamshark.protocols.nats.jetstream_members import has_odd_member, lacks_what_stores_need
from streamshark.protocols.nats.row_names import ACKING, IS_DUPLICATE, SENT, STORED

JETSTREAM: Final = (
    Rule(
        id="NATS-N27",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="JetStream duration not in nanoseconds",
        on=SENT,
        when="starts(subject, '$JS.') and len(payload) > 8 and "
        "(starts(payload, OPEN) or starts(payload, NAK)) and not starts(subject, '$JS.FC.')",
        predicate=predicates.has_odd_duration,
        reads="payload",
        needs="",
        of="conn",
        message="{found} in the request to {subject}; durations are numbers of nanoseconds",
        cause="The client sends seconds or milliseconds: the time is over at once, or the server "
        "refuses the request.",
        source="ADR-1, Time Durations",
    ),
    Rule(
        id="NATS-N28",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unknown JetStream ack",
        on=SENT,
        when=f"{ACKING} and len(payload) > 0",
        predicate=predicates.is_unknown_ack,
        reads="payload",
        needs="",
        of="conn",
        evidence="n, served.n",
        message="the ack {found} is not one that JetStream knows; the message counts as not "
        "acknowledged",
        cause="The server ignores it and delivers the message again after ack_wait. The words are "
        "+ACK, -NAK, +WPI, +NXT and +TERM, or no payload.",
        source="nats-server v2.12.2, server/consumer.go, processAck; ADR-15, JS Ack",
    ),
    Rule(
        id="NATS-N29",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream publish dropped as a duplicate",
        on="server:msg server:hmsg",
        when=f"{STORED} and {IS_DUPLICATE} and asked.msg_id is not None",
        needs="",
        per="client, server, asked.subject",
        worsens=True,
        evidence="asked.n, n",
        message="the message to {asked.subject} was not stored: its Nats-Msg-Id was used before"
        "{', by this message, which was acknowledged' if asked.known == 1 else ''}",
        by="asked.known",
        causes={
            1: "The publisher sends a message again although it has the ack: a stream stores an id "
            "once, so that no consumer receives the second attempt.",
        },
        cause="The publisher repeats a message whose ack it has not received, or gives one id to "
        "several messages.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
        healthy="A publisher that retries after a lost ack relies on this.",
        echo_of="NATS-N30",
    ),
    Rule(
        id="NATS-N30",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Nats-Msg-Id reused for a different message",
        on="client:hpub",
        when="msg_id.digest != digest(payload) and t - msg_id.first_t <= DUPLICATE_WINDOW",
        needs="",
        of="conn",
        evidence="n, msg_id.first_n",
        message="the Nats-Msg-Id {item(headers, 'Nats-Msg-Id')} was used for another payload in "
        "frame {msg_id.first_n}",
        cause="The stream drops the second message as a duplicate; an id names one message.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
    ),
    Rule(
        id="NATS-N38",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="misspelt member or unknown value in a JetStream request",
        on=SENT,
        when="reply_to is not None and starts(subject, '$JS.') and len(payload) > 2 and "
        f"starts(payload, OPEN) and not {ACKING}",
        predicate=has_odd_member,
        reads="subject payload",
        needs="",
        per="client, server, subject",
        message="in the request to {subject}, {found}",
        cause="The name is written in another way, belongs to another request, or the value is one "
        "of another library: the server ignores the member, or refuses the request.",
        source="nats-server v2.12.2, server/stream.go, StreamConfig; server/consumer.go, "
        "ConsumerConfig; server/jetstream_api.go",
    ),
    Rule(
        id="NATS-N39",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="misspelt JetStream header, or one with an impossible value",
        on="client:hpub",
        when="conn.published < FORMAT_SAMPLE",
        predicate=has_odd_header,
        reads="headers",
        needs="",
        per="client, server, found",
        message="the message to {subject} has the header {found}",
        cause="JetStream compares the names of headers with upper and lower case: what is written "
        "otherwise has no effect, so that duplicates are stored and conflicts not noticed.",
        source="nats-server v2.12.2, server/stream.go, getHeader, JSMsgId",
    ),
    Rule(
        id="NATS-N46",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="stream of a key-value or object store without what the store needs",
        on=SENT,
        when="reply_to is not None and (starts(subject, '$JS.API.STREAM.CREATE.KV_') or "
        "starts(subject, '$JS.API.STREAM.CREATE.OBJ_'))",
        predicate=lacks_what_stores_need,
        reads="payload",
        needs="",
        per="client, server, subject",
        message="the stream of the request to {subject} is that of a store, but {found}",
        cause="The stream is made by hand: deletes and purges of keys are refused without "
        "roll-ups, and without a limit for each key all old values are kept.",
        source="ADR-8, Key Value Store; ADR-20, Object Store",
        healthy="A store with other properties on purpose.",
    ),
)
"""Rules about bodies of JetStream."""
