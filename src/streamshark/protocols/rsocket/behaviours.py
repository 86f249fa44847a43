"""What peers of RSocket do over time: loops, leaks, waste, shared tokens."""

from typing import Final

from streamshark.conversations.behaviours import (
    Backlog,
    Churn,
    Count,
    Flood,
    Forbidden,
    Leak,
    Ratio,
    Repetition,
    RoundTrips,
    SharedIdentity,
)
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

_OPENING: Final = "request_response request_fnf request_stream request_sub request_channel"
_LIVES_ON: Final = (
    f"{_OPENING} payload response request_n cancel error lease "
    "metadata_push server:keepalive tcp.close tcp.reset"
)
"""Rows by which a connection continues, or is seen to end: the capture still has it."""
_PAYLOAD: Final = "payload response"
_PROGRAM: Final = (
    "client, server, coalesce(conn.keepalive, 0), coalesce(conn.max_lifetime, 0), "
    "coalesce(conn.metadata_mime_type, '')"
)
"""Whose connections are probably those of one program: of one host, with alike SETUP."""
_QUESTION: Final = "stream.model, stream.route, stream.asked"
"""What a request is: its model, its metadata and its data."""
_ROUTE: Final = "(digest(metadata) if coalesce(len(metadata), 0) > 0 else '')"
_ANEW: Final = (
    f"t - me.dropped_t <= ANEW and me.dropped_route == {_ROUTE} and "
    "me.dropped_asked != coalesce(digest(data), '')"
)
"""A stream of the same route and with other data was cancelled just before."""
_SUBSCRIBING: Final = "request_stream request_channel"
_OPEN: Final = ("open", "requester_done", "responder_done")
"""States of a stream that continues."""
_ENDED: Final = ("cancelled", "failed")
"""States of a stream that one side has ended."""

_REQUESTS: Final = (
    "client:request_response client:request_fnf client:request_stream client:request_channel"
)
_OF_CLIENT: Final = f"{_REQUESTS} client:payload client:request_n client:cancel client:error"
"""Frames of a client that positions count."""
_OF_SERVER: Final = (
    "server:request_response server:request_fnf server:request_stream server:request_channel "
    "server:payload server:request_n server:cancel server:error"
)
"""Frames of a server that positions count."""
_STRAYS: Final = "spot.what != name or spot.stream != fields.stream_id or spot.size != size"
"""The client continues with another frame than the one that it had sent at this position."""
STRAYED: Final = f"conn.resumed_n is not None and conn.strayed_n is None and ({_STRAYS})"
"""The same after RESUME_OK, for the first time on the connection."""
_SLIPS: Final = "place.what != name or place.stream != fields.stream_id or place.size != size"
SLIPPED: Final = f"conn.resumed_n is not None and conn.slipped_n is None and ({_SLIPS})"
"""The server continues with another frame than the one that it had sent at this position."""
FIRST_OWN: Final = (
    "stream.model == 'request_channel' and stream.own_items == 0 and stream.asking == 0 and "
    "complete and flags.next and coalesce(stream.own_cut, 0) == 0 and len(data) > 0"
)
"""The first payload of a requester after its request, both in one piece."""

_FIRST_COUNTED: Final = (
    "stream.model == 'request_channel' and stream.own_items == 1 and complete and flags.next and "
    "len(data) > 0"
)
"""The same when the payload has been counted."""

_LEAVES: Final = (
    "conn.setup_n is not None and conn.left is None and S.closed_n is None and "
    "conn.over_n is None and conn.closing_n is None and (live(stream) > 0 or "
    "S.sign in ('request_fnf', 'metadata_push', 'ext'))"
)
"""The client ends the connection without an ERROR while streams are open, or after a push."""

_DOUBLED: Final = (
    "flags.respond and conn.keepalive > 0 and (t - C.beaten_t) * 4 <= conn.keepalive * 5000000"
)
"""The second KEEPALIVE before this one came not much more than one interval ago."""

_EARLY_LEASE: Final = (
    "number_of_requests > 0 and me.lease_taken * 4 <= me.lease_allows and "
    "(t - me.lease_given_t) * 4 <= me.lease_lasts * 1000000"
)
"""The lease before has most of its requests and most of its time left."""

