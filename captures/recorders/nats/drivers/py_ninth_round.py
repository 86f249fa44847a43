"""What nats-py is made to do in the ninth round of the blind test; prints what it counted."""

import asyncio
import json
import re
import sys
import time
from contextlib import suppress

import nats
from nats.aio.client import Client
from nats.errors import Error
from nats.js import JetStreamContext
from nats.js.api import (
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    KeyValueConfig,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamSource,
)
from nats.js.errors import APIError, KeyWrongLastSequenceError

URL = "nats://127.0.0.1:4222"
MEMORY = StorageType.MEMORY
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str) -> Client:
    return await nats.connect(URL, name=name)


async def feeds(js: JetStreamContext, subject: str, number: int, pause: float) -> None:
    """Publishes messages, each with a number."""
    for each in range(number):
        await js.publish(subject, f"{subject} {each}".encode())
        count("published")
        await asyncio.sleep(pause)


async def pulls(js: JetStreamContext, stream: str, durable: str, seconds: float, what: str) -> None:
    """Pulls and acknowledges for some time."""
    sub = await js.pull_subscribe_bind(durable, stream)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(TimeoutError):
            for message in await sub.fetch(5, timeout=0.6):
                count(what)
                await message.ack()


async def election(*, reads: bool) -> None:
    """Two nodes keep a key that says who leads; one takes it by the number of the error."""
    setup = await conn("setup")
    await setup.jetstream().create_key_value(
        KeyValueConfig(bucket="election", storage=MEMORY, history=5)
    )

    async def node(name: str, first: float) -> None:
        client = await conn(name)
        bucket = await client.jetstream().key_value("election")
        own, end = 0, time.monotonic() + 10
        await asyncio.sleep(first)
        while time.monotonic() < end:
            try:
                own = await bucket.update("leader", name.encode(), last=own)
                count(f"led_by_{name[-1]}")
            except KeyWrongLastSequenceError as error:
                count("refused")
                if reads:
                    own = 0
                    with suppress(Error):
                        await bucket.get("leader")
                else:
                    number = re.search(r"(\d+)$", str(error.description))
                    own = await bucket.update(
                        "leader", name.encode(), last=int(number[1] if number else 0)
                    )
                    count(f"taken_by_{name[-1]}")
            await asyncio.sleep(0.6)
        await client.close()

    await asyncio.gather(node("node-a", 0), node("node-b", 0.3))
    await setup.close()


async def one_job_of_each(*, per_subject: bool) -> None:
    """One open job for each customer: the second one is to be refused."""
    client = await conn("scheduler")
    js = client.jetstream()
    await js.add_stream(
        StreamConfig(
            "jobs", subjects=["jobs.*"], storage=MEMORY, retention=RetentionPolicy.WORK_QUEUE,
            max_msgs_per_subject=1, discard=DiscardPolicy.NEW, discard_new_per_subject=per_subject,
        )
    )  # fmt: skip
    await js.add_consumer("jobs", ConsumerConfig(durable_name="runner", ack_wait=5))
    runner = asyncio.create_task(pulls(js, "jobs", "runner", 0.1, "run"))
    await runner
    for number in range(48):
        try:
            await js.publish(f"jobs.customer{number % 5}", f"import of batch {number}".encode())
            count("accepted")
        except APIError:
            count("refused")
        if number % 16 == 15:
            await pulls(js, "jobs", "runner", 0.7, "run")
        await asyncio.sleep(0.1)
    await client.close()


async def orders(*, consumer_first: bool) -> None:
    """Publishes into a stream that keeps what its consumers want, before or after there is one."""
    shop, warehouse = await conn("shop"), await conn("warehouse")
    js, own = shop.jetstream(), warehouse.jetstream()
    await js.add_stream(
        StreamConfig(
            "orders", subjects=["orders.*"], storage=MEMORY, retention=RetentionPolicy.INTEREST
        )
    )
    config = ConsumerConfig(durable_name="warehouse", deliver_policy=DeliverPolicy.ALL)
    if consumer_first:
        await own.add_consumer("orders", config)
    await feeds(js, "orders.placed", 22, 0.11)
    if not consumer_first:
        await own.add_consumer("orders", config)
    later = asyncio.create_task(feeds(js, "orders.placed", 14, 0.2))
    await pulls(own, "orders", "warehouse", 4, "packed")
    await later
    await warehouse.close()
    await shop.close()


