"""What clients subscribe to over time: the same again, one within another, in whose queue group."""

from typing import Final

from streamshark.conversations.behaviours import Churn
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.behaviours import NO_NODE
from streamshark.protocols.nats.row_names import SENT

_PLAIN: Final = "queue_group is None and not starts(subject, '_') and not starts(subject, '$')"
"""A subscription of the program's own, outside a queue group."""

NUMBER: Final = "number(between(between(subject, stem(subject), ''), '.', ''))"
"""The number at the end of a subject."""

SUBSCRIPTION_BEHAVIOURS: Final[tuple[Table, ...]] = (
    Constant(name="RESUBSCRIBED_LIMIT", value=4, doc="Subscriptions to a subject in a row."),
    Churn(
        name="resubscribed",
        life="sub",
        per="flow, sub.subject",
        when="why == 'removed' and sub.delivered <= 1 and not starts(sub.subject, '_') and "
        f"not starts(sub.subject, '$') and {NO_NODE}",
        limit="RESUBSCRIBED_LIMIT",
    ),
    Action(
        on="client:sub",
        when=f"{_PLAIN} and has(conn.plain, subject)",
        do="conn.copies = coalesce(conn.copies, 0) + 1; conn.copy_n = n",
    ),
    Action(on="client:sub", when=_PLAIN, do="put(conn.plain, subject)"),
    Action(on="client:unsub", when="max_msgs is None", do="drop(conn.plain, sub.subject)"),
    Action(
        on="end:conn",
        do="before.grown = coalesce(before.grown, 0) + 1 if coalesce(conn.copies, 0) > "
        "coalesce(before.copies, 0) else 0; before.copies = coalesce(conn.copies, 0); "
        "before.copy_n = conn.copy_n",
    ),
    Action(
        on="client:sub",
        when=f"{_PLAIN} and literal(subject)",
        do="conn.literal = subject; conn.literal_n = n",
    ),
    Action(
        on="client:sub",
        when=f"{_PLAIN} and not literal(subject)",
        do="conn.wide = subject; conn.wide_n = n",
    ),
    Action(
        on="client:sub",
        when="not literal(subject) and not starts(subject, '_') and not starts(subject, '$')",
        do="network.wide_n = n",
    ),
    Lifecycle(
        name="series",
        scope="capture",
        doc="Subjects that differ in a number at their end, by what is before it.",
        key={
            "client:sub": "(server, stem(subject)) if literal(subject) and "
            f"{NUMBER} is not None else None",
            SENT: "(server, stem(subject)) if network.numbered is not None else None",
        },
        most=4096,
    ),
    Action(
        on="client:sub",
        when=f"literal(subject) and {NUMBER} > coalesce(series.most, -1)",
        do=f"series.most = {NUMBER}; series.count = coalesce(series.count, 0) + 1; "
        "series.latest_n = n; network.numbered = n",
    ),
    Lifecycle(
        name="workers",
        scope="capture",
        doc="A queue group of a subject, and which program is in it.",
        key={
            "client:sub": "(server, subject, queue_group) if queue_group is not None and "
            "conn.client_name is not None and not starts(subject, '_') else None",
            "end:sub": "(server, sub.subject, sub.queue) if sub.queue is not None and "
            "conn.client_name is not None else None",
        },
        most=4096,
    ),
    Action(
        on="client:sub",
        do="workers.live = coalesce(workers.live, 0) + 1; workers.latest_n = n; "
        "workers.client_name = conn.client_name; workers.program = program(conn.client_name)",
    ),
    Action(on="end:sub", do="workers.live = workers.live - 1"),
)
"""Part of the tables of the protocol."""
