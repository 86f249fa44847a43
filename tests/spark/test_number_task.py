"""Rows are put in order by several tasks as by one."""

from pathlib import Path

import pytest
from tests.packets import recorded
from tests.spark.comparison import by_one_machine
from tests.spark.local_run import here, run_here, said_by

from streamshark.spark import number_task

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")


def test_few_rows_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are those of one reading, in findings and conversations too."""
    monkeypatch.setattr(number_task, "AT_ONCE", 8)
    (path,) = recorded("rabbitmq_stream/cluster_leader_stops")
    run_here(tmp_path, [path], 2, time_slice=1_000)
    assert said_by(tmp_path) == by_one_machine([path])
