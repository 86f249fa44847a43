"""Rules for subjects of NATS: typos, wildcards and spaces."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import subject_predicates
from streamshark.protocols.nats.behaviours import UNHEARD_WORD
from streamshark.protocols.nats.row_names import CLIENT_OF_NATS, CREATES, SENT

TYPOS: Final = (
    Rule(
        id="NATS-B40",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="unheard subscription similar to the published subjects (typo)",
        on="end:sub",
        when="sub.delivered == 0 and not starts(sub.subject, '_') and "
        "not starts(sub.subject, '$') and coalesce(conn.unheard_subs, 0) < UNHEARD_LIMIT and "
        f"count(network.subjects) <= 256 and {CLIENT_OF_NATS}",
        predicate=subject_predicates.is_nearly_published,
        reads="sub.subject network.subjects",
        needs="start object both",
        evidence="sub.n, network.latest_n",
        message="nothing came for the subscription to {sub.subject}; messages were published to "
        "{found}",
        cause="The subject of the subscription or that of the messages is misspelt, or has another "
        "number of tokens: `*` matches one token, `>` for one or more at the end, and upper and "
        "lower case differ.",
        source="docs.nats.io, Subject-Based Messaging",
        healthy="Both subjects are in use, and nothing was published to the first one yet.",
    ),
    Rule(
        id="NATS-B40b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="unheard subscription one token longer or shorter than a published subject",
        on="end:sub",
        when="sub.delivered == 0 and not starts(sub.subject, '_') and "
        "not starts(sub.subject, '$') and coalesce(conn.unheard_subs, 0) < UNHEARD_LIMIT and "
        f"count(network.subjects) <= 256 and {CLIENT_OF_NATS}",
        predicate=subject_predicates.is_related_to_published,
        reads="sub.subject network.subjects",
        needs="start object both",
        evidence="sub.n, network.latest_n",
        message="nothing came for the subscription to {sub.subject}; messages were published to "
        "{found}",
        cause="The subject of the subscription or that of the messages lacks a token.",
        source="docs.nats.io, Subject-Based Messaging",
        healthy="Both subjects are in use, and nothing was published to the first one yet.",
    ),
)

SUBJECTS: Final = (
    Rule(
        id="NATS-N34",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="wildcard character inside a token of a subscription",
        on="client:sub",
        when="not starts(subject, '_')",
        predicate=subject_predicates.has_wildcard_in_token,
        reads="subject",
        needs="",
        per="client, server, subject",
        message="the client subscribed to {subject}, which has {found}: it is no wildcard there",
        cause="`*` and `>` match whole tokens, `>` only at the end: elsewhere they are "
        "ordinary characters that no subject has, or the server refuses the subscription.",
        source="docs.nats.io, Subject-Based Messaging, Wildcards",
    ),
    Rule(
        id="NATS-N34b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="wildcard character inside a token of a filter or a subject of a stream",
        on=SENT,
        when=f"reply_to is not None and ({CREATES} or starts(subject, '$JS.API.STREAM.CREATE.') or "
        "starts(subject, '$JS.API.STREAM.UPDATE.'))",
        predicate=subject_predicates.has_wildcard_in_pattern,
        reads="payload",
        needs="",
        per="client, server, found",
        message="the request to {subject} has the pattern {found}",
        cause="`*` and `>` match whole tokens, `>` only at the end: elsewhere, and inside "
        "quotation marks, they are ordinary characters, and the pattern matches no message.",
        source="docs.nats.io, Subject-Based Messaging, Wildcards; nats.go issue 1608",
    ),
    Rule(
        id="NATS-N11b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="reply subject with a wildcard or an empty token",
        on=SENT,
        when="reply_to is not None and not literal(reply_to)",
        needs="",
        per="client, server, reply_to",
        message="the request to {subject} asks for its reply on {reply_to}, which has a wildcard "
        "or an empty token",
        cause="The client names the pattern that it has subscribed to instead of a subject: "
        "no reply can be published to it.",
        source="docs.nats.io, Client Protocol, PUB; docs.nats.io, Request-Reply",
    ),
    Rule(
        id="NATS-N35",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="reply subjects of one word without a subscriber (space in a subject)",
        on=SENT,
        when=f"{UNHEARD_WORD} and count(conn.words) >= 1 and not has(conn.words, reply_to)",
        needs="start",
        of="conn",
        message="the message to {subject} asks for its reply on {reply_to}, which this connection "
        "does not subscribe to, and an earlier one on {first(conn.words)}",
        cause="The subject contains a space, such as that of a name: what follows the space is "
        "read as the reply subject, and the message arrives on the first part.",
        source="docs.nats.io, Subject-Based Messaging; nats.go issue 1809",
        healthy="Another program receives the replies.",
    ),
)
