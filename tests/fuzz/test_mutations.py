"""Frames of every command, spoilt in every way: read, unpacked, decoded and shown.

Any bytes give values and problems. Nothing raises, nothing takes long, nothing takes much memory.

`make fuzz` reads a million frames; without `STREAMSHARK_FUZZ` some thousands are read.
"""

import json
import os
import random
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import pytest
from tests.protocols.rabbitmq_stream.traffic import encoders_vectors, own_vectors
from tests.recorded.bodies import known
from tests.recorded.share import with_all_frames_of
from tests.schema.reader_agreement import accepted, shallow_of
from tests.timing import is_within

from streamshark.decoding.decoder import Decoder
from streamshark.dissection.row import FrameRow
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.session import Session
from streamshark.views.display_options import DisplayOptions
from streamshark.views.values import Shape, Shaper

FRAMES = int(os.environ.get("STREAMSHARK_FUZZ", "8000"))
"""How many spoilt frames are read, all parts together."""
PARTS = 8
"""Parts of the work, for several processes."""
LONGEST = 8
"""Times as long as the slowest good frame that a spoilt one may take."""
MOST_GROWTH = 80_000_000
"""Bytes that the process may grow by, all frames together."""
LARGEST = 1 << 16
"""Bytes of the largest frame that is spoilt."""
PER_COMMAND = 12
"""Recorded frames of each command and version that are spoilt."""
TELLING = (0, 1, 0x7F, 0x80, 0xFF, 0x53, 0x75, 0xC1, 0xD0, 0xF0)
"""Bytes at which something changes."""


class Seed(NamedTuple):
    """A good frame."""

    decoder: Decoder
    data: bytes


@cache
def seeds() -> tuple[Seed, ...]:
    """Frames of every command: recorded, written by reference encoders, or our own vectors."""
    table = PROTOCOL.wire.table("")
    found: dict[Decoder, list[bytes]] = {each: [] for each in table.all}
    for line in with_all_frames_of("rabbitmq_stream"):
        for row in Session([str(line.path)]).rows():
            if isinstance(row, FrameRow) and row.decoder in found and len(row.data) <= LARGEST:
                kept = found[row.decoder]
                if len(kept) < PER_COMMAND and row.data not in kept:
                    kept.append(row.data)
    for vector in (*encoders_vectors(bare=False), *own_vectors()):
        selector = vector.data[4:8]
        for kept in found.values():
            if kept and kept[0][4:8] == selector and len(vector.data) <= LARGEST:
                kept.append(vector.data)
    return tuple(Seed(decoder, data) for decoder, kept in found.items() for data in kept)


def spoilt(data: bytes, source: random.Random, others: tuple[Seed, ...]) -> bytes:
    """A frame with one to four things done to it; often with the right length before it."""
    out = bytearray(data)
    for _ in range(source.randrange(1, 5)):
        at = source.randrange(len(out)) if out else 0
        match source.randrange(8):
            case 0:
                del out[at:]
            case 1:
                out[at : at + 1] = bytes([source.choice(TELLING)])
            case 2:
                out[at : at + 1] = bytes([source.randrange(256)])
            case 3:
                number = source.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, len(out), 65536))
                out[at : at + 4] = number.to_bytes(4)
            case 4:
                other = source.choice(others).data
                start = source.randrange(len(other))
                out[at:at] = other[start : start + source.randrange(64)]
            case 5:
                del out[at : at + source.randrange(16)]
            case 6:
                out[at:at] = out[at : at + source.randrange(256)] * source.randrange(1, 4)
            case _:
                out += bytes(source.randrange(16))
    if len(out) > 4 and source.random() < 0.8:
        out[:4] = (len(out) - 4).to_bytes(4)
    return bytes(out)


def read(seed: Seed, frame: bytes, shape: Shape, *, thorough: bool) -> None:
    """All that is ever done with a frame."""
    values, problems = seed.decoder.read(frame)
    fast = accepted(seed.decoder.fast, frame)
    expected = None if fast is None else shallow_of(seed.decoder.tree, fast)
    assert accepted(seed.decoder.shallow, frame) == expected
    inside = known().problems(seed.decoder, frame, values)
    for each in (*problems, *inside):
        assert 0 <= each.offset <= each.offset + each.length <= len(frame)
        assert each.node < len(seed.decoder.tree.nodes)
    if thorough:
        json.dumps(shape(values), allow_nan=False)
        ends = [0]
        for _, start, end, _ in seed.decoder.examine(frame).ranges:
            assert start in (ends[-1], *ends[-2:-1]) or start >= 0
            ends.append(end)
        assert ends[-1] == len(frame)


class Stopwatch:
    """Which frame took longest."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.slowest: Callable[[], None] = lambda: None

    def read(self, seed: Seed, frame: bytes, shape: Shape, *, thorough: bool) -> None:
        """Read a frame and look at the clock."""
        start = time.process_time()
        read(seed, frame, shape, thorough=thorough)
        taken = time.process_time() - start
        if taken > self.longest:
            self.longest = taken
            self.slowest = lambda: read(seed, frame, shape, thorough=thorough)

    def is_quick(self, good: Iterable[Seed], shapes: Mapping[Decoder, Shape]) -> bool:
        """Whether it takes that long again beside the slowest of these."""
        beside = Stopwatch()
        for seed in good:
            beside.read(seed, seed.data, shapes[seed.decoder], thorough=True)
        return is_within(LONGEST, self.slowest, beside.slowest)


def work(part: int) -> Iterator[tuple[Seed, bytes]]:
    """The spoilt frames of one part, the same each time."""
    source = random.Random(part)  # noqa: S311 - a seed
    good = seeds()
    for index in range(FRAMES // PARTS):
        seed = good[(index * PARTS + part) % len(good)]
        yield seed, spoilt(seed.data, source, good)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(PARTS))
def test_any_bytes_are_read(part: int) -> None:
    """No exception, in little time and memory."""
    shaper = Shaper(DisplayOptions(), known())
    shapes = {seed.decoder: shaper.tree(seed.decoder.tree) for seed in seeds()}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    stopwatch = Stopwatch()
    for index, (seed, frame) in enumerate(work(part)):
        stopwatch.read(seed, frame, shapes[seed.decoder], thorough=index % 4 == 0)

    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert growth * 1024 < MOST_GROWTH
    assert stopwatch.is_quick(seeds(), shapes)


def test_every_command_is_spoilt() -> None:
    """But for the few that no capture has."""
    missing = {each.tree.prefix for each in PROTOCOL.wire.table("").all} - {
        seed.decoder.tree.prefix for seed in seeds()
    }

    assert len(missing) <= 2, missing


def test_time_is_linear() -> None:
    """A frame eight times as long takes no more than some eight times as long."""
    table = PROTOCOL.wire.table("")
    decoder = next(each for each in table.all if each.tree.prefix == "rmqstream.publish")

    def read_all(count: int) -> None:
        entry = (7).to_bytes(8) + (9).to_bytes(4) + bytes.fromhex("005375a1 0a 61616161")
        body = bytes([0, 2, 0, 1, 1]) + count.to_bytes(4) + entry * count
        frame = len(body).to_bytes(4) + body
        values, _ = decoder.read(frame)
        known().problems(decoder, frame, values)

    assert is_within(8 * 4, lambda: read_all(8_000), lambda: read_all(1_000))
