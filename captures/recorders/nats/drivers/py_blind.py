"""What nats-py is made to do in the blind test; prints what it counted as a line of JSON."""

import asyncio
import json
import sys

import nats
from nats.js.api import ConsumerConfig, StreamConfig
from nats.js.errors import APIError

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def stored(name: str, number: int, **options: object) -> nats.NATS:
    nc = await nats.connect(URL, name=name, **{"allow_reconnect": False, **options})
    js = nc.jetstream()
    await js.add_stream(StreamConfig(name="LOG", subjects=["log.*"]))
    for at in range(number):
        await js.publish("log.new", b"line %d" % at)
    return nc


async def pulls_too_seldom() -> None:
    nc = await stored("reporter", 12)
    js = nc.jetstream()
    config = ConsumerConfig(inactive_threshold=1, name="reporter-run", ack_wait=30)
    info = await js.add_consumer("LOG", config)
    pull = await js.pull_subscribe_bind(info.name, "LOG")
    for _ in range(5):
        try:
            for message in await pull.fetch(2, timeout=1):
                await message.ack()
                count("messages")
        except Exception:  # noqa: BLE001
            count("nothing")
        await asyncio.sleep(2.5)
    await nc.close()


async def stale_revision() -> None:
    nc = await nats.connect(URL, name="writer-1", allow_reconnect=False)
    other = await nats.connect(URL, name="writer-2", allow_reconnect=False)
    kv = await nc.jetstream().create_key_value(bucket="stock")
    await kv.put("apples", b"10")
    entry = await kv.get("apples")
    await (await other.jetstream().key_value("stock")).put("apples", b"9")
    for _ in range(15):
        try:
            await kv.update("apples", b"8", entry.revision)
        except APIError:
            count("refused")
    await nc.close()
    await other.close()


async def consumer_gone_unnoticed() -> None:
    nc = await stored("reader", 3)

    async def line(_: object) -> None:
        count("lines")

    config = ConsumerConfig(idle_heartbeat=0.5)
    sub = await nc.jetstream().subscribe("log.*", cb=line, config=config)
    await asyncio.sleep(1.2)
    other = await nats.connect(URL, name="cleaner", allow_reconnect=False)
    info = await sub.consumer_info()
    await other.jetstream().delete_consumer("LOG", info.name)
    for at in range(10):
        await asyncio.sleep(0.5)
        await other.jetstream().publish("log.new", b"later %d" % at)
    await nc.close()
    await other.close()


async def message_id_constant() -> None:
    nc = await stored("catalogue", 0)
    js = nc.jetstream()
    for at in range(12):
        price = b'{"product": %d, "price": %d}' % (at % 2, 100 + at)
        ack = await js.publish("log.price", price, headers={"Nats-Msg-Id": f"product-{at % 2}"})
        count("duplicates", int(bool(ack.duplicate)))
    await nc.close()


async def flow_control_answered() -> None:
    nc = await nats.connect(URL, name="reader", allow_reconnect=False)
    js = nc.jetstream()
    await js.add_stream(StreamConfig(name="LOG", subjects=["log.*"]))
    for _ in range(24):
        await js.publish("log.new", b"x" * 60_000)

    async def line(_: object) -> None:
        count("lines")

    config = ConsumerConfig(ack_wait=30)
    sub = await js.subscribe("log.*", cb=line, config=config, flow_control=True, idle_heartbeat=0.5)
    await asyncio.sleep(2.5)
    await sub.unsubscribe()
    await nc.drain()


async def sent_again_after_reconnect() -> None:
    nc = await stored(
        "orders", 1, allow_reconnect=True, reconnect_time_wait=0.2, max_reconnect_attempts=30
    )
    js = nc.jetstream()
    for at in range(5):
        await js.publish("log.order", b"order %d" % at, headers={"Nats-Msg-Id": f"order-{at}"})
    await asyncio.sleep(3)
    for at in (3, 4, 5):
        ack = await js.publish(
            "log.order", b"order %d" % at, headers={"Nats-Msg-Id": f"order-{at}"}
        )
        count("duplicates", int(bool(ack.duplicate)))
    await nc.drain()


asyncio.run(globals()[sys.argv[1]]())
print(json.dumps(counted))
