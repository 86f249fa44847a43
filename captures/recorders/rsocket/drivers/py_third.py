"""What rsocket-py is made to do in the third round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from datetime import timedelta

from rsocket import frame
from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

TEXT = WellKnownMimeTypes.TEXT_PLAIN
counted = {"answers": 0}


async def connect(period: int, lifetime: int) -> RSocketClient:
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    return RSocketClient(
        single_transport_provider(transport),
        data_encoding=TEXT,
        metadata_encoding=TEXT,
        keep_alive_period=timedelta(seconds=period),
        max_lifetime_period=timedelta(seconds=lifetime),
    )


def probe(data: bytes = b"") -> frame.KeepAliveFrame:
    """A KEEPALIVE that wants an answer."""
    made = frame.KeepAliveFrame(data=data) if data else frame.KeepAliveFrame()
    made.flags_respond = True
    return made


def without_position(self: frame.KeepAliveFrame, middle: bytes = b"", flags: int = 0) -> bytes:
    """The prefix of KEEPALIVE as it was before issue 28 of rsocket-py."""
    if self.flags_respond:
        flags |= frame._FLAG_RESPOND_BIT  # noqa: SLF001
    return frame.Frame.serialize_frame_prefix(self, middle, flags)


async def keepalive_without_position() -> None:
    frame.KeepAliveFrame.serialize_frame_prefix = without_position
    for job in range(5):
        async with await connect(1, 5) as client:
            requester = AwaitableRSocket(client)
            for part in range(40):
                asked = requester.request_response(Payload(f"job {job} part {part}".encode()))
                try:
                    await asyncio.wait_for(asked, 0.6)
                except Exception:  # noqa: BLE001
                    break
                counted["answers"] += 1
                await asyncio.sleep(0.1)


async def keepalive_oftener_than_promised() -> None:
    async with await connect(20, 60) as client:
        requester = AwaitableRSocket(client)
        for n in range(100):
            client.send_frame(probe())
            if n % 10 == 0:
                await requester.request_response(Payload(f"load {n}".encode()))
                counted["answers"] += 1
            await asyncio.sleep(0.04)


async def probes_after_idle() -> None:
    async with await connect(1, 20) as client:
        requester = AwaitableRSocket(client)
        for turn in range(3):
            await asyncio.sleep(1.4)
            client.send_frame(probe(b"alive?"))
            await asyncio.sleep(0.05)
            for part in range(4):
                await requester.request_response(Payload(f"load {turn}-{part}".encode()))
                counted["answers"] += 1


asyncio.run(globals()[sys.argv[1]]())
print(json.dumps(counted))
