"""Formats of payloads by their first bytes."""

from tests.failures import every

from streamshark.conversations.expression_functions import FUNCTIONS
from streamshark.conversations.payload_formats import FORMATS


@every(
    ("payload", "expected"),
    [
        (b'{"a":1}', "JSON"), (b"[1]", "JSON"), (b"<a/>", "XML"), (b"\x1f\x8b\x08", "gzip"),
        (b"\x28\xb5\x2f\xfd\0", "Zstandard"), (b"\n\3abc", "protobuf"), (b"\x08\1", "protobuf"),
        (b"\x81\xa1a\1", "MessagePack"), (b"\xa1aa\1", "CBOR"), (b"text", None), (b"", None),
        ("h\u00e9".encode(), None), (b"(text)", None),
    ],
)  # fmt: skip
def test_first_bytes(payload: bytes, expected: str | None) -> None:
    """Of what has its own; nothing of the rest."""
    assert FUNCTIONS["f_begins"](payload, FORMATS) == expected
