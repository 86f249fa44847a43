"""Plays the fourteenth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys

from rstream import (
    AMQPMessage,
    CompressionType,
    Consumer,
    ConsumerOffsetSpecification,
    MessageContext,
    OffsetNotFound,
    OffsetType,
    Producer,
    Properties,
    amqp_decoder,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0, "consumed": 0}


async def large(stream: str) -> None:
    """Maps of some hundred kilobytes, a part in compressed batches, and a reader that rests."""
    producer = Producer(connection_name="maps", **WHO)
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)
    consumer = Consumer(connection_name="printer", **WHO)
    await consumer.start()

    async def handle(message: AMQPMessage, _context: MessageContext) -> None:
        counted["consumed"] += 1
        if len(bytes(message.body)) > 100_000:
            await asyncio.sleep(0.3)

    await consumer.subscribe(
        stream,
        handle,
        decoder=amqp_decoder,
        offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST),
        initial_credit=3,
    )
    for number in range(6):
        line = b"tile %d: sea sea sea sea land land hill\n" % number
        await producer.send_wait(stream, AMQPMessage(body=line * (400 + 1300 * (number % 3))))
        batch = [AMQPMessage(body=b"note %d.%d " % (number, n) * 20) for n in range(12)]
        await producer.send_sub_entry(stream, batch, CompressionType.Gzip)
        counted["published"] += 13
        await asyncio.sleep(0.7)
    await asyncio.sleep(4)
    await consumer.close()
    await producer.close()


async def follows(stream: str) -> None:
    """Reads what another program publishes, and stores its offset now and then; two sessions."""
    for _ in range(2):
        consumer = Consumer(connection_name="ticker", **WHO)
        await consumer.start()
        last = None

        async def handle(
            _message: AMQPMessage, context: MessageContext, consumer: Consumer = consumer
        ) -> None:
            nonlocal last
            counted["consumed"] += 1
            last = context.offset
            if counted["consumed"] % 15 == 0:
                await consumer.store_offset(stream, "ticker", context.offset)

        try:
            stored = await consumer.query_offset(stream, "ticker")
            place = ConsumerOffsetSpecification(OffsetType.OFFSET, stored + 1)
        except OffsetNotFound:
            place = ConsumerOffsetSpecification(OffsetType.FIRST)
        await consumer.subscribe(
            stream, handle, subscriber_name="ticker", offset_specification=place
        )
        await asyncio.sleep(3.5)
        if last is not None:
            await consumer.store_offset(stream, "ticker", last)
        await consumer.close()
        await asyncio.sleep(0.6)


async def three(first: str) -> None:
    """Three copiers in a ring, each of which copies all that it reads to the next stream."""
    streams = [first, f"{first}-b", f"{first}-c"]
    shop = Producer(connection_name="tills", **WHO)
    await shop.start()
    for each in streams:
        await shop.create_stream(each, exists_ok=True)
    running = []
    for source, target in zip(streams, [*streams[1:], first], strict=True):
        producer = Producer(connection_name=f"copier of {source}", **WHO)
        consumer = Consumer(connection_name=f"copier of {source}", **WHO)
        await producer.start()
        await consumer.start()

        async def copy(
            message: bytes,
            _context: MessageContext,
            producer: Producer = producer,
            target: str = target,
        ) -> None:
            await asyncio.sleep(0.05)
            await producer.send_wait(target, bytes(message))
            counted["consumed"] += 1

        await consumer.subscribe(
            source, copy, offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST)
        )
        running += [consumer, producer]
    for number in range(14):
        await shop.send_wait(first, AMQPMessage(body=b"receipt %d of till %d" % (number, 3)))
        counted["published"] += 1
        await asyncio.sleep(0.25)
    await asyncio.sleep(2)
    for each in (*running[::2], *running[1::2], shop):
        await each.close()


async def counts(stream: str) -> None:
    """Three runs of a counter, which stores how many messages it has handled."""
    producer = Producer(connection_name="gates", **WHO)
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)

    async def publish() -> None:
        for number in range(110):
            await producer.send_wait(stream, AMQPMessage(body=b"visitor %d" % number))
            counted["published"] += 1
            await asyncio.sleep(0.07)

    publishing = asyncio.create_task(publish())
    for _ in range(3):
        consumer = Consumer(connection_name="counter", **WHO)
        await consumer.start()

        async def handle(
            _message: bytes, _context: MessageContext, consumer: Consumer = consumer
        ) -> None:
            counted["consumed"] += 1
            if counted["consumed"] % 4 == 0:
                await consumer.store_offset(stream, "counter", counted["consumed"])

        try:
            stored = await consumer.query_offset(stream, "counter")
            place = ConsumerOffsetSpecification(OffsetType.OFFSET, stored)
        except OffsetNotFound:
            place = ConsumerOffsetSpecification(OffsetType.FIRST)
        await consumer.subscribe(
            stream, handle, subscriber_name="counter", offset_specification=place
        )
        await asyncio.sleep(2.6)
        await consumer.close()
    await publishing
    await producer.close()


async def pipeline(stream: str) -> None:
    """A translator that stores offsets at once and is stopped in the midst of its work."""
    target = f"{stream}-out"
    desk = Producer(connection_name="desk", **WHO)
    await desk.start()
    for each in (stream, target):
        await desk.create_stream(each, exists_ok=True)

    async def publish() -> None:
        for number in range(40):
            message = AMQPMessage(
                properties=Properties(message_id=f"text-{number}"), body=b"text %d" % number
            )
            await desk.send_wait(stream, message)
            counted["published"] += 1
            await asyncio.sleep(0.12)

    publishing = asyncio.create_task(publish())
    for run in range(2):
        consumer = Consumer(connection_name="translator", **WHO)
        producer = Producer(connection_name="translator", **WHO)
        await consumer.start()
        await producer.start()
        work: asyncio.Queue = asyncio.Queue()

        async def handle(
            message: AMQPMessage,
            context: MessageContext,
            consumer: Consumer = consumer,
            work: asyncio.Queue = work,
        ) -> None:
            await consumer.store_offset(stream, "translator", context.offset)
            work.put_nowait(message.properties.message_id)

        async def translate(producer: Producer = producer, work: asyncio.Queue = work) -> None:
            while True:
                name = await work.get()
                await asyncio.sleep(0.2)
                text = AMQPMessage(properties=Properties(correlation_id=name), body=b"translated")
                await producer.send_wait(target, text)
                counted["consumed"] += 1

        place = ConsumerOffsetSpecification(OffsetType.FIRST)
        if run:
            stored = await consumer.query_offset(stream, "translator")
            place = ConsumerOffsetSpecification(OffsetType.OFFSET, stored + 1)
        await consumer.subscribe(
            stream,
            handle,
            decoder=amqp_decoder,
            subscriber_name="translator",
            offset_specification=place,
        )
        working = asyncio.create_task(translate())
        await asyncio.sleep(2.6 if not run else 5)
        working.cancel()
        await consumer.close()
        await producer.close()
    await publishing
    await desk.close()


plays = {
    "large": large,
    "follows": follows,
    "three": three,
    "counts": counts,
    "pipeline": pipeline,
}
asyncio.run(plays[sys.argv[1]](sys.argv[2]))
print(json.dumps(counted), flush=True)
