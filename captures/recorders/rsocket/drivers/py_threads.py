"""Plays scenarios from threads with rsocket-py: PLAY tcp; prints as JSON what it counted."""

import asyncio
import json
import sys
from collections import Counter
from datetime import timedelta

from reactivestreams.subscriber import DefaultSubscriber
from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

HOST, PORT = "broker", 7000
TEXT = WellKnownMimeTypes.TEXT_PLAIN
counted: Counter[str] = Counter()


async def tried(ask: AwaitableRSocket, data: bytes) -> bool:
    try:
        await asyncio.wait_for(ask.request_response(Payload(data)), 5)
    except Exception:  # noqa: BLE001
        counted["errors"] += 1
        return False
    counted["answers"] += 1
    return True


async def refusal_repeated(ask: AwaitableRSocket) -> None:
    for _ in range(40):
        await tried(ask, b"error rejected")


async def retry_with_backoff(ask: AwaitableRSocket) -> None:
    for number in range(3):
        await tried(ask, b"error rejected")
        await asyncio.sleep(0.2 * 2**number)
    await tried(ask, b"ping")


class Eager(DefaultSubscriber):
    """Asks for its first items as soon as it is subscribed, as reactive streams have it."""

    def on_subscribe(self, subscription: object) -> None:  # noqa: D102
        subscription.request(4)

    def on_next(self, *_: object) -> None:  # noqa: D102
        counted["items"] += 1


async def request_n_before_stream(ask: AwaitableRSocket) -> None:
    for _ in range(3):
        ask._rsocket.request_stream(Payload(b"10")).subscribe(Eager())  # noqa: SLF001
        await asyncio.sleep(0.3)


async def main(play: str, _: str) -> None:
    transport = TransportTCP(*await asyncio.open_connection(HOST, PORT))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=TEXT,
        metadata_encoding=TEXT,
        keep_alive_period=timedelta(seconds=2),
        max_lifetime_period=timedelta(seconds=20),
    ) as client:
        await globals()[play](AwaitableRSocket(client))
        await asyncio.sleep(0.3)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
