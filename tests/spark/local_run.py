"""The stages of a run in this process, without Spark: its tasks one after the other."""

import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from tests.spark.comparison import Said, by_rows

from streamshark.spark import pipeline, stages
from streamshark.spark.output_folder import OutputFolder
from streamshark.spark.pipeline import TABLES, RunOptions, run
from streamshark.spark.tables import CONVERSATIONS, FINDINGS, FLOWS, FRAMES

COMPARED = (FRAMES, CONVERSATIONS, FINDINGS, FLOWS)
_DIVIDED = pa.schema([("date", pa.string()), ("protocol", pa.string())])


def each_here(_spark: object, jobs: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
    """Do the work of tasks, with what other machines would be sent."""
    return [_sent(work(_sent(job))) for job in jobs]


def _sent(one: Any) -> Any:  # noqa: ANN401 - a task or its result
    return pickle.loads(pickle.dumps(one))  # noqa: S301 - our own


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs do their tasks in this process."""
    monkeypatch.setattr(stages, "each_of", each_here)
    monkeypatch.setattr(stages, "FACTS", 1 << 13)  # facts of several tasks
    monkeypatch.setattr(pipeline, "_summary", lambda *_: None)


def run_here(
    out: Path,
    paths: Iterable[str],
    groups: int = 4,
    **options: Any,  # noqa: ANN401 - of `RunOptions`
) -> None:
    """Run the pipeline; `here` must be in use."""
    options = {"tables": COMPARED, "time_slice": 10_000, "fields": True, **options}
    run(None, RunOptions(tuple(paths), str(out), shares=groups, **options))  # type: ignore[arg-type]


def rows_of(out: Path, names: Iterable[str] = TABLES) -> dict[str, list[dict[str, Any]]]:
    """The rows of tables of a folder."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for table, folders in OutputFolder(str(out)).folders().items():
        for folder in folders:
            is_divided = any(Path(folder).glob("date=*"))
            way = ds.HivePartitioning(_DIVIDED) if is_divided else None
            rows = ds.dataset(folder, partitioning=way).to_table().to_pylist()
            found.setdefault(table, []).extend(rows)
    for row in found.get(CONVERSATIONS, ()):
        row["measures"] = dict(row["measures"])
    return found


def said_by(out: Path) -> Said:
    """What the tables of a folder say."""
    return by_rows(rows_of(out))
