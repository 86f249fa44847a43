"""Dissection inside Spark beside the same in one plain process, in processes of their own.

The plain process makes the same columns of the same rows. Inside Spark stretches are read apart,
staged and put together: what a run does, but for the judging, which is one task for each site and
runs beside it.
"""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from clock import environment

COLUMNS = ["file", "packet", "flow", "offset", "side", "time_ns", "protocol", "command", "length"]
PLAIN = """
import json, sys, time
from streamshark.spark.inputs import inputs
from streamshark.spark.reading import Job, produce
names = tuple(each.name for each in inputs([sys.argv[1]]))
start = time.perf_counter()
rows = sum(len(batch) for batch in produce(Job("frames", tuple(sys.argv[3].split(",")), names)))
print(json.dumps({"rows": rows, "seconds": [time.perf_counter() - start]}))
"""
INSIDE = """
import json, resource, sys, tempfile, time
from pathlib import Path
import pyarrow as pa
from streamshark.spark import writing
from streamshark.spark.dissection import Dissection
from streamshark.spark.inputs import inputs
from streamshark.spark.pipeline import session
from streamshark.spark.reading import Job
cores = int(sys.argv[2])
spark = session(f"local[{cores}]")
files = inputs([sys.argv[1]])
job = Job("frames", tuple(sys.argv[3].split(",")), tuple(each.name for each in files))

def dissect(files, job):
    with tempfile.TemporaryDirectory(dir=sys.argv[4]) as folder:
        start = time.perf_counter()
        dissection = Dissection(spark, folder, ("frames",), cores)
        dissection.read_apart([job], files, {})
        again = dissection.put_together()
        seconds = time.perf_counter() - start
        place = Path(folder)
        residues = sum(each.stat().st_size for each in place.glob("_residues/*/[0-9]*"))
        verdicts = dissection.verdicts().toArrow().to_pylist()
        held = {(each["source"], each["number"]) for each in verdicts}
        rows = 0
        for path in place.glob("_staged/*/*/*.arrow"):
            source = int(path.parts[-3])
            flows = pa.ipc.open_file(path).read_all()["flow"].to_pylist()
            rows += sum((source, flow) in held for flow in flows)
    return rows, seconds, residues, again

small = Job(job.table, job.columns, job.names[:1])
dissect(files[:1], small)  # warms the workers
rows, seconds, residues, again = dissect(files, job)
jvm = spark.sparkContext._jvm
jvm.System.gc()
runtime = jvm.Runtime.getRuntime()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
memory += runtime.totalMemory() - runtime.freeMemory()
print(json.dumps({"rows": rows, "seconds": [seconds], "residues": residues, "again": again,
                  "memory": memory}))
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


def measured(script: str, folder: Path, cores: int) -> dict[str, Any]:
    """Rows, the seconds that they took, and what else a script tells."""
    command = [sys.executable, "-c", script, str(folder), str(cores), ",".join(COLUMNS),
               str(folder.parent)]  # fmt: skip
    variables = {**environment(folder.parent), "PYSPARK_PYTHON": sys.executable}
    if "PYTHONPATH" in os.environ:
        variables["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(command, capture_output=True, check=True, env=variables)
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def spark_rows(even: Path, giant: Path, part: Path) -> tuple[dict[str, float], list[list[str]]]:
    """What was measured, and a row for each; `part` has some of the files of `even`."""
    runs = {
        "plain": (PLAIN, even, 1, "one plain process"),
        "one core": (INSIDE, even, 1, "Spark, one core"),
        "two cores": (INSIDE, even, 2, "Spark, two cores"),
        "giant": (INSIDE, giant, 2, "Spark, two cores, one giant flow"),
        "part": (INSIDE, part, 2, "Spark, two cores, a quarter of the files"),
    }
    found: dict[str, float] = {}
    rows = []
    counts = {}
    for name, (script, folder, cores, title) in runs.items():
        size = sum(each.stat().st_size for each in folder.iterdir())
        told = measured(script, folder, cores)
        seconds = min(told["seconds"])
        found[name] = size / 1e6 / seconds
        counts[name] = told["rows"]
        cells = [title, f"{seconds:.1f} s", f"{found[name]:.0f} MB/s"]
        if "residues" in told:
            found[f"{name} residues"] = told["residues"] / size
            found[f"{name} memory"] = told["memory"]
            cells += [f"{told['residues'] / size:.2%}", f"{told['memory'] >> 20} MB"]
        rows.append([*cells, "", ""][:5])
    for name in ("one core", "two cores"):
        if counts[name] != counts["plain"]:
            raise RuntimeError(f"{counts[name]} rows inside Spark, {counts['plain']} outside")
    return found, rows
