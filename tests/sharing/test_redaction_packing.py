"""Packed bytes of a given size."""

from tests.failures import every

from streamshark.decoding.codecs import unpack
from streamshark.sharing.redaction_packing import packed

DATA = b"some bytes that repeat, " * 20


@every("codec", ["gzip", "zstd", "lz4", "snappy"])
def test_packed_bytes_have_the_size_and_the_content(codec: str) -> None:
    """From some size on, any."""
    made = {size: packed(codec, DATA, size) for size in range(40, 200)}
    fitting = {size: each for size, each in made.items() if each is not None}
    assert len(fitting) > 80
    assert all(made[size] is not None for size in range(160, 200))
    for size, each in fitting.items():
        assert len(each) == size
        assert unpack(codec, each, size=len(DATA), cap=1 << 16) == (DATA, None)


def test_what_does_not_fit_is_not_packed() -> None:
    """Nor is what no codec packs."""
    assert packed("gzip", DATA, 10) is None
    assert packed("none", DATA, 1000) is None
