"""What connections leave is joined in order, and written as it is settled."""

from pathlib import Path

import pytest
from tests.packets import recorded
from tests.spark.comparison import by_one_machine
from tests.spark.local_run import here, run_here, said_by

from streamshark.spark import join_task

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")


def test_findings_are_written_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings over several connections, and conversations with links, are those of one reading."""
    monkeypatch.setattr(join_task, "AT_ONCE", 1)
    (path,) = recorded("rabbitmq_stream/bug_reconnect_storm")
    run_here(tmp_path, [path], 6)
    assert said_by(tmp_path) == by_one_machine([path])
