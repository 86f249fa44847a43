"""A standalone master with two workers from the pip-installed Spark, and a task that dies."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import SparkSession
from tests.spark.said import by_one_machine, by_tables, packets, recorded, rotated

from streamshark.spark.pipeline import tables

pytestmark = pytest.mark.xdist_group("spark")
HOME = Path(pyspark.__file__).parent
PATIENCE = 120
"""Seconds until a cluster that is not there is a failure."""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The URL of a cluster on this machine."""
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    common = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1",
              "SPARK_DAEMON_MEMORY": "256m"}  # fmt: skip
    where = ["--host", "127.0.0.1", "--webui-port", "0"]
    parts = [["Master", *where, "--port", str(port)]]
    parts += [
        [
            "Worker",
            *where,
            "--cores",
            "1",
            "--memory",
            "700m",
            "--work-dir",
            str(tmp_path / each),
            url,
        ]
        for each in ("one", "two")
    ]
    running = []
    for name, *arguments in parts:
        kind = f"org.apache.spark.deploy.{name.lower()}.{name}"
        log = (tmp_path / f"{name}-{len(running)}.log").open("wb")
        command = [str(HOME / "bin" / "spark-class"), kind, *arguments]
        running.append(subprocess.Popen(command, env=common, stdout=log, stderr=log))
        log.close()
    try:
        yield url
    finally:
        for each in running:
            each.terminate()
        for each in running:
            each.wait()


def executors(folder: Path) -> list[int]:
    """Process ids of the executors whose workers keep their files in a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            where = (place / "cwd").readlink()
        except OSError:
            continue
        is_one = b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words
        if is_one and where.is_relative_to(folder):
            found.append(int(place.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks for processes in /proc")
def test_an_executor_that_is_killed(spark: SparkSession, master: str, tmp_path: Path) -> None:
    """Nothing is lost, and nothing is there twice."""
    found = packets(recorded("rabbitmq_stream/cluster_leader_stops")[0])
    files = rotated(tmp_path / "in", found, 4)
    out = tmp_path / "out"
    command = [
        sys.executable, "-m", "streamshark", "spark", "run", *files, "--out", str(out), "--fields",
        *("--table", "frames", "--table", "conversations", "--table", "findings"),
        *("--shares", "4", "--master", master, "--conf", "spark.executor.memory=512m"),
        *("--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.driver.host=127.0.0.1"),
    ]  # fmt: skip
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
                   "PYTHONWARNINGS": "ignore"}  # fmt: skip
    log = (tmp_path / "run.log").open("wb")
    running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    deadline = time.monotonic() + PATIENCE
    journal = out / "_staging" / "000001" / "_journal" / "_SUCCESS"
    while not journal.exists() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    killed = executors(tmp_path)[:1]
    for each in killed:
        os.kill(each, signal.SIGKILL)
    code = running.wait(PATIENCE)
    log.close()
    assert (code, len(killed)) == (0, 1), (tmp_path / "run.log").read_text()[-2000:]
    assert by_tables(tables(spark, str(out))) == by_one_machine(files)
