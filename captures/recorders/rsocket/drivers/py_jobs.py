"""Starts a job of rsocket-py for each request: it connects, asks once and ends. Prints a count."""

import asyncio
import json
import subprocess
import sys

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

JOBS = 9


async def job(number: str) -> None:
    """Asks once."""
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        metadata_encoding=WellKnownMimeTypes.TEXT_PLAIN,
    ) as client:
        await AwaitableRSocket(client).request_response(Payload(f"job {number}".encode()))


if sys.argv[1] == "job":
    asyncio.run(job(sys.argv[2]))
else:
    for number in range(JOBS):
        subprocess.run([sys.executable, __file__, "job", str(number)], check=True)
    print(json.dumps({"answers": JOBS}))
