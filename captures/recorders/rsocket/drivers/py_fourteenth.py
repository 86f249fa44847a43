"""What rsocket-py does in the fourteenth round of the blind test; prints what it counted."""

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

counted = {"answers": 0, "items": 0, "bytes": 0}


class Slowly(DefaultSubscriber):
    """Handles rows one by one, and asks for two more after two."""

    def __init__(self) -> None:
        super().__init__()
        self.queue: asyncio.Queue = asyncio.Queue()

    def on_next(self, value: Payload, is_complete: bool = False) -> None:  # noqa: FBT001, FBT002
        """Keeps a row for later."""
        self.queue.put_nowait((value, is_complete))

    def on_complete(self) -> None:
        """Ends."""
        self.queue.put_nowait((None, True))

    async def handle(self) -> None:
        """Handles all rows."""
        done = 0
        while True:
            value, last = await self.queue.get()
            if value is not None:
                counted["items"] += 1
                counted["bytes"] += len(value.data)
                await asyncio.sleep(0.16)
                done += 1
            if last:
                return
            if done % 2 == 0:
                self.subscription.request(2)


async def connect(data: bytes) -> RSocketClient:
    """Connects, with data in SETUP."""
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    return RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=2),
        max_lifetime_period=timedelta(seconds=20),
        setup_payload=Payload(data),
    )


async def token() -> None:
    """Asks on although its token has expired."""
    async with await connect(b"token of desk 2") as client:
        asks = AwaitableRSocket(client)
        for n in range(26):
            try:
                await asyncio.wait_for(asks.request_response(Payload(b'{"id": %d}' % n)), 2)
                counted["answers"] += 1
            except Exception:  # noqa: BLE001
                counted["refused"] = counted.get("refused", 0) + 1
            await asyncio.sleep(0.2)


class Takes(DefaultSubscriber):
    """Counts items."""

    def on_next(self, value: Payload, is_complete: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        """Counts an item."""
        counted["items"] += 1

    def on_error(self, exception: Exception) -> None:  # noqa: ARG002
        """Is cut."""
        counted["cut"] = counted.get("cut", 0) + 1


async def screens() -> None:
    """Three screens, of which two are filled again once their server was away."""
    for session in range(3):
        async with await connect(b"hall") as client:
            for name, every in (("rain", 300), ("wind", 420), ("tide", 700)):
                if not session or name != "wind":
                    text = b"%s 0 %d" % (name.encode(), every)
                    client.request_stream(Payload(text)).initial_request_n(100).subscribe(Takes())
            for n in range(60):
                try:
                    question = AwaitableRSocket(client).request_response(Payload(b'{"id": %d}' % n))
                    await asyncio.wait_for(question, 0.8)
                    counted["answers"] += 1
                except Exception:  # noqa: BLE001
                    break
                await asyncio.sleep(0.25)
                if session == 2 and n > 12:
                    break
        await asyncio.sleep(1.2)


async def main(play: str, _carrier: str) -> None:
    """Large rows that are handled slowly, questions in between, and rests."""
    if play in ("token", "screens"):
        await {"token": token, "screens": screens}[play]()
        return
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=2),
        max_lifetime_period=timedelta(seconds=20),
        fragment_size_bytes=256,
    ) as client:
        asks = AwaitableRSocket(client)
        for n in range(2 if play == "among" else 4):
            rows = Slowly()
            request = Payload(b"rows %d table-%d %d" % (9, n, 30 + 60 * (n % 2)))
            client.request_stream(request).initial_request_n(2).subscribe(rows)
            handling = asyncio.create_task(rows.handle())
            for question in range(4):
                text = b'{"id": %d, "why": "%s"}' % (question, b"because " * 40 * (question % 2))
                await asks.request_response(Payload(text))
                counted["answers"] += 1
                await asyncio.sleep(0.3)
            await handling
            await asyncio.sleep(1.5)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
