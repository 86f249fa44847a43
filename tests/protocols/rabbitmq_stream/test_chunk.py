"""Chunks: what osiris writes is read, what does not fit together is told."""

import struct
import zlib

import pytest
from tests.protocols.rabbitmq_stream.traffic import encoders_vectors, renamed
from tests.schema.reader_agreement import Layout, Vector, agree, broken, whole

from streamshark.protocols.rabbitmq_stream.chunk import CHUNK

LAYOUT = Layout.of_record(CHUNK, "rmqstream.chunk")
SIMPLE = bytes.fromhex("000000017800000000")
"""Two simple entries, one of a byte and an empty one."""
TRACKED = "000470726f640000000000000007"
"""A tracking entry: sequence 7 of `prod`."""


def chunk(
    *, entries: int = 2, records: int = 2, trailer: int = 0, after: str = "", flip: int = 0
) -> bytes:
    """A chunk with the two entries of `SIMPLE`; `flip` spoils its sum."""
    crc = zlib.crc32(SIMPLE) ^ flip
    header = struct.pack(">BBHIqQQIIIBxxx", 0x50, 0, entries, records, 0, 1, 0, crc, 9, trailer, 0)
    return header + SIMPLE + bytes.fromhex(after)


WRITTEN = [
    each
    for each in encoders_vectors(bare=True)
    if each.file == "chunk" and not each.facts["name"].startswith("on_disk")  # a segment file's
]


@pytest.mark.parametrize("vector", WRITTEN, ids=lambda each: each.name)
def test_readers_agree_with_osiris(vector: Vector) -> None:
    """Values are those that osiris was given."""
    whole(LAYOUT, vector.data, renamed(vector.expect, "data"))
    broken(LAYOUT, vector.data)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (chunk(), []),
        (chunk(trailer=14), []),
        (chunk(trailer=14, after=TRACKED), []),
        (chunk(trailer=13, after=TRACKED), ["short", "trailing"]),
        (chunk(trailer=15, after=TRACKED), ["short"]),
        (chunk(after="00"), ["trailing"]),
        (chunk(entries=3), ["claim"]),
        (chunk(records=3), ["claim"]),
        (chunk(flip=1), ["checksum"]),
    ],
    ids=["no_trailer", "cut_trailer", "trailer", "long_trailer", "short_trailer", "stray_byte",
         "entries", "records", "sum"],
)  # fmt: skip
def test_what_does_not_fit_together_is_told(data: bytes, told: list[str]) -> None:
    """Entries, data, sum and trailer are checked against the header."""
    agree(LAYOUT, data)

    assert told == [each.code.word for each in LAYOUT.decoder.careful(data)[2]]


def test_a_broken_entry_leaves_the_others() -> None:
    """Entries before it stay, and the trailer after the data is read."""
    data = chunk(trailer=14, after=TRACKED)
    at = len(data) - len(bytes.fromhex(TRACKED)) - 1
    values, _, problems = LAYOUT.decoder.careful(data[:at] + b"\x09" + data[at + 1 :])

    assert [each.code.word for each in problems] == ["checksum", "short"]
    assert values["entries"] == [{"data": b"x"}, {}]
    assert values["trailer"]["tracking"][0]["reference"] == "prod"


def test_records_inside_sub_batches_are_counted() -> None:
    """The number of records in the header is that of the messages, wherever they stand."""
    [mixed] = [each for each in WRITTEN if each.name == "chunk/mixed"]
    good, wrong = bytearray(mixed.data), bytearray(mixed.data)
    wrong[7] = 2

    assert LAYOUT.decoder.read(bytes(good))[1] == []
    [problem] = LAYOUT.decoder.read(bytes(wrong))[1]
    assert problem.code.word == "claim"
    assert problem.message == "2 written, but the bytes give 3"
