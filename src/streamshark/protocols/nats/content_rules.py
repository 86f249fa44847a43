"""Rules about names, payloads and tokens that a program did not mean to send."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import payload_predicates, subject_predicates
from streamshark.protocols.nats.behaviours import FORMAT
from streamshark.protocols.nats.row_names import SENT

_PUB: Final = "docs.nats.io, Client Protocol, PUB"
_SAMPLE: Final = "conn.published < FORMAT_SAMPLE"
_NOT_MEANT: Final = (
    "A variable of the program was not set, or a template not filled in: all programs with the "
    "same mistake share the name."
)

CONTENT_RULES: Final = (
    *(
        Rule(
            id="NATS-N62",
            severity=Severity.WARNING,
            group=Group.ASSUMPTION,
            title="subject, or name in a subject, that was not meant",
            on=on,
            when=when,
            predicate=subject_predicates.is_mistaken_subject,
            reads=reads,
            needs="",
            per="client, server, found",
            message="{name} for {subject} has {found}",
            cause=_NOT_MEANT,
            source="docs.nats.io, Subject-Based Messaging",
        )
        for on, when, reads in (
            (
                "client:sub",
                "conn.cluster is None and not starts(subject, '_')",
                "subject queue_group",
            ),
            (SENT, f"{_SAMPLE} and not starts(subject, '_')", "subject"),
        )
    ),
    Rule(
        id="NATS-N63",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="payload that was converted wrongly",
        on=SENT,
        when=f"{_SAMPLE} and len(payload) > 2 and not starts(subject, '$JS.')",
        predicate=payload_predicates.is_mistaken,
        reads="payload",
        needs="",
        of="conn",
        message="the payload of the message to {subject} is {found}",
        cause="The program passes a value that it has not encoded, or that was encoded before: "
        "subscribers cannot use it.",
        source=_PUB,
    ),
    Rule(
        id="NATS-N64",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="payload as encoded text",
        on=SENT,
        when=f"{_SAMPLE} and len(payload) >= 12 and not starts(subject, '$JS.')",
        predicate=payload_predicates.is_text_of_bytes,
        reads="payload",
        needs="",
        of="conn",
        message="the payload of the message to {subject} is {found}",
        cause="The program encodes bytes as text, although a payload is bytes: it is a third "
        "larger, or twice as large.",
        source=_PUB,
        healthy="The data comes from a system that passes on text only.",
    ),
    Rule(
        id="NATS-N65",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="token in CONNECT that is not valid at this time",
        on="client:connect",
        when="jwt is not None or auth_token is not None",
        predicate=payload_predicates.has_invalid_token,
        reads="jwt auth_token t",
        needs="",
        per="client, server",
        message="the token in CONNECT {found}",
        cause="The client keeps its credentials beyond their life, or the clock of a host is "
        "wrong: the server refuses it, and each reconnect too.",
        source="docs.nats.io, JWT; RFC 7519, 4.1",
        healthy="A token that the server passes on without a look.",
    ),
)
"""Part of the rules of the protocol."""

FORMATS: Final = (
    Rule(
        id="NATS-B58",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="messages of one subject in different formats",
        on="mixture:content",
        needs="",
        message=f"messages to {{subject}} are in {{content.first}} from one client and in "
        f"{{{FORMAT}}} from another one",
        cause="The publishers encode their messages differently: subscribers of one format cannot "
        "read the other.",
        source="docs.nats.io, Client Protocol, PUB",
        healthy="Subscribers that recognise both formats.",
    ),
    Rule(
        id="NATS-B58b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="messages of one client to one subject in different formats",
        on="mixture:mixed",
        needs="",
        message=f"messages to {{subject}} are first in {{mixed.first}}, then in {{{FORMAT}}}, from "
        "one client",
        cause="Two parts of the program encode messages differently, or a value was not encoded.",
        source="docs.nats.io, Client Protocol, PUB",
        healthy="Subscribers that recognise both formats.",
    ),
)
