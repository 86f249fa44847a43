"""How time grows with input that was made to be slow, in a process of its own per size."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from clock import environment
from generator import write
from hostile import HOSTILE

ROUNDS = 3
READ = """
import sys, time
from streamshark.session import Session
list(Session([sys.argv[1]]).rows())
rows = Session([sys.argv[2]]).rows()
start = time.process_time()
for row in rows:
    pass
print(time.process_time() - start)
"""
"""Reads a small capture first, so that imports and generated decoders are not counted."""


def seconds(small: Path, path: Path) -> float:
    """Processor time of reading a capture: the least of some runs."""
    command = [sys.executable, "-c", READ, str(small), str(path)]
    variables = environment(path.parent)
    return min(
        float(subprocess.run(command, capture_output=True, check=True, env=variables).stdout)
        for _ in range(ROUNDS)
    )


def growth_rows(folder: Path, doublings: int) -> list[list[str]]:
    """Name, smallest size, time for it, ratio at each doubling."""
    rows = []
    for name, (make, size) in HOSTILE.items():
        small, path = folder / "small.pcap", folder / "hostile.pcap"
        write(small, make(4096))
        times = []
        for step in range(doublings + 1):
            write(path, make(size << step))
            times.append(seconds(small, path))
        ratios = [after / before for before, after in pairwise(times)]
        told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        rows.append([name, f"{size // 1024} KiB", f"{times[0]:.3f} s", told])
    return rows
