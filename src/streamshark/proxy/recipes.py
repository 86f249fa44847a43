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
        "rsocket-response-twice",
        "rsocket.payload.flags.complete == 1 -> duplicate once",
        "RSK-S11",
        "A response arrives twice.",
    ),
)
"""Every recipe; the first word of a name is the protocol."""
