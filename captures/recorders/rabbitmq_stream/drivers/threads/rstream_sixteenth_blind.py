"""Plays the sixteenth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import contextlib
import json
import logging
import sys

from rstream import (
    AMQPMessage,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetNotFound,
    OffsetSpecification,
    OffsetType,
    Producer,
    RouteType,
    SuperStreamConsumer,
    SuperStreamProducer,
    amqp_decoder,
    schema,
)
from rstream.client import Client
from rstream.superstream import SuperStreamCreationOption

logging.disable(logging.CRITICAL)
WHO = {"username": "guest", "password": "guest"}
counted = {"published": 0}


async def fill(stream: str, count: int, size: int = 6) -> None:
    """Publishes chunks of some messages."""
    async with Producer("broker", **WHO, connection_name="writer") as producer:
        await producer.create_stream(stream, exists_ok=True)
        for begin in range(0, count, size):
            batch = [AMQPMessage(body=b"reading %d" % n) for n in range(begin, begin + size)]
            await producer.send_batch(stream, batch)
            counted["published"] += size
            await asyncio.sleep(0.1)


async def low(stream: str, more: str) -> None:
    """Reads by the library's client of frames; more credit is given for each chunk, or never."""
    await fill(stream, 90)
    client = Client(
        "broker", 5552, frame_max=1 << 20, heartbeat=5, connection_name="readings"
    )  # fmt: skip
    await client.start()
    await client.authenticate("/", **WHO)
    chunks = asyncio.Queue()
    client.add_handler(schema.Deliver, chunks.put_nowait, name="7")
    await client.run_queue_listener_task(7, chunks.put_nowait)
    await client.subscribe(stream, 7, initial_credit=1)

    async def take() -> None:
        while True:
            await chunks.get()
            counted["chunks"] = counted.get("chunks", 0) + 1
            if more == "each":
                await client.credit(7, 1)

    task = asyncio.create_task(take())
    await asyncio.sleep(6)
    async with Producer("broker", **WHO, connection_name="writer") as producer:
        for n in range(8):
            await producer.send_wait(stream, AMQPMessage(body=b"late reading %d" % n))
            counted["published"] += 1
            await asyncio.sleep(1)
    await asyncio.sleep(3)
    task.cancel()
    await client.unsubscribe(7)
    await client.close()


async def worker(stream: str, how: str) -> None:
    """A worker that asks for its offset first; without one it ends, or begins at the start."""
    consumer = Consumer("broker", **WHO, connection_name="worker")
    await consumer.start()
    try:
        begin = await consumer.query_offset(stream, "worker") + 1
        place = ConsumerOffsetSpecification(OffsetType.OFFSET, begin)
    except OffsetNotFound:
        if how == "ends":
            raise
        place = ConsumerOffsetSpecification(OffsetType.FIRST)

    async def take(_message: AMQPMessage, context: object) -> None:
        counted["consumed"] = counted.get("consumed", 0) + 1
        if context.offset % 10 == 9:
            await context.consumer.store_offset(stream, "worker", context.offset)

    await consumer.subscribe(
        stream, take, decoder=amqp_decoder, subscriber_name="worker", offset_specification=place
    )
    await asyncio.sleep(4)
    await consumer.close()


async def starts(stream: str, how: str) -> None:
    """Four starts of a worker in processes of their own, while orders are published."""
    await fill(stream, 30)
    ends = 0
    for _ in range(4):
        run = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "worker", stream, how,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        out, _ = await run.communicate()
        for line in out.splitlines():
            counted["consumed"] = counted.get("consumed", 0) + json.loads(line).get("consumed", 0)
        ends += run.returncode != 0
        await asyncio.sleep(1)
        await fill(stream, 12)
    counted["ends"] = ends


