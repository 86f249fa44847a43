"""What gRPC clients do over time: retry loops, polls, brief connections, calls left open."""

from typing import Final

from streamshark.conversations.behaviours import (
    Backlog,
    Churn,
    Forbidden,
    Leak,
    Repetition,
    RoundTrips,
)
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table, Timer, Transition
from streamshark.protocols.grpc.methods import METHODS

_ASKED: Final = "client, server, path, ask.content"
_FAILED: Final = "status > 0 and status not in (1, 11)"
"""Statuses of failures; a cancelled call and the end of a range are results."""

_IS_DEAF: Final = (
    "ask.begun is None and t - ask.t > LATE_REPLY and coalesce(S.last_t, 0) <= ask.t and "
    "conn.last_t - ask.t < PENDING and conn.start and conn.whole"
)
"""A call that is not answered, on a connection on which nothing came since."""
DEAF: Final = "plea.flow >= 0 and plea.good_t > plea.deaf_t"
"""A later call with the same content was answered at once, on another connection."""
_DENIED: Final = "status in (7, 16)"
"""Statuses of calls without permission, or without credentials."""

FIRST_MESSAGE: Final = "ask.frames <= 2 and conn.calls <= SAMPLE and len(message) >= 4"
"""The row is the first message of one of the first calls."""
_SAME: Final = (
    "conn.pair_done == 1 and conn.pair_path == path and conn.pair_content == digest(message)"
)
"""The call before had the same message, and has succeeded."""
TWICE: Final = (
    f"{FIRST_MESSAGE} and {_SAME} and conn.run == 1 and coalesce(conn.pairs, 0) + 1 >= PAIR_LIMIT"
)
"""The row is the second of two equal calls, after other such pairs."""
AT_BOTH: Final = (
    f"{FIRST_MESSAGE} and lately.flow != flow and lately.content == digest(message) and "
    "t - lately.latest_t <= BOTH_TIME and lately.content != coalesce(lately.hit, '')"
)
"""Another connection has just made the same call."""

