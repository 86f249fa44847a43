"""What nats-py is made to do in the second round of the blind test; prints what it counted."""

import asyncio
import base64
import hashlib
import json
import sys

import nats
from nats.aio.msg import Msg
from nats.nuid import NUID

URL = "nats://127.0.0.1:4222"
TIME = "2026-11-26T01:00:00Z"
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def described(js: object, place: str, nuid: str, data: bytes, chunks: int, most: int) -> None:
    """Publishes the metadata of an object (`bucket/name`) whose chunks have been published."""
    bucket, name = place.split("/")
    meta = {
        "name": name,
        "bucket": bucket,
        "nuid": nuid,
        "size": len(data),
        "mtime": TIME,
        "chunks": chunks,
        "digest": "SHA-256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode(),
        "options": {"max_chunk_size": most},
    }
    subject = f"$O.{bucket}.M." + base64.urlsafe_b64encode(name.encode()).decode()
    await js.publish(subject, json.dumps(meta).encode(), headers={"Nats-Rollup": "sub"})


async def old_chunks_left() -> None:
    nc = await nats.connect(URL, name="reports", allow_reconnect=False)
    js = nc.jetstream()
    await js.create_object_store("files")
    for day in range(5):
        data = b"%d" % day * 2000
        nuid = NUID().next().decode()
        for at in range(0, 2000, 500):
            await js.publish(f"$O.files.C.{nuid}", data[at : at + 500])
        await described(js, "files/daily-report", nuid, data, 4, 500)
    count("messages", (await js.stream_info("OBJ_files")).state.messages)
    await nc.close()


async def foreign_chunks() -> None:
    nc = await nats.connect(URL, name="device-logs", allow_reconnect=False)
    js = nc.jetstream()
    store = await js.create_object_store("logs")
    rows = [b"row of %d\n" % i * 60 for i in range(6)]
    nuid = NUID().next().decode()
    for each in (rows[0], rows[4], rows[1], rows[5], rows[2]):
        await js.publish(f"$O.logs.C.{nuid}", each)
    await described(js, "logs/device-17.log", nuid, b"".join(rows[:3]), 3, 1024)
    try:
        await asyncio.wait_for(store.get("device-17.log"), 3)
        count("read")
    except Exception:  # noqa: BLE001
        count("unreadable")
    await nc.close()


async def groups_of_two_services() -> None:
    every = []
    for service in ("billing", "audit"):

        async def handle(_: Msg, name: str = service) -> None:
            count(name)

        for pod in (1, 2):
            nc = await nats.connect(URL, name=f"{service}-{pod}", allow_reconnect=False)
            every.append(nc)
            await nc.subscribe("orders.*", queue=service, cb=handle)
            await nc.flush()
    nc = await nats.connect(URL, name="shop", allow_reconnect=False)
    for i in range(20):
        await nc.publish("orders.new", b"order %d" % i)
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)
    for each in (*every, nc):
        await each.close()


asyncio.run(globals()[sys.argv[1]]())
print(json.dumps(counted))
