"""What rsocket-py is made to do in the seventh round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "items": 0}


async def main(_play: str, _carrier: str) -> None:
    """Requests one after the other, then some at once, then streams."""
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        metadata_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        keep_alive_period=timedelta(seconds=5),
        max_lifetime_period=timedelta(seconds=30),
    ) as client:
        asks = AwaitableRSocket(client)
        for n in range(9):
            await asks.request_response(Payload(b"sensor %d" % n))
            counted["answers"] += 1
            await asyncio.sleep(0.09)
        for row in range(3):
            every = [asks.request_response(Payload(b"sensor %d%d" % (row, n))) for n in range(4)]
            counted["answers"] += len(await asyncio.gather(*every))
            await asyncio.sleep(0.15)
        for n in range(5):
            counted["items"] += len(await asks.request_stream(Payload(b"rows 6 S%d" % n), 3))
            await asyncio.sleep(0.12)
        await asyncio.sleep(0.3)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
