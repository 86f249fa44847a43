"""What frames mean to each other: sessions, streams with their credit, leases, keepalives.

A stream is opened by either side, which is its `owner` and the requester. Its two halves end by
themselves: `requester_done` and `responder_done` are the states between. Of fragments only the last
one counts as a payload; complete, which real peers set on the first or on the last of them, takes
effect with the last.

Source: Protocol.md, "Stream Sequences and Lifetimes", "Flow Control", "Resuming Operation";
positions as rsocket-java counts them (bytes of frames on streams, without the length before them).
"""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import (
    Action,
    Constant,
    Context,
    CrossLink,
    Derived,
    Lifecycle,
    Pair,
    Table,
    Timer,
    Transition,
)
from streamshark.protocols.rsocket.answers import ANSWERS
from streamshark.protocols.rsocket.behaviours import BEHAVIOURS
from streamshark.protocols.rsocket.continuity import CONTINUITY
from streamshark.protocols.rsocket.endings import ENDINGS
from streamshark.protocols.rsocket.exchanges import EXCHANGES
from streamshark.protocols.rsocket.object_states import OBJECT_STATES
from streamshark.protocols.rsocket.pacing import PACING
from streamshark.protocols.rsocket.programs import PROGRAMS

LIVE: Final = "open requester_done responder_done"
"""States of a stream that continues."""
LIVE_STATES: Final = tuple(LIVE.split())
"""The same, for conditions."""
OPENING: Final = "request_response request_fnf request_stream request_sub request_channel"
PAYLOAD: Final = "payload response"
"""What brings payloads, in version 1.0 and in 0.1."""
TRACKED: Final = f"{OPENING} {PAYLOAD} request_n cancel error"
"""What positions count."""
POSITION: Final = "(size if conn.carried else size - 3)"
"""Bytes of a frame that positions count: the length before it on TCP is not."""
ANSWER: Final = "side != stream.owner"
"""The row is the responder's."""
ITEM: Final = "(flags.next or stream.answer_cut == 1)"
"""The last fragment of an answer, or all of it, ends a payload and not only the stream."""
END: Final = "(flags.complete or stream.answer_ends == 1)"
OWN_END: Final = "(flags.complete or stream.own_ends == 1)"

SLOW: Final = (
    "flags.respond and (t - coalesce(C.beat_t, conn.setup_t)) * 2 > conn.keepalive * 3000000"
)
"""A KEEPALIVE comes after one and a half of the interval that SETUP announces."""

_HEARD_T: Final = "max(coalesce(peer.alive_t, 0), coalesce(conn.setup_t, 0))"
HASTY: Final = (
    "fields.stream_id == 0 and error_code == 257 and conn.max_lifetime > 0 and "
    f"(t - {_HEARD_T}) * 10 < conn.max_lifetime * 9000000 and me.awaited_n is not None"
)
"""The connection is ended for want of a KEEPALIVE, long before the max lifetime is over."""

