"""Publishers of the third round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys

from rstream import AMQPMessage, Producer

WHO = {"host": "broker", "username": "guest", "password": "guest"}


async def prices(stream: str, *, raw: bool) -> int:
    """Twelve prices as they are, or in AMQP 1.0."""
    async with Producer(connection_name="pricing", **WHO) as producer:
        for n in range(12):
            body = b'{"article": %d, "price": 9.%02d}' % (n, n)
            await producer.send(stream, body if raw else AMQPMessage(body=body))
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
    return 12


async def rows(stream: str) -> int:
    """300 rows, each confirmed before the next."""
    async with Producer(connection_name="importer", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        for n in range(300):
            await producer.send_wait(stream, AMQPMessage(body=b"row %d of 300" % n))
    return 300


play, stream = sys.argv[1:]
published = rows(stream) if play == "send_wait" else prices(stream, raw=play == "raw_bytes")
print(json.dumps({"published": asyncio.run(published)}))
