"""Plays the seventh round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys
from contextlib import suppress

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetSpecification,
    OffsetType,
    Producer,
    amqp_decoder,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0, "consumed": 0}


async def fill(producer: Producer, stream: str, count: int, pause: float = 0.01) -> None:
    for _ in range(count):
        await producer.send(stream, AMQPMessage(body=b"record %d" % counted["published"]))
        counted["published"] += 1
        await asyncio.sleep(pause)


async def published_on(stream: str) -> None:
    """The stream is deleted and made again under its publisher."""
    async with Producer(connection_name="collector", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        await fill(producer, stream, 30)
        await asyncio.sleep(0.5)
        async with Producer(connection_name="admin", **WHO) as admin:
            await admin.delete_stream(stream)
            await asyncio.sleep(0.6)
            await admin.create_stream(stream, exists_ok=True)
        for _ in range(6):
            with suppress(Exception):
                await asyncio.wait_for(fill(producer, stream, 8, 0.04), 2)
            await asyncio.sleep(0.3)
        await asyncio.sleep(1)


async def short_lived(stream: str, *, closed: bool) -> None:
    """Fourteen lookups of three messages each, by a consumer of its own."""
    async with Producer(connection_name="source", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        await fill(producer, stream, 90)
        await asyncio.sleep(0.4)
    kept = []
    for n in range(14):
        consumer, seen = Consumer(connection_name=f"lookup-{n}", **WHO), asyncio.Event()
        kept.append(consumer)
        got: list[object] = []

        async def take(
            message: object, _context: object, got: list[object] = got, seen: asyncio.Event = seen
        ) -> None:
            got.append(message)
            if len(got) == 3:
                seen.set()

        await consumer.start()
        where = ConsumerOffsetSpecification(OffsetType.OFFSET, 6 * n)
        name = await consumer.subscribe(
            stream, take, decoder=amqp_decoder, offset_specification=where, initial_credit=1
        )
        await asyncio.wait_for(seen.wait(), 3)
        counted["consumed"] += 3
        await consumer.unsubscribe(name)
        if closed:
            await consumer.close()
        await asyncio.sleep(0.12)
    await asyncio.sleep(1.2)


async def reconnects(stream: str, *, by_library: bool) -> None:
    """Two members of a group, one of which is cut off three times: back by the library, or not."""
    last, lost = [-1], asyncio.Event()

    async def take(_message: object, context: object) -> None:
        counted["consumed"] += 1
        last[0] = max(last[0], context.offset)  # type: ignore[attr-defined]

    async def closed(_info: object) -> None:
        lost.set()

    async def updated(_active: bool, _context: object) -> OffsetSpecification:  # noqa: FBT001
        return OffsetSpecification(OffsetType.OFFSET, last[0] + 1)

    async def member(consumer: Consumer) -> Consumer:
        await consumer.start()
        await consumer.subscribe(
            stream,
            take,
            decoder=amqp_decoder,
            offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST, None),
            subscriber_name="auditor",
            properties={"single-active-consumer": "true", "name": "auditor"},
            consumer_update_listener=updated,
        )
        return consumer

    async with Producer(connection_name="source", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        await fill(producer, stream, 40)
        who = WHO | {"username": "reader", "password": "reader"}

        def first() -> Consumer:
            return Consumer(connection_name="auditor-0", on_close_handler=closed, **who)

        consumer = await member(first())
        other = await member(Consumer(connection_name="auditor-1", **WHO))
        for _ in range(3):
            await fill(producer, stream, 30)
            await asyncio.sleep(0.6)
            lost.clear()
            print("cut", flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            with suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), 4)
            await asyncio.sleep(0.3)
            if by_library:
                await consumer.reconnect_stream(stream)
            else:
                consumer = await member(first())
            await asyncio.sleep(0.7)
        await fill(producer, stream, 20)
        await asyncio.sleep(0.6)
        for each in (consumer, other):
            with suppress(Exception):
                await asyncio.wait_for(each.close(), 2)


async def main(play: str, stream: str) -> None:
    match play:
        case "published_on":
            await published_on(stream)
        case "reconnects" | "comes_back":
            await reconnects(stream, by_library=play == "reconnects")
        case "left_open" | "closed_again":
            await short_lived(stream, closed=play == "closed_again")


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted), flush=True)
