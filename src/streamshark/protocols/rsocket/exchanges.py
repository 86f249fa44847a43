"""How requests, answers and demand of RSocket are used: models, timeouts, sizes, credentials."""

from typing import Final

from streamshark.conversations.behaviours import Churn, Count, Ratio, Repetition
from streamshark.conversations.tables import Action, Constant, Table

CONSTANTS: Final = (
    Constant(name="EMPTY_LIMIT", value=5, doc="Requests in a row whose answer is empty."),
    Constant(name="TIMEOUT_LIMIT", value=4, doc="Requests in a row that are given up."),
    Constant(name="PATIENCE", value="200 ms", doc="Time in which no timeout ends a request."),
    Constant(name="DRAINED_LIMIT", value=4, doc="Renewals of a demand that was used up."),
    Constant(name="SMALL_DEMAND", value=32, doc="Payloads of a small demand."),
    Constant(name="ASKED_LIMIT", value=10, doc="The same request in a row, whatever the answer."),
    Constant(name="LARGE_FRAME", value=1_000_000, doc="Bytes of a frame that others wait for."),
    Constant(name="ALL_DEMAND", value=1_000_000, doc="Payloads of a demand without a limit."),
)  # fmt: skip

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

TIMES: Final[tuple[Table, ...]] = (
    Repetition(
        name="timed_out",
        on="cancel",
        when="stream.model == 'request_response' and side == stream.owner and "
        "stream.state == 'open' and t - stream.t >= PATIENCE",
        per="flow",
        question="stream.n",
        limit="TIMEOUT_LIMIT",
        pause="30 s",
        may_back_off=False,
        breaks="end:stream",
        breaks_when="stream.model == 'request_response' and why == 'done'",
    ),
    Repetition(
        name="asked_again",
        on="payload response",
        when="stream.model == 'request_response' and side != stream.owner and complete and "
        "stream.asked is not None",
        per="flow, stream.route, stream.asked",
        question="stream.n",
        limit="ASKED_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
)
"""Requests that are given up, or asked again and again."""

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

EXCHANGES: Final[tuple[Table, ...]] = (*CONSTANTS, *MODELS, *TIMES, *DEMAND)
"""Part of the tables of the protocol."""
