"""The server of rsocket-py in the eleventh round of the blind test; prints what it counted."""

import asyncio
import json
import sys

from reactivestreams.publisher import Publisher
from rsocket.helpers import create_future
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_server import RSocketServer
from rsocket.streams.stream_from_generator import StreamFromGenerator
from rsocket.transports.tcp import TransportTCP

counted = {"reports": 0, "questions": 0, "streams": 0}


class Workshop(BaseRequestHandler):
    """Counts reports, answers questions, and lists orders."""

    async def request_fire_and_forget(self, _payload: Payload) -> None:
        """Counts a report."""
        counted["reports"] += 1

    async def request_response(self, payload: Payload) -> asyncio.Future:
        """Answers a question."""
        counted["questions"] += 1
        await asyncio.sleep(0.01)
        return create_future(Payload(b"answer to " + payload.data))

    async def request_stream(self, payload: Payload) -> Publisher:
        """Lists orders."""
        counted["streams"] += 1
        rows = int(payload.data.split()[1])

        def items() -> object:
            for n in range(rows):
                yield Payload(b"order %d" % n), n == rows - 1

        return StreamFromGenerator(items)


async def main() -> None:
    """Serves until its input ends."""

    def session(*connection: object) -> None:
        RSocketServer(TransportTCP(*connection), handler_factory=Workshop)

    server = await asyncio.start_server(session, "broker", 7000)
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(counted), flush=True)
    server.close()


asyncio.run(main())
