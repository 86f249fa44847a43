"""Captures in an object store and in HDFS are read as those of a folder."""

import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hdfs_native import Client
from pyspark.sql import SparkSession
from tests.cluster.servers import hdfs, s3
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine, by_tables

from streamshark.spark.pipeline import tables

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]
PATIENCE = 300
"""Seconds after which a run has failed."""
TABLES = [word for each in ("frames", "conversations", "findings") for word in ("--table", each)]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A recorded capture as files of a ring."""
    found = packets(recorded("rabbitmq_stream/cluster_leader_stops")[0])
    return [Path(each) for each in rotated(tmp_path / "local", found, 3)]


def read(urls: Sequence[str], out: Path, settings: Mapping[str, str]) -> tuple[int, str]:
    """The exit code and messages of a run in a process of its own, with settings of Spark."""
    conf = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    done = subprocess.run(
        (sys.executable, "-m", "streamshark", "spark", "run", *urls, "--out", str(out), "--fields",
         *TABLES, "--master", "local[2]", *conf),
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    return done.returncode, done.stderr


def same(
    spark: SparkSession, url: str, files: list[Path], out: Path, settings: Mapping[str, str]
) -> None:
    """Two runs over a URL, the second with one more file, say what `files` do."""
    for count in (len(files) - 1, len(files)):
        names = [f"{url}/{each.name}" for each in files[:count]]
        code, messages = read(names if count < len(files) else [url], out, settings)
        assert code == 0, messages
        found, wanted = (
            [sorted(each.replace(at, "") for each in part) for part in said]
            for said, at in (
                (by_tables(tables(spark, str(out))), f"{url}/"),
                (by_one_machine(map(str, files[:count])), f"{files[0].parent}/"),
            )
        )
        assert found == wanted


def test_a_bucket(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """With what Spark knows of S3; what is not there is one line."""
    with s3(tmp_path) as bucket:
        for each in files:
            shutil.copy(each, bucket.folder / each.name)
        same(spark, f"s3a://{bucket.name}", files, tmp_path / "out", bucket.settings)
        for missing in (f"s3a://{bucket.name}/nothing", "s3a://absent/captures"):
            code, messages = read([missing], tmp_path / "none", bucket.settings)
            assert code == 2
            assert f"{missing}: no such file or folder" in messages
        shutil.copy(files[1], bucket.folder / files[0].name)
        code, messages = read([f"s3a://{bucket.name}"], tmp_path / "out", bucket.settings)
        assert code == 2
        assert "has changed since it was read" in messages


def test_a_distributed_file_system(spark: SparkSession, tmp_path: Path, files: list[Path]) -> None:
    """HDFS, which is Spark's default file system too, as on a cluster of Hadoop's."""
    with hdfs(tmp_path) as url:
        client = Client(url)
        client.mkdirs("/captures")
        for each in files:
            _put(client, f"/captures/{each.name}", each.read_bytes())
        settings = {"spark.hadoop.fs.defaultFS": url}
        same(spark, f"{url}/captures", files, tmp_path / "out", settings)
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
