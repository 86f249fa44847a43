"""What nats-py is made to do in the seventh round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from contextlib import suppress

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, KeyValueConfig, ObjectStoreConfig, StorageType, StreamConfig

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str, wait: float = 0.4, url: str = URL) -> Client:
    async def quiet(error: Exception) -> None:
        del error

    return await nats.connect(
        url, name=name, reconnect_time_wait=wait, max_reconnect_attempts=-1, error_cb=quiet
    )


async def feeds(js: JetStreamContext, subject: str, what: str, number: int, pause: float) -> None:
    """Publishes so many messages; what fails while the server is away is published again."""
    for each in range(number):
        for _ in range(40):
            with suppress(Error):
                await js.publish(subject, f"{what} {each}".encode(), timeout=0.6)
                count("published")
                break
            await asyncio.sleep(0.3)
        await asyncio.sleep(pause)


async def survives(durable: str | None) -> None:
    """Reads by a push consumer over a restart of the server, and comes back after 7 s."""
    desk, reader = await conn("news-desk"), await conn("ticker", 7)
    js = desk.jetstream()
    await js.add_stream(StreamConfig("news", subjects=["news.*"]))

    async def shows(message: Msg) -> None:
        del message
        count("shown")

    await reader.jetstream().subscribe("news.*", durable=durable, cb=shows)
    await feeds(js, "news.sports", "news", 75, 0.18)
    await asyncio.sleep(0.5)
    await reader.close()
    await desk.close()


async def revisions(*, by_history: bool) -> None:
    """Looks up what a price was when an order was made, while prices change."""
    shop, audit = await conn("shop"), await conn("audit")
    config = KeyValueConfig("prices", history=24, storage=StorageType.MEMORY)
    kv = await shop.jetstream().create_key_value(config)
    own = await audit.jetstream().key_value("prices")
    known: list[tuple[str, int]] = []
    for number in range(150):
        key = f"article-{number * 5 % 7}"
        known.append((key, await kv.put(key, f"{100 + number} cents".encode())))
        await asyncio.sleep(0.03)
        if number % 8 == 7:
            key, revision = known[-5]
            if by_history:
                found = [each for each in await own.history(key) if each.revision == revision]
                count("found", len(found))
            else:
                count("found", int(bool((await own.get(key, revision)).value)))
    await audit.close()
    await shop.close()


async def objects(*, same_names: bool) -> None:
    """Stores the picture of each scan, and deletes it when it is printed."""
    scanner, printer = await conn("scanner"), await conn("printer")
    config = ObjectStoreConfig(bucket="scans", max_bytes=11000, storage=StorageType.MEMORY)
    store = await scanner.jetstream().create_object_store("scans", config)
    own = await printer.jetstream().object_store("scans")
    for number in range(55):
        name = f"tray-{number % 3}" if same_names else f"scan-{1000 + number}"
        try:
            await store.put(name, f"line of picture {number}\n".encode() * 40)
        except Error:
            count("refused")
        else:
            await own.get(name)
            count("printed")
            with suppress(Error):
                await own.delete(name)
        await asyncio.sleep(0.06)
    await printer.close()
    await scanner.close()


async def pulls(*, acks: bool) -> None:
    """Pulls batches of five."""
    shop, packer = await conn("shop"), await conn("packer")
    js = shop.jetstream()
    config = StreamConfig("parcels", subjects=["parcels.*"], storage=StorageType.MEMORY)
    await js.add_stream(config)
    feeding = asyncio.create_task(feeds(js, "parcels.new", "parcel", 14, 0.35))
    own = await packer.jetstream().pull_subscribe(
        "parcels.*", "packer", config=ConsumerConfig(ack_wait=1.2)
    )
    for _ in range(15):
        with suppress(Error):
            for message in await own.fetch(5, timeout=0.6):
                count("packed")
                await asyncio.sleep(0.02)
                if acks:
                    await message.ack()
        await asyncio.sleep(0.1)
    await feeding
    await packer.close()
    await shop.close()


async def denied(*, insists: bool) -> None:
    """Asks for what its user may not ask, beside what it may."""
    url = "nats://app:throwaway@127.0.0.1:4222"
    server, client = await conn("quotes", url=url), await conn("portal", url=url)

    async def answers(message: Msg) -> None:
        await message.respond(b"17")

    await server.subscribe("allowed.quote", cb=answers)
    await server.flush()
    for number in range(10):
        subject = "billing.total" if insists or number == 1 else "allowed.quote"
        try:
            await client.request(subject, f"customer {number}".encode(), timeout=0.7)
            count("answered")
        except Error:
            count("failed")
        await client.request("allowed.quote", b"again", timeout=1)
        await asyncio.sleep(0.15)
    await client.close()
    await server.close()


async def requests(*, old: bool) -> None:
    """Asks sixty times; each time with an inbox of its own, where `old` is so."""
    server, client = await conn("geocoder"), await conn("map")

    async def answers(message: Msg) -> None:
        await message.respond(b"52.5,13.4 " + message.data)

    await server.subscribe("geo.find", "geo", cb=answers)
    await server.flush()
    for number in range(60):
        text = f"street {number * 7 % 60}".encode()
        await client.request("geo.find", text, timeout=1, old_style=old)
        count("answered")
        if number % 9 == 0:
            await client.publish("map.seen", text)
        await asyncio.sleep(0.05)
    await client.close()
    await server.close()


plays = {
    "ephemeral_gone_at_reconnect": lambda: survives(None),
    "durable_there_at_reconnect": lambda: survives("ticker"),
    "history_for_one_revision": lambda: revisions(by_history=True),
    "revision_asked_for": lambda: revisions(by_history=False),
    "delete_markers_pile_up": lambda: objects(same_names=False),
    "object_names_used_again": lambda: objects(same_names=True),
    "pulls_without_ack": lambda: pulls(acks=False),
    "pulls_with_ack": lambda: pulls(acks=True),
    "denied_request_repeated": lambda: denied(insists=True),
    "denied_request_once": lambda: denied(insists=False),
    "inbox_per_request": lambda: requests(old=True),
    "one_inbox_for_requests": lambda: requests(old=False),
}
asyncio.run(plays[sys.argv[1]]())
print(json.dumps(counted))
