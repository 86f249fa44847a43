"""What nats-py is made to do where it is refused, cut off or finds no stream; prints its counts."""

import asyncio
import json
import sys
from contextlib import suppress

import nats

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def refused(*, user: str | None) -> None:
    """A shop whose program is started without its user, and starts again."""
    for _ in range(2):
        try:
            shop = await nats.connect(
                "nats://127.0.0.1:4222",
                name="shop",
                user=user,
                password="throwaway" if user else None,
                allow_reconnect=False,
            )
        except nats.errors.Error:
            count("refused")
            await asyncio.sleep(1)
            continue
        await shop.publish("orders.new", b"order")
        await shop.close()


async def quiet(ping: int) -> None:
    """A doorbell that rings seldom, on a line that ends what is quiet."""

    async def lost() -> None:
        count("lost")

    bell = await nats.connect(
        "nats://127.0.0.1:4222",
        name="door",
        ping_interval=ping,
        reconnect_time_wait=0.3,
        disconnected_cb=lost,
    )

    async def rings(_message: nats.aio.msg.Msg) -> None:
        count("rung")

    await bell.subscribe("door.bell", cb=rings)
    await bell.publish("door.bell", b"ring")
    await asyncio.sleep(32)
    await bell.close()


async def sought() -> None:
    """A printer asks for the stream of a subject that no stream has."""
    printer = await nats.connect("nats://127.0.0.1:4222", name="printer")
    js = printer.jetstream()
    await js.add_stream(name="ORDERS", subjects=["orders.*"], storage="memory")
    for _ in range(3):
        with suppress(nats.js.errors.NotFoundError):
            await js.subscribe("orders.eu.new", durable="printer")
            count("subscribed")
        await asyncio.sleep(0.5)
    await printer.close()


PLAYS = {
    "no_credentials": lambda: refused(user=None),
    "idle_line_cut": lambda: quiet(120),
    "idle_line_kept": lambda: quiet(4),
    "subject_of_no_stream": sought,
}
asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted))
