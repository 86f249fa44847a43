"""What nats-py is made to do for faults of servers, consumers and permissions; prints its counts."""

import asyncio
import json
import sys
import time
from contextlib import suppress

import nats
from nats.js.api import AckPolicy, ConsumerConfig

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def orders(replicas: int = 1, url: str = URL, **settings: object) -> nats.NATS:
    """A shop with a stream of orders and a consumer."""
    shop = await nats.connect(url, name="shop")
    js = shop.jetstream(timeout=15)
    await js.add_stream(
        name="ORDERS", subjects=["orders.*"], storage="memory", num_replicas=replicas
    )
    config = {"durable_name": "work", "ack_policy": AckPolicy.EXPLICIT, **settings}
    await js.add_consumer("ORDERS", ConsumerConfig(**config))
    return shop


async def watched() -> nats.NATS:
    """An operator who listens to the advisories."""
    operator = await nats.connect(URL, name="operator")

    async def advised(message: nats.aio.msg.Msg) -> None:
        count(message.subject.split(".")[4].lower())

    await operator.subscribe("$JS.EVENT.ADVISORY.>", cb=advised)
    await operator.flush()
    return operator


async def fails_three_times(*, acked: bool) -> None:
    """A message that is not acknowledged within three deliveries."""
    operator = await watched()
    shop = await orders(max_deliver=3, ack_wait=0.5)
    await shop.jetstream().publish("orders.new", b"an order")
    pull = await shop.jetstream().pull_subscribe_bind("work", "ORDERS")
    for n in range(4):
        with suppress(nats.errors.TimeoutError):
            message = (await pull.fetch(1, timeout=1))[0]
            count("delivered")
            if acked and n == 2:
                await message.ack()
    await shop.close()
    await operator.close()


async def deleted(*, acked: bool) -> None:
    """A message that is deleted before its ack, or after it."""
    operator = await watched()
    shop = await orders()
    await shop.jetstream().publish("orders.new", b"an order")
    pull = await shop.jetstream().pull_subscribe_bind("work", "ORDERS")
    message = (await pull.fetch(1, timeout=1))[0]
    if acked:
        await message.ack_sync()
    await shop.jetstream().delete_msg("ORDERS", 1)
    await asyncio.sleep(1)
    await shop.close()
    await operator.close()


async def steps_down(times: int, pause: float) -> None:
    """An operator makes the leader of a stream step down again and again."""
    operator = await watched()
    shop = await orders(3)
    for _ in range(times):
        await operator.request("$JS.API.STREAM.LEADER.STEPDOWN.ORDERS", b"", timeout=5)
        await asyncio.sleep(pause)
    await shop.close()
    await operator.close()


async def pulls_over_move(*, again: bool) -> None:
    """A worker that sends one pull request, while the leader of its consumer changes."""
    shop = await orders(3)
    worker = await nats.connect(URL, name="worker")
    over = asyncio.Event()

    async def pulled(message: nats.aio.msg.Msg) -> None:
        if message.reply:
            count("worked")
            await message.ack()
        elif "Change" in str(message.headers):
            over.set()

    await worker.subscribe("worker.in", cb=pulled)

    async def pulls() -> None:
        request = {"batch": 100, "expires": 60 * 10**9, "idle_heartbeat": 5 * 10**9}
        await worker.publish(
            "$JS.API.CONSUMER.MSG.NEXT.ORDERS.work", json.dumps(request).encode(), "worker.in"
        )

    await pulls()
    await shop.jetstream().publish("orders.new", b"an order")
    await asyncio.sleep(2)
    await shop.request("$JS.API.CONSUMER.LEADER.STEPDOWN.ORDERS.work", b"", timeout=5)
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(over.wait(), 5)
        count("told")
    if again:
        await pulls()
    for _ in range(12):
        await shop.jetstream(timeout=15).publish("orders.new", b"an order")
        await asyncio.sleep(1)
    await worker.close()
    await shop.close()


async def listens(seconds: float) -> None:
    """An operator listens."""
    operator = await watched()
    shop = await orders(3)
    print("ready", file=sys.stderr, flush=True)
    await asyncio.sleep(seconds)
    await shop.close()
    await operator.close()


