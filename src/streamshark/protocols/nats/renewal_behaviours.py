"""Keys and consumers that are renewed, objects that are completed, and messages that come round."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.behaviours import DELETED, META
from streamshark.protocols.nats.exchange_behaviours import ASKS
from streamshark.protocols.nats.jetstream_behaviours import SEQUENCE, WRONG_LAST
from streamshark.protocols.nats.row_names import CREATING, DELIVERED, IS_ACK, PROGRAM, SENT, STORED

_ERROR: Final = "between(payload, 'error\":{\"code\":', ',')"
_TTL: Final = "item(fields.headers, 'Nats-TTL')"
_VALUE: Final = "starts(subject, '$KV.') and item(fields.headers, 'KV-Operation') is None"
"""The row writes a value to a key."""
_PUTS: Final = "starts(subject, '$KV.')"
WITHOUT_TTL: Final = f"item(fields.headers, 'KV-Operation') is None and {_TTL} is None"
"""The row, which has headers, writes a value without a time to live."""
RENEWED: Final = "leased.ttl is not None and leased.digest == digest(payload)"
"""The row writes the value of a key that expires, or would if it had its time to live."""
TTL_SECONDS: Final = "coalesce(number(leased.ttl), number(between(leased.ttl, '', 's')))"
KEPT_FOR_EVER: Final = (
    "asked.state == 'asked' and asked.makes == 1 and leased.lost_n is not None and "
    f"leased.ttl is not None and {WRONG_LAST} == entry.sequence and "
    f"t - leased.written_t > {TTL_SECONDS} * 1000000000"
)
"""The row refuses to create a key that would have expired, had its time to live been kept."""

LEASES: Final[tuple[Table, ...]] = (
    Constant(name="RENEWALS_LIMIT", value=3, doc="Times that a key is renewed without Nats-TTL."),
    Lifecycle(
        name="leased",
        scope="capture",
        doc="A key that was written with a time to live.",
        key={
            "client:pub": f"(server, subject) if {_PUTS} else None",
            "client:hpub": f"(server, subject) if {_PUTS} else None",
            DELIVERED: "(server, asked.subject) if asked.makes is not None else None",
        },
        most=1024,
    ),
    Action(
        on="client:hpub",
        when=f"reply_to is not None and {_VALUE} and {_TTL} is not None",
        do="asked.makes = 1 if "
        "number(item(fields.headers, 'Nats-Expected-Last-Subject-Sequence')) == 0 else 0; "
        f"asked.ttl = {_TTL}; asked.value = digest(payload)",
    ),
    Action(
        on="client:pub",
        when=f"leased.ttl is not None and {_PUTS}",
        do="leased.written_t = t; leased.lost_n = coalesce(leased.lost_n, n); "
        "leased.renewals = (coalesce(leased.renewals, 0) + 1) "
        "if leased.digest == digest(payload) else None",
    ),
    Action(
        on="client:hpub",
        when=f"leased.ttl is not None and {_PUTS} and {WITHOUT_TTL}",
        do="leased.written_t = t; leased.lost_n = coalesce(leased.lost_n, n); "
        "leased.renewals = (coalesce(leased.renewals, 0) + 1) "
        "if leased.digest == digest(payload) else None",
    ),
    Action(
        on="client:hpub",
        when="starts(subject, '$KV.') and item(fields.headers, 'KV-Operation') is not None",
        do="leased.ttl = None; leased.lost_n = None; leased.renewals = None",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and asked.makes is not None and {_ERROR} is None and "
        f"{SEQUENCE} > 0",
        do="leased.ttl = asked.ttl; leased.digest = asked.value; leased.ttl_n = asked.n; "
        "leased.written_t = t; leased.lost_n = None; leased.renewals = None",
    ),
)
"""Keys with a time to live, and writes that leave it out."""

_PART: Final = "starts(asked.subject, '$O.') and token(asked.subject, 2) == 'C'"
_NUID: Final = (
    "coalesce(between(payload, '\"nuid\":\"', '\"'), between(payload, '\"nuid\": \"', '\"'))"
)
REFUSED_PARTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="part",
        scope="capture",
        doc="Answers to the chunks of an object, by its nuid.",
        key={
            DELIVERED: f"(server, token(asked.subject, 3)) if asked.state == 'asked' and {_PART} "
            "else None",
            SENT: f"(server, {_NUID}) if {META} and not {DELETED} else None",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and {_PART} and {_ERROR} is not None",
        do="part.refused = coalesce(part.refused, 0) + 1; part.refused_n = n; "
        "part.why = between(payload, '\"description\":\"', '\"')",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and {_PART} and {_ERROR} is None and {SEQUENCE} > 0",
        do="part.stored = coalesce(part.stored, 0) + 1",
    ),
)
"""Chunks of objects that a stream has refused."""

_STREAM: Final = "between(payload, '\"stream_name\":\"', '\"')"
_MADE: Final = f"asked.state == 'asked' and asked.meaning in {CREATING}"
_GONE: Final = (
    "asked.state == 'asked' and asked.meaning == 'consumer info' and "
    "between(payload, '\"err_code\":', ',') == '10014'"
)
START_SEQUENCE: Final = "number(between(payload, STREAM_SEQUENCE, BRACE))"
"""The last sequence that a new consumer leaves out."""
SKIPS_AGAIN: Final = (
    f"{_MADE} and coalesce(lapse.gone_n, conn.lost_pull_n) is not None and "
    "lapse.reached is not None and "
    "between(payload, '\"deliver_policy\":\"', '\"') == 'new' and "
    "between(payload, '\"filter_subject', ':') is None and "
    "number(between(payload, '\"delivered\":{\"consumer_seq\":', ',')) == 0 and "
    f"{START_SEQUENCE} > lapse.reached"
)
"""The row makes a consumer again that leaves out messages which the one before has not had."""
LAPSES: Final[tuple[Table, ...]] = (
    Constant(name="STREAM_SEQUENCE", value='"stream_seq":', doc="Text before a sequence."),
    Constant(name="BRACE", value="}", doc="Text after it."),
    Lifecycle(
        name="lapse",
        scope="capture",
        doc="How far the consumers of a program have come in a stream, and whether one is gone.",
        key={
            DELIVERED: f"({PROGRAM}, {_STREAM}) if {_MADE} and {_STREAM} is not None else "
            f"({PROGRAM}, token(asked.subject, 4)) if {_GONE} else "
            f"({PROGRAM}, token(reply_to, 2)) if {IS_ACK} and conn.made_new == 1 else None",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=f"{_MADE} and {_STREAM} is not None",
        do="conn.made_new = 1 if between(payload, '\"deliver_policy\":\"', '\"') == 'new' else "
        f"None; lapse.skips = coalesce(lapse.skips, 0) + (1 if {SKIPS_AGAIN} else 0); "
        f"lapse.reached = max(coalesce(lapse.reached, 0), {START_SEQUENCE}); lapse.gone_n = None; "
        "conn.lost_pull_n = None",
    ),
    Action(on=DELIVERED, when=f"{_GONE} and conn.deletes_n is None", do="lapse.gone_n = n"),
    Action(
        on="server:hmsg",
        when="pull.state == 'asked' and conn.deletes_n is None and (fields.status == 503 or "
        "description == 'Consumer Deleted')",
        do="conn.lost_pull_n = n",
    ),
    Action(
        on=DELIVERED,
        when=f"{IS_ACK} and conn.made_new == 1",
        do="lapse.reached = max(coalesce(lapse.reached, 0), number(token(reply_to, 5)))",
    ),
)
"""Consumers for new messages that are gone, and are made again."""

_OWN: Final = "not starts(subject, '$') and not starts(subject, '_INBOX')"
_IN_HAND: Final = "conn.in_hand is not None and conn.in_hand_of == subject"
"""The client has not acknowledged the latest message that it has on this subject."""
GOES_ROUND: Final = (
    f"{_IN_HAND} and circle.sent + 1 >= ROUNDS_LIMIT and circle.came > circle.sent and "
    "circle.came * 4 <= circle.sent * 5 and coalesce(circle.apart, 0) * 10 <= circle.sent and "
    "not has(conn.begins, subject) and conn.peers is None and conn.cluster is None"
)
"""The row publishes to the subject of the message in hand, as it does for each message from there.