CONSTANTS: Final = (
    Constant(name="REFUSED_LIMIT", value=4, doc="The same refusals in a row."),
    Constant(name="BARE_LIMIT", value=6, doc="Refusals in a row of requests without metadata."),
    Constant(name="ROUTE_LIMIT", value=4, doc="Refusals in a row of one route."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="SETUP_LIMIT", value=3, doc="Refused connections in a row."),
    Constant(name="SETUP_PAUSE", value="5 s", doc="Longest time between two of them."),
    Constant(name="RECONNECT_LIMIT", value=4, doc="Connections one after the other."),
    Constant(name="IDLE_LIMIT", value=3, doc="Connections of a client that are left idle."),
    Constant(name="CALLED_LIMIT", value=8, doc="Connections that are left after one request."),
    Constant(name="IDLE", value="1 s", doc="Age from which a connection counts as idle."),
    Constant(name="CANCEL_LIMIT", value=4, doc="Requests that are cancelled at once."),
    Constant(name="GIVEN_UP_LIMIT", value=3, doc="The same request, cancelled, in a row."),
    Constant(name="AT_ONCE", value="5 ms", doc="Time in which a request is cancelled at once."),
    Constant(name="PENDING_LIMIT", value=3, doc="Requests that are left without an answer."),
    Constant(name="PENDING", value="1 s", doc="Age from which a request counts as left."),
    Constant(name="LATE_REPLY", value="10 s", doc="Time from which on a response is late."),
    Constant(name="SINGLE_LIMIT", value=5, doc="Payloads that are requested one by one."),
    Constant(name="FIRST_LIMIT", value=4, doc="Streams of which one payload is taken."),
    Constant(name="STEP_LIMIT", value=5, doc="Requests one by one that could be joined."),
    Constant(name="POLL_LIMIT", value=5, doc="The same requests with the same answer in a row."),
    Constant(name="POLL_PAUSE", value="3 s", doc="Longest time between two of them."),
    Constant(name="PUSH_LIMIT", value=3, doc="The same METADATA_PUSH in a row."),
    Constant(name="PIECES", value=32, doc="Fragments of a message that are too many."),
    Constant(name="FEW_PIECES", value=3, doc="Fragments before the last of a small message."),
    Constant(name="SHREDDED_LIMIT", value=4, doc="Messages in such fragments."),
    Constant(name="LARGE_METADATA", value=512, doc="Bytes of large metadata."),
    Constant(name="SAME_METADATA", value=5, doc="Requests in a row with the same of them."),
    Constant(name="ALIKE_LIMIT", value=4, doc="The same requests without a response at once."),
    Constant(name="EXCESS", value=4, doc="Requested payloads for each that is taken, too many."),
    Constant(name="CUT_LIMIT", value=2, doc="Times that a stream was cut off before."),
    Constant(name="OWN_CUTS", value=3, doc="Times that its own requester cut a stream off."),
    Constant(name="CUT_PAUSE", value="2 s", doc="Time in which it asks for the stream again."),
    Constant(name="FULL", value=3, doc="Packets that say that a peer has no room for more."),
    Constant(name="SMALL_PIECE", value=256, doc="Bytes below which a fragment is small."),
    Constant(name="UNBOUNDED", value=0x7FFF_FFFF, doc="Payloads that request any number."),
    Constant(name="APART", value="20 ms", doc="Time between requests that are not one burst."),
    Constant(name="FRESH_LIMIT", value=2, doc="Sessions begun anew after lost connections."),
    Constant(name="FRESH", value="30 s", doc="Time in which a client comes back."),
    Constant(name="BEAT_LIMIT", value=5, doc="KEEPALIVEs in a row that come too early."),
    Constant(name="DOUBLE_LIMIT", value=8,
             doc="KEEPALIVEs in a row of which two come in each interval."),
    Constant(name="LATE_LIMIT", value=3, doc="REQUEST_N frames on a stream that has ended."),
    Constant(name="LATE_STREAMS", value=5, doc="Streams that are asked for more after their end."),
    Constant(name="LATE_TIME", value="200 ms", doc="Time after which no REQUEST_N is on its way."),
    Constant(name="PIECES_REFUSED", value=4, doc="Requests in fragments that are refused."),
    Constant(name="WHOLE_TAKEN", value=3, doc="Requests in one frame that are accepted."),
    Constant(name="LATE_CANCELS", value=4, doc="CANCEL frames on streams that have ended."),
    Constant(name="SHORT_KEEPALIVE", value=200, doc="Milliseconds of a short KEEPALIVE interval."),
    Constant(name="BROKEN_LIMIT", value=3, doc="Connections in a row with the same ERROR."),
    Constant(name="AGAIN_LIMIT", value=4, doc="The same stream requested in a row."),
    Constant(name="ANEW", value="150 ms", doc="Time from CANCEL to the request that replaces it."),
    Constant(name="SUBSCRIBED", value="300 ms", doc="Time that a subscription lasts at least."),
    Constant(name="ANEW_LIMIT", value=5, doc="Streams in a row that replace the one before."),
    Constant(name="OPEN_LIMIT", value=4, doc="Streams of one route that are left open."),
    Constant(name="BRIEF_LIMIT", value=4, doc="Channels for one payload each, in a row."),
    Constant(name="SPLIT_LIMIT", value=5, doc="Small frames that come in several packets."),
    Constant(name="RAISES", value=4, doc="Raises of the demand beyond which it only grows."),
    Constant(name="LOST_PINGS", value=3, doc="Pings of WebSocket that are not answered."),
    Constant(name="ECHO_LIMIT", value=2, doc="Channels whose first payload comes twice."),
    Constant(name="DEAF_LIMIT", value=5, doc="Payloads after the peer's CANCEL or ERROR."),
    Constant(name="DEAF", value="100 ms", doc="Time in which payloads may cross with it."),
    Constant(name="PACED", value="5 ms",
             doc="Time between payloads that have not waited in one buffer."),
    Constant(name="GONE_LIMIT", value=3, doc="Connections that end at the same frame in a row."),
    Constant(name="GONE", value="50 ms", doc="Time in which a client is gone after a frame."),
    Constant(name="GONE_PAUSE", value="30 s", doc="Longest time between two of them."),
    Constant(name="TRACED", value=16, doc="Requests of a side whose trace contexts are compared."),
    Constant(name="TRACE_LIMIT", value=5, doc="Requests in a row with one trace context."),
    Constant(name="JUDGED_FRAMES", value=64,
             doc="First frames of a side whose data is judged without a MIME type."),
    Constant(name="MULTIPLIED", value=3, doc="Connections in a row with more equal streams each."),
    Constant(name="SINGLE_LEASES", value=5, doc="Leases in a row of one request each."),
    Constant(name="EARLY_LEASES", value=4, doc="Leases in a row, each long before it is needed."),
    Constant(name="SHORT_LEASE", value=100, doc="Milliseconds of a lease that is over at once."),
    Constant(name="RESTORED", value="2 s",
             doc="Time in which a client that has reconnected requests its streams again."),
)  # fmt: skip

