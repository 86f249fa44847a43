"""Dissection by many tasks of Spark gives the rows of one session."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.packets import packets, recorded, rotated, write
from tests.splits.test_split_merge import giant

from streamshark.session import Session
from streamshark.spark import write_task
from streamshark.spark.read_task import ReadTask
from streamshark.spark.stages import Dissection
from streamshark.splits.inputs import inputs

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]
COLUMNS = ("file", "packet", "flow", "offset", "side", "command", "length")


def dissected(dissection: Dissection, paths: list[str]) -> list[tuple[object, ...]]:
    """What is staged, of the connections that the verdicts name."""
    files, folder = inputs(paths), Path(dissection.folder)
    job = ReadTask("frames", COLUMNS, tuple(each.name for each in files))
    dissection.read_apart([job], files, {})
    dissection.put_together()
    verdicts = {(each.source, each.number): each for each in dissection.verdicts().collect()}
    out: list[tuple[object, ...]] = []
    for path in (folder / write_task.STAGED).glob("*/*/*.arrow"):
        for row in pa.ipc.open_file(path).read_all().to_pylist():
            verdict = verdicts.get((int(path.parts[-3]), row["flow"]))
            if verdict is not None:
                told = [row[name] for name in ("file", "packet", "command", "length")]
                out.append((*told, (verdict.one, verdict.other, verdict.ordinal)))
    return sorted(out, key=repr)


def by_session(paths: list[str]) -> list[tuple[object, ...]]:
    """The same of one session."""
    session = Session(sorted(paths))
    names = [each.name for each in session.captures]
    out: list[tuple[object, ...]] = []
    for row in session.rows():
        one, other = sorted(row.connection.flow.addresses)
        length = len(getattr(row, "data", b""))
        command = getattr(row, "command", None) or getattr(row, "name", None)
        out.append((names[row.file], row.packet, command, length, (one, other, 1)))
    return sorted(out, key=repr)


@pytest.mark.parametrize("shares", [1, 3, 8])
def test_a_giant_flow_and_others(spark: SparkSession, tmp_path: Path, shares: int) -> None:
    """However many shares there are."""
    paths = giant(tmp_path / "giant", 4)
    paths += rotated(tmp_path / "other", packets(recorded("rsocket/bug_answer_twice")[0]), 2)
    dissection = Dissection(spark, str(tmp_path / "out"), ("frames",), shares, time_slice=20_000)
    assert dissected(dissection, paths) == by_session(paths)


@pytest.mark.parametrize("packed", [False, True])
def test_files_that_overlap(spark: SparkSession, tmp_path: Path, packed: bool) -> None:  # noqa: FBT001
    """They are read together, at once where their last packets show it, else a second time."""
    found = packets(giant(tmp_path, 1)[0])
    third = len(found) // 3
    parts = [found[: 2 * third : 2], found[1 : 2 * third : 2], found[2 * third :]]
    paths = [write(tmp_path / "in" / f"{at}.pcap", each) for at, each in enumerate(parts)]
    for path in map(Path, paths) if packed else ():
        path.write_bytes(gzip.compress(path.read_bytes()))
    time_slice = 1 if packed else 60_000
    dissection = Dissection(spark, str(tmp_path / "out"), ("frames",), 2, time_slice=time_slice)
    assert dissected(dissection, paths) == by_session(paths)
    (site,) = dissection.domains
    assert [len(time_slice) for _, time_slice in site.time_slices] == [2, 1]
    assert (len(site.sources) > len(site.time_slices)) == packed
