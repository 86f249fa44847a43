"""The proxy as a whole: several servers, names, what is refused before it listens."""

import json
import socket
from pathlib import Path

import pytest
from tests.proxy.ends import TIMEOUT, listening, received, url

from streamshark.errors import StreamsharkError
from streamshark.proxy import Proxy


def test_several_servers_each_have_an_address() -> None:
    """And `listen` says which, in order."""
    with listening() as first, listening() as second, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        urls = (url(first, "nats"), url(second))
        with Proxy(*urls, listen=["127.0.0.1", str(port)], ports=None) as proxy:
            assert proxy.url == f"nats://127.0.0.1:{proxy.port}"
            assert proxy.addresses[1][1:] == ("127.0.0.1", port)
            for server, (_, *address) in zip((first, second), proxy.addresses, strict=True):
                with socket.create_connection(tuple(address), timeout=TIMEOUT) as client:
                    accepted = server.accept()[0]
                    with accepted:
                        accepted.sendall(str(server.getsockname()[1]).encode())
                        accepted.shutdown(socket.SHUT_WR)
                        assert received(client, 9) == str(server.getsockname()[1]).encode()


def test_a_name_that_only_the_network_of_the_server_knows() -> None:
    """`resolve` has the address to connect to."""
    with listening() as server:
        port = server.getsockname()[1]
        with (
            Proxy(
                f"nats://broker.invalid:{port}", resolve={"broker.invalid": "127.0.0.1"}, ports=None
            ) as proxy,
            socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as client,
        ):
            accepted = server.accept()[0]
            with accepted:
                client.sendall(b"x")
                assert accepted.recv(1) == b"x"


def nats_info(server: socket.socket, *urls: str) -> bytes:
    """INFO of a NATS server."""
    listed = ",".join(f'"{each}"' for each in urls)
    port = server.getsockname()[1]
    return f'INFO {{"host":"0.0.0.0","port":{port},"connect_urls":[{listed}]}}\r\n'.encode()


def test_nodes_have_listeners_before_clients_know_of_them() -> None:
    """The address in the rewritten INFO can be connected to at once, and leads to the node."""
    lines: list[str] = []
    with listening() as first, listening() as second:
        node = f"127.0.0.1:{second.getsockname()[1]}"
        with Proxy(url(first), ports=range(25_000, 25_100), notice=lines.append) as proxy:
            with socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as client:
                accepted = first.accept()[0]
                with accepted:
                    accepted.sendall(nats_info(first, node, f"127.0.0.1:{first.getsockname()[1]}"))
                    info = json.loads(client.recv(4096).removeprefix(b"INFO "))
            assert (info["host"], info["port"]) == (proxy.host, proxy.port)
            there, same = info["connect_urls"]
            assert same == f"{proxy.host}:{proxy.port}"
            assert there not in (node, same)
            assert lines == [f"{there} is {node}, a node of 127.0.0.1:{first.getsockname()[1]}"]
            host, port = there.split(":")
            with socket.create_connection((host, int(port)), timeout=TIMEOUT) as client:
                accepted = second.accept()[0]
                with accepted:
                    accepted.sendall(nats_info(second, node))
                    info = json.loads(client.recv(4096).removeprefix(b"INFO "))
            assert info["connect_urls"] == [there]
            assert info["port"] == int(port)


def test_hosts_pass_if_they_are_to() -> None:
    """`hosts=False` changes nothing; `advertise` names another host."""
    with listening() as server:
        sent = nats_info(server, "node-2.invalid:4222")
        for options, expected in (
            ({"hosts": False}, "node-2.invalid:4222"),
            ({"advertise": "proxy.example"}, "proxy.example:"),
        ):
            with Proxy(url(server), ports=None, notice=lambda _text: None, **options) as proxy:  # type: ignore[arg-type]
                own = proxy.addresses[0][2]
                with socket.create_connection(("127.0.0.1", own), timeout=TIMEOUT) as client:
                    accepted = server.accept()[0]
                    with accepted:
                        accepted.sendall(sent)
                        info = json.loads(client.recv(4096).removeprefix(b"INFO "))
            assert info["connect_urls"][0].startswith(expected)


def test_nothing_listens_after_a_refusal(tmp_path: Path) -> None:
    """Neither the first of two servers, nor a recording that was begun."""
    with listening() as server, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            own = free.getsockname()[1]
        path = tmp_path / "out.pcapng"
        proxy = Proxy(
            *(url(server), url(taken)), listen=[str(own), str(port)], ports=None, write=path
        )
        with pytest.raises(StreamsharkError, match="port in use"):
            proxy.open()
        assert not path.exists()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", own), timeout=TIMEOUT)
