"""What an AMQP 0-9-1 publisher is made to do: `pika_plays.py PLAY STREAM`; prints its counts."""

import json
import sys
from datetime import UTC, datetime
from decimal import Decimal

import pika
from pika.adapters.blocking_connection import BlockingChannel
from pika.exceptions import AMQPError

WHEN = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
HEADERS = {
    "text": "größe",
    "int": 42,
    "negative": -1,
    "long": 1 << 40,
    "yes": True,
    "no": False,
    "when": WHEN,
    "nothing": None,
    "binary": b"\x00\x01\xff",
    "list": ["a", 1, True],
    "table": {"key": "value", "deep": {"er": 1}},
    "x-stream-filter-value": "emea",
    "x-mine": "kept",
    "x-list": ["a", {"in": "side"}],
    "long-text": "x" * 300,
}


def properties() -> pika.BasicProperties:
    """All properties of AMQP 0-9-1."""
    return pika.BasicProperties(
        content_type="text/plain",
        content_encoding="identity",
        headers=HEADERS,
        delivery_mode=2,
        priority=5,
        correlation_id="answer-1",
        reply_to="answers",
        expiration="60000",
        message_id="order-1",
        timestamp=1700000000,
        type="order",
        user_id="guest",
        app_id="recorder",
    )


def channel() -> BlockingChannel:
    """A channel of a connection of its own, with confirms."""
    where = pika.ConnectionParameters("broker", credentials=pika.PlainCredentials("guest", "guest"))
    opened = pika.BlockingConnection(where).channel()
    opened.confirm_delivery()
    return opened


def published(stream: str) -> dict:
    """Messages with headers of every type of AMQP 0-9-1, through a queue's name and an exchange."""
    exchange = f"{stream}-exchange"
    first = channel()
    first.queue_declare(stream, durable=True, arguments={"x-queue-type": "stream"})
    first.exchange_declare(exchange, "topic")
    first.queue_bind(stream, exchange, "order.#")
    decimal = pika.BasicProperties(headers={"decimal": Decimal("3.14")})
    uuid = pika.BasicProperties(message_id="00112233-4455-6677-8899-aabbccddeeff")
    messages = {
        "every property": ("", stream, b"every property", properties()),
        "plain": ("", stream, b"plain", None),
        "empty": ("", stream, b"", None),
        "binary": ("", stream, bytes(range(256)), uuid),
        "exchange": (exchange, "order.new", b"through an exchange", None),
        "transient": (exchange, "order.new", b"transient", pika.BasicProperties(delivery_mode=1)),
        "decimal": ("", stream, b"a decimal header", decimal),
        "amqp-1.0": ("", stream, b"no AMQP 1.0", pika.BasicProperties(type="amqp-1.0")),
    }
    accepted, errors = [], []
    for name, (where, key, body, about) in messages.items():
        other = channel()
        try:
            other.basic_publish(where, key, body, about)
            accepted.append(name)
            other.connection.close()
        except AMQPError as error:
            errors.append(f"{name}: {error}"[:100])
    return {
        "published_by_amqp": len(messages),
        "accepted": accepted,
        "errors_of_amqp": errors,
    }


print(json.dumps(globals()[sys.argv[1]](sys.argv[2])))