async def probe(stream: str) -> None:
    """Publishes levels, and gives up when the broker has been silent for twelve seconds."""
    producer = Producer("broker", **WHO, connection_name="probe")
    await producer.start()
    await producer.create_stream(stream, exists_ok=True)
    for n in range(60):
        await producer.send(stream, AMQPMessage(body=b"level %d" % n))
        counted["published"] += 1
        if n == 8:
            print("hang", flush=True)
        await asyncio.sleep(0.25)


def ask(what: str) -> None:
    """Lets the recorder do something."""
    print(what, flush=True)
    sys.stdin.readline()


async def gives_up(stream: str) -> None:
    """The probe in a process of its own, which ends; then others work."""
    run = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "probe", stream,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert run.stdout
    while (line := (await run.stdout.readline()).strip()) and not line.startswith(b"{"):
        ask(line.decode())
    counted["published"] += json.loads(line)["published"]
    await run.wait()
    await asyncio.sleep(7)
    ask("others")


async def partitions(stream: str, how: str) -> None:
    """Two runs of a consumer of a super stream, which stores the offset of each message's stream.

    The stream is the one that the library names for the subscriber, or that of the subscription.
    """
    option = SuperStreamCreationOption(n_partitions=3)

    async def route(message: AMQPMessage) -> str:
        return str(message.application_properties["id"])

    async def publish(begin: int, end: int) -> None:
        async with SuperStreamProducer(
            "broker", **WHO, routing_extractor=route, routing=RouteType.Hash, super_stream=stream,
            super_stream_creation_option=option,
        ) as producer:  # fmt: skip
            for n in range(begin, end):
                await producer.send(
                    AMQPMessage(body=b"invoice %d" % n, application_properties={"id": str(n)})
                )
                counted["published"] += 1
                await asyncio.sleep(0.02)
            await asyncio.sleep(1)

    async def run(name: str) -> None:
        consumer = SuperStreamConsumer(
            "broker", **WHO, super_stream=stream, connection_name="billing"
        )
        await consumer.start()

        async def take(_message: AMQPMessage, context: object) -> None:
            counted["handled"] = counted.get("handled", 0) + 1
            mine = context.consumer
            if how == "named":
                place = await mine.stream(context.subscriber_name)
            else:
                place = context.stream
            stored[place] = stored.get(place, 0) + 1
            if stored[place] % 7 == 0:
                await mine.store_offset(place, name, context.offset)

        async def resumes(_is_active: object, event: object) -> object:
            place = await event.consumer.stream(event.subscriber_name)
            try:
                async with Consumer("broker", **WHO, connection_name="offsets") as other:
                    last = await other.query_offset(place, name)
                return OffsetSpecification(OffsetType.OFFSET, last + 1)
            except Exception:  # noqa: BLE001
                return OffsetSpecification(OffsetType.FIRST, 0)

        await consumer.subscribe(
            take, decoder=amqp_decoder, subscriber_name=name,
            offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST),
            properties={"single-active-consumer": "true", "name": name},
            consumer_update_listener=resumes,
        )  # fmt: skip
        await asyncio.sleep(4)
        await consumer.close()

    stored: dict[str, int] = {}
    await publish(0, 90)
    await run("billing")
    await publish(90, 150)
    await run("billing")


async def group(stream: str) -> None:
    """A consumer of a super stream that is a plain stream, started three times."""
    await fill(stream, 30)
    counted["refused"] = 0
    for _ in range(3):
        consumer = SuperStreamConsumer(
            "broker", **WHO, super_stream=stream, connection_name="cooks"
        )
        await consumer.start()
        try:
            await asyncio.wait_for(consumer.subscribe(lambda *_: None, decoder=amqp_decoder), 5)
        except Exception:  # noqa: BLE001
            counted["refused"] += 1
        await asyncio.sleep(2)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(consumer.close(), 3)


PLAYS = {
    "low": low, "starts": starts, "worker": worker, "partitions": partitions, "group": group,
    "probe": probe, "gives_up": gives_up,
}  # fmt: skip
asyncio.run(PLAYS[sys.argv[1]](*sys.argv[2:]))
print(json.dumps(counted), flush=True)
