"""Faults by name: what goes wrong between real peers, and the finding that it raises."""

from typing import Final, NamedTuple


class Recipe(NamedTuple):
    """A fault with a name."""

    name: str
    fault: str
    """As `--fault` takes it."""
    finding: str
    """Id of the rule that finds it in the recording."""
    doc: str
    """What goes wrong."""


RECIPES: Final = (
    Recipe(
        "rabbitmq-confirm-lost",
        'rmqstream.command == "publish_confirm" -> drop once',
        "RMQ-I7",
        "A confirm does not arrive.",
    ),
    Recipe(
        "rabbitmq-confirm-twice",
        'rmqstream.command == "publish_confirm" -> duplicate once',
        "RMQ-I8",
        "A confirm arrives twice.",
    ),
    Recipe(
        "rabbitmq-publisher-refused",
        'rmqstream.command == "declare_publisher" && rmqstream.kind == "request" -> error 16 once',
        "RMQ-X6b",
        "A publisher is refused (access_refused).",
    ),
    Recipe(
        "rabbitmq-login-refused",
        'rmqstream.command == "sasl_authenticate" && rmqstream.kind == "request" -> error 8 once',
        "RMQ-N6",
        "The password is refused (authentication_failure).",
    ),
    Recipe(
        "rabbitmq-delivery-twice",
        'rmqstream.command == "deliver" -> duplicate once',
        "RMQ-D6",
        "A chunk is delivered twice.",
    ),
    Recipe(
        "rabbitmq-chunk-corrupt",
        'rmqstream.command == "deliver" -> corrupt chunk.chunk_crc once',
        "RMQ-D5",
        "A chunk has a wrong checksum.",
    ),
    Recipe(
        "rabbitmq-leader-moved",
        'rmqstream.command == "declare_publisher" && rmqstream.kind == "request"'
        " -> send metadata_update 6 after 500ms once",
        "RMQ-M11",
        "The leader of a stream moves: MetadataUpdate (stream_not_available).",
    ),
    Recipe(
        "rabbitmq-credit-starved",
        'rmqstream.command == "credit" -> error 4',
        "RMQ-C4",
        "Credit after the first is refused, and no more chunks come.",
    ),
    Recipe(
        "rabbitmq-metadata-stale",
        'rmqstream.command == "metadata" && rmqstream.kind == "response"'
        " -> set streams.leader = 9 times 3",
        "RMQ-M1",
        "Metadata names a leader that has left the cluster.",
    ),
    Recipe(
        "rabbitmq-heartbeat-lost",
        'rmqstream.command == "heartbeat" && rmqstream.sender == "server" -> drop',
        "RMQ-H1",
        "No heartbeat of the broker arrives.",
    ),
    Recipe(
        "nats-permission-denied",
        'nats.command == "pub" -> error Permissions Violation for Publish once',
        "NATS-N9b",
        "A publish is refused.",
    ),
    Recipe(
        "nats-slow-consumer",
        'nats.command == "pub" -> error Slow Consumer once',
        "NATS-N9",
        "The server gives a client up that reads too slowly.",
    ),
    Recipe(
        "nats-lame-duck",
        'nats.command == "info" -> send info after 500ms once',
        "NATS-N20",
        "The server goes into lame duck mode.",
    ),
    Recipe(
        "nats-no-responders",
        'nats.msg.subject matches "^_INBOX" -> error 503 once',
        "NATS-N14",
        "A request finds no responder (503).",
    ),
    Recipe(
        "rsocket-response-twice",
        "rsocket.payload.flags.complete == 1 -> duplicate once",
        "RSK-S11",
        "A response arrives twice.",
    ),
    Recipe(
        "rsocket-lease-withheld",
        'rsocket.command == "lease" && rsocket.sender == "server" -> drop',
        "RSK-C26",
        "No lease arrives.",
    ),
    Recipe(
        "rsocket-keepalive-lost",
        'rsocket.sender == "server" && rsocket.keepalive.flags.respond == 0 -> drop',
        "RSK-K2",
        "No answer to KEEPALIVE arrives.",
    ),
    Recipe(
        "pravega-segment-sealed",
        'pravega.command == "setup_append" -> error segment_is_sealed once',
        "PRV-P67",
        "The segment of a writer is sealed.",
    ),
    Recipe(
        "pravega-wrong-host",
        'pravega.command in {"setup_append", "read_segment"} -> error wrong_host times 6',
        "PRV-P68",
        "The store does not have the segment.",
    ),
)
"""Every recipe; the first word of a name is the protocol."""
