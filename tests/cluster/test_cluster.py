"""A master with two workers of the pip-installed Spark; what is killed is made good."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.cluster.killed_attempts import SHARES
from tests.cluster.standalone import CONF, HOME, HOST, HOSTS, kill, standalone, start
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine, by_tables
from tests.spark.local_run import here, rows_of, run_here, said_by

from streamshark.spark.output_folder import OutputFolder
from streamshark.spark.pipeline import COMMANDS, TABLES, tables

__all__ = ["here"]
pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]
PATIENCE = 300
"""Seconds until what does not come is a failure."""


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The URL of a cluster on this machine; its logs and its workers' folders are in `tmp_path`."""
    with standalone(tmp_path) as url:
        yield url


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
        *(word for name, value in CONF.items() for word in ("--conf", f"{name}={value}")),
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


@pytest.mark.usefixtures("here")
def test_attempts_at_tasks(master: str, tmp_path: Path) -> None:
    """Killed executors, tasks done again and speculative duplicates change no row of any table."""
    named = ("rabbitmq_stream/cluster_leader_stops", "rsocket/bug_stream_again_after_resume",
             "liftbridge/basics_py")  # fmt: skip
    paths = sorted(recorded(*named), key=lambda path: packets(path)[0].time_ns)
    files = [
        name
        for at, path in enumerate(paths)
        for name in rotated(tmp_path / f"in-{at}", packets(path), 2)
    ]
    os.truncate(files[-1], Path(files[-1]).stat().st_size - 1)  # a row of `bad_inputs`
    first, out, events, log = 3, tmp_path / "out", tmp_path / "events", tmp_path / "log"
    events.mkdir()
    for some in (files[:first], files):
        run_here(tmp_path / "once", some, SHARES, tables=TABLES)
    command = (sys.executable, "-m", "tests.cluster.killed_attempts", master, out, events, first)
    running = start(log, *map(str, command), *files)
    try:
        code = running.wait(PATIENCE)
    finally:
        if running.poll() is None:
            kill(running)
    assert code == 0, log.read_text("utf-8")[-3000:]
    found, once = (
        {table: sorted(map(str, rows)) for table, rows in rows_of(tmp_path / name).items()}
        for name in ("out", "once")
    )
    assert found == once
    assert all(once[name] for name in TABLES if name != COMMANDS)
    assert all(once.get(name) for name in ("rmqstream.publish", "rsocket.setup", "nats.pub"))
    assert said_by(out) == by_one_machine(files)

    (listed,) = events.iterdir()
    known = [json.loads(line) for line in listed.read_text("utf-8").splitlines()]
    ended = [each for each in known if each["Event"] == "SparkListenerTaskEnd"]
    failed = {each["Stage ID"] for each in ended if each["Task Info"]["Failed"]}
    assert len(failed) > len({each["Stage ID"] for each in ended}) // 2
    assert sum(each["Task Info"]["Speculative"] for each in ended) > len(files)
    lost = [each for each in known if each["Event"] == "SparkListenerExecutorRemoved"]
    assert sum("code 137" in each["Removed Reason"] for each in lost) > len(HOSTS)


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
