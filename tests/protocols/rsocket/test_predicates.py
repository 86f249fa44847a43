"""Conditions over text and metadata."""

from streamshark.protocols.rsocket.predicates import (
    JUDGED,
    ends_with_null,
    holds_another_frame,
    is_another_type,
    repeats_length,
)


def test_text_that_ends_with_a_zero_byte() -> None:
    """Each text by its name; not empty or missing ones, nor a zero inside."""
    both = {"metadata_mime_type": "a/b\0", "data_mime_type": "a/c\0"}

    assert ends_with_null(both) == "MIME type of metadata and MIME type of data"
    assert ends_with_null({"error_data": "no\0"}) == "error data"
    assert ends_with_null({"metadata_mime_type": "a\0b", "data_mime_type": ""}) == ""
    assert ends_with_null({"error_data": None}) == ""


def test_metadata_that_begins_with_its_length() -> None:
    """Three bytes of length for what follows; not one more or less."""
    assert repeats_length({"metadata": b"\0\0\3abc"})
    assert not repeats_length({"metadata": b"\0\0\2abc"})
    assert not repeats_length({"metadata": b"text/plain"})


TYPED = (
    (
        "application/json",
        (b'{"a": 1}', b" [] ", b'"x"', b"-1.5e3", b"null", b'{"a":"' + b"x" * 999 + b'"}'),
        (b"ping", b"\x0a\x05hello", b'{"a": 1', b"{" + b"x" * 999, b"\xff", b"[" * 500),
    ),
    ("application/xml", (b"<a/>", b"\xef\xbb\xbf <?xml?>"), (b'{"a":1}', b"text")),
    ("text/plain", (b"h\xc3\xb4tel", b"{}"), (b"\xff\xfe", b"\xe9t\xe9")),
    ("application/cbor", (b"\xa1\x61a\x01", b"{", b"\x82\x01\x02"), (b'{"a":1}', b'[{"a":1}]')),
)
"""MIME type, data of it, and data of another type."""


def test_data_of_another_type() -> None:
    """Each is named; what may be of its type is not."""
    for mime_type, right, wrong in TYPED:
        for data in (*right, *wrong):
            found = is_another_type({"agreed.data_mime_type": mime_type, "data": data})
            assert bool(found) is (data in wrong), (mime_type, data[:20])
        assert mime_type in JUDGED


def test_data_that_holds_another_frame() -> None:
    """A request on the next stream of its sender, after SETUP on the first one; not other bytes."""
    after_first = bytes.fromhex("00000003 1000") + b"ping"
    for stream, data, found in (
        (1, b"ping" + after_first, "REQUEST_RESPONSE on stream 3"),
        (0, bytes.fromhex("00000001 1400"), "REQUEST_FNF on stream 1"),
        (3, b"ping" + after_first, ""),
        (1, b"ping\0\0\0\3text", ""),
        (1, after_first[:5], ""),
        (1, b"", ""),
    ):
        assert holds_another_frame({"fields.stream_id": stream, "data": data}) == found, data
