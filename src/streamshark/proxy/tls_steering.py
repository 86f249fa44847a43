"""TLS on both sides of a connection: decrypted from one, steered, and encrypted for the other.

Whether TLS comes is seen by the first bytes of the client: a ClientHello begins it on both sides,
at once or after the INFO of NATS. Other bytes begin it towards a server that needs it. The
server's handshake is done first, with the protocols (ALPN) that the client offers; the client is
then offered what the server has chosen.
"""

import ssl
from collections.abc import Callable, Iterable
from typing import Final

from streamshark.errors import StreamsharkError
from streamshark.proxy.client_hello import START, ClientHello, parse_client_hello
from streamshark.proxy.link import CLIENT, SERVER, Command, Notice, Reset, Send, Steering
from streamshark.proxy.tls import TlsContexts

_ONE_READ: Final = 1 << 18
HINT: Final = "`streamshark proxy ca` shows how clients trust the proxy"
_ALERTS: Final = ("UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN", "UNKNOWN CA")
"""Parts of errors with which clients refuse a certificate."""
_UNDECIDED, _PLAIN, _TLS, _OPAQUE, _OVER = range(5)


def certificate_failed(server: str, error: ssl.SSLCertVerificationError) -> str:
    """Return a sentence about a server whose certificate is not accepted."""
    hint = "--server-ca FILE trusts it, --insecure accepts any certificate"
    return f"{server}: TLS failed: {error.verify_message.rstrip('.')} ({hint})"


class TlsEnd:
    """One end of a TLS connection: bytes in, bytes out.

    Args:
        context: Its context.
        name: The name of the server, for a client; None for a server.
        stir: Called when there may be new keys.
    """

    def __init__(
        self, context: ssl.SSLContext, name: str | None, stir: Callable[[], object]
    ) -> None:
        self._stir = stir
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._object = context.wrap_bio(
            self._in, self._out, server_side=name is None, server_hostname=name
        )
        self.is_ready = False
        """Whether the handshake is done."""
        self._early: list[bytes] = []

    @property
    def protocol(self) -> str | None:
        """The chosen protocol (ALPN)."""
        return self._object.selected_alpn_protocol()

    def receive(self, data: bytes) -> bytes:
        """Take what the peer has sent; return what is inside.

        Raises:
            ssl.SSLError: The handshake or a record fails.
        """
        self._in.write(data)
        if not self.is_ready:
            self._shake()
        return self._inside() if self.is_ready else b""

    def send(self, data: bytes) -> None:
        """Encrypt bytes, once the handshake is done."""
        if not self.is_ready:
            self._early.append(data)
            return
        view = memoryview(data)
        while view:
            view = view[self._object.write(view) :]

    def end(self) -> None:
        """Say that no more bytes come."""
        if self.is_ready:
            try:
                self._object.unwrap()
            except ssl.SSLError:  # it waits for the peer's
                return

    def outgoing(self) -> bytes:
        """Return what is to be sent to the peer."""
        return self._out.read()

    def _shake(self) -> None:
        self._stir()
        try:
            self._object.do_handshake()
        except ssl.SSLWantReadError:
            return
        self.is_ready = True
        early, self._early = self._early, []
        for each in early:
            self.send(each)

    def _inside(self) -> bytes:
        parts = []
        while True:
            try:
                part = self._object.read(_ONE_READ)
            except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
                break
            if not part:
                break
            parts.append(part)
        return b"".join(parts)


