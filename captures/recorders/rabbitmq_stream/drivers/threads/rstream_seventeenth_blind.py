"""Plays the seventeenth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import logging
import sys

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetNotFound,
    OffsetType,
    Producer,
    amqp_decoder,
    schema,
)
from rstream.client import Client

logging.disable(logging.CRITICAL)
WHO = {"username": "guest", "password": "guest"}
CHUNK = 96
counted = {"published": 0}


async def fill(stream: str, begin: int, count: int, size: int) -> None:
    """Publishes chunks of some messages."""
    async with Producer("broker", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        for first in range(begin, begin + count, size):
            batch = [AMQPMessage(body=b"hello: %d" % n) for n in range(first, first + size)]
            await producer.send_batch(stream, batch)
            counted["published"] += size
            await asyncio.sleep(0.1)


async def run(stream: str, messages: int) -> None:
    """Reads on from the stored offset, stores one each ten messages, and ends after some.

    Messages of a chunk before the first one that is wanted do not count for its offset, as in a
    release of the library.
    """
    consumer = Consumer("broker", **WHO)
    await consumer.start()
    begin = 0
    try:
        begin = await consumer.query_offset(stream, "greeter") + 1
        place = ConsumerOffsetSpecification(OffsetType.OFFSET, begin)
    except OffsetNotFound:
        place = ConsumerOffsetSpecification(OffsetType.FIRST, None)
    own = 0

    async def take(_message: AMQPMessage, context: object) -> None:
        nonlocal own
        if own == messages:
            return
        own += 1
        counted["consumed"] = counted.get("consumed", 0) + 1
        if own % 10 == 0:
            skipped = begin % CHUNK if context.offset // CHUNK == begin // CHUNK else 0
            await consumer.store_offset(stream, "greeter", context.offset - skipped)

    await consumer.subscribe(
        stream, take, decoder=amqp_decoder, subscriber_name="greeter", offset_specification=place
    )
    await asyncio.sleep(3)
    await consumer.close()


async def offsets(stream: str) -> None:
    """Five runs of a consumer over chunks of 96 messages."""
    await fill(stream, 0, 2 * CHUNK, CHUNK)
    for _ in range(5):
        await run(stream, 30)
        await asyncio.sleep(0.5)


async def dropped(stream: str, how: str) -> None:
    """Three runs of a journal, which knows its subscription late and drops what came before."""
    next_one = 40
    await fill(stream, 0, 40, 10)
    for _ in range(3):
        client = Client("broker", 5552, frame_max=1 << 20, heartbeat=20)
        await client.start()
        await client.authenticate("/", **WHO)
        known, chunks = asyncio.Event(), asyncio.Queue()

        def take(chunk: object) -> None:
            if how == "in_time" or known.is_set():  # noqa: B023
                chunks.put_nowait(chunk)  # noqa: B023

        client.add_handler(schema.Deliver, take, name="3")
        await client.run_queue_listener_task(3, take)
        await client.subscribe(stream, 3, initial_credit=10)

        async def credit() -> None:
            while True:
                await chunks.get()  # noqa: B023
                counted["chunks"] = counted.get("chunks", 0) + 1
                await client.credit(3, 1)  # noqa: B023

        task = asyncio.create_task(credit())
        await asyncio.sleep(0.4)
        known.set()
        await fill(stream, next_one, 40, 10)
        next_one += 40
        await asyncio.sleep(2)
        task.cancel()
        await client.unsubscribe(3)
        await client.close()


async def library(stream: str) -> None:
    """A library: loans by two counters, a desk that stores offsets, and a shelf from now on."""
    desk, shelf = Consumer("broker", **WHO), Consumer("broker", **WHO)
    await fill(stream, 0, 30, 6)
    seen = 0

    async def take(_message: AMQPMessage, context: object) -> None:
        nonlocal seen
        counted["consumed"] = counted.get("consumed", 0) + 1
        seen += 1
        await asyncio.sleep(0.01)
        if seen % 15 == 0:
            await desk.store_offset(stream, "desk", context.offset)

    async def shelve(_message: AMQPMessage, _context: object) -> None:
        counted["consumed"] = counted.get("consumed", 0) + 1

    await desk.start()
    await desk.subscribe(
        stream, take, decoder=amqp_decoder, subscriber_name="desk",
        offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST, None),
    )  # fmt: skip
    await shelf.start()
    await shelf.subscribe(
        stream, shelve, decoder=amqp_decoder,
        offset_specification=ConsumerOffsetSpecification(OffsetType.NEXT, None),
    )  # fmt: skip

    async def counter(name: bytes) -> None:
        async with Producer("broker", **WHO, default_batch_publishing_delay=0.2) as producer:
            for n in range(60):
                await producer.send(stream, AMQPMessage(body=b"%s lends book %d" % (name, n)))
                counted["published"] += 1
                await asyncio.sleep(1.5 if n == 30 else 0.08)
            for n in range(10):
                await producer.send_wait(stream, AMQPMessage(body=b"%s takes back %d" % (name, n)))
                counted["published"] += 1

    await asyncio.gather(counter(b"north"), counter(b"south"))
    await asyncio.sleep(2)
    await desk.close()
    await shelf.close()


PLAYS = {"offsets": offsets, "library": library, "dropped": dropped}
asyncio.run(PLAYS[sys.argv[1]](*sys.argv[2:]))
print(json.dumps(counted), flush=True)
