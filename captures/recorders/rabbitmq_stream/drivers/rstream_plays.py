"""What rstream is made to do: `rstream_plays.py PLAY STREAM`; prints last what it counted."""

import asyncio
import json
import logging
import sys

from rstream import (
    AMQPMessage,
    CompressionType,
    Consumer,
    ConsumerOffsetSpecification,
    FilterConfiguration,
    OffsetSpecification,
    OffsetType,
    Producer,
    Properties,
    RouteType,
    SuperStreamConsumer,
    SuperStreamCreationOption,
    SuperStreamProducer,
    amqp_decoder,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}


class Count:
    """Counts confirms and messages, and waits for them."""

    def __init__(self) -> None:
        self.confirmed = 0
        self.refused = 0
        self.consumed = 0

    async def confirm(self, status: object) -> None:
        """A publish was answered."""
        self.confirmed += status.is_confirmed
        self.refused += not status.is_confirmed

    async def take(self, _message: AMQPMessage, _context: object) -> None:
        """A message came."""
        self.consumed += 1

    async def until(self, consumed: int, wait: float = 15) -> None:
        """Waits until that many messages came."""
        for _ in range(int(wait * 20)):
            if self.consumed >= consumed:
                return
            await asyncio.sleep(0.05)


def texts(count: int, word: str = "message") -> list[AMQPMessage]:
    """Messages with a body."""
    return [AMQPMessage(body=f"{word} {n}".encode()) for n in range(count)]


async def publish_and_consume(stream: str) -> dict:
    """The whole life of a stream, ten messages."""
    count = Count()
    producer = Producer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    await producer.send_batch(stream, texts(10), on_publish_confirm=count.confirm)
    await asyncio.sleep(1)
    consumer = Consumer(**WHO)
    await consumer.start()
    await consumer.subscribe(stream, count.take, decoder=amqp_decoder)
    await count.until(10)
    await consumer.close()
    await producer.delete_stream(stream)
    await producer.close()
    return {"published": 10, "confirmed": count.confirmed, "consumed": count.consumed}


async def many(stream: str) -> dict:
    """Four hundred messages with properties while a consumer reads."""
    count = Count()
    producer, consumer = Producer(**WHO), Consumer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    await consumer.start()
    await consumer.subscribe(stream, count.take, decoder=amqp_decoder)
    for n in range(400):
        message = AMQPMessage(
            body=f"order {n}".encode(),
            properties=Properties(message_id=n, subject="order"),
            application_properties={"region": "emea" if n % 2 else "amer", "attempt": n % 3},
        )
        await producer.send(stream, message, on_publish_confirm=count.confirm)
        if n % 100 == 99:
            await asyncio.sleep(0.7)
    await count.until(400)
    await consumer.close()
    await producer.close()
    return {"published": 400, "confirmed": count.confirmed, "consumed": count.consumed}


async def sub_batches(stream: str) -> dict:
    """Sub-batches, one not compressed and one gzip."""
    count = Count()
    producer, consumer = Producer(**WHO), Consumer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    for kind in (CompressionType.No, CompressionType.Gzip):
        batch = texts(20, "the same words again and again, number")
        await producer.send_sub_entry(stream, batch, kind, on_publish_confirm=count.confirm)
        await asyncio.sleep(1)
    await consumer.start()
    await consumer.subscribe(stream, count.take, decoder=amqp_decoder)
    await count.until(40)
    await consumer.close()
    await producer.close()
    return {"published": 40, "confirmed": count.confirmed, "consumed": count.consumed}


async def named(stream: str) -> dict:
    """A named publisher, and a consumer that stores its offset and comes back."""
    count = Count()
    producer, consumer = Producer(**WHO), Consumer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    for message in texts(10):
        await producer.send_wait(stream, message, publisher_name="billing")
    await consumer.start()
    await consumer.subscribe(stream, count.take, decoder=amqp_decoder, subscriber_name="reader")
    await count.until(10)
    await consumer.store_offset(stream, "reader", 5)
    await asyncio.sleep(0.5)
    stored = await consumer.query_offset(stream, "reader")
    await consumer.close()
    again = Consumer(**WHO)
    await again.start()
    place = ConsumerOffsetSpecification(OffsetType.OFFSET, stored + 1)
    await again.subscribe(stream, count.take, decoder=amqp_decoder, offset_specification=place)
    await count.until(14)
    await again.close()
    await producer.close()
    return {"published": 10, "confirmed": 10, "consumed": count.consumed, "stored": stored}


async def filters(stream: str, *, gaps: bool = False) -> dict:
    """A filtering publisher and consumer; with `gaps`, every third message has no filter value."""
    count = Count()

    async def value(message: AMQPMessage) -> str | None:
        return message.application_properties["region"]

    def wanted(message: AMQPMessage) -> bool:
        return b"emea" in message.application_properties.values()

    producer, consumer = Producer(filter_value_extractor=value, **WHO), Consumer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    for region in ("emea", "amer"):
        regions = [None if gaps and n % 3 == 2 else region for n in range(6)]
        batch = [
            AMQPMessage(body=f"{n}".encode(), application_properties={"region": r})
            for n, r in enumerate(regions)
        ]
        await producer.send_batch(stream, batch, on_publish_confirm=count.confirm)
        await asyncio.sleep(1)
    facts = {"published": 12, "confirmed": count.confirmed}
    if not gaps:
        await consumer.start()
        only = FilterConfiguration(["emea"], wanted, match_unfiltered=False)
        await consumer.subscribe(stream, count.take, decoder=amqp_decoder, filter_input=only)
        await count.until(6)
        await consumer.close()
        facts["consumed"] = count.consumed
    await producer.close()
    return facts


