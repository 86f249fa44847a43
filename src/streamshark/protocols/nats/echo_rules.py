"""Rules for what one side repeats of the other, and for values that NATS does not define."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import echo_predicates
from streamshark.protocols.nats.codes import Status
from streamshark.protocols.nats.echo_behaviours import (
    CONFIGURING,
    CONSUMER_ASKED,
    SOURCE,
    STREAM_ASKED,
)
from streamshark.protocols.nats.order_behaviours import IS_STORED
from streamshark.protocols.nats.row_names import (
    CREATES,
    DELIVERED,
    IS_ACK,
    OF_STREAM,
    SENT,
)
from streamshark.protocols.nats.sources import CLIENT, PROTOCOL

_API: Final = "nats-server v2.12.2, server/jetstream_api.go"
_TYPE: Final = "between(payload, 'io.nats.jetstream.api.v1.', '_response\"')"
_STREAM: Final = """between(payload, '"config":{"name":"', '"')"""
_OF_CONSUMER: Final = """between(payload, '"stream_name":"', '"')"""
_CONSUMER: Final = """between(payload, '","name":"', '"')"""
_NAMED: Final = (
    """between(payload, '{"name":"', '"') if starts(payload, NAME_FIRST) else """
    """between(payload, '{"name": "', '"') if starts(payload, NAME_AND_BLANK) else None"""
)
_CONFIGURES: Final = "called(subject, JETSTREAM) in ('stream create', 'stream update')"
_STREAM_NAMED: Final = (
    """coalesce(between(payload, '"stream_name":"', '"'), """
    """between(payload, '"stream_name": "', '"'))"""
)
_IS_API: Final = "asked.state == 'asked' and starts(asked.subject, '$JS.API.')"
_STATUSES: Final = tuple(sorted(each.value for each in Status))


def _consumer_token(at: int) -> str:
    """Return a token of the request for a consumer, one later if it is for a durable one."""
    return f"token(asked.subject, {at + 1} if token(asked.subject, 3) == 'DURABLE' else {at})"


ECHO_RULES: Final = (
    Rule(
        id="NATS-B240",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer of JetStream to another request",
        on=DELIVERED,
        when=f"{_IS_API} and {_TYPE} != called(asked.subject, ANSWER_TYPES)",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message=f"the answer to {{asked.subject}} in frame {{asked.n}} is of type {{{_TYPE}}}",
        cause="Two requests share a reply subject, or their answers were exchanged.",
        source=f"{_API}, sendAPIResponse",
    ),
    Rule(
        id="NATS-B240b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer to a request of the JetStream API that the API does not give",
        on="server:msg",
        when=f"{_IS_API} and called(asked.subject, ANSWER_TYPES) is not None and {_TYPE} is None",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message="the answer to {asked.subject} in frame {asked.n} is no response of the API",
        cause="Another client subscribes to subjects of the API, or two requests share a reply "
        "subject.",
        source=f"{_API}, sendAPIResponse",
    ),
    Rule(
        id="NATS-B252",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream or consumer with another configuration than was asked for",
        on=DELIVERED,
        when=f"{_IS_API} and asked.configuration is not None and asked.meaning in {CONFIGURING} "
        f"and {_TYPE} is not None and between(payload, '\"error\":', ',') is None",
        predicate=echo_predicates.is_configured_otherwise,
        reads="payload asked.configuration",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message="the answer to {asked.subject} in frame {asked.n} has another {found} than the "
        "request",
        cause="The server does not know this setting, or does not change it for what exists.",
        source=f"{_API}, jsStreamCreateRequest, jsConsumerCreateRequest",
        healthy="A server that is older than the setting.",
    ),
    Rule(
        id="NATS-B253",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message of JetStream outside the filter of its consumer",
        on=DELIVERED,
        when=f"{IS_ACK} and team.filter != '' and not matching(subject, team.filter)",
        needs="start whole both all",
        of="team",
        evidence="n, team.filter_n",
        message="consumer {token(reply_to, 3)} of stream {token(reply_to, 2)} has the filter "
        "{team.filter}, and delivers a message on {subject}",
        cause="The filter was changed after this message, or its subject on the way.",
        source="docs.nats.io, JetStream, consumers, FilterSubject",
        healthy="A consumer whose filter another program has changed.",
    ),
    Rule(
        id="NATS-B254",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message of a stream that differs from what was stored under its sequence",
        on=DELIVERED,
        when=f"{IS_ACK} and kept.content is not None and kept.content != digest(payload) and "
        "len(payload) > 0 and conn.delivered < FORMAT_SAMPLE",
        needs="whole all",
        of="conn",
        evidence="n, kept.sent_n, kept.stored_n",
        message="message {token(reply_to, 5)} of stream {token(reply_to, 2)} is not what frame "
        "{kept.sent_n} published, which the ack in frame {kept.stored_n} gave this sequence",
        cause="The ack belonged to another message, the stream was made anew, or the content was "
        "changed on the way.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
    ),
    Rule(
        id="NATS-B254b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message of a stream on another subject than it was published to",
        on=DELIVERED,
        when=f"{IS_ACK} and kept.subject != subject and kept.content == digest(payload) and "
        "conn.delivered < FORMAT_SAMPLE",
        needs="whole all",
        of="conn",
        evidence="n, kept.sent_n",
        message="message {token(reply_to, 5)} of stream {token(reply_to, 2)} comes on {subject}, "
        "and frame {kept.sent_n} published it to {kept.subject}",
        cause="The stream maps subjects, or the subject was changed on the way.",
        source="docs.nats.io, JetStream, streams, SubjectTransform",
        healthy="A stream with subject_transform, or an account that imports the subject.",
    ),
    Rule(
        id="NATS-B241",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer of JetStream about another stream",
        on=DELIVERED,
        when=f"{_IS_API} and {STREAM_ASKED} and {_STREAM} != token(asked.subject, 4)",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message="the answer to {asked.subject} in frame {asked.n} describes another stream",
        cause="Two requests share a reply subject, or their answers were exchanged.",
        source=f"{_API}, jsStreamInfoRequest",
    ),
    Rule(
        id="NATS-B241b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer of JetStream about another consumer",
        on=DELIVERED,
        when=f"{_IS_API} and {CONSUMER_ASKED} and ({_OF_CONSUMER} != {_consumer_token(4)} or "
        f"{_CONSUMER} != {_consumer_token(5)})",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message="the answer to {asked.subject} in frame {asked.n} describes another consumer",
        cause="Two requests share a reply subject, or their answers were exchanged.",
        source=f"{_API}, jsConsumerInfoRequest",
    ),
    Rule(
        id="NATS-B242",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="messages of one subject stored by different streams",
        on=DELIVERED,
        when=f"""{IS_STORED} and between(payload, '"stream":"', '"') != sink.stream""",
        needs="since",
        of="conn",
        evidence="n, sink.stored_n, asked.n",
        message="the message to {asked.subject} is stored by another stream than the one before "
        "it, which {sink.stream} has stored",
        cause="The streams of the subject were changed, or the ack is another message's.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
        healthy="The stream was replaced by one with another name.",
    ),
    Rule(
        id="NATS-B243",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="name of a stream in the configuration that differs from the subject",
        on=SENT,
        when=f"starts(subject, '$JS.API.') and {_CONFIGURES} and ({_NAMED}) != token(subject, 4)",
        needs="",
        per="client, server, subject",
        message="the configuration in the request to {subject} names another stream",
        cause="The subject and the configuration are made of different names: the server refuses "
        "the request.",
        source=f"{_API}, jsStreamCreateRequest",
    ),
    Rule(
        id="NATS-B243b",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="stream of a consumer in the configuration that differs from the subject",
        on=SENT,
        when=f"starts(subject, '$JS.API.') and {CREATES} and {_STREAM_NAMED} != {OF_STREAM}",
        needs="",
        per="client, server, subject",
        message="the configuration in the request to {subject} names another stream",
        cause="The subject and the configuration are made of different names: the server refuses "
        "the request.",
        source=f"{_API}, jsConsumerCreateRequest",
    ),
    Rule(
        id="NATS-B244",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages of two consumers on one subscription",
        on=DELIVERED,
        when=f"{IS_ACK} and literal(sub.subject) and token(reply_to, 8) is not None and "
        f"sub.source != {SOURCE} and coalesce(sub.pull_n, coalesce(conn.create_n, 0)) < "
        "sub.source_n",
        needs="since both",
        of="sub",
        evidence="n, sub.source_n, sub.pull_n",
        message="sid {sid} gets a message of consumer {token(reply_to, 3)} of stream "
        "{token(reply_to, 2)}, and before it one of another consumer",
        cause="Two consumers deliver to one subject, or the message was meant for another "
        "subscription: its sequences say nothing of what is missing.",
        source="docs.nats.io, JetStream, consumers, DeliverSubject",
        healthy="A client that wants the messages of both in one place.",
    ),
    Rule(
        id="NATS-B244b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message of another consumer than the one pulled from",
        on=DELIVERED,
        when=f"{IS_ACK} and literal(sub.subject) and token(reply_to, 8) is not None and "
        "starts(sub.pull_of, '$JS.API.') and "
        f"(token(sub.pull_of, 5), token(sub.pull_of, 6)) != {SOURCE}",
        needs="object both",
        of="sub",
        evidence="n, sub.pull_n",
        message="the pull request in frame {sub.pull_n} asks {sub.pull_of}, and a message of "
        "consumer {token(reply_to, 3)} of stream {token(reply_to, 2)} comes",
        cause="Two pull requests share a reply subject, or the message was changed on the way.",
        source="nats-server v2.12.2, server/consumer.go, deliverMsg",
    ),
    Rule(
        id="NATS-B245",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="direct get answered from another stream",
        on="server:hmsg",
        when=f"{_IS_API} and called(asked.subject, JETSTREAM) == 'direct get' and "
        "item(fields.headers, 'Nats-Stream') != token(asked.subject, 4)",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message="the answer to {asked.subject} in frame {asked.n} is from stream "
        "{item(fields.headers, 'Nats-Stream')}",
        cause="Two requests share a reply subject, or a mirror answers.",
        source="ADR-31, Direct Get",
        healthy="A mirror with mirror_direct answers for its origin.",
    ),
    Rule(
        id="NATS-B246",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="INFO of another server or client on one connection",
        on="server:info",
        when="server_id != '' and (server_id != conn.server_id or "
        "client_id > 0 and conn.client_number > 0 and client_id != conn.client_number)",
        needs="",
        of="conn",
        evidence="n, conn.identity_n",
        message="INFO names server {server_id} and client {client_id}, the first INFO "
        "{conn.server_id} and {conn.client_number}",
        cause="A proxy or load balancer mixes two connections.",
        source=f"{PROTOCOL}, INFO",
        guilty="server",
    ),
    Rule(
        id="NATS-B247",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="CONNECT that requires TLS, without TLS",
        on="client:connect",
        when="fields.tls_required and not conn.encrypted and not conn.carried",
        needs="start",
        per="client, server",
        message="CONNECT sets tls_required, and is sent in plaintext",
        cause="The client goes on although the server did not begin TLS: it is not protected as "
        "its user has asked.",
        source=f"{PROTOCOL}, CONNECT, tls_required",
        healthy="A proxy before the server ends TLS.",
    ),
    Rule(
        id="NATS-B248",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unknown protocol version in CONNECT",
        on="client:connect",
        when="fields.protocol > 1",
        needs="",
        per="client, server",
        message="CONNECT has protocol {fields.protocol}, and servers know 0 and 1",
        cause="The server answers -ERR Invalid Client Protocol and closes the connection.",
        source=f"{CLIENT}, processConnect",
    ),
    Rule(
        id="NATS-B249",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="headers for a client that does not accept them",
        on="server:hmsg",
        when="conn.headers == False",
        needs="start",
        of="conn",
        evidence="n, conn.connect_n",
        message="the server sent HMSG, but CONNECT does not set headers",
        cause="",
        source="ADR-4; nats-server v2.12.2, server/client.go, deliverMsg",
        guilty="server",
    ),
    Rule(
        id="NATS-B249b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="status 503 for a client that does not ask for it (no_responders)",
        on="server:hmsg",
        when="conn.wants_no_responders == False and fields.status == 503 and description is None "
        "and asked.state == 'asked' and conn.headers",
        needs="start",
        of="conn",
        evidence="n, conn.connect_n, asked.n",
        message="the server answers the request in frame {asked.n} with status 503, but CONNECT "
        "does not set no_responders",
        cause="",
        source="ADR-4; nats-server v2.12.2, server/client.go, processInboundClientMsg",
        guilty="server",
    ),
    Rule(
        id="NATS-B250",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="status that NATS does not define",
        on="server:hmsg",
        when=f"fields.status not in {_STATUSES!r}",
        needs="",
        per="server, fields.status",
        message="HMSG for {subject} has status {fields.status} {coalesce(description, '')}",
        cause="Clients take it for an error, or for a message without content.",
        source="nats-server v2.12.2, server/consumer.go, server/client.go; ADR-13",
        healthy="A newer server.",
    ),
)
"""Part of the rules of the protocol."""
