"""What nats-py is made to do in the fifth round of the blind test; prints what it counted."""

import asyncio
import base64
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import nats
import nats.micro
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as Late
from nats.js.api import StorageType
from nats.micro.request import Request

URL = "nats://127.0.0.1:4222"
CALC = {"name": "calc", "version": "1.0.0", "metadata": {}}
ENDPOINT = {"name": "add", "subject": "calc.add", "queue_group": "q"}
HOUR_NS = 3600 * 10**9
PAGES = {
    "name": "pages",
    "subjects": ["pages.*"],
    "storage": "memory",
    "max_msgs_per_subject": 5,
    "allow_direct": True,
    "allow_rollup_hdrs": True,
    "max_age": HOUR_NS,
}
KNOWN = frozenset(
    {
        "name",
        "subjects",
        "storage",
        "retention",
        "max_consumers",
        "max_msgs",
        "max_bytes",
        "max_age",
        "max_msgs_per_subject",
        "max_msg_size",
        "discard",
        "num_replicas",
        "duplicate_window",
        "sealed",
        "deny_delete",
        "deny_purge",
    }
)
"""Settings of a stream that the job knows."""
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def conn(name: str) -> Client:
    return await nats.connect(URL, name=name, allow_reconnect=False)


async def api(nc: Client, subject: str, body: object = None) -> dict:
    data = b"" if body is None else json.dumps(body).encode()
    return json.loads((await nc.request(f"$JS.API.{subject}", data, timeout=3)).data)


async def by_hand(number: int) -> Client:
    """An instance of the service without the library, all of it in one queue group."""
    nc, own = await conn(f"calc-{number}"), {**CALC, "id": f"ID{number}calc{number * 7919}"}
    served = 0

    def says(kind: str, more: Callable[[], dict]) -> Callable[[Msg], Awaitable[None]]:
        async def answer(message: Msg) -> None:
            told = {**own, "type": f"io.nats.micro.v1.{kind}_response", **more()}
            await message.respond(json.dumps(told).encode())

        return answer

    def stats() -> dict:
        each = 90000 if served else 0
        numbers = {"num_requests": served, "num_errors": 0, "last_error": ""}
        times = {"processing_time": served * 90000, "average_processing_time": each}
        return {"started": "2026-11-26T00:00:00Z", "endpoints": [{**ENDPOINT, **numbers, **times}]}

    async def add(message: Msg) -> None:
        nonlocal served
        served += 1
        await message.respond(json.dumps(sum(json.loads(message.data))).encode())

    info = {"description": "adds", "endpoints": [ENDPOINT]}
    for kind, more in (("ping", dict), ("info", lambda: info), ("stats", stats)):
        for subject in ("", ".calc", f".calc.{own['id']}"):
            await nc.subscribe(f"$SRV.{kind.upper()}{subject}", queue="q", cb=says(kind, more))
    await nc.subscribe("calc.add", queue="q", cb=add)
    await nc.flush()
    return nc


async def by_library(number: int) -> Client:
    nc = await conn(f"calc-{number}")
    service = await nats.micro.add_service(nc, name="calc", version="1.0.0", description="adds")

    async def add(request: Request) -> None:
        await request.respond(json.dumps(sum(json.loads(request.data))).encode())

    await service.add_endpoint(name="add", subject="calc.add", handler=add)
    await nc.flush()
    return nc


async def ask(tool: Client, subject: str) -> None:
    """Asks all instances, and counts those that answer within 0.3 s."""
    inbox, found = tool.new_inbox(), set()
    subscription = await tool.subscribe(inbox)
    await tool.publish(subject, b"", reply=inbox)
    end = time.time() + 0.3
    with suppress(Late):
        while (left := end - time.time()) > 0:
            found.add(json.loads((await subscription.next_msg(left)).data)["id"])
    await subscription.unsubscribe()
    count("instances_found", len(found))


