"""How connections and streams of RSocket end, and after which frame; what is asked again."""

from typing import Final

from streamshark.conversations.behaviours import Leak, Repetition
from streamshark.conversations.tables import CAPTURED, Action, Constant, Lifecycle, Table

_CALLS: Final = (
    "client:request_response client:request_fnf client:request_stream client:request_channel"
)
_ACTS: Final = (
    "client:setup client:resume client:lease client:metadata_push client:cancel client:request_n "
    "client:payload client:ext"
)
STILL_OPEN: Final = (
    "conn.left_t is None and S.left_t is None and conn.over_n is None and "
    "conn.closing_n is None and conn.refused_n is None"
)
"""Neither side has ended the connection, or said that it will."""
SERVER_LEAVES: Final = (
    f"C.act_n == C.last_n and C.last_n > coalesce(S.last_n, 0) and t - C.last_t < GONE and "
    f"{STILL_OPEN}"
)
"""The server ends the connection right after a frame of the client, which it has not answered."""
PUSHED: Final = (
    "request_response", "request_fnf", "request_stream", "request_channel", "metadata_push", "ext",
)  # fmt: skip
"""Frames with which a server takes the initiative."""

CONSTANTS: Final = (
    Constant(name="SILENCE", value="5 s", doc="Silence after which a stream is given up."),
    Constant(name="ASKING", value=3, doc="Requests of a client that is to go on."),
    Constant(name="AWAY", value="10 s", doc="Time in which a client connects again."),
    Constant(name="IDLING", value="4 s", doc="Time without a frame after which idle "
             "connections may be ended."),
    Constant(name="AFTER_IDLING", value=3, doc="Connections that end after the same idle time."),
    Constant(name="IDLING_PAUSE", value="1800 s", doc="Longest time between their ends."),
    Constant(name="LAST_ID", value=0x7FFFFFFE, doc="Last stream id of a server; a client has one "
             "more."),
    Constant(name="FLOOD", value=200, doc="METADATA_PUSHes in a row."),
    Constant(name="FLOOD_PACE", value="20 ms", doc="Longest mean time between two of them."),
    Constant(name="FLOOD_PAUSE", value="200 ms", doc="Longest time between two of them."),
    Constant(name="UNASKED_LIMIT", value=3, doc="Connections that are closed before a request."),
    Constant(name="UNASKED_PAUSE", value="60 s", doc="Longest time between their ends."),
    Constant(name="PACE", value=8, doc="Items of a stream from which its pace is known."),
    Constant(name="SIZED", value=3, doc="Payloads of a stream whose number is compared."),
    Constant(name="UNENDED", value=3, doc="Channels that stop after as many items."),
    Constant(name="PAUSES", value=10, doc="Mean times between items that make a long pause."),
    Constant(name="ENDED", value=2, doc="Streams that have ended, beside one that does not."),
    Constant(name="POISON_LIMIT", value=4, doc="Connections that are lost with one request."),
    Constant(name="POISONED", value="2 s", doc="Time in which a server fails at a request."),
    Constant(name="FIRST_CALLS", value=16,
             doc="First requests of a connection that are compared with those of a lost one."),
)  # fmt: skip

LAST_FRAMES: Final[tuple[Table, ...]] = (
    Action(on=_ACTS, do="C.act = name; C.act_n = n; C.act_of = ''"),
    Action(on=_CALLS, do="C.act = name; C.act_n = n; C.act_of = coalesce(digest(data), '')"),
    Repetition(
        name="server_gone",
        on="server:tcp.close server:tcp.reset",
        when=f"{SERVER_LEAVES} and S.frames > 0 and C.frames <= BRIEF_FRAMES and "
        "C.act not in ('setup', 'resume')",
        per="client, server, C.act, C.act_of",
        question="C.act_n",
        limit="GONE_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
    ),
    Action(
        on="client:error client:cancel",
        when="fields.stream_id > 0",
        do="C.ending_of = name; C.ending_n = n; C.ending_t = t; "
        "C.endings = coalesce(C.endings, 0) + 1",
    ),
    Repetition(
        name="server_gone_at_ending",
        on="server:tcp.close server:tcp.reset",
        when="C.endings == 1 and t - C.ending_t < GONE and live(stream) > 0 and S.frames > 0 and "
        f"{STILL_OPEN}",
        per="client, server",
        same="C.ending_of",
        question="C.ending_n",
        limit="GONE_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
    ),
    Action(on="server:tcp.close server:tcp.reset", do="S.left_t = coalesce(S.left_t, t)"),
    Action(
        on="payload response error",
        when="fields.stream_id > 0 and side != stream.owner",
        do="conn.served_of_n = max(coalesce(conn.served_of_n, 0), stream.n)",
    ),
    Action(on="client:websocket.close", do="conn.parted = 1"),
)
"""The last frames before the end of a connection."""

