"""Looks up the last message of a stream, again and again, by rstream; prints what it counted."""

import asyncio
import json
import sys

from rstream import AMQPMessage, Consumer, ConsumerOffsetSpecification, OffsetType, Producer

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0, "looked_up": 0}


async def last(consumer: Consumer, stream: str) -> None:
    """Subscribes at the last chunk, until a message is there."""
    there = asyncio.Event()
    subscriber = await consumer.subscribe(
        stream,
        lambda _message, _context: there.set(),
        offset_specification=ConsumerOffsetSpecification(OffsetType.LAST),
    )
    await asyncio.wait_for(there.wait(), 5)
    counted["looked_up"] += 1
    await consumer.unsubscribe(subscriber)


async def main(stream: str) -> None:
    """Seven look-ups, and messages between them."""
    async with Producer(**WHO) as producer, Consumer(**WHO) as consumer:
        await producer.create_stream(stream, exists_ok=True)
        for number in range(7):
            await producer.send_wait(stream, AMQPMessage(body=b"rate %d" % number))
            counted["published"] += 1
            await asyncio.sleep(0.2)
            await last(consumer, stream)


asyncio.run(main(sys.argv[1]))
print(json.dumps(counted), flush=True)
