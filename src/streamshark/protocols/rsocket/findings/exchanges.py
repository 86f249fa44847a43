"""Rules for how requests, answers, demand and credentials are used."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import metadata_predicates, predicates
from streamshark.protocols.rsocket.conversations import ANSWER, OPENING, PAYLOAD
from streamshark.protocols.rsocket.findings.metadata import WHOLE

_FEW: Final = "coalesce(me.asked, 0) < TRACED"
"""The side has sent few requests so far."""

MODELS: Final = (
    Rule(
        id="RSK-M19",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="refused route that is served with another interaction model",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and len(stream.metadata) >= 4 and "
        "stream.items == 0",
        predicate=metadata_predicates.is_another_model,
        reads="stream.model stream.metadata served.models error_data",
        needs="",
        of="conn",
        evidence="stream.n, n",
        message="{stream.model} on stream {fields.stream_id} is refused for its interaction "
        "model: {found}",
        cause="The client requests the route as another model than the server has it: a handler "
        "for a stream does not answer REQUEST_RESPONSE.",
        source="Extensions/Routing.md; Protocol.md, Request Response",
        healthy="The route failed for another reason.",
    ),
    Rule(
        id="RSK-B33c",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="channel whose requester sends nothing but its request",
        on="churn:channels_as_streams",
        needs="",
        message="{BRIEF_LIMIT} channels in a row had all of their requester's payloads in "
        "REQUEST_CHANNEL, and several from the responder",
        cause="REQUEST_STREAM does the same with fewer frames.",
        source="Protocol.md, Request Stream, Request Channel",
        healthy="Channels that usually have more input.",
    ),
    Rule(
        id="RSK-B53",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="requests of one route that are always answered with nothing",
        on="churn:empty_answers",
        needs="start whole both",
        message="{EMPTY_LIMIT} REQUEST_RESPONSE in a row with the same metadata were completed "
        "without a payload",
        cause="The handler returns nothing: the requester learns only that it has ended. Where "
        "it need not know, REQUEST_FNF costs no answer.",
        source="Protocol.md, Request Response, Fire And Forget",
        healthy="The requester waits for the end of the work.",
    ),
)

TIMES: Final = (
    Rule(
        id="RSK-B54",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests given up one after another before their response",
        on="repetition:timed_out",
        needs="start whole both",
        evidence="stream.n, timed_out.second_n, n",
        message="{TIMEOUT_LIMIT} requests in a row were cancelled before their response; the last "
        "one after {t - stream.t:time}",
        cause="The requester's timeout is shorter than the responder needs, or the responder does "
        "not answer.",
        source="Protocol.md, CANCEL Frame (0x09)",
        healthy="A user who types, and whose last question alone matters.",
        echo_of="RSK-B13 RSK-B140",
    ),
    Rule(
        id="RSK-B54b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests without a response, while others are answered soon",
        on="repetition:unlike_others",
        needs="start whole both",
        evidence="stream.n, unlike_others.second_n, n",
        message="{TIMEOUT_LIMIT} requests were cancelled before their response, the last one after "
        "{t - stream.t:time}, while {me.answers_got} others were answered, the latest within "
        "{me.answer_time:time}",
        cause="One handler of the responder never answers, or fails without ERROR.",
        source="Protocol.md, Request Response; spring-boot issue 24614",
        healthy="Questions that wait for an event, and are cancelled on purpose.",
        echo_of="RSK-B13 RSK-B54 RSK-B54c",
    ),
    Rule(
        id="RSK-B140",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="session that is resumed and not served any more",
        on="repetition:silent_session",
        when="peer.last_n > silent_session.first_n",
        needs="start whole both",
        of="conn",
        evidence="stream.n, silent_session.first_n, conn.resumed_n",
        message="{TIMEOUT_LIMIT} requests in a row were cancelled without an answer since "
        "RESUME_OK; no stream has had a frame of the {'server' if sender == 'client' else "
        "'client'}, which had answered before and still sends on stream 0",
        cause="What is sent for the session goes to the lost connection, or its requests reach no "
        "handler any more.",
        source="Protocol.md, Resuming Operation; rsocket-java issue 858",
    ),
    Rule(
        id="RSK-B54c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests to a silent peer that no KEEPALIVE would notice",
        on="repetition:timed_out",
        when="conn.keepalive > LONG_LIFETIME and coalesce(peer.last_n, 0) < timed_out.first_n",
        needs="start whole both",
        of="conn",
        evidence="stream.n, timed_out.first_n, conn.setup_n",
        message="{TIMEOUT_LIMIT} requests in a row were cancelled, and the {'server' if sender == "
        "'client' else 'client'} has sent nothing for {t - peer.last_t:time}; with a keepalive "
        "interval of {conn.keepalive} ms the connection stays open",
        cause="The connection is lost, as a NAT or a firewall forgets idle connections; KEEPALIVE "
        "would keep it, or show that it is lost.",
        source="Protocol.md, KEEPALIVE Frame (0x03); rsocket-java issue 1055",
    ),
    Rule(
        id="RSK-B54d",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request given up while the responder answers one at a time",
        on="cancel",
        when="stream.model == 'request_response' and side == stream.owner and "
        "stream.state == 'open' and t - stream.t >= PATIENCE and peer.turns >= TURNS_LIMIT "
        "and stream.t < peer.turn_t and t - peer.turn_t < peer.turn * 2",
        needs="start whole both",
        of="conn",
        evidence="n, stream.n, peer.turn_n",
        message="the request was given up after {t - stream.t:time}: requests that were sent "
        "together are answered one after the other, {peer.turn:time} apart",
        cause="The handler blocks the thread that reads the connection, so that requests which "
        "could be handled at the same time wait for each other.",
        source="Protocol.md, Request Response; rsocket-go issue 57",
        healthy="A responder that limits how much it does at once.",
    ),
    Rule(
        id="RSK-B55",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection ended by the server with open streams, without ERROR",
        on="server:tcp.close server:tcp.reset",
        when="live(stream) > 0 and conn.setup_n is not None and conn.left_t is None and "
        "S.closed_n is None and conn.over_n is None and conn.closing_n is None",
        needs="start whole both",
        per="client, server",
        evidence="coalesce(C.last_n, S.last_n), conn.setup_n",
        message="the server ended the connection while {live(stream):count stream} of it "
        "{'was' if live(stream) == 1 else 'were'} open, and sent no ERROR",
        cause="The server was stopped, has failed, or a proxy ends connections; the client has to "
        "request again what it still needs.",
        source="Protocol.md, Error Codes (CONNECTION_CLOSE)",
        healthy="A server that is restarted.",
        echo_of="error RSK-C24 RSK-B83",
        guilty="server",
    ),
    Rule(
        id="RSK-C7e",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="max lifetime of less than two keepalive intervals",
        on="setup",
        when="time_between_keepalive_frames < max_lifetime < time_between_keepalive_frames * 2",
        needs="",
        per="client, server, max_lifetime",
        message="the max lifetime of {max_lifetime} ms has room for one KEEPALIVE, sent every "
        "{time_between_keepalive_frames} ms",
        cause="A single KEEPALIVE that is late ends the connection.",
        source="Protocol.md, SETUP Frame (0x01)",
        healthy="A network on which a lost connection must be noticed at once.",
    ),
)

DEMAND: Final = (
    Rule(
        id="RSK-B11c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="demand renewed only when it is used up",
        on="ratio:drained",
        needs="object both",
        message="{stream.drained_count} of {stream.drained_among} REQUEST_N frames of stream "
        "{stream.id} came when nothing was requested any more",
        cause="The responder waits a round trip for each batch; a requester that asks again at "
        "half of its demand keeps it busy.",
        source="Protocol.md, Flow Control: Reactive Streams Semantics",
        healthy="Each batch is processed before the next one may come.",
    ),
    Rule(
        id="RSK-B35c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="unlimited demand of a requester that does not read",
        on="payload",
        when="peer.zero_windows >= FULL and side != stream.owner and stream.credit >= ALL_DEMAND",
        needs="object both",
        of="stream",
        evidence="n, stream.n",
        message="the requester of stream {stream.id} has requested {stream.requested} payloads and "
        "has no room for more bytes (its receive window is 0)",
        cause="The demand has no limit: the responder keeps what the requester does not read, and "
        "all other streams of the connection wait behind it.",
        source="Protocol.md, Flow Control: Reactive Streams Semantics",
        healthy="A short pause of the requester.",
        echo_of="RSK-B35b",
    ),
    Rule(
        id="RSK-B56",
        severity=Severity.NOTE,
        group=Group.REASSEMBLE,
        title="very large frame",
        on=f"{OPENING} {PAYLOAD}",
        when="size >= LARGE_FRAME",
        needs="",
        of="conn",
        message="{name} on stream {fields.stream_id} has {size:count byte} in one frame",
        cause="No fragment size is set: KEEPALIVE and all other streams wait behind the frame, and "
        "peers may refuse it.",
        source="Protocol.md, Fragmentation And Reassembly",
        healthy="A connection that carries one stream.",
    ),
    Rule(
        id="RSK-W4",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="frame too large for the peer's WebSocket",
        on="websocket.close",
        when="code == 1009",
        needs="",
        of="conn",
        evidence="peer.last_n",
        message="the {sender} closed the WebSocket with 1009 (message too big)",
        cause="The peer limits messages, to 65,536 bytes often, and the sender does not fragment "
        "its frames.",
        source="Protocol.md, Fragmentation And Reassembly; RFC 6455, 7.4.1",
    ),
)

CONTENTS: Final = (
    Rule(
        id="RSK-M20",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="name of a MIME type as metadata",
        on=f"{OPENING} setup",
        when=f"8 <= len(metadata) < 64 and {_FEW}",
        predicate=metadata_predicates.is_name_of_type,
        reads="metadata",
        needs="",
        of="conn",
        message="the metadata of {name} is {found}",
        cause="The type is given where the metadata belongs, and the route where the data "
        "belongs: the server finds no route.",
        source="Extensions/Routing.md; rsocket-go issue 115",
        echo_of="RSK-M2 RSK-M4",
    ),
    Rule(
        id="RSK-M21",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="data as encoded text",
        on=f"{OPENING} {PAYLOAD}",
        when=f"me.frames < JUDGED_FRAMES and len(data) >= 12 and {WHOLE}",
        predicate=predicates.is_text_of_bytes,
        reads="data",
        needs="",
        of="conn",
        message="the data of {name} on stream {fields.stream_id} is {found}",
        cause="The program encodes bytes as text, although data is bytes: it is a third larger, or "
        "twice as large.",
        source="Protocol.md, Data And Metadata",
        healthy="The data comes from a system that passes on text only.",
    ),
    Rule(
        id="RSK-M22",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="refused authentication metadata with a mark of a wrong conversion",
        on="error",
        when="fields.stream_id == 0 and error_code <= 4 and len(conn.setup_metadata) >= 4",
        predicate=metadata_predicates.has_marked_credentials,
        reads="conn.setup_metadata",
        needs="",
        of="conn",
        evidence="conn.setup_n, n",
        message="SETUP was refused; of its credentials {found}",
        cause="The value was read from a file or a URI, or is a setting that was not filled in.",
        source="Extensions/Security/Authentication.md",
    ),
    Rule(
        id="RSK-M22",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="refused authentication metadata with a mark of a wrong conversion",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and len(stream.metadata) >= 4 and "
        "stream.items == 0",
        predicate=metadata_predicates.has_marked_credentials,
        reads="stream.metadata",
        needs="",
        of="conn",
        evidence="stream.n, n",
        message="{stream.model} on stream {fields.stream_id} was refused; of its credentials "
        "{found}",
        cause="The value was read from a file or a URI, or is a setting that was not filled in.",
        source="Extensions/Security/Authentication.md",
    ),
)

_TURNED: Final = "{0} >= 16777216 and {0} // 16777216 * 16777216 == {0} and {0} < 2130706432"
"""All but the first byte of a number is 0: a small number in the other byte order."""
_TURNED_TIME: Final = "{0} >= 16777216 and {0} // 65536 * 65536 == {0}"
"""The same of a number of two bytes."""

TWICE: Final = (
    Rule(
        id="RSK-B59",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each request sent twice in a row",
        on="request_response request_fnf request_stream request_channel",
        when="complete and len(data) > 0 and me.run == 1 and "
        "coalesce(me.pairs, 0) + 1 >= PAIR_LIMIT and me.pair_model == name and "
        "me.pair_asked == digest(data) and "
        "me.pair_route == coalesce(digest(metadata), '')",
        needs="",
        of="conn",
        evidence="n, me.pair_n",
        message="{PAIR_LIMIT} requests in a row were each sent twice, with the same metadata and "
        "data; the last one is on stream {fields.stream_id}",
        cause="The program subscribes to each response twice, and each subscription sends the "
        "request: the responder does everything twice.",
        source="Protocol.md, Request Response; rsocket-java issue 208",
        healthy="Requests whose effect is to be repeated.",
    ),
    Rule(
        id="RSK-B60",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same requests on two connections at once",
        on="client:request_response client:request_fnf",
        when="complete and len(data) > 0 and lately.flow != flow and lately.flow >= 0 and "
        "coalesce(lately.times, 0) + 1 >= PAIR_LIMIT and t - lately.t_of <= AT_BOTH and "
        "t - lately.hit_t <= BOTH_PAUSE and "
        "lately.asked == digest(data) and lately.route == coalesce(digest(metadata), '')",
        needs="",
        of="lately",
        evidence="n, lately.n_of",
        message="{PAIR_LIMIT} requests came with the same metadata and data on two connections, "
        "each within {AT_BOTH:time}: what they ask for is done twice",
        cause="Instances of a program, such as replicas with a timer each, do not agree on which "
        "of them does the work.",
        source="Protocol.md, Request Response",
        healthy="Clients that need the same value, or a client that hedges its requests.",
    ),
    Rule(
        id="RSK-M23",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="refused request without data, unlike others with its metadata",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and stream.empty == 1 and stream.items == 0 and "
        "stream.route == peer.filled_route",
        needs="object both",
        of="conn",
        evidence="stream.n, n, peer.filled_n",
        message="{stream.model} on stream {fields.stream_id} had no data, unlike that of frame "
        "{peer.filled_n} with the same metadata, and was answered with ERROR: {error_data}",
        cause="The data was used up or released before the request was sent, for example when it "
        "is sent again.",
        source="Protocol.md, Request Stream; rsocket-java issue 237",
        healthy="An empty value that the responder does not accept.",
    ),
    Rule(
        id="RSK-M23b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests that lose their data, refused repeatedly",
        on="repetition:emptied",
        needs="start whole both",
        evidence="stream.n, emptied.second_n, n",
        message="{EMPTIED_LIMIT} requests were refused that had no data, unlike others with the "
        "same metadata: {error_data}",
        cause="The data is used up or released before the request is sent, for example when it is "
        "sent again.",
        source="Protocol.md, Request Stream; rsocket-java issue 237",
        healthy="A client that tries what an empty value does.",
    ),
    Rule(
        id="RSK-B57",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream ended with ERROR while nothing was requested",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and stream.items > 0 and stream.credit <= 0 and "
        "stream.model in ('request_stream', 'request_channel')",
        needs="object both",
        of="conn",
        evidence="n, stream.item_n, stream.n",
        message="stream {stream.id} ended with ERROR when all {stream.requested} requested "
        "payloads had come: {error_data}",
        cause="The responder's source does not wait for demand, such as a timer: it fails when "
        "the requester is slower.",
        source="Protocol.md, Flow Control: Reactive Streams Semantics",
        healthy="The source failed for another reason.",
        guilty="server",
    ),
    Rule(
        id="RSK-B57b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="streams that end with ERROR each time nothing is requested",
        on="repetition:overflowed",
        needs="start whole both",
        evidence="n, overflowed.second_n, stream.n",
        message="{OVERFLOW_LIMIT} streams with the same metadata ended with ERROR when all "
        "requested payloads had come: {error_data}",
        cause="The responder's source does not wait for demand, such as a timer: it needs a buffer "
        "or must drop what is not requested, and the requester has to ask for more in time.",
        source="Protocol.md, Flow Control: Reactive Streams Semantics",
    ),
    *(
        Rule(
            id="RSK-B58",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="number in the other byte order",
            on=on,
            when=(_TURNED if small else _TURNED_TIME).format(value),
            needs="",
            per=f"client, server, name, sender, {value}",
            message=f"{{name}} has the number {{{value}}}, whose low bytes are all 0: it may be "
            "meant in the other byte order",
            cause="The sender writes numbers with the lowest byte first; RSocket has the highest "
            "byte first.",
            source="Protocol.md, Framing Format; rsocket-net issue 6",
        )
        for on, value, small in (
            ("request_stream request_channel", "initial_request_n", True),
            ("request_n", "request_n", True),
            ("lease", "number_of_requests", True),
            ("setup", "time_between_keepalive_frames", False),
        )
    ),
)

EXCHANGES: Final = (*MODELS, *TIMES, *DEMAND, *CONTENTS, *TWICE)
"""Part of the rules of the protocol."""
