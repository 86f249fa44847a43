"""Dissection inside Spark beside the same in one plain process, in processes of their own."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from clock import environment

COLUMNS = ["file", "packet", "flow", "offset", "time_ns", "protocol", "command", "length"]
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
import json, sys, time
from streamshark.spark.pipeline import session
spark = session(f"local[{sys.argv[2]}]")
types = {"packet": "bigint", "flow": "bigint", "offset": "bigint", "time_ns": "bigint",
         "length": "bigint"}
schema = ", ".join(f"`{name}` {types.get(name, 'string')}" for name in sys.argv[3].split(","))
source = spark.read.format("streamshark").schema(schema).option("shares", sys.argv[2])
seconds = []
for _ in range(3):
    start = time.perf_counter()
    rows = source.load(sys.argv[1]).selectExpr("sum(length + packet + flow)", "count(*)").first()[1]
    seconds.append(time.perf_counter() - start)
print(json.dumps({"rows": rows, "seconds": seconds[1:]}))
"""
"""The first count warms the workers; the better of the others is taken."""


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
    """Rows, and the least seconds that they took."""
    command = [sys.executable, "-c", script, str(folder), str(cores), ",".join(COLUMNS)]
    variables = {**environment(folder.parent), "PYSPARK_PYTHON": sys.executable}
    if "PYTHONPATH" in os.environ:
        variables["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(command, capture_output=True, check=True, env=variables)
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def spark_rows(even: Path, giant: Path) -> tuple[dict[str, float], list[list[str]]]:
    """Rates in MB/s, and a row for each of what was measured."""
    runs = {
        "plain": (PLAIN, even, 1, "one plain process"),
        "one core": (INSIDE, even, 1, "Spark, one core"),
        "two cores": (INSIDE, even, 2, "Spark, two cores"),
        "giant": (INSIDE, giant, 2, "Spark, two cores, one giant flow"),
    }
    rates, rows = {}, []
    for name, (script, folder, cores, title) in runs.items():
        size = sum(each.stat().st_size for each in folder.iterdir()) / 1e6
        seconds = min(measured(script, folder, cores)["seconds"])
        rates[name] = size / seconds
        rows.append([title, f"{seconds:.1f} s", f"{rates[name]:.0f} MB/s"])
    return rates, rows
