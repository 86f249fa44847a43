"""What rsocket-py is made to do in the eighth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from contextlib import suppress
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.helpers import authenticate_simple, composite, route
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "failed": 0}
WHO = authenticate_simple("user", "throwaway")


async def life(number: int, *, in_setup: bool) -> None:
    """One connection; the name and password stand in SETUP, or in each request alone."""
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        metadata_encoding=WellKnownMimeTypes.MESSAGE_RSOCKET_COMPOSITE_METADATA,
        keep_alive_period=timedelta(seconds=5),
        max_lifetime_period=timedelta(seconds=30),
        setup_payload=Payload(metadata=composite(WHO)) if in_setup else None,
    ) as client:
        asks = AwaitableRSocket(client)
        for n in range(4):
            metadata = (
                composite(route("shell.status"))
                if in_setup
                else composite(route("shell.status"), WHO)
            )
            try:
                request = asks.request_response(Payload(b"status %d.%d" % (number, n), metadata))
                await asyncio.wait_for(request, 3)
                counted["answers"] += 1
            except Exception:  # noqa: BLE001
                counted["failed"] += 1
                break
            await asyncio.sleep(0.12)


async def main(play: str, _carrier: str) -> None:
    """Seven starts of a program."""
    for number in range(7):
        with suppress(Exception):
            await asyncio.wait_for(life(number, in_setup=play == "authenticates"), 14)
        await asyncio.sleep(0.35)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
