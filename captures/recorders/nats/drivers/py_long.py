"""A shop by nats-py, for half a minute; prints what it counted as a line of JSON."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import nats
from nats.js.api import ConsumerConfig, StreamConfig

counted: Counter[str] = Counter()
END = time.monotonic() + 27


async def connect(name: str) -> nats.NATS:
    return await nats.connect(
        "nats://127.0.0.1:4222",
        name=name,
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.5,
        error_cb=noted,
    )


async def noted(_: Exception) -> None:
    counted["errors"] += 1


async def insist(do: Callable[[], Awaitable[object]]) -> object:
    """Tries until it works, a little later each time."""
    pause = 0.25
    while True:
        try:
            return await do()
        except Exception:  # noqa: BLE001
            counted["tried_again"] += 1
            await asyncio.sleep(pause)
            pause = min(2, 2 * pause)


async def publisher() -> None:
    nc = await connect("publisher")
    js = nc.jetstream(timeout=3)
    number = 0
    while time.monotonic() < END:
        subject, body = f"orders.{number % 3}", b"order %d" % number
        headers = {"Nats-Msg-Id": f"order-{number}"}
        await insist(lambda s=subject, b=body, h=headers: js.publish(s, b, headers=h))
        counted["published"] += 1
        number += 1
        await asyncio.sleep(0.08)
    await nc.drain()


async def packer(name: str, after: float, until: float) -> None:
    await asyncio.sleep(after)
    nc = await insist(lambda: connect(name))
    js = nc.jetstream(timeout=3)
    pull = await insist(lambda: js.pull_subscribe_bind("packing", "ORDERS"))
    stop = time.monotonic() + until
    while time.monotonic() < min(stop, END + 1):
        try:
            messages = await pull.fetch(10, timeout=2)
        except Exception:  # noqa: BLE001
            counted["empty"] += 1
            await asyncio.sleep(0.2)
            continue
        for message in messages:
            await message.ack()
            counted["packed"] += 1
    await nc.drain()


async def service() -> None:
    nc = await connect("prices")

    async def asked(message: object) -> None:
        counted["asked"] += 1
        await message.respond(b"10")

    for _ in range(2):
        await nc.subscribe("prices.ask", "prices", cb=asked)
    await asyncio.sleep(END - time.monotonic())
    await nc.drain()


async def asker() -> None:
    nc = await connect("asker")
    while time.monotonic() < END - 0.5:
        try:
            await nc.request("prices.ask", b"apples", timeout=2)
            counted["answers"] += 1
        except Exception:  # noqa: BLE001
            counted["unanswered"] += 1
        await asyncio.sleep(0.3)
    await nc.drain()


async def stock() -> None:
    nc = await connect("stock")
    js = nc.jetstream(timeout=3)
    kv = await insist(lambda: js.create_key_value(bucket="stock", history=3))
    for number in range(60):
        await insist(lambda n=number: kv.put(f"item.{n % 4}", b"%d" % n))
        if number % 10 == 0:
            await insist(lambda: kv.get("item.0"))
        await asyncio.sleep(0.35)
    await nc.drain()


async def screens() -> None:
    """Screens that open, look at some orders and close."""
    while time.monotonic() < END - 3:
        nc = await insist(lambda: connect("screen"))
        box = await nc.subscribe("orders.*")
        await asyncio.sleep(2)
        counted["seen"] += box.pending_msgs
        await insist(box.unsubscribe)
        await insist(nc.drain)
        await asyncio.sleep(0.7)


async def main() -> None:
    nc = await connect("setup")
    js = nc.jetstream()
    await js.add_stream(StreamConfig(name="ORDERS", subjects=["orders.*"]))
    await js.add_consumer("ORDERS", ConsumerConfig(durable_name="packing", ack_wait=30))
    await nc.drain()
    await asyncio.gather(
        publisher(), service(), asker(), stock(), screens(),
        packer("packer-1", 0, 60), packer("packer-2", 1, 9), packer("packer-3", 12, 60),
    )  # fmt: skip
    await asyncio.sleep(0.5)


asyncio.run(main())
print(json.dumps(counted))
