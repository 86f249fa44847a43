"""Plays the fourth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys
import time

from rstream import AMQPMessage, Consumer, ConsumerOffsetSpecification, OffsetType, Producer
from rstream._pyamqp.message import Properties

WHO = {"host": "broker", "username": "guest", "password": "guest"}
FIRST = ConsumerOffsetSpecification(OffsetType.FIRST, None)
DEPOTS = ("north", "south", "east")
counted = {"published": 0, "consumed": 0}


async def consumes(stream: str, number: int, properties: dict[str, str]) -> Consumer:
    """A consumer under the name that its properties state."""

    async def take(_message: object, _context: object) -> None:
        counted["consumed"] += 1

    consumer = Consumer(connection_name=f"fulfilment-{number}", **WHO)
    await consumer.start()
    await consumer.subscribe(
        stream,
        take,
        offset_specification=FIRST,
        properties=properties,
        subscriber_name=properties["name"],
    )
    return consumer


async def pair(stream: str, *properties: dict[str, str]) -> None:
    """Two consumers read 40 messages as they are published."""
    async with Producer(connection_name="checkout", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        both = [await consumes(stream, n, each) for n, each in enumerate(properties, 1)]
        for n in range(40):
            await producer.send(stream, AMQPMessage(body=b"parcel %d" % n))
            counted["published"] += 1
            await asyncio.sleep(0.04)
        await asyncio.sleep(0.6)
        for each in both:
            await each.close()


async def publishes(stream: str, name: str, messages: list[AMQPMessage], pause: float) -> None:
    """Messages one by one, with such a pause."""
    async with Producer(connection_name=name, **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        for each in messages:
            await producer.send(stream, each)
            counted["published"] += 1
            await asyncio.sleep(pause)
        await asyncio.sleep(0.4)


def invoice(number: int) -> AMQPMessage:
    """A message whose creation time is in seconds."""
    told = Properties(message_id=f"invoice-{number}", creation_time=int(time.time()))
    return AMQPMessage(body=b"invoice %d" % number, properties=told)


def scan(number: int) -> AMQPMessage:
    """A message with annotations."""
    told = {"x-opt-depot": DEPOTS[number % 3], "x-opt-lane": number % 7 + 1}
    return AMQPMessage(body=b"parcel %d scanned" % number, message_annotations=told)


async def main(play: str, stream: str) -> None:
    match play:
        case "single_active_misnamed":
            told = {"x-single-active-consumer": "true", "name": "fulfilment"}
            await pair(stream, told, told)
        case "two_applications":
            await pair(stream, {"name": "fulfilment"}, {"name": "statistics"})
        case "creation_in_seconds":
            await publishes(stream, "invoicing", [invoice(n) for n in range(15)], 0.06)
        case "annotated":
            await publishes(stream, "parcel-scanner", [scan(n) for n in range(30)], 0.04)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
