"""A master with two workers of the pip-installed Spark; what is killed is made good."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import SparkSession
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine, by_tables

from streamshark.spark.output_folder import OutputFolder
from streamshark.spark.pipeline import tables

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]
HOME = Path(pyspark.__file__).parent
PATIENCE = 300
"""Seconds until what does not come is a failure."""
HOST = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONWARNINGS": "ignore",
        "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(HOME),
        "SPARK_DAEMON_MEMORY": "256m"}  # fmt: skip
CONF = (
    "spark.executor.memory=512m",
    "spark.driver.host=127.0.0.1",
    "spark.sql.shuffle.partitions=2",
    "spark.ui.enabled=false",
    "spark.task.maxFailures=20",  # a process of Python must start within 10 s, which none changes
)
"""Settings of Spark on a small and slow cluster."""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def start(log: Path, *command: str) -> subprocess.Popen[bytes]:
    """A process in a session of its own, so that it can be killed with what it has started."""
    with log.open("wb") as out:
        return subprocess.Popen(command, env=HOST, stdout=out, stderr=out, start_new_session=True)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started at once."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The URL of a cluster on this machine; its logs and its workers' folders are in `tmp_path`."""
    url = f"spark://127.0.0.1:{free_port()}"
    begin = (str(HOME / "bin" / "spark-class"),)
    at = ("--host", "127.0.0.1", "--webui-port", "0")
    of_worker = ("--cores", "1", "--memory", "700m", "--work-dir")
    parts: list[tuple[str, ...]] = [("Master", *at, "--port", url.rpartition(":")[2])]
    parts += [("Worker", *at, *of_worker, str(tmp_path / each), url) for each in ("one", "two")]
    running = [
        start(tmp_path / f"{number}.log", *begin, f"org.apache.spark.deploy.{name.lower()}.{name}",
              *arguments)
        for number, (name, *arguments) in enumerate(parts)
    ]  # fmt: skip
    yield url
    for each in running:
        each.terminate()  # a worker ends its executors
    for each in running:
        each.wait()


def executors(folder: Path) -> list[int]:
    """Process ids (of Linux) of the executors whose workers keep their files in a folder."""
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


def wait(running: subprocess.Popen[bytes], log: Path, happened: Callable[[], object]) -> None:
    """Until something has happened; a failure where the process ends before, or too late."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        lives = running.poll() is None and time.monotonic() < deadline
        assert lives or happened(), log.read_text("utf-8")[-3000:]
        time.sleep(0.02)


def test_what_is_killed(spark: SparkSession, master: str, tmp_path: Path) -> None:
    """An executor in the midst of a batch, then the driver in the next: nothing lost, or twice."""
    found = packets(recorded("rabbitmq_stream/cluster_leader_stops")[0])
    folder, out = tmp_path / "in", tmp_path / "out"
    files = rotated(folder, found, 4)
    for each in files[2:]:
        Path(each).rename(tmp_path / Path(each).name)
    command = (
        *(sys.executable, "-m", "streamshark", "spark", "stream", str(folder), "--out", str(out)),
        *("--fields", "--table", "frames", "--table", "conversations", "--table", "findings"),
        *("--shares", "2", "--settled", "0", "--master", master),
        *(word for name in CONF for word in ("--conf", name)),
    )

    def is_midway(run: str) -> bool:
        return any((out / "_staging").glob(f"{run}-*/_domains/*/packets"))

    def is_listed() -> list[str]:
        return OutputFolder(str(out)).listed.runs if out.exists() else []

    log = tmp_path / "first.log"
    running = start(log, *command)
    try:
        wait(running, log, lambda: is_midway("000001") and executors(tmp_path))
        os.kill(executors(tmp_path)[0], signal.SIGKILL)
        wait(running, log, is_listed)
        assert is_listed() == ["000001"]
        for each in files[2:]:
            (tmp_path / Path(each).name).rename(each)
        wait(running, log, lambda: is_midway("000002"))
    finally:
        kill(running)
    assert is_listed() == ["000001"]
    assert by_tables(tables(spark, str(out))) == by_one_machine(files[:2])

    log = tmp_path / "second.log"
    running = start(log, *command, "--once")
    try:
        code = running.wait(PATIENCE)
    finally:
        if running.poll() is None:
            kill(running)
    assert code == 0, log.read_text("utf-8")[-3000:]
    assert is_listed() == ["000001", "000002"]
    assert by_tables(tables(spark, str(out))) == by_one_machine(files)


def test_what_is_submitted(tmp_path: Path) -> None:
    """A script that `spark-submit` starts runs where that says."""
    script = tmp_path / "script.py"
    script.write_text(
        "from streamshark.spark.pipeline import session\n"
        "print('runs at', session().sparkContext.master)\n"
    )
    command = (str(HOME / "bin" / "spark-submit"), "--master", "local[3]", str(script))
    done = subprocess.run(command, env=HOST, capture_output=True, check=True, timeout=PATIENCE)
    assert b"runs at local[3]" in done.stdout
