"""What nats-py is made to do in the fourteenth round of the blind test; prints what it counted."""

import asyncio
import json
import sys

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


async def done(of: nats.js.JetStreamContext, m: nats.aio.msg.Msg) -> None:
    """Does a job: puts one in nine off at first, gives one up, and reports long ones."""
    number = int(m.data.split()[1])
    if number == 30:
        await of.publish("spoilt.jobs", m.data, headers={"Why": "no such room"})
        await m.term()
        count("spoilt")
    elif number % 9 == 4 and m.metadata.num_delivered == 1:
        await m.nak(delay=1.5)
        count("put_off")
    else:
        for _ in range(2 if number % 20 == 7 else 0):
            await asyncio.sleep(1)
            await m.in_progress()
        await asyncio.sleep(0.05)
        await m.ack()
        count("done")


async def works(name: str, over: asyncio.Event) -> None:
    """Does jobs until it is over."""
    own = await conn(name)
    of = own.jetstream()
    pulling = await of.pull_subscribe_bind("workers", "JOBS")
    while not over.is_set():
        try:
            messages = await pulling.fetch(4, timeout=2)
        except (FetchTimeoutError, nats.errors.Error):
            continue
        for m in messages:
            await done(of, m)
    await own.drain()


async def gives(office: nats.NATS, number: int) -> None:
    """Publishes a job until it is acknowledged, and asks at the door now and then."""
    for _ in range(10):
        try:
            await office.jetstream().publish(
                f"jobs.floor{number % 3}",
                f"job {number} of the house".encode(),
                headers={"Nats-Msg-Id": f"job-{number}"},
                timeout=1,
            )
            count("given")
            break
        except (nats.errors.Error, TimeoutError):
            count("given_again")
            await asyncio.sleep(0.5)
    if number % 8 == 0:
        try:
            await office.request("door", b"?", timeout=1)
        except nats.errors.Error:
            count("no_answer")


async def jobs() -> None:
    """Two workers take jobs; one in nine fails at first, and one cannot be done at all."""
    office, keeper = await conn("office"), await conn("keeper")
    js = office.jetstream()
    await js.add_stream(name="JOBS", subjects=["jobs.>"], retention="workqueue", storage="file")
    await js.add_stream(name="SPOILT", subjects=["spoilt.>"], storage="file")
    config = api.ConsumerConfig(
        durable_name="workers", ack_policy="explicit", ack_wait=6, max_deliver=4, max_ack_pending=40
    )
    await js.add_consumer("JOBS", config)
    over = asyncio.Event()

    async def asked(message: nats.aio.msg.Msg) -> None:
        await message.respond(b"open")

    await keeper.subscribe("door", cb=asked)
    workers = [asyncio.create_task(works(f"worker-{n}", over)) for n in range(2)]
    for number in range(64):
        await gives(office, number)
        await asyncio.sleep(0.17)
    await asyncio.sleep(2.5)
    over.set()
    await asyncio.gather(*workers)
    await keeper.drain()
    await office.drain()


asyncio.run({"jobs_put_off": jobs}[sys.argv[1]]())
print(json.dumps(counted), flush=True)
