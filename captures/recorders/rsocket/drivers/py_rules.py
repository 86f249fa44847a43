"""What rsocket-py is made to do with METADATA_PUSH and a silent server; prints its counts."""

import asyncio
import json
import sys
from contextlib import suppress
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "errors": 0, "pushed": 0}


async def connect() -> RSocketClient:
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    return RSocketClient(
        single_transport_provider(transport),
        keep_alive_period=timedelta(seconds=1),
        max_lifetime_period=timedelta(seconds=3),
    )


async def pushes(number: int, pause: float) -> None:
    async with await connect() as client:
        for n in range(number):
            client.metadata_push(b"level %d" % n)
            counted["pushed"] += 1
            await asyncio.sleep(pause)
        await AwaitableRSocket(client).request_response(Payload(b"price of article 1"))


async def stays() -> None:
    async with await connect() as client:
        for n in range(45):
            try:
                asked = AwaitableRSocket(client).request_response(Payload(b"price %d" % n))
                await asyncio.wait_for(asked, 1)
                counted["answers"] += 1
            except Exception:
                counted["errors"] += 1
            await asyncio.sleep(0.4)


async def visits() -> None:
    """Another client, on another host."""
    streams = await asyncio.open_connection("broker", 7000, local_addr=("127.0.0.2", 0))
    async with RSocketClient(
        single_transport_provider(TransportTCP(*streams)), data_encoding=b"text/plain"
    ) as client:
        for n in range(3):
            await AwaitableRSocket(client).request_response(Payload(b"price %d" % n))
            counted["answers"] += 1
            await asyncio.sleep(0.3)


PLAYS = {
    "visits": visits,
    "pushes": lambda: pushes(400, 0),
    "pushes_slowly": lambda: pushes(300, 0.03),
    "stays": stays,
}
with suppress(Exception):
    asyncio.run(PLAYS[sys.argv[1]]())
print(json.dumps(counted))
