"""A stream is created by rstream: `rstream_creates.py STREAM`; the stream's name says how.

With a retention that is smaller than a segment, or when it is there with other arguments.
"""

import asyncio
import json
import sys

from rstream import AMQPMessage, Consumer, Producer, amqp_decoder

WHO = {"host": "broker", "username": "guest", "password": "guest"}
STREAM = sys.argv[1]


async def main() -> dict:
    """Create, publish, read all."""
    error = "none"
    arguments = {"max-length-bytes": 20000} if "retention" in STREAM else {"max-age": "7D"}
    rounds = 8 if "retention" in STREAM else 2
    seen: list[int] = []
    async with Producer(**WHO) as producer:
        try:
            await producer.create_stream(STREAM, arguments, exists_ok=True)
        except Exception as raised:  # noqa: BLE001  (the application goes on, whatever it was)
            error = type(raised).__name__
        for n in range(rounds):
            batch = [AMQPMessage(body=b"reading %05d " % (n * 100 + i) * 8) for i in range(100)]
            await producer.send_batch(STREAM, batch)
            await asyncio.sleep(0.3)

    async def take(_message: AMQPMessage, context: object) -> None:
        seen.append(context.offset)

    async with Consumer(**WHO) as consumer:
        await consumer.subscribe(STREAM, take, decoder=amqp_decoder)
        for _ in range(60):
            await asyncio.sleep(0.05)
            if len(seen) >= 100 * rounds:
                break
    return {"published": 100 * rounds, "consumed": len(seen), "error": error}


print(json.dumps(asyncio.run(main())), flush=True)
