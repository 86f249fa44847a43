"""What rsocket-py is made to do in the second round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from collections.abc import Iterator
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.streams.stream_from_generator import StreamFromGenerator
from rsocket.transports.tcp import TransportTCP

HOST, PORT = "broker", 7000
TEXT = WellKnownMimeTypes.TEXT_PLAIN
counted = {"answers": 0}


async def first_item_twice(client: RSocketClient) -> None:
    ask = AwaitableRSocket(client)
    for basket in range(4):
        items = [f"basket {basket} item {at}".encode() for at in range(5)]

        def every(items: list[bytes] = items) -> Iterator[tuple[Payload, bool]]:
            for each in items:
                yield Payload(each), each is items[-1]

        channel = ask.request_channel(Payload(items[0]), StreamFromGenerator(every), 10)
        counted["answers"] += len(await asyncio.wait_for(channel, 5))


async def main(play: str, _: str) -> None:
    transport = TransportTCP(*await asyncio.open_connection(HOST, PORT))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=TEXT,
        metadata_encoding=TEXT,
        keep_alive_period=timedelta(seconds=2),
        max_lifetime_period=timedelta(seconds=20),
    ) as client:
        await globals()[play](client)
        await asyncio.sleep(0.3)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
