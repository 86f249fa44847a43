"""Reads zstd and lz4 as they come: frames, cuts and damage, never more than was asked for."""

import io
import random
import tracemalloc
from collections.abc import Callable

import lz4.frame
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from streamshark.capture.source import StreamSource
from streamshark.capture.zstd_lz4 import SKIPPABLE, Unblocked, format_of

NOISE = random.Random(7).randbytes(40_000)  # noqa: S311 - not for secrets
CONTENT = bytes(range(256)) * 400 + NOISE + NOISE[:9_000] + bytes(300_000) + b"end"
SKIPPED = b"\x5a\x2a\x4d\x18" + (9).to_bytes(4, "little") + b"nine more"


def zstd(data: bytes, **options: bool) -> bytes:
    """Pack as zstd."""
    return zstandard.ZstdCompressor(**options).compress(data)  # type: ignore[arg-type]


def zstd_stream(data: bytes) -> bytes:
    """Compress as zstd whose header has no size."""
    packer = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    return packer.compress(data) + packer.flush()


def lz4_stream(data: bytes) -> bytes:
    """Pack as lz4 with everything a frame may have."""
    return lz4.frame.compress(
        data, block_checksum=True, content_checksum=True, block_linked=False, block_size=4
    )


PACK: dict[str, Callable[[bytes], bytes]] = {
    "zstd": zstd,
    "zstd stream": zstd_stream,
    "lz4": lz4.frame.compress,
    "lz4 stream": lz4_stream,
}


def unpack(data: bytes, most: int = 1 << 20, piece: int = 1 << 30) -> tuple[bytes, str | None]:
    """Return the content and the damage of packed bytes that come in pieces."""

    class Pieces(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(min(size or 0, piece))

    source = Unblocked(StreamSource(Pieces(data), owned=False), format_of(data) or "zstd")
    content = []
    while part := source.read(most):
        assert len(part) <= most
        content.append(part)
    source.close()
    return b"".join(content), source.damage


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK.keys())
@given(
    sizes=st.lists(st.integers(0, len(CONTENT)), min_size=1, max_size=3),
    most=st.integers(1_000, 500_000),
    piece=st.integers(40, 300_000),
)
def test_frames_follow_each_other(
    pack: Callable[[bytes], bytes], sizes: list[int], most: int, piece: int
) -> None:
    """Joined frames are one content; skippable frames between them are ignored."""
    packed = SKIPPED.join(pack(CONTENT[-size:]) for size in sizes) + SKIPPED

    content, damage = unpack(packed, most, piece)

    assert content == b"".join(CONTENT[-size:] for size in sizes)
    assert damage is None


def test_a_stream_may_begin_with_what_is_skipped() -> None:
    """As pzstd writes it, and byte by byte."""
    assert format_of(SKIPPED) == "zstd"
    assert format_of(b"\xd4\xc3\xb2\xa1") is None
    assert len(SKIPPABLE) == 16
    assert unpack(SKIPPED + zstd(b"abc"), piece=1) == (b"abc", None)


LONG = zstandard.ZstdCompressionParameters.from_level(19, enable_ldm=1, window_log=27)


@pytest.mark.parametrize(
    "packed",
    [
        zstandard.ZstdCompressor(compression_params=LONG).compress(CONTENT),
        zstandard.ZstdCompressor(level=-5, write_content_size=False, threads=2).compress(CONTENT),
        *(lz4.frame.compress(CONTENT, block_size=size, compression_level=9) for size in (4, 5, 7)),
        lz4.frame.compress(CONTENT, store_size=False, block_checksum=True),
    ],
)
def test_every_kind_of_frame_is_read(packed: bytes) -> None:
    """Long distances, several threads, blocks of every size, with and without sizes and sums."""
    assert unpack(packed) == (CONTENT, None)


def test_a_checksum_of_a_block_is_no_size() -> None:
    """A checksum as small as a size is not read as a size."""
    contents = [b"%d" % each for each in range(3000)]
    packed = b"".join(lz4.frame.compress(each, block_checksum=True) for each in contents)

    assert unpack(packed) == (b"".join(contents), None)


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACK.values(), ids=PACK.keys())
def test_a_bomb_takes_no_memory(pack: Callable[[bytes], bytes]) -> None:
    """A small file of a great content comes in pieces of what is asked for."""
    packed = pack(bytes(300_000_000))
    source = Unblocked(StreamSource(io.BytesIO(packed), owned=False), format_of(packed) or "")
    tracemalloc.start()
    size = 0
    while part := source.read(100_000):
        size += len(part)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size == 300_000_000
    assert peak < 20_000_000


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK.keys())
def test_a_cut_stream_gives_what_is_there(pack: Callable[[bytes], bytes]) -> None:
    """All whole blocks before the cut are read, and the cut is reported."""
    packed = pack(CONTENT)
    longest = 0
    for kept in (*range(4, 40), *range(40, len(packed), 997), len(packed) - 1):
        content, damage = unpack(packed[:kept])

        assert CONTENT.startswith(content)
        assert damage is not None
        assert f"stream ends early, after {kept} bytes" in damage
        assert len(content) >= longest
        longest = len(content)
    assert longest > 100_000


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK.keys())
@given(data=st.data())
def test_corruption_never_raises(pack: Callable[[bytes], bytes], data: st.DataObject) -> None:
    """Changed bytes give some content and damage."""
    packed = bytearray(pack(CONTENT))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.one_of(st.integers(4, 60), st.integers(4, len(packed) - 1)))
        packed[at] = data.draw(st.integers(0, 255))

    content, _ = unpack(bytes(packed))

    assert len(content) < 100_000_000


def test_damage_says_where() -> None:
    """The content before the damage is read, also if the checksum alone is wrong."""
    for pack in (zstd_stream, lz4_stream):
        packed = bytearray(pack(CONTENT))
        packed[-1] ^= 1
        content, damage = unpack(bytes(packed))

        assert content == CONTENT
        assert damage is not None
        assert f"corrupt at byte {len(packed) - (4 if pack is zstd_stream else 8)}" in damage


def test_a_block_larger_than_possible_is_refused_at_once() -> None:
    """A block of two gigabytes is refused before its bytes come."""
    head = lz4.frame.compress(b"")[:-4]

    _, damage = unpack(head + b"\xff\xff\xff\x7f" + bytes(100))

    assert damage is not None
    assert "corrupt" in damage


@pytest.mark.parametrize("tail", [b"\x28\xb5", b"garbage"])
def test_what_is_no_frame_after_it_is_told(tail: bytes) -> None:
    """Other bytes after the last frame are damage, and the content is whole."""
    content, damage = unpack(zstd(b"abc") + tail)

    assert content == b"abc"
    assert damage is not None


def test_a_failing_source_is_damage() -> None:
    """The message of the operating system is kept."""

    class Failing(io.BytesIO):
        def read1(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    source = Unblocked(StreamSource(Failing(), owned=False), "lz4")

    assert source.read(9) == b""
    assert source.damage == "reading failed: Input/output error"
