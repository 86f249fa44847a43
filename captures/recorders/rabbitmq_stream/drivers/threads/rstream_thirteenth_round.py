"""Plays the thirteenth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import contextlib
import json
import sys

from rstream import AMQPMessage, Producer

counted = {"published": 0, "failures": 0}


async def main(stream: str, seconds: str) -> None:
    """Publishes a position of a truck twice a second, over the relay; the heartbeat is 2 s."""
    producer = Producer(
        "broker", port=5553, username="guest", password="guest", heartbeat=2,
        connection_name="truck", load_balancer_mode=True,
    )  # fmt: skip
    await producer.start()
    for number in range(int(float(seconds) / 0.5)):
        try:
            message = AMQPMessage(body=b"position %d" % number)
            await asyncio.wait_for(producer.send(stream, message), 2)
            counted["published"] += 1
        except Exception:  # noqa: BLE001
            counted["failures"] += 1
        await asyncio.sleep(0.5)
    with contextlib.suppress(Exception):
        await asyncio.wait_for(producer.close(), 3)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted), flush=True)
