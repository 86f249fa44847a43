"""Runs the pipeline on a cluster, and kills an attempt at a task of each stage amid its work.

    python -m tests.cluster.killed_attempts spark://host:7077 OUT EVENTS 2 FILE FILE FILE

Two runs write tables to the folder OUT, the first one of so many files, and Spark its log to the
folder EVENTS.
"""

import os
import random
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from pyspark import TaskContext
from pyspark.sql import SparkSession
from tests.cluster.standalone import CONF, HOST

from streamshark.spark import pipeline, stages

SHARES: Final = 3
"""Groups of connections."""
RENAMES: Final = 6
"""An attempt is killed at one of its first renames."""
WITH_EXECUTOR: Final = 4
"""The executor is killed too in one of so many stages, since a new one takes seconds to start."""
SPECULATION: Final = {
    "spark.speculation": "true",
    "spark.speculation.interval": "10ms",
    "spark.speculation.multiplier": "1.01",
    "spark.speculation.quantile": "0.01",
    "spark.speculation.minTaskRuntime": "1ms",
    "spark.speculation.task.duration.threshold": "1ms",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
"""Settings with which Spark does many tasks twice, and says so."""


class KilledOnce:
    """The work of a stage, in which the first attempt at one task is killed.

    It dies when it has written a file and not renamed it, or when all its files are complete and
    Spark does not know that.
    """

    def __init__(self, work: Callable[[Any], Any], tasks: int, number: int) -> None:
        draw = random.Random(number)  # noqa: S311 - the same each time
        self._work = work
        self._task = draw.randrange(tasks)
        self._left = draw.randrange(RENAMES)
        self._with_executor = not number % WITH_EXECUTOR

    def __call__(self, job: Any) -> Any:  # noqa: ANN401 - a task or its result
        """Do a task."""
        context = TaskContext.get()
        assert context is not None
        is_killed = context.partitionId() == self._task and not context.attemptNumber()
        if is_killed:
            sys.addaudithook(self._see)
        done = self._work(job)
        if is_killed:
            self._kill()
        return done

    def _see(self, event: str, _: object) -> None:
        if event == "os.rename":
            if not self._left:
                self._kill()
            self._left -= 1

    def _kill(self) -> None:
        if self._with_executor:
            daemon = Path(f"/proc/{os.getppid()}/status").read_text("utf-8")
            os.kill(int(daemon.partition("PPid:")[2].split()[0]), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run the pipeline twice with the arguments of the program."""
    master, out, events, first, *files = sys.argv[1:]
    each_of, numbers = stages.each_of, count()

    def killed(spark: SparkSession, jobs: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
        return each_of(spark, jobs, KilledOnce(work, len(jobs), next(numbers)) if jobs else work)

    stages.each_of = killed
    pipeline._summary = lambda *_: None  # type: ignore[assignment,return-value] # counts rows
    os.environ |= HOST
    conf = CONF | SPECULATION | {"spark.eventLog.dir": f"file:{events}"}
    with pipeline.session(master, **conf) as spark:
        for some in (files[: int(first)], files):
            options = pipeline.RunOptions(tuple(some), out, shares=SHARES, fields=True)
            pipeline.run(spark, options)


if __name__ == "__main__":
    main()
