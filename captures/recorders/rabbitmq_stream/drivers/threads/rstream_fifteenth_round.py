"""Plays the fifteenth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import os
import sys

from rstream import AMQPMessage, OffsetType, Producer, schema
from rstream.client import Client

USER = "meter"
counted = {"published": 0, "consumed": 0, "refused": 0}


def ask(event: str) -> None:
    """Lets the recorder do something, and waits until it is done."""
    print(event, flush=True)
    sys.stdin.readline()


async def opened(name: str, secret: str) -> Client:
    """A connection of the program."""
    client = Client("broker", 5552, frame_max=1 << 20, heartbeat=60, connection_name=name)
    await client.start()
    await client.authenticate("/", USER, secret)
    return client


async def renew(client: Client, secret: str) -> None:
    """Authenticates anew on a connection that is open."""
    data = b"\0" + USER.encode() + b"\0" + secret.encode()
    await client.sync_request(
        schema.SaslAuthenticate(client._corr_id_seq.next(), "PLAIN", data),  # noqa: SLF001
        resp_schema=schema.SaslAuthenticateResponse,
    )


class Program:
    """A publisher and a reader of one stream, which come back when they lost their connections."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.clients: list[Client] = []
        self.next = 0
        self.last = -1

    async def start(self, secret: str) -> None:
        """Connects both, once the connections that were lost are closed."""
        await self.stop()
        writer = await opened("readings", secret)
        self.clients = [writer]
        if not self.next:
            await writer.create_stream(self.stream)
        await writer.declare_publisher(self.stream, None, 0)
        reader = await opened("chart", secret)
        self.clients.append(reader)

        async def deliver(frame: schema.Deliver) -> None:
            counted["consumed"] += frame.num_records
            await reader.credit(0, 1)

        reader.add_handler(schema.Deliver, deliver, name="0")
        await reader.run_queue_listener_task(0, deliver)
        place = schema.OffsetSpec(OffsetType.NEXT)
        await reader.subscribe(self.stream, 0, place, 5)

    async def work(self, rounds: int) -> None:
        """Publishes readings."""
        for _ in range(rounds):
            body = bytes(AMQPMessage(body=b"reading %d of meter 7" % self.next))
            publish = schema.Publish(0, [schema.Message(self.next, None, body)])
            await self.clients[0].send_publish_frame(publish)
            self.next += 1
            counted["published"] += 1
            await asyncio.sleep(0.12)

    async def stop(self) -> None:
        """Lets its connections go."""
        for each in self.clients:
            if not each.is_connection_alive() and each._conn:  # noqa: SLF001
                await each._conn.close()  # noqa: SLF001 - `close` leaves lost sockets open
            await each.close()
        self.clients = []


async def secrets(stream: str, *, renews: bool) -> None:
    """Renews its secret; then the operator closes its connections, and it comes back."""
    program = Program(stream)
    first, second = "token-of-14-30", "token-of-14-37"
    await program.start(first)
    await program.work(15)
    ask("cut")
    await asyncio.sleep(1)
    await program.start(first)
    await program.work(10)
    ask("renew")
    for each in program.clients:
        await renew(each, second)
    await program.work(15)
    ask("cut")
    for _ in range(7):
        await asyncio.sleep(1)
        try:
            await program.start(second if renews else first)
        except Exception:  # noqa: BLE001
            counted["refused"] += 1
        else:
            await program.work(20)
            await program.stop()
            break


async def texts(stream: str, *, raw: bool) -> None:
    """Publishes bytes as they are, or AMQP messages, to a stream that is read by AMQP too."""
    who = {"host": "broker", "username": "guest", "password": "guest"}
    async with Producer(connection_name="worker", **who) as producer:
        await producer.create_stream(stream, exists_ok=True)
        ask("reader")
        for n in range(40):
            text = b'{"job": %d, "state": "done"}' % n
            await producer.send(stream, text if raw else AMQPMessage(body=text))
            counted["published"] += 1
            await asyncio.sleep(0.08)
        await asyncio.sleep(1)


async def jobs(stream: str) -> None:
    """Four runs of a worker, each of which dies at the chunk that begins with the twelfth job."""
    who = {"host": "broker", "username": "guest", "password": "guest"}
    async with Producer(connection_name="planner", **who) as producer:
        await producer.create_stream(stream, exists_ok=True)
        for n in range(8):
            batch = [AMQPMessage(body=b"job %d" % (4 * n + i)) for i in range(4)]
            await producer.send_batch(stream, batch)
            counted["published"] += 4
            await asyncio.sleep(0.2)
    del counted["consumed"]  # that is what workers count, which die
    for _ in range(4):
        worker = await asyncio.create_subprocess_exec(sys.executable, sys.argv[0], "dies", stream)
        await worker.wait()
        await asyncio.sleep(0.7)


async def dies(stream: str) -> None:
    """A worker that dies at a job that it cannot read."""
    client = Client("broker", 5552, frame_max=1 << 20, heartbeat=60, connection_name="worker")
    await client.start()
    await client.authenticate("/", "guest", "guest")

    async def deliver(frame: schema.Deliver) -> None:
        if frame.chunk_first_offset >= 12:
            os._exit(3)
        await client.credit(0, 1)

    client.add_handler(schema.Deliver, deliver, name="0")
    await client.run_queue_listener_task(0, deliver)
    await client.subscribe(stream, 0, schema.OffsetSpec(OffsetType.FIRST), 1)
    await asyncio.sleep(5)


PLAYS = {
    "jobs": jobs,
    "dies": dies,
    "old": lambda stream: secrets(stream, renews=False),
    "new": lambda stream: secrets(stream, renews=True),
    "raw": lambda stream: texts(stream, raw=True),
    "amqp": lambda stream: texts(stream, raw=False),
}
asyncio.run(asyncio.wait_for(PLAYS[sys.argv[1]](sys.argv[2]), 60))
print(json.dumps(counted), flush=True)