LOOPS: Final[tuple[Table, ...]] = (
    Action(on=_OPENING, when="complete",
           do=f"stream.asked = coalesce(digest(data), ''); stream.route = {_ROUTE}"),
    Repetition(
        name="refused",
        on="error",
        when="fields.stream_id > 0 and stream.asked is not None",
        per=f"{_PROGRAM}, {_QUESTION}",
        same="error_code",
        question="stream.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        success="end:stream",
        success_when="why == 'done' and stream.asked is not None",
    ),
    Repetition(
        name="refused_route",
        on="error",
        when="fields.stream_id > 0 and error_code != 513 and len(stream.route) > 0",
        per=f"{_PROGRAM}, stream.model, stream.route",
        same="error_code",
        question="stream.n",
        limit="ROUTE_LIMIT",
        pause="REFUSED_PAUSE",
        breaks="end:stream",
        breaks_when="why == 'done' and len(stream.route) > 0",
    ),
    Repetition(
        name="given_up",
        on="cancel",
        when="stream.model == 'request_response' and side == stream.owner and "
        "stream.state == 'open' and stream.asked is not None",
        per=f"{_PROGRAM}, {_QUESTION}",
        question="stream.n",
        limit="GIVEN_UP_LIMIT",
        pause="REFUSED_PAUSE",
        success="end:stream",
        success_when="why == 'done' and stream.asked is not None",
    ),
    Repetition(
        name="polled",
        on=_PAYLOAD,
        when="stream.model == 'request_response' and side != stream.owner and complete and "
        "stream.asked is not None",
        per="flow, stream.route, stream.asked",
        same="coalesce(digest(data), '')",
        question="stream.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="sent_again",
        on="request_fnf",
        when="complete",
        per="flow, coalesce(digest(metadata), ''), digest(data)",
        limit="POLL_LIMIT",
        pause="1 s",
        may_back_off=False,
    ),
    Repetition(
        name="pushed",
        on="metadata_push",
        per="flow, digest(metadata)",
        limit="PUSH_LIMIT",
        pause="1 s",
        may_back_off=False,
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
    Repetition(
        name="unsupported",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 2 and conn.state in ('open', 'resuming')",
        per="client, server",
        limit=1,
        may_back_off=False,
        success="server:payload server:response",
        success_when="conn.setup_n is not None and S.served_n is None",
    ),
    Repetition(
        name="cut_off",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 257 and error_data != 'Disposed'",
        per="client, server",
        limit=1,
        may_back_off=False,
        success="server:payload server:response",
        success_when="conn.setup_n is not None and S.served_n is None",
    ),
    Repetition(
        name="late_beat",
        on=_LIVES_ON,
        when="C.late_t is not None",
        per="conn",
        limit=1,
        may_back_off=False,
        success="client:keepalive",
    ),
    Action(on="timer:keepalive", do="C.late_t = t"),
    Action(on=f"client:keepalive {_LIVES_ON}", do="C.late_t = None"),
    Repetition(
        name="empty_lease",
        on="lease",
        when="peer.granted_n is None and (number_of_requests == 0 or time_to_live == 0)",
        per="flow, side",
        limit=1,
        may_back_off=False,
        success="lease",
        success_when="number_of_requests > 0 and time_to_live > 0",
    ),
    Repetition(
        name="rejected",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 3",
        per="client, server",
        limit=1,
        may_back_off=False,
        success="server:payload server:response",
        success_when="conn.setup_n is not None and S.served_n is None",
    ),
    Repetition(
        name="refused_alike",
        on="error",
        when="fields.stream_id > 0 and error_code == 513 and len(stream.route) > 0",
        per=f"{_PROGRAM}, stream.model, stream.route",
        same="error_data",
        question="stream.n",
        limit="ROUTE_LIMIT",
        pause="REFUSED_PAUSE",
        breaks="end:stream",
        breaks_when="why == 'done' and len(stream.route) > 0",
    ),
    Repetition(
        name="refused_bare",
        on="error",
        when="fields.stream_id > 0 and error_code == 513 and stream.route == '' and "
        "side != stream.owner and stream.items == 0",
        per=f"{_PROGRAM}, stream.owner",
        same="error_data",
        question="stream.n",
        limit="BARE_LIMIT",
        pause="REFUSED_PAUSE",
        breaks="end:stream",
        breaks_when="why == 'done' and stream.route == ''",
    ),
    Repetition(
        name="broken",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 257 and error_data != 'Disposed'",
        per="client, server",
        same="error_data",
        question="coalesce(C.last_n, n)",
        limit="BROKEN_LIMIT",
        pause="SETUP_PAUSE",
    ),
    Repetition(
        name="abandoned",
        on="client:error",
        when="fields.stream_id == 0 and error_code == 257 and conn.setup_n is not None and "
        "error_data != 'Disposed'",
        per="client, server",
        same="error_data",
        limit="BROKEN_LIMIT",
        pause="conn.max_lifetime * 1000000 + 10000000000",
        may_back_off=False,
    ),
    Action(on="any:unknown", when="key is not None", do="me.strange_n = n; me.strange = key"),
    Action(
        on="server:cancel server:request_n server:error server:lease server:request_response "
        "server:request_fnf server:request_stream server:request_channel server:metadata_push "
        "server:ext",
        do="S.sign = name; S.sign_n = n",
    ),
    Repetition(
        name="gone",
        on="client:tcp.close client:tcp.reset",
        when=f"{_LEAVES} and S.sign_n == S.last_n and t - S.last_t < GONE",
        per="client, server",
        same="S.sign",
        question="S.sign_n",
        limit="GONE_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
        breaks="client:tcp.close client:tcp.reset",
        breaks_when=f"{_LEAVES} and (S.sign_n < S.last_n or t - S.last_t >= GONE)",
    ),
    Repetition(
        name="requested_again",
        on=_SUBSCRIBING,
        when="complete",
        per="flow, name, coalesce(digest(metadata), ''), coalesce(digest(data), '')",
        limit="AGAIN_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Churn(
        name="reconnected",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and conn.refused_n is None and C.frames <= 4",
        limit="RECONNECT_LIMIT",
        pause="5 s",
    ),
    Churn(
        name="resumed_again",
        life="conn",
        per="client, server",
        when="conn.resumed_n is not None and C.frames <= 4",
        limit="RECONNECT_LIMIT",
        pause="5 s",
    ),
    Flood(
        name="beaten",
        on="keepalive",
        when="flags.respond and conn.keepalive > 0 and "
        "(coalesce(me.pulses, 0) + 1) * conn.keepalive * 1000000 > t - conn.t",
        per="me",
        every="conn.keepalive * 1000000",
        percent=20,
        limit="BEAT_LIMIT",
    ),
    Repetition(
        name="doubled_beats",
        on="client:keepalive",
        when=_DOUBLED,
        per="C",
        limit="DOUBLE_LIMIT",
        pause="conn.keepalive * 1500000",
        breaks="client:keepalive",
        breaks_when=f"flags.respond and not ({_DOUBLED})",
        may_back_off=False,
    ),
    Action(
        on="client:keepalive",
        when="flags.respond",
        do="C.beaten_t = C.beaten_last_t; C.beaten_last_t = t",
    ),
    # A timer that was held up sends together what was due meanwhile.
    Action(on="keepalive", when="flags.respond", do="me.pulses = coalesce(me.pulses, 0) + 1"),
)  # fmt: skip

LEAKS: Final[tuple[Table, ...]] = (
    Action(on=_OPENING, do="me.asked = coalesce(me.asked, 0) + 1"),
    Action(
        on="request_response",
        when="peer.frames == 0",
        do="me.due = coalesce(me.due, 0) + 1; me.due_t = coalesce(me.due_t, t)",
    ),
    Leak(
        name="idle_connections",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and coalesce(C.asked, 0) <= 1 and "
        "coalesce(S.asked, 0) == 0 and conn.last_t - conn.t > IDLE",
        limit="IDLE_LIMIT",
        percent_left=50,
    ),
    Action(on=f"server:{_PAYLOAD.replace(' ', ' server:')}", do="conn.item_t = t"),
    Leak(
        name="called_once",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and C.asked == 1 and coalesce(S.asked, 0) == 0 and "
        "t - conn.item_t > IDLE",
        limit="CALLED_LIMIT",
        percent_left=80,
    ),
    Churn(
        name="cancelled_at_once",
        life="stream",
        per="flow",
        when="stream.state == 'cancelled' and stream.items == 0 and "
        "stream.last_t - stream.t <= AT_ONCE",
        limit="CANCEL_LIMIT",
    ),
    Churn(
        name="only_first",
        life="stream",
        per="flow",
        when="stream.model == 'request_stream' and stream.state == 'cancelled' and "
        "stream.items == 1",
        limit="FIRST_LIMIT",
    ),
    Repetition(
        name="cut_short",
        on="cancel",
        when="stream.model in ('request_stream', 'request_channel') and side == stream.owner and "
        "stream.items > 1 and stream.credit > stream.items * EXCESS and "
        f"(stream.state in {_OPEN!r} or stream.state == 'done' and t - stream.ended_t < CROSSING)",
        per="flow, stream.model",
        question="stream.n",
        limit="FIRST_LIMIT",
        may_back_off=False,
    ),
    Action(
        on="cancel",
        when="side == stream.owner and stream.model == 'request_stream' and stream.items > 0 and "
        "stream.credit > stream.items and t - stream.t >= SUBSCRIBED and "
        f"stream.state in {_OPEN!r}",
        do="me.dropped_t = t; me.dropped_route = stream.route; me.dropped_asked = stream.asked",
    ),
    Repetition(
        name="asked_anew",
        on="request_stream",
        when=_ANEW,
        per="flow",
        limit="ANEW_LIMIT",
        pause="30 s",
        breaks="request_stream",
        breaks_when=f"not ({_ANEW})",
        may_back_off=False,
    ),
    Churn(
        name="single_streams",
        life="stream",
        per="flow",
        when="stream.model == 'request_stream' and stream.state == 'done' and stream.items == 1",
        limit="BRIEF_LIMIT",
    ),
    Leak(
        name="pending",
        life="stream",
        when="stream.model == 'request_response' and stream.items == 0 and "
        "conn.last_t - stream.t > PENDING and not conn.resumable and "
        "stream.t < coalesce(S.closed_t, t)",
        limit="PENDING_LIMIT",
    ),
    Lifecycle(
        name="twin",
        scope="capture",
        doc="Streams with one request, of a client.",
        key={
            _SUBSCRIBING: f"client, server, {_ROUTE}, coalesce(digest(data), '')",
            "end:stream": "(client, server, stream.route, stream.asked) "
            "if stream.model in ('request_stream', 'request_channel') else None",
        },
    ),
    Action(
        on=_SUBSCRIBING,
        when="complete and twin.flow == flow and twin.open > 0 and t - twin.opened_t > APART",
        do="stream.twin_n = twin.opened_n",
    ),
    Action(
        on=_SUBSCRIBING,
        when="complete",
        do="twin.open = (twin.open if twin.flow == flow else 0) + 1; twin.flow = flow; "
        "twin.opened_n = n; twin.opened_t = t; twin.token = conn.token",
    ),
    Lifecycle(
        name="holder",
        scope="capture",
        doc="The connection that has the streams of a session, while it is open.",
        key={
            _SUBSCRIBING: "(server, twin.token) if twin.token is not None else None",
            "setup": "(server, resume_identification_token) "
            "if resume_identification_token is not None else None",
            "resume_ok tcp.close tcp.reset": "(server, conn.token) if conn.token is not None "
            "else None",
        },
    ),
    Action(on="setup resume_ok", do="holder.flow = flow"),
    Action(
        on="tcp.close tcp.reset",
        when="holder.flow == flow",
        do="holder.flow = None",
    ),
    Action(
        on="end:stream",
        when="why in ('closed', 'reset') and stream.items > 0 and conn.token is None and "
        f"stream.state in {_OPEN!r}",
        do="twin.cuts = coalesce(twin.cuts, 0) + 1; twin.cut_flow = flow; "
        "twin.cut_items = stream.items; twin.cut_n = stream.n; "
        "twin.own_cuts = coalesce(twin.own_cuts, 0) + 1 if conn.left == 1 else 0",
    ),
    Lifecycle(
        name="hasty",
        scope="capture",
        doc="A client that has closed a connection while it waited for an answer.",
        key={
            _SUBSCRIBING: "(client, server) if twin.own_cuts >= OWN_CUTS else None",
            "end:stream": "(client, server) if conn.left == 1 and "
            "stream.model == 'request_response' and stream.state == 'open' else None",
        },
        most=4096,
    ),
    Action(
        on="end:stream",
        when="conn.left == 1 and why in ('closed', 'reset') and stream.state == 'open' and "
        "stream.model == 'request_response' and stream.items == 0 and stream.owner == C.side and "
        "conn.over_n is None",
        do="hasty.flow = flow; hasty.t_of = t; hasty.waited_n = stream.n; "
        "hasty.waited = conn.last_t - stream.t",
    ),
    Action(
        on="end:stream",
        when="twin.flow == flow or twin.token == conn.token",
        do="twin.open = twin.open - 1",
    ),
    Leak(
        name="left_running",
        life="stream",
        when="stream.twin_n is not None and stream.items > 0",
        limit=1,
    ),
    Leak(
        name="left_open",
        life="stream",
        when="stream.model in ('request_stream', 'request_channel') and stream.items > 0 and "
        "stream.apart == 1 and stream.twin_n is None",
        limit="OPEN_LIMIT",
        percent_ended=20,
    ),
    Action(
        on=_SUBSCRIBING,
        do="stream.apart = 1 if t - me.streamed_t > APART else 0; me.streamed_t = t",
    ),
    Churn(
        name="brief_channels",
        life="stream",
        per="flow",
        when="stream.model == 'request_channel' and stream.state == 'done' and "
        "stream.items == 1 and stream.own_items == 0",
        limit="BRIEF_LIMIT",
    ),
    Lifecycle(
        name="comer",
        scope="capture",
        doc="A client that can resume its sessions, by its address.",
        key={
            "client:tcp.close client:tcp.reset server:tcp.close server:tcp.reset "
            "setup resume end:conn": "(client, server) if conn.resumable or "
            "conn.setup_n is None else None",
        },
    ),
    Action(
        on="tcp.close tcp.reset",
        when="conn.setup_n is not None and live(stream) > 0 and comer.lost_n is None",
        do="comer.lost_n = conn.last_n; comer.lost_t = t; comer.lost_flow = flow",
    ),
    Action(on="resume", do="comer.lost_n = None; comer.fresh = 0"),
    Action(
        on="setup",
        when="comer.lost_n is not None",
        do="comer.fresh = coalesce(comer.fresh, 0) + 1 if t - comer.lost_t < FRESH else 0; "
        "comer.former_n = comer.lost_n; comer.lost_n = None",
    ),
    SharedIdentity(
        name="shared_token",
        life="conn",
        on="setup resume",
        when="resume_identification_token is not None",
        key="server, resume_identification_token",
        end_key="server, conn.token",
        used="C.last_n",
    ),
)

RECONNECTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="before",
        scope="capture",
        doc="The streams of a client, by its address, when its connection was lost.",
        key={
            "setup end:stream": "(client, server) if conn.setup_n is None or not conn.resumable "
            "else None"
        },
    ),
    Action(
        on="end:stream",
        when="why in ('closed', 'reset') and conn.left is None and stream.owner == C.side and "
        "stream.model in ('request_stream', 'request_channel') and stream.items > 0 and "
        f"stream.state in {_OPEN!r}",
        do="before.mixed = 1 if before.flow != flow else before.mixed; before.flow = flow; "
        "before.lost = coalesce(before.lost, 0) + 1; before.lost_n = stream.item_n; "
        "before.lost_t = conn.last_t; before.data_type = conn.data_mime_type; "
        "before.metadata_type = conn.metadata_mime_type; "
        "before.keepalive = conn.keepalive; before.lifetime = conn.max_lifetime; "
        "before.payload_n = conn.payload_n; before.setup_n = conn.setup_n",
    ),
    Action(on="client:tcp.close client:tcp.reset", when="S.closed_n is None", do="conn.left = 1"),
    Action(on="setup", when="len(data) > 0 or len(metadata) > 0", do="conn.payload_n = n"),
    Action(
        on="setup",
        when="before.mixed is None and t - before.lost_t < FRESH and "
        "data_mime_type == before.data_type and metadata_mime_type == before.metadata_type and "
        "time_between_keepalive_frames == before.keepalive and max_lifetime == before.lifetime",
        do="conn.lost = before.lost; conn.lost_by = before.lost_n",
    ),
    Action(on="setup", do="before.lost = None; before.flow = None; before.mixed = None"),
    Action(
        on=_SUBSCRIBING,
        when="sender == 'client'",
        do="conn.subscribed = coalesce(conn.subscribed, 0) + 1",
    ),
)

