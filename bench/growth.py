"""How time grows with input that was made to be slow, in a process of its own per size."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from clock import MOST, environment
from generator import write
from hostile import HOSTILE, JUDGED

ROUNDS = 3
READ = """
import sys, time
from streamshark.session import Session
def rows(path):
    session = Session([path])
    {rows}
list(rows(sys.argv[1]))
start = time.process_time()
for row in rows(sys.argv[2]):
    pass
print(time.process_time() - start, most())
"""
"""Reads a small capture first, so that imports and generated decoders are not counted."""
ROWS = "yield from session.rows()"
TOLD = """analysis = session.analysis(rules=True, conversations=True)
    for row in analysis.rows():
        yield row
        analysis.ended(), analysis.findings()"""
"""The same paired and judged; what is told is taken at once."""


def measured(small: Path, path: Path, rows: str) -> tuple[float, int]:
    """Processor seconds of reading a capture, the least of some runs, and the most memory."""
    script = MOST + READ.replace("{rows}", rows)
    command = [sys.executable, "-c", script, str(small), str(path)]
    variables = environment(path.parent)
    found = []
    for _ in range(ROUNDS):
        done = subprocess.run(command, capture_output=True, check=True, env=variables)
        seconds, memory = done.stdout.split()
        found.append((float(seconds), int(memory)))
    return min(found)[0], max(memory for _, memory in found)


def growth_rows(folder: Path, doublings: int, *, judged: bool = False) -> list[list[str]]:
    """Name, smallest size, time for it, ratio at each doubling; and the same of memory."""
    rows = []
    for name, (make, size) in (JUDGED if judged else HOSTILE).items():
        small, path = folder / "small.pcap", folder / "hostile.pcap"
        write(small, make(4096))
        times, peaks = [], []
        for step in range(doublings + 1):
            write(path, make(size << step))
            seconds, peak = measured(small, path, TOLD if judged else ROWS)
            times.append(seconds)
            peaks.append(peak)
        row = [name, f"{size // 1024} KiB", f"{times[0]:.3f} s", _ratios(times)]
        rows.append([*row, f"{peaks[0] // 1_000_000} MB", _ratios(peaks)])
    return rows


def _ratios(values: Sequence[float]) -> str:
    return ", ".join(f"{after / before:.2f}" for before, after in pairwise(values))
