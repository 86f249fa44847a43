"""Facts are divided among tasks by their objects; those that meet one object are united."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine
from tests.spark.local_run import here, run_here, said_by

from streamshark.conversations.split_code import number_objects_from
from streamshark.spark import object_task, stages
from streamshark.spark.object_task import UniteTask, unite

__all__ = ["here"]


@pytest.mark.usefixtures("here")
def test_the_number_of_tasks_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it is another one each night, and if a task is done twice."""
    (path,) = recorded("rabbitmq_stream/bug_reconnect_storm")
    files = rotated(tmp_path / "in", packets(path), 2)
    counts = []

    def counted(task: UniteTask) -> list[int]:
        found = unite(task)
        counts.append((task.tasks, len(found)))
        return [*found, *found]

    monkeypatch.setattr(stages, "unite", counted)
    for size, count in ((1 << 10, 1), (1 << 16, 2)):
        monkeypatch.setattr(stages, "FACTS", size)
        run_here(tmp_path / "out", files[:count], 6)
    assert said_by(tmp_path / "out") == by_one_machine(files)
    assert len({tasks for tasks, _ in counts}) > 1, counts


@pytest.mark.usefixtures("here")
def test_tasks_number_objects_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The join, and the next run, tell objects of several tasks apart by their numbers."""
    begun = []

    def noted(first: int) -> None:
        begun.append(first)
        number_objects_from(first)

    monkeypatch.setattr(object_task, "number_objects_from", noted)
    monkeypatch.setattr(stages, "FACTS", 1 << 10)
    run_here(tmp_path / "out", recorded("rabbitmq_stream/bug_reconnect_storm"))
    tasks = {first % object_task.OBJECTS for first in begun}
    assert len(tasks) > 1
    assert {first % object_task.OBJECTS_OF_TASK for first in tasks} == {0}


def test_groups_that_have_met_an_object_are_united(tmp_path: Path) -> None:
    """Only the tasks whose objects are divided otherwise are done again."""
    task = UniteTask((), (), 4, tmp_path)
    assert unite(task) == unite(task) == []
    for name, met in (("0", [(9, 5), (8, 7)]), ("1", [(9, 6)])):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "met.npy", np.array(met, np.uint64).T)
    for _ in range(2):  # it may be done twice
        again = replace(task, turn=1)
        assert unite(again) == []
        known, labels = np.load(again.labels)
        assert (known.tolist(), labels.tolist()) == ([5, 6], [5, 5])
    assert unite(replace(task, turn=2)) == []
