"""How long pairing and judging takes beside reading, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from clock import environment

MEASURE = """
import gc, json, sys, time
from streamshark.dissection.row import FrameRow
from streamshark.session import Session
gc.freeze()
gc.set_threshold(50_000, 20, 50)
path, batch = sys.argv[1], 10_000
clock = time.process_time
session = Session([path])
analysis = session.analysis(rules=True, conversations=True)
see = analysis.engine.see
rows = session.rows()
spent = {"read": 0.0, "decode": 0.0, "judge": 0.0}
frames = ended = found = 0
while True:
    start = clock()
    held = [row for row, _ in zip(rows, range(batch))]
    middle = clock()
    spent["read"] += middle - start
    if not held:
        break
    for row in held:
        if row.__class__ is FrameRow:
            row.values
            frames += 1
    start = clock()
    spent["decode"] += start - middle
    for row in held:
        see(row)
    ended += len(analysis.ended())
    found += len(analysis.findings())
    spent["judge"] += clock() - start
analysis.engine.finish()
ended += len(analysis.ended())
found += len(analysis.findings())
print(json.dumps({**spent, "frames": frames, "ended": ended, "found": found}))
"""
"""Rows come in batches, so that the three are measured apart and in the same run."""


def measured(path: Path) -> dict[str, Any]:
    """Processor seconds of reading, decoding and judging a capture, and what came of it."""
    command = [sys.executable, "-c", MEASURE, str(path)]
    variables = environment(path.parent)
    done = subprocess.run(command, capture_output=True, check=True, env=variables)
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def engine_rows(path: Path) -> tuple[float, list[list[str]]]:
    """Judging as times of reading, and a row for each part."""
    spent = measured(path)
    reading = spent["read"] + spent["decode"]
    names = {"read": "rows", "decode": "every value of every frame", "judge": "pair and judge"}
    rows = [
        [
            name,
            f"{spent[key]:.2f} s",
            f"{spent[key] / spent['frames'] * 1e6:.2f} us",
            f"{spent[key] / reading:.2f}",
        ]
        for key, name in names.items()
    ]
    return spent["judge"] / reading, rows
