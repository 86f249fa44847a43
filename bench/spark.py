"""Whole runs on Spark: the processor time of every task, beside `check` in one plain process.

Tasks run one at a time, as `check` does: two that share a core would both take longer. From the
times of the tasks follows which task is the longest, and `simulation` computes from them how long a
run takes on more cores.
"""

import json
import os
import struct
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from clock import MOST, environment

PLAIN = """
import gc, json, sys, time
from pathlib import Path
from streamshark.session import Session

gc.freeze()
gc.set_threshold(50_000, 4, 4)  # as the command does

def check(paths):
    session = Session(paths)
    analysis = session.analysis(rules=True, annotates=False, links=False)
    used = time.process_time()
    for _ in analysis.batches(lambda row: None):
        pass
    return len(analysis.findings()), time.process_time() - used

paths = sorted(map(str, Path(sys.argv[1]).iterdir()))
check(paths[:1])  # what is made once is made, as in the workers of Spark
findings, used = check(paths)
print(json.dumps({"findings": findings, "processor": used}))
"""
INSIDE = """
import json, sys, tempfile, time
from collections import defaultdict
from pathlib import Path
from streamshark.spark import stages
from streamshark.spark.pipeline import RunOptions, run, session

times = defaultdict(list)

def each_of(spark, jobs, work):
    def timed(job):
        used = time.process_time()
        return work(job), time.process_time() - used
    done = spark.sparkContext.parallelize(jobs, len(jobs)).map(timed).collect() if jobs else []
    times[getattr(work, "__name__", "extent")] += [used for _, used in done]
    return [found for found, _ in done]

stages.each_of = each_of
spark = session("local[1]", **{"spark.sql.shuffle.partitions": "1"})

def whole(paths):
    times.clear()
    with tempfile.TemporaryDirectory(dir=sys.argv[3]) as folder:
        tables, codec = tuple(sys.argv[2].split(",")), sys.argv[4]
        options = RunOptions(tuple(paths), folder, tables, codec=codec)
        done = run(spark, options)
        return {"findings": done.rows.get("findings", 0)}

paths = sorted(map(str, Path(sys.argv[1]).iterdir()))
whole(paths[:1])  # warms the worker
found = whole(paths)
jvm = spark.sparkContext._jvm
jvm.System.gc()
runtime = jvm.Runtime.getRuntime()
memory = most() + runtime.totalMemory() - runtime.freeMemory()
print(json.dumps({**found, "times": times, "memory": memory}))
"""
STAGES = {
    "extent": "packets",
    "put_packets": "packets",
    "read_connections": "connections",
    "end_connections": "ends",
    "rank": "numbers",
    "number": "numbers",
    "unite": "objects",
    "evaluate": "objects",
    "_write": "write",
}
"""Stage of what a task does."""
ROUNDS = 2
"""Runs of each, in turn; the fastest counts."""


def rotate(path: Path, folder: Path, files: int) -> None:
    """Cut a pcap into files of about one size, at the borders of packets."""
    data = path.read_bytes()
    head, at, start, part = data[:24], 24, 24, 0
    while at < len(data):
        at += 16 + struct.unpack_from("<I", data, at + 8)[0]
        if at - start >= len(data) // files or at >= len(data):
            (folder / f"{part:03}.pcap").write_bytes(head + data[start:at])
            start, part = at, part + 1


def measured(script: str, folder: Path, *more: str) -> dict[str, Any]:
    """What a script tells of the captures in a folder."""
    command = [sys.executable, "-c", MOST + script, str(folder), *more]
    variables = {**environment(folder.parent), "PYSPARK_PYTHON": sys.executable}
    if "PYTHONPATH" in os.environ:
        variables["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(command, capture_output=True, check=True, env=variables)
    out: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return out


class SparkRun(NamedTuple):
    """One whole run."""

    check: float
    """Processor time in s of `check` in one process."""
    times: dict[str, list[float]]
    """Processor times in s of the tasks, by stage."""
    memory: int
    """Bytes that the driver holds, Python and JVM."""

    @property
    def total(self) -> float:
        """Processor time of all tasks."""
        return sum(map(sum, self.times.values()))

    @property
    def longest(self) -> float:
        """Processor time of the longest task."""
        return max(max(each) for each in self.times.values() if each)


def run_of(folder: Path, tables: str, codec: str) -> SparkRun:
    """Measure runs over the captures in a folder; `codec` compresses packets on their way."""
    runs = []
    for _ in range(ROUNDS):
        plain = measured(PLAIN, folder)
        found = measured(INSIDE, folder, tables, str(folder.parent), codec)
        if "findings" in tables and found["findings"] != plain["findings"]:
            raise RuntimeError(f"{found['findings']} findings, {plain['findings']} in one process")
        times: dict[str, list[float]] = {}
        for name, each in found["times"].items():
            times.setdefault(STAGES.get(name, name), []).extend(each)
        runs.append(SparkRun(plain["processor"], times, found["memory"]))
    fastest = min(runs, key=attrgetter("total"))
    return fastest._replace(check=min(each.check for each in runs))
