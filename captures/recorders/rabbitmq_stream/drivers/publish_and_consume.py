"""rstream publishes, reads back from the start, and cleans up."""

import asyncio
import json
import sys

from rstream import AMQPMessage, Consumer, Producer, amqp_decoder

STREAM = sys.argv[1]
COUNT = int(sys.argv[2])
HOST = "broker"


async def main() -> None:
    """The whole life of a stream."""
    confirmed = 0
    consumed = 0
    done = asyncio.Event()

    async def confirm(status: object) -> None:
        nonlocal confirmed
        confirmed += status.is_confirmed

    async def take(_message: AMQPMessage, _context: object) -> None:
        nonlocal consumed
        consumed += 1
        if consumed == COUNT:
            done.set()

    producer = Producer(HOST, username="guest", password="guest")  # noqa: S106
    await producer.start()
    await producer.create_stream(STREAM)
    batch = [AMQPMessage(body=f"message {n}".encode()) for n in range(COUNT)]
    await producer.send_batch(STREAM, batch, on_publish_confirm=confirm)
    await asyncio.sleep(1)

    consumer = Consumer(HOST, username="guest", password="guest")  # noqa: S106
    await consumer.start()
    await consumer.subscribe(STREAM, take, decoder=amqp_decoder)
    await asyncio.wait_for(done.wait(), 20)
    await consumer.close()
    await producer.delete_stream(STREAM)
    await producer.close()
    print(json.dumps({"published": COUNT, "confirmed": confirmed, "consumed": consumed}))


asyncio.run(main())