async def resumes(*, looks: bool) -> None:
    """Goes on after the last sequence that it has handled, in a stream that was made again."""
    admin = await conn("admin")
    js = admin.jetstream()
    config = StreamConfig("audit", subjects=["audit.*"], storage=MEMORY)
    await js.add_stream(config)
    handled = 0

    async def projection(seconds: float) -> int:
        client = await conn("projection")
        own, last = client.jetstream(), handled
        if looks and (await own.stream_info("audit")).state.last_seq < last:
            last = 0
        await own.add_consumer(
            "audit",
            ConsumerConfig(
                name=f"projection-{last}", deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                opt_start_seq=last + 1, inactive_threshold=30,
            ),
        )  # fmt: skip
        sub = await own.pull_subscribe_bind(f"projection-{last}", "audit")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(TimeoutError):
                for message in await sub.fetch(10, timeout=0.7):
                    last = message.metadata.sequence.stream
                    count("projected")
                    await message.ack()
        await client.close()
        return last

    feeding = asyncio.create_task(feeds(js, "audit.login", 60, 0.045))
    handled = await projection(3.5)
    await feeding
    await js.delete_stream("audit")
    await js.add_stream(config)
    feeding = asyncio.create_task(feeds(js, "audit.login", 34, 0.16))
    await asyncio.sleep(0.4)
    handled = await projection(6)
    await feeding
    await admin.close()


async def copied(*, retention: RetentionPolicy) -> None:
    """A second stream has the first one as its source, for an audit."""
    admin = await conn("admin")
    js = admin.jetstream()
    await js.add_stream(
        StreamConfig("jobs", subjects=["jobs.*"], storage=MEMORY, retention=retention)
    )
    await js.add_consumer("jobs", ConsumerConfig(durable_name="worker", ack_wait=5))
    feeding = asyncio.create_task(feeds(js, "jobs.resize", 70, 0.1))
    worker = await conn("worker")
    working = asyncio.create_task(pulls(worker.jetstream(), "jobs", "worker", 8, "worked_on"))
    await asyncio.sleep(2.5)
    try:
        await js.add_stream(
            StreamConfig("audit", sources=[StreamSource(name="jobs")], storage=MEMORY)
        )
    except APIError:
        count("refused")
    await working
    await feeding
    for name in ("jobs", "audit"):
        counted[f"in_{name}"] = (await js.stream_info(name)).state.messages
    await worker.close()
    await admin.close()


async def source_made_again(*, purges: bool) -> None:
    """A source is emptied for a test: deleted and made again, or purged."""
    admin = await conn("admin")
    js = admin.jetstream()
    site = StreamConfig("site7", subjects=["site7.*"], storage=MEMORY)
    await js.add_stream(site)
    await js.add_stream(
        StreamConfig("all-sites", sources=[StreamSource(name="site7")], storage=MEMORY)
    )
    await feeds(js, "site7.temperature", 45, 0.05)
    await asyncio.sleep(0.6)
    counted["before"] = (await js.stream_info("all-sites")).state.messages
    if purges:
        await js.purge_stream("site7")
    else:
        await js.delete_stream("site7")
        await asyncio.sleep(0.5)
        await js.add_stream(site)
    for _ in range(6):
        await feeds(js, "site7.temperature", 5, 0.12)
        await asyncio.sleep(1.3)
        counted["after"] = (await js.stream_info("all-sites")).state.messages
    counted["in_site"] = (await js.stream_info("site7")).state.messages
    await admin.close()


plays = {
    "lead_taken_by_the_error": lambda: election(reads=False),
    "lead_waited_for": lambda: election(reads=True),
    "limit_of_a_subject_replaces": lambda: one_job_of_each(per_subject=False),
    "limit_of_a_subject_refuses": lambda: one_job_of_each(per_subject=True),
    "published_to_no_interest": lambda: orders(consumer_first=False),
    "published_to_a_consumer": lambda: orders(consumer_first=True),
    "start_in_the_old_stream": lambda: resumes(looks=False),
    "start_in_the_new_stream": lambda: resumes(looks=True),
    "work_queue_as_source": lambda: copied(retention=RetentionPolicy.WORK_QUEUE),
    "kept_stream_as_source": lambda: copied(retention=RetentionPolicy.LIMITS),
    "source_made_again": lambda: source_made_again(purges=False),
    "source_purged": lambda: source_made_again(purges=True),
}
asyncio.run(plays[sys.argv[1]]())
print(json.dumps(counted))
