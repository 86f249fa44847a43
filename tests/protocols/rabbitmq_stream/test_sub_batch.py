"""Sub-batches: unpacked by five codecs, read to the end, compared with the entry."""

import struct
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Any

import cramjam
import pytest
from tests.draw import some
from tests.failures import every
from tests.protocols.rabbitmq_stream.traffic import WIRE
from tests.recorded.bodies import known
from tests.schema.reader_agreement import Vector, vectors

from streamshark.decoding.payloads import EmbeddedRecord, cells
from streamshark.protocols.rabbitmq_stream.codes import Compression
from streamshark.protocols.rabbitmq_stream.sub_batch import MOST_RECORDS, SUB_BATCH_RECORDS
from streamshark.protocols.rabbitmq_stream.types import MAX_UNPACKED

WRITTEN = [each for each in vectors("rabbitmq_stream") if each.file == "sub_batch_data"]
PUBLISH = next(each for each in WIRE.table().all if each.tree.prefix == "rmqstream.publish")
RECORDS = bytes.fromhex("0000000161 00000000 0000000262 63")
MEMORY = 150_000_000
"""Most bytes that unpacking 64 MiB takes: the buffer, and what is made of it."""


def publish(data: bytes, *, codec: int, count: int, size: int, tail: bytes = b"") -> bytes:
    """Return a Publish of one sub-batch."""
    body = struct.pack(">QBHII", 7, 0x80 | codec << 4, count, size, len(data)) + data + tail
    frame = struct.pack(">HHBI", 2, 1, 9, 1) + body
    return len(frame).to_bytes(4) + frame


def read(frame: bytes) -> tuple[Any, list[tuple[str, int, int, str]]]:
    """Return the messages of the sub-batch (None where it stays bytes), and all problems."""
    values, problems = PUBLISH.read(frame)
    assert problems == []
    [cell] = cells(PUBLISH.tree, values)
    body = None if cell.unpacked is None else known().body(cell.slot, cell.data)
    found = known().problems(PUBLISH, frame, values)
    told = [(each.code.word, each.offset, each.length, each.message) for each in found]
    if body is None:
        return None, told
    assert isinstance(body.reader, EmbeddedRecord)
    return [each.get("message") for each in body.decoded.value], told


@every("vector", WRITTEN, ids=lambda each: each.name)
def test_what_the_java_client_packs(vector: Vector) -> None:
    """In every codec, messages of all kinds."""
    wanted = [bytes.fromhex(each["body"]) for each in vector.expect["records"]]
    frame = publish(
        vector.data,
        codec=vector.expect["compression"],
        count=vector.expect["record_count"],
        size=vector.expect["uncompressed_data_size"],
    )

    assert read(frame) == (wanted, [])


@every("vector", WRITTEN, ids=lambda each: each.name)
def test_packed_bytes_cut_anywhere(vector: Vector) -> None:
    """A problem at the slot, or (where a codec does not notice) other messages; no exception."""
    expect = vector.expect
    head = {"codec": expect["compression"], "count": expect["record_count"]}
    for end in range(min(len(vector.data), 200)):
        frame = publish(vector.data[:end], size=expect["uncompressed_data_size"], **head)
        _, told = read(frame)
        assert told or expect["uncompressed_data_size"] == 0
        assert told[0][0] in ("codec", "claim")


@pytest.mark.parametrize(
    ("records", "changed", "told"),
    [
        (RECORDS, {}, []),
        (RECORDS, {"count": 2}, [("count", 28, 19, "2 items announced, 3 present")]),
        (
            RECORDS,
            {"size": 99},
            [("claim", 28, 19, "99 unpacked bytes announced, 15 present")],
        ),
        (RECORDS + b"\0", {"size": 16}, [("short", 47, 1, "4 bytes needed, 1 left")]),
        (
            b"\x80\0\0\1a",
            {"size": 5, "count": 0},
            [
                ("negative", 32, 4, "negative length or count -2147483647"),
            ],
        ),
        (
            RECORDS[:5],
            {"codec": 5, "size": 5, "count": 1},
            [("codec", 28, 9, "no codec 5 is known")],
        ),
        (b"not gzip", {"codec": 1}, [("codec", 28, 12, "not valid gzip")]),
    ],
    ids=["right", "count", "size", "stray byte", "nested", "unknown codec", "not packed"],
)
def test_the_header_is_compared(
    records: bytes, changed: dict[str, int], told: list[tuple[str, int, int, str]]
) -> None:
    """Count, size and codec against what is there; places are those of the frame."""
    frame = publish(records, **({"codec": 0, "count": 3, "size": len(records)} | changed))

    found = read(frame)[1]
    if not any(each[0] == "count" for each in told):
        found = [each for each in found if each[0] != "count"]
    assert found == told


