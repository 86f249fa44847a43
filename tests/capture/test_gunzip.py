"""Reads gzip as it comes: members, padding and damage, never more than was asked for."""

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamshark.capture.gunzip import Gunzip
from streamshark.capture.source import StreamSource

CONTENT = bytes(range(256)) * 40


def gunzip(data: bytes, most: int = 1 << 20) -> tuple[bytes, str | None]:
    """Return the content and the damage of gzip bytes."""
    source = Gunzip(StreamSource(io.BytesIO(data), owned=False))
    content = b""
    while part := source.read(most):
        content += part
    source.close()
    return content, source.damage


@given(
    sizes=st.lists(st.integers(0, 3_000), min_size=1, max_size=4),
    most=st.integers(1, 5_000),
    padding=st.integers(0, 9),
)
def test_members_follow_each_other(sizes: list[int], most: int, padding: int) -> None:
    """Joined members are one content, and zeros after them are ignored."""
    members = b"".join(gzip.compress(CONTENT[:size]) for size in sizes)

    content, damage = gunzip(members + bytes(padding), most)

    assert content == b"".join(CONTENT[:size] for size in sizes)
    assert damage is None


def test_members_may_come_in_pieces() -> None:
    """A pipe may cut a member's magic."""

    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(1 if size else 0)

    stream = Slow(gzip.compress(b"a") + gzip.compress(b"b"))
    source = Gunzip(StreamSource(stream, owned=False))

    assert [source.read(9) for _ in range(3)] == [b"a", b"b", b""]


def test_a_read_is_bounded() -> None:
    """The content of a small file comes in pieces of the size that was asked for."""
    source = Gunzip(StreamSource(io.BytesIO(gzip.compress(bytes(10_000_000))), owned=False))

    assert len(source.read(1_000)) == 1_000
    assert len(source.read(4_000)) == 4_000


@given(st.integers(3, 400))
def test_a_cut_stream_gives_what_is_there(kept: int) -> None:
    """All content before the cut is read, and the cut is reported."""
    data = gzip.compress(CONTENT)

    content, damage = gunzip(data[: min(kept, len(data) - 1)])

    assert CONTENT.startswith(content)
    assert damage is not None
    assert "ends early, after" in damage


def test_a_corrupt_stream_gives_what_comes_before() -> None:
    """All content before the error is read, also if the checksum alone is wrong."""
    data = bytearray(gzip.compress(CONTENT))
    data[-8] ^= 1

    content, damage = gunzip(bytes(data))

    assert content == CONTENT
    assert damage is not None
    assert "incorrect data check" in damage


@given(st.integers(10, 200), st.integers(1, 255))
def test_any_corruption_is_damage_or_a_checksum(at: int, change: int) -> None:
    """Nothing raises."""
    data = bytearray(gzip.compress(CONTENT))
    at = min(at, len(data) - 5)
    data[at] ^= change

    content, damage = gunzip(bytes(data))

    assert damage is not None
    assert len(content) <= 10_000_000


@pytest.mark.parametrize("tail", [b"\x1f", b"garbage"])
def test_what_is_no_gzip_after_it_is_told(tail: bytes) -> None:
    """Other bytes after the last member are damage, and the content is whole."""
    content, damage = gunzip(gzip.compress(b"abc") + tail)

    assert content == b"abc"
    assert damage is not None
    assert "is not gzip" in damage
