"""Rules for the state of routes, streams and sessions."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import metadata_predicates
from streamshark.protocols.rsocket.findings.metadata import IS_COMPOSITE

_STREAMS: Final = "Protocol.md, Stream Sequences and Lifetimes"

ROUTES: Final = (
    Rule(
        id="RSK-B91",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests of one route that are always refused, at longer intervals",
        on="repetition:never_served",
        needs="",
        message="{NEVER_LIMIT} requests with the same metadata were refused in a row with "
        "{error_code:name}, and none was served",
        cause="The route, or what else the metadata has, is one that the server does not serve; "
        "the client repeats the request instead of reporting it.",
        source="Protocol.md, ERROR Frame (0x0B)",
        healthy="A program that looks whether a service has started.",
        echo_of="RSK-B1 RSK-M19 RSK-B52",
    ),
    Rule(
        id="RSK-B92",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="REQUEST_FNF of a route whose other requests are answered",
        on="client:request_fnf",
        when="complete and replies.done_n is not None",
        needs="",
        of="replies",
        evidence="n, replies.done_n",
        message="REQUEST_FNF on stream {fields.stream_id} has the metadata of requests that are "
        "answered: the answer to this one, and its failure, are lost",
        cause="The client sends a request with the wrong model, or does not subscribe to the "
        "answer.",
        source="Protocol.md, REQUEST_FNF Frame (0x05)",
        healthy="A program that needs no answer.",
    ),
    Rule(
        id="RSK-B93",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="requests continued at once although each is rejected",
        on="repetition:rejected_on",
        needs="",
        message="{REJECTED_LIMIT} requests in a row were refused with rejected (0x202), and the "
        "next one came at most 1 s after it",
        cause="The responder is overloaded or has a limit: the client does not slow down.",
        source="Protocol.md, Error Codes, REJECTED; rsocket issue 25",
        healthy="A responder that rejects what it does not serve.",
        echo_of="RSK-B1 RSK-B91 RSK-L1 RSK-B203",
    ),
)

STREAMS: Final = (
    Rule(
        id="RSK-B94",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="stream requested anew for each page",
        on="churn:pages",
        needs="",
        message="{PAGES_LIMIT} streams of one route were each cancelled when all payloads "
        "requested of them had come",
        cause="The client reads page by page with a stream each; REQUEST_N would continue one "
        "stream where it is.",
        source="Protocol.md, REQUEST_N Frame (0x08)",
        healthy="Pages that a person asks for, or that have no order.",
        echo_of="RSK-B31",
    ),
    Rule(
        id="RSK-S28",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="CANCEL of REQUEST_FNF",
        on="cancel",
        when="stream.model == 'request_fnf' and side == stream.owner and stream.state == 'sent'",
        needs="object",
        evidence="n, stream.n",
        message="CANCEL was sent on stream {stream.id}, which ended when REQUEST_FNF was sent",
        cause="The client handles REQUEST_FNF as a request that has an answer.",
        source=_STREAMS,
        healthy="The responder ignores the frame.",
    ),
    Rule(
        id="RSK-S22c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="PAYLOAD of a requester long after the responder cancelled its side of the channel",
        on="payload",
        when="stream.model == 'request_channel' and side == stream.owner and flags.next and "
        "t > stream.unwanted_t + CROSSING",
        needs="object both",
        evidence="n, stream.own_cancelled, stream.n",
        message="the requester sent a payload on channel {stream.id} "
        "{t - stream.unwanted_t:time} after the responder's CANCEL: it is dropped",
        cause="The requester ignores CANCEL, and works for a channel that no longer takes it.",
        source=_STREAMS,
        echo_of="RSK-B47",
    ),
)

CONTENTS: Final = (
    Rule(
        id="RSK-M26",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="metadata of a channel in a later payload than its request",
        on="payload",
        when="stream.model == 'request_channel' and side == stream.owner and complete and "
        "stream.asking == 0 and stream.own_items == 0 and stream.bare == 1 and len(metadata) > 0",
        needs="object",
        evidence="n, stream.n",
        message="REQUEST_CHANNEL on stream {stream.id} has no metadata, but the payload after it "
        "has: responders choose the handler by the metadata of the request",
        cause="The client puts the route into the first item that it sends, and an empty payload "
        "into the request.",
        source="Protocol.md, REQUEST_CHANNEL Frame (0x07); rsocket Routing metadata",
        healthy="A program whose items have metadata of their own.",
    ),
    Rule(
        id="RSK-M27",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="METADATA_PUSH without metadata",
        on="metadata_push",
        when="coalesce(len(metadata), 0) == 0",
        needs="",
        message="METADATA_PUSH carries no byte of metadata",
        cause="The client sends the metadata as data, which this frame does not have, or pushes "
        "before it has any.",
        source="Protocol.md, METADATA_PUSH Frame (0x0C)",
        healthy="A program that shows that it is there.",
    ),
    Rule(
        id="RSK-M28",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="answer of a MIME type that the request does not accept",
        on="payload",
        when="side != stream.owner and flags.next and stream.items == 0 and "
        f"len(stream.metadata) > 0 and len(data) > 0 and {IS_COMPOSITE}",
        predicate=metadata_predicates.is_not_accepted,
        reads="metadata stream.metadata conn.data_mime_type",
        needs="object",
        of="conn",
        evidence="n, stream.n",
        message="the answer on stream {fields.stream_id} is {found}",
        cause="The server does not look at the types that the request accepts, and the client "
        "cannot decode the answer; or the client names types that it does not need.",
        source="Extensions/PerStreamDataMimeTypesDefinition.md, Metadata Contents",
        healthy="A client that also decodes the type of the connection.",
        guilty="server",
    ),
)

SESSIONS: Final = (
    Rule(
        id="RSK-R16",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="RESUME of a session that ERROR has ended",
        on="resume",
        when="session.over_n is not None",
        needs="",
        of="session",
        evidence="n, session.over_n",
        message="RESUME continues a session whose connection ended with "
        "{'CONNECTION_CLOSE' if session.over_code == 258 else 'CONNECTION_ERROR'}: a peer that "
        "ends a session does not keep it",
        cause="The client reconnects in the same way after an ERROR on stream 0 as after a lost "
        "connection; a new SETUP is needed.",
        source="Protocol.md, Error Codes, CONNECTION_ERROR, CONNECTION_CLOSE; Resuming Operation",
        healthy="A server that keeps the session nevertheless.",
    ),
)

OBJECT_STATES: Final = (*ROUTES, *STREAMS, *CONTENTS, *SESSIONS)
"""Part of `all_rules`."""