async def discovery(instance: Callable[[int], Awaitable[Client]]) -> None:
    running = [await instance(number) for number in range(3)]
    tool, client = await conn("monitor"), await conn("calculator")
    for turn in range(10):
        for subject in (
            ("$SRV.PING", "$SRV.STATS.calc") if turn % 2 else ("$SRV.PING.calc", "$SRV.INFO")
        ):
            await ask(tool, subject)
        for number in range(3):
            await client.request("calc.add", json.dumps([turn, number]).encode())
        await asyncio.sleep(0.15)
    for nc in (tool, client, *running):
        await nc.close()


async def put(nc: Client, revision: int) -> dict:
    headers = {"Nats-Expected-Last-Subject-Sequence": str(revision)}
    answer = await nc.request("$KV.locks.nightly", b"held", headers=headers, timeout=2)
    return json.loads(answer.data)


async def taken(nc: Client, *, after_marker: bool) -> bool:
    """Creates the key; with `after_marker` also where it was deleted."""
    got = await put(nc, 0)
    if "error" in got and after_marker:
        asked = {"last_by_subj": "$KV.locks.nightly"}
        last = (await api(nc, "STREAM.MSG.GET.KV_locks", asked))["message"]
        if b"KV-Operation: DEL" in base64.b64decode(last.get("hdrs", "")):
            got = await put(nc, last["seq"])
    count("refused" if "error" in got else "taken")
    return "error" not in got


async def lock(*, after_marker: bool) -> None:
    setup = await conn("installer")
    bucket = {"bucket": "locks", "history": 1, "storage": StorageType.MEMORY}
    await setup.jetstream().create_key_value(**bucket)
    await setup.close()
    both = await conn("cron-1"), await conn("cron-2")
    end = time.time() + 8
    while time.time() < end:
        for nc in both:
            if await taken(nc, after_marker=after_marker):
                await asyncio.sleep(0.3)
                deleted = {"KV-Operation": "DEL"}
                await nc.request("$KV.locks.nightly", b"", headers=deleted, timeout=2)
            await asyncio.sleep(0.2)
    for nc in both:
        await nc.close()


async def reads(reader: Client) -> None:
    """Reads pages until it is cancelled."""
    number = 0
    while True:
        number += 1
        try:
            await reader.request(f"$JS.API.DIRECT.GET.pages.pages.p{number % 4}", b"", timeout=1)
            count("read")
        except NoRespondersError:
            count("no_responders")
        await asyncio.sleep(0.12)


async def update(*, keeps: bool) -> None:
    """Changes the age of messages in a stream; `keeps` the settings that the job does not know."""
    owner, job, reader = await conn("platform"), await conn("retention-job"), await conn("web")
    await api(owner, "STREAM.CREATE.pages", PAGES)
    for number in range(4):
        await owner.request(f"pages.p{number}", b"page %d" % number)
    reading = asyncio.create_task(reads(reader))
    await asyncio.sleep(2)
    for hours in range(2, 8):
        now = (await api(job, "STREAM.INFO.pages"))["config"]
        kept = {name: now[name] for name in now if keeps or name in KNOWN}
        await api(job, "STREAM.UPDATE.pages", {**kept, "max_age": hours * HOUR_NS})
        if hours == 4 and not keeps:  # the platform repairs it
            await api(owner, "STREAM.UPDATE.pages", {**PAGES, "max_age": hours * HOUR_NS})
        await asyncio.sleep(1.2)
    reading.cancel()
    for nc in (owner, job, reader):
        await nc.close()


PLAYS: dict[str, Callable[[], Awaitable[None]]] = {
    "discovery_in_a_queue_group": lambda: discovery(by_hand),
    "services_found": lambda: discovery(by_library),
    "lock_never_taken_again": lambda: lock(after_marker=False),
    "lock_taken_again": lambda: lock(after_marker=True),
    "update_drops_settings": lambda: update(keeps=False),
    "update_keeps_settings": lambda: update(keeps=True),
}


async def main(play: str) -> None:
    await PLAYS[play]()


asyncio.run(main(sys.argv[1]))
print(json.dumps(counted))
