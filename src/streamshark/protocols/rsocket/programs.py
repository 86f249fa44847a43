"""What the parts of programs that use RSocket do: threads that wait, handlers that answer no more.

`parts.py` lists how they fail, and `findings/programs.py` has the rules.
"""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(name="ANSWERED_BEFORE", value=3, doc="Answers that show that a handler works."),
    Constant(name="NOT_ANSWERED", value=3, doc="Requests in a row that a handler leaves."),
    Constant(name="SERIAL_LIMIT", value=5, doc="Answers in turn, at equal distances."),
    Constant(name="SERIAL_STREAMS", value=3, doc="Streams that begin when the one before ends."),
    Constant(name="CLIMB_LIMIT", value=7, doc="Answers in a row of which each takes longer."),
)  # fmt: skip

FIRST_ANSWER: Final = (
    "stream.model == 'request_response' and side != stream.owner and stream.state == 'open' and "
    "stream.items == 0"
)
"""The row is the answer to REQUEST_RESPONSE, or its first fragment."""
_ANSWERS: Final = "payload response error"
ITEMS_BEGIN: Final = (
    "stream.model in ('request_stream', 'request_channel') and side != stream.owner and "
    "complete and flags.next and stream.items == 0"
)
"""The row is the first item of a stream."""

THREADS: Final[tuple[Table, ...]] = (
    Action(
        on="keepalive",
        when="not flags.respond and not orphan",
        do="me.quickest = min(coalesce(me.quickest, t - req.t), t - req.t)",
    ),
    Action(
        on="payload",
        when="side != stream.owner and stream.first_item_t == t and stream.items == 1 and "
        "stream.model == 'request_response'",
        do="me.quickest = min(coalesce(me.quickest, t - stream.t), t - stream.t); "
        "me.freed_t = t; me.freed_n = n; me.freed_of = stream.n; me.freed_of_t = stream.t; "
        "me.freed_after_t = me.sent_t; "
        "peer.heard_t = t; peer.heard_n = n; peer.heard_of = stream.n; "
        "peer.heard_took = t - stream.t",
    ),
    Action(
        on="keepalive",
        when="not flags.respond",
        do="me.waited_t = me.sent_t",
    ),
    Action(
        on="request_response request_fnf request_stream request_channel",
        do="peer.served_from_t = coalesce(peer.served_from_t, t)",
    ),
    Action(
        on="request_response",
        when="complete",
        do="me.asked_back_t = t; me.asked_back_n = n",
    ),
    Action(
        on="server:error",
        when="fields.stream_id > 0",
        do="S.refusal_n = n",
    ),
    Action(on="any", do="me.sent_t = t; me.sent_n = n"),
)
"""Threads that read a connection."""

CONNECTIONS: Final[tuple[Table, ...]] = (
    Repetition(
        name="gone_at_setup",
        on="server:tcp.close server:tcp.reset",
        when="C.frames == 1 and coalesce(S.frames, 0) == 0 and C.act == 'setup' and "
        "t - C.last_t < GONE and conn.left_t is None and coalesce(S.left_t, t) == t",
        per="client, server",
        question="C.act_n",
        limit="GONE_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
    ),
    Action(
        on="request_response request_fnf request_stream request_channel payload error cancel",
        do="conn.stream_t = t",
    ),
)
"""Connections that are begun and ended."""

HANDLERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="desk",
        scope="connection",
        doc="What answers the requests of one side and route.",
        key={
            "request_response": "(side, coalesce(digest(metadata), '')) if complete else None",
            _ANSWERS: "(stream.owner, stream.route) if stream.model == 'request_response' and "
            "side != stream.owner and stream.route is not None else None",
        },
        most=256,
    ),
    Action(
        on="request_response",
        when="complete",
        do="desk.asker = side; desk.waits = coalesce(desk.waits, 0) + 1; "
        "desk.waits_n = coalesce(desk.waits_n, n); "
        "desk.waits_t = coalesce(desk.waits_t, t)",
    ),
    Action(
        on=_ANSWERS,
        when="stream.model == 'request_response' and side != stream.owner and "
        "desk.waits is not None",
        do="desk.waits = 0; desk.waits_n = None; desk.waits_t = None; "
        "desk.answers = coalesce(desk.answers, 0) + 1; desk.answers_n = n; "
        "desk.slowest = max(coalesce(desk.slowest, 0), t - stream.t)",
    ),
    Action(
        on="payload",
        when="side != stream.owner and stream.first_item_t == t and stream.items == 1 and "
        "stream.model == 'request_response'",
        do="me.climb = coalesce(me.climb, 0) + 1 if t - stream.t > coalesce(me.climb_took, t) "
        "else 0; me.climb_from = me.climb_from if me.climb > 0 else t - stream.t; "
        "me.climb_n = me.climb_n if me.climb > 0 else stream.n; me.climb_took = t - stream.t",
    ),
    Action(
        on="payload",
        when="side != stream.owner and stream.first_item_t == t and stream.items == 1 and "
        "stream.model in ('request_stream', 'request_channel')",
        do="me.serial = coalesce(me.serial, 0) + 1 if stream.t < me.run_over_t and "
        "(t - me.run_over_t) * 4 <= me.run_over_t - stream.t else 0; "
        "me.serial_n = me.run_over_n; me.run_over_t = None; me.run_id = stream.id",
    ),
    Action(
        on="payload",
        when="side != stream.owner and stream.id == me.run_id and flags.complete",
        do="me.run_over_t = t; me.run_over_n = n",
    ),
    Lifecycle(
        name="bank",
        scope="capture",
        doc="Answers of a server on all of its connections.",
        key={"server:payload end:conn": "server", "end:away": "away.server"},
        most=1024,
    ),
    Action(
        on="server:payload",
        when="side != stream.owner and stream.first_item_t == t and stream.items == 1 and "
        "stream.model == 'request_response'",
        do="S.gave_n = n; bank.answers = coalesce(bank.answers, 0) + 1; bank.of_t = t; "
        "bank.of_n = n; bank.slowest = max(coalesce(bank.slowest, 0), t - stream.t)",
    ),
    Action(
        on="client:request_response",
        when="complete",
        do="C.questions = coalesce(C.questions, 0) + 1; "
        "C.question_n = coalesce(C.question_n, n); C.question_t = coalesce(C.question_t, t)",
    ),
)
"""Handlers of requests."""

PROGRAMS: Final[tuple[Table, ...]] = (*CONSTANTS, *THREADS, *CONNECTIONS, *HANDLERS)
"""Part of the tables of the protocol."""
