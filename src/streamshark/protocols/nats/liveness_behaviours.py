"""What shows that a connection, or the program on it, does nothing any more."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.row_names import CLIENT_OF_NATS, DELIVERED

_LISTENS: Final = (
    "sub.queue is None and sub.delivered >= HEARD_LEAST and sub.subject is not None and "
    f"conn.start and conn.whole and conn.keyed is None and {CLIENT_OF_NATS}"
)
"""The subscription gets each message to its subject, and its user is known by name or has none."""
_IS_SILENT: Final = (
    "sub.state == 'live' and sub.limit is None and t - S.last_t > DEAD_FOR and "
    "conn.shut_t is None and coalesce(conn.echo, True)"
)
"""The subscription is open, and nothing came on its connection for a long time."""
UNNOTICED: Final = (
    "hush.flow >= 0 and hush.latest_t - hush.silent_t > DEAD_FOR and "
    "(hush.begun_t > hush.silent_t or hush.heard >= hush.had + HEARD_LEAST)"
)
"""Others got messages for a subject long after one of its subscribers got nothing any more."""
STANDS_STILL: Final = (
    "sub.breaks == 0 and sub.reactions >= REACTED_LEAST and sub.dry >= 2 * REACTED_LEAST and "
    "sub.last_t - C.command_t > STILL_FOR and sub.subject is not None and "
    f"{CLIENT_OF_NATS}"
)
"""The client published after each message of a subscription, and then after none of many."""
CUT_READ: Final = (
    "conn.left == 1 and command in ('msg', 'hmsg') and expected >= LARGE_READ and "
    f"conn.left_t - S.last_t > SLOW_READ and conn.cut is None and {CLIENT_OF_NATS}"
)
"""The client has ended its connection in a large message that came slowly."""

LIVENESS: Final[tuple[Table, ...]] = (
    Constant(name="DEAD_FOR", value="10 s", doc="Time without a line of the server."),
    Constant(name="HEARD_LEAST", value=5, doc="Messages that show that a subject is in use."),
    Constant(
        name="REACTED_LEAST", value=10, doc="Messages after each of which a client publishes."
    ),
    Constant(name="UNMOVED_LIMIT", value=30, doc="Messages after which a client does not publish."),
    Constant(name="STILL_FOR", value="5 s", doc="Time without a publish after messages."),
    Constant(name="LARGE_READ", value=4096, doc="Bytes of a message that takes time."),
    Constant(name="SLOW_READ", value="2 s", doc="Time for which such a message is under way."),
    Action(
        on="client:connect",
        when="coalesce(jwt, '') != '' or coalesce(nkey, '') != ''",
        do="conn.keyed = 1",
    ),
    Lifecycle(
        name="hush",
        scope="capture",
        doc="The subscribers of a subject, and one of them to whom nothing came any more.",
        key={"end:sub": f"(server, sub.subject, coalesce(conn.user, '')) if {_LISTENS} else None"},
        most=1024,
    ),
    Action(
        on="end:sub",
        when=f"{_LISTENS} and {_IS_SILENT} and coalesce(hush.silent_t, t) >= S.last_t",
        do="hush.silent_t = S.last_t; hush.silent_n = S.last_n; hush.end_t = t; "
        "hush.client_name = coalesce(conn.client_name, client); hush.subject = sub.subject; "
        "hush.pinged = 1 if C.last_t > S.last_t else 0; hush.flow = flow; "
        "hush.had = sub.delivered; hush.connect_n = conn.connect_n",
    ),
    Action(
        on="end:sub",
        when=f"{_LISTENS} and sub.last_t >= coalesce(hush.latest_t, 0)",
        do="hush.latest_t = sub.last_t; hush.latest_n = sub.last_n; hush.begun_t = sub.t; "
        "hush.heard = sub.delivered",
    ),
    Action(
        on="sub",
        when="starts(subject, '_INBOX') or starts(subject, '$') or "
        "starts(coalesce(conn.client_name, ''), 'LIFT.')",
        do="sub.breaks = 1",
    ),
    Action(
        on=DELIVERED,
        when="sub.breaks == 0 and reply_to is None",
        do="sub.breaks = 1 if sub.dry > 0 and conn.published > sub.seen or "
        "sub.dry >= UNMOVED_LIMIT and coalesce(sub.reactions, 0) < REACTED_LEAST else 0; "
        "sub.reactions = coalesce(sub.reactions, 0) + (1 if conn.published > sub.seen else 0); "
        "sub.dry = 0 if conn.published > coalesce(sub.seen, -1) else sub.dry + 1; "
        "sub.still_n = n if sub.dry == 0 else sub.still_n; sub.seen = conn.published",
    ),
    Action(on="server:tcp.partial", when="conn.left == 1", do="conn.torn = 1"),
)
"""Part of the tables of the protocol."""
