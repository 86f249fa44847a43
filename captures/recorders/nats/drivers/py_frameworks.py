"""What frameworks on top of nats-py are made to do; prints what it counted."""

import asyncio
import json
import sys

from faststream import FastStream
from faststream.nats import JStream, NatsBroker, PullSub
from taskiq.receiver import Receiver
from taskiq_nats import NATSObjectStoreResultBackend, PullBasedJetStreamBroker

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str) -> None:
    counted[name] = counted.get(name, 0) + 1


async def faststream() -> None:
    """A service with a queue group, a handler that publishes, pulls of a stream, requests."""
    broker = NatsBroker(URL, name="shop", logger=None)
    stream = JStream("parcels", subjects=["parcels.*"], max_age=600)

    @broker.subscriber("orders.new", queue="shop")
    @broker.publisher("orders.checked")
    async def checks(text: str) -> str:
        count("checked")
        return f"{text} is right"

    @broker.subscriber("orders.checked", queue="bills")
    async def bills(text: str) -> None:
        count("billed" if "right" in text else "wrong")

    @broker.subscriber("prices.{article}")
    async def prices(text: str) -> int:
        count("priced")
        return len(text)

    @broker.subscriber(
        "parcels.*", stream=stream, durable="packer", pull_sub=PullSub(batch_size=5, timeout=1.0)
    )
    async def packs(text: str) -> None:
        del text
        count("packed")

    app = FastStream(broker, logger=None)
    await app.start()
    for number in range(40):
        await broker.publish(f"order {number}", "orders.new")
        if number % 3 == 0:
            await broker.request(f"article {number}", f"prices.a{number % 4}", timeout=1)
        await broker.publish(f"parcel {number}", "parcels.new", stream="parcels")
        await asyncio.sleep(0.12)
    await asyncio.sleep(1)
    await app.stop()


async def taskiq() -> None:
    """A worker of a task queue with a stream, whose results are in an object store."""
    results = NATSObjectStoreResultBackend(URL)
    broker = PullBasedJetStreamBroker(URL, queue="jobs", pull_consume_timeout=1)
    broker = broker.with_result_backend(results)

    @broker.task(task_name="resize")
    async def resize(width: int) -> int:
        await asyncio.sleep(0.02)
        count("resized")
        return width // 2

    broker.is_worker_process = True
    await broker.startup()
    stop = asyncio.Event()
    worker = asyncio.create_task(
        Receiver(broker, run_startup=False, max_async_tasks=4).listen(stop)
    )
    await asyncio.sleep(0.5)
    for number in range(24):
        task = await resize.kiq(number * 10)
        await task.wait_result(timeout=4, check_interval=0.15)
        count("results")
        await asyncio.sleep(0.05)
    stop.set()
    await asyncio.wait({worker}, timeout=3)
    await broker.shutdown()


asyncio.run({"faststream": faststream, "taskiq": taskiq}[sys.argv[1]]())
print(json.dumps(counted), flush=True)