CONNECTION: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="conn",
        scope="connection:one",
        type="connection",
        steps=(
            Transition("absent unknown", "setup", "open"),
            Transition("absent unknown", "resume", "resuming"),
            Transition("resuming", "resume_ok", "open"),
            Transition("open resuming", "server:error", "refused",
                 "fields.stream_id == 0 and error_code <= 4"),
            Transition("open resuming", "error", "closing",
                 "fields.stream_id == 0 and error_code <= 258"),
            Transition("absent unknown", f"{OPENING} {PAYLOAD} request_n cancel keepalive lease",
                "open"),
        ),
        failed="refused",
        starts={"unanswered": 0, "orphans": 0},
        closing={"resuming": "'failed'"},
        measures={"keepalive_ms": "conn.keepalive", "max_lifetime_ms": "conn.max_lifetime",
                  "unanswered": "conn.unanswered", "orphans": "conn.orphans"},
        counted="unanswered orphans",
    ),
    Action(on="setup", when="conn.setup_n is None",
         do="conn.setup_n = n; conn.setup_t = t; conn.version = major_version; "
         "conn.minor = minor_version; "
         "conn.keepalive = time_between_keepalive_frames; conn.max_lifetime = max_lifetime; "
         "conn.leases = flags.lease; conn.resumable = flags.resume_enable; "
         "conn.data_mime_type = data_mime_type; "
         "conn.metadata_mime_type = metadata_mime_type if data_mime_type is not None else None"),
    Action(on="resume", do="conn.resume_n = n; conn.resumable = True; "
         "conn.first_available = first_available_client_position"),
    Action(on="any", when="conn.state == 'absent' and name not in ('setup', 'resume')",
         do="conn.unopened_n = coalesce(conn.unopened_n, n)"),
    Action(on=f"server:{' server:'.join((*PAYLOAD.split(), 'request_n', 'lease', 'keepalive'))}",
         do="S.served_n = coalesce(S.served_n, n)"),
    Action(on="server:error",
         when="fields.stream_id == 0 and error_code <= 4 and conn.state in ('open', 'resuming')",
         do="conn.refused_n = n; conn.refused_t = t"),
    Action(on=" ".join(f"server:{each}" for each in (*OPENING.split(), *PAYLOAD.split())),
         do="S.working_n = coalesce(S.working_n, n)"),
    Action(on="error",
         when="fields.stream_id == 0 and error_code != 258 and conn.over_n is None",
         do="conn.over_n = n; conn.over_t = t; conn.over_side = side"),
    Action(on="error", when="fields.stream_id == 0 and error_code == 258",
         do="conn.closing_n = coalesce(conn.closing_n, n)"),
    Pair(name="resume", request="resume", answers="resume_ok error", key="flow",
         keep="last_received_server_position as server_position",
         answer_when="fields.stream_id == 0", failed="name == 'error'"),
    Constant(name="OPEN_OBJECT", value=b"{", doc="First byte of a JSON object."),
    Constant(name="OPEN_WIDE", value=b"{\0", doc="The same in UTF-16."),
    Constant(name="OVER", value="500 ms",
             doc="Time in which frames may cross with the ERROR that ends their connection."),
    Constant(name="LONG_LIFETIME", value=600_000,
             doc="Milliseconds for which a lost peer should not stay unnoticed."),
    Constant(name="REFUSED_TIME", value="1 s",
             doc="Time within which a server closes a connection that it has refused."),
    Action(on="server:tcp.close server:tcp.reset", do="S.closed_n = 1"),
    Constant(name="HALF_OPEN", value="1 s",
             doc="Time in which a client notices that the server has closed the connection."),
    Action(on="server:tcp.close", do="S.closed_t = t"),
    Context(name="metadata_mime_type", value="conn.metadata_mime_type"),
    Context(name="data_mime_type", value="conn.data_mime_type"),
)  # fmt: skip

