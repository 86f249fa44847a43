"""An offset is asked for by a consumer of its own, each time: `rstream_asks_offset.py STREAM`."""

import asyncio
import json
import sys

from rstream import AMQPMessage, Consumer, Producer, amqp_decoder

WHO = {"host": "broker", "username": "guest", "password": "guest"}
STREAM = sys.argv[1]


async def stored() -> int:
    """A connection for one question."""
    async with Consumer(**WHO, connection_name="offset-consumer") as consumer:
        try:
            return await consumer.query_offset(STREAM, "group")
        except Exception:  # noqa: BLE001  (nothing is stored yet)
            return -1


async def main() -> dict:
    """Publish, consume and store, and look after each message what is stored."""
    seen: list[int] = []
    found: list[int] = []
    async with Producer(**WHO) as producer:
        await producer.create_stream(STREAM)
        await producer.send_batch(STREAM, [AMQPMessage(body=b"order %d" % n) for n in range(12)])
    await asyncio.sleep(0.5)

    async def take(_message: AMQPMessage, context: object) -> None:
        seen.append(context.offset)

    async with Consumer(**WHO) as consumer:
        await consumer.subscribe(STREAM, take, decoder=amqp_decoder)
        await asyncio.sleep(1)
        for n in range(12):
            await consumer.store_offset(STREAM, "group", n)
            await asyncio.sleep(0.1)
            found.append(await stored())
    return {"published": 12, "consumed": len(seen), "found": found}


print(json.dumps(asyncio.run(main())), flush=True)
