"""Plays programs by rstream; prints what they counted as JSON."""

import asyncio
import contextlib
import json
import os
import sys

from rstream import AMQPMessage, Consumer, ConsumerOffsetSpecification, OffsetType, Producer, schema

counted = {"published": 0, "consumed": 0, "failures": 0}
WHO = {"username": "guest", "password": "guest"}


async def tries(stream: str) -> None:
    """A consumer is made anew as long as that fails, for a minute."""

    async def take(_message: object, _context: object) -> None:
        counted["consumed"] += 1

    place = ConsumerOffsetSpecification(OffsetType.FIRST)
    for _ in range(7):
        consumer = Consumer("broker", **WHO, connection_name="search")
        await consumer.start()
        try:
            await asyncio.wait_for(consumer.subscribe(stream, take, offset_specification=place), 5)
            await asyncio.sleep(1)
        except Exception:  # noqa: BLE001
            counted["failures"] += 1
        with contextlib.suppress(Exception):
            await asyncio.wait_for(consumer.close(), 3)
        await asyncio.sleep(3)


async def beats(stream: str) -> None:
    """A meter that does not expect Heartbeat, and ends when it comes."""

    def fails(_frame: schema.Heartbeat) -> None:
        print(json.dumps(counted), flush=True)
        os._exit(1)

    producer = Producer("broker", **WHO, heartbeat=4, connection_name="meter")
    await producer.start()
    await producer.send_wait(stream, AMQPMessage(body=b"value 1"))
    counted["published"] += 1
    client = await producer._get_or_create_client(stream)  # noqa: SLF001
    client.add_handler(schema.Heartbeat, fails)
    await asyncio.sleep(20)


PLAYS = {"tries": tries, "beats": beats}
asyncio.run(PLAYS[sys.argv[1]](sys.argv[2]))
print(json.dumps(counted), flush=True)
