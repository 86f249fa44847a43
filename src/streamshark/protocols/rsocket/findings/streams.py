"""Rules about streams: their ids, models, demand and ends."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.conversations import ANSWER, LIVE_STATES, OPENING, PAYLOAD
from streamshark.protocols.rsocket.findings.stream_models import MODELS

_BURST: Final = (
    "stream.state in ('absent', 'unknown') and fields.stream_id > me.last_id - BURST_IDS and "
    "t - me.opened_t <= BURST_TIME"
)
"""Requests that start at once on several threads, such as of rsocket-java and rsocket-go."""

STREAMS: Final = (
    Rule(
        id="RSK-S1",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="stream id of the wrong parity",
        on=OPENING,
        when="sender == 'client' and fields.stream_id == fields.stream_id // 2 * 2 and "
        "fields.stream_id > 0 or "
        "sender == 'server' and fields.stream_id != fields.stream_id // 2 * 2",
        needs="start",
        message="the {sender} opened stream {fields.stream_id}; clients use odd ids, servers even "
        "ones",
        cause="",
        by="'first' if me.last_id is None and conn.start else "
        "'next' if fields.stream_id == me.last_id + 1 else 'other'",
        causes={
            "first": "The ids start at the wrong number.",
            "next": "The ids are incremented by one instead of two.",
        },
        source="Protocol.md, Stream Identifiers Generation",
    ),
    Rule(
        id="RSK-S2",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream id not above the last one",
        on=OPENING,
        when=f"0 < fields.stream_id <= me.last_id and stream.state not in {LIVE_STATES} and "
        "not (me.last_id >= LAST_IDS and fields.stream_id < LAST_IDS) and "
        f"not ({_BURST})",
        needs="since",
        of="me",
        evidence="n, me.opened_n",
        message="stream {fields.stream_id} was opened after stream {me.last_id}",
        cause="Ids only increase until they wrap; the peer may ignore the request.",
        source="Protocol.md, Stream Identifiers Lifetime",
    ),
    Rule(
        id="RSK-S2b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="skipped stream ids",
        on=OPENING,
        when="fields.stream_id > me.last_id + 2 and me.last_id > 0",
        needs="start whole",
        message="stream {fields.stream_id} was opened after stream {me.last_id}",
        cause="",
        healthy="The receiver need not care.",
        source="Protocol.md, Stream Identifiers Generation",
    ),
    Rule(
        id="RSK-S2c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream ids out of order in a burst",
        on=OPENING,
        when=f"0 < fields.stream_id <= me.last_id and {_BURST}",
        needs="start whole",
        of="conn",
        evidence="n",
        message="stream {fields.stream_id} was opened right after stream {me.last_id}",
        cause="Several threads take an id and send their request in another order.",
        healthy="Responders accept it.",
        source="Protocol.md, Stream Identifiers Lifetime",
    ),
    Rule(
        id="RSK-S23",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="first stream id other than 1 or 2",
        on=OPENING,
        when="me.last_id is None and fields.stream_id > 2 and conn.resume_n is None",
        needs="start whole",
        message="the first stream of the {sender} is {fields.stream_id}; ids start at 1 for "
        "clients and 2 for servers",
        cause="",
        healthy="The receiver need not care.",
        source="Protocol.md, Stream Identifiers Generation",
    ),
    Rule(
        id="RSK-B242",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="last stream id of a connection",
        on=OPENING,
        when="fields.stream_id >= LAST_ID",
        needs="",
        message="{name} has stream id {fields.stream_id}, the last one of the {sender}: it can "
        "make no other request on this connection, or has to use ids again",
        cause="Each request takes an id: at 1000 requests per second they last for 12 days.",
        healthy="A requester that skips the ids of open streams and begins again at 1 or 2.",
        source="Protocol.md, Stream Identifiers Generation; rsocket-js issue 40, "
        "rsocket-java issue 666",
    ),
    Rule(
        id="RSK-S3",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="request on an open stream id",
        on=OPENING,
        when=f"stream.state in {LIVE_STATES}",
        needs="object both",
        evidence="n, stream.n",
        message="{name} was sent on stream {fields.stream_id}, which has been open since frame "
        "{stream.n}",
        cause="Two requests have the same id; the receiver ignores the second.",
        source="Protocol.md, Handling the Unexpected",
    ),
    Rule(
        id="RSK-S5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="response without COMPLETE",
        on="payload",
        when=f"stream.model == 'request_response' and stream.state == 'open' and {ANSWER} and "
        "complete and not flags.complete and (stream.answer_ends == 0 or "
        "stream.answer_ends is None)",
        needs="object",
        evidence="n, stream.n",
        message="the response on stream {stream.id} has no COMPLETE flag; receivers assume it",
        cause="The responder treats request/response as a stream.",
        source="Protocol.md, Handling the Unexpected",
    ),
    Rule(
        id="RSK-S5b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="second response to one request",
        on="payload",
        when=f"stream.lacks_complete is not None and stream.state == 'done' and {ANSWER}",
        needs="object",
        evidence="n, stream.lacks_complete, stream.n",
        message="another PAYLOAD was sent for the request on stream {stream.id}, which already has "
        "its response",
        cause="The responder treats request/response as a stream.",
        source="Protocol.md, Handling the Unexpected",
    ),
    Rule(
        id="RSK-S6",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="response to REQUEST_FNF",
        on=f"{PAYLOAD} error request_n cancel",
        when=f"stream.model == 'request_fnf' and {ANSWER}",
        needs="object",
        evidence="n, stream.n",
        message="{name} was sent on stream {stream.id}, but REQUEST_FNF has no response",
        cause="",
        source="Protocol.md, Stream Sequences and Lifetimes",
    ),
    Rule(
        id="RSK-S7",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="initial request of 0 payloads",
        on="request_stream request_channel",
        when="initial_request_n == 0",
        needs="",
        message="{name} requests 0 payloads; it must request at least 1",
        cause="",
        source="Protocol.md, REQUEST_STREAM Frame (0x06)",
    ),
    Rule(
        id="RSK-S7b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="REQUEST_N of 0",
        on="request_n",
        when="fields.request_n == 0",
        needs="",
        message="REQUEST_N requests 0 payloads; it must request at least 1",
        cause="",
        source="Protocol.md, REQUEST_N Frame (0x08)",
    ),
    Rule(
        id="RSK-S8",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="more payloads than requested by the requester",
        on="payload",
        when=f"{ANSWER} and complete and (flags.next or stream.answer_cut == 1) and "
        "stream.credit <= 0 and stream.model in ('request_stream', 'request_channel')",
        needs="object both",
        evidence="n, stream.n",
        message="payload {stream.items} + 1 was sent on stream {stream.id}, but only "
        "{stream.requested} were requested",
        cause="The responder does not track its credit (REQUEST_N).",
        source="Protocol.md, Reactive Streams Semantics",
    ),
    Rule(
        id="RSK-S9",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="more payloads than requested by a channel's responder",
        on="payload",
        when="side == stream.owner and complete and stream.asking == 0 and "
        "(flags.next or stream.own_cut == 1) and stream.own_credit <= 0 and "
        "stream.model == 'request_channel' and stream.state in ('open', 'responder_done')",
        needs="object both",
        evidence="n, stream.n",
        message="a payload was sent on channel {stream.id} that the responder had not requested",
        cause="The requester does not wait for REQUEST_N.",
        source="Protocol.md, REQUEST_CHANNEL Frame (0x07)",
    ),
    Rule(
        id="RSK-S10",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="REQUEST_CHANNEL without REQUEST_N from its responder",
        on="end:stream",
        when="stream.model == 'request_channel' and stream.state in ('open', 'responder_done') "
        "and stream.granted == 0 and stream.own_items == 0 and stream.own_cancelled is None and "
        "(why != 'end' and t - stream.t > CHANNEL_GRANT or "
        "conn.last_t - stream.t > CHANNEL_GRANT)",
        needs="object both",
        evidence="stream.n",
        message="channel {stream.id} ended without a request from its responder",
        cause="The responder does not subscribe to the requester's payloads.",
        healthy="The responder is not interested in the requester's payloads.",
        source="Protocol.md, Stream Sequences and Lifetimes",
    ),
    Rule(
        id="RSK-S11",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="PAYLOAD after COMPLETE",
        on=PAYLOAD,
        when=f"stream.model != 'request_fnf' and {ANSWER} and "
        "stream.state in ('responder_done', 'done') and stream.lacks_complete is None or "
        "stream.model == 'request_channel' and side == stream.owner and "
        "stream.state in ('requester_done', 'done') and stream.asking == 0 and "
        "stream.own_cancelled is None",
        needs="object",
        evidence="n, stream.n",
        message="a payload was sent on stream {stream.id} after its sender's COMPLETE",
        cause="The publisher continues after it has completed.",
        source="Protocol.md, Stream Sequences and Lifetimes",
    ),
    Rule(
        id="RSK-S11b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="frame after the sender's own ERROR or CANCEL",
        on=f"{PAYLOAD} request_n cancel error",
        when="stream.state in ('cancelled', 'failed') and stream.closer == side",
        needs="object",
        evidence="n, stream.closer_n",
        message="{name} was sent on stream {stream.id}, which its sender ended in frame "
        "{stream.closer_n}",
        cause="The sender does not forget the stream when it is cancelled or fails.",
        source="Protocol.md, Stream Sequences and Lifetimes",
        echo_of="error",
    ),
    Rule(
        id="RSK-S11c",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="ERROR after COMPLETE",
        on="error",
        when=f"stream.model != 'request_fnf' and {ANSWER} and "
        "stream.state in ('responder_done', 'done') and stream.lacks_complete is None",
        needs="object",
        evidence="n, stream.n",
        message="ERROR was sent on stream {stream.id} after its sender's COMPLETE",
        cause="The publisher signals two ends; the receiver takes the first.",
        source="Protocol.md, Stream Sequences and Lifetimes",
    ),
    *MODELS,
    Rule(
        id="RSK-S12",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="PAYLOAD with neither NEXT nor COMPLETE",
        on="payload",
        when=f"not flags.next and not flags.complete and {ANSWER} and "
        "(stream.answer_cut == 0 or stream.answer_cut is None) or "
        "not flags.next and not flags.complete and side == stream.owner and "
        "stream.asking == 0 and (stream.own_cut == 0 or stream.own_cut is None)",
        needs="object",
        message="PAYLOAD on stream {stream.id} has neither NEXT nor COMPLETE set",
        cause="The sender forgets the NEXT flag; rsocket-java closes the connection.",
        source="Protocol.md, PAYLOAD Frame (0x0A)",
    ),
    Rule(
        id="RSK-S13",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="PAYLOAD data without NEXT",
        on="payload",
        when="flags.complete and not flags.next and (len(data) > 0 or len(metadata) > 0) and "
        f"({ANSWER} and (stream.answer_cut == 0 or stream.answer_cut is None) or "
        "side == stream.owner and stream.asking == 0 and "
        "(stream.own_cut == 0 or stream.own_cut is None))",
        needs="object",
        of="conn",
        message="PAYLOAD with COMPLETE but without NEXT has data, which receivers drop",
        cause="A last payload with data needs both flags.",
        source="Protocol.md, PAYLOAD Frame (0x0A)",
    ),
    Rule(
        id="RSK-S14",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="CANCEL sent by a responder",
        on="cancel",
        when=f"stream.model in ('request_response', 'request_stream', 'request_sub') and {ANSWER}",
        needs="object",
        evidence="n, stream.n",
        message="the responder cancelled stream {stream.id}; responders end a stream with ERROR or "
        "COMPLETE",
        cause="",
        source="Protocol.md, Stream Sequences and Lifetimes",
    ),
    Rule(
        id="RSK-S15",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="frame on a stream that is not open",
        on=f"{PAYLOAD} request_n cancel error",
        when="stream.state == 'absent' and fields.stream_id > 0",
        needs="start whole both",
        message="{name} was sent on stream {fields.stream_id}, which was not opened",
        cause="",
        healthy="The frame and the end of the stream crossed.",
        source="Protocol.md, Handling the Unexpected",
    ),
    Rule(
        id="RSK-S17",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="METADATA_PUSH on a stream",
        on="metadata_push",
        when="fields.stream_id != 0",
        needs="",
        message="METADATA_PUSH was sent on stream {fields.stream_id}, but belongs on stream 0",
        cause="The client sends it like a request.",
        source="Protocol.md, Handling the Unexpected",
    ),
    Rule(
        id="RSK-S19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream stalled without REQUEST_N",
        on="end:stream",
        when="stream.model in ('request_stream', 'request_channel') and stream.credit <= 0 and "
        "stream.items > 0 and stream.state in ('open', 'requester_done') and "
        "t - stream.last_t > STALLED",
        needs="object both",
        evidence="stream.item_n, stream.n",
        message="stream {stream.id} delivered all {stream.requested} requested payloads, then was "
        "idle until it ended",
        cause="The subscriber does not request more (REQUEST_N).",
        source="Protocol.md, Reactive Streams Semantics",
    ),
    Rule(
        id="RSK-S19b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="channel stalled without REQUEST_N",
        on="end:stream",
        when="stream.model == 'request_channel' and stream.granted == 1 and "
        "stream.own_credit <= 0 and stream.own_items > 0 and stream.own_cancelled is None and "
        "stream.state in ('open', 'responder_done') and t - stream.last_t > STALLED",
        needs="object both",
        evidence="stream.n",
        message="channel {stream.id} delivered all payloads that its responder requested, then was "
        "idle until it ended",
        cause="The responder requests some payloads, then neither more nor cancels.",
        healthy="The requester has nothing more to send.",
        source="Protocol.md, Reactive Streams Semantics; rsocket-py issue 290",
    ),
    Rule(
        id="RSK-S19c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream stalled without REQUEST_N, until its requester cancels it",
        on="cancel",
        when="side == stream.owner and stream.credit <= 0 and stream.items > 0 and "
        "t - stream.last_t > SILENCE * 2 and "
        "stream.model in ('request_stream', 'request_channel')",
        needs="object both",
        evidence="stream.item_n, n, stream.n",
        message="stream {stream.id} delivered all {stream.requested} requested payloads, then was "
        "idle for {t - stream.last_t:time}, until the {sender} cancelled it",
        cause="The subscriber does not request more (REQUEST_N).",
        source="Protocol.md, Reactive Streams Semantics",
        healthy="A requester that wants so many payloads, and cancels when it ends.",
    ),
    Rule(
        id="RSK-S20",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request failed with ERROR",
        on="error",
        when="fields.stream_id > 0 and error_code >= 513",
        needs="",
        per="client, server, error_code, error_data",
        evidence="req.n, n",
        message="ERROR {error_code:name} on stream {fields.stream_id}: {error_data}",
        cause="The code is defined by the application.",
        by="error_code",
        causes={
            513: "The request handler failed.",
            514: "The responder did not process the request, so it may be sent again.",
            515: "The responder cancelled the request.",
            516: "The responder considers the request invalid.",
        },
        healthy="Handlers report their failures this way.",
        source="Protocol.md, ERROR Frame (0x0B)",
        echo_of="RSK-B221",
    ),
)
