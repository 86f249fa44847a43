"""Conditions over text and metadata."""

from streamshark.protocols.rsocket.predicates import ends_with_null, repeats_length


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
