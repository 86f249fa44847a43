"""Plays programs of the sixteenth round by rstream; prints what they counted as JSON."""

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


async def fill(stream: str, count: int, port: int = 5552) -> None:
    """Makes a stream with chunks of ten messages."""
    producer = Producer("broker", port=port, username="guest", password="guest")
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)
    for begin in range(0, count, 10):
        batch = [AMQPMessage(body=b"page %d of the log" % n) for n in range(begin, begin + 10)]
        await producer.send_batch(stream, batch)
        counted["published"] += 10
        await asyncio.sleep(0.05)
    await producer.close()


async def keeps(stream: str, user: str) -> None:
    """Two runs of a report that stores its offset, and asks for it when it starts."""
    await fill(stream, 60)
    for _ in range(2):
        consumer = Consumer("broker", username=user, password=user, connection_name="report")
        await consumer.start()
        try:
            begin = await consumer.query_offset(stream, "report") + 1
        except Exception:  # noqa: BLE001
            begin = 0

        async def take(_message: AMQPMessage, context: object) -> None:
            counted["consumed"] += 1
            if context.offset % 10 == 9:
                await context.consumer.store_offset(stream, "report", context.offset)

        place = ConsumerOffsetSpecification(OffsetType.OFFSET, begin)
        await consumer.subscribe(
            stream, take, decoder=amqp_decoder, subscriber_name="report",
            offset_specification=place,
        )  # fmt: skip
        await asyncio.sleep(5)
        await consumer.close()


async def reads(stream: str, seconds: str) -> None:
    """Reads the log from its first message, over the relay; the heartbeat is 2 s."""
    await fill(stream, 80)
    consumer = Consumer(
        "broker", port=5553, username="guest", password="guest", heartbeat=2,
        load_balancer_mode=True, connection_name="archive",
    )  # fmt: skip
    await consumer.start()

    async def take(_message: AMQPMessage, _context: object) -> None:
        counted["consumed"] += 1

    place = ConsumerOffsetSpecification(OffsetType.FIRST)
    await consumer.subscribe(
        stream, take, decoder=amqp_decoder, offset_specification=place, initial_credit=2
    )
    await asyncio.sleep(float(seconds))
    with contextlib.suppress(Exception):
        await asyncio.wait_for(consumer.close(), 3)


async def looks(stream: str) -> None:
    """Starts a producer anew as long as the first message cannot be sent."""
    for _ in range(4):
        producer = Producer("broker", username="guest", password="guest", connection_name="till")
        await producer.start()
        try:
            await asyncio.wait_for(producer.send_wait(stream, b"receipt 1"), 4)
            counted["published"] += 1
        except Exception:  # noqa: BLE001
            counted["failures"] += 1
        await asyncio.sleep(1)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(producer.close(), 3)
        await asyncio.sleep(1)


PLAYS = {"keeps": keeps, "reads": reads, "looks": looks}
asyncio.run(PLAYS[sys.argv[1]](*sys.argv[2:]))
print(json.dumps(counted), flush=True)
