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
clock = time.process_time
session = Session([sys.argv[1]])
analysis = session.analysis(rules=True, annotates=False)
judge, feed, batches = analysis.judge, analysis.engine.feed, session.batches()
spent = {"read": 0.0, "decode": 0.0, "judge": 0.0}
frames = found = 0
while True:
    start = clock()
    rows = next(batches, None)
    middle = clock()
    spent["read"] += middle - start
    if rows is None:
        break
    for row in rows:
        if row.__class__ is FrameRow:
            row.values
            frames += 1
    start = clock()
    spent["decode"] += start - middle
    judge.frames(rows)
    feed(rows, judge.ready, lambda row: None)
    found += len(analysis.findings())
    spent["judge"] += clock() - start
start = clock()
analysis.engine.finish()
found += len(analysis.findings())
spent["judge"] += clock() - start
print(json.dumps({**spent, "frames": frames, "found": found}))
"""
"""As `check` does; rows come in batches, so that the three are measured apart in the same run."""


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
