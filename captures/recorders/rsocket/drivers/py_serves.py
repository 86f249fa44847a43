"""Serves with rsocket-py's router until its input ends; prints as JSON what it counted."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Awaitable

from rsocket.helpers import create_response
from rsocket.payload import Payload
from rsocket.routing.request_router import RequestRouter
from rsocket.routing.routing_request_handler import RoutingRequestHandler
from rsocket.rsocket_server import RSocketServer
from rsocket.transports.tcp import TransportTCP

HOST, PORT = "broker", 7000
counted: Counter[str] = Counter()
router = RequestRouter()


@router.response("on.message")
async def on_message(payload: Payload) -> Awaitable[Payload]:
    counted["served"] += 1
    return create_response(b"pong " + payload.data)


def serve(*both: object) -> None:
    RSocketServer(TransportTCP(*both), handler_factory=lambda: RoutingRequestHandler(router))


async def main() -> None:
    await asyncio.start_server(serve, HOST, PORT)
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
print(json.dumps(counted))
