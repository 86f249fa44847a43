"""Both ends of a connection through the proxy, as plain sockets."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from streamshark.proxy import Proxy

TIMEOUT = 10
"""Seconds after which a test that waits fails."""
KERNEL = 24 << 20
"""Bytes that the buffers of two connections on loopback take, generously."""
AT_ONCE = struct.pack("ii", 1, 0)


class Ends(NamedTuple):
    """A client, and the server's end of its connection."""

    client: socket.socket
    server: socket.socket
    proxy: Proxy


@contextmanager
def listening() -> Iterator[socket.socket]:
    """A server that listens on a free port."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        server.settimeout(TIMEOUT)
        yield server


def url(server: socket.socket, scheme: str = "tcp") -> str:
    """The URL of a server."""
    return f"{scheme}://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def proxied(server: socket.socket, scheme: str = "tcp", **options: Any) -> Iterator[Proxy]:  # noqa: ANN401
    """A proxy of a server, with any free port."""
    given = {"ports": None, "notice": lambda _text: None, **options}
    with Proxy(url(server, scheme), **given) as proxy:
        yield proxy


def connected(proxy: Proxy, server: socket.socket) -> Ends:
    """A client of the proxy, and the end that the server accepts."""
    client = socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT)
    accepted = server.accept()[0]
    accepted.settimeout(TIMEOUT)
    return Ends(client, accepted, proxy)


@contextmanager
def ends(write: Path | None = None, scheme: str = "tcp", **options: Any) -> Iterator[Ends]:  # noqa: ANN401
    """One connection through a proxy."""
    with listening() as server, proxied(server, scheme, write=write, **options) as proxy:
        both = connected(proxy, server)
        with both.client, both.server:
            yield both


def received(end: socket.socket, size: int) -> bytes:
    """So many bytes, or as many as come before the end."""
    data = bytearray()
    while len(data) < size:
        part = end.recv(min(1 << 16, size - len(data)))
        if not part:
            break
        data += part
    return bytes(data)


def filled(end: socket.socket) -> bytes:
    """What an end could send until nothing was taken for a while."""
    end.settimeout(0.3)
    block, sent = os.urandom(1 << 16), bytearray()
    while len(sent) < 10 * KERNEL:
        try:
            sent += block[: end.send(block)]
        except TimeoutError:
            break
    end.settimeout(TIMEOUT)
    return bytes(sent)


def ask(proxy: Proxy) -> bytes:
    """Connect to the proxy, and wait for the first byte of the server."""
    with socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as client:
        return client.recv(1)


def reset(end: socket.socket) -> None:
    """Close with a reset."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    end.close()
