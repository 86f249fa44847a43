"""Measures whole processes: wall time, processor time, peak memory, what was written."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

BLOCK = 1 << 20
"""Bytes that are looked at at a time."""
MOST = """
import resource, sys
def most():
    # What the system says in `ru_maxrss` counts the process that started this one, too.
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))
"""
"""For scripts that are measured: the most memory that they took so far, in bytes."""
UNSET = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH")
"""What would make Python start or write otherwise than for a user who has installed a package."""


def environment(folder: Path) -> dict[str, str]:
    """The environment of what is measured; compiled modules are kept in `folder`."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONHASHSEED": "0"}


class Run(NamedTuple):
    """One run of a command."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds, user and system."""
    memory: int
    """Largest resident set, bytes."""


def run(command: Sequence[str], output: Path) -> Run:
    """Run a command once with its output in a file; RuntimeError if it fails."""
    with output.open("wb") as out, output.with_suffix(".errors").open("wb") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            env=environment(output.parent),
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        told = output.with_suffix(".errors").read_text(errors="replace").strip().splitlines()
        raise RuntimeError(f"{command[0]} exits {process.returncode}: {(told or [''])[-1]}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale)


def interleaved(commands: Mapping[str, Sequence[str]], rounds: int, folder: Path) -> dict[str, Run]:
    """Medians of `rounds` runs of each command, in turn; each is run once before, unmeasured.

    The output of each stays in `folder` under its name.
    """
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for index in range(rounds + 1):
        for name, command in commands.items():
            one = run(command, written(name, folder))
            if index:
                runs[name].append(one)
    return {
        name: Run(*(statistics.median(column) for column in zip(*each, strict=True)))
        for name, each in runs.items()
    }


def written(name: str, folder: Path) -> Path:
    """Where the output of a command stays."""
    return folder / f"{name.replace(' ', '_').replace('/', '_')}.out"


def lines(name: str, folder: Path) -> int:
    """Lines of what a command wrote in its last run.

    Read in blocks: what this process takes at most counts as memory of those that it starts.
    """
    with written(name, folder).open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(BLOCK), b""))
