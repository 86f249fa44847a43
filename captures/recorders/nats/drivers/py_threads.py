"""What nats-py is made to do in scenarios from threads; prints what it counted as JSON."""

import asyncio
import json
import sys
import uuid

import nats
from nats.js.api import StreamConfig
from nats.js.errors import KeyWrongLastSequenceError

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def durable_per_restart() -> None:
    for start in range(6):
        nc = await nats.connect(URL, name="event-store", allow_reconnect=False)
        js = nc.jetstream()
        if not start:
            await js.add_stream(StreamConfig(name="EVENTS", subjects=["events.*"]))
            for number in range(4):
                await js.publish("events.new", b"event %d" % number)
        durable = f"event-store-{uuid.uuid4().hex}"
        pull = await js.pull_subscribe("events.*", durable)
        for message in await pull.fetch(4, timeout=1):
            await message.ack()
            count("replayed")
        await nc.close()


async def subscribed_again_on_reconnect() -> None:
    delivered = []

    async def order(message: object) -> None:
        delivered.append(message.data)

    async def again() -> None:
        await nc.subscribe("orders.*", cb=order)
        count("reconnects")

    nc = await nats.connect(
        URL,
        name="billing",
        reconnect_time_wait=0.2,
        reconnected_cb=again,
        max_reconnect_attempts=20,
    )
    await nc.subscribe("orders.*", cb=order)
    await nc.flush()
    other = await nats.connect(URL, name="shop", reconnect_time_wait=0.25)
    await other.publish("orders.first", b"1")
    await other.flush()
    await asyncio.sleep(3.5)
    for number in range(2, 6):
        await other.publish("orders.next", b"%d" % number)
        await other.flush()
        await asyncio.sleep(0.05)
    count("delivered", len(delivered))
    await nc.close()
    await other.close()


async def watch_loop() -> None:
    nc = await nats.connect(URL, name="compactor", allow_reconnect=False)
    kv = await nc.jetstream().create_key_value(bucket="jobs")
    await kv.put("leader", b"node-1")
    for _ in range(20):
        watch = await kv.watchall()
        await watch.updates(timeout=1)
        count("watches")
    await asyncio.sleep(0.5)
    await nc.close()


async def conflict_read_again() -> None:
    one = await nats.connect(URL, name="writer-1", allow_reconnect=False)
    two = await nats.connect(URL, name="writer-2", allow_reconnect=False)
    first = await one.jetstream().create_key_value(bucket="stock")
    second = await two.jetstream().key_value("stock")
    await first.put("apples", b"10")
    for number in range(3):
        mine = await first.get("apples")
        theirs = await second.get("apples")
        await first.update("apples", b"%d" % number, mine.revision)
        try:
            await second.update("apples", b"x", theirs.revision)
        except KeyWrongLastSequenceError:
            count("conflicts")
            theirs = await second.get("apples")
            await second.update("apples", b"again %d" % number, theirs.revision)
            count("updates")
    await one.drain()
    await two.drain()


async def drains() -> None:
    async def asked(message: object) -> None:
        await asyncio.sleep(0.005)
        await message.respond(b"done")
        count("handled")

    nc = await nats.connect(URL, name="worker", allow_reconnect=False)
    await nc.subscribe("work.a", cb=asked)
    await nc.subscribe("work.b", cb=asked)
    await nc.flush()
    other = await nats.connect(URL, name="asker", allow_reconnect=False)
    box = await other.subscribe("_INBOX.answers")
    for number in range(40):
        await other.publish("work.a" if number % 2 else "work.b", b"job", reply="_INBOX.answers")
    await other.flush()
    await nc.drain()
    await asyncio.sleep(0.6)
    count("answers", box.pending_msgs)
    await other.drain()


asyncio.run(globals()[sys.argv[1]]())
print(json.dumps(counted))
