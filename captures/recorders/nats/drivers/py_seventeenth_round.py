"""What nats-py is made to do in the seventeenth round of the blind test; prints what it counted."""

import asyncio
import contextlib
import json
import logging
import socket
import subprocess
import sys
import time

import nats

logging.disable(logging.CRITICAL)
SERVER = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def quiet(error: Exception) -> None:
    """Errors are counted, not printed."""
    del error
    count("errors")


async def conn(name: str, **more: object) -> nats.NATS:
    return await nats.connect(
        SERVER, name=name, max_reconnect_attempts=-1, reconnect_time_wait=0.3,
        error_cb=quiet, **more,
    )  # fmt: skip


async def worker(how: str) -> None:
    """Takes the meetings of a queue; ends when none came within a second, or waits on."""
    nc = await conn("worker")
    js = nc.jetstream()
    await js.add_stream(name="meetings", subjects=["zoom"])
    sub = await js.subscribe("zoom", "workers")
    end = time.monotonic() + 14
    while how == "leaves" or time.monotonic() < end:
        try:
            message = await sub.next_msg()
        except nats.errors.TimeoutError:
            if how == "leaves":
                raise
            continue
        await message.ack()
        print("taken", flush=True)
    await nc.drain()


async def meetings(how: str) -> None:
    """An office that publishes a meeting now and then, and a worker that is started again."""
    office = await conn("office")
    js = office.jetstream()
    await js.add_stream(name="meetings", subjects=["zoom"])

    async def publishes() -> None:
        for n in range(7):
            await js.publish("zoom", b"meeting %d" % n)
            count("published")
            await asyncio.sleep(2.6)

    task, end = asyncio.create_task(publishes()), time.monotonic() + 17
    while time.monotonic() < end:
        run = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "worker", how,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        out, _ = await run.communicate()
        count("taken", out.count(b"taken"))
        count("runs")
        await asyncio.sleep(1.2)
    await task
    await office.close()


KEPT: dict[str, nats.js.JetStreamContext] = {}


async def publish_kept(body: bytes) -> None:
    """Publishes by a context that is made once, in whatever loop that was."""
    if "js" not in KEPT:
        nc = await conn("web")
        await nc.jetstream().add_stream(name="events", subjects=["events.>"])
        KEPT["js"] = nc.jetstream(timeout=1.5)
    await KEPT["js"].publish("events.visit", body)


def loops() -> None:
    """Each call of a web handler runs a loop of its own; the context is that of the first one."""
    other = subprocess.Popen([sys.executable, __file__, "screen"], stdout=subprocess.PIPE)
    time.sleep(0.8)
    for n in range(8):
        try:
            asyncio.run(publish_kept(b"visit %d" % n))
            count("published")
        except BaseException:  # noqa: BLE001
            count("not_published")
        time.sleep(0.6)
    out, _ = other.communicate()
    print(json.dumps(json.loads(out) | counted), flush=True)


async def screen() -> None:
    """Another program on the same server, which asks and shows."""
    nc = await conn("screen")

    async def shows(message: nats.aio.msg.Msg) -> None:
        count("shown")
        if message.subject == "weather":
            await message.respond(b"seen")

    await nc.subscribe("events.>", cb=shows)
    await nc.subscribe("weather", cb=shows)
    for n in range(22):
        await nc.request("weather", b"hour %d" % n)
        await asyncio.sleep(0.7)
    await nc.drain()


async def outbox(how: str) -> None:
    """A meter keeps its values while the server is away, and sends them with the new ones."""
    meter, board = await conn("meter", pending_size=0), await conn("board")
    kept: list[bytes] = []
    back = asyncio.Event()

    async def takes(message: nats.aio.msg.Msg) -> None:
        del message
        count("read")

    await board.subscribe("meter.value", cb=takes)

    async def sends_kept() -> None:
        while kept:
            await meter.publish("meter.value", kept.pop(0))
            await asyncio.sleep(0.02 if how == "mixed" else 0)
        back.set()

    for n in range(260):
        value = b'{"n": %d, "kwh": %d}' % (n, 5000 + 3 * n)
        if not meter.is_connected:
            kept.append(value)
            back.clear()
        else:
            if kept and not back.is_set() and "task" not in KEPT:
                KEPT["task"] = asyncio.create_task(sends_kept())  # type: ignore[assignment]
            if how == "in_turn" and kept:
                await KEPT["task"]  # type: ignore[misc]
            await meter.publish("meter.value", value)
        count("values")
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    await meter.drain()
    await board.drain()


