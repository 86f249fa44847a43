"""Pravega's frames, spoilt in every way, and streams of them: read, put together and shown.

What `test_mutations` holds of RabbitMQ's frames holds of these: values and problems, in little time
and memory. Blocks, reads and messages in parts go through a connection, since they share state.
"""

import os
import random
from functools import cache

import pytest
from tests.fuzz.test_mutations import LARGEST, PARTS, PER_COMMAND, Seed, Stopwatch
from tests.fuzz.test_mutations import spoilt as spoilt_like_rabbitmq
from tests.protocols.pravega.traffic import WIRE, encoders_vectors, own_vectors, rows
from tests.recorded.bodies import CAPTURES, known

from streamshark.dissection.row import FrameRow
from streamshark.session import Session
from streamshark.views.display_options import DisplayOptions
from streamshark.views.payload_json import problems_inside
from streamshark.views.values import Shaper

FRAMES = int(os.environ.get("STREAMSHARK_FUZZ", "4000"))
"""How many spoilt frames are read, all parts together."""
TALKS = max(FRAMES // 200, 20)
"""How many spoilt streams are."""
DIALECTS = ("", "0.0", "draft")


@cache
def seeds(dialect: str = "") -> tuple[Seed, ...]:
    """Frames of every command: recorded, written by reference encoders, or laid out by hand."""
    table = WIRE.table(dialect)
    found = [
        Seed(table.named(vector.command), vector.data)
        for vector in (*encoders_vectors(), *own_vectors())
        if vector.facts.get("dialect", "") == dialect and len(vector.data) <= LARGEST
    ]
    kept: dict[str, int] = {}
    for path in sorted(CAPTURES.glob("pravega/*_by_hand/traffic.*")) if not dialect else ():
        for row in Session([str(path)]).rows():
            if isinstance(row, FrameRow) and row.connection.wire.id == WIRE.id and row.decoder:
                count = kept[row.name or ""] = kept.get(row.name or "", 0) + 1
                if count <= PER_COMMAND and len(row.data) <= LARGEST:
                    found.append(Seed(table.named(row.name or ""), row.data))
    return tuple(found)


def spoilt(data: bytes, source: random.Random, others: tuple[Seed, ...]) -> bytes:
    """A frame with some things done to it; mostly with its type code and the right length."""
    out = bytearray(spoilt_like_rabbitmq(data, source, others))
    if len(out) >= 8 and source.random() < 0.9:
        out[:8] = data[:4] + (len(out) - 8).to_bytes(4)
    return bytes(out)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(PARTS))
def test_any_bytes_are_read(part: int) -> None:
    """No exception, in little time."""
    source = random.Random(part)  # noqa: S311 - a seed
    good = seeds()
    shaper = Shaper(DisplayOptions(), known())
    shapes = {seed.decoder: shaper.tree(seed.decoder.tree) for seed in good}
    stopwatch = Stopwatch()
    for index in range(FRAMES // PARTS):
        seed = good[(index * PARTS + part) % len(good)]
        frame = spoilt(seed.data, source, good)
        stopwatch.read(seed, frame, shapes[seed.decoder], thorough=index % 4 == 0)

    assert stopwatch.is_quick(good, shapes)


@pytest.mark.fuzz
@pytest.mark.parametrize("dialect", DIALECTS)
def test_any_stream_is_read(dialect: str) -> None:
    """Every byte once, whatever blocks, reads and parts come to."""
    source = random.Random(dialect)  # noqa: S311 - a seed
    good = seeds(dialect)
    for _ in range(TALKS):
        talk = []
        for seed in source.choices(good, k=40):
            side = int(seed.decoder.tree.schema.sender.value == "server")
            spoil = source.random() < 0.3
            talk.append((side, spoilt(seed.data, source, good) if spoil else seed.data))
        sent = [sum(len(data) for side, data in talk if side == each) for each in (0, 1)]
        last = [0, 0]
        for row in rows(*talk, dialect=dialect):
            assert row.offset >= last[row.side]
            last[row.side] = row.offset + len(row.data)
            assert row.reassembled is None or row.complete
            problems_inside(known(), row)
        assert all(end <= size for end, size in zip(last, sent, strict=True))
