"""What nats-py is made to do in the fifteenth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
import time
from contextlib import suppress

import nats
from nats.js import api
from nats.js.errors import FetchTimeoutError

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str) -> nats.NATS:
    return await nats.connect(
        "nats://127.0.0.1:4222", name=name, max_reconnect_attempts=-1, reconnect_time_wait=0.3
    )


async def letters() -> None:
    """A printer fetches letters, of which some come each few seconds."""
    office, printer = await conn("office"), await conn("printer")
    js = office.jetstream()
    await js.add_stream(name="LETTERS", subjects=["letters.>"], storage="memory")
    config = api.ConsumerConfig(durable_name="printer", ack_policy="explicit", ack_wait=20)
    await js.add_consumer("LETTERS", config)
    pulling = await printer.jetstream().pull_subscribe_bind("printer", "LETTERS")
    over = time.monotonic() + 16
    next_of = pulling._sub.next_msg  # noqa: SLF001

    async def late(seconds: float) -> nats.aio.msg.Msg:
        """Waits 4 ms longer, as a busy loop does: the server's 408 is there first."""
        return await next_of(seconds + 0.004)

    pulling._sub.next_msg = late  # noqa: SLF001

    async def writes() -> None:
        number = 0
        while time.monotonic() < over:
            await asyncio.sleep(2.9)
            for _ in range(2):
                await js.publish("letters.new", f"letter {number}: dear reader".encode())
                number += 1
                count("written")

    writing = asyncio.create_task(writes())
    while time.monotonic() < over:
        begun = time.monotonic()
        try:
            messages = await pulling.fetch(6, timeout=0.8)
        except (FetchTimeoutError, nats.errors.Error):
            count("timed_out")
            continue
        if time.monotonic() - begun > 0.75:
            count("held_up")
        for m in messages:
            await m.ack()
            count("printed")
    writing.cancel()
    await printer.close()
    await office.drain()


async def resolves(nc: nats.NATS, over: float) -> None:
    """Takes batches of incidents; a few take long, one in eleven is put off once."""
    pulling = await nc.jetstream().pull_subscribe_bind("desk", "INCIDENTS")
    while time.monotonic() < over:
        try:
            messages = await pulling.fetch(5, timeout=3)
        except (FetchTimeoutError, nats.errors.Error):
            continue
        for m in messages:
            number = int(m.data.split()[1])
            if number % 11 == 5 and m.metadata.num_delivered == 1:
                await m.nak(delay=1)
                count("put_off")
                continue
            await asyncio.sleep(0.5 if number % 13 == 0 else 0.03)
            with suppress(nats.errors.Error, TimeoutError):
                await m.ack_sync(timeout=2)
                count("resolved")
    await nc.drain()


async def incidents() -> None:
    """Three desks, an inlet with ids, a status bucket and a panel, over a restart of the server."""
    inlet, panel = await conn("inlet"), await conn("panel")
    js = inlet.jetstream()
    await js.add_stream(name="INCIDENTS", subjects=["incidents.>"], storage="file")
    status = await js.create_key_value(bucket="status", history=5, storage="file")
    config = api.ConsumerConfig(
        durable_name="desk", ack_policy="explicit", ack_wait=8, max_deliver=5, max_ack_pending=60
    )
    await js.add_consumer("INCIDENTS", config)
    over = time.monotonic() + 19
    desks = [asyncio.create_task(resolves(await conn(f"desk-{n}"), over)) for n in range(3)]

    async def shown(message: nats.aio.msg.Msg) -> None:
        del message
        count("shown")

    await panel.subscribe("panel.*", cb=shown)
    for number in range(90):
        for _ in range(12):
            try:
                await js.publish(
                    f"incidents.site{number % 5}",
                    f"incident {number} at pump {number % 7}".encode(),
                    headers={"Nats-Msg-Id": f"incident-{number}"},
                    timeout=1,
                )
                count("reported")
                break
            except (nats.errors.Error, TimeoutError):
                count("reported_again")
                await asyncio.sleep(0.4)
        if number % 6 == 0:
            with suppress(nats.errors.Error, TimeoutError):
                await status.put(f"site{number % 5}", f"incident {number}".encode())
                await inlet.publish("panel.north", b"changed")
        await asyncio.sleep(0.1)
    await asyncio.gather(*desks)
    await panel.drain()
    await inlet.drain()


PLAYS = {"fetch_leaves_a_request": letters, "incidents_day": incidents}
asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted), flush=True)
