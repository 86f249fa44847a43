"""What rsocket-py does in the seventeenth round of the blind test; prints what it counted."""

import asyncio
import json
import socket
import sys
from datetime import timedelta

from reactivestreams.subscriber import DefaultSubscriber
from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "items": 0, "errors": 0, "completed": 0}


async def connect() -> RSocketClient:
    """A connection to the server."""
    made = socket.create_connection(("broker", 7000))
    transport = TransportTCP(*await asyncio.open_connection(sock=made))
    return RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=3),
        max_lifetime_period=timedelta(seconds=20),
    )


class Reads(DefaultSubscriber):
    """Reads a stream: all of it, or some items, and as many again when they are there."""

    def __init__(self, batch: int = 0, rest: float = 0) -> None:
        super().__init__()
        self.batch, self.rest, self.seen = batch, rest, 0
        self.over = asyncio.Event()

    def on_next(self, value: Payload, is_complete: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        """Counts an item."""
        counted["items"] += 1
        self.seen += 1
        if is_complete:
            self.on_complete()
        elif self.batch and self.seen % self.batch == 0:
            asyncio.get_running_loop().call_later(self.rest, self.subscription.request, self.batch)

    def on_complete(self) -> None:
        """The end."""
        counted["completed"] += 1
        self.over.set()

    def on_error(self, exception: Exception) -> None:  # noqa: ARG002
        """An end too."""
        counted["errors"] += 1
        self.over.set()


async def rows(what: bytes) -> None:
    """Three tables, each as a stream that is requested whole."""
    async with await connect() as client:
        for n in range(3):
            reader = Reads()
            client.request_stream(Payload(what)).initial_request_n(2**31 - 1).subscribe(reader)
            await asyncio.wait_for(reader.over.wait(), 15)
            await AwaitableRSocket(client).request_response(Payload(b"total %d" % n))
            counted["answers"] += 1


async def batches() -> None:
    """Readings in batches of three with half a second between them."""
    async with await connect() as client:
        for n in range(3):
            reader = Reads(3, 0.5)
            client.request_stream(Payload(b"readings 40")).initial_request_n(3).subscribe(reader)
            await asyncio.wait_for(reader.over.wait(), 20)
            await AwaitableRSocket(client).request_response(Payload(b"mean %d" % n))
            counted["answers"] += 1


async def pages() -> None:
    """Reports of six pages; of some of them the end never comes, and they are given up."""
    async with await connect() as client:
        for n in range(5):
            what = b"pages 6 lost" if n % 2 else b"pages 6 whole"
            reader = Reads()
            client.request_stream(Payload(what)).initial_request_n(2**31 - 1).subscribe(reader)
            try:
                await asyncio.wait_for(reader.over.wait(), 6)
            except TimeoutError:
                counted["given_up"] = counted.get("given_up", 0) + 1
                reader.subscription.cancel()
            await asyncio.sleep(0.3)


async def used_up() -> None:
    """Ticks of which eight are requested, and no more; values are asked for."""
    async with await connect() as client:
        reader = Reads()
        client.request_stream(Payload(b"every 400")).initial_request_n(8).subscribe(reader)
        for n in range(9):
            await AwaitableRSocket(client).request_response(Payload(b"value %d" % n))
            counted["answers"] += 1
            await asyncio.sleep(1.8)
        reader.subscription.cancel()
        await asyncio.sleep(0.2)


async def quiet() -> None:
    """News without end, of which few come, and which are left after a while."""
    async with await connect() as client:
        for _ in range(3):
            reader = Reads()
            client.request_stream(Payload(b"every 1900")).initial_request_n(100).subscribe(reader)
            await asyncio.sleep(6)
            reader.subscription.cancel()
            await asyncio.sleep(0.3)


async def hotel() -> None:
    """A reception, a kitchen and a guest on connections of their own, closed in order."""
    reception, kitchen, guest = await connect(), await connect(), await connect()
    async with reception, kitchen, guest:
        ticks = Reads(8, 0.05)
        kitchen.request_stream(Payload(b"every 120")).initial_request_n(8).subscribe(ticks)
        for n in range(26):
            await AwaitableRSocket(reception).request_response(Payload(b"room %d" % n))
            counted["answers"] += 1
            if n % 5 == 1:
                await guest.fire_and_forget(Payload(b"towel for room %d" % n))
            if n % 7 == 3:
                got = await AwaitableRSocket(guest).request_stream(
                    Payload(b"sorted 20"), limit_rate=6
                )
                counted["items"] += len(got)
            await asyncio.sleep(0.4)
        ticks.subscription.cancel()
        await asyncio.sleep(0.2)


plays = {
    "rows": lambda: rows(b"rows 60"),
    "batches": batches,
    "pages": pages,
    "used_up": used_up,
    "quiet": quiet,
    "hotel": hotel,
}
asyncio.run(asyncio.wait_for(plays[sys.argv[1]](), 60))
print(json.dumps(counted))
