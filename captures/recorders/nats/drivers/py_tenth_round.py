"""What nats-py is made to do in the tenth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
import time
from contextlib import suppress

import nats
from nats.aio.client import Client
from nats.errors import Error
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, KeyValueConfig, StorageType, StreamConfig
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError

URL = "nats://127.0.0.1:4222"
MEMORY = StorageType.MEMORY
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str) -> Client:
    return await nats.connect(URL, name=name)


async def feeds(js: JetStreamContext, subjects: list[str], number: int, pause: float) -> None:
    """Publishes messages, each with a number, under the subjects in turn."""
    for each in range(number):
        await js.publish(subjects[each % len(subjects)], b"%d of the day" % each)
        count("published")
        await asyncio.sleep(pause)


async def clock(seconds: float) -> None:
    """Asks a service for the time, beside everything else."""
    service, asks = await conn("clock"), await conn("dashboard")

    async def answer(message: object) -> None:
        await message.respond(b"%d" % time.time())

    await service.subscribe("clock.now", queue="clocks", cb=answer)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(Error):
            await asks.request("clock.now", timeout=1)
            count("asked")
        await asyncio.sleep(0.45)
    await service.close()
    await asks.close()


async def parcels(batch: int) -> None:
    """Two workers take a batch at a time each, and handle its messages one after the other."""
    shop = await conn("shop")
    js = shop.jetstream()
    await js.add_stream(StreamConfig("parcels", subjects=["parcels.>"], storage=MEMORY))
    config = ConsumerConfig(durable_name="packer", ack_wait=2, filter_subject="parcels.>")
    await js.add_consumer("parcels", config)
    await feeds(js, ["parcels.home", "parcels.abroad"], 44, 0.01)
    seen: set[int] = set()

    async def packs(name: str) -> None:
        worker = await conn(name)
        sub = await worker.jetstream().pull_subscribe_bind("packer", "parcels")
        end = time.monotonic() + 9
        while time.monotonic() < end:
            with suppress(TimeoutError):
                for message in await sub.fetch(batch, timeout=0.8):
                    await asyncio.sleep(0.14)
                    sequence = message.metadata.sequence.stream
                    count("packed_again" if sequence in seen else "packed")
                    seen.add(sequence)
                    await message.ack()
        await worker.close()

    async def late() -> None:
        await asyncio.sleep(0.4)
        await packs("packer-b")

    await asyncio.gather(clock(9), packs("packer-a"), late())
    await shop.close()


async def letters(*, refuses: bool) -> None:
    """A handler fails for some messages, and leaves them as they are, or refuses them."""
    shop, worker = await conn("office"), await conn("printer")
    js = shop.jetstream()
    await js.add_stream(StreamConfig("letters", subjects=["letters.*"], storage=MEMORY))
    failed: dict[int, int] = {}

    async def handle(message: object) -> None:
        sequence = message.metadata.sequence.stream
        if message.subject == "letters.damaged":
            count("failed")
            failed[sequence] = failed.get(sequence, 0) + 1
            if refuses:
                await (message.nak(delay=0.4) if failed[sequence] < 3 else message.term())
            return
        await message.ack()
        count("printed")

    await worker.jetstream().subscribe(
        "letters.*", durable="printer", cb=handle, manual_ack=True,
        config=ConsumerConfig(ack_wait=300, max_ack_pending=9, max_deliver=5),
    )  # fmt: skip
    subjects = ["letters.plain", "letters.damaged", "letters.plain"]
    aside = asyncio.create_task(clock(9))
    await feeds(js, subjects, 75, 0.11)
    await aside
    await worker.close()
    await shop.close()


async def bucket(*, updates: bool) -> None:
    """The settings of a bucket change: by an update, or by deleting it and making it again."""
    admin, web = await conn("deploy"), await conn("web")
    js = admin.jetstream()
    kv = await js.create_key_value(KeyValueConfig(bucket="sessions", storage=MEMORY, ttl=600))
    for number in range(30):
        await kv.put(f"user-{number}", b"signed in %d" % number)

    async def reads(seconds: float) -> None:
        own = await web.jetstream().key_value("sessions")
        end = time.monotonic() + seconds
        number = 0
        while time.monotonic() < end:
            try:
                await own.get(f"user-{number * 7 % 30}")
                count("found")
            except Error:
                count("missing")
            number += 1
            await asyncio.sleep(0.11)

    reading = asyncio.create_task(reads(7))
    for ttl in (900, 1200, 1800):
        await asyncio.sleep(1.6)
        if updates:
            info = await js.stream_info("KV_sessions")
            info.config.max_age = ttl
            await js.update_stream(info.config)
        else:
            await js.delete_key_value("sessions")
            await js.create_key_value(KeyValueConfig(bucket="sessions", storage=MEMORY, ttl=ttl))
            kv = await js.key_value("sessions")
        for number in range(0, 30, 6):
            await kv.put(f"user-{number}", b"signed in again %d" % number)
    await reading
    await web.close()
    await admin.close()


async def hits(*, of_each: bool) -> None:
    """Five workers count in a bucket: all in one key, or each in a key of its own."""
    setup = await conn("setup")
    await setup.jetstream().create_key_value(KeyValueConfig(bucket="hits", storage=MEMORY))

    async def worker(place: int) -> None:
        client = await conn(f"edge-{place}")
        kv = await client.jetstream().key_value("hits")
        key = f"page.{place}" if of_each else "page"
        for _ in range(14):
            while True:
                try:
                    entry = await kv.get(key)
                    value, revision = int(entry.value), entry.revision
                except KeyNotFoundError:
                    value, revision = 0, 0
                await asyncio.sleep(0.02)
                try:
                    await kv.update(key, b"%d" % (value + 1), last=revision)
                    count("counted")
                    break
                except KeyWrongLastSequenceError:
                    count("refused")
            await asyncio.sleep(0.01)
        await client.close()

    await asyncio.gather(clock(4), *(worker(place) for place in range(5)))
    await setup.close()


plays = {
    "one_key_of_all": lambda: hits(of_each=False),
    "key_of_each": lambda: hits(of_each=True),
    "batch_above_the_ack_wait": lambda: parcels(40),
    "batch_within_the_ack_wait": lambda: parcels(6),
    "failures_left_open": lambda: letters(refuses=False),
    "failures_refused": lambda: letters(refuses=True),
    "bucket_made_again": lambda: bucket(updates=False),
    "bucket_updated": lambda: bucket(updates=True),
}
asyncio.run(plays[sys.argv[1]]())
print(json.dumps(counted))
