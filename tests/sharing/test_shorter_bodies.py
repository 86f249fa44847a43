"""Frames with shorter bodies."""

import struct

from streamshark.cli.raw_bytes import rows_of
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, find, formats, layers
from streamshark.sharing.shorter_bodies import bodies, shortened

KNOWN = layers(catalog(), formats())


def row_of(data: bytes) -> FrameRow:
    """Return the row of a frame of NATS."""
    (row,) = rows_of(data, find("nats", catalog()).wire.table(), "client")
    assert isinstance(row, FrameRow)
    return row


def cut(row: FrameRow, length: int) -> bytes | None:
    """Return the frame with its only body cut."""
    (path,) = bodies(row, KNOWN)
    return shortened(row, {path: length}, KNOWN)


def test_lengths_follow() -> None:
    """A body is cut, and what says its length with it; what is between stays as it was."""
    row = row_of(b"PUB a.b  12\r\nhello, world\r\n")
    assert {path: body.data for path, body in bodies(row, KNOWN).items()} == {
        (("payload",),): b"hello, world"
    }
    assert cut(row, 5) == b"PUB a.b  5\r\nhello\r\n"
    assert cut(row, 0) == b"PUB a.b  0\r\n\r\n"
    assert cut(row, 99) == row.data
    assert shortened(row, {}, KNOWN) == row.data


def test_bodies_of_a_format_are_not_cut() -> None:
    """Part of a text is a text; part of JSON would be no JSON."""
    for body, can in (
        (b"plain text", True),
        (b"\xff\x00\xfe\xfd\xfc", True),
        (b'{"a": [1, 2]}', False),
    ):
        row = row_of(b"PUB a %d\r\n%b\r\n" % (len(body), body))
        assert [each.can_be_cut for each in bodies(row, KNOWN).values()] == [can], body


def test_bodies_in_embedded_records() -> None:
    """A message of gRPC has a request to publish, whose value is a body of its own."""
    value = b"a value of many letters"
    request = b"\x12%c%b\x1a\6orders:\2id" % (len(value), value)
    texts = b"".join(
        struct.pack(">H", len(each)) + each
        for each in (b"application/grpc", b"/proto.API/PublishAsync", b"PublishAsync")
    )
    head = b"\3\0" + struct.pack(">I", 1) + texts
    (row,) = rows_of(head + request, find("grpc", catalog()).wire.table(), "client")
    assert isinstance(row, FrameRow)
    found = bodies(row, KNOWN)
    assert {path: body.data for path, body in found.items()} == {
        (("message",),): request, (("message",), ("value",)): value
    }  # fmt: skip
    made = shortened(row, {(("message",), ("value",)): 3}, KNOWN)
    assert made is not None
    assert made == head + b"\x12\3a v\x1a\6orders:\2id"
    both = dict.fromkeys(found, 0)
    assert shortened(row, both, KNOWN) == head


def test_what_has_no_body() -> None:
    """Nothing is cut."""
    row = row_of(b"PING\r\n")
    assert bodies(row, KNOWN) == {}
    assert shortened(row, {}, KNOWN) == row.data
