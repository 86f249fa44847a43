"""The plan of a run has its tasks and connections, and nothing is written."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.packets import rotated, write
from tests.spark.clusters import archive

from streamshark.cli.main import run
from streamshark.spark import run_plan
from streamshark.spark.domains import DomainFilter
from streamshark.spark.pipeline import RunOptions, explain
from streamshark.spark.pipeline import run as running
from streamshark.spark.run_plan import CountTask, counted_packets

pytestmark = pytest.mark.xdist_group("spark")
GIANT = ("10.1.0.1:5552", "10.1.1.1:40000")
CONNECTIONS = 1 + 6 + 5 + 3
"""Those of the clusters of the archive."""


def counts(task: CountTask) -> dict[tuple[str, str], tuple[int, int]]:
    """Packets and bytes of connections, summed."""
    out: dict[tuple[str, str], tuple[int, int]] = {}
    for batch in counted_packets(task):
        for each in batch.to_pylist():
            key = each["one"], each["other"]
            packets, size = out.get(key, (0, 0))
            out[key] = packets + each["packets"], size + each["bytes"]
    return out


def test_packets_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By connection, however often the counts are passed on; of a damaged file those before."""
    found = archive()
    path = tmp_path / "whole.pcap"
    write(path, found)
    known = counts(CountTask((str(path),), None))
    assert len(known) == CONNECTIONS
    assert sum(packets for packets, _ in known.values()) == len(found)
    assert sum(size for _, size in known.values()) == sum(len(each.data) for each in found)

    assert counts(CountTask((str(path),), DomainFilter(("10.1.0.0/16",), ()))) == {
        GIANT: known[GIANT]
    }
    monkeypatch.setattr(run_plan, "MOST_COUNTED", 1)
    cut = tmp_path / "cut.pcap"
    cut.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    halves = counts(CountTask((str(path), str(cut), str(tmp_path / "none")), None))
    assert halves[GIANT][0] in range(known[GIANT][0] + 1, 2 * known[GIANT][0])


@pytest.mark.spark
def test_tasks_of_a_run(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all files; of sites; of those that no run has read."""
    files = rotated(tmp_path / "in", archive(), 3)
    size, out = sum(Path(each).stat().st_size for each in files), tmp_path / "out"
    options = RunOptions(tuple(files), str(out), tables=("frames",), shares=2, time_slice=10_000)
    found = explain(spark, options)
    stages = {each.name: each for each in found.stages}
    assert (found.files, found.bytes, found.connections) == (3, size, CONNECTIONS)
    assert found.largest is not None
    assert (found.largest.one, found.largest.other) == GIANT
    assert [stages[each].bytes for each in ("ends", "join", "write")] == [0, 0, 0]
    tasks = {name: each.tasks for name, each in stages.items() if name != "packets"}
    by_content = {"numbers": None, "objects": None}
    assert tasks == {"connections": 2, "ends": 2, "join": 1, "write": 2, **by_content}
    assert stages["packets"].tasks > len(files)
    assert found.longest.name == "connections"
    assert found.largest.bytes == found.longest.longest < stages["connections"].bytes < size
    assert found.longest.what == f"1 connection, {' - '.join(GIANT)}"
    assert not out.exists()

    site = ("--site", "east=10.1.0.0/16", "--site", "west=10.2.0.0/15")
    assert run(["spark", "run", *files, "--out", str(out), "--explain", *site]) == 0
    told = capsys.readouterr().out
    assert f"3 new files, {size:,} bytes, {CONNECTIONS} connections" in told
    assert [line.split()[1] for line in told.splitlines() if line.startswith("join")] == ["3"]
    assert f"largest connection: {' - '.join(GIANT)}, " in told
    assert not out.exists()

    running(spark, RunOptions(tuple(files[:2]), str(out), tables=("frames",), shares=2))
    rest = explain(spark, RunOptions(tuple(files), str(out), tables=("frames",)))
    assert (rest.files, rest.bytes) == (1, Path(files[2]).stat().st_size)
    assert {each.name: each.tasks for each in rest.stages}["connections"] == 2