SESSIONS: Final[tuple[Table, ...]] = (
    Constant(name="MOST_ENDS", value=4096,
             doc="Ends of frames that are known of a session; with more, positions prove nothing."),
    Constant(name="HEARD", value="100 ms", doc="Time after which a frame has arrived."),
    Lifecycle(
        name="session",
        scope="capture",
        gathers=True,
        doc="The session that SETUP begins and RESUME continues, by its token.",
        key={
            "setup resume": "server, resume_identification_token",
            f"{TRACKED} keepalive resume_ok tcp.gap tcp.close tcp.reset":
                "server, conn.token",
        },
        steps=(
            Transition("absent unknown", "setup", "begun"),
            Transition("absent unknown", "resume", "tried"),
        ),
    ),
    Action(on="resume", when="conn.start", do="session.seen = 1"),
    Action(on="setup", when="resume_identification_token is not None",
         do="session.setup_n = n; session.major = major_version; session.minor = minor_version"),
    Action(on="setup resume", do="conn.token = resume_identification_token"),
    Action(on="error",
        when="fields.stream_id == 0 and error_code == 4 and conn.state == 'resuming'",
         do="session.refused_n = n"),
    # At most so many bytes of each side count for positions; lengths before frames are too many.
    Action(on="setup", when="conn.start", do="session.client_most = 0; session.server_most = 0"),
    Action(on=TRACKED, when="sender == 'client'",
         do="session.client_most = session.client_most + size"),
    Action(on=TRACKED, when="sender == 'server'",
         do="session.server_most = session.server_most + size"),
    Action(on="tcp.gap", do="session.client_most = None; session.server_most = None; "
         "session.client_sent = None; session.server_sent = None"),
    # Positions themselves, and what both sides continue with: streams, and what SETUP said.
    Action(on="setup", when="conn.start", do="session.client_sent = 0; session.server_sent = 0"),
    Action(on=TRACKED, when="sender == 'client' and fields.stream_id > 0",
         do=f"session.client_sent = session.client_sent + {POSITION}"),
    Action(on=TRACKED, when="sender == 'server' and fields.stream_id > 0",
         do=f"session.server_sent = session.server_sent + {POSITION}"),
    Action(on=TRACKED, when="sender == 'client' and conn.resumable and fields.stream_id > 0",
         do="put(session.client_ends, session.client_sent)"),
    Action(on=TRACKED, when="sender == 'server' and conn.resumable and fields.stream_id > 0",
         do="put(session.server_ends, session.server_sent)"),
    Action(on="setup",
         do="session.flow = flow; session.keepalive = conn.keepalive; "
         "session.max_lifetime = conn.max_lifetime; session.leases = conn.leases; "
         "session.data_mime_type = conn.data_mime_type; "
         "session.metadata_mime_type = conn.metadata_mime_type"),
    Action(on="resume_ok",
         do="conn.resumed_at = last_received_client_position; conn.resumed_n = n; "
         "conn.had_sent = session.client_sent; conn.had_served = session.server_sent"),
    Action(on="resume_ok",
         do="adopt(stream, session.flow, 1 if session.server_sent == req.server_position and "
         "session.client_sent == last_received_client_position else 0); "
         "session.flow = flow; session.server_sent = req.server_position; "
         "session.client_sent = last_received_client_position; "
         "conn.keepalive = session.keepalive; conn.max_lifetime = session.max_lifetime; "
         "conn.leases = session.leases; conn.data_mime_type = session.data_mime_type; "
         "conn.metadata_mime_type = session.metadata_mime_type"),
    # What the other side must have received: it has acted on it, or has been silent for a while.
    Action(on=f"{TRACKED} keepalive",
         when="sender == 'client' and conn.resumable and t - S.last_t > HEARD",
         do="session.client_heard = session.server_sent"),
    Action(on=OPENING, when="sender == 'client' and conn.resumable",
         do="stream.asked_to = session.client_sent"),
    Action(on=f"{PAYLOAD} error", when="sender == 'server' and stream.asked_to is not None",
         do="session.answered = max(coalesce(session.answered, 0), stream.asked_to); "
         "session.answered_n = stream.n"),
    # Only the end of a side shows that none of its bytes are missing.
    Action(on="resume", do="conn.client_whole = session.client_over"),
    Action(on="setup resume", do="session.client_over = None; session.server_over = None"),
    Action(on="client:tcp.close tcp.reset", do="session.client_over = 1"),
    Action(on="server:tcp.close tcp.reset", do="session.server_over = 1"),
    CrossLink(kind="rsocket session", role="leads", on="setup",
         key="server, resume_identification_token",
         when="resume_identification_token is not None"),
    CrossLink(kind="rsocket session", role="follows", on="resume",
         key="server, resume_identification_token"),
)  # fmt: skip

