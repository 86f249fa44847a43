"""Dissection inside Spark beside the same in one plain process, in processes of their own.

The plain process makes the same columns of the same rows. Inside Spark time slices are read apart,
staged and put together: what a run does, but for the judging, which is one task for each site and
runs beside it. Whole runs, with conversations and findings, are measured by themselves.
"""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from clock import MOST, environment

COLUMNS = ["file", "packet", "flow", "offset", "side", "time_ns", "protocol", "command", "length"]
PLAIN = """
import json, sys, time
from streamshark.splits.inputs import inputs
from streamshark.spark.read_task import ReadTask, produce
names = tuple(each.name for each in inputs([sys.argv[1]]))
columns = tuple(sys.argv[3].split(","))
for _ in produce(ReadTask("frames", columns, names[:1])):
    pass  # what is made once is made, as in the workers of Spark
start, used = time.perf_counter(), time.process_time()
rows = sum(len(batch) for batch in produce(ReadTask("frames", columns, names)))
print(json.dumps({"rows": rows, "seconds": time.perf_counter() - start,
                  "processor": time.process_time() - used}))
"""
PROCESSOR = """
import os
from pathlib import Path

def processor():
    # Seconds of this process and of all that it has started.
    parents, used = {}, {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(place.name)
        parents[pid] = int(told[1])
        used[pid] = sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")
    ours = {os.getpid()}
    while more := {each for each, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(used[each] for each in ours)
"""
INSIDE = """
import json, sys, tempfile, time
from pathlib import Path
import pyarrow as pa
from streamshark.spark.stages import Dissection
from streamshark.splits.inputs import inputs
from streamshark.spark.pipeline import session
from streamshark.spark.read_task import ReadTask
cores, time_slice = int(sys.argv[2]), int(sys.argv[5])
spark = session(f"local[{cores}]")
files = inputs([sys.argv[1]])
job = ReadTask("frames", tuple(sys.argv[3].split(",")), tuple(each.name for each in files))

def dissect(files, job):
    with tempfile.TemporaryDirectory(dir=sys.argv[4]) as folder:
        start, used = time.perf_counter(), processor()
        dissection = Dissection(spark, folder, ("frames",), cores, time_slice=time_slice)
        dissection.read_apart([job], files, {})
        again = dissection.put_together()
        seconds, used = time.perf_counter() - start, processor() - used
        place = Path(folder)
        boundaries = sum(each.stat().st_size for each in place.glob("_boundaries/*/[0-9]*"))
        verdicts = dissection.verdicts().toArrow().to_pylist()
        held = {(each["source"], each["number"]) for each in verdicts}
        rows = 0
        for path in place.glob("_staged/*/*/*.arrow"):
            source = int(path.parts[-3])
            flows = pa.ipc.open_file(path).read_all()["flow"].to_pylist()
            rows += sum((source, flow) in held for flow in flows)
    return {"rows": rows, "seconds": seconds, "processor": used, "boundaries": boundaries,
            "again": again}

small = ReadTask(job.table, job.columns, job.names[:1])
dissect(files[:1], small)  # warms the workers
told = dissect(files, job)
jvm = spark.sparkContext._jvm
jvm.System.gc()
runtime = jvm.Runtime.getRuntime()
memory = most()
memory += runtime.totalMemory() - runtime.freeMemory()
print(json.dumps({**told, "memory": memory}))
"""

RUN = """
import json, sys, tempfile, time
from streamshark.spark.pipeline import FRAMES, ORDERED, RunOptions, run, session
cores, site = int(sys.argv[2]), sys.argv[3]
spark = session(f"local[{cores}]", **{"spark.sql.shuffle.partitions": "2"})

def whole(paths):
    with tempfile.TemporaryDirectory(dir=sys.argv[4]) as folder:
        start, used = time.perf_counter(), processor()
        done = run(spark, RunOptions(paths, folder, (FRAMES, *ORDERED), site=site))
        return {"rows": done.rows, "seconds": time.perf_counter() - start,
                "processor": processor() - used}

from streamshark.splits.inputs import inputs
names = tuple(each.name for each in inputs([sys.argv[1]]))
whole(names[:1])  # warms the workers
print(json.dumps(whole(names)))
"""


