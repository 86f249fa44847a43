"""What nats-py is made to do in healthy programs; prints what it counted."""

import asyncio
import json
import sys
import time

import nats
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig

counted: dict[str, int] = {}
URL = "nats://127.0.0.1:4222"


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def quiet(error: Exception) -> None:
    """Errors are counted, not printed."""
    count(f"error_{type(error).__name__}")


async def conn(name: str) -> nats.NATS:
    return await nats.connect(URL, name=name, error_cb=quiet)


async def discovery() -> None:
    """Three nodes hold files; who has one says so, and the others are silent."""
    held = {"node-1": range(6), "node-2": range(6, 18), "node-3": range(18, 24)}
    nodes = []
    for name, files in held.items():
        node = await conn(name)

        async def answers(m: Msg, files: range = files) -> None:
            if int(m.data) in files:
                count("found")
                await m.respond(b"here")

        await node.subscribe("who.has", cb=answers)
        await node.flush()
        nodes.append(node)
    asks = await conn("reader")
    for number in range(24):
        await asks.request("who.has", b"%d" % number, timeout=1)
        await asyncio.sleep(0.6)
    for each in (asks, *nodes):
        await each.close()


async def projection() -> None:
    """A view in memory is built from all events at each start of the program."""
    shop = await conn("shop")
    js = shop.jetstream()
    await js.add_stream(name="EVENTS", subjects=["events.>"])
    for _ in range(4):
        for n in range(12):
            await js.publish(f"events.item{n % 4}", b"sold %d" % n)
        view = await conn("view")
        stock: dict[str, int] = {}

        async def handler(m: Msg, stock: dict[str, int] = stock) -> None:
            stock[m.subject] = stock.get(m.subject, 0) + 1
            count("applied")

        await view.jetstream().subscribe("events.>", cb=handler)
        await asyncio.sleep(2.5)
        await view.drain()
    await shop.drain()


async def letters() -> None:
    """Dead letters by the advisory of the server: what fails twice is copied, and removed."""
    nc = await conn("mailroom")
    js = nc.jetstream()
    await js.add_stream(name="LETTERS", subjects=["letters.*"])
    await js.add_stream(name="DEAD", subjects=["dead.*"])

    async def buries(m: Msg) -> None:
        advice = json.loads(m.data)
        raw = await js.get_msg("LETTERS", advice["stream_seq"])
        await js.publish(f"dead.{advice['stream_seq']}", raw.data)
        await js.delete_msg("LETTERS", advice["stream_seq"])
        count("buried")

    await nc.subscribe(
        "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.LETTERS.*", queue="undertaker", cb=buries
    )
    settings = ConsumerConfig(ack_wait=5, max_deliver=2)
    sub = await js.pull_subscribe("letters.*", durable="clerks", config=settings)
    for n in range(50):
        await js.publish(f"letters.{n % 5}", b"no address" if n % 9 == 4 else b"to number %d" % n)
    end = time.monotonic() + 14
    while time.monotonic() < end:
        try:
            for m in await sub.fetch(5, timeout=1):
                if m.data == b"no address":
                    count("refused")
                    await m.nak(delay=0.5)
                else:
                    count("sorted")
                    await m.ack()
        except TimeoutError:
            continue
    await nc.drain()


asyncio.run(globals()[sys.argv[1]]())
print(json.dumps(counted), flush=True)
