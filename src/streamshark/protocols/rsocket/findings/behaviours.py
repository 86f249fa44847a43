"""Rules for what peers of RSocket do over time: loops, leaks, waste, shared tokens."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.behaviours import FIRST_OWN, SLIPPED, STRAYED

LOOPS: Final = (
    Rule(
        id="RSK-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated request after the same ERROR",
        on="repetition:refused",
        when="error_code != 513",
        needs="",
        evidence="stream.n, refused.second_n, n",
        message="the same {stream.model} was answered with ERROR {error_code:name} {REFUSED_LIMIT} "
        "times in a row: {error_data}",
        cause="The requester retries without a pause, whatever the reason.",
        source="Protocol.md, Error Codes (REJECTED); rsocket-java issue 1105",
    ),
    Rule(
        id="RSK-B1b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="repeated request after the same APPLICATION_ERROR",
        on="repetition:refused",
        when="error_code == 513",
        needs="",
        evidence="stream.n, refused.second_n, n",
        message="the same {stream.model} was answered with ERROR {error_code:name} {REFUSED_LIMIT} "
        "times in a row: {error_data}",
        cause="The requester retries without a pause, whatever the reason.",
        healthy="The handler fails for a reason that passes.",
        source="Protocol.md, Error Codes (REJECTED); rsocket-java issue 1105",
    ),
    Rule(
        id="RSK-B1c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests with the same metadata always refused",
        on="repetition:refused_route",
        needs="",
        evidence="stream.n, refused_route.second_n, n",
        message="{ROUTE_LIMIT} requests in a row with the same metadata were answered with ERROR "
        "{error_code:name}: {error_data}",
        cause="The requester ignores the errors, or the route does not exist.",
        source="Protocol.md, Error Codes",
        echo_of="RSK-B1",
    ),
    Rule(
        id="RSK-B1d",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests with the same metadata always answered with the same APPLICATION_ERROR",
        on="repetition:refused_alike",
        needs="",
        evidence="stream.n, refused_alike.second_n, n",
        message="{ROUTE_LIMIT} requests in a row with the same metadata were answered with ERROR "
        "{error_code:name}: {error_data}",
        cause="The route does not exist, or its handler fails for every request; the requester "
        "ignores the errors.",
        source="Protocol.md, Error Codes (APPLICATION_ERROR)",
        echo_of="RSK-B1 RSK-B1b",
    ),
    Rule(
        id="RSK-B141",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests without metadata always answered with the same APPLICATION_ERROR",
        on="repetition:refused_bare",
        needs="whole both",
        evidence="n, stream.n, refused_bare.second_n",
        message="{BARE_LIMIT} requests of the {'client' if stream.owner == C.side else 'server'} "
        "in a row, all without metadata, were answered with ERROR {error_code:name}: {error_data}",
        cause="The responder has no handler, or finds none without a route; the requester goes on "
        "all the same.",
        source="Protocol.md, Error Codes (APPLICATION_ERROR); rsocket-rust issue 32",
        echo_of="RSK-B1 RSK-B1b RSK-B221",
    ),
    Rule(
        id="RSK-B151",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests in fragments refused, and those in one frame accepted",
        on="error",
        when="stream.in_pieces == 1 and side != stream.owner and stream.heard_n is None and "
        "coalesce(me.refused_pieces, 0) + 1 == PIECES_REFUSED and "
        "coalesce(me.took_pieces, 0) == 0 and me.took_whole >= WHOLE_TAKEN and "
        "coalesce(me.refused_whole, 0) == 0",
        needs="whole both",
        of="stream",
        evidence="n, stream.n",
        message="{PIECES_REFUSED} requests in fragments were answered with ERROR, and none of them "
        "with a payload, while all {me.took_whole} requests in one frame were accepted; the last "
        "ERROR is {error_code:name}: {error_data}",
        cause="The responder does not join the fragments of a request, or refuses large requests.",
        source="Protocol.md, Fragmentation and Reassembly; rsocket-swift issue 37",
        echo_of="RSK-B1 RSK-B1b",
    ),
    Rule(
        id="RSK-B2",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reconnect after the same refusal of SETUP or RESUME",
        on="repetition:refused_setup",
        needs="",
        message="the server refused {SETUP_LIMIT} connections of {client} in a row with "
        "{error_code:name}: {error_data}",
        cause="The client connects again without a pause and with the same SETUP or RESUME.",
        source="Protocol.md, Error Codes (REJECTED_SETUP, REJECTED_RESUME)",
        echo_of="RSK-R4",
    ),
    Rule(
        id="RSK-B2b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reconnect after the same CONNECTION_ERROR",
        on="repetition:broken",
        needs="",
        message="the server ended {BROKEN_LIMIT} connections of {client} in a row with "
        "{error_code:name}: {error_data}",
        cause="The client connects again and sends what ended the connection before.",
        source="Protocol.md, Error Codes (CONNECTION_ERROR)",
    ),
    Rule(
        id="RSK-B2c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections given up by the client with the same CONNECTION_ERROR",
        on="repetition:abandoned",
        needs="",
        evidence="n, abandoned.second_n, abandoned.first_n",
        message="the client ended {BROKEN_LIMIT} connections in a row with {error_code:name}: "
        "{error_data}",
        cause="The client connects again and runs into the same: its lifetime may be shorter than "
        "the answers to KEEPALIVE take behind large streams or while it does not read.",
        source="Protocol.md, KEEPALIVE Frame; Error Codes (CONNECTION_ERROR); rsocket-java "
        "issue 712",
    ),
    Rule(
        id="RSK-B3",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived RSocket connections in a row",
        on="churn:reconnected",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row, "
        "each with at most 4 frames of the client",
        cause="The client connects for each request; one connection can carry any number of "
        "streams.",
        source="Protocol.md, Connection Establishment; rsocket-java issue 926",
        healthy="A command that is run repeatedly.",
        echo_of="RSK-B245",
    ),
    Rule(
        id="RSK-B3b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="session resumed repeatedly on short connections",
        on="churn:resumed_again",
        needs="",
        message="{client} resumed its session on {RECONNECT_LIMIT} connections in a row, each with "
        "at most 4 frames of the client",
        cause="Each connection is lost again at once: by a frame that the peer cannot process, or "
        "by a proxy.",
        source="Protocol.md, Resuming Operation",
    ),
    Rule(
        id="RSK-B4",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of KEEPALIVE frames",
        on="flood:beaten",
        needs="",
        message="the {sender} sent {BEAT_LIMIT} KEEPALIVEs with the respond flag in a row, each "
        "within a fifth of the interval of {conn.keepalive} ms after the previous one",
        cause="The sender sets the respond flag in its answers, so both sides answer each other "
        "endlessly, or its timer ignores the interval of SETUP.",
        source="Protocol.md, KEEPALIVE Frame; rsocket-java issue 194",
    ),
    Rule(
        id="RSK-B4b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="two KEEPALIVEs in each interval",
        on="repetition:doubled_beats",
        needs="since",
        evidence="n, C.doubled_beats_second_n, C.doubled_beats_first_n, conn.setup_n",
        message="the client sent {DOUBLE_LIMIT} KEEPALIVEs with the respond flag in a row, two in "
        "each interval of {conn.keepalive} ms",
        cause="Two timers run, such as that of the library and one of the program, or the timer "
        "has half the interval that SETUP announces.",
        source="Protocol.md, KEEPALIVE Frame (0x03); SETUP Frame (0x01)",
        healthy="A client that keeps connections open through a strict firewall.",
        echo_of="RSK-B4",
    ),
    Rule(
        id="RSK-B5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short KEEPALIVE interval",
        on="setup",
        when="0 < time_between_keepalive_frames < SHORT_KEEPALIVE",
        needs="",
        per="client, server, time_between_keepalive_frames",
        message="SETUP announces a KEEPALIVE every {time_between_keepalive_frames} ms",
        cause="The interval is in milliseconds; the client may mean seconds. Idle connections "
        "carry many frames, and a short pause of the peer ends them.",
        source="Protocol.md, SETUP Frame (Time Between KEEPALIVE Frames)",
        healthy="A network on which a lost connection must be noticed at once.",
    ),
)

AGAIN: Final = (
    Rule(
        id="RSK-B13",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request cancelled before its response and sent again",
        on="repetition:given_up",
        needs="since both",
        evidence="stream.n, given_up.second_n, n",
        message="the same request was cancelled before its response and sent again "
        "{GIVEN_UP_LIMIT} times in a row",
        cause="The requester's timeout is shorter than the time that the responder needs: each "
        "attempt begins the work again.",
        source="Protocol.md, CANCEL Frame; Request Response",
        echo_of="RSK-B7",
    ),
    Rule(
        id="RSK-B14",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same request polled for an unchanged response",
        on="repetition:polled",
        needs="",
        message="the same request had the same response {POLL_LIMIT} times in a row, at most "
        "{POLL_PAUSE:time} apart",
        cause="Each poll costs a round trip; with REQUEST_STREAM the responder sends only what "
        "is new.",
        source="Protocol.md, Request Response; Motivations.md, Interaction Models",
        healthy="A health check.",
    ),
    Rule(
        id="RSK-B15",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="REQUEST_FNF repeated with the same content",
        on="repetition:sent_again",
        needs="",
        message="REQUEST_FNF was sent {POLL_LIMIT} times in a row with the same metadata and data",
        cause="The sender repeats the message because it does not remember that it has sent it: "
        "REQUEST_FNF has no answer.",
        source="Protocol.md, REQUEST_FNF Frame",
        healthy="A signal that has no content of its own.",
    ),
    Rule(
        id="RSK-B16",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="METADATA_PUSH repeated with the same content",
        on="repetition:pushed",
        needs="",
        message="the same METADATA_PUSH was sent {PUSH_LIMIT} times in a row, at most 1 s apart",
        cause="Metadata of the connection stays valid: one push of each value is enough.",
        source="Protocol.md, METADATA_PUSH Frame",
        healthy="A peer that reports its state periodically.",
    ),
)

RECONNECTS: Final = (
    Rule(
        id="RSK-B28",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="streams not requested again after a reconnect",
        on="end:conn",
        when="conn.lost > coalesce(conn.subscribed, 0) and conn.last_t - conn.setup_t > RESTORED "
        "and (why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.setup_n, C.last_n, conn.lost_by",
        message="{client} lost a connection with {conn.lost:count stream} open and connected "
        "again, but requested {coalesce(conn.subscribed, 0):count stream} in "
        "{conn.last_t - conn.setup_t:time}",
        cause="Without RESUME the streams of a lost connection are over: the client has to request "
        "each of them again, and receives nothing until then.",
        source="Protocol.md, Connection Establishment; Resuming Operation; rsocket-java issue 900",
        healthy="The program was restarted and no longer needs the streams.",
        echo_of="RSK-B202",
    ),
    Rule(
        id="RSK-B29",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="SETUP without its payload after a reconnect",
        on="setup",
        when="len(data) == 0 and coalesce(len(metadata), 0) == 0 and before.payload_n is not None "
        "and before.mixed is None and t - before.lost_t < FRESH and "
        "data_mime_type == before.data_type and metadata_mime_type == before.metadata_type and "
        "time_between_keepalive_frames == before.keepalive and max_lifetime == before.lifetime",
        needs="",
        of="before",
        evidence="n, before.payload_n",
        message="SETUP has neither data nor metadata, unlike that of the lost connection in frame "
        "{before.payload_n}",
        cause="The client uses the payload of SETUP, such as its credentials, once.",
        source="Protocol.md, SETUP Frame (0x01); rsocket-java issue 842",
        healthy="Another program on the same host.",
    ),
    Rule(
        id="RSK-B30",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed by the client during its requests",
        on="end:stream",
        when="why in ('closed', 'reset') and conn.left == 1 and stream.owner == C.side and "
        "stream.model == 'request_response' and stream.items == 0 and stream.state == 'open' and "
        "conn.last_t - stream.t <= PENDING and conn.over_n is None and not conn.resumable",
        needs="start whole both",
        of="conn",
        evidence="stream.n",
        message="the client closed the connection {conn.last_t - stream.t:time} after its request "
        "on stream {stream.id}, which had no response yet",
        cause="The program ends, or disposes its connection, without waiting for the response.",
        source="Protocol.md, Request Response",
        healthy="A program that is stopped.",
    ),
    Rule(
        id="RSK-B190",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late response to REQUEST_RESPONSE",
        on="payload response error",
        when="t - req.t > LATE_REPLY and stream.model == 'request_response'",
        needs="since both",
        of="stream",
        evidence="stream.n, n",
        message="the request on stream {stream.id} had its response after {t - req.t:time}; most "
        "requesters have given up by then",
        cause="The responder is busy, or waits for something itself.",
        source="Protocol.md, Request Response",
        healthy="A long poll.",
    ),
)

LEAKS: Final = (
    Rule(
        id="RSK-B31",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same stream requested repeatedly",
        on="repetition:requested_again",
        needs="",
        per="client, server",
        message="{name} was sent {AGAIN_LIMIT} times in a row with the same metadata and data",
        cause="Each request begins the stream anew; one stream with REQUEST_N continues where it "
        "is.",
        source="Protocol.md, Request Stream; REQUEST_N Frame",
        healthy="A stream that is short, and whose content changes.",
    ),
    Rule(
        id="RSK-B32",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="streams left open until the connection ended (no CANCEL)",
        on="leak:left_open",
        needs="",
        message="{conn.left_open_left} streams, requested one after another, were open until the "
        "connection ended, and few had ended before",
        cause="The requester does not cancel the streams that it no longer reads; the responder "
        "keeps sending.",
        source="Protocol.md, CANCEL Frame",
        healthy="A program that needs all of these streams.",
    ),
    Rule(
        id="RSK-B33",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="channel opened for one payload each way",
        on="churn:brief_channels",
        needs="",
        message="{BRIEF_LIMIT} channels in a row carried one payload in each direction",
        cause="REQUEST_RESPONSE needs fewer frames for this; one channel can carry all payloads.",
        source="Protocol.md, Request Channel; Motivations.md, Interaction Models",
        healthy="Channels that are usually longer.",
    ),
    Rule(
        id="RSK-B33b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="streams of one payload each",
        on="churn:single_streams",
        needs="",
        message="{BRIEF_LIMIT} streams in a row completed after one payload",
        cause="REQUEST_RESPONSE needs fewer frames for this.",
        source="Protocol.md, Request Stream; Motivations.md, Interaction Models",
        healthy="Queries that return several payloads at other times.",
    ),
    Rule(
        id="RSK-B43",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream requested from its start after each lost connection",
        on="request_stream request_channel",
        when="complete and twin.cuts >= CUT_LIMIT and twin.cut_flow != flow",
        needs="start whole both",
        of="twin",
        evidence="n, twin.cut_n, twin.opened_n",
        message="{name} on stream {fields.stream_id} repeats a request whose stream was cut off "
        "{twin.cuts} times by the end of its connection, the last time after "
        "{twin.cut_items:count payload}",
        cause="All payloads are sent again from the first one: request where the last one left "
        "off, or resume the session.",
        source="Protocol.md, Resuming Operation; rsocket-java issue 712",
        healthy="A subscription to what happens from now on.",
    ),
    Rule(
        id="RSK-B17",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="streams cancelled after their first payload",
        on="churn:only_first",
        needs="",
        message="{FIRST_LIMIT} streams in a row were cancelled after their first payload",
        cause="A single payload needs REQUEST_RESPONSE, or an initial request of 1: the "
        "responder sends the other payloads in vain.",
        source="Protocol.md, Request Stream; CANCEL Frame",
        healthy="A program that looks for the first of many.",
    ),
    Rule(
        id="RSK-B17b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="streams cancelled with most of their demand unused",
        on="repetition:cut_short",
        needs="both",
        message="{FIRST_LIMIT} streams in a row were cancelled although far more was requested "
        "than had come (of the last one {stream.requested} and {stream.items} payloads)",
        cause="The requester asks for everything and takes a few: what the responder sends until "
        "CANCEL arrives is thrown away. Request as many as are needed.",
        source="Protocol.md, REQUEST_N Frame; CANCEL Frame; reactor-core issue 879",
        healthy="Endless streams that are no longer needed.",
    ),
    Rule(
        id="RSK-B97",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="stream cancelled and requested again for each change",
        on="repetition:asked_anew",
        needs="since both",
        message="{ANEW_LIMIT} times in a row a stream was cancelled and another one of its route "
        "requested at once",
        cause="The requester changes what it wants by a new stream, which begins from the start "
        "each time. A channel carries changes, and items go on meanwhile.",
        source="Protocol.md, REQUEST_CHANNEL Frame; rsocket issue 30",
        healthy="A user who goes from one page of a list to the next.",
    ),
    Rule(
        id="RSK-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="duplicate open streams with the same request (no CANCEL)",
        on="leak:left_running",
        when="conn.left_running_left > 1",
        needs="",
        message="{conn.left_running_left + 1} streams with the same request were open at once "
        "until the connection ended; each payload arrives that often",
        cause="The requester requests the stream again without CANCEL for the stream that it no "
        "longer needs.",
        source="Protocol.md, CANCEL Frame; rsocket-dart issue 7",
    ),
    Rule(
        id="RSK-B18b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="open stream requested again after RESUME_OK",
        on="request_stream request_channel",
        when="complete and twin.open > 0 and twin.token == conn.token and twin.flow != flow and "
        "conn.resume_n is not None",
        needs="start whole both",
        of="twin",
        evidence="n, twin.opened_n, conn.resume_n",
        message="{name} on stream {fields.stream_id} repeats the request of frame "
        "{twin.opened_n}, whose stream the resumed session continues: each payload arrives twice",
        cause="The program requests its streams again on each connection; after RESUME_OK they "
        "are still open.",
        source="Protocol.md, Resuming Operation; rsocket-js issue 116",
    ),
    Rule(
        id="RSK-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new SETUP after each lost connection instead of RESUME",
        on="setup",
        when="flags.resume_enable and comer.lost_flow != flow and t - comer.lost_t < FRESH and "
        "coalesce(comer.fresh, 0) + 1 >= FRESH_LIMIT",
        needs="start",
        of="comer",
        evidence="n, comer.lost_n, comer.former_n",
        message="{client} began a new session with SETUP {FRESH_LIMIT} times in a row after it "
        "had lost a connection with open streams, although the sessions could be resumed",
        cause="The client asks for resumption in SETUP and never sends RESUME: the server keeps "
        "each session and its frames until they expire.",
        source="Protocol.md, Resuming Operation",
    ),
    Rule(
        id="RSK-B23",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="idle channel without COMPLETE from its requester",
        on="end:stream",
        when="stream.model == 'request_channel' and stream.state == 'open' and "
        "stream.own_credit > 0 and stream.own_items > 0 and t - stream.last_t > STALLED and "
        "why in ('closed', 'reset') and stream.own_cancelled is None",
        needs="object both",
        evidence="stream.last_n, stream.n",
        message="the requester of channel {stream.id} was allowed {stream.own_credit} more "
        "payloads, but sent neither a payload nor COMPLETE, ERROR or CANCEL for {t - "
        "stream.last_t:time}",
        cause="The requester does not complete its side: a responder that answers at the end of "
        "the input never answers.",
        source="Protocol.md, Request Channel; rsocket-java issue 592",
        healthy="A channel for events, of which there were none.",
    ),
    Rule(
        id="RSK-B23b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="channel deadlock: no response and no COMPLETE from the requester",
        on="end:stream",
        when="stream.model == 'request_channel' and stream.state == 'open' and "
        "stream.own_credit > 0 and stream.items == 0 and stream.credit > 0 and "
        "stream.own_items > 0 and t - stream.last_t > STALLED and why in ('closed', 'reset') and "
        "stream.own_cancelled is None",
        needs="object both",
        evidence="stream.last_n, stream.n",
        message="the responder of channel {stream.id} never sent a payload, and the requester "
        "sent neither more payloads nor COMPLETE for {t - stream.last_t:time}",
        cause="The requester does not complete its side: a responder that answers at the end of "
        "the input never answers.",
        source="Protocol.md, Request Channel; rsocket-java issue 592",
    ),
    Rule(
        id="RSK-B23c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="channel left half open by its requester",
        on="end:stream",
        when="stream.model == 'request_channel' and stream.state == 'responder_done' and "
        "t - stream.last_t > STALLED and why in ('closed', 'reset') and "
        "stream.own_cancelled is None",
        needs="object both",
        evidence="stream.last_n, stream.n",
        message="the responder of channel {stream.id} completed, but the requester sent neither "
        "COMPLETE, ERROR nor CANCEL for {t - stream.last_t:time}",
        cause="The requester forgets its half of the channel: both sides keep the stream.",
        source="Protocol.md, Request Channel",
    ),
    Rule(
        id="RSK-B6",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="idle connections of one client",
        on="leak:idle_connections",
        needs="",
        message="{idle_connections.left} of {idle_connections.all} connections of one client "
        "carried at most one request and stayed open",
        cause="The client opens a connection for each requester and does not close it.",
        source="Protocol.md, Connection Establishment",
        healthy="A connection pool that waits for work.",
        echo_of="RSK-B250",
    ),
    Rule(
        id="RSK-B6b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection for each request, left open",
        on="leak:called_once",
        needs="",
        message="{called_once.left} of {called_once.all} connections of one client carried one "
        "request, and stayed open without use",
        cause="The client opens a connection for each request instead of sharing one, and does "
        "not close it.",
        source="Protocol.md, Connection Establishment; spring-framework issue 25330",
        healthy="Many programs at one address, each of which has sent its first request.",
        echo_of="RSK-B250 RSK-B6",
    ),
    Rule(
        id="RSK-B7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="requests cancelled immediately",
        on="churn:cancelled_at_once",
        needs="start whole both",
        message="{CANCEL_LIMIT} requests in a row were cancelled within {AT_ONCE:time}, before any "
        "payload",
        cause="The requester sends requests whose result it does not use; each costs the "
        "responder work.",
        source="Protocol.md, CANCEL Frame; rsocket-java issue 328",
    ),
    Rule(
        id="RSK-B8",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests neither answered nor cancelled",
        on="leak:pending",
        needs="",
        message="{conn.pending_left} requests on this connection had neither an answer nor a "
        "CANCEL when it ended, more than {PENDING:time} later",
        cause="The responder does not answer, and the requester gives up without CANCEL, so "
        "both keep the streams.",
        source="Protocol.md, CANCEL Frame; Request Response",
        echo_of="RSK-B243",
    ),
    Rule(
        id="RSK-B8b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="unanswered request without CANCEL",
        on="end:stream",
        when="why in ('closed', 'reset') and stream.model == 'request_response' and "
        "stream.items == 0 and stream.state == 'open' and conn.last_t - stream.t > PENDING and "
        "not conn.resumable and stream.t < coalesce(S.closed_t, t)",
        needs="start whole both",
        of="conn",
        evidence="stream.n",
        message="the request on stream {stream.id} had neither an answer nor a CANCEL for "
        "{conn.last_t - stream.t:time}, until the connection ended",
        cause="The responder does not answer; the requester gives up without CANCEL.",
        source="Protocol.md, CANCEL Frame; Request Response",
        healthy="The answer takes longer than the connection lasted.",
        echo_of="RSK-B9 RSK-B243",
    ),
    Rule(
        id="RSK-B25",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="no frame from the server despite requests",
        on="end:conn",
        when="S.frames == 0 and C.due > 0 and t - C.due_t > PENDING",
        needs="start whole both",
        per="client, server",
        evidence="conn.setup_n, C.last_n",
        message="the server accepted the connection and sent no frame for {t - "
        "C.due_t:time}, although the client sent {C.due:count request} that it has to answer",
        cause="The port may belong to RSocket over WebSocket, which waits for an HTTP request, "
        "or to another protocol.",
        by="'hangs' if away.heard_n is not None else 'other'",
        causes={
            "hangs": "The server hangs: it answered this client before, and TCP accepts "
            "connections for it."
        },
        source="Protocol.md, Framing Protocol Usage",
    ),
    Rule(
        id="RSK-B26",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unanswered RESUME",
        on="unanswered:resume",
        when="why in ('closed', 'reset') and t - req.t > PENDING",
        needs="start whole both",
        evidence="req.n",
        message="RESUME had neither RESUME_OK nor ERROR for {t - req.t:time}",
        cause="",
        source="Protocol.md, Resume Operation",
        guilty="server",
    ),
    Rule(
        id="RSK-B9",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request from the server unanswered by the client",
        on="end:stream",
        when="why in ('closed', 'reset') and stream.owner == S.side and "
        "stream.model in ('request_response', 'request_stream', 'request_channel') and "
        "stream.items == 0 and stream.granted == 0 and stream.state in ('open', 'requester_done') "
        "and conn.last_t - stream.t > PENDING and C.last_n > stream.n and not conn.resumable",
        needs="start whole both",
        of="conn",
        evidence="stream.n",
        message="the client neither answered nor refused the server's request on stream "
        "{stream.id}",
        cause="The client has no responder for requests of the server; it must answer with ERROR.",
        source="Protocol.md, Request Response; ERROR Frame",
    ),
    Rule(
        id="RSK-B10",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="resume token shared by two sessions",
        on="identity:shared_token",
        needs="start whole both",
        message="two open connections began sessions with the same resume token, that of frame "
        "{shared_token.second_n}",
        cause="The token is not unique: the server keeps one of the sessions, and RESUME "
        "continues the wrong one.",
        source="Protocol.md, Resuming Operation (Resume Identification Token)",
    ),
)

WASTE: Final = (
    Rule(
        id="RSK-B34",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="small RSocket frames split over several packets",
        on="ratio:split",
        when="not conn.carried",
        needs="start",
        per="client, server",
        message="{conn.split_count} of {C.frames} frames of the client came in several packets, "
        "although they would fit into one",
        cause="The client writes the length and the frame one by one: each write costs a system "
        "call and a packet.",
        source="Protocol.md, Framing Protocol Usage",
        healthy="The network splits packets, such as a tunnel with a small MTU; rsocket-py writes "
        "so.",
    ),
    Rule(
        id="RSK-B35",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="growing demand (more REQUEST_N than payloads)",
        on="request_n",
        when="side == stream.owner and stream.items > 0 and stream.raises + 1 >= RAISES and "
        "stream.credit + request_n > max(stream.most, stream.wanted * 4) and "
        "stream.credit + request_n <= UNBOUNDED",
        needs="object both",
        evidence="n, stream.n",
        message="the demand for stream {stream.id} has grown to {stream.credit + request_n} "
        "payloads from {stream.wanted}: more is requested than arrives",
        cause="The requester requests more for each payload than it has taken, or two parts of it "
        "do: the responder is no longer held back.",
        source="Protocol.md, REQUEST_N Frame; Reactive Streams Semantics",
        healthy="A requester that asks for all that it may ever need.",
    ),
    Rule(
        id="RSK-B35b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="growing demand of a requester that does not read",
        on="request_n",
        when="side == stream.owner and me.zero_windows >= FULL and stream.raises + 1 >= RAISES and "
        "stream.credit + request_n > max(stream.most, stream.wanted * 2) and "
        "stream.credit + request_n <= UNBOUNDED",
        needs="object both",
        evidence="n, stream.n",
        message="the requester of stream {stream.id} has no room for more bytes (its receive "
        "window is 0), and requests {request_n} more payloads: {stream.credit + request_n} are "
        "to come",
        cause="The requester requests by a timer, or by what it has sent: the responder has to "
        "keep all payloads in memory.",
        source="Protocol.md, REQUEST_N Frame; Reactive Streams Semantics; spring-framework issue "
        "27427",
    ),
    Rule(
        id="RSK-B11",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="payloads requested one by one",
        on="ratio:singly",
        needs="object both",
        message="{stream.singly_count} of {stream.items} payloads of stream {stream.id} were "
        "requested one by one, each after the previous one",
        cause="Each payload costs a round trip; a larger REQUEST_N lets the responder send ahead.",
        source="Protocol.md, REQUEST_N Frame",
        healthy="Each payload takes long, and none may wait.",
    ),
    Rule(
        id="RSK-B11b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="channel responder with a REQUEST_N for each payload",
        on="ratio:own_singly",
        needs="object both",
        message="{stream.own_singly_count} of {stream.own_items} payloads that the requester of "
        "channel {stream.id} sent were requested one by one, each after the previous one",
        cause="Each payload costs a round trip; a larger REQUEST_N lets the requester send ahead.",
        source="Protocol.md, REQUEST_N Frame",
        healthy="Each payload takes long, and none may wait.",
    ),
    Rule(
        id="RSK-B20",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="REQUEST_RESPONSE one at a time with the same metadata",
        on="roundtrips:asked_singly",
        needs="",
        message="{STEP_LIMIT} REQUEST_RESPONSE with the same metadata and different data were "
        "sent in a row, each right after the response to the previous one",
        cause="Each request costs a round trip: several may be open at the same time, and one "
        "stream, channel or request can ask for everything.",
        source="Protocol.md, Request Response; Motivations.md, Interaction Models",
        healthy="Each request depends on the response to the previous one.",
    ),
    Rule(
        id="RSK-B21",
        severity=Severity.NOTE,
        group=Group.REASSEMBLE,
        title="message in many small fragments",
        on="request_response request_fnf request_stream request_channel payload",
        when="not complete and stream.pieces == PIECES - 1 and size < SMALL_PIECE",
        needs="",
        of="conn",
        message="a message on stream {fields.stream_id} has at least {PIECES} fragments of "
        "{size:count byte} each",
        cause="The fragment size (MTU) is set to a few bytes: most of the cost is headers and "
        "the work for each fragment.",
        source="Protocol.md, Fragmentation and Reassembly",
        healthy="A transport whose messages are small.",
    ),
    Rule(
        id="RSK-B21b",
        severity=Severity.NOTE,
        group=Group.REASSEMBLE,
        title="small messages in fragments",
        on="payload",
        when="complete and stream.pieces >= FEW_PIECES and size < SMALL_PIECE and "
        "coalesce(me.shredded, 0) + 1 >= SHREDDED_LIMIT",
        needs="",
        of="conn",
        evidence="n, me.shredded_n, stream.n",
        message="the {sender} sent {SHREDDED_LIMIT} messages in several fragments of at most "
        "{SMALL_PIECE} bytes each",
        cause="The fragment size (MTU) is set to a few bytes: each message would fit into one "
        "frame.",
        source="Protocol.md, Fragmentation and Reassembly",
        healthy="A transport whose messages are small.",
        echo_of="RSK-B21",
    ),
    Rule(
        id="RSK-B44",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unanswered pings of WebSocket",
        on="backlog:ws_pings",
        needs="",
        message="{LOST_PINGS} pings of WebSocket have no pong",
        cause="The peer is stopped or overloaded, or the connection is dead: it should be given "
        "up.",
        source="Protocol.md, Transport Protocol; RFC 6455, section 5.5.2",
    ),
    Rule(
        id="RSK-B45",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="identical requests without a response at the same time",
        on="request_response",
        when="complete and alike.open + 1 >= ALIKE_LIMIT",
        needs="start whole both",
        of="alike",
        evidence="n, alike.second_n, alike.latest_n",
        message="{ALIKE_LIMIT} requests with the same metadata and data wait for their responses "
        "at the same time",
        cause="The requester asks again before it has the response, or several parts of it ask "
        "for the same: one request can serve all.",
        source="Protocol.md, Request Response",
        healthy="Requests whose effect is to be repeated.",
    ),
    Rule(
        id="RSK-B46",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same large metadata in each request or payload",
        on="request_response request_fnf request_stream request_channel payload",
        when="complete and len(metadata) >= LARGE_METADATA and "
        "digest(metadata) == me.large_metadata and me.same_metadata + 1 >= SAME_METADATA",
        needs="",
        of="conn",
        evidence="n, me.large_n",
        message="{SAME_METADATA} requests or payloads in a row have the same "
        "{len(metadata):count byte} of metadata",
        cause="What is the same for all requests, such as a token, belongs into SETUP or "
        "METADATA_PUSH.",
        source="Protocol.md, SETUP Frame (0x01); METADATA_PUSH Frame (0x0C)",
        healthy="A gateway that sends requests of many users over one connection.",
    ),
    Rule(
        id="RSK-B22",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="repeated CANCEL after COMPLETE",
        on="forbidden:late_cancel",
        needs="",
        evidence="n, stream.ended_n",
        message="CANCEL was sent for {LATE_CANCELS} streams after their COMPLETE; the last was "
        "stream {fields.stream_id}",
        cause="The requester cancels every stream that it has received, including completed ones.",
        source="Protocol.md, CANCEL Frame",
        healthy="The receiver ignores the frame.",
    ),
    Rule(
        id="RSK-B24",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="REQUEST_N after unbounded demand",
        on="request_n",
        when="side == stream.owner and stream.credit + request_n > UNBOUNDED or "
        "side != stream.owner and stream.own_credit + request_n > UNBOUNDED",
        needs="object",
        message="REQUEST_N requests {request_n} more payloads of stream {stream.id}, although "
        "unlimited payloads were requested before ({UNBOUNDED} is the greatest number)",
        cause="The initial request is unbounded; REQUEST_N has no effect, or overflows the count "
        "of the peer.",
        source="Protocol.md, REQUEST_N Frame; Reactive Streams, 3.17; rsocket-java issue 1110",
        healthy="Receivers that stop counting at the greatest number.",
    ),
    Rule(
        id="RSK-B27",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stuck KEEPALIVE position despite received payloads",
        on="client:keepalive",
        when="conn.resumable and last_received_position == C.position and "
        "session.server_sent > C.beaten and C.stuck >= 1",
        needs="start whole both",
        evidence="n, C.keepalive_n",
        message="KEEPALIVE has position {last_received_position} for the third time, although the "
        "server has sent payloads in between",
        cause="The client does not count what it receives: the server keeps all frames of the "
        "session until its memory for them is full.",
        source="Protocol.md, KEEPALIVE Frame (Last Received Position)",
    ),
    Rule(
        id="RSK-B27b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stuck KEEPALIVE position of the server despite received requests",
        on="server:keepalive",
        when="conn.resumable and last_received_position == S.position and "
        "session.client_sent > S.beaten and S.stuck >= 1",
        needs="start whole both",
        evidence="n, conn.setup_n",
        message="the server's KEEPALIVE has position {last_received_position} for the third time, "
        "although the client has sent frames in between",
        cause="The server does not count what it receives: the client keeps all frames of the "
        "session until its memory for them is full.",
        source="Protocol.md, KEEPALIVE Frame (Last Received Position)",
        healthy="A server that tells its position in RESUME_OK only.",
        guilty="server",
    ),
    Rule(
        id="RSK-B12",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="REQUEST_N on an ended stream",
        on="forbidden:late_request_n",
        needs="",
        evidence="n, stream.ended_n",
        message="REQUEST_N on stream {fields.stream_id} was sent {t - stream.ended_t:time} after "
        "the stream ended",
        cause="The requester keeps requesting payloads after the stream has completed.",
        source="Protocol.md, REQUEST_N Frame; rsocket-py issue 290",
    ),
    Rule(
        id="RSK-B150",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="REQUEST_N on ended streams, on one after another",
        on="forbidden:late_demands",
        needs="",
        evidence="n, stream.ended_n",
        message="REQUEST_N was sent on {LATE_STREAMS} streams more than {LATE_TIME:time} after "
        "they ended, the last one on stream {fields.stream_id}",
        cause="The requester does not notice the end of its streams, and requests payloads on.",
        source="Protocol.md, REQUEST_N Frame; rsocket-kotlin issue 27",
        echo_of="RSK-B12",
    ),
    Rule(
        id="RSK-B47",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="PAYLOADs continued after the peer's CANCEL or ERROR",
        on="forbidden:deaf",
        needs="",
        evidence="n, stream.stop_n",
        message="{DEAF_LIMIT} payloads were sent on stream {fields.stream_id} more than "
        "{DEAF:time} after the peer's CANCEL or ERROR, the last one {t - stream.stop_t:time} after "
        "it",
        cause="The sender ignores CANCEL or ERROR: the receiver drops all further payloads.",
        source="Protocol.md, CANCEL Frame (0x09); Stream Sequences and Lifetimes; "
        "rsocket-java issue 592",
    ),
)

GONE: Final = tuple(
    Rule(
        id=f"RSK-B48{letter}",
        severity=severity,
        group=Group.SEQUENCE,
        title=f"client connections that end at {title} of the server",
        on="repetition:gone",
        when=when,
        needs="whole both",
        evidence="S.sign_n, gone.second_n, gone.first_n",
        message="{GONE_LIMIT} connections in a row were ended by the client, without ERROR, within "
        "{GONE:time} after the server's {S.sign}, while streams were open",
        cause="The client fails when it handles the frame, and is started again.",
        source="Protocol.md, ERROR Frame (0x0B); rsocket-go issue 132",
        healthy=healthy,
    )
    for letter, severity, title, when, healthy in (
        ("", Severity.WARNING, "CANCEL", "S.sign == 'cancel'", ""),
        (
            "b",
            Severity.NOTE,
            "the same frame",
            "S.sign != 'cancel'",
            "A command that is run repeatedly and ends after a failure.",
        ),
    )
)

RESENT: Final = (
    Rule(
        id="RSK-B40",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="request sent again although the server had received it (RESUME_OK)",
        on="client:request_response client:request_fnf client:request_stream "
        "client:request_channel",
        when="conn.resumed_n is not None and asked_once.flow != flow and "
        "asked_once.ends < conn.resumed_at",
        of="conn",
        needs="start both",
        evidence="n, asked_once.n_of, conn.resumed_n",
        message="{name} on stream {fields.stream_id} is sent again after RESUME, although "
        "RESUME_OK says that the server has received the client's frames up to position "
        "{conn.resumed_at}: the request is executed twice",
        cause="The client sends all frames that it has kept, without dropping those before the "
        "position in RESUME_OK.",
        source="Protocol.md, Resuming Operation; RESUME_OK Frame (0x0E)",
    ),
    Rule(
        id="RSK-B41",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client continuing with the wrong frame after RESUME_OK",
        on="client:request_response client:request_fnf client:request_stream "
        "client:request_channel client:payload client:request_n client:cancel client:error",
        when=f"{STRAYED} and session.client_sent < conn.had_sent",
        of="conn",
        needs="start both",
        evidence="n, spot.n_of, conn.resumed_n",
        message="at position {session.client_sent} the client had sent {spot.what} on stream "
        "{spot.stream}, which the server has not received; after RESUME_OK it sends {name} on "
        "stream {fields.stream_id} there",
        cause="The client skips frames that the server lacks, or sends frames again that it has.",
        source="Protocol.md, Resuming Operation; RESUME_OK Frame (0x0E)",
        echo_of="RSK-B40",
    ),
    Rule(
        id="RSK-B41b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="server continuing with the wrong frame after RESUME_OK",
        on="server:request_response server:request_fnf server:request_stream "
        "server:request_channel server:payload server:request_n server:cancel server:error",
        when=f"{SLIPPED} and session.server_sent < conn.had_served",
        of="conn",
        needs="start both",
        evidence="n, place.n_of, conn.resumed_n",
        message="at position {session.server_sent} the server had sent {place.what} on stream "
        "{place.stream}, which the client has not received as its RESUME says; after RESUME_OK "
        "it sends {name} on stream {fields.stream_id} there",
        cause="The server skips frames that the client lacks, or sends frames again that it has: "
        "payloads are lost, or come twice.",
        source="Protocol.md, Resuming Operation; RESUME Frame (0x0D)",
        guilty="server",
    ),
)

ITEMS: Final = (
    Rule(
        id="RSK-B42",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="first item of channels sent twice (REQUEST_CHANNEL and PAYLOAD)",
        on="client:payload",
        when=f"{FIRST_OWN} and digest(data) == stream.asked and "
        "coalesce(echoing.same, 0) + 1 >= ECHO_LIMIT and "
        "coalesce(echoing.same, 0) == coalesce(echoing.channels, 0) and "
        "(count(echoing.items) > 1 or not has(echoing.items, stream.asked))",
        of="echoing",
        needs="",
        evidence="n, stream.n",
        message="the first PAYLOAD of stream {fields.stream_id} repeats the data of its "
        "REQUEST_CHANNEL, as on {echoing.same:count channel} before: the responder gets the item "
        "twice",
        cause="REQUEST_CHANNEL carries the first item; the client sends all items as PAYLOAD as "
        "well.",
        source="Protocol.md, REQUEST_CHANNEL Frame (0x07)",
    ),
    Rule(
        id="RSK-B42b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="first item of a channel sent twice, followed by others",
        on="client:payload",
        when="stream.model == 'request_channel' and stream.echoed_n is not None and "
        "stream.own_items == 1 and complete and flags.next and digest(data) != stream.asked",
        of="stream",
        needs="",
        evidence="stream.echoed_n, stream.n, n",
        message="the first PAYLOAD of stream {fields.stream_id} repeats the data of its "
        "REQUEST_CHANNEL; the next one differs",
        cause="REQUEST_CHANNEL carries the first item; the client sends all items as PAYLOAD as "
        "well.",
        source="Protocol.md, REQUEST_CHANNEL Frame (0x07)",
        healthy="Two equal items, such as a value that is measured.",
        echo_of="RSK-B42",
    ),
)

BEHAVIOURS: Final = (*LOOPS, *AGAIN, *RECONNECTS, *LEAKS, *WASTE, *GONE, *RESENT, *ITEMS)
"""Part of the rules of the protocol."""
