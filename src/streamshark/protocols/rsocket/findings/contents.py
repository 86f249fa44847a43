"""Rules about what requests, errors and SETUP contain: routes, tokens, traces, data."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import metadata_predicates, predicates
from streamshark.protocols.rsocket.conversations import ANSWER, OPENING, PAYLOAD
from streamshark.protocols.rsocket.findings.metadata import IS_COMPOSITE, WHOLE
from streamshark.protocols.rsocket.types import COMPOSITE

ROUTED: Final = (COMPOSITE, "message/x.rsocket.routing.v0")
"""Types of metadata that have routes."""
_REQUESTS: Final = "request_response request_fnf request_stream request_channel"
_FEW: Final = "coalesce(me.asked, 0) < TRACED"
"""The side has sent few requests so far."""

_CARRIERS: Final = ((OPENING, f" and complete and {_FEW}"), ("metadata_push setup", ""))
"""Frames that carry credentials, and a condition for them."""

_TOKENS: Final = tuple(
    Rule(
        id="RSK-M11",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="token that is not valid at the time of its frame",
        on=on,
        when=f"len(metadata) >= 4{also}",
        predicate=metadata_predicates.has_expired_token,
        reads="metadata t",
        needs="",
        of="conn",
        message="the token in the metadata of {name} {found}",
        cause="The client keeps a token beyond its life and does not ask for a new one, or the "
        "clock of a host is wrong.",
        source="Extensions/Security/Bearer.md; RFC 7519, 4.1",
        healthy="A server that does not verify tokens.",
    )
    for on, also in _CARRIERS
)

_CREDENTIALS: Final = tuple(
    Rule(
        id="RSK-M18",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="credentials without TLS",
        on=on,
        when=f"len(metadata) >= 4{also} and not conn.encrypted",
        predicate=metadata_predicates.has_clear_credentials,
        reads="metadata",
        needs="",
        per="server",
        message="the metadata of {name} has {found}, which anyone between the two hosts can read",
        cause="The connection does not use TLS.",
        source="Extensions/Security/Authentication.md",
        healthy="Acceptable on a network that only these hosts can read.",
    )
    for on, also in _CARRIERS
)

CONTENTS: Final = (
    *_TOKENS,
    *_CREDENTIALS,
    Rule(
        id="RSK-M13",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="metadata entry that comes twice in a request",
        on=OPENING,
        when=f"len(metadata) >= 8 and {_FEW} and {IS_COMPOSITE}",
        predicate=metadata_predicates.has_entry_twice,
        reads="metadata",
        needs="",
        of="conn",
        message="the metadata of {name} on stream {fields.stream_id} has {found} twice",
        cause="The entry is added for each request and by an interceptor or a default as well: "
        "responders use one of the two.",
        source="Extensions/CompositeMetadata.md; Extensions/Routing.md",
        healthy="A gateway that keeps what it has received.",
    ),
    Rule(
        id="RSK-M14",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="route that was not meant",
        on=OPENING,
        when=f"len(metadata) >= 4 and {_FEW} and {IS_COMPOSITE}",
        predicate=metadata_predicates.has_mistaken_route,
        reads="metadata",
        needs="",
        of="conn",
        message="the route of {name} on stream {fields.stream_id} is {found}",
        cause="A variable of the route was not filled in, or is unset.",
        source="Extensions/Routing.md; Spring Framework, RSocket, Requester",
    ),
    Rule(
        id="RSK-M15",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="data that was converted wrongly",
        on=f"{OPENING} {PAYLOAD}",
        when=f"me.frames < JUDGED_FRAMES and len(data) > 2 and {WHOLE}",
        predicate=predicates.is_mistaken,
        reads="data",
        needs="",
        of="conn",
        message="the data of {name} on stream {fields.stream_id} is {found}",
        cause="The program passes a value that it has not encoded, or that was encoded before: "
        "the peer cannot use the data.",
        source="Protocol.md, Data And Metadata",
    ),
    Rule(
        id="RSK-C35",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="MIME type of metadata announced for data",
        on="setup",
        when="starts(data_mime_type, 'message/x.rsocket.')",
        needs="",
        per="client, server, data_mime_type",
        message="SETUP announces {data_mime_type} for data and {metadata_mime_type} for metadata",
        cause="The two types are swapped: the peer finds no route in the metadata.",
        source="Protocol.md, SETUP Frame (0x01); Extensions/WellKnownMimeTypes.md",
    ),
    Rule(
        id="RSK-C37",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="MIME type of an entry announced for all metadata",
        on="setup",
        when="metadata_mime_type in ('message/x.rsocket.authentication.v0', "
        "'message/x.rsocket.tracing-zipkin.v0', 'message/x.rsocket.mime-type.v0', "
        "'message/x.rsocket.accept-mime-types.v0')",
        needs="",
        per="client, server, metadata_mime_type",
        message="SETUP announces {metadata_mime_type} for all metadata of the connection, so that "
        "no request can have a route",
        cause="Types such as this one are meant for entries of composite metadata: announce "
        "message/x.rsocket.composite-metadata.v0, and write each kind as an entry.",
        source="Extensions/CompositeMetadata.md; Extensions/Security/Authentication.md; rsocket "
        "issue 281",
        healthy="Programs that use no routes.",
    ),
    Rule(
        id="RSK-C33b",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="MIME type in SETUP that is nearly a well-known one",
        on="setup",
        predicate=predicates.has_similar_type,
        reads="metadata_mime_type data_mime_type",
        needs="",
        per="client, server, metadata_mime_type, data_mime_type",
        message="SETUP announces {found}",
        cause="The name is misspelt: the peer compares the names of types byte by byte.",
        source="Protocol.md, SETUP Frame (0x01); Extensions/WellKnownMimeTypes.md",
        healthy="A type that the programs have agreed on.",
        echo_of="RSK-C33",
    ),
    Rule(
        id="RSK-R14",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="resume token that can be guessed",
        on="setup",
        when="resume_identification_token is not None and len(resume_identification_token) > 0",
        predicate=predicates.is_guessable,
        reads="resume_identification_token",
        needs="",
        per="server",
        message="the resume token of SETUP can be guessed: {found}",
        cause="Whoever knows the token can take the session over; it should be random.",
        source="Protocol.md, Resume Operation, Client Session Identification",
        healthy="A test.",
    ),
    Rule(
        id="RSK-B49",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="one trace context for different requests",
        on=_REQUESTS,
        when="complete and TRACE_LIMIT - 1 <= me.asked < TRACED and 16 <= len(metadata) <= 4096",
        predicate=metadata_predicates.has_constant_trace,
        reads="metadata me.traced TRACE_LIMIT",
        needs="",
        of="conn",
        message="{TRACE_LIMIT} requests in a row with different content have one trace context: "
        "{found}",
        cause="The context is made once, with the connection for instance, and never renewed: all "
        "requests are one span of one trace.",
        source="Extensions/Tracing-Zipkin.md; W3C Trace Context, traceparent Header",
        healthy="Requests that are all made within one span, by a library that makes no span for "
        "each.",
    ),
    Rule(
        id="RSK-M25",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="request without a kind of metadata that all requests before it have",
        on=_REQUESTS,
        when=f"TRACE_LIMIT - 1 <= me.asked < TRACED and len(metadata) >= 4 and {IS_COMPOSITE}",
        predicate=metadata_predicates.lacks_usual,
        reads="metadata me.traced TRACE_LIMIT",
        needs="",
        of="conn",
        message="{name} on stream {fields.stream_id} has no {found}, unlike all requests of its "
        "sender before it",
        cause="The client adds this metadata to some of its requests only, such as those that one "
        "of its functions makes.",
        source="Extensions/CompositeMetadata.md; Extensions/Tracing-Zipkin.md",
        healthy="A request that needs no such metadata.",
        echo_of="RSK-M24",
    ),
    Rule(
        id="RSK-B51",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="authentication of SETUP repeated in requests",
        on=OPENING,
        when=f"len(metadata) >= 8 and {_FEW} and conn.setup_metadata is not None and "
        f"{IS_COMPOSITE}",
        predicate=metadata_predicates.repeats_credentials,
        reads="metadata conn.setup_metadata",
        needs="",
        of="conn",
        evidence="n, conn.setup_n",
        message="{name} on stream {fields.stream_id} has the authentication of SETUP once more",
        cause="SETUP authenticates the connection: requests need credentials only if they are of "
        "another user.",
        source="Extensions/Security/Authentication.md",
        healthy="A server that asks for both.",
    ),
    Rule(
        id="RSK-M17",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="refused request without metadata, unlike others of its sender",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and stream.route == '' and "
        f"conn.metadata_mime_type in {ROUTED!r} and peer.routed_n is not None and "
        "stream.items == 0",
        needs="object both",
        of="conn",
        evidence="stream.n, n, peer.routed_n",
        message="{stream.model} on stream {fields.stream_id} had no metadata, unlike that of "
        "frame {peer.routed_n}, and was answered with ERROR: {error_data}",
        cause="The client has lost the route of this request, so that the server finds no handler.",
        source="Extensions/Routing.md",
        healthy="A server whose handlers do not go by routes.",
        worse_from=3,
    ),
    Rule(
        id="RSK-M17b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="refused request without metadata, although SETUP announces routes",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and stream.unrouted_n is not None and "
        f"conn.metadata_mime_type in {ROUTED!r} and peer.routed_n is None and "
        "conn.needs_no_route is None and stream.items == 0",
        needs="object both",
        of="conn",
        evidence="stream.n, n, conn.setup_n",
        message="{stream.model} on stream {fields.stream_id} had no metadata, although SETUP "
        "announces {conn.metadata_mime_type}, and was answered with ERROR: {error_data}",
        cause="The client does not write the route, or writes it elsewhere: the server finds no "
        "handler.",
        source="Extensions/Routing.md; rsocket-kotlin issue 217",
        healthy="A server whose handlers do not go by routes.",
        worse_from=3,
    ),
    Rule(
        id="RSK-M24",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="refused request without a kind of metadata that served requests have",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and len(stream.metadata) >= 4 and "
        f"conn.metadata_mime_type == '{COMPOSITE}' and count(served.metadata) > 0 and "
        "stream.items == 0",
        predicate=metadata_predicates.lacks_entry,
        reads="stream.metadata served.metadata",
        needs="",
        of="conn",
        evidence="stream.n, n",
        message="{stream.model} on stream {fields.stream_id} was refused; it has no {found}, "
        "unlike each request that the server has answered: {error_data}",
        cause="The client adds this metadata to some of its requests only, such as those that one "
        "of its functions makes.",
        source="Extensions/CompositeMetadata.md; Extensions/Security/Authentication.md",
        healthy="A request that needs no such metadata, and was refused for another reason.",
    ),
    Rule(
        id="RSK-B52",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="refused route that is nearly a served one",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and len(stream.metadata) >= 4 and "
        "count(served.metadata) > 0 and stream.items == 0",
        predicate=metadata_predicates.is_nearly_served,
        reads="stream.metadata served.metadata",
        needs="",
        of="conn",
        evidence="stream.n, n",
        message="ERROR for route {found}: {error_data}",
        cause="The route is misspelt, or one program uses other letters or separators than the "
        "others.",
        source="Extensions/Routing.md",
        healthy="Two routes with similar names.",
    ),
    Rule(
        id="RSK-S24",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="stack trace or credentials in an ERROR",
        on="error",
        when="len(error_data) > 16",
        predicate=predicates.has_trace,
        reads="error_data",
        needs="",
        per="server, sender",
        message="the {sender} sends {found} in ERROR {error_code:name} on stream "
        "{fields.stream_id}",
        cause="The responder passes the text of an exception on: it helps an attacker and no "
        "caller.",
        source="Protocol.md, ERROR Frame (0x0B); CWE-209",
    ),
    Rule(
        id="RSK-S24b",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="database query in an ERROR",
        on="error",
        when="len(error_data) > 16",
        predicate=predicates.has_query,
        reads="error_data",
        needs="",
        per="server, sender",
        message="the {sender} sends {found} in ERROR {error_code:name} on stream "
        "{fields.stream_id}",
        cause="The responder passes the text of an exception on.",
        source="Protocol.md, ERROR Frame (0x0B); CWE-209",
        healthy="A service whose callers write queries.",
    ),
    Rule(
        id="RSK-B221",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="kind of request for which the responder has no handler",
        on="error",
        when=f"fields.stream_id > 0 and error_code == 513 and {ANSWER} and len(error_data) < 48 "
        "and stream.items == 0",
        predicate=predicates.lacks_handler,
        reads="error_data",
        needs="",
        per="client, server, stream.model, side",
        evidence="n, stream.n",
        message="the {sender} has no handler for {stream.model}: it answers stream "
        "{fields.stream_id} by {error_code:name}: {error_data}",
        cause="The responder implements some kinds of requests and not this one, or was made for "
        "another service; asking again does not help.",
        source="Protocol.md, Error Codes (APPLICATION_ERROR); rsocket-py issue 5",
        healthy="Programs that try what a peer can do.",
    ),
    Rule(
        id="RSK-S27",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request refused for a reason that the text of ERROR names",
        on="error",
        when=f"fields.stream_id > 0 and {ANSWER} and len(error_data) >= 4",
        predicate=predicates.names_reason,
        reads="error_data",
        needs="",
        per="client, server, error_data",
        evidence="stream.n, n, conn.setup_n",
        message="{stream.model} on stream {fields.stream_id} was refused, as {found}: {error_data}",
        cause="The text is the server's; the request, or SETUP, shows whether it is so.",
        source="Protocol.md, ERROR Frame (0x0B); spring-boot issue 32213; rsocket-kotlin issue 313",
        healthy="Programs that try what a server can do.",
        echo_of="RSK-B203 RSK-B221",
    ),
    Rule(
        id="RSK-S25",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="ERROR without a text",
        on="error",
        when="fields.stream_id > 0 and 0 < len(error_data) <= 128",
        predicate=predicates.says_nothing,
        reads="error_data",
        needs="",
        per="server, sender",
        evidence="n, req.n",
        message="ERROR {error_code:name} on stream {fields.stream_id} says only '{error_data}'",
        cause="The exception of the handler has no message: neither peer learns what went wrong.",
        source="Protocol.md, ERROR Frame (0x0B); spring-boot issue 35798",
        healthy="The code says it all.",
    ),
    Rule(
        id="RSK-S25",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="ERROR without a text",
        on="error",
        when="fields.stream_id > 0 and len(error_data) == 0",
        needs="",
        per="server, sender",
        evidence="n, req.n",
        message="ERROR {error_code:name} on stream {fields.stream_id} has no text",
        cause="The exception of the handler has no message: neither peer learns what went wrong.",
        source="Protocol.md, ERROR Frame (0x0B)",
        healthy="The code says it all.",
    ),
    Rule(
        id="RSK-B50",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="same stream requested more often on each connection",
        on="request_stream request_channel",
        when="complete and twin.counted_flow == flow and twin.count == twin.former and "
        "twin.grown >= MULTIPLIED - 1",
        needs="whole",
        of="twin",
        evidence="n, twin.opened_n",
        message="{name} with the same metadata and data was sent more often on each of "
        "{MULTIPLIED} connections in a row: {twin.count + 1} times so far on this one",
        cause="After a lost connection the client subscribes again in several places, such as the "
        "handler of the connection and that of each stream: every payload comes as often.",
        source="Protocol.md, Request Stream; rsocket-js issue 204",
    ),
)
"""Rules about contents."""
