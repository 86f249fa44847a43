"""What nats-py is made to do; prints what it counted as one line of JSON."""

import asyncio
import json
import ssl
import sys
from pathlib import Path

import nats
from nats.js.api import ConsumerConfig, StreamConfig

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def connected(url: str | list[str] = "nats://127.0.0.1:4222", **options: object) -> nats.NATS:
    async def failed(_: Exception) -> None:
        count("errors")

    options = {"allow_reconnect": False, "error_cb": failed, "connect_timeout": 3, **options}
    return await nats.connect(url, **options)


async def interactions(nc: nats.NATS) -> None:
    async def seen(msg: object) -> None:
        count("delivered")
        if msg.reply:
            await msg.respond(b"answer to " + msg.data)

    await nc.subscribe("orders.*", cb=seen)
    await nc.subscribe("orders.>", "workers", cb=seen)
    await nc.subscribe("jobs", "workers", cb=seen)
    await nc.subscribe("jobs", "workers", cb=seen)
    await nc.flush()
    for number in range(5):
        await nc.publish("orders.new", f"order {number}\r\nPING\r\n".encode())
        count("published")
    await nc.publish("orders.json", b'{"id":1,"lines":[1,2]}')
    await nc.publish("orders.empty", b"")
    await nc.publish("orders.binary", bytes(range(256)))
    await nc.publish("orders.headed", b"with headers", headers={"Trace": "1", "Text": "\u00e4"})
    await nc.publish("orders.headed", b"", headers={"Only": "headers"})
    await nc.publish("jobs", b"one job")
    await nc.publish("nobody.listens", b"lost")
    count("published", 7)
    await nc.flush()
    for number in range(3):
        answer = await nc.request("orders.ask", f"question {number}".encode(), timeout=2)
        assert answer.data
        count("answers")
    answer = await nc.request("orders.ask", b"?", timeout=2, headers={"Asks": "yes"})
    count("answers")
    try:
        await nc.request("nobody.answers", b"?", timeout=1)
    except nats.errors.NoRespondersError:
        count("no_responders")
    limited = await nc.subscribe("limited")
    await limited.unsubscribe(limit=2)
    for number in range(4):
        await nc.publish("limited", f"limited {number}".encode())
    await nc.flush()
    for _ in range(2):
        await limited.next_msg(timeout=1)
        count("limited")
    gone = await nc.subscribe("gone")
    await nc.publish("gone", b"before")
    await nc.flush()
    await gone.unsubscribe()
    await nc.publish("gone", b"after")
    await nc.flush()
    await asyncio.sleep(0.2)
    await nc.drain()


async def jetstream(nc: nats.NATS) -> None:
    js = nc.jetstream()
    await js.account_info()
    await js.add_stream(StreamConfig(name="ORDERS", subjects=["js.orders.*"]))
    await js.stream_info("ORDERS")
    for number in range(12):
        ack = await js.publish("js.orders.new", f"order {number}".encode())
        assert ack.seq == number + 1
        count("stored")
    await js.publish("js.orders.new", b"twice", headers={"Nats-Msg-Id": "m1"})
    again = await js.publish("js.orders.new", b"twice", headers={"Nats-Msg-Id": "m1"})
    assert again.duplicate
    try:
        await js.publish("js.orders.new", b"x", headers={"Nats-Expected-Last-Sequence": "99"})
    except nats.js.errors.APIError:
        count("refused")
    await _consumers(js)
    await _buckets(js)
    await js.delete_consumer("ORDERS", "worker")
    await js.delete_stream("ORDERS")
    try:
        await js.stream_info("ORDERS")
    except nats.js.errors.NotFoundError:
        count("not_found")
    await nc.drain()


async def _consumers(js: object) -> None:
    pull = await js.pull_subscribe("js.orders.*", "worker")
    messages = await pull.fetch(5, timeout=1)
    await messages[0].ack()
    await messages[1].nak()
    await messages[2].in_progress()
    await messages[2].ack()
    await messages[3].term()
    await messages[4].ack_sync()
    count("pulled", len(messages))
    for each in await pull.fetch(9, timeout=1):
        await each.ack()
        count("pulled")
    try:
        await pull.fetch(1, timeout=0.5)
    except nats.errors.TimeoutError:
        count("empty_pulls")
    got = asyncio.Event()

    async def pushed(_: object) -> None:
        count("pushed")
        if counted["pushed"] == 13:
            got.set()

    config = ConsumerConfig(idle_heartbeat=0.3, flow_control=True)
    push = await js.subscribe("js.orders.*", cb=pushed, ordered_consumer=False, config=config)
    await asyncio.wait_for(got.wait(), 3)
    await asyncio.sleep(0.7)
    await push.unsubscribe()
    await js.consumer_info("ORDERS", "worker")
    await js.get_msg("ORDERS", 3)
    await js.delete_msg("ORDERS", 4)
    await js.purge_stream("ORDERS", keep=3)


