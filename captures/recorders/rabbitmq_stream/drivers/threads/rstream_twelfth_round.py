"""Plays the twelfth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import contextlib
import json
import sys

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    MessageContext,
    OffsetSpecification,
    OffsetType,
    Producer,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0, "consumed": 0, "updates": 0}


class Service:
    """An instance with a single active consumer on each stream."""

    def __init__(self, streams: list[str], *, own: bool) -> None:
        self.streams, self.own, self.handled = streams, own, dict.fromkeys(streams, 0)

    async def start(self, number: int) -> None:
        """Subscribes to each stream."""
        self.consumer = Consumer(connection_name=f"billing-{number}", **WHO)
        await self.consumer.start()
        for stream in self.streams:
            await self.consumer.subscribe(
                stream,
                self.handle,
                subscriber_name=f"billing-{stream}",
                offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST),
                properties={"single-active-consumer": "true", "name": "billing"},
                consumer_update_listener=self.listener(stream if self.own else self.streams[0]),
            )

    def listener(self, stream: str) -> object:
        """Gives the listener that starts after the stored offset of a stream."""

        async def updated(active: bool, _context: object) -> OffsetSpecification:  # noqa: FBT001
            counted["updates"] += 1
            if active:
                with contextlib.suppress(Exception):
                    stored = await self.consumer.query_offset(stream, "billing")
                    return OffsetSpecification(OffsetType.OFFSET, stored + 1)
            return OffsetSpecification(OffsetType.FIRST, 0)

        return updated

    async def handle(self, _message: object, context: MessageContext) -> None:
        """Counts a message, and stores the offset of every fifth."""
        counted["consumed"] += 1
        self.handled[context.stream] += 1
        if self.handled[context.stream] % 5 == 0:
            await self.consumer.store_offset(context.stream, "billing", context.offset)


async def main(which: str, *streams: str) -> None:
    """Publishes to both streams while instances follow each other."""
    producer = Producer(connection_name="shop", **WHO)
    await producer.start()
    for stream in streams:
        await producer.create_stream(stream, exists_ok=True)
    over = False

    async def publish() -> None:
        batch = 0
        while not over:
            for stream, number in zip(streams, (6, 2), strict=True):
                for n in range(number):
                    await producer.send(
                        stream, AMQPMessage(body=b"%d.%d of %s" % (batch, n, stream.encode()))
                    )
                    counted["published"] += 1
            batch += 1
            await asyncio.sleep(0.15)

    publishing = asyncio.create_task(publish())
    before = Service(list(streams), own=which == "own")
    await before.start(0)
    for number in range(1, 4):
        await asyncio.sleep(2)
        instance = Service(list(streams), own=which == "own")
        await instance.start(number)
        await asyncio.sleep(0.5)
        await before.consumer.close()
        before = instance
    await asyncio.sleep(2)
    over = True
    await publishing
    await before.consumer.close()
    await producer.close()


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted), flush=True)
