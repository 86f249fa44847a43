"""Plays the thirteenth round of the blind test by rbfly; prints what it counted as JSON."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator

import rbfly.streams as rbs
from rbfly.streams import MessageCtx, MessageFilter, Offset

URI = "rabbitmq-stream://guest:guest@broker"
counted = {"published": 0, "of_location": 0, "of_all": 0}


def location(message: MessageCtx) -> str:
    """The location that a message is from."""
    return str(message.app_properties["location"])


async def takes(messages: AsyncIterator, name: str) -> None:
    """Counts what comes until nothing comes for a while."""
    with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
        async for _ in messages:
            counted[name] += 1


async def main(stream: str, how: str) -> None:
    """Orders of four locations; a kitchen wants those of one, and an archive wants all."""
    client, kitchen, archive = (rbs.streams_client(URI) for _ in range(3))
    await client.create_stream(stream)
    filters = {"filter_extract": location} if how == "filtered" else {}
    only = MessageFilter(location, {"9"})
    reading = [
        asyncio.create_task(
            takes(
                kitchen.subscribe(stream, offset=Offset.FIRST, filter=only, timeout=4),
                "of_location",
            )
        ),
        asyncio.create_task(
            takes(archive.subscribe(stream, offset=Offset.FIRST, timeout=4), "of_all")
        ),
    ]
    fast = rbs.PublisherBatchFast
    async with client.publisher(stream, name="tills", cls=fast, **filters) as publisher:
        for batch in range(36):
            for number in range(3):
                where = (9, 4, 7, 12)[batch % 4]
                text = f"order {batch}.{number} of location {where}"
                publisher.batch(rbs.stream_message_ctx(text, app_properties={"location": where}))
                counted["published"] += 1
            await publisher.flush()
            await asyncio.sleep(0.16)
    for each in reading:
        with contextlib.suppress(asyncio.TimeoutError, TimeoutError):
            await asyncio.wait_for(each, 6)
    for each in (client, kitchen, archive):
        await each.disconnect()


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted), flush=True)
