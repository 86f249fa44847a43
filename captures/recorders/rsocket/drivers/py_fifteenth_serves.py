"""The server of rsocket-py in the fifteenth round of the blind test; prints what it counted."""

import asyncio
import json
import sys

from rsocket.helpers import create_future
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_server import RSocketServer
from rsocket.transports.tcp import TransportTCP

counted = {"questions": 0}


class Handler(BaseRequestHandler):
    """Answers questions, and has nothing for streams."""

    async def request_response(self, payload: Payload) -> asyncio.Future:
        """Answers a question."""
        counted["questions"] += 1
        return create_future(Payload(b"answer to " + payload.data))


async def main() -> None:
    """Serves until its input ends."""

    def session(*connection: object) -> None:
        RSocketServer(TransportTCP(*connection), handler_factory=Handler)

    server = await asyncio.start_server(session, "broker", 7000)
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(counted), flush=True)
    server.close()


asyncio.run(main())
