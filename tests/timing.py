"""Processor time of some work beside other work in the same run; no limit is in seconds."""

import time
from collections.abc import Callable

NOISE = 0.05
"""Seconds of processor time that are too few to compare."""
ROUNDS = 3


def spent(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds, in seconds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def is_within(times: float, work: Callable[[], object], other: Callable[[], object]) -> bool:
    """Whether some work takes less than a multiple of the time of other work."""
    return spent(work) < times * spent(other) + NOISE
