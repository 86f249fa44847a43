"""When items and KEEPALIVEs come, what waits for them, and connections that failed and stay open.

`findings/pacing.py` has the rules.
"""

from typing import Final

from streamshark.conversations.behaviours import Count, Ratio
from streamshark.conversations.tables import CAPTURED, Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(name="IN_QUEUE", value="3 s",
             doc="Time that a KEEPALIVE waits for its answer in a full connection."),
    Constant(name="NEAR_BEATS", value=5, doc="KEEPALIVEs of a server next to its client's."),
    Constant(name="BATCH", value=4, doc="Fewest payloads of a demand that is served at once."),
    Constant(name="BATCH_SPREAD", value=10, doc="Part of the wait in which all of it comes."),
    Constant(name="BATCH_LATE", value="1 s", doc="Time before which none of it comes."),
    Constant(name="BATCHES", value=3, doc="Demands that are served so."),
    Constant(name="FAILED_OPEN", value=5, doc="Connections whose only request was refused."),
    Constant(name="FAILED_FOR", value="1 s", doc="Time in which a client closes a connection."),
    Constant(name="FAILED_AGAIN", value=2, doc="Connections that are opened beside them."),
    Constant(name="SPENT_OPEN", value=5, doc="Connections whose only request was answered."),
    Constant(name="SPENT_FOR", value="500 ms", doc="Time in which a client closes a connection."),
    Constant(name="SPENT_AGAIN", value=2, doc="Connections that are opened beside them."),
)  # fmt: skip

_CALLS: Final = (
    "client:request_response client:request_fnf client:request_stream client:request_channel"
)
_ENDS: Final = (
    "client:tcp.close client:tcp.reset server:tcp.close server:tcp.reset client:websocket.close"
)

BEATS: Final[tuple[Table, ...]] = (
    Ratio(
        name="near_beats",
        per="conn",
        of=Count(
            "server:keepalive", "flags.respond and (t - C.beat_t) * 4 < conn.keepalive * 1000000"
        ),
        to=Count("server:keepalive", "flags.respond"),
        least="NEAR_BEATS",
        percent=80,
    ),
)
"""KEEPALIVEs that a server sends when its client's has just come."""

BATCHES: Final[tuple[Table, ...]] = (
    Action(
        on="request_stream request_channel",
        do="stream.batch = initial_request_n; stream.batch_t = t; stream.batch_first_t = None",
    ),
    Action(
        on="request_n",
        when="side == stream.owner",
        do="stream.batch = request_n if stream.credit == request_n else None; "
        "stream.batch_t = t; stream.batch_first_t = None",
    ),
    Action(
        on="payload",
        when="stream.credit == stream.batch - 1 and side != stream.owner and complete",
        do="stream.batch_first_t = coalesce(stream.batch_first_t, t)",
    ),
    Action(
        on="payload",
        when="stream.credit == 0 and stream.batch >= BATCH and side != stream.owner and complete",
        do="stream.is_held = 1 if stream.batch_first_t - stream.batch_t > BATCH_LATE and "
        "(t - stream.batch_first_t) * BATCH_SPREAD < stream.batch_first_t - stream.batch_t "
        "else 0; "
        "stream.held = coalesce(stream.held, 0) + stream.is_held; "
        "stream.prompt = 1 if stream.is_held == 0 else stream.prompt; "
        "stream.held_n = coalesce(stream.held_n, n); "
        "stream.held_for = stream.batch_first_t - stream.batch_t",
    ),
)
"""Demands that are served at once, and late."""

ATTEMPTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="attempts",
        scope="capture",
        doc="The connections of a client whose only request was refused.",
        key={f"setup error {_CALLS} {_ENDS}": "client, server"},
        most=4096,
    ),
    Action(
        on="setup",
        when="attempts.open >= FAILED_OPEN and t - attempts.since_t > FAILED_FOR",
        do="attempts.beside = coalesce(attempts.beside, 0) + 1; attempts.most = attempts.open; "
        "attempts.beside_n = n",
    ),
    Action(
        on="server:error",
        when="fields.stream_id > 0 and C.asked == 1 and S.asked is None and "
        f"stream.owner == C.side and conn.failed is None and {CAPTURED}",
        do="conn.failed = 1; attempts.open = coalesce(attempts.open, 0) + 1; "
        "attempts.latest_n = n; "
        "attempts.since_t = t if attempts.open == FAILED_OPEN else attempts.since_t",
    ),
    Action(
        on=f"{_CALLS} {_ENDS}",
        when="conn.failed == 1",
        do="conn.failed = 0; attempts.open = attempts.open - 1",
    ),
)
"""Connections that failed, and stay open while the client opens others."""

SPENT_CONNECTIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="spent",
        scope="capture",
        doc="The connections of a client whose only request, of one kind, was answered.",
        key={
            _CALLS: "(client, server, coalesce(conn.call, name), "
            "coalesce(conn.call_of, coalesce(digest(metadata), ''))) "
            "if conn.call is None or conn.spent == 1 else None",
            "end:stream": "(client, server, conn.call, conn.call_of) if C.asked == 1 else None",
            _ENDS: "(client, server, conn.call, conn.call_of) if conn.spent == 1 else None",
        },
        most=4096,
    ),
    Action(on=_CALLS, when="conn.call is not None", do="spent.reused = 1"),
    Action(
        on=_CALLS,
        when="conn.call is None and spent.open >= SPENT_OPEN and t - spent.since_t > SPENT_FOR and "
        "coalesce(digest(data), '') != spent.content",
        do="spent.beside = coalesce(spent.beside, 0) + 1; spent.most = spent.open; "
        "spent.beside_n = n",
    ),
    Action(
        on=_CALLS,
        when="conn.call is None",
        do="conn.call = name; conn.call_of = coalesce(digest(metadata), ''); "
        "spent.content = coalesce(digest(data), '')",
    ),
    Action(
        on="end:stream",
        when="C.asked == 1 and why == 'done' and conn.spent is None and S.asked is None and "
        f"stream.owner == C.side and {CAPTURED}",
        do="conn.spent = 1; spent.open = coalesce(spent.open, 0) + 1; spent.latest_n = stream.n; "
        "spent.since_t = t if spent.open == SPENT_OPEN else spent.since_t",
    ),
    Action(
        on=f"{_CALLS} {_ENDS}",
        when="conn.spent == 1",
        do="conn.spent = 0; spent.open = spent.open - 1",
    ),
)
"""Connections that were used once, and stay open while the client opens others."""

PACING: Final[tuple[Table, ...]] = (
    *CONSTANTS, *BEATS, *BATCHES, *ATTEMPTS, *SPENT_CONNECTIONS,
)  # fmt: skip
"""Part of the tables of the protocol."""