STREAMS: Final[tuple[Table, ...]] = (
    Constant(name="STALLED", value="1.5 s",
             doc="Silence of a stream after its last requested item, after which it is stalled."),
    Constant(name="BURST_IDS", value=32, doc="Ids that a burst of requests may mix up."),
    Constant(name="BURST_TIME", value="50 ms", doc="Time between the requests of a burst."),
    Constant(name="CHANNEL_GRANT", value="1 s",
             doc="Time within which a responder requests something of a channel."),
    Constant(name="CROSSING", value="500 ms",
             doc="Time in which a frame may cross with the end of its stream."),
    Constant(name="LAST_IDS", value=0x7FFF_FFFD,
             doc="Stream ids from it on are the last ones; the next begin anew."),
    Constant(name="SMALL_FRAGMENT", value=61,
             doc="Bytes of a fragment that is no last one: 64 with the length before it on TCP."),
    Lifecycle(
        name="stream",
        scope="connection",
        type="stream",
        key={f"{OPENING} {PAYLOAD} request_n cancel": "fields.stream_id",
             "error": "fields.stream_id if fields.stream_id > 0 else None"},
        steps=(
            Transition("absent", "request_response request_stream request_sub", "open"),
            Transition("absent", "request_channel", "requester_done",
                "flags.complete and complete"),
            Transition("absent", "request_channel", "open"),
            Transition("absent", "request_fnf", "sent", "complete"),
            Transition("absent", "request_fnf", "open"),
            Transition("unknown", f"{PAYLOAD} request_n", "open"),
            Transition(LIVE, "error", "failed"),
            Transition(LIVE, "cancel", "requester_done",
                 f"stream.model == 'request_channel' and {ANSWER} and stream.state == 'open'"),
            Transition(LIVE, "cancel", "done",
                 f"stream.model == 'request_channel' and {ANSWER} and "
                 "stream.state == 'responder_done'"),
            Transition(LIVE, "cancel", "cancelled", "side == stream.owner"),
            Transition("open", PAYLOAD, "sent",
                 "stream.model == 'request_fnf' and side == stream.owner and complete"),
            Transition("open", PAYLOAD, "done",
                 f"stream.model == 'request_response' and {ANSWER} and complete"),
            Transition("open", PAYLOAD, "done",
                 f"stream.model in ('request_stream', 'request_sub') and {ANSWER} and complete "
                 f"and {END}"),
            Transition("open", PAYLOAD, "responder_done",
                 f"stream.model == 'request_channel' and {ANSWER} and complete and {END}"),
            Transition("requester_done", PAYLOAD, "done", f"{ANSWER} and complete and {END}"),
            Transition("open", PAYLOAD, "requester_done",
                 "stream.model == 'request_channel' and side == stream.owner and complete and "
                 f"{OWN_END}"),
            Transition("responder_done", PAYLOAD, "done",
                 f"side == stream.owner and complete and {OWN_END}"),
        ),
        final="done sent cancelled failed",
        failed="failed",
        live=LIVE,
        starts={"items": 0, "own_items": 0, "granted": 0, "own_credit": 0, "starved": 0},
        measures={
            "credit": "stream.credit",
            "requested": "stream.requested",
            "items": "stream.items",
            "items_sent": "stream.own_items",
            "first_item_ns": "stream.first_item_t - stream.t",
            "starved_ns": "stream.starved",
        },
        counted="credit requested items items_sent first_item_ns starved_ns",
        # A session that can be resumed continues with its streams on the next connection.
        closing=dict.fromkeys(LIVE.split(), "'unknown' if conn.resumable else 'failed'")
        | {"unknown": "'unknown'"},
        survives="conn.resumable and conn.token is not None",
        most=16384,
    ),
    # What the request says. The fragments of a request are its sender's, and no payloads.
    Action(on=OPENING, when=f"stream.state not in {LIVE_STATES}",
         do="stream.model = name; stream.asking = 0 if complete else 1"),
    Action(on="request_stream request_channel",
         when=f"stream.state not in {LIVE_STATES}",
         do="stream.credit = initial_request_n; stream.requested = initial_request_n"),
    Action(on="request_channel", when="not complete and flags.complete", do="stream.own_ends = 1"),
    Action(on=OPENING, when="len(data) > 0 and not complete", do="stream.own_data = 1"),
    # Answers: pieces, then payloads.
    Action(on=PAYLOAD, when=f"{ANSWER} and not complete",
         do="stream.answer_cut = 1; stream.cut_n = coalesce(stream.cut_n, n)"),
    Action(on=PAYLOAD, when=f"{ANSWER} and not complete and flags.complete",
         do="stream.answer_ends = 1"),
    Action(on=PAYLOAD, when=f"{ANSWER} and not complete and len(data) > 0",
         do="stream.answer_data = 1"),
    Action(on="payload", when=f"{ANSWER} and complete and {ITEM}",
         do="stream.credit = stream.credit - 1; stream.items = coalesce(stream.items, 0) + 1; "
         "stream.first_item_t = coalesce(stream.first_item_t, t); stream.item_n = n"),
    Action(on=PAYLOAD, when=f"{ANSWER} and complete",
         do="stream.answer_cut = 0; stream.answer_data = 0; stream.cut_n = None"),
    Action(on="payload", when=f"stream.model == 'request_response' and {ANSWER} and complete and "
         f"not flags.complete and coalesce(stream.answer_ends, 0) == 0",
         do="stream.lacks_complete = coalesce(stream.lacks_complete, n)"),
    # What the requester sends: the rest of the request, then payloads of a channel.
    Action(on=PAYLOAD, when="side == stream.owner and not complete",
         do="stream.own_cut = 1; stream.own_cut_n = coalesce(stream.own_cut_n, n)"),
    Action(on=PAYLOAD, when="side == stream.owner and not complete and flags.complete",
         do="stream.own_ends = 1"),
    Action(on=PAYLOAD, when="side == stream.owner and not complete and len(data) > 0",
         do="stream.own_data = 1"),
    Action(on="payload",
         when="side == stream.owner and complete and stream.asking == 0 and "
         "(flags.next or stream.own_cut == 1)",
         do="stream.own_credit = stream.own_credit - 1; "
         "stream.own_items = coalesce(stream.own_items, 0) + 1"),
    Action(on=PAYLOAD, when="side == stream.owner and complete",
         do="stream.asking = 0; stream.own_cut = 0; stream.own_data = 0; "
         "stream.own_cut_n = None"),
    Action(on="request_n", when="side == stream.owner",
         do="stream.credit = stream.credit + request_n; "
         "stream.requested = stream.requested + request_n"),
    Action(on="request_n", when=ANSWER,
         do="stream.own_credit = stream.own_credit + request_n; stream.granted = 1"),
    # Time without credit, as long as the responder may still send.
    Action(on="request_stream request_channel", when="stream.credit <= 0",
         do="stream.empty_t = coalesce(stream.empty_t, t)"),
    Action(on="payload",
         when=f"{ANSWER} and complete and stream.credit <= 0 and not flags.complete and "
         "coalesce(stream.answer_ends, 0) == 0",
         do="stream.empty_t = coalesce(stream.empty_t, t)"),
    Action(on="payload", when=f"{ANSWER} and complete and {END} and stream.empty_t is not None",
         do="stream.starved = stream.starved + t - stream.empty_t; stream.empty_t = None"),
    Action(on="request_n", when="side == stream.owner and stream.empty_t is not None",
         do="stream.starved = stream.starved + t - stream.empty_t; stream.empty_t = None"),
    Action(on="end:stream",
         when="why in ('closed', 'reset') and stream.item_n is None and "
         "stream.model != 'request_fnf' and not conn.resumable",
         do="conn.unanswered = conn.unanswered + 1"),
    Action(on="end:stream", when="stream.empty_t is not None",
         do="stream.starved = stream.starved + t - stream.empty_t"),
    Action(on="error", when=f"stream.state in {LIVE_STATES}",
         do="stream.closer = side; stream.closer_n = n"),
    Action(on="cancel", when="side == stream.owner and "
         f"stream.state in {LIVE_STATES}",
         do="stream.closer = side; stream.closer_n = n"),
    Action(on="cancel", when=f"stream.model == 'request_channel' and {ANSWER}",
         do="stream.own_cancelled = n"),
    Action(on=OPENING,
         do="me.last_id = fields.stream_id if me.last_id >= LAST_IDS and "
         "fields.stream_id < LAST_IDS else max(coalesce(me.last_id, 0), fields.stream_id); "
         "me.opened_t = t; me.opened_n = n"),
    Pair(name="stream", request="request_response request_stream request_sub request_channel",
         answers=f"{PAYLOAD} error", key="fields.stream_id", type="", of="stream",
         when="stream.n == n",
         done=f"name == 'error' or (complete and ({END} or stream.model == 'request_response'))",
         failed="name == 'error'"),
)  # fmt: skip

