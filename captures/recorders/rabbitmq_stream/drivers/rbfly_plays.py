"""What rbfly is made to do: `rbfly_plays.py PLAY STREAM`; prints last what it counted."""

import asyncio
import contextlib
import json
import sys
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import rbfly.streams as rbs
from rbfly.streams import MessageCtx, MessageFilter, Offset, Symbol

URI = "rabbitmq-stream://guest:guest@broker"
WHEN = datetime.fromtimestamp(1700000000, UTC)


def ask(what: str) -> None:
    """Lets the recorder do something and waits until it is done."""
    print(what, flush=True)
    sys.stdin.readline()


class Count:
    """Counts what a subscriber is handed."""

    def __init__(self) -> None:
        self.consumed = 0
        self.first = self.last = -1
        self.types: list[str] = []

    async def take(self, messages: AsyncIterator, wanted: int = 1 << 30) -> None:
        """Takes messages until there are enough, or none comes for the subscription's timeout."""
        with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
            async for body in messages:
                offset = rbs.get_message_ctx().stream_offset
                self.consumed += 1
                self.first = offset if self.first < 0 else min(self.first, offset)
                self.last = max(self.last, offset)
                self.types.append(type(body).__name__)
                if self.consumed >= wanted:
                    break

    def facts(self, suffix: str = "") -> dict:
        """What was counted."""
        return {
            f"consumed{suffix}": self.consumed,
            f"first_offset{suffix}": self.first,
            f"last_offset{suffix}": self.last,
        }


@contextlib.asynccontextmanager
async def connected(stream: str) -> AsyncIterator:
    """A client with a stream of that name."""
    client = rbs.streams_client(URI)
    await client.create_stream(stream)
    try:
        yield client
    finally:
        await client.disconnect()


async def publish_and_consume(stream: str) -> dict:
    """The whole life of a stream."""
    count = Count()
    async with connected(stream) as client:
        async with client.publisher(stream, name="orders") as publisher:
            for n in range(5):
                await publisher.send(f"message {n}")
        fast = rbs.PublisherBatchFast
        async with client.publisher(stream, name="orders", cls=fast) as publisher:
            for n in range(5, 15):
                publisher.batch(f"message {n}")
            await publisher.flush()
        await count.take(client.subscribe(stream, offset=Offset.FIRST, timeout=2), 15)
        ask("count")
        await client.delete_stream(stream)
    return {"published": 15} | count.facts()


async def named(stream: str) -> dict:
    """A named publisher that asks how far it came, and an offset that is stored under a name."""
    count, again = Count(), Count()
    async with connected(stream) as client:
        for _ in range(2):
            async with client.publisher(stream, name="billing") as publisher:
                for _ in range(5):
                    await publisher.send("bill")
        reference = Offset.reference("reader")
        await count.take(client.subscribe(stream, offset=reference, timeout=2), 10)
        await client.write_offset(stream, "reader", 6)
        await asyncio.sleep(0.5)
        await again.take(client.subscribe(stream, offset=reference, timeout=2), 3)
    return {"published": 10, "stored": 6} | count.facts() | again.facts("_again")


async def types(stream: str) -> dict:
    """Bodies of every type that rbfly can write, and some that carry properties."""
    bodies = [
        None, True, False, 0, -1, 255, 1 << 40, -(1 << 40), 1.5, "größe", "long " * 100,
        b"binary", WHEN, uuid.UUID("00112233-4455-6677-8899-aabbccddeeff"), Symbol("urgent"),
        [], [1, "two", [True, None]], {}, {"key": "value", 1: [2, {"a": b"b"}]},
    ]  # fmt: skip
    properties = {"region": "emea", "attempt": 3, "ratio": 0.5, "yes": True, "when": WHEN}
    count = Count()
    async with connected(stream) as client:
        async with client.publisher(stream, name="types") as publisher:
            for body in bodies:
                await publisher.send(body)
            message = rbs.stream_message_ctx("with properties", app_properties=properties)
            await publisher.send(message)
        await count.take(client.subscribe(stream, offset=Offset.FIRST, timeout=2))
    return {"published": len(bodies) + 1, "types": count.types} | count.facts()


async def filters(stream: str) -> dict:
    """A filtering publisher and subscriber."""

    def region(message: MessageCtx) -> str:
        return message.app_properties["region"]

    count = Count()
    async with connected(stream) as client:
        async with client.publisher(
            stream, name="regions", filter_extract=region, cls=rbs.PublisherBatchFast
        ) as publisher:
            for place in ("emea", "amer"):
                for n in range(6):
                    message = rbs.stream_message_ctx(
                        f"message {n}", app_properties={"region": place}
                    )
                    publisher.batch(message)
                await publisher.flush()
        only = MessageFilter(region, {"emea"})
        messages = client.subscribe(stream, offset=Offset.FIRST, filter=only, timeout=2)
        await count.take(messages)
    return {"published": 12} | count.facts()


async def killed(stream: str) -> dict:
    """The connection is closed under a publisher and a subscriber."""
    count = Count()
    async with connected(stream) as client:
        reader = asyncio.create_task(
            count.take(client.subscribe(stream, offset=Offset.FIRST, timeout=10), 20)
        )
        async with client.publisher(stream, name="orders") as publisher:
            for n in range(10):
                await publisher.send(f"message {n}")
            await asyncio.sleep(0.5)
            await asyncio.to_thread(ask, "kill")
            await asyncio.sleep(3)
            sent = 10
            for n in range(10, 20):
                with contextlib.suppress(Exception):
                    await asyncio.wait_for(publisher.send(f"message {n}"), 3)
                    sent += 1
        with contextlib.suppress(Exception):
            await asyncio.wait_for(reader, 15)
    return {"published": sent} | count.facts()


async def idle(stream: str) -> dict:
    """A connection on which nothing happens for the broker's heartbeat."""
    async with connected(stream):
        await asyncio.sleep(8)
    return {}


print(json.dumps(asyncio.run(globals()[sys.argv[1]](sys.argv[2]))))
