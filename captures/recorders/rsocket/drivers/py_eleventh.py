"""What rsocket-py is made to do in the eleventh round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "given_up": 0, "items": 0}


async def main(_play: str, _carrier: str) -> None:
    """A shop that asks for prices and stocks, and gives up a question after a second."""
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=3),
        max_lifetime_period=timedelta(seconds=30),
    ) as client:
        asks = AwaitableRSocket(client)
        for n in range(12):
            what = b"stock of article %d" if n % 2 else b"price of article %d"
            try:
                await asyncio.wait_for(asks.request_response(Payload(what % n)), 1)
                counted["answers"] += 1
            except TimeoutError:
                counted["given_up"] += 1
            counted["items"] += len(await asks.request_stream(Payload(b"rows 3 page-%d" % n)))
            await asyncio.sleep(0.1)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
