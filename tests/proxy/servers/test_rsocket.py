"""A public client and server of RSocket, with the named faults between them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.proxy.servers.running import free_ports, running

import streamshark
from streamshark.proxy import Proxy
from streamshark.proxy.client_command import variables
from streamshark.proxy.recipes import RECIPES

pytestmark = [pytest.mark.process, pytest.mark.sweep]
SERVER = """
import asyncio, sys
from datetime import timedelta
from rsocket.helpers import create_future
from rsocket.lease import SingleLeasePublisher
from rsocket.payload import Payload
from rsocket.request_handler import BaseRequestHandler
from rsocket.rsocket_server import RSocketServer
from rsocket.transports.tcp import TransportTCP

class Handler(BaseRequestHandler):
    async def request_response(self, payload):
        return create_future(Payload(b"answer"))

async def main():
    def session(*connection):
        leases = SingleLeasePublisher(
            maximum_request_count=100, maximum_lease_time=timedelta(seconds=60)
        )
        RSocketServer(TransportTCP(*connection), handler_factory=Handler,
                      lease_publisher=leases if sys.argv[2] == "lease" else None)
    await asyncio.start_server(session, "127.0.0.1", int(sys.argv[1]))
    await asyncio.sleep(3600)

asyncio.run(main())
"""
CLIENT = """
import asyncio, os, sys
from datetime import timedelta
from rsocket.helpers import single_transport_provider
from rsocket.payload import Payload
from rsocket.rsocket_client import RSocketClient
from rsocket.transports.tcp import TransportTCP

async def main():
    where = os.environ["STREAMSHARK_PROXY_HOST"], int(os.environ["STREAMSHARK_PROXY_PORT"])
    transport = single_transport_provider(TransportTCP(*await asyncio.open_connection(*where)))
    times = {"keep_alive_period": timedelta(seconds=1), "max_lifetime_period": timedelta(seconds=3)}
    async with RSocketClient(transport, honor_lease=sys.argv[1] == "lease", **times) as client:
        try:
            await asyncio.wait_for(client.request_response(Payload(b"question")), 2)
        except TimeoutError:
            print("no answer")
        await asyncio.sleep(float(sys.argv[2]))

asyncio.run(asyncio.wait_for(main(), 30))
"""


def test_every_named_fault(tmp_path: Path) -> None:
    """The client meets each, and `check` finds it in the recording."""
    with Failures() as failures:
        for each in RECIPES:
            if not each.name.startswith("rsocket"):
                continue
            (port,) = free_ports(1)
            kind = "lease" if "lease" in each.name else "plain"
            out = tmp_path / f"{each.name}.pcapng"
            server = [sys.executable, "-c", SERVER, str(port), kind]
            with (
                failures.of(each.name),
                running(server, port, tmp_path / "log"),
                Proxy(
                    f"tcp://127.0.0.1:{port}",
                    faults=[each.name],
                    write=out,
                    ports=None,
                    notice=lambda _: None,
                ) as proxy,
            ):
                seconds = "6" if "keepalive" in each.name else "0.3"
                subprocess.run(
                    [sys.executable, "-c", CLIENT, kind, seconds],
                    env={**os.environ, **variables(proxy.addresses)},
                    check=False,
                    timeout=60,
                )
                assert proxy.faults[1].used > 0
            with failures.of(each.name):
                assert each.finding in {found.rule for found in streamshark.check(str(out))}
