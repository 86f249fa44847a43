"""What rsocket-py is made to do in the fourth round of the blind test; prints what it counted."""

import asyncio
import base64
import json
import sys
import time
from datetime import timedelta

from rsocket.awaitable.awaitable_rsocket import AwaitableRSocket
from rsocket.extensions.helpers import authenticate_bearer, composite, route
from rsocket.extensions.mimetypes import WellKnownMimeTypes
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

counted = {"answers": 0, "errors": 0}


def part(data: bytes) -> str:
    """A part of a JWT."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token() -> str:
    """A JWT that expires in two seconds."""
    now = int(time.time())
    claims = {"sub": "throwaway", "aud": "orders", "iat": now, "exp": now + 2}
    parts = [
        json.dumps(each, separators=(",", ":")).encode()
        for each in ({"alg": "HS256", "typ": "JWT"}, claims)
    ]
    return ".".join(map(part, [*parts, bytes(range(32))]))


async def main(*, renews: bool) -> None:
    transport = TransportTCP(*await asyncio.open_connection("broker", 7000))
    async with RSocketClient(
        single_transport_provider(transport),
        data_encoding=WellKnownMimeTypes.TEXT_PLAIN,
        metadata_encoding=WellKnownMimeTypes.MESSAGE_RSOCKET_COMPOSITE_METADATA,
        keep_alive_period=timedelta(seconds=5),
        max_lifetime_period=timedelta(seconds=30),
    ) as client:
        requester, bearer = AwaitableRSocket(client), token()
        for n in range(30):
            metadata = composite(route("orders.show"), authenticate_bearer(bearer))
            try:
                await requester.request_response(Payload(f"order {n}".encode(), metadata))
                counted["answers"] += 1
            except Exception:  # noqa: BLE001
                counted["errors"] += 1
                if renews:
                    bearer = token()
            await asyncio.sleep(0.15)


asyncio.run(main(renews=sys.argv[1] == "token_renewed_when_expired"))
print(json.dumps(counted))
