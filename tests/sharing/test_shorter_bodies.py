"""Frames with shorter bodies."""

from streamshark.cli.raw_bytes import rows_of
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, find, formats, layers
from streamshark.sharing.shorter_bodies import bodies, can_be_cut, shortened


def row_of(data: bytes) -> FrameRow:
    """Return the row of a frame of NATS."""
    (row,) = rows_of(data, find("nats", catalog()).wire.table(), "client")
    assert isinstance(row, FrameRow)
    return row


def test_lengths_follow() -> None:
    """A body is cut, and what says its length with it; what is between stays as it was."""
    row = row_of(b"PUB a.b  12\r\nhello, world\r\n")
    assert bodies(row) == {("payload",): b"hello, world"}
    assert shortened(row, {("payload",): 5}) == b"PUB a.b  5\r\nhello\r\n"
    assert shortened(row, {("payload",): 0}) == b"PUB a.b  0\r\n\r\n"
    assert shortened(row, {}) == row.data


def test_bodies_of_a_format_are_not_cut() -> None:
    """Part of a text is a text; part of JSON would be no JSON."""
    known = layers(catalog(), formats())
    for body, can in (
        (b"plain text", True),
        (b"\xff\x00\xfe\xfd\xfc", True),
        (b'{"a": [1, 2]}', False),
    ):
        row = row_of(b"PUB a %d\r\n%b\r\n" % (len(body), body))
        assert can_be_cut(row, ("payload",), known) is can, body
    assert not can_be_cut(row_of(b"PING\r\n"), ("payload",), known)


def test_what_has_no_body() -> None:
    """Nothing is cut."""
    row = row_of(b"PING\r\n")
    assert bodies(row) == {}
    assert shortened(row, {("payload",): 0}) == b"PING\r\n"
