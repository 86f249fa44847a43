"""Streams and consumers of nats-py in states of their own; prints what it counted."""

import asyncio
import datetime as dt
import json
import sys
from contextlib import suppress
from typing import Any

import nats
from nats.aio.client import Client
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as TookTooLong
from nats.js.errors import BadRequestError

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def api(client: Client, subject: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Make a request of JetStream; return its answer."""
    data = b"" if body is None else json.dumps(body).encode()
    answer = await client.request(f"$JS.API.{subject}", data, timeout=2)
    return dict(json.loads(answer.data))


async def pulls_while_paused(client: Client) -> None:
    """A worker that pulls from a consumer which an operator has paused for some seconds."""
    js = client.jetstream()
    stream = {"name": "jobs", "subjects": ["jobs.*"], "storage": "memory"}
    await api(client, "STREAM.CREATE.jobs", stream)
    for number in range(5):
        await js.publish("jobs.mail", b"job %d" % number)
        count("published")
    config = {"durable_name": "worker", "ack_policy": "explicit"}
    await api(
        client,
        "CONSUMER.DURABLE.CREATE.jobs.worker",
        {"stream_name": "jobs", "config": config},
    )
    until = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=5)
    await api(client, "CONSUMER.PAUSE.jobs.worker", {"pause_until": until.isoformat()})
    own = await js.pull_subscribe("jobs.*", "worker", stream="jobs")
    while counted.get("done", 0) < counted["published"]:
        with suppress(TookTooLong):
            for each in await own.fetch(5, timeout=1):
                await each.ack()
                count("done")
        count("pulled")


async def sealed_and_promoted(client: Client) -> None:
    """A stream that is sealed, and a mirror that becomes a stream of its own."""
    js = client.jetstream()
    stream = {"name": "year", "subjects": ["year.*"], "storage": "memory"}
    await api(client, "STREAM.CREATE.year", stream)
    for number in range(4):
        await js.publish("year.sum", b"%d" % number)
        count("published")
    mirror = {"name": "copy", "mirror": {"name": "year"}, "storage": "memory"}
    await api(client, "STREAM.CREATE.copy", mirror)
    sealed = (await api(client, "STREAM.INFO.year"))["config"] | {"sealed": True}
    await api(client, "STREAM.UPDATE.year", sealed)
    try:
        await js.publish("year.sum", b"late")
    except BadRequestError:
        count("refused")
    count("refused", "error" in await api(client, "STREAM.PURGE.year"))
    try:
        await client.request("copy.sum", b"early", timeout=1)
    except NoRespondersError:
        count("not_there")
    own = (await api(client, "STREAM.INFO.copy"))["config"] | {"subjects": ["copy.*"]}
    del own["mirror"]
    await api(client, "STREAM.UPDATE.copy", own)
    for number in range(3):
        await js.publish("copy.sum", b"%d" % number)
        count("published_to_the_copy")


async def main() -> None:
    client = await nats.connect("nats://127.0.0.1:4222", name="states")
    await globals()[sys.argv[1]](client)
    await client.close()
    print(json.dumps(counted))


asyncio.run(main())
