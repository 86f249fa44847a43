"""Plays the tenth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys

from rstream import AMQPMessage, Consumer, ConsumerOffsetSpecification, OffsetType, Producer

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0, "read": 0, "answered": 0}


async def rebuilt(stream: str, state: list[bytes], consumer: Consumer) -> None:
    """Reads the stream from its beginning."""

    async def keep(message: bytes, _context: object) -> None:
        counted["read"] += 1
        state.append(message)

    first = ConsumerOffsetSpecification(OffsetType.FIRST)
    await consumer.subscribe(stream, keep, offset_specification=first, initial_credit=10)


async def main(play: str, stream: str) -> None:
    """Twelve requests of the web, each of which wants to know the state of the carts."""
    producer = Producer(connection_name="shop", **WHO)
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)

    async def publish(number: int) -> None:
        for _ in range(number):
            text = b"cart %d: item %d" % (counted["published"] % 9, counted["published"])
            await producer.send(stream, AMQPMessage(body=text))
            counted["published"] += 1

    await publish(80)
    await asyncio.sleep(0.5)
    state: list[bytes] = []
    stays = Consumer(connection_name="carts", **WHO)
    if play == "kept":
        await stays.start()
        await rebuilt(stream, state, stays)
    for _ in range(12):
        await publish(4)
        await asyncio.sleep(0.3)
        if play == "rebuilt":
            state = []
            consumer = Consumer(connection_name="carts", **WHO)
            await consumer.start()
            await rebuilt(stream, state, consumer)
            runs = asyncio.create_task(consumer.run())
            await asyncio.sleep(0.35)
            await consumer.close()
            await runs
        counted["answered"] += bool(state)
    if play == "kept":
        await stays.close()
    await producer.close()


asyncio.run(main(*sys.argv[1:3]))
print(json.dumps(counted), flush=True)
