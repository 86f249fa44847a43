"""The index: what building it takes beside `check`, its size, and how long a row takes.

python bench/index.py build CAPTURE FOLDER    build an index, as the child process does
python bench/index.py fetch CAPTURE FOLDER    fetch rows of it, and print what that took
"""

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clock import Run, environment, interleaved

from streamshark.index import building_process, cache
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index

MOST_BYTES = 64
"""Bar: bytes of the index for each frame."""
MOST_BUILDING = 1.25
"""Bar: processor time to build it, as times of that of `check`."""
FETCHED = 2_000
"""Rows that are fetched, anywhere in the capture."""
SEED = 7


class Fetched(NamedTuple):
    """What fetching rows took."""

    rows: int
    size: int
    """Bytes of the index."""
    opened: float
    """Seconds until the index was open, modules imported."""
    median: float
    """Seconds for a row that was not fetched before, with its bytes."""
    slow: float
    """Seconds below which 99 in 100 are."""
    memory: int
    """Bytes that are this process's own."""
    base: int
    """These before the index was opened."""


class Measured(NamedTuple):
    """The index of one capture."""

    check: Run
    build: Run
    fetched: Fetched

    @property
    def ratio(self) -> float:
        """Processor time to build, as times of that of `check`."""
        return self.build.cpu / self.check.cpu

    @property
    def bytes_a_row(self) -> float:
        """Bytes of the index for each row."""
        return self.fetched.size / self.fetched.rows


def measured(check: Sequence[str], capture: Path, rounds: int, folder: Path) -> Measured:
    """Build the index of a capture, beside what `check` takes, and fetch rows of it."""
    where = folder / "index"
    own = [sys.executable, str(Path(__file__)), "{}", str(capture), str(where)]
    build = [each.replace("{}", "build") for each in own]
    runs = interleaved({"check": check, "build": build}, rounds, folder)
    fetch = [each.replace("{}", "fetch") for each in own]
    done = subprocess.run(fetch, stdout=subprocess.PIPE, check=True, env=environment(folder))
    found = Fetched(**json.loads(done.stdout))
    for each in where.iterdir():
        each.unlink()
    where.rmdir()
    return Measured(runs["check"], runs["build"], found)


def build_index(capture: str, folder: Path) -> None:
    """Build an index from the beginning, as the process does that the screens start."""
    if folder.is_dir():
        cache.clear(folder)
    options = IndexOptions().plain()
    sys.exit(
        building_process.main([json.dumps([str(folder), [capture], options, False, False, 1])])
    )


def fetch_rows(folder: Path) -> Fetched:
    """Fetch rows of an index in another order than they have."""
    known = IndexOptions().known()
    base, before = own_memory(), time.perf_counter()
    index = Index(folder, known)
    opened = time.perf_counter() - before
    source, times = random.Random(SEED), []  # noqa: S311 - must be the same each time
    for _ in range(FETCHED):
        row = source.randrange(len(index))
        before = time.perf_counter()
        index[row]
        times.append(time.perf_counter() - before)
    times.sort()
    size = sum(each.stat().st_size for each in folder.iterdir())
    slow = times[len(times) * 99 // 100]
    return Fetched(len(index), size, opened, statistics.median(times), slow, own_memory(), base)


def own_memory() -> int:
    """Bytes of memory that no other process shares."""
    told = Path("/proc/self/smaps_rollup").read_text().splitlines()
    own = (line.split() for line in told if line.startswith("Private_"))
    return sum(int(words[1]) << 10 for words in own)


if __name__ == "__main__":
    task, capture, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if task == "build":
        build_index(capture, folder)
    else:
        print(json.dumps(fetch_rows(folder)._asdict()))
