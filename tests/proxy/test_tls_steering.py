"""TLS through the proxy: at once, after INFO, on one side alone, refused, and passed as it is."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.proxy.ends import KERNEL, TIMEOUT, connected, filled, listening, received

import streamshark
from streamshark.errors import StreamsharkError
from streamshark.proxy import Proxy, tls_steering
from streamshark.proxy.authority import CERTIFICATE, Authority
from streamshark.proxy.tls import TlsOptions
from streamshark.proxy.tls_steering import HINT, MOST_EARLY

INFO = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576,"tls_required":true}\r\n'
CONNECT = b'CONNECT {"verbose":false,"lang":"c","version":"1"}\r\nPING\r\n'
Talk = Callable[[socket.socket, ssl.SSLContext], None]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy's authority is in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@contextmanager
def server(folder: Path, talk: Talk) -> Iterator[socket.socket]:
    """A server whose certificate is of an authority in a folder; it talks to one client."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    Authority(folder / "theirs").load(context, ["localhost"], folder)
    context.set_alpn_protocols(["h2"])
    with listening() as listener:

        def serve() -> None:
            accepted = listener.accept()[0]
            accepted.settimeout(TIMEOUT)
            with accepted:
                try:
                    talk(accepted, context)
                except (OSError, ssl.SSLError):
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener
        thread.join(TIMEOUT)


def proxied(folder: Path, listener: socket.socket, scheme: str, **options: Any) -> Proxy:  # noqa: ANN401
    """A proxy of it that trusts its authority."""
    url = f"{scheme}://localhost:{listener.getsockname()[1]}"
    tls = TlsOptions(str(folder / "theirs" / CERTIFICATE))
    given = {"tls": tls, "ports": None, "notice": lambda _text: None, **options}
    return Proxy(url, **given)


def trusting(folder: Path) -> ssl.SSLContext:
    """The context of a client that trusts the proxy."""
    Authority(folder / "streamshark")
    return ssl.create_default_context(cafile=str(folder / "streamshark" / CERTIFICATE))


def echoes(accepted: socket.socket, context: ssl.SSLContext) -> None:
    """TLS at once; all bytes come back."""
    with context.wrap_socket(accepted, server_side=True) as inside:
        while data := inside.recv(1 << 16):
            inside.sendall(data)


def greets(accepted: socket.socket, context: ssl.SSLContext) -> None:
    """NATS: INFO, then TLS."""
    accepted.sendall(INFO)
    with context.wrap_socket(accepted, server_side=True) as inside:
        while data := inside.recv(1 << 16):
            inside.sendall(b"PONG\r\n" * data.count(b"PING"))


def test_tls_at_once(tmp_path: Path) -> None:
    """The client's name is in its certificate, and it gets the protocol that the server chose."""
    with server(tmp_path, echoes) as listener, proxied(tmp_path, listener, "tls") as proxy:
        context = trusting(tmp_path)
        context.set_alpn_protocols(["http/1.1", "h2"])
        raw = socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT)
        with context.wrap_socket(raw, server_hostname="broker.example") as client:
            assert client.selected_alpn_protocol() == "h2"
            data = bytes(range(256)) * 64
            for _ in range(64):  # one thread alone: two at once break a socket of Python's ssl
                client.sendall(data)
                assert received(client, len(data)) == data


def own_certificate(path: Path) -> None:
    """A certificate that is its own authority, with its key, in a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shop")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .sign(key, hashes.SHA256())
    )
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(text + made.public_bytes(serialization.Encoding.PEM))


def test_servers_that_ask_for_a_certificate(tmp_path: Path) -> None:
    """They get that of the options; without it they refuse, and so the client is refused."""
    path = tmp_path / "client.pem"
    own_certificate(path)

    def asks(accepted: socket.socket, context: ssl.SSLContext) -> None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(str(path))
        with context.wrap_socket(accepted, server_side=True) as inside:
            named = inside.getpeercert()
            assert named is not None
            inside.sendall(str(named["subject"][0][0][1]).encode())

    for certificate in (str(path), None):
        authority = str(tmp_path / "theirs" / CERTIFICATE)
        options = TlsOptions(authority, certificate=certificate)
        with (
            server(tmp_path, asks) as listener,
            proxied(tmp_path, listener, "tls", tls=options) as proxy,
            socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as raw,
        ):
            got = b""
            with suppress(OSError), trusting(tmp_path).wrap_socket(raw, server_hostname="x") as end:
                got = received(end, 4)
            assert got == (b"" if certificate is None else b"shop")


def test_a_client_without_tls_of_a_server_with_it(tmp_path: Path) -> None:
    """The proxy speaks TLS with the server alone."""
    with (
        server(tmp_path, echoes) as listener,
        proxied(tmp_path, listener, "tls") as proxy,
        socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as client,
    ):
        client.sendall(b"hello")
        assert received(client, 5) == b"hello"


@pytest.mark.process
def test_tls_after_info_is_recorded_with_its_keys(tmp_path: Path) -> None:
    """On both legs; frames of the recording are decrypted."""
    path = tmp_path / "out.pcapng"
    with (
        server(tmp_path, greets) as listener,
        proxied(tmp_path, listener, "nats", write=path, both=True) as proxy,
    ):
        raw = socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT)
        assert received(raw, len(INFO)) == INFO
        with trusting(tmp_path).wrap_socket(raw, server_hostname=proxy.host) as client:
            client.sendall(CONNECT)
            assert received(client, 6) == b"PONG\r\n"
    rows = [each.command for each in streamshark.open(str(path)) if not each.is_event]
    assert sorted(rows) == sorted(["info", "connect", "ping", "pong"] * 2)


def test_certificates_that_are_not_accepted(tmp_path: Path) -> None:
    """The server's by the proxy, unless told otherwise; the proxy's by the client."""
    lines: list[str] = []
    for tls, trusts, expected in (
        (TlsOptions(), True, "TLS failed: unable to get local issuer certificate (--server-ca"),
        (TlsOptions(insecure=True), True, ""),
        (TlsOptions(insecure=True), False, HINT),
    ):
        lines.clear()
        with (
            server(tmp_path, echoes) as listener,
            proxied(tmp_path, listener, "tls", tls=tls, notice=lines.append) as proxy,
        ):
            context = trusting(tmp_path) if trusts else ssl.create_default_context()
            raw = socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT)
            try:
                with context.wrap_socket(raw, server_hostname="localhost") as client:
                    client.sendall(b"hello")
                    assert received(client, 5) == b"hello"
                    assert not expected
            except OSError:
                assert expected
                raw.close()
        assert (expected in " ".join(lines)) == bool(expected) or not expected
        assert len(lines) == bool(expected)


def test_tls_that_passes_as_it_is(tmp_path: Path) -> None:
    """If it is to, or if nothing says that the server speaks TLS: the server's own certificate."""
    context = ssl.create_default_context(cafile=str(Authority(tmp_path / "theirs").path))
    for scheme, options in (("tls", {"pass_tls": True}), ("rabbitmq-stream", {})):
        with (
            server(tmp_path, echoes) as listener,
            proxied(tmp_path, listener, scheme, **options) as proxy,
        ):
            raw = socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT)
            with context.wrap_socket(raw, server_hostname="localhost") as client:
                client.sendall(b"hello")
                assert received(client, 5) == b"hello"


