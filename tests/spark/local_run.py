"""The stages of a run in this process, without Spark: its tasks one after the other."""

import contextlib
import os
import pickle
import random
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from tests.spark.comparison import Said, by_rows

from streamshark.spark import pipeline, stages
from streamshark.spark.output_folder import OutputFolder
from streamshark.spark.pipeline import TABLES, RunOptions, run
from streamshark.spark.tables import CONVERSATIONS, FINDINGS, FLOWS, FRAMES

COMPARED = (FRAMES, CONVERSATIONS, FINDINGS, FLOWS)
_DIVIDED = pa.schema([("date", pa.string()), ("protocol", pa.string())])


def each_here(_spark: object, jobs: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
    """Do the work of tasks, with what other machines would be sent."""
    return [_sent(work(_sent(job))) for job in jobs]


class Attempts:
    """Does each task several times: attempts are killed, and others end late.

    As executors that are lost, and speculative duplicates: an attempt is killed before the one that
    counts, another one after it, and a third one ends when the next stage has begun.
    """

    def __init__(self) -> None:
        self.killed = 0
        """Attempts that were killed before they ended."""
        self.late = 0
        """Attempts that ended while the next stage ran."""
        self._random = random.Random(1)  # noqa: S311 - the same each time
        self._before: list[tuple[Any, Callable[[Any], Any]]] = []

    def __call__(
        self, _spark: object, jobs: Sequence[Any], work: Callable[[Any], Any]
    ) -> list[Any]:
        """Do the work of tasks, as `each_here`."""
        out, lasting = [], 0.01
        for at, job in enumerate(jobs):
            self._kill(job, work, lasting)
            start = time.monotonic()
            out.append(_sent(work(_sent(job))))
            lasting = time.monotonic() - start
            self._kill(job, work, lasting)
            if not at:
                self.end_late()
        self._before = [(job, work) for job in jobs]
        return out

    def end_late(self) -> None:
        """Do the tasks of the last stage again; what they read may be gone."""
        for job, work in self._before:
            with contextlib.suppress(OSError):
                work(_sent(job))
                self.late += 1
        self._before = []

    def _kill(self, job: object, work: Callable[[Any], Any], lasting: float) -> None:
        """Begin a task in a process, and kill this at some time."""
        child = os.fork()
        if not child:
            try:
                work(_sent(job))
            finally:
                os._exit(0)
        time.sleep(self._random.uniform(0, lasting))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        self.killed += os.WIFSIGNALED(status)


def _sent(one: Any) -> Any:  # noqa: ANN401 - a task or its result
    return pickle.loads(pickle.dumps(one))  # noqa: S301 - our own


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs do their tasks in this process."""
    monkeypatch.setattr(stages, "each_of", each_here)
    monkeypatch.setattr(stages, "FACTS", 1 << 13)  # facts of several tasks
    monkeypatch.setattr(pipeline, "_summary", lambda *_: None)


def run_here(
    out: Path,
    paths: Iterable[str],
    groups: int = 4,
    **options: Any,  # noqa: ANN401 - of `RunOptions`
) -> None:
    """Run the pipeline; `here` must be in use."""
    options = {"tables": COMPARED, "time_slice": 10_000, "fields": True, **options}
    run(None, RunOptions(tuple(paths), str(out), shares=groups, **options))  # type: ignore[arg-type]


def rows_of(out: Path, names: Iterable[str] = TABLES) -> dict[str, list[dict[str, Any]]]:
    """The rows of tables of a folder."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for table, folders in OutputFolder(str(out)).folders().items():
        for folder in folders:
            is_divided = any(Path(folder).glob("date=*"))
            way = ds.HivePartitioning(_DIVIDED) if is_divided else None
            rows = ds.dataset(folder, partitioning=way).to_table().to_pylist()
            found.setdefault(table, []).extend(rows)
    for row in found.get(CONVERSATIONS, ()):
        row["measures"] = dict(row["measures"])
    return found


def said_by(out: Path) -> Said:
    """What the tables of a folder say."""
    return by_rows(rows_of(out))
