"""Plays the fourteenth round of the blind test by rbfly; prints what it counted as JSON."""

import asyncio
import contextlib
import json
import sys
import time

import rbfly.streams as rbs
from rbfly.streams import Offset

URI = "rabbitmq-stream://guest:guest@broker"
counted = {"published": 0, "copied": 0, "kept": 0}


async def mirror(source: str, target: str, *, marks: bool, end: float) -> None:
    """Copies what is new in a stream to another, but for what comes from there when it marks."""
    client = rbs.streams_client(URI)
    with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
        async with client.publisher(target, name=f"mirror-of-{source}") as publisher:
            async for body in client.subscribe(source, offset=Offset.FIRST, timeout=3):
                properties = dict(rbs.get_message_ctx().app_properties)
                if marks and properties.get("origin") == target:
                    counted["kept"] += 1
                else:
                    if marks:
                        properties["origin"] = source
                    await asyncio.sleep(0.06)
                    await publisher.send(rbs.stream_message_ctx(body, app_properties=properties))
                    counted["published"] += 1
                    counted["copied"] += 1
                if time.monotonic() > end:
                    break
    await client.disconnect()


async def sites(first: str, marks: str) -> None:
    """Two sites, each with a stream of bookings that is to be at the other, too."""
    second = f"{first}-remote"
    shop = rbs.streams_client(URI)
    for name in (first, second):
        await shop.create_stream(name)
    end = time.monotonic() + 9
    both = {"marks": marks == "marked", "end": end}
    jobs = [
        asyncio.create_task(mirror(first, second, **both)),
        asyncio.create_task(mirror(second, first, **both)),
    ]
    async with shop.publisher(first, name="bookings") as publisher:
        for number in range(24):
            text = f"booking {number} of room {number % 5}"
            if time.monotonic() < end - 2:
                await publisher.send(rbs.stream_message_ctx(text, app_properties={"site": "north"}))
                counted["published"] += 1
            await asyncio.sleep(0.2)
    for each in jobs:
        await each
    await shop.disconnect()


async def slow(stream: str) -> None:
    """A slow reader in three sessions, which goes on after the offset that it has written."""
    shop = rbs.streams_client(URI)
    await shop.create_stream(stream)
    async with shop.publisher(stream, name="orders", cls=rbs.PublisherBatchFast) as publisher:
        for batch in range(12):
            for n in range(10):
                publisher.batch(rbs.stream_message_ctx(f"order {batch}.{n} " + "for a table " * 6))
                counted["published"] += 1
            await publisher.flush()
    for session in range(3):
        client = rbs.streams_client(URI)
        many = 0
        with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
            reading = client.subscribe(stream, offset=Offset.reference("invoices"), timeout=2)
            async for _ in reading:
                await asyncio.sleep(0.07)
                many += 1
                counted["copied"] += 1
                if many % 8 == 0:
                    await client.write_offset(stream, "invoices")
                if many == 48 and session < 2:
                    break
        await client.write_offset(stream, "invoices")
        await asyncio.sleep(0.2)
        await client.disconnect()
        await asyncio.sleep(0.3)
    await shop.disconnect()


async def counts(stream: str) -> None:
    """A meter that writes the number of the last reading, from 0, as its offset."""
    shop, client = rbs.streams_client(URI), rbs.streams_client(URI)
    await shop.create_stream(stream)

    async def publish() -> None:
        async with shop.publisher(stream, name="readings") as publisher:
            for number in range(110):
                text = f"reading {number} of meter {number % 3}"
                await publisher.send(rbs.stream_message_ctx(text))
                counted["published"] += 1
                await asyncio.sleep(0.05)

    publishing = asyncio.create_task(publish())
    with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
        async for _ in client.subscribe(stream, offset=Offset.FIRST, timeout=2):
            counted["copied"] += 1
            if counted["copied"] % 5 == 0:
                await client.write_offset(stream, "meter", counted["copied"] - 1)
    await publishing
    await client.disconnect()
    await shop.disconnect()


if sys.argv[1] in ("slow", "counts"):
    asyncio.run({"slow": slow, "counts": counts}[sys.argv[1]](sys.argv[2]))
else:
    asyncio.run(sites(sys.argv[2], sys.argv[1]))
print(json.dumps(counted), flush=True)
