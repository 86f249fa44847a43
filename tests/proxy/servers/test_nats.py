"""A cluster of nats-server: clients learn of the proxy alone, also of a node that joins later."""

import json
import socket
import sys
import time
from pathlib import Path

import pytest
from tests.cli.console import process
from tests.failures import Failures
from tests.proxy.servers.running import free_ports, running

import streamshark
from streamshark.proxy import Proxy
from streamshark.proxy.recipes import RECIPES

pytestmark = [pytest.mark.process, pytest.mark.slow]
CLIENT = """
import os, socket
address = os.environ["STREAMSHARK_PROXY_HOST"], int(os.environ["STREAMSHARK_PROXY_PORT"])
with socket.create_connection(address) as client:
    read = client.makefile("rb")
    assert read.readline().startswith(b"INFO ")
    client.sendall(b'CONNECT {"verbose":false,"lang":"c","version":"1","name":"shop"}\\r\\n')
    client.sendall(b"SUB a 1\\r\\nPUB a %d\\r\\nhello\\r\\nPING\\r\\n")
    while (line := read.readline()) and line != b"PONG\\r\\n":
        pass
    client.shutdown(socket.SHUT_WR)
    read.read()
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
        done = process(*words, "--", sys.executable, "-c", CLIENT % size)

    assert done.code == code, done.err
    assert process("check", "--fail-on", "warning", str(out)).code == code


def talk(proxy: Proxy) -> None:
    """A client that publishes, asks and answers, until a second has passed or it is closed."""
    with socket.create_connection((proxy.host, proxy.port), timeout=10) as client:
        read = client.makefile("rb")
        assert read.readline().startswith(b"INFO ")
        client.sendall(b'CONNECT {"verbose":false,"lang":"c","version":"1","name":"shop",')
        client.sendall(b'"headers":true,"no_responders":true}\r\nSUB ask 1\r\nSUB _INBOX.a.* 2\r\n')
        client.sendall(b"PUB news 2\r\nhi\r\nPUB ask _INBOX.a.1 1\r\nq\r\nPING\r\n")
        until = time.monotonic() + 0.8
        client.settimeout(0.1)
        while time.monotonic() < until:
            try:
                data = client.recv(4096)
            except TimeoutError:
                continue
            if b"MSG ask" in data:
                client.sendall(b"PUB _INBOX.a.1 3\r\nyes\r\n")
            if not data or b"Slow Consumer" in data:
                return


def test_named_faults(tmp_path: Path) -> None:
    """A client of a real server meets each, and `check` finds it in the recording."""
    (port,) = free_ports(1)
    words = ["nats-server", "-a", "127.0.0.1", "-p", str(port)]
    with running(words, port, tmp_path / "log"), Failures() as failures:
        for each in RECIPES:
            if not each.name.startswith("nats"):
                continue
            out = tmp_path / f"{each.name}.pcapng"
            url = f"nats://127.0.0.1:{port}"
            with failures.of(each.name):
                with Proxy(
                    url, faults=[each.name], write=out, ports=None, notice=lambda _: None
                ) as proxy:
                    talk(proxy)
                    assert proxy.faults[1].used == 1
                assert each.finding in {found.rule for found in streamshark.check(str(out))}