STREAMS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="outcomes",
        scope="capture",
        doc="How streams of one route have ended.",
        key={
            "end:stream": "(server, stream.model, stream.route) if stream.model in "
            "('request_stream', 'request_channel') and stream.asked is not None else None"
        },
        most=4096,
    ),
    Action(
        on="end:stream",
        when="why == 'done' and stream.items > 0",
        do="outcomes.done = coalesce(outcomes.done, 0) + 1; outcomes.done_n = stream.n",
    ),
)
"""How streams of one route end."""

ASKED_AGAIN: Final[tuple[Table, ...]] = (
    Leak(
        name="unused",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and conn.refused_n is None and C.asked is None and "
        "S.asked is None and conn.last_t - conn.t > IDLE",
        limit=1,
    ),
    Lifecycle(
        name="lost_request",
        scope="capture",
        doc="A request of a client that had no answer when its connection was lost.",
        key={
            "client:request_response": "(client, server, coalesce(digest(metadata), ''), "
            "digest(data)) if complete and len(data) > 0 and "
            "coalesce(C.asked, 0) <= FIRST_CALLS else None",
            "end:stream": "(client, server, stream.route, stream.asked) if "
            "stream.model == 'request_response' and stream.items == 0 and "
            "stream.state == 'open' and why in ('closed', 'reset') and stream.owner == C.side and "
            "not conn.resumable else None",
        },
        most=4096,
    ),
    Action(
        on="end:stream",
        when="stream.model == 'request_response' and stream.items == 0 and "
        "stream.state == 'open' and why in ('closed', 'reset') and len(stream.asked) > 0 and "
        f"not conn.resumable and {CAPTURED}",
        do="lost_request.times = 0 if S.left_t is None or S.left_t > coalesce(conn.left_t, t) or "
        "conn.over_n is not None or conn.closing_n is not None or conn.refused_n is not None or "
        "S.left_t - stream.t > POISONED else coalesce(lost_request.times, 0) + 1 "
        "if t - lost_request.t_of < FRESH else 1; "
        "lost_request.n_of = stream.n; lost_request.flow = flow; lost_request.t_of = t",
    ),
)
"""What a client does on its next connection."""

UNENDED: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="unended",
        scope="capture",
        doc="Channels whose requester has completed, and whose responder stops after some items.",
        key={
            "end:stream": "(client, server, stream.route) if stream.state == 'requester_done' "
            "and stream.items >= PACE else None"
        },
        most=1024,
    ),
    Action(
        on="end:stream",
        when="stream.state == 'requester_done' and stream.items >= PACE and "
        "conn.last_t - stream.last_t > STALLED",
        do="unended.times = coalesce(unended.times, 0) + 1 if unended.items == stream.items else "
        "1; unended.items = stream.items; unended.latest_n = stream.n",
    ),
)
"""Channels that are never completed."""

ENDLESS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="sized",
        scope="capture",
        doc="Streams of one kind and route, as far as they complete: how many payloads each has.",
        key={
            "end:stream cancel": "(client, server, stream.model, stream.route) "
            "if stream.model in ('request_stream', 'request_channel') else None",
        },
        most=1024,
    ),
    Action(
        on="end:stream",
        when="why == 'done'",
        do="sized.times = coalesce(sized.times, 0) + 1 if sized.items == stream.items else 1; "
        "sized.items = stream.items; sized.latest_n = stream.n",
    ),
)
"""How many payloads streams have that complete."""

