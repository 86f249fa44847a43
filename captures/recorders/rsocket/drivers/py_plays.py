"""Plays scenarios with rsocket-py; prints as JSON what it counted.

    py_plays.py PLAY tcp|websocket

The server is another program, but for the play `own`.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta

from aiohttp import web
from reactivestreams.publisher import Publisher
from reactivestreams.subscriber import DefaultSubscriber, Subscriber
from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.awaitable.collector_subscriber import CollectorSubscriber
from rsocket.error_codes import ErrorCode
from rsocket.exceptions import RSocketProtocolError
from rsocket.extensions.helpers import (
    authenticate_bearer,
    authenticate_simple,
    composite,
    data_mime_type,
    data_mime_types,
    metadata_item,
    route,
)
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import create_future, create_response, single_transport_provider
from rsocket.lease import SingleLeasePublisher
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_client import RSocketClient
from rsocket.rsocket_server import RSocketServer
from rsocket.streams.stream_from_generator import StreamFromGenerator
from rsocket.transports.aiohttp_websocket import TransportAioHttpClient, websocket_handler_factory
from rsocket.transports.tcp import TransportTCP

HOST, PORT = "broker", 7000
TEXT = WellKnownMimeTypes.TEXT_PLAIN
counted: Counter[str] = Counter()


class Handler(BaseRequestHandler):
    """Answers requests; the first word of the data says how."""

    async def request_response(self, payload: Payload) -> Awaitable[Payload]:  # noqa: D102
        counted["served_request_response"] += 1
        asked = payload.data.decode()
        if asked == "never":
            return create_future()
        if asked.startswith("error "):
            raise RSocketProtocolError(ErrorCode[asked.split()[1]], data="on purpose")
        return create_response(b"pong", None)

    async def request_stream(self, payload: Payload) -> Publisher:  # noqa: D102
        counted["served_request_stream"] += 1
        asked = payload.data.decode().split()
        if asked[0] == "error":
            raise RSocketProtocolError(ErrorCode[asked[1]], data="on purpose")
        return StreamFromGenerator(
            lambda: self.items(int(asked[-1])),
            delay_between_messages=timedelta(milliseconds=30 if asked[0] == "slow" else 0),
        )

    def items(self, number: int) -> Iterator[tuple[Payload, bool]]:
        """So many, the last one complete."""
        for at in range(number):
            yield Payload(b"item %d" % at), at == number - 1

    async def request_fire_and_forget(self, payload: Payload) -> None:  # noqa: ARG002, D102
        counted["served_fire_and_forget"] += 1

    async def request_channel(  # noqa: D102
        self,
        payload: Payload,  # noqa: ARG002
    ) -> tuple[Publisher, Subscriber]:
        counted["served_request_channel"] += 1
        subscriber = DefaultSubscriber(on_subscribe=lambda subscription: subscription.request(8))
        return StreamFromGenerator(lambda: self.items(3)), subscriber

    async def on_metadata_push(self, payload: Payload) -> None:  # noqa: ARG002, D102
        counted["served_metadata_push"] += 1

    async def on_error(  # noqa: D102
        self,
        error_code: ErrorCode,  # noqa: ARG002
        payload: Payload,  # noqa: ARG002
    ) -> None:
        counted["connection_errors"] += 1


@asynccontextmanager
async def client(carrier: str, **options: object) -> AsyncIterator[AwaitableRSocket]:
    """A connection to the server."""
    if carrier == "tcp":
        transport = TransportTCP(*await asyncio.open_connection(HOST, PORT))
    else:
        transport = TransportAioHttpClient(f"ws://{HOST}:{PORT}/rsocket")
    options = {
        "data_encoding": TEXT,
        "metadata_encoding": TEXT,
        "keep_alive_period": timedelta(seconds=2),
        "max_lifetime_period": timedelta(seconds=20),
        "handler_factory": Handler,
    } | options
    async with RSocketClient(single_transport_provider(transport), **options) as connected:
        yield AwaitableRSocket(connected)


async def heard(name: str, waited: Awaitable[object]) -> None:
    """Counts what an answer brings, or an error."""
    try:
        got = await asyncio.wait_for(waited, 10)
    except TimeoutError:
        counted["timeouts"] += 1
    except Exception:  # noqa: BLE001
        counted["errors"] += 1
    else:
        counted[name] += len(got) if isinstance(got, list) else 1


async def interactions(carrier: str) -> None:
    async with client(carrier) as ask:
        for asked in (b"ping", b"longer ping"):
            await heard("answers", ask.request_response(Payload(asked, b"meta")))
        await ask.fire_and_forget(Payload(b"fire"))
        await heard("items", ask.request_stream(Payload(b"5")))
        await heard("items_of_3", ask.request_stream(Payload(b"10"), limit_rate=3))
        sent = StreamFromGenerator(lambda: Handler().items(5))
        await heard("echoes", ask.request_channel(Payload(b"first"), sent, limit_rate=4))
        await ask.metadata_push(b"pushed")
        await asyncio.sleep(0.3)


async def errors(carrier: str) -> None:
    async with client(carrier) as ask:
        for code in (b"plain", b"rejected", b"invalid"):
            await heard("answers", ask.request_response(Payload(b"error " + code)))
            await heard("items", ask.request_stream(Payload(b"error " + code)))


async def cancels(carrier: str) -> None:
    async with client(carrier) as ask:
        rsocket = ask._rsocket  # noqa: SLF001
        collector = CollectorSubscriber(limit_count=3)
        rsocket.request_stream(Payload(b"slow 100")).subscribe(collector)
        await heard("items", collector.run())
        waiting = rsocket.request_response(Payload(b"never"))
        await asyncio.sleep(0.2)
        waiting.cancel()
        await asyncio.sleep(0.3)


async def composite_metadata(carrier: str) -> None:
    options = {
        "metadata_encoding": WellKnownMimeTypes.MESSAGE_RSOCKET_COMPOSITE_METADATA,
        "data_encoding": WellKnownMimeTypes.APPLICATION_JSON,
        "setup_payload": Payload(
            b'{"hello": true}', composite(authenticate_simple("user", "throwaway"))
        ),
    }
    async with client(carrier, **options) as ask:
        for at, metadata in enumerate(
            (
                composite(route("users.find")),
                composite(route("users.find", "shard-7"), authenticate_bearer("throwaway.token")),
                composite(data_mime_type(TEXT), data_mime_types(TEXT, b"x/custom")),
                composite(metadata_item(b"custom", b"x/custom"), route("last")),
            )
        ):
            await heard("answers", ask.request_response(Payload(b'{"id": %d}' % at, metadata)))


async def fragments(carrier: str) -> None:
    large = b"0123456789" * 20
    async with client(carrier, fragment_size_bytes=64) as ask:
        await heard("answers", ask.request_response(Payload(large, large[:100])))
        await ask.fire_and_forget(Payload(large))
        await heard("items", ask.request_stream(Payload(b"2", large[:100])))
        sent = StreamFromGenerator(lambda: iter([(Payload(large), True)]))
        await heard("echoes", ask.request_channel(Payload(large), sent))


async def large_payloads(carrier: str) -> None:
    large = [Payload(bytes([97 + at]) * 5000) for at in range(6)]
    async with client(carrier) as ask:
        sent = StreamFromGenerator(lambda: ((each, each is large[-1]) for each in large[1:]))
        await heard("echoes", ask.request_channel(large[0], sent))


async def keepalive(carrier: str) -> None:
    period = timedelta(milliseconds=400)
    async with client(carrier, keep_alive_period=period) as ask:
        await asyncio.sleep(1.5)
        await heard("answers", ask.request_response(Payload(b"ping")))


async def answers_server(carrier: str) -> None:
    async with client(carrier) as ask:
        await heard("answers", ask.request_response(Payload(b"ping")))
        await asyncio.sleep(1.5)


async def lease(carrier: str) -> None:
    leases = SingleLeasePublisher(3, timedelta(seconds=5))
    async with client(carrier, honor_lease=True, lease_publisher=leases) as ask:
        await asyncio.gather(
            *(heard("answers", ask.request_response(Payload(b"ping"))) for _ in range(5))
        )


async def refused(carrier: str) -> None:
    async with client(carrier) as ask:
        await heard("answers", asyncio.wait_for(ask.request_response(Payload(b"ping")), 1))


async def own(carrier: str) -> None:
    """Its own server, which answers with errors of every code too."""
    options = {"handler_factory": Handler, "fragment_size_bytes": 64}
    if carrier == "tcp":
        listening = await asyncio.start_server(
            lambda *both: RSocketServer(TransportTCP(*both), **options), HOST, PORT
        )
    else:
        application = web.Application()
        application.router.add_get("/rsocket", websocket_handler_factory(**options))
        runner = web.AppRunner(application)
        await runner.setup()
        listening = web.TCPSite(runner, HOST, PORT)
        await listening.start()
    await interactions(carrier)
    async with client(carrier) as ask:
        for code in ("REJECTED", "CANCELED", "INVALID", "APPLICATION_ERROR"):
            await heard("answers", ask.request_response(Payload(f"error {code}".encode())))
            await heard("items", ask.request_stream(Payload(f"error {code}".encode())))


async def one_response(carrier: str) -> None:
    async with client(carrier) as ask:
        await heard("answers", ask.request_response(Payload(b"ping")))
        await asyncio.sleep(0.5)


async def two_responses(carrier: str) -> None:
    async with client(carrier) as ask:
        for _ in range(2):
            await heard("answers", ask.request_response(Payload(b"ping")))
            await asyncio.sleep(0.3)


async def one_fire(carrier: str) -> None:
    async with client(carrier) as ask:
        await ask.fire_and_forget(Payload(b"fire"))
        await asyncio.sleep(0.5)


async def one_stream(carrier: str) -> None:
    async with client(carrier) as ask:
        await heard("items", ask.request_stream(Payload(b"10"), limit_rate=3))
        await asyncio.sleep(0.3)


async def one_channel(carrier: str) -> None:
    async with client(carrier) as ask:
        sent = StreamFromGenerator(lambda: Handler().items(3))
        await heard("echoes", ask.request_channel(Payload(b"first"), sent))
        await asyncio.sleep(0.3)


PLAYS = {
    "one_response": one_response,
    "two_responses": two_responses,
    "one_fire": one_fire,
    "one_stream": one_stream,
    "one_channel": one_channel,
    "interactions": interactions,
    "errors": errors,
    "cancels": cancels,
    "composite_metadata": composite_metadata,
    "fragments": fragments,
    "large_payloads": large_payloads,
    "keepalive": keepalive,
    "requests_from_server": answers_server,
    "lease": lease,
    "setup_refused": refused,
    "own_server": own,
}


async def main(play: str, carrier: str) -> None:
    """Plays and ends, whatever tasks are left."""
    await asyncio.wait_for(PLAYS[play](carrier), 60)
    await asyncio.sleep(0.2)


asyncio.run(main(*sys.argv[1:]))
print(json.dumps(counted))
