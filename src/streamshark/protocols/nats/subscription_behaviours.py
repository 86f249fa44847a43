"""What clients subscribe to over time: the same again, one within another, in whose queue group."""

from typing import Final

from streamshark.conversations.behaviours import Churn
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.behaviours import NO_NODE, OWN_SUBJECT
from streamshark.protocols.nats.row_names import SENT

_PLAIN: Final = "queue_group is None and not starts(subject, '_') and not starts(subject, '$')"
"""A subscription of the program's own, outside a queue group."""

NUMBER: Final = "number(between(between(subject, stem(subject), ''), '.', ''))"
"""The number at the end of a subject."""

_LAST: Final = "between(subject, stem(subject), '')"
"""The last token of a subject, with the dot before it."""
LEFT: Final = "reply_to is not None and matching(reply_to, conn.left_inbox)"
"""The row asks for its answer on an inbox that the client has unsubscribed."""
OVERHEARD: Final = (
    "reply_to is not None and matching(reply_to, conn.broad) and matching(reply_to, conn.inbox)"
)
"""The row asks for its answer on a subject that two subscriptions of the client match."""


def _family(subject: str) -> str:
    """Return the first and the last token of a subject of the program that has three or more."""
    return (
        f"(token({subject}, 0), between({subject}, stem({subject}), '')) if "
        f"literal({subject}) and not starts({subject}, '_') and not starts({subject}, '$') and "
        f"token({subject}, 2) is not None and {NO_NODE} else None"
    )


FEWER: Final = (
    "max_msgs is None and sub.awaited > sub.delivered and sub.delivered > 0 and "
    "sub.pull_n is None and starts(sub.subject, '_INBOX')"
)
"""The client gives up an inbox that has got some of the replies for which it waited."""


SUBSCRIPTION_BEHAVIOURS: Final[tuple[Table, ...]] = (
    Constant(name="FEWER_LIMIT", value=3, doc="Inboxes in a row that get some of the replies."),
    Action(on="client:unsub", when="max_msgs > 1",
           do="sub.awaited = max_msgs; sub.awaited_n = n; sub.awaited_t = t"),
    Action(on="client:unsub", when=FEWER, do="conn.fewer = coalesce(conn.fewer, 0) + 1"),
    Action(on="end:sub", when="sub.awaited is not None and sub.delivered >= sub.awaited",
           do="conn.fewer = 0"),
    Constant(name="RESUBSCRIBED_LIMIT", value=4, doc="Subscriptions to a subject in a row."),
    Constant(name="INBOX_LEFT_LIMIT", value=3, doc="Requests with an inbox that is unsubscribed."),
    Constant(name="OVERHEARD_LIMIT", value=3, doc="Requests whose answers come twice."),
    Action(
        on="client:sub",
        when="conn.left_inbox is not None and token(subject, 0) == token(conn.left_inbox, 0)",
        do="conn.left_inbox = None",
    ),
    Action(
        on="client:unsub",
        when="max_msgs is None and sub.queue is None and sub.delivered > 0 and "
        "not literal(sub.subject)",
        do="conn.left_inbox = sub.subject; conn.left_n = n; conn.left_asked = 0",
    ),
    Action(
        on=SENT,
        when=f"conn.left_inbox is not None and {LEFT}",
        do="conn.left_asked = conn.left_asked + 1",
    ),
    Action(
        on="client:sub",
        when=f"queue_group is None and {_LAST} == '.>' and not starts(subject, '_INBOX')",
        do="conn.broad = subject; conn.broad_n = n; conn.overheard = 0",
    ),
    Action(
        on="client:sub",
        when=f"queue_group is None and {_LAST} == '.*'",
        do="conn.inbox = subject",
    ),
    Action(on="client:unsub", when="sub.subject == conn.broad", do="conn.broad = None"),
    Action(on="client:unsub", when="sub.subject == conn.inbox", do="conn.inbox = None"),
    Action(
        on=SENT,
        when=f"conn.broad is not None and {OVERHEARD}",
        do="conn.overheard = conn.overheard + 1",
    ),
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
        "before.copy_n = conn.copy_n; "
        "before.clean = 1 if conn.copies is None and conn.start and conn.whole else None",
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
    Action(
        on=SENT,
        when=f"{OWN_SUBJECT} and reply_to is None",
        do="network.sent = coalesce(network.sent, 0) + 1; topic.away = coalesce(topic.away, 0) + 1 "
        "if topic.open == 0 else 0; topic.away_n = n if topic.away == 1 else topic.away_n",
    ),
    Action(
        on="client:sub",
        when="not starts(subject, '_') and not starts(subject, '$')",
        do="network.heard_n = n",
    ),
    Action(
        on="client:sub",
        do="topic.open = coalesce(topic.open, 0) + 1; topic.away = 0",
    ),
    Action(on="end:sub", do="topic.open = topic.open - 1"),
    Lifecycle(
        name="family",
        scope="connection",
        doc="Subscriptions that differ in one of their middle tokens, and have not ended.",
        key={
            "client:sub": _family("subject"),
            "end:sub": _family("sub.subject"),
        },
        most=1024,
    ),
    Action(on="end:sub", do="family.count = family.count - 1"),
    Action(
        on="client:sub",
        do="family.count = coalesce(family.count, 0) + 1; "
        "family.first_n = coalesce(family.first_n, n)",
    ),
)  # fmt: skip
"""Part of the tables of the protocol."""
