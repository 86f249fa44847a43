"""A batch larger than a frame, sent again after each close: `rstream_large_batches.py STREAM`."""

import asyncio
import json
import sys
from contextlib import suppress

from rstream import AMQPMessage, Producer
from rstream.recovery import BackOffRecoveryStrategy

WHO = {"host": "broker", "username": "guest", "password": "guest"}
STREAM = sys.argv[1]


async def main() -> dict:
    """Four times the same batch, each time with a new producer after the last was closed."""
    confirmed, closed = 0, 0

    async def confirm(status: object) -> None:
        nonlocal confirmed
        confirmed += status.is_confirmed

    async def ended(_info: object) -> None:
        nonlocal closed
        closed += 1

    async with Producer(**WHO) as producer:
        await producer.create_stream(STREAM)
    for _ in range(4):
        producer = Producer(
            **WHO,
            frame_max=8192,
            on_close_handler=ended,
            recovery_strategy=BackOffRecoveryStrategy(enable=False),
        )
        await producer.start()
        batch = [AMQPMessage(body=b"reading %04d " % n * 12) for n in range(80)]
        await producer.send_batch(STREAM, batch, on_publish_confirm=confirm)
        await asyncio.sleep(1)
        with suppress(Exception):  # the connection is gone
            await asyncio.wait_for(producer.close(), 2)
    return {"sent": 320, "confirmed_of_all": confirmed, "closed": closed}


print(json.dumps(asyncio.run(main())), flush=True)
