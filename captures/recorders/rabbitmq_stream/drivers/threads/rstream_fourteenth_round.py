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

        async def handle(_message: AMQPMessage, context: MessageContext) -> None:
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


asyncio.run({"large": large, "follows": follows}[sys.argv[1]](sys.argv[2]))
print(json.dumps(counted), flush=True)
