"""How long a run on Spark takes on some cores, computed from the times of its tasks.

Assumptions: the archive grows by more connections of the same kind, so that there are more tasks of
the same length, but for the join, which is one task for a site and grows; a stage begins when the
one before it has ended; the longest tasks of a stage begin first; a task costs `TASK` and a stage
`STAGE` besides; disks and network are as fast as here.
"""

from collections.abc import Mapping, Sequence
from heapq import heapify, heapreplace

TASK = 0.1
"""Seconds that a task costs besides its own work."""
STAGE = 1.0
"""Seconds that a stage costs besides its tasks."""
ORDER = ("packets", "connections", "ends", "numbers", "objects", "write")


def stage(tasks: Sequence[float], cores: int) -> float:
    """Return the seconds of a stage, given those of its tasks."""
    busy = [0.0] * cores
    heapify(busy)
    for each in sorted(tasks, reverse=True):
        heapreplace(busy, busy[0] + each + TASK)
    return STAGE + max(busy)


def seconds(times: Mapping[str, Sequence[float]], cores: int, grown: int = 1) -> float:
    """Return the seconds of a run of an archive that has grown so many times, on some cores."""
    total = 0.0
    for name in ORDER:
        tasks = list(times.get(name, ()))
        joined = max(tasks, default=0.0) * grown if name == "write" else 0.0
        if name == "write" and tasks:
            tasks.remove(max(tasks))
        total += stage([*tasks * grown, joined] if tasks or joined else [0.0], cores)
    return total
