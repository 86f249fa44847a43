"""What gufo-liftbridge is made to do in the eleventh round of the blind test; what it counted."""

import asyncio
import json
from contextlib import suppress

from gufo.liftbridge.client import LiftbridgeClient
from gufo.liftbridge.types import StartPosition

counted = {"published": 0, "read": 0, "seen": 0}
SERVERS = ["127.0.0.1:9292"]


async def reads(cursor: str, seconds: float) -> None:
    """A run of a reader of the journal, which keeps its position after every eighth message."""
    async with LiftbridgeClient(SERVERS) as client:
        await client.wait_for_cursors()
        offset = await client.get_cursor("journal", 0, cursor)
        start = {"start_position": StartPosition.EARLIEST}
        if offset >= 0:
            start = {"start_position": StartPosition.OFFSET, "start_offset": offset + 1}
        messages, last = client.subscribe("journal", partition=0, **start), offset
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for message in messages:
                    counted["read"] += 1
                    last = message.offset
                    if last % 8 == 7:
                        await client.set_cursor("journal", 0, cursor, last)
        if last != offset:
            await client.set_cursor("journal", 0, cursor, last)


async def looks() -> None:
    """A dashboard that follows what is new."""
    async with LiftbridgeClient(SERVERS) as client:
        with suppress(TimeoutError):
            async with asyncio.timeout(7):
                async for _ in client.subscribe("journal", partition=0):
                    counted["seen"] += 1


async def main() -> None:
    """A journal with a writer, three runs of a reader, and a dashboard; then it is removed."""
    async with LiftbridgeClient(SERVERS) as client:
        await client.create_stream("journal", enable_compact=False, wait_for_stream=True)
        dashboard = asyncio.create_task(looks())
        reader: asyncio.Task[None] | None = None
        for number in range(75):
            if number % 25 == 5:
                if reader:
                    await reader
                reader = asyncio.create_task(reads("auditor", 1.6))
            headers = {"host": b"db-%d" % (number % 3)}
            line = b"entry %d of the journal" % number
            await client.publish(line, stream="journal", partition=0, headers=headers)
            counted["published"] += 1
            await asyncio.sleep(0.09)
        if reader:
            await reader
        await dashboard
        meta = await client.get_partition_metadata("journal", 0)
        counted["newest"] = meta.newest_offset
        await client.delete_stream("journal")


asyncio.run(main())
print(json.dumps(counted), flush=True)
