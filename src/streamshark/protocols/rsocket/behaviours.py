"""What peers of RSocket do over time: loops, leaks, waste, shared tokens."""

from typing import Final

from streamshark.conversations.behaviours import (
    Churn,
    Count,
    Flood,
    Forbidden,
    Leak,
    Ratio,
    Repetition,
    SharedIdentity,
)
from streamshark.conversations.tables import Action, Constant, Table

_OPENING: Final = "request_response request_fnf request_stream request_sub request_channel"
_QUESTION: Final = "stream.model, stream.route, stream.asked"
"""What a request is: its model, its metadata and its data."""

CONSTANTS: Final = (
    Constant(name="REFUSED_LIMIT", value=5, doc="The same refusals in a row."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="SETUP_LIMIT", value=4, doc="Refused connections in a row."),
    Constant(name="SETUP_PAUSE", value="5 s", doc="Longest time between two of them."),
    Constant(name="RECONNECT_LIMIT", value=10, doc="Connections one after the other."),
    Constant(name="IDLE_LIMIT", value=4, doc="Connections of a client that are left idle."),
    Constant(name="IDLE", value="1 s", doc="Age from which a connection counts as idle."),
    Constant(name="CANCEL_LIMIT", value=5, doc="Requests that are cancelled at once."),
    Constant(name="AT_ONCE", value="5 ms", doc="Time in which a request is cancelled at once."),
    Constant(name="PENDING_LIMIT", value=3, doc="Requests that are left without an answer."),
    Constant(name="PENDING", value="1 s", doc="Age from which a request counts as left."),
    Constant(name="SINGLE_LIMIT", value=20, doc="Payloads that are requested one by one."),
    Constant(name="BEAT_LIMIT", value=8, doc="KEEPALIVEs in a row that come too early."),
    Constant(name="LATE_LIMIT", value=3, doc="REQUEST_N frames on a stream that has ended."),
    Constant(name="SHORT_KEEPALIVE", value=200, doc="Milliseconds of a short KEEPALIVE interval."),
)  # fmt: skip

LOOPS: Final[tuple[Table, ...]] = (
    Action(on=_OPENING, when="complete",
           do="stream.asked = coalesce(digest(data), ''); "
           "stream.route = coalesce(digest(metadata), '')"),
    Repetition(
        name="refused",
        on="error",
        when="fields.stream_id > 0 and stream.asked is not None",
        per=f"client, server, {_QUESTION}",
        same="error_code",
        question="stream.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        success="end:stream",
        success_when="why == 'done' and stream.asked is not None",
    ),
    Repetition(
        name="refused_setup",
        on="server:error",
        when="fields.stream_id == 0 and error_code <= 4",
        per="client, server",
        same="error_code",
        question="coalesce(conn.setup_n, coalesce(conn.resume_n, n))",
        limit="SETUP_LIMIT",
        pause="SETUP_PAUSE",
    ),
    Churn(
        name="reconnected",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and conn.refused_n is None and C.frames <= 4",
        limit="RECONNECT_LIMIT",
    ),
    Flood(
        name="beaten",
        on="keepalive",
        when="flags.respond and conn.keepalive > 0",
        per="me",
        every="conn.keepalive * 1000000",
        percent=20,
        limit="BEAT_LIMIT",
    ),
)  # fmt: skip

LEAKS: Final[tuple[Table, ...]] = (
    Action(on=_OPENING, do="me.asked = coalesce(me.asked, 0) + 1"),
    Leak(
        name="idle_connections",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and coalesce(C.asked, 0) <= 1 and "
        "coalesce(S.asked, 0) == 0 and conn.last_t - conn.t > IDLE",
        limit="IDLE_LIMIT",
        percent_left=50,
    ),
    Churn(
        name="cancelled_at_once",
        life="stream",
        per="flow",
        when="stream.state == 'cancelled' and stream.items == 0 and "
        "stream.last_t - stream.t <= AT_ONCE",
        limit="CANCEL_LIMIT",
    ),
    Leak(
        name="pending",
        life="stream",
        when="stream.model == 'request_response' and stream.items == 0 and "
        "conn.last_t - stream.t > PENDING and not conn.resumable",
        limit="PENDING_LIMIT",
    ),
    SharedIdentity(
        name="shared_token",
        life="conn",
        on="setup",
        when="resume_identification_token is not None",
        key="server, resume_identification_token",
        end_key="server, conn.token",
        used="C.last_n",
    ),
)

WASTE: Final[tuple[Table, ...]] = (
    Ratio(
        name="singly",
        per="stream",
        of=Count("request_n", "side == stream.owner and request_n == 1 and stream.credit <= 1"),
        to="stream.items",
        least="SINGLE_LIMIT",
        percent=60,
    ),
    Forbidden(
        name="late_request_n",
        on="request_n",
        when="stream.ended_t is not None",
        per="stream",
        since="stream.ended_t",
        race="50 ms",
        limit="LATE_LIMIT",
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (*CONSTANTS, *LOOPS, *LEAKS, *WASTE)
"""Part of the tables of the protocol."""
