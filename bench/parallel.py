"""Processor time of readings by several processes: of the critical path, and of all together."""

import os
import subprocess
import time
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

EVERY = 0.02
"""Seconds between two looks at the processes."""
TICKS = os.sysconf("SC_CLK_TCK")


def processor(number: int) -> float | None:
    """Processor time of a process; None once it has ended."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(number: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [
            int(each) for each in Path(f"/proc/{number}/task/{number}/children").read_text().split()
        ]
    except OSError:
        return []


class Reading(NamedTuple):
    """Processor times in s of one command."""

    serial: float
    """Of the first process while no other one runs."""
    first: float
    """Of the first process."""
    workers: list[float]
    """Of each process that the first one has started."""

    @property
    def busiest(self) -> float:
        """Of the process that takes longest."""
        return max(self.first, *self.workers)

    @property
    def path(self) -> float:
        """The critical path: what no number of cores makes shorter."""
        return max(self.first, self.serial + max(self.workers, default=0))

    @property
    def total(self) -> float:
        """Of all processes together."""
        return self.first + sum(self.workers)


def reading(command: Sequence[str]) -> Reading:
    """Run a command, and return its processor times."""
    found: dict[int, float] = {}
    serial = 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as program:
        first = program.pid
        while program.poll() is None:
            started, before = children(first), found.get(first, 0.0)
            for number in (first, *started):
                if (used := processor(number)) is not None:
                    found[number] = used
            serial += 0 if started else found.get(first, 0.0) - before
            time.sleep(EVERY)
    return Reading(serial, found.pop(first, 0.0), list(found.values()))


def parallel_rows(
    commands: dict[str, Sequence[str]], jobs: int, rounds: int
) -> tuple[dict[str, float], list[list[str]]]:
    """How many times as fast each command is with `-j`, and the table; the best of some rounds."""
    ratios, rows = {}, []
    for name, command in commands.items():
        one = min(reading(command).total for _ in range(rounds))
        best = min(
            (reading([*command, "-j", str(jobs)]) for _ in range(rounds)), key=attrgetter("total")
        )
        ratios[name] = one / best.path
        cores = one / max(best.path, best.total / jobs)
        rows.append([name, f"{one:.2f} s", f"{best.busiest:.2f} s", f"{best.path:.2f} s",
                     f"{best.total:.2f} s", f"{ratios[name]:.2f}", f"{cores:.2f}"])  # fmt: skip
    return ratios, rows
