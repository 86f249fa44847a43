"""What nats-py is made to do in the third round of the blind test; prints what it counted."""

import asyncio
import json
import sys

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import TimeoutError as Late
from nats.js.api import AckPolicy, ConsumerConfig, StorageType, StreamConfig

URL = "nats://127.0.0.1:4222"
CREATE = "$JS.API.CONSUMER.CREATE"
HEARTBEATS = {
    "ack_policy": "explicit",
    "deliver_policy": "all",
    "replay_policy": "instant",
    "idle_heartbeat": 500_000_000,
    "ack_wait": 30 * 10**9,
}
counted: dict[str, int] = {}
Worker = tuple[Client, str, Subscription]


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str, url: str = URL) -> Client:
    return await nats.connect(url, name=name, allow_reconnect=False)


async def ask(nc: Client, subject: str, stream: str, config: dict[str, object]) -> None:
    """A consumer of one's own, asked for as a library would."""
    await nc.request(subject, json.dumps({"stream_name": stream, "config": config}).encode())


async def consumer_per_listing() -> None:
    nc = await conn("panel-nodes")
    kv = await nc.jetstream().create_key_value(
        bucket="nodes", history=1, storage=StorageType.MEMORY
    )
    for n in range(10):
        await kv.put(f"node.{n}", b'{"up": true}')
    for turn in range(18):
        inbox = nc.new_inbox()
        sub = await nc.subscribe(inbox)
        config = {
            "deliver_subject": inbox,
            "deliver_policy": "last_per_subject",
            "ack_policy": "none",
            "headers_only": True,
            "replay_policy": "instant",
            "filter_subject": "$KV.nodes.>",
            "inactive_threshold": 3600 * 10**9,
            "mem_storage": True,
        }
        await ask(nc, f"{CREATE}.KV_nodes", "KV_nodes", config)
        for _ in range(10):
            await sub.next_msg(2)
            count("keys")
        await sub.unsubscribe()
        await kv.put(f"node.{turn % 10}", b'{"up": true, "turn": %d}' % turn)
        await asyncio.sleep(0.12)
    info = await nc.jetstream().stream_info("KV_nodes")
    count("consumers", info.state.consumer_count)
    await nc.close()


async def many_consumers() -> None:
    """Makes what a listing lists, by WebSocket, which is not recorded."""
    nc = await conn("installer", "ws://127.0.0.1:8080")
    js = nc.jetstream()
    await js.add_stream(StreamConfig(name="jobs", subjects=["jobs.>"], storage=StorageType.MEMORY))
    for n in range(300):
        config = ConsumerConfig(
            durable_name=f"job-{n:03d}",
            filter_subject=f"jobs.{n}",
            ack_policy=AckPolicy.EXPLICIT,
            mem_storage=True,
        )
        await js.add_consumer("jobs", config)
    await nc.close()


async def second_page_never_asked() -> None:
    nc = await conn("janitor")
    for _ in range(3):
        answer = json.loads((await nc.request("$JS.API.CONSUMER.LIST.jobs", b"", timeout=5)).data)
        count("consumers", len(answer["consumers"]))
        for each in answer["consumers"][:2]:
            await nc.jetstream().delete_consumer("jobs", each["name"])
        await asyncio.sleep(0.5)
    await nc.close()


async def worker(name: str) -> Worker:
    nc = await conn(name)
    inbox = nc.new_inbox()
    return nc, inbox, await nc.subscribe(inbox)


async def take(own: Worker, number: int) -> list[Msg]:
    nc, inbox, sub = own
    wanted = json.dumps({"batch": number, "expires": 2 * 10**9}).encode()
    await nc.publish("$JS.API.CONSUMER.MSG.NEXT.jobs.workers", wanted, reply=inbox)
    return [await sub.next_msg(3) for _ in range(number)]


async def shop(number: int) -> Client:
    """Jobs, and a consumer of them that acknowledges up to a message."""
    nc = await conn("shop")
    js = nc.jetstream()
    await js.add_stream(
        StreamConfig(name="jobs", subjects=["jobs.new"], storage=StorageType.MEMORY)
    )
    await js.add_consumer(
        "jobs", ConsumerConfig(durable_name="workers", ack_policy=AckPolicy.ALL, ack_wait=3)
    )
    for n in range(number):
        await js.publish("jobs.new", b"resize picture %d" % n)
    return nc


async def settled(nc: Client) -> None:
    info = await nc.jetstream().consumer_info("jobs", "workers")
    count("acknowledged", info.ack_floor.stream_seq)


async def ack_all_of_two_workers() -> None:
    nc = await shop(24)
    second = await worker("worker-b")
    for _ in range(3):
        first = await worker("worker-a")
        await take(first, 4)
        mine = await take(second, 4)
        await asyncio.sleep(0.3)  # this one is done, the first is still at its second picture
        await second[0].publish(mine[-1].reply, b"+ACK")
        await second[0].flush()
        await asyncio.sleep(0.3)
        await first[0].close()  # ended by force; its pictures are acknowledged already
    await settled(nc)
    await asyncio.sleep(3.5)
    try:
        count("again", len(await take(second, 1)))
    except Late:
        count("again", 0)
    await second[0].close()
    await nc.close()


async def ack_all_by_one_worker() -> None:
    nc = await shop(20)
    own = await worker("archive")
    for _ in range(4):
        got = await take(own, 5)
        await asyncio.sleep(0.3)
        await own[0].publish(got[-1].reply, b"+ACK")
        await own[0].flush()
    await settled(nc)
    await own[0].close()
    await nc.close()


async def acknowledged(nc: Client, sub: Subscription, name: str) -> None:
    """Twenty messages, each acknowledged; a heartbeat among them is not."""
    for _ in range(20):
        got = await sub.next_msg(2)
        if got.reply:
            await nc.publish(got.reply, b"+ACK")
            count(name)


async def heartbeat_taken_for_a_gap() -> None:
    nc = await conn("meter")
    js = nc.jetstream()
    await js.add_stream(
        StreamConfig(name="readings", subjects=["readings"], storage=StorageType.MEMORY)
    )
    for n in range(20):
        await js.publish("readings", b"reading %d" % n)
    await nc.close()
    nc = await conn("billing")
    sub = await nc.subscribe("deliver.billing")
    config = HEARTBEATS | {"durable_name": "billing", "deliver_subject": "deliver.billing"}
    await ask(nc, "$JS.API.CONSUMER.DURABLE.CREATE.readings.billing", "readings", config)
    await acknowledged(nc, sub, "acknowledged")
    await asyncio.sleep(0.3)
    await nc.close()
    await asyncio.sleep(0.3)
    nc = await conn("billing")  # a restart: its own count begins at 0
    sub = await nc.subscribe("deliver.billing")
    end = asyncio.get_running_loop().time() + 4
    while asyncio.get_running_loop().time() < end:
        try:
            heartbeat = await sub.next_msg(1)
        except Late:
            continue
        if heartbeat.headers and int(heartbeat.headers.get("Nats-Last-Consumer", 0)) != 0:
            inbox = nc.new_inbox()
            more = await nc.subscribe(inbox)
            await ask(nc, f"{CREATE}.readings", "readings", HEARTBEATS | {"deliver_subject": inbox})
            count("consumers")
            await acknowledged(nc, more, "acknowledged_again")
    await nc.close()


asyncio.run(globals()[sys.argv[1]]())
print(json.dumps(counted))
