"""Public clients and servers of RSocket, with the named faults and lost connections between them.

rsocket-java is fetched by Maven once.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from captures.recorders.rsocket import clients
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


RESUMES = """
import io.rsocket.*;
import io.rsocket.core.*;
import io.rsocket.transport.netty.client.*;
import io.rsocket.transport.netty.server.*;
import io.rsocket.util.DefaultPayload;
import java.net.URI;
import java.time.Duration;
import java.util.*;
import reactor.core.publisher.*;
import reactor.util.retry.Retry;
public class Resumes {
    public static void main(String[] a) throws Exception {
        String host = a[2];
        int port = Integer.parseInt(a[1]);
        boolean web = a[3].equals("ws");
        if (a[0].equals("serve")) {
            SocketAcceptor numbers = SocketAcceptor.forRequestStream(each -> Flux.range(0, 400)
                .delayElements(Duration.ofMillis(5))
                .map(n -> DefaultPayload.create("item " + n)));
            RSocketServer made = RSocketServer.create(numbers)
                .resume(new Resume().sessionDuration(Duration.ofSeconds(30)));
            if (web) {
                made.bindNow(WebsocketServerTransport.create(host, port));
            } else {
                made.bindNow(TcpServerTransport.create(host, port));
            }
            Thread.sleep(600_000);
        }
        RSocketConnector how = RSocketConnector.create()
            .resume(new Resume().retry(Retry.fixedDelay(50, Duration.ofMillis(100))));
        RSocket client = (web
            ? how.connect(WebsocketClientTransport.create(URI.create("ws://" + host + ":" + port)))
            : how.connect(TcpClientTransport.create(host, port))).block(Duration.ofSeconds(10));
        List<String> got = client.requestStream(DefaultPayload.create("all"))
            .map(each -> each.getDataUtf8()).collectList().block(Duration.ofSeconds(60));
        List<String> all = new ArrayList<>();
        for (int n = 0; n < 400; n++) {
            all.add("item " + n);
        }
        System.out.println(got.size() + " " + got.equals(all));
        client.dispose();
        Runtime.getRuntime().halt(0);
    }
}
"""


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The words that run the class with rsocket-java on its path."""
    clients.prepare({"java"})
    folder = tmp_path_factory.mktemp("client")
    (folder / "Resumes.java").write_text(RESUMES)
    path = f"{folder}:{clients.CLIENTS}/rsocket_java/lib/*"
    subprocess.run(["javac", "-proc:none", "-cp", path, str(folder / "Resumes.java")], check=True)
    return ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, "Resumes"]


@pytest.mark.parametrize("scheme", ["tcp", "ws"])
def test_a_session_is_resumed_through_the_proxy(
    scheme: str, java: list[str], tmp_path: Path
) -> None:
    """Connections are reset twice within a stream: every item arrives once, in order."""
    (port,) = free_ports(1)
    out = tmp_path / "out.pcapng"
    resets = [f"rsocket.payload -> reset on call {each}" for each in (100, 250)]
    with (
        running([*java, "serve", str(port), "127.0.0.1", scheme], port, tmp_path / "log"),
        Proxy(
            f"{scheme}://127.0.0.1:{port}", faults=resets, write=out, ports=None,
            notice=lambda _: None,
        ) as proxy,
    ):  # fmt: skip
        words = [*java, "ask", str(proxy.port), proxy.host, scheme]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=90)
        assert [each.used for each in (proxy.faults[1], proxy.faults[2])] == [1, 1]
    assert done.stdout.splitlines()[-1:] == ["400 true"], done.stdout + done.stderr
    rows = list(streamshark.open(str(out)))
    assert len({each.flow for each in rows}) == 3
    assert sum(each.command == "resume_ok" for each in rows) == 2
    assert {each.severity for each in streamshark.check(str(out))} <= {"chat", "note", "warning"}
