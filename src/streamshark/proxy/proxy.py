"""The proxy as a whole: targets, listeners, the recording, and a relay between them."""

import asyncio
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Self

from streamshark.errors import StreamsharkError
from streamshark.proxy.control import ControlSocket
from streamshark.proxy.faults import Fault
from streamshark.proxy.hosts import Node
from streamshark.proxy.link import Link
from streamshark.proxy.listeners import (
    LOOPBACK,
    PORTS,
    Listeners,
    RememberedPorts,
    data_folder,
    reached,
)
from streamshark.proxy.recorder import Recorder, Ring
from streamshark.proxy.relay import Relay, RelayLimits
from streamshark.proxy.steering import prepare, steering_for
from streamshark.proxy.targets import ListenAddress, Target, joined, parse_listen, parse_target
from streamshark.proxy.tls import TlsContexts, TlsOptions
from streamshark.proxy.tls_steering import TlsSteering, server_failed

PATIENCE: Final = 1.0
"""Seconds that connections have to end by themselves when the proxy ends."""
MOST_NODES: Final = 256
"""Most nodes for which the proxy listens."""
PROBE: Final = 2.0
"""Seconds in which a server answers whose certificate is checked at the start."""
REMEMBERED: Final = "proxy-ports.json"
"""Name of the file with the ports of earlier runs."""


