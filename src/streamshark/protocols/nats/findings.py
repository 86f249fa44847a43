"""What is said of peers that misbehave.

NATS-N1 to N14 are this project's numbers of what the documentation and the parser of nats-server
demand; N15 and later are what recorded faults showed beside. Credentials in clear (N13) are legal,
so it is a note. What a client does inside with a message is seen in no line.
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general_rules import general, half_open
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.connection_rules import CONNECTIONS
from streamshark.protocols.nats.consumer_rules import CONSUMER_RULES
from streamshark.protocols.nats.content_rules import CONTENT_RULES, FORMATS
from streamshark.protocols.nats.delivery_rules import CONSUMERS, REDELIVERIES, SHARED_CONSUMERS
from streamshark.protocols.nats.echo_rules import ECHO_RULES
from streamshark.protocols.nats.exchange_rules import EXCHANGE_RULES
from streamshark.protocols.nats.harm_rules import HARM_RULES
from streamshark.protocols.nats.jetstream_behaviour_rules import JETSTREAM_BEHAVIOURS
from streamshark.protocols.nats.jetstream_errors import BY_STATE, CODE, PUBLISHES, REQUESTS
from streamshark.protocols.nats.jetstream_rules import JETSTREAM
from streamshark.protocols.nats.liveness_rules import LIVENESS_RULES
from streamshark.protocols.nats.loop_rules import LOOPS
from streamshark.protocols.nats.order_rules import ORDER_RULES
from streamshark.protocols.nats.payload_predicates import is_not_announced
from streamshark.protocols.nats.program_rules import PROGRAM_RULES
from streamshark.protocols.nats.publish_rules import LOST_AND_TWICE
from streamshark.protocols.nats.reconnect_rules import ENDED_BY_SERVERS, RECONNECTS
from streamshark.protocols.nats.refusal_rules import OF_STATE, REFUSAL_RULES
from streamshark.protocols.nats.renewal_rules import RENEWAL_RULES
from streamshark.protocols.nats.reply_rules import (
    LATE_REPLIES,
    REPLIES,
    SHARED_REPLIES,
    UNSUBSCRIBED_REPLIES,
)
from streamshark.protocols.nats.row_names import IS_ACK, OVER_LIMIT, SENT, SHUT_OUT
from streamshark.protocols.nats.silence_rules import SILENCE_RULES
from streamshark.protocols.nats.sources import CLIENT, PROTOCOL
from streamshark.protocols.nats.store_rules import KEYS, OBJECT_CHUNKS, STORES
from streamshark.protocols.nats.stream_state_rules import STREAM_STATE_RULES
from streamshark.protocols.nats.subject_rules import SUBJECTS, TYPOS
from streamshark.protocols.nats.subscription_rules import QUEUE_GROUPS, SUBSCRIPTION_RULES
from streamshark.protocols.nats.waste_rules import LEAKS, WASTE

_PARSER: Final = "nats-server v2.12.2, server/parser.go, parse"
_COMMANDS: Final = f"{SENT} client:sub client:unsub"
_CAUSES: Final = (
    "NATS-N1 NATS-N2 NATS-N3 NATS-N4 NATS-N5 NATS-N7 NATS-N10 NATS-N11 NATS-N15 NATS-N23 NATS-B332"
)
"""Rules whose faults servers answer by -ERR."""

_ANNOUNCING: Final = ("Content-Type", "content-type", "Content-Encoding", "content-encoding")
"""Headers that say what the payload is."""

BEGINNING: Final = (
    Rule(
        id="NATS-N1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="server message before INFO",
        on="server:any",
        when="conn.greeted_n is None and name != 'info' and conn.peers is None",
        needs="start whole",
        message="the server's first message is {name}, not INFO",
        cause="",
        source=f"{PROTOCOL}, INFO",
        guilty="server",
    ),
    Rule(
        id="NATS-N1b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="client command before CONNECT",
        on=_COMMANDS,
        when="conn.connect_n is None and conn.peers is None",
        needs="start whole",
        per="client, server, name",
        message="the client sent {name} before CONNECT",
        cause="The client starts before it has read INFO and identified itself with CONNECT; a "
        "server that requires credentials refuses it.",
        source=f"{PROTOCOL}, CONNECT",
    ),
    Rule(
        id="NATS-N23",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="bytes of another protocol instead of NATS",
        on="problem:foreign",
        needs="both",
        per="client, server, sender, problem_text",
        message="the {sender} does not speak NATS: {problem_text}",
        cause="",
        by="'http' if starts(problem_text, 'these bytes are HTTP') else "
        "'tls' if starts(problem_text, 'these bytes are TLS') else 'other'",
        causes={
            "http": "HTTP, such as a health check, is sent to the port for NATS clients.",
            "tls": "The client starts TLS at once, where this server sends INFO first.",
        },
        source="nats-server issue 596; nats.node issue 274",
    ),
    Rule(
        id="NATS-N13",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="NATS credentials without TLS",
        on="connect",
        when="(user is not None or auth_token is not None) and not conn.encrypted",
        needs="",
        per="server",
        message="CONNECT sends {'a token' if auth_token is not None else 'user and password'} "
        "without TLS",
        cause="Anyone who can read the traffic can use the credentials; nkeys and TLS avoid this.",
        source=f"{PROTOCOL}, CONNECT",
        healthy="Acceptable on a network that only these hosts can read.",
    ),
    Rule(
        id="NATS-N17",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="second CONNECT on a connection",
        on="client:connect",
        when="conn.connect_n is not None",
        needs="",
        per="client, server",
        evidence="n, conn.connect_n",
        message="the client sent CONNECT again on the same connection",
        cause="The client sets the connection up again instead of opening a new one.",
        source=f"{CLIENT}, processConnect",
    ),
    Rule(
        id="NATS-N18",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="plaintext CONNECT although TLS is required",
        on="client:connect",
        when="conn.tls_required == 1 and not conn.encrypted and not conn.carried",
        needs="start",
        per="client, server",
        message="CONNECT was sent without TLS, but INFO sets tls_required",
        cause="The client ignores INFO, or is not configured for TLS.",
        source=f"{CLIENT}, processConnect; {PROTOCOL}, INFO",
    ),
)

LINES: Final = (
    Rule(
        id="NATS-N2",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="payload size mismatch",
        on="client:problem:literal server:problem:literal",
        # Frames of a WebSocket whose handshake was not captured are among a server's bytes.
        when="sender == 'client' or conn.start",
        needs="",
        per="client, server, sender, name",
        message="no CRLF follows the payload that {name} announces: its size is wrong",
        cause="The client counts something other than the bytes of the payload.",
        by="'characters' if multibyte(payload) else 'other'",
        causes={"characters": "The client may count characters instead of bytes."},
        source=f"{_PARSER}, MSG_END_R; nats.node issue 6",
    ),
    Rule(
        id="NATS-N2b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="bytes outside any NATS protocol message",
        on="client:tcp.resync",
        when="starts(reason, 'no frame begins here')",
        needs="",
        per="client, server, reason",
        evidence="C.last_n",
        message="{skipped:count byte} from the client are no NATS protocol message: {reason}",
        cause="The line does not start with a verb, or the payload before it does not have the "
        "size that its own line announces.",
        source=f"{_PARSER}, parseErr",
        echo_of="NATS-N2 NATS-N3",
    ),
    Rule(
        id="NATS-N2c",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="invalid arguments of a NATS command",
        on="client:problem:args client:problem:number client:problem:negative client:problem:short",
        when="name not in ('hpub', 'hmsg', 'lmsg')",
        needs="",
        per="client, server, name, problem_text",
        message="{name} has invalid arguments: {problem_text}",
        cause="A space in a subject or a missing argument shifts the other arguments.",
        source=f"{_PARSER}, processPub, processSub",
    ),
    Rule(
        id="NATS-N3",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="malformed header block",
        on="client:problem:args client:problem:number client:problem:negative client:problem:short "
        "server:problem:args server:problem:number server:problem:negative server:problem:short",
        when="name in ('hpub', 'hmsg', 'lmsg')",
        needs="",
        per="client, server, name, problem_text",
        message="{name} has a malformed header block: {problem_text}",
        cause="A header block starts with NATS/1.0 and ends with an empty line; the header size "
        "includes both.",
        source="nats-server v2.12.2, server/client.go, processHeaderPub; ADR-4",
    ),
    Rule(
        id="NATS-N4",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="HPUB without negotiated headers",
        on="client:hpub",
        when="conn.headers_known == False or conn.headers == False",
        needs="start",
        per="client, server",
        evidence="n, conn.connect_n",
        message="HPUB was sent, but {'INFO' if conn.headers_known == False else 'CONNECT'} does "
        "not announce headers",
        cause="The client does not set `headers` in CONNECT.",
        by="'server' if conn.headers_known == False else 'client'",
        causes={
            "server": "The server does not accept headers: it is older than 2.2, or headers "
            "are disabled."
        },
        source=f"{_PARSER}, OP_H; ADR-4",
    ),
    Rule(
        id="NATS-N33",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="payload that is not what Content-Type or Content-Encoding announces",
        on="client:hpub",
        when=" or ".join(f"item(headers, '{each}') is not None" for each in _ANNOUNCING),
        predicate=is_not_announced,
        reads="headers payload",
        needs="",
        per="client, server, subject",
        message="the message to {subject} is {found}, although its headers announce it",
        cause="The header is a default or a copy, or the payload was encoded in another way: "
        "subscribers that go by the header cannot read it.",
        source="ADR-4; RFC 9110, 8.3 and 8.4",
    ),
    Rule(
        id="NATS-N5",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="payload larger than max_payload",
        on=SENT,
        when="len(payload) > conn.max_payload",
        needs="",
        per="client, server, len(payload)",
        message="a payload of {len(payload)} bytes exceeds the server's max_payload of "
        "{conn.max_payload}",
        cause="The client does not check max_payload of INFO; servers close the connection.",
        source=f"{CLIENT}, maxPayloadViolation; nats.net issue 376",
    ),
    Rule(
        id="NATS-N5b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="truncated payload larger than max_payload",
        on="client:tcp.partial",
        when="command in ('pub', 'hpub') and expected > conn.max_payload + 4096",
        needs="",
        per="client, server, expected",
        evidence="C.last_n",
        message="{command} of {expected} bytes, of which {length} were received, exceeds the "
        "server's max_payload of {conn.max_payload}",
        cause="The client does not check max_payload of INFO; the server closes the connection as "
        "soon as it has read the line.",
        source=f"{CLIENT}, maxPayloadViolation; nats.net issue 376",
    ),
    Rule(
        id="NATS-N5c",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="delivered payload larger than max_payload",
        on="server:msg server:hmsg",
        when="len(payload) > conn.max_payload",
        needs="",
        of="sub",
        message="a payload of {len(payload)} bytes for sid {sid} exceeds max_payload of "
        "{conn.max_payload} in INFO: a client with a buffer of that size has no room for it",
        cause="The message came in by a path with another limit, such as MQTT or another server, "
        "or the limit was lowered after the message was stored.",
        source="nats-server issue 7439; docs.nats.io, Client Protocol, INFO",
        healthy="Most clients accept the message.",
        guilty="server",
    ),
    Rule(
        id="NATS-N10",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="PUB line longer than the server accepts",
        on="client:pub",
        when="size - len(payload) > LONGEST_LINE",
        needs="",
        per="client, server, size",
        message="a line of {size - len(payload)} bytes, where servers accept {LONGEST_LINE}",
        cause="",
        source="nats-server v2.12.2, server/const.go, MAX_CONTROL_LINE_SIZE",
    ),
    Rule(
        id="NATS-N10b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="control line longer than the server accepts",
        on="client:sub client:unsub client:connect",
        when="size > LONGEST_LINE",
        needs="",
        per="client, server, name, size",
        message="a line of {size} bytes, where servers accept {LONGEST_LINE}",
        cause="Servers accept longer lines only with a higher `max_control_line`.",
        source="nats-server v2.12.2, server/const.go, MAX_CONTROL_LINE_SIZE",
    ),
    Rule(
        id="NATS-N11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="wildcard or empty token in a published subject",
        on=SENT,
        when="not literal(subject) and not starts(subject, '$JS.') and "
        "between(subject, '.CONSUMER.CREATE.', '.') is None",
        needs="",
        per="client, server, subject",
        message="the client published to {subject}, which has a wildcard or an empty token",
        cause="Wildcards are only valid in subscriptions; the server checks this in pedantic mode "
        "only.",
        source=f"{PROTOCOL}, PUB; docs.nats.io, Subject-Based Messaging",
    ),
    Rule(
        id="NATS-N15",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="invalid JSON in CONNECT",
        on="client:problem:value",
        needs="",
        per="client, server, problem_text",
        message="{name} has options that a server cannot parse: {problem_text}",
        cause="",
        source=f"{CLIENT}, processConnect",
    ),
)

SUBSCRIPTIONS: Final = (
    Rule(
        id="NATS-N6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message for an unknown sid",
        on="server:msg server:hmsg",
        when="sub.state == 'absent'",
        needs="start whole both",
        message="the server sent a message for sid {sid}, which the client never subscribed",
        cause="",
        source=f"{PROTOCOL}, MSG",
        guilty="server",
    ),
    Rule(
        id="NATS-N6b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message after UNSUB",
        on="server:msg server:hmsg",
        when="sub.state == 'removed' and S.answered_n > sub.unsub_n",
        needs="object both",
        evidence="n, sub.unsub_n, S.answered_n",
        message="the server sent a message for sid {sid}, which UNSUB in frame {sub.unsub_n} "
        "ended, although it has answered a later PING",
        cause="",
        source=f"{CLIENT}, processUnsub",
        guilty="server",
    ),
    Rule(
        id="NATS-N6c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message on a subject outside its subscription",
        on="server:msg server:hmsg",
        when="sub.state == 'live' and not matching(subject, sub.subject) and "
        "not starts(sub.subject, '_INBOX') and sub.pull_n is None and "
        f"not ({IS_ACK} or starts(subject, '$JS')) and reply_to is None and "
        "sub.limit is None",
        needs="object both",
        evidence="n, sub.n",
        message="the server sent a message on {subject} for sid {sid}, which is subscribed to "
        "{sub.subject}",
        cause="",
        source=f"{PROTOCOL}, MSG",
        guilty="server",
        healthy="A server with subject mapping delivers under another subject; JetStream delivers "
        "the stored subject to the inbox of a consumer.",
    ),
    Rule(
        id="NATS-N12",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="sid already in use",
        on="client:sub",
        # A SUB that the server refuses takes no sid; -ERR does not say which one it means.
        when="sub.state == 'live' and (conn.err_n is None or conn.err_n < sub.n)",
        needs="object both",
        per="client, server, subject, sid",
        evidence="n, sub.n",
        message="SUB {subject} uses sid {sid}, which has been subscribed to {sub.subject} since "
        "frame {sub.n}: the server ignores it",
        cause="The client reuses an id that it has not released with UNSUB.",
        by="'again' if subject == sub.subject else 'other'",
        causes={"again": "The client repeats a subscription that it still has."},
        source=f"{CLIENT}, processSubEx",
    ),
    Rule(
        id="NATS-N19",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="UNSUB of an unknown sid",
        on="client:unsub",
        when="sub.state == 'absent'",
        needs="start whole",
        per="client, server, sid",
        message="the client sent UNSUB {sid}, which was never subscribed",
        cause="",
        source=f"{CLIENT}, processUnsub",
        healthy="The server ignores it silently.",
    ),
)

ERRORS: Final = {
    "Authorization Violation": "The credentials of CONNECT are missing or wrong.",
    "Authentication Timeout": "CONNECT did not arrive in time.",
    "User Authentication Expired": "The user's credentials have expired.",
    "Account Authentication Expired": "The account's credentials have expired.",
    "Maximum Payload Violation": "A message is larger than max_payload of INFO.",
    "Stale Connection": "The client does not answer PING.",
    "Slow Consumer": "The client does not read the messages of its subscriptions fast enough.",
    "Unknown Protocol Operation": "The server received bytes that are no protocol message.",
    "maximum control line exceeded": "A line is longer than the server accepts.",
    "Secure Connection - TLS Required": "The client does not use TLS.",
    "Invalid Subject": "A subject is empty, has an empty token, or has `>` before its end.",
    "Invalid Publish Subject": "The subject of a message has a wildcard or an empty token.",
    "Invalid Client Protocol": "`protocol` in CONNECT is not 0 or 1.",
    "Parser Error": "The server received bytes that are no protocol message.",
    "maximum connections exceeded": "The server has as many connections as it accepts.",
    "maximum account active connections exceeded": "The account has as many connections "
    "as it may have.",
    "maximum subscriptions exceeded": "The connection, or its account, has as many "
    "subscriptions as it may have.",
    "no responders requires headers support": "CONNECT asks for no_responders and not for headers.",
}
"""Texts of -ERR to what they mean."""

ANSWERS: Final = (
    Rule(
        id="NATS-N7",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="unanswered PING",
        on="timer:pong",
        when="me.pings > 0",
        needs="whole both",
        evidence="me.ping_n",
        message="a PING from the {'client' if me.side == C.side else 'server'} has not been "
        "answered for {PONG_TIME:time}",
        cause="The peer does not read, or does not answer PING.",
        by="'server' if me.side == S.side else 'client'",
        causes={
            "server": "The client does not read (its application blocks, for example) or is "
            "stopped; after more unanswered PINGs the server closes the connection with Stale "
            "Connection.",
        },
        source=f"{PROTOCOL}, PING/PONG; {CLIENT}, processPingTimer",
        healthy="A client that reads only while it waits for a message.",
    ),
    Rule(
        id="NATS-N7b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="several PINGs without PONG",
        on="ping",
        when="me.pings >= MOST_PINGS and t - me.ping_t > PONG_TIME",
        needs="whole both",
        of="me",
        evidence="me.ping_n, n",
        message="the PING before this one is unanswered too: {me.pings + 1} in a row",
        cause="The peer does not read, or does not answer PING.",
        source=f"{CLIENT}, processPingTimer",
    ),
    Rule(
        id="NATS-N7c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="Stale Connection after unanswered PINGs",
        on="server:err",
        when="message == 'Stale Connection' and me.pings > 0",
        needs="whole both",
        of="me",
        evidence="me.ping_n, n",
        message="the server gave up the client after {me.pings:count ping} without PONG",
        cause="The client does not answer PING: its reader is blocked, or it is stopped.",
        source=f"{CLIENT}, processPingTimer",
    ),
    Rule(
        id="NATS-N8",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="+OK without verbose mode",
        on="server:ok",
        when="conn.verbose == False",
        needs="start",
        evidence="n, conn.connect_n",
        message="the server sent +OK, but CONNECT sets verbose to false",
        cause="",
        source=f"{PROTOCOL}, +OK/ERR",
        guilty="server",
    ),
    Rule(
        id="NATS-N8b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="missing +OK in verbose mode",
        on="unanswered:ok",
        when="why == 'closed' and conn.err_n is None and conn.errors == 0",
        needs="whole both",
        of="conn",
        evidence="req.n",
        message="{req.line} was never answered with +OK, although CONNECT asks for it (verbose)",
        cause="",
        source=f"{PROTOCOL}, +OK/ERR",
        guilty="server",
        echo_of="NATS-N15",
    ),
    Rule(
        id="NATS-N9",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="error from the server (-ERR)",
        on="err",
        when=f"not starts(message, 'Permissions Violation') and message not in {SHUT_OUT}",
        needs="",
        per="client, server, message",
        evidence="n, C.command_n",
        message="-ERR {message}{', after a header of the PROXY protocol' if "
        "starts(message, 'Unknown P') and conn.proxied == 1 else ''}",
        cause="",
        by="'proxied' if starts(message, 'Unknown P') and conn.proxied == 1 else message",
        causes={
            **ERRORS,
            "proxied": "The load balancer sends a header of the PROXY protocol, and the server is "
            "not set to expect one (proxy_protocol), or does not know it.",
        },
        source=f"{PROTOCOL}, +OK/ERR; {CLIENT}, sendErr",
        echo_of=_CAUSES,
    ),
    Rule(
        id="NATS-N9b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="permissions violation (-ERR)",
        on="err",
        when="starts(message, 'Permissions Violation')",
        needs="",
        per="client, server, message",
        evidence="n, C.command_n",
        message="-ERR {message}",
        cause="The user has no permission for the subject, or the subject is misspelt.",
        source=f"{CLIENT}, pubPermissionViolation, subPermissionViolation",
        healthy="A client that is refused once and handles it; the connection stays open.",
    ),
    Rule(
        id="NATS-N9c",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="client shut out by the server (-ERR)",
        on="repetition:shut_out",
        needs="",
        evidence="n, C.command_n, conn.resigned_n",
        message="-ERR {message}{', and CONNECT has no credentials' if starts(message, 'Authori') "
        "and conn.bare == 1 else ', and CONNECT signs the nonce of an earlier connection' if "
        "conn.resigned_n is not None else ', and the client has sent nothing since INFO' if "
        "starts(message, 'Authentication T') and coalesce(C.frames, 0) == 0 else ''}",
        cause="It is a note if the server takes a later connection of the client.",
        by="'bare' if starts(message, 'Authori') and conn.bare == 1 else 'resigned' if "
        "conn.resigned_n is not None else 'keyed' if starts(message, 'Authori') and "
        "conn.keyed == 1 else 'mute' if starts(message, 'Authentication T') and "
        "coalesce(C.frames, 0) == 0 else message",
        causes={
            **ERRORS,
            "keyed": "The nkey or JWT is of no user of the server, or is signed for by another "
            "seed: the signature has to be that of the nonce in INFO, by the seed of this key.",
            "mute": "The client waits for something before it sends CONNECT, such as a callback "
            "for its credentials that does not return.",
            "bare": "The program is started without user and password, token or nkey, or its "
            "reconnect leaves them out.",
            "resigned": "Each INFO has a nonce of its own: the client has to sign it anew for "
            "each connection.",
        },
        source=f"{PROTOCOL}, +OK/ERR; {CLIENT}, sendErr",
        echo_of=_CAUSES,
    ),
    Rule(
        id="NATS-N14",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="no responders for a request",
        on="server:hmsg",
        when="fields.status == 503 and asked.state == 'asked'",
        needs="",
        per="client, server, asked.subject",
        evidence="asked.n, n",
        message="no subscriber receives {asked.subject}, the subject of the request in frame "
        "{asked.n}",
        cause="There is no subscription on this subject that the requester can reach.",
        source="ADR-4; nats-server v2.12.2, server/client.go, processInboundClientMsg",
        healthy="A client may probe for a service, or send the request before the service is up, "
        "as Liftbridge servers do.",
    ),
    Rule(
        id="NATS-N14b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request without a reply",
        on="end:asked",
        when="why in ('closed', 'reset') and asked.state == 'asked' and conn.torn is None",
        needs="whole both all",
        per="client, server, asked.subject",
        evidence="asked.n",
        message="the request to {asked.subject} had no reply when the connection was closed",
        cause="",
        source="docs.nats.io, Request-Reply",
        healthy="The reply subject may be meant for later, or for several replies.",
        echo_of="NATS-B37",
    ),
    Rule(
        id="NATS-N24",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream, or what was asked for in it, not found",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning is not None and "
        "asked.meaning != 'stream msg get' and "
        "(between(payload, '_response\",\"error\":{\"code\":', ',') == '404' or "
        "between(payload, DESCRIPTION, QUOTE) is not None and asked.meaning == 'info')",
        needs="",
        per="client, server, asked.meaning, between(payload, DESCRIPTION, QUOTE)",
        evidence="asked.n, n",
        message="{asked.meaning} was refused: {between(payload, DESCRIPTION, QUOTE)}",
        cause="The stream or consumer does not exist, or the account has no JetStream.",
        source="nats-server v2.12.2, server/errors.json",
        healthy="Programs often ask to find out what exists.",
    ),
    Rule(
        id="NATS-N24b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream API error other than 404",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning is not None and "
        "between(payload, '_response\",\"error\":{\"code\":', ',') != '404' and "
        f"asked.meaning != 'info' and {CODE} not in {BY_STATE}",
        needs="",
        per="client, server, asked.meaning, between(payload, DESCRIPTION, QUOTE)",
        worsens=True,
        evidence="asked.n, n, catalogue.told_n",
        message="{asked.meaning} was refused: {between(payload, DESCRIPTION, QUOTE)}",
        cause="",
        by=CODE,
        causes=REQUESTS,
        source="nats-server v2.12.2, server/errors.json; nack issue 97",
    ),
    Rule(
        id="NATS-N24c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="wrong last sequence in a JetStream publish",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning is None and "
        'between(payload, \'{"error":{"code":\', \',"err_code":\') is not None and '
        "between(payload, '\"stream\":\"', '\"') is not None and "
        "between(payload, '\"err_code\":', ',') in ('10070', '10071', '10164')",
        needs="",
        per="client, server, asked.subject, between(payload, DESCRIPTION, QUOTE)",
        worsens=True,
        evidence="asked.n, n, entry.written_n",
        message="the message to {asked.subject} was not stored: {between(payload, DESCRIPTION, "
        "QUOTE)}",
        cause="Another publisher was faster: read the stream's state, then publish again.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg; server/errors.json",
        healthy="If several writers expect the same sequence, one succeeds and the others retry.",
    ),
    Rule(
        id="NATS-N24d",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="message not stored by JetStream",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning is None and "
        'between(payload, \'{"error":{"code":\', \',"err_code":\') is not None and '
        f"{CODE} not in {('10070', '10071', '10164', *BY_STATE)}",
        needs="",
        per="client, server, asked.subject, between(payload, DESCRIPTION, QUOTE)",
        worsens=True,
        evidence="asked.n, n",
        message="the message to {asked.subject} was not stored: {between(payload, DESCRIPTION, "
        "QUOTE)}",
        cause="",
        by=CODE,
        causes=PUBLISHES,
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
    ),
    Rule(
        id="NATS-N24e",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="message or key not found",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning == 'stream msg get' and "
        "between(payload, '_response\",\"error\":{\"code\":', ',') == '404'",
        needs="",
        per="client, server, between(payload, DESCRIPTION, QUOTE)",
        evidence="asked.n, n",
        message="{asked.meaning} was refused: {between(payload, DESCRIPTION, QUOTE)}",
        cause="The stream has no such message, or the key-value store no such key.",
        source="nats-server v2.12.2, server/errors.json; ADR-8, Key Value",
        healthy="Programs ask a key-value store for keys that it does not have.",
    ),
    Rule(
        id="NATS-N25",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream pull request ended by an error status",
        on="server:hmsg",
        when="pull.state == 'asked' and (fields.status == 503 or fields.status == 409 and "
        f"description != 'Batch Completed' and not {OVER_LIMIT})",
        needs="",
        per="client, server, fields.status, description",
        worsens=True,
        evidence="n, pull.n",
        message="the pull request ended with status {fields.status} {coalesce(description, '')}",
        cause="",
        by="fields.status",
        causes={503: "The consumer does not exist, or has no leader."},
        source="nats-server v2.12.2, server/consumer.go, processNextMsgRequest; nats-server issue "
        "3603",
        healthy="A change of the leader ends pull requests; clients pull again.",
        echo_of="NATS-N25b NATS-N25c",
    ),
    Rule(
        id="NATS-N26",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="unanswered JetStream flow control",
        on="timer:flow_control",
        when="served.state == 'waiting' and not has(conn.unsubscribed, served.sid)",
        needs="object both",
        evidence="served.n",
        message="a JetStream flow control request has not been answered for {FLOW_CONTROL:time}",
        cause="The subscriber of a push consumer must publish an empty message to the reply "
        "subject of a status 100 message; once its window is full, the server stops delivering.",
        source="nats-server v2.12.2, server/consumer.go, sendFlowControl; nats.net.v1 issue 478",
        healthy="A client that is busy answers after it has processed what it received; one that "
        "has unsubscribed need not answer.",
    ),
    Rule(
        id="NATS-N16",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream redelivery",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1",
        needs="",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        message="delivery number {token(reply_to, 4)} of a message from stream {token(reply_to, "
        "2)}",
        cause="The consumer did not acknowledge in time (AckWait), or rejected the message.",
        source="nats-server v2.12.2, server/consumer.go, ackReplySubject",
        healthy="A message that was rejected on purpose is delivered again.",
    ),
    Rule(
        id="NATS-N21",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="TCP zero window of a NATS client",
        on="client:tcp.zero_window",
        when="conn.delivered > 0 or live(sub) > 0",
        needs="",
        of="C",
        evidence="S.last_n",
        message="the client closed its TCP window: it reads more slowly than messages arrive, and "
        "the server drops it at max_pending or at the write deadline",
        cause="",
        source=f"{CLIENT}, handleWriteTimeout, markConnAsClosed; docs.nats.io, Slow Consumers",
        healthy="A brief zero window is normal when much is sent at once.",
    ),
    Rule(
        id="NATS-N20",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="server in lame duck mode",
        on="info",
        when="ldm",
        needs="",
        of="conn",
        message="INFO announces lame duck mode: clients should move to another server",
        cause="",
        source="docs.nats.io, Lame Duck Mode",
        healthy="An operator stops or updates the server and gives its clients time to leave.",
        guilty="server",
    ),
)

ENDING: Final = (
    Rule(
        id="NATS-N21b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="client dropped by the server as a slow consumer",
        on="server:tcp.close server:tcp.reset",
        when="conn.left is None and t - conn.shut_t <= SLOW_DROP and conn.peers is None",
        needs="start both",
        of="C",
        evidence="S.last_n, C.command_n",
        message="the server ended the connection {t - conn.shut_t:time} after the client had "
        "closed its TCP window: it takes the client for a slow consumer",
        cause="The client does not read as fast as messages arrive: a handler blocks its reader, "
        "or a subscription gets more than it can process. What the server still had is lost.",
        source=f"{CLIENT}, handleWriteTimeout, markConnAsClosed; docs.nats.io, Slow Consumers; "
        "nats.c issue 317",
        echo_of="NATS-N21",
    ),
    Rule(
        id="NATS-N22",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed by the server without -ERR",
        on="client:tcp.close server:tcp.reset",
        per="server",
        when="(conn.dropped == 1 or name == 'tcp.reset') and conn.left is None and "
        "conn.connect_n is not None and conn.errors == 0 and conn.ldm_n is None and "
        "conn.peers is None",
        needs="start whole both",
        evidence="S.last_n",
        message="the server closed the connection without sending -ERR or announcing lame duck "
        "mode",
        cause="",
        source="liftbridge-io/liftbridge issue 373; docs.nats.io, Lame Duck Mode",
        healthy="The server was stopped at once; clients connect to another one.",
        guilty="server",
        echo_of=f"{_CAUSES} NATS-N21 NATS-B329 NATS-B334",
    ),
)

BEHAVIOURS: Final = (
    *LOOPS, *LEAKS, *REDELIVERIES, *CONSUMERS, *RECONNECTS, *REPLIES, *TYPOS, *ENDED_BY_SERVERS,
    *CONNECTIONS, *QUEUE_GROUPS, *OBJECT_CHUNKS, *SHARED_CONSUMERS, *LATE_REPLIES, *FORMATS,
    *SUBJECTS, *SHARED_REPLIES, *KEYS, *LOST_AND_TWICE, *UNSUBSCRIBED_REPLIES, *WASTE,
)  # fmt: skip
"""Rules for what clients do over time."""

RULES: Final = (
    *BEGINNING,
    *LINES,
    *SUBSCRIPTIONS,
    *ANSWERS,
    *JETSTREAM,
    *BEHAVIOURS,
    *JETSTREAM_BEHAVIOURS,
    *CONSUMER_RULES,
    *STORES,
    *REFUSAL_RULES,
    *OF_STATE,
    *EXCHANGE_RULES,
    *CONTENT_RULES,
    *SUBSCRIPTION_RULES,
    *STREAM_STATE_RULES,
    *PROGRAM_RULES,
    *ORDER_RULES,
    *ECHO_RULES,
    *RENEWAL_RULES,
    *SILENCE_RULES,
    *LIVENESS_RULES,
    *HARM_RULES,
    *ENDING,
    half_open("NATS-N31", f"{CLIENT}, closeConnection", "NATS"),
    *general("NATS", _PARSER, "NATS"),
)
"""Judged by `streamshark.findings`."""
