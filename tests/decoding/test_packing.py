"""What is packed is unpacked again."""

import pytest

from streamshark.decoding.codecs import CODECS, unpack
from streamshark.decoding.packing import pack


@pytest.mark.parametrize("codec", sorted(CODECS))
def test_codecs(codec: str) -> None:
    """By each of them; empty bytes too."""
    for data in (b"", b"abc" * 1000):
        packed = pack(codec, data)
        assert packed is not None
        assert unpack(codec, packed, size=len(data), cap=10_000) == (data, None)


def test_codecs_that_are_not_known() -> None:
    """Nothing is packed by them."""
    assert pack("6", b"abc") is None