def test_problems_of_messages_have_their_place() -> None:
    """In a sub-batch that is not packed; in a packed one the whole slot is meant."""
    spoilt = bytes.fromhex("00000004 005375a1")
    plain = publish(spoilt, codec=0, count=1, size=8)
    packed = publish(zlib_gzip(spoilt), codec=1, count=1, size=8)

    assert read(plain)[1][0][:3] == ("value", 39, 1)
    assert plain[39:40] == b"\xa1"
    (word, offset, length, message) = read(packed)[1][0]
    assert (word, offset, length) == ("value", 28, len(packed) - 28)
    assert message.endswith("(at byte 7 of the unpacked data)")


def zlib_gzip(data: bytes) -> bytes:
    """Return gzip of some bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def packed(codec: Compression, size: int, *, told: int | None = None, fill: int = 0) -> bytes:
    """Return a frame with so many packed bytes, which says that they are `told`.

    Zeros are the most records that the bytes can be, which take long to read.
    """
    plain = bytes([fill]) * size
    packers = {
        Compression.GZIP: zlib_gzip,
        Compression.SNAPPY: cramjam.snappy.compress,
        Compression.LZ4: cramjam.lz4.compress,
        Compression.ZSTD: cramjam.zstd.compress,
    }
    data = bytes(packers[codec](plain))
    return publish(data, codec=codec, count=1, size=size if told is None else told)


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip of the cap": lambda: packed(Compression.GZIP, MAX_UNPACKED),
    "gzip over the cap": lambda: packed(Compression.GZIP, MAX_UNPACKED + 1),
    "gzip that lies": lambda: packed(Compression.GZIP, MAX_UNPACKED, told=100),
    "zstd of the cap": lambda: packed(Compression.ZSTD, MAX_UNPACKED, fill=0xFF),
    "zstd that lies": lambda: packed(Compression.ZSTD, MAX_UNPACKED, told=100),
    "lz4 of the cap": lambda: packed(Compression.LZ4, MAX_UNPACKED, fill=0xFF),
    "snappy of the cap": lambda: packed(Compression.SNAPPY, MAX_UNPACKED, fill=0xFF),
    "announced only": lambda: publish(bytes(20), codec=1, count=1, size=(1 << 32) - 1),
    "too many records": lambda: publish(
        bytes(4 * (MOST_RECORDS + 10)), codec=0, count=1, size=4 * (MOST_RECORDS + 10)
    ),
}
"""Frames of some kilobytes that say, or would become, many megabytes."""
FEW_BOMBS = 4
"""Bombs that are read, drawn: tracing memory makes that slow."""


@pytest.mark.slow
@pytest.mark.parametrize("name", some(BOMBS, FEW_BOMBS))
def test_bombs_are_problems(name: str) -> None:
    """Told, within a bound of memory."""
    frame = BOMBS[name]()
    tracemalloc.start()
    try:
        values, _ = PUBLISH.read(frame)
        told = known().problems(PUBLISH, frame, values)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert told, name
    assert peak < MEMORY


def test_every_codec_has_its_name() -> None:
    """The slot's number names a codec that is known, but for those of users."""
    assert [each.name.lower() for each in Compression] == [
        "none", "gzip", "snappy", "lz4", "zstd", "user",
    ]  # fmt: skip
    assert SUB_BATCH_RECORDS.whole == "records"