MULTIPLYING: Final[tuple[Table, ...]] = (
    Action(
        on=_SUBSCRIBING,
        when="complete and twin.counted_flow != flow",
        do="twin.grown = coalesce(twin.grown, 1) + 1 if twin.count > twin.former "
        "else 1; twin.former = twin.count; twin.count = 0",
    ),
    Action(
        on=_SUBSCRIBING,
        when="complete",
        do="twin.counted_flow = flow; twin.count = coalesce(twin.count, 0) + 1",
    ),
)
"""How often one stream is requested on each connection of a client."""

CONTENTS: Final[tuple[Table, ...]] = (
    Action(
        on=_OPENING,
        when="complete and coalesce(me.asked, 0) <= TRACED and 16 <= len(metadata) <= 4096",
        do="put(me.traced, (n, metadata, coalesce(digest(data), '')))",
    ),
    Action(
        on="setup",
        when="4 <= len(metadata) <= 4096",
        do="conn.setup_metadata = metadata",
    ),
    Action(on=_OPENING, when="len(metadata) > 0", do="me.routed_n = n"),
    Action(
        on=_OPENING,
        when="complete and coalesce(len(metadata), 0) == 0 and me.routed_n is None",
        do="stream.unrouted_n = n",
    ),
    Action(
        on="end:stream",
        when="why == 'done' and stream.unrouted_n is not None",
        do="conn.needs_no_route = 1",
    ),
    Action(
        on=_OPENING,
        when="complete and coalesce(me.asked, 0) <= TRACED and len(metadata) <= 1024",
        do="stream.metadata = metadata",
    ),
    Lifecycle(
        name="served",
        scope="capture",
        doc="The metadata of the first requests that a server has answered.",
        key={"end:stream error": "server if stream.metadata is not None else None"},
        most=1024,
    ),
    Action(
        on="end:stream",
        when="stream.metadata is not None and why == 'done' and "
        "coalesce(count(served.metadata), 0) < 64",
        do="put(served.metadata, stream.metadata)",
    ),
    Repetition(
        name="single_leases",
        on="lease",
        when="number_of_requests == 1",
        per="me",
        limit="SINGLE_LEASES",
        pause="10 s",
        may_back_off=False,
    ),
    Repetition(
        name="early_leases",
        on="lease",
        when=_EARLY_LEASE,
        per="me",
        limit="EARLY_LEASES",
        pause="60 s",
        breaks="lease",
        breaks_when=f"not ({_EARLY_LEASE})",
        may_back_off=False,
    ),
    Action(
        on="lease",
        do="me.lease_allows = number_of_requests; me.lease_lasts = time_to_live; "
        "me.lease_given_t = t; me.lease_given_n = n; me.lease_taken = 0",
    ),
    Action(on=_OPENING, do="peer.lease_taken = peer.lease_taken + 1"),
)
"""What requests say of themselves, and leases."""

