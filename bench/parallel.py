"""Processor time of readings by several processes: of the busiest process, and of all together."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

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


def times(command: Sequence[str]) -> list[float]:
    """Processor time of the processes of a command, the longest first."""
    found: dict[int, float] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as program:
        while program.poll() is None:
            for number in (program.pid, *children(program.pid)):
                if (used := processor(number)) is not None:
                    found[number] = used
            time.sleep(EVERY)
    return sorted(found.values(), reverse=True)


def parallel_rows(
    commands: dict[str, Sequence[str]], jobs: int, rounds: int
) -> tuple[dict[str, float], list[list[str]]]:
    """How many times as fast each command is with `-j`, and the table; the best of some rounds."""
    ratios, rows = {}, []
    for name, command in commands.items():
        one = min(times(command)[0] for _ in range(rounds))
        runs = [times([*command, "-j", str(jobs)]) for _ in range(rounds)]
        best = min(runs, key=sum)
        busiest, total = best[0], sum(best)
        ratios[name] = one / busiest
        cores = one / max(busiest, total / jobs)
        rows.append([name, f"{one:.2f} s", f"{busiest:.2f} s", f"{total:.2f} s",
                     f"{ratios[name]:.2f}", f"{cores:.2f}"])  # fmt: skip
    return ratios, rows