def slow_reader(end: float) -> None:
    """Reads ticks slowly; waits two seconds for PONG when it connects, and begins again."""
    while time.monotonic() < end:
        with socket.socket() as made, contextlib.suppress(OSError):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            made.connect(("127.0.0.1", 4222))
            count("connections")
            made.recv(2048)
            hello = (
                b'CONNECT {"verbose":false,"pedantic":false,"name":"receiver-1","lang":"java"}\r\n'
            )
            made.sendall(hello + b"SUB ticks.> 1\r\n")
            time.sleep(0.9)
            made.sendall(b"PING\r\n")
            limit, pong = time.monotonic() + 2, False
            while time.monotonic() < end and (pong or time.monotonic() < limit):
                made.settimeout(max(0.1, limit - time.monotonic()) if not pong else 5)
                data = made.recv(450)
                if not data:
                    break
                if b"PONG\r\n" in data:
                    pong = True
                    count("pongs")
                time.sleep(0.06)
        time.sleep(0.5)


async def flood() -> None:
    """Ticks for a receiver that is too slow for them."""
    sender, other = await conn("sender"), await conn("receiver-2")

    async def takes(message: nats.aio.msg.Msg) -> None:
        del message
        count("read")

    await other.subscribe("ticks.fast", cb=takes)
    end = time.monotonic() + 15
    task = asyncio.get_running_loop().run_in_executor(None, slow_reader, end)
    while time.monotonic() < end:
        for n in range(8):
            await sender.publish(f"ticks.{'fast' if n == 0 else 'all'}", b"%-420d" % n)
            count("sent")
        await asyncio.sleep(0.1)
    await task
    await sender.drain()
    await other.drain()


async def kitchen() -> None:  # noqa: C901
    """A restaurant: orders with ids, cooks that take their time, prices, a menu, a drain."""
    nc = [await conn(name) for name in ("waiter", "kitchen-1", "kitchen-2", "guest")]
    js = nc[0].jetstream()
    await js.add_stream(name="orders", subjects=["orders.>"])
    menu = await js.create_key_value(bucket="menu", history=2)
    over = asyncio.Event()

    async def cooks(which: int) -> None:
        sub = await nc[which].jetstream().pull_subscribe("orders.>", "cooks")
        while not over.is_set():
            try:
                batch = await sub.fetch(4, timeout=1)
            except nats.errors.TimeoutError:
                continue
            for message in batch:
                number = int(message.data.split()[1])
                if number % 11 == 7:
                    await message.in_progress()
                    await asyncio.sleep(0.6)
                if number % 13 == 5 and message.metadata.num_delivered == 1:
                    await message.nak(delay=0.5)
                    continue
                await asyncio.sleep(0.03)
                await message.ack()
                count("cooked")
        await sub.unsubscribe()

    async def prices(message: nats.aio.msg.Msg) -> None:
        entry = await nc[1].jetstream().key_value("menu")
        await message.respond((await entry.get(message.data.decode())).value)

    await menu.put("soup", b"6 euro")
    await menu.put("fish", b"14 euro")
    await nc[1].subscribe("price", queue="prices", cb=prices)
    tasks = [asyncio.create_task(cooks(1)), asyncio.create_task(cooks(2))]
    for n in range(70):
        await js.publish(
            f"orders.table{n % 6}", b"order %d of soup" % n, headers={"Nats-Msg-Id": f"order-{n}"}
        )
        count("ordered")
        if n % 8 == 2:
            await nc[3].request("price", b"fish" if n % 16 else b"soup", timeout=2)
            count("asked")
        if n % 20 == 19:
            await menu.put("fish", b"%d euro" % (14 + n // 20))
        await asyncio.sleep(0.12)
    await asyncio.sleep(2.5)
    over.set()
    await asyncio.gather(*tasks)
    for each in nc:
        await each.drain()


PLAYS = {
    "leaves_after_a_second": lambda: meetings("leaves"),
    "waits_through_silence": lambda: meetings("waits"),
    "mixed_after_reconnect": lambda: outbox("mixed"),
    "kept_first_after_reconnect": lambda: outbox("in_turn"),
    "pong_after_the_flood": flood,
    "kitchen_day": kitchen,
    "screen": screen,
}
if sys.argv[1] == "loop_of_another_run":
    loops()
    sys.exit()
if sys.argv[1] == "worker":
    asyncio.run(worker(sys.argv[2]))
    sys.exit()
asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted), flush=True)
