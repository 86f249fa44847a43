"""Header blocks that are written again, as decoders of HPACK read them."""

from hpack import Decoder, Encoder
from hpack.struct import NeverIndexedHeaderTuple

from streamshark.proxy.http2_frames import block_end, block_of, literal_block, written_block

FIELDS = [(b":status", b"200"), (b"x", b"v" * 500), (b"secret", b""), (b"y" * 200, b"z" * 40_000)]


def test_blocks_say_the_same_and_refer_to_nothing() -> None:
    """Whatever the table of the receiver has had; in as many frames as needed."""
    decoder, encoder = Decoder(1 << 20), Encoder()
    for _ in range(2):
        decoder.decode(encoder.encode([("x", "v" * 500), ("other", "1")]), raw=True)
        unit = written_block(FIELDS, 7, is_last=True)
        assert block_end(unit, 0) == len(unit)
        assert (unit[3], unit[4], unit[5:9]) == (1, 1, b"\0\0\0\x07")
        assert [tuple(each) for each in decoder.decode(block_of(unit), raw=True)] == FIELDS
        encoder = Encoder()
    secret = [NeverIndexedHeaderTuple(b"a", b"b")]
    assert literal_block(secret)[1] == 0x10
