"""WebSocket: masks, lengths and deflated messages."""

import zlib

from streamshark.sharing.redaction_websocket import deflated

END = b"\0\0\xff\xff"


def test_deflated_messages_have_the_size() -> None:
    """From some size on; as much as possible of the content."""
    data, blank = bytes(range(65, 91)) * 4, b"X" * 104
    fitting = 0
    for size in range(12, 140):
        made = deflated(data, blank, size)
        if made is None:
            continue
        fitting += 1
        assert len(made.data) == size
        plain = zlib.decompressobj(-zlib.MAX_WBITS).decompress(made.data + END)
        assert plain == made.plain
        assert len(plain) == len(data)
        assert all(new in (old, 88) for old, new in zip(data, plain, strict=True))
    assert fitting > 100
