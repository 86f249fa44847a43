"""Messages are routed to a super stream by key or by hash: `rstream_routes.py PLAY STREAM`."""

import asyncio
import json
import sys

from rstream import (
    AMQPMessage,
    Properties,
    RouteType,
    SuperStreamCreationOption,
    SuperStreamProducer,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
KEYS = ["italy", "france", "spain"]
confirmed: list[object] = []


async def confirm(status: object) -> None:
    """Count a confirmed message."""
    confirmed.append(status)


async def by_key(stream: str) -> None:
    """Invoices of three countries; the country is the routing key."""

    async def key(message: AMQPMessage) -> str:
        return message.application_properties["country"]

    made = SuperStreamCreationOption(n_partitions=0, binding_keys=KEYS)
    producer = SuperStreamProducer(
        super_stream=stream,
        routing_extractor=key,
        routing=RouteType.Key,
        super_stream_creation_option=made,
        **WHO,
    )
    await producer.start()
    for n in range(18):
        message = AMQPMessage(
            body=b"invoice %d" % n, application_properties={"country": KEYS[n % 3]}
        )
        await producer.send(message, on_publish_confirm=confirm)
        if n % 3 == 2:
            await asyncio.sleep(0.25)
    await asyncio.sleep(1)
    await producer.close()


async def by_hash(stream: str) -> None:
    """Two messages for each of twelve orders; the message id is hashed."""

    async def key(message: AMQPMessage) -> str:
        return message.properties.message_id

    producer = SuperStreamProducer(
        super_stream=stream, routing_extractor=key, routing=RouteType.Hash, **WHO
    )
    await producer.start()
    for n in range(24):
        message = AMQPMessage(
            body=b"status paid %d" % n, properties=Properties(message_id=f"order-{n % 12}")
        )
        await producer.send(message, on_publish_confirm=confirm)
    await asyncio.sleep(1)
    await producer.close()


asyncio.run(globals()[sys.argv[1]](sys.argv[2]))
print(json.dumps({"confirmed": len(confirmed)}), flush=True)
