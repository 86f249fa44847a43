"""A consumer whose connection is closed and that recovers by itself: `rstream_recovers.py STREAM`.

The stream's name says what is in it: sub-batches that are all read, or messages before `next`.
"""

import asyncio
import json
import sys

from rstream import (
    AMQPMessage,
    CompressionType,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetType,
    Producer,
    amqp_decoder,
)
from rstream.recovery import BackOffRecoveryStrategy

WHO = {"host": "broker", "username": "guest", "password": "guest"}
STREAM = sys.argv[1]
SUB_BATCHES = "past" in STREAM


async def main() -> dict:
    """Publish, consume, lose the connection, consume."""
    seen: list[int] = []
    async with Producer(**WHO) as producer:
        await producer.create_stream(STREAM)
        for n in range(3):
            batch = [AMQPMessage(body=f"order {n * 20 + i}".encode()) for i in range(20)]
            if SUB_BATCHES:
                await producer.send_sub_entry(STREAM, batch, CompressionType.Gzip)
            else:
                await producer.send_batch(STREAM, batch)
            await asyncio.sleep(0.5)

    async def take(_message: AMQPMessage, context: object) -> None:
        seen.append(context.offset)

    consumer = Consumer(**WHO, recovery_strategy=BackOffRecoveryStrategy(jitter=1))
    await consumer.start()
    place = ConsumerOffsetSpecification(OffsetType.FIRST if SUB_BATCHES else OffsetType.NEXT, None)
    await consumer.subscribe(STREAM, take, decoder=amqp_decoder, offset_specification=place)
    await asyncio.sleep(1.5)
    before = len(seen)
    await asyncio.to_thread(ask)
    await asyncio.sleep(6)
    await consumer.close()
    return {
        "published": 60,
        "consumed": before,
        "consumed_again": len(seen) - before,
        "first_offset_again": min(seen[before:], default=-1),
    }


def ask() -> None:
    """The recorder closes the connections, and says when it has."""
    print("cut", flush=True)
    sys.stdin.readline()


print(json.dumps(asyncio.run(main())), flush=True)
