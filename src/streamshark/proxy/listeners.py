"""The addresses on which the proxy listens: one for each server, the same after a restart."""

import errno
import json
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from streamshark.errors import StreamsharkError
from streamshark.proxy.targets import LAST_PORT, ListenAddress, joined

LOOPBACK: Final = "127.0.0.1"
"""Where the proxy listens unless another address is given."""
PORTS: Final = range(21_000, 22_000)
"""Ports of listeners unless others are given."""
BACKLOG: Final = 512
"""Connections that may wait at a listener to be accepted."""
MOST_REMEMBERED: Final = 10_000
"""Most servers whose ports are remembered; the oldest are forgotten."""


def data_folder() -> Path:
    """Return the folder of files that outlive a run: ports, the certificate authority."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "streamshark"


def parse_port_range(text: str) -> range:
    """Return the ports that `FIRST-LAST` names.

    Raises:
        StreamsharkError: It is not a range of ports.
    """
    first, dash, last = text.partition("-")
    numbers = [int(each) for each in (first, last) if each.isascii() and each.isdigit()]
    if not dash or len(numbers) != len((first, last)) or not 0 < numbers[0] <= numbers[1]:
        raise StreamsharkError(f"--port-range {text!r}: expected FIRST-LAST, such as 21000-21999")
    if numbers[1] > LAST_PORT:
        raise StreamsharkError(f"--port-range {text!r}: a port is 1 to {LAST_PORT}")
    return range(numbers[0], numbers[1] + 1)


class RememberedPorts:
    """Ports of listeners by server, in a file, so that a restarted proxy has the same ones.

    A file that is malformed or cannot be written is as an empty one.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def port(self, server: str) -> int | None:
        """Return the port for a server; None for an unknown one."""
        return self._read().get(server)

    def remember(self, server: str, port: int) -> None:
        """Take note of the port for a server."""
        known = self._read()
        if self._path is None or known.get(server) == port:
            return
        known.pop(server, None)
        known[server] = port
        for each in list(known)[: len(known) - MOST_REMEMBERED]:
            del known[each]
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            own = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            own.write_text(json.dumps(known, indent=1), "utf-8")
            own.replace(self._path)

    def _read(self) -> dict[str, int]:
        if self._path is None:
            return {}
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            name: port
            for name, port in found.items()
            if isinstance(port, int) and 0 < port <= LAST_PORT
        }


class Listeners:
    """Opens listening sockets.

    Args:
        host: The address of listeners that have no other.
        ports: Their ports.
        remembered: Ports of earlier runs.
    """

    def __init__(
        self,
        host: str = LOOPBACK,
        ports: range = PORTS,
        remembered: RememberedPorts | None = None,
    ) -> None:
        self.changed: list[str] = []
        """Sentences about servers that have another port than in the run before."""
        self._host, self._ports = host, ports
        self._remembered = remembered or RememberedPorts(None)

    def listen(self, server: str, wanted: ListenAddress | None = None) -> socket.socket:
        """Return a listening socket for connections to a server (`host:port`).

        Raises:
            StreamsharkError: The wanted address cannot be had, or no port is free.
        """
        host = (wanted and wanted.host) or self._host
        if wanted is not None and wanted.port:
            return _listening_at(host, wanted.port)
        key = f"{host} {server}"
        before = self._remembered.port(key)
        for port in self._candidates(before):
            try:
                listener = _listening(host, port)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    continue
                raise _failed(host, port, error) from None
            if before is not None and before in self._ports and port != before:
                self.changed.append(f"port {before} is in use; {server} is at port {port} now")
            self._remembered.remember(key, port)
            return listener
        ports = self._ports
        raise StreamsharkError(
            f"{host}: no port of {ports[0]}-{ports[-1]} is free (--port-range chooses others)"
        )

    def _candidates(self, before: int | None) -> Iterator[int]:
        if before is not None and before in self._ports:
            yield before
        yield from self._ports


def reached(listener: socket.socket) -> tuple[str, int]:
    """Return the host and port where a client on this machine reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    return {"0.0.0.0": LOOPBACK, "::": "::1"}.get(host, host), port  # noqa: S104 - its meaning


def _listening_at(host: str, port: int) -> socket.socket:
    try:
        return _listening(host, port)
    except OSError as error:
        raise _failed(host, port, error) from None


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not _is_address(host):
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        except UnicodeError as error:
            raise OSError(errno.EINVAL, str(error)) from None
        host = str(address[0])
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setblocking(False)  # noqa: FBT003 - the method's only parameter
        listener.bind((host, port))
        # With SO_REUSEADDR, two programs can bind one port; the second that listens gets the error.
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _is_address(host: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError, ValueError):
            socket.inet_pton(family, host)
            return True
    return False


def _failed(host: str, port: int, error: OSError) -> StreamsharkError:
    reason = "port in use" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
    return StreamsharkError(f"cannot listen on {joined(host, port)}: {reason}")
