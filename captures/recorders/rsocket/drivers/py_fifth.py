"""What rsocket-py is made to do in the fifth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
import time
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

JOBS = ("billing", "reminders", "archive")


async def replica(play: str, first: str) -> None:
    """A scheduler with a clock of its own; replicas share the jobs, or each runs all."""
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        metadata_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        keep_alive_period=timedelta(seconds=5),
        max_lifetime_period=timedelta(seconds=30),
    ) as client:
        name, begin = first[0], float(first[1:])
        for n in range(9):
            await asyncio.sleep(max(0.0, begin + n * 0.5 - time.time()))
            job = f"run {JOBS[n % 3]} of hour {n}"
            if play == "jobs_shared_by_replicas" and (n % 2 == 0) != (name == "a"):
                job = f"ping {n} from {name}"
            await AwaitableRSocket(client).request_response(Payload(job.encode()))
        await asyncio.sleep(0.3)


asyncio.run(replica(*sys.argv[1:]))
print(json.dumps({"answers": 9}))
