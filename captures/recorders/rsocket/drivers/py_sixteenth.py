"""What rsocket-py does in the sixteenth round of the blind test; prints what it counted."""

import asyncio
import json
import socket
import sys
import time
from datetime import timedelta

from reactivestreams.subscriber import DefaultSubscriber
from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "items": 0, "errors": 0}


async def connect() -> RSocketClient:
    """A connection to the server."""
    made = socket.create_connection(("broker", 7000))
    transport = TransportTCP(*await asyncio.open_connection(sock=made))
    return RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=3),
        max_lifetime_period=timedelta(seconds=60),
    )


class Reads(DefaultSubscriber):
    """Reads a stream: all that there is, or some items and then some more."""

    def __init__(self, batch: int, work: float) -> None:
        super().__init__()
        self.batch, self.work, self.seen = batch, work, 0

    def on_next(self, value: Payload, is_complete: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        """Works on an item."""
        counted["items"] += 1
        self.seen += 1
        time.sleep(self.work)
        if self.batch and self.seen % self.batch == 0:
            self.subscription.request(self.batch)


async def unlimited() -> None:
    """Three streams without end at once, each of which is requested without a limit."""
    async with await connect() as client:
        readers = [Reads(0, 0.012) for _ in range(3)]
        for reader in readers:
            client.request_stream(Payload(b"pump")).initial_request_n(2**31 - 1).subscribe(reader)
        await asyncio.sleep(13)
        for reader in readers:
            reader.subscription.cancel()
        await asyncio.sleep(0.2)


async def careful() -> None:
    """Two streams without end in batches of eight, questions, uploads, and a rest."""
    async with await connect() as client:
        readers = [Reads(8, 0.02) for _ in range(2)]
        for reader in readers:
            client.request_stream(Payload(b"pump")).initial_request_n(8).subscribe(reader)
        for n in range(14):
            await AwaitableRSocket(client).request_response(Payload(b"gauge %d" % n))
            counted["answers"] += 1
            if n % 3 == 0:
                await client.fire_and_forget(Payload(b"alarm %d" % n))
            await asyncio.sleep(3 if n == 9 else 0.6)
            if n == 8:
                for reader in readers:
                    reader.subscription.cancel()
        got = await AwaitableRSocket(client).request_stream(Payload(b"bursts"), limit_rate=5)
        counted["items"] += len(got)


async def groups() -> None:
    """Levels, of which ten are requested at once, and ten again."""
    async with await connect() as client:
        reader = Reads(10, 0)
        client.request_stream(Payload(b"groups 10 140")).initial_request_n(10).subscribe(reader)
        await asyncio.sleep(10)
        reader.subscription.cancel()
        await asyncio.sleep(0.2)


plays = {"unlimited": unlimited, "careful": careful, "groups": groups}
asyncio.run(asyncio.wait_for(plays[sys.argv[1]](), 60))
print(json.dumps(counted))
