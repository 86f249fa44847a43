"""What a ClientHello of TLS asks for: the name of the server, and protocols (ALPN).

Spec: RFC 8446, section 4.1.2; RFC 6066, section 3; RFC 7301, section 3.1.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

START: Final = b"\x16\x03"
"""First bytes of a connection that begins with TLS."""
MOST: Final = 1 << 16
"""Most bytes of a ClientHello; a longer one is taken as one that asks for nothing."""
_RECORD: Final = 5
_CLIENT_HELLO: Final = 1
_SERVER_NAME, _ALPN = 0, 16


class ClientHello(NamedTuple):
    """What a client asks for."""

    name: str | None = None
    """The name of the server; None without one."""
    protocols: tuple[str, ...] = ()
    """The protocols that it offers, by preference."""


class _TooFewError(Exception):
    """The bytes end too early."""


def parse_client_hello(data: bytes) -> ClientHello | None:
    """Return what the ClientHello at the start of a connection asks for.

    Returns:
        None if it is not complete; one that asks for nothing if it is malformed.
    """
    try:
        message = _message(data)
    except _TooFewError:
        return None if len(data) < MOST else ClientHello()
    try:
        return _asked(message)
    except (_TooFewError, UnicodeDecodeError):
        return ClientHello()


def _message(data: bytes) -> bytes:
    """Return the ClientHello, which may be in several records."""
    found, at = b"", 0
    while True:
        _, size = _take(data, at, _RECORD)
        length = int.from_bytes(data[at + 3 : size])
        content, at = _take(data, size, length)
        found += content
        if found[:1] != bytes([_CLIENT_HELLO]) or not length:
            return b""
        if len(found) >= 4 + int.from_bytes(found[1:4]) and len(found) > 4:  # noqa: PLR2004 - its head
            return found[4 : 4 + int.from_bytes(found[1:4])]


def _asked(hello: bytes) -> ClientHello:
    at = 2 + 32
    _, at = _sized(hello, at, 1)  # session id
    _, at = _sized(hello, at, 2)  # cipher suites
    _, at = _sized(hello, at, 1)  # compression methods
    if at == len(hello):
        return ClientHello()
    name, protocols = None, []
    for kind, content in _extensions(_sized(hello, at, 2)[0]):
        if kind == _SERVER_NAME and content:
            name = _sized(content, 3, 2)[0].decode("ascii")
        elif kind == _ALPN:
            listed, at = _sized(content, 0, 2)[0], 0
            while at < len(listed):
                each, at = _sized(listed, at, 1)
                protocols.append(each.decode("latin-1"))
    return ClientHello(name, tuple(protocols))


def _extensions(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        kind, at = _take(data, at, 2)
        content, at = _sized(data, at, 2)
        yield int.from_bytes(kind), content


def _sized(data: bytes, at: int, width: int) -> tuple[bytes, int]:
    """Return the bytes after their size, and where they end."""
    size, at = _take(data, at, width)
    return _take(data, at, int.from_bytes(size))


def _take(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    if at + size > len(data):
        raise _TooFewError
    return data[at : at + size], at + size
