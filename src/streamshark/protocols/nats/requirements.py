"""What the documents of NATS and JetStream require of peers, with the rules that hold it."""

from typing import Final

from streamshark.findings.requirement import Document, held, unseen

_API: Final = "Inside a client's library."

_CLIENT: Final = (
    held("Overview", "Sent to client after initial TCP/IP connection", "NATS-N1"),
    held(
        "Overview",
        "Sent to server to specify connection information",
        "NATS-N1b",
        "NATS-N17",
        "NATS-N15",
    ),
    held(
        "Protocol conventions",
        "NATS uses ... followed by ... to terminate protocol messages.",
        "NATS-N2",
        "NATS-N2b",
    ),
    held("Protocol conventions", "only PUB, MSG, HPUB, and HMSG include payloads.", "NATS-N2b"),
    held(
        "Protocol conventions",
        "The fields of NATS protocol messages are delimited by whitespace characters",
        "NATS-N2c",
    ),
    held(
        "Overview",
        "Publish a message to a subject, with optional reply subject",
        "NATS-N2",
        "NATS-N5",
        "NATS-N11",
    ),
    held(
        "Overview",
        "Publish a message to a subject including NATS headers, with optional reply subject",
        "NATS-N3",
        "NATS-N4",
    ),
    held("Overview", "Subscribe to a subject (or subject wildcard)", "NATS-N12", "NATS-N9b"),
    held("Overview", "Unsubscribe (or auto-unsubscribe) from subject", "NATS-N19", "NATS-N6b"),
    held(
        "Overview",
        "Delivers a message payload to a subscriber",
        "NATS-N6",
        "NATS-N6b",
        "NATS-N6c",
        "NATS-N5c",
    ),
    held("Overview", "PING keep-alive message", "NATS-N7", "NATS-N7b", "NATS-N7c"),
    held(
        "Overview",
        "Acknowledges well-formed protocol message in verbose mode",
        "NATS-N8",
        "NATS-N8b",
    ),
    held(
        "Overview",
        "Indicates a protocol error. May cause client disconnect.",
        "NATS-N9",
        "NATS-N9b",
        "NATS-N22",
    ),
    held("Overview", "NATS protocol operation names are case insensitive", "NATS-N2b"),
)

_HEADERS: Final = (
    held(
        "Unique to NATS Headers",
        "NATS provides a string identifying the header version (`NATS/X.x`), currently 1.0",
        "NATS-N3",
    ),
    held("Context", "No spaces are allowed between the header field name and colon.", "NATS-N3"),
    held("Context", "The field-name must be composed of printable ASCII characters", "NATS-N3"),
    held(
        "Enabling Message Headers",
        "it must add a `headers` field with the `true` value in its",
        "NATS-N4",
    ),
    held(
        "Publishing Messages With A Header",
        "`HDR_LEN` includes the entire serialized header",
        "NATS-N3",
        "NATS-N2",
    ),
    held(
        "Publishing Messages With A Header",
        "`TOT_LEN` the payload length plus the HDR_LEN",
        "NATS-N2",
    ),
    unseen("Case-sensitive Operations", "All operations are _case-sensitive_.", _API),
    unseen(
        "Multiple Header Values Serialization",
        "entries that have more than one value should be serialized one per line.",
        "A comma may be part of a value.",
    ),
)

_JSON_API: Final = (
    held("Overview", "The API is built using NATS Request-Reply pattern", "NATS-N14", "NATS-N14b"),
    held(
        "Time Durations",
        "When sending this to the server you have to do it as a nanoseconds.",
        "NATS-N27",
    ),
    held(
        "Error Handling",
        "The `error` key will only be present for error condition requests",
        "NATS-N24",
        "NATS-N24b",
        "NATS-N24d",
    ),
    unseen(
        "Paging",
        "These APIs take a request parameter `offset` to move through pages",
        "A client may want the first page only.",
    ),
)

_PULL: Final = (
    held("expires", "The number of nanoseconds, from now that this pull will expire.", "NATS-N27"),
    held("Pull(n) Requests", "a consumer can only have 512 inflight pull requests", "NATS-N25"),
    held(
        "Errors and Status messages handling",
        "the client may instead receive an error from the server as a status message.",
        "NATS-N25",
    ),
)

_SUBSCRIBE: Final = (
    held(
        "Configuration",
        'For pull subscriptions ack policy of "none" or "all" is an error.',
        "NATS-N24b",
    ),
    held(
        "Configuration",
        "If a queue name is provided, configuring heartbeat or flow control is a mistake",
        "NATS-N24b",
    ),
    held(
        "JS Ack",
        "A message must contain a reply-to in the JSAck format to be considered a "
        "JetStream message.",
        "NATS-N28",
    ),
    held(
        "JS Ack",
        "The JSAck should be used without modification as the publish subject",
        "NATS-N28",
        "NATS-N16",
    ),
    unseen("JS Ack", "You must ensure that your client can support the 9 token version (v1)", _API),
    held(
        "Flow Control",
        "the client should respond to the provided reply-to by publishing the "
        "value as the subject for a message with an empty payload.",
        "NATS-N26",
    ),
    held(
        "Heartbeats",
        "The library should set up a timer to monitor that heartbeats from the "
        "server are properly received.",
        "NATS-B28",
    ),
)

REQUIREMENTS: Final = (
    Document("NATS Client Protocol", "docs.nats.io, Client Protocol, as of 2025", _CLIENT),
    Document("ADR-4, NATS Message Headers", "revision 2, 2025-05-15", _HEADERS),
    Document("ADR-1, JetStream JSON API Design", "2020-04-30, as of 2025", _JSON_API),
    Document("ADR-13, Pull Subscribe internals", "2021-07-20, as of 2025", _PULL),
    Document("ADR-15, JetStream Subscribe Workflow", "2021-08-11, as of 2025", _SUBSCRIBE),
)
"""Printed to docs/findings/nats_requirements.md."""