async def _buckets(js: object) -> None:
    kv = await js.create_key_value(bucket="settings")
    await kv.put("colour", b"blue")
    await kv.put("colour", b"green")
    assert (await kv.get("colour")).value == b"green"
    await kv.delete("colour")
    try:
        await kv.get("colour")
    except nats.js.errors.KeyNotFoundError:
        count("deleted_keys")


async def wrong_password() -> None:
    try:
        await connected(user="app", password="wrong", max_reconnect_attempts=1)
    except Exception:  # noqa: BLE001
        count("refused")


async def permissions() -> None:
    nc = await connected(user="app", password="throwaway")
    await nc.subscribe("allowed.>")
    await nc.subscribe("secret.>")
    await nc.publish("allowed.a", b"fine")
    await nc.publish("secret.a", b"not allowed")
    await nc.flush()
    await asyncio.sleep(0.3)
    await nc.close()


async def across() -> None:
    """Two clients, one asks, the other answers."""
    asks = await connected(name="asks")
    answers = await connected(name="answers")

    async def answer(msg: object) -> None:
        count("asked")
        await msg.respond(b"from the other connection")

    await answers.subscribe("service", "pool", cb=answer)
    await answers.flush()
    for _ in range(3):
        await asks.request("service", b"please", timeout=2)
        count("answers")
    await asks.drain()
    await answers.drain()


async def spread(*ports: str) -> None:
    """Clients of several servers, each with the same interest."""
    clients = [await connected(f"nats://127.0.0.1:{port}", name=f"c{port}") for port in ports]

    async def seen(msg: object) -> None:
        count("delivered")
        if msg.reply:
            await msg.respond(b"re")

    for port, each in zip(ports, clients, strict=True):
        await each.subscribe(f"only.{port}", cb=seen)
        await each.subscribe("shared", "group", cb=seen)
        await each.subscribe("everyone", cb=seen)
        await each.flush()
    await asyncio.sleep(0.5)
    for each in clients:
        for port in ports:
            await each.publish(f"only.{port}", b"for one")
        await each.publish("shared", b"for one of a group")
        await each.publish("everyone", b"for all", headers={"A": "b"})
        await each.flush()
        for port in ports:
            await each.request(f"only.{port}", b"?", timeout=2)
            count("answers")
        await each.request(f"only.{ports[-1]}", b"?", timeout=2, headers={"H": "1"})
        count("answers")
    await asyncio.sleep(0.3)
    for each in clients:
        await each.close()


async def lame_duck(*ports: str) -> None:
    """A client that goes to another server when its own one stops, and goes on there."""
    told, moved = asyncio.Event(), asyncio.Event()

    async def about_to_stop() -> None:
        count("told")
        told.set()

    async def reconnected() -> None:
        count("moved")
        moved.set()

    async def seen(_: object) -> None:
        count("delivered")

    nc = await connected(
        [f"nats://127.0.0.1:{port}" for port in ports], name="moves", allow_reconnect=True,
        reconnect_time_wait=0.1, dont_randomize=True,
        lame_duck_mode_cb=about_to_stop, reconnected_cb=reconnected,
    )  # fmt: skip
    await nc.subscribe("orders", cb=seen)
    for number in range(3):
        await nc.publish("orders", f"order {number}".encode())
    await nc.flush()
    await asyncio.wait_for(told.wait(), 20)
    await nc.publish("orders", b"while the server stops")
    await nc.flush()
    await asyncio.wait_for(moved.wait(), 50)
    await nc.publish("orders", b"by the other server")
    await nc.flush()
    await nc.drain()


async def gives_up(attempts: str, limit: str) -> None:
    """A client of one server that tries all servers it was told of, and gives up."""
    lost, over = asyncio.Event(), asyncio.Event()

    async def disconnected() -> None:
        lost.set()

    async def closed() -> None:
        over.set()

    nc = await connected(
        name="gives up", allow_reconnect=True, reconnect_time_wait=0.4, dont_randomize=True,
        max_reconnect_attempts=int(attempts), connect_timeout=int(limit),
        disconnected_cb=disconnected, closed_cb=closed,
    )  # fmt: skip
    await nc.publish("orders", b"order")
    await nc.flush()
    count("told_of", len(nc.discovered_servers))
    await asyncio.to_thread(Path("ready").touch)
    await asyncio.wait_for(lost.wait(), 20)
    await asyncio.wait_for(over.wait(), 50)


async def main() -> None:
    play, *rest = sys.argv[1:]
    if play in ("wrong_password", "permissions", "across", "spread", "lame_duck", "gives_up"):
        await globals()[play](*rest)
    else:
        options: dict[str, object] = {"name": "plays"}
        url = rest[0] if rest else "nats://127.0.0.1:4222"
        if url.startswith("tls"):
            context = ssl.create_default_context(cafile="ca.pem")
            context.keylog_filename = "secrets.txt"
            options |= {"tls": context, "tls_hostname": "localhost"}
        nc = await connected(url, **options)
        await globals()[play](nc)
    print(json.dumps(counted), flush=True)


asyncio.run(main())
