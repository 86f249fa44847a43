"""A task that reads connections leaves whole files, once, or nothing."""

from pathlib import Path

import pytest
from tests.failures import Failures
from tests.packets import recorded
from tests.spark.local_run import here, run_here

from streamshark.dissection.row import Row
from streamshark.spark import connection_task, stages
from streamshark.spark.connection_task import ConnectionReport, ConnectionTask, read_connections
from streamshark.spark.write_task import RowTables

__all__ = ["here"]
STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]


def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConnectionTask:
    """One of the tasks of a run, which ends before it."""
    found: list[ConnectionTask] = []

    def stop(given: ConnectionTask) -> None:
        found.append(given)
        raise RuntimeError("enough")

    monkeypatch.setattr(stages, "read_connections", stop)
    with pytest.raises(RuntimeError, match="enough"):
        run_here(tmp_path, [STORM], 2, tables=("frames", "rmqstream.open"))
    return found[0]


def files(folder: Path) -> dict[str, bytes]:
    """Files by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "state"
    }


@pytest.mark.usefixtures("here")
def test_only_connections_that_depend_on_others_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those with a token that resumes a session, and with NATS where Liftbridge is in it.

    If all were read together, every other test would pass, and a run would not scale.
    """
    together: list[bool | None] = []

    def noted(given: ConnectionTask) -> ConnectionReport:
        together.append(given.reads_joint)
        return read_connections(given)

    monkeypatch.setattr(stages, "read_connections", noted)
    plain = ("nats/cluster_stops_py", "rsocket/bug_request_n_zero", "pravega/events_py")
    joint = ("rsocket/bug_stream_again_after_resume", "liftbridge/basics_py")
    with Failures() as failures:
        for name in (*plain, *joint):
            with failures.of(name):
                together.clear()
                run_here(tmp_path / name, recorded(name), 2, tables=("findings",))
                assert any(together) == (name in joint)


@pytest.mark.usefixtures("here")
def test_a_task_that_runs_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves the same files; one that fails leaves none."""
    given = task(tmp_path, monkeypatch)
    before = files(tmp_path)

    def add(_tables: RowTables, _row: Row, _index: int) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(connection_task.RowTables, "add", add)
        with pytest.raises(RuntimeError, match="killed"):
            read_connections(given)
    assert files(tmp_path) == before
    report = read_connections(given)
    first = files(tmp_path)
    assert report.rows >= report.frames > 0
    assert {Path(name).name for name in set(first) - set(before)} == {
        "frames.arrow", "rmqstream.open.arrow", "begun", "positions-done", "facts-done",
        "joint", "others-done", "edges-done.npy", "forgotten-done.npy"
    }  # fmt: skip
    assert read_connections(given) == report
    assert files(tmp_path) == first
