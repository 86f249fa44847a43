"""What nats-py is made to do in the eighth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error
from nats.js.api import ConsumerConfig, StorageType, StreamConfig
from nats.js.errors import NoStreamResponseError

HALF_WAY = Path("half-way")
"""The sign for the recorder to restart the server."""
URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str) -> Client:
    async def quiet(error: Exception) -> None:
        del error

    return await nats.connect(
        URL, name=name, reconnect_time_wait=0.4, max_reconnect_attempts=-1, error_cb=quiet
    )


async def mailboxes(*, safe: bool) -> None:
    """Announces mails to users, whose names go into the subject."""
    server, watcher = await conn("mail-server"), await conn("notifier")
    users = ["anna", "bob", "j.miller", "carla", "t.o.brien"]

    async def shows(message: Msg) -> None:
        del message
        count("shown")

    await watcher.subscribe("mail.*.new", cb=shows)
    await watcher.flush()
    for number in range(48):
        user = users[number % 5].replace(".", "_") if safe else users[number % 5]
        await server.publish(f"mail.{user}.new", f"mail {number}".encode())
        count("announced")
        await asyncio.sleep(0.07)
    await server.flush()
    await asyncio.sleep(0.2)
    await watcher.close()
    await server.close()


async def meters(*, makes_again: bool) -> None:
    """Stores readings in memory, over a restart of the server."""
    meter, reader = await conn("meter"), await conn("billing")
    js, own = meter.jetstream(), reader.jetstream()
    config = StreamConfig("readings", subjects=["readings.*"], storage=StorageType.MEMORY)
    wanted = ConsumerConfig(durable_name="billing", ack_wait=3)
    await js.add_stream(config)
    await js.add_consumer("readings", wanted)

    async def bills() -> None:
        sub = await own.pull_subscribe_bind("billing", "readings")
        while True:
            with suppress(Error):
                for message in await sub.fetch(5, timeout=0.8):
                    count("billed")
                    await message.ack()
            await asyncio.sleep(0.1)

    billing = asyncio.create_task(bills())
    for number in range(60):
        if number == 20:
            HALF_WAY.touch()  # noqa: ASYNC240 - takes no time
        try:
            await js.publish("readings.kitchen", f"{number} kWh".encode(), timeout=0.7)
            count("stored")
        except NoStreamResponseError:
            count("refused")
            if makes_again:
                await js.add_stream(config)
                await js.add_consumer("readings", wanted)
        except Error:
            count("failed")
        await asyncio.sleep(0.15)
    billing.cancel()
    await reader.close()
    await meter.close()


plays = {
    "dots_in_the_name": lambda: mailboxes(safe=False),
    "dots_replaced": lambda: mailboxes(safe=True),
    "stream_gone_with_the_server": lambda: meters(makes_again=False),
    "stream_made_after_the_restart": lambda: meters(makes_again=True),
}
asyncio.run(plays[sys.argv[1]]())
print(json.dumps(counted))
