"""What rsocket-py does in threads that were read; prints what it counted."""

import asyncio
import json
import sys
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "lost": 0}


async def connect(every: float, host: str = "broker", **more: int) -> RSocketClient:
    """A connection whose KEEPALIVE comes at an interval of seconds."""
    transport = TransportTCP(*await asyncio.open_connection(host, 7000))
    return RSocketClient(
        single_transport_provider(transport),
        data_encoding=b"text/plain",
        metadata_encoding=b"text/plain",
        keep_alive_period=timedelta(seconds=every),
        max_lifetime_period=timedelta(seconds=60),
        **more,
    )


async def ask(client: RSocketClient, text: bytes, wait: float = 4) -> None:
    """Asks a question."""
    try:
        await asyncio.wait_for(AwaitableRSocket(client).request_response(Payload(text)), wait)
        counted["answers"] += 1
    except Exception:  # noqa: BLE001
        counted["lost"] += 1


async def meters(every: float, rounds: int) -> None:
    """Readings of meters every six seconds, over another connection if the last one was lost."""
    for number in range(rounds):
        async with await connect(every) as client:
            for n in range(3):
                await ask(client, b"reading %d of meter %d" % (number, n))
            await asyncio.sleep(6)


async def last() -> None:
    """Requests with the last stream ids."""
    async with await connect(2) as client:
        client._stream_control._current_stream_id = 0x7FFFFFFF - 8  # noqa: SLF001
        for n in range(8):
            await ask(client, b"reading %d" % n)
            await asyncio.sleep(0.4)


async def pictures() -> None:
    """Pictures in fragments, and questions about them in one frame."""
    async with await connect(2, fragment_size_bytes=256) as client:
        for n in range(6):
            await ask(client, b"title of picture %d" % n)
            await ask(client, b"picture %d: " % n + b"0123456789abcdef" * 50, 1.2)


async def gauge(*, again: bool) -> None:
    """Levels of a gauge, perhaps over another connection when the last one was lost."""
    client = await (await connect(1, "127.0.0.2")).__aenter__()
    for n in range(60):
        lost = counted["lost"]
        await ask(client, b"level %d" % n, 0.6)
        if again and counted["lost"] > lost:
            await asyncio.sleep(2.5)
            client = await (await connect(1, "127.0.0.2")).__aenter__()
        await asyncio.sleep(0.3)
    await client.close()


PLAYS = {
    "stays": lambda: gauge(again=False),
    "returns": lambda: gauge(again=True),
    "meters": lambda: meters(20, 4),
    "often": lambda: meters(2, 3),
    "last": last,
    "pictures": pictures,
}
asyncio.run(asyncio.wait_for(PLAYS[sys.argv[1]](), 60))
print(json.dumps(counted))