async def asks(prefix: str) -> None:
    """A user that may not subscribe to every inbox."""
    app = await nats.connect(
        URL,
        name="app",
        user="app",
        password="throwaway",
        inbox_prefix=prefix.encode(),
    )

    async def answers(message: nats.aio.msg.Msg) -> None:
        await message.respond(b"pong")

    await app.subscribe("service", cb=answers)
    for _ in range(2):
        try:
            await app.request("service", b"ping", timeout=0.5)
            count("answered")
        except nats.errors.TimeoutError:
            count("timeouts")
    await app.close()


async def looks_at_stream(*, lost: bool) -> None:
    """An operator looks at a consumer and its stream."""
    operator = await nats.connect(URL, name="operator")
    js = operator.jetstream()
    for _ in range(2):
        with suppress(nats.js.errors.NotFoundError):
            await js.consumer_info("ORDERS", "work")
            await js.stream_info("ORDERS")
            count("seen")
        await asyncio.sleep(0.5)
    await operator.close()


async def publishes(number: int, pause: float) -> None:
    shop = await nats.connect(URL, name="shop")
    js = shop.jetstream(timeout=10)
    with suppress(nats.js.errors.Error):
        await js.add_stream(name="ORDERS", subjects=["orders.*"], storage="file")
        await js.add_consumer("ORDERS", ConsumerConfig(durable_name="work"))
    print("ready", file=sys.stderr, flush=True)
    for _ in range(number):
        await js.publish("orders.new", b"an order", headers={"Nats-Msg-Id": str(time.time_ns())})
        await asyncio.sleep(pause)
    await shop.close()


async def works(number: int) -> None:
    shop = await orders()
    js = shop.jetstream()
    for _ in range(number):
        await js.publish("orders.new", b"an order")
    pull = await js.pull_subscribe_bind("work", "ORDERS")
    for message in await pull.fetch(number, timeout=1):
        await message.ack_sync()
    await shop.close()


async def works_file(number: int) -> None:
    shop = await nats.connect(URL, name="shop")
    pull = await shop.jetstream().pull_subscribe_bind("work", "ORDERS")
    for message in await pull.fetch(number, timeout=1):
        await message.ack_sync()
    await shop.close()


async def similar_header(name: str) -> None:
    """Messages with a header like the id of a message."""
    shop = await orders()
    for _ in range(2):
        ack = await shop.jetstream().publish("orders.new", b"an order", headers={name: "7"})
        count("dropped" if ack.duplicate else "stored")
    await shop.close()


async def opens(**options: object) -> None:
    try:
        app = await nats.connect(
            allow_reconnect=False, max_reconnect_attempts=0, connect_timeout=3, **options
        )
        await app.publish("orders.new", b"an order")
        await app.close()
        count("let_in")
    except Exception as error:
        print(repr(error), file=sys.stderr)
        count("refused")


PLAYS = {
    "fails_three_times": lambda: fails_three_times(acked=False),
    "acked_at_last": lambda: fails_three_times(acked=True),
    "deleted": lambda: deleted(acked=False),
    "deleted_after": lambda: deleted(acked=True),
    "steps_down": lambda: steps_down(5, 3),
    "steps_down_twice": lambda: steps_down(2, 3),
    "does_not_pull": lambda: pulls_over_move(again=False),
    "pulls_again": lambda: pulls_over_move(again=True),
    "listens": lambda: listens(40),
    "inbox_refused": lambda: asks("_INBOX"),
    "inbox_permitted": lambda: asks("_INBOX_app"),
    "publishes": lambda: publishes(6, 0.7),
    "works_file": lambda: works_file(6),
    "works": lambda: works(10),
    "looks": lambda: looks_at_stream(lost=True),
    "similar_header": lambda: similar_header("X-Nats-Msg-Id"),
    "similar_header_after": lambda: similar_header("Nats-Msg-Idx"),
    "opens": lambda: opens(servers="nats://127.0.0.1:4222"),
    "opens_tls": lambda: opens(servers="tls://127.0.0.1:4222"),
    "opens_tls_first": lambda: opens(servers="tls://127.0.0.1:4222", tls_handshake_first=True),
    "opens_wss": lambda: opens(servers="wss://127.0.0.1:4222"),
    "opens_public": lambda: opens(servers="nats://203.0.113.10:4222"),
    "opens_verbose": lambda: opens(servers="nats://127.0.0.1:4222", verbose=True),
}
asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted))
