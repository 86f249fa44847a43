"""A folder of tables holds what was committed, and nothing else."""

import json
from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.spark.output_folder import LIST, OutputFolder, OutputRun
from streamshark.splits.inputs import Input


def written(house: OutputFolder, *tables: str) -> OutputRun:
    """A run that has written tables."""
    run = house.begin()
    write_rows(run, *tables)
    return run


def write_rows(run: OutputRun, *tables: str) -> None:
    """Write tables as a task of a run does."""
    for table in tables:
        for part in ("done", "open"):
            place = run.staging / table / f"part={part}"
            place.mkdir(parents=True)
            (place / "rows").write_text(run.name)


def held(root: Path) -> list[str]:
    """What the folder holds, by name."""
    folders = OutputFolder(str(root)).folders()
    return [str(Path(each).relative_to(root)) for table in folders.values() for each in table]


def test_runs(tmp_path: Path) -> None:
    """One is added to the other, and what was open of the first gives way."""
    house = OutputFolder(str(tmp_path))
    one, two = Input("one", 1, 10), Input("two", 2, 20)
    assert house.fresh([one, two]) == [one, two]
    written(house, "frames").commit([one], anew=True, buckets=2, options={})
    assert held(tmp_path) == ["frames/run=000001", "frames/run=000001-open"]
    house = OutputFolder(str(tmp_path))
    assert house.fresh([one, two]) == [two]
    with pytest.raises(StreamsharkError, match="one has changed"):
        house.fresh([one._replace(size=2)])
    run = written(house, "frames", "flows")
    assert held(tmp_path) == ["frames/run=000001", "frames/run=000001-open"]
    run.commit([two], anew=False, buckets=2, options={})
    assert held(tmp_path) == [
        "frames/run=000001", "frames/run=000002", "frames/run=000002-open",
        "flows/run=000002", "flows/run=000002-open",
    ]  # fmt: skip
    assert not (tmp_path / "frames/run=000001-open").exists()
    assert sorted(each.name for each in (tmp_path / "_state").iterdir()) == ["000002"]
    written(house, "frames").commit([one], anew=True, buckets=2, options={})
    assert held(tmp_path) == ["frames/run=000003", "frames/run=000003-open"]
    assert OutputFolder(str(tmp_path)).fresh([one, two]) == [two]


def test_broken_runs(tmp_path: Path) -> None:
    """What a run has left that did not end is removed by the next one."""
    written(OutputFolder(str(tmp_path)), "frames")
    (tmp_path / "frames/run=000001").mkdir(parents=True)
    assert held(tmp_path) == []
    written(OutputFolder(str(tmp_path)), "flows").commit([], anew=True, buckets=1, options={})
    assert held(tmp_path) == ["flows/run=000001", "flows/run=000001-open"]
    assert not (tmp_path / "frames/run=000001").exists()


def test_tasks_of_an_aborted_run(tmp_path: Path) -> None:
    """They may outlive their driver: what they write then is not in the run of the same name."""
    aborted = written(OutputFolder(str(tmp_path)), "frames")
    again = written(OutputFolder(str(tmp_path)), "flows")
    assert again.name == aborted.name
    write_rows(aborted, "frames")
    again.commit([], anew=True, buckets=1, options={})
    write_rows(aborted, "frames")
    assert held(tmp_path) == ["flows/run=000001", "flows/run=000001-open"]


def test_folders_of_others(tmp_path: Path) -> None:
    """A folder with something else in it is left alone."""
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(StreamsharkError, match="not empty"):
        OutputFolder(str(tmp_path))
    (tmp_path / LIST).write_text(json.dumps({"format": 99}))
    with pytest.raises(StreamsharkError, match="another version"):
        OutputFolder(str(tmp_path))
