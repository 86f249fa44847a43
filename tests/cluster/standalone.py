"""A master of Spark with two workers, on this machine."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
HOST = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONWARNINGS": "ignore",
        "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(HOME),
        "SPARK_DAEMON_MEMORY": "256m"}  # fmt: skip
HOSTS = ("127.0.0.1", "127.0.0.2")
"""Addresses of the workers: a speculative duplicate of a task runs on another host."""
CONF = {
    "spark.executor.memory": "512m",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.task.maxFailures": "20",  # a process of Python must start within 10 s, always
}
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


@contextmanager
def standalone(place: Path) -> Iterator[str]:
    """The URL of a cluster; its logs and its workers' folders are in `place`."""
    url = f"spark://127.0.0.1:{free_port()}"
    begin = (str(HOME / "bin" / "spark-class"),)
    of_all = ("--webui-port", "0")
    of_worker = (*of_all, "--cores", "1", "--memory", "700m", "--work-dir")
    parts: list[tuple[str, ...]] = [
        ("Master", *of_all, "--host", HOSTS[0], "--port", url.rpartition(":")[2])
    ]
    parts += [
        ("Worker", *of_worker, str(place / f"worker-{at}"), "--host", host, url)
        for at, host in enumerate(HOSTS)
    ]
    running = [
        start(place / f"{number}.log", *begin, f"org.apache.spark.deploy.{name.lower()}.{name}",
              *arguments)
        for number, (name, *arguments) in enumerate(parts)
    ]  # fmt: skip
    try:
        yield url
    finally:
        for each in running:
            each.terminate()  # a worker ends its executors
        for each in running:
            each.wait()
