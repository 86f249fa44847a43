"""A cluster of nats-server: clients learn of the proxy alone, also of a node that joins later."""

import json
import socket
import sys
from pathlib import Path

import pytest
from tests.cli.console import process
from tests.proxy.servers.running import free_ports, running

from streamshark.proxy import Proxy

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
