"""Plays the eleventh round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    MessageContext,
    OffsetType,
    Producer,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0, "consumed": 0, "stored": 0}


async def main(each: int, stream: str) -> None:
    """A consumer that stores its offset after so many messages."""
    producer = Producer(connection_name="camera", **WHO)
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)
    consumer = Consumer(connection_name="gallery", **WHO)
    await consumer.start()

    async def shown(_message: bytes, context: MessageContext) -> None:
        counted["consumed"] += 1
        if counted["consumed"] % each == 0:
            await context.consumer.store_offset(
                stream=stream, offset=context.offset, subscriber_name="gallery"
            )
            counted["stored"] += 1

    first = ConsumerOffsetSpecification(OffsetType.FIRST)
    await consumer.subscribe(
        stream, shown, offset_specification=first, initial_credit=10, subscriber_name="gallery"
    )
    runs = asyncio.create_task(consumer.run())
    for batch in range(40):
        for n in range(6):
            await producer.send(stream, AMQPMessage(body=b"picture %d.%d" % (batch, n)))
            counted["published"] += 1
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    await consumer.close()
    await runs
    await producer.close()


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
print(json.dumps(counted), flush=True)
