"""Plays the fifth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys
import time

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetSpecification,
    OffsetType,
    Producer,
    SuperStreamConsumer,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
TAGS = (["new", "red"], ["sale"], ["blue", "small", "new"])
counted = {"published": 0, "consumed": 0}


async def publish(producer: Producer, stream: str, message: AMQPMessage) -> None:
    await producer.send(stream, message)
    counted["published"] += 1


async def articles(stream: str, *, listed: bool) -> None:
    """Tags of articles as a list in the application properties, or as text."""
    async with Producer(connection_name="catalogue", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        for n in range(24):
            tags = TAGS[n % 3]
            properties = {"article": n, "tags": tags if listed else ",".join(tags)}
            more = {} if listed else {"message_annotations": {"x-opt-tags": tags}}
            body = b"article %d" % n
            message = AMQPMessage(body=body, application_properties=properties, **more)
            await publish(producer, stream, message)
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.4)


async def connection_per_message(stream: str) -> None:
    for n in range(14):
        async with Producer(connection_name="web-request", **WHO) as producer:
            if n == 0:
                await producer.create_stream(stream, exists_ok=True)
            await producer.send_wait(stream, AMQPMessage(body=b"visit %d" % n))
            counted["published"] += 1
        await asyncio.sleep(0.08)


async def ships(stream: str, producer: Producer) -> None:
    """One run of a consumer that starts at the present time, and stores its offset."""
    consumer, last = Consumer(connection_name="shipping", **WHO), [0]

    async def take(_message: object, context: object) -> None:
        counted["consumed"] += 1
        last[0] = context.offset  # type: ignore[attr-defined]

    now = ConsumerOffsetSpecification(OffsetType.TIMESTAMP, int(time.time() * 1000))
    await consumer.start()
    await consumer.subscribe(stream, take, subscriber_name="shipping", offset_specification=now)
    await asyncio.sleep(0.3)
    await orders(stream, producer, 20)
    await consumer.store_offset(stream, "shipping", last[0])
    await asyncio.sleep(0.1)
    await consumer.close()


async def orders(stream: str, producer: Producer, count: int) -> None:
    for _ in range(count):
        await publish(producer, stream, AMQPMessage(body=b"order %d" % counted["published"]))
        await asyncio.sleep(0.015)
    await asyncio.sleep(0.4)


async def starts_at_now(stream: str) -> None:
    async with Producer(connection_name="orders", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        await orders(stream, producer, 20)
        for _ in range(5):
            await ships(stream, producer)
            await orders(stream, producer, 15)  # while nothing reads


async def group_without_super_stream(stream: str) -> None:
    first = ConsumerOffsetSpecification(OffsetType.FIRST, None)
    members = []

    async def take(_message: object, _context: object) -> None:
        counted["consumed"] += 1

    async def updated(_active: bool, _context: object) -> OffsetSpecification:  # noqa: FBT001
        return OffsetSpecification(OffsetType.FIRST, 0)

    for n in range(3):
        member = SuperStreamConsumer(super_stream=stream, connection_name=f"invoicing-{n}", **WHO)
        members.append(member)
        await member.start()
        await member.subscribe(
            take,
            subscriber_name="invoicing",
            offset_specification=first,
            properties={"single-active-consumer": "true", "name": "invoicing"},
            consumer_update_listener=updated,
        )
        await asyncio.sleep(0.4)
    print("ready", flush=True)
    await asyncio.sleep(5)
    for member in members:
        await member.close()


async def main(play: str, stream: str) -> None:
    match play:
        case "tags_as_list" | "tags_as_text":
            await articles(stream, listed=play == "tags_as_list")
        case "connection_per_message":
            await connection_per_message(stream)
        case "starts_at_now":
            await starts_at_now(stream)
        case "group_without_super_stream":
            await group_without_super_stream(stream)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
