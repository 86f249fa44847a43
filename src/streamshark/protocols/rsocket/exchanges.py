"""How requests, answers and demand of RSocket are used: models, timeouts, sizes, credentials."""

from typing import Final

from streamshark.conversations.behaviours import Churn, Count, Ratio, Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(name="EMPTY_LIMIT", value=3, doc="Requests in a row whose answer is empty."),
    Constant(name="TIMEOUT_LIMIT", value=4, doc="Requests in a row that are given up."),
    Constant(name="SOME_ANSWERS", value=2, doc="Answers that show how long a responder needs."),
    Constant(name="FAR_LONGER", value=10, doc="Times the latest answer that no answer takes."),
    Constant(name="TURN", value="100 ms", doc="Time that a request takes at least in a row."),
    Constant(name="TURNS_LIMIT", value=3, doc="Answers at equal distances."),
    Constant(name="PATIENCE", value="200 ms", doc="Time in which no timeout ends a request."),
    Constant(name="DRAINED_LIMIT", value=4, doc="Renewals of a demand that was used up."),
    Constant(name="SMALL_DEMAND", value=32, doc="Payloads of a small demand."),
    Constant(name="LARGE_FRAME", value=1_000_000, doc="Bytes of a frame that others wait for."),
    Constant(name="PAIR_LIMIT", value=3, doc="Requests in a row that are each sent twice."),
    Constant(name="AT_BOTH", value="1 s", doc="Time in which two clients send one request."),
    Constant(name="BOTH_PAUSE", value="60 s", doc="Longest time between two of these."),
    Constant(name="FILLED", value=4096, doc="Requests of a side whose data is compared."),
    Constant(name="EMPTIED_LIMIT", value=3, doc="Refused requests without their data."),
    Constant(name="OVERFLOW_LIMIT", value=3, doc="Streams that fail without demand."),
    Constant(name="ALL_DEMAND", value=1_000_000, doc="Payloads of a demand without a limit."),
)  # fmt: skip

_PAYLOAD: Final = "payload response"
_FIRST_ANSWER: Final = (
    "stream.model == 'request_response' and side != stream.owner and flags.complete and "
    "stream.items <= 1"
)
"""The answer to REQUEST_RESPONSE."""

MODELS: Final[tuple[Table, ...]] = (
    Action(
        on="end:stream",
        when="stream.metadata is not None and why in ('done', 'sent') and "
        "coalesce(count(served.models), 0) < 64",
        do="put(served.models, (stream.model, stream.metadata))",
    ),
    Action(
        on="request_channel",
        when="flags.complete and complete",
        do="stream.only = 1",
    ),
    Churn(
        name="channels_as_streams",
        life="stream",
        per="flow",
        when="stream.only == 1 and stream.state == 'done' and stream.items > 1",
        limit="BRIEF_LIMIT",
    ),
    Churn(
        name="empty_answers",
        life="stream",
        per="flow, stream.route",
        when="stream.model == 'request_response' and stream.state == 'done' and stream.items == 0",
        limit="EMPTY_LIMIT",
        overlap="1 s",
    ),
)
"""Requests whose interaction model does not fit."""

_GIVEN_UP: Final = (
    "stream.model == 'request_response' and side == stream.owner and stream.state == 'open' and "
    "t - stream.t >= PATIENCE"
)
_AS_LONG: Final = (
    "(t - stream.t) * 19 < me.patience * 20 and me.patience * 19 < (t - stream.t) * 20"
)
TIMED_OUT: Final = f"me.alike >= TIMEOUT_LIMIT - 2 and {_AS_LONG} and conn.helped is None"
"""A requester has given up its last requests, and this one, each after the same time, and none was
answered when it was sent again."""

