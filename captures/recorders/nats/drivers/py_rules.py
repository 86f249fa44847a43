"""What nats-py does for faults of servers, consumers and permissions; prints its counts."""

import asyncio
import json
import sys
from contextlib import suppress

import nats
from nats.js.api import AckPolicy, ConsumerConfig, StorageType

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str) -> None:
    counted[name] = counted.get(name, 0) + 1


async def orders(
    replicas: int = 1, storage: StorageType = StorageType.MEMORY, **settings: object
) -> nats.NATS:
    """A shop with a stream of orders and a consumer."""
    shop = await nats.connect(URL, name="shop")
    js = shop.jetstream(timeout=15)
    await js.add_stream(
        name="ORDERS", subjects=["orders.*"], storage=storage, num_replicas=replicas
    )
    config = ConsumerConfig(durable_name="work", ack_policy=AckPolicy.EXPLICIT, **settings)
    await js.add_consumer("ORDERS", config)
    return shop


async def watched() -> nats.NATS:
    """An operator who listens to the advisories."""
    operator = await nats.connect(URL, name="operator")

    async def advised(message: nats.aio.msg.Msg) -> None:
        count(message.subject.split(".")[4].lower())

    await operator.subscribe("$JS.EVENT.ADVISORY.>", cb=advised)
    await operator.flush()
    return operator


async def listens() -> None:
    """An operator listens for forty seconds."""
    operator = await watched()
    shop = await orders(3)
    await asyncio.sleep(40)
    await shop.close()
    await operator.close()


async def given_up() -> None:
    """A message that is never acknowledged, and one that is deleted before it is."""
    operator = await watched()
    shop = await orders(max_deliver=3, ack_wait=0.5)
    js = shop.jetstream()
    await js.publish("orders.new", b"order 1")
    pull = await js.pull_subscribe_bind("work", "ORDERS")
    for _ in range(4):
        with suppress(nats.errors.TimeoutError):
            await pull.fetch(1, timeout=1)
            count("delivered")
    await js.publish("orders.new", b"order 2")
    await pull.fetch(1, timeout=1)
    await js.delete_msg("ORDERS", 2)
    await asyncio.sleep(0.4)
    await shop.close()
    await operator.close()


async def asks() -> None:
    """A user that may not subscribe to every inbox."""
    app = await nats.connect(URL, name="app", user="app", password="throwaway")

    async def answers(message: nats.aio.msg.Msg) -> None:
        await message.respond(b"pong")

    await app.subscribe("service", cb=answers)
    for _ in range(2):
        try:
            await app.request("service", b"ping", timeout=0.5)
            count("answered")
        except nats.errors.TimeoutError:
            count("timeouts")
    await app.close()


async def works() -> None:
    """A worker that acknowledges all orders."""
    shop = await orders(storage=StorageType.FILE)
    js = shop.jetstream()
    for number in range(6):
        await js.publish("orders.new", b"order %d" % number)
    pull = await js.pull_subscribe_bind("work", "ORDERS")
    for message in await pull.fetch(6, timeout=1):
        await message.ack_sync()
        count("worked")
    await shop.close()


async def looks() -> None:
    """An operator looks at a consumer and its stream."""
    operator = await nats.connect(URL, name="operator")
    js = operator.jetstream()
    for _ in range(2):
        await js.consumer_info("ORDERS", "work")
        await js.stream_info("ORDERS")
        count("seen")
        await asyncio.sleep(0.5)
    await operator.close()


async def opens(url: str) -> None:
    """A program that connects, for seven seconds."""
    with suppress(asyncio.TimeoutError, nats.errors.Error):
        app = await asyncio.wait_for(nats.connect(url, connect_timeout=3), 7)
        await app.publish("orders.new", b"order 1")
        await app.close()
        count("let_in")


PLAYS = {
    "listens": listens,
    "given_up": given_up,
    "inbox_refused": asks,
    "works": works,
    "looks": looks,
    "opens_wss": lambda: opens("wss://127.0.0.1:4222"),
    "opens_public": lambda: opens("nats://203.0.113.10:4222"),
}
asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted))
