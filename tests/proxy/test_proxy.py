"""The proxy as a whole: several servers, names, what is refused before it listens."""

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
