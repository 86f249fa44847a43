"""Rules for answers that refuse: errors of services, statuses of direct gets, failing requests."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.exchange_behaviours import SERVICE_CODE, SERVICE_ERROR
from streamshark.protocols.nats.jetstream_errors import BY_STATE, CODE, PUBLISHES, REQUESTS
from streamshark.protocols.nats.sources import CONSUMER

_DIRECT: Final = "ADR-31, Direct Get"
_SERVICES: Final = "ADR-32, Service API, Error Handling"
_TEXT: Final = "{coalesce(item(fields.headers, 'Nats-Service-Error'), '')}"

REFUSAL_RULES: Final = (
    Rule(
        id="NATS-N61",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request answered with an error of the service",
        on="hmsg",
        when=SERVICE_ERROR,
        needs="",
        per=f"client, server, asked.subject, {SERVICE_CODE}",
        evidence="asked.n, n",
        message=f"the request to {{asked.subject}} was answered with the error {{{SERVICE_CODE}}} "
        f"{_TEXT}",
        cause="The service says why in Nats-Service-Error: an error has the headers of one, and "
        "the payload may be empty.",
        source=_SERVICES,
        healthy="An error that the requester handles.",
        echo_of="NATS-B111",
    ),
    Rule(
        id="NATS-B111",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request repeated after the same error of the service",
        on="repetition:service_refused",
        needs="",
        message=f"the same request to {{asked.subject}} was answered {{SAME_ERROR_LIMIT}} times in "
        f"a row with the error {{{SERVICE_CODE}}} {_TEXT}",
        cause="The requester does not read the headers of the answer, or repeats what cannot "
        "succeed without a pause.",
        source=_SERVICES,
    ),
    Rule(
        id="NATS-N24f",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="no message for a direct get",
        on="server:hmsg",
        when="fields.status == 404 and asked.state == 'asked' and asked.meaning == 'direct get'",
        needs="",
        per="client, server, asked.subject",
        evidence="asked.n, n",
        message="the request to {asked.subject} was answered with status 404 "
        "{coalesce(description, '')}",
        cause="The stream has no such message, or the key-value store no such key.",
        source=_DIRECT,
        healthy="Programs ask a key-value store for keys that it does not have.",
    ),
    Rule(
        id="NATS-N24g",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="direct get refused",
        on="server:hmsg",
        when="asked.state == 'asked' and asked.meaning == 'direct get' and "
        "fields.status in (400, 408, 409, 412, 413, 500)",
        needs="",
        per="client, server, fields.status, description",
        evidence="asked.n, n",
        message="the request to {asked.subject} was answered with status {fields.status} "
        "{coalesce(description, '')}",
        cause="The request has no sequence and no subject, or contradicts itself, or asks for too "
        "many messages at once.",
        source=f"{_DIRECT}; nats-server v2.12.2, server/stream.go, getDirectRequest",
    ),
    Rule(
        id="NATS-N25d",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="pull request with the pin id of another client (423)",
        on="server:hmsg",
        when="fields.status == 423 and pull.state == 'asked'",
        needs="",
        per="client, server, description",
        evidence="pull.n, n",
        message="the pull request ended with status 423 {coalesce(description, '')}: the consumer "
        "is pinned to another client",
        cause="The client was silent for longer than the pin lasts. It has to clear the id, and "
        "pull without one.",
        source="ADR-42, Pull Consumer Priority Groups",
        healthy="A client that clears its id when the status comes.",
        echo_of="NATS-B110",
    ),
    Rule(
        id="NATS-N25e",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream pull request refused, because too many wait",
        on="server:hmsg",
        when="pull.state == 'asked' and fields.status == 409 and "
        "starts(description, 'Exceeded MaxWaiting')",
        needs="",
        per="client, server, pull.subject",
        worsens=True,
        evidence="pull.n, n",
        message="the pull request was refused with status {fields.status} {description}",
        cause="More pull requests are open than max_waiting of the consumer: clients pull again "
        "before their requests end, or share the consumer with too many others.",
        source=f"{CONSUMER}, processNextMsgRequest",
        healthy="A client that joins many others, and pulls again later.",
    ),
    Rule(
        id="NATS-B1b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="different JetStream requests refused with one error in a row",
        on="repetition:failing",
        needs="",
        message="{FAILING_LIMIT} requests or messages in a row, the last one to {asked.subject}, "
        "were refused: {between(payload, DESCRIPTION, QUOTE)}",
        cause="The client does not read the errors in the answers, and goes on.",
        source="nats-server v2.12.2, server/errors.json",
        echo_of="NATS-B1 NATS-N24b NATS-N24d NATS-B271",
    ),
    Rule(
        id="NATS-B2b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="messages to several subjects of one kind that nothing receives (503)",
        on="repetition:unheard_kind",
        when="conn.connect_n is not None and conn.cluster is None and "
        "not starts(coalesce(conn.client_name, ''), 'LIFT.')",
        needs="",
        message="{UNHEARD_KIND_LIMIT} requests in a row, the last one to {asked.subject}, were "
        "answered with status 503: no subscriber and no stream has these subjects",
        cause="The client ignores the status or takes it for an ack; its messages are lost. The "
        "subjects of the stream or the service are others.",
        source="ADR-4; nats.rs issue 218",
        healthy="A client that waits for a service to start.",
        echo_of="NATS-B2 NATS-B200",
    ),
)
"""Part of the rules of the protocol."""

OF_STATE: Final = (
    Rule(
        id="NATS-N24h",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream request that fails for what exists, is full or is away",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning is not None and "
        "between(payload, '_response\",\"error\":{\"code\":', ',') != '404' and "
        f"asked.meaning != 'info' and {CODE} in {BY_STATE}",
        needs="",
        per="client, server, asked.meaning, between(payload, DESCRIPTION, QUOTE)",
        worsens=True,
        evidence="asked.n, n, catalogue.told_n",
        message="{asked.meaning} was refused: {between(payload, DESCRIPTION, QUOTE)}",
        cause="",
        by=CODE,
        causes=REQUESTS,
        source="nats-server v2.12.2, server/errors.json; nack issue 97",
        healthy="Several programs create one stream at once, ask for what a server lacks, or meet "
        "a change of the leader, and handle the error.",
    ),
    Rule(
        id="NATS-N24i",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="message that a full, sealed or busy stream does not store",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and asked.meaning is None and "
        'between(payload, \'{"error":{"code":\', \',"err_code":\') is not None and '
        f"{CODE} in {BY_STATE}",
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
        healthy="A publisher that keeps the message until the stream has room.",
    ),
)
"""Refusals for what exists, is full or is away, which a correct request meets as well."""
