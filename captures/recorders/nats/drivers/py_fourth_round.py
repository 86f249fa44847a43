"""What nats-py is made to do in the fourth round of the blind test; prints what it counted."""

import asyncio
import json
import random
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import TimeoutError as Late
from nats.js.api import AckPolicy, ConsumerConfig, StorageType, StreamConfig
from nats.js.errors import APIError, BucketNotFoundError, KeyWrongLastSequenceError

URL = "nats://127.0.0.1:4222"
STOCK = "stock.bolts"
counted: dict[str, int] = {}
between = random.SystemRandom().random


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str, **options: object) -> Client:
    return await nats.connect(URL, name=name, **({"allow_reconnect": False} | options))


async def watches_all(name: str, *, acks: bool) -> None:
    """A subscriber of everything; `acks` acknowledges whatever has a reply subject."""
    nc = await conn(name)

    async def got(message: Msg) -> None:
        count("seen")
        if acks and message.reply:
            await message.respond(b"+ACK")

    await nc.subscribe(">", cb=got)
    await nc.flush()
    await asyncio.sleep(7)
    await nc.close()


async def revision_of_the_stream() -> None:
    nc = await conn("ledger")
    js = nc.jetstream()
    accounts = ("anna", "bert", "carl")
    await js.add_stream(
        StreamConfig(name="ledger", subjects=["account.*"], storage=StorageType.MEMORY)
    )
    for account in accounts:
        await js.publish(f"account.{account}", b'{"balance": 100}')
    for turn in range(9):
        subject = f"account.{accounts[turn % 3]}"
        for _ in range(4):
            old = await js.get_last_msg("ledger", subject)
            body = b'{"balance": %d}' % (json.loads(old.data)["balance"] + 10)
            try:
                await js.publish(
                    subject, body, headers={"Nats-Expected-Last-Sequence": str(old.seq)}
                )
            except APIError:
                count("refused")
                await asyncio.sleep(0.06)
            else:
                count("stored")
                break
        await asyncio.sleep(0.1)
    await nc.close()


async def counts_down(*, revisions: bool) -> None:
    """Counts a key down 22 times, as another program does at the same time."""
    nc = await conn("shop-web")
    js = nc.jetstream()
    try:
        kv = await js.key_value("shop")
    except BucketNotFoundError:
        kv = await js.create_key_value(bucket="shop", history=1, storage=StorageType.MEMORY)
        await kv.put(STOCK, b"1000")
    await asyncio.sleep(0.9)
    for _ in range(22):
        while True:
            entry = await kv.get(STOCK)
            left = b"%d" % (int(entry.value) - 1)
            await asyncio.sleep(0.05 + between() * 0.08)  # the order is checked
            if not revisions:
                await kv.put(STOCK, left)
                break
            with suppress(KeyWrongLastSequenceError):
                await kv.update(STOCK, left, last=entry.revision)
                break
            count("conflicts")
        await asyncio.sleep(between() * 0.08)
    await asyncio.sleep(1)
    count("left", int((await kv.get(STOCK)).value))
    await nc.close()


async def pulls_stop_after_reconnect() -> None:
    nc = await conn("log-source", allow_reconnect=True, reconnect_time_wait=0.3, ping_interval=2)
    js = nc.jetstream()
    await js.add_stream(StreamConfig(name="logs", subjects=["logs.>"], storage=StorageType.FILE))
    config = ConsumerConfig(durable_name="source", ack_policy=AckPolicy.EXPLICIT)
    await js.add_consumer("logs", config)
    inbox = nc.new_inbox()
    sub = await nc.subscribe(inbox)
    body = json.dumps({"batch": 5, "expires": 30 * 10**9}).encode()

    async def pull() -> None:
        await nc.publish("$JS.API.CONSUMER.MSG.NEXT.logs.source", body, reply=inbox)

    await pull()
    had, end = 0, asyncio.get_running_loop().time() + 15
    with suppress(Late):
        while (left := end - asyncio.get_running_loop().time()) > 0:
            message = await sub.next_msg(left)  # the next batch is asked for after the last one
            if message.headers and message.headers.get("Status"):
                continue
            await message.respond(b"+ACK")
            count("seen")
            had += 1
            if had == 5:
                had = 0
                await pull()
    info = await js.consumer_info("logs", "source")
    count("pending", info.num_pending or 0)
    await nc.close()


async def replica(number: int) -> Client:
    """One of a service that needs 120 ms for an answer."""
    nc = await conn(f"tax-{number}")

    async def answer(message: Msg) -> None:
        await asyncio.sleep(0.12)
        await message.respond(b"19 %")

    await nc.subscribe("tax.get", queue="tax", cb=answer)
    await nc.flush()
    return nc


async def rollout(*, drains: bool) -> None:
    """Replicas of a service are replaced one after the other while requests come."""
    client, stop = await conn("checkout"), asyncio.Event()

    async def ask() -> None:
        while not stop.is_set():
            count("asked")
            try:
                await client.request("tax.get", b"basket %d" % counted["asked"], timeout=1.5)
            except Exception:  # noqa: BLE001
                count("lost")
            await asyncio.sleep(0.03)

    running = [await replica(0), await replica(1)]
    askers = [asyncio.create_task(ask()) for _ in range(6)]
    for number in range(2, 8):
        await asyncio.sleep(0.9)
        running.append(await replica(number))
        await asyncio.sleep(0.25)
        old = running.pop(0)
        await (old.drain() if drains else old.close())
    await asyncio.sleep(1)
    stop.set()
    await asyncio.gather(*askers)
    for nc in running:
        await nc.drain()
    await client.close()


async def ttl_refused() -> None:
    nc = await conn("lock-service")
    js = nc.jetstream()
    await js.add_stream(StreamConfig(name="locks", subjects=["lock.*"], storage=StorageType.MEMORY))
    inbox = nc.new_inbox()
    sub = await nc.subscribe(inbox)
    for n in range(12):
        body = b"held by panel-%d" % (n % 3)
        subject = f"lock.door-{n % 4}"
        await nc.publish(subject, body, reply=inbox, headers={"Nats-TTL": "30s"})
        await asyncio.sleep(0.25)
    with suppress(Late):
        while True:
            count("refused", b"error" in (await sub.next_msg(0.3)).data)
    await nc.close()


PLAYS: dict[str, Callable[[], Coroutine[object, object, None]]] = {
    "core_input_acks_requests": lambda: watches_all("pipeline-input", acks=True),
    "audit_watches_all": lambda: watches_all("audit", acks=False),
    "revision_of_the_stream": revision_of_the_stream,
    "stock_put_without_revision": lambda: counts_down(revisions=False),
    "stock_updated_by_revision": lambda: counts_down(revisions=True),
    "pulls_stop_after_reconnect": pulls_stop_after_reconnect,
    "stops_without_drain": lambda: rollout(drains=False),
    "stops_with_drain": lambda: rollout(drains=True),
    "ttl_refused": ttl_refused,
}
asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted))