STAYS_AWAY: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="away",
        scope="capture",
        doc="A client that has given up a silent server, or that its server has left, by its "
        "address.",
        key={
            "client:tcp.close client:tcp.reset server:tcp.close server:tcp.reset setup resume "
            "end:conn": "client, server"
        },
        most=4096,
    ),
    Lifecycle(
        name="patron",
        scope="capture",
        doc="A client: when it was seen to live, by its address.",
        key={"client:keepalive": "client", "end:away": "away.client"},
        most=1024,
    ),
    Action(on="client:keepalive", do="patron.beat_t = t; patron.beat_n = n"),
    Action(on="server:keepalive", do="S.keepalive_t = t"),
    Action(
        on="client:tcp.close client:tcp.reset",
        when="S.closed_n is None and C.asked >= ASKING and "
        "C.keepalive_n > S.last_n and t - S.last_t >= conn.max_lifetime * 500000 and "
        "t - coalesce(S.keepalive_t, S.last_t) >= conn.max_lifetime * 900000 and "
        f"coalesce(conn.over_side, C.side) == C.side and {CAPTURED}",
        do="away.since_t = t; away.alive_n = C.keepalive_n; away.heard_n = S.last_n; "
        "away.silent = t - S.last_t; away.flow = flow",
    ),
    Action(
        on="server:tcp.close server:tcp.reset",
        when=f"C.asked >= ASKING and conn.left_t is None and conn.refused_n is None and {CAPTURED}",
        do="away.lost_t = t; away.lost_n = C.last_n; away.client = client; away.server = server; "
        "away.flow = flow",
    ),
    Action(on="setup resume", do="away.since_t = None; away.lost_t = None"),
)
"""Clients that do not connect again."""

LATEST: Final = "max(C.last_t, coalesce(S.last_t, 0))"
"""When the last frame of either side came."""

IDLE_ENDS: Final[tuple[Table, ...]] = (
    Repetition(
        name="idled",
        on="server:tcp.close server:tcp.reset",
        when=f"t - {LATEST} > IDLING and t - {LATEST} < conn.keepalive * 1000000 and "
        f"{STILL_OPEN} and t - C.last_t < conn.max_lifetime * 900000 and {CAPTURED}",
        per="client, server",
        same=f"(t - {LATEST} + 500000000) // 1000000000",
        question="coalesce(S.last_n, C.last_n)",
        limit="AFTER_IDLING",
        pause="IDLING_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="pushes",
        on="metadata_push",
        per="me",
        limit="FLOOD",
        pause="FLOOD_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="unasked",
        on="client:tcp.close client:tcp.reset",
        when="conn.setup_n is not None and C.asked is None and C.keepalive_n is None and "
        f"S.last_n is None and S.closed_n is None and {CAPTURED}",
        per="client, server",
        question="conn.setup_n",
        limit="UNASKED_LIMIT",
        pause="UNASKED_PAUSE",
        may_back_off=False,
    ),
)
"""Connections that carry nothing when they end, or what needs no answer."""

FRAGMENTS_LOST: Final[tuple[Table, ...]] = (
    Action(
        on="end:stream",
        when="stream.in_pieces == 1 and stream.heard_n is None and stream.owner == C.side and "
        "t - stream.t > PENDING and stream.model != 'request_fnf'",
        do="C.mute_pieces = coalesce(C.mute_pieces, 0) + 1; "
        "C.mute_n = coalesce(C.mute_n, stream.n); C.mute_t = coalesce(C.mute_t, stream.t)",
    ),
)
"""Requests in fragments that have no answer."""

ENDINGS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *IDLE_ENDS, *LAST_FRAMES, *STREAMS, *ASKED_AGAIN, *UNENDED, *ENDLESS, *STAYS_AWAY,
    *FRAGMENTS_LOST,
)  # fmt: skip
"""Part of the tables of the protocol."""
