"""The data source: every table by name, columns that are asked for, tasks, a folder that grows."""

import os
import shutil
import time
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine

from streamshark.session import Session
from streamshark.spark.source import FollowingReader, TableReader

pytestmark = pytest.mark.xdist_group("spark")
STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]


@pytest.mark.spark
def test_tables(spark: SparkSession) -> None:
    """Rows of several tasks, and of tables that one task makes."""
    wanted = by_one_machine([STORM])
    load = spark.read.format("streamshark").option("shares", "3")
    assert load.load(STORM).count() == len(wanted.frames)
    numbered = load.option("numbers", "true").load(STORM).where("frame IS NOT NULL")
    frames = Session([STORM])
    assert len(list(frames.rows())) == len(wanted.frames)
    assert [row[0] for row in numbered.select("frame").orderBy("frame").collect()] == list(
        range(1, frames.frames + 1)
    )
    for table, count in (
        ("conversations", len(wanted.conversations)),
        ("findings", len(wanted.findings)),
        ("packets", len(packets(STORM))),
        ("flows", len(frames.dissector.tracker.flows)),
    ):
        assert spark.read.format("streamshark").option("table", table).load(STORM).count() == count
    tunes = spark.read.format("streamshark").option("table", "rmqstream.tune").load(STORM)
    assert {row[0] for row in tunes.select("`rmqstream.tune.heartbeat`").collect()} == {60}


@pytest.mark.spark
def test_columns_that_are_asked_for(spark: SparkSession) -> None:
    """A schema names them; secrets are masked."""
    some = spark.read.format("streamshark").schema("command string, time_ns bigint").load(STORM)
    assert some.columns == ["command", "time_ns"]
    assert some.where("command = 'open'").count() > 0
    secrets = spark.read.format("streamshark").option("table", "rmqstream.sasl_authenticate")
    found = secrets.load(STORM)
    column = next(each for each in found.columns if each.endswith("sasl_opaque_data"))
    assert found.where(f"`{column}` IS NOT NULL").count() == 0
    assert secrets.option("show_secrets", "true").load(STORM).where(
        f"`{column}` IS NOT NULL"
    ).count()  # fmt: skip


@pytest.mark.spark
def test_what_is_not_there(spark: SparkSession) -> None:
    """An unknown table is an error that lists the known."""
    with pytest.raises(AnalysisException, match="unknown table 'frame'"):
        spark.read.format("streamshark").option("table", "frame").load(STORM)


def test_sites(tmp_path: Path) -> None:
    """Each folder may be a site of its own, with tasks of its own."""
    for site in ("berlin", "oslo"):
        (tmp_path / site).mkdir()
        shutil.copy(STORM, tmp_path / site)
    options = {"path": str(tmp_path), "site": "folder", "shares": "2"}
    jobs = [each.value for each in TableReader(options, "frames", ["command", "site"]).partitions()]
    assert [(each.site, each.share) for each in jobs] == [
        ("berlin", 0), ("berlin", 1), ("oslo", 0), ("oslo", 1),
    ]  # fmt: skip


def test_a_folder_in_which_captures_rotate(tmp_path: Path) -> None:
    """Files come by time of change; the newest waits until it is whole."""
    paths = rotated(tmp_path, packets(STORM), 3)
    now = time.time()
    for at, path in enumerate(paths):
        os.utime(path, (now - 100 + at, now - 100 + at))
    os.utime(paths[2], (now + 5, now + 5))
    follower = FollowingReader({"path": str(tmp_path), "settled": "10"}, "files", ["file"])
    start = follower.initialOffset()
    end = follower.latestOffset(start, None)
    assert [each.value.names for each in follower.partitions(start, end)] == [
        (paths[0],), (paths[1],),
    ]  # fmt: skip
    assert follower.partitions(end, follower.latestOffset(end)) == []
    os.utime(paths[2], (now - 50, now - 50))
    later = follower.latestOffset(end, None)
    (job,) = follower.partitions(end, later)
    assert job.value.names == (paths[2],)
    assert [batch.to_pydict() for batch in follower.read(job)] == [{"file": [paths[2]]}]
