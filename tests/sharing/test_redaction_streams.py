"""Pieces of streams, and records of TLS."""

from streamshark.sharing.redaction_streams import StreamPieces, TlsRecords


def test_the_last_piece_counts() -> None:
    """Of those that overlap; other streams have pieces of their own."""
    with StreamPieces() as pieces:
        pieces.add(2, 10, b"a" * 5000)
        pieces.add(2, 20, b"bb")
        pieces.add(3, 20, b"c")
        made = bytearray(b"x" * 30)
        pieces.put(2, 0, made)
        assert bytes(made) == b"x" * 10 + b"a" * 10 + b"bb" + b"a" * 8
        made = bytearray(b"x" * 20)
        pieces.put(2, 5000, made)
        assert bytes(made) == b"a" * 10 + b"x" * 10


def test_records_keep_their_heads_wherever_they_are_cut() -> None:
    """All else is zeros; a hello is one of the same size that says nothing."""
    hello = b"\x16\3\1\0\x58" + b"\1\0\0\x54" + b"the name of a host" + bytes(66)
    data = b"\x17\3\3\0\4" + b"data"
    for cut in range(6, len(hello + data)):
        records = TlsRecords()
        parts = (hello + data)[:cut], (hello + data)[cut:]
        made = b"".join(records.blanked(each) or b"" for each in parts)
        assert made[:11] == hello[:9] + b"\3\3", cut
        assert made[-9:] == data[:5] + bytes(4), cut
        assert b"host" not in made
        assert len(made) == len(hello + data)
    assert TlsRecords().blanked(b"plain text") is None