async def single_active(stream: str) -> dict:
    """Two single active consumers; the first leaves."""
    count, later = Count(), Count()
    alone = {"single-active-consumer": "true", "name": "group"}

    async def start(_active: bool, _context: object) -> OffsetSpecification:  # noqa: FBT001
        return OffsetSpecification(OffsetType.FIRST, 0)

    producer, one, two = Producer(**WHO), Consumer(**WHO), Consumer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    await producer.send_batch(stream, texts(10), on_publish_confirm=count.confirm)
    for consumer, counter in ((one, count), (two, later)):
        await consumer.start()
        await consumer.subscribe(
            stream,
            counter.take,
            decoder=amqp_decoder,
            properties=dict(alone),
            consumer_update_listener=start,
        )
        await asyncio.sleep(0.5)
    await count.until(10)
    await one.close()
    await later.until(10)
    await two.close()
    await producer.close()
    return {"published": 10, "consumed": [count.consumed, later.consumed]}


async def super_stream(stream: str, *, make: bool = True) -> dict:
    """A super stream of three partitions, routed by hash and then by key."""
    count = Count()

    async def key(message: AMQPMessage) -> str:
        return message.application_properties["key"]

    options = SuperStreamCreationOption(n_partitions=3) if make else None
    for routing, keys in ((RouteType.Hash, ("a", "b", "c", "d")), (RouteType.Key, ("0",))):
        producer = SuperStreamProducer(
            super_stream=stream,
            routing_extractor=key,
            routing=routing,
            super_stream_creation_option=options if routing is RouteType.Hash else None,
            **WHO,
        )
        await producer.start()
        for n in range(8):
            properties = {"key": keys[n % len(keys)]}
            message = AMQPMessage(body=f"{n}".encode(), application_properties=properties)
            await producer.send(message, on_publish_confirm=count.confirm)
        await asyncio.sleep(1)
        await producer.close()
    consumer = SuperStreamConsumer(super_stream=stream, **WHO)
    await consumer.start()
    await consumer.subscribe(
        callback=count.take,
        decoder=amqp_decoder,
        offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST, None),
        properties={"single-active-consumer": "true", "name": "group", "super-stream": stream},
        consumer_update_listener=_from_first,
    )
    await count.until(16, 5)
    await consumer.close()
    return {"published": 16, "confirmed": count.confirmed, "consumed": count.consumed}


async def _from_first(_active: bool, _context: object) -> OffsetSpecification:  # noqa: FBT001
    return OffsetSpecification(OffsetType.FIRST, 0)


async def missing(stream: str) -> dict:
    """Everything on a stream that is not there."""
    errors = []
    producer, consumer = Producer(**WHO), Consumer(**WHO)
    await producer.start()
    await consumer.start()
    for attempt in (
        producer.send_wait(stream, b"nobody"),
        consumer.subscribe(stream, print),
        producer.delete_stream(stream),
    ):
        try:
            await asyncio.wait_for(attempt, 8)
        except Exception as error:  # noqa: BLE001
            errors.append(type(error).__name__)
    await consumer.close()
    await producer.close()
    return {"errors": errors}


async def wrong_password(_stream: str) -> dict:
    """A login that fails."""
    producer = Producer(host="broker", username="guest", password="wrong")
    return await _fails(producer)


async def amqp_port(_stream: str) -> dict:
    """The AMQP port instead of the stream port."""
    return await _fails(Producer(port=5672, **WHO))


async def _fails(producer: Producer) -> dict:
    try:
        await asyncio.wait_for(producer.start(), 12)
    except BaseException as error:  # noqa: BLE001
        return {"error": type(error).__name__}
    return {"error": "none"}


async def non_ascii(stream: str) -> dict:
    """A stream whose name has more bytes than characters."""
    producer = Producer(**WHO)
    await producer.start()
    error = "none"
    try:
        await asyncio.wait_for(producer.create_stream(stream), 8)
    except Exception as raised:  # noqa: BLE001
        error = type(raised).__name__
    await producer.close()
    return {"error": error}


async def idle(stream: str) -> dict:
    """Heartbeats every two seconds, and nothing else for a while."""
    producer = Producer(heartbeat=2, **WHO)
    await producer.start()
    await producer.create_stream(stream)
    await asyncio.sleep(7)
    await producer.close()
    return {}


async def deleted(stream: str) -> dict:
    """The stream is deleted under a producer and a consumer."""
    count = Count()
    producer, consumer, other = Producer(**WHO), Consumer(**WHO), Producer(**WHO)
    await producer.start()
    await producer.create_stream(stream)
    await producer.send_batch(stream, texts(5), on_publish_confirm=count.confirm)
    await consumer.start()
    await consumer.subscribe(stream, count.take, decoder=amqp_decoder)
    await count.until(5)
    await other.start()
    await other.delete_stream(stream)
    await asyncio.sleep(3)
    for client in (consumer, producer, other):
        await asyncio.wait_for(client.close(), 10)
    return {"published": 5, "confirmed": count.confirmed, "consumed": count.consumed}


PLAYS = {
    "publish_and_consume": publish_and_consume,
    "many": many,
    "sub_batches": sub_batches,
    "named": named,
    "filters": filters,
    "filters_with_gaps": lambda stream: filters(stream, gaps=True),
    "single_active": single_active,
    "super_stream": super_stream,
    "super_stream_made": lambda stream: super_stream(stream, make=False),
    "missing": missing,
    "wrong_password": wrong_password,
    "amqp_port": amqp_port,
    "non_ascii": non_ascii,
    "idle": idle,
    "deleted": deleted,
}

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    print(json.dumps(asyncio.run(PLAYS[sys.argv[1]](sys.argv[2]))))
