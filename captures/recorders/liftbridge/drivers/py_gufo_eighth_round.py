"""What gufo-liftbridge is made to do in the eighth round of the blind test; what it counted."""

import asyncio
import json
import sys
from contextlib import suppress

from gufo.liftbridge.client import LiftbridgeClient
from gufo.liftbridge.types import AckPolicy, StartPosition

counted = {"published": 0, "read": 0}
NAME = "metrics"
known: dict[int, int] = {}
"""Where the readers of each partition go on, when the servers keep no cursors."""


async def archive(servers: list[str], replicas: int, ends: int) -> None:
    """Publishes in bulk and one by one, and reads on at a cursor in each of four runs."""
    async with LiftbridgeClient(servers, compression_method="zlib", compression_threshold=200) as c:
        await c.create_stream(NAME, partitions=2, replication_factor=replicas, wait_for_stream=True)
        for run in range(4):
            requests = [
                c.get_publish_request(
                    f"sample {run}-{number} ".encode() * (30 if number % 6 == 5 else 1),
                    stream=NAME,
                    partition=number % 2,
                    headers={"agent": b"poller-1"},
                    auto_compress=True,
                )
                for number in range(12)
            ]
            async for _ in c.publish_bulk(requests, wait=True):
                counted["published"] += 1
            if run == 1 and ends:
                print(f"KILL lift-{ends}", flush=True)
                sys.stdin.readline()
            await asyncio.gather(*(reads(servers, each) for each in range(2)))
            await c.publish(b"end of a run", stream=NAME, partition=0, ack_policy=AckPolicy.ALL)
            counted["published"] += 1
            await asyncio.sleep(0.4)


async def reads(servers: list[str], partition: int) -> None:
    """A reader of its own, which goes on where the one before left off."""
    cursor = f"writer-{partition}"
    async with LiftbridgeClient(servers) as c:
        if len(servers) == 1:
            own = c.subscribe(
                NAME, partition=partition, start_position=StartPosition.RESUME, cursor_id=cursor
            )
        else:
            at = known.get(partition, 0)
            own = c.subscribe(
                NAME, partition=partition, start_position=StartPosition.OFFSET, start_offset=at
            )
        offset, number = -1, 0
        with suppress(TimeoutError):
            while True:
                message = await asyncio.wait_for(anext(own), 1.2)
                counted["read"] += 1
                number += 1
                offset = message.offset
        if number:
            known[partition] = offset + 1
        if number and len(servers) == 1:
            await c.set_cursor(NAME, partition=partition, cursor_id=cursor, offset=offset)


one = ["127.0.0.1:9292"]
three = [f"127.0.0.1:{port}" for port in (9292, 9293, 9294)]
plays = {"archive": lambda: archive(one, 1, 0), "archive_of_three": lambda: archive(three, 3, 3)}
asyncio.run(plays[sys.argv[1]]())
print(json.dumps(counted), flush=True)