LEASES: Final[tuple[Table, ...]] = (
    Constant(name="LEASE_GRACE", value="500 ms",
             doc="How long after its end a lease may still be used: it counts from its receipt."),
    Action(on="lease", when="number_of_requests > 0 and time_to_live > 0",
         do="peer.granted_n = coalesce(peer.granted_n, n)"),
    Action(on="lease", do="peer.budget = number_of_requests; peer.lease_n = n; "
         "peer.lease_end = t + time_to_live * 1000000"),
    Action(on=OPENING, when="conn.leases and (me.budget <= 0 or t > me.lease_end)",
         do="stream.over_lease_n = n"),
    Action(on=OPENING, when="conn.leases and me.budget == 1", do="me.spent_t = t; me.spent_n = n"),
    Action(on="lease", do="peer.spent_n = None"),
    Action(on=OPENING, when="conn.leases", do="me.budget = me.budget - 1"),
    Constant(name="LEASE_TIME", value="1 s",
             doc="Time within which LEASE follows a SETUP that asks for leases."),
)  # fmt: skip

KEEPALIVES: Final[tuple[Table, ...]] = (
    Constant(name="LATE_KEEPALIVES", value=3,
             doc="Intervals without KEEPALIVE after which the client is late."),
    Constant(name="SLOW_LIMIT", value=3, doc="KEEPALIVEs in a row that come too late."),
    Constant(name="LARGE_BEAT", value=256, doc="Bytes of a KEEPALIVE that are too many."),
    Constant(name="KEEPALIVE_ANSWER", value="1 s",
             doc="Time within which KEEPALIVE is answered, or half the lifetime if that is less."),
    Action(on="keepalive", when="not flags.respond and orphan",
         do="conn.orphans = conn.orphans + 1"),
    Pair(name="keepalive", request="keepalive", when="flags.respond", answers="keepalive",
         answer_when="not flags.respond", key="data", keep="", type=""),
    Action(on="keepalive", when="not flags.respond and not orphan",
         do="me.answered_t = t; me.answered_of_t = req.t"),
    Action(on="client:keepalive", do="C.keepalive_n = n"),
    Repetition(
        name="slow_beats",
        on="client:keepalive",
        when=f"{SLOW}",
        per="C",
        limit="SLOW_LIMIT",
        pause="conn.keepalive * 10000000",
        breaks="client:keepalive",
        breaks_when=f"not ({SLOW})",
        may_back_off=False,
    ),
    Action(on="client:keepalive", when="flags.respond", do="C.beat_t = t"),
    Action(on="client:keepalive", when="conn.resumable",
         do="C.stuck = coalesce(C.stuck, 0) + 1 if last_received_position == C.position and "
         "session.server_sent > C.beaten else 0; C.beaten = session.server_sent; "
         "session.client_had = max(coalesce(session.client_had, 0), last_received_position)"),
    Action(on="server:keepalive", when="conn.resumable",
         do="S.stuck = coalesce(S.stuck, 0) + 1 if last_received_position == S.position and "
         "session.client_sent > S.beaten else 0; S.beaten = session.client_sent"),
    Action(on="keepalive", do="me.position = last_received_position"),
    Action(on="error", when=HASTY, do="conn.hasty_n = n"),
    Action(on="keepalive", do="me.alive_t = t"),
    Action(on="keepalive", when="flags.respond",
         do="me.awaited_n = coalesce(me.awaited_n, n); me.awaited_t = coalesce(me.awaited_t, t)"),
    Action(on="keepalive", when="not flags.respond",
         do="peer.awaited_n = None; peer.awaited_t = None"),
    Timer(name="keepalive", of="C", on="client:setup client:keepalive", mode="again",
          when="conn.keepalive > 0", limit="conn.keepalive * LATE_KEEPALIVES * 1000000",
          clear="error tcp.close tcp.reset"),
)  # fmt: skip

