"""Serves with rsocket-py until its input ends: a channel whose items are requested one by one."""

import asyncio
import json
import sys

from reactivestreams.publisher import DefaultPublisher
from reactivestreams.subscriber import DefaultSubscriber, Subscriber
from reactivestreams.subscription import DefaultSubscription, Subscription
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_server import RSocketServer
from rsocket.transports.tcp import TransportTCP

counted = {"served": 0}


class Stored(DefaultPublisher, DefaultSubscriber, DefaultSubscription):
    """Answers each sample and asks for the next one, after the last one too."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Answers a requester."""
        self.to = subscriber
        subscriber.on_subscribe(self)

    def on_subscribe(self, subscription: Subscription) -> None:
        """Asks for the first sample."""
        self.of = subscription
        subscription.request(1)

    def on_next(self, value: Payload, is_complete: bool = False) -> None:  # noqa: FBT001, FBT002
        """Answers a sample."""
        counted["served"] += 1
        self.to.on_next(Payload(b"stored " + (value.data or b"")), is_complete)
        self.of.request(1)

    def on_complete(self) -> None:
        """Ends the answers."""
        self.to.on_complete()


class Handler(BaseRequestHandler):
    """Serves channels and answers requests."""

    async def request_channel(self, payload: Payload) -> tuple:  # noqa: ARG002
        """Serves a channel."""
        channel = Stored()
        return channel, channel

    async def request_response(self, payload: Payload) -> asyncio.Future:
        """Answers a request."""
        answer: asyncio.Future = asyncio.get_running_loop().create_future()
        answer.set_result(Payload(b"answer to " + (payload.data or b"")))
        return answer


async def main() -> None:
    """Serves until the input ends."""
    server = await asyncio.start_server(
        lambda *streams: RSocketServer(TransportTCP(*streams), handler_factory=Handler),
        "broker",
        7000,
    )
    async with server:
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(counted), flush=True)


asyncio.run(main())