class TlsSteering(Steering):
    """Steering inside of TLS.

    Args:
        inner: The steering of the decrypted bytes.
        contexts: Makes the ends.
        server: Name of the server, which its certificate must have.
        needs_tls: Whether the server speaks TLS from the start.
        shown: The server in messages.
    """

    def __init__(
        self,
        inner: Steering,
        contexts: Callable[[], TlsContexts],
        server: str,
        *,
        needs_tls: bool,
        shown: str,
    ) -> None:
        self._inner, self._contexts, self._server = inner, contexts, server
        self._needs_tls, self._shown = needs_tls, shown
        self._ends: list[TlsEnd | None] = [None, None]
        self._hello: ClientHello | None = None
        self._first = b""
        """Bytes of the client until it is known what they begin, and until it has an end."""
        self._has_info = False
        """Whether the server has spoken without TLS."""
        self._mode = _UNDECIDED

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._mode == _PLAIN:
            return self._inner.feed(side, data)
        if self._mode == _OPAQUE:
            return (Send(1 - side, data),)
        if self._mode == _OVER:
            return ()
        try:
            return [*self._fed(side, data)]
        except ssl.SSLError as error:
            return self._failed(side, error)
        except StreamsharkError as error:
            self._mode = _OVER
            return (Notice(str(error)), Reset(CLIENT), Reset(SERVER))

    def may_end(self, side: int) -> bool:
        """Return whether the other side has done its handshake, or never will."""
        if not self._inner.may_end(side):
            return False
        if self._mode != _TLS:
            return True
        server, other = self._ends[SERVER], self._ends[1 - side]
        if side == CLIENT or self._hello is None or server is None or not server.is_ready:
            return side == SERVER or other is None or other.is_ready
        return other is not None and other.is_ready

    def end(self, side: int) -> Iterable[Command]:
        """Return what is held of a side, and the end of TLS to the other one."""
        if self._mode in (_OVER, _OPAQUE):
            return ()
        commands = [*self._encrypted(self._inner.end(side))]
        first, self._first = self._first, b""
        if side == CLIENT and first and self._ends[CLIENT] is None:
            commands.append(Send(SERVER, first))
        other = self._ends[1 - side]
        if other is not None:
            other.end()
        return [*commands, *self._outgoing()]

    def woken(self, token: int) -> Iterable[Command]:
        """Take note that the time of a `Wake` is over."""
        return [*self._encrypted(self._inner.woken(token)), *self._outgoing()]

    def _fed(self, side: int, data: bytes) -> Iterable[Command]:
        if self._mode == _UNDECIDED:
            if side == SERVER:
                self._has_info = True
                return self._inner.feed(side, data)
            self._first += data
            if START.startswith(self._first[:2]) and len(self._first) < len(START):
                return ()
            return self._decided()
        end = self._ends[side]
        if end is None and side == CLIENT and self._hello is not None:
            self._first += data
            return ()
        inside = data if end is None else end.receive(data)
        begun = [*self._client_begins()]
        commands = [*self._encrypted(self._inner.feed(side, inside))] if inside else []
        return [*begun, *commands, *self._outgoing()]

    def _decided(self) -> Iterable[Command]:
        """Begin with what the first bytes of the client show."""
        if not self._first.startswith(START):
            first, self._first = self._first, b""
            if self._has_info or not self._needs_tls:
                self._mode = _PLAIN
                return self._inner.feed(CLIENT, first)
            self._mode = _TLS
            self._begin_server(())
            return [*self._encrypted(self._inner.feed(CLIENT, first)), *self._outgoing()]
        if not (self._has_info or self._needs_tls):
            self._mode = _OPAQUE
            first, self._first = self._first, b""
            return (Send(SERVER, first),)
        self._hello = parse_client_hello(self._first)
        if self._hello is None:
            return ()
        self._mode = _TLS
        self._begin_server(self._hello.protocols)
        return self._outgoing()

    def _begin_server(self, protocols: Iterable[str]) -> None:
        contexts = self._contexts()
        context = contexts.client_context(protocols)
        self._ends[SERVER] = end = TlsEnd(context, self._server, contexts.stir)
        end.receive(b"")

    def _client_begins(self) -> Iterable[Command]:
        """Begin TLS with the client when it is known which protocol the server has chosen."""
        server = self._ends[SERVER]
        ready = server is not None and server.is_ready and self._ends[CLIENT] is None
        if not ready or self._hello is None or server is None:
            return ()
        contexts = self._contexts()
        context = contexts.server_context(self._hello.name, server.protocol)
        self._ends[CLIENT] = end = TlsEnd(context, None, contexts.stir)
        first, self._first = self._first, b""
        try:
            inside = end.receive(first)
        except ssl.SSLError as error:
            return self._failed(CLIENT, error)
        return self._encrypted(self._inner.feed(CLIENT, inside)) if inside else ()

    def _encrypted(self, commands: Iterable[Command]) -> Iterable[Command]:
        """Encrypt what is sent to sides with TLS; return the other commands."""
        rest: list[Command] = []
        for each in commands:
            end = self._ends[each.side] if isinstance(each, Send) else None
            if isinstance(each, Send) and end is not None:
                end.send(each.data)
            else:
                rest.append(each)
        return rest

    def _outgoing(self) -> list[Command]:
        """Return what the ends have to send."""
        return [
            Send(side, data)
            for side, end in enumerate(self._ends)
            if end is not None and (data := end.outgoing())
        ]

    def _failed(self, side: int, error: ssl.SSLError) -> Iterable[Command]:
        """End both connections after an error of TLS with one of them."""
        self._mode = _OVER
        reason = error.reason or str(error)
        if isinstance(error, ssl.SSLCertVerificationError):
            text = certificate_failed(self._shown, error)
        elif side == SERVER:
            text = f"{self._shown}: TLS failed: {reason}"
        else:
            text = f"TLS with a client failed: {reason}"
            if any(each in str(reason).upper() for each in _ALERTS):
                text += f"; {HINT}"
        return [*self._outgoing(), Notice(text), Reset(CLIENT), Reset(SERVER)]
