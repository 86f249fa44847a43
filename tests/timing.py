"""How long something takes, beside something else in the same run: never in seconds."""

import time
from collections.abc import Callable

NOISE = 0.05
"""Seconds of processor time that say nothing."""
ROUNDS = 3


def spent(work: Callable[[], object]) -> float:
    """Least processor time of some rounds, in seconds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def is_within(times: float, work: Callable[[], object], other: Callable[[], object]) -> bool:
    """Whether some work takes less than so many times of what other work takes."""
    return spent(work) < times * spent(other) + NOISE
