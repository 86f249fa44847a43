"""Measures whole processes: wall time, processor time, peak memory, what was written."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

STARTER = Path(__file__).with_name("starter.py")
"""Starts what is measured: this process may hold much, which would count as its memory."""
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
    errors = errors_of(output)
    started = [sys.executable, "-I", "-S", str(STARTER), str(output), str(errors), *command]
    done = subprocess.run(
        started, stdout=subprocess.PIPE, env=environment(output.parent), check=False
    )
    if done.returncode:
        told = errors.read_text(errors="replace").strip().splitlines()
        raise RuntimeError(f"{command[0]} exits {done.returncode}: {(told or [''])[-1]}")
    wall, cpu, most = json.loads(done.stdout)
    scale = 1 if sys.platform == "darwin" else 1024
    return Run(wall, cpu, most * scale)


def interleaved(
    commands: Mapping[str, Sequence[str]],
    rounds: int,
    folder: Path,
    of_all: Callable[[Sequence[float]], float] = statistics.median,
) -> dict[str, Run]:
    """Medians of `rounds` runs of each command, in turn; each is run once before, unmeasured.

    The output of each stays in `folder` under its name. With `of_all` another value than the
    median stands for the runs of a command.
    """
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for index in range(rounds + 1):
        for name, command in commands.items():
            one = run(command, written(name, folder))
            if index:
                runs[name].append(one)
    return {
        name: Run(*(of_all(column) for column in zip(*each, strict=True)))
        for name, each in runs.items()
    }


def errors_of(output: Path) -> Path:
    """Where the messages of a command stay whose output is in a file."""
    return output.with_suffix(".errors")


def written(name: str, folder: Path) -> Path:
    """Where the output of a command stays."""
    return folder / f"{name.replace(' ', '_').replace('/', '_')}.out"


def lines(name: str, folder: Path) -> int:
    """Lines of what a command wrote in its last run."""
    with written(name, folder).open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(BLOCK), b""))
