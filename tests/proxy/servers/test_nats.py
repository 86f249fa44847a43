"""A cluster of nats-server: clients learn of the proxy alone, also of a node that joins later."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.capture.test_remote_program import until
from tests.cli.console import command, process
from tests.failures import Failures
from tests.proxy.servers.running import NATS_CLIENT, free_ports, running

import streamshark
from streamshark.proxy import Proxy
from streamshark.proxy.recipes import RECIPES

pytestmark = [pytest.mark.process, pytest.mark.slow]
TALKS = """
import asyncio, logging, sys
import nats
logging.basicConfig(level=logging.DEBUG, format="%(name)s %(levelname)s %(message)s")
async def main():
    async def failed(error):
        print("error", repr(error), flush=True)
    async def lost():
        print("disconnected", flush=True)
    async def back():
        print("reconnected", flush=True)
    client = await nats.connect(
        sys.argv[1], name="shop", reconnect_time_wait=0.1, max_reconnect_attempts=-1,
        error_cb=failed, disconnected_cb=lost, reconnected_cb=back,
    )
    print(client.connected_url.netloc, [each.netloc for each in client.servers], flush=True)
    async def answer(message):
        await message.respond(message.data[::-1])
    await client.subscribe("ask", cb=answer)
    got = []
    async def take(message):
        got.append((message.subject, message.data, message.headers))
    await client.subscribe("news.>", cb=take)
    for number in range(20):
        await client.publish(f"news.{number}", b"INFO {%d}" % number, headers={"a": str(number)})
    print((await client.request("ask", b"abc", timeout=5)).data, flush=True)
    try:
        await client.request("nobody", b"", timeout=5)
    except nats.errors.NoRespondersError as error:
        print(repr(error), flush=True)
    await client.flush()
    print(got, flush=True)
    if len(sys.argv) > 2:
        print("waits", flush=True)
        while True:  # until somebody has killed what it speaks to, or itself
            try:
                await client.request("ask", b"alive", timeout=1)
            except Exception as error:
                print(type(error).__name__, flush=True)
            else:
                print("alive", flush=True)
            await asyncio.sleep(0.1)
    await client.drain()
