"""What a client makes again after the server has ended its connections, and what it leaves out."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

_ASKS: Final = "fetch_metadata_request fetch_partition_metadata_request"
_LOSES: Final = "why in ('closed', 'reset') and conn.cut == 1 and sub.stops is None"
"""The server has ended the connection of a subscription that had no end."""
_STOPS: Final = "why in ('closed', 'reset') and conn.cut == 1 and conn.published > 0"
"""The server has ended a connection on which the client published."""
ASKS_ONLY: Final = (
    "conn.t > coming.lost_t and conn.t - coming.lost_t < LOST_LATELY and conn.published == 0 and "
    "conn.subscribed_n is None and conn.asks >= ASKS_LIMIT and "
    "conn.asked_t - conn.first_asked_t > RESTORED and t - conn.first_asked_t > BACK_FOR"
)
"""A connection begun after that has asked for metadata again and again, and for nothing else."""

RETURNS: Final[tuple[Table, ...]] = (
    Constant(name="ASKS_LIMIT", value=3, doc="Times that a client asks for metadata, and no more."),
    Constant(name="POSTED_LIMIT", value=3, doc="Messages that a stream has before its reader."),
    Constant(name="LOST_LATELY", value="60 s", doc="Time in which a client comes back."),
    Constant(name="BACK_FOR", value="5 s", doc="Time in which it takes up its work."),
    Lifecycle(
        name="coming",
        scope="capture",
        doc="What a client had when the server ended its connections, and what it has made again.",
        key={
            "subscribe_request publish_request": "client",
            "end:sub": f"client if {_LOSES} or sub.count > 0 else None",
            "end:conn": f"client if {_STOPS} or conn.asks >= ASKS_LIMIT else None",
        },
        most=4096,
    ),
    Action(
        on=_ASKS,
        do="conn.asks = coalesce(conn.asks, 0) + 1; "
        "conn.first_asked_t = coalesce(conn.first_asked_t, t); conn.asked_t = t; conn.asked_n = n",
    ),
    Action(on="subscribe_request", do="conn.subscribed_n = n"),
    Action(
        on="subscribe_request",
        when="conn.t > coming.lost_t",
        do="coming.tried = coalesce(coming.tried, 0) + 1",
    ),
    Action(
        on="end:sub",
        when="sub.count > 0 and conn.t > coming.lost_t",
        do="coming.renewed = coalesce(coming.renewed, 0) + 1; coming.renewed_t = sub.t; "
        "coming.renewed_n = sub.asked_n; coming.flow = flow",
    ),
    Action(
        on="end:sub end:conn",
        when="why in ('closed', 'reset') and conn.cut == 1 and t - coming.lost_t > BACK_FOR",
        do="coming.lost_subs = 0; coming.renewed = 0; coming.tried = 0; coming.published_n = None",
    ),
    Action(
        on="end:sub",
        when=_LOSES,
        do="coming.lost_subs = coalesce(coming.lost_subs, 0) + 1; coming.lost_t = t; "
        "coming.stream = sub.stream; coming.sub_n = sub.asked_n",
    ),
    Action(
        on="end:conn",
        when=_STOPS,
        do="coming.lost_t = t; coming.published_n = conn.published_n; "
        "coming.out = conn.published_to",
    ),
    Action(
        on="publish_request",
        when="conn.t > coming.lost_t",
        do="coming.published_n = None",
    ),
    Action(
        on="publish_request",
        do="conn.published_n = n; conn.published_to = stream; "
        "log.posted = coalesce(log.posted, 0) + 1; log.posted_n = coalesce(log.posted_n, n)",
    ),
)
"""Part of the tables of the protocol."""
