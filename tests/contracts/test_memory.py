"""The memory of a reading grows neither with the number of pieces nor with their unpacked size."""

import gc
import io
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from streamshark.session import Session

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import bulky

SMALL, TIMES = 8 * 1024, 4
PACKED = 64 * 1024
PER_BYTE = 64
"""Bytes that a reading may hold for each byte of a window of the capture. A frame that is kept as
an object takes a hundred for each of its bytes, what is unpacked a thousand."""
LEFT = 64 * 1024
"""Bytes that a few readings may leave, of what is kept once for all."""
PIECES: tuple[Callable[[int], bytes], ...] = (
    bulky.continuations, bulky.header_pieces, bulky.data_pieces, bulky.nats_sizes,
    bulky.interfaces, bulky.sections,
)  # fmt: skip
BOMBS: tuple[Callable[[int], bytes], ...] = (bulky.inflated, bulky.packed_calls)


def peak(data: bytes) -> int:
    """Most bytes that a reading holds at once."""
    tracemalloc.start()
    for _ in Session([io.BytesIO(data)]).batches():  # type: ignore[list-item]
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_readings_leave_nothing_behind() -> None:
    """Memory does not grow with the number of readings in a process."""
    data = bulky.fragments(SMALL // 8)
    held = []
    for number in range(4):
        analysis = Session([io.BytesIO(data)]).analysis(rules=True, conversations=True)  # type: ignore[list-item]
        for _ in analysis.rows():
            analysis.ended(), analysis.findings()
        del analysis
        gc.collect()
        if number:
            held.append(tracemalloc.get_traced_memory()[0])
        else:  # rules are compiled, which takes long where memory is traced
            tracemalloc.start()
    tracemalloc.stop()

    assert held[-1] - held[0] < LEFT


def test_memory_follows_neither_count_nor_unpacked_size() -> None:
    """Four times as many pieces take no more than their bytes; so do four times as many bombs."""
    for make in (*PIECES, *BOMBS):
        peak(make(64))  # imports what is needed
    grown = {}
    for size, makers in ((SMALL, PIECES), (PACKED, BOMBS)):
        for make in makers:
            small, large = make(size), make(size * TIMES)
            more = peak(large) - peak(small)
            if more > PER_BYTE * (len(large) - len(small)):
                grown[make.__name__] = more / (len(large) - len(small))

    assert grown == {}