WASTE: Final[tuple[Table, ...]] = (
    Action(
        on=f"{_OPENING} payload",
        when="complete and len(metadata) >= LARGE_METADATA",
        do="me.same_metadata = coalesce(me.same_metadata, 0) + 1 "
        "if digest(metadata) == me.large_metadata else 1; me.large_metadata = digest(metadata); "
        "me.large_n = n",
    ),
    Lifecycle(
        name="alike",
        scope="connection",
        doc="The requests of one content that have no response yet.",
        key={
            "request_response": f"({_ROUTE}, coalesce(digest(data), '')) if complete else None",
            "end:stream": "(stream.route, stream.asked) if stream.model == 'request_response' "
            "else None",
        },
        most=1024,
    ),
    Action(
        on="request_response",
        when="complete and len(data) > 0",
        do="alike.second_n = coalesce(alike.second_n, n) if alike.open > 0 else None; "
        "alike.open = coalesce(alike.open, 0) + 1; alike.latest_n = n",
    ),
    Action(
        on="end:stream",
        when="stream.model == 'request_response' and alike.open > 0",
        do="alike.open = alike.open - 1; "
        "alike.given_up = 1 if stream.state == 'cancelled' else alike.given_up",
    ),
    Action(
        on="end:stream",
        when="alike.given_up == 1 and stream.state == 'done' and stream.items > 0",
        do="alike.given_up = None; conn.helped = 1",
    ),
    Ratio(
        name="split",
        per="conn",
        of=Count("client:any", "pieces > 1 and size < 1400"),
        to="C.frames",
        least="SPLIT_LIMIT",
        percent=50,
    ),
    Action(
        on="payload",
        when="complete and stream.pieces >= FEW_PIECES and size < SMALL_PIECE",
        do="me.shredded = coalesce(me.shredded, 0) + 1; me.shredded_n = n",
    ),
    Action(on=_SUBSCRIBING, do="stream.wanted = initial_request_n; stream.raises = 0"),
    Action(
        on="request_n",
        when="side == stream.owner",
        do="stream.raises = stream.raises + (1 if stream.credit > stream.most else 0); "
        "stream.most = max(coalesce(stream.most, stream.wanted), stream.credit)",
    ),
    Ratio(
        name="singly",
        per="stream",
        of=Count("request_n", "side == stream.owner and request_n == 1 and stream.credit <= 1"),
        to="stream.items",
        least="SINGLE_LIMIT",
        percent=60,
    ),
    Ratio(
        name="own_singly",
        per="stream",
        of=Count("request_n", "side != stream.owner and request_n == 1 and stream.own_credit <= 1"),
        to="stream.own_items",
        least="SINGLE_LIMIT",
        percent=60,
    ),
    RoundTrips(
        name="asked_singly",
        ask="request_response",
        when="complete",
        answer="payload",
        answer_when="stream.model == 'request_response' and side != stream.owner and complete",
        per=f"flow, {_ROUTE}",
        keys={"payload": "flow, stream.route"},
        distinct="coalesce(digest(data), '')",
        limit="STEP_LIMIT",
    ),
    Action(
        on=f"{_OPENING} payload",
        when="not complete",
        do="stream.pieces = coalesce(stream.pieces, 0) + 1",
    ),
    Action(on="payload", when="complete and stream.pieces is not None", do="stream.pieces = None"),
    Action(on=_OPENING, when="not complete", do="stream.in_pieces = 1"),
    Action(
        on="payload",
        when="side != stream.owner and stream.heard_n is None",
        do="stream.heard_n = n; "
        "me.took_pieces = coalesce(me.took_pieces, 0) + (1 if stream.in_pieces == 1 else 0); "
        "me.took_whole = coalesce(me.took_whole, 0) + (0 if stream.in_pieces == 1 else 1)",
    ),
    Action(
        on="error",
        when="side != stream.owner and stream.heard_n is None",
        do="stream.heard_n = n; "
        "me.refused_pieces = coalesce(me.refused_pieces, 0) + (1 if stream.in_pieces == 1 else 0); "
        "me.refused_whole = coalesce(me.refused_whole, 0) + (0 if stream.in_pieces == 1 else 1)",
    ),
    Backlog(
        name="ws_pings",
        ask="websocket.ping",
        answer="websocket.pong",
        per="conn",
        limit="LOST_PINGS",
    ),
    Forbidden(
        name="late_cancel",
        on="cancel",
        when="stream.state == 'done' and side == stream.owner",
        per="conn",
        since="stream.ended_t",
        race="5 ms",
        limit="LATE_CANCELS",
    ),
    Action(
        on="cancel error",
        when=f"stream.state in {_OPEN!r}",
        do="stream.stop_t = t; stream.stop_n = n; stream.stop_side = side; stream.deaf_t = None",
    ),
    Forbidden(
        name="deaf",
        on="payload",
        when="stream.stop_t is not None and side != stream.stop_side and complete and flags.next "
        "and (t - stream.deaf_t > PACED if t - stream.stop_t <= CROSSING "
        f"else stream.state not in {_ENDED!r})",
        per="stream",
        since="stream.stop_t",
        race="DEAF",
        limit="DEAF_LIMIT",
    ),
    Action(on="payload", when="side != stream.stop_side", do="stream.deaf_t = t"),
    Forbidden(
        name="late_request_n",
        on="request_n",
        when="stream.ended_t is not None",
        per="stream",
        since="stream.ended_t",
        race="50 ms",
        limit="LATE_LIMIT",
    ),
    Forbidden(
        name="late_demands",
        on="request_n",
        when="stream.ended_t is not None and stream.late_n is None",
        per="conn",
        since="stream.ended_t",
        race="LATE_TIME",
        limit="LATE_STREAMS",
    ),
    Action(
        on="request_n",
        when="stream.ended_t is not None and t - stream.ended_t > LATE_TIME",
        do="stream.late_n = n",
    ),
)

