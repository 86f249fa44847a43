"""The output folder of a pipeline: tables of Parquet files, and the list of committed runs.

    OUT/streamshark.json            the committed runs, and the files that they have read
    OUT/frames/run=000001/date=2026-11-21/protocol=rabbitmq_stream/*.parquet
    OUT/frames/run=000001-open/...  rows of the end of the captures; the next run replaces it
    OUT/_state/000001/              state for the next run
    OUT/_staging/000002-1f.../      of a run in progress, or of one that was aborted

A run is invisible until all of it is written: its folders are renamed, and then the list is
replaced, which commits the run. The files of an aborted run are removed by the next one, whose
folder has another name: tasks of the aborted one may still write to theirs.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from streamshark.errors import StreamsharkError
from streamshark.splits.inputs import Input
from streamshark.splits.remote_files import is_url

LIST = "streamshark.json"
FORMAT = 2
OPEN = "-open"
_STATE, _STAGING = "_state", "_staging"
CHECKPOINT = "_checkpoint"
"""Folder of Spark's checkpoint of a query that follows a folder."""


@dataclass
class ListedFiles:
    """Contents of the list."""

    format: int = FORMAT
    runs: list[str] = field(default_factory=list)
    """Names of the committed runs, in order."""
    buckets: int = 0
    """Number of buckets of connections; the same for all runs, which continue their groups."""
    files: dict[str, list[int]] = field(default_factory=dict)
    """File that was read to its size and modification time in ns."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the reading, the same for all runs."""


class OutputFolder:
    """One output folder."""

    def __init__(self, root: str) -> None:
        if is_url(root):
            raise StreamsharkError(
                f"{root}: tables are written to a folder that all machines see; "
                "--also delta:URL or iceberg:CATALOG.NAMESPACE writes them to a store as well"
            )
        self.root = Path(root)
        self.listed = self._read()

    def _read(self) -> ListedFiles:
        try:
            members = json.loads((self.root / LIST).read_text("utf-8"))
        except FileNotFoundError:
            if self.root.is_dir() and any(self.root.iterdir()) and not self._is_begun():
                raise StreamsharkError(
                    f"{self.root}: directory is not empty and was not created by streamshark"
                ) from None
            return ListedFiles()
        except (OSError, ValueError) as error:
            raise StreamsharkError(f"{self.root / LIST}: {error}") from None
        if members.get("format") != FORMAT:
            raise StreamsharkError(f"{self.root}: created by another version of Streamshark")
        return ListedFiles(**members)

    def _is_begun(self) -> bool:
        """Return whether the folder has only files of an aborted first run."""
        return any((self.root / each).exists() for each in (_STAGING, CHECKPOINT))

    @property
    def last(self) -> str | None:
        """Name of the last committed run; None without one."""
        return self.listed.runs[-1] if self.listed.runs else None

    def fresh(self, files: Iterable[Input]) -> list[Input]:
        """Return the files that no run has read.

        Raises:
            StreamsharkError: A file that was read has changed since.
        """
        out = []
        for each in files:
            known = self.listed.files.get(each.name)
            if known is None:
                out.append(each)
            elif known != [each.size, each.changed_ns]:
                raise StreamsharkError(
                    f"{each.name} has changed since it was read; use --mode overwrite"
                )
        return out

    def begin(self) -> "OutputRun":
        """Begin the next run; remove the files of an aborted one."""
        shutil.rmtree(self.root / _STAGING, ignore_errors=True)
        held = {name for run in self.listed.runs for name in (run, run + OPEN)}
        for place in self.root.glob("*/run=*"):
            if place.name.removeprefix("run=") not in held:
                shutil.rmtree(place)
        name = f"{int(self.last or 0) + 1:06}"
        shutil.rmtree(self.state(name), ignore_errors=True)
        run = OutputRun(self, name, self.root / _STAGING / f"{name}-{uuid4().hex}")
        run.state.mkdir(parents=True)
        return run

    def state(self, run: str) -> Path:
        """Return the folder of a committed run's state for the next one."""
        return self.root / _STATE / run

    def folders(self) -> dict[str, list[str]]:
        """Return the folders of committed rows, by table."""
        out: dict[str, list[str]] = {}
        last = self.last
        names = [*self.listed.runs, *([last + OPEN] if last else [])]
        for name in names:
            for place in sorted(self.root.glob(f"*/run={name}")):
                out.setdefault(place.parent.name, []).append(str(place))
        return out


@dataclass
class OutputRun:
    """One run in progress."""

    warehouse: OutputFolder
    name: str
    staging: Path
    """Folder of its tables until it is committed."""

    @property
    def state(self) -> Path:
        """Folder of its state for the next run, until it is committed."""
        return self.staging / _STATE

    def commit(self, files: Iterable[Input], *, anew: bool, buckets: int, options: Any) -> None:  # noqa: ANN401 - JSON
        """Commit the run; with `anew` it replaces all others."""
        house, root = self.warehouse, self.warehouse.root
        for part, suffix in (("done", ""), ("open", OPEN)):
            for rows in sorted(self.staging.glob(f"[!_]*/part={part}")):
                place = root / rows.parent.name / f"run={self.name}{suffix}"
                place.parent.mkdir(exist_ok=True)
                rows.rename(place)
        state = house.state(self.name)
        state.parent.mkdir(exist_ok=True)
        self.state.rename(state)
        before, listed = house.listed, house.listed
        known = {} if anew else dict(listed.files)
        known |= {each.name: [each.size, each.changed_ns] for each in files}
        runs = [self.name] if anew else [*listed.runs, self.name]
        house.listed = ListedFiles(FORMAT, runs, buckets, known, options)
        fresh = root / f"{LIST}.new"
        fresh.write_text(json.dumps(asdict(house.listed), indent=1) + "\n", "utf-8")
        fresh.replace(root / LIST)
        gone = [f"{each}{OPEN}" for each in before.runs] + (before.runs if anew else [])
        for name in gone:
            for place in root.glob(f"*/run={name}"):
                shutil.rmtree(place)
        for place in (root / _STATE).glob("*"):
            if place.name != self.name:
                shutil.rmtree(place)
        shutil.rmtree(root / _STAGING, ignore_errors=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that others see whole or not at all; one that exists is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"_{path.name}.{uuid4().hex}")
    fresh.write_bytes(data)
    fresh.replace(path)


def local(path: str | Path) -> str:
    """Return the URL of a folder that all machines see, whatever Spark's default file system is."""
    return f"file:{Path(path).absolute()}"
