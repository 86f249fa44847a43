"""Rules for how peers go on: settings after a lost connection, silent streams, repeated items."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import metadata_predicates, predicates
from streamshark.protocols.rsocket.continuity import NUMBERED_ITEM
from streamshark.protocols.rsocket.conversations import OPENING

_COMPARED: Final = (
    "stream.items < COMPARED and stream.model != 'request_response' and side != stream.owner and "
    "complete and flags.next"
)
"""One of the first items of a stream, of its responder."""

SETTINGS: Final = (
    Rule(
        id="RSK-B70",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="SETUP unlike that of the lost connection",
        on="setup",
        when="before.mixed is None and before.flow != flow and t - before.lost_t < FRESH and "
        "(data_mime_type != before.data_type or metadata_mime_type != before.metadata_type or "
        "time_between_keepalive_frames != before.keepalive or max_lifetime != before.lifetime)",
        needs="start",
        of="before",
        evidence="n, before.setup_n",
        message="SETUP announces {data_mime_type} and {metadata_mime_type}, and a KEEPALIVE every "
        "{time_between_keepalive_frames} ms for {max_lifetime} ms at most; that of the lost "
        "connection announced {before.data_type}, {before.metadata_type}, {before.keepalive} ms "
        "and {before.lifetime} ms",
        cause="The client connects again with its defaults instead of the settings of the program.",
        source="Protocol.md, SETUP Frame (0x01); Connection Establishment",
        healthy="Another program on the same host.",
    ),
    Rule(
        id="RSK-B3c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections of one request each in a row",
        on="churn:one_use",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row, "
        "each with one request",
        cause="The client connects for each request; one connection can carry any number of "
        "streams.",
        source="Protocol.md, Connection Establishment; rsocket-java issue 926",
        healthy="A program that is run for each task.",
        echo_of="RSK-B3",
    ),
)

ENDS: Final = (
    Rule(
        id="RSK-B81",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections of one client left open after their requests",
        on="leak:freed",
        needs="",
        message="{freed.left} of {freed.all} connections of one client had no open stream any more "
        "and were left open",
        cause="The client makes a connection for each of its tasks and does not close it: they "
        "pile up, and each sends KEEPALIVE.",
        source="Protocol.md, Connection Establishment",
        healthy="A connection pool that waits for work.",
        echo_of="RSK-B6",
    ),
    Rule(
        id="RSK-B82",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="end of the RSocket connection that its client does not notice",
        on="end:conn",
        when="why in ('closed', 'end') and S.closed_t is not None and conn.left_t is None and "
        "t - S.closed_t > UNNOTICED and conn.setup_n is not None",
        needs="start whole both",
        evidence="C.last_n, conn.setup_n",
        message="the server closed the connection {t - S.closed_t:time} before the captures end, "
        "and the client has not closed its side",
        cause="The client does not watch its connection, or its error handler does nothing: it "
        "has to close its side and connect again.",
        source="Protocol.md, Transport Protocol",
        echo_of="RSK-C32",
    ),
)

SILENCE: Final = (
    Rule(
        id="RSK-B71",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream without a payload or an end",
        on="end:stream",
        when="why in ('closed', 'reset') and stream.owner == C.side and stream.items == 0 and "
        "stream.model in ('request_stream', 'request_channel') and stream.credit > 0 and "
        "stream.state in ('open', 'requester_done') and conn.last_t - stream.t > PENDING and "
        "not conn.resumable",
        needs="start whole both",
        of="conn",
        evidence="stream.n",
        message="{stream.model} on stream {stream.id} brought neither a payload nor COMPLETE or "
        "ERROR for {conn.last_t - stream.t:time}, until the connection ended",
        cause="The responder has nothing to send, or has lost the stream; the requester waits "
        "without a timeout.",
        source="Protocol.md, Request Stream, Request Channel",
        healthy="A subscription to events, of which there were none.",
        echo_of="RSK-B23b",
    ),
    Rule(
        id="RSK-B25b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="no frame from the server despite requests for streams",
        on="end:conn",
        when="S.frames == 0 and C.due is None and C.hoped > 0 and t - C.hoped_t > PENDING",
        needs="start whole both",
        per="client, server",
        evidence="conn.setup_n, C.last_n",
        message="the server accepted the connection and sent no frame for {t - C.hoped_t:time}, "
        "although the client requested {C.hoped:count stream}",
        cause="The port may belong to RSocket over WebSocket, which waits for an HTTP request, "
        "or to another protocol.",
        source="Protocol.md, Framing Protocol Usage",
        healthy="Streams of events, of which there were none.",
    ),
)

ITEMS: Final = (
    Rule(
        id="RSK-B72",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each item of a stream sent twice in a row",
        on="payload",
        when=f"{_COMPARED} and stream.run == 1 and coalesce(stream.pairs, 0) + 1 >= ITEM_PAIRS and "
        "data == stream.item",
        needs="",
        of="stream",
        evidence="n, stream.same_n, stream.n",
        message="the responder of stream {fields.stream_id} sent {ITEM_PAIRS} items in a row twice "
        "each",
        cause="Two sources are merged, or an item is emitted by a listener that is registered "
        "twice: the requester gets everything twice.",
        source="Protocol.md, Request Stream, Request Channel",
        healthy="Values that are measured twice.",
        echo_of="RSK-B201",
        guilty="server",
    ),
    Rule(
        id="RSK-B73",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same item of a stream sent over and over",
        on="payload",
        when=f"{_COMPARED} and stream.run + 1 >= SAME_ITEMS and data == stream.item",
        needs="",
        of="stream",
        evidence="n, stream.same_n, stream.n",
        message="the responder of stream {fields.stream_id} sent the same {len(data):count byte} "
        "{SAME_ITEMS} times in a row",
        cause="It sends its state by a timer, or an item again that it believes lost: only what "
        "has changed is of use.",
        source="Protocol.md, Request Stream; Motivations.md, Interaction Models",
        healthy="A test, or a sign of life.",
    ),
    Rule(
        id="RSK-B88",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="item of a stream out of the order of its numbers",
        on="payload",
        when=f"{NUMBERED_ITEM} and count(stream.firsts) >= IN_ORDER and "
        "stream.items == count(stream.firsts)",
        predicate=predicates.breaks_order,
        reads="n data stream.firsts IN_ORDER",
        needs="object",
        of="stream",
        evidence="n, stream.item_n, stream.n",
        message="{name} on stream {fields.stream_id} has {found}, where the items before count up "
        "by one",
        cause="The responder drops items, sends them twice, or from several threads; or they are "
        "lost before they reach it.",
        source="Protocol.md, Request Stream, Request Channel",
        healthy="Values that count up by chance, or that begin anew.",
    ),
)

REPEATED: Final = (
    Rule(
        id="RSK-B77",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same stream open on two connections of a client",
        on="request_stream request_channel",
        when="complete and twin.open > 0 and twin.flow != flow and "
        "(conn.token is None or twin.token != conn.token) and "
        "(twin.token is None or holder.flow is not None)",
        needs="start whole both all",
        of="twin",
        evidence="n, twin.opened_n",
        message="{name} on stream {fields.stream_id} repeats the request of frame {twin.opened_n}, "
        "whose stream is open on another connection of {client}: each payload arrives twice",
        cause="The client connects again without closing its former connection, or each of its "
        "parts has a connection and a stream of its own.",
        source="Protocol.md, Request Stream; Connection Establishment",
        healthy="Several programs on one host that each need the stream.",
    ),
    Rule(
        id="RSK-B78",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="items of a stream without any content",
        on="payload",
        when="stream.items < COMPARED and coalesce(stream.empties, 0) + 1 >= EMPTY_ITEMS and "
        "flags.next and coalesce(len(data), 0) == 0 and coalesce(len(metadata), 0) == 0",
        needs="",
        of="stream",
        evidence="n, stream.empty_n, stream.n",
        message="{EMPTY_ITEMS} payloads of stream {fields.stream_id} have NEXT set, but neither "
        "data nor metadata",
        cause="The responder sends items as a sign of life, or fails to encode them: each uses up "
        "demand and means nothing.",
        source="Protocol.md, PAYLOAD Frame (0x0A)",
        healthy="Items whose arrival is all that counts.",
    ),
)

ROUTES: Final = (
    Rule(
        id="RSK-B74",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="REQUEST_RESPONSE one at a time with an id in the route",
        on="roundtrips:routed_singly",
        predicate=metadata_predicates.differs_in_id,
        reads="metadata conn.routed_singly_value",
        needs="",
        message="{ROUTES_LIMIT} REQUEST_RESPONSE were sent in a row, each right after the response "
        "to the previous one, with routes that differ in an id: {found}",
        cause="Each request costs a round trip: several may be open at the same time, and one "
        "stream, channel or request can ask for everything.",
        source="Protocol.md, Request Response; Motivations.md, Interaction Models",
        healthy="Each request depends on the response to the previous one.",
        echo_of="RSK-B20",
    ),
    *(
        Rule(
            id="RSK-M18",
            severity=Severity.NOTE,
            group=Group.SECURITY,
            title="credentials without TLS",
            on=on,
            when=f"{when}len(data) >= 12 and not conn.encrypted",
            predicate=metadata_predicates.has_credentials_as_data,
            reads="data",
            needs="",
            per="server",
            message="the data of {name} has {found}, which anyone between the two hosts can read",
            cause="The connection does not use TLS.",
            source="Extensions/Security/Authentication.md",
            healthy="Acceptable on a network that only these hosts can read.",
        )
        for on, when in (
            (OPENING, "coalesce(me.asked, 0) < TRACED and complete and "),
            ("setup", ""),
        )
    ),
    Rule(
        id="RSK-B75",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="METADATA_PUSH for nearly each request",
        on="ratio:pushed_singly",
        when="C.asked >= PUSHES",
        needs="start whole both",
        message="the client sent METADATA_PUSH {conn.pushed_singly_count:count time} for "
        "{C.asked:count request}",
        cause="Metadata of a request, such as its trace, belongs into the request: METADATA_PUSH "
        "is of the connection, and has no order with requests.",
        source="Protocol.md, METADATA_PUSH Frame (0x0C)",
        healthy="A client that reports its state as often as it asks.",
        echo_of="RSK-B16",
    ),
    Rule(
        id="RSK-B76",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="requests to a peer that does not read",
        on=OPENING,
        when="peer.zero_windows >= FULL",
        needs="both",
        of="conn",
        evidence="n, peer.last_n",
        message="{name} is sent on stream {fields.stream_id} although the peer has no room for "
        "more bytes (its receive window was 0 {peer.zero_windows} times)",
        cause="The requester sends without a limit: REQUEST_FNF has no flow control, and leases or "
        "fewer requests at a time would hold it back.",
        source="Protocol.md, Flow Control, LEASE Frame (0x02)",
        healthy="A short pause of the peer.",
    ),
    Rule(
        id="RSK-B79",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="requests of a client that does not read",
        on=OPENING,
        when="me.zero_windows >= FULL and live(stream) >= UNREAD and t - peer.last_t > STUCK",
        needs="both",
        of="conn",
        evidence="n, peer.last_n",
        message="{name} is sent on stream {fields.stream_id} although {live(stream):count stream} "
        "wait for their answers and the {sender} does not read (its receive window was 0 "
        "{me.zero_windows} times, and nothing has come for {t - peer.last_t:time})",
        cause="The requester sends without a limit and does not read what comes back: the peer "
        "has to keep all answers in memory.",
        source="Protocol.md, Flow Control, LEASE Frame (0x02)",
    ),
    Rule(
        id="RSK-B80",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client continuing after its max lifetime without a frame of the server",
        on=f"client:keepalive {' '.join(f'client:{each}' for each in OPENING.split())}",
        when="t - coalesce(S.last_t, conn.setup_t) > "
        "(conn.max_lifetime + conn.keepalive) * 1000000 and conn.max_lifetime > 0",
        needs="start whole both",
        of="conn",
        evidence="n, coalesce(S.last_n, conn.setup_n)",
        message="the client sent {name} {t - coalesce(S.last_t, conn.setup_t):time} after the "
        "server's last frame, although its SETUP has a max lifetime of {conn.max_lifetime} ms",
        cause="The client does not keep to its own lifetime: it has to end the connection, which "
        "may be dead, and connect again.",
        source="Protocol.md, SETUP Frame (0x01), Max Lifetime; KEEPALIVE Frame",
        echo_of="RSK-K2",
    ),
    Rule(
        id="RSK-S26",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="text of an unfinished program in an ERROR",
        on="error",
        when="len(error_data) >= 3",
        predicate=predicates.is_placeholder,
        reads="error_data",
        needs="",
        per="server, sender",
        evidence="n, req.n",
        message="the {sender} answers with ERROR {error_code:name}: {error_data}",
        cause="The handler is a stub: it refuses each request, and its text says nothing of the "
        "reason.",
        source="Protocol.md, ERROR Frame (0x0B)",
    ),
    Rule(
        id="RSK-B18c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="open stream requested once more (no CANCEL)",
        on="leak:left_running",
        when="conn.left_running_left == 1",
        needs="",
        message="two streams with the same request were open at once until the connection ended; "
        "each payload arrives twice",
        cause="The requester requests the stream again without CANCEL for the stream that it no "
        "longer needs.",
        source="Protocol.md, CANCEL Frame; rsocket-dart issue 7",
        healthy="Two parts of a program that each need the stream.",
    ),
)

CONTINUITY: Final = (*SETTINGS, *ENDS, *SILENCE, *ITEMS, *REPEATED, *ROUTES)
"""Rules about what peers go on with."""
