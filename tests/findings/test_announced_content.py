"""Whether bytes are what is announced."""

from tests.failures import every

from streamshark.findings.announced_content import LONGEST_PARSED, differs


@every(
    ("kind", "encoding", "data", "expected"),
    [
        ("application/json", None, b'{"a": 1}', ""),
        ("application/json; charset=utf-8", None, b" [1]", ""),
        ("application/json", None, b"\xef\xbb\xbf{}", ""),
        ("application/problem+json", None, b"\x81\xa1a\1", "not JSON"),
        ("Application/JSON", None, b"{'a': 1}", "not JSON"),
        ("application/json", None, b"hello", "not JSON"),
        ("application/json", None, b"", ""),
        ("application/json", "gzip", b"\x1f\x8b\x08", ""),
        ("application/json", "gzip", b"{}", "not compressed with gzip"),
        (None, "zstd", b"\x28\xb5\x2f\xfd\0", ""),
        (None, "zstd", b"plain", "not compressed with zstd"),
        ("application/json", "br", b"\0", ""),
        ("text/xml", None, b"<a/>", ""),
        ("application/xml", None, b"{}", "not XML"),
        ("application/octet-stream", None, b"\0", ""),
        (None, None, b"\0", ""),
        ("application/json", None, b"[" * LONGEST_PARSED, "not JSON"),
        ("application/json", None, b"[" * (LONGEST_PARSED + 1), ""),
    ],
)
def test_announced(kind: str | None, encoding: str | None, data: bytes, expected: str) -> None:
    """Of what is certain; nothing of the rest."""
    assert differs(kind, encoding, data) == expected