CONSTANTS: Final = (
    Constant(
        name="GOES_ON",
        value="1 s",
        doc="Time after which a server has noticed that a call was cancelled.",
    ),
    Constant(name="REFUSED_LIMIT", value=4, doc="The same failures in a row."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="FAILING_LIMIT", value=4, doc="Failures of a method in a row."),
    Constant(name="DEADLINE_LIMIT", value=3, doc="Calls in a row whose deadline is too short."),
    Constant(name="DEADLINE_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="SHORT_DEADLINE", value="5 ms", doc="A deadline that no network keeps."),
    Constant(name="POLL_LIMIT", value=5, doc="The same calls, answered, in a row."),
    Constant(name="POLL_PAUSE", value="500 ms", doc="Longest time between two of them."),
    Constant(name="ALIKE_LIMIT", value=5, doc="The same calls with the same answer in a row."),
    Constant(name="ALIKE_PAUSE", value="5 s", doc="Longest time between two of them."),
    Constant(name="CANCEL_LIMIT", value=3, doc="The same calls, cancelled, in a row."),
    Constant(name="RECONNECT_LIMIT", value=5, doc="Brief connections one after the other."),
    Constant(name="PENDING_LIMIT", value=2, doc="Calls of a connection that are left open."),
    Constant(name="PENDING", value="2 s", doc="Age from which a call counts as left open."),
    Constant(name="RESENT_LEAST", value=4, doc="Retransmissions on a dead line."),
    Constant(name="DEAD_LINE", value="10 s", doc="Time for which nothing is acknowledged."),
    Action(
        on="client:tcp.retransmission",
        do="conn.resent = C.retransmissions - coalesce(conn.resent_before, 0); "
        "conn.resent_before = C.retransmissions; conn.resent_t = t",
    ),
    Constant(name="SINGLES_LEAST", value=3, doc="Calls of a method that had one answer each."),
    Constant(name="LATE_REPLY", value="10 s", doc="Time from which on the first reply is late."),
    Constant(name="PROMPT", value="1 s", doc="Time in which such a call is answered."),
    Constant(name="SAME_LIMIT", value=3, doc="Calls with one content that are open at once."),
    Constant(name="GIVEN_UP_LIMIT", value=3, doc="Calls of a method in a row that are given up."),
    Constant(name="GIVEN_UP_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="PING_LIMIT", value=5, doc="PINGs in a row without a call."),
    Constant(
        name="PING_PAUSE",
        value="10 s",
        doc="Longest time between two of them; grpc allows one in 5 minutes without calls.",
    ),
    Constant(name="LOST_PINGS", value=3, doc="PINGs that are not answered."),
    Constant(name="CROSSING", value="500 ms", doc="Time in which a call may cross with GOAWAY."),
    Constant(name="STALLED", value="3 s", doc="Time for which a window may be used up."),
    Constant(name="OPEN_LIMIT", value=90, doc="Calls that are open at once on a connection."),
    Constant(name="STEP_LIMIT", value=10, doc="Calls of a method, each after the one before."),
    Constant(name="CUT_LIMIT", value=3, doc="Calls in a row that are cancelled when answered."),
    Constant(name="CUT_PAUSE", value="1 s", doc="Longest time between two of them."),
    Constant(name="BRIEF", value="200 ms", doc="Time for which such a call lasts."),
    Constant(name="CHANNEL_LIMIT", value=5, doc="Connections of a client that are left open."),
    Constant(name="FEW_CALLS", value=2, doc="Calls of a connection that is hardly used."),
    Constant(name="SMALL_WINDOW", value=16_384, doc="Bytes of a window that slow calls down."),
    Constant(name="LARGE_HEADERS", value=4096, doc="Bytes of headers that may be too many."),
    Constant(name="FALTERING_LIMIT", value=4, doc="Calls of a method in a row that fail alike."),
    Constant(name="TRACED_LIMIT", value=5, doc="Calls in a row with one traceparent."),
    Constant(name="PAIR_LIMIT", value=3, doc="Calls in a row that are each made twice."),
    Constant(name="BOTH_LIMIT", value=3, doc="Calls that come on two connections at once."),
    Constant(name="BOTH_TIME", value="1 s", doc="Time in which two connections call alike."),
    Constant(name="SAMPLE", value=64, doc="Calls of a connection that are compared."),
    Constant(name="ENDINGS_LIMIT", value=3, doc="Connections in a row that end at one status."),
    Constant(name="ENDS_AT", value="1 s", doc="Time from a status to the end that it causes."),
    Constant(name="SUPPLY_FRAMES", value=6, doc="Frames of a call that had several answers."),
    Constant(name="SUPPLY_ENDS", value="5 s", doc="Time in which a call is made again."),
    Constant(name="HALF_LIMIT", value=3, doc="Calls whose client does not end its half."),
    Constant(name="METHODS", value=METHODS, doc="Methods to the kind of their calls."),
    Constant(name="STATUS_LATE", value="1 s", doc="Time from a single reply to a late status."),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS,
    Lifecycle(
        name="conn",
        scope="connection:one",
        doc="A connection with calls.",
        steps=(Transition("absent unknown", "any", "open"),),
        starts={"calls": 0, "open": 0},
    ),
    Action(on="call", do="conn.calls = conn.calls + 1; conn.open = conn.open + 1"),
    Lifecycle(
        name="ask",
        scope="connection",
        doc="A call and its first message.",
        key={
            "call message headers reply status reset": "stream_id",
            "http2.window_full http2.window_opened http2.end_stream": "stream_id",
        },
        steps=(
            Transition("absent unknown", "call", "open"),
            Transition("open", "status reset", "ended"),
        ),
        final="ended",
    ),
    Action(on="server:http2.window_full", do="ask.full_n = S.last_n; conn.full_n = S.last_n"),
    Timer(
        name="unread",
        of="ask",
        on="server:http2.window_full",
        when="stream_id is not None and ask.state == 'open'",
        clear="client:http2.window_opened status reset",
        limit="STALLED",
    ),
    Timer(
        name="nothing_read",
        of="conn",
        on="server:http2.window_full",
        when="stream_id is None",
        clear="client:http2.window_opened",
        clear_when="stream_id is None",
        limit="STALLED",
    ),
    Lifecycle(
        name="plea",
        scope="capture",
        doc="Calls with one content that are open when their connections end.",
        key={"end:ask": "(server, ask.path, ask.content) if ask.state == 'open' else None"},
        most=1024,
    ),
    Action(
        on="end:ask",
        when=f"ask.state == 'open' and {_IS_DEAF} and plea.deaf_t is None",
        do="plea.deaf_t = ask.t; plea.deaf_n = ask.n; plea.deaf_for = t - ask.t; plea.flow = flow; "
        "plea.path = ask.path",
    ),
    Action(
        on="end:ask",
        when="ask.state == 'open' and ask.begun - ask.t < PROMPT and "
        "ask.t >= coalesce(plea.good_t, 0)",
        do="plea.good_t = ask.t; plea.good_n = ask.n; plea.took = ask.begun - ask.t",
    ),
    Lifecycle(
        name="callee",
        scope="capture",
        doc="A method, as a client calls it.",
        key={"status": "client, server, path", "end:ask": "client, server, ask.path"},
    ),
    Action(
        on="status",
        when="status == 0 and ask.replies == 1 and ask.messages == 1",
        do="callee.singles = coalesce(callee.singles, 0) + 1; callee.single_n = n",
    ),
    Repetition(
        name="not_passed_on",
        on="server:headers server:status",
        when="http_status in (429, 502, 503, 504)",
        per="client, server, path",
        question="req.n",
        limit=1,
        may_back_off=False,
        success="server:status",
        success_when="http_status in (0, 200) and status >= 0",
    ),
    Repetition(
        name="denied",
        on="status",
        when=_DENIED,
        per="callee",
        question="req.n",
        limit=1,
        pause="1 min",
        success="status",
        success_when="status == 0",
        may_back_off=False,
    ),
    Action(
        on="call",
        do="ask.path = path; ask.kind = begins(path, METHODS); ask.replies = 0; ask.messages = 0; "
        "C.last_stream = max(coalesce(C.last_stream, 0), stream_id); C.last_stream_n = n",
    ),
    Action(on="message", do="ask.messages = ask.messages + 1"),
    Action(on="reply", do="ask.replies = ask.replies + 1; ask.reply_n = n; ask.reply_t = t"),
    Action(
        on="headers status", do="conn.answered_of_n = max(coalesce(conn.answered_of_n, 0), ask.n)"
    ),
    Action(
        on="status",
        do="ask.status_n = n; conn.done_of_n = max(coalesce(conn.done_of_n, 0), ask.n)",
    ),
    Action(on="client:reset", do="ask.given_up_n = coalesce(ask.given_up_n, n)"),
    Action(on="server:http2.goaway", do="conn.goaway = 1"),
    Action(on="client:tcp.close client:tcp.reset", do="conn.client_left = 1"),
    Action(on="headers", do="ask.begun = coalesce(ask.begun, t)"),
    Action(on="reply", when="ask.reply is None", do="ask.reply = digest(message)"),
    Action(on="call", do="ask.limit = item(metadata, 'grpc-timeout')"),
    Action(
        on="client:reset", do="put(conn.dropped, stream_id); conn.dropped_t = t; conn.dropped_n = n"
    ),
    Action(
        on="call",
        do="ask.accepts = item(metadata, 'grpc-accept-encoding'); ask.accepts_n = n",
    ),
    Action(
        on="server:headers server:status",
        when="item(metadata, 'grpc-accept-encoding') is not None",
        do="conn.accepts = item(metadata, 'grpc-accept-encoding'); conn.accepts_n = n",
    ),
    Action(on="message", when="flags.end_stream", do="ask.whole_n = n"),
    Action(on="call", when="flags.end_stream", do="ask.whole_n = n"),
    Action(
        on="client:http2.end_stream",
        do="conn.halves = conn.halves - 1 if ask.half == 1 else conn.halves; ask.half = 0; "
        "ask.whole_n = coalesce(ask.whole_n, C.last_n)",
    ),
    Action(
        on="client:reset",
        when="ask.half == 1",
        do="conn.halves = conn.halves - 1; ask.half = 0",
    ),
    Action(
        on="status",
        when="ask.whole_n is None and ask.first_n is not None",
        do="ask.half = 1; conn.halves = coalesce(conn.halves, 0) + 1; conn.half_n = ask.n; "
        "conn.half_status_n = n",
    ),
    Action(
        on="server:http2.settings",
        do="conn.allowed = coalesce(max_concurrent_streams, conn.allowed)",
    ),
    RoundTrips(
        name="one_by_one",
        ask="call",
        answer="status",
        per="flow, path",
        limit="STEP_LIMIT",
    ),
    Repetition(
        name="cut_short",
        on="client:reset",
        when="error_code == 8 and ask.reply is not None and ask.state == 'open' and "
        "t - ask.t < BRIEF",
        per="client, server, path",
        question="ask.n",
        limit="CUT_LIMIT",
        pause="CUT_PAUSE",
        may_back_off=False,
    ),
    Leak(
        name="channels",
        life="conn",
        per="client, server",
        when="1 <= conn.calls <= FEW_CALLS and why == 'end'",
        limit="CHANNEL_LIMIT",
        percent_left=80,
    ),
    Repetition(
        name="server_pinged",
        on="server:http2.ping",
        when="ack == 0",
        per="conn",
        limit="PING_LIMIT",
        pause="PING_PAUSE",
        breaks="call message",
        may_back_off=False,
    ),
    Action(on="message", when="ask.content is None", do="ask.content = digest(message)"),
    Leak(
        name="pending",
        life="ask",
        when="ask.begun is None and conn.last_t - ask.t > PENDING",
        limit="PENDING_LIMIT",
    ),
    Action(
        on="call",
        do="conn.signed_n = coalesce(conn.signed_n, n) if len(authorization) > 0 "
        "else conn.signed_n",
    ),
    Lifecycle(
        name="same",
        scope="connection",
        doc="Calls of one method with one content.",
        key={
            "message": "(path, digest(message)) if ask.content is None else None",
            "status reset": "path, ask.content",
        },
        most=1024,
    ),
    Action(
        on="message",
        when="ask.content is not None and ask.first_n is None",
        do="ask.first_n = n; same.open = coalesce(same.open, 0) + 1; "
        "same.second_n = coalesce(same.second_n, n) if same.open > 1 else None; "
        "same.latest_n = n",
    ),
    Action(
        on="status reset",
        when="ask.state == 'open'",
        do="same.open = same.open - 1; conn.open = conn.open - 1",
    ),
    Repetition(
        name="refused",
        on="status",
        when=_FAILED,
        per=_ASKED,
        same="status",
        question="req.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        success="status",
        success_when="status == 0",
    ),
    Repetition(
        name="failing",
        on="status",
        when="status in (3, 7, 8, 9, 12, 16)",
        per="callee",
        same="status",
        question="req.n",
        limit="FAILING_LIMIT",
        pause="REFUSED_PAUSE",
        breaks="status",
        breaks_when="status == 0",
    ),
    Repetition(
        name="faltering",
        on="status",
        when="status in (2, 4, 10, 13, 14, 15)",
        per="callee",
        same="status",
        question="req.n",
        limit="FALTERING_LIMIT",
        pause="DEADLINE_PAUSE",
        breaks="status",
        breaks_when="status == 0",
    ),
    Repetition(
        name="traced",
        on="call",
        when="conn.calls <= SAMPLE and item(metadata, 'traceparent') is not None",
        per="conn",
        same="item(metadata, 'traceparent')",
        limit="TRACED_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Action(
        on="message",
        when=FIRST_MESSAGE,
        do=f"conn.same = 1 if {_SAME} else 0; "
        "conn.pairs = (coalesce(conn.pairs, 0) + 1 if conn.run == 1 else 0) if conn.same == 1 "
        "else coalesce(conn.pairs, 0) if conn.run == 2 else 0; "
        "conn.run = coalesce(conn.run, 0) + 1 if conn.same == 1 else 1; "
        "conn.pair_path = path; conn.pair_content = digest(message); conn.pair_n = n; "
        "conn.pair_call = ask.n; conn.pair_done = None",
    ),
    Action(on="status", when="status == 0 and ask.n == conn.pair_call", do="conn.pair_done = 1"),
    Action(on="status", when="status > 0", do="conn.run = 0"),
    Lifecycle(
        name="lately",
        scope="capture",
        doc="The last call of a method with a message, on whichever connection.",
        key={"message": f"(server, path) if {FIRST_MESSAGE} else None"},
        most=1024,
    ),
    Action(
        on="message",
        when=AT_BOTH,
        do="lately.both = coalesce(lately.both, 0) + 1; lately.hit = lately.content",
    ),
    Action(
        on="message",
        when=FIRST_MESSAGE,
        do="lately.flow = flow; lately.content = digest(message); lately.latest_t = t; "
        "lately.latest_n = n",
    ),
    Repetition(
        name="expired",
        on="status",
        when="status == 4 and t - req.t < SHORT_DEADLINE",
        per="client, server, path",
        question="req.n",
        limit="DEADLINE_LIMIT",
        pause="DEADLINE_PAUSE",
    ),
    Repetition(
        name="polled",
        on="status",
        when="status == 0",
        per=_ASKED,
        question="req.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="answered_alike",
        on="status",
        when="status == 0 and ask.reply is not None",
        per=_ASKED,
        same="ask.reply",
        question="req.n",
        limit="ALIKE_LIMIT",
        pause="ALIKE_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="cancelled",
        on="client:reset",
        when="error_code == 8 and t - ask.t < 2000000000 and "
        "(ask.begun is not None or ask.limit is None)",
        per=_ASKED,
        question="ask.n",
        limit="CANCEL_LIMIT",
        pause="REFUSED_PAUSE",
    ),
    Repetition(
        name="given_up",
        on="client:reset",
        when="error_code == 8 and ask.begun is None and ask.state == 'open' and "
        "ask.whole_n is not None",
        per="client, server, path",
        question="ask.n",
        limit="GIVEN_UP_LIMIT",
        pause="GIVEN_UP_PAUSE",
        breaks="headers status",
    ),
    Repetition(
        name="pinged",
        on="client:http2.ping",
        when="ack == 0",
        per="conn",
        limit="PING_LIMIT",
        pause="PING_PAUSE",
        breaks="headers reply status",
        may_back_off=False,
    ),
    Backlog(
        name="pings",
        ask="client:http2.ping",
        when="ack == 0",
        answer="server:http2.ping",
        answer_when="ack == 1",
        per="conn",
        limit="LOST_PINGS",
    ),
    Action(
        on="server:http2.goaway",
        do="conn.away_t = coalesce(conn.away_t, t); conn.away_why = debug_data; "
        "conn.away_call_n = C.last_n",
    ),
    Forbidden(
        name="after_goaway",
        on="call",
        when="sender == 'client' and conn.away_t is not None",
        since="conn.away_t",
        race="CROSSING",
    ),
    Action(on="client:tcp.close client:tcp.reset", when="conn.cut is None", do="conn.left_t = t"),
    Action(on="server:tcp.close server:tcp.reset", when="conn.left_t is None", do="conn.cut = 1"),
    Action(
        on="status",
        when="status > 0",
        do="conn.final = status; conn.final_path = path; conn.final_n = n",
    ),
    Churn(
        name="endings",
        life="conn",
        per="client, server, conn.final_path, conn.final",
        when="conn.left_t - S.last_t <= ENDS_AT and S.last_n == conn.final_n and "
        "C.last_n < conn.final_n",
        limit="ENDINGS_LIMIT",
        pause="60 s",
    ),
    Lifecycle(
        name="supply",
        scope="capture",
        doc="Calls of a method with several answers each, as a client makes them.",
        key={
            "call": "client, path",
            "status": "(client, path) if ask.frames >= SUPPLY_FRAMES else None",
        },
        most=4096,
    ),
    Action(on="call", do="supply.failed_t = None; supply.open_n = n"),
    Action(
        on="status",
        when="status > 1 and status != 11 and ask.n == supply.open_n",
        do="supply.failed_t = t; supply.failed_n = n; supply.status = status; "
        "supply.path = path; supply.call_n = ask.n",
    ),
    Churn(
        name="reconnected",
        life="conn",
        per="client, server",
        when="1 <= conn.calls <= 4 and C.frames <= 12",
        limit="RECONNECT_LIMIT",
        overlap="20 ms",
    ),
)
"""Part of the tables of the protocol."""
