"""A busy client by rsocket-py, for half a minute; prints as JSON what it counted."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

HOST, PORT = "broker", 7000
TEXT = WellKnownMimeTypes.TEXT_PLAIN
END = time.monotonic() + 26
counted: Counter[str] = Counter()


async def again(every: float, lost: asyncio.Event, task: Callable[[], Awaitable[object]]) -> None:
    """Repeats a task until the end, or until the connection is lost."""
    while time.monotonic() < END and not lost.is_set():
        try:
            got = await asyncio.wait_for(task(), 4)
            counted["payloads"] += len(got) if isinstance(got, list) else 1
        except TimeoutError:
            lost.set()
        except Exception as problem:  # noqa: BLE001
            counted["errors"] += 1
            if "boom" not in str(problem):
                lost.set()
        await asyncio.sleep(every)


async def connected() -> None:
    """Works on one connection while it lasts."""
    transport = TransportTCP(*await asyncio.open_connection(HOST, PORT))
    lost = asyncio.Event()
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=TEXT,
        metadata_encoding=TEXT,
        keep_alive_period=timedelta(seconds=1),
        max_lifetime_period=timedelta(seconds=10),
        fragment_size_bytes=1024,
    ) as client:
        ask = AwaitableRSocket(client)

        async def fire() -> None:
            client.fire_and_forget(Payload(b"metric"))

        await asyncio.gather(
            again(0.12, lost, lambda: ask.request_response(Payload(b"ping"))),
            again(0.9, lost, lambda: ask.request_response(Payload(b"error plain"))),
            again(0.7, lost, lambda: ask.request_stream(Payload(b"20"), limit_rate=8)),
            again(1.5, lost, lambda: ask.request_stream(Payload(b"slow 15"))),
            again(0.25, lost, fire),
            again(3, lost, lambda: ask.request_response(Payload(b"0123456789" * 300))),
        )


async def main() -> None:
    pause = 0.2
    while time.monotonic() < END:
        try:
            await connected()
            pause = 0.2
        except Exception:  # noqa: BLE001
            counted["attempts"] += 1
        await asyncio.sleep(pause)
        pause = min(1, 2 * pause)


asyncio.run(main())
print(json.dumps(counted))
