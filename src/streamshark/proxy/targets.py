"""Targets of the proxy: the URLs of servers, as clients write them."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from streamshark.errors import StreamsharkError

LAST_PORT: Final = 65_535


class _Scheme(NamedTuple):
    """What a scheme says of a server."""

    protocol: str | None
    """Id of the protocol; None if several use it."""
    port: int | None
    """The port if the URL has none; None if it must have one."""
    tls: bool = False


SCHEMES: Final = {
    "rabbitmq-stream": _Scheme("rabbitmq_stream", 5552),
    "rabbitmq-stream+tls": _Scheme("rabbitmq_stream", 5551, tls=True),
    "nats": _Scheme("nats", 4222),
    "pravega": _Scheme("pravega", 9090),
    "pravegas": _Scheme("pravega", 9090, tls=True),
    "liftbridge": _Scheme("liftbridge", 9292),
    "rsocket": _Scheme("rsocket", None),
    "tcp": _Scheme(None, None),
    "tls": _Scheme(None, None, tls=True),
    "ssl": _Scheme(None, None, tls=True),
    "http": _Scheme(None, 80),
    "https": _Scheme(None, 443, tls=True),
    "ws": _Scheme(None, 80),
    "wss": _Scheme(None, 443, tls=True),
}
"""Scheme of a URL to what it says."""
_URL = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?"
    r"(?:(?P<user>[^/?#]*)@)?"
    r"(?:\[(?P<ipv6>[^\]/]*)\]|(?P<host>[^:/?#@\[\]]*))"
    r"(?::(?P<port>[0-9]+))?"
    r"(?P<rest>[/?#].*)?",
    re.DOTALL,
)
_BLANK: Final = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Target:
    """A server to which connections are relayed."""

    host: str
    """Name or address, an IPv6 address without brackets."""
    port: int
    scheme: str = ""
    """As in the URL; empty for `host:port`."""
    user: str = ""
    """What is before `@` in the URL."""
    rest: str = ""
    """What follows the port in the URL: path, query."""

    @property
    def protocol(self) -> str | None:
        """Id of the protocol; None if the URL does not say which."""
        return SCHEMES[self.scheme].protocol if self.scheme else None

    @property
    def tls(self) -> bool:
        """Whether clients begin with TLS."""
        return bool(self.scheme) and SCHEMES[self.scheme].tls

    @property
    def may_greet(self) -> bool:
        """Whether the server may speak before TLS begins, as NATS does."""
        return self.scheme == "tls"

    @property
    def address(self) -> str:
        """The host and the port as one text."""
        return joined(self.host, self.port)

    def url(self, host: str, port: int) -> str:
        """Return the URL with another host and port, for a client of the proxy."""
        user = f"{self.user}@" if self.user else ""
        return self._with_scheme(f"{user}{joined(host, port)}{self.rest}")

    def shown(self, host: str, port: int) -> str:
        """Return the URL with another host and port, without user, password, path and query."""
        return self._with_scheme(joined(host, port))

    def _with_scheme(self, rest: str) -> str:
        return f"{self.scheme}://{rest}" if self.scheme else rest


def parse_target(text: str) -> Target:
    """Return the target that a URL, or `host:port`, names.

    >>> parse_target("nats://demo")
    Target(host='demo', port=4222, scheme='nats', user='', rest='')
    >>> parse_target("[::1]:9292").address
    '[::1]:9292'

    Raises:
        StreamsharkError: It is not a URL, has an unknown scheme, or lacks a host or port.
    """
    found = None if _BLANK.search(text) else _URL.fullmatch(text)
    if found is None:
        raise StreamsharkError(f"{_quoted(text)}: not a URL (such as nats://host:4222)")
    scheme = (found["scheme"] or "").lower()
    if scheme and scheme not in SCHEMES:
        known = ", ".join(SCHEMES)
        raise StreamsharkError(f"{_quoted(text)}: unknown scheme {scheme!r} (known: {known})")
    host = found["ipv6"] or found["host"]
    if not host:
        raise StreamsharkError(f"{_quoted(text)}: names no host")
    default = SCHEMES[scheme].port if scheme else None
    port = int(found["port"][:6]) if found["port"] else default
    if port is None:
        raise StreamsharkError(f"{_quoted(text)}: names no port (such as {host}:9292)")
    if not 0 < port <= LAST_PORT:
        raise StreamsharkError(f"{_quoted(text)}: a port is 1 to {LAST_PORT}")
    return Target(host, port, scheme, found["user"] or "", found["rest"] or "")


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """An address on which the proxy listens; None and 0 where the proxy chooses."""

    host: str | None = None
    port: int = 0


def parse_listen(text: str) -> ListenAddress:
    """Return the address that `HOST:PORT`, `HOST`, `:PORT` or `PORT` names.

    Raises:
        StreamsharkError: It is none of these.
    """
    address = f":{text}" if text.isascii() and text.isdigit() else text
    found = None if _BLANK.search(text) else _URL.fullmatch(address)
    if found is None or found["scheme"] or found["user"] or found["rest"] or not text:
        raise StreamsharkError(f"--listen {text!r}: expected HOST:PORT, HOST or PORT")
    port = int(found["port"][:6]) if found["port"] else 0
    if port > LAST_PORT:
        raise StreamsharkError(f"--listen {text!r}: a port is 1 to {LAST_PORT}")
    return ListenAddress(found["ipv6"] or found["host"] or None, port)


def joined(host: str, port: int) -> str:
    """Return host and port as one text, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _quoted(text: str) -> str:
    """Return a URL in quotes for a message, without what is before `@`."""
    head, _, rest = text.rpartition("@")
    scheme = head.partition("://")[0] + "://" if "://" in head else ""
    return repr(f"{scheme}{rest}")
