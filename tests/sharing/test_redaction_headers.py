"""Headers: sizes stay, in plain text and in Huffman code."""

from hpack import Decoder, Encoder
from tests.sharing.redactions import FRAMES

from streamshark.sharing.redaction_headers import HeaderBlocks, HeaderRedaction

REQUEST = [
    (":method", "POST"), (":path", "/proto.API/Publish"), (":authority", "broker-7.example:9292"),
    ("content-type", "application/grpc"), ("user-agent", "grpc-go/1.65.0"),
    ("authorization", "Bearer abcDEF123"), ("x-tenant", "acme"), ("grpc-timeout", "5S"),
]  # fmt: skip


def test_header_blocks_keep_size_and_tables() -> None:
    """The same fields, again by their index in the table."""
    for huffman in (True, False):
        encoder, decoder = Encoder(), Decoder()
        blocks = HeaderBlocks(HeaderRedaction(FRAMES))
        for headers in (REQUEST, [*REQUEST, ("x-tenant", "other")]):
            data = encoder.encode(headers, huffman=huffman)
            made = blocks.replaced(data)
            assert len(made) == len(data)
            found = decoder.decode(made)
            for (name, value), (new_name, new_value) in zip(headers, found, strict=True):
                assert (len(new_name), len(new_value)) == (len(name), len(value))
                kept = name in {":method", ":path", "content-type", "user-agent", "grpc-timeout"}
                assert (value == new_value) == kept, name


def test_any_bytes_are_replaced() -> None:
    """What is no header block is blanked."""
    blocks = HeaderBlocks(HeaderRedaction(FRAMES))
    assert blocks.replaced(b"\x40\x7fsecret") == b"XXXXXXXX"


def test_a_head_of_http_keeps_its_form() -> None:
    """Known headers stay; paths, hosts, cookies do not."""
    head = (
        b"GET /private/path?token=abc HTTP/1.1\r\nHost: broker.example\r\nUpgrade: websocket\r\n"
        b"Cookie: session=12345\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n\r\n"
    )
    made = HeaderRedaction(FRAMES).head(head)
    assert len(made) == len(head)
    assert made.startswith(b"GET /")
    assert b" HTTP/1.1\r\nHost: " in made
    assert b"Sec-WebSocket-Key: dGhlIHNhbXBsZQ==" in made
    for gone in (b"private", b"abc", b"broker", b"example", b"session", b"12345"):
        assert gone not in made