RESENT: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="spot",
        scope="capture",
        doc="A frame of a client in a session that can be resumed, by the position where it "
        "begins.",
        key={
            _OF_CLIENT: "(server, conn.token, session.client_sent) "
            "if conn.token is not None and fields.stream_id > 0 else None"
        },
    ),
    Lifecycle(
        name="asked_once",
        scope="capture",
        doc="A request in a session that can be resumed, by its stream.",
        key={
            _REQUESTS: "(server, conn.token, fields.stream_id) if conn.token is not None else None"
        },
    ),
    Action(
        on=_OF_CLIENT,
        when="conn.resumed_n is not None and spot.n_of is not None and conn.strayed_n is None and "
        f"({_STRAYS})",
        do="conn.strayed_n = n",
    ),
    Action(
        on=_OF_CLIENT,
        when="conn.token is not None",
        do="spot.what = name; spot.stream = fields.stream_id; spot.size = size; spot.n_of = n",
    ),
    Lifecycle(
        name="place",
        scope="capture",
        doc="A frame of a server in a session that can be resumed, by the position where it "
        "begins.",
        key={
            _OF_SERVER: "(server, conn.token, session.server_sent) "
            "if conn.token is not None and fields.stream_id > 0 else None"
        },
    ),
    Action(
        on=_OF_SERVER,
        when="conn.resumed_n is not None and place.n_of is not None and conn.slipped_n is None and "
        f"({_SLIPS})",
        do="conn.slipped_n = n",
    ),
    Action(
        on=_OF_SERVER,
        when="conn.token is not None",
        do="place.what = name; place.stream = fields.stream_id; place.size = size; place.n_of = n",
    ),
    Action(
        on=_REQUESTS,
        when="conn.token is not None",
        do="asked_once.n_of = n; asked_once.flow = flow; asked_once.ends = session.client_sent",
    ),
)
"""What both sides send after RESUME_OK, and what they had sent before."""

ITEMS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="echoing",
        scope="capture",
        doc="The channels of a client whose first payload is that of the request again.",
        key={
            "client:payload": "(client, server) if stream.model == 'request_channel' and "
            "stream.own_items == 0 else None"
        },
    ),
    Action(
        on="client:payload",
        when=_FIRST_COUNTED,
        do="echoing.channels = coalesce(echoing.channels, 0) + 1; put(echoing.items, stream.asked)",
    ),
    Action(
        on="client:payload",
        when=f"{_FIRST_COUNTED} and digest(data) == stream.asked",
        do="echoing.same = coalesce(echoing.same, 0) + 1; stream.echoed_n = n",
    ),
)
"""First payloads of channels."""

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS,
    *LOOPS,
    *LEAKS,
    *RECONNECTS,
    *MULTIPLYING,
    *CONTENTS,
    *WASTE,
    *RESENT,
    *ITEMS,
)
"""Part of the tables of the protocol."""