A client that publishes there by itself has begun with it, or publishes while it has none in hand.
"""
CIRCLES: Final[tuple[Table, ...]] = (
    Constant(name="ROUNDS_LIMIT", value=20, doc="Messages that a client receives and sends again."),
    Action(
        on=SENT,
        when=f"conn.published < FORMAT_SAMPLE and {_OWN} and "
        "(conn.taken is None or not has(conn.taken, subject))",
        do="put(conn.begins, subject)",
    ),
    Action(
        on=DELIVERED,
        when=f"conn.delivered < FORMAT_SAMPLE and {IS_ACK} and {_OWN}",
        do="put(conn.taken, subject)",
    ),
    Lifecycle(
        name="circle",
        scope="connection",
        doc="A subject that a client receives and publishes to.",
        key={
            SENT: "subject if conn.taken is not None and has(conn.taken, subject) else None",
            DELIVERED: f"subject if {IS_ACK} and (conn.delivered < FORMAT_SAMPLE or "
            "conn.circles is not None and has(conn.circles, subject)) else None",
        },
        most=64,
    ),
    Action(
        on=SENT,
        when="conn.taken is not None and has(conn.taken, subject)",
        do="put(conn.circles, subject); "
        f"circle.sent = coalesce(circle.sent, 0) + (1 if {_IN_HAND} else 0); "
        f"circle.apart = coalesce(circle.apart, 0) + (0 if {_IN_HAND} else 1); "
        "circle.first_n = coalesce(circle.first_n, n)",
    ),
    Action(on=SENT, when="subject == conn.in_hand", do="conn.in_hand = None"),
    Action(
        on=DELIVERED,
        when=f"{IS_ACK} and (conn.delivered < FORMAT_SAMPLE or conn.circles is not None)",
        do="circle.came = coalesce(circle.came, 0) + 1; conn.in_hand = reply_to; "
        "conn.in_hand_of = subject",
    ),
)
"""Subjects that a client both receives and publishes to."""

_ASKED: Final = "asked.content is not None and asked.state == 'asked' and asked.msg_id is None"
_TRIED: Final = f"{_ASKED} and {STORED} and {_ERROR} is None and {SEQUENCE} > 0"
STORED_EACH: Final = (
    f"conn.tries >= TRIES_LIMIT and conn.tried_subject == subject and {ASKS} and twin.sent is None"
)
"""The row has another message, after one that was stored for each try."""
TRIES: Final[tuple[Table, ...]] = (
    Constant(name="TRIES_LIMIT", value=3, doc="Tries of a message that are each stored."),
    Action(
        on=SENT,
        when="asked.content is not None",
        do="twin.sent = coalesce(twin.sent, 0) + 1; "
        "twin.early = coalesce(twin.early, 0) + (1 if twin.stored is None else 0); "
        "twin.begun_n = coalesce(twin.begun_n, n)",
    ),
    Action(
        on=DELIVERED,
        when=_TRIED,
        do="twin.stored = coalesce(twin.stored, 0) + 1; "
        "conn.tries = twin.stored if twin.early >= TRIES_LIMIT else conn.tries; "
        "conn.tried_subject = asked.subject; conn.tried_n = asked.n; "
        "conn.tried_first_n = twin.begun_n if twin.early >= TRIES_LIMIT else conn.tried_first_n",
    ),
    Action(on=SENT, when=STORED_EACH.replace(" and twin.sent is None", " and twin.sent == 1"),
           do="conn.tries = None"),
)  # fmt: skip
"""Messages that are sent again before their ack, and stored for each try."""

RENEWALS: Final[tuple[Table, ...]] = (*LEASES, *REFUSED_PARTS, *LAPSES, *CIRCLES, *TRIES)
"""Part of the tables of the protocol."""
