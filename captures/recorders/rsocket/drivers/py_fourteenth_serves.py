"""The server of rsocket-py in the fourteenth round of the blind test; prints what it counted."""

import asyncio
import json
import sys
from typing import ClassVar

from reactivestreams.publisher import Publisher
from reactivestreams.subscriber import Subscriber
from reactivestreams.subscription import DefaultSubscription
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_server import RSocketServer
from rsocket.transports.tcp import TransportTCP

counted = {"questions": 0, "streams": 0, "sent": 0}


class Board(Publisher, DefaultSubscription):
    """Departures for the board that was subscribed last; its listeners stay."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Adds a listener."""
        Station.board = subscriber
        Station.listeners.append(lambda item: Station.board.on_next(Payload(item)))
        subscriber.on_subscribe(self)

    def request(self, n: int) -> None:
        """Sends on its own."""

    def cancel(self) -> None:
        """Leaves its listener."""


class Station(BaseRequestHandler):
    """Answers questions about orders with what lies where all requests share it."""

    order = ""
    board: Subscriber
    listeners: ClassVar[list] = []

    async def request_response(self, payload: Payload) -> asyncio.Future:
        """Answers a question."""
        counted["questions"] += 1
        asked = json.loads(payload.data)
        Station.order = asked["order"]
        loop = asyncio.get_running_loop()
        answer = loop.create_future()

        def done() -> None:
            state = {"state": "packed", "order": Station.order}
            answer.set_result(Payload(json.dumps(state).encode()))

        loop.call_later(0.06, done)
        return answer

    async def request_stream(self, _payload: Payload) -> Publisher:
        """Shows departures."""
        counted["streams"] += 1
        return Board()


async def departures() -> None:
    """Tells all listeners of a departure, again and again."""
    for number in range(1000):
        await asyncio.sleep(0.24)
        for listener in Station.listeners:
            listener(b'{"departure": %d, "line": %d}' % (number, number * 7 % 23))
            counted["sent"] += 1


async def main() -> None:
    """Serves until its input ends."""

    def session(*connection: object) -> None:
        RSocketServer(TransportTCP(*connection), handler_factory=Station)

    server = await asyncio.start_server(session, "broker", 7000)
    telling = asyncio.create_task(departures())
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(counted), flush=True)
    telling.cancel()
    server.close()


asyncio.run(main())