DERIVED: Final[tuple[Table, ...]] = (
    Derived(name="credit_balance", on=f"request_stream request_channel request_n {PAYLOAD}",
            value="stream.credit", needs="object both", text="Credit balance: {}",
            when="stream.model in ('request_stream', 'request_channel')",
            doc="Payloads that the responder may still send, this frame counted."),
    Derived(name="requester_credit_balance", on=f"request_channel request_n {PAYLOAD}",
            value="stream.own_credit", needs="object both",
            text="Credit balance of the requester: {}",
            when="stream.model == 'request_channel'",
            doc="Payloads that the requester of a channel may still send, this frame counted."),
    Derived(name="time_to_first_payload", on="payload", value="t - stream.t",
            when=f"{ANSWER} and stream.items == 1 and stream.item_n == n", needs="object both",
            text="Time to first payload: {:time}",
            doc="Time from the request to the first payload, on the frame that ends it."),
    Derived(name="lease_left", on=OPENING, value="me.budget", when="conn.leases",
            needs="start whole both", text="Requests left of the lease: {}",
            doc="Requests that the sender's lease still allows, this frame counted."),
    Derived(name="duplicate_of", on=OPENING, value="stream.n",
            when=f"stream.n < n and stream.state in {LIVE_STATES}", needs="object",
            text="Duplicate of frame {}", mark="duplicate of {}",
            doc="The request that began the stream, whose id is in use still."),
    Derived(name="orphan", on=f"{PAYLOAD} request_n cancel", value="1",
            when="stream.state == 'absent'", text="No request seen for this stream",
            mark="no request seen", doc="1 for a frame on a stream that was not requested."),
    Derived(name="keepalive_orphan", on="keepalive", value="1",
            when="not flags.respond and orphan", needs="start whole both",
            text="No request seen for this answer", mark="no request seen",
            doc="1 for an answer to no KEEPALIVE with this data."),
)  # fmt: skip

CONVERSATIONS: Final[tuple[Table, ...]] = (
    *CONNECTION, *SESSIONS, *STREAMS, *LEASES, *KEEPALIVES, *DERIVED,
    *BEHAVIOURS, *EXCHANGES, *CONTINUITY, *ENDINGS, *OBJECT_STATES, *PROGRAMS, *ANSWERS,
    *PACING,
)  # fmt: skip
"""Read by the engine, `streamshark.conversations`."""
