"""Plays programs for faults of readers, publishers and clusters by rstream; prints its counts."""

import asyncio
import contextlib
import json
import sys

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetType,
    Producer,
    amqp_decoder,
)

counted = {"published": 0, "consumed": 0, "failures": 0}
WHO = {"username": "guest", "password": "guest"}


async def fills(stream: str, size: str) -> None:
    """A stream with chunks of so many messages."""
    producer = Producer("broker", **WHO)
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)
    for n in range(0, 120, int(size)):
        batch = [AMQPMessage(body=b"page %d" % (n + m)) for m in range(int(size))]
        for m in batch if size == "1" else ():
            await producer.send_wait(stream, m)
        if size != "1":
            await producer.send_batch(stream, batch)
        counted["published"] += int(size)
    await producer.close()


async def reads(stream: str) -> None:
    """A backlog is read."""
    consumer = Consumer("broker", **WHO, connection_name="search")
    await consumer.start()

    async def take(_message: AMQPMessage, _context: object) -> None:
        counted["consumed"] += 1

    place = ConsumerOffsetSpecification(OffsetType.FIRST)
    await consumer.subscribe(stream, take, decoder=amqp_decoder, offset_specification=place)
    await asyncio.sleep(3)
    await consumer.close()


async def floods(stream: str, number: str) -> None:
    """As fast as it can, without a look at a confirm."""
    producer = Producer("broker", **WHO, default_batch_publishing_delay=0.2, connection_name="meter")
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)

    async def confirmed(_status: object) -> None:
        counted["confirmed"] = counted.get("confirmed", 0) + 1

    for n in range(0, int(number), 500):
        await producer.send_batch(stream, [AMQPMessage(body=b"value") for _ in range(500)], on_publish_confirm=confirmed)
        counted["published"] += 500
    await asyncio.sleep(5)
    await producer.close()


async def tries(stream: str, seconds: str) -> None:
    """A consumer is made anew as long as that fails."""
    loop = asyncio.get_running_loop()
    end = loop.time() + float(seconds)
    while loop.time() < end:
        consumer = Consumer("broker", **WHO, connection_name="search")
        await consumer.start()

        async def take(_message: AMQPMessage, _context: object) -> None:
            counted["consumed"] += 1

        place = ConsumerOffsetSpecification(OffsetType.FIRST)
        try:
            await asyncio.wait_for(
                consumer.subscribe(stream, take, decoder=amqp_decoder, offset_specification=place), 5
            )
            await asyncio.sleep(1)
        except Exception as error:  # noqa: BLE001
            print(repr(error), file=sys.stderr)
            counted["failures"] += 1
        with contextlib.suppress(Exception):
            await asyncio.wait_for(consumer.close(), 3)
        await asyncio.sleep(3)


async def fails(stream: str) -> None:
    """Publishes until its stream is deleted, and ends in the handler for that."""
    import os

    async def over(_info: object) -> None:
        print(json.dumps(counted), flush=True)
        os._exit(1)

    producer = Producer("broker", **WHO, on_close_handler=over, connection_name="till")
    await producer.start()
    for n in range(40):
        await producer.send_wait(stream, b"receipt %d" % n)
        await asyncio.sleep(0.2)
    await producer.close()


PLAYS = {"fails": fails, "fills": fills, "reads": reads, "floods": floods, "tries": tries}
asyncio.run(PLAYS[sys.argv[1]](*sys.argv[2:]))
print(json.dumps(counted), flush=True)
