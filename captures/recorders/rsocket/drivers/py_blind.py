"""Plays the blind test with rsocket-py: PLAY tcp; prints as JSON what it counted."""

import asyncio
import json
import sys
from collections import Counter
from datetime import timedelta

from reactivestreams.subscriber import DefaultSubscriber
from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.helpers import (
    authenticate_bearer,
    composite,
    data_mime_type,
    metadata_item,
    route,
)
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

HOST, PORT = "broker", 7000
TEXT = WellKnownMimeTypes.TEXT_PLAIN
COMPOSITE = WellKnownMimeTypes.MESSAGE_RSOCKET_COMPOSITE_METADATA
counted: Counter[str] = Counter()


class Items(DefaultSubscriber):
    """Counts what comes; the request has asked for everything."""

    def on_subscribe(self, subscription: object) -> None:  # noqa: D102
        pass

    def on_next(self, *_: object) -> None:  # noqa: D102
        counted["items"] += 1


async def streams_left_running(client: RSocketClient) -> None:
    for _ in range(6):
        client.request_stream(Payload(b"slow 400")).subscribe(Items())
        await asyncio.sleep(0.25)
    await asyncio.sleep(0.5)


async def metadata_of_many_kinds(client: RSocketClient) -> None:
    ask = AwaitableRSocket(client)
    for at, metadata in enumerate(
        (
            composite(route("orders.find")),
            composite(authenticate_bearer("throwaway.token"), route("orders.find", "shard-2")),
            composite(metadata_item(b"", b"x/trace"), route("orders.find")),
            composite(data_mime_type(TEXT), metadata_item(b"a=b", b"x/baggage")),
            composite(metadata_item(b"{}", WellKnownMimeTypes.APPLICATION_JSON.value.name)),
            None,
        )
    ):
        await asyncio.wait_for(ask.request_response(Payload(b'{"id": %d}' % at, metadata)), 5)
        counted["answers"] += 1


async def main(play: str, _: str) -> None:
    transport = TransportTCP(*await asyncio.open_connection(HOST, PORT))
    kinds = play == "metadata_of_many_kinds"
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=WellKnownMimeTypes.APPLICATION_JSON if kinds else TEXT,
        metadata_encoding=COMPOSITE if kinds else TEXT,
        keep_alive_period=timedelta(seconds=2),
        max_lifetime_period=timedelta(seconds=20),
    ) as client:
        await globals()[play](client)
        await asyncio.sleep(0.2)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