def _is_unspecified(host: str) -> bool:
    """Return whether a host is the address that means any address."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _later(seconds: float, call: Callable[[], object]) -> None:
    """Call a function later, in the running loop."""
    asyncio.get_running_loop().call_later(seconds, call)


def _print(text: str) -> None:
    """Print a line for the user."""
    sys.stderr.write(f"streamshark: {text}\n")


class Proxy:
    """A proxy for one or several servers; it runs in a thread inside `with`.

    >>> import socket
    >>> from streamshark.proxy import Proxy
    >>> server = socket.create_server(("127.0.0.1", 0))
    >>> with Proxy(f"nats://127.0.0.1:{server.getsockname()[1]}", ports=None) as proxy:
    ...     client = socket.create_connection((proxy.host, proxy.port))
    ...     accepted = server.accept()[0]
    ...     client.sendall(b"PING") or accepted.recv(4)
    b'PING'
    >>> for each in (client, accepted, server):
    ...     each.close()

    Args:
        urls: Servers, as clients write them; the first one is `url`.
        listen: Where to listen for each, as `HOST:PORT`, `HOST` or `PORT`.
        write: The file for the recording (pcapng); None for none.
        ring: When the recording continues in another file.
        both: Whether connections to servers are recorded, too.
        faults: Faults from the start, as `fault` takes them; None if there will never be any.
        control: Where a control socket is made, by which other programs add faults.
        ports: Ports of listeners that are not given; None for any free port, and no memory of them.
        hosts: Whether nodes that servers advertise are replaced by addresses of the proxy.
        advertise: The host in these addresses; by default where the proxy listens.
        tls: How servers are verified.
        pass_tls: Whether TLS passes as it is, so that what is inside is not seen.
        resolve: Names of servers to the addresses to connect to instead.
        connections: Most connections of clients at once.
        notice: Called with lines for the user, which else go to standard error.

    Raises:
        StreamsharkError: A URL or address is malformed.
    """

    def __init__(  # noqa: PLR0913 - the options of a proxy
        self,
        *urls: str,
        listen: Sequence[str] = (),
        write: Path | str | None = None,
        ring: Ring | None = None,
        both: bool = False,
        hosts: bool = True,
        advertise: str | None = None,
        tls: TlsOptions | None = None,
        pass_tls: bool = False,
        faults: Sequence[str] | None = (),
        control: Path | str | None = None,
        ports: range | None = PORTS,
        resolve: Mapping[str, str] | None = None,
        connections: int = 500,
        notice: Callable[[str], object] = _print,
    ) -> None:
        self.targets = [parse_target(each) for each in urls]
        """The servers."""
        self.addresses: list[tuple[Target, str, int]] = []
        """Each server with the host and the port where clients reach it through the proxy."""
        self.recorder: Recorder | None = None
        """The recording; None before `open`, and if there is none."""
        self.recorded: list[Path] = []
        """The files of the recording."""
        self._wanted: list[ListenAddress] = [parse_listen(each) for each in listen]
        if len(self._wanted) > max(len(urls), 1):
            raise StreamsharkError("--listen is given more often than there are servers")
        self._write = None if write is None else Path(write)
        self._ring, self._both, self._resolve = ring, both, dict(resolve or {})
        self._notice = notice
        self._limits = RelayLimits(connections)
        memory = RememberedPorts(None if ports is None else data_folder() / REMEMBERED)
        self._listeners = Listeners(LOOPBACK, ports or range(1), memory)
        self._sockets: list[socket.socket] = []
        self._hosts, self._advertise = hosts, advertise
        self.faults: dict[int, Fault] = {}
        """The faults by their ids, of which the first that takes a frame is done."""
        self._active: Sequence[Fault] = ()
        self._takes_faults = faults is not None or control is not None
        self._last_fault = 0
        for each in faults or ():
            self.fault(each)
        self._control_path = None if control is None else Path(control)
        self._control: ControlSocket | None = None
        self._tls, self._passes_tls = tls or TlsOptions(), pass_tls
        self._contexts: TlsContexts | None = None
        self._nodes: dict[Node, Node] = {}
        """Node of a server to where clients reach it through the proxy."""
        self._relay: Relay | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    # Before it runs

    def open(self, *, begun: Callable[[Path], object] | None = None) -> None:
        """Listen, and begin the recording; connections wait until `start`.

        Args:
            begun: Called with each file of the recording when it is begun.

        Raises:
            StreamsharkError: A server is unknown, an address cannot be listened on, or the
                recording cannot be written. Nothing listens then.
        """
        for target in self.targets:
            self._check(target)
        try:
            if not self._passes_tls:
                self._check_tls()
            self._begin(begun)
        except OSError as error:
            self._shut()
            raise StreamsharkError(f"cannot listen: {error.strerror}") from None
        except StreamsharkError:
            self._shut()
            raise
        if self._hosts:
            prepare()
        for target, each in zip(self.targets, self._sockets, strict=True):
            host, port = self._clients_reach(each)
            self.addresses.append((target, host, port))
            self._nodes[target.host.lower(), target.port] = host, port
        for line in self._listeners.changed:
            self._notice(line)

    @property
    def url(self) -> str:
        """The URL for clients of the first server."""
        target, host, port = self.addresses[0]
        return target.url(host, port)

    @property
    def host(self) -> str:
        """The address of the proxy for the first server."""
        return self.addresses[0][1]

    @property
    def port(self) -> int:
        """The port of the proxy for the first server."""
        return self.addresses[0][2]

    def fault(self, text: str) -> Fault:
        """Add a fault, such as `nats.command == "msg" -> drop once`; also while the proxy runs.

        Raises:
            StreamsharkError: The text is malformed, or no server speaks its protocol.
        """
        self._last_fault += 1
        fault = Fault(text, self._last_fault)
        if not any(fault.may_be_at(each.protocol) for each in self.targets):
            raise StreamsharkError(f"--fault {text!r}: no server speaks {fault.protocol.title}")
        self._set_faults({**self.faults, fault.number: fault})
        return fault

    def remove(self, fault: Fault) -> None:
        """Remove a fault; what it has stalled goes on."""
        fault.clear()
        self._set_faults(
            {number: each for number, each in self.faults.items() if each is not fault}
        )

    def _set_faults(self, faults: dict[int, Fault]) -> None:
        self.faults, self._active = faults, tuple(faults.values())

    # While it runs

    async def start(self) -> None:
        """Begin to relay, in the running loop."""
        self._relay = relay = Relay(
            self.recorder,
            records_servers=self._both,
            notice=self._notice,
            limits=self._limits,
            new_keys=self._new_keys,
        )
        for target, listener in zip(self.targets, list(self._sockets), strict=True):
            dial = self._dialled(target.host, target.port)
            await relay.listen(listener, dial, self._links(target))
        if self._control is not None:
            await self._control.start()

    async def stop(self, patience: float = PATIENCE) -> None:
        """End: connections have so many seconds to end by themselves."""
        if self._relay is not None:
            await self._relay.close(patience)
            self._relay = None
        self._shut()

    # In a thread

    def __enter__(self) -> Self:
        """Open the proxy and run it in a thread."""
        self.open()
        self._loop = loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(loop,), daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.start(), loop).result()
        return self

    def __exit__(self, *_error: object) -> None:
        """End the proxy."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        self._loop = self._thread = None

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()

    # Parts

    def _begin(self, begun: Callable[[Path], object] | None) -> None:
        """Listen, after all that may fail before."""
        for at, target in enumerate(self.targets):
            wanted = self._wanted[at] if at < len(self._wanted) else None
            self._sockets.append(self._listeners.listen(target.address, wanted))
        if self._control_path is not None:
            self._control = ControlSocket(self._control_path, self)
        if self._write is not None:
            self.recorder = Recorder(
                self._write,
                ring=self._ring,
                begun=lambda path: self._begun(path, begun),
                failed=self._notice,
                later=_later,
            )

    def _links(self, target: Target) -> Callable[[], Link]:
        """Return the function that makes the links of connections to a server."""

        def replace(host: str, port: int) -> Node:
            return self._node(target, host, port)

        faults = (lambda: self._active) if self._takes_faults else None

        def link() -> Link:
            steering = steering_for(target.protocol, replace if self._hosts else None, faults)
            if self._passes_tls:
                return Link(steering)
            return Link(
                TlsSteering(
                    steering,
                    self._tls_contexts,
                    target.host,
                    needs_tls=target.tls,
                    shown=target.address,
                )
            )

        return link

    def _tls_contexts(self) -> TlsContexts:
        """Return what makes the ends of TLS."""
        if self._contexts is None:
            names = [each.host for each in self.targets]
            own = [self._advertise] if self._advertise else []
            names += [*own, "localhost", "127.0.0.1", "::1"]
            self._contexts = TlsContexts(data_folder(), self._tls, names)
        return self._contexts

    def _new_keys(self) -> bytes:
        return b"" if self._contexts is None else self._contexts.new_keys()

    def _node(self, target: Target, host: str, port: int) -> Node:
        """Return where clients reach a node that a server advertises; listen there at once."""
        if _is_unspecified(host):
            host = target.host
        node = host.lower(), port
        if node in self._nodes:
            return self._nodes[node]
        if node in self._nodes.values():
            return host, port
        if self._relay is None or len(self._nodes) >= MOST_NODES:
            raise StreamsharkError(f"{joined(host, port)}: more than {MOST_NODES} nodes")
        server = Target(host, port, target.scheme)
        listener = self._listeners.listen(server.address)
        self._sockets.append(listener)
        self._nodes[node] = own = self._clients_reach(listener)
        self._relay.listen_soon(listener, self._dialled(host, port), self._links(server))
        self._notice(f"{joined(*own)} is {server.address}, a node of {target.address}")
        return own

    def _clients_reach(self, listener: socket.socket) -> Node:
        """Return host and port of a listening socket for clients."""
        host, port = reached(listener)
        return self._advertise or host, port

    def _check(self, target: Target) -> None:
        """Raise `StreamsharkError` if the name of a server is unknown."""
        host, port = self._dialled(target.host, target.port)
        try:
            socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StreamsharkError(f"{target.host}: unknown server: {reason}") from None

    def _check_tls(self) -> None:
        """Raise `StreamsharkError` for unusable files, or a server with which TLS is not possible.

        A server that cannot be reached may be there later.
        """
        if self._tls != TlsOptions() or any(each.tls for each in self.targets):
            self._tls_contexts()
        for target in self.targets:
            if not target.tls or target.may_greet:
                continue
            context = self._tls_contexts().client_context()
            address = self._dialled(target.host, target.port)
            try:
                with (
                    socket.create_connection(address, timeout=PROBE) as connection,
                    context.wrap_socket(connection, server_hostname=target.host),
                ):
                    pass
            except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
                continue
            except ssl.SSLError as error:
                raise StreamsharkError(server_failed(target.address, error)) from None
            except (OSError, ValueError):
                continue

    def _dialled(self, host: str, port: int) -> tuple[str, int]:
        """Return the address to connect to for a server."""
        return self._resolve.get(host, host), port

    def _begun(self, path: Path, begun: Callable[[Path], object] | None) -> None:
        self.recorded.append(path)
        if begun is not None:
            begun(path)

    def _shut(self) -> None:
        """Close what is open."""
        for each in self._sockets:
            with suppress(OSError):
                each.close()
        self._sockets.clear()
        if self._control is not None:
            self._control.close()
            self._control = None
        if self.recorder is not None:
            self.recorder.close()
        if self._contexts is not None:
            self._contexts.close()
            self._contexts = None
