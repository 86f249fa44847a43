"""What rsocket-py does in the fifteenth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
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
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    return RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=2),
        max_lifetime_period=timedelta(seconds=20),
    )


async def ask(client: RSocketClient, text: bytes) -> None:
    """Asks a question."""
    await AwaitableRSocket(client).request_response(Payload(text))
    counted["answers"] += 1


async def stream(client: RSocketClient, text: bytes) -> None:
    """Reads a stream in small batches."""
    try:
        got = await AwaitableRSocket(client).request_stream(Payload(text), limit_rate=6)
        counted["items"] += len(got)
    except Exception:  # noqa: BLE001
        counted["errors"] += 1


async def tutorial() -> None:
    """Questions and streams, one after the other."""
    async with await connect() as client:
        for n in range(4):
            await ask(client, b"question %d" % n)
            await stream(client, b"stream %d" % n)
            await asyncio.sleep(0.4)


class Leaves(DefaultSubscriber):
    """Leaves a stream after some items."""

    def on_next(self, value: Payload, is_complete: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        """Counts an item."""
        counted["items"] += 1
        self.seen = getattr(self, "seen", 0) + 1
        if self.seen == 9:
            self.subscription.cancel()


async def truck(number: int) -> None:
    """One of several connections: questions, streams, one of which it leaves, and rests."""
    await asyncio.sleep(0.6 * number)
    for session in range(2):
        async with await connect() as client:
            for n in range(6):
                await ask(client, b"load %d of truck %d" % (n, number))
                if n % 3 == number % 3:
                    await stream(client, b"stops of truck %d" % number)
                if n == 4:
                    request = client.request_stream(Payload(b"roads of truck %d" % number))
                    request.initial_request_n(12).subscribe(Leaves())
                await client.fire_and_forget(Payload(b"position %d of truck %d" % (n, number)))
                await asyncio.sleep(0.25 + 0.15 * number)
            await asyncio.sleep(2.5 if session else 0.2)


async def fleet() -> None:
    """Three trucks at once."""
    await asyncio.gather(*map(truck, range(3)))


asyncio.run(asyncio.wait_for({"tutorial": tutorial, "fleet": fleet}[sys.argv[1]](), 60))
print(json.dumps(counted))
