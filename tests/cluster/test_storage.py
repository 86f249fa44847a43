"""Captures in an object store and in HDFS are read as those of a folder."""

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hdfs_native import Client
from pyspark.sql import SparkSession
from tests.cluster.servers import hdfs, s3
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine, by_tables

from streamshark.cli.main import run
from streamshark.spark.pipeline import session, tables

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]
TABLES = [word for each in ("frames", "conversations", "findings") for word in ("--table", each)]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A recorded capture as files of a ring."""
    found = packets(recorded("rabbitmq_stream/cluster_leader_stops")[0])
    return [Path(each) for each in rotated(tmp_path / "local", found, 3)]


@contextmanager
def spark_with(settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """A session of Spark with settings."""
    active = SparkSession.getActiveSession()
    if active is not None:
        active.stop()
    made = session("local[2]", **{"spark.sql.shuffle.partitions": "2", **settings})
    try:
        yield made
    finally:
        made.stop()


def read(urls: Sequence[str], out: Path) -> int:
    """The exit code of a run."""
    return run(["spark", "run", *urls, "--out", str(out), "--fields", *TABLES])


def same(spark: SparkSession, url: str, files: list[Path], out: Path) -> None:
    """Two runs over a URL, the second with one more file, say what `files` do."""
    for count in (len(files) - 1, len(files)):
        names = [f"{url}/{each.name}" for each in files[:count]]
        given = names if count < len(files) else [url]
        assert read(given, out) == 0
        found, wanted = (
            [sorted(each.replace(at, "") for each in part) for part in said]
            for said, at in (
                (by_tables(tables(spark, str(out))), f"{url}/"),
                (by_one_machine(map(str, files[:count])), f"{files[0].parent}/"),
            )
        )
        assert found == wanted


def test_a_bucket(tmp_path: Path, files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """With what Spark knows of S3; what is not there is one line."""
    with s3(tmp_path) as bucket, spark_with(bucket.settings) as spark:
        for each in files:
            shutil.copy(each, bucket.folder / each.name)
        same(spark, f"s3a://{bucket.name}", files, tmp_path / "out")
        for missing in (f"s3a://{bucket.name}/nothing", "s3a://nobody/captures"):
            assert run(["spark", "run", missing, "--out", str(tmp_path / "none")]) == 2
            assert f"{missing}: no such file or folder" in capsys.readouterr().err
        shutil.copy(files[1], bucket.folder / files[0].name)
        assert read([f"s3a://{bucket.name}"], tmp_path / "out") == 2
        assert "has changed since it was read" in capsys.readouterr().err


def test_a_distributed_file_system(tmp_path: Path, files: list[Path]) -> None:
    """HDFS, which is Spark's default file system too, as on a cluster of Hadoop's."""
    with hdfs(tmp_path) as url, spark_with({"spark.hadoop.fs.defaultFS": url}) as spark:
        client = Client(url)
        client.mkdirs("/captures")
        for each in files:
            _put(client, f"/captures/{each.name}", each.read_bytes())
        same(spark, f"{url}/captures", files, tmp_path / "out")
        assert [each.path for each in client.list_status("/")] == ["/captures"]


def _put(client: Client, path: str, data: bytes) -> None:
    """Write a file, once the data node is there."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with client.create(path) as out:
                out.write(data)
        except RuntimeError:
            if time.monotonic() > deadline:
                raise
            client.delete(path)
            time.sleep(0.5)
        else:
            return
