"""What clients write to keys after a conflict, and the context of their traces."""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.jetstream_behaviours import WRONG_LAST
from streamshark.protocols.nats.row_names import DELIVERED, STORED

_AGAIN: Final = "reply_to is not None and subject == conn.refused_key"
_BLIND: Final = (
    "item(fields.headers, 'KV-Operation') is None and "
    "item(fields.headers, 'Nats-Expected-Last-Subject-Sequence') is None and "
    "item(fields.headers, 'Nats-Expected-Last-Sequence') is None"
)
_FORCES: Final = "asked.refused_n = conn.refused_n; conn.refused_key = None"

FORCED: Final = (
    "asked.refused_n is not None and asked.state == 'asked' and starts(payload, OPEN) and "
    "between(payload, '\"error\":', '{') is None"
)
"""The row confirms a write without a revision, to a key whose update was refused."""

_ROLLS_ALL: Final = f"{STORED} and asked.rolls_up == 'all' and not starts(asked.subject, '$KV.')"
ROLLS_UP_OTHERS: Final = (
    f"{_ROLLS_ALL} and (has(stock.subjects, asked.subject) and stock.other_n is not None or "
    "stock.rolled_up != asked.subject)"
)
"""The row confirms a message about one of several subjects that replaces the whole stream."""
OTHER_MESSAGE: Final = (
    "coalesce(stock.first_n if stock.first_subject != asked.subject else stock.other_n, "
    "stock.rolled_n)"
)
"""A message of another subject of the stream."""

_KEPT: Final = STORED.replace("asked.meaning is None", "asked.meaning == 'key value'")
"""The row is the answer to a put that a bucket has stored."""

ROLL_UPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="stock",
        scope="capture",
        doc="The subjects of the messages that a stream has stored.",
        key={
            DELIVERED: f"(server, between(payload, '\"stream\":\"', '\"')) "
            f"if {STORED} or {_KEPT} else None",
            "end:conn": "(server, coalesce(conn.fed_stream, conn.create_stream)) if "
            "conn.fed_stream is not None or conn.create_stream is not None else None",
            "end:loop": "(server, loop.stream) if loop.stream is not None else None",
        },
        most=256,
    ),
    Action(
        on="client:hpub",
        when="reply_to is not None and item(headers, 'Nats-Rollup') is not None",
        do="asked.rolls_up = item(headers, 'Nats-Rollup')",
    ),
    Action(
        on=DELIVERED,
        when=f"{STORED} and asked.rolls_up is None",
        do="put(stock.subjects, asked.subject); stock.latest = asked.subject; "
        "stock.count = coalesce(stock.count, 0) + 1; "
        "stock.latest_n = asked.n; stock.latest_t = t; "
        "stock.first_n = coalesce(stock.first_n, asked.n); "
        "stock.first_subject = coalesce(stock.first_subject, asked.subject); "
        "stock.other_n = asked.n if stock.first_subject != asked.subject else stock.other_n",
    ),
    Action(
        on=DELIVERED,
        when=_KEPT,
        do="stock.latest = asked.subject; stock.latest_n = asked.n; stock.latest_t = t",
    ),
    Action(
        on=DELIVERED,
        when=_ROLLS_ALL,
        do="stock.rolled_up = asked.subject; stock.rolled_n = asked.n",
    ),
)
"""Messages that replace those before them."""

STORES: Final[tuple[Table, ...]] = (
    *ROLL_UPS,
    Constant(name="FORCED_LIMIT", value=2, doc="Keys that are overwritten after a conflict."),
    Constant(name="TRACED_LIMIT", value=5, doc="Messages in a row with one traceparent."),
    Action(on="client:pub", when=_AGAIN, do=_FORCES),
    Action(on="client:hpub", when=f"{_AGAIN} and {_BLIND}", do=_FORCES),
    Action(
        on=DELIVERED,
        when=FORCED,
        do="conn.forced = coalesce(conn.forced, 0) + 1; conn.forced_n = asked.n",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.key is not None and asked.state == 'asked' and {WRONG_LAST} is not None",
        do="conn.refused_key = asked.key; conn.refused_n = n",
    ),
    Repetition(
        name="traced",
        on="client:hpub",
        when="conn.published < FORMAT_SAMPLE and item(fields.headers, 'traceparent') is not None",
        per="conn",
        same="item(fields.headers, 'traceparent')",
        limit="TRACED_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
)
"""Part of the tables of the protocol."""
