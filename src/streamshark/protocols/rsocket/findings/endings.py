"""Rules for how connections and streams end, and what is asked again."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.conversations import OPENING, PAYLOAD
from streamshark.protocols.rsocket.endings import LATEST, PUSHED, SERVER_LEAVES, STILL_OPEN

LAST_FRAMES: Final = (
    Rule(
        id="RSK-B83",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection ended by the server right after a frame of the client",
        on="server:tcp.close server:tcp.reset server:websocket.close",
        when=SERVER_LEAVES,
        needs="start whole both",
        of="conn",
        evidence="C.act_n, conn.setup_n",
        message="the server ended the connection {t - C.last_t:time} after the client's {C.act}, "
        "without an answer and without ERROR",
        cause="The server fails when it handles the frame, or is stopped; it has to answer with "
        "ERROR.",
        source="Protocol.md, ERROR Frame (0x0B); Error Codes; rsocket-go issue 119",
        healthy="A server that is stopped at this moment.",
        guilty="server",
    ),
    Rule(
        id="RSK-B83b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections ended by the server right after the same frame",
        on="repetition:server_gone",
        needs="start whole both",
        evidence="C.act_n, server_gone.second_n, server_gone.first_n",
        message="{GONE_LIMIT} connections in a row were ended by the server, without ERROR, within "
        "{GONE:time} after the same {C.act} of the client",
        cause="The server fails when it handles the frame, and the client sends it again on its "
        "next connection.",
        source="Protocol.md, ERROR Frame (0x0B); Error Codes; rsocket-go issue 119",
    ),
    Rule(
        id="RSK-B83c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections ended by the server right after the client's first ERROR or CANCEL",
        on="repetition:server_gone_at_ending",
        needs="start whole both",
        evidence="C.ending_n, server_gone_at_ending.second_n, server_gone_at_ending.first_n",
        message="{GONE_LIMIT} connections in a row were ended by the server, without ERROR, within "
        "{GONE:time} after the first {C.ending_of} of the client, while streams were open",
        cause="The server fails when the requester ends a stream, and all streams of the "
        "connection are lost with it.",
        source="Protocol.md, ERROR Frame (0x0B); CANCEL Frame (0x09); rsocket-go pull request 149",
    ),
    Rule(
        id="RSK-B84",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection ended by the client right after a frame that the server initiates",
        on="client:tcp.close client:tcp.reset client:websocket.close",
        when=f"S.sign in {PUSHED!r} and S.sign_n == S.last_n and t - S.last_t < GONE and "
        f"C.last_n < S.last_n and {STILL_OPEN}",
        needs="start whole both",
        of="conn",
        evidence="S.sign_n, conn.setup_n",
        message="the client ended the connection {t - S.last_t:time} after the server's {S.sign}, "
        "without an answer and without ERROR",
        cause="The client does not expect requests or metadata of the server, and fails when one "
        "comes: it has to answer with ERROR, or to ignore the frame.",
        source="Protocol.md, Handling the Unexpected; Connection Establishment",
        healthy="A client that is stopped at this moment.",
        guilty="client",
    ),
    Rule(
        id="RSK-B84b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection ended by the client right after a stream of it failed",
        on="client:tcp.close client:tcp.reset client:websocket.close",
        when="S.sign in ('error', 'cancel') and S.sign_n == S.last_n and t - S.last_t < GONE and "
        f"C.last_n < S.last_n and live(stream) > 0 and {STILL_OPEN}",
        needs="start whole both",
        of="conn",
        evidence="S.sign_n, conn.setup_n",
        message="the client ended the connection {t - S.last_t:time} after the server's {S.sign} "
        "on one stream, with {live(stream):count stream} open",
        cause="The client does not handle the end of the stream, and an exception ends the whole "
        "connection: a subscriber without an error callback, for example.",
        source="Protocol.md, ERROR Frame (0x0B); rsocket-java issue 858",
        healthy="A program that ends after a failure.",
        guilty="client",
        echo_of="RSK-B48",
    ),
    Rule(
        id="RSK-C36",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="frames sent after the sender's own connection ERROR (stream 0)",
        on=f"{OPENING} {PAYLOAD} request_n cancel keepalive metadata_push lease",
        when="conn.over_n is not None and side == conn.over_side and t > conn.over_t + OVER and "
        "conn.state != 'refused'",
        needs="since",
        of="conn",
        evidence="n, conn.over_n",
        message="the {sender} sent {name} {t - conn.over_t:time} after its own ERROR on stream 0, "
        "which ends the connection",
        cause="The sender says that the connection is over and goes on to use it: its peer "
        "processes nothing that comes after the ERROR.",
        source="Protocol.md, ERROR Frame (0x0B); Error Codes (CONNECTION_ERROR)",
    ),
    Rule(
        id="RSK-C36b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection left open after a connection ERROR",
        on="end:conn",
        when="conn.over_n is not None and conn.refused_n is None and "
        "coalesce(conn.left_t, t) - conn.over_t > REFUSED_TIME and "
        "coalesce(S.closed_t, t) - conn.over_t > REFUSED_TIME and why != 'reset'",
        needs="since both",
        evidence="conn.over_n",
        message="the connection was left open for "
        "{min(coalesce(conn.left_t, t), coalesce(S.closed_t, t)) - conn.over_t:time} after the "
        "ERROR on stream 0 that ended it",
        cause="The sender of the ERROR has to close the connection; streams and timers of both "
        "sides remain until then.",
        source="Protocol.md, Error Codes (CONNECTION_ERROR); rsocket-java issue 1126",
        healthy="The peer closes the connection a little later.",
        echo_of="RSK-C36 RSK-C34",
    ),
)

_SILENT: Final = (
    "stream.state in ('open', 'requester_done') and why in ('closed', 'reset', 'end') and "
    "conn.last_t - stream.last_t > STALLED and stream.credit > 0 and not conn.resumable"
)
"""A stream that nothing came on for some time, when its connection or the capture ends."""
_LONG_FOR: Final = (
    "stream.items >= PACE and ({0} - stream.last_t) * (stream.items - 1) > "
    "(stream.last_t - stream.first_item_t) * PAUSES"
)
"""The pause up to a time is long for the pace that the stream had."""

STREAMS: Final = (
    Rule(
        id="RSK-B86",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream that falls silent without an end",
        on="end:stream",
        when=f"{_SILENT} and {_LONG_FOR.format('conn.last_t')}",
        needs="object both",
        evidence="stream.item_n, stream.n",
        message="stream {stream.id} brought {stream.items:count payload}, then nothing for "
        "{conn.last_t - stream.last_t:time}, and neither COMPLETE nor ERROR, although more was "
        "requested",
        cause="The responder has lost the stream or its source, or the rest is lost between "
        "them; the requester waits without a timeout.",
        source="Protocol.md, Request Stream, Request Channel; rsocket-java issues 599 and 641",
        healthy="A subscription to events, of which there were no more.",
    ),
    Rule(
        id="RSK-B251",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="stream that is not completed after its last payload, unlike equal ones",
        on="cancel",
        when="side == stream.owner and stream.items == sized.items and "
        "stream.items >= SIZED and stream.credit > 0 and t - stream.last_t > SILENCE",
        needs="object both",
        of="conn",
        evidence="n, stream.item_n, sized.latest_n",
        message="stream {fields.stream_id} brought {stream.items:count payload}, as many as "
        "{sized.times:count stream} before that completed, and then nothing for "
        "{t - stream.last_t:time}, until the {sender} cancelled it: COMPLETE is missing",
        cause="The responder loses the end of the stream, such as a COMPLETE that is sent while "
        "the last payload is still being written.",
        source="Protocol.md, PAYLOAD Frame (0x0A), Complete; rsocket-java issue 641",
        healthy="A subscription to events that happened to have as many.",
        guilty="server",
    ),
    Rule(
        id="RSK-B224",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream that falls silent until its requester cancels it",
        on="cancel",
        when="side == stream.owner and t - stream.last_t > SILENCE and stream.credit > 0 and "
        f"stream.model in ('request_stream', 'request_channel') and {_LONG_FOR.format('t')}",
        needs="object both",
        of="stream",
        evidence="stream.item_n, n, stream.n",
        message="stream {fields.stream_id} brought {stream.items:count payload}, then nothing for "
        "{t - stream.last_t:time}, although {stream.credit} more were requested; then the "
        "{sender} cancelled it",
        cause="The responder has lost the stream or its source, and the requester gives it up.",
        source="Protocol.md, Request Stream, Request Channel; rsocket-java issue 599",
        healthy="A subscription to events, of which there were no more.",
    ),
    Rule(
        id="RSK-B87",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream without an end, unlike others of its route",
        on="end:stream",
        when=f"outcomes.done >= ENDED and stream.model != 'request_response' and {_SILENT}",
        needs="object both",
        of="conn",
        evidence="coalesce(stream.item_n, stream.n), stream.n, outcomes.done_n",
        message="stream {stream.id} had neither COMPLETE nor ERROR for "
        "{conn.last_t - stream.last_t:time}, while {outcomes.done} others with the same metadata "
        "have completed",
        cause="The responder has lost the stream, or fails without ERROR; the requester waits "
        "without a timeout.",
        source="Protocol.md, Request Stream, Request Channel; rsocket-java issue 641",
        healthy="A stream that takes longer than the others.",
        echo_of="RSK-B86 RSK-B71",
    ),
)

ASKED_AGAIN: Final = (
    Rule(
        id="RSK-B89",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection of a client that never carries a request",
        on="leak:unused",
        when="unused.left < unused.all",
        needs="",
        message="{unused.left} of {unused.all} connections of one client never carried a request",
        cause="The client connects more often than it needs: two callers connect at once, or a "
        "connection is not used after all.",
        source="Protocol.md, Connection Establishment",
        healthy="A connection pool, or one on which the server sends requests.",
        echo_of="RSK-B6",
    ),
    Rule(
        id="RSK-B90",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="request repeated that was unanswered on a lost connection",
        on="client:request_response",
        when="complete and lost_request.flow != flow and t - lost_request.t_of < FRESH and "
        "coalesce(C.asked, 0) <= FIRST_CALLS",
        needs="whole",
        of="lost_request",
        evidence="n, lost_request.n_of",
        message="{name} on stream {fields.stream_id} repeats the request of frame "
        "{lost_request.n_of}, whose connection was lost before its response",
        cause="The client repeats the request on its next connection; the server may have executed "
        "it already, and does so twice.",
        source="Protocol.md, Request Response; Resuming Operation",
        healthy="Requests that may be executed twice.",
        echo_of="RSK-B90b",
    ),
    Rule(
        id="RSK-B90b",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="request with which the server ends each connection",
        on="client:request_response",
        when="complete and lost_request.times == POISON_LIMIT - 1 and lost_request.flow != flow "
        "and t - lost_request.t_of < FRESH and coalesce(C.asked, 0) <= FIRST_CALLS",
        needs="whole",
        of="lost_request",
        evidence="n, lost_request.n_of",
        message="{name} on stream {fields.stream_id} is sent again, although the server ended "
        "{lost_request.times} connections in a row within {POISONED:time} after it, without an "
        "answer and without ERROR",
        cause="The server fails at this request, and the client sends it on each new connection.",
        source="Protocol.md, Request Response; rsocket-js issue 306",
        healthy="A server that is restarted twice at such a moment.",
    ),
)

LEFT_OPEN: Final = (
    Rule(
        id="RSK-B160",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request without a response, while later ones had theirs",
        on="end:stream",
        when="why in ('closed', 'reset') and stream.state in ('open', 'requester_done') and "
        "stream.model in ('request_response', 'request_stream', 'request_channel') and "
        "stream.items == 0 and stream.granted == 0 and coalesce(stream.credit, 1) > 0 and "
        "conn.served_of_n > stream.n and not conn.resumable",
        needs="object both whole",
        of="conn",
        evidence="stream.n, conn.served_of_n",
        message="{stream.model} on stream {stream.id} had no response when the connection ended, "
        "{conn.last_t - stream.t:time} after it, while the later request in frame "
        "{conn.served_of_n} had one",
        cause="The responder has lost the request, or its handler neither completes nor fails; or "
        "it takes longer than the later ones.",
        source="Protocol.md, Stream Sequences and Lifetimes",
        healthy="A program that ends while a request takes long.",
        echo_of="RSK-B8 RSK-B8b RSK-B9 RSK-B30 RSK-B54b RSK-B71 RSK-B102 RSK-B243",
    ),
    Rule(
        id="RSK-B160b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed by the client with an open stream (no CANCEL)",
        on="end:stream",
        when="why in ('closed', 'reset') and conn.left == 1 and stream.owner == C.side and "
        "stream.model in ('request_stream', 'request_channel') and stream.twin_n is None and "
        "stream.state in ('open', 'requester_done') and stream.credit > 0 and "
        "conn.over_n is None and conn.closing_n is None and not conn.resumable",
        needs="object both whole",
        of="conn",
        evidence="stream.n",
        message="the client closed the connection with {stream.model} on stream {stream.id} open, "
        "after {stream.items:count payload}",
        cause="The client does not cancel what it has requested before it leaves: for the "
        "responder it looks like a lost connection.",
        source="Protocol.md, CANCEL Frame (0x09); Stream Sequences and Lifetimes",
        healthy="A program that ends.",
        echo_of="RSK-B32 RSK-B55 RSK-B84 RSK-B84b RSK-B160",
    ),
    Rule(
        id="RSK-B161",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="frame right after the sender's own connection ERROR (stream 0)",
        on=f"{OPENING} {PAYLOAD} request_n cancel keepalive metadata_push lease error",
        when="conn.over_n is not None and side == conn.over_side and t <= conn.over_t + OVER",
        needs="since",
        of="conn",
        evidence="n, conn.over_n",
        message="the {sender} sent {name} right after its own ERROR on stream 0, which ends the "
        "connection",
        cause="The frame waited while the ERROR was sent, or the sender ends the connection twice: "
        "its peer processes nothing that comes after the ERROR.",
        source="Protocol.md, ERROR Frame (0x0B); Error Codes (CONNECTION_ERROR)",
        healthy="Several threads of one side.",
        echo_of="RSK-C36 RSK-C9",
    ),
    Rule(
        id="RSK-B166",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed by the server, without ERROR",
        on="server:tcp.close",
        when="conn.setup_n is not None and S.frames > 0 and conn.left_t is None and "
        "conn.over_n is None and conn.closing_n is None and conn.refused_n is None and "
        "conn.parted is None and C.beat_t is None and live(stream) == 0",
        needs="start whole both",
        of="conn",
        evidence="S.last_n",
        message="the server closed the connection {t - S.last_t:time} after its last frame, "
        "without ERROR on stream 0",
        cause="The server ends, or fails: CONNECTION_CLOSE, or CONNECTION_ERROR with a text, would "
        "let the client know the reason.",
        source="Protocol.md, Error Codes (CONNECTION_CLOSE)",
        healthy="A server that is stopped.",
        guilty="server",
        echo_of="RSK-B83 RSK-B241",
    ),
)

_SERVES_OTHERS: Final = "bank.of_t > away.lost_t"
"""The server has answered a request since it ended the connection."""

STAYS_AWAY: Final = (
    Rule(
        id="RSK-B222",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client that gives up a silent server and never connects again",
        on="end:away",
        when="t - away.since_t > AWAY",
        needs="",
        evidence="away.alive_n, away.heard_n",
        message="the client gave up its connection after {away.silent:time} without a frame of the "
        "server, and has not connected again for {t - away.since_t:time}",
        cause="The client keeps a connection that is closed: its requests fail from then on. It "
        "has to connect again, with pauses that grow.",
        source="Protocol.md, KEEPALIVE Frame (0x03); spring-boot issue 23178",
        healthy="The client's program has ended.",
    ),
    Rule(
        id="RSK-B240",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="server that is back, and to which its client does not connect again",
        on="end:away",
        when=f"patron.beat_t - away.lost_t > AWAY and {_SERVES_OTHERS}",
        needs="all",
        evidence="away.lost_n, bank.of_n, patron.beat_n",
        message="{away.server} ended the connection of {away.client} and answers others again; the "
        "client has been at work for {patron.beat_t - away.lost_t:time} since, and has not "
        "connected to this server again",
        cause="The client, or its load balancer, removes a target that fails for good: it has to "
        "try it again, with pauses that grow.",
        source="Protocol.md, Connection Establishment; rsocket-java issues 1095 and 1123",
        healthy="A server that was taken out of the client's list.",
        guilty="client",
    ),
    Rule(
        id="RSK-B240b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that does not come back to a server that ended its connection",
        on="end:away",
        when=f"t - away.lost_t > AWAY and {_SERVES_OTHERS}",
        needs="all",
        evidence="away.lost_n, bank.of_n",
        message="{away.server} ended the connection of {away.client} and answers others again; "
        "this client has not connected again for {t - away.lost_t:time}",
        cause="The client connects once, and keeps a connection that is closed: its requests fail "
        "from then on.",
        source="Protocol.md, Connection Establishment; rsocket-kotlin issue 309",
        healthy="The client's program has ended.",
        guilty="client",
        echo_of="RSK-B240",
    ),
)

IDLE_ENDS: Final = (
    Rule(
        id="RSK-B241",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="idle connections that end after the same time",
        on="repetition:idled",
        needs="start whole both",
        evidence="conn.setup_n, coalesce(S.last_n, C.last_n), idled.second_n, idled.first_n",
        message=f"{{AFTER_IDLING}} connections in a row ended {{t - {LATEST}:time}} after their "
        "last frame, before the next "
        "KEEPALIVE: SETUP has an interval of {conn.keepalive} ms",
        cause="A proxy, load balancer or firewall between client and server ends connections that "
        "are idle for so long, and KEEPALIVE comes too seldom to keep them.",
        source="Protocol.md, SETUP Frame (0x01), Time Between KEEPALIVE Frames; "
        "kubernetes/ingress-nginx issue 2917",
        healthy="A server that is meant to end idle connections.",
        guilty="client",
    ),
    Rule(
        id="RSK-B244",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of METADATA_PUSH",
        on="repetition:pushes",
        when="t - me.pushes_first_t <= (me.pushes_times + 1) * FLOOD_PACE",
        needs="since",
        evidence="n, me.pushes_second_n",
        message="the {sender} sent {me.pushes_times + 1} METADATA_PUSHes in a row within "
        "{t - me.pushes_first_t:time}",
        cause="Neither demand nor a lease limits METADATA_PUSH: the receiver handles each, or "
        "keeps it in memory.",
        source="Protocol.md, METADATA_PUSH Frame (0x0C); rsocket-java issue 865",
    ),
    Rule(
        id="RSK-B245",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections that their client closes before any request",
        on="repetition:unasked",
        needs="start whole both",
        evidence="conn.setup_n, unasked.second_n, unasked.first_n",
        message="{UNASKED_LIMIT} connections in a row were closed by the client after SETUP, "
        "without a request; the last one {t - C.last_t:time} after it",
        cause="The program ends before its request is written, or its time for connecting is too "
        "short and covers the first answer.",
        source="Protocol.md, Connection Establishment; making/rsc issue 18; "
        "vlingo/xoom-wire issue 30",
        healthy="A probe whether the server is up.",
        guilty="client",
    ),
)

FRAGMENTS_LOST: Final = (
    Rule(
        id="RSK-B243",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests in fragments that have no answer, unlike those in one frame",
        on="end:conn",
        when="C.mute_pieces >= PIECES_REFUSED and coalesce(S.took_pieces, 0) == 0 and "
        "S.took_whole >= WHOLE_TAKEN",
        needs="whole both",
        of="conn",
        evidence="C.mute_n",
        message="{C.mute_pieces} requests in fragments had no answer, and no other one either, "
        "while {S.took_whole} requests in one frame were answered",
        cause="The responder does not join the fragments of a request, or drops them.",
        source="Protocol.md, Fragmentation and Reassembly; rsocket-go issue 110",
        guilty="server",
    ),
)

ENDINGS: Final = (
    *LAST_FRAMES, *STREAMS, *ASKED_AGAIN, *LEFT_OPEN, *STAYS_AWAY, *IDLE_ENDS, *FRAGMENTS_LOST,
)  # fmt: skip
"""Rules for how connections and streams end."""