asyncio.run(main())
"""


def node(folder: Path, name: str, ports: list[int], routes: str) -> list[str]:
    """The command that runs a node."""
    path = folder / f"{name}.conf"
    path.write_text(
        f"listen: 127.0.0.1:{ports[0]}\ncluster {{ name: c, listen: 127.0.0.1:{ports[1]}, "
        f"routes: [{routes}] }}\n"
    )
    return ["nats-server", "-c", str(path)]


def urls(line: bytes) -> list[str]:
    """Where INFO says that servers are."""
    info = json.loads(line.removeprefix(b"INFO "))
    found: list[str] = info.get("connect_urls", [])
    return [f"{info['host']}:{info['port']}", *found]


def test_a_cluster(tmp_path: Path) -> None:
    """INFO that is sent again names the new node at an address of the proxy, which leads to it."""
    ports = free_ports(4)
    first = node(tmp_path, "a", ports[:2], "")
    second = node(tmp_path, "b", ports[2:], f'"nats://127.0.0.1:{ports[1]}"')
    with (
        running(first, ports[0], tmp_path / "a.log"),
        Proxy(
            f"nats://127.0.0.1:{ports[0]}", ports=range(26_000, 26_100), notice=lambda _: None
        ) as proxy,
        socket.create_connection((proxy.host, proxy.port), timeout=10) as client,
    ):
        read = client.makefile("rb")
        own = f"{proxy.host}:{proxy.port}"
        assert {*urls(read.readline())} == {own}
        client.sendall(b'CONNECT {"verbose":false,"protocol":1}\r\nPING\r\n')
        while not (line := read.readline()).startswith(b"PONG"):
            assert line
        with running(second, ports[2], tmp_path / "b.log"):
            while not (line := read.readline()).startswith(b"INFO"):
                assert line
            others = {*urls(line)} - {own}
            assert len(others) == 1
            host, _, port = others.pop().partition(":")
            assert int(port) in range(26_000, 26_100)
            with socket.create_connection((host, int(port)), timeout=10) as other:
                named = json.loads(other.makefile("rb").readline().removeprefix(b"INFO "))
            assert named["port"] == int(port)


@pytest.mark.parametrize(("size", "code"), [(5, 0), (4, 1)])
def test_a_client_is_judged(
    size: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--fail-on warning` is 0 for a healthy client, and 1 for one with a wrong size."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (port,) = free_ports(1)
    out = tmp_path / "out.pcapng"
    with running(["nats-server", "-a", "127.0.0.1", "-p", str(port)], port, tmp_path / "log"):
        words = ["proxy", f"nats://127.0.0.1:{port}", "-w", str(out), "--fail-on", "warning"]
        done = process(*words, "--", sys.executable, "-c", NATS_CLIENT % size)

    assert done.code == code, done.err
    assert process("check", "--fail-on", "warning", str(out)).code == code


def test_a_client_notices_the_host_alone(tmp_path: Path) -> None:
    """What it logs and gets is what it does without the proxy, but for the address."""
    (port,) = free_ports(1)
    server = ["nats-server", "-a", "127.0.0.1", "-p", str(port)]
    with (
        running(server, port, tmp_path / "log"),
        Proxy(f"nats://127.0.0.1:{port}", ports=None, notice=lambda _: None) as proxy,
    ):
        told = []
        for url in (f"nats://127.0.0.1:{port}", proxy.url):
            words = [sys.executable, "-c", TALKS, url]
            done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=30)
            told.append((done.stdout + done.stderr).replace(url.rpartition("/")[2], "HOST"))
    assert "b'cba'" in told[0]
    assert "NoRespondersError" in told[0]
    assert told[0].count("HOST") == 2
    assert told[0] == told[1]


def test_a_client_connects_again(tmp_path: Path) -> None:
    """After `kill -9` of its server and of the proxy; when it is killed, its connection ends."""
    port, mine, monitor = free_ports(3)
    server = ["nats-server", "-a", "127.0.0.1", "-p", str(port), "-m", str(monitor)]
    relays = ["proxy", f"nats://127.0.0.1:{port}", "-q", "--listen", str(mine)]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}

    @contextmanager
    def proxied(name: str) -> Iterator[subprocess.Popen[bytes]]:
        out = ("-w", str(tmp_path / f"{name}.pcapng"))
        with running(command(*relays, *out), mine, tmp_path / name, environment) as process:
            yield process

    with ExitStack() as stack:
        first = stack.enter_context(running(server, port, tmp_path / "log"))
        proxy = stack.enter_context(proxied("first"))
        words = [sys.executable, "-c", TALKS, f"nats://127.0.0.1:{mine}", "on"]
        client = stack.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        stack.callback(client.kill)
        assert client.stdout is not None
        lines = iter(client.stdout.readline, "")
        assert "alive\n" in lines
        first.kill()
        assert "disconnected\n" in lines
        stack.enter_context(running(server, port, tmp_path / "log2"))
        assert "reconnected\n" in lines
        assert "alive\n" in lines
        proxy.kill()
        assert "disconnected\n" in lines
        stack.enter_context(proxied("second"))
        assert "reconnected\n" in lines
        assert "alive\n" in lines
        client.kill()
        until(lambda: connections(monitor) == 0)
    found = {each.rule for each in streamshark.check(str(tmp_path / "second.pcapng"))}
    assert not {each for each in found if each.startswith("NATS-N2")}


def connections(monitor: int) -> int:
    """The clients of a server, as it says."""
    with urllib.request.urlopen(f"http://127.0.0.1:{monitor}/connz", timeout=5) as answer:
        return int(json.load(answer)["num_connections"])


SEEN = {
    "nats-permission-denied": "permissions violation for publish",
    "nats-slow-consumer": "disconnected",
    "nats-lame-duck": "alive",
    "nats-no-responders": "NoRespondersError",
}
"""Name of a fault to what nats-py then says: it does not react to a server in lame duck mode."""


def told_by_client(proxy: Proxy) -> str:
    """What a client prints until a fault was done, and a moment more."""
    words = [sys.executable, "-c", TALKS, proxy.url, "on"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as client:
        until(lambda: proxy.faults[1].used == 1)
        time.sleep(1)
        client.kill()
        return client.communicate()[0]


def test_named_faults(tmp_path: Path) -> None:
    """A public client of a real server meets each, and `check` finds it in the recording."""
    (port,) = free_ports(1)
    words = ["nats-server", "-a", "127.0.0.1", "-p", str(port)]
    with running(words, port, tmp_path / "log"), Failures() as failures:
        for name, seen in SEEN.items():
            recipe = next(each for each in RECIPES if each.name == name)
            out = tmp_path / f"{name}.pcapng"
            with failures.of(name):
                with Proxy(
                    f"nats://127.0.0.1:{port}",
                    faults=[name],
                    write=out,
                    ports=None,
                    notice=lambda _: None,
                ) as proxy:
                    told = told_by_client(proxy)
                assert seen in told
                assert recipe.finding in {found.rule for found in streamshark.check(str(out))}
    assert {*SEEN} == {each.name for each in RECIPES if each.name.startswith("nats")}