TIMES: Final[tuple[Table, ...]] = (
    Action(
        on="cancel",
        when=_GIVEN_UP,
        do=f"me.alike = coalesce(me.alike, 0) + 1 if {_AS_LONG} and conn.helped is None else 0; "
        "me.patience = t - stream.t; conn.helped = None",
    ),
    Repetition(
        name="timed_out",
        on="cancel",
        when=_GIVEN_UP,
        per="flow",
        question="stream.n",
        limit="TIMEOUT_LIMIT",
        pause="30 s",
        may_back_off=False,
        breaks="end:stream",
        breaks_when="stream.model == 'request_response' and why == 'done'",
    ),
    Repetition(
        name="unlike_others",
        on="cancel",
        when=f"{_GIVEN_UP} and "
        "me.answers_got >= SOME_ANSWERS and t - stream.t >= me.answer_time * FAR_LONGER",
        per="flow",
        question="stream.n",
        limit="TIMEOUT_LIMIT",
        pause="30 s",
        may_back_off=False,
    ),
    Action(
        on="payload error request_n",
        when="fields.stream_id > 0 and conn.resumed_n is not None",
        do="me.after_n = coalesce(me.after_n, n)",
    ),
    Repetition(
        name="silent_session",
        on="cancel",
        when="conn.resumed_n is not None and session.answered_n is not None and "
        "peer.after_n is None and side == stream.owner and stream.items == 0 and "
        "t - stream.t >= PATIENCE",
        per="flow",
        question="stream.n",
        limit="TIMEOUT_LIMIT",
        pause="30 s",
        may_back_off=False,
    ),
    Action(
        on=_PAYLOAD,
        when=_FIRST_ANSWER,
        do="peer.answers_got = coalesce(peer.answers_got, 0) + 1; "
        "peer.answer_time = t - stream.t; "
        "me.turn = t - max(coalesce(me.turn_t, stream.t), stream.t); "
        "me.turns = coalesce(me.turns, 0) + 1 if stream.t <= coalesce(me.turn_t, t) and "
        "stream.id > coalesce(me.turn_id, 0) and me.turn >= TURN and "
        "max(me.turn, coalesce(me.turn_before, me.turn)) * 4 <= "
        "min(me.turn, coalesce(me.turn_before, me.turn)) * 5 else 0; "
        "me.turn_before = me.turn; me.turn_t = t; me.turn_id = stream.id; me.turn_n = n",
    ),
)
"""Requests that are given up."""

DEMAND: Final[tuple[Table, ...]] = (
    Ratio(
        name="drained",
        per="stream",
        of=Count(
            "request_n",
            "side == stream.owner and 1 < request_n <= SMALL_DEMAND and stream.credit <= request_n",
        ),
        to=Count("request_n", "side == stream.owner"),
        least="DRAINED_LIMIT",
        percent=80,
    ),
    Action(
        on="client:tcp.close client:tcp.reset",
        do="conn.left_t = coalesce(conn.left_t, t)",
    ),
)
"""How demand is renewed, and who ends connections."""

_OPENING: Final = "request_response request_fnf request_stream request_channel"
_CALLS: Final = "client:request_response client:request_fnf"
TWICE: Final[tuple[Table, ...]] = (
    Action(
        on=_OPENING,
        when="complete and len(data) > 0",
        do="me.same = 1 if me.pair_asked == stream.asked and me.pair_route == stream.route and "
        "me.pair_model == name else 0; "
        "me.pairs = (coalesce(me.pairs, 0) + 1 if me.run == 1 else 0) if me.same == 1 "
        "else coalesce(me.pairs, 0) if me.run == 2 else 0; "
        "me.run = me.run + 1 if me.same == 1 else 1; "
        "me.pair_asked = stream.asked; me.pair_route = stream.route; "
        "me.pair_model = name; me.pair_n = n",
    ),
    Action(on="error", when="side != stream.owner", do="peer.run = 0"),
    Action(on="cancel", when="side == stream.owner", do="me.run = 0"),
    Lifecycle(
        name="lately",
        scope="capture",
        doc="The last request that a server was sent, on whichever connection.",
        key={_CALLS: "server if complete and len(data) > 0 else None"},
    ),
    Action(
        on=_CALLS,
        when="complete and len(data) > 0",
        do="lately.hit = 1 if lately.asked == stream.asked and lately.route == stream.route and "
        "lately.flow != flow and lately.flow >= 0 and t - lately.t_of <= AT_BOTH else 0; "
        "lately.times = (coalesce(lately.times, 0) + 1 if t - lately.hit_t <= BOTH_PAUSE else 1) "
        "if lately.hit == 1 else lately.times; "
        "lately.hit_t = t if lately.hit == 1 else lately.hit_t; "
        "lately.flow = -1 if lately.hit == 1 else flow; lately.asked = stream.asked; "
        "lately.route = stream.route; lately.t_of = t; lately.n_of = n",
    ),
    Action(
        on=_OPENING,
        when="complete and coalesce(me.asked, 0) <= FILLED",
        do="me.filled_route = stream.route if len(data) > 0 else me.filled_route; "
        "me.filled_n = n if len(data) > 0 else me.filled_n; "
        "stream.empty = 1 if coalesce(len(data), 0) == 0 else 0",
    ),
    Repetition(
        name="emptied",
        on="error",
        when="fields.stream_id > 0 and side != stream.owner and stream.empty == 1 and "
        "stream.items == 0 and stream.route == peer.filled_route",
        per="flow",
        question="stream.n",
        limit="EMPTIED_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    Repetition(
        name="overflowed",
        on="error",
        when="fields.stream_id > 0 and side != stream.owner and stream.items > 0 and "
        "stream.credit <= 0 and stream.model in ('request_stream', 'request_channel')",
        per="client, server, stream.route",
        question="stream.n",
        limit="OVERFLOW_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
)
"""Requests that come twice, or without their data, and streams that do not wait for demand."""

EXCHANGES: Final[tuple[Table, ...]] = (*CONSTANTS, *MODELS, *TIMES, *DEMAND, *TWICE)
"""Part of the tables of the protocol."""