def plain(accepted: socket.socket, _context: ssl.SSLContext) -> None:
    """NATS without TLS."""
    accepted.sendall(INFO)
    received(accepted, len(CONNECT))
    accepted.sendall(b"PONG\r\n")


def test_clients_with_and_without_tls(tmp_path: Path) -> None:
    """A server of NATS that allows both (`allow_non_tls`)."""
    with (
        server(tmp_path, plain) as listener,
        proxied(tmp_path, listener, "tls") as proxy,
        socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as client,
    ):
        assert received(client, len(INFO)) == INFO
        client.sendall(CONNECT)
        assert received(client, 6) == b"PONG\r\n"


def test_the_end_inside_of_tls_is_passed_on(tmp_path: Path) -> None:
    """A client that ends TLS, and waits for the server's end, keeps its TCP connection open."""

    def ends(accepted: socket.socket, context: ssl.SSLContext) -> None:
        with context.wrap_socket(accepted, server_side=True) as inside:
            assert received(inside, 10) == b"last words"
            inside.unwrap()

    with server(tmp_path, ends) as listener, proxied(tmp_path, listener, "tls") as proxy:
        raw = socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT)
        with trusting(tmp_path).wrap_socket(raw, server_hostname="localhost") as client:
            client.sendall(b"last words")
            client.unwrap().close()


def test_a_client_that_leaves_without_an_alert(tmp_path: Path) -> None:
    """Some that do not trust the proxy do: a line says how they trust it."""
    lines: list[str] = []
    hello, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    made = ssl.create_default_context().wrap_bio(hello, out, server_hostname="localhost")
    with suppress(ssl.SSLWantReadError):
        made.do_handshake()
    with (
        server(tmp_path, echoes) as listener,
        proxied(tmp_path, listener, "tls", notice=lines.append) as proxy,
        socket.create_connection((proxy.host, proxy.port), timeout=TIMEOUT) as client,
    ):
        client.sendall(out.read())
        assert client.recv(1) == b"\x16"
        client.shutdown(socket.SHUT_WR)
        received(client, 1 << 20)
    assert lines == [f"a client left during the handshake of TLS; {HINT}"]


def test_a_server_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients are read no further, and reset after a time."""
    lines: list[str] = []
    monkeypatch.setattr(tls_steering, "PATIENCE", 0.6)
    with (
        listening() as silent,
        proxied(tmp_path, silent, "tls", tls=TlsOptions(), notice=lines.append) as proxy,
    ):
        for with_tls in (False, True):
            both = connected(proxy, silent)
            with both.client, both.server:
                if with_tls:
                    both.client.sendall(b"\x16\x03\x01\0\1\0")
                    both.client.sendall(bytes(2 * MOST_EARLY))
                else:
                    sent = filled(both.client)
                    assert len(sent) < KERNEL
                with pytest.raises(ConnectionResetError):
                    both.client.recv(1)
    assert "no handshake in 1 s" in lines[0]
    assert "bytes before the handshake" in lines[1]


def test_a_certificate_is_checked_before_anything_listens(tmp_path: Path) -> None:
    """One sentence, also of a server without TLS; one that is not there yet is no error."""
    with server(tmp_path, echoes) as listener:
        proxy = proxied(tmp_path, listener, "rabbitmq-stream+tls", tls=TlsOptions())
        with pytest.raises(StreamsharkError, match="TLS failed: unable to get local issuer"):
            proxy.open()
    with server(tmp_path, plain) as listener:
        proxy = proxied(tmp_path, listener, "rabbitmq-stream+tls", tls=TlsOptions())
        with pytest.raises(StreamsharkError, match="the server does not speak TLS"):
            proxy.open()
    with listening() as gone:
        url = f"rabbitmq-stream+tls://localhost:{gone.getsockname()[1]}"
    with Proxy(url, ports=None):
        pass
