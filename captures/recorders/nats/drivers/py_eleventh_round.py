"""What nats-py is made to do in the eleventh round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from contextlib import suppress

import nats
from nats.aio.client import Client
from nats.errors import TimeoutError as TookTooLong
from nats.js.api import ConsumerConfig, KeyValueConfig, StorageType, StreamConfig
from nats.js.errors import KeyNotFoundError, NoKeysError

MEMORY = StorageType.MEMORY
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str) -> Client:
    return await nats.connect("nats://127.0.0.1:4222", name=name)


async def letters(*, old_style: bool) -> None:
    """A sorter asks for the next letter by a request, on the inbox of all or on one of its own."""
    office, sorter = await conn("office"), await conn("sorter")
    js = office.jetstream()
    await js.add_stream(StreamConfig("letters", subjects=["letters.*"], storage=MEMORY))
    await js.add_consumer(
        "letters", ConsumerConfig(durable_name="sorter", ack_wait=2.5, max_deliver=6)
    )

    async def answer(message: object) -> None:
        await message.respond(b"9:00 to 17:00")

    await office.subscribe("hours", cb=answer)

    async def sorts() -> None:
        for _ in range(22):
            try:
                ask = b'{"batch": 1, "expires": 900000000}'
                got = await sorter.request(
                    "$JS.API.CONSUMER.MSG.NEXT.letters.sorter", ask, timeout=1, old_style=old_style
                )
            except TookTooLong:
                count("in_vain")
            else:
                if got.reply:
                    await sorter.publish(got.reply, b"+ACK")
                    count("sorted")
                await asyncio.sleep(0.3)
            await sorter.request("hours", timeout=1)
            count("asked")

    sorting = asyncio.create_task(sorts())
    for number in range(14):
        await js.publish(f"letters.zone{number % 2}", b"letter %d" % number)
        count("published")
        await asyncio.sleep(0.4)
    await sorting
    await sorter.close()
    await office.close()


async def nodes(*, lists: bool) -> None:
    """A panel looks for the state of one node each time: it lists all keys, or asks for one."""
    panel, agents = await conn("panel"), await conn("agents")
    bucket = await agents.jetstream().create_key_value(
        KeyValueConfig("node_state", storage=MEMORY, history=1)
    )
    for number in range(30):
        await bucket.put(f"node.{number}.queue", b"%d" % number)
    own = await panel.jetstream().key_value("node_state")

    async def changes() -> None:
        for number in range(60):
            await bucket.put(f"node.{number * 7 % 30}.queue", b"%d" % number)
            count("put")
            await asyncio.sleep(0.1)

    changing = asyncio.create_task(changes())
    for number in range(25):
        wanted = f"node.{number * 11 % 34}.queue"
        with suppress(KeyNotFoundError, NoKeysError):
            if not lists or wanted in await own.keys():
                await own.get(wanted)
                count("found")
        count("looked_for")
        await asyncio.sleep(0.2)
    await changing
    await panel.close()
    await agents.close()


async def prices(pattern: str) -> None:
    """A screen watches some keys, whose pattern has the quotes of its configuration, or has not."""
    quotes, screen = await conn("quotes"), await conn("screen")
    bucket = await quotes.jetstream().create_key_value(
        KeyValueConfig("prices", storage=MEMORY, history=2)
    )
    for number in range(12):
        await bucket.put(f"{number % 4:03}.eur", b"%d.00" % (40 + number))
        count("put")
    own = await screen.jetstream().key_value("prices")

    async def shows(watched: str, name: str) -> None:
        watch = await own.watch(watched)
        async for entry in watch:
            if entry is not None:
                count(name)

    showing = [
        asyncio.create_task(shows(pattern, "seen")),
        asyncio.create_task(shows("usd.*", "seen_of_the_other")),
    ]
    for number in range(70):
        await bucket.put(f"{number % 4:03}.eur", b"%d.%d" % (40 + number, number))
        await bucket.put(f"usd.{number % 3}", b"1")
        count("put", 2)
        await asyncio.sleep(0.09)
    for each in showing:
        each.cancel()
    await screen.close()
    await quotes.close()


plays = {
    "watch_of_a_quoted_key": lambda: prices('"001.>"'),
    "watch_of_a_key": lambda: prices("001.>"),
    "next_by_a_request": lambda: letters(old_style=False),
    "next_by_an_inbox_of_its_own": lambda: letters(old_style=True),
    "bucket_listed_per_lookup": lambda: nodes(lists=True),
    "key_asked_for_per_lookup": lambda: nodes(lists=False),
}
asyncio.run(plays[sys.argv[1]]())
print(json.dumps(counted), flush=True)
