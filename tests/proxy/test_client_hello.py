"""The name and the protocols that a client asks for, however its ClientHello is cut."""

import ssl

from streamshark.proxy.client_hello import MOST, ClientHello, parse_client_hello


def hello(name: str | None, *protocols: str) -> bytes:
    """The first bytes of a client."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    if protocols:
        context.set_alpn_protocols([*protocols])
    out = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        return out.read()
    raise AssertionError


def test_what_a_client_asks_for() -> None:
    """Name and protocols, one or none; in several records."""
    for name, protocols in (("broker.example", ("h2", "http/1.1")), ("a", ()), (None, ("nats",))):
        data = hello(name, *protocols)
        assert parse_client_hello(data) == ClientHello(name, protocols)
        assert parse_client_hello(data + b"more") == ClientHello(name, protocols)
        content = data[5:]
        records = b"".join(
            data[:3] + len(part).to_bytes(2) + part for part in (content[:50], content[50:])
        )
        assert parse_client_hello(records) == ClientHello(name, protocols)
    data = hello("a", "h2")
    assert [parse_client_hello(data[:at]) for at in range(len(data))] == [None] * len(data)


def test_malformed_ones_ask_for_nothing() -> None:
    """Other messages, wrong sizes, no end."""
    data = hello("broker.example", "h2")
    for wrong in (
        b"\x16\x03\x01\0\4\2\0\0\0", b"\x16\x03\x01\0\0", data[:43] + b"\xff" + data[44:],
        b"\x16\x03\x01\xff\xff\1\xff\xff\xff" + bytes(MOST),
    ):  # fmt: skip
        assert parse_client_hello(wrong) == ClientHello()
    for at in range(9, len(data)):
        parse_client_hello(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