def rotate(path: Path, folder: Path, files: int) -> None:
    """Cut a pcap into files of about one size, at the borders of packets."""
    data = path.read_bytes()
    head, at, start, part = data[:24], 24, 24, 0
    while at < len(data):
        at += 16 + struct.unpack_from("<I", data, at + 8)[0]
        if at - start >= len(data) // files or at >= len(data):
            (folder / f"{part:03}.pcap").write_bytes(head + data[start:at])
            start, part = at, part + 1


SMALL = 8 << 20
"""Bytes of the time slices where they are small: what they leave is most of them then."""


def measured(
    script: str, folder: Path, cores: int, time_slice: int = 0, *, how: str = ",".join(COLUMNS)
) -> dict[str, Any]:
    """Rows, the seconds that they took, and what else a script tells."""
    command = [sys.executable, "-c", MOST + PROCESSOR + script, str(folder), str(cores), how,
               str(folder.parent), str(time_slice)]  # fmt: skip
    variables = {**environment(folder.parent), "PYSPARK_PYTHON": sys.executable}
    if "PYTHONPATH" in os.environ:
        variables["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(command, capture_output=True, check=True, env=variables)
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def spark_rows(even: Path, giant: Path, part: Path) -> tuple[dict[str, float], list[list[str]]]:
    """What was measured, and a row for each; `part` has some of the files of `even`."""
    runs = {
        "plain": (PLAIN, even, 1, 0, "one plain process"),
        "one core": (INSIDE, even, 1, 0, "Spark, one core"),
        "two cores": (INSIDE, even, 2, 0, "Spark, two cores"),
        "giant": (INSIDE, giant, 2, 0, "Spark, two cores, one giant flow"),
        "part": (INSIDE, part, 2, 0, "Spark, two cores, a quarter of the files"),
        "small": (INSIDE, part, 2, SMALL, "the same in time slices of 8 MiB"),
    }
    found: dict[str, float] = {}
    rows = []
    counts = {}
    for name, (script, folder, cores, time_slice, title) in runs.items():
        size = sum(each.stat().st_size for each in folder.iterdir())
        told = measured(script, folder, cores, time_slice)
        found[name] = size / 1e6 / told["seconds"]
        found[f"{name} processor"] = size / 1e6 / told["processor"]
        counts[name] = told["rows"]
        cells = [title, f"{told['seconds']:.1f} s", f"{told['processor']:.1f} s",
                 f"{found[name]:.0f} MB/s"]  # fmt: skip
        if "boundaries" in told:
            found[f"{name} boundaries"] = told["boundaries"] / size
            found[f"{name} memory"] = told["memory"]
            cells += [f"{told['boundaries'] / size:.2%}", f"{told['memory'] >> 20} MB"]
        rows.append([*cells, "", ""][:6])
    for name in ("one core", "two cores"):
        if counts[name] != counts["plain"]:
            raise RuntimeError(f"{counts[name]} rows inside Spark, {counts['plain']} outside")
    return found, rows


def run_rows(folders: dict[str, Path]) -> tuple[dict[str, float], list[list[str]]]:
    """The rates of whole runs on two cores, and a row for each; clusters are told apart."""
    found: dict[str, float] = {}
    rows = []
    for name, folder in folders.items():
        size = sum(each.stat().st_size for each in folder.iterdir())
        site = "auto" if "clusters" in name else ""
        told = measured(RUN, folder, 2, how=site)
        found[name] = size / 1e6 / told["seconds"]
        counted = (f"{told['rows'][table]:,}" for table in ("frames", "conversations", "findings"))
        found[f"{name} processor"] = size / 1e6 / told["processor"]
        rows.append([name, f"{told['seconds']:.1f} s", f"{told['processor']:.1f} s",
                     f"{found[name]:.0f} MB/s", *counted])  # fmt: skip
    return found, rows
