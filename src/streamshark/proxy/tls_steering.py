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
from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Cause,
    Command,
    Notice,
    Pause,
    Reset,
    Resume,
    Send,
    Steering,
    Wake,
)
from streamshark.proxy.tls import TlsContexts

_ONE_READ: Final = 1 << 18
HINT: Final = "`streamshark proxy ca` shows how clients trust the proxy"
_ALERTS: Final = ("UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN", "UNKNOWN CA")
"""Parts of errors with which clients refuse a certificate."""
PATIENCE: Final = 30.0
"""Seconds that both handshakes may take."""
MOST_EARLY: Final = 1 << 17
"""Bytes that a client may send between its ClientHello and the answer."""
_TOO_LATE: Final = -1
"""The token of the `Wake` when `PATIENCE` is over; others are those of the inner steering."""
_UNDECIDED, _PLAIN, _TLS, _OPAQUE, _OVER = range(5)


_NO_TLS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
"""Errors of bytes that are not TLS."""


def server_failed(server: str, error: ssl.SSLError) -> str:
    """Return a sentence about a server with which TLS is not possible."""
    if isinstance(error, ssl.SSLCertVerificationError):
        hint = "--server-ca FILE trusts it, --insecure accepts any certificate"
        return f"{server}: TLS failed: {error.verify_message.rstrip('.')} ({hint})"
    reason = error.reason or str(error)
    if reason in _NO_TLS:
        return f"{server}: TLS failed: the server does not speak TLS ({reason})"
    return f"{server}: TLS failed: {reason}"


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
        self.has_ended = False
        """Whether the peer has said that no more bytes come (close_notify)."""
        self._has_said_end = False
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
        if self.is_ready and not self._has_said_end:
            self._has_said_end = True
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
            except ssl.SSLWantReadError:
                break
            except ssl.SSLZeroReturnError:
                part = b""
            if not part:
                self.has_ended = True
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
        self._client_waits = False
        """Whether a client without TLS is not read, since that with the server does not stand."""

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
        own, other = self._ends[side], self._ends[1 - side]
        if side == CLIENT and own is not None and not own.is_ready:
            commands.append(Notice(f"a client left during the handshake of TLS; {HINT}"))
        if other is not None:
            other.end()
        return [*commands, *self._outgoing()]

    def woken(self, token: int) -> Iterable[Command]:
        """Take note that the time of a `Wake` is over."""
        if token == _TOO_LATE:
            return self._too_late()
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
            return self._check_early()
        inside = data if end is None else end.receive(data)
        commands = [*self._client_begins()]
        if inside:
            commands += self._encrypted(self._inner.feed(side, inside))
        if end is not None and end.has_ended:
            commands += self._pass_end(side)
        return [*commands, *self._outgoing()]

    def _check_early(self) -> Iterable[Command]:
        """Raise `StreamsharkError` if a client sends much before its handshake."""
        if len(self._first) > MOST_EARLY:
            raise StreamsharkError("TLS with a client failed: bytes before the handshake")
        return ()

    def _pass_end(self, side: int) -> Iterable[Command]:
        """Pass on that a side sends no more inside of TLS; its TCP connection may stay open."""
        other = self._ends[1 - side]
        if other is None or not self.may_end(side):
            return ()
        commands = self._encrypted(self._inner.end(side))
        other.end()
        return commands

    def _too_late(self) -> Iterable[Command]:
        """End both connections if a handshake is not done."""
        client, server = self._ends
        if self._mode != _TLS or server is None:
            return ()
        if server.is_ready and (self._hello is None or (client is not None and client.is_ready)):
            return ()
        peer = "a client" if server.is_ready else self._shown
        self._mode = _OVER
        text = f"{peer}: TLS failed: no handshake in {PATIENCE:.0f} s"
        return (Notice(text), Reset(CLIENT), Reset(SERVER))

    def _decided(self) -> Iterable[Command]:
        """Begin with what the first bytes of the client show."""
        if not self._first.startswith(START):
            first, self._first = self._first, b""
            if self._has_info or not self._needs_tls:
                self._mode = _PLAIN
                return self._inner.feed(CLIENT, first)
            self._mode = _TLS
            self._begin_server(())
            self._client_waits = True
            commands = [*self._encrypted(self._inner.feed(CLIENT, first)), *self._outgoing()]
            return [*commands, Pause(CLIENT, Cause.UNCONNECTED), Wake(PATIENCE, _TOO_LATE)]
        if not (self._has_info or self._needs_tls):
            self._mode = _OPAQUE
            first, self._first = self._first, b""
            return (Send(SERVER, first),)
        self._hello = parse_client_hello(self._first)
        if self._hello is None:
            return ()
        self._mode = _TLS
        self._begin_server(self._hello.protocols)
        return [*self._check_early(), *self._outgoing(), Wake(PATIENCE, _TOO_LATE)]

    def _begin_server(self, protocols: Iterable[str]) -> None:
        contexts = self._contexts()
        context = contexts.client_context(protocols)
        self._ends[SERVER] = end = TlsEnd(context, self._server, contexts.stir)
        end.receive(b"")

    def _client_begins(self) -> Iterable[Command]:
        """Begin TLS with the client when it is known which protocol the server has chosen."""
        server = self._ends[SERVER]
        if server is None or not server.is_ready or self._ends[CLIENT] is not None:
            return ()
        if self._hello is None:
            return self._client_goes_on()
        contexts = self._contexts()
        context = contexts.server_context(self._hello.name, server.protocol)
        self._ends[CLIENT] = end = TlsEnd(context, None, contexts.stir)
        first, self._first = self._first, b""
        try:
            inside = end.receive(first)
        except ssl.SSLError as error:
            return self._failed(CLIENT, error)
        return self._encrypted(self._inner.feed(CLIENT, inside)) if inside else ()

    def _client_goes_on(self) -> Iterable[Command]:
        """Read a client without TLS again, once that with the server stands."""
        waits, self._client_waits = self._client_waits, False
        return (Resume(CLIENT, Cause.UNCONNECTED),) if waits else ()

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
        if side == SERVER:
            text = server_failed(self._shown, error)
        else:
            reason = error.reason or str(error)
            text = f"TLS with a client failed: {reason}"
            if any(each in str(reason).upper() for each in _ALERTS):
                text += f"; {HINT}"
        return [*self._outgoing(), Notice(text), Reset(CLIENT), Reset(SERVER)]
